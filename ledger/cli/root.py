"""`hl` itself: find the verb of a line, run it, and report errors.

Each verb is a separate click command (verb.py), whose module is imported when the verb is used (verbs.py).
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from events.errors import LedgerError, Unreadable
from games import registry
from games.kinds import grouped, shown
from games.records import kebab
from games.table.rules import way_back
from ledger import __version__
from ledger.cli.completion import VARIABLE, Looking, answer, fitting
from ledger.cli.derive import game_here, game_verb, games_with, in_file, own_verbs, spoken_here, verb_of, verb_of_spoken
from ledger.cli.verb import Verb, global_options
from ledger.cli.verbs import EVENING, FOR_PROGRAMS, SHARED, advice, by_meaning, shared_verb, shared_verbs
from ledger.core.logs import config_file
from ledger.wire.plugin import is_url

if TYPE_CHECKING:
    from ledger.cli.app import App

HELP = (
    "host-ledger: record a match as you read it, prove it afterwards.\n\nThe match is the folder or URL given with "
    "-g, else $HL_MATCH, else the nearest folder above that holds log.jsonl.\nWho records is --as NAME, else "
    "$HL_AS, else the only host. Both may stand before or after the verb; hl VERB --help\ntells more; hl help all "
    "also lists what is for programs and for authors of games.\n"
)

EVERYTHING = "ledger.everything"
"""Key in `ctx.meta` that is set for `hl help all`."""


class Root(click.Group):
    def own(self, ctx: click.Context) -> list[str]:
        return [name for name, _ in own_verbs(ctx.obj, game) if " " not in name] if (game := game_here(ctx.obj)) else []

    def list_commands(self, ctx: click.Context) -> list[str]:
        game = game_here(ctx.obj)
        return [*self.own(ctx), *(game.synonyms if game else ()), *SHARED]

    def get_command(self, ctx: click.Context, name: str) -> Verb | None:
        if (command := shared_verb(name)) is not None:
            return command
        return game_verb(ctx.obj, game, name) if (game := game_here(ctx.obj)) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of a line. `-g` after the verb works too, and the host's config may define aliases for verbs.

        Raises:
            Unreadable: `verb.unknown`, with verbs that may be meant.
        """
        app, (name, *words) = ctx.obj, args
        if name == "help":
            ctx.meta[EVERYTHING] = words[:1] == ["all"]
            if words and not ctx.meta[EVERYTHING]:
                game = game_here(ctx.obj)
                spoken = spoken_here(ctx.obj, game).get(" ".join(words[1:])) if game else None
                if spoken is not None and words[0] == kebab(spoken.action):
                    return words[0], verb_of_spoken(" ".join(words), spoken), ["--help"]
                return self.resolve_command(ctx, [words[0], "--help"])
            click.echo(ctx.get_help())
            ctx.exit()
        app.match_name = match_named(words) or app.match_name
        url = app.match_name or os.environ.get("HL_MATCH") or ""
        if is_url(url) and name != "clone" and not ctx.resilient_parsing:
            from ledger.cli.sharing import ensure  # 1 bare interpreter of each trade, 1.7 of each Tab

            ensure(app, url)
        if (command := self.get_command(ctx, name)) is not None:
            return name, command, words
        if (alias := app.alias(name)) and (command := self.get_command(ctx, alias[0])) is not None:
            return alias[0], command, [*alias[1:], *words]
        if words == ["--help"] and (actions := games_with(name)):
            app.to_host(f"{name} is a verb of {' and '.join(actions)}, and needs a match of that game")
            return name, verb_of(next(iter(actions.values()))), words
        raise self._unknown(ctx, alias[0] if alias else name, words)

    def _unknown(self, ctx: click.Context, name: str, words: list[str]) -> Unreadable:
        if ctx.obj.match_name or os.environ.get("HL_MATCH"):
            ctx.obj.log()  # if the named match does not exist, report that instead
        game = game_here(ctx.obj)
        fit = [verb.name for verb in shared_verbs().values() if game is None or verb.means_something(game.has)]
        spoken = spoken_here(ctx.obj, game) if game else {}
        known = [*fit, "help", *(own for own in self.own(ctx) if own not in spoken or not spoken[own].secret)]
        meant = by_meaning(name, known) if game or not games_with(name) else []
        if name in registry.names():
            what = f"{shown(name)} is a game, and no verb; this prints a match file of it, and how it is filled in"
            return Unreadable("verb.unknown", what, f"hl template {name}")
        table, lines = in_file(ctx.obj, name)
        if lines or (table and not meant):
            what = f"there is no verb {shown(name)}: the file has it under {table}"
            return Unreadable("verb.unknown", what, f"did you mean {' or '.join(lines)}?" if lines else "hl --help")
        if meant:
            hint = advice(name, known, *self._player(ctx, " ".join(words)))
            return Unreadable("verb.unknown", f"there is no verb {shown(name)}", hint)
        for verb in (name, *by_meaning(name)):
            if actions := games_with(verb):
                owned = f"{'it' if verb == name else verb} belongs to {' and '.join(actions)}"
                fix = f"hl -g FOLDER {verb} ..." if game is None else "hl --help"
                what = f"there is no verb {name} here: {owned}, and needs a match of that game"
                return Unreadable("verb.unknown", what, fix)
        typed = self._player(ctx, " ".join(words))
        hint = "the verb comes first, then the player" if self._player(ctx, name) else advice(name, known, *typed)
        return Unreadable("verb.unknown", f"there is no verb {shown(name)}", hint)

    def _player(self, ctx: click.Context, typed: str) -> tuple[str, ...]:
        """The player whom these words name, and the line by which they play again; empty if they name none."""
        with suppress(LedgerError):
            table = ctx.obj.match.table
            player = table.directory().find(typed)
            return (player, way_back(table, player))
        return ()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        game = game_here(ctx.obj)
        everything = ctx.meta.get(EVERYTHING, False)
        shared = {
            name: verb
            for name, verb in shared_verbs().items()
            if (everything or name not in FOR_PROGRAMS) and (game is None or verb.means_something(game.has))
        }
        groups: dict[str, list[tuple[str, str]]] = {}
        if game is not None:
            evening = [(name, shared.pop(name).summary) for name in EVENING]
            groups["this evening"] = [*own_verbs(ctx.obj, game), *evening]
        groups |= grouped((verb.group, (name, verb.summary)) for name, verb in shared.items())
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
    cls=Root, help=HELP, params=[*global_options(hidden=False)], invoke_without_command=True,
    options_metavar="[-g MATCH] [--as HOST]", subcommand_metavar="VERB ...",
    context_settings={"help_option_names": ["-h", "--help"]},
)  # fmt: skip
@click.version_option(__version__, message="host-ledger %(version)s")
@click.pass_context
def hl(ctx: click.Context) -> int:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        return 2
    return 0


