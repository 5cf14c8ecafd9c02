"""Blocks as text for a terminal or a file; boards and charts are drawn with characters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.kinds import grouped
from games.kit.blocks import Block, Board, Cell, Chart, Heading, Items, Piece, Span, Table, Text
from ledger.core.times import show_time
from ledger.render import scripts
from ledger.render.safe import PlainText, in_spans, joined, plain_text
from ledger.render.scripts import columns, cut, ljust

BARS = "▁▂▃▄▅▆▇█"
MARKED = "*"
SHAPES = {("circle", False): "○", ("circle", True): "●", ("square", False): "□", ("square", True): "■"}
"""For a phone: (shape, whether it is marked) -> its sign, one column wide in every font that Discord uses."""
SHADES = "+=~"
"""The signs for shaded cells; a fourth shade looks like the first."""


def shade_numbers(board: Board) -> dict[str, int]:
    """Shade -> its number, in the order of the legend."""
    used = {cell.shade for cell in board.cells if cell.shade}
    in_legend = [mark for mark, _ in board.legend if mark in used]
    return {shade: i for i, shade in enumerate([*in_legend, *sorted(used - {*in_legend})])}


def sparklines(chart: Chart) -> list[tuple[str, str, str]]:
    """(name, one bar per label, last value) for each series; all series share one scale.

    >>> from games.kit.blocks import Series
    >>> sparklines(Chart("", ("1", "2"), (Series("Ann", (0, 7), 0), Series("Bob", (-7, 0), 1))))
    [('Ann', '▄█', '7'), ('Bob', '▁▄', '0')]
    """
    values = [value for series in chart.series for value in series.values]
    low, high = min(values, default=0), max(values, default=0)
    span = max(high - low, 1)
    lines = []
    for series in chart.series:
        bars = "".join(BARS[(value - low) * (len(BARS) - 1) // span] for value in series.values)
        lines.append((series.name, bars, str(series.values[-1]) if series.values else ""))
    return lines


def board_lines(board: Board, *, wide: bool) -> list[str]:
    """The board, row by row.

    Args:
        wide: For a terminal: each empty cell by its name, `(An)` for a circle, `[An]` for a square. Otherwise for a
            phone, with three columns per cell: `○An` and `□An`, filled if marked, or the number of an empty cell, with
            the letters of the rows at the left. Lines below the board list the pieces of a cell with several, whose
            number the cell shows, and shades under pieces.
    """
    standing = grouped((piece.cell, piece) for piece in board.pieces)
    signs = shade_signs(board)
    min_x = min((cell.x for cell in board.cells), default=0)
    rows = grouped((cell.y, cell) for cell in board.cells)
    initials = {y: {cell.name[:1] for cell in cells} for y, cells in rows.items()}
    letters = {y: f"{letter} " for y, (letter, *more) in initials.items() if not more}  # in front of each row
    if len(set(letters.values())) < len(rows):
        letters = {}
    texts = {cell.name: _cell_text(cell, standing.get(cell.name, ()), signs, wide=wide) for cell in board.cells}
    if letters and not wide:
        empty = [cell.name for cell in board.cells if cell.name not in standing]
        texts |= {name: f" {name[1:]}{texts[name].strip('·')}" for name in empty}
    room = max(8, *(columns(text) + 1 for text in texts.values())) / 2 if wide else 1.5
    lines = []
    for y in sorted(rows):
        line = "" if wide else letters.get(y, "")
        start = len(line)
        for cell in sorted(rows[y], key=lambda cell: cell.x):
            line = ljust(line, start + int((cell.x - min_x) * room)) + texts[cell.name]
        lines.append(line.rstrip())
    shades = {cell.name: signs.get(cell.shade, "") for cell in board.cells}
    for name, pieces in standing.items():
        if not wide and (len(pieces) > 1 or shades[name]):
            lines.append(f"{name}{shades[name]}: {' '.join(map(_tag, pieces))}")
    return lines


def legend(board: Board, *, wide: bool) -> list[tuple[str, str]]:
    looks = {"circle": "( )", "square": "[ ]", "marked": MARKED, **shade_signs(board)}
    if not wide:
        looks |= {"circle": "○", "square": "□", "marked": "● ■"}
    return [(looks.get(mark, mark), meaning) for mark, meaning in board.legend]


def shade_signs(board: Board) -> dict[str, str]:
    return {shade: SHADES[i % len(SHADES)] for shade, i in shade_numbers(board).items()}


def _tag(piece: Piece) -> str:
    return SHAPES[piece.shape, piece.marked] + cut(piece.tag, 2)


def _cell_text(cell: Cell, pieces: Sequence[Piece], signs: dict[str, str], *, wide: bool) -> str:
    sign = signs.get(cell.shade, "")
    if not pieces:
        return f" {cell.name}{sign}" if wide else sign or "·"
    marks = [MARKED if piece.marked else "" for piece in pieces]
    if wide:
        shapes = [f"({cut(p.tag, 2)})" if p.shape == "circle" else f"[{cut(p.tag, 2)}]" for p in pieces]
        return "".join(shape + mark for shape, mark in zip(shapes, marks, strict=True)) + sign
    return f"{len(pieces)}{max(marks)}" if len(pieces) > 1 else _tag(pieces[0])


MIN_CELL_COLUMNS = 24
"""The widest column of a table is never made narrower than this; the table becomes a list instead."""


def render(blocks: Sequence[Block], zone: str, width: int | None = None) -> PlainText:
    """Blocks as text, with an empty line between them and no line end after the last.

    Args:
        width: The width of the terminal; None does not wrap. A wider table gets cells of several lines, or becomes a
            list; a wider board is drawn as for a phone.
    """
    return joined((PlainText(_block(block, zone, width)) for block in blocks), "\n\n")


def unlisted(blocks: Sequence[Block], zone: str) -> list[PlainText]:
    return [PlainText(line.removeprefix("- ")) for line in render(blocks, zone).splitlines()]


def wrapped(line: str, width: int | None, indent: str) -> list[str]:
    """Wrap a line into pieces of at most `width` columns. Longer words are broken, except addresses, paths and hashes.

    An isolated name of several words stays isolated in each piece.

    >>> wrapped("you gave R2 and received B4", 20, "  ")
    ['you gave R2 and', '  received B4']
    """
    if width is None or scripts.columns(line) <= width:
        return [line]
    pieces, current = [], ""
    unbreakable = r"https?://|<t:|[0-9a-f]{64}|(?:^|\s)(?:~|[A-Za-z]:)?[/\\]\S+"
    for word in re.findall(r"\s*\S+", line):
        if current.strip() and scripts.columns(current) + scripts.columns(word) > width:
            pieces.append(current)
            current, word = indent, word.lstrip()
        current += word
        while scripts.columns(current) > width and not re.search(unbreakable, current):
            pieces.append(piece := scripts.cut(current, width))
            current = indent + current[len(piece.rstrip(scripts.PDI)) :]
    return [scripts.isolated(scripts.without_isolates(piece)) for piece in (*pieces, current)]


def _block(block: Block, zone: str, width: int | None) -> str:
    match block:
        case Heading():
            line = plain_text(block.text).replace("\n", " ")
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
            lines = board_lines(block, wide=True)
            wide = width is None or max(map(scripts.columns, lines), default=0) <= width
            marks = " · ".join(f"{mark} {meaning}" for mark, meaning in legend(block, wide=wide))
            rows = lines if wide else board_lines(block, wide=False)
            return "\n".join([*map(plain_text, rows), *([_fitted(plain_text(marks), width)] if marks else [])])
        case Chart():
            return table(("", "", ""), sparklines(block), (2,)).partition("\n")[2].partition("\n")[2]


def _fitted(text: str, width: int | None, indent: str = "") -> str:
    return "\n".join(piece for line in text.split("\n") for piece in wrapped(line, width, indent))


def sentence(spans: Sequence[Span], zone: str) -> str:
    return in_spans(spans, plain_text, lambda at: show_time(at, zone))


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = (), width: int | None = None
) -> PlainText:
    """Rows under their header, within `width` columns. Cells are never parsed as numbers: 007 stays 007."""
    names, *cells = [[plain_text(cell).replace("\n", " ") for cell in row] for row in (header, *rows)]
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
    """A row of a table as a list item; a cell that is a sentence goes without the name of its column."""
    others = zip(names[1:], row[1:], strict=True)
    parts = [value if value.endswith(".") else f"{column} {value}".strip() for column, value in others if value]
    return " · ".join([f"- {row[0]}", *parts])


def _grid(names: Sequence[str], cells: Sequence[Sequence[str]], numbers: Sequence[int]) -> PlainText:
    import tabulate  # heavy, and only needed for tables

    tabulate.WIDE_CHARS_MODE = True
    tabulate.wcwidth = scripts  # type: ignore[attr-defined]  # it then takes column widths from this module
    align = ["right" if i in numbers else "left" for i in range(len(names))]
    grid = tabulate.tabulate(cells, headers=names, tablefmt="simple", disable_numparse=True, colalign=align)
    return PlainText("\n".join(line.rstrip() for line in grid.splitlines()))
