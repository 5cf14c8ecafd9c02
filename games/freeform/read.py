"""Reads the tables of a file into `Rules`, and reports every fault with its place.

What belongs here: keys, types, bounds, names. What does not: whether a text reveals too much (model.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from events.record import NamedTuple
from games import spans
from games.freeform import lang, model, words
from games.freeform.lang import LIMIT, Scope, Wrong
from games.freeform.model import HOSTS, OWNER, WHO, Counter, Ending, Field, Item, Level, SheetKind, VerbKind, narrowest
from games.kinds import casefolded, clean, did_you_mean, shown
from games.spans import Length

T = TypeVar("T")
MAX_FIELDS, MAX_EFFECTS, MAX_CARDS, MAX_ROUNDS, MAX_HOURS = 20, 20, 300, 60, 1000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


class Fault(NamedTuple):
    """What is wrong in a file, and the path to it."""

    where: tuple[str, ...]
    what: str


class Reading:
    """Reads the keys of a file and collects faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def wrong(self, where: Sequence[str], what: str) -> None:
        self.faults.append(Fault(tuple(where), what))

    def keys(self, where: Sequence[str], row: object, allowed: Sequence[str]) -> Mapping[str, object]:
        """The table at this place, without unknown keys."""
        if not isinstance(row, Mapping):
            self.wrong(where, f"{'.'.join(where)} is a table: {{ {allowed[0]} = ... }}")
            return {}
        for key in row:
            if key not in allowed and key != "place":
                hint = did_you_mean(str(key), allowed, f"it can have: {' '.join(allowed)}", 1)
                hint = spans.in_hours(str(key), allowed) or hint
                self.wrong((*where, str(key)), f"there is no key {shown(str(key))} here; {hint}")
        return row

    def named(self, where: Sequence[str]) -> bool:
        """Is the last key a valid name?"""
        name = where[-1]
        if not _NAME.fullmatch(name):
            self.wrong(where, f"{shown(name)} is no name: a-z first, then a-z, 0-9 and _, at most 32")
        elif name in lang.RESERVED:
            self.wrong(where, f"{name} has a meaning of its own: another name")
        else:
            return True
        return False

    def number(self, where: Sequence[str], row: Mapping[str, object], default: int, least: int, most: int) -> int:
        value = row.get(where[-1], default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.wrong(where, f"{where[-1]} is a whole number from {least} to {most}")
            return default
        return value

    def length(self, where: Sequence[str], row: Mapping[str, object], default: Length) -> Length:
        """A number of hours, or a text like `90m`."""
        value: Any = row.get(where[-1], default)
        if (wrong := spans.fault(value, 1, MAX_HOURS, spans.HOUR)) is None:
            length: Length = value
            return length
        self.wrong(where, f'{where[-1]} {wrong}: {where[-1]} = "90m"')
        return default

    def text(self, where: Sequence[str], row: Mapping[str, object], default: str, longest: int = 60) -> str:
        value = row.get(where[-1], default)
        if not isinstance(value, str) or len(value) > longest or "\n" in value or clean(value) != value:
            self.wrong(where, f"{where[-1]} is a text of one line, at most {longest} characters")
            return default
        return value

    def label(self, where: Sequence[str], row: Mapping[str, object]) -> str:
        return self.text((*where, "label"), row, where[-1].replace("_", " ")) or where[-1]

    def true(self, where: Sequence[str], row: Mapping[str, object]) -> bool:
        value = row.get(where[-1], False)
        if not isinstance(value, bool):
            self.wrong(where, f"{where[-1]} is true or false")
        return value is True

    def one(self, where: Sequence[str], row: Mapping[str, object], default: str, allowed: Sequence[str]) -> Any:
        value = row.get(where[-1], default)
        if value not in allowed:
            self.wrong(where, f"{where[-1]} is one of: {' '.join(allowed)}")
            return default
        return value

    def level(self, where: Sequence[str], row: Mapping[str, object], first: str, default: str = "") -> Level:
        """Read who sees it now (key `first`) and at the end (`final`); nothing becomes hidden at the end."""
        if first not in row and not default:
            self.wrong(where, f"who sees it? {first} = {' or '.join(map(shown, WHO))}")
            return Level(HOSTS, HOSTS)
        now = WHO[self.one((*where, first), row, default or "hosts", tuple(WHO))]
        end = WHO[self.one((*where, "final"), row, "hosts", tuple(WHO))] if "final" in row else now
        if end < now:
            self.wrong((*where, "final"), "what players see before the end cannot be hidden at the end")
        if now == HOSTS and end == OWNER:
            self.wrong((*where, "final"), "hidden from its owner until the end: then everybody sees it, or nobody")
        return Level(now, max(now, end))

    def text_of(self, where: Sequence[str], read: Callable[[str, Scope], T], text: object, scope: Scope) -> T | None:
        """Parse a text of the little language; None if it is faulty."""
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


# ---- the fields of sheets and verbs, what a verb does and says -------------------------------------------------------

_FIELD = re.compile(r"(list of )?(.*?)(\?)?", re.DOTALL)
_SPAN = re.compile(r"number(?:\s+(.*?)\s*\.\.\s*(.*))?", re.DOTALL)
_WORD = re.compile(r"[\w+.'!?-]{1,24}")
_NO_WORD = "not one word of at most 24 letters; write"
PLAIN: Mapping[str, model.Kind] = {"player": "player", "text": "text", "yes/no": "yes"}
_CELLS = re.compile(r"cell\s+([0-9]{1,2})\s*x\s*([0-9]{1,2})")


def _as_word(text: str) -> str:
    """A valid name to write instead: `night_wolf` for `night wolf`."""
    return re.sub(r"[^\w+.'!?-]+", "_", text.strip())[:24]


def _fields(
    book: Reading, where: tuple[str, ...], row: Mapping[str, object], items: Mapping[str, Item], scope: Scope
) -> tuple[Field, ...]:
    rows = row.get("fields", {})
    if isinstance(rows, (list, tuple)) and all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in rows):
        rows = {str(name): spec for name, spec in rows}
    if not isinstance(rows, Mapping) or len(rows) > MAX_FIELDS:
        book.wrong((*where, "fields"), f'fields is a table of at most {MAX_FIELDS} lines: {{ who = "player" }}')
        return ()
    fields: list[Field] = []
    for name, spec in rows.items():
        place = (*where, "fields", str(name))
        if book.named(place) and (field := _field(book, place, spec, items, scope)):
            if fields and fields[-1].optional and not field.optional:
                book.wrong(place, f"{name} must be typed, so it comes before the fields that may be left out")
            fields.append(field)
    return tuple(fields)


