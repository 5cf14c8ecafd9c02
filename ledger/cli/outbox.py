"""Verbs for the texts to post: `hl outbox` lists, marks and sends them; `hl webhook` sets where they are sent."""

from __future__ import annotations

import getpass
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from events import write_instant
from events.audiences import PUBLIC_VIEWER
from events.errors import LedgerError, Refused, Unmet, Unreadable
from games.kinds import count, did_you_mean, digits, grouped, shown
from games.kit.blocks import Board, Chart
from games.spans import MINUTE, read_span
from games.table import Table
from games.table.actions import Posted, Redo, Undo
from ledger.cli.app import App
from ledger.cli.carry_out import answer
from ledger.cli.completion import choices, fitting
from ledger.cli.output import Watch, check_follow, copied, follow_answer, write_new
from ledger.cli.terminal import lines
from ledger.cli.verb import ReadOptions, WriteOptions, answer_options, file_option, list_option, verb
from ledger.core.clock import now_ms
from ledger.core.extras import NotInstalled
from ledger.core.inputs import read_text
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.post import copies, posting
from ledger.record.plan import Options
from ledger.record.recorder import record_marks
from ledger.render import png, svg
from ledger.render.discord import numbered
from ledger.render.safe import SafeText, json_text, plain_line, plain_text
from ledger.tell.outbox import Claim, Outbox, Postmark, disturbances, head_line, outbox, posted_marks
from ledger.tell.texts import Item, channel_of, entry_of, split_name


def waiting_texts(ctx: click.Context, param: click.Parameter, part: str) -> list[str]:
    """Completions: the waiting texts, or after `undo` the marked ones."""
    verb, words, texts = ctx.params["what"], ctx.params["items"] or (), outbox(ctx.obj.match)
    if verb == "list" or (words and verb not in ("done", "drop", "post")):
        return []
    if verb == "undo":
        return fitting([*texts.sent, *texts.claims], part)
    names = [item.name for item in texts.waiting if item.name not in (*words, *texts.claims)]
    return fitting([*names, *(["all"] if verb in ("done", "drop") and not words else [])], part)


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
@click.option("--hold", metavar="SPAN", help="post --follow: how long texts wait; 2m, or a tenth of the phase.")
@click.option(
    "--edit", is_flag=True, help="post: a posted text that has changed is edited in place; else a correction is posted."
)
@click.option("--old", is_flag=True, help="done: the texts as they were before a correction or late entry.")
@answer_options
def outbox_verb(
    app: App, what: str | None, items: tuple[str, ...], follow: bool, hold: str | None, edit: bool, old: bool,
    reading: ReadOptions, writing: WriteOptions,
) -> int:  # fmt: skip
    """The texts that wait to be posted: list, show, next, done, drop, undo, post.

    hl outbox
    hl outbox next

    The oldest first. show ITEM prints one. next shows the oldest, of one PLAYER or public too (Enter: posted, s: skip,
    q: quit). done ITEM... (20b, 20 for all of entry 20, 19b-19i, or all) records that they were posted, drop that they
    will not be, undo ITEM takes that back. post sends what waits to the webhooks of its channels.
    """
    verb = what or "list"
    if verb not in VERBS:
        fix = f"hl outbox [{' | '.join(f'{name} {words}'.rstrip() for name, words in VERBS.items())}]"
        raise Unreadable("command.usage", f"outbox has no {verb}", fix)
    takes = VERBS[verb]
    if (items and not takes) or (len(items) > 1 and "..." not in takes):
        raise Unreadable("command.usage", f"outbox {verb} takes {takes or 'no name of a text'}", "hl outbox")
    if not items and takes[:1] not in ("", "["):
        waiting = [item.name for item in current_outbox(app.match).unclaimed] if verb == "done" else []
        if len(waiting) != 1:
            shows = f"; hl outbox next shows {waiting[0]}" if waiting else ""
            fix = f"hl outbox done {waiting[0]}" if waiting else "hl outbox"
            raise Unreadable("command.usage", f"which text is meant by {verb}{shows}", fix)
        items = (waiting[0],)
    if old and verb != "done":
        raise Unreadable("command.usage", f"outbox {verb} takes no --old", "hl outbox done ITEM --old")
    if verb == "post":
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
        settle(app, items, writing, dropped=verb == "drop", old=old)
    return 0


