"""`hl outbox post` and `hl webhook`: sending what waits to Discord, and to which channels."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from events.audiences import PUBLIC_VIEWER
from events.errors import NotInstalled, Refused, Unmet, Unreadable
from ledger.cli.app import App
from ledger.cli.output import write_new
from ledger.post.webhooks import ADDRESS, ENDING, Hook, Hooks, as_file, read_hooks, sharing
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.cli.options import WriteOptions
    from ledger.core.match import Match
    from ledger.post.discord_http import Picture
    from ledger.post.posting import Poster, Send, Sending
    from ledger.tell.texts import Item

PAUSE = 1.0
"""Seconds after which `--follow` looks whether a text may go that was held back."""
HOLD = "2m"


def post(app: App, items: tuple[str, ...], writing: WriteOptions, *, follow: bool, hold: str | None, edit: bool) -> int:
    """Send what waits; 5 where something was refused or nobody can tell.

    Raises:
        Unreadable, Refused: `webhooks.*`, `post.extra`. LedgerError: from the log.
    """
    from ledger.post.posting import Poster

    match = app.match
    by, hooks = app.host, _hooks_here(app, writing)
    held = _span(hold or HOLD) if follow or hold else 0
    if writing.dry_run:
        return _rehearse(app, items, hooks)
    done: list[Sending] = []
    http, send = _sender()
    with http:
        poster = Poster(match, by, hooks.of, send, only=items, hold=held)
        try:
            for told in _sendings(poster, follow=follow, edit=edit):
                done.append(told)
                _tell(app, told)
        except KeyboardInterrupt:
            app.to_host(f"stopped; {len(done)} text{'' if len(done) == 1 else 's'} dealt with")
    if app.json:
        rows = {kind: [one.as_json() for one in done if one.kind == kind] for kind in ("posted", "edited", "refused")}
        app.out(json_text({"ok": True, **rows, "doubtful": [one.as_json() for one in done if one.kind == "doubtful"]}))
    elif not done:
        app.to_host("nothing was sent")
    _tell_rest(app, hooks)
    return 5 if any(one.kind in ("refused", "doubtful") for one in done) else 0


def _sendings(poster: Poster, *, follow: bool, edit: bool) -> Iterator[Sending]:
    from ledger.cli.following import Watch

    watch = Watch(poster.match.book.log)
    if edit:
        yield from poster.edits()
    yield from poster.run()
    while follow:
        watch.wait(PAUSE)
        if edit:
            yield from poster.edits()
        yield from poster.run()


def _tell(app: App, told: Sending) -> None:
    link = f": {told.link}" if told.link else ""
    match told.kind:
        case "posted" | "edited":
            app.to_host(f"{told.kind} {told.item} in {told.channel}{link}")
        case "refused":
            app.to_host(f"not posted: {told.item} in {told.channel}: {told.what}; it waits again")
        case _:
            app.to_host(
                f"DOUBTFUL: {told.item} in {told.channel}: {told.what}. Look there: hl outbox done {told.item} if it "
                f"was posted, hl outbox undo {told.item} if not. It is not sent again by itself"
            )


def _tell_rest(app: App, hooks: Hooks) -> None:
    """What nobody will send: texts without a webhook, and those in doubt."""
    from ledger.cli.desk import tell_apart
    from ledger.core.clock import now_ms
    from ledger.tell.outbox import outbox

    app.stale()
    found = outbox(app.match, now_ms())
    without = dict.fromkeys(item.channel for item in found.waiting if item.audience not in hooks.of)
    if without:
        app.to_host(f"no webhook for {', '.join(without)}: hl outbox next, or hl webhook add")
    tell_apart(app, found)


def _rehearse(app: App, items: tuple[str, ...], hooks: Hooks) -> int:
    from ledger.core.clock import now_ms
    from ledger.tell.outbox import head_line, outbox

    found = outbox(app.match, now_ms())
    listed = [item for item in found.waiting if item.audience in hooks.of and item.name not in found.claims]
    listed = [item for item in listed if not items or item.name in items or item.whole in items]
    if listed:
        app.told(*(plain_line(f"would post {head_line(item, app.match.zone)}") for item in listed))
    else:
        app.to_host("nothing would be posted")
    _tell_rest(app, hooks)
    return 0


def _sender() -> tuple[Any, Send]:
    """The connection to Discord, and what posts an item through it.

    Raises:
        NotInstalled: `post.extra`.
    """
    with NotInstalled("post.extra", "sending", "post"):
        from ledger.post import discord_http
    http = discord_http.client()

    def send(hook: Hook, item: Item, message: str) -> discord_http.Answer:
        if message:
            return discord_http.edit(http, hook, message, item.text)
        return discord_http.send(http, hook, item.text, _picture(item))

    return http, send


def _picture(item: Item) -> Picture | None:
    """The boards and charts of a text, under its last message, where they can be drawn."""
    from games.kit.blocks import Board, Chart

    drawn = [block for block in item.blocks if isinstance(block, (Board, Chart))]
    if not drawn or item.part not in (0, len(item.messages)):
        return None
    from ledger.post.discord_http import Picture
    from ledger.render import png, svg

    try:
        return Picture(png.render(item.blocks), svg.alt(item.blocks))
    except NotInstalled:
        return None  # the board stands in the text


def _span(typed: str) -> int:
    """`2m`, `90s`, `1h30m` in ms; 0 is no time.

    Raises:
        Unreadable: `time.unreadable`.
    """
    from ledger.core.times import read_time

    return 0 if typed == "0" else read_time(f"+{typed.removeprefix('+')}", now=0, zone="UTC", future=True)


# ---- the webhooks ---------------------------------------------------------------------------------------------------


def _hooks_here(app: App, writing: WriteOptions) -> Hooks:
    """The webhooks of this match.

    Raises:
        Unreadable: `webhooks.none`. Refused: `webhooks.rights`. Unmet: this is a copy, and nobody said that it posts.
    """
    log = os.path.realpath(app.match.book.path)
    hooks = read_hooks(log)
    if not hooks.of:
        raise Unreadable("webhooks.none", "no channel of this match has a webhook", "hl webhook add public")
    if two := sharing(hooks.of):
        what = f"{' and '.join(two[0])} have webhooks into one channel: each would read what is for the other"
        raise Refused("webhooks.twice", what, f"hl webhook remove {two[0][-1]}")
    if hooks.log != log:
        question = f"these webhooks were given for {hooks.log}: of two copies only one may post. Does this one?"
        if not writing.yes and not app.ask(question, "hl outbox post --yes"):
            raise Unmet("confirm.declined", "not confirmed: nothing was sent", "hl join FOLDER")
        if not writing.dry_run:
            write_new(log + ENDING, as_file(hooks._replace(log=log)), overwrite=True, ours=True)
    return hooks


def do_webhook(app: App, what: str, channel: str | None) -> int:
    if what not in ("add", "list", "remove") or (channel is None) != (what == "list"):
        raise Unreadable("command.usage", "webhook takes add CHANNEL, list, or remove CHANNEL", "hl webhook add public")
    match = app.match
    log = os.path.realpath(match.book.path)
    hooks = read_hooks(log)
    if what == "list":
        for who, hook in hooks.of.items():
            app.told(plain_line(f"{who}  {_called(match, who)}  channel {hook.channel}"))
        if not hooks.of:
            app.to_host("no channel of this match has a webhook: hl webhook add public")
        return 0
    app.log(to_record=True)
    who = _audience(match, channel or "")
    if what == "remove":
        if who not in hooks.of:
            raise Refused("webhooks.unknown", f"{who} has no webhook", "hl webhook list")
        left = {other: hook for other, hook in hooks.of.items() if other != who}
        write_new(log + ENDING, as_file(Hooks(left, log)), overwrite=True, ours=True)
        app.to_host(f"the webhook for {who} is forgotten here; delete it at Discord as well")
        return 0
    hook = _asked_for(app, who)
    for other, known in hooks.of.items():
        if other != who and known.channel == hook.channel:
            what_ = f"this webhook writes into the channel of {other}: {who} would read what is for {other}"
            raise Refused("webhooks.twice", what_, f"make one in the channel of {who}, or hl webhook remove {other}")
    write_new(log + ENDING, as_file(Hooks({**hooks.of, who: hook}, log)), overwrite=True, ours=True)
    app.to_host(f"texts for {who} can be sent to channel {hook.channel}: hl outbox post")
    return 0


def _asked_for(app: App, who: str) -> Hook:
    """The webhook that a host types or pastes, unseen; or that comes down a pipe. It is looked up at Discord.

    Raises:
        Unreadable: `webhooks.address`. Unmet: `webhooks.check`, Discord did not know it, or no answer came.
    """
    import sys

    _sender()[0].close()
    if sys.stdin.isatty():
        import getpass

        typed = getpass.getpass(f"address of the webhook for {who} (it is not shown): ")
    else:
        typed = sys.stdin.readline()
    url = typed.strip()
    if not ADDRESS.fullmatch(url):
        what = "that is not the address of a webhook of Discord"
        raise Unreadable("webhooks.address", what, "channel settings, Integrations, Webhooks, Copy Webhook URL")
    from ledger.post import discord_http

    with discord_http.client() as http:
        answer = discord_http.look(http, url)
    channel, guild = str(answer.data.get("channel_id") or ""), str(answer.data.get("guild_id") or "")
    if answer.kind != "taken" or not (channel.isdecimal() and guild.isdecimal()):
        why = answer.what or "it names no channel of a server"
        raise Unmet("webhooks.check", f"the webhook could not be checked: {why}", f"hl webhook add {who}")
    return Hook(url, channel, guild)


def _audience(match: Match, typed: str) -> str:
    """Whose channel is meant: `public`, a player, or a channel as the match file names it.

    Raises:
        Unreadable: `player.unknown`.
    """
    for player, seat in match.table.seats.items():
        if seat.channel and typed.lstrip("#") == seat.channel.lstrip("#"):
            return player
    return PUBLIC_VIEWER if typed.lower() == PUBLIC_VIEWER else match.table.directory().find(typed)


def _called(match: Match, who: str) -> str:
    from ledger.tell.texts import channel_of

    return channel_of(match.table, who) if who == PUBLIC_VIEWER or who in match.table.seats else "nobody here"