def _field(
    book: Reading, where: tuple[str, ...], spec: object, items: Mapping[str, Item], scope: Scope
) -> Field | None:
    name = where[-1]
    if not isinstance(spec, str) or len(spec) > lang.MAX_CHARACTERS:
        book.wrong(where, f'{name} is described by a text: "number 0..10", "player", "yes/no", ...')
        return None
    many, kind, optional = _FIELD.fullmatch(spec.strip()).groups()  # type: ignore[union-attr]
    field = Field(name, "text", many=bool(many), optional=bool(optional), said=spec.strip())
    kind = kind.strip()
    if kind == "text" and many:
        book.wrong(where, "a list of texts cannot be told apart: use one text")
    if (plain := PLAIN.get(kind)) is not None:
        return field._replace(kind=plain)
    if span := _SPAN.fullmatch(kind):
        return _span(book, where, field._replace(kind="number"), span, scope)
    if kind.startswith("one of "):
        choices = tuple(word.strip() for word in kind.removeprefix("one of ").split(",") if word.strip())
        if bad := next((word for word in choices if not _WORD.fullmatch(word)), ""):
            book.wrong(where, f"{name}: {shown(bad)} is {_NO_WORD} one of {', '.join(map(_as_word, choices))}")
        elif len(choices) < 2:
            book.wrong(where, f"{name}: two or more words with commas between: one of north, south")
        return field._replace(kind="one", words=tuple(map(_as_word, choices)))
    if kind.startswith("card of "):
        word = kind.removeprefix("card of ").strip()
        if (item := items.get(word)) is not None:
            return field._replace(kind="card", words=tuple(dict.fromkeys(item.values)), item=item.name)
        book.wrong(where, f"{name}: there are no items {shown(word)}; {lang.hint(word, items)}")
        return None
    if board := _CELLS.fullmatch(kind):
        columns, rows = int(board[1]), int(board[2])
        if 1 <= columns <= 26 and 1 <= rows <= 26:
            return field._replace(kind="cell", words=words.cells(columns, rows))
    kinds = "player, number 0..10, yes/no, one of a, b, card of ITEMS, cell 5x5, text, or: list of ..."
    book.wrong(where, f"{name} cannot be {shown(spec)}: {kinds}; with ? at the end it may be left out")
    return None


