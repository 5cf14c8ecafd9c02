"""Taking a shared match over on another machine: finding it at a URL, and making a mirror of it.

Belongs here: a mirror that is not there yet. Does not belong here: sharing and leaving (sharing.py), and what happens
to a match that is shared (mirror.py).
"""

from __future__ import annotations

import os
import shutil

from events.disk import DISK
from events.errors import LedgerError, NotRecorded, Unreadable
from events.making import create_copy
from events.record import NamedTuple
from ledger.wire.mirror import checked, gone_on, wire_to
from ledger.wire.protocol import WRITE_WAIT, Place, Stored
from ledger.wire.sealing import Sealing
from ledger.wire.sidecars import (
    GIT,
    WIRE,
    Settings,
    data_folder,
    drop,
    remember,
    write_settings,
)
from ledger.wire.signed import keep_signed, signed_rows
from ledger.wire.urls import read_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


class Found(NamedTuple):
    """A match on a server. url: with its name. sealed: is a key needed?"""

    url: str
    rows: list[Stored]

    @property
    def sealed(self) -> bool:
        """Is a key needed?"""
        return not self.rows[0].data.startswith("{")


class Cloned(NamedTuple):
    """A mirror that was made. entries: how many it has."""

    path: str
    entries: int


def find(url: str, scratch: str) -> Found:
    """The match at a URL, with all of its lines, unread.

    Args:
        scratch: The whole path of a log that is not there: what the wire makes beside it goes with the mirror.

    Raises:
        ValueError: `scratch` is no whole path: what lies in the present folder is not ours.
        Unreadable: `wire.url`, `wire.password`, `wire.none`. NotRecorded: the server does not answer.
    """
    if not os.path.isabs(scratch):
        raise ValueError("scratch must be a whole path")
    place = read_place(url)
    if not place.name:
        names = wire_to(place.url, scratch).names(WRITE_WAIT)
        if len(names) != 1:
            told = f"there are {len(names)} matches: {', '.join(names)}" if names else "there is no match"
            raise Unreadable("wire.none", f"at this address {told}", f"hl clone {place.url}#NAME")
        place = Place(f"{place.url}#{names[0]}", place.server, names[0])
    rows = wire_to(place.url, scratch).tail(1, WRITE_WAIT)
    if not rows:
        raise Unreadable("wire.none", f"there is no match {place.name} at this address", "hl share URL")
    return Found(place.url, rows)


def clone(found: Found, key: bytes, folder: str | None, scratch: str) -> Cloned:
    """Make a mirror of a match.

    Args:
        folder: A new folder; None: one in the user's data folder, named by the match.
        scratch: As `find` was given it.

    Raises:
        Unreadable: `log.exists`, something is there; `wire.key`. Damaged: `wire.damaged`, `wire.key_other`.
        Refused: `wire.closed`, it has moved.
    """
    rows, moved = Sealing(key).without_mark(found.rows, "")
    if moved:
        raise gone_on(moved)
    raw = checked(rows, Sealing(key), 0, "")
    folder = folder or os.path.join(data_folder(), found.rows[0].hash[:16])
    path = os.path.join(folder, "log.jsonl")
    if os.path.lexists(path):
        raise Unreadable("log.exists", f"{path} is there already", "choose another folder: hl clone URL DIR")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"nothing was made: {folder} cannot be a folder: {error.strerror}"
        raise NotRecorded("wire.disk", what, "choose another place") from None
    write_settings(DISK, path, Settings(found.url, key))
    keep_signed(DISK, path, signed_rows(found.rows, Sealing(key), 1))
    try:
        create_copy(path, raw)
    except LedgerError:
        if not os.path.lexists(path):
            drop(DISK, path + WIRE)
        raise
    if os.path.isabs(scratch) and os.path.isdir(scratch + GIT) and not os.path.lexists(path + GIT):
        shutil.move(scratch + GIT, path + GIT)
    remember(found.url, path)
    return Cloned(path, len(raw))
