"""Joining: entries that another copy of the match has recorded since the two copies diverged become entries here.

An entry is identified by the hash of the line where it was recorded first, so none is taken twice, through however many
copies it comes. A `join` entry in front of the new entries lists these hashes and their places, so that both copies
fold alike; nothing that a host types affects either. References between entries are translated.

Source: docs/two-hosts.md, docs/decisions/0013-joined-copies-fold-alike.md.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from events import Body, Entry, Refused, dumps, read_instant
from events.instants import Instant
from events.record import NamedTuple
from games.kinds import count, grouped
from games.records import args_of
from games.table import actions as shared, rounds
from ledger.core.effective import Index, Place
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import message_id, show_day
from ledger.record.plan import Ask, Options, Plan, Written
from ledger.record.recorder import plan_prepared, record_prepared
from ledger.tell import listing

# ---- comparing the copies --------------------------------------------------------------------------------------------

MAX_JOIN_BYTES = 40_000
TEXT_NAME = re.compile(r"([0-9]{1,15})([a-z]+(?:\+[0-9]+)?(?:\.[0-9]+)?)")
REMARK_VERBS = ("note", "ruling", "reason")
POSTING_VERBS = ("posting", "posted")


class Joining(NamedTuple):
    common: int
    bodies: Sequence[Body]
    taken: Mapping[int, int]
    """New entries: number there -> number here."""
    same: Mapping[int, int]
    """Entry there -> entry here, for entries that both copies recorded from the same message or under the same key."""
    known: int
    """How many entries of theirs since the last common line are here already."""
    own: int
    left_out: Sequence[tuple[int, str]]
    """(their entry, reason) for entries that make no sense here."""
    clashes: Sequence[str]
    """Sentences on entries that both copies recorded with different content."""


def compare(match: Match, other_copy: Match, *, by: str, now: Instant) -> Joining:
    """The entries that the other copy has recorded since the last common line, translated for this copy.

    Raises:
        Refused: `join.other_match`, the copies have different first lines.
    """
    if match.book.game_id != other_copy.book.game_id:
        what = f"{other_copy.book.path} is the log of another match: its first line is different"
        raise Refused("join.other_match", what, "hl join FOLDER")
    return _Comparison(match, other_copy, by, now).run()


def common_lines(first: Sequence[Entry], second: Sequence[Entry]) -> int:
    """The number of lines that two logs share. Each hash covers all lines before it."""
    places = range(min(len(first), len(second)))
    return bisect_left(places, True, key=lambda place: first[place].hash != second[place].hash)


def origins(entry: Entry, layout: Index) -> tuple[Place, ...]:
    """The (place, hash) pairs that identify an entry; the first is that of the line where it was recorded first."""
    number = layout.first[entry.seq - 1] if layout.first else entry.seq
    return ((number, layout.first_line(entry)), *layout.also.get(entry.seq, ()))


class _Comparison:
    """One run of `compare`: it matches their entries with ours, and makes the bodies of new ones."""

    def __init__(self, match: Match, other_copy: Match, by: str, now: Instant) -> None:
        self.match, self.other_copy, self.by, self.now = match, other_copy, by, now
        self.mine, self.theirs = match.book.entries, other_copy.book.entries
        self.layout, self.their_layout = match.fold.layout, other_copy.fold.layout
        self.common = common_lines(self.mine, self.theirs)
        self.matched: dict[int, int] = {seq: seq for seq in range(1, self.common + 1)}
        self.lines: dict[str, int] = {}
        """Hash of a line that identifies an entry here -> that entry."""
        self.taken: dict[int, int] = {}
        self.same: dict[int, int] = {}
        self.paired: set[int] = set()
        self.known = 0
        self.left_out: list[tuple[int, str]] = []
        self.clashes: list[str] = []
        self.bodies: list[Body] = []
        # The `join` entry being filled: its index in `bodies`, its size so far, its lists.
        self.slot, self.size = -1, 0
        self.brings: list[dict[str, Any]] = []
        self.knows: list[dict[str, Any]] = []

    def run(self) -> Joining:
        self._recognise()
        unpaired = self._unpaired()
        for seq in sorted(self.their_layout.also.keys() | self.their_layout.keys.keys()):
            if seq <= self.common:
                self._as_known(self.theirs[seq - 1], seq)
        for entry in self.theirs[self.common :]:
            if entry.body.do == "join":
                continue
            if entry.seq in self.matched:
                self.known += 1
                self._as_known(entry, self.matched[entry.seq])
                continue
            if (body := self._translated(entry)) is None:
                continue
            if (ours := self._counterpart(entry, unpaired) or self._same_remark(entry)) is not None:
                self.matched[entry.seq] = self.same[entry.seq] = ours
                self.paired.add(ours)
                self._as_known(entry, ours)
            else:
                self._take(entry, body)
        self._finish_slot()
        matched_here = set(self.matched.values())
        own = sum(1 for entry in self.mine[self.common :] if entry.body.do != "join" and entry.seq not in matched_here)
        bodies, known = self.bodies, self.known
        return Joining(self.common, bodies, self.taken, self.same, known, own, self.left_out, self.clashes)

    def _recognise(self) -> None:
        for entry in self.mine:
            self.lines.update((line, entry.seq) for _, line in origins(entry, self.layout))
        for entry in self.theirs[self.common :]:
            matches = (self.lines[line] for _, line in origins(entry, self.their_layout) if line in self.lines)
            if (seq := next(matches, None)) is not None:
                self.matched[entry.seq] = seq

    # ---- recorded in both copies -----------------------------------------------------------------------------------

    def _unpaired(self) -> dict[Any, list[int]]:
        """Our entries since the last common line that one of theirs may repeat, by source."""
        matched = set(self.matched.values())
        left = (entry for entry in self.mine[self.common :] if entry.seq not in matched)
        single = (entry for entry in left if self._is_single(entry, self.layout, self.mine))
        return grouped((source, entry.seq) for entry in single for source in self._sources(entry, self.layout))

    def _is_single(self, entry: Entry, layout: Index, entries: Sequence[Entry]) -> bool:
        if entry.body.do in shared.META_VERBS:
            return False
        return all(seq == entry.seq or entries[seq - 1].body.do == "note" for seq in layout.batch(entry.seq))

    def _sources(self, entry: Entry, layout: Index) -> list[tuple[str, str, bool]]:
        """The message and keys that an entry was recorded from: (kind, id, recorded again on purpose)."""
        body = entry.body
        sources = [] if body.evidence is None else [("message", message_id(body.evidence), body.again)]
        return [*sources, *(("key", key, False) for key in layout.called(entry))]

    def _counterpart(self, entry: Entry, unpaired: Mapping[Any, list[int]]) -> int | None:
        """Our entry that was recorded from the same message or key and says the same, or None."""
        if not self._is_single(entry, self.their_layout, self.theirs):
            return None
        says = self._says(entry, self.other_copy)
        for source in self._sources(entry, self.their_layout):
            candidates = [seq for seq in unpaired.get(source, ()) if seq not in self.paired]
            for seq in candidates:
                if self._says(self.mine[seq - 1], self.match) == says:
                    return seq
            if candidates:
                what = "the same message" if source[0] == "message" else f"the key {source[1]}"
                self.clashes.append(
                    f"{what} is entry {candidates[0]} here ({self.mine[candidates[0] - 1].body.do}) and entry "
                    f"{entry.seq} there ({entry.body.do}), but they say different things: both are kept, undo one"
                )
                break
        return None

    def _same_remark(self, entry: Entry) -> int | None:
        """Our remark with the same words, if it is in the batch of an entry that both copies recorded."""
        about_there = entry.body.args.get("about")
        about = self._number_here(about_there)
        if entry.body.do not in ("note", "reason") or about is None or not isinstance(about_there, int):
            return None
        recorded_twice = about in self.paired or about in self.layout.also
        if not recorded_twice or entry.seq not in self.their_layout.batch(about_there):
            return None
        says, batch = self._says(entry, self.other_copy), self.layout.batch(about)
        equal = (seq for seq in batch if seq not in self.paired and self._says(self.mine[seq - 1], self.match) == says)
        return next(equal, None)

    def _says(self, entry: Entry, match: Match) -> tuple[str, int, bytes]:
        """The content of an entry, in our numbers and without amends, which may be undone in only one copy so far."""
        body = entry.body
        theirs = match is self.other_copy and body.do in REMARK_VERBS
        return body.do, body.at, dumps(self._renumbered_remark(body.do, body.args) if theirs else body.args)

    # ---- taking an entry over --------------------------------------------------------------------------------------

    def _translated(self, entry: Entry) -> Body | None:
        body, args = entry.body, dict(entry.body.args)
        if body.do in ("undo", "redo", "amend", "confirm"):
            target_there = args.get("target")
            if body.do == "undo" and isinstance(target_there, int) and 1 <= target_there < entry.seq:
                # An undo strikes the whole batch, no matter which of its entries it names.
                target_there = self.their_layout.batch(target_there)[0]
            target = self._number_here(target_there)
            if target is None or not isinstance(target_there, int):
                self.left_out.append((entry.seq, f"it names entry {target_there}, which does not exist there"))
                return None
            args["target"] = target
            amended_args, do = args.get("args"), self.theirs[target_there - 1].body.do
            if body.do == "amend" and isinstance(amended_args, dict) and do in REMARK_VERBS:
                args["args"] = self._renumbered_remark(do, amended_args)
        elif body.do in REMARK_VERBS:
            args = self._renumbered_remark(body.do, args)
        elif body.do in POSTING_VERBS:
            args["item"] = self._renumbered_item(args.get("item"))
            args["covers"] = [self._renumbered_item(item) for item in args.get("covers", ())]
        return body._replace(args=args, recorded=self.now)

    def _number_here(self, seq: Any) -> int | None:
        """Our number for one of their entries. A reference to a join of theirs becomes one to the join made here."""
        if not isinstance(seq, int):
            return None
        if seq not in self.matched and 1 <= seq <= len(self.theirs) and self.theirs[seq - 1].body.do == "join":
            self._reserve(0)
            return len(self.mine) + self.slot + 1
        return self.matched.get(seq)

    def _renumbered_remark(self, do: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a remark, with our number (if any) of the entry that it is about or admits."""
        renumbered = {name: value for name, value in args.items() if name != "about"}
        about, text = self._number_here(args.get("about")), args.get("text")
        let_in = rounds.let_in(text) if do == "ruling" and isinstance(text, str) else None
        if let_in is not None:
            # No entry has number 0: if the entry admitted there is missing here, nothing is admitted.
            renumbered["text"] = rounds.renumbered(str(text), self._number_here(let_in) or 0)
        return renumbered if about is None else {**renumbered, "about": about}

    def _renumbered_item(self, item: Any) -> Any:
        """Our name of a text: `22b` there is `25b` here, because a text is named by the entry that caused it."""
        parts = TEXT_NAME.fullmatch(item) if isinstance(item, str) else None
        if parts is None or (seq := self._number_here(int(parts[1]))) is None:
            return item
        return f"{seq}{parts[2]}"

    def _take(self, entry: Entry, body: Body) -> None:
        first, *further = origins(entry, self.their_layout)
        keys = self.their_layout.keys.get(entry.seq, ())
        row = {**_as_row(first), **_known_by(further, keys)}
        self._reserve(_size(row))
        self.matched[entry.seq] = self.taken[entry.seq] = len(self.mine) + len(self.bodies) + 1
        batch = None if body.batch is None else self.matched.get(body.batch)
        if batch is not None and batch <= len(self.mine):
            # Its batch was recorded here too, or an interrupted join brought it.
            batch = None if self.layout.is_setup(batch) else self.layout.batch(batch)[0]
        self.brings.append(row)
        self.bodies.append(body._replace(batch=batch, joined=len(self.mine) + 1))

    def _as_known(self, entry: Entry, seq: int) -> None:
        """Note the further lines and --once keys that identify an entry of ours there."""
        further = [place for place in origins(entry, self.their_layout) if place[1] not in self.lines]
        called = self.layout.called(self.mine[seq - 1])
        keys = [key for key in self.their_layout.called(entry) if key not in called]
        if further or keys:
            row = {"entry": seq, **_known_by(further, keys)}
            self._reserve(_size(row))
            self.knows.append(row)

    def _reserve(self, size: int) -> None:
        if self.slot >= 0 and self.size + size <= MAX_JOIN_BYTES:
            self.size += size
            return
        self._finish_slot()
        self.slot, self.size = len(self.bodies), size
        self.bodies.append(Body("join", self.now, self.by, self.now, {}, batch=len(self.mine) + 1))

    def _finish_slot(self) -> None:
        if self.slot < 0:
            return
        join = shared.Join(self.other_copy.book.head, self.common, tuple(self.brings), tuple(self.knows))
        self.bodies[self.slot] = self.bodies[self.slot]._replace(args=args_of(join))
        self.slot, self.brings, self.knows = -1, [], []


