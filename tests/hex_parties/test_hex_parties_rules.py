"""Hex Parties, one test per numbered rule and per gap: each docstring begins with the rule it holds.

Rules are quoted from the rule page (sections 1 to 6, gaps HX-n) and its season layer (S-n). The expected values were
worked out from those pages by hand; every setting is tested both ways. Moves, parties and victory as pure functions:
test_hex_parties_moves.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.contract import Moment
from games.hex_parties import actions as a
from games.hex_parties import facts as f
from games.hex_parties.bonuses import BONUS, bonuses_fault
from games.hex_parties.cells import BOARD, PARITIES, TEMPLATE, layout_fault, read_cell, read_orders
from games.hex_parties.settings import VISIBILITY, Settings
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.settings import check, defaults
from games.table.state import BANK

HOUR = 3_600_000
PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
HX1 = {
    "p1": "odd D5 even D4",
    "p2": "odd B3 even D5",
    "p3": "odd E9 even H3",
    "p4": "odd F4 even H3",
    "p5": "odd I1 even H1",
    "p6": "odd A1 even A1",
}
TRIO = {
    "p1": ("E5", "A1"),
    "p2": ("D5", "A3"),
    "p3": ("E6", "A5"),
    "p4": ("I1", "I3"),
    "p5": ("I5", "G1"),
    "p6": ("G7", "C1"),
}
"""E5 D5 E6 is the only party: the odd pieces of p1, p2, p3 score; p1 stands on the centre, the others on ring 1."""
SPRINT = {"name": "Sprint", "range": 5}
LEAP = {"name": "leap", "pass_through": True, "cost": 2}


def only(facts: Any, kind: type) -> list[Any]:
    return [fact for fact in facts if isinstance(fact, kind)]


def ended(hexes: Any, points: Any, **given: Any) -> Any:
    """TRIO with those points, one round played."""
    play = hexes.at(points, TRIO, **given)
    play.resolve()
    return play


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
        ({"p1": ["E5"]}, "p1 needs two cells, the first for the odd piece, not 1"),
        ({"p1": ["E5", "E6", "E7"]}, "not 3"),
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
        ({"p1": ["E5", "A1"]}, "a line for each player or none; p2 has none"),
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
    assert play.game.audit(play.state, resolve._replace(seed="zz"), 20) == "its seed is not written in hex digits"
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


def test_hx1_scenario(hexes):
    """HX1: movement, parties and points from the template, x odd and y even for everybody."""
    play = hexes()
    for player, pair in zip(PLAYERS, TEMPLATE, strict=True):
        play.sides(player, pair[0])
    play.moves(HX1)
    facts = play.resolve()
    assert play.cells() == {
        "p1o": "A2", "p1e": "D4", "p2o": "B3", "p2e": "D8", "p3o": "E9", "p3e": "H6",
        "p4o": "F4", "p4e": "I2", "p5o": "I1", "p5e": "H1", "p6o": "D1", "p6e": "A1",
    }  # fmt: skip
    assert play.points() == (1, 1, 0, 0, 1, 0)
    last = play.last()
    assert last["parties"] == [
        {"cells": ["A1", "A2", "B3"], "size": 3, "scores": "odd"},
        {"cells": ["D8", "E9"], "size": 2, "scores": "none"},
        {"cells": ["H1", "I1", "I2"], "size": 3, "scores": "odd"},
    ]
    assert last["gained"] == dict(zip(PLAYERS, (1, 1, 0, 0, 1, 0), strict=True))
    assert last["illegal"] == [{"player": "p6", "piece": "odd", "to": "A1", "why": "B1 on the way to A1 is occupied"}]
    assert last["bounced"] == [
        {"player": "p1", "piece": "odd", "to": "D5"},
        {"player": "p2", "piece": "even", "to": "D5"},
        {"player": "p3", "piece": "even", "to": "H3"},
        {"player": "p4", "piece": "even", "to": "H3"},
    ]
    against = {(fact.player, fact.piece): fact.against for fact in only(facts, f.PieceBounced)}
    assert against["p1", "odd"] == ("p2 even",) and against["p4", "even"] == ("p3 even",)


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
        ("odd A4", [("odd", "A4", "the own even piece stands there and stays: it stays", "HX-4, HX-5")]),
        ("odd A4 even A4", [("odd", "A4", "the own even piece stands there and stays: it stays", "HX-4, HX-5")]),
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


def test_s9_an_illegal_item_is_not_filled_from_an_earlier_sheet(hexes):
    """S-9, HX-8: the last orders count, their illegal item is a stay."""
    play = hexes()
    play.move("p1", "odd A3 even D4")
    play.move("p1", "odd I5 even D7")
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


def test_sg3_who_has_left_stays_in_place(hexes):
    """S-G3: he sends nothing more; his pieces stay on the board and count."""
    play = hexes.at((3, 2, 6, 1, 5, 2))
    play.do(shared.Drop("p1"))
    play.refuse(a.Move("p1", "odd E4"), "left")
    play.refuse(a.Sides("p1", "A2"), "left")
    play.resolve()
    assert play.points() == (6, 2, 7, 2, 6, 2)


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
        ("p1", "leap", "leap costs 2, and only 1 garnet is held"),
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
        ([{"name": "fly", "wings": 2}], "wings is not known here"),
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


# ---- sections 4 and 5: points and the end --------------------------------------------------------------------------


def test_hx2_scenario(hexes):
    """HX2, HX-12: parity, 3 points, "enough points before", two winners and a vote."""
    play = hexes.at((3, 2, 6, 1, 5, 2))
    play.resolve()
    assert play.points() == (6, 2, 7, 2, 6, 2) and not play.state.over
    assert play.last()["gained"] == {"p1": 3, "p2": 0, "p3": 1, "p4": 1, "p5": 1, "p6": 0}
    assert [(party["size"], party["scores"]) for party in play.last()["parties"]] == [
        (4, "even"),
        (3, "odd"),
        (2, "none"),
    ]
    play.resolve()
    assert play.points() == (9, 2, 8, 3, 7, 2)
    assert play.view()["winners"] == ["p1", "p3"] and play.view()["phase"] == "deciding"
    assert play.tokens() == {"p1": 1, "p3": 1}
    assert play.garnets() == {"p1": 2, "p2": 1, "p3": 2, "p4": 1, "p5": 1, "p6": 1}
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.who, vote.among) == ("vote", ("p1", "p3"), ("p2", "p6"))
    play.do(shared.Vote("p1", "p6"))
    play.do(shared.Vote("p3", "p6"))
    assert play.result().elimination == ("p6",) and play.view()["phase"] == "finished"


def test_one_winner(hexes):
    """5, S-2: two tokens and two garnets; one token is given away, not to the Elimination Candidate."""
    play = ended(hexes, (4, 5, 6, 9, 8, 1))
    assert play.view()["winners"] == ["p1"]
    assert play.points() == (5, 6, 7, 9, 8, 1), "the points of the last round are added"
    assert play.tokens() == {"p1": 2} and play.garnets()["p1"] == 3
    assert play.state.table.elimination == ("p6",) and play.open_decisions() == ["gift"]
    play.refuse(shared.Gift("p1", "p6"), "gift_candidate")
    play.do(shared.Gift("p1", "p4"))
    assert play.tokens() == {"p1": 1, "p4": 1} and play.result().status == "finished"


def test_hx26_two_winners(hexes):
    """5, HX-26: one token and one garnet each, no gift."""
    play = ended(hexes, (4, 7, 0, 9, 8, 0))
    assert play.view()["winners"] == ["p1", "p2"] and play.tokens() == {"p1": 1, "p2": 1}
    assert play.garnets()["p1"] == play.garnets()["p2"] == 2 and play.garnets()["p3"] == 1
    assert play.state.table.elimination == ("p6",) and play.open_decisions() == []


def test_three_winners(hexes):
    """5: no token, one garnet each."""
    play = ended(hexes, (4, 7, 8, 9, 8, 0))
    assert play.view()["winners"] == ["p1", "p2", "p3"] and play.tokens() == {}
    assert [play.garnets()[p] for p in PLAYERS] == [2, 2, 2, 1, 1, 1]
    assert play.result().status == "finished"


def test_nobody_in_ten_rounds(hexes):
    """5: after ten rounds without an ender no tokens and no garnets; the fewest points lose."""
    play = hexes.at((0, 0, 0, 0, 0, 0), TRIO, settings={"max_rounds": 3})
    play.do(shared.Override("points", "p4", "1"))
    play.do(shared.Override("points", "p5", "1"))
    play.skip(2)
    assert not play.state.over
    play.skip(1)
    assert play.view()["winners"] == [] and play.tokens() == {} and play.garnets()["p1"] == 1
    assert play.points() == (3, 3, 3, 1, 1, 0) and play.state.table.elimination == ("p6",)
    assert hexes().state.settings.max_rounds == 10


def test_hx14_a_victory_in_the_last_round_counts(hexes):
    """HX-14: the end without tokens is only for a match in which nobody is able to win."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), settings={"max_rounds": 1})
    assert play.view()["winners"] == ["p1"] and play.tokens() == {"p1": 2}


