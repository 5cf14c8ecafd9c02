"""Pairs of matches of games with a generator of their own that differ only in what the viewer may not know.

The method: harness.py. The other games have those that come by themselves (test_secrecy_default.py).
A game's own pairs stand in the file of its name; what they must reach, and seeded leaks, in test_secrecy_GAME.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.registry import load
from tests.secrecy import harness as harness, judging as judging
from tests.secrecy.generators import generator, has_generator
from tests.support.guide import built_in
from tests.support.sizes import SOAK, many

GAMES = [name for name in built_in() if has_generator(name)]
SHARES = 4
"""Into how many tests the pairs of a game are split, so that they can run side by side."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("share", range(SHARES))
def test_pairs_leave_the_same(name: str, share: int, record_property: Any) -> None:
    """Many more than those of the quick run (test_secrecy_GAME.py): what leaves is the same byte for byte."""
    pairs = generator(name)
    game = pairs.whole(load(name)) if hasattr(pairs, "whole") else load(name)
    seeds = range(share, 20_000 * SOAK, SHARES)
    judging.all_leave_the_same(harness.Memory(game, pairs.knows), pairs.draw, seeds, record_property)


@pytest.mark.parametrize("name", GAMES)
def test_pairs_through_the_real_commands(name: str, tmp_path: Path) -> None:
    """The same through the command line: every verb, every format, -o files, stderr, exit codes, notices, refusals."""
    pairs = generator(name)
    paper = harness.Memory(load(name), pairs.knows)
    judging.all_print_the_same(paper, pairs.draw, many(*pairs.COMMANDS), tmp_path)
