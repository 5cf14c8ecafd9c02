"""Hex Parties, one test per numbered rule and per gap: setup, rounds, bonuses.

Each docstring begins with the rule it holds: of the rule page (sections 1 to 6, gaps HX-n) or its season layer (S-n).
The expected values were worked out from those pages by hand; every setting is tested both ways. The rest:
test_hex_parties_end, test_hex_parties_told; moves, parties and victory as pure functions: test_hex_parties_moves.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.hex_parties import actions as a, facts as f
from games.hex_parties.actions import VISIBILITY, Settings
from games.hex_parties.board import BOARD, TEMPLATE, bonuses_fault, layout_fault, read_cell, read_orders
from games.table import actions as shared, facts as table_facts
from games.table.settings import check
from games.table.state import BANK
from tests.support.hexparties import HOUR, PLAYERS, SPRINT, ended
from tests.support.play import only

LEAP = {"name": "leap", "pass_through": True, "cost": 2}


# ---- sections 1 and 2: setup ---------------------------------------------------------------------------------------


def test_the_start(hexes):
    """2, HX-1: six players, two pieces each, no points; the template, one pair a seat."""
    play = hexes()
    assert play.game.players == (6, 6)
    assert [play.cells()[p + w] for p in PLAYERS for w in "oe"] == [cell for pair in TEMPLATE for cell in pair]
    assert play.points() == (0,) * 6
    with pytest.raises(Refused):
        play.do(shared.Deal())


def test_the_template_is_fair():
    """2: turned by a sixth the template is itself, pair by pair; no piece is next to another."""
    turned = {cell: BOARD.names[-z, x + z] for cell, (x, z) in BOARD.axial.items()}
    pairs = {frozenset(pair) for pair in TEMPLATE}
    assert {frozenset(turned[cell] for cell in pair) for pair in TEMPLATE} == pairs
    cells = [cell for pair in TEMPLATE for cell in pair]
    assert len(set(cells)) == 12 and all(BOARD.distance(one, other) > 1 for one, other in combinations(cells, 2))


def test_hx1_start_is_a_setting(hexes):
    """HX-1: any twelve cells, so that a match can be taken over; the first is odd unless sides says otherwise."""
    play = hexes.at()
    assert play.cells()["p1o"] == "E5" and play.cells()["p1e"] == "A2"
    play.resolve()
    assert play.view()["players"]["p1"] | {"odd": "E5", "even": "A2"} == play.view()["players"]["p1"]
    play = hexes.at()
    play.sides("p1", "A2")
    play.resolve()
    assert play.cells()["p1o"] == "A2" and play.cells()["p1e"] == "E5"


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ({"p1": ["E5"]}, "p1 needs two cells, the first for the odd piece; there are 1"),
        ({"p1": ["E5", "E6", "E7"]}, "there are 3"),
        ({"p1": ["E5", "E5"]}, "E5 is given to both pieces of p1"),
        ({"p1": ["E5", "A1"], "p2": ["A2", "e5"]}, "E5 is given to p1 and p2"),
        ({"p1": ["E5", "D9"]}, "p1: there is no cell D9: row D has 8 cells, D1 to D8"),
    ],
)
def test_hx1_a_broken_layout(layout, why):
    """HX-1: two cells each, all of them different and on the board; otherwise it is said what is wrong."""
    assert why in (layout_fault(layout) or "")
    with pytest.raises(Unreadable, match="setting start") as error:
        check(Settings, VISIBILITY, {"start": layout})
    assert error.value.code == "settings.value" and why in error.value.what


def test_hx1_a_line_for_each_player():
    """HX-1: a layout names every player of the roster and nobody else."""
    for layout, why in (
        ({"p1": ["E5", "A1"]}, "give every player a line, or nobody; p2 has none"),
        ({"p1": ["E5", "A1"], "p2": ["A2", "A3"], "zed": ["I1", "I2"]}, 'no player "zed"'),
    ):
        check(Settings, VISIBILITY, {"start": layout})
        with pytest.raises(Unreadable, match=re.escape(why)):
            check(Settings, VISIBILITY, {"start": layout}, ["p1", "p2"])
    check(Settings, VISIBILITY, {"start": {}}, ["p1", "p2"])


def test_hx1_amended(hexes):
    """HX-1, S-11: the layout can be settled until play opens; then pieces stand, and only an override moves one."""
    play = hexes(opened=False)
    layout = "{ " + ", ".join(f'{p} = ["A{n}", "I{n}"]' for n, p in enumerate(PLAYERS[:5], 1)) + ', p6 = ["E1", "E9"] }'
    play.do(shared.AmendSetting("start", layout))
    assert play.cells()["p3o"] == "A3" and play.cells()["p6e"] == "E9"
    play.do(shared.AmendSetting("start.p6", "E2 E8"))
    assert play.cells()["p6e"] == "E8"
    with pytest.raises(Unreadable, match="E8 is given to p1 and p6"):
        play.do(shared.AmendSetting("start.p1", "E8, A1"))
    play.do(shared.Open())
    play.refuse(shared.AmendSetting("start.p6", "E2 E7"), "started")


def test_another_number_of_players(hexes):
    """HX-1, S-G4: fewer take the first pairs; more have no cells without a layout, and cannot open."""
    play = hexes(players=PLAYERS[:4])
    assert len(play.cells()) == 8 and play.cells()["p4e"] == "I2"
    play.resolve()
    seven = hexes(players=(*PLAYERS, "p7"), opened=False)
    assert "P7" in seven.refuse(shared.Open(), "start").what
    play.refuse(shared.Open(), "opened")


def test_before_and_after_nothing_is_taken(hexes):
    """2, 3: no orders before `open`, none after the end."""
    play = hexes(opened=False)
    play.refuse(a.Move("p1", "odd D5"), "no_round")
    play.refuse(a.Sides("p1", "A2"), "no_round")
    play.refuse(shared.Resolve(), "no_round")
    over = ended(hexes, (4,))
    over.refuse(a.Move("p1", "odd D5"), "no_round")
    over.refuse(shared.Resolve(), "no_round")


def test_each_player_chooses_his_odd_piece(hexes):
    """2: exactly one odd and one even piece, chosen with the first submission; the last choice counts."""
    play = hexes()
    play.sides("p1", "A4")
    play.sides("p2", "D8")
    play.sides("p2", "B6")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p1e"]) == ("A4", "A2")
    assert (play.cells()["p2o"], play.cells()["p2e"]) == ("B6", "D8")


def test_orders_follow_the_chosen_parity(hexes):
    """2, 3: orders speak of odd and even as they are chosen, whichever came first."""
    play = hexes()
    play.move("p1", "odd D5")
    play.sides("p1", "A4")
    play.resolve()
    assert play.cells()["p1o"] == "A4", "from A4, D5 is no straight line"
    play = hexes()
    play.move("p1", "odd D4")
    play.sides("p1", "A4")
    play.resolve()
    assert play.cells()["p1o"] == "D4" and play.cells()["p1e"] == "A2"


def test_hx24_parity_is_permanent(hexes):
    """HX-24: only in the first round; and only for a cell on which one of his pieces stands."""
    play = hexes()
    assert "A2 and A4" in play.refuse(a.Sides("p1", "E5"), "no_piece").what
    play.resolve()
    play.refuse(a.Sides("p1", "A4"), "sides_over")


@pytest.mark.parametrize("rule", ["first_listed", "lot", "host"])
def test_hx9_missing_parity(hexes, rule):
    """HX-9: who says nothing: the first listed is odd, or a lot, or a host must say. The moves still count."""
    play = hexes(settings={"missing_parity": rule})
    for player in PLAYERS[1:]:
        play.sides(player, play.cells()[player + "o"])
    play.move("p1", "odd A3 even D4")
    if rule == "host":
        play.now += 25 * HOUR
        refusal = play.refuse(shared.Resolve(), "sides_missing")
        assert "P1" not in refusal.what + refusal.fix and "for P1; hl sides p1 A2" in refusal.host_only
        play.sides("p1", "A4")
        assert play.state.table.round.sheets["p1"][-1].late is False
    facts = play.resolve()
    (chosen,) = [fact for fact in only(facts, f.ParityChosen) if fact.player == "p1"]
    if rule == "first_listed":
        assert chosen == f.ParityChosen("p1", "A2", "first_listed")
    elif rule == "lot":
        assert chosen.by == "lot" and chosen.cell in ("A2", "A4")
    else:
        assert chosen == f.ParityChosen("p1", "A4", "player")
    assert set(play.cells()[p] for p in ("p1o", "p1e")) != {"A2", "A4"}, "a move counted"


def test_hx9_the_lot_is_recorded_and_repeated(hexes):
    """HX-9, S-G5: one entry for each lot, with its seed; replay draws nothing, an audit draws it again."""
    play = hexes(settings={"missing_parity": "lot"})
    play.sides("p3", "H6")

    def chance(seq: int) -> Any:
        drawn = staticmethod(lambda: seq.to_bytes(32, "big"))
        return type("Luck", (), {"seq": seq, "published": None, "seed": drawn})()

    (resolve,) = play.game.prepare(play.state, shared.Resolve(), chance(20))
    assert resolve.round == "round_1" and [line.split()[0] for line in resolve.drawn] == list(PLAYERS)
    assert play.game.audit(play.state, resolve, 20) is None
    assert play.game.audit(play.state, resolve, 21) in (None, "the seed draws other pieces")
    assert play.game.audit(play.state, resolve._replace(seed="zz"), 20) == "its seed is not in hex digits"
    assert play.game.prepare(play.state, resolve, chance(20)) == (resolve,), "the same draw stays as it is"
    other = "p1 A2" if resolve.drawn[0] == "p1 second" else "p1 A4"
    (kept,) = play.game.prepare(play.state, resolve._replace(drawn=(other, *resolve.drawn[1:])), chance(20))
    assert kept.drawn[0] in ("p1 first", "p1 second") and kept.drawn[0] != resolve.drawn[0]
    assert kept.drawn[1:] == resolve.drawn[1:] and kept.seed is None, "amended: what is typed was not drawn"
    assert not play.game.audience(play.state, resolve).admits("p1", ended=True), "it tells who chose none"
    draws = {play.game.prepare(play.state, shared.Resolve(), chance(n))[0].drawn for n in range(300)}
    assert {line for drawn in draws for line in drawn} == {f"{p} {w}" for p in PLAYERS for w in ("first", "second")}
    assert len(draws) > 60, "each player's lot is his own"


def test_hx9_a_lot_typed_in(hexes):
    """HX-9, S-G5: the outcome of a lot drawn elsewhere; a choice that was sent goes before it."""
    play = hexes(settings={"missing_parity": "lot"})
    play.sides("p2", "B6")
    play.resolve(drawn=("p1 A4", "p2 D8", "p3 F8", "p4 first", "p5 second", "p6 D1"))
    assert [play.cells()[p + "o"] for p in PLAYERS] == ["A4", "B6", "F8", "I4", "F1", "D1"]
    play = hexes(settings={"missing_parity": "lot"})
    play.refuse(shared.Resolve(drawn=("p1 A4",)), "sides_missing")
    play.refuse(shared.Resolve(drawn=("p1 E5",)), "no_piece")
    play = hexes()
    play.refuse(shared.Resolve(drawn=("p1 A4",)), "no_draw")


# ---- section 3: rounds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["blocked", "open"])
def test_hx3_vacated_cells(hexes, setting):
    """HX-3: a cell that was occupied when the round began is no target, or free if that piece leaves."""
    play = hexes.at(settings={"vacated_cells": setting})
    play.move("p1", "odd E3")
    play.move("p3", "odd E5")
    play.resolve()
    assert play.cells()["p3o"] == ("E5" if setting == "open" else "D5")
    assert [x["player"] for x in play.last()["illegal"]] == ([] if setting == "open" else ["p3"])


@pytest.mark.parametrize("setting", ["allow", "forbid"])
def test_hx4_own_cell(hexes, setting):
    """HX-4: following one's own piece is legal, or never."""
    play = hexes(settings={"own_cell": setting})
    play.moves({"p5": "odd I1 even H1"})
    play.resolve()
    assert play.cells()["p5e"] == ("H1" if setting == "allow" else "F1")


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("odd A1 even A1", [("even", "A1", "A2 on the way to A1 is occupied: it stays", "HX-8")]),
        ("odd A3 even A3", [("odd", "A3", "both pieces want it: it stays", "HX-4, HX-5"),
                            ("even", "A3", "both pieces want it: it stays", "HX-4, HX-5")]),
        ("odd A4", [("odd", "A4", "the player's own even piece is there and stays: it stays", "HX-4, HX-5")]),
        ("odd A4 even A4", [("odd", "A4", "the player's own even piece is there and stays: it stays", "HX-4, HX-5")]),
        ("odd A4 even A2", []),
        ("odd C4", []),
        ("odd E5", [("odd", "E5", "E5 is 4 cells away and not in a straight line; 3 is the most: it stays", "HX-8")]),
        ("", []),
    ],
)  # fmt: skip
def test_the_consequence_is_said_at_once(hexes, orders, said):
    """3, HX-4, 5, 8: what breaks a rule is recorded, and what comes of it is told when it comes in."""
    play = hexes()
    facts = play.move("p1", orders)
    assert [(x.item, x.to, x.why, x.rule) for x in only(facts, f.OrderFaulty)] == said
    assert play.state.table.round.sheets["p1"][-1].content.orders == orders


