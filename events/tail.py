"""What stands after the last good line: bytes left by an interrupted write, or damage.

Belongs here: telling the two apart, and setting a torn tail aside. Does not belong here: the comparison with the head
record, which comes first (log.py): nothing that was acknowledged ever gets this far.

An interrupted write leaves part of its bytes: they stop early, or some pages never reached the disk and read as NUL.
They never hold a whole line of a later command, because a command begins only after the one before it was flushed.

Source: docs/log-format.md section 7.
"""

from __future__ import annotations

import errno
import os

from events.canon import NotCanonical
from events.chain import verify_lines
from events.digest import sha256
from events.disk import Disk, folder_of
from events.entry import MAX_LINE_BYTES, Line, read_body, seal

__all__ = ["LARGEST_TAIL", "is_torn", "set_aside", "unended"]

LARGEST_TAIL = 8 * 1024 * 1024
"""Bytes; more than this is not one write of ours."""
_WHOLE = rb'\{"seq":[1-9][0-9]*,"prev":"[0-9a-f]{64}","seal":"([0-9a-f]{64})","salt":"([0-9a-f]{32})","body":(\{.*\})\}'


def unended(tail: bytes, seq: int, prev: str, offset: int) -> Line | None:
    """The line that `tail` is, if it is the good next line and lacks nothing but its newline."""
    good: list[Line] = []
    return good[0] if verify_lines([tail + b"\n"], good, seq, prev, offset, sha256) is None else None


def is_torn(tail: bytes, seq: int) -> bool:
    """Whether `tail`, after line `seq`, is what an interrupted write leaves.

    It stops before its newline or has NUL in it, and no whole line in it comes from a command later than the one
    that was interrupted.
    """
    if len(tail) > LARGEST_TAIL or seq == 0 or (tail.endswith(b"\n") and b"\0" not in tail):
        return False
    import re

    whole = re.compile(_WHOLE)
    for part in tail.split(b"\n"):
        end = part[-MAX_LINE_BYTES:]
        for start in re.finditer(rb'\{"seq":', end):  # also behind a piece that lost its newline
            form = whole.fullmatch(end, start.start())
            if form is None or seal(form[2].decode(), form[3]).encode() != form[1]:
                continue
            try:
                body = read_body(form[3])
            except NotCanonical:
                return False
            first = body.joined or body.batch
            if first is None or first > seq + 1:
                return False
    return True


def set_aside(disk: Disk, path: str, fd: int, offset: int, tail: bytes) -> str:
    """Keep the bytes of a torn tail in a file of their own, then cut them off the log.

    The copy is durable, name and all, before the log is cut; interrupted anywhere, it can be done again.

    Returns:
        The path of the file: `<log>.torn-<offset>-<first 8 hex of their SHA-256>`.

    Raises:
        OSError: No acknowledged entry was touched.
    """
    name = f"{path}.torn-{offset}-{sha256(tail).hexdigest()[:8]}"
    kept, again = name, 1
    while not _keep(disk, kept, tail):
        again += 1
        kept = f"{name}-{again}"
    disk.fsync_folder(folder_of(path))
    disk.ftruncate(fd, offset)
    disk.fsync(fd)
    return kept


def _keep(disk: Disk, name: str, tail: bytes) -> bool:
    """Write a new file, or find that it holds these bytes already; False when it holds others."""
    try:
        fd = disk.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        fd = disk.open(name, os.O_RDWR)
        try:
            if disk.fstat(fd).st_size != len(tail) or disk.pread(fd, len(tail), 0) != tail:
                return False
            disk.fsync(fd)
            return True
        finally:
            disk.close(fd)
    try:
        done = 0
        while done < len(tail):
            taken = disk.pwrite(fd, tail[done:], done)
            if taken <= 0:
                raise OSError(errno.ENOSPC, "no byte was taken")
            done += taken
        disk.fsync(fd)
    finally:
        disk.close(fd)
    return True
