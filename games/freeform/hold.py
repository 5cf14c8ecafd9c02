"""Counters that a host sets, adds to and moves, and cards that are given: bounds hold, no card is doubled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Moment, Transaction
from games.freeform import actions as a
from games.freeform import facts as f
from games.freeform import words
from games.freeform.lang import DECK, LIMIT, PLACES
from games.freeform.facts import TABLES_OWN, State
from games.freeform.typed import known
from games.kinds import shown


def must_be_on(state: State) -> None:
    if state.ended:
        raise Refused("freeform.over", "the match is over", "hl log")


def _counter(state: State, action: a.Set | a.Add | a.Move) -> Any:
    counter = known(state.rules.counters, action.counter, "counter")
    if counter.table is not (action.player is None) and not getattr(action, "everybody", False):
        verb = type(action).__name__.lower()
        what = f"{counter.name} is the table's" if counter.table else f"it is not said whose {counter.name} that is"
        fix = f"hl {verb} {counter.name} VALUE" if counter.table else f"hl {verb} {counter.name} PLAYER VALUE"
        raise Unreadable("freeform.whose", what, fix)
    return counter


def set_(tx: Transaction[State], action: a.Set, moment: Moment) -> None:
    counter = _counter(tx.state, action)
    value = words.whole(counter.name, action.value, -LIMIT, LIMIT)
    _to(tx, counter.name, {action.player or TABLES_OWN: value}, action.why or "", "set")


def add(tx: Transaction[State], action: a.Add, moment: Moment) -> None:
    must_be_on(tx.state)
    counter = _counter(tx.state, action)
    amount = words.whole(counter.name, action.value, -LIMIT, LIMIT)
    whose = action.player or TABLES_OWN
    _to(tx, counter.name, {whose: tx.state.held(counter.name, whose) + amount}, action.why or "", "add")


def move(tx: Transaction[State], action: a.Move, moment: Moment) -> None:
    """So much of a counter goes from one player to another; the sum stays."""
    must_be_on(tx.state)
    counter = _counter(tx.state, action)
    if counter.table or action.player == action.to:
        raise Unreadable(
            "freeform.whose", "it goes from one player to another", f"hl move {counter.name} PLAYER PLAYER N"
        )
    amount = words.whole(counter.name, action.value, 0, LIMIT)
    now = tx.state.counters[counter.name]
    after = {action.player: now[action.player] - amount, action.to: now[action.to] + amount}
    _to(tx, counter.name, after, action.why or "", "move")


def _to(tx: Transaction[State], counter: str, after: Mapping[str, int], why: str, verb: str) -> None:
    state = tx.state
    must_be_within(state, {counter: after}, verb)
    tx.emit(*changes(state, counter, after, why, by_itself=True))


def must_be_within(state: State, after: Mapping[str, Mapping[str, int]], verb: str) -> None:
    """Nothing leaves its bounds.

    Raises:
        Refused: `freeform.bounds`; what it is, only the hosts read.
    """
    for name, values in after.items():
        counter = state.rules.counters[name]
        for who, value in values.items():
            if not counter.least <= value <= counter.most:
                whose = f" of {state.table.name(who)}" if who else ""
                bound = f"at least {counter.least}" if value < counter.least else f"at most {counter.most}"
                host_only = f"{counter.label}{whose} would be {value}; it is {bound}"
                raise Refused("freeform.bounds", f"{verb}: something would leave its bounds", "hl status", host_only)


def changes(state: State, counter: str, after: Mapping[str, int], why: str, *, by_itself: bool) -> Iterable[Any]:
    for who, value in after.items():
        was = state.held(counter, who)
        if value != was and who:
            yield f.Counted(who, counter, value, was, why, by_itself)
        elif value != was:
            yield f.TableCounted(counter, value, was, why, by_itself)


def give(tx: Transaction[State], action: a.Give, moment: Moment) -> None:
    state = tx.state
    must_be_on(state)
    item = known(state.rules.items, action.item, "kind of card")
    for place in (action.src, action.to):
        if place not in PLACES and place not in state.table.players:
            raise Unreadable("player.unknown", f"there is no player {shown(place)} in this match", "hl status")
    card = the_card(state, action)
    tx.emit(f.CardMoved(item.name, card, action.src, action.to, action.why or "", True))


def the_card(state: State, action: a.Give) -> str:
    """Which card is meant: the one named, the only one there, or the top one of the deck.

    Raises:
        Refused: `freeform.cards`. Unreadable: it is not said which.
    """
    item = known(state.rules.items, action.item, "kind of card")
    there = state.cards(item.name, action.src)
    whose = action.src if action.src in PLACES else state.table.name(action.src)
    if action.card:
        card = words.pick(item.name, action.card, tuple(dict.fromkeys(item.values)))
        if card not in there:
            raise Refused("freeform.cards", f"{card} does not lie with {whose}", "hl status")
        return card
    if not there:
        raise Refused("freeform.cards", f"nothing of {item.label} lies with {whose}", "hl status")
    if len(set(there)) > 1 and action.src != DECK:
        fix = f"hl give {item.name} {action.src} {action.to} CARD"
        raise Unreadable("freeform.word", "it is not said which card", fix)
    return there[0]


def card_moved(fact: f.CardMoved, state: State) -> State:
    there = list(state.cards(fact.item, fact.src))
    there.remove(fact.card)
    taken = {**state.items[fact.item], fact.src: tuple(there)}
    lie = {**taken, fact.to: (*taken.get(fact.to, ()), fact.card)}
    return state._replace(items={**state.items, fact.item: lie})


def with_(state: State, counter: str, values: Mapping[str, int]) -> State:
    return state._replace(counters={**state.counters, counter: {**state.counters[counter], **values}})


def counted(fact: f.Counted, state: State) -> State:
    return with_(state, fact.counter, {fact.player: fact.value})
