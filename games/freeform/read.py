"""From the tables of a file to `Rules`, with every fault that there is, each with the place where it stands.

What belongs here: keys, types, bounds, names. What does not: whether a text tells too much (telling.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.freeform import fields as typed
from games.freeform import lang, words
from games.freeform.book import MAX_CARDS, MAX_HOURS, MAX_ROUNDS, Book, Fault
from games.freeform.lang import LIMIT, Scope
from games.freeform.model import (
    EVERYBODY,
    HOSTS,
    OWNER,
    Counter,
    Ending,
    Item,
    Level,
    Rules,
    narrowest,
)  # fmt: skip
from games.kinds import fold

TABLES = ("counters", "items", "sheets", "verbs", "result")
KEYS = {
    "counters": ("start", "seen_by", "final", "least", "most", "of", "label", "secret"),
    "items": ("values", "copies", "draw", "turn", "seen_by", "final", "label", "secret"),
    "sheets": ("fields", "rounds", "hours", "opened", "final", "label"),
    "verbs": ("fields", "does", "says", "open", "help", "secret"),
}
MAX_ROWS = {"counters": 60, "items": 20, "sheets": 20, "verbs": 60}
MAX_FILE_CHARACTERS = 40_000
"""Characters of all tables as the log writes them: line 1 has 65,536 bytes for everything."""
_RANGE = re.compile(r"([0-9]{1,6})\.\.([0-9]{1,6})")


def in_order(row: Any, place: int) -> Any:
    """A row of a table as the log keeps it. The log sorts keys, so what stands in an order says so: `place` is that of
    the row, and its fields are pairs."""
    if not isinstance(row, Mapping):
        return row
    fields = row.get("fields")
    pairs = {"fields": [[key, spec] for key, spec in fields.items()]} if isinstance(fields, Mapping) else {}
    return {"place": place, **row, **pairs}


def tables_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Those settings of a match that are the file's tables."""
    return {name: settings[name] for name in TABLES if settings.get(name)}


def read_rules(tables: Mapping[str, Any]) -> tuple[Rules, tuple[Fault, ...]]:
    """The rules of a file, as far as they can be read, and all faults."""
    from games.freeform.telling import tells_too_much

    book = Book()
    sound = {name: _table(book, name, tables) for name in ("counters", "items", "sheets", "verbs")}
    if len(json.dumps(tables, default=str)) > MAX_FILE_CHARACTERS:
        book.wrong((), f"the tables together have more than {MAX_FILE_CHARACTERS} characters")
        return Rules({}, {}, {}, {}, NO_ENDING), tuple(book.faults)
    counters = {name: _counter(book, name, row) for name, row in _rows(book, "counters", sound)}
    items = {name: _item(book, name, row, counters) for name, row in _rows(book, "items", sound)}
    shared = Scope({}, {name: counter.table for name, counter in counters.items()}, frozenset(items))
    sheets = {name: typed.sheet(book, name, row, items, shared) for name, row in _rows(book, "sheets", sound)}
    verbs = {name: typed.verb(book, name, row, items, shared) for name, row in _rows(book, "verbs", sound)}
    rules = Rules(counters, items, sheets, verbs, _ending(book, tables.get("result", {}), shared, counters, items))
    _rounds_differ(book, rules)
    for fault in tells_too_much(rules):
        book.wrong(*fault)
    return rules, tuple(book.faults)


NO_ENDING = Ending(None, Level(EVERYBODY, EVERYBODY), "", "", "lot", 24)


def _table(book: Book, name: str, tables: Mapping[str, Any]) -> Mapping[str, Any]:
    rows = tables.get(name, {})
    if not isinstance(rows, Mapping):
        book.wrong((name,), f"{name} is a table: [{name}]")
        return {}
    if len(rows) > MAX_ROWS[name]:
        book.wrong((name,), f"there are {len(rows)} {name}; at most {MAX_ROWS[name]}")
        return {}
    sound = {key: row for key, row in rows.items() if book.named((name, str(key)))}
    return dict(sorted(sound.items(), key=lambda pair: _place(pair[1])))


