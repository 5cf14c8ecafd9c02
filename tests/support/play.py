"""A match played in memory (ledger/author), as the tests of the bundled games make it: the fixture `match`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from events.errors import Refused
from games.registry import load
from games.table import actions as shared
from ledger.author.simulation import BEGAN as BEGAN, Chance as Chance, Trial

HOUR = 3_600_000


class Play(Trial):
    """A match that has begun.

    A game's own words are a subclass, with who plays where a test does not say, and what they have.

    Attributes:
        opened: When play was opened.
        dealt: The facts of the deal.
    """

    GAME = "equilibrium"
    PLAYERS: Sequence[str] = ()
    GARNETS: Mapping[str, int] = {}

    def __init__(
        self,
        game: str = "",
        hands: Mapping[str, str] | None = None,
        *,
        garnets: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
        players: Sequence[str] | None = None,
        opened: bool = True,
    ) -> None:
        """`hands` for a game with a deal: without them it is neither dealt nor opened."""
        loaded = load(game or self.GAME)
        players = players or self.PLAYERS or [f"p{i}" for i in range(1, loaded.players[1] + 1)]
        super().__init__(loaded, players, garnets=self.GARNETS if garnets is None else garnets, settings=settings)
        self.dealt: list[Any] = []
        if hands is not None:
            self.dealt = self._deal(hands)
        if opened and (hands is not None or "hand" not in self.game.fields):
            self.now += 24 * HOUR
            self.do(shared.Open())
        self.opened = self.now

    def _deal(self, hands: Mapping[str, str]) -> list[Any]:
        """Give these hands; players not named share the rest of the deck."""
        from games.equilibrium.cards import DECK

        rest = list(DECK)
        given = {p: cards.split() for p, cards in hands.items()}
        for card in (card for cards in given.values() for card in cards):
            rest.remove(card)
        others = [p for p in self.state.table.seats if p not in given]
        given |= {p: rest[i :: len(others)] for i, p in enumerate(others)}
        facts = [fact for p in self.state.table.seats for fact in self.do(shared.Hand(p, tuple(given[p])))]
        return facts + self.do(shared.Deal("typed"))

    @property
    def on(self) -> str:
        """The round whose submissions are taken."""
        return str(self.state.table.round.name)

    def resolve(self, **given: Any) -> list[Any]:
        return list(self.do(shared.Resolve(**given)))

    def close(self) -> list[Any]:
        return list(self.do(shared.Close(self.on)))

    def have(self, field: str) -> dict[str, Any]:
        """Player -> what they have of it, as the hosts see it."""
        return {p: row[field] for p, row in self.view()["players"].items()}

    def last(self, viewer: str = "host") -> Any:
        """The last resolved round, as somebody sees it."""
        return self.view(viewer)["rounds"][-1]

    def refuse(self, action: Any, code: str | None = None, *, at: int | None = None) -> Refused:
        """The refusal of `action`, whose code ends in `code`; nothing may have changed by it."""
        self.now = self.now if at is None else at
        self.wait()
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.do(action)
        assert self.state == before
        assert code is None or refusal.value.code.endswith("." + code), refusal.value.code
        return refusal.value


def only(facts: Sequence[Any], kind: type) -> list[Any]:
    """Those of that kind."""
    return [fact for fact in facts if isinstance(fact, kind)]


def ended(play: Any, dice: Random, check: Callable[[Any], None]) -> None:
    """A match that is over is checked, before and after what its end leaves open is decided; then it is finished, and
    nobody has two tokens."""
    check(play)
    finish(play, dice)
    check(play)
    assert play.state.table.status == "finished"
    assert max(play.result().tokens.values(), default=0) <= 1


def finish(play: Any, dice: Random) -> None:
    """Decide at random all that the end leaves open, or let its time pass."""
    for _ in range(30):
        if not play.state.table.decisions:
            return
        decision = play.state.table.decisions[0]
        if decision.kind == "lot":
            play.do(shared.Lot((), dice.choice(decision.among)))
        elif decision.kind == "ruling":
            play.do(shared.Declare("elimination"))
        elif dice.random() < 0.3 or set(decision.who) & play.state.table.left.keys():
            play.wait(play.now + 25 * HOUR)
        else:
            verb: Any = {"gift": shared.Gift, "choose": shared.Choose, "vote": shared.Vote}[decision.kind]
            play.do(verb(dice.choice(decision.who), dice.choice(decision.among)))
