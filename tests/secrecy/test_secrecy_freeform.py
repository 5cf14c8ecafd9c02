"""Secrecy of Freeform: nothing that leaves for a viewer depends on what the file keeps from him.

Two ways: pairs of whole matches (secrecy/freeform.py), and leaks that are put in, each of which must be found.
"""

from __future__ import annotations

from typing import Any

from events.errors import Unreadable
from games.freeform import actions as a, draws, facts as f, model, rules, view, words
from games.freeform.lang import AWAY, DECK, TABLE, Held, leaves
from tests.secrecy import leaks
from tests.secrecy.leaks import others


def sheets_of_others(state: Any, viewer: str, shown: Any) -> Any:
    opened = {name: " ".join(sheets) for name, sheets in state.opened.items()}
    return shown._replace(fields={**(shown.fields or {}), **{name: (said,) for name, said in opened.items()}})


@leaks.put(model, "touched", alone=True)
def conditions_forgotten(real: Any, rules: model.Rules, verb: model.VerbKind) -> Any:
    """A text may name what was typed of a change that happens on a hidden condition."""
    return real(rules, verb._replace(does=tuple(effect._replace(when=()) for effect in verb.does)))


def without_bounds(verb: model.VerbKind) -> model.VerbKind:
    return verb._replace(fields=tuple(field._replace(least=None, most=None) for field in verb.fields))


@leaks.put(model, "leak", alone=True)
def bounds_in_a_text(real: Any, rules: model.Rules, verb: model.VerbKind, *more: Any) -> Any:
    """A text may name a number that lies within hidden bounds."""
    return real(rules, without_bounds(verb), *more)


@leaks.put(view, "touched", alone=True)
def bounds_in_an_entry(real: Any, rules: model.Rules, verb: model.VerbKind) -> Any:
    """Who may open the entry of a verb does not hang on what bounds its numbers."""
    return real(rules, without_bounds(verb))


@leaks.put(rules, "_read_word", alone=True)
def mixed_bounds_in_a_refusal(real: Any, state: Any, field: model.Field, word: str, bound: rules.Bound) -> Any:
    """A refusal names bounds if anything in them is public, though something hidden is in them too."""
    try:
        return real(state, field, word, bound)
    except Unreadable:
        parts = (leaf for tree in (field.least, field.most) if tree for leaf in leaves(tree))
        named = {leaf.counter for leaf in parts if isinstance(leaf, Held)}
        if any(state.rules.level(counter).now == model.EVERYBODY for counter in named):
            words.read_word(field, word, state.table.directory(), bound)
        raise


@leaks.put(draws, "is_secret", alone=True)
def places_that_count_secrets(real: Any, value: Any) -> bool:
    """What is added to the file stands after what is secret as well: its place counts that."""
    return False


@leaks.put(model, "_place", alone=True)
def cards_put_away_open(real: Any, rules: model.Rules, item: str, places: Any) -> Any:
    """A card between the deck and away counts as one on the table."""
    return real(rules, item, (TABLE,) if {*places} == {DECK, AWAY} else places)


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "how many secrets there are, in a place": places_that_count_secrets,
    "a card of the deck that is put away": cards_put_away_open,
    "what was typed of a change on a condition": conditions_forgotten,
    "a number within hidden bounds, in a text": bounds_in_a_text,
    "that a number was taken within hidden bounds": bounds_in_an_entry,
    "a refusal with bounds of which one part is public": mixed_bounds_in_a_refusal,
    "what the others hold": leaks.changed_rows(
        lambda s, p, row: {"has": {**(row.has or {}), "purse": s.counters["purse"][p]}}
    ),
    "a counter of the table that is the hosts'": leaks.changed_view(
        lambda s, v, w: w._replace(table={**(w.table or {}), "wrath": s.counters["wrath"][""]})
    ),
    "what is secret, by its name": leaks.changed_view(
        lambda s, v, w: w._replace(labels={name: counter.label for name, counter in s.rules.counters.items()})
    ),
    "who sent a sheet that only its owner reads": leaks.changed_view(sheets_of_others),
    "a refusal with what others hold": leaks.refused_with(
        "", lambda s, action, refusal: sum(s.counters["purse"].values()) if refusal.host_only else None
    ),
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
