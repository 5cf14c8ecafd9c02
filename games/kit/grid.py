"""A board of square cells: names, neighbours, steps, distances; and two letters for each player on any board.

What belongs here: the geometry, for any size. What does not: what stands on a cell, and who may go where.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from events.record import NamedTuple
from games.kit.blocks import Board, Cell, Piece

Place: TypeAlias = tuple[int, int]
"""(column, row), from 0; rows count downwards."""
STRAIGHT: Mapping[str, Place] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
DIAGONAL: Mapping[str, Place] = {"NE": (1, -1), "SE": (1, 1), "SW": (-1, 1), "NW": (-1, -1)}
DIRECTIONS: Mapping[str, Place] = {**STRAIGHT, **DIAGONAL}


class Grid(NamedTuple):
    """A board of so many columns and rows: `places` has every cell by name in reading order, `names` the way back."""

    columns: int
    rows: int
    places: Mapping[str, Place]
    names: Mapping[Place, str]

    def step(self, cell: str, direction: str, times: int = 1) -> str | None:
        """The cell so many steps away; None beyond the edge.

        >>> grid(5, 5).step("C3", "N", 2), grid(5, 5).step("A1", "NW")
        ('A3', None)
        """
        (x, y), (dx, dy) = self.places[cell], DIRECTIONS[direction]
        return self.names.get((x + dx * times, y + dy * times))

    def neighbours(self, cell: str, *, diagonal: bool = False) -> tuple[str, ...]:
        """The cells that share an edge with it, with `diagonal` also those that share a corner."""
        ways = DIRECTIONS if diagonal else STRAIGHT
        return tuple(found for way in ways if (found := self.step(cell, way)) is not None)

    def distance(self, a: str, b: str, *, diagonal: bool = False) -> int:
        """Fewest steps between two cells.

        >>> grid(5, 5).distance("A1", "C4"), grid(5, 5).distance("A1", "C4", diagonal=True)
        (5, 3)
        """
        (ax, ay), (bx, by) = self.places[a], self.places[b]
        return max(abs(ax - bx), abs(ay - by)) if diagonal else abs(ax - bx) + abs(ay - by)

    def board(
        self, alt: str, pieces: Iterable[Piece], legend: Iterable[tuple[str, str]] = (), shades: Mapping[str, str] = {}
    ) -> Board:
        """The picture of it. `shades`: cell -> its entry in the legend."""
        cells = tuple(Cell(name, 2 * x, y, shades.get(name, "")) for name, (x, y) in self.places.items())
        return Board(alt, cells, tuple(pieces), tuple(legend), "square")


@functools.cache
def grid(columns: int, rows: int) -> Grid:
    """The board of that size, at most 26 rows: A, B, ... top to bottom, numbered left to right from 1.

    >>> board = grid(5, 3)
    >>> len(board.places), board.places["A1"], board.names[(4, 2)]
    (15, (0, 0), 'C5')
    """
    places = {f"{chr(65 + y)}{x + 1}": (x, y) for y in range(rows) for x in range(columns)}
    return Grid(columns, rows, places, {at: cell for cell, at in places.items()})


def tags(players: Iterable[str]) -> dict[str, str]:
    """Two letters for each player, all different: made of the id, so that every font and terminal has them.

    >>> tags(["ann", "anton", "bob", "an"])
    {'ann': 'An', 'anton': 'At', 'bob': 'Bo', 'an': 'A2'}
    """
    taken: dict[str, str] = {}
    for player in players:
        letters = [c for c in player[1:] if c.isalnum()]
        numbers = [str(n) for n in range(2, 10)]
        seconds = [*letters, *numbers, *"abcdefghijklmnopqrstuvwxyz"]
        taken[player] = next(tag for second in seconds if (tag := player[0].upper() + second) not in taken.values())
    return taken
