"""`hl outbox`: the texts that wait to be posted. What became of them: marks.py; sending them: post.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from events import write_instant
from events.errors import Unreadable
from ledger.cli import following
from ledger.cli.app import App, ReadOptions, WriteOptions
from ledger.cli.completion import choices, waiting_texts
from ledger.cli.marks import current_outbox, in_doubt, settle, take_back, tell_not_waiting, texts_named
from ledger.cli.output import copied
from ledger.cli.verb import answer_options, list_option, verb
from ledger.core.times import show_time
from ledger.post import clipboard
from ledger.render.discord import numbered
from ledger.render.safe import PlainText, json_text, plain_line, plain_text
from ledger.tell.outbox import Outbox, head_line
from ledger.tell.texts import Item


@verb("outbox", "tell", records=("posted", "posting", "undo"))
@click.argument(
    "what",
    required=False,
    metavar="[list|show|next|done|drop|undo|post]",
    shell_complete=choices("next", "done", "drop", "list", "show", "undo", "post"),
)
@click.argument("items", metavar="[ITEM...]", nargs=-1, shell_complete=waiting_texts)
@list_option
@click.option(
    "--copy", is_flag=True, help="Copy the text as well; says which program took it, and exits with 5 if none did."
)
@click.option("--follow", is_flag=True, help="Go on, and show what comes; post: post what comes.")
@click.option("--hold", metavar="SPAN", help="post --follow: how long texts to one player are held back.")
@click.option(
    "--edit", is_flag=True, help="post: a posted text that has changed is edited in place; else a correction is posted."
)
@answer_options
def outbox_verb(
    app: App, what: str | None, items: tuple[str, ...], follow: bool, hold: str | None, edit: bool,
    reading: ReadOptions, writing: WriteOptions,
) -> int:  # fmt: skip
    """The texts that wait to be posted: list, show, next, done, drop, undo, post.

    The oldest first. show ITEM prints one. next shows the oldest (Enter: posted, s: skip, q: quit). done ITEM... (or
    all) records that they were posted, drop that they will not be, undo ITEM takes that back. post sends what waits to
    the webhooks of its channels.
    """
    verb = what or "list"
    if verb not in VERBS:
        fix = f"hl outbox [{' | '.join(f'{name} {words}'.rstrip() for name, words in VERBS.items())}]"
        raise Unreadable("command.usage", f"outbox does not know {verb}", fix)
    takes = VERBS[verb]
    if (items and not takes) or (len(items) > 1 and "..." not in takes):
        raise Unreadable("command.usage", f"outbox {verb} takes {takes or 'no name of a text'}", "hl outbox")
    if not items and takes[:1] not in ("", "["):
        raise Unreadable("command.usage", f"which text is meant by {verb}?", "hl outbox")
    if verb == "post":
        from ledger.cli.post import post

        return post(app, items, writing, follow=follow, hold=hold, edit=edit)
    if follow and verb != "list":
        raise Unreadable("command.usage", f"outbox {verb} takes no --follow", "hl outbox --follow")
    if verb == "list":
        _list(app, reading, follow=follow)
    elif verb == "show":
        _show(app, items[0], copy=reading.copy)
    elif verb == "next":
        _next(app, items[0] if items else None, writing, copy=reading.copy)
    elif verb == "undo":
        take_back(app, items[0], writing)
    else:
        settle(app, items, writing, dropped=verb == "drop")
    return 0


VERBS: Mapping[str, str] = {
    "list": "", "show": "ITEM", "next": "[ITEM]", "done": "ITEM...|all", "drop": "ITEM...|all", "undo": "ITEM",
    "post": "[ITEM...]",
}  # fmt: skip
"""What `outbox` does -> the names that it takes."""


def _list(app: App, reading: ReadOptions, *, follow: bool) -> None:
    if follow:
        following.check(reading)
        printed: list[PlainText] = []

        def all_lines() -> list[PlainText]:
            printed.extend(line for line in _lines(app, current_outbox(app.match)) if line not in printed)
            return printed

        following.follow(app, lambda: [json_text(outbox_json(current_outbox(app.match)))] if app.json else all_lines())
        return
    outbox = current_outbox(app.match)
    if app.json:
        app.out(json_text(outbox_json(outbox)))
        return
    if lines := _lines(app, outbox):
        app.show(*lines)
    else:
        app.to_host("nothing waits to be posted")
    tell_not_waiting(app, outbox)


def _lines(app: App, outbox: Outbox) -> list[PlainText]:
    return [plain_line(head_line(item, app.match.zone)) for item in outbox.waiting if item.name not in outbox.claims]


def outbox_json(outbox: Outbox) -> dict[str, Any]:
    waiting = [item_json(item) for item in outbox.waiting if item.name not in outbox.claims]
    superseded = [{"item": item.name, "by": name} for item, name in outbox.superseded]
    sending = [
        {"item": name, "audience": claim.action.audience, "channel": claim.action.channel, "by": claim.by,
         "at": write_instant(claim.at), "text": claim.action.text}
        for name, claim in outbox.claims.items()
    ]  # fmt: skip
    gone = [{"item": item.name, "audience": item.audience} for item in outbox.gone]
    not_waiting = {"superseded": superseded, "sending": sending, "gone": gone}
    return {"items": waiting, **{key: rows for key, rows in not_waiting.items() if rows}}


def item_json(item: Item) -> dict[str, Any]:
    return {
        "item": item.name,
        "audience": item.audience,
        "channel": item.channel,
        "at": write_instant(item.at),
        "covers": list(item.covers),
        "text": item.text,
    }


def _show(app: App, name: str, *, copy: bool) -> None:
    """A text that waits, in all its messages; or as it was posted."""
    outbox = current_outbox(app.match)
    sent, claim = outbox.sent.get(name), outbox.claims.get(name)
    if sent is not None or claim is not None:
        if sent is not None:
            verb, text = "dropped" if sent.dropped else "posted", sent.text
            app.to_host(f"{name} was {verb} by {sent.by} at {show_time(sent.at, app.match.zone)} (entry {sent.seq})")
        else:
            assert claim is not None
            text = claim.action.text
            app.to_host(in_doubt(name, claim, app.match.zone))
        app.out(json_text({"item": name, "text": text}) if app.json else plain_text(text))
        return
    items = texts_named(outbox, name)
    if app.json:
        app.out(json_text({"items": [item_json(item) for item in items]}))
        return
    for item in items:
        app.to_host(head_line(item, app.match.zone))
    messages = numbered([item.text for item in items])
    app.out(messages)
    if copy:
        copied(app, messages)


def _next(app: App, after: str | None, writing: WriteOptions, *, copy: bool) -> None:
    """Show the oldest text; on a terminal go on until the host stops or nothing waits."""

    skipped: set[str] = set()
    while True:
        outbox = current_outbox(app.match)
        waiting = (item for item in outbox.waiting if item.name not in skipped and item.name not in outbox.claims)
        item = next((item for item in waiting if after in (None, item.name, item.whole)), None)
        if item is None:
            app.to_host("nothing more waits to be posted" if skipped else "nothing waits to be posted")
            if not skipped:
                tell_not_waiting(app, outbox)
            return
        if app.json:
            app.out(json_text(item_json(item)))
            return
        app.to_host(head_line(item, app.match.zone))
        app.out(item.text)
        if not app.may_ask:
            app.to_host(f"when it is posted: hl outbox done {item.name}")
            if copy:
                copied(app, item.text)
            return
        program = clipboard.copy(item.text)
        app.to_host(f"(copied by {program})" if program else "(not copied: select the text)")
        reply = app.choose("Enter: posted, s: skip, q: quit", {"": "posted", "s": "skip", "q": "quit"})
        if reply == "quit":
            return
        if reply == "skip":
            skipped.add(item.name)
        else:
            settle(app, (item.name,), writing, dropped=False)
            app.stale()
