"""Many logs at once: one pure function a log, run on all cores. A season's archive could run the same on a cluster.

Belongs here: finding logs, handing them out, and what becomes of one that cannot be read or brings its process down.
Does not belong here: what is checked (audit.py), how it is shown.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from events import Finding, LedgerError, Unreadable
from events.disk import DISK
from events.record import NamedTuple
from ledger.core.where import LOG_NAME

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ledger.audit.report import VerifyReport

AT_ONCE = 8
"""Logs in one parcel for a worker: a parcel costs about as much as a short log."""
WAITING = 3
"""Parcels a worker, given out or done and not yet asked for: what bounds the memory, however many logs there are."""


class Audited(NamedTuple):
    """One log, and what `verify` says of it."""

    path: str
    verdict: VerifyReport

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, **self.verdict.as_json()}


Work = Callable[[list[str]], list[Audited]]


def find_logs(named: Sequence[str]) -> list[str]:
    """Every log in these folders and below, in one order; a file is taken as it is. Links are not followed.

    Raises:
        Unreadable: `audit.missing`, there is nothing of that name; `audit.empty`, no log is there.
    """
    found: dict[str, None] = {}
    for place in named:
        if os.path.isfile(place):
            found[place] = None
        elif os.path.isdir(place):
            for folder, folders, files in os.walk(place):
                folders.sort()
                for name in sorted(files, key=lambda name: (name != LOG_NAME, name)):
                    path = os.path.join(folder, name)
                    if name.endswith(".jsonl") and not os.path.islink(path):
                        found[path] = None
        else:
            raise Unreadable("audit.missing", f"there is nothing at {place}", "hl audit FOLDER")
    if not found:
        raise Unreadable("audit.empty", f"no log is in {' or '.join(named)}", "a log is a file that ends in .jsonl")
    return list(found)


def audit_log(path: str) -> Audited:
    """Verify one log. Depends on its file alone, and never raises: what cannot be read is a finding.

    >>> [finding.code for finding in audit_log("/nowhere/log.jsonl").verdict.findings]
    ['log.missing']
    """
    from ledger.audit.report import VerifyReport
    from ledger.audit.verify import verify

    try:
        return Audited(path, verify(path))
    except LedgerError as error:
        found = Finding(1, error.code, error.what)
    except Exception as error:  # a bug in one log's checking must not cost the others theirs
        found = Finding(1, "audit.unexpected", f"a mistake in the program: {type(error).__name__}: {error}")
    return Audited(path, VerifyReport(False, 0, 0, "", (found,), ("everything",)))


def audit_logs(paths: list[str]) -> list[Audited]:
    """A parcel of them, in order. At the top of a module, so that a fresh process can find it."""
    return [audit_log(path) for path in paths]


def audit(paths: Sequence[str], workers: int, work: Work = audit_logs) -> Iterator[Audited]:
    """Verify logs on `workers` processes; what comes out is in the order of `paths`.

    A process that is brought down (killed, out of memory) takes its parcel with it: these logs are looked at once more,
    each in a process of its own, and the one that does it again is a finding.
    """
    parcels = [list(paths[i : i + AT_ONCE]) for i in range(0, len(paths), AT_ONCE)]
    if workers < 2 or len(parcels) < 2:
        for parcel in parcels:
            yield from work(parcel)
        return
    while parcels:
        done = 0
        for found in _until_broken(parcels, min(workers, len(parcels)), work):
            done += 1
            yield from found
        parcels = parcels[done:]
        if parcels:  # a process went down: one of those that were given out did it
            for path in parcels.pop(0):
                alone = list(_until_broken([[path]], 1, work))
                yield from alone[0] if alone else [_lost(path)]


def _until_broken(parcels: Sequence[list[str]], workers: int, work: Work) -> Iterator[list[Audited]]:
    """What comes of each parcel, in order, until a process is brought down."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    given: deque[Future[list[Audited]]] = deque()
    rest = iter(parcels)
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # a fresh process imports nothing that lies in the present folder
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_deaf)
    try:
        for parcel in rest:
            given.append(pool.submit(work, parcel))
            if len(given) == workers * WAITING:
                yield given.popleft().result()
        while given:
            yield given.popleft().result()
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)
        if safe is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe


def _deaf() -> None:
    """A worker leaves Ctrl-C to the process that asked it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _lost(path: str) -> Audited:
    from ledger.audit.report import VerifyReport

    what = "the process that read it was brought down: too little memory, or a mistake in the program"
    return Audited(path, VerifyReport(False, 0, 0, "", (Finding(1, "audit.lost", what),), ("everything",)))


def cores() -> int:
    """Processors that this process may use."""
    return DISK.processors()
