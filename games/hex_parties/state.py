"""Where the pieces stand, and what became of each round; the orders of a round as they count."""

from __future__ import annotations

from collections.abc import Mapping

from events.record import NamedTuple
from games.hex_parties.actions import Move, Sides, added, order_of
from games.hex_parties.cells import Cells, Parity, Piece, placed
from games.hex_parties.facts import OrderIllegal, PartyFormed, PieceBounced, VictoryReached
from games.hex_parties.moves import Order
from games.hex_parties.settings import Settings
from games.kit.sealed import Round, counted
from games.table import Table


class Record(NamedTuple):
    """What became of one round."""

    number: int
    cells: Mapping[Piece, str] = {}
    """Where everything stood after it."""
    parties: tuple[PartyFormed, ...] = ()
    gained: Mapping[str, int] = {}
    points: Mapping[str, int] = {}
    """All points after it."""
    bounced: tuple[PieceBounced, ...] = ()
    illegal: tuple[OrderIllegal, ...] = ()


class State(NamedTuple):
    table: Table
    settings: Settings
    cells: Cells
    """Where every piece stands; before round 1 is resolved, the first listed of a player as the odd one."""
    points: Mapping[str, int] = {}
    used: Mapping[str, tuple[str, ...]] = {}
    """Player -> names of the bonuses they have used up."""
    now: Record = Record(1)
    """The round that is being resolved."""
    results: tuple[Record, ...] = ()
    over: bool = False
    winners: tuple[str, ...] = ()
    """Those who ended the match."""
    reached: tuple[VictoryReached, ...] = ()
    """By which pieces."""
    closing: Mapping[str, int] = {}
    """The garnets of each player when play ended, before rewards."""

    @property
    def may_be_won(self) -> bool:
        """Does a victory count in the round that is on? Source: HX-14."""
        return self.settings.last_round_wins or len(self.results) + 1 < self.settings.max_rounds

    @property
    def number(self) -> int:
        """The round that is on, or was last."""
        return len(self.results) + (0 if self.over else 1)


def sides(round_: Round, player: str) -> Sides | None:
    """The choice of the odd piece that counts: the last; orders and blanks leave it alone."""
    choices = [sheet.content for sheet in counted(round_, player) if isinstance(sheet.content, Sides)]
    return choices[-1] if choices else None


def move(round_: Round, player: str) -> Move | None:
    """The orders that count: the last, with what was added to them, unless a blank came after them."""
    current: Move | None = None
    for sheet in counted(round_, player):
        if not isinstance(sheet.content, Sides):
            sent, parts = sheet.content, sheet.parts
            current = sent if current is None or sent is None or parts is None else added(current, sent, parts)
    return current


def orders(round_: Round, player: str) -> Order:
    return order_of(move(round_, player))


def odd_cell(state: State, player: str, choice: Sides) -> str:
    """Where the piece that was chosen as the odd one stands now: a host may have moved it since."""
    cell, odd, even = choice.cell, state.cells.get((player, "odd")), state.cells.get((player, "even"))
    if cell in (even, odd):
        return cell
    began = placed(state.settings.start, state.table.players)
    return (even if began.get((player, "even")) == cell else odd) or cell


def with_odd(cells: Cells, player: str, cell: str) -> Cells:
    """The pieces of a player change names if the one on that cell is their even one."""
    odd, even = cells.get((player, "odd")), cells.get((player, "even"))
    if odd is not None and even is not None:
        return {**cells, (player, "odd"): even, (player, "even"): odd} if cell == even else cells
    now: Parity = "odd" if cell in (odd, even) else "even"  # a host took a piece off the board: the other is what it is
    return {(player, now) if piece[0] == player else piece: at for piece, at in cells.items()}


def standing_cells(state: State) -> Cells:
    """Where the pieces stand if the choices of the odd piece that count now are kept."""
    round_ = state.table.round
    if state.results or round_ is None:
        return state.cells
    cells = state.cells
    for player in state.table.players:
        choice = sides(round_, player)
        if choice is not None:
            cells = with_odd(cells, player, odd_cell(state, player, choice))
    return cells
