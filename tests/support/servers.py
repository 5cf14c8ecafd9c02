"""The servers between hosts, each behind a proxy: a PostgreSQL of the system's package, a store that speaks S3.

No root, no port that others know, a data folder of their own. Where one is not installed, the test is left out, with
words.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.proxy import Proxy

INITDB = next(
    filter(None, (shutil.which("initdb"), *sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))[::-1])), None
)
NOBODY = 65534
TABLE = (
    "create table host_ledger_lines (match text not null, seq integer not null check (seq > 0), hash text not null, "
    "data text not null, primary key (match, seq)); grant select, insert on host_ledger_lines to host"
)
HARMS = {
    "end": "wire.behind", "all": "wire.behind", "hash": "wire.other", "data": "wire.key_other", "gap": "wire.gaps",
}  # fmt: skip
"""What a server can do to lines from number 20 on, one a command -> the code by which it is found."""


class Postgres:
    """Its socket lies in `folder`; `proxy` leads there."""

    wire = "ledger.wire.postgres.PostgresWire"

    def __init__(self, folder: Path) -> None:
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
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
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

    def held(self, name: str) -> list[tuple[int, str, str]]:
        """(number, hash, data) of each line that the server holds."""
        import psycopg

        with psycopg.connect(f"host={self.folder} dbname=club user=owner") as db:
            query = "select seq, hash, data from host_ledger_lines where match = %s order by seq"
            return db.execute(query, (name,)).fetchall()

    def harm(self, name: str, how: str) -> None:
        """See HARMS."""
        lines = f"host_ledger_lines where match = '{name}' and"
        self.sql({
            "end": f"delete from {lines} seq > 19",
            "all": f"delete from {lines} seq > 0",
            "hash": f"update host_ledger_lines set hash = repeat('e', 64) where match = '{name}' and seq = 20",
            "data": f"update host_ledger_lines set data = 'AAAA' where match = '{name}' and seq = 21",
            "gap": f"delete from {lines} seq = 21",
        }[how])  # fmt: skip


ONE_AT_A_TIME = """
import threading
from moto import server
held = threading.Lock()
class Locked(server.DomainDispatcherApplication):
    def __call__(self, *asked):
        with held:
            return list(super().__call__(*asked))
server.DomainDispatcherApplication = Locked
server.main(["-p", "0"])
"""
"""moto looks whether a name is there, and then creates it; where its threads change places in between, two are told
that they created it. A store must not do that, so here it answers one request after the other."""


class S3:
    """moto's server, which keeps everything in memory and honours conditional writes."""

    wire = "ledger.wire.s3.S3Wire"

    def __init__(self, folder: Path) -> None:
        pytest.importorskip("obstore", reason="obstore is not installed")
        if importlib.util.find_spec("moto") is None or importlib.util.find_spec("flask") is None:
            pytest.skip("no S3 server is installed here: moto[server]")
        said = folder / "moto.log"
        with said.open("wb") as log:
            words = [sys.executable, "-c", ONE_AT_A_TIME]
            self.process = subprocess.Popen(words, stdout=log, stderr=log)
        until = time.monotonic() + 60
        while not (found := re.search(r"127\.0\.0\.1:(\d+)", said.read_text())) and time.monotonic() < until:
            time.sleep(0.05)
        assert found, said.read_text()
        self.near = int(found[1])
        self.proxy = Proxy(self.near)
        self.env = {
            "AWS_ACCESS_KEY_ID": "host", "AWS_SECRET_ACCESS_KEY": "host", "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.proxy.port}",
        }  # fmt: skip
        put = f"import urllib.request as r; r.urlopen(r.Request('http://127.0.0.1:{self.near}/club', method='PUT'))"
        subprocess.run([sys.executable, "-c", put], check=True)

    def url(self, name: str, *, far: bool = True) -> str:
        """Of a match. The way there is in `env`."""
        return f"s3://club/ledger#{name}"

    def start(self) -> None:
        self.proxy.set(down=False)

    def stop(self) -> None:
        self.proxy.set(down=True)

    def close(self) -> None:
        self.proxy.close()
        self.process.terminate()
        self.process.wait()

    @property
    def _store(self) -> Any:
        from obstore.store import S3Store

        return S3Store(
            "club", endpoint=f"http://127.0.0.1:{self.near}", client_options={"allow_http": True}, region="us-east-1",
            access_key_id="host", secret_access_key="host",
        )  # fmt: skip

    def objects(self, name: str) -> dict[str, bytes]:
        """Each key and what it holds."""
        store = self._store
        keys = sorted(one["path"] for some in store.list(f"ledger/{name}") for one in some)
        return {key: bytes(store.get(key).bytes()) for key in keys}

    def held(self, name: str) -> list[tuple[int, str, str]]:
        lines = [line for data in self.objects(name).values() for line in data.decode().splitlines()[1:]]
        return [(seq, *line.split(" ", 1)) for seq, line in enumerate(lines, 1)]  # type: ignore[misc]

    def harm(self, name: str, how: str) -> None:
        """See HARMS."""
        for key, data in self.objects(name).items():
            first = int(key[-9:])
            if (how == "end" and first > 19) or how == "all" or (how == "gap" and first == 21):
                self._store.delete(key)
            elif (how, first) in (("hash", 20), ("data", 21)):
                head, line = data.decode().splitlines()
                hash_, kept = line.split(" ", 1)
                line = f"{'e' * 64} {kept}" if how == "hash" else f"{hash_} AAAA"
                self._store.put(key, f"{head}\n{line}\n".encode())


SERVERS = {"postgres": Postgres, "s3": S3}
