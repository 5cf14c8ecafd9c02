"""What to tell whom after an entry: the news for that player, and where he stands now."""

from __future__ import annotations

from collections.abc import Iterable

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import read_instant
from games.contract import Fact
from games.equilibrium import facts as f
from games.equilibrium.report import in_short, report, standing_now
from games.equilibrium.state import State
from games.equilibrium.view import news, result, view
from games.kit.blocks import Block, When, items
from games.kit.tell import sentences
from games.table import BANK
from games.table import facts as told
from games.table.view import frame


def tell(state: State, facts: Iterable[Fact], viewer: str) -> list[Block]:
    """The notice for one viewer, empty when these facts are not for him. Source: section 9, after each trade.

    A host is told where every player stands whom the facts have changed.
    """
    facts = tuple(facts)
    if viewer == HOST_VIEWER:
        touched = dict.fromkeys(p for fact in facts for p in _changed(fact))
        rows = view(state, HOST_VIEWER).players
        return [items(*(in_short(p, rows[p]) for p in touched))] if touched else []
    lines = sentences(news, state, facts, viewer)
    if not lines:
        return []
    shown = view(state, viewer)
    mine = (shown.players or {}).get(viewer)
    timed = any(_has_an_end(fact, viewer) for fact in facts)
    until = [("Until ", When(read_instant(shown.ends)), ".")] if timed and shown.ends else []
    called = frame(state.table, "Equilibrium", viewer)
    blocks = [items(*lines, *until), *(standing_now(called, mine) if mine is not None else [])]
    if viewer == PUBLIC_VIEWER and any(isinstance(fact, told.PhaseBegan) for fact in facts) and state.over:
        blocks += report(called, shown, result(state, viewer))
    return blocks


def _has_an_end(fact: Fact, viewer: str) -> bool:
    """Is it something that lasts until a time, which the viewer is told with it?"""
    match fact:
        case told.PhaseBegan(phase="trading") | told.Resumed():
            return viewer == PUBLIC_VIEWER
        case told.DecisionOpened():
            return viewer in fact.decision.who
        case _:
            return False


def _changed(fact: Fact) -> tuple[str, ...]:
    """The players whose hand or garnets a fact changes."""
    match fact:
        case f.Traded():
            return (fact.a, fact.b)
        case f.HandDealt() | f.HandSet() | f.Recoloured():
            return (fact.player,)
        case told.Moved():
            return tuple(p for p in (fact.src, fact.to) if p != BANK)
        case _:
            return ()
