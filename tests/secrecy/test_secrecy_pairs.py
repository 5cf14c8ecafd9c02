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
from tests.secrecy.folder import Terminal
from tests.secrecy.generators import generator, has_generator
from tests.support.guide import built_in
from tests.support.sizes import SOAK, log_number, many

GAMES = [name for name in built_in() if has_generator(name)]
SHARES = 4
"""Into how many tests the pairs of a game are split, so that they can run side by side."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("share", range(SHARES))
def test_pairs_leave_the_same(name: str, share: int, record_property: Any) -> None:
    """Many more than those of the quick run (test_secrecy_GAME.py): what leaves is the same byte for byte."""
    pairs, rejected = generator(name), 0
    game = pairs.whole(load(name)) if hasattr(pairs, "whole") else load(name)
    paper, seeds = harness.Memory(game, pairs.knows), range(share, 2_000 * SOAK, SHARES)
    for seed in seeds:
        found = judging.draw_pair(pairs.draw, seed, paper.play)
        judging.check(found.pair, found.leak, paper.play)
        rejected += found.rejected
    assert rejected < max(len(seeds), 30), judging.DRIFTED
    log_number(record_property, len(seeds))


@pytest.mark.parametrize("name", GAMES)
def test_pairs_through_the_real_commands(name: str, tmp_path: Path) -> None:
    """The same through the command line: every verb, every format, -o files, stderr, exit codes, notices, refusals."""
    pairs, terminal = generator(name), Terminal(tmp_path)
    paper = harness.Memory(load(name), pairs.knows)
    for seed in range(many(*pairs.COMMANDS)):
        pair = judging.draw_pair(pairs.draw, 7_000_000 + seed, paper.play).pair
        found = judging.differs(pair, terminal.play)
        assert found is None, f"{found}\n{judging.in_words(pair)}"