VERBS: Mapping[str, str] = {
    "list": "", "show": "ITEM", "next": "[ITEM|PLAYER]", "done": "ITEM...|all", "drop": "ITEM...|all", "undo": "ITEM",
    "post": "[ITEM...]",
}  # fmt: skip


def _list(app: App, reading: ReadOptions, *, follow: bool) -> None:
    printed: list[SafeText] = []

    def all_lines() -> list[SafeText]:
        outbox = current_outbox(app.match)
        if app.json:
            return [json_text(outbox_json(outbox))]
        lines = (plain_line(head_line(item, app.match.zone)) for item in outbox.unclaimed)
        printed.extend(line for line in lines if line not in printed)
        return printed

    if follow:
        check_follow(reading)
        follow_answer(app, all_lines)
    elif app.json:
        app.out(*all_lines())
    else:
        if all_lines():
            app.show(*printed)
        else:
            app.to_host("nothing waits to be posted")
        tell_not_waiting(app, current_outbox(app.match))


def outbox_json(outbox: Outbox) -> dict[str, Any]:
    waiting = [item_json(item) for item in outbox.unclaimed]
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
    outbox = current_outbox(app.match)
    if (sent := outbox.sent.get(name)) is not None or name in outbox.claims:
        if sent is not None:
            verb, text = "dropped" if sent.action.dropped else "posted", sent.action.text
            at = show_time(sent.body.recorded, app.match.zone)
            app.to_host(f"{name} was {verb} by {sent.body.by} at {at} (entry {sent.seq})")
        else:
            text = outbox.claims[name].action.text
            app.to_host(in_doubt(name, outbox.claims[name], app.match.zone))
        app.out(json_text({"item": name, "text": text}) if app.json else plain_text(text))
        return
    items = texts_named(outbox, name)
    if app.json:
        app.out(json_text({"items": [item_json(item) for item in items]}))
        return
    app.to_host(*(head_line(item, app.match.zone) for item in items))
    messages = numbered([item.text for item in items])
    app.out(messages)
    if copy:
        copied(app, messages)


def _next(app: App, after: str | None, writing: WriteOptions, *, copy: bool) -> None:
    skipped = list[str]()
    whose = None if after is None or after[:1].isdigit() else _audience(app.match, after)
    while True:
        outbox = current_outbox(app.match)
        waiting = (item for item in outbox.unclaimed if item.name not in skipped)
        item = next((i for i in waiting if i.audience == whose or after in (None, i.name, i.whole)), None)
        if item is None:
            if after is not None and whose is None and not skipped:
                texts_named(outbox, after)
            theirs = f" for {whose}" if whose and outbox.unclaimed else ""
            app.to_host(f"nothing{' else' if skipped else ''} waits to be posted{theirs}")
            if skipped:
                app.to_host(f"skipped, and still to be posted: {' '.join(skipped)}")
            else:
                tell_not_waiting(app, outbox)
            return
        if app.json:
            app.out(json_text(item_json(item)))
            return
        app.to_host(head_line(item, app.match.zone))
        app.out(item.text)
        if not app.may_ask:
            app.tell_next([f"hl outbox done {item.name}"], "when it is posted")
            if copy:
                copied(app, item.text)
            return
        program = copies.copy(item.text)
        app.to_host(f"(copied by {program})" if program else "(not copied: select the text)")
        reply = app.choose("Enter: posted, s: skip, q: quit", {"": "posted", "y": "posted", "s": "skip", "q": "quit"})
        if reply == "quit":
            return
        if reply == "skip":
            skipped.append(item.name)
        else:
            settle(app, (item.name,), writing, dropped=False)
            app.stale()


# ---- marking texts as posted or dropped, and taking that back --------------------------------------------------------


def current_outbox(match: Match) -> Outbox:
    """The outbox with the reminders that are due now."""
    return outbox(match, now_ms())


