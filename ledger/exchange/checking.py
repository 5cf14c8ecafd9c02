"""All faults of a match file, each with its line; and who will see what in the match that it makes."""

from __future__ import annotations

import re
from pathlib import Path

from events.errors import LedgerError
from games import toml
from ledger.core.clock import now_ms
from ledger.core.tomlfile import Document, Fault, Faulty, located, read_toml
from ledger.exchange.matchfile import setup_bodies

_LINE = re.compile(r"line ([0-9]+)")
_KEYS = {"roster.size": "players", "host.unknown": "hosts"}
"""Error code -> the key in the file that it is about."""


def check_file(path: Path, by: str | None = None) -> tuple[list[Fault], tuple[tuple[str, str, str, str], ...]]:
    """All faults of a match file; where there are none, (what, its owner, the others, at the end) of its rules.

    Raises:
        Unreadable: there is no such file.
    """
    try:
        data = read_toml(path)
    except LedgerError as error:
        if error.code == "toml.missing":
            raise
        return [_syntax_fault(error, f"{path}: ")], ()
    return _checked(data, str(path), by)


def check_text(text: str, source: str) -> list[Fault]:
    """All faults of a match file that is not written yet; `source`: its name in messages."""
    try:
        return _checked(Document(toml.parse(text), text), source, None)[0]
    except LedgerError as error:
        return [_syntax_fault(error, "")]


def _syntax_fault(error: LedgerError, prefix: str) -> Fault:
    line = _LINE.search(error.what)
    return Fault((), error.what.removeprefix(prefix), error.fix, error.code, int(line[1]) if line else 0)


def _checked(data: Document, source: str, by: str | None) -> tuple[list[Fault], tuple[tuple[str, str, str, str], ...]]:
    try:
        game, _ = setup_bodies(data, source=source, by=by, now=now_ms())
    except Faulty as error:
        return [*error.faults], ()
    except LedgerError as error:
        what = error.what.removeprefix(f"{source}: ").removeprefix(source).lstrip()
        where = (_KEYS[error.code],) if error.code in _KEYS else ()
        return located([Fault(where, what, error.fix, error.code)], data), ()
    if game.written is None:
        return [], ()
    values = {**data.get("settings", {}), **data}
    return [], game.written.seen({table: values[table] for table in game.written.tables if table in values})
