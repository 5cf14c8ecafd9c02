"""A transaction: facts emitted one after the other, each changing the state that the next is decided from.

`decide` uses one for each action: one action may have consequences of consequences (trade -> garnet -> all locked ->
the end). All or nothing: where a rule refuses, nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from games.contract import Fact

S = TypeVar("S")


class EmittedFacts(list[Fact]):
    """The facts of one decision, with the state that evolving them gave: the engine need not do it a second time."""

    __slots__ = ("state",)
    state: Any


class Transaction(Generic[S]):
    """Facts so far, and the state after them."""

    __slots__ = ("_evolve", "facts", "state")

    def __init__(self, state: S, evolve: Callable[[S, Fact], S]) -> None:
        self.state = state
        self.facts = EmittedFacts()
        self._evolve = evolve

    def emit(self, *facts: Fact) -> None:
        """Add facts; each is applied to the state at once."""
        self.facts.extend(facts)
        for fact in facts:
            self.state = self._evolve(self.state, fact)

    def done(self) -> EmittedFacts:
        """The facts, with the state after them."""
        self.facts.state = self.state
        return self.facts

    def emit_all(self, facts: Iterable[Fact]) -> bool:
        """Add facts; were there any?"""
        before = len(self.facts)
        self.emit(*facts)
        return len(self.facts) > before
