"""Where each line of a log stands: its batch, and its place among entries of the same time, in joined copies too.

Source: design section 4; docs/decisions/0013-joined-copies-fold-alike.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from events import Entry
from events.record import NamedTuple
from games.table import actions as shared

Place: TypeAlias = tuple[int, str]
"""Where an entry stands when times are equal: its number in the copy where it was recorded first, then its hash."""


class Index(NamedTuple):
    """What the two orders ask of a log, small enough to keep for a long one."""

    about: Sequence[Entry]
    """The meta entries."""
    batches: Sequence[int]
    """Of line n at n - 1: the first entry of its batch, 0 for none."""
    places: Sequence[Place] = ()
    """Of line n at n - 1. Empty for a log that was never joined: there the place of an entry is its number."""
    first: Sequence[int] = ()
    """The numbers among the places, before `also` makes any of them smaller."""
    latest: int = 0
    """The greatest of these, and of those in `also`."""
    joined: Mapping[int, Place] = {}
    """Entry taken from another copy -> where it was recorded first."""
    also: Mapping[int, tuple[Place, ...]] = {}
    """Entry -> where else the same was recorded."""
    keys: Mapping[int, tuple[str, ...]] = {}
    """Entry -> `--once` keys it goes by that its line does not show."""

    def place(self, seq: int) -> Place:
        """Where an entry stands among others of the same time, and among meta entries."""
        return self.places[seq - 1] if self.places else (seq, "")

    @property
    def next(self) -> int:
        """The place of the next entry: its number, unless a joined copy has counted further."""
        return max(len(self.batches), self.latest) + 1

    def first_line(self, entry: Entry) -> str:
        """The hash of the line where it was recorded first, here or in another copy: it is known by that for ever."""
        return self.joined[entry.seq][1] if entry.seq in self.joined else entry.hash

    def called(self, entry: Entry) -> tuple[str, ...]:
        """The `--once` keys of an entry."""
        own = () if entry.body.once is None else (entry.body.once,)
        return (*own, *self.keys.get(entry.seq, ()))

    def is_setup(self, seq: int) -> bool:
        """Does it belong to the entries of `new`?"""
        return seq == 1 or self.batches[seq - 1] == 1

    def batch(self, target: int) -> tuple[int, ...]:
        """The entries that one command wrote together with `target`."""
        first = self.batches[target - 1]
        if self.places and not self.is_setup(target):
            # A join that was cut short leaves its batch in two parts; and what one host remarked on an entry that both
            # recorded goes with that entry, also where it was recorded alone.
            first = first or target
            return tuple(seq for seq, batch in enumerate(self.batches, 1) if first in (batch, seq))
        if not 1 <= first <= target:
            return (target,)
        last = target
        while last < len(self.batches) and self.batches[last] == first:
            last += 1
        whole = range(first, last + 1)
        return tuple(whole) if all(self.batches[seq - 1] == first for seq in whole) else (target,)


def index(entries: Sequence[Entry]) -> Index:
    """The index of entries in memory."""
    about = [entry for entry in entries if entry.body.do in shared.META_VERBS]
    plain = Index(about, [entry.body.batch or 0 for entry in entries])
    return with_places(plain, entries) if any(entry.body.do == "join" for entry in about) else plain


def with_places(plain: Index, entries: Iterable[Entry]) -> Index:
    """The index of a log that was joined with another copy: every copy gives an entry the same place.

    An entry recorded here stands after all that was known here; one that `join` brought stands where it stood in the
    copy it comes from. So what one copy recorded after the other keeps its order, and what two copies recorded without
    knowing of each other comes in one order in both. Source: docs/decisions/0013-joined-copies-fold-alike.md.
    """
    places: list[Place] = []
    first: list[int] = []
    joined: dict[int, Place] = {}
    also: dict[int, tuple[Place, ...]] = {}
    keys: dict[int, tuple[str, ...]] = {}
    named: set[str] = set()
    """The lines that entries so far are known by: a join entry that names one again is not believed."""
    told: dict[int, Any] = {}
    wrote = 0
    """The first line that the last join wrote."""
    latest = 0

    def learn(entry: int, row: Any) -> int:
        """By what else an entry is known; the greatest number among it."""
        for place in map(_place, _rows(row.get("also"))):
            if place is not None and place[1] not in named:
                also[entry] = (*also.get(entry, ()), place)
                named.add(place[1])
        if called := tuple(key for key in _rows(row.get("keys")) if isinstance(key, str)):
            keys[entry] = (*keys.get(entry, ()), *called)
        return max((number for number, _ in also.get(entry, ())), default=0)

    for seq, hash_, body in entries:
        place = (max(seq, latest + 1), hash_)
        if body.do == "join":
            wrote, told = body.batch or seq, dict(enumerate(_rows(body.args.get("lines")), start=seq + 1))
            for row in _rows(body.args.get("known")):
                match row:
                    case {"entry": int(entry)} if 0 < entry < seq:
                        latest = max(latest, learn(entry, row))
        elif body.joined == wrote and (was := _place(told.get(seq))) is not None and was[1] not in named:
            place = joined[seq] = was
            named.add(was[1])
            latest = max(latest, learn(seq, told[seq]))
        else:
            told = {}  # a join that was cut short: what follows was recorded here
        named.add(place[1])
        latest = max(latest, place[0])
        places.append(place)
        first.append(place[0])
    for seq, others in also.items():
        places[seq - 1] = min(places[seq - 1], *others)
    return plain._replace(places=places, first=first, latest=latest, joined=joined, also=also, keys=keys)


def _rows(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _place(row: Any) -> Place | None:
    """Where an entry was recorded, as a `join` entry says it; None for what says nothing of the kind."""
    match row:
        case {"place": int(number), "line": str(line)} if number > 0 and number is not True:
            return number, line
    return None
