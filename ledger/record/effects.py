"""The effects of a plan: texts that it makes wrong, texts that it adds, laws that it breaks.

Belongs here: comparing the match before and after. Does not belong here: what a host is asked about it (doubts.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.table.rounds import SheetSealed
from ledger.core.match import Match
from ledger.record.plan import Plan, Written, mended, newly
from ledger.tell.diff import differences

if TYPE_CHECKING:
    from ledger.tell.outbox import Drift
    from ledger.tell.texts import Item


def drifts(match: Match, plan: Plan) -> tuple[Drift, ...]:
    """Texts already posted that the plan would make wrong, and that are right now."""
    if not (plan.passed or plan.correction):
        return ()
    if not any(e.body.do == "posted" for e in (plan.after if plan.preview else plan.before).layout.about):
        return ()
    from ledger.tell.outbox import outbox

    before = {drift.item for drift in outbox(match).drifted}
    changed = match.with_bodies(plan.bodies)
    changed.adopt(plan.after)
    return tuple(drift for drift in outbox(changed).drifted if drift.item not in before)


def news_of(match: Match, plan: Plan) -> tuple[Item, ...]:
    """The texts that the plan adds, less what later entries have told already; of a correction only changed results."""
    from ledger.tell.texts import corrected, lines_of, news

    first = next((i for i, o in enumerate(plan.after.outcomes) if o.entry.seq in plan.mine), None)
    corrections: tuple[Item, ...] = ()
    if (plan.correction or plan.passed) and not plan.drift:  # posted texts get a correction in the outbox
        corrections = tuple(corrected(match.game, plan.before.state, plan.after.state, plan.before.last))
    if first is None or plan.correction:
        return corrections

    before = [outcome.entry for outcome in plan.before.outcomes[first:]]
    after = [outcome.entry for outcome in plan.after.outcomes[first:]]
    state = match.fold_until(lambda live: live.seq == before[0].seq).state if before else plan.before.state
    own = tuple(news(match.engine, state, before, after, plan.mine))
    told = {(item.audience, line) for item in own for line in lines_of(item)}
    return (*own, *(item for item in corrections if not told.issuperset((item.audience, s) for s in lines_of(item))))


def written(plan: Plan, match: Match, warnings: Sequence[str]) -> Written:
    outcomes = {o.entry.seq: o for o in plan.after.outcomes}
    laws, unpaid = match.game.invariants, match.game.unpaid
    laws_before, unpaid_before = set(laws(plan.before.state)), set(unpaid(plan.before.state))
    broken = [f"a law is broken now: {law}" for law in laws(plan.after.state) if law not in laws_before]
    if not any(isinstance(fact, SheetSealed) for seq in plan.mine if seq in outcomes for fact in outcomes[seq].facts):
        broken += [line for line in unpaid(plan.after.state) if line not in unpaid_before]
    shows = plan.correction or plan.passed
    changes = differences(match, plan.before.state, plan.after.state) if shows else ()
    return Written(
        seqs=tuple(sorted(plan.mine)),
        head=match.book.head,
        outcomes=tuple(outcomes[seq] for seq in sorted(plan.mine) if seq in outcomes),
        contested=plan.after.contested,
        newly=newly(plan),
        mended=mended(plan),
        drift=plan.drift,
        changes=changes,
        passed=plan.passed,
        before=plan.before.state,
        after=plan.after.state,
        repeated=False,
        warnings=(*broken, *warnings),
        news=plan.news,
    )
