"""What a file says, read: counters, items, sheets, verbs, the result. And who may know what of it.

What belongs here: frozen records, and levels. What does not: reading them out of a file (read.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from events.audiences import Audience
from events.record import NamedTuple
from games.freeform.lang import Effect, Expression

HOSTS, OWNER, EVERYBODY = 0, 1, 2
WHO = {"hosts": HOSTS, "owner": OWNER, "everybody": EVERYBODY}


class Level(NamedTuple):
    """Who knows a thing while the match is on, and at the end: HOSTS, OWNER or EVERYBODY."""

    now: int
    end: int

    def entries(self) -> Level:
        """Of entries that read or change it: `final` shows what it is at the end, not how it came to that."""
        return Level(self.now, self.now)

    def laid_open(self) -> Level:
        """Of what lies open on the table, or is the table's: everybody sees it, unless it is the hosts'."""
        return self if self.now == HOSTS else Level(EVERYBODY, EVERYBODY)

    def line(self) -> str:
        """The same as a level of the information table. Where only its owner would learn it at the end, nobody does."""
        if self.now == EVERYBODY:
            return "everybody"
        if self.end == EVERYBODY:
            return "owner_then_everybody" if self.now == OWNER else "everybody_after_end"
        return "owner" if self.now == OWNER else "host"


def narrowest(levels: Iterable[Level]) -> Level:
    """Who knows all of these. Of nothing at all: everybody."""
    known = list(levels)
    return Level(min((level.now for level in known), default=2), min((level.end for level in known), default=2))


def owners_of(data: Iterable[tuple[Level, Sequence[str]]]) -> set[str]:
    """Who owns all of these that are hidden from others now; each is (its level, whom it concerns)."""
    sets = [set(owners) if level.now == OWNER else set() for level, owners in data if level.now != EVERYBODY]
    return set[str]().union(*sets[:1]).intersection(*sets)


def audience_of(*data: tuple[Level, Sequence[str]]) -> Audience:
    """Who may know all of these, each (its level, whom it concerns). Of nothing: the hosts."""
    if not data:
        return Audience()
    if all(level.now == EVERYBODY for level, _ in data):
        return Audience(everybody=True)
    return Audience(tuple(sorted(owners_of(data))), after_end=all(level.end == EVERYBODY for level, _ in data))


Kind: TypeAlias = Literal["player", "number", "yes", "one", "text", "card", "cell"]


class Field(NamedTuple):
    """One field of a sheet or a verb."""

    name: str
    kind: Kind
    least: Expression | None = None
    most: Expression | None = None
    words: tuple[str, ...] = ()
    """Of `one`: the words. Of `card`: the cards. Of `cell`: all cells."""
    item: str = ""
    """Of `card`: the kind of card."""
    many: bool = False
    optional: bool = False
    said: str = ""
    """As the file says it."""


class Counter(NamedTuple):
    name: str
    table: bool
    start: int
    level: Level
    least: int
    most: int
    label: str
    secret: bool = False


class Item(NamedTuple):
    """Cards of one kind. Those of a draw `one each` are made for each player; others exist once (`copies` times)."""

    name: str
    values: tuple[str, ...]
    draw: str
    """"" (they lie on the table), `one each`, `order`, or `deal`."""
    each: int
    """Of `deal`: how many each player gets."""
    turn: int
    """How many of the deck are laid open when a round begins."""
    level: Level
    label: str
    secret: bool = False


class SheetKind(NamedTuple):
    name: str
    fields: tuple[Field, ...]
    rounds: int
    hours: int
    level: Level
    """Who reads the sheets once the round is resolved. Until then each is its player's."""
    label: str


class VerbKind(NamedTuple):
    name: str
    fields: tuple[Field, ...]
    does: tuple[Effect, ...]
    says: tuple[tuple[str, str], ...]
    """(field that names a player, or `public`; the text)."""
    open: frozenset[str]
    """Fields that may be told although they change something hidden."""
    help: str
    secret: bool = False


class Ending(NamedTuple):
    """The result. `score` None: there is none."""

    score: Expression | None
    level: Level
    tokens: Literal["highest", "lowest", "hosts", ""]
    """`hosts`: the end waits for what they declare. Empty: the file says nothing of it."""
    elimination: Literal["highest", "lowest", "hosts", ""]
    ties: Literal["lot", "vote", "hosts", "all"]
    hours: int


class Rules(NamedTuple):
    """All that a file says of a match."""

    counters: Mapping[str, Counter]
    items: Mapping[str, Item]
    sheets: Mapping[str, SheetKind]
    verbs: Mapping[str, VerbKind]
    ending: Ending

    def rounds(self) -> tuple[str, ...]:
        """The rounds in order: `round_1`, ...; with several sheets `access_1`, `auction_1`, `access_2`, ..."""
        if len(self.sheets) == 1:
            (only,) = self.sheets.values()
            return tuple(f"round_{n}" for n in range(1, only.rounds + 1))
        most = max((sheet.rounds for sheet in self.sheets.values()), default=0)
        return tuple(
            sheet.name if sheet.rounds == 1 else f"{sheet.name}_{n}"
            for n in range(1, most + 1)
            for sheet in self.sheets.values()
            if n <= sheet.rounds
        )

    def sheet(self, round_: str) -> SheetKind:
        """The sheet that is filled in that round; an empty one where the file has none."""
        kind = self.sheets.get(round_) or self.sheets.get(round_.rpartition("_")[0])
        return kind or next(iter(self.sheets.values()), NO_SHEET)

    def level(self, line: str) -> Level:
        """Who knows a counter or the cards of that name; of what is not there, nobody but the hosts."""
        thing = self.counters.get(line) or self.items.get(line)
        return thing.level if thing else Level(HOSTS, HOSTS)


NO_SHEET = SheetKind("", (), 0, 24, Level(OWNER, OWNER), "sheet")
