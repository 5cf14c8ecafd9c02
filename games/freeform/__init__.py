"""Freeform: a game of your own, perhaps invented yesterday; one text file says how it is played.

The file holds counters, cards, sheets, verbs and the result; see docs/freeform.md.
"""

from games.contract import Draw, Game, Rounds, Scored, Sheet, Verb, VisibleTo
from games.freeform import actions as a, draws, facts, report, rules, view, written
from games.freeform.actions import VISIBILITY
from games.parts.build import assemble
from games.table import actions as shared

GAME = assemble(
    Game(
        name="freeform",
        title="Freeform",
        players=(2, 100),
        visibility=VISIBILITY,
        level=view.level_of,
        match_lines=view.LINES,
        written=written.WRITTEN,
        state=facts.State,
        table_facts=facts.TABLE_FACTS,
        begin=facts.start,
        phases=report.PHASES,
        rounds=Rounds(
            names=lambda state: state.rules.rounds(),
            hours=lambda state, name: state.rules.sheet(name).hours,
            sheets={a.Seal: Sheet(rules.check_sheet, prepare=draws.prepare_seal)},
            resolve=rules.resolve,
            what=lambda state, name: f"sheet ({state.rules.sheet(name).label})",
            items=facts.items_of,
            spelled=lambda sheet: " ".join(sheet.words),
            between=lambda state, name: None,
        ),
        verbs={
            a.Do: Verb(rules.do, prepare=draws.prepare_do, audience=view.of_do),
            a.Set: Verb(rules.set_, prepare=draws.prepare_number, audience=view.of_counter),
            a.Add: Verb(rules.add, prepare=draws.prepare_number, audience=view.of_counter),
            a.Move: Verb(rules.move, prepare=draws.prepare_number, audience=view.of_counter),
            a.Give: Verb(rules.give, prepare=draws.prepare_give, audience=view.of_give),
            a.Draw: Verb(
                draws.draw,
                prepare=draws.prepare_draw,
                audience=view.of_draw,
                draw=Draw(
                    "another order or other cards",
                    source=draws.source,
                    fixed=draws.fixed,
                    typed=lambda state, line: line,
                ),
            ),
            shared.Commit: Verb(draws.fair),
            shared.Seed: Verb(draws.fair, audience=view.of_seed),
            shared.Word: Verb(draws.fair),
            shared.Open: Verb(rules.open_),
            shared.Close: Verb(rules.close, prepare=rules.prepare_close),
            shared.Deadline: Verb(rules.deadline, prepare=rules.prepare_deadline),
            shared.AmendSetting: Verb(prepare=draws.prepare_amend, audience=view.of_amendment),
        },
        has=("tokens", "elimination", "gift", "vote", "lot", "commit"),
        may_amend=rules.may_amend,
        follow=rules.follow,
        faults=rules.undrawn_secrets,
        over=lambda state: state.ended,
        verdict=rules.verdict,
        scored=Scored(rules.scores, VisibleTo("score"), rules.ranking, counts=rules.counts),
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.FileView,
        of_match=view.of_match,
        page=report.page,
        board=report.board,
        round_report=report.rounds,
        scores=report.scores,
        now=report.now,
        short=view.in_short,
        for_hosts=view.for_hosts,
        completions=rules.suggest,
        asks=rules.asks,
        choices=rules.moves,
        broken=rules.invariants,
    )
)
