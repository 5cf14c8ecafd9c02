"""All that is said of the facts: to hosts with the rule, and to the players whom they concern. Source: section 9."""

from __future__ import annotations

from events.instants import Instant
from games.equilibrium import facts as f
from games.equilibrium.state import State
from games.kit.blocks import Span, When
from games.kit.poker import WORDS
from games.kit.tell import COURSE, OWN, News, Say, Says, said
from games.parts import CardsDealt, HandDealt
from games.table import facts as table_facts
from games.table.facts import HOST_POWERS
from games.table.words import DECIDES
from games.table.words import SAYS as SHARED

DEALT = "You were dealt your five cards."


def _ends(state: State, words: str, at: Instant | None) -> tuple[Span, ...]:
    """Until when something lasts; nothing while the clock stands still."""
    return () if at is None or state.table.paused is not None else (f" {words} ", When(at), ".")


def _traded(state: State, fact: f.Traded, viewer: str) -> str:
    first = viewer == fact.a
    partner, gave, took = (fact.b, fact.give, fact.take) if first else (fact.a, fact.take, fact.give)
    return f"Your trade with {state.table.name(partner)} is done: you gave {gave} and received {took}."


def _ticked(state: State, fact: f.ClassTicked) -> str:
    became = {
        "received": "it pays a garnet",
        "at_cap": "its garnet is discarded, for nobody may hold more",
        "at_limit": "its garnet is discarded, for a match gives a player no more",
    }[fact.garnet]
    hand = f"{state.table.name(fact.player)} has {WORDS[fact.hand_class]} ({' '.join(fact.cards)}) for the first time"
    return f"{hand}; {became}"


def _tick_rule(state: State, fact: f.ClassTicked) -> str:
    rule = {"deal": "section 8, EQ-4", "trade": "sections 4 and 8", "recolour": "section 4, EQ-5"}[fact.by]
    return rule if fact.garnet == "received" else f"{rule}, EQ-13"


def _first_time(hand_class: str, garnet: str) -> str:
    what = f"{WORDS[hand_class]}, for the first time"
    lost = {"at_cap": "you hold the most garnets allowed", "at_limit": "you had the most a match gives"}
    if garnet == "received":
        return f"{what}: you earned 1 garnet."
    return f"{what}; {lost[garnet]}, so it earned none."


def _moved(state: State, fact: table_facts.Moved, viewer: str) -> News:
    """What a host did; of a hand that paid, or a recolour, the other facts tell."""
    return said(SHARED[table_facts.Moved].owner, state, fact, viewer) if fact.rule == HOST_POWERS else None


def _asked(state: State, fact: table_facts.DecisionOpened, viewer: str) -> News:
    among = state.table.one_of(fact.decision.among)
    asks = {
        "vote": f"You hold a Token of Life: vote who is Elimination Candidate, {among}.",
        "gift": f"You hold a spare Token of Life: give it to {among}.",
    }[fact.decision.kind]
    ends = next((decision.ends for decision in state.table.decisions if decision.key == fact.decision.key), None)
    return (asks, *_ends(state, "There is time for that until", ends))


def _began(state: State, fact: table_facts.PhaseBegan) -> News:
    if fact.phase == "trading":
        return ("Trading is open.", *_ends(state, "It ends", state.table.ends if state.playing else None))
    return "The match is over." if fact.phase == "finished" else None


def _resumed(state: State, fact: table_facts.Resumed) -> News:
    sentence = "The clock runs again; every end moves by the length of the pause."
    return (sentence, *_ends(state, "The next end is", state.table.next_end()))


SAYS: Says = {
    HandDealt: Say(
        "section 1",
        "{player} is dealt {cards}",
        "own_hand",
        lambda state, fact, viewer: DEALT if state.hands_known else None,
        holds=True,
    ),
    f.HandsTold: Say(
        "section 9, EQ-24", "the players are told their hands", "own_hand", DEALT, who=lambda fact: fact.players
    ),
    f.EarnedTold: Say(
        "section 9, EQ-24",
        lambda state, fact: f"{state.table.name(fact.player)} is told of {WORDS[fact.hand_class]}",
        ("garnet_gained", "dealt_garnet"),
        lambda state, fact, viewer: _first_time(fact.hand_class, fact.garnet),
    ),
    CardsDealt: Say("section 1", "the deal is whole: the hands are the deck"),
    f.Offered: Say("section 3, EQ-8", "{a} offers {b} {give} for {take}"),
    f.OfferClosed: Say("section 3, EQ-8", "the offer of {a} to {b} is {why}"),
    f.Traded: Say(
        "section 3",
        "{a} gives {give}, {b} gives {take}",
        "trade_done",
        _traded,
        who=lambda fact: (fact.a, fact.b),
        holds=True,
    ),
    f.Recoloured: Say(
        "section 3, EQ-14",
        "{player} turns {card} into {into}",
        "recolour_done",
        "You paid 1 garnet: your {card} is now {into}.",
        holds=True,
    ),
    f.ClassTicked: Say(
        _tick_rule,
        _ticked,
        lambda state, fact: ("garnet_gained", "dealt_garnet") if fact.by == "deal" else "garnet_gained",
        lambda state, fact, viewer: _first_time(fact.hand_class, fact.garnet) if state.hands_known else None,
    ),
    f.Locked: Say("section 3, EQ-17", "{player} locks in"),
    f.Unlocked: Say(
        "section 3, EQ-14, EQ-17",
        "{player} is no longer locked in ({why})",
        OWN,
        lambda state, fact, viewer: None if fact.why == "on request" else "You are no longer locked in.",
    ),
    f.HandSet: Say(
        HOST_POWERS,
        lambda state, fact: (
            f"a host sets the hand of {state.table.name(fact.player)} to {' '.join(fact.cards) or 'none'}"
        ),
        "own_hand",
        lambda state, fact, viewer: "A host corrected your hand." if state.hands_known else None,
        holds=True,
    ),
    table_facts.Moved: Say(lambda state, fact: fact.rule, owner=_moved),
    table_facts.DecisionOpened: Say(DECIDES, owner=_asked),
    table_facts.PhaseBegan: Say("section 2", public=_began),
    table_facts.EliminationFound: Say("section 7"),
    table_facts.PhaseEnded: Say(
        "section 2", line=COURSE, public=lambda state, fact: "Trading is over." if fact.phase == "trading" else None
    ),
    table_facts.Resumed: Say(HOST_POWERS, public=_resumed),
}
