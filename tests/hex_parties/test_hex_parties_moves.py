"""Moves, parties and victory as pure functions: scenario HX1 and its micro cases, bonuses, and laws over random rounds.

The laws hold for random places, orders, settings and bonuses. What comes out is compared with a second, slow way to say
the same rules: a set of moves is tried for every way in which some of them may bounce.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.hex_parties.board import (
    BOARD,
    PARITIES,
    Bonus,
    Order,
    Outcome,
    Piece,
    Rules,
    fault,
    judge,
    orders_of,
    resolve,
    ways,
)
from games.hex_parties.rules import enders, gained, parties, radius, scorers, scoring, victory_cells

PLAIN_RULES = Rules()
PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
SPRINT, LEAP, BEND = Bonus("sprint", range=5), Bonus("leap", pass_through=True), Bonus("bend", bend=True)
FOLLOW, STEP = Bonus("follow", enter_vacated=True), Bonus("step", extra_step=True)


def at(**cells: str) -> dict[Piece, str]:
    """Places of a test: `at(p1="E5 A2")`, the odd piece first; `p2="E8"` is one piece, the odd one."""
    return {(p, which): cell for p, text in cells.items() for which, cell in zip(PARITIES, text.split(), strict=False)}


def play(
    cells: dict[Piece, str], rules: Rules = PLAIN_RULES, /, **orders: str
) -> tuple[dict[str, str], dict[str, str]]:
    """Legal moves resolved: what stands where now (`p1o`), and why the other orders were illegal."""
    moves, illegal = {}, {}
    for player, text in orders.items():
        judged = judge(cells, player, Order(orders_of(text)), rules, {}, 0, ())
        moves |= {(player, which): to for which, to in judged.moves.items()}
        illegal |= {player + which[0]: why for which, why in judged.illegal.items()}
    return {p + which[0]: cell for (p, which), cell in resolve(cells, moves).cells.items()}, illegal


# ---- scenarios -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "orders", "ends", "illegal"),
    [
        ("E5 ; E3", ("odd E8", "odd E5"), "E8 ; E3", {"p2o": "E5 was occupied when the round began"}),
        ("E5 E6", ("odd E6 even E5",), "E6 E5", {}),
        ("E5 E6", ("odd E6",), "E5 E6", {}),
        ("E5 E6 ; E9", ("odd E6 even E7", "odd E7"), "E5 E6 ; E9", {}),
        ("E5 E7", ("odd E6 even E6",), "E5 E7", {}),
    ],
    ids="abcde",
)
def test_hx1_micro_cases(cells, orders, ends, illegal):
    """HX1 (a) to (e), HX-5: occupied at the start; own swap; onto the own piece that stays; a chain; both to one."""

    def places(text: str) -> dict[Piece, str]:
        return at(**{f"p{n}": pieces for n, pieces in enumerate(text.split(" ; "), 1)})

    found = play(places(cells), **{f"p{n}": text for n, text in enumerate(orders, 1)})
    assert found == ({p + which[0]: cell for (p, which), cell in places(ends).items()}, illegal)


def test_hx11_who_bounced_with_whom():
    """HX-11: P1x E5 to E6, P1y E6 to E7, P2 E9 to E7: all three stay."""
    out = resolve(at(p1="E5 E6", p2="E9"), {("p1", "odd"): "E6", ("p1", "even"): "E7", ("p2", "odd"): "E7"})
    assert out.bounced == {
        ("p1", "even"): (("p2", "odd"),),
        ("p2", "odd"): (("p1", "even"),),
        ("p1", "odd"): (("p1", "even"),),
    }


# ---- section 3: legality -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["E5", "A1", "I5", "C6"])
def test_where_a_piece_may_go_alone(start):
    """3.1, 3.2: its own cell, and the six straight lines at distance 1 to 3; nothing else."""
    cells = at(p1=start)
    legal = {cell for cell in BOARD.axial if fault(cells, ("p1", "odd"), cell, Rules()) is None}
    lined = {cell for cell in BOARD.axial if BOARD.between(start, cell) is not None and BOARD.distance(start, cell) < 4}
    assert legal == lined | {start}
    assert len(legal) == {"E5": 19, "A1": 10, "I5": 10, "C6": 14}[start]


def test_why_not():
    """3: the reason is said: too far, not in a line, occupied, in the way."""
    cells = at(p1="E5 E7", p2="D5 C5")
    why = {to: fault(cells, ("p1", "odd"), to, Rules()) for to in ("E9", "C4", "A1", "D5", "C7", "E8", "B5")}
    assert why == {
        "E9": "E9 is 4 cells away; 3 is the most",
        "C4": "C4 is not in a straight line from E5",
        "A1": "A1 is 4 cells away; 3 is the most",
        "D5": "D5 was occupied when the round began",
        "C7": "C7 is 4 cells away and not in a straight line; 3 is the most",
        "E8": "E7 on the way to E8 is occupied",
        "B5": "D5 on the way to B5 is occupied",
    }


@pytest.mark.parametrize(
    ("bonus", "to", "why"),
    [
        (SPRINT, "C6", "C6 is not in a straight line from E5"),
        (SPRINT, "E9", None),
        (Bonus("far", range=4), "A1", None),
        (LEAP, "A1", "A1 is 4 cells away; 3 is the most"),
        (STEP, "C7", "step does not lead from E5 to C7"),
        (STEP, "A2", None),
        (STEP, "A3", "step does not lead from E5 to A3"),
        (BEND, "A3", "A3 is 4 cells away and not in a straight line; 3 is the most"),
        (Bonus("both", bend=True, extra_step=True), "A3", None),
    ],
)
def test_why_a_bonus_does_not_lead_there(bonus, to, why):
    """HX-2: too far, not in a line, or out of the reach of what the bonus allows."""
    assert fault(at(p1="E5"), ("p1", "odd"), to, Rules(), bonus) == why


def test_own_pieces_are_in_the_way_too():
    """3.3: any piece in between, one's own as well, even if it leaves in this round."""
    assert play(at(p1="E5 E6"), p1="odd E7 even D6") == (
        {"p1o": "E5", "p1e": "D6"},
        {"p1o": "E6 on the way to E7 is occupied"},
    )


