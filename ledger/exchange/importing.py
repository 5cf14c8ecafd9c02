"""Import the answers of a form: each row is an action with time, evidence and host, and is recorded or only tried.

Nothing is guessed. The content of a row makes its `once` key: rows with the same player, verb, fields and instant are
the same row in any spelling and any file, so it is recorded once. Source: docs/import.md.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from events import LedgerError, Refused, Unreadable, write_instant
from events.record import NamedTuple
from games.contract import Action
from games.kinds import INSTANT, YES_NO, ParseContext, casefolded, clean, did_you_mean, shown
from games.records import Field as ActionField, args_of, fields, kebab
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import message_id, read_local, read_message
from ledger.core.tomlfile import Fault, located, refuse
from ledger.exchange.models import NotBlank, Strict, Zone, checked, wrong
from ledger.record.plan import Ask, Options, Written
from ledger.record.recorder import preview, record_actions, recorded_under
from ledger.tell.listing import as_typed

# ---- the map, and the rows of a sheet --------------------------------------------------------------------------------

DELIMITERS = {",": ",", ";": ";", "tab": "\t", "\t": "\t"}
ENCODINGS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252", "latin-1": "latin-1"}
SAMPLE = "docs/import.md shows a map"


def _short_for(key: str) -> BeforeValidator:
    """Accept a text as short for a table with this one key."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


def _one_of(values: Mapping[str, str], fix: str) -> AfterValidator:
    def replace(typed: str) -> str:
        if typed.lower() not in values:
            raise wrong("import.map", f"cannot be {shown(typed)}", fix)
        return values[typed.lower()]

    return AfterValidator(replace)


def _format(text: str) -> str:
    # Refuse directives that depend on a language, and two-digit years.
    if text != "iso" and (re.sub("%[YmdHMSfIpz%]", "", text).count("%") or "%Y" not in text):
        fix = 'made of %Y %m %d %H %M %S %f %I %p %z; or "iso"'
        raise wrong("import.map", f"the date format {shown(text)} cannot be read safely", fix)
    return text


class Rule(Strict):
    """The source of a value: a column, with other words for some of its cells; or a constant."""

    column: NotBlank | None = Field(None, examples=["Your name"])
    value: NotBlank | None = Field(None, examples=["garnets"])
    words: dict[str, str] = Field({}, examples=[{"Red 7": "R7"}])

    @model_validator(mode="after")
    def _column_or_value(self) -> Rule:
        if (self.column is None) == (self.value is None):
            what = 'must be a column in quotes, or a table: { column = "..." } or { value = "..." }'
            raise wrong("import.map", what, SAMPLE)
        return self

    def of(self, cells: Mapping[str, str]) -> str:
        if self.column is None:
            return self.value or ""
        cell = cells[self.column]
        return next((word for typed, word in self.words.items() if typed.strip() == cell), cell)


class Dates(Strict):
    column: NotBlank = Field(examples=["Timestamp"])
    formats: list[Annotated[str, AfterValidator(_format)]] = Field(min_length=1, examples=[["%d.%m.%Y %H:%M:%S"]])


class ColumnMap(Strict):
    verb: Annotated[Rule, _short_for("value")] = Field(examples=["vote"])
    zone: Zone = Field(examples=["Europe/Berlin"])
    delimiter: Annotated[str, _one_of(DELIMITERS, 'one of: "," ";" "tab"')] | None = None
    encoding: Annotated[str, _one_of(ENCODINGS, f"one of: {' '.join(ENCODINGS)}")] = "utf-8-sig"
    fields: dict[str, Annotated[Rule, _short_for("column")]] = Field({}, examples=[{"player": "Your name"}])
    time: Dates | None = Field(None, examples=[{"column": "Timestamp", "formats": ["iso"]}])
    message: NotBlank | None = None
    evidence: NotBlank | None = None
    by: NotBlank | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        columns = [rule.column for rule in (self.verb, *self.fields.values())]
        columns += [self.time.column if self.time else None, self.message, self.evidence, self.by]
        return tuple(dict.fromkeys(name for name in columns if name is not None))


