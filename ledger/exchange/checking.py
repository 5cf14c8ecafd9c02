"""All that is wrong with a match file, each with its line; and who will see what of the match it makes."""

from __future__ import annotations

import re
from pathlib import Path

from events.errors import LedgerError
from ledger.core.clock import now_ms
from ledger.core.tomlfile import Fault, Faulty, located, read_toml
from ledger.exchange.matchfile import setup_bodies

_LINE = re.compile(r"line ([0-9]+)")
_ABOUT = {"roster.size": "players", "host.unknown": "hosts"}
"""Where what is wrong by itself stands in the file."""


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
        found = _LINE.search(error.what)
        line = int(found[1]) if found else 0
        return [Fault((), error.what.removeprefix(f"{path}: "), error.fix, error.code, line)], ()
    try:
        game, _ = setup_bodies(data, source=str(path), by=by, now=now_ms())
    except Faulty as error:
        return [*error.faults], ()
    except LedgerError as error:
        what = error.what.removeprefix(f"{path}: ").removeprefix(str(path)).lstrip()
        where = (_ABOUT[error.code],) if error.code in _ABOUT else ()
        return located([Fault(where, what, error.fix, error.code)], data), ()
    if game.written is None:
        return [], ()
    both = {**data.get("settings", {}), **data}
    return [], game.written.seen({key: both[key] for key in game.written.tables if key in both})
