"""The root of the command line: finding the verb, running it, and what becomes of an error.

Which verbs there are stands in commands.py, which imports next to nothing. Each verb is a click command of its own;
click is imported when one is run.
"""

from __future__ import annotations

import os
import sys

from events.disk import DISK, line_to_run
from events.errors import LedgerError, Unreadable
from ledger.cli.command import means
from ledger.cli.commands import TABLE, VERBS
from ledger.cli.params import ALONE, GLOBAL
from ledger.core.where import config_file
from ledger.wire.seam import is_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    import click

    from ledger.cli.app import App

HELP = """Usage: hl [-g MATCH] [--as HOST] VERB ...

host-ledger: record a match as you read it, prove it afterwards.

The match is the folder or URL given with -g, else $HL_MATCH, else the nearest
folder above that holds log.jsonl. Who records is --as NAME, else $HL_AS, else the
only host. Both may stand before or after the verb; hl VERB --help tells more.
"""


def help_text(app: App) -> str:
    """The text of `hl --help`: in a match with the verbs of its game."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for row in TABLE:
        groups.setdefault(row.group, []).append((row.name, row.help))
    if app.has_match:
        from ledger.cli.own_verbs import own_verbs

        own, has = own_verbs(app)
        if has is not None:
            groups = {name: [row for row in rows if means(row[0], has)] for name, rows in groups.items()}
        groups = {"set up": groups.pop("set up"), "this game": own, **groups}
    groups["options"] = [(one.typed, one.help) for one in (*GLOBAL, *ALONE)]
    parts = [HELP]
    for name, rows in groups.items():
        width = max((len(word) for word, _ in rows), default=0)
        parts.append("\n".join([f"{name}:", *(f"  {word:<{width}}  {text}" for word, text in rows), ""]))
    return "\n".join(parts).rstrip()


def find(app: App, verb: str, words: Sequence[str] = ()) -> click.Command:
    """The command of a verb: a shared one, or one of the match's own game; for its help, of any game that has it.

    Raises:
        Unreadable: `verb.unknown`, with what may be meant.
    """
    if (row := VERBS.get(verb)) is not None:
        import importlib

        from ledger.cli.derive import command_of

        module = importlib.import_module(f"ledger.cli.{row.module}") if row.module else None
        return command_of(row, getattr(module, f"do_{verb.replace('-', '_')}", None))
    from ledger.cli.derive import command_for, game_command, games_with
    from ledger.cli.own_verbs import own_verbs

    own: list[str] = []
    if app.has_match:
        if (command := game_command(app, verb)) is not None:
            return command
        own = [name for name, _ in own_verbs(app)[0]]
    if having := games_with(verb):
        names = " and ".join(having)
        if [*words] == ["--help"]:
            app.to_host(f"{verb} is a verb of {names}, and needs a match of it")
            return command_for(next(iter(having.values())))
        what = f"there is no verb {verb} here: it is one of {names}, and needs a match of it"
        raise Unreadable("verb.unknown", what, f"hl {verb} --help")
    from games.kinds import nearest, shown

    known = [*VERBS, "help", *own]
    near = [name for name in known if name.startswith(verb)] if len(verb) > 1 else []
    near = (near or nearest(verb, known))[:3]
    hint = f"did you mean hl {' or hl '.join(near)}?" if near else "hl --help"
    raise Unreadable("verb.unknown", f"there is no verb {shown(verb)}", hint)


def run(args: list[str], app: App | None = None) -> int:
    """Run one command line; the exit code. Never raises for what a host can cause or meet.

    Source: design section 8, exit codes.
    """
    if args and args[0] == "__complete":
        from ledger.cli.complete import main as complete

        return complete(args[1:])
    from ledger.cli.app import App

    app = app or App()
    try:
        if os.path.exists(config_file()):
            app.config  # noqa: B018  what is wrong in it is said before anything is done
        words = app.take(list(args), _own_option)
        if words[:1] == ["help"] and len(words) > 1:
            words = [words[1], "--help"]
        if not words or words[0] in ("-h", "--help", "help"):
            _print_help(help_text(app), sys.stdout if words else sys.stderr)
            return 0 if words else 2
        if words[0] == "--version":
            from ledger import __version__

            print("host-ledger", __version__)  # noqa: T201
            return 0
        if words[0].startswith("-"):
            raise Unreadable("command.usage", f"there is no option {words[0]}", "hl --help")
        _mirror(app, words[0])
        code = _run_verb(app, words[0], words[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except LedgerError as error:
        return fail(app, error)
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as error:
        if isinstance(error, OSError) and DISK.reader_gone(error):
            _silence()
            return 0  # the reader of a pipe has gone: not an error of a read
        return _unexpected(error)


def _print_help(text: str, stream: TextIO | None) -> None:
    if stream is not None and stream.isatty():
        from ledger.cli.screen import fitted, width

        text = fitted(text, width(stream))
    print(text, file=stream)


def _mirror(app: App, verb: str) -> None:
    """Where a URL says which match is meant, see to it that this machine has a mirror."""
    named = app.match_name or os.environ.get("HL_MATCH") or ""
    if is_url(named) and verb != "clone":
        from ledger.cli.shared import ensure

        ensure(app, named)


def _own_option(app: App, verb: str, option: str, value: str) -> bool:
    from ledger.cli.derive import own_option

    return own_option(app, verb, option, value)


def _run_verb(app: App, verb: str, words: list[str]) -> int:
    try:
        command = find(app, verb, words)
    except Unreadable as error:
        if error.code != "verb.unknown" or not (meant := _alias(app, verb)):
            raise
        verb, words = meant[0], [*meant[1:], *words]
        command = find(app, verb, words)
    code = _invoke(app, command, verb, words)
    app.back_up()
    return code


def _alias(app: App, word: str) -> list[str]:
    """The verb, and words after it, for which the host has settled this word: at a terminal, where no file is run."""
    if app.running or not app.may_ask:
        return []
    return app.config.aliases.get(word, "").split()


def _invoke(app: App, command: click.Command, verb: str, words: list[str]) -> int:
    import click

    try:
        # Not `command.main`: it makes a closed pipe an exit code of its own.
        with command.make_context(f"{app.prog} {verb}", list(words), obj=app, terminal_width=_width()) as context:
            result = command.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        return _interrupted()
    except click.UsageError as error:
        return fail(app, _usage(error))


def _unexpected(error: Exception) -> int:
    """A bug, or a terminal that takes nothing: said in two lines; $HL_DEBUG shows where."""
    if os.environ.get("HL_DEBUG"):
        raise error
    if isinstance(error, ImportError):
        from ledger.core.clash import not_ours, refuse

        if names := not_ours():
            return refuse(names)
    from ledger.cli.guard import escape_controls

    try:
        print(f"hl: unexpected: {type(error).__name__}: {escape_controls(str(error))} [unexpected]", file=sys.stderr)  # noqa: T201
        print("  try: hl verify", file=sys.stderr)  # noqa: T201
        print("  HL_DEBUG=1 shows where it came from", file=sys.stderr)  # noqa: T201
    except OSError:
        pass
    _silence()
    return 1


def _silence() -> None:
    """What a closed or full stream still holds goes nowhere: the interpreter must not complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            except (OSError, ValueError):
                pass  # not a stream of the system


