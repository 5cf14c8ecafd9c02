"""Lines that a host types at a terminal, and pastes, which are known from them.

A paste is known by the marks that terminals put around it when asked to, and where they do not, by what has arrived
behind the line: nobody types the next line within a tenth of a second.
"""

from __future__ import annotations

import os
import re
import sys

from events.disk import DISK
from ledger.cli.terminal import fitted, width
from ledger.render.safe import plain_text

PASTE_WAIT_SECONDS = 0.1
"""More input within that time makes a line part of a paste."""
_MARKS_ON, _MARKS_OFF, _PASTED = "\x1b[?2004h", "\x1b[?2004l", "\x1b[200~"
_PASTE = re.compile("\x1b\\[20[01]~")


def lines() -> list[str]:
    """The lines that are typed or pasted, up to an empty one that nothing follows.

    Raises:
        EOFError: the input has ended, and there was no line.
    """
    drop_typed()
    texts: list[str] = []
    while line := sys.stdin.readline():
        text = _PASTE.sub("", line).strip()
        if not text and texts and not (_is_console() and DISK.typed_waits(sys.stdin.fileno(), PASTE_WAIT_SECONDS)):
            break
        texts += [text] if text else []
    if not (texts or line):
        raise EOFError
    return texts


def write(text: str) -> None:
    """Print it on standard error, in the columns of the terminal, with the spaces it ends in."""
    words = text.rstrip()
    sys.stderr.write(fitted(plain_text(words), width(sys.stderr)) + text[len(words) :])
    sys.stderr.flush()


def read_line(question: str, *, marked: bool = True) -> str | None:
    """The line that was typed; None for what was pasted, which is dropped whole.

    Args:
        marked: Ask the terminal for its marks: one line that is pasted counts as pasted.

    Raises:
        EOFError: the input has ended.
    """
    marked = marked and os.isatty(2) and _is_console()
    sys.stderr.write(_MARKS_ON if marked else "")
    write(question)
    try:
        line = sys.stdin.readline()
        if not line:
            write("\n")
            raise EOFError
        is_paste = drop_typed(PASTE_WAIT_SECONDS)
    finally:
        sys.stderr.write(_MARKS_OFF if marked else "")
        sys.stderr.flush()
    return None if is_paste or _PASTED in line else line


def _is_console() -> bool:
    try:
        return os.isatty(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):
        return False


def drop_typed(silent: float = 0.0) -> bool:
    """Take away what has arrived and was not read, half a line too; was there any?

    Args:
        silent: For how many seconds nothing may come.
    """
    if not _is_console():
        return False
    return DISK.drop_typed(sys.stdin.fileno(), silent, PASTE_WAIT_SECONDS)
