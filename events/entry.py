"""One line of the log: its body, its seal, its link to the line before.

Source: docs/log-format.md sections 1 to 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from json import loads as decode
from typing import Any

from events.canon import NotCanonical, dumps, is_name, loads
from events.errors import Unreadable
from events.instants import Instant, read_instant, write_instant
from events.record import NamedTuple

GENESIS = "0" * 64
"""The `prev` of line 1."""
MAX_LINE_BYTES = 65_536
"""The largest size of a line, including its newline."""


class Body(NamedTuple):
    """One thing a host recorded.

    do: the action; at: when it counts; by: the host; recorded: when it was typed (both in ms since 1970 UTC);
    args: every field of the action; again: the same message was recorded before, and the host wants it twice; batch:
    number of the first line of its batch; evidence: link to the message; force: recorded although the rules refuse it;
    once: the key that makes a command safe to repeat; joined: number of the first line of the `join` that brought it.
    """

    do: str
    at: Instant
    by: str
    recorded: Instant
    args: Mapping[str, Any]
    again: bool = False
    batch: int | None = None
    evidence: str | None = None
    force: bool = False
    once: str | None = None
    joined: int | None = None


class Line(NamedTuple):
    """A checked line: its number, hash and body bytes (None for a closed line), its offset in the file, and its size
    including the newline."""

    seq: int
    hash: str
    body: bytes | None
    offset: int
    size: int


class Entry(NamedTuple):
    seq: int
    hash: str
    body: Body


def write_body(body: Body) -> bytes:
    """The canonical bytes of a body. Keys that do not apply, and fields of `args` that are None, are left out.

    Raises:
        Unreadable: The body cannot be recorded; codes `canon.*` and `entry.*`.
    """
    for key in ("do", "by"):
        name = getattr(body, key)
        if not is_name(name):
            raise Unreadable("entry.name", f'"{key}" must be 1 to 32 of a-z 0-9 _ - and begin with a letter: {name!a}')
    try:
        value: dict[str, Any] = {
            "args": {key: item for key, item in body.args.items() if item is not None},
            "at": write_instant(body.at),
            "by": body.by,
            "do": body.do,
            "recorded": write_instant(body.recorded),
        }
    except ValueError as error:
        raise Unreadable("entry.instant", str(error)) from None
    for key in ("batch", "joined"):
        if (first := getattr(body, key)) is not None:
            if first < 1:
                raise Unreadable("entry.batch", f'"{key}" names a batch by its first line, 1 or more: {first}')
            value[key] = first
    optional = ("again", "force", "evidence", "once")
    value |= {key: said for key in optional if (said := getattr(body, key)) not in (False, None)}
    return dumps(value)


def read_body(data: bytes) -> Body:
    """The body whose canonical form these bytes are.

    Raises:
        NotCanonical: The bytes are not canonical JSON, a key is unknown, missing or of the wrong kind, a date does
            not exist, or a name is invalid. No bytes raise another error.
    """
    value = loads(data)
    try:
        fields, at, by, do, recorded = value["args"], value["at"], value["by"], value["do"], value["recorded"]
    except KeyError as error:
        raise NotCanonical(f'the key "{error.args[0]}" is missing') from None
    optional = _read_optional(value) if len(value) > 5 else _NO_OPTIONAL
    if type(fields) is not dict:
        raise NotCanonical('"args" is of the wrong kind')
    if not is_name(by) or not is_name(do):
        raise NotCanonical('"by" or "do" is not a name of 1 to 32 of a-z 0-9 _ - that begins with a letter')
    if None in fields.values():
        raise NotCanonical('null in "args": a field without a value is left out')
    if type(at) is not str or type(recorded) is not str:
        raise NotCanonical('"at" or "recorded" is of the wrong kind')
    try:
        return Body(do, read_instant(at), by, read_instant(recorded), fields, *optional)
    except ValueError as error:
        raise NotCanonical(str(error)) from None


_NAME = "[a-z][a-z0-9_-]{0,31}"
_SCALAR = r'(?:"[ !#-\[\]-~]*"|0|-?[1-9][0-9]{0,14}|true|false)'
_VALUE = rf"(?:{_SCALAR}|\[(?:{_SCALAR}(?:,(?!\])|(?=\])))*\])"
_ARGS = rf'\{{(?:"{_NAME}":{_VALUE}(?:,(?!\}})|(?=\}})))*\}}'
_INSTANT = "([0-9T:.Z-]{24})"
_PLAIN = rf'\{{"args":({_ARGS}),"at":"{_INSTANT}","by":"({_NAME})","do":"({_NAME})","recorded":"{_INSTANT}"\}}'
_PLAIN_OR_NOT = re.compile(f"^(?:{_PLAIN}|.*)$", re.MULTILINE)
"""Matches a body with only the five required keys and no escapes, as nearly all are. Others leave the groups empty."""


def read_bodies(data: Sequence[bytes]) -> Iterator[Body]:
    """Read each body as `read_body` does, in half the time: the args of all plain bodies are decoded at once.

    In a plain body only the order of the keys and the two instants are left to check. `read_body` reads all others,
    and those whose keys are out of order.

    Args:
        data: Bodies of lines, without newlines.

    Raises:
        NotCanonical: The next body is bad. Every body before it was yielded.
    """
    rows = _PLAIN_OR_NOT.findall(b"\n".join(data).decode("latin-1"))
    every = decode(f"[{','.join([row[0] or '{}' for row in rows])}]")
    for raw, (text, at, by, do, recorded), args in zip(data, rows, every, strict=True):
        if text and [*args] == sorted(args) and text.count('":') == len(args):
            try:
                instants = read_instant(at), read_instant(recorded)
            except ValueError as error:
                raise NotCanonical(str(error)) from None
            yield Body(do, instants[0], by, instants[1], args)
        else:
            yield read_body(raw)


_NO_OPTIONAL = False, None, None, False, None, None


def _read_optional(value: dict[str, Any]) -> tuple[bool, int | None, str | None, bool, str | None, int | None]:
    """The values of the optional keys, in the order of `Body`."""
    for key in value.keys() - set(Body._fields):
        raise NotCanonical(f'the key "{key}" is unknown')
    for key in ("again", "force"):
        if value.get(key, True) is not True:
            raise NotCanonical(f'"{key}" is true, or left out')
    for key in ("batch", "joined"):
        first = value.get(key, 1)
        if type(first) is not int or first < 1:
            raise NotCanonical(f'"{key}" is the number of a line, 1 or more')
    for key in ("evidence", "once"):
        if type(value.get(key, "")) is not str:
            raise NotCanonical(f'"{key}" is of the wrong kind')
    get = value.get
    return "again" in value, get("batch"), get("evidence"), "force" in value, get("once"), get("joined")


def seal(salt: str, body: bytes) -> str:
    """SHA-256 of the salt, a newline and the body's bytes, in hex. It represents the body in the chain."""
    return sha256(salt.encode() + b"\n" + body).hexdigest()


