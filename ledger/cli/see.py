"""Verbs that look: status, log, show, explain, scores, view. They change nothing and take no lock."""

from __future__ import annotations

from typing import Any

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from ledger.cli.app import App, entry_number
from ledger.cli.output import deliver, deliver_blocks, hosts_match
from ledger.render.safe import joined, json_text, plain_line, plain_text


def do_status(app: App, **given: Any) -> None:
    from games.kit.blocks import items
    from ledger.cli.output import point
    from ledger.render.text import render
    from ledger.tell.reports import report, view_json
    from ledger.tell.status import needs

    shown = point(app, given, "host")
    told = needs(app.match, shown) if shown.viewer == "host" else []
    if given["fmt"] == "json":
        deliver(app, json_text({**view_json(app.match, shown), "needs": told}), given)
        return
    if given["fmt"] != "text":
        deliver_blocks(app, [*report(app.match, shown), *([items(*told)] if told else [])], given)
        return
    body = render(report(app.match, shown), app.match.zone)
    marked = "\n".join(["", *(f"! {line}" for line in told)]) if told else ""
    deliver(app, joined((body, plain_text(marked))) if told else body, given)


def do_log(
    app: App, player: str | None, kind: str | None, live: bool, since: str | None, until: str | None, **given: Any
) -> None:
    from games.kinds import nearest, shown
    from games.table import actions as shared
    from ledger.core.clock import now_ms
    from ledger.core.times import crowded, read_time
    from ledger.tell.listing import rows

    match = hosts_match(app, given)
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
    listed = rows(match, player=who, kind=kind, live_only=live, **times)
    if given["as_of"] is not None:
        there = {outcome.live.seq for outcome in match.fold.outcomes}
        listed = [row for row in listed if row.seq == 1 or row.seq in there]
    if given["fmt"] == "json":
        deliver(app, json_text({"entries": [row.as_json() for row in listed]}), given)
    else:
        seconds = crowded(row.at for row in listed)
        lines = [plain_line(row.line(match.zone, seconds=seconds)) for row in listed]
        deliver(app, joined(lines or [plain_line("no entry matches")]), given)


def do_show(app: App, seq: str, **given: Any) -> None:
    from ledger.tell.listing import detail

    match = hosts_match(app, given)
    found = detail(match, entry_number(seq))
    as_json = given["fmt"] == "json"
    deliver(app, json_text(found.as_json()) if as_json else found.text(match.zone), given)


def do_explain(app: App, what: str, **given: Any) -> None:
    from ledger.tell.explain import why

    if what == "final" and given["viewer"] not in (None, HOST_VIEWER):
        _final_for_others(app, given)
        return
    match = hosts_match(app, given)
    found = why(match, what)
    if given["fmt"] == "json":
        told = {"about": what, "stands": list(found.stands), "chain": [line.as_json() for line in found.chain]}
        deliver(app, json_text(told), given)
        return
    if not found.chain:
        raise Unreadable("explain.nothing", f"nothing has happened that concerns {what} yet", "hl log")
    deliver(app, joined(found.lines(match)), given)


def _final_for_others(app: App, given: dict[str, Any]) -> None:
    """`explain final` for who is no host: reasons, and no entries."""
    from ledger.cli.output import point
    from ledger.render.discord import escape
    from ledger.tell.reports import why_so

    stands = why_so(app.match, point(app, given, "public"))
    if given["fmt"] == "json":
        deliver(app, json_text({"about": "final", "stands": list(stands), "chain": []}), given)
    else:
        deliver(app, joined([escape(line) for line in stands]), given)


def do_scores(app: App, **given: Any) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import result_json, scores

    shown = point(app, given, "public")
    if given["fmt"] == "json":
        deliver(app, json_text(result_json(app.match, shown)), given)
    else:
        deliver_blocks(app, scores(app.match, shown), given)


def do_board(app: App, **given: Any) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import board, view_json

    shown = point(app, given, "public")
    if given["fmt"] == "json":
        deliver(app, json_text(view_json(app.match, shown)), given)
    else:
        deliver_blocks(app, board(app.match, shown), given)


def do_view(app: App, **given: Any) -> None:
    from ledger.cli.output import point
    from ledger.tell.reports import report, view_json

    if given["viewer"] is None:
        raise Unreadable("command.usage", "view needs an audience", "hl view --for public")
    shown = point(app, given, "host")
    if given["fmt"] == "json":
        deliver(app, json_text(view_json(app.match, shown)), given)
    else:
        deliver_blocks(app, report(app.match, shown), given)
