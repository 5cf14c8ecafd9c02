"""The Initial Phase: who holds a heavenly hand, and who wins with it. Source: section 2, 2; MM-1 to MM-5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from games.marsmatch.cards import BIG, LITTLE, THREE, Hand
from games.marsmatch.facts import HeavenlyWon, Title
from games.marsmatch.titles import TITLES

Heavenly: TypeAlias = Literal["starlink", "ufo"]


def heavenly(hand: Hand) -> Heavenly | None:
    """The better of the two that a hand is: exactly six 3s, or exactly two Jokers of each kind. Source: MM-2.

    >>> heavenly((6,) + (0,) * 12 + (2, 2)), heavenly((7,) + (0,) * 12 + (1, 3))
    ('starlink', None)
    """
    if hand[THREE] == 6:
        return "starlink"
    return "ufo" if hand[LITTLE] == hand[BIG] == 2 else None


def winners(hands: Mapping[str, Hand], seats: Sequence[str], banker: str, snatch: str) -> Iterator[HeavenlyWon]:
    """Who of those with hands wins in the Initial Phase, clockwise from the Banker."""
    at = seats.index(banker)
    order = (p for p in (*seats[at:], *seats[:at]) if p in hands)
    holders = {p: held for p in order if (held := heavenly(hands[p])) is not None}
    best = "starlink" if "starlink" in holders.values() else "ufo"
    for player, held in holders.items():
        title: Title
        if banker in holders:
            title = "heavenly_hand" if player == banker else "non_banker_heavenly"
        elif snatch == "best_class" and held != best:
            continue
        else:
            title = "heaven_snatch"
        starlink, ufo = TITLES[title].points
        yield HeavenlyWon(player, held, title, starlink if held == "starlink" else ufo)
