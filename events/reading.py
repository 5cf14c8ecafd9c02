"""Reading a log that is open: every line checked, then compared with the head record.

Nothing here changes a byte.

Source: docs/log-format.md sections 6 and 7.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from events.chain import MAX_TAIL_BYTES, is_torn, unended, verify_lines
from events.disk import Disk, line_to_run
from events.entry import GENESIS, Line, sha256_for
from events.errors import Damaged
from events.files import Head, blocks, read_range
from events.record import NamedTuple


class Mark(NamedTuple):
    """Where a reader stands: the file, how many of its bytes were read, and the last line of them."""

    dev: int
    ino: int
    size: int
    seq: int
    hash: str


class Reading(NamedTuple):
    """What a log holds. whole: `lines` are all of its lines, else only those after the mark that was given.
    notes: warnings to show, one sentence each."""

    lines: list[Line]
    mark: Mark
    whole: bool
    notes: tuple[str, ...]


class Finding(NamedTuple):
    """What `verify` found: the line, a stable code, and one sentence."""

    line: int
    code: str
    what: str


class Loaded(NamedTuple):
    """A reading, and what a writer needs besides: the bytes after the last good line, and whether that line lacks its
    newline."""

    reading: Reading
    torn: bytes
    unended: bool


_RESTORED = "hl verify\nif you restored this copy on purpose: hl receipt --accept"


def load(
    disk: Disk, path: str, fd: int, found: os.stat_result, head: Head | None, there: bool, after: Mark | None
) -> Loaded:
    """Read, verify, compare with the head record. Changes nothing.

    Raises:
        Damaged: It does not verify. OSError: it cannot be read.
    """
    if (
        after is not None
        and (after.dev, after.ino) == (found.st_dev, found.st_ino)
        and after.size <= found.st_size
        and head is not None
    ):
        try:
            return _load_from(disk, path, fd, found, head, there, after)
        except Damaged:
            pass  # the head is not as it was left, or older bytes changed: read it all, and name the first bad line
    return _load_from(disk, path, fd, found, head, there, None)


def _load_from(
    disk: Disk, path: str, fd: int, found: os.stat_result, head: Head | None, there: bool, after: Mark | None
) -> Loaded:
    seq, prev, offset = (after.seq, after.hash, after.size) if after else (0, GENESIS, 0)
    first, size = seq, found.st_size
    at_head = prev if head is not None and head.seq == seq else None
    error: Damaged | None = None
    good: list[Line] = []
    digest = sha256_for(size - offset)
    for some in blocks(disk, fd, offset, size):
        error = verify_lines(some, good, seq, prev, offset, digest)
        if good:
            seq, prev, offset = good[-1].seq, good[-1].hash, good[-1].offset + good[-1].size
        if error is not None:
            break
    notes, torn, lacks_newline = [], b"", False
    if error is not None:
        tail = read_range(disk, fd, offset, min(size - offset, MAX_TAIL_BYTES + 1))
        line = unended(tail, seq, prev, offset)
        if line is not None:
            good.append(line)
            seq, prev, offset = line.seq, line.hash, line.offset + line.size
            lacks_newline = True
            notes.append(f"line {seq} has no newline at its end; the next command that records adds it")
        elif not is_torn(tail, seq):
            raise error
        elif head is None or head.seq <= seq:
            torn = tail
            notes.append(
                f"there are {len(tail)} bytes of an unfinished entry after line {seq}; they do not count, and the "
                "next command that records moves them to a file of their own"
            )
    if seq == 0:
        raise Damaged("log.empty", f"{path} is empty", "hl doctor", line=1)
    if head is not None:
        if first < head.seq <= seq:
            at_head = good[head.seq - first - 1].hash
        if head.seq > seq or head.hash != at_head:
            raise _against_head(head, seq, at_head)
        if head.seq + 1 == seq:
            notes.append(f"line {seq} is recorded, although the command that wrote it did not finish")
        elif head.seq < seq:
            notes.append(
                f"lines {head.seq + 1} to {seq} are recorded, although the command that wrote them did not finish"
            )
    elif there:
        notes.append(
            "log.jsonl.head is damaged: until the next entry, lines cut off the end of the log would not be noticed"
        )
    else:
        notes.append(
            "log.jsonl.head is missing: lines cut off the end of the log would not be noticed. If this log "
            "is complete: hl receipt --accept"
        )
    if disk.others_may_write(found):
        notes.append(f"others may write to {path}: {line_to_run('chmod', '600', path)}")
    mark = Mark(found.st_dev, found.st_ino, offset, seq, prev)
    return Loaded(Reading(good, mark, after is None, tuple(notes)), torn, lacks_newline)


def _against_head(head: Head, seq: int, at_head: str | None) -> Damaged:
    """What a head record says that the log does not bear out."""
    if head.seq > seq:
        what = f"the log ends at line {seq}, but line {head.seq} was recorded: lines are missing at the end"
        return Damaged("log.head_ahead", what, _RESTORED, line=seq + 1)
    what = f"line {head.seq} is not the line that was recorded: somebody rewrote the log, or it is another log"
    return Damaged("log.head_other", what, _RESTORED, line=head.seq)


def scan_blocks(disk: Disk, fd: int, size: int, head: Head | None, findings: list[Finding]) -> Iterator[list[Line]]:
    """`LogFile.scan_blocks` of an open file."""
    seq, prev, offset = 0, GENESIS, 0
    at_head: str | None = None
    error: Damaged | None = None
    digest = sha256_for(size)
    for some in blocks(disk, fd, 0, size):
        good: list[Line] = []
        error = verify_lines(some, good, seq, prev, offset, digest)
        if good:
            seq, prev, offset = good[-1].seq, good[-1].hash, good[-1].offset + good[-1].size
            if head is not None and good[0].seq <= head.seq <= seq:
                at_head = good[head.seq - good[0].seq].hash
            yield good
        if error is not None:
            break
    if error is not None:
        tail = read_range(disk, fd, offset, min(size - offset, MAX_TAIL_BYTES + 1))
        line = unended(tail, seq, prev, offset)
        if line is not None:
            findings.append(Finding(line.seq, "log.no_newline", f"line {line.seq} has no newline at its end"))
            seq, at_head = line.seq, line.hash if head is not None and head.seq == line.seq else at_head
            yield [line]
        elif is_torn(tail, seq):
            what = f"there are {len(tail)} bytes of an unfinished entry after line {seq}"
            findings.append(Finding(seq + 1, "log.torn", what))
        else:
            findings.append(Finding(seq + 1, error.code, error.what))
            return
    elif seq == 0:
        findings.append(Finding(1, "log.empty", "the log is empty"))
    if head is not None and (head.seq > seq or head.hash != at_head):
        wrong = _against_head(head, seq, at_head)
        findings.append(Finding(wrong.line or head.seq, wrong.code, wrong.what))
