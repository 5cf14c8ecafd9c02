"""What each player has, and what became of each round."""

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


class Held(NamedTuple):
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
    """Player -> the items of the sheet that counted for nothing, with the reason. Secret."""


class State(NamedTuple):
    table: Table
    settings: Settings
    players: Mapping[str, Held] = {}
    history: tuple[Played, ...] = ()
    now: Played = Played(0)
    """The round that is being resolved, while its facts are told."""

    @property
    def over(self) -> bool:
        """Is the last round resolved?"""
        return f"round_{self.settings.rounds}" in self.table.resolved