def _as_row(place: Place) -> dict[str, Any]:
    return {"place": place[0], "line": place[1]}


def _known_by(further: Sequence[Place], keys: Sequence[str]) -> dict[str, Any]:
    """The further lines and keys that identify an entry, if there are any."""
    also = {"also": [_as_row(place) for place in further]} if further else {}
    return {**also, "keys": [*keys]} if keys else also


def _size(row: dict[str, Any]) -> int:
    return len(dumps(row)) + 1


# ---- recording it here -----------------------------------------------------------------------------------------------

MAX_LISTED = 40


def join(match: Match, other_copy: Match, options: Options, ask: Ask) -> tuple[Joining, Written, tuple[str, ...]]:
    """Record the entries of the other copy that this one lacks. Nothing is written there. Also returns the preview.

    Raises:
        Refused: `join.other_match`. Otherwise as `record_prepared`.
    """
    tried: list[tuple[Joining, tuple[str, ...]]] = []

    def plan(current: Match, now: Instant) -> Plan:
        joining = compare(current, other_copy, by=options.by, now=now)
        planned = plan_prepared(
            current, joining.bodies, lambda after: describe(current, other_copy, joining, after, now)
        )
        tried.append((joining, planned.preview))
        return planned

    written = record_prepared(match, options, ask, plan)
    joining, preview = tried[-1]
    return joining, written, preview


