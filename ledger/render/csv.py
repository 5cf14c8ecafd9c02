"""Rows as CSV in which no cell is a formula to a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.signs import visible
from ledger.render.safe import FileText


def cell(value: str | int | None) -> str:
    """One cell. A number stays a number, None is empty, and a text is quoted and cannot be taken for a formula.

    Invisible characters and those that move a cursor are shown as `<U+XXXX>`; line ends are kept.

    >>> cell("=1+1"), cell(' @sum("a")'), cell(-3), cell(None)
    ('"\\'=1+1"', '"\\' @sum(""a"")"', '-3', '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return str(int(value))
    text = visible(value, keep="\n")
    if text.strip() and text.lstrip()[0] in "=+-@|%＝＋－＠'":  # a spreadsheet would read it as a formula
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"'


def table(header: Sequence[str], rows: Iterable[Sequence[str | int | None]]) -> FileText:
    return FileText("\n".join(",".join(map(cell, row)) for row in (header, *rows)))
