"""The root of the command line: which verbs there are, and what becomes of an error.

Only names and one-line helps stand here, so that `hl --help` and completion import no more than click.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from events.errors import LedgerError, Unreadable
from ledger.cli.app import App, exit_code

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "set up": {
        "games": ("setup", "List the games."),
        "template": ("setup", "Print a match file with every setting, to fill in."),
        "new": ("setup", "Make a match from a match file."),
        "demo": ("demo", "Play a bundled match through the real commands."),
        "assumptions": ("setup", "List the rules nobody has confirmed yet."),
        "rules": ("setup", "List every setting with its gap, value and meaning."),
        "alias": ("shared", "Give a player a further spelling."),
        "deal": ("setup", "Deal the cards: drawn and recorded, or read from a file."),
        "open": ("shared", "Start play."),
        "close": ("shared", "End the present phase or decision now."),
        "reopen": ("shared", "Go back into the phase that ended last."),
    },
    "any match": {
        "note": ("shared", "Keep a remark for the hosts."),
        "ruling": ("shared", "Record what a host decided and why."),
        "override": ("shared", "Set one field of one player, whatever the rules say."),
        "penalty": ("shared", "Record a penalty."),
        "breach": ("shared", "Record that a player broke a rule."),
        "award": ("shared", "Give or take garnets or tokens."),
        "blank": ("shared", "Record that a player submits nothing, on purpose."),
        "vote": ("shared", "Record one vote."),
        "gift": ("shared", "Record to whom a spare token goes."),
        "lot": ("shared", "Draw a lot, or type its outcome in."),
        "deadline": ("shared", "Move the end of the present phase."),
        "amend-setting": ("shared", "Change a setting from now on."),
    },
    "fix": {
        "undo": ("fix", "Strike an entry."),
        "redo": ("fix", "Take an undo back."),
        "amend": ("fix", "Correct an entry."),
        "confirm": ("fix", "Record that another host has checked an entry."),
    },
    "see": {
        "status": ("see", "How the match stands, and what needs a host."),
        "log": ("see", "The entries, with what became of each."),
        "show": ("see", "One entry: its fields, facts and seal."),
        "explain": ("see", "Which entries and rules are behind an entry, a player, the result."),
        "scores": ("see", "The ranking."),
        "view": ("see", "The match as one audience may know it."),
    },
    "tell": {
        "reveal": ("tell", "The public text."),
        "summary": ("tell", "What one player may know, ready to send."),
        "final": ("tell", "The final reveal."),
    },
    "audit": {
        "verify": ("audit", "Check every byte, and that the log folds."),
        "receipt": ("audit", "The head of the log: enough to pin its history."),
    },
    "tools": {
        "run": ("tools", "Run commands from a file, one a line."),
    },
}
VERBS: dict[str, tuple[str, str]] = {verb: place for group in GROUPS.values() for verb, place in group.items()}


class Root(click.Group):
    """Finds a verb by its name: a shared one, or one of the match's own game."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERBS:
            module = importlib.import_module(f"ledger.cli.{VERBS[cmd_name][0]}")
            command: click.Command = module.command(cmd_name)
            return command
        app: App = ctx.obj
        if app.has_match:
            from ledger.cli.derive import game_command

            return game_command(app, cmd_name)
        return None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        command = self.get_command(ctx, args[0])
        if command is None:
            raise unknown_verb(ctx.obj, args[0])
        return args[0], command, args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        app: App = ctx.obj
        groups = {name: [(verb, text) for verb, (_, text) in group.items()] for name, group in GROUPS.items()}
        if app.has_match:
            from ledger.cli.derive import game_verbs

            own = game_verbs(app)
            groups = {"set up": groups.pop("set up"), "this game": own, **groups}
        for name, rows in groups.items():
            with formatter.section(name):
                formatter.write_dl(rows)


HELP = """host-ledger: record a match as you read it, prove it afterwards.

The match is the folder given with -g, else $HL_MATCH, else the nearest folder above that holds log.jsonl.
Who records is --as NAME, else $HL_AS, else the only host. Both may stand before or after the verb.
"""


@click.group(cls=Root, help=HELP, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.option("-g", "--match", metavar="MATCH", help="The match: a folder with log.jsonl, or a .jsonl file.")
@click.option("--as", "host", metavar="HOST", help="Who records.")
@click.option("--color", metavar="WHEN", help="auto, always or never.")
@click.option("--no-input", is_flag=True, help="Never ask; a needed confirmation is exit code 5.")
@click.version_option(package_name="host-ledger", message="host-ledger %(version)s")
def root(**_: Any) -> None:
    """Shown as help; the options are taken out of the line before click sees it."""


def unknown_verb(app: App, verb: str) -> Unreadable:
    """What to say to a verb that is none: the nearest ones, or where the verb belongs."""
    from games.kinds import nearest, shown

    own: list[str] = []
    if app.has_match:
        from ledger.cli.derive import game_verbs

        own = [name for name, _ in game_verbs(app)]
    near = nearest(verb, [*VERBS, *own])
    hint = f"did you mean hl {' or hl '.join(near)}?" if near else "hl --help lists the verbs"
    if not own:
        hint += "; verbs of a game need its match: hl -g FOLDER ..."
    return Unreadable("verb.unknown", f"there is no verb {shown(verb)}", hint)


def run(args: list[str], app: App | None = None) -> int:
    """Run one command line; the exit code. Never raises for what a host can cause or meet.

    Source: design section 8, exit codes.
    """
    app = app or App()
    try:
        words = app.take(list(args))
        result = root.main(words, prog_name=app.prog, standalone_mode=False, obj=app, terminal_width=_width())
        return result if isinstance(result, int) else 0
    except LedgerError as error:
        return fail(app, error)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing more was done", err=True)
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        return fail(app, _usage(app, error))
    except BrokenPipeError:
        # The reader of a pipe has gone: not an error of a read. Keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _width() -> int:
    """Columns for help texts. Asking here saves click an import of eight modules at every start."""
    try:
        return max(50, min(100, os.get_terminal_size().columns - 2))
    except OSError:
        return 80


def _usage(app: App, error: click.UsageError) -> Unreadable:
    """click's own complaint in our form, with the usage line as the fix."""
    what = error.format_message().rstrip(".")
    if error.ctx is None:
        return Unreadable("usage", what[0].lower() + what[1:], "hl --help")
    usage = error.ctx.get_usage().removeprefix("Usage: ")
    missing = getattr(error, "param", None) if isinstance(error, click.MissingParameter) else None
    if missing is not None:
        what = f"{missing.human_readable_name} is missing"
    return Unreadable("usage", what[0].lower() + what[1:], usage)


def fail(app: App, error: LedgerError) -> int:
    """Say what is wrong, what can be done, and leave with the code of its kind."""
    if app.json:
        import json

        told = {"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        click.echo(f"hl: {error.what} [{error.code}]", err=True)
        if error.fix:
            click.echo(f"  try: {error.fix}", err=True)
    if error.host_only:
        click.echo(f"  host only: {error.host_only}", err=True)
    return exit_code(error)
