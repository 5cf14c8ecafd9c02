"""What a pair of matches is made of: steps, looks, scripts, and what left for the viewer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.table import actions as shared

PUBLIC = "public"
OUTSIDER = "zed"
"""Watches: is told what everybody is told."""
LOOKING = ("player", PUBLIC)
"""Who looks."""
HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
ABOUT = {"undo": shared.Undo, "redo": shared.Redo, "confirm": shared.Confirm}
PAGES = ("text", "discord")
HEADS = ("head", "entries")
KNOWN = "what he knows"
DRAWS = "what a draw would be"
UNTOLD = (KNOWN, DRAWS)
"""What stands in a trace and left for nobody."""
BLANKED = {
    "hashes of lines": "every seal has its salt, so nothing can be guessed from one; of a receipt the place of its "
    "line among those that are open to the viewer is compared",
    "the head that an anchor names": "it is of the newest line when the anchor was written, as every copy shows",
    "commitments, in a folder": "one comes out of fresh random bytes",
    "head and entries in the JSON of a finished match": "the copy of the log shows as much of every entry",
    "digest of a posted text": "it is of the text with its receipt",
    "the two moments in the answer of diff": "they are what the host has typed; a number among them tells how many "
    "entries there are before",
    "the drawing of a PNG, on paper": "it is compared as the SVG that it is drawn from",
}
"""What is not compared, each with the reason. Nothing else is blanked: numbers of entries are counted anew among the
lines that are open to the viewer (`copied`), which is all that he can know of them."""


class Step(NamedTuple):
    """One command as a host types it."""

    words: tuple[str, ...]
    """`@mark` stands for the number of the entry that the step of that mark wrote, `%3` for that of the fourth entry
    that the viewer knows of, `%3a` for the text of it to everybody. `--at TIME` as in the log."""
    at: int
    """When it is typed, ms."""
    seen: bool = False
    """The viewer knows of it: it stands in both scripts, and if it is refused he is told why."""
    mark: str = ""
    ok: bool = True
    """Of a hidden step: is it accepted? Otherwise the script is not the one its author meant."""
    by: str = ""
    told: bool = False
    """He hears of a hidden step, and when: it stands in both scripts, with something in it that he may not know."""
    line: bool = False
    """A command line of any game, run by the real command on paper too. Besides verbs: `copy NAME` takes a copy of the
    log, `in NAME ...` is a command there, `join NAME`; `outbox done ann:0` means the first text that waits for Ann."""


class Look(NamedTuple):
    """A moment at which everything is shown to the viewer. It stands in both scripts."""

    at: int
    probes: tuple[tuple[str, ...], ...] = ()
    """Commands that concern the viewer, tried and not recorded."""
    lines: tuple[tuple[str, ...], ...] | None = None
    """Commands that read, whose answers go to the viewer: instead of the usual ones. `FILE` is a new file, `%3` the
    number of the fourth entry that the viewer knows of, `audience:0` as in a step."""


class Script(NamedTuple):
    """A match from its file to its last step."""

    setup: Mapping[str, Any]
    """The match file, as `tomllib` would read it."""
    hands: Mapping[str, str]
    """What `deal --from` reads; may be empty in a game without a deal."""
    steps: tuple[Step | Look, ...]
    first: Mapping[str, str] = {}
    """What the first of several reads, where that is another; empty: the same."""


class Pair(NamedTuple):
    viewer: str
    one: Script
    other: Script


class Trace(NamedTuple):
    """What left for the viewer, in order, as (where it came from, text); among it, under `KNOWN`, what he may know."""

    out: tuple[tuple[str, Any], ...]
    crash: Exception | None = None
    """What ended it early, if anything: that leaves too."""
    others: tuple[str, ...] = ()
    """What left for everybody else: not compared between the matches of a pair (kept.py)."""
    happened: frozenset[str] = frozenset()
    """The kinds of facts in the match."""


class Shown(NamedTuple):
    """A setting at a look: its value, the last verb before it, and who looks. Play is still on."""

    setting: str
    value: Any
    after: str
    who: str
    """One of `LOOKING`."""


class NotAPair(Exception):
    """The candidate is not what was meant: a hidden step came out otherwise, or the viewer's knowledge differs."""


class Leak(AssertionError):
    """Something that left for the viewer differs."""
