"""The map of an import: which verb a row records, and which column gives what. Source: docs/import.md, The map."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from games.kinds import shown
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
