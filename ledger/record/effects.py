"""What a plan does to others: texts that it makes wrong, texts that it brings, laws that it breaks.

Belongs here: comparing the match before and after. Does not belong here: what a host is asked about it (doubts.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.kit.sealed import SheetSealed
from ledger.core.match import Match
from ledger.record.plan import Plan, Written, mended, newly
from ledger.tell.differences import differences

if TYPE_CHECKING:
    from ledger.tell.drift import Drift
    from ledger.tell.texts import Item


def drifts(match: Match, plan: Plan) -> tuple[Drift, ...]:
    """Texts already posted that this would make wrong, and that are right without it."""
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
    """What the new entries tell, against what the entries after them have told already. For corrections the outbox."""
    from ledger.tell.texts import corrected, lines_of, news

    first = next((i for i, o in enumerate(plan.after.outcomes) if o.live.seq in plan.mine), None)
    anew: tuple[Item, ...] = ()
    if (plan.correction or plan.passed) and not plan.drift:  # what was posted has its correction in the outbox
        anew = tuple(corrected(match.game, plan.before.state, plan.after.state, plan.before.last))
    if first is None or plan.correction:
        return anew

    before = [outcome.live for outcome in plan.before.outcomes[first:]]
    after = [outcome.live for outcome in plan.after.outcomes[first:]]
    state = match.fold_until(lambda live: live.seq == before[0].seq).state if before else plan.before.state
    own = tuple(news(match.engine, state, before, after, plan.mine))
    said = {(item.audience, line) for item in own for line in lines_of(item)}
    return (*own, *(item for item in anew if not all((item.audience, line) in said for line in lines_of(item))))


def written(plan: Plan, match: Match, warnings: Sequence[str]) -> Written:
    new = {o.live.seq: o for o in plan.after.outcomes}
    laws, unpaid = match.game.invariants, match.game.unpaid
    known, short = set(laws(plan.before.state)), set(unpaid(plan.before.state))
    broken = [f"a law is broken now: {law}" for law in laws(plan.after.state) if law not in known]
    if not any(isinstance(fact, SheetSealed) for seq in plan.mine if seq in new for fact in new[seq].facts):
        broken += [line for line in unpaid(plan.after.state) if line not in short]
    changes: tuple[str, ...] = ()
    if plan.correction or plan.passed:
        changes = differences(match, plan.before.state, plan.after.state)
    return Written(
        seqs=tuple(sorted(plan.mine)),
        head=match.book.head,
        outcomes=tuple(new[seq] for seq in sorted(plan.mine) if seq in new),
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
        hasty=plan.hasty,
    )
