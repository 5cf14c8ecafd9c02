"""Freeform: a match that was invented yesterday, hosted from one text file. Its parts are what the file says.

The file holds counters, cards, sheets, verbs and the result; see docs/freeform.md.
"""

from games.freeform import actions as a
from games.freeform import draws, end, hold, report, rules, says, verbs, view, written
from games.freeform import facts as f
from games.freeform.settings import VISIBILITY, Settings
from games.freeform.state import State, start
from games.freeform.suggest import moves, suggest
from games.parts import Draw, Line, Parts, Rounds, Scored, Sheet, Verb, build
from games.table import actions as shared

GAME = build(
    Parts(
        name="freeform",
        title="Freeform",
        players=(2, 100),
        settings=Settings,
        visibility=VISIBILITY,
        level=view.level_of,
        match_lines=view.LINES,
        written=written.WRITTEN,
        state=State,
        start=start,
        phases=report.PHASES,
        rounds=Rounds(
            names=lambda state: state.rules.rounds(),
            hours=lambda state, name: state.rules.sheet(name).hours,
            sheets={a.Seal: Sheet(rules.check_sheet)},
            resolve=rules.resolve,
            what=lambda state, name: f"sheet ({state.rules.sheet(name).label})",
            items=says.items_of,
            spelled=lambda sheet: " ".join(sheet.words),
            between=lambda state, name: None,
        ),
        verbs={
            a.Do: Verb(verbs.do),
            a.Set: Verb(hold.set_),
            a.Add: Verb(hold.add),
            a.Move: Verb(hold.move),
            a.Give: Verb(hold.give),
            a.Draw: Verb(draws.draw),
        },
        has=("tokens", "elimination", "gift", "vote", "lot", "commit"),
        decide={
            **dict.fromkeys((shared.Commit, shared.Seed, shared.Word), draws.fair),
            shared.Open: rules.open_,
            shared.Close: rules.close,
        },
        prepare={
            a.Seal: draws.prepare_seal,
            a.Do: draws.prepare_do,
            a.Set: draws.prepare_number,
            a.Add: draws.prepare_number,
            a.Move: draws.prepare_number,
            a.Give: draws.prepare_give,
            a.Draw: draws.prepare_draw,
            shared.AmendSetting: draws.prepare_amend,
        },
        draws={
            a.Draw: Draw(
                "another order or other cards", source=draws.source, fixed=draws.fixed, typed=lambda state, line: line
            )
        },
        may_amend=rules.may_amend,
        follow=rules.follow,
        unpaid=rules.undrawn_secrets,
        says=says.SAYS,
        evolve={**rules.EVOLVE, f.CardsDrawn: draws.cards_drawn},
        over=lambda state: state.ended,
        verdict=end.verdict,
        scored=Scored(end.scores, Line("score"), end.ranking, counts=end.counts),
        player=view.PlayerView,
        of_player=view.of_player,
        view=view.FileView,
        of_match=view.of_match,
        audience=view.AUDIENCE,
        page=report.page,
        board=report.board,
        rounds_told=report.rounds,
        now=report.now,
        short=report.in_short,
        for_hosts=says.for_hosts,
        suggest=suggest,
        moves=moves,
        invariants=rules.invariants,
    )
)
