"""Many logs on the workers of a Dask scheduler: the same verdicts in the same order as on the cores of this machine.

The bytes of the logs are sent; no disk is shared. So workers, and the scheduler on the way, see all that a log holds.
"""

from __future__ import annotations

import logging
import os
import platform
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from errno import ENOENT
from functools import cache
from hashlib import sha256
from importlib.resources import files
from stat import S_IFREG
from typing import Any

from events.disk import DISK, Disk
from events.errors import LedgerError, NotRecorded, Unmet, Unreadable
from events.files import head_path, open_log, read_range
from events.record import NamedTuple
from ledger.audit.processes import MAX_PENDING_PARCELS, audit_log, lost, parcels_of
from ledger.audit.verify import Audited
from ledger.core.extras import NotInstalled
from ledger.core.outside import listed
from ledger.wire.protocol import is_here

ANSWER_SECONDS = 10
MAX_EMPTY_LOOKS = 30
"""How many looks in a row, one every ANSWER_SECONDS, may find no worker at all: workers that die are started again."""
STARTED_SECONDS, _STARTED_AT = 1.0, DISK.clock()
"""Seconds after which a worker counts as started. One that dies before its nanny counts it as started stays dead."""
MAX_LOG = 64 << 20
"""Bytes of a log that is sent: some 150,000 entries. A larger one is verified on this machine."""


class LogBytes(NamedTuple):
    path: str
    log: bytes
    head: bytes | None


class _Memory(Disk):
    def __init__(self, log: LogBytes) -> None:
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


def audit_on(scheduler: str, paths: Sequence[str]) -> Iterator[Audited]:
    """Verify logs on a cluster; what comes out is in the order of `logs`, and as `audit` says it.

    A parcel whose worker died is first tried again by the scheduler, elsewhere; then its logs are, one at a time and
    with nothing beside it, so that a log that crashes its worker costs only its own verdict.

    Args:
        scheduler: `tls://HOST:PORT`, or `tcp://HOST:PORT` on this machine.

    Raises:
        Unreadable: `audit.extra`; `audit.certificates`, none are configured. Unmet: `audit.versions`, a worker runs
            other code. NotRecorded: `audit.scheduler_lost`, scheduler or workers do not answer (any more).
    """
    distributed = _distributed()
    logging.disable()  # faults are reported in our own words
    warnings.filterwarnings("ignore", module="distributed")  # that a parcel is large
    try:
        security = _security(distributed, scheduler)
        with distributed.Client(scheduler, security=security, timeout=ANSWER_SECONDS) as client:
            _compare(client, scheduler)
            yield from _Cluster(distributed, client).audit(paths)
    except (OSError, distributed.CancelledError) as error:
        what = f"the scheduler does not answer, or has stopped answering: {type(error).__name__}"
        raise NotRecorded("audit.scheduler_lost", what, "hl audit without --scheduler uses this machine") from None


class _Cluster:
    def __init__(self, distributed: Any, client: Any) -> None:
        self.distributed, self.client = distributed, client
        self.pending: deque[tuple[list[str], Any]] = deque()

    def audit(self, paths: Sequence[str]) -> Iterator[Audited]:
        workers = max(1, sum(self.client.nthreads().values()))
        for parcel in parcels_of(paths, _sent_bytes):
            self.pending.append((parcel, self._submit(parcel)))
            if len(self.pending) == workers * MAX_PENDING_PARCELS:
                yield from self._next()
        while self.pending:
            yield from self._next()

    def _submit(self, parcel: Sequence[str]) -> Any:
        return self.client.submit(_work, versions(), [_payload(path) for path in parcel], pure=False)

    def _next(self) -> Iterator[Audited]:
        parcel, future = self.pending.popleft()
        audited = self._result(future)
        if audited is not None:
            yield from audited
            return
        for _, running in self.pending:
            self._result(running)  # nothing else may run beside a log that may crash its worker
        for path in parcel:
            # Twice: the first may have been given to a worker that was dead, and not yet known to be.
            alone = self._result(self._submit([path])) or self._result(self._submit([path]))
            yield from alone or [lost(path)]

    def _result(self, future: Any) -> list[Audited] | None:
        empty_looks = 0
        while not future.done():
            try:
                self.distributed.wait(future, timeout=ANSWER_SECONDS)
            except TimeoutError:
                empty_looks = 0 if self.client.nthreads() else empty_looks + 1
                if empty_looks == MAX_EMPTY_LOOKS:
                    raise
        try:
            audited: list[Audited] | str = future.result(timeout=MAX_EMPTY_LOOKS * ANSWER_SECONDS)
        except (OSError, self.distributed.CancelledError):
            raise
        except Exception:  # above all KilledWorker
            return None
        if isinstance(audited, str):
            raise _other_code(audited)
        return audited


