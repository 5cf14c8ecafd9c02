"""Making a new log: it appears whole, or not at all, and never replaces a file.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from events.chain import read_chain
from events.disk import DISK, Disk, attempt, folder_of
from events.entry import GENESIS, Body, Line, write_body, write_line
from events.errors import NotRecorded, OutcomeUnknown, Unreadable
from events.files import Head, explain, head_path, write_head


def fresh_salt(disk: Disk) -> str:
    """16 random bytes in hex: without a salt the content behind a seal could be guessed."""
    return disk.random(16).hex()


def create(path: str | os.PathLike[str], bodies: Sequence[Body], disk: Disk = DISK) -> list[Line]:
    """Make a log with these entries. When this returns they are durable.

    Args:
        path: Its path. Missing folders are made, with rights 0700.
        bodies: At least one.

    Raises:
        Unreadable: `log.exists`, there is a file already; or an entry cannot be written.
        NotRecorded: Disk full or failing; nothing was made. OutcomeUnknown: whether it was made cannot be told.
    """
    raw, lines = written_lines(disk, bodies, 0, GENESIS, 0)
    return _create(disk, os.fspath(path), raw, lines)


def written_lines(
    disk: Disk, bodies: Sequence[Body], seq: int, prev: str, offset: int
) -> tuple[list[bytes], list[Line]]:
    """The lines of new entries, as bytes and as checked lines; `seq`, `prev`, `offset`: where the log ends.

    Raises:
        Unreadable: one cannot be written.
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


def create_copy(path: str | os.PathLike[str], raw: Sequence[bytes], disk: Disk = DISK) -> list[Line]:
    """Make a log of lines from elsewhere, byte for byte. When this returns they are durable.

    Raises:
        Damaged: They do not form a whole log. Otherwise as `create`.
    """
    return _create(disk, os.fspath(path), raw, list(read_chain(raw)))


def _create(disk: Disk, path: str, raw: Sequence[bytes], lines: list[Line]) -> list[Line]:
    """Make the log if neither it nor its head record exists; interrupts wait."""
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
    return Unreadable(
        "log.exists",
        f"{name} is here, so a log that belongs to it is gone",
        f"restore {path}, or choose another folder",
    )


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
        attempt(_first_head, disk, path, fd, len(data), head)  # the log is durable without it; readings mention it
        attempt(disk.close, fd)


def _first_head(disk: Disk, path: str, fd: int, size: int, head: Head) -> None:
    """Write the head record of a new log, unless another process recorded in it while its lock was released."""
    if disk.fstat(fd).st_size == size:
        write_head(disk, path, head, None)


def _make_folders(disk: Disk, folder: str, created: list[str]) -> None:
    """Make the missing folders of a path, outermost first, and add each to `created`."""
    missing = []
    while folder:
        try:
            disk.stat(folder)
            break
        except FileNotFoundError:
            missing.append(folder)
            folder = folder_of(folder)
    for name in reversed(missing):
        try:
            disk.mkdir(name)
        except FileExistsError:
            continue  # another process was quicker
        created.append(name)


def _undo(
    disk: Disk, path: str, temporary: str, fd: int, linked: bool, created: list[str], error: OSError
) -> NotRecorded | OutcomeUnknown | Unreadable:
    """Remove what was created, and close it; returns the error for the host. A log whose lock was released stays."""
    is_open = fd >= 0
    try:
        if linked:
            if not is_open:
                raise error
            disk.unlink(path)
            disk.fsync_folder(folder_of(path))
    except OSError as second:
        return OutcomeUnknown(
            "log.unknown",
            f"it is unknown whether {path} was made: {error.strerror}; removing it failed: {second.strerror}",
            "hl doctor",
        )
    finally:
        if is_open:
            attempt(disk.close, fd)
    for name in ([temporary] if is_open else []) + created[::-1]:
        attempt(disk.unlink if name == temporary else disk.rmdir, name)
    if isinstance(error, FileExistsError):
        return _exists(path, path)
    return NotRecorded("log.disk", f"nothing was made: {path}: {error.strerror}", "fix that, then run it again")
