"""The servers between hosts: a bare repository; behind a proxy a PostgreSQL of the system's.

No root, no port that others know, a data folder of their own. Where one is not installed, the test is left out, with
words.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.proxy import Proxy

INITDB = next(
    filter(None, (shutil.which("initdb"), *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))[::-1])), None
)
NOBODY = 65534
SSH = Path(__file__).resolve().parents[1] / "reliability" / "cutting_ssh.py"
TABLE = (
    "create table host_ledger_lines (match text not null, seq integer not null check (seq > 0), hash text not null, "
    "data text not null, primary key (match, seq)); grant select, insert on host_ledger_lines to host"
)
HARMS = {
    "end": {"wire.behind"}, "all": {"wire.behind"}, "hash": {"wire.other"}, "data": {"wire.key_other"},
    "gap": {"wire.gaps", "wire.damaged"}, "order": {"wire.damaged"}, "mixed": {"wire.key_other"},
}  # fmt: skip
"""What a server can do to lines from number 20 on -> the codes by which it is found."""
Row = tuple[int, str, str]
"""Number, hash, and what the server keeps of a line."""


def harmed(rows: list[Row], how: str, others: list[Row]) -> list[Row]:
    """The lines as such a server has them. `others`: those of another match."""
    rows = list(rows)
    match how:
        case "end":
            return rows[:19]
        case "all":
            return []
        case "hash":
            rows[19] = (20, "e" * 64, rows[19][2])
        case "data":
            rows[20] = (21, rows[20][1], "AAAA")
        case "gap":
            del rows[20]
        case "order":
            rows[20], rows[21] = (21, *rows[21][1:]), (22, *rows[20][1:])
        case "mixed":
            rows[20] = (21, *others[-1][1:])
    return rows


class Git:
    """A bare repository, reached by an ssh of our own (tests/reliability/cutting_ssh.py) or as a folder."""

    wire = "ledger.wire.git.GitWire"

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "srv.git"
        self.env = {"GIT_SSH_COMMAND": f"{sys.executable} -I -S -E {SSH}", "GIT_SSH_VARIANT": "ssh"}
        self.git("init", "-q", "--bare", str(self.repo))

    def git(self, *words: str, given: bytes = b"") -> bytes:
        where = [] if words[0] == "init" else ["-C", str(self.repo)]
        return subprocess.run(["git", *where, *words], check=True, input=given, stdout=subprocess.PIPE).stdout

    def url(self, name: str, *, far: bool = True) -> str:
        return f"git+{'ssh://here' if far else 'file://'}{self.repo}#{name}"

    def held(self, name: str) -> list[Row]:
        commits = self.git("rev-list", "--reverse", f"host-ledger/{name}").decode().split()
        lines = b"".join(self.git("show", f"{commit}:lines") for commit in commits).decode().splitlines()
        return [(seq, *line.split(" ", 1)) for seq, line in enumerate(lines, 1)]  # type: ignore[misc]

    def put(self, name: str, rows: list[Row]) -> None:
        """Let it hold these and no others: one commit."""
        if not rows:
            self.git("update-ref", "-d", f"refs/heads/host-ledger/{name}")
            return
        blob = self.git("hash-object", "-w", "--stdin", given="".join(f"{h} {d}\n" for _, h, d in rows).encode())
        tree = self.git("mktree", given=f"100644 blob {blob.decode().strip()}\tlines\n".encode()).decode().strip()
        who = "host-ledger <host-ledger@invalid> 946684800 +0000"
        text = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nhost-ledger 1-{len(rows)}\n"
        commit = self.git("hash-object", "-t", "commit", "-w", "--stdin", given=text.encode()).decode().strip()
        self.git("update-ref", f"refs/heads/host-ledger/{name}", commit)

    def start(self) -> None:
        self.repo.with_suffix(".away").rename(self.repo)

    def stop(self) -> None:
        self.repo.rename(self.repo.with_suffix(".away"))

    def close(self) -> None:
        """Nothing runs."""


class Postgres:
    """Its socket is in `folder`; `proxy` leads there.

    Args:
        durable: Does it flush each commit to the disk (`fsync`)? The tests kill the server and never the machine, so
            they do without; whoever measures must not.
    """

    wire = "ledger.wire.postgres.PostgresWire"

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.durable = durable
        pytest.importorskip("psycopg", reason="psycopg is not installed")
        if INITDB is None:
            pytest.skip("no PostgreSQL is installed here")
        self.folder, self.programs = folder, os.path.dirname(os.path.realpath(INITDB))
        self.env: dict[str, str] = {}
        self.as_root = os.geteuid() == 0
        if self.as_root:
            os.chown(folder, NOBODY, NOBODY)
        self.run("initdb", "-D", f"{folder}/data", "-U", "owner", "-A", "trust", "--no-sync")
        self.start()
        self.proxy = Proxy(f"{folder}/.s.PGSQL.5432")
        self.sql("create role host login; create database club owner owner", "postgres")
        self.sql(TABLE)

    def url(self, name: str, *, far: bool = True) -> str:
        """Of a match; `far`: by way of the proxy."""
        place = f"127.0.0.1:{self.proxy.port}/club?" if far else f"/club?host={self.folder}&"
        return f"postgresql://{place}user=host#{name}"

    def run(self, program: str, *words: str) -> None:
        """One of the server's programs, never as root: it refuses."""
        user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if self.as_root else {}
        whole = [f"{self.programs}/{program}", *words]
        subprocess.run(whole, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **user)

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses= -c fsync={'on' if self.durable else 'off'}"
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", how, "-w", "stop")

    def close(self) -> None:
        self.proxy.close()
        self.stop("fast")

    def sql(self, text: str, database: str = "club", user: str = "owner") -> str:
        """What a query gives; several stand with `;` between them."""
        import psycopg

        with psycopg.connect(f"host={self.folder} dbname={database} user={user}", autocommit=True) as db:
            told = [db.execute(one) for one in text.split("; ")][-1]
            return "\n".join(map(str, told.fetchall())) + "\n" if told.description else ""

    def held(self, name: str) -> list[Row]:
        """(number, hash, data) of each line that the server holds."""
        import psycopg

        with psycopg.connect(f"host={self.folder} dbname=club user=owner") as db:
            query = "select seq, hash, data from host_ledger_lines where match = %s order by seq"
            return db.execute(query, (name,)).fetchall()

    def put(self, name: str, rows: list[Row]) -> None:
        """Let it hold these and no others."""
        import psycopg

        with psycopg.connect(f"host={self.folder} dbname=club user=owner") as db:
            db.execute("delete from host_ledger_lines where match = %s", (name,))
            for row in rows:
                db.execute("insert into host_ledger_lines values (%s, %s, %s, %s)", (name, *row))


SERVERS = {"postgres": Postgres}
WIRES: dict[str, Any] = {"git": Git, **SERVERS}


@contextmanager
def opened(name: str) -> Iterator[Any]:
    """The server of that name, in a folder of its own, until it is no longer wanted."""
    with tempfile.TemporaryDirectory(prefix="srv") as place:  # a short path: a socket's name has 107 bytes
        found = WIRES[name](Path(place))
        try:
            yield found
        finally:
            found.close()
