"""Laws of MarsMatch that hold in every legal match, checked over random ones made from a seed."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from events.errors import Refused
from games.contract import Moment
from games.marsmatch import GAME, actions as a, facts as f
from games.marsmatch.actions import TITLES
from games.marsmatch.cards import cards_of, deck, in_words
from games.marsmatch.combos import TYPES, beats, formable, readings, spelled
from games.marsmatch.facts import State
from games.marsmatch.rules import grammar
from games.table import actions as shared
from tests.support.sizes import law

MINUTE, HOUR = 60_000, 3_600_000
SEEDS = st.integers(0, 10**9)
PLAYERS = ("a", "b", "c", "d")


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    return {
        "snatch": dice.choice(["best_class", "every_holder"]),
        "three_in_a_row": dice.choice(["tempo", "tempo", "instant_win", "ask_host"]),
        "real_end": dice.choice(["human_hand", "human_hand", "first_out", "one_winner_tiers"]),
        "ground_hand_max_plays": dice.choice([1, 2, 2, 3]),
        "ground_hand_who": dice.choice(["leader", "anybody"]),
        "post_win_lead": dice.choice(["next_clockwise", "player_before", "named"]),
        "pass_locks": dice.random() < 0.3,
        "attachments": dice.choice(["per_group", "fixed"]),
        "rocket_attach_two": dice.random() < 0.7,
        "wild_needs_natural": dice.random() < 0.7,
        "super_drone_by_holding": dice.random() < 0.3,
        "cross_type": dice.random() < 0.2,
        "rounds": dice.choice([1, 1, 2]),
        "turn_seconds": dice.choice([0, 0, 60]),
        "short_hands": True,
    }


def some_hands(dice: random.Random, players: tuple[str, ...], most: int) -> dict[str, str]:
    """Hands of up to so many cards; few ranks, so that much is formed."""
    stock = list(deck(len(players)))
    ranks = dice.sample(stock, 8)
    stock = [card for card in stock if card in (*ranks, "2", "3", "BJ", "LJ")]
    dice.shuffle(stock)
    return {p: " ".join(stock.pop() for _ in range(dice.randint(1, most)) if stock) or "3" for p in players}


def some_match(mars: Any, dice: random.Random, most: int = 12) -> Any:
    players = PLAYERS[: dice.randint(2, 4)]
    return mars(some_hands(dice, players, most), settings=some_settings(dice), banker=dice.choice(players))


def a_turn(play: Any, dice: random.Random) -> None:
    """One turn as some player might take it: anything that his hand allows, or a pass; an open choice is made."""
    state: State = play.state
    if state.turn is None:
        (decision,) = [d for d in state.table.decisions if d.kind == "choose"]
        play.do(shared.Choose(decision.who[0], dice.choice(decision.among)))
        return
    player, trick = state.turn, state.trick
    found = list(formable(state.hands[player], grammar(state, player)))
    across = state.settings.cross_type
    able = [one for one in found if trick is None or beats(one.reading, trick.reading, cross_type=across)]
    if trick is not None and (not able or dice.random() < 0.35):
        if dice.random() < 0.1 and state.settings.turn_seconds:
            play.do(a.Timeout(player), at=play.now + 2 * MINUTE)
        else:
            play.do(a.Pass(player))
        return
    able.sort(key=lambda one: sum(one.cards))
    one = able[-1] if dice.random() < 0.4 else dice.choice(able)
    play.do(a.Play(player, in_words(one.cards), spelled(one.reading)))


def held(state: State) -> Counter[str]:
    """Every card that is in a hand or was played."""
    return Counter(card for hand in (*state.hands.values(), state.gone) for card in cards_of(hand))


# ---- what always holds ---------------------------------------------------------------------------------------------


@law(150)
@given(seed=SEEDS)
def test_every_legal_match(mars, seed):
    """Laws: cards are conserved; every play beats the one before it; a trick is won by its last play; whose turn it is
    follows the seats; a match always ends; points are those of section 2 and nothing else."""
    dice = random.Random(seed)
    play = some_match(mars, dice)
    dealt, sums = held(play.state), Counter[str]()
    for _ in range(400):
        state: State = play.state
        if state.table.status == "finished":
            break
        if not state.playing and state.table.status == "running":
            check_round(play, sums)
            hands = some_hands(dice, state.table.players, 8)
            play.deal(hands, dice.choice(state.table.players))
            play.do(shared.Open())
            dealt, play.told = held(play.state), []
            continue
        if any(d.kind == "ruling" for d in state.table.decisions):
            about = next(d for d in state.table.decisions if d.kind == "ruling").among[0]
            play.do(shared.Close("ruling") if dice.random() < 0.5 else shared.Ruling(f"win {about}: his third"))
            continue
        before: State = play.state
        a_turn(play, dice)
        check_step(play, before, dealt)
    check_round(play, sums)
    assert play.state.table.status == "finished", "a match always ends"
    assert {p: n for p, n in play.state.points.items() if n} == {p: n for p, n in sums.items() if n}
    assert play.result().scores == {p: sums[p] for p in play.state.table.players}


def check_step(play: Any, before: State, dealt: Counter[str]) -> None:
    """One turn: cards conserved, the play beat the last one, the turn went on as it must."""
    state: State = play.state
    assert GAME.invariants(state) == ()
    if state.round != before.round:
        return
    assert held(state) == dealt
    (fact,) = [x for x in play.told[-6:] if isinstance(x, f.Played)][-1:] or [None]
    if before.trick is not None and state.trick is not None and state.trick is not before.trick:
        across = state.settings.cross_type
        assert beats(state.trick.reading, before.trick.reading, cross_type=across)
        assert fact is not None and state.trick.reading in readings(state.trick.cards, grammar(before, state.trick.by))
    if state.playing and state.turn is not None:
        assert state.turn in state.active() and any(state.hands[state.turn])
        assert state.trick is None or state.trick.by != state.turn
        if state.trick is not None and before.turn is not None:
            others = state.clockwise(before.turn)
            skipped = others[: others.index(state.turn)]
            assert all(p not in state.active() or p in state.passed or p == state.trick.by for p in skipped)


def check_round(play: Any, sums: Counter[str]) -> None:
    """The points of the round that ended, from its facts: each trick by its last play, each title worth its points."""
    last = None
    for fact in play.told:
        match fact:
            case f.Played():
                last = fact.player
            case f.TrickWon():
                assert fact.player == last
            case f.HeavenlyWon() | f.WentOut():
                assert fact.points in TITLES[fact.title].points
                sums[fact.player] += fact.points
            case f.RoundEnded():
                grounds = [x for x in play.told if isinstance(x, f.WentOut) and x.title.startswith("ground")]
                assert len(grounds) <= 1
    play.told = []


@law(12)
@given(seed=SEEDS)
def test_whole_hands(mars, match, seed):
    """A match of 54 cards each, drawn and dealt by the program, in which everybody plays as much as he can."""
    dice = random.Random(seed)
    play = match("marsmatch", players=list(PLAYERS[: dice.randint(2, 4)]), opened=False)
    play.now += dice.randint(0, 10**9)
    play.seq += dice.randint(0, 10**6)  # the seed of the deal
    play.do(a.Draw())
    play.do(shared.Deal())
    play.do(shared.Open())
    dealt = held(play.state)
    for _ in range(600):
        if play.state.table.status == "finished":
            break
        before = play.state
        a_turn(play, dice)
        check_step(play, before, dealt)
    assert play.state.table.status == "finished"


@law(150)
@given(seed=SEEDS)
def test_a_refusal_tells_nothing_of_a_hand(mars, seed):
    """5: plays are public, and so may a refusal be: whatever the hand, the same play is refused in the same words,
    unless it would be right, and is not held."""
    dice = random.Random(seed)
    lead = dice.choice(["5", "5 5", "5 5 5", "3 3 4 4 5 5", "6 6 6 6", "LJ", "8 8 8 4"])
    settings = some_settings(dice)
    hands = [dice.choices(["3", "3", "3", "9", "9", "9", "10", "8", "K", "2", "4"], k=8) for _ in range(6)]
    hands = [hand for hand in hands if hand.count("3") < 6]  # else a Starlink: he would be out
    plays = [mars({"a": f"{lead} Q", "b": " ".join(hand), "c": "5 6", "d": "7"}, settings=settings) for hand in hands]
    for play in plays:
        play.play("a", lead)
    named = ["9", "9 9", "9 2", "9 9 9", "4", "9 9 9 9", "8 8 9 9 10 10", "9 10", "9 9 9 K", "BJ 9", "3 3 3", "3 3 3 K"]
    for cards in (*dice.sample(named, 4), "3 3 3", "3 3 3", "3 3 3 9"):
        action, told = a.Play("b", cards, dice.choice([None, "rocket", *TYPES])), set()
        for play in plays:
            try:
                GAME.decide(play.state, action, Moment(play.now, 99))
                told.add("accepted")
            except Refused as refusal:
                told.add(f"{refusal.code} | {refusal.what} | {refusal.fix}")
        refused = told - {"accepted"}
        right = all(text.startswith(("marsmatch.not_held", "marsmatch.not_so")) for text in refused)
        assert len(refused) < 2 and (right or len(told) < 2), (action, settings, told)
