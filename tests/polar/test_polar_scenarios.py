"""Two worked scenarios of Polar RPS Party, played through the command line: PL1 (bombs) and PL2 (two rounds of sheets).

Every expected value was worked out by hand from the rules. The commands run in this process; what is checked is what a
host's script would read: the exit code and the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.support import host
from tests.support.host import match_file

ROOMS = ("rock", "paper", "scissors")


class Host(host.Host):
    """A host of Polar."""

    def scores(self) -> dict[str, int]:
        """Of the last resolved round."""
        return dict(self.view()["rounds"][-1]["scores"])


@pytest.fixture
def new(tmp_path, monkeypatch):
    """Makes and opens a match."""

    def made(garnets: Mapping[str, int], settings: str = "") -> Host:
        seats = {p: {"name": p.upper(), "garnets": n} for p, n in garnets.items()}
        at = Host(tmp_path, monkeypatch).new(match_file("polar", seats, settings, zone="UTC"))
        at.write("open")
        return at

    return made


# ---- PL2 -----------------------------------------------------------------------------------------------------------

GARNETS = {"a": 4, "b": 0, "c": 6, "d": 1}
START = [
    "start a rock + confetti,ticket", "start b rock - double,bazooka --as-sent", "start c paper + polarity polarity",
    "start d scissors - ticket,confetti",
]  # fmt: skip
FIRST = [
    "submit a --ticket paper --bomb ticket paper", "submit b --ticket rock --swap",
    "submit c --buy ticket,ticket,ticket --bomb polarity rock --bomb polarity paper --as-sent",
    "submit d --buy swap --ticket rock",
]  # fmt: skip
SECOND = [
    "submit a --buy double,confetti,polarity --bomb double rock", "submit c --ticket scissors", "submit d --swap",
]  # fmt: skip


def play_pl2(host: Host, *, first: list[str] = FIRST, second: list[str] = SECOND) -> None:
    for line in (*START, "resolve", *first, "resolve", *second, "resolve"):
        host.write(line)


def test_pl2(new):
    """PL2: the start; both rounds with rooms, signs, points, inventories, garnets, what is void; the third bomb is too
    dear."""
    host = new(GARNETS)
    for line in (*START, "resolve"):
        host.write(line)
    assert host.have("bombs") == {
        "a": {"confetti": 1, "ticket": 1}, "b": {"double": 1}, "c": {"polarity": 2}, "d": {"confetti": 1, "ticket": 1},
    }  # fmt: skip
    assert host.have("tickets") == dict.fromkeys("abcd", 4) and host.have("swaps") == dict.fromkeys("abcd", 2)
    assert host.have("garnets") == GARNETS and host.view()["phase"] == "round"
    for line in FIRST:
        host.write(line)
    told = host.write("resolve")
    seen = host.view("public")["rounds"][0]
    assert seen["rooms"] == {"rock": ["b", "d"], "paper": ["a", "c"], "scissors": []}
    assert seen["signs"] == {"a": "+", "b": "+", "c": "+", "d": "-"} and seen["bombs"] == {"paper": {"ticket": 1}}
    assert seen["scores"] == host.have("points") == {"a": 2, "b": -2, "c": 2, "d": -2}
    assert host.have("tickets") == {"a": 4, "b": 4, "c": 8, "d": 3}
    assert host.have("swaps") == {"a": 2, "b": 1, "c": 2, "d": 3}
    assert host.have("garnets") == {"a": 4, "b": 0, "c": 0, "d": 0} and host.have("bombs")["c"] == {"polarity": 2}
    void = [fact for fact in told["facts"] if fact["fact"] == "item_void"]
    assert [(v["player"], v["rule"], v["resolved"]) for v in void] == [("b", "PL-8", True), ("c", "PL-10", True)]
    for line in (*SECOND, "resolve"):
        host.write(line)
    seen = host.view("public")["rounds"][1]
    assert seen["rooms"] == {"rock": ["b", "d"], "paper": ["a"], "scissors": ["c"]}
    assert seen["signs"] == dict.fromkeys("abcd", "+") and seen["bombs"] == {"rock": {"double": 1}}
    assert seen["scores"] == {"a": 1, "b": 0, "c": -1, "d": 0}
    assert seen["totals"] == host.have("points") == {"a": 3, "b": -2, "c": 1, "d": -2}
    assert host.have("tickets") == {"a": 4, "b": 4, "c": 7, "d": 3}
    assert host.have("swaps") == {"a": 2, "b": 1, "c": 2, "d": 2}
    assert host.have("garnets") == {"a": 1, "b": 0, "c": 0, "d": 0} and host.have("bombs")["a"] == {"confetti": 2}
    assert host.view("a")["players"]["a"]["invalid"] == ["buy a Polarity Bomb: it costs 3 garnets, 1 left"]
    assert host.json("verify")["ok"] is True


def test_pl2_as_the_whole_match(new):
    """PL2 as a match of two rounds: A 3 first, C 1 second; B and D tie at -2, and A and C vote."""
    host = new(GARNETS, "rounds = 2")
    play_pl2(host)
    final = host.final()
    assert final["ranking"] == [["a"], ["c"], ["b", "d"]] and final["tokens"] == {"a": 2, "b": 0, "c": 1, "d": 0}
    assert final["decisions"] == [{"kind": "vote", "who": ["a", "c"], "among": ["b", "d"]}]
    host.refused("vote b d", "table.no_vote_right")
    host.refused("vote a c", "table.vote_candidate")
    host.refused("choose a b", "table.no_choose")
    host.refused("gift a b", "table.no_gift")
    host.write("vote a d")
    host.write("vote c b")
    assert host.final()["elimination"] == ["d"]  # A holds 1 garnet, C none
    host.refused("gift a d", "table.gift_candidate")
    host.write("gift a b")
    final = host.final("public")
    assert final["status"] == "finished" and final["tokens"] == {"a": 1, "b": 1, "c": 1, "d": 0}
    assert final["elimination"] == ["d"] and "garnets" not in final


def test_pl2_late_and_corrected(new):
    """PL2: A's second sheet comes late and is admitted, C's room was mistyped and is amended, D's swap is undone."""
    host = new(GARNETS)
    for line in (*START, "resolve", *FIRST, "resolve", "close"):
        host.write(line)
    late = host.write(SECOND[0])["seq"][0]
    host.write(f"ruling 'admit {late}: the train'")
    host.write("reopen")
    (wrong,) = host.write("submit c --ticket rock")["seq"]
    assert host.view()["sheets"]["c"] == "--ticket rock"
    host.write(f"amend {wrong} ticket=scissors")
    (swap,) = host.write("submit d --swap --bomb confetti rock")["seq"]
    host.write(f"amend {swap} bomb= swap=1")
    host.write("resolve")
    assert host.have("points") == {"a": 3, "b": -2, "c": 1, "d": -2}
    host.write(f"undo {swap}")
    assert host.have("sign")["d"] == "-" and host.have("points")["d"] == -2  # B + and D - in Rock: 1:1


