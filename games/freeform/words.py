"""Reads one typed word of a field, and writes a kind of field as in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle
from string import ascii_uppercase

from events.errors import Unreadable
from games.freeform.lang import LIMIT, Number
from games.freeform.model import Field
from games.kinds import Directory, casefolded, clean, did_you_mean, digits, shown

NOTHING = "-"
"""Stands in for a word that may be left out."""
MAX_TEXT_CHARACTERS = 300


def usage(field: Field) -> str:
    """A field as the help of its verb shows it."""
    word = field.name.upper() + ("(yes|no)" if field.kind == "yes" else "") + (",..." if field.many else "")
    return f"[{word}]" if field.optional else word


def examples(fields: Iterable[Field], players: Sequence[str]) -> str:
    """Words that the fields could take, without those that may be left out; `players` may be named."""
    named, words = cycle(reversed(players)), []
    for field in (field for field in fields if not field.optional):
        least = field.least.value if isinstance(field.least, Number) else 1
        of = {"player": next(named), "number": str(max(1, least)), "yes": "yes", "text": '"in one line"'}
        words.append(of.get(field.kind) or next(iter(field.words)))
    return " ".join(words)


def read_word(field: Field, typed: str, players: Directory, bound: Callable[[Field], tuple[int, int]]) -> str:
    """One word of a field in normal spelling.

    Args:
        bound: (field) -> its least and greatest number now.

    Raises:
        Unreadable: `freeform.word`. Nothing is guessed.
    """
    if typed == NOTHING and field.optional:
        return NOTHING
    if field.many:
        parts = typed.replace(",", " ").split()
        if not parts or len(parts) > 100:
            raise Unreadable("freeform.word", f"{field.name} is a list with commas between", "5,0,7")
        return ",".join(_one(field, part, players, bound) for part in parts)
    return _one(field, typed, players, bound)


def _one(field: Field, typed: str, players: Directory, bound: Callable[[Field], tuple[int, int]]) -> str:
    match field.kind:
        case "player":
            return players.find(typed)
        case "number":
            return str(whole(field.name, typed, *bound(field)))
        case "yes":
            word = {"y": "yes", "n": "no", "true": "yes", "false": "no"}.get(casefolded(typed), typed)
            return pick(field.name, word, ("yes", "no"))
        case "text":
            text = clean(typed)
            if not text or len(text) > MAX_TEXT_CHARACTERS or "\n" in text:
                what = f"{field.name} is one line of 1 to {MAX_TEXT_CHARACTERS} characters"
                raise Unreadable("freeform.word", what, "shorten it")
            return text
        case _:
            return pick(field.name, typed, field.words)


def whole(name: str, typed: str, least: int, most: int) -> int:
    """A whole number within bounds.

    Raises:
        Unreadable: `freeform.word`.
    """
    number = digits(typed.removeprefix("-").removeprefix("+"), 10)
    span = f"at least {least}" if most >= LIMIT else f"{least} to {most}"
    if number is None:
        fix = "a number like 12" if least <= -LIMIT else span
        raise Unreadable("freeform.word", f"{name} is a whole number, not {shown(typed)}", f"{name}: {fix}")
    number = -number if typed.startswith("-") else number
    if not least <= number <= most:
        span = span if least <= most else f"at least {least} and at most {most}, which no number is"
        raise Unreadable("freeform.word", f"{name} must be {span}, not {number}", f"{name}: {span}")
    return number


def pick(name: str, typed: str, words: tuple[str, ...]) -> str:
    """One of these words, typed in any case.

    Raises:
        Unreadable: `freeform.word`, with all of them, or of many the nearest.
    """
    spelled = {casefolded(word): word for word in words}
    word = "_".join(casefolded(typed).split())
    if word not in spelled:
        few = f"one of: {' '.join(words[:20])}"
        hint = few if len(words) <= 20 else did_you_mean(word, spelled, f"{few} ...")
        raise Unreadable("freeform.word", f"{name} cannot be {shown(typed)}", hint)
    return spelled[word]


def cells(columns: int, rows: int) -> tuple[str, ...]:
    """The cells of a board, row by row.

    >>> cells(2, 2)
    ('A1', 'B1', 'A2', 'B2')
    """
    return tuple(f"{letter}{row}" for row in range(1, rows + 1) for letter in ascii_uppercase[:columns])


def sheet_words(names: tuple[str, ...], words: tuple[str, ...]) -> str:
    """A sheet in words: its fields with what was typed, without those left out.

    >>> sheet_words(("oil", "partner"), ("3", "-"))
    'oil 3'
    """
    parts = [f"{name} {word}" for name, word in zip(names, words, strict=False) if word != NOTHING]
    return ", ".join(parts) or "nothing"