def _span(book: Reading, where: tuple[str, ...], field: Field, span: re.Match[str], scope: Scope) -> Field | None:
    if span[1] is None:
        return field
    asked = scope._replace(asked=True)
    least, most = (
        book.text_of(where, lang.read_value, text, asked) if text.strip() else None for text in span.groups()
    )
    return field._replace(least=least, most=most)


def sheet(book: Reading, name: str, row: Mapping[str, object], items: Mapping[str, Item], shared: Scope) -> SheetKind:
    where = ("sheets", name)
    fields = _fields(book, where, row, items, shared)
    if not fields:
        book.wrong(where, 'a sheet has at least one field: fields = { bid = "number 0..10" }')
    rounds = book.number((*where, "rounds"), row, 1, 1, MAX_ROUNDS)
    hours = book.length((*where, "hours"), row, 24)
    level = book.level(where, row, "opened", "everybody")
    level = Level(max(OWNER, level.now), max(OWNER, level.end))
    return SheetKind(name, fields, rounds, hours, level, book.label(where, row))


def verb(book: Reading, name: str, row: Mapping[str, object], items: Mapping[str, Item], shared: Scope) -> VerbKind:
    where = ("verbs", name)
    fields = _fields(book, where, row, items, shared)
    known = {field.name: field for field in fields}
    for field in fields:
        if field.name in shared.counters or field.name in items:
            book.wrong((*where, "fields", field.name), f"{field.name} is a counter or a kind of card: another name")
        for word in known.keys() & field.words if field.kind == "one" else ():
            book.wrong((*where, "fields", field.name), f"the word {word} is the name of a field: another word")
    does = row.get("does", [])
    does = [does] if isinstance(does, str) else does
    if not isinstance(does, list) or len(does) > MAX_EFFECTS:
        book.wrong((*where, "does"), f"does is a list of at most {MAX_EFFECTS} texts")
        does = []
    single = [field for field in fields if not field.many]
    scope = shared._replace(
        fields={field.name: "list" if field.many else field.kind for field in fields},
        words={field.name: ("yes", "no") if field.kind == "yes" else field.words for field in single},
        of_field={field.name: field.item for field in single if field.kind == "card"},
    )
    read = (book.text_of((*where, "does"), lang.read_effect, text, scope) for text in does)
    effects = tuple(effect for effect in read if effect is not None)
    for field in fields:
        if field.optional and field.kind in ("player", "card") and _uses(effects, field.name):
            book.wrong((*where, "fields", field.name), f"something is done with {field.name}: it cannot be left out")
    readers = ("public", *(field.name for field in fields if field.kind == "player"))
    says = book.keys((*where, "says"), row.get("says", {}), readers)
    texts = tuple((who, book.text((*where, "says", who), says, "", 300)) for who in says if who in (*known, "public"))
    opened = row.get("open", [])
    if not isinstance(opened, list) or not all(isinstance(field, str) and field in known for field in opened):
        listed = ", ".join(f'"{name}"' for name in known)
        book.wrong((*where, "open"), f"open lists fields of this verb: [{listed}]")
        opened = []
    help = book.text((*where, "help"), row, "", 120)
    secret = book.true((*where, "secret"), row)
    return VerbKind(name, fields, effects, texts, frozenset(opened), help, secret)


