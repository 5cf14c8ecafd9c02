"""Importing: the rows of a form's answers, each an entry of its own. What cannot be read is named, never guessed.

A map file says which verb, and which column gives what. A row is known by what stands in those columns (its `once`), so
the same rows in a later export are recorded once. Source: docs/import.md.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from events import LedgerError, Refused, Unreadable, write_instant
from events.record import NamedTuple
from games.contract import Action
from games.kinds import Desk, clean, nearest, shown
from games.records import Field, args_of, fields, kebab
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import check_zone, message_id, read_end, read_local, read_message, read_time
from ledger.record.recorder import Ask, Options, Written, preview, record_actions
from ledger.tell.listing import as_typed

DELIMITERS = {",": ",", ";": ";", "tab": "\t", "\t": "\t"}
ENCODINGS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252", "latin-1": "latin-1"}
TOP = ("verb", "zone", "delimiter", "encoding", "fields", "time", "message", "evidence", "by")
DIRECTIVES = frozenset("YmdHMSfIpz%")
"""What a date format may be made of: nothing that depends on a language, and no years of two digits."""
SAMPLE = "docs/import.md shows a map"
YES_NO = {"true": True, "yes": True, "false": False, "no": False}

ReadWord = Callable[[Field, str, Desk], Any]
"""Reads one typed word, as on the command line."""


class Rule(NamedTuple):
    """Where a value comes from: a column, with words for what may stand there; or always the same."""

    column: str | None
    words: Mapping[str, str]
    value: str | None

    def of(self, cells: Mapping[str, str]) -> str:
        """The word that a row gives; "" for an empty cell."""
        if self.column is None:
            return self.value or ""
        cell = cells[self.column]
        return self.words.get(cell, cell)


class Sheet(NamedTuple):
    """A map file, read."""

    verb: Rule
    zone: str
    delimiter: str | None
    encoding: str
    fields: Mapping[str, Rule]
    time: str | None
    formats: tuple[str, ...]
    message: str | None
    evidence: str | None
    by: str | None

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names."""
        rules = (self.verb, *self.fields.values())
        named = [rule.column for rule in rules] + [self.time, self.message, self.evidence, self.by]
        return tuple(dict.fromkeys(column for column in named if column is not None))


class Row(NamedTuple):
    """One row: its number in the sheet (the header is row 1), its cells by column."""

    number: int
    cells: Mapping[str, str]


class Done(NamedTuple):
    """What became of a row (or would): `recorded`, `known`, `double`, `unreadable`, `refused`."""

    row: int
    status: str
    told: str
    written: Written | None = None
    error: LedgerError | None = None
    column: str | None = None

    @property
    def failed(self) -> bool:
        return self.error is not None


class _Cell(Exception):
    """A row that cannot be read, with the column to blame."""

    def __init__(self, column: str | None, error: LedgerError) -> None:
        super().__init__(error.what)
        self.column, self.error = column, error


class Order(NamedTuple):
    """A row that was read: what it says, when it counts, who recorded it, where it is from."""

    row: int
    action: Action
    at: int | None
    by: str
    evidence: str
    once: str
    placed: bool
    """Its evidence is only where it stands in the file."""


# ---- the map -------------------------------------------------------------------------------------------------------


