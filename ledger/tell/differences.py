"""What differs between two states of a match, in words, field by field of what one audience sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from events import read_instant
from events.audiences import HOST_VIEWER
from ledger.core.match import Match
from ledger.core.times import show_time

_INSTANT = r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b"
APART = ("garnets", "scores", "assumptions", "reasons")
"""What of a result stands in the view, or follows from what else differs."""


def differences(match: Match, before: Any, after: Any, viewer: str = HOST_VIEWER) -> tuple[str, ...]:
    """What the viewer sees differently, field by field, in words: "fox hand: B6 R7 -> R6 R7"."""
    from games.records import plain

    def picture(state: Any) -> dict[str, Any]:
        game = match.game
        result = plain(game.result(state, viewer))
        seen = {key: value for key, value in result.items() if key not in APART}
        return {**plain(game.view(state, viewer)), **seen}

    was, now = before.table.assumptions, after.table.assumptions
    said = [f"confirmed: {name}" for name in was if name not in now]
    said += [f"an assumption again: {name}" for name in now if name not in was]
    lines = (*_compare("", picture(before), picture(after)), *said)
    return tuple(re.sub(_INSTANT, lambda found: show_time(read_instant(found[0]), match.zone), line) for line in lines)


def _compare(path: str, old: Any, new: Any) -> list[str]:
    if old == new:
        return []
    old, new = _beside(old, new), _beside(new, old)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [*old, *(k for k in new if k not in old)]
        return [line for key in keys for line in _compare(f"{path} {key}".strip(), old.get(key), new.get(key))]
    if isinstance(old, list) and isinstance(new, list):
        was, now = _by_label(old), _by_label(new)
        if (was or now) and len(was) == len(old) and len(now) == len(new):
            listed = _compare(path, list(was), list(now))
            both = [key for key in was if key in now]
            return [*listed, *(line for key in both for line in _compare(f"{path} {key}", was[key], now[key]))]
    name = path.removeprefix("players ").replace("_", " ")
    return [f"{name}: {in_a_line(old)} -> {in_a_line(new)}"]


def _beside(value: Any, other: Any) -> Any:
    """A table that was not there is an empty one where the other holds tables: it is compared row by row."""
    rows = isinstance(other, Mapping) and any(isinstance(row, Mapping) for row in other.values())
    return {} if value is None and rows else value


def _by_label(listed: list[Any]) -> dict[str, Any]:
    """What is too large for one line, like the rounds of a match, by the name it begins with; else nothing."""
    records = [item for item in listed if isinstance(item, Mapping)]
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
