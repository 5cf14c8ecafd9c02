"""What a report is made of. Blocks say what; the renderers in `ledger/render/` alone say how.

Every `str` in a block is escaped by the renderer for its sink; nothing in a report is markup. Emphasis and instants
are values of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from events.instants import Instant
from events.record import NamedTuple


class Strong(NamedTuple):
    text: str


class When(NamedTuple):
    """An instant: each renderer shows it its own way (Discord: every reader's own zone and "in 3 hours")."""

    at: Instant


class Emoji(NamedTuple):
    """A custom emoji of the season's server (`<:garnet:123456789012345678>`), or "".

    A renderer that can show it adds a space after it; others leave it out. The text means the same without it.
    """

    code: str


EMOJI_PATTERN = r"<a?:[A-Za-z0-9_]{2,32}:[0-9]{15,20}>"
"""The only form of an emoji that is ever sent: it can neither ping nor link."""
Span: TypeAlias = str | Strong | When | Emoji
Line: TypeAlias = str | tuple[Span, ...]


class Heading(NamedTuple):
    text: str
    level: int = 1


class Text(NamedTuple):
    spans: tuple[Span, ...]


class Table(NamedTuple):
    """Rows under column names. The renderer aligns the cells, the columns in `numbers` to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


class Items(NamedTuple):
    items: tuple[tuple[Span, ...], ...]


class Cell(NamedTuple):
    """A cell of a board, in doubled coordinates: neighbours in a row are 2 apart in `x`, rows are 1 apart in `y`.

    `shade` names an entry of the board's legend ("" for none).
    """

    name: str
    x: int
    y: int
    shade: str = ""


class Piece(NamedTuple):
    """A piece on a cell, drawn as a short tag in a shape. `colour` is an index into the palette, the same for one
    owner."""

    cell: str
    tag: str
    shape: Literal["circle", "square"]
    colour: int
    marked: bool = False


class Board(NamedTuple):
    """A picture of cells and the pieces on them.

    Args:
        alt: What the picture shows, in words, for those who cannot see it; no more than the picture tells.
        legend: (mark, its meaning). A mark is drawn as it looks on the board if it is the `shade` of a cell, `circle`,
            `square`, `marked` or the tag of a piece; any other is written as text.
    """

    alt: str
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    legend: tuple[tuple[str, str], ...] = ()
    shape: Literal["hexagon", "square"] = "hexagon"
    """The shape of the cells."""


class Series(NamedTuple):
    """One line of a chart: a value for each label. `colour` is an index into the palette."""

    name: str
    values: tuple[int, ...]
    colour: int


class Chart(NamedTuple):
    """A chart of how numbers developed: a line for each series over common labels.

    Args:
        alt: What the picture shows, in words; no more than the picture tells.
        across: What the labels are, like `round`.
        up: What the values are, like `points`.
    """

    alt: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    across: str = ""
    up: str = ""


Block: TypeAlias = Heading | Text | Table | Items | Board | Chart


def text(*spans: Span) -> Text:
    return Text(spans)


def items(*lines: Line) -> Items:
    return Items(tuple((line,) if isinstance(line, str) else line for line in lines))


def listing(lines: Iterable[Line], title: str = "") -> list[Block]:
    """A list of these lines under a title; empty if there are no lines."""
    block = items(*lines)
    return [*([Heading(title, 2)] if title else []), block] if block.items else []


class Notice(NamedTuple):
    """What a viewer is told: sentences about what happened, and blocks below them, such as where they stand now."""

    lines: tuple[tuple[Span, ...], ...] = ()
    below: tuple[Block, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.below)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (Items(self.lines), *self.below) if self.lines else self.below


def notice(*lists: Iterable[Line], below: Iterable[Block] = ()) -> Notice:
    """A notice of these lists: the first that is not empty has its sentences, the others go below."""
    first, *others = [block for lines in lists if (block := items(*lines)).items] or [Items(())]
    return Notice(first.items, (*others, *below))
