"""Find many logs in folders, and verify them on all cores or on the workers of a Dask scheduler.

A scheduler gets the bytes of the logs, and no disk is shared. So the scheduler and its workers see everything that a
log contains. The verdicts are the same, in the same order.
"""

from __future__ import annotations

import logging
import os
import platform
import signal
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from errno import ENOENT
from functools import cache
from hashlib import sha256
from importlib import resources
from multiprocessing import get_context
from stat import S_IFREG
from typing import Any

from events import Finding
from events.disk import DISK, Disk, closing
from events.errors import LedgerError, NotRecorded, Unmet, Unreadable
from events.files import head_path, open_log, read_range
from events.record import NamedTuple
from ledger.audit import verify
from ledger.audit.verify import Audited, unread
from ledger.core.extras import NotInstalled
from ledger.core.logs import LOG_NAME
from ledger.core.outside import listed
from ledger.wire.protocol import is_here

MAX_PARCEL_LOGS = 8
"""Logs in one parcel for a worker. The overhead of a parcel is about the cost of a short log."""
MAX_PARCEL_BYTES = 8 << 20
MAX_PENDING_PARCELS = 3
"""Parcels per worker that are submitted and not yet collected. This bounds the memory for any number of logs."""
Work = Callable[[list[str]], list[Audited]]


def find_logs(places: Sequence[str]) -> list[str]:
    """The paths of all logs in these places, each once, in a fixed order. Links below a folder are not followed.

    Args:
        places: Logs, and folders, which are searched recursively.

    Raises:
        Unreadable: `audit.missing`, a place does not exist; `audit.empty`, there is no log, or a file is not one.
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
    """Verify one log. The result depends only on its bytes. Never raises: an unreadable log is a finding.

    >>> [finding.code for finding in audit_log("/nowhere/log.jsonl").verdict.findings]
    ['log.missing']
    """
    try:
        return Audited(path, verify.verify(path, disk=disk))
    except LedgerError as error:
        finding = Finding(1, error.code, error.what)
    except Exception as error:  # a bug met in one log must not cost the verdicts on the others
        finding = Finding(1, "audit.unexpected", f"a mistake in the program: {type(error).__name__}: {error}")
    return unread(path, finding)


def audit_logs(paths: list[str]) -> list[Audited]:
    """Verify a parcel of logs, in order. It is a module-level function so that a new process can import it."""
    return [audit_log(path) for path in paths]


def parcels_of(paths: Iterable[str], size_of: Callable[[str], int] = lambda path: 0) -> list[list[str]]:
    """Split logs into parcels within `MAX_PARCEL_LOGS` and `MAX_PARCEL_BYTES`; `size_of`: the bytes sent for a log."""
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
    """Verify logs in `workers` processes; the verdicts come in the order of `paths`.

    If a process crashes (killed, out of memory), the logs of its parcel are verified again, each in its own process.
    A log that crashes its process again is a finding.
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
        if parcels:  # a process crashed because of one of the submitted parcels
            for path in parcels.pop(0):
                alone = list(_until_broken([[path]], 1, work))
                yield from alone[0] if alone else [lost(path)]


def _until_broken(parcels: Sequence[list[str]], workers: int, work: Work) -> Iterator[list[Audited]]:
    pending: deque[Future[list[Audited]]] = deque()
    safe = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # new processes import nothing from the current folder
    ctrl_c_is_ours = (signal.SIGINT, signal.SIG_IGN)  # workers leave Ctrl-C to this process
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


# ---- on other machines -----------------------------------------------------------------------------------------------

ANSWER_SECONDS = 10
MAX_EMPTY_LOOKS = 30
"""How many checks in a row, one every ANSWER_SECONDS, may find no worker: dead workers are started again."""
STARTED_SECONDS, _STARTED_AT = 1.0, DISK.clock()
"""Seconds after which a worker counts as started. A worker that dies earlier is not restarted by its nanny."""
MAX_LOG = 64 << 20
"""The largest log to send, in bytes: some 150,000 entries. Larger logs are verified on this machine."""


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
    """Verify logs on a cluster; the verdicts are those of `audit`, in the order of `paths`.

    If a worker dies, the scheduler first retries its parcel on another worker. If that fails, its logs are tried one at
    a time while nothing else runs, so that a log that crashes its worker costs only its own verdict.

    Args:
        scheduler: `tls://HOST:PORT`, or `tcp://HOST:PORT` on this machine.

    Raises:
        Unreadable: `audit.extra`; `audit.certificates`, none are configured. Unmet: `audit.versions`, a worker runs
            other code. NotRecorded: `audit.scheduler_lost`, scheduler or workers do not answer or have stopped.
    """
    distributed = _distributed()
    logging.disable()  # we report faults ourselves
    warnings.filterwarnings("ignore", module="distributed")  # it warns about large parcels
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
        if (audited := self._result(future)) is not None:
            yield from audited
            return
        for _, running in self.pending:
            self._result(running)  # nothing else may run together with a log that may crash its worker
        for path in parcel:
            # Twice, because the first try may have gone to a dead worker that the scheduler did not know to be dead.
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
        except Exception:  # mostly KilledWorker
            return None
        if isinstance(audited, str):
            raise _other_code(audited)
        return audited


def _work(ours: dict[str, str], parcel: list[LogBytes | Audited]) -> list[Audited] | str:
    """Run on a worker: return its verdicts, or what differs if a worker that joined later runs other code."""
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
    """What a verdict depends on other than the log: Python, a hash of our sources, trusted games, `distributed`."""
    digest = sha256()
    for room in ("events", "games", "ledger"):
        for file in sorted(resources.files(room).rglob("*.py")):  # type: ignore[attr-defined]
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
    if not (workers := client.nthreads()):
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
    """The bytes of a log to send, or the verdict on one that is not sent. The head is read first: the log may grow."""
    try:
        head = _plain(head_path(path))
        log = _plain(path)
    except (OSError, LedgerError):
        return audit_log(path)  # the verdict says why it cannot be read
    return audit_log(path) if log is None else LogBytes(path, log, head)


def _plain(path: str) -> bytes | None:
    try:
        fd, status = open_log(DISK, path, append=None)
    except FileNotFoundError:
        return None
    with closing(DISK, fd):
        return read_range(DISK, fd, 0, status.st_size) if status.st_size <= MAX_LOG else None


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
