"""Messages of which a host has said that there is nothing to record: `log.jsonl.settled`, one id a line.

It belongs to this copy of the match, is no part of the log, and may be deleted at any time.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kinds import digits
from ledger.core.inputs import read_text

ENDING = ".settled"


def read_settled(log: str) -> frozenset[str]:
    """The ids of settled messages; none where there is no such file, or it cannot be read."""
    try:
        lines = read_text(log + ENDING).splitlines()
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset(line for line in lines if digits(line, 20) is not None)


def as_file(ids: Iterable[str]) -> bytes:
    """What the file holds."""
    return "".join(f"{message}\n" for message in sorted(ids, key=int)).encode()
