"""The data of one audience of the page: its steps, built from what it may know alone, and pieces of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from events.audiences import HOST_VIEWER
from games.kit.blocks import Block, Board, Chart, Heading
from ledger.core.times import show_clock, show_time
from ledger.page.charts import charts_of
from ledger.render import html, text
from ledger.render.safe import in_spans
from ledger.tell.step import Step, Steps

LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/[\w@/]+")
"""The only links on the page: to the message that is the evidence of an entry."""
_BOUNDARY = re.compile(r"(?=<(?:tr|li|p|h\d|ul|figure|div|svg|g|path|text|circle|rect|polygon)[ >])")
"""Where a fragment is cut into pieces: a piece that several steps share is kept once."""


def book(steps: Steps) -> dict[str, Any]:
    """The data of one audience: `{"audience","players","parts","charts","steps"}`.

    `parts` are pieces of markup; `charts`, and `pic` of a step, are lists of their numbers.
    """
    parts: dict[str, int] = {}
    rows = [_step(steps, step, parts) for step in steps.steps]
    players = {player: text.escape(seat.name) for player, seat in steps.match.table.seats.items()}
    charts = _pieces([[html.fragment([block], steps.match.zone, 2)] for block in charts_of(steps)], parts)
    return {"audience": steps.viewer, "players": players, "charts": charts, "steps": rows, "parts": list(parts)}


def _pieces(fragments: Iterable[Iterable[str]], parts: dict[str, int]) -> list[int]:
    return [
        parts.setdefault(piece, len(parts))
        for lines in fragments
        for fragment in lines
        for piece in _BOUNDARY.split(fragment)
        if piece
    ]


def _step(steps: Steps, step: Step, parts: dict[str, int]) -> dict[str, Any]:
    zone, entry = steps.match.zone, step.entry
    sentences = [
        [text.escape(in_spans(sentence.spans, str, lambda at: show_time(at, zone))), text.escape(sentence.rule)]
        for sentence in step.sentences
    ]
    typed = text.escape(step.typed) if steps.viewer == HOST_VIEWER or step.known_to != "everybody" else ""
    data: dict[str, Any] = {
        "at": "" if step.at is None else show_clock(step.at, zone, seconds=steps.seconds),
        "known": text.escape(step.known_to),
        "said": sentences,
        "round": text.escape(step.round.removeprefix("round_")),
        "phase": text.escape(step.phase),
        "typed": typed,
        "kind": entry.do if entry is not None else text.escape(step.typed.partition(" ")[0]),
        "who": _players_of(steps, step),
        "pic": _pieces([[html.fragment(picture(steps, step.number), zone, 1)]], parts),
    }
    if entry is not None:
        data["entry"] = {
            "seq": entry.seq,
            "by": entry.by,
            "recorded": show_clock(entry.recorded, zone),
            "marks": [text.escape(mark) for mark in entry.marks],
            "fixes": [
                f"entry {fix.seq}, {show_clock(fix.recorded, zone)}, {fix.by}: {text.escape(fix.what)}"
                for fix in entry.corrections
            ],
            "notes": [text.escape(note) for note in entry.notes],
            "evidence": text.escape(entry.evidence or ""),
            "link": bool(LINK.fullmatch(entry.evidence or "")),
            "bookmark": step.bookmark,
        }
    return {key: value for key, value in data.items() if value not in ("", [], {})}


def _players_of(steps: Steps, step: Step) -> list[str]:
    """The players that a step names, or to whom alone it is known."""
    wording = " ".join([*(sentence.text for sentence in step.sentences), step.typed])
    named = set(re.findall(r"[\w-]+", wording))
    if step.known_to == "you" and step.sentences:
        named.add(steps.viewer)
    seats = steps.match.table.seats.items()
    return [p for p, seat in seats if p in named or re.search(rf"(?<!\w){re.escape(seat.name)}(?!\w)", wording)]


def picture(steps: Steps, number: int) -> list[Block]:
    """The picture after a step: the round that was resolved, the report of the match, and its board."""
    round_ = steps.rounds(number)
    blocks = [*round_, *(block for block in untitled(steps.report(number)) if block not in round_)]
    if any(isinstance(block, (Board, Chart)) for block in blocks):
        return blocks
    return [*(block for block in untitled(steps.board(number)) if isinstance(block, (Board, Chart))), *blocks]


def untitled(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without the title of the match, which the page shows already."""
    match blocks:
        case [Heading(level=1), *others]:
            return others
    return list(blocks)
