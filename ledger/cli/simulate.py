"""`simulate`: whole matches by random legal moves, for who writes a game or a match file."""

from __future__ import annotations

import os
from pathlib import Path

import click

from events import create
from events.disk import line_to_run
from games import toml
from games.records import plain
from ledger.author.playtest import playtest, said
from ledger.author.simulation import Trial
from ledger.cli.app import App
from ledger.cli.completion import files, games
from ledger.cli.output import deliver_lines
from ledger.cli.verb import ReadOptions, list_option, verb
from ledger.core.clock import now_ms
from ledger.core.logs import LOG_NAME
from ledger.core.outside import load_typed
from ledger.core.tomlfile import read_toml
from ledger.exchange.template import template
from ledger.render.safe import plain_line


@verb("simulate", "set up", audience="none")
@click.argument("subject", metavar="GAME|MATCH.toml", shell_complete=games)
@click.option(
    "-n", "--number", metavar="N", type=click.IntRange(1, 1_000_000), default=100, help="How many matches; 100."
)
@click.option("--seed", metavar="N", type=click.IntRange(0), default=1, help="Of the first match; the next has N + 1.")
@click.option("--keep", metavar="N", type=click.IntRange(0), default=0, help="Keep the first N matches as logs.")
@click.option("--into", metavar="DIR", help="The folder of what is kept.", shell_complete=files)
@list_option
def simulate(app: App, subject: str, number: int, seed: int, keep: int, into: str | None, reading: ReadOptions) -> int:
    """Play whole matches by random legal moves, and say what they show.

    hl simulate {game} -n 3

    First what no match met: verbs, and what players keep from each other. Nobody plays to win. A match that breaks is
    kept as a log, with the line that repeats it; the exit code is then 1.
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
    deliver_lines(app, [*map(plain_line, said(shown))], reading, document=document)
    if keep and shown.matches:
        app.to_host(f"kept {min(keep, shown.matches)} in {folder}: hl verify {os.path.join(folder, str(seed))}")
    if failed is not None:
        app.to_host(f"match {failed['seed']} broke: {failed['what']}")
        app.to_host(f"  up to there it is {failed['log']}; again: {failed['repeat']}")
    return 1 if failed else 0
