"""Boards and charts as SVG, with one drawing in a dark and a light theme; and the width of a text before it is drawn.

The font is a subset of Inter SemiBold (SIL Open Font License, fonts/OFL.txt): Latin, Greek, Cyrillic, a few signs.
fonts/README.md says how it and its table of widths were made. Source: docs/decisions/0015-pictures-name-no-colours.md.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence

from events import Unreadable
from events.disk import folder_of, in_folder
from events.record import NamedTuple
from games.kinds import grouped
from games.kit.blocks import Block, Board, Chart, Heading, Piece, Series
from games.signs import is_pictograph
from ledger.core.inputs import read_bytes, read_text
from ledger.render.safe import plain_text
from ledger.render.scripts import columns, signs
from ledger.render.text import shade_numbers

FAMILY = "Inter SemiBold"
FILE = "Inter-SemiBold-subset.ttf"
WIDE_GUESS, NARROW_GUESS = 1.0, 0.75
"""Width, in font sizes, of a sign that the font lacks, for two columns and for one: few fonts draw it wider."""


def data() -> bytes:
    return read_bytes(in_folder(folder_of(__file__), "fonts", FILE))


@functools.cache
def metrics() -> tuple[int, dict[str, int]]:
    table = json.loads(read_text(in_folder(folder_of(__file__), "fonts", "widths.json")))
    return table["units"], table["widths"]


def width(text: str, size: float) -> float:
    """The width of the text at this font size, as it will be shown.

    >>> width("", 10)
    0.0
    >>> width("WW", 10) > width("ii", 10) > 0
    True
    """
    return advance(plain_text(text), size)


def advance(text: str, size: float) -> float:
    units, widths = metrics()
    parts = text if text.isascii() else (sign for sign, _ in signs(text))
    return sum(_sign_width(sign, widths, units) for sign in parts) * size / units


def _sign_width(sign: str, widths: dict[str, int], units: int) -> float:
    """The width of one sign with everything joined to it, in font units; a guess if the font lacks it."""
    if (exact := widths.get(sign)) is not None:
        return exact
    room = columns(sign)
    return units * (WIDE_GUESS * 1.3 if is_pictograph(sign[0]) else (0, NARROW_GUESS, WIDE_GUESS)[min(room, 2)])


def covers(text: str) -> bool:
    _, widths = metrics()
    return all(c in widths for c in text)


def clip(text: str, size: float, room: float) -> str:
    """As much of the text as fits, with `…` at the end if something is left out.

    >>> clip("Ann", 10, 100), clip("Bartholomew", 10, 30)
    ('Ann', 'Bart…')
    """
    if width(text, size) <= room:
        return text
    clipped = [sign for sign, _ in signs(text)]
    while clipped and width("".join(clipped) + "…", size) > room:
        clipped.pop()
    return "".join(clipped).rstrip() + "…"


def wrap(text: str, size: float, room: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size) <= room:
            lines[-1] = joined
        else:
            lines.append(clip(word, size, room))
    return lines


_MARKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def escape(text: str) -> str:
    """Escape any text for content or a quoted attribute: it opens no tag, closes no quote, names no entity.

    Invisible characters and those that change the direction of writing are shown as `<U+XXXX>`, as on a terminal.

    >>> escape("<script>'&amp;'\\u202e")
    '&lt;script&gt;&#39;&amp;amp;&#39;&lt;U+202E&gt;'
    """
    return plain_text(text).translate(_MARKS)


# ---- colours and other common parts of pictures ----------------------------------------------------------------------

WIDTH = 290
"""The width that Discord on a phone gives a picture."""
MARGIN = 10
TITLE = 12.0
SMALL = 10.0


class Theme(NamedTuple):
    paper: str
    edge: str
    text: str
    dim: str
    cell: str
    line: str
    shades: tuple[tuple[str, str], ...]
    """(fill, edge) of shaded cells; a fourth shade looks like the first."""
    colours: tuple[str, ...]
    inks: tuple[str, ...]


_BLACK, _WHITE = "#0b0b0d", "#ffffff"
DARK = Theme(
    paper="#1e1f22", edge="#4e5058", text="#f2f3f5", dim="#b5bac1", cell="#313338", line="#5c5f69",
    shades=(("#2f4a5c", "#7fb4d6"), ("#544a24", "#d2b85a"), ("#4a3050", "#c794d1")),
    colours=(
        "#bc9cff", "#02ff09", "#dfa67a", "#edfed6", "#e413b3", "#3776fe",
        "#a7fb77", "#ffd1ff", "#00bd07", "#b7666a", "#8cb2af", "#708632",
    ),
    inks=(_BLACK,) * 12,
)  # fmt: skip
LIGHT = Theme(
    paper="#ffffff", edge="#c4c9d4", text="#16171a", dim="#4e535c", cell="#eceef2", line="#8a909c",
    shades=(("#c9e2f3", "#34789f"), ("#f3e6b2", "#8f7415"), ("#ecd3f0", "#8c4a99")),
    colours=(
        "#fc4200", "#000084", "#520000", "#8272ba", "#bd7358", "#aa25dd",
        "#60474a", "#0405ff", "#640063", "#009994", "#040019", "#9f0c05",
    ),
    inks=(_BLACK, _WHITE, _WHITE, _BLACK, _BLACK, _WHITE, _WHITE, _WHITE, _WHITE, _BLACK, _WHITE, _WHITE),
)  # fmt: skip
COLOURS = len(DARK.colours)
SHADE_COUNT = len(DARK.shades)


class Drawing(NamedTuple):
    body: str
    height: float


def css(theme: Theme, scope: str = "") -> str:
    rules = [
        (".paper", f"fill:{theme.paper};stroke:{theme.edge}"),
        (".pt", f"fill:{theme.text}"),
        (".pd", f"fill:{theme.dim}"),
        (".cell", f"fill:{theme.cell};stroke:{theme.line}"),
        (".grid", f"stroke:{theme.line};fill:none"),
        (".zero", f"stroke:{theme.dim};fill:none"),
        (".mark", f"stroke:{theme.text};fill:none"),
        (".star", f"fill:{theme.text};stroke:{theme.paper}"),
        (".leader", f"stroke:{theme.dim};fill:none"),
        (".shape", f"fill:{theme.dim}"),
    ]
    for i, (fill, edge) in enumerate(theme.shades):
        rules.append((f".s{i}", f"fill:{fill};stroke:{edge}"))
    for i, (colour, ink) in enumerate(zip(theme.colours, theme.inks, strict=True)):
        rules += [(f".c{i}", f"fill:{colour}"), (f".i{i}", f"fill:{ink}"), (f".l{i}", f"stroke:{colour};fill:none")]
    return "".join(f"{scope}{selector}{{{look}}}" for selector, look in rules)


def px(value: float) -> str:
    """A number to a tenth of a pixel, as short as possible.

    >>> px(3.0), px(0.25), px(-0.04)
    ('3', '0.2', '0')
    """
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def label(x: float, y: float, size: float, text: str, look: str = "pt", anchor: str = "") -> str:
    at = f' text-anchor="{anchor}"' if anchor else ""
    if (wide := width(text, size)) > 40 and covers(text):  # keep its width in every font
        at += f' textLength="{px(wide)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{px(x)}" y="{px(y)}" font-size="{px(size)}" class="{look}"{at}>{escape(text)}</text>'


# ---- boards ----------------------------------------------------------------------------------------------------------

LINE_HEIGHT = 15.0


def _frame(board: Board) -> tuple[dict[str, tuple[float, float]], float, float]:
    square = board.shape == "square"
    left, top = min(cell.x for cell in board.cells), min(cell.y for cell in board.cells)
    columns = (max(cell.x for cell in board.cells) - left) / 2 + 1
    rows = max(cell.y for cell in board.cells) - top
    wide = min((WIDTH - 2 * MARGIN) / columns, 44.0)
    side = wide / math.sqrt(3)
    down, first = (wide, wide / 2) if square else (1.5 * side, side)
    indent = (WIDTH - wide * columns) / 2
    centres = {
        cell.name: (indent + wide * ((cell.x - left) / 2 + 0.5), first + down * (cell.y - top)) for cell in board.cells
    }
    return centres, down * rows + 2 * first, side


def board_drawing(board: Board) -> Drawing:
    if not board.cells:
        return Drawing("", 0)
    centres, height, side = _frame(board)
    standing = grouped((piece.cell, piece) for piece in board.pieces)
    shades = shade_numbers(board)
    looks = dict[str, list[str]](cell=[])
    for place in board.cells:  # one path per look; shaded cells last, so that their edges are not covered
        look = f"s{shades[place.shade] % SHADE_COUNT}" if place.shade else "cell"
        looks.setdefault(look, []).append(_edge(board.shape, *centres[place.name], side - 0.7))
    layers = [f'<path class="{look}" d="{"".join(paths)}"/>' for look, paths in looks.items() if paths]
    layers += [_name(cell.name, *centres[cell.name], side, standing.get(cell.name, ())) for cell in board.cells]
    for cell, pieces in standing.items():
        layers += _pieces(pieces, *centres[cell], side)
    legend = _legend(board, shades, height + 6)
    return Drawing("".join(layers) + legend.body, height + legend.height)


def _edge(shape: str, x: float, y: float, side: float) -> str:
    half = side * math.sqrt(3) / 2
    if shape == "square":
        return f"M{px(x - half)} {px(y - half)}h{px(2 * half)}v{px(2 * half)}h{px(-2 * half)}z"
    across, flank = px(half), px(side / 2)
    return f"M{px(x)} {px(y - side)}l{across} {flank}v{px(side)}l-{across} {flank}l-{across} -{flank}v{px(-side)}z"


def _name(name: str, x: float, y: float, side: float, pieces: Sequence[Piece]) -> str:
    """The name of a cell, in its middle or above its pieces, with a star if one of them is marked."""
    if not pieces:
        return label(x, y + side * 0.2, side * 0.55, name, "pd", "middle")
    size = side * 0.42
    if not any(piece.marked for piece in pieces):
        return label(x, y - side * 0.51, size, name, "pd", "middle")
    half = (width(name, size) + size) / 2
    return label(x - half, y - side * 0.51, size, name, "pt") + _star(x + half - size / 2, y - side * 0.66, size * 0.6)


def _pieces(pieces: Sequence[Piece], x: float, y: float, side: float) -> list[str]:
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
    """The legend: entries side by side as far as they fit; a long one gets its own lines."""
    tags = {piece.tag: piece.colour % COLOURS for piece in board.pieces}
    parts: list[str] = []
    x, y = float(MARGIN), top
    for mark, meaning in board.legend:
        sample = _sample(mark, shades, tags, board.shape)
        start = 18.0 if sample else width(mark, SMALL) + 6
        lines = wrap(meaning, SMALL, WIDTH - 2 * MARGIN - start) or [""]
        whole = start + max(width(line, SMALL) for line in lines)
        if x > MARGIN and x + whole > WIDTH - MARGIN:
            x, y = float(MARGIN), y + LINE_HEIGHT
        at = f'<g transform="translate({px(x + 7)} {px(y + LINE_HEIGHT / 2)})">{sample}</g>'
        parts.append(at if sample else label(x, y + LINE_HEIGHT / 2 + 3.6, SMALL, mark))
        parts += [label(x + start, y + LINE_HEIGHT * (i + 0.5) + 3.6, SMALL, line) for i, line in enumerate(lines)]
        x += whole + 12.0
        if len(lines) > 1:
            x, y = float(MARGIN), y + LINE_HEIGHT * len(lines)
    if not parts:
        return Drawing("", 0)
    return Drawing("".join(parts), y + (LINE_HEIGHT if x > MARGIN else 0) - top)


def _sample(mark: str, shades: dict[str, int], tags: dict[str, int], shape: str) -> str:
    """A small drawing of the mark as on the board, around the origin; "" if it is only a word."""
    if mark in shades:
        return f'<path class="s{shades[mark] % SHADE_COUNT}" d="{_edge(shape, 0, 0, 6.5)}"/>'
    if mark in ("circle", "square"):
        return _shape(mark, 0, 0, 5, 'class="shape"')
    if mark == "marked":
        return _star(0, 0, 6)
    if mark in tags:
        shape = f'<rect class="c{tags[mark]}" x="-8" y="-6" width="16" height="12" rx="3"/>'
        size = min(8.0, 8 * 14 / max(width(mark, 8), 1))
        return shape + label(0, size * 0.36, size, mark, f"i{tags[mark]}", "middle")
    return ""


# ---- charts ----------------------------------------------------------------------------------------------------------

NAME_GAP = 12.0
MAX_NAME_WIDTH = 92.0
TICKS = 5
DASHES = ("", "1.5 2.5", "5 3", "8 3 2 3")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "plus")
SMALL_TICK = 9.0


def chart_drawing(chart: Chart) -> Drawing:
    values = [value for series in chart.series for value in series.values]
    if not values or not chart.labels:
        return Drawing(label(MARGIN, SMALL + 2, SMALL, "Nothing to draw yet.", "pd"), SMALL + 6)
    ticks = nice_ticks(min(0, *values), max(0, *values))
    low, high = ticks[0], ticks[-1]
    ends = []
    for series in chart.series:
        if series.values:
            last = f" {series.values[-1]}"
            ends.append(clip(series.name, SMALL, MAX_NAME_WIDTH - width(last, SMALL)) + last)
    left = MARGIN + max(width(str(tick), SMALL_TICK) for tick in ticks) + 6
    right = WIDTH - MARGIN - max(width(end, SMALL) for end in ends) - 12
    top = 8.0 + (14 if chart.up else 0)
    height = max(150.0, NAME_GAP * len(ends))
    step = (right - left) / max(len(chart.labels) - 1, 1)

    def position(i: int, value: float) -> tuple[float, float]:
        return left + step * i, top + height * (high - value) / (high - low)

    parts = [label(MARGIN, 10, SMALL_TICK, chart.up, "pd")] if chart.up else []
    for tick in ticks:
        _, y = position(0, tick)
        look = 'class="zero" stroke-width="1"' if tick == 0 else 'class="grid" stroke-width="0.5"'
        parts.append(f'<path {look} d="M{px(left)} {px(y)}H{px(right)}"/>')
        parts.append(label(left - 5, y + 3.2, SMALL_TICK, str(tick), "pd", "end"))
    bottom = top + height + 14
    widest = max(width(text, SMALL_TICK) for text in chart.labels) + 5
    every = max(1, math.ceil(widest / step)) if len(chart.labels) > 1 else 1  # as many labels as fit
    for i in range(0, len(chart.labels), every):
        parts.append(label(left + step * i, bottom, SMALL_TICK, chart.labels[i], "pd", "middle"))
    if chart.across:
        bottom += 13
        across = clip(chart.across, SMALL_TICK, right - left)
        parts.append(label((left + right) / 2, bottom, SMALL_TICK, across, "pd", "middle"))
    lines = [(i, series) for i, series in enumerate(chart.series) if series.values]
    points = {i: [position(*pair) for pair in enumerate(series.values[: len(chart.labels)])] for i, series in lines}
    parts += [_line(i, series, points[i]) for i, series in lines]
    names = spread([points[i][-1][1] for i, _ in lines], NAME_GAP, top, top + height)
    for (i, _), end, y in zip(lines, ends, names, strict=True):
        x, from_y = points[i][-1]
        parts.append(f'<path class="leader" stroke-width="0.6" d="M{px(x + 4)} {px(from_y)}L{px(right + 9)} {px(y)}"/>')
        parts.append(label(right + 11, y + 3.6, SMALL, end))
    return Drawing("".join(parts), bottom + 4)


def nice_ticks(low: int, high: int) -> list[int]:
    """Round values from at most `low` to at least `high`: about `TICKS` of them, at least two.

    >>> nice_ticks(0, 17), nice_ticks(-3, 4), nice_ticks(0, 0)
    ([0, 5, 10, 15, 20], [-4, -2, 0, 2, 4], [0, 1])
    """
    rough = max((high - low) / (TICKS - 1), 1)
    size = 10 ** int(math.log10(rough))
    gap = next(size * k for k in (1, 2, 5, 10) if size * k >= rough)
    first, last = math.floor(low / gap) * gap, math.ceil(high / gap) * gap
    return list(range(first, max(last, first + gap) + 1, gap))


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, in the same order, at least `apart` from each other, between `low` and `high`.

    Places that do not fit between the two go beyond `high`.

    >>> spread([5, 5, 50], 10, 0, 60)
    [0, 10, 50]
    >>> spread([60, 60], 10, 0, 60)
    [50, 60]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[tuple[list[int], float]] = []  # (indices that touch, place of the first)
    for i in order:
        members, start = [i], _within(wanted[i], apart, 1, low, high)
        while groups and groups[-1][1] + apart * len(groups[-1][0]) > start:
            members = groups.pop()[0] + members
            middle = sum(wanted[k] - apart * j for j, k in enumerate(members)) / len(members)
            start = _within(middle, apart, len(members), low, high)
        groups.append((members, start))
    places = {k: start + apart * j for members, start in groups for j, k in enumerate(members)}
    return [places[i] for i in range(len(wanted))]


def _within(start: float, apart: float, count: int, low: float, high: float) -> float:
    return max(low, min(start, high - apart * (count - 1)))


def _line(number: int, series: Series, points: Sequence[tuple[float, float]]) -> str:
    colour = series.colour % COLOURS
    dash = DASHES[(number // len(MARKERS) + 2 * (number % 2)) % len(DASHES)]
    path = "M" + "L".join(f"{px(x)} {px(y)}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    line = f'<path class="l{colour}" stroke-width="1.8" stroke-linejoin="round"{dashed} d="{path}"/>'
    marker = MARKERS[number % len(MARKERS)]
    every = max(1, len(points) // 12)
    marked = [p for i, p in enumerate(points) if (len(points) - 1 - i) % every == 0]
    shapes = "".join(_marker(marker, x, y) for x, y in marked)
    look = f'class="l{colour}" stroke-width="2"' if marker in ("cross", "plus") else f'class="c{colour}"'
    return f'{line}<path {look} d="{shapes}"/>'


def _marker(kind: str, x: float, y: float) -> str:
    shapes = {
        "circle": (x - 3, y, "a3 3 0 1 0 6 0a3 3 0 1 0-6 0"),
        "square": (x - 3, y - 3, "h6v6h-6z"),
        "triangle": (x, y - 4, "l4 6h-8z"),
        "diamond": (x, y - 4, "l4 4-4 4-4-4z"),
        "cross": (x - 3, y - 3, "l6 6m0-6l-6 6"),
        "plus": (x - 4, y, "h8m-4-4v8"),
    }
    left, top, shape = shapes[kind]
    return f"M{px(left)} {px(top)}{shape}"


# ---- the picture -----------------------------------------------------------------------------------------------------

ZOOM = 2
"""How much larger a picture opened by itself is than on a phone."""


def picture(block: Board | Chart, title: str = "", *, titled: bool = True) -> str:
    """One `<svg>` element without a style sheet, for a page that has the rules of `css`: the frame, the title, the
    drawing, and a description for those who cannot see it.

    Args:
        titled: Whether the title is visible. Screen readers get it anyway.
    """
    inside = board_drawing(block) if isinstance(block, Board) else chart_drawing(block)
    titled = titled and bool(title)
    head = TITLE + 2 * MARGIN - 4 if titled else MARGIN
    height = head + inside.height + MARGIN
    name = " ".join((title or "Picture").split())
    heading = label(MARGIN, MARGIN + TITLE - 2, TITLE, clip(name, TITLE, WIDTH - 2 * MARGIN)) if titled else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" viewBox="0 0 {WIDTH} {px(height)}"'
        f' font-family="{FAMILY}, Inter, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"'
        ' font-weight="600">'
        f"<title>{escape(name)}</title><desc>{escape(block.alt)}</desc>"
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{px(height - 1)}" rx="8"/>'
        f'{heading}<g transform="translate(0 {px(head)})">{inside.body}</g></svg>'
    )


def pictures(blocks: Sequence[Block]) -> list[tuple[str, Board | Chart]]:
    titled: list[tuple[str, Board | Chart]] = []
    title = ""
    for block in blocks:
        if isinstance(block, Heading):
            title = block.text
        elif isinstance(block, (Board, Chart)):
            titled.append((title, block))
    return titled


def alt(blocks: Sequence[Block]) -> str:
    return " ".join(block.alt for _, block in pictures(blocks))


def render(blocks: Sequence[Block], theme: Theme | None = None) -> str:
    """The pictures of a report, one below the other, as an SVG file.

    Args:
        theme: A single theme; None for dark, and light for readers whose system prefers it.

    Raises:
        Unreadable: `picture.none`, the report has none.
    """
    sources = pictures(blocks)
    if not sources:
        raise Unreadable("picture.none", "this text has no picture", "-f text")
    rules = css(theme or DARK)
    if theme is None:
        rules += "@media (prefers-color-scheme:light){" + css(LIGHT) + "}"
    elements = [picture(block, title) for title, block in sources]
    heights = [float(element.partition(f'viewBox="0 0 {WIDTH} ')[2].partition('"')[0]) for element in elements]
    if len(elements) == 1:
        opened, _, inside = elements[0].partition(">")
        size = f' width="{WIDTH * ZOOM}" height="{px(heights[0] * ZOOM)}"'
        return f"{opened}{size}><style>{rules}</style>{inside}"
    placed, top = [], 0.0
    for element, height in zip(elements, heights, strict=True):
        placed.append(element.replace("<svg ", f'<svg y="{px(top)}" width="{WIDTH}" height="{px(height)}" ', 1))
        top += height + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {px(top - 8)}" width="{WIDTH * ZOOM}"'
        f' height="{px((top - 8) * ZOOM)}"><style>{rules}</style>{"".join(placed)}</svg>'
    )
