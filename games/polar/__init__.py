"""Polar RPS Party: three rooms that beat each other, two signs, tickets to move and bombs that change a room's score.

Nine rounds of sealed sheets; most points win Tokens of Life, the fewest make an Elimination Candidate.
"""

from games.parts import Line, Parts, Scored, Verb, build
from games.polar import actions as a
from games.polar import end, report, rules, says, settings, view
from games.polar.state import Held, State
from games.polar.suggest import suggest
from games.table import actions as shared

GAME = build(
    Game(
        name="polar",
        title="Polar RPS Party",
        has=("tokens", "elimination", "gift", "vote", "choose", "lot"),
        players=(2, 13),
        settings=settings.Settings,
        visibility=settings.VISIBILITY,
        phases=report.PHASES,
        state=State,
        start=lambda table, chosen: State(table, chosen, {p: Held() for p in table.seats}),
        verbs={a.Go: Verb(rules.go), a.Swap: Verb(rules.swap), a.Bomb: Verb(rules.bomb), a.Buy: Verb(rules.buy)},
        rounds=rules.ROUNDS,
        draws={shared.Resolve: rules.LOTS},
        prepare=dict.fromkeys((a.Start, a.Submit, a.Go, a.Bomb, a.Buy), rules.slips),
        overrides=rules.OVERRIDES,
        evolve=rules.EVOLVE,
        invariants=rules.invariants,
        unpaid=rules.unpaid,
        verdict=end.verdict,
        scored=Scored(end.points, Line("scoreboard")),
        says=says.SAYS,
        stands=says.stands,
        reveals=True,
        player=view.PlayerView,
        of_player=view.of_player,
        view=view.PolarView,
        of_match=view.of_match,
        page=report.page,
        scores=report.scores,
        board=report.board,
        rounds_told=report.rounds,
        now=report.now,
        short=report.short,
        suggest=suggest,
    )
)
