"""The head record: a file beside the log with the last acknowledged entry.

Belongs here: reading and writing the two slots of `log.jsonl.head`. Does not belong here: what to do when the record
and the log disagree (log.py). The log is flushed before its head record is written, so the record is never ahead.

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

_SLOT_BYTES = 160
_BLANK = b" " * (_SLOT_BYTES - 1) + b"\n"


class Head(NamedTuple):
    """Number and hash of the last acknowledged line."""

    seq: int
    hash: str


def head_path(path: str) -> str:
    """The path of the head record of a log."""
    return path + ".head"


def _slot(head: Head) -> bytes:
    """The 160 bytes of a record."""
    text = f"{head.seq} {head.hash}".encode()
    return (text + b" " + sha256(text).hexdigest()[:16].encode()).ljust(_SLOT_BYTES - 1) + b"\n"


def _whole_file(head: Head) -> bytes:
    """The content of a head file with only this record."""
    return _BLANK + _slot(head) if head.seq % 2 else _slot(head) + _BLANK


def read_head(disk: Disk, path: str) -> tuple[Head | None, bool]:
    """The newest intact record of a log, and whether it has a head file at all.

    Raises:
        OSError: It cannot be read, or is no plain file.
    """
    try:
        fd = disk.open(head_path(path), os.O_RDONLY)
    except FileNotFoundError:
        return None, False
    try:
        if not S_ISREG(disk.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "the .head file is not a plain file")
        data = b""
        while len(data) < 2 * _SLOT_BYTES and (part := disk.pread(fd, 2 * _SLOT_BYTES - len(data), len(data))):
            data += part
    finally:
        disk.close(fd)
    heads = [_read_slot(data, slot) for slot in (0, 1)]
    return max((head for head in heads if head is not None), default=None), True


def _read_slot(data: bytes, slot: int) -> Head | None:
    """The record in a slot, if it is intact and belongs into that slot."""
    record = data[slot * _SLOT_BYTES : (slot + 1) * _SLOT_BYTES]
    seq, _, after_seq = record.partition(b" ")
    if not seq.isdigit():
        return None
    head = Head(int(seq), after_seq[:64].decode("ascii", "replace"))
    return head if head.seq % 2 == slot and record == _slot(head) else None


def write_head(disk: Disk, path: str, head: Head, before: Head | None) -> None:
    """Write one record into its slot and flush it.

    Args:
        head: The last line, flushed already.
        before: The line before it, when the slot of `head` holds the present record (after a batch of two lines, for
            instance). Its record is written first, into the other slot: otherwise an interruption would leave none.

    Raises:
        OSError: It may not have been written. The present record, or that of `before`, is intact.
    """
    name, is_new = head_path(path), False
    try:
        fd = disk.open(name, os.O_RDWR)
    except FileNotFoundError:
        fd, is_new = disk.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL), True
    try:
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
    finally:
        disk.close(fd)
    if is_new:
        disk.fsync_folder(folder_of(name))


def replace_head(disk: Disk, path: str, head: Head) -> None:
    """Replace the head file by one with only this record.

    Raises:
        OSError: The old head file is unchanged.
    """
    replace_file(disk, head_path(path), _whole_file(head))
