"""What can have happened in Hex Parties, besides the facts of every table and of every sealed round."""

from __future__ import annotations

from typing import Literal

from events.record import NamedTuple
from games.kinds import Player

Which = Literal["odd", "even"]


class OrderFaulty(NamedTuple):
    """Told when orders come in: as things stand this piece, or this bonus, comes to nothing. Decides nothing."""

    player: Player
    round: str
    item: Literal["odd", "even", "bonus"]
    to: str
    """The cell, or the word of the bonus."""
    why: str
    rule: str


class ParityChosen(NamedTuple):
    """Which piece is the odd one, for the whole match."""

    player: Player
    cell: str
    by: Literal["player", "first_listed", "lot"]


class OrderIllegal(NamedTuple):
    """A piece stays, for the rules do not let it go there."""

    player: Player
    piece: Which
    to: str
    why: str


class BonusIgnored(NamedTuple):
    """A bonus that was named counts for nothing: nothing is paid, it is not used up."""

    player: Player
    bonus: str
    why: str


class BonusUsed(NamedTuple):
    """A bonus is used up; its cost follows as garnets that move."""

    player: Player
    bonus: str
    pieces: tuple[str, ...]


class BonusReturned(NamedTuple):
    """All moves of a bonus bounced, and `refund_bounced_bonus` gives it back."""

    player: Player
    bonus: str


class PieceBounced(NamedTuple):
    """A piece stays, for others wanted its target: `against` has them as `player piece`."""

    player: Player
    piece: Which
    to: str
    against: tuple[str, ...]


class PieceMoved(NamedTuple):
    player: Player
    piece: Which
    start: str
    to: str


class PartyFormed(NamedTuple):
    """Two or more pieces that hang together, by their cells in reading order."""

    cells: tuple[str, ...]
    scores: Literal["odd", "even", "none"]


class PointsScored(NamedTuple):
    """`pieces` are those that scored, each with its cell and the size of its party: `odd A2 3`."""

    player: Player
    points: int
    pieces: tuple[str, ...]


class VictoryReached(NamedTuple):
    """A piece scored on a victory space of its owner. `points`: those they had before the round."""

    player: Player
    piece: Which
    cell: str
    points: int


class PlayEnded(NamedTuple):
    """No further round: somebody won, or it was the last. `garnets`: what each player holds, before rewards."""

    winners: tuple[Player, ...]
    why: str
    garnets: tuple[tuple[str, int], ...]
