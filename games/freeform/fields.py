"""Sheets and verbs of a file, read: their fields, what a verb does and says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.freeform import lang, words
from games.freeform.book import MAX_EFFECTS, MAX_FIELDS, MAX_HOURS, MAX_ROUNDS, Book
from games.freeform.lang import Scope
from games.freeform.model import OWNER, Field, Item, Kind, Level, SheetKind, VerbKind
from games.kinds import shown

_FIELD = re.compile(r"(list of )?(.*?)(\?)?", re.DOTALL)
_SPAN = re.compile(r"number(?:\s+(.*?)\s*\.\.\s*(.*))?", re.DOTALL)
PLAIN: Mapping[str, Kind] = {"player": "player", "text": "text", "yes/no": "yes"}
_CELLS = re.compile(r"cell\s+([0-9]{1,2})\s*x\s*([0-9]{1,2})")


def _fields(
    book: Book, where: tuple[str, ...], row: Mapping[str, Any], items: Mapping[str, Item], scope: Scope
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
                book.wrong(place, f"{name} must be typed, so it stands before what may be left out")
            fields.append(field)
    return tuple(fields)


def _field(book: Book, where: tuple[str, ...], spec: Any, items: Mapping[str, Item], scope: Scope) -> Field | None:
    name = where[-1]
    if not isinstance(spec, str) or len(spec) > lang.MAX_CHARACTERS:
        book.wrong(where, f'{name} is said by a text: "number 0..10", "player", "yes/no", ...')
        return None
    many, kind, optional = _FIELD.fullmatch(spec.strip()).groups()  # type: ignore[union-attr]
    field = Field(name, "text", many=bool(many), optional=bool(optional), said=spec.strip())
    kind = kind.strip()
    if kind == "text" and many:
        book.wrong(where, "a list of texts cannot be told apart: one text")
    if (plain := PLAIN.get(kind)) is not None:
        return field._replace(kind=plain)
    if span := _SPAN.fullmatch(kind):
        return _span(book, where, field._replace(kind="number"), span, scope)
    if kind.startswith("one of "):
        choices = tuple(word.strip() for word in kind.removeprefix("one of ").split(",") if word.strip())
        if len(choices) > 1 and all(re.fullmatch(r"[\w+.'!-]{1,24}", word) for word in choices):
            return field._replace(kind="one", words=choices)
        book.wrong(where, f"{name}: two or more words with commas between: one of north, south")
        return None
    if kind.startswith("card of "):
        item = items.get(kind.removeprefix("card of ").strip())
        if item is not None:
            return field._replace(kind="card", words=tuple(dict.fromkeys(item.values)), item=item.name)
        book.wrong(where, f"{name}: there are no items {shown(kind.removeprefix('card of ').strip())}")
        return None
    if board := _CELLS.fullmatch(kind):
        columns, rows = int(board[1]), int(board[2])
        if 1 <= columns <= 26 and 1 <= rows <= 26:
            return field._replace(kind="cell", words=words.cells(columns, rows))
    kinds = "player, number 0..10, yes/no, one of a, b, card of ITEMS, cell 5x5, text, or: list of ..."
    book.wrong(where, f"{name} cannot be {shown(spec)}: {kinds}; with ? at the end it may be left out")
    return None


def _span(book: Book, where: tuple[str, ...], field: Field, span: re.Match[str], scope: Scope) -> Field | None:
    if span[1] is None:
        return field
    asked = scope._replace(asked=True)
    ends = [
        book.text_of(where, lang.read_value, text, asked) if text.strip() else None for text in (span[1] or "", span[2])
    ]
    return field._replace(least=ends[0], most=ends[1])


def sheet(book: Book, name: str, row: Mapping[str, Any], items: Mapping[str, Item], shared: Scope) -> SheetKind:
    where = ("sheets", name)
    fields = _fields(book, where, row, items, shared)
    if not fields:
        book.wrong(where, 'a sheet has at least one field: fields = { bid = "number 0..10" }')
    rounds = book.number((*where, "rounds"), row, 1, 1, MAX_ROUNDS)
    hours = book.number((*where, "hours"), row, 24, 1, MAX_HOURS)
    level = book.level(where, row, "opened", "everybody")
    label = book.text((*where, "label"), row, name.replace("_", " "))
    return SheetKind(name, fields, rounds, hours, Level(max(OWNER, level.now), max(OWNER, level.end)), label or name)


def _scope(fields: Sequence[Field], shared: Scope) -> Scope:
    single = [field for field in fields if not field.many]
    kinds = {field.name: field.kind if not field.many else "list" for field in fields}
    choices = {field.name: ("yes", "no") if field.kind == "yes" else field.words for field in single}
    return shared._replace(
        fields=kinds, words=choices, of_field={field.name: field.item for field in single if field.kind == "card"}
    )


def verb(book: Book, name: str, row: Mapping[str, Any], items: Mapping[str, Item], shared: Scope) -> VerbKind:
    where = ("verbs", name)
    fields = _fields(book, where, row, items, shared)
    known = {field.name: field for field in fields}
    for field in fields:
        if field.name in shared.counters or field.name in items:
            book.wrong((*where, "fields", field.name), f"{field.name} is a counter or a kind of card: another name")
        for word in field.words:
            if field.kind == "one" and word in known:
                book.wrong((*where, "fields", field.name), f"the word {word} is the name of a field: another word")
    does = row.get("does", [])
    does = [does] if isinstance(does, str) else does
    if not isinstance(does, list) or len(does) > MAX_EFFECTS:
        book.wrong((*where, "does"), f"does is a list of at most {MAX_EFFECTS} texts")
        does = []
    scope = _scope(fields, shared)
    read = (book.text_of((*where, "does"), lang.read_effect, text, scope) for text in does)
    effects = tuple(effect for effect in read if effect is not None)
    for field in fields:
        if field.optional and field.kind in ("player", "card") and _uses(effects, field.name):
            book.wrong((*where, "fields", field.name), f"something is done with {field.name}: it cannot be left out")
    says = book.keys(
        (*where, "says"), row.get("says", {}), ("public", *(n for n in known if known[n].kind == "player"))
    )
    texts = tuple((who, book.text((*where, "says", who), says, "", 300)) for who in says if who in (*known, "public"))
    opened = row.get("open", [])
    if not isinstance(opened, list) or not all(isinstance(field, str) and field in known for field in opened):
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
