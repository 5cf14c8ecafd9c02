"""The harness can fail: each leak that is put into a game on purpose is found (`LEAKS` in test_secrecy_GAME.py)."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from games.registry import load
from tests.secrecy.generators import generator, has_generator
from tests.secrecy.leaks import Leaky, found_within, told_at_the_terminal
from tests.support.guide import built_in

GAMES = [name for name in built_in() if has_generator(name)]
LEAKS: dict[str, dict[str, Leaky]] = {
    game: importlib.import_module(f"tests.secrecy.test_secrecy_{game}").LEAKS for game in GAMES
}
AT_THE_TERMINAL = {"equilibrium": 5, "hex_parties": 2, "marsmatch": 3, "poker_auction": 3, "polar": 3}
"""So many pairs of each game through the real commands show a leak there."""


@pytest.mark.parametrize(("game", "leak"), [(game, leak) for game in GAMES for leak in LEAKS[game]])
def test_seeded_leaks_are_found(game: str, leak: str, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """Each leak is found; which pair showed it is recorded with the test."""
    pairs = generator(game)
    leaky = LEAKS[game][leak](load(game), monkeypatch)
    leaky = pairs.whole(leaky) if hasattr(pairs, "whole") else leaky
    record_property("pairs", found_within(leaky, pairs))


@pytest.mark.parametrize("game", AT_THE_TERMINAL)
def test_the_terminal_finds_one_too(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pairs through the real commands can fail as well: the number of entries in the JSON of a running match."""
    told = told_at_the_terminal(load(game), generator(game), AT_THE_TERMINAL[game], tmp_path, monkeypatch)
    assert any("-f json" in where for where in told)
