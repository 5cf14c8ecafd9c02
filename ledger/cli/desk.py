"""The host's desk: what waits to be posted, what has drifted, who owes what."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any

import click

from events.errors import Refused, Unreadable
from games.table import actions as shared
from ledger.cli.answer import answer
from ledger.cli.app import App
from ledger.cli.output import deliver, hosts_match
from ledger.render.safe import DiscordText, filled, joined, json_text, plain_line

if TYPE_CHECKING:
    from games.contract import Due
    from ledger.match import Match
    from ledger.outbox import Desk, Item


def do_outbox(app: App, what: str | None, item: str | None, fmt: str, copy: bool, dry_run: bool, as_json: bool) -> None:
    app.json = as_json or fmt == "json"
    if what in (None, "list"):
        _list(app, fmt)
    elif what == "next":
        _next(app, item, fmt, copy=copy)
    elif what in ("done", "drop"):
        if item is None:
            raise Unreadable("command.usage", f"which text is {what}?", "hl outbox lists their names")
        _settle(app, item, dropped=what == "drop", as_json=as_json or fmt == "json", dry_run=dry_run)
    else:
        raise Unreadable(
            "command.usage", f"outbox does not know {what}", "hl outbox [next | done ITEM | drop ITEM]"
        )


def _list(app: App, fmt: str) -> None:
    from ledger.clock import now_ms
    from ledger.outbox import desk, head_line

    match = app.match
    found = desk(match, now_ms())
    if fmt == "json":
        app.out(json_text({"items": [_item_json(item) for item in found.waiting]}))
        return
    if not found.waiting:
        app.to_host("nothing waits to be posted")
        return
    app.out(joined(plain_line(head_line(item, match.zone)) for item in found.waiting))


def _item_json(item: Item) -> dict[str, Any]:
    from events import write_instant

    return {
        "item": item.name,
        "audience": item.audience,
        "channel": item.channel,
        "at": write_instant(item.at),
        "covers": list(item.covers),
        "text": item.text,
    }


def _next(app: App, after: str | None, fmt: str, *, copy: bool) -> None:
    """Show the oldest text; on a terminal go on until the host stops or nothing waits."""
    from ledger.clipboard import copy as to_clipboard
    from ledger.clock import now_ms
    from ledger.outbox import desk, head_line

    skipped: set[str] = set()
    terminal = sys.stdin.isatty() and sys.stderr.isatty() and not app.no_input
    while True:
        match = app.match
        waiting = [
            item for item in desk(match, now_ms()).waiting if item.name not in skipped and after in (None, item.name)
        ]
        if not waiting:
            app.to_host("nothing more waits to be posted" if skipped else "nothing waits to be posted")
            return
        item = waiting[0]
        if fmt == "json":
            app.out(json_text(_item_json(item)))
            return
        app.to_host(head_line(item, match.zone))
        app.out(item.text)
        if (copy or terminal) and not to_clipboard(item.text):
            app.to_host("(no clipboard here: select the text)")
        if not terminal:
            app.to_host(f"when it is posted: hl outbox done {item.name}")
            return
        reply = (
            click.prompt("Enter: posted, s: skip, q: quit", default="", show_default=False, err=True).strip().lower()
        )
        if reply == "q":
            return
        if reply == "s":
            skipped.add(item.name)
        else:
            _settle(app, item.name, dropped=False, as_json=False)
            app.stale()


def _settle(app: App, name: str, *, dropped: bool, as_json: bool, dry_run: bool = False) -> None:
    """Record that a text was posted, or that it will not be."""
    from ledger.clock import now_ms
    from ledger.outbox import desk
    from ledger.recorder import Options, correct

    match = app.match
    item = _waiting_item(match, desk(match, now_ms()), name)
    text = "" if dropped else item.text
    entry = shared.Posted(
        item=item.name,
        audience=item.audience,
        channel=item.channel,
        text=text,
        digest="" if dropped else hashlib.sha256(text.encode()).hexdigest(),
        covers=item.covers,
        dropped=dropped,
    )

    def still_so(current: Match) -> None:
        now = _waiting_item(current, desk(current, now_ms()), name)
        if not dropped and now.text != text:
            raise Refused(
                "outbox.changed", f"text {name} has changed meanwhile", f"look at it again: hl outbox next {name}"
            )

    written = correct(match, entry, Options(by=app.host, yes=True, dry_run=dry_run), app.ask, still_so)
    said = f"text {name} {'would be' if dry_run else 'is'} {'dropped' if dropped else 'posted'}"
    answer(app, written, {"as_json": as_json, "dry_run": dry_run}, said=said)


def _waiting_item(match: Match, found: Desk, name: str) -> Item:
    item = next((one for one in found.waiting if one.name == name), None)
    if item is not None:
        return item
    if (sent := found.sent.get(name)) is not None:
        word = "dropped" if sent.dropped else "posted"
        raise Refused(
            "outbox.settled", f"text {name} was {word} by {sent.by} (entry {sent.seq})", f"hl undo {sent.seq}"
        )
    from games.kinds import nearest, shown

    near = nearest(name, [one.name for one in found.waiting])
    hint = f"did you mean {' or '.join(near)}?" if near else "hl outbox lists their names"
    raise Unreadable("outbox.unknown", f"no text {shown(name)} waits to be posted", hint)


def do_drift(app: App, fmt: str) -> None:
    from ledger.outbox import desk
    from ledger.render import discord

    found = desk(app.match)
    if fmt == "json":
        app.out(json_text({"drift": [one.as_json() for one in found.drifted]}))
        return
    if not found.drifted:
        app.to_host("every posted text still says what is so")
        return
    for one in found.drifted:
        app.out(plain_line(f"{one.item}, posted to {one.channel} (entry {one.posted}): {one.what}"))
    for item in found.waiting:
        if item.covers:
            app.out(filled("\n{}", discord.labelled(f"correction {item.name} to {item.channel}", item.text)))
    app.to_host("hl outbox done ITEM records that a correction was posted")


def do_waiting(app: App, check: bool, **given: Any) -> int:
    from events.instants import write_end, write_instant
    from ledger.clock import now_ms
    from ledger.times import show_span

    match = hosts_match(app, given)
    state, now = match.fold.state, now_ms()
    dues = match.game.waiting(state)
    if given["fmt"] == "json":
        rows = [
            {
                "who": due.who,
                "what": due.what,
                "since": write_instant(due.since),
                "until": None if due.until is None else write_end(due.until),
            }
            for due in dues
        ]
        deliver(app, json_text({"waiting": rows}), given)
    else:
        if dues:
            deliver(app, joined(_owes(match, due, now) for due in dues), given)
        end = match.game.due(state)
        if end is not None and end <= now:
            app.to_host(f"the end passed {show_span(now - end)} ago; run hl close")
        if not dues:
            app.to_host("nobody owes anything")
    return 5 if check and dues else 0


def _owes(match: Match, due: Due, now: int) -> DiscordText:
    """`Bob owes a vote until 2026-03-06 15:12:00 CET (in 3 h, <t:...:R>)`: in the match's zone, and to paste."""
    from ledger.render.discord import code, escape
    from ledger.times import show_span, show_time

    line = filled("{} owes a {}", escape(match.table.name(due.who)), code(due.what))
    if due.until is None:
        return line
    ago = f"passed {show_span(now - due.until)} ago" if due.until <= now else f"in {show_span(due.until - now)}"
    until = code(show_time(due.until, match.zone))
    return filled("{} until {} ({}, <t:{}:R>)", line, until, code(ago), due.until // 1000)


def do_remind(app: App, fmt: str) -> None:
    from ledger.outbox import remindable, reminder
    from ledger.render import discord

    match = app.match
    dues = match.game.waiting(match.fold.state)
    items = [reminder(match, due) for due in remindable(match)]
    if len(items) < len(dues):
        app.to_host("hl waiting names who is not reminded: the information table hides from them what they owe")
    if fmt == "json":
        rows = [{"who": item.audience, "channel": item.channel, "text": item.text} for item in items]
        app.out(json_text({"reminders": rows}))
    elif not dues:
        app.to_host("nobody owes anything")
    elif items:
        app.out(joined((discord.labelled(f"to {item.channel}", item.text) for item in items), "\n\n"))
