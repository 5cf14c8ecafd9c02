"""Words likely meant next, for completion: who still owes a sheet, other rooms, bombs that are held."""

from __future__ import annotations

from collections.abc import Mapping

from games.polar import actions as a
from games.polar.state import State
from games.table import suggest as table_suggest
from games.table.rounds import silent


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field, given those before it. Source: `games.contract.Game.suggest`."""
    if action in (a.Start, a.Submit) and field == "player" and state.table.round is not None:
        return silent(state.table, state.table.round)
    held = state.players.get(words.get("player", ""))
    if held is None:
        return table_suggest.suggest(state.table, action, field, words)
    if (action, field) in ((a.Go, "room"), (a.Submit, "ticket")):
        return tuple(room for room in a.ROOMS if room != held.room)
    if (action, field) == (a.Bomb, "kind"):
        return tuple(held.bombs)
    if (action, field) == (a.Submit, "bomb"):
        return a.ROOMS if words.get("bomb") else tuple(held.bombs)
    return table_suggest.suggest(state.table, action, field, words)
