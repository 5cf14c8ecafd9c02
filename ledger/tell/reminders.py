"""Reminders: texts for players who owe something, which the clock causes and no entry."""

from __future__ import annotations

from events.audiences import PUBLIC_VIEWER
from games.contract import Due
from games.kit.blocks import Notice, Span, When, text
from ledger.core.match import Match
from ledger.tell.texts import Item, channel_of, letter


def reminders(match: Match, now: int) -> list[Item]:
    """A text for each player who owes something, may know it, and has used three quarters of the time for it."""
    return [
        reminder(match, due)
        for due in remindable(match)
        if due.until is not None and due.since + (due.until - due.since) * 3 // 4 <= now < due.until
    ]


def remindable(match: Match) -> list[Due]:
    """What players owe, where they may know that they owe it."""
    return [due for due in match.game.waiting(match.fold.state) if due.told]


def reminder(match: Match, due: Due) -> Item:
    """The reminder of what a player owes, named by the entry since which they owe it, and an `r`."""
    table = match.table
    seq = max((o.live.seq for o in match.fold.outcomes if due.since in o.times), default=1)
    place = (PUBLIC_VIEWER, *table.seats).index(due.who)
    ends: tuple[Span, ...] = () if due.until is None else (" It is due ", When(due.until), ".")
    said = text(f"A reminder: your {due.what} is still missing.", *ends)
    return Item(f"{seq}{letter(place)}r", seq, due.since, due.who, channel_of(table, due.who), Notice(below=(said,)))
