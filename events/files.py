"""The log as an open file: opened safely, locked, read in blocks; and what the system's errors mean to a host.

Belongs here: what comes before the first line is looked at. Does not belong here: lines, head record, writing.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import errno
import os
from io import BytesIO
from stat import S_IMODE, S_ISREG

from events.disk import attempt, folded, folder_of, in_folder, line_to_run, name_of
from events.entry import MAX_LINE_BYTES
from events.errors import LedgerError, NotRecorded, Refused, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from events.disk import Disk

__all__ = [
    "Shorter",
    "add_to_file",
    "blocks",
    "explain",
    "leftover",
    "lock",
    "open_log",
    "read_range",
    "replace_file",
    "same_file",
]

_BLOCK = 1 << 17
"""Bytes read at once: at least one line; with what is made of it, it stays in the processor's cache."""


class Shorter(OSError):
    """The file gave fewer bytes than it has: it was cut meanwhile, or the disk fails."""


def explain(error: OSError, path: str, *, writing: bool) -> LedgerError:
    """What a system error on the way to the log means to a host."""
    what = error.strerror or str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Unreadable("log.missing", f"there is no log at {path}")
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return Unreadable("log.symlink", f"{path} (or its head record) is a symbolic link", "name the file itself")
    if error.errno == errno.ENXIO:
        return Unreadable("log.not_a_file", f"{path} is no plain file")
    if error.errno == errno.EISDIR:
        return Unreadable("log.not_a_file", f"{path} is a folder")
    if writing:
        return NotRecorded(
            "log.disk", f"nothing was recorded, the log is as it was: {path}: {what}", "mend that, then run it again"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return Unreadable("log.denied", f"{path} may not be read: {what}", line_to_run("ls", "-l", path))
    return NotRecorded("log.disk", f"the disk does not give the log: {path}: {what}", "hl doctor")


def _own_copy(disk: Disk, path: str) -> str:
    """How to give a log with two names a file of its own."""
    own = f"{path}.own"
    if disk.system == "windows":
        return f"{line_to_run('copy', path, f'{path}.own.jsonl')}, and go on with that one"
    return f"{line_to_run('cp', path, own)} && {line_to_run('mv', own, path)}"


def open_log(disk: Disk, path: str, *, append: bool | None) -> tuple[int, os.stat_result]:
    """Open the log, which must be a plain file; its descriptor and what it is.

    Args:
        append: True to append to it, False to write in the midst of it, None to read it only.

    Raises:
        OSError: It cannot be opened. Unreadable: `log.not_a_file`.
    """
    fd = disk.open(path, os.O_RDONLY if append is None else os.O_RDWR | (os.O_APPEND if append else 0))
    try:
        found = disk.fstat(fd)
        if not S_ISREG(found.st_mode):
            raise Unreadable("log.not_a_file", f"{path} is no plain file")
    except BaseException:
        disk.close(fd)
        raise
    return fd, found


def lock(disk: Disk, path: str, wait: float) -> tuple[int, os.stat_result]:
    """Open the log for writing and take its lock, waiting at most `wait` seconds; the file that has the name then.

    Raises:
        OSError: It cannot be opened or locked.
        NotRecorded: `log.locked`, somebody else holds it still.
        Refused: `log.rights`, others may write to it; `log.names`, it has a second name.
    """
    until, pause = disk.clock() + wait, 0.001
    while True:
        fd, found = open_log(disk, path, append=True)
        try:
            while True:
                try:
                    disk.flock(fd)
                    break
                except BlockingIOError:
                    if disk.clock() >= until:
                        raise NotRecorded(
                            "log.locked",
                            f"nothing was recorded: another command has held {path} for {wait:g} s",
                            "let it end (a shell or run left open?), then run this again",
                        ) from None
                disk.sleep(pause)
                pause = min(pause * 1.5, 0.05)
            found = disk.fstat(fd)
            if not same_file(found, disk.stat(path)):
                if disk.clock() >= until:
                    raise NotRecorded("log.replaced", f"nothing was recorded: another program keeps replacing {path}")
                disk.close(fd)
                continue
            if disk.others_may_write(found):
                raise Refused(
                    "log.rights",
                    f"others may write to {path} (rights {S_IMODE(found.st_mode):04o}); nothing was recorded",
                    line_to_run("chmod", "600", path),
                )
            if found.st_nlink != 1 and leftover(disk, path, found) is None:
                raise Refused(
                    "log.names",
                    f"{path} is the same file as another (it has {found.st_nlink} names); nothing was recorded",
                    _own_copy(disk, path),
                )
        except BaseException:
            attempt(disk.close, fd)
            raise
        return fd, found


def leftover(disk: Disk, path: str, found: os.stat_result) -> str | None:
    """The temporary name that an interrupted creation left on the log, if that is its only other name."""
    if found.st_nlink != 2:
        return None
    folder = folder_of(path)
    start = folded(name_of(path) + ".new-")
    for other in disk.listdir(folder):
        if folded(other).startswith(start):
            full = in_folder(folder, other)
            if same_file(found, disk.stat(full)):
                return full
    return None


def same_file(one: os.stat_result, other: os.stat_result) -> bool:
    """Whether two answers are about one file."""
    return one.st_dev == other.st_dev and one.st_ino == other.st_ino


def read_range(disk: Disk, fd: int, offset: int, size: int) -> bytes:
    """Exactly `size` bytes from `offset`.

    Raises:
        Shorter: There are fewer. Never a reason to mend anything.
    """
    parts = []
    while size > 0:
        part = disk.pread(fd, size, offset)
        if not part:
            raise Shorter(errno.EIO, f"{size} bytes of it are missing at byte {offset}")
        parts.append(part)
        offset += len(part)
        size -= len(part)
    return b"".join(parts)


def blocks(disk: Disk, fd: int, offset: int, size: int) -> Iterator[Iterable[bytes]]:
    """The lines from `offset` to `size`, some at a time, each with its newline; the very last may have none.

    What is longer than any line comes as it is, and nothing after it: whoever reads stops there.
    """
    rest = b""
    while offset < size:
        block = read_range(disk, fd, offset, min(_BLOCK, size - offset))
        offset += len(block)
        cut = block.rfind(b"\n") + 1
        if cut:
            yield BytesIO(rest + block[:cut])
            rest = block[cut:]
        else:
            rest += block
        if len(rest) > MAX_LINE_BYTES:
            yield [rest]
            return
    if rest:
        yield [rest]


def add_to_file(disk: Disk, name: str, data: bytes) -> None:
    """Write at the end of a private file, made if it is not there; kept when this returns. Raises OSError."""
    fd = disk.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    try:
        if disk.write(fd, data) != len(data):
            raise OSError(errno.ENOSPC, "it was written in part")
        disk.fsync(fd)
    finally:
        disk.close(fd)


def replace_file(disk: Disk, name: str, data: bytes) -> None:
    """Put a private file in the place of whatever is there, whole; kept when this returns.

    Raises:
        OSError: What was there still stands.
    """
    fresh = f"{name}.new-{disk.random(8).hex()}"
    fd = disk.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    try:
        try:
            if disk.pwrite(fd, data, 0) != len(data):
                raise OSError(errno.ENOSPC, "it was written in part")
            disk.fsync(fd)
        finally:
            disk.close(fd)
        disk.replace(fresh, name)
    except OSError:
        attempt(disk.unlink, fresh)
        raise
    disk.fsync_folder(folder_of(name))
