"""Boards and charts for the tests of pictures, and what can be read off a drawn one."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.kit.blocks import Board, Cell, Chart, Piece, Series
from ledger.render.svg import advance

ROWS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
"""Cells in each row of the board of side 5. Source: rules of Hex Parties, section 1."""
PLAYERS = ("Ann", "Bob", "Cyd", "Dev", "Eve", "Fay")
TEMPLATE = ("A2", "A4", "B6", "D8", "F8", "H6", "I4", "I2", "H1", "F1", "D1", "B1")
CLUSTER = ("E5", "E4", "D4", "D5", "F4", "F5", "E6", "E7", "D6", "D3", "F6", "F3")
SVG = "{http://www.w3.org/2000/svg}"


def cells(radius: int = -1, shade: str = "near") -> tuple[Cell, ...]:
    """All 61 cells; those within `radius` of the middle are shaded."""
    found = []
    for row, size in enumerate(ROWS):
        z = row - 4
        for k in range(size):
            x = max(-4, -4 - z) + k
            inside = max(abs(x), abs(z), abs(x + z)) <= radius
            found.append(Cell(f"{'ABCDEFGHI'[row]}{k + 1}", 2 * x + z, row, shade if inside else ""))
    return tuple(found)


def board(
    where: Sequence[str], *, radius: int = -1, marked: Sequence[str] = (), names: Sequence[str] = PLAYERS
) -> Board:
    """Two pieces a player on these cells, the first of them a circle."""
    pieces = [
        Piece(cell, names[i // 2][:2], "circle" if i % 2 == 0 else "square", i // 2, cell in marked)
        for i, cell in enumerate(where)
    ]
    owners = tuple((name[:2], name) for name in names)
    shade = (("near", "Ann can end the match from here"),) if radius >= 0 else ()
    legend = (("circle", "odd"), ("square", "even"), ("marked", "scored"), *shade, *owners)
    return Board("Ann: odd on E5, even on E4.", cells(radius), tuple(pieces), legend)


SPREAD = board(TEMPLATE, radius=0)
PARTY = board(CLUSTER, radius=2, marked=CLUSTER[::2])
CHART = Chart(
    "Points after each round.",
    tuple(str(i) for i in range(1, 10)),
    tuple(Series(name, tuple((i + 1) * k // 2 - i for k in range(1, 10)), i) for i, name in enumerate(PLAYERS)),
    "round",
    "points",
)


class Box(NamedTuple):
    """Where a text stands: its font's capitals and its width, in the units of the picture."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def boxes(svg: str) -> list[Box]:
    """Every text of one picture, by the metrics of the bundled font."""

    def walk(element: ET.Element, x: float, y: float) -> Iterator[Box]:
        moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag == f"{SVG}text":
            size, text = float(element.get("font-size", "0")), element.text or ""
            wide = advance(text, size)
            left = (
                x
                + float(element.get("x", "0"))
                - wide * {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0)
            )
            base = y + float(element.get("y", "0"))
            yield Box(text, left, base - 0.73 * size, left + wide, base)
        for child in element:
            yield from walk(child, x, y)

    return list(walk(ET.fromstring(svg), 0, 0))


def size(svg: str) -> tuple[float, float]:
    """Width and height of a picture in its own units."""
    _, _, wide, high = ET.fromstring(svg).get("viewBox", "").split()
    return float(wide), float(high)


def faults(svg: str) -> list[str]:
    """Texts that leave the frame or run into each other."""
    wide, high = size(svg)
    found = boxes(svg)
    out = [
        f"{b.text!r} leaves the frame" for b in found if b.left < 0 or b.top < 0 or b.right > wide or b.bottom > high
    ]
    pairs = ((a, b) for i, a in enumerate(found) for b in found[i + 1 :])
    return out + [f"{a.text!r} meets {b.text!r}" for a, b in pairs if a.meets(b)]
