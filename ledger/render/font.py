"""How wide a text is in the bundled font: what a picture needs to know before anything draws it.

The font is a subset of Inter SemiBold (SIL Open Font License, fonts/OFL.txt): Latin, Greek, Cyrillic, a few signs. Its
widths are read from the font file itself; made with fontTools as fonts/README.md says.
"""

from __future__ import annotations

import functools
import struct
from importlib import resources

from games.signs import is_pictograph
from ledger.render.scripts import columns, signs
from ledger.render.text import escape as seen

FAMILY = "Inter SemiBold"
FILE = "Inter-SemiBold-subset.ttf"
WIDE_GUESS, NARROW_GUESS = 1.0, 0.75
"""Width, in sizes, of a sign of two columns or one that the font lacks: few fonts draw it wider."""


def data() -> bytes:
    """The font file."""
    return resources.files("ledger.render").joinpath("fonts", FILE).read_bytes()


@functools.cache
def metrics() -> tuple[int, dict[int, int]]:
    """Units to the size of a text, and code point -> width in units: from `head`, `hhea`, `hmtx`, `cmap` (format 4)."""
    font = data()
    count = struct.unpack_from(">H", font, 4)[0]
    tables = {}
    for i in range(count):
        tag, _, offset, _ = struct.unpack_from(">4sLLL", font, 12 + 16 * i)
        tables[tag] = offset
    units = struct.unpack_from(">H", font, tables[b"head"] + 18)[0]
    long = struct.unpack_from(">H", font, tables[b"hhea"] + 34)[0]
    advances = struct.unpack_from(f">{2 * long}H", font, tables[b"hmtx"])[::2]
    widths = {code: advances[min(glyph, long - 1)] for code, glyph in _glyphs(font, tables[b"cmap"]).items()}
    return units, widths


def _glyphs(font: bytes, cmap: int) -> dict[int, int]:
    """Code point -> glyph, from the first table of format 4."""
    count = struct.unpack_from(">H", font, cmap + 2)[0]
    at = cmap + next(
        offset
        for _, _, offset in (struct.unpack_from(">HHL", font, cmap + 4 + 8 * i) for i in range(count))
        if struct.unpack_from(">H", font, cmap + offset)[0] == 4
    )
    half = struct.unpack_from(">H", font, at + 6)[0]
    n = half // 2
    ends = struct.unpack_from(f">{n}H", font, at + 14)
    starts = struct.unpack_from(f">{n}H", font, at + 16 + half)
    deltas = struct.unpack_from(f">{n}H", font, at + 16 + 2 * half)
    ranges_at = at + 16 + 3 * half
    ranges = struct.unpack_from(f">{n}H", font, ranges_at)
    glyphs = {}
    for i, (first, last, delta, jump) in enumerate(zip(starts, ends, deltas, ranges, strict=True)):
        for code in range(first, last + 1):
            glyph = code
            if jump:
                glyph = struct.unpack_from(">H", font, ranges_at + 2 * i + jump + 2 * (code - first))[0]
            if code != 0xFFFF and (not jump or glyph):
                glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs


def width(text: str, size: float) -> float:
    """How wide the text is at that size, as it will be shown.

    >>> width("", 10)
    0.0
    >>> width("WW", 10) > width("ii", 10) > 0
    True
    """
    return advance(seen(text), size)


def advance(text: str, size: float) -> float:
    """How wide these characters are, without kerning."""
    units, widths = metrics()
    return sum(_sign_width(sign, widths, units) for sign, _ in signs(text)) * size / units


def _sign_width(sign: str, widths: dict[int, int], units: int) -> float:
    """One sign, with its marks or what is joined to it. The width of a sign that the font lacks is guessed."""
    if len(sign) == 1 and (exact := widths.get(ord(sign))) is not None:
        return exact
    room = columns(sign)
    return units * (WIDE_GUESS * 1.3 if is_pictograph(sign[0]) else (0, NARROW_GUESS, WIDE_GUESS)[min(room, 2)])


def covers(text: str) -> bool:
    """Has the font every character of the text?"""
    _, widths = metrics()
    return all(ord(c) in widths for c in text)


def clip(text: str, size: float, room: float) -> str:
    """As much of the text as has room, with `…` where something is left out.

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
    """The text in lines that have room, broken at spaces; a word too long for a line is clipped."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size) <= room:
            lines[-1] = joined
        else:
            lines.append(clip(word, size, room))
    return lines
