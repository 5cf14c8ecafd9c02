"""A board of square cells: names, neighbours, steps, distances; and two letters for each player on any board.

What belongs here: the geometry, for any size. What does not: what is on a cell, and who may go where.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.kit.blocks import Board, Cell, Piece

Place: TypeAlias = tuple[int, int]
"""(column, row), from 0; rows count downwards."""
STRAIGHT: Mapping[str, Place] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
DIRECTIONS: Mapping[str, Place] = {**STRAIGHT, "NE": (1, -1), "SE": (1, 1), "SW": (-1, 1), "NW": (-1, -1)}


class Grid(NamedTuple):
    """A board of columns and rows: `places` maps names to places in reading order, `names` maps them back."""

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
        return tuple(there for way in ways if (there := self.step(cell, way)) is not None)

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

    def players(
        self,
        names: Mapping[str, str],
        at: Iterable[tuple[str, str]],
        said: Iterable[str] = (),
        pieces: Iterable[Piece] = (),
        legend: Iterable[tuple[str, str]] = (),
        shades: Mapping[str, str] = {},
    ) -> Board:
        """The picture of the players and other pieces on the board.

        Args:
            names: Player id -> name, in seat order.
            at: (player, cell) of each piece of a player.
            said: The other pieces and shades in words; `legend` has their meaning.
        """
        tag, seats, stand = tags(names, self.places), [*names], [*at]
        own = [Piece(cell, tag[p], "circle", seats.index(p)) for p, cell in stand]
        alt = "; ".join((*(f"{names[p]} on {cell}" for p, cell in stand), *said))
        marks = [(tag[p], names[p]) for p in dict.fromkeys(p for p, _ in stand)]
        called = f"Board of {self.columns}x{self.rows} cells. {alt}."
        return self.board(called, [*own, *pieces], [*marks, *legend], shades)


@functools.cache
def grid(columns: int, rows: int, letters: Literal["rows", "columns"] = "rows") -> Grid:
    """The board of that size, at most 26 rows: A, B, ... top to bottom, numbered left to right from 1; or columns have
    the letters, and rows the numbers.

    >>> board = grid(5, 3)
    >>> len(board.places), board.places["A1"], board.names[(4, 2)], grid(5, 3, "columns").names[(4, 2)]
    (15, (0, 0), 'C5', 'E3')
    """
    at = [(x, y) for y in range(rows) for x in range(columns)]
    places = {f"{chr(65 + x)}{y + 1}" if letters == "columns" else f"{chr(65 + y)}{x + 1}": (x, y) for x, y in at}
    return Grid(columns, rows, places, {at: cell for cell, at in places.items()})


def tags(players: Iterable[str], cells: Iterable[str] = ()) -> dict[str, str]:
    """Two characters of a-z and 0-9 for each player, all different: made of the id, so that every font has them.

    Args:
        cells: The names of the cells; no tag looks like one.

    >>> tags(["ann", "anton", "bob", "an"]), tags(["ann", "p1", "b1"], grid(5, 5).places)
    ({'ann': 'An', 'anton': 'At', 'bob': 'Bo', 'an': 'A2'}, {'ann': 'An', 'p1': 'P1', 'b1': 'Ba'})
    """
    rows, taken = {cell[0] for cell in cells}, dict[str, str]()
    for player in players:
        seconds = [*(c for c in player[1:] if c.isalnum()), *"23456789", *"abcdefghijklmnopqrstuvwxyz"]
        firsts = (player[0].upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        free = (a + b for a in firsts for b in seconds if not (b.isdigit() and a in rows))
        taken[player] = next(tag for tag in free if tag not in taken.values())
    return taken
