"""What differs: between two moments of one match, in words; or between two logs, the first line and who recorded it."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from events import Body, Finding, Line, LogFile, NotCanonical, Unreadable, read_body, write_instant
from events.record import NamedTuple
from ledger.core.match import Match
from ledger.core.times import show_clock, show_time
from ledger.tell.differences import differences
from ledger.tell.listing import by_name
from ledger.tell.reports import Shown, at_point

KNOWN = re.compile(r"known:#?([0-9]{1,9})")


# ---- two moments ---------------------------------------------------------------------------------------------------


def moment(match: Match, typed: str, viewer: str, now: int) -> Shown:
    """A point of the match as typed: what `--as-of` takes, or `known:SEQ` for what was known at an entry.

    Raises:
        Unreadable: no such entry, round or time.
    """
    if found := KNOWN.fullmatch(typed.strip().lower()):
        return at_point(match, viewer, as_of=None, known=int(found[1]), now=now)
    try:
        return at_point(match, viewer, as_of=typed, known=None, now=now)
    except Unreadable as error:  # what it advises is spelled as an option there
        raise Unreadable(
            error.code, error.what, re.sub(r"--known ([0-9]+)", r"known:\1", error.fix).replace("--as-of ", "")
        ) from None


def between(match: Match, one: Shown, other: Shown) -> tuple[str, ...]:
    """What the audience of both points sees differently at the second, field by field."""
    return differences(match, one.fold.state, other.fold.state, one.viewer)


# ---- two logs ------------------------------------------------------------------------------------------------------


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
        told: dict[str, Any] = {"seq": self.seq, "hash": self.hash}
        if self.body is not None:
            body = self.body
            at, recorded = write_instant(body.at), write_instant(body.recorded)
            told |= {"at": at, "recorded": recorded, "by": body.by, "do": body.do, "args": body.args}
        return told


class Copies(NamedTuple):
    """Two logs side by side."""

    common: Side | None
    """The last line that both have; None when not even the first is the same."""
    first: tuple[Side | None, Side | None]
    """The first line that differs, in each; None where that log has no more. Both None: they are the same."""
    more: tuple[int, int]
    """How many lines each has from there on."""
    findings: tuple[tuple[Finding, ...], tuple[Finding, ...]]
    """What is wrong with each, at the end of what could be read."""
    zone: str

    @property
    def same(self) -> bool:
        return self.first == (None, None) and not any(self.findings)


def copies(one: str, other: str) -> Copies:
    """Compare two logs line by line. A hash fixes all lines before it, so an open line equals its closed twin.

    Damaged logs are compared up to the first bad line of each.

    Raises:
        Unreadable, NotRecorded: one of them cannot be read at all.
    """
    wrong: tuple[list[Finding], list[Finding]] = ([], [])
    pairs = zip_longest(LogFile(one).scan(wrong[0]), LogFile(other).scan(wrong[1]))
    common: Line | None = None
    first: tuple[Line | None, Line | None] = (None, None)
    more, zone = [0, 0], "UTC"
    for mine, yours in pairs:
        if first == (None, None):
            if mine is not None and yours is not None and mine.hash == yours.hash:
                common = mine if mine.body is not None else yours
                zone = _zone(common) if common.seq == 1 else zone
                continue
            first = (mine, yours)
        more[0] += mine is not None
        more[1] += yours is not None
    sides = (_side(first[0]), _side(first[1]))
    return Copies(_side(common), sides, (more[0], more[1]), (tuple(wrong[0]), tuple(wrong[1])), zone)


def _zone(line: Line) -> str:
    """The zone that line 1 names; UTC where it cannot be used."""
    from ledger.core.times import read_zone

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
