"""All that is wrong with a match file, each with its line; and who will see what of the match it makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from events.errors import LedgerError
from events.record import NamedTuple
from games.contract import Written
from ledger.core.clock import now_ms
from ledger.core.inputs import MAX_TOML_BYTES, read_text
from ledger.core.outside import load
from ledger.exchange.matchfile import read_toml, setup_bodies

_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_.\s-]+?)\s*\]")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_QUOTED = re.compile(r'"(.+?)":')
_LINE = re.compile(r"line ([0-9]+)")


class Fault(NamedTuple):
    """One thing that is wrong: in which line (from 1; 0: nowhere in particular), under which keys, what."""

    line: int
    where: str
    what: str


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
        return [Fault(int(found[1]) if found else 0, "", error.what.removeprefix(f"{path}: "))], ()
    written = written_of(data.get("game"))
    text = read_text(str(path), MAX_TOML_BYTES)
    given = data.get("settings", {})
    both = {**(given if isinstance(given, dict) else {}), **data}
    tables = {key: both[key] for key in written.tables if key in both} if written is not None else {}
    players = data.get("players")
    if written is not None and (wrong := written.faults(tables, tuple(players) if isinstance(players, dict) else ())):
        found_ = [Fault(line_of(text, where, what), ".".join(where), what) for where, what in wrong]
        return sorted(found_, key=lambda one: one.line), ()
    try:
        setup_bodies(data, source=str(path), by=by, now=now_ms())
    except LedgerError as error:
        what = error.what.removeprefix(f"{path}: ").removeprefix(str(path)).lstrip()
        return [Fault(0, "", f"{what}; {error.fix}" if error.fix else what)], ()
    return [], written.seen(tables) if written is not None else ()


def written_of(name: object) -> Written | None:
    """What a game of that name asks of its file; None for any other game, and for a name that is none."""
    try:
        return load(name).written if isinstance(name, str) else None
    except LedgerError:
        return None


def line_of(text: str, where: Sequence[str], what: str = "") -> int:
    """The line (from 1) in which the deepest of these keys stands; that of the table they are in, or 0.

    Args:
        what: What is wrong. Where it begins with a text in quotes, the first line from there on that holds the text.

    >>> line_of("[a]\\nb = 1\\n[c.d]\\ne = 2", ("c", "d", "e")), line_of("[a]", ("x",))
    (4, 0)
    >>> line_of('[a]\\nb = [\\n"one",\\n"two"]', ("a", "b"), '"two": nothing is called so')
    4
    """
    best, deepest = 0, 0
    under: tuple[str, ...] = ()
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if header := _HEADER.match(line):
            at = under = tuple(part.strip() for part in header[1].split("."))
        elif key := _KEY.match(line):
            at = (*under, key[1])
        else:
            continue
        if len(at) > deepest and tuple(where[: len(at)]) == at:
            best, deepest = number, len(at)
    quoted = _QUOTED.match(what)
    after = range(best, len(lines) + 1) if quoted and best else ()
    return next((n for n in after if quoted and quoted[1].removesuffix("…") in lines[n - 1]), best)