def read_map(data: Mapping[str, Any], source: str, zone: str) -> ColumnMap:
    """Check a map file that was parsed as TOML.

    Args:
        zone: The match's zone, for a map that names none.

    Raises:
        Unreadable: `import.map`, `time.zone`: all faults at once.
    """
    columns = checked(ColumnMap, {"zone": zone, **data}, "import.map")
    if isinstance(columns, list):
        refuse(located(columns, data), source, SAMPLE)
    return columns


class SheetRow(NamedTuple):
    number: int
    cells: Mapping[str, str]
    fault: Unreadable | None = None


def read_rows(data: bytes, columns: ColumnMap, source: str) -> tuple[list[SheetRow], int]:
    """The rows of a CSV file, including unreadable ones, and the number of blank rows.

    Raises:
        Unreadable: `import.encoding`, `import.csv`, `import.columns`, `import.delimiter`: the file cannot be used.
    """
    try:
        text = data.decode(columns.encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        what = f"{source}, line {line}: this is not {columns.encoding.removesuffix('-sig')}"
        fix = 'save it as CSV UTF-8; or in the map: encoding = "windows-1252"'
        raise Unreadable("import.encoding", what, fix) from None
    table = _parsed(text, columns, source)
    header = [cell.strip() for cell in table[0]]
    rows: list[SheetRow] = []
    blank = 0
    for number, cells in enumerate(table[1:], start=2):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped):
            blank += 1
        elif len(cells) != len(header):
            what = f"it has {len(cells)} cells, and the header has {len(header)}"
            fault = Unreadable("import.cells", what, "look for a quote that is not closed")
            rows.append(SheetRow(number, {}, fault))
        else:
            by_column = zip(header, stripped, strict=True)
            rows.append(SheetRow(number, {column: cell for column, cell in by_column if column in columns.columns}))
    return rows, blank


def _parsed(text: str, columns: ColumnMap, source: str) -> list[list[str]]:
    """The table, read with the delimiter of the map, or with the only one that gives a header with every column."""
    delimiters = {name: sign for name, sign in DELIMITERS.items() if name != "\t" and columns.delimiter in (None, sign)}
    fitting: dict[str, list[list[str]]] = {}
    headers: dict[str, list[str]] = {}
    errors: dict[str, str] = {}
    for name, sign in delimiters.items():
        try:
            table = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True))
        except csv.Error as error:
            errors[name] = str(error)
            continue
        header = [cell.strip() for cell in table[0]] if table else []
        headers[name] = header
        if doubled := [column for column in columns.columns if header.count(column) > 1]:
            what = f"{source} has the column {shown(doubled[0])} twice"
            raise Unreadable("import.columns", what, "rename one of them in the sheet")
        if all(column in header for column in columns.columns) and table not in fitting.values():
            fitting[name] = table
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if fitting:
        what = f"{source} can be read with {' and with '.join(shown(name) for name in fitting)}, with different results"
        raise Unreadable("import.delimiter", what, f'say in the map which it is: delimiter = "{next(iter(fitting))}"')
    if not headers:
        raise Unreadable("import.csv", f"{source} is not CSV: {next(iter(errors.values()))}", "export it again")
    header = max(headers.values(), key=len)
    missing = [column for column in columns.columns if column not in header]
    what = f"{source} has no column {', '.join(shown(column) for column in missing or columns.columns)}"
    fix = f"its columns: {', '.join(shown(column) for column in header)}"
    if missing:
        fix = did_you_mean(missing[0], {column: shown(column) for column in header}, fix, 1)
    raise Unreadable("import.columns", what, fix)


# ---- from rows to actions --------------------------------------------------------------------------------------------

ReadWord = Callable[[ActionField, str, ParseContext], Any]


class BadCell(Exception):
    def __init__(self, column: str | None, error: LedgerError) -> None:
        super().__init__(error.what)
        self.column, self.error = column, error


