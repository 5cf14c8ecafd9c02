"""Two logs side by side: the first line that differs, and who recorded it in each."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from events import Body, Finding, Line, LogFile, NotCanonical, Unreadable, read_body, write_instant
from events.record import NamedTuple
from ledger.core.times import read_zone, show_clock, show_time
from ledger.tell.entry_words import by_name


class Side(NamedTuple):
    """A line of one log, as far as it can be read."""

    seq: int
    hash: str
    body: Body | None
    """None when the line is closed, or is not as the ledger writes it."""

    def line(self, zone: str) -> str:
        """`#54  Fri 20 Mar 11:19  recorded 2026-03-20 11:19:02 CET by ben: note text=...`."""
        if self.body is None:
            return f"#{self.seq}  closed: who recorded what is not shown"
        body = self.body
        when = f"{show_clock(body.at, zone)}  recorded {show_time(body.recorded, zone)} by {body.by}"
        return f"#{self.seq}  {when}: {body.do} {by_name(body.args)}".rstrip()

    def as_json(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"seq": self.seq, "hash": self.hash}
        if self.body is not None:
            body = self.body
            at, recorded = write_instant(body.at), write_instant(body.recorded)
            entry |= {"at": at, "recorded": recorded, "by": body.by, "do": body.do, "args": body.args}
        return entry


class Copies(NamedTuple):
    """Two logs side by side."""

    common: Side | None
    """The last line that both have; None if line 1 differs."""
    first: tuple[Side | None, Side | None]
    """The first line that differs, in each log; None where a log has ended. Both None: the logs are the same."""
    more: tuple[int, int]
    """The number of lines of each from there on."""
    findings: tuple[tuple[Finding, ...], tuple[Finding, ...]]
    """The findings of each, at the end of its readable part."""
    zone: str

    @property
    def same(self) -> bool:
        return self.first == (None, None) and not any(self.findings)


def copies(first_path: str, second_path: str) -> Copies:
    """Compare two logs line by line. A hash fixes all lines before it, so an open line equals its closed twin.

    Damaged logs are compared up to the first bad line of each.

    Raises:
        Unreadable, NotRecorded: one of them cannot be read at all.
    """
    findings: tuple[list[Finding], list[Finding]] = ([], [])
    pairs = zip_longest(LogFile(first_path).scan(findings[0]), LogFile(second_path).scan(findings[1]))
    common: Line | None = None
    first_difference: tuple[Line | None, Line | None] = (None, None)
    rest, zone = [0, 0], "UTC"
    for line, other_line in pairs:
        if first_difference == (None, None):
            if line is not None and other_line is not None and line.hash == other_line.hash:
                common = line if line.body is not None else other_line
                zone = _zone(common) if common.seq == 1 else zone
                continue
            first_difference = (line, other_line)
        rest[0] += line is not None
        rest[1] += other_line is not None
    sides = (_side(first_difference[0]), _side(first_difference[1]))
    return Copies(_side(common), sides, (rest[0], rest[1]), (tuple(findings[0]), tuple(findings[1])), zone)


def _zone(line: Line) -> str:
    """The zone that line 1 names; UTC where it cannot be used."""
    side = _side(line)
    zone = side.body.args.get("zone") if side and side.body else None
    try:
        read_zone(str(zone))
    except Unreadable:
        return "UTC"
    return str(zone)


def _side(line: Line | None) -> Side | None:
    if line is None:
        return None
    try:
        return Side(line.seq, line.hash, None if line.body is None else read_body(line.body))
    except NotCanonical:
        return Side(line.seq, line.hash, None)
