"""One line out of several, of a file or the shell: its words as a shell reads them, and running it."""

from __future__ import annotations

import re
import shlex

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.failing import fail

_WINDOWS_PATH = re.compile(r"(?<![^\s=])(?:[A-Za-z]:|\\)\\[^\s'\"]*")
"""A path with a drive or a server, outside quotes: its backslashes are meant."""


def run_words(app: App, words: list[str]) -> int:
    """Run one line of several; its global options are for itself alone."""
    from ledger.cli.root import run

    options = app.host_name, app.match_name, app.color, app.no_input
    code = run(bare(words), app)
    app.host_name, app.match_name, app.color, app.no_input = options
    return code


def run_line(app: App, line: str) -> int | None:
    """Run one line as it was typed; its exit code, None where there are no words. What cannot be read is told."""
    try:
        words = split_line(line)
    except Unreadable as error:
        return fail(app, error)
    return run_words(app, words) if words else None


def bare(words: list[str]) -> list[str]:
    """The words without a leading `hl`: lines are often copied with it."""
    return words[1:] if words[:1] in (["hl"], ["host-ledger"]) else words


def split_line(line: str) -> list[str]:
    """The words of a line, as a shell reads them; a comment begins with `#` alone, or a line with `#`.

    So `undo #12` means entry 12: read as a comment, it would strike another entry.

    Raises:
        Unreadable: `run.quotes`.
    """
    if line.lstrip().startswith("#"):
        return []
    if "\0" in line:
        raise Unreadable("run.quotes", "this line cannot be read: there is a NUL character in it", "take it out")
    line = _WINDOWS_PATH.sub(lambda path: path[0].replace("\\", "\\\\"), line)
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        for word in lexer:
            if word == "#":
                break
            words.append(word)
    except ValueError as error:
        raise Unreadable("run.quotes", f"this line cannot be read: {error}", "close the quotes") from None
    return words
