"""What a terminal gets that no pipe or file does: lines as wide as it is, colours, a pager.

Belongs here: how wide and high it is, and what is made of a text for it. Does not belong here: what a text says, and
texts that are pasted, which keep their lines.
"""

from __future__ import annotations

import os
import re
import sys

from events.disk import DISK
from ledger.cli.guard import escape_controls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ledger.render.safe import SafeText

STYLES = {"wrong": "1;31", "doubt": "33", "faint": "2", "strong": "1"}
"""What a line can be -> its colour, as terminals call it (SGR)."""
_NO_PROSE = r"\s*(try: |hl |\$ )"
"""A command that can be pasted stays one line."""
_HANGING = r"(\s*)([-!] |#?\S+ {2,}|#[0-9]+ +)?"


def width(stream: Any = None) -> int | None:
    """Columns of the terminal; None where the stream (standard output) is none: it is not wrapped."""
    size = _size(stream, "COLUMNS")
    return None if size is None else max(20, size)


def _size(stream: Any, name: str) -> int | None:
    from games.kinds import digits

    stream = sys.stdout if stream is None else stream
    if not getattr(stream, "isatty", bool)():
        return None
    if said := digits(os.environ.get(name, "")):
        return said
    try:
        found = os.get_terminal_size(stream.fileno())
        return (found.columns if name == "COLUMNS" else found.lines) or None
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
    """What stands before the further lines of a line."""
    found = re.match(_HANGING, line)
    assert found is not None
    whole = len(found[0]) if found[2] else 0
    return " " * (whole if 0 < whole <= columns // 3 else min(len(found[1]) + 2, columns // 3))


def styled(text: str, style: str) -> str:
    """Escaped text in a style, line by line."""
    if not style:
        return text
    return "\n".join(f"\x1b[{STYLES[style]}m{line}\x1b[0m" if line else line for line in text.split("\n"))


def fit(texts: Sequence[SafeText], styles: Sequence[str], stream: Any, *, colored: bool, as_json: bool) -> str:
    """Texts below each other, guarded, in the columns of the terminal if the stream is one, each in its style."""
    columns = width(stream)
    pieces = [fitted(escape_controls(text, as_json=as_json), columns) for text in texts]
    return "\n".join(map(styled, pieces, styles) if colored and styles else pieces)


def is_long(text: str) -> bool:
    """Is it longer than the screen, with a line for the prompt?"""
    return text.count("\n") + 2 > (_size(None, "LINES") or 0)


# ---- the pager -------------------------------------------------------------------------------------------------------


def pager(settled: str | None) -> str:
    """The command of the pager: $PAGER, what the host has settled, `less` or `more`; empty: none is wanted."""
    if (said := os.environ.get("PAGER", settled)) is not None:
        return "" if said.strip() == "cat" else said.strip()
    if os.environ.get("TERM") == "dumb":
        return ""
    import shutil

    usual = ("less",) if DISK.system == "windows" else ("less", "more")  # more.com shows no UTF-8
    return next((name for name in usual if shutil.which(name)), "")


def through(command: str, text: str) -> bool:
    """Give the text to a pager and wait until it has ended; is there such a program?

    Not click's: that puts the text into a file in a folder for all where the system is Windows.
    """
    import shlex
    import shutil
    import subprocess

    try:
        words = shlex.split(command, posix=DISK.system != "windows")
    except ValueError:
        return False
    program = shutil.which(words[0].strip('"')) if words else None
    if program is None:
        return False
    env = {**os.environ, "LESS": os.environ.get("LESS", "-R")}
    running = subprocess.Popen([program, *words[1:]], stdin=subprocess.PIPE, env=env)
    left = text.encode(errors="replace")
    while True:
        try:
            running.communicate(left)  # that it was left before the end is no error
        except KeyboardInterrupt:
            left = b""  # the pager answers it
            continue
        return True
