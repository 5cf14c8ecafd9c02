"""What a terminal gets that no pipe or file does: lines as wide as it is, and colours. The pager: pager.py.

Belongs here: how wide it is, and how a text is wrapped for it. Does not belong here: what a text says, and texts that
are pasted, which keep their lines.
"""

from __future__ import annotations

import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

STYLES = {"wrong": "1;31", "doubt": "33", "faint": "2", "strong": "1"}
"""What a line can be -> its colour, as terminals call it (SGR)."""
_NO_PROSE = r"\s*(try: |hl |\$ )"
"""A command that can be pasted stays one line."""
_HANGING = r"(\s*)([-!] |#?\S+ {2,}|#[0-9]+ +)?"


def width(stream: Any = None) -> int | None:
    """Columns of the terminal; None where the stream (standard output) is none: it is not wrapped."""
    size = terminal_size(stream, "COLUMNS")
    return None if size is None else max(20, size)


def terminal_size(stream: Any, name: str) -> int | None:
    """`COLUMNS` or `LINES` of the terminal; None where the stream (standard output) is none."""
    from games.kinds import digits

    stream = sys.stdout if stream is None else stream
    if not getattr(stream, "isatty", bool)():
        return None
    if number := digits(os.environ.get(name, "")):
        return number
    try:
        size = os.get_terminal_size(stream.fileno())
        return (size.columns if name == "COLUMNS" else size.lines) or None
    except (OSError, ValueError):
        return 80 if name == "COLUMNS" else 24


def fitted(text: str, columns: int | None) -> str:
    """Prose and lists in so many columns, each line going on under its text; commands to be pasted stay one line.

    >>> print(fitted("- to ann: a text that is long", 20))
    - to ann: a text
      that is long
    """
    if columns is None or max(map(len, text.split("\n"))) <= columns:
        return text
    from ledger.render.text import wrapped

    pieces = []
    for line in text.split("\n"):
        pieces += [line] if re.match(_NO_PROSE, line) else wrapped(line, columns, _hanging(line, columns))
    return "\n".join(pieces)


def _hanging(line: str, columns: int) -> str:
    """The indent of the further lines of a line."""
    matched = re.match(_HANGING, line)
    assert matched is not None
    whole = len(matched[0]) if matched[2] else 0
    return " " * (whole if 0 < whole <= columns // 3 else min(len(matched[1]) + 2, columns // 3))


def styled(text: str, style: str) -> str:
    """Escaped text in a style, line by line."""
    if not style:
        return text
    return "\n".join(f"\x1b[{STYLES[style]}m{line}\x1b[0m" if line else line for line in text.split("\n"))


def fit(texts: Sequence[str], styles: Sequence[str], stream: Any, *, colored: bool) -> str:
    """Escaped texts below each other, in the columns of the terminal if the stream is one, each in its style."""
    columns = width(stream)
    pieces = [fitted(text, columns) for text in texts]
    return "\n".join(map(styled, pieces, styles) if colored and styles else pieces)
