"""Hosts who record into one shared match at once, each by a clock of their own.

Belongs here: when an entry without a typed time counts, clocks that differ, and what hosts are told about an entry that
had to be decided anew. Does not belong here: the order of a command (recorder.py), the server (ledger/wire).
Source: docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from events import LedgerError
from events.instants import Instant
from games.spans import show_span
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.record.plan import Plan

MAX_TRIES = 40
"""How often an entry is decided before the command gives up."""
MAX_CLOCK_GAP_MS = 5_000
"""How far two clocks may differ before hosts are told, ms."""


def counts_at(match: Match, now: Instant) -> Instant:
    """When an entry counts that says no time, ms: now, on a shared match never before what others have typed.

    So the fast clock of one host makes nobody else's entries late.
    """
    if not match.book.log.shared:
        return now
    return max(now, *(entry.body.recorded for entry in match.book.entries))


def clock_warnings(match: Match, by: str, now: int) -> list[str]:
    """A warning if another host's clock differs by more than five seconds; empty for a match that is not shared."""
    if not match.book.log.shared:
        return []
    ahead = max(match.book.entries, key=lambda entry: entry.body.recorded)
    gap = ahead.body.recorded - now
    if gap > MAX_CLOCK_GAP_MS:
        sentence = f"entry {ahead.seq} of {ahead.body.by} was typed {show_span(gap)} from now, by their clock"
        return [f"{sentence}: this counts at {show_time(ahead.body.recorded, match.zone)}; compare your clocks"]
    mine, gap, host = 0, 0, ""
    for entry in match.book.entries:
        if entry.body.by == by:
            mine, gap = entry.body.recorded, 0
        elif mine - entry.body.recorded > max(MAX_CLOCK_GAP_MS, gap):
            gap, host = mine - entry.body.recorded, entry.body.by
    if not gap:
        return []
    return [f"the clock of {host} was {show_span(gap)} or more behind yours; compare your clocks"]


@contextmanager
def overtaking(match: Match, plans: Sequence[Plan]) -> Iterator[None]:
    """Adds to the refusal of an entry that is decided anew that it would have been recorded before."""
    try:
        yield
    except LedgerError as error:
        if plans:
            came = _overtakers(match, plans[0], len(match.book.entries))
            sentence = f"{came} just before this, which is why it is refused"
            error.host_only = "\n".join(filter(None, (error.host_only, sentence)))
        raise


def decided_anew(match: Match, plans: Sequence[Plan], plan: Plan) -> list[str]:
    """A warning if other hosts were quicker and that changed what the entry does."""
    if not plans or _effects(match, plans[0]) == _effects(match, plan):
        return []
    came = _overtakers(match, plans[0], min(plan.mine, default=1) - 1)
    return [f"{came} just before this, which changed its effect: what you read here is right"]


def _overtakers(match: Match, plan: Plan, last: int) -> str:
    """Who recorded the entries from the number that the plan was made for up to `last`: `ben recorded #12 to #14`."""
    first = min(plan.mine, default=last)
    by = ", ".join(dict.fromkeys(entry.body.by for entry in match.book.entries[first - 1 : last]))
    return f"{by} recorded #{first}" + (f" to #{last}" if last > first else "")


def _effects(match: Match, plan: Plan) -> list[tuple[str, list[str], str]]:
    """The effects of the entries of a plan, in words without their numbers."""
    explain = match.game.explain
    return [
        (o.entry.do, [explain(plan.after.state, fact).text for fact in o.facts], o.refusal.code if o.refusal else "")
        for o in plan.after.outcomes
        if o.entry.seq in plan.mine
    ]
