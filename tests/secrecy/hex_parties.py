"""Pairs of Hex Parties matches that differ only in what one viewer may not know. The method is in harness.py.

What everybody is told is drawn first, by playing one match: which piece is odd, where all pieces stand after a round.
The other match is then drawn anew until its pieces stand there too and the viewer's own orders fare the same. Drawn
anew: the orders of pieces that stay (none, a stay, an illegal one, one that bounces), bonuses of the others, who of
them sent nothing, a blank, a sheet that was replaced, undone, refused, late, or late and admitted; whether he chose his
odd piece or it was listed first; their garnets, notes, rulings, breaches, awards, penalties and overrides of garnets:
values, presence, times and order; and in a round that is not resolved all orders of the others. Kept: what `knows`
says.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from typing import Any

from games.hex_parties.board import BOARD, PARITIES, Judged, Order, Rules, bonuses_of, judge, orders_of, placed, resolve
from games.hex_parties.facts import State
from games.hex_parties.rules import enders, gained, parties, scorers
from tests.secrecy import generators
from tests.secrecy.generators import BEGAN, DRAWN_BY_NONE, MINUTE, match_file
from tests.secrecy.known import of_the_end, of_the_table, own_sheets
from tests.secrecy.script import LOOKING, PUBLIC, Look, NotAPair, Pair, Shown, Step

QUICK = 24
TELLING = (12, 15, 23)
TOLD_AT_ONCE = DRAWN_BY_NONE
OPENING = tuple(Shown("reveal_orders_at_end", value, "resolve", who) for value in (False, True) for who in LOOKING)
OF_PLAY = (
    "start", "bonuses", "round_hours", "max_rounds", "last_round_wins", "vacated_cells", "own_cell",
    "refund_bounced_bonus", "missing_parity", "garnet_cap", "ec_excludes_token_holders", "ec_tie_no_winner",
    "gift_hours", "vote_hours",
)  # fmt: skip

GAME = "hex_parties"
NAMES = ("ann", "bob", "cyd", "dan", "eve", "fox")
BONUSES = [{"name": "sprint", "range": 5}, {"name": "leap", "pass_through": True}]
Sent = tuple[str, str]
"""Orders and bonus of one player as typed."""


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment, from docs/games/hex_parties.md, section 6. Reads the state, never a
    view.
    """
    table, settings = state.table, state.settings
    known = [*of_the_table(table), table.ends]
    known += [sorted(state.cells.items()), sorted(state.points.items()), state.winners]
    for record in state.results:
        known.append((sorted(record.cells.items()), record.parties, sorted(record.gained.items())))
        told_all = state.over and settings.reveal_orders_at_end
        known.append([x[:3] for x in record.bounced if told_all or x.player == viewer])
        known.append([x for x in record.illegal if told_all or x.player == viewer])
    if viewer != PUBLIC:
        known += [table.garnets(viewer), state.used.get(viewer)]
        known.append(own_sheets(table, viewer))
    if state.over:
        known += of_the_end(table, viewer)
    return known


@functools.cache
def around(here: str, reach: int) -> tuple[list[str], list[str]]:
    """The cells near the centre within so many steps, and those of them in a straight line; the cell itself too."""
    near = [c for c in BOARD.within(3) if BOARD.distance(here, c) <= reach] or [here]
    return near, [c for c in near if c == here or BOARD.between(here, c) is not None] or [here]


class Side(generators.Side):
    def __init__(self, garnets: Mapping[str, int]) -> None:
        super().__init__(garnets)
        self.used: dict[str, tuple[str, ...]] = dict.fromkeys(NAMES, ())


