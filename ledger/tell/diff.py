"""Differences between two moments of a match for one audience, and between two logs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from events import Body, Finding, Line, LogFile, NotCanonical, Unreadable, read_body, write_instant
from events.audiences import HOST_VIEWER
from events.instants import MAX_INSTANT
from events.record import NamedTuple
from games.contract import LEFT
from games.records import plain
from games.table import Table
from games.table.state import OPPONENT
from ledger.core.match import Match
from ledger.core.times import read_zone, show_clock, show_time
from ledger.tell.listing import by_name

IN_WORDS = {
    "closed: none -> yes": "the round takes no more sheets", "closed: yes -> none": "the round takes sheets again",
    "paused: none -> yes": "the clock is paused", "paused: yes -> none": "the clock runs again",
}  # fmt: skip
APART = ("garnets", "scores", "assumptions", "reasons")
"""Keys of a result that the view has too, or that follow from other differences."""


def differences(match: Match, before: Any, after: Any, viewer: str = HOST_VIEWER) -> tuple[str, ...]:
    """The differences that the viewer sees, field by field, in words: "fox hand: B6 R7 -> R6 R7"."""
    called = match.frame(after, HOST_VIEWER)

    def picture(state: Any) -> dict[str, Any]:
        view = plain(match.game.view(state, viewer), lambda at: show_time(min(at, MAX_INSTANT), match.zone))
        result = plain(match.game.result(state, viewer))
        if viewer == HOST_VIEWER and view.get("players"):
            view["players"] = {called.row(p).removesuffix(f" {LEFT}"): row for p, row in view["players"].items()}
        return {**view, **{key: value for key, value in result.items() if key not in APART}}

    was, now = before.table.assumptions, after.table.assumptions
    said = [f"confirmed: {name}" for name in was if name not in now]
    said += [f"an assumption again: {name}" for name in now if name not in was]
    names = ((p, before.table.name(p), after.table.name(p)) for p in after.table.seats)
    said += [f"{p} is {new}, not {old}" for p, old, new in names if new != old]
    old, new = picture(before), picture(after)
    goes_on = after.table.round is not None and old.get("phase") == new.get("phase")
    found = [line for line in compare("", old, new) if goes_on or line != "closed: yes -> none"]
    order, now_order = [*(old.get("players") or ())], [*(new.get("players") or ())]
    if {*order} == {*now_order}:  # else somebody's row came or went
        found += compare("order of play", order, now_order)
    said = [*(IN_WORDS.get(line, line) for line in found), *said]
    if viewer == HOST_VIEWER and not said:
        said = compare("", *(_answers(state.table) for state in (before, after)))
    return tuple(said)


def _answers(table: Table) -> dict[str, Any]:
    """What players voted, chose and gave, from which nothing else may follow: it decides nothing yet, or only who plays
    a Death Match."""
    votes = {f"vote of {player}": vote for cast in table.votes.values() for player, vote in cast.items()}
    choices = {("opponent" if about == OPPONENT else "choice", p): pick for (about, p), pick in table.choices.items()}
    gifts = {f"gift of {player}": [*receivers] for player, receivers in table.gifts.items()}
    return {**votes, **{f"{what} of {player}": pick for (what, player), pick in choices.items()}, **gifts}


def compare(path: str, old: Any, new: Any) -> list[str]:
    """The differences of two plain values, in words: `players eve coins: 3 -> 4`; `path` is the path to them.

    Values that read the same on both sides, like None and an empty list, are left out.
    """
    if old == new:
        return []
    old, new = _as_table_beside(old, new), _as_table_beside(new, old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [*old, *(k for k in new if k not in old)]
        return [line for key in keys for line in compare(f"{path} {key}".strip(), old.get(key), new.get(key))]
    if isinstance(old, list) and isinstance(new, list):
        a, b = _by_label(old), _by_label(new)
        if (a or b) and len(a) == len(old) and len(b) == len(new):
            pairs = [(f"{path} {key}", a[key], b[key]) for key in a if key in b]
            return [*compare(path, list(a), list(b)), *(line for pair in pairs for line in compare(*pair))]
    name = re.sub(r"^sheets (.+)", r"\1 sheet", path.removeprefix("players ")).replace("_", " ")
    if any(isinstance(value, list) and len(value) > 12 for value in (old, new)):  # name only what was added and removed
        more, less = _without(new or [], old or []), _without(old or [], new or [])
        said = [f"{in_a_line(items)} {word}" for items, word in ((more, "more"), (less, "less")) if items]
        return [f"{name}: {', '.join(said) or 'in another order'}"]
    was, now = in_a_line(old), in_a_line(new)
    return [f"{name}: {was} -> {now}"] if was != now else []


def _without(items: list[Any], taken: list[Any]) -> list[Any]:
    left = list(items)
    for item in taken:
        if item in left:
            left.remove(item)
    return left


def _as_table_beside(value: Any, counterpart: Any) -> Any:
    """An empty table instead of None if the counterpart is a table of tables, so that they are compared row by row."""
    rows = isinstance(counterpart, Mapping) and any(isinstance(row, Mapping) for row in counterpart.values())
    return {} if value is None and rows else value


def _by_label(items: list[Any]) -> dict[str, Any]:
    """Records too large for one line, like the rounds of a match, by the name that each begins with; else empty."""
    records = [item for item in items if isinstance(item, Mapping)]
    return {str(next(iter(r.values()))): r for r in records if any(isinstance(v, Mapping) for v in r.values())}


def in_a_line(value: Any) -> str:
    """A part of a view in words: `hand R1 R4, class flush, garnets 2`."""
    if value in (None, "", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {in_a_line(item)}" for key, item in value.items())
    if isinstance(value, list):
        return (" " if all(isinstance(item, str) for item in value) else "; ").join(in_a_line(item) for item in value)
    return str(value)


class ReadLine(NamedTuple):
    seq: int
    hash: str
    body: Body | None
    """None if the line is closed or not canonical."""

    def line(self, zone: str) -> str:
        """`#54  Fri 20 Mar 11:19  recorded 2026-03-20 11:19:02 CET by ben: note text=...`."""
        if self.body is None:
            return f"#{self.seq}  closed: who recorded what is hidden"
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
    common: ReadLine | None
    """The last line that both logs share; None if line 1 differs."""
    first: tuple[ReadLine | None, ReadLine | None]
    more: tuple[int, int]
    findings: tuple[tuple[Finding, ...], tuple[Finding, ...]]
    zone: str

    @property
    def same(self) -> bool:
        return self.first == (None, None) and not any(self.findings)


def copies(first_path: str, second_path: str) -> Copies:
    """Compare two logs line by line, by hash, so that an open line equals its closed form.

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
    """The zone that line 1 names, or UTC if it is unusable."""
    side = _side(line)
    zone = side.body.args.get("zone") if side and side.body else None
    try:
        read_zone(str(zone))
    except Unreadable:
        return "UTC"
    return str(zone)


def _side(line: Line | None) -> ReadLine | None:
    if line is None:
        return None
    try:
        return ReadLine(line.seq, line.hash, None if line.body is None else read_body(line.body))
    except NotCanonical:
        return ReadLine(line.seq, line.hash, None)
