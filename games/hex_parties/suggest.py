"""Words likely meant next, and moves: who still owes orders, where pieces stand and may go, the bonuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.hex_parties import actions as a
from games.hex_parties.bonuses import listed
from games.hex_parties.cells import BOARD, PARITIES, Parity, on_board
from games.hex_parties.moves import Rules, fault
from games.hex_parties.facts import State, sides, standing_cells


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    round_, player = state.table.round, words.get("player", "")
    if action in (a.Sides, a.Move) and round_ is not None:
        if field == "player" and action is a.Sides:
            return tuple(p for p in state.table.present if sides(round_, p) is None)
        if field == "cell":
            return tuple(state.cells[player, which] for which in on_board(state.cells, player))
        if field == "orders" and on_board(state.cells, player):
            typed = words.get("orders", "").split()
            now = next((which for which in PARITIES if typed and typed[-1] == which), None)
            return reach(state, player, now) if now else tuple(which for which in PARITIES if which not in typed)
        if field == "bonus":
            used = state.used.get(player, ())
            return tuple(word for word, bonus in listed(state.settings.bonuses).items() if bonus.name not in used)
    return ()


def moves(state: State, player: str) -> Iterator[a.Sides | a.Move]:
    """Either piece as the odd one; nothing; and every way to send one piece alone, without a bonus."""
    if pieces := on_board(state.cells, player):
        yield from (a.Sides(player, state.cells[player, which]) for which in pieces)
        yield a.Move(player)
        yield from (a.Move(player, f"{which} {cell}") for which in PARITIES for cell in reach(state, player, which))


def reach(state: State, player: str, which: Parity) -> tuple[str, ...]:
    """The cells to which a piece may go by itself."""
    rules, cells = Rules(state.settings.vacated_cells, state.settings.own_cell), standing_cells(state)
    return tuple(cell for cell in BOARD.axial if fault(cells, (player, which), cell, rules) is None)