def _uses(effects: Sequence[lang.Effect], field: str) -> bool:
    for effect in effects:
        own = (effect.what, effect.src, effect.to) if isinstance(effect, lang.Move) else (effect.target.who,)
        if field in (*own, *(getattr(leaf, "who", "") for leaf in lang.reads(effect))):
            return True
    return False


# ---- the tables ------------------------------------------------------------------------------------------------------

TABLES = ("counters", "items", "sheets", "verbs", "result")
KEYS = {
    "counters": ("start", "seen_by", "final", "least", "most", "of", "label", "secret"),
    "items": ("values", "copies", "draw", "turn", "seen_by", "final", "label", "secret"),
    "sheets": ("fields", "rounds", "hours", "opened", "final", "label"),
    "verbs": ("fields", "does", "says", "open", "help", "secret"),
}
MAX_ROWS = {"counters": 60, "items": 20, "sheets": 20, "verbs": 60}
MAX_FILE_CHARACTERS = 40_000
"""The most characters of all tables in the log: line 1 has 65,536 bytes for everything."""
_RANGE = re.compile(r"([0-9]{1,6})\.\.([0-9]{1,6})")


def in_order(row: object, place: int) -> object:
    """A row of a table as the log keeps it: the log sorts keys, so the row keeps its index `place`, and its fields as
    pairs."""
    if not isinstance(row, Mapping):
        return row
    fields = row.get("fields")
    pairs = {"fields": [[key, spec] for key, spec in fields.items()]} if isinstance(fields, Mapping) else {}
    return {"place": place, **row, **pairs}


def tables_of(settings: Mapping[str, object]) -> dict[str, object]:
    """The settings of a match that are tables of the file."""
    return {name: settings[name] for name in TABLES if settings.get(name)}


def read_rules(tables: Mapping[str, object]) -> tuple[model.Rules, tuple[Fault, ...]]:
    """Read the rules of a file, as far as possible, and all its faults."""
    book = Reading()
    if len(json.dumps(tables, default=str)) > MAX_FILE_CHARACTERS:
        book.wrong((), f"the tables together have more than {MAX_FILE_CHARACTERS} characters")
        return model.Rules({}, {}, {}, {}, NO_ENDING), tuple(book.faults)
    counters = {name: _counter(book, name, row) for name, row in _rows(book, "counters", tables)}
    items = {name: _item(book, name, row, counters) for name, row in _rows(book, "items", tables)}
    shared = Scope(
        {},
        {name: counter.table for name, counter in counters.items()},
        {name: item.values for name, item in items.items()},
    )
    sheets = {name: sheet(book, name, row, items, shared) for name, row in _rows(book, "sheets", tables)}
    verbs = {name: verb(book, name, row, items, shared) for name, row in _rows(book, "verbs", tables)}
    ending = _ending(book, tables.get("result", {}), shared, counters, items)
    rules = model.Rules(counters, items, sheets, verbs, ending)
    rounds = rules.rounds()
    if len(rounds) > MAX_ROUNDS:
        book.wrong(("sheets",), f"there are {len(rounds)} rounds in all; at most {MAX_ROUNDS}")
    for name in {name for name in rounds if rounds.count(name) > 1}:
        book.wrong(("sheets",), f"two rounds would be called {name}: another name for one of the sheets")
    for fault in model.tells_too_much(rules):
        book.wrong(*fault)
    return rules, tuple(book.faults)


