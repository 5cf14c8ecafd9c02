"""What can have happened in Poker Auction, besides the facts of every table and of every sealed round."""

from __future__ import annotations

from typing import Literal

from events.record import NamedTuple
from games.kinds import Player


class ChipsSpent(NamedTuple):
    player: Player
    chips: int
    what: str


class PowerTaken(NamedTuple):
    player: Player
    power: str
    why: str


class ChipsReceived(NamedTuple):
    """`what`: `joker`, or the card that was named with Diamonds."""

    player: Player
    chips: int
    what: str


class PowerUsed(NamedTuple):
    """Diamonds or Clubs, once in a match."""

    player: Player
    power: Literal["diamonds", "clubs"]
    card: str


class CardAwarded(NamedTuple):
    """What became of one card. `to` None: destroyed, or nobody to take it. `giver`: whose winning bid was a gift."""

    round: str
    card: str
    to: Player | None
    why: Literal["won", "gift", "no_valid_bids", "destroyed"]
    because_of_invalid_bids: bool
    giver: Player | None
    bid: int | None
    tied: tuple[int, ...]
    """Amounts that two or more players bid: they do not count."""


class Overspent(NamedTuple):
    """A sheet spent more chips than were held. `won`: a card with it, which makes an Elimination Candidate (PA-6)."""

    player: Player
    round: str
    won: bool
