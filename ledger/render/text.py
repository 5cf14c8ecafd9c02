"""Plain text for a terminal: nothing in it moves a cursor, tables are aligned, instants are in the match's zone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.kit.blocks import Block, Board, Chart, Heading, Items, Span, Table, Text
from ledger.core.times import show_time
from ledger.render import figures, scripts
from ledger.render.safe import PlainText, in_spans, joined, plain_text

escape = plain_text


_UNBREAKABLE = r"https?://|<t:|[0-9a-f]{64}|(?:^|\s)(?:~|[A-Za-z]:)?[/\\]\S+"
"""A word that is never broken: an address, a hash, a path."""
MIN_CELL_COLUMNS = 24
"""The widest cells of a table are not made narrower than this; the table becomes a list instead."""


def render(blocks: Sequence[Block], zone: str, width: int | None = None) -> PlainText:
    """Blocks as text, one empty line between them, no line end at the end.

    Args:
        width: Of the terminal. None does not wrap. A table that is wider has cells of several lines, or becomes a list;
            a board that is wider is drawn as for a phone.
    """
    return joined((PlainText(_block(block, zone, width)) for block in blocks), "\n\n")


def unlisted(blocks: Sequence[Block], zone: str) -> list[PlainText]:
    """The lines of blocks, without the dashes of lists."""
    return [PlainText(line.removeprefix("- ")) for line in render(blocks, zone).splitlines()]


def wrapped(line: str, width: int | None, indent: str) -> list[str]:
    """A line in pieces of at most so many columns. Words that are longer are broken, but for addresses and hashes.

    A name of several words that is isolated stays isolated in each piece.

    >>> wrapped("you gave R2 and received B4", 20, "  ")
    ['you gave R2 and', '  received B4']
    """
    if width is None or scripts.columns(line) <= width:
        return [line]
    pieces, current = [], ""
    for word in re.findall(r"\s*\S+", line):
        if current.strip() and scripts.columns(current) + scripts.columns(word) > width:
            pieces.append(current)
            current, word = indent, word.lstrip()
        current += word
        while scripts.columns(current) > width and not re.search(_UNBREAKABLE, current):
            pieces.append(piece := scripts.cut(current, width))
            current = indent + current[len(piece.rstrip(scripts.PDI)) :]
    return [scripts.isolated(scripts.without_isolates(piece)) for piece in (*pieces, current)]


def _block(block: Block, zone: str, width: int | None) -> str:
    match block:
        case Heading():
            line = escape(block.text).replace("\n", " ")
            underlined = min(scripts.columns(line), width or scripts.columns(line))
            return _fitted(f"{line}\n{'=' * underlined}" if block.level == 1 else f"{line}:", width)
        case Text():
            return _fitted(sentence(block.spans, zone), width)
        case Items():
            items = ("- " + sentence(spans, zone).replace("\n", "\n  ") for spans in block.items)
            return "\n".join(_fitted(item, width, "  ") for item in items)
        case Table():
            return table(block.header, block.rows, block.numbers, width)
        case Board():
            lines = figures.board_lines(block, wide=True)
            wide = width is None or max(map(scripts.columns, lines), default=0) <= width
            marks = " · ".join(f"{mark} {meaning}" for mark, meaning in figures.legend(block, wide=wide))
            rows = lines if wide else figures.board_lines(block, wide=False)
            return "\n".join([*map(escape, rows), *([_fitted(escape(marks), width)] if marks else [])])
        case Chart():
            return table(("", "", ""), figures.sparklines(block), (2,)).partition("\n")[2].partition("\n")[2]


def _fitted(text: str, width: int | None, indent: str = "") -> str:
    return "\n".join(piece for line in text.split("\n") for piece in wrapped(line, width, indent))


def sentence(spans: Sequence[Span], zone: str) -> str:
    """The parts of a sentence as one text."""
    return in_spans(spans, escape, lambda at: show_time(at, zone))


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (), width: int | None = None
) -> PlainText:
    """Rows under their header, in so many columns. Nothing is taken for a number: 007 stays 007."""
    names, *cells = [[escape(cell).replace("\n", " ") for cell in row] for row in (header, *rows)]
    grid = _grid(names, cells, numbers)
    if width is None or _columns(grid) <= width:
        return grid
    sizes = [max(map(scripts.columns, column)) for column in zip(names, *cells, strict=True)]
    widest = sizes.index(max(sizes))
    room = sizes[widest] - (_columns(grid) - width)
    if room >= MIN_CELL_COLUMNS:
        for row in cells:
            row[widest] = _fitted(row[widest], room)
        return _grid(names, cells, numbers)
    return PlainText("\n".join(_fitted(_paragraph(names, row), width, "  ") for row in cells))


def _columns(grid: str) -> int:
    return max(map(scripts.columns, grid.splitlines()), default=0)


def _paragraph(names: Sequence[str], row: Sequence[str]) -> str:
    """A row of a table as an item of a list; a sentence stands without the name of its column."""
    others = zip(names[1:], row[1:], strict=True)
    parts = [value if value.endswith(".") else f"{column} {value}".strip() for column, value in others if value]
    return " · ".join([f"- {row[0]}", *parts])


def _grid(names: Sequence[str], cells: Sequence[Sequence[str]], numbers: Sequence[int]) -> PlainText:
    import tabulate  # heavy, and only needed where there is a table

    tabulate.WIDE_CHARS_MODE = True
    tabulate.wcwidth = scripts  # type: ignore[attr-defined]  # it asks this module for columns
    align = ["right" if i in numbers else "left" for i in range(len(names))]
    grid = tabulate.tabulate(cells, headers=names, tablefmt="simple", disable_numparse=True, colalign=align)
    return PlainText("\n".join(line.rstrip() for line in grid.splitlines()))
