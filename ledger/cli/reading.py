"""Verbs that only read: status, waiting, log, show, explain, board, scores, view. They change and lock nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from events.audiences import HOST_VIEWER
from events.errors import Unreadable
from games.contract import Due
from games.kinds import BREAK, did_you_mean, shown
from games.kit.blocks import Block, items
from games.records import plain
from games.spans import show_span
from games.table.actions import META_VERBS
from ledger.cli import output
from ledger.cli.app import App
from ledger.cli.completion import entries, explained, kinds_of_entries, players
from ledger.cli.verb import ReadOptions, read_log, read_options, verb
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import crowded, read_time, show_time
from ledger.render import FORMATS
from ledger.render.discord import escape
from ledger.render.safe import PlainText, SafeText, joined, json_text, plain_line, plain_text, without_pings
from ledger.render.text import render
from ledger.tell import reports
from ledger.tell.explain import why
from ledger.tell.listing import detail, rows
from ledger.tell.reports import Shown, must, needs, next_steps, passed, why_so


@verb("status", "see", audience="any")
@click.option(
    "--follow", is_flag=True, help="Keep running, and print it again when something is recorded; until Ctrl-C."
)
@read_options(*FORMATS)
def status(app: App, follow: bool, reading: ReadOptions) -> None:
    """How the match stands, and what needs a host.

    hl status
    """
    if follow:
        output.check_follow(reading)
        output.follow_answer(app, lambda: [joined(_status(app, reading)[0])], whole=True)
    elif reading.json:
        output.deliver(app, joined(_status(app, reading)[0]), reading)
    elif reading.fmt == "text":
        lines, styles = _status(app, reading)
        output.deliver_lines(app, lines, reading, styles)
        if reading.viewer in (None, HOST_VIEWER) and (reading.as_of, reading.known) == (None, None):
            app.tell_next(next_steps(app.match.game, app.match.fold.state, now_ms(), app.match.fold))
    else:
        point = output.read_point(app, reading, "host")
        sentences = needs(app.match, point)
        blocks = [*reports.report(app.match, point), *([items(*sentences)] if sentences else [])]
        output.deliver_blocks(app, blocks, reading)


def _status(app: App, reading: ReadOptions) -> tuple[list[SafeText], list[str]]:
    point = output.read_point(app, reading, "host")
    sentences = needs(app.match, point)
    if reading.json:
        return [json_text({**reports.view_json(app.match, point), "needs": sentences})], []
    body = render(reports.report(app.match, point), app.match.zone, output.columns(reading))
    doubts = ["", *(f"! {app.in_place(sentence)}" for sentence in sentences)] if sentences else []
    return [body, *map(plain_text, doubts)], ["", *("doubt" for _ in doubts)]


@verb("scores", "see", audience="any")
@read_options(*FORMATS)
def scores(app: App, reading: ReadOptions) -> None:
    """The ranking.

    hl scores
    hl scores --for host

    As far as the audience may know it.
    """
    _show(app, reading, reports.result_json, reports.scores)


@verb("board", "see", audience="any")
@read_options(*FORMATS)
def board(app: App, reading: ReadOptions) -> None:
    """Draw the board.

    hl board
    hl board -o board.svg

    As far as the audience may know it.
    """
    _show(app, reading, reports.view_json, reports.board)


@verb("view", "see", audience="any")
@read_options(*FORMATS)
def view(app: App, reading: ReadOptions) -> None:
    """The match as one audience may know it.

    hl view --for ann
    """
    if reading.viewer is None:
        raise Unreadable("command.usage", "say for whom: public, host or a player", "hl view --for public")
    _show(app, reading, reports.view_json, reports.report)


def _show(
    app: App,
    reading: ReadOptions,
    document: Callable[[Match, Shown], dict[str, Any]],
    draw: Callable[[Match, Shown], list[Block]],
) -> None:
    point = output.read_point(app, reading, "public")
    if reading.json:
        output.deliver(app, json_text(document(app.match, point)), reading)
        return
    blocks = draw(app.match, point)
    output.deliver_blocks(app, blocks, reading)
    is_looked_at = app.may_ask and reading.viewer is None and reading.target is None and not reading.copy
    if is_looked_at and blocks != draw(app.match, point._replace(viewer=HOST_VIEWER)):
        app.to_host(f"this is what everybody may know; hosts see more: {app.again('--for', HOST_VIEWER)}")


@verb("log", "see")
@click.option("--player", metavar="P", help="Only entries that name this player.", shell_complete=players)
@click.option("--kind", metavar="VERB", help="Only entries of this verb.", shell_complete=kinds_of_entries)
@click.option("--live", is_flag=True, help="Hide entries that are undone.")
@click.option("--since", metavar="TIME", help="Only entries that count from then on.")
@click.option("--until", metavar="TIME", help="Only entries that count before then.")
@click.option("--by-time", is_flag=True, help="In the order in which they count.")
@click.option("--all", "everything", is_flag=True, help="Also posted, posting, anchor, join.")
@click.option("--no-pager", is_flag=True, help="Print it at once, even if it is longer than the screen.")
@read_options()
def log(
    app: App, player: str | None, kind: str | None, live: bool, everything: bool, by_time: bool, since: str | None,
    until: str | None, no_pager: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    """The entries as they count, and how each was corrected.

    hl log
    hl log --player ann

    In the order they were recorded. What only says that a text or receipt was posted is left out; --all has it.
    """
    match = output.hosts_match(app, reading)
    if kind is not None and kind not in (verbs := {*match.engine.actions, *META_VERBS}):
        hint = did_you_mean(kind, verbs, "hl log", 1)
        raise Unreadable("verb.unknown", f"there are no entries of the verb {shown(kind)}", hint)
    typed = {"since": since, "until": until}
    times = {name: read_time(at, now=now_ms(), zone=match.zone) for name, at in typed.items() if at is not None}
    who = match.table.directory().find(player) if player else None
    visible, hidden = rows(
        match, player=who, kind=kind, live_only=live, everything=everything, by_time=by_time, **times
    )
    if reading.as_of is not None:
        folded = {outcome.entry.seq for outcome in match.fold.outcomes} | {1}
        visible = [row for row in visible if row.seq in folded]
        hidden = [entry for entry in hidden if entry.seq in folded]
    if reading.json:
        output.deliver(app, json_text({"entries": [row.as_json() for row in visible], "hidden": len(hidden)}), reading)
        return
    seconds = crowded(row.at for row in visible)
    lines = [row.line(match.zone, seconds=seconds) for row in visible] or ["no entry matches"]
    styles = [  # undone entries are faint, contested ones stand out
        "faint" if any(mark.startswith("undone") for mark in row.marks) else "wrong" * ("contested" in row.marks)
        for row in visible
    ]
    output.deliver_lines(app, [*map(plain_line, lines)], reading, styles, paged=bool(visible) and not no_pager)
    if hidden:
        kinds = ", ".join(sorted({entry.body.do for entry in hidden}))
        count, they = (f"{len(hidden)} entries are", "they change") if hidden[1:] else ("1 entry is", "it changes")
        app.to_host(f"{count} not shown ({kinds}); {they} nothing in the match: hl log --all")


def _log_and_entry(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    if words and words[0].endswith(".jsonl"):
        if not words[1:]:
            raise click.UsageError(f"which entry of {shown(words[0])}?", ctx)
        read_log(ctx, words[0])
        words = words[1:]
    return output.entry_words(ctx, param, words)


@verb("show", "see")
@click.argument(
    "words", metavar="[LOG] SEQ|last...", nargs=-1, required=True, callback=_log_and_entry, shell_complete=entries
)
@read_options()
def show(app: App, words: tuple[str, ...], reading: ReadOptions) -> None:
    """One entry: its fields, facts and seal.

    hl show 12
    hl show last ann

    LOG: a file, as with -g. What may follow last, hl undo --help says.
    """
    match = output.hosts_match(app, reading)
    entry = detail(match, output.entry_meant(match, words))
    told = entry._replace(facts=tuple((fact, app.in_place(said), rule) for fact, said, rule in entry.facts))
    output.deliver_lines(app, [told.text(match.zone)], reading, document=entry.as_json())


@verb("explain", "see", audience="any")
@click.argument("what", metavar="SEQ|P|final", shell_complete=explained)
@read_options()
def explain(app: App, what: str, reading: ReadOptions) -> None:
    """Which entries and rules are behind an entry, a player, or the result (final).

    hl explain ann
    hl explain final
    """
    what = "final" if what == "result" else what
    if what == "final" and reading.viewer not in (None, HOST_VIEWER):
        sentences = why_so(app.match, output.read_point(app, reading, "public"))
        document = {"about": "final", "stands": list(sentences), "chain": []}  # only reasons, no entries
        output.deliver_lines(app, [*map(escape, sentences)], reading, document=document)
        return
    match = output.hosts_match(app, reading)
    reasons = why(match, what)
    if reading.json:
        chain = [line.as_json() for line in reasons.chain]
        output.deliver(app, json_text({"about": what, "stands": list(reasons.stands), "chain": chain}), reading)
        return
    if not reasons.chain:
        raise Unreadable("explain.nothing", f"nothing in the match comes from {what} or concerns it", "hl log")
    output.deliver_lines(app, reasons.lines(match), reading)


@verb("waiting", "see")
@click.option("--check", is_flag=True, help="Exit 5 while somebody is missing.")
@read_options()
def waiting(app: App, check: bool, reading: ReadOptions) -> int:
    """Who still owes what, and until when.

    hl waiting
    """
    match = output.hosts_match(app, reading)
    state, now = match.fold.state, now_ms()
    dues = match.game.waiting(state)
    if reading.json:
        rows = [{key: value for key, value in plain(due).items() if key != "told"} for due in dues]
        output.deliver(app, json_text({"waiting": rows}), reading)
    else:
        if dues:
            output.deliver_lines(app, [_owes(match, due, now) for due in dues], reading)
        end = match.game.due(state)
        if end is not None and end <= now:
            app.to_host(passed(end, now, match.table))
        elif end is not None and match.table.phase == BREAK:
            app.to_host(f"a break until {show_time(end, match.zone)} (in {show_span(end - now)})")
        if not dues:
            app.to_host("nobody owes anything")
        if (reading.as_of, reading.known) == (None, None):
            app.tell_next(next_steps(app.match.game, app.match.fold.state, now_ms(), app.match.fold))
    return 5 if check and dues else 0


def _owes(match: Match, due: Due, now: int) -> PlainText:
    line = must(match, due)
    if due.until is None:
        return without_pings(line)
    ago = f"passed {show_span(now - due.until)} ago" if due.until <= now else f"in {show_span(due.until - now)}"
    return without_pings(f"{line} until {show_time(due.until, match.zone)} ({ago})")
