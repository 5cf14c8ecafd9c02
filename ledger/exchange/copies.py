"""Two copies of one match: what one of them has recorded since they parted, as entries of the other.

An entry is known by the hash of the line where it was recorded first, so nothing is taken twice, whichever way round
and through however many copies it comes. A `join` entry before those it brings lists these hashes, and their places, so
that both copies fold alike; nothing that a host types decides either. References between entries are translated.

Source: docs/two-hosts.md, docs/decisions/0013-joined-copies-fold-alike.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from events import Body, Entry, Refused, dumps
from events.instants import Instant
from events.record import NamedTuple
from games.records import args_of
from games.table import actions as shared
from games.table import rounds
from ledger.core.layout import Index, Place
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import message_id

MAX_JOIN_BYTES = 40_000
"""Bytes of a `join` entry after which another one begins: a line holds 65,536."""
ITEM = re.compile(r"([0-9]{1,15})([a-z]+(?:\+[0-9]+)?(?:\.[0-9]+)?)")
POINTING = ("undo", "redo", "amend", "confirm")
REMARKS = ("note", "ruling", "reason")
SENDING = ("posting", "posted")


class Joining(NamedTuple):
    """What a join would record, and how the two copies stand to each other."""

    common: int
    """The last line that both copies have."""
    bodies: tuple[Body, ...]
    taken: Mapping[int, int]
    """Entry there -> its number here: new."""
    same: Mapping[int, int]
    """Entry there -> entry here: recorded in both copies from the same message, or under the same key."""
    known: int
    """How many entries there since the common line are here already."""
    own: int
    """How many entries here the other copy lacks."""
    left: tuple[tuple[int, str], ...]
    """(entry there, why) of those that make no sense here."""
    clashes: tuple[str, ...]
    """What both copies say, and say differently."""

    @property
    def nothing(self) -> bool:
        return not self.bodies


def compare(match: Match, other: Match, *, by: str, now: Instant) -> Joining:
    """What the other copy has recorded since the last common line, as it would stand here.

    Raises:
        Refused: `join.other_match`, when line 1 is another one.
    """
    if match.book.game_id != other.book.game_id:
        raise Refused(
            "join.other_match",
            f"{other.book.path} is the log of another match: its first line is not ours",
            "hl join FOLDER",
        )
    return _Comparison(match, other, by, now).run()


def common_lines(one: Sequence[Entry], two: Sequence[Entry]) -> int:
    """How many lines two logs have in common. A hash fixes all lines before it, so the first difference is it."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[middle - 1].hash == two[middle - 1].hash else (low, middle - 1)
    return low


def origins(entry: Entry, layout: Index) -> tuple[Place, ...]:
    """By which hashes an entry is known, with its place under each; the first is where it was recorded."""
    number = layout.first[entry.seq - 1] if layout.first else entry.seq
    return ((number, layout.first_line(entry)), *layout.also.get(entry.seq, ()))


