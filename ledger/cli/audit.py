"""`audit`: every log in folders and archives. One log: verify.py."""

from __future__ import annotations

import gc
import sys

import click

from events.disk import DISK
from events.errors import Unreadable
from games.kinds import digits, shown
from ledger.audit.archive import audit
from ledger.audit.members import path_of
from ledger.audit.report import Audited
from ledger.audit.sources import find_logs
from ledger.cli.app import App, ReadOptions
from ledger.cli.completion import files
from ledger.cli.verb import list_option, verb
from ledger.cli.verify import finding_line
from ledger.core.clock import now_ms
from ledger.render.safe import json_text, plain_line
from ledger.wire.urls import read_scheduler


@verb("audit", "audit")
@click.argument("places", metavar="SOURCE...", nargs=-1, required=True, shell_complete=files)
@click.option("-j", "--jobs", "workers", metavar="N", help="How many processes; one for each core if not given.")
@click.option("--scheduler", metavar="URL", help="Workers of other machines: a Dask scheduler, tls://HOST:PORT.")
@list_option
def audit_logs(
    app: App, places: tuple[str, ...], workers: str | None, scheduler: str | None, reading: ReadOptions
) -> int:
    """Verify every log in folders and archives, on all cores.

    And in the folders below: one line each; with -f json all findings.
    """

    gc.enable()  # this may run for long
    jobs = DISK.processors() if workers is None else _count(workers)
    if scheduler is not None:
        from ledger.audit.cluster import audit_on

        if workers is not None:
            what = "a scheduler has as many workers as it has; -j is for processes of this machine"
            raise Unreadable("audit.jobs", what, f"hl audit --scheduler {scheduler} FOLDER")
        cluster = read_scheduler(scheduler)
    logs = find_logs(places)
    width = min(60, max(len(path_of(log)) for log in logs))
    progress, bad = _Progress(len(logs)), 0
    for audited in audit(logs, jobs) if scheduler is None else audit_on(cluster, logs):
        progress.give_way()
        bad += not audited.verdict.ok
        app.out(json_text(audited.as_json()) if reading.json else plain_line(_line(audited, width)))
        progress.step(bad)
    progress.end()
    count = f"{len(logs)} log{'' if len(logs) == 1 else 's'}"
    app.to_host(f"{count}: {len(logs) - bad} verified, {bad} with findings")
    return 4 if bad else 0


def _count(typed: str) -> int:
    number = digits(typed)
    if number is None or not 1 <= number <= 1024:
        raise Unreadable("number.bounds", f"{shown(typed)} is no number of processes, 1 to 1024", "hl audit -j 2 DIR")
    return number


def _line(audited: Audited, width: int) -> str:
    """`ok   season/ep3/log.jsonl  51 entries  head ...`; for a damaged log its first finding."""
    report = audited.verdict
    entries = f"{report.entries} entr{'y' if report.entries == 1 else 'ies'}"
    closed = f", {report.entries - report.open} closed" if report.open < report.entries else ""
    if report.ok:
        return f"ok   {audited.path:<{width}}  {entries}{closed}  head {report.head}"
    rest = f" (and {len(report.findings) - 1} more)" if report.findings[1:] else ""
    return f"BAD  {audited.path:<{width}}  {entries}{closed}  {finding_line(report.findings[0])}{rest}"


class _Progress:
    """How far it has come: one line on stderr that is drawn over itself, where stderr is a terminal."""

    PAUSE_MS = 200
    """Between two lines."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.drawn = total, 0, False
        self.on = total > 1 and sys.stderr is not None and sys.stderr.isatty()
        self.due = 0

    def step(self, bad: int) -> None:
        self.done += 1
        if self.on and self.done < self.total and (now := now_ms()) >= self.due:
            self.due = now + self.PAUSE_MS
            self._draw(f"{self.done} of {self.total} logs, {bad} with findings")
            self.drawn = True

    def give_way(self) -> None:
        """Take the line away, if what is printed now would come into it."""
        if sys.stdout is not None and sys.stdout.isatty():
            self.end()

    def end(self) -> None:
        """Take the line away."""
        if self.drawn:
            self._draw("")
            self.drawn = False

    def _draw(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
