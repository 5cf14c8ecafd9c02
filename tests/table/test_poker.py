"""Hand classes under any order of the classes. Every hand of Equilibrium: test_equilibrium_oracle."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import comb

import pytest

from games.equilibrium.cards import face
from games.kit.poker import contained, rank

ORDER = ("four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")


def test_the_order_is_an_argument():
    """Kit: with another order of classes the same cards are named and ranked by it."""
    cards = [(value, "R") for value in (4, 5, 6, 7, 8)]
    assert rank(cards, ORDER).name == "flush"
    assert rank(cards, ("straight_flush", *ORDER)).name == "straight_flush"
    assert rank(cards, ("four", "straight", "flush", "high")).name == "straight"
    assert rank([*cards[:4], (8, "B")], ("straight", "flush", "high")).strength == (2, 8)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("R4 R4 R4 R4 R9", "four flush trips pair"),
        ("R4 R4 R4 R9 R9", "full flush trips two_pair pair"),
        ("R4 B4 R4 B9 R9", "full trips two_pair pair"),
        ("R4 R5 R6 R7 R8", "flush straight"),
        ("R4 R4 R4 R8 R9", "flush trips pair"),
        ("R4 R4 R8 R8 R9", "flush two_pair pair"),
        ("R4 B5 R6 R7 R8", "straight"),
        ("R4 B4 R6 R7 R8", "pair"),
        ("R4 B2 R6 R7 R8", "high"),
    ],
)
def test_contained_classes(text, found):
    """EQ-12: what a hand contains, under the reading `contains`; a high card only when there is nothing else."""
    assert contained([face(card) for card in text.split()], ORDER) == tuple(found.split())


def test_a_deck_of_52():
    """Kit: the published counts of a deck of 52 with four suits (here an ace is high alone, so 9 straights, not 10)."""
    order = ("straight_flush", *ORDER)
    found: Counter[str] = Counter()
    strengths = set()
    for values in combinations_with_replacement(range(2, 15), 5):
        times = Counter(values)
        if max(times.values()) > 4:
            continue
        ways = 1
        for count in times.values():
            ways *= comb(4, count)
        mixed = rank([(v, "CDHS"[values[:i].count(v)]) for i, v in enumerate(values)], order)
        if len(times) == 5:
            one_suit = rank([(v, "C") for v in values], order)
            mixed = rank([(v, "CD"[i % 2]) for i, v in enumerate(values)], order)
            found[one_suit.name] += 4
            strengths.add(one_suit.strength)
            ways -= 4
        found[mixed.name] += ways
        strengths.add(mixed.strength)
    published = {"four": 624, "full": 3744, "trips": 54_912, "two_pair": 123_552, "pair": 1_098_240}
    assert {name: found[name] for name in published} == published
    # Published with a wheel: 40, 5108, 10200, 1302540. Without it a tenth straight is none.
    assert (found["straight_flush"], found["flush"]) == (40 - 4, 5108 + 4)
    assert (found["straight"], found["high"]) == (10_200 - 1020, 1_302_540 + 1020)
    assert sum(found.values()) == comb(52, 5) and len(strengths) == 7462
