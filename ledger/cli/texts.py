"""Verbs whose output is to be pasted: reveal, summary, final, remind, drift."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import TypeVar

import click

from events.disk import folded
from events.errors import Unreadable
from games.kinds import EVERYBODY
from ledger.cli.app import App
from ledger.cli.completion import players
from ledger.cli.output import deliver, deliver_blocks, make_folder, read_point
from ledger.cli.verb import ReadOptions, check_format, list_option, read_options, verb
from ledger.core.clock import now_ms
from ledger.render import FORMATS, SEVERAL, discord, labelled
from ledger.render.safe import filled, joined, json_text, plain_line
from ledger.tell.explain import fairness
from ledger.tell.outbox import outbox, remindable, reminder, summary_news
from ledger.tell.reports import death_match, report, result_json, round_report, text, view_json

T = TypeVar("T")
_DEVICE = re.compile(r"(?i:con|prn|aux|nul|(com|lpt)[0-9¹²³])")
"""Names that Windows reserves."""


@verb("reveal", "tell", audience="any")
@click.argument("round_", required=False, metavar="[ROUND]")
@read_options(*FORMATS, default="discord")
def reveal(app: App, round_: str | None, reading: ReadOptions) -> None:
    """The public text.

    hl reveal

    Or that of one round, ready to paste.
    """
    point = read_point(app, reading, "public")
    blocks = report(app.match, point) if round_ is None else round_report(app.match, point, round_)
    deliver_blocks(app, blocks, reading, document=view_json(app.match, point))


@verb("summary", "tell", audience="any")
@click.argument("player", required=False, metavar="[P]", shell_complete=players)
@click.option(
    "--all", "everyone", is_flag=True, help="One text for each player; with -o DIR a file each, named by channel."
)
@click.option("--news", is_flag=True, help="Also what is new since the last text posted to the player.")
@read_options(*FORMATS, default="discord")
def summary(app: App, player: str | None, everyone: bool, news: bool, reading: ReadOptions) -> None:
    """What one player may know, ready to send.

    hl summary ann
    hl summary --all
    """
    match = app.match
    if player in EVERYBODY:
        player, everyone = None, True
    if (player is None) == (not everyone):
        raise Unreadable("command.usage", "summary needs one player, or --all", "hl summary PLAYER")
    if reading.viewer is not None:
        raise Unreadable("command.usage", "a summary is for the player it names", "hl summary PLAYER")
    present = [p for p in match.table.seats if p not in match.table.left]
    players = present if everyone else [match.table.directory().find(player or "")]
    points = {p: read_point(app, reading._replace(viewer=p), "host") for p in players}
    if reading.json:
        views = {p: view_json(match, point) for p, point in points.items()}
        if everyone and reading.target is not None:
            files = {p: json_text(view) for p, view in views.items()}
            _write_each(app, reading.target, reading, files, lambda data, to: deliver(app, data, to))
        else:
            deliver(app, json_text(list(views.values()) if everyone else views[players[0]]), reading)
        return
    blocks = {p: [*report(match, point), *(summary_news(match, p) if news else [])] for p, point in points.items()}
    if not everyone:
        deliver_blocks(app, blocks[players[0]], reading)
    elif reading.target is not None:
        _write_each(app, reading.target, reading, blocks, lambda data, to: deliver_blocks(app, data, to))
    else:
        check_format(reading.fmt, SEVERAL)
        seats = [match.table.seats[p] for p in players]
        labels = [f"to {seat.name} {seat.channel}".strip() for seat in seats]
        texts = (text(match, blocks[p], reading.fmt) for p in players)
        deliver(app, joined(map(labelled, labels, texts, repeat(reading.fmt)), "\n\n"), reading)


def _write_each(
    app: App, folder: str, reading: ReadOptions, data_of: Mapping[str, T], write: Callable[[T, ReadOptions], None]
) -> None:
    if reading.copy:
        raise Unreadable("command.usage", "several files are not one text that could be copied", "hl summary P --copy")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise Unreadable("output.exists", f"{folder} exists and is not a folder", "hl summary --all -o DIR")
    make_folder(folder)
    names = file_names({player: app.match.table.seats[player].channel for player in data_of})
    ending = "txt" if reading.fmt in ("text", "discord") else reading.fmt
    for player, data in data_of.items():
        write(data, reading._replace(target=os.path.join(folder, f"{names[player]}.{ending}")))


def file_names(channels: Mapping[str, str]) -> dict[str, str]:
    """The name of each player's file: the channel without `#`, or the player's id if that is not a valid file name.

    The names are valid on every system, and distinct even on a disk that ignores case.

    >>> file_names({"ann": "#ann-private", "bob": "../x", "cyd": "#con"})
    {'ann': 'ann-private', 'bob': 'bob', 'cyd': 'cyd'}
    """
    plain = {player: channel.removeprefix("#").lower() for player, channel in channels.items()}
    valid = {player: name if re.fullmatch(r"[\w-]{1,60}", name) else player for player, name in plain.items()}
    for names in (
        {player: player if _DEVICE.fullmatch(name) else name for player, name in valid.items()},
        {player: f"{name}-{player}" for player, name in valid.items()},
    ):
        are_apart = len({folded(name) for name in names.values()}) == len(names)
        if are_apart and not any(map(_DEVICE.fullmatch, names.values())):
            return names
    return {player: f"summary-{player}" for player in channels}


@verb("final", "tell", audience="any")
@read_options(*FORMATS, default="discord")
def final(app: App, reading: ReadOptions) -> None:
    """The final reveal.

    hl final

    With -f json the result.
    """
    point = read_point(app, reading, "public")
    match, status = app.match, point.fold.state.table.status
    if reading.json:
        deliver(app, json_text(result_json(match, point)), reading)
        return
    blocks = [*report(match, point), *death_match(match, point)]
    if status == "finished":
        blocks += fairness(match, point.viewer)
    else:
        reason = {"setup": "has not begun", "running": "is still played", "deciding": "waits for a decision"}[status]
        app.to_host(f"not final yet: the match {reason}; hl status says what comes next")
    deliver_blocks(app, blocks, reading)


@verb("drift", "tell")
@list_option
def drift(app: App, reading: ReadOptions) -> None:
    """Posted texts that are no longer true.

    hl drift

    And the corrections to post.
    """
    texts = outbox(app.match)
    if reading.json:
        app.out(json_text({"drift": [text.as_json() for text in texts.drifted]}))
        return
    if not texts.drifted:
        app.to_host("every posted text is still true")
        return
    for drifted in texts.drifted:
        app.show(plain_line(f"{drifted.item}, posted to {drifted.channel} (entry {drifted.posted}): {drifted.what}"))
    for item in texts.waiting:
        if item.covers:
            app.out(filled("\n{}", discord.labelled(f"correction {item.name} to {item.channel}", item.text)))
    app.to_host("hl outbox done ITEM records that a correction was posted")


@verb("remind", "tell")
@click.argument("player", required=False, metavar="[P]", shell_complete=players)
@list_option
def remind(app: App, player: str | None, reading: ReadOptions) -> None:
    """A text for each player who owes something.

    hl remind
    hl remind ann

    Or for one of them; for nobody else.
    """
    match = app.match
    whom = match.table.seats if player is None else (match.table.directory().find(player),)
    dues = [due for due in match.game.waiting(match.fold.state) if due.who in whom]
    items = [reminder(match, due, now_ms()) for due in remindable(match) if due.who in whom]
    if len(items) < len(dues):
        app.to_host("some are not reminded, because they may not know what they owe: hl waiting names them")
    if reading.json:
        rows = [{"who": item.audience, "channel": item.channel, "text": item.text} for item in items]
        app.out(json_text({"reminders": rows}))
    elif not dues:
        app.to_host("nobody owes anything" if player is None else f"{match.table.named(whom)} owes nothing")
    elif items:
        texts = (discord.labelled(f"to {item.channel}", discord.numbered(item.messages)) for item in items)
        app.out(joined(texts, "\n\n"))
