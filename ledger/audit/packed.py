"""The logs in a zip or tar archive, which is never unpacked to files.

A fault of an archive is a finding of its own, in the place of the log. Belongs here: archives, and how much may come
out of one. Does not belong here: where archives lie (sources.py).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader, FileIO
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from events import Finding
from events.head import head_path
from events.record import NamedTuple
from ledger.audit.members import LogSource, Member, TooMuch, pieces, read_log
from ledger.audit.report import unread
from ledger.core.where import LOG_NAME

if TYPE_CHECKING:
    from zipfile import ZipInfo

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


class PackedFile(NamedTuple):
    """A name in an archive. refusal: why it is not read; "" for a plain file. open: gives its bytes."""

    name: str
    size: int
    refusal: str
    open: Callable[[], IO[bytes]]


def _order(name: str) -> list[tuple[object, ...]]:
    """The order of a walk through folders: what lies in one before the folders below it, the log of a match first."""
    *folders, last = name.split("/")
    return [*((1, folder) for folder in folders), (0, last != LOG_NAME, last)]


class LimitedFile(BufferedReader):
    """A file that returns at most `MAX_PIECE` bytes at once, and is closed with its last reference."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_PIECE:
            raise TooMuch(f"a piece of it says to be longer than {MAX_PIECE >> 20} MiB")
        return super().read(size)

    def __del__(self) -> None:
        self.close()


def logs_in(file: LimitedFile, path: str) -> Iterator[LogSource] | None:
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
                import bz2
                import gzip
                import lzma

                packer: Any = gzip if start.startswith(_GZIP) else bz2 if start.startswith(_BZIP) else lzma
                file = copied(packer.open(file), min(MAX_ALL, max(RATIO_FREE_BYTES, MAX_RATIO * size)))
            entries = list(islice(_of_tar(file), MAX_NAMES + 1))
        return members_of(entries, path, size)
    except TooMuch as error:
        return iter([unread(path, Finding(1, "audit.limit", f"it was not read: {error}"))])
    except Exception as error:  # whatever hostile bytes cause in the reader of an archive
        return iter([unread(path, Finding(1, "audit.archive", f"this archive cannot be read: {error}"))])


def _of_zip(info: ZipInfo, opened: Callable[[], IO[bytes]]) -> PackedFile:
    kind = info.external_attr >> 28  # of a file made on Unix: 8 is a plain file, 10 a link
    refusal = "" if kind in (0, 8) else "a link" if kind == 10 else "no plain file"
    refusal = refusal or ("encrypted" if info.flag_bits & 1 else "")
    if info.file_size > max(RATIO_FREE_BYTES, MAX_RATIO * info.compress_size):
        refusal = refusal or f"a bomb, {info.file_size >> 20} MiB out of {info.compress_size:,} bytes"
    return PackedFile(info.filename, info.file_size, refusal, opened)


def _of_tar(file: IO[bytes]) -> Iterator[PackedFile]:
    from tarfile import TarFile

    archive = TarFile(fileobj=file)
    for info in archive:
        if not info.isdir():
            refusal = "a link" if info.issym() or info.islnk() else "no plain file"
            refusal = "" if info.isreg() and not info.issparse() else refusal
            yield PackedFile(info.name, info.size, refusal, partial(archive.extractfile, info))  # type: ignore[arg-type]
    file.seek(archive.offset)
    if file.read(512) != bytes(512):
        raise ValueError("its end is missing, or a header is damaged")  # the library takes either for the end


def members_of(entries: list[PackedFile], place: str, size: int) -> Iterator[LogSource]:
    """The logs in an archive, in the order of folders; one that is not read is a finding in its place."""
    if len(entries) > MAX_NAMES:
        raise TooMuch(f"it has more than {MAX_NAMES:,} files")
    counts = Counter(entry.name.removeprefix("./") for entry in entries)
    by_name = {entry.name.removeprefix("./"): entry for entry in entries}
    logs = [name for name in by_name if name.endswith((".jsonl", *_NESTED)) or _is_unsafe(name)]
    total = sum(by_name[name].size for name in logs if not by_name[name].refusal)
    if total > min(MAX_ALL, max(RATIO_FREE_BYTES, MAX_RATIO * size)):
        raise TooMuch(f"its logs come to {total >> 20} MiB, out of {size:,} bytes")
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
            sources.append(Member(path, entry.size, partial(read_log, path, entry.open, head.open if head else None)))
    return iter(sources)


def _is_unsafe(name: str) -> bool:
    """Whether a name leads elsewhere, for some system, or is one of several spellings of a name."""
    return "\\" in name or name[1:2] == ":" or not {"", ".", ".."}.isdisjoint(name.split("/"))


def copied(source: IO[bytes], limit: int) -> LimitedFile:
    """The bytes of a source, in a file that has no name, nobody else can open, and is gone with this process."""
    with TemporaryFile() as target:
        target.writelines(pieces(source, limit))
        target.seek(0)
        return LimitedFile(FileIO(os.dup(target.fileno())))
