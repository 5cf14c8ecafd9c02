"""The cards of a pack, how they are typed and shown, and hands as counts. Combinations are in combos.py.

A card is its rank: suits never matter. Source: section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import add, sub
from typing import TypeAlias

from events.errors import Unreadable
from games.kinds import Kind, shown

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "LJ", "BJ")
"""The ranks from low to high, as single cards compare."""
PLACE = {rank: place for place, rank in enumerate(RANKS)}
THREE, ACE, TWO, LITTLE, BIG = (PLACE[rank] for rank in ("3", "A", "2", "LJ", "BJ"))
EACH = 54
"""The number of cards in a pack, and in a hand."""
Hand: TypeAlias = tuple[int, ...]
"""The number of cards of each rank, in the order of `RANKS`."""
EMPTY: Hand = (0,) * len(RANKS)
PACK: Hand = (4,) * LITTLE + (1, 1)
_TYPED = re.compile(r"10|[LB]J|[2-9TJQKA]", re.IGNORECASE)
_SPACESHIPS = {"BB": "BJBJ", "BL": "BJLJ", "LL": "LJLJ"}


def packs(number: int) -> Hand:
    """A number of packs together. Source: section 1."""
    return tuple(number * copies for copies in PACK)


def deck(number: int) -> tuple[str, ...]:
    """The cards of a number of packs in the order from which they are shuffled: low to high, copies adjacent."""
    return cards_of(packs(number))


def cards_of(hand: Hand) -> tuple[str, ...]:
    """Each card of a hand, low to high.

    >>> cards_of(count(["K", "3", "3"]))
    ('3', '3', 'K')
    """
    return tuple(rank for rank, copies in zip(RANKS, hand, strict=True) for _ in range(copies))


def count(cards: Iterable[str]) -> Hand:
    copies = [0] * len(RANKS)
    for card in cards:
        copies[PLACE[card]] += 1
    return tuple(copies)


def plus(a: Hand, b: Hand) -> Hand:
    return tuple(map(add, a, b))


def minus(hand: Hand, cards: Hand) -> Hand:
    return tuple(map(sub, hand, cards))


def total(hands: Iterable[Hand]) -> Hand:
    return tuple(map(sum, zip(EMPTY, *hands, strict=True)))


def read_cards(typed: str) -> tuple[str, ...]:
    """Cards typed as `3 3 3 K`, `3,3,3,K` or `333k`, low to high; `T` is 10, `BB`, `BL` or `LL` a Spaceship.

    Raises:
        Unreadable: `marsmatch.card`. Nothing is guessed.

    >>> read_cards("k 333 t"), read_cards("bjlj2"), read_cards("bb")
    (('3', '3', '3', '10', 'K'), ('2', 'LJ', 'BJ'), ('BJ', 'BJ'))
    """
    ranks: list[str] = []
    for word in re.split(r"[\s,]+", typed.strip()):
        word = _SPACESHIPS.get(word.upper(), word)
        cards = _TYPED.findall(word)
        if "".join(cards) != word or not cards:
            fix = "hl pass NAME" if word.lower() == "pass" else "3 to 10 (or T), J, Q, K, A, 2, LJ, BJ: 3 3 3 K"
            raise Unreadable("marsmatch.card", f"{shown(word)} is no card", fix)
        ranks += (card.upper().replace("T", "10") for card in cards)
    return cards_of(count(ranks))


def in_words(cards: Hand) -> str:
    """Cards as they are typed.

    >>> in_words(count(["K", "3", "3"]))
    '3 3 K'
    """
    return " ".join(cards_of(cards))


def joined(cards: Hand) -> str:
    """Cards as they may be typed, with equal ones together.

    >>> joined(count(["K", "3", "3"]))
    '33 K'
    """
    return " ".join(rank * copies for rank, copies in zip(RANKS, cards, strict=True) if copies)


def compact(hand: Hand) -> str:
    """A hand as counts per rank, which always fits on a line.

    >>> compact(count(["K", "3", "3"]))
    '3 ×2 · K'
    """
    parts = (f"{rank} ×{copies}" if copies > 1 else rank for rank, copies in zip(RANKS, hand, strict=True) if copies)
    return " · ".join(parts) or "no cards"


CARD_PATTERN = "(?:[3-9]|10|[JQKA2]|[LB]J)"
CARDS = Kind("CARDS", rf"{CARD_PATTERN}(?: {CARD_PATTERN})*", lambda typed, desk: " ".join(read_cards(typed)), RANKS)
