"""A shared match over every wire: a bare repository, and real servers, each behind a proxy; and what befalls hosts and
servers there: no room, a late answer, no right to come in, an hour without a network.

What only git does is in test_shared.py. Left out, and said so, where a server is not installed
(tests/support/servers.py).
"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.support.evening import Evening
from tests.support.servers import HARMS, Git, Postgres, harmed
from tests.support.transcripts import agrees, console_blocks

NAMES = (f"match{n}" for n in count(1))
HOUR = 3_600_000


@pytest.fixture
def set_up(stage: Any, server: Any) -> None:
    for name, value in server.env.items():
        stage.patch.setenv(name, value)


@pytest.fixture
def evening(stage: Any, server: Any, set_up: None) -> Evening:
    return Evening(stage, url=url_of(server))


@pytest.fixture
def far(stage: Any, server: Any, set_up: None) -> Evening:
    """The same, of git by ssh."""
    return Evening(stage, url=server.url(next(NAMES)))


def url_of(server: Any) -> str:
    """Of a match that is not there; git as a folder, which is quicker."""
    return str(server.url(next(NAMES), far=not isinstance(server, Git)))


def name_of(evening: Evening) -> str:
    return evening.url.partition("#")[2]


def class_of(server: Any) -> Any:
    module, _, name = server.wire.rpartition(".")
    return getattr(importlib.import_module(module), name)


def test_two_hosts_in_turn(evening: Evening, server: Any) -> None:
    """Both logs are the same bytes; the server can read none of it."""
    evening.ok("trade gil B8 ann B1 --note twice", "t")
    assert "recorded #22" in evening.ok("recolour gil B1", "m")
    evening.agree()
    held = server.held(name_of(evening))
    assert [row[0] for row in held] == list(range(1, 23))
    assert not any(word in str(held) for word in ("gil", "mara", "recolour", "seal"))
    bare = evening.url.partition("#")[0]
    told = evening.hl(f"clone '{bare}' third < key", "")
    assert "made third" in told or name_of(evening) in told.partition("matches: ")[2]


def test_a_role_only_adds(evening: Evening, server: Any) -> None:
    """The role of a host can neither change nor delete."""
    import psycopg

    if not isinstance(server, Postgres):
        pytest.skip("rights in a repository are the server's")
    for text in ("delete from host_ledger_lines", "update host_ledger_lines set data = 'x'"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.sql(text, user="host")


def test_overtaken(evening: Evening, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decided anew and refused, with what the quicker host did; another is recorded behind it, and told if it does
    something else now. A batch of two on the way while somebody records three, and the other way round, never mix."""
    wire = class_of(server)
    real, left = wire.push, [lambda: evening.ok("trade gil B8 ann B1", "t")]

    def push(self: Any, *args: Any) -> None:
        if left:
            left.pop()()
        real(self, *args)

    monkeypatch.setattr(wire, "push", push)
    told = evening.hl("trade ann B1 bob B3", "m")
    assert "[exit 3]" in told and "host only: theo recorded #20" in told
    left.append(lambda: evening.ok("note x", "t"))
    assert "recorded #22" in evening.ok("note y", "m")
    left.append(lambda: evening.ok("recolour gil B1 --note three", "t"))
    assert "recorded #25" in evening.ok("note one", "m")
    left.append(lambda: evening.ok("note two", "t"))
    assert "recorded #27 to #28" in evening.ok("penalty hal --note late", "m")
    left.append(lambda: evening.ok("trade gil R2 hal B10", "t"))
    told = evening.ok("close --yes", "m")
    assert "recorded #30" in told and "theo recorded #29 just before this, which changed" in told
    evening.agree()


def test_a_place_is_given_once(evening: Evening, server: Any) -> None:
    """Whoever does not know the last line puts nothing there: not beside it, not over it, not after a gap."""
    from events import Moved
    from ledger.wire.mirror import wire_to
    from ledger.wire.protocol import Stored

    evening.ok("trade gil B8 ann B1 --note twice", "t")
    held = server.held(name_of(evening))
    for seq, prev in ((22, "e" * 64), (21, held[19][1]), (20, held[18][1]), (23, held[20][1]), (24, held[20][1])):
        wire = wire_to(evening.url, str(evening.folder / "none"))
        wire.tail(1, 20.0)
        with pytest.raises(Moved):
            wire.push(seq, prev, [Stored("f" * 64, "AAAA"), Stored("f" * 64, "AAAA")], 20.0)
        wire.forget()
    assert server.held(name_of(evening)) == held


