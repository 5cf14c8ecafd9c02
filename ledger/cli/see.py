"""Verbs that look: status, board, scores, view. They change nothing and take no lock."""

from __future__ import annotations

from events.errors import Unreadable
from ledger.cli.app import App
from ledger.cli.options import ReadOptions
from ledger.cli.output import columns, deliver, deliver_blocks, deliver_lines, read_point
from ledger.render.safe import SafeText, joined, json_text, plain_text
from ledger.tell.reports import Shown


def do_status(app: App, follow: bool, reading: ReadOptions) -> None:
    from games.kit.blocks import items
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
        point = read_point(app, reading, "host")
        sentences = _needs(app, point)
        deliver_blocks(app, [*report(app.match, point), *([items(*sentences)] if sentences else [])], reading)


def _needs(app: App, point: Shown) -> list[str]:
    from ledger.tell.status import needs

    return needs(app.match, point) if point.viewer == "host" else []


def _status(app: App, reading: ReadOptions) -> tuple[list[SafeText], list[str]]:
    """How the match stands, as text or JSON: its lines, and how each looks."""
    from ledger.render.text import render
    from ledger.tell.reports import report, view_json

    point = read_point(app, reading, "host")
    sentences = _needs(app, point)
    if reading.json:
        return [json_text({**view_json(app.match, point), "needs": sentences})], []
    body = render(report(app.match, point), app.match.zone, columns(reading))
    doubts = ["", *(f"! {sentence}" for sentence in sentences)] if sentences else []
    return [body, *map(plain_text, doubts)], ["", *("doubt" for _ in doubts)]


def do_scores(app: App, reading: ReadOptions) -> None:
    from ledger.tell.reports import result_json, scores

    point = read_point(app, reading, "public")
    if reading.json:
        deliver(app, json_text(result_json(app.match, point)), reading)
    else:
        deliver_blocks(app, scores(app.match, point), reading)


def do_board(app: App, reading: ReadOptions) -> None:
    from ledger.tell.reports import board, view_json

    point = read_point(app, reading, "public")
    if reading.json:
        deliver(app, json_text(view_json(app.match, point)), reading)
    else:
        deliver_blocks(app, board(app.match, point), reading)


def do_view(app: App, reading: ReadOptions) -> None:
    from ledger.tell.reports import report, view_json

    if reading.viewer is None:
        raise Unreadable("command.usage", "view needs an audience", "hl view --for public")
    point = read_point(app, reading, "host")
    if reading.json:
        deliver(app, json_text(view_json(app.match, point)), reading)
    else:
        deliver_blocks(app, report(app.match, point), reading)
