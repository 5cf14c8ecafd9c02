"""Pairs of matches of Polar RPS Party that differ only in what one viewer may not know. The method is in harness.py.

What everybody is told is drawn first: where each player begins, where he stands after each round and with which sign,
which bombs are on which rooms. Both matches are then filled in anew, so that they are told the same. Drawn anew:
whether a room or sign was named or drawn by lot, which bombs the others chose and hold, who of them used which, what
they bought, their garnets, invalid items, and who sent nothing, a blank, a sheet that was replaced, undone, refused,
late, late and admitted, or made of short forms in some order; votes; notes, rulings, breaches, awards, penalties and
overrides: values, presence, times and order. Kept: what `knows` says.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.polar.facts import State
from games.polar.sheets import score
from tests.secrecy import generators
from tests.secrecy.generators import DRAWN_BY_NONE, MINUTE, match_file
from tests.secrecy.known import SECRET, of_the_end, of_the_table, own_sheets
from tests.secrecy.script import LOOKING, PUBLIC, NotAPair, Pair, Shown, Step

QUICK = 28
TELLING = (0, 17)
TOLD_AT_ONCE = DRAWN_BY_NONE
OPENING = (
    *(Shown("price_scope", "per_player", "resolve", who) for who in LOOKING),
    Shown("price_scope", "market", "resolve", "player"),  # nobody else has prices
)
OF_PLAY = (
    "polarity_scope", "double_mode", "rounds", "pregame_hours", "round_hours", "bad_bomb", "purchase_window",
    "use_same_round", "garnets_per", "garnets_from", "max_tied_tol", "ec_excludes_token_holders", "pregame_talk",
    "channels_switch", "gift_hours", "vote_hours",
)  # fmt: skip

GAME = "polar"
NAMES = ("ann", "bob", "cyd", "dan", "eve")
ROOMS = ("rock", "paper", "scissors")
BOMBS = ("confetti", "double", "polarity", "ticket")


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment, from docs/games/polar.md, section 6. Reads the state, never a view."""
    table, players = state.table, state.players
    known = [*of_the_table(table), table.ends]
    known += [(one.number, one.rooms, one.signs, one.bombs, one.scores, one.totals) for one in state.history]
    if state.history:
        known.append([(p, held.room, held.sign, held.points) for p, held in players.items()])
    if viewer != PUBLIC:
        mine = players[viewer] if state.history else players[viewer]._replace(room="", sign="")  # a host may set these
        purse = None if table.settings["visibility"]["garnets"] in SECRET else table.garnets(viewer)
        known += [mine, purse, state.history and state.history[-1].void.get(viewer)]
        known.append(own_sheets(table, viewer))
        if state.settings.price_scope == "market":  # his prices tell how many of each kind were sold
            known.append(sum((Counter(held.bought) for held in players.values()), Counter()))
    if state.over:
        known += of_the_end(table, viewer)
    return known


class Want(Exception):
    """This player cannot do that with what he has: another one must."""


class Holds:
    """What one of the others has in one of the two matches."""

    def __init__(self, garnets: int) -> None:
        self.garnets, self.tickets, self.swaps = garnets, 4, 2
        self.bombs: Counter[str] = Counter()
        self.bought: Counter[str] = Counter()

    def buy(self, items: Sequence[str], *, must: bool = False) -> None:
        """Section 4, with prices for each player."""
        for item in items:
            kind = item if item in ("ticket", "swap") else "bomb"
            if self.bought[kind] + 1 > self.garnets:
                if must:
                    raise Want
                continue
            self.bought[kind] += 1
            self.garnets -= self.bought[kind]
            self.tickets += kind == "ticket"
            self.swaps += kind == "swap"
            self.bombs[item.removesuffix("_bomb")] += kind == "bomb"


class Side(generators.Side):
    def __init__(self, garnets: Mapping[str, int]) -> None:
        super().__init__(garnets)
        self.holds = {p: Holds(n) for p, n in garnets.items()}