def test_hx3_a_bounced_piece_reclaims_its_cell():
    """HX-3 open: the one in front bounces, so those behind it bounce one after the other."""
    cells = at(p1="E5", p2="E4", p3="E3", p4="E8")
    ends, _ = play(cells, Rules("open"), p1="odd E6", p2="odd E5", p3="odd E4", p4="odd E6")
    assert ends == {"p1o": "E5", "p2o": "E4", "p3o": "E3", "p4o": "E8"}


@pytest.mark.parametrize("rules", [Rules("blocked"), Rules("open")])
def test_hx3_rotations(rules):
    """HX-3 open: three that go round succeed; blocked: all three orders are illegal."""
    ends, illegal = play(at(p1="E5", p2="E6", p3="D5"), rules, p1="odd E6", p2="odd D5", p3="odd E5")
    turned = {"p1o": "E6", "p2o": "D5", "p3o": "E5"}
    assert ends == (turned if rules.vacated_cells == "open" else {"p1o": "E5", "p2o": "E6", "p3o": "D5"})
    assert len(illegal) == (0 if rules.vacated_cells == "open" else 3)


def test_hx4_own_cell():
    """HX-4: following and swapping one's own two pieces is legal; with forbid neither is."""
    cells = at(p1="E5 E6")
    assert play(cells, Rules(own_cell="allow"), p1="odd E6 even E8")[0] == {"p1o": "E6", "p1e": "E8"}
    assert play(cells, Rules(own_cell="forbid"), p1="odd E6 even E8") == (
        {"p1o": "E5", "p1e": "E8"},
        {"p1o": "the player's own even piece is on E6"},
    )
    assert play(cells, Rules(own_cell="forbid"), p1="odd E6 even E5")[0] == {"p1o": "E5", "p1e": "E6"}


def test_hx4_a_swap_over_a_distance():
    """HX-4: the path between must be empty, the ends do not count."""
    assert play(at(p1="E5 E8"), p1="odd E8 even E5")[0] == {"p1o": "E8", "p1e": "E5"}
    ends, illegal = play(at(p1="E5 E8", p2="E7"), p1="odd E8 even E5")
    assert ends["p1o"] == "E5" and set(illegal) == {"p1o", "p1e"}


def test_hx6_crossing_paths():
    """HX-6: crossing is no conflict; a head-on exchange is illegal for both while vacated cells are blocked."""
    assert play(at(p1="E4", p2="D5"), p1="odd E7", p2="odd F4")[0] == {"p1o": "E7", "p2o": "F4"}
    head_on = {"p1": "odd E6", "p2": "odd E5"}
    ends, illegal = play(at(p1="E5", p2="E6"), **head_on)
    assert ends == {"p1o": "E5", "p2o": "E6"} and set(illegal) == {"p1o", "p2o"}
    assert play(at(p1="E5", p2="E6"), Rules("open"), **head_on)[0] == {"p1o": "E6", "p2o": "E5"}


def test_hx10_three_at_once():
    """HX-10: none of three moves."""
    cells = at(p1="E4", p2="E6", p3="D4")
    assert play(cells, p1="odd E5", p2="odd E5", p3="odd E5")[0] == {"p1o": "E4", "p2o": "E6", "p3o": "D4"}


