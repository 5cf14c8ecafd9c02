"""A shared match is moved to another place, with another key: whoever was not told is sent on, and records nothing.

Source: docs/two-hosts.md, "The key"; docs/decisions/0038. By the real commands over each wire, and with a server in
memory for what can go wrong in between.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from events import Damaged, OutcomeUnknown, Refused
from events.disk import DISK
from ledger.wire import sharing
from ledger.wire.protocol import Stored
from ledger.wire.sidecars import PENDING
from tests.support.evening import Evening
from tests.support.servers import Git
from tests.support.shelf import URL, Hosts, Killed, StoppingDisk

NAMES = (f"ep{n}" for n in count(1))
NOW = 1_795_000_000_000


@pytest.mark.parametrize("plain", [False, True], ids=["sealed", "plain"])
def test_a_match_that_moved(stage: Any, server: Any, plain: bool) -> None:
    """Theo's next command says so, with exit 3, and writes nothing; what he only reads is the mirror. With the new key
    he goes on; the old one opens nothing there."""
    for name, value in server.env.items():
        stage.patch.setenv(name, value)
    far = not isinstance(server, Git)
    evening = Evening(stage, plain=plain, url=server.url(next(NAMES), far=far))
    new = server.url(next(NAMES), far=far)
    evening.ok("note before", "m")
    told = evening.ok(f"share '{new}' --move --yes" + (" --plain" if plain else ""), "m")
    assert "closed: anybody who records at" in told and "from now on" in told
    before = evening.log("t")
    for line in ("note lost", "trade gil B8 ann B1", "sync", "sync"):
        told = evening.hl(line, "t")
        assert "[wire.closed]" in told and "[exit 3]" in told and "clone '" in told and new.rpartition("#")[2] in told
    assert evening.log("t") == before + evening.log("m").splitlines(keepends=True)[-1], "what was recorded before came"
    told = evening.ok("status", "t")
    assert "this match has moved" in told and "this is the mirror" in told and "hl clone" in told
    assert "[wire.closed]" in evening.hl(f"clone '{evening.url}' again < key", "")
    assert not (evening.folder / "again").exists()
    if not plain:
        assert "[wire.key_other]" in evening.hl(f"clone '{new}' again < key", "")
    evening.ok("share --key > key2", "m")
    evening.ok(f"clone '{new}' t2 < key2", "")
    evening.ok("--as theo note after", "t2")
    evening.ok("sync", "m")
    assert evening.log("m") == evening.log("t2") and evening.log("m").count(b"\n") == 21
    assert b"lost" not in evening.log("m")
    assert "verified: 21 entries" in evening.ok("verify", "m")


def test_where_it_cannot_be_moved_to(stage: Any) -> None:
    """To where it is, from where it is not, where another match is; and not without a yes."""
    evening = Evening(stage)
    assert "wire.taken" in evening.hl(f"share {evening.url} --move --yes", "m")
    told = evening.hl(f"share {evening.url}b --move", "m")
    assert "[exit 5]" in told and "record nothing until" in told
    told = evening.hl(f"share {evening.url}b", "m")
    assert "wire.shared" in told and "--move" in told
    evening.ok("unshare --yes", "t")
    assert "wire.not_shared" in evening.hl(f"share {evening.url}b --move --yes", "t")
    evening.ok("note alone", "t")
    evening.ok(f"share {evening.url}b", "t")
    assert "wire.taken" in evening.hl(f"share {evening.url}b --move --yes", "m")
    evening.ok("note on", "m")


class Two(Hosts):
    """mara and theo share a match at one shelf; there are others."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, *, plain: bool) -> None:
        super().__init__(folder, patch, plain=plain)
        self.urls = (f"{URL}-{n}" for n in count())
        self.join("theo")

    def move(self, url: str, disk: Any = DISK) -> None:
        sharing.move(self.log("mara", disk), url, plain=self.plain)


