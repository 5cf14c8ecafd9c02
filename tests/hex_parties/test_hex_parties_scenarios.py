"""Hex Parties as hosts type it: HX1 (movement) and HX2 (points, two winners), previews, the board, match files.

How a case is written: support/lines.py. Every expected value was worked out by hand from the rules.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.hexparties import HX1, HX2, PLAYERS
from tests.support.host import hl, match_file
from tests.support.lines import at, plays


def file(settings: str = "", players: tuple[str, ...] = PLAYERS) -> str:
    return match_file("hex_parties", {p: {"name": p.upper(), "garnets": 1} for p in players}, settings, zone="UTC")


START = "[settings.start]\n" + "".join(f"{p} = {list(cells)}\n".replace("'", '"') for p, cells in HX2.items())
WRONG = {
    "start = { p1 = ['E5', 'A1'] }": "p2, p3, p4, p5, p6 have none",
    START.replace('"E5", "A2"', '"E5", "b2"'): "B2 is given to p1 and p2",
    START.replace('"E5", "A2"', '"E5", "E5"'): "E5 is given to both pieces of p1",
    START.replace('"E5", "A2"', '"E5", "A9"'): "row A has 5 cells",
    START.replace('"E5", "A2"', '"E5"'): "p1 needs two cells, the first for the odd piece; there are 1",
    START.replace('"E5", "A2"', '"E5", "E6", "E7"'): "there are 3",
    START.replace('["E5", "A2"]', '"E5 A2"'): "must be a list",
    START + 'p7 = ["G1", "G2"]\n': 'there is no player "p7"',
    'start = "template"': "must be a table",
    "bonuses = [{ range = 5 }]": "bonus 1: name is missing",
    'bonuses = [{ name = "fly" }]': "fly changes nothing",
    'bonuses = [{ name = "fly", reach = "both", cost = 3 }]': "fly changes nothing",
    'bonuses = [{ name = "sprint", range = 5 }, { name = "sprint", bend = true }]': "two bonuses are called sprint",
    'bonuses = [{ name = "a b", bend = true }]': 'bonus 1: "a b" is not a name',
    'bonuses = [{ name = "fly", range = "5" }]': "range must be a whole number",
    'bonuses = [{ name = "fly", wings = 2 }]': "wings is unknown",
    'bonuses = [{ name = "fly", bend = true, reach = "all" }]': "reach must be one or both",
    'bonuses = [{ name = "fly", range = 99 }]': "range must be at most 8",
    'bonuses = "sprint"': "must be a list",
    "bonuses = [1]": "must be a table",
}
FILES = {
    "six": file(),
    "hx2": file(START),
    "lot": file('missing_parity = "lot"'),
    "ids": file(players=("a1", "odd", "x", "b2", "even", "xx")),
    **{f"wrong{n}": file(settings) for n, settings in enumerate(WRONG)},
}
SIDES = dict(zip(PLAYERS, "A2 B6 F8 I4 H1 D1".split(), strict=True))  # noqa: SIM905
TYPED = [line for p, orders in HX1.items() for line in (f"sides {p} {SIDES[p]}", f"move {p} {orders}")]
SHORT = {
    "hx1": "file six ; open ; " + " ; ".join(TYPED),
    "backwards": "file six ; open ; " + " ; ".join(TYPED[::-1]),
    "came out": """: public odd == p1 A2, p2 B3, p3 E9, p4 F4, p5 I1, p6 D1
        : public even == p1 D4, p2 D8, p3 H6, p4 I2, p5 H1, p6 A1 ; : public points == p1 1, p2 1, p5 1
        : round parties.cells == A1 A2 B3 D8 E9 H1 I1 I2 ; : round parties.scores == odd none odd
        : round bounced.player == p1 p2 p3 p4 ; : round bounced.to == D5 D5 H3 H3 ; : round illegal.player == p6
        : round illegal.to == A1 ; : table phase == round_2 ; verify""",
    "unmoved": "resolve --yes --early",
}
SHOWS = {
    "round": lambda here, path: at(here.view()["rounds"][0], path),
    "public": lambda here, field: here.have(field, "public"),
    "lot": lambda here: here.bodies[-1]["args"]["drawn"],
    "odd": lambda here: [here.have("odd", "public")["p1"] == {"first": "A2", "second": "A4"}[of_p1(here)]],
}
HOSTS = """
HX1 results of all twelve orders, parties and points
  hx1 ; resolve --yes ; came out
HX1 whatever the order of recording
  backwards ; resolve --yes ; came out
