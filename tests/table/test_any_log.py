"""Laws of folding, over random logs of every game: whatever stands in a log, and in whatever order, it folds.

A match is played by the moves of its game under random settings; entries of all verbs are strewn in between, with words
that stand in that log and with nonsense. Source: games/contract.py; docs/log-format.md.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from events import Body, Entry, write_instant
from events.errors import LedgerError, Refused
from games.contract import Game, Moment
from games.records import args_of, kebab, plain
from games.registry import load, names
from games.table import actions as shared
from games.table.endgame import settle
from games.table.view import frame
from ledger.author.simulation import BEGAN, Trial, play
from ledger.core.replay import Engine, Fold, fold
from ledger.record.plan import Options
from ledger.record.recorder import record_actions
from tests.secrecy.on_paper import Clock, Sheet
from tests.support.play import finish
from tests.support.randomly import Made, a_match, anything
from tests.support.sizes import many

HOUR = 3_600_000
MATCHES = many(2, 40, 15)


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


def test_any_log_folds(any_game: str) -> None:
    """Evolve is total: any entries in any order fold to a state that can be shown; what makes no sense is contested.
    Purses balance, and once play is over the table says what the rules say."""
    for seed in range(MATCHES):
        game, new, played, players, _ = a_match(any_game, seed)
        for variant in range(12):
            dice, said = random.Random(f"{any_game} {seed} {variant}"), list(played)
            for _ in range(dice.randint(0, 40)):
                at = dice.randint(BEGAN, new[-1].at + 200 * HOUR)
                action = anything(game, dice, new + said, players)
                said.insert(dice.randint(0, len(said)), recorded(action, at))
            done = folded(game, new + said)
            can_be_shown(game, done)
            assert sum(done.state.table.purses.values()) == 0
            assert all(isinstance(outcome.refusal, LedgerError) for outcome in done.contested)
            if game.verdict is not None and getattr(done.state, "over", False):
                assert settle(done.state.table, game.verdict(done.state), max(body.at for body in said)) == []


def apart(made: Made, dice: random.Random) -> list[Body]:
    """What was played, an instant apart and none in a batch; and in between a few moves that make no sense."""
    said = [body._replace(at=body.at + n, batch=None) for n, body in enumerate(made.said)]
    moves = [anything(made.game, dice, made.new + said, made.players) for _ in range(30)]
    taken = {body.at for body in said}
    for action in [move for move in moves if type(move) in made.game.actions][:4]:
        at = dice.choice(said or made.new).at - dice.randint(1, 999)
        if at not in taken and at > made.new[-1].at:
            taken.add(at)
            said.append(recorded(action, at))
    return sorted(said, key=lambda body: body.at)


def recorded(action: Any, at: int) -> Body:
    return Body(kebab(type(action)), at, "mara", at, args_of(action))


def counts(done: Fold) -> Any:
    """The state, what has no effect and why, and when the last entry was, without the numbers that entries have."""
    refused = sorted((o.entry.at, o.entry.do, o.refusal.code) for o in done.contested if o.refusal is not None)
    unnumbered = re.sub(r"((?:seq|about)=|\): )\d+", r"\1", repr(done.state))  # whatever numbers its entries have
    return unnumbered, refused, done.last


def test_the_order_of_recording_changes_nothing(any_game: str) -> None:
    """docs/log-format.md: entries count by their time; recorded in any order they fold to the same state."""
    for seed in range(MATCHES):
        made, dice = a_match(any_game, seed), random.Random(f"order {any_game} {seed}")
        said = apart(made, dice)
        whole = folded(made.game, made.new + said)
        assert counts(folded(made.game, made.new + dice.sample(said, len(said)))) == counts(whole)


def test_undo_redo_and_amend(any_game: str) -> None:
    """docs/log-format.md: undo is as if the entry had never been written, redo as if it had never been undone; amended
    it counts as the right one at that instant would without the wrong one."""
    for seed in range(MATCHES):
        made, dice = a_match(any_game, seed), random.Random(f"undo {any_game} {seed}")
        game, new, said = made.game, made.new, apart(made, dice)
        whole, late = folded(game, new + said), max(body.at for body in new + said) + HOUR
        for index in dice.sample(range(len(said)), min(5, len(said))):
            wrong, target, last = said[index], len(new) + index + 1, len(new) + len(said)
            undo, redo = recorded(shared.Undo(target), late), recorded(shared.Redo(last + 1), late + 1)
            rest = [*said[:index], *said[index + 1 :]]
            assert counts(folded(game, [*new, *said, undo]))[:2] == counts(folded(game, [*new, *rest]))[:2]
            assert folded(game, [*new, *said, undo, redo]).state == whole.state
            if wrong.do not in map(kebab, game.actions) or "seed" in wrong.args:
                continue
            args = dict(dice.choice([body for body in said if body.do == wrong.do]).args)
            at = wrong.at + dice.choice([0, dice.randint(-600, 600) * 60_001])
            amend = recorded(shared.Amend(target, args, write_instant(at) if at != wrong.at else None), late)
            right = [*said[:index], wrong._replace(at=at, args=args), *said[index + 1 :]]
            assert counts(folded(game, [*new, *said, amend])) == counts(folded(game, [*new, *right]))
            back = recorded(shared.Undo(last + 1), late + 1)
            assert folded(game, [*new, *said, amend, back]).state == whole.state


def test_what_is_kept_between_entries_is_what_a_fresh_fold_gives(any_game: str) -> None:
    """Through the recorder, in an order that makes many of them wait for their cause."""
    made, dice = a_match(any_game, 0), random.Random(f"recorder {any_game}")
    said = apart(made, dice)
    with Clock(max(body.at for body in made.new + said) + HOUR):
        sheet, kept = Sheet(made.game, made.new), 0
        for body in dice.sample(said, len(said)):
            options = Options("mara", at=body.at, force=True, yes=True)
            try:
                record_actions(sheet, [sheet.engine.read(body.do, body.args, sheet.table)], options, lambda _: True)
            except LedgerError:  # what may not be recorded late
                continue
            kept += 1
            assert counts(sheet.fold) == counts(fold(Engine(made.game), sheet.book.entries))
    assert kept * 2 > len(said)


def test_a_state_is_never_changed_and_keeps_the_laws(any_game: str) -> None:
    """Contract: neither `decide` nor `evolve` changes anything of a state that was; no legal match breaks a law."""
    for seed in range(3 * MATCHES):
        made = a_match(any_game, seed)
        for state, picture in made.states:
            assert repr(state) == picture and made.game.invariants(state) == ()


SAMPLES = {"N": "7", "N (may be below zero)": "-7", "CELL": "A2"}


def test_an_override_sets_that_field_of_that_player_alone(any_game: str) -> None:
    """Host powers: whatever phase is on, nobody else's row is another one, and theirs shows what was set."""
    met = 0
    for seed in range(MATCHES):
        game, _, _, players, states = a_match(any_game, seed)
        dice = random.Random(f"override {any_game} {seed}")
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


