"""Hex Parties, rule by rule (as test_hex_parties_rules): section 6, who may know what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.contract import Moment
from games.hex_parties import actions as a, facts as f
from games.hex_parties.actions import VISIBILITY, Settings
from games.hex_parties.board import PARITIES
from games.table import actions as shared
from games.table.settings import defaults
from tests.support.hexparties import HX1, PLAYERS, SPRINT, TRIO
from tests.support.play import only

# ---- section 6: who may know what ----------------------------------------------------------------------------------


def test_what_each_audience_sees(hexes):
    """6, HX-17, HX-18: positions, parties and points are public; garnets, bonuses and failed orders are the owner's."""
    play = hexes(settings={"bonuses": [SPRINT]})
    play.moves(HX1)
    play.move("p1", "odd E6 even D4", "sprint:odd")
    play.resolve()
    host, ann, public = (play.view(viewer) for viewer in ("host", "p1", "public"))
    assert set(host["players"]["p2"]) == {"odd", "even", "points", "garnets", "bonuses_used", "victory_cells"}
    assert set(ann["players"]["p1"]) == set(host["players"]["p1"])
    assert set(ann["players"]["p2"]) == set(public["players"]["p1"]) == {"odd", "even", "points"}
    assert {x["player"] for x in host["rounds"][0]["bounced"]} == {"p3", "p4"}
    assert ann["rounds"][0]["bounced"] == ann["rounds"][0]["illegal"] == []
    assert [x["player"] for x in play.view("p6")["rounds"][0]["illegal"]] == ["p6"]
    assert "bounced" not in public["rounds"][0] and "illegal" not in public["rounds"][0]
    assert set(public) == {"phase", "ends", "round", "players", "rounds", "winners", "sides_known", "bonuses"}


def test_orders_are_sealed(hexes):
    """6: orders and the choice of the odd piece are the hosts' and the owner's until the round is resolved."""
    play = hexes()
    play.sides("p1", "A4")
    play.move("p1", "odd D4")
    assert play.view("host")["sheets"]["p1"] == play.view("p1")["sheets"]["p1"] == "sides A4, odd D4"
    assert play.view("p1")["players"]["p1"]["odd"] == "A4"
    for viewer in ("public", "p2"):
        seen = play.view(viewer)
        assert seen["players"]["p1"]["odd"] == "A2" and "A4" not in str(seen.get("sheets"))
    play.do(shared.Blank("p2"))
    assert play.view("p2")["sheets"] == {"p2": "blank"}


@pytest.mark.parametrize("setting", [False, True])
def test_hx18_failed_orders_at_the_end(hexes, setting):
    """HX-18: the owner's for ever, or everybody's when the match is over."""
    play = hexes.at((4, 0, 0, 9, 8, 1), TRIO, settings={"reveal_orders_at_end": setting})
    play.move("p4", "odd A1")
    play.resolve()
    assert play.state.over
    for viewer in ("public", "p1"):
        assert ("A1" in str(play.view(viewer)["rounds"][0].get("illegal"))) is setting
    assert play.view("p4")["rounds"][0]["illegal"][0]["player"] == "p4"


@pytest.mark.parametrize(("level", "seen"), [("owner", False), ("everybody", True)])
def test_hx17_bonus_use(hexes, level, seen):
    """HX-17: which bonuses are used is not announced, but the setting may tell."""
    play = hexes(settings={"bonuses": [SPRINT], "visibility": {"bonus_use": level}})
    play.move("p1", "odd E6", "sprint")
    facts = play.resolve()
    assert ("bonuses_used" in play.view("public")["players"]["p1"]) is seen
    words = str(play.game.tell(play.state, facts, "public"))
    assert ("P1 used Sprint." in words) is seen


def test_a_bounced_player_is_not_told_by_whom(hexes):
    """6, HX-18: with whom a move bounced would be the other's failed order."""
    play = hexes()
    play.moves(HX1)
    facts = play.resolve()
    words = str(play.game.tell(play.state, facts, "p1"))
    assert "Your odd piece stays: its move to D5 bounced." in words and "P2" not in words


def test_victory_spaces_are_shown_to_their_owner(hexes):
    """6, 5: by the points he has now; the board for him shades them."""
    play = hexes.at((3, 4, 7, 16, 0, 0), TRIO)
    spaces = {p: len(play.view(p)["players"][p]["victory_cells"]) for p in PLAYERS}
    assert spaces == {"p1": 0, "p2": 1, "p3": 7, "p4": 61, "p5": 0, "p6": 0}
    assert "victory_cells" not in play.view("p1")["players"]["p2"]


def test_every_setting_is_known_to_a_test():
    """Each setting of the game is named in a test of this folder."""
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert not [name for name in Settings._fields if name not in text]
    assert set(PARITIES) == {"odd", "even"} and defaults(Settings, VISIBILITY, ())["bonuses"] == []


