"""Classes of five-card hands, with the order of the classes as an argument.

What belongs here: which class a hand has and how two hands of one class compare by value. What does not: suits as
tie-breaks, choosing five out of more, and which classes a game knows (the game says, by the order it gives).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from events.record import NamedTuple

Card: TypeAlias = tuple[int, str]
"""(value, suit or colour)."""

WORDS: Mapping[str, str] = {
    "straight_flush": "Straight Flush",
    "four": "Four of a Kind",
    "full": "Full House",
    "flush": "Flush",
    "straight": "Straight",
    "trips": "Three of a Kind",
    "two_pair": "Two Pair",
    "pair": "Pair",
    "high": "High Card",
}
"""The name of each class -> how it is shown."""


class Ranked(NamedTuple):
    """A hand's class and strength. `strength` compares as a tuple: larger is better, equal is equal."""

    name: str
    strength: tuple[int, ...]


def _holds(hand: Sequence[Card]) -> Mapping[str, bool]:
    """Class -> does a hand of five contain it? Its class is the highest."""
    values, suits = zip(*hand, strict=True)
    (_, most), (_, next_most) = [*Counter(values).most_common(2), (0, 0)][:2]
    flush, straight = len({*suits}) == 1, len({*values}) == 5 and max(values) - min(values) == 4
    return {
        "straight_flush": flush and straight,
        "four": most >= 4,
        "full": most >= 3 and next_most >= 2,
        "flush": flush,
        "straight": straight,
        "trips": most >= 3,
        "two_pair": next_most >= 2,
        "pair": most >= 2,
        "high": True,
    }


def contained(hand: Sequence[Card], order: Sequence[str]) -> tuple[str, ...]:
    """Every class that the hand contains, in the given order; `high` only when there is no other.

    >>> contained([(5, "R"), (5, "B"), (5, "R"), (2, "B"), (2, "R")], ["four", "full", "trips", "two_pair", "pair"])
    ('full', 'trips', 'two_pair', 'pair')
    """
    held = _holds(hand)
    return tuple(name for name in order if name != "high" and held[name]) or tuple({"high"} & {*order})


def rank(hand: Sequence[Card], order: Sequence[str]) -> Ranked:
    """The class of five cards and what decides between two of that class.

    Args:
        hand: Five cards; copies of one card are allowed.
        order: The classes of the game, highest first; must end in one that every hand has.

    Returns:
        Flush and high card compare card by card from the top, a straight by its top card, everything else by the
        larger group first and then by value (four: quad, fifth card; two pair: higher, lower, fifth card).

    Source: the usual five-card hands; which classes there are, and in which order, each game says.

    >>> rank([(4, "R"), (4, "B"), (4, "B"), (9, "R"), (9, "B")], ["four", "full", "high"])
    Ranked(name='full', strength=(1, 4, 9))
    """
    held = _holds(hand)
    name = next(filter(held.get, order))
    values = [value for value, _ in hand]
    if name in ("straight", "straight_flush"):
        deciding = [max(values)]
    elif name in ("flush", "high"):
        deciding = sorted(values, reverse=True)
    else:
        times = Counter(values)
        deciding = sorted(times, key=lambda value: (times[value], value), reverse=True)
    return Ranked(name, (len(order) - 1 - order.index(name), *deciding))
