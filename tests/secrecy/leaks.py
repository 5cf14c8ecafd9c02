"""Seeded leaks: a game that says more than it may, so that the harness can be seen to fail. Shared by every game.

A `Leaky` takes a game and gives back one that leaks; what it must change outside the game it changes by the patch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from secrecy_harness import Memory, Terminal, differs, draw_pair

from events.audiences import EVERYBODY, HOST_VIEWER
from events.errors import Refused
from games.contract import Game
from games.kit.blocks import items
from ledger import reports

Leaky = Callable[[Game, pytest.MonkeyPatch], Game]


def changed_view(change: Callable[[Any, str, Any], Any]) -> Leaky:
    """A game whose view says more; the host's stays as it is."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def view(state: Any, viewer: str) -> Any:
            shown = game.view(state, viewer)
            return shown if viewer == HOST_VIEWER else change(state, viewer, shown)

        return game._replace(view=view)

    return leak


def added_text(words: Callable[[Any, str], Any]) -> Leaky:
    """A game whose report says one thing more, out of the state."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        last: dict[str, Any] = {}

        def view(state: Any, viewer: str) -> Any:
            last["state"] = state
            return game.view(state, viewer)

        def report(frame: Any, shown: Any, result: Any) -> Any:
            more = words(last["state"], frame.viewer) if frame.viewer != HOST_VIEWER else None
            extra = [] if more is None else [items(more) if isinstance(more, str) else more]
            return [*game.report(frame, shown, result), *extra]

        return game._replace(view=view, report=report)

    return leak


def added_notice(words: Callable[[Any, list[Any], str], str | None]) -> Leaky:
    """A game that tells somebody one thing more."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def tell(state: Any, facts: Any, viewer: str) -> Any:
            listed = list(facts)
            more = words(state, listed, viewer) if viewer != HOST_VIEWER else None
            return [*game.tell(state, listed, viewer), *([items(more)] if more else [])]

        return game._replace(tell=tell)

    return leak


def changed_rules(judge: Callable[[Any, Any, Refused | None], Refused | None]) -> Leaky:
    """A game that refuses otherwise."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def decide(state: Any, action: Any, moment: Any) -> Any:
            try:
                facts = game.decide(state, action, moment)
            except Refused as refusal:
                raise judge(state, action, refusal) or refusal from None
            if (refusal := judge(state, action, None)) is not None:
                raise refusal
            return facts

        return game._replace(decide=decide)

    return leak


def opened_to_everybody(kind: type) -> Leaky:
    """A game in which everybody may open the entries of one verb."""

    def leak(game: Game, patch: pytest.MonkeyPatch) -> Game:
        def audience(state: Any, action: Any) -> Any:
            return EVERYBODY if isinstance(action, kind) else game.audience(state, action)

        return game._replace(audience=audience)

    return leak


def entries_always(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """The number of entries in the JSON of a running match."""
    real = reports.result_json

    def result_json(match: Any, point: Any) -> Any:
        return {**real(match, point), "entries": len(match.book.entries)}

    patch.setattr(reports, "result_json", result_json)
    return game


def reminders_count(game: Game, patch: pytest.MonkeyPatch) -> Game:
    """A reminder that says how many others are late as well."""

    def waiting(state: Any) -> Any:
        owed = game.waiting(state)
        return tuple(due._replace(what=f"{due.what}, like {len(owed) - 1} others,") for due in owed)

    return game._replace(waiting=waiting)


def others(state: Any, viewer: str) -> list[str]:
    """Everybody of whom the viewer may not know everything."""
    return [p for p in state.table.seats if p != viewer]


def found_within(game: Game, pairs: ModuleType, most: int) -> int:
    """How many pairs it took until one told the two matches apart.

    Args:
        pairs: The module that draws the pairs of that game.

    Raises:
        AssertionError: none of the first `most` did.
    """
    paper = Memory(game, pairs.knows)
    for seed in range(most):
        try:
            drawn = draw_pair(pairs.draw, seed, paper.play)
        except (AssertionError, ZeroDivisionError):
            continue  # no pair, or the same crash in both
        if drawn.leak is not None:
            return seed + 1
    raise AssertionError(f"{most} pairs did not show it")


def told_at_the_terminal(
    game: Game, pairs: ModuleType, most: int, folder: Path, patch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Where the first `most` pairs differ when `entries_always` leaks and they are played by the real commands."""
    paper, terminal = Memory(game, pairs.knows), Terminal(folder)
    drawn = [draw_pair(pairs.draw, seed, paper.play).pair for seed in range(most)]
    entries_always(game, patch)
    return (differs(pair, terminal.play) or "" for pair in drawn)
