"""A replay that anyone can watch: the steps of a match as one HTML page that loads nothing.

Every audience of the page has a block of data of its own, built from its own steps alone: nothing that none of them may
know is in the file. The page knows no game: it shows sentences and blocks.

Only pictures and charts become markup, and both come from `html.fragment`. The script inserts everything else as text.
A policy in the file forbids every other script, style and request.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from ledger.page.book import book
from ledger.render import html
from ledger.render.markup import escape
from ledger.tell.step import Steps

NAMES = {HOST_VIEWER: "the hosts", PUBLIC_VIEWER: "everybody"}
"""The names of the audiences that are not players."""
PAGE_FILES = ("watch.css", "watch.js", "watch.html")


def page(versions: Sequence[Steps]) -> str:
    """The whole file.

    Args:
        versions: The steps for each audience of the page, all of the same match; the first is shown first.
    """
    style, script, body = (_file(name) for name in PAGE_FILES)
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
    """JSON that may stand in a script element: nothing in it can end the element or begin a comment.

    >>> embedded("</script><!--")
    '"\\\\u003c/script>\\\\u003c!--"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _file(name: str) -> str:
    return resources.files("ledger.page").joinpath(name).read_text(encoding="utf-8").strip()


def called(steps: Steps) -> str:
    """The name of the audience of these steps."""
    seat = steps.match.table.seats.get(steps.viewer)
    return NAMES.get(steps.viewer, "") if seat is None else seat.name