@pytest.fixture(params=[False, True], ids=["sealed", "plain"])
def two(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    return Two(tmp_path, monkeypatch, plain=request.param)


def test_overtaken_while_it_moves(two: Two) -> None:
    """What theo recorded before the place was closed goes along."""
    new = next(two.urls)
    two.shelf.before_push = [lambda: two.write("theo", "quicker")]
    two.move(new)
    assert len(two.shelves[new].rows) == 2 and len(two.shelves[URL].rows) == 3
    assert Path(two.paths["mara"]).read_bytes() == Path(two.paths["theo"]).read_bytes()
    with pytest.raises(Refused, match="has moved"):
        two.write("theo", "late")
    two.write("mara", "after")


def test_killed_while_it_moves(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """At each call to the disk, or when a push has gone through or got no answer: the same command again comes to the
    same end, and each entry is at both places, once."""
    disk = StoppingDisk(10_000)
    monkeypatch.setattr(sharing, "DISK", disk)
    faults = [(which, fault) for which in ("new", "old") for fault in ("killed", "cut", "lost")]
    ended, stopped = False, 0
    for at in range(1, 200):
        old, new = two.url, next(two.urls)
        which, fault = faults.pop() if faults else ("", "")
        two.shelves[new if which == "new" else old].faults = [fault] if fault else []
        disk.at, disk.calls = 10_000 if fault else at - 6, 0
        try:
            two.move(new, disk)
            ended = not fault
        except (Killed, OutcomeUnknown):
            stopped += 1
        disk.at = 10_000
        if two.url != new:
            two.move(new)
        entries = Path(two.paths["mara"]).read_bytes().count(b"\n")
        assert len(two.shelves[new].rows) == entries and len(two.shelves[old].rows) == entries + 1
        two.write("mara", f"after {at}")
        if ended:
            break
    assert ended and stopped > 15
    two.join("last")


def test_interrupted_and_then_to_another_place(two: Two) -> None:
    """Once the old place is closed, the match is where its mark says, whatever is typed then; before, it is not."""
    first, second, third = next(two.urls), next(two.urls), next(two.urls)
    two.shelf.faults = ["lost"]
    with pytest.raises(OutcomeUnknown):
        two.move(first)
    two.shelf.faults = ["killed"]
    with pytest.raises(Killed):
        two.move(second)
    sharing.move(two.log("mara"), third, plain=not two.plain)
    assert two.url == second and not two.shelves[third].rows
    assert bool(two.key) != two.plain
    with pytest.raises(Refused) as told:
        two.write("theo", "late")
    assert second in told.value.fix
    two.write("mara", "on")


def test_in_doubt_when_it_moved(two: Two) -> None:
    """Theo's entry got no answer before: whether it was recorded is told with the move, and it is settled."""
    for name, fault in (("theo", "lost"), ("again", "cut")):
        old = two.shelf
        old.faults = [fault]
        with pytest.raises(OutcomeUnknown):
            two.write(name, fault)
        kept = len(old.rows)
        two.move(next(two.urls))
        with pytest.raises(Refused) as told:
            two.write(name, "late")
        assert ("NOT recorded" in told.value.host_only) == (fault == "lost") and "(note)" in told.value.host_only
        assert not Path(two.paths[name] + PENDING).exists() and len(old.rows) == kept + 1
        if name == "theo":
            two.join("again")


def test_what_is_no_mark(two: Two) -> None:
    """A mark of another place in the log, one in the middle, one that names nothing: damage, and nobody is sent on."""
    two.write("mara", "second")
    rows, sealing = two.shelf.rows, two.sealing
    good, other = (sealing.mark(place, "git+file:///shelf#9") for place in (rows[-1].hash, "e" * 64))
    half, nothing = sealing.stored(b'"half\n', "e" * 64), Stored("e" * 64, good.data)
    for bad in ([other], [good, good], [half], [nothing]):
        rows[2:] = bad
        with pytest.raises(Damaged) as told:
            two.write("theo", "x")
        assert told.value.code == "wire.damaged"
    rows[2:] = [good]
    with pytest.raises(Refused):
        two.write("theo", "x")
