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


def join(match: Match, other: Match, options: Options, ask: Ask) -> Joined:
    """Record here what the other copy has and this one lacks; nothing is written there.

    Raises:
        Refused: `join.other_match`. Otherwise as `recorder.record`.
    """
    found: list[Joining] = []
    told: list[tuple[str, ...]] = []

    def plan(current: Match, now: Instant) -> Plan:
        joining = compare(current, other, by=options.by, now=now)

        def preview(after: Fold) -> tuple[str, ...]:
            return describe(current, other, joining, after, now)

        made = plan_prepared(current, joining.bodies, preview)
        found.append(joining)
        told.append(made.preview)
        return made

    written = record_prepared(match, options, ask, plan)
    return Joined(found[-1], written, told[-1])