class Drawing(generators.Drawing):
    WORDS = (*generators.WORDS, "double rock", "late again")

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, NAMES)
        self.ended = rng.random() < 0.4
        self.total = rng.randint(1, 3) if self.ended else 9
        self.rounds = self.total if self.ended else rng.randint(0, 3)
        self.market = rng.random() < (0.1 if self.viewer == PUBLIC else 0.35)
        self.flat = {
            "rounds": self.total,
            "polarity_scope": rng.choice(["room", "all"]),
            "double_mode": rng.choice(["base_only", "cancels_others", "cancelled_by_others"]),
            "bad_bomb": rng.choice(["lose_that_one", "lose_both"]),
            "price_scope": "market" if self.market else "per_player",
            "ec_excludes_token_holders": rng.random() < 0.7,
            "garnets_per": rng.choice([2, 7]),
            "channels_switch": rng.choice(["publication", "deadline"]),
        }
        mine = rng.randint(0, 5)
        self.sides = tuple(Side({p: mine if p == self.viewer else rng.randint(0, 9) for p in NAMES}) for _ in "ab")
        self.rooms = {p: rng.choice(ROOMS) for p in NAMES}
        self.signs = {p: rng.choice("+-") for p in NAMES}
        self.swaps = dict.fromkeys(NAMES, 2)
        self.points: Counter[str] = Counter()
        self.own = Holds(mine)
        self.blind = self.viewer != PUBLIC and not self.market and random.Random(repr(self.rooms)).random() < 0.3
        """The viewer does not know their own garnets: enough for the first two purchases, not for the third."""
        if self.blind:
            self.flat |= {"visibility": {"garnets": "host"}}
            for side, held in zip(self.sides, (4, 5), strict=True):
                side.garnets[self.viewer] = held

    # ---- the pregame -----------------------------------------------------------------------------------------------

    def pregame(self, *, resolved: bool) -> None:
        rng = self.rng
        mine: list[str] = []
        if self.viewer != PUBLIC and rng.random() < 0.8:
            bombs = [rng.choice(BOMBS) for _ in range(rng.choice([0, 1, 2, 2, 2]))]
            mine = ["start", self.viewer, self.named("rooms", self.viewer), self.named("signs", self.viewer), *bombs]
            mine.append("--as-sent")
            if len(bombs) == 2 or self.flat["bad_bomb"] == "lose_that_one":
                self.own.bombs.update(bombs)
        for side in self.sides:
            for p in self.others:
                self.begin(side, p, self.start(side, p, late=resolved), resolved=resolved)
            if self.viewer != PUBLIC:
                self.begin(side, self.viewer, mine, resolved=resolved)
            self.written(side)
        lots = [word for p in NAMES for word in ("--drawn", f"{p} {self.rooms[p]} {self.signs[p]}")]
        self.frame(mine, lots, where="" if resolved else "pregame", resolved=resolved, seldom=True)

    def named(self, what: str, player: str) -> str:
        """The room or sign as the player wrote it: it is drawn for him as it was to be if he named none."""
        return str(self.rng.choice([getattr(self, what)[player]] * 3 + ["blank", "attic"]))

    def begin(self, side: Side, p: str, sheet: Sequence[str], *, resolved: bool) -> None:
        """A host sets where or how somebody begins. That stands for who names none; nobody hears of it before the start
        is told, the player neither. (Who finds that no lot was drawn for them knows it then.)"""
        for what, all_, named in zip(("room", "sign"), (ROOMS, ("+", "-")), (*sheet[2:4], "", "")[:2], strict=True):
            if self.rng.random() < 0.7:
                continue
            values = [*all_, *(["none"] if what == "room" else [])]
            if resolved and named not in all_:  # it counts, so it is what everybody is told
                values = [getattr(self, f"{what}s")[p]] if p != self.viewer else []
            if values:
                self.add(side, ("override", p, what, self.rng.choice(values)), 0, 290)

    def start(self, side: Side, p: str, *, late: bool) -> Sequence[str]:
        """What one of the others sends before the first round; returned is what counts."""
        if self.rng.random() < 0.2:
            if self.rng.random() < 0.5:
                self.add(side, ("blank", p), 61, 290)
            return ()
        words = [self.rng.choice(BOMBS) for _ in range(self.rng.choice([0, 1, 2, 2, 2, 3]))]
        if words and self.rng.random() < 0.2:
            words[0] = "bazooka"
        kept = [bomb for bomb in words[:2] if bomb in BOMBS]
        if len(kept) == 2 or self.flat["bad_bomb"] == "lose_that_one":
            side.holds[p].bombs.update(kept)
        made = ("start", p, self.named("rooms", p), self.named("signs", p), *words, "--as-sent")
        decoy = ("start", p, self.rng.choice(ROOMS), self.rng.choice("+-"), "double", "double")
        self.sent(side, p, made, decoy, lambda: ("start", p, "papr", "+"), late=late)
        return made

    # ---- a round ---------------------------------------------------------------------------------------------------

    def round(self, *, resolved: bool) -> None:
        rng, mine = self.rng, list[str]()
        rooms, signs = dict(self.rooms), dict(self.signs)
        used: dict[str, Counter[str]] = {room: Counter() for room in ROOMS}
        for p in self.others:
            if rng.random() < 0.4:
                rooms[p] = rng.choice(ROOMS)
            if rng.random() < 0.3 and self.swaps[p]:
                signs[p] = "-" if signs[p] == "+" else "+"
        thrown = [(rng.choice(BOMBS), rng.choice(ROOMS)) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        sold = [rng.choice(("ticket", "swap", "confetti")) for _ in range(rng.choice([0, 1, 2]) if self.market else 0)]
        for bomb, room in thrown:
            used[room][bomb] += 1
        if self.viewer != PUBLIC:
            mine = self.my_sheet(rooms, signs, used)
        for side in self.sides:
            self.fill(side, rooms, signs, thrown, sold, resolved=resolved)
            self.written(side, moved=resolved and not self.market)
        if resolved:
            self.score(rooms, signs, used)
        self.frame(mine, [], resolved=resolved, seldom=True)

    def my_sheet(self, rooms: dict[str, str], signs: dict[str, str], used: Mapping[str, Counter[str]]) -> list[str]:
        """The viewer's own sheet: the same in both matches, items that cannot be among it."""
        rng, me = self.rng, self.viewer
        words: list[str] = []
        if rng.random() < 0.5:
            room = rng.choice([*ROOMS, "attic"])
            words += ["--ticket", room]
            if room in ROOMS and room != rooms[me] and self.own.tickets:
                rooms[me] = room
                self.own.tickets -= 1
        if rng.random() < 0.3 and self.swaps[me]:
            words.append("--swap")
            if rng.random() < 0.2:
                words.append("--swap")
            else:
                signs[me], self.swaps[me] = "-" if signs[me] == "+" else "+", self.swaps[me] - 1
        if rng.random() < 0.6:
            kind, room = rng.choice([*BOMBS, "bazooka"]), rng.choice(ROOMS)
            words += ["--bomb", kind, room]
            if self.own.bombs[kind]:
                used[room][kind] += 1
                self.own.bombs[kind] -= 1
        if rng.random() < 0.2 and not self.market:
            words += ["--buy", "unicorn"]
        return ["submit", me, *words, "--as-sent"] if words else []

    def fill(
        self, side: Side, rooms: Mapping[str, str], signs: Mapping[str, str], thrown: Sequence[tuple[str, str]],
        sold: Sequence[str], *, resolved: bool,
    ) -> None:  # fmt: skip
        """Sheets of the others in one match that lead to what everybody is told."""
        rng = self.rng
        before = side.holds
        for _ in range(80):
            users = dict(zip(rng.sample(self.others, len(thrown)), thrown, strict=True))
            shop: dict[str, list[str]] = {p: [] for p in self.others}
            for item in sold:
                shop[rng.choice(self.others)].append(item)
            side.holds = copy.deepcopy(before)
            try:
                made = {
                    p: self.sheet(side.holds[p], p, rooms[p], signs[p] != self.signs[p], users.get(p), shop[p])
                    for p in self.others
                }
            except Want:
                continue
            for p in self.others:
                self.told(side, p, made[p], late=resolved)
            if not resolved:
                side.holds = before
            return
        raise NotAPair("nobody has these bombs")

    def sheet(
        self, held: Holds, p: str, room: str, swap: bool, bomb: tuple[str, str] | None, shop: Sequence[str]
    ) -> dict[str, list[str]]:
        """What one of the others writes: what he does, what he buys, and items that cannot be."""
        rng = self.rng
        buy = list(shop)
        if self.market:
            held.garnets = 99  # garnets that are overridden for it; only what is sold in all must be the same
        held.buy(shop, must=True)
        if not self.market:
            needed = [bomb[0]] if bomb and not held.bombs[bomb[0]] else []
            needed = ["ticket_bomb" if item == "ticket" else item for item in needed]
            held.buy(needed, must=True)
            extra = [rng.choice(("ticket", "swap", *BOMBS[:3], "ticket_bomb")) for _ in range(rng.choice([0, 0, 1, 3]))]
            held.buy(extra)
            buy += [*needed, *extra]
        made: dict[str, list[str]] = {"ticket": [], "swap": [], "bomb": [], "buy": buy}
        if room != self.rooms[p]:
            if not held.tickets:
                raise Want
            held.tickets -= 1
            made["ticket"] = [room]
        elif rng.random() < 0.3:
            made["ticket"] = rng.choice([[room], ["attic"], ["paper", "rock"]])
        if swap:
            if not held.swaps:
                raise Want
            held.swaps -= 1
            made["swap"] = ["1"]
        elif rng.random() < 0.2:
            made["swap"] = ["2"]
        if bomb:
            if not held.bombs[bomb[0]]:
                raise Want
            held.bombs[bomb[0]] -= 1
            made["bomb"] = [" ".join(bomb)]
        elif rng.random() < 0.3:
            made["bomb"] = rng.choice([["bazooka rock"], ["double attic"], ["double rock", "ticket paper"]])
        if rng.random() < 0.1:
            made["buy"].append("unicorn")
        return made

    def score(self, rooms: dict[str, str], signs: dict[str, str], used: Mapping[str, Any]) -> None:
        found = score(rooms, signs, used, str(self.flat["polarity_scope"]), str(self.flat["double_mode"]))
        for p, one in found.items():
            self.points[p] += one.points
            for side in self.sides:
                side.holds[p].tickets += one.tickets
        self.own.tickets += found[self.viewer].tickets if self.viewer in found else 0
        for p in self.others:
            self.swaps[p] -= signs[p] != self.signs[p]
        self.rooms, self.signs = rooms, signs

    # ---- the end ---------------------------------------------------------------------------------------------------

    def end(self) -> None:
        """Choices are public; votes are not."""
        at = self.now
        ranked = sorted(NAMES, key=lambda p: -self.points[p])
        best = [p for p in NAMES if self.points[p] == self.points[ranked[0]]]
        winners = best if len(best) < 5 else []
        if len(best) == 1:
            second = [p for p in NAMES if self.points[p] == self.points[ranked[1]]]
            picked = self.rng.choice(second)
            if len(second) > 1:
                self.show(("choose", best[0], picked), at)
            winners = [best[0], picked]
        able = [p for p in NAMES if p not in winners or not self.flat["ec_excludes_token_holders"]]
        last = [p for p in able if self.points[p] == min(self.points[q] for q in able)]
        if len(last) > 1 and winners:
            candidate = self.rng.choice(last)
            silent = self.rng.choice([p for p in winners if p != self.viewer] or winners)  # the clock ends the vote
            for voter in winners:
                if voter == self.viewer:
                    self.show(("vote", voter, candidate), at + MINUTE)
                    continue
                for side in self.sides:
                    named = candidate if self.rng.random() < 0.7 else self.rng.choice(last)
                    if voter != silent and self.rng.random() < 0.8:
                        side.steps.append(Step(("vote", voter, named), at + self.rng.randint(1, 5) * 1000))
        self.a_day(at)

    # ---- steps -----------------------------------------------------------------------------------------------------

    def told(self, side: Side, p: str, made: Mapping[str, list[str]], *, late: bool) -> None:
        """A sheet of a round as it came in: whole, in short forms, or not at all when nothing is on it."""
        if self.market:
            self.add(side, ("override", p, "garnets", "99"), 0, 1)
        whole: list[str] = ["submit", p]
        for room in made["ticket"]:
            whole += ["--ticket", room]
        whole += ["--swap"] * sum(int(n) for n in made["swap"])
        for bomb in made["bomb"]:
            whole += ["--bomb", *bomb.split()]
        for item in made["buy"]:
            whole += ["--buy", item]
        decoy = ("submit", p, "--ticket", self.rng.choice(ROOMS), "--bomb", self.rng.choice(BOMBS), "rock")
        wrong = ("submit", p, "--ticket", "papr")
        if len(whole) == 2:
            self.sent(side, p, None, decoy, lambda: wrong, late=late)
        elif max(len(made["ticket"]), len(made["bomb"])) < 2 and made["swap"] != ["2"] and self.rng.random() < 0.3:
            forms = [("go", p, *made["ticket"], "--as-sent")] if made["ticket"] else []
            forms += [("swap", p)] if made["swap"] else []
            forms += [("bomb", p, *bomb.split(), "--as-sent") for bomb in made["bomb"]]
            forms += [("buy", p, *made["buy"], "--as-sent")] if made["buy"] else []
            for words in self.rng.sample(forms, len(forms)):
                self.add(side, words, 61, 290)
        else:
            self.sent(side, p, (*whole, "--as-sent"), decoy, lambda: wrong, late=late)

    def written(self, side: Side, *, moved: bool = False) -> None:
        """What else hosts write down, and what they set of the others."""
        self.remarks(side)
        if not self.ended and self.rng.random() < 0.2:
            self.token(side)
        if not moved:
            return
        if self.rng.random() < 0.3:
            q = self.rng.choice(self.others)
            self.add(side, ("award", q, "garnets", "2"), 360, 380)
            if self.rng.random() < 0.5:
                self.add(side, ("penalty", q, "--garnets", "2"), 390, 400)
        if self.rng.random() < 0.3:
            q = self.rng.choice(self.others)
            what = self.rng.choice(("tickets", "swaps"))
            self.add(side, ("override", q, what, str(getattr(side.holds[q], what) + 3)), 425, 429)
        if self.rng.random() < 0.2:
            q = self.rng.choice(self.others)
            side.holds[q].bombs = Counter(confetti=1, double=2)
            self.add(side, ("override", q, "bombs", "confetti double double"), 425, 429)

    def probes(self, where: str) -> tuple[tuple[str, ...], ...]:
        if self.viewer == PUBLIC:
            return ()
        me, other = self.viewer, self.rng.choice(self.others)
        listed = [
            ("start", me, "rock", "+", "double"), ("start", me, "papr", "+"), ("submit", me, "--ticket", "rock"),
            ("submit", me, "--swap", "--bomb", "double", "rock"), ("submit", me, "--buy", "ticket", "--buy", "ticket"),
            ("go", me, "scissors"), ("go", me, "--off"), ("swap", me), ("bomb", me, "confetti", "rock"),
            ("buy", me, "polarity", "swap"), ("blank", me), ("choose", me, other), ("vote", me, other),
            ("gift", me, other),
        ]  # fmt: skip
        more = [("start", me, "attic", "0", "--as-sent")] if where else []
        more += [("buy", me, "ticket", "ticket", "ticket", "--as-sent")] if self.blind else []
        return (*self.rng.sample(listed, 3), *more)


def draw(rng: random.Random) -> Pair:
    """A candidate for a pair."""
    d = Drawing(rng)
    d.show(("open",), d.now)
    d.now += MINUTE
    begun = d.ended or rng.random() < 0.85
    d.pregame(resolved=begun)
    for _ in range(d.rounds if begun else 0):
        d.round(resolved=True)
    if d.ended:
        d.end()
    elif begun:
        d.round(resolved=False)
    rows = ({p: {"garnets": held} for p, held in side.garnets.items()} for side in d.sides)
    return d.pair(*(match_file(GAME, players, settings=d.flat) for players in rows))
