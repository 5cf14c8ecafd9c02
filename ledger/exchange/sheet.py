"""A sheet to be imported: its map, which says which verb a row records and which column gives what, and its rows.

Belongs here: from the bytes of a map and a CSV to cells by column. Does not belong here: what a row means
(importing.py). Source: docs/import.md, The map.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from events import Unreadable
from events.record import NamedTuple
from games.kinds import nearest, shown
from ledger.core.tomlfile import located, refuse
from ledger.exchange.model_faults import checked
from ledger.exchange.models import Strict, Text, Zone, wrong

DELIMITERS = {",": ",", ";": ";", "tab": "\t", "\t": "\t"}
ENCODINGS = {"utf-8": "utf-8-sig", "utf-16": "utf-16", "windows-1252": "cp1252", "latin-1": "latin-1"}
DIRECTIVES = "[YmdHMSfIpz%]"
"""The directives that a date format may have: none that depends on a language, and no years of two digits."""
SAMPLE = "docs/import.md shows a map"


def _short_for(key: str) -> BeforeValidator:
    """Accept a text in place of a table with one key."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


def _one_of(values: Mapping[str, str], fix: str) -> AfterValidator:
    def replace(typed: str) -> str:
        if typed.lower() not in values:
            raise wrong("import.map", f"cannot be {shown(typed)}", fix)
        return values[typed.lower()]

    return AfterValidator(replace)


def _format(text: str) -> str:
    if text != "iso" and (re.sub(f"%{DIRECTIVES}", "", text).count("%") or "%Y" not in text):
        fix = 'made of %Y %m %d %H %M %S %f %I %p %z; or "iso"'
        raise wrong("import.map", f"the date format {shown(text)} cannot be read safely", fix)
    return text


class Rule(Strict):
    """Where a value comes from: a column, with words for what may stand there; or always the same."""

    column: Text | None = Field(None, examples=["Your name"])
    value: Text | None = Field(None, examples=["garnets"])
    words: dict[str, str] = Field({}, examples=[{"Red 7": "R7"}])

    @model_validator(mode="after")
    def _column_or_value(self) -> Rule:
        if (self.column is None) == (self.value is None):
            what = 'must be a column in quotes, or a table: { column = "..." } or { value = "..." }'
            raise wrong("import.map", what, SAMPLE)
        return self

    def of(self, cells: Mapping[str, str]) -> str:
        """The word that a row gives; "" for an empty cell."""
        if self.column is None:
            return self.value or ""
        cell = cells[self.column]
        return next((word for typed, word in self.words.items() if typed.strip() == cell), cell)


class Dates(Strict):
    """The column of times, and how they may be written."""

    column: Text = Field(examples=["Timestamp"])
    formats: list[Annotated[str, AfterValidator(_format)]] = Field(min_length=1, examples=[["%d.%m.%Y %H:%M:%S"]])


class ColumnMap(Strict):
    """A map file."""

    verb: Annotated[Rule, _short_for("value")] = Field(examples=["vote"])
    zone: Zone = Field(examples=["Europe/Berlin"])
    delimiter: Annotated[str, _one_of(DELIMITERS, 'one of: "," ";" "tab"')] | None = None
    encoding: Annotated[str, _one_of(ENCODINGS, f"one of: {' '.join(ENCODINGS)}")] = "utf-8-sig"
    fields: dict[str, Annotated[Rule, _short_for("column")]] = Field({}, examples=[{"player": "Your name"}])
    time: Dates | None = Field(None, examples=[{"column": "Timestamp", "formats": ["iso"]}])
    message: Text | None = None
    evidence: Text | None = None
    by: Text | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that it names."""
        columns = [rule.column for rule in (self.verb, *self.fields.values())]
        columns += [self.time.column if self.time else None, self.message, self.evidence, self.by]
        return tuple(dict.fromkeys(name for name in columns if name is not None))


def read_map(data: Mapping[str, Any], source: str, zone: str) -> ColumnMap:
    """A map file, parsed as TOML.

    Args:
        zone: The match's zone, for a sheet that does not say its own.

    Raises:
        Unreadable: `import.map`, `time.zone`: all faults at once.
    """
    columns = checked(ColumnMap, {"zone": zone, **data}, "import.map")
    if isinstance(columns, list):
        refuse(located(columns, data), source, SAMPLE)
    return columns


class Row(NamedTuple):
    """One row: its number in the sheet (the header is row 1), its cells by column."""

    number: int
    cells: Mapping[str, str]


class BadRow(NamedTuple):
    """A row that cannot be read."""

    number: int
    error: Unreadable


def read_rows(data: bytes, columns: ColumnMap, source: str) -> tuple[list[Row | BadRow], int]:
    """The rows of a CSV, the unreadable ones in their place, and how many were blank.

    Raises:
        Unreadable: `import.encoding`, `import.csv`, `import.columns`, `import.delimiter`: nothing of it can be used.
    """
    try:
        text = data.decode(columns.encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable(
            "import.encoding", f"{source}, line {line}: this is not {columns.encoding.removesuffix('-sig')}",
            'save it as CSV UTF-8; or in the map: encoding = "windows-1252"',
        ) from None  # fmt: skip
    table = _parsed(text, columns, source)
    header = [cell.strip() for cell in table[0]]
    rows: list[Row | BadRow] = []
    blank = 0
    for number, cells in enumerate(table[1:], start=2):
        stripped = [cell.strip() for cell in cells]
        if not any(stripped):
            blank += 1
        elif len(cells) != len(header):
            what = f"it has {len(cells)} cells, and the header has {len(header)}"
            rows.append(BadRow(number, Unreadable("import.cells", what, "look for a quote that is not closed")))
        else:
            by_column = zip(header, stripped, strict=True)
            rows.append(Row(number, {column: cell for column, cell in by_column if column in columns.columns}))
    return rows, blank


def _parsed(text: str, columns: ColumnMap, source: str) -> list[list[str]]:
    """The table: with the delimiter of the map, or with the only one under which the header has every column."""
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
        doubled = [column for column in columns.columns if header.count(column) > 1]
        if doubled:
            what = f"{source} has the column {shown(doubled[0])} twice"
            raise Unreadable("import.columns", what, "rename one of them in the sheet")
        if all(column in header for column in columns.columns) and table not in fitting.values():
            fitting[name] = table
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    if fitting:
        raise Unreadable(
            "import.delimiter",
            f"{source} can be read with {' and with '.join(shown(name) for name in fitting)}, each time differently",
            f'say in the map which it is: delimiter = "{next(iter(fitting))}"',
        )
    if not headers:
        raise Unreadable("import.csv", f"{source} is not CSV: {next(iter(errors.values()))}", "export it anew")
    header = max(headers.values(), key=len)
    missing = [column for column in columns.columns if column not in header]
    near = nearest(missing[0], header) if missing else []
    raise Unreadable(
        "import.columns",
        f"{source} has no column {', '.join(shown(column) for column in missing or columns.columns)}",
        f"did you mean {shown(near[0])}?" if near else f"its columns: {', '.join(shown(column) for column in header)}",
    )
