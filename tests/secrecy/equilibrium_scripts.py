"""What happens in a pair of Equilibrium matches, and its scripts: who pays what, when it is typed, what is probed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from events import write_instant
from games.equilibrium.actions import Settings
from games.equilibrium.cards import DECK, flip, paying, sort
from games.equilibrium.facts import State
from games.equilibrium.rules import verdict
from games.table import settings as table_settings
from games.table.endgame import ruled
from games.table.state import ABSTAINS, Seat, Table
from tests.secrecy.generators import BEGAN, HOUR, MINUTE, match_file
from tests.secrecy.script import PUBLIC, Look, NotAPair, Pair, Script, Step

GAME = "equilibrium"
NAMES = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
FACES = tuple(dict.fromkeys(DECK))
WORDS = ("bob looks worried", "asked twice", "see the chat", "0", "R7 B9", "late again", "he has four of a kind")


class Event(NamedTuple):
    """Something that happened, as commands in order; and what it means for garnets and locks."""

    words: tuple[tuple[str, ...], ...]
    who: tuple[str, ...] = ()
    """Players it concerns."""
    seen: bool = False
    ops: tuple[tuple[str, str, Any], ...] = ()
    """(player, what, value) in order: see `purse`."""
    frees: tuple[str, ...] = ()
    """Players whose lock it takes back."""
    traded: tuple[str, str] | None = None
    marks: tuple[str, ...] = ()
    late: bool = False
    """May be typed later."""
    by: str = ""


class Slot(NamedTuple):
    """A fixed moment of both matches: something the viewer knows of, or a look at everything."""

    kind: str
    """`look`, `seen` (no cards move), `trade`, `recolour`, `inward` (an offer to the viewer), `void`, `mine` (garnets a
    host sets), `toggle` (his lock), `last` (of all trades)."""
    data: tuple[Any, ...] = ()


class World(NamedTuple):
    """What both matches of a pair share."""

    players: tuple[str, ...]
    viewer: str
    flat: Mapping[str, Any]
    ending: str

    @property
    def ends(self) -> bool:
        """Is trading over at the end? Not in the minutes after the last lock (`grace`)."""
        return self.ending not in ("none", "grace")

    @property
    def hidden(self) -> tuple[str, ...]:
        return tuple(p for p in self.players if p != self.viewer)


def purse(garnets: int, ops: Sequence[tuple[str, Any]], flat: Mapping[str, Any]) -> tuple[int, int] | None:
    """(garnets, garnets received for hands) after what happened to one player; None where he could not pay.

    Source: docs/games/equilibrium.md, sections 4 and 8, EQ-4, EQ-5, EQ-12, EQ-13.
    """
    ticked: set[str] = set()
    received = 0
    for what, value in ops:
        if what == "pay":
            if garnets < 1:
                return None
            garnets -= 1
        elif what == "give":
            garnets += value
            if garnets < 0:
                return None
        elif what == "set":
            garnets = value
        elif (what != "deal" or flat["dealt_hands_count"]) and (what != "recolour" or flat["recolour_counts"]):
            for name in paying(value, flat["garnet_class_mode"]):
                if name in flat["garnet_hands"] and name not in ticked:
                    ticked.add(name)
                    if garnets < flat["garnet_cap"] and received < flat["max_garnets_from_match"]:
                        garnets += 1
                        received += 1
    return garnets, received


class Drawn(NamedTuple):
    """One match: the deal, the events of each gap (one more than slots), the hands at the end."""

    dealt: Mapping[str, Sequence[str]]
    gaps: tuple[tuple[Event, ...], ...]
    slots: tuple[Event | None, ...]
    """What stands in each slot of this match: a hidden event only where the slot is the last trade of all."""
    final: Mapping[str, Sequence[str]]


# ---- from events to scripts --------------------------------------------------------------------------------------


class Money(NamedTuple):
    """Garnets at the start and at the end, and those received for hands."""

    start: Mapping[str, int]
    end: Mapping[str, int]
    received: Mapping[str, int]
    mended: tuple[Event, ...]


def _money(rng: random.Random, world: World, made: Drawn, wanted: Money | None) -> Money:
    """Garnets at the start with which everything could be paid; for the other match, with the same at the end."""
    ops: dict[str, list[tuple[str, Any]]] = {p: [("deal", sort(made.dealt[p]))] for p in world.players}
    for i, gap in enumerate(made.gaps):
        event = made.slots[i - 1] if i else None
        for one in (*((event,) if event else ()), *gap):
            for player, what, value in one.ops:
                ops[player].append((what, value))
    start, end, received, mended = {}, {}, {}, []
    for p in world.players:
        able = {g: found for g in range(4) if (found := purse(g, ops[p], world.flat)) is not None}
        if wanted is not None and p == world.viewer:
            able = {g: found for g, found in able.items() if g == wanted.start[p]}
        if not able:
            raise NotAPair(f"{p} cannot pay")
        g = rng.choice(sorted(able))
        if wanted is not None and world.ends:
            same = [g for g, found in able.items() if found[0] == wanted.end[p]]
            if same and rng.random() < 0.8:
                g = rng.choice(same)
            if (have := able[g][0]) != wanted.end[p]:
                if world.ending == "complete":
                    raise NotAPair("the end comes with the last trade: no time to mend garnets")
                mended.append(_mend(rng, p, have, wanted.end[p]))
        start[p], received[p] = g, able[g][1]
        end[p] = wanted.end[p] if wanted is not None and world.ends else able[g][0]
    return Money(start, end, received, tuple(mended))


def _mend(rng: random.Random, player: str, have: int, want: int) -> Event:
    words = rng.choice((("override", player, "garnets", str(want)), ("award", player, "garnets", str(want - have))))
    return Event((words,), (player,))


class Plan(NamedTuple):
    """What the viewer knows of one match as it was played, for the other to keep."""

    locked: tuple[int, ...]
    """Players locked at each look."""
    toggles: tuple[tuple[str, ...], ...]
    probes: tuple[tuple[tuple[str, ...], ...], ...]
    locks_end: bool
    """With an end by locks: is the viewer the last to lock?"""
    early: bool
    """Is there a look at the deal, before play?"""


def scripted(rng: random.Random, world: World, slots: list[Slot], one: Drawn, other: Drawn) -> Pair:
    money = _money(rng, world, one, None)
    other_money = _money(rng, world, other, money)
    first, plan = _steps(rng, world, slots, one, money, None)
    second, _ = _steps(rng, world, slots, other, other_money, plan)
    if world.ends:
        mine, theirs = _after(rng, world, one, other, money, other_money, first[-1].at)
        first, second = [*first, *mine], [*second, *theirs]
    quiet = rng.random() < 0.3
    scripts, mine = [], {}
    for cash, made, steps in ((money, one, first), (other_money, other, second)):
        seats = {p: _seat(rng, p) if not quiet else {} for p in world.players} | mine
        mine = {world.viewer: seats[world.viewer]} if world.viewer != PUBLIC else {}
        hands = {p: " ".join(hand) for p, hand in made.dealt.items()}
        scripts.append(Script(_file(world, seats, cash.start), hands, tuple(steps)))
    return Pair(world.viewer, scripts[0], scripts[1])


def before_play(rng: random.Random, world: World, one: Mapping[str, Any], other: Mapping[str, Any]) -> Pair:
    """Cards are dealt, and play has not begun: only with `hands_told` at the deal do players know their own hand."""
    v, told = world.viewer, world.flat["hands_told"] == "at_deal"
    mine, scripts = rng.randrange(4), []
    probes = tuple(rng.sample(_before(rng, v, one), 3)) if v != PUBLIC else ()
    for hands in (one, other):
        steps: list[Step | Look] = [
            Step(("note", WORDS[1]), BEGAN, True), Look(BEGAN + 40 * MINUTE), Step(("deal",), BEGAN + HOUR, v != PUBLIC)
        ]  # fmt: skip
        for minute in sorted(rng.sample(range(1, 50), rng.choice((0, 1, 2, 4)))):
            q = rng.choice(world.hidden if told else world.players)
            typed = ("override", q, "hand", rng.choice(("none", " ".join(rng.sample(FACES, 5)))))
            them = rng.choice(world.hidden)
            other_words = (
                ("note", rng.choice(WORDS)), ("breach", them), ("ruling", WORDS[0]), ("penalty", them),
                ("award", them, "garnets", "1"),
            )  # fmt: skip
            steps.append(Step(rng.choice((typed, typed, *other_words)), BEGAN + HOUR + minute * MINUTE))
        steps += [Look(BEGAN + 2 * HOUR, probes)]
        if rng.random() < 0.5:  # somebody holds cards before any are dealt
            cards = " ".join(rng.sample(FACES, 5))
            steps.insert(1, Step(("override", rng.choice(world.hidden), "hand", cards), BEGAN + 20 * MINUTE))
        garnets = {p: mine if p == v else rng.randrange(4) for p in world.players}
        dealt = {p: " ".join(sort(cards)) for p, cards in hands.items()}
        scripts.append(Script(_file(world, {p: {} for p in world.players}, garnets), dealt, tuple(steps)))
    return Pair(v, scripts[0], scripts[1])


def _before(rng: random.Random, viewer: str, hands: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Commands of the viewer before play."""
    p, mine = rng.choice([p for p in hands if p != viewer]), rng.choice(hands[viewer])
    return [
        ("trade", viewer, mine, p, rng.choice(FACES)), ("offer", viewer, mine, p, rng.choice(FACES)),
        ("recolour", viewer, mine), ("recolour", viewer, rng.choice(FACES)), ("lock", viewer), ("vote", viewer, p),
    ]  # fmt: skip


