"""Laws of Equilibrium that hold in every legal match, checked over random ones.

The first half plays on the pure functions of the game, the second half folds entries with `ledger.core.replay`. Matches
are made from a seed, which a failure shows together with the number of moves.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import Body, Entry, write_instant
from events.errors import LedgerError, Refused
from games.contract import Moment
from games.equilibrium import GAME
from games.equilibrium import actions as a
from games.equilibrium import facts as f
from games.equilibrium.cards import DECK, face, flip, sort
from games.equilibrium.end import verdict
from games.equilibrium.hands import classify
from games.equilibrium.state import State, pair
from games.records import args_of, kebab, plain
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.endgame import settle
from games.table.view import frame
from ledger.core.replay import Engine, Fold, fold
from ledger.exchange.matchfile import setup_bodies
from ledger.record.plan import Options
from ledger.record.recorder import record_actions
from tests.support.sizes import law

MINUTE, HOUR = 60_000, 3_600_000
PLAYERS = tuple(f"p{n}" for n in range(1, 9))
PAIRS = tuple(combinations(PLAYERS, 2))
BEGAN = 1_795_000_000_000

SEEDS = st.integers(0, 10**9)


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    classes = ["four", "full", "flush", "straight", "trips", "two_pair", "pair", "high"]
    return {
        "er_metric": dice.choice(["count", "value"]),
        "garnet_hands": dice.sample(classes, dice.randint(0, 8)) if dice.random() < 0.5 else ["four", "full", "flush"],
        "garnet_cap": dice.choice([0, 1, 3, 3, 9]),
        "max_garnets_from_match": dice.choice([0, 1, 3, 3]),
        "dealt_hands_count": dice.random() < 0.7,
        "recolour_counts": dice.random() < 0.7,
        "garnet_class_mode": dice.choice(["class", "class", "contains"]),
        "multi_tol": dice.choice(["give_away", "give_away", "next_best", "lapse"]),
        "allow_identical_trade": dice.random() < 0.7,
        "lock_grace_minutes": dice.choice([0, 0, 30]),
        "auto_end_after_last_trade": dice.random() < 0.7,
    }


def some_deal(dice: random.Random) -> dict[str, str]:
    """Shuffled; or in mirrored pairs of hands, equal in everything but colour, so that ties are common."""
    if dice.random() < 0.6:
        cards = list(DECK)
        dice.shuffle(cards)
        return {p: " ".join(cards[i * 5 : i * 5 + 5]) for i, p in enumerate(PLAYERS)}
    half = [dice.choice("RB") + str(value) for value in range(1, 11) for _ in range(2)]
    dice.shuffle(half)
    seats = dice.sample(PLAYERS, 8)
    dealt = {}
    for i in range(4):
        hand = half[i * 5 : i * 5 + 5]
        dealt[seats[i]], dealt[seats[i + 4]] = " ".join(hand), " ".join(flip(card) for card in hand)
    return dealt


def some_match(match: Any, dice: random.Random, given: Mapping[str, Any] | None = None) -> Any:
    chosen = some_settings(dice) if given is None else dict(given)
    garnets = {p: dice.randint(0, chosen.get("garnet_cap", 3)) for p in PLAYERS}
    return match(hands=some_deal(dice), garnets=garnets, settings=chosen)


MOVES = (a.Trade, a.Offer, a.Accept, a.Withdraw, a.Decline, a.Recolour, a.Lock, a.Unlock)
STYLES = ((8, 4, 4, 1, 1, 4, 3, 1), (30, 1, 1, 0, 0, 1, 0, 0), (1, 1, 1, 0, 0, 1, 30, 1), (2, 6, 3, 3, 3, 3, 1, 1))
"""How often each of `MOVES` is tried: a bit of everything, traders, early lockers, talkers."""


def a_legal_move(state: State, dice: random.Random, style: Sequence[int] = STYLES[0]) -> Any:
    """A move that the rules allow now, found by asking them; a note when chance finds none."""
    unused = [two for two in PAIRS if two not in state.traded]
    for _ in range(20):
        one, two = dice.sample(dice.choice(unused), 2) if unused else dice.sample(PLAYERS, 2)
        mine, his = (dice.choice(state.hands[p]) for p in (one, two))
        kind = dice.choices(MOVES, style)[0]
        if kind in (a.Accept, a.Withdraw, a.Decline) and state.offers:
            proposer, partner = dice.choice(sorted(state.offers))
            action = kind(proposer, partner) if kind is a.Withdraw else kind(partner, proposer)
        elif kind is a.Trade:
            action = a.Trade(one, mine, two, his)
        elif kind is a.Offer and state.offers and dice.random() < 0.3:
            proposer, partner = dice.choice(sorted(state.offers))  # the same cards, named by the partner too
            pledge = state.offers[proposer, partner]
            action = a.Offer(partner, pledge.take, proposer, pledge.give)
        elif kind is a.Offer:
            action = a.Offer(one, mine, two, dice.choice([his, dice.choice(DECK)]))
        elif kind is a.Recolour:
            action = a.Recolour(one, mine)
        elif kind in (a.Lock, a.Unlock):
            action = kind(one if one not in state.locked else two)
        else:
            continue
        try:
            GAME.decide(state, action, Moment(0, 1))
        except Refused:
            continue
        return action
    return shared.Note("nothing to do")


def a_decision(play: Any, dice: random.Random) -> Any:
    """Something that settles, or helps to settle, what is open after the end."""
    decision = dice.choice(play.state.table.decisions)
    if decision.kind == "vote":
        return shared.Vote(dice.choice(decision.who), dice.choice(decision.among))
    if decision.kind == "gift":
        return shared.Gift(decision.who[0], dice.choice(decision.among))
    return shared.Lot(decision.among)


def play_on(play: Any, dice: random.Random, moves: int) -> list[tuple[int, Any]]:
    """Up to `moves` legal moves at growing times; what was done, with its moment."""
    done: list[tuple[int, Any]] = []
    style, step = dice.choice(STYLES), dice.choice([20, 90, 90, 400])
    for _ in range(moves):
        play.wait(play.now + dice.randint(1, step) * MINUTE)
        if not play.state.playing:
            break
        action = a_legal_move(play.state, dice, style)
        play.do(action)
        done.append((play.now, action))
    return done


def finish(play: Any, dice: random.Random) -> list[tuple[int, Any]]:
    """End trading, and decide all that the end leaves open."""
    done: list[tuple[int, Any]] = []
    if play.state.playing:
        play.now += MINUTE
        play.do(shared.Close("trading"))
        done.append((play.now, shared.Close("trading")))
    for _ in range(80):
        if not play.state.table.decisions:
            break
        play.wait(play.now + dice.choice([1, 1, 1, 600]) * MINUTE)
        if not play.state.table.decisions:
            break
        (action,) = play.game.prepare(play.state, a_decision(play, dice), FixedLuck(play.seq + 1))
        play.do(action)
        done.append((play.now, action))
    return done


class FixedLuck:
    published = None

    def __init__(self, seq: int) -> None:
        self.seq = seq

    def seed(self) -> bytes:
        return self.seq.to_bytes(32, "big")


# ---- what always holds --------------------------------------------------------------------------------------------


def check_laws(play: Any, most: Mapping[str, int]) -> None:
    """What is true after every step of a match without a host's override."""
    state: State = play.state
    assert GAME.invariants(state) == ()
    held = [card for hand in state.hands.values() for card in hand]
    assert {len(hand) for hand in state.hands.values()} == {5} and all(sort(h) == h for h in state.hands.values())
    assert Counter(face(card)[0] for card in held) == Counter(face(card)[0] for card in DECK)
    flips = sum(state.recolours.values())
    moved = Counter(DECK) - Counter(held)
    assert sum(moved.values()) <= flips and (sum(moved.values()) - flips) % 2 == 0
    table = state.table
    assert sum(table.purses.values()) == 0
    assert all(0 <= table.garnets(p) <= state.settings.garnet_cap for p in PLAYERS)
    for p in PLAYERS:
        ticked = state.ticked.get(p, {})
        assert set(ticked) <= set(state.settings.garnet_hands)
        assert state.received(p) <= state.settings.max_garnets_from_match
        assert table.garnets(p) == most[p] + state.received(p) - state.recolours.get(p, 0)
    assert set(state.traded) <= set(PAIRS) and not {pair(*key) for key in state.offers} & set(state.traded)
    assert state.trades_left() == 28 - len(state.traded)


