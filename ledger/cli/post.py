"""`hl outbox post`: sending what waits to Discord. To which channels: webhook.py."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from events.errors import NotInstalled, Refused, Unmet, Unreadable
from games.kinds import shown
from games.kit.blocks import Board, Chart
from games.spans import MINUTE, read_span
from games.table import Table
from ledger.cli.app import App, WriteOptions
from ledger.cli.marks import current_outbox, tell_not_waiting
from ledger.cli.new_file import write_new
from ledger.cli.webhook import connection
from ledger.post.posting import Poster, Send, Sending
from ledger.post.webhooks import ENDING, Hook, Hooks, as_file, read_hooks, sharing
from ledger.render.safe import json_text, plain_line
from ledger.tell.outbox import head_line
from ledger.tell.texts import Item

if TYPE_CHECKING:
    from ledger.post.discord_http import Picture

PAUSE = 1.0
"""Seconds after which `--follow` looks whether a text may go that was held back."""
HOLD = 2 * MINUTE


def post(app: App, items: tuple[str, ...], writing: WriteOptions, *, follow: bool, hold: str | None, edit: bool) -> int:
    """Send what waits; 5 where something was refused or nobody can tell.

    Raises:
        Unreadable, Refused: `webhooks.*`, `post.extra`. LedgerError: from the log.
    """
    match = app.match
    by, hooks = app.host, _hooks_here(app, writing)
    held = _length(hold) if hold else 0
    if writing.dry_run:
        return _rehearse(app, items, hooks)
    done: list[Sending] = []
    http, send = _sender()
    with http:
        poster = Poster(match, by, hooks.of, send, only=items, hold=held)
        try:
            for sending in _sendings(poster, follow=follow, edit=edit, usual=follow and not hold):
                done.append(sending)
                _tell(app, sending)
        except KeyboardInterrupt:
            app.to_host(f"stopped; {len(done)} text{'' if len(done) == 1 else 's'} dealt with")
    if app.json:
        kinds = ("posted", "edited", "refused", "doubtful")
        rows = {kind: [sending._asdict() for sending in done if sending.kind == kind] for kind in kinds}
        app.out(json_text({"ok": True, **rows}))
    elif not done:
        app.to_host("nothing was sent")
    _tell_rest(app, hooks)
    return 5 if any(sending.kind in ("refused", "doubtful") for sending in done) else 0


def _sendings(poster: Poster, *, follow: bool, edit: bool, usual: bool) -> Iterator[Sending]:
    """What is sent, one after another; `usual`: texts are held back for as long as fits the present phase."""
    from ledger.cli.following import Watch

    watch = Watch(poster.match.book.log)
    while True:
        if edit:
            yield from poster.edits()
        if usual:
            poster.match.refresh()
            poster.hold = _usual_hold(poster.match.table)
        yield from poster.run()
        if not follow:
            return
        watch.wait(PAUSE)


def _tell(app: App, sending: Sending) -> None:
    link = f": {sending.link}" if sending.link else ""
    match sending.kind:
        case "posted" | "edited":
            app.to_host(f"{sending.kind} {sending.item} in {sending.channel}{link}")
        case "refused":
            app.to_host(f"not posted: {sending.item} in {sending.channel}: {sending.what}; it waits again")
        case _:
            item = sending.item
            app.to_host(
                f"DOUBTFUL: {item} in {sending.channel}: {sending.what}. Look there: hl outbox done {item} if it was "
                f"posted, hl outbox undo {item} if not. It is not sent again by itself"
            )


def _tell_rest(app: App, hooks: Hooks) -> None:
    """What nobody will send: texts without a webhook, and those in doubt."""
    app.stale()
    outbox = current_outbox(app.match)
    without = dict.fromkeys(item.channel for item in outbox.waiting if item.audience not in hooks.of)
    if without:
        app.to_host(f"no webhook for {', '.join(without)}: hl outbox next, or hl webhook add")
    tell_not_waiting(app, outbox)


def _rehearse(app: App, names: tuple[str, ...], hooks: Hooks) -> int:
    outbox = current_outbox(app.match)
    items = [item for item in outbox.waiting if item.audience in hooks.of and item.name not in outbox.claims]
    items = [item for item in items if not names or item.name in names or item.whole in names]
    if items:
        app.show(*(plain_line(f"would post {head_line(item, app.match.zone)}") for item in items))
    else:
        app.to_host("nothing would be posted")
    _tell_rest(app, hooks)
    return 0


def _sender() -> tuple[Any, Send]:
    """The connection to Discord, and what posts an item through it."""
    http = connection()
    from ledger.post import discord_http

    def send(hook: Hook, item: Item, message: str) -> discord_http.Answer:
        if message:
            return discord_http.edit(http, hook, message, item.text)
        return discord_http.send(http, hook, item.text, _picture(item))

    return http, send


def _picture(item: Item) -> Picture | None:
    """The boards and charts of a text, under its last message, where they can be drawn."""
    has_picture = any(isinstance(block, (Board, Chart)) for block in item.blocks)
    if not has_picture or item.part not in (0, len(item.messages)):
        return None
    from ledger.post.discord_http import Picture
    from ledger.render import png, svg

    try:
        return Picture(png.render(item.blocks), svg.alt(item.blocks))
    except NotInstalled:
        return None  # the board stands in the text


def _length(typed: str) -> int:
    """`2m`, `90s`, `1h30m` in ms; 0 is no time.

    Raises:
        Unreadable: `time.unreadable`.
    """
    ms = 0 if typed == "0" else read_span(typed.removeprefix("+"))
    if ms is None:
        raise Unreadable(
            "time.unreadable", f"{shown(typed)} is no length of time", "hl outbox post --follow --hold 90s"
        )
    return ms


def _usual_hold(table: Table) -> int:
    """Two minutes, or a tenth of the present phase where that is less: a round may have but three minutes."""
    return HOLD if table.ends is None else max(0, min(HOLD, (table.ends - table.since) // 10))


def _hooks_here(app: App, writing: WriteOptions) -> Hooks:
    log = os.path.realpath(app.match.book.path)
    hooks = read_hooks(log)
    if not hooks.of:
        raise Unreadable("webhooks.none", "no channel of this match has a webhook", "hl webhook add public")
    if shared := sharing(hooks.of):
        what = f"{' and '.join(shared[0])} have webhooks into one channel: each would read what is for the other"
        raise Refused("webhooks.twice", what, f"hl webhook remove {shared[0][-1]}")
    if hooks.log != log:
        question = f"these webhooks were given for {hooks.log}: of two copies only one may post. Does this one?"
        if not writing.yes and not app.ask(question, "hl outbox post --yes"):
            raise Unmet("confirm.declined", "not confirmed: nothing was sent", "hl join FOLDER")
        if not writing.dry_run:
            write_new(log + ENDING, as_file(hooks._replace(log=log)), overwrite=True, ours=True)
    return hooks