def tell_not_waiting(app: App, outbox: Outbox) -> None:
    waits = {item.whole for item in outbox.waiting}
    for item, name in (row for row in outbox.superseded if row[1] in waits):
        app.to_host(f"{item.name} for {item.audience} in {item.channel} is replaced by {name}: you need not post it")
    for player, names in grouped((item.audience, item.name) for item in outbox.gone).items():
        app.to_host(f"not posted to {player}, who has left the match: {' '.join(names)}")
    app.to_host(*(in_doubt(name, claim, app.match.zone) for name, claim in outbox.claims.items()))


def in_doubt(name: str, claim: Claim, zone: str) -> str:
    return (
        f"{name} for {claim.action.audience}: {claim.by} began to send it to {claim.action.channel} at "
        f"{show_time(claim.at, zone)}, and it is unknown whether it arrived. Look there: hl outbox done {name} if it "
        f"was posted, hl outbox undo {name} if not"
    )


def settle(app: App, names: Sequence[str], writing: WriteOptions, *, dropped: bool, old: bool = False) -> None:
    word = "dropped" if dropped else "posted"
    if "all" in names:
        outbox = current_outbox(app.match)
        names = [item.name for item in outbox.unclaimed]
        if not names:
            app.to_host("nothing waits to be posted")
            return
        channels = {item.name: item.channel for item in outbox.waiting}
        texts = ", ".join(f"{name} ({channels[name]})" for name in names)
        question = f"this marks all that waits as {word}, {count(len(names), 'text')}: {texts}"
        fix = f"hl outbox {'drop' if dropped else 'done'} all --yes"
        if not (writing.yes or writing.dry_run) and not app.ask(question, fix):
            raise Unmet("confirm.declined", "not confirmed: nothing was recorded", fix)
    entries = _entries(app.match, names, dropped=dropped, old=old)
    marks = [entry for entry in entries if isinstance(entry, Posted)]

    def check(current: Match) -> None:
        now = _entries(current, names, dropped=dropped, old=old)
        if len(now) != len(entries) or (not dropped and now != entries):
            item = next((mark.item for mark in marks if mark not in now), marks[0].item)
            raise Refused("outbox.changed", f"text {item} has changed since you saw it", f"hl outbox show {item}")

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    written = record_marks(app.match, entries, options, app.ask, check)
    be = "would be" if writing.dry_run else "is" if len(marks) == 1 else "are"
    items = " ".join(mark.item for mark in marks)
    corrected = "" if writing.dry_run or len(entries) == len(marks) else "; hl outbox has the correction"
    answer(app, written, writing, effect=f"text{'s' * (len(marks) > 1)} {items} {be} {word}{corrected}")


def _entries(match: Match, names: Sequence[str], *, dropped: bool, old: bool) -> list[Posted | Redo | Undo]:
    """The entries that settle these texts. If a text was posted before an undo or amend took it back, or with `old`
    before one, a late entry or a `reopen` gave it other words, they take that back, mark the text, and let it count
    again.
    """
    now: list[Posted] = []
    try:
        now = _marks(current_outbox(match), names, dropped=dropped)
        if not old:
            return [*now]
        what = f"no correction or late entry has given {' '.join(names)} other words"
        error = Unreadable("outbox.unknown", what, f"hl outbox done {' '.join(names)}")
    except Unreadable as unknown:
        error = unknown
    oldest = min(map(entry_of, names))
    for newer, back, again in () if dropped else _reversals(match, oldest, late=old):
        try:
            marks = _marks(current_outbox(match.supposing(back)), names, dropped=False)
        except LedgerError:
            continue
        waited = {item.name for item in outbox(match.as_known(newer - 1)).waiting}
        if marks != now and all("+" not in mark.item or mark.item in waited for mark in marks):  # no correction of now
            return [back, *marks, again]
    raise error


