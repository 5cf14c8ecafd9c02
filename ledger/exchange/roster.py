"""A roster from a pasted list of names: ids, further spellings and channels are proposed.

Belongs here: what a name suggests. Does not belong here: what a roster may be (matchfile.py), asking (cli/init.py).
The host may change every word of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from events.audiences import RESERVED
from events.record import NamedTuple
from games.kinds import clean, fold

_BULLET = re.compile(r"(?:[-*•–·]|\d{1,3}[.)])\s+")
"""What begins each line of a list."""
_SEPARATOR = re.compile(r"[,;\t،、，；]")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
"""Pronouns and the like: part of the name, and no spelling of it."""
_WORD_GAP = re.compile(r"""[\s_|/\\&+.:!?"“”„«»(){}<>\[\]@#~*=‐-―-]+""")
"""Between the words of a name."""
_TO_LATIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "", "'": ""}
)
"""Letters that do not decompose into a plain letter and a mark."""
MAX_ID = 32


class Seat(NamedTuple):
    """One player of a match file."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    channel: str | None = None


def names_in(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of a paste: one a line, or with commas between them; the marks of a list are none of it.

    >>> names_in(["1. Mara Jade", "2. @Bob", ""]), names_in(["Ann, Bob ,Cyd"])
    (('Mara Jade', 'Bob'), ('Ann', 'Bob', 'Cyd'))
    """
    entries = [entry for entry in map(clean, lines) if entry]
    if entries and all(_BULLET.match(line) for line in entries):
        entries = [_BULLET.sub("", line, count=1) for line in entries]
    names = [part.strip().removeprefix("@").strip() for line in entries for part in _SEPARATOR.split(line)]
    return tuple(name for name in names if name)


def seats(names: Sequence[str]) -> tuple[Seat, ...]:
    """A seat for each name, in this order.

    The id is the first word of the name in a-z, all of its words where two begin alike, and `p` with the number of the
    seat where the name has no such letters. Further spellings are the other words of the name that nobody shares.

    >>> [(seat.id, seat.aliases, seat.channel) for seat in seats(["Zoë (she)", "An Li", "An Ko", "דנה"])]
    [('zoe', ('zoë',), '#zoe'), ('an_li', ('li',), '#an-li'), ('an_ko', ('ko',), '#an-ko'), ('p4', (), '#דנה')]
    """
    words = [_words(name) for name in names]
    count = Counter(word for name_words in words for word in {fold(word) for word in name_words})
    spellings = [[*filter(None, map(_latin, name_words))] for name_words in words]
    first_words = Counter(next(iter(latin), "") for latin in spellings)
    ids: list[str] = []
    for number, (name, latin) in enumerate(zip(names, spellings, strict=True), 1):
        others = {*map(fold, names)} - {fold(name)}
        ids.append(_free_id(latin if first_words[next(iter(latin), "")] > 1 else latin[:1], number, {*ids, *others}))
    taken = {*ids, *map(fold, names)}
    roster: list[Seat] = []
    for name, name_words, player in zip(names, words, ids, strict=True):
        own = [fold(word) for word in dict.fromkeys(name_words) if len(word) > 1 and count[fold(word)] == 1]
        channel = _channel(name, player, [seat.channel for seat in roster])
        roster.append(Seat(player, name, tuple(word for word in own if word not in taken), channel))
    return tuple(roster)


def _words(name: str) -> list[str]:
    """The words of a name: its letters, digits and combining marks."""
    parts = ("".join(filter(_in_word, part)) for part in _WORD_GAP.split(_BRACKETS.sub(" ", name)))
    return [part for part in parts if any(map(str.isalnum, part))]


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign in "'’" or (unicodedata.category(sign)[0] == "M" and not "\ufe00" <= sign <= "\ufe0f")


def _latin(word: str) -> str:
    """A word in a-z and 0-9; other characters are left out."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold().translate(_TO_LATIN))
    return re.sub(r"[^a-z0-9]", "", plain)


def _free_id(words: Sequence[str], number: int, taken: Collection[str]) -> str:
    """An id that is neither the id nor the name of anybody."""
    proposed = re.sub(r"^[^a-z]+", "", "_".join(words))[:MAX_ID].strip("_") or f"p{number}"
    candidates = (proposed, *(f"{proposed[: MAX_ID - 4]}_{n}" for n in range(2, len(taken) + len(RESERVED) + 3)))
    return next(candidate for candidate in candidates if candidate not in taken and candidate not in RESERVED)


def _channel(name: str, player: str, taken: Sequence[str | None]) -> str:
    """A channel as Discord spells them: in the letters of the name, small, with hyphens between the words."""
    by_name = "-".join(_words(name)).casefold() if not name.isascii() else ""
    by_id = f"#{player.replace('_', '-')}"
    proposed = f"#{by_name}" if by_name and re.fullmatch(r"p\d+(_\d+)?", player) else by_id
    return proposed if proposed not in taken and proposed not in ("#public", "#everybody") else by_id
