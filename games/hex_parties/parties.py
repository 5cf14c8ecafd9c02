"""Parties, points and victory. Pure functions of cells and points. Source: sections 4 and 5, HX-12, HX-13, HX-20."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Literal

from games.hex_parties.cells import BOARD, Cells, Piece
from games.hex_parties.facts import PartyFormed

WORTH = (0, 1, 3)
"""Points for none, one, both of one's pieces scoring. Source: section 4."""
FIRST_RING = 4
"""With so many points the centre is a victory space; each further ring takes 3 more. Source: section 5."""


def scoring(size: int) -> Literal["odd", "even", "none"]:
    """Which pieces of a party of that size score. Source: section 4.

    >>> [scoring(size) for size in (1, 2, 3, 4, 5)]
    ['none', 'none', 'odd', 'even', 'odd']
    """
    if size < 3:
        return "none"
    return "odd" if size % 2 else "even"


def parties(occupied: Iterable[str]) -> tuple[PartyFormed, ...]:
    """All groups of two or more cells that hang together by shared edges, in reading order. Source: section 4, HX-20.

    >>> parties(["E5", "A1", "E6", "D5"])
    (PartyFormed(cells=('D5', 'E5', 'E6'), scores='odd'),)
    """
    taken = set(occupied)
    groups = []
    for cell in (cell for cell in BOARD.axial if cell in taken):
        if cell not in taken:
            continue
        group, edge = {cell}, [cell]
        while edge:
            near = [at for at in BOARD.neighbours(edge.pop()) if at in taken and at not in group]
            group.update(near)
            edge += near
        taken -= group
        if len(group) > 1:
            groups.append(PartyFormed(tuple(c for c in BOARD.axial if c in group), scoring(len(group))))
    return tuple(groups)


def scorers(cells: Cells, formed: Iterable[PartyFormed]) -> tuple[Piece, ...]:
    """The pieces that score: those in a party that scores for their parity."""
    scores = {cell: party.scores for party in formed for cell in party.cells}
    return tuple(piece for piece, cell in cells.items() if scores.get(cell) == piece[1])


def gained(players: Iterable[str], scored: Iterable[Piece]) -> dict[str, int]:
    """Player -> points of the round."""
    owners = [owner for owner, _ in scored]
    return {player: WORTH[owners.count(player)] for player in players}


def radius(points: int) -> int | None:
    """The outermost ring whose cells are victory spaces with so many points; None for none. Source: section 5, HX-13.

    >>> [radius(points) for points in (3, 4, 6, 7, 10, 13, 16, 40)]
    [None, 0, 0, 1, 2, 3, 4, 4]
    """
    return None if points < FIRST_RING else min(BOARD.side - 1, (points - FIRST_RING) // 3)


@functools.cache
def victory_cells(points: int) -> tuple[str, ...]:
    """The cells on which a player with so many points ends the match by scoring, in reading order."""
    reach = radius(points)
    return () if reach is None else BOARD.within(reach)


def enders(cells: Cells, scored: Iterable[Piece], before: Mapping[str, int]) -> tuple[Piece, ...]:
    """The pieces that score on a victory space of their owner. Source: section 5.

    Args:
        before: Points before this round's scoring: those of the round do not count yet (HX-12).
    """
    return tuple(piece for piece in scored if cells[piece] in victory_cells(before[piece[0]]))
