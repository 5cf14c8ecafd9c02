"""The 52 cards, the suits in the order of the rounds, and the suits in the order of strength."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Annotated

from events.errors import Unreadable
from games.kinds import Kind, shown

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ROUNDS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
"""The auction rounds in order, and the suit letter of each. Source: section 1."""
ROUND_OF = {suit: name for name, suit in ROUNDS.items()}
SUIT_STRENGTH = "CDHS"
"""Low to high: S > H > D > C. Source: section 4."""
DECK = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in RANKS)
_TYPED = re.compile(r"(10|t|[2-9]|[jqka])\s*([cdhs♣♦♥♠])|([cdhs♣♦♥♠])\s*(10|t|[2-9]|[jqka])", re.IGNORECASE)
_SIGNS = dict(zip("♣♦♥♠", "CDHS", strict=True))


def read_card(typed: str) -> str:
    """The card meant by `10C`, `tc`, `c10`, `A♠`, in any case.

    Raises:
        Unreadable: `poker_auction.card`. Nothing is guessed.

    >>> read_card("tc"), read_card("sA")
    ('10C', 'AS')
    """
    match = _TYPED.fullmatch(typed.strip())
    if not match:
        raise Unreadable("poker_auction.card", f"{shown(typed)} is no card", "a rank and a suit: 2C, 10D, QH, AS")
    rank, suit = (match[1], match[2]) if match[1] else (match[4], match[3])
    rank = rank.upper().replace("T", "10")
    return rank + _SIGNS.get(suit, suit.upper())


@functools.cache
def value(card: str) -> int:
    """2 to 14; the ace is 14."""
    return RANKS.index(card[:-1]) + 2


@functools.cache
def strength(card: str) -> int:
    """Of the suit: clubs 0 to spades 3."""
    return SUIT_STRENGTH.index(card[-1])


def sort(cards: Iterable[str]) -> tuple[str, ...]:
    """By suit in the order of the rounds, then by rank.

    >>> sort(["AS", "10C", "2C"])
    ('2C', '10C', 'AS')
    """
    return tuple(sorted(cards, key=lambda card: (strength(card), value(card))))


CARD_PATTERN = "(?:[2-9]|10|[JQKA])[CDHS]"
CARD = Kind("CARD", CARD_PATTERN, lambda typed, desk: read_card(typed), DECK)
Card = Annotated[str, CARD]