# ---- words of the original ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    ["confetti double", "confetti-bomb Double_Bomb", "'confetti bomb' 'Double Bomb'", "confetti bomb double bomb",
     "'Confetti Bomb,Double Bomb'"],
)  # fmt: skip
def test_bombs_are_named_as_the_original_names_them(new, typed):
    """1: "Confetti Bomb", "Double Bomb", with or without quotes; a word that is near to one is still refused."""
    host = new({"a": 0, "b": 0})
    host.write(f"start a rock + {typed}")
    host.write("resolve")
    assert host.view("a")["players"]["a"]["bombs"] == {"confetti": 1, "double": 1}
    assert "did you mean confetti" in host.refused("bomb b 'confeti' rock", "polar.bomb", 2)["fix"]


def test_items_are_named_as_the_original_names_them(new):
    """2, 4: "Sign Swap" and "Ticket Bomb" are bought; a bomb with its room is typed by its whole name."""
    host = new({"a": 9, "b": 0})
    host.write("start a rock + confetti double")
    host.write("resolve")
    sheet = host.hl("buy a sign swap ticket bomb ticket").out
    assert "buy a Sign Swap, a Ticket Bomb, a Ticket" in sheet
    assert "a Confetti Bomb on Rock" in host.hl("submit a --bomb 'confetti bomb' rock --buy 'Sign Swap'").out
    assert "a Double Bomb on Paper" in host.hl("bomb a 'double bomb' paper").out


def test_the_pregame_summary_speaks_of_bombs_to_choose(new):
    """1: nobody has no bombs before the choice; afterwards who chose none has none."""
    host = new({"a": 0, "b": 0})
    assert "two bombs to choose" in host.hl("summary a").out and "no bombs" not in host.hl("summary a").out
    host.write("start a rock + confetti double")
    assert "a Confetti Bomb, a Double Bomb" in host.hl("summary a").out
    host.write("close")
    assert "to choose" not in host.hl("summary b").out
    host.write("resolve")
    assert "no bombs" in host.hl("summary b").out and "1 Confetti Bomb, 1 Double Bomb" in host.hl("summary a").out
