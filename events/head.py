"""The head record: beside the log, how far entries were acknowledged.

Belongs here: the two slots of `log.jsonl.head`, read and written. Does not belong here: what follows when the record
and the log disagree (log.py). The log is flushed before its head record is written, so the record never leads.

Source: docs/log-format.md section 6.
"""

from __future__ import annotations

import errno
import os
from stat import S_ISREG

from events.digest import sha256
from events.disk import folder_of
from events.files import replace_file
from events.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from events.disk import Disk

__all__ = ["Head", "head_path", "read_head", "replace_head", "write_head"]

_SLOT = 160
_BLANK = b" " * (_SLOT - 1) + b"\n"


class Head(NamedTuple):
    """Number and hash of the last acknowledged line."""

    seq: int
    hash: str


def head_path(path: str) -> str:
    """Where the head record of a log stands."""
    return path + ".head"


def _slot(head: Head) -> bytes:
    """The 160 bytes of a record."""
    text = f"{head.seq} {head.hash}".encode()
    return (text + b" " + sha256(text).hexdigest()[:16].encode()).ljust(_SLOT - 1) + b"\n"


def _both(head: Head) -> bytes:
    """A whole head file that holds this record and nothing else."""
    return _BLANK + _slot(head) if head.seq % 2 else _slot(head) + _BLANK


def read_head(disk: Disk, path: str) -> tuple[Head | None, bool]:
    """The newest record of a log that is whole, and whether there is a head file at all.

    Raises:
        OSError: The disk does not give it, or what stands there is no plain file.
    """
    try:
        fd = disk.open(head_path(path), os.O_RDONLY)
    except FileNotFoundError:
        return None, False
    try:
        if not S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "the head record is no plain file")
        data = b""
        while len(data) < 2 * _SLOT and (more := disk.pread(fd, 2 * _SLOT - len(data), len(data))):
            data += more
    finally:
        disk.close(fd)
    found = [_read_slot(data, slot) for slot in (0, 1)]
    return max((head for head in found if head is not None), default=None), True


def _read_slot(data: bytes, slot: int) -> Head | None:
    """The record in a slot, if it is whole and belongs there."""
    record = data[slot * _SLOT : (slot + 1) * _SLOT]
    seq, _, rest = record.partition(b" ")
    if not seq.isdigit():
        return None
    head = Head(int(seq), rest[:64].decode("ascii", "replace"))
    return head if head.seq % 2 == slot and record == _slot(head) else None


def write_head(disk: Disk, path: str, head: Head, before: Head | None) -> None:
    """Write one record into its slot and flush it.

    Args:
        head: The last line, flushed already.
        before: The line before it, when the slot of `head` holds the record that stands (after a batch of two lines,
            say). Its record is written first, into the other slot: an interruption would leave none otherwise.

    Raises:
        OSError: It may not have been written. The record that stood, or that of `before`, still stands.
    """
    name, made = head_path(path), False
    try:
        fd = disk.open(name, os.O_RDWR)
    except FileNotFoundError:
        fd, made = disk.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL), True
    try:
        if not S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "the head record is no plain file")
        if made:
            parts = [(_both(head), 0)]
        else:
            parts = [(_slot(one), one.seq % 2 * _SLOT) for one in (before, head) if one is not None]
        for part, at in parts:
            if disk.pwrite(fd, part, at) != len(part):
                raise OSError(errno.ENOSPC, "the head record was written in part")
        disk.fsync(fd)
    finally:
        disk.close(fd)
    if made:
        disk.fsync_folder(folder_of(name))


def replace_head(disk: Disk, path: str, head: Head) -> None:
    """Put a head file with this one record in the place of whatever is there.

    Raises:
        OSError: The old head file still stands.
    """
    replace_file(disk, head_path(path), _both(head))
