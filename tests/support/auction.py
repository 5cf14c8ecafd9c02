"""A Poker Auction in memory, for short words in tests: `play.bid("a", "2C 5")`. The fixture is `auction`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.poker_auction import actions as a, facts as f
from games.poker_auction.actions import read_bids, read_ranking
from games.table import actions as shared
from tests.support.play import Play

PLAYERS = ("a", "b", "c", "d", "e")
ROUNDS = ("clubs", "diamonds", "hearts", "spades")
GARNETS = {"a": 2, "b": 5, "c": 1, "d": 3, "e": 0}
PA1 = {"a": (30, "S D H C J"), "b": (30, "S J D H C"), "c": (10, "D S C H J"), "e": (25, "J S D H C")}
"""Scenario PA1: what each player submits for powers; d sends nothing."""


class Auction(Play):
    """A match of five players a to e with its power round open."""

    GAME, PLAYERS, GARNETS = "poker_auction", PLAYERS, GARNETS

    @classmethod
    def clubs(cls, **given: Any) -> Auction:
        """The state of PA1: a Diamonds 74, b Spades 74, c Clubs 94, d Hearts 104, e Joker 105 chips."""
        play = cls(**given)
        for player, (chips, ranking) in PA1.items():
            play.power(player, chips, ranking)
        play.resolve()
        return play

    @classmethod
    def ended(cls, cards: Mapping[str, str], **given: Any) -> Auction:
        """A match that is over, in which a host then gave these players these cards."""
        play = cls.clubs(**given)
        for _ in ROUNDS:
            play.resolve()
        for player in PLAYERS:
            play.do(shared.Override(player, "cards", cards.get(player, "none")))
        return play

    def power(self, player: str, chips: int, ranking: str = "", **given: Any) -> list[Any]:
        action = a.Power(player, chips, ">".join(read_ranking(ranking)), **given)
        return list(self.do(action))

    def bid(self, player: str, bids: str = "", *, gift: Sequence[str] = (), **given: Any) -> list[Any]:
        return list(self.do(self.sheet(player, bids, gift=gift, **given)))

    @staticmethod
    def sheet(player: str, bids: str = "", *, gift: Sequence[str] = (), **given: Any) -> Any:
        return a.Bid(player, read_bids(bids), tuple(gift), **given)

    def chips(self) -> dict[str, int]:
        return dict(self.state.chips)

    def cards(self) -> dict[str, str]:
        return {p: " ".join(cards) for p, cards in self.state.cards.items() if cards}

    def powers(self) -> dict[str, str]:
        return dict(self.state.powers)

    def spent(self) -> dict[str, int]:
        """All chips that each player has ever spent."""
        total = dict.fromkeys(self.state.table.players, 0)
        for fact in self.told:
            if isinstance(fact, f.ChipsSpent):
                total[fact.player] += fact.chips
        return total

    def best(self) -> dict[str, str]:
        """Player -> the name of his best hand, as the host sees it."""
        shown = self.view()["players"]
        return {p: row["best"]["class"] if row["best"] else "" for p, row in shown.items()}


CARDS = {
    "a": "AS KS QS JS 10S",
    "b": "2C 2D 2H 2S 9C",
    "c": "3C 3D 3H 4C 4D",
    "d": "5C 6D 7H 8S 9D",
    "e": "AC KC QC JC 9H",
}
"""Five hands: a straight flush, b four, c full house, d straight, e high card (the lowest)."""
