"""Pairs of matches of games with a generator of their own that differ only in what the viewer may not know.

The method: harness.py. The other games have those that come by themselves (test_secrecy_default.py).
A game's own pairs stand in the file of its name; seeded leaks in test_secrecy_GAME.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from games.registry import load
from tests.secrecy import harness as harness, judging as judging
from tests.secrecy.generators import generator, has_generator
from tests.secrecy.kept import Kept
from tests.secrecy.script import PUBLIC
from tests.support.guide import built_in
from tests.support.sizes import SOAK, log_number

GAMES = [name for name in built_in() if has_generator(name)]
SHARES = 4
"""Into how many tests the pairs of a game are split, so that they can run side by side."""


class Met(NamedTuple):
    """What the pairs of the quick run must meet: see `judging.reached`."""

    seen: str
    hidden: str
    told: Sequence[str]
    refused: str = ""
    besides: Callable[[judging.Reached], Any] = lambda found: found.differing == len(found.pairs)


def hands_differ(found: judging.Reached, more_than: float) -> bool:
    """In so large a part of the pairs."""
    return sum(pair.one.hands != pair.other.hands for pair in found.pairs) > more_than * len(found.pairs)


def of_marsmatch(found: judging.Reached) -> bool:
    """Plays are refused in every way; matches that are not finished have both clocks, and often a second round."""
    going_on = [pair.one.setup["settings"] for pair in found.pairs if pair.one.hands != pair.other.hands]
    codes = {"not_your_turn", "not_held", "does_not_beat", "leader_passes", "no_clock", "no_combination", "is_out"}
    return (
        codes <= {kind.partition("marsmatch.")[2] for kind in found.kinds}
        and "refusal marsmatch.not_held" in found.kinds
        and {settings["turn_seconds"] for settings in going_on} == {0, 90}
        and sum(settings["rounds"] == 2 for settings in going_on) > 3
        and found.differing > 0.85 * len(found.pairs)
        and hands_differ(found, 0.4)
    )


def of_polar(found: judging.Reached) -> bool:
    """Only who has prices can be told too much by those of a market."""
    markets = {pair.viewer for pair in found.pairs if pair.one.setup["settings"]["price_scope"] == "market"}
    return bool(markets - {PUBLIC}) and found.differing == len(found.pairs)


TRADING = "trade offer accept withdraw decline recolour lock unlock"
MET = {
    "equilibrium": Met(
        f"{TRADING} open close gift vote award lot deadline amend-setting pause",
        f"{TRADING} deal note ruling override penalty breach award vote blank alias undo amend confirm --force --at",
        [f'"phase": "{phase}"' for phase in ("trading", "deciding", "finished")],
        "no_garnet card_not_held pair_used no_offer not_locked",
        lambda found: {"view", "scores"} <= found.kinds and hands_differ(found, 0.5),
    ),
    "freeform": Met(
        "open close resolve seal add",
        "seal do set add move give draw blank undo admit refused buy pay lend judge amend-setting --why",
        ('"finished"', '"between"', "bought a lantern", "Elimination Candidate"), "bounds word",
    ),
    "hex_parties": Met(
        "sides move blank open close resolve override vote gift --bonus",
        "sides move blank undo admit refused --bonus note breach ruling override award tokens penalty alias",
        ("bounced", "occupied", "is used up", '"finished"', "Shaded for"), "cell no_piece sides_over",
    ),
    "marsmatch": Met(
        "draw deal open play pass timeout", "note ruling breach alias penalty override play refused",
        ("drone", "rocket", "boat", "finished", "UFO", "Starlink", "human_hand", "real"), besides=of_marsmatch,
    ),
    "poker_auction": Met(
        "--drawn --diamonds --destroy --gift power bid blank open close resolve",
        "power bid blank withdraw undo admit refused --as-sent note breach "
        "--diamonds --destroy --gift override award tokens penalty alias",
        ("destroyed", "no_valid_bids", '"because_of_invalid_bids": true', '"finished"', '"power"'),
        "over_budget not_owned power_first power_over nothing_sent used other_round",
    ),
    "polar": Met(
        "--drawn --ticket --swap --bomb start submit blank open close resolve",
        "start submit go swap bomb buy blank undo admit refused --as-sent --buy unicorn attic bazooka "
        "override award tokens penalty alias breach vote",
        ('"finished"', '"pregame"', "Drawn by lot for you", "Elimination Candidate"),
        "pregame pregame_over room not_on table.no_vote table.no_gift", of_polar,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_pairs_get_everywhere_and_leave_the_same(name: str, kept: Kept) -> None:
    pairs, met = generator(name), MET[name]
    found = judging.reached(
        harness.Memory(load(name), pairs.knows), pairs,
        seen=met.seen, hidden=met.hidden, told=met.told, refused=met.refused,
    )  # fmt: skip
    assert found.viewers >= {*pairs.NAMES[:6], PUBLIC}
    assert met.besides(found), met.besides.__doc__ or f"{found.differing} of {len(found.pairs)} pairs differ"
    assert not kept.changed(f"{name} pairs", found.traces), (
        "look at what is told otherwise: make told; then make goldens"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("share", range(SHARES))
def test_pairs_leave_the_same(name: str, share: int, record_property: Any) -> None:
    """Many more than those of the quick run: what leaves is the same byte for byte."""
    pairs, rejected = generator(name), 0
    paper = harness.Memory(load(name), pairs.knows)
    seeds = range(share, 2_000 * SOAK, SHARES)
    for seed in seeds:
        found = judging.draw_pair(pairs.draw, seed, paper.play)
        judging.check(found.pair, found.leak, paper.play)
        rejected += found.rejected
    assert rejected < max(len(seeds), 30), judging.DRIFTED
    log_number(record_property, len(seeds))
