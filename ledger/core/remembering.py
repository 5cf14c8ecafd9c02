"""An engine that remembers: within one command, and in `hl shell`, the same log is folded many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from events import Body
from games.contract import Game
from ledger.core.live import Live
from ledger.core.replay import Engine, Outcome

KEPT_STEPS = 4096
"""How many steps are remembered before all are forgotten: many matches, and bounded memory in a very long log."""

R = TypeVar("R")


class Remembering(Engine):
    """An engine that folds each entry once: one command folds the same log up to ten times.

    It knows an entry again by the state before it, the very same object, and by what it says; an outcome by being the
    very same object.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._begun: tuple[Body, str, Any] | None = None
        self._steps: dict[tuple[int, int], tuple[Any, Live, tuple[Any, Outcome]]] = {}
        self._made: dict[int, tuple[Outcome, Any]] = {}

    def start(self, create: Body, game_id: str) -> Any:
        if self._begun is None or self._begun[0] is not create or self._begun[1] != game_id:
            self._begun = (create, game_id, super().start(create, game_id))
        return self._begun[2]

    def step(self, state: Any, live: Live) -> tuple[Any, Outcome]:
        key = (id(state), live.seq)
        held = self._steps.get(key)
        if held is not None and held[0] is state and held[1].args is live.args and held[1] == live:
            return held[2]
        if len(self._steps) >= KEPT_STEPS:
            self._steps.clear()
            self._made.clear()
        found = super().step(state, live)
        self._steps[key] = (state, live, found)  # it holds the state, so no other one gets its id
        return found

    def once(self, outcome: Outcome, make: Callable[[], R]) -> R:
        held = self._made.get(id(outcome))
        if held is None or held[0] is not outcome:
            held = self._made[id(outcome)] = (outcome, make())
        made: R = held[1]
        return made
