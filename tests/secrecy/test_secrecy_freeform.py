"""Secrecy of Freeform: nothing that leaves for a viewer depends on what the file keeps from him.

Two ways: pairs of whole matches (secrecy/freeform.py), and leaks that are put in, each of which must be found.
"""

from __future__ import annotations

import itertools
import random
import shlex
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import pytest

from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError, Refused, Unreadable
from games.freeform import actions as a, draws, facts as f, model, rules, view, words
from games.freeform.lang import AWAY, DECK, TABLE, Held, leaves
from games.registry import load
from ledger.author.simulation import Trial
from ledger.core.clock import OsLuck
from ledger.exchange.matchfile import setup_bodies
from ledger.tell.redact import may_open
from tests.secrecy import freeform, leaks
from tests.secrecy.generators import BEGAN
from tests.secrecy.harness import Memory, Run
from tests.secrecy.leaks import others
from tests.secrecy.on_paper import Clock
from tests.secrecy.script import KNOWN, PUBLIC, Look, Script, Step
from tests.secrecy.twins import Twins
from tests.support.sizes import many


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


@leaks.put(view, "touched", alone=True)
def conditions_in_an_entry(real: Any, rules: model.Rules, verb: model.VerbKind) -> Any:
    """Who may open a verb hangs on what it does in any case alone, not on what it does on a condition."""
    return real(rules, verb._replace(does=tuple(effect for effect in verb.does if not effect.when) or verb.does))


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


@leaks.put(rules, "must_be_within", alone=True)
def refused_where_nothing_changes(real: Any, state: Any, after: Any, verb: str) -> None:
    """Whoever wants a value that it has already is refused."""
    real(state, after, verb)
    if all(state.held(name, who) == value for name, values in after.items() for who, value in values.items()):
        raise Refused("freeform.nothing", f"{verb} would change nothing", "hl status")


