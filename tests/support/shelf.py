"""A server in memory for shared matches: keeps rows, and fails where it is told to. Hosts with a mirror each; a disk
that stops a command."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from events import Body, LogFile, create, read_body
from events.disk import DISK, Disk
from events.errors import Moved, NotRecorded, OutcomeUnknown
from events.instants import Instant
from ledger.wire import mirror, sharing
from ledger.wire.mirror import SharedLog
from ledger.wire.protocol import Stored, Wire
from ledger.wire.sealing import Sealing, key_of, read_signed, signed_rows
from ledger.wire.sidecars import PENDING


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


URL = "git+file:///shelf#ep"
NOW = Instant(1_795_000_000_000)


def body(text: str, by: str = "mara") -> Body:
    return Body("note", NOW, by, NOW, {"text": text})


class Hosts:
    """mara, who shares a match of these notes, and others with a mirror each; `shelves` are the servers by URL."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, *notes: str, plain: bool) -> None:
        self.folder, self.plain, self.shelves = folder, plain, defaultdict[str, Shelf](Shelf)
        for module in (mirror, sharing):
            patch.setattr(module, "wire_to", lambda url, path: ShelfWire(self.shelves[url]))
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        self.paths = {"mara": str(folder / "mara" / "log.jsonl")}
        create(self.paths["mara"], [body(text) for text in ("made", *notes)])
        sharing.share(self.paths["mara"], URL, plain=plain)

    @property
    def url(self) -> str:
        """Where mara's match is now."""
        return sharing.shared_at(self.paths["mara"]) or ""

    @property
    def shelf(self) -> Shelf:
        return self.shelves[self.url]

    @property
    def key(self) -> str:
        return sharing.key_words(self.paths["mara"])

    @property
    def sealing(self) -> Sealing:
        return Sealing(key_of(self.key) if self.key else b"")

    def join(self, name: str) -> SharedLog:
        scratch = str(self.folder / "scratch" / name)
        found = sharing.find(self.url, scratch)
        key = key_of(self.key) if self.key else b""
        self.paths[name] = sharing.clone(found, key, str(self.folder / name), scratch)[0]
        return self.log(name)

    def log(self, name: str, disk: Any = DISK) -> SharedLog:
        """As another command finds it."""
        log = SharedLog(self.paths[name], lambda: NOW)
        log.disk = disk
        if name == "mara":
            log.signer = lambda first, last, head: f"mara sent {first} to {last}, {head}"
        return log

    def write(self, name: str, text: str) -> None:
        with self.log(name).writing() as writer:
            writer.append([body(text, name)])

    def texts(self, name: str) -> list[str]:
        """What the notes say, from the mirror alone."""
        lines = LogFile(self.paths[name]).read().lines
        return [read_body(line.body).args["text"] for line in lines if line.body]

    def sync(self, name: str) -> tuple[str, ...]:
        return sharing.sync(self.log(name))[2]

    def agree(self) -> None:
        """All mirrors end byte-equal to the server, and nothing is pending."""
        for name in self.paths:
            self.sync(name)
        server = b"".join(self.sealing.opened(row) for row in self.shelf.rows)
        for name, path in self.paths.items():
            assert Path(path).read_bytes() == server, name
            assert not os.path.exists(path + PENDING)
            LogFile(path).read()
            heads = {row.hash for row in self.shelf.rows}
            kept = {one for one in read_signed(DISK, path) if one.head in heads}
            assert kept == {*signed_rows(self.shelf.rows, self.sealing, 1)}, "a signature travels with its lines"
