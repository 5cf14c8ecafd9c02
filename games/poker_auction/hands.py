"""The best five out of all cards owned, and how two best hands compare. Source: section 4, PA-9 to PA-13.

By class, not by trying every five: 52 cards would be 2.6 million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.poker_auction.cards import strength, value

CLASSES = ("straight_flush", "four", "full", "flush", "straight", "trips", "two_pair", "pair", "high")
"""High to low."""
FlushTie: TypeAlias = Literal["suit", "next_cards"]
SIZE = 5


class Best(NamedTuple):
    """A player's best hand. `strength` compares as a tuple: larger is better."""

    name: str
    cards: tuple[str, ...]
    """The five, those that are compared first in front."""
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
    pool = _Pool(owned, {}, {}, flush_tie, kickers)
    for card in owned:
        pool.by_value.setdefault(value(card), []).append(card)
        pool.by_suit.setdefault(strength(card), []).append(card)
    for place, name in enumerate(CLASSES):
        if five := _FINDERS[name](pool):
            chosen, key = five
            return Best(name, tuple(chosen), (len(CLASSES) - 1 - place, *key))
    raise AssertionError("every five cards have a high card")


Found: TypeAlias = tuple[Sequence[str], tuple[int, ...]] | None
"""The five cards, and what is compared of them."""


def _runs(values: Iterable[int]) -> list[int]:
    """Top values of all runs of five, best first; the ace is 14, or 1 under A-2-3-4-5."""
    held = set(values)
    if 14 in held:
        held.add(1)
    return [top for top in range(14, 4, -1) if all(top - i in held for i in range(SIZE))]


def _run_cards(top: int, of_value: dict[int, str]) -> list[str]:
    return [of_value[14 if top - i == 1 else top - i] for i in range(SIZE)]


def _groups(pool: _Pool, size: int) -> list[int]:
    """Values of which at least `size` cards are owned, best first."""
    return sorted((v for v, cards in pool.by_value.items() if len(cards) >= size), reverse=True)


def _with_sides(pool: _Pool, core: Sequence[str], ranks: tuple[int, ...], suit: tuple[int, ...] = ()) -> Found:
    """These cards and the best others; compared by ranks, with `kickers` by the others, then by suit."""
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
    """Three or four of a kind."""
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


def _two_pair(pool: _Pool) -> Found:
    pairs = _groups(pool, 2)[:2]
    if len(pairs) < 2:
        return None
    core = [card for pair in pairs for card in pool.by_value[pair][:2]]
    return _with_sides(pool, core, tuple(pairs), (strength(core[0]),))


def _pair(pool: _Pool) -> Found:
    pairs = _groups(pool, 2)
    if not pairs:
        return None
    core = pool.by_value[pairs[0]][:2]
    return _with_sides(pool, core, (pairs[0],), (strength(core[0]),))


def _high(pool: _Pool) -> Found:
    top = pool.owned[0]
    return _with_sides(pool, [top], (value(top),), (strength(top),))


_FINDERS: dict[str, Callable[[_Pool], Found]] = {
    "straight_flush": _straight_flush, "four": lambda pool: _alike(pool, 4), "full": _full, "flush": _flush,
    "straight": _straight, "trips": lambda pool: _alike(pool, 3), "two_pair": _two_pair, "pair": _pair, "high": _high,
}  # fmt: skip