def _reversals(match: Match, since: int, *, late: bool) -> Iterator[tuple[int, Redo | Undo, Redo | Undo]]:
    """For each correction in effect, newest first: its entry, what takes it back, and what then lets it count again.

    Args:
        since: Those recorded after that entry: what changes a text is newer than the entry that asked for it.
        late: For each late entry and `reopen` too.
    """
    entries, marks = match.book.entries, match.fold.marks
    for entry in (entries[seq - 1] for seq in reversed(disturbances(match)) if seq > since):
        target = entry.body.args.get("target", 0)
        if entry.seq in marks.undone:
            yield entry.seq, Redo(entry.seq), Undo(target)
            continue
        redone = entries[target - 1].body.args["target"] if entry.body.do == "redo" else 0
        counts = redone or entry.body.do == "amend" or (late and match.can_be_struck(entry))
        if counts and (redone or entry.seq) not in marks.struck:
            yield entry.seq, Undo(redone or entry.seq), Redo(len(entries) + 1)


def _marks(outbox: Outbox, names: Sequence[str], *, dropped: bool) -> list[Posted]:
    marks: dict[str, Posted] = {}
    for name in (name for typed in names for name in _meant(outbox, typed)):
        claim = outbox.claims.get(name)
        claims = [claim.action] if claim is not None else [posting.claim_of(item) for item in texts_named(outbox, name)]
        marks |= {claim.item: posting.posted_as(claim, dropped=dropped) for claim in claims}
    return list(marks.values())


def _meant(outbox: Outbox, typed: str) -> list[str]:
    """The texts named by `typed`: all waiting texts of an entry (`37`), a range (`19b-19i`), or a single text."""
    waiting, (first, _, last) = [item.name for item in outbox.unclaimed], typed.partition("-")
    if {first, last} <= {*waiting}:
        meant = waiting[waiting.index(first) : waiting.index(last) + 1]
    else:
        meant = [name for name in waiting if digits(typed) is not None and re.match(f"{typed}[a-z]", name)]
    return meant or [typed]


def texts_named(outbox: Outbox, name: str) -> list[Item]:
    """The unsettled messages of a text: a single one, or all if `name` is that of the whole text.

    Raises:
        Refused: `outbox.settled`. Unreadable: `outbox.unknown`.
    """
    superseded = [part for item, _ in outbox.superseded for part in item.in_parts()]
    items = [item for item in (*outbox.waiting, *superseded) if name in (item.name, item.whole)]
    if unsettled := [item for item in items if item.name not in outbox.claims]:
        return unsettled
    if (sent := outbox.sent.get(name) or outbox.sent.get(f"{name}.1")) is not None:
        word = "dropped" if sent.action.dropped else "posted"
        what = f"text {name} was {word} by {sent.body.by} (entry {sent.seq})"
        if correction := next((item.whole for item in outbox.waiting if split_name(name)[0] in item.covers), None):
            raise Refused("outbox.settled", f"{what}; its correction is {correction}", f"hl outbox done {correction}")
        raise Refused("outbox.settled", what, f"hl outbox undo {name}")
    hint = did_you_mean(name, [item.name for item in outbox.waiting], "hl outbox")
    raise Unreadable("outbox.unknown", f"no text {shown(name)} waits to be posted", hint)


def take_back(app: App, name: str, writing: WriteOptions) -> None:
    seqs = _seqs_of(current_outbox(app.match), name)

    def check(current: Match) -> None:
        if _seqs_of(current_outbox(current), name) != seqs:
            raise Refused("outbox.changed", f"somebody else marked text {name} in the meantime", "hl outbox")

    options = Options(by=app.host, yes=True, dry_run=writing.dry_run)
    undos = [Undo(seq) for seq in seqs]
    written = record_marks(app.match, undos, options, app.ask, check)
    then = app.match.supposing(*undos) if writing.dry_run else app.match
    entries = f"entr{'y' if len(seqs) == 1 else 'ies'} {', '.join(map(str, seqs))}"
    answer(app, written, writing, effect=f"text {name} {_waits(then, name)}: its mark is taken back ({entries})")


def _waits(match: Match, name: str) -> str:
    """Whether a text waits whose mark was taken back, and if not, why."""
    now, stem = current_outbox(match), split_name(name)[0].partition("+")[0]
    if any(name in (item.name, item.whole) for item in now.waiting):
        return "waits again"
    told = (mark.action for mark in posted_marks(match) if stem in mark.action.covers)
    if by := next(told, None):
        return f"does not wait, as its correction {by.item} was {'dropped' if by.dropped else 'posted'}"
    others = [item.whole for item in now.waiting if stem in item.covers]
    others += [other for item, other in now.superseded if item.name == split_name(name)[0]]
    return f"does not wait{f', as {others[0]} takes its place' if others else ': it is not to be sent any more'}"


