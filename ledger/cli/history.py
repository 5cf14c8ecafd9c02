"""What `hl shell` remembers of the lines that were typed, and in which file. What a player sealed is kept nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from events.disk import DISK, own_folder
from events.errors import Unreadable
from games.records import fields
from ledger.cli.app import App
from ledger.cli.completion import Looking
from ledger.cli.derive import game_here
from ledger.cli.root import bare, half_typed, match_named, split_line
from ledger.cli.verbs import SHARED


def kept(app: App, line: str) -> Literal["file", "session", "nowhere"]:
    """Where a line may be remembered: words that a player sealed nowhere, a line with a slip until the shell ends."""
    try:
        words = bare(split_line(line))
    except Unreadable:
        words = bare(line.split())
    looking = Looking(match_named(words) or app.match_name)
    game = game_here(looking) if looking.has_match else None
    name, verb, typed = half_typed(looking, words)
    if verb is None or (verb.record is None and name not in SHARED):
        return "session"
    sealed = {field for action in (game.actions if game else ()) for field in _sealed(action)}
    named = [word.partition("=")[0].replace("-", "_") for word in typed]
    if (name == "amend" and sealed & {*named}) or (name == "override" and sealed & {*named[:1]}):
        return "nowhere"
    return "nowhere" if verb.record is not None and _sealed(verb.record) else "file"


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
