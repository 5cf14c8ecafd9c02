"""How one typed word becomes the one spelling the log knows.

What belongs here: the kinds of words that every game uses (player, text, number of an entry, time), and what a game
needs to make its own. What does not: which command takes which words (that is in the action records).
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
    """Names in a sentence; nobody where there is none.

    >>> listed(["Ann", "Bob", "Cyd"]), listed(["Ann", "Bob"], "or"), listed([])
    ('Ann, Bob and Cyd', 'Ann or Bob', 'nobody')
    """
    *first, last = [*names] or ["nobody"]
    return f"{', '.join(first)} {word} {last}" if first else last


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "garnet"), count(0, "garnet")
    ('1 garnet', '0 garnets')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Each key with all its values, in the order in which they came.

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
    """The players of a match by every name a host may type for them.

    `names` maps id to display name in seat order; `aliases` maps a further spelling (folded) to an id.
    """

    names: Mapping[str, str]
    aliases: Mapping[str, str] = {}

    def spelled(self) -> dict[str, str]:
        """Every spelling (folded) -> id; an id means itself before it means a name or an alias of somebody else."""
        names = dict(zip(map(casefolded, self.names.values()), self.names, strict=True))
        return {**names, **self.aliases, **dict(zip(self.names, self.names, strict=True))}

    def find(self, typed: str) -> str:
        """The id meant by `typed`: an id, alias or display name, or the only one that begins with it.

        Raises:
            Unreadable: nobody, or several, are meant. Nothing is guessed.

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
        """The words with each name of several words in one, as if it stood in quotes."""
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
"""What is typed for all players at once, where a verb takes one."""


class ParseContext(NamedTuple):
    """What reading a word may need to know besides the word itself."""

    players: Directory
    instant: Callable[[str], str]
    """Reads a time as typed in the match's zone; gives the log's spelling. May raise `Unreadable`."""
    end: Callable[[str], str] = str
    """The same for an end: one that is typed by how far it is away comes as `+MS`, `-MS` (from the end as it is) or
    `in MS` (from the moment of the entry), and an instant is made of it when the entry is prepared."""


NOBODY = ParseContext(Directory({}), lambda typed: typed)
"""A desk for words that mean the same in every match."""


class Kind(NamedTuple):
    """One kind of word: its name in help texts, its spelling in the log, and how it is read when typed."""

    name: str
    pattern: str
    """Regular expression (anchored by the user of it) of the canonical spelling."""
    read: Callable[[str, ParseContext], str]
    choices: tuple[str, ...] = ()
    """For completion, where the words can be listed."""

    def spell(self, typed: str) -> str:
        """A word that means the same in every match, in its one spelling."""
        return self.read(typed, NOBODY)


def casefolded(text: str) -> str:
    """The form in which two spellings of a name are the same."""
    return unicodedata.normalize("NFC", text).casefold().strip().lstrip("@#")


def shown(text: str, limit: int = 40) -> str:
    """`text` in quotes for a message: one line, nothing that moves a cursor, not too long."""
    clipped = text if len(text) <= limit else text[: limit - 1] + "…"
    blanks = "".join({c for c in clipped if c.isspace()} - {" "})
    return f'"{visible(clipped, also=blanks)}"'


def digits(word: str, most: int = 9) -> int | None:
    """The number that at most so many digits 0 to 9 spell. None for anything else: no sign, no digits of other scripts.

    >>> digits("007"), digits("-7"), digits("²"), digits("٣"), digits("")
    (7, None, None, None, None)
    """
    return int(word) if len(word) <= most and word.isascii() and word.isdigit() else None


YES_NO = {"true": True, "yes": True, "false": False, "no": False}
"""How a host types whether something is so."""


ALIAS = "hl alias PLAYER NAME"
"""What helps where a name is meant that the match does not know."""


def nearest(word: str, among: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Up to three words of `among` that `word` may be a slip for, best first; `cutoff`: how alike, 0 to 1."""
    return difflib.get_close_matches(word, list(among), n=3, cutoff=cutoff)


def did_you_mean(word: str, among: Iterable[str] | Mapping[str, str], otherwise: str, most: int = 3) -> str:
    """A hint that names what `word` may be a slip for; `otherwise` where nothing is near.

    Args:
        among: The words; of a mapping, a spelling -> the word it means.
    """
    meant = among if isinstance(among, Mapping) else {name: name for name in among}
    near = dict.fromkeys(meant[spelling] for spelling in nearest(word, meant)[:most])
    return f"did you mean {' or '.join(near)}?" if near else otherwise


def choice(name: str, words: Iterable[str]) -> Kind:
    """A kind with a fixed list of words, typed in small or capital letters."""
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
    """Player text as it is kept: composed (NFC), without control characters except line ends.

    >>> clean("cafe\\u0301\\x1b[31m!")
    'café[31m!'
    """
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        c for c in unicodedata.normalize("NFC", unix) if c == "\n" or (ord(c) >= 32 and not 127 <= ord(c) < 160)
    ).strip()


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
"""The phase between two rounds, where the next one opens by itself."""


def called(name: str) -> str:
    """What a round is called in a sentence.

    >>> called("power"), called("round_3"), called("pregame"), called("bids_2")
    ('the power round', 'round 3', 'the pregame', 'the bids 2 round')
    """
    if name.startswith("round_"):
        return f"round {name.removeprefix('round_')}"
    return f"the {name}" if name in ("pregame", "vote", BREAK) else f"the {name.replace('_', ' ')} round"


def meant(typed: str) -> str:
    """The name of the round that somebody typed: rounds that are counted go by their number.

    >>> meant("3"), meant(" Power ")
    ('round_3', 'power')
    """
    word = typed.strip().lower()
    return word if digits(word) is None else f"round_{word}"