def test_hx12_points_of_the_round_do_not_count_yet(hexes):
    """HX-12: who reaches 4 points by the round itself does not end the match in it, but in the next."""
    play = ended(hexes, (3, 3, 3, 0, 0, 0))
    assert not play.state.over and play.points() == (4, 4, 4, 0, 0, 0)
    play.resolve()
    assert play.view()["winners"] == ["p1"]


def test_hx13_rings_in_a_match(hexes):
    """5, HX-13: on ring 1 with 6 points nobody ends, with 7 he does."""
    assert not ended(hexes, (0, 6, 0, 0, 0, 0)).state.over
    assert ended(hexes, (0, 7, 0, 0, 0, 0)).view()["winners"] == ["p2"]


def test_hx19_the_garnet_cap(hexes):
    """HX-19, S-7: garnets above 3 are discarded; the cap is a setting, and holds at the start too."""
    full = {p: 1 for p in PLAYERS} | {"p1": 2}
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full).garnets()["p1"] == 3
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full | {"p1": 3}).garnets()["p1"] == 3
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full, settings={"garnet_cap": 9}).garnets()["p1"] == 4
    assert hexes().game.garnet_cap(hexes().state.settings) == 3


def test_hx19_what_was_discarded_is_said(hexes):
    """HX-19: who would have received more reads why he did not."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), garnets={p: 1 for p in PLAYERS} | {"p1": 2})
    (reward,) = (reward for reward in play.state.table.rewards if reward.player == "p1")
    assert reward.garnets == 1 and reward.why.endswith("; 1 garnet above the cap of 3 is discarded")


def test_hx19_an_override_after_the_end_sets_that_field_alone(hexes):
    """Season, host powers: garnets set after the end stay as set; what was discarded stays discarded."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), garnets=dict.fromkeys(PLAYERS, 2))
    play.do(shared.Override("garnets", "p1", "0"))
    assert play.garnets()["p1"] == 0


