"""Colours, the frame and the few elements that every picture is drawn with. Units are CSS pixels on a phone: 290 wide.

A drawing names classes, never colours: one style sheet gives it the dark look, another the light one. Every pair of the
twelve colours differs to readers with any of the three kinds of colour blindness (a test computes it), and nothing is
shown by colour alone: pieces have shapes and tags, lines have markers, dashes and their name.
"""

from __future__ import annotations

from events.record import NamedTuple
from ledger.render.font import FAMILY, clip, covers, width
from ledger.render.markup import escape

WIDTH = 290
"""The room that Discord on a phone gives a picture."""
MARGIN = 10
FONTS = f"{FAMILY}, Inter, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
"""Without the bundled font: the reader's own, squeezed into the same width where that matters."""
TITLE = 12.0
SMALL = 10.0
"""Sizes of text."""
FIXED_FROM = 40.0
"""Text wider than this keeps its width in every font, unless the bundled one lacks a sign: that width is a guess."""


class Theme(NamedTuple):
    """The colours of one look."""

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
    """What is written on each colour."""


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
    inks=(
        _BLACK, _WHITE, _WHITE, _BLACK, _BLACK, _WHITE,
        _WHITE, _WHITE, _WHITE, _BLACK, _WHITE, _WHITE,
    ),
)  # fmt: skip
COLOURS = len(DARK.colours)
SHADES = len(DARK.shades)


class Drawing(NamedTuple):
    """The inside of a picture, and how high it is."""

    body: str
    height: float


def css(theme: Theme, scope: str = "") -> str:
    """The rules that colour every picture; `scope` is a selector they are limited to, like `.dark `."""
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
    """A number as short as a tenth of a pixel allows.

    >>> px(3.0), px(0.25), px(-0.04)
    ('3', '0.2', '0')
    """
    short = f"{value:.1f}".removesuffix(".0")
    return "0" if short == "-0" else short


def label(x: float, y: float, size: float, text: str, look: str = "pt", anchor: str = "") -> str:
    """One line of text; `anchor` is `middle` or `end` where `x` is not its left end."""
    at = f' text-anchor="{anchor}"' if anchor else ""
    if (wide := width(text, size)) > FIXED_FROM and covers(text):
        at += f' textLength="{px(wide)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{px(x)}" y="{px(y)}" font-size="{px(size)}" class="{look}"{at}>{escape(text)}</text>'


def framed(inside: Drawing, title: str, alt: str, *, titled: bool) -> str:
    """A whole picture: the frame, its title above what is inside, and its words for those who cannot see it.

    Args:
        titled: Is the title to be seen? Screen readers get it anyway.
    """
    head = TITLE + 2 * MARGIN - 4 if titled else MARGIN
    height = head + inside.height + MARGIN
    name = " ".join((title or "Picture").split())
    heading = [label(MARGIN, MARGIN + TITLE - 2, TITLE, clip(name, TITLE, WIDTH - 2 * MARGIN))] if titled else []
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" viewBox="0 0 {WIDTH} {px(height)}"'
            f' font-family="{FONTS}" font-weight="600">',
            f"<title>{escape(name)}</title><desc>{escape(alt)}</desc>",
            f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{px(height - 1)}" rx="8"/>',
            *heading,
            f'<g transform="translate(0 {px(head)})">{inside.body}</g></svg>',
        ]
    )
