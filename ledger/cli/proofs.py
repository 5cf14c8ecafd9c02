"""Verbs that prove: verify one log, audit many, print and anchor receipts, compare two moments or two logs."""

from __future__ import annotations

import gc
import os
import re
import sys

import click

from events import Entry, Finding
from events.disk import DISK
from events.errors import Refused, Unmet, Unreadable
from games.kinds import count, digits, shown
from games.records import plain
from games.table import actions as shared
from ledger.audit.receipts import NONE, PublicHead, Receipts, read_receipts, sign
from ledger.audit.senders import with_senders
from ledger.audit.verify import Audited, VerifyReport, misfit, verify
from ledger.cli.app import App, file_named, log_named
from ledger.cli.carry_out import answer
from ledger.cli.completion import audiences, entries, files, moments
from ledger.cli.output import deliver_lines
from ledger.cli.verb import (
    ReadOptions,
    WriteOptions,
    about_options,
    file_option,
    into_options,
    list_option,
    log_argument,
    verb,
    yes_option,
)
from ledger.core.clock import now_ms
from ledger.core.inputs import decoded
from ledger.core.logs import open_log
from ledger.core.match import Match
from ledger.core.times import message_id, read_message, show_time
from ledger.record.recorder import correct
from ledger.render.safe import json_text, plain_line, verbatim
from ledger.tell.diff import copies, differences
from ledger.tell.outbox import posted_marks
from ledger.tell.reports import moment, viewer_of
from ledger.tell.texts import RECEIPT_LINE, split_name
from ledger.wire.protocol import read_scheduler
from ledger.wire.sealing import read_signed

# ---- verify ----------------------------------------------------------------------------------------------------------


@verb("verify", "audit")
@log_argument
@click.option("--receipt", "receipts", metavar="HASH", multiple=True, help="A published receipt to check.")
@file_option("--receipts", "text_file", help="A text with published receipts in it.")
@file_option("--signers", help="Who may sign: each receipt in --receipts, and what hosts sent to a shared match.")
@click.option("--full", is_flag=True, help="Count a closed line as a finding: this log should be whole.")
@list_option
def verify_log(
    app: App, receipts: tuple[str, ...], text_file: str | None, signers: str | None, full: bool, reading: ReadOptions
) -> int:
    """Check every byte, and replay the match.

    hl verify

    The chain and the seals too. LOG: a file, as with -g.
    """
    for receipt in receipts:
        if not re.fullmatch(r"[0-9a-fA-F]{64}", receipt.strip()):
            raise Unreadable("receipt.unreadable", f"{shown(receipt)} is not a receipt", "a receipt is 64 hex digits")

    path = app.log()
    pushes = read_signed(DISK, path) if signers is not None else []
    published = _receipts_in(text_file, signed=signers is not None and not pushes)
    by = signers if published.heads or not pushes else None
    report = verify(path, receipts, full=full, digests=published.digests, heads=published.heads, signers=by)
    if signers is not None and pushes:
        report = with_senders(report, path, pushes, signers)
    deliver_lines(app, [*map(plain_line, verdict_lines(report))], reading, document=plain(report))
    return 0 if report.ok else 4


def verdict_lines(report: VerifyReport) -> list[str]:
    lines = [finding_line(finding) for finding in report.findings]
    lines += [f"not checked: {line}" for line in report.not_checked]
    lines += [f"note: {line}" for line in report.remarks]
    for proof in report.receipts:
        by = f", signed by {proof.signer}" if proof.signer else ""
        lines.append(f"{proof.kind} {proof.receipt} is of line {proof.line}{by}")
    entries = count(report.entries, "entry")
    if report.ok:
        return [*lines, f"verified: {entries}, receipt {report.head}"]
    if all(finding.code == "log.contested" for finding in report.findings):
        lines.append(
            "nobody changed, added or removed a line; a host must still settle what the rules do not allow: hl status"
        )
    return [*lines, f"NOT verified: {count(len(report.findings), 'finding')} in {entries}"]


def finding_line(finding: Finding) -> str:
    what = finding.what.removeprefix(f"line {finding.line} of the log is bad: ")
    return f"line {finding.line}: {what} [{finding.code}]"


def _receipts_in(source: str | None, *, signed: bool) -> Receipts:
    receipts = NONE
    if source is not None:
        text = file_named(source, code="receipt.file", fix="hl verify --receipt HASH")
        receipts = read_receipts(decoded(text, "replace"))
        if not receipts.digests:
            raise Unreadable("receipt.file", f"there is no receipt in {shown(source)}", "a receipt is 64 hex digits")
    if signed and not receipts.heads:
        what = (
            "there is nothing that could be signed: no receipt in three lines was given, and no signature is kept "
            "beside this log"
        )
        raise Unreadable("receipt.unsigned", what, "hl verify --receipts FILE --signers SIGNERS")
    return receipts


# ---- audit -----------------------------------------------------------------------------------------------------------


