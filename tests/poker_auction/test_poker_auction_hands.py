"""Poker Auction, section 4: the best five of all cards owned, and how best hands compare. Source: PA-9 to PA-13.

The comparison is written here a second time, straight from the table of section 4, for five cards; the best of more is
then the best of all fives. Where the usual rules of poker agree by definition, a published evaluator is asked too.
"""

from __future__ import annotations

import importlib.util
import random
import timeit
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from games.poker_auction.cards import CLASSES, DECK, Best, best_hand

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "CDHS"
"""Low to high: S > H > D > C."""
ORDER = ["high", "pair", "two_pair", "trips", "straight", "flush", "full", "four", "straight_flush"]
WAYS = [(tie, kickers) for tie in ("suit", "next_cards") for kickers in (False, True)]
PUBLISHED = importlib.util.find_spec("phevaluator") is not None


def number(card: str) -> int:
    return RANKS.index(card[:-1]) + 2


def suit(card: str) -> int:
    return SUITS.index(card[-1])


def oracle(five: Sequence[str], flush_tie: str, kickers: bool) -> tuple[int, ...]:
    """Five cards as section 4 compares them: class, feature, (side cards,) suit."""
    values = sorted((number(card) for card in five), reverse=True)
    times = Counter(values)
    groups = sorted(times, key=lambda v: (times[v], v), reverse=True)
    shape = sorted(times.values(), reverse=True)
    one_suit = len({card[-1] for card in five}) == 1
    top = 0
    if len(times) == 5:
        top = values[0] if values[0] - values[4] == 4 else 5 if values == [14, 5, 4, 3, 2] else 0

    def best_suit(value: int) -> int:
        return max(suit(card) for card in five if number(card) == value)

    def side(*used: int) -> tuple[int, ...]:
        return tuple(v for v in values if v not in used) if kickers else ()

    if top and one_suit:
        return (8, top, suit(five[0]))
    if shape == [4, 1]:
        return (7, groups[0], *side(groups[0]))
    if shape == [3, 2]:
        return (6, groups[0], *side(groups[0])[:1])
    if one_suit:
        return (5, *(values if kickers or flush_tie == "next_cards" else values[:1]), suit(five[0]))
    if top:
        return (4, top, best_suit(top))
    if shape == [3, 1, 1]:
        return (3, groups[0], *side(groups[0]))
    if shape == [2, 2, 1]:
        return (2, groups[0], groups[1], *side(*groups[:2]), best_suit(groups[0]))
    if shape == [2, 1, 1, 1]:
        return (1, groups[0], *side(groups[0]), best_suit(groups[0]))
    return (0, values[0], *side(values[0]), best_suit(values[0]))


def hand(cards: Sequence[str], flush_tie: Any = "suit", kickers: bool = False) -> Best:
    found = best_hand(cards, flush_tie, kickers=kickers)
    assert found is not None
    return found


def some_cards(dice: random.Random) -> list[str]:
    """Any cards, or cards that lie close together, so that every class comes up."""
    size = dice.choice([5, 5, 6, 7, 8, 9])
    pool = list(DECK)
    kind = dice.randrange(4)
    if kind == 1:
        suits = dice.sample(SUITS, 2)
        pool = [card for card in DECK if card[-1] in suits]
    elif kind == 2:
        ranks = dice.sample(RANKS, 4)
        pool = [card for card in DECK if card[:-1] in ranks]
    elif kind == 3:
        start = dice.randrange(13)
        ranks = [RANKS[(start + i) % 13] for i in range(6)]
        pool = [card for card in DECK if card[:-1] in ranks]
    return dice.sample(pool, min(size, len(pool)))


# ---- against all fives ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("flush_tie", "kickers"), WAYS)
def test_the_best_is_the_best_of_all_fives(flush_tie, kickers):
    """4, PA-13: no five of a player's cards is better than the five that is shown, in each way to compare."""
    dice = random.Random(7)
    seen = set()
    for _ in range(400):
        cards = some_cards(dice)
        found = hand(cards, flush_tie, kickers)
        best = max(oracle(five, flush_tie, kickers) for five in combinations(cards, 5))
        assert len(set(found.cards)) == 5 and set(found.cards) <= set(cards)
        assert oracle(found.cards, flush_tie, kickers) == best, (cards, found)
        assert found.name == ORDER[best[0]]
        seen.add(found.name)
    assert seen == set(CLASSES)


