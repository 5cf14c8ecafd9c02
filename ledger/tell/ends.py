"""Lines for hosts about ends: from when to when one moved, and that the clocks change before it.

In the zone of the match: no game knows when its clocks change. Texts for players hold the instant alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.contract import Fact
from games.kinds import BREAK, called
from games.table import Table
from games.table.facts import DeadlineMoved, DecisionOpened, PhaseBegan
from games.table.rounds import RoundOpened
from ledger.core.times import clock_change, show_clock, show_day, show_span


def lines(facts: Iterable[Fact], table: Table) -> Iterator[str]:
    """A line for each end that moved, and for each that lies behind a change of the clocks."""
    zone = table.zone
    for fact in facts:
        name, start, end = _span(fact, table)
        if end is None:
            continue
        if isinstance(fact, DeadlineMoved):
            before = "" if fact.was is None else f", and not {show_day(fact.was, zone)}"
            yield f"{name} ends {show_day(end, zone)}{before}"
        if change := clock_change(start, end, zone):
            yield f"{name} ends at {show_clock(end, zone)[-5:]}, because {change}: {show_day(end, zone)}"


def passed(end: int, now: int, table: Table) -> str:
    """That an end has passed and no entry records it yet, and the command that does."""
    fix = f"hl close {BREAK}" if table.phase == BREAK else "hl close"  # `hl close` alone would end the round after it
    return f"the end passed {show_span(now - end)} ago; run {fix}"


def phase_name(table: Table) -> str:
    """What the phase or round that is on is called in a sentence."""
    return called(table.phase) if table.round or table.phase == BREAK else table.phase


def _span(fact: Fact, table: Table) -> tuple[str, int, int | None]:
    """The name, start and end (ms) of the phase, round or decision that a fact gives an end; None for other facts."""
    match fact:
        case RoundOpened():
            return called(fact.round), fact.at, fact.ends
        case PhaseBegan():
            return called(BREAK) if fact.phase == BREAK else fact.phase, fact.at, fact.ends
        case DecisionOpened():
            return f"the {fact.decision.noun}", fact.decision.opened, fact.decision.ends
        case DeadlineMoved(about=None):
            return phase_name(table), fact.at, fact.ends
        case DeadlineMoved(about=(kind, *_)):
            return f"the {'choice' if kind == 'choose' else kind}", fact.at, fact.ends
    return "", 0, None