@law(250)
@given(seed=SEEDS, moves=st.integers(0, 90))
def test_every_legal_match(match, seed, moves):
    """Laws: cards conserved, purses balanced, hands of five, limits kept, after every fact-making step to the end."""
    dice = random.Random(seed)
    play = some_match(match, dice)
    brought = {fact.player: fact.garnets for fact in play.told if isinstance(fact, table_facts.SeatTaken)}
    check_laws(play, brought)
    for _ in range(moves // 3):
        if not play_on(play, dice, 3):
            break
        check_laws(play, brought)
    finish(play, dice)
    check_laws(play, brought)
    result, table = play.result(), play.state.table
    assert result.status == "finished" and not result.decisions and play.state.over
    assert sorted(p for place in result.ranking for p in place) == sorted(PLAYERS)
    assert all(n >= 0 for n in result.tokens.values()) and sum(result.tokens.values()) <= 3
    assert sum(result.tokens.values()) == len(table.awards) - sum(table.lapsed.values())
    assert max(result.tokens.values()) <= 1
    assert len(result.elimination) == 1 and result.tokens[result.elimination[0]] == 0
    check_result(play)


@law(60)
@given(seed=SEEDS, moves=st.integers(1, 50))
def test_evolve_leaves_the_old_state_alone(match, seed, moves):
    """Contract: a state is never changed; `decide` changes nothing either, and tells the same twice."""
    dice = random.Random(seed)
    play = some_match(match, dice)
    for _ in range(moves):
        play.wait(play.now + 30 * MINUTE)
        if not play.state.playing:
            break
        old, picture = play.state, repr(play.state)
        action = a_legal_move(old, dice)
        twice = [GAME.decide(old, action, Moment(play.now, 1)) for _ in range(2)]
        assert twice[0] == twice[1] and repr(old) == picture
        play.do(action)
        assert repr(old) == picture
    old, picture = play.state, repr(play.state)
    finish(play, dice)
    assert repr(old) == picture


@law(60)
@given(seed=SEEDS, moves=st.integers(0, 90))
def test_the_same_match_twice(match, seed, moves):
    """Promise 4: the same actions at the same moments give the same facts and the same state."""
    plays = []
    for _ in range(2):
        dice = random.Random(seed)
        play = some_match(match, dice)
        play_on(play, dice, moves)
        finish(play, dice)
        plays.append(play)
    assert plays[0].told == plays[1].told and plays[0].state == plays[1].state
    for viewer in ("host", "public", "p1"):
        assert plays[0].view(viewer) == plays[1].view(viewer)


@law(100)
@given(seed=SEEDS)
def test_a_refusal_changes_nothing(match, seed):
    """Promise 6: whatever is refused leaves the state as it was; and nothing but a refusal can come of any action."""
    dice = random.Random(seed)
    play = some_match(match, dice)
    play_on(play, dice, dice.randint(0, 30))
    if dice.random() < 0.3:
        finish(play, dice)
    for _ in range(15):
        picture = repr(play.state)
        one, two = dice.choice(PLAYERS), dice.choice(PLAYERS)
        action = dice.choice(
            [
                a.Trade(one, dice.choice(DECK), two, dice.choice(DECK)), a.Offer(one, dice.choice(DECK), two, "R1"),
                a.Accept(one, two), a.Withdraw(one, two), a.Decline(one, two), a.Recolour(one, dice.choice(DECK)),
                a.Lock(one), a.Unlock(one), shared.Vote(one, two), shared.Gift(one, two), shared.Lot((), one),
                shared.Award(one, "garnets", -9), shared.Penalty(one, 9), shared.Open(), shared.Deal("typed"),
                shared.Hand(one, play.state.hands[one]), shared.Close("vote"), shared.Reopen("gift"),
            ]
        )  # fmt: skip
        try:
            GAME.decide(play.state, action, Moment(play.now, 1))
        except LedgerError as refusal:
            assert refusal.code and refusal.what
        assert repr(play.state) == picture


# ---- the result, worked out a second time ---------------------------------------------------------------------------


def the_end(state: State) -> tuple[dict[str, str], tuple[str, ...], list[list[str]]]:
    """Tokens by condition, the candidates for EC, and the ranking, straight from the words of sections 6 and 7."""

    def er(p: str) -> tuple[int, int]:
        weigh = {"count": lambda v: 1, "value": lambda v: v}[state.settings.er_metric]
        cards = [face(card) for card in state.hands[p]]
        black, red = (sum(weigh(v) for v, c in cards if c == colour) for colour in "BR")
        return abs(black - red), -sum(v for v, _ in cards)

    def poker(p: str) -> tuple[int, ...]:
        return tuple(-n for n in classify(state.hands[p]).strength)

    def place(p: str, key: Any) -> int:
        return 1 + sum(key(other) < key(p) for other in PLAYERS)

    conditions = {
        "best_er": er,
        "best_poker": poker,
        "lowest_placing_sum": lambda p: place(p, er) + place(p, poker),
    }
    won: dict[str, str] = {}
    for name, key in conditions.items():
        able = [p for p in PLAYERS if state.settings.multi_tol != "next_best" or p not in won.values()]
        best = [p for p in able if key(p) == min(key(q) for q in able)]
        best = [p for p in best if er(p) == min(er(q) for q in best)]
        best = [p for p in best if poker(p) == min(poker(q) for q in best)]
        if len(best) == 1:
            won[name] = best[0]
    rest = [p for p in PLAYERS if p not in won.values()]
    worst = [p for p in rest if er(p) == max(er(q) for q in rest)]
    worst = [p for p in worst if poker(p) == max(poker(q) for q in worst)]
    keys = sorted({(er(p), poker(p)) for p in PLAYERS})
    return won, tuple(worst), [[p for p in PLAYERS if (er(p), poker(p)) == key] for key in keys]


def check_result(play: Any) -> None:
    """Ranking, tokens and EC are those that the hands of this moment call for."""
    won, candidates, places = the_end(play.state)
    table, result = play.state.table, play.result()
    assert [list(place) for place in result.ranking] == places
    assert {award.condition: award.player for award in table.awards} == won
    if len(candidates) == 1:
        assert result.elimination == candidates
    elif result.elimination:
        assert result.elimination[0] in candidates
    else:
        (decision,) = table.decisions
        assert decision.kind in ("vote", "lot") and set(decision.among) <= set(candidates)
        if decision.kind == "vote":
            assert decision.among == candidates and set(decision.who) == set(won.values())
    assert not {receiver for _, receiver in table.given} & {*won.values(), *result.elimination}


RESULT = ("awards", "tokens", "given", "lapsed", "elimination", "decisions", "past", "phase", "status", "ends", "since")
"""The fields of a table that follow from the hands once play is over."""


@law(150)
@given(seed=SEEDS, moves=st.integers(0, 30), when=st.sampled_from(["pregame", "trading", "deciding", "finished"]))
def test_override_of_a_hand(match, seed, moves, when):
    """Contract, override: sets the hand of that player and nothing else, in any phase; the result follows."""
    dice = random.Random(seed)
    play = at_phase(match, dice, moves, when)
    for _ in range(3):
        before: State = play.state
        picture = repr(before)
        player, cards = dice.choice(PLAYERS), sort(dice.choices(DECK, k=dice.choice([5, 5, 5, 1, 4, 7])))
        facts = play.do(shared.Override("hand", player, " ".join(cards)))
        after: State = play.state
        assert repr(before) == picture
        assert after.hands == {**before.hands, player: cards}
        assert not [fact for fact in facts if isinstance(fact, (f.ClassTicked, table_facts.Moved))]
        same = {name: getattr(before.table, name) for name in RESULT} if before.over else {}
        assert after._replace(hands=before.hands, table=after.table._replace(**same)) == before
        if before.over:
            check_result(play)
        play.now += MINUTE
    finish(play, dice)
    if play.state.over:
        check_result(play)


@law(150)
@given(seed=SEEDS, moves=st.integers(0, 30), when=st.sampled_from(["pregame", "trading", "deciding", "finished"]))
def test_override_of_garnets(match, seed, moves, when):
    """Contract, override: sets the garnets of that player and nothing else; above the cap it is a broken law."""
    dice = random.Random(seed)
    play = at_phase(match, dice, moves, when)
    before: State = play.state
    picture = repr(before)
    player, number = dice.choice(PLAYERS), dice.choice([0, 1, 2, 3, 50])
    play.do(shared.Override("garnets", player, str(number)))
    after: State = play.state
    assert repr(before) == picture
    assert play.garnets() == {**{p: before.table.garnets(p) for p in PLAYERS}, player: number}
    assert sum(after.table.purses.values()) == 0
    same = {name: getattr(before.table, name) for name in (*RESULT, "purses")}
    assert after._replace(table=after.table._replace(**same)) == before
    assert bool(GAME.invariants(after)) == any(n > after.settings.garnet_cap for n in play.garnets().values())
    if before.over:
        check_result(play)


def at_phase(match: Any, dice: random.Random, moves: int, when: str) -> Any:
    """A match that has come to that phase (or beyond, when nothing is to be decided)."""
    play = some_match(match, dice, {"er_metric": dice.choice(["count", "value"])})
    if when == "pregame":
        return match(hands=some_deal(dice), opened=False)
    play_on(play, dice, moves)
    if when == "finished":
        finish(play, dice)
    elif when == "deciding" and play.state.playing:
        play.do(shared.Close("trading"))
    return play


def test_the_result_follows_to_and_fro(match):
    """Contract, override: after the end tokens, gifts and EC come back when the hand is set back."""
    hands = dict(
        zip(PLAYERS, ["R9 R9 B9 B9 R10", "R7 B7 B7 R8 B8", "R6 R5 R4 R3 B10", "B6 B5 B4 B3 R10"], strict=False)
    )
    given_ = {"tol_conditions": ["best_er", "best_poker"], "garnet_hands": []}
    play = match(hands=hands, settings=given_)
    play.do(shared.Close())
    for _ in range(20):
        if not play.state.table.decisions:
            break
        (action,) = play.game.prepare(play.state, a_decision(play, random.Random(1)), FixedLuck(9))
        play.do(action)
    first = play.result()
    assert first.tokens["p1"] == 1 and len(play.state.table.given) == 1 and first.status == "finished"
    kept = play.state.hands["p1"]
    play.do(shared.Override("hand", "p1", "R1 R2 R3 R4 R6"))
    assert play.result().tokens["p1"] == 0 and play.result().ranking != first.ranking
    play.do(shared.Override("hand", "p1", " ".join(kept)))
    assert play.result() == first


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
    refused = sorted((o.live.at, o.live.do, o.refusal.code) for o in done.contested if o.refusal is not None)
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
    """Design section 4: entries with distinct `at` give the same state in whatever order they are recorded."""
    dice = random.Random(seed)
    new, said = some_entries(match, dice, moves)
    assert len({one.at for one in said}) == len(said)
    in_order = fold(ENGINE, number(new + said))
    mixed = list(said)
    dice.shuffle(mixed)
    log = list(new)
    for one in mixed:
        forced = fold(ENGINE, number([*log, one])).contested
        log.append(one._replace(force=any(o.live.seq == len(log) + 1 for o in forced)))
    assert what_counts(fold(ENGINE, number(log))) == what_counts(in_order)
    if len(said) > 12:
        assert any(one.force for one in log)  # some did arrive before their cause


@law(80)
@given(seed=SEEDS, moves=st.integers(1, 25))
def test_undo_then_redo(match, seed, moves):
    """Design section 4: undo is as if the entry had never been written; redo as if it had never been undone."""
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
    """Design section 4: an amended entry counts as the right one at the same instant would without the wrong one."""
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
    assert [o.live.seq for o in done.contested] == [void, orphan]
    ruling = body(shared.Ruling("void", void), BEGAN + 4 * HOUR)
    ruled = fold(ENGINE, number([*before, later, third, earlier, ruling]))
    assert [o.live.seq for o in ruled.contested] == [orphan]


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
    """Design section 4, --force: contested while the rules refuse it, in effect once another entry makes it legal."""
    before = opened()
    effect = body(a.Trade("p2", "R2", "p8", "R5"), BEGAN + 2 * HOUR, force=True)
    cause = body(a.Trade("p1", "R2", "p2", "B4"), BEGAN + HOUR)
    alone = fold(ENGINE, number([*before, effect]))
    assert [o.refusal.code for o in alone.contested if o.refusal] == ["equilibrium.card_not_held"]
    assert alone.state == fold(ENGINE, number(before)).state
    both = fold(ENGINE, number([*before, effect, cause]))
    assert not both.contested and set(both.state.traded) == {("p1", "p2"), ("p2", "p8")}


def anything(dice: random.Random, at: int, last: int) -> Any:
    """Any entry that a log can hold, sense or not."""
    one, two, card, other = dice.choice(PLAYERS), dice.choice(PLAYERS), dice.choice(DECK), dice.choice(DECK)
    name = dice.choice(["trading", "vote", "gift", "lot", "ruling", "pregame", "finished", "x", None])
    setting = dice.choice(
        [
            ("er_metric", "value"), ("er_metric", "bad"), ("garnet_cap", 1), ("garnet_cap", "x"), ("x", 1),
            ("tol_conditions", []), ("vote_hours", 1),
            ("tol_conditions", ["host_decides", "best_er"]), ("tol_conditions", ["best_er", "best_er", "most_trades"]),
            ("multi_tol", "lapse"), ("trading_hours", 1), ("trading_hours", 100), ("lock_grace_minutes", 600),
            ("visibility.votes", "everybody"), ("visibility", "x"), ("visibility.x", "host"),
            ("auto_end_after_last_trade", False),
        ]
    )  # fmt: skip
    hand = " ".join(dice.choices(DECK, k=dice.randint(1, 7)))
    play = [
        a.Trade(one, card, two, other), a.Offer(one, card, two, other), a.Accept(one, two), a.Withdraw(one, two),
        a.Decline(one, two), a.Recolour(one, card), a.Lock(one), a.Unlock(one),
    ]  # fmt: skip
    end = [
        shared.Vote(one, two), shared.Gift(one, two), shared.Lot((), one), shared.Lot((one, two), one),
        shared.Lot((one, two)), shared.Close(name), shared.Reopen(name),
        shared.Deadline(write_instant(at + dice.randint(-5, 200) * MINUTE)),
    ]  # fmt: skip
    power = [
        shared.Override("hand", one, hand), shared.Override("garnets", one, dice.choice(["0", "3", "-1"])),
        shared.Override("x", one, "3"), shared.AmendSetting(*setting), shared.Award(one, "tokens", dice.randint(-2, 3)),
        shared.Award(one, "garnets", dice.randint(-2, 3)), shared.Penalty(one, dice.randint(0, 3)), shared.Breach(one),
        shared.Blank(one), shared.Alias(one, two + "x"), shared.Note("n"), shared.Ruling("r", dice.randint(1, last)),
    ]  # fmt: skip
    rare = [
        shared.Open(), shared.Deal("typed"), shared.Hand(one, tuple(hand.split())), shared.Undo(dice.randint(1, last)),
        shared.Redo(dice.randint(1, last)), shared.Amend(dice.randint(1, last), {"player": one}, write_instant(at)),
        shared.Amend(dice.randint(1, last), {}), shared.Seat(one, 2),
    ]  # fmt: skip
    return dice.choice(dice.choices([play, end, power, rare], [4, 4, 4, 1])[0])


@law(250)
@given(seed=SEEDS, moves=st.integers(0, 30), more=st.integers(0, 25))
def test_any_log_folds(match, seed, moves, more):
    """Contract, evolve is total: any entries in any order fold to a state that can be shown; what makes no sense is
    contested. Purses balance, tokens add up, and once play is over the table says what the rules say."""
    dice = random.Random(seed)
    new, said = some_entries(match, dice, moves)
    start, end = said[0].at, said[-1].at + dice.choice([HOUR, 100 * HOUR])
    for _ in range(more):
        at = dice.randint(start, end)
        said.insert(dice.randint(0, len(said)), body(anything(dice, at, len(new) + len(said)), at))
    done = fold(ENGINE, number(new + said))
    state: State = done.state
    facts = [fact for outcome in done.outcomes for fact in outcome.facts]
    for viewer in ("host", "public", *PLAYERS):
        view, result = GAME.view(state, viewer), GAME.result(state, viewer)
        shown = frame(state.table, GAME.title, viewer)
        plain(view), plain(result)
        GAME.report(shown, view, result), GAME.scores(shown, view, result), GAME.tell(state, facts, viewer)
    assert all(GAME.explain(state, fact).text for fact in facts)
    GAME.waiting(state), GAME.invariants(state)
    table = state.table
    assert sum(table.purses.values()) == 0
    for p in PLAYERS:
        got = sum(award.player == p for award in table.awards) + table.granted.get(p, 0) - table.lapsed.get(p, 0)
        assert table.tokens.get(p, 0) == got + sum((to == p) - (src == p) for src, to in table.given)
    assert settle(table, verdict(state), end, over=state.over) == []


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
