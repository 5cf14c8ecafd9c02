"""Two worked scenarios of Equilibrium, played through the command line: E1 (garnets) and E2 (the final ranking).

Every expected value was worked out by hand from the rules. The commands run in this process; what is checked is what a
host's script would read: the exit code and the JSON.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.ended import DEAL as E1, ENDS as E2, GARNETS as E1_GARNETS
from tests.support.host import Host, match_file

PLAYERS = [f"p{n}" for n in range(1, 9)]


@pytest.fixture
def start(host):
    """Makes, deals and opens a match."""

    def made(hands: dict[str, str], garnets: dict[str, int] | None = None, settings: str = "") -> Host:
        host.new(match_file("equilibrium", dict.fromkeys(PLAYERS, 0) | (garnets or {}), settings, zone="UTC"))
        host.deal(hands)
        host.write("open")
        return host

    return made


def hand(host: Host, player: str) -> str:
    return " ".join(host.have("hand")[player])


def earned(answer: Any) -> list[tuple[str, str, str]]:
    """What a write verb answered about garnets for hands: (player, class, what became of it)."""
    return [
        (fact["player"], fact["hand_class"], fact["garnet"])
        for fact in answer["facts"]
        if fact["fact"] == "class_ticked"
    ]


# ---- E1 ---------------------------------------------------------------------------------------------------------


def play_e1(host: Host, dealt: int) -> None:
    """Rows 1 to 9 of E1. `dealt`: what P6's dealt flush earned."""
    now = {**E1_GARNETS, "p6": 1 + dealt}
    assert host.have("garnets") == now

    answer = host.write("trade p1 R2 p2 B4")
    assert earned(answer) == [("p1", "full", "received"), ("p2", "flush", "received")]
    assert (hand(host, "p1"), hand(host, "p2")) == ("B4 B4 R4 B9 R9", "R2 R6 R7 R8 R10")
    now |= {"p1": 2, "p2": 1}
    assert host.have("garnets") == now

    answer = host.write("recolour p3 R9")
    assert earned(answer) == [("p3", "flush", "received")]
    assert hand(host, "p3") == "B5 B6 B7 B8 B9"
    assert host.have("garnets") == now  # 3 -> 2 -> 3

    answer = host.write("trade p4 R5 p5 R3")
    assert earned(answer) == [("p4", "full", "at_cap")]
    assert hand(host, "p4") == "B3 R3 R3 B10 R10"
    assert host.have("garnets") == now

    answer = host.write("recolour p4 R10")
    assert earned(answer) == [] and host.view()["players"]["p4"]["class"] == "full"
    now |= {"p4": 2}
    assert host.have("garnets") == now

    host.refused("trade p1 R9 p2 R10", "equilibrium.pair_used")
    host.refused("trade p6 R1 p7 R2", "equilibrium.card_not_held")
    assert "p7" not in host.view()["players"]["p6"]["traded_with"]

    before = host.view()["players"]
    answer = host.write("trade p7 R1 p8 R1")
    after = host.view()["players"]
    assert (after["p7"]["hand"], after["p8"]["hand"]) == (before["p7"]["hand"], before["p8"]["hand"])
    assert after["p7"]["traded_with"] == ["p8"] and earned(answer) == []
    host.refused("trade p8 R1 p7 R1", "equilibrium.pair_used")

    host.write("recolour p8 R7")
    now |= {"p8": 0}
    assert host.have("garnets") == now
    host.refused("recolour p8 R5", "equilibrium.no_garnet")
    assert host.have("garnets") == now


def test_e1(start):
    """E1: garnets, cap, burnt classes, refused trades."""
    host = start(E1, E1_GARNETS, "garnet_cap = 3\n")
    play_e1(host, dealt=1)
    assert host.have("garnets") == {"p1": 2, "p2": 1, "p3": 3, "p4": 2, "p5": 1, "p6": 2, "p7": 1, "p8": 0}
    assert host.json("verify")["ok"] is True


def test_e1_with_straights(start):
    """E1, variant straight added to garnet_hands: same totals; P3's dealt straight is met at the cap and burnt."""
    host = start(E1, E1_GARNETS, 'garnet_hands = ["four", "full", "flush", "straight"]\n')
    row = host.view()["players"]["p3"]
    assert row["class"] == "straight" and row["earned"] == ["straight"]
    play_e1(host, dealt=1)
    assert host.have("garnets") == {"p1": 2, "p2": 1, "p3": 3, "p4": 2, "p5": 1, "p6": 2, "p7": 1, "p8": 0}
    assert host.view()["players"]["p3"]["earned"] == ["straight", "flush"]


# ---- E2 ---------------------------------------------------------------------------------------------------------

CLASSES = dict(zip(PLAYERS, ["four", "full", "flush", "flush", "two_pair", "straight", "trips", "high"], strict=True))
TOTALS = dict(zip(PLAYERS, [14, 37, 27, 27, 46, 20, 13, 36], strict=True))
COUNT = dict(zip(PLAYERS, [1, 1, 5, 5, 1, 1, 1, 3], strict=True))
VALUE = dict(zip(PLAYERS, [10, 7, 27, 27, 8, 8, 3, 16], strict=True))
BY_COUNT = [["p5"], ["p2"], ["p6"], ["p1"], ["p7"], ["p8"], ["p3", "p4"]]
BY_VALUE = [["p7"], ["p2"], ["p5"], ["p6"], ["p1"], ["p8"], ["p3", "p4"]]


def ended_with_e2(start: Any, how: str, settings: str = "", garnets: dict[str, int] | None = None) -> Host:
    """A match whose final hands are E2's: dealt so, or set by a host before or after the end."""
    host = start(E2 if how == "dealt" else E1, garnets, settings)
    if how == "set after the end":
        host.write("close")
    if how != "dealt":
        for player, cards in E2.items():
            host.write("override", player, "hand", cards)
    if how != "set after the end":
        host.write("close")
    return host


@pytest.mark.parametrize("how", ["dealt", "set after the end"])
@pytest.mark.parametrize("metric", ["count", "value"])
def test_e2(start, how, metric):
    """E2: final ranking, tokens and EC candidates under both metrics, however the hands came about."""
    host = ended_with_e2(start, how, f'er_metric = "{metric}"\n')
    rows = host.view()["players"]
    assert {p: row["class"] for p, row in rows.items()} == CLASSES
    assert {p: row["total"] for p, row in rows.items()} == TOTALS
    assert {p: row["equilibrium"] for p, row in rows.items()} == (COUNT if metric == "count" else VALUE)
    final = host.final()
    assert final["ranking"] == (BY_COUNT if metric == "count" else BY_VALUE)
    assert final["scores"] == (COUNT if metric == "count" else VALUE)
    best = "p5" if metric == "count" else "p7"
    assert {p: n for p, n in final["tokens"].items() if n} == {best: 1, "p1": 1, "p2": 1}
    assert final["status"] == "deciding" and final["elimination"] == []
    (vote,) = final["decisions"]
    assert vote["kind"] == "vote" and sorted(vote["who"]) == sorted(["p1", "p2", best])
    assert vote["among"] == ["p3", "p4"]
