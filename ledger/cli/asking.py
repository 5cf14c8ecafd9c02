"""Questions at a terminal. An answer is one line out of what was offered; a paste is never an answer.

Belongs here: asking until a line can be read. Does not belong here: reading a line (console.py); when something is
asked, and what comes of it (the verbs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from events.errors import LedgerError, Unreadable
from ledger.cli.console import drop_typed, read_line, write

T = TypeVar("T")


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
    drop_typed()  # what was typed or pasted before the question was seen does not answer it
    while True:
        line = read_line(f"{question}: ", marked=marked)
        try:
            if line is not None:
                return read(line.strip())
            problem = pasted
        except LedgerError as error:
            problem = f"{error.what}: {error.fix}" if error.fix else error.what
        write(f"{problem}\n")


def _spelled(offered: Mapping[str, str]) -> str:
    """`Enter, n or no: no; y or yes: yes; 3`."""
    words: dict[str, list[str]] = {}
    for word, meaning in offered.items():
        words.setdefault(meaning, []).append(word or "Enter")
    return "; ".join(
        meaning if typed == [meaning] else f"{' or '.join(', '.join(typed).rsplit(', ', 1))}: {meaning}"
        for meaning, typed in words.items()
    )
