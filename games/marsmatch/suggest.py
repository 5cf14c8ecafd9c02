"""Words likely meant next, for completion: whose turn it is, the cards he holds."""

from __future__ import annotations

from collections.abc import Mapping

from games.marsmatch import actions as a
from games.marsmatch.cards import EMPTY, cards_of
from games.marsmatch.state import State
from games.table import suggest as table_suggest


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field, given those before it. Source: `games.contract.Game.suggest`."""
    if action in (a.Play, a.Pass, a.Timeout) and field == "player":
        return (state.turn,) if state.playing and state.turn is not None else ()
    if action is a.Play and field == "cards":
        return tuple(dict.fromkeys(cards_of(state.hands.get(words.get("player", ""), EMPTY))))
    return table_suggest.suggest(state.table, action, field, words)