@pytest.mark.parametrize("setting", [True, False])
def test_hx15_the_winner_as_elimination_candidate(hexes, setting):
    """HX-15: token holders are excluded by custom; by the letter a winner with fewest points may be EC."""
    play = ended(hexes, (4, 6, 6, 9, 8, 6), settings={"ec_excludes_token_holders": setting})
    assert play.state.table.elimination == (("p6",) if setting else ("p1",))


def test_hx15_a_token_given_by_a_host_excludes_too(hexes):
    """HX-15, S-2: who holds a token is no candidate, however he got it."""
    play = ended(hexes, (4, 6, 6, 9, 8, 6))
    assert play.state.table.elimination == ("p6",)
    play.do(shared.Award("p6", "tokens", 1))
    without = {p: n for p, n in zip(PLAYERS, play.points(), strict=True) if p not in ("p1", "p6")}
    lowest = tuple(p for p in without if without[p] == min(without.values()))
    (vote,) = play.state.table.decisions
    assert vote.kind == "vote" and vote.among == lowest and "p6" not in lowest


def test_hx15_an_ender_without_token_is_not_excluded(hexes):
    """HX-15: of three who ended the match nobody holds a token."""
    play = ended(hexes, (4, 7, 7, 9, 8, 6))
    assert play.state.table.elimination == ("p1",) and play.points()[0] == 5


