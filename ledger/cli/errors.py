"""Report an error: one message, a line that helps, and the exit code of its class.

Lines to run are quoted for the shell in use: POSIX shells, PowerShell 7, Windows PowerShell 5.1, cmd.

Source: docs/commands.md, exit codes; about_Parsing and about_Quoting_Rules of PowerShell; how a C program on Windows
splits its command line ("Parsing C++ command-line arguments"); `cmd /?`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextlib import suppress
from traceback import walk_tb

import click

from events.disk import DISK
from events.errors import Damaged, LedgerError, NotRecorded, OutcomeUnknown, Refused, Unmet, Unprinted, Unreadable
from games.kinds import casefolded
from ledger.cli.app import App
from ledger.cli.derive import game_here, in_full, spoken_here
from ledger.cli.terminal import escape_controls
from ledger.cli.verb import VALUE_MARK, Verb
from ledger.cli.verbs import by_meaning
from ledger.core import outside
from ledger.core.clash import not_ours, refuse
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
            return 0  # the reader closed the pipe, which is no error for a command that reads
        case _:
            return unexpected(error)


def usage_error(error: click.UsageError) -> Unreadable:
    """An error of click in our form, with an example or the usage line as the fix."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        if error.ctx.parent is None:
            return Unreadable("command.usage", f"there is no option {error.option_name}", "hl --help")
        if (error.ctx.info_name, error.option_name) == ("amend", "--at"):
            line = re.sub("--at[ =]", "at=", error.ctx.obj.again()).replace("--at", "at=TIME")
            return Unreadable("command.usage", "amend takes the time as a field of the entry", line)
        if (error.ctx.info_name, error.option_name) == ("new", "--at"):
            line = re.sub(r" (?:'--at=[^']*'|--at(?:[ =](?:'[^']*'|\S+))?)", "", error.ctx.obj.again())
            return Unreadable("command.usage", "a match begins when it is made, so new takes no --at", line)
        if error.option_name == "--early" and "yes" in [param.name for param in error.ctx.command.params]:
            what = f"{error.ctx.info_name} takes no --early: where it asks, add --yes"
            line = error.ctx.obj.again(instead={"--early": "--yes"}).replace("--yes --yes", "--yes")
            return Unreadable("command.usage", what, line)
    what = error.format_message().rstrip(".").replace(VALUE_MARK, "")
    what = what[0].lower() + what[1:]
    examples = error.ctx.command.examples_in(error.ctx) if error.ctx and isinstance(error.ctx.command, Verb) else []
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
        name, game, line = error.ctx.info_name or "", game_here(error.ctx.obj), error.ctx.obj.again()
        what = f"{name} takes {takes} after it; too much is: {more}{_taken(error.ctx, places)}"
        if game is not None and (spoken := spoken_here(error.ctx.obj, game).get(name)) is not None:
            return Unreadable("command.usage", what, line.replace(f"hl {name}", in_full(spoken), 1))
    host_only = _the_only_one(error.ctx) if error.ctx else ""
    fix = f"like: {examples[0]}" if examples and not host_only else usage
    if error.ctx and places[:1] == [missing] and by_meaning(error.ctx.info_name or "", ["open"]):
        match = error.ctx.obj.glance()
        fix += "\nto begin play: hl open" if match and match.table.status == "setup" else ""
    return Unreadable("command.usage", what, fix, host_only)


def _the_only_one(ctx: click.Context) -> str:
    """The line for the only player who may decide this now, with the one name that was typed and fits; else ""."""
    match = ctx.obj.glance()
    pending = [d for d in match.table.decisions if d.kind == ctx.info_name] if match else []
    spelled = match.table.directory().spelled() if match else {}
    words = (casefolded(word.replace(VALUE_MARK, "")) for word in ctx.params.values() if isinstance(word, str))
    typed = {spelled.get(word) for word in words}
    lines = [f"hl {d.kind} {player} {named}" for d in pending for player in d.who for named in typed & {*d.among}]
    return lines[0] if len(lines) == 1 else ""


def _taken(ctx: click.Context, places: list[click.Argument]) -> str:
    """Which word was taken for which argument, if there are several arguments."""
    words = [f"{p.make_metavar(ctx)} {word}" for p in places if isinstance(word := ctx.params.get(p.name or ""), str)]
    return f"; read as {', '.join(words)}".replace(VALUE_MARK, "") if len(places) > 1 and words else ""


def fail(app: App, error: LedgerError) -> int:
    try:
        if app.json:
            app.out(json_text({"ok": False, "error": {"code": error.code, "what": error.what, "fix": error.fix}}))
        else:
            first, *lines = error.what.split("\n") if isinstance(error, Faulty) else [error.what]
            app.note(without_pings(f"hl: {first} [{error.code}]"), style="wrong")
            app.note(*(without_pings(f"  {line}") for line in lines))
        app.to_host(*(f"  host only: {line}" for line in error.host_only.splitlines()))
        app.to_host(*(f"  {advice(app.in_place(line))}" for line in (() if app.json else error.fix.splitlines())))
    except OSError:
        silence()
    return exit_code(error)


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
    """Where the code of an outside game failed, which only its author can fix; "" if it failed elsewhere."""
    of = {row.entry_point.module.partition(".")[0]: row for row in outside.listed() if row.trusted}
    found = ""
    for frame, line in walk_tb(error.__traceback__):
        code, name = frame.f_code, str(frame.f_globals.get("__name__"))
        if row := of.get(name.partition(".")[0]):
            file = "/".join(code.co_filename.replace("\\", "/").rsplit("/", 2)[-2:])
            found = f"a fault in the game {row.name} of {row.package}, {file} line {line}, in {code.co_name}"
    return found


