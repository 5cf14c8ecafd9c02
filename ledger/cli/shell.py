"""`hl shell`: the same commands without `hl`, until Ctrl-D. The match stays in memory; only new lines are read."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable, Mapping
from typing import Literal

import click

from events.disk import DISK, own_folder
from events.errors import Unreadable
from games.records import fields
from ledger.cli.app import App
from ledger.cli.completion import Looking
from ledger.cli.derive import game_here
from ledger.cli.errors import fail
from ledger.cli.root import bare, half_typed, match_named, run_words, split_line
from ledger.cli.verb import verb
from ledger.cli.verbs import SHARED
from ledger.core.extras import NotInstalled


@verb("shell", "tools")
@click.option("--plain", is_flag=True, help="Without completion and history; needs nothing installed.")
def shell(app: App, plain: bool) -> int:
    """Type commands without hl, with completion, until Ctrl-D.

    hl shell
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unreadable("shell.terminal", "a shell needs a terminal", "hl run -")
    if plain:
        return loop(app, input)
    with NotInstalled("shell.extra", "hl shell", "shell", ", or without completion: hl shell --plain"):
        from ledger.cli.prompt import session  # an extra: 4.9 bare interpreters of `hl --help`
    match = app.glance()
    path = history_file(match.book.game_id if match else None)
    if path is None:
        app.to_host("the history of this session is not kept: hl cannot write to its folder")
    return loop(app, session(app, path, functools.partial(kept, app)))


def loop(app: App, ask: Callable[[str], str]) -> int:
    gc.enable()  # collecting pays with many commands in one process
    while True:
        try:
            words = split_line(ask(prompt(app)))
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        except Unreadable as error:
            fail(app, error)
            continue
        if words[:1] == ["shell"]:
            app.to_host("this is the shell; Ctrl-D leaves it")
        elif words and words[0] in ("exit", "quit"):
            return 0
        elif words:
            run_words(app, words)


def prompt(app: App) -> str:
    try:
        match = app.glance()
        text = f"{match.table.title} · {match.table.phase}" if match else "hl"
    except Exception:  # the next command will report what is wrong with the log
        text = "hl"
    return "".join(c if c.isprintable() else "?" for c in text) + "> "


def kept(app: App, line: str) -> Literal["file", "session", "nowhere"]:
    """Where a line may be remembered: nowhere if it has sealed words, only in this session if it has a mistake."""
    try:
        words = bare(split_line(line))
    except Unreadable:
        words = bare(line.split())
    looking = Looking(match_named(words) or app.match_name)
    game = game_here(looking)
    name, verb, typed = half_typed(looking, words)
    if verb is None or (verb.record is None and name not in SHARED):
        return "session"
    sealed = {field for action in (game.actions if game else ()) for field in _sealed(action)}
    named = [word.partition("=")[0].replace("-", "_") for word in typed]
    if (name == "amend" and sealed & {*named}) or (name == "override" and sealed & {*named[:2]}):
        return "nowhere"
    return "nowhere" if verb.record is not None and _sealed(verb.record) else "file"


def _sealed(cls: type) -> list[str]:
    return [field.name for field in fields(cls) if field.arg.sealed]


def history_file(game_id: str | None, env: Mapping[str, str] = os.environ, system: str = DISK.system) -> str | None:
    """The history file of a match, private to its owner and never beside the log; None if it cannot be written."""
    folder = own_folder("state", env, system)
    path = os.path.join(folder, f"history-{game_id[:16] if game_id else 'none'}")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        DISK.close(DISK.open(path, os.O_RDWR | os.O_CREAT))
    except OSError:
        return None
    return path
