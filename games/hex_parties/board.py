"""The board: its cells and orders as words, where pieces start, the movement bonuses, who may go where.

What belongs here: functions of cells. What does not: the state of a match (facts.py). Source: sections 1 to 3, HX-1 to
HX-11.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import AnyValue
from games.kinds import NAME_PATTERN, Kind, casefolded, count, grouped, shown
from games.kit.hex import DIRECTIONS, Axial, hexagon, step
from games.records import Bounds, plain, reader
from games.table.actions import Garnets

BOARD = hexagon(5)
Parity: TypeAlias = Literal["odd", "even"]
PARITIES: tuple[Parity, Parity] = ("odd", "even")
Piece: TypeAlias = tuple[str, Parity]
"""(player, which of the two)."""
Cells: TypeAlias = Mapping[Piece, str]
TEMPLATE = (("A2", "A4"), ("B6", "D8"), ("F8", "H6"), ("I4", "I2"), ("H1", "F1"), ("D1", "B1"))
"""The six pairs of start cells in seat order; the first of a pair is odd unless its player says otherwise. HX-1."""
_TYPED = re.compile(r"([a-z])\s*0*([0-9]{1,3})", re.IGNORECASE)


def read_cell(typed: str) -> str:
    """The cell meant by `e5`, `E 5` or `E05`.

    Raises:
        Unreadable: `hex_parties.cell`, there is no such cell; the message says how many the row has.

    >>> read_cell("e5")
    'E5'
    """
    match = _TYPED.fullmatch(typed.strip())
    row = match[1].upper() if match else ""
    if match and row in BOARD.rows:
        cell, most = f"{row}{match[2]}", BOARD.rows[row]
        if cell in BOARD.axial:
            return cell
        what = f"there is no cell {cell}: row {row} has {most} cells, {row}1 to {row}{most}"
        raise Unreadable("hex_parties.cell", what, _rows())
    raise Unreadable("hex_parties.cell", f"{shown(typed)} is no cell: a row A to I and a number, like E5", _rows())


def _rows() -> str:
    return "cells in each row: " + ", ".join(f"{row} {most}" for row, most in BOARD.rows.items())


CELL_PATTERN = "|".join(f"{row}[1-{most}]" for row, most in BOARD.rows.items())
Cell = Annotated[str, Kind("CELL", CELL_PATTERN, lambda typed, desk: read_cell(typed), tuple(BOARD.axial))]
_MAX_CELLS = 4
"""The most cells that are kept for one piece of a player who named several."""
_ODD, _EVEN = (
    rf"{which} (?:{CELL_PATTERN})(?: {which} (?:{CELL_PATTERN})){{0,{_MAX_CELLS - 1}}}" for which in PARITIES
)
_PART = re.compile(r"(odd|even|o|e)\b[\s:=]*([a-z]\s*[0-9]+)", re.IGNORECASE)


def read_orders(typed: str) -> str:
    """Read `odd D5 even D4`: a target for one piece, for both or for none; a piece not named stays.

    Several targets of one piece are kept in order; recording them asks whether the player wrote so.

    Raises:
        Unreadable: `hex_parties.orders`, or `hex_parties.cell`. Nothing is guessed.

    >>> read_orders("Even d4, odd=d5"), read_orders(""), read_orders("odd D5 even D4 odd D6")
    ('odd D5 even D4', '', 'odd D5 odd D6 even D4')
    """
    targets: dict[str, list[str]] = {}
    rest = typed.strip()
    while rest:
        part = _PART.match(rest)
        if part is None:
            what = f"{shown(' '.join(rest.split()[:2]))} is not odd or even and a cell; a piece that stays is left out"
            raise Unreadable("hex_parties.orders", what, "like: hl move PLAYER odd D5 even D4")
        which = "odd" if part[1].lower().startswith("o") else "even"
        cells = targets.setdefault(which, [])
        if len(cells) == _MAX_CELLS:
            what = f"the {which} piece is sent to more than {_MAX_CELLS} cells"
            raise Unreadable("hex_parties.orders", what, "name one cell for each piece (HX-21)")
        cells.append(read_cell(part[2]))
        rest = rest[part.end() :].lstrip(" \t\n,;")
    return " ".join(f"{which} {cell}" for which in PARITIES for cell in targets.get(which, ()))


def cells_of(text: str) -> dict[Parity, tuple[str, ...]]:
    """Piece -> its targets, from an order in normal spelling: more than one only if the player wrote more."""
    words = text.split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    targets = {which: tuple(cell for piece, cell in pairs if piece == which) for which in PARITIES}
    return {which: cells for which, cells in targets.items() if cells}


def orders_of(text: str) -> dict[Parity, str]:
    """Piece -> its target: `D5`, or `D5 and D6` if the player wrote so."""
    return {which: " and ".join(cells) for which, cells in cells_of(text).items()}


ORDERS = Kind("ORDERS", rf"(?:{_ODD}(?: {_EVEN})?|{_EVEN})?", lambda typed, desk: read_orders(typed))


def layout_fault(layout: Mapping[str, Sequence[str]]) -> str | None:
    """What is wrong with start cells, or None if each player has two and no two pieces share one. Source: HX-1."""
    taken: dict[str, str] = {}
    for player, cells in layout.items():
        if len(cells) != 2:
            return f"{player} needs two cells, the first for the odd piece; there are {len(cells)}"
        for typed in cells:
            try:
                cell = read_cell(typed)
            except Unreadable as error:
                return f"{player}: {error.what}"
            if cell in taken:
                also = f"{taken[cell]} and {player}" if taken[cell] != player else f"both pieces of {player}"
                return f"{cell} is given to {also}"
            taken[cell] = player
    return None


def on_board(cells: Cells, player: str) -> tuple[Parity, ...]:
    """The player's pieces that are on the board: a host may have taken some off."""
    return tuple(which for which in PARITIES if (player, which) in cells)


