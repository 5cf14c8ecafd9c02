"""Verbs that look at entries: log, show, explain."""

from __future__ import annotations

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from games.kinds import nearest, shown
from games.table.actions import META_VERBS
from ledger.cli.app import App, entry_number
from ledger.cli.options import ReadOptions
from ledger.cli.output import deliver, deliver_lines, hosts_match, read_point
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import crowded, read_time
from ledger.render.safe import json_text, plain_line
from ledger.tell.listing import Row, rows
from ledger.tell.reports import why_so


def do_log(
    app: App, player: str | None, kind: str | None, live: bool, everything: bool, by_time: bool, since: str | None,
    until: str | None, no_pager: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    match = hosts_match(app, reading)
    if kind is not None:
        _check_verb(match, kind)
    now = now_ms()
    times = {
        name: read_time(typed, now=now, zone=match.zone)
        for name, typed in (("since", since), ("until", until))
        if typed is not None
    }
    who = match.table.directory().find(player) if player else None
    visible, hidden = rows(
        match, player=who, kind=kind, live_only=live, everything=everything, by_time=by_time, **times
    )
    if reading.as_of is not None:
        folded = {outcome.live.seq for outcome in match.fold.outcomes} | {1}
        visible = [row for row in visible if row.seq in folded]
        hidden = [entry for entry in hidden if entry.seq in folded]
    if reading.json:
        deliver(app, json_text({"entries": [row.as_json() for row in visible], "hidden": len(hidden)}), reading)
        return
    seconds = crowded(row.at for row in visible)
    lines = [row.line(match.zone, seconds=seconds) for row in visible] or ["no entry matches"]
    styles = [_style(row) for row in visible]
    deliver_lines(app, [*map(plain_line, lines)], reading, styles, paged=bool(visible) and not no_pager)
    if hidden:
        kinds = ", ".join(sorted({entry.body.do for entry in hidden}))
        count = f"{len(hidden)} entries are" if hidden[1:] else "1 entry is"
        app.to_host(f"{count} left out here ({kinds}), which changes nothing in the match: hl log --all")


def _check_verb(match: Match, kind: str) -> None:
    if kind not in (verbs := {*match.engine.actions, *META_VERBS}):
        near = nearest(kind, verbs)
        hint = f"did you mean {near[0]}?" if near else "hl log"
        raise Unreadable("verb.unknown", f"no entry can be a {shown(kind)}", hint)


def _style(row: Row) -> str:
    """What is undone steps back, what is contested stands out."""
    return "faint" if any(mark.startswith("undone") for mark in row.marks) else "wrong" * ("contested" in row.marks)


def do_show(app: App, seq: str, reading: ReadOptions) -> None:
    from ledger.tell.detail import detail

    match = hosts_match(app, reading)
    entry = detail(match, entry_number(seq))
    deliver_lines(app, [entry.text(match.zone)], reading, document=entry.as_json())


def do_explain(app: App, what: str, reading: ReadOptions) -> None:
    from ledger.tell.explain import why

    if what == "final" and reading.viewer not in (None, HOST_VIEWER):
        _final_for_others(app, reading)
        return
    match = hosts_match(app, reading)
    reasons = why(match, what)
    if reading.json:
        chain = [line.as_json() for line in reasons.chain]
        deliver(app, json_text({"about": what, "stands": list(reasons.stands), "chain": chain}), reading)
        return
    if not reasons.chain:
        raise Unreadable("explain.nothing", f"nothing has happened that concerns {what} yet", "hl log")
    deliver_lines(app, reasons.lines(match), reading)


def _final_for_others(app: App, reading: ReadOptions) -> None:
    """`explain final` for who is no host: reasons, and no entries."""
    from ledger.render.discord import escape

    sentences = why_so(app.match, read_point(app, reading, "public"))
    document = {"about": "final", "stands": list(sentences), "chain": []}
    deliver_lines(app, [*map(escape, sentences)], reading, document=document)