def test_a_match_that_cannot_open_can_be_looked_at(hexes):
    """HX-1: with seven players and no layout the seventh has no cells; every text can be made all the same."""
    from games.table.view import frame

    play = hexes(players=(*PLAYERS, "p7"), opened=False)
    for viewer in ("host", "public", "p1", "p7"):
        view, result = play.game.view(play.state, viewer), play.game.result(play.state, viewer)
        called = frame(play.state.table, "Hex Parties", viewer)
        assert play.game.report(called, view, result) and play.game.board(called, view, result)
    assert "odd" not in play.view("p7")["players"]["p7"] and play.game.invariants(play.state) == ()


def told_to(play: Any, facts: Any, viewer: str) -> str:
    return str(play.game.tell(play.state, facts, viewer))


def test_what_everybody_is_told_at_the_end(hexes):
    """5, 6: who ended the match, or that nobody did; with the line winners closed neither."""
    play = hexes.at((4, 0, 0, 9, 8, 1), TRIO)
    assert "P1 scored on a victory space: the match ends." in told_to(play, play.resolve(), "public")
    play = hexes.at((), TRIO, settings={"max_rounds": 1})
    words = told_to(play, play.resolve(), "public")
    assert "That was the last round: nobody has won." in words and "victory space" not in words
    play = hexes.at((4, 0, 0, 9, 8, 1), TRIO, settings={"visibility": {"winners": "host"}})
    words = told_to(play, play.resolve(), "public")
    assert "victory space" not in words and "nobody has won" not in words and "ended the match" not in words


def test_a_player_is_told_of_his_own_bonus_and_garnets(hexes):
    """6, HX-7: used up, paid, given back, ignored: each to its owner alone, as far as the table lets him know."""
    for closed in (False, True):
        lines = dict.fromkeys(("own_garnets", "bonus_use", "failed_orders"), "host" if closed else "owner")
        play = hexes(settings={"bonuses": [SPRINT], "visibility": lines})
        play.move("p1", "odd E6", "sprint")
        play.move("p6", "odd A1", "sprint")
        facts = play.resolve()
        mine, theirs = told_to(play, facts, "p1"), told_to(play, facts, "p6")
        assert ("Your bonus Sprint is used up." in mine) is ("You paid 1 garnet." in mine) is (not closed)
        assert ("Your bonus sprint does not count and costs nothing" in theirs) is (not closed)
        assert ("Your odd piece stays: B1 on the way to A1 is occupied." in theirs) is (not closed)
        assert "Sprint" not in told_to(play, facts, "p2") + told_to(play, facts, "public")
    play = hexes(settings={"bonuses": [SPRINT], "refund_bounced_bonus": True})
    play.move("p1", "odd E6", "sprint")
    play.move("p2", "odd E6")
    assert "You get your bonus Sprint back, because its moves bounced." in told_to(play, play.resolve(), "p1")


def test_hx2_a_bonus_is_used_up_however_it_is_spelled(hexes):
    """2, HX-2: "each type once per match", also when a host has changed a capital letter of its name."""
    play = hexes(garnets=dict.fromkeys(PLAYERS, 3), settings={"bonuses": [{"name": "sprint", "range": 5}]})
    play.move("p1", "odd E6", "sprint")
    play.resolve()
    play.do(shared.AmendSetting("bonuses", [{"name": "Sprint", "range": 5}]))
    play.move("p1", "odd A2", "sprint")
    (ignored,) = only(play.resolve(), f.BonusIgnored)
    assert "used up" in ignored.why


def test_rounds_that_are_over_stay_over(hexes):
    """S-11: after the end there cannot be more."""
    play = hexes(settings={"max_rounds": 1})
    play.resolve()
    assert "the rounds are over" in play.refuse(shared.AmendSetting("max_rounds", 3), "rounds").what


def test_places_that_are_the_hosts_are_not_their_owners(hexes):
    """6 `positions`: with the level `host` a player does not see where his pieces stand, nor so who bounced him."""
    play = hexes(settings={"visibility": {"positions": "host"}})
    assert "odd" not in play.view("p1")["players"]["p1"]
    play = hexes(settings={"visibility": {"positions": "owner"}})
    assert "odd" in play.view("p1")["players"]["p1"] and "odd" not in play.view("p1")["players"]["p2"]


def test_what_can_be_done_now(hexes):
    """3: either piece as the odd one in round 1, and each piece alone to every cell that it may reach."""
    play = hexes()
    moves = play.game.moves(play.state, "p1")
    assert {one.cell for one in moves if isinstance(one, a.Sides)} == {"A2", "A4"}
    orders = {one.orders for one in moves if isinstance(one, a.Move)}
    assert {"", "odd A2", "odd A3", "odd D5", "even D4"} <= orders and "odd E5" not in orders
    play.resolve()
    assert not [one for one in play.game.moves(play.state, "p1") if isinstance(one, a.Sides)]
    for action in play.game.moves(play.state, "p1"):
        faults = only(play.game.decide(play.state, action, Moment(play.now, 0)), f.OrderFaulty)
        assert "HX-8" not in [fact.rule for fact in faults], "no illegal order is offered"
