"""SVG -> PNG, with the extra `[images]`.

Only the bundled font is used, so a picture looks the same everywhere; but names in scripts that it lacks are drawn with
the fonts of the machine.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from games.kit.blocks import Block
from games.signs import is_mark, is_unseen
from ledger.core.extras import NotInstalled
from ledger.render import svg
from ledger.render.svg import DARK, WIDTH, Theme

MAX_CHECKED = 20
PIXELS = 1160
"""The width of the file in pixels: sharp on a phone with four device pixels for each CSS pixel."""


def render(blocks: Sequence[Block], theme: Theme = DARK, pixels: int = PIXELS) -> bytes:
    """The pictures of a report as a PNG file.

    Raises:
        Unreadable: `picture.none`. NotInstalled: `picture.extra`.
    """
    return _as_png(svg.render(blocks, theme), pixels / (WIDTH * svg.ZOOM))


def missing(blocks: Sequence[Block], theme: Theme = DARK) -> list[str]:
    """The characters of these pictures that become boxes, since no font here has them. `MAX_CHECKED` are tried."""
    text = "".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg.render(blocks, theme)))
    unsure = [c for c in dict.fromkeys(text) if not (svg.covers(c) or is_mark(c) or is_unseen(c))]
    box = _sign_alone("\u0378") if unsure else b""  # an unassigned code point
    return [c for c in unsure[:MAX_CHECKED] if _sign_alone(c) == box]


def _sign_alone(sign: str) -> bytes:
    return _as_png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="8" font-size="8">{sign}</text></svg>',
        1.0,
    )


def _as_png(picture: str, zoom: float) -> bytes:
    with NotInstalled("picture.extra", "PNG", "images", ", or -f svg"):
        import resvg_py
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, svg.FILE)
        file.write_bytes(svg.data())
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=picture,
                font_files=[str(file)],
                font_family=svg.FAMILY,
                sans_serif_family=svg.FAMILY,
                skip_system_fonts=svg.covers(picture),
                zoom=zoom,
            )
        )
