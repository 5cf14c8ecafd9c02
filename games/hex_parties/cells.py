"""The board, its cells and orders as words, a player's two pieces, and where they start. Source: sections 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from events.errors import Unreadable
from games.kinds import Kind, shown
from games.kit.hex import hexagon

BOARD = hexagon(5)
Parity: TypeAlias = Literal["odd", "even"]
PARITIES: tuple[Parity, Parity] = ("odd", "even")
Piece: TypeAlias = tuple[str, Parity]
"""Whose, and which of the two."""
Cells: TypeAlias = Mapping[Piece, str]
"""Where every piece stands."""
TEMPLATE = (("A2", "A4"), ("B6", "D8"), ("F8", "H6"), ("I4", "I2"), ("H1", "F1"), ("D1", "B1"))
"""The six pairs of the rim, the first seat's first; of each the first is odd unless its player says otherwise. HX-1."""
_TYPED = re.compile(r"([a-z])\s*0*([0-9]{1,3})", re.IGNORECASE)


def read_cell(typed: str) -> str:
    """The cell meant by `e5`, `E 5` or `E05`.

    Raises:
        Unreadable: `hex_parties.cell`: there is none of that name; it says how many the row has.

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
CELL = Kind("CELL", CELL_PATTERN, lambda typed, desk: read_cell(typed), tuple(BOARD.axial))
Cell = Annotated[str, CELL]
_MAX_CELLS = 4
"""Cells that are kept for one piece, of a player who named several."""
_ODD, _EVEN = (
    rf"{which} (?:{CELL_PATTERN})(?: {which} (?:{CELL_PATTERN})){{0,{_MAX_CELLS - 1}}}" for which in PARITIES
)
_ORDERS = rf"(?:{_ODD}(?: {_EVEN})?|{_EVEN})?"
_PART = re.compile(r"(odd|even|o|e)\b[\s:=]*([a-z]\s*[0-9]+)", re.IGNORECASE)


def read_orders(typed: str) -> str:
    """`odd D5 even D4`: a target for one piece, for both or for none; a piece not named stays.

    Several for one piece are kept in their order: whether a player may write so is asked when they are recorded.

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
            raise Unreadable("hex_parties.orders", f"{shown(rest)} is not odd or even and a cell", "odd D5 even D4")
        which = "odd" if part[1].lower().startswith("o") else "even"
        cells = targets.setdefault(which, [])
        if len(cells) == _MAX_CELLS:
            what = f"the {which} piece is sent to more than {_MAX_CELLS} cells"
            raise Unreadable("hex_parties.orders", what, "name one cell for each piece (HX-21)")
        cells.append(read_cell(part[2]))
        rest = rest[part.end() :].lstrip(" \t\n,;")
    return " ".join(f"{which} {cell}" for which in PARITIES for cell in targets.get(which, ()))


def cells_of(text: str) -> dict[Parity, tuple[str, ...]]:
    """The targets of an order in its one spelling: one a piece, more where the player wrote more."""
    words = text.split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    targets = {which: tuple(cell for piece, cell in pairs if piece == which) for which in PARITIES}
    return {which: cells for which, cells in targets.items() if cells}


def orders_of(text: str) -> dict[Parity, str]:
    """The target of each piece: `D5`, or `D5 and D6` where the player wrote so."""
    return {which: " and ".join(cells) for which, cells in cells_of(text).items()}


ORDERS = Kind("ORDERS", _ORDERS, lambda typed, desk: read_orders(typed))


def layout_fault(layout: Mapping[str, Sequence[str]]) -> str | None:
    """What is wrong with start cells, in words; None when each player has two and no two pieces share one. HX-1."""
    taken: dict[str, str] = {}
    for player, cells in layout.items():
        if len(cells) != 2:
            return f"{player} needs two cells, the first for the odd piece, not {len(cells)}"
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
    """Which of a player's pieces stand on the board: a host may have taken some off."""
    return tuple(which for which in PARITIES if (player, which) in cells)


def placed(layout: Mapping[str, Sequence[str]], players: Sequence[str]) -> dict[Piece, str]:
    """Where every piece starts: as the layout says, or else on the template, whose pairs go by seat."""
    pairs = layout or dict(zip(players, TEMPLATE, strict=False))
    return {
        (player, which): read_cell(pairs[player][n])
        for player in players
        if player in pairs
        for n, which in enumerate(PARITIES)
    }
