"""Who sent which lines: signatures beside the lines of a shared match, on the server and in a file beside the mirror.

Belongs here: how they are kept. Does not belong here: making and checking them (audit/signing.py, audit/pushed.py): to
a mirror a signature is a text that travels with the last line of what one command sent. They are no part of the log.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from events.disk import attempt
from events.files import add_to_file, read_range
from events.record import NamedTuple

if TYPE_CHECKING:
    from events.disk import Disk
    from ledger.wire.protocol import Stored
    from ledger.wire.sealing import Sealing

Signer: TypeAlias = Callable[[int, int, str], str]
"""Of the first and last number of the lines that are sent, and the hash of the last: their signature."""

SIGNED = ".signed"
"""After the name of the log: one signature a line, as JSON."""
MAX_BYTES = 64 * 1024 * 1024


class Signed(NamedTuple):
    """Somebody's word that they sent the lines from number `first` to `last`, whose hash is `head`."""

    first: int
    last: int
    head: str
    signature: str

    @property
    def text(self) -> str:
        """As it travels with line `last`."""
        return f"{self.first}\n{self.signature}"


def signed_rows(rows: Iterable[Stored], sealing: Sealing, seq: int) -> list[Signed]:
    """The signatures that travelled with these lines, the first of which is number `seq`."""
    found = []
    for number, row in enumerate(rows, seq):
        first, _, signature = sealing.both(row)[1].partition("\n")
        if first.isdecimal() and len(first) < 10 and 1 <= int(first) <= number:
            found.append(Signed(int(first), number, row.hash, signature))
    return found


def keep_signed(disk: Disk, path: str, several: Sequence[Signed]) -> OSError | None:
    """Add them to the file beside the log at `path`; why that failed, if it did: the log does not hang on it.

    Kept before the lines are, so that none is lost; one that is kept twice counts once.
    """

    lines = "".join(f"\n{json.dumps(one._asdict())}\n" for one in several)  # after half a line a new one begins
    return attempt(add_to_file, disk, path + SIGNED, lines.encode()) if several else None


def read_signed(disk: Disk, path: str) -> list[Signed]:
    """What is kept beside the log at `path`, each once; what cannot be read is left out."""
    try:
        fd = disk.open(path + SIGNED, os.O_RDONLY)
        try:
            data = read_range(disk, fd, 0, min(disk.fstat(fd).st_size, MAX_BYTES))
        finally:
            disk.close(fd)
    except OSError:
        return []
    found = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        try:
            kept = json.loads(line) if line else {}
            one = Signed(int(kept["first"]), int(kept["last"]), str(kept["head"]), str(kept["signature"]))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        found[one[:3]] = one
    return list(found.values())
