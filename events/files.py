"""The log as an open file: opening it safely, locking it, reading it in blocks, and explaining system errors to a host.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from stat import S_IMODE, S_ISREG

from events.disk import Disk, attempt, closing, folded, folder_of, in_folder, line_to_run, name_of, same_file
from events.entry import MAX_LINE_BYTES
from events.errors import LedgerError, NotRecorded, Refused, Unreadable
from events.record import NamedTuple

_BLOCK_BYTES = 1 << 17
"""Bytes read at once: more than one line, and small enough to stay in the processor's cache with the results."""


class Shorter(OSError):
    """The file yielded fewer bytes than its size: it was cut in the meantime, or the disk is failing."""


def explain(error: OSError, path: str, *, writing: bool) -> LedgerError:
    """Turn a system error on the log into an error for a host."""
    cause = error.strerror or str(error)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Unreadable("log.missing", f"there is no log at {path}")
    if error.errno in (errno.ELOOP, errno.EMLINK):
        what = f"{path} (or its .head file) is a symbolic link, which hl does not follow"
        return Unreadable("log.symlink", what, "name the file itself")
    if error.errno == errno.ENXIO:
        return Unreadable("log.not_a_file", f"{path} is not a plain file")
    if error.errno == errno.EISDIR:
        return Unreadable("log.not_a_file", f"{path} is a folder")
    if writing:
        what = f"nothing was recorded; the log is unchanged: {path}: {cause}"
        return NotRecorded("log.disk", what, "fix that, then run it again")
    if error.errno in (errno.EACCES, errno.EPERM):
        return Unreadable("log.denied", f"you may not read {path}: {cause}", line_to_run("ls", "-l", path))
    return NotRecorded("log.disk", f"the log cannot be read from the disk: {path}: {cause}", "hl doctor")


def _own_copy(disk: Disk, path: str) -> str:
    """The command line that turns one of a log's two names into a separate file."""
    copy = f"{path}.own"
    if disk.system == "windows":
        return f"{line_to_run('copy', path, f'{path}.own.jsonl')}, and go on with that one"
    return f"{line_to_run('cp', path, copy)} && {line_to_run('mv', copy, path)}"


def open_log(disk: Disk, path: str, *, append: bool | None) -> tuple[int, os.stat_result]:
    """Open the log, which must be a plain file; return its descriptor and status.

    Args:
        append: True to append, False to write inside the file, None to only read.

    Raises:
        OSError: It cannot be opened. Unreadable: `log.not_a_file`.
    """
    fd = disk.open(path, os.O_RDONLY if append is None else os.O_RDWR | (os.O_APPEND if append else 0))
    try:
        status = disk.fstat(fd)
        if not S_ISREG(status.st_mode):
            raise Unreadable("log.not_a_file", f"{path} is not a plain file")
    except BaseException:
        disk.close(fd)
        raise
    return fd, status


def lock(disk: Disk, path: str, wait: float) -> tuple[int, os.stat_result]:
    """Open the log for writing and take its lock, waiting at most `wait` seconds; return descriptor and status.

    If another file gets the name before the lock is taken, that file is opened instead.

    Raises:
        OSError: It cannot be opened or locked.
        NotRecorded: `log.locked`, another process still holds it.
        Refused: `log.rights`, others may write to it; `log.names`, it has a second name.
    """
    deadline, pause = disk.clock() + wait, 0.001
    while True:
        fd, status = open_log(disk, path, append=True)
        try:
            while True:
                try:
                    disk.flock(fd)
                    break
                except BlockingIOError:
                    if disk.clock() >= deadline:
                        what = f"nothing was recorded: another command has held {path} for {wait:g} s"
                        fix = "wait until it ends (is an hl shell or hl run still open?), then run this again"
                        raise NotRecorded("log.locked", what, fix) from None
                disk.sleep(pause)
                pause = min(pause * 1.5, 0.05)
            status = disk.fstat(fd)
            if not same_file(status, disk.stat(path)):
                if disk.clock() >= deadline:
                    raise NotRecorded("log.replaced", f"nothing was recorded: another program keeps replacing {path}")
                disk.close(fd)
                continue
            if disk.others_may_write(status):
                what = f"nothing was recorded: others may write to {path} (rights {S_IMODE(status.st_mode):04o})"
                raise Refused("log.rights", what, line_to_run("chmod", "600", path))
            if status.st_nlink != 1 and leftover(disk, path, status) is None:
                what = f"nothing was recorded: {path} has {status.st_nlink} names, so another name may write to it too"
                raise Refused("log.names", what, _own_copy(disk, path))
        except BaseException:
            attempt(disk.close, fd)
            raise
        return fd, status


def leftover(disk: Disk, path: str, status: os.stat_result) -> str | None:
    """The temporary name that an interrupted `create` left on the log, if it is the log's only other name."""
    if status.st_nlink != 2:
        return None
    folder = folder_of(path)
    start = folded(name_of(path) + ".new-")
    names = (in_folder(folder, name) for name in disk.listdir(folder) if folded(name).startswith(start))
    return next((name for name in names if same_file(status, disk.stat(name))), None)


