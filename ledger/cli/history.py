"""What `hl shell` remembers of the lines that were typed, and in which file. What a player sealed is kept nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from events.disk import DISK, own_folder
from events.errors import Unreadable
from games.records import fields
from ledger.cli.app import App
from ledger.cli.candidates import CompletionContext
from ledger.cli.command_line import bare, split_line
from ledger.cli.commands import VERBS
from ledger.cli.partial_line import action_of, grammar, match_named, take_apart


def kept(app: App, line: str) -> Literal["file", "session", "nowhere"]:
    """Where a line may be remembered: words that a player sealed nowhere, a line with a slip until the shell ends."""
    try:
        words = bare(split_line(line))
    except Unreadable:
        words = bare(line.split())
    game = CompletionContext(match_named(words) or app.match_name).game()
    half = take_apart(words, lambda name: grammar(name, game))
    cls = action_of(half.verb or "", game)
    if cls is None and half.verb not in VERBS:
        return "session"
    sealed = {name for action in (game.actions if game else ()) for name in _sealed(action)}
    if half.verb == "amend" and any(word.partition("=")[0].replace("-", "_") in sealed for word in half.words):
        return "nowhere"
    if half.verb == "override" and half.words and half.words[0].replace("-", "_") in sealed:
        return "nowhere"
    return "nowhere" if cls is not None and _sealed(cls) else "file"


def _sealed(cls: type) -> list[str]:
    return [field.name for field in fields(cls) if field.arg.sealed]


def history_file(game_id: str | None, env: Mapping[str, str] = os.environ, system: str = DISK.system) -> str | None:
    """The file that keeps the lines of one match, made readable for its owner alone; None where it cannot be.

    It lies in the folder that the system has for such things, never beside the log: a match folder is handed on.
    """
    folder = own_folder("state", env, system)
    path = os.path.join(folder, f"history-{game_id[:16] if game_id else 'none'}")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        DISK.close(DISK.open(path, os.O_RDWR | os.O_CREAT))
    except OSError:
        return None
    return path
