"""Reports of orders, parties and points, and the board as a picture with what it shows in words. From views alone.

Source: section 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from events.audiences import HOST_VIEWER
from games.contract import ReportContext, Result
from games.hex_parties.board import BOARD
from games.hex_parties.view import HexView, PartyView, PlacesView, PlayerView, RoundView
from games.kinds import count
from games.kit.blocks import Block, Board, Cell, Heading, Line, Piece, Span, Strong, Table, items, listing, text
from games.kit.grid import tags
from games.kit.hex import doubled
from games.records import ABSENT
from games.table.report import clock, decided, heading, own_garnets, phases_after, ranking, tokens_and_elimination

BEFORE = "The match has not begun; this is how the pieces will start."
PHASES = phases_after("Play")


def report(frame: ReportContext, view: HexView, result: Result) -> list[Block]:
    blocks: list[Block] = [heading(frame), _phase(view, result)]
    if frame.viewer in view.players:
        blocks += listing(standing_now(frame, view.players[frame.viewer], view))
        if view.sheets is not ABSENT:
            sent = view.sheets.get(frame.viewer)
            orders = f"Your orders for round {view.round}: {sent}" if sent else "Nothing is in from you yet."
            blocks.append(text(orders))
    blocks += board_now(frame, view)
    if view.rounds:
        blocks += _parties(frame, view.rounds[-1])
    if frame.viewer == HOST_VIEWER:
        blocks.append(_host_table(frame, view))
    else:
        points = {p: row.points for p, row in view.players.items() if row.points is not ABSENT}
        blocks += _points(frame, points, view.rounds[-1].gained if view.rounds else {})
    last_only = result.status == "running" or frame.viewer == HOST_VIEWER  # at the end players see all rounds
    for round_ in view.rounds[-1:] if last_only else view.rounds:
        blocks += failed_orders(frame, round_)
    return [*blocks, *_winners(frame, view, result), *tokens_and_elimination(frame, result), *decided(frame, result)]


def _phase(view: HexView, result: Result) -> Block:
    taken = "." if view.closed else ": orders are taken."
    spans: list[Span] = [PHASES.get(view.phase, f"Round {view.round}{taken}")]
    if result.status == "setup":
        spans = [BEFORE]
    if view.phase == "round" and view.bonuses is not ABSENT:
        spans.append(f" Movement bonuses: {'; '.join(view.bonuses)}.")
    if view.closed:
        spans.append(" Orders have ended; the round waits to be resolved.")
    return text(*spans, *clock(view.paused, view.ends))


def standing_now(frame: ReportContext, me: PlayerView, view: HexView) -> list[Line]:
    lines: list[Line] = []
    if mine := PlacesView(me.odd, me.even).there():
        spans = ((", " if n else "", f"{which} ", Strong(cell)) for n, (which, cell) in enumerate(mine))
        settled = () if view.sides_known else ("; which one is odd may change in round 1",)
        lines.append(("Your pieces: ", *(span for piece in spans for span in piece if span), *settled))
    if me.points is not ABSENT:
        lines.append(f"Points: {me.points}")
    if me.victory_cells is not ABSENT and view.phase == "round":
        lines.append(f"Your victory spaces: {spaces_in_words(me.victory_cells)}")
    if me.bonuses_used:
        lines.append(f"Bonuses used up: {', '.join(me.bonuses_used)}")
    return [*lines, *own_garnets(frame, me.garnets)]


def _parties(frame: ReportContext, round_: RoundView) -> list[Block]:
    if round_.parties is ABSENT or not round_.positions:
        return []
    owners = {cell: (player, which) for player, which, cell in standing(round_.positions)}
    lines = [_party(frame, party, owners) for party in round_.parties]
    return [Heading(f"Parties of round {round_.round}", 2), items(*lines) if lines else text("There was no party.")]


def _party(frame: ReportContext, party: PartyView, owners: Mapping[str, tuple[str, str]]) -> str:
    where = f"{party.size} pieces ({' '.join(party.cells)})"
    if party.scores == "none":
        return f"{where}: too small, nobody scores"
    scored = {owners[cell][0] for cell in party.cells if cell in owners and owners[cell][1] == party.scores}
    who = frame.named([p for p in frame.names if p in scored])
    return f"{where}: {party.scores} pieces score: {who}"


def _points(frame: ReportContext, points: Mapping[str, int], gained: Mapping[str, int]) -> list[Block]:
    rows = tuple((frame.names[p], f"+{gained[p]}" if gained.get(p) else "", str(n)) for p, n in points.items())
    return [Table(("player", "", "points"), rows, numbers=(1, 2))] if rows else []


def _winners(frame: ReportContext, view: HexView, result: Result) -> list[Block]:
    if result.status not in ("deciding", "finished") or view.winners is ABSENT:
        return []
    if not view.winners:
        return [text("Nobody ended the match.")]
    return [text(Strong(frame.named(view.winners)), " ended the match.")]


def round_blocks(frame: ReportContext, round_: RoundView) -> list[Block]:
    """A resolved round: the board after it, its parties, the scoreboard, and failed orders if they may be known."""
    return [
        Heading(f"Round {round_.round}", 2),
        *_board(frame, round_.positions, round_, (), sides_known=True),
        *_parties(frame, round_),
        *_points(frame, round_.points, round_.gained),
        *failed_orders(frame, round_),
    ]


def failed_orders(frame: ReportContext, round_: RoundView) -> list[Block]:
    lines = [f"{frame.names[x.player]}, {x.piece} to {x.to}: bounced" for x in round_.bounced or ()]
    lines += [f"{frame.names[x.player]}, {x.piece} to {x.to}: {x.why or 'it stays'}" for x in round_.illegal or ()]
    return listing(lines, f"Orders of round {round_.round} that failed")


def rounds(frame: ReportContext, view: HexView, name: str) -> list[Block]:
    return [block for round_ in view.rounds if f"round_{round_.round}" == name for block in round_blocks(frame, round_)]


def _host_table(frame: ReportContext, view: HexView) -> Block:
    sent = view.sheets or {}
    rows = [
        (
            frame.row(p),
            row.odd or "",
            row.even or "",
            str(row.points),
            str(row.garnets),
            " ".join(row.bonuses_used),
            sent.get(p) or "",
        )
        for p, row in view.players.items()
    ]
    return Table(("player", "odd", "even", "points", "garnets", "used", "sent"), tuple(rows), numbers=(3, 4))


def in_short(player: str, row: PlayerView) -> str:
    there = " ".join(f"{which} {cell}" for which, cell in PlacesView(row.odd, row.even).there())
    where = f"{there}, " if there else ""
    return f"{player}: {where}{count(row.points, 'point')}, {count(row.garnets, 'garnet')}"


def board(frame: ReportContext, view: HexView, result: Result) -> list[Block]:
    """The present board; for a player, with their victory spaces."""
    boards: list[Block] = [*board_now(frame, view)]
    title = f"{frame.title} · {'start' if not view.rounds else f'after round {view.rounds[-1].round}'}"
    return [Heading(title), *(boards or [text("Where the pieces stand is not public.")])]


def scores(frame: ReportContext, view: HexView, result: Result) -> list[Block]:
    return ranking(
        frame,
        result,
        ("points", "by round"),
        lambda p: (str(result.scores[p]), " ".join(str(round_.gained[p]) for round_ in view.rounds)),
    )


VICTORY = "victory"
Standing: TypeAlias = tuple[str, str, str]
"""(player, parity, cell) of a piece."""


def board_now(frame: ReportContext, view: HexView) -> list[Board]:
    """The present board with the viewer's victory spaces; empty if they may not see it.

    Pieces that scored in the last round are marked while they are still on that cell.
    """
    all_places = {p: PlacesView(row.odd, row.even) for p, row in view.players.items()}
    places = {p: at for p, at in all_places.items() if at.there()}
    last = view.rounds[-1] if view.rounds else None
    me = view.players.get(frame.viewer)
    spaces = me.victory_cells if me is not None and me.victory_cells and view.phase == "round" else ()
    return _board(frame, places, last, spaces, sides_known=bool(view.sides_known))


def _board(
    frame: ReportContext,
    places: Mapping[str, PlacesView],
    scored: RoundView | None,
    spaces: tuple[str, ...],
    *,
    sides_known: bool,
) -> list[Board]:
    if not places:
        return []
    called, seats = tags(frame.names, BOARD.axial), list(frame.names)
    on_board, hits = standing(places), _scored(scored)
    marked = [piece for piece in on_board if piece in hits]
    cells = tuple(Cell(name, *doubled(at), shade=VICTORY if name in spaces else "") for name, at in BOARD.axial.items())
    pieces = tuple(
        Piece(
            cell,
            called[player],
            "circle" if which == "odd" else "square",
            seats.index(player),
            (player, which, cell) in marked,
        )
        for player, which, cell in on_board
    )
    legend = [("circle", "odd" if sides_known else "odd (may change in round 1)"), ("square", "even")]
    if marked and scored is not None:
        legend.append(("marked", f"scored in round {scored.round}"))
    if spaces:
        legend.append((VICTORY, f"{frame.names[frame.viewer]} ends the match by scoring here"))
    legend += [(called[player], frame.names[player]) for player in places]
    return [Board(_alt(frame, places, marked, scored, spaces), cells, pieces, tuple(legend))]


def standing(places: Mapping[str, PlacesView]) -> list[Standing]:
    return [(player, which, cell) for player, at in places.items() for which, cell in at.there()]


def _scored(round_: RoundView | None) -> set[Standing]:
    if round_ is None or not round_.positions or round_.parties is ABSENT:
        return set()
    scores = {cell: party.scores for party in round_.parties for cell in party.cells}
    return {(player, which, cell) for player, which, cell in standing(round_.positions) if scores.get(cell) == which}


def _alt(
    frame: ReportContext,
    places: Mapping[str, PlacesView],
    marked: Sequence[Standing],
    scored: RoundView | None,
    spaces: tuple[str, ...],
) -> str:
    """The picture in words, which say no more than it shows."""
    where = {p: ", ".join(f"{which} {cell}" for which, cell in at.there()) for p, at in places.items()}
    pieces = "; ".join(f"{frame.names[p]} {cells}" for p, cells in where.items())
    sentences = [f"Hexagonal board of {len(BOARD.axial)} cells in rows A to I. {pieces}."]
    scorers = [f"{frame.names[p]} {which} on {cell}" for p, which, cell in marked]
    if scorers and scored is not None:
        sentences.append(f"Scored in round {scored.round}: {', '.join(scorers)}.")
    if spaces:
        sentences.append(f"Shaded for {frame.names[frame.viewer]}: {spaces_in_words(spaces)}.")
    return " ".join(sentences)


def spaces_in_words(spaces: tuple[str, ...]) -> str:
    """The victory spaces in a few words.

    >>> spaces_in_words(()), spaces_in_words(BOARD.within(0)), spaces_in_words(BOARD.within(2))
    ('none yet', 'the centre E5', 'E5 and everything within 2 cells of it')
    """
    if not spaces:
        return "none yet"
    reach = max(BOARD.ring(cell) for cell in spaces)
    if reach == 0:
        return "the centre E5"
    return "every cell" if reach == BOARD.side - 1 else f"E5 and everything within {count(reach, 'cell')} of it"
