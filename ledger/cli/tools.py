"""Tools: run."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from events.errors import Unreadable
from ledger.cli.app import App


def do_run(app: App, source: str, keep_going: bool) -> int:
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable("run.missing", f"{source} cannot be read: {why}", "hl run FILE, or hl run -") from None
    return run_lines(app, text.splitlines(), source, keep_going=keep_going)


def run_lines(app: App, lines: list[str], source: str, *, keep_going: bool) -> int:
    """Run each line as a command of its own; the exit code of the first that failed. The log is read only once."""
    import gc

    from ledger.cli.root import fail

    gc.enable()  # many commands in one process: here collecting pays
    first = 0
    for number, line in enumerate(lines, start=1):
        try:
            words = split_line(line)
        except Unreadable as error:
            code = fail(app, error)
        else:
            if not words:
                continue
            code = run_words(app, words)
        if code:
            app.to_host(f"  ({source}, line {number}: {line.strip()})")
            first = first or code
            if not keep_going:
                break
    return first


def run_words(app: App, words: list[str]) -> int:
    """Run one line of several; its global options are for itself alone."""
    from ledger.cli.root import run

    said = app.host_name, app.match_name, app.color, app.no_input
    code = run(bare(words), app)
    app.host_name, app.match_name, app.color, app.no_input = said
    return code


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
