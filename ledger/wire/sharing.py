"""Share, move, clone and leave a shared match. Source: docs/decisions/0038-a-mirror-and-a-wire.md."""

from __future__ import annotations

import os
import shutil

from events.disk import DISK
from events.entry import GENESIS
from events.errors import Damaged, LedgerError, Moved, NotRecorded, Refused, Unreadable
from events.log import LogFile
from events.reading import Mark
from events.record import NamedTuple
from events.writer import Writer, create_copy
from ledger.wire import sidecars
from ledger.wire.mirror import SharedLog, checked, gone_on, wire_to
from ledger.wire.protocol import PUSH_WAIT, WRITE_WAIT, Place, Stored, Wire, read_place
from ledger.wire.sealing import Sealing, Signed, Signer, fresh_key, keep_signed, read_signed, signed_rows, words_of

# ---- sharing, moving, restoring, leaving -----------------------------------------------------------------------------

BATCH_LINES = 2000
_HALF = ".wire-unfinished"
"""Ending of the file beside the log that says where sharing was begun, and with which key."""


def shared_at(path: str) -> str | None:
    return sidecars.read_settings(path).url if os.path.lexists(path + sidecars.WIRE) else None


def key_words(path: str) -> str:
    key = sidecars.read_settings(path).key
    return words_of(key) if key else ""


def share(path: str, url: str, *, plain: bool, signer: Signer | None = None) -> str:
    """Send the match to a server; its folder is a mirror from then on. Safe to repeat after an interruption.

    `signer` signs all lines as sent by this host, if none was signed before. Returns the URL with the name there.

    Raises:
        Refused: `wire.shared`, the match is shared already; `wire.taken`, another match has that name.
        Unreadable: `wire.url`, `wire.extra`. NotRecorded, OutcomeUnknown: nothing was shared; run it again.
    """
    if (known := shared_at(path)) is not None:
        raise Refused("wire.shared", f"this match is shared already, at {known}", "hl share URL --move")
    with LogFile(path).writing() as writer:
        return _settled(path, _put_there(path, url, writer, plain, signer))


def move(log: SharedLog, url: str, *, plain: bool, signer: Signer | None = None) -> str:
    """Share the match at another place with a new key, and close it at the old place. Safe to repeat."""
    path, old = log.path, sidecars.read_settings(log.path)
    while True:
        log.must_look()
        try:
            with log.writing() as writer:
                new = _put_there(path, url, writer, plain, signer, old.url)
                mark = Sealing(old.key).mark(writer.mark.hash, new.url)
                log.wire.push(writer.mark.seq + 1, writer.mark.hash, [mark], PUSH_WAIT)
                log.wire.forget()
                return _settled(path, new)
        except Moved:
            continue
        except Refused as error:
            begun = _begun(path)
            if error.fix != gone_on(begun.url).fix:
                raise
            with LogFile(path).writing() as writer:  # we closed it before an interruption: go on at the new place
                return _settled(path, _put_there(path, begun.url, writer, not begun.key, signer, old.url))


def _put_there(
    path: str, url: str, writer: Writer, plain: bool, signer: Signer | None, old: str | None = None
) -> sidecars.Settings:
    """Send a locked match to a place that has none or a part of it; return its settings. Raises as `share`."""
    place, lines = read_place(url), writer.reading.lines
    url = place.url if place.name else f"{place.url}#{lines[0].hash[:12]}"
    if url == old:
        raise Refused("wire.taken", "this match is already there", "hl share URL#OTHERNAME --move")
    begun = _begun(path)
    key = b"" if plain else begun.key if begun.url == url and begun.key else fresh_key()
    sidecars.write_settings(DISK, path, sidecars.Settings(url, key), _HALF)
    wire, sealing = wire_to(url, path), Sealing(key)
    there = wire.tail(1, WRITE_WAIT)
    raw, hashes = list(LogFile(path).raw_lines(writer.mark)), [line.hash for line in lines]
    ours = [row.hash for row in there] == hashes[: len(there)]
    if not ours or checked(there[:1], sealing, 0, "") != raw[: len(there[:1])]:
        what = "another match, or another copy of this one, has that name on the server"
        raise Refused("wire.taken", what, "hl share URL#OTHERNAME")
    signed = [*signed_rows(there, sealing, 1), *read_signed(DISK, path)]
    if signer is not None and not signed:
        signed.append(Signed(1, len(raw), hashes[-1], signer(1, len(raw), hashes[-1])))
        keep_signed(DISK, path, signed)
    _send(wire, sealing, raw, hashes, len(there), signed)
    return sidecars.Settings(url, key)


def _settled(path: str, settings: sidecars.Settings) -> str:
    sidecars.write_settings(DISK, path, settings)
    sidecars.drop(DISK, path + _HALF)
    sidecars.remember(settings.url, path)
    return settings.url


def _begun(path: str) -> sidecars.Settings:
    try:
        return sidecars.read_settings(path, _HALF)
    except Unreadable:
        return sidecars.Settings("", b"")


