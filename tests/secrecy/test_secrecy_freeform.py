"""Secrecy of Freeform: nothing that leaves for a viewer depends on what the file keeps from him.

Two ways: pairs of whole matches (secrecy/freeform.py), and leaks that are put in, each of which must be found.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.contract import Game
from games.freeform import actions as a, draws, facts as f, model, rules, view, words
from games.freeform.lang import AWAY, DECK, TABLE, Held, leaves
from tests.secrecy import leaks
from tests.secrecy.leaks import others


def purses_of_others(state: Any, viewer: str, shown: Any) -> Any:
    held = state.counters["purse"]
    players = {p: row._replace(has={**(row.has or {}), "purse": held[p]}) for p, row in shown.players.items()}
    return shown._replace(players=players)


def hidden_counters_of_the_table(state: Any, viewer: str, shown: Any) -> Any:
    return shown._replace(table={**(shown.table or {}), "wrath": state.counters["wrath"][""]})


def names_of_what_is_secret(state: Any, viewer: str, shown: Any) -> Any:
    return shown._replace(labels={name: counter.label for name, counter in state.rules.counters.items()})


def sheets_of_others(state: Any, viewer: str, shown: Any) -> Any:
    opened = {name: " ".join(sheets) for name, sheets in state.opened.items()}
    return shown._replace(fields={**(shown.fields or {}), **{name: (said,) for name, said in opened.items()}})


def bounds_in_the_refusal(state: Any, action: Any, refusal: Refused | None) -> Refused | None:
    if refusal is None or not refusal.host_only:
        return refusal
    return Refused(refusal.code, f"{refusal.what}: {sum(state.counters['purse'].values())}", refusal.fix)


def conditions_forgotten(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A text may name what was typed of a change that happens on a hidden condition."""
    real = model.touched
    always = lambda verb: verb._replace(does=tuple(effect._replace(when=()) for effect in verb.does))  # noqa: E731
    patch.setattr(model, "touched", lambda rules, verb: real(rules, always(verb)))
    return game


def without_bounds(verb: model.VerbKind) -> model.VerbKind:
    return verb._replace(fields=tuple(field._replace(least=None, most=None) for field in verb.fields))


def bounds_in_a_text(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A text may name a number that lies within hidden bounds."""
    real = model.leak
    patch.setattr(model, "leak", lambda rules, verb, field, reader: real(rules, without_bounds(verb), field, reader))
    return game


def bounds_in_an_entry(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """Who may open the entry of a verb does not hang on what bounds its numbers."""
    real = model.touched
    patch.setattr(view, "touched", lambda rules, verb: real(rules, without_bounds(verb)))
    return game


def mixed_bounds_in_a_refusal(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A refusal names bounds if anything in them is public, though something hidden is in them too."""

    real = rules._read_word

    def leaky(state: Any, field: model.Field, word: str, bound: rules.Bound) -> str:
        try:
            return real(state, field, word, bound)
        except Unreadable:
            parts = (leaf for tree in (field.least, field.most) if tree for leaf in leaves(tree))
            named = {leaf.counter for leaf in parts if isinstance(leaf, Held)}
            if any(state.rules.level(counter).now == model.EVERYBODY for counter in named):
                words.read_word(field, word, state.table.directory(), bound)
            raise

    patch.setattr(rules, "_read_word", leaky)
    return game


def places_that_count_secrets(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """What is added to the file stands after what is secret as well: its place counts that."""
    patch.setattr(draws, "is_secret", lambda value: False)
    return game


def cards_put_away_open(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A card between the deck and away counts as one on the table."""
    real = model._place

    def leaky(rules: model.Rules, item: str, places: Any) -> model.Touched:
        return real(rules, item, (TABLE,) if {*places} == {DECK, AWAY} else places)

    patch.setattr(model, "_place", leaky)
    return game


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "how many secrets there are, in a place": places_that_count_secrets,
    "a card of the deck that is put away": cards_put_away_open,
    "what was typed of a change on a condition": conditions_forgotten,
    "a number within hidden bounds, in a text": bounds_in_a_text,
    "that a number was taken within hidden bounds": bounds_in_an_entry,
    "a refusal with bounds of which one part is public": mixed_bounds_in_a_refusal,
    "what the others hold": leaks.changed_view(purses_of_others),
    "a counter of the table that is the hosts'": leaks.changed_view(hidden_counters_of_the_table),
    "what is secret, by its name": leaks.changed_view(names_of_what_is_secret),
    "who sent a sheet that only its owner reads": leaks.changed_view(sheets_of_others),
    "a refusal with what others hold": leaks.changed_rules(bounds_in_the_refusal),
    "how many counters there are": leaks.added_text(lambda s, v: f"{len(s.rules.counters)} counters"),
    "charms of the others in order": leaks.added_text(
        lambda s, v: " ".join(card for p in others(s, v) for card in s.cards("charm", p)) if s.drawn else None
    ),
    "the price told to everybody": leaks.added_notice(
        lambda s, facts, v: next((str(x.was - x.value) for x in facts if isinstance(x, f.Counted)), None)
    ),
    "a verb told to everybody": leaks.noticed(f.Done, "Something was done."),
    "what somebody else is told": leaks.added_notice(
        lambda s, facts, v: next((x.text for x in facts if isinstance(x, f.Told) and x.player != v), None)
    ),
    "who may open a verb": leaks.opened_to_everybody(a.Do),
    "who may open a sheet": leaks.opened_to_everybody(a.Seal),
    "who may open a counter that was set": leaks.opened_to_everybody(a.Set),
}