class _Comparison:
    """One run of `compare`: which entry there is which one here, and the bodies of those that are new."""

    def __init__(self, match: Match, other: Match, by: str, now: Instant) -> None:
        self.match, self.other, self.by, self.now = match, other, by, now
        self.mine, self.theirs = match.book.entries, other.book.entries
        self.layout, self.there = match.fold.layout, other.fold.layout
        self.common = common_lines(self.mine, self.theirs)
        self.here: dict[int, int] = {seq: seq for seq in range(1, self.common + 1)}
        """Entry there -> entry here."""
        self.lines: dict[str, int] = {}
        """Each line that an entry here is known by -> that entry."""
        self.taken: dict[int, int] = {}
        self.same: dict[int, int] = {}
        self.paired: set[int] = set()
        self.known = 0
        self.left: list[tuple[int, str]] = []
        self.clashes: list[str] = []
        self.bodies: list[Body] = []
        # The `join` entry that is being filled: where it stands among the bodies, its lists, its size so far.
        self.slot, self.size = -1, 0
        self.brings: list[dict[str, Any]] = []
        self.knows: list[dict[str, Any]] = []

    def run(self) -> Joining:
        self._recognise()
        free = self._free()
        for seq in sorted(self.there.also.keys() | self.there.keys.keys()):
            if seq <= self.common:
                self._as_known(self.theirs[seq - 1], seq)
        for entry in self.theirs[self.common :]:
            if entry.body.do == "join":
                continue
            if entry.seq in self.here:
                self.known += 1
                self._as_known(entry, self.here[entry.seq])
                continue
            body = self._translated(entry)
            if body is None:
                continue
            if (pair := self._pair(entry, free) or self._same_remark(entry)) is not None:
                self.here[entry.seq] = self.same[entry.seq] = pair
                self.paired.add(pair)
                self._as_known(entry, pair)
            else:
                self._take(entry, body)
        self._finish_slot()
        there = set(self.here.values())
        own = sum(1 for e in self.mine[self.common :] if e.body.do != "join" and e.seq not in there)
        return Joining(
            self.common,
            tuple(self.bodies),
            self.taken,
            self.same,
            self.known,
            own,
            tuple(self.left),
            tuple(self.clashes),
        )

    def _recognise(self) -> None:
        """Which of their entries are here already, by the hash of the line where each was recorded first."""
        for entry in self.mine:
            self.lines.update((line, entry.seq) for _, line in origins(entry, self.layout))
        for entry in self.theirs[self.common :]:
            found = (self.lines[line] for _, line in origins(entry, self.there) if line in self.lines)
            if (seq := next(found, None)) is not None:
                self.here[entry.seq] = seq

    # ---- recorded in both copies -----------------------------------------------------------------------------------

    def _free(self) -> dict[Any, list[int]]:
        """Our own entries since the common line that theirs may repeat: by where they have it from."""
        taken = set(self.here.values())
        found: dict[Any, list[int]] = {}
        for entry in self.mine[self.common :]:
            if entry.seq not in taken and self._alone(entry, self.layout, self.mine):
                for name in self._sources(entry, self.layout):
                    found.setdefault(name, []).append(entry.seq)
        return found

    def _alone(self, entry: Entry, layout: Index, entries: Sequence[Entry]) -> bool:
        """Did its command write nothing but it, and remarks on it?"""
        if entry.body.do in shared.META_VERBS:
            return False
        batch = layout.batch(entry.seq)
        return all(seq == entry.seq or entries[seq - 1].body.do == "note" for seq in batch)

    def _sources(self, entry: Entry, layout: Index) -> list[tuple[str, str, bool]]:
        """The message it was read in, and the keys it was recorded under."""
        body = entry.body
        found = [] if body.evidence is None else [("message", message_id(body.evidence), body.again)]
        return [*found, *(("key", key, False) for key in layout.called(entry))]

    def _pair(self, entry: Entry, free: Mapping[Any, list[int]]) -> int | None:
        """The entry of ours that was recorded from the same message (or key) and says the same; else None."""
        if not self._alone(entry, self.there, self.theirs):
            return None
        says = self._says(entry, self.other)
        for name in self._sources(entry, self.there):
            candidates = [seq for seq in free.get(name, ()) if seq not in self.paired]
            for seq in candidates:
                if self._says(self.mine[seq - 1], self.match) == says:
                    return seq
            if candidates:
                what = "the same message" if name[0] == "message" else f"the key {name[1]}"
                self.clashes.append(
                    f"{what} is entry {candidates[0]} here ({self.mine[candidates[0] - 1].body.do}) and entry "
                    f"{entry.seq} there ({entry.body.do}), and they say different things: both are kept, undo one"
                )
                break
        return None

    def _same_remark(self, entry: Entry) -> int | None:
        """Our remark in the same words, made by the same command as the entry that both copies recorded."""
        meant = entry.body.args.get("about")
        about = self._number(meant)
        if entry.body.do not in ("note", "reason") or about is None or not isinstance(meant, int):
            return None
        recorded_twice = about in self.paired or about in self.layout.also
        if not recorded_twice or entry.seq not in self.there.batch(meant):
            return None
        says, rest = self._says(entry, self.other), self.layout.batch(about)
        found = (n for n in rest if n not in self.paired and self._says(self.mine[n - 1], self.match) == says)
        return next(found, None)

    def _says(self, entry: Entry, match: Match) -> tuple[str, int, bytes]:
        """What an entry says, in our numbers. Not as amended: an amend may be undone, and in one copy first."""
        body = entry.body
        args = self._remark(body.do, body.args) if match is self.other and body.do in REMARKS else body.args
        return body.do, body.at, dumps(args)

    # ---- taking an entry over --------------------------------------------------------------------------------------

    def _translated(self, entry: Entry) -> Body | None:
        """Its body with our numbers; None when it points at nothing."""
        body, args = entry.body, dict(entry.body.args)
        if body.do in POINTING:
            meant = args.get("target")
            if body.do == "undo" and isinstance(meant, int) and 1 <= meant < entry.seq:
                meant = self.there.batch(meant)[0]  # it strikes the whole batch, whichever of it is named
            target = self._number(meant)
            if target is None or not isinstance(meant, int):
                self.left.append((entry.seq, f"it points at entry {meant}, which is not there"))
                return None
            args["target"] = target
            inner, do = args.get("args"), self.theirs[meant - 1].body.do
            if body.do == "amend" and isinstance(inner, dict) and do in REMARKS:
                args["args"] = self._remark(do, inner)
        elif body.do in REMARKS:
            args = self._remark(body.do, args)
        elif body.do in ("posted", "posting"):
            args["item"] = self._item(args.get("item"))
            args["covers"] = [self._item(name) for name in args.get("covers", ())]
        return body._replace(args=args, recorded=self.now)

    def _number(self, meant: Any) -> int | None:
        """The number here of an entry there. What is about a join there is about this one here."""
        if not isinstance(meant, int):
            return None
        if meant not in self.here and 1 <= meant <= len(self.theirs) and self.theirs[meant - 1].body.do == "join":
            self._room(0)
            return len(self.mine) + self.slot + 1
        return self.here.get(meant)

    def _remark(self, do: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a remark: what it is about, or lets in, has another number here, or no entry."""
        rest = {name: value for name, value in args.items() if name != "about"}
        about, text = self._number(args.get("about")), args.get("text")
        let_in = rounds.let_in(text) if do == "ruling" and isinstance(text, str) else None
        if let_in is not None:
            # An entry that is not there is none here: 0 is no entry's number, so nothing else is let in.
            rest["text"] = rounds.renumbered(str(text), self._number(let_in) or 0)
        return rest if about is None else {**rest, "about": about}

    def _item(self, name: Any) -> Any:
        """`22b` there is `25b` here: a text is named by the entry that caused it."""
        found = ITEM.fullmatch(name) if isinstance(name, str) else None
        if found is None or (seq := self._number(int(found[1]))) is None:
            return name
        return f"{seq}{found[2]}"

    def _take(self, entry: Entry, body: Body) -> None:
        first, *further = origins(entry, self.there)
        keys = self.there.keys.get(entry.seq, ())
        row = {**_as_row(first), **_more(further, keys)}
        self._room(_size(row))
        seq = len(self.mine) + len(self.bodies) + 1
        self.here[entry.seq] = self.taken[entry.seq] = seq
        batch = None if body.batch is None else self.here.get(body.batch)
        if batch is not None and batch <= len(self.mine):
            batch = (
                None if self.layout.is_setup(batch) else self.layout.batch(batch)[0]
            )  # recorded here as well, or brought by a join that was cut short
        self.brings.append(row)
        self.bodies.append(body._replace(batch=batch, joined=len(self.mine) + 1))

    def _as_known(self, entry: Entry, seq: int) -> None:
        """Note by which further lines and --once keys an entry of ours is known there."""
        further = [place for place in origins(entry, self.there) if place[1] not in self.lines]
        called = self.layout.called(self.mine[seq - 1])
        keys = [key for key in self.there.called(entry) if key not in called]
        if further or keys:
            row = {"entry": seq, **_more(further, keys)}
            self._room(_size(row))
            self.knows.append(row)

    # ---- the `join` entries ----------------------------------------------------------------------------------------

    def _room(self, size: int) -> None:
        """Begin another `join` entry when there is none yet, or this would not fit."""
        if self.slot >= 0 and self.size + size <= MAX_JOIN_BYTES:
            self.size += size
            return
        self._finish_slot()
        self.slot, self.size = len(self.bodies), size
        self.bodies.append(Body("join", self.now, self.by, self.now, {}, batch=len(self.mine) + 1))

    def _finish_slot(self) -> None:
        if self.slot < 0:
            return
        said = shared.Join(self.other.book.head, self.common, tuple(self.brings), tuple(self.knows))
        self.bodies[self.slot] = self.bodies[self.slot]._replace(args=args_of(said))
        self.slot, self.brings, self.knows = -1, [], []


def _as_row(place: Place) -> dict[str, Any]:
    return {"place": place[0], "line": place[1]}


def _more(further: Sequence[Place], keys: Sequence[str]) -> dict[str, Any]:
    """By what else an entry is known, as far as there is anything."""
    also = {"also": [_as_row(place) for place in further]} if further else {}
    return {**also, "keys": [*keys]} if keys else also


def _size(row: dict[str, Any]) -> int:
    """Bytes that a row takes, with its comma."""
    return len(dumps(row)) + 1


def amends_of(folded: Fold, target: Any) -> tuple[Entry, ...]:
    """The amends of an entry that are in effect."""
    return folded.marks.amended.get(target, ())
