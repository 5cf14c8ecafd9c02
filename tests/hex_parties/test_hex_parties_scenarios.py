"""Two worked scenarios of Hex Parties, played through the command line: HX1 (movement) and HX2 (points, two winners).

Every expected value was worked out by hand from the rules. What is checked is what a host's script would read: the exit
code and the JSON; and what a host reads of a preview, and of what cannot be understood.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.host import Host, hl, match_file

PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
HX1 = [
    "sides p1 A2", "move p1 odd D5 even D4",
    "sides p2 B6", "move p2 odd B3 even D5",
    "sides p3 F8", "move p3 odd E9 even H3",
    "sides p4 I4", "move p4 odd F4 even H3",
    "sides p5 H1", "move p5 odd I1 even H1",
    "sides p6 D1", "move p6 odd A1 even A1",
]  # fmt: skip
HX1_CELLS = {
    "p1": ("A2", "D4"), "p2": ("B3", "D8"), "p3": ("E9", "H6"),
    "p4": ("F4", "I2"), "p5": ("I1", "H1"), "p6": ("D1", "A1"),
}  # fmt: skip
HX2 = """[settings.start]
p1 = ["E5", "A2"]
p2 = ["B2", "E6"]
p3 = ["D5", "I2"]
p4 = ["I3", "A1"]
p5 = ["F1", "B1"]
p6 = ["H6", "E9"]
"""


def table(settings: str = "", players: tuple[str, ...] = PLAYERS, garnets: int = 1) -> str:
    """A match file."""
    seats = {p: {"name": p.upper(), "garnets": garnets} for p in players}
    return match_file("hex_parties", seats, settings, zone="UTC")


@pytest.fixture
def start(host):
    """Makes and opens a match."""

    def made(settings: str = "", **given: Any) -> Host:
        host.new(table(settings, **given))
        host.write("open")
        return host

    return made


def cells(host: Host, viewer: str = "host") -> dict[str, tuple[str, str]]:
    return {p: (row["odd"], row["even"]) for p, row in host.view(viewer)["players"].items()}


def points(host: Host) -> list[int]:
    return [row["points"] for row in host.view("public")["players"].values()]


# ---- the end, as it is told -----------------------------------------------------------------------------------------


def test_the_board_in_discord(start):
    """6: letters for rows, numbers for cells, circles and squares; no tag looks like a cell or a word of the legend."""
    host = start(players=("a1", "odd", "x", "b2", "even", "xx"))
    text = host.hl("board -f discord").out
    rows = text.partition("```\n")[2].partition("\n```")[0].splitlines()
    assert [row[0] for row in rows] == list("ABCDEFGHI") and rows[4].split() == list("E123456789")
    assert sum(row.count("○") for row in rows) == sum(row.count("□") for row in rows) == 6
    legend = text.rpartition("```\n")[2].strip().splitlines()[0].split(" · ")
    assert legend[:2] == ["○ odd (may change in round 1)", "□ even"]
    marks = [entry.split(" ")[0] for entry in legend]
    assert len(marks) == len(set(marks)) == 8, marks
    assert not [mark for mark in marks if re.fullmatch("[A-I][1-9]", mark)]


# ---- HX1 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [HX1, HX1[::-1]], ids=["forwards", "backwards"])
def test_hx1(start, order):
    """HX1: results of all twelve orders, parties and points, whatever the order of recording."""
    host = start()
    for line in order:
        host.write(line)
    host.write("resolve")
    assert cells(host) == cells(host, "public") == HX1_CELLS
    assert points(host) == [1, 1, 0, 0, 1, 0]
    view = host.view()
    assert set(view["rounds"][0]) == {"round", "positions", "parties", "gained", "points", "bounced", "illegal"}
    assert view["rounds"][0]["positions"] == {p: {"odd": o, "even": e} for p, (o, e) in HX1_CELLS.items()}
    assert [(party["cells"], party["size"], party["scores"]) for party in view["rounds"][0]["parties"]] == [
        (["A1", "A2", "B3"], 3, "odd"),
        (["D8", "E9"], 2, "none"),
        (["H1", "I1", "I2"], 3, "odd"),
    ]
    bounced = {(x["player"], x["piece"], x["to"]) for x in view["rounds"][0]["bounced"]}
    assert bounced == {("p1", "odd", "D5"), ("p2", "even", "D5"), ("p3", "even", "H3"), ("p4", "even", "H3")}
    assert [(x["player"], x["piece"], x["to"]) for x in view["rounds"][0]["illegal"]] == [("p6", "odd", "A1")]
    assert (view["phase"], view["round"], view["winners"]) == ("round", 2, [])
    assert host.json("verify")["ok"] is True


def test_hx1_the_preview(start):
    """Issue: the preview says per piece: moved, bounced with whom, illegal and why; who owes; it records nothing."""
    host = start()
    for line in HX1[:-2]:
        host.write(line)
    host.write("move p6 odd A1 even A1")
    before = host.log
    said = host.hl("resolve").err
    assert host.log == before
    for line in (
        "P1, odd to D5: bounced with P2's even piece: it stays",
        "P1, even: moved from A4 to D4",
        "P2, even to D5: bounced with P1's odd piece: it stays",
        "P6, odd to A1: illegal, B1 on the way to A1 is occupied: it stays",
        "P6, even: moved from B1 to A1",
        "a party of 3 (A1 A2 B3): its odd pieces score",
        "a party of 2 (D8 E9): nobody scores",
        "P5 scores 1 point with odd on I1 in a party of 3",
        "nothing that counts has come from P6",
        "this ends round 1 now, not",
        "and P6 still owes something\n",
        "nothing is recorded yet; --yes --early records it",
    ):
        assert line in said, said


# ---- HX2 -----------------------------------------------------------------------------------------------------------


def test_hx2(start):
    """HX2: two rounds in which nobody moves; P1 and P3 end the match, and both vote P6."""
    host = start(HX2)
    for player, n in zip(PLAYERS, (3, 2, 6, 1, 5, 2), strict=True):
        host.write(f"override {player} points {n}")
    host.write("resolve")
    view = host.view()
    assert points(host) == [6, 2, 7, 2, 6, 2] and list(view["rounds"][0]["gained"].values()) == [3, 0, 1, 1, 1, 0]
    assert {(tuple(party["cells"]), party["scores"]) for party in view["rounds"][0]["parties"]} == {
        (("D5", "E5", "E6"), "odd"),
        (("A1", "A2", "B1", "B2"), "even"),
        (("I2", "I3"), "none"),
    }
    assert view["winners"] == [] and view["round"] == 2
    host.write("resolve")
    assert points(host) == [9, 2, 8, 3, 7, 2] and host.view("public")["winners"] == ["p1", "p3"]
    final = host.json("final")
    assert final["tokens"] == {"p1": 1, "p2": 0, "p3": 1, "p4": 0, "p5": 0, "p6": 0}
    assert host.json("final --for host")["garnets"] == {"p1": 2, "p2": 1, "p3": 2, "p4": 1, "p5": 1, "p6": 1}
    assert final["status"] == "deciding"
    host.write("vote p1 p6")
    host.write("vote p3 p6")
    assert host.json("final")["elimination"] == ["p6"] and host.view()["phase"] == "finished"
    assert host.json("verify")["findings"] == []


# ---- bonuses -------------------------------------------------------------------------------------------------------


def test_the_template_is_a_match_file(host):
    """Issue: three bonuses are offered; every line of the template is understood when its # is taken away."""
    text = hl("template", "hex_parties").out
    for name in ("sprint", "leap", "bend"):
        assert f'{{ name = "{name}"' in text
    named = re.sub(r"(?m)^#(?=\[|[a-z_]+ = )", "", text)
    sample = re.search(r"(?m)^#\s+(bonuses = .*bend.*)$", text)
    assert sample is not None
    named = re.sub(r"(?m)^bonuses = \[\]$", sample[1], named)
    host.new(named)
    assert host.json("assumptions")["assumptions"] == []
    assert len(host.view()["bonuses"]) == 3


