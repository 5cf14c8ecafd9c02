"""Matches for the tests of the replay page: the bundled ones, and one full of hostile text."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path

from games.registry import load, names
from ledger import page as replay
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match
from ledger.tell.steps import Steps, steps_of
from tests.support.demos import SHARED

HOSTILE = (
    "<script>alert('boo')</script>",
    "</script><style>*{display:none}</style>",
    "<!--<script>",
    "]]>&lt;img src=x onerror=alert(1)&gt;",
    '"><svg/onload=alert(1)>',
    "`${alert(1)}`",
    "\u202egnp.exe",
    "```\n@everyone",
    "\u2028//",
    "x" * 1900,
)


def demo_of(name: str) -> Path:
    """The bundled match of a game."""
    game = load(name)
    return Path(str(sys.modules[f"games.{name}"].__file__)).parent / game.demo


DEMOS = [name for name in names() if demo_of(name).is_file()]


def played(name: str, folder: Path) -> Match:
    """The bundled match of a game, played to its end, in a new folder."""
    return Match(str(SHARED.copy(name, folder) / "log.jsonl"))


@functools.lru_cache(maxsize=64)
def whole(match: Match, viewer: str) -> Steps:
    """Its steps for an audience, made once for all tests of a match that goes no further."""
    return steps_of(match, match.fold, viewer)


@functools.lru_cache(maxsize=64)
def made(match: Match, *viewers: str) -> str:
    """The page for these audiences, made once as well."""
    return replay.page([whole(match, viewer) for viewer in viewers])


def typing(folder: str, host: str) -> Callable[..., int]:
    """`hl` in that folder, by that host."""

    def typed(*words: str) -> int:
        place = [] if words[0] == "new" else ["-g", folder, "--as", host]
        return run([*place, *words], App())

    return typed


def hostile_match(folder: Path) -> Match:
    """A match in which every name, the title, the notes and rulings are hostile."""
    called = [f"{i}{text.replace(chr(10), ' ')}"[:60] for i, text in enumerate(HOSTILE)]
    rows = [f"p{i} = {{ name = {json.dumps(name)} }}" for i, name in enumerate(called[:8], start=1)]
    head = [
        'game = "equilibrium"',
        f"title = {json.dumps(HOSTILE[0])}",
        'zone = "UTC"',
        'hosts = ["mara"]',
        "[players]",
    ]
    file = folder / "match.toml"
    file.write_text("\n".join([*head, *rows]), encoding="utf-8")
    match = str(folder / "m")
    hl = typing(match, "mara")
    assert hl("new", match, "--from", str(file)) == 0
    for text in HOSTILE:
        assert hl("note", text) == 0 and hl("ruling", text) == 0
    return Match(f"{match}/log.jsonl")
