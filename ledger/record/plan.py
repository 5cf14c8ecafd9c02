"""A plan: the options of a write verb, what it would change, and its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from events import Body, Unmet
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, Moment
from games.records import kebab
from games.table import actions as shared
from games.table.rounds import SheetSealed
from ledger.core.match import Match
from ledger.core.replay import Fold, Outcome
from ledger.tell.diff import differences
from ledger.tell.outbox import Drift, outbox
from ledger.tell.reports import moved_sheets, overtaken_sheets
from ledger.tell.texts import Item, news, overridden

RULES = (kebab(shared.AmendSetting), kebab(shared.Note), kebab(shared.Ruling))
"""Verbs that are no play: an entry that counts before one of these alone is not said to be late."""


class Options(NamedTuple):
    by: str
    at: int | None = None
    evidence: str | None = None
    seen: int | None = None
    """When the evidence message was written, ms."""
    note: str | None = None
    """A remark for the hosts; for `declare`, the reason that everybody reads."""
    private: bool = False
    """The reason of `declare` is for hosts only."""
    once: str | None = None
    again: bool = False
    force: bool = False
    dry_run: bool = False
    yes: bool = False
    early: bool = False
    """The host has confirmed early ends and reveals; `resolve` needs this in addition to `yes`."""
    asking: bool = False
    """A host is at a terminal, so the changes are shown before a correction or a late entry is recorded."""


class Written(NamedTuple):
    seqs: tuple[int, ...]
    head: str
    outcomes: tuple[Outcome, ...]
    contested: tuple[Outcome, ...]
    newly: tuple[Outcome, ...]
    """Entries contested now and not before, except the new ones."""
    mended: tuple[Outcome, ...]
    drift: tuple[Drift, ...]
    changes: tuple[str, ...]
    passed: tuple[int, ...]
    """The live entries before which the new one was placed."""
    before: Any
    after: Any
    repeated: bool
    warnings: tuple[str, ...]
    news: tuple[Item, ...] = ()
    early: tuple[str, ...] = ()
    """In a dry run: sentences about what it would end early."""
    shown: tuple[str, ...] = ()
    """In a dry run: sentences about what it would reveal, and to whom."""
    asked: bool = False
    """The host has seen and confirmed the changes, so they need not be shown again."""
    overridden: Outcome | None = None
    """After a late `deadline`: the outcome, later in the order of the match, that moved or ended the same."""
    previewed: bool = False
    """The host has read the facts in a preview."""


class Plan(NamedTuple):
    bodies: tuple[Body, ...]
    before: Fold
    after: Fold
    mine: frozenset[int]
    passed: tuple[int, ...]
    correction: bool
    drift: tuple[Drift, ...] = ()
    preview: tuple[str, ...] = ()
    news: tuple[Item, ...] = ()


Ask = Callable[[str], bool]
"""Asks the host to confirm. Returns whether they did; raises `Unmet` if nobody can be asked."""
Planner = Callable[[Match, Instant], Plan]


def nobody(question: str) -> bool:
    """An `Ask` for programs: it refuses whatever needs confirmation. With the option `yes` it is not called."""
    raise Unmet("confirm.needed", "a host must confirm this first", "look at it first, then say yes", question)


def newly(plan: Plan) -> tuple[Outcome, ...]:
    known = plan.mine | {o.entry.seq for o in plan.before.contested}
    return tuple(o for o in plan.after.contested if o.entry.seq not in known)


def typed_on(match: Match, base: Any, action: Action, at: Instant, seq: int) -> Any:
    """The state that fills in fields not typed: after all ends reached by then, except for `close`.

    A host who types `close` means the phase they see, even if time has ended it since. The entry records the name of
    the phase, so that a late entry before it cannot make it close another one. Source: docs/decisions/0005.
    """
    return base if isinstance(action, shared.Close) else match.engine.pass_time(base, Moment(at, seq))[0]


def states(match: Match, plan: Plan) -> tuple[Any, Any]:
    """The match before and after a correction or a late entry, both once the last entry of either has come: ends that
    were reached by then were reached without the entry that went, too."""
    at = Moment(Instant(max(plan.before.last, plan.after.last)), len(match.book.entries))
    before, after = (match.engine.pass_time(point.state, at)[0] for point in (plan.before, plan.after))
    return before, after


def drifts(match: Match, plan: Plan) -> tuple[Drift, ...]:
    again = any(body.do in ("reopen", "choose") for body in plan.bodies)  # makes a text wrong, corrects no entry
    if not (plan.passed or plan.correction or again):
        return ()
    if not any(e.body.do == "posted" for e in (plan.after if plan.preview else plan.before).layout.about):
        return ()
    before = {drift.item for drift in outbox(match).drifted}
    changed = match.with_bodies(plan.bodies)
    changed.adopt(plan.after)
    return tuple(drift for drift in outbox(changed).drifted if drift.item not in before)


def news_of(match: Match, plan: Plan) -> tuple[Item, ...]:
    """The texts that the plan adds, without those that later entries have told. A correction adds none."""
    first = next((i for i, o in enumerate(plan.after.outcomes) if o.entry.seq in plan.mine), None)
    if first is None or plan.correction:
        return ()
    before = [outcome.entry for outcome in plan.before.outcomes[first:]]
    after = [outcome.entry for outcome in plan.after.outcomes[first:]]
    state = match.fold_until(lambda live: live.seq == before[0].seq).state if before else plan.before.state
    return tuple(news(match.engine, state, before, after, plan.mine))


def written(plan: Plan, match: Match, warnings: Sequence[str]) -> Written:
    outcomes = {o.entry.seq: o for o in plan.after.outcomes}
    contested_before = {o.entry.seq for o in plan.before.outcomes if o.refusal is not None}
    laws, faulty = match.game.invariants, match.game.faulty
    laws_before, faulty_before = set(laws(plan.before.state)), set(faulty(plan.before.state))
    broken = [f"a law is broken now: {law}" for law in laws(plan.after.state) if law not in laws_before]
    if not any(isinstance(fact, SheetSealed) for seq in plan.mine if seq in outcomes for fact in outcomes[seq].facts):
        broken += [line for seq, line in faulty(plan.after.state) if (seq, line) not in faulty_before]
    newer = overridden(plan.after.outcomes) if plan.passed else {}
    shows = plan.correction or plan.passed
    moved = [*moved_sheets(match, plan.before, plan.after)] if match.game.rounds and shows else []
    moved += overtaken_sheets(plan.after, plan.mine) if match.game.rounds and plan.passed else []
    before, after = states(match, plan) if shows else (plan.before.state, plan.after.state)
    changes = (*moved, *differences(match, before, after)) if shows else ()
    return Written(
        seqs=tuple(sorted(plan.mine)),
        head=match.book.head,
        outcomes=tuple(outcomes[seq] for seq in sorted(plan.mine) if seq in outcomes),
        contested=plan.after.contested,
        newly=newly(plan),
        mended=tuple(o for seq, o in outcomes.items() if seq in contested_before and o.refusal is None),
        drift=plan.drift,
        changes=changes,
        passed=plan.passed,
        before=before,
        after=after,
        repeated=False,
        warnings=(*broken, *warnings),
        news=plan.news,
        overridden=next(map(newer.get, newer.keys() & plan.mine), None),
    )