def _seqs_of(outbox: Outbox, name: str) -> list[int]:
    marks: dict[str, Postmark | Claim] = {**outbox.sent, **outbox.claims}
    seqs = sorted(mark.seq for item, mark in marks.items() if name in (item, split_name(item)[0]))
    if not seqs:
        what = f"text {shown(name)} is neither posted nor dropped, so there is nothing to take back"
        raise Unreadable("outbox.unmarked", what, "hl outbox")
    return seqs


# ---- webhooks --------------------------------------------------------------------------------------------------------


@verb("webhook", "tell")
@click.argument("what", metavar="add|list|remove", shell_complete=choices("add", "list", "remove"))
@click.argument("channel", required=False, metavar="[CHANNEL]")
@file_option("--from", "source", help="add: a list, a channel and the address of its webhook on each line.")
def webhook(app: App, what: str, channel: str | None, source: str | None) -> int:
    """The webhooks that outbox post sends to: add, list, remove CHANNEL.

    hl webhook list

    CHANNEL is public, a player, or a channel of the match file. add CHANNEL asks for one address, which is not shown;
    add alone takes a list. Each is looked up at Discord, and kept beside the log, readable by its owner only.
    """
    listed = what == "add" and channel is None
    if what not in ("add", "list", "remove") or (channel is None) != (what == "list" or listed):
        problem = "webhook takes add, add CHANNEL, list, or remove CHANNEL"
        raise Unreadable("command.usage", problem, "hl webhook add public")
    if source is not None and not listed:
        raise Unreadable("command.usage", "--from names a list, for add", f"hl webhook add --from {source}")
    match = app.match
    log = os.path.realpath(match.book.path)
    hooks = posting.read_hooks(log)
    if what == "list":
        for who, hook in hooks.of.items():
            channel = channel_of(match.table, who) if who in (PUBLIC_VIEWER, *match.table.seats) else "nobody here"
            app.show(plain_line(f"{who}  {channel}  channel {hook.channel}"))
        if not hooks.of:
            app.to_host("no channel of this match has a webhook: hl webhook add public")
        else:
            _tell_lacking(app, match, hooks)
        return 0
    app.log(to_record=True)
    if what == "remove":
        who = _audience(match, channel or "")
        if who not in hooks.of:
            raise Refused("webhooks.unknown", f"{who} has no webhook", "hl webhook list")
        others = {other: hook for other, hook in hooks.of.items() if other != who}
        write_new(log + posting.ENDING, posting.as_file(posting.Hooks(others, log)), overwrite=True, ours=True)
        app.to_host(f"hl no longer has the webhook for {who}; delete it at Discord as well")
        return 0
    if channel is None:
        added = [(_audience(match, typed), url) for typed, url in _typed_list(app, source)]
    else:
        who = _audience(match, channel)
        question = f"address of the webhook for {who} (it is not shown): "
        added = [(who, (getpass.getpass(question) if sys.stdin.isatty() else sys.stdin.readline()).strip())]
    known = dict(hooks.of)
    for who, url in added:
        hook = _looked_up(who, url)
        for other, its in known.items():
            if other != who and its.channel == hook.channel:
                problem = f"the webhook for {who} writes to the channel of {other}, who would read what is for {who}"
                fix = f"make one in the channel of {who}, or hl webhook remove {other}"
                raise Refused("webhooks.twice", problem, fix)
        known[who] = hook
    write_new(log + posting.ENDING, posting.as_file(posting.Hooks(known, log)), overwrite=True, ours=True)
    app.to_host(*(f"texts for {who} can now be sent to channel {known[who].channel}" for who, _ in added))
    _tell_lacking(app, match, posting.Hooks(known))
    app.to_host("hl outbox post sends what waits")
    return 0


