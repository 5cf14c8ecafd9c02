"""Tools: run, schema."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from events.errors import Unreadable
from games.kinds import shown
from ledger.cli.app import App
from ledger.cli.completion import SHELLS, choices, files, games, script
from ledger.cli.derive import game_here
from ledger.cli.root import hl, run_line
from ledger.cli.verb import verb
from ledger.core.inputs import MAX_TEXT_BYTES, read_text, too_large
from ledger.core.outside import load
from ledger.exchange.schema import as_text, schema
from ledger.render.safe import verbatim

MAX_NESTED = 4
"""Files of commands that may run one another, the outermost counted."""


@verb("run", "tools")
@click.argument("source", metavar="FILE|-", shell_complete=files)
@click.option("--keep-going", is_flag=True, help="Go on after a line that failed.")
def run_file(app: App, source: str, keep_going: bool) -> int:
    """Run commands from a file, one a line.

    Or from standard input; # begins a comment.
    """
    try:
        lines = (_stdin() if source == "-" else read_text(source)).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable("run.missing", f"{source} cannot be read: {why}", "hl run FILE") from None
    with _nested(app, source):
        return run_lines(app, lines, source, keep_going=keep_going)


def _stdin() -> str:
    text = sys.stdin.read(MAX_TEXT_BYTES + 1)
    if len(text) > MAX_TEXT_BYTES:
        raise too_large(MAX_TEXT_BYTES)
    return text.removeprefix("\ufeff")  # PowerShell puts one before what it hands on


@contextmanager
def _nested(app: App, source: str) -> Iterator[None]:
    """The file is being run. Refused where it runs itself, or too many files run one another."""
    path = source if source == "-" else os.path.realpath(source)
    if path in app.running:
        raise Unreadable("run.nested", f"{source} is running already: it runs itself", "take that line out")
    if len(app.running) >= MAX_NESTED:
        what = f"{source} was not run: {MAX_NESTED} files run one another already"
        raise Unreadable("run.nested", what, "put its commands into the file that runs it")
    app.running.append(path)
    try:
        yield
    finally:
        app.running.pop()


def run_lines(app: App, lines: list[str], source: str, *, keep_going: bool) -> int:
    """Run each line as a command of its own; the exit code of the first that failed. The log is read only once."""
    gc.enable()  # many commands in one process: here collecting pays
    first = 0
    for number, line in enumerate(lines, start=1):
        if code := run_line(app, line):
            app.to_host(f"  ({source}, line {number}: {line.strip()})")
            first = first or code
            if not keep_going:
                break
    return first


@verb("schema", "tools", audience="none")
@click.argument(
    "what",
    metavar="log|match|view|final|verify|write|simulate",
    shell_complete=choices("log", "match", "view", "final", "verify", "write", "simulate"),
)
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
def print_schema(app: App, what: str, game: str | None) -> None:
    """Print the JSON Schema of the log, of a match file, or of an answer in JSON.

    A part of log, match, view and write is each game's own: GAME, or that of the match here.
    """

    chosen = load(game) if game is not None else game_here(app) if app.has_match else None
    app.out(verbatim(as_text(schema(what, chosen))))


@verb("completion", "tools", audience="none")
@click.argument("shell", metavar="bash|zsh|fish|powershell", shell_complete=choices(*SHELLS))
def completion(app: App, shell: str) -> None:
    """Print the script that makes a shell complete hl: bash, zsh, fish, PowerShell.

    Its first lines say how.
    """
    if shell not in SHELLS:
        raise Unreadable(
            "completion.shell", f"there is no completion for {shown(shell)}", f"one of: {' '.join(SHELLS)}"
        )
    app.out(verbatim(script(hl, shell).rstrip("\n")))
