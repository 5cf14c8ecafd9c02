"""The PostgreSQL wire: one row per line, one statement per command, guarded by the hash of the previous row.

The table is `host_ledger_lines`; its key is (match, seq), so if two commands push the same line number, one of them
fails. A host's role needs only SELECT and INSERT on it; docs/two-hosts.md has the statements for table and role.

Messages of the server are never shown, because they may contain the data sent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

from events.errors import Damaged, NotRecorded
from ledger.core.extras import NotInstalled
from ledger.wire.protocol import Place, Stored, Wire, overtaken

_TABLE = """create table if not exists host_ledger_lines (
    match text not null, seq integer not null check (seq > 0), hash text not null, data text not null,
    primary key (match, seq))"""
_TAIL = "select seq, hash, data from host_ledger_lines where match = %s and seq >= %s order by seq"
_PUSH = """with added as (insert into host_ledger_lines (match, seq, hash, data)
    select %(match)s, %(seq)s + t.place - 1, t.hash, t.data
    from unnest(%(hashes)s::text[], %(rows)s::text[]) with ordinality as t (hash, data, place)
    where %(seq)s = 1 or exists (
        select from host_ledger_lines where match = %(match)s and seq = %(seq)s - 1 and hash = %(prev)s)
    returning seq)
    select count(*), case when count(*) > 0 then pg_notify('host_ledger', %(match)s) end from added"""
MAX_ROWS = 1_000_000


class PostgresWire(Wire):
    """One match in one database. The connection is kept as long as the command runs."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._db: Any = None
        self._listens = False

    def tail(self, seq: int, wait: float) -> list[Stored]:
        rows = self._ask(_TAIL, (self.place.name, seq), wait)
        if [row[0] for row in rows] != list(range(seq, seq + len(rows))) or len(rows) > MAX_ROWS:
            what = "lines of this match are missing on the server, or are there twice"
            raise Damaged("wire.gaps", what, "hl unshare")
        return [Stored(str(row[1]), str(row[2])) for row in rows]

    def push(self, seq: int, prev: str, rows: Sequence[Stored], wait: float) -> None:
        psycopg = _psycopg()
        given = {
            "match": self.place.name, "seq": seq, "prev": prev,
            "hashes": [row.hash for row in rows], "rows": [row.data for row in rows],
        }  # fmt: skip
        try:
            with self._connected(wait) as db:
                if seq == 1:
                    with suppress(psycopg.errors.InsufficientPrivilege):  # somebody else made the table, or the insert
                        db.execute(_TABLE)  # reports what is wrong
                added = db.execute(_PUSH, given).fetchone()[0]
        except psycopg.errors.UniqueViolation:
            added = 0
        except psycopg.Error as error:
            if error.diag.severity_nonlocalized == "ERROR":  # rolled back; FATAL would leave it open
                what = f"nothing was recorded: the server could not keep it (SQLSTATE {error.sqlstate})"
                raise NotRecorded("wire.refused", what, "its own log says why; then run it again") from None
            self.forget()
            return self.settle(seq, rows)
        if added != len(rows) and not self.found(seq, rows):
            raise overtaken()

    def changed(self, wait: float) -> bool:
        """Whether lines were added, now or within `wait` seconds. See `Wire`. Each push notifies all listeners."""
        psycopg = _psycopg()
        try:
            with self._connected(wait + 5.0) as db:
                fresh, self._listens = not self._listens, True
                if fresh:
                    db.execute("listen host_ledger")
                told = [one.payload for one in db.notifies(timeout=wait, stop_after=1)]
                return fresh or self.place.name in told
        except psycopg.Error:
            self.forget()
            raise _no_way("") from None

    def names(self, wait: float) -> list[str]:
        return [str(row[0]) for row in self._ask("select distinct match from host_ledger_lines order by 1", (), wait)]

    def __del__(self) -> None:
        self.forget()

    def forget(self) -> None:
        db, self._db, self._listens = self._db, None, False
        if db is not None:
            db.close()

    def _ask(self, query: str, given: tuple[object, ...], wait: float) -> list[Any]:
        psycopg, kept = _psycopg(), self._db is not None
        try:
            with self._connected(wait) as db:
                rows: list[Any] = db.execute(query, given).fetchall()
                return rows
        except psycopg.errors.UndefinedTable:
            return []
        except psycopg.Error:
            self.forget()
            if kept:  # it may have been closed long ago
                return self._ask(query, given, wait)
            raise _no_way("") from None

    @contextmanager
    def _connected(self, wait: float) -> Iterator[Any]:
        psycopg = _psycopg()
        if self._db is None:
            try:
                self._db = psycopg.connect(self.place.server, connect_timeout=max(2, int(wait)), autocommit=True)
            except psycopg.OperationalError as error:
                raise _no_way(str(error)) from None
        cut = Timer(wait, _cut, (self._db.fileno(),))
        cut.daemon = True
        cut.start()
        try:
            yield self._db
        except psycopg.errors.InsufficientPrivilege:
            what = "nothing was recorded: this role may not read the table on the server, or not add to it"
            raise NotRecorded("wire.denied", what, "grant select, insert on host_ledger_lines to it") from None
        finally:
            cut.cancel()


def _cut(number: int) -> None:
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as other:
        other.shutdown(socket.SHUT_RDWR)


def _no_way(said: str) -> NotRecorded:
    """The error for a failed connection. The server's own message is not shown."""
    signs = ("authentication failed", "no password", "pg_hba", "does not exist", "denied")
    denied = any(sign in said for sign in signs)
    code = "wire.denied" if denied else "wire.unreachable"
    what = "the server does not let this machine in" if denied else "the server does not answer"
    return NotRecorded(code, f"nothing was recorded: {what}", "psql with the same address says why")


def _psycopg() -> Any:
    with NotInstalled("wire.extra", "a match that is shared over PostgreSQL", "postgres"):
        import psycopg
    return psycopg
