"""What differs between two states of a match, in words, field by field of the host's picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.match import Match


def differences(match: Match, before: Any, after: Any) -> tuple[str, ...]:
    """What the host sees differently, field by field, in words: "fox hand: B6 R7 -> R6 R7"."""
    from games.records import plain

    def picture(state: Any) -> dict[str, Any]:
        game = match.game
        result = plain(game.result(state, "host"))
        seen = {key: value for key, value in result.items() if key not in ("garnets", "scores", "assumptions")}
        return {**plain(game.view(state, "host")), **seen}

    was, now = before.table.assumptions, after.table.assumptions
    said = [f"confirmed: {name}" for name in was if name not in now]
    said += [f"an assumption again: {name}" for name in now if name not in was]
    return (*_compare("", picture(before), picture(after)), *said)


def _compare(path: str, old: Any, new: Any) -> list[str]:
    if old == new:
        return []
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [*old, *(k for k in new if k not in old)]
        return [line for key in keys for line in _compare(f"{path} {key}".strip(), old.get(key), new.get(key))]
    name = path.removeprefix("players ").replace("_", " ")
    return [f"{name}: {_word(old)} -> {_word(new)}"]


def _word(value: Any) -> str:
    if value is None or value == [] or value == {}:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_word(item)}" for key, item in value.items())
    if isinstance(value, list):
        return (" " if all(isinstance(item, str) for item in value) else "; ").join(_word(item) for item in value)
    return str(value)
