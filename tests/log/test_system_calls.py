"""Every system call on the log's files fails, in every way it can: the exit code says what became of the entry.

strace counts only calls on the log, its head record and its folder, in the real interpreter. A call fails once, or
from then on; is cut short; claims what it did not do; or the process is killed before it. 0: the entry is there. 6 (and
2, 3, 4): the log is byte for byte as before. 7, or killed: what was acknowledged before is there, and one entry more at
most. After all of it the next entry can be recorded. What a disk may hold after a power cut is in test_events_crash.py.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events import LogFile, create
from ledger.cli.errors import EXIT_CODES
from tests.support.logs import body
from tests.support.sizes import FULL, log_number, many

STRACE = shutil.which("strace")
ROOT = str(Path(__file__).resolve().parents[2])
ERRORS = {
    "openat": ("EACCES", "EIO", "EMFILE", "ENOSPC"),
    "flock": ("EIO", "ENOLCK"),
    "fstat": ("EIO",),
    "newfstatat": ("EIO", "EACCES"),
    "pread64": ("EIO",),
    "write": ("EIO", "ENOSPC", "EDQUOT", "EFBIG"),
    "pwrite64": ("EIO", "ENOSPC"),
    "fsync": ("EIO", "ENOSPC"),
    "ftruncate": ("EIO",),
    "unlink": ("EIO", "EACCES"),
    "link": ("EIO", "EPERM"),
    "linkat": ("EIO", "EPERM"),
    "mkdir": ("EIO", "ENOSPC"),
    "fchmod": ("EPERM",),
    "chmod": ("EPERM",),
    "close": ("EIO",),
    "getdents64": ("EIO",),
}
SHORT = {"pread64": (0, 1), "write": (0, 1, 100), "pwrite64": (0, 100)}
"""What a call returns that did nothing at all: less than was asked."""
CODES = {kind.__name__: code for kind, code in EXIT_CODES.items()}
PROGRAM = f"""
import sys
sys.path.insert(0, sys.argv[1])
from events import Body, LedgerError, LogFile, create
note = Body("note", 9, "mara", 9, {{"n": 9, "text": "y" * 200}})
try:
    if sys.argv[3] == "create":
        line = create(sys.argv[2], [note])[0]
    else:
        with LogFile(sys.argv[2], wait=0.3).writing() as writer:
            line = writer.append([note])[0]
