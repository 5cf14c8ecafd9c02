"""Pictures without a picture: boards and charts as lines of characters, for a terminal and inside a fence.

Names are returned as they are: whoever prints them escapes them for its sink.
"""

from __future__ import annotations

from games.kit.blocks import Board, Chart

BARS = "▁▂▃▄▅▆▇█"


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


def board_lines(board: Board) -> list[str]:
    """The board row by row: a cell is three columns, `·` where nothing stands; a square's tag is in small letters."""
    standing = {piece.cell: piece for piece in board.pieces}
    left = min((cell.x for cell in board.cells), default=0)
    rows: dict[int, dict[int, str]] = {}
    for cell in board.cells:
        piece = standing.get(cell.name)
        word = "·" if piece is None else piece.tag[:2].upper() if piece.shape == "circle" else piece.tag[:2].lower()
        rows.setdefault(cell.y, {})[(cell.x - left) * 3 // 2] = word
    lines = []
    for y in sorted(rows):
        line = ""
        for at, word in sorted(rows[y].items()):
            line = line.ljust(at) + word
        lines.append(line)
    return lines