NO_ENDING = Ending(None, Level(model.EVERYBODY, model.EVERYBODY), "", "", "lot", 24)


def _rows(book: Reading, table: str, tables: Mapping[str, object]) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The rows of a table in order, each with known keys only; faults are noted."""
    rows = tables.get(table, {})
    if not isinstance(rows, Mapping):
        book.wrong((table,), f"{table} is a table: [{table}]")
    elif len(rows) > MAX_ROWS[table]:
        book.wrong((table,), f"there are {len(rows)} {table}; at most {MAX_ROWS[table]}")
    else:
        sound = [(key, row) for key, row in rows.items() if book.named((table, str(key)))]
        for name, raw in sorted(sound, key=lambda pair: _place(pair[1])):
            row = book.keys((table, name), raw, KEYS[table])
            if isinstance(raw, Mapping):
                yield name, row


def _place(row: object) -> int:
    place = row.get("place", 0) if isinstance(row, Mapping) else 0
    return place if isinstance(place, int) else 0


# ---- counters and items ------------------------------------------------------------------------------------------


def _counter(book: Reading, name: str, row: Mapping[str, object]) -> Counter:
    where = ("counters", name)
    table = book.one((*where, "of"), row, "player", ("player", "table")) == "table"
    level = book.level(where, row, "seen_by")
    if table and level.now == OWNER:
        book.wrong((*where, "seen_by"), "a counter of the table has no owner: hosts or everybody")
    secret = _secret(book, where, row, level)
    least = book.number((*where, "least"), row, -LIMIT, -LIMIT, LIMIT)
    most = book.number((*where, "most"), row, LIMIT, -LIMIT, LIMIT)
    start = book.number((*where, "start"), row, 0, -LIMIT, LIMIT)
    if not least <= start <= most:
        book.wrong((*where, "start"), f"it starts with {start}, which is not {least} to {most}")
    return Counter(name, table, start, level, least, most, book.label(where, row), secret)


def _secret(book: Reading, where: tuple[str, ...], row: Mapping[str, object], level: Level) -> bool:
    secret = book.true((*where, "secret"), row)
    if secret and level != (HOSTS, HOSTS):
        book.wrong((*where, "secret"), 'a secret thing cannot be seen by players: seen_by = "hosts", and no final')
    return secret


def _item(book: Reading, name: str, row: Mapping[str, object], counters: Mapping[str, Counter]) -> Item:
    where = ("items", name)
    if name in counters:
        book.wrong(where, f"{name} is a counter already: another name")
    values = _cards(book, (*where, "values"), row.get("values"))
    draw, each = _draw(book, (*where, "draw"), row)
    copies = book.number((*where, "copies"), row, 1, 1, 100)
    level = book.level(where, row, "seen_by")
    if draw == "one each":
        if "copies" in row:
            book.wrong((*where, "copies"), "one each is drawn for each player separately: it has no copies")
        if len(set(values)) < len(values):
            what = "a card is listed twice, and one each draws for each player separately"
            book.wrong((*where, "values"), f'{what}: draw = "deal 1" deals each listed card once')
    else:
        values = tuple(value for value in values for _ in range(copies))
    if len(values) > MAX_CARDS:
        book.wrong((*where, "values"), f"there are {len(values)} cards; at most {MAX_CARDS}")
        values = values[:MAX_CARDS]
    turn = book.number((*where, "turn"), row, 0, 0, MAX_CARDS)
    if turn and draw not in ("order", "deal"):
        book.wrong((*where, "turn"), 'only a deck lays cards open: draw = "order"')
    secret = _secret(book, where, row, level)
    return Item(name, values, draw, each, turn, level, book.label(where, row), secret)


def _cards(book: Reading, where: tuple[str, ...], values: object) -> tuple[str, ...]:
    """Read the cards of an item: a list of words, or a range of numbers."""
    if isinstance(values, str) and (span := _RANGE.fullmatch(values.strip())):
        least, most = int(span[1]), int(span[2])
        if least <= most < least + MAX_CARDS:
            return tuple(str(n) for n in range(least, most + 1))
    listed = values if isinstance(values, list) else str(values).split(",")
    texts = [str(value) for value in listed if isinstance(value, (int, str))]
    cards = [*map(_as_word, texts)]
    if not isinstance(values, list) or not cards or len(cards) < len(values):
        like = ", ".join(f'"{card}"' for card in cards if card) if cards[1:] else '"north", "south"'
        book.wrong(where, f'values are the cards: a list of words like [{like}], or a span like "1..50"')
    elif bad := next((text for text in texts if not _WORD.fullmatch(text)), ""):
        book.wrong(where, f'{shown(bad)} is {_NO_WORD} "{_as_word(bad)}"')
    spelled = {casefolded(card): card for card in cards}
    if other := next((card for card in cards if spelled[casefolded(card)] != card), None):
        book.wrong(where, f"{other} and {spelled[casefolded(other)]} cannot be told apart: give them two names")
    if reserved := [card for card in cards if card == words.NOTHING or casefolded(card) in lang.PLACES]:
        book.wrong(where, f"no card can be called {reserved[0]}")
    return tuple(cards) or ("none",)


def _draw(book: Reading, where: tuple[str, ...], row: Mapping[str, object]) -> tuple[str, int]:
    draw = row.get("draw", "")
    if draw in ("", "one each", "order"):
        return str(draw), 0
    deal = re.fullmatch(r"deal ([0-9]{1,3})", draw) if isinstance(draw, str) else None
    if deal is None or not int(deal[1]):
        book.wrong(where, 'draw is "one each", "order" (a deck), or "deal 5"')
        return "", 0
    return "deal", int(deal[1])


# ---- the result ---------------------------------------------------------------------------------------------------


def _ending(
    book: Reading, raw: object, shared: Scope, counters: Mapping[str, Counter], items: Mapping[str, Item]
) -> Ending:
    where = ("result",)
    row = book.keys(where, raw, ("score", "tokens", "elimination", "ties", "hours"))
    score = None
    if "score" in row:
        score = book.text_of((*where, "score"), lang.read_value, row["score"], shared._replace(asked=True))
    by_score = ("highest", "lowest", "hosts")
    tokens: Any = book.one((*where, "tokens"), row, "", by_score) if "tokens" in row else ""
    elimination: Any = book.one((*where, "elimination"), row, "", by_score) if "elimination" in row else ""
    for key, value in (("tokens", tokens), ("elimination", elimination)):
        if value in by_score[:2] and "score" not in row:
            book.wrong((*where, key), f"{value} of what? score = ... says it")
    if tokens == elimination and tokens in by_score[:2]:
        book.wrong((*where, "elimination"), f"the {tokens} cannot win and be eliminated")
    ties = book.one((*where, "ties"), row, "lot", ("lot", "vote", "hosts", "all"))
    hours = book.length((*where, "hours"), row, 24)
    level = narrowest(level_of(leaf, counters, items) for leaf in lang.leaves(score)) if score else NO_ENDING.level
    return Ending(score, level, tokens, elimination, ties, hours)


def level_of(leaf: lang.Expression, counters: Mapping[str, Counter], items: Mapping[str, Item]) -> Level:
    """Who knows the value of a leaf of an expression; everybody knows a literal number."""
    if isinstance(leaf, lang.Held):
        return counters[leaf.counter].level
    if isinstance(leaf, lang.Count):
        level = items[leaf.item].level
        return Level(HOSTS, level.end) if leaf.who in (lang.DECK, lang.AWAY) else level
    return Level(model.EVERYBODY, model.EVERYBODY)


def is_secret(row: object) -> bool:
    """Is this row of the file marked as secret?"""
    return isinstance(row, Mapping) and row.get("secret") is True
