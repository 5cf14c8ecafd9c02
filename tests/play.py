"""A match played in memory, on the pure functions of a game: no disk, no log. Tests get it as the fixture `match`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from events.errors import Refused
from games.contract import Elapsed, Game, Moment, Published
from games.registry import load
from games.story import Told
from games.table import actions as shared
from games.table.settings import defaults
from games.table.state import Seat, Table

HOUR = 3_600_000
BEGAN = 1_795_000_000_000
"""Some day of November 2026; the hour does not matter, every test counts from here."""


class Chance(NamedTuple):
    """Luck without chance: the seed is the number of the entry."""

    seq: int
    published: Published | None = None

    def seed(self) -> bytes:
        return self.seq.to_bytes(32, "big")


class Play:
    """A match in memory. Actions are decided and evolved at once; a refusal leaves it as it was.

    Attributes:
        state: The game's state now.
        now: The moment of the next action, in milliseconds; a test may move it.
        opened: When play was opened.
        dealt: The facts of the deal.
        told: Every fact so far.
    """

    def __init__(
        self,
        game: str = "equilibrium",
        hands: Mapping[str, str] | None = None,
        *,
        garnets: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
        players: Sequence[str] | None = None,
        opened: bool = True,
    ) -> None:
        """`hands` for a game with a deal: without them it is neither dealt nor opened."""
        self.game: Game = load(game)
        players = players or [f"p{i}" for i in range(1, self.game.players[1] + 1)]
        known = defaults(self.game.settings, self.game.visibility)
        for key, value in (settings or {}).items():
            known = {**known, key: {**known[key], **value} if isinstance(value, Mapping) else value}
        self.now, self.seq = BEGAN, 1
        self.told: list[Any] = []
        self.dealt: list[Any] = []
        self.state: Any = self.game.start(
            Table(
                game=game,
                title="a test",
                zone="UTC",
                hosts=("mara", "theo"),
                seats={p: Seat(p.capitalize()) for p in players},
                settings=known,
                assumptions=(),
                began=BEGAN,
                since=BEGAN,
                phase="setup",
            )
        )
        for player in players:
            self.do(shared.Seat(player, (garnets or {}).get(player, 0)))
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

    def do(self, action: Any, *, at: int | None = None, by: str = "mara") -> list[Any]:
        """Let the ends that time has reached pass, then prepare and decide `action`; the facts of the action alone."""
        self.now = self.now if at is None else at
        self.wait()
        facts: list[Any] = []
        for one in self.game.prepare(self.state, action, Chance(self.seq + 1)):
            self.seq += 1
            facts += self._tell(self.game.decide(self.state, one, Moment(self.now, self.seq, by)))
        return facts

    def wait(self, until: int | None = None) -> list[Any]:
        """Let time pass; the facts of the derived ends."""
        self.now = self.now if until is None else until
        told: list[Any] = []
        while (end := self.game.due(self.state)) is not None and end <= self.now:
            told += self._tell(self.game.decide(self.state, Elapsed(), Moment(end, self.seq)))
        return told

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

    def _tell(self, facts: Sequence[Any]) -> list[Any]:
        for fact in facts:
            self.state = self.game.evolve(self.state, fact)
        assert not isinstance(facts, Told) or facts.state == self.state, "a decision knows the state it leads to"
        self.told += facts
        return list(facts)

    def garnets(self) -> dict[str, int]:
        """What every player holds."""
        return {p: self.state.table.garnets(p) for p in self.state.table.seats}

    def result(self, viewer: str = "host") -> Any:
        return self.game.result(self.state, viewer)

    def view(self, viewer: str = "host") -> Any:
        """The view as JSON."""
        from games.records import plain

        return plain(self.game.view(self.state, viewer))
