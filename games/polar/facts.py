"""What can have happened in Polar RPS Party, besides the facts of every table and of every sealed round."""

from __future__ import annotations

from events.record import NamedTuple
from games.kinds import Player


class Placed(NamedTuple):
    """Where and how a player begins. `drawn`: which of `room` and `sign` a lot decided."""

    player: Player
    room: str
    sign: str
    bombs: tuple[str, ...]
    drawn: tuple[str, ...]


class ItemVoid(NamedTuple):
    """An item of a sheet counts for nothing, and nothing is consumed. `resolved` false: as things stand now."""

    player: Player
    round: str
    item: str
    why: str
    rule: str
    resolved: bool


class Bought(NamedTuple):
    """One item for `price` garnets, which a transfer to the bank pays."""

    player: Player
    item: str
    price: int


class TicketUsed(NamedTuple):
    player: Player
    src: str
    to: str


class SwapUsed(NamedTuple):
    """`sign`: the new one."""

    player: Player
    sign: str


class BombUsed(NamedTuple):
    player: Player
    bomb: str
    room: str


class Scored(NamedTuple):
    """Why a player gets the points of a round. Everything after the moves and swaps."""

    player: Player
    round: int
    room: str
    sign: str
    beats: int
    """Players in the room that the player's beats: +1 each."""
    beaten: int
    """Players in the room that beats the player's: -1 each."""
    minority: bool
    """The player's sign is the rarer one: +1."""
    doubled: bool
    confetti: int
    """Confetti Bombs that count: +1 each."""
    polarity: int
    """Polarity Bombs that count, for the rarer sign: +2 each."""
    base: int
    points: int
    tickets: int
    """Tickets from Ticket Bombs."""


PRICE = "section 4, PL-6"
"""The rule by which a purchase is paid, as the transfer to the bank names it."""
