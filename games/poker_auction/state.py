"""Chips, powers and cards of a match, as the facts so far leave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.record import NamedTuple
from games.poker_auction.facts import CardAwarded
from games.poker_auction.settings import Settings
from games.table import Table

ORDER = ("power", "clubs", "diamonds", "hearts", "spades")
"""The rounds of submissions. Source: section 1."""
CHIPS = 104
JOKER = 26


class State(NamedTuple):
    table: Table
    settings: Settings
    chips: Mapping[str, int] = {}
    powers: Mapping[str, str] = {}
    """Player -> power."""
    cards: Mapping[str, tuple[str, ...]] = {}
    used: frozenset[str] = frozenset()
    """Of diamonds and clubs: those that are used up."""
    results: Mapping[str, tuple[CardAwarded, ...]] = {}
    """Auction round -> what became of each card."""
    overspent: frozenset[str] = frozenset()
    """Those who won a card with a sheet over budget."""
    overdrawn: frozenset[str] = frozenset()
    """Those who sent a sheet over budget: their chips may be below zero."""
    income: Mapping[str, int] = {}
    """What Diamonds collected, for the player who used it."""
    counted: Mapping[str, Mapping[str, Any]] = {}
    """Resolved round -> player -> the sheet that counted."""

    @property
    def over(self) -> bool:
        return "spades" in self.table.past

    def owner(self, power: str) -> str | None:
        return next((p for p, held in self.powers.items() if held == power), None)
