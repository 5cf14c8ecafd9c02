"""Notices: what a viewer is told of the facts of one command, one sentence a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from games.contract import Fact
from games.kit.blocks import Span

News: TypeAlias = str | tuple[Span, ...] | None
"""One sentence, or None when the fact is not for that viewer."""


def sentences(
    news: Callable[[Any, Fact, str], News], state: Any, facts: Iterable[Fact], viewer: str
) -> tuple[str | tuple[Span, ...], ...]:
    """Each sentence of a game's `news` for this viewer, once, in the order of the facts."""
    return tuple(dict.fromkeys(line for fact in facts if (line := news(state, fact, viewer))))


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "garnet"), count(0, "garnet")
    ('1 garnet', '0 garnets')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