def _seat(rng: random.Random, player: str) -> dict[str, Any]:
    """Alias and channel: the player's own."""
    row: dict[str, Any] = {"channel": f"#{player}-{rng.randrange(100)}"} if rng.random() < 0.5 else {}
    return row | ({"aliases": [f"a{rng.randrange(10**9)}"]} if rng.random() < 0.3 else {})


def _file(world: World, seats: Mapping[str, Any], garnets: Mapping[str, int]) -> dict[str, Any]:
    roster = {p: {"garnets": garnets[p], **seats[p]} for p in world.players}
    return match_file(GAME, roster, settings={key: held for key, held in world.flat.items() if key != "visibility"})


class _Hand:
    """Writes steps: times, locks and late entries."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng, self.world = rng, world
        self.steps: list[Step | Look] = []
        self.locked: set[str] = set()
        self.waiting: list[tuple[Event, int]] = []

    def times(self, count: int, start: int, end: int) -> Iterator[int]:
        return iter(sorted(self.rng.sample(range(start + 1, end), count)))

    def put(self, event: Event, at: Iterator[int]) -> None:
        """The commands of an event, one a moment."""
        if event.seen:
            before = max(self.steps[-1].at, *(when for _, when in self.waiting), 0)
            self.flush(event.who, itertools.repeat(before))  # the moments of what is seen are fixed
        else:
            self.flush(event.who, at)
        for i, words in enumerate(event.words):
            mark = event.marks[i] if i < len(event.marks) else ""
            self.steps.append(Step(words, next(at), event.seen, mark, by=event.by if i else ""))
        self.locked -= set(event.frees)

    def flush(self, who: Sequence[str] | None, at: Iterator[int]) -> None:
        """Type what was left for later, as soon as somebody it concerns does anything."""
        for event, when in list(self.waiting):
            if who is None or set(who) & set(event.who):
                self.waiting.remove((event, when))
                self.steps.append(Step((*event.words[0], "--at", write_instant(when)), next(at)))

    def gap(
        self, events: Sequence[Event], start: int, end: int, *, target: int | None, spare: bool, last: bool
    ) -> None:
        """One stretch of hidden events. At its end `target` players are locked, and if `spare` not all the others."""
        at = self.times(4 * len(events) + 40, start, end)
        for event in events:
            if event.late and not set(event.who) & self.locked and self.world.ending != "complete":
                self.flush(event.who, at)
                self.waiting.append((event, next(at)))
                continue
            self.put(event, at)
            if self.rng.random() < 0.15:
                self.toggle(self.rng.choice(self.world.hidden), at)
        if last:
            self.flush(None, at)
        hidden = [*self.world.hidden]
        self.rng.shuffle(hidden)
        if target is not None:
            for p in hidden:
                if (len(self.locked) < target and p not in self.locked) or (
                    len(self.locked) > target and p in self.locked
                ):
                    self.toggle(p, at)
            if len(self.locked) != target:
                raise NotAPair("another number of locks")
        if spare and set(self.world.hidden) <= self.locked:
            self.toggle(hidden[0], at)

    def toggle(self, player: str, at: Iterator[int]) -> None:
        """Lock or unlock somebody hidden, but never all."""
        self.flush((player,), at)
        if player in self.locked:
            self.locked.discard(player)
            self.steps.append(Step(("unlock", player), next(at)))
        elif len(self.locked) < len(self.world.players) - 1:
            self.locked.add(player)
            self.steps.append(Step(("lock", player), next(at)))


def _steps(
    rng: random.Random, world: World, slots: list[Slot], made: Drawn, money: Money, plan: Plan | None
) -> tuple[list[Step | Look], Plan]:
    """A whole match from the deal to the end of trading."""
    v, hand = world.viewer, _Hand(rng, world)
    early = plan.early if plan is not None else rng.random() < 0.2
    hand.steps.append(Step(("deal",), BEGAN + HOUR, v != PUBLIC))
    hand.steps += [Look(BEGAN + HOUR + 1)] if early else []
    hand.steps.append(Step(("open",), BEGAN + 2 * HOUR, True))
    now = BEGAN + 2 * HOUR
    locked, toggles, probes = [], [], []
    looks = -1
    for i, gap in enumerate(made.gaps):
        slot = slots[i] if i < len(slots) else None
        following = now + HOUR
        look = slot is not None and slot.kind == "look"
        looks += look
        target = plan.locked[looks] if look and plan is not None else None
        if slot is None:
            target = plan.locked[-1] if plan is not None else None
        elif world.ending == "complete" and i == len(slots) - 1:
            target = len(hand.locked & {v})
        events = (*gap, *money.mended) if slot is None else gap
        hand.gap(events, now, following, target=target, spare=bool(slot and slot.kind == "toggle"), last=slot is None)
        now = following
        at = iter(range(now, now + MINUTE))
        if slot is None:
            locked.append(len(hand.locked))
            break
        event = made.slots[i]
        if slot.kind == "toggle":
            n = len(toggles)
            words = plan.toggles[n] if plan is not None else _lock_words(rng, v, hand)
            toggles.append(words)
            hand.put(Event((words,), seen=True), at)
            (hand.locked.add if words[0] == "lock" else hand.locked.discard)(v)
        elif look:
            locked.append(len(hand.locked))
            tried = plan.probes[looks] if plan is not None else _probes(rng, world, slots, made)
            probes.append(tried)
            hand.steps.append(Look(now, tried))
        elif event is not None:
            hand.put(event, at)
    last_is_viewer = plan.locks_end if plan is not None else rng.random() < 0.5 and v != PUBLIC
    _end(rng, world, hand, now, last_is_viewer)
    return hand.steps, Plan(tuple(locked), tuple(toggles), tuple(probes), last_is_viewer, early)


def _lock_words(rng: random.Random, viewer: str, hand: _Hand) -> tuple[str, ...]:
    verb = "unlock" if viewer in hand.locked else "lock"
    if rng.random() < 0.2:
        verb = {"lock": "unlock", "unlock": "lock"}[verb]
    return (verb, viewer)


def _end(rng: random.Random, world: World, hand: _Hand, now: int, last_is_viewer: bool) -> None:
    """The end of trading, at a moment that everybody learns; or all are locked, since when they do not."""
    v = world.viewer
    if world.ending == "none":
        hand.steps.append(Look(now + HOUR))
    elif world.ending == "close":
        hand.steps.append(Step(("close",), now + HOUR, True))
    elif world.ending == "time":
        hand.steps.append(Step(("close", "trading"), BEGAN + 300 * HOUR, True))
    elif world.ending in ("locks", "grace"):
        open_ = [p for p in world.players if p not in hand.locked and p != v]
        rng.shuffle(open_)
        mine = v != PUBLIC and v not in hand.locked
        if mine and not last_is_viewer:
            if not open_:
                open_ = [rng.choice(world.hidden)]
                hand.steps.append(Step(("unlock", open_[0]), now + 1))
            hand.steps.append(Step(("lock", v), now + 2, True))
        elif not mine and not open_:
            open_ = [rng.choice(world.hidden)]
            hand.steps.append(Step(("unlock", open_[0]), now + 1))
        order = [*open_, v] if mine and last_is_viewer else open_
        for n, p in enumerate(order):
            final = n == len(order) - 1
            since = rng.randrange(4) * MINUTE if world.ending == "grace" and p != v else 0
            hand.steps.append(Step(("lock", p), now + HOUR + since if final else now + MINUTE + n, p == v))
        grace = Look(now + HOUR + 5 * MINUTE)
        hand.steps.append(grace if world.ending == "grace" else Step(("close", "trading"), now + 2 * HOUR, True))


def _probes(rng: random.Random, world: World, slots: list[Slot], made: Drawn) -> tuple[tuple[str, ...], ...]:
    """Commands of the viewer whose answer must not depend on anybody's hidden hand."""
    v = world.viewer
    if v == PUBLIC:
        return ()
    talked = {s.data[0] for s in slots if s.kind == "inward"}
    traded = {s.data[2] for s in slots if s.kind == "trade"}
    tried: list[tuple[str, ...]] = []
    p = rng.choice(world.hidden)
    mine = rng.choice((*made.final[v], *made.dealt[v]))
    held = {*made.final[v], *made.dealt[v], *(word for s in slots for word in s.data if word in FACES)}
    held |= {flip(card) for card in held}
    if lacked := [card for card in FACES if card not in held]:  # refused whatever the other holds
        tried.append(("trade", p, rng.choice(FACES), v, rng.choice(lacked)))
    if p not in talked:
        tried += [("offer", v, mine, p, rng.choice(FACES)), ("accept", v, p), ("decline", v, p)]
    if traded:
        tried.append(("offer", v, mine, rng.choice(sorted(traded)), rng.choice(FACES)))
    tried += [("recolour", v, mine), ("recolour", v, rng.choice(FACES)), ("unlock", v), ("withdraw", v, p)]
    tried += [("penalty", v, "--garnets", "2"), ("vote", v, p), ("gift", v, p), ("award", v, "tokens", "-1")]
    return tuple(rng.sample(tried, 2))


