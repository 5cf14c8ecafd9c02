"""Reports of the trick, hands, titles and points. From views alone."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from games.contract import ReportContext, Result
from games.kinds import count, grouped, listed
from games.kit.blocks import Block, Heading, Line, Span, Strong, Table, When, items, listing, text
from games.marsmatch.actions import TITLES
from games.marsmatch.cards import compact, count as as_hand, joined
from games.marsmatch.combos import TYPES
from games.marsmatch.view import HintView, MarsView, MayPlay, RoundView
from games.records import ABSENT
from games.table.report import clock, decided, heading, phases_after, ranking

PHASES = {
    "initial": "The match has not begun.",
    "real": "The Real Match.",
    **phases_after("The last round"),
}
LAST = ("deciding", "finished")


def report(frame: ReportContext, view: MarsView, result: Result) -> list[Block]:
    blocks: list[Block] = [heading(frame), *_course(frame, view, result)]
    me = view.players.get(frame.viewer)
    if me is not None and me.hand is not ABSENT:  # counted by rank: short enough for a phone
        blocks.append(items(("Your hand: ", Strong(compact(as_hand(me.hand))), f" ({count(len(me.hand), 'card')})")))
    if len(view.rounds) > 1 and view.phase in LAST:
        blocks += [*(block for round_ in view.rounds for block in _round(frame, round_)), Heading("All rounds", 2)]
        view = view._replace(players={p: row._replace(title=None) for p, row in view.players.items()})  # only one round
    blocks += [_players(frame, view), *_by_hosts(frame, view)]
    hands = {p: row.hand for p, row in view.players.items() if row.hand}
    if hands and (frame.viewer == HOST_VIEWER or view.phase == "finished"):
        lines = ((Strong(frame.names[p]), f" · {compact(as_hand(hand))}") for p, hand in hands.items())
        blocks += [Heading("Hands" if view.phase != "finished" else "Cards left", 2), items(*lines)]
    return [*blocks, *decided(frame, result)]


def rounds(frame: ReportContext, view: MarsView, name: str) -> list[Block]:
    return [block for round_ in view.rounds if f"round_{round_.round}" == name for block in _round(frame, round_)]


def _round(frame: ReportContext, round_: RoundView) -> list[Block]:
    banker = [text(f"Banker: {frame.names[round_.banker]}.")] if round_.banker is not None else []
    lines = (
        (Strong(frame.names[p]), f" · {_called(title)} · {count(round_.points.get(p, 0), 'point')}")
        for p, title in sorted(round_.titles.items(), key=lambda row: -round_.points.get(row[0], 0))
    )
    return [Heading(f"Round {round_.round}", 2), *banker, items(*lines)]


def _by_hosts(frame: ReportContext, view: MarsView) -> list[Block]:
    """The points that hosts set, in excess of titles."""
    if view.phase not in LAST or not view.rounds:
        return []
    won = {p: sum(round_.points.get(p, 0) for round_ in view.rounds) for p in view.players}
    extra = {p: row.points - won[p] for p, row in view.players.items() if row.points is not ABSENT}
    return listing((Strong(frame.names[p]), f" · {n:+d} by the hosts") for p, n in extra.items() if n)


def board(frame: ReportContext, view: MarsView, result: Result) -> list[Block]:
    """The table: the play to beat, whose turn it is, how many cards everybody holds."""
    return [Heading(f"{frame.title} · board"), *_course(frame, view, result), _players(frame, view)]


def scores(frame: ReportContext, view: MarsView, result: Result) -> list[Block]:
    titles = view.titles if view.round == 1 else {}  # only of one round: the points are of all
    return ranking(frame, result, ("points", ""), lambda p: (str(result.scores[p]), _called(titles.get(p))))


def _course(frame: ReportContext, view: MarsView, result: Result) -> list[Block]:
    """The phase, the play to beat, whose turn it is, and until when."""
    spans: list[Span] = [PHASES[view.phase]]
    whole = len(view.rounds) > 1 and view.phase in LAST
    if view.phase == "initial" and result.status != "setup":
        undealt = view.banker is None or all(row.count_ == 0 for row in view.players.values())  # ABSENT: not known
        missing = [*["its draw"] * (view.banker is None), *["its deal"] * undealt, "the Initial Phase"]
        spans = [f"Round {view.round} waits for {listed(missing)}."]
    elif result.status != "setup" and view.round > 1 and not whole:
        spans.append(f" Round {view.round}.")
    if view.banker is not None and not whole:
        spans.append(f" Banker: {frame.names[view.banker]}.")
    lines: list[Line] = []
    if (trick := view.trick) is not None:
        what = f" by {frame.names[trick.by]} ({TYPES[trick.type]}, {trick.rank})"  # type: ignore[index]
        lines.append(("To beat: ", Strong(" ".join(trick.cards)), what))
    if view.turn is not None:
        until: tuple[Span, ...] = (", until ", When(view.ends)) if view.ends else ()
        lines.append((Strong(frame.names[view.turn]), " leads" if trick is None else " plays or passes", *until, "."))
    return [text(*spans, *clock(view.paused, None)), *listing(lines)]


def _players(frame: ReportContext, view: MarsView) -> Block:
    """The players clockwise, with cards, points, title, and a run of two or more."""
    rows = []
    for player, row in view.players.items():
        run = f"{row.run} in a row" if row.run and row.run > 1 else ""
        numbers = ("" if number is ABSENT else str(number) for number in (row.count_, row.points))
        rows.append((frame.row(player), *numbers, "; ".join(filter(None, (_called(row.title), run)))))
    return Table(("player", "cards", "points", ""), tuple(rows), numbers=(1, 2))


def _called(title: str | None) -> str:
    return TITLES[title].name if title else ""  # type: ignore[index]


def hint(frame: ReportContext, view: HintView) -> list[Block]:
    """A line for each shape: the ranks that can be played, and the lowest cards for it."""
    name = frame.names[view.player]
    against = f"to beat {' '.join(view.trick.cards)}" if view.trick else "to lead with"
    against += "" if view.turn else ", once it is their turn"
    rows = grouped((_shape(play), play) for play in view.plays)
    lines = tuple((shape, " ".join(map(_rank, able)), joined(as_hand(able[0].cards))) for shape, able in rows.items())
    table = Table(("combination", "ranks", "lowest"), lines) if rows else text("Nothing: only a pass.")
    return [Heading(f"{name} {against}"), table]


def _rank(play: MayPlay) -> str:
    return f"{len(play.cards)}×{play.rank}" if play.type == "drone" else play.rank.replace(" ", "+")


def _shape(play: MayPlay) -> str:
    many = f", {play.groups} groups" if play.groups > 1 else ""
    attached = f" with {play.attached}" if play.attached else ""
    return f"{TYPES[play.type]}{attached}{many}"  # type: ignore[index]
