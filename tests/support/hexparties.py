"""A Hex Parties match in memory, for short words in tests: `play.move("p1", "odd D5")`. The fixture is `hexes`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.hex_parties import actions as a
from games.hex_parties.board import read_cell, read_orders
from games.table import actions as shared
from tests.support.play import Play

PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
HX1 = {
    "p1": "odd D5 even D4",
    "p2": "odd B3 even D5",
    "p3": "odd E9 even H3",
    "p4": "odd F4 even H3",
    "p5": "odd I1 even H1",
    "p6": "odd A1 even A1",
}
"""Scenario HX1: what each player orders in round 1, from the template start."""
HX2 = {
    "p1": ("E5", "A2"),
    "p2": ("B2", "E6"),
    "p3": ("D5", "I2"),
    "p4": ("I3", "A1"),
    "p5": ("F1", "B1"),
    "p6": ("H6", "E9"),
}
"""Scenario HX2: where the pieces stand, odd first."""


class Hexes(Play):
    """A match of six players p1 to p6 with round 1 open."""

    GAME, PLAYERS, GARNETS = "hex_parties", PLAYERS, dict.fromkeys(PLAYERS, 1)

    @classmethod
    def at(cls, points: Sequence[int] = (), start: Mapping[str, Sequence[str]] = HX2, **given: Any) -> Hexes:
        """A match taken over: the pieces stand there, and the players have so many points."""
        settings = {**given.pop("settings", {}), "start": {p: list(cells) for p, cells in start.items()}}
        play = cls(settings=settings, players=tuple(start), **given)
        for player, n in zip(start, points, strict=False):
            play.do(shared.Override(player, "points", str(n)))
        return play

    def sides(self, player: str, cell: str) -> list[Any]:
        return list(self.do(a.Sides(player, read_cell(cell))))

    @staticmethod
    def sheet(player: str, orders: str = "", bonus: str | None = None) -> Any:
        return a.Move(player, read_orders(orders), bonus)

    def move(self, player: str, orders: str = "", bonus: str | None = None) -> list[Any]:
        return list(self.do(self.sheet(player, orders, bonus)))

    def moves(self, orders: Mapping[str, str]) -> None:
        for player, text in orders.items():
            self.move(player, text)

    def cells(self) -> dict[str, str]:
        """Where every piece stands: `{"p1o": "A2", "p1e": "A4"}`."""
        return {player + which[0]: cell for (player, which), cell in self.state.cells.items()}


TRIO = {
    "p1": ("E5", "A1"),
    "p2": ("D5", "A3"),
    "p3": ("E6", "A5"),
    "p4": ("I1", "I3"),
    "p5": ("I5", "G1"),
    "p6": ("G7", "C1"),
}
"""E5 D5 E6 is the only party: the odd pieces of p1, p2, p3 score; p1 stands on the centre, the others on ring 1."""
