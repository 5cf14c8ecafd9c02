"""Entries as a host lists them: one line each, with its marks: struck, amended, late, contested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events import Entry, write_instant
from events.errors import Unreadable
from events.record import NamedTuple
from games.table.actions import META_VERBS
from ledger.core.live import BEFORE_ALL, as_live, is_mark, late_entries
from ledger.core.match import Match
from ledger.core.times import show_clock
from ledger.tell.entry_words import by_name, in_typed_order


class Row(NamedTuple):
    """One entry of the log as it counts, with its marks."""

    seq: int
    at: int
    recorded: int
    by: str
    do: str
    args: Mapping[str, Any]
    marks: tuple[str, ...]
    first: tuple[int, Mapping[str, Any]] | None = None
    """Where it is amended: the time and arguments of its line in the log."""

    def line(self, zone: str, *, seconds: bool = False) -> str:
        """`#12  Fri 18:10  mara  trade a=ann give=R7 ...  [late, amended by 14]`."""
        when = show_clock(self.at, zone, seconds=seconds)
        text = f"#{self.seq:<4} {when}  {self.by}  {self.do} {by_name(self.args)}".rstrip()
        return text + (f"  [{', '.join(self.marks)}]" if self.marks else "")

    def as_json(self) -> dict[str, Any]:
        first = None if self.first is None else {"at": write_instant(self.first[0]), "args": self.first[1]}
        times = {"at": write_instant(self.at), "recorded": write_instant(self.recorded)}
        return {**self._asdict(), **times, "marks": list(self.marks), "first": first}


def rows(
    match: Match, *, player: str | None, kind: str | None, live_only: bool, since: int = BEFORE_ALL, until: int = 2**62,
    everything: bool = True, by_time: bool = False,
) -> tuple[list[Row], list[Entry]]:  # fmt: skip
    """The entries as they count now, and those left out; the filters look at their amended times and arguments.

    Args:
        since: The earliest time, ms.
        until: The first time that is too late, ms.
        everything: Leave nothing out; otherwise, without `kind`, what only says what became of a text, receipt or copy.
        by_time: In the order in which they count; otherwise in the order in which they were recorded.
    """
    fold, entries = match.fold, match.book.entries
    late = late_entries(entries, fold.layout)
    contested = {o.live.seq for o in fold.outcomes if o.refusal is not None}
    placed: list[tuple[tuple[int, Any], Row]] = []
    hidden = []
    for entry in entries:
        if kind is not None and entry.body.do != kind:
            continue
        if live_only and (entry.seq in fold.marks.struck or entry.body.do in META_VERBS):
            continue
        entry_row = row(match, entry, late=entry.seq in late, contested=entry.seq in contested)
        if not since <= entry_row.at < until:
            continue
        if player is not None and (entry_row.do == "create" or player not in _strings(entry_row.args)):
            continue
        if not everything and kind is None and (entry_row.do == "join" or is_mark(entry, entries, fold.layout)):
            hidden.append(entry)
            continue
        place = fold.layout.place(entry_row.seq)
        placed.append(((BEFORE_ALL if fold.layout.is_setup(entry_row.seq) else entry_row.at, place), entry_row))
    if by_time:
        placed.sort(key=lambda pair: pair[0])
    return [entry_row for _, entry_row in placed], hidden


def newest(match: Match, words: Sequence[str], fits: Callable[[Entry], bool] = lambda entry: True) -> int:
    """The number of the newest entry in effect that fits, for `last`, `last ann`, `last trade`, `last trade ann`.

    Args:
        words: What stands after `last`: a verb, a player, or both.

    Raises:
        Unreadable: `entry.none`; `player.unknown`, a word is neither.
    """
    kind = next((word for word in words if word in match.engine.actions), None)
    names = [word for word in words if word != kind]
    if names[1:]:
        raise Unreadable("entry.none", f"{' '.join(names)}: after last there is a verb and a player", "hl log")
    player = match.table.directory().find(names[0]) if names else None
    visible, _ = rows(match, player=player, kind=kind, live_only=True, everything=False)
    for found in reversed(visible):
        entry: Entry = match.book.entries[found.seq - 1]
        if not match.fold.layout.is_setup(found.seq) and fits(entry):
            return found.seq
    what = f"{kind or 'entry'}{f' that names {match.table.name(player)}' if player else ''}"
    raise Unreadable("entry.none", f"there is no {what} in effect that could be meant", "hl log")


def _strings(value: Any) -> set[str]:
    """Every string in the arguments: an entry names a player if one of them is the player's id."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        value = list(value.values())
    return {string for item in value for string in _strings(item)} if isinstance(value, list) else set()


def row(match: Match, entry: Entry, *, late: bool, contested: bool) -> Row:
    """One entry with its marks: struck, late, joined, amended, contested, forced, confirmed."""
    log_marks, seq, body = match.fold.marks, entry.seq, entry.body
    joined, amends = match.fold.layout.joined.get(seq), log_marks.amended.get(seq, ())
    marks = (
        f"undone by {log_marks.struck[seq]}" if seq in log_marks.struck else "",
        "late" if late else "",
        f"joined, {joined[0]} there" if joined else "",
        f"amended by {amends[-1].seq}" if amends else "",
        "contested" if contested else "",
        "forced" if body.force else "",
        f"confirmed by {' '.join(log_marks.confirmed[seq])}" if seq in log_marks.confirmed else "",
    )
    live = as_live(entry, log_marks, match.fold.layout)
    at, args = body.at if live.at == BEFORE_ALL else live.at, in_typed_order(match, body.do, live.args)
    first = (body.at, in_typed_order(match, body.do, body.args)) if amends else None
    return Row(seq, at, body.recorded, body.by, body.do, args, tuple(filter(None, marks)), first)
