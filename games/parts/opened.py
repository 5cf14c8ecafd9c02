"""Who may see an entry opened: by the lines that its verb, its draw or what it gives stands under."""

from __future__ import annotations

from typing import Any

from events.audiences import EVERYBODY, HOST, Audience
from games.contract import COURSE, OWN, SPECIAL, Game, players_of
from games.table import actions as shared
from games.table.view import everybody_who_knows, line_audience, shared_audience


def audience(game: Game, state: Any, action: Any) -> Audience:
    """Who may see that entry opened. What nothing names is the hosts'."""
    cls = type(action)
    verb = game.verb(action)
    if verb.audience is not None:
        return verb.audience(state, action)
    if cls in game.sheets:
        return Audience.only(action.player)
    if cls in game.actions:
        owners = tuple(players_of(action))
        if verb.others == COURSE:
            return EVERYBODY
        if verb.own in SPECIAL:
            return Audience.only(*owners[:1]) if verb.own == OWN else HOST
        return line_audience(state.table, verb.own, verb.others, *owners)
    if (draw := verb.draw) and (action.drawn is not None or action.seed is not None):
        if draw.line in SPECIAL:
            return EVERYBODY if draw.line == COURSE else HOST
        return everybody_who_knows(state.table, draw.line)
    wide = EVERYBODY if cls is shared.Resolve else shared_audience(state.table, action, game.decided)
    return _without_given(game, state, action, wide) if isinstance(action, shared.Seat) else wide


def _without_given(game: Game, state: Any, action: shared.Seat, wide: Audience) -> Audience:
    """A seat's entry is its player's if they may know all that a match file may give; otherwise the hosts' alone.

    Not what it gave: who finds theirs closed, and another's open, would learn that there is something.
    """
    lines = [row.line for row in game.overrides.values() if row.at_start]
    plain = all(isinstance(line, str) for line in lines)
    mine = (action.player in line_audience(state.table, str(line), None, action.player).players for line in lines)
    return wide if plain and all(mine) else HOST
