"""The one door to the disk: every system call on a file of a match goes through a `Disk`.

Belongs here: thin methods over `os` and `fcntl`, one system call each where that is possible. Does not belong
here: any decision about what a log is, or what an error means. A test replaces the object with one that fails,
forgets or dies at a chosen call; that is why nothing else in the project may call `os` on these files.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["DISK", "Disk", "attempt", "folder_of", "in_folder"]

_RIGHTS_FILE = 0o600
_RIGHTS_FOLDER = 0o700
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_READ |= getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class Disk:
    """System calls on files. Every method raises OSError as the call does; none retries and none decides."""

    def open(self, path: str, flags: int) -> int:
        """Open a file, never through a link. A file that is made here has rights 0600 under any umask."""
        fd = os.open(path, flags | _READ, _RIGHTS_FILE)
        if flags & os.O_EXCL:
            try:
                os.fchmod(fd, _RIGHTS_FILE)
            except OSError:
                os.close(fd)
                raise
        return fd

    def close(self, fd: int) -> None:
        """Close a descriptor; this also gives up its lock."""
        os.close(fd)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        """Read up to `size` bytes at `offset`; fewer is possible."""
        return os.pread(fd, size, offset)

    def write(self, fd: int, data: bytes) -> int:
        """Write at the end of a file opened with O_APPEND; returns how many bytes were taken."""
        return os.write(fd, data)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        """Write at `offset`; returns how many bytes were taken."""
        return os.pwrite(fd, data, offset)

    def fsync(self, fd: int) -> None:
        """Bring the file to the disk itself. After a failure it must not be called again for the same bytes."""
        if sys.platform == "darwin":
            import fcntl

            try:
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
                return
            except OSError:
                pass
        os.fsync(fd)

    def fsync_folder(self, path: str) -> None:
        """Make the names in a folder durable."""
        fd = os.open(path or ".", _FOLDER)
        try:
            self.fsync(fd)
        finally:
            os.close(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        """Cut the file to `size` bytes."""
        os.ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        """What the open file is."""
        return os.fstat(fd)

    def stat(self, path: str) -> os.stat_result:
        """What stands under a name; a link is reported as a link."""
        return os.stat(path, follow_symlinks=False)

    def flock(self, fd: int) -> None:
        """Take the exclusive lock of an open file, without waiting.

        Raises:
            BlockingIOError: Somebody else holds it.
        """
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name; fails when that name is taken."""
        os.link(old, new, follow_symlinks=False)

    def unlink(self, path: str) -> None:
        """Take a name away."""
        os.unlink(path)

    def replace(self, old: str, new: str) -> None:
        """Rename over whatever stands there."""
        os.replace(old, new)

    def mkdir(self, path: str) -> None:
        """Make a folder with rights 0700 under any umask."""
        os.mkdir(path, _RIGHTS_FOLDER)
        os.chmod(path, _RIGHTS_FOLDER)

    def rmdir(self, path: str) -> None:
        """Take an empty folder away."""
        os.rmdir(path)

    def listdir(self, path: str) -> list[str]:
        """Names in a folder, sorted."""
        return sorted(os.listdir(path or "."))

    def random(self, size: int) -> bytes:
        """Bytes nobody can guess: salts, and temporary names."""
        return os.urandom(size)

    def clock(self) -> float:
        """Seconds of a clock that only runs forward; used for waiting on the lock and nothing else."""
        import time

        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        import time

        time.sleep(seconds)

    def hold_signals(self) -> object:
        """Keep interrupts waiting while an entry is on its way; returns what `release_signals` needs."""
        import signal

        return signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT))

    def release_signals(self, held: object) -> None:
        """Let the interrupts through that waited."""
        import signal

        signal.pthread_sigmask(signal.SIG_SETMASK, held)  # type: ignore[arg-type]


DISK = Disk()


def folder_of(path: str) -> str:
    """The folder a path lies in; "" for the present one. (pathlib would cost more than the whole rest of start-up.)"""
    return os.path.dirname(path)


def in_folder(folder: str, name: str) -> str:
    """A name in a folder."""
    return os.path.join(folder, name)


def attempt(call: Callable[..., object], *arguments: Any) -> OSError | None:
    """Do what may fail without consequence; the error, if it did."""
    try:
        call(*arguments)
    except OSError as error:
        return error
    return None
