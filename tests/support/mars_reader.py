"""A second reader of the combinations of MarsMatch, written plainly from section 3 of the rules, to check the first by.

It knows nothing of counts, windows or formulas: it takes cards apart in every way and looks whether what lies there is
what the table of the rules says. The tests compare both; the bench says how much slower this one is.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.marsmatch.combos import Grammar, Reading

ORDER = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "LJ", "BJ"]
RUN = ORDER[:12]
"""Ranks that may be consecutive."""


def takes(cards: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Every way to lay some of the cards apart from the rest; equal cards are not told apart."""
    times = Counter(cards)
    for numbers in itertools.product(*(range(n + 1) for n in times.values())):
        taken = Counter(dict(zip(times, numbers, strict=True)))
        yield list(taken.elements()), list((times - taken).elements())


def stands_for(cards: list[str], wild: bool) -> Iterator[list[tuple[str, bool]]]:
    """(rank, is it natural) of each card: a 2 is a 2, or stands for any rank from 3 to A."""
    naturals = [(card, True) for card in cards if card != "2"]
    twos = cards.count("2")
    for plain in range(twos + 1) if wild else [twos]:
        for ranks in itertools.combinations_with_replacement(RUN, twos - plain):
            yield naturals + [("2", True)] * plain + [(rank, False) for rank in ranks]


def consecutive(laid: list[tuple[str, bool]], alike: int, rules: Grammar) -> list[str] | None:
    """The ranks of these groups, low to high, if the cards are consecutive groups of so many alike."""
    ranks = sorted({rank for rank, _ in laid}, key=ORDER.index)
    if not ranks or any(sum(rank == one for one, _ in laid) != alike for rank in ranks):
        return None
    if rules.needs_natural and any((rank, True) not in laid for rank in ranks):
        return None
    first = ORDER.index(ranks[0])
    return ranks if ranks == ORDER[first : first + len(ranks)] else None


@functools.cache
def in_pairs(cards: tuple[str, ...]) -> frozenset[frozenset[str]]:
    """Every way to put all cards into pairs, as the ranks of the pairs: two alike, or a card completed by a 2."""
    if not cards:
        return frozenset({frozenset()})
    one, *rest = cards
    found = set()
    for i, other in enumerate(rest):
        left = tuple(rest[:i] + rest[i + 1 :])
        rank = one if one == other else other if one == "2" else one if other == "2" else None
        rank = None if rank in ("LJ", "BJ") and one != other else rank
        if rank is not None:
            found |= {ranks | {rank} for ranks in in_pairs(left)}
    return frozenset(found)


def attachments(rest: list[str], kind: str, number: int, groups: list[str], two: bool, rules: Grammar) -> bool:
    """Are these the attachments: so many singles, or pairs; Jokers, a rank of the groups and 2s where allowed?"""
    if (("LJ" in rest or "BJ" in rest) and not rules.attach_joker) or ("2" in rest and not two):
        return False
    barred = set() if rules.attach_same else set(groups)
    if kind == "singles":
        return len(rest) == number and not set(rest) & barred
    return len(rest) == 2 * number and any(not ranks & barred for ranks in in_pairs(tuple(rest)))


def sizes(number: int) -> tuple[int, ...]:
    """How many cards so many attachments can be."""
    return (0, number, 2 * number)


def second(cards: list[str], rules: Grammar) -> set[Reading]:
    """All readings of these cards, from the table of section 3."""
    found: set[Reading] = set()
    place = {rank: i for i, rank in enumerate(ORDER)}
    jokers = [card for card in cards if card in ("LJ", "BJ")]
    others = [card for card in cards if card not in jokers]
    if len(cards) == 1:
        found.add(Reading("boat" if jokers else "single", 1, "", (place[cards[0]],)))
    if len(jokers) == 2 == len(cards):
        found.add(Reading("spaceship", 1, "", (jokers.count("BJ"),)))
    if len(jokers) == 1 and "2" not in others and len(set(others)) == 1 and len(others) in (1, 2):
        kind: Any = "boat_single" if len(others) == 1 else "boat_pair"
        found.add(Reading(kind, 1, "", (place[jokers[0]], place[others[0]])))
    if jokers and not rules.attach_joker:
        return found
    if len(cards) >= 4 and len(set(cards)) == 1 and not jokers:
        found.add(Reading("drone", 1, "", (len(cards), place[cards[0]])))
    bare_threes = cards == ["3", "3", "3"]
    if bare_threes and rules.super_drone:
        found.add(Reading("super_drone", 1, "", (0,)))
    for laid in stands_for(cards, wild=True):
        ranks = None if jokers else consecutive(laid, 2, rules)
        if ranks and len(ranks) == 1:
            found.add(Reading("pair", 1, "", (place[ranks[0]],)))
        if ranks and len(ranks) >= 3 and "2" not in ranks:
            found.add(Reading("pair_sequence", len(ranks), "", (place[ranks[-1]],)))
    for core, rest in takes(cards):
        if set(core) & set(jokers):
            continue
        for type_, alike, more in (("rocket", 3, 1), ("starship", 4, 2)):
            groups, left_over = divmod(len(core), alike)
            if left_over or not groups or len(rest) not in sizes(more * (groups if rules.per_group else 1)):
                continue
            for laid in stands_for(core, wild=type_ == "rocket"):
                ranks = consecutive(laid, alike, rules)
                if not ranks or ("2" in ranks and (len(ranks) > 1 or type_ == "starship")):
                    continue
                if not rest and (type_ == "rocket" or len(ranks) > 1) and not (bare_threes and rules.super_drone):
                    found.add(Reading(type_, len(ranks), "", (place[ranks[-1]],)))  # type: ignore[arg-type]
                number = more * (len(ranks) if rules.per_group else 1)
                for kind in ("singles", "pairs"):
                    two = type_ == "starship" or rules.attach_two
                    if rest and attachments(rest, kind, number, ranks, two, rules):
                        found.add(Reading(type_, len(ranks), kind, (place[ranks[-1]],)))  # type: ignore[arg-type]
    return found