def placed(layout: Mapping[str, Sequence[str]], players: Sequence[str]) -> dict[Piece, str]:
    """The start cell of every piece, from the layout or else from the template in seat order."""
    pairs = layout or dict(zip(players, TEMPLATE, strict=False))
    return {
        (player, which): read_cell(pairs[player][n])
        for player in players
        if player in pairs
        for n, which in enumerate(PARITIES)
    }


# ---- movement bonuses, as they are written in a match file ---------------------------------------------------------

FAR = 3
"""How far a piece moves without a bonus. Source: section 3."""


class Bonus(NamedTuple):
    """One movement bonus. With no primitive set it would change nothing."""

    name: str
    cost: Garnets = 1
    """Garnets, paid when it is valid, whether or not the move bounced (HX-7)."""
    range: Annotated[int, Bounds(1, 8)] = FAR
    pass_through: bool = False
    """May it pass over other pieces?"""
    bend: bool = False
    """May it change direction once? The range covers the whole path."""
    enter_vacated: bool = False
    """May it move to another player's piece? It arrives if that piece leaves in this round."""
    extra_step: bool = False
    """May it take one more step at the end, in any direction? The cell it steps from is then on the way."""
    reach: Literal["one", "both"] = "one"
    """Does it apply to one piece, which the player names, or to both?"""


PLAIN = Bonus("")
SAMPLES = (
    'bonuses = [{ name = "sprint", range = 5 }, { name = "leap", pass_through = true }, '
    '{ name = "bend", bend = true }]',
    "sprint: one piece goes up to five cells; leap: one ignores pieces in between; bend: one changes direction once.",
    'further: enter_vacated = true, extra_step = true, cost = 2, reach = "both" (docs/games/hex_parties.md, HX-2)',
)


def bonuses_of(rows: Iterable[Mapping[str, AnyValue]]) -> dict[str, Bonus]:
    """The bonuses of a match by their names in lower case."""
    return {casefolded(row["name"]): Bonus(**row) for row in rows}


