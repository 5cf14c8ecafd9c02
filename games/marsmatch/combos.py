"""The reader of combinations: every way in which a set of cards can be read, and which reading beats which.

Pure functions over counts. What belongs here: section 3 of the rules. What does not: who may play (rules.py), names of
readings (names.py), what a hand could form (finder.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.marsmatch.cards import ACE, BIG, LITTLE, THREE, TWO, Hand

Type: TypeAlias = Literal[
    "single", "boat", "boat_single", "boat_pair", "pair", "pair_sequence", "rocket", "starship", "drone",
    "super_drone", "spaceship",
]  # fmt: skip
Attached: TypeAlias = Literal["", "singles", "pairs"]
SEQUENCE = ACE + 1
"""Ranks that can be consecutive: 3 to A. Longer is no sequence."""
ALIKE = {"pair_sequence": 2, "rocket": 3, "starship": 4}
"""Cards of one rank in each group of a sequence."""
LEAST = {"pair_sequence": 3, "rocket": 1, "starship": 1}
"""Fewest groups. Source: MM-21; a lone bare quadruple is a Drone (MM-18)."""
PER_GROUP = {"rocket": 1, "starship": 2}
"""Attachments of one group: so many singles, or so many pairs."""
SIZE: dict[Attached, int] = {"": 0, "singles": 1, "pairs": 2}
"""Cards of one attachment."""
KINDS: tuple[Attached, ...] = ("", "singles", "pairs")
TIERS = {"drone": 1, "super_drone": 2, "spaceship": 3}
"""The bombs; everything else is of tier 0. Source: section 3, Beats 1; MM-30."""
ACROSS = {"boat": 4, "boat_single": 4, "boat_pair": 4, "starship": 3, "rocket": 2, "pair_sequence": 1}
"""With `cross_type`: the order of ordinary kinds, singles and pairs last. Source: MM-14."""


class Grammar(NamedTuple):
    """How combinations are read in a match, and by whom."""

    attach_two: bool = True
    """May a 2 be attached to a Rocket? Source: MM-31."""
    per_group: bool = True
    """Attachments grow with the groups; otherwise their number is that of one group. Source: MM-18."""
    needs_natural: bool = True
    """Each group needs a natural card of its rank. Source: MM-15."""
    super_drone: bool = True
    """Is a bare 3-3-3 the Super Drone? Otherwise it is a Rocket. Source: MM-17."""
    attach_same: bool = False
    """May an attachment have the rank of a group? Source: MM-18."""
    attach_joker: bool = False
    """May a Joker be attached to a Rocket or Starship? Source: MM-18."""


class Reading(NamedTuple):
    """One way to read cards. Type, groups and what is attached are the shape; `rank` compares as a tuple.

    `rank` holds places in the order of the cards; before it, of a Drone, how many cards it has; of a Boat, the Joker;
    of a Spaceship, how many Big Jokers.
    """

    type: Type
    groups: int
    attached: Attached
    rank: tuple[int, ...]


def readings(cards: Hand, grammar: Grammar) -> list[Reading]:
    """Every way in which exactly these cards can be read; none when they form nothing. Source: section 3.

    Args:
        cards: At least one card.
    """
    size = sum(cards)
    jokers = cards[LITTLE] or cards[BIG]
    if jokers and not (grammar.attach_joker and size > 3):
        return _with_jokers(cards, size)
    twos = cards[TWO]
    if size == 1:
        return [Reading("single", 1, "", (cards.index(1),))]
    if size == 2:
        return [Reading("pair", 1, "", (rank,)) for rank in _pairs(cards, twos, grammar)]
    results = [Reading("drone", 1, "", (size, cards.index(size)))] if size > 3 and size in cards[:LITTLE] else []
    if size == 3 and cards[THREE] == 3 and grammar.super_drone:
        return [Reading("super_drone", 1, "", (THREE,))]
    if size % 2 == 0 and size >= 6 and not jokers:
        results += _sequences(cards, twos, "pair_sequence", "", size // 2, grammar)
    for type_ in ("rocket", "starship"):
        most = max(cards[:TWO]) + (twos if type_ == "rocket" else 0)
        for attached in KINDS[bool(jokers) :] if most >= ALIKE[type_] else ():
            groups = groups_in(size, type_, attached, grammar)
            if groups > (type_ == "starship" and not attached):
                results += _sequences(cards, twos, type_, attached, groups, grammar)
                if groups == 1 and type_ == "rocket" and twos > 2 and _on_twos(cards, twos - 3, attached, grammar):
                    results.append(Reading("rocket", 1, attached, (TWO,)))
    return results


def _with_jokers(cards: Hand, size: int) -> list[Reading]:
    """A Spaceship, or a Lone Boat with or without a card or a natural pair, neither of 2s. Source: MM-12, MM-13."""
    if size == 2 == cards[LITTLE] + cards[BIG]:
        return [Reading("spaceship", 1, "", (cards[BIG],))]
    joker = BIG if cards[BIG] else LITTLE
    if size == 1:
        return [Reading("boat", 1, "", (joker,))]
    if size > 3 or size - 1 not in cards[:TWO]:
        return []
    return [Reading("boat_single" if size == 2 else "boat_pair", 1, "", (joker, cards.index(size - 1)))]


def _pairs(cards: Hand, twos: int, grammar: Grammar) -> Iterator[int]:
    if twos == 2:
        yield from () if grammar.needs_natural else range(SEQUENCE)
        yield TWO
    elif twos == 1:
        yield cards.index(1)
    elif 2 in cards:
        yield cards.index(2)


def groups_in(size: int, type_: str, attached: Attached, grammar: Grammar) -> int:
    """How many groups so many cards must have, 0 when they cannot be divided so."""
    extra = PER_GROUP[type_] * SIZE[attached]
    if grammar.per_group:
        groups, rest = divmod(size, ALIKE[type_] + extra)
    else:
        groups, rest = divmod(size - extra, ALIKE[type_])
    return 0 if rest else groups


def _sequences(
    cards: Hand, twos: int, type_: Type, attached: Attached, groups: int, grammar: Grammar
) -> Iterator[Reading]:
    """The readings as that many consecutive groups of 3 to A; what is left must be the attachments. Source: MM-15."""
    alike = ALIKE[type_]
    spare = 0 if type_ == "starship" else twos
    least = 1 if grammar.needs_natural else 0
    first, last = 0, SEQUENCE - groups
    if not attached:  # every natural card lies in a group
        ranks = [rank for rank in range(SEQUENCE) if cards[rank]]
        first, last = (max(0, ranks[-1] + 1 - groups), min(ranks[0], last)) if ranks else (first, last)
    for start in range(first, last + 1):
        if cards[start] < least or (cards[start] > alike and not grammar.attach_same):
            continue
        window = cards[start : start + groups]
        own = [min(copies, alike) for copies in window] if grammar.attach_same else window
        used = alike * groups - sum(own)
        grouped = 0 <= used <= spare and max(own) <= alike and min(own) >= least
        if not grouped:
            continue
        rest = cards[:start] + cards[start + groups : TWO] + cards[LITTLE:]
        surplus = [copies - kept for copies, kept in zip(window, own, strict=True)]
        able = [kept - least for kept in own] if grammar.attach_same else []
        if not attached or _attaches(rest, surplus, able, twos - used, type_, attached, grammar):
            yield Reading(type_, groups, attached, (start + groups - 1,))


def _attaches(
    rest: Sequence[int],
    surplus: Sequence[int],
    able: Sequence[int],
    twos: int,
    type_: Type,
    attached: Attached,
    grammar: Grammar,
) -> bool:
    """Can what lies outside the groups, with so many 2s, be the attachments? Source: MM-15, MM-18, MM-31.

    Args:
        rest: How many there are of each other rank; of the Jokers last, of which no 2 makes a pair.
        surplus: The same of the ranks of the groups.
        able: How many cards of each of these 2s may stand for, so that the cards themselves are attached.
    """
    odd = sum(copies & 1 for copies in (*rest, *surplus))
    if twos and type_ == "rocket" and not grammar.attach_two:
        return twos <= sum(able) and (attached == "singles" or _freed(surplus, able, twos, odd))
    return attached == "singles" or (odd <= twos and not (rest[-1] & 1 or rest[-2] & 1))


def _freed(surplus: Sequence[int], able: Sequence[int], twos: int, odd: int) -> bool:
    """Are all of them pairs when each of these 2s stands for a card of a group, which is attached instead?"""
    mended = [copies & 1 for copies in surplus]
    if sum(mended) < odd or any(need > most for need, most in zip(mended, able, strict=True)):
        return False
    further = twos - sum(mended)
    return further % 2 == 0 and 0 <= further <= sum(
        (most - need) // 2 * 2 for need, most in zip(mended, able, strict=True)
    )


def _on_twos(cards: Hand, twos: int, attached: Attached, grammar: Grammar) -> bool:
    """May 2-2-2 have the rest attached? A further 2 is a card of the group's rank. Source: MM-16, MM-18, MM-31."""
    if twos and not grammar.attach_two:
        return False
    if attached != "pairs":
        return not twos or grammar.attach_same
    odd = sum(copies & 1 for copies in cards[:TWO])
    return (twos == odd or (grammar.attach_same and odd <= twos)) and not (cards[LITTLE] & 1 or cards[BIG] & 1)


