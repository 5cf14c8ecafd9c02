"""Pairs of matches of a file that differ only in what one viewer may not know. The method is in harness.py.

The file has each kind of thing at each level: counters of a player and of the table, cards, sheets that are opened to
everybody and to their owner alone, verbs with and without words for somebody, things that are secret. Kept: what
`knows` says, which is read off the file by its levels, not off a view. Drawn anew: what the others hold and seal, what
was paid for a lantern that everybody hears of, what only hosts see, what the secret entries of line 2 hold and whether
there are any, notes and reasons; and presence, order and times of all that.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.freeform import written
from games.freeform.facts import State
from tests.secrecy import generators
from tests.secrecy.generators import BEGAN, MINUTE, WORDS, Side, match_file
from tests.secrecy.known import of_the_end, of_the_table, own_sheets
from tests.secrecy.script import PUBLIC, Look, Pair, Shown, Step

QUICK = 20
TELLING = (1, 14, 6, 2)
TOLD_AT_ONCE: dict[str, str] = {}
OPENING: tuple[Shown, ...] = ()
OF_PLAY = ("counters", "items", "sheets", "verbs", "result")

GAME = "freeform"
NAMES = ("ann", "bob", "cyd", "dan")
COUNTERS: dict[str, Any] = {
    "oil": {"start": 20, "seen_by": "owner", "final": "everybody", "least": 0},
    "purse": {"start": 30, "seen_by": "owner", "least": 0},
    "lanterns": {"start": 0, "seen_by": "everybody"},
    "stock": {"of": "table", "start": 50, "seen_by": "everybody"},
    "wrath": {"of": "table", "start": 0, "seen_by": "hosts"},
    "favour": {"start": 0, "seen_by": "hosts"},
}
ITEMS = {
    "guild": {"values": ["north", "south"], "draw": "one each", "seen_by": "owner", "final": "everybody"},
    "deed": {"values": "1..12", "draw": "order", "turn": 1, "seen_by": "everybody"},
    "charm": {"values": ["lens", "mirror", "bell", "key"], "draw": "deal 1", "seen_by": "owner"},
}
WHO = {"who": "player"}
VERBS = {
    "buy": {
        "fields": {**WHO, "price": "number 1.."},
        "does": ["oil who -= price", "stock -= 1", "lanterns who += 1"],
        "says": {"who": "You paid {price}, and have {oil who}.", "public": "{who} bought a lantern; {stock} are left."},
    },
    "pay": {"fields": {**WHO, "much": "number 1.."}, "does": ["purse who -= much"], "says": {"who": "You pay {much}."}},
    "lend": {"fields": {**WHO, "other": "player", "much": "number 1.."}, "does": ["move purse who other much"]},
    "judge": {"fields": {**WHO}, "does": ["favour who += 1", "if favour who > 1: wrath += 1"]},
    "weigh": {"fields": {**WHO, "much": "number 0..favour"}, "does": ["favour who -= much"]},
    "vow": {"fields": {**WHO, "much": "number 0..favour"}, "does": ["purse who += much", "lanterns who += 1"]},
    "wager": {
        "fields": WHO,
        "does": ["if favour who > 4: oil who -= 999", "if favour who < 5: lanterns who += 1000000000 * 2"],
    },
    "doubt": {"fields": WHO, "does": ["if favour who > 4: wrath += 1"]},
    "pass_on": {"fields": {**WHO, "other": "player", "one": "card of charm"}, "does": ["move one who other"]},
    "burn": {"fields": {"one": "card of deed"}, "does": ["move one deck away"]},
    "sink": {"fields": {"one": "card of deed"}, "does": ["move one away deck"]},
}
PRAYERS = (
    ("favour who += much", "if favour who > 99: lanterns who += much"), ("if much > 4: wrath += 1",),
    ("wrath += much", "if much > 99: lanterns who += 1"), ("if favour who < much: wrath += 1",),
    ("if favour who < much: wrath += 1", "lanterns who += 1"), ("lanterns who += 1", "if wrath < much: purse who -= 9"),
    ("lanterns who += 1",),
)  # fmt: skip
"""What a verb does: what nobody sees, what happens on a condition that nobody sees, what everybody sees; and both."""
BOUNDS = ("0..9", "0..stock-favour", "wrath-favour..stock", "0..max(stock, favour)", "0..min(stock, wrath+99)")
"""Bounds of a number: none that is hidden, and ever another mixture of what is seen by everybody and by nobody. They
take 0 to 9 before play."""
TEXTS = ("{who} prays.", "Somebody offers {much}.", "A prayer is heard.")
BURNT = ("do", "burn"), ("do", "sink")
SECRET = {"start": 0, "seen_by": "hosts", "secret": True}


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment: by the levels of the file above, and nothing of what is secret."""
    table, counters, items = state.table, state.counters, state.items
    flat = {key: value for key, value in table.settings.items() if key not in ("counters", "verbs")}
    known = [*of_the_table(table._replace(settings=flat)), table.ends, counters["lanterns"], counters["stock"]]
    known += [items["deed"].get("table"), {p: items["deed"].get(p) for p in NAMES}]
    known += [(name, sorted(sheets.items())) for name, sheets in state.opened.items() if name.startswith("offer")]
    if viewer != PUBLIC:
        known += [counters["oil"][viewer], counters["purse"][viewer], table.garnets(viewer)]
        known += [items["guild"].get(viewer), items["charm"].get(viewer)]
        known += [(name, sheets.get(viewer)) for name, sheets in state.opened.items()]
        known.append(own_sheets(table, viewer))
    if state.ended:
        known += [*of_the_end(table, viewer), counters["oil"], items["guild"], items["deed"]]
    return known


