"""Amending: the entry that makes another one say something else, with the words that were typed anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events import Refused, write_instant
from events.instants import Instant
from games.contract import Action
from games.records import ABSENT, args_of, fields
from games.table import actions as shared
from ledger.core.clock import OsLuck
from ledger.core.effective import as_effective
from ledger.core.match import Match


def amended(
    match: Match,
    target: int,
    typed_words: Mapping[str, str],
    read_typed: Callable[[type, Mapping[str, str], int], Any],
    at: int | None,
) -> Any:
    """The amend entry for `target` with some fields typed anew.

    Args:
        typed: Reads typed words into args for an action class (from the command line), at a moment (ms).

    Raises:
        Unreadable, Refused: `amend.fixed`, `amend.struck`, `amend.nothing`.
    """
    check_amend(match, target)
    entries = match.book.entries
    do, recorded = entries[target - 1].body.do, entries[target - 1].body.args
    if at is not None and (do in (*shared.MOMENTARY, "hand", "deal") or recorded.get("commitment")):
        raise Refused("draw.at", f"entry {target} ({do}) counts when it was recorded", f"hl show {target}")
    live = as_effective(entries[target - 1], match.fold.marks, match.fold.layout)
    cls = match.engine.actions.get(live.do)
    if cls is None:
        raise Refused("amend.fixed", f"this release knows no action {live.do}, and cannot amend one", "hl verify")
    counts_at = live.at
    action: Action
    args = {**live.args, **read_typed(cls, typed_words, counts_at if at is None else at)}
    if args == dict(live.args) and at is None:
        raise Refused("amend.nothing", f"entry {target} says that already", f"hl show {target}")
    if at is not None and (by_time := {f.name for f in fields(cls) if f.default is ABSENT}):
        counts_at = Instant(at)  # fields that depend on the time (the round of a sheet) are filled in anew
        args = {name: value for name, value in args.items() if name not in by_time}
    if cls is shared.Deadline and "when" in typed_words:  # `+6h` may be typed for its end; a log holds instants
        counts_at, action = live.at if at is None else Instant(at), shared.Deadline(args["when"])
    else:
        action = match.engine.read(live.do, args, match.table)
    place = match.fold.layout.place
    point = (counts_at, place(target))
    state = match.fold_until(lambda other: (other.at, place(other.seq)) >= point).state
    prepared, *additional = match.game.prepare(state, action, OsLuck(place(target)[0], match.published(), counts_at))
    if additional:
        raise Refused("amend.fixed", f"entry {target} ({live.do}) cannot be drawn anew", f"hl undo {target} -n")
    if getattr(prepared, "seed", None) != live.args.get("seed") and getattr(prepared, "replaces", "") is None:
        prepared = prepared._replace(replaces=match.fold.layout.first_line(entries[target - 1]))
    if at is None and live.at != entries[target - 1].body.at:
        at = live.at  # an earlier amend moved it; only the last amend counts, so it must hold that time too
    return shared.Amend(target, args_of(prepared), None if at is None else write_instant(at))


def check_amend(match: Match, target: int) -> None:
    """Refuse to amend an entry that cannot be amended."""
    match.check_entry(target)
    entry = match.book.entries[target - 1]
    if entry.body.do in shared.META_VERBS or entry.body.do in ("create", "seat"):
        fix = "hl override FIELD PLAYER VALUE"
        raise Refused("amend.fixed", f"entry {target} ({entry.body.do}) cannot be amended", fix)
    if target in match.fold.marks.struck:
        by = match.fold.marks.struck[target]
        raise Refused("amend.struck", f"entry {target} is undone (by entry {by})", f"hl redo {by}")
