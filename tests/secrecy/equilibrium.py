"""Pairs of Equilibrium matches that differ only in what one viewer may not know. The method is in harness.py.

A match is drawn backwards, from the final hands to the deal: undoing a swap of two cards is always possible, so every
trade is legal by construction, and another match with the same final hands (which everybody sees at the end) or with
the same own hand (while play goes on) is only another way back. Drawn anew for the other match: the hands of the
others and how they were dealt, their garnets, trades, offers, recolours, classes ticked, who of them is locked,
notes, rulings, breaches, awards, penalties and overrides of others, forced and undone and amended entries, late ones,
confirmations, aliases and channels of others, their votes: values, presence, times and order. Kept: what `knows` says.

Not varied: trading that is reopened (the hands shown at the first end would bind the second), an undone end.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events import write_instant
from games.equilibrium.actions import VISIBILITY, Settings
from games.equilibrium.cards import DECK, flip, sort
from games.equilibrium.facts import State, pair
from games.equilibrium.rules import verdict
from games.table import settings as table_settings
from tests.secrecy.equilibrium_scripts import FACES, NAMES, WORDS, Drawn, Event, Slot, World, before_play, scripted
from tests.secrecy.generators import BEGAN, HOUR
from tests.secrecy.known import SECRET, of_the_end, of_the_table
from tests.secrecy.script import LOOKING, PUBLIC, NotAPair, Pair, Shown

QUICK = 50
TELLING = (3, 4, 20, 16, 13, 27)
TOLD_AT_ONCE: dict[str, str] = {}
OPENING = tuple(Shown("hands_told", value, "deal", who) for value in ("at_open", "at_deal") for who in LOOKING)
OF_PLAY = (
    "er_metric", "garnet_hands", "tol_conditions", "garnet_cap", "max_garnets_from_match", "dealt_hands_count",
    "recolour_counts", "garnet_class_mode", "multi_tol", "allow_identical_trade", "lock_grace_minutes",
    "auto_end_after_last_trade", "trading_hours", "vote_hours", "gift_hours",
)  # fmt: skip


def knows(state: State, viewer: str, look: bool) -> Any:
    """What the viewer may know at a moment, from docs/games/equilibrium.md, section 9. Reads the state, never a view.

    How many are locked he sees only when he looks.
    """
    table = state.table
    over = "trading" in table.past
    told = not state.dealt or table.phase != "pregame" or table.settings["hands_told"] == "at_deal"  # EQ-24
    known = [*of_the_table(table), look and len(state.locked.keys() - table.left.keys()), None if over else table.ends]
    if viewer != PUBLIC:
        own = [state.hands.get(viewer), table.garnets(viewer), list(state.ticked.get(viewer, {}).items())]
        known.append(own if told else None)
        known += [sorted(p for p in table.seats if pair(p, viewer) in state.traded), viewer in state.locked]
        known += [sorted((key, pledge) for key, pledge in state.offers.items() if viewer in key)]
    if over:
        known += [state.hands, {p: table.garnets(p) for p in table.seats}, *of_the_end(table, viewer)]
    if over and table.settings["visibility"].get("tokens") not in SECRET:
        end = verdict(state)  # with a token goes the condition that it was won for, and with one that nobody won
        known += [[(award.player, award.condition) for award in (*end.awards, *end.unwon)]]
    return known


class Backwards:
    """Hands while a match is drawn from its end to the deal."""

    def __init__(self, rng: random.Random, world: World, final: Mapping[str, Sequence[str]]) -> None:
        self.rng, self.world = rng, world
        self.hands = {p: list(cards) for p, cards in final.items()}
        # One pair stays free, for trading ends with the last: unless that is how this match ends.
        self.free = {pair(a, b) for a, b in itertools.combinations(world.hidden, 2)}
        self.complete = world.ending == "complete"
        self.marks = itertools.count(1)

    def swap(self, a: str, x: str, b: str, y: str, *, seen: bool = False, form: str = "") -> Event:
        """Before it a held x and b held y; now it is the other way round."""
        before = {p: tuple(self.hands[p]) for p in (a, b)}
        self._put(a, y, x)
        self._put(b, x, y)
        ops = ((a, "trade", sort(before[a])), (b, "trade", sort(before[b])))
        form = form or self.rng.choice(("trade", "trade", "turned", "offer", "mirror", "amended", "late"))
        mark = ""
        words: tuple[tuple[str, ...], ...]
        if form == "turned":
            words = (("trade", b, y, a, x),)
        elif form == "offer":
            words = (("offer", a, x, b, y), ("accept", b, a))
        elif form == "mirror":
            words = (("offer", a, x, b, y), ("offer", b, y, a, x))
        elif form == "amended" and not seen and not self.complete:
            wrong, mark = self.rng.choice(self.hands[a]), f"m{next(self.marks)}"
            words = (("trade", a, wrong, b, y), ("amend", f"@{mark}", f"give={x}"))
            words = words if wrong != x else words[:1]
        else:
            words = (("trade", a, x, b, y),)
        return Event(words, (a, b), seen, ops, (a, b), pair(a, b), (mark,), late=form == "late" and not seen)

    def _put(self, player: str, out: str, into: str) -> None:
        self.hands[player].remove(out)
        self.hands[player].append(into)

    def trade(self, a: str, b: str) -> Event:
        self.free.discard(pair(a, b))
        y, x = self.rng.choice(self.hands[a]), self.rng.choice(self.hands[b])
        return self.swap(a, x, b, y)

    def move(self, giver: str, face: str, taker: str, back: str) -> Event:
        """A hidden event by which `giver` gave `face` to `taker` for `back`: a trade, or two overrides."""
        if pair(giver, taker) in self.free and len(self.free) > 1 and not self.complete:
            self.free.discard(pair(giver, taker))
            return self.swap(giver, face, taker, back)
        after = {p: " ".join(sort(self.hands[p])) for p in (giver, taker)}
        self._put(giver, back, face)
        self._put(taker, face, back)
        return Event(tuple(("override", p, "hand", cards) for p, cards in after.items()), (giver, taker))

    def need(self, player: str, face: str) -> list[Event]:
        """Hidden events after this moment, so that `player` holds the face now."""
        if face in self.hands[player]:
            return []
        able = [p for p in self.world.hidden if p != player and face in self.hands[p]]
        if not able:
            raise NotAPair(f"nobody hidden holds {face}")
        return [self.move(player, face, self.rng.choice(able), self.rng.choice(self.hands[player]))]

    def lack(self, player: str, face: str) -> list[Event]:
        """Hidden events after this moment, so that `player` does not hold the face now."""
        made: list[Event] = []
        while face in self.hands[player]:
            able = [(p, z) for p in self.world.hidden if p != player for z in self.hands[p] if z != face]
            giver, z = self.rng.choice(able)
            made.insert(0, self.move(giver, face, player, z))
        return made

    def recolour(self, player: str, after: str, *, seen: bool = False) -> Event:
        """Before it the player held the other colour."""
        hand = sort(self.hands[player])
        self._put(player, after, flip(after))
        ops = ((player, "pay", None), (player, "recolour", hand))
        return Event((("recolour", player, flip(after)),), (player,), seen, ops, (player,))

    def at(self, slot: Slot) -> tuple[list[Event], Event | None]:
        """What happens at a fixed moment, and what must have happened before it, so that it can."""
        if slot.kind == "trade":
            v, x, p, y, form = slot.data
            return self.need(p, x), self.swap(v, x, p, y, seen=True, form=form)
        if slot.kind == "recolour":
            return [], self.recolour(self.world.viewer, slot.data[0], seen=True)
        if slot.kind in ("inward", "void"):
            p, card, words = slot.data
            return (self.need if slot.kind == "inward" else self.lack)(p, card), Event(words, (p,), True)
        if slot.kind == "last":
            return [], self.trade(*self.rng.choice(sorted(self.free)))
        if slot.kind == "mine":
            words, op = slot.data
            return [], Event((words,), (), True, (op,))
        return [], Event(slot.data, (), True) if slot.kind == "seen" else None

    def settle(self) -> list[Event]:
        """The first recolours of all, without which the hands could not have been dealt."""
        made: list[Event] = []
        for face in FACES:
            while sum(hand.count(face) for hand in self.hands.values()) > 2:
                able = [p for p in self.world.hidden if face in self.hands[p]]
                if not able:
                    raise NotAPair("the viewer would have to recolour")
                made.insert(0, self.recolour(self.rng.choice(able), face))
        return made

    def noise(self) -> Event | None:
        """A hidden entry that changes no card."""
        rng, q = self.rng, self.rng.choice(self.world.hidden)
        other = rng.choice([p for p in self.world.players if p != q])
        mark, word = f"m{next(self.marks)}", rng.choice(WORDS)
        kind = rng.choice(
            ("note", "ruling", "breach", "blank", "alias", "offer", "give", "forced", "undone", "confirm", "set")
        )
        held = rng.choice(self.hands[q])
        lacked = rng.choice([c for c in FACES if c not in self.hands[q]])
        if kind == "note":
            return Event((("note", f"{word} {rng.randrange(10**6)}"),))
        plain: dict[str, tuple[str, ...]] = {
            "ruling": ("ruling", word), "breach": ("breach", other, "--note", word), "blank": ("blank", q),
        }  # fmt: skip
        if kind in plain:
            return Event((plain[kind],))
        if kind == "alias":
            return Event((("alias", q, f"x{rng.randrange(10**9)}"),))
        if kind == "confirm":
            return Event((("note", word), ("confirm", f"@{mark}")), marks=(mark,), by="theo")
        if kind == "give":
            k = rng.choice((1, 1, 2, -1))
            words = ("award", q, "garnets", str(k)) if k > 0 or rng.random() < 0.5 else ("penalty", q, "--garnets", "1")
            return Event((words,), (q,), ops=((q, "give", k),))
        if kind == "set":
            n = rng.randrange(4)
            return Event((("override", q, "garnets", str(n)),), (q,), ops=((q, "set", n),))
        if other == self.world.viewer or pair(q, other) not in self.free or len(self.free) < 2 or self.complete:
            return None
        if kind == "forced":
            return Event((("trade", q, lacked, other, held, "--force"),), (q, other))
        self.free.discard(pair(q, other))
        if kind == "undone":
            theirs = rng.choice(self.hands[other])
            return Event((("trade", q, held, other, theirs), ("undo", f"@{mark}")), (q, other), frees=(), marks=(mark,))
        closing = rng.choice((None, ("withdraw", q, other), ("decline", other, q)))
        return Event((("offer", q, held, other, rng.choice(FACES)), *([closing] if closing else [])), (q, other))

    def gap(self, most: int) -> list[Event]:
        """Hidden events of one stretch of time, in the order in which they happened."""
        made: list[Event] = []
        for _ in range(self.rng.randint(0, most)):
            what = self.rng.random()
            event: Event | None = None
            if what < 0.45 and len(self.free) > (not self.complete):
                event = self.trade(*self.rng.sample(self.rng.choice(sorted(self.free)), 2))
            elif what < 0.6:
                player = self.rng.choice(self.world.hidden)
                event = self.recolour(player, self.rng.choice(self.hands[player]))
            else:
                event = self.noise()
            if event is not None:
                made.insert(0, event)
        return made


def draw(rng: random.Random) -> Pair:
    """A candidate."""
    tied = rng.random() < 0.2
    count = rng.choice((5, 6, 6, 7) if tied else (3, 3, 4, 4, 4, 5, 8))
    players = NAMES[:count]
    viewer = PUBLIC if rng.random() < 0.3 else rng.choice(players)
    ending = rng.choice(("none", "none", "close", "close", "time", "locks", "complete" if count < 5 else "close"))
    flat = _settings(rng, count)
    if ending == "none" and flat["lock_grace_minutes"]:  # long enough for whatever hosts do besides
        ending, flat["lock_grace_minutes"] = "grace", 24 * 60
    world = World(players, viewer, flat, ending)
    cards = rng.sample(DECK, count * 5)
    if not tied and rng.random() < 0.2:
        return before_play(rng, world, *_dealt_twice(rng, world))
    final = {p: cards[i * 5 : i * 5 + 5] for i, p in enumerate(players)}
    if tied:
        final = _tied(rng, players)
    slots, one = _around(rng, world, final)
    other_final = _redealt(rng, world, final, one.dealt) if not world.ends else final
    return scripted(rng, world, slots, one, _around(rng, world, other_final, slots)[1])


def _dealt_twice(rng: random.Random, world: World) -> Iterator[dict[str, list[str]]]:
    """Two deals; in both the viewer gets the same, where hands are told when they are dealt."""
    told, kept = world.flat["hands_told"] == "at_deal", list[str]()
    for _ in range(2):
        cards = rng.sample(deck := list((Counter(DECK) - Counter(kept)).elements()), len(deck))
        hands = {p: [cards.pop() for _ in range(5)] for p in world.hidden}
        if world.viewer != PUBLIC:
            hands[world.viewer] = kept or cards[:5]
            kept = hands[world.viewer] if told else []
        yield {p: hands[p] for p in world.players}


def _tied(rng: random.Random, players: Sequence[str]) -> dict[str, list[str]]:
    """Final hands of which two or three are equal in everything and far from equilibrium: there will be a vote.

    Somebody holds four of a kind, so that often more than one player has won a token and votes.
    """
    values = rng.sample(range(2, 8), 5)
    hands = [[f"{colour}{value}" for value in values] for colour in rng.sample("RRB", rng.choice((2, 2, 3)))]
    hands.append(["R8", "R8", "B8", "B8", "B1"])
    rest = list((Counter(DECK) - Counter(card for hand in hands for card in hand)).elements())
    rng.shuffle(rest)
    hands += [rest[i * 5 : i * 5 + 5] for i in range(len(players) - len(hands))]
    rng.shuffle(hands)
    return dict(zip(players, hands, strict=True))


def _settings(rng: random.Random, count: int) -> dict[str, Any]:
    """Settings are public; several of them make garnets common, so that they vary."""
    flat = table_settings.defaults(Settings, VISIBILITY, {"elimination"})
    if rng.random() < 0.7:
        flat["garnet_hands"] = rng.sample(["pair", "two_pair", "trips", "flush", "straight", "high", "full"], 4)
    flat["er_metric"] = rng.choice(("count", "value"))
    flat["garnet_class_mode"] = rng.choice(("class", "class", "contains"))
    flat["dealt_hands_count"], flat["recolour_counts"] = rng.random() < 0.8, rng.random() < 0.8
    flat["max_garnets_from_match"] = rng.choice((1, 3, 3))
    flat["multi_tol"] = rng.choice(("give_away", "give_away", "next_best", "lapse"))
    flat["hands_told"] = rng.choice(("at_open", "at_open", "at_deal"))
    flat["lock_grace_minutes"] = rng.choice((0, 0, 7))
    if rng.random() < 0.25:
        others = ("best_er", "best_poker host_decides", "best_er", "most_trades best_er", "most_garnets_earned")
        flat["tol_conditions"] = rng.choice(others).split()
    return {**flat, "allow_odd_roster": count < 8}


def _around(
    rng: random.Random, world: World, final: Mapping[str, Sequence[str]], slots: Sequence[Slot] = ()
) -> tuple[list[Slot], Drawn]:
    """The fixed moments, and a match around them, which ends with these hands.

    Args:
        slots: Those moments, where another match has drawn them.
    """
    back, partners = Backwards(rng, world, final), list(world.hidden)
    kinds: Sequence[str | Slot] = slots or _kinds(rng, world)
    if not slots:
        rng.shuffle(partners)
    fixed: list[Slot] = []
    gaps: list[tuple[Event, ...]] = []
    events: list[Event | None] = []
    for kind in reversed(kinds):
        after = back.gap(0 if back.complete and not gaps else 2)
        slot = _slot(rng, world, back, kind, partners) if isinstance(kind, str) else kind
        before, event = back.at(slot)
        fixed.insert(0, slot)
        gaps.insert(0, (*before, *after))
        events.insert(0, event)
    start = back.gap(2)
    if back.complete:
        while back.free:
            start.insert(0, back.trade(*rng.choice(sorted(back.free))))
    start = [*back.settle(), *start]
    dealt = {p: sort(hand) for p, hand in back.hands.items()}
    return fixed, Drawn(dealt, (tuple(start), *gaps), tuple(events), final)


def _slot(rng: random.Random, world: World, back: Backwards, kind: str, partners: list[str]) -> Slot:
    """A fixed moment of that kind, as the hands are after it."""
    v = world.viewer
    if kind in ("trade", "last") and v != PUBLIC and partners:
        p = partners.pop()
        y, x = rng.choice(back.hands[v]), rng.choice(back.hands[p])
        return Slot("trade", (v, x, p, y, rng.choice(("trade", "turned", "offer", "mirror"))))
    if kind == "recolour":
        return Slot("recolour", (rng.choice(back.hands[v]),))
    if kind in ("inward", "void", "outward", "attempt") and partners:
        return _talk(rng, world, back, kind, partners)
    if kind == "public":
        said = (
            (("deadline", write_instant(BEGAN + 200 * HOUR)),), (("amend-setting", "gift_hours=12"),),
            (("pause",), ("resume",)),
        )  # fmt: skip
        return Slot("seen", rng.choice(said))
    if kind == "mine" and v != PUBLIC:  # what a host does to the viewer's garnets
        n = rng.choice((1, 2))
        done = (
            (("award", v, "garnets", str(n)), (v, "give", n)), (("override", v, "garnets", str(n)), (v, "set", n)),
            (("penalty", v), (v, "give", 0)),
        )  # fmt: skip
        return Slot("mine", rng.choice(done))
    return Slot(kind if kind in ("last", "toggle") else "look")


def _kinds(rng: random.Random, world: World) -> list[str]:
    """Which fixed moments there are, in order. There is a look before the end of trading."""
    if world.viewer == PUBLIC:
        kinds = rng.choices(("look", "public"), (4, 1), k=rng.randint(1, 3))
    else:
        among = ("look", "trade", "recolour", "inward", "void", "outward", "attempt", "toggle", "public", "mine")
        kinds = rng.choices(among, (2, 5, 2, 2, 1, 2, 2, 3, 1, 2), k=rng.randint(1, 5))
    if world.ending == "complete":
        kinds = [kind for kind in kinds if kind not in ("trade", "inward", "void", "outward", "attempt")]
        if world.viewer != PUBLIC:
            for _ in range(len(world.hidden) - 1):
                kinds.insert(rng.randint(0, len(kinds)), "trade")
            last = rng.random() < 0.5 or len(world.hidden) < 2
            kinds.insert(rng.randint(0, len(kinds)), "trade") if not last else None
        return [*kinds, "last"]
    return [*kinds, "look"] if world.ends else kinds


def _talk(rng: random.Random, world: World, back: Backwards, kind: str, partners: list[str]) -> Slot:
    """Words between the viewer and one partner that move no card: offers either way, a void trade, a slip."""
    v = world.viewer
    p = partners.pop() if rng.random() < 0.6 else rng.choice(partners)
    x, y = rng.choice(back.hands[p]), rng.choice(FACES)
    words: tuple[tuple[str, ...], ...]
    if kind == "inward":
        closing = rng.choice((None, ("withdraw", p, v), ("decline", v, p)))
        return Slot("inward", (p, x, (("offer", p, x, v, y), *([closing] if closing else []))))
    if kind == "void":
        lacked = rng.choice([c for c in FACES if c not in back.hands[p]])
        return Slot("void", (p, lacked, (("trade", v, rng.choice(back.hands[v]), p, lacked),)))
    if kind == "outward":
        closing = rng.choice((None, ("withdraw", v, p), ("decline", p, v)))
        words = (("offer", v, rng.choice(back.hands[v]), p, y), *([closing] if closing else []))
    else:
        lacked = rng.choice([c for c in FACES if c not in back.hands[v]])
        slips = (("offer", v, lacked, p, y), *[("recolour", v, lacked)] * 3)
        words = (rng.choice(slips),)
    return Slot("seen", words)


def _redealt(
    rng: random.Random, world: World, final: Mapping[str, Sequence[str]], dealt: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Other hands for the others while play goes on: their cards and those nobody holds, mixed anew."""
    rest = Counter(DECK) - Counter(card for hand in dealt.values() for card in hand)
    pool = [card for p in world.hidden for card in final[p]]
    spare = list(rest.elements())
    for _ in range(rng.randint(0, min(6, len(spare)))):
        i, j = rng.randrange(len(pool)), rng.randrange(len(spare))
        pool[i], spare[j] = spare[j], pool[i]
    rng.shuffle(pool)
    mixed = {p: pool[i * 5 : i * 5 + 5] for i, p in enumerate(world.hidden)}
    return {p: mixed.get(p, list(final[p])) for p in world.players}
