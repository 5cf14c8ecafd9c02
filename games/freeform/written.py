"""What the ledger asks of a game whose rules stand in the match file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract import Spoken, Written
from games.freeform import actions as a
from games.freeform import words
from games.freeform.draws import public_of
from games.freeform.read import TABLES, read_rules
from games.freeform.state import State
from games.freeform.telling import shown
from games.freeform.template import TEMPLATE


def faults(tables: Mapping[str, Any]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """All that is wrong with the tables of a file: (keys that lead there, what)."""
    return tuple(read_rules(tables)[1])


def seen(tables: Mapping[str, Any]) -> tuple[tuple[str, str, str, str], ...]:
    """(what, whose it is, the others, at the end) for all that a file without faults lets be known."""
    return tuple(shown(read_rules(tables)[0]))


def spoken(state: State) -> dict[str, Spoken]:
    """The verbs and sheets of the file, by the word that a host may type in place of `do VERB` or `seal`."""
    found = {}
    for sheet in state.rules.sheets.values():
        usage = ("PLAYER", *(words.usage(field) for field in sheet.fields))
        found[sheet.name] = Spoken(a.Seal, (), f"Seal the {sheet.label} of a player for the round.", usage)
    for verb in state.rules.verbs.values():
        usage = tuple(words.usage(field) for field in verb.fields)
        found[verb.name] = Spoken(a.Do, (verb.name,), verb.help or f"A verb of the file: hl do {verb.name}.", usage)
    return found


WRITTEN = Written(TABLES, faults, public_of, seen, spoken, TEMPLATE)