@verb("audit", "audit")
@click.argument("places", metavar="FOLDER...", nargs=-1, required=True, shell_complete=files)
@click.option("-j", "--jobs", "workers", metavar="N", help="How many processes; one for each core if not given.")
@click.option("--scheduler", metavar="URL", help="Workers of other machines: a Dask scheduler, tls://HOST:PORT.")
@list_option
def audit_logs(
    app: App, places: tuple[str, ...], workers: str | None, scheduler: str | None, reading: ReadOptions
) -> int:
    """Verify every log in folders and below, on all cores.

    hl audit .

    One line for each log; with -f json all findings.
    """
    from ledger.audit import many_logs  # 1.1 bare interpreters of `hl verify` and `hl --help`

    gc.enable()  # this may run for a long time
    jobs = DISK.processors() if workers is None else digits(workers) or 0
    if workers is not None and not 1 <= jobs <= 1024:
        raise Unreadable("number.bounds", f"{shown(workers)} is no number of processes, 1 to 1024", "hl audit -j 2 DIR")
    if scheduler is not None:
        if workers is not None:
            what = "-j is for processes of this machine; a scheduler brings its own workers"
            raise Unreadable("audit.jobs", what, f"hl audit --scheduler {scheduler} FOLDER")
        scheduler = read_scheduler(scheduler)
    logs = many_logs.find_logs(places)
    width = min(60, max(map(len, logs)))
    progress, bad = _Progress(len(logs)), 0
    is_on_one_screen = sys.stdout is not None and sys.stdout.isatty()
    for audited in many_logs.audit(logs, jobs) if scheduler is None else many_logs.audit_on(scheduler, logs):
        if is_on_one_screen:
            progress.draw("")
        bad += not audited.verdict.ok
        app.out(json_text(audited.as_json()) if reading.json else plain_line(_line(audited, width)))
        progress.step(bad)
    progress.draw("")
    app.to_host(f"{count(len(logs), 'log')}: {len(logs) - bad} verified, {bad} with findings")
    return 4 if bad else 0


def _line(audited: Audited, width: int) -> str:
    report = audited.verdict
    entries = count(report.entries, "entry")
    closed = f", {report.entries - report.open} closed" if report.open < report.entries else ""
    if report.ok:
        return f"ok   {audited.path:<{width}}  {entries}{closed}  receipt {report.head}"
    rest = f" (and {len(report.findings) - 1} more)" if report.findings[1:] else ""
    return f"BAD  {audited.path:<{width}}  {entries}{closed}  {finding_line(report.findings[0])}{rest}"


class _Progress:
    """A progress line on stderr that is redrawn in place, if stderr is a terminal."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.due, self.drawn = total, 0, 0, ""
        self.on = total > 1 and sys.stderr is not None and sys.stderr.isatty()

    def step(self, bad: int) -> None:
        self.done += 1
        if self.on and self.done < self.total and (now := now_ms()) >= self.due:
            self.due = now + 200  # ms
            self.draw(f"{self.done} of {self.total} logs, {bad} with findings")

    def draw(self, text: str) -> None:
        if text or self.drawn:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            self.drawn = text


# ---- receipts --------------------------------------------------------------------------------------------------------


@verb("receipt", "audit", audience="public")
@file_option("--sign", "key", metavar="KEY", help="Sign it with an ssh key of yours (needs ssh-keygen).")
@click.option("--accept", is_flag=True, help="Accept a copy that was restored on purpose.")
@yes_option
@list_option
def receipt(app: App, accept: bool, key: str | None, reading: ReadOptions, writing: WriteOptions) -> None:
    """The head of the log: a hash of its history.

    hl receipt

    Three lines: match, entries, hash.
    """
    log = open_log(app.log(to_record=accept))
    if accept:
        question = f"accept {log.path} as it ends now? Entries that were recorded after this end are given up."
        if not writing.yes and not app.ask(question, "hl receipt --accept --yes"):
            raise Unmet("confirm.declined", "not confirmed: nothing was changed", "hl receipt --accept --yes")
        log.accept()
    whole = log.read()
    app.to_host(*whole.notes)
    head = PublicHead(whole.lines[0].hash, whole.mark.seq, whole.mark.hash)
    if key is not None:
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

    hl anchor https://discord.com/channels/1/2/1479448461312000000

    RECEIPT is its 64 hex digits, the number of an entry, or the name of a text that was posted; without it the newest
    that message can hold.
    """
    options = app.options(writing)
    match, message = app.match, read_message(link)
    if "/" not in message.evidence:
        what = "the id of a message does not say which channel it is in"
        raise Unreadable("anchor.link", what, "right-click the message, Copy Message Link")
    if message.at > now_ms():
        raise Unreadable("time.future", "this message lies in the future", "check the clock of this machine")
    entry = _anchored_entry(match, receipt, message.at)
    action = shared.Anchor(message.evidence, entry.hash)
    written = correct(
        match, action, options, app.ask, lambda current: _check(current, action, entry, message.at, now_ms())
    )
    posted = show_time(message.at, match.zone)
    answer(app, written, writing, effect=f"the receipt of entry {entry.seq} was posted at {posted}: {entry.hash}")