def link(seq: int, prev: str, seal: str) -> str:
    """The hash of a line, which the next line carries as `prev`."""
    return sha256(f"host-ledger/1\n{seq}\n{prev}\n{seal}\n".encode()).hexdigest()


def write_line(seq: int, prev: str, salt: str, body: bytes) -> tuple[bytes, str]:
    """An open line with its newline, and its hash.

    Args:
        seq: Its number, 1 for the first.
        prev: Hash of the line before, `GENESIS` for the first.
        salt: 32 lower-case hex digits that nobody can guess.
        body: Canonical bytes, from `write_body`.

    Raises:
        Unreadable: `log.too_long`, the line would have more than 65,536 bytes.
    """
    sealed = seal(salt, body)
    line = b'{"seq":%d,"prev":"%b","seal":"%b","salt":"%b","body":%b}\n' % (
        seq, prev.encode(), sealed.encode(), salt.encode(), body,
    )  # fmt: skip
    if len(line) > MAX_LINE_BYTES:
        message = f"the entry is too long: {len(line)} bytes, and a line of the log has at most {MAX_LINE_BYTES}"
        raise Unreadable("log.too_long", message, "shorten its text, or record it as several entries")
    return line, link(seq, prev, sealed)


def close_line(line: bytes) -> bytes:
    """The closed form of an open line: same number, same hash, no content.

    Args:
        line: A checked line with its newline. A closed line is returned unchanged.
    """
    start, salt, _ = line.partition(b',"salt":"')
    return start + b"}\n" if salt else line
