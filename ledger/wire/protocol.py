"""What a wire is: two operations on the lines of one match that lie elsewhere.

Belongs here: the shape that every wire has, and what its answers mean. Does not belong here: any one engine (git.py),
what a stored line holds (sealing.py), the mirror (mirror.py).

Source: docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

from events.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Wire(Protocol):
        """The lines of one match, elsewhere. Neither operation changes a line that is there.

        Every operation raises NotRecorded when nothing was sent or the server said no (`wire.unreachable`,
        `wire.denied`, ...), and Damaged when what is there is not a match's.
        """

        def tail(self, seq: int, wait: float) -> list[Stored]:
            """The lines from number `seq` (1 or more) on, in order; none where there are fewer, or no match at all.

            Args:
                wait: Seconds after which the server counts as unreachable.
            """

        def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
            """Append these lines, the first of them number `seq`, all or none: only if the last line there is `prev`.

            The same rows again are no second entry: who pushes what is there already, at its place, has succeeded.

            Raises:
                Moved: Another line is the last; nothing was recorded.
                OutcomeUnknown: They were sent, and no answer came.
            """

        def tidy(self) -> None:
            """Put in order what the wire keeps on this machine, when that is worth while."""

        def forget(self) -> None:
            """Take away what the wire keeps on this machine."""


__all__ = ["PUSH_WAIT", "READ_WAIT", "WRITE_WAIT", "Place", "Stored", "Wire"]

READ_WAIT = 2.0
"""Seconds a command that only looks waits for a server; then it answers from the mirror."""
WRITE_WAIT = 20.0
"""Seconds a command that records waits for what is new."""
PUSH_WAIT = 30.0
"""Seconds it waits for its entries to be taken."""


class Stored(NamedTuple):
    """A line as a server keeps it: its hash (64 hex digits), and one line of ASCII that is the line, or seals it."""

    hash: str
    data: str


class Place(NamedTuple):
    """Where a shared match lies. url: as hosts hand it on. server: what the engine is given. name: of the match
    there; "" where only one is expected."""

    url: str
    server: str
    name: str
