"""A replay that anyone can watch: the steps of a match as one HTML page that loads nothing.

Every audience of the page has a block of data of its own, built from its own steps alone: what none of the audiences of
the page may know is nowhere in the file. The page knows no game: it shows sentences and blocks.

Only two things of the data become markup, and both come out of `html.fragment`: pictures and charts. All other text is
put in as text by the script. A policy in the file forbids every other script, style and request.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.kit.blocks import Block, Board, Chart, Heading, Series, When
from games.records import ABSENT
from ledger.core.times import show_clock, show_time
from ledger.render import html, text
from ledger.render.markup import escape
from ledger.tell.step import Sentence, Step, Steps

NAMES = {HOST_VIEWER: "the hosts", PUBLIC_VIEWER: "everybody"}
"""What an audience that is no player is called."""
LINK = re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/channels/[\w@/]+")
"""The only links that the page makes: to the message that is the evidence of an entry."""
_PIECE = re.compile(r"(?=<(?:tr|li|p|h\d|ul|figure|div|svg|g|path|text|circle|rect|polygon)[ >])")
"""Where a fragment is cut: what comes again in another step is kept once."""
MOST = 240
"""Steps of a chart. Of a longer match it has every second, every third, ...: they stand evenly all the same."""
PARTS = ("watch.css", "watch.js", "watch.html")


def page(told: Sequence[Steps]) -> str:
    """The whole file.

    Args:
        told: One for each audience that may look at it, all of the same match; the first is shown first.
    """
    style, script, body = (_file(name) for name in PARTS)
    style = f"{html.style()}\n{style}"
    policy = (
        f"default-src 'none'; style-src '{html.digest(style)}'; script-src '{html.digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    match = told[0].match
    filled = {
        "TITLE": escape(match.table.title),
        "GAME": escape(match.game.title),
        "AUDIENCES": "".join(f'<option value="{i}">{escape(called(one))}</option>' for i, one in enumerate(told)),
    }
    for name, value in filled.items():
        body = body.replace(f"<!--{name}-->", value)
    blocks = [f'<script type="application/json" class="book">{embedded(book(one))}</script>' for one in told]
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
    """JSON that may stand in a script element: nothing in it can end the element or begin a comment.

    >>> embedded("</script><!--")
    '"\\\\u003c/script>\\\\u003c!--"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _file(name: str) -> str:
    return resources.files("ledger.page").joinpath(name).read_text(encoding="utf-8").strip()


def called(told: Steps) -> str:
    """What the audience of these steps is called."""
    seat = told.match.table.seats.get(told.viewer)
    return NAMES.get(told.viewer, "") if seat is None else seat.name


# ---- the data of one audience --------------------------------------------------------------------------------------


def book(told: Steps) -> dict[str, Any]:
    """What the page knows of one audience: `{"audience","players","parts","charts","steps"}`.

    `parts` are pieces of markup; `charts`, and `pic` of a step, are lists of their numbers.
    """
    parts: dict[str, int] = {}
    steps = [_step(told, step, parts) for step in told.steps]
    players = {player: text.escape(seat.name) for player, seat in told.match.table.seats.items()}
    charts = _cut([[html.fragment([block], told.match.zone, 2)] for block in _charts(told)], parts)
    made = {"audience": told.viewer, "players": players, "charts": charts, "steps": steps}
    return {**made, "parts": list(parts)}


def _cut(fragments: Iterable[Iterable[str]], parts: dict[str, int]) -> list[int]:
    return [
        parts.setdefault(piece, len(parts))
        for lines in fragments
        for fragment in lines
        for piece in _PIECE.split(fragment)
        if piece
    ]


