"""A story: facts told one after the other, each changing the state that the next is decided from.

`decide` uses it so that one action may have consequences of consequences (trade -> garnet -> all locked -> the end).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from games.contract import Fact

S = TypeVar("S")


class Told(list[Fact]):
    """The facts of one decision, with the state that evolving them gave: the engine need not do it a second time."""

    __slots__ = ("state",)
    state: Any


class Story(Generic[S]):
    """Facts so far, and the state after them."""

    __slots__ = ("_evolve", "facts", "state")

    def __init__(self, state: S, evolve: Callable[[S, Fact], S]) -> None:
        self.state = state
        self.facts = Told()
        self.facts.state = state
        self._evolve = evolve

    def tell(self, *facts: Fact) -> None:
        """Add facts; the state follows at once."""
        for fact in facts:
            self.facts.append(fact)
            self.state = self._evolve(self.state, fact)
        self.facts.state = self.state

    def tell_all(self, facts: Iterable[Fact]) -> bool:
        """Add facts; were there any?"""
        before = len(self.facts)
        self.tell(*facts)
        return len(self.facts) > before
