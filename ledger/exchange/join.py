"""Joining: what another copy of the same match has recorded since the two parted becomes entries of this one."""

from __future__ import annotations

from events.instants import Instant
from events.record import NamedTuple
from ledger.core.match import Match
from ledger.core.replay import Fold
from ledger.exchange.copies import Joining, compare
from ledger.exchange.join_report import describe
from ledger.record.plan import Ask, Options, Plan, Written
from ledger.record.recorder import plan_prepared, record_prepared


class Joined(NamedTuple):
    """What came of it."""

    joining: Joining
    written: Written
    preview: tuple[str, ...]


def join(match: Match, other_copy: Match, options: Options, ask: Ask) -> Joined:
    """Record here what the other copy has and this one lacks; nothing is written there.

    Raises:
        Refused: `join.other_match`. Otherwise as `recorder.record`.
    """
    joinings: list[Joining] = []
    previews: list[tuple[str, ...]] = []

    def plan(current: Match, now: Instant) -> Plan:
        joining = compare(current, other_copy, by=options.by, now=now)

        def preview(after: Fold) -> tuple[str, ...]:
            return describe(current, other_copy, joining, after, now)

        planned = plan_prepared(current, joining.bodies, preview)
        joinings.append(joining)
        previews.append(planned.preview)
        return planned

    written = record_prepared(match, options, ask, plan)
    return Joined(joinings[-1], written, previews[-1])
