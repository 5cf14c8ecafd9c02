"""Laws of folding, over random logs of every game: whatever stands in a log, and in whatever order, it folds.

A match is played by the moves of its game under random settings; entries of all verbs are strewn in between, with words
that stand in that log and with nonsense. Source: games/contract.py; docs/log-format.md.
"""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any, NamedTuple

import pytest

from events import Body, Entry
from events.errors import LedgerError, Refused
from games.contract import Game, Moment
from games.records import args_of, kebab, plain
from games.registry import load, names
from games.table import actions as shared
from games.table.endgame import settle
from games.table.settings import known
from games.table.view import frame
from ledger.author.simulation import BEGAN, Trial, play
from ledger.core.replay import Engine, Fold, fold
from ledger.exchange.matchfile import setup_bodies
from tests.support.randomly import SHORT, anything, choices
from tests.support.sizes import many

HOUR = 3_600_000
MATCHES = many(2, 40, 15)


def some_settings(game: Game, dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    return {
        key: dice.choice(choices(field.base))
        for key, field in known(game.settings, game.has).items()
        if choices(field.base) and not field.many and dice.random() < 0.5
    } | SHORT.get(game.name, {})


class Made(NamedTuple):
    """A random match: its game, the entries that make it, what was played then, and every state with its picture."""

    game: Game
    new: list[Body]
    said: list[Body]
    players: tuple[str, ...]
    states: list[tuple[Any, str]]


@cache
def a_match(name: str, seed: int) -> Made:
    dice, game = random.Random(f"{name} {seed}"), load(name)
    least, most = game.players
    players = [f"p{n}" for n in range(1, 9)][: dice.randint(max(least, 2), max(most, 2))]
    rows = {p: {"garnets": dice.randint(0, 3)} if "garnets" in game.fields else {} for p in players}
    settings = {**some_settings(game, dice), "allow_odd_roster": True}
    file = {"game": name, "hosts": ["mara"], "players": rows, "settings": settings}
    new = setup_bodies(file, source="test", by=None, now=BEGAN)[1]
    match, states, steps = Trial.from_entries(game, new), [], dice.randint(0, 30)
    states = [(match.state, repr(match.state))]
    for _ in play(match, players, dice, pace=0.02):
        states.append((match.state, repr(match.state)))
        match.now += dice.randint(1, 300) * 60_000
        if len(match.done) > steps:
            break
    return Made(game, new, match.bodies(), tuple(players), states)


def folded(game: Game, bodies: list[Body]) -> Fold:
    return fold(Engine(game), [Entry(n, f"{n:064x}", body) for n, body in enumerate(bodies, 1)])


def can_be_shown(game: Game, done: Fold) -> None:
    """Everything that a game makes of a state, for hosts, the public and a player."""
    state = done.state
    facts = [fact for outcome in done.outcomes for fact in outcome.facts]
    player = next(iter(state.table.seats))
    for viewer in ("host", "public", player):
        view, result = game.view(state, viewer), game.result(state, viewer)
        framed = frame(state.table, game.title, viewer)
        plain(view), plain(result)
        game.report(framed, view, result), game.scores(framed, view, result), game.board(framed, view, result)
        for name in dict.fromkeys((*state.table.resolved, "round_1")):
            game.round_report(framed, view, name)
        game.tell(state, facts, viewer)
        for lookup in game.lookups:
            if viewer != "host" and lookup.audience == "host":
                continue
            try:
                lookup.report(framed, lookup.view(state if lookup.audience == "host" else view, player))
            except Refused as refusal:
                assert refusal.what
    assert all(game.explain(state, fact).text for fact in facts)
    game.waiting(state), game.invariants(state), game.due(state)


@pytest.mark.parametrize("name", names())
def test_any_log_folds(name: str) -> None:
    """Evolve is total: any entries in any order fold to a state that can be shown; what makes no sense is contested.
    Purses balance, and once play is over the table says what the rules say."""
    for seed in range(MATCHES):
        game, new, played, players, _ = a_match(name, seed)
        for variant in range(12):
            dice, said = random.Random(f"{name} {seed} {variant}"), list(played)
            for _ in range(dice.randint(0, 40)):
                at = dice.randint(BEGAN, new[-1].at + 200 * HOUR)
                action = anything(game, dice, new + said, players)
                said.insert(dice.randint(0, len(said)), Body(kebab(type(action)), at, "mara", at, args_of(action)))
            done = folded(game, new + said)
            can_be_shown(game, done)
            assert sum(done.state.table.purses.values()) == 0
            assert all(isinstance(outcome.refusal, LedgerError) for outcome in done.contested)
            if game.verdict is not None and getattr(done.state, "over", False):
                assert settle(done.state.table, game.verdict(done.state), max(body.at for body in said)) == []


@pytest.mark.parametrize("name", names())
def test_the_order_of_recording_changes_nothing(name: str) -> None:
    """docs/log-format.md: entries count by their time; recorded in any order they fold to the same state."""
    for seed in range(MATCHES):
        game, new, played, _, _ = a_match(name, seed)
        said = [body._replace(at=body.at + n, batch=None) for n, body in enumerate(played)]
        whole = folded(game, new + said)
        assert not whole.contested
        mixed = folded(game, new + random.Random(seed).sample(said, len(said)))
        assert without_numbers(mixed.state) == without_numbers(whole.state)


def without_numbers(state: Any) -> Any:
    """The state as it is whatever numbers its entries have."""
    return re.sub(r"((?:seq|about)=|\): )\d+", r"\1", repr(state))


@pytest.mark.parametrize("name", names())
def test_a_state_is_never_changed(name: str) -> None:
    """Contract: neither `decide` nor `evolve` changes anything of a state that was."""
    for seed in range(MATCHES):
        assert all(repr(state) == picture for state, picture in a_match(name, seed).states)


SAMPLES = {"N": "7", "N (may be below zero)": "-7", "CELL": "A2"}


@pytest.mark.parametrize("name", names())
def test_an_override_sets_that_field_of_that_player_alone(name: str) -> None:
    """Host powers: whatever phase is on, nobody else's row is another one, and theirs shows what was set."""
    met = 0
    for seed in range(MATCHES):
        game, _, _, players, states = a_match(name, seed)
        dice = random.Random(f"override {name} {seed}")
        for state, _ in states:
            field, player = dice.choice([*game.fields]), dice.choice(players)
            word = dice.choice(game.fields[field].split(", or ")[0].split("|")).strip('"')
            word = SAMPLES.get(word, word)
            if state.table.status not in ("setup", "running"):
                continue  # what follows from it is the result
            before, after = plain(game.view(state, "host")), state
            for fact in game.decide(state, shared.Override(player, field, word), Moment(state.table.since, 99, "mara")):
                after = game.evolve(after, fact)
            rows, then = plain(game.view(after, "host"))["players"], before["players"]
            assert {p: rows[p] for p in rows if p != player} == {p: then[p] for p in then if p != player}
            shown = after.table.garnets(player) if field == "garnets" else rows[player].get(field)
            assert isinstance(shown, (list, dict)) or str(shown) in (word, word.title()), (field, word, shown)
            met += 1
    assert met
