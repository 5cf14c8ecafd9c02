"""What to tell whom after an entry: the news for that audience, the round that was resolved, where a player stands."""

from __future__ import annotations

from collections.abc import Iterable

from events.audiences import HOST_VIEWER
from games.contract import Fact
from games.hex_parties import facts as f
from games.hex_parties.report import in_short, report, round_blocks, standing_now
from games.hex_parties.state import State
from games.hex_parties.view import news, result, view
from games.kit.blocks import Block, items
from games.kit.sealed import RoundResolved
from games.kit.tell import sentences
from games.table import facts as told
from games.table.view import frame

TITLE = "Hex Parties"


def tell(state: State, facts: Iterable[Fact], viewer: str) -> list[Block]:
    """The notice for one viewer, empty when these facts are not for him. Source: section 6."""
    facts = tuple(facts)
    resolved = any(isinstance(fact, RoundResolved) for fact in facts)
    changed = resolved or any(isinstance(fact, (f.FieldSet, told.Moved)) for fact in facts)
    if viewer == HOST_VIEWER:
        players = view(state, HOST_VIEWER).players if changed else {}
        return [items(*(in_short(p, shown) for p, shown in players.items()))] if players else []
    lines = sentences(news, state, facts, viewer)
    blocks: list[Block] = [items(*lines)] if lines else []
    if not (lines or resolved):
        return []
    called, shown = frame(state.table, TITLE, viewer), view(state, viewer)
    if viewer in shown.players:
        mine = resolved or (changed and bool(lines))
        return [*blocks, *(standing_now(called, shown.players[viewer], shown.phase) if mine else [])]
    if state.over and any(isinstance(fact, told.PhaseBegan) for fact in facts):
        return [*blocks, *report(called, shown, result(state, viewer))]
    return [*blocks, *(round_blocks(called, shown.rounds[-1]) if resolved and shown.rounds else [])]
