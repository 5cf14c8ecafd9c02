"""What readings are called: in words, in a command, and why one beats another or does not."""

from __future__ import annotations

from collections.abc import Sequence

from games.kinds import Kind, ParseContext, choice
from games.marsmatch.cards import CARD_PATTERN, RANKS
from games.marsmatch.combos import KINDS, TIERS, Reading, Type, beats, shape, tier

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
"""The one spelling of each type, and what it is called."""
SPACESHIPS = ("LL", "BL", "BB")


def rank_of(reading: Reading) -> str:
    """What decides between two of one type and shape, as views show it.

    >>> rank_of(Reading("boat_single", 1, "", (14, 0))), rank_of(Reading("spaceship", 1, "", (1,)))
    ('BJ 3', 'BL')
    """
    if reading.type == "spaceship":
        return SPACESHIPS[reading.rank[0]]
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
        case "boat":
            return f"{name} {rank}"
        case "boat_single" | "boat_pair":
            joker, attached = (RANKS[place] for place in reading.rank)
            return f"Boat {joker} with {'a pair of ' if reading.type == 'boat_pair' else ''}{attached}"
        case "drone":
            return f"{name} of {reading.rank[0]} × {rank}"
        case "super_drone":
            return name
        case "spaceship":
            return f"{name} {rank}"
    many = f"{reading.groups} {'pairs' if reading.type == 'pair_sequence' else 'groups'} up to "
    return f"{name} of {many if reading.groups > 1 else ''}{rank}{_with(reading)}"


def a_(reading: Reading) -> str:
    """The same with its article, where it takes one."""
    return called(reading) if reading.type == "single" else f"a {called(reading)}"


def _with(reading: Reading) -> str:
    """What is attached; of one group how many, of several it follows from the match's `attachments`."""
    if not reading.attached or reading.groups > 1:
        return f" with {reading.attached}" if reading.attached else ""
    single = reading.attached.removesuffix("s")
    return f" with a {single}" if reading.type == "rocket" else f" with two {reading.attached}"


def spelled(reading: Reading) -> str:
    """How `--as` says it: the type, the rank, what is attached. For given cards no two readings are spelled alike.

    >>> spelled(Reading("starship", 1, "pairs", (3,)))
    'starship:6+pairs'
    """
    return f"{reading.type}:{rank_of(reading).replace(' ', '')}" + (f"+{reading.attached}" if reading.attached else "")


def declared(candidates: Sequence[Reading], typed: str) -> list[Reading]:
    """Those readings that a declaration means: a type, or one reading as it is spelled."""
    return [reading for reading in candidates if typed in (reading.type, spelled(reading))]


_type = choice("combination", TYPES)


def _read(typed: str, desk: ParseContext) -> str:
    """`rocket`, `rocket:K`, `starship:6+pairs`, in any case."""
    type_, colon, rest = typed.strip().partition(":")
    word = _type.read(type_.replace("-", "_").replace(" ", "_"), desk)
    rank, plus, attached = rest.partition("+")
    rank = rank.upper().replace("T", "10")
    return word + (f":{rank}" if colon else "") + (f"+{attached.lower()}" if plus else "")


_ATTACHED = "|".join(filter(None, KINDS))
READING = Kind(
    "TYPE", rf"(?:{'|'.join(TYPES)})(?::(?:{CARD_PATTERN}{{1,2}}|BB|BL|LL)(?:\+(?:{_ATTACHED}))?)?", _read, tuple(TYPES)
)


# ---- why ---------------------------------------------------------------------------------------------------------


def why(new: Reading, old: Reading) -> str:
    """Why the new reading beats the old one, which it does."""
    if tier(new) != tier(old):
        return f"a {TYPES[new.type]} beats {_beaten_by(tier(new))}"
    if new.type == "drone" and new.rank[0] != old.rank[0]:
        return f"{new.rank[0]} cards against {old.rank[0]}: the longer Drone beats"
    if not tier(new) and shape(new) != shape(old):
        return f"a {TYPES[new.type]} ranks above a {TYPES[old.type]} (cross_type)"
    return f"{_higher(new, old)}, the same type and shape"


def _beaten_by(height: int) -> str:
    lower = [TYPES[name] for name, level in TIERS.items() if level < height]  # type: ignore[index]
    *first, last = ["everything that is no bomb", *(f"every {name}" for name in lower)]
    return f"{', '.join(first)} and {last}" if first else last


def _higher(new: Reading, old: Reading) -> str:
    """Which part of the rank decides."""
    if new.type == "spaceship":
        return f"{rank_of(new)} over {rank_of(old)}"
    place = next(i for i, (a, b) in enumerate(zip(new.rank, old.rank, strict=True)) if a != b)
    return f"{RANKS[new.rank[place]]} over {RANKS[old.rank[place]]}"


def why_not(ways: Sequence[Reading], old: Reading, *, cross_type: bool = False) -> str:
    """Why none of these readings beats the old one: of the reading that comes nearest, the part that fails."""
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