def _anchored_entry(match: Match, receipt: str | None, posted: int) -> Entry:
    lines = match.book.entries
    if receipt is None:
        for entry in lines[::-1]:
            if entry.body.recorded <= posted:
                return entry
        raise Refused("anchor.time", "the message is older than the match", "hl receipt")
    word = receipt.strip().lower()
    if (number := digits(word.removeprefix("#"))) is not None:
        match.check_entry(number)
        return lines[number - 1]
    for posting in (mark.action for mark in posted_marks(match)):
        if word in (posting.item, split_name(posting.item)[0]) and (line := re.search(RECEIPT_LINE, posting.text)):
            word = line[1]
    for entry in lines:
        if entry.hash == word:
            return entry
    what = f"{shown(receipt)} is neither a receipt of this log nor a posted text for everybody"
    raise Unreadable("anchor.unknown", what, "64 hex digits, an entry's number, or a text's name as in hl outbox")


def _check(match: Match, anchor: shared.Anchor, entry: Entry, posted: int, now: int) -> None:
    if problem := misfit(posted, entry.body.recorded, now):
        raise Refused("anchor.time", problem, "name the receipt in it: hl anchor LINK RECEIPT")
    struck = match.fold.marks.struck
    for other in match.fold.layout.about:
        if other.body.do == "anchor" and other.seq not in struck:
            same = message_id(str(other.body.args.get("link"))) == message_id(anchor.link)
            if same and other.body.args.get("head") == anchor.head:
                raise Refused("anchor.twice", f"entry {other.seq} says that already", f"hl show {other.seq}")


# ---- diff ------------------------------------------------------------------------------------------------------------


MOMENT = re.compile(r"#?[0-9]{1,9}|now|(known|round):.*", re.IGNORECASE)
"""Words that always mean a moment, even if a file has that name; `./12` means the file."""


@verb("diff", "audit", audience="any")
@click.argument("first", metavar="A", shell_complete=moments)
@click.argument("second", metavar="B", shell_complete=moments)
@click.option("--check", is_flag=True, help="Exit 5 if anything differs.")
@click.option("--for", "viewer", metavar="P|public|host", help="Of two moments: for whom.", shell_complete=audiences)
@list_option
@into_options
def diff(app: App, first: str, second: str, check: bool, reading: ReadOptions) -> int:
    """What differs between two moments of the match, or between two logs.

    hl diff 5 now

    A and B are two moments (SEQ, round:NAME, a time, now, or known:SEQ for what was known at an entry), or two logs
    (folders or .jsonl files).
    """
    are_logs = any(
        os.path.exists(os.path.expanduser(word)) or "/" in word or "\\" in word or word.endswith(".jsonl")
        for word in (first, second)
        if not MOMENT.fullmatch(word)
    )
    same = (_logs if are_logs else _moments)(app, first, second, reading)
    return 5 if check and not same else 0


def _moments(app: App, first: str, second: str, reading: ReadOptions) -> bool:
    match, now = app.match, now_ms()
    viewer = viewer_of(match, reading.viewer, "host")
    before, after = (moment(match, word, viewer, now) for word in (first, second))
    changes = differences(match, before.fold.state, after.fold.state, viewer)
    document = {"audience": viewer, "a": first, "b": second, "same": not changes, "changes": list(changes)}
    audience = {"host": "the hosts", "public": "everybody"}.get(viewer) or match.table.name(viewer)
    lines = [f"from {first} to {second}, for {audience}:", *(changes or ["nothing is different"])]
    deliver_lines(app, [*map(plain_line, lines)], reading, document=document)
    return not changes


def _logs(app: App, first: str, second: str, reading: ReadOptions) -> bool:
    if reading.viewer not in (None, "host"):
        raise Unreadable("audience.host_only", "only hosts can compare two logs", "leave --for out")
    comparison = copies(*(log_named(name, "a log has no name", "hl diff FOLDER OTHER") for name in (first, second)))
    common = comparison.common
    document = {
        "a": first,
        "b": second,
        "same": comparison.same,
        "common": common and common.as_json(),
        "differs": [row and row.as_json() for row in comparison.first],
        "more": list(comparison.more),
        "findings": [[finding._asdict() for finding in findings] for findings in comparison.findings],
    }
    if common is None:
        lines = ["even the first lines differ: these are two matches, or one of them is not a log"]
    else:
        lines = [f"the same up to line {common.seq}:", f"  {common.line(comparison.zone)}"]
    sides = [*zip((first, second), comparison.first, comparison.more, comparison.findings, strict=True)]
    if comparison.first != (None, None):
        lines.append("the first line that differs:")
        for name, row, more, findings in sides:
            none = "cannot be read any further" if findings else "has no more lines"
            rest = f" ({count(more, 'line')} from here on)" if row else ""
            lines.append(f"  {name}: {row.line(comparison.zone) if row else none}{rest}")
    for name, _, _, findings in sides:
        for finding in findings:
            lines.append(f"  {name}: {finding_line(finding)}")
    if comparison.same:
        lines.append("that is all of both: they are the same")
    deliver_lines(app, [*map(plain_line, lines)], reading, document=document)
    return comparison.same
