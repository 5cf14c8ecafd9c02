"""The widths in a TrueType font, read from its tables: what `ledger/render/fonts/widths.json` must hold.

`python -m tests.support.truetype` writes that file anew, for another font.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

from ledger.render import svg

WIDTHS = Path(svg.__file__).parent / "fonts" / "widths.json"


def widths_in(data: bytes) -> tuple[int, dict[str, int]]:
    """Units to the size of a text, and character -> its width: from `head`, `hhea`, `hmtx`, `cmap` (format 4)."""
    count = struct.unpack_from(">H", data, 4)[0]
    tables = {}
    for i in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sLLL", data, 12 + 16 * i)
        tables[tag] = offset
    units = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    long = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]
    advances = struct.unpack_from(f">{2 * long}H", data, tables[b"hmtx"])[::2]
    glyphs = _glyphs(data, tables[b"cmap"])
    return units, {chr(code): advances[min(glyph, long - 1)] for code, glyph in glyphs.items()}


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Code point -> glyph, from the first table of format 4."""
    count = struct.unpack_from(">H", data, cmap + 2)[0]
    at = cmap + next(
        offset
        for _, _, offset in (struct.unpack_from(">HHL", data, cmap + 4 + 8 * i) for i in range(count))
        if struct.unpack_from(">H", data, cmap + offset)[0] == 4
    )
    half = struct.unpack_from(">H", data, at + 6)[0]
    n = half // 2
    ends = struct.unpack_from(f">{n}H", data, at + 14)
    starts = struct.unpack_from(f">{n}H", data, at + 16 + half)
    deltas = struct.unpack_from(f">{n}H", data, at + 16 + 2 * half)
    ranges_at = at + 16 + 3 * half
    ranges = struct.unpack_from(f">{n}H", data, ranges_at)
    glyphs = {}
    for i, (first, last, delta, jump) in enumerate(zip(starts, ends, deltas, ranges, strict=True)):
        for code in range(first, last + 1):
            glyph = code
            if jump:
                glyph = struct.unpack_from(">H", data, ranges_at + 2 * i + jump + 2 * (code - first))[0]
            if code != 0xFFFF and (not jump or glyph):
                glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs


if __name__ == "__main__":
    units, widths = widths_in(svg.data())
    WIDTHS.write_text(json.dumps({"units": units, "widths": widths}) + "\n", encoding="utf-8")
