"""Hand classes: each hand of the fresh deck, each that recolouring can make, and the order of their strengths."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from games.equilibrium.cards import CLASSES, DECK, Hand, classify, face, sort
from games.kit.poker import WORDS, contained, rank

ORDER = ("four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")
COUNTS = {
    "four": 360,
    "full": 2160,
    "straight": 5760,
    "trips": 23040,
    "flush": 31008,
    "two_pair": 50400,
    "high": 236160,
    "pair": 309120,
}
"""Rules/equilibrium section 5, frequencies in the fresh deck."""


def by_the_table(hand: Hand) -> tuple[str, list[int]]:
    """Class and what is compared, in order, written from the table of section 5 row by row, on its own."""
    values = sorted((face(card)[0] for card in hand), reverse=True)
    one_colour = len({card[0] for card in hand}) == 1
    times = {value: values.count(value) for value in values}
    shape = tuple(sorted(times.values(), reverse=True))

    def of(count: int) -> list[int]:
        return [value for value in times if times[value] == count]  # from high to low, as `values` is

    if shape == (4, 1):
        return "four", [*of(4), *of(1)]
    if shape == (3, 2):
        return "full", [*of(3), *of(2)]
    if one_colour:
        return "flush", values
    if shape == (1, 1, 1, 1, 1) and values[0] - values[4] == 4:
        return "straight", values[:1]
    if shape == (3, 1, 1):
        return "trips", [*of(3), *of(1)]
    if shape == (2, 2, 1):
        return "two_pair", [*of(2), *of(1)]
    if shape == (2, 1, 1, 1):
        return "pair", [*of(2), *of(1)]
    return "high", values


@pytest.fixture(scope="module")
def fresh() -> Counter[Hand]:
    """Every hand of the fresh deck, as a multiset of faces, with the number of ways to be dealt it."""
    return Counter(combinations(DECK, 5))


def test_all_hands_of_the_fresh_deck(fresh):
    """5: the 658,008 hands of the fresh deck, each in exactly one class, with the counts of the rule page."""
    assert sum(fresh.values()) == comb(40, 5) == 658_008
    assert all(sort(hand) == hand for hand in fresh)
    found: Counter[str] = Counter()
    for hand, ways in fresh.items():
        found[classify(hand).name] += ways
    assert found == COUNTS and sum(COUNTS.values()) == 658_008


def test_each_face_as_often_as_it_can_be(fresh):
    """1: a face of which one copy is held may be either of two, so a hand of k single faces has 2^k ways."""
    assert all(ways == 2 ** sum(n == 1 for n in Counter(hand).values()) for hand, ways in fresh.items())


@pytest.fixture(scope="module")
def all_hands() -> list[Hand]:
    """Every hand that a match can bring, recolouring included: at most four of a value, in any colours."""
    faces = tuple(dict.fromkeys(DECK))
    return [
        hand
        for hand in combinations_with_replacement(faces, 5)
        if max(Counter(card[1:] for card in hand).values()) <= 4
    ]


def test_class_and_comparison_of_every_hand(all_hands):
    """5: class and compared values of every possible hand are those of the table."""
    assert len(all_hands) == comb(24, 5) - 10 * 6  # five of a value: 10 values, 0 to 5 of them red
    for hand in all_hands:
        name, compared = by_the_table(hand)
        ranked = classify(hand)
        assert (ranked.name, list(ranked.strength[1:])) == (name, compared), hand


def test_strengths_order_as_the_table(all_hands):
    """5: a higher class beats a lower one whatever its cards; within a class the compared values decide; else equal."""
    strengths = {classify(hand).strength: by_the_table(hand) for hand in all_hands}
    ranked = sorted(strengths, reverse=True)
    wanted = sorted(strengths.values(), key=lambda row: (-ORDER.index(row[0]), row[1]), reverse=True)
    assert [strengths[s] for s in ranked] == wanted
    assert len({(name, tuple(compared)) for name, compared in wanted}) == len(ranked)


def test_classes_have_one_order():
    """5: the classes from high to low; each has its word."""
    assert CLASSES == ORDER and set(ORDER) < set(WORDS)


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
