"""A shared match over a real PostgreSQL: the system's package, a data folder of its own, no network port, no root.

Left out, and said so, where there is no `initdb` or no psycopg. Run by `make shared`.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.support.evening import Evening

pytestmark = pytest.mark.slow
PROGRAMS = (shutil.which("initdb"), *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), reverse=True))
INITDB = next(filter(None, PROGRAMS), None)
NOBODY = 65534


class Postgres:
    """A server that is started and stopped; its socket lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        assert INITDB is not None
        self.folder, self.programs = folder, os.path.dirname(os.path.realpath(INITDB))
        self.as_root = os.geteuid() == 0
        if self.as_root:
            os.chown(folder, NOBODY, NOBODY)
        self.run("initdb", "-D", f"{folder}/data", "-U", "owner", "-A", "trust", "--no-sync")
        self.start()
        self.url = f"postgresql:///club?host={folder}&user=host"

    def run(self, program: str, *words: str) -> None:
        """One of the server's programs, never as root: it refuses."""
        user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if self.as_root else {}
        whole = [f"{self.programs}/{program}", *words]
        subprocess.run(whole, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **user)

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", how, "-w", "stop")

    def sql(self, text: str, database: str = "club", user: str = "owner") -> str:
        """What a query gives; several stand with `;` between them."""
        import psycopg

        with psycopg.connect(f"host={self.folder} dbname={database} user={user}", autocommit=True) as db:
            told = [db.execute(one) for one in text.split("; ")][-1]
            return "\n".join(map(str, told.fetchall())) + "\n" if told.description else ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    pytest.importorskip("psycopg")
    if INITDB is None:
        pytest.skip("no PostgreSQL here")
    import tempfile

    with tempfile.TemporaryDirectory(prefix="pg") as place:  # a short path: a socket's name has 107 bytes
        found = Postgres(Path(place))
        try:
            found.sql("create role host login; create database club owner owner", "postgres")
            found.sql(TABLE)
            yield found
        finally:
            found.stop("fast")


TABLE = (
    "create table host_ledger_lines (match text not null, seq integer not null check (seq > 0), hash text not null, "
    "data text not null, primary key (match, seq)); grant select, insert on host_ledger_lines to host"
)


NAMES = (f"ep{n}" for n in count(1))


@pytest.fixture
def evening(stage: Any, server: Postgres) -> Evening:
    return Evening(stage, url=f"{server.url}#{next(NAMES)}")


def test_two_hosts_in_turn(evening: Evening, server: Postgres) -> None:
    """Both logs are the same bytes; the server can read none of it; a host's role can neither change nor delete."""
    import psycopg

    evening.ok("trade gil B8 ann B1 --note twice", "t")
    assert "recorded #22" in evening.ok("recolour gil B1", "m")
    evening.agree()
    held = server.sql("select * from host_ledger_lines")
    assert held.count("\n") >= 22 and not any(word in held for word in ("gil", "mara", "recolour", "seal"))
    for text in ("delete from host_ledger_lines", "update host_ledger_lines set data = 'x'"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.sql(text, user="host")


def test_overtaken(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decided anew and refused, with what the quicker host did; another is recorded behind it."""
    from ledger.wire.postgres import PostgresWire

    real, left = PostgresWire.push, [lambda: evening.ok("trade gil B8 ann B1", "t")]

    def push(self: PostgresWire, *args: Any) -> None:
        if left:
            left.pop()()
        real(self, *args)

    monkeypatch.setattr(PostgresWire, "push", push)
    told = evening.hl("trade ann B1 bob B3", "m")
    assert "[exit 3]" in told and "host only: theo recorded #20" in told
    left.append(lambda: evening.ok("note x", "t"))
    assert "recorded #22" in evening.ok("note y", "m")
    evening.agree()


def test_the_answer_is_lost(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends right after, or right before the insert is kept: the answer is true."""
    from ledger.wire import postgres

    for late in (True, False):
        real = postgres.PostgresWire._connected
        used: list[int] = []

        from contextlib import contextmanager

        @contextmanager
        def cut(self: Any, wait: float, real: Any = real, used: Any = used, late: bool = late) -> Iterator[Any]:
            with real(self, wait) as db:

                class Cut:
                    def execute(self, query: str, given: object = None) -> Any:
                        if query is not postgres._PUSH or used:
                            return db.execute(query, given)
                        used.append(1)
                        if late:
                            db.execute(query, given)
                        raise postgres._psycopg().OperationalError("cut")

                yield Cut()

        with monkeypatch.context() as patch:
            patch.setattr(postgres.PostgresWire, "_connected", cut)
            told = evening.hl(f"note {late}", "m")
        assert used and ("[exit" not in told if late else "[exit 7]" in told)
        evening.agree()
        assert evening.log("m").count(b"\n") == (20 if late else 21)


def test_the_server_is_killed_and_comes_back(evening: Evening, server: Postgres) -> None:
    """While it is away nothing is recorded, and reads answer; what was answered before is still there."""
    evening.ok("note before", "m")
    server.stop()
    told = evening.hl("note during", "m")
    assert "wire.unreachable" in told and "[exit 6]" in told
    assert "this is the mirror as of" in evening.ok("status", "t")
    server.start()
    evening.ok("note after", "t")
    evening.agree()


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("delete from host_ledger_lines where match = '{}' and seq > 19", "wire.behind"),
        ("delete from host_ledger_lines where match = '{}'", "wire.behind"),
        ("update host_ledger_lines set hash = repeat('e', 64) where match = '{}' and seq = 20", "wire.other"),
        ("update host_ledger_lines set data = 'AAAA' where match = '{}' and seq = 21", "wire.key_other"),
        ("delete from host_ledger_lines where match = '{}' and seq = 21", "wire.gaps"),
    ],
)
def test_a_server_that_loses_or_changes_lines(evening: Evening, server: Postgres, what: str, code: str) -> None:
    """Found by the next command; what was lost from the end is put back."""
    evening.ok("note one", "m")
    evening.ok("sync", "t")
    if "21" in what:
        evening.ok("note two", "m")
        evening.ok("note three", "m")
    server.sql(what.format(evening.url.partition("#")[2]))
    told = evening.hl("note x", "t")
    assert code in told and "[exit 4]" in told
    assert "this is the mirror" in evening.ok("status", "t")
    if code == "wire.behind":
        assert "put back" in evening.ok("sync --restore", "t")
        evening.agree()
