"""Questions at a terminal. An answer is one line out of what was offered; a paste is never an answer.

Belongs here: reading that line. Does not belong here: when something is asked, and what comes of it (app.py, desk.py).

A paste is known by the marks that terminals put around it when asked to, and where they do not, by what has arrived
behind the line: nobody types the next line within a tenth of a second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from events.disk import DISK
from ledger.render.safe import plain_text

PASTE_WAIT = 0.1
"""Seconds within which more input makes a line part of a paste."""
_MARKS_ON, _MARKS_OFF, _PASTED = "\x1b[?2004h", "\x1b[?2004l", "\x1b[200~"


def choose(question: str, offered: Mapping[str, str]) -> str:
    """Ask until one of the answers is typed.

    Args:
        question: Told on standard error, in one line; it names what is offered.
        offered: What may be typed, in small letters ("" is Enter alone) -> what that means.

    Returns:
        What the answer means.

    Raises:
        EOFError: the input has ended.
    """
    _drop_typed()  # what was typed or pasted before the question was seen does not answer it
    while True:
        line = _line(f"{question}: ")
        if line is None:
            told = "this was pasted, and a paste answers nothing"
        elif (meant := offered.get(line.strip().lower())) is not None:
            return meant
        else:
            told = "that is none of the answers"
        _tell(f"{told}: {_spelled(offered)}\n")


def typed_line(question: str) -> str:
    """A line of the host's own; "" for a paste of several lines, which is dropped.

    Raises:
        EOFError: the input has ended.
    """
    _drop_typed()
    return _line(question) or ""


def _spelled(offered: Mapping[str, str]) -> str:
    """`Enter, n or no: no; y or yes: yes`."""
    meanings = dict.fromkeys(offered.values())
    words = {meant: [word or "Enter" for word, other in offered.items() if other == meant] for meant in meanings}
    return "; ".join(f"{' or '.join(', '.join(said).rsplit(', ', 1))}: {meant}" for meant, said in words.items())


def _tell(text: str) -> None:
    from ledger.cli.screen import fitted, width

    said = text.rstrip()
    sys.stderr.write(fitted(plain_text(said), width(sys.stderr)) + text[len(said) :])
    sys.stderr.flush()


def _line(question: str) -> str | None:
    """The line that was typed; None for what was pasted, which is dropped whole.

    Raises:
        EOFError: the input has ended.
    """
    marked = os.isatty(2) and _is_console()
    sys.stderr.write(_MARKS_ON if marked else "")
    _tell(question)
    try:
        line = sys.stdin.readline()
        if not line:
            _tell("\n")
            raise EOFError
        more = _drop_typed(PASTE_WAIT)
    finally:
        sys.stderr.write(_MARKS_OFF if marked else "")
        sys.stderr.flush()
    return None if more or _PASTED in line else line


def _is_console() -> bool:
    """Does the input come from a real terminal?"""
    try:
        return os.isatty(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):
        return False


def _drop_typed(silent: float = 0.0) -> bool:
    """Take away what has arrived and was not read, half a line too; was there any?

    Args:
        silent: For how many seconds nothing may come.
    """
    if not _is_console():
        return False
    return DISK.drop_typed(sys.stdin.fileno(), silent, PASTE_WAIT)
