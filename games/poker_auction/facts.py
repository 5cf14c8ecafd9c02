"""The state of a match of Poker Auction and its facts: each with its rule, its words and its effect.

Source: sections 2, 3 and 6, PA-14, PA-15, PA-18.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from events.audiences import PUBLIC_VIEWER
from events.record import NamedTuple
from games.contract import COURSE, AnySheet, Fact, FactSpec, News, each, fact
from games.kinds import Player, count
from games.poker_auction import actions as a
from games.poker_auction.actions import Settings
from games.poker_auction.cards import sort
from games.table import Table, facts as table_facts, rounds as sealed
from games.table.rounds import RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed
from games.table.view import allowed

ORDER = ("power", "clubs", "diamonds", "hearts", "spades")
"""The rounds of submissions. Source: section 1."""
CHIPS = 104
JOKER = 26


class State(NamedTuple):
    table: Table
    settings: Settings
    chips: Mapping[str, int] = each(CHIPS)
    powers: Mapping[str, str] = {}
    cards: Mapping[str, tuple[str, ...]] = {}
    used: Mapping[str, str] = {}
    """A power that is used up, diamonds or clubs -> who used it."""
    results: Mapping[str, tuple[CardAwarded, ...]] = {}
    """Auction round -> what became of each card."""
    overspent: frozenset[str] = frozenset()
    """The players who won a card with a sheet over budget."""
    overdrawn: frozenset[str] = frozenset()
    """The players who sent a sheet over budget: their chips may be negative."""
    income: Mapping[str, int] = {}
    """What Diamonds collected, for the player who used it."""
    counted: Mapping[str, Mapping[str, AnySheet]] = {}
    """Resolved round -> player -> the sheet that counted."""

    @property
    def over(self) -> bool:
        return "spades" in self.table.past

    def owner(self, power: str) -> str | None:
        return next((p for p in self.table.seats if self.powers.get(p) == power), None)

    def may(self, line: str, viewer: str, owners: Iterable[str | None] = ()) -> bool:
        """May `viewer` know what that line reveals about `owners`? For what a mark cannot express."""
        return allowed(self.table, line, viewer, owners, over=self.over)

    def with_chips(self, player: str, change: int) -> State:
        return self._replace(chips={**self.chips, player: self.chips[player] + change})


@fact("section 3, PA-2", "{player} spends {chips:chip} in {what}", "own_chips", "You spent {chips:chip} in {what}.")
class ChipsSpent(NamedTuple):
    player: Player
    chips: int
    what: str

    def evolve(self, state: State) -> State:
        return state.with_chips(self.player, -self.chips)


@fact("section 3, Powers", line="diamonds_income")
class ChipsReceived(NamedTuple):
    """A player received chips for `what`: `joker`, or the card that was named with Diamonds."""

    player: Player
    chips: int
    what: str

    def host(self, state: State) -> str:
        source = "Joker" if self.what == "joker" else f"Diamonds on {self.what}"
        return f"{state.table.name(self.player)} receives {count(self.chips, 'chip')} ({source})"

    def owner(self, state: State, viewer: str) -> str:
        power = "Joker" if self.what == "joker" else "Diamonds"
        told = f" ({power})" if state.may("powers", viewer, (viewer,)) else ""
        return f"You received {count(self.chips, 'chip')}{told}."

    def evolve(self, state: State) -> State:
        if self.what != "joker":
            state = state._replace(income={**state.income, self.player: self.chips})
        return state.with_chips(self.player, self.chips)


@fact("section 2, PA-3, PA-4", line="powers")
class PowerTaken(NamedTuple):
    player: Player
    power: str
    why: str

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} takes {self.power.title()} ({self.why})"

    def public(self, state: State) -> str:
        return f"{state.table.name(self.player)} has {self.power.title()}."

    def evolve(self, state: State) -> State:
        return state._replace(powers={**state.powers, self.player: self.power})


@fact("section 3, PA-16")
class PowerUsed(NamedTuple):
    player: Player
    power: Literal["diamonds", "clubs"]
    card: str

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} uses {self.power.title()} on {self.card}"

    def line(self, state: State) -> str:
        return COURSE if state.settings.announce_diamonds else "diamonds_use"

    def public(self, state: State) -> News:
        return f"Diamonds was used on {self.card}." if self.power == "diamonds" else None

    def evolve(self, state: State) -> State:
        return state._replace(used={**state.used, self.power: self.player})


@fact("section 3, Resolution", line="cards_received")
class CardAwarded(NamedTuple):
    """What became of one card. `to` is None if nobody got it; `giver` is the player whose winning bid was a gift."""

    round: str
    card: str
    to: Player | None
    why: Literal["won", "gift", "no_valid_bids", "destroyed"]
    because_of_invalid_bids: bool
    giver: Player | None
    bid: int | None
    tied: tuple[int, ...]
    """The amounts that two or more players bid, which do not count."""

    def why_told(self, state: State, viewer: str) -> str:
        """`why`, as far as the viewer may know it: `received` if the gift is hidden by a line or setting (PA-14), or if
        who has Spades is; `sealed` if everything is."""
        if not state.may("cards_received", viewer):
            return "sealed"
        if self.why == "no_valid_bids" and self.to and not state.may("powers", viewer):
            return "received"
        known = state.settings.announce_gift or state.may("gifts", viewer, (self.to, self.giver))
        return self.why if known or self.bid is None else "received"

    def host(self, state: State) -> str:
        name = state.table.name
        if self.why == "destroyed":
            return f"{self.card} is destroyed (Clubs)"
        skipped = [str(amount) for amount in self.tied if amount > (self.bid or 0)]
        tied = f"; tied and skipped: {', '.join(skipped)}" if skipped else ""
        if self.why == "no_valid_bids":
            taker = f"goes to {name(self.to)} (Spades)" if self.to else "is discarded: nobody who is here has Spades"
            return f"{self.card} has no valid bid, so it {taker}{tied}"
        if self.why == "gift":
            receipt = f"{name(self.to or '')} receives it (Hearts)"
            return f"{self.card}: {name(self.giver or '')} wins with {self.bid} and {receipt}{tied}"
        return f"{self.card}: {name(self.to or '')} wins with {self.bid}{tied}"

    def public(self, state: State) -> str:
        why = self.why_told(state, PUBLIC_VIEWER)
        if why == "destroyed":
            return f"{self.card}: destroyed."
        if why == "no_valid_bids":
            taker = f"goes to {state.table.name(self.to)} (Spades)" if self.to else "discarded"
            return f"{self.card}: no valid bids, {taker}."
        gift = " as a gift" if why == "gift" else ""
        skipped = self.because_of_invalid_bids and state.may("invalid_bids", PUBLIC_VIEWER)
        remark = " because of invalid bids" if skipped else ""
        return f"{self.card}: {state.table.name(self.to or '')} receives it{gift}{remark}."

    def evolve(self, state: State) -> State:
        results, cards = {**state.results, self.round: (*state.results.get(self.round, ()), self)}, state.cards
        if self.to is not None:
            cards = {**cards, self.to: sort((*cards.get(self.to, ()), self.card))}
        return state._replace(results=results, cards=cards)


@fact("PA-6")
class Overspent(NamedTuple):
    """A sheet spent more chips than were held. If it `won` a card, its player is Elimination Candidate (PA-6)."""

    player: Player
    round: str
    won: bool

    def host(self, state: State) -> str:
        won = " and won a card with it: Elimination Candidate" if self.won else " and won nothing with it"
        won = ": a debt, and nothing more" if self.round == "power" else won
        return f"{state.table.name(self.player)} spent more chips than they had in the {self.round} round{won}"

    def evolve(self, state: State) -> State:
        won = {self.player} if self.won else set()
        return state._replace(overspent=state.overspent | won, overdrawn=state.overdrawn | {self.player})


def _on_it(fact: SheetSealed, state: State) -> str:
    sheet = fact.sheet.content
    if not isinstance(sheet, a.Power | a.Bid):
        return ""
    held, is_now = state.chips[fact.player], state.table.round is not None and state.table.round.name == fact.round
    over = f"; over budget: {count(held, 'chip')} (PA-6)" if is_now and a.spends(sheet) > max(held, 0) else ""
    if isinstance(sheet, a.Power):
        return "; ".join(a.items(sheet, state.table.name, state.settings.min_bid).values()) + over
    bids = a.bids_of(sheet.bids)
    nothing = [card for card, chips in bids.items() if chips < state.settings.min_bid]
    text = f"{count(sum(bids.values()), 'chip')} on {count(len(bids) - len(nothing), 'card')}"
    text += f"; a bid of 0 is none (PA-5): {' '.join(nothing)}" if nothing else ""
    if own := [card for card, to in a.gifts_of(sheet.gift).items() if to == fact.player]:
        text += f"; a gift to oneself is none (PA-14): {' '.join(own)}"
    return text + over


def _resolved(fact: RoundResolved, state: State) -> State:
    assert state.table.last is not None, "the round that was resolved"
    return state._replace(counted={**state.counted, fact.round: sealed.contents(state.table.last)})


def power_corrected(fact: table_facts.FieldSet, state: State) -> str:
    now = "no power" if fact.value == "none" else fact.value.title()
    return f"A host corrected a power: {state.table.name(fact.player)} has {now}."


def in_seat_order(state: State, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts with the powers in seat order, because the order of picking is secret (PA-18)."""
    seats = list(state.table.seats)
    powers = [fact for fact in facts if isinstance(fact, PowerTaken)]
    rest = tuple(fact for fact in facts if not isinstance(fact, PowerTaken))
    return (*sorted(powers, key=lambda fact: seats.index(fact.player)), *rest)


TABLE_FACTS: Mapping[type, FactSpec] = {
    SheetSealed: FactSpec(host=lambda fact, state: fact.host(state, _on_it(fact, state))),
    RoundOpened: FactSpec("section 1"),
    SubmissionsClosed: FactSpec("section 1, PA-1"),
    RoundResolved: FactSpec("section 3", evolve=_resolved),
    table_facts.PhaseBegan: FactSpec("section 1"),
    table_facts.PhaseEnded: FactSpec("section 1"),
    table_facts.EliminationFound: FactSpec("section 5, PA-7"),
}
