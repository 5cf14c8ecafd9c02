"""Words likely meant next, for completion: the powers, the cards of the round that is on."""

from __future__ import annotations

from collections.abc import Mapping

from games.poker_auction import actions as a
from games.poker_auction.cards import RANKS, ROUNDS
from games.poker_auction.state import State


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field. Source: `games.contract.Game.suggest`."""
    if action is a.Power and field == "ranking":
        return a.POWERS
    suit = ROUNDS.get(state.table.round.name) if state.table.round is not None else None
    if action is a.Bid and field in ("bids", "diamonds", "destroy") and suit:
        return tuple(rank + suit for rank in RANKS)
    return ()
