"""The door to the system on Linux and macOS.

Belongs here: every name that exists on these systems only, one system call each where that is possible. A test
replaces the object with one that fails, forgets or dies at a chosen call.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import os
import sys

from events.door import Door

assert sys.platform != "win32"

__all__ = ["Disk"]

_RIGHTS_FILE = 0o600
_RIGHTS_FOLDER = 0o700
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
"""Without O_NONBLOCK, opening a pipe would wait for somebody who writes into it."""


class Disk(Door):
    """System calls on files. Every method raises OSError as the call does; none retries and none decides."""

    system = "macos" if sys.platform == "darwin" else "linux"

    def open(self, path: str, flags: int, *, follow: bool = False) -> int:
        """Open a file, never through a link unless asked to. One that is made here has rights 0600 under any umask."""
        fd = os.open(path, flags | _FLAGS | (0 if follow else os.O_NOFOLLOW), _RIGHTS_FILE)
        if flags & os.O_CREAT:
            try:
                os.fchmod(fd, _RIGHTS_FILE)
            except OSError:
                os.close(fd)
                raise
        return fd

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        """Read up to `size` bytes at `offset`; fewer is possible."""
        return os.pread(fd, size, offset)

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
        fd = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.fsync(fd)
        finally:
            os.close(fd)

    def flock(self, fd: int) -> None:
        """Take the exclusive lock of an open file, without waiting.

        Raises:
            BlockingIOError: Somebody else holds it.
        """
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def others_may_write(self, found: os.stat_result) -> bool:
        """Whether its rights let others on this machine write to a file."""
        return bool(found.st_mode & 0o022)

    def others_may_read(self, found: os.stat_result) -> bool:
        """Whether its rights let others on this machine read a file."""
        return bool(found.st_mode & 0o077)

    def drop_typed(self, fd: int, silent: float, pause: float) -> bool:
        """Take away what has arrived at a terminal and was not read, half a line too; was there any?

        Args:
            silent: For how many seconds nothing may come.
            pause: The same once something has come: the rest of a long paste is still on its way.
        """
        import select
        import termios

        kept = termios.tcgetattr(fd)
        raw = [*kept[:3], kept[3] & ~(termios.ICANON | termios.ECHO), *kept[4:]]
        termios.tcsetattr(fd, termios.TCSANOW, raw)  # only so can half a line be seen
        found = False
        try:
            while select.select([fd], [], [], silent)[0]:
                found, silent = True, max(silent, pause)
                termios.tcflush(fd, termios.TCIFLUSH)
        finally:
            termios.tcsetattr(fd, termios.TCSANOW, kept)
        return found

    def typed_waits(self, fd: int, seconds: float) -> bool:
        """Has a line arrived at a terminal that was not read, or does one within this time?"""
        import select

        return bool(select.select([fd], [], [], seconds)[0])

    def link(self, old: str, new: str) -> None:
        """Give a file a second name; fails when that name is taken."""
        os.link(old, new, follow_symlinks=False)

    def give_name(self, fd: int, temporary: str, path: str) -> int:
        """Give a finished file its name, never over another; its descriptor, open and locked as it was."""
        self.link(temporary, path)
        return fd

    def settle_name(self, fd: int, temporary: str, path: str) -> int:
        """Take the temporary name away once `give_name` has given the other; the descriptor with its lock."""
        self.unlink(temporary)
        return fd

    def replace(self, old: str, new: str) -> None:
        """Rename over whatever stands there."""
        os.replace(old, new)

    def mkdir(self, path: str) -> None:
        """Make a folder with rights 0700 under any umask."""
        os.mkdir(path, _RIGHTS_FOLDER)
        os.chmod(path, _RIGHTS_FOLDER)

    def hold_signals(self) -> object:
        """Keep interrupts waiting while an entry is on its way; returns what `release_signals` needs."""
        import signal

        return signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT))

    def release_signals(self, held: object) -> None:
        """Let the interrupts through that waited."""
        import signal

        signal.pthread_sigmask(signal.SIG_SETMASK, held)  # type: ignore[arg-type]

    def shell(self) -> str:
        """The shell that the next line is typed into: `posix`, or `pwsh` where PowerShell runs here; $HL_SHELL says."""
        here = "pwsh" if "PSModulePath" in os.environ and "POWERSHELL_DISTRIBUTION_CHANNEL" in os.environ else "posix"
        return os.environ.get("HL_SHELL") or here

    def processors(self) -> int:
        """How many processors this process may use."""
        if sys.platform == "linux":
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
