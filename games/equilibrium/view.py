"""What there is to know of a player and of the match, and the reports made of it.

The marks say who may know a datum: lines of the information table. Reports are made from views alone.
Source: section 9, EQ-6, EQ-17, EQ-23.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Annotated, Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import OWN, Frame, Result, VisibleTo
from games.equilibrium.cards import CLASSES, Hand, worth
from games.equilibrium.facts import State
from games.kinds import count
from games.kit.blocks import Block, Heading, Items, Line, Span, Strong, Table, items, listing, text
from games.kit.poker import WORDS
from games.records import ABSENT
from games.table.report import clock, decided, heading, own_garnets, phases_after, ranking, tokens_and_elimination

known = attrgetter("hands_known")
"""May players know what they were dealt, and what it paid?"""
HELD = VisibleTo("own_hand", when=known)


class PlayerView(NamedTuple):
    hand: Annotated[Hand, HELD, VisibleTo("final_hands", after_end=True)] = ABSENT
    class_: Annotated[str, HELD, VisibleTo("final_classes", after_end=True)] = ABSENT
    equilibrium: Annotated[int, HELD, VisibleTo("final_er", after_end=True)] = ABSENT
    total: Annotated[int, HELD, VisibleTo("final_er", after_end=True)] = ABSENT
    garnets: Annotated[int, VisibleTo("own_garnets", when=known), VisibleTo("final_garnets", after_end=True)] = ABSENT
    earned: Annotated[tuple[str, ...], VisibleTo("earned", when=known), VisibleTo("garnet_gained", mine=True, when=known)] = (
        ABSENT
    )
    traded_with: Annotated[tuple[str, ...], VisibleTo("trades"), VisibleTo("trade_done", mine=True)] = ABSENT
    locked: Annotated[bool, VisibleTo(OWN), VisibleTo("locks")] = ABSENT
    dealt: Annotated[Hand, VisibleTo("dealt_hands", hosts=False, when=known)] = ABSENT
    recolours: Annotated[int, VisibleTo("recolours", hosts=False)] = ABSENT


class EquilibriumView(NamedTuple):
    """Source: docs/json.md, view of equilibrium."""

    phase: str
    ends: Instant | None
    trades_left: Annotated[int, VisibleTo("trade_done", mine=True)] = ABSENT
    locked: Annotated[int, VisibleTo("locked_count")] = ABSENT
    players: Mapping[str, PlayerView] = ABSENT
    votes: Annotated[Mapping[str, str], VisibleTo("votes", each=True, hosts=False)] = ABSENT
    paused: bool = ABSENT
    """There, and true, while the clock stands still: then nothing ends by itself."""


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    mine, ticked = viewer in (player, HOST_VIEWER), state.ticked.get(player, {})
    now = worth(state.hands[player], state.settings.er_metric) if state.hands.get(player) else None
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


def of_match(state: State, viewer: str) -> Mapping[str, Any]:
    """All there is to the match; of trades, those that the viewer may still make."""
    left = ABSENT if viewer == PUBLIC_VIEWER else len(state.may_trade_with(viewer))
    cast = state.table.votes.get("elimination", {})
    return {
        "trades_left": state.trades_left() if viewer == HOST_VIEWER else left,
        "locked": sum(p not in state.table.left for p in state.locked),
        "votes": {player: cast[player] for player in state.table.players if player in cast},
    }


# ---- reports -----------------------------------------------------------------------------------------------------

PHASES = {
    "pregame": "The match has not begun: nothing but questions.",
    "trading": "Trading is open.",
    **phases_after("Trading"),
}


def report(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    players = view.players or {}
    blocks: list[Block] = [heading(frame), _phase(frame, view)]
    if frame.viewer in players:
        blocks += _mine(frame, view, players[frame.viewer])
    blocks += [*tokens_and_elimination(frame, result), *decided(frame, result)]
    if frame.viewer == HOST_VIEWER:
        blocks.append(_host_table(frame, view))
    elif set(players) - {frame.viewer}:
        blocks += [Heading("The players", 2), _players(frame, view)]
    if view.votes:
        blocks.append(items(*(f"{frame.names[v]} named {frame.names.get(c, 'nobody')}" for v, c in view.votes.items())))
    return blocks


def _phase(frame: Frame, view: EquilibriumView) -> Block:
    until = "It ends" if view.phase == "trading" else "There is time for that until"
    spans: list[Span] = [PHASES[view.phase], *clock(view.paused, view.ends, until)]
    if view.locked is not ABSENT and view.phase == "trading":
        spans.append(f" Locked in: {view.locked} of {len(frame.present)}.")
    if view.trades_left is not ABSENT and frame.viewer == HOST_VIEWER and view.phase == "trading":
        spans.append(f" Trades left: {view.trades_left}.")
    return text(*spans)


def standing_now(frame: Frame, me: PlayerView, view: EquilibriumView) -> list[Line]:
    """A player's own hand and garnets, in two or three lines."""
    lines: list[Line] = []
    if me.hand:
        name = "" if me.class_ is ABSENT else f" · {WORDS[me.class_]}"
        lines.append(("Your hand: ", Strong(" ".join(me.hand)), name))
    elif me.class_:
        lines.append(f"Your hand: {WORDS[me.class_]}")
    if me.equilibrium is not ABSENT:
        lines.append(f"Equilibrium: difference {me.equilibrium}, total {me.total}")
    return [*lines, *own_garnets(frame, me.garnets)]


