"""Hex Parties: six players move two pieces each, all at once, on a board of 61 hexagonal cells.

Pieces that stand together are a party; an odd party scores for its odd pieces, an even one for its even ones. Who has
points enough and scores near the centre ends the match.
"""

from games.contract import HOSTS, Draw, Game, Override, Rounds, Scored, Sheet, Verb, VisibleTo
from games.hex_parties import actions as a, facts, report, rules, view
from games.hex_parties.actions import VISIBILITY
from games.parts.build import assemble
from games.table import actions as shared

GAME = assemble(
    Game(
        name="hex_parties",
        title="Hex Parties",
        players=(6, 6),
        places=rules.places,
        visibility=VISIBILITY,
        state=facts.State,
        table_facts=facts.TABLE_FACTS,
        begin=rules.start,
        phases={"round_1": report.BEFORE, **report.PHASES},
        rounds=Rounds(
            names=lambda state: [f"round_{n + 1}" for n in range(state.settings.max_rounds)],
            sheets={a.Move: Sheet(rules.check_move, rules.warn_at_once, rules.parts, rules.slips)},
            items=rules.on_sheet,
            spelled=facts.on_sheet,
            words=view.sheet_words,
            owes=rules.owes,
            resolve=rules.resolve_round,
            after=rules.end_of_play,
        ),
        verbs={
            a.Sides: Verb(rules.choose_sides),
            shared.Lot: Verb(rules.lot, prepare=rules.prepared_lot),
            shared.Resolve: Verb(
                draw=Draw(  # HX-9: for everybody, because a player may still take back a choice
                    "other pieces",
                    when=lambda state: not state.results and state.settings.missing_parity == "lot",
                    each=lambda state: state.table.present,
                    of=lambda state: [rules.LOT],
                    typed=rules.typed_lot,
                    line=HOSTS,
                )
            ),
        },
        may_amend=rules.may_amend,
        overrides={
            "points": Override("N", line="points", public="A host corrected points: {player} has {value} now."),
            "odd": rules.piece_override("odd"),
            "even": rules.piece_override("even"),
        },
        verdict=rules.verdict,
        decided=("tokens", "elimination", "winners"),
        scored=Scored(lambda state: state.points, VisibleTo("points")),
        player_view=view.PlayerView,
        of_player=view.of_player,
        match_view=view.HexView,
        of_match=view.of_match,
        report=report.report,
        scores=report.scores,
        board=report.board,
        round_report=report.rounds,
        now=report.standing_now,
        short=report.in_short,
        reveals=True,
        stands=facts.stands,
        completions=rules.suggest,
        asks=rules.asks,
        choices=rules.moves,
        broken=rules.broken_laws,
        faults=rules.faults,
    )
)