def _interrupted() -> int:
    print("interrupted; nothing more was done", file=sys.stderr)  # noqa: T201
    return 130


def _width() -> int:
    """Columns for help texts. Asking here saves click an import of eight modules at every start."""
    from ledger.cli.screen import width

    columns = width()
    return 80 if columns is None else max(50, min(100, columns - 2))


def _usage(error: click.UsageError) -> Unreadable:
    """click's own complaint in our form, with the usage line as the fix."""
    import click

    what = error.format_message().rstrip(".")
    what = what[0].lower() + what[1:]
    usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else "hl VERB --help"
    missing = getattr(error, "param", None) if isinstance(error, click.MissingParameter) else None
    if missing is not None:
        named = isinstance(missing, click.Option)
        what = f"{f'option {missing.opts[0]}' if named else missing.make_metavar(error.ctx)} is missing"
        usage += f" {missing.opts[0]} {missing.metavar}" if named else ""
    return Unreadable("command.usage", what, usage)


def _aimed(app: App, line: str) -> str:
    """A line to run with the match and the host that this command named: it is typed in the same place.

    What is no file here is not repeated: an address may hold a password.
    """
    words = line.split()
    if words[:1] != ["hl"] or len(words) < 2 or words[1].startswith("-"):
        return line
    row, given = VERBS.get(words[1]), []
    of_match = row is None or row.audience != "none" or row.name == "verify"
    if of_match and app.match_name and os.path.exists(os.path.expanduser(app.match_name)):
        given += ["-g", app.match_name]
    if app.host_name and (row is None or row.writes):
        given += ["--as", app.host_name]
    return line.replace("hl", line_to_run("hl", *given), 1) if given else line


def fail(app: App, error: LedgerError) -> int:
    """Say what is wrong, what can be done, and leave with the code of its kind, also where nothing can be said."""
    from ledger.cli.app import exit_code

    try:
        if app.json:
            from ledger.render.safe import json_text

            told = {"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}
            app.out(json_text(told))
        else:
            from ledger.core.quoting import advice
            from ledger.core.tomlfile import Faulty
            from ledger.render.discord import code, escape
            from ledger.render.safe import filled

            first, *lines = error.what.split("\n") if isinstance(error, Faulty) else [error.what]
            app.note(filled("hl: {} [{}]", escape(first), code(error.code)), "wrong")
            for line in lines:
                app.note(filled("  {}", escape(line)))
            for line in error.fix.splitlines():
                app.to_host(f"  {advice(_aimed(app, line))}")
        for line in error.host_only.splitlines():
            app.to_host(f"  host only: {line}")
    except OSError:
        _silence()
    return exit_code(error)
