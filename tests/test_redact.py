"""Redacted copies: the same head for every audience, and nothing opened that it may not know. Design section 4."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from events import LogFile, read_body
from games.registry import names
from ledger.audit import verify
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.match import Match


def hl(*words: str) -> int:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run(list(words), App())


@pytest.fixture(scope="module", params=names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundled match, played to its end, with a remark that nobody but hosts may read, and two texts posted."""
    folder = tmp_path_factory.mktemp("redact") / request.param
    assert hl("demo", request.param, "--into", str(folder)) == 0
    host = Match(str(folder / "log.jsonl")).table.hosts[0]
    where = ("-g", str(folder), "--as", host)
    assert hl(*where, "note", "CANARY 731905518264") == 0
    for _ in range(2):
        from ledger.outbox import desk

        item = desk(Match(str(folder / "log.jsonl"))).waiting[0]
        assert hl(*where, "outbox", "done", item.name) == 0
    return folder


def opened(path: Path) -> list[dict[str, Any]]:
    """The bodies of the open lines of a copy."""
    return [read_body(line.body)._asdict() for line in LogFile(path).scan([]) if line.body is not None]


def audiences(folder: Path) -> list[str]:
    return ["public", *Match(str(folder / "log.jsonl")).table.seats]


def test_every_copy_has_the_same_head_and_verifies(played: Path, tmp_path: Path) -> None:
    head = Match(str(played / "log.jsonl")).book.head
    for audience in audiences(played):
        target = tmp_path / f"{audience}.jsonl"
        assert hl("-g", str(played), "redact", "--for", audience, "-o", str(target)) == 0
        found = verify(str(target), receipts=[head])
        assert found.ok, found.findings
        assert found.head == head
        assert target.stat().st_mode & 0o777 == 0o600


HOSTS_ONLY = frozenset({"note", "ruling", "override", "deal", "breach", "seed", "join"})
"""Shared entries that nobody but a host may open, in any game that shows no dealt hands."""


def test_nothing_is_opened_that_the_audience_may_not_know(played: Path, tmp_path: Path) -> None:
    """What everybody may open names no secret; what a player may open besides is about him. Every game and audience.

    That nothing opened depends on what is hidden is shown with varied pairs: test_secrecy_*.py, secrecy/harness.py.
    """
    public: list[dict[str, Any]] = []
    for audience in audiences(played):
        target = tmp_path / f"{audience}.jsonl"
        assert hl("-g", str(played), "redact", "--for", audience, "-o", str(target)) == 0
        assert b"CANARY" not in target.read_bytes()
        bodies = opened(target)
        assert not [body for body in bodies if body["do"] in HOSTS_ONLY]
        if audience == "public":
            public = bodies
        for body in bodies:
            if body["do"] == "posted":
                assert body["args"]["audience"] in (audience, "public"), body
            elif "target" in body["args"]:
                assert "body" in json.loads(target.read_bytes().splitlines()[body["args"]["target"] - 1]), body
            elif body not in public:
                assert audience in _texts(body["args"]), body
    for body in public:
        assert body["do"] not in ("hand", "seat", "lock", "recolour", "bid", "power", "trade", "offer", "vote"), body


def _texts(value: Any) -> set[str]:
    """Every text in the arguments."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return {text for part in parts for text in _texts(part)}


def test_the_open_lines_prove_what_they_say_and_the_closed_ones_hold_nothing(played: Path, tmp_path: Path) -> None:
    """Seals by hand; and a closed line is its number, the last hash, its seal: no salt with which to try a guess."""
    whole = (played / "log.jsonl").read_bytes().splitlines(keepends=True)
    for audience in audiences(played):
        target = tmp_path / f"{audience}.jsonl"
        assert hl("-g", str(played), "redact", "--for", audience, "-o", str(target)) == 0
        lines = target.read_bytes().splitlines(keepends=True)
        assert len(lines) == len(whole) and any(line != full for line, full in zip(lines, whole, strict=True))
        for line, full in zip(lines, whole, strict=True):
            row = json.loads(line)
            if "body" in row:
                body = line[line.index(b',"body":') + 8 : -2]
                assert hashlib.sha256(f"{row['salt']}\n".encode() + body).hexdigest() == row["seal"]
                assert line == full
            else:
                assert set(row) == {"seq", "prev", "seal"} and len(line) < 170
                assert json.loads(full)["salt"].encode() not in target.read_bytes()


def test_a_player_finds_his_own_entries_opened(played: Path, tmp_path: Path) -> None:
    """Otherwise a copy with every line closed would pass."""
    player = audiences(played)[1]
    target = tmp_path / "mine.jsonl"
    assert hl("-g", str(played), "redact", "--for", player, "-o", str(target)) == 0
    done = {body["do"] for body in opened(target)}
    assert {"create", "seat", "open"} < done
    assert done & {"trade", "bid", "submit"}


def test_the_hosts_are_refused_and_no_file_is_overwritten(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.jsonl"
    assert hl("-g", str(played), "redact", "--for", "host", "-o", str(target)) == 2
    target.write_text("mine")
    assert hl("-g", str(played), "redact", "--for", "public", "-o", str(target)) == 2
    assert target.read_text() == "mine"
    assert hl("-g", str(played), "redact", "--for", "public", "-o", str(target), "--overwrite") == 0


def test_an_amend_is_opened_only_to_who_may_know_both_readings(tmp_path: Path) -> None:
    """A trade of Ann and Bob that was one of Ann and Cyd: Bob opens the entry, and not what it is now."""
    from ledger.redact import may_open

    folder = tmp_path / "m"
    assert hl("demo", "equilibrium", "--into", str(folder)) == 0
    where = ("-g", str(folder), "--as", "mara")
    assert hl(*where, "undo", "67", "--yes") == 0
    match = Match(str(folder / "log.jsonl"))
    trade = next(e for e in match.book.entries if e.body.do == "trade" and e.body.args["b"] == "bob")
    assert hl(*where, "amend", str(trade.seq), "b=eve", "take=R3", "--yes") == 0
    match = Match(str(folder / "log.jsonl"))
    amend = match.book.entries[-1].seq
    assert match.book.entries[-1].body.do == "amend"
    assert {p: amend in may_open(match, p) for p in ("ann", "bob", "eve", "public")} == {
        "ann": True,
        "bob": False,
        "eve": False,
        "public": False,
    }


def test_full_finds_closed_lines_and_receipts_are_read_from_a_text(played: Path, tmp_path: Path) -> None:
    """Issue: --full, --receipts FILE: a saved chat with the heads that were posted."""
    target, chat = tmp_path / "copy.jsonl", tmp_path / "chat.txt"
    head = Match(str(played / "log.jsonl")).book.head
    assert hl("-g", str(played), "redact", "--for", "public", "-o", str(target)) == 0
    assert hl("-g", str(target), "verify") == 0
    assert hl("-g", str(target), "verify", "--full") == 4
    assert hl("-g", str(played), "verify", "--full") == 0
    chat.write_text(f"mara: the receipt of tonight is {head.upper()}, good night")
    assert hl("-g", str(target), "verify", "--receipts", str(chat)) == 0
    chat.write_text(f"mara: {head}\nben: {'0' * 64}")
    assert hl("-g", str(target), "verify", "--receipts", str(chat)) == 4
    chat.write_text("nothing here")
    assert hl("-g", str(target), "verify", "--receipts", str(chat)) == 2