# ---- HX-2, HX-7: bonuses -------------------------------------------------------------------------------------------


def tried(cells: dict[Piece, str], text: str, bonus: Bonus | None, on: str = "", **given: Any) -> Any:
    """The order of p1 judged with a bonus named."""
    known = {bonus.name: bonus} if bonus else {}
    order = Order(orders_of(text), bonus.name if bonus else "", on)
    return judge(cells, "p1", order, Rules(), known, given.get("garnets", 1), given.get("used", ()))


@pytest.mark.parametrize(
    ("bonus", "to", "allowed"),
    [
        (SPRINT, "E9", True),
        (Bonus("far", range=4), "E9", True),
        (SPRINT, "C6", False),
        (LEAP, "B5", True),
        (LEAP, "D5", False),
        (LEAP, "E9", False),
        (BEND, "C4", True),
        (BEND, "E6", True),
        (BEND, "B6", False),
        (BEND, "A1", False),
        (FOLLOW, "D5", True),
        (FOLLOW, "B5", False),
        (STEP, "E9", True),
        (STEP, "D8", True),
        (STEP, "A5", False),
    ],
)
def test_hx2_primitives(bonus, to, allowed):
    """HX-2: range, pass through, one bend, enter a vacated cell, an extra step; each in one straight order."""
    cells = at(p1="E5 I1", p2="D5 C5")
    judged = tried(cells, f"odd {to}", bonus)
    assert (judged.bonus is not None) is allowed
    assert (judged.moves == {"odd": to}) is allowed
    assert bool(judged.illegal) is not allowed


def test_hx2_ways():
    """HX-2: a bend has every way of two straight lines that is short enough; a way does not turn back."""
    assert set(ways("E5", "E7")) == {("E6",)}
    longer = {("E6", "E7"), ("D5", "C5"), ("F5", "E6"), ("D4", "D5")}
    assert set(ways("E5", "D6", BEND)) == {("E6",), ("D5",), *longer}
    assert all(len(set(found)) == len(found) for found in (ways("E5", to, BEND) for to in ("E6", "E7", "D6")))
    assert set(ways("E5", "E6", Bonus("step", range=1, extra_step=True))) == {(), ("D5",), ("F5",)}
    assert not [way for way in ways("E5", "E4", Bonus("all", range=8, bend=True, extra_step=True)) if "E5" in way]


def test_hx2_a_bend_around_a_corner():
    """HX-2: one way that is free is enough; with both blocked the move is illegal."""
    cells = at(p1="E5 I1", p2="E6 A1")
    assert tried(cells, "odd D6", BEND).bonus == BEND
    assert tried(at(p1="E5 I1", p2="E6 D5"), "odd D6", BEND).ignored == "E6 on the way to D6 is occupied"


def test_hx2_one_piece_or_both():
    """HX-2: a bonus for one piece needs to know which when both move; one for both carries both."""
    cells = at(p1="E1 I1")
    one = tried(cells, "odd E6 even I5", SPRINT)
    assert one.bonus is None and one.moves == {} and "the player did not say which" in one.ignored
    assert tried(cells, "odd E6 even I5", SPRINT, "odd").carried == ("odd",)
    assert tried(cells, "odd E6", SPRINT).carried == ("odd",)
    assert tried(cells, "odd E6 even I5", SPRINT, "both").bonus is None
    both = tried(cells, "odd E6 even I5", SPRINT._replace(reach="both"))
    assert both.carried == ("odd", "even") and both.moves == {"odd": "E6", "even": "I5"}
    assert tried(cells, "odd E6 even I5", SPRINT._replace(reach="both"), "even").carried == ("even",)


def test_hx7_a_bonus_that_does_not_count():
    """HX-7: used up, unaffordable, of no use, or illegal all the same: ignored, and the move is an ordinary one."""
    cells = at(p1="E1 I1", p2="E5 A1")
    for judged, why in (
        (tried(cells, "odd E4", SPRINT, used=("sprint",)), "sprint is used up"),
        (tried(cells, "odd E4", SPRINT, garnets=0), "sprint costs 1, and the player holds no garnet"),
        (tried(cells, "odd E4", SPRINT._replace(cost=2)), "sprint costs 2, and the player holds only 1 garnet"),
        (
            tried(cells, "odd E4", SPRINT._replace(cost=3), garnets=2),
            "sprint costs 3, and the player holds only 2 garnets",
        ),
        (tried(cells, "odd E4", SPRINT, "even"), "no piece moves with it"),
        (tried(cells, "odd E1", SPRINT), "no piece moves with it"),
        (tried(cells, "", SPRINT), "no piece moves with it"),
    ):
        assert judged.bonus is None and judged.ignored == why and not judged.illegal
    blocked = tried(cells, "odd E6", SPRINT)
    assert blocked.bonus is None and blocked.ignored == "E5 on the way to E6 is occupied"
    assert blocked.illegal == {"odd": "E6 is 5 cells away; 3 is the most"}