# ---- after the end -----------------------------------------------------------------------------------------------


def _after(
    rng: random.Random, world: World, one: Drawn, other: Drawn, money: Money, other_money: Money, now: int
) -> tuple[list[Step | Look], list[Step | Look]]:
    """Votes, lots, gifts and rulings until the match is finished, in both matches; between them looks."""
    states = [_over(world, made, cash) for made, cash in ((one, money), (other, other_money))]
    mine: list[Step | Look] = []
    theirs: list[Step | Look] = []

    def show(step: Step | Look) -> None:
        mine.append(step)
        theirs.append(step)

    for _ in range(12):
        now += HOUR
        if rng.random() < 0.25:
            show(Look(now))
        need = ruled(states[0].table, verdict(states[0])).verdict.needed
        if not need:
            break
        decision = need[0].decision
        now += HOUR
        if decision.kind == "vote":
            votes = _votes(rng, world, states, decision, now)
            mine += votes[0]
            theirs += votes[1]
            now += 3 * HOUR
        else:
            show(_seen_choice(rng, states, decision, [n.decision for n in need], now))
    show(Look(now + HOUR))
    return mine, theirs


def _over(world: World, made: Drawn, money: Money) -> State:
    """A state as the end finds it: enough for the verdict."""
    table = Table(
        game=GAME, title="", zone="UTC", hosts=(), seats={p: Seat(p) for p in world.players}, settings=world.flat,
        assumptions=(), began=0, phase="trading", past=("pregame", "trading"), purses=dict(money.end),
    )  # fmt: skip
    events = [e for gap in made.gaps for e in gap] + [e for e in made.slots if e]
    traded = {event.traded: 1 for event in events if event.traded}
    ticked: Any = {p: {str(i): "received" for i in range(n)} for p, n in money.received.items()}
    hands = {p: sort(made.final[p]) for p in world.players}
    return State(table, table_settings.own(Settings, world.flat), hands, hands, ticked, traded)


