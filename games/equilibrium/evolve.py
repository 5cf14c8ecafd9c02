"""The state after each fact, and the laws that hold unless a host overrode them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from games.equilibrium import facts as f
from games.equilibrium.cards import HAND_SIZE, Hand, swap
from games.equilibrium.state import Pledge, State, pair
from games.parts import CardsDealt, Evolve, HandDealt
from games.table import BANK
from games.table import facts as table_facts


def _holding(state: State, **hands: Hand) -> State:
    return state._replace(hands={**state.hands, **hands})


def _traded(state: State, fact: f.Traded) -> State:
    first, second = swap(state.hands[fact.a], fact.give, fact.take), swap(state.hands[fact.b], fact.take, fact.give)
    both = {(fact.a, fact.b), (fact.b, fact.a)}
    return _holding(state, **{fact.a: first, fact.b: second})._replace(
        traded={**state.traded, pair(fact.a, fact.b): fact.seq},
        offers={key: pledge for key, pledge in state.offers.items() if key not in both},
    )


def _recoloured(state: State, fact: f.Recoloured) -> State:
    hand = swap(state.hands[fact.player], fact.card, fact.into)
    times = state.recolours.get(fact.player, 0) + 1
    return _holding(state, **{fact.player: hand})._replace(recolours={**state.recolours, fact.player: times})


def _ticked(state: State, fact: f.ClassTicked) -> State:
    ticked = {**state.ticked.get(fact.player, {}), fact.hand_class: fact.garnet}
    return state._replace(ticked={**state.ticked, fact.player: ticked})


def _without(mapping: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    return {known: value for known, value in mapping.items() if known != key}


EVOLVE: Evolve[State] = {
    **dict.fromkeys((HandDealt, f.HandSet), lambda state, fact: _holding(state, **{fact.player: fact.cards})),
    CardsDealt: lambda state, fact: state._replace(dealt=state.hands),
    f.Traded: _traded,
    f.Offered: lambda state, fact: state._replace(
        offers={**state.offers, (fact.a, fact.b): Pledge(fact.give, fact.take)}
    ),
    f.OfferClosed: lambda state, fact: state._replace(offers=_without(state.offers, (fact.a, fact.b))),
    f.Recoloured: _recoloured,
    f.ClassTicked: _ticked,
    **dict.fromkeys((f.HandsTold, f.EarnedTold), lambda state, fact: state),
    f.Locked: lambda state, fact: state._replace(locked={**state.locked, fact.player: fact.at}),
    f.Unlocked: lambda state, fact: state._replace(locked=_without(state.locked, fact.player)),
    table_facts.Reopened: lambda state, fact: state._replace(reopened=state.reopened or fact.name == "trading"),
    table_facts.PlayerLeft: lambda state, fact: state._replace(
        offers={pair_: pledge for pair_, pledge in state.offers.items() if fact.player not in pair_}
    ),
}


def broken(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: hands of five, the deck's values, purses within their limits."""
    if state.dealt is not None:
        values = Counter(card[1:] for hand in state.hands.values() for card in hand)
        dealt = Counter(card[1:] for hand in state.dealt.values() for card in hand)
        out = any(not hand and p in state.table.left for p, hand in state.hands.items())
        if values - dealt or (values != dealt and not out):
            yield "the cards held are no longer the cards dealt (colours aside)"
        for p, hand in state.hands.items():
            if len(hand) != HAND_SIZE and (hand or p not in state.table.left):  # taken out of play: EQ-25
                yield f"{p} holds {len(hand)} cards"
    yield from (f"{p} holds {n} garnets" for p, n in state.table.purses.items() if p != BANK and n < 0)
    held, cap = {p: state.table.garnets(p) for p in state.table.players}, state.settings.garnet_cap
    yield from (f"{p} holds {n} garnets, the cap is {cap}" for p, n in held.items() if n > cap)
