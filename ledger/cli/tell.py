"""Verbs whose output is pasted: reveal, summary, final."""

from __future__ import annotations

from typing import Any

import click

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.derive import Verb, verb
from ledger.cli.output import check_format, deliver, deliver_blocks, output_options, point, point_options
from ledger.render.safe import joined, json_text

SEVERAL = ("text", "discord", "md", "json")
"""Formats in which several texts can stand below each other."""


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"reveal": _reveal, "summary": _summary, "final": _final}[name]()
    return made


def _options(default: str) -> list[click.Parameter]:
    """The shared read options, with the format one pastes as the default."""
    made = [*point_options(), *output_options()]
    for option in made:
        if option.name == "fmt":
            option.default = default
    return made


def _reveal() -> Verb:
    def run(app: App, round_: str | None, **given: Any) -> None:
        from ledger.reports import report, round_report, view_json

        shown = point(app, given, "public")
        blocks = report(app.match, shown) if round_ is None else round_report(app.match, shown, round_)
        if given["fmt"] == "json":
            deliver(app, json_text(view_json(app.match, shown)), given)
        else:
            deliver_blocks(app, blocks, given)

    params = [click.Argument(["round_"], required=False, metavar="[ROUND]"), *_options("discord")]
    return verb("reveal", "The public text, or that of one round, ready to paste.", params, run)


def _summary() -> Verb:
    def run(app: App, player: str | None, everyone: bool, news: bool, **given: Any) -> None:
        from ledger.outbox import summary_news
        from ledger.render.discord import labelled
        from ledger.reports import report, text, view_json

        match = app.match
        if (player is None) == (not everyone):
            raise Unreadable("command.usage", "summary needs one player, or --all", "hl summary ann")
        if given["viewer"] is not None:
            raise Unreadable("command.usage", "a summary is for the player it names", "hl summary ann")
        players = list(match.table.seats) if everyone else [match.table.directory().find(player or "")]
        shown = [point(app, {**given, "viewer": p}, "host") for p in players]
        if given["fmt"] == "json":
            told = [view_json(match, one) for one in shown]
            deliver(app, json_text(told if everyone else told[0]), given)
            return
        if not everyone:
            new = summary_news(match, shown[0].viewer) if news else []
            deliver_blocks(app, [*report(match, shown[0]), *new], given)
            return
        check_format(given["fmt"], SEVERAL)
        texts = []
        for one in shown:
            seat = match.table.seats[one.viewer]
            new = summary_news(match, one.viewer) if news else []
            body = text(match, [*report(match, one), *new], given["fmt"])
            texts.append(labelled(f"to {seat.name} {seat.channel}".strip(), body))
        deliver(app, joined(texts, "\n\n"), given)

    params = [
        click.Argument(["player"], required=False, metavar="[P]"),
        click.Option(["--all", "everyone"], is_flag=True, help="One text for each player."),
        click.Option(["--news"], is_flag=True, help="With what is new since the last text posted to the player."),
        *_options("discord"),
    ]
    return verb("summary", "What one player may know, ready to send.", params, run)


def _final() -> Verb:
    def run(app: App, **given: Any) -> None:
        from ledger.reports import report, result_json

        shown = point(app, given, "public")
        match = app.match
        if given["fmt"] == "json":
            deliver(app, json_text(result_json(match, shown)), given)
            return
        blocks = report(match, shown)
        if shown.fold.state.table.status == "finished":
            from ledger.fairness import fairness

            blocks += fairness(match, shown.viewer)
        else:
            still = {"setup": "has not begun", "running": "is still played", "deciding": "waits for a decision"}
            app.to_host(f"not final yet: the match {still[shown.fold.state.table.status]}")
        deliver_blocks(app, blocks, given)

    return verb("final", "The final reveal; with -f json the result.", _options("discord"), run)
