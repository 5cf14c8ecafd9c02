"""The files beside the log of a shared match: where it is shared, and the batch that was sent without an answer.

All are readable by their owner only, since `log.jsonl.wire` holds the key of the match.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from hashlib import sha256
from stat import S_ISREG

from events.disk import DISK, Disk, attempt, closing, own_folder
from events.errors import NotRecorded, Unreadable
from events.files import read_range, replace_file
from events.record import NamedTuple
from ledger.wire.protocol import Stored

WIRE, PENDING, GIT = ".wire", ".pending", ".git"
"""File endings: where the log is shared; the batch sent without an answer; the repository of the git wire."""


class Settings(NamedTuple):
    """Where a match is shared. url: with the name of the match there. key: 32 bytes, or empty without encryption."""

    url: str
    key: bytes


class Pending(NamedTuple):
    """Lines that were sent, from number `seq` on, after the line `prev`. raw: as in the log; rows: as sent."""

    seq: int
    prev: str
    raw: tuple[bytes, ...]
    rows: tuple[Stored, ...]


def read_settings(path: str, ending: str = WIRE) -> Settings:
    """Read where the match with this log is shared.

    Raises:
        Unreadable: `wire.unreadable`, the file was changed or is gone.
    """
    try:
        kept = json.loads(read_file(DISK, path + ending))
        return Settings(str(kept["url"]), bytes.fromhex(kept["key"]))
    except (OSError, ValueError, KeyError, TypeError):
        what = f"{path}{WIRE} cannot be read: it says where this match is shared"
        raise Unreadable("wire.unreadable", what, "move it away, then hl clone URL into another folder") from None


def write_settings(disk: Disk, path: str, settings: Settings, ending: str = WIRE) -> None:
    _write(disk, path + ending, json.dumps({"url": settings.url, "key": settings.key.hex()}).encode() + b"\n")


def read_pending(disk: Disk, path: str) -> Pending | None:
    """The batch that was sent without an answer, or None.

    Raises:
        Unreadable: `wire.unreadable`.
    """
    try:
        kept = json.loads(read_file(disk, path + PENDING))
        rows = tuple(Stored(str(hash_), str(data)) for hash_, data in kept["rows"])
        raw = tuple(str(line).encode("ascii") for line in kept["raw"])
        if len(rows) != len(raw) or not rows:
            raise ValueError("rows")
        return Pending(int(kept["seq"]), str(kept["prev"]), raw, rows)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        what = f"{path}{PENDING} cannot be read: it says what was sent to the server last"
        raise Unreadable("wire.unreadable", what, "move it away; hl log then shows whether it was recorded") from None


def write_pending(disk: Disk, path: str, pending: Pending) -> None:
    kept = {**pending._asdict(), "raw": [line.decode("ascii") for line in pending.raw]}
    _write(disk, path + PENDING, json.dumps(kept).encode() + b"\n")


def drop(disk: Disk, name: str) -> None:
    if attempt(disk.unlink, name) is None:
        attempt(disk.fsync_folder, os.path.dirname(name))


def read_file(disk: Disk, name: str) -> bytes:
    """The bytes of a plain file, at most its first 64 MiB. Raises OSError."""
    with closing(disk, disk.open(name, os.O_RDONLY)) as fd:
        found = disk.fstat(fd)
        if not S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a plain file")
        return read_range(disk, fd, 0, min(found.st_size, 64 << 20))


def _write(disk: Disk, name: str, data: bytes) -> None:
    try:
        replace_file(disk, name, data)
    except OSError as error:
        what = f"nothing was recorded: {name} cannot be written: {error.strerror}"
        raise NotRecorded("wire.disk", what, "fix that, then run it again") from None


def data_folder() -> str:
    return os.path.join(own_folder("data"), "shared")


def _pointer(url: str) -> str:
    return os.path.join(data_folder(), f"{sha256(url.encode()).hexdigest()[:24]}.mirror")


def known_mirror(url: str) -> str | None:
    """The log of this machine's mirror of a URL, if it still exists."""
    try:
        path = read_file(DISK, _pointer(url)).decode().rstrip("\n")
        known = read_settings(path).url
        return path if os.path.exists(path) and known in (url, f"{url}#{known.rpartition('#')[2]}") else None
    except (OSError, ValueError, Unreadable):
        return None


def remember(url: str, path: str) -> None:
    with suppress(OSError, NotRecorded):
        os.makedirs(data_folder(), mode=0o700, exist_ok=True)
        _write(DISK, _pointer(url), (os.path.abspath(path) + "\n").encode())
