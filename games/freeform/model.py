"""The contents of a file as records: counters, items, sheets, verbs, the result; and who may know what.

What belongs here: frozen records, levels, and the table of everything that a file reveals. What does not: reading a
file (read.py).

A reader may be told what a host typed into a field if its effect shows in something that the reader sees, if it touches
nothing hidden, or if the file says so (`open`).
"""

from __future__ import annotations

import re
from collections import Counter as Counted
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from events.audiences import Audience
from events.record import NamedTuple
from games.freeform import lang
from games.freeform.lang import AWAY, DECK, PLACES, Change, Count, Effect, Expression, Held, Move, Typed, hint, reads
from games.spans import Length

HOSTS, OWNER, EVERYBODY = 0, 1, 2
WHO = {"hosts": HOSTS, "owner": OWNER, "everybody": EVERYBODY}


class Level(NamedTuple):
    """Who knows something during the match, and at the end: HOSTS, OWNER or EVERYBODY."""

    now: int
    end: int

    def entries(self) -> Level:
        """The level of entries that read or change it: `final` reveals its last value, not its history."""
        return Level(self.now, self.now)

    def laid_open(self) -> Level:
        """The level of something on or of the table: everybody sees it, unless it is for hosts only."""
        return self if self.now == HOSTS else Level(EVERYBODY, EVERYBODY)

    def line(self) -> str:
        """The level as one of the information table. If only its owner would learn it at the end, nobody does."""
        if self.now == EVERYBODY:
            return "everybody"
        if self.end == EVERYBODY:
            return "owner_then_everybody" if self.now == OWNER else "everybody_after_end"
        return "owner" if self.now == OWNER else "host"


def narrowest(levels: Iterable[Level]) -> Level:
    """The level of viewers who know all of these; everybody if there are none."""
    known = list(levels)
    return Level(min((level.now for level in known), default=2), min((level.end for level in known), default=2))


def owners_of(data: Iterable[tuple[Level, Sequence[str]]]) -> set[str]:
    """The players who own every datum that is hidden from others now; each is (its level, its owners)."""
    sets = [set(owners) if level.now == OWNER else set() for level, owners in data if level.now != EVERYBODY]
    return set[str]().union(*sets[:1]).intersection(*sets)


def audience_of(*data: tuple[Level, Sequence[str]]) -> Audience:
    """The audience that may know all of these, each (its level, its owners); only hosts if there are none."""
    if not data:
        return Audience()
    if all(level.now == EVERYBODY for level, _ in data):
        return Audience(everybody=True)
    return Audience(tuple(sorted(owners_of(data))), after_end=all(level.end == EVERYBODY for level, _ in data))


Kind: TypeAlias = Literal["player", "number", "yes", "one", "text", "card", "cell"]


class Field(NamedTuple):
    """A field of a sheet or a verb."""

    name: str
    kind: Kind
    least: Expression | None = None
    most: Expression | None = None
    words: tuple[str, ...] = ()
    """The words of a `one`, the cards of a `card`, or all cells for a `cell`."""
    item: str = ""
    """The kind of card of a `card`."""
    many: bool = False
    optional: bool = False
    said: str = ""
    """The kind as the file writes it."""


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
    """Cards of one kind. A draw `one each` makes one for each player; otherwise each card exists `copies` times."""

    name: str
    values: tuple[str, ...]
    draw: str
    """`one each`, `order`, `deal`, or "" for cards that begin on the table."""
    each: int
    """For `deal`: the number of cards for each player."""
    turn: int
    """The number of cards of the deck that are laid open when a round begins."""
    level: Level
    label: str
    secret: bool = False


class SheetKind(NamedTuple):
    name: str
    fields: tuple[Field, ...]
    rounds: int
    hours: Length
    level: Level
    """Who reads the sheets once the round is resolved. Until then only their players do."""
    label: str


class VerbKind(NamedTuple):
    name: str
    fields: tuple[Field, ...]
    does: tuple[Effect, ...]
    says: tuple[tuple[str, str], ...]
    """(a field with a player, or `public`; the text for them)."""
    open: frozenset[str]
    """The fields that may be told although they change something hidden."""
    help: str
    secret: bool = False


