"""Reports made of the labels: the page of a match, the board, the scores, a line for each player.

From views and results alone, which are cut down for their viewer already. A game replaces each of them by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events.audiences import HOST_VIEWER
from games.contract import Frame, Result
from games.kit.blocks import Block, Emoji, Heading, Items, Line, Span, Strong, Table, listing, text
from games.kit.sealed import BREAK, called
from games.kit.tell import count
from games.parts.declare import Label, Parts
from games.parts.shown import data_of
from games.records import ABSENT
from games.table.report import clock, decided, declared, heading, ranking, reasons, tokens_and_elimination, void
from games.table.words import upper

SENT, NOT_SENT = "Your sheet for this round is in.", "Nothing is in from you yet."


def labels(parts: Parts[Any]) -> Mapping[str, Label]:
    """The fields of a player's view that are shown, with what they are called."""
    return {datum.name: datum.label for datum in data_of(parts.player) if datum.label is not None}


def course(parts: Parts[Any], view: Any, result: Result) -> Block:
    """Where the match is, and until when."""
    before = parts.phases.get("setup", next(iter(parts.phases.values())))
    phase = before if result.status == "setup" else parts.phases.get(view.phase)
    if phase is None:
        number = view.phase.removeprefix("round_")
        phase = f"Round {number}." if number.isdigit() else f"{upper(called(view.phase))}."
    closed = bool(getattr(view, "closed", ABSENT))  # nobody is asked to submit any more
    if isinstance(phase, tuple):
        phase = f"{phase[0]}." if closed else f"{phase[0]}: {phase[1]}."
    spans: list[Span] = [phase.format_map(view._asdict())]
    if closed:
        spans.append(" Submissions have ended; it waits to be resolved.")
    until = "The next round opens" if view.phase == BREAK else "It ends"
    return text(*spans, *clock(getattr(view, "paused", ABSENT), view.ends, until))


def now_of(parts: Parts[Any]) -> Callable[[Frame, Any, Any], Sequence[Line]]:
    """(frame, a player's view, the view) -> what the player has, a line each."""
    if parts.now is not None:
        return parts.now

    def now(frame: Frame, me: Any, view: Any) -> list[Line]:
        lines: list[Line] = []
        for name, label in labels(parts).items():
            if (value := getattr(me, name)) is not ABSENT and value not in (None, (), ""):
                emoji = (Emoji(frame.emoji.get("garnet", "")),) if name == "garnets" else ()
                lines.append((*emoji, f"{label.text.capitalize()}: {label.say(value)}"))
        return lines

    return now


def short_of(parts: Parts[Any]) -> Callable[[str, Any], str]:
    """(player, that player's view) -> one line."""
    if parts.short is not None:
        return parts.short

    def short(player: str, row: Any) -> str:
        marks = labels(parts)
        had = ((label, getattr(row, name)) for name, label in marks.items())
        parts_ = [
            count(value, label.text.removesuffix("s")) if label.text.endswith("s") and isinstance(value, int)
            else f"{label.text} {label.say(value)}"
            for label, value in had
            if value is not ABSENT and value not in (None, (), "")
        ]  # fmt: skip
        return f"{player}: {', '.join(parts_) or 'nothing'}"

    return short


def table_of(parts: Parts[Any], frame: Frame, view: Any) -> list[Block]:
    """Every player with all that may be known of them: for the hosts by ids, for others by names."""
    marks = labels(parts)
    rows = {p: row for p, row in (view.players or {}).items()}
    known = [name for name in marks if any(getattr(row, name) is not ABSENT for row in rows.values())]
    if not known:
        return []
    lines = tuple(
        (frame.row(p), *("" if (value := getattr(row, name)) is ABSENT else marks[name].say(value) for name in known))
        for p, row in rows.items()
    )
    numbers = tuple(place for place, name in enumerate(known, 1) if marks[name].number)
    header = ("player", *(marks[name].text for name in known))
    if frame.viewer == HOST_VIEWER and (sheets := getattr(view, "sheets", ABSENT)):
        cells = (sheets[p] or "-" for p in rows)
        header, lines = (*header, "sheet"), tuple((*line, sheet) for line, sheet in zip(lines, cells, strict=True))
    return [Table(header, lines, numbers)]


def report_of(parts: Parts[Any]) -> Callable[[Frame, Any, Result], list[Block]]:
    """(frame, view, result) -> the picture of the match, and what hosts declared."""
    picture = parts.report or _derived(parts)

    def report(frame: Frame, view: Any, result: Result) -> list[Block]:
        return void(frame, result) or [*picture(frame, view, result), *reasons(frame, result), *declared(frame, result)]

    return report


def _derived(parts: Parts[Any]) -> Callable[[Frame, Any, Result], list[Block]]:
    now = now_of(parts)

    def report(frame: Frame, view: Any, result: Result) -> list[Block]:
        blocks: list[Block] = [heading(frame), course(parts, view, result)]
        if frame.viewer in frame.names:
            me = (view.players or {}).get(frame.viewer)
            blocks += listing(now(frame, me, view)) if me is not None else []
            if getattr(view, "sheet", ABSENT):
                blocks.append(text(f"Your sheet: {view.sheet}."))
            elif getattr(view, "submitted", ABSENT) is not ABSENT:
                blocks.append(text(SENT if view.submitted else NOT_SENT))
        if parts.page is None or frame.viewer == HOST_VIEWER:
            others = {p: row for p, row in (view.players or {}).items() if p != frame.viewer}
            blocks += table_of(parts, frame, view._replace(players=others))
        blocks += parts.page(frame, view, result) if parts.page else []
        return [*blocks, *tokens_and_elimination(frame, result), *decided(frame, result)]

    return report


def board_of(parts: Parts[Any]) -> Callable[[Frame, Any, Result], list[Block]]:
    """(frame, view, result) -> what lies on the table, as far as the viewer may know it."""

    def board(frame: Frame, view: Any, result: Result) -> list[Block]:
        table = table_of(parts, frame, view)
        return [Heading(f"{frame.title} · board"), *(table or [text("Nothing of it is open to you now.")])]

    return parts.board or board


def scores_of(parts: Parts[Any]) -> Callable[[Frame, Any, Result], list[Block]]:
    """(frame, view, result) -> the places, as far as the viewer may know them."""

    def scores(frame: Frame, view: Any, result: Result) -> list[Block]:
        points = result.scores or {}
        return ranking(frame, result, ("points",), lambda p: (str(points.get(p, "")),))

    return parts.scores or scores


def round_of(parts: Parts[Any]) -> Callable[[Frame, Any, str], list[Block]]:
    """(frame, view, name) -> one resolved round; nothing where the game tells none."""
    return parts.rounds_told or (lambda frame, view, name: [])


def strong_rows(frame: Frame, rows: Mapping[str, str]) -> Items:
    """One line a player: the name, and what is said of that player."""
    return Items(tuple((Strong(frame.names[p]), f" · {line}") for p, line in rows.items()))
