"""Where the logs of an audit lie: in folders, in zip and tar archives, on a web server or in a bucket.

Belongs here: finding them, and reading one of them into memory; an archive is never unpacked to files. A fault
of an archive is a finding of its own, in the place of the log. Does not belong here: what a URL may say
(ledger/wire/urls.py).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BufferedReader, BytesIO, FileIO
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from events import Finding
from events.errors import NotInstalled, NotRecorded, Unreadable
from events.head import head_path
from events.record import NamedTuple
from ledger.audit.report import Audited, unread
from ledger.core.where import LOG_NAME
from ledger.wire.urls import read_source

if TYPE_CHECKING:
    from zipfile import ZipInfo

MAX_LOG = 64 << 20
"""Bytes of one log that is read into memory: some 150,000 entries."""
MAX_ALL = 16 << 30
"""Bytes of all logs of an archive, of an archive that is fetched, and of what a compressed tar comes to."""
MAX_NAMES = 1_000_000
"""Files in an archive: logs, head records and everything else."""
MAX_RATIO = 100
"""Times its size that compressed bytes may come to, above RATIO_FREE_BYTES. A log comes to 3: hashes hardly shrink."""
RATIO_FREE_BYTES = 16 << 20
"""Up to here any ratio is allowed."""
MAX_PIECE = 64 << 20
"""Bytes that may be read from an archive at once: its table of contents is read so."""
_GZIP, _BZIP, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"
_ZIP, _TAR = (b"PK\x03\x04", b"PK\x05\x06"), b"ustar"
_NESTED = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".zst")


class Bytes(NamedTuple):
    """A log in memory, for a process that cannot open its file."""

    path: str
    log: bytes
    head: bytes | None
    """Its head record, if there is one."""


class Member(NamedTuple):
    """A log that can be read into memory. Reading never raises: what cannot be read is a finding."""

    path: str
    size: int
    read: Callable[[], Bytes | Audited]


LogSource = str | Member | Audited
"""A file, a log elsewhere, or the finding that stands in its place."""


class _Entry(NamedTuple):
    """A name in an archive. refusal: why it is not read; "" for a plain file. open: gives its bytes."""

    name: str
    size: int
    refusal: str
    open: Callable[[], IO[bytes]]


class _TooMuch(Exception):
    """More than an archive may hold."""


def find_logs(places: Sequence[str]) -> list[LogSource]:
    """Every log in these places, in one order; in a folder, those below as well. Links are not followed.

    Args:
        places: Folders, logs, archives, and URLs of all three; a file that is no archive is taken for a log.

    Raises:
        Unreadable: `audit.missing`, there is nothing of that name; `audit.empty`, no log is there; `audit.url`,
            `wire.password`, `audit.extra`. NotRecorded: `audit.unreachable`.
    """
    logs: dict[str, LogSource] = {}
    for place in places:
        # With one slash too: a mistyped URL may hold a password.
        if "://" in place or re.match(r"[a-z][a-z0-9+.-]+:/", place):
            sources: Iterator[LogSource] = _far(read_source(place))
        elif os.path.isfile(place):
            sources = iter([place]) if place.endswith(".jsonl") else _near(place)
        elif os.path.isdir(place):
            sources = _below(place)
        else:
            raise Unreadable("audit.missing", f"there is nothing at {place}", "hl audit FOLDER")
        for source in sources:
            logs.setdefault(path_of(source), source)
    if not logs:
        raise Unreadable("audit.empty", f"no log is in {' or '.join(places)}", "a log is a file that ends in .jsonl")
    return list(logs.values())


def path_of(source: LogSource) -> str:
    """How a log is named: a file by its path, a log in an archive by that of the archive and its own."""
    return source if isinstance(source, str) else source.path


def payload_of(source: LogSource) -> str | Bytes | Audited:
    """What a worker gets: of a log that lies elsewhere, its bytes."""
    return source.read() if isinstance(source, Member) else source


def _below(place: str) -> Iterator[str]:
    for folder, folders, files in os.walk(place):
        folders.sort()
        for name in sorted(files, key=lambda name: (name != LOG_NAME, name)):
            path = os.path.join(folder, name)
            if name.endswith(".jsonl") and not os.path.islink(path):
                yield path


def _order(name: str) -> list[tuple[object, ...]]:
    """The order of a walk through folders: what lies in one before the folders below it, the log of a match first."""
    *folders, last = name.split("/")
    return [*((1, folder) for folder in folders), (0, last != LOG_NAME, last)]


class _LimitedFile(BufferedReader):
    """A file that returns at most `MAX_PIECE` bytes at once, and is closed with its last reference."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_PIECE:
            raise _TooMuch(f"a piece of it says to be longer than {MAX_PIECE >> 20} MiB")
        return super().read(size)

    def __del__(self) -> None:
        self.close()