def in_short(player: str, row: PlayerView) -> str:
    hand = f"{' '.join(row.hand)} ({WORDS[row.class_]}), " if row.hand else ""
    return f"{player}: {hand}{count(row.garnets, 'garnet')}"


def _mine(frame: Frame, view: EquilibriumView, me: PlayerView) -> list[Block]:
    lines: list[Line] = []
    if me.earned:
        lines.append(f"Classes that count no more for you: {', '.join(WORDS[name] for name in me.earned)}")
    if me.traded_with is not ABSENT and me.hand:
        lines.append(f"Traded with: {frame.named(me.traded_with)}")
        if view.phase == "trading":
            able = [p for p in frame.present if p != frame.viewer and p not in me.traded_with]
            lines.append(f"Not yet traded with: {frame.named(able)}")
    if me.locked and view.phase == "trading":
        lines.append("You are locked in.")
    return [*listing(standing_now(frame, me, view)), *listing(lines)]


def _host_table(frame: Frame, view: EquilibriumView) -> Block:
    rows = tuple(
        (
            frame.row(player),
            " ".join(row.hand),
            WORDS[row.class_] if row.hand else "",
            f"{row.equilibrium} / {row.total}" if row.hand else "",
            str(row.garnets),
            " ".join(row.traded_with),
            "locked" if row.locked else "",
        )
        for player, row in view.players.items()
    )
    return Table(("player", "hand", "class", "diff / total", "garnets", "traded with", ""), rows, numbers=(4,))


def _players(frame: Frame, view: EquilibriumView) -> Items:
    """One line a player, of what may be known: short lines survive a phone better than a wide table."""
    return items(*((Strong(frame.names[p]), f" · {' · '.join(_known(frame, view, p))}") for p in view.players))


def _known(frame: Frame, view: EquilibriumView, player: str) -> Iterator[str]:
    row, is_other = view.players[player], frame.viewer != player
    if row.hand:
        yield " ".join(row.hand)
    if row.class_:
        yield WORDS[row.class_]
    if row.equilibrium is not ABSENT:
        yield f"difference {row.equilibrium}, total {row.total}"
    if row.garnets is not ABSENT:
        yield count(row.garnets, "garnet")
    if row.locked is not ABSENT and view.phase == "trading":
        yield "locked in" if row.locked else "not locked in"
    if row.earned and is_other:
        yield f"paid for {', '.join(WORDS[name] for name in row.earned)}"
    if row.traded_with and is_other:
        yield f"traded with {frame.named(row.traded_with)}"
    if row.dealt:
        yield f"was dealt {' '.join(row.dealt)}"
    if row.recolours:
        yield f"recoloured {count(row.recolours, 'time')}"


def board(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    if frame.viewer == HOST_VIEWER:
        block: Block = _host_table(frame, view)
    else:
        block = _players(frame, view) if view.players else text("Hands are private while the match goes on.")
    return [Heading(f"{frame.title} · board"), block]


def scores(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    """The ranking by equilibrium, then poker hand."""

    def cells(player: str) -> Iterator[str]:
        row = view.players[player]
        yield str(result.scores[player])
        yield "" if row.total is ABSENT else str(row.total)
        yield "" if row.class_ is ABSENT else WORDS[row.class_]

    return ranking(frame, result, ("diff", "total", "hand"), cells, numbers=(0, 2, 3))