class Ending(NamedTuple):
    """How the match ends. `score` is None if the file has none."""

    score: Expression | None
    level: Level
    tokens: Literal["highest", "lowest", "hosts", ""]
    """`hosts` means that the end waits for their declaration; empty, that the file does not say."""
    elimination: Literal["highest", "lowest", "hosts", ""]
    ties: Literal["lot", "vote", "hosts", "all"]
    hours: Length


class Rules(NamedTuple):
    """Everything that a file says about a match."""

    counters: Mapping[str, Counter]
    items: Mapping[str, Item]
    sheets: Mapping[str, SheetKind]
    verbs: Mapping[str, VerbKind]
    ending: Ending

    @property
    def things(self) -> Mapping[str, Counter | Item]:
        return {**self.counters, **self.items}

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
        """The sheet of that round; an empty one if the file has no sheets."""
        kind = self.sheets.get(round_) or self.sheets.get(round_.rpartition("_")[0])
        return kind or next(iter(self.sheets.values()), NO_SHEET)

    def level(self, line: str) -> Level:
        """Who knows the counter or cards of that name; only hosts if there is no such thing."""
        return self.things[line].level if line in self.things else Level(HOSTS, HOSTS)


NO_SHEET = SheetKind("", (), 0, 24, Level(OWNER, OWNER), "sheet")


# ---- who may know what a verb reads, changes and says ----------------------------------------------------------------

NAMED = re.compile(r"\{([^{}]*)\}")
PUBLIC = "public"


class Touched(NamedTuple):
    """A datum that a verb reads or changes, whose owners are given by the fields that name them."""

    line: str
    level: Level
    owners: tuple[str, ...]
    changed: bool = False
    by: frozenset[str] = frozenset()
    """The fields that a viewer of the datum can infer from it: the owner, and the amount if that is a single field.
    Empty if the datum changes only under a condition. Another change of it may hide them (`leak`)."""


def touched(rules: Rules, verb: VerbKind) -> tuple[Touched, ...]:
    """Everything that a verb reads or changes, in its effects and in the bounds of its fields."""
    data: list[Touched] = []
    cards = {field.name: field.item for field in verb.fields}
    for effect in verb.does:
        data += _read(rules, effect)
        if isinstance(effect, Change):
            line, who = effect.target.counter, effect.target.who
            datum, by = Touched(line, rules.level(line), (who,) if who else ()), {who}
        else:
            both, by = (effect.src, effect.to), {effect.what, effect.src, effect.to}
            item = cards.get(effect.what, "")
            datum = _place(rules, item, both) if item else Touched(effect.what, rules.level(effect.what), both)
        by |= {effect.amount.field} if isinstance(effect.amount, Typed) else set()
        data.append(datum._replace(changed=True, by=frozenset[str]() if effect.when else frozenset(by)))
    # An accepted number reveals something about its bounds; if nothing else is touched, the entry is for hosts anyway.
    return (*data, *(datum for field in verb.fields for datum in bounding(rules, verb, field))) if data else ()


def _read(rules: Rules, effect: Effect) -> Iterator[Touched]:
    for leaf in reads(effect):
        if isinstance(leaf, Held):
            yield Touched(leaf.counter, rules.level(leaf.counter), (leaf.who,) if leaf.who else ())
        elif isinstance(leaf, Count):
            yield _place(rules, leaf.item, (leaf.who,))


def bounding(rules: Rules, of: VerbKind | SheetKind, field: Field) -> Iterator[Touched]:
    """The data that a field's bounds read: of the first player whom the verb names, or of the table."""
    asked = next((one.name for one in of.fields if one.kind == "player" and not one.many), "")
    for tree in (field.least, field.most):
        for leaf in lang.leaves(tree) if tree is not None else ():
            if isinstance(leaf, Held):
                owners = () if rules.counters[leaf.counter].table else (asked,)
                yield Touched(leaf.counter, rules.level(leaf.counter), owners)
            elif isinstance(leaf, Count):
                yield _place(rules, leaf.item, (leaf.who or asked,))


def _place(rules: Rules, item: str, places: Sequence[str]) -> Touched:
    """Cards at these places: those in the deck are hidden, those on the table are open unless they are secret."""
    level = rules.level(item)
    owners = tuple(place for place in places if place not in PLACES)
    if not owners and set(places) <= {DECK, AWAY}:
        return Touched(item, Level(HOSTS, level.end), ())
    return Touched(item, level if owners else level.laid_open(), owners)


