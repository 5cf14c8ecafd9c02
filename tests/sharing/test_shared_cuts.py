"""Connections that break at every byte: what a command answers then is true, and the next one settles it.

Real servers, and mirrors as commands have them (ledger/wire/mirror.py), without the commands around them: so a byte
takes some hundredths of a second and not seconds, and all bytes can be tried. The same by the real commands, at a few
bytes, is in test_shared_wires.py. Left out, and said so, where a server is not installed.
"""

from __future__ import annotations

import subprocess
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from events import Body, NotRecorded, OutcomeUnknown, create
from ledger.core.clock import now_ms
from ledger.wire import sharing
from ledger.wire.mirror import SharedLog
from ledger.wire.sealing import key_of
from tests.support.servers import Git
from tests.support.sizes import FULL, log_number

pytestmark = [pytest.mark.slow, pytest.mark.posix]
NAMES = (f"ep{n}" for n in count(1))
ANEW = 40
"""Cuts after which another match is shared: one that grows without end would only take time."""


class Hosts:
    """Two hosts with a mirror each."""

    def __init__(self, folder: Path, url: str) -> None:
        self.paths = [str(folder / name / "log.jsonl") for name in ("mara", "theo")]
        now = now_ms()
        create(self.paths[0], [Body("note", now, "mara", now, {"text": "made"})])
        sharing.share(self.paths[0], url, plain=False)
        found = sharing.find(url, str(folder / "scratch"))
        sharing.clone(found, key_of(sharing.key_words(self.paths[0])), str(folder / "theo"), "")

    def log(self) -> SharedLog:
        """Mara's, as another command finds it."""
        return SharedLog(self.paths[0], now_ms)

    def told(self, log: SharedLog, text: str) -> int:
        """Record it; the exit code: 0, 6, 7."""
        now = now_ms()
        try:
            with log.writing() as writer:
                writer.append([Body("note", now, "mara", now, {"text": text})])
        except OutcomeUnknown:
            return 7
        except NotRecorded:
            return 6
        return 0

    def agreed(self) -> bytes:
        """What both mirrors hold after a look at the server."""
        logs = []
        for path in self.paths:
            sharing.sync(SharedLog(path, now_ms))
            logs.append(Path(path).read_bytes())
        assert logs[0] == logs[1]
        return logs[0]


class Behind:
    """A line to a server behind a proxy."""

    def __init__(self, server: Any) -> None:
        self.server = server

    def cut(self, way: str, after: int) -> None:
        self.cuts = self.server.proxy.set(cut=(way, after))["cuts"]

    def whole(self) -> bool:
        """From now on nothing is cut; was it?"""
        return bool(self.server.proxy.set(cut=None)["cuts"] > self.cuts)


class ByGit:
    """A line by an ssh of our own. `part`: "first" is the fetch before, "push" the push."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, part: str) -> None:
        self.patch, self.done, self.part = patch, folder / "cut", part
        patch.setenv("CUT_DONE", str(self.done))

    def cut(self, way: str, after: int) -> None:
        service = "receive" if self.part == "push" else "upload"
        for name, value in (("SERVICE", service), ("WAY", way), ("AFTER", str(after))):
            self.patch.setenv(f"CUT_{name}", value)

    def whole(self) -> bool:
        self.patch.delenv("CUT_SERVICE")
        was_cut = self.done.exists()
        self.done.unlink(missing_ok=True)
        return was_cut


@pytest.mark.parametrize("part", ["first", "push"])
def test_a_line_cut_at_any_byte(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Any, part: str
) -> None:
    """It breaks after n bytes of one direction, for every n at full size: what was answered as recorded is there once,
    what was answered as not recorded is nowhere, and what is unknown is settled by the next command.

    `part`: "first" is from the connection on, of git the fetch before; "push" begins after that look.
    """
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name, value in server.env.items():
        monkeypatch.setenv(name, value)
    git = isinstance(server, Git)
    line: Any = ByGit(monkeypatch, tmp_path, part) if git else Behind(server)
    codes, sizes = dict.fromkeys((0, 6, 7), 0), {}
    began, hosts, kept = time.monotonic(), None, 0
    for way in ("to", "from"):
        for after in range(0, 100_000, 1 if FULL else 331):
            if hosts is None or kept >= ANEW:
                name = next(NAMES)
                url = f"git+ssh://here{tmp_path}/{name}.git#{name}" if git else server.url(name)
                if git:  # a repository for each: a server lists all branches before a push
                    subprocess.run(["git", "init", "-q", "--bare", tmp_path / f"{name}.git"], check=True)
                hosts, kept = Hosts(tmp_path / name, url), 0
            text, log, kept = f"{way}-{after}", hosts.log(), kept + 1
            if part == "push":
                log.read()
            line.cut(way, after)
            code = hosts.told(log, text)
            if not line.whole():
                assert code == 0, "a line that was not cut"
                sizes[way] = after
                break
            codes[code] += 1
            there = hosts.agreed().count(f'"{text}"'.encode())
            assert there == {0: 1, 6: 0}.get(code, min(there, 1)), f"{text}: answered with {code}, and {there} there"
    told = (
        f"{'git' if git else 'postgres'}, {part}: {sum(codes.values())} cuts in {sizes} bytes: {codes}, "
        f"{time.monotonic() - began:.0f} s"
    )
    print(told)
    record_property("told", told)
    log_number(record_property, sum(codes.values()))
    assert sizes.keys() == {"to", "from"} and sum(codes.values()) > 1
