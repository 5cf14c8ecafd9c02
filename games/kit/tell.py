"""Notices: what a viewer is told of the facts of one command, one sentence a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.contract import Fact


def sentences(
    news: Callable[[Any, Fact, str], str | None], state: Any, facts: Iterable[Fact], viewer: str
) -> tuple[str, ...]:
    """Each sentence of a game's `news` for this viewer, once, in the order of the facts."""
    return tuple(dict.fromkeys(line for fact in facts if (line := news(state, fact, viewer))))