def test_hx15_the_gift_waits_for_the_candidate(hexes):
    """HX-15, S-2: the second token is given after the EC is known; ungiven it lapses after gift_hours."""
    play = ended(hexes, (4, 2, 2, 9, 8, 3), settings={"gift_hours": 12})
    assert play.open_decisions() == ["vote"]
    play.refuse(shared.Gift("p1", "p4"), "no_gift")
    play.do(shared.Vote("p1", "p2"))
    assert play.state.table.elimination == ("p2",) and play.open_decisions() == ["gift"]
    play.wait(play.now + 12 * HOUR)
    assert play.tokens() == {"p1": 1} and play.result().status == "finished"


def test_hx16_the_winners_vote(hexes):
    """HX-16, S-4: plurality of all who ended the match, with or without a token; then garnets of voters; then a lot."""
    points = (4, 7, 7, 2, 2, 9)
    play = ended(hexes, points)
    assert play.state.table.decisions[0].who == ("p1", "p2", "p3")
    for voter, named in (("p1", "p4"), ("p2", "p5"), ("p3", "p5")):
        play.do(shared.Vote(voter, named))
    assert play.state.table.elimination == ("p5",)


def test_hx16_a_split_of_two(hexes):
    """HX-16, S-4: two winners name two: the one whose voter holds more garnets after rewards; equal: a lot."""
    for garnets, decided in (({"p1": 2}, "p4"), ({"p2": 2}, "p5"), ({}, None)):
        play = ended(hexes, (4, 7, 6, 2, 2, 9), garnets=garnets)
        assert play.view()["winners"] == ["p1", "p2"]
        play.do(shared.Vote("p1", "p4"))
        play.do(shared.Vote("p2", "p5"))
        if decided is None:
            assert play.open_decisions() == ["lot"]
            play.do(shared.Lot())
            assert play.state.table.elimination[0] in ("p4", "p5")
        else:
            assert play.state.table.elimination == (decided,)


def test_hx16_votes_have_hours(hexes):
    """HX-16: what is not voted in vote_hours is not; without any vote a lot."""
    play = ended(hexes, (4, 7, 6, 2, 2, 9), settings={"vote_hours": 6})
    play.wait(play.now + 6 * HOUR)
    assert play.open_decisions() == ["lot"]


@pytest.mark.parametrize("setting", ["lot", "host", "lower_garnets"])
def test_hx16_no_winner(hexes, setting):
    """HX-16: nobody won and the lowest are equal: a lot, a host, or fewest garnets and then a lot."""
    play = ended(
        hexes,
        (3, 3, 3, 0, 0, 0),
        garnets={"p1": 0, "p4": 2, "p5": 1, "p6": 1},
        settings={"ec_tie_no_winner": setting, "max_rounds": 1},
    )
    (lot,) = play.state.table.decisions
    assert lot.kind == "lot" and lot.among == (("p5", "p6") if setting == "lower_garnets" else ("p4", "p5", "p6"))
    if setting == "host":
        assert play.refuse(shared.Lot(), "host_names").fix == "hl lot --outcome PLAYER"
        play.refuse(shared.Lot(lot.among, "p4", "00" * 32), "host_names")
        play.do(shared.Lot(outcome="p4"))
    else:
        play.do(shared.Lot())
    assert play.state.table.elimination[0] in lot.among


def test_hx16_lower_garnets_may_decide_alone(hexes):
    """HX-16: one with fewest garnets needs no lot."""
    play = ended(
        hexes,
        (3, 3, 3, 0, 0, 0),
        garnets={"p4": 2, "p5": 0, "p6": 1},
        settings={"ec_tie_no_winner": "lower_garnets", "max_rounds": 1},
    )
    assert play.state.table.elimination == ("p5",)
    said = [play.game.explain(play.state, fact).text for fact in play.told]
    assert any("fewest garnets: 0" in text for text in said)


def test_who_decides_is_told_where_winners_and_tokens_may_be_known(hexes):
    """6: the voters are the winners, and holders of tokens among them."""
    for winners, tokens, known in (
        ("everybody_after_end", "everybody_after_end", True),
        ("host", "everybody_after_end", False),
        ("everybody_after_end", "host", False),
    ):
        levels = {"visibility": {"winners": winners, "tokens": tokens}}
        play = ended(hexes, (4, 7, 7, 2, 2, 9), settings=levels)
        (vote,) = play.result("p4").decisions
        assert ("who" in vote) is known
        (opened,) = only(play.told, table_facts.DecisionOpened)
        assert bool(play.game.tell(play.state, [opened], opened.decision.who[0])) is known


