"""What can have happened in Poker Auction, besides the facts of every table and of every sealed round."""

from __future__ import annotations

from typing import Literal

from events.record import NamedTuple


class ChipsSpent(NamedTuple):
    player: str
    chips: int
    what: str


class PowerTaken(NamedTuple):
    player: str
    power: str
    why: str


class ChipsReceived(NamedTuple):
    """`what`: `joker`, or the card that was named with Diamonds."""

    player: str
    chips: int
    what: str


class PowerUsed(NamedTuple):
    """Diamonds or Clubs, once in a match."""

    player: str
    power: Literal["diamonds", "clubs"]
    card: str


class CardAwarded(NamedTuple):
    """What became of one card. `to` None: destroyed, or nobody to take it. `giver`: whose winning bid was a gift."""

    round: str
    card: str
    to: str | None
    why: Literal["won", "gift", "no_valid_bids", "destroyed"]
    because_of_invalid_bids: bool
    giver: str | None
    bid: int | None
    tied: tuple[int, ...]
    """Amounts that two or more players bid: they do not count."""


class Overspent(NamedTuple):
    """A sheet spent more chips than were held. `won`: a card with it, which makes an Elimination Candidate (PA-6)."""

    player: str
    round: str
    won: bool


class FieldSet(NamedTuple):
    """A host set chips, cards or a power, whatever the rules say."""

    player: str
    field: Literal["chips", "cards", "power"]
    value: str


OWN = (
    ChipsSpent, PowerTaken, ChipsReceived, PowerUsed, CardAwarded, Overspent, FieldSet,
)  # fmt: skip
