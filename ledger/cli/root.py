"""`hl` itself: which verb a line means, running it, and what becomes of an error.

Each verb is a click command of its own (verb.py); the module that holds it is imported when it is asked for (verbs.py).
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress

import click

from events.disk import DISK, line_to_run
from events.errors import LedgerError, Unreadable
from games.kinds import nearest, shown
from ledger import __version__
from ledger.cli.app import App, exit_code
from ledger.cli.completion import VARIABLE, answer, fitting
from ledger.cli.derive import game_here, game_verb, games_with, own_verbs, verb_of
from ledger.cli.terminal import escape_controls, width
from ledger.cli.verb import VALUE_MARK, global_options
from ledger.cli.verbs import SHARED, shared_verb, shared_verbs
from ledger.core.clash import not_ours, refuse
from ledger.core.quoting import advice
from ledger.core.tomlfile import Faulty
from ledger.core.where import config_file
from ledger.render.safe import json_text, without_pings
from ledger.wire.seam import is_url

HELP = """host-ledger: record a match as you read it, prove it afterwards.

The match is the folder or URL given with -g, else $HL_MATCH, else the nearest folder above that holds log.jsonl.
Who records is --as NAME, else $HL_AS, else the only host. Both may stand before or after the verb; hl VERB --help
tells more.
"""

_WINDOWS_PATH = re.compile(r"(?<![^\s=])(?:[A-Za-z]:|\\)\\[^\s'\"]*")
"""A path with a drive or a server, outside quotes: its backslashes are meant."""


class Root(click.Group):
    """`hl`: the verbs that every match has, and those of the game of the match here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        game = game_here(ctx.obj) if ctx.obj.has_match else None
        own = [name for name, _ in own_verbs(ctx.obj, game)] + [*game.synonyms] if game else []
        return [*own, *SHARED]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if (command := shared_verb(name)) is not None:
            return command
        game = game_here(ctx.obj) if ctx.obj.has_match else None
        return game_verb(ctx.obj, game, name) if game else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of a line; `-g` after its verb counts as well, and a word of the host's own may stand for it.

        Raises:
            Unreadable: `verb.unknown`, with what may be meant.
        """
        app, (name, *words) = ctx.obj, args
        if name == "help":
            if words:
                return self.resolve_command(ctx, [words[0], "--help"])
            click.echo(ctx.get_help())
            ctx.exit()
        app.match_name = match_named(words) or app.match_name
        url = app.match_name or os.environ.get("HL_MATCH") or ""
        if is_url(url) and name != "clone" and not ctx.resilient_parsing:
            from ledger.cli.clone import ensure

            ensure(app, url)
        if (command := self.get_command(ctx, name)) is not None:
            return name, command, words
        if (alias := app.alias(name)) and (command := self.get_command(ctx, alias[0])) is not None:
            return alias[0], command, [*alias[1:], *words]
        if words == ["--help"] and (actions := games_with(name)):
            app.to_host(f"{name} is a verb of {' and '.join(actions)}, and needs a match of it")
            return name, verb_of(next(iter(actions.values()))), words
        raise self._unknown(ctx, alias[0] if alias else name)

    def _unknown(self, ctx: click.Context, name: str) -> Unreadable:
        if actions := games_with(name):
            what = f"there is no verb {name} here: it is one of {' and '.join(actions)}, and needs a match of it"
            return Unreadable("verb.unknown", what, f"hl {name} --help")
        known = [*dict.fromkeys([*SHARED, "help", *self.list_commands(ctx)])]
        near = [word for word in known if word.startswith(name)] if len(name) > 1 else []
        near = (near or nearest(name, known))[:3]
        hint = f"did you mean hl {' or hl '.join(near)}?" if near else "hl --help"
        return Unreadable("verb.unknown", f"there is no verb {shown(name)}", hint)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs by their groups: in a match with those of its game, and without those that mean nothing in it."""
        game = game_here(ctx.obj) if ctx.obj.has_match else None
        groups: dict[str, list[tuple[str, str]]] = {"set up": []}
        if game is not None:
            groups["this game"] = own_verbs(ctx.obj, game)
        for name, verb in shared_verbs().items():
            if game is None or verb.means_something(game.has):
                groups.setdefault(verb.group, []).append((name, verb.summary))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[click.shell_completion.CompletionItem]:
        if incomplete.startswith("-"):
            words = [word for param in self.get_params(ctx) for word in param.opts]
        else:
            words = self.list_commands(ctx)
        return [click.shell_completion.CompletionItem(word) for word in fitting(words, incomplete)]


