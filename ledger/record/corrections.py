"""Corrections (undo, redo, confirm, amend): find the entry, check that it can be corrected, record the correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events import Entry, Refused, write_instant
from events.instants import Instant
from games.contract import Action
from games.records import ABSENT, args_of, fields
from games.spans import HOUR, show_span
from games.table import actions as shared
from ledger.core.clock import OsLuck
from ledger.core.effective import as_effective
from ledger.core.match import Match
from ledger.record.plan import Ask, Options, Written, nobody
from ledger.record.recorder import correct
from ledger.tell.listing import in_words


def amended(
    match: Match,
    target: int,
    typed_words: Mapping[str, str | Sequence[str]],
    read_typed: Callable[[type, Mapping[str, str | Sequence[str]], int], Any],
    at: int | None,
) -> Any:
    """The amend entry for `target`, with some fields typed again.

    Args:
        read_typed: Turns typed words into args for an action class, at a moment (ms).

    Raises:
        Unreadable, Refused: `amend.fixed`, `amend.struck`, `amend.nothing`.
    """
    check_amend(match, target)
    entry = match.book.entries[target - 1]
    do = entry.body.do
    if at is not None and not may_move(do, entry.body.args):
        raise Refused("draw.at", f"entry {target} ({do}) counts when it was recorded", f"hl show {target}")
    live = as_effective(entry, match.fold.marks, match.fold.layout)
    cls = match.engine.actions.get(live.do)
    if cls is None:
        raise Refused("amend.fixed", f"this release knows no action {live.do}, and cannot amend one", "hl verify")
    counts_at = live.at
    action: Action
    typed = {**live.args, **read_typed(cls, typed_words, counts_at if at is None else at)}
    args = {name: value for name, value in typed.items() if value is not None}
    if args == dict(live.args) and at is None:
        raise Refused("amend.nothing", f"entry {target} says that already", f"hl show {target}")
    if at is not None and (by_time := {f.name for f in fields(cls) if f.default is ABSENT}):
        counts_at = Instant(at)  # fields that depend on the time (the round of a sheet) are filled in again
        args = {name: value for name, value in args.items() if name not in by_time}
    if cls is shared.Deadline and "when" in typed_words:  # the host may type `+6h`; a log holds instants
        counts_at, action = live.at if at is None else Instant(at), shared.Deadline(args["when"])
    else:
        action = match.engine.read(live.do, args, match.table)
    place = match.fold.layout.place
    point = (counts_at, place(target))
    state = match.fold_until(lambda other: (other.at, place(other.seq)) >= point).state
    prepared, *additional = match.game.prepare(state, action, OsLuck(place(target)[0], match.published(), counts_at))
    if additional:
        raise Refused("amend.fixed", f"entry {target} ({live.do}) cannot be drawn again", f"hl undo {target} -n")
    if getattr(prepared, "seed", None) != live.args.get("seed") and getattr(prepared, "replaces", "") is None:
        prepared = prepared._replace(replaces=match.fold.layout.first_line(entry))
    if at is None and live.at != entry.body.at:
        at = live.at  # an earlier amend moved it; the last amend alone counts, so it must repeat the time
    return shared.Amend(target, args_of(prepared), None if at is None else write_instant(at))


def may_move(do: str, args: Mapping[str, Any]) -> bool:
    """Whether such an entry may count at another time than that of its recording."""
    return do not in (*shared.MOMENTARY, "hand", "deal") and not args.get("commitment")


def check_amend(match: Match, target: int) -> None:
    match.check_entry(target)
    entry = match.book.entries[target - 1]
    if entry.body.do in shared.META_VERBS or entry.body.do in ("create", "seat"):
        fix = _other_way(match, entry)
        fix = f"hl log\nto take back that mark: {fix}" if "outbox undo" in fix else fix  # its number may be mistyped
        raise Refused("amend.fixed", f"entry {target} ({entry.body.do}) cannot be amended", fix)
    if target in match.fold.marks.struck:
        by = match.fold.marks.struck[target]
        raise Refused("amend.struck", f"entry {target} is undone (by entry {by})", f"hl redo {by}")


def _other_way(match: Match, entry: Entry) -> str:
    do, args, marks = entry.body.do, entry.body.args, match.fold.marks
    if do in ("posted", "posting"):
        return "hl outbox" if entry.seq in marks.struck else f"hl outbox undo {args.get('item')}"
    if do in ("amend", "confirm"):
        return f"hl {do} {args.get('target')}"
    if do in ("undo", "redo"):
        if entry.seq in marks.undone:
            return f"hl redo {entry.seq}"
        seq = args.get("target", 0)
        if not 0 < seq < entry.seq or seq in marks.struck:
            return "hl log"
        target = match.book.entries[seq - 1]
        return f"hl undo {seq}" if match.can_be_struck(target) else _other_way(match, target)
    return "hl amend-setting KEY=VALUE" if do in ("create", "amend-setting") else "hl override PLAYER FIELD VALUE"


def undo(match: Match, target: int, options: Options, ask: Ask = nobody) -> Written:
    """Strike an entry and all others of the same command.

    Raises:
        Unreadable: no such entry. Refused: `undo.fixed`, `undo.twice`. What `record_actions` raises.
    """
    return correct(match, shared.Undo(target), options, ask, lambda m: check_undo(m, target))


def redo(match: Match, target: int, options: Options, ask: Ask = nobody) -> Written:
    """Take an undo back: `target` is the undo, or an entry that it struck.

    Raises:
        Unreadable: no such entry. Refused: `redo.nothing`. What `record_actions` raises.
    """
    undone = match.fold.marks.struck.get(target, target)
    return correct(match, shared.Redo(undone), options, ask, lambda m: check_redo(m, undone))


def confirm(match: Match, target: int, options: Options, ask: Ask = nobody) -> Written:
    """Record that an entry of another host has been checked.

    Raises:
        Unreadable: no such entry. Refused: `confirm.own`, `confirm.twice`. What `record_actions` raises.
    """
    return correct(match, shared.Confirm(target), options, ask, lambda m: check_confirm(m, target, options.by))


def last_of(match: Match, by: str) -> int:
    """The last entry that this host recorded and that can be struck.

    Raises:
        Refused: `undo.nothing`.
    """
    marks = match.fold.marks
    for entry in reversed(match.book.entries):
        if (
            entry.body.do not in shared.MARKS
            and entry.body.by == by
            and entry.seq not in marks.struck
            and match.can_be_struck(entry)
            and match.can_be_struck(first := match.book.entries[match.fold.layout.batch(entry.seq)[0] - 1])
        ):
            return first.seq
    raise Refused("undo.nothing", f"{by} has recorded nothing that can be undone", "hl log")


def why_ask(match: Match, target: int, by: str, now: int) -> tuple[str, ...]:
    """Reasons, in sentences, why a host who typed `undo` without a number may not mean this entry; empty if none.

    Args:
        by: The host who types.
        now: The present instant, ms.
    """
    entries = match.book.entries
    later, reasons = entries[target:], []
    if other_hosts := sorted({entry.body.by for entry in later if entry.body.by != by}):
        names = ", ".join(other_hosts)
        reasons.append(f"{names} recorded after it; the newest entry is {in_words(match, len(entries))}")
    if (age := now - entries[target - 1].body.recorded) > HOUR:
        reasons.append(f"it was recorded {show_span(age)} ago")
    own = [entry for entry in later if entry.body.by == by and entry.seq not in match.fold.marks.struck]
    ways = ((entry, _other_way(match, entry)) for entry in own if entry.body.do == "redo")
    redone = [entry for entry, way in ways if "undo" in way and way != f"hl undo {target}"]
    if skipped := [entry for entry in own if entry.body.do in (*shared.MARKS, "confirm", "join") or entry in redone]:
        newest = skipped[-1]
        back = f"; {_other_way(match, newest)} takes that back" if newest.body.do in ("posted", "redo") else ""
        reasons.append(f"after it you recorded {in_words(match, newest.seq)}{back}")
    return tuple(reasons)


def check_undo(match: Match, target: int) -> None:
    """Refuse to strike an entry that cannot be struck.

    Raises:
        Unreadable: no such entry. Refused: `undo.fixed`, `undo.twice`.
    """
    match.check_entry(target)
    entry = match.book.entries[target - 1]
    if not match.can_be_struck(entry):
        raise Refused("undo.fixed", f"entry {target} ({entry.body.do}) cannot be undone", _other_way(match, entry))
    if target in match.fold.marks.struck:
        by = match.fold.marks.struck[target]
        raise Refused("undo.twice", f"entry {target} is undone already (by entry {by})", f"hl redo {by}")


def last_undo_of(match: Match, by: str) -> int:
    """The last undo of this host that is still in effect.

    Raises:
        Refused: `redo.nothing`.
    """
    live = [seq for seq in match.fold.marks.undone if match.book.entries[seq - 1].body.by == by]
    if not live:
        raise Refused("redo.nothing", f"{by} has no undo that can be taken back", "hl log")
    return max(live)


def check_redo(match: Match, target: int) -> int:
    """The number of the undo: `target` itself, or the undo that struck it.

    Raises:
        Unreadable: no such entry. Refused: `redo.nothing`.
    """
    match.check_entry(target)
    undo_seq = target if target in match.fold.marks.undone else match.fold.marks.struck.get(target)
    if undo_seq is None:
        raise Refused("redo.nothing", f"entry {target} is not undone", "hl log")
    return undo_seq


def check_confirm(match: Match, target: int, by: str) -> None:
    match.check_entry(target)
    confirmed = match.fold.marks.confirmed.get(target, ())
    if match.book.entries[target - 1].body.by == by:
        other_hosts = [host for host in match.table.hosts if host not in (by, *confirmed)]
        fix = f"hl --as {other_hosts[0]} confirm {target}" if other_hosts else f"hl show {target}"
        raise Refused("confirm.own", f"you recorded entry {target} yourself; another host must confirm it", fix)
    if by in confirmed:
        raise Refused("confirm.twice", f"you have confirmed entry {target} already", "hl log")
