"""Files that a host names: plain files only, read whole, up to a size, so that no command waits for ever."""

from __future__ import annotations

import errno
import os
import stat

from events.disk import DISK

MAX_TOML_BYTES = 1 << 20
MAX_TEXT_BYTES = 64 << 20


def open_plain(name: str) -> int:
    """The descriptor of a plain file, for reading. A link is followed.

    Raises:
        OSError: it cannot be opened, or it is a folder, a pipe or a device.
    """
    fd = DISK.open(name, os.O_RDONLY, follow=True)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "it is not a plain file")
    return fd


def read_bytes(name: str, limit: int = MAX_TEXT_BYTES) -> bytes:
    """All of a plain file.

    Raises:
        OSError: as `open_plain`; or it has more than `limit` bytes.
    """
    fd = open_plain(name)
    try:
        parts, size = [], 0
        while part := os.read(fd, 1 << 20):
            size += len(part)
            if size > limit:
                raise too_large(limit)
            parts.append(part)
    finally:
        os.close(fd)
    return b"".join(parts)


def read_text(name: str, limit: int = MAX_TEXT_BYTES) -> str:
    """All of a plain file as text; every line ends with a newline alone.

    Raises:
        OSError: as `read_bytes`; or it is not UTF-8.
    """
    try:
        text = decoded(read_bytes(name, limit))
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes, errors: str = "strict") -> str:
    """UTF-8 as text, or UTF-16 with its mark, which is what `>` of Windows PowerShell writes; the mark is dropped."""
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")  # no UTF-8 begins so
    return data.decode("utf-16" if marked else "utf-8-sig", errors)


def too_large(limit: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {limit >> 20} MiB")
