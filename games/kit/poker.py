"""Classes of five-card hands, with the order of the classes as an argument.

What belongs here: which class a hand has and how two hands of one class compare by value. What does not: suits as
tie-breaks, choosing five out of more, and which classes a game knows (the game says, by the order it gives).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
"""The one spelling of each class, and how it is shown."""


class Ranked(NamedTuple):
    """A hand's class and strength. `strength` compares as a tuple: larger is better, equal is equal."""

    name: str
    strength: tuple[int, ...]


def _counts(hand: Sequence[Card]) -> list[int]:
    """Sizes of the groups of equal values, largest first, padded to two."""
    return [*sorted(Counter(value for value, _ in hand).values(), reverse=True), 0, 0]


def _one_suit(hand: Sequence[Card]) -> bool:
    return len({suit for _, suit in hand}) == 1


def _run(hand: Sequence[Card]) -> bool:
    values = sorted({value for value, _ in hand})
    return len(values) == 5 and values[-1] - values[0] == 4


TESTS: Mapping[str, Callable[[Sequence[Card]], bool]] = {
    "straight_flush": lambda hand: _one_suit(hand) and _run(hand),
    "four": lambda hand: _counts(hand)[0] >= 4,
    "full": lambda hand: _counts(hand)[0] >= 3 and _counts(hand)[1] >= 2,
    "flush": _one_suit,
    "straight": _run,
    "trips": lambda hand: _counts(hand)[0] >= 3,
    "two_pair": lambda hand: _counts(hand)[1] >= 2,
    "pair": lambda hand: _counts(hand)[0] >= 2,
    "high": lambda hand: True,
}
"""What a hand of five must hold to contain a class. A hand's class is the highest it contains."""


def contained(hand: Sequence[Card], order: Sequence[str]) -> tuple[str, ...]:
    """Every class that the hand contains, in the given order; `high` only when there is no other.

    >>> contained([(5, "R"), (5, "B"), (5, "R"), (2, "B"), (2, "R")], ["four", "full", "trips", "two_pair", "pair"])
    ('full', 'trips', 'two_pair', 'pair')
    """
    classes = tuple(name for name in order if name != "high" and TESTS[name](hand))
    return classes or tuple(name for name in order if name == "high")


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
    name = next(name for name in order if TESTS[name](hand))
    values = [value for value, _ in hand]
    if name in ("straight", "straight_flush"):
        deciding = [max(values)]
    elif name in ("flush", "high"):
        deciding = sorted(values, reverse=True)
    else:
        times = Counter(values)
        deciding = sorted(times, key=lambda value: (times[value], value), reverse=True)
    return Ranked(name, (len(order) - 1 - order.index(name), *deciding))