except LedgerError as error:
    sys.exit(next({CODES}[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in {CODES}))
print(line.seq, line.hash)
"""


def can_trace() -> str:
    """Why strace cannot be used here; "" when it can."""
    if not STRACE:
        return "no strace here: apt install strace (Linux)"
    tried = subprocess.run([STRACE, "-e", "trace=none", "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"strace may not trace here: {tried.stderr.strip()[:200]}"


WHY_NOT = can_trace()
needs_strace = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT or "-")


class Scene(NamedTuple):
    """A command at work on a log in some condition."""

    verb: str = "append"
    torn: bytes = b""
    head: bool = True
    program: str = PROGRAM


SCENES = {
    "append": Scene(),
    "append after a torn tail": Scene(torn=b'{"seq":4,"prev":"'),
    "append without a head record": Scene(head=False),
    "create": Scene("create"),
}


def stage(scene: Scene, folder: Path) -> Path:
    path = folder / "m" / "log.jsonl"
    if scene.verb == "create":
        folder.mkdir()
        return path
    create(path, [body(n, batch=1) for n in (1, 2, 3)])
    if scene.torn:
        with path.open("ab") as file:
            file.write(scene.torn)
    if not scene.head:
        (folder / "m" / "log.jsonl.head").unlink()
    return path


def run(scene: Scene, path: Path, *inject: str) -> tuple[int, str, str]:
    """(exit code, what was printed, the calls on the log's files); the code is negative when it was killed."""
    assert STRACE is not None
    folder, trace = path.parent, path.parent.parent / "trace"
    places = [w for p in (path, f"{path}.head", folder, folder.parent) for w in ("-P", str(p))]
    options = [word for one in inject for word in ("-e", f"inject={one}")]
    calls = ",".join(ERRORS)
    command = [
        STRACE, "-f", "-qq", "--seccomp-bpf", "-o", str(trace), "-e", f"trace={calls}", *places, *options,
        os.path.realpath(sys.executable), "-B", "-S", "-c", scene.program, ROOT, str(path), scene.verb,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    told = trace.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, told


def calls(told: str) -> list[str]:
    """The names of the calls, in order."""
    return [found[1] for found in re.finditer(r"^\d+\s+(\w+)\(", told, re.MULTILINE)]


def injections(scene: Scene, folder: Path) -> list[str]:
    """Everything that can go wrong with every call of the command."""
    path = stage(scene, folder)
    code, _, told = run(scene, path)
    assert code == 0
    found = []
    for name, times in Counter(calls(told)).items():
        for n in range(1, times + 1):
            for error in ERRORS[name]:
                found += [f"{name}:error={error}:when={n}", f"{name}:error={error}:when={n}+"]
            found += [f"{name}:retval={size}:when={n}" for size in SHORT.get(name, ())]
            found += [f"{name}:signal=KILL:when={n}"]
            if name in ("write", "fsync"):  # and taking it back fails as well
                found.append(f"{name}:error=EIO:when={n};ftruncate:error=EIO")
                found.append(f"{name}:error=ENOSPC:when={n};ftruncate:signal=KILL")
    return found


def hashes(path: Path) -> list[str]:
    return [line.hash for line in LogFile(path).read().lines]


def judge(scene: Scene, inject: str, folder: Path) -> str:
    """Play it; what contradicts the exit code, or ""."""
    path = stage(scene, folder)
    before = path.read_bytes() if path.exists() else None
    acked = hashes(path) if before is not None else []
    code, printed, _ = run(scene, path, *inject.split(";"))
    after = path.read_bytes() if path.exists() else None
    killed = code in (-9, 137)
    if code not in (0, 2, 3, 4, 6, 7) and not killed:
        return f"exit {code} is not of the contract"
    found = hashes(path) if after is not None else []
    if found[: len(acked)] != acked:
        return "an acknowledged entry is gone"
    if len(found) > len(acked) + 1:
        return "more than one entry more"
    if code == 0 and found != [*acked, printed.split()[1]]:
        return "0, and the entry is not there"
    if code in (2, 3, 4, 6) and after != before and not _repaired(scene, before, after, path):
        return f"{code}, and the log is not as before"
    if after is None:
        create(path, [body(1)])
    else:
        with LogFile(path).writing() as writer:
            line = writer.append([body(10)])[0]
        if hashes(path) != [*found, line.hash]:
            return "the next entry does not follow"
        kept = [p.read_bytes() for p in path.parent.glob("*.torn-*")]
        if "pread64:retval" in inject:  # the system handed out bytes that are not those of the file
            kept = [scene.torn for data in kept if len(data) == len(scene.torn)]
        if scene.torn and scene.torn not in kept:
            return "the torn tail was thrown away"
    return ""


def _repaired(scene: Scene, before: bytes | None, after: bytes | None, path: Path) -> bool:
    """A torn tail may have been set aside already, whole, before the command failed."""
    if not scene.torn or before is None or after is None or after + scene.torn != before:
        return False
    return any(p.read_bytes() == scene.torn for p in path.parent.glob("*.torn-*"))


@needs_strace
@pytest.mark.parametrize("name", SCENES if FULL else ["append"])
def test_every_call_fails_in_every_way(name: str, tmp_path: Path, record_property: Any) -> None:
    scene = SCENES[name]
    found = injections(scene, tmp_path / "clean")
    assert len(found) > 40, found
    chosen = found if FULL else random.Random(1).sample(found, many(12, 0))
    wrong = {}
    for number, inject in enumerate(chosen):
        if said := judge(scene, inject, tmp_path / str(number)):
            wrong[inject] = said
    log_number(record_property, len(chosen))
    assert not wrong, wrong


@needs_strace
def test_sabotage_is_seen(tmp_path: Path) -> None:
    """A line that is not taken back; "not recorded" where that is not known; a flush whose error nobody looks at."""
    careless = PROGRAM.replace("\ntry:", "\nimport events.disk\nevents.disk.Disk.fsync = lambda *_: None\ntry:")
    lines = PROGRAM.replace("\ntry:", "\nimport events.disk\nevents.disk.Disk.ftruncate = lambda *_: None\ntry:")
    proud = PROGRAM.replace("    sys.exit(", "    sys.exit(6 or ")
    assert PROGRAM not in (careless, lines, proud)
    told = [
        judge(Scene(program=lines), "fsync:error=EIO:when=1", tmp_path / "a"),
        judge(Scene(program=proud), "fsync:error=EIO:when=1;ftruncate:error=EIO", tmp_path / "b"),
    ]
    assert told == ["6, and the log is not as before"] * 2
    assert run(Scene(program=careless), stage(SCENES["append"], tmp_path / "c"), "fsync:error=EIO:when=1")[0] == 0
    assert run(SCENES["append"], stage(SCENES["append"], tmp_path / "d"), "fsync:error=EIO:when=1")[0] == 6
