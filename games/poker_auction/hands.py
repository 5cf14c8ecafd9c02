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
    by_value: dict[int, list[str]]
    """Value -> its cards, best suit first."""
    by_suit: dict[int, list[str]]
    """Suit strength -> its cards, best value first."""


def best_hand(cards: Iterable[str], flush_tie: FlushTie = "suit", *, kickers: bool = False) -> Best | None:
    """The best five of these cards, or None for fewer than five.

    Args:
        flush_tie: Two flushes with the same highest card: by suit at once, or by their next cards first (PA-9).
        kickers: Compare the ranks of the side cards before suits (PA-12).

    Equal best hands differ only in what is not compared; the one with the best suits is shown (PA-13).

    >>> best_hand(["AC", "2C", "3C", "4C", "5C", "9S"]).name
    'straight_flush'
    """
    owned = sorted(set(cards), key=lambda c: (value(c), strength(c)), reverse=True)
    if len(owned) < SIZE:
        return None
    pool = _Pool({}, {})
    for card in owned:
        pool.by_value.setdefault(value(card), []).append(card)
        pool.by_suit.setdefault(strength(card), []).append(card)
    for place, name in enumerate(CLASSES):
        found = _FINDERS[name](pool, owned, flush_tie, kickers)
        if found is not None:
            chosen, key = found
            return Best(name, tuple(chosen), (len(CLASSES) - 1 - place, *key))
    raise AssertionError("every five cards have a high card")


Found: TypeAlias = tuple[Sequence[str], tuple[int, ...]] | None
Finder: TypeAlias = Callable[[_Pool, Sequence[str], FlushTie, bool], Found]


def _runs(values: Iterable[int]) -> list[int]:
    """Top values of all runs of five, best first; the ace is 14, or 1 under A-2-3-4-5."""
    held = set(values)
    if 14 in held:
        held.add(1)
    return [top for top in range(14, 4, -1) if all(top - i in held for i in range(SIZE))]


def _run_cards(top: int, of_value: dict[int, str]) -> list[str]:
    return [of_value[14 if top - i == 1 else top - i] for i in range(SIZE)]


def _straight_flush(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    found = []
    for suit, cards in pool.by_suit.items():
        of_value = {value(card): card for card in cards}
        if tops := _runs(of_value):
            found.append(((tops[0], suit), _run_cards(tops[0], of_value)))
    if not found:
        return None
    key, chosen = max(found)
    return chosen, key


def _groups(pool: _Pool, size: int) -> list[int]:
    """Values of which at least `size` cards are owned, best first."""
    return sorted((v for v, cards in pool.by_value.items() if len(cards) >= size), reverse=True)


def _sides(owned: Sequence[str], used: Sequence[str]) -> list[str]:
    return [card for card in owned if card not in used][: SIZE - len(used)]


def _with_sides(
    owned: Sequence[str], core: Sequence[str], ranks: tuple[int, ...], suit: tuple[int, ...], kickers: bool
) -> Found:
    sides = _sides(owned, core)
    values = tuple(value(card) for card in sides) if kickers else ()
    return [*core, *sides], (*ranks, *values, *suit)


def _four(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    tops = _groups(pool, 4)
    return _with_sides(owned, pool.by_value[tops[0]], (tops[0],), (), kickers) if tops else None


def _full(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    triples = _groups(pool, 3)
    if not triples:
        return None
    pairs = [v for v in _groups(pool, 2) if v != triples[0]]
    if not pairs:
        return None
    chosen = [*pool.by_value[triples[0]][:3], *pool.by_value[pairs[0]][:2]]
    return chosen, (triples[0], pairs[0]) if kickers else (triples[0],)


def _flush(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    found = []
    for suit, cards in pool.by_suit.items():
        if len(cards) >= SIZE:
            values = tuple(value(card) for card in cards[:SIZE])
            key = (*values, suit) if kickers or flush_tie == "next_cards" else (values[0], suit)
            found.append((key, cards[:SIZE]))
    if not found:
        return None
    key, chosen = max(found)
    return chosen, key


def _straight(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    tops = _runs(pool.by_value)
    if not tops:
        return None
    chosen = _run_cards(tops[0], {v: cards[0] for v, cards in pool.by_value.items()})
    return chosen, (tops[0], strength(chosen[0]))


def _trips(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    tops = _groups(pool, 3)
    return _with_sides(owned, pool.by_value[tops[0]][:3], (tops[0],), (), kickers) if tops else None


def _two_pair(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    pairs = _groups(pool, 2)
    if len(pairs) < 2:
        return None
    core = [*pool.by_value[pairs[0]][:2], *pool.by_value[pairs[1]][:2]]
    return _with_sides(owned, core, (pairs[0], pairs[1]), (strength(core[0]),), kickers)


def _pair(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    pairs = _groups(pool, 2)
    if not pairs:
        return None
    core = pool.by_value[pairs[0]][:2]
    return _with_sides(owned, core, (pairs[0],), (strength(core[0]),), kickers)


def _high(pool: _Pool, owned: Sequence[str], flush_tie: FlushTie, kickers: bool) -> Found:
    return _with_sides(owned, [owned[0]], (value(owned[0]),), (strength(owned[0]),), kickers)


_FINDERS: dict[str, Finder] = {
    "straight_flush": _straight_flush, "four": _four, "full": _full, "flush": _flush, "straight": _straight,
    "trips": _trips, "two_pair": _two_pair, "pair": _pair, "high": _high,
}  # fmt: skip
