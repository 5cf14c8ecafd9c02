"""What a wire is: two operations on the lines of one match that lie elsewhere.

Belongs here: the shape that every wire has, and what its answers mean. Does not belong here: any one engine (git.py),
what a stored line holds (sealing.py), the mirror (mirror.py).

Source: docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

import re

from events.errors import LedgerError, Moved, OutcomeUnknown
from events.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

READ_WAIT = 2.0
"""Seconds a command that only looks waits for a server; then it answers from the mirror."""
WRITE_WAIT = 20.0
"""Seconds a command that records waits for what is new."""
PUSH_WAIT = 30.0
"""Seconds it waits for its entries to be taken."""
LOOK_AGAIN = 5.0
"""Seconds it waits for the server, where its push got no answer."""


class Wire:
    """The lines of one match, elsewhere. No operation changes a line that is there.

    pause: Seconds between two looks for `changed`; 0 where the server tells by itself.

    Every operation raises NotRecorded when nothing was sent or the server said no (`wire.unreachable`, `wire.denied`,
    ...), and Damaged when what is there is not a match's.
    """

    pause = 0.0

    def tail(self, seq: int, wait: float) -> list[Stored]:
        """The lines from number `seq` (1 or more) on, in order; none where there are fewer, or no match at all.

        Args:
            wait: Seconds after which the server counts as unreachable.
        """
        raise NotImplementedError

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        """Append these lines, the first of them number `seq`, all or none: only if the last line there is `prev`.

        The same rows again are no second entry: who pushes what is there already, at its place, has succeeded.

        Raises:
            Moved: Another line is the last; nothing was recorded.
            OutcomeUnknown: They were sent, and no answer came.
        """
        raise NotImplementedError

    def changed(self, wait: float) -> bool:
        """May there be something after the last line that was seen? Where the server tells by itself, it is waited
        for, at most `wait` seconds."""
        raise NotImplementedError

    def names(self, wait: float) -> list[str]:
        """The names of all matches on the server."""
        raise NotImplementedError

    def tidy(self) -> None:
        """Put in order what the wire keeps on this machine, when that is worth while."""

    def forget(self) -> None:
        """Take away what the wire keeps on this machine."""

    def found(self, seq: int, rows: Sequence[Stored]) -> bool | None:
        """After a push without an answer: are the lines at their place? None: nobody can tell yet."""
        try:
            there = self.tail(max(seq - 1, 1), LOOK_AGAIN)
        except LedgerError:
            return None
        there = there[1:] if seq > 1 else there
        return there[: len(rows)] == list(rows) if there else None

    def settle(self, seq: int, rows: Sequence[Stored]) -> None:
        """After a push without an answer: find out what became of it. Raises as `push`."""
        found = self.found(seq, rows)
        if not found:
            raise unknown() if found is None else overtaken()


def overtaken() -> Moved:
    """What a push says that came too late."""
    return Moved("wire.moved", "nothing was recorded: others recorded first, again and again", "run it again")


def unknown() -> OutcomeUnknown:
    """What it says where no answer came."""
    what = "whether this was recorded is unknown: it was sent to the server, and no answer came"
    return OutcomeUnknown("wire.unknown", what, "hl sync")


class Stored(NamedTuple):
    """A line as a server keeps it: its hash (64 hex digits), and one line of ASCII that is the line, or seals it."""

    hash: str
    data: str


_ROW = re.compile(rb"([0-9a-f]{64}) ([\x21-\x7e][\x20-\x7e]*)\n")


def rows_text(rows: Sequence[Stored]) -> str:
    """Lines for a wire that keeps several in one file: of each its hash, a space, and itself."""
    return "".join(f"{row.hash} {row.data}\n" for row in rows)


def read_rows(data: bytes) -> list[Stored]:
    """The lines of such a file; none where any of it is something else.

    >>> read_rows(rows_text([Stored("a" * 64, "{}")]).encode())[0].data, read_rows(b"what")
    ('{}', [])
    """
    found = [Stored(hash_.decode(), kept.decode()) for hash_, kept in _ROW.findall(data)]
    return found if rows_text(found).encode() == data else []


class Place(NamedTuple):
    """Where a shared match lies. url: as hosts hand it on. server: what the engine is given. name: of the match
    there; "" where only one is expected."""

    url: str
    server: str
    name: str
