"""Finding facts by a typed word: a player, a card, a cell."""

from __future__ import annotations

from collections.abc import Iterator

from events.errors import LedgerError
from games.contract import Fact
from games.kinds import HEX, INSTANT, NAME, PLAYER, TEXT, Kind
from games.records import fields, is_record
from ledger.core.match import Match

COMMON_KINDS = (PLAYER, TEXT, NAME, HEX, INSTANT)
"""Those that every game has."""


def concerns(value: Fact, name: str) -> bool:
    """Does a fact hold that player or word in any of its fields?"""
    if isinstance(value, str):
        return value.casefold() == name.casefold()
    if is_record(value) or isinstance(value, tuple):
        return any(concerns(item, name) for item in value)
    return False


def readings(match: Match, typed: str) -> Iterator[str]:
    """The readings of a word as each kind of the game: `red7` is `R7` where cards are read so."""
    desk = match.desk(0)
    for kind in kinds_of(match):
        try:
            yield kind.read(typed, desk)
        except LedgerError:
            continue


def kinds_of(match: Match) -> list[Kind]:
    """The game's own kinds of typed words, without fields that the ledger fills in."""
    typed = [field for cls in match.game.actions for field in fields(cls) if not field.arg.hidden]
    kinds = [field.kind for field in typed if field.kind is not None]
    return [kind for i, kind in enumerate(kinds) if kind not in COMMON_KINDS and kind not in kinds[:i]]
