"""The 52 cards, and the best five out of all cards owned.

Suits have an order of rounds, and one of strength. Hands are compared by class, not by trying every five: 52 cards
would be 2.6 million. Source: sections 1 and 4, PA-9 to PA-13.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Literal, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import Kind, grouped, shown

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ROUNDS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
"""The auction rounds in order, and the suit letter of each. Source: section 1."""
ROUND_OF = {suit: name for name, suit in ROUNDS.items()}
DECK = tuple(f"{rank}{suit}" for suit in "CDHS" for rank in RANKS)
_RANK, _SUIT = "(?:10|t|[2-9]|[jqka])", "[cdhs♣♦♥♠]"
TYPED = rf"(?i:{_RANK}\s*{_SUIT}|{_SUIT}\s*{_RANK})"
_SIGNS = dict(zip("♣♦♥♠", "CDHS", strict=True))


def read_card(typed: str) -> str:
    """The card meant by `10C`, `tc`, `c10`, `A♠`, in any case.

    Raises:
        Unreadable: `poker_auction.card`. Nothing is guessed.

    >>> read_card("tc"), read_card("sA")
    ('10C', 'AS')
    """
    if not re.fullmatch(rf"\s*{TYPED}\s*", typed):
        raise Unreadable("poker_auction.card", f"{shown(typed)} is no card", "a rank and a suit: 2C, 10D, QH, AS")
    suit: str = re.findall(f"(?i){_SUIT}", typed)[0]
    return typed.replace(suit, "").strip().upper().replace("T", "10") + _SIGNS.get(suit, suit.upper())


@functools.cache
def value(card: str) -> int:
    """2 to 14; the ace is 14."""
    return RANKS.index(card[:-1]) + 2


@functools.cache
def strength(card: str) -> int:
    """The strength of its suit: clubs 0 to spades 3. Source: section 4."""
    return "CDHS".index(card[-1])


def sort(cards: Iterable[str]) -> tuple[str, ...]:
    """By suit in the order of the rounds, then by rank.

    >>> sort(["AS", "10C", "2C"])
    ('2C', '10C', 'AS')
    """
    return tuple(sorted(cards, key=lambda card: (strength(card), value(card))))


CARD_PATTERN = "(?:[2-9]|10|[JQKA])[CDHS]"
CARD = Kind("CARD", CARD_PATTERN, lambda typed, desk: read_card(typed), DECK)
Card = Annotated[str, CARD]


CLASSES = ("straight_flush", "four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")
"""High to low."""
FlushTie: TypeAlias = Literal["suit", "next_cards"]
SIZE = 5


class Best(NamedTuple):
    """A player's best hand. `strength` compares as a tuple: larger is better."""

    name: str
    cards: tuple[str, ...]
    """The five cards, in the order in which they are compared."""
    strength: tuple[int, ...]


class _Pool(NamedTuple):
    """The cards of a player, and how two hands of one class compare."""

    owned: tuple[str, ...]
    """Best value first, then best suit."""
    by_value: dict[int, list[str]]
    """Value -> its cards, best suit first."""
    by_suit: dict[int, list[str]]
    """Suit strength -> its cards, best value first."""
    flush_tie: FlushTie
    kickers: bool


def best_hand(cards: Iterable[str], flush_tie: FlushTie = "suit", *, kickers: bool = False) -> Best | None:
    """The best five of these cards, or None for fewer than five.

    Args:
        flush_tie: Two flushes with the same highest card: by suit at once, or by their next cards first (PA-9).
        kickers: Compare the ranks of the side cards before suits (PA-12).

    Equal best hands differ only in what is not compared; the one with the best suits is shown (PA-13).

    >>> best_hand(["AC", "2C", "3C", "4C", "5C", "9S"]).name
    'straight_flush'
    """
    owned = tuple(sorted(set(cards), key=lambda c: (value(c), strength(c)), reverse=True))
    if len(owned) < SIZE:
        return None
    by_value = grouped((value(card), card) for card in owned)
    by_suit = grouped((strength(card), card) for card in owned)
    pool = _Pool(owned, by_value, by_suit, flush_tie, kickers)
    for place, name in enumerate(CLASSES):
        if five := _FINDERS[name](pool):
            chosen, key = five
            return Best(name, tuple(chosen), (len(CLASSES) - 1 - place, *key))
    raise AssertionError("every five cards have a high card")


