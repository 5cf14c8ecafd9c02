"""Pairs of Poker Auction matches that differ only in what one viewer may not know. The method is in harness.py.

What everybody is told is drawn first, by playing one match: the powers, and of each card who received it, whether it
was destroyed, whether a tie was skipped. The other match is then drawn card by card until it is told the same. Drawn
anew: chips and rankings submitted for powers, every bid, gift and use of Diamonds of the others, and who of them sent
nothing, a blank, a sheet that was replaced, withdrawn, undone, refused, late, or late and admitted; their garnets
(where the end does not show them), notes, rulings, breaches, awards, penalties and overrides: values, presence, times
and order. Kept: what `knows` says.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.poker_auction.facts import State
from tests.secrecy import generators
from tests.secrecy.generators import MINUTE, match_file
from tests.secrecy.known import SECRET, of_the_end, of_the_table, own_sheets
from tests.secrecy.script import LOOKING, PUBLIC, NotAPair, Pair, Shown

QUICK = 30
TELLING = (0, 11)
TOLD_AT_ONCE = {"power": "everybody is told, and it is the same in both"}
OPENING = tuple(
    Shown(name, value, "resolve", who)
    for name in ("announce_diamonds", "announce_gift")
    for value in (False, True)
    for who in LOOKING
)
OF_PLAY = (
    "round_hours", "min_bid", "power_tie", "flush_tie", "kickers", "multi_ec", "overspend", "auto_ec_can_win",
    "gift_hours", "vote_hours",
)  # fmt: skip

GAME = "poker_auction"
NAMES = ("ann", "bob", "cyd", "dan", "eve")
POWERS = ("spades", "diamonds", "hearts", "clubs", "joker")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ROUNDS = (("clubs", "C"), ("diamonds", "D"), ("hearts", "H"), ("spades", "S"))


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment, from docs/games/poker_auction.md, section 6. Reads the state, never a
    view.
    """
    table, settings = state.table, state.settings
    known = [*of_the_table(table), table.ends]
    known.append(sorted(state.powers.items()))
    for name, facts in state.results.items():
        for fact in facts:
            gift = settings.announce_gift and fact.why == "gift"
            why = fact.why if fact.why in ("destroyed", "no_valid_bids") else "received"
            # That higher bids were invalid is told of a card that somebody got, and of no other.
            known.append((fact.card, fact.to, why, gift, why == "received" and fact.because_of_invalid_bids))
        if settings.announce_diamonds:
            known.append([s.diamonds for s in state.counted[name].values() if s.diamonds])
    if viewer != PUBLIC:
        known += [state.chips[viewer], table.garnets(viewer), state.income.get(viewer)]
        known.append(state.powers.get(viewer) == "diamonds" and "diamonds" in state.used)  # whether they may use it now
        known.append(own_sheets(table, viewer))
    if "spades" in table.past:
        known += [{p: table.garnets(p) for p in table.seats}, *of_the_end(table, viewer), state.cards]
        levels = table.settings["visibility"]
        known.append(sorted(state.overspent) if levels["elimination"] not in SECRET else None)
    return known


class Side(generators.Side):
    def __init__(self, garnets: Mapping[str, int]) -> None:
        super().__init__(garnets)
        self.chips = dict.fromkeys(NAMES, 104)
        self.used: set[str] = set()
        self.dealt: list[str] = []
        """Cards of the rounds so far."""


