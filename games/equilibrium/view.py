"""The views of a player and of the match. The marks are lines of the information table and say who may know what.

Source: section 9, EQ-6, EQ-17, EQ-23.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Annotated

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import HOSTS, OWN, VisibleTo
from games.equilibrium.cards import CLASSES, Hand, worth
from games.equilibrium.facts import State
from games.records import ABSENT

known = attrgetter("hands_known")
HELD = VisibleTo("own_hand", when=known)


class PlayerView(NamedTuple):
    hand: Annotated[Hand, HELD, VisibleTo("final_hands", after_end=True)] = ABSENT
    class_: Annotated[str, HELD, VisibleTo("final_classes", after_end=True)] = ABSENT
    equilibrium: Annotated[int, HELD, VisibleTo("final_er", after_end=True)] = ABSENT
    total: Annotated[int, HELD, VisibleTo("final_er", after_end=True)] = ABSENT
    garnets: Annotated[int, VisibleTo("own_garnets", when=known), VisibleTo("final_garnets", after_end=True)] = ABSENT
    earned: Annotated[
        tuple[str, ...],
        VisibleTo("earned", when=known),
        VisibleTo(("garnet_gained", "dealt_garnet"), mine=True, when=known),
    ] = ABSENT
    traded_with: Annotated[tuple[str, ...], VisibleTo("trades"), VisibleTo("trade_done", mine=True)] = ABSENT
    locked: Annotated[bool, VisibleTo(OWN), VisibleTo("locks")] = ABSENT
    dealt: Annotated[Hand, VisibleTo("dealt_hands", hosts=False, when=known)] = ABSENT
    recolours: Annotated[int, VisibleTo("recolours", hosts=False)] = ABSENT


class OfferView(NamedTuple):
    """An open offer of `a`."""

    a: str
    give: str
    b: str
    take: str


class EquilibriumView(NamedTuple):
    """Source: docs/json.md, view of equilibrium."""

    phase: str
    ends: Instant | None
    trades_left: Annotated[int, VisibleTo("trade_done", mine=True)] = ABSENT
    locked: Annotated[int, VisibleTo("locked_count")] = ABSENT
    offers: Annotated[tuple[OfferView, ...], VisibleTo(HOSTS)] = ABSENT
    players: Mapping[str, PlayerView] = ABSENT
    votes: Annotated[Mapping[str, str], VisibleTo("votes", each=True, hosts=False)] = ABSENT
    paused: bool = ABSENT
    """True while the clock is paused, otherwise absent."""


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    mine, ticked = viewer in (player, HOST_VIEWER), state.ticked.get(player, {})
    hand = state.hands.get(player)
    now = worth(hand, state.settings.er_metric) if hand else None
    return PlayerView(
        hand=state.hands.get(player, () if mine else ABSENT),
        class_=now.ranked.name if now else ABSENT,
        equilibrium=now.difference if now else ABSENT,
        total=now.total if now else ABSENT,
        garnets=state.table.garnets(player),
        earned=tuple(ticked if mine else sorted(ticked, key=CLASSES.index)),
        traded_with=state.partners(player),
        locked=player in state.locked,
        dealt=ABSENT if state.dealt is None else state.dealt.get(player, ABSENT),
        recolours=state.recolours.get(player, ABSENT),
    )


def of_match(state: State, viewer: str) -> Mapping[str, object]:
    """The complete view of the match, with the trades that the viewer can still make."""
    left = ABSENT if viewer == PUBLIC_VIEWER else len(state.may_trade_with(viewer))
    cast = state.table.votes.get("elimination", {})
    offers = state.offers if state.playing else {}
    return {
        "trades_left": state.trades_left() if viewer == HOST_VIEWER else left,
        "offers": tuple(OfferView(a, pledge.give, b, pledge.take) for (a, b), pledge in offers.items()),
        "locked": sum(p not in state.table.left for p in state.locked),
        "votes": {player: cast[player] for player in state.table.players if player in cast},
    }
