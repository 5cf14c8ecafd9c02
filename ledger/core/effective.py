"""The entries in effect: which entries count, with which time and arguments, and in which order they fold.

Source: docs/log-format.md; docs/decisions/0013-joined-copies-fold-alike.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from events import Body, Entry, read_instant
from events.instants import Instant
from events.record import NamedTuple
from games.table import actions as shared

# ---- batches and places ----------------------------------------------------------------------------------------------

Place: TypeAlias = tuple[int, str]
"""Orders entries of the same time: the entry's number in the copy where it was recorded first, then its hash."""


class Index(NamedTuple):
    """The data that both orders of a log are computed from, small enough to keep for a long log."""

    about: Sequence[Entry]
    batches: Sequence[int]
    """Index n - 1: the first entry of the batch of line n, 0 for none."""
    places: Sequence[Place] = ()
    """Index n - 1: the place of line n. Empty for a log that was never joined, where the place is the number."""
    first: Sequence[int] = ()
    """Index n - 1: the number in the place of line n, before `also` lowers it."""
    latest: int = 0
    """The greatest number in `first` and `also`."""
    joined: Mapping[int, Place] = {}
    """Entry taken from another copy -> where it was recorded first."""
    also: Mapping[int, tuple[Place, ...]] = {}
    """Entry -> its places in other copies that recorded the same thing."""
    keys: Mapping[int, tuple[str, ...]] = {}
    """Entry -> those of its `--once` keys that are not in its line."""

    def place(self, seq: int) -> Place:
        return self.places[seq - 1] if self.places else (seq, "")

    @property
    def next(self) -> int:
        """The place of the next entry: its number, or more if a joined copy has counted further."""
        return max(len(self.batches), self.latest) + 1

    def first_line(self, entry: Entry) -> str:
        """The hash of the line where the entry was recorded first, here or in another copy: it never changes."""
        return self.joined[entry.seq][1] if entry.seq in self.joined else entry.hash

    def called(self, entry: Entry) -> tuple[str, ...]:
        own = () if entry.body.once is None else (entry.body.once,)
        return (*own, *self.keys.get(entry.seq, ()))

    def is_setup(self, seq: int) -> bool:
        return seq == 1 or self.batches[seq - 1] == 1

    def batch(self, target: int) -> tuple[int, ...]:
        first = self.batches[target - 1]
        if self.places and not self.is_setup(target):
            # An interrupted join leaves its batch in two parts. And if two hosts recorded the same entry, the remark
            # of one of them belongs to the batch of that entry, even if the entry was recorded alone.
            first = first or target
            return tuple(seq for seq, batch in enumerate(self.batches, 1) if first in (batch, seq))
        if not 1 <= first <= target:
            return (target,)
        last = target
        while last < len(self.batches) and self.batches[last] == first:
            last += 1
        numbers = range(first, last + 1)
        return tuple(numbers) if all(self.batches[seq - 1] == first for seq in numbers) else (target,)


def index(entries: Sequence[Entry]) -> Index:
    about = [entry for entry in entries if entry.body.do in shared.META_VERBS]
    plain = Index(about, [entry.body.batch or 0 for entry in entries])
    return with_places(plain, entries) if any(entry.body.do == "join" for entry in about) else plain


def with_places(plain: Index, entries: Iterable[Entry]) -> Index:
    """The index of a log that was joined with another copy: every copy gives an entry the same place.

    An entry recorded here gets a place after all entries known here; an entry that `join` brought keeps its place from
    the other copy. So entries of one copy keep their order, and entries that two copies recorded independently have the
    same order in both. Source: docs/decisions/0013-joined-copies-fold-alike.md.
    """
    places: list[Place] = []
    joined: dict[int, Place] = {}
    also: dict[int, tuple[Place, ...]] = {}
    keys: dict[int, tuple[str, ...]] = {}
    known_lines: set[str] = set()
    """The hashes of all lines so far. A join entry that names one of them again is not believed."""
    brought_rows: dict[int, Any] = {}
    join_first = 0
    latest = 0

    def new_place(row: Any) -> Place | None:
        """The place in a row of a join entry; None if it has none, or if its line is known already."""
        match row:
            case {"place": int(number), "line": str(line)} if number > 0 and number is not True:
                return None if line in known_lines else (number, line)
        return None

    def add_known(entry: int, row: Any) -> int:
        """Add the other places and keys of an entry; return the greatest number among its places."""
        for other in _rows(row.get("also")):
            if (place := new_place(other)) is not None:
                also[entry] = (*also.get(entry, ()), place)
                known_lines.add(place[1])
        if called := tuple(key for key in _rows(row.get("keys")) if isinstance(key, str)):
            keys[entry] = (*keys.get(entry, ()), *called)
        return max((number for number, _ in also.get(entry, ())), default=0)

    for seq, hash_, body in entries:
        place = (max(seq, latest + 1), hash_)
        if body.do == "join":
            join_first = body.batch or seq
            brought_rows = dict(enumerate(_rows(body.args.get("lines")), start=seq + 1))
            for row in _rows(body.args.get("known")):
                match row:
                    case {"entry": int(entry)} if 0 < entry < seq:
                        latest = max(latest, add_known(entry, row))
        elif body.joined == join_first and (original := new_place(brought_rows.get(seq))) is not None:
            place = joined[seq] = original
            known_lines.add(original[1])
            latest = max(latest, add_known(seq, brought_rows[seq]))
        else:
            brought_rows = {}  # the join was interrupted: the lines after it were recorded here
        known_lines.add(place[1])
        latest = max(latest, place[0])
        places.append(place)
    first = [number for number, _ in places]
    for seq, other_places in also.items():
        places[seq - 1] = min(places[seq - 1], *other_places)
    return plain._replace(places=places, first=first, latest=latest, joined=joined, also=also, keys=keys)


