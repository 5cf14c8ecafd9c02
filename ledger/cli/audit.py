"""Verbs of the auditor: verify, audit, redact."""

from __future__ import annotations

import gc
import re
import sys
from typing import TYPE_CHECKING

from events.errors import Unreadable
from games.kinds import digits, shown
from ledger.cli.app import App
from ledger.core.clock import now_ms
from ledger.core.inputs import decoded, read_bytes
from ledger.render.safe import json_text, plain_line

if TYPE_CHECKING:
    from events import Finding
    from ledger.audit.receipts import Receipts
    from ledger.audit.report import Audited, VerifyReport
    from ledger.cli.options import ReadOptions


def do_verify(
    app: App, receipts: tuple[str, ...], listed: str | None, signers: str | None, full: bool, reading: ReadOptions
) -> int:
    from ledger.audit.verify import verify

    for receipt in receipts:
        if not re.fullmatch(r"[0-9a-fA-F]{64}", receipt.strip()):
            raise Unreadable("receipt.unreadable", f"{shown(receipt)} is no receipt", "a receipt is 64 hex digits")
    from events.disk import DISK
    from ledger.audit.pushed import Pushed, with_senders
    from ledger.wire.signed import read_signed

    path = app.log()
    pushes = [Pushed(*one) for one in read_signed(DISK, path)] if signers is not None else []
    kept = _receipts_in(listed, signed=signers is not None and not pushes)
    by = signers if kept.heads or not pushes else None
    found = verify(path, receipts, full=full, digests=kept.digests, heads=kept.heads, signers=by)
    if signers is not None and pushes:
        found = with_senders(found, path, pushes, signers)
    if reading.json:
        app.out(json_text(found.as_json()))
    else:
        app.show(*map(plain_line, told(found)))
    return 0 if found.ok else 4


def told(found: VerifyReport) -> list[str]:
    """A verdict in lines: what was found, what was not checked, which receipts fit, what it comes to."""
    lines = [_found(finding) for finding in found.findings]
    lines += [f"not checked: {line}" for line in found.not_checked]
    lines += [f"note: {line}" for line in found.remarks]
    for proof in found.receipts:
        by = f", signed by {proof.signer}" if proof.signer else ""
        lines.append(f"{proof.kind} {proof.receipt} is of line {proof.line}{by}")
    entries = f"{found.entries} entr{'y' if found.entries == 1 else 'ies'}"
    if found.ok:
        return [*lines, f"verified: {entries}, head {found.head}"]
    if all(finding.code == "log.contested" for finding in found.findings):
        lines.append("bytes, chain and seals are sound; what is contested waits for a host: hl status")
    many = f"{len(found.findings)} finding{'s' if len(found.findings) > 1 else ''}"
    return [*lines, f"NOT verified: {many} in {entries}"]


def _found(finding: Finding) -> str:
    what = finding.what.removeprefix(f"line {finding.line} of the log is bad: ")
    return f"line {finding.line}: {what} [{finding.code}]"


def _receipts_in(source: str | None, *, signed: bool) -> Receipts:
    """Every receipt that stands in a text: a chat that was saved, the notes of a player.

    Raises:
        Unreadable: `receipt.file`, it cannot be read or holds none; `receipt.unsigned`, nothing in it can be signed.
    """
    from ledger.audit.receipts import NONE, read_receipts

    found = NONE
    if source is not None:
        try:
            found = read_receipts(decoded(read_bytes(source), "replace"))
        except OSError as error:
            raise Unreadable(
                "receipt.file", f"{source} cannot be read: {error.strerror}", "hl verify --receipt HASH"
            ) from None
        if not found.digests:
            raise Unreadable("receipt.file", f"no receipt stands in {shown(source)}", "a receipt is 64 hex digits")
    if signed and not found.heads:
        what = "signatures are of heads in three lines, and none was given; nor is one kept beside this log"
        raise Unreadable("receipt.unsigned", what, "hl verify --receipts FILE --signers SIGNERS")
    return found


