"""Many logs at once: one pure function a log, run on all cores; cluster.py runs the same on other machines.

Belongs here: handing logs out to processes of this machine, and what becomes of one that cannot be read or brings its
process down. Does not belong here: where logs lie (sources.py), what is checked (verify.py), how it is shown.
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
from ledger.audit.report import Audited, unread
from ledger.audit.sources import Bytes, Found, Member, in_hand, path_of

if TYPE_CHECKING:
    from concurrent.futures import Future

AT_ONCE = 8
"""Logs in one parcel for a worker: a parcel costs about as much as a short log."""
LARGE = 8 << 20
"""Bytes in one parcel, where the bytes are sent; a log that is larger goes alone."""
WAITING = 3
"""Parcels a worker, given out or done and not yet asked for: what bounds the memory, however many logs there are."""


Given = str | Bytes | Audited
"""What a worker gets of a log: the path of the file, its bytes, or a verdict that stands already."""
Work = Callable[[list[Given]], list[Audited]]


class _Memory(Disk):
    """In place of the disk: a log and its head record that are in memory."""

    def __init__(self, one: Bytes) -> None:
        self.files = {one.path: one.log} | ({head_path(one.path): one.head} if one.head is not None else {})
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


def audit_log(one: Given) -> Audited:
    """Verify one log. Depends on its bytes alone, and never raises: what cannot be read is a finding.

    >>> [finding.code for finding in audit_log("/nowhere/log.jsonl").verdict.findings]
    ['log.missing']
    """
    from ledger.audit.verify import verify

    if isinstance(one, Audited):
        return one
    path, disk = (one, DISK) if isinstance(one, str) else (one.path, _Memory(one))
    try:
        return Audited(path, verify(path, disk=disk))
    except LedgerError as error:
        found = Finding(1, error.code, error.what)
    except Exception as error:  # a bug in one log's checking must not cost the others theirs
        found = Finding(1, "audit.unexpected", f"a mistake in the program: {type(error).__name__}: {error}")
    return unread(path, found)


def audit_logs(given: list[Given]) -> list[Audited]:
    """A parcel of them, in order. At the top of a module, so that a fresh process can find it."""
    return [audit_log(one) for one in given]


def parcels_of(logs: Iterable[Found]) -> list[list[Found]]:
    """The logs in parcels: some at once, as long as they are no burden in memory."""
    parcels: list[list[Found]] = [[]]
    size = 0
    for one in logs:
        more = one.size if isinstance(one, Member) else 0
        if parcels[-1] and (size + more > LARGE or len(parcels[-1]) == AT_ONCE):
            parcels.append([])
            size = 0
        parcels[-1].append(one)
        size += more
    return parcels


def audit(logs: Sequence[Found], workers: int, work: Work = audit_logs) -> Iterator[Audited]:
    """Verify logs on `workers` processes; what comes out is in the order of `logs`.

    A process that is brought down (killed, out of memory) takes its parcel with it: these logs are looked at once more,
    each in a process of its own, and the one that does it again is a finding.
    """
    parcels = parcels_of(logs)
    if workers < 2 or len(parcels) < 2:
        for parcel in parcels:
            yield from work([in_hand(one) for one in parcel])
        return
    while parcels:
        done = 0
        for found in _until_broken(parcels, min(workers, len(parcels)), work):
            done += 1
            yield from found
        parcels = parcels[done:]
        if parcels:  # a process went down: one of those that were given out did it
            for one in parcels.pop(0):
                alone = list(_until_broken([[one]], 1, work))
                yield from alone[0] if alone else [lost(one)]


def _until_broken(parcels: Sequence[list[Found]], workers: int, work: Work) -> Iterator[list[Audited]]:
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
            given.append(pool.submit(work, [in_hand(one) for one in parcel]))
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


def lost(one: Found) -> Audited:
    """A log that brings down whoever reads it."""
    what = "the process that read it was brought down: too little memory, or a mistake in the program"
    return unread(path_of(one), Finding(1, "audit.lost", what))


def cores() -> int:
    """Processors that this process may use."""
    return DISK.processors()
