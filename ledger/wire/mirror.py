"""The log of a shared match: a file like any other, which is brought up to date before it is read or continued.

Lines are pushed first and then written to the mirror, so everything in the mirror is on the server.
`log.jsonl.pending` keeps a batch from before it is sent until it is in the mirror. If a command is killed or gets no
answer, the next command settles the batch.

Source: docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from events.canon import NotCanonical
from events.disk import line_to_run
from events.entry import GENESIS, Body, Line, read_body
from events.errors import Damaged, LedgerError, Moved, NotRecorded, OutcomeUnknown, Refused, Unprinted
from events.log import LogFile
from events.reading import Mark, Reading, read_chain
from events.writer import Writer
from ledger.wire.git import GitWire
from ledger.wire.postgres import PostgresWire
from ledger.wire.protocol import PUSH_WAIT, READ_WAIT, WRITE_WAIT, Stored, Wire, read_place
from ledger.wire.sealing import Sealing, Signed, Signer, keep_signed, signed_rows
from ledger.wire.sidecars import GIT, PENDING, WIRE, Pending, drop, read_pending, read_settings, write_pending


def wire_to(url: str, path: str) -> Wire:
    """The wire to a URL, for the log at `path`. Raises Unreadable: `wire.url`, `wire.password`."""
    place = read_place(url)
    return PostgresWire(place) if place.server.startswith("postgresql:") else GitWire(place, path + GIT)


class SharedLog(LogFile):
    """The mirror of a shared match. `read` and `writing` ask the server first; `signer` signs the lines sent."""

    shared = True
    signer: Signer | None = None

    def __init__(self, path: str | os.PathLike[str], now: Callable[[], int]) -> None:
        super().__init__(path, wait=60.0)  # another command at this mirror may be waiting for the server
        self._now = now
        self._wire: Wire | None = None
        self._sealing: Sealing | None = None
        self._looked = float("-inf")

    @property
    def wire(self) -> Wire:
        if self._wire is None:
            settings = read_settings(self.path)
            self._wire, self._sealing = wire_to(settings.url, self.path), Sealing(settings.key)
        return self._wire

    @property
    def sealing(self) -> Sealing:
        assert self.wire and self._sealing is not None
        return self._sealing

    def read(self, after: Mark | None = None) -> Reading:
        """Bring the mirror up to date, then read it. If the server does not answer, a note says how old it is."""
        try:
            with MirrorWriter(self, after, reading=True) as writer:
                return writer.reading
        except (NotRecorded, Refused) as error:  # another command has the lock, or this folder is read-only
            reading = super().read(after)
            what = error.what.removeprefix("nothing was recorded: ")
            return reading._replace(notes=(*reading.notes, f"{what}; this is the mirror {self.age()}"))

    def writing(self, after: Mark | None = None) -> Writer:
        """As `LogFile.writing`, after fetching the new lines from the server."""
        return MirrorWriter(self, after)

    def local(self, after: Mark | None = None) -> Reading:
        return super().read(after)

    def age(self) -> str:
        try:
            ago = max(0, self._now() - int(os.stat(self.path + WIRE).st_mtime * 1000)) // 1000
        except OSError:
            return "of this machine"
        span = f"{ago} s" if ago < 120 else f"{ago // 60} min" if ago < 7200 else f"{ago // 3600} h"
        return f"as of {span} ago"

    def looked(self, at: float) -> None:
        self._looked = at
        with suppress(OSError):  # on failure only the reported age is wrong
            os.utime(self.path + WIRE, (self._now() / 1000,) * 2)

    def must_look(self) -> None:
        self._looked = float("-inf")

    @property
    def fresh(self) -> bool:
        return self.disk.clock() - self._looked < 2.0


class MirrorWriter(Writer):
    """A mirror that is locked, read and brought up to date. With `reading`, a server that does not answer is a note."""

    def __init__(self, log: SharedLog, after: Mark | None, *, reading: bool = False) -> None:
        super().__init__(log.disk, log.path, READ_WAIT if reading else log.wait, after)
        self._log, self._looking = log, reading

    def __enter__(self) -> MirrorWriter:
        super().__enter__()
        try:
            notes = self._catch_up()
        except BaseException:
            self._close()
            raise
        self.reading = self.reading._replace(notes=(*self.reading.notes, *notes))
        return self

    def _catch_up(self) -> list[str]:
        """Take over new lines, and settle a batch that was sent without an answer; return notes for the host."""
        log = self._log
        pending = read_pending(log.disk, log.path)
        if not (self._looking or pending) and log.fresh:
            return []
        try:
            moved = self._adopt(log.wire.tail(self.mark.seq, READ_WAIT if self._looking else WRITE_WAIT))
        except (Damaged, NotRecorded) as error:
            if not self._looking:
                raise
            what = error.what.removeprefix("nothing was recorded: ")
            notes = [f"{what}; this is the mirror {log.age()}"]
            return [*notes, _in_doubt(pending)] if pending else notes
        log.looked(log.disk.clock())
        notes = [self._settle(pending, closed=bool(moved))] if pending else []
        if not moved:
            return notes
        sent_on = gone_on(moved, "; ".join(notes))
        if not self._looking:
            raise sent_on
        return [*notes, f"this match has moved: {sent_on.fix}; this is the mirror {log.age()}"]

    def _adopt(self, rows: Sequence[Stored]) -> str:
        """Take over the server's lines after our head; return the URL that the match has moved to, or ""."""
        seq = self.mark.seq
        if not rows:
            what = f"the server has lost entries: it has fewer than the {seq} of this mirror; nothing was recorded"
            raise Damaged("wire.behind", what, "hl sync --restore")
        if rows[0].hash != self.mark.hash:
            what = f"entry {seq} on the server is not the entry {seq} of this mirror; nothing was recorded"
            raise Damaged("wire.other", what, "hl unshare")
        rows, moved = self._log.sealing.without_mark(rows[1:], self.mark.hash)
        if rows:
            raw = checked(rows, self._log.sealing, seq, self.mark.hash)
            keep_signed(self._log.disk, self._log.path, signed_rows(rows, self._log.sealing, seq + 1))
            self.take_over(raw)
        return moved

    def _settle(self, pending: Pending, *, closed: bool) -> str:
        """Find out what became of a batch sent without an answer, and return a note. `closed`: the match has moved."""
        last = pending.seq + len(pending.rows) - 1
        if self.mark.seq >= pending.seq:
            lines = self.reading.lines if self.reading.whole else self._log.local().lines
            recorded = len(lines) >= last and lines[last - 1].hash == pending.rows[-1].hash
        elif closed or self.mark.hash != pending.prev:
            recorded = False
        elif self._looking:
            return _in_doubt(pending)
        else:
            self._send_again(pending)
            recorded = True
        drop(self._log.disk, self._log.path + PENDING)
        if recorded:
            return f"{_called(pending)}, whose outcome was unknown, is recorded"
        return f"{_called(pending)}, whose outcome was unknown, was NOT recorded; if you still want it, type it again"

    def _send_again(self, pending: Pending) -> None:
        log = self._log
        try:
            log.wire.push(pending.seq, pending.prev, pending.rows, PUSH_WAIT)
        except Moved:
            log.must_look()
            raise
        except (OutcomeUnknown, NotRecorded) as error:
            what = f"nothing was recorded: {_in_doubt(pending)}, and no answer came again"
            raise NotRecorded("wire.pending", what, error.fix) from None
        keep_signed(log.disk, log.path, signed_rows(pending.rows, log.sealing, pending.seq))
        self.take_over(pending.raw)

    def append(self, bodies: Sequence[Body]) -> list[Line]:
        """Record entries on the server, then in the mirror. On return both have them.

        Raises:
            Moved: Another host recorded first; nothing was recorded. NotRecorded: `wire.*`, nothing was recorded; or as
                `Writer.append`. OutcomeUnknown: `wire.unknown`; the next command finds out. Unprinted: `wire.mirror`,
                only the server has them. After any of these, leave the `with` block.
        """
        raw, lines = self._made(bodies)
        if not lines:
            return lines
        log = self._log
        signed = self._signed(lines)
        rows = [log.sealing.stored(one, line.hash) for one, line in zip(raw, lines, strict=True)]
        if signed is not None:
            rows[-1] = log.sealing.stored(raw[-1], lines[-1].hash, signed.text)
        pending = Pending(lines[0].seq, self.mark.hash, tuple(raw), tuple(rows))
        write_pending(log.disk, log.path, pending)
        try:
            log.wire.push(pending.seq, pending.prev, pending.rows, PUSH_WAIT)
            if signed is not None and keep_signed(log.disk, log.path, [signed]):
                self.warnings.append("recorded; but its signature could not be kept here: hl clone brings it")
            try:
                self._record(pending.raw, lines)
            except LedgerError as error:
                what = f"recorded on the server, but it could not be kept in this mirror: {error.what}"
                raise Unprinted("wire.mirror", what, "hl sync") from None
        except NotRecorded:
            log.must_look()
            drop(log.disk, log.path + PENDING)
            raise
        except KeyboardInterrupt:
            what = "interrupted on the way to the server: it is unknown whether it was recorded"
            raise OutcomeUnknown("wire.unknown", what, "hl sync") from None
        drop(log.disk, log.path + PENDING)
        log.looked(log.disk.clock())
        return lines

    def _signed(self, lines: Sequence[Line]) -> Signed | None:
        """The signature of lines about to be sent. If signing fails, a warning says so and the entry is sent anyway."""
        if self._log.signer is None:
            return None
        first, last, head = lines[0].seq, lines[-1].seq, lines[-1].hash
        try:
            return Signed(first, last, head, self._log.signer(first, last, head))
        except LedgerError as error:
            self.warnings.append(f"recorded, but not signed: {error.what}")
            return None