def _work(ours: dict[str, str], parcel: list[LogBytes | Audited]) -> list[Audited] | str:
    """Run on a worker: its verdicts; or, if a worker that joined later runs other code, what differs."""
    DISK.sleep(max(0.0, _STARTED_AT + STARTED_SECONDS - DISK.clock()))
    if versions() != ours:
        return _differs(versions(), ours)
    return [one if isinstance(one, Audited) else audit_log(one.path, _Memory(one)) for one in parcel]


def _distributed() -> Any:
    with NotInstalled("audit.extra", "a cluster", "cluster"):
        import distributed
    return distributed


@cache
def versions() -> dict[str, str]:
    """What a verdict depends on besides the log: Python, our sources to the byte, games from elsewhere, the engine."""
    digest = sha256()
    for room in ("events", "games", "ledger"):
        for file in sorted(files(room).rglob("*.py")):  # type: ignore[attr-defined]
            digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    python = ".".join(platform.python_version_tuple()[:2])
    games = ", ".join(sorted(f"{row.name} of {row.package}" for row in listed() if row.trusted))
    engine = {"Python": python, "distributed": _distributed().__version__}
    return {**engine, "host-ledger": digest.hexdigest()[:16], "trusted games": games or "none"}


def _differs(theirs: dict[str, str], ours: dict[str, str]) -> str:
    return "; ".join(f"{name} is {theirs.get(name)} there, {mine} here" for name, mine in ours.items()
                     if theirs.get(name) != mine)  # fmt: skip


def _compare(client: Any, scheduler: str) -> None:
    """Refuse workers that run other code or are reached without encryption, before any log is sent."""
    workers = client.nthreads()
    if not workers:
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
        workers = client.nthreads()
    secure = scheduler.startswith("tls://")
    for worker in workers:
        if not (worker.startswith("tls://") if secure else is_here(worker.partition("://")[2])):
            what = f"the logs would be sent to the worker at {worker} without encryption"
            raise Unreadable("audit.certificates", what, "start workers with certificates: dask worker tls://...")
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs != ours:
            difference = _differs(theirs, ours) if isinstance(theirs, dict) else "host-ledger is not installed there"
            raise _other_code(f"{worker}: {difference}")


def _other_code(what: str) -> LedgerError:
    return Unmet("audit.versions", f"a worker runs other code, so hl sends nothing more: {what}", "install it there")


def _sent_bytes(path: str) -> int:
    try:
        size = DISK.stat(path).st_size
    except OSError:
        return 0
    return size if size <= MAX_LOG else 0


def _payload(path: str) -> LogBytes | Audited:
    """The bytes of a log for a worker, or the verdict on one. The head record is read first: the log only grows."""
    try:
        head = _plain(head_path(path))
        log = _plain(path)
    except (OSError, LedgerError):
        return audit_log(path)  # says why it cannot be read
    return audit_log(path) if log is None else LogBytes(path, log, head)


def _plain(path: str) -> bytes | None:
    try:
        fd, status = open_log(DISK, path, append=None)
    except FileNotFoundError:
        return None
    try:
        return read_range(DISK, fd, 0, status.st_size) if status.st_size <= MAX_LOG else None
    finally:
        DISK.close(fd)


def _security(distributed: Any, scheduler: str) -> Any:
    if not scheduler.startswith("tls://"):
        return None
    security = distributed.Security(require_encryption=True)
    if not (security.tls_ca_file and security.tls_client_cert and security.tls_client_key):
        wanted = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")
        names = " ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}=FILE" for name in wanted)
        what = "a scheduler is reached with certificates, and none are configured"
        raise Unreadable("audit.certificates", what, f"export {names}")
    return security
