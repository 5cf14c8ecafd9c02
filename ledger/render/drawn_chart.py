"""A chart as a drawing: lines with markers over common labels, each named at its end. Lines that meet stay apart by
their markers and dashes, names that would meet are moved apart and led back to their line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from games.kit.blocks import Chart, Series
from ledger.render.font import clip, width
from ledger.render.ink import COLOURS, MARGIN, SMALL, WIDTH, Drawing, label, px

MIN_HEIGHT = 150.0
"""Of the area with the lines."""
NAME_GAP = 12.0
"""Between two names."""
MAX_NAME_WIDTH = 92.0
"""Of the names at the end of the lines."""
TICKS = 5
"""About how many values are named on the left."""
DASHES = ("", "1.5 2.5", "5 3", "8 3 2 3")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "plus")
STROKED = ("cross", "plus")
"""Markers that are lines; the others are filled."""
SMALL_TICK = 9.0


def drawing(chart: Chart) -> Drawing:
    """The chart, with what its axes are."""
    values = [value for series in chart.series for value in series.values]
    if not values or not chart.labels:
        return Drawing(label(MARGIN, SMALL + 2, SMALL, "Nothing to draw yet.", "pd"), SMALL + 6)
    ticks = nice_ticks(min(0, *values), max(0, *values))
    low, high = ticks[0], ticks[-1]
    ends = [_end_label(series) for series in chart.series if series.values]
    left = MARGIN + max(width(str(tick), SMALL_TICK) for tick in ticks) + 6
    right = WIDTH - MARGIN - max(width(end, SMALL) for end in ends) - 12
    top = 8.0 + (14 if chart.up else 0)
    height = max(MIN_HEIGHT, NAME_GAP * len(ends))
    step = (right - left) / max(len(chart.labels) - 1, 1)

    def position(i: int, value: float) -> tuple[float, float]:
        return left + step * i, top + height * (high - value) / (high - low)

    parts = [label(MARGIN, 10, SMALL_TICK, chart.up, "pd")] if chart.up else []
    for tick in ticks:
        _, y = position(0, tick)
        look = "zero" if tick == 0 else "grid"
        parts.append(
            f'<path class="{look}" stroke-width="{1 if tick == 0 else 0.5}" d="M{px(left)} {px(y)}H{px(right)}"/>'
        )
        parts.append(label(left - 5, y + 3.2, SMALL_TICK, str(tick), "pd", "end"))
    bottom = top + height + 14
    labels = _shown_labels(chart.labels, left, right, step)
    parts += [label(x, bottom, SMALL_TICK, chart.labels[i], "pd", "middle") for i, x in labels]
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


def _end_label(series: Series) -> str:
    """The text at the end of a line: its name as far as there is room, and its last value."""
    last = f" {series.values[-1]}"
    return clip(series.name, SMALL, MAX_NAME_WIDTH - width(last, SMALL)) + last


def nice_ticks(low: int, high: int) -> list[int]:
    """Round values from at most `low` to at least `high`, about `TICKS` of them, always two.

    >>> nice_ticks(0, 17), nice_ticks(-3, 4), nice_ticks(0, 0)
    ([0, 5, 10, 15, 20], [-4, -2, 0, 2, 4], [0, 1])
    """
    rough = max((high - low) / (TICKS - 1), 1)
    size = 10 ** int(math.log10(rough))
    gap = next(size * k for k in (1, 2, 5, 10) if size * k >= rough)
    first, last = math.floor(low / gap) * gap, math.ceil(high / gap) * gap
    return list(range(first, max(last, first + gap) + 1, gap))


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places at least `apart` from each other, in the order of those wanted, near them, within `low` and `high`.

    What does not fit between the two goes below `high`.

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


def _shown_labels(labels: Sequence[str], left: float, right: float, step: float) -> list[tuple[int, float]]:
    """(number, middle) of the labels that have room: every one, every second, ..."""
    widest = max(width(label, SMALL_TICK) for label in labels) + 5
    every = max(1, math.ceil(widest / step)) if len(labels) > 1 else 1
    return [(i, left + step * i) for i in range(0, len(labels), every)]


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
    look = f'class="l{colour}" stroke-width="2"' if marker in STROKED else f'class="c{colour}"'
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
