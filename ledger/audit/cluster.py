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
from ledger.audit.archive import WAITING, Given, audit_log, audit_logs, lost, parcels_of
from ledger.audit.report import Audited
from ledger.audit.sources import MAX_LOG, Bytes, Found, Member, in_hand
from ledger.core.outside import listed
from ledger.wire.urls import is_here

SILENT = 10
"""Seconds for a scheduler to answer."""
ABSENT = 30
"""How often in turn a look every SILENT seconds may find no worker at all: those that die are started again."""
SETTLED, _BORN = 1.0, DISK.clock()
"""Seconds after which a worker is taken for started. One that dies before its keeper knows it as such stays dead."""
_CERTIFICATES = ("CA_FILE", "CLIENT__CERT", "CLIENT__KEY")


def audit_on(scheduler: str, logs: Sequence[Found]) -> Iterator[Audited]:
    """Verify logs on a cluster; what comes out is in the order of `logs`, and as `audit` says it.

    A parcel whose worker died is first tried again by the scheduler, elsewhere; then its logs are, one at a time and
    with nothing beside it, so that a log that brings its worker down costs its own verdict alone.

    Args:
        scheduler: `tls://HOST:PORT`, or `tcp://HOST:PORT` on this machine.

    Raises:
        Unreadable: `audit.extra`; `audit.certificates`, none are configured. Unmet: `audit.versions`, a worker runs
            other code. NotRecorded: `audit.scheduler_lost`, scheduler or workers do not answer (any more).
    """
    distributed = _distributed()
    logging.disable()  # what is wrong is said in our words
    warnings.filterwarnings("ignore", module="distributed")  # that a parcel is large
    try:
        with distributed.Client(scheduler, security=_security(distributed, scheduler), timeout=SILENT) as client:
            _compare(client, scheduler)
            yield from _Cluster(distributed, client).audit(logs)
    except (OSError, distributed.CancelledError) as error:
        what = f"the scheduler does not answer, or not any more: {type(error).__name__}"
        raise NotRecorded("audit.scheduler_lost", what, "hl audit without --scheduler uses this machine") from None


class _Cluster:
    def __init__(self, distributed: Any, client: Any) -> None:
        self.distributed, self.client = distributed, client
        self.given: deque[tuple[list[Found], Any]] = deque()

    def audit(self, logs: Sequence[Found]) -> Iterator[Audited]:
        workers = max(1, sum(self.client.nthreads().values()))
        for parcel in parcels_of(_sent(one) for one in logs):
            self.given.append((parcel, self._submit(parcel)))
            if len(self.given) == workers * WAITING:
                yield from self._next()
        while self.given:
            yield from self._next()

    def _submit(self, parcel: Sequence[Found]) -> Any:
        return self.client.submit(_work, versions(), [in_hand(one) for one in parcel], pure=False)

    def _next(self) -> Iterator[Audited]:
        parcel, future = self.given.popleft()
        done = self._result(future)
        if done is not None:
            yield from done
            return
        for _, other in self.given:
            self._result(other)  # nothing else is to run beside a log that may bring its worker down
        for one in parcel:
            # Twice: the first may have been given to a worker that was dead, and not yet known to be.
            alone = self._result(self._submit([one])) or self._result(self._submit([one]))
            yield from alone or [lost(one)]

    def _result(self, future: Any) -> list[Audited] | None:
        """The verdicts of a parcel; None if those who worked on it died, each time."""
        absent = 0
        while not future.done():
            try:
                self.distributed.wait(future, timeout=SILENT)
            except TimeoutError:
                absent = 0 if self.client.nthreads() else absent + 1
                if absent == ABSENT:
                    raise
        try:
            found: list[Audited] | str = future.result(timeout=ABSENT * SILENT)
        except (OSError, self.distributed.CancelledError):
            raise
        except Exception:  # above all KilledWorker
            return None
        if isinstance(found, str):
            raise _other_code(found)
        return found


def _work(ours: dict[str, str], parcel: list[Given]) -> list[Audited] | str:
    """What runs on a worker. A worker that came later may have other code: then the name of what differs."""
    DISK.sleep(max(0.0, _BORN + SETTLED - DISK.clock()))
    return audit_logs(parcel) if versions() == ours else _differs(versions(), ours)


@cache
def versions() -> dict[str, str]:
    """What a verdict hangs on besides the log: Python, our sources to the byte, games from elsewhere, the engine."""
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
    """Whether all workers are there, speak as the scheduler does, and run this code. No log has been sent yet."""
    workers = client.nthreads()
    if not workers:
        client.wait_for_workers(1, timeout=SILENT)
        workers = client.nthreads()
    secure = scheduler.startswith("tls://")
    for worker in workers:
        if not (worker.startswith("tls://") if secure else is_here(worker.partition("://")[2])):
            what = f"the worker at {worker} would get the logs without encryption"
            raise Unreadable("audit.certificates", what, "start workers with certificates: dask worker tls://...")
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs != ours:
            why = _differs(theirs, ours) if isinstance(theirs, dict) else "host-ledger is not installed there"
            raise _other_code(f"{worker}: {why}")


def _other_code(what: str) -> LedgerError:
    return Unmet("audit.versions", f"a worker runs other code, so nothing more is sent: {what}", "install it there")


def _sent(one: Found) -> Found:
    """A log for those who cannot open its file: its bytes, when its turn comes. What is too large is judged here."""
    if not isinstance(one, str):
        return one
    try:
        size = DISK.stat(one).st_size
    except OSError:
        size = 0
    return Member(one, size if size <= MAX_LOG else 0, partial(_bytes_of, one))


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
        fd, found = open_log(DISK, path, append=None)
    except FileNotFoundError:
        return None
    try:
        return read_range(DISK, fd, 0, found.st_size) if found.st_size <= MAX_LOG else None
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