def describe(match: Match, other_copy: Match, joining: Joining, after: Fold, now: int) -> tuple[str, ...]:
    since = len(other_copy.book.entries) - joining.common
    lines = [
        f"both copies have the same lines up to {joining.common}; since then {count(since, 'entry')} there, "
        f"{count(len(match.book.entries) - joining.common, 'entry')} here"
    ]
    if joining.known:
        lines.append(f"already here: {joining.known} of theirs")
    lines += [f"the same, recorded in both: {there} there is {here} here" for there, here in joining.same.items()]
    lines += [f"left out: entry {there} there: {reason}" for there, reason in joining.left_out]
    if not joining.taken:
        return (*lines, "nothing new to record")
    lines.append(f"new here: {count(len(joining.taken), 'entry')}")
    rows = {row.seq: row for row in listing.rows(other_copy, player=None, kind=None, live_only=False)[0]}
    for there, here in [*joining.taken.items()][:MAX_LISTED]:
        line = rows[there].line(match.zone).removeprefix(f"#{there}").lstrip()
        lines.append(f"  #{here} ({there} there)  {line}")
    if len(joining.taken) > MAX_LISTED:
        lines.append(f"  ... and {len(joining.taken) - MAX_LISTED} more: hl -g {other_copy.book.path} log")
    ahead = [there for there in joining.taken if other_copy.book.entries[there - 1].body.at > now]
    lines += [f"entry {there} there counts at a time that has not come: is one of the clocks wrong?" for there in ahead]
    twice = [*_same_end(match, other_copy, joining), *joining.clashes, *_sent_twice(match, joining)]
    return (*lines, *twice, *_clashes(match, other_copy, joining, after))


