"""Names in all scripts: their direction, and how many columns they take.

All ranges are in this file, as in games/signs.py, so that posted texts do not depend on the version of Python. Columns
are those of terminals: Unicode's East Asian Width, with two for an emoji sequence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from games.signs import ZWJ, is_mark, is_pictograph, ranges

FSI, PDI = "\u2068", "\u2069"
"""Put around a right-to-left run, so that the text before and after it keeps its place."""
_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_UNSIZED = frozenset((FSI, PDI, ZWJ, "\u200b"))
_WIDE = """
1100-115F 231A-231B 2329-232A 23E9-23EC 23F0 23F3 25FD-25FE 2614-2615 2648-2653 267F 2693 26A1 26AA-26AB 26BD-26BE
26C4-26C5 26CE 26D4 26EA 26F2-26F3 26F5 26FA 26FD 2705 270A-270B 2728 274C 274E 2753-2755 2757 2795-2797 27B0 27BF
2B1B-2B1C 2B50 2B55 2E80-303E 3040-3247 3250-4DBF 4E00-A4CF A960-A97F AC00-D7A3 F900-FAFF FE10-FE19 FE30-FE6F
FF01-FF60 FFE0-FFE6 16FE0-1B2FF 1F004 1F0CF 1F18E 1F191-1F19A 1F200-1F320 1F32D-1F335 1F337-1F37C 1F37E-1F393
1F3A0-1F3CA 1F3CF-1F3D3 1F3E0-1F3F0 1F3F4 1F3F8-1F43E 1F440 1F442-1F4FC 1F4FF-1F53D 1F54B-1F54E 1F550-1F567 1F57A
1F595-1F596 1F5A4 1F5FB-1F64F 1F680-1F6C5 1F6CC 1F6D0-1F6D2 1F6D5-1F6DF 1F6EB-1F6EF 1F6F4-1F6FF 1F7E0-1F7F0
1F90C-1F93A 1F93C-1F945 1F947-1F9FF 1FA70-1FAFF 20000-3FFFD
"""


def isolated(text: str) -> str:
    """The text with each right-to-left run between FSI and PDI.

    The text must be escaped already, so that it contains neither of these.

    >>> isolated("Ann and דנה 5").replace(FSI, "<").replace(PDI, ">")
    'Ann and <דנה> 5'
    """
    if text.isascii() or max(text) < _RTL[0] or not re.search(f"[{_RTL}]", text):
        return text
    words = rf"[{_RTL}][{_RTL}0-9]*(?:[ ,.'’\"-]{{1,2}}[{_RTL}][{_RTL}0-9]*)*"
    return re.sub(words, lambda run: f"{FSI}{run[0]}{PDI}", text)


def without_isolates(text: str) -> str:
    return text.replace(FSI, "").replace(PDI, "")


def columns(text: str) -> int:
    """How many columns the text takes in a terminal.

    >>> columns("Ann"), columns("李雷"), columns("Zoe\u0301"), columns("👩\u200d🚀"), columns("דנה")
    (3, 4, 3, 2, 3)
    """
    return len(text) if text.isascii() else sum(room for _, room in signs(text))


def signs(text: str) -> Iterator[tuple[str, int]]:
    """(sign, its columns) for each sign. A letter with its marks is one sign, and so is an emoji sequence."""
    sign, room = "", 0
    for c in text:
        if sign and _belongs(c, sign):
            sign += c
            if (c == "\ufe0f" and room and ord(sign[0]) >= 0x203C) or _is_flag(c):
                room = 2  # an emoji, although the sign alone is as narrow as a letter
            continue
        if sign:
            yield sign, room
        sign, room = c, 0 if c in _UNSIZED or is_mark(c) else 1 + _is_wide(ord(c))
    if sign:
        yield sign, room


def _belongs(c: str, sign: str) -> bool:
    """Whether the character is part of the sign before it."""
    code = ord(c)
    if c == ZWJ or sign[-1] == ZWJ:
        return is_pictograph(sign[0])
    if sign in _UNSIZED:
        return False
    if _is_flag(c):
        return len(sign) == 1 and _is_flag(sign)
    return is_mark(c) or 0x1160 <= code <= 0x11FF or (0x1F3FB <= code <= 0x1F3FF and is_pictograph(sign[-1]))


def _is_flag(c: str) -> bool:
    return 0x1F1E6 <= ord(c) <= 0x1F1FF


def _is_wide(code: int) -> bool:
    firsts, lasts = ranges(_WIDE)
    return code >= firsts[0] and code <= lasts[bisect_right(firsts, code) - 1]


def ljust(text: str, room: int) -> str:
    return text + " " * (room - columns(text))


def rjust(text: str, room: int) -> str:
    return " " * (room - columns(text)) + text


def cut(text: str, room: int) -> str:
    """As much of the text as fits, never half a sign. Isolated runs stay isolated.

    >>> cut("李雷", 3), cut("Ann", 2)
    ('李', 'An')
    """
    if text.isascii():
        return text[:room]
    head = ""
    for sign, width in signs(text):
        room -= width
        if room < 0:
            break
        head += sign
    return head + PDI * (head.count(FSI) - head.count(PDI))


wcswidth = columns
"""The name by which tabulate calls it."""
