"""The door to the system on Windows.

While a file is open, nobody can rename or delete it. An indexer or a virus scanner may hold it for a moment, so a
refused call is repeated for a bounded time. What Windows cannot promise: docs/reliability.md, "Windows and macOS".

Source: docs/log-format.md section 8; the documentation of CreateFile, LockFile, MoveFileEx and FlushFileBuffers.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from events.door import Door

if sys.platform == "win32":
    from msvcrt import LK_NBLCK, LK_UNLCK, getwch, kbhit, locking
else:  # the tests run this class on other systems
    LK_UNLCK, LK_NBLCK = 0, 2

    def locking(fd: int, mode: int, nbytes: int, /) -> None:
        raise NotImplementedError

    def kbhit() -> bool:
        raise NotImplementedError

    def getwch() -> str:
        raise NotImplementedError


_FLAGS: int = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
_RETRY_SECONDS = 1.0
KEY_WAIT = 0.01
"""Seconds between two checks of the keyboard."""
_LOCK_BYTE = 0x7FFFFFF0
"""The byte that is locked. Locks are mandatory on Windows, so it is after all bytes that are read or written."""
_JUNCTION = 0xA0000003
"""The tag of a mount point, which works like a link to a folder."""
_ACCESS_DENIED, _SHARING, _LOCKED = 5, 32, 33
"""Windows error codes for a file that another process has open."""
_DEVICES = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in "123456789¹²³")}
_LOCKS: set[int] = set()
"""Descriptors of this process that hold a lock."""


def check_name(path: str) -> None:
    """Refuse a name that Windows would change or misread: a device, a stream of a file, a final dot or space.

    Raises:
        OSError: EINVAL, with the reason.
    """
    name = os.path.basename(path)
    if name.partition(".")[0].rstrip().lower() in _DEVICES:
        raise OSError(errno.EINVAL, f"Windows keeps the name {name} for a device", path)
    if name.strip(".") and (name[-1] in ". " or any(c in '<>:"|?*' or c < " " for c in name)):
        raise OSError(errno.EINVAL, f"Windows cannot have a file named {name!r}", path)


class Disk(Door):
    """System calls on files. Every method raises OSError as the call does and makes no decisions."""

    system = "windows"

    def _with_retries(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Make a call, and repeat it for a bounded time while another process has the file open."""
        deadline = self.clock() + _RETRY_SECONDS
        while True:
            try:
                return call(*arguments)
            except PermissionError as error:
                code = getattr(error, "winerror", None)
                if code not in (None, _ACCESS_DENIED, _SHARING, _LOCKED) or self.clock() >= deadline:
                    raise
            self.sleep(0.02)

    def open(self, path: str, flags: int, *, follow: bool = False) -> int:
        """Open a file; a link is followed only with `follow`. A new file has the rights of its folder."""
        check_name(path)
        try:
            status = os.stat(path) if follow else os.lstat(path)
        except FileNotFoundError:
            status = None
        if status is not None:
            if flags & os.O_EXCL:
                raise FileExistsError(errno.EEXIST, "File exists", path)
            if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION:
                raise OSError(errno.ELOOP, "it is a link", path)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.ENXIO, "it is no plain file", path)
        fd: int = self._with_retries(os.open, path, flags | _FLAGS, 0o600)
        return fd

    def close(self, fd: int) -> None:
        """Close a descriptor, and release its lock at once: the system would release it later."""
        if fd in _LOCKS:
            _LOCKS.discard(fd)
            with suppress(OSError):
                os.lseek(fd, _LOCK_BYTE, os.SEEK_SET)
                locking(fd, LK_UNLCK, 1)
        os.close(fd)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, size)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        """Write at `offset` of a file opened without O_APPEND; returns how many bytes were taken."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Flush the file and its name to the disk."""
        os.fsync(fd)

    def fsync_folder(self, path: str) -> None:
        """Do nothing: Windows cannot open folders. A name is flushed with its file (`settle_name`, `replace`)."""

    def flock(self, fd: int) -> None:
        """Take the exclusive lock. See posix.py."""
        os.lseek(fd, _LOCK_BYTE, os.SEEK_SET)
        try:
            locking(fd, LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError(errno.EAGAIN, "another process holds the lock") from None
        _LOCKS.add(fd)

    def others_may_write(self, status: os.stat_result) -> bool:
        """Always False: a file has the rights of its folder, which `st_mode` does not show."""
        return False

    def others_may_read(self, status: os.stat_result) -> bool:
        """Always False, for the same reason."""
        return False

    def drop_typed(self, fd: int, silent: float, pause: float) -> bool:
        """Drop unread key presses; returns whether there were any. See posix.py."""
        dropped, looks_left = False, int(silent / KEY_WAIT) + 1
        while looks_left:
            if kbhit():
                getwch()
                dropped, looks_left = True, int(pause / KEY_WAIT)
            else:
                looks_left -= 1
                self.sleep(KEY_WAIT)
        return dropped

    def typed_waits(self, fd: int, seconds: float) -> bool:
        for _ in range(int(seconds / KEY_WAIT) + 1):
            if kbhit():
                return True
            self.sleep(KEY_WAIT)
        return False

    def reader_gone(self, error: OSError) -> bool:
        """As on other systems; but on Windows a closed pipe is mostly an "invalid argument" without a file name."""
        return super().reader_gone(error) or (error.errno == errno.EINVAL and error.filename is None)

    def unlink(self, path: str) -> None:
        self._with_retries(os.unlink, path)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name; fails if that name exists."""
        check_name(new)
        self._with_retries(os.rename, old, new)

    def rmdir(self, path: str) -> None:
        self._with_retries(os.rmdir, path)

    def give_name(self, fd: int, temporary: str, path: str) -> int:
        """Close a finished file and give it its name without replacing another; return -1 as the descriptor."""
        self.close(fd)
        self.rename(temporary, path)
        return -1

    def settle_name(self, fd: int, temporary: str, path: str) -> int:
        """Make the name from `give_name` durable; return a locked descriptor, or -1 if another process has the lock.

        Raises:
            OSError: The file has its name, but may not survive a power cut.
        """
        fd = self.open(path, os.O_RDWR | os.O_APPEND)
        try:
            self.fsync(fd)
            self.flock(fd)
        except BaseException as error:
            self.close(fd)
            if isinstance(error, BlockingIOError):
                return -1
            raise
        return fd

    def replace(self, old: str, new: str) -> None:
        """Rename, replacing any file of that name, and make the name durable."""
        check_name(new)
        self._with_retries(os.replace, old, new)
        fd = self.open(new, os.O_RDWR)
        try:
            self.fsync(fd)
        finally:
            self.close(fd)

    def mkdir(self, path: str) -> None:
        """Make a folder with the rights of its parent folder."""
        check_name(path)
        os.mkdir(path)

    def hold_signals(self) -> object:
        """Hold interrupts back while an entry is written; return the state that `release_signals` needs.

        Only Ctrl-C and Ctrl-Break can be held. Closing the console, ending the session or the process is a kill.
        """
        pending: list[int] = []
        before: dict[int, Any] = {}

        def keep(number: int, frame: FrameType | None) -> None:
            pending.append(number)

        with suppress(ValueError):  # not in the main thread: no signal arrives there
            for name in ("SIGINT", "SIGBREAK"):
                if (number := getattr(signal, name, None)) is not None:
                    before[number] = signal.signal(number, keep)
        return before, pending

    def release_signals(self, signals: object) -> None:
        before: dict[int, Any]
        pending: list[int]
        before, pending = signals  # type: ignore[misc]
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in pending[:1]:
            signal.raise_signal(number)

    def shell(self) -> str:
        """The shell in use: $HL_SHELL, else `pwsh`, `powershell` (5.1), `cmd` or `posix`.

        PowerShell adds the user's own folder of modules, cmd sets PROMPT, Git Bash sets SHELL.
        """
        env, home = os.environ, os.path.expanduser("~").lower()
        own_modules = [p.lower() for p in env.get("PSModulePath", "").split(";") if p.lower().startswith(home)]
        if env.get("HL_SHELL"):
            return env["HL_SHELL"]
        if env.get("SHELL"):
            return "posix"
        if not own_modules and env.get("PROMPT"):
            return "cmd"
        return "pwsh" if any(p.endswith("\\powershell\\modules") for p in own_modules) else "powershell"

    def processors(self) -> int:
        return os.cpu_count() or 1
