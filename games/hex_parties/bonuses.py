"""Movement bonuses as data: what each lets a piece do, and how they are written in a match file. Source: HX-2, HX-7."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from events.errors import Unreadable
from events.record import NamedTuple
from games.kinds import NAME_PATTERN, Kind, fold, shown
from games.records import Bounds, plain, reader
from games.table.actions import Garnets

FAR = 3
"""How far a piece moves without a bonus. Source: section 3."""


class Bonus(NamedTuple):
    """One movement bonus. With no primitive set it would change nothing."""

    name: str
    cost: Garnets = 1
    """Garnets, paid when it is valid, whether or not the move bounced (HX-7)."""
    range: Annotated[int, Bounds(1, 8)] = FAR
    """How many cells the piece may go."""
    pass_through: bool = False
    """Pieces in between do not matter."""
    bend: bool = False
    """One change of direction on the way; the range is that of the whole way."""
    enter_vacated: bool = False
    """It may go where another player's piece stands, and arrives if that piece leaves in this round."""
    extra_step: bool = False
    """One step more at the end, in any direction; what it steps from counts as in between."""
    reach: Literal["one", "both"] = "one"
    """For one of the two pieces, which is named, or for both."""


PLAIN = Bonus("")
"""A move without a bonus."""
SAMPLES = (
    'bonuses = [{ name = "sprint", range = 5 }, { name = "leap", pass_through = true }, '
    '{ name = "bend", bend = true }]',
    "sprint: one piece goes up to five cells; leap: one ignores pieces in between; bend: one changes direction once.",
    'further: enter_vacated = true, extra_step = true, cost = 2, reach = "both" (docs/games/hex_parties.md, HX-2)',
)


def listed(rows: Iterable[Mapping[str, Any]]) -> dict[str, Bonus]:
    """The bonuses of a match by the word that means each (its name in small letters)."""
    return {fold(row["name"]): Bonus(**row) for row in rows}


def bonuses_fault(rows: Iterable[Mapping[str, Any]]) -> str | None:
    """What is wrong with a list of bonuses, in words; None when nothing is."""
    read = reader(Bonus)
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        try:
            bonus = read(row)
        except Unreadable as error:
            return f"bonus {number}: {error.what}"
        name = fold(bonus.name)
        if not re.fullmatch(NAME_PATTERN, name):
            return f"bonus {number}: {shown(bonus.name)} is not a name made of letters, digits, - and _"
        if name in seen:
            return f"two bonuses are called {bonus.name}"
        if bonus._replace(name="", cost=1, reach="one") == PLAIN:
            return f"{bonus.name} changes nothing: give it range, pass_through, bend, enter_vacated or extra_step"
        seen.add(name)
    return None


def _read(typed: str) -> str:
    """One bonus, with the piece it is for."""
    name, colon, piece = fold(typed).replace("=", ":").partition(":")
    if not re.fullmatch(NAME_PATTERN, name) or (colon and piece not in ("odd", "even", "both")):
        raise Unreadable("hex_parties.bonus", f"{shown(typed)} is not a bonus and a piece", "--bonus sprint:odd")
    return name + colon + piece


_ONE = rf"{NAME_PATTERN}(?::(?:odd|even|both))?"
BONUS = Kind(
    "NAME[:odd|even|both]", rf"{_ONE}(?:, {_ONE}){{0,3}}", lambda typed, desk: ", ".join(map(_read, typed.split(",")))
)
"""Several, with commas between them, as a player may have written."""


def words(bonus: Bonus) -> str:
    """What a bonus does, in a few words.

    >>> words(Bonus("sprint", range=5))
    'sprint (1 garnet): one piece, range 5'
    """
    values = plain(bonus)
    does = [f"range {bonus.range}"] if bonus.range != FAR else []
    does += [name.replace("_", " ") for name in ("pass_through", "bend", "enter_vacated", "extra_step") if values[name]]
    cost = f"{bonus.cost} garnet{'' if bonus.cost == 1 else 's'}"
    return f"{bonus.name} ({cost}): {'one piece' if bonus.reach == 'one' else 'both pieces'}, {', '.join(does)}"