@click.command(
    cls=Root, help=HELP, options_metavar="[-g MATCH] [--as HOST]", subcommand_metavar="VERB ...", params=[*global_options(hidden=False)], invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.version_option(__version__, message="host-ledger %(version)s")
@click.pass_context
def hl(ctx: click.Context) -> int:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    return 0


def half_typed(app: App, words: list[str]) -> tuple[str, click.Command | None, list[str]]:
    """The verb of a line that may have slips in it, its command if there is one, and all that stands after it."""
    with click.Context(hl, obj=app, resilient_parsing=True) as ctx:
        try:
            _, (name, *rest), _ = hl.make_parser(ctx).parse_args(list(words))
            return name, hl.get_command(ctx, name), rest
        except (click.UsageError, ValueError):
            return "", None, []


def match_named(words: list[str]) -> str | None:
    """The value of `-g`, wherever it stands."""
    for i, word in enumerate(words):
        if word == "--":
            break
        name, eq, value = word.partition("=")
        if name in ("-g", "--match"):
            return value if eq else next(iter(words[i + 1 :]), None)
    return None


# ---- running a line --------------------------------------------------------------------------------------------------


def run(args: list[str], app: App | None = None) -> int:
    """Run one command line; the exit code. Never raises for what a host can cause or meet.

    Source: docs/commands.md, exit codes.
    """
    if instruction := os.environ.get(VARIABLE):
        return answer(hl, instruction)
    app = app or App()
    app.begin(args)
    try:
        if os.path.exists(config_file()):
            app.config  # noqa: B018  what is wrong in it is said before anything is done
        result = _invoke(app, args)
        app.back_up()
        if sys.stdout is not None:
            sys.stdout.flush()
        return result
    except LedgerError as error:
        return fail(app, error)
    except KeyboardInterrupt:
        print("interrupted; nothing more was done", file=sys.stderr)  # noqa: T201
        return 130
    except Exception as error:
        if isinstance(error, OSError) and DISK.reader_gone(error):
            silence()
            return 0  # the reader of a pipe has gone: not an error of a read
        return unexpected(error)


def _invoke(app: App, args: list[str]) -> int:
    columns = width()
    columns = 80 if columns is None else max(30, min(100, columns - 2))
    try:
        # Not `hl.main`: it makes a closed pipe an exit code of its own.
        with hl.make_context("hl", args, obj=app, terminal_width=columns) as context:
            result = hl.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        raise _usage_error(error) from None


# ---- one line out of several: of a file, or the shell ----------------------------------------------------------------


def run_words(app: App, words: list[str]) -> int:
    """Run one line of several; its global options are for itself alone."""
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


# ---- errors ----------------------------------------------------------------------------------------------------------


def _usage_error(error: click.UsageError) -> Unreadable:
    """click's own complaint in our form, with the usage line as the fix."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None and error.ctx.parent is None:
        return Unreadable("command.usage", f"there is no option {error.option_name}", "hl --help")
    what = error.format_message().rstrip(".").replace(VALUE_MARK, "")
    what = what[0].lower() + what[1:]
    usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else "hl VERB --help"
    missing = getattr(error, "param", None) if isinstance(error, click.MissingParameter) else None
    if missing is not None and error.ctx is not None:
        is_option = isinstance(missing, click.Option)
        what = f"{f'option {missing.opts[0]}' if is_option else missing.make_metavar(error.ctx)} is missing"
        usage += f" {missing.opts[0]} {missing.metavar}" if is_option else ""
    return Unreadable("command.usage", what, usage)


def fail(app: App, error: LedgerError) -> int:
    """Say what is wrong, what can be done, and leave with the code of its kind, also where nothing can be said."""
    try:
        if app.json:
            app.out(json_text({"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}))
        else:
            first, *lines = error.what.split("\n") if isinstance(error, Faulty) else [error.what]
            app.note(without_pings(f"hl: {first} [{error.code}]"), "wrong")
            for line in lines:
                app.note(without_pings(f"  {line}"))
            for line in error.fix.splitlines():
                app.to_host(f"  {advice(_with_match(app, line))}")
        for line in error.host_only.splitlines():
            app.to_host(f"  host only: {line}")
    except OSError:
        silence()
    return exit_code(error)


def _with_match(app: App, line: str) -> str:
    """A line to run with the match and the host that this command named: it is typed in the same place.

    What is no file here is not repeated: an address may hold a password.
    """
    words = line.split()
    if words[:1] != ["hl"] or len(words) < 2 or words[1].startswith("-"):
        return line
    verb, options = shared_verb(words[1]), list[str]()
    of_match = verb is None or verb.audience != "none" or verb.name == "verify"
    if of_match and app.match_name and os.path.exists(os.path.expanduser(app.match_name)):
        options += ["-g", app.match_name]
    if app.host_name and (verb is None or verb.writes):
        options += ["--as", app.host_name]
    return line.replace("hl", line_to_run("hl", *options), 1) if options else line


def unexpected(error: Exception) -> int:
    """A bug, or a terminal that takes nothing, in a few lines; $HL_DEBUG shows where."""
    if os.environ.get("HL_DEBUG"):
        raise error
    if isinstance(error, ImportError) and (names := not_ours()):
        return refuse(names)
    with suppress(OSError):
        text = escape_controls(str(error))
        print(f"hl: unexpected: {type(error).__name__}: {text} [unexpected]", file=sys.stderr)  # noqa: T201
        print("  try: hl verify", file=sys.stderr)  # noqa: T201
        print("  HL_DEBUG=1 shows where it came from", file=sys.stderr)  # noqa: T201
    silence()
    return 1


def silence() -> None:
    """What a closed or full stream still holds goes nowhere: the interpreter must not complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # not a stream of the system
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
