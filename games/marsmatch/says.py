"""What is said of each fact, and to whom: one row a fact. Source: section 5."""

from __future__ import annotations

from typing import Any

from events.audiences import PUBLIC_VIEWER
from games.contract import LEFT, Fact
from games.kit.blocks import Strong, When
from games.kit.tell import COURSE, News, Say, Says, count
from games.marsmatch import facts as f
from games.marsmatch.cards import compact
from games.marsmatch.cards import count as as_hand
from games.marsmatch.names import called
from games.marsmatch.state import State
from games.marsmatch.titles import HEAVENLY, TITLES
from games.marsmatch.view import may
from games.parts import CardsDealt, HandDealt
from games.table import facts as table_facts
from games.table.facts import HOST_POWERS


def for_hosts(state: State, facts: tuple[Fact, ...]) -> list[str]:
    """How many cards those hold who played, and whose turn it is."""
    changed = dict.fromkeys(fact.player for fact in facts if isinstance(fact, (f.Played, table_facts.FieldSet)))
    marked = {p: f"{p} {LEFT}" if p in state.table.left else p for p in changed}
    lines = [f"{marked[p]}: {count(sum(state.hands.get(p, ())), 'card')} left" for p in changed]
    if state.playing and state.turn is not None and any(isinstance(fact, f.TurnBegan) for fact in facts):
        lines.append(f"{state.turn} {'leads' if state.trick is None else 'plays or passes'}")
    return lines


def _name(state: State, fact: Any) -> str:
    return state.table.name(fact.player)


def _worth(fact: f.HeavenlyWon | f.WentOut) -> str:
    return f"{TITLES[fact.title].name}, {count(fact.points, 'point')}"


def _shows(state: State, fact: f.HeavenlyWon) -> News:
    hand, cards = HEAVENLY[fact.hand]
    return f"{_name(state, fact)} shows a {hand} ({cards}): {_worth(fact)}."


def _drawn(state: State, fact: f.BankerDrawn, clockwise: str) -> str:
    name = state.table.name
    return f"{name(fact.banker)} is Banker{clockwise}: {', '.join(map(name, fact.seats))}"


def _next(state: State, fact: f.TurnBegan) -> str:
    return f"{_name(state, fact)} {'leads' if fact.leads else 'is next'}"


def _turn(state: State, fact: f.TurnBegan) -> News:
    return (_next(state, fact), *((", until ", When(fact.ends)) if fact.ends is not None else ()), ".")


def _plays(state: State, fact: f.Played) -> str:
    late = " because the time was over (MM-25)" if fact.automatic else ""
    return f"{_name(state, fact)} plays {' '.join(fact.cards)}: {called(fact.reading)}; {fact.why}{late}"


def _played(state: State, fact: f.Played) -> News:
    late, left = "Time is over: " if fact.automatic else "", sum(state.hands.get(fact.player, ()))
    size = f" {count(left, 'card')} left." if may(state, "hand_sizes", PUBLIC_VIEWER) else ""
    return (f"{late}{_name(state, fact)} plays ", Strong(" ".join(fact.cards)), f" ({called(fact.reading)}).{size}")


def _losers(state: State, fact: f.RoundEnded) -> str:
    losers = f"Total Loser{'s' if len(fact.losers) > 1 else ''}: {state.table.named(fact.losers)}"
    return losers if fact.losers else "Nobody is a Total Loser"


def _deadline(state: State, fact: table_facts.DeadlineMoved) -> News:
    what = "time of this turn now ends" if fact.about is None else "end is now"
    return None if fact.ends is None else (f"The {what} ", When(fact.ends), ".")


SAYS: Says = {
    f.BankerDrawn: Say(
        "section 2, 1; MM-6",
        lambda state, fact: _drawn(state, fact, "; clockwise"),
        COURSE,
        public=lambda state, fact: f"{_drawn(state, fact, '. Clockwise')}.",
    ),
    HandDealt: Say(
        "section 1",
        lambda state, fact: f"{_name(state, fact)} is dealt {count(len(fact.cards), 'card')}",
        "own_hand",
        lambda state, fact, viewer: ("Your hand: ", Strong(compact(as_hand(fact.cards))), "."),
    ),
    CardsDealt: Say("section 1", "the cards of this round are dealt", COURSE, public="The cards are dealt."),
    f.HeavenlyWon: Say(
        "section 2, 2; MM-1 to MM-4",
        lambda state, fact: f"{_name(state, fact)} holds a {HEAVENLY[fact.hand][0]}: {_worth(fact)}",
        "heavenly_hands",
        public=_shows,
    ),
    f.TurnBegan: Say("section 2, 3", _next, "plays", public=_turn),
    f.Played: Say("section 3, Beats", _plays, "plays", public=_played),
    f.Passed: Say(
        lambda state, fact: "MM-25" if fact.automatic else "section 2, 3; MM-19, MM-20",
        lambda state, fact: f"{_name(state, fact)} passes{' because the time was over' if fact.automatic else ''}",
        "plays",
        public=lambda state, fact: f"{'Time is over: ' if fact.automatic else ''}{_name(state, fact)} passes.",
    ),
    f.TrickWon: Say(
        "section 2, 3", "{player} wins the trick: everybody else has passed", "plays", public="{player} wins the trick."
    ),
    f.LeadNamed: Say("section 2, 3; MM-7", "{player} leads next ({why})"),
    f.RunReached: Say(
        "MM-9",
        lambda state, fact: (
            f"{_name(state, fact)} has played three times in a row: "
            f'hl ruling "win {fact.player} WHY", or hl close ruling'
        ),
    ),
    f.WentOut: Say(
        "section 2, 4; MM-8 to MM-11",
        lambda state, fact: f"{_name(state, fact)} is out: {_worth(fact)} ({fact.why})",
        "points",
        public=lambda state, fact: f"{_name(state, fact)} is out: {_worth(fact)}.",
    ),
    f.RoundEnded: Say(
        "section 2, 4; MM-5, MM-8",
        lambda state, fact: f"round {fact.round} is over; {_losers(state, fact)}",
        "points",
        public=lambda state, fact: f"Round {fact.round} is over. {_losers(state, fact)}.",
    ),
    f.RoundReopened: Say(HOST_POWERS, "round {round} goes on; nobody is a Total Loser yet"),
    f.RoundBegan: Say("MM-24", "round {round} begins: draw the Banker, then deal"),
    table_facts.PhaseEnded: Say("section 2"),
    table_facts.PhaseBegan: Say(
        "section 2",
        public=lambda state, fact: {"real": "The Real Match begins.", "finished": "The match is over."}.get(fact.phase),
    ),
    table_facts.DecisionOpened: Say(
        "season S-2 to S-4",
        owner=lambda state, fact, viewer: (
            f"Your last play was not beaten: name who leads, {state.table.one_of(fact.decision.among)}."
        ),
    ),
    table_facts.DeadlineMoved: Say(
        HOST_POWERS, line=lambda state, fact: "plays" if fact.about is None else COURSE, public=_deadline
    ),
}
"""Of the table's facts, what is worded otherwise here."""
