"""`export`: facts, scores and garnet transfers as rows, for a spreadsheet or another program."""

from __future__ import annotations

from typing import Any

import click

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.derive import Verb, verb
from ledger.cli.output import check_format, deliver, match_point, output_options, point_options
from ledger.render.safe import json_text


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"export": _export}[name]()
    return made


def _export() -> Verb:
    def run(app: App, only: str | None, **given: Any) -> None:
        from games.kinds import nearest, shown
        from ledger.export import COLUMNS, sheet, tables
        from ledger.render.sheet import table

        check_format(given["fmt"], ("csv", "json"))
        if only is not None and only not in COLUMNS:
            near = nearest(only, COLUMNS)
            hint = f"did you mean {near[0]}?" if near else f"one of: {' '.join(COLUMNS)}"
            raise Unreadable("word.unknown", f"there is no table {shown(only)}", hint)
        match, point = match_point(app, given, "host")
        found = tables(match, point)
        found = {name: rows for name, rows in found.items() if only in (None, name)}
        if given["fmt"] == "json":
            about = {"game": match.game.name, "title": match.table.title, "audience": point.viewer}
            deliver(app, json_text({**about, **found}), given)
        else:
            deliver(app, table(*sheet(found, point.viewer)), given)

    params = [
        click.Option(["--only"], metavar="facts|scores|transfers", help="One of the three tables."),
        *point_options(),
        click.Option(["-f", "--format", "fmt"], metavar="csv|json", default="csv", help="How to write it."),
        *(option for option in output_options() if option.name != "fmt"),
    ]
    about = "Facts, scores and garnet transfers, one row each, as far as the audience may know them."
    return verb("export", about, params, run)
