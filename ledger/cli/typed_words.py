"""Typed words as the fields of an action: each is read by the kind of its field, and none is guessed."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from events.errors import Unreadable
from games.kinds import PLAYER, YES_NO, ParseContext, did_you_mean, digits, nearest, shown
from games.records import Field, fields, kebab, plain
from ledger.cli.app import App


def typed_action(app: App, cls: type, words: Mapping[str, Any], now: int) -> Any:
    """The action that these words describe.

    Args:
        now: The moment of the entry, ms: times among the words are counted from it.

    Raises:
        Unreadable: a word that cannot be read; nothing is guessed.
    """
    desk = app.match.desk(now)
    if not words.get("value") and {"player", "value"} <= words.keys():  # two words: of the table, and the value
        words = {**words, "player": None, "value": words.get("player")}
    values = {}
    for field in fields(cls):
        word = words.get(field.name)
        if word is None or word == () or field.arg.hidden:
            continue
        if isinstance(word, tuple) and not field.many:
            word = " ".join(word)
        if word == "-" and field.arg.sealed and field.arg.phrase:
            word = sys.stdin.read()
        if field.many:
            values[field.name] = tuple(read_word(field, part, desk) for part in _each(field, word))
        else:
            values[field.name] = read_word(field, word, desk)
    return cls(**values)


def _each(field: Field, words: Sequence[Any]) -> list[str]:
    """The words of a field of many: players, and words out of a fixed list, may stand with commas between them."""
    if field.arg.words > 1:
        return [" ".join(pair) for pair in words]
    if field.kind is not PLAYER and (field.kind is None or not field.kind.choices):
        return list(words)
    return [part for word in words for part in word.split(",") if part.strip()]


def read_word(field: Field, word: Any, desk: ParseContext) -> Any:
    """One typed word as the log stores it.

    Raises:
        Unreadable: with the nearest words, or the bounds.
    """
    if field.base is bool:
        value = word if isinstance(word, bool) else YES_NO.get(word.strip().lower())
        if value is None:
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", "one of: true false")
        return value
    word = str(word)  # an option that is counted comes as a number
    if field.kind is not None:
        return field.kind.read(word, desk)
    if get_origin(field.base) is Literal:
        choices = [str(choice) for choice in get_args(field.base)]
        if word.lower() not in choices:
            hint = did_you_mean(word.lower(), choices, f"one of: {' '.join(choices)}", 1)
            raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", hint)
        return word.lower()
    return _number(field, word) if field.base is int else word


def _number(field: Field, word: str) -> int:
    least, most = (field.bounds.least, field.bounds.most) if field.bounds else (-(2**53), 2**53)
    number = digits(word.removeprefix("-").removeprefix("#"), 15)
    if number is None:
        fix = f"{field.name}: {field.arg.help}"
        raise Unreadable("number.unreadable", f"{shown(word)} is not a whole number", fix)
    number = -number if word.startswith("-") else number
    if not least <= number <= most:
        raise Unreadable("number.bounds", f"{field.name} must be {least} to {most}, not {number}", field.arg.help)
    return number


def typed_fields(app: App, cls: type, words: Mapping[str, str], now: int) -> dict[str, Any]:
    """`key=value` words as args of an action, for `amend`; `now`: the moment of the entry, ms.

    Raises:
        Unreadable: `amend.field`, no such field.
    """
    known = {field.name: field for field in fields(cls) if not field.arg.hidden}
    desk = app.match.desk(now)
    args = {}
    for name, word in words.items():
        field = known.get(name.replace("-", "_"))
        if field is None:
            hint = f"one of: {' '.join([*(nearest(name, known) or known), 'at'])}"
            raise Unreadable("amend.field", f"{kebab(cls)} has no field {shown(name)}", hint)
        if field.many:
            args[field.name] = [plain(read_word(field, part, desk)) for part in field.parts(word)]
        else:
            args[field.name] = read_word(field, word, desk)
    return args
