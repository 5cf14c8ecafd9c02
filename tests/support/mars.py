"""A MarsMatch in memory, for short words in tests: `play.play("a", "3 3 3 K")`. The fixture is `mars`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.instants import Instant
from games.contract import Moment
from games.marsmatch import actions as a
from games.marsmatch.cards import cards_of, count, read_cards
from games.table import actions as shared
from tests.support.play import Play


def cards(text: str) -> Any:
    """Cards as counts; `9*7` is seven of them.

    >>> sum(cards("9*7 K"))
    8
    """
    words = [word.partition("*") for word in text.split()]
    return count(card for rank, _, many in words for card in read_cards(rank) * int(many or 1))


class Mars(Play):
    """A match with short hands; the first of `hands` is Banker, and sits before the second, and so on."""

    def __init__(
        self,
        hands: Mapping[str, str],
        *,
        settings: Mapping[str, Any] | None = None,
        banker: str | None = None,
        opened: bool = True,
    ) -> None:
        chosen = {"short_hands": True, **(settings or {})}
        super().__init__("marsmatch", settings=chosen, players=list(hands), opened=False)
        self.deal(hands, banker or next(iter(hands)))
        if opened:
            self.do(shared.Open())

    def deal(self, hands: Mapping[str, str], banker: str) -> None:
        """Draw and deal one round."""
        self.do(a.Draw(banker, tuple(hands)))
        for player, held in hands.items():
            self.do(shared.Hand(player, cards_of(cards(held))))
        self.do(shared.Deal("typed"))

    def play(self, player: str, text: str, reading: str | None = None) -> list[Any]:
        return list(self.do(self.action(player, text, reading)))

    @staticmethod
    def action(player: str, text: str, reading: str | None = None) -> Any:
        return a.Play(player, " ".join(cards_of(cards(text))), reading)

    def go(self, text: str) -> Mars:
        """Several turns: `a 3 3; b 5 5; c -; a -` (a dash passes)."""
        for turn in text.split(";"):
            player, *said = turn.split()
            if said == ["-"]:
                self.do(a.Pass(player))
            else:
                self.play(player, " ".join(said))
        return self

    @property
    def turn(self) -> str | None:
        """Whose turn it is."""
        return self.state.turn if self.state.playing else None

    def points(self) -> dict[str, int]:
        return {p: n for p, n in self.state.points.items() if n}

    def of(self, kind: type) -> list[Any]:
        """All facts of that kind so far."""
        return [fact for fact in self.told if isinstance(fact, kind)]


STARLINK, UFO = "3*6 K", "LJ LJ BJ BJ 4"


FOUR = {"a": "3 4 5 6", "b": "7 8 9 10", "c": "J Q K A", "d": "3 3 4 4"}


def moment_of(play: Mars) -> Moment:
    return Moment(Instant(play.now), play.seq + 1)
