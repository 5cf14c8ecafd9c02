"""Reports made of the labels: the page of a match, the board, the scores, a line for each player.

From views and results alone, which are cut down for their viewer already. A game replaces each of them by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from events.audiences import HOST_VIEWER
from games.contract import DERIVED, Frame, Game, Label, Result
from games.kinds import count, upper
from games.kit.blocks import Block, Emoji, Heading, Line, Span, Table, listing, text
from games.parts.shown import data_of
from games.records import ABSENT
from games.table.report import clock, decided, declared, heading, ranking, reasons, tokens_and_elimination, void
from games.table.state import BREAK, called

SENT, NOT_SENT = "Your sheet for this round is in.", "Nothing is in from you yet."


def labels(game: Game) -> Mapping[str, Label]:
    """The fields of a player's view that are shown, with what they are called."""
    return {datum.name: datum.label for datum in data_of(game.player_view) if datum.label is not None}


def course(game: Game, view: Any, result: Result) -> Block:
    """Where the match is, and until when."""
    before = game.phases.get("setup", next(iter(game.phases.values())))
    phase = before if result.status == "setup" else game.phases.get(view.phase)
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


def _had(game: Game, row: Any) -> Iterator[tuple[str, Label, Any]]:
    """(field, label, value) of all that a player has and that may be known."""
    for name, label in labels(game).items():
        if (value := getattr(row, name)) is not ABSENT and value not in (None, (), ""):
            yield name, label, value


def now(game: Game, frame: Frame, me: Any, view: Any) -> list[Line]:
    """What the player has, a line each."""
    lines: list[Line] = []
    for name, label, value in _had(game, me):
        emoji = (Emoji(frame.emoji.get("garnet", "")),) if name == "garnets" else ()
        lines.append((*emoji, f"{label.text.capitalize()}: {label.say(value)}"))
    return lines


def short(game: Game, player: str, row: Any) -> str:
    """What the player has, in one line."""
    had = [
        count(value, label.text.removesuffix("s")) if label.text.endswith("s") and isinstance(value, int)
        else f"{label.text} {label.say(value)}"
        for _, label, value in _had(game, row)
    ]  # fmt: skip
    return f"{player}: {', '.join(had) or 'nothing'}"


def table_of(game: Game, frame: Frame, view: Any) -> list[Block]:
    """Every player with all that may be known of them: for the hosts by ids, for others by names."""
    marks = labels(game)
    rows = view.players or {}
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


def report(game: Game, frame: Frame, view: Any, result: Result) -> list[Block]:
    """The picture of the match, and what hosts declared."""
    picture = partial(_picture, game) if game.report is DERIVED else game.report
    return void(frame, result) or [*picture(frame, view, result), *reasons(frame, result), *declared(frame, result)]


def _picture(game: Game, frame: Frame, view: Any, result: Result) -> list[Block]:
    blocks: list[Block] = [heading(frame), course(game, view, result)]
    players = view.players or {}
    if frame.viewer in frame.names:
        standing = game.now or partial(now, game)
        blocks += listing(standing(frame, players[frame.viewer], view)) if frame.viewer in players else []
        if getattr(view, "sheet", ABSENT):
            blocks.append(text(f"Your sheet: {view.sheet}."))
        elif getattr(view, "submitted", ABSENT) is not ABSENT:
            blocks.append(text(SENT if view.submitted else NOT_SENT))
    if game.page is None or frame.viewer == HOST_VIEWER:
        others = {p: row for p, row in players.items() if p != frame.viewer}
        blocks += table_of(game, frame, view._replace(players=others))
    blocks += game.page(frame, view, result) if game.page else []
    return [*blocks, *tokens_and_elimination(frame, result), *decided(frame, result)]


def board(game: Game, frame: Frame, view: Any, result: Result) -> list[Block]:
    """What lies on the table, as far as the viewer may know it."""
    table = table_of(game, frame, view)
    return [Heading(f"{frame.title} · board"), *(table or [text("Nothing of it is open to you now.")])]


def scores(frame: Frame, view: Any, result: Result) -> list[Block]:
    """The places, as far as the viewer may know them."""
    points = result.scores or {}
    return ranking(frame, result, ("points",), lambda p: (str(points.get(p, "")),))
