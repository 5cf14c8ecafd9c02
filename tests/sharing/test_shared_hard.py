"""A shared match over git with real processes: eight writers with a mirror each, kills, and connections that are cut.

At full size with `make shared`. `git+ssh://` runs with an ssh of our own (tests/reliability/cutting_ssh.py), which runs
what it is asked to on this machine and cuts the line after so many bytes.
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
from tests.support.evening import HANDS, MATCH
from tests.support.sizes import log_number, many

pytestmark = pytest.mark.slow
SSH = Path(__file__).resolve().parents[1] / "reliability" / "cutting_ssh.py"


class Server:
    """A bare repository, a match that mara shares there, and any number of mirrors."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, scheme: str = "file") -> None:
        self.folder = folder
        for name in ("HL_MATCH", "HL_AS"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.setenv("GIT_SSH_COMMAND", f"{sys.executable} {SSH}")
        monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
        monkeypatch.chdir(folder)
        subprocess.run(["git", "init", "-q", "--bare", "srv.git"], check=True)
        for text in (MATCH, HANDS):
            subprocess.run(["sh", "-c", text], check=True)
        self.url = f"git+{scheme}://{'here' if scheme == 'ssh' else ''}{folder}/srv.git#ep4"
        for line in ("new m --from match.toml", "-g m --as mara open --force --yes", f"-g m share {self.url}"):
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
import json, os, sys
from ledger.cli.app import App
from ledger.cli.root import run
folder, who, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
app = App()
for i in range(first, last):
    code = run(["-g", folder, "--as", "mara", "--no-input", "note", f"{who}.{i}"], app)
    print(json.dumps([i, code]), flush=True)
"""


def test_writers_that_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """A mirror each, killed at random: what was answered with 0 is there once, the rest at most once."""
    server = Server(tmp_path, monkeypatch)
    writers, entries = many(3, 8), many(6, 200)
    names = [server.clone(f"w{n}") for n in range(writers)]
    acked: dict[str, set[int]] = {name: set() for name in names}
    tried: dict[str, set[int]] = {name: set() for name in names}
    at, kills, rng = dict.fromkeys(names, 0), 0, random.Random(7)
    running: dict[str, tuple[subprocess.Popen[str], float]] = {}

    def start(name: str) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, name, name, str(at[name]), str(entries)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        killed_in = rng.uniform(0.5, 12.0) if rng.random() < 0.7 else 600.0
        running[name] = process, time.monotonic() + killed_in

    for name in names:
        start(name)
    while running:
        time.sleep(0.01)
        for name, (process, until) in list(running.items()):
            if process.poll() is None and time.monotonic() < until:
                continue
            if process.poll() is None:
                process.kill()
                kills += 1
            told = [json.loads(line) for line in process.communicate()[0].splitlines() if line.endswith("]")]
            for i, code in told:
                tried[name].add(i)
                if code == 0:
                    acked[name].add(i)
            at[name] = max([at[name], *(i + 1 for i, _ in told)])
            if process.returncode != 0 and at[name] < entries:
                at[name] += 1  # the one that was under way when it was killed
            del running[name]
            if at[name] < entries:
                start(name)
    server.agree([*names, "m"])
    kept = server.notes("m")
    assert len(kept) == len(set(kept)), "nothing twice"
    lost = [f"{name}.{i}" for name in names for i in acked[name] if f"{name}.{i}" not in kept]
    assert not lost
    answered = sum(map(len, acked.values()))
    log_number(record_property, answered)
    record_property("kills", kills)
    assert answered > 0
    for name in names:
        mine = [int(text.partition(".")[2]) for text in kept if text.startswith(f"{name}.")]
        assert mine == sorted(mine)
    print(f"{writers} writers, {answered} answered, {len(kept)} kept, {kills} kills")


def test_a_line_cut_at_any_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """The connection of a push, or of the look before it, ends after n bytes of one direction: the exit code is true,
    and the next command goes on. Every seventh n at full size."""
    server = Server(tmp_path, monkeypatch, "ssh")
    server.clone("other")
    cuts, codes = 0, dict.fromkeys((0, 6, 7), 0)
    step = many(400, 7)
    for service in ("upload", "receive"):
        for way in ("to", "from"):
            for limit in range(0, 100_000, step):
                text = f"{service} {way} {limit}"
                done = server.hl(
                    "-g", "m", "--as", "mara", "note", text, CUT_SERVICE=service, CUT_WAY=way, CUT_AFTER=str(limit),
                    CUT_DONE=str(tmp_path / "cut"),
                )  # fmt: skip
                was_cut = (tmp_path / "cut").exists()
                (tmp_path / "cut").unlink(missing_ok=True)
                assert done.returncode in (0, 6, 7), done.stderr
                codes[done.returncode] += 1
                server.agree(["m", "other"])
                count = server.notes("other").count(text)
                assert count == {0: 1, 6: 0}.get(done.returncode, count) and count <= 1, done.stderr
                cuts += was_cut
                if not was_cut:
                    break
    log_number(record_property, cuts)
    print(f"{cuts} cuts: {codes}")
    assert cuts > 4
