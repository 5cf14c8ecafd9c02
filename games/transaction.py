"""A transaction: facts emitted one after the other, each changing the state that the next is decided from.

`decide` uses one for each action: one action may have consequences of consequences (trade -> garnet -> all locked ->
the end). All or nothing: where a rule refuses, nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from games.contract import Fact

S = TypeVar("S")


class Transaction(list[Fact], Generic[S]):
    """The facts so far, and the state after them: the engine need not evolve them a second time."""

    __slots__ = ("_evolve", "state")

    def __init__(self, state: S, evolve: Callable[[S, Fact], S]) -> None:
        self.state = state
        self._evolve = evolve

    def emit(self, *facts: Fact) -> None:
        """Add facts; each is applied to the state at once."""
        self.extend(facts)
        state, evolve = self.state, self._evolve
        for fact in facts:
            state = evolve(state, fact)
        self.state = state

    def emit_all(self, facts: Iterable[Fact]) -> bool:
        """Add facts; were there any?"""
        before = len(self)
        self.emit(*facts)
        return len(self) > before
