"""What is made of a match for others: rows for a spreadsheet or another program, a copy with closed lines."""

from __future__ import annotations

from events.errors import Unreadable
from games.kinds import nearest, shown
from ledger.cli.app import App
from ledger.cli.new_file import write_new
from ledger.cli.options import ReadOptions
from ledger.cli.output import deliver, match_point
from ledger.render.safe import json_text
from ledger.tell.reports import viewer_of


def do_export(app: App, only: str | None, reading: ReadOptions) -> None:
    from ledger.render.sheet import table
    from ledger.tell.export import COLUMNS, sheet, tables

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


def do_redact(app: App, reading: ReadOptions) -> None:
    from ledger.tell.redact import redacted

    match, target = app.match, reading.target or ""
    audience = viewer_of(match, reading.viewer, "public")
    if audience == "host":
        raise Unreadable("redact.host", "the hosts have the log itself", "hl redact --for public -o FILE")
    lines = list(redacted(match, audience))
    write_new(target, b"".join(lines), overwrite=reading.overwrite)
    closed = sum(b',"salt":"' not in line for line in lines)
    app.to_host(f"wrote {target}: {len(lines)} lines, {closed} closed, head {match.book.head}")
