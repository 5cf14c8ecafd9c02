"""A copy of the log for one audience: lines that it may not open are closed, and the head is the same.

Only this module decides who may open an entry, for copies, replays and pages alike. The game decides who may know an
action (`Game.audience`). An entry is open only to those who may know every version of it, as first written and as
amended, under every information table since the entry counts. Source: docs/log-format.md, decision 0028.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import reduce
from typing import Any

from events import Entry, LedgerError, close_line, read_instant
from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER, Audience
from games.table import actions as shared
from games.table.settings import LEVELS
from games.table.view import AT_THE_END, SECRET
from ledger.core.effective import BEFORE_ALL, Place, late_entries
from ledger.core.match import Match

PUBLIC_VERBS = frozenset({"commit", "word"})
"""Verbs that are public once recorded: everybody may open these entries and those about them, even struck ones,
whatever the information table says."""
OPEN_VERBS = PUBLIC_VERBS | {"create", "anchor"}
REMARKS = frozenset({"note", "ruling"})
Point = tuple[int, Place]


def redacted(match: Match, viewer: str) -> Iterator[bytes]:
    """The lines of the copy, in order.

    Args:
        viewer: `public` or a player; hosts have the log itself.

    Raises:
        Damaged, Unreadable, NotRecorded: from the log.
    """
    opened = may_open(match, viewer)
    assert match.book.mark is not None, "an open match has been read"
    for seq, raw in enumerate(match.book.log.raw_lines(match.book.mark), start=1):
        yield raw if seq in opened else close_line(raw)


def may_open(match: Match, viewer: str) -> frozenset[int]:
    ended = match.table.status == "finished"
    return frozenset(seq for seq, audience in audiences(match).items() if audience.admits(viewer, ended=ended))


def audiences(match: Match) -> Mapping[int, Audience]:
    """Entry -> who may open it, up to the point of the fold."""
    rules, by_seq = _OpeningRules(match), dict[int, Audience]()
    for entry in match.book.entries:
        by_seq[entry.seq] = rules.opens(entry, by_seq)
    return by_seq


class _OpeningRules:
    """Indexes of a whole log, built once, that determine who may open each entry."""

    def __init__(self, match: Match) -> None:
        self.match, self.entries, self.log = match, match.book.entries, match.fold.layout
        self.struck = match.fold.marks.struck
        self.effective = {o.entry.seq: o.entry.args for o in match.fold.outcomes if o.refusal is None}
        self.amends: dict[int, list[Entry]] = {}
        """Entry -> all its amends, in effect or not."""
        self.changed: set[int] = set()
        """Entries that were amended or undone, in effect or not."""
        for entry in self.log.about:
            if entry.body.do in ("undo", "amend") and (target := self._target(entry)):
                if entry.body.do == "amend":
                    self.amends.setdefault(target, []).append(entry)
                    self.changed.add(target)
                else:
                    self.changed.update(self.log.batch(target))
        self._tables()

    def opens(self, entry: Entry, earlier: Mapping[int, Audience]) -> Audience:
        """Who may open the entry. `earlier`: the audiences of all entries before it."""
        do, args = entry.body.do, entry.body.args
        if do in OPEN_VERBS:
            return EVERYBODY
        if do == "posted":
            return self._posted(entry)
        if do == "amend":
            return self._amend(entry, earlier)
        if do in ("undo", "redo", "confirm"):
            target = self._target(entry)
            undone = self.log.batch(target) if do == "undo" and target else ()
            return EVERYBODY if any(self._verb(seq) in PUBLIC_VERBS for seq in undone) else earlier.get(target, HOST)
        audiences = (self._reading(entry, entry_args) for entry_args in self._all_args(entry))
        return self._if_in_effect(entry, entry.seq, args, reduce(_intersection, audiences))

    def _all_args(self, entry: Entry) -> list[Any]:
        return [entry.body.args, *(amend.body.args.get("args") for amend in self.amends.get(entry.seq, ()))]

    def _posted(self, entry: Entry) -> Audience:
        """The audience to whom the text was sent; only the hosts if it was dropped or not sent after all.

        The entry names lines by number (`item`, `covers`), but only lines whose texts were sent to this audience.
        """
        args = entry.body.args
        viewer = args.get("audience")
        if entry.seq in self.struck or args.get("dropped") not in (None, False) or not isinstance(viewer, str):
            return HOST
        return EVERYBODY if viewer == PUBLIC_VIEWER else Audience.only(viewer)

    def _amend(self, entry: Entry, earlier: Mapping[int, Audience]) -> Audience:
        """Judge an amend by its own arguments, so that a sheet first typed for somebody else opens to its player."""
        target, args = self._target(entry), entry.body.args.get("args")
        if not target or self._verb(target) in shared.META_VERBS:
            return HOST
        if self._verb(target) in OPEN_VERBS:
            return earlier[target]
        return self._if_in_effect(entry, target, args, self._reading(self.entries[target - 1], args))

    def _if_in_effect(self, entry: Entry, target: int, args: Any, audience: Audience) -> Audience:
        """The audience if the entry is in effect with these arguments, otherwise only the hosts.

        An entry that is struck, contested or replaced by an amend may contain a secret, whomever it names and whatever
        was posted of it: what a text told stands open in `posted`.
        """
        in_effect = entry.seq not in self.struck and target not in self.struck and self.effective.get(target) == args
        return audience if in_effect else HOST

    def _reading(self, entry: Entry, args: Any) -> Audience:
        """Who may know an entry with these arguments; only the hosts if no action can be read from it.

        So nobody else opens `posting`, whose text may not have been sent to anybody, and `join`, which has `--once`
        keys, which may be any text, and line numbers of the other copy, which reveal how many entries are between them.
        Players do not need it: they have the hashes of their lines.
        """
        if entry.body.do in REMARKS or not isinstance(args, Mapping):
            return HOST
        state = self.states[bisect_right(self.change_points, self._points(entry)[0])]
        try:
            action = self.match.engine.read(entry.body.do, args, state.table)
        except LedgerError:
            return HOST
        return self.match.game.audience(state, action)

    def _target(self, entry: Entry) -> int:
        target = entry.body.args.get("target")
        return target if isinstance(target, int) and 1 <= target < entry.seq else 0

    def _verb(self, seq: int) -> str:
        return self.entries[seq - 1].body.do

    def _points(self, entry: Entry) -> list[Point]:
        """All points at which an entry counts or ever counted, the earliest first."""
        place = self.log.place(entry.seq)
        if self.log.is_setup(entry.seq):
            return [(BEFORE_ALL, place)]
        times = {entry.body.at, *_instants(amend.body.args.get("at") for amend in self.amends.get(entry.seq, ()))}
        return [(at, place) for at in sorted(times)]

    def _tables(self) -> None:
        """Make the states in which entries are judged: before each change of the information table, and at the end."""
        initial = self.match.engine.start(self.entries[0].body, self.match.book.game_id).table.settings["visibility"]
        late = late_entries(self.entries, self.log)
        changes: list[tuple[Point, str, str, bool]] = []
        for entry in self.entries:
            if entry.body.do != "amend-setting":
                continue
            settled = entry.seq in self.effective and entry.seq not in self.changed and entry.seq not in late
            for args in self._all_args(entry):
                match args:
                    case {"key": str(key), "value": str(level)} if level in LEVELS and key.startswith("visibility."):
                        if (line := key.removeprefix("visibility.")) in initial:
                            changes.append((self._points(entry)[-1], line, level, settled))
        changes.sort()
        self.change_points = [point for point, _, _, _ in changes]
        # The levels of line 1 apply to every entry. A change that was never late, struck or amended ends earlier ones.
        promised = {line: frozenset({level}) for line, level in initial.items()}
        tables = [promised]
        for _, line, level, settled in changes:
            tables.append({**tables[-1], line: frozenset({level}) | (promised if settled else tables[-1])[line]})
        later_levels: dict[str, frozenset[str]] = {}
        final = self.match.fold.state
        self.states: list[Any] = []
        """The final state, with each line at its strictest level in line 1, at that point and later."""
        for before, change in zip(reversed(tables), (*reversed(changes), None), strict=True):
            tightest = {line: self._tightest(before[line] | later_levels.get(line, frozenset())) for line in before}
            settings = {**final.table.settings, "visibility": tightest}
            self.states.append(final._replace(table=final.table._replace(settings=settings)))
            if change is not None:
                _, line, level, _ = change
                later_levels = {**later_levels, line: later_levels.get(line, frozenset()) | {level}}
        self.states.reverse()

    def _tightest(self, levels: Collection[str]) -> str:
        """The level that admits only those whom all of these levels admit."""
        for level in (*SECRET, "owner", "traders"):
            if level in levels:
                ended = self.match.table.status == "finished"
                return "host" if "everybody_after_end" in levels and not ended else level
        return next((level for level in AT_THE_END if level in levels), "everybody")


def _intersection(a: Audience, b: Audience) -> Audience:
    if a.everybody or b.everybody:
        return b if a.everybody else a
    return Audience(tuple(p for p in a.players if p in b.players), after_end=a.after_end and b.after_end)


def _instants(texts: Iterable[Any]) -> Iterator[int]:
    for text in texts:
        with suppress(TypeError, ValueError):
            yield read_instant(text)
