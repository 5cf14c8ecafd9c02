"""What a host must see and confirm before a plan is carried out.

Belongs here: the questions, about harm to other entries and texts and about late sheets let in. Does not belong here:
what ends early or is opened (openings.py); who is asked, and when (recorder.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from events.errors import Refused
from games.contract import Fact
from games.kinds import called
from games.table import actions as shared
from games.table.rounds import LateAdmitted, SheetSealed, not_counted
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.core.times import show_day
from ledger.record.openings import Openings, is_previewed, openings
from ledger.record.plan import Options, Plan, newly
from ledger.tell.diff import differences
from ledger.tell.listing import as_typed, in_words


def doubts(match: Match, plan: Plan, options: Options) -> tuple[str, ...]:
    """The lines that a host must confirm before this is written. Empty: nothing to confirm, or `--yes` is enough.

    A mere change of the picture is confirmed only at a terminal; harm to another entry or a posted text always.
    """
    if options.yes and (options.early or plan.correction or not is_previewed(plan)):
        return ()
    found = Openings() if options.early else openings(match, plan)
    if options.yes:  # without it nothing is recorded at all, so it is no answer to what comes too early
        return (*plan_lines(match, plan), *found.early) if found.early else ()
    lines = [*plan.preview, *found.early, *found.shown] if plan.bodies else []
    if options.seen is not None and options.at is not None and options.at > options.seen:
        written, counts = show_day(options.seen, match.zone), show_day(options.at, match.zone)
        lines.append(f"this would count {counts}, but its message was written at another time: {written}")
    lines += let_in(plan.before, plan.after)
    lines += [
        f"the rules would no longer allow entry {o.entry.seq} ({as_typed(match, o.entry.do, o.entry.args)}): "
        f"{o.refusal.what}" + (f" (host only: {o.refusal.host_only})" if o.refusal.host_only else "")
        for o in newly(plan)
        if o.refusal is not None
    ]
    changed = match.game.changed(plan.before.state, plan.after.state, "")
    lines += [match.game.explain(plan.after.state, fact).text for fact in changed]
    lines += [f"text {d.item}, posted to {d.channel}: {d.what}" for d in plan.drift]
    if options.asking and (plan.correction or plan.passed):
        lines += [f"then {line}" for line in differences(match, plan.before.state, plan.after.state)]
    return (*plan_lines(match, plan), *lines) if lines and not plan.preview else tuple(lines)


def plan_lines(match: Match, plan: Plan) -> Iterator[str]:
    """What is to be recorded, in words, and that it counts before other entries if it does."""
    for body in plan.bodies:
        match body.do:
            case "redo":
                yield f"to take back: {in_words(match, body.args['target'])}"
            case "amend" if (target := body.args["target"]) <= len(match.book.entries):
                do = match.book.entries[target - 1].body.do
                now = as_typed(match, do, body.args.get("args", {}))
                yield f"to amend: {in_words(match, target)}; it would say: {now}"
            case "undo" | "note" | "reason":  # the struck entries are listed before any question
                continue
            case _:
                yield f"to record: {as_typed(match, body.do, body.args)}"
    if plan.passed:
        yield f"it counts from {show_day(plan.bodies[0].at, match.zone)}, before entries that were recorded earlier"


def let_in(before: Fold, after: Fold) -> Iterator[str]:
    """A line for each late sheet that now counts in place of one that was in time, because an end was moved."""
    late = {fact.sheet.seq for fact in not_counted(_facts(before))}
    if not late:
        return
    still_late = {fact.sheet.seq for fact in not_counted(_facts(after))}
    ruled = {fact.seq for fact in _facts(after) if isinstance(fact, LateAdmitted) and fact.by == "ruling"}
    sheets = [fact for fact in _facts(after) if isinstance(fact, SheetSealed)]
    in_time = [fact for fact in sheets if fact.sheet.seq not in late]
    for fact in sheets:
        seq = fact.sheet.seq
        if seq not in late or seq in still_late or seq in ruled:
            continue
        earlier = (sheet for sheet in in_time if sheet.sheet.seq < seq)
        if replaced := [sheet.sheet.seq for sheet in earlier if _is_same_sheet(sheet, fact)]:
            late_sheet = f"the late sheet of {after.state.table.name(fact.player)} (entry {seq})"
            yield f"{late_sheet} counts in {called(fact.round)} instead of entry {replaced[-1]}, which was in time"


def which_round(match: Match, action: shared.Resolve, by: str) -> None:
    """Make sure that a host who has recorded nothing since another host resolved a round resolves the right one.

    Raises:
        Refused: `resolve.which`, they may not know that the next round has begun, and named none.
    """
    if action.round is not None:
        return
    struck, table = match.fold.marks.struck, match.table
    for entry in reversed(match.book.entries):
        if entry.body.by == by:
            return
        if entry.body.do == "resolve" and entry.seq not in struck:
            resolved = f"{called(str(entry.body.args.get('round')))} (entry {entry.seq})"
            message = f"{entry.body.by} has resolved {resolved}, and you have recorded nothing since"
            fix = f"hl resolve {table.round.name.removeprefix('round_')}" if table.round else "hl status"
            raise Refused("resolve.which", f"{message}: say which round you mean", fix)


def _facts(fold: Fold) -> Iterator[Fact]:
    return chain.from_iterable(outcome.facts for outcome in fold.outcomes)


def _is_same_sheet(first: SheetSealed, second: SheetSealed) -> bool:
    """Are both of one player, round and kind of sheet? A blank is of every kind."""
    kinds = {type(fact.sheet.content) for fact in (first, second) if fact.sheet.content is not None}
    return (first.player, first.round) == (second.player, second.round) and len(kinds) < 2