def _near(place: str) -> Iterator[LogSource]:
    try:
        file = _LimitedFile(FileIO(place))
        return _opened(file, place) or iter([place])
    except OSError:
        return iter([place])  # `verify` says why it cannot be read


def _opened(file: _LimitedFile, path: str) -> Iterator[LogSource] | None:
    """The logs in a zip or a tar, or the one finding of an archive that cannot be read; None for what is neither."""
    start = file.peek(512)[:512]
    if not start.startswith((*_ZIP, _GZIP, _BZIP, _XZ)) and start[257:262] != _TAR:
        return None
    try:
        size = os.fstat(file.fileno()).st_size
        if start[:4] in _ZIP:
            from zipfile import ZipFile

            archive = ZipFile(file)
            entries = [_of_zip(info, partial(archive.open, info)) for info in archive.infolist() if not info.is_dir()]
        else:
            if start[257:262] != _TAR:
                file = _copied(_unpacking(file, start), min(MAX_ALL, max(RATIO_FREE_BYTES, MAX_RATIO * size)))
            entries = list(islice(_of_tar(file), MAX_NAMES + 1))
        return _members(entries, path, size)
    except _TooMuch as error:
        return iter([unread(path, Finding(1, "audit.limit", f"it was not read: {error}"))])
    except Exception as error:  # whatever hostile bytes cause in the reader of an archive
        return iter([unread(path, Finding(1, "audit.archive", f"this archive cannot be read: {error}"))])


def _unpacking(file: IO[bytes], start: bytes) -> Any:
    if start.startswith(_GZIP):
        from gzip import GzipFile

        return GzipFile(fileobj=file)
    if start.startswith(_BZIP):
        from bz2 import BZ2File

        return BZ2File(file)
    from lzma import LZMAFile

    return LZMAFile(file)


def _of_zip(info: ZipInfo, opened: Callable[[], IO[bytes]]) -> _Entry:
    kind = info.external_attr >> 28  # of a file made on Unix: 8 is a plain file, 10 a link
    refusal = "" if kind in (0, 8) else "a link" if kind == 10 else "no plain file"
    refusal = refusal or ("encrypted" if info.flag_bits & 1 else "")
    if info.file_size > max(RATIO_FREE_BYTES, MAX_RATIO * info.compress_size):
        refusal = refusal or f"a bomb, {info.file_size >> 20} MiB out of {info.compress_size:,} bytes"
    return _Entry(info.filename, info.file_size, refusal, opened)


def _of_tar(file: IO[bytes]) -> Iterator[_Entry]:
    from tarfile import TarFile

    archive = TarFile(fileobj=file)
    for info in archive:
        if not info.isdir():
            refusal = "a link" if info.issym() or info.islnk() else "no plain file"
            refusal = "" if info.isreg() and not info.issparse() else refusal
            yield _Entry(info.name, info.size, refusal, partial(archive.extractfile, info))  # type: ignore[arg-type]
    file.seek(archive.offset)
    if file.read(512) != bytes(512):
        raise ValueError("its end is missing, or a header is damaged")  # the library takes either for the end


def _members(entries: list[_Entry], place: str, size: int) -> Iterator[LogSource]:
    """The logs in an archive, in the order of folders; one that is not read is a finding in its place."""
    if len(entries) > MAX_NAMES:
        raise _TooMuch(f"it has more than {MAX_NAMES:,} files")
    counts = Counter(entry.name.removeprefix("./") for entry in entries)
    by_name = {entry.name.removeprefix("./"): entry for entry in entries}
    logs = [name for name in by_name if name.endswith((".jsonl", *_NESTED)) or _is_unsafe(name)]
    total = sum(by_name[name].size for name in logs if not by_name[name].refusal)
    if total > min(MAX_ALL, max(RATIO_FREE_BYTES, MAX_RATIO * size)):
        raise _TooMuch(f"its logs come to {total >> 20} MiB, out of {size:,} bytes")
    sources: list[LogSource] = []
    for name in sorted(logs, key=_order):
        entry, path, head = by_name[name], f"{place}/{name}", by_name.get(head_path(name))
        refusal = (
            "an archive in an archive" if name.endswith(_NESTED) else entry.refusal or (head.refusal if head else "")
        )
        refusal = "there twice" if counts[name] > 1 or counts[head_path(name)] > 1 else refusal
        refusal = "named as no file in an archive may be" if _is_unsafe(name) else refusal
        if refusal:
            sources.append(unread(path, Finding(1, "audit.member", f"it was not read: it is {refusal}")))
        else:
            sources.append(Member(path, entry.size, partial(_read, path, entry.open, head.open if head else None)))
    return iter(sources)


