"""`hl webhook`: the webhooks that `outbox post` sends to. Sending: post.py."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from events.audiences import PUBLIC_VIEWER
from events.errors import NotInstalled, Refused, Unmet, Unreadable
from ledger.cli.app import App
from ledger.cli.completion import choices
from ledger.cli.new_file import write_new
from ledger.cli.verb import verb
from ledger.core.match import Match
from ledger.post.webhooks import ADDRESS, ENDING, Hook, Hooks, as_file, read_hooks
from ledger.render.safe import plain_line
from ledger.tell.texts import channel_of


@verb("webhook", "tell")
@click.argument("what", metavar="add|list|remove", shell_complete=choices("add", "list", "remove"))
@click.argument("channel", required=False, metavar="[CHANNEL]")
def webhook(app: App, what: str, channel: str | None) -> int:
    """The webhooks that outbox post sends to: add CHANNEL, list, remove CHANNEL.

    CHANNEL is public, a player, or a channel of the match file. add asks for the address, which is not shown, looks it
    up at Discord, and keeps it beside the log, readable by its owner only.
    """
    if what not in ("add", "list", "remove") or (channel is None) != (what == "list"):
        raise Unreadable("command.usage", "webhook takes add CHANNEL, list, or remove CHANNEL", "hl webhook add public")
    match = app.match
    log = os.path.realpath(match.book.path)
    hooks = read_hooks(log)
    if what == "list":
        for who, hook in hooks.of.items():
            channel = channel_of(match.table, who) if who in (PUBLIC_VIEWER, *match.table.seats) else "nobody here"
            app.show(plain_line(f"{who}  {channel}  channel {hook.channel}"))
        if not hooks.of:
            app.to_host("no channel of this match has a webhook: hl webhook add public")
        return 0
    app.log(to_record=True)
    who = _audience(match, channel or "")
    if what == "remove":
        if who not in hooks.of:
            raise Refused("webhooks.unknown", f"{who} has no webhook", "hl webhook list")
        others = {other: hook for other, hook in hooks.of.items() if other != who}
        write_new(log + ENDING, as_file(Hooks(others, log)), overwrite=True, ours=True)
        app.to_host(f"the webhook for {who} is forgotten here; delete it at Discord as well")
        return 0
    hook = _ask_for_hook(who)
    for other, known in hooks.of.items():
        if other != who and known.channel == hook.channel:
            problem = f"this webhook writes into the channel of {other}: {who} would read what is for {other}"
            raise Refused("webhooks.twice", problem, f"make one in the channel of {who}, or hl webhook remove {other}")
    write_new(log + ENDING, as_file(Hooks({**hooks.of, who: hook}, log)), overwrite=True, ours=True)
    app.to_host(f"texts for {who} can be sent to channel {hook.channel}: hl outbox post")
    return 0


def connection() -> Any:
    """The connection to Discord.

    Raises:
        NotInstalled: `post.extra`.
    """
    with NotInstalled("post.extra", "sending", "post"):
        from ledger.post import discord_http
    return discord_http.client()


def _ask_for_hook(who: str) -> Hook:
    """The webhook that a host types or pastes, unseen; or that comes down a pipe. It is looked up at Discord."""
    http = connection()
    if sys.stdin.isatty():
        import getpass

        typed = getpass.getpass(f"address of the webhook for {who} (it is not shown): ")
    else:
        typed = sys.stdin.readline()
    url = typed.strip()
    if not ADDRESS.fullmatch(url):
        http.close()
        what = "that is not the address of a webhook of Discord"
        raise Unreadable("webhooks.address", what, "channel settings, Integrations, Webhooks, Copy Webhook URL")
    from ledger.post import discord_http

    with http:
        answer = discord_http.look(http, url)
    channel, guild = str(answer.data.get("channel_id") or ""), str(answer.data.get("guild_id") or "")
    if answer.kind != "taken" or not (channel.isdecimal() and guild.isdecimal()):
        why = answer.what or "it names no channel of a server"
        raise Unmet("webhooks.check", f"the webhook could not be checked: {why}", f"hl webhook add {who}")
    return Hook(url, channel, guild)


def _audience(match: Match, typed: str) -> str:
    """Whose channel it is: `public`, a player, or a channel as the match file names it."""
    for player, seat in match.table.seats.items():
        if seat.channel and typed.lstrip("#") == seat.channel.lstrip("#"):
            return player
    return PUBLIC_VIEWER if typed.lower() == PUBLIC_VIEWER else match.table.directory().find(typed)
