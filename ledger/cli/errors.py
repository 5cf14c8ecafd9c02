"""What becomes of an error: one message, a line that helps, and the exit code of its kind.

Source: docs/commands.md, exit codes.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from events.disk import DISK
from events.errors import (
    Damaged,
    LedgerError,
    NotRecorded,
    OutcomeUnknown,
    Refused,
    Unmet,
    Unprinted,
    Unreadable,
)  # fmt: skip
from games.registry import names
from ledger.cli.app import App
from ledger.cli.terminal import escape_controls
from ledger.cli.verb import VALUE_MARK
from ledger.cli.verbs import shared_verb
from ledger.core import outside
from ledger.core.clash import not_ours, refuse
from ledger.core.quoting import advice
from ledger.core.tomlfile import Faulty
from ledger.render.safe import json_text, without_pings

EXIT_CODES: dict[type[LedgerError], int] = {
    Unreadable: 2,
    Refused: 3,
    Damaged: 4,
    Unmet: 5,
    NotRecorded: 6,
    OutcomeUnknown: 7,
    Unprinted: 8,
}


def exit_code(error: LedgerError) -> int:
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), 1)


def ended(app: App, error: BaseException) -> int:
    match error:
        case LedgerError():
            return fail(app, error)
        case click.UsageError():
            return fail(app, usage_error(error))
        case KeyboardInterrupt():
            print("interrupted; nothing more was done", file=sys.stderr)  # noqa: T201
            return 130
        case OSError() if DISK.reader_gone(error):
            silence()
            return 0  # the reader of a pipe has gone: not an error of a read
        case _:
            return unexpected(error)


def usage_error(error: click.UsageError) -> Unreadable:
    """click's own complaint in our form, with the usage line as the fix."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None and error.ctx.parent is None:
        return Unreadable("command.usage", f"there is no option {error.option_name}", "hl --help")
    what = error.format_message().rstrip(".").replace(VALUE_MARK, "")
    what = what[0].lower() + what[1:]
    examples = getattr(error.ctx.command, "examples", ()) if error.ctx else ()
    usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else "hl --help"
    missing = getattr(error, "param", None) if isinstance(error, click.MissingParameter) else None
    places = [param for param in error.ctx.command.params if isinstance(param, click.Argument)] if error.ctx else []
    if missing is not None and error.ctx is not None:
        is_option = isinstance(missing, click.Option)
        what = f"{f'option {missing.opts[0]}' if is_option else missing.make_metavar(error.ctx)} is missing"
        usage += f" {missing.opts[0]} {missing.metavar}" if is_option else ""
        what += _taken(error.ctx, places)
    elif what.startswith("got unexpected extra argument") and error.ctx is not None:
        takes = " ".join(param.make_metavar(error.ctx) for param in places) or "nothing"
        more = what.partition("(")[2].removesuffix(")")
        what = f"{error.ctx.info_name} takes {takes} after it; too much is: {more}{_taken(error.ctx, places)}"
    return Unreadable("command.usage", what, f"like: {examples[0].format(game=names()[0])}" if examples else usage)


def _taken(ctx: click.Context, places: list[click.Argument]) -> str:
    """Which word was taken for which place, where there are several places."""
    words = [f"{p.make_metavar(ctx)} {word}" for p in places if isinstance(word := ctx.params.get(p.name or ""), str)]
    return f"; read as {', '.join(words)}" if len(places) > 1 and words else ""


def fail(app: App, error: LedgerError) -> int:
    try:
        if app.json:
            app.out(json_text({"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}))
        else:
            first, *lines = error.what.split("\n") if isinstance(error, Faulty) else [error.what]
            app.note(without_pings(f"hl: {first} [{error.code}]"), style="wrong")
            app.note(*(without_pings(f"  {line}") for line in lines))
        for line in error.host_only.splitlines():
            before, found, command = line.rpartition(": hl ")
            app.to_host(
                f"  host only: {before}: {_with_match(app, f'hl {command}')}" if found else f"  host only: {line}"
            )
        app.to_host(*(f"  {advice(_with_match(app, line))}" for line in (() if app.json else error.fix.splitlines())))
    except OSError:
        silence()
    return exit_code(error)


def _with_match(app: App, line: str) -> str:
    """A line to run in the same place, as far as its verb needs the match and the host."""
    words = line.split()
    if words[:1] != ["hl"] or len(words) < 2 or words[1].startswith("-"):
        return line
    verb = shared_verb(words[1])
    of_match = verb is None or verb.audience != "none" or verb.name == "verify"
    return app.in_place(line, of_match=of_match, records=verb is None or verb.writes)


def unexpected(error: BaseException) -> int:
    if os.environ.get("HL_DEBUG"):
        raise error
    if isinstance(error, ImportError) and (names := not_ours()):
        return refuse(names)
    where = _in_a_game(error)
    with suppress(OSError):
        what = f"{where or 'unexpected'}: {type(error).__name__}: {escape_controls(str(error))}"
        print(f"hl: {what} [unexpected]", file=sys.stderr)  # noqa: T201
        print("  try: hl verify", file=sys.stderr)  # noqa: T201
        print("  HL_DEBUG=1 shows where it came from", file=sys.stderr)  # noqa: T201
    silence()
    return 1


def _in_a_game(error: BaseException) -> str:
    """Where the code of a game from outside failed: its author mends that, nobody here."""
    of = {row.entry_point.module.partition(".")[0]: row for row in outside.listed() if row.trusted}
    found, step = "", error.__traceback__
    while step is not None:
        code, name = step.tb_frame.f_code, str(step.tb_frame.f_globals.get("__name__"))
        if row := of.get(name.partition(".")[0]):
            file = "/".join(code.co_filename.replace("\\", "/").rsplit("/", 2)[-2:])
            found = f"a fault in the game {row.name} of {row.package}, {file} line {step.tb_lineno}, in {code.co_name}"
        step = step.tb_next
    return found


def silence() -> None:
    """What a closed or full stream still holds goes nowhere: the interpreter must not complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # not a stream of the system
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