def read_map(data: Mapping[str, Any], source: str, zone: str) -> Sheet:
    """A map file, parsed as TOML.

    Args:
        zone: The match's zone, for a sheet that does not say its own.

    Raises:
        Unreadable: `import.map`, naming the key; `time.zone`.
    """

    def bad(what: str, fix: str = SAMPLE) -> Unreadable:
        return Unreadable("import.map", f"{source}: {what}", fix)

    def text(key: str, table: Mapping[str, Any] = data) -> str | None:
        value = table.get(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise bad(f"{key} is a text in quotes")
        return value

    def rule(name: str, value: Any) -> Rule:
        if isinstance(value, str) and value:
            return Rule(value, {}, None)
        if not isinstance(value, Mapping) or not {"column", "value"} & set(value) or {"column", "value"} <= set(value):
            raise bad(f'{name} is a column in quotes, or a table: {{ column = "..." }} or {{ value = "..." }}')
        if extra := set(value) - {"column", "value", "words"}:
            raise bad(f"{name} has no {shown(min(extra))}", "column, words, value")
        words = value.get("words", {})
        if not isinstance(words, Mapping) or not all(isinstance(word, str) for word in words.values()):
            raise bad(f'{name}: words is a table: {{ "Red 7" = "R7" }}')
        return Rule(text("column", value), {key.strip(): word for key, word in words.items()}, text("value", value))

    if unknown := [key for key in data if key not in TOP]:
        near = nearest(unknown[0], TOP)
        raise bad(f"there is no key {shown(unknown[0])}", f"did you mean {near[0]}?" if near else f"one of: {TOP}")
    verb = data.get("verb")
    if verb is None:
        raise bad("verb is missing: what does a row record?", 'verb = "vote"')
    given = data.get("fields", {})
    if not isinstance(given, Mapping):
        raise bad("fields is a table of its own", "[fields]")
    when = data.get("time", {})
    if not isinstance(when, Mapping) or set(when) - {"column", "formats"}:
        raise bad("time is a table with column and formats", "[time]")
    formats = when.get("formats", ())
    if when and (not isinstance(formats, list) or not formats or not all(isinstance(one, str) for one in formats)):
        raise bad("time needs formats, a list of texts", 'formats = ["%d.%m.%Y %H:%M:%S"]')
    for one in formats:
        if one != "iso" and (not set(one[i + 1 : i + 2] for i, c in _directives(one)) <= DIRECTIVES or "%Y" not in one):
            raise bad(
                f"the date format {shown(one)} cannot be read safely", 'made of %Y %m %d %H %M %S %f %I %p %z; or "iso"'
            )
    if when and text("column", when) is None:
        raise bad("time lacks its column", '[time] column = "Timestamp"')
    delimiter, encoding = text("delimiter"), (text("encoding") or "utf-8").lower()
    if delimiter is not None and delimiter not in DELIMITERS:
        raise bad(f"the delimiter cannot be {shown(delimiter)}", 'one of: "," ";" "tab"')
    if encoding not in ENCODINGS:
        raise bad(f"the encoding {shown(encoding)} is not known", f"one of: {' '.join(ENCODINGS)}")
    own_zone = text("zone") or zone
    check_zone(own_zone)
    return Sheet(
        verb=Rule(None, {}, verb) if isinstance(verb, str) and verb else rule("verb", verb),
        zone=own_zone,
        delimiter=None if delimiter is None else DELIMITERS[delimiter],
        encoding=ENCODINGS[encoding],
        fields={name.replace("-", "_"): rule(f"fields.{name}", value) for name, value in given.items()},
        time=text("column", when),
        formats=tuple(formats),
        message=text("message"),
        evidence=text("evidence"),
        by=text("by"),
    )


def _directives(text: str) -> Iterator[tuple[int, str]]:
    """Where a date format has its directives; `%%` is one."""
    i = 0
    while (i := text.find("%", i)) >= 0:
        yield i, "%"
        i += 2


# ---- the rows ------------------------------------------------------------------------------------------------------


def read_rows(data: bytes, sheet: Sheet, source: str) -> tuple[list[Row | Done], int]:
    """The rows of a CSV, those that cannot be read in their place, and how many were blank.

    Raises:
        Unreadable: `import.encoding`, `import.csv`, `import.columns`, `import.delimiter`: nothing of it can be used.
    """
    try:
        text = data.decode(sheet.encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable(
            "import.encoding", f"{source}, line {line}: this is not {sheet.encoding.removesuffix('-sig')}",
            'save it as CSV UTF-8; or in the map: encoding = "windows-1252"',
        ) from None  # fmt: skip
    table = _parsed(text, sheet, source)
    header = [cell.strip() for cell in table[0]]
    found: list[Row | Done] = []
    blank = 0
    for number, cells in enumerate(table[1:], start=2):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped):
            blank += 1
        elif len(cells) != len(header):
            what = f"it has {len(cells)} cells, and the header has {len(header)}"
            odd = Unreadable("import.cells", what, "look for a quote that is not closed")
            found.append(Done(number, "unreadable", what, error=odd))
        else:
            cells_ = {name: cell for name, cell in zip(header, stripped, strict=True) if name in sheet.columns}
            found.append(Row(number, cells_))
    return found, blank


def _parsed(text: str, sheet: Sheet, source: str) -> list[list[str]]:
    """The table: with the delimiter of the map, or with the only one under which the header has every column."""
    tried = {name: sign for name, sign in DELIMITERS.items() if name != "\t" and sheet.delimiter in (None, sign)}
    fitting: dict[str, list[list[str]]] = {}
    seen: dict[str, list[str]] = {}
    wrong: dict[str, str] = {}
    for name, sign in tried.items():
        try:
            table = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True))
        except csv.Error as error:
            wrong[name] = str(error)
            continue
        header = [cell.strip() for cell in table[0]] if table else []
        seen[name] = header
        twice = [column for column in sheet.columns if header.count(column) > 1]
        if twice:
            raise Unreadable(
                "import.columns", f"{source} has the column {shown(twice[0])} twice", "rename one of them in the sheet"
            )
        if all(column in header for column in sheet.columns) and table not in fitting.values():
            fitting[name] = table
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if fitting:
        raise Unreadable(
            "import.delimiter",
            f"{source} can be read with {' and with '.join(shown(name) for name in fitting)}, each time differently",
            f'say in the map which it is: delimiter = "{next(iter(fitting))}"',
        )
    if not seen:
        raise Unreadable("import.csv", f"{source} is not CSV: {next(iter(wrong.values()))}", "export it anew")
    header = max(seen.values(), key=len)
    missing = [column for column in sheet.columns if column not in header]
    near = nearest(missing[0], header) if missing else []
    raise Unreadable(
        "import.columns",
        f"{source} has no column {', '.join(shown(column) for column in missing or sheet.columns)}",
        f"did you mean {shown(near[0])}?" if near else f"its columns: {', '.join(shown(column) for column in header)}",
    )