def typed(value: Any) -> str:
    """What a view shows of a field, as a host types it; nothing where it is no word or number."""
    words = value if isinstance(value, list) else [] if value is None or isinstance(value, (dict, bool)) else [value]
    return " ".join(map(str, words))


@pytest.mark.parametrize("name", [name for name in names() if load(name).verdict is not None])
def test_the_result_follows_what_hosts_set_after_the_end(name: str) -> None:
    """Host powers: what everybody has is exchanged, at once or by way of something else, before or after the votes: the
    result is that of a match that ended so."""
    for seed in range(MATCHES):
        made, dice = a_match(name, seed), random.Random(f"after {name} {seed}")
        match = Trial.from_entries(made.game, made.new)
        for steps, _ in enumerate(play(match, made.players, dice)):
            if match.state.table.status == "deciding" or (steps > 20 and match.state.table.round is None):
                break
        match.refusal(shared.Close())
        if match.state.table.status not in ("deciding", "finished"):
            continue  # it waits for hosts
        rows = match.view()["players"]
        other = dict(zip(rows, dice.sample([*rows], len(rows)), strict=True))
        new = {(p, field): typed(rows[other[p]].get(field)) for p in rows for field in made.game.fields}
        changes = [shared.Override(*key, word) for key, word in new.items() if word]
        plain_, winding = match.twin(), match.twin()
        finish(winding, dice)
        for change in dice.sample(changes, len(changes)):
            winding.do(change._replace(value=typed(rows[change.player].get(change.field)) or change.value))
        for one in (plain_, winding):
            for change in dice.sample(changes, len(changes)):
                one.do(change)
            table, verdict = one.state.table, made.game.verdict(one.state)
            assert settle(table, verdict, one.now) == []
            assert (Counter(table.rewards), Counter(table.awards)) == (
                Counter(verdict.rewards),
                Counter(verdict.awards),
            )
            assert sum(table.purses.values()) == 0
        first, second = plain_.result(), winding.result()
        assert (first.ranking, first.scores) == (second.ranking, second.scores)
        won = [{(award.player, award.condition) for award in one.state.table.awards} for one in (plain_, winding)]
        assert won[0] <= won[1], "what was chosen since is won besides"
