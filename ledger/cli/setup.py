"""Verbs that set a match up: template, check, new, deal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from events import create
from events.disk import line_to_run
from events.errors import Unreadable
from games.table.settings import gaps
from ledger.cli.app import App, ReadOptions, WriteOptions
from ledger.cli.completion import files, games
from ledger.cli.terminal import width
from ledger.cli.verb import json_option, list_option, verb
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.outside import load
from ledger.core.quoting import for_shell
from ledger.core.tomlfile import read_toml
from ledger.core.where import find_log
from ledger.exchange.template import template
from ledger.render.safe import json_text, plain_line, verbatim
from ledger.render.text import table


@verb("init", "set up", audience="none")
@click.argument("game", required=False, metavar="[GAME]", shell_complete=games)
@click.option(
    "-o", "--output", "target", metavar="FILE", default="match.toml", shell_complete=files,
    help="The new file; match.toml if not given.",
)  # fmt: skip
def init(app: App, game: str | None, target: str) -> int:
    """Write a match file by questions and answers.

    Game, players from a paste, zone, hosts, and the rules to look at first. It needs a terminal, and writes nothing
    before the end; then it offers to make the match.
    """
    from ledger.cli.init import by_answers  # with pydantic: a third of `hl --help`

    return by_answers(app, game, target, make_match)


@verb("template", "set up", audience="none")
@click.argument("game", metavar="GAME", shell_complete=games)
def print_template(app: App, game: str) -> None:
    """Print a match file with every setting, to fill in.

    Each with its gap, meaning and default.
    """

    app.out(verbatim(template(load(game)).rstrip("\n")))


@verb("check", "set up", audience="none")
@click.argument("source", metavar="FILE.toml", shell_complete=files)
@list_option
def check(app: App, source: str, reading: ReadOptions) -> int:
    """List everything that is wrong with a match file, with line numbers.

    Of a file that holds its own rules it also shows who sees what, and when.
    """
    from ledger.exchange.checking import check_file

    faults, seen = check_file(Path(source), app.host_name)
    if reading.json:
        rows = [{"line": f.line, "where": f.place, "what": f.what, "fix": f.fix, "code": f.code} for f in faults]
        viewers = [dict(zip(("what", "owner", "others", "end"), row, strict=True)) for row in seen]
        app.out(json_text({"ok": not faults, "faults": rows, "seen": viewers}))
        return 2 if faults else 0
    for fault in faults:
        app.show(plain_line(f"{source}:{fault.line}: {fault.sentence}{f'; {fault.fix}' if fault.fix else ''}"))
    if faults:
        app.to_host(f"{len(faults)} fault{'s' if len(faults) > 1 else ''}; nothing was made")
        return 2
    if seen:
        app.out(table(("what", "its owner", "the others", "at the end"), seen, width=width()))
    app.to_host(f"{source} can be played; hl new FOLDER --from {source} makes the match")
    return 0


@verb("new", "set up", audience="none", records=("create", "seat"))
@click.argument("folder", metavar="DIR", shell_complete=files)
@click.option("--from", "source", metavar="FILE.toml", required=True, help="The match file.", shell_complete=files)
@click.option(
    "--after",
    metavar="OLD",
    multiple=True,
    help="Take roster, zone, hosts and garnets of an earlier match.",
    shell_complete=files,
)
@click.option(
    "--death-match", is_flag=True, help="Of the Elimination Candidate of OLD and the opponent whom they chose there."
)
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would be made.")
@json_option
def new(app: App, folder: str, source: str, after: tuple[str, ...], death_match: bool, writing: WriteOptions) -> None:
    """Make a match from a match file.

    hl template GAME prints one.
    """
    make_match(app, folder, source, after, death_match=death_match, writing=writing)


def make_match(
    app: App, folder: str, source: str, after: tuple[str, ...], *, death_match: bool, writing: WriteOptions
) -> None:
    """Make a match from a match file, and say what is assumed in it."""
    from ledger.exchange.matchfile import setup_bodies

    path = Path(folder)
    log = path if path.suffix == ".jsonl" else path / "log.jsonl"
    if path.suffix != ".jsonl" and os.path.exists(folder) and (not os.path.isdir(folder) or os.path.exists(log)):
        raise Unreadable("log.exists", f"{folder} is there already", "choose another folder")
    data = read_toml(Path(source))
    if "zone" not in data and not after and app.config.zone:
        data["zone"] = app.config.zone
    if death_match and len(after) != 1:
        fix = f"hl new {folder} --from {source} --after MAIN --death-match"
        raise Unreadable("command.usage", "a Death Match comes after one main match", fix)
    if after:
        from ledger.exchange import season

        matches = [Match(find_log(name)) for name in after]
        data, lines = (
            season.death_match(data, matches[0], after[0]) if death_match else season.carry_over(data, matches)
        )
        for line in lines:
            app.to_host(line)
    game, bodies = setup_bodies(data, source=source, by=app.host_name, now=now_ms())
    document: dict[str, Any] = {"ok": True, "seq": [], "facts": [], "contested": [], "drift": []}
    if writing.dry_run:
        app.to_host(f"would make {log} with {len(bodies)} entries")
        document["dry_run"] = True
    else:
        entries = create(str(log), bodies)
        document["seq"] = [entry.seq for entry in entries]
        app.to_host(f"made {log} with {len(bodies)} entries · receipt {entries[-1].hash}")
    if writing.json:
        app.out_recorded(json_text(document))
    if assumptions := bodies[0].args["assumptions"]:
        gap_of = gaps(game)
        first = [name for name in assumptions if name not in gap_of or gap_of[name].look]
        look = f"; look at these first: {', '.join(first)}" if first else ""
        app.to_host(f"{len(assumptions)} rules of {game.title} are filled in by assumption{look}")
        listing = for_shell(line_to_run("hl", "-g", folder, "assumptions"))
        app.to_host(f"  {listing} lists them all; hl amend-setting KEY=VALUE settles one")
