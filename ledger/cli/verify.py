"""`verify`: whether a log is sound and holds the receipts that were published."""

from __future__ import annotations

import re

import click

from events import Finding
from events.disk import DISK
from events.errors import Unreadable
from games.kinds import shown
from ledger.audit.pushed import with_senders
from ledger.audit.receipts import NONE, Receipts, read_receipts
from ledger.audit.report import VerifyReport
from ledger.audit.verify import verify
from ledger.cli.app import App, ReadOptions, file_named
from ledger.cli.completion import files
from ledger.cli.verb import list_option, verb
from ledger.core.inputs import decoded
from ledger.render.safe import json_text, plain_line
from ledger.wire.signed import read_signed


@verb("verify", "audit")
@click.option("--receipt", "receipts", metavar="HASH", multiple=True, help="A published head to check.")
@click.option("--receipts", "text_file", metavar="FILE", help="A text with published heads.", shell_complete=files)
@click.option(
    "--signers",
    metavar="FILE",
    shell_complete=files,
    help="Who may sign: each head in --receipts, and what hosts sent to a shared match.",
)
@click.option("--full", is_flag=True, help="A closed line is a finding: this log should be whole.")
@list_option
def verify_log(
    app: App, receipts: tuple[str, ...], text_file: str | None, signers: str | None, full: bool, reading: ReadOptions
) -> int:
    """Check every byte, and replay the match.

    The chain and the seals too.
    """

    for receipt in receipts:
        if not re.fullmatch(r"[0-9a-fA-F]{64}", receipt.strip()):
            raise Unreadable("receipt.unreadable", f"{shown(receipt)} is no receipt", "a receipt is 64 hex digits")

    path = app.log()
    pushes = read_signed(DISK, path) if signers is not None else []
    published = _receipts_in(text_file, signed=signers is not None and not pushes)
    by = signers if published.heads or not pushes else None
    report = verify(path, receipts, full=full, digests=published.digests, heads=published.heads, signers=by)
    if signers is not None and pushes:
        report = with_senders(report, path, pushes, signers)
    if reading.json:
        app.out(json_text(report.as_json()))
    else:
        app.show(*map(plain_line, verdict_lines(report)))
    return 0 if report.ok else 4


def verdict_lines(report: VerifyReport) -> list[str]:
    """A verdict in lines: what was found, what was not checked, which receipts fit, what it comes to."""
    lines = [finding_line(finding) for finding in report.findings]
    lines += [f"not checked: {line}" for line in report.not_checked]
    lines += [f"note: {line}" for line in report.remarks]
    for proof in report.receipts:
        by = f", signed by {proof.signer}" if proof.signer else ""
        lines.append(f"{proof.kind} {proof.receipt} is of line {proof.line}{by}")
    entries = f"{report.entries} entr{'y' if report.entries == 1 else 'ies'}"
    if report.ok:
        return [*lines, f"verified: {entries}, head {report.head}"]
    if all(finding.code == "log.contested" for finding in report.findings):
        lines.append("bytes, chain and seals are sound; what is contested waits for a host: hl status")
    count = f"{len(report.findings)} finding{'s' if len(report.findings) > 1 else ''}"
    return [*lines, f"NOT verified: {count} in {entries}"]


def finding_line(finding: Finding) -> str:
    what = finding.what.removeprefix(f"line {finding.line} of the log is bad: ")
    return f"line {finding.line}: {what} [{finding.code}]"


def _receipts_in(source: str | None, *, signed: bool) -> Receipts:
    """Every receipt that stands in a text: a chat that was saved, the notes of a player."""

    receipts = NONE
    if source is not None:
        text = file_named(source, code="receipt.file", fix="hl verify --receipt HASH")
        receipts = read_receipts(decoded(text, "replace"))
        if not receipts.digests:
            raise Unreadable("receipt.file", f"no receipt stands in {shown(source)}", "a receipt is 64 hex digits")
    if signed and not receipts.heads:
        what = "signatures are of heads in three lines, and none was given; nor is one kept beside this log"
        raise Unreadable("receipt.unsigned", what, "hl verify --receipts FILE --signers SIGNERS")
    return receipts