def do_audit(
    app: App, places: tuple[str, ...], workers: str | None, scheduler: str | None, reading: ReadOptions
) -> int:
    from ledger.audit.archive import audit, cores
    from ledger.audit.sources import find_logs, path_of

    gc.enable()  # this may run for long
    jobs = cores() if workers is None else _count(workers)
    if scheduler is not None:
        from ledger.audit.cluster import audit_on
        from ledger.wire.urls import read_scheduler

        if workers is not None:
            what = "a scheduler has as many workers as it has; -j is for processes of this machine"
            raise Unreadable("audit.jobs", what, f"hl audit --scheduler {scheduler} FOLDER")
        cluster = read_scheduler(scheduler)
    logs = find_logs(places)
    width = min(60, max(len(path_of(one)) for one in logs))
    progress, bad = _Progress(len(logs)), 0
    for one in audit(logs, jobs) if scheduler is None else audit_on(cluster, logs):
        progress.give_way()
        bad += not one.verdict.ok
        app.out(json_text(one.as_json()) if reading.json else plain_line(_line(one, width)))
        progress.step(bad)
    progress.end()
    told = f"{len(logs)} log{'' if len(logs) == 1 else 's'}"
    app.to_host(f"{told}: {len(logs) - bad} verified, {bad} with findings")
    return 4 if bad else 0


def _count(typed: str) -> int:
    number = digits(typed)
    if number is None or not 1 <= number <= 1024:
        raise Unreadable("number.bounds", f"{shown(typed)} is no number of processes, 1 to 1024", "hl audit -j 2 DIR")
    return number


def _line(one: Audited, width: int) -> str:
    """`ok   season/ep3/log.jsonl  51 entries  head ...`; for a damaged log its first finding."""
    found = one.verdict
    entries = f"{found.entries} entr{'y' if found.entries == 1 else 'ies'}"
    closed = f", {found.entries - found.open} closed" if found.open < found.entries else ""
    if found.ok:
        return f"ok   {one.path:<{width}}  {entries}{closed}  head {found.head}"
    more = len(found.findings) - 1
    rest = f" (and {more} more)" if more else ""
    return f"BAD  {one.path:<{width}}  {entries}{closed}  {_found(found.findings[0])}{rest}"


class _Progress:
    """How far it has come: one line on stderr that is drawn over itself, where stderr is a terminal."""

    PAUSE = 200
    """Milliseconds between two looks."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.shown = total, 0, False
        self.on = total > 1 and sys.stderr is not None and sys.stderr.isatty()
        self.due = 0

    def step(self, bad: int) -> None:
        """One more is done."""
        self.done += 1
        if self.on and self.done < self.total and (now := now_ms()) >= self.due:
            self.due = now + self.PAUSE
            self._draw(f"{self.done} of {self.total} logs, {bad} with findings")
            self.shown = True

    def give_way(self) -> None:
        """Take the line away, if what is printed now would come into it."""
        if self.shown and sys.stdout is not None and sys.stdout.isatty():
            self.end()

    def end(self) -> None:
        """Take the line away."""
        if self.shown:
            self._draw("")
            self.shown = False

    def _draw(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def do_redact(app: App, reading: ReadOptions) -> None:
    from ledger.cli.new_file import write_new
    from ledger.tell.redact import redacted
    from ledger.tell.reports import viewer_of

    match, target = app.match, reading.target or ""
    audience = viewer_of(match, reading.viewer, "public")
    if audience == "host":
        raise Unreadable("redact.host", "the hosts have the log itself", "hl redact --for public -o FILE")
    lines = list(redacted(match, audience))
    write_new(target, b"".join(lines), overwrite=reading.overwrite)
    closed = sum(b',"salt":"' not in line for line in lines)
    app.to_host(f"wrote {target}: {len(lines)} lines, {closed} closed, head {match.book.head}")