LEAKS: dict[str, leaks.Leaky] = {
    **leaks.OF_SHEETS,
    "that a hidden value is so already": refused_where_nothing_changes,
    "how many secrets there are, in a place": places_that_count_secrets,
    "a card of the deck that is put away": cards_put_away_open,
    "what was typed of a change on a condition": conditions_forgotten,
    "what was typed of a hidden condition beside what all see": conditions_in_an_entry,
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


# ---- what is secret in a file ----------------------------------------------------------------------------------------

HIDDEN: dict[str, dict[str, Any]] = {
    "counters": {"trap": freeform.SECRET, "doom": {**freeform.SECRET, "of": "table"}},
    "items": {
        "idol": {"values": ["sun", "moon", "star", "rain"], "draw": "deal 1", "seen_by": "hosts", "secret": True},
        "omen": {"values": ["crow", "dove"], "draw": "one each", "seen_by": "hosts", "secret": True},
        "fate": {"values": ["one", "two", "three"], "draw": "order", "seen_by": "hosts", "secret": True},
    },
    "verbs": {"curse": {"fields": freeform.WHO, "does": ["trap who += 1", "doom += 1"], "secret": True}},
}
"""Things of a file that nobody but the hosts may know of."""
# One value: its draw has a seed of its own, and comes out by the number of its entry too, which counts hidden entries.
GEM = 'items.gem={ values = ["ruby"], draw = "order", seen_by = "everybody" }'
SAID = (
    "commit", "word ann hay", "word bob straw", "draw guild", "draw charm", "draw deed", "open", "do buy ann 2",
    "amend-setting 'counters.coins={ seen_by = \"everybody\" }'", "do lend bob cyd 3", "seal ann 3 yes -",
    "seal bob 2 no dan", "blank cyd", "blank dan", "resolve", f"amend-setting '{GEM}'", "draw gem", "do nothing ann",
    "set nothing ann 1", "draw nothing", "give nothing ann bob", "close match", "reopen", "close match",
)  # fmt: skip
UNSAID = (
    "draw idol", "draw omen", "undo", "draw omen", "lot ann bob", "undo", "lot bob ann", "draw fate", "do curse ann",
    "do curse bob", "undo",
    "set doom --value 5", "set trap cyd 2", "give idol ann bob", "add trap dan 1",
    "amend-setting 'counters.plot={ seen_by = \"hosts\", secret = true }'",
)  # fmt: skip
"""What hosts type in one of two matches, all of it accepted; `undo` takes back the line before it. So a secret draw,
and a lot that nothing asked for, are made again."""


def test_what_is_secret_in_a_file_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """One match has secret counters, cards and verbs, and hosts use them; the other has none. Every notice, refusal and
    draw is the same, and so is all that any verb tells anybody, half-way and at the end; in half of the matches all
    cards that are not secret are open at the end, and the seed with them."""
    now, compared = "", Counter[tuple[str, str, str]]()
    monkeypatch.setattr(OsLuck, "seed", lambda self: sha256(now.encode()).digest())
    for seed in range(many(2, 60)):
        chance = random.Random(f"secrets {seed}")
        final = {"final": "everybody"} if seed % 2 else {}
        items = {name: {**row, **final} for name, row in freeform.ITEMS.items()}
        setup = {**freeform.setup(chance), "counters": freeform.COUNTERS, "items": items}
        mixed = {table: mixture({**setup[table], **rows}, chance) for table, rows in HIDDEN.items()}
        with Clock(BEGAN) as clock:
            one, other = (
                Run(Memory(load("freeform"), freeform.knows), Script(rows, {}, (Look(BEGAN),)), PUBLIC, clock, [])
                for rows in (setup, {**setup, **mixed})
            )
            hidden, last, at = [*UNSAID], 0, BEGAN
            for turn, said in enumerate(SAID):
                at += 60_000
                now = said
                for run in (one, other):
                    run.do(Step(tuple(shlex.split(said)), at, seen=True))
                for now in hidden[: chance.randint(0, 3)]:
                    hidden.remove(now)
                    at += 10
                    other.do(Step((*shlex.split(now), *([f"{last}"] if now == "undo" else [])), at))
                    last = len(other.sheet.book.entries)
                heard = [[text for what, text in run.out if not what.startswith(KNOWN)] for run in (one, other)]
                assert heard[0] == heard[1], (said, heard[0][-2:], heard[1][-2:])
                if said in ("resolve", SAID[-1]) and turn > 9:
                    found = [*Twins(one, other, Counter()).apart(seed, False, compared)]
                    assert not found, found[0]
            assert len(hidden) < len(UNSAID) / 2, hidden
            seeds = {entry.seq for entry in one.sheet.book.entries if entry.body.do == "seed"}
            assert seeds and (seeds <= may_open(one.sheet, PUBLIC)) == bool(final), "does the seed open at the end?"
    assert compared, "nothing was read"


def mixture(rows: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """These rows, the hidden ones anywhere among the others."""
    own = [name for name in rows if not (isinstance(rows[name], dict) and rows[name].get("secret"))]
    for name in [name for name in rows if name not in own]:
        own.insert(chance.randint(0, len(own)), name)
    return {name: rows[name] for name in own}


# ---- who may open a verb ---------------------------------------------------------------------------------------------

READ = ("favour who", "oil other", "purse who", "purse other", "lanterns who", "stock", "wrath")
CHANGED = ("stock", "lanterns who", "purse who", "oil other", "wrath")


def test_nobody_opens_a_verb_that_hangs_on_what_they_do_not_see() -> None:
    """Of verbs that read this and that, in amounts, conditions and bounds: one counter is raised. Where the verb then
    does something else, or is allowed or refused, its entry is closed to who does not see that counter."""
    chance, met, opened, everybody = random.Random("a verb hangs on"), 0, 0, {*freeform.NAMES, PUBLIC_VIEWER}
    for _ in range(many(2, 200)):
        verbs = {f"do_{n}": a_verb(chance) for n in range(24)}
        setup = {**freeform.setup(chance), "verbs": verbs}
        match = Trial.from_entries(load("freeform"), setup_bodies(setup, source="match.toml", by=None, now=BEGAN)[1])
        held = {name: {who: chance.randint(0, 9) for who in row} for name, row in match.state.counters.items()}
        match.state = match.state._replace(counters=held)
        for verb, (line, row) in itertools.product(verbs, held.items()):
            level, action = match.state.rules.level(line).now, a.Do(verb, ("ann", "bob", "4"))
            readers = view.of_do(match.state, action)
            for whose in {*row} & {"ann", "bob", ""}:
                other = match.twin()
                other.state = match.state.with_counter(line, {whose: row[whose] + 5})
                if outcome(match.twin(), action) != outcome(other, action):
                    blind = everybody.difference({model.HOSTS: (), model.EVERYBODY: everybody}.get(level, (whose,)))
                    opens = [viewer for viewer in blind if readers.admits(viewer, ended=True)]
                    assert not opens, (opens, line, whose, verbs[verb])
                    met += 1
            opened += readers.admits("ann", ended=True)
    assert met and opened, "no verb hangs on anything, or all are closed"


def a_verb(chance: random.Random) -> dict[str, Any]:
    does = []
    for _ in range(chance.choice((1, 2))):
        when = f"if {chance.choice(READ)} {chance.choice('<>')} {chance.choice(('5', 'much'))}: "
        amount = chance.choice(("1", "much", "much", chance.choice(READ)))
        does.append(f"{chance.choice(('', when))}{chance.choice(CHANGED)} += {amount}")
    much = f"number {chance.choice(('0..9', '0..9', *freeform.BOUNDS))}"
    return {"fields": {**freeform.WHO, "other": "player", "much": much}, "does": does}


def outcome(match: Trial, action: a.Do) -> list[Any]:
    """What happens; nothing if it is refused."""
    try:
        return match.do(action)
    except LedgerError:
        return []
