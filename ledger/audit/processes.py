"""Many logs at once: found in folders, then verified on all cores; cluster.py verifies them on other machines."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from events import Finding, LedgerError
from events.disk import DISK, Disk
from events.errors import Unreadable
from ledger.audit import verify
from ledger.audit.verify import Audited, unread
from ledger.core.logs import LOG_NAME

MAX_PARCEL_LOGS = 8
"""Logs in one parcel for a worker: a parcel costs about as much as a short log."""
MAX_PARCEL_BYTES = 8 << 20
MAX_PENDING_PARCELS = 3
"""Parcels for each worker that are submitted and not yet collected. This bounds the memory for any number of logs."""
Work = Callable[[list[str]], list[Audited]]


def find_logs(places: Sequence[str]) -> list[str]:
    """The paths of all logs in these places, in one order, each once. Links below a folder are not followed.

    Args:
        places: Logs, and folders, which are searched with all folders below them.

    Raises:
        Unreadable: `audit.missing`, there is nothing of that name; `audit.empty`, no log is there, or a file is none.
    """
    logs: dict[str, None] = {}
    for place in places:
        if os.path.isdir(place):
            logs |= dict.fromkeys(_below(place))
        elif not os.path.exists(place):
            what = "audit reads files and folders, not URLs" if "://" in place else f"there is nothing at {place}"
            raise Unreadable("audit.missing", what, "hl audit FOLDER")
        elif place.endswith(".jsonl"):
            logs[place] = None
        else:
            fix = "a log is a file that ends in .jsonl; unpack an archive, then hl audit FOLDER"
            raise Unreadable("audit.empty", f"{place} is not a log", fix)
    if not logs:
        what = f"there is no log in {' or '.join(places)}"
        raise Unreadable("audit.empty", what, "a log is a file that ends in .jsonl")
    return list(logs)


def _below(place: str) -> Iterator[str]:
    for folder, folders, files in os.walk(place):
        folders.sort()
        for name in sorted(files, key=lambda name: (name != LOG_NAME, name)):
            path = os.path.join(folder, name)
            if name.endswith(".jsonl") and not os.path.islink(path):
                yield path


def audit_log(path: str, disk: Disk = DISK) -> Audited:
    """Verify one log. Depends on its bytes alone, and never raises: what cannot be read is a finding.

    >>> [finding.code for finding in audit_log("/nowhere/log.jsonl").verdict.findings]
    ['log.missing']
    """
    try:
        return Audited(path, verify.verify(path, disk=disk))
    except LedgerError as error:
        finding = Finding(1, error.code, error.what)
    except Exception as error:  # a bug in one log's checking must not cost the others theirs
        finding = Finding(1, "audit.unexpected", f"a mistake in the program: {type(error).__name__}: {error}")
    return unread(path, finding)


def audit_logs(paths: list[str]) -> list[Audited]:
    """Verify a parcel of logs, in order. A function of the module, so that a fresh process can import it."""
    return [audit_log(path) for path in paths]


def parcels_of(paths: Iterable[str], size_of: Callable[[str], int] = lambda path: 0) -> list[list[str]]:
    """The logs in parcels, within `MAX_PARCEL_LOGS` and `MAX_PARCEL_BYTES`.

    Args:
        size_of: How many bytes of a log are sent.
    """
    parcels: list[list[str]] = [[]]
    size = 0
    for path in paths:
        added = size_of(path)
        if parcels[-1] and (size + added > MAX_PARCEL_BYTES or len(parcels[-1]) == MAX_PARCEL_LOGS):
            parcels.append([])
            size = 0
        parcels[-1].append(path)
        size += added
    return parcels


def audit(paths: Sequence[str], workers: int, work: Work = audit_logs) -> Iterator[Audited]:
    """Verify logs on `workers` processes; what comes out is in the order of `paths`.

    A process that crashes (killed, out of memory) takes its parcel with it: these logs are verified once more, each in
    a process of its own, and one that crashes its process again is a finding.
    """
    parcels = parcels_of(paths)
    if workers < 2 or len(parcels) < 2:
        for parcel in parcels:
            yield from work(parcel)
        return
    while parcels:
        finished = 0
        for audited in _until_broken(parcels, min(workers, len(parcels)), work):
            finished += 1
            yield from audited
        parcels = parcels[finished:]
        if parcels:  # a process crashed: one of the submitted parcels was the cause
            for path in parcels.pop(0):
                alone = list(_until_broken([[path]], 1, work))
                yield from alone[0] if alone else [lost(path)]


def _until_broken(parcels: Sequence[list[str]], workers: int, work: Work) -> Iterator[list[Audited]]:
    pending: deque[Future[list[Audited]]] = deque()
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # a fresh process imports nothing from the present folder
    ctrl_c_is_ours = (signal.SIGINT, signal.SIG_IGN)  # a worker leaves it to the process that started it
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ctrl_c_is_ours)
    try:
        for parcel in parcels:
            pending.append(pool.submit(work, parcel))
            if len(pending) == workers * MAX_PENDING_PARCELS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    except BrokenProcessPool:
        return
    finally:
        pool.shutdown(cancel_futures=True)
        if safe is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe


def lost(path: str) -> Audited:
    what = "the process that read it died: too little memory, or a mistake in the program"
    return unread(path, Finding(1, "audit.lost", what))
