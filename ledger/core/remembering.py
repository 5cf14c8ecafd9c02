"""An engine that remembers: within one command, and in `hl shell`, the same log is folded many times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from events import Body
from games.contract import Game
from ledger.core.effective import EffectiveEntry
from ledger.core.replay import Engine, Outcome

MAX_CACHED_STEPS = 4096
"""Steps kept before all are dropped: enough for many matches, and bounded memory for a very long log."""

R = TypeVar("R")


class Remembering(Engine):
    """An engine that folds each entry once: one command folds the same log up to ten times.

    It recognises an entry if it is equal and the state before it is the same object; an outcome by being that object.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._started: tuple[Body, str, Any] | None = None
        self._steps: dict[tuple[int, int], tuple[Any, EffectiveEntry, tuple[Any, Outcome]]] = {}
        self._values: dict[int, tuple[Outcome, Any]] = {}

    def start(self, create: Body, game_id: str) -> Any:
        if self._started is None or self._started[0] is not create or self._started[1] != game_id:
            self._started = (create, game_id, super().start(create, game_id))
        return self._started[2]

    def step(self, state: Any, live: EffectiveEntry) -> tuple[Any, Outcome]:
        key = (id(state), live.seq)
        cached = self._steps.get(key)
        if cached is not None and cached[0] is state and cached[1].args is live.args and cached[1] == live:
            return cached[2]
        if len(self._steps) >= MAX_CACHED_STEPS:
            self._steps.clear()
            self._values.clear()
        result = super().step(state, live)
        self._steps[key] = (state, live, result)  # keeps the state alive, so its id stays unique
        return result

    def once(self, outcome: Outcome, make: Callable[[], R]) -> R:
        cached = self._values.get(id(outcome))
        if cached is None or cached[0] is not outcome:
            cached = self._values[id(outcome)] = (outcome, make())
        value: R = cached[1]
        return value
