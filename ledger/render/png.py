"""SVG -> PNG, with the extra `[images]`.

The bundled font is the only one used, so a picture is the same everywhere; only a name in a script that it lacks is
drawn with what the machine has.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from events import Unreadable
from games.kit.blocks import Block
from ledger.render import font, svg
from ledger.render.ink import DARK, WIDTH, Theme

PIXELS = 1160
"""How wide the file is: sharp on a phone that has four pixels for one."""


def render(blocks: Sequence[Block], theme: Theme = DARK, pixels: int = PIXELS) -> bytes:
    """The pictures of a report as a PNG file.

    Raises:
        Unreadable: `picture.none`, or `picture.extra` where the package that draws is not installed.
    """
    drawn = svg.render(blocks, theme)
    try:
        import resvg_py
    except ImportError:
        raise Unreadable(
            "picture.extra", "PNG needs a package that is not installed", "pip install 'host-ledger[images]', or -f svg"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, font.FILE)
        file.write_bytes(font.data())
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=drawn,
                font_files=[str(file)],
                font_family=font.FAMILY,
                sans_serif_family=font.FAMILY,
                skip_system_fonts=font.covers(drawn),
                zoom=pixels / (WIDTH * svg.SHOWN),
            )
        )
