"""What befalls hosts and servers of a shared match, over every wire, by the real commands: no room, a late answer, no
right to come in, an hour without a network. What is answered is true, and the next command goes on.

Left out, and said so, where a server is not installed (tests/support/servers.py).
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
from itertools import count
from typing import Any

import pytest

from tests.support.evening import Evening
from tests.support.servers import Git, Postgres

NAMES = (f"ep{n}" for n in count(1))
HOUR = 3_600_000


@pytest.fixture
def evening(stage: Any, server: Any) -> Evening:
    for name, value in server.env.items():
        stage.patch.setenv(name, value)
    return Evening(stage, url=server.url(next(NAMES)))


@pytest.mark.posix
def test_no_room_here(evening: Evening) -> None:
    """No byte fits: nothing is recorded (6). The mirror alone does not fit: it is recorded, and said (8); the next
    command brings it."""
    import resource

    def limited(size: int, text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ledger", "-g", "t", "--as", "theo", "note", text], cwd=evening.folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )  # fmt: skip

    before = evening.log("t")
    done = limited(10, "none")
    assert done.returncode == 6 and evening.log("t") == before, done.stderr
    done = limited(len(before) + 20, "half")
    assert done.returncode == 8 and "wire.mirror" in done.stderr and evening.log("t") == before, done.stderr
    evening.agree()
    assert evening.log("m").count(b'"half"') == 1 and b'"none"' not in evening.log("m")


def test_no_room_there(evening: Evening, server: Any) -> None:
    """The server cannot keep it: nothing is recorded (6), nothing is in doubt, and what looks still answers."""
    if isinstance(server, Git):
        script = evening.folder / "full"
        script.write_text("for last; do :; done\ntrap '' XFSZ\nulimit -f 0\neval \"$last\"\n")
        evening.stage.patch.setenv("GIT_SSH_COMMAND", f"sh {script}")
    else:
        server.sql(
            "create function no_room() returns trigger language plpgsql as "
            "$$begin raise exception 'no space left on device' using errcode = '53100';end$$; "
            "create trigger no_room before insert on host_ledger_lines execute function no_room()"
        )
    told = evening.hl("note none", "t")
    assert "[wire.refused]" in told and "[exit 6]" in told, told
    assert "mirror as of" not in evening.ok("status", "t")
    if isinstance(server, Git):
        evening.stage.patch.setenv("GIT_SSH_COMMAND", server.env["GIT_SSH_COMMAND"])
    else:
        server.sql("drop trigger no_room on host_ledger_lines; drop function no_room()")
    evening.ok("note some", "t")
    evening.agree()
    assert evening.log("m").count(b"\n") == 20


def test_what_a_role_may(evening: Evening, server: Any) -> None:
    """No table, and no right to make it; a table that may only be read: nothing is recorded (6), nothing in doubt."""
    if not isinstance(server, Postgres):
        pytest.skip("of tables")
    server.sql("create database bare owner owner; create role reader login", "postgres")
    evening.ok("unshare --yes", "m")
    told = evening.hl(f"share '{server.url('no').replace('/club?', '/bare?')}'", "m")
    assert "[wire.refused]" in told and "42P01" in told and "[exit 6]" in told, told
    server.sql("grant select on host_ledger_lines to reader")
    told = evening.hl(f"share '{server.url('no').replace('user=host', 'user=reader')}'", "m")
    assert "[wire.denied]" in told and "[exit 6]" in told, told
    evening.ok(f"share '{server.url(next(NAMES))}'", "m")


@pytest.mark.slow
def test_an_answer_that_is_late(evening: Evening, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes after the command has given up: unknown (7), and then there once, as it arrived or was sent again."""
    module, _, name = server.wire.rpartition(".")
    wire = getattr(importlib.import_module(module), name)
    real, left = wire.push, ["late"]

    def slow(seconds: float) -> None:
        if isinstance(server, Git):
            monkeypatch.setenv("CUT_DELAY", str(seconds * 1000))
        else:
            server.proxy.set(delay=seconds)

    def push(self: Any, seq: int, prev: str, rows: Any, wait: float) -> None:
        if left:
            left.pop()
            slow(1.0)
            wait = 0.3
        real(self, seq, prev, rows, wait)

    monkeypatch.setattr(wire, "push", push)
    monkeypatch.setattr("ledger.wire.protocol.LOOK_AGAIN", 0.3)
    told = evening.hl("note late", "t")
    assert "[wire.unknown]" in told and "[exit 7]" in told, told
    time.sleep(1.2)
    slow(0.0)
    evening.ok("note next", "t")
    evening.agree()
    assert evening.log("m").count(b'"late"') == 1 and evening.log("m").count(b"\n") == 21


def test_who_may_not_come_in(evening: Evening, server: Any) -> None:
    """Another role, another key of ssh: said as such (6); nothing that the server said is shown."""
    if isinstance(server, Git):
        script = evening.folder / "no"
        script.write_text("echo 'hunter2@here: Permission denied (publickey).' >&2\nexit 255\n")
        evening.stage.patch.setenv("GIT_SSH_COMMAND", f"sh {script}")
    else:
        wired = evening.folder / "t" / "log.jsonl.wire"
        wired.write_text(wired.read_text().replace("user=host", "user=hunter2"))
    told = evening.hl("note x", "t")
    assert "[wire.denied]" in told and "[exit 6]" in told and "hunter2:" not in told, told
    assert "does not let this machine in" in told and "this is the mirror as of" in evening.ok("status", "t")


def test_an_hour_without_a_network(evening: Evening, server: Any) -> None:
    """Theo leaves, both go on for an hour, and he comes back with `clone` and `join`: nothing is lost, nothing is late,
    and nothing is contested but what is."""
    evening.ok("unshare --yes", "t")
    evening.stage.now += HOUR
    evening.ok("trade gil B8 ann B1", "t")
    evening.ok("note alone", "t")
    evening.ok("note meanwhile", "m")
    evening.ok(f"clone '{evening.url}' back < key", "")
    assert "recorded #21" in evening.ok("--as theo join t --yes", "back")
    evening.ok("sync", "m")
    assert evening.log("m") == evening.log("back") and "do not allow" not in evening.ok("status", "m")
    told = evening.ok("log", "m")
    assert "theo  trade" in told and "alone" in told and "meanwhile" in told
