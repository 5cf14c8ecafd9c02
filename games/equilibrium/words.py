"""Facts in words for the host, each with the numbered rule it follows from."""

from __future__ import annotations

from games.contract import Fact, Reason
from games.equilibrium import facts as f
from games.equilibrium.state import State
from games.kit.poker import WORDS
from games.table.facts import HOST_POWERS
from games.table.words import reason as shared_reason


def explain(state: State, fact: Fact) -> Reason:
    """What happened, and why it may. `state` is used for names only."""
    name = state.table.name
    match fact:
        case f.HandDealt():
            return Reason(f"{name(fact.player)} is dealt {' '.join(fact.cards)}", "section 1")
        case f.CardsDealt():
            return Reason("the deal is whole: the hands are the deck", "section 1")
        case f.Offered():
            return Reason(f"{name(fact.a)} offers {name(fact.b)} {fact.give} for {fact.take}", "section 3, EQ-8")
        case f.OfferClosed():
            return Reason(f"the offer of {name(fact.a)} to {name(fact.b)} is {fact.why}", "section 3, EQ-8")
        case f.Traded():
            return Reason(f"{name(fact.a)} gives {fact.give}, {name(fact.b)} gives {fact.take}", "section 3")
        case f.Recoloured():
            return Reason(f"{name(fact.player)} turns {fact.card} into {fact.into}", "section 3, EQ-14")
        case f.ClassTicked():
            made = f"{name(fact.player)} has {WORDS[fact.hand_class]} ({' '.join(fact.cards)}) for the first time"
            became = {
                "received": "it pays a garnet",
                "at_cap": "its garnet is discarded, for nobody may hold more",
                "at_limit": "its garnet is discarded, for a match gives a player no more",
            }[fact.garnet]
            rule = {"deal": "section 8, EQ-4", "trade": "sections 4 and 8", "recolour": "section 4, EQ-5"}[fact.by]
            return Reason(f"{made}; {became}", rule + ("" if fact.garnet == "received" else ", EQ-13"))
        case f.Locked():
            return Reason(f"{name(fact.player)} locks in", "section 3, EQ-17")
        case f.Unlocked():
            return Reason(f"{name(fact.player)} is no longer locked in ({fact.why})", "section 3, EQ-14, EQ-17")
        case f.HandSet():
            return Reason(f"a host sets the hand of {name(fact.player)} to {' '.join(fact.cards)}", HOST_POWERS)
        case _:
            return shared_reason(state.table, fact)