def _is_unsafe(name: str) -> bool:
    """Whether a name leads elsewhere, for some system, or is one of several spellings of a name."""
    return "\\" in name or name[1:2] == ":" or not {"", ".", ".."}.isdisjoint(name.split("/"))


def _read(path: str, log: Callable[[], IO[bytes]], head: Callable[[], IO[bytes]] | None) -> Bytes | Audited:
    try:
        record = None
        if head is not None:
            try:
                record = b"".join(_pieces(head(), 1 << 12))
            except FileNotFoundError:
                pass
        return Bytes(path, b"".join(_pieces(log(), MAX_LOG)), record)
    except _TooMuch as error:
        return unread(path, Finding(1, "audit.limit", f"it was not read: {error}"))
    except Exception as error:
        return unread(path, Finding(1, "audit.archive", f"it cannot be read: {_kind_of(error)}"))


def _kind_of(error: BaseException) -> str:
    """The kind of an error. Its text is left out: a server's answer may repeat what was sent."""
    return type(error).__name__


def _pieces(source: IO[bytes], limit: int) -> Iterator[bytes]:
    remaining = limit
    with source:
        while piece := source.read(1 << 20):
            remaining -= len(piece)
            if remaining < 0:
                raise _TooMuch(f"it comes to more than {limit:,} bytes")
            yield piece


def _copied(source: IO[bytes], limit: int) -> _LimitedFile:
    """The bytes of a source, in a file that has no name, nobody else can open, and is gone with this process."""
    with TemporaryFile() as target:
        target.writelines(_pieces(source, limit))
        target.seek(0)
        return _LimitedFile(FileIO(os.dup(target.fileno())))


def _far(url: str) -> Iterator[LogSource]:
    """The logs behind a URL: one, those in an archive, or those below a name in a bucket."""
    server = _server(url)
    try:
        if url.endswith(".jsonl"):
            opened = partial(server.open, url, "rb"), partial(server.open, head_path(url), "rb")
            return iter([Member(url, MAX_LOG, partial(_read, url, *opened))])
        if url.startswith("s3:") and not server.isfile(url):
            sizes = {name: row["size"] for name, row in server.find(url, detail=True).items()}
            entries = [
                _Entry(name, size, "", lambda name=name: BytesIO(server.cat_file(name)))  # type: ignore[misc]
                for name, size in sizes.items()
                if name.endswith((".jsonl", head_path(".jsonl")))
            ]
            return _members(entries, "s3:/", MAX_ALL)
        not_a_log = unread(url, Finding(1, "audit.archive", "this is no zip, no tar, and no log, which ends in .jsonl"))
        return _opened(_copied(server.open(url, "rb"), MAX_ALL), url) or iter([not_a_log])
    except _TooMuch as error:
        raise Unreadable("audit.limit", f"{url} was not read: {error}", "fetch it, then hl audit FILE") from None
    except Exception as error:  # of any kind that the client raises; a server's answer may repeat what was sent
        cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
        if isinstance(cause, FileNotFoundError):
            raise Unreadable("audit.missing", f"there is nothing at {url}", "name an archive or a log") from None
        what, fix = (
            f"{url} cannot be read: {_kind_of(cause)}",
            "keys: ~/.netrc for https, ~/.aws or the environment for s3",
        )
        raise NotRecorded("audit.unreachable", what, fix) from None


def _server(url: str) -> Any:
    with NotInstalled("audit.extra", "a URL", "archives"):
        import fsspec

        if url.startswith("s3:"):
            return fsspec.filesystem("s3")
        from aiohttp import ClientTimeout
    session = {"trust_env": True, "timeout": ClientTimeout(total=None, sock_connect=10, sock_read=60)}
    return fsspec.filesystem(url.partition(":")[0], block_size=0, client_kwargs=session)
