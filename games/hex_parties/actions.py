"""What a host can say happened, the gaps of the rules, and who may know what. Source: sections 2, 3, 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from events.record import NamedTuple
from games.hex_parties import board
from games.hex_parties.board import BONUS, ORDERS, PARITIES, Cell, Order, OwnCell, VacatedCells, cells_of, orders_of
from games.kinds import Player
from games.records import ABSENT, Arg, Bounds
from games.table.actions import Garnets, SentFor
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours


class Sides(NamedTuple):
    """Round 1: the piece on CELL is the player's odd one (circle), the other the even one (square), for good.

    hl sides ann A2
    """

    player: Annotated[Player, Arg("Whose pieces.")]
    cell: Annotated[Cell, Arg("The cell of the odd piece.", sealed=True)]

    @property
    def outlasts_blank(self) -> bool:
        """Who sends no orders has said all the same which piece is odd."""
        return True


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
    """Orders with later ones added; those of these kinds replace the earlier ones.

    >>> added(Move("ann", "odd D5 even D4", "sprint"), Move("ann", "even D6"), ["even"]).orders
    'odd D5 even D6'
    """
    both = cells_of(before.orders) | {which: cells for which, cells in cells_of(later.orders).items() if which in kinds}
    orders = " ".join(f"{which} {cell}" for which in PARITIES for cell in both.get(which, ()))
    return before._replace(orders=orders, bonus=later.bonus if "bonus" in kinds else before.bonus)


def items(choice: Sides | None, move: Move | None) -> dict[str, str]:
    """What counts for a player, in words by kind of item.

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


# ---- what is settled before it begins --------------------------------------------------------------------------------


class Settings(NamedTuple):
    start: Annotated[
        Mapping[str, tuple[str, ...]],
        Gap(
            "HX-1",
            look=True,
            fault=board.layout_fault,
            by_player=True,
            samples=('start = { ann = ["E5", "A2"], bob = ["D5", "I2"], ... }   the first cell is the odd piece',),
        ),
        Arg("Where the pieces start; empty: A2 A4 / B6 D8 / F8 H6 / I4 I2 / H1 F1 / D1 B1, one pair a seat."),
    ] = {}
    bonuses: Annotated[
        tuple[Mapping[str, Any], ...],
        Gap("HX-2", look=True, fault=board.bonuses_fault, samples=board.SAMPLES),
        Arg("The movement bonuses, each once a player and match; the original list is lost. Empty: none."),
    ] = ()
    round_hours: Annotated[Hours, Gap("HX-22", evening=True), Arg("How long orders are taken in each round.")] = 24
    max_rounds: Annotated[
        int,
        Bounds(1, 100),
        Gap("HX-14", evening=True),
        Arg("After so many rounds the match ends, also when nobody has won."),
    ] = 10
    last_round_wins: Annotated[bool, Gap("HX-14"), Arg("A victory in the last round counts.")] = True
    vacated_cells: Annotated[
        VacatedCells,
        Gap("HX-3"),
        Arg(
            "A cell on which another's piece stood when the round began: no target (blocked), or free if that piece "
            "leaves (open)."
        ),
    ] = "blocked"
    own_cell: Annotated[
        OwnCell,
        Gap("HX-4"),
        Arg(
            "The cell of one's own other piece as a target: reached if that piece leaves (allow), or no target at "
            "all (forbid)."
        ),
    ] = "allow"
    refund_bounced_bonus: Annotated[
        bool, Gap("HX-7"), Arg("A bonus whose moves all bounced costs nothing and may be used again.")
    ] = False
    missing_parity: Annotated[
        Literal["first_listed", "lot", "host"],
        Gap("HX-9"),
        Arg(
            "Who does not say which piece is odd: the first listed is (first_listed), or a lot says (lot), or a "
            "host (host)."
        ),
    ] = "first_listed"
    garnet_cap: Annotated[Garnets, Gap("HX-19"), Arg("Garnets above this are discarded.")] = 3
    ec_excludes_token_holders: Annotated[
        bool, Gap("HX-15"), Arg("Who won a token cannot be Elimination Candidate.")
    ] = True
    ec_tie_no_winner: Annotated[
        Literal["lot", "host", "lower_garnets"],
        Gap("HX-16"),
        Arg(
            "Equal lowest points when nobody won: a lot (lot), a host's choice (host), or fewest garnets, then a "
            "lot (lower_garnets)."
        ),
    ] = "lot"
    reveal_orders_at_end: Annotated[
        bool, Gap("HX-18"), Arg("Orders that failed are shown to everybody when the match is over.")
    ] = False
    gift_hours: Annotated[SecondTokenHours, Gap("HX-15")] = 24
    vote_hours: Annotated[Hours, Gap("HX-16"), Arg("How long the winners may vote on a tie.")] = 24


VISIBILITY = {
    "positions": ("everybody", "where the pieces stand, and the parties of each round"),
    "points": ("everybody", "the points, and who scored"),
    "own_garnets": ("owner", "the garnets a player holds"),
    "bonus_use": ("owner", "which bonuses a player has used (HX-17)"),
    "failed_orders": ("owner", "orders that bounced or broke a rule (HX-18)"),
    "victory_cells": ("owner", "the cells on which a player ends the match by scoring"),
    "winners": ("everybody", "who ended the match"),
    **RESULT_LINES,
}
