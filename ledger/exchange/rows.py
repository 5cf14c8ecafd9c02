"""The rows of a CSV, as a spreadsheet or a form exports it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from events import Unreadable
from events.record import NamedTuple
from games.kinds import nearest, shown
from ledger.exchange.importmap import DELIMITERS, ColumnMap


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
