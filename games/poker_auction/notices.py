"""What to tell whom after an entry: the news for that audience, and where a player stands now."""

from __future__ import annotations

from collections.abc import Iterable

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.contract import Fact
from games.kit.blocks import Block, items
from games.kit.sealed import RoundResolved
from games.kit.tell import sentences
from games.poker_auction import facts as f
from games.poker_auction.report import in_short, report, standing_now
from games.poker_auction.state import State
from games.poker_auction.view import news, over, result, view
from games.table import facts as told
from games.table.view import frame


def _in_seat_order(state: State, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts with the powers by seat: in which order they were picked is nobody's (PA-18)."""
    seats = list(state.table.seats)
    powers = [fact for fact in facts if isinstance(fact, f.PowerTaken)]
    rest = tuple(fact for fact in facts if not isinstance(fact, f.PowerTaken))
    return (*sorted(powers, key=lambda fact: seats.index(fact.player)), *rest)


def tell(state: State, facts: Iterable[Fact], viewer: str) -> list[Block]:
    """The notice for one viewer, empty when these facts are not for him. Source: section 6."""
    facts = tuple(facts)
    if viewer == HOST_VIEWER:
        if not any(isinstance(fact, (RoundResolved, f.FieldSet, told.Moved)) for fact in facts):
            return []
        return [items(*(in_short(p, shown) for p, shown in view(state, HOST_VIEWER).players.items()))]
    lines = sentences(news, state, _in_seat_order(state, facts), viewer)
    resolved = any(isinstance(fact, RoundResolved) for fact in facts)
    if not lines and not (resolved and viewer in state.table.seats):
        return []
    called, shown = frame(state.table, "Poker Auction", viewer), view(state, viewer)
    blocks: list[Block] = [items(*lines)] if lines else []
    if viewer in shown.players:
        return [*blocks, *standing_now(called, shown.players[viewer])]
    if viewer == PUBLIC_VIEWER and over(state) and any(isinstance(fact, told.PhaseBegan) for fact in facts):
        blocks += report(called, shown, result(state, viewer))
    return blocks
