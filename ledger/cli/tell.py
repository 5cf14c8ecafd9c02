"""Verbs whose output is pasted: reveal, summary, final."""

from __future__ import annotations

import json
from typing import Any

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.output import check_format, deliver, deliver_blocks, point

SEVERAL = ("text", "discord", "md", "json")
"""Formats in which several texts can stand below each other."""


def do_reveal(app: App, round_: str | None, **given: Any) -> None:
    from ledger.reports import report, round_report, view_json

    shown = point(app, given, "public")
    blocks = report(app.match, shown) if round_ is None else round_report(app.match, shown, round_)
    if given["fmt"] == "json":
        deliver(app, json.dumps(view_json(app.match, shown), ensure_ascii=False), given)
    else:
        deliver_blocks(app, blocks, given)


def do_summary(app: App, player: str | None, everyone: bool, news: bool, **given: Any) -> None:
    from ledger.outbox import summary_news
    from ledger.render.discord import escape_fenced
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
        deliver(app, json.dumps(told if everyone else told[0], ensure_ascii=False), given)
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
        texts.append(f"--- to {escape_fenced(f'{seat.name} {seat.channel}'.strip())}\n{body}")
    deliver(app, "\n\n".join(texts), given)


def do_final(app: App, **given: Any) -> None:
    from ledger.reports import report, result_json

    shown = point(app, given, "public")
    match = app.match
    if given["fmt"] == "json":
        deliver(app, json.dumps(result_json(match, shown), ensure_ascii=False), given)
        return
    blocks = report(match, shown)
    if shown.fold.state.table.status == "finished":
        from ledger.fairness import fairness

        blocks += fairness(match, shown.viewer)
    else:
        still = {"setup": "has not begun", "running": "is still played", "deciding": "waits for a decision"}
        app.note(f"not final yet: the match {still[shown.fold.state.table.status]}")
    deliver_blocks(app, blocks, given)