def _rows(book: Book, table: str, sound: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The rows of a table, of which each is a table with known keys; what is wrong with them is noted one by one."""
    for name, raw in sound[table].items():
        row = book.keys((table, name), raw, KEYS[table])
        if isinstance(raw, Mapping):
            yield name, row


def _place(row: Any) -> int:
    place = row.get("place", 0) if isinstance(row, Mapping) else 0
    return place if isinstance(place, int) else 0


def _rounds_differ(book: Book, rules: Rules) -> None:
    names = rules.rounds()
    if len(names) > MAX_ROUNDS:
        book.wrong(("sheets",), f"there are {len(names)} rounds in all; at most {MAX_ROUNDS}")
    for name in {name for name in names if names.count(name) > 1}:
        book.wrong(("sheets",), f"two rounds would be called {name}: another name for one of the sheets")


# ---- counters and items ------------------------------------------------------------------------------------------


def _counter(book: Book, name: str, row: Mapping[str, Any]) -> Counter:
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
    label = book.text((*where, "label"), row, name.replace("_", " "))
    return Counter(name, table, start, level, least, most, label or name, secret)


def _secret(book: Book, where: tuple[str, ...], row: Mapping[str, Any], level: Level) -> bool:
    secret = book.true((*where, "secret"), row)
    if secret and level != (HOSTS, HOSTS):
        book.wrong((*where, "secret"), 'that it exists is secret, so nobody can see it: seen_by = "hosts", no final')
    return secret


def _item(book: Book, name: str, row: Mapping[str, Any], counters: Mapping[str, Counter]) -> Item:
    where = ("items", name)
    if name in counters:
        book.wrong(where, f"{name} is a counter already: another name")
    values = _cards(book, (*where, "values"), row.get("values"))
    draw, each = _draw(book, (*where, "draw"), row)
    copies = book.number((*where, "copies"), row, 1, 1, 100)
    level = book.level(where, row, "seen_by")
    if draw == "one each":
        if "copies" in row:
            book.wrong((*where, "copies"), "one each is drawn anew for each player: there are no copies")
    else:
        values = tuple(value for value in values for _ in range(copies))
    if len(values) > MAX_CARDS:
        book.wrong((*where, "values"), f"there are {len(values)} cards; at most {MAX_CARDS}")
        values = values[:MAX_CARDS]
    turn = book.number((*where, "turn"), row, 0, 0, MAX_CARDS)
    if turn and draw not in ("order", "deal"):
        book.wrong((*where, "turn"), 'only of a deck cards are laid open: draw = "order"')
    secret = _secret(book, where, row, level)
    label = book.text((*where, "label"), row, name.replace("_", " "))
    return Item(name, values, draw, each, turn, level, label or name, secret)


def _cards(book: Book, where: tuple[str, ...], values: Any) -> tuple[str, ...]:
    """Its cards: a list of words, or a span of numbers."""
    if isinstance(values, str) and (span := _RANGE.fullmatch(values.strip())):
        least, most = int(span[1]), int(span[2])
        if least <= most < least + MAX_CARDS:
            return tuple(str(n) for n in range(least, most + 1))
    cards = [str(value) if isinstance(value, int) else value for value in values] if isinstance(values, list) else []
    if not cards or not all(isinstance(card, str) and re.fullmatch(r"[\w+.'!?-]{1,24}", card) for card in cards):
        book.wrong(where, 'values are the cards: a list of words like ["north", "south"], or a span like "1..50"')
        return ("none",)
    if len({fold(card) for card in cards}) < len(cards):
        book.wrong(where, "a card stands there twice: say copies = 2, or give them two names")
    if reserved := [card for card in cards if card == words.NOTHING or fold(card) in lang.PLACES]:
        book.wrong(where, f"no card can be called {reserved[0]}")
    return tuple(cards)


def _draw(book: Book, where: tuple[str, ...], row: Mapping[str, Any]) -> tuple[str, int]:
    draw = row.get("draw", "")
    if draw in ("", "one each", "order"):
        return str(draw), 0
    deal = re.fullmatch(r"deal ([0-9]{1,3})", draw) if isinstance(draw, str) else None
    if deal is None or not int(deal[1]):
        book.wrong(where, 'draw is "one each", "order" (a deck), or "deal 5"')
        return "", 0
    return "deal", int(deal[1])


# ---- fields, sheets, verbs ---------------------------------------------------------------------------------------


def _ending(book: Book, raw: Any, shared: Scope, counters: Mapping[str, Counter], items: Mapping[str, Item]) -> Ending:
    where = ("result",)
    row = book.keys(where, raw, ("score", "tokens", "elimination", "ties", "hours"))
    score = None
    if "score" in row:
        score = book.text_of((*where, "score"), lang.read_value, row["score"], shared._replace(asked=True))
    by_score = ("highest", "lowest", "hosts")
    tokens: Any = book.one((*where, "tokens"), row, "", by_score) if "tokens" in row else ""
    elimination: Any = book.one((*where, "elimination"), row, "", by_score) if "elimination" in row else ""
    for key, value in (("tokens", tokens), ("elimination", elimination)):
        if value in by_score[:2] and score is None:
            book.wrong((*where, key), f"{value} of what? score = ... says it")
    if tokens == elimination and tokens in by_score[:2]:
        book.wrong((*where, "elimination"), f"the {tokens} cannot win and be eliminated")
    ties = book.one((*where, "ties"), row, "lot", ("lot", "vote", "hosts", "all"))
    hours = book.number((*where, "hours"), row, 24, 1, MAX_HOURS)
    level = narrowest(level_of(leaf, counters, items) for leaf in lang.leaves(score)) if score else NO_ENDING.level
    return Ending(score, level, tokens, elimination, ties, hours)


def level_of(leaf: lang.Expression, counters: Mapping[str, Counter], items: Mapping[str, Item]) -> Level:
    """Who knows what an expression reads there; a number that is written out everybody knows."""
    if isinstance(leaf, lang.Held):
        return counters[leaf.counter].level
    if isinstance(leaf, lang.Count):
        level = items[leaf.item].level
        return Level(HOSTS, level.end) if leaf.who in (lang.DECK, lang.AWAY) else level
    return Level(EVERYBODY, EVERYBODY)
