"""Making a new log: it appears whole, or not at all, and never over anything.

Belongs here: the temporary file, the name, the folder. Does not belong here: appending (log.py).

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import errno
import os

from events.chain import read_chain
from events.disk import DISK, Disk, attempt, folder_of
from events.entry import GENESIS, Body, Line, write_body, write_line
from events.errors import NotRecorded, OutcomeUnknown, Unreadable
from events.files import explain
from events.head import Head, head_path, write_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["create", "create_copy", "fresh_salt"]


def fresh_salt(disk: Disk) -> str:
    """16 random bytes in hex: without them a seal could be guessed open."""
    return disk.random(16).hex()


def create(path: str | os.PathLike[str], bodies: Sequence[Body], disk: Disk = DISK) -> list[Line]:
    """Make a log with these entries. When this returns they are kept.

    Args:
        path: Its name. Folders that are missing are made, with rights 0700.
        bodies: At least one.

    Raises:
        Unreadable: `log.exists`, something stands there already; or an entry cannot be written.
        NotRecorded: Disk full or failing; nothing was made. OutcomeUnknown: it cannot be told from here.
    """
    path = os.fspath(path)
    seq, prev, offset = 0, GENESIS, 0
    parts, lines = [], []
    for body in bodies:
        data = write_body(body)
        seq += 1
        raw, prev = write_line(seq, prev, fresh_salt(disk), data)
        lines.append(Line(seq, prev, data, offset, len(raw)))
        parts.append(raw)
        offset += len(raw)
    if not lines:
        raise ValueError("a log begins with an entry")
    _create(disk, path, b"".join(parts), Head(seq, prev))
    return lines


def create_copy(path: str | os.PathLike[str], raw: Sequence[bytes], disk: Disk = DISK) -> list[Line]:
    """Make a log of lines that were made elsewhere, byte for byte. When this returns they are kept.

    Raises:
        Damaged: They are no log, or not a whole one. Otherwise as `create`.
    """
    lines = list(read_chain(raw))
    if not lines:
        raise ValueError("a log begins with an entry")
    _create(disk, os.fspath(path), b"".join(raw), Head(lines[-1].seq, lines[-1].hash))
    return lines


def _create(disk: Disk, path: str, data: bytes, head: Head) -> None:
    """Make the log, where nothing of one stands; interrupts wait."""
    for name in (path, head_path(path)):
        try:
            disk.stat(name)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise explain(error, path, writing=True) from None
        raise _exists(path, name)
    held = disk.hold_signals()
    try:
        _make(disk, path, data, head)
    finally:
        disk.release_signals(held)


def _exists(path: str, name: str) -> Unreadable:
    if name == path:
        return Unreadable("log.exists", f"{path} is there already", "choose another folder")
    return Unreadable(
        "log.exists", f"{name} is there, so there was a log here that is gone", f"bring {path} back, or choose another"
    )


def _make(disk: Disk, path: str, data: bytes, head: Head) -> None:
    folder = folder_of(path)
    made: list[str] = []
    temporary, fd, linked = f"{path}.new-{disk.random(8).hex()}", -1, False
    try:
        _make_folders(disk, folder, made)
        fd = disk.open(temporary, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL)
        disk.flock(fd)  # so that nobody appends before the temporary name is gone
        taken = disk.write(fd, data)
        if taken != len(data):
            raise OSError(errno.ENOSPC, f"the disk took {taken} of {len(data)} bytes")
        disk.fsync(fd)
        fd = disk.give_name(fd, temporary, path)
        linked = True
        fd = disk.settle_name(fd, temporary, path)
        disk.fsync_folder(folder)
        for name in reversed(made):
            disk.fsync_folder(folder_of(name))
    except OSError as error:
        raise _undo(disk, path, temporary, fd, linked, made, error) from None
    if fd >= 0:
        attempt(_first_head, disk, path, fd, len(data), head)  # without it the log is kept; readings say so
        attempt(disk.close, fd)


def _first_head(disk: Disk, path: str, fd: int, size: int, head: Head) -> None:
    """Write the head record of a new log, unless somebody has recorded in it while its lock was given up."""
    if disk.fstat(fd).st_size == size:
        write_head(disk, path, head, None)


def _make_folders(disk: Disk, folder: str, made: list[str]) -> None:
    """Make what is missing of a path, outermost first, noting each in `made`."""
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
            continue  # somebody was quicker
        made.append(name)


def _undo(
    disk: Disk, path: str, temporary: str, fd: int, linked: bool, made: list[str], error: OSError
) -> NotRecorded | OutcomeUnknown | Unreadable:
    """Take back what was made, and close it; what to tell the host. A log whose lock was given up is left alone."""
    opened = fd >= 0
    try:
        if linked:
            if not opened:
                raise error
            disk.unlink(path)
            disk.fsync_folder(folder_of(path))
    except OSError as second:
        return OutcomeUnknown(
            "log.unknown",
            f"whether {path} was made is unknown: {error.strerror}; taking it back: {second.strerror}",
            "hl doctor",
        )
    finally:
        if opened:
            attempt(disk.close, fd)
    for name in ([temporary] if opened else []) + made[::-1]:
        attempt(disk.unlink if name == temporary else disk.rmdir, name)
    if isinstance(error, FileExistsError):
        return _exists(path, path)
    return NotRecorded("log.disk", f"nothing was made: {path}: {error.strerror}", "mend that, then run it again")
