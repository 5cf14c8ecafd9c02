"""Disks in memory with the laws of three systems: what a crash may leave on each, and what each refuses.

A disk keeps 4096-byte pages; what was not flushed may be there or not, page by page, and sizes and names go their own
way. A failed flush forgets its dirty pages, as Linux does. `WindowsSim` runs events/windows.py itself on top of the
laws; `MacSim` is the POSIX side on a disk that is blind to case and spelling.
"""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections import UserDict
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar
from unicodedata import normalize

from tests.support.laws import RESERVED, same, side

PAGE = 4096


class Crash(BaseException):
    """The power went."""


class Node:
    """A file: what programs see (`data`), and what the disk holds (`kept`)."""

    def __init__(self, ino: int, data: bytes = b"") -> None:
        self.ino, self.data, self.kept, self.mode = ino, bytearray(data), bytes(data), 0o600
        self.dirty: set[int] = set()
        self.locked: int | None = None
        self.written = False

    def touch(self, start: int, end: int) -> None:
        self.dirty |= set(range(start // PAGE, (max(end, start + 1) - 1) // PAGE + 1))

    def after_crash(self, pages: tuple[int, ...], size: int) -> bytes:
        out = bytearray(self.kept.ljust(size, b"\0")[:size])
        for page in pages:
            part = bytes(self.data[page * PAGE : (page + 1) * PAGE])
            out[page * PAGE : page * PAGE + len(part)] = part
        return bytes(out[:size])


class Sim:
    """A disk in memory with the methods of `events.Disk`."""

    born = itertools.count()
    system = "linux"

    def __init__(self, files: dict[str, bytes] | None = None, folders: tuple[str, ...] = ("/",)) -> None:
        self.inos = itertools.count(2)
        self.names = {name: Node(next(self.inos), data) for name, data in (files or {}).items()}
        self.kept_names = dict(self.names)
        self.folders, self.fd_numbers = set(folders), itertools.count(3)
        self.fds: dict[int, Node] = {}
        self.count, self.crash_at, self.part = 0, -1, 0
        self.fail: dict[int, int] = {}  # operation number -> errno
        self.fail_from, self.fail_errno = 10**9, 0
        self.short: dict[int, int] = {}
        self.reached = False
        self.dead, self.salt = False, Random(next(Sim.born))
        self.done: list[Any] = []

    def step(self, name: str) -> None:
        if self.dead:
            raise Crash
        self.count += 1
        self.done.append(name)
        if self.count == self.crash_at and name not in ("write", "pwrite"):
            self.dead = True
            raise Crash
        number = self.fail.get(self.count) or (self.fail_errno if self.count >= self.fail_from else 0)
        if number:
            raise OSError(number, os.strerror(number))

    def at(self, path: str) -> Node:
        """The file of that name."""
        if path not in self.names:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return self.names[path]

    # -- the methods of Disk
    def open(self, path: str, flags: int) -> int:
        self.step("open")
        if flags & os.O_CREAT and flags & os.O_EXCL:
            if path in self.names:
                raise FileExistsError(errno.EEXIST, "File exists")
            if os.path.dirname(path) in self.folders:
                self.names[path] = Node(next(self.inos))
        node, fd = self.at(path), next(self.fd_numbers)
        self.fds[fd] = node
        return fd

    def close(self, fd: int) -> None:
        node = self.fds.pop(fd)
        if node.locked == fd:
            node.locked = None
        self.step("close")

    def pread(self, fd: int, size: int, offset: int) -> bytes:
        self.step("pread")
        return bytes(self.fds[fd].data[offset : offset + size])

    def _put(self, name: str, node: Node, data: bytes, offset: int) -> int:
        self.step(name)
        crash = self.count == self.crash_at
        taken = min(self.part, len(data)) if crash else self.short.get(self.count, len(data))
        if offset + taken > len(node.data):
            node.data.extend(bytes(offset + taken - len(node.data)))
        node.data[offset : offset + taken] = data[:taken]
        if taken:
            node.touch(offset, offset + taken)
        if crash:
            self.dead = True
            raise Crash
        return taken

    def write(self, fd: int, data: bytes) -> int:
        return self._put("write", self.fds[fd], data, len(self.fds[fd].data))

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        return self._put("pwrite", self.fds[fd], data, offset)

    def fsync(self, fd: int) -> None:
        node = self.fds[fd]
        try:
            self.step("fsync")
        except OSError:
            if self.reached:  # the bytes came down all the same
                node.kept = bytes(node.data)
            node.dirty = set()
            raise
        node.kept = node.after_crash(tuple(node.dirty), len(node.data))
        node.dirty = set()

    def fsync_folder(self, path: str) -> None:
        self.step("fsync_folder")
        inside = {n for n in self.names.keys() | self.kept_names.keys() if os.path.dirname(n) == path}
        for name in inside:
            if name in self.names:
                self.kept_names[name] = self.names[name]
            else:
                del self.kept_names[name]

    def ftruncate(self, fd: int, size: int) -> None:
        self.step("ftruncate")
        node = self.fds[fd]
        if size < len(node.data):
            del node.data[size:]
            node.dirty = {page for page in node.dirty if page * PAGE < size}
            if size % PAGE:
                node.touch(size - 1, size)

    def _stat(self, node: Node) -> SimpleNamespace:
        links = sum(1 for other in self.names.values() if other is node)
        return SimpleNamespace(
            st_dev=1, st_ino=node.ino, st_size=len(node.data), st_mode=stat.S_IFREG | node.mode, st_nlink=links
        )

    def fstat(self, fd: int) -> SimpleNamespace:
        self.step("fstat")
        return self._stat(self.fds[fd])

    def stat(self, path: str) -> SimpleNamespace:
        self.step("stat")
        if path in self.folders:
            return SimpleNamespace(st_mode=stat.S_IFDIR | 0o700)
        return self._stat(self.at(path))

    def flock(self, fd: int) -> None:
        self.step("flock")
        node = self.fds[fd]
        if node.locked:
            raise BlockingIOError(errno.EAGAIN, "locked")
        node.locked = fd

    def give_name(self, fd: int, old: str, new: str) -> int:
        self.step("link")
        if new in self.names:
            raise FileExistsError(errno.EEXIST, "File exists")
        self.names[new] = self.names[old]
        return fd

    def settle_name(self, fd: int, old: str, new: str) -> int:
        self.unlink(old)
        return fd

    def others_may_write(self, found: SimpleNamespace) -> bool:
        return bool(found.st_mode & 0o022)

    def unlink(self, path: str) -> None:
        self.step("unlink")
        self.at(path)
        del self.names[path]

    def replace(self, old: str, new: str) -> None:
        self.step("replace")
        self.names[new] = self.names.pop(old)

    def mkdir(self, path: str) -> None:
        self.step("mkdir")
        self.folders.add(path)

    def rmdir(self, path: str) -> None:
        self.step("rmdir")
        self.folders.discard(path)

    def listdir(self, path: str) -> list[str]:
        self.step("listdir")
        return sorted(os.path.basename(n) for n in self.names if os.path.dirname(n) == path)

    def random(self, size: int) -> bytes:
        return self.salt.randbytes(size)

    def clock(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        pass

    def hold_signals(self) -> None:
        pass

    def release_signals(self, held: object) -> None:
        pass

    # -- what may be found after the crash
    def states(self, most: int, rng: Random) -> list[Sim]:
        changed = [
            n
            for n in sorted(self.names.keys() | self.kept_names.keys())
            if self.names.get(n) is not self.kept_names.get(n)
        ]
        nodes = sorted(
            {id(n): n for n in [*self.names.values(), *self.kept_names.values()]}.values(), key=lambda n: n.ino
        )
        choices: list[list[object]] = [[False, True] for _ in changed]
        for node in nodes:
            pages = sorted(node.dirty)
            subsets = [s for r in range(len(pages) + 1) for s in itertools.combinations(pages, r)][:64]
            sizes = sorted({len(node.kept), len(node.data)})
            choices.append([(s, z) for s in subsets for z in sizes])
        total = 1
        for choice in choices:
            total *= len(choice)
        if total <= most:
            picks = list(itertools.product(*choices))
        else:
            picks = [tuple(rng.choice(c) for c in choices) for _ in range(most - 2)]
            picks += [tuple(c[0] for c in choices), tuple(c[-1] for c in choices)]
        out = []
        for pick in picks:
            names = dict(self.kept_names)
            for name, now in zip(changed, pick, strict=False):
                if now and name in self.names:
                    names[name] = self.names[name]
                elif now:
                    names.pop(name, None)
            held: dict[int, Any] = dict(zip((id(n) for n in nodes), pick[len(changed) :], strict=True))
            new = type(self)(folders=tuple(self.folders))
            fresh = {i: Node(next(new.inos), n.after_crash(*held[i])) for i, n in ((id(n), n) for n in nodes)}
            new.names = {name: fresh[id(node)] for name, node in names.items()}
            new.kept_names = dict(new.names)
            out.append(new)
        return out


class Names(UserDict[str, Node]):
    """Names of files on a disk that takes several spellings for one; the first spelling is kept."""

    def _key(self, name: str) -> str:
        return name if name in self.data else next((kept for kept in self.data if same(kept) == same(name)), name)

    def __getitem__(self, name: str) -> Node:
        return self.data[self._key(name)]

    def __setitem__(self, name: str, value: Node) -> None:
        self.data[self._key(name)] = value

    def __delitem__(self, name: str) -> None:
        del self.data[self._key(name)]

    def __contains__(self, name: object) -> bool:
        return self._key(str(name)) in self.data


class MacSim(Sim):
    """The same on a disk of macOS: case-blind, names come back decomposed, and only a full flush flushes."""

    system = "macos"

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, Names(value) if name in ("names", "kept_names") else value)

    def listdir(self, path: str) -> list[str]:
        return sorted(normalize("NFD", name) for name in super().listdir(path))


class WindowsMachine(MacSim):
    """What Windows does with the calls of `os` and `msvcrt`: mandatory sharing and locks, names, a slow clock.

    Whoever closes a file that was written finds it held by a scanner for a moment.
    """

    system = "windows"
    MAX_PATH = 260
    TICK, SCAN = 0.015, 0.1

    def __init__(self, files: dict[str, bytes] | None = None, folders: tuple[str, ...] = ("/",)) -> None:
        super().__init__(files, folders)
        self.places: dict[int, int] = {}
        self.appends: set[int] = set()
        self.now = 0.0
        self.scanned: dict[Any, Any] = {}
        self.journal: list[tuple[Node, dict[str, Node]]] = []

    def noted(self, node: Node) -> None:
        """What became of a name goes into the journal of the disk; after a crash so much of it as came down holds."""
        self.journal.append((node, dict(self.names)))

    def states(self, most: int, rng: Random) -> list[Sim]:
        journal, names, kept, found = self.journal, self.names, self.kept_names, []
        for then in [dict(kept), *(after for _, after in journal)]:
            self.names = self.kept_names = then
            found += super().states(max(2, most // (len(journal) + 1)), rng)
        self.names, self.kept_names = names, kept
        return found

    def plain(self, path: str) -> str:
        """The name as the system takes it: no dots or spaces at its end, no device, not too long."""
        folder, _, name = path.rpartition("/")
        name = name.rstrip(". ")
        if name.partition(".")[0].rstrip().casefold() in RESERVED or set(name) & set('<>:"|?*\\'):
            raise OSError(errno.EINVAL, "Invalid argument")
        if len(path) >= self.MAX_PATH:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return f"{folder}/{name}"

    def held(self, node: Node) -> None:
        """Refuse while anybody has it open."""
        if node in self.fds.values() or self.scanned.get(id(node), 0.0) > self.now:
            error = PermissionError(errno.EACCES, "The process cannot access the file because it is being used")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error

    # -- calls of os
    def os_open(self, path: str, flags: int, mode: int = 0) -> int:
        path = self.plain(path)
        if path in self.folders:
            raise PermissionError(errno.EACCES, "Permission denied")
        new = path not in self.names
        fd = self.open(path, flags)
        self.places[fd] = 0
        if new:
            self.noted(self.fds[fd])
        if flags & os.O_APPEND:
            self.appends.add(fd)
        return fd

    def os_close(self, fd: int) -> None:
        node = self.fds.get(fd)
        if node is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        self.appends.discard(fd)
        self.close(fd)
        if node.written:
            node.written = False
            self.scanned[id(node)] = self.now + self.SCAN

    def lseek(self, fd: int, place: int, how: int) -> int:
        assert how == os.SEEK_SET
        self.places[fd] = place
        return place

    def read(self, fd: int, size: int) -> bytes:
        data = self.pread(fd, size, self.places[fd])
        self.places[fd] += len(data)
        return data

    def os_write(self, fd: int, data: bytes) -> int:
        node = self.fds[fd]
        node.written = True
        if fd in self.appends:
            return self.write(fd, data)
        taken = self.pwrite(fd, data, self.places[fd])
        self.places[fd] += taken
        return taken

    def os_fsync(self, fd: int) -> None:
        """The file, and the journal up to what became of its name."""
        node = self.fds[fd]
        self.fsync(fd)
        last = max((n for n, (other, _) in enumerate(self.journal) if other is node), default=-1)
        if last >= 0:
            self.kept_names = self.journal[last][1]
            del self.journal[: last + 1]

    def lstat(self, path: str) -> SimpleNamespace:
        return self.stat(self.plain(path))

    def rename(self, old: str, new: str) -> None:
        old, new = self.plain(old), self.plain(new)
        self.step("rename")
        self.held(self.at(old))
        if new in self.names:
            raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists")
        self.names[new] = self.names.pop(old)
        self.noted(self.names[new])

    def os_replace(self, old: str, new: str) -> None:
        old, new = self.plain(old), self.plain(new)
        self.step("replace")
        for name in (old, new):
            if name in self.names:
                self.held(self.names[name])
        self.names[new] = self.names.pop(old)
        self.noted(self.names[new])

    def os_unlink(self, path: str) -> None:
        path = self.plain(path)
        node = self.names.get(path)
        if node is not None:
            self.held(node)
        self.unlink(path)
        assert node is not None, "unlink would have refused"
        self.noted(node)

    def locking(self, fd: int, mode: int, size: int) -> None:
        """msvcrt.locking: one byte, far behind the data; mandatory, so that nobody may write it meanwhile."""
        assert size == 1 and len(self.fds[fd].data) < self.places[fd] < 1 << 31
        if mode == 0:
            self.fds[fd].locked = None
            return
        try:
            self.flock(fd)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    def clock(self) -> float:
        return self.now // self.TICK * self.TICK

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, self.TICK)


class WindowsCalls:
    """The module `os`, and `msvcrt.locking`, of the machine whose disk is being asked."""

    machine: WindowsMachine
    OWN: ClassVar = {
        "open": "os_open", "close": "os_close", "write": "os_write", "fsync": "os_fsync", "replace": "os_replace",
        "unlink": "os_unlink", "stat": "lstat",
    }  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("O_", "SEEK_", "path")):
            return getattr(os, name)
        return getattr(self.machine, self.OWN.get(name, name))


CALLS = WindowsCalls()
WINDOWS = side("windows", CALLS)
setattr(WINDOWS, "locking", lambda fd, mode, size: CALLS.locking(fd, mode, size))  # noqa: B010


OF_THE_MACHINE = ("random", "clock", "sleep", "hold_signals", "release_signals")


class WindowsSim(WINDOWS.Disk):  # type: ignore[name-defined, misc]
    """events/windows.py on a machine with Windows' laws; what is not of the door is the machine's."""

    def __init__(
        self, files: dict[str, bytes] | None = None, folders: tuple[str, ...] = ("/",), machine: Any = None
    ) -> None:
        object.__setattr__(self, "machine", machine or WindowsMachine(files, folders))

    def __getattribute__(self, name: str) -> Any:
        CALLS.machine = machine = object.__getattribute__(self, "machine")
        return getattr(machine, name) if name in OF_THE_MACHINE else object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "machine"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.machine, name, value)

    def states(self, most: int, rng: Random) -> list[WindowsSim]:
        return [type(self)(machine=state) for state in self.machine.states(most, rng)]
