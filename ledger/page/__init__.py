"""The replay of a match as a single HTML page, and as steps in a terminal."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.kit.blocks import Block, Board, Chart, Heading, Series
from games.records import ABSENT
from ledger.core.times import show_clock, show_time
from ledger.render import html, text
from ledger.render.safe import PlainText, in_spans, plain_text
from ledger.render.svg import escape
from ledger.render.text import wrapped
from ledger.tell.listing import marks_in_words
from ledger.tell.steps import Step, Steps

MAX_CHART_STEPS = 240
"""The most steps in a chart. A longer match is charted at every second, third, ... step, so they are evenly spaced."""


def charts_of(steps: Steps) -> list[Block]:
    results = [steps.result(step.number) for step in steps.steps]
    counts = steps.match.game.counts(steps.match.fold.state)
    scores = _chart(steps, "Scores", counts, [result.scores for result in results])
    return [*scores, *_chart(steps, "Garnets", "garnets", [result.garnets for result in results])]


def _chart(steps: Steps, name: str, unit: str, values_by_step: Sequence[Mapping[str, int]]) -> list[Block]:
    """A chart with a line for each player, from the first step with known values for all; empty if none changes."""
    known = {player for values in values_by_step if values is not ABSENT for player in values}
    players = [player for player in steps.match.table.seats if player in known]
    latest: dict[str, int] = {}
    points: list[tuple[int, dict[str, int]]] = []
    for number, values in enumerate(values_by_step, 1):
        latest = {**latest, **(values or {})}
        if players and latest.keys() >= {*players}:
            points.append((number, latest))
    points = points[:: -math.ceil(len(points) / MAX_CHART_STEPS)][::-1] if points else []
    if len({tuple(sorted(values.items())) for _, values in points}) < 2:
        return []
    lines = tuple(
        Series(steps.match.table.seats[player].name, tuple(values[player] for _, values in points), i)
        for i, player in enumerate(players)
    )
    last = ", ".join(f"{line.name} {line.values[-1]}" for line in lines)
    axis = unit if name.lower() in unit else f"{name.lower()}, {unit}"
    alt = f"{name} by step, from step {points[0][0]} to step {points[-1][0]}: {axis}. At the end: {last}."
    return [Heading(name), Chart(alt, tuple(str(number) for number, _ in points), lines, "step", unit)]


# ---- the data of one audience ----------------------------------------------------------------------------------------

LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/[\w@/]+")
"""The only links on the page: to messages that are the evidence of entries."""
_BOUNDARY = re.compile(r"(?=<(?:tr|li|p|h\d|ul|figure|div|svg|g|path|text|circle|rect|polygon)[ >])")
"""Where a fragment is cut into pieces. A piece that several steps share is stored once."""


def book(steps: Steps) -> dict[str, Any]:
    """The data for one audience. `charts`, and `pic` in a step, are lists of indexes into `parts`, which are markup."""
    parts: dict[str, int] = {}
    rows = [_step(steps, step, parts) for step in steps.steps]
    players = {player: plain_text(seat.name) for player, seat in steps.match.table.seats.items()}
    charts = _pieces([html.fragment([block], steps.match.zone, 2) for block in charts_of(steps)], parts)
    return {"audience": steps.viewer, "players": players, "charts": charts, "steps": rows, "parts": list(parts)}


def _pieces(fragments: Iterable[str], parts: dict[str, int]) -> list[int]:
    pieces = (piece for fragment in fragments for piece in _BOUNDARY.split(fragment) if piece)
    return [parts.setdefault(piece, len(parts)) for piece in pieces]


def _step(steps: Steps, step: Step, parts: dict[str, int]) -> dict[str, Any]:
    zone, entry = steps.match.zone, step.entry
    sentences = [
        [plain_text(in_spans(sentence.spans, str, lambda at: show_time(at, zone))), plain_text(sentence.rule)]
        for sentence in step.sentences
    ]
    typed = plain_text(step.typed) if steps.viewer == HOST_VIEWER or step.known_to != "everybody" else ""
    data: dict[str, Any] = {
        "at": "" if step.at is None else show_clock(step.at, zone, seconds=steps.seconds),
        "known": plain_text(step.known_to),
        "said": sentences,
        "round": plain_text(step.round.removeprefix("round_")),
        "phase": plain_text(step.phase),
        "typed": typed,
        "kind": entry.do if entry is not None else plain_text(step.typed.partition(" ")[0]),
        "who": _players_of(steps, step),
        "pic": _pieces([html.fragment(picture(steps, step.number), zone, 1)], parts),
    }
    if entry is not None:
        data["entry"] = {
            "seq": entry.seq,
            "by": entry.by,
            "recorded": show_clock(entry.recorded, zone),
            "marks": [plain_text(mark) for mark in marks_in_words(entry.marks)],
            "fixes": [
                f"entry {fix.seq}, {show_clock(fix.recorded, zone)}, {fix.by}: {plain_text(fix.what)}"
                for fix in entry.corrections
            ],
            "notes": [plain_text(note) for note in entry.notes],
            "evidence": plain_text(entry.evidence or ""),
            "link": bool(LINK.fullmatch(entry.evidence or "")),
            "bookmark": step.bookmark,
        }
    return {key: value for key, value in data.items() if value not in ("", [], {})}


def _players_of(steps: Steps, step: Step) -> list[str]:
    wording = " ".join([*(sentence.text for sentence in step.sentences), step.typed])
    named = set(re.findall(r"[\w-]+", wording))
    if step.known_to == "you" and step.sentences:
        named.add(steps.viewer)
    seats = steps.match.table.seats.items()
    return [p for p, seat in seats if p in named or re.search(rf"(?<!\w){re.escape(seat.name)}(?!\w)", wording)]


def picture(steps: Steps, number: int) -> list[Block]:
    """The blocks to show after a step: the resolved round, the report of the match, and its board."""
    round_ = steps.rounds(number)
    blocks = [*round_, *(block for block in untitled(steps.report(number)) if block not in round_)]
    if any(isinstance(block, (Board, Chart)) for block in blocks):
        return blocks
    return [*(block for block in untitled(steps.board(number)) if isinstance(block, (Board, Chart))), *blocks]


def untitled(blocks: Sequence[Block]) -> list[Block]:
    match blocks:
        case [Heading(level=1), *others]:
            return others
    return list(blocks)


# ---- as text ---------------------------------------------------------------------------------------------------------

INDENT = "      "


def entries(steps: Steps, width: int | None) -> list[PlainText]:
    return [PlainText("\n".join(_entry(steps, step, width))) for step in steps.steps if step.sentences]


def _entry(steps: Steps, step: Step, width: int | None) -> list[str]:
    number = f"#{step.entry.seq}" if step.entry else "clock" if steps.viewer == "host" else str(step.number)
    head, *details = _lines(steps, step)
    lines = wrapped(f"{number:<6}{head}", width, INDENT)
    return [*lines, *(piece for line in details for piece in wrapped(INDENT + line, width, INDENT + "  "))]


def _lines(steps: Steps, step: Step) -> list[str]:
    zone, entry = steps.match.zone, step.entry
    if not step.sentences:
        return ["how it stands"]
    head = [
        "time not told" if step.at is None else show_clock(step.at, zone, seconds=steps.seconds),
        f"known to {plain_text(step.known_to)}",
    ]
    marks = [f"round {step.round.removeprefix('round_')} is resolved"] if step.round else []
    if entry is not None:
        head.append(f"recorded {show_clock(entry.recorded, zone)} by {entry.by}")
        marks = [*marks, *map(plain_text, marks_in_words(entry.marks))]
    lines = [" · ".join([*head, *marks])]
    is_private = step.known_to != "everybody" and not step.round
    if step.typed and is_private and not step.sentences[0].text.endswith(step.typed):
        lines.append(f"  {plain_text(step.typed)}")
    for sentence in step.sentences:
        rule = f" [{sentence.rule}]" if sentence.rule else ""
        lines.append(text.sentence(sentence.spans, zone) + rule)
    if entry is not None:
        for fix in entry.corrections:
            when = show_clock(fix.recorded, zone)
            lines.append(f"entry {fix.seq}, {when}, {fix.by}: {plain_text(fix.what)}")
        lines += [f"note: {plain_text(note)}" for note in entry.notes]
    return [line.replace("\n", " ") for line in lines]


# ---- the page --------------------------------------------------------------------------------------------------------

NAMES = {HOST_VIEWER: "the hosts", PUBLIC_VIEWER: "everybody"}
PAGE_FILES = ("watch.css", "watch.js", "watch.html")


def page(versions: Sequence[Steps]) -> str:
    """The whole HTML file.

    Args:
        versions: The steps for each audience of the page, all of one match; the page opens with the first.
    """
    folder = resources.files("ledger.page")
    style, script, body = (folder.joinpath(name).read_text(encoding="utf-8").strip() for name in PAGE_FILES)
    style = f"{html.style()}\n{style}"
    policy = (
        f"default-src 'none'; style-src '{html.digest(style)}'; script-src '{html.digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    match = versions[0].match
    filled = {
        "TITLE": escape(match.table.title),
        "GAME": escape(match.game.title),
        "AUDIENCES": "".join(f'<option value="{i}">{escape(called(s))}</option>' for i, s in enumerate(versions)),
    }
    for name, value in filled.items():
        body = body.replace(f"<!--{name}-->", value)
    blocks = [f'<script type="application/json" class="book">{embedded(book(steps))}</script>' for steps in versions]
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{filled['TITLE']} · replay</title>",
            f"<style>{style}</style></head>",
            f"<body>{body}",
            *blocks,
            f"<script>{script}</script></body></html>",
        ]
    )


def embedded(value: Any) -> str:
    """JSON that is safe in a script element: nothing in it can end the element or begin a comment.

    >>> embedded("</script><!--")
    '"\\\\u003c/script>\\\\u003c!--"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def called(steps: Steps) -> str:
    seat = steps.match.table.seats.get(steps.viewer)
    return NAMES.get(steps.viewer, "") if seat is None else seat.name
