"""What the ledger asks of a game whose rules stand in the match file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.contract import Spoken, Written
from games.freeform import actions as a
from games.freeform import words
from games.freeform.draws import public_of
from games.freeform.lang import PLACES
from games.freeform.model import Rules
from games.freeform.read import TABLES, read_rules
from games.freeform.facts import State
from games.freeform.telling import shown
from games.freeform.template import TEMPLATE


def faults(tables: Mapping[str, Any], players: Sequence[str] = ()) -> tuple[tuple[tuple[str, ...], str], ...]:
    """All that is wrong with the tables of a file, and with them for these players: (keys that lead there, what)."""
    rules, rule_faults = read_rules(tables)
    return (*rule_faults, *_for_players(rules, players))


def _for_players(rules: Rules, players: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    yield from ((("players", p), f"{p} has a meaning of its own: another id") for p in players if p in PLACES)
    for item in rules.items.values():
        if (needed := item.each * len(players)) > (there := len(item.values)):
            what = f'"deal {item.each}" to {len(players)} players takes {needed} cards, and there are {there}'
            yield ("items", item.name), what


def seen(tables: Mapping[str, Any]) -> tuple[tuple[str, str, str, str], ...]:
    """(what, whose it is, the others, at the end) for all that a file without faults lets be known."""
    return tuple(shown(read_rules(tables)[0]))


def spoken(state: State) -> dict[str, Spoken]:
    """The verbs and sheets of the file, by the word that a host may type in place of `do VERB` or `seal`."""
    verbs = {}
    for sheet in state.rules.sheets.values():
        usage = ("PLAYER", *(words.usage(field) for field in sheet.fields))
        names = tuple(field.name for field in sheet.fields)
        verbs[sheet.name] = Spoken(a.Seal, (), f"Seal the {sheet.label} of a player for the round.", usage, names)
    for verb in state.rules.verbs.values():
        usage = tuple(words.usage(field) for field in verb.fields)
        names = tuple(field.name for field in verb.fields)
        help = verb.help or f"A verb of the file: hl do {verb.name}."
        verbs[verb.name] = Spoken(a.Do, (verb.name,), help, usage, names)
    return verbs


WRITTEN = Written(TABLES, faults, public_of, seen, spoken, TEMPLATE)
