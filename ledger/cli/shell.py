"""`hl shell`: the same commands without `hl`, until Ctrl-D. The match stays in memory; only what is new is read.

Belongs here: the loop, its prompt, what its history may keep. Does not belong here: keys and menus (prompt.py), which
words there are (complete.py), what a line does (root.run, as everywhere).
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Literal

from events.disk import DISK
from events.errors import Unreadable
from ledger.cli.app import App

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


INSTALL = "pip install 'host-ledger[shell]'"
LEAVE = ("exit", "quit")


def do_shell(app: App, plain: bool) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unreadable("shell.terminal", "a shell needs a terminal", "hl run - reads commands from a pipe")
    return loop(app, input if plain else _session(app))


def _session(app: App) -> Callable[[str], str]:
    """The prompt with completion and history.

    Raises:
        Unreadable: `shell.extra`, what it needs is not installed.
    """
    try:
        from ledger.cli.prompt import session
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "prompt_toolkit":
            raise
        raise Unreadable(
            "shell.extra", "prompt_toolkit is not installed", f"{INSTALL}, or without completion: hl shell --plain"
        ) from None
    match = app.glance()
    path = history_file(match.book.game_id if match else None)
    if path is None:
        app.to_host("the history of this session is not kept: its folder cannot be written")
    return session(app, path)


def loop(app: App, ask: Callable[[str], str]) -> int:
    """Ask for lines and run each; Ctrl-C drops a line, Ctrl-D leaves."""
    import gc

    from ledger.cli.root import fail
    from ledger.cli.tools import run_words, split_line

    gc.enable()  # many commands in one process: here collecting pays
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
        elif words and words[0] in LEAVE:
            return 0
        elif words:
            run_words(app, words)


def prompt(app: App) -> str:
    """What stands before the cursor: the match and its phase, or `hl` where there is none."""
    try:
        match = app.glance()
        said = f"{match.table.title} · {match.table.phase}" if match else "hl"
    except Exception:  # whatever is wrong with the log, the next command says it
        said = "hl"
    return "".join(c if c.isprintable() else "?" for c in said) + "> "


# ---- history -----------------------------------------------------------------------------------------------------


def kept(app: App, line: str) -> Literal["file", "session", "nowhere"]:
    """Where a line may be remembered: words that a player sealed nowhere, a line with a slip until the shell ends."""
    from ledger.cli.commands import VERBS
    from ledger.cli.complete import Here, action_of, grammar, match_named, take_apart
    from ledger.cli.tools import bare, split_line

    try:
        words = bare(split_line(line))
    except Unreadable:
        words = bare(line.split())
    game = Here(match_named(words) or app.match_name).game()
    half = take_apart(words, lambda name: grammar(name, game))
    cls = action_of(half.verb or "", game)
    if cls is None and half.verb not in VERBS:
        return "session"
    sealed = {name for one in (game.actions if game else ()) for name in _sealed(one)}
    if half.verb == "amend" and any(word.partition("=")[0].replace("-", "_") in sealed for word in half.words):
        return "nowhere"
    if half.verb == "override" and half.words and half.words[0].replace("-", "_") in sealed:
        return "nowhere"
    return "nowhere" if cls is not None and _sealed(cls) else "file"


def _sealed(cls: type) -> list[str]:
    from games.records import fields

    return [field.name for field in fields(cls) if field.arg.sealed]


def history_file(game_id: str | None, env: Mapping[str, str] = os.environ, system: str = DISK.system) -> str | None:
    """The file that keeps the lines of one match, made readable for its owner alone; None where it cannot be.

    It lies in the folder that the system has for such things, never beside the log: a match folder is handed on.
    """
    home = os.path.expanduser("~")
    if system == "windows":
        base = env.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif system == "macos":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = env.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
    folder = os.path.join(base, "host-ledger")
    path = os.path.join(folder, f"history-{game_id[:16] if game_id else 'none'}")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        DISK.close(DISK.open(path, os.O_RDWR | os.O_CREAT))
    except OSError:
        return None
    return path
