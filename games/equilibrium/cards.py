"""The cards, and what a hand of them is worth: its class, its equilibrium, and how two hands compare.

Values 1 to 10 in red and black, two copies each. A copy has no identity; a card is its face. A hand is a tuple of faces
sorted by value, black before red. Source: sections 1, 5 and 6.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import Kind, shown
from games.kit.poker import Ranked, contained, rank

Hand: TypeAlias = tuple[str, ...]
HAND_SIZE = 5
VALUES = range(1, 11)
DECK: tuple[str, ...] = tuple(f"{colour}{value}" for value in VALUES for colour in "BR" for _ in range(2))
"""The 40 cards in the order a shuffle starts from: by value, black before red, copies adjacent."""

_TYPED = r"(?:(r|red|b|black)[\s_-]*([0-9]{1,2}|t)|([0-9]{1,2}|t)[\s_-]*(r|red|b|black))"


def read_card(typed: str) -> str:
    """The face meant by `R7`, `7r`, `red7`, in any case; `T` is 10.

    Raises:
        Unreadable: `equilibrium.card`. Nothing is guessed.

    >>> read_card("7r"), read_card("black10")
    ('R7', 'B10')
    """
    match = re.fullmatch(_TYPED, typed.strip().lower())
    if match:
        colour, number = (match[1] or match[4])[0].upper(), match[2] or match[3]
        value = 10 if number == "t" else int(number)
        if value in VALUES:
            return f"{colour}{value}"
    what = f"{shown(typed)} is no card"
    raise Unreadable("equilibrium.card", what, "a card is R or B and a value from 1 to 10: R7, B10")


def read_cards(typed: str) -> Hand:
    """A hand typed as `"R4 B4 R9"` (spaces or commas between cards), sorted."""
    words = typed.replace(",", " ").split()
    if not words:
        raise Unreadable("equilibrium.card", "no card is named", 'several cards are one value: "R4 B4 R9 B9 R2"')
    return sort(map(read_card, words))


@functools.lru_cache(maxsize=64)
def face(card: str) -> tuple[int, str]:
    """(value, colour) of a card in normal spelling.

    >>> face("B10")
    (10, 'B')
    """
    return int(card[1:]), card[0]


def sort(cards: Iterable[str]) -> Hand:
    """Sort a hand: by value, black before red.

    >>> sort(["R4", "B10", "B4"])
    ('B4', 'R4', 'B10')
    """
    return tuple(sorted(cards, key=face))


def flip(card: str) -> str:
    """The same value in the other colour. Source: section 3, recolour."""
    return ("B" if card[0] == "R" else "R") + card[1:]


def swap(hand: Hand, give: str, take: str) -> Hand:
    """The hand with one copy of `give`, which must be in it, replaced by `take`."""
    at = hand.index(give)
    return sort((*hand[:at], *hand[at + 1 :], take))


CARD = Kind("CARD", "[RB](?:[1-9]|10)", lambda typed, desk: read_card(typed), tuple(dict.fromkeys(DECK)))
Card = Annotated[str, CARD]


CLASSES = ("four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")
"""High to low. There is no straight flush: five consecutive cards of one colour are a flush. Source: section 5."""

Metric: TypeAlias = Literal["count", "value"]
Paying: TypeAlias = Literal["class", "contains"]


class Worth(NamedTuple):
    """Everything about a hand that decides the match. `er` and `poker` compare as tuples: smaller is better."""

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
    return rank([*map(face, hand)], CLASSES)


@functools.lru_cache(maxsize=4096)
def paying(hand: Hand, mode: Paying) -> tuple[str, ...]:
    """The classes of a hand that may pay, high to low. Source: EQ-12."""
    return (classify(hand).name,) if mode == "class" else contained([face(card) for card in hand], CLASSES)


def equilibrium(hand: Hand, metric: Metric) -> tuple[int, int]:
    """(difference between black and red, total of all values). Source: section 6, EQ-1.

    >>> equilibrium(("R2", "B4", "R4", "B9", "R9"), "count"), equilibrium(("R2", "B4", "R4", "B9", "R9"), "value")
    ((1, 28), (2, 28))
    """
    more = [(value if metric == "value" else 1) * (1 if colour == "B" else -1) for value, colour in map(face, hand)]
    return abs(sum(more)), sum(face(card)[0] for card in hand)


@functools.lru_cache(maxsize=4096)
def worth(hand: Hand, metric: Metric) -> Worth:
    return Worth(classify(hand), *equilibrium(hand, metric))


def placing(values: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Player -> 1 + the number of strictly better players. Smaller values are better. Source: section 7."""
    return {p: 1 + sum(theirs < mine for theirs in values.values()) for p, mine in values.items()}
