"""Questions at a terminal. An answer is one line out of what was offered; a paste is never an answer.

Belongs here: reading that line. Does not belong here: when something is asked, and what comes of it (app.py, desk.py).

A paste is known by the marks that terminals put around it when asked to, and where they do not, by what has arrived
behind the line: nobody types the next line within a tenth of a second.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import TypeVar

from events.disk import DISK
from events.errors import LedgerError, Unreadable
from ledger.render.safe import plain_text

T = TypeVar("T")
PASTE_WAIT = 0.1
"""Seconds within which more input makes a line part of a paste."""
_MARKS_ON, _MARKS_OFF, _PASTED = "\x1b[?2004h", "\x1b[?2004l", "\x1b[200~"
_PASTE = re.compile("\x1b\\[20[01]~")


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

    def read(line: str) -> str:
        if line.lower() not in offered:
            raise Unreadable("command.usage", "that is none of the answers", _spelled(offered))
        return offered[line.lower()]

    pasted = f"this was pasted, and a paste answers nothing: {_spelled(offered)}"
    return _until(question, read, marked=True, pasted=pasted)


def typed(question: str, read: Callable[[str], T]) -> T:
    """Ask until a line can be read. A paste of one line is a line; of a longer one nothing is taken.

    Args:
        question: As in `choose`.
        read: Reads the line, without spaces around it, or refuses it and says what helps.

    Raises:
        EOFError: the input has ended.
    """
    return _until(question, read, marked=False, pasted="this was a paste of several lines; nothing of it is taken")


def _until(question: str, read: Callable[[str], T], *, marked: bool, pasted: str) -> T:
    """Ask until a line can be read; `marked`: what was pasted is never one."""
    _drop_typed()  # what was typed or pasted before the question was seen does not answer it
    while True:
        line = _line(f"{question}: ", marked=marked)
        try:
            if line is not None:
                return read(line.strip())
            told = pasted
        except LedgerError as error:
            told = f"{error.what}: {error.fix}" if error.fix else error.what
        _tell(f"{told}\n")


def lines() -> list[str]:
    """The lines that are typed or pasted, up to an empty one that nothing follows.

    Raises:
        EOFError: the input has ended, and there was no line.
    """
    _drop_typed()
    found: list[str] = []
    while line := sys.stdin.readline():
        said = _PASTE.sub("", line).strip()
        if not said and found and not (_is_console() and DISK.typed_waits(sys.stdin.fileno(), PASTE_WAIT)):
            break
        found += [said] if said else []
    if not (found or line):
        raise EOFError
    return found


def typed_line(question: str) -> str:
    """A line of the host's own; "" for a paste of several lines, which is dropped.

    Raises:
        EOFError: the input has ended.
    """
    _drop_typed()
    return _line(question) or ""


def _spelled(offered: Mapping[str, str]) -> str:
    """`Enter, n or no: no; y or yes: yes; 3`."""
    meanings = dict.fromkeys(offered.values())
    words = {meant: [word or "Enter" for word, other in offered.items() if other == meant] for meant in meanings}
    return "; ".join(
        meant if said == [meant] else f"{' or '.join(', '.join(said).rsplit(', ', 1))}: {meant}"
        for meant, said in words.items()
    )


def _tell(text: str) -> None:
    from ledger.cli.screen import fitted, width

    said = text.rstrip()
    sys.stderr.write(fitted(plain_text(said), width(sys.stderr)) + text[len(said) :])
    sys.stderr.flush()


def _line(question: str, *, marked: bool = True) -> str | None:
    """The line that was typed; None for what was pasted, which is dropped whole.

    Args:
        marked: Ask the terminal for its marks: one line that is pasted counts as pasted.

    Raises:
        EOFError: the input has ended.
    """
    marked = marked and os.isatty(2) and _is_console()
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
