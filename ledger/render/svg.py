"""Boards and charts as one SVG picture, from blocks alone. The heading above a picture becomes its title.

Source: docs/pictures.md. Coordinates, classes and the frame: ink.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from events import Unreadable
from games.kit.blocks import Block, Board, Chart, Heading
from ledger.render import drawn_board, drawn_chart
from ledger.render.ink import DARK, LIGHT, WIDTH, Theme, css, framed, px

ZOOM = 2
"""How much larger than on a phone a picture is when opened by itself."""


def picture(block: Board | Chart, title: str = "", *, titled: bool = True) -> str:
    """One `<svg>` element without a style sheet of its own: for a page that has the rules of `css`.

    Args:
        titled: The title is drawn in the picture, not only in its description.
    """
    inside = drawn_board.drawing(block) if isinstance(block, Board) else drawn_chart.drawing(block)
    return framed(inside, title, block.alt, titled=titled and bool(title))


def pictures(blocks: Sequence[Block]) -> list[tuple[str, Board | Chart]]:
    """The pictures of a report, each with the heading it stands under."""
    titled: list[tuple[str, Board | Chart]] = []
    title = ""
    for block in blocks:
        if isinstance(block, Heading):
            title = block.text
        elif isinstance(block, (Board, Chart)):
            titled.append((title, block))
    return titled


def alt(blocks: Sequence[Block]) -> str:
    """What the pictures of a report show, in words."""
    return " ".join(block.alt for _, block in pictures(blocks))


def render(blocks: Sequence[Block], theme: Theme | None = None) -> str:
    """The pictures of a report, one below the other, as an SVG file.

    Args:
        theme: One look. None: dark, and light for readers whose system prefers that.

    Raises:
        Unreadable: `picture.none`, the report has none.
    """
    sources = pictures(blocks)
    if not sources:
        raise Unreadable("picture.none", "there is no picture in this text", "-f text")
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
    total = px(top - 8)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH * ZOOM}"'
        f' height="{px((top - 8) * ZOOM)}"><style>{rules}</style>{"".join(placed)}</svg>'
    )