def _rows(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


# ---- the entries in effect -------------------------------------------------------------------------------------------

BEFORE_ALL = Instant(-(2**62))
"""The time at which the entries of `new` fold: before everything, whatever their `at`. Source: docs/log-format.md."""


class EffectiveEntry(NamedTuple):
    at: Instant
    seq: int
    by: str
    do: str
    args: Mapping[str, Any]
    still: bool
    """Folding it lets no time pass: it is an entry of `new`, or a note about another entry."""


class Marks(NamedTuple):
    struck: Mapping[int, int]
    undone: Mapping[int, tuple[int, ...]]
    amended: Mapping[int, tuple[Entry, ...]]
    """Amended entry -> its amends in effect, in order; the last one counts."""
    confirmed: Mapping[int, tuple[str, ...]]


def marks(log: Index) -> Marks:
    """The entries that are struck, amended and confirmed after all meta entries.

    Meta entries take effect in `seq` order, or in joined copies in the order of their places. An entry is struck as
    long as any undo of it is in effect: two hosts may have undone it.
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
        # A host who confirmed an entry before its last amend has not seen it as it is now.
        last_amend = max((log.place(entry.seq) for entry in amended.get(target, ())), default=(0, ""))
        if hosts := tuple(entry.body.by for entry in entries if log.place(entry.seq) > last_amend):
            confirmed[target] = hosts
    return Marks(struck, undone, amended, confirmed)


def is_posting_mark(entry: Entry, entries: Sequence[Entry], log: Index) -> bool:
    """Whether the entry only records what was done with a text or receipt, or undoes such a mark."""
    if entry.body.do in shared.MARKS:
        return True
    target = entry.body.args.get("target")
    if entry.body.do != "undo" or not isinstance(target, int) or not 1 <= target < entry.seq:
        return False
    return entries[target - 1].body.do in shared.MARKS and log.batch(target) == (target,)


class Counting(NamedTuple):
    """What counts of a log."""

    log: Index
    marks: Marks
    live: Sequence[EffectiveEntry]
    """In the order of the match."""


def counting(entries: Sequence[Entry]) -> Counting:
    log = index(entries)
    said = marks(log)
    lives = (
        as_effective(entry, said, log)
        for entry in entries
        if entry.seq not in said.struck and entry.body.do not in shared.META_VERBS
    )
    return Counting(log, said, sorted(lives, key=lambda live: (live.at, log.place(live.seq))))


def as_effective(entry: Entry, marks_of_log: Marks, log: Index) -> EffectiveEntry:
    """An entry with its time and arguments as amended."""
    body, seq = entry.body, entry.seq
    if amends := marks_of_log.amended.get(seq):
        changes = amends[-1].body.args
        args, when = changes.get("args", body.args), changes.get("at")
        body = body._replace(args=args if isinstance(args, dict) else {})
        with suppress(ValueError):  # a hostile amend without a readable time does not move the entry
            body = body._replace(at=read_instant(when) if isinstance(when, str) else body.at)
    return unamended(body, seq, log.is_setup(seq))


def unamended(body: Body, seq: int, setup: bool = False) -> EffectiveEntry:
    """An entry in effect with its body as it is. setup: it was written in the batch of line 1."""
    still = setup or is_remark(body.do, body.args)
    return EffectiveEntry(BEFORE_ALL if setup else body.at, seq, body.by, body.do, body.args, still)


def is_remark(do: str, args: Mapping[str, Any]) -> bool:
    return do == "note" and "about" in args


def late_entries(entries: Sequence[Entry], layout: Index) -> frozenset[int]:
    """Entries (not remarks) that were recorded after an entry that counts later, so they fold before it."""
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
