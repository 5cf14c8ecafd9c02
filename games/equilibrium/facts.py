"""The state of a match of Equilibrium and its facts: each with its rule, its words and its effect.

The facts of every game are in games/table/facts.py; what more they mean here is at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from events.instants import Instant, later
from events.record import NamedTuple
from games.contract import COURSE, OWN, FactSpec, News, fact
from games.equilibrium.actions import Settings
from games.equilibrium.cards import Hand, swap
from games.kinds import Player
from games.kit.blocks import Span, When
from games.kit.poker import WORDS
from games.parts.dealing import CardsDealt, HandDealt
from games.spans import MINUTE, span
from games.table import Table, facts as table_facts
from games.table.facts import HOST_POWERS
from games.table.view import allowed

Pair: TypeAlias = tuple[str, str]
"""Two players, sorted: trades have no direction."""
Garnet: TypeAlias = Literal["received", "at_cap", "at_limit"]
DEALT = "You were dealt your five cards."


class Pledge(NamedTuple):
    give: str
    take: str


class State(NamedTuple):
    table: Table
    settings: Settings
    hands: Mapping[str, Hand] = {}
    dealt: Mapping[str, Hand] | None = None
    """The hands as dealt, once the deal is complete."""
    ticked: Mapping[str, Mapping[str, Garnet]] = {}
    """Player -> class -> what became of its garnet, in the order in which the classes were made."""
    traded: Mapping[Pair, int] = {}
    """Pairs that have traded -> the entry."""
    offers: Mapping[Pair, Pledge] = {}
    """(proposer, partner) -> the one open offer in that direction."""
    recolours: Mapping[str, int] = {}
    locked: Mapping[str, Instant] = {}
    reopened: bool = False
    """A host reopened trading: it no longer ends by itself when every pair has traded."""

    @property
    def playing(self) -> bool:
        return self.table.phase == "trading" and "trading" not in self.table.past

    @property
    def hands_known(self) -> bool:
        """May players know what they were dealt? Source: section 9, EQ-24."""
        return self.settings.hands_told == "at_deal" or self.table.phase != "pregame"

    @property
    def over(self) -> bool:
        return "trading" in self.table.past

    def partners(self, player: str) -> tuple[str, ...]:
        return tuple(p for p in self.table.players if pair(player, p) in self.traded)

    def received(self, player: str) -> int:
        return sum(garnet == "received" for garnet in self.ticked.get(player, {}).values())

    def early_end(self) -> Instant | None:
        """When trading ends because every player who has not left is locked. Source: EQ-17, S-G3.

        None while a player is not locked, or nobody is present.
        """
        locked, table = self.locked, self.table
        at_most = len(locked) + len(table.left) + len(table.outside)
        if at_most < len(table.seats) or not all(p in locked for p in table.present):
            return None
        since = [locked[p] for p in table.present]
        gone = [left.at for p, left in table.left.items() if p not in locked]
        last = max(since + gone, default=Instant(0))
        return later(last, span(self.settings.lock_grace_minutes, MINUTE)) if since else None

    def may_trade_with(self, player: str) -> tuple[str, ...]:
        """The players with whom this one can still trade, in seat order."""
        present = self.table.present
        return tuple(p for p in present if player in present and p != player and pair(player, p) not in self.traded)

    def trades_left(self) -> int:
        table, done = self.table, len(self.traded)
        players = len(table.seats) - len(table.outside)
        if left := table.left:
            players, done = len(table.present), sum(a not in left and b not in left for a, b in self.traded)
        return players * (players - 1) // 2 - done

    def holding(self, **hands: Hand) -> State:
        return self._replace(hands={**self.hands, **hands})


def pair(a: str, b: str) -> Pair:
    """The two players, sorted.

    >>> pair("bob", "ann")
    ('ann', 'bob')
    """
    return (a, b) if a < b else (b, a)


@fact("section 3, EQ-8", "{a} offers {b} {give} for {take}")
class Offered(NamedTuple):
    a: Player
    give: str
    b: Player
    take: str

    def evolve(self, state: State) -> State:
        return state._replace(offers={**state.offers, (self.a, self.b): Pledge(self.give, self.take)})


@fact("section 3, EQ-8", "the offer of {a} to {b} is {why}")
class OfferClosed(NamedTuple):
    """`a` had offered, `b` could have accepted."""

    a: Player
    b: Player
    why: Literal["replaced", "withdrawn", "declined", "accepted"]

    def evolve(self, state: State) -> State:
        return state._replace(offers={key: pledge for key, pledge in state.offers.items() if key != (self.a, self.b)})


@fact("section 3, EQ-8", "the offer of {a} to {b} was still open", told_only=True)
class OfferLeft(NamedTuple):
    """Trading ended while nobody had answered it."""

    a: Player
    b: Player


@fact("section 3", "{a} gives {give}, {b} gives {take}", "trade_done", holds=True)
class Traded(NamedTuple):
    a: Player
    give: str
    b: Player
    take: str
    seq: int

    def who(self) -> tuple[str, str]:
        return (self.a, self.b)

    def owner(self, state: State, viewer: str) -> str:
        first = viewer == self.a
        partner, gave, took = (self.b, self.give, self.take) if first else (self.a, self.take, self.give)
        return f"Your trade with {state.table.name(partner)} is done: you gave {gave} and received {took}."

    def evolve(self, state: State) -> State:
        first, second = swap(state.hands[self.a], self.give, self.take), swap(state.hands[self.b], self.take, self.give)
        both = {(self.a, self.b), (self.b, self.a)}
        return state.holding(**{self.a: first, self.b: second})._replace(
            traded={**state.traded, pair(self.a, self.b): self.seq},
            offers={key: pledge for key, pledge in state.offers.items() if key not in both},
        )


@fact(
    "section 3, EQ-14",
    "{player} turns {card} into {into}",
    "recolour_done",
    "You paid 1 garnet: your {card} is now {into}.",
    holds=True,
)
class Recoloured(NamedTuple):
    player: Player
    card: str
    into: str

    def evolve(self, state: State) -> State:
        hand = swap(state.hands[self.player], self.card, self.into)
        times = state.recolours.get(self.player, 0) + 1
        return state.holding(**{self.player: hand})._replace(recolours={**state.recolours, self.player: times})


def _first_time(state: State, player: str, hand_class: str, garnet: Garnet) -> str:
    what = f"{WORDS[hand_class]}, for the first time"
    if garnet == "received":
        return f"{what}: you earned 1 garnet."
    if garnet == "at_cap" and not allowed(state.table, "own_garnets", player, (player,), over=state.over):
        return f"{what}; it earned no garnet."
    lost = {"at_cap": "you hold the most garnets allowed", "at_limit": "you had the most a match gives"}
    return f"{what}; {lost[garnet]}, so it earned none."


@fact()
class ClassTicked(NamedTuple):
    """A class of `garnet_hands` was made for the first time; it never counts again for that player."""

    player: Player
    hand_class: str
    cards: Hand
    by: Literal["deal", "trade", "recolour"]
    garnet: Garnet

    def rule(self, state: State) -> str:
        rule = {"deal": "section 8, EQ-4", "trade": "sections 4 and 8", "recolour": "section 4, EQ-5"}[self.by]
        return rule if self.garnet == "received" else f"{rule}, EQ-13"

    def host(self, state: State) -> str:
        became = {
            "received": "it pays a garnet",
            "at_cap": "its garnet is discarded, because nobody may hold more",
            "at_limit": "its garnet is discarded, because a match gives a player no more",
        }[self.garnet]
        hand = f"{state.table.name(self.player)} has {WORDS[self.hand_class]} ({' '.join(self.cards)})"
        return f"{hand} for the first time; {became}"

    def line(self, state: State) -> tuple[str, ...]:
        return ("garnet_gained", "dealt_garnet") if self.by == "deal" else ("garnet_gained",)

    def owner(self, state: State, viewer: str) -> News:
        return _first_time(state, viewer, self.hand_class, self.garnet) if state.hands_known else None

    def evolve(self, state: State) -> State:
        ticked = {**state.ticked.get(self.player, {}), self.hand_class: self.garnet}
        return state._replace(ticked={**state.ticked, self.player: ticked})


@fact("section 9, EQ-24", "the players are told their hands", "own_hand", DEALT, told_only=True)
class HandsTold(NamedTuple):
    players: tuple[Player, ...]

    def who(self) -> tuple[str, ...]:
        return self.players


@fact("section 9, EQ-24", line=("garnet_gained", "dealt_garnet"), told_only=True)
class EarnedTold(NamedTuple):
    player: Player
    hand_class: str
    garnet: Garnet

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} is told of {WORDS[self.hand_class]}"

    def owner(self, state: State, viewer: str) -> str:
        return _first_time(state, viewer, self.hand_class, self.garnet)


@fact("section 3, EQ-17", "{player} locks in")
class Locked(NamedTuple):
    player: Player
    at: Instant

    def evolve(self, state: State) -> State:
        return state._replace(locked={**state.locked, self.player: self.at})


@fact("section 3, EQ-14, EQ-17", "{player} is no longer locked in ({why})", OWN)
class Unlocked(NamedTuple):
    player: Player
    why: str

    def owner(self, state: State, viewer: str) -> News:
        return None if self.why == "on request" else "You are no longer locked in."

    def evolve(self, state: State) -> State:
        return state._replace(locked={p: since for p, since in state.locked.items() if p != self.player})


@fact(HOST_POWERS, "a host sets the hand of {player} to {cards}", "own_hand", holds=True)
class HandSet(NamedTuple):
    player: Player
    cards: Hand

    def owner(self, state: State, viewer: str) -> News:
        return "A host corrected your hand." if state.hands_known else None

    def evolve(self, state: State) -> State:
        return state.holding(**{self.player: self.cards})


def _ends(state: State, words: str, at: Instant | None) -> tuple[Span, ...]:
    """When something ends; empty while the clock is paused."""
    return () if at is None or state.table.paused is not None else (f" {words} ", When(at), ".")


def _asked(fact: table_facts.DecisionOpened, state: State, viewer: str) -> News:
    among = state.table.one_of(fact.decision.among)
    if fact.decision.kind == "vote":
        asks = f"You hold a Token of Life: vote who is Elimination Candidate, {among}."
    else:
        asks = fact.to_give(state, "You hold a spare Token of Life")
    ends = next((decision.ends for decision in state.table.decisions if decision.key == fact.decision.key), None)
    return (asks, *_ends(state, "There is time for that until", ends))


def _began(fact: table_facts.PhaseBegan, state: State) -> News:
    if fact.phase == "trading":
        if state.reopened and state.playing and state.table.ends is None:
            return "Trading is open, and has no end until a host sets one."
        return ("Trading is open.", *_ends(state, "It ends", state.table.ends if state.playing else None))
    return "The match is over." if fact.phase == "finished" else None


TABLE_FACTS: Mapping[type, FactSpec] = {
    HandDealt: FactSpec(
        "section 1",
        "{player} is dealt {cards}",
        "own_hand",
        lambda fact, state, viewer: DEALT if state.hands_known else None,
        holds=True,
        evolve=lambda fact, state: state.holding(**{fact.player: fact.cards}),
    ),
    CardsDealt: FactSpec(
        "section 1",
        "the deal is whole: the hands are the deck",
        evolve=lambda fact, state: state._replace(dealt=state.hands),
    ),
    table_facts.Moved: FactSpec(  # other facts tell of a hand that paid, or a recolour
        owner=lambda fact, state, viewer: fact.owner(state, viewer) if fact.rule == HOST_POWERS else None
    ),
    table_facts.DecisionOpened: FactSpec(owner=_asked),
    table_facts.PhaseBegan: FactSpec("section 2", public=_began),
    table_facts.PhaseEnded: FactSpec(
        "section 2", line=COURSE, public=lambda fact, state: "Trading is over." if fact.phase == "trading" else None
    ),
    table_facts.EliminationFound: FactSpec("section 7"),
    table_facts.Reopened: FactSpec(
        evolve=lambda fact, state: state._replace(reopened=state.reopened or fact.name == "trading")
    ),
    table_facts.PlayerLeft: FactSpec(
        evolve=lambda fact, state: state._replace(
            offers={both: pledge for both, pledge in state.offers.items() if fact.player not in both}
        )
    ),
}
