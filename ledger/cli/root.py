"""The root of the command line: which verbs there are, and what becomes of an error.

Names and one-line helps stand here, so that `hl --help` and completion import next to nothing. Each verb is a click
command of its own; click is imported when one is run.
"""

from __future__ import annotations

import os
import sys

from events.errors import LedgerError, Unreadable
from ledger.cli.app import App, exit_code, harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    import click

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "set up": {
        "games": ("setup", "List the games."),
        "template": ("setup", "Print a match file with every setting, to fill in."),
        "new": ("setup", "Make a match from a match file."),
        "demo": ("demo", "Play a bundled match through the real commands."),
        "assumptions": ("setup", "List the rules nobody has confirmed yet."),
        "rules": ("setup", "List every setting with its gap, value and meaning."),
        "alias": ("shared", "Give a player a further spelling."),
        "commit": ("shared", "Publish what fixes the deal, before players add words."),
        "word": ("shared", "Add a player's own words to the deal."),
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
        "resolve": ("shared", "Open all submissions of the round at once; a preview without --yes."),
        "choose": ("shared", "Record a choice that is a player's by the rules."),
        "deadline": ("shared", "Move the end of the present phase."),
        "pause": ("shared", "Stop the clock; every end moves by as long."),
        "resume": ("shared", "Let the clock run again."),
        "replace": ("shared", "Another person takes over a seat."),
        "drop": ("shared", "Record that a player has left."),
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
        "waiting": ("desk", "Who still owes what, and until when."),
        "log": ("see", "The entries, with what became of each."),
        "show": ("see", "One entry: its fields, facts and seal."),
        "explain": ("see", "Which entries and rules are behind an entry, a player, the result."),
        "board": ("see", "What lies where."),
        "scores": ("see", "The ranking."),
        "view": ("see", "The match as one audience may know it."),
    },
    "tell": {
        "outbox": ("desk", "The texts that wait to be posted: list, next, done ITEM, drop ITEM."),
        "drift": ("desk", "Posted texts that say something else now."),
        "remind": ("desk", "A text for each player who owes something."),
        "reveal": ("tell", "The public text."),
        "summary": ("tell", "What one player may know, ready to send."),
        "final": ("tell", "The final reveal."),
    },
    "audit": {
        "verify": ("audit", "Check every byte, and that the log folds."),
        "audit": ("audit", "Verify every log in folders, on all cores."),
        "redact": ("audit", "A copy for one audience: what it may not open is closed."),
        "replay": ("retell", "The match step by step, for one audience; --step walks through it."),
        "diff": ("compare", "What differs between two moments of the match, or between two logs."),
        "evidence": ("compare", "What differs between the log and an exported Discord chat."),
        "export": ("export", "Facts, scores and garnet transfers as rows: csv or json."),
        "receipt": ("receipt", "The head of the log: enough to pin its history."),
        "anchor": ("receipt", "Record where a receipt was posted: a clock that no host can set."),
    },
    "tools": {
        "run": ("tools", "Run commands from a file, one a line."),
        "import": ("importing", "Record the rows of a form's CSV; first only tells."),
        "join": ("join", "Take over what another copy of this match has recorded."),
        "shell": ("shell", "Type commands without hl, with completion, until Ctrl-D."),
        "completion": ("completion", "Print the script that makes a shell complete hl: bash, zsh, fish."),
        "doctor": ("doctor", "What this machine lacks, and whether the log's files are in order."),
    },
}
VERBS: dict[str, tuple[str, str]] = {verb: place for group in GROUPS.values() for verb, place in group.items()}


HELP = """Usage: hl [-g MATCH] [--as HOST] VERB ...

host-ledger: record a match as you read it, prove it afterwards.

The match is the folder given with -g, else $HL_MATCH, else the nearest folder
above that holds log.jsonl. Who records is --as NAME, else $HL_AS, else the
only host. Both may stand before or after the verb; hl VERB --help tells more.
"""
OPTIONS = (
    ("-g, --match MATCH", "The match: a folder with log.jsonl, or a .jsonl file."),
    ("--as HOST", "Who records."),
    ("--color WHEN", "auto, always or never."),
    ("--no-input", "Never ask; a needed confirmation is exit code 5."),
    ("--version", "Show the version."),
    ("-h, --help", "Show this text."),
)


