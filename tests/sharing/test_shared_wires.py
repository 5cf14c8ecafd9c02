"""A shared match over every wire: a bare repository, and real servers, each behind a proxy.

What only git does is in test_shared.py. Left out, and said so, where a server is not installed
(tests/support/servers.py).
"""

from __future__ import annotations

import importlib
from itertools import count
from typing import Any

import pytest

from tests.support.evening import Evening
from tests.support.servers import HARMS, Git, Postgres, harmed

NAMES = (f"ep{n}" for n in count(1))


@pytest.fixture
def evening(stage: Any, server: Any) -> Evening:
    for name, value in server.env.items():
        stage.patch.setenv(name, value)
    return Evening(stage, url=url_of(server))


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
    """Decided anew and refused, with what the quicker host did; another is recorded behind it. A batch of two on the
    way while somebody records three, and the other way round, mix in no case."""
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
