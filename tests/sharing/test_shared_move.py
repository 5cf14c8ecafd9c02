"""A shared match is moved to another place, with another key: whoever was not told is sent on, and records nothing.

Source: docs/two-hosts.md, "The key"; docs/decisions/0038. By the real commands over each wire, and with a server in
memory for what can go wrong in between.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from events import Body, Damaged, OutcomeUnknown, Refused, create
from events.disk import DISK
from ledger.wire import mirror, sharing
from ledger.wire.mirror import SharedLog
from ledger.wire.protocol import Stored
from ledger.wire.sealing import Sealing, key_of
from ledger.wire.sidecars import PENDING
from tests.support.evening import Evening
from tests.support.servers import Git
from tests.support.shelf import Killed, Shelf, ShelfWire, StoppingDisk

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


class Two:
    """mara and theo share a match at one shelf; there are others."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, *, plain: bool) -> None:
        self.shelves: dict[str, Shelf] = defaultdict(Shelf)
        for module in (mirror, sharing):
            monkeypatch.setattr(module, "wire_to", lambda url, path: ShelfWire(self.shelves[url]))
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        self.plain, self.urls = plain, (f"git+file:///shelf#{n}" for n in count())
        self.path, self.old = str(folder / "m" / "log.jsonl"), next(self.urls)
        create(self.path, [Body("note", NOW, "mara", NOW, {"text": "made"})])
        sharing.share(self.path, self.old, plain=plain)
        self.theo = self.clone(str(folder / "t"))

    def clone(self, folder: str) -> str:
        words = sharing.key_words(self.path)
        found = sharing.find(sharing.shared_at(self.path) or "", folder + "-scratch")
        return sharing.clone(found, key_of(words) if words else b"", folder, "")[0]

    def log(self, path: str, disk: Any = DISK) -> SharedLog:
        log = SharedLog(path, lambda: NOW)
        log.disk = disk
        return log

    def write(self, path: str, text: str) -> None:
        with self.log(path).writing() as writer:
            writer.append([Body("note", NOW, "mara", NOW, {"text": text})])

    def move(self, url: str, disk: Any = DISK) -> None:
        sharing.move(self.log(self.path, disk), url, plain=self.plain)


@pytest.fixture(params=[False, True], ids=["sealed", "plain"])
def two(request: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    return Two(tmp_path, monkeypatch, plain=request.param)


def test_overtaken_while_it_moves(two: Two) -> None:
    """What theo recorded before the place was closed goes along."""
    new = next(two.urls)
    two.shelves[two.old].before_push = [lambda: two.write(two.theo, "quicker")]
    two.move(new)
    assert len(two.shelves[new].rows) == 2 and len(two.shelves[two.old].rows) == 3
    assert Path(two.path).read_bytes() == Path(two.theo).read_bytes()
    with pytest.raises(Refused, match="has moved"):
        two.write(two.theo, "late")
    two.write(two.path, "after")


def test_killed_while_it_moves(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """At each call to the disk, or when a push has gone through or got no answer: the same command again comes to the
    same end, and each entry is at both places, once."""
    disk = StoppingDisk(10_000)
    monkeypatch.setattr(sharing, "DISK", disk)
    faults = [(which, fault) for which in ("new", "old") for fault in ("killed", "cut", "lost")]
    ended, stopped = False, 0
    for at in range(1, 200):
        old, new = str(sharing.shared_at(two.path)), next(two.urls)
        which, fault = faults.pop() if faults else ("", "")
        two.shelves[new if which == "new" else old].faults = [fault] if fault else []
        disk.at, disk.calls = 10_000 if fault else at - 6, 0
        try:
            two.move(new, disk)
            ended = not fault
        except (Killed, OutcomeUnknown):
            stopped += 1
        disk.at = 10_000
        if sharing.shared_at(two.path) != new:
            two.move(new)
        entries = Path(two.path).read_bytes().count(b"\n")
        assert len(two.shelves[new].rows) == entries and len(two.shelves[old].rows) == entries + 1
        two.write(two.path, f"after {at}")
        if ended:
            break
    assert ended and stopped > 15
    two.clone(str(Path(two.path).parent.parent / "last"))


def test_interrupted_and_then_to_another_place(two: Two) -> None:
    """Once the old place is closed, the match is where its mark says, whatever is typed then; before, it is not."""
    first, second, third = next(two.urls), next(two.urls), next(two.urls)
    two.shelves[two.old].faults = ["lost"]
    with pytest.raises(OutcomeUnknown):
        two.move(first)
    two.shelves[two.old].faults = ["killed"]
    with pytest.raises(Killed):
        two.move(second)
    sharing.move(two.log(two.path), third, plain=not two.plain)
    assert sharing.shared_at(two.path) == second and not two.shelves[third].rows
    assert bool(sharing.key_words(two.path)) != two.plain
    with pytest.raises(Refused) as told:
        two.write(two.theo, "late")
    assert second in told.value.fix
    two.write(two.path, "on")


def test_in_doubt_when_it_moved(two: Two) -> None:
    """Theo's entry got no answer before: whether it was recorded is told with the move, and it is settled."""
    for fault in ("lost", "cut"):
        log = two.log(two.theo)
        two.shelves[two.old].faults = [fault]
        with pytest.raises(OutcomeUnknown), log.writing() as writer:
            writer.append([Body("note", NOW, "theo", NOW, {"text": fault})])
        kept = len(two.shelves[two.old].rows)
        two.move(new := next(two.urls))
        with pytest.raises(Refused) as told:
            two.write(two.theo, "late")
        assert ("NOT recorded" in told.value.host_only) == (fault == "lost") and "(note)" in told.value.host_only
        assert not Path(two.theo + PENDING).exists() and len(two.shelves[two.old].rows) == kept + 1
        two.old, two.theo = new, two.clone(f"{Path(two.theo).parent}-{fault}")


def test_what_is_no_mark(two: Two) -> None:
    """A mark of another place in the log, one in the middle, one that names nothing: damage, and nobody is sent on."""
    two.write(two.path, "second")
    rows = two.shelves[two.old].rows
    sealing, head = Sealing(key_of(words) if (words := sharing.key_words(two.path)) else b""), rows[-1].hash
    good = sealing.mark(head, "git+file:///shelf#9")
    for bad in (
        [sealing.mark("e" * 64, "git+file:///shelf#9")],
        [good, good],
        [sealing.stored(b'"half\n', "e" * 64)],
        [Stored("e" * 64, good.data)],
    ):
        rows[2:] = bad
        with pytest.raises(Damaged) as told:
            two.write(two.theo, "x")
        assert told.value.code == "wire.damaged"
    rows[2:] = [good]
    with pytest.raises(Refused):
        two.write(two.theo, "x")