def help_text(app: App) -> str:
    """The text of `hl --help`: in a match with the verbs of its game."""
    groups = {name: [(verb, text) for verb, (_, text) in group.items()] for name, group in GROUPS.items()}
    if app.has_match:
        from ledger.cli.derive import game_verbs

        groups = {"set up": groups.pop("set up"), "this game": game_verbs(app), **groups}
    groups["options"] = list(OPTIONS)
    parts = [HELP]
    for name, rows in groups.items():
        width = max((len(word) for word, _ in rows), default=0)
        parts.append("\n".join([f"{name}:", *(f"  {word:<{width}}  {text}" for word, text in rows), ""]))
    return "\n".join(parts).rstrip()


def find(app: App, verb: str) -> click.Command:
    """The command of a verb: a shared one, or one of the match's own game.

    Raises:
        Unreadable: `verb.unknown`, with the nearest verbs.
    """
    if verb in VERBS:
        import importlib

        made: click.Command = importlib.import_module(f"ledger.cli.{VERBS[verb][0]}").command(verb)
        return made
    own: list[str] = []
    if app.has_match:
        from ledger.cli.derive import game_command, game_verbs

        if (command := game_command(app, verb)) is not None:
            return command
        own = [name for name, _ in game_verbs(app)]
    from games.kinds import nearest, shown

    near = nearest(verb, [*VERBS, *own])
    hint = f"did you mean hl {' or hl '.join(near)}?" if near else "hl --help lists the verbs"
    if not own and not near:
        hint += "; a game's own verbs need its match: hl -g FOLDER ..."
    raise Unreadable("verb.unknown", f"there is no verb {shown(verb)}", hint)


def run(args: list[str], app: App | None = None) -> int:
    """Run one command line; the exit code. Never raises for what a host can cause or meet.

    Source: design section 8, exit codes.
    """
    if args and args[0] == "__complete":
        from ledger.cli.complete import main as complete

        return complete(args[1:])
    app = app or App()
    try:
        words = app.take(list(args))
        if not words or words[0] in ("-h", "--help", "help"):
            print(help_text(app), file=sys.stdout if words else sys.stderr)
            return 0 if words else 2
        if words[0] == "--version":
            from ledger import __version__

            print("host-ledger", __version__)  # noqa: T201
            return 0
        if words[0].startswith("-"):
            raise Unreadable("command.usage", f"there is no option {words[0]}", "hl --help")
        code = _run_verb(app, words[0], words[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except LedgerError as error:
        return fail(app, error)
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _muffle()
        return 0  # the reader of a pipe has gone: not an error of a read
    except Exception as error:
        return _unexpected(error)


def _run_verb(app: App, verb: str, words: list[str]) -> int:
    command = find(app, verb)
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
    try:
        print(f"hl: unexpected: {type(error).__name__}: {harmless(str(error))} [unexpected]", file=sys.stderr)  # noqa: T201
        print("  try: hl verify says whether the log is sound; HL_DEBUG=1 shows where it came from", file=sys.stderr)  # noqa: T201
    except OSError:
        pass
    _muffle()
    return 1


def _muffle() -> None:
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
    try:
        return max(50, min(100, os.get_terminal_size().columns - 2))
    except OSError:
        return 80


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


def fail(app: App, error: LedgerError) -> int:
    """Say what is wrong, what can be done, and leave with the code of its kind, also where nothing can be said."""
    try:
        if app.json:
            from ledger.render.safe import json_text

            told = {"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}
            app.out(json_text(told))
        else:
            from ledger.render.discord import code, escape
            from ledger.render.safe import filled

            app.note(filled("hl: {} [{}]", escape(error.what), code(error.code)))
            if error.fix:
                answer = error.fix.startswith(("did you mean", "one of:"))
                app.to_host(f"  {error.fix}" if answer else f"  try: {error.fix}")
        for line in error.host_only.splitlines():
            app.to_host(f"  host only: {line}")
    except OSError:
        _muffle()
    return exit_code(error)
