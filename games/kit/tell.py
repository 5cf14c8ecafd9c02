"""What is said of a fact, and to whom: one row a fact (`Say`), and sentences made of rows.

A sentence is a text with the fact's fields in braces, or a function. In a text a player's id becomes a name, several
become `Ann, Bob and Cyd`, a list of words is joined by spaces, and `{chips:chip}` is a number with its noun.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.record import NamedTuple
from games.contract import Fact, Reason
from games.kinds import PLAYER
from games.kit.blocks import Span
from games.records import fields

News: TypeAlias = str | tuple[Span, ...] | None
"""One sentence, or None when the fact is not for that viewer."""
Words: TypeAlias = str | Callable[[Any, Any], News]
"""A text with fields in braces, or (state, fact) -> sentence."""
ToOne: TypeAlias = str | Callable[[Any, Any, str], News]
"""The same for one of several players: (state, fact, viewer) -> sentence."""
Lines: TypeAlias = str | tuple[str, ...]
COURSE = "course"
"""In place of a line of the information table: that the match goes on, and until when. Everybody may know."""
OWN = "own"
"""In place of a line: what a player said or sent. That player may know it, and the hosts."""
HOSTS = "hosts"
"""In place of a line: visible to hosts only."""


class Say(NamedTuple):
    """All that is ever said of one kind of fact. What a row does not say is told to nobody."""

    rule: str | Callable[[Any, Any], str]
    """The numbered rule it follows from; (state, fact) -> rule where that depends."""
    host: str | Callable[[Any, Any], str] = ""
    """What happened, for the hosts: no full stop at the end."""
    line: Lines | Callable[[Any, Any], Lines] | None = None
    """The line of the information table that tells it (all of them, where there are several)."""
    owner: ToOne | None = None
    """To each player concerned."""
    public: Words | None = None
    """To everybody."""
    who: Callable[[Any], Iterable[str]] | None = None
    """Whom it concerns, where that is not the first field of the fact that holds a player."""
    holds: bool = False
    """Does it change what those hold whom it concerns? Then the host is answered where they stand."""

    def concerned(self, fact: Fact) -> tuple[str, ...]:
        """The players whom a fact is about."""
        return tuple(self.who(fact)) if self.who else tuple(players_of(fact))[:1]

    def lines(self, state: Any, fact: Fact) -> tuple[str, ...]:
        """The lines that tell it; several must all be open."""
        keys = self.line(state, fact) if callable(self.line) else self.line
        return () if keys is None else (keys,) if isinstance(keys, str) else keys


Says: TypeAlias = Mapping[type, Say]
May: TypeAlias = Callable[[Any, str, str, Iterable[str]], bool]
"""(state, line, viewer, players concerned) -> may the viewer know it?"""


@functools.cache
def _players(cls: Any) -> tuple[tuple[str, bool], ...]:
    return tuple((field.name, field.many) for field in fields(cls) if field.kind is PLAYER)


def players_of(record: Any) -> Iterator[str]:
    """The players that the fields of a fact or an action name."""
    for name, many in _players(record.__class__):
        value = getattr(record, name)
        yield from value if many else (value,) if value else ()


class _Many(int):
    """A number in a text, which may ask for its noun."""

    def __format__(self, noun: str) -> str:
        return count(self, noun) if noun else str(int(self))


class _Fields(dict[str, Any]):
    """The fields of one fact as they stand in a text."""

    def __init__(self, table: Any, fact: Fact) -> None:
        super().__init__()
        self.table, self.fact = table, fact

    def __missing__(self, name: str) -> Any:
        value = getattr(self.fact, name)
        many = dict(_players(self.fact.__class__)).get(name)
        if many is not None:
            return self.table.named(value) if many else self.table.name(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return _Many(value)
        return " ".join(value) if isinstance(value, tuple) else "" if value is None else value


def fill(text: str, table: Any, fact: Fact) -> str:
    """A text with the fields of a fact put in."""
    return text.format_map(_Fields(table, fact)) if "{" in text else text


def said(words: Any, state: Any, fact: Fact, *viewer: str) -> Any:
    """What a text with fields in braces, or a function, says of a fact; "" where there is none."""
    return words(state, fact, *viewer) if callable(words) else fill(words or "", state.table, fact)


def news_of(says: Says, may: May, state: Any, fact: Fact, viewer: str) -> News:
    """What the row of a fact tells `viewer`; None when the viewer may not know it."""
    row, to_all = says.get(type(fact)), viewer == PUBLIC_VIEWER
    if row is None or viewer == HOST_VIEWER or (row.public if to_all else row.owner) is None:
        return None
    concerned = row.concerned(fact)
    if not (to_all or viewer in concerned):
        return None
    lines = row.lines(state, fact)
    if not lines or not all(may(state, line, viewer, concerned) for line in lines):
        return None
    news: News = said(row.public, state, fact) if to_all else said(row.owner, state, fact, viewer)
    return news


def because(says: Says, state: Any, fact: Fact) -> Reason:
    """A fact in words for the hosts, with its rule.

    Raises:
        AssertionError: no row speaks of it.
    """
    row = says.get(type(fact))
    if row is None:
        raise AssertionError(f"a fact without words: {fact!r}")
    return Reason(said(row.host, state, fact), row.rule(state, fact) if callable(row.rule) else row.rule)


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "garnet"), count(0, "garnet")
    ('1 garnet', '0 garnets')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
