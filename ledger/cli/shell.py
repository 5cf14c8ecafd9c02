"""`hl shell`: the same commands without `hl`, until Ctrl-D. The match stays in memory; only what is new is read.

Belongs here: the loop and its prompt. Does not belong here: keys and menus (prompt.py), which words there are
(complete.py), what is remembered (history.py), what a line does (root.run, as everywhere).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

import click

from events.errors import NotInstalled, Unreadable
from ledger.cli.app import App
from ledger.cli.failing import fail
from ledger.cli.history import history_file
from ledger.cli.root import run_words, split_line
from ledger.cli.verb import verb

LEAVE = ("exit", "quit")


@verb("shell", "tools")
@click.option("--plain", is_flag=True, help="Without completion and history; needs nothing installed.")
def shell(app: App, plain: bool) -> int:
    """Type commands without hl, with completion, until Ctrl-D."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unreadable("shell.terminal", "a shell needs a terminal", "hl run -")
    return loop(app, input if plain else _session(app))


def _session(app: App) -> Callable[[str], str]:
    with NotInstalled("shell.extra", "hl shell", "shell", ", or without completion: hl shell --plain"):
        from ledger.cli.prompt import session
    match = app.glance()
    path = history_file(match.book.game_id if match else None)
    if path is None:
        app.to_host("the history of this session is not kept: its folder cannot be written")
    return session(app, path)


def loop(app: App, ask: Callable[[str], str]) -> int:
    """Ask for lines and run each; Ctrl-C drops a line, Ctrl-D leaves."""
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
        text = f"{match.table.title} · {match.table.phase}" if match else "hl"
    except Exception:  # whatever is wrong with the log, the next command says it
        text = "hl"
    return "".join(c if c.isprintable() else "?" for c in text) + "> "