def test_hx21_one_cell_for_each_piece():
    """HX-21: one target for each piece; orders are read in any spelling; two cells are kept as they were written."""
    assert read_orders("odd D5, even D4 odd d4") == "odd D5 odd D4 even D4"
    assert read_orders("EVEN d4,  odd: D5") == "odd D5 even D4" == read_orders("o d5 e d4")
    assert read_orders("even a1") == "even A1" and read_orders("  ") == ""
    for typed in ("odd D5 " * 5, "D5", "odd", "both D5", "odd D5 even", "odd Z9", "odd D9", "odd D5x", "sideways D5"):
        with pytest.raises(Unreadable):
            read_orders(typed)
    with pytest.raises(Unreadable, match="row D has 8 cells, D1 to D8"):
        read_cell("d9")
    with pytest.raises(Unreadable, match="A to I"):
        read_cell("K1")


def test_s9_the_last_orders_count_as_a_whole(hexes):
    """S-9: a later command replaces all orders; what it does not name stays, an earlier one fills nothing."""
    play = hexes()
    play.move("p1", "odd A3 even D4")
    play.move("p1", "even D7")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p1e"]) == ("A2", "D7")


def test_s10_blank_and_silence(hexes):
    """S-10: both stay in place; a blank takes orders back and is not waited for, sides stand on their own."""
    play = hexes()
    play.sides("p1", "A4")
    play.move("p1", "odd D4")
    play.do(shared.Blank("p1"))
    assert "p1" not in [due.who for due in play.game.waiting(play.state)]
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p1e"]) == ("A4", "A2")
    assert play.last()["bounced"] == play.last()["illegal"] == []