def sees(datum: Touched, reader: str) -> bool:
    """Does this reader (a field that names a player, or `public`) see that datum now?"""
    return datum.level.now == EVERYBODY or (datum.level.now == OWNER and reader in datum.owners)


def leak(rules: Rules, verb: VerbKind, field: str, reader: str) -> str | None:
    """The hidden data, in words, that `reader` would learn from what was typed as `field`; None if there are none.

    By it they also learn what else was typed, if both change a counter, or one decides whether the other does.
    """
    data = [datum for datum in touched(rules, verb) if datum.changed]
    used = [_used(rules, effect, datum) for effect, datum in zip(verb.does, data, strict=True)]
    times = Counted(line for datum in data for line in [datum.line] * max(1, len(datum.owners)))
    seen = [datum for datum in data if sees(datum, reader) and sum(_is_one(datum, other) for other in data) == 1]

    def known(name: str) -> set[str]:
        """The lines in which the reader sees it anyway; all if it stands out although two fields name one player."""
        shown = {datum.line for datum in seen if name in datum.by}
        return {"", *times} if name in (reader, *verb.open) or any(times[line] == 1 for line in shown) else shown

    if "" in known(field):
        return None
    linked = {field}
    for _ in used:
        for amount, _ in used:
            linked |= amount if amount & linked else set()
    for datum, (amount, whose) in zip(data, used, strict=True):
        told = linked & (amount | whose) - {*times}
        if not sees(datum, reader) and any(datum.line not in known(name) for name in told):
            return f"a change of {datum.line}"
    bounds = (datum for one in verb.fields if one.name == field for datum in bounding(rules, verb, one))
    return next((f"{datum.line}, within which it lies" for datum in bounds if not sees(datum, reader)), None)


def _is_one(datum: Touched, other: Touched) -> bool:
    """Are both the same counter or cards of the same player, or of the table?"""
    return datum.line == other.line and (datum.owners == other.owners or bool({*datum.owners} & {*other.owners}))


def _used(rules: Rules, effect: Effect, datum: Touched) -> tuple[set[str], set[str]]:
    """The fields and lines that decide how much is changed, with its own line; the fields that say whose, or which."""
    amount = {datum.line, *(row.line for row in _read(rules, effect))}
    amount |= {leaf.field for leaf in reads(effect) if isinstance(leaf, Typed)}
    amount |= {leaf.who for leaf in reads(effect) if isinstance(leaf, (Held, Count))}
    amount |= {condition.right for condition in effect.when if isinstance(condition.right, str)}
    return amount, {effect.what, effect.src, effect.to} if isinstance(effect, Move) else {effect.target.who}


def tells_too_much(rules: Rules) -> Iterator[tuple[tuple[str, ...], str]]:
    """(where, what) for each text that names something its reader may not know, or something that does not exist."""
    for verb in rules.verbs.values():
        fields = {field.name for field in verb.fields}
        where = ("verbs", verb.name, "says")
        for reader, text in verb.says:
            if "{" in NAMED.sub("", text) or "}" in NAMED.sub("", text):
                yield (*where, reader), "a single brace: {field} names a field"
            for name in NAMED.findall(text):
                if fault := _named(rules, verb, fields, name, reader):
                    yield (*where, reader), fault
        if not verb.secret:
            bounds = (datum for field in verb.fields for datum in bounding(rules, verb, field))
            secret = [datum.line for datum in (*touched(rules, verb), *bounds) if _is_secret(rules, datum.line)]
            secret += [field.item for field in verb.fields if field.item and rules.items[field.item].secret]
            if secret:
                yield ("verbs", verb.name), f"it names {secret[0]}, which is secret: then say secret = true here too"
    for leaf in lang.leaves(rules.ending.score) if rules.ending.score else ():
        line = leaf.counter if isinstance(leaf, Held) else leaf.item if isinstance(leaf, Count) else ""
        if _is_secret(rules, line):
            yield ("result", "score"), f"it names {line}, which is secret; line 1 of the log is read by everybody"
    for sheet in rules.sheets.values():
        for field in sheet.fields:
            named = [field.item, *(datum.line for datum in bounding(rules, sheet, field))]
            yield from (
                (("sheets", sheet.name), f"it names {line}, which is secret")
                for line in named
                if _is_secret(rules, line)
            )


