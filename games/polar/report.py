"""View -> blocks. Cannot reach State or rules: what is not in the view cannot be said."""

from __future__ import annotations

from collections.abc import Mapping

from events.audiences import HOST_VIEWER
from events.instants import read_instant
from games.contract import Frame, Result
from games.kit.blocks import Block, Chart, Emoji, Heading, Items, Series, Span, Strong, Table, When, items, text
from games.kit.tell import count
from games.polar.view import PlayerView, PolarView, RoundView
from games.records import ABSENT
from games.table.report import decided, heading, tokens_and_elimination

PHASES = {
    "pregame": "The pregame: choose a room, a sign and two bombs.",
    "deciding": "The last round is over; something is still to be decided.",
    "finished": "The match is over.",
}


def report(frame: Frame, view: PolarView, result: Result) -> list[Block]:
    """The picture of the match for the viewer of the frame."""
    blocks: list[Block] = [heading(frame), _phase(view, result)]
    if frame.viewer in frame.names:
        blocks += standing_now(frame, view.players[frame.viewer])
        if view.submitted is not ABSENT:
            blocks.append(text("Your sheet for this round is in." if view.submitted else "Nothing is in from you yet."))
    if frame.viewer == HOST_VIEWER:
        blocks.append(_host_table(view))
    if view.rounds:
        blocks += round_blocks(frame, view.rounds[-1])
    elif view.begin:
        blocks += round_blocks(frame, view.begin)
    blocks += scoreboard(frame, view)
    return [*blocks, *tokens_and_elimination(frame, result), *decided(frame, result)]


def _phase(view: PolarView, result: Result) -> Block:
    if result.status == "setup":
        return text("The match has not begun.")
    spans: list[Span] = [PHASES.get(view.phase, f"Round {view.round} of {view.of}: submit a sheet.")]
    if view.closed:
        spans.append(" Submissions have ended; it waits to be resolved.")
    if view.paused:
        spans.append(" The clock is paused.")
    if view.ends is not None:
        spans += [" It ends ", When(read_instant(view.ends)), "."]
    return text(*spans)


def standing_now(frame: Frame, me: PlayerView) -> list[Block]:
    """What a player has: where he is, his inventory, garnets, what counted for nothing, where he may talk."""
    lines: list[str | tuple[Span, ...]] = []
    if me.room is not ABSENT and me.room is not None:
        lines.append(("You are in ", Strong(me.room.title()), *((f" with {me.sign}",) if me.sign else ())))
    have = [count(n, what) for n, what in ((me.tickets, "ticket"), (me.swaps, "sign swap")) if n is not ABSENT]
    if me.bombs is not ABSENT:
        have.append(_bombs(me.bombs) or "no bombs")
    if have:
        lines.append(f"You have: {', '.join(have)}")
    if me.garnets is not ABSENT:
        lines.append((Emoji(frame.emoji.get("garnet", "")), f"Garnets: {me.garnets}"))
    if me.prices:
        told = ", ".join(f"{_priced(kind)} {n}" for kind, n in me.prices.items())
        lines.append(f"Your next purchase costs, in garnets: {told}")
    if me.channels:
        lines.append(f"You may talk in: {', '.join(room.title() for room in me.channels)}")
    blocks: list[Block] = [items(*lines)] if lines else []
    if me.invalid:
        blocks += [text("Of your last sheet this counted for nothing:"), items(*me.invalid)]
    return blocks


def _priced(kind: str) -> str:
    return {"ticket": "a ticket", "swap": "a sign swap", "bomb": "a bomb of any type"}[kind]


def _bombs(bombs: Mapping[str, int]) -> str:
    """`2 Confetti Bombs, 1 Double Bomb`."""
    return ", ".join(count(n, f"{bomb.title()} Bomb") for bomb, n in bombs.items())


def round_blocks(frame: Frame, round_: RoundView) -> list[Block]:
    """Where everybody is, with signs; which bombs were used on which room, without their users."""
    title = f"Round {round_.round}" if round_.round else "The start"
    lines: list[tuple[Span, ...]] = []
    for room, there in (round_.rooms or {}).items():
        signs = round_.signs or {}
        who = ", ".join(f"{frame.names[p]} {signs[p]}" if p in signs else frame.names[p] for p in there) or "nobody"
        used = _bombs(round_.bombs.get(room, {})) if round_.bombs else ""
        lines.append((Strong(room.title()), f": {who}", *((f" · {used}",) if used else ())))
    if not lines and round_.bombs:
        lines = [(Strong(room.title()), f": {_bombs(bombs)}") for room, bombs in round_.bombs.items()]
    blocks: list[Block] = [Heading(title, 2), *([Items(tuple(lines))] if lines else [])]
    if round_.users:
        blocks.append(items(*(f"{frame.names[p]}: {used.title()} Bomb" for p, used in round_.users.items())))
    return blocks


