"""The half of the door to the system that is the same on every system.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os
import time


class Door:
    """System calls on files. Every method raises OSError as the call does; none decides."""

    def close(self, fd: int) -> None:
        """Close a descriptor; this also gives up its lock."""
        os.close(fd)

    def write(self, fd: int, data: bytes) -> int:
        """Write at the end of a file opened with O_APPEND; returns how many bytes were taken."""
        return os.write(fd, data)

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def stat(self, path: str) -> os.stat_result:
        """The status of a path; a link is not followed."""
        return os.lstat(path)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name. Whether it replaces a file of that name depends on the system."""
        os.rename(old, new)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def listdir(self, path: str) -> list[str]:
        """Names in a folder, sorted."""
        return sorted(os.listdir(path or "."))

    def reader_gone(self, error: OSError) -> bool:
        """Whether this error of a write means that nobody reads the pipe any more."""
        return isinstance(error, BrokenPipeError)

    def random(self, size: int) -> bytes:
        """Bytes that nobody can guess, for salts and temporary names."""
        return os.urandom(size)

    def clock(self) -> float:
        """Seconds of a clock that only runs forward; used only for waiting."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
