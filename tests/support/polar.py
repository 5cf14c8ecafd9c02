"""Polar RPS Party in memory, for short words in tests: `play.submit("a", ticket="rock")`. The fixture is `polar`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.polar import actions as a
from games.table import actions as shared
from tests.support.play import Play

PLAYERS = ("a", "b", "c", "d", "e", "f", "g")
PL1 = {
    "a": "rock +",
    "b": "rock +",
    "c": "rock -",
    "d": "paper -",
    "e": "paper -",
    "f": "scissors +",
    "g": "scissors -",
}
"""The rooms and signs of the worked example and of scenario PL1."""


class Polar(Play):
    """A match of players a to g, its pregame open."""

    GAME, PLAYERS = "polar", PLAYERS

    @classmethod
    def placed(cls, where: Mapping[str, str] = PL1, bombs: Mapping[str, str] | None = None, **given: Any) -> Polar:
        """Round 1, everybody where he wanted to be, with the bombs he chose: none if not named."""
        play = cls(players=tuple(where), **given)
        for player, place in where.items():
            play.start(player, *place.split(), *(bombs or {}).get(player, "").split())
        play.resolve()
        return play

    @classmethod
    def ended(cls, points: Mapping[str, int], *, settings: Mapping[str, Any] | None = None, **given: Any) -> Polar:
        """A match of one round that is over, in which a host then gave these points, the lowest first."""
        play = cls.placed(dict.fromkeys(points, "rock +"), settings={"rounds": 1, **(settings or {})}, **given)
        play.resolve()
        for player, n in sorted(points.items(), key=lambda item: item[1]):
            play.do(shared.Override(player, "points", str(n)))
        return play

    def start(self, player: str, room: str = "blank", sign: str = "blank", *bombs: str, **given: Any) -> list[Any]:
        return list(self.do(a.Start(player, room, sign, bombs, **given)))

    def submit(
        self, player: str, *, ticket: str = "", swap: int = 0, bomb: str = "", buy: str = "", **given: Any
    ) -> list[Any]:
        """A whole sheet: `ticket` and `buy` are words, `bomb` is `double rock` or several with commas between them."""
        return list(self.do(self.sheet(player, ticket=ticket, swap=swap, bomb=bomb, buy=buy, **given)))

    @staticmethod
    def sheet(
        player: str, *, ticket: str = "", swap: int = 0, bomb: str = "", buy: str = "", as_sent: bool = False
    ) -> a.Submit:
        bombs = tuple(part.strip() for part in bomb.split(",")) if bomb else ()
        return a.Submit(player, tuple(ticket.split()), swap, bombs, tuple(buy.split()), as_sent)

    def void(self, player: str) -> list[str]:
        """What counted for nothing of his last sheet."""
        return list(self.view(player)["players"][player]["invalid"])


DUEL = {"a": "rock +", "b": "paper -"}
"""Two players: Paper beats Rock."""


FIRST = {"a": 20, "b": 10, "c": 5, "d": 1, "e": 1}
"""One first, who has a token to give; one second; d and e are equal at the end: a and b vote."""
