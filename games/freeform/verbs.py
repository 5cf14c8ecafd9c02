"""The verbs of a file: what they do, all or nothing, and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.errors import Refused
from games.contract import Moment, Transaction
from games.freeform import actions as a
from games.freeform import facts as f
from games.freeform import words
from games.freeform.hold import card_moved, changes, must_be_on, must_be_within, with_
from games.freeform.lang import Change
from games.freeform.model import VerbKind
from games.freeform.reckon import TooGreat, come_to, holds
from games.freeform.facts import TABLES_OWN, State
from games.freeform.telling import NAMED, PUBLIC
from games.freeform.typed import known, same, values_of, words_of_verb
from games.table.rules import must_be_here


def do(tx: Transaction[State], action: a.Do, moment: Moment) -> None:
    """All effects in order, each seeing the one before; then bounds; then what it says. All or nothing.

    The first player that it names is who acts: they must be here, as for every other verb. Source: S-G3.
    """
    state = tx.state
    must_be_on(state)
    verb: VerbKind = known(state.rules.verbs, action.verb, "verb")
    spelled = words_of_verb(state, verb, action.words)
    same(spelled, action.words)
    typed = {field.name: word for field, word in zip(verb.fields, spelled, strict=True)}
    whose = next((typed[field.name] for field in verb.fields if field.kind == "player" and not field.many), "")
    must_be_here(state.table, whose)
    after, moved = effects(state, verb, typed)
    changed = {name: values for name, values in after.counters.items() if values is not state.counters[name]}
    must_be_within(state, changed, verb.name)
    tx.emit(f.Done(verb.name, spelled))
    for name, values in changed.items():
        tx.emit(*changes(state, name, values, f.ByVerb(f"by {verb.name}"), by_itself=not verb.says))
    tx.emit(*moved)
    for reader, text in verb.says:
        line = filled_in(tx.state, verb, typed, text)
        if reader == PUBLIC:
            tx.emit(f.Announced(line))
        elif typed[reader] != words.NOTHING:
            tx.emit(*(f.Told(player, line) for player in typed[reader].split(",")))


def effects(state: State, verb: VerbKind, typed: Mapping[str, str]) -> tuple[State, list[f.CardMoved]]:
    """The state after all effects of a verb, and the cards that moved; bounds are not looked at.

    Raises:
        Refused: a value beyond all bounds, or a card that does not lie there.
    """
    moved: list[f.CardMoved] = []
    for effect in verb.does:
        try:
            state = _one_effect(state, verb, typed, effect, moved)
        except TooGreat:
            what = f"{verb.name}: a value would lie beyond a thousand million"
            raise Refused("freeform.bounds", what, f"hl do {verb.name} --help") from None
    return state, moved


def _one_effect(state: State, verb: VerbKind, typed: Mapping[str, str], effect: Any, moved: list[f.CardMoved]) -> State:
    values = values_of(state, typed)
    if not holds(effect.when, values):
        return state
    if isinstance(effect, Change):
        counter = effect.target.counter
        whose = TABLES_OWN if state.rules.counters[counter].table else typed[effect.target.who]
        now, amount = state.held(counter, whose), come_to(effect.amount, values)
        return with_(state, counter, {whose: {"=": amount, "+=": now + amount, "-=": now - amount}[effect.sign]})
    src, to = typed.get(effect.src, effect.src), typed.get(effect.to, effect.to)
    if effect.amount is None:
        item = next(field.item for field in verb.fields if field.name == effect.what)
        card = typed[effect.what]
        if card not in state.cards(item, src):
            whose = state.table.name(src) if src in state.table.seats else src
            what = f"{verb.name}: a card does not lie where it is taken from"
            raise Refused("freeform.cards", what, "hl status", f"{card} does not lie with {whose}")
        moved.append(f.CardMoved(item, card, src, to, f.ByVerb(f"by {verb.name}"), not verb.says))
        return card_moved(state, moved[-1])
    amount = come_to(effect.amount, values)
    if src == to:
        return state
    if amount < 0:
        raise Refused("freeform.bounds", f"{verb.name}: less than nothing would move", "hl status")
    held = state.counters[effect.what]
    return with_(state, effect.what, {src: held[src] - amount, to: held[to] + amount})


def filled_in(state: State, verb: VerbKind, typed: Mapping[str, str], text: str) -> str:
    """A text of a verb with its names put in: players by their names, counters as they are after it."""
    kinds = {field.name: field for field in verb.fields}

    def put(match: Any) -> str:
        word = match[1]
        if word in kinds:
            value = typed[word]
            if value == words.NOTHING:
                return "nobody" if kinds[word].kind == "player" else "nothing"
            parts = value.split(",") if kinds[word].many else [value]
            return state.table.named(parts) if kinds[word].kind == "player" else " ".join(parts)
        counter, _, who = word.partition(" ")
        return str(state.held(counter, typed[who] if who else TABLES_OWN))

    return NAMED.sub(put, text)
