"""Laws of Equilibrium that hold in every legal match, checked over random ones, on the pure functions of the game.

What a match comes to is worked out a second time in test_equilibrium_oracle; laws of logs: tests/table/test_any_log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from games.equilibrium import GAME
from games.equilibrium.cards import DECK, face, sort
from games.equilibrium.facts import State, pair
from tests.support.randomly import a_match
from tests.support.sizes import many


def check_laws(state: State, brought: Mapping[str, int], players: tuple[str, ...]) -> None:
    """What is true after every step of a match without a host's override."""
    assert GAME.invariants(state) == ()
    held = [card for hand in state.hands.values() for card in hand]
    if not held:
        return
    if len(players) == 8:
        assert Counter(face(card)[0] for card in held) == Counter(face(card)[0] for card in DECK)
        flips, moved = sum(state.recolours.values()), Counter(DECK) - Counter(held)
        assert sum(moved.values()) <= flips and (sum(moved.values()) - flips) % 2 == 0
    assert {len(hand) for hand in state.hands.values()} == {5} and all(sort(h) == h for h in state.hands.values())
    table, settings = state.table, state.settings
    assert sum(table.purses.values()) == 0
    for p in players:
        assert 0 <= table.garnets(p) <= settings.garnet_cap
        assert set(state.ticked.get(p, {})) <= set(settings.garnet_hands)
        assert state.received(p) <= settings.max_garnets_from_match
        assert table.garnets(p) == brought[p] + state.received(p) - state.recolours.get(p, 0)
    assert not {pair(*key) for key in state.offers} & set(state.traded)
    assert state.trades_left() == len(players) * (len(players) - 1) // 2 - len(state.traded)


@pytest.mark.parametrize("seed", range(many(6, 200, 20)))
def test_every_legal_match(seed: int) -> None:
    """Cards conserved, purses balanced, hands of five, limits kept, after every step."""
    made = a_match("equilibrium", seed)
    brought = {body.args["player"]: body.args.get("garnets", 0) for body in made.new if body.do == "seat"}
    for state, _ in made.states:
        check_laws(state, brought, made.players)