def _send(wire: Wire, sealing: Sealing, raw: list[bytes], hashes: list[str], start: int, signed: list[Signed]) -> None:
    beside = {(one.last, one.head): one.text for one in signed}
    for at in range(start, len(raw), BATCH_LINES):
        some = range(at, min(at + BATCH_LINES, len(raw)))
        rows = [sealing.stored(raw[i], hashes[i], beside.get((i + 1, hashes[i]), "")) for i in some]
        wire.push(at + 1, hashes[at - 1] if at else GENESIS, rows, PUSH_WAIT)


def restore(path: str) -> int:
    """Send the lines again that a server has lost from the end of a match; return how many.

    Raises:
        Damaged: `wire.other`, its remaining lines are not ours. NotRecorded: the server does not answer.
    """
    settings = sidecars.read_settings(path)
    wire, sealing = wire_to(settings.url, path), Sealing(settings.key)
    with LogFile(path).writing() as writer:
        raw, hashes = list(LogFile(path).raw_lines(writer.mark)), [line.hash for line in writer.reading.lines]
        there = wire.tail(1, WRITE_WAIT)
        if [row.hash for row in there[: len(hashes)]] != hashes[: len(there)]:
            at = next(i for i, (row, ours) in enumerate(zip(there, hashes, strict=False), 1) if row.hash != ours)
            what = f"entry {at} on the server is not the entry {at} of this mirror; nothing was put back"
            raise Damaged("wire.other", what, "hl unshare")
        _send(wire, sealing, raw, hashes, min(len(there), len(raw)), read_signed(DISK, path))
        return max(len(raw) - len(there), 0)


def sync(log: SharedLog) -> tuple[int, Mark, tuple[str, ...]]:
    """Take over new lines and settle an unknown outcome; return (number of lines here before, mark now, notes).

    Raises:
        NotRecorded: The server does not answer. Damaged: it has lost or changed lines.
    """
    before = log.local()
    while True:
        log.must_look()
        try:
            with log.writing(before.mark) as writer:
                new = writer.reading.notes
                wire = log.wire
        except Moved:
            continue
        wire.tidy()
        return before.mark.seq, writer.mark, tuple(note for note in new if note not in before.notes)


def unshare(path: str, *, doubtful: bool) -> str:
    """Turn the mirror into an ordinary match, and return the URL at which it was shared. The server is left as it is.

    Raises:
        Refused: `wire.not_shared`; `wire.in_doubt`, an outcome is unknown and `doubtful` is not set.
    """
    if (url := shared_at(path)) is None:
        raise Refused("wire.not_shared", "this match is not shared", "hl share URL")
    with LogFile(path).writing():
        if sidecars.read_pending(DISK, path) is not None and not doubtful:
            what = "it is unknown whether the last command was recorded on the server"
            raise Refused("wire.in_doubt", what, "hl sync")
        wire_to(url, path).forget()
        sidecars.drop(DISK, path + sidecars.PENDING)
        sidecars.drop(DISK, path + sidecars.WIRE)
    return url


# ---- cloning a match on another machine ------------------------------------------------------------------------------


class Found(NamedTuple):
    """A match on a server. url: with its name."""

    url: str
    rows: list[Stored]

    @property
    def sealed(self) -> bool:
        """Whether a key is needed to read it."""
        return not self.rows[0].data.startswith("{")


def find(url: str, scratch: str) -> Found:
    """The match at a URL, with all its lines, still encrypted.

    Args:
        scratch: The absolute path of a log that does not exist. `clone` moves files that the wire makes beside it.

    Raises:
        ValueError: `scratch` is not absolute; files in the current folder are not ours to move.
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
    if not (rows := wire_to(place.url, scratch).tail(1, WRITE_WAIT)):
        raise Unreadable("wire.none", f"there is no match {place.name} at this address", "hl share URL")
    return Found(place.url, rows)


def clone(found: Found, key: bytes, folder: str | None, scratch: str) -> tuple[str, int]:
    """Make a mirror of a match; return the path of its log and the number of its entries.

    Args:
        folder: A new folder; None for one in the user's data folder, named after the match.

    Raises:
        Unreadable: `log.exists`, there is a log already; `wire.key`. Damaged: `wire.damaged`, `wire.key_other`.
        Refused: `wire.closed`, the match has moved.
    """
    rows, moved = Sealing(key).without_mark(found.rows, "")
    if moved:
        raise gone_on(moved)
    raw = checked(rows, Sealing(key), 0, "")
    folder = folder or os.path.join(sidecars.data_folder(), found.rows[0].hash[:16])
    path = os.path.join(folder, "log.jsonl")
    if os.path.lexists(path):
        raise Unreadable("log.exists", f"{path} already exists", "choose another folder: hl clone URL DIR")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        what = f"nothing was made: the folder {folder} cannot be made: {error.strerror}"
        raise NotRecorded("wire.disk", what, "choose another place") from None
    sidecars.write_settings(DISK, path, sidecars.Settings(found.url, key))
    keep_signed(DISK, path, signed_rows(found.rows, Sealing(key), 1))
    try:
        create_copy(path, raw)
    except LedgerError:
        if not os.path.lexists(path):
            sidecars.drop(DISK, path + sidecars.WIRE)
        raise
    if os.path.isabs(scratch) and os.path.isdir(scratch + sidecars.GIT) and not os.path.lexists(path + sidecars.GIT):
        shutil.move(scratch + sidecars.GIT, path + sidecars.GIT)
    sidecars.remember(found.url, path)
    return path, len(raw)
