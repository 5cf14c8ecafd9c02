"""Who may go where, and what becomes of all moves at once: functions of cells alone. Source: section 3, HX-2 to 11."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from events.record import NamedTuple
from games.hex_parties.bonuses import PLAIN, Bonus
from games.hex_parties.cells import BOARD, Cells, Parity, Piece
from games.kinds import count, fold
from games.kit.hex import DIRECTIONS, Axial, step

VacatedCells: TypeAlias = Literal["blocked", "open"]
OwnCell: TypeAlias = Literal["allow", "forbid"]


class Rules(NamedTuple):
    """The settings that a move depends on."""

    vacated_cells: VacatedCells = "blocked"
    own_cell: OwnCell = "allow"


class Order(NamedTuple):
    """What one player wants of their pieces; a piece without a target stays."""

    targets: Mapping[Parity, str]
    bonus: str = ""
    """The word of a bonus, "" for none."""
    on: str = ""
    """The piece the bonus is for, or `both`; "" where they named none."""
    twice: frozenset[str] = frozenset()
    """What they named more than one of: `odd`, `even` (cells), `bonus`. None of them can be chosen for them."""


class Judged(NamedTuple):
    """An order held against the cells at the start of the round, and against what its player has left."""

    moves: Mapping[Parity, str]
    """The targets that the rules allow; a stay is among them only where it was ordered."""
    illegal: Mapping[Parity, str]
    """Why a piece may not go where it was sent, so that it stays."""
    bonus: Bonus | None
    """The bonus that is valid, and paid for."""
    carried: tuple[Parity, ...]
    """The pieces that move by it."""
    ignored: str
    """Why a bonus that was named counts for nothing; "" otherwise."""


@functools.cache
def ways(start: str, to: str, bonus: Bonus = PLAIN) -> tuple[tuple[str, ...], ...]:
    """Every way from one cell to another that the range allows, as the cells in between.

    A straight line of at most `range` cells; with a bend two lines, which together are no longer; with an extra step
    one more cell, whichever way. A way does not turn back on itself, and stays on the board.
    """
    fitting = (way for way in _all_ways(BOARD.axial[start], bonus) if way.end == BOARD.axial[to])
    return tuple(tuple(BOARD.names[at] for at in way.cells[:-1]) for way in fitting)


def _all_ways(start: Axial, bonus: Bonus) -> Iterator[_Line]:
    for first in _lines(start, bonus.range, [*DIRECTIONS.values()]):
        bent = _lines(first.end, bonus.range - len(first.cells), first.onward(turn=True)) if bonus.bend else ()
        for main in (first, *(first.then(second) for second in bent)):
            yield main
            if bonus.extra_step:
                yield from (main.then(last) for last in _lines(main.end, 1, main.onward()))


class _Line(NamedTuple):
    """Cells one after the other, the start not among them, and the direction of the last step."""

    cells: tuple[Axial, ...]
    direction: Axial

    @property
    def end(self) -> Axial:
        return self.cells[-1]

    def then(self, further: _Line) -> _Line:
        return _Line((*self.cells, *further.cells), further.direction)

    def onward(self, *, turn: bool = False) -> list[Axial]:
        """The directions that do not lead back; with `turn` not straight on either."""
        barred = [(-self.direction[0], -self.direction[1]), *([self.direction] if turn else [])]
        return [direction for direction in DIRECTIONS.values() if direction not in barred]


def _lines(start: Axial, most: int, directions: Iterable[Axial]) -> Iterator[_Line]:
    """Straight lines of 1 to `most` cells on the board."""
    for direction in directions:
        cells: tuple[Axial, ...] = ()
        while len(cells) < most and (at := step(cells[-1] if cells else start, direction)) in BOARD.names:
            cells = (*cells, at)
            yield _Line(cells, direction)


def fault(cells: Cells, piece: Piece, to: str, rules: Rules, bonus: Bonus = PLAIN) -> str | None:
    """Why the rules do not let that piece go there, in words; None when they do. To stay is always legal.

    Args:
        cells: Where everything stood when the round began (HX-3); paths are tested on them alone (HX-6).
    """
    if (start := cells.get(piece)) is None:
        return "it is not on the board"
    if to == start:
        return None
    standing = {cell: owner for owner, cell in cells.items()}
    holder = standing.get(to)
    if holder is not None and holder[0] == piece[0] and rules.own_cell == "forbid":
        return f"{to} is the cell of the own {holder[1]} piece"
    if holder is not None and holder[0] != piece[0] and rules.vacated_cells == "blocked" and not bonus.enter_vacated:
        return f"{to} was occupied when the round began"
    routes = ways(start, to, bonus)
    if not routes:
        return _too_far(start, to, bonus)
    if bonus.pass_through or any(not any(cell in standing for cell in way) for way in routes):
        return None
    nearest = min(routes, key=len)
    return f"{next(cell for cell in nearest if cell in standing)} on the way to {to} is occupied"


def _too_far(start: str, to: str, bonus: Bonus) -> str:
    """Why no way leads there, whatever stands between."""
    far, most = BOARD.distance(start, to), bonus.range + bonus.extra_step
    if far > most:
        line = "" if BOARD.between(start, to) is not None else " and not in a straight line"
        return f"{to} is {far} cells away{line}; {most} is the most"
    if bonus.bend or bonus.extra_step:
        return f"{bonus.name} does not lead from {start} to {to}"
    return f"{to} is not in a straight line from {start}"


def judge(
    cells: Cells,
    player: str,
    order: Order,
    rules: Rules,
    bonuses: Mapping[str, Bonus],
    garnets: int,
    used: tuple[str, ...],
) -> Judged:
    """What counts of an order: per piece, and whether its bonus does. Source: HX-7, HX-8.

    Args:
        garnets: What the player holds now.
        used: The names of the bonuses that they have used up.
    """
    bonus, ignored = _bonus(order, bonuses, garnets, used)
    carried: list[Parity] = []
    if bonus is not None:
        clear = [which for which in order.targets if which not in order.twice]
        moving = [which for which in clear if order.targets[which] != cells.get((player, which))]
        chosen = [which for which in moving if order.on in ("", "both", which)]
        if not chosen:
            ignored = "no piece moves with it"
        elif bonus.reach == "one" and len(chosen) > 1:
            ignored = f"{bonus.name} is for one piece, and both move: which one was not said"
        else:
            why = {which: fault(cells, (player, which), order.targets[which], rules, bonus) for which in chosen}
            carried = [which for which in chosen if why[which] is None]
            if not carried:
                ignored = "; ".join(dict.fromkeys(reason for reason in why.values() if reason))
    moves: dict[Parity, str] = {}
    illegal: dict[Parity, str] = {}
    for which, to in order.targets.items():
        two = "it is sent to several cells (HX-21)" if which in order.twice else None
        why_not = None if which in carried else two or fault(cells, (player, which), to, rules)
        if why_not is None:
            moves[which] = to
        else:
            illegal[which] = why_not
    return Judged(moves, illegal, bonus if carried else None, tuple(carried), ignored if not carried else "")


def _bonus(order: Order, bonuses: Mapping[str, Bonus], garnets: int, used: tuple[str, ...]) -> tuple[Bonus | None, str]:
    """The bonus that the player may use, or why not."""
    bonus = bonuses.get(order.bonus)
    if "bonus" in order.twice:
        return None, "one bonus a round"
    if bonus is None:
        return None, f"there is no bonus {order.bonus} any more" if order.bonus else ""
    if fold(bonus.name) in map(fold, used):
        return None, f"{bonus.name} is used up"
    if bonus.cost > garnets:
        held = f"only {count(garnets, 'garnet')}" if garnets else "no garnet"
        return None, f"{bonus.name} costs {bonus.cost}, and {held} {'are' if garnets > 1 else 'is'} held"
    return bonus, ""


class Outcome(NamedTuple):
    """Where everything stands after the moves."""

    cells: dict[Piece, str]
    bounced: dict[Piece, tuple[Piece, ...]]
    """Piece that stayed because others wanted its target -> those others."""


def resolve(cells: Cells, moves: Mapping[Piece, str]) -> Outcome:
    """All moves at once. Source: section 3, Resolution; HX-3, HX-4, HX-5, HX-10, HX-11.

    Every cell that two or more pieces want goes to none of those that come to it: they stay where they were, and so
    want that cell, until nothing changes. A piece that stays wants its own cell from the first. A piece wants one cell
    only, so the order in which cells are looked at does not matter.

    Args:
        cells: Where everything stood; no two pieces on one cell.
        moves: The legal orders: piece -> where it wants to go.
    """
    wants = {piece: moves.get(piece, cell) for piece, cell in cells.items()}
    bounced: dict[Piece, tuple[Piece, ...]] = {}
    while True:
        claims: dict[str, list[Piece]] = {}
        for piece, cell in wants.items():
            claims.setdefault(cell, []).append(piece)
        back = [piece for piece, cell in wants.items() if cell != cells[piece] and len(claims[cell]) > 1]
        if not back:
            return Outcome(wants, bounced)
        for piece in back:
            bounced[piece] = tuple(rival for rival in claims[wants[piece]] if rival != piece)
        wants |= {piece: cells[piece] for piece in back}
