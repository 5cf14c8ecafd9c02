"""`hl demo`: plays a game's bundled match through the real commands into a folder, and tells what to look at."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from pathlib import Path

import click

from events.disk import line_to_run
from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.completion import files, games
from ledger.cli.root import run_words
from ledger.cli.verb import verb
from ledger.core.outside import load
from ledger.core.quoting import for_shell
from ledger.render.safe import plain_text

DEMO = "equilibrium"
"""The game whose bundled match is played, where none is named: the tutorial goes by it."""
FOLDER = "demo-match"
PAGE = "replay.html"
TELL = "#:"
REFUSED = "# refused"
REFUSAL_CODES = (2, 3)


@verb("demo", "set up", audience="none")
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
@click.option(
    "--into",
    metavar="DIR",
    help="The new folder; demo-match if not given, numbered if it is there.",
    shell_complete=files,
)
def demo(app: App, game: str | None, into: str | None) -> int:
    """Play a bundled match through the real commands.

    Then it says what to look at.
    """
    chosen = load(game or DEMO)
    folder = Path(sys.modules[chosen.settings.__module__].__file__ or "").parent
    script = folder / chosen.demo
    if not script.is_file():
        raise Unreadable("demo.none", f"{chosen.title} has no bundled match", "hl games")
    target = _free(Path(into or FOLDER))
    lines = script.read_text(encoding="utf-8").splitlines()
    code = play(app, lines, {"$MATCH": str(target), "$DEMO": str(folder)})
    if code == 0:
        page = target / PAGE
        code, _ = _quietly(app, ["replay", "--html", str(page), "--audiences", "host"], loud=False)
    if code == 0:
        _what_next(app, target, page)
    return code


def _free(wanted: Path) -> Path:
    """A folder that is not there yet: nothing is overwritten."""
    tries = [wanted, *(wanted.with_name(f"{wanted.name}-{n}") for n in range(2, 1000))]
    return next(path for path in tries if not path.exists())


def play(app: App, lines: list[str], words: dict[str, str]) -> int:
    """Run the script: commands after a `#:` line are shown with their answers, the others are only counted.

    Returns 0, or the exit code of the first line that did not end as the script says.
    """
    app.match_name = words["$MATCH"]
    app.host_name = None
    is_loud, quiet = False, 0
    for line in lines:
        if line.startswith(TELL):
            if quiet:
                app.out(plain_text(f"  ... {quiet} more line{'s' if quiet > 1 else ''} ..."))
            app.out(plain_text(f"\n== {line.removeprefix(TELL).strip()}"))
            is_loud, quiet = True, 0
            continue
        arguments = [_filled(word, words) for word in shlex.split(line, comments=True)]
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


def _filled(word: str, words: dict[str, str]) -> str:
    for name, value in words.items():
        word = word.replace(name, value)
    return word


def _quietly(app: App, arguments: list[str], *, loud: bool) -> tuple[int, str]:
    """One command, its answers shown or kept back: its exit code, and what was kept back."""
    kept = io.StringIO()
    with contextlib.ExitStack() as held:
        if loud:
            held.enter_context(contextlib.redirect_stderr(sys.stdout))
        else:
            held.enter_context(contextlib.redirect_stdout(kept))
            held.enter_context(contextlib.redirect_stderr(kept))
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
