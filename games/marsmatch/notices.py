"""What to tell whom after an entry: plays and turns to everybody, his hand to the player who was dealt it."""

from __future__ import annotations

from collections.abc import Iterable

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import Fact
from games.kit.blocks import Block, Strong, When, items
from games.kit.tell import News, count, sentences
from games.marsmatch import facts as f
from games.marsmatch.cards import EMPTY, compact
from games.marsmatch.cards import count as as_hand
from games.marsmatch.names import called
from games.marsmatch.report import report
from games.marsmatch.state import State
from games.marsmatch.titles import HEAVENLY, TITLES
from games.marsmatch.view import may, result, view
from games.table import facts as told
from games.table.view import frame, shared_news

TITLE = "MarsMatch"


def tell(state: State, facts: Iterable[Fact], viewer: str) -> list[Block]:
    """The notice for one viewer, empty when these facts are not for him. Source: section 5."""
    facts = tuple(facts)
    if viewer == HOST_VIEWER:
        return _for_hosts(state, facts)
    lines = sentences(news, state, facts, viewer)
    if not lines:
        return []
    blocks: list[Block] = [items(*lines)]
    ended = any(isinstance(fact, told.PhaseBegan) and fact.phase == "finished" for fact in facts)
    if viewer == PUBLIC_VIEWER and ended:
        blocks += report(frame(state.table, TITLE, viewer), view(state, viewer), result(state, viewer))
    return blocks


def _for_hosts(state: State, facts: tuple[Fact, ...]) -> list[Block]:
    """How many cards those hold who played, and whose turn it is."""
    told_of = [fact.player for fact in facts if isinstance(fact, (f.Played, f.FieldSet))]
    lines = [f"{p}: {count(sum(state.hands.get(p, ())), 'card')} left" for p in dict.fromkeys(told_of)]
    if state.playing and state.turn is not None and any(isinstance(fact, f.TurnBegan) for fact in facts):
        lines.append(f"{state.turn} {'leads' if state.trick is None else 'plays or passes'}")
    return [items(*lines)] if lines else []


def news(state: State, fact: Fact, viewer: str) -> News:
    """A fact in a sentence for `viewer`, or None when it is not for him. Source: section 5."""
    name, public = state.table.name, viewer == PUBLIC_VIEWER
    match fact:
        case f.HandDealt() if viewer == fact.player and may(state, "own_hand", viewer, viewer):
            return ("Your hand: ", Strong(compact(as_hand(fact.cards))), ".")
        case f.FieldSet(field="hand") if viewer == fact.player and may(state, "own_hand", viewer, viewer):
            return ("A host corrected your hand: ", Strong(compact(state.hands.get(viewer, EMPTY))), ".")
        case f.BankerDrawn() if public:
            return f"{name(fact.banker)} is Banker. Clockwise: {', '.join(name(p) for p in fact.seats)}."
        case f.CardsDealt() if public:
            return "The cards are dealt."
        case f.HeavenlyWon() if public and may(state, "heavenly_hands", viewer):
            called_, cards = HEAVENLY[fact.hand]
            return f"{name(fact.player)} shows a {called_} ({cards}): {TITLES[fact.title].name}, {fact.points} points."
        case f.Played() if public and may(state, "plays", viewer):
            left = sum(state.hands.get(fact.player, ()))
            late = "Time is over: " if fact.automatic else ""
            said = f" ({called(fact.reading)})."
            size = f" {count(left, 'card')} left." if may(state, "hand_sizes", viewer) else ""
            return (f"{late}{name(fact.player)} plays ", Strong(" ".join(fact.cards)), said + size)
        case f.Passed() if public and may(state, "plays", viewer):
            return f"{'Time is over: ' if fact.automatic else ''}{name(fact.player)} passes."
        case f.TrickWon() if public and may(state, "plays", viewer):
            return f"{name(fact.player)} wins the trick."
        case f.TurnBegan() if public and may(state, "plays", viewer):
            until = (", until ", When(fact.ends)) if fact.ends is not None else ()
            return (f"{name(fact.player)} {'leads' if fact.leads else 'is next'}", *until, ".")
        case f.WentOut() if public and may(state, "points", viewer):
            return f"{name(fact.player)} is out: {TITLES[fact.title].name}, {count(fact.points, 'point')}."
        case f.RoundEnded() if public and may(state, "points", viewer):
            return f"Round {fact.round} is over. {_losers(state, fact)}"
        case f.FieldSet(field="points" | "title") if public and may(state, "points", viewer):
            now = TITLES[fact.value].name if fact.value in TITLES else fact.value  # type: ignore[index]
            what = f"{fact.value} points" if fact.field == "points" else now if now != "none" else "no title"
            return f"A host corrected the score: {name(fact.player)} has {what}."
        case told.Moved() if viewer in (fact.src, fact.to):
            return f"You {'received' if fact.to == viewer else 'lost'} {count(fact.garnets, 'garnet')}."
        case told.PhaseBegan(phase="real") if public:
            return "The Real Match begins."
        case told.PhaseBegan(phase="finished") if public:
            return "The match is over."
        case told.DecisionOpened() if viewer in fact.decision.who and may(state, "plays", viewer):
            return f"Your last play was not beaten: name who leads, one of {state.table.named(fact.decision.among)}."
        case told.DeadlineMoved(about=None, ends=int(end)) if public:
            return ("The time of this turn now ends ", When(end), ".") if may(state, "plays", viewer) else None
        case _:
            return shared_news(state.table, fact, viewer)


def _losers(state: State, fact: f.RoundEnded) -> str:
    """Who is a Total Loser."""
    if not fact.losers:
        return "Nobody is a Total Loser."
    return f"Total Loser{'s' if len(fact.losers) > 1 else ''}: {state.table.named(fact.losers)}."
