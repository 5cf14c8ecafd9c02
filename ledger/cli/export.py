"""What is made of a match for others: rows for a spreadsheet or another program, a copy with closed lines."""

from __future__ import annotations

import click

from events.errors import Unreadable
from games.kinds import nearest, shown
from ledger.cli.app import App, ReadOptions
from ledger.cli.completion import audiences, choices, files
from ledger.cli.new_file import write_new
from ledger.cli.output import deliver, match_point
from ledger.cli.verb import Format, into_options, overwrite_option, point_options, verb
from ledger.render.safe import json_text
from ledger.render.sheet import table
from ledger.tell.export import COLUMNS, sheet, tables
from ledger.tell.redact import redacted
from ledger.tell.reports import viewer_of


@verb("export", "audit", audience="any")
@click.option(
    "--only",
    metavar="facts|scores|transfers",
    help="One of the three tables.",
    shell_complete=choices("facts", "scores", "transfers"),
)
@point_options
@click.option(
    "-f", "--format", "fmt", type=Format(("csv", "json")), metavar="csv|json", default="csv", help="How to write it."
)
@into_options
def export(app: App, only: str | None, reading: ReadOptions) -> None:
    """Facts, scores and garnet transfers as rows: csv or json.

    As far as the audience may know them.
    """

    if only is not None and only not in COLUMNS:
        near = nearest(only, COLUMNS)
        hint = f"did you mean {near[0]}?" if near else f"one of: {' '.join(COLUMNS)}"
        raise Unreadable("word.unknown", f"there is no table {shown(only)}", hint)
    match, point = match_point(app, reading, "host")
    rows_of = {name: rows for name, rows in tables(match, point).items() if only in (None, name)}
    if reading.json:
        about = {"game": match.game.name, "title": match.table.title, "audience": point.viewer}
        deliver(app, json_text({**about, **rows_of}), reading)
    else:
        deliver(app, table(*sheet(rows_of, point.viewer)), reading)


@verb("redact", "audit", audience="any")
@click.option("--for", "viewer", metavar="P|public", required=True, help="The audience.", shell_complete=audiences)
@click.option("-o", "--output", "target", metavar="FILE", required=True, help="The new file.", shell_complete=files)
@overwrite_option
def redact(app: App, reading: ReadOptions) -> None:
    """A copy for one audience: lines they may not open are closed.

    The head is the same.
    """

    match, target = app.match, reading.target or ""
    audience = viewer_of(match, reading.viewer, "public")
    if audience == "host":
        raise Unreadable("redact.host", "the hosts have the log itself", "hl redact --for public -o FILE")
    lines = list(redacted(match, audience))
    write_new(target, b"".join(lines), overwrite=reading.overwrite)
    closed = sum(b',"salt":"' not in line for line in lines)
    app.to_host(f"wrote {target}: {len(lines)} lines, {closed} closed, head {match.book.head}")
