"""View -> blocks. Cannot reach State or rules: what is not in the view cannot be said."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from events.instants import read_instant
from games.contract import Frame, Result
from games.kit.blocks import Block, Heading, Span, Strong, Table, When, items, text
from games.kit.tell import count
from games.marsmatch.cards import compact
from games.marsmatch.cards import count as as_hand
from games.marsmatch.names import TYPES
from games.marsmatch.titles import TITLES
from games.marsmatch.view import MarsView, PlayerView, TrickView
from games.records import ABSENT
from games.table.report import clock, decided, heading

PHASES = {
    "initial": "The next round waits for its draw, its deal, and the Initial Phase.",
    "real": "The Real Match.",
    "deciding": "The last round is over; something is still to be decided.",
    "finished": "The match is over.",
}


def report(frame: Frame, view: MarsView, result: Result) -> list[Block]:
    """The picture of the match for the viewer of the frame."""
    blocks: list[Block] = [heading(frame), _phase(frame, view, result), *now(frame, view)]
    if frame.viewer in frame.names:
        blocks += hand(view.players[frame.viewer])
    blocks.append(_players(frame, view))
    if frame.viewer == HOST_VIEWER or view.phase == "finished":
        blocks += _hands(frame, view)
    return [*blocks, *decided(frame, result)]


def _phase(frame: Frame, view: MarsView, result: Result) -> Block:
    if result.status == "setup":
        spans: list[Span] = ["The match has not begun."]
    else:
        spans = [PHASES[view.phase]]
        if view.round > 1:
            spans.append(f" Round {view.round}.")
    if view.banker is not None:
        spans.append(f" Banker: {frame.names[view.banker]}.")
    return text(*spans, *clock(view.paused, None))


def now(frame: Frame, view: MarsView) -> list[Block]:
    """The play to beat, whose turn it is, and until when."""
    lines: list[str | tuple[Span, ...]] = []
    if view.trick is not None:
        lines.append(("To beat: ", *_trick(frame, view.trick)))
    if view.turn is not None:
        verb = "leads" if view.trick is None else "plays or passes"
        until: tuple[Span, ...] = (", until ", When(read_instant(view.ends))) if view.ends else ()
        lines.append((Strong(frame.names[view.turn]), f" {verb}", *until, "."))
    return [items(*lines)] if lines else []


def _trick(frame: Frame, trick: TrickView) -> tuple[Span, ...]:
    return (Strong(" ".join(trick.cards)), f" by {frame.names[trick.by]} ({TYPES[trick.type]}, {trick.rank})")  # type: ignore[index]


def hand(me: PlayerView) -> list[Block]:
    """A player's own cards, counted per rank: short enough for a phone."""
    if me.hand is ABSENT:
        return []
    return [items(("Your hand: ", Strong(compact(as_hand(me.hand))), f" ({count(len(me.hand), 'card')})"))]


def _players(frame: Frame, view: MarsView) -> Block:
    """Clockwise: cards, points, title; who has a run of two or more."""
    rows = []
    for player, shown in view.players.items():
        name = frame.names[player] if frame.viewer != HOST_VIEWER else player
        title = TITLES[shown.title].name if shown.title else ""  # type: ignore[index]
        run = f"{shown.run} in a row" if shown.run and shown.run > 1 else ""
        rows.append((name, _number(shown.count_), _number(shown.points), "; ".join(filter(None, (title, run)))))
    return Table(("player", "cards", "points", ""), tuple(rows), numbers=(1, 2))


def _number(value: int) -> str:
    return "" if value is ABSENT else str(value)


def _hands(frame: Frame, view: MarsView) -> list[Block]:
    """Every hand that may be shown, in short."""
    lines: list[tuple[Span, ...]] = [
        (Strong(frame.names[p]), f" · {compact(as_hand(shown.hand))}")
        for p, shown in view.players.items()
        if shown.hand
    ]
    return [Heading("Hands" if view.phase != "finished" else "Cards left", 2), items(*lines)] if lines else []


def board(frame: Frame, view: MarsView, result: Result) -> list[Block]:
    """The table: the play to beat, whose turn it is, how many cards everybody holds."""
    return [Heading(f"{frame.title} · board"), _phase(frame, view, result), *now(frame, view), _players(frame, view)]


def scores(frame: Frame, view: MarsView, result: Result) -> list[Block]:
    """The ranking by points, as far as the viewer may know it."""
    if result.ranking is ABSENT:
        return [Heading(f"{frame.title} · scores"), text("The points are not public.")]
    rows = tuple((str(place), frame.names[p], str(result.scores[p]), _title(view, p)) for place, p in result.places())
    return [Heading(f"{frame.title} · scores"), Table(("#", "player", "points", ""), rows, (0, 2))]


def _title(view: MarsView, player: str) -> str:
    title = view.titles.get(player)
    return TITLES[title].name if title else ""  # type: ignore[index]
