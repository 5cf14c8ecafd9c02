"""Short words for tests of `verify` and `audit`: commands, and entries that no command would write."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

from events import Body, LogFile
from ledger.audit.verify import VerifyReport
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match

EPOCH = 1_420_070_400_000


def hl(*words: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(words), App())
    return code, out.getvalue(), err.getvalue()


def codes(found: VerifyReport) -> list[str]:
    return [finding.code for finding in found.findings]


def host_of(folder: Path) -> tuple[str, ...]:
    return ("-g", str(folder), "--as", Match(str(folder / "log.jsonl")).table.hosts[0])


def append(folder: Path, do: str, args: dict[str, Any], **more: Any) -> None:
    """An entry that no command would write, with a chain that holds."""
    last = Match(str(folder / "log.jsonl")).book.entries[-1].body
    with LogFile(folder / "log.jsonl").writing() as writer:
        writer.append([Body(do, last.recorded, last.by, last.recorded, args, **more)])


def link(ms: int) -> str:
    """A message of that moment."""
    return f"https://discord.com/channels/1/2/{(ms - EPOCH) << 22}"
