"""Verbs whose output is pasted: reveal, summary, final."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from events.disk import folded
from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.options import ReadOptions
from ledger.cli.output import check_format, deliver, deliver_blocks, make_folder, point
from ledger.render import SEVERAL, ending
from ledger.render.safe import joined, json_text

T = TypeVar("T")
_FILE_NAME = re.compile(r"[\w-]{1,60}")
_DEVICE = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[0-9¹²³])")
"""Names that Windows keeps for itself."""


def do_reveal(app: App, round_: str | None, reading: ReadOptions) -> None:
    from ledger.tell.reports import report, round_report, view_json

    shown = point(app, reading, "public")
    blocks = report(app.match, shown) if round_ is None else round_report(app.match, shown, round_)
    if reading.json:
        deliver(app, json_text(view_json(app.match, shown)), reading)
    else:
        deliver_blocks(app, blocks, reading)


def do_summary(app: App, player: str | None, everyone: bool, news: bool, reading: ReadOptions) -> None:
    from ledger.render.discord import labelled
    from ledger.tell.outbox import summary_news
    from ledger.tell.reports import report, text, view_json

    match = app.match
    if (player is None) == (not everyone):
        raise Unreadable("command.usage", "summary needs one player, or --all", "hl summary PLAYER")
    if reading.viewer is not None:
        raise Unreadable("command.usage", "a summary is for the player it names", "hl summary PLAYER")
    here = [p for p in match.table.seats if p not in match.table.left]
    players = here if everyone else [match.table.directory().find(player or "")]
    shown = [point(app, reading._replace(viewer=p), "host") for p in players]
    if reading.json:
        views = [view_json(match, one) for one in shown]
        if everyone and reading.target is not None:
            files = {one.viewer: json_text(row) for one, row in zip(shown, views, strict=True)}
            _write_each(app, reading.target, reading, files, lambda data, to: deliver(app, data, to))
        else:
            deliver(app, json_text(views if everyone else views[0]), reading)
        return
    if not everyone:
        new = summary_news(match, shown[0].viewer) if news else []
        deliver_blocks(app, [*report(match, shown[0]), *new], reading)
        return
    blocks = {one.viewer: [*report(match, one), *(summary_news(match, one.viewer) if news else [])] for one in shown}
    if reading.target is not None:
        _write_each(app, reading.target, reading, blocks, lambda told, to: deliver_blocks(app, told, to))
        return
    check_format(reading.fmt, SEVERAL)
    texts = []
    for player, listed in blocks.items():
        seat = match.table.seats[player]
        texts.append(labelled(f"to {seat.name} {seat.channel}".strip(), text(match, listed, reading.fmt)))
    deliver(app, joined(texts, "\n\n"), reading)


def _write_each(
    app: App, folder: str, reading: ReadOptions, told: Mapping[str, T], write: Callable[[T, ReadOptions], None]
) -> None:
    """A file for each player, named by their channel, in a folder."""
    if reading.copy:
        raise Unreadable("command.usage", "several files are not one text that could be copied", "hl summary P --copy")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        what = f"{folder} is there already, and is no folder"
        raise Unreadable("output.exists", what, "hl summary --all -o DIR")
    make_folder(folder)
    names = file_names({player: app.match.table.seats[player].channel for player in told})
    for player, one in told.items():
        write(one, reading._replace(target=os.path.join(folder, f"{names[player]}.{ending(reading.fmt)}")))


def file_names(channels: Mapping[str, str]) -> dict[str, str]:
    """The name of each player's file: the channel without its mark; the player's id, where that is no name for a file.

    They are valid on every system, and no two are one on a disk that is blind to case.

    >>> file_names({"ann": "#ann-private", "bob": "../x", "cyd": "#con"})
    {'ann': 'ann-private', 'bob': 'bob', 'cyd': 'cyd'}
    """
    plain = {player: channel.removeprefix("#").lower() for player, channel in channels.items()}
    named = {player: name if _FILE_NAME.fullmatch(name) else player for player, name in plain.items()}
    for names in (
        {player: player if _DEVICE.fullmatch(name) else name for player, name in named.items()},
        {player: f"{name}-{player}" for player, name in named.items()},
    ):
        apart = len({folded(name) for name in names.values()}) == len(names)
        if apart and not any(map(_DEVICE.fullmatch, names.values())):
            return names
    return {player: f"summary-{player}" for player in channels}


def do_final(app: App, reading: ReadOptions) -> None:
    from ledger.tell.reports import report, result_json

    shown = point(app, reading, "public")
    match = app.match
    if reading.json:
        deliver(app, json_text(result_json(match, shown)), reading)
        return
    blocks = report(match, shown)
    if shown.fold.state.table.status == "finished":
        from ledger.tell.fairness import fairness

        blocks += fairness(match, shown.viewer)
    else:
        still = {"setup": "has not begun", "running": "is still played", "deciding": "waits for a decision"}
        app.to_host(f"not final yet: the match {still[shown.fold.state.table.status]}")
    deliver_blocks(app, blocks, reading)
