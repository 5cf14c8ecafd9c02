"""Moves and bonuses as pure functions: scenario HX1 in its micro cases, bonuses, and laws over random rounds.

The laws hold for random places, orders, settings and bonuses. What comes out is compared with a second, slow way to say
the same rules: a set of moves is tried for every way in which some of them may bounce. Parties, points and victory:
test_hex_parties_laws.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from games.hex_parties.board import BOARD, PARITIES, Bonus, Order, Piece, Rules, fault, judge, orders_of, resolve, ways
from tests.table import lines

PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
SPRINT, LEAP, BEND = Bonus("sprint", range=5), Bonus("leap", pass_through=True), Bonus("bend", bend=True)
FOLLOW, STEP = Bonus("follow", enter_vacated=True), Bonus("step", extra_step=True)
BONUSES = {
    bonus.name: bonus
    for bonus in (
        SPRINT, LEAP, BEND, FOLLOW, STEP, Bonus("far", range=4), Bonus("hook", bend=True, extra_step=True),
        Bonus("dear", range=5, cost=2), Bonus("dearer", range=5, cost=3), Bonus("twins", range=5, reach="both"),
    )
}  # fmt: skip


def at(*places: str) -> dict[Piece, str]:
    """The pieces of p1, p2, ..., the odd one first: `at("E5 A2", "E8")`; `E8` is one piece, the odd one."""
    rows = zip(PLAYERS, places, strict=False)
    return {(p, which): cell for p, text in rows for which, cell in zip(PARITIES, text.split(), strict=False)}


# ---- section 3, HX-2 to HX-10 --------------------------------------------------------------------------------------

MOVES = """
HX1 a, HX-5 a cell that was occupied at the start; the one who leaves it moves
  E5, E3: odd E8, odd E5 -> E8, E3 | p2o E5 was occupied when the round began
HX1 b, HX-4 a swap of one's own two pieces; over a distance the path between must be empty, the ends do not count
  E5 E6: odd E6 even E5 -> E6 E5; E5 E8: odd E8 even E5 -> E8 E5
  E5 E8, E7: odd E8 even E5 -> E5 E8, E7 | p1o E7 on the way to E8 is occupied | p1e E7 on the way to E5 is occupied
HX1 c onto one's own piece that stays
  E5 E6: odd E6 -> E5 E6
HX1 d a chain
  E5 E6, E9: odd E6 even E7, odd E7 -> E5 E6, E9
HX1 e both pieces to one cell
  E5 E7: odd E6 even E6 -> E5 E7
3.3 any piece in between is in the way, one's own as well, even if it leaves in this round
  E5 E6: odd E7 even D6 -> E5 D6 | p1o E6 on the way to E7 is occupied
HX-3 vacated_cells = open: the one in front bounces, so those behind it bounce one after the other
  vacated_cells=open; E5, E4, E3, E8: odd E6, odd E5, odd E4, odd E6 -> E5, E4, E3, E8
HX-3 three that go round: with open they succeed; with blocked all three orders are illegal
  vacated_cells=open; E5, E6, D5: odd E6, odd D5, odd E5 -> E6, D5, E5; vacated_cells=blocked
  E5, E6, D5: odd E6, odd D5, odd E5 -> E5, E6, D5 | p1o E6 was occupied when the round began
  = | p2o D5 was occupied when the round began | p3o E5 was occupied when the round began
HX-4 own_cell = allow: following one's own piece; with forbid neither that nor a swap
  E5 E6: odd E6 even E8 -> E6 E8; own_cell=forbid
  E5 E6: odd E6 even E8 -> E5 E8 | p1o the player's own even piece is on E6
  E5 E6: odd E6 even E5 -> E5 E6 | p1o the player's own even piece is on E6 | p1e the player's own odd piece is on E5