def checked(rows: Sequence[Stored], sealing: Sealing, seq: int, prev: str) -> list[bytes]:
    """The lines that a server returned, decrypted and verified.

    Args:
        seq: Number of the line before them, 0 at the start. prev: its hash.

    Raises:
        Damaged: `wire.damaged`, `wire.key_other`. Unreadable: `wire.key`, `wire.extra`.
    """
    raw = [sealing.opened(row) for row in rows]
    try:
        lines = list(read_chain(raw, seq=seq, prev=prev or GENESIS))
        for row, line in zip(rows, lines, strict=True):
            if line.body is None or line.hash != row.hash:
                raise Damaged("wire.damaged", f"line {line.seq} is closed, or has another hash")
            read_body(line.body)
    except (Damaged, NotCanonical) as error:
        what = f"what the server has after entry {seq} does not belong to this match: {error}; nothing was accepted"
        raise Damaged("wire.damaged", what, "hl unshare") from None
    return raw


def gone_on(url: str, host_only: str = "") -> Refused:
    """The refusal for a match that somebody has moved to another place, with another key."""
    what = "this match has moved, with a new key, and nothing was recorded; ask the host who moved it for the key"
    return Refused("wire.closed", what, f"{line_to_run('hl', 'clone', url)} DIR", host_only)


def _called(pending: Pending) -> str:
    last = pending.seq + len(pending.rows) - 1
    numbers = f"entry {pending.seq}" if last == pending.seq else f"entries {pending.seq} to {last}"
    line = next(iter(read_chain(pending.raw, seq=pending.seq - 1, prev=pending.prev)))
    return f"{numbers} ({read_body(line.body).do})" if line.body is not None else numbers


def _in_doubt(pending: Pending) -> str:
    return f"it is still unknown whether {_called(pending)} was recorded"
