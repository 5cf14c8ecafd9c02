"""What the lines of tests ask of draws (support/lines.py), of us and of docs/check_deal.py, which knows no game."""

from __future__ import annotations

import shutil
from typing import Any

from events import Body, LogFile
from events.instants import Instant
from ledger.audit.verify import VerifyReport, verify
from ledger.tell.redact import may_open
from tests.support.host import Host
from tests.support.lines import Shows
from tests.support.second import program

SECOND = program("check_deal")


def verified(here: Host) -> VerifyReport:
    """With the receipts that were kept (`: receipt`)."""
    return verify(str(here.path / "log.jsonl"), getattr(here, "kept", ()))


def found(here: Host) -> list[str]:
    """What an audit finds. The second program names as many draws that replace others, or what else is wrong."""
    codes, told = [finding.code for finding in verified(here).findings], second(here)
    assert told.count("REPLACED") == codes.count("draw.replaced") or "WRONG" in told, told
    return codes


def second(here: Host) -> str:
    """What the second program says."""
    return str(SECOND.main(here.path / "log.jsonl"))


def append(here: Host, *rows: tuple[str, dict[str, Any]]) -> None:
    """Entries that no command would write, as one batch, with a chain that holds."""
    with LogFile(here.path / "log.jsonl").writing() as writer:
        last = writer.reading.lines[-1]
        late = Instant(2**41)
        writer.append([Body(do, late, "mara", late, args, batch=last.seq + 1) for do, args in rows])


def keep(here: Host) -> None:
    """Somebody keeps the receipt of now."""
    here.kept = (here.match.book.head,)  # type: ignore[attr-defined]


SHOWS: Shows = {
    "found": found,
    "second": lambda here: second(here).replace("\n", " / "),
    "remarks": lambda here: " / ".join(verified(here).remarks),
    "unchecked": lambda here: " / ".join(verified(here).not_checked),
    "opened": lambda here, who: sorted({here.bodies[seq - 1]["do"] for seq in may_open(here.match, who)}),
    "receipt": keep,
    "copied": lambda here, name: shutil.copytree(here.path, here.folder / name) and None,
}
