"""`--follow`: the same answer again, each time somebody has recorded something that changes it; until Ctrl-C.

Belongs here: waiting for what comes, on this machine or on a server, and printing only what is new. Does not belong
here: what a verb answers. Printed is only an answer that has changed: that something was recorded may be a secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from events import LogFile
from events.errors import LedgerError, Unreadable
from ledger.cli.app import App, ReadOptions
from ledger.core import clock
from ledger.render.safe import SafeText, verbatim
from ledger.wire.mirror import SharedLog

LOOK_SECONDS = 1.0
"""Between two looks at the file."""
MAX_WAIT_SECONDS = 30.0
"""After that the log is read even if nothing told of a change."""


class Watch:
    """Waits for what somebody records in a log: a file's time and size, a server's word, or a look at its head."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self._seen = self._stamp()
        self._since = 0.0  # seconds since the last look at a server that does not tell by itself

    def wait(self, seconds: float) -> None:
        """Let at most so many seconds pass; fewer where there may be something new."""
        for _ in range(max(1, round(seconds / LOOK_SECONDS))):
            if self._look() or self._stamp() != self._seen:
                break
        self._seen = self._stamp()

    def _stamp(self) -> tuple[int, int]:
        try:
            status = os.stat(self.log.path)
        except OSError:
            return (0, 0)
        return (status.st_mtime_ns, status.st_size)

    def _look(self) -> bool:
        """Let one look pass; does the server say that there is more?"""
        if self.log.shared:
            assert isinstance(self.log, SharedLog)
            self._since += LOOK_SECONDS
            try:
                if not self.log.wire.pause:
                    return self.log.wire.changed(LOOK_SECONDS)
                if self._since >= self.log.wire.pause:
                    self._since = 0.0
                    if self.log.wire.changed(0.0):
                        return True
            except LedgerError:
                pass  # the next reading says that the server does not answer
        clock.wait_for(LOOK_SECONDS)
        return False


def check(reading: ReadOptions) -> None:
    """Refuse what cannot be followed.

    Raises:
        Unreadable: `command.usage`.
    """
    if reading.target is not None or reading.copy or reading.fmt not in ("text", "json"):
        what = "--follow prints text, or with -f json a document a line; it writes no file and copies nothing"
        raise Unreadable("command.usage", what, "the same without -o, --copy and other formats")


def follow(app: App, answer: Callable[[], Sequence[SafeText]], *, whole: bool = False) -> None:
    """Print an answer, then what is new in it each time something was recorded, until the host stops it.

    Args:
        answer: Its parts in order, made anew from the match. What they begin with as before is not printed again.
        whole: Is an answer that has changed printed as a whole, after an empty line?
    """
    printed: list[SafeText] = []
    try:
        watch = Watch(app.match.book.log)
        while True:
            parts = list(answer())
            if not app.json and not whole and parts[: len(printed)] != printed:
                app.to_host("what was shown has changed since; it is printed anew")
                printed = []
            new = parts if whole or app.json else parts[len(printed) :]
            if parts != printed:
                if whole and printed and not app.json:
                    app.out(verbatim(""))
                for part in new:
                    app.out(part)
            printed = parts
            head = app.match.book.mark
            while app.match.book.mark == head:
                watch.wait(MAX_WAIT_SECONDS)
                app.stale()
    except KeyboardInterrupt:
        pass