# ---- comparing ---------------------------------------------------------------------------------------------------


def tier(reading: Reading) -> int:
    """0 for what is no bomb."""
    return TIERS.get(reading.type, 0)


def shape(reading: Reading) -> tuple[str, int, Attached]:
    """What must be equal for two ordinary readings to compare; a Lone Boat is compared as a single. Source: MM-12."""
    return ("single" if reading.type == "boat" else reading.type, reading.groups, reading.attached)


def beats(new: Reading, old: Reading, *, cross_type: bool = False) -> bool:
    """Does the new reading beat the old one? Equal never does. Source: section 3, Beats; MM-14, MM-23, MM-30.

    >>> beats(Reading("drone", 1, "", (5, 1)), Reading("drone", 1, "", (4, TWO)))
    True
    >>> beats(Reading("pair", 1, "", (3,)), Reading("single", 1, "", (2,)))
    False
    """
    if tier(new) != tier(old):
        return tier(new) > tier(old)
    if not tier(new) and shape(new) != shape(old):
        return cross_type and ACROSS.get(new.type, 0) > ACROSS.get(old.type, 0)
    return new.rank > old.rank


def best(candidates: Sequence[Reading]) -> list[Reading]:
    """Those readings that no other of the same cards makes pointless: the strongest bomb, or the highest rank of each
    shape, most groups first. More than one: the player must say which is meant."""
    if bombs := [reading for reading in candidates if tier(reading)]:
        return [max(bombs, key=lambda reading: (tier(reading), reading.rank))]
    highest: dict[tuple[str, int, Attached], Reading] = {}
    for reading in sorted(candidates, key=lambda reading: reading.rank):
        highest[shape(reading)] = reading
    return sorted(highest.values(), key=lambda reading: (-reading.groups, reading.attached, reading.type))
