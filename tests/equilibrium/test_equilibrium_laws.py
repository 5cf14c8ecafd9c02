"""Laws of Equilibrium that hold in every legal match, checked over random ones, on the pure functions of the game.

Matches are made from a seed, which a failure shows together with the number of moves. Laws of folding entries with
`ledger.core.replay`: test_equilibrium_folds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import given, strategies as st

from games.equilibrium import GAME, facts as f
from games.equilibrium.cards import DECK, face, sort
from games.equilibrium.facts import State, pair
from games.table import actions as shared, facts as table_facts
from tests.support.legal import (
    MINUTE,
    PAIRS,
    PLAYERS,
    SEEDS,
    check_result,
    finish,
    play_on,
    some_deal,
    some_match,
)
from tests.support.sizes import law

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


# ---- the result, worked out a second time ---------------------------------------------------------------------------


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
        facts = play.do(shared.Override(player, "hand", " ".join(cards)))
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
    play.do(shared.Override(player, "garnets", str(number)))
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
