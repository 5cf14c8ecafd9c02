"""Importing: the rows of a form's answers, each an entry of its own. What cannot be read is named, never guessed.

A map file says which verb, and which column gives what. A row is known by what stands in those columns (its `once`), so
the same rows in a later export are recorded once. Source: docs/import.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from events import LedgerError, Refused, Unreadable, write_instant
from events.record import NamedTuple
from games.contract import Action
from games.kinds import ParseContext, clean, nearest, shown
from games.records import Field, args_of, fields, kebab
from games.table import actions as shared
from ledger.core.match import Match
from ledger.core.times import message_id, read_end, read_local, read_message, read_time
from ledger.core.tomlfile import Fault
from ledger.exchange.importmap import ColumnMap
from ledger.exchange.rows import BadRow, Row
from ledger.record.plan import Ask, Options, Written
from ledger.record.recorder import preview, record_actions
from ledger.tell.listing import as_typed

YES_NO = {"true": True, "yes": True, "false": False, "no": False}

ReadWord = Callable[[Field, str, ParseContext], Any]
"""Reads one typed word, as on the command line."""


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


# ---- from a row to an entry ----------------------------------------------------------------------------------------


class Reader:
    """Reads the rows of one sheet for one match."""

    def __init__(
        self, match: Match, columns: ColumnMap, source: str, host: str, now: int, read: ReadWord
    ) -> None:  # fmt: skip
        self.match, self.columns, self.source, self.host, self.now, self.read = match, columns, source, host, now, read
        spoken = match.game.written.spoken(match.fold.state) if match.game.written else {}
        self.verbs = {name: RowVerb(name, one.action, one.first, one.fields) for name, one in spoken.items()}
        self.verbs |= {kebab(cls): RowVerb(kebab(cls), cls) for cls in (*shared.TYPED, *match.game.actions)}
        self.rules = {name.replace("-", "_"): rule for name, rule in columns.fields.items()}

        def instant(typed: str) -> str:
            return write_instant(read_time(typed, now=now, zone=columns.zone, future=True))

        self.desk = ParseContext(
            match.table.directory(), instant, lambda typed: read_end(typed, now=now, zone=columns.zone)
        )

    def faults(self) -> Iterator[Fault]:
        """What the map names and this match does not have: verbs, and fields of the verbs."""
        rule, meant = self.columns.verb, list[RowVerb]()
        for key, word in rule.words.items() if rule.value is None else [("", rule.value)]:
            try:
                meant += [self._verb(word)] if word else []
            except Unreadable as error:
                yield Fault(("verb", "words", key) if key else ("verb",), error.what, error.fix, error.code)
        meant = meant or [*self.verbs.values()]
        known = {name for verb in meant for name in (*verb.listed(), *verb.words)}
        for typed in self.columns.fields:
            if (name := typed.replace("-", "_")) not in known:
                near = nearest(name, known)
                fix = f"did you mean {near[0]}?" if near else f"one of: {' '.join(sorted(known))}"
                verbs = " or ".join(dict.fromkeys(verb.name for verb in meant))
                yield Fault(("fields", typed), f"no such field of {verbs}", fix, "import.map")

    def _verb(self, word: str) -> RowVerb:
        name = self.match.game.synonyms.get(word.lower(), word.lower())
        verb = self.verbs.get(name)
        if verb is None:
            near = nearest(name, self.verbs)
            hint = f"did you mean {near[0]}?" if near else "hl --help"
            raise Unreadable("import.verb", f"no verb {shown(word)} can be recorded from a row", hint)
        return verb

    def order(self, row: Row) -> Order:
        """What a row says.

        Raises:
            _Cell: it cannot be read; with the column to blame.
        """
        columns, cells = self.columns, row.cells
        with _blame(columns.verb.column):
            word = columns.verb.of(cells)
            if not word:
                raise Unreadable("import.empty", "the cell is empty: what happened is missing", "fill it in")
            verb = self._verb(word)
        values: dict[str, Any] = {}
        typed: dict[str, str] = {}
        listed = verb.listed()
        for name, rule in self.rules.items():
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
        said = {column: cells[column] for column in sorted(columns.columns)}
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
        columns, cells = self.columns, row.cells
        at, evidence, column = None, self._place(row), None
        if columns.message is not None and (link := cells[columns.message]):
            column = columns.message
            with _blame(column):
                message = read_message(link)
                at, evidence = message.at, message.evidence
        elif columns.time is not None:
            column = columns.time.column
            with _blame(column):
                at = self._time(cells[column], columns.time.formats)
        if at is not None and at > self.now:
            fix = "check the zone in the map, and the clock of this machine"
            raise _Cell(column, Unreadable("time.future", "this time has not come yet", fix))
        if columns.evidence is not None and (word := clean(cells[columns.evidence])):
            evidence = word[:500]
        return at, evidence

    def _place(self, row: Row) -> str:
        return f"{self.source}:{row.number}"

    def _time(self, cell: str, formats: Sequence[str]) -> int:
        """The instant that a cell means: all formats that can read it must agree."""
        if not cell:
            raise Unreadable("import.empty", "the cell is empty: when it counts is missing", "fill it in")
        found: dict[int, str] = {}
        for form in formats:
            at = read_local(cell, form, self.columns.zone, self.now)
            if at is not None:
                found.setdefault(at, form)
        if not found:
            forms = ", ".join(formats)
            raise Unreadable("import.time", f"{shown(cell)} is not written as {forms}", "add its form to the map")
        if len(found) > 1:
            readings = " or ".join(write_instant(at) for at in found)
            raise Unreadable("import.time", f"{shown(cell)} may be {readings}", "keep one of the formats in the map")
        (at,) = found
        if not 0 <= at < 253_402_300_800_000:
            raise Unreadable("import.time", f"{shown(cell)} is outside the years 1970 to 9999", "correct the cell")
        return at

    def _by(self, cells: Mapping[str, str]) -> str:
        if self.columns.by is None or not (word := cells[self.columns.by].lower()):
            return self.host
        with _blame(self.columns.by):
            return self.match.host(word)


LEFT_OUT = "-"
"""Typed for a word that is left out."""


class RowVerb(NamedTuple):
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
    match: Match, reader: Reader, rows: Sequence[Row | BadRow], *, ask: Ask | None, again: bool, force: bool
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
        if isinstance(row, BadRow):
            yield Done(row.number, "unreadable", row.error.what, error=row.error)
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
