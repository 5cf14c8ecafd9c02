"""What a typed word may mean in the facts of a match: a player, a card, a cell."""

from __future__ import annotations

from collections.abc import Iterator

from events.errors import LedgerError
from games.contract import Fact
from games.kinds import HEX, INSTANT, NAME, PLAYER, TEXT, Kind
from games.records import fields, is_record
from ledger.core.match import Match


def concerns(value: Fact, word: str) -> bool:
    """Does a fact name the player, or hold that word, anywhere in it?"""
    if isinstance(value, str):
        return value.casefold() == word.casefold()
    if is_record(value) or isinstance(value, tuple):
        return any(concerns(item, word) for item in value)
    return False


def readings(match: Match, typed: str) -> Iterator[str]:
    """What a word may mean in this game: `red7` is `R7` where cards are read so."""
    desk = match.desk(0)
    for kind in kinds_of(match):
        try:
            yield kind.read(typed, desk)
        except LedgerError:
            continue


def kinds_of(match: Match) -> list[Kind]:
    """The kinds of words that are the game's own; what is filled in is no word."""
    everywhere = (PLAYER, TEXT, NAME, HEX, INSTANT)
    typed = [field for cls in match.game.actions for field in fields(cls) if not field.arg.hidden]
    kinds = [field.kind for field in typed if field.kind is not None]
    return [kind for i, kind in enumerate(kinds) if kind not in everywhere and kind not in kinds[:i]]
