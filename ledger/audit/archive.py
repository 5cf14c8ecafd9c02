"""Many logs at once: one pure function a log, run on all cores; cluster.py runs the same on other machines.

Belongs here: handing logs out to processes of this machine, and what becomes of one that cannot be read or crashes
its process. Does not belong here: where logs lie (sources.py), what is checked (verify.py), how it is shown.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from errno import ENOENT
from stat import S_IFREG
from typing import TYPE_CHECKING

from events import Finding, LedgerError
from events.disk import DISK, Disk
from events.head import head_path
from ledger.audit.members import Bytes, LogSource, Member, path_of, payload_of
from ledger.audit.report import Audited, unread

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_PARCEL_LOGS = 8
"""Logs in one parcel for a worker: a parcel costs about as much as a short log."""
MAX_PARCEL_BYTES = 8 << 20
"""Bytes in one parcel, where the bytes are sent; a log that is larger goes alone."""
MAX_PENDING_PARCELS = 3
"""Parcels for each worker that are submitted and not yet collected. This bounds the memory for any number of logs."""
Payload = str | Bytes | Audited
"""What a worker gets of a log: the path of the file, its bytes, or a verdict that is already known."""
Work = Callable[[list[Payload]], list[Audited]]


class _Memory(Disk):
    """A disk that holds one log and its head record, in memory."""

    def __init__(self, log: Bytes) -> None:
        self.files = {log.path: log.log} | ({head_path(log.path): log.head} if log.head is not None else {})
        self.names = list(self.files)

    def open(self, path: str, flags: int, *, follow: bool = False) -> int:
        if path not in self.files:
            raise FileNotFoundError(ENOENT, "there is no such file", path)
        return self.names.index(path)

    def fstat(self, fd: int) -> os.stat_result:
        return os.stat_result((S_IFREG | 0o600, fd, 0, 1, 0, 0, len(self.files[self.names[fd]]), 0, 0, 0))

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        return self.files[self.names[fd]][offset : offset + size]

    def close(self, fd: int) -> None:
        pass


def audit_log(log: Payload) -> Audited:
    """Verify one log. Depends on its bytes alone, and never raises: what cannot be read is a finding.

    >>> [finding.code for finding in audit_log("/nowhere/log.jsonl").verdict.findings]
    ['log.missing']
    """
    from ledger.audit.verify import verify

    if isinstance(log, Audited):
        return log
    path, disk = (log, DISK) if isinstance(log, str) else (log.path, _Memory(log))
    try:
        return Audited(path, verify(path, disk=disk))
    except LedgerError as error:
        finding = Finding(1, error.code, error.what)
    except Exception as error:  # a bug in one log's checking must not cost the others theirs
        finding = Finding(1, "audit.unexpected", f"a mistake in the program: {type(error).__name__}: {error}")
    return unread(path, finding)


def audit_logs(logs: list[Payload]) -> list[Audited]:
    """Verify a parcel of logs, in order. A function of the module, so that a fresh process can import it."""
    return [audit_log(log) for log in logs]


def parcels_of(logs: Iterable[LogSource]) -> list[list[LogSource]]:
    """The logs in parcels, within `MAX_PARCEL_LOGS` and `MAX_PARCEL_BYTES`."""
    parcels: list[list[LogSource]] = [[]]
    size = 0
    for log in logs:
        added = log.size if isinstance(log, Member) else 0
        if parcels[-1] and (size + added > MAX_PARCEL_BYTES or len(parcels[-1]) == MAX_PARCEL_LOGS):
            parcels.append([])
            size = 0
        parcels[-1].append(log)
        size += added
    return parcels


def audit(logs: Sequence[LogSource], workers: int, work: Work = audit_logs) -> Iterator[Audited]:
    """Verify logs on `workers` processes; what comes out is in the order of `logs`.

    A process that crashes (killed, out of memory) takes its parcel with it: these logs are verified once more, each in
    a process of its own, and one that crashes its process again is a finding.
    """
    parcels = parcels_of(logs)
    if workers < 2 or len(parcels) < 2:
        for parcel in parcels:
            yield from work([payload_of(log) for log in parcel])
        return
    while parcels:
        finished = 0
        for audited in _until_broken(parcels, min(workers, len(parcels)), work):
            finished += 1
            yield from audited
        parcels = parcels[finished:]
        if parcels:  # a process crashed: one of the submitted parcels was the cause
            for log in parcels.pop(0):
                alone = list(_until_broken([[log]], 1, work))
                yield from alone[0] if alone else [lost(log)]


def _until_broken(parcels: Sequence[list[LogSource]], workers: int, work: Work) -> Iterator[list[Audited]]:
    """The verdicts of each parcel, in order, until a process crashes."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pending: deque[Future[list[Audited]]] = deque()
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # a fresh process imports nothing that lies in the present folder
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_ignore_interrupts)
    try:
        for parcel in parcels:
            pending.append(pool.submit(work, [payload_of(log) for log in parcel]))
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


def _ignore_interrupts() -> None:
    """A worker leaves Ctrl-C to the process that started it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def lost(log: LogSource) -> Audited:
    """The verdict on a log that crashes the process that reads it."""
    what = "the process that read it was brought down: too little memory, or a mistake in the program"
    return unread(path_of(log), Finding(1, "audit.lost", what))
