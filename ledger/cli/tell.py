"""Verbs whose output is pasted: reveal, summary, final."""

from __future__ import annotations

from typing import Any

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.output import check_format, deliver, deliver_blocks, point
from ledger.render.safe import joined, json_text

SEVERAL = ("text", "discord", "md", "json")
"""Formats in which several texts can stand below each other."""


def do_reveal(app: App, round_: str | None, **given: Any) -> None:
    from ledger.reports import report, round_report, view_json

    shown = point(app, given, "public")
    blocks = report(app.match, shown) if round_ is None else round_report(app.match, shown, round_)
    if given["fmt"] == "json":
        deliver(app, json_text(view_json(app.match, shown)), given)
    else:
        deliver_blocks(app, blocks, given)


def do_summary(app: App, player: str | None, everyone: bool, news: bool, **given: Any) -> None:
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


def do_final(app: App, **given: Any) -> None:
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