def rounds(frame: Frame, view: PolarView, name: str) -> list[Block]:
    """One resolved round with the scoreboard after it; `pregame` is where everybody began."""
    if name == "pregame":
        return round_blocks(frame, view.begin) if view.begin else []
    for i, round_ in enumerate(view.rounds):
        if name == f"round_{round_.round}":
            until = view._replace(rounds=view.rounds[: i + 1])
            return [*round_blocks(frame, round_), *scoreboard(frame, until)]
    return []


def scoreboard(frame: Frame, view: PolarView) -> list[Block]:
    """Points after the last of the view's rounds, most first, and how they came about."""
    if not view.rounds or view.rounds[-1].totals is ABSENT:
        return []
    last = view.rounds[-1]
    order = sorted(last.totals, key=lambda p: -last.totals[p])
    rows = [(frame.names[p], f"{last.scores[p]:+d}" if last.scores[p] else "0", str(last.totals[p])) for p in order]
    table = Table(("player", "round", "total"), tuple(rows), numbers=(1, 2))
    return [Heading("Scoreboard", 2), table, chart(frame, view)]


def chart(frame: Frame, view: PolarView) -> Chart:
    """The totals after each round. A player's colour is his seat."""
    shown = [round_ for round_ in view.rounds if round_.totals is not ABSENT]
    seats = list(frame.names)
    players = [p for p in seats if all(p in round_.totals for round_ in shown)]
    series = tuple(
        Series(frame.names[p], (0, *(round_.totals[p] for round_ in shown)), seats.index(p)) for p in players
    )
    labels = ("0", *(str(round_.round) for round_ in shown))
    told = ", ".join(f"{one.name} {one.values[-1]}" for one in series)
    return Chart(f"Points after each round. After round {labels[-1]}: {told}.", labels, series, "round", "points")


def board(frame: Frame, view: PolarView, result: Result) -> list[Block]:
    """Who is in which room now, with signs."""
    called = Heading(f"{frame.title} · board")
    shown = view.rounds[-1] if view.rounds else view.begin
    return [called, *(round_blocks(frame, shown) if shown else [text("Nobody is in a room yet.")])]


def scores(frame: Frame, view: PolarView, result: Result) -> list[Block]:
    """The scoreboard with its chart: as far as the viewer may know it."""
    called = Heading(f"{frame.title} · scores")
    if not result.ranking:
        return [called, text("The scores are not public.")]
    rows, place = [], 1
    for group in result.ranking:
        rows += [(str(place), frame.names[p], str(result.scores[p])) for p in group]
        place += len(group)
    table = Table(("#", "player", "points"), tuple(rows), numbers=(0, 2))
    return [called, table, *([chart(frame, view)] if view.rounds else [])]


def _host_table(view: PolarView) -> Block:
    rows = []
    for player, shown in view.players.items():
        sheet = view.sheets.get(player) if view.sheets else None
        rows.append(
            (
                player, (shown.room or "").title(), shown.sign or "", str(shown.points), str(shown.tickets),
                str(shown.swaps), " ".join(f"{n} {bomb}" for bomb, n in shown.bombs.items()), str(shown.garnets),
                sheet or ("-" if view.sheets else ""),
            )
        )  # fmt: skip
    header = ("player", "room", "sign", "points", "tickets", "swaps", "bombs", "garnets", "sheet")
    return Table(header, tuple(rows), numbers=(3, 4, 5, 7))


def in_short(player: str, shown: PlayerView) -> str:
    """One player in one line, for the host's answer to a command."""
    bombs = " ".join(f"{n} {bomb}" for bomb, n in shown.bombs.items()) or "no bombs"
    where = f"{shown.room.title()} {shown.sign}, " if shown.room else ""
    held = f"{count(shown.tickets, 'ticket')}, {count(shown.swaps, 'swap')}, {bombs}, {count(shown.garnets, 'garnet')}"
    return f"{player}: {where}{count(shown.points, 'point')}; {held}"
