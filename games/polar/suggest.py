"""Words likely meant next, for completion: other rooms, bombs that are held first."""

from __future__ import annotations

from collections.abc import Mapping

from games.polar import actions as a
from games.polar.state import State
from games.table import actions as shared


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    held = state.players.get(words.get("player", ""))
    if held is None:
        return ()
    if (action, field) in ((a.Go, "room"), (a.Submit, "ticket")):
        return tuple(room for room in a.ROOMS if room != held.room)
    if (action, field) == (a.Submit, "bomb") and words.get("bomb"):
        return a.ROOMS
    if (action, field) in ((a.Bomb, "kind"), (a.Submit, "bomb")):
        return tuple(dict.fromkeys((*held.bombs, *a.BOMBS)))
    if (action, field) == (shared.Override, "value"):
        return {"room": a.ROOMS, "sign": a.SIGNS, "bombs": a.BOMBS}.get(words.get("field", ""), ())
    return ()
