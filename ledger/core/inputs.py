"""Reading files that a host names: only plain files up to a size limit, so that no command waits for ever."""

from __future__ import annotations

import errno
import os
import stat

from events.disk import DISK

MAX_TOML_BYTES = 1 << 20
MAX_TEXT_BYTES = 64 << 20


def open_plain(name: str) -> int:
    """Open a plain file for reading and return its descriptor. A link is followed.

    Raises:
        OSError: the file cannot be opened, or is a folder, a pipe or a device.
    """
    fd = DISK.open(name, os.O_RDONLY, follow=True)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "it is not a plain file")
    return fd


def read_bytes(name: str, limit: int = MAX_TEXT_BYTES) -> bytes:
    """The bytes of a plain file.

    Raises:
        OSError: as `open_plain`; or the file has more than `limit` bytes.
    """
    with os.fdopen(open_plain(name), "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise too_large(limit)
    return data


def read_text(name: str, limit: int = MAX_TEXT_BYTES) -> str:
    """A plain file as text, with every line ending turned into a newline.

    Raises:
        OSError: as `read_bytes`; or the file is neither UTF-8 nor UTF-16.
    """
    try:
        text = decoded(read_bytes(name, limit))
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decoded(data: bytes, errors: str = "strict") -> str:
    """Decode UTF-8, or UTF-16 with a byte-order mark, as `>` of Windows PowerShell writes it; the mark is dropped."""
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")  # UTF-8 never begins with these bytes
    return data.decode("utf-16" if marked else "utf-8-sig", errors)


def too_large(limit: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {limit >> 20} MiB")
