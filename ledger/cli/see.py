"""Verbs that look: status, board, scores, view. They change nothing and take no lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.errors import Unreadable
from games.kit.blocks import Block, items
from ledger.cli.app import App
from ledger.cli.options import ReadOptions
from ledger.cli.output import columns, deliver, deliver_blocks, deliver_lines, read_point
from ledger.core.match import Match
from ledger.render.safe import SafeText, joined, json_text, plain_text
from ledger.tell import reports
from ledger.tell.reports import Shown


def do_status(app: App, follow: bool, reading: ReadOptions) -> None:
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
        deliver_blocks(app, [*reports.report(app.match, point), *([items(*sentences)] if sentences else [])], reading)


def _needs(app: App, point: Shown) -> list[str]:
    from ledger.tell.status import needs

    return needs(app.match, point) if point.viewer == "host" else []


def _status(app: App, reading: ReadOptions) -> tuple[list[SafeText], list[str]]:
    """How the match stands, as text or JSON: its lines, and how each looks."""
    from ledger.render.text import render

    point = read_point(app, reading, "host")
    sentences = _needs(app, point)
    if reading.json:
        return [json_text({**reports.view_json(app.match, point), "needs": sentences})], []
    body = render(reports.report(app.match, point), app.match.zone, columns(reading))
    doubts = ["", *(f"! {sentence}" for sentence in sentences)] if sentences else []
    return [body, *map(plain_text, doubts)], ["", *("doubt" for _ in doubts)]


def do_scores(app: App, reading: ReadOptions) -> None:
    _show(app, reading, reports.result_json, reports.scores)


def do_board(app: App, reading: ReadOptions) -> None:
    _show(app, reading, reports.view_json, reports.board)


def do_view(app: App, reading: ReadOptions) -> None:
    if reading.viewer is None:
        raise Unreadable("command.usage", "view needs an audience", "hl view --for public")
    _show(app, reading, reports.view_json, reports.report)


def _show(
    app: App,
    reading: ReadOptions,
    document: Callable[[Match, Shown], dict[str, Any]],
    draw: Callable[[Match, Shown], list[Block]],
) -> None:
    point = read_point(app, reading, "public")
    if reading.json:
        deliver(app, json_text(document(app.match, point)), reading)
    else:
        deliver_blocks(app, draw(app.match, point), reading)