def _step(told: Steps, step: Step, parts: dict[str, int]) -> dict[str, Any]:
    zone, entry = told.match.zone, step.entry
    said = [[_words(sentence, zone), text.escape(sentence.rule)] for sentence in step.sentences]
    typed = text.escape(step.typed) if told.viewer == HOST_VIEWER or step.known_to != "everybody" else ""
    made: dict[str, Any] = {
        "at": "" if step.at is None else show_clock(step.at, zone, seconds=told.seconds),
        "known": text.escape(step.known_to),
        "said": said,
        "round": text.escape(step.round.removeprefix("round_")),
        "phase": text.escape(step.phase),
        "typed": typed,
        "kind": entry.do if entry is not None else text.escape(step.typed.partition(" ")[0]),
        "who": _who(told, step),
        "pic": _cut([[html.fragment(_picture(told, step.number), zone, 1)]], parts),
    }
    if entry is not None:
        made["entry"] = {
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
    return {key: value for key, value in made.items() if value not in ("", [], {})}


def _words(sentence: Sentence, zone: str) -> str:
    """A sentence as it is shown: instants in the zone of the match."""
    said = (show_time(span.at, zone) if isinstance(span, When) else Sentence((span,)).text for span in sentence.spans)
    return text.escape("".join(said))


def _who(told: Steps, step: Step) -> list[str]:
    """The players that a step names, or whose own it is."""
    said = " ".join([*(sentence.text for sentence in step.sentences), step.typed])
    words = set(re.findall(r"[\w-]+", said))
    found = []
    for player, seat in told.match.table.seats.items():
        whole = re.search(rf"(?<!\w){re.escape(seat.name)}(?!\w)", said) is not None
        own = player == told.viewer and step.known_to == "you" and bool(step.sentences)
        if whole or own or player in words:
            found.append(player)
    return found


def _picture(told: Steps, number: int) -> list[Block]:
    """How it stood after a step: the round that was resolved, the text of the match, and its board."""
    round_ = told.rounds(number)
    blocks = [*round_, *(block for block in _untitled(told.report(number)) if block not in round_)]
    if any(isinstance(block, (Board, Chart)) for block in blocks):
        return blocks
    board = _untitled(told.board(number))
    drawn = [block for block in board if isinstance(block, (Board, Chart))]
    return [*drawn, *blocks]


def _untitled(blocks: Sequence[Block]) -> list[Block]:
    """Without the title of the match, which the page has."""
    first = blocks[:1]
    return list(blocks[1:]) if first and isinstance(first[0], Heading) and first[0].level == 1 else list(blocks)


# ---- numbers over time ----------------------------------------------------------------------------------------------


def _charts(told: Steps) -> list[Block]:
    """Scores and garnets from step to step, as far as the audience may know them."""
    results = [told.result(step.number) for step in told.steps]
    counts = told.match.game.counts(told.match.fold.state)
    scores = [result.scores for result in results]
    garnets = [result.garnets for result in results]
    return [*_chart(told, "Scores", counts, scores), *_chart(told, "Garnets", "garnets", garnets)]


def _chart(told: Steps, name: str, up: str, known: Sequence[Mapping[str, int]]) -> list[Block]:
    """A line for everybody, from the step on at which something is known of all of them; none where nothing changes.

    Args:
        known: What is known after each step; `ABSENT` where nothing is: then it is as before.
    """
    everybody = [p for p in told.match.table.seats if any(values is not ABSENT and p in values for values in known)]
    now: dict[str, int] = {}
    moments: list[tuple[int, dict[str, int]]] = []
    for number, values in enumerate(known, 1):
        now = {**now, **(values or {})}
        if everybody and now.keys() >= {*everybody}:
            moments.append((number, now))
    moments = moments[:: -math.ceil(len(moments) / MOST)][::-1] if moments else []
    if len({tuple(sorted(values.items())) for _, values in moments}) < 2:
        return []
    lines = tuple(
        Series(told.match.table.seats[player].name, tuple(values[player] for _, values in moments), i)
        for i, player in enumerate(everybody)
    )
    last = ", ".join(f"{line.name} {line.values[-1]}" for line in lines)
    said = up if name.lower() in up else f"{name.lower()}, {up}"
    alt = f"{name} by step, from step {moments[0][0]} to step {moments[-1][0]}: {said}. At the end: {last}."
    return [Heading(name), Chart(alt, tuple(str(number) for number, _ in moments), lines, "step", up)]