def test_s10_a_blank_before_the_choice_of_the_odd_piece(hexes):
    """S-10, HX-9: who submits no orders and then says which piece is odd owes nothing: the blank stands."""
    play = hexes()
    play.do(shared.Blank("p1"))
    play.sides("p1", "A4")
    play.sides("p2", "B6")
    owed = {due.who: due.what for due in play.game.waiting(play.state)}
    assert "p1" not in owed and owed["p2"] == "sheet of orders"


def test_who_owes_what(hexes):
    """S-10: in round 1 orders and the choice of the odd piece, each for itself; then orders."""
    play = hexes()
    play.sides("p1", "A4")
    play.move("p2", "odd B5")
    play.move("p3", "")
    play.sides("p3", "F8")
    play.do(shared.Blank("p4"))
    play.do(shared.Drop("p5"))
    owed = [(due.who, due.what) for due in play.game.waiting(play.state)]
    assert owed == [("p1", "sheet of orders"), ("p2", "choice of the odd piece"), ("p6", "sheet of orders")]
    play.resolve()
    assert {due.what for due in play.game.waiting(play.state)} == {"sheet of orders"}
    assert "p5" not in [due.who for due in play.game.waiting(play.state)]


def test_sg1_late_orders(hexes):
    """S-G1: kept, marked, not counted, unless a ruling admits them; grace counts."""
    for ruled in (False, True):
        play = hexes()
        play.move("p1", "even D4")
        play.now += 24 * HOUR
        (late, *_) = play.move("p1", "even D7")
        assert late.sheet.late
        if ruled:
            play.do(shared.Ruling(f"admit {late.sheet.seq}: the connection was down"))
        play.resolve()
        assert play.cells()["p1e"] == ("D7" if ruled else "D4")
    play = hexes(settings={"grace_seconds": 60})
    play.now += 24 * HOUR + 59_000
    play.move("p1", "even D7")
    play.resolve()
    assert play.cells()["p1e"] == "D7"


