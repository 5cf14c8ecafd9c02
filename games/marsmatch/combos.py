"""Combinations: every way to read a set of cards, what beats what, their names, and what a hand can form.

What belongs here: section 3 of the rules, as pure functions of counts. What does not: who may play (rules.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.kinds import Kind, ParseContext, choice, listed
from games.marsmatch.cards import ACE, BIG, CARD_PATTERN, EMPTY, LITTLE, RANKS, THREE, TWO, Hand, minus, plus

Type: TypeAlias = Literal[
    "single", "boat", "boat_single", "boat_pair", "pair", "pair_sequence", "rocket", "starship", "drone",
    "super_drone", "spaceship",
]  # fmt: skip
Attached: TypeAlias = Literal["", "singles", "pairs"]
SEQUENCE = ACE + 1
"""The number of ranks that can be consecutive: 3 to A."""
ALIKE = {"pair_sequence": 2, "rocket": 3, "starship": 4}
"""The cards of one rank in each group of a sequence."""
PER_GROUP = {"rocket": 1, "starship": 2}
"""The attachments of one group, singles or pairs."""
SIZE: dict[Attached, int] = {"": 0, "singles": 1, "pairs": 2}
KINDS: tuple[Attached, ...] = ("", "singles", "pairs")
TIERS = {"drone": 1, "super_drone": 2, "spaceship": 3}
"""The bombs; everything else is of tier 0. Source: section 3, Beats 1; MM-30."""
ACROSS = {"boat": 4, "boat_single": 4, "boat_pair": 4, "starship": 3, "rocket": 2, "pair_sequence": 1}
"""The order of ordinary types with `cross_type`; singles and pairs come last. Source: MM-14."""


class Grammar(NamedTuple):
    """How combinations are read in a match, for one player."""

    attach_two: bool = True
    """May a 2 be attached to a Rocket? Source: MM-31."""
    per_group: bool = True
    """Do attachments grow with the groups? Otherwise there are as many as for one group. Source: MM-18."""
    needs_natural: bool = True
    """Does each group need a natural card of its rank? Source: MM-15."""
    super_drone: bool = True
    """Is 3-3-3 without attachments the Super Drone? Otherwise it is a Rocket. Source: MM-17."""
    attach_same: bool = False
    """May an attachment have the rank of a group? Source: MM-18."""
    attach_joker: bool = False
    """May a Joker be attached to a Rocket or Starship? Source: MM-18."""


class Reading(NamedTuple):
    """One way to read cards. Type, groups and attachments are the shape; `rank` compares as a tuple.

    `rank` holds indexes into `RANKS`. A Drone has the number of its cards before that, a Boat its Joker; a Spaceship
    has the number of Big Jokers.
    """

    type: Type
    groups: int
    attached: Attached
    rank: tuple[int, ...]


def readings(cards: Hand, grammar: Grammar) -> list[Reading]:
    """Every way to read exactly these cards; empty if they form no combination. Source: section 3.

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
    """The readings with Jokers: a Spaceship, or a Lone Boat alone, with a card or with a natural pair, neither of 2s.

    Source: MM-12, MM-13.
    """
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
    """The number of groups that `size` cards must have; 0 if they cannot be divided like that."""
    extra = PER_GROUP[type_] * SIZE[attached]
    if grammar.per_group:
        groups, rest = divmod(size, ALIKE[type_] + extra)
    else:
        groups, rest = divmod(size - extra, ALIKE[type_])
    return 0 if rest else groups


def _sequences(
    cards: Hand, twos: int, type_: Type, attached: Attached, groups: int, grammar: Grammar
) -> Iterator[Reading]:
    """The readings as `groups` consecutive groups of 3 to A; the remaining cards must be the attachments.

    Source: MM-15, MM-18, MM-31.
    """
    alike = ALIKE[type_]
    spare = 0 if type_ == "starship" else twos
    least = 1 if grammar.needs_natural else 0
    first, last = 0, SEQUENCE - groups
    if not attached:  # every natural card belongs to a group
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
        odd, left = sum(copies & 1 for copies in (*rest, *surplus)), twos - used
        if left and type_ == "rocket" and attached and not grammar.attach_two:  # 2s replace cards of the groups
            fits = left <= sum(able) and (attached == "singles" or _freed(surplus, able, left, odd))
        else:  # Jokers are last in the rest: a 2 cannot pair with one
            fits = attached != "pairs" or (odd <= left and not (rest[-1] & 1 or rest[-2] & 1))
        if fits:
            yield Reading(type_, groups, attached, (start + groups - 1,))