@pytest.mark.parametrize(("flush_tie", "kickers"), WAYS)
def test_hands_compare_as_section_4_says(flush_tie, kickers):
    """4: of two players with different cards the one that the table calls better is better, never both, never none."""
    dice = random.Random(11)
    for _ in range(1_000):
        cards = list(dict.fromkeys(some_cards(dice) + dice.sample(DECK, 8)))
        dice.shuffle(cards)
        half = len(cards) // 2
        one, other = cards[:half], cards[half:]
        if dice.random() < 0.5:  # the same ranks in other suits, but perhaps for one card
            turned = dict(zip(SUITS, dice.sample(SUITS, 4), strict=True))
            one = list(hand(some_cards(dice)).cards)
            other = [card[:-1] + turned[card[-1]] for card in one]
            other[-1] = dice.choice([other[-1], dice.choice(DECK)])
            if set(one) & set(other) or len(set(other)) < 5:
                continue
        mine, his = hand(one, flush_tie, kickers), hand(other, flush_tie, kickers)
        wanted = oracle(mine.cards, flush_tie, kickers) > oracle(his.cards, flush_tie, kickers)
        assert (mine.strength > his.strength) is wanted
        assert mine.strength != his.strength, "a total order: two players never hold equal hands (PA-21)"


def test_fewer_than_five_cards_are_no_hand():
    """5: with fewer than five cards there is no hand."""
    assert best_hand([]) is None
    assert best_hand(["AS", "KS", "QS", "JS"]) is None
    assert best_hand(["AS", "KS", "QS", "JS", "10S"]) is not None


def test_there_is_no_wrap():
    """4: the ace is high, or low in A-2-3-4-5; K-A-2 is no run."""
    assert hand(["QC", "KD", "AH", "2S", "3C"]).name == "high"
    assert hand(["QC", "KC", "AC", "2C", "3C"]).name == "flush"
    assert hand(["AC", "2D", "3H", "4S", "5C"]).cards[0] == "5C"


def test_suits_of_the_shown_cards():
    """PA-13: of equal best hands the one with the best suit is shown."""
    assert hand(["9C", "9S", "9D", "9H", "KS"]).name == "four"
    assert hand(["8C", "9C", "9S", "10D", "JH", "QC"]).cards == ("QC", "JH", "10D", "9S", "8C")
    assert set(hand(["2C", "2D", "2H", "5C", "5D", "5S", "5H", "5S"]).cards[:4]) == {"5C", "5D", "5H", "5S"}
    assert hand(["AC", "AD", "AH", "KC", "KD", "KS", "2S"]).cards[3:] == ("KS", "KD")


def test_fifty_two_cards_in_a_millisecond():
    """Issue: 52 cards in under a millisecond, by class, not by trying 2.6 million fives."""
    assert hand(DECK).cards == ("AS", "KS", "QS", "JS", "10S")
    assert min(timeit.repeat(lambda: best_hand(DECK), number=1, repeat=20)) < 0.001


# ---- against a published evaluator --------------------------------------------------------------------------------


def published(cards: Sequence[str]) -> tuple[str, int]:
    """Class and rank (lower is better) of the best five of 5 to 7 cards, by somebody else's program."""
    spelled = [card[:-1].replace("10", "T") + card[-1].lower() for card in cards]
    from phevaluator import evaluate_cards

    rank = evaluate_cards(*spelled)
    last = (10, 166, 322, 1599, 1609, 2467, 3325, 6185, 7462)
    return next(name for name, end in zip(reversed(ORDER), last, strict=True) if rank <= end), rank


@pytest.mark.skipif(not PUBLISHED, reason="needs a published evaluator: pip install phevaluator (extra: test)")
def test_a_published_evaluator_agrees():
    """4: the class of the best five is that of usual poker; and so is the order, where kickers count (PA-12) and
    usual poker says which is better. Where it says equal, only suits differ."""
    dice = random.Random(13)
    seen = set()
    before = None
    for _ in range(1500):
        cards = some_cards(dice)[:7]
        mine = hand(cards, kickers=True)
        name, rank = published(cards)
        assert mine.name == name == hand(cards).name, cards
        seen.add(name)
        if before is not None and before[1] != rank:
            assert (mine.strength > before[0].strength) is (rank < before[1]), (cards, before)
        before = mine, rank
    assert seen == set(CLASSES)
