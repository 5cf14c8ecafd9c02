"""Boards and charts as lines of characters, for a terminal and inside a fence.

Names are returned unescaped: the renderer escapes them for its sink.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.kit.blocks import Board, Cell, Chart, Piece
from ledger.render.scripts import columns, cut, ljust

BARS = "▁▂▃▄▅▆▇█"
MARKED = "*"
SHAPES = {("circle", False): "○", ("circle", True): "●", ("square", False): "□", ("square", True): "■"}
"""For a phone: (shape, is it marked?) -> its sign, one column wide in every font that Discord uses."""
SHADES = "+=~"
"""The sign at a shaded cell; a fourth shade looks like the first."""


def shade_numbers(board: Board) -> dict[str, int]:
    """Shade -> its number, in the order of the legend."""
    used = {cell.shade for cell in board.cells if cell.shade}
    in_legend = [mark for mark, _ in board.legend if mark in used]
    return {shade: i for i, shade in enumerate([*in_legend, *sorted(used - {*in_legend})])}


def sparklines(chart: Chart) -> list[tuple[str, str, str]]:
    """(name, one bar a label, last value) for each series; all series share one scale.

    >>> from games.kit.blocks import Series
    >>> sparklines(Chart("", ("1", "2"), (Series("Ann", (0, 7), 0), Series("Bob", (-7, 0), 1))))
    [('Ann', '▄█', '7'), ('Bob', '▁▄', '0')]
    """
    values = [value for series in chart.series for value in series.values]
    low, high = min(values, default=0), max(values, default=0)
    span = max(high - low, 1)

    def bar(value: int) -> str:
        return BARS[(value - low) * (len(BARS) - 1) // span]

    return [
        (series.name, "".join(bar(value) for value in series.values), str(series.values[-1]) if series.values else "")
        for series in chart.series
    ]


def board_lines(board: Board, *, wide: bool) -> list[str]:
    """The board row by row.

    Args:
        wide: For a terminal: every cell by its name, `(An)` for a circle, `[An]` for a square. Otherwise for a phone,
            three columns a cell: `○An` and `□An`, filled where marked; where nothing stands the number of the cell,
            the letter of its row at the left. Below the board stands what a cell has no room for: several pieces, of
            which it shows how many, and a shade under a piece.
    """
    standing: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        standing.setdefault(piece.cell, []).append(piece)
    signs = shade_signs(board)
    min_x = min((cell.x for cell in board.cells), default=0)
    rows: dict[int, list[Cell]] = {}
    for cell in board.cells:
        rows.setdefault(cell.y, []).append(cell)
    letters = _row_letters(rows)
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
    """(mark as it looks among these characters, meaning)."""
    signs = shade_signs(board)
    looks = {"circle": "( )", "square": "[ ]", "marked": MARKED, **signs}
    if not wide:
        looks |= {"circle": "○", "square": "□", "marked": "● ■"}
    return [(looks.get(mark, mark), meaning) for mark, meaning in board.legend]


def shade_signs(board: Board) -> dict[str, str]:
    """Shade -> the sign that stands for it."""
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
    if len(pieces) > 1:
        return f"{len(pieces)}{max(marks)}"
    return _tag(pieces[0])


def _row_letters(rows: dict[int, list[Cell]]) -> dict[int, str]:
    """The letter that begins every name of a row, and of no other, with a space."""
    initials = {y: {cell.name[:1] for cell in cells} for y, cells in rows.items()}
    letters = {y: letter for y, row_initials in initials.items() if len(row_initials) == 1 for letter in row_initials}
    return {y: f"{letter} " for y, letter in letters.items()} if len(set(letters.values())) == len(rows) else {}
