"""The chain: every line names the one before it, and every open line proves its body.

Source: docs/log-format.md sections 1, 2 and 4.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from events.canon import NotCanonical
from events.disk import Disk, folder_of
from events.entry import GENESIS, MANY_BYTES, MAX_LINE_BYTES, Line, link, read_body, seal, sha256, sha256_for
from events.errors import Damaged

_AT_ONCE = 512
_HEX = b"0123456789abcdef"
_HASH = rb'"([0-9a-f]{64})"'
_CLOSED = rb'\{"seq":([1-9][0-9]*),"prev":' + _HASH + rb',"seal":' + _HASH + rb"\}\n"
_OPEN = _CLOSED[:-4] + rb',"salt":"([0-9a-f]{32})","body":(\{[^\n]*\})\}\n'


def read_chain(raw: Iterable[bytes], *, seq: int = 0, prev: str = GENESIS, offset: int = 0) -> Iterator[Line]:
    """Check lines in order and yield each verified line.

    Args:
        raw: Lines, each with its newline. Read a few hundred ahead.
        seq: Number of the last line before these, 0 at the start of a log.
        prev: Hash of that line.
        offset: Where the first of these lines begins, in bytes.

    Raises:
        Damaged: The next line is bad; `.line` is its number. Every line before it was yielded.
    """
    source, digest = iter(raw), sha256_for(0)
    while some := list(islice(source, _AT_ONCE)):
        good: list[Line] = []
        error = verify_lines(some, good, seq, prev, offset, digest)
        digest = sha256_for(MANY_BYTES)  # it is a long one
        yield from good
        if error is not None:
            raise error
        seq, prev, _, offset, size = good[-1]
        offset += size


def verify_lines(
    raw: Iterable[bytes], good: list[Line], seq: int, prev: str, offset: int, digest: Callable[[bytes], Any]
) -> Damaged | None:
    """`read_chain` without its comfort: append the good lines to `good`, return what is wrong with the first bad one.

    One comparison per line: what the line must begin with is made from the number, the last hash and the seal of the
    body that it carries; if it does begin so, all of these are right. Salts are checked together at the end.
    """
    salts: list[bytes] = []
    add, salted, new, join = good.append, salts.append, tuple.__new__, b"\n".join
    first, error = len(good), None
    after_seq = 0  # the first number with one digit more
    for line in raw:
        seq += 1
        if seq >= after_seq:
            digits = len(str(seq))
            after_seq = 10**digits
            salt_from, salt_to, body_from = 164 + digits, 196 + digits, 205 + digits
        body = line[body_from:-2]
        salt = line[salt_from:salt_to]
        sealed = digest(join((salt, body))).hexdigest()
        size = len(line)
        if (
            line.startswith(f'{{"seq":{seq},"prev":"{prev}","seal":"{sealed}","salt":"'.encode())
            and line.endswith(b"}}\n")
            and line.startswith(b'","body":{', salt_to)
            and size <= MAX_LINE_BYTES
        ):
            salted(salt)
            prev = digest(f"host-ledger/1\n{seq}\n{prev}\n{sealed}\n".encode()).hexdigest()
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
    """The hash of a closed line; for any other line that `verify_lines` did not take, the reason, raised."""
    if len(line) > MAX_LINE_BYTES:
        raise _bad(seq, "log.too_long", f"it has more than {MAX_LINE_BYTES} bytes")
    if not line.endswith(b"\n"):
        raise _bad(seq, "log.cut", "it has no newline at its end")
    form = re.fullmatch(_OPEN, line) or re.fullmatch(_CLOSED, line)
    if form is None:
        raise _bad(seq, "log.layout", f"it is not laid out as an entry ({_layout_fault(line)})")
    if form[1] != str(seq).encode():
        raise _bad(seq, "log.seq", f"it is numbered {form[1][:20].decode()}")
    if form[2] != prev.encode():
        raise _bad(seq, "log.chain", "it does not follow the line before it (prev is the hash of something else)")
    if len(form.groups()) == 5 and form[3] != seal(form[4].decode(), form[5]).encode():
        raise _bad(seq, "log.seal", "its content was changed (it does not match its hash)")
    return link(seq, prev, form[3].decode())


def _layout_fault(line: bytes) -> str:
    """The most telling thing about a line that no layout fits."""
    for mark, name in ((b"\xef\xbb\xbf", "it begins with a byte-order mark"), (b" ", "it begins with a space")):
        if line.startswith(mark):
            return name
    if line == b"\n":
        return "it is empty"
    if b"\r" in line:
        return "it holds a carriage return"
    if b"\0" in line:
        return "it holds NUL bytes"
    return "other keys, or in another order or spelling"


def _bad(seq: int, code: str, what: str) -> Damaged:
    return Damaged(code, f"line {seq} of the log is bad: {what}", "hl verify", line=seq)


# ---- bytes after the last good line: left by an interrupted write, or damage -----------------------------------------


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