class Order(NamedTuple):
    row: int
    action: Action
    at: int | None
    by: str
    evidence: str
    once: str
    placed: bool
    """Its evidence is only its place in the file."""


class Reader:
    def __init__(self, match: Match, columns: ColumnMap, source: str, host: str, now: int, read: ReadWord) -> None:
        self.match, self.columns, self.source, self.host, self.now, self.read = match, columns, source, host, now, read
        spoken = match.game.written.spoken(match.fold.state) if match.game.written else {}
        self.verbs = {name: RowVerb(name, verb.action, verb.first, verb.fields) for name, verb in spoken.items()}
        self.verbs |= {kebab(cls): RowVerb(kebab(cls), cls) for cls in (*shared.TYPED, *match.game.actions)}
        self.rules = {name.replace("-", "_"): rule for name, rule in columns.fields.items()}
        self.spelled = match.table.directory().spelled()

    def faults(self) -> Iterator[Fault]:
        rule, verbs = self.columns.verb, list[RowVerb]()
        for key, typed in rule.words.items() if rule.value is None else [("", rule.value)]:
            try:
                verbs += [self._verb(typed)] if typed else []
            except Unreadable as error:
                yield Fault(("verb", "words", key) if key else ("verb",), error.what, error.fix, error.code)
        verbs = verbs or [*self.verbs.values()]
        known = {name for verb in verbs for name in (*verb.open_fields(), *verb.words)}
        for typed in self.columns.fields:
            if (name := typed.replace("-", "_")) not in known:
                fix = did_you_mean(name, known, f"one of: {' '.join(sorted(known))}", 1)
                verb_names = " or ".join(dict.fromkeys(verb.name for verb in verbs))
                yield Fault(("fields", typed), f"no such field of {verb_names}", fix, "import.map")

    def _verb(self, typed: str) -> RowVerb:
        name = self.match.game.synonyms.get(typed.lower(), typed.lower())
        if (verb := self.verbs.get(name)) is None:
            hint = did_you_mean(name, [*self.verbs], "hl --help", 1)
            raise Unreadable("import.verb", f"no verb {shown(typed)} can be recorded from a row", hint)
        return verb

    def order(self, row: SheetRow) -> Order:
        """Read a row. Raises BadCell."""
        if row.fault is not None:
            raise BadCell(None, row.fault)
        columns, cells = self.columns, row.cells
        with _in_column(columns.verb.column):
            if not (cell := columns.verb.of(cells)):
                raise Unreadable("import.empty", "the cell is empty: it must say what happened", "fill it in")
            verb = self._verb(cell)
        at, evidence = self._source(row)
        context = self.match.desk(self.now if at is None else at, columns.zone)
        values: dict[str, Any] = {}
        words: dict[str, str] = {}
        relative: dict[str, str] = {}
        open_fields = verb.open_fields()
        for name, rule in self.rules.items():
            with _in_column(rule.column):
                cell = rule.of(cells)
                if name in verb.words:
                    words[name] = cell or LEFT_OUT
                    continue
                if name not in open_fields:
                    if rule.column is not None and cell:
                        what = f"{verb.name} has no {name}, but this cell is not empty"
                        raise Unreadable("import.field", what, "empty the cell")
                    continue
                if cell:
                    values[name] = self._value(open_fields[name], cell, context)
                    kind = open_fields[name].kind
                    if at is None and kind is not None and kind.pattern == INSTANT.pattern:
                        relative[name] = cell  # "in 20 minutes" is another instant at each import
                elif open_fields[name].required:
                    what = f"the cell is empty: {name} of {verb.name} is missing"
                    raise Unreadable("import.empty", what, "fill it in")
        if missing := [name for name, f in open_fields.items() if f.required and name not in values]:
            what = f"no column gives {missing[0]} of {verb.name}"
            raise BadCell(None, Unreadable("import.empty", what, f"[fields] {missing[0]} = ..."))
        action, placed = verb.action(values, words), evidence == f"{self.source}:{row.number}"
        said = {**args_of(action), **relative}
        if at is None and not placed:
            said["evidence"] = evidence
        spelled = {name: self._spelling(value) for name, value in said.items()}
        key = _row_key(json.dumps([kebab(type(action)), at, spelled], sort_keys=True))
        by = self.host
        if columns.by is not None and (typed := cells[columns.by].lower()):
            with _in_column(columns.by):
                by = self.match.host(typed)
        return Order(row.number, action, at, by, evidence, key, placed)

    def _spelling(self, value: Any) -> Any:
        if isinstance(value, str):
            folded = " ".join(casefolded(value).split())
            return self.spelled.get(folded, folded)
        return [self._spelling(part) for part in value] if isinstance(value, (list, tuple)) else value

    def _value(self, field: ActionField, cell: str, context: ParseContext) -> Any:
        if field.base is bool:
            if cell.lower() not in YES_NO:
                raise Unreadable("word.unknown", f"{field.name} cannot be {shown(cell)}", f"one of: {' '.join(YES_NO)}")
            return YES_NO[cell.lower()]
        if field.many:
            return tuple(self.read(field, part, context) for part in field.parts(cell))
        return self.read(field, cell, context)

    def _source(self, row: SheetRow) -> tuple[int | None, str]:
        columns, cells = self.columns, row.cells
        at, evidence, column = None, f"{self.source}:{row.number}", None
        if columns.message is not None and (link := cells[columns.message]):
            column = columns.message
            with _in_column(column):
                message = read_message(link)
                at, evidence = message.at, message.evidence
        elif columns.time is not None:
            column = columns.time.column
            with _in_column(column):
                at = self._time(cells[column], columns.time.formats)
        if at is not None and at > self.now:
            fix = "check the zone in the map, and the clock of this machine"
            raise BadCell(column, Unreadable("time.future", "this time is in the future", fix))
        if columns.evidence is not None and (typed := clean(cells[columns.evidence])):
            evidence = typed[:500]
        return at, evidence

    def _time(self, cell: str, formats: Sequence[str]) -> int:
        if not cell:
            raise Unreadable("import.empty", "the cell is empty: it must say when it counts", "fill it in")
        times = (read_local(cell, date_format, self.columns.zone, self.now) for date_format in formats)
        if not (instants := dict.fromkeys(at for at in times if at is not None)):
            forms = ", ".join(formats)
            raise Unreadable("import.time", f"{shown(cell)} is not in the form {forms}", "add its form to the map")
        if len(instants) > 1:
            readings = " or ".join(write_instant(at) for at in instants)
            raise Unreadable("import.time", f"{shown(cell)} may be {readings}", "keep one of the formats in the map")
        (at,) = instants
        if not 0 <= at < 253_402_300_800_000:
            raise Unreadable("import.time", f"{shown(cell)} is outside the years 1970 to 9999", "correct the cell")
        return at


