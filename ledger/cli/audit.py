"""Verbs of the auditor: verify, receipt."""

from __future__ import annotations

import json
import re

import click

from events.errors import Unreadable
from games.kinds import shown
from ledger.cli.app import App
from ledger.cli.derive import Verb, verb
from ledger.cli.output import check_format, format_option


def command(name: str) -> click.Command:
    """The command of that name."""
    made: click.Command = {"verify": _verify, "redact": _redact, "receipt": _receipt}[name]()
    return made


def _verify() -> Verb:
    def run(app: App, receipts: tuple[str, ...], listed: str | None, full: bool, fmt: str) -> int:
        from ledger.audit import verify
        from ledger.where import find_log

        check_format(fmt)
        for receipt in receipts:
            if not re.fullmatch(r"[0-9a-fA-F]{64}", receipt.strip()):
                raise Unreadable("receipt.unreadable", f"{shown(receipt)} is no receipt", "a receipt is 64 hex digits")
        kept = [*receipts, *(_receipts_in(listed) if listed is not None else ())]
        found = verify(find_log(app.match_name), kept, full=full)
        if fmt == "json":
            app.out(json.dumps(found.as_json(), ensure_ascii=False))
            return 0 if found.ok else 4
        for finding in found.findings:
            what = finding.what.removeprefix(f"line {finding.line} of the log is bad: ")
            app.out(f"line {finding.line}: {what} [{finding.code}]")
        for line in found.not_checked:
            app.out(f"not checked: {line}")
        entries = f"{found.entries} entr{'y' if found.entries == 1 else 'ies'}"
        if found.ok:
            app.out(f"verified: {entries}, head {found.head}")
            return 0
        if all(finding.code == "log.contested" for finding in found.findings):
            app.out("bytes, chain and seals are sound; what is contested waits for a host: hl status")
        app.out(f"NOT verified: {len(found.findings)} finding{'s' if len(found.findings) > 1 else ''} in {entries}")
        return 4

    params = [
        click.Option(["--receipt", "receipts"], multiple=True, metavar="HASH", help="A published head to check."),
        click.Option(["--receipts", "listed"], metavar="FILE", help="A text in which published heads stand."),
        click.Option(["--full"], is_flag=True, help="A closed line is a finding: this log should be whole."),
        format_option(),
    ]
    return verb(
        "verify", "Check every byte, the chain, the seals, and that the log folds without a finding.", params, run
    )


def _receipts_in(source: str) -> list[str]:
    """Every receipt that stands in a text: a chat that was saved, the notes of a player.

    Raises:
        Unreadable: `receipt.file`, it cannot be read or holds none.
    """
    try:
        with open(source, encoding="utf-8", errors="replace") as file:
            found = re.findall(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])", file.read())
    except OSError as error:
        raise Unreadable(
            "receipt.file", f"{source} cannot be read: {error.strerror}", "hl verify --receipt HASH"
        ) from None
    if not found:
        raise Unreadable("receipt.file", f"no receipt stands in {shown(source)}", "a receipt is 64 hex digits")
    return found


def _redact() -> Verb:
    def run(app: App, viewer: str, target: str, overwrite: bool) -> None:
        from ledger.cli.output import write_new
        from ledger.redact import redacted
        from ledger.reports import viewer_of

        match = app.match
        audience = viewer_of(match, viewer, "public")
        if audience == "host":
            raise Unreadable("redact.host", "the hosts have the log itself", "hl redact --for public -o FILE")
        lines = list(redacted(match, audience))
        write_new(target, b"".join(lines), overwrite=overwrite)
        closed = sum(b',"salt":"' not in line for line in lines)
        app.note(f"wrote {target}: {len(lines)} lines, {closed} closed, head {match.book.head}")

    params = [
        click.Option(["--for", "viewer"], required=True, metavar="P|public", help="For whose eyes."),
        click.Option(["-o", "--output", "target"], required=True, metavar="FILE", help="The new file."),
        click.Option(["--overwrite"], is_flag=True, help="The file may exist."),
    ]
    about = "A copy of the log for one audience: the lines it may not open are closed, the head is the same."
    return verb("redact", about, params, run)


def _receipt() -> Verb:
    def run(app: App, accept: bool, yes: bool, fmt: str) -> None:
        from events import LogFile
        from ledger.where import find_log

        log = LogFile(find_log(app.match_name))
        check_format(fmt)
        if accept:
            question = f"adopt the end of {log.path} as it is now? What was recorded after it elsewhere is given up."
            if not yes and not app.ask(question, "hl receipt --accept --yes"):
                from events.errors import Unmet

                raise Unmet(
                    "confirm.declined", "not confirmed: the head record is as it was", "hl receipt --accept --yes"
                )
            log.accept()
        reading = log.read()
        for note in reading.notes:
            app.note(note)
        first = reading.lines[0].hash
        if fmt == "json":
            app.out(json.dumps({"game": first, "entries": reading.mark.seq, "head": reading.mark.hash}))
        else:
            app.out(f"host-ledger/v1 {first}\n{reading.mark.seq}\n{reading.mark.hash}")

    params = [
        click.Option(["--accept"], is_flag=True, help="Adopt a copy that was restored on purpose."),
        click.Option(["-y", "--yes"], is_flag=True, help="Do not ask."),
        format_option(),
    ]
    return verb("receipt", "The head of the log in three lines: match, entries, hash.", params, run)