# ---- from a row to an entry ----------------------------------------------------------------------------------------


class Reader:
    """Reads the rows of one sheet for one match."""

    def __init__(self, match: Match, sheet: Sheet, source: str, host: str, now: int, read: ReadWord) -> None:
        self.match, self.sheet, self.source, self.host, self.now, self.read = match, sheet, source, host, now, read
        spoken = match.game.written.spoken(match.fold.state) if match.game.written else {}
        self.verbs = {name: Kept(name, one.action, one.first, one.fields) for name, one in spoken.items()}
        self.verbs |= {kebab(cls): Kept(kebab(cls), cls) for cls in (*shared.TYPED, *match.game.actions)}
        known = {name for verb in self._meant() for name in (*verb.listed(), *verb.words)}
        for name in sheet.fields:
            if name not in known:
                near = nearest(name, known)
                raise Unreadable(
                    "import.map",
                    f"{shown(name)} is no field of {' or '.join(verb.name for verb in self._meant())}",
                    f"did you mean {near[0]}?" if near else f"one of: {' '.join(sorted(known))}",
                )

        def instant(typed: str) -> str:
            return write_instant(read_time(typed, now=now, zone=sheet.zone, future=True))

        self.desk = Desk(match.table.directory(), instant, lambda typed: read_end(typed, now=now, zone=sheet.zone))

    def _meant(self) -> list[Kept]:
        """The verbs that the map can name."""
        rule = self.sheet.verb
        words = [rule.value] if rule.value is not None else [*rule.words.values()]
        return [self._verb(word) for word in words if word] or [*self.verbs.values()]

    def _verb(self, word: str) -> Kept:
        name = self.match.game.synonyms.get(word.lower(), word.lower())
        verb = self.verbs.get(name)
        if verb is None:
            near = nearest(name, self.verbs)
            hint = f"did you mean {near[0]}?" if near else "hl --help lists the verbs"
            raise Unreadable("import.verb", f"no verb {shown(word)} can be recorded from a row", hint)
        return verb

    def order(self, row: Row) -> Order:
        """What a row says.

        Raises:
            _Cell: it cannot be read; with the column to blame.
        """
        sheet, cells = self.sheet, row.cells
        with _blame(sheet.verb.column):
            word = sheet.verb.of(cells)
            if not word:
                raise Unreadable("import.empty", "the cell is empty: what happened is missing", "fill it in")
            verb = self._verb(word)
        values: dict[str, Any] = {}
        typed: dict[str, str] = {}
        listed = verb.listed()
        for name, rule in sheet.fields.items():
            with _blame(rule.column):
                word = rule.of(cells)
                if name in verb.words:
                    typed[name] = word or LEFT_OUT
                    continue
                if name not in listed:
                    if rule.column is not None and word:
                        raise Unreadable(
                            "import.field", f"{verb.name} has no {name}, and this cell is not empty", "empty the cell"
                        )
                    continue
                if word:
                    values[name] = self._value(listed[name], word)
                elif listed[name].required:
                    raise Unreadable(
                        "import.empty", f"the cell is empty: {name} of {verb.name} is missing", "fill it in"
                    )
        with _blame(None):
            if missing := [name for name, f in listed.items() if f.required and name not in values]:
                raise Unreadable(
                    "import.empty", f"no column gives {missing[0]} of {verb.name}", f"[fields] {missing[0]} = ..."
                )
        at, evidence = self._source(row)
        said = {column: cells[column] for column in sorted(sheet.columns)}
        digest = hashlib.sha256(json.dumps([verb.name, said], sort_keys=True).encode()).hexdigest()
        placed = evidence == self._place(row)
        return Order(row.number, verb.said(values, typed), at, self._by(cells), evidence, f"row-{digest[:40]}", placed)

    def _value(self, field: Field, word: str) -> Any:
        if field.base is bool:
            if word.lower() not in YES_NO:
                raise Unreadable("word.unknown", f"{field.name} cannot be {shown(word)}", f"one of: {' '.join(YES_NO)}")
            return YES_NO[word.lower()]
        if field.many:
            return tuple(self.read(field, part, self.desk) for part in field.parts(word))
        return self.read(field, word, self.desk)

    def _source(self, row: Row) -> tuple[int | None, str]:
        """When it counts, and where it is from."""
        sheet, cells = self.sheet, row.cells
        at, evidence = None, self._place(row)
        if sheet.message is not None and (link := cells[sheet.message]):
            with _blame(sheet.message):
                message = read_message(link)
                at, evidence = message.at, message.evidence
        elif sheet.time is not None:
            with _blame(sheet.time):
                at = self._time(cells[sheet.time])
        if at is not None and at > self.now:
            raise _Cell(sheet.message if sheet.message and cells[sheet.message] else sheet.time, Unreadable(
                "time.future", "this time has not come yet", "check the zone in the map, and the clock of this machine"
            ))  # fmt: skip
        if sheet.evidence is not None and (word := clean(cells[sheet.evidence])):
            evidence = word[:500]
        return at, evidence

    def _place(self, row: Row) -> str:
        return f"{self.source}:{row.number}"

    def _time(self, cell: str) -> int:
        """The instant that a cell means: all formats that can read it must agree."""
        if not cell:
            raise Unreadable("import.empty", "the cell is empty: when it counts is missing", "fill it in")
        found: dict[int, str] = {}
        for form in self.sheet.formats:
            at = read_local(cell, form, self.sheet.zone, self.now)
            if at is not None:
                found.setdefault(at, form)
        if not found:
            forms = ", ".join(self.sheet.formats)
            raise Unreadable("import.time", f"{shown(cell)} is not written as {forms}", "add its form to the map")
        if len(found) > 1:
            readings = " or ".join(write_instant(at) for at in found)
            raise Unreadable("import.time", f"{shown(cell)} may be {readings}", "keep one of the formats in the map")
        (at,) = found
        if not 0 <= at < 253_402_300_800_000:
            raise Unreadable("import.time", f"{shown(cell)} is outside the years 1970 to 9999", "correct the cell")
        return at

    def _by(self, cells: Mapping[str, str]) -> str:
        if self.sheet.by is None or not (word := cells[self.sheet.by].lower()):
            return self.host
        with _blame(self.sheet.by):
            return self.match.host(word)