class Drawing(generators.Drawing):
    WORDS = (*generators.WORDS, "AS 20", "late again")

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, NAMES)
        self.ended = rng.random() < 0.35
        self.rounds = 4 if self.ended else rng.randint(0, 3)
        self.flat = {
            "min_bid": rng.choice([0, 1, 1]),
            "power_tie": rng.choice(["holdings", "holdings", "lot"]),
            "announce_gift": rng.random() < 0.2,
            "announce_diamonds": rng.random() < 0.2,
            "multi_ec": rng.choice(["all", "winner_picks", "fewest_cards", "lot"]),
        }
        self.closed = self.ended and rng.random() < 0.5
        """Is it told to nobody who is Elimination Candidate? Then that may be others in each match: who overspent."""
        if self.closed:
            self.flat |= {"visibility": {"elimination": "host"}, "multi_ec": "all", "auto_ec_can_win": True}
        mine = {p: rng.randint(0, 3) for p in NAMES}
        yours = {p: rng.randint(0, 3) if p in self.others and not self.ended else mine[p] for p in NAMES}
        self.sides = (Side(mine), Side(yours))
        self.lot = rng.sample(NAMES, 5)
        self.moves = not self.flat["announce_diamonds"]
        """Who uses Diamonds knows where; and a host gives it to the viewer afterwards, who may not."""
        if self.moves and random.Random(repr(self.lot)).random() < 0.7:
            self.flat["visibility"] = {**self.flat.get("visibility", {}), "diamonds_use": "owner"}
        self.powers: dict[str, str] = {}

    # ---- powers ----------------------------------------------------------------------------------------------------

    def power_round(self) -> None:
        rng = self.rng
        sheet = None
        if self.viewer != PUBLIC and rng.random() < 0.8:
            sheet = (rng.randint(0, 15), rng.sample(POWERS, 5))
        for side in self.sides:
            for _ in range(300):
                chosen = {p: rng.choice([0, 5, 5, 10, rng.randint(0, 15)]) for p in self.others if rng.random() < 0.8}
                sent: dict[str, Any] = {p: (chips, []) for p, chips in chosen.items()}
                taken = self._powers(side, sent | ({self.viewer: sheet} if sheet else {}), filled := {})
                if taken is not None:
                    made = filled
                    break
            else:
                raise NotAPair("no powers")
            self.powers = self.powers or taken
            said = {p: ("power", p, str(chips), ">".join(ranking)) for p, (chips, ranking) in made.items()}
            self.hidden(side, said, "", 1)
            for p, (chips, _) in made.items():
                side.chips[p] -= chips
            for p, power in taken.items():
                side.chips[p] += 26 if power == "joker" else 0
            if sheet:
                side.chips[self.viewer] -= sheet[0]
        mine = ("power", self.viewer, str(sheet[0]), ">".join(sheet[1])) if sheet else None
        self.frame(mine, ["--drawn", ", ".join(self.lot)], resolved=True)

    def _powers(self, side: Side, made: dict[str, Any], filled: dict[str, Any]) -> dict[str, str] | None:
        """Who takes which; the rankings of the others are made so that it is as it must be. Source: section 2."""
        by = side.garnets if self.flat["power_tie"] == "holdings" else dict.fromkeys(NAMES, 0)
        chips = {p: made[p][0] if p in made else 0 for p in NAMES}
        free, taken = list(POWERS), {}
        for p in sorted(NAMES, key=lambda p: (-chips[p], -by[p], self.lot.index(p))):
            wanted = self.powers.get(p)
            if p in made and p != self.viewer:
                ranking = self.rng.sample(POWERS, 5)
                if wanted:
                    ahead = [x for x in ranking[: ranking.index(wanted)] if x not in free]
                    ranking = [*ahead, wanted, *(x for x in ranking if x not in (*ahead, wanted))]
                made[p] = filled[p] = (made[p][0], ranking)
            order = made[p][1] if p in made else POWERS
            taken[p] = next(x for x in order if x in free)
            free.remove(taken[p])
            if wanted and taken[p] != wanted:
                return None
        return taken

    # ---- an auction round ------------------------------------------------------------------------------------------

    def auction_round(self, name: str, suit: str, *, resolved: bool) -> None:
        rng, power = self.rng, self.powers.get(self.viewer)
        cards = [rank + suit for rank in RANKS]
        owner = {x: p for p, x in self.powers.items()}
        mine: dict[str, int] = {}
        if self.viewer != PUBLIC:
            left = self.sides[0].chips[self.viewer]
            for card in rng.sample(cards, rng.randint(0, 6)):
                mine[card] = min(rng.choice([0, 1, 2, 2, 3, 5]), left)
                left -= mine[card]
        my_gifts = {c: rng.choice(NAMES) for c in mine if power == "hearts" and rng.random() < 0.4}
        spare = [u for u in ("clubs", "diamonds") if u not in self.sides[0].used and rng.random() < 0.4]
        destroyed = rng.choice(cards) if "clubs" in spare else None
        collects = rng.choice(cards) if "diamonds" in spare and (power == "diamonds") else None
        public = rng.choice(cards) if "diamonds" in spare and self.flat["announce_diamonds"] else None
        targets: dict[str, Any] = {}
        for side in self.sides:
            bids: dict[str, dict[str, int]] = {p: {} for p in self.others}
            gifts: dict[str, str] = {}
            for card in cards:
                made, given = self._card(side, card, mine, my_gifts, destroyed, collects, owner, targets)
                for p, n in made.items():
                    bids[p][card] = n
                if given:
                    gifts[card] = given
            said = {}
            side.dealt += cards
            for p in self.others:
                total = sum(bids[p].values())
                words = ["bid", p, ", ".join(f"{card} {n}" for card, n in bids[p].items())]
                words += (
                    [x for c, to in gifts.items() if c in bids[p] for x in ("--gift", f"{c}={to}")]
                    if p == owner["hearts"]
                    else []
                )
                if p == owner["diamonds"] and "diamonds" not in side.used and power != "diamonds":
                    card = public if self.flat["announce_diamonds"] else rng.choice([None, rng.choice(cards)])
                    if card and resolved:
                        words += ["--diamonds", card]
                        side.used.add("diamonds")
                        side.chips[p] += sum(made.get(card, 0) for made in (mine, *bids.values()))
                if p == owner["clubs"] and destroyed:
                    words += ["--destroy", destroyed]
                if total > side.chips[p] - (0 if "--diamonds" not in words else 60) and total > 20:
                    if self.ended:
                        raise NotAPair("somebody must overspend")
                    words.append("--as-sent")
                if bids[p] or len(words) > 3:
                    said[p] = tuple(words)
            self.hidden(side, said, suit, 2 if resolved else 0)
            if self.closed and name == "spades" and (able := [p for p in self.others if sum(bids[p].values()) > 1]):
                p = rng.choice(able)  # more than he has left, though nobody knew it when it came in
                self.add(side, ("override", p, "chips", f"{rng.randrange(sum(bids[p].values()))}"), 410, 415)
            if resolved:
                for p in self.others:
                    side.chips[p] -= sum(bids[p].values())
                if self.viewer != PUBLIC:
                    side.chips[self.viewer] -= sum(mine.values())
                    if collects:
                        side.chips[self.viewer] += targets[collects][-1]
                        side.used.add("diamonds")
                if destroyed:
                    side.used.add("clubs")
        words = None
        if mine or collects or (destroyed and power == "clubs"):
            words = ["bid", self.viewer, ", ".join(f"{card} {n}" for card, n in mine.items())]
            words += [x for c, to in my_gifts.items() for x in ("--gift", f"{c}={to}")]
            words += ["--diamonds", collects] if collects else []
            words += ["--destroy", destroyed] if destroyed and power == "clubs" else []
        self.frame(words, [], where=suit, resolved=resolved)
        if self.moves and power and power != "diamonds" and all("diamonds" in side.used for side in self.sides):
            self.moves, former = False, owner["diamonds"]
            for player, word in ((former, "none"), (self.viewer, "diamonds"), (former, power)):
                self.show(("override", player, "power", word), self.now - MINUTE // 2)
            self.powers |= {self.viewer: "diamonds", former: power}

    def _card(
        self, side: Side, card: str, mine: Mapping[str, int], my_gifts: Mapping[str, str], destroyed: str | None,
        collects: str | None, owner: Mapping[str, str], targets: dict[str, Any],
    ) -> tuple[dict[str, int], str | None]:  # fmt: skip
        """Bids of the others on one card, and the recipient if one of them gives it away: told as it must be."""
        rng = self.rng
        for _ in range(400):
            made = {
                p: rng.choice([0, 1, 1, 2, 2, 3, 4, 6]) for p in self.others if rng.random() < rng.choice([0.1, 0.5])
            }
            if not self.ended and rng.random() < 0.01 and made:
                made[rng.choice(list(made))] = 150
            given = rng.choice(NAMES) if owner["hearts"] in made and rng.random() < 0.5 else None
            seen = self._told(card, made, given, mine, my_gifts, destroyed, collects, owner)
            if targets.setdefault(card, seen) == seen:
                return made, given
        raise NotAPair(f"no other bids on {card}")

    def _told(
        self, card: str, made: Mapping[str, int], given: str | None, mine: Mapping[str, int],
        my_gifts: Mapping[str, str], destroyed: str | None, collects: str | None, owner: Mapping[str, str],
    ) -> tuple[Any, ...]:  # fmt: skip
        """What the viewer is told of one card, from section 3 of the rules."""
        least = self.flat["min_bid"]
        bids = {p: n for p, n in {**made, **({self.viewer: mine[card]} if card in mine else {})}.items() if n >= least}
        income = sum(bids.values()) if card == collects else None
        if card == destroyed:
            return ("destroyed", income)
        times = Counter(bids.values())
        single = [n for n in times if times[n] == 1]
        if not single:
            return ("no valid bids", income)
        best = max(single)
        winner = next(p for p, n in bids.items() if n == best)
        gift = (my_gifts.get(card) if winner == self.viewer else given) if winner == owner["hearts"] else None
        to = gift or winner
        announced = self.flat["announce_gift"] and to != winner
        # A viewer knows his own bid, and with it whether it won.
        return (to, announced, any(n > best and times[n] > 1 for n in times), income)

    # ---- steps -----------------------------------------------------------------------------------------------------

    def hidden(self, side: Side, said: Mapping[str, Sequence[str]], suit: str, kind: int) -> None:
        """The sheets that count, each in one of the ways in which it can have come; and what else hosts write down.

        `kind`: 0 the round stays open, 1 the power round, 2 an auction round.
        """
        for p in self.others:
            self.sheet(side, p, tuple(said[p]) if p in said else None, suit, late=kind > 0)
        self.remarks(side)
        if not self.ended and self.rng.random() < 0.2:
            self.token(side)
        if kind == 2 and self.rng.random() < 0.3:
            self.given_and_taken(side, (0, 100), (110, 200))
        if kind == 2 and not self.ended and self.rng.random() < 0.4:  # at the end everybody sees all cards
            dealt = [card for card in side.dealt if self.rng.random() < 0.2]
            self.add(side, ("override", self.rng.choice(self.others), "cards", " ".join(dealt) or "none"), 421, 428)
        if kind == 2 and self.rng.random() < 0.15:
            q = self.rng.choice(self.others)
            side.chips[q] += 300
            self.add(side, ("override", q, "chips", str(side.chips[q] if side.chips[q] > 0 else 300)), 0, 1)
            side.chips[q] = max(side.chips[q], 300)

    def sheet(self, side: Side, p: str, words: tuple[str, ...] | None, suit: str, *, late: bool) -> None:
        rng = self.rng
        decoy: tuple[str, ...] = (
            ("bid", p, f"{rng.choice(RANKS)}{suit} 0") if suit else ("power", p, "1", rng.choice(POWERS))
        )
        wrong = ("bid", p, f"2{'D' if suit != 'D' else 'H'} 1") if suit else ("bid", p, "2C 1")
        self.sent(side, p, words, decoy, lambda: wrong, late=late, forms=("withdrawn",))

    def probes(self, suit: str) -> tuple[tuple[str, ...], ...]:
        if self.viewer == PUBLIC:
            return ()
        card = f"9{suit or 'C'}"
        listed = [
            ("bid", self.viewer, f"{card} 1"), ("bid", self.viewer, f"{card} 999"), ("withdraw", self.viewer),
            ("bid", self.viewer, f"{card} 1", "--diamonds", card), ("bid", self.viewer, "", "--destroy", card),
            ("bid", self.viewer, f"{card} 1", "--gift", f"{card}={self.rng.choice(self.others)}"),
            ("blank", self.viewer),
            ("power", self.viewer, "200", "joker"), ("power", self.viewer, "1", "joker"),
        ]  # fmt: skip
        return tuple(self.rng.sample(listed, 3))


def draw(rng: random.Random) -> Pair:
    """A candidate for a pair."""
    d = Drawing(rng)
    d.show(("open",), d.now)
    d.now += MINUTE
    d.power_round()
    for name, suit in ROUNDS[: d.rounds]:
        d.auction_round(name, suit, resolved=True)
    if d.ended:
        d.a_day(d.now)
    else:
        d.auction_round(*ROUNDS[d.rounds], resolved=False)
    rows = ({p: {"garnets": held} for p, held in side.garnets.items()} for side in d.sides)
    return d.pair(*(match_file(GAME, players, settings=d.flat) for players in rows))
