"""Shared matches with real processes: eight writers with a mirror each, kills, and servers that go away.

At full size with `make shared`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from events import LogFile, read_body
from tests.support.evening import put_files
from tests.support.sizes import log_number, many

pytestmark = pytest.mark.slow


class Server:
    """A match that mara shares by way of one of the wires, and any number of mirrors."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, behind: Any) -> None:
        self.folder, self.behind, self.url = folder, behind, behind.url("ep4", far=False)
        for name in ("HL_MATCH", "HL_AS"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.chdir(folder)
        for name, value in behind.env.items():
            monkeypatch.setenv(name, value)
        put_files(folder)
        begun = ("new m --from match.toml", "-g m --as mara deal --from deal.toml", "-g m --as mara open")
        for line in (*begun, f"-g m share {self.url}"):
            done = self.hl(*line.split())
            assert done.returncode == 0, done.stderr
        (folder / "key").write_text(self.hl("-g", "m", "share", "--key").stdout)

    def hl(self, *words: str, given: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ledger", *words], input=given, capture_output=True, text=True, check=False,
            env={**os.environ, **env},
        )  # fmt: skip

    def clone(self, name: str) -> str:
        done = self.hl("clone", self.url, name, given=(self.folder / "key").read_text())
        assert done.returncode == 0, done.stderr
        return name

    def log(self, name: str) -> bytes:
        return (self.folder / name / "log.jsonl").read_bytes()

    def notes(self, name: str) -> list[str]:
        lines = LogFile(self.folder / name / "log.jsonl").read().lines
        bodies = [read_body(line.body) for line in lines if line.body]
        return [str(body.args["text"]) for body in bodies if body.do == "note"]

    def agree(self, names: list[str]) -> None:
        for name in names:
            done = self.hl("-g", name, "sync")
            assert done.returncode == 0, f"{name}: {done.stderr}"
        assert len({self.log(name) for name in names}) == 1


WRITER = """
import json, os, sys, time
import ledger.core.clock
import ledger.wire.mirror as mirror
from events.disk import DISK
from ledger.cli.app import App
from ledger.cli.root import run
folder, who, first, last, fast, step = sys.argv[1:]
first, last, fast, step = int(first), int(last), float(fast), int(step)
class Time:
    time = staticmethod(lambda: time.time() + fast)
ledger.core.clock.time = Time
calls, sending, keep = 0, False, mirror.write_pending
def counted(real):
    def call(*args, **named):
        global calls
        calls += sending
        if sending and calls == step and i >= first + 3:
            os.kill(os.getpid(), 9)
        return real(*args, **named)
    return call
def write_pending(*args):
    global calls, sending
    calls, sending = 0, True
    keep(*args)
if step:
    mirror.write_pending = write_pending
    for name in ("open", "close", "write", "ftruncate", "fsync", "fsync_folder", "pwrite", "replace", "unlink"):
        setattr(DISK, name, counted(getattr(DISK, name)))
app = App()
for i in range(first, last):
    for _ in range(100):
        code = run(["-g", folder, "--as", "mara", "--no-input", "note", f"{who}.{i}"], app)
        sending = False
        if code != 6:
            break  # 6: it is not there, so it may be typed again
        time.sleep(0.2)
    print(json.dumps([i, code, time.time()]), flush=True)
"""
APART = 300.0
"""Seconds between the slowest and the fastest clock."""
STEPS = 40
"""More calls to the disk than a command has from before it pushes until its mirror is whole."""


class Writers:
    """Processes that record at mirrors, one entry after the other. Some are killed at a chance moment, some by
    themselves at one call to the disk between what is kept before the push and the whole mirror: each call in turn."""

    def __init__(self, names: dict[str, str], entries: int) -> None:
        self.names, self.entries = names, entries
        self.acked: dict[str, set[int]] = {name: set() for name in names}
        self.at, self.kills, self.rng = dict.fromkeys(names, 0), 0, random.Random(7)
        self.steps: dict[int, int] = {}
        self.next, self.running = 0, dict[str, tuple[subprocess.Popen[str], float, int]]()
        for name in names:
            self.start(name)

    def start(self, name: str) -> None:
        fast = APART * (list(self.names).index(name) / max(len(self.names) - 1, 1) - 0.5)
        step, until = 0, 600.0
        match self.rng.randrange(10):
            case 0 | 1 | 2:
                until = self.rng.uniform(0.5, 12.0)
            case 3 | 4 | 5 | 6:
                self.next = step = self.next % min(STEPS, max(self.steps, default=0) + 4) + 1
        last = min(self.at[name] + 25, self.entries)  # a process that nobody kills ends then
        words = [self.names[name], name, str(self.at[name]), str(last), str(fast), str(step)]
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.running[name] = process, time.monotonic() + until, step

    def step(self) -> None:
        """Kill whose time has come, and let go on who is not done."""
        time.sleep(0.01)
        for name, (process, until, step) in list(self.running.items()):
            if process.poll() is None and time.monotonic() < until:
                continue
            if process.poll() is None:
                process.kill()
                self.kills += 1
            elif process.returncode == -9:
                self.steps[step] = self.steps.get(step, 0) + 1
            told = [json.loads(line) for line in process.communicate()[0].splitlines() if line.endswith("]")]
            self.acked[name] |= {i for i, code, _ in told if code == 0}
            self.at[name] = max([self.at[name], *(i + 1 for i, _, _ in told)])
            if process.returncode != 0 and self.at[name] < self.entries:
                self.at[name] += 1  # the one that was under way when it was killed
            del self.running[name]
            if self.at[name] < self.entries:
                self.start(name)


def test_writers_that_are_killed(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    """A mirror each and one with two, killed at random and at every step, clocks five minutes apart, the server started
    anew or out of reach in between; a host who is offline joins what they recorded alone. What was answered with 0 is
    there once, the rest at most once; all mirrors are the same bytes, and nothing is contested."""
    wire, server = type(server).__name__, Server(tmp_path, monkeypatch, server)
    entries = many(6, 200)
    names = {name: server.clone(name) for name in (f"w{n}" for n in range(many(3, 8)))}
    names["second"] = "w0"
    server.clone("alone")
    assert server.hl("-g", "alone", "unshare", "--yes").returncode == 0
    began = time.monotonic()
    writers, anew, restarts = Writers(names, entries), time.monotonic() + 8, 0
    while writers.running:
        writers.step()
        if time.monotonic() > anew:
            server.behind.stop()
            time.sleep(0.5)
            server.behind.start()
            anew, restarts = time.monotonic() + 20, restarts + 1
    took = time.monotonic() - began
    for i in range(many(2, 20)):
        assert server.hl("-g", "alone", "--as", "theo", "note", f"alone.{i}").returncode == 0
    server.clone("back")
    assert server.hl("-g", "back", "--as", "theo", "join", "alone", "--yes").returncode == 0
    server.agree(sorted({*names.values(), "m", "back"}))
    kept = server.notes("m")
    lost = [f"{name}.{i}" for name in names for i in writers.acked[name] if f"{name}.{i}" not in kept]
    answered, steps = sum(map(len, writers.acked.values())), sorted(writers.steps)
    told = (
        f"{wire}: {len(names)} writers, {answered} answered, {len(kept)} kept, {len(lost)} lost, "
        f"{len(kept) - len(set(kept))} twice, {writers.kills} kills at random, {sum(writers.steps.values())} at steps "
        f"{steps}, {restarts} restarts, {took:.0f} s"
    )
    print(told)
    record_property("told", told)
    log_number(record_property, answered)
    assert not lost and len(kept) == len(set(kept)), "nothing is lost, nothing twice"
    assert answered > 0 and "alone.1" in kept
    for name in names:
        mine = [int(text.partition(".")[2]) for text in kept if text.startswith(f"{name}.")]
        assert mine == sorted(mine)
    status = server.hl("-g", "m", "status").stdout
    assert status and "do not allow" not in status
    assert entries < 200 or steps == list(range(1, len(steps) + 1)), "a step at which nobody was killed"
