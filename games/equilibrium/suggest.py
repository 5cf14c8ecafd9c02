"""Words likely meant next, for completion: the cards a player holds, partners still free to trade with, open offers.

Belongs here: picking words out of the state. Does not belong here: whether a word is allowed (rules.py refuses).
"""

from __future__ import annotations

from collections.abc import Mapping

from games.equilibrium import actions as a
from games.equilibrium.state import State

HOLDER = {
    (a.Trade, "give"): "a",
    (a.Trade, "take"): "b",
    (a.Offer, "give"): "a",
    (a.Offer, "take"): "b",
    (a.Recolour, "card"): "player",
}
"""A field that is a card -> the field that says whose hand it is out of."""


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    if (holder := HOLDER.get((action, field))) is not None:
        return tuple(dict.fromkeys(state.hands.get(words.get(holder, ""), ())))
    if action in (a.Trade, a.Offer) and field == "b":
        return state.may_trade_with(words.get("a", ""))
    if action in (a.Accept, a.Decline) and field == "proposer":
        return tuple(proposer for proposer, partner in state.offers if partner == words.get("player"))
    if action is a.Withdraw and field == "partner":
        return tuple(partner for proposer, partner in state.offers if proposer == words.get("player"))
    if action in (a.Lock, a.Unlock):
        return tuple(p for p in state.table.present if (p in state.locked) == (action is a.Unlock))
    return ()
