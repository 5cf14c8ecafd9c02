"""Bytes after the last good line: left by an interrupted write, or damage.

The comparison with the head record comes first, so that no acknowledged line is ever part of a tail.
An interrupted write leaves part of its bytes: they stop early, or some pages never reached the disk and read as NUL.
They never hold a whole line of a later command, because a command begins only after the one before it was flushed.

Source: docs/log-format.md section 7.
"""

from __future__ import annotations

import errno
import os
import re

from events.canon import NotCanonical
from events.chain import verify_lines
from events.disk import Disk, folder_of
from events.entry import MAX_LINE_BYTES, Line, read_body, seal, sha256

MAX_TAIL_BYTES = 8 * 1024 * 1024
"""A longer tail is not from one write of ours."""
_LINE = rb'\{"seq":[1-9][0-9]*,"prev":"[0-9a-f]{64}","seal":"([0-9a-f]{64})","salt":"([0-9a-f]{32})","body":(\{.*\})\}'


def unended(tail: bytes, seq: int, prev: str, offset: int) -> Line | None:
    """The line in `tail`, if it is the valid next line and lacks only its newline."""
    good: list[Line] = []
    return good[0] if verify_lines([tail + b"\n"], good, seq, prev, offset, sha256) is None else None


def is_torn(tail: bytes, seq: int) -> bool:
    """Whether `tail`, after line `seq`, was left by an interrupted write.

    It stops before its newline or has NUL in it, and no whole line in it comes from a command later than the one
    that was interrupted.
    """
    if len(tail) > MAX_TAIL_BYTES or seq == 0 or (tail.endswith(b"\n") and b"\0" not in tail):
        return False
    pattern = re.compile(_LINE)
    for part in tail.split(b"\n"):
        end = part[-MAX_LINE_BYTES:]
        for start in re.finditer(rb'\{"seq":', end):  # also after a piece that lost its newline
            matched = pattern.fullmatch(end, start.start())
            if matched is None or seal(matched[2].decode(), matched[3]).encode() != matched[1]:
                continue
            try:
                body = read_body(matched[3])
            except NotCanonical:
                return False
            first = body.joined or body.batch
            if first is None or first > seq + 1:
                return False
    return True


def set_aside(disk: Disk, path: str, fd: int, offset: int, tail: bytes) -> str:
    """Copy the bytes of a torn tail into a file of their own, then cut them off the log.

    The copy and its name are durable before the log is cut; interrupted anywhere, it can be done again.

    Returns:
        The path of the file: `<log>.torn-<offset>-<first 8 hex of their SHA-256>`.

    Raises:
        OSError: No acknowledged entry was touched.
    """
    name = f"{path}.torn-{offset}-{sha256(tail).hexdigest()[:8]}"
    target, number = name, 1
    while not _write_new(disk, target, tail):
        number += 1
        target = f"{name}-{number}"
    disk.fsync_folder(folder_of(path))
    disk.ftruncate(fd, offset)
    disk.fsync(fd)
    return target


def _write_new(disk: Disk, name: str, tail: bytes) -> bool:
    """Write a new file; True also if it exists with the same bytes, False if it exists with others."""
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
            written = disk.pwrite(fd, tail[done:], done)
            if written <= 0:
                raise OSError(errno.ENOSPC, "no byte was taken")
            done += written
        disk.fsync(fd)
    finally:
        disk.close(fd)
    return True
