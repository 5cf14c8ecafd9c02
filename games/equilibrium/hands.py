"""What a hand is worth: its class, its equilibrium, and how two of them compare. Source: sections 5 and 6."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.equilibrium.cards import Hand, face
from games.kit.poker import Ranked, contained, rank

CLASSES = ("four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")
"""High to low. There is no straight flush: five consecutive cards of one colour are a flush. Source: section 5."""

Metric: TypeAlias = Literal["count", "value"]
Paying: TypeAlias = Literal["class", "contains"]


class Worth(NamedTuple):
    """Everything the end of the match asks of one hand. `er` and `poker` compare as tuples: smaller is better."""

    ranked: Ranked
    difference: int
    total: int

    @property
    def er(self) -> tuple[int, int]:
        """Difference, then the larger total. Source: section 6."""
        return (self.difference, -self.total)

    @property
    def poker(self) -> tuple[int, ...]:
        return tuple(-part for part in self.ranked.strength)


@functools.lru_cache(maxsize=4096)
def classify(hand: Hand) -> Ranked:
    """The one class of a hand, the highest that fits, and its strength. Source: section 5, EQ-18, EQ-19.

    >>> classify(("B4", "R4", "B9", "R9", "R9")).name
    'full'
    """
    return rank([face(card) for card in hand], CLASSES)


@functools.lru_cache(maxsize=4096)
def paying(hand: Hand, mode: Paying) -> tuple[str, ...]:
    """The classes that a hand may be paid for, high to low. Source: EQ-12."""
    if mode == "class":
        return (classify(hand).name,)
    return contained([face(card) for card in hand], CLASSES)


def equilibrium(hand: Hand, metric: Metric) -> tuple[int, int]:
    """(difference between black and red, total of all values). Source: section 6, EQ-1.

    >>> equilibrium(("R2", "B4", "R4", "B9", "R9"), "count"), equilibrium(("R2", "B4", "R4", "B9", "R9"), "value")
    ((1, 28), (2, 28))
    """
    faces = [face(card) for card in hand]
    black, red = (
        sum(value if metric == "value" else 1 for value, colour in faces if colour == wanted) for wanted in "BR"
    )
    return abs(black - red), sum(value for value, _ in faces)


@functools.lru_cache(maxsize=4096)
def worth(hand: Hand, metric: Metric) -> Worth:
    """Everything that the end asks of one hand."""
    return Worth(classify(hand), *equilibrium(hand, metric))


def placing(values: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """1 + the number of strictly better players, each. Smaller values are better. Source: section 7."""
    return {p: 1 + sum(theirs < mine for theirs in values.values()) for p, mine in values.items()}
