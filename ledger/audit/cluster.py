"""Many logs on the workers of a Dask scheduler: the same verdicts in the same order as on the cores of this machine.

The bytes of the logs are sent; no disk is shared. So workers, and the scheduler on the way, see all that a log holds.
Belongs here: reaching the workers, comparing what they run, and what becomes of a parcel whose worker died. Does not
belong here: what is checked, and what a URL may say (ledger/wire/urls.py).
"""

from __future__ import annotations

import logging
import platform
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

from events.disk import DISK
from events.errors import LedgerError, NotInstalled, NotRecorded, Unmet, Unreadable
from events.files import open_log, read_range
from events.head import head_path
from ledger.audit.archive import MAX_PENDING_PARCELS, Payload, audit_log, audit_logs, lost, parcels_of
from ledger.audit.members import MAX_LOG, Bytes, LogSource, Member, payload_of
from ledger.audit.report import Audited
from ledger.core.outside import listed
from ledger.wire.urls import is_here

ANSWER_SECONDS = 10
"""How long a scheduler may take to answer."""
MAX_EMPTY_LOOKS = 30
"""How many looks in a row, one every ANSWER_SECONDS, may find no worker at all: workers that die are started again."""
STARTED_SECONDS, _STARTED_AT = 1.0, DISK.clock()
"""Seconds after which a worker counts as started. One that dies before its nanny counts it as started stays dead."""
_CERTIFICATES = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")


def audit_on(scheduler: str, logs: Sequence[LogSource]) -> Iterator[Audited]:
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
            yield from _Cluster(distributed, client).audit(logs)
    except (OSError, distributed.CancelledError) as error:
        what = f"the scheduler does not answer, or not any more: {type(error).__name__}"
        raise NotRecorded("audit.scheduler_lost", what, "hl audit without --scheduler uses this machine") from None


class _Cluster:
    def __init__(self, distributed: Any, client: Any) -> None:
        self.distributed, self.client = distributed, client
        self.pending: deque[tuple[list[LogSource], Any]] = deque()

    def audit(self, logs: Sequence[LogSource]) -> Iterator[Audited]:
        workers = max(1, sum(self.client.nthreads().values()))
        for parcel in parcels_of(_sent(log) for log in logs):
            self.pending.append((parcel, self._submit(parcel)))
            if len(self.pending) == workers * MAX_PENDING_PARCELS:
                yield from self._next()
        while self.pending:
            yield from self._next()

    def _submit(self, parcel: Sequence[LogSource]) -> Any:
        return self.client.submit(_work, versions(), [payload_of(log) for log in parcel], pure=False)

    def _next(self) -> Iterator[Audited]:
        parcel, future = self.pending.popleft()
        audited = self._result(future)
        if audited is not None:
            yield from audited
            return
        for _, running in self.pending:
            self._result(running)  # nothing else may run beside a log that may crash its worker
        for log in parcel:
            # Twice: the first may have been given to a worker that was dead, and not yet known to be.
            alone = self._result(self._submit([log])) or self._result(self._submit([log]))
            yield from alone or [lost(log)]

    def _result(self, future: Any) -> list[Audited] | None:
        """The verdicts of a parcel; None if those who worked on it died, each time."""
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


def _work(ours: dict[str, str], parcel: list[Payload]) -> list[Audited] | str:
    """Run on a worker: its verdicts; or, if a worker that joined later runs other code, what differs."""
    DISK.sleep(max(0.0, _STARTED_AT + STARTED_SECONDS - DISK.clock()))
    return audit_logs(parcel) if versions() == ours else _differs(versions(), ours)


@cache
def versions() -> dict[str, str]:
    """What a verdict depends on besides the log: Python, our sources to the byte, games from elsewhere, the engine."""
    import distributed

    digest = sha256()
    for room in ("events", "games", "ledger"):
        for file in sorted(files(room).rglob("*.py")):  # type: ignore[attr-defined]
            digest.update(file.read_bytes().replace(b"\r\n", b"\n"))
    python = ".".join(platform.python_version_tuple()[:2])
    games = ", ".join(sorted(f"{row.name} of {row.package}" for row in listed() if row.trusted))
    engine = {"Python": python, "distributed": distributed.__version__}
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
            what = f"the worker at {worker} would get the logs without encryption"
            raise Unreadable("audit.certificates", what, "start workers with certificates: dask worker tls://...")
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs != ours:
            difference = _differs(theirs, ours) if isinstance(theirs, dict) else "host-ledger is not installed there"
            raise _other_code(f"{worker}: {difference}")


def _other_code(what: str) -> LedgerError:
    return Unmet("audit.versions", f"a worker runs other code, so nothing more is sent: {what}", "install it there")


def _sent(log: LogSource) -> LogSource:
    """A log for workers that cannot open its file: its bytes, read when needed; or one too large to send."""
    if not isinstance(log, str):
        return log
    try:
        size = DISK.stat(log).st_size
    except OSError:
        size = 0
    return Member(log, size if size <= MAX_LOG else 0, partial(_bytes_of, log))


def _bytes_of(path: str) -> Bytes | Audited:
    """The head record first: the log only grows."""
    try:
        head = _plain(head_path(path))
        log = _plain(path)
    except (OSError, LedgerError):
        return audit_log(path)  # says why it cannot be read
    return audit_log(path) if log is None else Bytes(path, log, head)


def _plain(path: str) -> bytes | None:
    """The bytes of a file; None if there is none, or more of them than are sent."""
    try:
        fd, status = open_log(DISK, path, append=None)
    except FileNotFoundError:
        return None
    try:
        return read_range(DISK, fd, 0, status.st_size) if status.st_size <= MAX_LOG else None
    finally:
        DISK.close(fd)


def _security(distributed: Any, scheduler: str) -> Any:
    """The certificates that Dask is configured with."""
    if not scheduler.startswith("tls://"):
        return None
    security = distributed.Security(require_encryption=True)
    if not (security.tls_ca_file and security.tls_client_cert and security.tls_client_key):
        names = " ".join(f"DASK_DISTRIBUTED__COMM__TLS__{name}=FILE" for name in _CERTIFICATES)
        what = "a scheduler is reached with certificates, and none are configured"
        raise Unreadable("audit.certificates", what, f"export {names}")
    return security


def _distributed() -> Any:
    with NotInstalled("audit.extra", "a cluster", "cluster"):
        import distributed
    return distributed
