"""What is said of each fact, and to whom. Source: section 6, PA-14, PA-15, PA-18."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from events.audiences import PUBLIC_VIEWER
from games.contract import Fact
from games.kit.sealed import RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed
from games.kinds import count
from games.parts import COURSE, Say
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.state import State
from games.poker_auction.view import card_view, may
from games.table import facts as table_facts
from games.table.sheet_words import sheet_words


def in_seat_order(state: State, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts with the powers by seat: in which order they were picked is nobody's (PA-18)."""
    seats = list(state.table.seats)
    powers = [fact for fact in facts if isinstance(fact, f.PowerTaken)]
    rest = tuple(fact for fact in facts if not isinstance(fact, f.PowerTaken))
    return (*sorted(powers, key=lambda fact: seats.index(fact.player)), *rest)


def _on_it(fact: SheetSealed) -> str:
    """What is on a sheet, in short, and what of it counts for nothing."""
    sheet = fact.sheet.content
    if isinstance(sheet, a.Power):
        chips = f": {count(sheet.chips, 'chip')}, {sheet.ranking}"
        return chips + (f", completed after the first {sheet.named} (PA-3)" if sheet.named < len(a.POWERS) else "")
    if not isinstance(sheet, a.Bid):
        return ""
    bids = a.bids_of(sheet.bids)
    text = f": {count(sum(bids.values()), 'chip')} on {count(len(bids), 'card')}"
    if nothing := [card for card, chips in bids.items() if not chips]:
        text += f"; a bid of 0 is none while min_bid is 1 (PA-5): {' '.join(nothing)}"
    if own := [card for card, to in a.gifts_of(sheet.gift).items() if to == fact.player]:
        text += f"; a gift to oneself is none (PA-14): {' '.join(own)}"
    return text


def _received(fact: f.ChipsReceived, state: State) -> str:
    source = "Joker" if fact.what == "joker" else f"Diamonds on {fact.what}"
    return f"{state.table.name(fact.player)} receives {count(fact.chips, 'chip')} ({source})"


def _overspent(fact: f.Overspent, state: State) -> str:
    won = "won a card with it: Elimination Candidate" if fact.won else "won nothing with it"
    return f"{state.table.name(fact.player)} spent more chips than they had in the {fact.round} round and {won}"


def _card(fact: f.CardAwarded, state: State) -> str:
    name = state.table.name
    tied = f"; tied and skipped: {', '.join(str(n) for n in fact.tied)}" if fact.tied else ""
    if fact.why == "destroyed":
        return f"{fact.card} is destroyed (Clubs){tied}"
    if fact.why == "no_valid_bids":
        taker = f"goes to {name(fact.to)} (Spades)" if fact.to else "is discarded: nobody who is here has Spades"
        return f"{fact.card} has no valid bid and {taker}{tied}"
    if fact.why == "gift":
        receipt = f"{name(fact.to or '')} receives it (Hearts)"
        return f"{fact.card}: {name(fact.giver or '')} wins with {fact.bid} and {receipt}{tied}"
    return f"{fact.card}: {name(fact.to or '')} wins with {fact.bid}{tied}"


def _card_told(fact: f.CardAwarded, state: State) -> str:
    entry = card_view(state, PUBLIC_VIEWER, fact)
    if entry.why == "destroyed":
        return f"{fact.card}: destroyed."
    if entry.why == "no_valid_bids":
        taker = f"goes to {state.table.name(entry.to)} (Spades)" if entry.to else "is discarded"
        return f"{fact.card}: no valid bids, {taker}."
    gift = " as a gift" if entry.why == "gift" else ""
    skipped = entry.because_of_invalid_bids and may(state, "invalid_bids", PUBLIC_VIEWER)
    remark = " because of invalid bids" if skipped else ""
    return f"{fact.card}: {state.table.name(entry.to or '')} receives it{gift}{remark}."


def power_corrected(fact: table_facts.FieldSet, state: State) -> str:
    now = "no power" if fact.value == "none" else fact.value.title()
    return f"A host corrected a power: {state.table.name(fact.player)} has {now}."


SAYS: Mapping[type, FactSpec] = {
    SheetSealed: FactSpec("season S-9, S-G1", partial(sheet_words, _on_it)),
    RoundOpened: FactSpec("section 1"),
    SubmissionsClosed: FactSpec("section 1, PA-1"),
    RoundResolved: FactSpec("section 3"),
    table_facts.PhaseBegan: FactSpec("section 1"),
    table_facts.PhaseEnded: FactSpec("section 1"),
    table_facts.EliminationFound: FactSpec("section 5, PA-7"),
    f.PowerTaken: FactSpec(
        "section 2, PA-3, PA-4",
        lambda fact, state: f"{state.table.name(fact.player)} takes {fact.power.title()} ({fact.why})",
        "powers",
        public=lambda fact, state: f"{state.table.name(fact.player)} has {fact.power.title()}.",
    ),
    f.ChipsSpent: FactSpec(
        "section 3, PA-2", "{player} spends {chips:chip} in {what}", "own_chips", "You spent {chips:chip} in {what}."
    ),
    f.ChipsReceived: FactSpec(
        "section 3, Powers",
        _received,
        "diamonds_income",
        lambda fact, state, viewer: (
            f"You received {count(fact.chips, 'chip')} ({'Joker' if fact.what == 'joker' else 'Diamonds'})."
        ),
    ),
    f.PowerUsed: FactSpec(
        "section 3, PA-16",
        lambda fact, state: f"{state.table.name(fact.player)} uses {fact.power.title()} on {fact.card}",
        lambda fact, state: COURSE if state.settings.announce_diamonds else "diamonds_use",
        public=lambda fact, state: f"Diamonds was used on {fact.card}." if fact.power == "diamonds" else None,
    ),
    f.CardAwarded: FactSpec("section 3, Resolution", _card, "cards_received", public=_card_told),
    f.Overspent: FactSpec("PA-6", _overspent),
}
"""A row for each fact of the game, and for those of the table that stand under other sections here."""
