"""What is said of each fact, and to whom: one row a fact. Source: section 5."""

from __future__ import annotations

from typing import Any

from events.audiences import PUBLIC_VIEWER
from games.contract import COURSE, LEFT, Fact, FactSpec, News
from games.kinds import count
from games.kit.blocks import Strong, When
from games.marsmatch import facts as f
from games.marsmatch.cards import compact
from games.marsmatch.cards import count as as_hand
from games.marsmatch.names import called
from games.marsmatch.facts import State
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


def _name(fact: Any, state: State) -> str:
    return state.table.name(fact.player)


def _worth(fact: f.HeavenlyWon | f.WentOut) -> str:
    return f"{TITLES[fact.title].name}, {count(fact.points, 'point')}"


def _shows(fact: f.HeavenlyWon, state: State) -> News:
    hand, cards = HEAVENLY[fact.hand]
    return f"{_name(fact, state)} shows a {hand} ({cards}): {_worth(fact)}."


def _drawn(fact: f.BankerDrawn, state: State, clockwise: str) -> str:
    name = state.table.name
    return f"{name(fact.banker)} is Banker{clockwise}: {', '.join(map(name, fact.seats))}"


def _next(fact: f.TurnBegan, state: State) -> str:
    return f"{_name(fact, state)} {'leads' if fact.leads else 'is next'}"


def _turn(fact: f.TurnBegan, state: State) -> News:
    return (_next(fact, state), *((", until ", When(fact.ends)) if fact.ends is not None else ()), ".")


def _plays(fact: f.Played, state: State) -> str:
    late = " because the time was over (MM-25)" if fact.automatic else ""
    return f"{_name(fact, state)} plays {' '.join(fact.cards)}: {called(fact.reading)}; {fact.why}{late}"


def _played(fact: f.Played, state: State) -> News:
    late, left = "Time is over: " if fact.automatic else "", sum(state.hands.get(fact.player, ()))
    size = f" {count(left, 'card')} left." if may(state, "hand_sizes", PUBLIC_VIEWER) else ""
    return (f"{late}{_name(fact, state)} plays ", Strong(" ".join(fact.cards)), f" ({called(fact.reading)}).{size}")


def _losers(fact: f.RoundEnded, state: State) -> str:
    losers = f"Total Loser{'s' if len(fact.losers) > 1 else ''}: {state.table.named(fact.losers)}"
    return losers if fact.losers else "Nobody is a Total Loser"


def _deadline(fact: table_facts.DeadlineMoved, state: State) -> News:
    what = "time of this turn now ends" if fact.about is None else "end is now"
    return None if fact.ends is None else (f"The {what} ", When(fact.ends), ".")


SAYS: Mapping[type, FactSpec] = {
    f.BankerDrawn: FactSpec(
        "section 2, 1; MM-6",
        lambda fact, state: _drawn(fact, state, "; clockwise"),
        COURSE,
        public=lambda fact, state: f"{_drawn(fact, state, '. Clockwise')}.",
    ),
    HandDealt: FactSpec(
        "section 1",
        lambda fact, state: f"{_name(fact, state)} is dealt {count(len(fact.cards), 'card')}",
        "own_hand",
        lambda fact, state, viewer: ("Your hand: ", Strong(compact(as_hand(fact.cards))), "."),
    ),
    CardsDealt: FactSpec("section 1", "the cards of this round are dealt", COURSE, public="The cards are dealt."),
    f.HeavenlyWon: FactSpec(
        "section 2, 2; MM-1 to MM-4",
        lambda fact, state: f"{_name(fact, state)} holds a {HEAVENLY[fact.hand][0]}: {_worth(fact)}",
        "heavenly_hands",
        public=_shows,
    ),
    f.TurnBegan: FactSpec("section 2, 3", _next, "plays", public=_turn),
    f.Played: FactSpec("section 3, Beats", _plays, "plays", public=_played),
    f.Passed: FactSpec(
        lambda fact, state: "MM-25" if fact.automatic else "section 2, 3; MM-19, MM-20",
        lambda fact, state: f"{_name(fact, state)} passes{' because the time was over' if fact.automatic else ''}",
        "plays",
        public=lambda fact, state: f"{'Time is over: ' if fact.automatic else ''}{_name(fact, state)} passes.",
    ),
    f.TrickWon: FactSpec(
        "section 2, 3", "{player} wins the trick: everybody else has passed", "plays", public="{player} wins the trick."
    ),
    f.LeadNamed: FactSpec("section 2, 3; MM-7", "{player} leads next ({why})"),
    f.RunReached: FactSpec(
        "MM-9",
        lambda fact, state: (
            f"{_name(fact, state)} has played three times in a row: "
            f'hl ruling "win {fact.player} WHY", or hl close ruling'
        ),
    ),
    f.WentOut: FactSpec(
        "section 2, 4; MM-8 to MM-11",
        lambda fact, state: f"{_name(fact, state)} is out: {_worth(fact)} ({fact.why})",
        "points",
        public=lambda fact, state: f"{_name(fact, state)} is out: {_worth(fact)}.",
    ),
    f.RoundEnded: FactSpec(
        "section 2, 4; MM-5, MM-8",
        lambda fact, state: f"round {fact.round} is over; {_losers(fact, state)}",
        "points",
        public=lambda fact, state: f"Round {fact.round} is over. {_losers(fact, state)}.",
    ),
    f.RoundReopened: FactSpec(HOST_POWERS, "round {round} goes on; nobody is a Total Loser yet"),
    f.RoundBegan: FactSpec("MM-24", "round {round} begins: draw the Banker, then deal"),
    table_facts.PhaseEnded: FactSpec("section 2"),
    table_facts.PhaseBegan: FactSpec(
        "section 2",
        public=lambda fact, state: {"real": "The Real Match begins.", "finished": "The match is over."}.get(fact.phase),
    ),
    table_facts.DecisionOpened: FactSpec(
        "season S-2 to S-4",
        owner=lambda fact, state, viewer: (
            f"Your last play was not beaten: name who leads, {state.table.one_of(fact.decision.among)}."
        ),
    ),
    table_facts.DeadlineMoved: FactSpec(
        HOST_POWERS, line=lambda fact, state: "plays" if fact.about is None else COURSE, public=_deadline
    ),
}
"""Of the table's facts, what is worded otherwise here."""