# ---- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ('[settings.start]\np1 = ["E5", "A1"]', "p2, p3, p4, p5, p6 have none"),
        (HX2.replace('["E5", "A2"]', '["E5", "B2"]'), "B2 is given to p1 and p2"),
        (HX2.replace('["E5", "A2"]', '["E5", "A9"]'), "row A has 5 cells"),
        (HX2.replace('["E5", "A2"]', '["E5"]'), "p1 needs two cells"),
        (HX2.replace('["E5", "A2"]', '"E5 A2"'), "must be a list"),
        (HX2 + 'p7 = ["G1", "G2"]\n', 'there is no player "p7"'),
        ('start = "template"', "must be a table"),
        ('bonuses = [{ name = "fly" }]', "fly changes nothing"),
        ('bonuses = [{ name = "fly", range = 99 }]', "range must be at most 8"),
        ('bonuses = "sprint"', "must be a list"),
        ("bonuses = [1]", "must be a table"),
    ],
)
def test_a_broken_match_file(host, settings, what):
    """Issue: a broken start layout, a bonus that is none: said with the file's name, and nothing is made."""
    host.new(table(settings), code=2)
    assert what in host.err and "match.toml" in host.err, host.err
    assert not host.path.exists()


# ---- the end at the command line -----------------------------------------------------------------------------------


def test_the_lot_of_the_odd_piece_is_in_the_log(start):
    """HX-9, S-G5: resolve records a lot for everybody with its seed; verify repeats it; undo takes it back."""
    host = start('missing_parity = "lot"\n')
    for player, cell in zip(PLAYERS[1:], ("B6", "F8", "I4", "H1", "D1"), strict=True):
        host.write(f"sides {player} {cell}")
    host.write("resolve")
    (entry,) = host.json("log --kind resolve")["entries"]
    drawn = dict(line.split() for line in entry["args"]["drawn"])
    assert list(drawn) == list(PLAYERS) and len(entry["args"]["seed"]) == 64
    assert cells(host, "public")["p1"][0] == {"first": "A2", "second": "A4"}[drawn["p1"]]
    assert [odd for odd, _ in cells(host).values()][1:] == ["B6", "F8", "I4", "H1", "D1"], (
        "a choice goes before the lot"
    )
    assert host.json("verify")["findings"] == []
    host.write("undo")
    assert host.view()["round"] == 1 and host.view()["sheets"]["p1"] is None