HX1 the preview says per piece: moved, bounced with whom, illegal and why; who owes; it records nothing
  hx1 ; undo --yes ; undo --yes ; move p6 odd A1 even A1
  resolve ~ P1, odd to D5: bounced with P2's even piece: it stays ~ P1, even: moved from A4 to D4
  resolve ~ P6, odd to A1: illegal, B1 on the way to A1 is occupied: it stays ~ P6, even: moved from B1 to A1
  resolve ~ a party of 3 (A1 A2 B3): its odd pieces score ~ a party of 2 (D8 E9): nobody scores ~ --yes --early
  resolve ~ P5 scores 1 point with odd on I1 in a party of 3 ~ no choice of the odd piece from P6
  resolve ~ this ends round 1 now, not ~ and P6 still owes something / ; : kinds 1 == move
HX2 two rounds in which nobody moves; P1 and P3 end the match, and both vote P6
  file hx2 ; open ; override p1 points 3 ; override p2 points 2 ; override p3 points 6 ; override p4 points 1
  override p5 points 5 ; override p6 points 2 ; unmoved ; : public points == p1 6, p2 2, p3 7, p4 2, p5 6, p6 2
  : round gained == p1 3, p3 1, p4 1, p5 1 ; : round parties.scores == even odd none ; : state winners ==
  : round parties.cells == A1 A2 B1 B2 D5 E5 E6 I2 I3 ; unmoved ; : public points == p1 9, p2 2, p3 8, p4 3, p5 7, p6 2
  : view --for public | view.winners == p1 p3 ; : final | tokens == p1 1, p3 1 ; : final | status == deciding
  : final --for host | garnets == p1 2, p2 1, p3 2, p4 1, p5 1, p6 1 ; vote p1 p6 ; vote p3 p6
  : final | elimination == p6 ; : final | status == finished ; verify
HX-9, S-G5 resolve records a lot for everybody; verify repeats it; a choice goes before it; undo takes it back
  file lot ; open ; sides p2 B6 ; sides p3 F8 ; sides p4 I4 ; sides p5 H1 ; sides p6 D1 ; unmoved ; : lot ~ p1 ~ p6
  : odd == yes ; : public odd ~ p2 B6, p3 F8, p4 I4, p5 H1, p6 D1 ; verify ; undo --yes
  : view --for host | view.round == 1 ; : view --for host | view.sheets.p1 == none
"""


def of_p1(here: Any) -> str:
    """Which of their pieces the lot made the odd one."""
    return str(dict(line.split() for line in here.bodies[-1]["args"]["drawn"])["p1"])


test_hosts = plays(HOSTS)


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_broken_match_file(lines: Any, number: int) -> None:
    """HX-1, HX-2: a broken start layout, a bonus that is none: said with the file's name, and nothing is made."""
    why = [*WRONG.values()][number]
    lines(f"nothing ; 2 > new m --from wrong{number}.toml ~ {why} ~ wrong{number}.toml ~ [settings.value]")


def test_the_board_in_discord(lines: Any, host: Any) -> None:
    """6: letters for rows, numbers for cells, circles and squares; no tag looks like a cell or a word of the legend."""
    lines("file ids ; open ; board -f discord")
    rows = host.out.partition("```\n")[2].partition("\n```")[0].splitlines()
    assert [row[0] for row in rows] == list("ABCDEFGHI") and rows[4].split() == list("E123456789")
    assert sum(row.count("○") for row in rows) == sum(row.count("□") for row in rows) == 6
    legend = host.out.rpartition("```\n")[2].strip().splitlines()[0].split(" · ")
    assert legend[:2] == ["○ odd (may change in round 1)", "□ even"]
    marks = [entry.split(" ")[0] for entry in legend]
    assert len(marks) == len(set(marks)) == 8, marks
    assert not [mark for mark in marks if re.fullmatch("[A-I][1-9]", mark)]


def test_the_template_is_a_match_file(host: Any) -> None:
    """Three bonuses are offered; every line of the template is understood when its # is taken away."""
    text = hl("template", "hex_parties").out
    named = re.sub(r"(?m)^#(?=\[|[a-z_]+ = )", "", text)
    sample = re.search(r"(?m)^#\s+(bonuses = .*bend.*)$", text)
    assert sample is not None
    host.new(re.sub(r"(?m)^bonuses = \[\]$", sample[1], named))
    assert host.json("assumptions")["assumptions"] == []
    assert len(host.view()["bonuses"]) == 3