def test_sg1_a_late_choice_of_the_odd_piece(hexes):
    """S-G1, HX-9: late sides do not count either, and an admitted one does not bring late orders with it."""
    play = hexes()
    play.move("p1", "even D4")
    play.now += 25 * HOUR
    (sides,) = play.sides("p1", "A4")
    play.move("p1", "even D7")
    play.do(shared.Ruling(f"admit {sides.sheet.seq}"))
    play.resolve()
    assert play.cells()["p1o"] == "A4" and play.cells()["p1e"] == "A2", "from A2, D4 is not in a line"


def test_hx22_rounds_take_so_many_hours(hexes):
    """HX-22: 24 hours a round by default; each begins when the one before is resolved."""
    for hours in (24, 48):
        play = hexes(settings={"round_hours": hours})
        assert play.state.table.ends == play.opened + hours * HOUR
        play.now += 3 * HOUR
        play.resolve()
        assert play.state.table.ends == play.now + hours * HOUR
        assert play.view()["phase"] == "round" and play.view()["round"] == 2


# ---- HX-2, HX-7: bonuses -------------------------------------------------------------------------------------------


def test_hx2_none_by_default(hexes):
    """HX-2: no bonus until the host enters them; a name that is none is not understood."""
    play = hexes()
    with pytest.raises(Unreadable, match="no movement bonuses"):
        play.move("p1", "odd D5", "sprint")
    play = hexes(settings={"bonuses": [SPRINT]})
    with pytest.raises(Unreadable, match='there is no bonus "sprnt"; the bonuses are sprint'):
        play.move("p1", "odd D5", "sprnt")


