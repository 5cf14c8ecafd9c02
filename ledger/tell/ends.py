"""What hosts are told of ends: which one moved from when to when, and that the clocks change before one.

In the zone of the match, whose changes of the clocks no game knows. Texts for players hold the instant alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.contract import Fact
from games.kit.sealed import BREAK, RoundOpened, called
from games.table import Table
from games.table.facts import DeadlineMoved, DecisionOpened, PhaseBegan
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
    """That an end has passed which no entry has told yet, and the line that tells it."""
    fix = f"hl close {BREAK}" if table.phase == BREAK else "hl close"  # `hl close` alone would end the round after it
    return f"the end passed {show_span(now - end)} ago; run {fix}"


def nearer(facts: Iterable[Fact], table: Table) -> Iterator[str]:
    """A line for each end that comes nearer: there a host may have meant the other direction."""
    for fact in facts:
        if isinstance(fact, DeadlineMoved) and fact.was is not None and fact.ends is not None and fact.ends < fact.was:
            name, now, was = _span(fact, table)[0], show_day(fact.ends, table.zone), show_day(fact.was, table.zone)
            yield f"the end comes nearer: {name} ends {now}, and not {was}"


def _span(fact: Fact, table: Table) -> tuple[str, int, int | None]:
    """What a fact gives an end to, since when that lasts, and the end (ms); no end for any other fact."""
    match fact:
        case RoundOpened():
            return called(fact.round), fact.at, fact.ends
        case PhaseBegan():
            return called(BREAK) if fact.phase == BREAK else fact.phase, fact.at, fact.ends
        case DecisionOpened():
            return f"the {fact.decision.noun}", fact.decision.opened, fact.decision.ends
        case DeadlineMoved(about=None):
            named = called(table.phase) if table.round or table.phase == BREAK else table.phase
            return named, fact.at, fact.ends
        case DeadlineMoved(about=(kind, *_)):
            return f"the {'choice' if kind == 'choose' else kind}", fact.at, fact.ends
    return "", 0, None
