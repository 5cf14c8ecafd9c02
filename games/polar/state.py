"""The frozen State. It decides nothing."""

from __future__ import annotations

from collections.abc import Mapping

from events.record import NamedTuple
from games.polar.facts import ItemVoid
from games.polar.settings import Settings
from games.table import Table

PREGAME = "pregame"
TICKETS = 4
SWAPS = 2
FIRST_BOMBS = 2
"""What everybody begins with. Source: section 1."""


class Player(NamedTuple):
    """What one player has. `room` and `sign` are "" before the pregame is resolved."""

    room: str = ""
    sign: str = ""
    points: int = 0
    tickets: int = TICKETS
    swaps: int = SWAPS
    bombs: Mapping[str, int] = {}
    bought: Mapping[str, int] = {}
    """Kind of purchase (`ticket swap bomb`) -> how many so far."""


class Played(NamedTuple):
    """A round that is resolved; number 0 is the pregame, which is not scored."""

    number: int
    rooms: Mapping[str, str] = {}
    """Player -> room, after the moves."""
    signs: Mapping[str, str] = {}
    bombs: Mapping[str, Mapping[str, int]] = {}
    """Room -> bomb -> how many; rooms without one are not named."""
    users: Mapping[str, tuple[str, str]] = {}
    """Player -> (bomb, room). Secret."""
    scores: Mapping[str, int] = {}
    totals: Mapping[str, int] = {}
    void: Mapping[str, tuple[ItemVoid, ...]] = {}
    """Player -> the items of his sheet that counted for nothing, with the reason. Secret."""


class State(NamedTuple):
    table: Table
    settings: Settings
    players: Mapping[str, Player] = {}
    history: tuple[Played, ...] = ()
    now: Played = Played(0)
    """The round that is being resolved, while its facts are told."""

    @property
    def over(self) -> bool:
        """Is the last round resolved?"""
        return round_name(self.settings.rounds) in self.table.resolved

    @property
    def number(self) -> int:
        """The round that is on, or the last one; 0 in the pregame."""
        return number_of(self.table.round.name if self.table.round else (self.table.resolved or (PREGAME,))[-1])


def round_name(number: int) -> str:
    """The name of a round in the log: `pregame`, `round_1`, ..."""
    return f"round_{number}" if number else PREGAME


def number_of(name: str) -> int:
    """The number of a round by its name; 0 for the pregame.

    >>> number_of("round_3"), number_of("pregame")
    (3, 0)
    """
    return int(name.removeprefix("round_")) if name.startswith("round_") else 0