def test_what_has_stopped_is_in_the_view(hexes):
    """S-11: submissions closed and not resolved; the clock paused."""
    play = hexes()
    play.do(shared.Close("round_1"))
    assert play.view("p1")["closed"] is True
    play = hexes()
    play.do(shared.Pause())
    assert play.view("p1")["paused"] is True and "closed" not in play.view("p1")


@pytest.mark.parametrize(
    ("typed", "kept"), [("Sprint=odd", "sprint:odd"), ("sprint:BOTH", "sprint:both"), ("leap", "leap")]
)
def test_a_bonus_has_one_spelling(typed, kept):
    assert BONUS.read(typed, None) == kept


@pytest.mark.parametrize("typed", ["sprint:", "sprint:neither", ":odd", "9 lives:odd"])
def test_a_bonus_that_is_none_is_unreadable(typed):
    with pytest.raises(Unreadable):
        BONUS.read(typed, None)


def test_hx2_a_bonus_for_both_pieces_may_be_said_so(hexes):
    """HX-2 `reach = "both"`: named for both, or for nothing in particular, it carries both; for one piece, that one."""
    for on, carried in (("", {"odd", "even"}), (":both", {"odd", "even"}), (":odd", {"odd"})):
        play = hexes(settings={"bonuses": [{"name": "hop", "pass_through": True, "reach": "both"}]})
        play.move("p1", "odd B2 even B4", "hop" + on)
        (used,) = only(play.resolve(), f.BonusUsed)
        assert set(used.pieces) == carried


@pytest.mark.parametrize(
    ("field", "typed", "kept"), [("points", "07", "7"), ("odd", "e5", "E5"), ("even", " e5 ", "E5")]
)
def test_an_override_is_recorded_in_one_spelling(hexes, field, typed, kept):
    play = hexes()
    (action,) = play.game.prepare(play.state, shared.Override(field, "p1", typed), None)
    assert action.value == kept


def test_hx25_points_are_not_negative(hexes):
    """HX-25: never negative, never spent; an override takes whole numbers from 0."""
    play = hexes()
    for value in ("-1", "one", "1.5", ""):
        with pytest.raises(Unreadable):
            play.do(shared.Override("points", "p1", value))
    play.do(shared.Override("points", "p1", "12"))
    assert play.points()[0] == 12


# ---- host powers ---------------------------------------------------------------------------------------------------


def test_overrides(hexes):
    """Season: points, odd, even, garnets: that field of that player and nothing else, whatever the rules say."""
    play = hexes()
    before = play.view()
    play.do(shared.Override("odd", "p1", "e5"))
    play.do(shared.Override("even", "p2", "E5"))
    play.do(shared.Override("garnets", "p3", "7"))
    after = play.view()
    assert (play.cells()["p1o"], play.cells()["p2e"], play.garnets()["p3"]) == ("E5", "E5", 7)
    assert play.game.invariants(play.state) == ("p1's odd piece and p2's even piece stand on E5",)
    play.do(shared.Override("even", "p2", "D8"))
    assert play.game.invariants(play.state) == ()
    changed = {p for p in PLAYERS if before["players"][p] != after["players"][p]}
    assert changed == {"p1", "p2", "p3"}
    with pytest.raises(Unreadable, match="cannot set"):
        play.do(shared.Override("chips", "p1", "3"))
    with pytest.raises(Unreadable, match="E12"):
        play.do(shared.Override("odd", "p1", "E12"))


def test_a_piece_placed_by_a_host_is_told_to_everybody(hexes):
    """6 `positions`: once, to the public; and which piece is odd not before the moves of round 1 are."""

    def told_of(play, viewer, field="odd"):
        facts = play.do(shared.Override(field, "p1", "E5"))
        return "".join(repr(block) for block in play.game.tell(play.state, facts, viewer).blocks)

    assert "a piece of P1 is on E5" in told_of(hexes(), "public")
    assert told_of(hexes(), "p2") == ""
    assert told_of(hexes(settings={"visibility": {"positions": "host"}}), "public") == ""
    play = hexes()
    play.resolve()
    assert "the odd piece of P1 is on E5" in told_of(play, "public")
    assert "the even piece of P1 is on E5" in told_of(play, "public", "even")


