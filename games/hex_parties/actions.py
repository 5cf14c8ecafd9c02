"""What a host can say happened. Source: sections 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from events.record import NamedTuple
from games.hex_parties.board import BONUS, ORDERS, PARITIES, Cell, Order, cells_of, orders_of
from games.kinds import Player
from games.records import ABSENT, Arg
from games.table.actions import SentFor


class Sides(NamedTuple):
    """Round 1: the piece on CELL is the player's odd one (circle), the other the even one (square), for good.

    hl sides ann A2
    """

    player: Annotated[Player, Arg("Whose pieces.")]
    cell: Annotated[Cell, Arg("The cell of the odd piece.", sealed=True)]


class Move(NamedTuple):
    """Seal all orders of a player for the round; a later command replaces them. A piece not named stays.

    hl move ann odd D5 even D4
    hl move ann even D4
    """

    player: Annotated[Player, Arg("Who moves.")]
    orders: Annotated[
        str, ORDERS, Arg("odd D5 even D4; - for standard input.", positional=True, phrase=True, sealed=True)
    ] = ""
    bonus: Annotated[
        str | None, BONUS, Arg("A movement bonus, and for which piece where both move: sprint:odd.", sealed=True)
    ] = None
    as_sent: Annotated[bool, Arg("Recorded as the player wrote it, even two cells for a piece, or two bonuses.")] = (
        False
    )
    add: Annotated[bool, Arg("Added to the orders before: what is not named stays as it was.")] = False
    round: SentFor = ABSENT


def order_of(move: Move | None) -> Order:
    if move is None:
        return Order({})
    cells, bonuses = cells_of(move.orders), (move.bonus or "").split(", ")
    twice = frozenset((*(which for which in cells if len(cells[which]) > 1), *(["bonus"] if len(bonuses) > 1 else [])))
    name, _, on = bonuses[0].partition(":") if len(bonuses) == 1 else (" and ".join(bonuses), "", "")
    return Order(orders_of(move.orders), name, on, twice)


def named(move: Move) -> tuple[str, ...]:
    return (*orders_of(move.orders), *(["bonus"] if move.bonus else []))


def added(before: Move, later: Move, kinds: Sequence[str]) -> Move:
    """Orders with others added: those of these kinds take the place of the ones before.

    >>> added(Move("ann", "odd D5 even D4", "sprint"), Move("ann", "even D6"), ["even"]).orders
    'odd D5 even D6'
    """
    both = cells_of(before.orders) | {which: cells for which, cells in cells_of(later.orders).items() if which in kinds}
    orders = " ".join(f"{which} {cell}" for which in PARITIES for cell in both.get(which, ()))
    return before._replace(orders=orders, bonus=later.bonus if "bonus" in kinds else before.bonus)


def items(choice: Sides | None, move: Move | None) -> dict[str, str]:
    """What counts of a player in words, by the kind of item.

    >>> items(None, Move("ann", "odd D5 even D4", "leap:odd"))
    {'odd': 'odd to D5', 'even': 'even to D4', 'bonus': 'with leap for odd'}
    """
    texts = {} if choice is None else {"sides": f"the piece on {choice.cell} is odd"}
    if move is None:
        return texts
    order = order_of(move)
    texts |= {which: f"{which} to {to}" for which, to in order.targets.items()}
    on = f" for {order.on}" if order.on else ""
    return texts | ({"bonus": f"with {order.bonus}{on}"} if order.bonus else {})


def spelled(move: Move) -> str:
    """Orders as a host would type them, without the player.

    >>> spelled(Move("ann", "odd D5", "sprint"))
    'odd D5 --bonus sprint'
    """
    bonus = [f"--bonus {move.bonus}"] if move.bonus else []
    return " ".join([move.orders or "nothing moves", *bonus])
