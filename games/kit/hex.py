"""A hexagon of hexagonal cells: names, axial coordinates, neighbours, straight lines, rings, distances.

What belongs here: the geometry, for any side. What does not: what is on a cell, and who may go where.
Coordinates are axial, (x, z): z counts rows from the centre downwards, x runs along a row. Source: rules, section 1.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TypeAlias

from events.record import NamedTuple

Axial: TypeAlias = tuple[int, int]
DIRECTIONS: Mapping[str, Axial] = {
    "E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1),
}  # fmt: skip
"""The six straight directions, each a sixth of a turn from the one before."""


def step(at: Axial, direction: Axial, times: int = 1) -> Axial:
    """The cell so many steps away."""
    return (at[0] + direction[0] * times, at[1] + direction[1] * times)


def distance(a: Axial, b: Axial) -> int:
    """Fewest steps from one cell to the other, over a board without end.

    >>> distance((0, 0), (2, -1)), distance((0, 0), (2, 1))
    (2, 3)
    """
    x, z = b[0] - a[0], b[1] - a[1]
    return max(abs(x), abs(z), abs(x + z))


def ring(at: Axial) -> int:
    """Which ring around the centre the cell is on; the centre is ring 0."""
    return distance((0, 0), at)


def doubled(at: Axial) -> tuple[int, int]:
    """Where to draw it: neighbours in a row are 2 apart in the first number, rows are 1 apart in the second."""
    return (2 * at[0] + at[1], at[1])


class Hexagon(NamedTuple):
    """A board of that side: `axial` maps names to coordinates in reading order, `names` maps them back."""

    side: int
    axial: Mapping[str, Axial]
    names: Mapping[Axial, str]

    @property
    def rows(self) -> dict[str, int]:
        """Row letter -> how many cells it has, top to bottom."""
        return {chr(65 + row): 2 * self.side - 1 - abs(row - self.side + 1) for row in range(2 * self.side - 1)}

    def ring(self, cell: str) -> int:
        """Which ring around the centre a cell is on."""
        return ring(self.axial[cell])

    def within(self, radius: int) -> tuple[str, ...]:
        """The cells on that ring and inside it, in reading order.

        >>> hexagon(5).within(1)
        ('D4', 'D5', 'E4', 'E5', 'E6', 'F4', 'F5')
        """
        return tuple(cell for cell, at in self.axial.items() if ring(at) <= radius)

    def distance(self, a: str, b: str) -> int:
        """Fewest steps between two cells."""
        return distance(self.axial[a], self.axial[b])

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """The cells that share an edge with it; the edge of the board gives none."""
        around = (step(self.axial[cell], direction) for direction in DIRECTIONS.values())
        return tuple(self.names[at] for at in around if at in self.names)

    def between(self, a: str, b: str) -> tuple[str, ...] | None:
        """The cells strictly between two, from `a` on, if one straight line holds both; otherwise None.

        >>> hexagon(5).between("A4", "D4"), hexagon(5).between("E5", "C4")
        (('B4', 'C4'), None)
        """
        start, end = self.axial[a], self.axial[b]
        far = distance(start, end)
        for direction in DIRECTIONS.values():
            if far and step(start, direction, far) == end:
                return tuple(self.names[step(start, direction, n)] for n in range(1, far))
        return None


@functools.cache
def hexagon(side: int) -> Hexagon:
    """The board with that many cells along each edge: rows A, B, ... top to bottom, numbered left to right from 1.

    >>> board = hexagon(5)
    >>> len(board.axial), board.axial["E5"], board.axial["A3"], board.names[(-4, 4)]
    (61, (0, 0), (2, -4), 'I1')
    """
    most = side - 1
    axial = {}
    for z in range(-most, most + 1):
        first = max(-most, -most - z)
        for n in range(2 * side - 1 - abs(z)):
            axial[f"{chr(65 + z + most)}{n + 1}"] = (first + n, z)
    return Hexagon(side, axial, {at: cell for cell, at in axial.items()})
