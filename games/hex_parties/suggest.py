"""Words likely meant next, for completion: who still owes orders, where his pieces stand and may go, the bonuses."""

from __future__ import annotations

from collections.abc import Mapping

from games.hex_parties import actions as a
from games.hex_parties.bonuses import listed
from games.hex_parties.cells import BOARD, PARITIES
from games.hex_parties.moves import Rules, fault
from games.hex_parties.state import State, sides, standing_cells
from games.table import suggest as table_suggest
from games.table.rounds import silent


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field, given those before it. Source: `games.contract.Game.suggest`."""
    round_, player = state.table.round, words.get("player", "")
    if action in (a.Sides, a.Move) and round_ is not None:
        if field == "player":
            missing = [p for p in state.table.players if sides(round_, p) is None]
            return tuple(missing) if action is a.Sides else silent(state.table, round_)
        if field == "cell" and (player, "odd") in state.cells:
            return tuple(state.cells[player, which] for which in PARITIES)
        if field == "orders" and (player, "odd") in state.cells:
            return _orders(state, player, words.get("orders", "").split())
        if field == "bonus":
            used = state.used.get(player, ())
            return tuple(word for word, bonus in listed(state.settings.bonuses).items() if bonus.name not in used)
    return table_suggest.suggest(state.table, action, field, words)


def _orders(state: State, player: str, said: list[str]) -> tuple[str, ...]:
    """After a piece the cells it may go to; otherwise the pieces not named yet."""
    for which in PARITIES:
        if said and said[-1] == which:
            rules, cells = Rules(state.settings.vacated_cells, state.settings.own_cell), standing_cells(state)
            return tuple(cell for cell in BOARD.axial if fault(cells, (player, which), cell, rules) is None)
    return tuple(which for which in PARITIES if which not in said)
