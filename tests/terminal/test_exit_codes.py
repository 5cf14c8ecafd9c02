"""Every exit code of the contract, shown to be true: what it says of the log is so.

Through the real command in a process of its own where the code depends on the system.

Source: docs/json.md.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.host import Answer, hl
from tests.support.lines import plays

GAME = "equilibrium"


@pytest.fixture
def log(demos: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The log of a finished match that may be written to."""
    monkeypatch.setenv("HL_AS", "mara")
    monkeypatch.delenv("HL_MATCH", raising=False)
    monkeypatch.delenv("HL_DEBUG", raising=False)
    return Path(demos.copy(GAME, tmp_path / "m")) / "log.jsonl"


def process(root: Path, *words: str, before: Callable[[], None] | None = None, **more: Any) -> Any:
    env = {**os.environ, "PYTHONPATH": str(root), "HL_AS": "mara", "PYTHONDONTWRITEBYTECODE": "1"}  # not half of it
    command = [sys.executable, "-m", "ledger", *words]
    given = {"stderr": subprocess.PIPE, "text": True, **more}
    return subprocess.run(command, env=env, preexec_fn=before, check=False, **given)


def entries(log: Path) -> int:
    return log.read_bytes().count(b"\n")


FILES = {"evening.hl": "note one\nshow 9999\nundo 1\nnote two\n"}
SHOWS = {
    "damaged": lambda here: (here.path / "log.jsonl").write_bytes(here.log.replace(b'"by":"mara"', b'"by":"mora"', 1)),
    "torn": lambda here: [path.name for path in here.path.glob("*.torn-*")],
}
FORGOTTEN = " ; ".join(
    f"2 note x {option} {other} ~ {option} needs a value, and {other} is an option ~ {option}={other}"
    for option in ("--once", "--note", "--at", "--msg")
    for other in ("-n", "--dry-run", "--yes", "-y", "--json", "--force")
)
CODES = f"""
an option is not taken for the value of another: `--once -n` has forgotten its key, and would record instead of trying
  file {GAME} ; {FORGOTTEN} ; note x --once=-n --note a-n ; note -- --once -n
4 is a damaged log, which stays as it is
  demo {GAME} ; : damaged ; 4 verify ; 4 note x ; 4 status ; : torn ==
`run` leaves with the first failure
  file {GAME} ; 2! run evening.hl ; : kinds 2 == seat note ; 2! run evening.hl --keep-going
  : kinds 4 == seat note note note
"""
test_codes = plays(CODES)


def test_6_is_not_recorded(root: Path, log: Path) -> None:
    """The disk is full; or somebody holds the lock."""
    before = log.read_bytes()
    limit = len(before) + 100

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = process(root, "-g", str(log), "--no-input", "note", "x" * 500, before=full, stdout=subprocess.PIPE)
    assert done.returncode == 6, done.stderr
    assert log.read_bytes() == before and "nothing was recorded" in done.stderr
    assert hl("-g", str(log), "note", "x" * 500).code == 0, "with room again it goes on"


@pytest.mark.posix
def test_6_is_the_lock(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits ten seconds, by a clock that a test can turn, and then says who is asked to wait."""
    import events.disk

    before, seconds = log.read_bytes(), itertools.count()
    monkeypatch.setattr(events.disk.Disk, "clock", lambda disk: float(next(seconds)))
    monkeypatch.setattr(events.disk.Disk, "sleep", lambda disk, pause: None)
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        told = hl("-g", str(log), "note", "x")
        assert hl("-g", str(log), "status").code == 0, "reading takes no lock"
    assert told.code == 6 and "log.locked" in told.err and 10 <= next(seconds) < 20, told
    assert log.read_bytes() == before


def failing(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    import events.disk

    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    for name in names:
        monkeypatch.setattr(events.disk.Disk, name, fail)


def test_7_is_unknown(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flush fails, and so does taking the line back."""
    before = log.read_bytes()
    with monkeypatch.context() as patch:
        failing(patch, "fsync", "ftruncate")
        told = hl("-g", str(log), "note", "x")
    assert told.code == 7 and "doctor" in told.err, told
    assert log.read_bytes().startswith(before)
    assert hl("-g", str(log), "doctor").code == 0
    assert hl("-g", str(log), "verify").code == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", [("note", "x", "--json"), ("note", "x")])
def test_8_is_recorded_but_not_said(root: Path, log: Path, words: tuple[str, ...]) -> None:
    before = entries(log)
    with open("/dev/full", "wb") as full:
        more = {} if "--json" in words else {"stderr": full}
        done = process(root, "-g", str(log), *words, stdout=full, **more)
    assert done.returncode == 8
    assert entries(log) == before + 1 and hl("-g", str(log), "receipt").code == 0


@pytest.mark.posix
def test_without_a_standard_input_it_records_and_asks_nobody(root: Path, log: Path) -> None:
    """`hl ... <&-`: there is nobody to ask, and no file gets the number of the input."""
    before = entries(log)
    done = process(root, "-g", str(log), "note", "x", before=lambda: os.close(0), stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    assert entries(log) == before + 1


def test_130_is_an_interrupt(root: Path, log: Path) -> None:
    """Ctrl-C while it waits for the lock: nothing was written."""
    before = log.read_bytes()
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\nimport runpy\n"
    program += f"sys.argv = ['hl', '-g', {str(log)!r}, 'note', 'x']\nrunpy.run_module('ledger', run_name='__main__')"
    with log.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        one = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(root), "HL_AS": "mara"},
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        _wait_until_it_opened(one.pid, log)
        one.send_signal(signal.SIGINT)
        _, err = one.communicate(timeout=30)
    assert one.returncode == 130, err
    assert log.read_bytes() == before


def _wait_until_it_opened(pid: int, log: Path) -> None:
    for _ in range(1000):
        try:
            if any(os.readlink(f"/proc/{pid}/fd/{fd}") == str(log) for fd in os.listdir(f"/proc/{pid}/fd")):
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError("it never opened the log")


def test_a_closed_pipe_on_a_read_is_0(root: Path, log: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = process(root, "-g", str(log), "log", stdout=write)
    os.close(write)
    assert done.returncode == 0 and "unexpected" not in done.stderr, done.stderr


def test_1_is_a_bug_and_says_so(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ledger.tell.reports

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("a\x1b[2Jbug")

    monkeypatch.setattr(ledger.tell.reports, "report", broken)
    told: Answer = hl("-g", str(log), "status")
    assert told.code == 1 and "[unexpected]" in told.err and "\x1b" not in told.err and "Traceback" not in told.err
