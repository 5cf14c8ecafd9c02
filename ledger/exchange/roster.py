"""A roster out of a list of names that somebody pasted: ids, further spellings and channels are proposed.

Belongs here: what a name suggests. Does not belong here: what a roster may be (matchfile.py), asking (cli/init.py).
Nothing is decided here: whoever asked for it may change every word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence

from events.audiences import RESERVED
from events.record import NamedTuple
from games.kinds import clean, fold

_MARKED = re.compile(r"(?:[-*•–·]|\d{1,3}[.)])\s+")
"""What begins each line of a list."""
_BETWEEN = re.compile(r"[,;\t،、，；]")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
"""Pronouns and the like: part of the name, and no spelling of it."""
_GAP = re.compile(r"""[\s_|/\\&+.:!?"“”„«»(){}<>\[\]@#~*=‐-―-]+""")
"""Between the words of a name."""
_LATIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "", "'": ""}
)
"""Letters that are no other letter with a mark."""
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
    kept = [line for line in (clean(line) for line in lines) if line]
    if kept and all(_MARKED.match(line) for line in kept):
        kept = [_MARKED.sub("", line, count=1) for line in kept]
    names = [part.strip().removeprefix("@").strip() for line in kept for part in _BETWEEN.split(line)]
    return tuple(name for name in names if name)


def seats(names: Sequence[str]) -> tuple[Seat, ...]:
    """A seat for each name, in this order.

    The id is the first word of the name in a-z, all of its words where two begin alike, and `p` with the number of the
    seat where the name has no such letters. Further spellings are the other words of the name that nobody shares.

    >>> [(seat.id, seat.aliases, seat.channel) for seat in seats(["Zoë (she)", "An Li", "An Ko", "דנה"])]
    [('zoe', ('zoë',), '#zoe'), ('an_li', ('li',), '#an-li'), ('an_ko', ('ko',), '#an-ko'), ('p4', (), '#דנה')]
    """
    words = [_words(name) for name in names]
    latin = [[_latin(word) for word in one] for one in words]
    heads = Counter(next(filter(None, one), "") for one in latin)
    ids: list[str] = []
    for number, one in enumerate(latin, 1):
        spelled = [word for word in one if word]
        others = {fold(name) for name in names} - {fold(names[number - 1])}
        ids.append(_free_id(spelled if heads[next(iter(spelled), "")] > 1 else spelled[:1], number, {*ids, *others}))
    count = Counter(word for one in words for word in {fold(word) for word in one})
    taken = {*ids, *map(fold, names)}
    made: list[Seat] = []
    for name, one, id_ in zip(names, words, ids, strict=True):
        further = [fold(word) for word in dict.fromkeys(one) if len(word) > 1 and count[fold(word)] == 1]
        channel = _channel(name, id_, [seat.channel for seat in made])
        made.append(Seat(id_, name, tuple(word for word in further if word not in taken), channel))
    return tuple(made)


def _words(name: str) -> list[str]:
    """The words of a name, of letters, digits and what is set over them alone."""
    parts = ("".join(filter(_of_a_word, part)) for part in _GAP.split(_ASIDE.sub(" ", name)))
    return [part for part in parts if any(map(str.isalnum, part))]


def _of_a_word(sign: str) -> bool:
    return sign.isalnum() or sign in "'’" or (unicodedata.category(sign)[0] == "M" and not "\ufe00" <= sign <= "\ufe0f")


def _latin(word: str) -> str:
    """A word in a-z and 0-9; what cannot be spelled so is left out."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold().translate(_LATIN))
    return re.sub(r"[^a-z0-9]", "", plain)


def _free_id(words: Sequence[str], number: int, taken: Collection[str]) -> str:
    """An id that nobody has, and nobody is called."""
    made = re.sub(r"^[^a-z]+", "", "_".join(words))[:MAX_ID].strip("_") or f"p{number}"
    tries = (made, *(f"{made[: MAX_ID - 4]}_{n}" for n in range(2, len(taken) + len(RESERVED) + 3)))
    return next(one for one in tries if one not in taken and one not in RESERVED)


def _channel(name: str, id_: str, taken: Sequence[str | None]) -> str:
    """A channel as Discord spells them: in the letters of the name, small, with hyphens between the words."""
    spelled = "-".join(_words(name)).casefold() if not name.isascii() else ""
    own = f"#{id_.replace('_', '-')}"
    wanted = f"#{spelled}" if spelled and re.fullmatch(r"p\d+(_\d+)?", id_) else own
    return wanted if wanted not in taken and wanted not in ("#public", "#everybody") else own
