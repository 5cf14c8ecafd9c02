"""View -> blocks. Cannot reach State or rules: what is not in the view cannot be said."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from games.contract import Frame, Result
from games.equilibrium.view import EquilibriumView, PlayerView
from games.kit.blocks import Block, Emoji, Heading, Items, Span, Strong, Table, items, text
from games.kit.poker import WORDS
from games.kit.tell import count
from games.records import ABSENT
from games.table.report import clock, decided, heading, tokens_and_elimination

PHASES = {
    "pregame": "The match has not begun: nothing but questions.",
    "trading": "Trading is open.",
    "deciding": "Trading is over; something is still to be decided.",
    "finished": "The match is over.",
}


def report(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    """The picture of the match for the viewer of the frame."""
    blocks: list[Block] = [heading(frame), _phase(frame, view)]
    if frame.viewer in frame.names and view.players:
        blocks += _mine(frame, view, view.players[frame.viewer])
    blocks += tokens_and_elimination(frame, result)
    blocks += decided(frame, result)
    others = {p: shown for p, shown in (view.players or {}).items() if p != frame.viewer}
    if frame.viewer == HOST_VIEWER:
        blocks += [_host_table(frame, view)]
    elif others:
        blocks += [Heading("The players", 2), _players(frame, view)]
    if view.votes:
        blocks.append(items(*(f"{frame.names[v]} named {frame.names.get(c, 'nobody')}" for v, c in view.votes.items())))
    return blocks


def _phase(frame: Frame, view: EquilibriumView) -> Block:
    until = "It ends" if view.phase == "trading" else "There is time for that until"
    spans: list[Span] = [PHASES[view.phase], *clock(view.paused, view.ends, until)]
    if view.locked is not ABSENT and view.phase == "trading":
        spans.append(f" Locked in: {view.locked} of {len(frame.names)}.")
    if view.trades_left is not ABSENT and frame.viewer == HOST_VIEWER and view.phase == "trading":
        spans.append(f" Trades left: {view.trades_left}.")
    return text(*spans)


def standing_now(frame: Frame, me: PlayerView, view: EquilibriumView) -> list[Block]:
    """A player's own hand and garnets, in two or three lines."""
    lines: list[str | tuple[Span, ...]] = []
    if me.hand:
        name = "" if me.class_ is ABSENT else f" · {WORDS[me.class_]}"
        lines.append(("Your hand: ", Strong(" ".join(me.hand)), name))
    elif me.class_:
        lines.append(f"Your hand: {WORDS[me.class_]}")
    if me.equilibrium is not ABSENT:
        lines.append(f"Equilibrium: difference {me.equilibrium}, total {me.total}")
    if me.garnets is not ABSENT:
        lines.append((Emoji(frame.emoji.get("garnet", "")), f"Garnets: {me.garnets}"))
    return [items(*lines)] if lines else []


def in_short(player: str, shown: PlayerView) -> str:
    """One player in one line, for the host's answer to a command."""
    hand = f"{' '.join(shown.hand)} ({WORDS[shown.class_]}), " if shown.hand else ""
    return f"{player}: {hand}{count(shown.garnets, 'garnet')}"


def _mine(frame: Frame, view: EquilibriumView, me: PlayerView) -> list[Block]:
    lines: list[str | tuple[Span, ...]] = []
    if me.earned:
        lines.append(f"Classes that count no more for you: {', '.join(WORDS[name] for name in me.earned)}")
    if me.traded_with is not ABSENT and me.hand:
        left = [p for p in frame.names if p != frame.viewer and p not in me.traded_with]
        lines.append(f"Traded with: {frame.named(me.traded_with)}")
        if view.phase == "trading":
            lines.append(f"Not yet traded with: {frame.named(left)}")
    if me.locked and view.phase == "trading":
        lines.append("You are locked in.")
    return [*standing_now(frame, me, view), *([items(*lines)] if lines else [])]


def _host_table(frame: Frame, view: EquilibriumView) -> Block:
    rows = []
    for player, shown in view.players.items():
        rows.append(
            (
                player,
                " ".join(shown.hand),
                WORDS.get(shown.class_, "") if shown.hand else "",
                f"{shown.equilibrium} / {shown.total}" if shown.hand else "",
                str(shown.garnets),
                " ".join(shown.traded_with),
                "locked" if shown.locked else "",
            )
        )
    return Table(("player", "hand", "class", "diff / total", "garnets", "traded with", ""), tuple(rows), numbers=(4,))


def _players(frame: Frame, view: EquilibriumView) -> Items:
    """One line a player, of what may be known: short lines survive a phone better than a wide table."""
    lines: list[tuple[Span, ...]] = []
    for player, shown in view.players.items():
        parts = []
        if shown.hand:
            parts.append(" ".join(shown.hand))
        if shown.class_:
            parts.append(WORDS[shown.class_])
        if shown.equilibrium is not ABSENT:
            parts.append(f"difference {shown.equilibrium}, total {shown.total}")
        if shown.garnets is not ABSENT:
            parts.append(count(shown.garnets, "garnet"))
        if shown.locked is not ABSENT and view.phase == "trading":
            parts.append("locked in" if shown.locked else "not locked in")
        if shown.earned and frame.viewer != player:
            parts.append(f"paid for {', '.join(WORDS[name] for name in shown.earned)}")
        if shown.traded_with and frame.viewer != player:
            parts.append(f"traded with {frame.named(shown.traded_with)}")
        if shown.dealt:
            parts.append(f"was dealt {' '.join(shown.dealt)}")
        if shown.recolours:
            parts.append(f"recoloured {count(shown.recolours, 'time')}")
        lines.append((Strong(frame.names[player]), " · " + " · ".join(parts)))
    return Items(tuple(lines))


def board(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    """Who holds what, as far as the viewer may know it."""
    if frame.viewer == HOST_VIEWER:
        return [Heading(f"{frame.title} · board"), _host_table(frame, view)]
    if not view.players:
        return [Heading(f"{frame.title} · board"), text("Hands are private while the match goes on.")]
    return [Heading(f"{frame.title} · board"), _players(frame, view)]


def scores(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    """The ranking by equilibrium, then poker hand: as far as the viewer may know it."""
    if not result.ranking:
        return [Heading(f"{frame.title} · scores"), text("The ranking is not public before the end.")]
    rows = []
    for place, player in result.places():
        shown = view.players[player]
        word = "" if shown.class_ is ABSENT else WORDS[shown.class_]
        total = "" if shown.total is ABSENT else str(shown.total)
        rows.append((str(place), frame.names[player], str(result.scores[player]), total, word))
    return [Heading(f"{frame.title} · scores"), Table(("#", "player", "diff", "total", "hand"), tuple(rows), (0, 2, 3))]
