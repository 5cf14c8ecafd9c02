"""What a player can do now, and words likely meant next, for completion: the powers, the cards of the round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.contract import Action
from games.poker_auction import actions as a
from games.poker_auction.cards import RANKS, ROUNDS
from games.poker_auction.state import State


def cards_of_round(state: State) -> tuple[str, ...]:
    """The thirteen cards that are bid on now."""
    suit = ROUNDS.get(state.table.round.name) if state.table.round is not None else None
    return tuple(rank + suit for rank in RANKS) if suit else ()


def moves(state: State, player: str) -> Iterator[Action]:
    """For powers: nothing to all of the chips in quarters, with each power first. For cards: from each card on 1, 5 or
    13 of them, for all of the chips in equal parts or a quarter of that; alone, or with a power on the first card."""
    held, cards = max(state.chips[player], 0), cards_of_round(state)
    if not cards:
        yield from (a.Power(player, held * n // 4, power) for n in range(5) for power in a.POWERS)
    for start, first in enumerate(cards):
        for size in (1, 5, 13):
            chosen = cards[start : start + size]
            for amount in (held // len(chosen), held // len(chosen) // 4):
                sheet = a.Bid(player, ", ".join(f"{card} {amount}" for card in chosen))
                gifts = tuple((f"{first}={receiver}",) for receiver in state.table.present if receiver != player)
                yield from (sheet, sheet._replace(diamonds=first), sheet._replace(destroy=first))
                yield from (sheet._replace(gift=gift) for gift in gifts)
    yield a.Withdraw(player)


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    if action is a.Power and field == "ranking":
        return a.POWERS
    return cards_of_round(state) if action is a.Bid and field in ("bids", "diamonds", "destroy") else ()