def _same_end(match: Match, other_copy: Match, joining: Joining) -> list[str]:
    """Lines on ends that both copies moved to the same instant, and that move only once."""
    lines, struck = [], match.fold.marks.struck
    ours = [e for e in match.book.entries[joining.common :] if e.body.do == "deadline" and e.seq not in struck]
    for there, here in joining.taken.items():
        body = other_copy.book.entries[there - 1].body
        same = next((entry for entry in ours if body.do == "deadline" and entry.body.args == body.args), None)
        if same is not None and there not in other_copy.fold.marks.struck:
            when = show_day(read_instant(str(body.args["when"])), match.zone)
            lines.append(f"#{same.seq} here and #{here} ({there} there) both move the end to {when}; it is moved once")
    return lines


def _sent_twice(match: Match, joining: Joining) -> list[str]:
    """Lines on texts that both copies posted or began to post since they diverged, though only one may post."""
    bodies = [entry.body for entry in match.book.entries[joining.common :]]
    ours = [body for body in bodies if body.do in POSTING_VERBS and body.joined is None]
    theirs = [body for body in joining.bodies if body.do in POSTING_VERBS]
    twice = {str(body.args.get("item")) for body in ours} & {str(body.args.get("item")) for body in theirs}
    lines = [f"both copies posted text {item}, or began to: is it there twice?" for item in twice]
    if any(body.do == "posting" for body in ours) and any(body.do == "posting" for body in theirs):
        lines.append(
            "both copies have posted since they parted, but only one may (hl outbox post): stop posting from the other"
        )
    return sorted(lines)