def test_an_answer_that_is_lost(evening: Evening, server: Any) -> None:
    """The line breaks after so many bytes, either way: the exit code is true, and the next command goes on. Every byte
    is in test_shared_cuts.py."""
    if isinstance(server, Git):
        pytest.skip("it has no proxy")
    cuts, codes = 0, dict.fromkeys((0, 6, 7), 0)
    for way in ("to", "from"):
        for limit in range(0, 100_000, 601):
            text = f"{way}-{limit}"
            before = server.proxy.set(cut=(way, limit))["cuts"]
            told = evening.hl(f"note {text}", "m")
            was_cut = server.proxy.set(cut=None)["cuts"] - before
            code = next((code for code in (6, 7) if f"[exit {code}]" in told), 0)
            assert code or "[exit" not in told, told
            evening.agree()
            kept = evening.log("t").count(f'"{text}"'.encode())
            assert kept == {0: 1, 6: 0}.get(code, kept) and kept <= 1, told
            codes[code] += 1
            cuts += was_cut
            if not was_cut:
                break
    assert cuts > 4 and codes[0] > 1


def test_a_wire_says_that_there_is_more(evening: Evening, server: Any) -> None:
    """Nothing before somebody records, then at once; what one has read oneself is nothing new."""
    from ledger.wire.mirror import wire_to

    wire = wire_to(evening.url, str(evening.folder / "none"))
    head = wire.tail(19, 20.0)
    if isinstance(server, Postgres):
        assert wire.changed(0.1), "before one listens, something may have come"
    assert len(head) == 1 and not wire.changed(0.1)
    evening.ok("note one", "m")
    assert wire.changed(0.1)
    assert len(wire.tail(19, 20.0)) == 2 and not wire.changed(0.1)
    wire.forget()


def test_the_server_is_away_and_comes_back(evening: Evening, server: Any) -> None:
    """While it is away nothing is recorded, and reads answer; what was answered before is still there."""
    evening.ok("note before", "m")
    server.stop()
    told = evening.hl("note during", "m")
    assert ("wire.missing" if isinstance(server, Git) else "wire.unreachable") in told and "[exit 6]" in told
    assert "[exit 6]" in evening.hl("sync", "t")
    assert "this is the mirror as of" in evening.ok("status", "t")
    server.start()
    evening.ok("note after", "t")
    evening.agree()


@pytest.mark.parametrize("how", HARMS)
def test_a_server_that_loses_or_changes_lines(evening: Evening, server: Any, how: str) -> None:
    """Found by the next command; what was lost from the end is put back."""
    evening.ok("note one", "m")
    evening.ok("sync", "t")
    if how in ("data", "gap", "order", "mixed"):
        evening.ok("note two", "m")
        evening.ok("note three", "m")
    name, others = name_of(evening), []
    if how == "mixed":
        evening.ok("new other --from match.toml", "")
        evening.ok(f"share '{(url := url_of(server))}'", "other")
        others = server.held(url.rpartition("#")[2])
    server.put(name, harmed(server.held(name), how, others))
    before = evening.log("t")
    told = evening.hl("note x", "t")
    assert any(f"[{code}]" in told for code in HARMS[how]) and "[exit 4]" in told, told
    assert "this is the mirror" in evening.ok("status", "t") and evening.log("t") == before
    if HARMS[how] == {"wire.behind"}:
        assert "restored" in evening.ok("sync --restore", "t")
        evening.agree()


# ---- what befalls them: what is answered is true, and the next command goes on ---------------------------------------


