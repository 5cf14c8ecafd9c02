"""Which entries count, with which time and arguments: what the meta entries say of the others.

Belongs here: undo, redo, amend, confirm, and the order in which live entries fold. Does not belong here: folding them
(replay.py). Source: design section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events import Body, Entry, read_instant
from events.instants import Instant
from events.record import NamedTuple
from games.table import actions as shared
from ledger.core.layout import Index, Place

BEFORE_ALL = Instant(-(2**62))
"""The time at which the entries of `new` fold: before everything, whatever their `at`. Source: design section 4."""


class Live(NamedTuple):
    """An entry as it counts now: where it folds, and with what arguments."""

    at: Instant
    seq: int
    do: str
    by: str
    args: Mapping[str, Any]
    still: bool
    """It moves no clock: an entry of `new`, or a note about another entry."""


class Marks(NamedTuple):
    """What meta entries say of the others, by entry number."""

    struck: Mapping[int, int]
    """Struck entry -> the undo."""
    undone: Mapping[int, tuple[int, ...]]
    """Undo in effect -> what it strikes."""
    amended: Mapping[int, tuple[Entry, ...]]
    """Amended entry -> its amends in effect, in order; the last one counts."""
    confirmed: Mapping[int, tuple[str, ...]]
    """Entry -> the hosts that confirmed it."""


def marks(log: Index) -> Marks:
    """What is struck, amended and confirmed, after all meta entries in `seq` order (in joined copies, in that of their
    places). An entry is struck while any undo of it is in effect: two hosts may have undone it."""
    undone: dict[int, tuple[int, ...]] = {}
    fixed = {entry.seq for entry in log.about if entry.body.do not in shared.STRIKABLE}
    amends: dict[int, list[Entry]] = {}
    checks: dict[int, list[Entry]] = {}
    for entry in sorted(log.about, key=lambda e: log.place(e.seq)) if log.places else log.about:
        body, target = entry.body, entry.body.args.get("target")
        if not isinstance(target, int) or not 1 <= target < entry.seq:
            continue
        if body.do == "undo":
            undone[entry.seq] = tuple(s for s in log.batch(target) if s not in fixed and not log.is_setup(s))
        elif body.do == "redo":
            undone.pop(target, None)
        elif body.do == "amend":
            amends.setdefault(target, []).append(entry)
        elif body.do == "confirm":
            checks.setdefault(target, []).append(entry)
    struck: dict[int, int] = {}
    for undo, hit in undone.items():
        for seq in hit:
            struck.setdefault(seq, undo)
    standing = {target: tuple(e for e in said if e.seq not in struck) for target, said in amends.items()}
    # Who confirmed an entry before it was amended has not seen what it says now.
    seen = {target: max((log.place(e.seq) for e in standing.get(target, ())), default=(0, "")) for target in checks}
    confirmed = {t: tuple(e.body.by for e in made if log.place(e.seq) > seen[t]) for t, made in checks.items()}
    return Marks(
        struck,
        undone,
        {target: said for target, said in standing.items() if said},
        {target: hosts for target, hosts in confirmed.items() if hosts},
    )


def is_mark(entry: Entry, entries: Sequence[Entry], log: Index) -> bool:
    """Does it only say what was done with a text or receipt, or undo such a mark? Then the match is as it was."""
    if entry.body.do in shared.MARKS:
        return True
    target = entry.body.args.get("target")
    if entry.body.do != "undo" or not isinstance(target, int) or not 1 <= target < entry.seq:
        return False
    return entries[target - 1].body.do in shared.MARKS and log.batch(target) == (target,)


def live_entries(entries: Sequence[Entry], said: Marks, log: Index) -> list[Live]:
    """The entries that count, in the order in which they fold."""
    found = [
        as_live(entry, said, log)
        for entry in entries
        if entry.seq not in said.struck and entry.body.do not in shared.META_VERBS
    ]
    found.sort(key=lambda live: (live.at, log.place(live.seq)))
    return found


def as_live(entry: Entry, said: Marks, log: Index) -> Live:
    """One entry with its time and arguments as amended."""
    body, seq = entry.body, entry.seq
    at, args = body.at, body.args
    if amends := said.amended.get(seq):
        by = amends[-1].body.args
        args = by.get("args", args)
        if isinstance(when := by.get("at"), str):
            at = _instant(when, at)
    if not isinstance(args, dict):
        args = {}
    if log.is_setup(seq):
        return Live(BEFORE_ALL, seq, body.do, body.by, args, True)
    return Live(at, seq, body.do, body.by, args, body.do == "note" and "about" in args)


def live_of(body: Body, seq: int) -> Live:
    """An entry that nothing amends, as it counts."""
    do, at, by, _, args = body[:5]
    return Live(at, seq, do, by, args, do == "note" and "about" in args)


def _remarks(body: Body) -> bool:
    """Is it a note about an entry?"""
    return body.do == "note" and "about" in body.args


def _instant(text: str, otherwise: Instant) -> Instant:
    try:
        return read_instant(text)
    except ValueError:
        return otherwise  # a hostile amend: its time cannot be read, so it moves nothing


def late_entries(entries: Sequence[Entry], layout: Index) -> frozenset[int]:
    """Entries that were recorded after one that counts later: each was placed before others.

    A remark on an entry has no place among them: it may be typed long after the match.
    """
    latest: tuple[int, Place] = (BEFORE_ALL, (0, ""))
    found = []
    for entry in entries:
        body = entry.body
        if body.do in shared.META_VERBS or layout.is_setup(entry.seq) or _remarks(body):
            continue
        point = (body.at, layout.place(entry.seq))
        if point < latest:
            found.append(entry.seq)
        latest = max(latest, point)
    return frozenset(found)
