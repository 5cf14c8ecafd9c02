"""What can have happened in MarsMatch, besides the facts of every table. Derived at replay, never stored."""

from __future__ import annotations

from typing import Literal, TypeAlias

from events.instants import Instant
from events.record import NamedTuple
from games.kinds import Player
from games.marsmatch.combos import Reading

Title: TypeAlias = Literal[
    "heavenly_hand", "non_banker_heavenly", "heaven_snatch", "ground_hand", "ground_snatch", "human_hand", "total_loser"
]


class BankerDrawn(NamedTuple):
    """`seats` is clockwise."""

    banker: Player
    seats: tuple[Player, ...]


class HeavenlyWon(NamedTuple):
    """A Starlink or UFO wins; its holder leaves the round."""

    player: Player
    hand: Literal["starlink", "ufo"]
    title: Title
    points: int


class TurnBegan(NamedTuple):
    """`leads`: they lead a trick, and may not pass."""

    player: Player
    leads: bool
    at: Instant
    ends: Instant | None


class Played(NamedTuple):
    """`why`: why it may be played. `automatic`: their time was over."""

    player: Player
    cards: tuple[str, ...]
    reading: Reading
    why: str
    automatic: bool


class Passed(NamedTuple):
    player: Player
    automatic: bool


class TrickWon(NamedTuple):
    """Everybody else has passed since the last play."""

    player: Player


class LeadNamed(NamedTuple):
    """Who leads after an unbeaten last play is settled."""

    player: Player
    why: str


class RunReached(NamedTuple):
    """The third play of a player in a row, where a host is to say whether it wins (MM-9)."""

    player: Player
    about: str


class WentOut(NamedTuple):
    """A player leaves the Real Match with a title."""

    player: Player
    title: Title
    points: int
    why: str


class RoundEnded(NamedTuple):
    """Those who still hold cards are Total Losers."""

    round: int
    losers: tuple[Player, ...]


class RoundReopened(NamedTuple):
    """Nobody is a Total Loser yet."""

    round: int


class RoundBegan(NamedTuple):
    """Cards, titles and seats of the round before are put away; the points stay."""

    round: int
