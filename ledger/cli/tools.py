"""Tools: run, demo, simulate, schema, completion, doctor."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import platform
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from events import LogFile, NotCanonical, create, read_body
from events.disk import DISK, folded, line_to_run
from events.errors import LedgerError, Unreadable
from events.record import NamedTuple
from games import toml
from games.kinds import count, shown
from games.records import plain
from games.spans import show_span
from ledger import __version__
from ledger.author.playtest import playtest, said
from ledger.author.simulation import Trial
from ledger.cli.app import App
from ledger.cli.completion import SHELLS, choices, files, games, script
from ledger.cli.derive import game_here, own_verbs
from ledger.cli.errors import for_shell
from ledger.cli.output import deliver_lines
from ledger.cli.root import hl, run_line, run_words
from ledger.cli.verb import ReadOptions, file_option, list_option, verb
from ledger.cli.verbs import SHARED
from ledger.core.clash import OURS, packages_of_our_names, source_folder
from ledger.core.clock import now_ms
from ledger.core.config import KEYS
from ledger.core.extras import install_line
from ledger.core.inputs import MAX_TEXT_BYTES, read_text, too_large
from ledger.core.logs import LOG_NAME, find_log
from ledger.core.outside import load_typed
from ledger.core.tomlfile import read_toml
from ledger.exchange.schema import TITLES, as_text, schema
from ledger.exchange.template import template
from ledger.post import posting
from ledger.post.copies import copy_of, system_command
from ledger.post.posting import read_hooks
from ledger.render.safe import plain_line, plain_text, verbatim
from ledger.tell.texts import shared_channels
from ledger.wire.mirror import SharedLog
from ledger.wire.sharing import shared_at
from ledger.wire.sidecars import PENDING

# ---- run, schema, completion -----------------------------------------------------------------------------------------


MAX_NESTED = 4
"""How deep files of commands may run one another, including the outermost."""


@verb("run", "tools")
@click.argument("source", metavar="FILE|-", shell_complete=files)
@click.option("--keep-going", is_flag=True, help="Go on after a line that failed.")
def run_file(app: App, source: str, keep_going: bool) -> int:
    """Run commands from a file, one a line.

    hl run evening.hl

    Or from standard input; # begins a comment.
    """
    try:
        text = read_text(source) if source != "-" else sys.stdin.read(MAX_TEXT_BYTES + 1)
        if len(text) > MAX_TEXT_BYTES:
            raise too_large(MAX_TEXT_BYTES)
        lines = text.removeprefix("\ufeff").splitlines()  # PowerShell adds one to what it pipes
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Unreadable("run.missing", f"{source} cannot be read: {why}", "hl run FILE") from None
    path = source if source == "-" else os.path.realpath(source)
    if path in app.running:
        raise Unreadable("run.nested", f"{source} runs itself", "take that line out")
    if len(app.running) >= MAX_NESTED:
        what = f"{source} was not run: {MAX_NESTED} files are already running one another"
        raise Unreadable("run.nested", what, "put its commands into the file that runs it")
    gc.enable()  # collecting pays with many commands in one process
    app.running.append(path)
    first = 0
    try:
        for number, line in enumerate(lines, start=1):
            if code := run_line(app, line):
                app.to_host(f"  ({source}, line {number}: {line.strip()})")
                first = first or code
                if not keep_going:
                    break
    finally:
        app.running.pop()
    return first


@verb("schema", "tools", audience="none")
@click.argument("what", metavar="|".join(TITLES), shell_complete=choices(*TITLES))
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
def print_schema(app: App, what: str, game: str | None) -> None:
    """Print the JSON Schema of the log, of a match file, or of an answer in JSON.

    hl schema log

    A part of log, match, view and write is each game's own: GAME, or that of the match here.
    """
    chosen = load_typed(game) if game is not None else game_here(app)
    app.out(verbatim(as_text(schema(what, chosen))))


@verb("completion", "tools", audience="none")
@click.argument("shell", metavar="bash|zsh|fish|powershell", shell_complete=choices(*SHELLS))
def completion(app: App, shell: str) -> None:
    """Print the script that makes a shell complete hl: bash, zsh, fish, PowerShell.

    hl completion bash

    Its first lines say how.
    """
    if shell not in SHELLS:
        what = f"there is no completion for {shown(shell)}"
        raise Unreadable("completion.shell", what, f"one of: {' '.join(SHELLS)}")
    app.out(verbatim(script(hl, shell).rstrip("\n")))


# ---- demo ------------------------------------------------------------------------------------------------------------


DEMO = "equilibrium"
TELL = "#:"
REFUSED = "# refused"
REFUSAL_CODES = (2, 3)


@verb("demo", "set up", audience="none")
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
@file_option("--into", metavar="DIR", help="The new folder; demo-match if not given, numbered if it is there.")
def demo(app: App, game: str | None, into: str | None) -> int:
    """Play a bundled match through the real commands.

    hl demo

    Then it says what to look at.
    """
    chosen = load_typed(game or DEMO)
    folder = Path(sys.modules[chosen.settings.__module__].__file__ or "").parent
    script = folder / chosen.demo
    if not script.is_file():
        raise Unreadable("demo.none", f"{chosen.title} has no bundled match", "hl games")
    wanted = Path(into or "demo-match")
    folders = [wanted, *(wanted.with_name(f"{wanted.name}-{n}") for n in range(2, 1000))]
    target = next(path for path in folders if not path.exists())
    lines = script.read_text(encoding="utf-8").splitlines()
    code = play(app, lines, {"$MATCH": str(target), "$DEMO": str(folder)})
    if code == 0:
        page = target / "replay.html"
        code, _ = _quietly(app, ["replay", "--html", str(page), "--audiences", "host"], loud=False)
    if code == 0:
        _what_next(app, target, page)
    return code


def play(app: App, lines: list[str], words: dict[str, str]) -> int:
    app.match_name = words["$MATCH"]
    app.host_name = None
    is_loud, quiet = False, 0
    for line in lines:
        if line.startswith(TELL):
            if quiet:
                app.out(plain_text(f"  ... {count(quiet, 'more line')} ..."))
            app.out(plain_text(f"\n== {line.removeprefix(TELL).strip()}"))
            is_loud, quiet = True, 0
            continue
        arguments = shlex.split(line, comments=True)
        for name, value in words.items():
            arguments = [word.replace(name, value) for word in arguments]
        if not arguments:
            continue
        if arguments[0] != "new" and "--as" not in arguments:
            arguments += ["--as", app.match.table.hosts[0]]
        if is_loud:
            app.out(plain_text(f"$ {for_shell('hl ' + line.partition(' # ')[0].strip())}"))
        code, output = _quietly(app, arguments, loud=is_loud)
        if (code in REFUSAL_CODES) != line.rstrip().endswith(REFUSED) or code not in (0, *REFUSAL_CODES):
            app.to_host(f"the demo did not go as written (exit {code}): {line}")
            app.to_host(output.rstrip())
            return code or 1
        quiet += not is_loud
        is_loud = False
    return 0


def _quietly(app: App, arguments: list[str], *, loud: bool) -> tuple[int, str]:
    kept = io.StringIO()
    to = sys.stdout if loud else kept
    with contextlib.redirect_stdout(to), contextlib.redirect_stderr(to):
        code = run_words(app, arguments)
    return code, kept.getvalue()


def _what_next(app: App, target: Path, page: Path) -> None:
    match = app.match
    first, second = list(match.table.seats)[:2]
    hl = for_shell(line_to_run("hl", "-g", str(target)))
    text = (
        f"\n== The match is in {target}. Look around:\n"
        f"  {hl} log            every entry, with what became of it\n"
        f"  {hl} explain {first}    the chain behind one player's result\n"
        f"  {hl} summary {second}    what one player may know\n"
        f"  {hl} view --for public --as-of {len(match.book.entries) // 2} -f json\n"
        f"  {hl} verify         prove the whole of it; docs/check_log.py does so without us\n"
        f"  Open {page} in a browser to watch it, as everybody or as the hosts."
    )
    app.out(plain_text(text))


# ---- doctor: checks this machine and the files of the match; changes nothing -----------------------------------------


SYNCED = ("Dropbox", "OneDrive", "iCloud", "Mobile Documents", "Google Drive", "GoogleDrive", "Nextcloud", "pCloud")


class Sign(NamedTuple):
    name: str
    good: bool
    what: str


@verb("doctor", "tools")
@list_option
def doctor(app: App, reading: ReadOptions) -> int:
    """What this machine lacks, and whether the log's files are in order.

    hl doctor
    """
    signs = [*machine(), *settled(app), *(match_files(app) if app.has_match else ())]
    document = {"ok": all(s.good for s in signs), "signs": [s._asdict() for s in signs]}
    lines = [plain_line(f"{'ok ' if sign.good else '!! '} {sign.name}: {sign.what}") for sign in signs]
    deliver_lines(app, lines, reading, ["" if sign.good else "wrong" for sign in signs], document=document)
    if not (reading.json or app.has_match):
        app.to_host("no match here: hl -g FOLDER doctor looks at one")
    return 0


def machine() -> Iterator[Sign]:
    from importlib.metadata import PackageNotFoundError, version  # 0.9 bare interpreters of `hl --help`

    yield Sign("host-ledger", True, __version__)
    yield Sign("python", sys.version_info >= (3, 11), sys.version.split()[0])
    for name in ("click", "pydantic", "pydantic-core", "tabulate"):
        try:
            yield Sign(name, True, version(name))
        except PackageNotFoundError:
            yield Sign(name, False, "not installed")
    try:
        yield Sign("pictures", True, f"resvg-py {version('resvg-py')}")
    except PackageNotFoundError:
        yield Sign("pictures", True, f"SVG; for PNG: {install_line('images')}")
    others = packages_of_our_names()  # the package installed last has overwritten the modules of the other
    what = f"{', '.join(others)} has modules of the same names, and one has overwritten the other"
    what = f"{what}: pip uninstall both, then pipx install {source_folder()}"
    yield Sign("names", not others, what if others else f"{', '.join(OURS)} are host-ledger's alone")
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    yield Sign("text", encoding == "utf8", "UTF-8" if encoding == "utf8" else f"{encoding}: set PYTHONUTF8=1")
    program = system_command()
    none = "no program (pbcopy, wl-copy, xclip, xsel); terminals with OSC 52 copy all the same"
    yield Sign("clipboard", True, program[0] if program else none)


def settled(app: App) -> Iterator[Sign]:
    config, env = app.config, os.environ
    yield Sign("config", True, config.path if os.path.exists(config.path) else f"none at {config.path}")
    match, folder = app.glance(), None  # faults of the match are reported below
    with contextlib.suppress(Unreadable):
        folder = os.path.dirname(find_log(None, {}))
    table = None if match is None else match.table
    settled_host = config.host if table is None or config.host in table.hosts else None
    only = table.hosts[0] if table and len(table.hosts) == 1 else None
    sources = {
        "host": (
            ("--as", app.host_name), ("$HL_AS", env.get("HL_AS")), ("config", settled_host), ("the match", only),
        ),
        "match": (("-g", app.match_name), ("$HL_MATCH", env.get("HL_MATCH")), ("the folder here", folder)),
        "pager": (("$PAGER", env.get("PAGER")),),
        "zone": (("the match", table.zone if table else None),),
        "color": (
            ("--color", app.color.replace("auto", "")), ("$NO_COLOR", env.get("NO_COLOR") and "never"),
            ("$FORCE_COLOR", env.get("FORCE_COLOR") and "always"),
        ),
    }  # fmt: skip
    for key in KEYS:
        value = getattr(config, key)
        if key == "aliases":
            value = ", ".join(f"{word} = {verb}" for word, verb in value.items())
        rows = sources.get(key, ())
        rows = rows if key == "host" else (*rows, ("config", value))
        source, setting = next(((source, setting) for source, setting in rows if setting), ("", "auto"))
        if setting != "auto":
            yield Sign(key, True, f"{setting} (from {source})")
    if config.host and settled_host is None:
        yield Sign("host", True, f"{config.host} of your config is not a host of this match")
    game = game_here(app) if config.aliases and match is not None else None
    verbs = {*SHARED, *(name for name, _ in (own_verbs(app, game) if game else ()))}
    if words := [word for word in config.aliases if word in verbs]:
        yield Sign("aliases", False, f"{', '.join(words)}: a verb has that name, so the word is not used")


def _copy(app: App, path: str) -> Iterator[Sign]:
    if not app.config.backup:
        return
    copy = copy_of(app.match.book.game_id, app.config.backup)
    try:
        with open(copy, "rb") as kept, open(path, "rb") as log:
            same = kept.read() == log.read()
    except OSError as error:
        yield Sign("backup", False, f"{copy}: {error.strerror}")
        return
    yield Sign("backup", same, f"{copy} is complete" if same else f"{copy} is behind, or a copy of another log")


def match_files(app: App) -> Iterator[Sign]:
    path = os.path.abspath(app.log())
    log = LogFile(path, wait=1.0)
    try:
        reading = log.read()
    except LedgerError as error:
        yield Sign("log", False, f"{error.what}; {error.fix}")
        return
    yield Sign("log", True, f"{reading.mark.seq} entries, receipt {reading.mark.hash}")
    for note in reading.notes:
        yield Sign("log", False, note)
    if log.head() is not None and not reading.notes:
        yield Sign("log.jsonl.head", True, "names the last line of the log")
    try:
        with log.writing():
            yield Sign("lock", True, "free")
    except Unreadable:
        yield Sign("lock", True, "a redacted copy: nothing is written to it")
    except LedgerError as error:
        yield Sign("lock", False, error.what)
    yield _rights(path)
    yield from _two_systems(path)
    parts = path.replace("\\", "/").split("/")
    folder = next((part for part in parts if any(name.lower() in part.lower() for name in SYNCED)), None)
    what = f"{folder} looks like a synced folder: locks do not hold there; two hosts share one machine, or join logs"
    yield Sign("folder", folder is None, "not one that a cloud drive is known to sync" if folder is None else what)
    yield from _channels(app, path)
    yield from _shared(path)
    yield from _copy(app, path)
    if torn := [name for name in sorted(os.listdir(os.path.dirname(path))) if ".torn-" in name]:
        yield Sign("unfinished entries", True, f"set aside earlier: {', '.join(torn)}")
    last = next((line.body for line in reversed(reading.lines) if line.body is not None), None)
    if last is not None:
        try:
            ahead = read_body(last).recorded - now_ms()
        except NotCanonical as error:
            yield Sign("clock", False, f"the newest entry is not as host-ledger writes it ({error}): hl verify")
            return
        good = ahead <= 5 * 60 * 1000
        what = f"the newest entry was typed {show_span(ahead)} from now"
        yield Sign("clock", good, "not behind any entry" if good else what)


def _shared(path: str) -> Iterator[Sign]:
    try:
        if (url := shared_at(path)) is None:
            return
        log = SharedLog(path, now_ms)
        notes = set(log.read().notes) - set(log.local().notes)
    except LedgerError as error:
        yield Sign("shared", False, f"{error.what}; {error.fix}")
        return
    yield Sign("shared", not notes, "; ".join(sorted(notes)) if notes else f"at {url}, and the server answers")
    if os.path.exists(path + PENDING):
        yield Sign("shared", False, "something was sent without an answer: hl sync")


def _channels(app: App, path: str) -> Iterator[Sign]:
    try:
        seats = app.match.table.seats
        hooks = read_hooks(path)
    except LedgerError as error:
        yield Sign("channels", False, f"{error.what}; {error.fix}")
        return
    two = [f"{name}: {' and '.join(who)}" for name, who in shared_channels({p: s.channel for p, s in seats.items()})]
    two += [f"one webhook's channel: {' and '.join(who)}" for who in posting.into_one_channel(hooks.of)]
    what = f"several players share a channel, and each would read what is for the other ({'; '.join(two)})"
    yield Sign("channels", not two, what if two else "nobody reads what is for another")
    if hooks.of:
        lacking = hooks.lacking(seats)
        yield Sign("webhooks", True, f"{len(hooks.of)}; none for {', '.join(lacking)}" if lacking else "for everybody")


def _rights(path: str) -> Sign:
    if DISK.system == "windows":
        home = os.path.expanduser("~")
        if folded(path).startswith(folded(os.path.join(home, ""))):
            return Sign("rights", True, "those of your own folder")
        return Sign("rights", False, f"not below {home}: anybody who may open that folder can read the log")
    mode = os.stat(path).st_mode & 0o777
    if mode & 0o077:
        mend = for_shell(line_to_run("chmod", "600", path))
        return Sign("rights", False, f"{mode:o}: others on this machine can read the log; {mend}")
    return Sign("rights", True, f"{mode:o}")


def _two_systems(path: str, release: str | None = None) -> Iterator[Sign]:
    """Warn about a folder shared by Windows and WSL, which see each other's files through a network, without locks."""
    what = "locks do not hold between Windows and WSL: record from one of them only"
    if DISK.system == "windows" and re.match(r"[\\/]{2}wsl(\.localhost|\$)[\\/]", path, re.IGNORECASE):
        yield Sign("two systems", False, f"a folder of WSL, seen from Windows; {what}")
        return
    wsl = "microsoft" in (platform.release() if release is None else release).lower()
    if DISK.system == "linux" and wsl and re.match(r"/mnt/[a-z]/", path):
        yield Sign("two systems", False, f"a folder of Windows, seen from WSL; {what}")


