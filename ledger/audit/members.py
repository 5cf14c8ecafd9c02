"""One log of an audit, wherever it lies: a file, or something that can be read into memory.

Reading never raises: what cannot be read is a finding. Belongs here: one log. Does not belong here: finding logs
(sources.py), archives (packed.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from events import Finding
from events.record import NamedTuple
from ledger.audit.report import Audited, unread

if TYPE_CHECKING:
    pass

MAX_LOG = 64 << 20
"""Bytes of one log that is read into memory: some 150,000 entries."""


class Bytes(NamedTuple):
    """A log in memory, for a process that cannot open its file."""

    path: str
    log: bytes
    head: bytes | None
    """Its head record, if there is one."""


class Member(NamedTuple):
    """A log that can be read into memory. Reading never raises: what cannot be read is a finding."""

    path: str
    size: int
    read: Callable[[], Bytes | Audited]


LogSource = str | Member | Audited
"""A file, a log elsewhere, or the finding that stands in its place."""


class TooMuch(Exception):
    """More than an archive may hold."""


def path_of(source: LogSource) -> str:
    """How a log is named: a file by its path, a log in an archive by that of the archive and its own."""
    return source if isinstance(source, str) else source.path


def payload_of(source: LogSource) -> str | Bytes | Audited:
    """What a worker gets: of a log that lies elsewhere, its bytes."""
    return source.read() if isinstance(source, Member) else source


def read_log(path: str, log: Callable[[], IO[bytes]], head: Callable[[], IO[bytes]] | None) -> Bytes | Audited:
    try:
        record = None
        if head is not None:
            try:
                record = b"".join(pieces(head(), 1 << 12))
            except FileNotFoundError:
                pass
        return Bytes(path, b"".join(pieces(log(), MAX_LOG)), record)
    except TooMuch as error:
        return unread(path, Finding(1, "audit.limit", f"it was not read: {error}"))
    except Exception as error:
        # Without its text: a server's answer may repeat what was sent.
        return unread(path, Finding(1, "audit.archive", f"it cannot be read: {type(error).__name__}"))


def pieces(source: IO[bytes], limit: int) -> Iterator[bytes]:
    remaining = limit
    with source:
        while piece := source.read(1 << 20):
            remaining -= len(piece)
            if remaining < 0:
                raise TooMuch(f"it comes to more than {limit:,} bytes")
            yield piece
