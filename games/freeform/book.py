"""Reading the keys of a file one after the other, with all faults and where each stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from events.record import NamedTuple
from games.freeform import lang
from games.freeform.lang import Scope, Wrong
from games.freeform.model import HOSTS, OWNER, WHO, Level
from games.kinds import clean, nearest, shown

T = TypeVar("T")
MAX_FIELDS, MAX_EFFECTS, MAX_CARDS, MAX_ROUNDS, MAX_HOURS = 20, 20, 300, 60, 1000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


class Fault(NamedTuple):
    """What is wrong, and where: the keys that lead there."""

    where: tuple[str, ...]
    what: str


class Book:
    """The faults found so far; and the reading of one key after the other."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def wrong(self, where: Sequence[str], what: str) -> None:
        self.faults.append(Fault(tuple(where), what))

    def keys(self, where: Sequence[str], row: Any, allowed: Sequence[str]) -> Mapping[str, Any]:
        """The table that stands there, without keys that nobody knows."""
        if not isinstance(row, Mapping):
            self.wrong(where, f"{'.'.join(where)} is a table: {{ {allowed[0]} = ... }}")
            return {}
        for key in row:
            if key not in allowed and key != "place":
                near = nearest(str(key), allowed)
                hint = f"; did you mean {near[0]}?" if near else f"; it can have: {' '.join(allowed)}"
                self.wrong((*where, str(key)), f"there is no key {shown(str(key))} here{hint}")
        return row

    def named(self, where: Sequence[str]) -> bool:
        """Can a thing be called so?"""
        name = where[-1]
        if not _NAME.fullmatch(name):
            self.wrong(where, f"{shown(name)} is no name: a-z first, then a-z, 0-9 and _, at most 32")
        elif name in lang.RESERVED:
            self.wrong(where, f"{name} has a meaning of its own: another name")
        else:
            return True
        return False

    def number(self, where: Sequence[str], row: Mapping[str, Any], default: int, least: int, most: int) -> int:
        value = row.get(where[-1], default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.wrong(where, f"{where[-1]} is a whole number from {least} to {most}")
            return default
        return value

    def text(self, where: Sequence[str], row: Mapping[str, Any], default: str, longest: int = 60) -> str:
        value = row.get(where[-1], default)
        if not isinstance(value, str) or len(value) > longest or "\n" in value or clean(value) != value:
            self.wrong(where, f"{where[-1]} is a text of one line, at most {longest} characters")
            return default
        return value

    def true(self, where: Sequence[str], row: Mapping[str, Any]) -> bool:
        value = row.get(where[-1], False)
        if not isinstance(value, bool):
            self.wrong(where, f"{where[-1]} is true or false")
        return value is True

    def one(self, where: Sequence[str], row: Mapping[str, Any], default: str, allowed: Sequence[str]) -> Any:
        value = row.get(where[-1], default)
        if value not in allowed:
            self.wrong(where, f"{where[-1]} is one of: {' '.join(allowed)}")
            return default
        return value

    def level(self, where: Sequence[str], row: Mapping[str, Any], first: str, default: str = "") -> Level:
        """Who sees it now (key `first`) and at the end (`final`); what is seen is never hidden again."""
        if first not in row and not default:
            self.wrong(where, f"who sees it? {first} = {' or '.join(WHO)}")
            return Level(HOSTS, HOSTS)
        now = WHO[self.one((*where, first), row, default or "hosts", tuple(WHO))]
        end = WHO[self.one((*where, "final"), row, "hosts", tuple(WHO))] if "final" in row else now
        if end < now:
            self.wrong((*where, "final"), "what is seen before the end cannot be hidden again at the end")
        if now == HOSTS and end == OWNER:
            self.wrong((*where, "final"), "hidden from its owner until the end: then everybody sees it, or nobody")
        return Level(now, max(now, end))

    def text_of(self, where: Sequence[str], read: Callable[[str, Scope], T], text: Any, scope: Scope) -> T | None:
        """A text of the little language; None where it cannot be read."""
        if isinstance(text, int) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str):
            self.wrong(where, f"{where[-1]} is a text in quotes")
            return None
        try:
            return read(text, scope)
        except Wrong as wrong:
            self.wrong(where, f"{shown(text)}: {wrong.what}")
        return None
