"""The calls to the operating system that are the same on every platform.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os
import time


class Door:
    """System calls on files. Every method raises OSError as the call does and makes no decisions."""

    def close(self, fd: int) -> None:
        """Close a descriptor, which also releases its lock."""
        os.close(fd)

    def write(self, fd: int, data: bytes) -> int:
        """Write at the end of a file opened with O_APPEND; returns how many bytes were taken."""
        return os.write(fd, data)

    def ftruncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        return os.fstat(fd)

    def stat(self, path: str) -> os.stat_result:
        """The status of a path, without following a link."""
        return os.lstat(path)

    def unlink(self, path: str) -> None:
        os.unlink(path)

    def rename(self, old: str, new: str) -> None:
        """Rename a file. Whether this replaces an existing file depends on the system."""
        os.rename(old, new)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def listdir(self, path: str) -> list[str]:
        """Names in a folder, sorted."""
        return sorted(os.listdir(path or "."))

    def reader_gone(self, error: OSError) -> bool:
        """Whether this write error means that nobody reads the pipe any more."""
        return isinstance(error, BrokenPipeError)

    def random(self, size: int) -> bytes:
        """Unpredictable bytes, for salts and temporary names."""
        return os.urandom(size)

    def clock(self) -> float:
        """Seconds on a monotonic clock; used only for waiting."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
