"""Hands, trades, offers and locks of a match, as the facts so far leave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from events.instants import Instant, later
from events.record import NamedTuple
from games.equilibrium.cards import Hand
from games.equilibrium.settings import Settings
from games.table import Table

MINUTE = 60_000
Pair: TypeAlias = tuple[str, str]
"""Two players, sorted: trades have no direction."""


class Pledge(NamedTuple):
    """What an open offer would swap."""

    give: str
    take: str


class State(NamedTuple):
    table: Table
    settings: Settings
    hands: Mapping[str, Hand] = {}
    dealt: Mapping[str, Hand] | None = None
    """The hands as dealt, once the deal is whole."""
    ticked: Mapping[str, Mapping[str, Literal["received", "at_cap", "at_limit"]]] = {}
    """Player -> class -> what became of its garnet, in the order they were made."""
    traded: Mapping[Pair, int] = {}
    """Pairs that have traded -> the entry."""
    offers: Mapping[Pair, Pledge] = {}
    """(proposer, partner) -> the one open offer in that direction."""
    recolours: Mapping[str, int] = {}
    locked: Mapping[str, Instant] = {}
    """Locked players -> since when."""
    reopened: bool = False
    """A host reopened trading: it no longer ends by itself when every pair has traded."""

    @property
    def playing(self) -> bool:
        return self.table.phase == "trading" and "trading" not in self.table.past

    @property
    def hands_known(self) -> bool:
        """May players know what they were dealt? Source: section 9, EQ-24."""
        return self.settings.hands_told == "at_deal" or self.table.phase != "pregame" or not self.hands

    @property
    def over(self) -> bool:
        return "trading" in self.table.past

    def partners(self, player: str) -> tuple[str, ...]:
        """Those the player has traded with, in seat order."""
        return tuple(p for p in self.table.players if pair(player, p) in self.traded)

    def received(self, player: str) -> int:
        """Garnets received for hands in this match."""
        return sum(garnet == "received" for garnet in self.ticked.get(player, {}).values())

    def early_end(self) -> Instant | None:
        """When trading ends because all are locked who have not left. Source: EQ-17, S-G3.

        None while somebody is not, or nobody is here.
        """
        locked, table = self.locked, self.table
        at_most = len(locked) + len(table.left) + len(table.outside)
        if at_most < len(table.seats) or not all(p in locked for p in table.present):
            return None
        since = [locked[p] for p in table.present]
        gone = [left.at for p, left in table.left.items() if p not in locked]
        last = max(since + gone, default=Instant(0))
        return later(last, self.settings.lock_grace_minutes * MINUTE) if since else None

    def may_trade_with(self, player: str) -> tuple[str, ...]:
        """Those with whom the player has not traded and can still, in seat order: nobody who has left."""
        present = self.table.present
        return tuple(p for p in present if player in present and p != player and pair(player, p) not in self.traded)

    def trades_left(self) -> int:
        """How many pairs can still trade."""
        table, done = self.table, len(self.traded)
        players = len(table.seats) - len(table.outside)
        if left := table.left:
            players, done = len(table.present), sum(a not in left and b not in left for a, b in self.traded)
        return players * (players - 1) // 2 - done


def pair(a: str, b: str) -> Pair:
    """The two in one order.

    >>> pair("bob", "ann")
    ('ann', 'bob')
    """
    return (a, b) if a < b else (b, a)
