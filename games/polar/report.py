"""Reports of rooms, bombs and the scoreboard with its chart. From views alone."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract import ReportContext, Result
from games.kinds import count
from games.kit.blocks import Block, Chart, Heading, Line, Series, Strong, Table, items, text
from games.polar.actions import BOMBS, ROOMS, bomb_name, bomb_on
from games.polar.view import PlayerView, PolarView, RoundView, numbered, used
from games.records import ABSENT
from games.table.report import own_garnets, phases_after, ranking

PHASES: Mapping[str, str | tuple[str, str]] = {
    "pregame": ("The pregame", "choose a room, a sign and two bombs"),
    "setup": "The match has not begun.",
    "round": ("Round {round} of {of}", "submit a sheet"),
    **phases_after("The last round"),
}
PRICED = {"ticket": "a ticket", "swap": "a sign swap", "bomb": "a bomb of any type"}
USED = {used(bomb, room): bomb_on(f"{bomb} {room}") for bomb in BOMBS for room in ROOMS}
"""What somebody used, as in the view -> in a sentence."""


def now(frame: ReportContext, me: PlayerView, view: PolarView) -> list[Line]:
    lines: list[Line] = []
    if me.room:
        lines.append(("You are in ", Strong(me.room.title()), *((f" with {me.sign}",) if me.sign else ())))
    have = [count(n, what) for n, what in ((me.tickets, "ticket"), (me.swaps, "sign swap")) if n is not ABSENT]
    none = "two bombs to choose" if view.phase == "pregame" and not view.closed else "no bombs"
    have += [_bombs(me.bombs) or none] if me.bombs is not ABSENT else []
    if have:
        lines.append(f"You have: {', '.join(have)}")
    lines += own_garnets(frame, me.garnets)
    if me.prices:
        costs = ", ".join(f"{PRICED[kind]} {n}" for kind, n in me.prices.items())
        lines.append(f"Your next purchase costs, in garnets: {costs}")
    if me.channels:
        lines.append(f"You may talk in: {', '.join(room.title() for room in me.channels)}")
    return lines


def short(player: str, row: PlayerView) -> str:
    there = " ".join(filter(None, ((row.room or "").title(), row.sign)))
    where = f"{there}, " if there else ""
    held = (count(row.tickets, "ticket"), count(row.swaps, "swap"), numbered(row.bombs) or "no bombs")
    return f"{player}: {where}{count(row.points, 'point')}; {', '.join(held)}, {count(row.garnets, 'garnet')}"


def _bombs(bombs: Mapping[str, int]) -> str:
    """`2 Confetti Bombs, 1 Double Bomb`."""
    return ", ".join(count(n, bomb_name(bomb)) for bomb, n in bombs.items())


def page(frame: ReportContext, view: PolarView, result: Result) -> list[Block]:
    me = view.players.get(frame.viewer)
    void = me.invalid if me else ()
    invalid: list[Block] = [text("Of your last sheet this counted for nothing:"), items(*void)] if void else []
    return [*invalid, *whereabouts(frame, view), *scoreboard(frame, view, now=True)]


def whereabouts(frame: ReportContext, view: PolarView) -> list[Block]:
    """The last reveal, and where everybody is now if a host changed that since."""
    last = view.rounds[-1] if view.rounds else view.begin
    if not last:
        return []
    since = last._replace(
        rooms={r: tuple(p for p, v in view.players.items() if v.room == r) for r in ROOMS} if last.rooms else ABSENT,
        signs={p: v.sign for p, v in view.players.items() if v.sign and v.room is not None} if last.signs else ABSENT,
    )
    blocks = round_blocks(frame, last)
    if len(last.rooms or ()) < len(ROOMS) or (since.rooms, since.signs) == (last.rooms, last.signs):
        return blocks
    return [*blocks, Heading("Now", 2), _rooms(frame, since._replace(bombs=ABSENT))]


def round_blocks(frame: ReportContext, round_: RoundView) -> list[Block]:
    """Where everybody is, with signs; and the bombs used on each room, without their users."""
    blocks: list[Block] = [Heading(f"Round {round_.round}" if round_.round else "The start", 2)]
    if round_.rooms or round_.bombs:
        blocks.append(_rooms(frame, round_))
    elif round_.signs:
        blocks.append(items(*(f"{frame.names[p]} {sign}" for p, sign in round_.signs.items())))
    if round_.users:
        blocks.append(items(*(f"{frame.names[p]}: {USED[bomb]}" for p, bomb in round_.users.items())))
    return blocks


def _rooms(frame: ReportContext, round_: RoundView) -> Block:
    """For each room, the players in it who may be known, and the bombs on it."""
    lines: list[Line] = []
    rooms, signs, bombs = round_.rooms or {}, round_.signs or {}, round_.bombs or {}
    for room in (room for room in ROOMS if room in rooms or room in bombs):
        who = ", ".join(f"{frame.names[p]} {signs.get(p, '')}".strip() for p in rooms.get(room, ()))
        parts = [who or "nobody"] if room in rooms else []
        parts += [_bombs(bombs[room])] if room in bombs else []
        lines.append((Strong(room.title()), f": {' · '.join(parts)}"))
    return items(*lines)


def rounds(frame: ReportContext, view: PolarView, name: str) -> list[Block]:
    """One resolved round with the scoreboard after it; `pregame` is where everybody began."""
    if name == "pregame":
        return round_blocks(frame, view.begin) if view.begin else []
    for i, round_ in enumerate(view.rounds, 1):
        if name == f"round_{round_.round}":
            return [*round_blocks(frame, round_), *scoreboard(frame, view._replace(rounds=view.rounds[:i]))]
    return []


def scoreboard(frame: ReportContext, view: PolarView, *, now: bool = False) -> list[Block]:
    """The points after the last round in the view, highest first, and how they came about.

    With `now`, the present points if a host has set them since.
    """
    if not view.rounds or view.rounds[-1].totals is ABSENT:
        return []
    last = view.rounds[-1]
    total = {p: view.players[p].points if now else n for p, n in last.totals.items() if p in view.players}
    order = sorted(total, key=lambda p: -total[p])
    gained = {p: f"{n:+d}" if n else "0" for p, n in (last.scores or {}).items()}
    rows = [(frame.names[p], gained[p], str(total[p])) for p in order]
    table = Table(("player", "round", "total"), tuple(rows), numbers=(1, 2))
    return [Heading("Scoreboard", 2), table, chart(frame, view, now=now)]


def chart(frame: ReportContext, view: PolarView, *, now: bool) -> Chart:
    """The totals after each round; with `now`, also the present points if a host has set them since.

    Each seat has its own colour.
    """
    columns = [(str(round_.round), round_.totals) for round_ in view.rounds if round_.totals is not ABSENT]
    points = {p: view.players[p].points for p in (columns[-1][1] if columns else ()) if p in view.players}
    if now and any(points[p] != columns[-1][1][p] for p in points):
        columns.append(("now", points))
    seats = list(frame.names)
    players = [p for p in seats if p in view.players and all(p in totals for _, totals in columns)]
    series = tuple(Series(frame.names[p], (0, *(totals[p] for _, totals in columns)), seats.index(p)) for p in players)
    labels = ("0", *(label for label, _ in columns))
    when = "Now" if labels[-1] == "now" else f"After round {labels[-1]}"
    last = ", ".join(f"{line.name} {line.values[-1]}" for line in series)
    return Chart(f"Points after each round. {when}: {last}.", labels, series, "round", "points")


def board(frame: ReportContext, view: PolarView, result: Result) -> list[Block]:
    return [Heading(f"{frame.title} · board"), *(whereabouts(frame, view) or [text("Nobody is in a room yet.")])]


def scores(frame: ReportContext, view: PolarView, result: Result) -> list[Block]:
    places = ranking(frame, result, ("points",), lambda p: (str(result.scores[p]),))
    return [*places, *([chart(frame, view, now=True)] if result.ranking and view.rounds else [])]
