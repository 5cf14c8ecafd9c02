"""How wide a text is in the bundled font: what a picture needs to know before anything draws it.

The font is a subset of Inter SemiBold (SIL Open Font License, fonts/OFL.txt): Latin, Greek, Cyrillic, a few signs. How
it and the table of its widths were made, fonts/README.md says.
"""

from __future__ import annotations

import functools
import json

from events.disk import folder_of, in_folder
from games.signs import is_pictograph
from ledger.core.inputs import read_bytes, read_text
from ledger.render.scripts import columns, signs
from ledger.render.text import escape as seen

FAMILY = "Inter SemiBold"
FILE = "Inter-SemiBold-subset.ttf"
WIDE_GUESS, NARROW_GUESS = 1.0, 0.75
"""Width, in sizes, of a sign of two columns or one that the font lacks: few fonts draw it wider."""


def data() -> bytes:
    return read_bytes(in_folder(folder_of(__file__), "fonts", FILE))


@functools.cache
def metrics() -> tuple[int, dict[str, int]]:
    table = json.loads(read_text(in_folder(folder_of(__file__), "fonts", "widths.json")))
    return table["units"], table["widths"]


def width(text: str, size: float) -> float:
    """How wide the text is at that size, as it will be shown.

    >>> width("", 10)
    0.0
    >>> width("WW", 10) > width("ii", 10) > 0
    True
    """
    return advance(seen(text), size)


def advance(text: str, size: float) -> float:
    units, widths = metrics()
    return sum(_sign_width(sign, widths, units) for sign, _ in signs(text)) * size / units


def _sign_width(sign: str, widths: dict[str, int], units: int) -> float:
    """One sign, with its marks or what is joined to it. The width of a sign that the font lacks is guessed."""
    if (exact := widths.get(sign)) is not None:
        return exact
    room = columns(sign)
    return units * (WIDE_GUESS * 1.3 if is_pictograph(sign[0]) else (0, NARROW_GUESS, WIDE_GUESS)[min(room, 2)])


def covers(text: str) -> bool:
    _, widths = metrics()
    return all(c in widths for c in text)


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
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and width(joined, size) <= room:
            lines[-1] = joined
        else:
            lines.append(clip(word, size, room))
    return lines
