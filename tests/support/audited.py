"""Short words for tests of `verify` and `audit`: commands, and entries that no command would write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from events import Body, LogFile
from ledger.audit.verify import VerifyReport, verify
from ledger.core.match import Match
from tests.support.host import Host


def codes(found: VerifyReport) -> list[str]:
    return [finding.code for finding in found.findings]


def host_of(folder: Path, host: str = "") -> tuple[str, ...]:
    """Of its match, by its first host or by the one who is named."""
    return ("-g", str(folder), "--as", host or Match(str(folder / "log.jsonl")).table.hosts[0])


def append(folder: Path, do: str, args: dict[str, Any], **more: Any) -> None:
    """An entry that no command would write, with a chain that holds."""
    last = Match(str(folder / "log.jsonl")).book.entries[-1].body
    with LogFile(folder / "log.jsonl").writing() as writer:
        writer.append([Body(do, last.recorded, last.by, last.recorded, args, **more)])


def checked(here: Host, name: str = "m") -> VerifyReport:
    return verify(str(here.folder / name / "log.jsonl" if "." not in name else here.folder / name))


CHECKED = {
    "found": lambda here, name="m": codes(checked(here, name)),
    "unchecked": lambda here, name="m": checked(here, name).not_checked,
}
"""What cases of tests/support/lines.py ask: of the match, or of the log or folder of that name."""