LEFT_OUT = "-"
"""Typed for a word that is left out."""


class Kept(NamedTuple):
    """What a row can record: an action; or a verb that the file of the match makes, with fields of its own."""

    name: str
    cls: type
    first: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def _filled(self) -> list[str]:
        """The fields that the verb of a file fills in: the first ones, and the last, of which the words are."""
        places = [field.name for field in fields(self.cls) if field.in_place]
        return [*places[: len(self.first)], *(places[-1:] if self.words else [])]

    def listed(self) -> dict[str, Field]:
        """The fields that a column may give."""
        return {f.name: f for f in fields(self.cls) if not f.arg.hidden and f.name not in self._filled()}

    def said(self, values: Mapping[str, Any], words: Mapping[str, str]) -> Action:
        """The action of a row."""
        listed = tuple(words.get(name, LEFT_OUT) for name in self.words)
        made: Action = self.cls(**values, **dict(zip(self._filled(), (*self.first, listed), strict=False)))
        return made


class _blame:
    """Says of an error which column it comes from."""

    def __init__(self, column: str | None) -> None:
        self.column = column

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, (Unreadable, Refused)):
            raise _Cell(self.column, error) from None


# ---- recording -----------------------------------------------------------------------------------------------------


def run(
    match: Match, reader: Reader, rows: Sequence[Row | Done], *, ask: Ask | None, again: bool, force: bool
) -> Iterator[Done]:
    """What becomes of each row. Rows that were read are taken in the order in which they count.

    Args:
        ask: Records, each row by itself; None: nothing is written, each row is tried on what the ones before it left.

    Raises:
        NotRecorded, OutcomeUnknown, Damaged: from the log; the rows before are recorded.
    """
    orders: list[Order] = []
    first: dict[str, int] = {}
    for row in rows:
        if isinstance(row, Done):
            yield row
            continue
        try:
            order = reader.order(row)
        except _Cell as wrong:
            yield Done(row.number, "unreadable", wrong.error.what, error=wrong.error, column=wrong.column)
            continue
        if (same := first.setdefault(order.once, order.row)) != order.row:
            yield Done(order.row, "double", f"the same as row {same} of this file")
        else:
            orders.append(order)
    orders = _told_apart(match, orders, first)
    orders.sort(key=lambda one: (reader.now if one.at is None else one.at, one.row))
    for order in orders:
        options = Options(
            by=order.by,
            at=order.at,
            evidence=order.evidence,
            once=order.once,
            again=again,
            force=force,
            yes=True,
            early=True,
        )
        try:
            if ask is None:
                written, match = preview(match, order.action, options)
            else:
                written = record_actions(match, [order.action], options, ask)
        except (Refused, Unreadable) as error:
            yield _refused(match, order, error)
            continue
        if written.repeated:
            struck = " (undone since)" if written.seqs[0] in match.fold.marks.struck else ""
            yield Done(order.row, "known", f"recorded before, as entry {written.seqs[0]}{struck}", written)
        else:
            yield Done(
                order.row, "recorded", as_typed(match, kebab(type(order.action)), args_of(order.action)), written
            )