@pytest.mark.posix
def test_no_room_here(far: Evening) -> None:
    """No byte fits: nothing is recorded (6). The mirror alone does not fit: it is recorded, and said (8); the next
    command brings it."""
    import resource

    def limited(size: int, text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ledger", "-g", "t", "--as", "theo", "note", text], cwd=far.folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        )  # fmt: skip

    before = far.log("t")
    done = limited(10, "none")
    assert done.returncode == 6 and far.log("t") == before, done.stderr
    done = limited(len(before) + 20, "half")
    assert done.returncode == 8 and "wire.mirror" in done.stderr and far.log("t") == before, done.stderr
    far.agree()
    assert far.log("m").count(b'"half"') == 1 and b'"none"' not in far.log("m")


def test_no_room_there(far: Evening, server: Any) -> None:
    """The server cannot keep it: nothing is recorded (6), nothing is in doubt, and what looks still answers."""
    if isinstance(server, Git):
        script = far.folder / "full"
        script.write_text("for last; do :; done\ntrap '' XFSZ\nulimit -f 0\neval \"$last\"\n")
        far.stage.patch.setenv("GIT_SSH_COMMAND", f"sh {script}")
    else:
        server.sql(
            "create function no_room() returns trigger language plpgsql as "
            "$$begin raise exception 'no space left on device' using errcode = '53100';end$$; "
            "create trigger no_room before insert on host_ledger_lines execute function no_room()"
        )
    told = far.hl("note none", "t")
    assert "[wire.refused]" in told and "[exit 6]" in told, told
    assert "mirror as of" not in far.ok("status", "t")
    if isinstance(server, Git):
        far.stage.patch.setenv("GIT_SSH_COMMAND", server.env["GIT_SSH_COMMAND"])
    else:
        server.sql("drop trigger no_room on host_ledger_lines; drop function no_room()")
    far.ok("note some", "t")
    far.agree()
    assert far.log("m").count(b"\n") == 20


def test_what_a_role_may(far: Evening, server: Any) -> None:
    """No table, and no right to make it; a table that may only be read: nothing is recorded (6), nothing in doubt."""
    if not isinstance(server, Postgres):
        pytest.skip("of tables")
    server.sql("create database bare owner owner; create role reader login", "postgres")
    far.ok("unshare --yes", "m")
    told = far.hl(f"share '{server.url('no').replace('/club?', '/bare?')}'", "m")
    assert "[wire.refused]" in told and "42P01" in told and "[exit 6]" in told, told
    server.sql("grant select on host_ledger_lines to reader")
    told = far.hl(f"share '{server.url('no').replace('user=host', 'user=reader')}'", "m")
    assert "[wire.denied]" in told and "[exit 6]" in told, told
    far.ok(f"share '{server.url(next(NAMES))}'", "m")


@pytest.mark.slow
def test_an_answer_that_is_late(far: Evening, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes after the command has given up: unknown (7), and then there once, as it arrived or was sent again."""
    wire = class_of(server)
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
    told = far.hl("note late", "t")
    assert "[wire.unknown]" in told and "[exit 7]" in told, told
    time.sleep(1.2)
    slow(0.0)
    far.ok("note next", "t")
    far.agree()
    assert far.log("m").count(b'"late"') == 1 and far.log("m").count(b"\n") == 21


def test_who_may_not_come_in(far: Evening, server: Any) -> None:
    """Another role, another key of ssh: said as such (6); nothing that the server said is shown."""
    if isinstance(server, Git):
        script = far.folder / "no"
        script.write_text("echo 'hunter2@here: Permission denied (publickey).' >&2\nexit 255\n")
        far.stage.patch.setenv("GIT_SSH_COMMAND", f"sh {script}")
    else:
        wired = far.folder / "t" / "log.jsonl.wire"
        wired.write_text(wired.read_text().replace("user=host", "user=hunter2"))
    told = far.hl("note x", "t")
    assert "[wire.denied]" in told and "[exit 6]" in told and "hunter2:" not in told, told
    assert "does not let this machine in" in told and "this is the mirror as of" in far.ok("status", "t")


def test_an_hour_without_a_network(far: Evening, server: Any) -> None:
    """Theo leaves, both go on for an hour, and he comes back with `clone` and `join`: nothing is lost, nothing is late,
    and nothing is contested but what is."""
    far.ok("unshare --yes", "t")
    far.stage.now += HOUR
    far.ok("trade gil B8 ann B1", "t")
    far.ok("note alone", "t")
    far.ok("note meanwhile", "m")
    far.ok(f"clone '{far.url}' back < key", "")
    assert "recorded #21" in far.ok("--as theo join t --yes", "back")
    far.ok("sync", "m")
    assert far.log("m") == far.log("back") and "do not allow" not in far.ok("status", "m")
    told = far.ok("log", "m")
    assert "theo  trade" in told and "alone" in told and "meanwhile" in told


# ---- the evening of docs/two-hosts.md, from the page alone -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.posix
def test_the_evening_of_the_page(stage: Any, server: Any, set_up: None, root: Path) -> None:
    """Two people play far apart: 30 ms there and back, one piece in twenty is lost and sent again, clocks four minutes
    apart. Every command answers as the page says, but for words about clocks; both end alike, nothing contested."""
    stage.patch.setenv("CUT_DELAY", "15")
    stage.patch.setenv("CUT_LOSS", "0.05")
    if not isinstance(server, Git):
        server.proxy.set(delay=0.015, loss=0.05)
    url = server.url("ep5")
    page = (root / "docs" / "two-hosts.md").read_text(encoding="utf-8")
    section = page[page.index("## A shared match") : page.index("## Not a cloud drive")]
    (stage.folder / "games").symlink_to(root / "games")
    shown = url.replace(str(stage.folder), "~")
    for step in console_blocks(section):
        line = "\n".join(step.command)
        if line.startswith("$ git init"):
            continue
        ben = "-g bens" in line or "clone" in line
        stage.now += 4 * 60_000 if ben else 0
        answer = stage.run((line.replace("git+file://$PWD/ledger.git#ep5", f"'{url}'"),))
        stage.now -= 4 * 60_000 if ben else 0
        told = "\n".join(row for row in answer.splitlines() if "clock" not in row)
        claimed = step.answer.replace("git+file://~/ledger.git#ep5", shown)
        assert agrees(claimed, told), f"{line}\n{answer}\n--- the page:\n{claimed}"
    assert "[exit" not in stage.run(("$ hl -g ep5 sync",))
    mirrors = [(stage.folder / name / "log.jsonl").read_bytes() for name in ("ep5", "bens-again")]
    assert mirrors[0] == mirrors[1]
    assert "do not allow" not in stage.run(("$ hl -g ep5 status",))
    assert not re.search("not recorded|unknown", stage.run(("$ hl -g ep5 sync",)))
    if not isinstance(server, Git):
        server.proxy.set(delay=0.0, loss=0.0)