def _row_key(text: str) -> str:
    return f"row-{hashlib.sha256(text.encode()).hexdigest()[:40]}"


LEFT_OUT = "-"


class RowVerb(NamedTuple):
    name: str
    cls: type
    first: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def _preset(self) -> list[str]:
        """The fields that a verb of the match file fills: the first ones, and the last one, which holds the words."""
        in_place = [field.name for field in fields(self.cls) if field.in_place]
        return [*in_place[: len(self.first)], *(in_place[-1:] if self.words else [])]

    def open_fields(self) -> dict[str, ActionField]:
        return {f.name: f for f in fields(self.cls) if not f.arg.hidden and f.name not in self._preset()}

    def action(self, values: Mapping[str, Any], words: Mapping[str, str]) -> Action:
        typed = tuple(words.get(name, LEFT_OUT) for name in self.words)
        action: Action = self.cls(**values, **dict(zip(self._preset(), (*self.first, typed), strict=False)))
        return action


@contextmanager
def _in_column(column: str | None) -> Iterator[None]:
    """Turn an error into a BadCell with its column."""
    try:
        yield
    except (Unreadable, Refused) as error:
        raise BadCell(column, error) from None


# ---- recording -------------------------------------------------------------------------------------------------------


class RowOutcome(NamedTuple):
    row: int
    status: str
    text: str
    written: Written | None = None
    error: LedgerError | None = None
    column: str | None = None
    seqs: tuple[int, ...] = ()