class Drawing(generators.Drawing):
    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, NAMES, public=1)
        self.favour = "0"
        """The viewer's own, as hosts set it last in the second match: to set it to that changes nothing there."""
        self.ended = rng.random() < 0.4
        """Then the oil is open, and no entry that changed it: prices may come in another order."""
        self.sides = Side({}), Side({})
        guild = {p: rng.choice(["north", "south"]) for p in NAMES}
        self.deck = rng.sample([str(n) for n in range(1, 13)], 12)
        for side in self.sides:  # his own is the same, the others' are drawn anew; at the end all of it is open
            cards = rng.sample(["lens", "mirror", "bell", "key"], 4)
            if self.viewer != PUBLIC:
                at = NAMES.index(self.viewer)
                mine = cards.index("lens")
                cards[at], cards[mine] = cards[mine], cards[at]
            drawn = ",".join(f"{p} {guild[p]}" for p in NAMES)
            lots = ("guild", drawn, 0), ("charm", " ".join(cards), 2), ("deed", " ".join(self.deck), 3)
            for item, lot, minute in lots:  # the match is made at the first; everybody gets a charm, and hears of it
                words = ("draw", item, "--drawn", lot)
                side.steps.append(Step(words, BEGAN + minute * MINUTE, told=True))
        self.said(("open",), 5)

    def hide(self, side: Side, words: Sequence[str], minute: float, **more: Any) -> None:
        side.steps.append(Step(tuple(words), self.now + int(minute * MINUTE) + self.rng.randrange(50), **more))

    def said(self, words: Sequence[str], minute: float) -> None:
        self.show(words, self.now + int(minute * MINUTE) + 100)

    def offers(self, *, resolved: bool) -> None:
        """A sheet that everybody reads afterwards: the same in both once it is resolved, and when it came is not."""
        for p in self.others:
            final = ("seal", p, str(self.rng.randint(0, 3)), self.rng.choice(["yes", "no"]), self.rng.choice(NAMES))
            for side in self.sides:
                if not resolved:
                    if self.rng.random() < 0.6:
                        self.hide(side, ("seal", p, str(self.rng.randint(0, 3)), "yes"), self.rng.randint(10, 200))
                    continue
                self.sealed(side, p, final, ("seal", p, "1", "no"))
        if self.viewer != PUBLIC:
            self.said(("seal", self.viewer, "2", "yes", "-"), 120)

    def bids(self, *, resolved: bool) -> None:
        """A sheet that only its owner reads afterwards."""
        for p in self.others:
            for side in self.sides:
                if self.rng.random() < 0.7:
                    self.sealed(side, p, ("seal", p, str(self.rng.randint(0, 3)), "hello"), ("seal", p, "1"))
                elif self.rng.random() < 0.5:
                    self.hide(side, ("blank", p), self.rng.randint(10, 200))
        if self.viewer != PUBLIC:
            self.said(("seal", self.viewer, "3", "my own words"), 120)

    def sealed(self, side: Side, p: str, words: Sequence[str], decoy: Sequence[str]) -> None:
        """A sheet that counts, in one of the ways in which it can have come."""
        form, mark = (
            self.rng.choice(["plain", "plain", "replaced", "late", "undone", "refused"]),
            f"s{next(self.marks)}",
        )
        if form == "replaced":
            self.hide(side, decoy, 10)
        elif form == "undone":
            self.hide(side, decoy, 10, mark=mark)
            self.hide(side, ("undo", f"@{mark}"), 20)
        elif form == "refused":
            self.hide(side, ("seal", p, "perhaps", "perhaps"), 30, ok=False)
        if form == "late":
            self.hide(side, words, 305, mark=mark)
            self.hide(side, ("ruling", f"admit @{mark}"), 320)
        else:
            self.hide(side, words, self.rng.randint(60, 200))

    def between(self) -> None:
        """What hosts record after a round. What everybody hears of is the same; what was paid for it is not."""
        who = self.rng.choice(NAMES)
        for n in range(self.rng.choice([0, 1, 2])):
            same = [str(self.rng.randint(1, 3)) for _ in "ab"]
            for turn, side in zip((1, -1), self.sides, strict=True):
                prices = same if who == self.viewer else same[::turn]  # at the end the oil is open: together the same
                if who != self.viewer and not self.ended:
                    prices = [str(self.rng.randint(1, 3)) for _ in "ab"]
                for minute, price in enumerate(prices):
                    at = self.now + (430 + 3 * n + minute) * MINUTE
                    side.steps.append(Step(("do", "buy", who, price), at, told=True))
        for side in self.sides:
            for _ in range(self.rng.choice([0, 1, 3])):
                p, q = self.rng.sample(self.others, 2)
                words = self.rng.choice(
                    [
                        ("do", "pay", p, "2"), ("do", "lend", p, q, "1"), ("do", "judge", self.rng.choice(NAMES)),
                        ("set", "favour", self.rng.choice(NAMES), str(self.rng.randint(0, 9))), ("do", "judge", p),
                        ("add", "purse", p, "3", "--why", "he asked"), ("move", "purse", p, q, "1", "--why", "a debt"),
                        ("set", "purse", p, str(self.rng.randint(20, 40))), ("note", self.rng.choice(WORDS)),
                        ("breach", p), ("alias", p, f"x{self.rng.randrange(10**6)}"),
                    ]
                )  # fmt: skip
                self.hide(side, words, self.rng.randint(432, 440))
            if self.rng.random() < 0.2:
                self.hide(side, ("do", "buy", self.rng.choice(self.others), "999"), 441, ok=False)
            if self.rng.random() < 0.3:
                p, q = self.rng.sample(self.others, 2)
                self.hide(side, ("give", "charm", p, q), 442)
            if self.viewer != PUBLIC:
                self.favour = str(self.rng.randint(0, 9))
                self.hide(side, ("set", "favour", self.viewer, self.favour), 443)
            level = {"seen_by": "hosts", "secret": True, "start": self.rng.randint(0, 9)}
            if self.rng.random() < 0.3:
                shown = ", ".join(f"{k} = {str(v).lower() if v is True else repr(v)}" for k, v in level.items())
                name = f"extra_{next(self.marks)}"
                self.hide(side, ("amend-setting", f"counters.{name}={{ {shown} }}".replace("'", '"')), 444)
        luck = random.Random(f"{self.deck} {self.now}")
        by_hand = luck.random() < 0.5
        for side, card in zip(self.sides, luck.sample(self.deck[6:], 2), strict=True) if not self.ended else ():
            to, back = (("give", "deed", "deck", "away"), ("give", "deed", "away", "deck")) if by_hand else BURNT
            for half, words in enumerate((to, back)):  # at the end all see the deck
                side.steps.append(Step((*words, card), self.now + 445 * MINUTE + half * MINUTE // 2))
        if luck.random() < 0.5:  # everybody is told
            self.said(("amend-setting", f'counters.coins_{next(self.marks)}={{ seen_by = "everybody" }}'), 446)
        if self.viewer != PUBLIC and self.rng.random() < 0.5:
            self.said(("add", "purse", self.viewer, "2", "--why", "a gift"), 446)

    def probes(self, where: str = "") -> tuple[tuple[str, ...], ...]:
        if self.viewer == PUBLIC:
            return ()
        me, other = self.viewer, self.rng.choice(self.others)
        listed = [
            ("seal", me, "1", "yes"), ("seal", me, "999", "yes"), ("do", "buy", me, "2"), ("do", "buy", me, "999"),
            ("do", "lend", me, other, "999"), ("move", "purse", me, other, "999"), ("blank", me),
            ("give", "charm", me, other, "key"), ("do", "pass_on", me, other, "key"), ("add", "oil", me, "-999"),
            ("do", "weigh", me, "999"), ("set", "nothing", me, "1"), ("do", "nothing", me),
        ]  # fmt: skip
        return (
            *self.rng.sample(listed, 4),
            *(("do", verb, me, "999") for verb in ("vow", "pray")),
            ("do", "wager", me), ("do", "doubt", me), ("set", "favour", me, self.favour),
        )  # fmt: skip

    def round(self, name: str, *, resolved: bool) -> None:
        (self.offers if name == "offer" else self.bids)(resolved=resolved)
        self.shared.append(Look(self.now + 250 * MINUTE, self.probes()))
        if not resolved:
            return
        self.said(("close",), 300)
        self.said(("resolve",), 420)
        self.between()
        self.now += 450 * MINUTE
        self.shared.append(Look(self.now, self.probes()))


def prayers() -> list[tuple[Mapping[str, Any], frozenset[str]]]:
    """Verbs that `check` lets pass, with the fields that a hidden change names; first one that tells such a field."""
    found = []
    for does, text, bounds in itertools.product(PRAYERS, TEXTS, BOUNDS):
        verb = {"fields": {**WHO, "much": f"number {bounds}"}, "does": list(does), "says": {"public": text}}
        hidden = " ".join(one for one in does if "lanterns" not in one).replace(":", "").split()
        hidden = [word for word in hidden if word != "who" or "lanterns who += 1" not in does]  # everybody sees whose
        hidden += ["much"] if {"favour", "wrath"} & {*re.findall(r"\w+", bounds)} else []
        if not written.faults({"counters": COUNTERS, "verbs": {"pray": verb}}):
            found.append((verb, frozenset(("who", "much")).intersection(hidden)))
    return sorted(found, key=lambda row: not any(f"{{{name}}}" in row[0]["says"]["public"] for name in row[1]))


def pray(d: Drawing, luck: random.Random, setups: Sequence[dict[str, Any]]) -> None:
    """Somebody does what changes, may change, or is bounded by, what nobody sees: no text and no entry tells of it.

    What a hidden change names, or a hidden bound holds, is typed otherwise in each match; the rest everybody may hear.
    """
    listed = prayers()
    does = luck.choice([*PRAYERS, PRAYERS[-1]])
    verb, named = luck.choice([listed[0], *(row for row in listed if row[0]["does"] == list(does))])
    for minute in (6, 7):
        who, much = luck.choice(d.others), luck.randint(0, 9)
        for side in d.sides:
            who = luck.choice(d.others) if "who" in named else who
            much = luck.randint(0, 9) if "much" in named else much
            side.steps.append(Step(("do", "pray", who, str(much)), BEGAN + minute * MINUTE, told=True))
    bounds = luck.choice(BOUNDS[1:])
    for made in setups:
        made["verbs"] |= {"pray": verb, "vow": {**VERBS["vow"], "fields": {**WHO, "much": f"number {bounds}"}}}


def setup(luck: random.Random) -> dict[str, Any]:
    """The match file of one side: what is secret may be in it, or not."""
    rows, verbs = list(COUNTERS.items()), dict(VERBS)
    for n in range(luck.choice([0, 0, 1, 2])):
        rows.insert(luck.randint(0, len(rows)), (f"trap_{luck.randrange(100)}_{n}", SECRET))
    counters = dict(rows)
    return match_file(
        GAME, {p: {"garnets": 1} for p in NAMES}, counters=counters, items=ITEMS, verbs=verbs,
        sheets={
            "offer": {"fields": {"oil": "number 0..oil", "yes_no": "yes/no", "partner": "player?"}, "rounds": 2},
            "bid": {"fields": {"bid": "number 0..purse", "words": "text?"}, "rounds": 2, "opened": "owner"},
        },
        result={"score": "5 * lanterns", "tokens": "highest", "elimination": "lowest", "ties": "all"},
    )  # fmt: skip


def draw(rng: random.Random) -> Pair:
    """A candidate for a pair."""
    d = Drawing(rng)
    names = ("offer", "bid", "offer", "bid")
    played = rng.randint(0, 3)
    for n, name in enumerate(names[:played]):
        if n:
            d.said(("open",), 5)
        d.round(name, resolved=True)
    if d.ended and played:
        d.said(("close", "match"), 10)
        d.shared.append(Look(d.now + 20 * MINUTE))
    else:
        if played:
            d.said(("open",), 5)
        d.round(names[played], resolved=False)
    setups = [setup(rng) for _ in d.sides]
    pray(d, random.Random(" ".join(d.deck)), setups)
    return d.pair(*setups)
