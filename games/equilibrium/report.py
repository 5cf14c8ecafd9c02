"""View -> blocks. Cannot reach State or rules: what is not in the view cannot be said."""

from __future__ import annotations

from collections.abc import Iterator

from events.audiences import HOST_VIEWER
from games.contract import Frame, Result
from games.equilibrium.view import EquilibriumView, PlayerView
from games.kit.blocks import Block, Heading, Items, Line, Span, Strong, Table, items, listing, text
from games.kit.poker import WORDS
from games.kit.tell import count
from games.parts.pages import strong_rows
from games.records import ABSENT
from games.table.report import clock, decided, heading, own_garnets, tokens_and_elimination

PHASES = {
    "pregame": "The match has not begun: nothing but questions.",
    "trading": "Trading is open.",
    "deciding": "Trading is over; something is still to be decided.",
    "finished": "The match is over.",
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


def in_short(player: str, shown: PlayerView) -> str:
    hand = f"{' '.join(shown.hand)} ({WORDS[shown.class_]}), " if shown.hand else ""
    return f"{player}: {hand}{count(shown.garnets, 'garnet')}"


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
            " ".join(shown.hand),
            WORDS[shown.class_] if shown.hand else "",
            f"{shown.equilibrium} / {shown.total}" if shown.hand else "",
            str(shown.garnets),
            " ".join(shown.traded_with),
            "locked" if shown.locked else "",
        )
        for player, shown in view.players.items()
    )
    return Table(("player", "hand", "class", "diff / total", "garnets", "traded with", ""), rows, numbers=(4,))


def _players(frame: Frame, view: EquilibriumView) -> Items:
    """One line a player, of what may be known: short lines survive a phone better than a wide table."""
    rows = {player: " · ".join(_known(frame, view, player)) for player in view.players}
    return strong_rows(frame, rows)


def _known(frame: Frame, view: EquilibriumView, player: str) -> Iterator[str]:
    """What may be known of one player, in words."""
    shown, another = view.players[player], frame.viewer != player
    if shown.hand:
        yield " ".join(shown.hand)
    if shown.class_:
        yield WORDS[shown.class_]
    if shown.equilibrium is not ABSENT:
        yield f"difference {shown.equilibrium}, total {shown.total}"
    if shown.garnets is not ABSENT:
        yield count(shown.garnets, "garnet")
    if shown.locked is not ABSENT and view.phase == "trading":
        yield "locked in" if shown.locked else "not locked in"
    if shown.earned and another:
        yield f"paid for {', '.join(WORDS[name] for name in shown.earned)}"
    if shown.traded_with and another:
        yield f"traded with {frame.named(shown.traded_with)}"
    if shown.dealt:
        yield f"was dealt {' '.join(shown.dealt)}"
    if shown.recolours:
        yield f"recoloured {count(shown.recolours, 'time')}"


def board(frame: Frame, view: EquilibriumView, result: Result) -> list[Block]:
    if frame.viewer == HOST_VIEWER:
        shown: Block = _host_table(frame, view)
    else:
        shown = _players(frame, view) if view.players else text("Hands are private while the match goes on.")
    return [Heading(f"{frame.title} · board"), shown]


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