def _is_secret(rules: Rules, line: str) -> bool:
    return line in rules.things and rules.things[line].secret


def _named(rules: Rules, verb: VerbKind, fields: set[str], name: str, reader: str) -> str | None:
    for_whom = "everybody" if reader == PUBLIC else reader
    if name in fields:
        hidden = leak(rules, verb, name, reader)
        if hidden is None:
            return None
        what = f"{{{name}}} tells {for_whom} of {hidden}, which they do not see"
        return f'{what}; if that is meant: open = ["{name}"]'
    counter, _, who = name.partition(" ")
    kind = rules.counters.get(counter)
    if kind is None or kind.table is not (who == "") or (who and who not in fields):
        whose = [field.name for field in verb.fields if field.kind == "player" and not field.many]
        owned = (f"{c.name} {who}" for c in rules.counters.values() for who in whose if not c.table)
        what = "is no field, and no counter with the field of its player"
        return f"{{{name}}} {what}; {hint(name, [*(field.name for field in verb.fields), *owned])}"
    if kind.level.now == EVERYBODY or (kind.level.now == OWNER and who == reader):
        return None
    return f"{{{name}}} is hidden from {for_whom}"


# ---- the table that `check` prints -------------------------------------------------------------------------------


def shown(rules: Rules) -> Iterator[tuple[str, str, str, str]]:
    """(datum, who sees it as owner, as others, at the end) for everything in a file."""
    for counter in rules.counters.values():
        yield _row(f"counter {counter.name}", counter.level, table=counter.table, secret=counter.secret)
    for item in rules.items.values():
        yield _row(f"item {item.name}", item.level, secret=item.secret)
        if item.draw in ("order", "deal"):
            yield _row(f"item {item.name}, deck", Level(HOSTS, item.level.end), table=True, secret=item.secret)
        if item.draw:
            now = EVERYBODY if item.draw == "one each" and item.level.now == EVERYBODY else HOSTS
            again = " (a value may come twice)" if item.draw == "one each" else ""
            yield _row(f"draw of {item.name}{again}", Level(now, item.level.end), table=True, secret=item.secret)
    for sheet in rules.sheets.values():
        yield (f"sheet {sheet.name}, sealed", "sees", "hidden", "as resolved")
        yield _row(f"sheet {sheet.name}, resolved", sheet.level)
    for verb in rules.verbs.values():
        yield from dict.fromkeys(_of_verb(rules, verb))
    if rules.ending.score is not None:
        yield _row("score and places", rules.ending.level)


def _row(what: str, level: Level, *, table: bool = False, secret: bool = False) -> tuple[str, str, str, str]:
    what += " (secret)" if secret else ""
    owner = "-" if table else "sees" if level.now >= OWNER else "hidden"
    ends = {HOSTS: "hosts only", OWNER: "its owner", EVERYBODY: "everybody"}[level.end]
    return what, owner, "see" if level.now == EVERYBODY else "hidden", ends


def _of_verb(rules: Rules, verb: VerbKind) -> Iterator[tuple[str, str, str, str]]:
    data = touched(rules, verb)
    everybody = bool(data) and all(datum.level.now == EVERYBODY for datum in data) and not verb.secret
    owners = owners_of((datum.level, datum.owners) for datum in data)
    names = "" if everybody or verb.secret else " ".join(sorted(owners))
    opened = f" (open: {' '.join(sorted(verb.open))})" if verb.open else ""
    what = f"entry of {verb.name}{opened}" + (" (secret)" if verb.secret else "")
    owner = "-" if everybody or not names else f"sees: {names}"
    end = "everybody" if everybody else "as then" if names else "hosts only"
    yield what, owner, "see" if everybody else "hidden", end
    for effect in verb.does:
        hidden = {datum.line: None for datum in _read(rules, effect) if datum.level.now != EVERYBODY}
        if hidden and isinstance(effect, Change) and rules.level(effect.target.counter).now == EVERYBODY:
            yield f"  {verb.name}: {effect.target.counter} tells of {', '.join(hidden)}", "sees", "see", "as then"
    for reader, text in verb.says:
        whom = ("-", "read") if reader == PUBLIC else (f"reads: {reader}", "hidden")
        yield f"  {verb.name} says: {text}", *whom, "as then"