def run(
    match: Match, reader: Reader, rows: Sequence[SheetRow], *, ask: Ask | None, again: bool, force: bool
) -> Iterator[RowOutcome]:
    """Record or try each row, and yield its outcome. Readable rows are taken in the order in which they count.

    Args:
        ask: Each row is recorded by itself; with None nothing is written, and each row is tried after those before it.
        again: Treat equal rows of this file as separate answers.

    Raises:
        NotRecorded, OutcomeUnknown, Damaged: from the log; the rows before are recorded.
    """
    orders: list[Order] = []
    rows_of: dict[str, list[int]] = {}
    for row in rows:
        try:
            order = reader.order(row)
        except BadCell as error:
            yield RowOutcome(row.number, "unreadable", error.error.what, error=error.error, column=error.column)
            continue
        same = rows_of.setdefault(order.once, [])
        same.append(order.row)
        if len(same) == 1:
            orders.append(order)
        elif again:
            orders.append(order._replace(once=_row_key(f"{order.once} {len(same)}")))
        else:
            yield RowOutcome(order.row, "double", f"the same as row {same[0]} of this file (--again records both)")
    orders = _with_marks(match, orders, {order.once for order in orders})
    orders.sort(key=lambda order: (reader.now if order.at is None else order.at, order.row))
    for order in orders:
        if under := recorded_under(match, order.once):
            yield _known(match, order, (under[0].seq,))
            continue
        options = Options(
            by=order.by, at=order.at, evidence=order.evidence, once=order.once, again=again, force=force, yes=True,
            early=True,
        )  # fmt: skip
        try:
            if ask is None:
                written, match = preview(match, order.action, options)
            else:
                written = record_actions(match, [order.action], options, ask)
        except (Refused, Unreadable) as error:
            yield _refused(match, order, error)
            continue
        if written.repeated:  # another host recorded it meanwhile
            yield _known(match, order, written.seqs)
        else:
            yield RowOutcome(
                order.row, "recorded", as_typed(match, kebab(type(order.action)), args_of(order.action)), written
            )


def _with_marks(match: Match, orders: Sequence[Order], keys: Set[str]) -> list[Order]:
    """Make the evidence of a new row unique if, in an earlier export, another row had its place and has since moved.

    If that other row is gone from the file, somebody has edited it: the evidence stays equal, so the row is refused.
    """
    entries, called = match.book.entries, match.fold.layout.called
    moved = {entry.body.evidence for entry in entries if not keys.isdisjoint(called(entry))}
    known = {key for entry in entries for key in called(entry)}
    new = {order.once for order in orders if order.placed and order.evidence in moved} - known
    return [o._replace(evidence=f"{o.evidence} ({o.once[4:12]})") if o.once in new else o for o in orders]


def _known(match: Match, order: Order, seqs: Sequence[int]) -> RowOutcome:
    struck = " (undone since)" if seqs[0] in match.fold.marks.struck else ""
    return RowOutcome(order.row, "known", f"recorded before, as entry {seqs[0]}{struck}", seqs=tuple(seqs))


def _refused(match: Match, order: Order, error: LedgerError) -> RowOutcome:
    if error.code == "evidence.duplicate":
        cited, args = message_id(order.evidence), args_of(order.action)
        for entry in match.book.entries:
            body = entry.body
            if body.evidence is None or message_id(body.evidence) != cited or body.do != kebab(type(order.action)):
                continue
            if all(body.args.get(name) == value for name, value in args.items()):
                return RowOutcome(order.row, "known", f"this message is recorded already, as entry {entry.seq}")
    return RowOutcome(order.row, "refused", error.what, error=error)
