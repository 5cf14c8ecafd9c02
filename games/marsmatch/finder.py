"""What a hand can form: each reading once, with cards that make it. For hints, and for the nearest legal play.

It goes through readings, not through sets of cards: a hand of 54 has a few hundred readings and 10^10 subsets.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.record import NamedTuple
from games.marsmatch.cards import BIG, EMPTY, LITTLE, THREE, TWO, Hand, minus, plus
from games.marsmatch.combos import (
    ALIKE,
    KINDS,
    LEAST,
    PER_GROUP,
    SEQUENCE,
    SIZE,
    Attached,
    Grammar,
    Reading,
    Type,
    tier,
)  # fmt: skip


class Formed(NamedTuple):
    """A reading, and cards of the hand that can be read so: low attachments, few 2s."""

    reading: Reading
    cards: Hand


def formable(hand: Hand, grammar: Grammar) -> Iterator[Formed]:
    """Every reading that some of these cards can have, each once, by type."""
    for rank, copies in enumerate(hand):
        if copies:
            yield Formed(Reading("boat" if rank >= LITTLE else "single", 1, "", (rank,)), _some(rank, 1))
    yield from _pairs(hand, grammar)
    yield from _boats(hand)
    for type_ in ("pair_sequence", "rocket", "starship"):
        for attached in KINDS if type_ in PER_GROUP else KINDS[:1]:
            yield from _sequences(hand, type_, attached, grammar)
    yield from _bombs(hand, grammar)


def _some(rank: int, copies: int) -> Hand:
    return EMPTY[:rank] + (copies,) + EMPTY[rank + 1 :]


def _pairs(hand: Hand, grammar: Grammar) -> Iterator[Formed]:
    for rank in range(SEQUENCE):
        lacking = max(0, 2 - hand[rank])
        if lacking <= hand[TWO] and not (grammar.needs_natural and lacking == 2):
            yield Formed(Reading("pair", 1, "", (rank,)), plus(_some(rank, 2 - lacking), _some(TWO, lacking)))
    if hand[TWO] >= 2:
        yield Formed(Reading("pair", 1, "", (TWO,)), _some(TWO, 2))


def _boats(hand: Hand) -> Iterator[Formed]:
    for joker in (LITTLE, BIG):
        for rank in range(SEQUENCE) if hand[joker] else ():
            if hand[rank]:
                yield Formed(Reading("boat_single", 1, "", (joker, rank)), plus(_some(joker, 1), _some(rank, 1)))
            if hand[rank] >= 2:
                yield Formed(Reading("boat_pair", 1, "", (joker, rank)), plus(_some(joker, 1), _some(rank, 2)))


def _bombs(hand: Hand, grammar: Grammar) -> Iterator[Formed]:
    for rank in range(TWO + 1):
        for size in range(4, hand[rank] + 1):
            yield Formed(Reading("drone", 1, "", (size, rank)), _some(rank, size))
    if hand[THREE] >= 3 and grammar.super_drone:
        yield Formed(Reading("super_drone", 1, "", (THREE,)), _some(THREE, 3))
    for big in range(3):
        if hand[BIG] >= big and hand[LITTLE] >= 2 - big:
            yield Formed(Reading("spaceship", 1, "", (big,)), plus(_some(BIG, big), _some(LITTLE, 2 - big)))


def _sequences(hand: Hand, type_: Type, attached: Attached, grammar: Grammar) -> Iterator[Formed]:
    """Groups of 3 to A from each start, as long as they last; then the lone 2-2-2."""
    alike, least = ALIKE[type_], LEAST[type_]
    if type_ == "starship" and not attached:
        least = 2
    for start in range(SEQUENCE):
        used, cards = 0, EMPTY
        for rank in range(start, SEQUENCE):
            natural = min(alike, hand[rank])
            used += alike - natural
            if used > hand[TWO] or (type_ == "starship" and used) or (grammar.needs_natural and not natural):
                break
            cards = plus(cards, _some(rank, natural))
            groups = rank - start + 1
            if groups < least:
                continue
            wild, group = used, cards
            if (type_, rank, groups, attached, wild) == ("rocket", THREE, 1, "", 0) and grammar.super_drone:
                if not hand[TWO]:
                    continue
                wild, group = 1, _some(THREE, 2)  # three natural 3s would be the Super Drone
            for body, twos in _grouped(hand, group, wild, attached, grammar):
                rest = minus(hand, plus(body, _some(TWO, twos)))
                if not grammar.attach_same:
                    rest = rest[:start] + (0,) * groups + rest[rank + 1 :]
                extra = _attachments(rest, type_, attached, groups, grammar, plain_twos=True)
                if extra is not None:
                    yield Formed(Reading(type_, groups, attached, (rank,)), plus(plus(body, _some(TWO, twos)), extra))
                    break
    if type_ == "rocket" and hand[TWO] >= 3:
        rest = minus(hand, _some(TWO, 3))
        extra = _attachments(rest, type_, attached, 1, grammar, plain_twos=grammar.attach_same)
        if extra is not None:
            yield Formed(Reading("rocket", 1, attached, (TWO,)), plus(_some(TWO, 3), extra))


def _grouped(hand: Hand, group: Hand, wild: int, attached: Attached, grammar: Grammar) -> Iterator[tuple[Hand, int]]:
    """The cards of the groups and how many 2s complete them, with few 2s first.

    More of them where no 2 may be attached, and a card of a group may: it is attached, and a 2 stands for it. MM-18.
    """
    yield group, wild
    least = 1 if grammar.needs_natural else 0
    while attached and grammar.attach_same and not grammar.attach_two and wild < hand[TWO]:
        able = [rank for rank in range(SEQUENCE) if group[rank] > least]
        odd = [rank for rank in able if (hand[rank] - group[rank]) & 1]
        twice = [rank for rank in able if group[rank] > least + 1]
        if attached == "pairs" and not odd and (not twice or wild + 2 > hand[TWO]):
            return
        if not able:
            return
        size = 1 if attached == "singles" or odd else 2
        group = minus(group, _some((odd or twice or able)[0], size))
        wild += size
        yield group, wild


def _attachments(
    rest: Hand, type_: Type, attached: Attached, groups: int, grammar: Grammar, *, plain_twos: bool
) -> Hand | None:
    """The lowest cards of the rest that can be attached, natural ones before 2s; None when there are too few."""
    if not attached:
        return EMPTY
    wanted = PER_GROUP[type_] * (groups if grammar.per_group else 1)
    size = SIZE[attached]
    two = type_ == "starship" or grammar.attach_two
    chosen, twos = list(EMPTY), rest[TWO] if two else 0
    for rank in range(SEQUENCE):
        taken = min(wanted, rest[rank] // size)
        chosen[rank], wanted = taken * size, wanted - taken
    for rank in range(SEQUENCE) if attached == "pairs" else ():
        if wanted and chosen[TWO] < twos and rest[rank] > chosen[rank]:
            chosen[rank], chosen[TWO], wanted = chosen[rank] + 1, chosen[TWO] + 1, wanted - 1
    if plain_twos:
        taken = min(wanted, (twos - chosen[TWO]) // size)
        chosen[TWO], wanted = chosen[TWO] + taken * size, wanted - taken
    for rank in (LITTLE, BIG) if grammar.attach_joker else ():
        taken = min(wanted, rest[rank] // size)
        chosen[rank], wanted = taken * size, wanted - taken
    return None if wanted else tuple(chosen)


def nearest(cards: Hand, grammar: Grammar) -> Formed:
    """Of these cards, at least one of which is there: the most that form something together."""
    return max(
        formable(cards, grammar), key=lambda formed: (sum(formed.cards), tier(formed.reading), formed.reading.rank)
    )
