"""Sheets and verbs of a file, read: their fields, what a verb does and says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.freeform import lang, words
from games.freeform.book import MOST_EFFECTS, MOST_FIELDS, MOST_HOURS, MOST_ROUNDS, Book
from games.freeform.lang import Scope
from games.freeform.model import HOSTS, OWNER, Field, Item, Kind, Level, SheetKind, VerbKind
from games.kinds import shown

_FIELD = re.compile(r"(list of )?(.*?)(\?)?", re.DOTALL)
_SPAN = re.compile(r"number(?:\s+(.*?)\s*\.\.\s*(.*))?", re.DOTALL)
PLAIN: Mapping[str, Kind] = {"player": "player", "text": "text", "yes/no": "yes"}
_CELLS = re.compile(r"cell\s+([0-9]{1,2})\s*x\s*([0-9]{1,2})")


def _fields(
    book: Book, where: tuple[str, ...], row: Mapping[str, Any], items: Mapping[str, Item], scope: Scope
) -> tuple[Field, ...]:
    given = row.get("fields", {})
    if isinstance(given, (list, tuple)) and all(isinstance(one, (list, tuple)) and len(one) == 2 for one in given):
        given = {str(name): said for name, said in given}
    if not isinstance(given, Mapping) or len(given) > MOST_FIELDS:
        book.wrong((*where, "fields"), f'fields is a table of at most {MOST_FIELDS} lines: {{ who = "player" }}')
        return ()
    found: list[Field] = []
    for name, said in given.items():
        place = (*where, "fields", str(name))
        if book.named(place) and (field := _field(book, place, said, items, scope)):
            if found and found[-1].optional and not field.optional:
                book.wrong(place, f"{name} must be typed, so it stands before what may be left out")
            found.append(field)
    return tuple(found)


def _field(book: Book, where: tuple[str, ...], said: Any, items: Mapping[str, Item], scope: Scope) -> Field | None:
    name = where[-1]
    if not isinstance(said, str) or len(said) > lang.LONGEST:
        book.wrong(where, f'{name} is said by a text: "number 0..10", "player", "yes/no", ...')
        return None
    many, kind, optional = _FIELD.fullmatch(said.strip()).groups()  # type: ignore[union-attr]
    made = Field(name, "text", many=bool(many), optional=bool(optional), said=said.strip())
    kind = kind.strip()
    if kind == "text" and many:
        book.wrong(where, "a list of texts cannot be told apart: one text")
    if (plain := PLAIN.get(kind)) is not None:
        return made._replace(kind=plain)
    if span := _SPAN.fullmatch(kind):
        return _span(book, where, made._replace(kind="number"), span, scope)
    if kind.startswith("one of "):
        listed = tuple(word.strip() for word in kind.removeprefix("one of ").split(",") if word.strip())
        if len(listed) > 1 and all(re.fullmatch(r"[\w+.'!-]{1,24}", word) for word in listed):
            return made._replace(kind="one", words=listed)
        book.wrong(where, f"{name}: two or more words with commas between: one of north, south")
        return None
    if kind.startswith("card of "):
        item = items.get(kind.removeprefix("card of ").strip())
        if item is not None:
            return made._replace(kind="card", words=tuple(dict.fromkeys(item.values)), item=item.name)
        book.wrong(where, f"{name}: there are no items {shown(kind.removeprefix('card of ').strip())}")
        return None
    if board := _CELLS.fullmatch(kind):
        columns, rows = int(board[1]), int(board[2])
        if 1 <= columns <= 26 and 1 <= rows <= 26:
            return made._replace(kind="cell", words=words.cells(columns, rows))
    kinds = "player, number 0..10, yes/no, one of a, b, card of ITEMS, cell 5x5, text, or: list of ..."
    book.wrong(where, f"{name} cannot be {shown(said)}: {kinds}; with ? at the end it may be left out")
    return None


def _span(book: Book, where: tuple[str, ...], made: Field, span: re.Match[str], scope: Scope) -> Field | None:
    if span[1] is None:
        return made
    asked = scope._replace(asked=True)
    ends = [
        book.text_of(where, lang.read_value, text, asked) if text.strip() else None for text in (span[1] or "", span[2])
    ]
    return made._replace(least=ends[0], most=ends[1])


def sheet(book: Book, name: str, given: Any, items: Mapping[str, Item], shared: Scope) -> SheetKind | None:
    where = ("sheets", name)
    row = book.keys(where, given, ("fields", "rounds", "hours", "opened", "final", "label"))
    if not isinstance(given, Mapping):
        return None
    fields = _fields(book, where, row, items, shared)
    if not fields:
        book.wrong(where, 'a sheet has at least one field: fields = { bid = "number 0..10" }')
    rounds = book.number((*where, "rounds"), row, 1, 1, MOST_ROUNDS)
    hours = book.number((*where, "hours"), row, 24, 1, MOST_HOURS)
    level = book.level(where, row, "opened", "everybody")
    if level.now == HOSTS and level.end == HOSTS:
        level = Level(OWNER, OWNER)
    label = book.text((*where, "label"), row, name.replace("_", " "))
    return SheetKind(name, fields, rounds, hours, Level(max(OWNER, level.now), max(OWNER, level.end)), label or name)


def _scope(fields: Sequence[Field], shared: Scope) -> Scope:
    single = [one for one in fields if not one.many]
    kinds = {one.name: one.kind if not one.many else "list" for one in fields}
    given = {one.name: ("yes", "no") if one.kind == "yes" else one.words for one in single}
    return shared._replace(
        fields=kinds, words=given, of_field={one.name: one.item for one in single if one.kind == "card"}
    )


def verb(book: Book, name: str, given: Any, items: Mapping[str, Item], shared: Scope) -> VerbKind | None:
    where = ("verbs", name)
    row = book.keys(where, given, ("fields", "does", "says", "open", "help", "secret"))
    if not isinstance(given, Mapping):
        return None
    fields = _fields(book, where, row, items, shared)
    known = {one.name: one for one in fields}
    for one in fields:
        if one.name in shared.counters or one.name in items:
            book.wrong((*where, "fields", one.name), f"{one.name} is a counter or a kind of card: another name")
        for word in one.words:
            if one.kind == "one" and word in known:
                book.wrong((*where, "fields", one.name), f"the word {word} is the name of a field: another word")
    does = row.get("does", [])
    does = [does] if isinstance(does, str) else does
    if not isinstance(does, list) or len(does) > MOST_EFFECTS:
        book.wrong((*where, "does"), f"does is a list of at most {MOST_EFFECTS} texts")
        does = []
    scope = _scope(fields, shared)
    read = (book.text_of((*where, "does"), lang.read_effect, text, scope) for text in does)
    effects = tuple(effect for effect in read if effect is not None)
    for one in fields:
        if one.optional and one.kind in ("player", "card") and _uses(effects, one.name):
            book.wrong((*where, "fields", one.name), f"something is done with {one.name}: it cannot be left out")
    says = book.keys(
        (*where, "says"), row.get("says", {}), ("public", *(n for n in known if known[n].kind == "player"))
    )
    texts = tuple((who, book.text((*where, "says", who), says, "", 300)) for who in says if who in (*known, "public"))
    opened = row.get("open", [])
    if not isinstance(opened, list) or not all(isinstance(one, str) and one in known for one in opened):
        book.wrong((*where, "open"), "open lists fields of this verb")
        opened = []
    help = book.text((*where, "help"), row, "", 120)
    secret = book.true((*where, "secret"), row)
    return VerbKind(name, fields, effects, texts, frozenset(opened), help, secret)


def _uses(effects: Sequence[lang.Effect], field: str) -> bool:
    for effect in effects:
        if isinstance(effect, lang.Move) and field in (effect.what, effect.src, effect.to):
            return True
        if isinstance(effect, lang.Change) and effect.target.who == field:
            return True
        if any(getattr(leaf, "who", "") == field for leaf in lang.reads(effect)):
            return True
    return False
