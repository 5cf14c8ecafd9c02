"""The draws of a file, and the preparation of typed words for the log. Source: docs/log-format.md, Randomness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle

from events.errors import Refused, Unreadable
from games.contract import Action, AnyAction, Luck, Moment, Transaction
from games.freeform import actions as a, facts as f, rules, words
from games.freeform.facts import State
from games.freeform.lang import DECK, LIMIT
from games.freeform.model import Item
from games.freeform.read import in_order, is_secret
from games.freeform.rules import known, must_be_on, the_card, words_of_sheet, words_of_verb
from games.freeform.written import AFTER
from games.kinds import shown
from games.parts.rules import as_drawn
from games.table import actions as shared, prepare as table_prepare, rounds
from games.table.rules import fairness, must_be_here
from games.toml import parse


def source(state: State, action: a.Draw) -> dict[str, object] | None:
    """The source of a draw: a value for each player who is present, or the deck in order."""
    item = state.rules.items.get(action.item)
    return source_of(state, item) if item and item.draw else None


def fixed(state: State) -> Iterator[dict[str, object]]:
    """The sources of the draws that a commitment made now would fix: one for each kind of card that is not secret."""
    return (source_of(state, item) for item in state.rules.items.values() if item.draw and not item.secret)


def source_of(state: State, item: Item) -> dict[str, object]:
    """The source of the draw of one kind of card."""
    if item.draw == "one each":
        return {"each": list(state.table.present), "of": [list(item.values)], **labelled(state, item)}
    return {"shuffle": list(item.values), **labelled(state, item)}


def labelled(state: State, item: Item) -> dict[str, object]:
    """What the source of each draw has: its label, by which a commitment fixes it, and the players it deals to.

    A secret draw has no label: no commitment fixes it, and the label would reveal which draw it is.
    """
    to: dict[str, object] = {"each": item.each, "to": list(state.table.present)} if item.each else {}
    return to if item.secret else {"label": item.name, **to}


def draw(tx: Transaction[State], action: a.Draw, moment: Moment) -> None:
    """Draw the cards of one kind, which is possible only once."""
    state = tx.state
    must_be_on(state)
    item: Item = known(state.rules.items, action.item, "kind of card")
    if not item.draw:
        what = f"the file does not say how {item.label} is drawn"
        raise Refused("freeform.no_draw", what, 'draw = "order" in the file')
    if item.name in state.drawn:
        more = f"hl give {item.name} deck PLAYER CARD\n" if item.draw != "one each" else ""
        fix = f"{more}hl log --kind draw"
        raise Refused("freeform.drawn", f"{item.label} is already drawn", fix)
    if action.drawn is None:
        raise Refused("freeform.undrawn", "a draw must be recorded with its outcome", f"hl draw {item.name}")
    source = action.draw or {}
    drawn = checked(state, item, action.drawn)
    there = as_drawn(state, action)
    if any(source.get(key) != value for key, value in labelled(there, item).items()):
        raise Refused("freeform.drawn_wrong", "it does not say what was drawn, or for whom", _FIX)
    if item.each * len(there.table.present) > len(item.values):
        raise Refused("freeform.cards", f"there are not enough cards: {item.each} for each player", "hl rules")
    if item.draw != "one each" and len(state.cards(item.name, DECK)) < len(item.values):
        raise Refused("freeform.cards", f"cards of {item.label} have already left the deck", "hl status")
    to = there.table.present if item.each else ()
    tx.emit(f.CardsDrawn(item.name, drawn, to))
    hands = ((player, tx.state.cards(item.name, player)) for player in state.table.players)
    tx.emit(*(f.CardsGot(player, item.name, cards) for player, cards in hands if cards))


_FIX = "leave --drawn out: it is drawn here"


def _in_order(item: Item) -> str:
    return f'like: hl draw {item.name} --drawn "{" ".join(item.values)}"'


def _each(item: Item, players: Sequence[str]) -> str:
    each = ", ".join(f"{p} {card}" for p, card in zip(players, cycle(item.values), strict=False))
    return f'like: hl draw {item.name} --drawn "{each}"'


def checked(state: State, item: Item, drawn: tuple[str, ...]) -> tuple[str, ...]:
    """Return `drawn` if it is a possible outcome.

    Raises:
        Refused: `freeform.drawn_wrong`.
    """
    if item.draw != "one each":
        if sorted(drawn) == sorted(item.values):
            return drawn
        what = "--drawn names each card once, in the order drawn"
        raise Refused("freeform.drawn_wrong", what, f"{_in_order(item)}\n{_FIX}")
    pairs = [line.split(" ") for line in drawn]
    players = [pair[0] for pair in pairs]
    present = table_prepare.as_drawn(state, players).table.present
    if players != list(present) or any(len(pair) != 2 or pair[1] not in item.values for pair in pairs):
        fix = f"{_each(item, present)}\n{_FIX}"
        raise Refused("freeform.drawn_wrong", "--drawn names a card for each player", fix)
    return drawn


def prepare_draw(state: State, action: a.Draw, luck: Luck) -> tuple[Action, ...]:
    """Normalize the kind of card, and an outcome that was typed in."""
    item: Item = known(state.rules.items, action.item, "kind of card")
    action = action._replace(item=item.name)
    if action.drawn is None or not item.draw:
        return (action,)
    if action.commitment is not None:
        raise Refused("freeform.drawn", f"{item.label} is drawn from what the commitment fixed", "hl log --kind draw")
    return (action._replace(drawn=_typed(state, item, action.drawn)),)


def fair(tx: Transaction[State], action: shared.Commit | shared.Seed | shared.Word, moment: Moment) -> None:
    """A commitment must come before the first draw; secret draws do not count, because nobody may know of them."""
    drawn = any(not item.secret for name, item in tx.state.rules.items.items() if name in tx.state.drawn)
    tx.emit(*fairness(tx.state.table, action, dealt=drawn))


def _typed(state: State, item: Item, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Read the outcome that a host typed: `ann north, bob south`, or the cards from the top."""
    parts = [part.strip() for line in lines for part in re.split("[,\n]", line) if part.strip()]
    if item.draw != "one each":
        return tuple(_card(item, word, _in_order(item)) for part in parts for word in part.split())
    drawn: dict[str, str] = {}
    like = _each(item, state.table.present)
    for part in parts:
        who, _, card = part.partition(" ")
        if not card:
            raise Unreadable("freeform.word", f"{shown(part)} is not a player and a card", like)
        drawn[state.table.directory().find(who)] = _card(item, card.strip(), like)
    must_be_here(state.table, *drawn)
    return tuple(f"{p} {drawn[p]}" for p in state.table.present if p in drawn)


