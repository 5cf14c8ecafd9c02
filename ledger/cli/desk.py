"""The host's desk: what has drifted, who owes what, what is in doubt. What waits to be posted: outbox.py."""

from __future__ import annotations

from events.instants import write_end, write_instant
from games.contract import Due
from games.kinds import BREAK
from ledger.cli.app import App
from ledger.cli.options import ReadOptions
from ledger.cli.output import deliver, deliver_lines, hosts_match
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import show_span, show_time
from ledger.render import discord
from ledger.render.safe import PlainText, filled, joined, json_text, plain_line, without_pings


def do_drift(app: App, reading: ReadOptions) -> None:
    from ledger.tell.outbox import outbox

    texts = outbox(app.match)
    if reading.json:
        app.out(json_text({"drift": [drift.as_json() for drift in texts.drifted]}))
        return
    if not texts.drifted:
        app.to_host("every posted text still says what is so")
        return
    for drift in texts.drifted:
        app.show(plain_line(f"{drift.item}, posted to {drift.channel} (entry {drift.posted}): {drift.what}"))
    for item in texts.waiting:
        if item.covers:
            app.out(filled("\n{}", discord.labelled(f"correction {item.name} to {item.channel}", item.text)))
    app.to_host("hl outbox done ITEM records that a correction was posted")


def do_waiting(app: App, check: bool, reading: ReadOptions) -> int:
    from ledger.tell.ends import passed

    match = hosts_match(app, reading)
    state, now = match.fold.state, now_ms()
    dues = match.game.waiting(state)
    if reading.json:
        rows = [
            {
                "who": due.who,
                "what": due.what,
                "since": write_instant(due.since),
                "until": None if due.until is None else write_end(due.until),
            }
            for due in dues
        ]
        deliver(app, json_text({"waiting": rows}), reading)
    else:
        if dues:
            deliver_lines(app, [_owes(match, due, now) for due in dues], reading)
        end = match.game.due(state)
        if end is not None and end <= now:
            app.to_host(passed(end, now, match.table))
        elif end is not None and match.table.phase == BREAK:
            app.to_host(f"a break until {show_time(end, match.zone)} (in {show_span(end - now)})")
        if not dues:
            app.to_host("nobody owes anything")
    return 5 if check and dues else 0


def _owes(match: Match, due: Due, now: int) -> PlainText:
    """`Bob owes a vote until 2026-03-06 15:12:00 CET (in 3 h)`: in the match's zone."""
    article = "an" if due.what[0] in "aeiou" else "a"
    line = f"{match.table.name(due.who)} owes {article} {due.what}"
    if due.until is None:
        return without_pings(line)
    ago = f"passed {show_span(now - due.until)} ago" if due.until <= now else f"in {show_span(due.until - now)}"
    return without_pings(f"{line} until {show_time(due.until, match.zone)} ({ago})")


def do_remind(app: App, reading: ReadOptions) -> None:
    from ledger.tell.reminders import remindable, reminder

    match = app.match
    dues = match.game.waiting(match.fold.state)
    items = [reminder(match, due) for due in remindable(match)]
    if len(items) < len(dues):
        app.to_host("hl waiting names who is not reminded: the information table hides from them what they owe")
    if reading.json:
        rows = [{"who": item.audience, "channel": item.channel, "text": item.text} for item in items]
        app.out(json_text({"reminders": rows}))
    elif not dues:
        app.to_host("nobody owes anything")
    elif items:
        app.out(
            joined((discord.labelled(f"to {item.channel}", discord.numbered(item.messages)) for item in items), "\n\n")
        )
