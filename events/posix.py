"""The door to the system on Linux and macOS.

Tests replace the object with one that fails, forgets or dies at a chosen call.

Source: docs/log-format.md section 8.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
import termios
from contextlib import suppress

from events.door import Door

assert sys.platform != "win32"

_RIGHTS_FILE = 0o600
_RIGHTS_FOLDER = 0o700
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
"""Without O_NONBLOCK, opening a pipe would wait for a writer."""


class Disk(Door):
    """System calls on files. Every method raises OSError as the call does, never retries and makes no decisions."""

    system = "macos" if sys.platform == "darwin" else "linux"

    def open(self, path: str, flags: int, *, follow: bool = False) -> int:
        """Open a file; a link is followed only with `follow`. A new file has rights 0600 under any umask."""
        fd = os.open(path, flags | _FLAGS | (0 if follow else os.O_NOFOLLOW), _RIGHTS_FILE)
        if flags & os.O_CREAT:
            try:
                os.fchmod(fd, _RIGHTS_FILE)
            except OSError:
                os.close(fd)
                raise
        return fd

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        return os.pread(fd, size, offset)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        """Write at `offset`; returns how many bytes were taken."""
        return os.pwrite(fd, data, offset)

    def fsync(self, fd: int) -> None:
        """Flush the file to the disk itself. After a failure it must not be called again for the same bytes."""
        if sys.platform == "darwin":
            with suppress(OSError):
                fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
                return
        os.fsync(fd)

    def fsync_folder(self, path: str) -> None:
        """Flush a folder, so that the names in it are durable."""
        fd = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.fsync(fd)
        finally:
            os.close(fd)

    def flock(self, fd: int) -> None:
        """Take the exclusive lock of an open file, without waiting.

        Raises:
            BlockingIOError: Another process holds it.
        """
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def others_may_write(self, status: os.stat_result) -> bool:
        """Whether the rights of a file let others on this machine write to it."""
        return bool(status.st_mode & 0o022)

    def others_may_read(self, status: os.stat_result) -> bool:
        """Whether the rights of a file let others on this machine read it."""
        return bool(status.st_mode & 0o077)

    def drop_typed(self, fd: int, silent: float, pause: float) -> bool:
        """Drop unread input of a terminal, including a half-typed line; return whether there was any.

        Args:
            silent: Stop after this many seconds without input.
            pause: The same once there was input: the rest of a long paste may still be on its way.
        """
        settings = termios.tcgetattr(fd)
        raw = [*settings[:3], settings[3] & ~(termios.ICANON | termios.ECHO), *settings[4:]]
        termios.tcsetattr(fd, termios.TCSANOW, raw)  # otherwise `select` does not see a half-typed line
        dropped = False
        try:
            while select.select([fd], [], [], silent)[0]:
                dropped, silent = True, max(silent, pause)
                termios.tcflush(fd, termios.TCIFLUSH)
        finally:
            termios.tcsetattr(fd, termios.TCSANOW, settings)
        return dropped

    def typed_waits(self, fd: int, seconds: float) -> bool:
        """Whether a terminal has an unread line, or gets one within `seconds`."""
        return bool(select.select([fd], [], [], seconds)[0])

    def link(self, old: str, new: str) -> None:
        """Give a file a second name; fails if that name exists."""
        os.link(old, new, follow_symlinks=False)

    def give_name(self, fd: int, temporary: str, path: str) -> int:
        """Give a finished file its name without replacing another; return its descriptor, still open and locked."""
        self.link(temporary, path)
        return fd

    def settle_name(self, fd: int, temporary: str, path: str) -> int:
        """Remove the temporary name after `give_name`; return the descriptor with its lock."""
        self.unlink(temporary)
        return fd

    def replace(self, old: str, new: str) -> None:
        os.replace(old, new)

    def mkdir(self, path: str) -> None:
        """Make a folder with rights 0700, whatever the umask is."""
        os.mkdir(path, _RIGHTS_FOLDER)
        os.chmod(path, _RIGHTS_FOLDER)

    def hold_signals(self) -> object:
        """Hold interrupts back while an entry is written; return the state that `release_signals` needs."""
        return signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT))

    def release_signals(self, signals: object) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)  # type: ignore[arg-type]

    def shell(self) -> str:
        """The shell in use: $HL_SHELL, else `pwsh` in PowerShell, else `posix`."""
        in_powershell = {"PSModulePath", "POWERSHELL_DISTRIBUTION_CHANNEL"} <= os.environ.keys()
        return os.environ.get("HL_SHELL") or ("pwsh" if in_powershell else "posix")

    def processors(self) -> int:
        """How many processors this process may use."""
        if sys.platform == "linux":
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
