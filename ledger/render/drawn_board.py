"""A board as a drawing: cells of six or four sides with their names, pieces with tags, and what the marks mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from games.kit.blocks import Board, Piece
from ledger.render.figures import shade_numbers
from ledger.render.font import width, wrap
from ledger.render.ink import COLOURS, MARGIN, SHADES, SMALL, WIDTH, Drawing, label, px

MAX_CELL_WIDTH = 44.0
"""Cells of a small board are not enlarged beyond this."""
LINE_HEIGHT = 15.0
"""Height of a line of the legend."""
SWATCH = 18.0
"""Room for a mark of the legend."""
GAP = 12.0
"""Between two entries of the legend."""


def _frame(board: Board) -> tuple[dict[str, tuple[float, float]], float, float]:
    """Where the cells are: the middle of each, the height of all, and the length that sizes go by."""
    square = board.shape == "square"
    left, top = min(cell.x for cell in board.cells), min(cell.y for cell in board.cells)
    columns = (max(cell.x for cell in board.cells) - left) / 2 + 1
    rows = max(cell.y for cell in board.cells) - top
    wide = min((WIDTH - 2 * MARGIN) / columns, MAX_CELL_WIDTH)
    side = wide / math.sqrt(3)
    down, first = (wide, wide / 2) if square else (1.5 * side, side)
    indent = (WIDTH - wide * columns) / 2
    centres = {
        cell.name: (indent + wide * ((cell.x - left) / 2 + 0.5), first + down * (cell.y - top)) for cell in board.cells
    }
    return centres, down * rows + 2 * first, side


def drawing(board: Board) -> Drawing:
    """The board with its legend below."""
    if not board.cells:
        return Drawing("", 0)
    centres, height, side = _frame(board)
    standing: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        standing.setdefault(piece.cell, []).append(piece)
    shades = shade_numbers(board)
    layers = _ground(board, centres, side, shades)
    layers += [_name(cell.name, *centres[cell.name], side, standing.get(cell.name, ())) for cell in board.cells]
    for cell, pieces in standing.items():
        layers += _pieces(pieces, *centres[cell], side)
    legend = _legend(board, shades, height + 6)
    return Drawing("".join(layers) + legend.body, height + legend.height)


def _edge(shape: str) -> Callable[[float, float, float], str]:
    return _square if shape == "square" else _hexagon


def _hexagon(x: float, y: float, side: float) -> str:
    half, flank = px(side * math.sqrt(3) / 2), px(side / 2)
    return f"M{px(x)} {px(y - side)}l{half} {flank}v{px(side)}l-{half} {flank}l-{half} -{flank}v{px(-side)}z"


def _square(x: float, y: float, side: float) -> str:
    half = side * math.sqrt(3) / 2
    return f"M{px(x - half)} {px(y - half)}h{px(2 * half)}v{px(2 * half)}h{px(-2 * half)}z"


def _ground(board: Board, centres: dict[str, tuple[float, float]], side: float, shades: dict[str, int]) -> list[str]:
    """The cells, one path for each look; shaded ones last, so that their edges are whole."""
    edge, looks = _edge(board.shape), dict[str, list[str]](cell=[])
    for cell in board.cells:
        look = f"s{shades[cell.shade] % SHADES}" if cell.shade else "cell"
        looks.setdefault(look, []).append(edge(*centres[cell.name], side - 0.7))
    return [f'<path class="{look}" d="{"".join(paths)}"/>' for look, paths in looks.items() if paths]


def _name(name: str, x: float, y: float, side: float, pieces: Sequence[Piece]) -> str:
    """The name of a cell: in its middle, or above its pieces, with a star if one of them is marked."""
    if not pieces:
        return label(x, y + side * 0.2, side * 0.55, name, "pd", "middle")
    size = side * 0.42
    if not any(piece.marked for piece in pieces):
        return label(x, y - side * 0.51, size, name, "pd", "middle")
    half = (width(name, size) + size) / 2
    return label(x - half, y - side * 0.51, size, name, "pt") + _star(x + half - size / 2, y - side * 0.66, size * 0.6)


def _pieces(pieces: Sequence[Piece], x: float, y: float, side: float) -> list[str]:
    """The pieces of one cell: one in its middle, several side by side in rows, as large as there is room."""
    y += side * 0.22
    across = math.ceil(math.sqrt(len(pieces)))
    step = side * 1.3 / across
    shapes = []
    for i, piece in enumerate(pieces):
        row, column = divmod(i, across)
        down = (row - (math.ceil(len(pieces) / across) - 1) / 2) * step * 0.85
        shapes.append(_piece(piece, x + (column - (across - 1) / 2) * step, y + down, side / across))
    return shapes


def _piece(piece: Piece, x: float, y: float, side: float) -> str:
    colour = piece.colour % COLOURS
    radius = side * (0.5 if piece.marked else 0.56)
    parts = [_shape(piece.shape, x, y, radius, f'class="c{colour}"')]
    if piece.marked:
        parts.append(_shape(piece.shape, x, y, side * 0.6, f'class="mark" stroke-width="{px(side * 0.1)}"'))
    size = side * 0.64
    size *= min(1, radius * 1.7 / max(width(piece.tag, size), 1))
    parts.append(label(x, y + size * 0.36, size, piece.tag, f"i{colour}", "middle"))
    return "".join(parts)


def _shape(shape: str, x: float, y: float, radius: float, look: str) -> str:
    if shape == "circle":
        return f'<circle {look} cx="{px(x)}" cy="{px(y)}" r="{px(radius)}"/>'
    half = radius * 0.88
    return f'<rect {look} x="{px(x - half)}" y="{px(y - half)}" width="{px(2 * half)}" height="{px(2 * half)}"/>'


def _star(x: float, y: float, radius: float) -> str:
    points = []
    for i in range(10):
        far = radius if i % 2 == 0 else radius * 0.45
        turn = math.pi * (i / 5 - 0.5)
        points.append(f"{px(x + far * math.cos(turn))},{px(y + far * math.sin(turn))}")
    return f'<polygon class="star" stroke-width="0.8" points="{" ".join(points)}"/>'


def _legend(board: Board, shades: dict[str, int], top: float) -> Drawing:
    """The entries side by side as far as they have room; a long one takes lines of its own."""
    tags = {piece.tag: piece.colour % COLOURS for piece in board.pieces}
    parts: list[str] = []
    x, y = float(MARGIN), top
    for mark, meaning in board.legend:
        sample = _sample(mark, shades, tags, board.shape)
        start = SWATCH if sample else width(mark, SMALL) + 6
        lines = wrap(meaning, SMALL, WIDTH - 2 * MARGIN - start) or [""]
        whole = start + max(width(line, SMALL) for line in lines)
        if x > MARGIN and x + whole > WIDTH - MARGIN:
            x, y = float(MARGIN), y + LINE_HEIGHT
        at = f'<g transform="translate({px(x + 7)} {px(y + LINE_HEIGHT / 2)})">{sample}</g>'
        parts.append(at if sample else label(x, y + LINE_HEIGHT / 2 + 3.6, SMALL, mark))
        parts += [label(x + start, y + LINE_HEIGHT * (i + 0.5) + 3.6, SMALL, line) for i, line in enumerate(lines)]
        x += whole + GAP
        if len(lines) > 1:
            x, y = float(MARGIN), y + LINE_HEIGHT * len(lines)
    if not parts:
        return Drawing("", 0)
    return Drawing("".join(parts), y + (LINE_HEIGHT if x > MARGIN else 0) - top)


def _sample(mark: str, shades: dict[str, int], tags: dict[str, int], shape: str) -> str:
    """What the mark looks like on the board, small, around the origin; "" where it is only a word."""
    if mark in shades:
        return f'<path class="s{shades[mark] % SHADES}" d="{_edge(shape)(0, 0, 6.5)}"/>'
    if mark in ("circle", "square"):
        return _shape(mark, 0, 0, 5, 'class="shape"')
    if mark == "marked":
        return _star(0, 0, 6)
    if mark in tags:
        shape = f'<rect class="c{tags[mark]}" x="-8" y="-6" width="16" height="12" rx="3"/>'
        size = min(8.0, 8 * 14 / max(width(mark, 8), 1))
        return shape + label(0, size * 0.36, size, mark, f"i{tags[mark]}", "middle")
    return ""
