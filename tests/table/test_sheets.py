"""Sheets as players send them and hosts type them: two messages, two of a kind, what is read back, what cannot be paid.

Source: S-9, S-G1, HX-7, HX-21, PL-8 to PL-10, PA-6.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from events import read_instant
from tests.support.saturday import MINUTE, SATURDAY, Evening

BONUSES = 'bonuses = [{ name = "sprint", range = 5 }, { name = "leap", pass_through = true }]\n'
SIX = ("ann", "bob", "cyd", "dan", "eve", "fox")


@pytest.fixture
def auction(stage: Any) -> Evening:
    return Evening(stage)


@pytest.fixture
def polar(stage: Any) -> Evening:
    """Round 1: everybody is in Rock with +, a Double and a Confetti Bomb, and has one garnet."""
    evening = Evening(stage, "polar")
    for player in ("ann", "bob", "cyd"):
        evening.hl(f"start {player} rock + double,confetti")
    assert "[exit" not in evening.hl("resolve --yes")
    return evening


@pytest.fixture
def hexes(stage: Any) -> Evening:
    return Evening(stage, "hex_parties", BONUSES, SIX)


def sheet(evening: Evening, player: str = "ann", copy: str = "a") -> Any:
    """What counts of a player, as a host types it."""
    return json.loads(evening.hl("view --for host -f json", copy=copy).splitlines()[-1])["view"]["sheets"][player]


# ---- two messages, one sheet ---------------------------------------------------------------------------------------


def test_a_new_sheet_replaces_and_says_what_it_drops(polar: Evening) -> None:
    """S-9: host and player are told, with the line that adds instead; running it puts both on one sheet."""
    polar.hl("submit ann --ticket paper --bomb double rock")
    told = polar.hl("submit ann --swap").replace("\\", "")
    seq = len(polar.lines())
    assert "no longer on Ann's sheet for round 1: a ticket to Paper; a Double Bomb on Rock" in told
    assert f"hl amend {seq} add=true" in told
    assert (
        "It replaces your sheet before it. No longer on your sheet: a ticket to Paper; a Double Bomb on Rock." in told
    )
    assert sheet(polar) == "--swap"
    assert "[exit" not in polar.hl(f"amend {seq} add=true --yes")
    assert sheet(polar) == "--ticket paper --swap --bomb double rock"
    assert "no longer" not in polar.hl("submit bob --ticket paper") + polar.hl("submit bob --ticket scissors --swap")
    assert "no longer" not in polar.hl("blank bob"), "nothing is submitted, on purpose"


def test_an_addition_merges_by_kind(polar: Evening) -> None:
    """S-9: items of a kind replace those of that kind, others stay; the whole sheet is read back."""
    polar.hl("submit ann --ticket paper --bomb double rock")
    told = polar.hl("submit ann --bomb confetti paper --swap --add").replace("\\", "")
    assert (
        "Ann's sheet for round 1 now: a ticket to Paper; a sign swap; a Confetti Bomb on Paper; "
        "no longer: a Double Bomb on Rock" in told
    )
    assert "Your sheet for round 1: a ticket to Paper; a sign swap; a Confetti Bomb on Paper." in told
    assert sheet(polar) == "--ticket paper --swap --bomb confetti paper"
    polar.hl("submit bob --swap --add")
    assert sheet(polar, "bob") == "--swap", "what is added to nothing is the sheet"
    polar.hl("blank cyd")
    polar.hl("submit cyd --swap --add")
    assert sheet(polar, "cyd") == "--swap"


def test_the_answer_says_which_entry_a_sheet_takes_the_place_of(polar: Evening) -> None:
    """Not where the last was taken back, nor for a late one, which replaces nothing."""
    first, again = polar.hl("submit ann --swap"), polar.hl("submit ann --swap")
    seq = len(polar.lines())
    assert "instead" not in first and f"a sign swap (the same as #{seq - 1})" in again.replace("\\", "")
    assert f"(instead of #{seq})" in polar.hl("submit ann --ticket paper").replace("\\", "")
    told = polar.hl("go ann --off").replace("\\", "")
    assert "Ann's sheet for round 1 now: nothing on it; no longer: a ticket to Paper" in told
    polar.hl("close --yes")
    assert "instead" not in polar.hl("submit ann --ticket paper")


def test_a_late_part_touches_nothing_until_it_is_admitted(polar: Evening) -> None:
    polar.hl("submit ann --ticket paper")
    polar.hl("close --yes")
    told = polar.hl("submit ann --swap --add").replace("\\", "")
    late = len(polar.lines())
    assert sheet(polar) == "--ticket paper" and f"late: hl ruling admit {late}" in told
    assert "Your sheet for round 1: a ticket to Paper; a sign swap. It came after round 1 had closed" in told
    polar.hl("submit ann --bomb double rock")
    whole = len(polar.lines())
    polar.hl(f"ruling 'admit {late}'")
    assert sheet(polar) == "--ticket paper --swap"
    told = polar.hl(f"ruling 'admit {whole}'").replace("\\", "")
    assert (
        sheet(polar) == "--bomb double rock"
        and "no longer on Ann's sheet for round 1: a ticket to Paper; a sign swap" in told
    )


def test_what_a_merge_makes_void_is_told(polar: Evening) -> None:
    """Two parts, each good by itself: together they cost more than is held."""
    polar.hl("submit ann --buy ticket")
    told = polar.hl("submit ann --buy ticket,ticket --add").replace("\\", "")
    assert "As things stand this counts for nothing: buy a Ticket (it costs 2 garnets, 0 left)" in told
    polar.hl("submit bob --buy swap")
    told = polar.hl("submit bob --ticket rock --add").replace("\\", "")
    assert "Your sheet for round 1: buy a Sign Swap; a ticket to Rock." in told
    assert "counts for nothing: ticket to Rock (already in that room)" in told


def test_parts_of_two_hosts_merge_in_fold_order(polar: Evening) -> None:
    shutil.copytree("a", "b")
    polar.hl("submit ann --ticket paper")
    polar.hl("submit ann --swap --add", by="ben", copy="b")
    polar.hl("join b --yes")
    polar.hl("join a --yes", by="ben", copy="b")
    assert sheet(polar) == sheet(polar, copy="b") == "--ticket paper --swap"


def test_first_sheets_and_orders_merge_as_well(stage: Any) -> None:
    evening = Evening(stage, "polar")
    evening.hl("start ann rock + double,ticket")
    told = evening.hl("start ann blank - --add").replace("\\", "")
    assert "Your sheet for the pregame: Rock; -; a Double Bomb, a Ticket Bomb." in told
    told = evening.hl("start ann paper blank").replace("\\", "")
    assert "Your sheet for the pregame: Paper; no sign; no bombs." in told
    assert "no longer on Ann's sheet for the pregame: -; a Double Bomb, a Ticket Bomb" in told


def test_orders_merge_by_piece(hexes: Evening) -> None:
    hexes.hl("move ann odd A3 even B5 --bonus leap:odd")
    told = hexes.hl("move ann even A3 --add").replace("\\", "")
    assert sheet(hexes) == "odd A3 even A3 --bonus leap:odd"
    assert "both pieces want it" in told, "what the merge makes void"
    assert "[exit" not in hexes.hl("summary ann"), "their own view says that they have submitted"
    told = hexes.hl("move ann odd B2").replace("\\", "")
    assert (
        "no longer on Ann's sheet for round 1: even to A3; with leap for odd; to add to the old sheet: hl amend" in told
    )
    told = hexes.hl("sides ann A4").replace("\\", "")
    assert "Your sheet for round 1: the piece on A4 is odd; odd to B2." in told and "no longer" not in told


def test_sheets_that_are_valid_as_a_whole_do_not_merge(auction: Evening) -> None:
    auction.hl("resolve --yes --early")
    auction.hl("bid ann 'AC 20, KC 11'")
    told = auction.hl("bid ann 'AC 21'").replace("\\", "")
    assert "no longer on Ann's sheet for the clubs round: 11 chips on KC; a new sheet replaces the old one" in told
    assert "It replaces your sheet before it. No longer on your sheet: 11 chips on KC." in told
    assert "[exit 2]" in auction.hl("bid ann 'QC 1' --add")


# ---- two of a kind -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "what", "void"),
    [
        ("move ann odd A3 --bonus 'sprint, leap'", "sprint and leap in one message", "one bonus a round"),
        ("move ann odd A3 odd B2", "the odd piece is sent to A3 and B2", "it is sent to several cells"),
    ],
)
def test_two_of_a_kind_in_orders(hexes: Evening, typed: str, what: str, void: str) -> None:
    """HX-7, HX-21: refused; as sent it is recorded and judged, and none of the two is chosen for him."""
    lines = len(hexes.lines())
    refused = hexes.hl(typed).replace("\\", "")
    assert what in refused and "sealed.twice" in refused and "--as-sent" in refused and len(hexes.lines()) == lines
    told = hexes.hl(f"{typed} --as-sent").replace("\\", "")
    assert void in told and "[exit" not in told
    resolved = hexes.hl("resolve --yes --early").replace("\\", "")
    assert void in resolved and "garnet" not in resolved.split("round 1 is resolved")[0], "nothing is paid"


def test_a_bonus_typed_twice_does_not_vanish(hexes: Evening) -> None:
    """Seen: of two --bonus the first was gone without a word, and the last one was charged."""
    lines = len(hexes.lines())
    refused = hexes.hl("move ann odd A3 --bonus sprint --bonus leap")
    assert "option --bonus is given twice" in refused and "command.usage" in refused and len(hexes.lines()) == lines
    assert "[exit 2]" in hexes.hl("note x --at -1m --at -2m")
    assert "there is no bonus" in hexes.hl("move ann odd A3 --bonus 'sprint, lep' --as-sent")


@pytest.mark.parametrize(
    ("typed", "what", "void"),
    [
        ("--ticket paper,scissors", "2 tickets in one message", "one ticket a round"),
        ("--swap --swap", "2 sign swaps in one message", "one swap a round"),
        ("--bomb double rock --bomb confetti rock", "2 bombs in one message", "one bomb a round"),
    ],
)
def test_two_of_a_kind_on_a_sheet(polar: Evening, typed: str, what: str, void: str) -> None:
    """PL-8 to PL-10."""
    refused = polar.hl(f"submit ann {typed}")
    assert what in refused and "sealed.twice" in refused and sheet(polar) is None
    told = polar.hl(f"submit ann {typed} --as-sent")
    assert "[exit" not in told and void in told


def test_a_third_bomb(stage: Any) -> None:
    evening = Evening(stage, "polar")
    assert "3 bombs in one message: two bombs are chosen" in evening.hl("start ann rock + double,ticket,confetti")
    told = evening.hl("start ann rock + double,ticket,confetti --as-sent")
    assert "[exit" not in told and "counts for nothing" in told


def test_two_of_a_kind_on_a_bid(auction: Evening) -> None:
    """A sheet that is valid as a whole names nothing twice."""
    auction.hl("resolve --yes --early")
    assert "AC is bid on twice" in auction.hl("bid ann 'AC 20, AC 11' --as-sent")
    assert "given twice" in auction.hl("bid ann 'AC 20' --diamonds AC --diamonds KC")


# ---- read back in words --------------------------------------------------------------------------------------------


def test_a_submission_for_powers_is_read_back_completed(auction: Evening) -> None:
    told = auction.hl("power ann 12 'J>S'").replace("\\", "")
    want = "Joker, Spades, Diamonds, Hearts, Clubs (the last 3 in the printed order)."
    assert f"Your sheet for the power round: 12 chips; {want}" in told
    assert "12 chips; Spades, Diamonds, Hearts, Clubs, Joker (the printed order)." in auction.hl("power bob 12")
    assert "Clubs, Hearts, Joker, Spades, Diamonds.\n" in auction.hl("power cyd 12 'C>H>J>S'") + "\n"


def test_a_bid_is_read_back_with_its_powers(auction: Evening) -> None:
    for player, power in (("ann", "diamonds"), ("bob", "hearts"), ("cyd", "clubs")):
        auction.hl(f"power {player} 9 {power}")
    auction.hl("resolve --yes")
    told = [
        auction.hl("bid ann 'AC 20, KC 11' --diamonds QC"),
        auction.hl("bid bob 'AC 5' --gift AC=cyd"),
        auction.hl("bid cyd --destroy 2C"),
    ]
    assert "Your sheet for the clubs round: 11 chips on KC; 20 chips on AC; 31 chips in all; Diamonds on QC." in told[0]
    assert "Your sheet for the clubs round: 5 chips on AC; AC goes to Cyd if you win it." in told[1]
    assert "Your sheet for the clubs round: Clubs destroys 2C." in told[2]


def test_orders_are_read_back_in_words(hexes: Evening) -> None:
    told = hexes.hl("move ann odd A3 even B5 --bonus leap:even")
    assert "Your sheet for round 1: odd to A3; even to B5; with leap for even." in told
    assert "Your sheet for round 1: nothing moves." in hexes.hl("move bob")


# ---- what cannot be paid any more ----------------------------------------------------------------------------------


def test_a_correction_that_puts_a_sheet_over_budget_says_so(auction: Evening) -> None:
    """PA-6: at once and in status; an amended sheet, chips that a host set, a garnet that was bid."""
    auction.hl("resolve --yes --early")
    auction.hl("bid ann 'AC 20, KC 11'")
    said = "the sheet of Ann spends 31 chips, and Ann has 5: over budget (PA-6)"
    assert "over budget" not in auction.hl("status")
    assert f"note: {said}" in auction.hl("override ann chips 5").replace("\\", "")
    assert said in auction.hl("status").replace("\\", "")
    assert "over budget" not in auction.hl("note other")
    assert "over budget" not in auction.hl("bid ann 'AC 5'") + auction.hl("status")


def test_purchases_and_bonuses_that_cannot_be_paid_are_told(polar: Evening) -> None:
    polar.hl("submit ann --buy swap")
    told = polar.hl("override ann garnets 0")
    assert "note: the sheet of Ann: buy a Sign Swap: it costs 1 garnet, 0 left (PL-7)" in told
    assert "buy a Sign Swap: it costs" in polar.hl("status")


def test_a_bonus_that_cannot_be_paid_is_told(hexes: Evening) -> None:
    hexes.hl("move ann odd A3 --bonus leap")
    said = "the orders of Ann: leap costs 1 garnet, 0 held (HX-7)"
    assert said in hexes.hl("override ann garnets 0") and said in hexes.hl("status")


# ---- blank ---------------------------------------------------------------------------------------------------------


def test_a_blank_is_refused_where_nothing_is_owed(stage: Any) -> None:
    evening = Evening(stage, "polar", "rounds = 1\n")
    assert "[exit" not in evening.hl("blank ann")
    evening.hl("resolve --yes --early")
    evening.hl("resolve --yes --early")
    lines = len(evening.lines())
    refused = evening.hl("blank ann")
    assert "owes nothing now, so there is nothing to leave out" in refused or "[exit" not in refused
    evening.stage.now = SATURDAY + 100 * 60 * MINUTE
    evening.hl("close vote")
    refused = evening.hl("blank bob")
    assert "table.nothing_owed" in refused and refused.endswith("[exit 3]")
    assert lines and read_instant("2026-10-24T08:00:00.000Z") == SATURDAY


# ---- a deal before play --------------------------------------------------------------------------------------------


def deal(stage: Any, settings: str = "") -> Evening:
    names = (*SIX, "gil", "hal")
    evening = Evening.__new__(Evening)
    evening.stage, stage.now = stage, SATURDAY
    rows = "".join(f'{p} = {{ name = "{p.capitalize()}", garnets = 1 }}\n' for p in names)
    top = 'game = "equilibrium"\ntitle = "Ep"\nzone = "Europe/Berlin"\nhosts = ["mara", "ben"]\n'
    Path("m.toml").write_text(f"{top}[players]\n{rows}[settings]\n{settings}", encoding="utf-8")
    assert "[exit" not in stage.run(("$ hl new a --from m.toml --as mara",))
    hands = Path(__file__).resolve().parents[2] / "games" / "equilibrium" / "demo-deal.toml"
    evening.opening = evening.hl(f"deal --from {hands}")
    return evening


def test_a_deal_before_play_is_told_when_play_opens(stage: Any) -> None:
    """EQ-24, section 9: "after pregame"; until then neither the hand nor what it paid is in any text of a player's."""
    evening = deal(stage)
    assert "--- to" not in evening.opening and "Fox has Flush" in evening.opening
    before = evening.hl("summary fox") + evening.hl("view --for fox -f json") + evening.hl("log --for fox")
    assert not any(word in before for word in ("Flush", "flush", "B9", "Garnets", '"garnets"', "hand fox"))
    assert "B9" not in evening.hl("redact --for fox -o fox.jsonl") + Path("fox.jsonl").read_text(encoding="utf-8")
    assert "A host corrected" not in evening.hl("override gil hand 'R1 R2 R4 R6 B8'")
    told = evening.hl("open")
    fox = told.partition("--- to Fox")[2].partition("--- to")[0]
    assert "You were dealt your five cards." in fox and "Flush, for the first time: you earned 1 garnet." in fox
    assert "**B1 B3 B5 B7 B9** · Flush" in fox and "Garnets: 2" in fox
    assert told.count("You were dealt") == 8 and told.count("you earned") == 1
    assert "B7" in evening.hl("summary fox") and "B7" not in evening.hl("summary ann")


def test_a_deal_may_be_told_at_once(stage: Any) -> None:
    evening = deal(stage, 'hands_told = "at_deal"\n')
    assert evening.opening.count("You were dealt") == 8 and "you earned 1 garnet" in evening.opening
    assert "You were dealt" not in evening.hl("open")
