"""What can have happened in Equilibrium, besides the facts of every table."""

from __future__ import annotations

from typing import Literal

from events.record import NamedTuple
from games.equilibrium.cards import Hand


class HandDealt(NamedTuple):
    player: str
    cards: Hand


class CardsDealt(NamedTuple):
    """Every player has a hand and together they are the deck."""


class Offered(NamedTuple):
    a: str
    give: str
    b: str
    take: str


class OfferClosed(NamedTuple):
    """`a` had offered, `b` could have accepted."""

    a: str
    b: str
    why: Literal["replaced", "withdrawn", "declined"]


class Traded(NamedTuple):
    a: str
    give: str
    b: str
    take: str
    seq: int


class Recoloured(NamedTuple):
    player: str
    card: str
    into: str


class ClassTicked(NamedTuple):
    """A class of `garnet_hands` was made for the first time; it never counts again for that player."""

    player: str
    hand_class: str
    cards: Hand
    by: Literal["deal", "trade", "recolour"]
    garnet: Literal["received", "at_cap", "at_limit"]


class Locked(NamedTuple):
    player: str
    at: int


class Unlocked(NamedTuple):
    player: str
    why: str


class HandSet(NamedTuple):
    """A host set the hand, whatever the rules say."""

    player: str
    cards: Hand


OWN = (HandDealt, CardsDealt, Offered, OfferClosed, Traded, Recoloured, ClassTicked, Locked, Unlocked, HandSet)
