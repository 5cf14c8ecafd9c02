"""Kinds of words: how a typed word becomes the spelling that the log keeps.

What belongs here: the kinds that every game uses (player, text, time), and what a game needs to define its own. What
does not: which command takes which words (the action records say that).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, TypeVar

from events.errors import Unreadable
from events.record import NamedTuple
from games.signs import visible

K = TypeVar("K")
V = TypeVar("V")
NAME_PATTERN = r"[a-z][a-z0-9_-]{0,31}"
"""Player ids, verbs and keys. Source: docs/log-format.md, body keys."""
TEXT_LIMIT = 2000


def listed(names: Iterable[str], word: str = "and") -> str:
    """Join names for a sentence; `nobody` if there are none.

    >>> listed(["Ann", "Bob", "Cyd"]), listed(["Ann", "Bob"], "or"), listed([])
    ('Ann, Bob and Cyd', 'Ann or Bob', 'nobody')
    """
    *first, last = [*names] or ["nobody"]
    return f"{', '.join(first)} {word} {last}" if first else last


def count(number: int, noun: str) -> str:
    """A number with its noun in the singular or plural.

    >>> count(1, "garnet"), count(0, "garnet"), count(2, "entry")
    ('1 garnet', '0 garnets', '2 entries')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Each key with all its values, in their order.

    >>> grouped([("ann", 1), ("bob", 2), ("ann", 3)])
    {'ann': [1, 3], 'bob': [2]}
    """
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def upper(words: str) -> str:
    return words[0].upper() + words[1:]


class Directory(NamedTuple):
    """The players of a match by every name that a host may type.

    `names` maps id to display name in seat order; `aliases` maps a further spelling (casefolded) to an id.
    """

    names: Mapping[str, str]
    aliases: Mapping[str, str] = {}

    def spelled(self) -> dict[str, str]:
        """Every spelling (casefolded) -> id. An id takes precedence over another player's name or alias."""
        names = dict(zip(map(casefolded, self.names.values()), self.names, strict=True))
        return {**names, **self.aliases, **dict(zip(self.names, self.names, strict=True))}

    def find(self, typed: str) -> str:
        """The id of the player with this id, alias or display name, or of the only one that begins with it.

        Raises:
            Unreadable: no player, or more than one, is meant. Nothing is guessed.

        >>> Directory({"ann": "Ann", "bob": "Bob"}, {"annie": "ann"}).find("AN")
        'ann'
        """
        word = casefolded(typed)
        spelled = self.spelled()
        if word in spelled:
            return spelled[word]
        begun = sorted({player for spelling, player in spelled.items() if word and spelling.startswith(word)})
        if len(begun) == 1:
            return begun[0]
        if begun:
            what = f"{shown(typed)} may mean {' or '.join(begun)}"
            raise Unreadable("player.ambiguous", what, "type more of the name")
        if word in EVERYBODY:
            what = f"{shown(typed)} is no player: name each"
            raise Unreadable("player.all", what, f"one of: {' '.join(self.names)}")
        what = f"there is no player {shown(typed)} in this match; the players are {', '.join(self.names)}"
        raise Unreadable("player.unknown", what, did_you_mean(word, spelled, ALIAS))

    def in_one(self, typed: Sequence[str]) -> list[str]:
        """The words, with each name of several words joined into one, as if it had been quoted."""
        names = {name for name in self.spelled() if " " in name}
        words: list[str] = []
        for word in typed:
            words.append(word)
            for start in range(len(words) - 1):
                if casefolded(" ".join(words[start:])) in names:
                    words[start:] = [" ".join(words[start:])]
                    break
        return words


EVERYBODY = ("all", "everybody", "everyone")
"""Words for all players at once, typed to a verb that takes one player."""


class ParseContext(NamedTuple):
    """What the reader of a word may need to know."""

    players: Directory
    instant: Callable[[str], str]
    """Converts a time typed in the zone of the match to the spelling of the log. May raise `Unreadable`."""
    end: Callable[[str], str] = str
    """Converts a typed end. A relative one becomes `+MS` or `-MS` (from the present end) or `in MS` (from the moment of
    the entry), and `prepare` makes an instant of it."""


NOBODY = ParseContext(Directory({}), lambda typed: typed)
"""The context for words that mean the same in every match."""


class Kind(NamedTuple):
    """A kind of word: its name in help texts, its spelling in the log, and how a typed word is read."""

    name: str
    pattern: str
    """A regular expression of the spelling in the log, which must match all of it."""
    read: Callable[[str, ParseContext], str]
    choices: tuple[str, ...] = ()
    """The words for completion, if they can be listed."""

    def spell(self, typed: str) -> str:
        """Read a word that means the same in every match."""
        return self.read(typed, NOBODY)