def test_a_bonus_used_twice_breaks_a_law(hexes):
    """HX-2: each once a player and match; the rules refuse it, and the engine would notice."""
    play = hexes()
    assert play.game.invariants(play.state._replace(used={"p1": ("sprint",), "p2": ("sprint", "leap")})) == ()
    broken = play.game.invariants(play.state._replace(used={"p1": ("sprint", "leap", "sprint")}))
    assert broken == ("p1 used sprint twice",)


def test_before_play_the_phase_is_round_1(hexes):
    assert hexes(opened=False).state.table.phase == "round_1"


@pytest.mark.parametrize("chosen", ["A2", "A4"])
@pytest.mark.parametrize("moved", ["odd", "even"])
def test_a_piece_moved_by_a_host_keeps_its_choice(hexes, chosen, moved):
    """2, host powers: `odd` is the piece that its player has chosen so far, and stays so wherever a host puts it."""
    play = hexes()
    play.sides("p1", chosen)
    play.do(shared.Override(moved, "p1", "E5"))
    where = {"odd": chosen, "even": "A4" if chosen == "A2" else "A2"} | {moved: "E5"}
    for _ in range(2):
        shown = play.view("p1")["players"]["p1"]
        assert {which: shown[which] for which in ("odd", "even")} == where
        if not play.state.results:
            play.resolve()
    play = hexes()
    play.do(shared.Override("even", "p1", "E5"))
    play.sides("p1", "E5")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p1e"]) == ("E5", "A2")


def test_two_pieces_on_one_cell_by_override_move_apart(hexes):
    """3: a law broken by an override does not stop a round: who moves away leaves the other alone."""
    play = hexes()
    play.do(shared.Override("odd", "p1", "E5"))
    play.do(shared.Override("odd", "p2", "E5"))
    play.move("p1", "odd E6")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p2o"]) == ("E6", "E5")


def test_the_result_follows_an_override_after_the_end(hexes):
    """Season: points set after the end change who is Elimination Candidate."""
    play = ended(hexes, (4, 7, 6, 3, 2, 9))
    assert play.state.table.elimination == ("p5",)
    play.do(shared.Override("points", "p5", "9"))
    assert play.state.table.elimination == ("p4",)
    assert play.result().scores["p5"] == 9 and play.result().ranking[-1] == ("p4",)


def test_close_reopen_deadline(hexes):
    """S-G1: a host ends a round, opens it again, moves its end."""
    play = hexes()
    play.do(shared.Close())
    assert play.move("p1", "odd D5")[0].sheet.late
    play.do(shared.Reopen())
    assert not play.move("p1", "odd D5")[0].sheet.late
    play.resolve()
    assert play.cells()["p1o"] == "D5"


def test_max_rounds_amended(hexes):
    """S-11, HX-14: a setting amended during the match counts from then on."""
    play = hexes()
    play.skip(2)
    play.do(shared.AmendSetting("max_rounds", "2"))
    play.resolve()
    assert play.state.over and len(play.state.results) == 3


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


def test_nothing_of_the_view_is_outside_the_table(hexes):
    """6: with every line of the information table closed, a view holds no place, point or name."""
    play = hexes.at((4, 0, 0, 9, 8, 1), TRIO, settings={"visibility": dict.fromkeys(VISIBILITY, "host")})
    play.resolve()
    view, result = play.view("public"), play.result("public")
    assert {p: row for p, row in view["players"].items() if row} == {}
    assert view["rounds"] == [{"round": 1, "positions": {}, "gained": {}, "points": {}}]
    assert set(view) == {"phase", "ends", "round", "players", "rounds", "sides_known"}
    assert {key for key, value in result._asdict().items() if value is not ABSENT} == {
        "game", "status", "decisions", "assumptions",
    }  # fmt: skip


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
    assert "Your bonus Sprint is given back, for its moves bounced." in told_to(play, play.resolve(), "p1")


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
