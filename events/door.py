"""The half of the door to the system that is the same on every system.

Belongs here: calls that Python has everywhere. Does not belong here: a name that exists on one system only
(posix.py, windows.py), and any decision about what a log is.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os

__all__ = ["Door"]


class Door:
    """System calls on files. Every method raises OSError as the call does; none decides."""

    def close(self, fd: int) -> None:
        """Close a descriptor; this also gives up its lock."""
        os.close(fd)

    def write(self, fd: int, data: bytes) -> int:
        """Write at the end of a file opened with O_APPEND; returns how many bytes were taken."""
        return os.write(fd, data)

    def ftruncate(self, fd: int, size: int) -> None:
        """Cut the file to `size` bytes."""
        os.ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        """What the open file is."""
        return os.fstat(fd)

    def stat(self, path: str) -> os.stat_result:
        """What stands under a name; a link is reported as a link."""
        return os.lstat(path)

    def unlink(self, path: str) -> None:
        """Take a name away."""
        os.unlink(path)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name. Whether it takes the place of another is the system's affair."""
        os.rename(old, new)

    def rmdir(self, path: str) -> None:
        """Take an empty folder away."""
        os.rmdir(path)

    def listdir(self, path: str) -> list[str]:
        """Names in a folder, sorted."""
        return sorted(os.listdir(path or "."))

    def reader_gone(self, error: OSError) -> bool:
        """Whether this error of a write says that nobody reads the pipe any more."""
        return isinstance(error, BrokenPipeError)

    def random(self, size: int) -> bytes:
        """Bytes nobody can guess: salts, and temporary names."""
        return os.urandom(size)

    def clock(self) -> float:
        """Seconds of a clock that only runs forward; used for waiting and nothing else."""
        import time

        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        import time

        time.sleep(seconds)
