"""Words likely meant next, for completion: who still owes a sheet, the cards of this round."""

from __future__ import annotations

from collections.abc import Mapping

from games.poker_auction import actions as a
from games.poker_auction.cards import RANKS, ROUNDS
from games.poker_auction.state import State
from games.table import suggest as table_suggest
from games.table.rounds import silent


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for one field, given those before it. Source: `games.contract.Game.suggest`."""
    if action in (a.Power, a.Bid) and field == "player" and state.table.round is not None:
        return silent(state.table, state.table.round)
    if action is a.Power and field == "ranking":
        return a.POWERS
    if action is a.Bid and field in ("bids", "diamonds", "destroy") and state.table.round is not None:
        return (
            tuple(rank + ROUNDS[state.table.round.name] for rank in RANKS) if state.table.round.name in ROUNDS else ()
        )
    return table_suggest.suggest(state.table, action, field, words)
