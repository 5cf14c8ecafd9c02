"""What can have happened in MarsMatch, besides the facts of every table. Derived at replay, never stored."""

from __future__ import annotations

from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.marsmatch.combos import Reading

Title: TypeAlias = Literal[
    "heavenly_hand", "non_banker_heavenly", "heaven_snatch", "ground_hand", "ground_snatch", "human_hand", "total_loser"
]


class BankerDrawn(NamedTuple):
    """`seats` is clockwise."""

    banker: str
    seats: tuple[str, ...]


class HandDealt(NamedTuple):
    player: str
    cards: tuple[str, ...]


class CardsDealt(NamedTuple):
    """Every hand of the round is dealt."""


class HeavenlyWon(NamedTuple):
    """A Starlink or UFO wins; its holder leaves the round."""

    player: str
    hand: Literal["starlink", "ufo"]
    title: Title
    points: int


class TurnBegan(NamedTuple):
    """`leads`: he leads a trick, and may not pass."""

    player: str
    leads: bool
    at: int
    ends: int | None


class Played(NamedTuple):
    """`why`: why it may be played. `automatic`: his time was over."""

    player: str
    cards: tuple[str, ...]
    reading: Reading
    why: str
    automatic: bool


class Passed(NamedTuple):
    player: str
    automatic: bool


class TrickWon(NamedTuple):
    """Everybody else has passed since the last play."""

    player: str


class LeadNamed(NamedTuple):
    """Who leads after an unbeaten last play is settled."""

    player: str
    why: str


class RunReached(NamedTuple):
    """The third play of a player in a row, where a host is to say whether it wins (MM-9)."""

    player: str
    about: str


class WentOut(NamedTuple):
    """A player leaves the Real Match with a title."""

    player: str
    title: Title
    points: int
    why: str


class RoundEnded(NamedTuple):
    """Those who still hold cards are Total Losers."""

    round: int
    losers: tuple[str, ...]


class RoundReopened(NamedTuple):
    """Nobody is a Total Loser yet."""

    round: int


class RoundBegan(NamedTuple):
    """Cards, titles and seats of the round before are put away; the points stay."""

    round: int


class FieldSet(NamedTuple):
    """A host set a hand, points or a title, whatever the rules say."""

    player: str
    field: Literal["hand", "points", "title"]
    value: str


OWN = (
    BankerDrawn, HandDealt, CardsDealt, HeavenlyWon, TurnBegan, Played, Passed, TrickWon, LeadNamed, RunReached,
    WentOut, RoundEnded, RoundReopened, RoundBegan, FieldSet,
)  # fmt: skip