def _clashes(match: Match, other_copy: Match, joining: Joining, after: Fold) -> list[str]:
    there_of = {here: there for there, here in joining.taken.items()}
    contested = {outcome.entry.seq for outcome in other_copy.fold.contested}
    lines = []
    for outcome in after.contested:
        if outcome.refusal is None or (there := there_of.get(outcome.entry.seq)) is None:
            continue
        where = "here and there" if there in contested else "here"
        entry = f"#{outcome.entry.seq} ({outcome.entry.do}, {there} there)"
        lines.append(f"the rules do not allow {entry} {where}: {outcome.refusal.what}")
    new = set(there_of)
    for target, amends in after.marks.amended.items():
        ours = [entry.seq for entry in amends if entry.seq not in new and entry.seq > joining.common]
        theirs = [entry.seq for entry in amends if entry.seq in new]
        if ours and theirs:
            lines.append(
                f"both copies amended entry {target} (#{ours[-1]}, #{theirs[-1]}): the last one, #{amends[-1].seq}, "
                "counts"
            )
        elif theirs and match.fold.marks.confirmed.get(target):
            lines.append(f"entry {target} was confirmed here and amended there (#{theirs[-1]}): look at it again")
        if theirs and target in after.marks.struck:
            lines.append(f"entry {target} is undone (#{after.marks.struck[target]}), so #{theirs[-1]} amends nothing")
    for body in joining.bodies:
        amends = after.marks.amended.get(body.args["target"], ()) if body.do == "confirm" else ()
        if any(entry.seq not in new and entry.seq > joining.common for entry in amends):
            lines.append(
                f"entry {body.args['target']} was amended here and confirmed there by {body.by}: look at it again"
            )
    return lines
