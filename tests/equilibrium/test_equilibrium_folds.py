"""Laws of folding entries of Equilibrium: any log folds, in any order, whatever is struck or amended."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from events import Body, Entry, write_instant
from games.equilibrium import GAME, actions as a
from games.equilibrium.cards import DECK, sort
from games.equilibrium.facts import State
from games.records import args_of, kebab
from games.table import actions as shared
from ledger.core.replay import Engine, Fold, fold
from ledger.exchange.matchfile import setup_bodies
from ledger.record.plan import Options
from ledger.record.recorder import record_actions
from tests.support.legal import (
    HOUR,
    MINUTE,
    PLAYERS,
    SEEDS,
    check_result,
    finish,
    play_on,
    some_deal,
    some_match,
    some_settings,
)
from tests.support.sizes import law

BEGAN = 1_795_000_000_000


# ---- folding entries ------------------------------------------------------------------------------------------------


ENGINE = Engine(GAME)


def begin(chosen: Mapping[str, Any], garnets: Mapping[str, int]) -> list[Body]:
    """The entries of `new`."""
    data = {
        "game": "equilibrium",
        "hosts": ["mara", "theo"],
        "players": {p: {"garnets": garnets[p]} for p in PLAYERS},
        "settings": dict(chosen),
    }
    return setup_bodies(data, source="test", by=None, now=BEGAN)[1]


def body(action: Any, at: int, *, batch: int | None = None, force: bool = False) -> Body:
    return Body(kebab(type(action)), at, "mara", at, args_of(action), batch=batch, force=force)


def number(bodies: Sequence[Body]) -> list[Entry]:
    return [Entry(seq, "", one) for seq, one in enumerate(bodies, 1)]


def what_counts(done: Fold) -> Any:
    """The state and what is contested, without the numbers that entries happen to have."""
    state: State = done.state
    refused = sorted((o.entry.at, o.entry.do, o.refusal.code) for o in done.contested if o.refusal is not None)
    table = state.table._replace(game_id="")  # the hash of line 1: another log's is another
    return state._replace(table=table, traded=dict.fromkeys(sorted(state.traded), 0)), refused, done.last


def some_entries(match: Any, dice: random.Random, moves: int, illegal: int = 3) -> tuple[list[Body], list[Body]]:
    """A whole match as entries: those of `new`, and the others with distinct `at`; some of them the rules refuse."""
    chosen = some_settings(dice)
    garnets = {p: dice.randint(0, chosen["garnet_cap"]) for p in PLAYERS}
    hands = some_deal(dice)
    play = match(hands=hands, garnets=garnets, settings=chosen)
    start = play.opened - HOUR
    said = [body(shared.Hand(p, tuple(cards.split())), start + i) for i, (p, cards) in enumerate(hands.items())]
    said += [body(shared.Deal("typed"), start + 8), body(shared.Open(), play.opened)]
    done = play_on(play, dice, moves) + finish(play, dice)
    said += [body(action, at) for at, action in done]
    end = max(one.at for one in said)
    taken = {one.at for one in said}
    for _ in range(illegal):
        at = dice.randint(start, end)
        if at not in taken:
            taken.add(at)
            one, two = dice.sample(PLAYERS, 2)
            said.append(body(a.Trade(one, dice.choice(DECK), two, dice.choice(DECK)), at))
    return begin(chosen, garnets), sorted(said, key=lambda one: one.at)


@law(60)
@given(seed=SEEDS, moves=st.integers(0, 25))
def test_entries_in_any_order(match, seed, moves):
    """docs/log-format.md: entries with distinct `at` give the same state in whatever order they are recorded."""
    dice = random.Random(seed)
    new, said = some_entries(match, dice, moves)
    assert len({one.at for one in said}) == len(said)
    in_order = fold(ENGINE, number(new + said))
    mixed = list(said)
    dice.shuffle(mixed)
    log = list(new)
    for one in mixed:
        forced = fold(ENGINE, number([*log, one])).contested
        log.append(one._replace(force=any(o.entry.seq == len(log) + 1 for o in forced)))
    assert what_counts(fold(ENGINE, number(log))) == what_counts(in_order)
    if len(said) > 12:
        assert any(one.force for one in log)  # some did arrive before their cause


@law(80)
@given(seed=SEEDS, moves=st.integers(1, 25))
def test_undo_then_redo(match, seed, moves):
    """docs/log-format.md: undo is as if the entry had never been written; redo as if it had never been undone."""
    dice = random.Random(seed)
    new, said = some_entries(match, dice, moves)
    whole = fold(ENGINE, number(new + said))
    target = dice.randint(len(new) + 1, len(new) + len(said))
    late = max(one.at for one in said) + 1
    undo = body(shared.Undo(target), late)
    without = [one for seq, one in enumerate(new + said, 1) if seq != target]
    undone = fold(ENGINE, number([*new, *said, undo]))
    assert what_counts(undone)[:2] == what_counts(fold(ENGINE, number(without)))[:2]
    redo = body(shared.Redo(len(new) + len(said) + 1), late + 1)
    again = fold(ENGINE, number([*new, *said, undo, redo]))
    assert what_counts(again) == what_counts(whole) and again.state == whole.state


@law(80)
@given(seed=SEEDS, moves=st.integers(1, 25))
def test_amend_is_undo_and_the_right_entry(match, seed, moves):
    """docs/log-format.md: an amended entry counts as the right one at the same instant would without the wrong one."""
    dice = random.Random(seed)
    new, said = some_entries(match, dice, moves, illegal=0)
    trades = [i for i, one in enumerate(said) if one.do in ("trade", "recolour", "lock", "offer", "note")]
    if not trades:
        return
    index = dice.choice(trades)
    one, two = dice.sample(PLAYERS, 2)
    right = dice.choice([a.Trade(one, dice.choice(DECK), two, dice.choice(DECK)), None])
    wrong = said[index]
    args = args_of(right) if right is not None and wrong.do == "trade" else dict(wrong.args)
    taken = {entry.at for entry in said}
    moved = wrong.at + dice.randint(-600, 600) * MINUTE // 7
    at = moved if moved not in taken and dice.random() < 0.5 else wrong.at
    target, late = len(new) + index + 1, max(taken) + HOUR
    amend = body(shared.Amend(target, args, write_instant(at) if at != wrong.at else None), late)
    amended = fold(ENGINE, number([*new, *said, amend]))
    replaced = [*new, *said[:index], *said[index + 1 :], wrong._replace(at=at, args=args)]
    assert what_counts(amended) == what_counts(fold(ENGINE, number(replaced)))
    undone = [*new, *said, body(shared.Undo(target), late), wrong._replace(at=at, args=args)]
    assert what_counts(amended) == what_counts(fold(ENGINE, number(undone)))
    back = fold(ENGINE, number([*new, *said, amend, body(shared.Undo(target + len(said) - index), late + 1)]))
    assert back.state == fold(ENGINE, number(new + said)).state


HANDS = {
    "p1": "R4 B4 R9 B9 R2", "p2": "R6 R7 R8 R10 B4", "p3": "B5 B6 B7 B8 R9", "p4": "R3 B3 R10 B10 R5",
    "p5": "R3 B2 B6 B10 R8", "p6": "B1 B3 B5 B7 B9", "p7": "R1 R2 R4 R6 B8", "p8": "R1 R5 R7 B1 B2",
}  # fmt: skip


def opened() -> list[Body]:
    """The entries of a match up to its opening, at BEGAN + 10: `HANDS`, no garnets, every setting at its default."""
    said = [body(shared.Hand(p, tuple(cards.split())), BEGAN + i) for i, (p, cards) in enumerate(HANDS.items(), 1)]
    whole = [*said, body(shared.Deal("typed"), BEGAN + 9), body(shared.Open(), BEGAN + 10)]
    return begin({}, dict.fromkeys(PLAYERS, 0)) + whole


def test_the_earlier_confirmation_stands_whoever_is_recorded_first():
    """EQ-15: two trades give away one card: the earlier stands, though recorded last; the later is undone with all it
    brought."""
    before = opened()
    later = body(a.Trade("p1", "R2", "p2", "B4"), BEGAN + 2 * HOUR)
    third = body(a.Trade("p2", "R2", "p8", "R5"), BEGAN + 3 * HOUR)
    earlier = body(a.Trade("p1", "R2", "p3", "B5"), BEGAN + HOUR)
    provisional = fold(ENGINE, number([*before, later, third]))
    assert provisional.state.table.garnets("p1") == 1 and not provisional.contested
    done = fold(ENGINE, number([*before, later, third, earlier]))
    assert set(done.state.traded) == {("p1", "p3")} and done.state.table.garnets("p1") == 0
    assert done.state.hands["p2"] == sort(HANDS["p2"].split()) and done.state.ticked.keys() == {"p6"}
    # a third party's trade stood on the void one: both wait for a ruling
    void, orphan = len(before) + 1, len(before) + 2
    assert [o.entry.seq for o in done.contested] == [void, orphan]
    ruling = body(shared.Ruling("void", void), BEGAN + 4 * HOUR)
    ruled = fold(ENGINE, number([*before, later, third, earlier, ruling]))
    assert [o.entry.seq for o in ruled.contested] == [orphan]


def test_ties_in_time_go_by_number():
    """4: events are ordered by effective time, ties by `seq`."""
    before = opened()
    first = body(a.Trade("p1", "R2", "p2", "B4"), BEGAN + HOUR)
    second = body(a.Trade("p1", "R2", "p3", "B5"), BEGAN + HOUR)
    for said, stands in (((first, second), ("p1", "p2")), ((second, first), ("p1", "p3"))):
        done = fold(ENGINE, number([*before, *said]))
        assert list(done.state.traded) == [stands] and len(done.contested) == 1


def test_the_end_comes_before_an_entry_of_its_instant():
    """2, EQ-22: in time means before the end: an entry of that very millisecond is too late, whenever recorded."""
    before = opened()
    end = BEGAN + 10 + 72 * HOUR
    for at, stands in ((end - 1, True), (end, False), (end + 1, False)):
        for said in ([], [body(shared.Note("later"), end + HOUR)]):
            done = fold(ENGINE, number([*before, *said, body(a.Trade("p1", "R2", "p2", "B4"), at)]))
            assert bool(done.state.traded) == stands and bool(done.contested) != stands


def test_a_forced_entry_counts_once_its_cause_is_recorded():
    """docs/log-format.md: contested while the rules refuse it, in effect once another entry makes it legal."""
    before = opened()
    effect = body(a.Trade("p2", "R2", "p8", "R5"), BEGAN + 2 * HOUR, force=True)
    cause = body(a.Trade("p1", "R2", "p2", "B4"), BEGAN + HOUR)
    alone = fold(ENGINE, number([*before, effect]))
    assert [o.refusal.code for o in alone.contested if o.refusal] == ["equilibrium.card_not_held"]
    assert alone.state == fold(ENGINE, number(before)).state
    both = fold(ENGINE, number([*before, effect, cause]))
    assert not both.contested and set(both.state.traded) == {("p1", "p2"), ("p2", "p8")}


def test_reopened_and_closed_again(match):
    """Season, host powers: reopening takes the result back, with the votes for it; closing again gives it anew."""
    dice = random.Random(5)
    for _ in range(30):
        play = some_match(match, dice)
        play_on(play, dice, 8)
        finish(play, dice)
        first = play.result()
        play.do(shared.Reopen("trading"))
        between = play.result()
        assert between.status == "running" and not between.decisions and between.elimination == ()
        assert not any(between.tokens.values()) and play.state.table.votes == {} and not play.state.locked
        play.do(shared.Close())
        check_result(play)
        finish(play, dice)
        assert play.result().ranking == first.ranking and play.result().garnets == first.garnets


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_through_the_recorder(match, tmp_path, seed):
    """The same law through the recorder and a real log: what it keeps between entries is what a fresh fold gives."""
    from events import create
    from ledger.core.match import Match

    dice = random.Random(seed)
    new, said = some_entries(match, dice, 10)
    (tmp_path / "m").mkdir()
    path = str(tmp_path / "m" / "log.jsonl")
    create(path, new)
    open_match = Match(path)
    mixed = list(said)
    dice.shuffle(mixed)
    for one in mixed:
        action = ENGINE.read(one.do, one.args, open_match.table)
        record_actions(
            open_match, [action], Options(by="mara", at=one.at, force=True, yes=True), ask=lambda question: True
        )
        assert what_counts(open_match.fold) == what_counts(fold(ENGINE, open_match.book.entries))
    assert what_counts(open_match.fold) == what_counts(fold(ENGINE, number(new + said)))