def test_hx7_a_bonus_is_paid_also_where_it_was_not_needed():
    """HX-7: a bonus that is named and lets the move happen is valid, though the move needs none."""
    assert tried(at(p1="E1 I1"), "odd E2", SPRINT).bonus == SPRINT


# ---- sections 4 and 5 ----------------------------------------------------------------------------------------------


def test_which_parties_score():
    """4: 1 and 2 nobody; 3 and more odd the odd pieces; 4 and more even the even pieces."""
    assert [scoring(n) for n in range(1, 13)] == ["none", "none", *(["odd", "even"] * 5)]


def test_points_for_pieces():
    """4: none, one, two scoring pieces give 0, 1, 3 points; two need an odd and an even party."""
    cells = at(p1="A1 I1", p2="A2 I2", p3="A3 I3", p4="E5 I4")
    assert gained(["p1", "p2", "p3", "p4"], scorers(cells, parties(cells.values()))) == {
        "p1": 3,
        "p2": 3,
        "p3": 3,
        "p4": 1,
    }


def test_hx20_the_edge_of_the_board_joins_nothing():
    """HX-20: pieces are next to each other by a shared edge only."""
    assert parties(["A5", "B1", "E5", "D6", "C4"]) == ()
    assert [party.cells for party in parties(["E5", "D5", "C5", "A1", "B2"])] == [("A1", "B2"), ("C5", "D5", "E5")]


@pytest.mark.parametrize(
    ("points", "cells"),
    [(0, 0), (3, 0), (4, 1), (6, 1), (7, 7), (9, 7), (10, 19), (12, 19), (13, 37), (15, 37), (16, 61), (99, 61)],
)
def test_hx13_victory_rings(points, cells):
    """5, HX-13: 4 points the centre, then a ring for every 3 more; at 16 the whole board, and no more."""
    assert len(victory_cells(points)) == cells
    assert all(BOARD.ring(cell) <= (radius(points) or 0) for cell in victory_cells(points))


def test_who_ends_the_match():
    """5, HX-12: a piece that scores on a victory space by the points before the round; several may at once."""
    cells = at(p1="E5 A1", p2="D5 A2", p3="E6 I1")
    scored = (("p1", "odd"), ("p2", "odd"))
    assert enders(cells, scored, {"p1": 3, "p2": 6, "p3": 9}) == ()
    assert enders(cells, scored, {"p1": 4, "p2": 6, "p3": 9}) == (("p1", "odd"),)
    assert enders(cells, scored, {"p1": 4, "p2": 7, "p3": 9}) == scored


# ---- laws ----------------------------------------------------------------------------------------------------------

TURN = {cell: BOARD.names[-z, x + z] for cell, (x, z) in BOARD.axial.items()}
"""The board turned by a sixth."""
MIRROR = {cell: BOARD.names[z, x] for cell, (x, z) in BOARD.axial.items()}
"""The board in a mirror."""
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

    def seen_through(self, glass: dict[str, str]) -> RandomRound:
        """The same round on the board turned or mirrored."""
        other = object.__new__(RandomRound)
        other.rules, other.bonuses = self.rules, self.bonuses
        other.cells = {piece: glass[cell] for piece, cell in self.cells.items()}
        other.orders = {
            p: o._replace(targets={which: glass[cell] for which, cell in o.targets.items()})
            for p, o in self.orders.items()
        }
        return other


@pytest.mark.parametrize("glass", [TURN, MIRROR], ids=["turn", "mirror"])
def test_turning_and_mirroring_the_board(glass):
    """1 to 5: turned or in a mirror, the same moves are legal, bounce, form parties and end the match."""
    for seed in range(LAWS):
        drawn = RandomRound(seed)
        seen = drawn.seen_through(glass)
        assert seen.moves() == {piece: glass[cell] for piece, cell in drawn.moves().items()}
        mine, yours = resolve(drawn.cells, drawn.moves()), resolve(seen.cells, seen.moves())
        assert yours == Outcome({piece: glass[cell] for piece, cell in mine.cells.items()}, mine.bounced)
        formed, also = parties(mine.cells.values()), parties(yours.cells.values())
        assert {(frozenset(glass[c] for c in p.cells), p.scores) for p in formed} == {
            (frozenset(p.cells), p.scores) for p in also
        }
        scored = scorers(mine.cells, formed)
        assert set(scorers(yours.cells, also)) == set(scored)
        points = {p: n * 3 for n, p in enumerate(PLAYERS)}
        assert set(enders(mine.cells, scored, points)) == set(enders(yours.cells, scored, points))


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