def _card(item: Item, typed: str, like: str) -> str:
    try:
        return words.pick(item.name, typed, tuple(dict.fromkeys(item.values)))
    except Unreadable as error:
        raise Unreadable(error.code, error.what, f"{error.fix}\n{like}") from None


# ---- from what was typed to what is recorded ---------------------------------------------------------------------


def prepare_seal(state: State, action: a.Seal, luck: Luck) -> tuple[Action, ...]:
    """Normalize the words of a sheet, and add the round it is for."""
    addressed = rounds.addressed(state.table, action)
    name = addressed.round or (state.table.round.name if state.table.round else "")
    if not state.rules.sheets or (not name and not rules.left(state)):
        return (addressed,)
    sheet = words_of_sheet(state, name or rules.left(state)[0], addressed)
    return (addressed._replace(words=sheet),)


def prepare_do(state: State, action: a.Do, luck: Luck) -> tuple[Action, ...]:
    verb = known(state.rules.verbs, action.verb, "verb")
    return (a.Do(verb.name, words_of_verb(state, verb, action.words)),)


def prepare_number(state: State, action: AnyAction, luck: Luck) -> tuple[Action, ...]:
    """Normalize a number; adding to everybody is one entry for each player."""
    counter = known(state.rules.counters, action.counter, "counter")
    value = str(words.whole(counter.name, action.value, -LIMIT, LIMIT))
    changed = action._replace(counter=counter.name, value=value)
    if not getattr(changed, "everybody", False):
        return (changed,)
    if counter.table or changed.player is not None:
        what = "everybody: a counter of the players, and no player"
        raise Unreadable("freeform.whose", what, f"hl add {counter.name} N")
    return tuple(changed._replace(player=p, everybody=False) for p in state.table.present)


def prepare_give(state: State, action: a.Give, luck: Luck) -> tuple[Action, ...]:
    return (action._replace(card=the_card(state, action)),)


def prepare_amend(state: State, action: shared.AmendSetting, luck: Luck) -> tuple[Action, ...]:
    """Read an addition to the file, typed as in the file: `verbs.buy={ ... }`."""
    head, _, _ = action.key.partition(".")
    if head not in ("counters", "items", "sheets", "verbs") or not isinstance(action.value, str):
        return (action,)
    value = parse(f"value = {action.value}")["value"]
    alike = [row for row in getattr(state.settings, head).values() if is_secret(row) is is_secret(value)]
    place = 1 + len(alike) + (AFTER if is_secret(value) else 0)
    return (action._replace(value=in_order(value, place)),)
