"""The door to the system on Windows.

Belongs here: every name that exists on Windows only, and what its laws ask for. Files are opened so that nobody can
rename or delete them meanwhile; an indexer or a virus scanner may hold one for a moment, so that what is refused is
tried again for a bounded time. What Windows cannot promise: docs/reliability.md, "Windows and macOS".

Source: docs/log-format.md section 8; the documentation of CreateFile, LockFile, MoveFileEx and FlushFileBuffers.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

from events.door import Door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

if sys.platform == "win32":
    from msvcrt import LK_NBLCK, LK_UNLCK, getwch, kbhit, locking
else:  # where the tests put Windows' laws in the place of the system
    LK_UNLCK, LK_NBLCK = 0, 2

    def locking(fd: int, mode: int, nbytes: int, /) -> None:
        raise NotImplementedError

    def kbhit() -> bool:
        raise NotImplementedError

    def getwch() -> str:
        raise NotImplementedError


__all__ = ["Disk"]

_FLAGS: int = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
_PATIENCE = 1.0
"""Seconds for which a refused call is tried again."""
_PAUSE = 0.02
KEY_WAIT = 0.01
"""Seconds between two looks at the keyboard."""
_LOCK_BYTE = 0x7FFFFFF0
"""The byte that is locked: locks are mandatory here, so it lies after all that is read or written."""
_JUNCTION = 0xA0000003
"""The tag of a mount point, which is a link to a folder in all but name."""
_ACCESS_DENIED, _SHARING, _LOCKED = 5, 32, 33
"""What Windows says while somebody else has a file open."""
_DEVICES = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in "123456789¹²³")}
_LOCKS: set[int] = set()
"""Descriptors of this process that hold a lock."""


def check_name(path: str) -> None:
    """Refuse a name that Windows would take for another: a device, a part of a file, one that ends in a dot or space.

    Raises:
        OSError: EINVAL, with the reason.
    """
    name = os.path.basename(path)
    if name.partition(".")[0].rstrip().lower() in _DEVICES:
        raise OSError(errno.EINVAL, f"Windows keeps the name {name} for a device", path)
    if name.strip(".") and (name[-1] in ". " or any(c in '<>:"|?*' or c < " " for c in name)):
        raise OSError(errno.EINVAL, f"Windows cannot have a file named {name!r}", path)


class Disk(Door):
    """System calls on files. Every method raises OSError as the call does; none decides."""

    system = "windows"

    def _patiently(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Do what is refused while somebody has the file open, again and again for a bounded time."""
        until = self.clock() + _PATIENCE
        while True:
            try:
                return call(*arguments)
            except PermissionError as error:
                why = getattr(error, "winerror", None)
                if why not in (None, _ACCESS_DENIED, _SHARING, _LOCKED) or self.clock() >= until:
                    raise
            self.sleep(_PAUSE)

    def open(self, path: str, flags: int, *, follow: bool = False) -> int:
        """Open a file, never through a link unless asked to. Whoever may read the folder may read it."""
        check_name(path)
        try:
            there = os.stat(path) if follow else os.lstat(path)
        except FileNotFoundError:
            there = None
        if there is not None:
            if flags & os.O_EXCL:
                raise FileExistsError(errno.EEXIST, "File exists", path)
            if stat.S_ISLNK(there.st_mode) or getattr(there, "st_reparse_tag", 0) == _JUNCTION:
                raise OSError(errno.ELOOP, "it is a link", path)
            if stat.S_ISDIR(there.st_mode):
                raise IsADirectoryError(errno.EISDIR, "Is a directory", path)
            if not stat.S_ISREG(there.st_mode):
                raise OSError(errno.ENXIO, "it is no plain file", path)
        fd: int = self._patiently(os.open, path, flags | _FLAGS, 0o600)
        return fd

    def close(self, fd: int) -> None:
        """Close a descriptor; this also gives up its lock, at once and not when the system gets to it."""
        if fd in _LOCKS:
            _LOCKS.discard(fd)
            try:
                os.lseek(fd, _LOCK_BYTE, os.SEEK_SET)
                locking(fd, LK_UNLCK, 1)
            except OSError:
                pass
        os.close(fd)

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        """Read up to `size` bytes at `offset`; fewer is possible."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, size)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        """Write at `offset` of a file opened without O_APPEND; returns how many bytes were taken."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Bring the file, and its name with it, to the disk itself."""
        os.fsync(fd)

    def fsync_folder(self, path: str) -> None:
        """Nothing: no folder can be opened. A name is flushed with the file that has it (`settle_name`, `replace`)."""

    def flock(self, fd: int) -> None:
        """Take the exclusive lock of an open file, without waiting.

        Raises:
            BlockingIOError: Somebody else holds it.
        """
        os.lseek(fd, _LOCK_BYTE, os.SEEK_SET)
        try:
            locking(fd, LK_NBLCK, 1)
        except PermissionError:
            raise BlockingIOError(errno.EAGAIN, "another process holds the lock") from None
        _LOCKS.add(fd)

    def others_may_write(self, found: os.stat_result) -> bool:
        """False: the rights of a file are those of its folder, which `st_mode` does not tell."""
        return False

    def others_may_read(self, found: os.stat_result) -> bool:
        """False, as above."""
        return False

    def drop_typed(self, fd: int, silent: float, pause: float) -> bool:
        """Take away the keys that were pressed and not read; were there any? See the other side."""
        found, left = False, int(silent / KEY_WAIT) + 1
        while left:
            if kbhit():
                getwch()
                found, left = True, int(pause / KEY_WAIT)
            else:
                left -= 1
                self.sleep(KEY_WAIT)
        return found

    def typed_waits(self, fd: int, seconds: float) -> bool:
        """See the other side."""
        for _ in range(int(seconds / KEY_WAIT) + 1):
            if kbhit():
                return True
            self.sleep(KEY_WAIT)
        return False

    def reader_gone(self, error: OSError) -> bool:
        """As on the other side; but a closed pipe is mostly an invalid argument here, which no file name goes with."""
        return super().reader_gone(error) or (error.errno == errno.EINVAL and error.filename is None)

    def unlink(self, path: str) -> None:
        """Take a name away."""
        self._patiently(os.unlink, path)

    def rename(self, old: str, new: str) -> None:
        """Give a file another name; fails when that name is taken."""
        check_name(new)
        self._patiently(os.rename, old, new)

    def rmdir(self, path: str) -> None:
        """Take an empty folder away."""
        self._patiently(os.rmdir, path)

    def give_name(self, fd: int, temporary: str, path: str) -> int:
        """Give a finished file its name, never over another. No open file can be renamed, so that it is closed: -1."""
        self.close(fd)
        self.rename(temporary, path)
        return -1

    def settle_name(self, fd: int, temporary: str, path: str) -> int:
        """Make the name durable that `give_name` has given; a descriptor with the lock, or -1 if somebody else has it.

        Raises:
            OSError: The file has its name; whether that outlives a power cut is unknown.
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
        """Rename over whatever stands there, and make the name durable."""
        check_name(new)
        self._patiently(os.replace, old, new)
        fd = self.open(new, os.O_RDWR)
        try:
            self.fsync(fd)
        finally:
            self.close(fd)

    def mkdir(self, path: str) -> None:
        """Make a folder; who may look into it follows from the folder that it is in."""
        check_name(path)
        os.mkdir(path)

    def hold_signals(self) -> object:
        """Keep interrupts waiting while an entry is on its way; returns what `release_signals` needs.

        Ctrl-C and Ctrl-Break wait. The end of a console, of a session or of a process does not: that is a kill.
        """
        import signal

        came: list[int] = []
        before: dict[int, Any] = {}

        def keep(number: int, frame: FrameType | None) -> None:
            came.append(number)

        for name in ("SIGINT", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None:
                try:
                    before[number] = signal.signal(number, keep)
                except ValueError:
                    break  # another thread than the first: no signal comes there
        return before, came

    def release_signals(self, held: object) -> None:
        """Let the interrupts through that waited."""
        import signal

        before: dict[int, Any]
        came: list[int]
        before, came = held  # type: ignore[misc]
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)

    def shell(self) -> str:
        """The shell that the next line is typed into: `pwsh`, `powershell` (5.1), `cmd` or `posix`; $HL_SHELL says.

        PowerShell puts the user's own folder of modules first, cmd sets PROMPT, Git Bash sets SHELL.
        """
        env, home = os.environ, os.path.expanduser("~").lower()
        own = [p.lower() for p in env.get("PSModulePath", "").split(";") if p.lower().startswith(home)]
        if env.get("HL_SHELL"):
            return env["HL_SHELL"]
        if env.get("SHELL"):
            return "posix"
        if not own and env.get("PROMPT"):
            return "cmd"
        return "pwsh" if any(p.endswith("\\powershell\\modules") for p in own) else "powershell"

    def processors(self) -> int:
        """How many processors this process may use."""
        return os.cpu_count() or 1