def _told_apart(match: Match, orders: Sequence[Order], keys: Mapping[str, int]) -> list[Order]:
    """Rows that stand where another stood in an earlier export, which has only moved, get a mark in their evidence.

    Where the row of that entry is gone from the file, somebody has edited it: then the same evidence is a refusal.
    """
    moved = {
        entry.body.evidence
        for entry in match.book.entries
        if entry.body.evidence is not None and not keys.keys().isdisjoint(match.fold.layout.called(entry))
    }
    known = {key for entry in match.book.entries for key in match.fold.layout.called(entry)}
    return [
        one._replace(evidence=f"{one.evidence} ({one.once[4:12]})")
        if one.placed and one.evidence in moved and one.once not in known
        else one
        for one in orders
    ]


def _refused(match: Match, order: Order, error: LedgerError) -> Done:
    """A row that was refused; one whose message a host has recorded already, saying the same, is only known."""
    if error.code == "evidence.duplicate":
        wanted, typed = message_id(order.evidence), args_of(order.action)
        for entry in match.book.entries:
            body = entry.body
            if body.evidence is None or message_id(body.evidence) != wanted or body.do != kebab(type(order.action)):
                continue
            if all(body.args.get(name) == value for name, value in typed.items()):
                return Done(order.row, "known", f"this message is recorded already, as entry {entry.seq}")
    return Done(order.row, "refused", error.what, error=error)
