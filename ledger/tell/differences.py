"""The differences between two states of a match, in words, field by field of what one audience sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.audiences import HOST_VIEWER
from events.instants import MAX_INSTANT, Instant
from games.records import plain
from ledger.core.match import Match
from ledger.core.times import show_time

APART = ("garnets", "scores", "assumptions", "reasons")
"""What of a result stands in the view, or follows from what else differs."""


def differences(match: Match, before: Any, after: Any, viewer: str = HOST_VIEWER) -> tuple[str, ...]:
    """What the viewer sees differently, field by field, in words: "fox hand: B6 R7 -> R6 R7"."""

    def when(at: Instant) -> str:
        return show_time(min(at, MAX_INSTANT), match.zone)

    def picture(state: Any) -> dict[str, Any]:
        game = match.game
        result = plain(game.result(state, viewer))
        seen = {key: value for key, value in result.items() if key not in APART}
        return {**plain(game.view(state, viewer), when), **seen}

    was, now = before.table.assumptions, after.table.assumptions
    said = [f"confirmed: {name}" for name in was if name not in now]
    said += [f"an assumption again: {name}" for name in now if name not in was]
    return (*_compare("", picture(before), picture(after)), *said)


def _compare(path: str, old: Any, new: Any) -> list[str]:
    if old == new:
        return []
    old, new = _as_table_beside(old, new), _as_table_beside(new, old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [*old, *(k for k in new if k not in old)]
        return [line for key in keys for line in _compare(f"{path} {key}".strip(), old.get(key), new.get(key))]
    if isinstance(old, list) and isinstance(new, list):
        a, b = _by_label(old), _by_label(new)
        if (a or b) and len(a) == len(old) and len(b) == len(new):
            pairs = [(f"{path} {key}", a[key], b[key]) for key in a if key in b]
            return [*_compare(path, list(a), list(b)), *(line for pair in pairs for line in _compare(*pair))]
    name = path.removeprefix("players ").replace("_", " ")
    return [f"{name}: {in_a_line(old)} -> {in_a_line(new)}"]


def _as_table_beside(value: Any, counterpart: Any) -> Any:
    """An empty table instead of None where the counterpart is a table of tables, so that it is compared row by row."""
    rows = isinstance(counterpart, Mapping) and any(isinstance(row, Mapping) for row in counterpart.values())
    return {} if value is None and rows else value


def _by_label(items: list[Any]) -> dict[str, Any]:
    """Records too large for one line, like the rounds of a match, by the name that each begins with; else nothing."""
    records = [item for item in items if isinstance(item, Mapping)]
    return {str(next(iter(r.values()))): r for r in records if any(isinstance(v, Mapping) for v in r.values())}


def in_a_line(value: Any) -> str:
    """A part of a view in words: `hand R1 R4, class flush, garnets 2`."""
    if value is None or value == [] or value == {}:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {in_a_line(item)}" for key, item in value.items())
    if isinstance(value, list):
        return (" " if all(isinstance(item, str) for item in value) else "; ").join(in_a_line(item) for item in value)
    return str(value)