def half_typed(app: App | Looking, words: list[str]) -> tuple[str, Verb | None, list[str]]:
    """The verb of a line that may have mistakes, its command if there is one, and the words after it."""
    with click.Context(hl, obj=app, resilient_parsing=True) as ctx:
        try:
            _, (name, *rest), _ = hl.make_parser(ctx).parse_args(list(words))
            return name, hl.get_command(ctx, name), rest
        except (click.UsageError, ValueError):
            return "", None, []


def match_named(words: list[str]) -> str | None:
    for i, word in enumerate(words):
        if word == "--":
            break
        name, eq, value = word.partition("=")
        if name in ("-g", "--match"):
            return value if eq else next(iter(words[i + 1 :]), None)
    return None


# ---- running a line --------------------------------------------------------------------------------------------------


def run(args: list[str], app: App | None = None) -> int:
    """Run one command line and return its exit code. Never raises for what a host can cause or meet."""
    if instruction := os.environ.get(VARIABLE):
        return answer(hl, instruction)
    from ledger.cli.app import App  # 0.6 bare interpreters of each Tab

    app = app or App()
    app.begin(args)
    try:
        if os.path.exists(config_file()):
            app.config  # noqa: B018  report faults in it before doing anything
        result = _invoke(app, args)
        app.back_up()
        if sys.stdout is not None:
            sys.stdout.flush()
        return result
    except (click.UsageError, Unreadable) as error:
        words = args
        with suppress(LedgerError):
            words = app.match.table.directory().in_one(args) if app.has_match else args
        return _ended(app, error) if words == args else run(words, app)  # a refused line has changed nothing
    except (Exception, KeyboardInterrupt) as error:
        return _ended(app, error)


def _ended(app: App, error: BaseException) -> int:
    from ledger.cli.errors import ended  # 0.4 bare interpreters of each trade, 0.9 of each Tab

    return ended(app, error)


def _invoke(app: App, args: list[str]) -> int:
    try:
        # Not `hl.main`, which has its own exit code for a closed pipe.
        with hl.make_context("hl", args, obj=app, terminal_width=app.help_width) as context:
            result = hl.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None


# ---- one line of a file or of the shell ------------------------------------------------------------------------------


def run_words(app: App, words: list[str]) -> int:
    options = app.host_name, app.match_name, app.color, app.no_input
    code = run(bare(words), app)
    app.host_name, app.match_name, app.color, app.no_input = options
    return code


def run_line(app: App, line: str) -> int | None:
    """Run one typed line; return its exit code, or None if it has no words. An unreadable line is reported."""
    try:
        words = split_line(line)
    except Unreadable as error:
        return _ended(app, error)
    return run_words(app, words) if words else None


def bare(words: list[str]) -> list[str]:
    """The words without a leading `hl`, with which lines are often copied."""
    return words[1:] if words[:1] in (["hl"], ["host-ledger"]) else words


def split_line(line: str) -> list[str]:
    """The words of a line, as a shell reads them, except that a comment begins only with a lone `#` or at line start.

    So `undo #12` means entry 12; with a comment there, it would strike another entry.

    Raises:
        Unreadable: `run.quotes`.
    """
    if line.lstrip().startswith("#"):
        return []
    if "\0" in line:
        raise Unreadable("run.quotes", "this line cannot be read: there is a NUL character in it", "take it out")
    windows_path = r"(?<![^\s=])(?:[A-Za-z]:|\\)\\[^\s'\"]*"  # it begins with a drive or a server, outside quotes
    line = re.sub(windows_path, lambda path: path[0].replace("\\", "\\\\"), line)
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