def bonuses_fault(rows: Iterable[Mapping[str, AnyValue]]) -> str | None:
    """What is wrong with a list of bonuses, or None."""
    read = reader(Bonus)
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        try:
            bonus = read(row)
        except Unreadable as error:
            return f"bonus {number}: {error.what}"
        name = casefolded(bonus.name)
        if not re.fullmatch(NAME_PATTERN, name):
            return f"bonus {number}: {shown(bonus.name)} is not a name made of letters, digits, - and _"
        if name in seen:
            return f"two bonuses are called {bonus.name}"
        if bonus._replace(name="", cost=1, reach="one") == PLAIN:
            return f"{bonus.name} changes nothing: give it range, pass_through, bend, enter_vacated or extra_step"
        seen.add(name)
    return None


def _read_bonus(typed: str) -> str:
    """Read one bonus, with the piece it is for."""
    name, colon, piece = casefolded(typed).replace("=", ":").partition(":")
    if not re.fullmatch(NAME_PATTERN, name) or (colon and piece not in ("odd", "even", "both")):
        raise Unreadable("hex_parties.bonus", f"{shown(typed)} is not a bonus and a piece", "--bonus sprint:odd")
    return name + colon + piece


_ONE_BONUS = rf"{NAME_PATTERN}(?::(?:odd|even|both))?"
BONUS = Kind(
    "NAME[:odd|even|both]",
    rf"{_ONE_BONUS}(?:, {_ONE_BONUS}){{0,3}}",
    lambda typed, desk: ", ".join(map(_read_bonus, typed.split(","))),
)
"""One bonus, or several between commas if a player wrote so."""


def bonus_words(bonus: Bonus) -> str:
    """What a bonus does, in a few words.

    >>> bonus_words(Bonus("sprint", range=5))
    'sprint (1 garnet): one piece, range 5'
    """
    values = plain(bonus)
    does = [f"range {bonus.range}"] if bonus.range != FAR else []
    does += [name.replace("_", " ") for name in ("pass_through", "bend", "enter_vacated", "extra_step") if values[name]]
    cost = count(bonus.cost, "garnet")
    return f"{bonus.name} ({cost}): {'one piece' if bonus.reach == 'one' else 'both pieces'}, {', '.join(does)}"


# ---- legal moves, and their simultaneous resolution ----------------------------------------------------------------

VacatedCells: TypeAlias = Literal["blocked", "open"]
OwnCell: TypeAlias = Literal["allow", "forbid"]


class Rules(NamedTuple):
    vacated_cells: VacatedCells = "blocked"
    own_cell: OwnCell = "allow"


class Order(NamedTuple):
    """The orders of one player; a piece without a target stays."""

    targets: Mapping[Parity, str]
    bonus: str = ""
    """The name of a bonus in lower case, "" for none."""
    on: str = ""
    """The piece the bonus is for, or `both`; "" if the player named none."""
    twice: frozenset[str] = frozenset()
    """Which of `odd`, `even` (cells) and `bonus` the player named twice: nobody can choose for them."""


class Judged(NamedTuple):
    """An order, checked against the cells at the start of the round and what its player has left."""

    moves: Mapping[Parity, str]
    """The targets that the rules allow; a stay is among them only if it was ordered."""
    illegal: Mapping[Parity, str]
    """Piece -> why it may not go where it was sent and stays."""
    bonus: Bonus | None
    carried: tuple[Parity, ...]
    ignored: str
    """Why the named bonus is ignored; "" if it is not."""


@functools.cache
def ways(start: str, to: str, bonus: Bonus = PLAIN) -> tuple[tuple[str, ...], ...]:
    """Every path from one cell to another that the range allows, as the cells in between.

    A path is a straight line of at most `range` cells; with a bend two lines of at most that length together; with an
    extra step one more cell in any direction. It does not turn back on itself, and stays on the board.
    """
    fitting = (way for way in _all_ways(BOARD.axial[start], bonus) if way.end == BOARD.axial[to])
    return tuple(tuple(BOARD.names[at] for at in way.cells[:-1]) for way in fitting)


