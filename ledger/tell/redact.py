"""A copy of the log for one audience: lines it may not open are closed, and the head is the same.

Who may open an entry is asked here and nowhere else, by copies, replays and pages alike. What an action tells is the
game's to say (`Game.audience`). An entry is open only to who may know every reading of it, as first written and as
amended, under every information table from when it counts until now. Source: design section 4, decision 0028.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from events import Entry, LedgerError, close_line, read_instant
from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER, Audience
from games.table import actions as shared
from games.table.settings import LEVELS
from games.table.view import AT_THE_END, SECRET
from ledger.core.layout import Place
from ledger.core.live import BEFORE_ALL, late_entries
from ledger.core.match import Match
from ledger.tell.texts import split_name

SAID = frozenset({"commit", "word"})
"""Public by being said: everybody may open them, and what is about them, struck or not, whatever the table says."""
ALWAYS = SAID | {"create", "anchor"}
_REMARKS = frozenset({"note", "ruling"})
_LINE = "visibility."
_AFTER_END = "everybody_after_end"
Point = tuple[int, Place]
"""Where an entry counts: its time, and its place among those of the same time."""


def redacted(match: Match, viewer: str) -> Iterator[bytes]:
    """The lines of the copy, in order.

    Args:
        viewer: `public` or a player; the hosts have the log itself.

    Raises:
        Damaged, Unreadable, NotRecorded: from the log.
    """
    opened = may_open(match, viewer)
    assert match.book.mark is not None, "an open match has been read"
    for seq, raw in enumerate(match.book.log.raw_lines(match.book.mark), start=1):
        yield raw if seq in opened else close_line(raw)


def may_open(match: Match, viewer: str) -> frozenset[int]:
    """The numbers of the entries that the audience may see opened."""
    ended = match.table.status == "finished"
    return frozenset(seq for seq, may in audiences(match).items() if may.admits(viewer, ended=ended))


def audiences(match: Match) -> Mapping[int, Audience]:
    """Entry -> who may see it opened, up to the point of the fold."""
    door, found = _Door(match), dict[int, Audience]()
    for entry in match.book.entries:
        found[entry.seq] = door.opens(entry, found)
    return found


class _Door:
    """What is asked of a whole log once, so that each entry is looked at once."""

    def __init__(self, match: Match) -> None:
        self.match, self.entries, self.log = match, match.book.entries, match.fold.layout
        self.struck = match.fold.marks.struck
        self.counts = {o.live.seq: o.live.args for o in match.fold.outcomes if o.refusal is None}
        """The entries in effect, as they count now."""
        self.amends: dict[int, list[Entry]] = {}
        """Every amend ever recorded of an entry, in effect or not."""
        self.touched: dict[int, list[int]] = {}
        """Entry -> the undos that ever struck it, and its amends."""
        self.posted: dict[str, list[int]] = {}
        """Text for everybody -> the entries that say it was posted."""
        for entry in self.log.about:
            do, args = entry.body.do, entry.body.args
            if do == "posted" and _was_posted(args) and args.get("audience") == PUBLIC_VIEWER:
                if entry.seq not in self.struck:
                    self.posted.setdefault(split_name(str(args.get("item")))[0], []).append(entry.seq)
            elif do in ("undo", "amend") and (target := self._target(entry)):
                if do == "amend":
                    self.amends.setdefault(target, []).append(entry)
                for seq in self.log.batch(target) if do == "undo" else (target,):
                    self.touched.setdefault(seq, []).append(entry.seq)
        self._tables()

    def opens(self, entry: Entry, found: Mapping[int, Audience]) -> Audience:
        """Who may open it. `found`: the same of all entries before it."""
        do, args = entry.body.do, entry.body.args
        if do in ALWAYS:
            return EVERYBODY
        if do == "posted":
            return self._posted(entry)
        if do == "amend":
            return self._amend(entry, found)
        if do in ("undo", "redo", "confirm"):
            target = self._target(entry)
            hit = self.log.batch(target) if do == "undo" and target else ()
            return EVERYBODY if any(self._do(seq) in SAID for seq in hit) else found.get(target, HOST)
        if do in shared.META_VERBS:
            # What `posting` names may have been sent to nobody.
            # `join` holds the keys of `--once`, which are any text, and the places of entries in another copy, which
            # tell how many lie between them there: the hosts'. Everybody has the hashes of their own lines without it.
            return HOST
        said = (args, *(amend.body.args.get("args") for amend in self.amends.get(entry.seq, ())))
        return self._if_it_counts(entry, entry.seq, args, reduce(_both, (self._reading(entry, one) for one in said)))

    def _posted(self, entry: Entry) -> Audience:
        """Whom a text was sent to. One that was dropped, or not sent after all, was sent to nobody.

        It names lines by number (`item`, `covers`): those from which texts follow that were sent to this audience.
        """
        args = entry.body.args
        to = args.get("audience")
        if entry.seq in self.struck or not _was_posted(args):
            return HOST
        return EVERYBODY if to == PUBLIC_VIEWER else Audience.only(to) if isinstance(to, str) else HOST

    def _amend(self, entry: Entry, found: Mapping[int, Audience]) -> Audience:
        """Opened by its own reading, so that a sheet first typed for somebody else reaches the right player."""
        target, args = self._target(entry), entry.body.args.get("args")
        if not target or self._do(target) in shared.META_VERBS:
            return HOST
        if self._do(target) in ALWAYS:
            return found[target]
        return self._if_it_counts(entry, target, args, self._reading(self.entries[target - 1], args))

    def _if_it_counts(self, entry: Entry, target: int, args: Any, may: Audience) -> Audience:
        """What is struck, contested, or replaced by an amend may hold what is somebody else's, under whatever name: it
        is the hosts', but for what everybody may know and was told while it stood."""
        if entry.seq not in self.struck and target not in self.struck and self.counts.get(target) == args:
            return may
        ends = (seq for line in (target, entry.seq) for seq in self.touched.get(line, ()) if seq > entry.seq)
        until = min(ends, default=0)
        texts = (seq for one in self.log.batch(target) for seq in self.posted.get(f"{one}a", ()))
        told = any(entry.seq < seq < until for seq in texts)
        return may._replace(players=()) if told else HOST

    def _reading(self, entry: Entry, args: Any) -> Audience:
        """Who may know what an entry says with these arguments. What cannot be read is the hosts'."""
        if entry.body.do in _REMARKS or not isinstance(args, Mapping):
            return HOST
        state = self._state(self._points(entry)[0])
        try:
            action = self.match.engine.read(entry.body.do, args, state.table)
        except LedgerError:
            return HOST
        return self.match.game.audience(state, action)

    def _target(self, entry: Entry) -> int:
        """The entry that a meta entry is about, 0 for none."""
        target = entry.body.args.get("target")
        return target if isinstance(target, int) and 1 <= target < entry.seq else 0

    def _do(self, seq: int) -> str:
        return self.entries[seq - 1].body.do

    def _points(self, entry: Entry) -> list[Point]:
        """Where an entry counts, and ever counted, the earliest first."""
        place = self.log.place(entry.seq)
        if self.log.is_setup(entry.seq):
            return [(BEFORE_ALL, place)]
        times = {entry.body.at, *_instants(amend.body.args.get("at") for amend in self.amends.get(entry.seq, ()))}
        return [(at, place) for at in sorted(times)]

    # ---- the information tables that ever held ----------------------------------------------------------------------

    def _tables(self) -> None:
        """Every change of the information table, struck and amended ones too, by the last moment at which it began."""
        begin = self.match.engine.start(self.entries[0].body, self.match.book.game_id).table.settings["visibility"]
        late = late_entries(self.entries, self.log)
        changes: list[tuple[Point, str, str, bool]] = []
        for entry in self.entries:
            if entry.body.do != "amend-setting":
                continue
            sure = entry.seq in self.counts and entry.seq not in self.touched and entry.seq not in late
            for said in (entry.body.args, *(amend.body.args.get("args") for amend in self.amends.get(entry.seq, ()))):
                line, level = _change(said)
                if line in begin and level in LEVELS:
                    changes.append((self._points(entry)[-1], line, level, sure))
        changes.sort()
        self.changed = [point for point, _, _, _ in changes]
        # What line 1 promised holds for every entry. A change that always held and was never late ends those before it.
        promised = {line: frozenset({level}) for line, level in begin.items()}
        held = [promised]
        for _, line, level, sure in changes:
            held.append({**held[-1], line: frozenset({level}) | (promised if sure else held[-1])[line]})
        since: dict[str, frozenset[str]] = {}
        self.states: list[Any] = []
        for before, change in zip(reversed(held), (*reversed(changes), None), strict=True):
            levels = {line: before[line] | since.get(line, frozenset()) for line in before}
            self.states.append(self._with({line: self._tightest(found) for line, found in levels.items()}))
            if change is not None:
                since = {**since, change[1]: since.get(change[1], frozenset()) | {change[2]}}
        self.states.reverse()

    def _state(self, point: Point) -> Any:
        """The state with each line at the tightest level of line 1, and of all it had at that point or later."""
        return self.states[bisect_right(self.changed, point)]

    def _with(self, visibility: Mapping[str, str]) -> Any:
        state = self.match.fold.state
        settings = {**state.table.settings, "visibility": visibility}
        return state._replace(table=state.table._replace(settings=settings))

    def _tightest(self, levels: Iterable[str]) -> str:
        """The level that admits only who is admitted by all of these."""
        found = set(levels)
        for level in (*SECRET, "owner", "traders"):
            if level in found:
                ended = self.match.table.status == "finished"
                return "host" if _AFTER_END in found and not ended else level
        return next((level for level in AT_THE_END if level in found), "everybody")


def _both(one: Audience, other: Audience) -> Audience:
    """Those whom both admit."""
    if one.everybody or other.everybody:
        return other if one.everybody else one
    return Audience(tuple(p for p in one.players if p in other.players), after_end=one.after_end and other.after_end)


def _was_posted(args: Mapping[str, Any]) -> bool:
    return args.get("dropped") in (None, False)


def _change(said: Any) -> tuple[str, str]:
    """The line of the table and its new level, of the arguments of `amend-setting`."""
    match said:
        case {"key": str(key), "value": str(level)} if key.startswith(_LINE):
            return key.removeprefix(_LINE), level
        case _:
            return "", ""


def _instants(texts: Iterable[Any]) -> Iterator[int]:
    for text in texts:
        try:
            yield read_instant(text)
        except (TypeError, ValueError):
            continue
