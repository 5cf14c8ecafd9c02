"""What can have happened in Equilibrium, besides the facts of every table and of a deal."""

from __future__ import annotations

from typing import Literal

from events.instants import Instant
from events.record import NamedTuple
from games.equilibrium.cards import Hand
from games.kinds import Player


class Offered(NamedTuple):
    a: Player
    give: str
    b: Player
    take: str


class OfferClosed(NamedTuple):
    """`a` had offered, `b` could have accepted."""

    a: Player
    b: Player
    why: Literal["replaced", "withdrawn", "declined"]


class Traded(NamedTuple):
    a: Player
    give: str
    b: Player
    take: str
    seq: int


class Recoloured(NamedTuple):
    player: Player
    card: str
    into: str


class ClassTicked(NamedTuple):
    """A class of `garnet_hands` was made for the first time; it never counts again for that player."""

    player: Player
    hand_class: str
    cards: Hand
    by: Literal["deal", "trade", "recolour"]
    garnet: Literal["received", "at_cap", "at_limit"]


class HandsTold(NamedTuple):
    """Play opens, and each player is told the hand that was dealt before."""

    players: tuple[Player, ...]


class EarnedTold(NamedTuple):
    """With it a player is told what the hand earned: `ClassTicked` has happened before."""

    player: Player
    hand_class: str
    garnet: Literal["received", "at_cap", "at_limit"]


class Locked(NamedTuple):
    player: Player
    at: Instant


class Unlocked(NamedTuple):
    player: Player
    why: str


class HandSet(NamedTuple):
    """A host set the hand, whatever the rules say."""

    player: Player
    cards: Hand
