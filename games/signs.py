"""Which characters of a text are visible, by tables of our own: the same answer on every Python, for ever.

What belongs here: that question, and how invisible ones are shown. What does not: characters that mean something to one
output format (ledger/render/). Python's tables (`unicodedata`, `str.isprintable`) grow with every release, so a posted
text would differ when a later Python makes it again. A character in no table is shown as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

__all__ = ["MAX_MARKS_IN_A_ROW", "ZWJ", "is_mark", "is_pictograph", "is_unseen", "joiners", "ranges", "visible"]

MAX_MARKS_IN_A_ROW = 4
"""The most combining marks in a row: more would climb over the lines above."""

ZWJ = "\u200d"
"""Joins emoji into one; invisible anywhere else."""

_UNSEEN = (
    (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD),
    (0x70F, 0x70F), (0x890, 0x891), (0x8E2, 0x8E2), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xD800, 0xF8FF),
    (0xFDD0, 0xFDEF), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE00FF), (0xE01F0, 0xE0FFF),
    (0xF0000, 0x10FFFF), *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0xF0000, 0x10000)),
)  # fmt: skip
"""(first, last) of each range of invisible characters: controls, formats (direction, joiners, tags), fillers,
surrogates, private use, ends of lines and paragraphs, and what Unicode reserves for later formats or for nobody."""
_MARKS = """
300-36F 483-489 591-5BD 5BF 5C1-5C2 5C4-5C5 5C7 610-61A 64B-65F 670 6D6-6DC 6DF-6E4 6E7-6E8 6EA-6ED 711 730-74A
7A6-7B0 7EB-7F3 7FD 816-819 81B-823 825-827 829-82D 859-85B 898-89F 8CA-8E1 8E3-902 93A 93C 941-948 94D 951-957
962-963 981 9BC 9C1-9C4 9CD 9E2-9E3 9FE A01-A02 A3C A41-A42 A47-A48 A4B-A4D A51 A70-A71 A75 A81-A82 ABC AC1-AC5
AC7-AC8 ACD AE2-AE3 AFA-AFF B01 B3C B3F B41-B44 B4D B55-B56 B62-B63 B82 BC0 BCD C00 C04 C3C C3E-C40 C46-C48
C4A-C4D C55-C56 C62-C63 C81 CBC CBF CC6 CCC-CCD CE2-CE3 D00-D01 D3B-D3C D41-D44 D4D D62-D63 D81 DCA DD2-DD4 DD6
E31 E34-E3A E47-E4E EB1 EB4-EBC EC8-ECE F18-F19 F35 F37 F39 F71-F7E F80-F84 F86-F87 F8D-F97 F99-FBC FC6
102D-1030 1032-1037 1039-103A 103D-103E 1058-1059 105E-1060 1071-1074 1082 1085-1086 108D 109D 135D-135F
1712-1714 1732-1733 1752-1753 1772-1773 17B4-17B5 17B7-17BD 17C6 17C9-17D3 17DD 180B-180D 180F 1885-1886 18A9
1920-1922 1927-1928 1932 1939-193B 1A17-1A18 1A1B 1A56 1A58-1A5E 1A60 1A62 1A65-1A6C 1A73-1A7C 1A7F 1AB0-1ACE
1B00-1B03 1B34 1B36-1B3A 1B3C 1B42 1B6B-1B73 1B80-1B81 1BA2-1BA5 1BA8-1BA9 1BAB-1BAD 1BE6 1BE8-1BE9 1BED
1BEF-1BF1 1C2C-1C33 1C36-1C37 1CD0-1CD2 1CD4-1CE0 1CE2-1CE8 1CED 1CF4 1CF8-1CF9 1DC0-1DFF 20D0-20F0 2CEF-2CF1
2D7F 2DE0-2DFF 302A-302D 3099-309A A66F-A672 A674-A67D A69E-A69F A6F0-A6F1 A802 A806 A80B A825-A826 A82C
A8C4-A8C5 A8E0-A8F1 A8FF A926-A92D A947-A951 A980-A982 A9B3 A9B6-A9B9 A9BC-A9BD A9E5 AA29-AA2E AA31-AA32
AA35-AA36 AA43 AA4C AA7C AAB0 AAB2-AAB4 AAB7-AAB8 AABE-AABF AAC1 AAEC-AAED AAF6 ABE5 ABE8 ABED FB1E FE00-FE0F
FE20-FE2F 101FD 102E0 10376-1037A 10A01-10A03 10A05-10A06 10A0C-10A0F 10A38-10A3A 10A3F 10AE5-10AE6 10D24-10D27
10EAB-10EAC 10EFD-10EFF 10F46-10F50 10F82-10F85 11001 11038-11046 11070 11073-11074 1107F-11081 110B3-110B6
110B9-110BA 110C2 11100-11102 11127-1112B 1112D-11134 11173 11180-11181 111B6-111BE 111C9-111CC 111CF
1122F-11231 11234 11236-11237 1123E 11241 112DF 112E3-112EA 11300-11301 1133B-1133C 11340 11366-1136C
11370-11374 11438-1143F 11442-11444 11446 1145E 114B3-114B8 114BA 114BF-114C0 114C2-114C3 115B2-115B5
115BC-115BD 115BF-115C0 115DC-115DD 11633-1163A 1163D 1163F-11640 116AB 116AD 116B0-116B5 116B7 1171D-1171F
11722-11725 11727-1172B 1182F-11837 11839-1183A 1193B-1193C 1193E 11943 119D4-119D7 119DA-119DB 119E0
11A01-11A0A 11A33-11A38 11A3B-11A3E 11A47 11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A99 11C30-11C36
11C38-11C3D 11C3F 11C92-11CA7 11CAA-11CB0 11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A 11D3C-11D3D 11D3F-11D45
11D47 11D90-11D91 11D95 11D97 11EF3-11EF4 11F00-11F01 11F36-11F3A 11F40 11F42 13440 13447-13455 16AF0-16AF4
16B30-16B36 16F4F 16F8F-16F92 16FE4 1BC9D-1BC9E 1CF00-1CF2D 1CF30-1CF46 1D167-1D169 1D17B-1D182 1D185-1D18B
1D1AA-1D1AD 1D242-1D244 1DA00-1DA36 1DA3B-1DA6C 1DA75 1DA84 1DA9B-1DA9F 1DAA1-1DAAF 1E000-1E006 1E008-1E018
1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF 1E4EC-1E4EF 1E8D0-1E8D6 1E944-1E94A
E0100-E01EF
"""
"""The combining marks of Unicode 15.1 (classes Mn and Me): set over or under the character before, or choosing its
form."""


@cache
def ranges(table: str) -> tuple[list[int], list[int]]:
    """The first and the last character of each range in a table of words like `300-36F` and `5BF`. Most commands never
    need it."""
    words = [word.partition("-") for word in table.split()]
    return [int(first, 16) for first, _, _ in words], [int(last or first, 16) for first, _, last in words]


def is_unseen(sign: str) -> bool:
    """Is this one character invisible, a cursor movement (like a line end) or a change of the writing direction?

    >>> [is_unseen(c) for c in ("a", "é", "\\u202e", "\\x1b", "\\n")]
    [False, False, True, True, True]
    """
    code = ord(sign)
    return not 32 <= code < 127 and any(first <= code <= last for first, last in _UNSEEN)


def is_mark(sign: str) -> bool:
    """Is this one character set over or under the one before it? Many in a row climb over other lines.

    >>> is_mark("\\u0301"), is_mark("e")
    (True, False)
    """
    code = ord(sign)
    if code < 0x300:
        return False
    firsts, lasts = ranges(_MARKS)
    return code <= lasts[bisect_right(firsts, code) - 1]


def is_pictograph(sign: str) -> bool:
    """Is this one character, or may it be, an emoji that others can be joined to?

    >>> is_pictograph("👩"), is_pictograph("é")
    (True, False)
    """
    code = ord(sign)
    return 0x2600 <= code <= 0x27BF or 0x1F000 <= code <= 0x1FAFF or code in (0x2194, 0x2195, 0x2B1B, 0x2B1C)


def _joins(text: str, at: int) -> bool:
    """Is the joiner at this index between two emoji? A variation selector may follow the first."""
    before, after = text[:at].rstrip("\ufe0f")[-1:], text[at + 1 : at + 2]
    return bool(before and after) and is_pictograph(before) and is_pictograph(after)


def joiners(text: str) -> frozenset[int]:
    """The indexes of joiners between two emoji, which are kept.

    >>> sorted(joiners("👩\u200d🚀 a\u200db"))
    [1]
    """
    return frozenset(i for i, c in enumerate(text) if c == ZWJ and _joins(text, i)) if ZWJ in text else frozenset()


def visible(text: str, *, keep: str = "", also: str = "") -> str:
    """The text with `<U+XXXX>` for each invisible character, and for every combining mark after the fourth in a row.

    A `<` that would begin such a word is escaped too, so the original can be restored and no name can look like
    another's escaped one. A joiner between two emoji is kept.

    Args:
        keep: Invisible characters to leave as they are.
        also: Visible characters to escape.

    >>> visible("\\x1b[2Jhi\\u202e"), visible("<U+202E> <3")
    ('<U+001B>[2Jhi<U+202E>', '<U+003C>U+202E> <3')
    """
    text = text.replace("<U+", "<U+003C>U+")
    if text.isascii() and text.isprintable():
        return text
    out, marks, joined = [], 0, joiners(text)
    for i, c in enumerate(text):
        marks = marks + 1 if is_mark(c) else 0
        hidden = (is_unseen(c) and c not in keep and i not in joined) or marks > MAX_MARKS_IN_A_ROW or c in also
        out.append(f"<U+{ord(c):04X}>" if hidden else c)
    return "".join(out)