HX-6 crossing is no conflict; a head-on exchange is illegal for both while vacated cells are blocked
  E4, D5: odd E7, odd F4 -> E7, F4; vacated_cells=open; E5, E6: odd E6, odd E5 -> E6, E5; vacated_cells=blocked
  E5, E6: odd E6, odd E5 -> E5, E6 | p1o E6 was occupied when the round began | p2o E5 was occupied when the round began
HX-10 of three to one cell none moves
  E4, E6, D4: odd E5, odd E5, odd E5 -> E4, E6, D4
"""
"""`places: orders -> places | piece and why its order is illegal`; players are apart by commas."""


@pytest.mark.parametrize("said", lines.cases(MOVES))
def test_moves(said):
    rules = Rules()
    for one in lines.statements(said.replace("\n  =", "")):
        if setting := re.fullmatch(r"(\w+)=(\w+)", one):
            rules = rules._replace(**{setting[1]: setting[2]})
            continue
        before, orders, after = re.split(": | -> ", one, maxsplit=2)
        ends, *why = after.split(" | ")
        cells, moves, illegal = at(*before.split(", ")), {}, []
        for player, text in zip(PLAYERS, orders.split(", "), strict=False):
            judged = judge(cells, player, Order(orders_of(text)), rules, {}, 0, ())
            moves |= {(player, which): to for which, to in judged.moves.items()}
            illegal += [f"{player}{which[0]} {what}" for which, what in judged.illegal.items()]
        assert (resolve(cells, moves).cells, illegal) == (at(*ends.split(", ")), why), one


def test_hx11_who_bounced_with_whom():
    """HX-11: P1x E5 to E6, P1y E6 to E7, P2 E9 to E7: all three stay."""
    out = resolve(at("E5 E6", "E9"), {("p1", "odd"): "E6", ("p1", "even"): "E7", ("p2", "odd"): "E7"})
    assert out.bounced == {
        ("p1", "even"): (("p2", "odd"),),
        ("p2", "odd"): (("p1", "even"),),
        ("p1", "odd"): (("p1", "even"),),
    }


@pytest.mark.parametrize("start", ["E5", "A1", "I5", "C6"])
def test_where_a_piece_may_go_alone(start):
    """3.1, 3.2: its own cell, and the six straight lines at distance 1 to 3; nothing else."""
    cells = at(start)
    legal = {cell for cell in BOARD.axial if fault(cells, ("p1", "odd"), cell, Rules()) is None}
    lined = {cell for cell in BOARD.axial if BOARD.between(start, cell) is not None and BOARD.distance(start, cell) < 4}
    assert legal == lined | {start}
    assert len(legal) == {"E5": 19, "A1": 10, "I5": 10, "C6": 14}[start]


WHY_NOT = """
3 too far, not in a line, occupied, in the way
  E5 E7, D5 C5: E9 -> E9 is 4 cells away, 3 is the most; C4 -> C4 is not in a straight line from E5
  A1 -> A1 is 4 cells away, 3 is the most; D5 -> D5 was occupied when the round began
  C7 -> C7 is 4 cells away and not in a straight line, 3 is the most; E8 -> E7 on the way to E8 is occupied
  B5 -> D5 on the way to B5 is occupied
HX-2 range
  E5 I1, D5 C5: sprint E9; far E9; far A1; sprint C6 -> C6 is not in a straight line from E5
HX-2 pass through
  E5 I1, D5 C5: leap B5; leap A1 -> A1 is 4 cells away, 3 is the most; leap E9 -> E9 is 4 cells away, 3 is the most
  leap D5 -> D5 was occupied when the round began
HX-2 one bend: one way that is free is enough, with both blocked the move is illegal
  E5 I1, D5 C5: bend C4; bend E6; bend A3 -> A3 is 4 cells away and not in a straight line, 3 is the most
  bend B6 -> B6 is 4 cells away and not in a straight line, 3 is the most; E5 I1, E6 A1: bend D6
  E5 I1, E6 D5: bend D6 -> E6 on the way to D6 is occupied