def test_hx2_a_bonus_is_paid_and_used_up(hexes):
    """HX-2: 1 garnet each by default, each type once a match; garnets go to the bank."""
    play = hexes(settings={"bonuses": [SPRINT]}, garnets={"p1": 2})
    facts = [*play.move("p1", "odd F6", "sprint"), *play.resolve()]
    assert not only(facts, f.OrderFaulty) and only(facts, f.BonusUsed) == [f.BonusUsed("p1", "Sprint", ("odd",))]
    assert only(facts, table_facts.Moved) == [
        table_facts.Moved("p1", BANK, 1, "the movement bonus Sprint", "HX-2, HX-7")
    ]
    assert play.cells()["p1o"] == "F6" and play.garnets()["p1"] == 1
    assert play.view()["players"]["p1"]["bonuses_used"] == ["Sprint"]
    (fault,) = only(play.move("p1", "odd F2", "sprint"), f.OrderFaulty)[1:]
    assert fault.item == "bonus" and fault.why == "Sprint is used up: it is ignored, nothing is paid"
    play.resolve()
    assert play.cells()["p1o"] == "F6" and play.garnets()["p1"] == 1


@pytest.mark.parametrize("refund", [False, True])
def test_hx7_a_bounced_bonus(hexes, refund):
    """HX-7: spent and used up although the move bounced; with refund_bounced_bonus neither."""
    play = hexes(settings={"bonuses": [SPRINT], "refund_bounced_bonus": refund})
    play.move("p1", "odd E6", "sprint")
    play.move("p2", "odd E6")
    facts = play.resolve()
    assert play.cells()["p1o"] == "A2" and play.cells()["p2o"] == "B6"
    assert play.garnets()["p1"] == (1 if refund else 0)
    assert play.view()["players"]["p1"]["bonuses_used"] == ([] if refund else ["Sprint"])
    assert len(only(facts, f.BonusReturned)) == refund


