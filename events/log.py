"""The log of a match as a file: reading it in three ways, and opening it for writing.

Source: docs/log-format.md sections 6 to 9.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from events.disk import DISK, Disk
from events.entry import Line
from events.errors import Damaged
from events.files import Head, Shorter, blocks, explain, lock, open_log, read_head, read_range, replace_head
from events.reading import Finding, Mark, Reading, load, scan_blocks
from events.writer import Writer


class LogFile:
    """One log. Between calls it holds only the path.

    Args:
        path: The log; its head record and files set aside are beside it.
        disk: The door to the disk.
        wait: Seconds to wait for the lock.

    After `scan`: `unproved` is True when there is no head record to prove the end of the log.
    shared: Are its lines on a server too? False here; ledger/wire/mirror.py has the class for which it is True.
    """

    shared = False

    def __init__(self, path: str | os.PathLike[str], disk: Disk = DISK, wait: float = 10.0) -> None:
        self.path = os.fspath(path)
        self.disk = disk
        self.wait = wait
        self.unproved = False

    @contextmanager
    def _opened(self) -> Iterator[tuple[int, os.stat_result]]:
        """The file, open for reading: its descriptor and status. An error of the system is told as one of the log."""
        try:
            fd, status = open_log(self.disk, self.path, append=None)
            try:
                yield fd, status
            finally:
                self.disk.close(fd)
        except OSError as error:
            raise explain(error, self.path, writing=False) from None

    def head(self) -> Head | None:
        """Number and hash of the last acknowledged line, or None without a head record.

        Raises:
            Unreadable, NotRecorded: It cannot be read.
        """
        try:
            return read_head(self.disk, self.path)[0]
        except OSError as error:
            raise explain(error, self.path, writing=False) from None

    def read(self, after: Mark | None = None) -> Reading:
        """Read and verify, without lock. An unfinished last line past the head is left out, with a note.

        Args:
            after: The end of an earlier reading; then only new lines are read, if the file is still the same one.

        Raises:
            Damaged: It does not verify, or is behind its head record. Unreadable: there is no log to read.
            NotRecorded: `log.disk`, the disk fails to read it.
        """
        for tries_left in (4, 3, 2, 1, 0):
            try:
                # The head first: the log only grows, so it cannot be behind a record that was read before it.
                head, has_head = read_head(self.disk, self.path)
                fd, status = open_log(self.disk, self.path, append=None)
                try:
                    state = load(self.disk, self.path, fd, status, head, has_head, after)
                finally:
                    self.disk.close(fd)
                lags = head is None or head.seq < state.reading.mark.seq
                if lags and tries_left and read_head(self.disk, self.path)[0] != head:
                    continue  # a writer has just finished: read its lines together with its head record
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
        """Read for `verify`: yield the good lines up to the first bad one, a block of the file at a time.

        Appends what is wrong to `findings`.

        Never repairs, takes no lock, keeps one block in memory. `read_body` checks whether bodies are canonical.

        Raises:
            Unreadable, NotRecorded: There is no log to read. Bad bytes are findings.
        """
        head = self.head()
        self.unproved = head is None
        with self._opened() as (fd, status):
            yield from scan_blocks(self.disk, fd, status.st_size, head, findings)

    def raw_lines(self, mark: Mark) -> Iterator[bytes]:
        """The bytes of each line, with its newline, up to the end of the reading that verified them.

        Raises:
            Damaged: `log.changed`, the file has changed since. Unreadable, NotRecorded: it cannot be read.
        """
        with self._opened() as (fd, status):
            if (status.st_dev, status.st_ino) != (mark.dev, mark.ino) or status.st_size < mark.size:
                raise Damaged("log.changed", f"{self.path} changed while it was read", "run it again")
            for lines in blocks(self.disk, fd, 0, mark.size):
                yield from lines

    def lines_at(self, places: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, bytes]]:
        """The body bytes of open lines that a `scan` has checked, in any order.

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
        """Lock, read and verify, ready to append: `with log.writing() as writer`. Nothing is changed before `append`.

        Args:
            after: The end of an earlier reading; then only new lines are read, if the file is still the same one.

        Raises (on entering):
            NotRecorded: `log.locked`, `log.disk`. Damaged: it does not verify. Refused: its rights.
            Unreadable: there is no log, or it is redacted (`log.redacted`).
        """
        return Writer(self.disk, self.path, self.wait, after)

    def accept(self) -> Mark:
        """Make the last line of this file the head: a host accepts a copy that was restored on purpose.

        Raises:
            As `writing`, but not for a redacted log. The old head record is unchanged then.
        """
        try:
            fd, status = lock(self.disk, self.path, self.wait)
            try:
                mark = load(self.disk, self.path, fd, status, None, False, None).reading.mark
                self.disk.fsync(fd)
                replace_head(self.disk, self.path, Head(mark.seq, mark.hash))
                return mark
            finally:
                self.disk.close(fd)
        except OSError as error:
            raise explain(error, self.path, writing=True) from None
