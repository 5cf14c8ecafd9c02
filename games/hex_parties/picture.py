"""The board as a picture: a `Board` block made from the view alone, with what it shows in words. Source: section 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from games.contract import Frame
from games.hex_parties.cells import BOARD
from games.hex_parties.view import HexView, PlacesView, RoundView
from games.kinds import count
from games.kit.blocks import Board, Cell, Piece
from games.kit.grid import tags
from games.kit.hex import doubled
from games.records import ABSENT

VICTORY = "victory"
Standing: TypeAlias = tuple[str, str, str]
"""(player, parity, cell) of a piece."""


def now(frame: Frame, view: HexView) -> list[Board]:
    """The board as it stands, with the victory spaces of the viewer; nothing where they may not see it.

    What scored in the last round is marked as long as it stands where it scored.
    """
    all_places = {p: PlacesView(row.odd, row.even) for p, row in view.players.items()}
    places = {p: at for p, at in all_places.items() if at.there()}
    last = view.rounds[-1] if view.rounds else None
    me = view.players.get(frame.viewer)
    spaces = me.victory_cells if me is not None and me.victory_cells and view.phase == "round" else ()
    return _board(frame, places, last, spaces, sides_known=bool(view.sides_known))


def after(frame: Frame, round_: RoundView) -> list[Board]:
    """The board after that round, with what scored in it."""
    return _board(frame, round_.positions, round_, (), sides_known=True)


def _board(
    frame: Frame,
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
    legend = [("circle", "odd" if sides_known else "odd (settled in round 1)"), ("square", "even")]
    if marked and scored is not None:
        legend.append(("marked", f"scored in round {scored.round}"))
    if spaces:
        legend.append((VICTORY, f"{frame.names[frame.viewer]} ends the match by scoring here"))
    legend += [(called[player], frame.names[player]) for player in places]
    return [Board(_alt(frame, places, marked, scored, spaces), cells, pieces, tuple(legend))]


def standing(places: Mapping[str, PlacesView]) -> list[Standing]:
    """The pieces that stand on the board."""
    return [(player, which, cell) for player, at in places.items() for which, cell in at.there()]


def _scored(round_: RoundView | None) -> set[Standing]:
    if round_ is None or not round_.positions or round_.parties is ABSENT:
        return set()
    scores = {cell: party.scores for party in round_.parties for cell in party.cells}
    return {(player, which, cell) for player, which, cell in standing(round_.positions) if scores.get(cell) == which}


def _alt(
    frame: Frame,
    places: Mapping[str, PlacesView],
    marked: Sequence[Standing],
    scored: RoundView | None,
    spaces: tuple[str, ...],
) -> str:
    """The picture in words: no more than it shows."""
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
    """Victory spaces in a few words.

    >>> spaces_in_words(()), spaces_in_words(BOARD.within(0)), spaces_in_words(BOARD.within(2))
    ('none yet', 'the centre E5', 'E5 and everything within 2 cells of it')
    """
    if not spaces:
        return "none yet"
    reach = max(BOARD.ring(cell) for cell in spaces)
    if reach == 0:
        return "the centre E5"
    return "every cell" if reach == BOARD.side - 1 else f"E5 and everything within {count(reach, 'cell')} of it"