def _tell_lacking(app: App, match: Match, hooks: posting.Hooks) -> None:
    lacking = hooks.lacking(match.table.seats)
    app.to_host(f"without a webhook: {', '.join(lacking)}" if lacking else "every channel has its webhook")


def _typed_list(app: App, source: str | None) -> Iterator[tuple[str, str]]:
    """Channels and addresses from a file, a paste or a pipe. Unreadable lines are not shown, since they are secret."""
    like = "public https://discord.com/api/webhooks/..."
    if source is not None:
        typed = read_text(source).splitlines()
    elif sys.stdin.isatty():
        app.to_host(
            f"One webhook a line: its channel, then its address, like: {like}\n"
            "They are seen as you paste them; --from FILE reads them unseen. An empty line ends the list."
        )
        typed = lines()
    else:
        typed = sys.stdin.read().splitlines()
    for number, line in enumerate(typed, 1):
        channel, _, url = line.strip().replace("\t", " ").rpartition(" ")
        if not (channel and posting.ADDRESS.fullmatch(url)):
            if not line.strip():
                continue
            what = f"line {number} is not a channel and the address of a webhook of Discord"
            raise Unreadable("webhooks.address", what, like)
        yield channel.rstrip(" :=,"), url


def _looked_up(who: str, url: str) -> posting.Hook:
    with NotInstalled("post.extra", "sending", "post"):
        from ledger.post import discord_http as discord  # an extra: 3.4 bare interpreters of `hl --help`
    if not posting.ADDRESS.fullmatch(url):
        what = "that is not the address of a webhook of Discord"
        raise Unreadable("webhooks.address", what, "channel settings, Integrations, Webhooks, Copy Webhook URL")
    with discord.client() as http:
        answer = discord.look(http, url)
    channel, guild = str(answer.data.get("channel_id") or ""), str(answer.data.get("guild_id") or "")
    if answer.kind != "taken" or not (channel.isdecimal() and guild.isdecimal()):
        why = answer.what or "it is not a channel of a server"
        raise Unmet("webhooks.check", f"the webhook for {who} could not be checked: {why}", f"hl webhook add {who}")
    return posting.Hook(url, channel, guild)


def _audience(match: Match, typed: str) -> str:
    """The audience of a channel that is typed as `public`, a player, or the channel's name in the match file."""
    for player, seat in match.table.seats.items():
        if seat.channel and typed.lstrip("#") == seat.channel.lstrip("#"):
            return player
    return PUBLIC_VIEWER if typed.lower() == PUBLIC_VIEWER else match.table.directory().find(typed)


# ---- sending ---------------------------------------------------------------------------------------------------------


HOLD = 2 * MINUTE


def post(app: App, items: tuple[str, ...], writing: WriteOptions, *, follow: bool, hold: str | None, edit: bool) -> int:
    """Send the waiting texts; return exit code 5 if one was refused or its outcome is unknown.

    Raises:
        Unreadable, Refused: `webhooks.*`, `post.extra`. LedgerError: from the log.
    """
    match = app.match
    by, hooks = app.host, _hooks_here(app, writing)
    held = 0 if not hold or hold == "0" else read_span(hold.removeprefix("+"))
    if held is None:
        fix = "hl outbox post --follow --hold 90s"
        raise Unreadable("time.unreadable", f"{shown(hold or '')} is not a length of time", fix)
    if writing.dry_run:
        return _rehearse(app, items, hooks)
    done: list[posting.Sending] = []
    http, send = _sender()
    with http:
        poster = posting.Poster(match, by, hooks.of, send, only=items, hold=held)
        try:
            for sending in _sendings(app, poster, follow=follow, edit=edit, usual=follow and not hold):
                done.append(sending)
                _tell(app, sending)
        except KeyboardInterrupt:
            app.to_host(f"stopped after {count(len(done), 'text')}")
    if app.json:
        kinds = ("posted", "edited", "refused", "doubtful")
        rows = {kind: [sending._asdict() for sending in done if sending.kind == kind] for kind in kinds}
        app.out(json_text({"ok": True, **rows}))
    elif not done:
        app.to_host("nothing was sent")
    _tell_rest(app, hooks)
    return 5 if any(sending.kind in ("refused", "doubtful") for sending in done) else 0


