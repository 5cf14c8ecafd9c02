"""Lines for hosts about ends: from when to when one moved, and that the clocks change before it.

In the zone of the match: no game knows when its clocks change. Texts for players hold the instant alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.contract import Fact
from games.kinds import BREAK, called
from games.spans import HOUR, show_span
from games.table import Table
from games.table.facts import DeadlineMoved, DecisionOpened, PhaseBegan
from games.table.rounds import RoundOpened
from ledger.core.times import clock_change, show_clock, show_day


def lines(facts: Iterable[Fact], table: Table) -> Iterator[str]:
    """A line for each end that moved, and for each that lies behind a change of the clocks."""
    zone = table.zone
    for fact in facts:
        name, start, end = _span(fact, table)
        if end is None:
            continue
        if isinstance(fact, DeadlineMoved):
            soon = 0 <= end - start < HOUR
            ends = f"in {show_span(end - start)}, at {_time(end, zone)}" if soon else show_day(end, zone)
            before = "" if fact.was is None else f", and not {(_time if soon else show_day)(fact.was, zone)}"
            yield f"{name} ends {ends}{before}"
        if change := clock_change(start, end, zone):
            yield f"{name} ends at {show_clock(end, zone)[-5:]}, because {change}: {show_day(end, zone)}"


def _time(at: int, zone: str) -> str:
    """`19:10:30`, where nobody asks for the day."""
    return show_clock(at, zone, seconds=True)[-8:]


def passed(end: int, now: int, table: Table) -> str:
    """That an end has passed and no entry records it yet, and the command that does."""
    fix = f"hl close {BREAK}" if table.phase == BREAK else "hl close"  # `hl close` alone would end the round after it
    return f"the end passed {show_span(now - end)} ago; run {fix}"


def nearer(facts: Iterable[Fact], table: Table) -> Iterator[str]:
    """A line for each end that comes nearer: the host may have meant to move it the other way."""
    for fact in facts:
        if isinstance(fact, DeadlineMoved) and fact.was is not None and fact.ends is not None and fact.ends < fact.was:
            ends, before = show_day(fact.ends, table.zone), show_day(fact.was, table.zone)
            yield f"the end comes nearer: {_span(fact, table)[0]} ends {ends}, and not {before}"


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
            name = called(table.phase) if table.round or table.phase == BREAK else table.phase
            return name, fact.at, fact.ends
        case DeadlineMoved(about=(kind, *_)):
            return f"the {'choice' if kind == 'choose' else kind}", fact.at, fact.ends
    return "", 0, None
