"""The log of a match as a file: three ways to read it, and one to open it for writing.

Source: docs/log-format.md sections 6 to 9.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from events.disk import DISK, Disk, closing
from events.entry import Line
from events.errors import Damaged
from events.files import Head, Shorter, blocks, explain, lock, open_log, read_head, read_range, replace_head
from events.reading import Finding, Mark, Reading, load, scan_blocks
from events.writer import Writer


class LogFile:
    """One log. Between calls it holds only the path.

    Args:
        path: The log; its head record and the files set aside are in the same folder.
        wait: Seconds to wait for the lock.

    unproved: after `scan`, True when there is no head record to prove the end of the log.
    shared: whether its lines are on a server too. False here; the class in ledger/wire/mirror.py sets it to True.
    """

    shared = False

    def __init__(self, path: str | os.PathLike[str], disk: Disk = DISK, wait: float = 10.0) -> None:
        self.path = os.fspath(path)
        self.disk = disk
        self.wait = wait
        self.unproved = False

    @contextmanager
    def _opened(self) -> Iterator[tuple[int, os.stat_result]]:
        """Open the file for reading and yield its descriptor and status. A system error is raised as a log error."""
        try:
            fd, status = open_log(self.disk, self.path, append=None)
            with closing(self.disk, fd):
                yield fd, status
        except OSError as error:
            raise explain(error, self.path, writing=False) from None

    def head(self) -> Head | None:
        """Number and hash of the last acknowledged line, or None without a head record.

        Raises:
            Unreadable, NotRecorded: The head record cannot be read.
        """
        try:
            return read_head(self.disk, self.path)[0]
        except OSError as error:
            raise explain(error, self.path, writing=False) from None

    def read(self, after: Mark | None = None) -> Reading:
        """Read and verify without a lock. An unfinished last line past the head is left out, with a note.

        Args:
            after: The end of an earlier reading; only new lines are read, if the file is still the same one.

        Raises:
            Damaged: The log does not verify, or is behind its head record. Unreadable: there is no log to read.
            NotRecorded: `log.disk`, the disk fails to read it.
        """
        for tries_left in (4, 3, 2, 1, 0):
            try:
                # The head first: the log only grows, so it cannot be behind a record that was read before it.
                head, has_head = read_head(self.disk, self.path)
                fd, status = open_log(self.disk, self.path, append=None)
                with closing(self.disk, fd):
                    state = load(self.disk, self.path, fd, status, head, has_head, after)
                lags = head is None or head.seq < state.reading.mark.seq
                if lags and tries_left and read_head(self.disk, self.path)[0] != head:
                    continue  # a writer has just finished: read again to get its lines and its head record together
                break
            except Shorter as error:  # a writer has just taken a failed write back
                if not tries_left:
                    raise explain(error, self.path, writing=False) from None
            except OSError as error:
                raise explain(error, self.path, writing=False) from None
        return state.reading

    def scan(self, findings: list[Finding]) -> Iterator[Line]:
        for lines in self.scan_blocks(findings):
            yield from lines

    def scan_blocks(self, findings: list[Finding]) -> Iterator[list[Line]]:
        """Read for `verify`: yield the good lines up to the first bad one, one block of the file at a time.

        Problems are appended to `findings`. Nothing is repaired or locked, and only one block is kept in memory.
        Whether bodies are canonical is left to `read_body`.

        Raises:
            Unreadable, NotRecorded: There is no log to read. Bad bytes are findings.
        """
        head = self.head()
        self.unproved = head is None
        with self._opened() as (fd, status):
            yield from scan_blocks(self.disk, fd, status.st_size, head, findings)

    def raw_lines(self, mark: Mark) -> Iterator[bytes]:
        """The bytes of each line with its newline, up to `mark`, the end of the reading that verified them.

        Raises:
            Damaged: `log.changed`, the file has changed since then. Unreadable, NotRecorded: it cannot be read.
        """
        with self._opened() as (fd, status):
            if (status.st_dev, status.st_ino) != (mark.dev, mark.ino) or status.st_size < mark.size:
                raise Damaged("log.changed", f"{self.path} changed while it was read", "run it again")
            for lines in blocks(self.disk, fd, 0, mark.size):
                yield from lines

    def lines_at(self, places: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, bytes]]:
        """Number and body bytes of open lines that a `scan` has checked, in the order of `places`.

        Args:
            places: (number, offset, size) of each line.

        Raises:
            Damaged: `log.changed`, the file has changed since. Unreadable, NotRecorded: it cannot be read.
        """
        with self._opened() as (fd, _):
            for seq, offset, size in places:
                raw = read_range(self.disk, fd, offset, size)
                at = raw.find(b',"body":')
                if len(raw) != size or at < 0 or not raw.startswith(b'{"seq":%d,' % seq):
                    raise Damaged("log.changed", f"line {seq} changed while it was read", "hl verify", line=seq)
                yield seq, raw[at + 8 : -2]

    def writing(self, after: Mark | None = None) -> Writer:
        """Lock, read and verify, ready to append: `with log.writing() as writer`. Nothing changes before `append`.

        `after` is as in `read`.

        Raises (on entering):
            NotRecorded: `log.locked`, `log.disk`. Damaged: it does not verify. Refused: the file's rights or names.
            Unreadable: there is no log, or it is redacted (`log.redacted`).
        """
        return Writer(self.disk, self.path, self.wait, after)

    def accept(self) -> Mark:
        """Make the last line of this file the head: a host accepts a copy that was restored on purpose.

        Raises:
            As `writing`, except `log.redacted`. The old head record is then unchanged.
        """
        try:
            fd, status = lock(self.disk, self.path, self.wait)
            with closing(self.disk, fd):
                mark = load(self.disk, self.path, fd, status, None, False, None).reading.mark
                self.disk.fsync(fd)
                replace_head(self.disk, self.path, Head(mark.seq, mark.hash))
                return mark
        except OSError as error:
            raise explain(error, self.path, writing=True) from None