def _sendings(app: App, poster: posting.Poster, *, follow: bool, edit: bool, usual: bool) -> Iterator[posting.Sending]:
    """Send texts one after the other, and yield each result; `usual`: hold texts back as long as suits the phase."""
    watch, told = Watch(poster.match.book.log), list[str]()
    while True:
        if edit:
            yield from poster.edits()
        if usual:
            poster.match.refresh()
            poster.hold = _usual_hold(poster.match.table)
        yield from poster.run()
        if not follow:
            return
        if (rest := _without(poster.match, poster.hooks)) != told:
            app.to_host(*rest)
            told = rest
        watch.wait(1.0)  # then a held-back text may be due


def _tell(app: App, sending: posting.Sending) -> None:
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


def _tell_rest(app: App, hooks: posting.Hooks) -> None:
    app.stale()
    app.to_host(*_without(app.match, hooks.of))
    tell_not_waiting(app, current_outbox(app.match))


def _without(match: Match, hooks: Mapping[str, posting.Hook]) -> list[str]:
    """A line about the texts that wait for channels without webhook."""
    waiting = (item for item in current_outbox(match).waiting if item.audience not in hooks)
    names = grouped((item.channel, item.name) for item in waiting)
    texts = ", ".join(f"{channel} ({' '.join(items)})" for channel, items in names.items())
    return [f"no webhook for {texts}: hl outbox next, or hl webhook add"] if texts else []


def _rehearse(app: App, names: tuple[str, ...], hooks: posting.Hooks) -> int:
    outbox = current_outbox(app.match)
    items = [item for item in outbox.unclaimed if item.audience in hooks.of]
    items = [item for item in items if not names or item.name in names or item.whole in names]
    if items:
        app.show(*(plain_line(f"would post {head_line(item, app.match.zone)}") for item in items))
    else:
        app.to_host("nothing would be posted")
    _tell_rest(app, hooks)
    return 0


def _sender() -> tuple[Any, posting.Send]:
    with NotInstalled("post.extra", "sending", "post"):
        from ledger.post import discord_http as discord  # an extra: 3.4 bare interpreters of `hl --help`
    http = discord.client()

    def send(hook: posting.Hook, item: Item, message: str) -> posting.Answer:
        if message:
            return discord.edit(http, hook, message, item.text)
        return discord.send(http, hook, item.text, _picture(item))

    return http, send


def _picture(item: Item) -> posting.Picture | None:
    """The boards and charts of a text as a picture for its last message, if they can be drawn."""
    has_picture = any(isinstance(block, (Board, Chart)) for block in item.blocks)
    if not has_picture or item.part not in (0, len(item.messages)):
        return None
    try:
        return posting.Picture(png.render(item.blocks), svg.alt(item.blocks))
    except NotInstalled:
        return None  # the text itself has the board


def _usual_hold(table: Table) -> int:
    """Two minutes, or a tenth of the present phase if that is less: a round may last only three minutes."""
    return HOLD if table.ends is None else max(0, min(HOLD, (table.ends - table.since) // 10))


def _hooks_here(app: App, writing: WriteOptions) -> posting.Hooks:
    log = os.path.realpath(app.match.book.path)
    hooks = posting.read_hooks(log)
    if not hooks.of:
        raise Unreadable("webhooks.none", "no channel of this match has a webhook", "hl webhook add public")
    if shared := posting.into_one_channel(hooks.of):
        who = " and ".join(shared[0])
        what = f"the webhooks of {who} write to the same channel: each would read what is for the other"
        raise Refused("webhooks.twice", what, f"hl webhook remove {shared[0][-1]}")
    if hooks.log != log:
        question = f"these webhooks were added for {hooks.log}: only one of two copies may post. Is it this one?"
        if not writing.yes and not app.ask(question, "hl outbox post --yes"):
            raise Unmet("confirm.declined", "not confirmed: nothing was sent", "hl join FOLDER")
        if not writing.dry_run:
            write_new(log + posting.ENDING, posting.as_file(hooks._replace(log=log)), overwrite=True, ours=True)
    return hooks