def _all_ways(start: Axial, bonus: Bonus) -> Iterator[_Path]:
    for first in _lines(start, bonus.range, [*DIRECTIONS.values()]):
        bent = _lines(first.end, bonus.range - len(first.cells), first.onward(turn=True)) if bonus.bend else ()
        for main in (first, *(first.then(second) for second in bent)):
            yield main
            if bonus.extra_step:
                yield from (main.then(last) for last in _lines(main.end, 1, main.onward()))


class _Path(NamedTuple):
    """The cells of a path without its start, and the direction of the last step."""

    cells: tuple[Axial, ...]
    direction: Axial

    @property
    def end(self) -> Axial:
        return self.cells[-1]

    def then(self, further: _Path) -> _Path:
        return _Path((*self.cells, *further.cells), further.direction)

    def onward(self, *, turn: bool = False) -> list[Axial]:
        """The directions that do not lead back; with `turn`, not straight ahead either."""
        barred = [(-self.direction[0], -self.direction[1]), *([self.direction] if turn else [])]
        return [direction for direction in DIRECTIONS.values() if direction not in barred]


def _lines(start: Axial, most: int, directions: Iterable[Axial]) -> Iterator[_Path]:
    for direction in directions:
        cells: tuple[Axial, ...] = ()
        while len(cells) < most and (at := step(cells[-1] if cells else start, direction)) in BOARD.names:
            cells = (*cells, at)
            yield _Path(cells, direction)


def fault(cells: Cells, piece: Piece, to: str, rules: Rules, bonus: Bonus = PLAIN) -> str | None:
    """Why the rules do not let that piece go there, or None if they do. Staying is always legal.

    Args:
        cells: The positions when the round began (HX-3); paths are tested on them alone (HX-6).
    """
    if (start := cells.get(piece)) is None:
        return "it is not on the board"
    if to == start:
        return None
    standing = {cell: owner for owner, cell in cells.items()}
    holder = standing.get(to)
    if holder is not None and holder[0] == piece[0] and rules.own_cell == "forbid":
        return f"the player's own {holder[1]} piece is on {to}"
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
    """Decide which parts of an order count: each piece, and the bonus. Source: HX-7, HX-8.

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
            ignored = f"{bonus.name} is for one piece, both move, and the player did not say which"
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
    bonus = bonuses.get(order.bonus)
    if "bonus" in order.twice:
        return None, "one bonus a round"
    if bonus is None:
        return None, f"there is no bonus {order.bonus} any more" if order.bonus else ""
    if casefolded(bonus.name) in map(casefolded, used):
        return None, f"{bonus.name} is used up"
    if bonus.cost > garnets:
        held = f"only {count(garnets, 'garnet')}" if garnets else "no garnet"
        return None, f"{bonus.name} costs {bonus.cost}, with {held} to pay it"
    return bonus, ""


class Outcome(NamedTuple):
    cells: dict[Piece, str]
    bounced: dict[Piece, tuple[Piece, ...]]
    """Piece that stayed because others wanted its target -> the others."""


def resolve(cells: Cells, moves: Mapping[Piece, str]) -> Outcome:
    """Resolve all moves at once. Source: section 3, Resolution; HX-3, HX-4, HX-5, HX-10, HX-11.

    No piece enters a cell that two or more want: they stay and so want their own cells instead, until nothing changes.
    A piece that stays wants its own cell from the start. Each piece wants only one cell, so the order in which cells
    are examined makes no difference.

    Args:
        cells: The positions; no two pieces share a cell.
        moves: The legal orders: piece -> its target.
    """
    wants = {piece: moves.get(piece, cell) for piece, cell in cells.items()}
    bounced: dict[Piece, tuple[Piece, ...]] = {}
    while True:
        claims = grouped((cell, piece) for piece, cell in wants.items())
        back = [piece for piece, cell in wants.items() if cell != cells[piece] and len(claims[cell]) > 1]
        if not back:
            return Outcome(wants, bounced)
        for piece in back:
            bounced[piece] = tuple(rival for rival in claims[wants[piece]] if rival != piece)
        wants |= {piece: cells[piece] for piece in back}
