"""The hexagonal board: every cell, distance, line and ring against a drawing of it that knows no axial coordinates.

The drawing is made of the rows and their lengths alone (rules, section 1): a cell touches the two beside it in its row
and those half a cell to the left and right in the rows above and below. Everything else is counted by walking.
"""

from __future__ import annotations

from collections import Counter

import pytest

from games.hex_parties.board import BOARD, read_cell
from games.kit.hex import DIRECTIONS, distance, doubled, hexagon, ring, step

ROWS = {"A": 5, "B": 6, "C": 7, "D": 8, "E": 9, "F": 8, "G": 7, "H": 6, "I": 5}
DRAWN = {f"{row}{n + 1}": (2 * n - count + 1, y) for y, (row, count) in enumerate(ROWS.items()) for n in range(count)}
"""Cell -> where it is drawn: half cells to the right of the middle, rows from the top."""
AT = {place: cell for cell, place in DRAWN.items()}
STEPS = ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1))
"""East, and on against the clock."""


def near(cell: str) -> set[str]:
    x, y = DRAWN[cell]
    return {AT[x + dx, y + dy] for dx, dy in STEPS if (x + dx, y + dy) in AT}


def walked(start: str) -> dict[str, int]:
    """Fewest steps from a cell to every other."""
    far = {start: 0}
    edge = [start]
    while edge:
        cell = edge.pop(0)
        for other in near(cell) - set(far):
            far[other] = far[cell] + 1
            edge.append(other)
    return far


def test_sixty_one_cells_in_nine_rows():
    """1: rows A to I with 5 6 7 8 9 8 7 6 5 cells; A3 the middle of the top row, E9 the right end, I1 bottom left."""
    assert BOARD.rows == ROWS and list(BOARD.axial) == list(DRAWN) and len(BOARD.axial) == 61
    assert BOARD.axial["E5"] == (0, 0) and BOARD.axial["A3"] == (2, -4)
    assert BOARD.axial["E9"] == (4, 0) and BOARD.axial["I1"] == (-4, 4)


def test_every_cell_round_trips():
    """1: from name to coordinates and back, and drawn where the drawing has it; as typed in any case."""
    for cell in DRAWN:
        at = BOARD.axial[cell]
        assert BOARD.names[at] == cell
        assert (doubled(at)[0], doubled(at)[1] + 4) == DRAWN[cell]
        assert read_cell(cell.lower()) == read_cell(f" {cell[0]} 0{cell[1]}") == cell


def test_neighbours_and_distances_of_every_cell():
    """1, HX-20: neighbours share an edge, the edge of the board gives none; distances are fewest steps."""
    for cell in DRAWN:
        assert set(BOARD.neighbours(cell)) == near(cell) and len(BOARD.neighbours(cell)) == len(near(cell))
        far = walked(cell)
        assert {other: BOARD.distance(cell, other) for other in DRAWN} == far


def test_lines_of_every_cell():
    """3.2: six straight lines; what lies between two cells of one, in order, and nothing for cells of none."""
    for cell in DRAWN:
        found = {}
        for dx, dy in STEPS:
            x, y = DRAWN[cell]
            passed: list[str] = []
            while (x := x + dx, y := y + dy) in AT:
                found[AT[x, y]] = tuple(passed)
                passed.append(AT[x, y])
        assert {other: BOARD.between(cell, other) for other in DRAWN} == {other: found.get(other) for other in DRAWN}


def test_rings():
    """1: rings 0 to 4 hold 1, 6, 12, 18, 24 cells, 1 7 19 37 61 in all."""
    far = walked("E5")
    assert {cell: BOARD.ring(cell) for cell in DRAWN} == far
    assert Counter(far.values()) == {0: 1, 1: 6, 2: 12, 3: 18, 4: 24}
    assert [len(BOARD.within(radius)) for radius in range(5)] == [1, 7, 19, 37, 61]
    assert [set(BOARD.within(radius)) for radius in range(5)] == [
        {cell for cell, n in far.items() if n <= radius} for radius in range(5)
    ]


def test_directions_are_sixths_of_a_turn():
    """1: E(1,0) NE(1,-1) NW(0,-1) W(-1,0) SW(-1,1) SE(0,1): each is the one before, turned by a sixth."""
    listed = [*DIRECTIONS.values()]
    assert [doubled(direction) for direction in listed] == [*STEPS]
    assert all(distance((0, 0), direction) == 1 for direction in listed)
    assert all((x + z, -x) == after for (x, z), after in zip(listed, [*listed[1:], listed[0]], strict=True))


@pytest.mark.parametrize("side", [1, 2, 3, 6])
def test_boards_of_other_sides(side):
    """A hexagon of side n holds 3n(n-1)+1 cells, all of them within its outermost ring."""
    board = hexagon(side)
    assert len(board.axial) == len(board.names) == 3 * side * (side - 1) + 1 == sum(board.rows.values())
    assert {ring(at) for at in board.axial.values()} == set(range(side))
    assert step((0, 0), DIRECTIONS["E"], side - 1) in board.names
