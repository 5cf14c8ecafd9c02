"""The state of a match of a file: the rules as they are now, and what everybody holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.errors import Unreadable
from events.record import NamedTuple
from games.freeform.lang import DECK, PLACES, TABLE
from games.freeform.model import Rules
from games.freeform.read import read_rules, tables_of
from games.freeform.settings import Settings
from games.table import Table

TABLES_OWN = ""
"""In place of a player: a counter of the table."""


class State(NamedTuple):
    table: Table
    settings: Settings
    rules: Rules
    counters: Mapping[str, Mapping[str, int]] = {}
    """Counter -> player (or "" for the table) -> value."""
    items: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """Kind of card -> player or place -> cards, in their order."""
    drawn: frozenset[str] = frozenset()
    opened: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    """Round that is resolved -> player -> the words of the sheet."""
    ended: bool = False
    laid: frozenset[tuple[str, str]] = frozenset()
    """(round, kind of card): cards were laid open when it began."""

    def held(self, counter: str, who: str) -> int:
        return self.counters[counter][who]

    def cards(self, item: str, place: str) -> tuple[str, ...]:
        return self.items[item].get(place, ())


def rules_of(tables: Mapping[str, Any]) -> Rules:
    """The rules of a match.

    Raises:
        Unreadable: `freeform.file`, with the first fault.
    """
    rules, faults = read_rules(tables)
    if faults:
        where, what = faults[0]
        raise Unreadable("freeform.file", f"{'.'.join(where) or 'the file'}: {what}", "hl check FILE")
    return rules


def start(table: Table, settings: Settings) -> State:
    """The first state: every counter at its start, every card where it begins.

    Raises:
        Unreadable: `freeform.file`.
    """
    for player in table.seats:
        if player in PLACES:
            raise Unreadable("freeform.file", f"no player can be called {player} here", "choose another id")
    tables = tables_of(table.settings)
    # A file is not empty; a table that no file was read into is an empty match, which the generic tests make.
    rules = rules_of(tables) if tables else EMPTY
    return filled(State(table, settings, rules))


def filled(state: State) -> State:
    """The state with what its rules know and it does not yet: counters at their start, cards where they begin."""
    counters, items = dict(state.counters), dict(state.items)
    players = state.table.players
    for counter in state.rules.counters.values():
        if counter.name not in counters:
            counters[counter.name] = dict.fromkeys((TABLES_OWN,) if counter.table else players, counter.start)
    for item in state.rules.items.values():
        if item.name not in items:
            place = DECK if item.draw else TABLE
            items[item.name] = {} if item.draw == "one each" else {place: item.values}
    return state._replace(counters=counters, items=items)


EMPTY = Rules({}, {}, {}, {}, read_rules({})[0].ending)
