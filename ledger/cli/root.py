"""The root of the command line: finding the verb and running it. What becomes of an error: failing.py.

Which verbs there are stands in commands.py, which imports next to nothing. Each verb is a click command of its own;
click is imported when one is run.
"""

from __future__ import annotations

import os
import sys

from events.disk import DISK
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
    groups["options"] = [(param.typed, param.help) for param in (*GLOBAL, *ALONE)]
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
    from games.kinds import shown
    from ledger.cli.meant import advice, by_meaning

    known = [*VERBS, "help", *own]
    actions = games_with(verb)
    if actions and ([*words] == ["--help"] or not by_meaning(verb, known)):
        names = " and ".join(actions)
        if [*words] == ["--help"]:
            app.to_host(f"{verb} is a verb of {names}, and needs a match of it")
            return command_for(next(iter(actions.values())))
        what = f"there is no verb {verb} here: it is one of {names}, and needs a match of it"
        raise Unreadable("verb.unknown", what, f"hl {verb} --help")
    raise Unreadable("verb.unknown", f"there is no verb {shown(verb)}", advice(verb, known))


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
        from ledger.cli.failing import fail

        return fail(app, error)
    except KeyboardInterrupt:
        from ledger.cli.failing import interrupted

        return interrupted()
    except Exception as error:
        from ledger.cli.failing import silence, unexpected

        if isinstance(error, OSError) and DISK.reader_gone(error):
            silence()
            return 0  # the reader of a pipe has gone: not an error of a read
        return unexpected(error)


def _print_help(text: str, stream: TextIO | None) -> None:
    if stream is not None and stream.isatty():
        from ledger.cli.screen import fitted, width

        text = fitted(text, width(stream))
    print(text, file=stream)


def _mirror(app: App, verb: str) -> None:
    """Where the match is given by a URL, see to it that this machine has a mirror."""
    url = app.match_name or os.environ.get("HL_MATCH") or ""
    if is_url(url) and verb != "clone":
        from ledger.cli.clone import ensure

        ensure(app, url)


def _own_option(app: App, verb: str, option: str, value: str) -> bool:
    from ledger.cli.derive import own_option

    return own_option(app, verb, option, value)


def _run_verb(app: App, verb: str, words: list[str]) -> int:
    try:
        command = find(app, verb, words)
    except Unreadable as error:
        if error.code != "verb.unknown" or not (alias := _alias(app, verb)):
            raise
        verb, words = alias[0], [*alias[1:], *words]
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
        with command.make_context(f"hl {verb}", list(words), obj=app, terminal_width=_width()) as context:
            result = command.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        from ledger.cli.failing import usage_error

        raise usage_error(error) from None


def _width() -> int:
    """Columns for help texts. Asking here saves click an import of eight modules at every start."""
    from ledger.cli.screen import width

    columns = width()
    return 80 if columns is None else max(50, min(100, columns - 2))