def _freed(surplus: Sequence[int], able: Sequence[int], twos: int, odd: int) -> bool:
    """Are all attachments pairs if each 2 replaces a card of a group, which is attached instead?"""
    mended = [copies & 1 for copies in surplus]
    if sum(mended) < odd or any(need > most for need, most in zip(mended, able, strict=True)):
        return False
    further = twos - sum(mended)
    pairs = sum((most - need) // 2 * 2 for need, most in zip(mended, able, strict=True))
    return further % 2 == 0 and 0 <= further <= pairs


def _on_twos(cards: Hand, twos: int, attached: Attached, grammar: Grammar) -> bool:
    """May the rest be attached to 2-2-2? A further 2 has the group's rank. Source: MM-16, MM-18, MM-31."""
    if twos and not grammar.attach_two:
        return False
    if attached != "pairs":
        return not twos or grammar.attach_same
    odd = sum(copies & 1 for copies in cards[:TWO])
    return (twos == odd or (grammar.attach_same and odd <= twos)) and not (cards[LITTLE] & 1 or cards[BIG] & 1)


# ---- comparing ---------------------------------------------------------------------------------------------------


def tier(reading: Reading) -> int:
    """The tier of a bomb; 0 for anything else."""
    return TIERS.get(reading.type, 0)


def shape(reading: Reading) -> tuple[str, int, Attached]:
    """What must be equal for two ordinary readings to compare; a Lone Boat compares as a single. Source: MM-12."""
    return ("single" if reading.type == "boat" else reading.type, reading.groups, reading.attached)


def beats(new: Reading, old: Reading, *, cross_type: bool = False) -> bool:
    """Does the new reading beat the old one? An equal one does not. Source: section 3, Beats; MM-14, MM-23, MM-30.

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
    """The readings of the same cards that are worth declaring: the strongest bomb, or the highest rank of each shape,
    most groups first. If there are several, the player must say which one is meant."""
    if bombs := [reading for reading in candidates if tier(reading)]:
        return [max(bombs, key=lambda reading: (tier(reading), reading.rank))]
    highest: dict[tuple[str, int, Attached], Reading] = {}
    for reading in sorted(candidates, key=lambda reading: reading.rank):
        highest[shape(reading)] = reading
    return sorted(highest.values(), key=lambda reading: (-reading.groups, reading.attached, reading.type))


# ---- names of readings, in sentences and in commands ---------------------------------------------------------------

TYPES: dict[Type, str] = {
    "single": "single card",
    "boat": "Lone Boat",
    "boat_single": "Boat with a single",
    "boat_pair": "Boat with a pair",
    "pair": "Pair",
    "pair_sequence": "Pair Sequence",
    "rocket": "Rocket",
    "starship": "Starship",
    "drone": "Drone",
    "super_drone": "Super Drone",
    "spaceship": "Spaceship",
}
"""Type -> its name in a sentence."""


def rank_of(reading: Reading) -> str:
    """What decides between two readings of one shape, as views show it.

    >>> rank_of(Reading("boat_single", 1, "", (14, 0))), rank_of(Reading("spaceship", 1, "", (1,)))
    ('BJ 3', 'BL')
    """
    if reading.type == "spaceship":
        return ("LL", "BL", "BB")[reading.rank[0]]
    if reading.type in ("boat_single", "boat_pair"):
        return f"{RANKS[reading.rank[0]]} {RANKS[reading.rank[1]]}"
    return RANKS[reading.rank[-1]]


def called(reading: Reading) -> str:
    """A reading in words.

    >>> called(Reading("rocket", 2, "pairs", (11,))), called(Reading("boat", 1, "", (13,)))
    ('Rocket of 2 groups up to A with pairs', 'Lone Boat LJ')
    """
    rank, name = rank_of(reading), TYPES[reading.type]
    match reading.type:
        case "single":
            return f"single {rank}"
        case "boat" | "spaceship":
            return f"{name} {rank}"
        case "boat_single" | "boat_pair":
            joker, attached = (RANKS[place] for place in reading.rank)
            return f"Boat {joker} with {'a pair of ' if reading.type == 'boat_pair' else ''}{attached}"
        case "drone":
            return f"{name} of {reading.rank[0]} × {rank}"
        case "super_drone":
            return name
    many = f"{reading.groups} {'pairs' if reading.type == 'pair_sequence' else 'groups'} up to "
    return f"{name} of {many if reading.groups > 1 else ''}{rank}{_with(reading)}"


def a_(reading: Reading) -> str:
    """A reading in words, with its article."""
    return called(reading) if reading.type == "single" else f"a {called(reading)}"


def _with(reading: Reading) -> str:
    """The attachments in words; their number only for one group, because for several it follows from the settings."""
    if not reading.attached or reading.groups > 1:
        return f" with {reading.attached}" if reading.attached else ""
    single = reading.attached.removesuffix("s")
    return f" with a {single}" if reading.type == "rocket" else f" with two {reading.attached}"


def spelled(reading: Reading) -> str:
    """A reading as `--as` takes it: type, rank, attachments. It is unique among the readings of the same cards.

    >>> spelled(Reading("starship", 1, "pairs", (3,)))
    'starship:6+pairs'
    """
    return f"{reading.type}:{rank_of(reading).replace(' ', '')}" + (f"+{reading.attached}" if reading.attached else "")


def declared(candidates: Sequence[Reading], typed: str) -> list[Reading]:
    """The readings that a declaration means: those of a type, or one as it is spelled."""
    return [reading for reading in candidates if typed in (reading.type, spelled(reading))]


_TYPE_WORD = choice("combination", TYPES)


def _read_reading(typed: str, desk: ParseContext) -> str:
    """Read `rocket`, `rocket:K` or `starship:6+pairs`, in any case."""
    type_, colon, rest = typed.strip().partition(":")
    word = _TYPE_WORD.read(type_.replace("-", "_").replace(" ", "_"), desk)
    rank, plus, attached = rest.partition("+")
    rank = rank.upper().replace("T", "10")
    return word + (f":{rank}" if colon else "") + (f"+{attached.lower()}" if plus else "")


READING = Kind(
    "TYPE",
    rf"(?:{'|'.join(TYPES)})(?::(?:{CARD_PATTERN}{{1,2}}|BB|BL|LL)(?:\+(?:singles|pairs))?)?",
    _read_reading,
    tuple(TYPES),
)


# ---- why ---------------------------------------------------------------------------------------------------------


def why(new: Reading, old: Reading) -> str:
    if tier(new) != tier(old):
        beaten = (f"every {name}" for type_, name in TYPES.items() if 0 < TIERS.get(type_, 0) < tier(new))
        return f"a {TYPES[new.type]} beats {listed(['everything that is no bomb', *beaten])}"
    if new.type == "drone" and new.rank[0] != old.rank[0]:
        return f"{new.rank[0]} cards against {old.rank[0]}: the longer Drone beats"
    if not tier(new) and shape(new) != shape(old):
        return f"a {TYPES[new.type]} ranks above a {TYPES[old.type]} (cross_type)"
    if new.type == "spaceship":
        higher, lower = rank_of(new), rank_of(old)
    else:
        ranks = zip(new.rank, old.rank, strict=True)
        higher, lower = next((RANKS[a], RANKS[b]) for a, b in ranks if a != b)
    return f"{higher} over {lower}, the same type and shape"


def why_not(ways: Sequence[Reading], old: Reading, *, cross_type: bool = False) -> str:
    """Why none of these readings beats the old one: what is lacking in the closest one."""
    new = max(ways, key=lambda r: (tier(r) == tier(old), shape(r) == shape(old), r.type == old.type, tier(r), r.rank))
    against = f"{called(new)} against {called(old)}"
    if beats(new, old, cross_type=cross_type):
        raise AssertionError(f"{against}: it beats")
    faults = (
        (tier(new) < tier(old), f"only a higher bomb beats a {TYPES[old.type]}"),
        (new.rank == old.rank and shape(new) == shape(old), "equal, and equal never beats"),
        (not tier(new) and shape(new)[0] != shape(old)[0], "another type"),
        (new.groups != old.groups, "the same type, another length"),
        (new.attached != old.attached, "the same type, other attachments"),
        (new.type == "drone" and new.rank[0] != old.rank[0], "the shorter Drone"),
        (True, "the rank is not higher"),
    )
    return f"{against}: {next(fault for is_it, fault in faults if is_it)}"


# ---- what a hand can form ------------------------------------------------------------------------------------------
#
# This enumerates readings and not sets of cards: a hand of 54 has a few hundred readings and 10^10 subsets.


class Formed(NamedTuple):
    """A reading, and cards of the hand that form it, with low attachments and few 2s."""

    reading: Reading
    cards: Hand


def formable(hand: Hand, grammar: Grammar) -> Iterator[Formed]:
    """Every reading that some of these cards can form, each once, by type."""
    for rank, copies in enumerate(hand):
        if copies:
            yield Formed(Reading("boat" if rank >= LITTLE else "single", 1, "", (rank,)), _some(rank, 1))
    for rank in range(SEQUENCE):
        lacking = max(0, 2 - hand[rank])
        if lacking <= hand[TWO] and not (grammar.needs_natural and lacking == 2):
            yield Formed(Reading("pair", 1, "", (rank,)), plus(_some(rank, 2 - lacking), _some(TWO, lacking)))
    if hand[TWO] >= 2:
        yield Formed(Reading("pair", 1, "", (TWO,)), _some(TWO, 2))
    for joker in (LITTLE, BIG):
        for rank in range(SEQUENCE) if hand[joker] else ():
            if hand[rank]:
                yield Formed(Reading("boat_single", 1, "", (joker, rank)), plus(_some(joker, 1), _some(rank, 1)))
            if hand[rank] >= 2:
                yield Formed(Reading("boat_pair", 1, "", (joker, rank)), plus(_some(joker, 1), _some(rank, 2)))
    for type_ in ("pair_sequence", "rocket", "starship"):
        for attached in KINDS if type_ in PER_GROUP else KINDS[:1]:
            yield from _form_sequences(hand, type_, attached, grammar)
    for rank in range(TWO + 1):
        for size in range(4, hand[rank] + 1):
            yield Formed(Reading("drone", 1, "", (size, rank)), _some(rank, size))
    if hand[THREE] >= 3 and grammar.super_drone:
        yield Formed(Reading("super_drone", 1, "", (THREE,)), _some(THREE, 3))
    for big in range(3):
        if hand[BIG] >= big and hand[LITTLE] >= 2 - big:
            yield Formed(Reading("spaceship", 1, "", (big,)), plus(_some(BIG, big), _some(LITTLE, 2 - big)))


def _some(rank: int, copies: int) -> Hand:
    return EMPTY[:rank] + (copies,) + EMPTY[rank + 1 :]


def _form_sequences(hand: Hand, type_: Type, attached: Attached, grammar: Grammar) -> Iterator[Formed]:
    """Sequences of groups of 3 to A from each start, as long as they go; then the lone 2-2-2."""
    alike = ALIKE[type_]
    least = {"pair_sequence": 3, "starship": 1 if attached else 2}.get(type_, 1)  # MM-21; a bare quadruple is a Drone
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
    """(the cards of the groups, the number of 2s that complete them), fewest 2s first.

    More 2s are used if a 2 may not be attached but a card of a group may: a 2 then replaces it. Source: MM-18.
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
    """The lowest cards of the rest that can be attached, natural ones before 2s; None if there are too few."""
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
    """The largest combination that some of these cards, at least one, form."""
    return max(
        formable(cards, grammar), key=lambda formed: (sum(formed.cards), tier(formed.reading), formed.reading.rank)
    )
