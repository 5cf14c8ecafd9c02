"""Deals of Equilibrium, matches that are closed on them, and what is asked of those."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from games.equilibrium import actions as a
from games.table import actions as shared

MINUTE, HOUR = 60_000, 3_600_000


DEAL = {
    "p1": "R4 B4 R9 B9 R2",
    "p2": "R6 R7 R8 R10 B4",
    "p3": "B5 B6 B7 B8 R9",
    "p4": "R3 B3 R10 B10 R5",
    "p5": "R3 B2 B6 B10 R8",
    "p6": "B1 B3 B5 B7 B9",
    "p7": "R1 R2 R4 R6 B8",
    "p8": "R1 R5 R7 B1 B2",
}
"""A whole deal: p1 two pair, p2 high card, p3 a straight, p4 two pair, p5 high card, p6 a flush, p7 and p8 little."""


GARNETS = {"p1": 1, "p2": 0, "p3": 3, "p4": 3, "p5": 1, "p6": 1, "p7": 1, "p8": 1}
"""What they have before it."""
NAMES = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
HANDS = dict(zip(NAMES, DEAL.values(), strict=True))
"""The same deal among players with names: for matches at the command line."""


ENDS = {
    "p1": "R1 R1 B1 B1 R10",
    "p2": "R7 B7 B7 R8 B8",
    "p3": "R9 R6 R5 R4 R3",
    "p4": "B9 B6 B5 B4 B3",
    "p5": "R10 B10 R9 B9 B8",
    "p6": "R2 B3 R4 B5 B6",
    "p7": "R2 B2 B2 R3 B4",
    "p8": "R5 R6 R7 R8 B10",
}
"""A whole deal taken as final hands: p3 and p4 are equal in everything and worst; p5, p1, p2 win the three tokens."""


class Fixed:
    """Luck of entry 10 without chance."""

    seq = 10
    published = None

    def seed(self) -> bytes:
        return bytes(range(32))


def hand_set(player: str, text: str) -> shared.Override:
    return shared.Override(player, "hand", text)


def ended(match: Any, changed: dict[str, str] | None = None, **given: Any) -> Any:
    """A match closed on the hands of `ENDS`, some of them set to others by a host; no garnet was earned."""
    given["settings"] = {"garnet_hands": [], **given.get("settings", {})}
    play = match(hands=ENDS, **given)
    for player, text in (changed or {}).items():
        play.do(hand_set(player, text))
    play.now += HOUR
    play.do(shared.Close())
    return play


def trade_all(play: Any, pairs: Any) -> None:
    """Every pair trades whatever its players hold first."""
    for one, two in pairs:
        play.now += MINUTE
        play.do(a.Trade(one, play.state.hands[one][0], two, play.state.hands[two][0]))


PAIRS = list(combinations([f"p{n}" for n in range(1, 9)], 2))


BEST_TWICE = {"p1": "R9 R9 B9 B9 R10", "p4": "B8 B7 B6 B5 B1"}
"""p1 is best in ER (1 and 46, before p5 by its poker hand) and in poker; p4 is EC."""
