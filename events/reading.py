"""Reading a log: the chain of its lines, the seal of each open line, and the head record.

Only `set_aside` writes.

Source: docs/log-format.md sections 1, 2, 4, 6 and 7.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import islice

from events.canon import NotCanonical
from events.disk import Disk, closing, folder_of, line_to_run
from events.entry import GENESIS, MAX_LINE_BYTES, Line, link, read_body, seal
from events.errors import Damaged
from events.files import Head, blocks, read_range
from events.record import NamedTuple

_HEX = b"0123456789abcdef"
_HASH = rb'"([0-9a-f]{64})"'
_CLOSED = rb'\{"seq":([1-9][0-9]*),"prev":' + _HASH + rb',"seal":' + _HASH + rb"\}\n"
_OPEN = _CLOSED[:-4] + rb',"salt":"([0-9a-f]{32})","body":(\{[^\n]*\})\}\n'


def read_chain(raw: Iterable[bytes], *, seq: int = 0, prev: str = GENESIS) -> Iterator[Line]:
    """Check lines in order and yield each verified line.

    Args:
        raw: Lines, each with its newline. They are read a few hundred ahead.
        seq: Number of the last line before these, 0 at the start of a log.
        prev: Hash of that line.

    Raises:
        Damaged: The next line is bad; `.line` is its number. Every line before it was yielded.
    """
    source, offset = iter(raw), 0
    while some := list(islice(source, 512)):
        good: list[Line] = []
        error = verify_lines(some, good, seq, prev, offset)
        yield from good
        if error is not None:
            raise error
        seq, prev, _, offset, size = good[-1]
        offset += size


def verify_lines(raw: Iterable[bytes], good: list[Line], seq: int, prev: str, offset: int) -> Damaged | None:
    """The core of `read_chain`: append the good lines to `good`, and return what is wrong with the first bad one.

    One comparison per line checks number, previous hash and seal: all three are computed, and the line must begin with
    them. Salts are checked together at the end.
    """
    salts: list[bytes] = []
    add, salted, new, join = good.append, salts.append, tuple.__new__, b"\n".join
    first, error = len(good), None
    after_seq = 0  # the first number that has one digit more
    for line in raw:
        seq += 1
        if seq >= after_seq:
            digits = len(str(seq))
            after_seq = 10**digits
            salt_from, salt_to, body_from = 164 + digits, 196 + digits, 205 + digits
        body = line[body_from:-2]
        salt = line[salt_from:salt_to]
        sealed = sha256(join((salt, body))).hexdigest()
        size = len(line)
        if (
            line.startswith(f'{{"seq":{seq},"prev":"{prev}","seal":"{sealed}","salt":"'.encode())
            and line.endswith(b"}}\n")
            and line.startswith(b'","body":{', salt_to)
            and size <= MAX_LINE_BYTES
        ):
            salted(salt)
            prev = sha256(f"host-ledger/1\n{seq}\n{prev}\n{sealed}\n".encode()).hexdigest()
            add(new(Line, (seq, prev, body, offset, size)))
        else:
            try:
                prev = _closed_hash(line, seq, prev)
            except Damaged as bad:
                error = bad
                break
            salted(b"")
            add(Line(seq, prev, None, offset, size))
        offset += size
    if b"".join(salts).translate(None, _HEX):
        at = next(i for i, salt in enumerate(salts) if salt.translate(None, _HEX))
        seq = good[first + at].seq
        del good[first + at :]
        error = _bad(seq, "log.layout", "its salt is not 32 lower-case hex digits")
    return error


def _closed_hash(line: bytes, seq: int, prev: str) -> str:
    """The hash of a closed line. Any other line that `verify_lines` rejected raises Damaged with the reason."""
    if len(line) > MAX_LINE_BYTES:
        raise _bad(seq, "log.too_long", f"it has more than {MAX_LINE_BYTES} bytes")
    if not line.endswith(b"\n"):
        raise _bad(seq, "log.cut", "it has no newline at its end")
    if (form := re.fullmatch(_OPEN, line) or re.fullmatch(_CLOSED, line)) is None:
        raise _bad(seq, "log.layout", f"it is not laid out as an entry ({_layout_fault(line)})")
    if form[1] != str(seq).encode():
        raise _bad(seq, "log.seq", f"it is numbered {form[1][:20].decode()}")
    if form[2] != prev.encode():
        raise _bad(seq, "log.chain", "it does not follow the line before it (prev is the hash of something else)")
    if len(form.groups()) == 5 and form[3] != seal(form[4].decode(), form[5]).encode():
        raise _bad(seq, "log.seal", "its content was changed (it does not match its hash)")
    return link(seq, prev, form[3].decode())


def _layout_fault(line: bytes) -> str:
    """The most helpful description of a line that fits no layout."""
    for mark, name in ((b"\xef\xbb\xbf", "it begins with a byte-order mark"), (b" ", "it begins with a space")):
        if line.startswith(mark):
            return name
    if line == b"\n":
        return "it is empty"
    if b"\r" in line:
        return "it holds a carriage return"
    return "it holds NUL bytes" if b"\0" in line else "other keys, or in another order or spelling"


def _bad(seq: int, code: str, what: str) -> Damaged:
    return Damaged(code, f"line {seq} of the log is bad: {what}", "hl verify", line=seq)


# ---- bytes after the last good line: left by an interrupted write, or damage -----------------------------------------


MAX_TAIL_BYTES = 8 * 1024 * 1024
"""A longer tail cannot come from a single write of this program."""
_LINE = rb'\{"seq":[1-9][0-9]*,"prev":"[0-9a-f]{64}","seal":"([0-9a-f]{64})","salt":"([0-9a-f]{32})","body":(\{.*\})\}'


def unended(tail: bytes, seq: int, prev: str, offset: int) -> Line | None:
    """The line in `tail`, if it is a valid next line that lacks only its newline."""
    good: list[Line] = []
    return good[0] if verify_lines([tail + b"\n"], good, seq, prev, offset) is None else None


def is_torn(tail: bytes, seq: int) -> bool:
    """Whether `tail`, after line `seq`, was left by an interrupted write.

    It was if it lacks its last newline or contains NUL bytes, and no complete line in it comes from a later command
    than the interrupted one.
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
    """Copy the bytes of a torn tail into a separate file, then cut them off the log.

    The copy and its name are durable before the log is cut, so an interrupted call can be repeated.

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
    """Write a new file. Return True also if it exists with the same bytes, False if it exists with other bytes."""
    try:
        fd = disk.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        with closing(disk, disk.open(name, os.O_RDWR)) as fd:
            if disk.fstat(fd).st_size != len(tail) or disk.pread(fd, len(tail), 0) != tail:
                return False
            disk.fsync(fd)
            return True
    with closing(disk, fd):
        done = 0
        while done < len(tail):
            written = disk.pwrite(fd, tail[done:], done)
            if written <= 0:
                raise OSError(errno.ENOSPC, "no byte was taken")
            done += written
        disk.fsync(fd)
    return True


class Mark(NamedTuple):
    """How far a reader has read: the file, the number of bytes read, and the last line among them."""

    dev: int
    ino: int
    size: int
    seq: int
    hash: str


class Reading(NamedTuple):
    """The verified lines of a log. whole: `lines` are all of its lines, not only those after a given mark.
    notes: warnings to show, one sentence each."""

    lines: list[Line]
    mark: Mark
    whole: bool
    notes: tuple[str, ...]


class Finding(NamedTuple):
    """One thing that `verify` found: the line, a stable code, and one sentence."""

    line: int
    code: str
    what: str


class Loaded(NamedTuple):
    """A reading, plus what a writer needs: the bytes after the last good line, and whether that line lacks its
    newline."""

    reading: Reading
    torn: bytes
    unended: bool


_RESTORED = "hl verify\nif you restored this copy on purpose: hl receipt --accept"


def load(
    disk: Disk, path: str, fd: int, found: os.stat_result, head: Head | None, there: bool, after: Mark | None
) -> Loaded:
    """Read and verify the log, and compare it with the head record. Nothing is changed.

    Raises:
        Damaged: The log does not verify. OSError: it cannot be read.
    """
    if (
        after is not None
        and (after.dev, after.ino) == (found.st_dev, found.st_ino)
        and after.size <= found.st_size
        and head is not None
    ):
        with suppress(Damaged):  # the head or older bytes changed: read everything, to name the first bad line
            return _load_from(disk, path, fd, found, head, there, after)
    return _load_from(disk, path, fd, found, head, there, None)


def _load_from(
    disk: Disk, path: str, fd: int, found: os.stat_result, head: Head | None, there: bool, after: Mark | None
) -> Loaded:
    seq, prev, offset = (after.seq, after.hash, after.size) if after else (0, GENESIS, 0)
    first, size = seq, found.st_size
    at_head = prev if head is not None and head.seq == seq else None
    error: Damaged | None = None
    good: list[Line] = []
    for some in blocks(disk, fd, offset, size):
        error = verify_lines(some, good, seq, prev, offset)
        if good:
            seq, prev, offset = good[-1].seq, good[-1].hash, good[-1].offset + good[-1].size
        if error is not None:
            break
    notes, torn, lacks_newline = [], b"", False
    if error is not None:
        tail = read_range(disk, fd, offset, min(size - offset, MAX_TAIL_BYTES + 1))
        if (line := unended(tail, seq, prev, offset)) is not None:
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
            raise _against_head(head, seq)
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


def _against_head(head: Head, seq: int) -> Damaged:
    """The error for a log that contradicts its head record."""
    if head.seq > seq:
        what = f"the log ends at line {seq}, but line {head.seq} was recorded: lines are missing at the end"
        return Damaged("log.head_ahead", what, _RESTORED, line=seq + 1)
    what = f"line {head.seq} is not the line that was recorded: somebody rewrote the log, or it is another log"
    return Damaged("log.head_other", what, _RESTORED, line=head.seq)


def scan_blocks(disk: Disk, fd: int, size: int, head: Head | None, findings: list[Finding]) -> Iterator[list[Line]]:
    """`LogFile.scan_blocks` for an open file."""
    seq, prev, offset = 0, GENESIS, 0
    at_head: str | None = None
    error: Damaged | None = None
    for some in blocks(disk, fd, 0, size):
        good: list[Line] = []
        error = verify_lines(some, good, seq, prev, offset)
        if good:
            seq, prev, offset = good[-1].seq, good[-1].hash, good[-1].offset + good[-1].size
            if head is not None and good[0].seq <= head.seq <= seq:
                at_head = good[head.seq - good[0].seq].hash
            yield good
        if error is not None:
            break
    if error is not None:
        tail = read_range(disk, fd, offset, min(size - offset, MAX_TAIL_BYTES + 1))
        if (line := unended(tail, seq, prev, offset)) is not None:
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
        wrong = _against_head(head, seq)
        findings.append(Finding(wrong.line or head.seq, wrong.code, wrong.what))
