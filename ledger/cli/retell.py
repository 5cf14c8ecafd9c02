"""`replay`: a match told step by step, to any moment and for any eyes; `--step` walks through it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from ledger.cli.app import App
from ledger.cli.derive import Verb, verb
from ledger.cli.output import check_format, deliver, host_read_options, match_point


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"replay": _replay}[name]()
    return made


def _replay() -> Verb:
    def run(app: App, step: bool, **given: Any) -> None:
        from games.records import plain
        from ledger.cli.stepper import walk
        from ledger.render.steps import listed, page
        from ledger.steps import steps_of

        check_format(given["fmt"])
        match, shown = match_point(app, given, "host")
        told = steps_of(match, shown.fold, shown.viewer)
        if given["fmt"] == "json":
            rows = [one.as_json() for one in told.steps]
            for row in rows if step else ():
                row |= {"view": plain(told.view(row["step"])), "result": plain(told.result(row["step"]))}
            deliver(app, json.dumps({"audience": told.viewer, "steps": rows}, ensure_ascii=False), given)
        elif not step:
            deliver(app, listed(told, width() if given["target"] is None else None), given)
        elif given["target"] is None and app.may_ask and sys.stdout.isatty():
            walk(told, lambda: width() or 80, app.out)
        else:
            pages = (page(told, one.number, None) for one in told.steps)
            deliver(app, "\n\n\n".join(pages), given)

    params = [
        click.Option(["--step"], is_flag=True, help="Walk through it; where nobody sits at a terminal, all pages."),
        *host_read_options(),
    ]
    about = "The match step by step as an audience may know it: what happened, when, and what became of it."
    return verb("replay", about, params, run)


def width() -> int | None:
    """Columns of the terminal; None where the output is no terminal, and is not wrapped."""
    if not sys.stdout.isatty():
        return None
    if (said := os.environ.get("COLUMNS", "")).isascii() and said.isdigit():
        return max(20, int(said))
    try:
        return max(20, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError):
        return 80