def _seen_choice(rng: random.Random, states: list[State], decision: Any, all_: list[Any], now: int) -> Step:
    """A gift, a lot or a ruling: everybody learns it."""
    table = states[0].table
    if decision.kind == "lot":
        name = rng.choice(decision.among)
        words = ("lot", "--outcome", name)
        change: dict[str, Any] = {"lots": {**table.lots, decision.key: name}}
    elif decision.kind == "gift" and rng.random() < 0.7:
        giver, name = decision.who[0], rng.choice(decision.among)
        words = ("gift", giver, name)
        change = {"gifts": {**table.gifts, giver: (*table.gifts.get(giver, ()), name)}}
    elif decision.kind == "gift":
        words = ("close", "gift")
        change = {"closed": table.closed | {d.key for d in all_ if d.kind == "gift"}}
    else:
        name = rng.choice(decision.among)
        words = ("award", name, "tokens", "1")
        change = {"granted": {**table.granted, name: table.granted.get(name, 0) + 1}}
    states[:] = [state._replace(table=state.table._replace(**change)) for state in states]
    return Step(words, now, True)


def _votes(rng: random.Random, world: World, states: list[State], decision: Any, now: int) -> list[list[Step | Look]]:
    """Two elections with the same outcome, the viewer's own vote and the moment of the last one."""
    v = world.viewer
    voters, among = decision.who, decision.among
    early = rng.random() < 0.3
    mine = rng.choice(among) if v in voters and (not early or rng.random() < 0.5) else None
    when = rng.choice(("before", "after"))
    drawn: list[dict[str, str]] = []
    outcome: Any = None
    for attempt in range(40):
        votes = {
            p: rng.choice((*among, *among, ABSTAINS)) for p in voters if p != v and (not early or rng.random() < 0.6)
        }
        votes |= {v: mine} if mine is not None else {}
        if early and len(votes) == len(voters):
            votes.pop(next((p for p in votes if p != v), ""), None)
        closed = {"closed": states[0].table.closed | {decision.key}} if early else {}
        state = states[len(drawn)]
        then = state._replace(table=state.table._replace(votes={decision.about: votes}, **closed))
        after = ruled(then.table, verdict(then)).verdict
        if not drawn:
            outcome = (after.elimination, after.needed)
        elif (after.elimination, after.needed) != outcome or (votes == drawn[0] and attempt < 30):
            continue
        states[len(drawn)] = state._replace(table=state.table._replace(votes={decision.about: votes}, **closed))
        drawn.append(votes)
        if len(drawn) == 2:
            break
    else:
        raise NotAPair("no other votes with the same outcome")
    look, end, written = now + HOUR, now + 2 * HOUR, []
    for votes in drawn:
        others = [p for p in votes if p != v]
        rng.shuffle(others)
        last = others.pop() if others and not early else None
        first, later = (
            sorted(rng.sample(moments, 20))
            for moments in (range(now + MINUTE, look - MINUTE), range(look + MINUTE, end))
        )
        times = iter(first)
        cut = rng.randint(0, len(others))
        steps: list[Step | Look] = [Look(look)]
        for p in others[:cut]:
            if rng.random() < 0.3:
                steps.append(Step(_vote(p, rng.choice(among)), next(times)))
            steps.append(Step(_vote(p, votes[p]), next(times)))
        steps += [Step(_vote(p, votes[p]), at) for p, at in zip(others[cut:], later, strict=False)]
        if mine is not None:
            at = now if early or (last and when == "before") else look + 1 if last else end
            steps.append(Step(("vote", v, mine), at, True))
        if last:
            steps.append(Step(_vote(last, votes[last]), end))
        if early:
            steps.append(Step(("close", "vote"), end, True))
        written.append(sorted(steps, key=lambda step: step.at))
    return written


def _vote(voter: str, candidate: str) -> tuple[str, ...]:
    return ("vote", voter, candidate) if candidate != ABSTAINS else ("blank", voter)
