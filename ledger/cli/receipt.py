"""Verbs about receipts: receipt prints one, anchor records where one was posted."""

from __future__ import annotations

import re

import click

from events import Entry
from events.errors import Refused, Unmet, Unreadable
from games.kinds import digits, shown
from games.table import actions as shared
from ledger.audit.claims import misfit
from ledger.audit.receipts import Head
from ledger.cli.answer import answer
from ledger.cli.app import App, ReadOptions, WriteOptions
from ledger.cli.completion import entries, files
from ledger.cli.verb import about_options, list_option, verb, yes_option
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import message_id, read_message, show_time
from ledger.record.recorder import correct
from ledger.render.safe import json_text, verbatim
from ledger.tell.outbox import posted_marks
from ledger.tell.texts import RECEIPT_LINE, split_name
from ledger.wire.seam import log_at


@verb("receipt", "audit", audience="public")
@click.option(
    "--sign", "key", metavar="KEY", help="Sign it with an ssh key of yours (needs ssh-keygen).", shell_complete=files
)
@click.option("--accept", is_flag=True, help="Accept a copy that was restored on purpose.")
@yes_option
@list_option
def receipt(app: App, accept: bool, key: str | None, reading: ReadOptions, writing: WriteOptions) -> None:
    """The head of the log: a hash of its history.

    Three lines: match, entries, hash.
    """

    log = log_at(app.log(to_record=accept), now_ms)
    if accept:
        question = f"adopt the end of {log.path} as it is now? What was recorded after it elsewhere is given up."
        if not writing.yes and not app.ask(question, "hl receipt --accept --yes"):
            raise Unmet("confirm.declined", "not confirmed: the head record is as it was", "hl receipt --accept --yes")
        log.accept()
    whole = log.read()
    for note in whole.notes:
        app.to_host(note)
    head = Head(whole.lines[0].hash, whole.mark.seq, whole.mark.hash)
    if key is not None:
        from ledger.audit.signing import sign

        head = head._replace(signature=sign(head.text, key, ask=app.may_ask))
    if reading.json:
        signed = {"signature": head.signature} if head.signature else {}
        app.out(json_text({"game": head.game, "entries": head.entries, "head": head.hash, **signed}))
    else:
        app.out(verbatim("\n".join([head.text, head.signature]).rstrip("\n")))


@verb("anchor", "audit", records=("anchor",))
@click.argument("link", metavar="LINK")
@click.argument("receipt", required=False, metavar="[RECEIPT]", shell_complete=entries)
@about_options
def anchor(app: App, link: str, receipt: str | None, writing: WriteOptions) -> None:
    """Record in which message a receipt was posted; its id proves when.

    RECEIPT is its 64 hex digits, the number of an entry, or the name of a text that was posted; without it the newest
    that message can hold.
    """

    options = app.options(writing)
    match, message = app.match, read_message(link)
    if "/" not in message.evidence:
        what = "the number of a message does not say where it stands"
        raise Unreadable("anchor.link", what, "right-click the message, Copy Message Link")
    if message.at > now_ms():
        raise Unreadable("time.future", "this message lies in the future", "check the clock of this machine")
    entry = _line(match, receipt, message.at)
    action = shared.Anchor(message.evidence, entry.hash)

    def fits(current: Match) -> None:
        _check(current, action, entry, message.at, now_ms())

    written = correct(match, action, options, app.ask, fits)
    posted = show_time(message.at, match.zone)
    answer(app, written, writing, effect=f"the receipt of entry {entry.seq} was posted at {posted}: {entry.hash}")


def _line(match: Match, receipt: str | None, posted: int) -> Entry:

    lines = match.book.entries
    if receipt is None:
        newest: Entry | None = next((entry for entry in reversed(lines) if entry.body.recorded <= posted), None)
        if newest is None:
            raise Refused("anchor.time", "the message is older than the match", "hl receipt")
        return newest
    word = receipt.strip().lower()
    if (number := digits(word.removeprefix("#"))) is not None:
        match.check_entry(number)
        numbered: Entry = lines[number - 1]
        return numbered
    for posting in (mark.action for mark in posted_marks(match)):
        if word in (posting.item, split_name(posting.item)[0]) and (line := re.search(RECEIPT_LINE, posting.text)):
            word = line[1]
    for entry in lines:
        if entry.hash == word:
            return entry
    what = f"{shown(receipt)} is no receipt of this log, and no text for everybody that was posted"
    raise Unreadable("anchor.unknown", what, "64 hex digits, an entry's number, or a text's name as in hl outbox")


def _check(match: Match, anchor: shared.Anchor, entry: Entry, posted: int, now: int) -> None:
    """Refuse what cannot be so, or is recorded already."""

    if problem := misfit(posted, entry.body.recorded, now):
        raise Refused("anchor.time", problem, "name the receipt that stands in it: hl anchor LINK RECEIPT")
    struck = match.fold.marks.struck
    for other in match.fold.layout.about:
        if other.body.do == "anchor" and other.seq not in struck:
            same = message_id(str(other.body.args.get("link"))) == message_id(anchor.link)
            if same and other.body.args.get("head") == anchor.head:
                raise Refused("anchor.twice", f"entry {other.seq} says that already", f"hl show {other.seq}")
