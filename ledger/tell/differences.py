"""The differences between two states of a match, in words, field by field of what one audience sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from events import read_instant
from events.audiences import HOST_VIEWER
from ledger.core.match import Match
from ledger.core.times import show_time

_INSTANT = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b")
NOT_COMPARED = ("garnets", "scores", "assumptions", "reasons")
"""Parts of a result that are in the view too, or follow from other parts."""


def differences(match: Match, before: Any, after: Any, viewer: str = HOST_VIEWER) -> tuple[str, ...]:
    """What the viewer sees differently, field by field, in words: "fox hand: B6 R7 -> R6 R7"."""
    from games.records import plain

    def picture(state: Any) -> dict[str, Any]:
        game = match.game
        result = plain(game.result(state, viewer))
        return {**plain(game.view(state, viewer)), **{key: result[key] for key in result if key not in NOT_COMPARED}}

    assumed_before, assumed_now = before.table.assumptions, after.table.assumptions
    changes = [f"confirmed: {name}" for name in assumed_before if name not in assumed_now]
    changes += [f"an assumption again: {name}" for name in assumed_now if name not in assumed_before]
    lines = (*_compare("", picture(before), picture(after)), *changes)
    return tuple(_INSTANT.sub(lambda instant: show_time(read_instant(instant[0]), match.zone), line) for line in lines)


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
