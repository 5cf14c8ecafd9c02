"""`diff`: what differs, between two moments or two logs."""

from __future__ import annotations

import os
import re

import click

from events.errors import Unreadable
from ledger.cli.app import App, ReadOptions, log_named
from ledger.cli.completion import audiences, moments
from ledger.cli.output import deliver_lines
from ledger.cli.verb import into_options, list_option, verb
from ledger.cli.verify import finding_line
from ledger.core.clock import now_ms
from ledger.render.safe import plain_line
from ledger.tell.compare import copies
from ledger.tell.differences import differences
from ledger.tell.reports import moment, viewer_of

MOMENT = re.compile(r"#?[0-9]{1,9}|now|(known|round):.*", re.IGNORECASE)
"""What is a moment whatever lies in the folder: `./12` is a file of that name."""


@verb("diff", "audit", audience="any")
@click.argument("first", metavar="A", shell_complete=moments)
@click.argument("second", metavar="B", shell_complete=moments)
@click.option("--check", is_flag=True, help="Exit 5 if anything differs.")
@click.option("--for", "viewer", metavar="P|public|host", help="Two moments: the audience.", shell_complete=audiences)
@list_option
@into_options
def diff(app: App, first: str, second: str, check: bool, reading: ReadOptions) -> int:
    """What differs between two moments of the match, or between two logs.

    A and B are two moments (SEQ, round:NAME, a time, now, or known:SEQ for what was known at an entry), or two logs
    (folders or .jsonl files).
    """
    are_logs = any(not MOMENT.fullmatch(word) and _is_path(word) for word in (first, second))
    same = (_logs if are_logs else _moments)(app, first, second, reading)
    return 5 if check and not same else 0


def _is_path(word: str) -> bool:
    return os.path.exists(os.path.expanduser(word)) or "/" in word or "\\" in word or word.endswith(".jsonl")


def _moments(app: App, first: str, second: str, reading: ReadOptions) -> bool:
    """Print what changed for the audience; has nothing?"""

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
    """Print the first line that differs; does none?"""

    if reading.viewer not in (None, "host"):
        raise Unreadable("audience.host_only", "two logs are compared for hosts only", "leave --for out")
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
        lines = ["not even the first line is the same: two matches, or one that does not begin as a log does"]
    else:
        lines = [f"the same up to line {common.seq}:", f"  {common.line(comparison.zone)}"]
    sides = [*zip((first, second), comparison.first, comparison.more, comparison.findings, strict=True)]
    if comparison.first != (None, None):
        lines.append("the first line that differs:")
        for name, row, count, findings in sides:
            none = "cannot be read any further" if findings else "has no more lines"
            rest = f" ({count} line{'' if count == 1 else 's'} from here on)" if row else ""
            lines.append(f"  {name}: {row.line(comparison.zone) if row else none}{rest}")
    for name, _, _, findings in sides:
        for finding in findings:
            lines.append(f"  {name}: {finding_line(finding)}")
    if comparison.same:
        lines.append("and no line more in either: they are the same")
    deliver_lines(app, [*map(plain_line, lines)], reading, document=document)
    return comparison.same
