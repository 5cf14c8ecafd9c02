"""Verbs that export a match: rows for a spreadsheet, a copy with closed lines, the replay as text or page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

import click

from events.audiences import PUBLIC_VIEWER
from events.errors import Unreadable
from games.kinds import did_you_mean, shown
from ledger.cli.app import App
from ledger.cli.completion import audiences, choices
from ledger.cli.output import check_follow, deliver, follow_answer, match_point, write_new
from ledger.cli.terminal import width
from ledger.cli.verb import (
    Format,
    ReadOptions,
    file_option,
    into_options,
    log_argument,
    overwrite_option,
    point_options,
    read_options,
    verb,
)
from ledger.page import called, entries, page as html_page
from ledger.render.csv import table
from ledger.render.safe import SafeText, joined, json_text
from ledger.tell.export import COLUMNS, sheet, tables
from ledger.tell.redact import redacted
from ledger.tell.reports import viewer_of
from ledger.tell.steps import steps_of


@verb("export", "audit", audience="any")
@click.option("--only", metavar="|".join(COLUMNS), help="One of the three tables.", shell_complete=choices(*COLUMNS))
@point_options
@click.option(
    "-f", "--format", "fmt", type=Format(("csv", "json")), metavar="csv|json", default="csv", help="How to write it."
)
@into_options
def export(app: App, only: str | None, reading: ReadOptions) -> None:
    """Facts, scores and garnet transfers as rows: csv or json.

    hl export -o match.csv

    As far as the audience may know them.
    """
    if only is not None and only not in COLUMNS:
        hint = did_you_mean(only, [*COLUMNS], f"one of: {' '.join(COLUMNS)}", 1)
        raise Unreadable("word.unknown", f"there is no table {shown(only)}", hint)
    match, point = match_point(app, reading, "host")
    rows_of = {name: rows for name, rows in tables(match, point).items() if only in (None, name)}
    if reading.json:
        about = {"game": match.game.name, "title": match.table.title, "audience": point.viewer}
        deliver(app, json_text({**about, **rows_of}), reading)
    else:
        deliver(app, table(*sheet(rows_of, point.viewer)), reading)


@verb("redact", "audit", audience="any")
@click.option("--for", "viewer", metavar="P|public", required=True, help="For whom.", shell_complete=audiences)
@file_option("-o", "--output", "target", required=True, help="The new file.")
@overwrite_option
def redact(app: App, reading: ReadOptions) -> None:
    """A copy for one audience: lines they may not open are closed.

    hl redact --for public -o public.jsonl

    The head is the same.
    """
    match, target = app.match, reading.target or ""
    audience = viewer_of(match, reading.viewer, "public")
    if audience == "host":
        what = "hosts have the log itself: name public or a player"
        raise Unreadable("redact.host", what, "hl redact --for public -o FILE")
    lines = list(redacted(match, audience))
    write_new(target, b"".join(lines), overwrite=reading.overwrite)
    closed = sum(b',"salt":"' not in line for line in lines)
    app.to_host(f"wrote {target}: {len(lines)} lines, {closed} closed, receipt {match.book.head}")


@verb("replay", "audit", audience="any")
@log_argument
@file_option("--html", "page_file", help="Write a page in which anyone can watch it.")
@click.option(
    "--check", is_flag=True, help="With --html: write the page that checks a log in a browser, in place of the match."
)
@click.option(
    "--audiences",
    metavar="A,B",
    help="Players, host or public, whose view the page can switch to.",
    shell_complete=audiences,
)
@click.option("--follow", is_flag=True, help="Go on, and print each step that comes; until Ctrl-C.")
@read_options()
def replay(
    app: App, page_file: str | None, audiences: str | None, check: bool, follow: bool, reading: ReadOptions
) -> None:
    """The match step by step, for one audience.

    hl replay
    hl replay --html replay.html

    What happened, when, and how it was corrected. LOG: a file, as with -g.
    """
    if page_file is not None:
        if follow or reading.target is not None or reading.copy or reading.fmt != "text":
            raise Unreadable("command.usage", "a page is all that --html writes", "hl replay --html FILE")
        if check:
            data = resources.files("ledger.page").joinpath("check.html").read_bytes()  # it has no data of a match
            write_new(page_file, data, overwrite=reading.overwrite)
            app.to_host(
                f"wrote {page_file}: open it in a browser and drop a log on it, whole or redacted; it needs no network"
            )
        else:
            _write_page(app, page_file, audiences, reading)
        return
    if check:
        raise Unreadable("command.usage", "--check writes a page", "hl replay --html FILE --check")
    if audiences is not None:
        raise Unreadable("command.usage", "--audiences is for a page", "hl replay --html FILE --audiences P,P")

    def answer() -> Sequence[SafeText]:
        match, point = match_point(app, reading, "host")
        steps = steps_of(match, point.fold, point.viewer)
        if reading.json:
            return [json_text({"audience": steps.viewer, "steps": [step.as_json() for step in steps.steps]})]
        return entries(steps, width() if reading.target is None else None)

    if follow:
        check_follow(reading)
        follow_answer(app, answer)
    else:
        deliver(app, joined(answer()), reading)


def _write_page(app: App, target: str, audiences: str | None, reading: ReadOptions) -> None:
    match, point = match_point(app, reading, PUBLIC_VIEWER)
    words = (audiences or "").replace(",", " ").split()
    viewers = tuple(dict.fromkeys([point.viewer, *(viewer_of(match, word, PUBLIC_VIEWER) for word in words)]))
    replays = [steps_of(match, point.fold, viewer) for viewer in viewers]
    data = html_page(replays).encode()
    write_new(target, data, overwrite=reading.overwrite)
    audience = ", ".join(map(called, replays))
    app.to_host(f"wrote {target}: {len(data) / 1024:.0f} KB, as seen by {audience}; it opens in any browser")
    if viewers != (PUBLIC_VIEWER,):
        app.to_host("it shows what these may know: give it to nobody else before all of it is public")
