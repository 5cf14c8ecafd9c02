"""Which entries count, with which time and arguments: the effect of the meta entries on the others.

Belongs here: undo, redo, amend, confirm, and the order in which live entries fold. Does not belong here: folding them
(replay.py). Source: docs/log-format.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events import Body, Entry, read_instant
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Moment
from games.table import actions as shared
from ledger.core.layout import Index, Place

BEFORE_ALL = Instant(-(2**62))
"""The time at which the entries of `new` fold: before everything, whatever their `at`. Source: docs/log-format.md."""


class Live(NamedTuple):
    """An entry as it counts now: the time at which it folds, and its arguments."""

    moment: Moment
    do: str
    args: Mapping[str, Any]
    still: bool
    """It lets no time pass: an entry of `new`, or a note about another entry."""

    @property
    def at(self) -> Instant:
        """The time at which it folds."""
        return self.moment.at

    @property
    def seq(self) -> int:
        """Its number."""
        return self.moment.seq

    @property
    def by(self) -> str:
        """The host who recorded it."""
        return self.moment.by


class Marks(NamedTuple):
    """The effect of meta entries on the others, by entry number."""

    struck: Mapping[int, int]
    """Struck entry -> the undo."""
    undone: Mapping[int, tuple[int, ...]]
    """Undo in effect -> the entries that it strikes."""
    amended: Mapping[int, tuple[Entry, ...]]
    """Amended entry -> its amends in effect, in order; the last one counts."""
    confirmed: Mapping[int, tuple[str, ...]]
    """Entry -> the hosts that confirmed it."""


def marks(log: Index) -> Marks:
    """The entries that are struck, amended and confirmed after all meta entries.

    Meta entries take effect in `seq` order, in joined copies in the order of their places. An entry is struck while any
    undo of it is in effect: two hosts may have undone it.
    """
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
    for undo, seqs in undone.items():
        for seq in seqs:
            struck.setdefault(seq, undo)
    amended: dict[int, tuple[Entry, ...]] = {}
    for target, entries in amends.items():
        if in_effect := tuple(entry for entry in entries if entry.seq not in struck):
            amended[target] = in_effect
    confirmed: dict[int, tuple[str, ...]] = {}
    for target, entries in checks.items():
        # Hosts who confirmed an entry before its last amend have not seen it as it is now.
        last_amend = max((log.place(entry.seq) for entry in amended.get(target, ())), default=(0, ""))
        if hosts := tuple(entry.body.by for entry in entries if log.place(entry.seq) > last_amend):
            confirmed[target] = hosts
    return Marks(struck, undone, amended, confirmed)


def is_mark(entry: Entry, entries: Sequence[Entry], log: Index) -> bool:
    """Does the entry only record what was done with a text or receipt, or undo such a mark?"""
    if entry.body.do in shared.MARKS:
        return True
    target = entry.body.args.get("target")
    if entry.body.do != "undo" or not isinstance(target, int) or not 1 <= target < entry.seq:
        return False
    return entries[target - 1].body.do in shared.MARKS and log.batch(target) == (target,)


def live_entries(entries: Sequence[Entry], marks_of_log: Marks, log: Index) -> list[Live]:
    """The entries that count, in the order in which they fold."""
    lives = [
        as_live(entry, marks_of_log, log)
        for entry in entries
        if entry.seq not in marks_of_log.struck and entry.body.do not in shared.META_VERBS
    ]
    lives.sort(key=lambda live: (live.at, log.place(live.seq)))
    return lives


def as_live(entry: Entry, marks_of_log: Marks, log: Index) -> Live:
    """One entry with its time and arguments as amended."""
    body, seq = entry.body, entry.seq
    if amends := marks_of_log.amended.get(seq):
        changes = amends[-1].body.args
        args, when = changes.get("args", body.args), changes.get("at")
        at = _instant(when, body.at) if isinstance(when, str) else body.at
        body = body._replace(at=at, args=args if isinstance(args, dict) else {})
    return live_of(body, seq, log.is_setup(seq))


def live_of(body: Body, seq: int, setup: bool = False) -> Live:
    """An entry that nothing amends, as it counts. setup: it was written with line 1."""
    still = setup or is_remark(body.do, body.args)
    return Live(Moment(BEFORE_ALL if setup else body.at, seq, body.by), body.do, body.args, still)


def is_remark(do: str, args: Mapping[str, Any]) -> bool:
    """Is it a note about an entry?"""
    return do == "note" and "about" in args


def _instant(text: str, otherwise: Instant) -> Instant:
    try:
        return read_instant(text)
    except ValueError:
        return otherwise  # a hostile amend: it has no readable time, so it does not move the entry


def late_entries(entries: Sequence[Entry], layout: Index) -> frozenset[int]:
    """Entries that were recorded after one that counts later, and so were placed before others.

    Remarks about entries are left out: they may be typed long after the match.
    """
    latest: tuple[int, Place] = (BEFORE_ALL, (0, ""))
    late = []
    for entry in entries:
        body = entry.body
        if body.do in shared.META_VERBS or layout.is_setup(entry.seq) or is_remark(body.do, body.args):
            continue
        point = (body.at, layout.place(entry.seq))
        if point < latest:
            late.append(entry.seq)
        latest = max(latest, point)
    return frozenset(late)