Found: TypeAlias = tuple[Sequence[str], tuple[int, ...]] | None
"""The five cards, and the tuple by which they compare."""


def _runs(values: Iterable[int]) -> list[int]:
    """Top values of all runs of five, best first; the ace is 14, or 1 under A-2-3-4-5."""
    held = set(values)
    if 14 in held:
        held.add(1)
    return [top for top in range(14, 4, -1) if all(top - i in held for i in range(SIZE))]


def _run_cards(top: int, of_value: dict[int, str]) -> list[str]:
    return [of_value[14 if top - i == 1 else top - i] for i in range(SIZE)]


def _groups(pool: _Pool, size: int) -> list[int]:
    """The values with at least `size` owned cards, best first."""
    return sorted((v for v, cards in pool.by_value.items() if len(cards) >= size), reverse=True)


def _with_sides(pool: _Pool, core: Sequence[str], ranks: tuple[int, ...], suit: tuple[int, ...] = ()) -> Found:
    """The core cards and the best others, compared by ranks, with `kickers` by the others, and then by suit."""
    sides = [card for card in pool.owned if card not in core][: SIZE - len(core)]
    values = tuple(value(card) for card in sides) if pool.kickers else ()
    return [*core, *sides], (*ranks, *values, *suit)


def _straight_flush(pool: _Pool) -> Found:
    flushes = []
    for suit, cards in pool.by_suit.items():
        of_value = {value(card): card for card in cards}
        if tops := _runs(of_value):
            flushes.append(((tops[0], suit), _run_cards(tops[0], of_value)))
    return max(flushes)[::-1] if flushes else None


def _alike(pool: _Pool, size: int) -> Found:
    tops = _groups(pool, size)
    return _with_sides(pool, pool.by_value[tops[0]][:size], (tops[0],)) if tops else None


def _full(pool: _Pool) -> Found:
    triples = _groups(pool, 3)
    pairs = [v for v in _groups(pool, 2) if v != triples[0]] if triples else []
    if not pairs:
        return None
    chosen = [*pool.by_value[triples[0]][:3], *pool.by_value[pairs[0]][:2]]
    return chosen, (triples[0], pairs[0]) if pool.kickers else (triples[0],)


def _flush(pool: _Pool) -> Found:
    flushes = []
    for suit, cards in pool.by_suit.items():
        if len(cards) >= SIZE:
            values = tuple(value(card) for card in cards[:SIZE])
            key = (*values, suit) if pool.kickers or pool.flush_tie == "next_cards" else (values[0], suit)
            flushes.append((key, cards[:SIZE]))
    return max(flushes)[::-1] if flushes else None


def _straight(pool: _Pool) -> Found:
    tops = _runs(pool.by_value)
    if not tops:
        return None
    chosen = _run_cards(tops[0], {v: cards[0] for v, cards in pool.by_value.items()})
    return chosen, (tops[0], strength(chosen[0]))


def _by_suit(pool: _Pool, number: int, size: int) -> Found:
    """The best `number` groups of that size: two pairs, a pair, or the highest card."""
    tops = _groups(pool, size)[:number]
    if len(tops) < number:
        return None
    core = [card for top in tops for card in pool.by_value[top][:size]]
    return _with_sides(pool, core, tuple(tops), (strength(core[0]),))


_FINDERS: dict[str, Callable[[_Pool], Found]] = {
    "straight_flush": _straight_flush, "four": lambda pool: _alike(pool, 4), "full": _full, "flush": _flush,
    "straight": _straight, "trips": lambda pool: _alike(pool, 3), "two_pair": lambda pool: _by_suit(pool, 2, 2),
    "pair": lambda pool: _by_suit(pool, 1, 2), "high": lambda pool: _by_suit(pool, 1, 1),
}  # fmt: skip