def test_hx7_of_both_pieces_one_bounces(hexes):
    """HX-7: a bonus for both is given back only where both bounced."""
    both = {"name": "rush", "range": 4, "reach": "both"}
    play = hexes(settings={"bonuses": [both], "refund_bounced_bonus": True})
    play.moves({"p2": "odd E6"})
    play.move("p1", "odd E6 even E4", "rush")
    play.resolve()
    assert play.cells()["p1o"] == "A2" and play.cells()["p1e"] == "E4" and play.garnets()["p1"] == 0


def test_hx7_illegal_or_unaffordable(hexes):
    """HX-7: ignored, nothing spent, the move re-tested as an ordinary one."""
    play = hexes(settings={"bonuses": [SPRINT, LEAP]})
    play.move("p1", "odd D5", "leap")
    play.move("p2", "odd B5 even D3", "sprint:odd")
    play.move("p6", "odd A1", "sprint")
    facts = play.resolve()
    assert {(x.player, x.bonus, x.why) for x in only(facts, f.BonusIgnored)} == {
        ("p1", "leap", "leap costs 2, and the player holds only 1 garnet"),
        ("p6", "sprint", "B1 on the way to A1 is occupied"),
    }
    assert play.cells()["p1o"] == "D5", "legal without it"
    assert play.cells()["p2o"] == "B5" and play.cells()["p2e"] == "D8", "the sprint was for the odd piece"
    assert play.cells()["p6o"] == "D1"
    assert play.garnets() == {"p1": 1, "p2": 0, "p3": 1, "p4": 1, "p5": 1, "p6": 1}


def test_hx2_at_most_one_a_round():
    """HX-2: an order has room for one bonus."""
    assert a.order_of(a.Move("p1", "odd D5", "sprint:odd")).bonus == "sprint"
    assert [name for name in a.Move._fields if "bonus" in name] == ["bonus"]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([{"range": 5}], "bonus 1: name is missing"),
        ([{"name": "sprint"}], "sprint changes nothing"),
        ([{"name": "sprint", "reach": "both", "cost": 3}], "sprint changes nothing"),
        ([SPRINT, {"name": "sprint", "bend": True}], "two bonuses are called sprint"),
        ([{"name": "a b", "bend": True}], 'bonus 1: "a b" is not a name'),
        ([{"name": "far", "range": 9}], "range must be at most 8"),
        ([{"name": "far", "range": "5"}], "range must be a whole number"),
        ([{"name": "fly", "wings": 2}], "wings is unknown"),
        ([{"name": "one", "bend": True, "reach": "all"}], "reach must be one or both"),
    ],
)
def test_hx2_bonuses_are_data(rows, why):
    """HX-2: a list of records in the settings; what is wrong with one is said."""
    assert why in (bonuses_fault(rows) or "")
    with pytest.raises(Unreadable, match="setting bonuses"):
        check(Settings, VISIBILITY, {"bonuses": rows})


def test_hx2_entered_during_the_match(hexes):
    """HX-2, S-11: the host enters them when they are found; a bonus that is gone by then counts for nothing."""
    play = hexes()
    play.do(shared.AmendSetting("bonuses", '[{ name = "sprint", range = 5 }]'))
    play.move("p1", "odd E6", "sprint")
    play.do(shared.AmendSetting("bonuses", "[]"))
    (ignored,) = only(play.resolve(), f.BonusIgnored)
    assert ignored.why == "there is no bonus sprint any more" and play.cells()["p1o"] == "A2"
    with pytest.raises(Unreadable, match="must be a list"):
        play.do(shared.AmendSetting("bonuses", "sprint"))
