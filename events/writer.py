"""Writing a log: creating one, complete or not at all and never replacing a file; and the single write that records.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress

from events.disk import DISK, Disk, attempt, closing, folder_of, same_file
from events.entry import GENESIS, Body, Line, write_body, write_line
from events.errors import LedgerError, NotRecorded, OutcomeUnknown, Unreadable
from events.files import Head, explain, head_path, leftover, lock, open_log, read_head, read_range, write_head
from events.reading import Mark, Reading, load, read_chain, set_aside, verify_lines


def fresh_salt(disk: Disk) -> str:
    """16 random bytes in hex. Without a salt, guesses of the content could be tested against its seal."""
    return disk.random(16).hex()


def create(path: str | os.PathLike[str], bodies: Sequence[Body], disk: Disk = DISK) -> list[Line]:
    """Create a log with these entries. They are durable on return.

    Args:
        path: The path of the log. Missing folders are created with rights 0700.
        bodies: At least one.

    Raises:
        Unreadable: `log.exists`, a file exists already; or an entry cannot be written.
        NotRecorded: The disk is full or failing; nothing was created. OutcomeUnknown: it may have been created.
    """
    raw, lines = written_lines(disk, bodies, 0, GENESIS, 0)
    return _create(disk, os.fspath(path), raw, lines)


def written_lines(
    disk: Disk, bodies: Sequence[Body], seq: int, prev: str, offset: int
) -> tuple[list[bytes], list[Line]]:
    """The lines of new entries, as bytes and as `Line`s; `seq`, `prev` and `offset` are the end of the log.

    Raises:
        Unreadable: An entry cannot be written.
    """
    raw, lines = [], []
    for body in bodies:
        data = write_body(body)
        seq += 1
        line, prev = write_line(seq, prev, fresh_salt(disk), data)
        lines.append(Line(seq, prev, data, offset, len(line)))
        raw.append(line)
        offset += len(line)
    return raw, lines


def create_copy(path: str | os.PathLike[str], raw: Sequence[bytes]) -> list[Line]:
    """Create a log from lines of another copy, byte for byte. They are durable on return.

    Raises:
        Damaged: The lines do not form a whole log. Otherwise as `create`.
    """
    return _create(DISK, os.fspath(path), raw, list(read_chain(raw)))


def _create(disk: Disk, path: str, raw: Sequence[bytes], lines: list[Line]) -> list[Line]:
    """Create the log if neither it nor its head record exists. Interrupts are held back meanwhile."""
    if not lines:
        raise ValueError("a log begins with an entry")
    for name in (path, head_path(path)):
        try:
            disk.stat(name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise explain(error, path, writing=True) from None
        raise _exists(path, name)
    signals = disk.hold_signals()
    try:
        _make(disk, path, b"".join(raw), Head(lines[-1].seq, lines[-1].hash))
    finally:
        disk.release_signals(signals)
    return lines


def _exists(path: str, name: str) -> Unreadable:
    if name == path:
        return Unreadable("log.exists", f"{path} already exists", "choose another folder")
    what = f"{name} is here, so a log that belongs to it is gone"
    return Unreadable("log.exists", what, f"restore {path}, or choose another folder")


def _make(disk: Disk, path: str, data: bytes, head: Head) -> None:
    folder = folder_of(path)
    created: list[str] = []
    temporary, fd, linked = f"{path}.new-{disk.random(8).hex()}", -1, False
    try:
        _make_folders(disk, folder, created)
        fd = disk.open(temporary, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        disk.flock(fd)  # so that nobody appends before the temporary name is gone
        written = disk.write(fd, data)
        if written != len(data):
            raise OSError(errno.ENOSPC, f"the disk took only {written} of {len(data)} bytes")
        disk.fsync(fd)
        fd = disk.give_name(fd, temporary, path)
        linked = True
        fd = disk.settle_name(fd, temporary, path)
        disk.fsync_folder(folder)
        for name in reversed(created):
            disk.fsync_folder(folder_of(name))
    except OSError as error:
        raise _undo(disk, path, temporary, fd, linked, created, error) from None
    if fd >= 0:
        attempt(_first_head, disk, path, fd, len(data), head)  # the log is durable without it; readings report a gap
        attempt(disk.close, fd)


def _first_head(disk: Disk, path: str, fd: int, size: int, head: Head) -> None:
    """Write the head record of a new log, unless another process recorded in it while the lock was released."""
    if disk.fstat(fd).st_size == size:
        write_head(disk, path, head, None)


def _make_folders(disk: Disk, folder: str, created: list[str]) -> None:
    """Create the missing folders of a path, outermost first, and add each to `created`."""
    try:
        if folder:
            disk.stat(folder)
    except FileNotFoundError:
        _make_folders(disk, folder_of(folder), created)
        with suppress(FileExistsError):  # another process was quicker
            disk.mkdir(folder)
            created.append(folder)


def _undo(
    disk: Disk, path: str, temporary: str, fd: int, linked: bool, created: list[str], error: OSError
) -> NotRecorded | OutcomeUnknown | Unreadable:
    """Close and remove what was created; return the error for the host. A log whose lock was released stays."""
    is_open = fd >= 0
    try:
        if linked:
            if not is_open:
                raise error
            disk.unlink(path)
            disk.fsync_folder(folder_of(path))
    except OSError as second:
        what = f"it is unknown whether {path} was made: {error.strerror}; removing it failed: {second.strerror}"
        return OutcomeUnknown("log.unknown", what, "hl doctor")
    finally:
        if is_open:
            attempt(disk.close, fd)
    for name in ([temporary] if is_open else []) + created[::-1]:
        attempt(disk.unlink if name == temporary else disk.rmdir, name)
    if isinstance(error, FileExistsError):
        return _exists(path, path)
    return NotRecorded("log.disk", f"nothing was made: {path}: {error.strerror}", "fix that, then run it again")


class Writer:
    """A log that is locked and read. Leaving the `with` block releases the lock.

    reading: its lines on entering, or only those after the given mark. warnings: to show after an `append`.
    mark: the end of the log after the last `append`.
    interrupted: an interrupt came during an `append` that succeeded; the caller should stop.
    """

    reading: Reading
    mark: Mark

    def __init__(self, disk: Disk, path: str, wait: float, after: Mark | None) -> None:
        self._disk, self._path, self._wait, self._after = disk, path, wait, after
        self._fd = -1
        self.warnings: list[str] = []
        self.interrupted = False

    def __enter__(self) -> Writer:
        disk, path = self._disk, self._path
        try:
            self._fd, self._status = lock(disk, path, self._wait)
            try:
                self._head, has_head = read_head(disk, path)
                self._state = load(disk, path, self._fd, self._status, self._head, has_head, self._after)
                self.reading, self.mark = self._state.reading, self._state.reading.mark
                if any(line.body is None for line in self.reading.lines):
                    what = f"{path} is a redacted copy: you can verify it, but not record in it"
                    raise Unreadable("log.redacted", what)
                self._confirm(self._head)
            except BaseException:
                self._close()
                raise
        except OSError as error:
            raise explain(error, path, writing=True) from None
        return self

    def _confirm(self, head: Head | None) -> None:
        """Make lines after the head record durable before anything is based on them.

        The command that wrote them may have died before its flush, or after a failed flush, which leaves the kernel
        believing that its pages are clean. Writing the same bytes again marks them dirty, so this flush is effective.
        """
        if head is not None and head.seq >= self.mark.seq:
            return
        disk = self._disk
        if head is not None:
            start = next((line.offset for line in self.reading.lines if line.seq == head.seq + 1), self.mark.size)
            size = min(self.mark.size, self._status.st_size) - start
            data = read_range(disk, self._fd, start, size)
            fd, status = open_log(disk, self._path, append=False)
            with closing(disk, fd):
                if not same_file(status, self._status) or disk.pwrite(fd, data, start) != size:
                    raise OSError(errno.EIO, "it is unknown whether the last lines reached the disk")
        disk.fsync(self._fd)

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            attempt(self._disk.close, fd)  # nothing depends on the result

    def append(self, bodies: Sequence[Body]) -> list[Line]:
        """Record entries in one write with one flush. They are durable on return.

        Args:
            bodies: The entries of one command, in order. If there are several, `batch` (`joined` for those that `join`
                brought) is the number of the first.

        Returns:
            Their lines. `warnings` may have grown.

        Raises:
            Unreadable: An entry cannot be written. NotRecorded: the disk is full or failing; the log is unchanged.
            OutcomeUnknown: They may have been recorded. After these last two, leave the `with` block.
        """
        raw, lines = self._made(bodies)
        if lines:
            self._record(raw, lines)
        return lines

    def _made(self, bodies: Sequence[Body]) -> tuple[list[bytes], list[Line]]:
        if self._fd < 0:
            raise ValueError("append after the lock was given up")
        return written_lines(self._disk, bodies, self.mark.seq, self.mark.hash, self.mark.size)

    def take_over(self, raw: Sequence[bytes]) -> list[Line]:
        """Record lines that another copy made for this log, byte for byte, and add them to `reading`.

        Raises:
            Damaged: A line does not continue the log; none is recorded. Otherwise as `append`.
        """
        lines: list[Line] = []
        error = verify_lines(raw, lines, self.mark.seq, self.mark.hash, self.mark.size)
        if error is not None:
            raise error
        if lines:
            self._record(raw, lines)
            self.reading = self.reading._replace(lines=[*self.reading.lines, *lines], mark=self.mark)
        return lines

    def _record(self, raw: Sequence[bytes], lines: Sequence[Line]) -> None:
        """Write lines that continue the log, then the head record, with interrupts held back. Raises as `append`."""
        previous: Head | None = Head(lines[-1].seq - 1, lines[-2].hash if len(lines) > 1 else self.mark.hash)
        seq, last = lines[-1].seq, lines[-1].hash
        signals, recorded = self._disk.hold_signals(), False
        try:
            self._repair()
            self._put(b"".join(raw))
            recorded = True
            if self._head is not None and (seq - self._head.seq) % 2:
                previous = None
            self.mark = Mark(self.mark.dev, self.mark.ino, lines[-1].offset + lines[-1].size, seq, last)
            error = attempt(write_head, self._disk, self._path, Head(seq, last), previous)
            self._head = Head(seq, last) if error is None else None
            if error is not None:
                self.warnings.append(f"recorded, but log.jsonl.head could not be written ({error.strerror}): hl doctor")
        except LedgerError:
            self._close()
            raise
        finally:
            try:
                self._disk.release_signals(signals)
            except KeyboardInterrupt:
                if not recorded:
                    raise
                self.interrupted = True
                self.warnings.append("you interrupted too late: it is recorded")

    def _repair(self) -> None:
        """Repair what an interrupted command left: a second name, a missing newline, a torn tail."""
        disk, path, (_, torn, lacks_newline) = self._disk, self._path, self._state
        size = self.mark.size
        try:
            if (second_name := leftover(disk, path, self._status)) is not None:
                disk.unlink(second_name)
            if lacks_newline:
                try:
                    disk.write(self._fd, b"\n")
                    disk.fsync(self._fd)
                except OSError:
                    disk.ftruncate(self._fd, size - 1)
                    raise
                self.warnings.append(f"line {self.mark.seq} had no newline at its end: added")
            elif torn:
                torn_path = set_aside(disk, path, self._fd, size, torn)
                self.warnings.append(f"{len(torn)} bytes of an unfinished entry were moved to {torn_path}")
        except OSError as error:
            raise explain(error, path, writing=True) from None
        self._state = self._state._replace(torn=b"", unended=False)

    def _put(self, data: bytes) -> None:
        """The write itself. Raises NotRecorded (the log is unchanged) or OutcomeUnknown."""
        disk, path, size = self._disk, self._path, self.mark.size
        try:
            present_size = disk.fstat(self._fd).st_size
        except OSError as error:
            raise explain(error, path, writing=True) from None
        if present_size != size:
            raise NotRecorded("log.changed", f"nothing was recorded: another program writes to {path}", "hl verify")
        try:
            written = disk.write(self._fd, data)
            if written != len(data):
                raise OSError(errno.ENOSPC, f"the disk took only {written} of {len(data)} bytes")
            disk.fsync(self._fd)  # once: after a failure the kernel may treat pages as clean that are not on disk
        except OSError as error:
            try:
                disk.ftruncate(self._fd, size)
                disk.fsync(self._fd)
            except OSError as second:
                raise OutcomeUnknown(
                    "log.unknown",
                    f"it is unknown whether this was recorded: {error.strerror}; taking it back failed: "
                    f"{second.strerror}",
                    f"stop using this disk, copy {path} elsewhere, then: hl doctor",
                ) from None
            what = f"nothing was recorded; the log is unchanged: {error.strerror}"
            raise NotRecorded("log.disk", what, "free some space or repair the disk, then run it again") from None
        try:
            opened, on_disk = disk.fstat(self._fd), disk.stat(path)
        except OSError as error:
            what = f"written, but the disk did not confirm it: {error.strerror}"
            raise OutcomeUnknown("log.unknown", what, "hl doctor") from None
        if not same_file(opened, on_disk) or opened.st_size != size + len(data):
            what = f"another program replaced {path} or wrote to it in the meantime"
            raise OutcomeUnknown("log.unknown", what, "hl doctor")
