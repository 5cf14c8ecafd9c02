"""`join`: take over what another copy of this match has recorded."""

from __future__ import annotations

from typing import Any

import click

from ledger.cli.answer import as_json, numbers, tell_contested
from ledger.cli.app import App, WriteOptions, log_named
from ledger.cli.completion import files
from ledger.cli.verb import answer_options, verb
from ledger.core.match import Match
from ledger.exchange.join import Joined, join
from ledger.record.plan import Options
from ledger.render.safe import json_text


@verb("join", "tools", records=("join", "*"))
@click.argument("other", metavar="OTHER", shell_complete=files)
@answer_options
def join_copy(app: App, other: str, writing: WriteOptions) -> None:
    """Add what another copy of this match has recorded.

    OTHER is that copy: a folder or a .jsonl file; it is not changed. Safe to repeat, and to do the other way round.
    """
    match = app.match
    options = Options(by=app.host, dry_run=writing.dry_run, yes=writing.yes)
    joined = join(match, _copy(app, other), options, lambda preview: app.ask(f"{preview}\nrecord this here?"))
    _answer(app, joined, dry=writing.dry_run, asked=not (writing.yes or writing.dry_run))


def _copy(app: App, name: str) -> Match:
    """The other copy, read and verified; nothing is written there."""
    other = Match(log_named(name, "the other copy has no name", "hl join FOLDER"))
    for note in other.book.notes:
        app.to_host(f"the other copy: {note}")
    return other


def _answer(app: App, joined: Joined, *, dry: bool, asked: bool) -> None:
    """Say what was recorded, and what needs a host now."""
    if app.json:
        app.out_recorded(json_text(_json(app, joined, dry=dry)))
        return
    joining, written = joined.joining, joined.written
    if joining.nothing or not asked:
        for line in joined.preview:
            app.to_host(line)
    if joining.nothing:
        return
    recorded = numbers(written.seqs)
    app.to_host(f"would record {recorded}" if dry else f"recorded {recorded} · receipt {written.head}")
    for line in written.changes:
        app.to_host(f"  now {line}")
    tell_contested(app, written)
    if not written.changes:
        app.to_host("  nothing changes in the match")
    for drift in written.drift:
        app.to_host(f"  text {drift.item}, posted to {drift.channel}, is wrong now: {drift.what}; hl outbox has more")
    for line in (*written.early, *written.shown):
        app.to_host(f"  {line}")
    for warning in written.warnings:
        app.to_host(f"  note: {warning}")
    if written.contested:
        app.to_host("  hl status lists what is contested until undo, amend or ruling settles it")
    if joining.own and not dry:
        app.to_host(f"  the other copy lacks {joining.own} of ours: join there as well, with this copy")


def _json(app: App, joined: Joined, *, dry: bool) -> dict[str, Any]:
    """Source: docs/json.md, verbs that record."""
    joining = joined.joining
    pairs = {
        "taken": [{"there": theirs, "here": ours} for theirs, ours in joining.taken.items()],
        "same": [{"there": theirs, "here": ours} for theirs, ours in joining.same.items()],
    }
    return {
        **as_json(app.match.game, joined.written, dry=dry),
        "common": joining.common,
        **pairs,
        "clashes": [*joining.clashes],
    }
