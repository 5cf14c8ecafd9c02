"""A server in memory for shared matches: keeps rows, and fails where it is told to. And a disk that stops a command."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

from events.disk import Disk
from events.errors import Moved, NotRecorded, OutcomeUnknown
from ledger.wire.protocol import Stored, Wire


class Killed(BaseException):
    """The process ends here: nothing catches this."""


class Shelf:
    """The rows of one match. `faults`: what becomes of the next pushes, one after the other.

    "lost": it never arrives. "cut": it is kept, and the answer is lost. "late": it arrives when `post` is called.
    "killed": it is kept, and the client is killed. "down": the server is away, also for `tail`, while `down` is true.
    """

    def __init__(self) -> None:
        self.rows: list[Stored] = []
        self.faults: list[str] = []
        self.down = False
        self.before_push: list[Any] = []
        self.late: list[tuple[int, str, tuple[Stored, ...]]] = []
        self.lock = threading.Lock()
        self.pushes = self.tails = 0

    def take(self, seq: int, prev: str, rows: Sequence[Stored]) -> None:
        """The compare-and-swap."""
        with self.lock:
            if self.rows[seq - 1 : seq - 1 + len(rows)] == list(rows):
                return
            if len(self.rows) != seq - 1 or (self.rows and self.rows[-1].hash != prev):
                raise Moved("wire.moved", "nothing was recorded: others recorded first", "run it again")
            self.rows.extend(rows)

    def post(self) -> None:
        """What was late arrives."""
        for sent in self.late:
            try:
                self.take(*sent)
            except Moved:
                pass
        self.late.clear()


class ShelfWire(Wire):
    """A wire to a shelf."""

    pause = 0.01

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def _away(self) -> None:
        if self.shelf.down:
            raise NotRecorded("wire.unreachable", "nothing was recorded: the server cannot be reached", "wait")

    def tail(self, seq: int, wait: float) -> list[Stored]:
        self._away()
        self.shelf.tails += 1
        return self.shelf.rows[seq - 1 :]

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        self._away()
        self.shelf.pushes += 1
        if self.shelf.before_push:
            self.shelf.before_push.pop(0)()
        fault = self.shelf.faults.pop(0) if self.shelf.faults else ""
        if fault == "late":
            self.shelf.late.append((seq, prev, tuple(rows)))
        elif fault != "lost":
            self.shelf.take(seq, prev, rows)
        if fault == "killed":
            raise Killed
        if fault:
            raise OutcomeUnknown("wire.unknown", "whether this was recorded is unknown", "hl sync")

    def changed(self, wait: float) -> bool:
        self._away()
        return True


class StoppingDisk(Disk):
    """A disk at whose call number `at` the process is killed: its files are closed, and it does nothing more."""

    CALLS = frozenset(
        {"open", "close", "write", "ftruncate", "fsync", "fsync_folder", "pwrite", "replace", "unlink", "flock"}
    )

    def __init__(self, at: int) -> None:
        self.at, self.calls = at, 0
        self.files: set[int] = set()

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in StoppingDisk.CALLS:
            return found

        def counted(*args: Any, **named: Any) -> Any:
            self.calls += 1
            if self.calls >= self.at:
                for fd in self.files:
                    os.close(fd)
                self.files.clear()
                raise Killed
            answer = found(*args, **named)
            if name == "open":
                self.files.add(answer)
            elif name == "close":
                self.files.discard(args[0])
            return answer

        return counted
