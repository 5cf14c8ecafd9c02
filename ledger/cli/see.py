"""Verbs that look: status, log, show, explain, scores, view. They change nothing and take no lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from ledger.cli.app import App, entry_number
from ledger.cli.output import columns, deliver, deliver_blocks, deliver_lines, hosts_match
from ledger.render.safe import joined, json_text, plain_line, plain_text

if TYPE_CHECKING:
    from ledger.cli.options import ReadOptions
    from ledger.render.safe import SafeText
    from ledger.tell.listing import Row
    from ledger.tell.reports import Shown


def do_status(app: App, follow: bool, reading: ReadOptions) -> None:
    from games.kit.blocks import items
    from ledger.cli.output import point
    from ledger.tell.reports import report

    if follow:
        from ledger.cli import following

        following.check(reading)
        following.follow(app, lambda: [joined(_status(app, reading)[0])], whole=True)
    elif reading.json:
        deliver(app, joined(_status(app, reading)[0]), reading)
    elif reading.fmt == "text":
        lines, styles = _status(app, reading)
        deliver_lines(app, lines, reading, styles)
    else:
        shown = point(app, reading, "host")
        told = _needs(app, shown)
        deliver_blocks(app, [*report(app.match, shown), *([items(*told)] if told else [])], reading)


def _needs(app: App, shown: Shown) -> list[str]:
    from ledger.tell.status import needs

    return needs(app.match, shown) if shown.viewer == "host" else []


def _status(app: App, reading: ReadOptions) -> tuple[list[SafeText], list[str]]:
    """How the match stands, as text or JSON: its lines, and how each looks."""
    from ledger.cli.output import point
    from ledger.render.text import render
    from ledger.tell.reports import report, view_json

    shown = point(app, reading, "host")
    told = _needs(app, shown)
    if reading.json:
        return [json_text({**view_json(app.match, shown), "needs": told})], []
    body = render(report(app.match, shown), app.match.zone, columns(reading))
    marked = ["", *(f"! {line}" for line in told)] if told else []
    return [body, *map(plain_text, marked)], ["", *("doubt" for _ in marked)]


def do_log(
    app: App, player: str | None, kind: str | None, live: bool, everything: bool, by_time: bool, since: str | None,
    until: str | None, no_pager: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    from games.kinds import nearest, shown
    from games.table import actions as shared
    from ledger.core.clock import now_ms
    from ledger.core.times import crowded, read_time
    from ledger.tell.listing import rows

    match = hosts_match(app, reading)
    if kind is not None and kind not in (verbs := {*match.engine.actions, *shared.META_VERBS}):
        near = nearest(kind, verbs)
        hint = f"did you mean {near[0]}?" if near else "hl log"
        raise Unreadable("verb.unknown", f"no entry can be a {shown(kind)}", hint)
    now = now_ms()
    times = {
        name: read_time(typed, now=now, zone=match.zone)
        for name, typed in (("since", since), ("until", until))
        if typed is not None
    }
    who = match.table.directory().find(player) if player else None
    listed = rows(match, player=who, kind=kind, live_only=live, everything=everything, by_time=by_time, **times)
    shown_rows, hidden = listed
    if reading.as_of is not None:
        there = {outcome.live.seq for outcome in match.fold.outcomes} | {1}
        shown_rows = tuple(row for row in shown_rows if row.seq in there)
        hidden = tuple(entry for entry in hidden if entry.seq in there)
    if reading.json:
        told = {"entries": [row.as_json() for row in shown_rows], "hidden": len(hidden)}
        deliver(app, json_text(told), reading)
        return
    seconds = crowded(row.at for row in shown_rows)
    lines = [plain_line(row.line(match.zone, seconds=seconds)) for row in shown_rows]
    styles = [_style(row) for row in shown_rows]
    if lines:
        deliver_lines(app, lines, reading, styles, paged=not no_pager)
    else:
        deliver_lines(app, [plain_line("no entry matches")], reading)
    if hidden:
        kinds = ", ".join(sorted({entry.body.do for entry in hidden}))
        some = f"{len(hidden)} entries are" if hidden[1:] else "1 entry is"
        app.to_host(f"{some} left out here ({kinds}), which changes nothing in the match: hl log --all")


def _style(row: Row) -> str:
    """What is undone steps back, what is contested stands out."""
    return "faint" if any(mark.startswith("undone") for mark in row.marks) else "wrong" * ("contested" in row.marks)


def do_show(app: App, seq: str, reading: ReadOptions) -> None:
    from ledger.tell.detail import detail

    match = hosts_match(app, reading)
    found = detail(match, entry_number(seq))
    if reading.json:
        deliver(app, json_text(found.as_json()), reading)
    else:
        deliver_lines(app, [found.text(match.zone)], reading)


def do_explain(app: App, what: str, reading: ReadOptions) -> None:
    from ledger.tell.explain import why

    if what == "final" and reading.viewer not in (None, HOST_VIEWER):
        _final_for_others(app, reading)
        return
    match = hosts_match(app, reading)
    found = why(match, what)
    if reading.json:
        told = {"about": what, "stands": list(found.stands), "chain": [line.as_json() for line in found.chain]}
        deliver(app, json_text(told), reading)
        return
    if not found.chain:
        raise Unreadable("explain.nothing", f"nothing has happened that concerns {what} yet", "hl log")
    deliver_lines(app, found.lines(match), reading)


def _final_for_others(app: App, reading: ReadOptions) -> None:
    """`explain final` for who is no host: reasons, and no entries."""
    from ledger.cli.output import point
    from ledger.render.discord import escape
    from ledger.tell.reports import why_so

    stands = why_so(app.match, point(app, reading, "public"))
    if reading.json:
        deliver(app, json_text({"about": "final", "stands": list(stands), "chain": []}), reading)
    else:
        deliver_lines(app, [escape(line) for line in stands], reading)


def do_scores(app: App, reading: ReadOptions) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import result_json, scores

    shown = point(app, reading, "public")
    if reading.json:
        deliver(app, json_text(result_json(app.match, shown)), reading)
    else:
        deliver_blocks(app, scores(app.match, shown), reading)


def do_board(app: App, reading: ReadOptions) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import board, view_json

    shown = point(app, reading, "public")
    if reading.json:
        deliver(app, json_text(view_json(app.match, shown)), reading)
    else:
        deliver_blocks(app, board(app.match, shown), reading)


def do_view(app: App, reading: ReadOptions) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import report, view_json

    if reading.viewer is None:
        raise Unreadable("command.usage", "view needs an audience", "hl view --for public")
    shown = point(app, reading, "host")
    if reading.json:
        deliver(app, json_text(view_json(app.match, shown)), reading)
    else:
        deliver_blocks(app, report(app.match, shown), reading)
