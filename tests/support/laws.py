"""Real files under the laws of Windows or macOS, for whole commands and several processes at once.

The calls of `os` that one side of the door makes are answered here: names are blind to case and spelling, Windows'
devices are no files, an open file is neither renamed nor deleted, a lock is a byte far behind the data. That a file is
open is told to other processes by a shared `flock`; the byte is locked for one open file, as Windows does.
`HL_DOUBLE=windows pytest ...` runs the suite so; tests of what only POSIX has are left out (mark `posix`).
"""

from __future__ import annotations

import errno
import importlib.util
import os
import stat
import struct
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unicodedata import normalize

if sys.platform != "win32":  # on a real Windows these laws are the system's own
    import fcntl

ROOT = Path(__file__).resolve().parents[2]
RESERVED = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in "123456789¹²³")}


def side(name: str, calls: Any) -> ModuleType:
    """A copy of events/<name>.py, and of what it inherits, on other calls than the system's."""
    made = {}
    for part in ("door", name):
        spec = importlib.util.spec_from_file_location(f"events.{part}", ROOT / "events" / f"{part}.py")
        assert spec and spec.loader
        made[part] = importlib.util.module_from_spec(spec)
        kept = sys.modules.get("events.door")
        sys.modules["events.door"] = made["door"]
        try:
            spec.loader.exec_module(made[part])
        finally:
            if kept is None:
                del sys.modules["events.door"]
            else:
                sys.modules["events.door"] = kept
        setattr(made[part], "os", calls)  # noqa: B010
    return made[name]


@cache
def same(name: str) -> str:
    return normalize("NFC", normalize("NFC", name).casefold())


def shown(found: os.stat_result) -> os.stat_result:
    """With the rights that Windows tells of every file: anybody may read and write it."""
    more = {name: getattr(found, name) for name in dir(found) if name.startswith("st_")}
    mode = found.st_mode if stat.S_ISLNK(found.st_mode) else found.st_mode | 0o666
    return os.stat_result([mode, *found[1:]], {**more, "st_mode": mode})


class Calls:
    """The module `os` on a case-blind disk."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def place(self, path: str) -> str:
        """The name under which it stands, if one does."""
        folder, name = os.path.split(path)
        if os.path.lexists(path) or not os.path.isdir(folder or "."):
            return path
        return os.path.join(folder, next((n for n in os.listdir(folder or ".") if same(n) == same(name)), name))

    def open(self, path: str, flags: int, mode: int = 0o777) -> int:
        return os.open(self.place(path), flags, mode)

    def stat(self, path: str) -> os.stat_result:
        return os.stat(self.place(path))

    def lstat(self, path: str) -> os.stat_result:
        return os.lstat(self.place(path))

    def link(self, old: str, new: str, **how: Any) -> None:
        os.link(self.place(old), self.place(new), **how)

    def unlink(self, path: str) -> None:
        os.unlink(self.place(path))

    def rename(self, old: str, new: str) -> None:
        os.rename(self.place(old), self.place(new))

    def replace(self, old: str, new: str) -> None:
        os.replace(self.place(old), self.place(new))

    def listdir(self, path: str) -> list[str]:
        return [normalize("NFD", name) for name in os.listdir(path)]


class WindowsCalls(Calls):
    """The module `os`, and `msvcrt.locking`, of Windows."""

    O_BINARY, O_NOINHERIT = 0, getattr(os, "O_CLOEXEC", 0)

    def __getattr__(self, name: str) -> Any:
        if name in ("O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "pread", "pwrite", "fchmod", "sched_getaffinity"):
            raise AttributeError(f"module 'os' has no attribute {name!r}")
        return getattr(os, name)

    def place(self, path: str) -> str:
        folder, name = os.path.split(path)
        name = name.rstrip(". ") if name.strip(". ") else name
        if name.partition(".")[0].rstrip().casefold() in RESERVED or set(name) & set('<>:"|?*\\'):
            raise OSError(errno.EINVAL, "Invalid argument")
        if len(os.path.abspath(path)) >= 260:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return super().place(os.path.join(folder, name))

    def open(self, path: str, flags: int, mode: int = 0o777) -> int:
        if os.path.isdir(self.place(path)):
            raise PermissionError(errno.EACCES, "Permission denied")
        fd = os.open(self.place(path), flags, 0o600)
        try:
            if flags & os.O_CREAT:
                os.fchmod(fd, 0o600)  # as in a folder that is the host's alone
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise PermissionError(errno.EACCES, "Permission denied") from None
        return fd

    def stat(self, path: str) -> os.stat_result:
        return shown(super().stat(path))

    def lstat(self, path: str) -> os.stat_result:
        return shown(super().lstat(path))

    def fstat(self, fd: int) -> os.stat_result:
        return shown(os.fstat(fd))

    def _alone(self, path: str) -> int:
        """Hold a file that nobody has open; refuse otherwise. A folder or a link has no such law here."""
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return -1
        fd = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            error = PermissionError(errno.EACCES, "The process cannot access the file because it is being used")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error from None
        return fd

    def _held(self, paths: list[str], call: Any, *words: Any) -> None:
        held = [self._alone(path) for path in paths]
        try:
            call(*words)
        finally:
            for fd in held:
                if fd >= 0:
                    os.close(fd)

    def unlink(self, path: str) -> None:
        self._held([self.place(path)], os.unlink, self.place(path))

    def rename(self, old: str, new: str) -> None:
        def exclusive(old: str, new: str) -> None:
            os.link(old, new)
            os.unlink(old)

        self._held([self.place(old)], exclusive, self.place(old), self.place(new))

    def replace(self, old: str, new: str) -> None:
        both = [self.place(old), *([self.place(new)] if os.path.lexists(self.place(new)) else [])]
        self._held(both, os.replace, self.place(old), self.place(new))

    def locking(self, fd: int, mode: int, size: int) -> None:
        kind = fcntl.F_UNLCK if mode == 0 else fcntl.F_WRLCK
        place = os.lseek(fd, 0, os.SEEK_CUR)
        try:
            fcntl.fcntl(fd, 37, struct.pack("hhqqi4x", kind, os.SEEK_SET, place, size, 0))  # F_OFD_SETLK
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    def listdir(self, path: str) -> list[str]:
        return os.listdir(path)


def windows() -> ModuleType:
    """The Windows side: under its laws, or under Windows itself."""
    if sys.platform == "win32":
        import events.windows as real

        return real
    calls = WindowsCalls()
    module = side("windows", calls)
    module.locking = calls.locking  # type: ignore[attr-defined]
    return module


def install(system: str) -> None:
    """Let this process have the door of that system. Call it before anything of `events` is loaded."""
    if "events" in sys.modules:
        assert sys.modules["events.disk"].DISK.system == system, "events was loaded before"
        return
    sys.modules["events"] = package = ModuleType("events")
    package.__path__ = [str(ROOT / "events")]  # one side can be loaded from it, and nothing else is
    module = windows() if system == "windows" else side("posix", Calls())
    del sys.modules["events"]
    module.Disk.system = system
    sys.modules["events.posix"] = sys.modules[f"events.{'windows' if system == 'windows' else 'posix'}"] = module
    import events.disk

    assert type(events.disk.DISK) is module.Disk