def casefolded(text: str) -> str:
    """The form in which two spellings of a name are compared."""
    return unicodedata.normalize("NFC", text).casefold().strip().lstrip("@#")


def shown(text: str, limit: int = 40) -> str:
    """Quote `text` for a message: one line, clipped, without anything that moves a cursor."""
    clipped = text if len(text) <= limit else text[: limit - 1] + "…"
    blanks = "".join({c for c in clipped if c.isspace()} - {" "})
    return f'"{visible(clipped, also=blanks)}"'


def digits(word: str, most: int = 9) -> int | None:
    """The number that up to `most` ASCII digits spell; None for anything else, such as a sign or other digits.

    >>> digits("007"), digits("-7"), digits("²"), digits("٣"), digits("")
    (7, None, None, None, None)
    """
    return int(word) if len(word) <= most and word.isascii() and word.isdigit() else None


YES_NO = {"true": True, "yes": True, "false": False, "no": False}
"""How a host types true or false."""


ALIAS = "hl alias PLAYER NAME"
"""The fix for a name that the match does not know."""


def nearest(word: str, among: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Up to three words of `among` that `word` may be a slip for, best first; `cutoff` is the likeness, 0 to 1."""
    return difflib.get_close_matches(word, list(among), n=3, cutoff=cutoff)


def did_you_mean(word: str, among: Iterable[str] | Mapping[str, str], otherwise: str, most: int = 3) -> str:
    """A hint that names what `word` may be a slip for, or else `otherwise`.

    Args:
        among: The words, or a mapping of spellings to words.
    """
    meant = among if isinstance(among, Mapping) else {name: name for name in among}
    near = dict.fromkeys(meant[spelling] for spelling in nearest(word, meant)[:most])
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def choice(name: str, words: Iterable[str]) -> Kind:
    """A kind with a fixed list of words, typed in any case."""
    choices = tuple(words)
    spelled = {casefolded(word): word for word in choices}

    def read(typed: str, desk: ParseContext) -> str:
        word = casefolded(typed)
        if word not in spelled:
            hint = did_you_mean(word, spelled, f"one of: {' '.join(choices)}")
            raise Unreadable(f"{name}.unknown", f"there is no {name} {shown(typed)}", hint)
        return spelled[word]

    return Kind(name.upper(), "|".join(choices), read, choices)


def clean(text: str) -> str:
    """A player's text as the log keeps it: composed (NFC), without control characters except line ends.

    >>> clean("cafe\\u0301\\x1b[31m!")
    'café[31m!'
    """
    unix = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(c for c in unix if c == "\n" or (ord(c) >= 32 and not 127 <= ord(c) < 160)).strip()


def _read_text(typed: str, desk: ParseContext) -> str:
    text = clean(typed)
    if not text:
        raise Unreadable("text.empty", "the text is empty", "write what happened, in quotes")
    if len(text) > TEXT_LIMIT:
        raise Unreadable("text.too_long", f"the text has {len(text)} characters; {TEXT_LIMIT} fit", "shorten it")
    return text


def _read_name(typed: str, desk: ParseContext) -> str:
    word = "_".join(casefolded(typed).replace("-", " ").split())
    if not re.fullmatch(NAME_PATTERN, word):
        what = f"{shown(typed)} is not a name made of a-z, 0-9 and _"
        raise Unreadable("name.unreadable", what, "check the spelling")
    return word


PLAYER = Kind("PLAYER", NAME_PATTERN, lambda typed, desk: desk.players.find(typed))
Player = Annotated[str, PLAYER]
TEXT = Kind("TEXT", r"(?s:.){1,2000}", _read_text)
NAME = Kind("NAME", NAME_PATTERN, _read_name)
HEX = Kind("HEX", "[0-9a-f]{64}", lambda typed, desk: typed.strip().lower())
"""32 bytes in hex: a hash or a seed."""
INSTANT = Kind(
    "TIME", r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", lambda typed, desk: desk.instant(typed)
)
END = INSTANT._replace(read=lambda typed, desk: desk.end(typed))


BREAK = "break"
"""The phase between two rounds, if the next one opens by itself."""


def called(name: str) -> str:
    """The name of a round in a sentence.

    >>> called("power"), called("round_3"), called("pregame"), called("bids_2")
    ('the power round', 'round 3', 'the pregame', 'the bids 2 round')
    """
    if name.startswith("round_"):
        return f"round {name.removeprefix('round_')}"
    return f"the {name}" if name in ("pregame", "vote", BREAK) else f"the {name.replace('_', ' ')} round"


def meant(typed: str) -> str:
    """The round that a host typed; a number means a numbered round.

    >>> meant("3"), meant(" Power ")
    ('round_3', 'power')
    """
    word = typed.strip().lower()
    return word if digits(word) is None else f"round_{word}"