# ---- simulate --------------------------------------------------------------------------------------------------------


@verb("simulate", "set up", audience="none")
@click.argument("subject", metavar="GAME|MATCH.toml", shell_complete=games)
@click.option(
    "-n", "--number", metavar="N", type=click.IntRange(1, 1_000_000), default=100, help="How many matches; 100."
)
@click.option("--seed", metavar="N", type=click.IntRange(0), default=1, help="Of the first match; the next has N + 1.")
@click.option("--keep", metavar="N", type=click.IntRange(0), default=0, help="Keep the first N matches as logs.")
@file_option("--into", metavar="DIR", help="The folder of what is kept.")
@list_option
def simulate(app: App, subject: str, number: int, seed: int, keep: int, into: str | None, reading: ReadOptions) -> int:
    """Play whole matches by random legal moves, and say what they show.

    hl simulate {game} -n 3

    Of a GAME first what no match met: verbs, and what players keep from each other. Nobody plays to win. A match that
    breaks is kept as a log, with the line that repeats it; the exit code is then 1.
    """
    from ledger.exchange.matchfile import setup_bodies  # pydantic: 5 bare interpreters of `hl --help`

    of_file = subject.endswith(".toml")
    data = read_toml(Path(subject)) if of_file else toml.parse(template(load_typed(subject)))
    game, bodies = setup_bodies(data, source=subject, by=None, now=now_ms())
    folder = into or f"simulated-{game.name}"

    def write(of_match: int, match: Trial) -> str:
        path = os.path.join(folder, str(of_match), LOG_NAME)
        create(path, [*bodies, *match.bodies()])
        return path

    def kept(of_match: int, match: Trial) -> None:
        if of_match < seed + keep:
            write(of_match, match)

    shown = playtest(lambda: Trial.from_entries(game, bodies), seed, number, kept)
    broke = shown.failed
    failed = None
    if broke is not None:
        line = line_to_run("hl", "simulate", subject, "-n", "1", "--seed", str(broke.seed))
        failed = {"seed": broke.seed, "what": broke.what, "log": write(broke.seed, broke.match), "repeat": line}
    document = {**plain(shown._replace(failed=None)), "failed": failed}
    deliver_lines(app, [*map(plain_line, said(shown, of_file))], reading, document=document)
    if keep and shown.matches:
        app.to_host(f"kept {min(keep, shown.matches)} in {folder}: hl verify {os.path.join(folder, str(seed))}")
    if failed is not None:
        app.to_host(f"match {failed['seed']} broke: {failed['what']}")
        app.to_host(f"  up to there it is {failed['log']}; again: {failed['repeat']}")
    return 1 if failed else 0
