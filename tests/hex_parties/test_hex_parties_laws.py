"""Laws of Hex Parties that hold in every legal match, checked over random ones made from a seed.

Points and the end are worked out here a second time, plainly, from sections 4 and 5 of the rules, on a drawing of the
board that knows no axial coordinates. Moves are held against a second way to say them in test_hex_parties_moves.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from games.hex_parties import GAME, actions as a, facts as f
from games.hex_parties.facts import State
from games.hex_parties.rules import verdict
from games.table import actions as shared
from games.table.endgame import settle
from tests.support.play import ended
from tests.support.sizes import law
from tests.table.test_hex import near, walked

MINUTE, HOUR = 60_000, 3_600_000
PLAYERS = ("p1", "p2", "p3", "p4", "p5", "p6")
PIECES = tuple((p, which) for p in PLAYERS for which in ("odd", "even"))
SEEDS = st.integers(0, 10**9)
ROWS = (5, 6, 7, 8, 9, 8, 7, 6, 5)
DRAWN = {f"{'ABCDEFGHI'[y]}{n + 1}": (2 * n - count + 1, y - 4) for y, count in enumerate(ROWS) for n in range(count)}
"""Cell -> where it is drawn: half cells to the right of E5, rows below it."""
CELLS = tuple(DRAWN)
FAR = walked("E5")
"""Steps from the centre."""
BONUSES = [
    {"name": "Sprint", "range": 5},
    {"name": "leap", "pass_through": True, "cost": 2},
    {"name": "bend", "bend": True, "reach": "both"},
    {"name": "follow", "enter_vacated": True, "cost": 0},
    {"name": "step", "extra_step": True},
]


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    near = [cell for cell, (x, y) in DRAWN.items() if abs(x) + abs(y) <= 6]
    spots = dice.sample(near, 12)
    layout = {p: [spots[2 * i], spots[2 * i + 1]] for i, p in enumerate(PLAYERS)}
    return {
        "start": layout if dice.random() < 0.8 else {},
        "bonuses": dice.choice([[], BONUSES, BONUSES, dice.sample(BONUSES, 2)]),
        "max_rounds": dice.choice([2, 4, 10]),
        "vacated_cells": dice.choice(["blocked", "open"]),
        "own_cell": dice.choice(["allow", "forbid"]),
        "refund_bounced_bonus": dice.random() < 0.3,
        "missing_parity": dice.choice(["first_listed", "lot"]),
        "garnet_cap": dice.choice([1, 3, 9]),
        "ec_excludes_token_holders": dice.random() < 0.7,
        "ec_tie_no_winner": dice.choice(["lot", "host", "lower_garnets"]),
        "reveal_orders_at_end": dice.random() < 0.3,
        "grace_seconds": dice.choice([0, 0, 600]),
    }


def some_match(hexes: Any, dice: random.Random) -> Any:
    chosen = some_settings(dice)
    garnets = {p: dice.randint(0, chosen["garnet_cap"]) for p in PLAYERS}
    play = hexes(garnets=garnets, settings={**chosen, "start": chosen["start"]})
    for player in PLAYERS:
        if dice.random() < 0.5:
            play.do(shared.Override(player, "points", str(dice.randint(0, 12))))
    return play


def a_move(dice: random.Random, cells: Any, player: str, bonuses: Any) -> a.Move:
    """Orders that make sense, mostly: near cells, few of them, so that pieces meet."""
    said = []
    for which in ("odd", "even"):
        if dice.random() < 0.8:
            x, y = DRAWN[cells[player, which]]
            reach = dice.choice([2, 4, 6, 10])
            near = [
                c for c, (cx, cy) in DRAWN.items() if max(abs(cy - y), (abs(cx - x) + abs(cy - y)) // 2) * 2 <= reach
            ]
            lined = [c for c in near if DRAWN[c][1] == y or abs(DRAWN[c][0] - x) == abs(DRAWN[c][1] - y)]
            said.append(f"{which} {dice.choice(lined if dice.random() < 0.8 else near)}")
    bonus = dice.choice(bonuses)["name"].lower() if bonuses and dice.random() < 0.4 else None
    if bonus and dice.random() < 0.5:
        bonus += dice.choice([":odd", ":even", ":both"])
    return a.Move(player, " ".join(said), bonus)


def submissions(play: Any, dice: random.Random) -> None:
    """Every player sends orders, or not: replaced, blank, late, admitted."""
    for player in dice.sample(PLAYERS, 6):
        if not play.state.results and dice.random() < 0.6:
            play.do(a.Sides(player, play.state.cells[player, dice.choice(["odd", "even"])]))
        for _ in range(dice.choice([0, 1, 1, 1, 2])):
            act: Any = a_move(dice, play.state.cells, player, play.state.settings.bonuses)
            if dice.random() < 0.08:
                act = shared.Blank(player)
            told = play.do(act)
            if told[0].sheet.late and dice.random() < 0.5:
                play.do(shared.Ruling(f"admit {told[0].sheet.seq}"))
        if dice.random() < 0.08:
            free = sorted(set(CELLS) - set(play.state.cells.values()))
            play.do(shared.Override(player, dice.choice(["odd", "even"]), dice.choice(free)))
        if dice.random() < 0.06 and play.state.table.round.closed is None:
            play.do(shared.Close())
            play.now += dice.choice([1, 20]) * MINUTE


# ---- the rules a second time ---------------------------------------------------------------------------------------


def groups(occupied: set[str]) -> list[set[str]]:
    """What hangs together: groups that touch are joined until none do."""
    found = [{cell} for cell in occupied]
    joined = True
    while joined:
        joined = False
        for i, one in enumerate(found):
            for other in found[i + 1 :]:
                if any(near(cell) & other for cell in one):
                    one |= other
                    found.remove(other)
                    joined = True
                    break
            if joined:
                break
    return found


def expected(cells: dict[Any, str], before: dict[str, int]) -> tuple[dict[str, int], set[str]]:
    """Points of the round and who ends the match: sections 4 and 5, HX-12, HX-13, HX-20."""
    scoring = set()
    for group in groups(set(cells.values())):
        if len(group) >= 3:
            parity = "even" if len(group) % 2 == 0 else "odd"
            scoring |= {piece for piece, cell in cells.items() if cell in group and piece[1] == parity}
    points = {p: {0: 0, 1: 1, 2: 3}[len([piece for piece in scoring if piece[0] == p])] for p in PLAYERS}
    reach = {
        p: -1 if n < 4 else 0 if n < 7 else 1 if n < 10 else 2 if n < 13 else 3 if n < 16 else 4
        for p, n in before.items()
    }
    return points, {p for p, which in scoring if FAR[cells[p, which]] <= reach[p]}


# ---- what always holds ---------------------------------------------------------------------------------------------


def check_round(play: Any, before: State, facts: list[Any]) -> None:
    """No two pieces on a cell; only those that moved stand elsewhere; points, bonuses and the end follow the rules."""
    state: State = play.state
    chosen = before.cells
    for fact in facts:
        if isinstance(fact, f.ParityChosen):
            odd, even = chosen[fact.player, "odd"], chosen[fact.player, "even"]
            assert fact.cell in (odd, even), "nothing moves by a choice"
            if fact.cell == even:
                chosen = {**chosen, (fact.player, "odd"): even, (fact.player, "even"): odd}
    assert sorted(state.cells) == sorted(PIECES) and len(set(state.cells.values())) == 12
    moved = {(x.player, x.piece): x for x in facts if isinstance(x, f.PieceMoved)}
    for piece, cell in state.cells.items():
        assert (chosen[piece], cell) == ((moved[piece].start, moved[piece].to) if piece in moved else (cell, cell))
    failed = {(x.player, x.piece) for x in facts if isinstance(x, (f.PieceBounced, f.OrderIllegal))}
    assert not failed & set(moved)
    record = state.results[-1]
    points, winners = expected(dict(state.cells), dict(before.points))
    assert {p: record.gained.get(p, 0) for p in PLAYERS} == points
    assert state.points == {p: before.points[p] + points[p] for p in PLAYERS} == record.points
    over = bool(winners) or len(state.results) >= state.settings.max_rounds
    assert state.over is over and set(state.winners) == (winners if over else set())
    listed = {b["name"]: b for b in state.settings.bonuses}
    for fact in (x for x in facts if isinstance(x, f.BonusUsed)):
        assert fact.bonus not in before.used.get(fact.player, ()) and fact.bonus in state.used[fact.player]
        assert before.table.garnets(fact.player) >= listed[fact.bonus].get("cost", 1)
    paid = Counter({x.player: listed[x.bonus].get("cost", 1) for x in facts if isinstance(x, f.BonusUsed)})
    rewards = Counter({reward.player: reward.garnets for reward in state.table.rewards})
    for p in PLAYERS:
        assert state.table.garnets(p) == before.table.garnets(p) - paid[p] + rewards[p] >= 0
    assert GAME.invariants(state) == ()


def check_result(play: Any) -> None:
    """Section 5: tokens and garnets by how many ended the match; who has fewest points of those who may is EC."""
    state, result = play.state, play.result()
    won = len(state.winners)
    assert sum(max(0, n) for n in Counter(award.player for award in state.table.awards).values()) == {1: 2, 2: 2}.get(
        won, 0
    )
    cap = state.settings.garnet_cap
    for p in PLAYERS:
        due = {0: 0, 1: 2}.get(won, 1) if p in state.winners else 0
        assert state.table.garnets(p) == state.closing[p] + min(due, max(0, cap - state.closing[p]))
    assert [p for place in result.ranking for p in place] == sorted(PLAYERS, key=lambda p: -state.points[p])
    if result.elimination:
        (lost,) = result.elimination
        holders = {award.player for award in state.table.awards} if state.settings.ec_excludes_token_holders else set()
        able = [p for p in PLAYERS if p not in holders]
        assert lost in able and state.points[lost] == min(state.points[p] for p in able)
    assert settle(state.table, verdict(state), play.now) == []


@law(160)
@given(seed=SEEDS)
def test_every_legal_match(hexes, seed):
    """Laws: every round, the points and the end come out as sections 3 to 5 say; purses balance; the end is decided."""
    dice = random.Random(seed)
    play = some_match(hexes, dice)
    while not play.state.over:
        submissions(play, dice)
        if dice.random() < 0.2:
            play.wait(play.now + 25 * HOUR)
        before: State = play.state
        check_round(play, before, play.resolve())
        play.now += MINUTE
    ended(play, dice, check_result)
