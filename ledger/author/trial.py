"""A match played in memory, on the pure functions of a game: no disk, no log, no clock. For the tests of a game.

match = Trial(GAME, ["ann", "bob"])
match.do(shared.Open())
match.do(Bid("ann", 7))
assert match.view("bob")["players"]["ann"] == {}
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from events import Body
from events.errors import LedgerError, Refused
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, Elapsed, Fact, Game, Moment, Published, Transaction
from games.records import args_of, kebab, plain
from games.table import actions as shared
from games.table.settings import defaults
from games.table.state import Seat, Table
from ledger.core.replay import Engine

BEGAN = 1_795_000_000_000
"""Some day of November 2026, ms; every trial counts from here."""


class Chance(NamedTuple):
    """Deterministic luck: the seed is the number of the entry."""

    seq: int
    published: Published | None = None
    at: Instant = Instant(0)
    luck: int = 0

    def seed(self) -> bytes:
        return ((self.luck << 64) + self.seq).to_bytes(32, "big")


class Done(NamedTuple):
    """One step of a trial: when (ms), after which entry, the typed action, the recorded ones, and the host."""

    now: int
    seq: int
    action: Action
    made: tuple[Action, ...]
    by: str = "mara"


class Trial:
    """A match in memory. Actions are decided and evolved at once; a refusal leaves it as it was.

    Attributes:
        state: The game's state now.
        now: The moment of the next action, ms; a test may move it.
        told: Every fact so far.
        luck: Another number draws otherwise.
        done: What was typed and recorded so far.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        *,
        garnets: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        complete = defaults(game.settings, game.visibility, game.has)
        for key, value in (settings or {}).items():
            complete = {**complete, key: {**complete[key], **value} if isinstance(value, Mapping) else value}
        self.now, self.seq = BEGAN, 1
        self.told: list[Fact] = []
        self.done: list[Done] = []
        self.luck = 0
        self.state: Any = game.start(
            Table(
                game=game.name,
                title="a test",
                zone="UTC",
                hosts=("mara", "theo"),
                seats={p: Seat(p.capitalize()) for p in players},
                settings=complete,
                assumptions=(),
                began=Instant(BEGAN),
                since=Instant(BEGAN),
                phase="setup",
            )
        )
        for player in players:
            self.do(shared.Seat(player, (garnets or {}).get(player, 0)))

    @classmethod
    def from_entries(cls, game: Game, bodies: Sequence[Body]) -> Trial:
        """A match that begins with the entries that a match file makes.

        Raises:
            LedgerError: one of them is refused.
        """
        trial, engine = cls.__new__(cls), Engine(game)
        trial.game, trial.now, trial.seq, trial.luck = game, bodies[0].at, len(bodies), 0
        trial.told, trial.done = [], []
        trial.state = engine.start(bodies[0], "")
        for seq, body in enumerate(bodies[1:], 2):
            action = engine.read(body.do, body.args, trial.state.table)
            trial._apply(game.decide(trial.state, action, Moment(body.at, seq, body.by)))
        return trial

    def bodies(self) -> list[Body]:
        """What was recorded since, as entries of a log; at the end a note, where time has passed since the last."""
        made: list[Body] = []
        for now, seq, _, actions, by in self.done:
            batch = seq + 1 if len(actions) > 1 else None
            made += (Body(kebab(type(a)), Instant(now), by, Instant(now), args_of(a), batch=batch) for a in actions)
        if made and made[-1].at < self.now:
            now = Instant(self.now)
            made.append(Body("note", now, self.state.table.hosts[0], now, args_of(shared.Note("time has passed"))))
        return made

    def do(self, action: Action, *, at: int | None = None, by: str | None = None) -> list[Fact]:
        """Let the ends that time has reached pass, then prepare and decide `action`; the facts of the action alone.

        Raises:
            LedgerError: it is refused, or cannot be read.
        """
        self.now = self.now if at is None else at
        self.wait()
        facts, before, by = list[Fact](), (self.seq, self.state, len(self.told)), by or self.state.table.hosts[0]
        prepared = self.game.prepare(self.state, action, Chance(self.seq + 1, at=Instant(self.now), luck=self.luck))
        try:
            for prepared_action in prepared:
                self.seq += 1
                moment = Moment(Instant(self.now), self.seq, by)
                facts += self._apply(self.game.decide(self.state, prepared_action, moment))
        except LedgerError:
            self.seq, self.state, told = before
            del self.told[told:]
            raise
        self.done.append(Done(self.now, before[0], action, prepared, by))
        return facts

    def wait(self, until: int | None = None) -> list[Fact]:
        """Let time pass; the facts of the derived ends."""
        self.now = self.now if until is None else until
        facts: list[Fact] = []
        while (end := self.game.due(self.state)) is not None and end <= self.now:
            facts += self._apply(self.game.decide(self.state, Elapsed(), Moment(end, self.seq)))
        return facts

    def refusal(self, action: Action, *, at: int | None = None) -> Refused | None:
        """Why the rules refuse `action`; None, and the match has gone on, when they do not."""
        before = self.state
        try:
            self.do(action, at=at)
        except Refused as refused:
            assert self.state == before or at is not None, "a refusal changes nothing"
            return refused
        return None

    def _apply(self, facts: Sequence[Fact]) -> list[Fact]:
        for fact in facts:
            self.state = self.game.evolve(self.state, fact)
        same = not isinstance(facts, Transaction) or facts.state == self.state
        assert same, "a decision knows the state it leads to"
        self.told += facts
        return list(facts)

    def garnets(self) -> dict[str, int]:
        """What every player holds."""
        return {p: self.state.table.garnets(p) for p in self.state.table.seats}

    def result(self, viewer: str = "host") -> Any:
        """How the match stands, for `viewer`."""
        return self.game.result(self.state, viewer)

    def view(self, viewer: str = "host") -> Any:
        """The view as JSON."""
        return plain(self.game.view(self.state, viewer))

    def notice(self, facts: Sequence[Fact], viewer: str) -> str:
        """What `viewer` is told of these facts, as a terminal shows it."""
        from ledger.render.text import render

        return str(render(self.game.tell(self.state, facts, viewer).blocks, "UTC"))

    def twin(self) -> Trial:
        """A copy that can go on by itself."""
        twin = copy.copy(self)
        twin.told, twin.done = list(self.told), list(self.done)
        return twin
