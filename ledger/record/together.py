"""Hosts who record into one shared match at once, each by a clock of their own.

Belongs here: when an entry counts that says no time, clocks that are apart, and what is told of an entry that had to
be decided anew. Does not belong here: the order of a command (recorder.py), the server (ledger/wire).
Source: docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from events import LedgerError
from events.instants import Instant
from ledger.core.times import show_span, show_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.core.match import Match
    from ledger.record.plan import Plan

TRIES = 40
"""How often an entry is decided anew before it is given up."""
CLOCKS_APART = 5_000
"""Milliseconds by which two clocks may differ before it is told."""


def counts_at(match: Match, now: Instant) -> Instant:
    """When an entry counts that says no time, ms: now, on a shared match never before what others have typed.

    So one host's fast clock makes nobody else's entries late.
    """
    if not match.book.log.shared:
        return now
    return max(now, *(entry.body.recorded for entry in match.book.entries))


def apart(match: Match, by: str, now: int) -> list[str]:
    """What to tell a host of clocks that differ by more than five seconds; nothing for a match that is not shared."""
    if not match.book.log.shared:
        return []
    ahead = max(match.book.entries, key=lambda entry: entry.body.recorded)
    gap = ahead.body.recorded - now
    if gap > CLOCKS_APART:
        what = f"entry {ahead.seq} of {ahead.body.by} was typed {show_span(gap)} from now, by their clock"
        return [f"{what}: this counts at {show_time(ahead.body.recorded, match.zone)}; compare your clocks"]
    mine, gap, other = 0, 0, ""
    for entry in match.book.entries:
        if entry.body.by == by:
            mine, gap = entry.body.recorded, 0
        elif mine - entry.body.recorded > max(CLOCKS_APART, gap):
            gap, other = mine - entry.body.recorded, entry.body.by
    if not gap:
        return []
    return [f"the clock of {other} was {show_span(gap)} or more behind yours; compare your clocks"]


@contextmanager
def overtaking(match: Match, plans: Sequence[Plan]) -> Iterator[None]:
    """A refusal while an entry is decided anew says that it would have been recorded, had nobody been quicker."""
    try:
        yield
    except LedgerError as error:
        if plans:
            came = _came(match, plans[0], len(match.book.entries))
            told = f"{came} while this was on its way; without that it would have been recorded"
            error.host_only = "\n".join(filter(None, (error.host_only, told)))
        raise


def decided_anew(match: Match, plans: Sequence[Plan], plan: Plan) -> list[str]:
    """What to tell when others were quicker and that changed what the entry does."""
    if not plans or _answer(match, plans[0]) == _answer(match, plan):
        return []
    came = _came(match, plans[0], min(plan.mine, default=1) - 1)
    return [f"{came} while this was on its way, which changed what it does: what is told here counts"]


def _came(match: Match, plan: Plan, last: int) -> str:
    """What others recorded from the number on that a plan was made for, to number `last`."""
    first = min(plan.mine, default=last)
    by = ", ".join(dict.fromkeys(entry.body.by for entry in match.book.entries[first - 1 : last]))
    return f"{by} recorded #{first}" + (f" to #{last}" if last > first else "")


def _answer(match: Match, plan: Plan) -> list[tuple[str, list[str], str]]:
    """What the entries of a plan do, in words: their numbers do not matter."""
    mine = [outcome for outcome in plan.after.outcomes if outcome.live.seq in plan.mine]
    say = match.game.explain
    return [
        (o.live.do, [say(plan.after.state, fact).text for fact in o.facts], o.refusal.code if o.refusal else "")
        for o in mine
    ]
