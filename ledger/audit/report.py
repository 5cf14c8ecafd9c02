"""What `verify` says of a log, and `audit` of one among many."""

from __future__ import annotations

from typing import Any

from events import Finding
from events.record import NamedTuple
from ledger.audit.published import Proof


class VerifyReport(NamedTuple):
    """What `verify` says. Source: docs/json.md."""

    ok: bool
    entries: int
    open: int
    head: str
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """What a stranger should know of this log, though nothing is wrong with it."""
    receipts: tuple[Proof, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "ok": self.ok, "entries": self.entries, "open": self.open, "head": self.head,
            "findings": [finding._asdict() for finding in self.findings], "not_checked": list(self.not_checked),
            "remarks": list(self.remarks), "receipts": [proof._asdict() for proof in self.receipts],
        }  # fmt: skip


class Audited(NamedTuple):
    """One log, and what `verify` says of it."""

    path: str
    verdict: VerifyReport

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, **self.verdict.as_json()}


def unread(path: str, finding: Finding) -> Audited:
    """A log that was not read, with the finding that says why."""
    return Audited(path, VerifyReport(False, 0, 0, "", (finding,), ("everything",)))