def read_range(disk: Disk, fd: int, offset: int, size: int) -> bytes:
    """Exactly `size` bytes from `offset`.

    Raises:
        Shorter: The file has fewer. This is never a reason to repair anything.
    """
    parts = []
    while size > 0:
        if not (part := disk.pread(fd, size, offset)):
            raise Shorter(errno.EIO, f"{size} bytes are missing at byte {offset}")
        parts.append(part)
        offset += len(part)
        size -= len(part)
    return b"".join(parts)


def blocks(disk: Disk, fd: int, offset: int, size: int) -> Iterator[Iterable[bytes]]:
    """The lines from `offset` to `size`, block by block, each with its newline; only the last may lack it.

    A run of bytes longer than any line is yielded as it is, and ends the iteration.
    """
    partial = b""
    while offset < size:
        block = read_range(disk, fd, offset, min(_BLOCK_BYTES, size - offset))
        offset += len(block)
        cut = block.rfind(b"\n") + 1
        if cut:
            yield BytesIO(partial + block[:cut])
            partial = block[cut:]
        else:
            partial += block
        if len(partial) > MAX_LINE_BYTES:
            yield [partial]
            return
    if partial:
        yield [partial]


def add_to_file(disk: Disk, name: str, data: bytes) -> None:
    """Append to a private file, creating it if missing. The bytes are durable on return. Raises OSError."""
    with closing(disk, disk.open(name, os.O_RDWR | os.O_APPEND | os.O_CREAT)) as fd:
        if disk.write(fd, data) != len(data):
            raise OSError(errno.ENOSPC, "only part of it was written")
        disk.fsync(fd)


def replace_file(disk: Disk, name: str, data: bytes) -> None:
    """Replace or create a private file with this content. It is durable on return.

    Raises:
        OSError: The old file is unchanged.
    """
    temporary = f"{name}.new-{disk.random(8).hex()}"
    fd = disk.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    try:
        with closing(disk, fd):
            if disk.pwrite(fd, data, 0) != len(data):
                raise OSError(errno.ENOSPC, "only part of it was written")
            disk.fsync(fd)
        disk.replace(temporary, name)
    except OSError:
        attempt(disk.unlink, temporary)
        raise
    disk.fsync_folder(folder_of(name))


# ---- the head record: a file beside the log with the last acknowledged entry -----------------------------------------


_SLOT_BYTES = 160
_BLANK = b" " * (_SLOT_BYTES - 1) + b"\n"


class Head(NamedTuple):
    seq: int
    hash: str


def head_path(path: str) -> str:
    return path + ".head"


def _slot(head: Head) -> bytes:
    """The 160 bytes of a record."""
    text = f"{head.seq} {head.hash}".encode()
    return (text + b" " + sha256(text).hexdigest()[:16].encode()).ljust(_SLOT_BYTES - 1) + b"\n"


def _whole_file(head: Head) -> bytes:
    return _BLANK + _slot(head) if head.seq % 2 else _slot(head) + _BLANK


def read_head(disk: Disk, path: str) -> tuple[Head | None, bool]:
    """The newest intact head record of a log, and whether a head file exists at all.

    Raises:
        OSError: The head file cannot be read, or is not a plain file.
    """
    try:
        fd = disk.open(head_path(path), os.O_RDONLY)
    except FileNotFoundError:
        return None, False
    with closing(disk, fd):
        if not S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "the .head file is not a plain file")
        data = b""
        while len(data) < 2 * _SLOT_BYTES and (part := disk.pread(fd, 2 * _SLOT_BYTES - len(data), len(data))):
            data += part
    return max(filter(None, (_read_slot(data, slot) for slot in (0, 1))), default=None), True


def _read_slot(data: bytes, slot: int) -> Head | None:
    """The record in a slot, if it is intact and belongs in that slot."""
    record = data[slot * _SLOT_BYTES : (slot + 1) * _SLOT_BYTES]
    seq, _, after_seq = record.partition(b" ")
    if not seq.isdigit():
        return None
    head = Head(int(seq), after_seq[:64].decode("ascii", "replace"))
    return head if head.seq % 2 == slot and record == _slot(head) else None


def write_head(disk: Disk, path: str, head: Head, before: Head | None) -> None:
    """Write one record into its slot and flush it.

    Args:
        head: The last line, already flushed.
        before: The line before it, when the slot of `head` holds the present record (after a batch of two lines, for
            instance). It is written first, into the other slot: otherwise an interruption would leave no record.

    Raises:
        OSError: The record may not have been written. The present record, or that of `before`, is intact.
    """
    name, is_new = head_path(path), False
    try:
        fd = disk.open(name, os.O_RDWR)
    except FileNotFoundError:
        fd, is_new = disk.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL), True
    with closing(disk, fd):
        if not S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "the .head file is not a plain file")
        if is_new:
            parts = [(_whole_file(head), 0)]
        else:
            parts = [(_slot(record), record.seq % 2 * _SLOT_BYTES) for record in (before, head) if record is not None]
        for part, at in parts:
            if disk.pwrite(fd, part, at) != len(part):
                raise OSError(errno.ENOSPC, "only part of the .head file was written")
        disk.fsync(fd)
    if is_new:
        disk.fsync_folder(folder_of(name))


def replace_head(disk: Disk, path: str, head: Head) -> None:
    """Replace the head file with one that has only this record.

    Raises:
        OSError: The old head file is unchanged.
    """
    replace_file(disk, head_path(path), _whole_file(head))
