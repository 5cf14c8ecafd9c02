"""What a host must see, and say yes to, before a plan is carried out.

Belongs here: the questions, about what others suffer and about sealed rounds (late sheets let in, rounds resolved
early). Does not belong here: who is asked, and when (recorder.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from events.errors import Refused
from games.contract import Fact
from games.kit.sealed import LateAdmitted, SheetSealed, called, not_counted
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.replay import Fold, Outcome
from ledger.core.times import show_day
from ledger.record.plan import Options, Plan, newly
from ledger.tell.differences import differences
from ledger.tell.ends import nearer
from ledger.tell.listing import as_typed, in_words


def doubts(match: Match, plan: Plan, options: Options) -> tuple[str, ...]:
    """What a host must see before this is written. Empty: nothing, or nothing that `--yes` has not answered.

    What only changes the picture is asked about at a terminal; what hurts another entry or a posted text, always.
    """
    hasty = () if options.early else plan.hasty
    if options.yes:
        return (*meant(match, plan), *hasty) if hasty else ()
    said = [*plan.preview, *hasty] if plan.bodies else []
    if options.seen is not None and options.at is not None and options.at > options.seen:
        written, counts = show_day(options.seen, match.zone), show_day(options.at, match.zone)
        said.append(f"this would count {counts}, after its message was written: {written}")
    said += nearer((f for o in plan.after.outcomes if o.live.seq in plan.mine for f in o.facts), plan.after.state.table)
    said += let_in(plan.before, plan.after)
    said += [
        f"entry {o.live.seq} ({as_typed(match, o.live.do, o.live.args)}) becomes contested: {o.refusal.what}{_aside(o)}"
        for o in newly(plan)
        if o.refusal is not None
    ]
    changed = match.game.changed(plan.before.state, plan.after.state, "")
    said += [match.game.explain(plan.after.state, fact).text for fact in changed]
    said += [f"text {d.item}, posted to {d.channel}: {d.what}" for d in plan.drift]
    if options.asking and (plan.correction or plan.passed):
        said += [f"then {line}" for line in differences(match, plan.before.state, plan.after.state)]
    return (*meant(match, plan), *said) if said and not plan.preview else tuple(said)


def meant(match: Match, plan: Plan) -> Iterator[str]:
    """What is to be recorded, in words, and why the host is asked before it is."""
    for body in plan.bodies:
        match body.do:
            case "redo":
                yield f"to take back: {in_words(match, body.args['target'])}"
            case "amend" if (target := body.args["target"]) <= len(match.book.entries):
                do = match.book.entries[target - 1].body.do
                now = as_typed(match, do, body.args.get("args", {}))
                yield f"to amend: {in_words(match, target)}; it would say: {now}"
            case "undo" | "note" | "reason":  # what undo strikes is told before anything is asked
                continue
            case _:
                yield f"to record: {as_typed(match, body.do, body.args)}"
    if plan.passed:
        yield f"it counts {show_day(plan.bodies[0].at, match.zone)}, before what was recorded earlier"


def _aside(outcome: Outcome) -> str:
    """What only the host may read of a refusal."""
    told = outcome.refusal.host_only if outcome.refusal else ""
    return f" (host only: {told})" if told else ""


def let_in(before: Fold, after: Fold) -> Iterator[str]:
    """A line for each late sheet that counts now, because an end was moved, in place of one that was in time."""
    late = {fact.sheet.seq: fact for fact in not_counted(_facts(before))}
    if not late:
        return
    still = {fact.sheet.seq for fact in not_counted(_facts(after))}
    ruled = {fact.seq for fact in _facts(after) if isinstance(fact, LateAdmitted) and fact.by == "ruling"}
    sheets = [fact for fact in _facts(after) if isinstance(fact, SheetSealed)]
    in_time = [fact for fact in sheets if fact.sheet.seq not in late]
    for fact in sheets:
        seq = fact.sheet.seq
        if seq not in late or seq in still or seq in ruled:
            continue
        over = [one.sheet.seq for one in in_time if one.sheet.seq < seq and _of_one_kind(one, fact)]
        if over:
            name, where = after.state.table.name(fact.player), called(fact.round)
            late_one = f"the late sheet of {name} (entry {seq})"
            yield f"{late_one} is let into {where}, over entry {over[-1]}, which was in time"


def too_early(match: Match, state: Any, at: int) -> tuple[str, ...]:
    """Why a round may be resolved too early at that moment (ms): its end lies ahead, and somebody owes a sheet."""
    table = state.table
    if table.round is None or table.round.closed is not None:
        return ()
    end = table.end_at(at)
    owe = [name for name in dict.fromkeys(table.name(due.who) for due in match.game.waiting(state))]
    if end is None or end <= at or not owe:
        return ()
    names = owe[0] if len(owe) == 1 else f"{', '.join(owe[:-1])} and {owe[-1]}"
    owes = "owes" if len(owe) == 1 else "owe"
    when = show_day(end, match.zone)
    return (
        f"{called(table.round.name)} takes sheets until {when}, and {names} still {owes} one: this resolves it now",
    )


def which_round(match: Match, action: shared.Resolve, by: str) -> None:
    """A host who has recorded nothing since another one resolved a round may not know that the next one is on.

    Raises:
        Refused: `resolve.which`, they do not say which round they mean.
    """
    if action.round is not None:
        return
    struck, table = match.fold.marks.struck, match.table
    for entry in reversed(match.book.entries):
        if entry.body.by == by:
            return
        if entry.body.do == "resolve" and entry.seq not in struck:
            done, on = called(str(entry.body.args.get("round"))), table.round
            what = f"{entry.body.by} has resolved {done} (entry {entry.seq}), and you have recorded nothing since"
            fix = f"hl resolve {on.name.removeprefix('round_')}" if on else "hl status"
            raise Refused("resolve.which", f"{what}: say which round you mean", fix)


def _facts(fold: Fold) -> Iterator[Fact]:
    return chain.from_iterable(outcome.facts for outcome in fold.outcomes)


def _of_one_kind(one: SheetSealed, other: SheetSealed) -> bool:
    """Do they fill the same sheet? A round may take sheets of several kinds, and a blank is one of each."""
    kinds = {type(fact.sheet.content) for fact in (one, other) if fact.sheet.content is not None}
    return (one.player, one.round) == (other.player, other.round) and len(kinds) < 2