def silence() -> None:
    """Discard what a closed or full stream still buffers, so that the interpreter does not complain at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # not a stream of the system
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# ---- lines to run, for the shell in use ------------------------------------------------------------------------------


_PLAIN = {
    "pwsh": re.compile(r"[\w./:\\=+%^][\w./:\\=+%^~!*-]*|-|--?[A-Za-z]+(?:-[A-Za-z]+)*|-[0-9]+", re.ASCII),
    "cmd": re.compile(r"[\w./:\\+@#{}\[\]'$~*?-][\w./:\\+@#{}\[\]'$~*?-]*", re.ASCII),
}
"""To PowerShell, a word that starts with `-` is an option (letters only) or a number, and `-a.b` is two words."""
_WORD = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+|\s+""")
_COMMANDS = ("hl ", "chmod ", "cp ", "ls ", "mv ", "pip ", "ssh-keygen ", "icacls ", "copy ")


def advice(fix: str) -> str:
    """A fix as a line of a message. A line after `try:` can be pasted; after `like:` the host replaces the words in
    capitals; `help:` begins any other advice.

    >>> advice("hl log --player ann"), advice("hl breach PLAYER --note TEXT"), advice("name two players")
    ('try: hl log --player ann', 'like: hl breach PLAYER --note TEXT', 'help: name two players')
    """
    if fix.startswith(("did you mean", "one of:")):
        return fix
    if fix.startswith("like: "):
        return f"like: {for_shell(fix.removeprefix('like: '))}"
    if " install " in fix and fix.endswith(("]'", "]")):  # an extra is in brackets, which are not to be filled in
        return f"try: {for_shell(fix)}"
    if not fix.startswith(_COMMANDS):
        return f"help: {fix}"
    fill_in = re.search(r"(?<![\w-])(?:[A-Z]{3,}\b|[NP](?![\w-]))|\.\.\.|[\[|]", fix)
    return f"{'like' if fill_in else 'try'}: {for_shell(fix)}"


def quoted(word: str, shell: str) -> str:
    """Quote a word for a shell (`posix`, `pwsh`, `powershell` or `cmd`), as an argument of an external program.

    >>> quoted("it's", "pwsh"), quoted("a,b", "powershell"), quoted("50% off", "cmd")
    ("'it''s'", "'a,b'", '^"50^% off^"')
    """
    if shell == "posix":
        return shlex.quote(word)
    if _PLAIN["cmd" if shell == "cmd" else "pwsh"].fullmatch(word):
        return word
    if shell == "cmd":  # as a C program reads it, with a caret before each special character of cmd
        inside = re.sub(r'(\\*)"', r'\1\1\\"', word)
        in_quotes = '"' + re.sub(r"(\\+)$", r"\1\1", inside) + '"'
        return re.sub(r'([()%!^"<>&|])', r"^\1", in_quotes) if set(word) & set('"%!') else in_quotes
    if shell == "powershell":  # 5.1 does not quote quotes in a word when it passes it on, and drops empty words
        word = re.sub(r'(\\*)"', r'\1\1\\"', word) or '""'
        word = re.sub(r"(\\+)$", r"\1\1", word) if re.search(r"\s", word) else word
    return "'" + "".join(c * 2 if c in "'‘’‚‛" else c for c in word) + "'"  # any of these would end the string


def for_shell(text: str, shell: str | None = None) -> str:
    """Requote a line to run, or a sentence with one in it, for the shell in use. Only words that need it change."""
    shell = shell or DISK.shell()
    if shell == "posix" or not any(name in text or text.startswith(name.strip()) for name in _COMMANDS):
        return text
    if re.search(r"\w'\w", text):
        return text  # a sentence with an apostrophe
    try:
        shlex.split(text)
    except ValueError:
        return text
    return "".join(_respelled(piece, shell) for piece in _WORD.findall(text))


def _respelled(piece: str, shell: str) -> str:
    """One word of a POSIX line, quoted for the shell; punctuation after it is kept."""
    if piece.isspace() or re.fullmatch(r"(?s)[\[({<|].*|.*[\])}>|.]|&&|\$[A-Z]+(?:/.*)?", piece):
        return piece  # a placeholder, or an operator that joins two commands
    unmarked, mark = (piece[:-1], piece[-1]) if piece[-1] in ",;:" and len(piece) > 1 else (piece, "")
    parts = shlex.split(unmarked)
    return (quoted(parts[0], shell) if len(parts) == 1 else unmarked) + mark