class Drawing(generators.Drawing):
    WORDS = (*generators.WORDS, "odd D5", "late again")

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, NAMES)
        self.rounds = rng.choice((0, 1, 1, 2, 3))
        near = rng.sample(BOARD.within(3), 12)
        layout = {p: [near[2 * i], near[2 * i + 1]] for i, p in enumerate(NAMES)}
        self.flat: dict[str, Any] = {
            "start": layout if rng.random() < 0.8 else {},
            "bonuses": BONUSES if rng.random() < 0.7 else [],
            "vacated_cells": rng.choice(["blocked", "blocked", "open"]),
            "own_cell": rng.choice(["allow", "forbid"]),
            "refund_bounced_bonus": rng.random() < 0.3,
            "reveal_orders_at_end": rng.random() < 0.4,
            "max_rounds": rng.choice([2, 10]),
            "missing_parity": rng.choice(["first_listed", "lot"]),
        }
        self.failed = self.flat["reveal_orders_at_end"] and rng.random() < 0.4
        """Do the same orders of all fail in both? Otherwise such a match goes on: at the end they would be told."""
        if self.flat["reveal_orders_at_end"] and not self.failed:
            self.rounds, self.flat["max_rounds"] = rng.choice((1, 1, 2)), 10
        self.cells = placed(self.flat["start"], NAMES)
        self.points = dict.fromkeys(NAMES, 0)
        mine = {p: rng.randint(0, 3) for p in NAMES}
        yours = {p: rng.randint(0, 3) if p in self.others else mine[p] for p in NAMES}
        self.sides = (Side(mine), Side(yours))
        self.over: tuple[str, ...] | None = None
        self.wanted: set[str] = set()
        """Where the viewer sends his pieces: others often want to go there as well."""
        self.lots: list[str] = []

    # ---- a round ---------------------------------------------------------------------------------------------------

    def play(self, number: int, *, resolved: bool) -> None:
        """One round of both matches; a round that is not resolved is anything at all for the others."""
        rng = self.rng
        early = self.place() if number == 1 and rng.random() < 0.6 else [None, None]
        mine = self.orders(self.viewer) if self.viewer != PUBLIC and rng.random() < 0.9 else None
        self.wanted = {*orders_of(mine[0]).values()} if mine else set()
        chosen = {p: rng.choice(PARITIES) for p in NAMES} if number == 1 else {}
        choice: dict[str, str | None] = {p: self.cells[p, which] for p, which in chosen.items()}
        if not resolved:
            for side in self.sides:
                said = {p: self.orders(p) for p in self.others if rng.random() < 0.7}
                odd = {
                    p: self.cells[p, rng.choice(PARITIES)] for p in self.others if number == 1 and rng.random() < 0.6
                }
                self.hidden(side, said, odd, resolved=False)
            self.known(mine, choice.get(self.viewer), resolved=False)
            return
        for p, which in chosen.items():
            if which == "even":
                self.cells[p, "odd"], self.cells[p, "even"] = self.cells[p, "even"], self.cells[p, "odd"]
        first = {p: self.orders(p) for p in self.others if rng.random() < 0.85}
        target = self.outcome(self.sides[0], first, mine)
        for side, before in zip(self.sides, early, strict=True):
            said = first if side is self.sides[0] else self.another(side, first, mine, target)
            judged = self.judged(side, said, mine)
            self.pay(side, judged)
            odd = {
                p: c
                for p, c in choice.items()
                if c and (p == before or self.must_choose(chosen[p]) or rng.random() < 0.5)
            }
            self.hidden(side, said, {p: cell for p, cell in odd.items() if p in self.others}, resolved=True)
        before, self.cells = self.points, dict(target[0])
        formed = parties(self.cells.values())
        scored = scorers(self.cells, formed)
        self.points = {p: n + before[p] for p, n in gained(NAMES, scored).items()}
        won = tuple(p for p in NAMES if any(owner == p for owner, _ in enders(self.cells, scored, before)))
        if won or number >= self.flat["max_rounds"]:
            self.over = won
            if self.flat["reveal_orders_at_end"] and not self.failed:
                raise NotAPair("other orders have failed")
        self.lots = [f"{p} {'first' if which == 'odd' else 'second'}" for p, which in chosen.items()]
        if self.viewer in chosen and not self.must_choose(chosen[self.viewer]) and rng.random() < 0.3:
            choice[self.viewer] = None
        self.known(mine, choice.get(self.viewer), resolved=True)

    def place(self) -> list[str | None]:
        """In round 1 a host puts a piece of somebody elsewhere: everybody hears where, and not which of the two it is.

        It is typed as the odd or the even one by what its owner has chosen so far.

        Returns:
            Of each match who has chosen before; that may be another choice than the one that counts.
        """
        rng, q = self.rng, self.rng.choice(self.others)
        which = rng.choice(PARITIES)
        old = {piece: self.cells[q, piece] for piece in PARITIES}
        self.cells[q, which] = rng.choice([c for c in BOARD.within(3) if c not in self.cells.values()])
        early: list[str | None] = []
        for side, swapped in zip(self.sides, rng.choice([(True, False), (False, True), (True, True)]), strict=True):
            chosen = swapped or rng.random() < 0.3
            if chosen:
                self.add(side, ("sides", q, old["even" if swapped else "odd"]), 0, 1)
            early.append(q if chosen else None)
            named = which if not swapped else "even" if which == "odd" else "odd"
            words = ("override", q, named, self.cells[q, which])
            side.steps.append(Step(words, self.now + MINUTE + MINUTE // 2, told=True))
        return early

    def must_choose(self, which: str) -> bool:
        """Is there no other way in which this piece can come to be the odd one?"""
        return self.flat["missing_parity"] == "first_listed" and which == "even"

    def orders(self, player: str) -> Sent:
        """Some orders, of which many meet others."""
        rng, said = self.rng, []
        for which in PARITIES:
            if rng.random() < 0.75:
                said.append(f"{which} {self.cell(player, which)}")
        bonus = rng.choice(["", "", "sprint", "leap:odd", "sprint:even"]) if self.flat["bonuses"] else ""
        return " ".join(said), bonus

    def cell(self, player: str, which: Any) -> str:
        """A cell that a piece is sent to; often one where the viewer wants to go as well."""
        near, lined = around(self.cells[player, which], self.rng.choice([1, 2, 3, 5]))
        if self.rng.random() < 0.6:
            free = self.free(self.cells[player, which])
            if player == self.viewer:
                theirs = [self.free(self.cells[p, one]) for p in self.others for one in PARITIES]
                lined = [c for c in free if sum(c in cells for cells in theirs) > 1] or near
            else:
                lined = [c for c in free if c in self.wanted] or near
        return self.rng.choice(lined if self.rng.random() < 0.8 else near)

    def free(self, here: str) -> list[str]:
        """Where a piece may go, as the pieces stand."""
        taken = {*self.cells.values()}
        return [c for c in around(here, 3)[1] if c not in taken and taken.isdisjoint(BOARD.between(here, c) or ())]

    def judged(self, side: Side, said: Mapping[str, Sent], mine: Sent | None) -> dict[str, Judged]:
        rules = Rules(self.flat["vacated_cells"], self.flat["own_cell"])
        found = {}
        for p in NAMES:
            text, bonus = (mine or ("", "")) if p == self.viewer else said.get(p, ("", ""))
            name, _, on = bonus.partition(":")
            order = Order(orders_of(text), name, on)
            bonuses = bonuses_of(self.flat["bonuses"])
            found[p] = judge(self.cells, p, order, rules, bonuses, side.garnets[p], side.used[p])
        return found

    def resolved(self, judged: Mapping[str, Judged]) -> tuple[Any, dict[Any, str]]:
        moves = {(p, which): to for p, one in judged.items() for which, to in one.moves.items()}
        return resolve(self.cells, moves), moves

    def outcome(self, side: Side, said: Mapping[str, Sent], mine: Sent | None) -> tuple[Any, ...]:
        """What everybody is told of the round, and the viewer of his own orders."""
        judged = self.judged(side, said, mine)
        out, moves = self.resolved(judged)
        told = [piece for piece in out.bounced if self.failed or piece[0] == self.viewer]
        failed = [(p, one.illegal) for p, one in judged.items() if self.failed or p == self.viewer]
        own = judged.get(self.viewer)
        used = None if own is None else (own.bonus, own.ignored)
        return out.cells, [(piece, moves[piece]) for piece in told], failed, used

    def another(
        self, side: Side, first: Mapping[str, Sent], mine: Sent | None, target: tuple[Any, ...]
    ) -> dict[str, Sent]:
        """Other orders of the others, which come to the same."""
        rng = self.rng
        stay = [piece for piece, cell in target[0].items() if cell == self.cells[piece] and piece[0] != self.viewer]
        met = [to for piece, to in target[1] if piece[0] == self.viewer]
        kept = {p: orders_of(first.get(p, ("", ""))[0]) for p in self.others}
        for attempt in range(120):
            said: dict[str, Sent] = {}
            able = [
                at for at in stay if met and met[0] in self.free(self.cells[at]) and kept[at[0]].get(at[1]) != met[0]
            ]
            other = rng.choice(able) if able and attempt < 90 else None  # somebody else meets the viewer
            for p in self.others:
                text, bonus = self.orders(p)
                fresh = orders_of(text)
                both = []
                for which in PARITIES:
                    same = kept[p].get(which)
                    to = same if (p, which) not in stay else rng.choice((same, None, fresh.get(which)))
                    to = None if other and to in met else to
                    to = met[0] if other == (p, which) else to
                    both += [f"{which} {to}"] if to else []
                bonus = first[p][1] if p in first and rng.random() < 0.5 else bonus
                if both or rng.random() < 0.5:
                    said[p] = (" ".join(both), bonus)
            if self.outcome(side, said, mine) == target:
                return said
        raise NotAPair("no other orders")

    def pay(self, side: Side, judged: Mapping[str, Judged]) -> None:
        out, _ = self.resolved(judged)
        for p, one in judged.items():
            if one.bonus is None:
                continue
            if self.flat["refund_bounced_bonus"] and all((p, which) in out.bounced for which in one.carried):
                continue
            side.garnets[p] -= one.bonus.cost
            side.used[p] = (*side.used[p], one.bonus.name)

    # ---- steps -----------------------------------------------------------------------------------------------------

    def hidden(self, side: Side, said: Mapping[str, Sent], odd: Mapping[str, str], *, resolved: bool) -> None:
        """The sheets that count, each in one of the ways in which it can have come; and what else hosts write down."""
        for p in self.others:
            if p in odd:
                self.add(side, ("sides", p, odd[p]), 2, 290)
            self.sheet(side, p, said.get(p), late=resolved)
        self.remarks(side)
        if not resolved and self.rng.random() < 0.3:
            self.token(side)
        if self.rng.random() < 0.3:
            self.given_and_taken(side, (425, 426), (427, 428))
        if self.rng.random() < 0.2 and resolved:
            q = self.rng.choice(self.others)
            side.garnets[q] = self.rng.randint(0, 3)
            self.add(side, ("override", q, "garnets", str(side.garnets[q])), 429, 429)

    def sheet(self, side: Side, p: str, sent: Sent | None, *, late: bool) -> None:
        words = None if sent is None else self.words(p, sent)
        decoy = self.words(p, self.orders(p))
        wrong = [("move", p, "odd D9"), ("sides", p, "I9"), ("move", p, "odd D5", "--bonus", "wings")]
        self.sent(side, p, words, decoy, lambda: self.rng.choice(wrong), late=late)

    @staticmethod
    def words(player: str, sent: Sent) -> tuple[str, ...]:
        """A `move` as it is typed."""
        text, bonus = sent
        return ("move", player, text, *(("--bonus", bonus) if bonus else ()))

    def known(self, mine: Sent | None, choice: str | None, *, resolved: bool) -> None:
        """What the viewer knows of a round, his choice of sides as well."""
        if choice is not None:
            self.show(("sides", self.viewer, choice), self.now + 90 * MINUTE)
        lots = [word for lot in self.lots for word in ("--drawn", lot)] if self.flat["missing_parity"] == "lot" else []
        self.frame(mine and self.words(self.viewer, mine), lots, resolved=resolved, last=422)

    def probes(self, where: str) -> tuple[tuple[str, ...], ...]:
        if self.viewer == PUBLIC:
            return ()
        p, cell = self.viewer, self.rng.choice(list(BOARD.axial))
        listed = [
            ("move", p, f"odd {cell}"), ("move", p, f"odd {cell} even {cell}"), ("blank", p), ("sides", p, cell),
            ("move", p, "odd D9"), ("move", p, f"even {cell}", "--bonus", "sprint"),
            ("sides", p, self.cells[p, "even"]),
        ]  # fmt: skip
        return tuple(self.rng.sample(listed, 3))

    def end(self) -> None:
        """After the last round: votes, a gift, a day; each known to those who may know it.

        The last vote comes at the same time in both matches; of those before it only each voter knows whether it names
        the same player or nobody.
        """
        rng, won = self.rng, self.over or ()
        holders = won if 0 < len(won) < 3 else ()
        able = [p for p in NAMES if p not in holders]
        least = min(self.points[p] for p in able)
        last = [p for p in able if self.points[p] == least]
        lost = rng.choice(last)
        if len(last) > 1 and won:
            *before, final = rng.sample(won, len(won))
            for n, voter in enumerate(before):
                at = self.now + (n * 8 + rng.randint(1, 7)) * MINUTE
                if voter == self.viewer:
                    self.show(("vote", voter, lost), at)
                else:
                    said = (("vote", voter, lost), ("blank", voter))
                    for side in self.sides:
                        side.steps.append(Step(rng.choice(said), at))
            self.show(("vote", final, lost), self.now + 50 * MINUTE)
        elif len(last) > 1:
            self.show(("lot", "--outcome", lost), self.now + 55 * MINUTE)
        if len(won) == 1:
            to = rng.choice([p for p in able if p != lost])
            self.show(("gift", won[0], to), self.now + 60 * MINUTE)
        self.shared.append(Look(self.now + 70 * MINUTE))
        self.a_day(self.now)


def draw(rng: random.Random) -> Pair:
    """A candidate for a pair."""
    d = Drawing(rng)
    rows = [{p: {"garnets": held} for p, held in side.garnets.items()} for side in d.sides]
    d.show(("open",), BEGAN)
    for n, p in enumerate(NAMES):
        if rng.random() < (0.4 if d.flat["max_rounds"] > 2 else 0.25):  # a short match often ends without a winner
            d.points[p] = rng.choice([2, 7, 7, 10, 13, 16])
            at = BEGAN + (n + 1) * MINUTE // 10
            d.show(("override", p, "points", str(d.points[p])), at)
    d.now += MINUTE
    for number in range(1, d.rounds + 1):
        if d.over is None:
            d.play(number, resolved=True)
    if d.over is None:
        d.play(d.rounds + 1, resolved=False)
        d.flat["reveal_orders_at_end"] |= d.viewer != PUBLIC  # nothing is opened by it yet
    else:
        d.end()
    return d.pair(*(match_file(GAME, players, settings=d.flat) for players in rows))
