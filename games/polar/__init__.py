"""Polar RPS Party: three rooms that beat each other, two signs, tickets to move and bombs that change a room's score.

Nine rounds of sealed sheets; most points win Tokens of Life, the fewest make an Elimination Candidate.
"""

from games.contract import Game, Scored, Verb, VisibleTo
from games.parts.build import assemble
from games.polar import actions as a, facts, report, rules, view
from games.table import actions as shared

GAME = assemble(
    Game(
        name="polar",
        title="Polar RPS Party",
        has=("tokens", "elimination", "gift", "vote", "choose", "lot"),
        players=(2, 13),
        visibility=a.VISIBILITY,
        phases=report.PHASES,
        state=facts.State,
        table_facts=facts.TABLE_FACTS,
        verbs={
            a.Go: Verb(rules.go, prepare=rules.slips),
            a.Swap: Verb(rules.swap),
            a.Bomb: Verb(rules.bomb, prepare=rules.slips),
            a.Buy: Verb(rules.buy, prepare=rules.slips),
            shared.Resolve: Verb(draw=rules.LOTS),
        },
        rounds=rules.ROUNDS,
        asks=rules.asks,
        overrides=rules.OVERRIDES,
        broken=rules.invariants,
        faults=rules.faults,
        verdict=rules.verdict,
        scored=Scored(rules.points, VisibleTo("scoreboard")),
        stands=facts.stands,
        reveals=True,
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.PolarView,
        of_match=view.of_match,
        page=report.page,
        scores=report.scores,
        board=report.board,
        round_report=report.rounds,
        now=report.now,
        short=report.short,
        completions=rules.suggest,
    )
)
