"""Words likely meant, for the host's completion; and things that somebody could do, for whoever plays by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.freeform import actions as a
from games.freeform.model import Field
from games.freeform.facts import State
from games.freeform.typed import bounds

NUMBERED = (a.Set, a.Add, a.Move)


def suggest(state: State, action: type, field: str, typed: Mapping[str, str]) -> tuple[str, ...] | None:
    """Verbs, counters, cards of the file; the words of the field that comes next, None where there is no list."""
    rules = state.rules
    if action is a.Do and field == "verb":
        return tuple(rules.verbs)
    if field == "counter" and action in NUMBERED:
        return tuple(rules.counters)
    if field == "item":
        return tuple(rules.items)
    if action is a.Give and field == "card" and typed.get("item") in rules.items:
        return tuple(dict.fromkeys(state.cards(typed["item"], typed.get("src", ""))))
    if field == "words" and action in (a.Do, a.Seal):
        return _words(state, action, typed) or None
    return ()


def _words(state: State, action: type, typed: Mapping[str, str]) -> tuple[str, ...]:
    rules = state.rules
    verb = rules.verbs.get(typed.get("verb", ""))
    if action is a.Do:
        fields = verb.fields if verb else ()
    else:
        fields = rules.sheet(state.table.phase).fields if rules.sheets else ()
    before = len(typed.get("words", "").split())
    return listed(state, fields[before]) if before < len(fields) else ()


def listed(state: State, field: Field) -> tuple[str, ...]:
    """The words that a field can hold, where they can be listed."""
    by_kind = {"player": tuple(state.table.players), "yes": ("yes", "no")}
    return by_kind.get(field.kind, field.words)


def moves(state: State, player: str) -> Iterator[Any]:
    """A sample: a sheet with the least and one with the greatest numbers; each verb with the first words that fit, this
    player first; one more and one less of each counter that is theirs."""
    rules, table = state.rules, state.table
    if table.round is not None and rules.sheets:
        fields = rules.sheet(table.round.name).fields
        for end in (0, 1):
            yield a.Seal(player, tuple(_some(state, field, player, end) for field in fields))
    if table.status != "running":
        return
    for verb in rules.verbs.values():
        for end in (0, 1):
            people = iter((player, *(p for p in table.players if p != player), *[player] * 20))
            words = (
                next(people) if field.kind == "player" else _some(state, field, player, end) for field in verb.fields
            )
            yield a.Do(verb.name, tuple(words))
    for counter in rules.counters.values():
        yield from (a.Add(counter.name, None if counter.table else player, n) for n in ("1", "-1"))


def _some(state: State, field: Field, player: str, end: int) -> str:
    if field.kind == "number":
        return str(max(-9, min(9, bounds(state, player)(field)[end])))
    if field.kind == "text":
        return "something"
    words = listed(state, field)
    return words[-end]
