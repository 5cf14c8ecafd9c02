"""What a host can say happened. Source: sections 2 and 3."""

from __future__ import annotations

from typing import Annotated

from events.record import NamedTuple
from games.hex_parties.bonuses import BONUS
from games.hex_parties.cells import ORDERS, Cell, orders_of
from games.hex_parties.moves import Order
from games.kinds import Player
from games.records import ABSENT, Arg
from games.table.actions import SentFor


class Sides(NamedTuple):
    """Round 1: the piece on CELL is the player's odd one (circle), his other the even one (square), for good."""

    player: Annotated[Player, Arg("Whose pieces.")]
    cell: Annotated[Cell, Arg("The cell of the odd piece.", sealed=True)]


class Move(NamedTuple):
    """Seal all orders of a player for the round; a later command replaces them. A piece not named stays."""

    player: Annotated[Player, Arg("Who moves.")]
    orders: Annotated[
        str, ORDERS, Arg("odd D5 even D4; - for standard input.", positional=True, phrase=True, sealed=True)
    ] = ""
    bonus: Annotated[
        str | None, BONUS, Arg("A movement bonus, and for which piece where both move: sprint:odd.", sealed=True)
    ] = None
    round: SentFor = ABSENT


def order_of(move: Move | None) -> Order:
    """What a player wants of his pieces."""
    if move is None:
        return Order({})
    name, _, on = (move.bonus or "").partition(":")
    return Order(orders_of(move.orders), name, on)


def spelled(move: Move) -> str:
    """Orders as a host would type them, without the player.

    >>> spelled(Move("ann", "odd D5", "sprint"))
    'odd D5 --bonus sprint'
    """
    bonus = [f"--bonus {move.bonus}"] if move.bonus else []
    return " ".join([move.orders or "nothing moves", *bonus])
