"""What to tell whom after an entry: the news for that audience, the reveal of a round, what a player has now."""

from __future__ import annotations

from collections.abc import Iterable

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import Fact
from games.kit.blocks import Block, items
from games.kit.sealed import RoundResolved, SheetSealed, SubmissionsClosed
from games.kit.tell import sentences
from games.polar import facts as f
from games.polar.report import in_short, report, rounds, standing_now
from games.polar.state import State
from games.polar.view import news, result, view
from games.table import facts as told
from games.table.view import frame

TITLE = "Polar RPS Party"


def tell(state: State, facts: Iterable[Fact], viewer: str) -> list[Block]:
    """The notice for one viewer, empty when these facts are not for him. Source: section 6."""
    facts = tuple(facts)
    resolved = [fact.round for fact in facts if isinstance(fact, RoundResolved)]
    if viewer == HOST_VIEWER:
        if not resolved and not any(isinstance(fact, (f.FieldSet, told.Moved)) for fact in facts):
            return []
        return [items(*(in_short(p, shown) for p, shown in view(state, HOST_VIEWER).players.items()))]
    lines = sentences(news, state, facts, viewer)
    if not lines and not (resolved and viewer in state.table.seats):
        return []
    called, shown = frame(state.table, TITLE, viewer), view(state, viewer)
    blocks: list[Block] = [items(*lines)] if lines else []
    if viewer in shown.players:
        if all(isinstance(fact, (SheetSealed, f.ItemVoid, SubmissionsClosed)) for fact in facts):
            return blocks
        return [*blocks, *standing_now(called, shown.players[viewer]._replace(invalid=()))]
    if viewer == PUBLIC_VIEWER and state.over and any(isinstance(fact, told.PhaseBegan) for fact in facts):
        return [*blocks, *report(called, shown, result(state, viewer))]
    return [*blocks, *(block for name in resolved for block in rounds(called, shown, name))]
