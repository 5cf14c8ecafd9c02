"""Facts in words for the host, each with the numbered rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.kit.sealed import RoundOpened, RoundResolved, SheetSealed, SubmissionsClosed
from games.kit.tell import count
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.state import State
from games.table import facts as told
from games.table.facts import HOST_POWERS
from games.table.words import reason as shared_reason
from games.table.words import sheet_reason


def explain(state: State, fact: Fact) -> Reason:
    """What happened, and why it may. `state` is used for names only."""
    name = state.table.name
    match fact:
        case SheetSealed():
            return sheet_reason(state.table, fact, _sheet(fact))
        case SubmissionsClosed():
            return shared_reason(state.table, fact)._replace(rule="section 1, PA-1")
        case f.ChipsSpent():
            return Reason(f"{name(fact.player)} spends {count(fact.chips, 'chip')} in {fact.what}", "section 3, PA-2")
        case f.PowerTaken():
            return Reason(f"{name(fact.player)} takes {fact.power.title()} ({fact.why})", "section 2, PA-3, PA-4")
        case f.ChipsReceived():
            source = "Joker" if fact.what == "joker" else f"Diamonds on {fact.what}"
            return Reason(f"{name(fact.player)} receives {count(fact.chips, 'chip')} ({source})", "section 3, Powers")
        case f.PowerUsed():
            return Reason(f"{name(fact.player)} uses {fact.power.title()} on {fact.card}", "section 3, PA-16")
        case f.CardAwarded():
            return Reason(_card(state, fact), "section 3, Resolution")
        case f.Overspent():
            won = "won a card with it: Elimination Candidate" if fact.won else "won nothing with it"
            return Reason(
                f"{name(fact.player)} spent more chips than he had in the {fact.round} round and {won}", "PA-6"
            )
        case RoundResolved():
            return shared_reason(state.table, fact)._replace(rule="section 3")
        case f.FieldSet():
            return Reason(f"a host sets {fact.field} of {name(fact.player)} to {fact.value or 'none'}", HOST_POWERS)
        case RoundOpened() | told.PhaseBegan() | told.PhaseEnded():
            return shared_reason(state.table, fact)._replace(rule="section 1")
        case told.EliminationFound():
            return shared_reason(state.table, fact)._replace(rule="section 5, PA-7")
        case _:
            return shared_reason(state.table, fact)


def _sheet(fact: SheetSealed) -> str:
    """What is on a sheet, in short, and what of it counts for nothing."""
    sheet = fact.sheet.content
    if isinstance(sheet, a.Power):
        chips = f": {count(sheet.chips, 'chip')}, {sheet.ranking}"
        return chips + (f", completed after the first {sheet.named} (PA-3)" if sheet.named < len(a.POWERS) else "")
    if not isinstance(sheet, a.Bid):
        return ""
    bids = a.bids_of(sheet.bids)
    said = f": {count(sum(bids.values()), 'chip')} on {count(len(bids), 'card')}"
    if nothing := [card for card, chips in bids.items() if not chips]:
        said += f"; a bid of 0 is none while min_bid is 1 (PA-5): {' '.join(nothing)}"
    if own := [card for card, to in a.gifts_of(sheet.gift).items() if to == fact.player]:
        said += f"; a gift to oneself is none (PA-14): {' '.join(own)}"
    return said


def _card(state: State, fact: f.CardAwarded) -> str:
    name = state.table.name
    tied = f"; tied and skipped: {', '.join(str(n) for n in fact.tied)}" if fact.tied else ""
    if fact.why == "destroyed":
        return f"{fact.card} is destroyed (Clubs){tied}"
    if fact.why == "no_valid_bids":
        taker = f"goes to {name(fact.to)} (Spades)" if fact.to else "is discarded: nobody has Spades"
        return f"{fact.card} has no valid bid and {taker}{tied}"
    if fact.why == "gift":
        given = f"{name(fact.to or '')} receives it (Hearts)"
        return f"{fact.card}: {name(fact.giver or '')} wins with {fact.bid} and {given}{tied}"
    return f"{fact.card}: {name(fact.to or '')} wins with {fact.bid}{tied}"