HX-2 enter a vacated cell
  E5 I1, D5 C5: follow D5; follow B5 -> D5 on the way to B5 is occupied
HX-2 an extra step; with a bend as well
  E5 I1, D5 C5: step E9; step D8; step A5 -> D5 on the way to A5 is occupied; E5: step A2; hook A3
  step C7 -> step does not lead from E5 to C7; step A3 -> step does not lead from E5 to A3
"""
"""`places: bonus and cell of p1's odd piece -> why it may not go there`; nothing where it may."""


@pytest.mark.parametrize("said", lines.cases(WHY_NOT))
def test_why_not(said):
    """The reason is said; and a move that a bonus alone allows is carried by it."""
    cells = at()
    for one in lines.statements(said):
        places, _, rest = one.rpartition(": ")
        cells = at(*places.split(", ")) if places else cells
        move, _, why = rest.partition(" -> ")
        *named, to = move.split()
        bonus = BONUSES[named[0]] if named else Bonus("")
        found = fault(cells, ("p1", "odd"), to, Rules(), bonus)
        assert (found or "").replace(";", ",") == why, one
        if named:
            judged = tried(cells, f"odd {to}", bonus)
            assert (judged.bonus, judged.moves) == ((None, {}) if why else (bonus, {"odd": to})), one


def tried(cells: dict[Piece, str], text: str, bonus: Bonus, on: str = "", **given: Any) -> Any:
    """The order of p1 judged with a bonus named."""
    order = Order(orders_of(text), bonus.name, on)
    return judge(cells, "p1", order, Rules(), BONUSES, given.get("garnets", 1), given.get("used", ()))


def test_hx2_ways():
    """HX-2: a bend has every way of two straight lines that is short enough; a way does not turn back."""
    assert set(ways("E5", "E7")) == {("E6",)}
    longer = {("E6", "E7"), ("D5", "C5"), ("F5", "E6"), ("D4", "D5")}
    assert set(ways("E5", "D6", BEND)) == {("E6",), ("D5",), *longer}
    assert all(len(set(found)) == len(found) for found in (ways("E5", to, BEND) for to in ("E6", "E7", "D6")))
    assert set(ways("E5", "E6", Bonus("step", range=1, extra_step=True))) == {(), ("D5",), ("F5",)}
    assert not [way for way in ways("E5", "E4", Bonus("all", range=8, bend=True, extra_step=True)) if "E5" in way]


def test_hx2_ways_turn_with_the_board():
    """1 to 3: on the board turned by a sixth every way is a way."""
    turned = {cell: BOARD.names[-z, x + z] for cell, (x, z) in BOARD.axial.items()}
    for bonus in BONUSES.values():
        for cell in BOARD.axial:
            seen = {tuple(turned[at] for at in way) for way in ways("E5", cell, bonus)}
            assert seen == {*ways("E5", turned[cell], bonus)}, (bonus, cell)


def test_hx2_one_piece_or_both():
    """HX-2: a bonus for one piece needs to know which when both move; one for both carries both."""
    cells, twins = at("E1 I1"), BONUSES["twins"]
    one = tried(cells, "odd E6 even I5", SPRINT)
    assert one.bonus is None and one.moves == {} and "the player did not say which" in one.ignored
    assert tried(cells, "odd E6 even I5", SPRINT, "odd").carried == ("odd",)
    assert tried(cells, "odd E6", SPRINT).carried == ("odd",)
    assert tried(cells, "odd E6 even I5", SPRINT, "both").bonus is None
    both = tried(cells, "odd E6 even I5", twins)
    assert both.carried == ("odd", "even") and both.moves == {"odd": "E6", "even": "I5"}
    assert tried(cells, "odd E6 even I5", twins, "even").carried == ("even",)


def test_hx7_a_bonus_that_does_not_count():
    """HX-7: used up, unaffordable, of no use, or illegal all the same: ignored, and the move is an ordinary one. One
    that is named and lets the move happen is paid, though the move needs none."""
    cells = at("E1 I1", "E5 A1")
    for judged, why in (
        (tried(cells, "odd E4", SPRINT, used=("sprint",)), "sprint is used up"),
        (tried(cells, "odd E4", SPRINT, garnets=0), "sprint costs 1, with no garnet to pay it"),
        (tried(cells, "odd E4", BONUSES["dear"]), "dear costs 2, with only 1 garnet to pay it"),
        (tried(cells, "odd E4", BONUSES["dearer"], garnets=2), "dearer costs 3, with only 2 garnets to pay it"),
        (tried(cells, "odd E4", SPRINT, "even"), "no piece moves with it"),
        (tried(cells, "odd E1", SPRINT), "no piece moves with it"),
        (tried(cells, "", SPRINT), "no piece moves with it"),
    ):
        assert judged.bonus is None and judged.ignored == why and not judged.illegal
    blocked = tried(cells, "odd E6", SPRINT)
    assert blocked.bonus is None and blocked.ignored == "E5 on the way to E6 is occupied"
    assert blocked.illegal == {"odd": "E6 is 5 cells away; 3 is the most"}
    assert tried(at("E1 I1"), "odd E2", SPRINT).bonus == SPRINT


# ---- laws ----------------------------------------------------------------------------------------------------------

LAWS = 300


class RandomRound:
    """Places, orders, settings and bonuses drawn from a seed; pieces crowd so that something happens."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.rules = Rules(rng.choice(["blocked", "open"]), rng.choice(["allow", "forbid"]))
        near = BOARD.within(rng.choice([2, 2, 3, 4]))
        cells = rng.sample(near, 12)
        self.cells: dict[Piece, str] = {(player, which): cells.pop() for player in PLAYERS for which in PARITIES}
        self.bonuses = {b.name: b for b in (SPRINT, LEAP, BEND, FOLLOW, STEP._replace(reach="both"))}
        self.orders: dict[str, Order] = {}
        for player in PLAYERS:
            targets = {which: self._target(rng, (player, which)) for which in PARITIES if rng.random() < 0.85}
            bonus = rng.choice(["", "", *self.bonuses])
            self.orders[player] = Order(targets, bonus, rng.choice(["", "odd", "even", "both"]) if bonus else "")

    def _target(self, rng: random.Random, piece: Piece) -> str:
        mine = self.cells[piece]
        reach = [cell for cell in BOARD.axial if BOARD.distance(mine, cell) <= rng.choice([1, 2, 3, 5])]
        lined = [cell for cell in reach if BOARD.between(mine, cell) is not None]
        return rng.choice(lined if lined and rng.random() < 0.7 else reach)

    def moves(self, players: Any = PLAYERS) -> dict[Piece, str]:
        found: dict[Piece, str] = {}
        for player in players:
            judged = judge(self.cells, player, self.orders[player], self.rules, self.bonuses, 3, ())
            found |= {(player, which): to for which, to in judged.moves.items()}
        return found


def clashing(cells: dict[Piece, str], moves: dict[Piece, str]) -> set[Piece]:
    """A second way to say it, piece by piece: it bounces if another wants its cell, or stands there and stays."""
    back: set[Piece] = set()
    standing = {cell: piece for piece, cell in cells.items()}
    changed = True
    while changed:
        changed = False
        for piece, to in moves.items():
            if piece in back or to == cells[piece]:
                continue
            rivals = [other for other, goal in moves.items() if other != piece and goal == to and goal != cells[other]]
            holder = standing.get(to)
            stays = holder is not None and (holder not in moves or moves[holder] == to or holder in back)
            if rivals or stays:
                back.add(piece)
                changed = True
    return back


def test_a_second_way_to_say_the_rules():
    """3: the bounced pieces are those that a rule told piece by piece names, under both settings."""
    for seed in range(LAWS):
        drawn = RandomRound(seed)
        assert set(resolve(drawn.cells, drawn.moves()).bounced) == clashing(drawn.cells, drawn.moves())
