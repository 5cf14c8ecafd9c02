"""`replay`: a match told step by step, to any moment and for any eyes.

`--step` walks through it at a terminal, `--html` writes a page in which anybody can.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import resources

import click

from events.audiences import PUBLIC_VIEWER
from events.errors import Unreadable
from games.records import plain
from ledger.cli.app import App, ReadOptions
from ledger.cli.completion import audiences as audiences_of
from ledger.cli.completion import files
from ledger.cli.new_file import write_new
from ledger.cli.output import deliver, match_point
from ledger.cli.stepper import walk
from ledger.cli.terminal import width
from ledger.cli.verb import read_options, verb
from ledger.page.steps import entries, page
from ledger.render.safe import SafeText, joined, json_text
from ledger.tell.reports import viewer_of
from ledger.tell.steps import steps_of


@verb("replay", "audit", audience="any")
@click.option(
    "--html", "page_file", metavar="FILE", help="Write a page in which anyone can watch it.", shell_complete=files
)
@click.option(
    "--check", is_flag=True, help="With --html: write the page that checks a log in a browser, in place of the match."
)
@click.option(
    "--audiences", metavar="A,B", help="Further audiences that the page can switch to.", shell_complete=audiences_of
)
@click.option("--step", "by_step", is_flag=True, help="One step at a time; without a terminal, all steps.")
@click.option("--follow", is_flag=True, help="Go on, and print each step that comes; until Ctrl-C.")
@read_options()
def replay(
    app: App,
    by_step: bool,
    page_file: str | None,
    audiences: str | None,
    check: bool,
    follow: bool,
    reading: ReadOptions,
) -> None:
    """The match step by step, for one audience; --step shows one at a time.

    What happened, when, and how it was corrected.
    """
    if page_file is not None:
        if by_step or follow or reading.target is not None or reading.copy or reading.fmt != "text":
            raise Unreadable("command.usage", "a page is all that --html writes", "hl replay --html FILE")
        if check:
            _write_checker(app, page_file, reading)
        else:
            _write_page(app, page_file, audiences, reading)
        return
    if check:
        raise Unreadable("command.usage", "--check writes a page", "hl replay --html FILE --check")
    if audiences is not None:
        raise Unreadable("command.usage", "a page has --audiences", "hl replay --html FILE --audiences ann,bob")
    if follow:
        _follow(app, by_step, reading)
        return
    match, point = match_point(app, reading, "host")
    steps = steps_of(match, point.fold, point.viewer)
    if reading.json:
        rows = [step.as_json() for step in steps.steps]
        for row in rows if by_step else ():
            row |= {"view": plain(steps.view(row["step"])), "result": plain(steps.result(row["step"]))}
        deliver(app, json_text({"audience": steps.viewer, "steps": rows}), reading)
    elif not by_step:
        deliver(app, joined(entries(steps, width() if reading.target is None else None)), reading)
    elif reading.target is None and app.may_ask and sys.stdout.isatty():
        walk(steps, lambda: width() or 80, app.out)
    else:
        pages = (page(steps, step.number, None) for step in steps.steps)
        deliver(app, joined(pages, "\n\n\n"), reading)


def _follow(app: App, by_step: bool, reading: ReadOptions) -> None:
    """Every step, and each that comes; with JSON the whole list anew."""
    from ledger.cli import following

    following.check(reading)
    if by_step:
        raise Unreadable("command.usage", "--step goes through what is there", "hl replay --follow")

    def answer() -> Sequence[SafeText]:
        match, point = match_point(app, reading, "host")
        steps = steps_of(match, point.fold, point.viewer)
        if app.json:
            return [json_text({"audience": steps.viewer, "steps": [step.as_json() for step in steps.steps]})]
        return entries(steps, width())

    following.follow(app, answer)


def _write_page(app: App, target: str, audiences: str | None, reading: ReadOptions) -> None:
    """The page for everybody, unless `--for` says otherwise; it can be given away."""
    from ledger.page.watch import called
    from ledger.page.watch import page as html_page

    match, point = match_point(app, reading, PUBLIC_VIEWER)
    words = (audiences or "").replace(",", " ").split()
    viewers = tuple(dict.fromkeys([point.viewer, *(viewer_of(match, word, PUBLIC_VIEWER) for word in words)]))
    replays = [steps_of(match, point.fold, viewer) for viewer in viewers]
    data = html_page(replays).encode()
    write_new(target, data, overwrite=reading.overwrite)
    audience = ", ".join(map(called, replays))
    app.to_host(f"wrote {target}: {len(data) / 1024:.0f} KB, as seen by {audience}; it opens in any browser")
    if viewers != (PUBLIC_VIEWER,):
        app.to_host("it holds what these may know: give it to nobody else before all of it is public")


def _write_checker(app: App, target: str, reading: ReadOptions) -> None:
    """The page that checks any log in a browser: docs/check.html. It holds nothing of a match."""
    data = resources.files("ledger.page").joinpath("check.html").read_bytes()
    write_new(target, data, overwrite=reading.overwrite)
    app.to_host(f"wrote {target}: drop a log on it, whole or redacted; it needs no network")
