"""What can have happened in a match of a file. Past tense; derived at replay; never stored."""

from __future__ import annotations

from events.record import NamedTuple
from games.kinds import Player


class ByVerb(str):
    """In place of a reason: that a verb of the file did it, which the file's own words tell."""


class Done(NamedTuple):
    """A verb of the file was recorded; what it did follows."""

    verb: str
    words: tuple[str, ...]


class Counted(NamedTuple):
    """A counter of a player has another value."""

    player: Player
    counter: str
    value: int
    was: int
    why: str
    told: bool
    """Does a sentence of its own say so? Otherwise the verb says what it says."""


class TableCounted(NamedTuple):
    """A counter of the table has another value."""

    counter: str
    value: int
    was: int
    why: str
    told: bool


class CardMoved(NamedTuple):
    """A card went from one player or place to another."""

    item: str
    card: str
    src: str
    to: str
    why: str
    told: bool


class CardsDrawn(NamedTuple):
    """The draw of a kind of card came out so."""

    item: str
    drawn: tuple[str, ...]
    to: tuple[str, ...] = ()
    """Those to whom a deal gives cards, in seat order."""


class CardsGot(NamedTuple):
    """What a player holds after a draw."""

    player: Player
    item: str
    cards: tuple[str, ...]


class Told(NamedTuple):
    """What a verb says to one player."""

    player: Player
    text: str


class Announced(NamedTuple):
    """What a verb says to everybody."""

    text: str


class SheetOpened(NamedTuple):
    """What was on the sheet of a player when its round was resolved."""

    player: Player
    round: str
    words: tuple[str, ...]


class LaidOpen(NamedTuple):
    """A round begins, and so many cards of the deck are laid open on the table."""

    item: str
    cards: tuple[str, ...]
    round: str
