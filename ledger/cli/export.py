"""`export`: facts, scores and garnet transfers as rows, for a spreadsheet or another program."""

from __future__ import annotations

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.options import ReadOptions
from ledger.cli.output import deliver, match_point
from ledger.render.safe import json_text


def do_export(app: App, only: str | None, reading: ReadOptions) -> None:
    from games.kinds import nearest, shown
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
