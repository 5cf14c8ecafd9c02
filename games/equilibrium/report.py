"""Reports of hands, trades and the ranking. From views alone."""

from __future__ import annotations

from collections.abc import Iterator

from events.audiences import HOST_VIEWER
from games.contract import ReportContext, Result
from games.equilibrium.view import EquilibriumView, PlayerView
from games.kinds import count
from games.kit.blocks import Block, Heading, Items, Line, Span, Strong, Table, items, listing, text
from games.kit.poker import WORDS
from games.records import ABSENT
from games.table.report import clock, decided, heading, own_garnets, phases_after, ranking, tokens_and_elimination

PHASES = {
    "pregame": "The match has not begun.",
    "trading": "Trading is open.",
    **phases_after("Trading"),
}


def report(frame: ReportContext, view: EquilibriumView, result: Result) -> list[Block]:
    players = view.players or {}
    blocks: list[Block] = [heading(frame), _phase(frame, view)]
    if frame.viewer in players:
        blocks += _mine(frame, view, players[frame.viewer])
    blocks += [*tokens_and_elimination(frame, result), *decided(frame, result)]
    if frame.viewer == HOST_VIEWER:
        names, offers = frame.names, view.offers or ()
        lines = (f"{names[a]} offers {names[b]} {give} for {take}" for a, give, b, take in offers)
        blocks += [_host_table(frame, view), *listing(lines, "Open offers")]
    elif set(players) - {frame.viewer}:
        blocks += [Heading("The players", 2), _players(frame, view)]
    if view.votes:
        blocks.append(items(*(f"{frame.names[v]} named {frame.names.get(c, 'nobody')}" for v, c in view.votes.items())))
    return blocks


def _phase(frame: ReportContext, view: EquilibriumView) -> Block:
    until = "It ends" if view.phase == "trading" else "There is time for that until"
    spans: list[Span] = [PHASES[view.phase], *clock(view.paused, view.ends, until)]
    if view.locked is not ABSENT and view.phase == "trading":
        spans.append(f" Locked in: {view.locked} of {len(frame.present)}.")
    if view.trades_left is not ABSENT and frame.viewer == HOST_VIEWER and view.phase == "trading":
        spans.append(f" Trades left: {view.trades_left}.")
    return text(*spans)


def standing_now(frame: ReportContext, me: PlayerView, view: EquilibriumView) -> list[Line]:
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


def _mine(frame: ReportContext, view: EquilibriumView, me: PlayerView) -> list[Block]:
    lines: list[Line] = []
    if me.earned:
        lines.append(f"You earn no more garnets for: {', '.join(WORDS[name] for name in me.earned)}")
    if me.traded_with is not ABSENT and me.hand:
        lines.append(f"Traded with: {frame.named(me.traded_with)}")
        if view.phase == "trading":
            able = [p for p in frame.present if p != frame.viewer and p not in me.traded_with]
            lines.append(f"Not yet traded with: {frame.named(able)}")
    if me.locked and view.phase == "trading":
        lines.append("You are locked in.")
    return [*listing(standing_now(frame, me, view)), *listing(lines)]


def _host_table(frame: ReportContext, view: EquilibriumView) -> Block:
    rows = tuple(
        (
            frame.row(player),
            " ".join(row.hand),
            WORDS[row.class_] if row.hand else "",
            f"{row.equilibrium} / {row.total}" if row.hand else "",
            str(row.garnets),
            " ".join(row.traded_with),
            "yes" if row.locked else "",
        )
        for player, row in view.players.items()
    )
    return Table(("player", "hand", "class", "diff / total", "garnets", "traded with", "locked"), rows, numbers=(4,))


def _players(frame: ReportContext, view: EquilibriumView) -> Items:
    """A line for each player with what may be known: short lines read better on a phone than a wide table."""
    return items(*((Strong(frame.names[p]), f" · {' · '.join(_known(frame, view, p))}") for p in view.players))


def _known(frame: ReportContext, view: EquilibriumView, player: str) -> Iterator[str]:
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


def board(frame: ReportContext, view: EquilibriumView, result: Result) -> list[Block]:
    if frame.viewer == HOST_VIEWER:
        block: Block = _host_table(frame, view)
    else:
        block = _players(frame, view) if view.players else text("Hands are private while the match goes on.")
    return [Heading(f"{frame.title} · board"), block]


def scores(frame: ReportContext, view: EquilibriumView, result: Result) -> list[Block]:
    def cells(player: str) -> Iterator[str]:
        row = view.players[player]
        yield str(result.scores[player])
        yield "" if row.total is ABSENT else str(row.total)
        yield "" if row.class_ is ABSENT else WORDS[row.class_]

    return ranking(frame, result, ("diff", "total", "hand"), cells, numbers=(0, 2, 3))
