"""Single calls to the disk: errors that are told, writing, the lock and the door.

Each of these was written for a mutant that survived (tests/reliability/mutate.py), as those of test_events_details.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import (
    Disk,
    Finding,
    LedgerError,
    LogFile,
    NotRecorded,
    OutcomeUnknown,
    Refused,
    Unreadable,
    create,
)
from events.canon import MAX_DEPTH, dumps, loads
from events.entry import MAX_LINE_BYTES
from tests.support.logs import NOTHING, Scripted, add, behind, body, fails, nested

# ---- errors of the disk, told -------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["head", "read", "scan", "raw_lines", "lines_at"])
def test_a_reader_is_told_of_the_disk_and_of_nothing_recorded(path: Path, way: str) -> None:
    mark = LogFile(path).read().mark
    log = LogFile(path, disk=Scripted(open=fails(errno.EIO)))
    ways: dict[str, Callable[[], Any]] = {
        "head": log.head,
        "read": log.read,
        "scan": lambda: list(log.scan([])),
        "raw_lines": lambda: list(log.raw_lines(mark)),
        "lines_at": lambda: list(log.lines_at([(1, 0, 10)])),
    }
    with pytest.raises(NotRecorded) as caught:
        ways[way]()
    assert caught.value.code == "log.disk" and caught.value.what.startswith("the log cannot be read from the disk")


def test_a_writer_is_told_that_nothing_was_recorded(path: Path) -> None:
    """On entering, in repair, before the write, on accepting; each with its code and the same beginning."""
    told: list[LedgerError] = []

    def tries(act: Callable[[], Any]) -> None:
        before = path.read_bytes()
        with pytest.raises(NotRecorded) as caught:
            act()
        assert path.read_bytes() == before
        told.append(caught.value)

    tries(lambda: add(path, body(4), disk=Scripted(open=fails(errno.EIO))))
    tries(lambda: LogFile(path, disk=Scripted(open=fails(errno.EIO))).accept())
    tries(lambda: add(path, body(4), disk=Scripted(fstat=fails(errno.EIO, at=4))))
    tries(lambda: add(path, body(4), disk=Scripted(write=fails(errno.ENOSPC))))
    with path.open("ab") as file:
        file.write(b'{"seq":4,"pr')
    tries(lambda: add(path, body(4), disk=Scripted(ftruncate=fails(errno.EIO))))
    assert {error.code for error in told} == {"log.disk"}
    assert all(error.what.startswith(NOTHING) for error in told), [error.what for error in told]


def test_what_is_unknown_has_its_code(path: Path) -> None:
    disk = Scripted(write=fails(errno.EIO), ftruncate=fails(errno.EROFS))
    with pytest.raises(OutcomeUnknown) as caught:
        add(path, body(4), disk=disk)
    assert caught.value.code == "log.unknown"
    assert os.strerror(errno.EIO) in caught.value.what and os.strerror(errno.EROFS) in caught.value.what


def test_a_log_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with pytest.raises(NotRecorded) as caught:
        create(path, [body(1)], disk=Scripted(stat=fails(errno.EIO)))
    assert caught.value.code == "log.disk" and caught.value.what.startswith(NOTHING)
    with pytest.raises(NotRecorded) as caught:
        create(path, [body(1)], disk=Scripted(fsync=fails(errno.EIO)))
    assert caught.value.code == "log.disk" and caught.value.what.startswith("nothing was made")
    lines = create(path, [body(1, batch=1), body(2, batch=1)])
    assert [line.offset for line in lines] == [0, lines[0].size] == [line.offset for line in LogFile(path).read().lines]
    path.unlink()
    with pytest.raises(Unreadable) as exists:
        create(path, [body(1)])  # its head record is there
    assert exists.value.code == "log.exists" and "log.jsonl.head is here" in exists.value.what


# ---- writing ---------------------------------------------------------------------------------------------------------


def test_a_writer_was_not_interrupted_unless_it_was(path: Path) -> None:
    with LogFile(path).writing() as writer:
        assert writer.interrupted is False
        writer.append([body(4)])
        assert writer.interrupted is False


def test_an_interrupt_while_nothing_was_recorded_is_an_interrupt(path: Path) -> None:
    """It came while the write failed; nobody may take it for one that came too late."""

    def interrupt(real: Callable[..., Any], held: object) -> None:
        real(held)
        raise KeyboardInterrupt

    before = path.read_bytes()
    disk = Scripted(write=fails(errno.ENOSPC), release_signals=interrupt)
    with pytest.raises(KeyboardInterrupt):
        add(path, body(4), disk=disk)
    assert path.read_bytes() == before
    with LogFile(path, disk=Scripted(release_signals=interrupt)).writing() as writer:
        writer.append([body(4)])
        assert writer.interrupted and "too late" in writer.warnings[0]


def test_a_head_record_written_in_part_is_a_warning(path: Path) -> None:
    disk = Scripted(pwrite=lambda real, fd, data, offset: real(fd, data[:50], offset))
    assert "log.jsonl.head could not be written" in add(path, body(4), disk=disk)[0]
    assert LogFile(path).head() == (3, LogFile(path).read().lines[2].hash)


def test_what_nobody_acknowledged_is_made_durable_before_anything_is_said(path: Path) -> None:
    """Log format 8: exactly the lines after the head record are written again and flushed, also if nothing follows."""
    size = path.stat().st_size
    unsure = behind(path, body(4), body(5))
    disk = Scripted()
    with LogFile(path, disk=disk).writing():
        did = [(name, words[1:]) for name, words in disk.calls if name in ("pwrite", "fsync")]
    assert did == [("pwrite", (unsure, size)), ("fsync", ())]


def test_each_entry_writes_one_slot_of_the_head_record(path: Path) -> None:
    """Log format 6: the other slot stands, and is written too only after a record that could not be."""
    disk = Scripted(pwrite=fails(errno.EIO, at=3))
    with LogFile(path, disk=disk).writing() as writer:
        for n, written in ((4, 1), (5, 1), (6, 1), (7, 2), (8, 1)):
            disk.calls.clear()
            writer.append([body(n)])
            assert sum(name == "pwrite" for name, _ in disk.calls) == written, n
    assert len(writer.warnings) == 1
    assert LogFile(path).read().notes == ()


@pytest.mark.posix
def test_accepting_flushes_the_log_and_then_the_record(path: Path) -> None:
    """Log format 6: the record never leads. Both are on the disk before it has its name, and then the name is."""
    disk = Scripted()
    LogFile(path, disk=disk).accept()
    did = [name for name, _ in disk.calls if name in ("fsync", "pwrite", "replace", "fsync_folder")]
    assert did[:5] == ["fsync", "pwrite", "fsync", "replace", "fsync_folder"]
    logged = next(words[0] for name, words in disk.calls if name == "fsync")
    assert logged == disk.calls[[name for name, _ in disk.calls].index("flock")][1][0]


def test_accepting_a_record_written_in_part_leaves_the_old_one(path: Path) -> None:
    stood = (path.parent / "log.jsonl.head").read_bytes()
    disk = Scripted(pwrite=lambda real, fd, data, offset: real(fd, data[:-1], offset))
    with pytest.raises(NotRecorded):
        LogFile(path, disk=disk).accept()
    assert (path.parent / "log.jsonl.head").read_bytes() == stood
    assert sorted(one.name for one in path.parent.iterdir()) == ["log.jsonl", "log.jsonl.head"]


# ---- the lock and the door -------------------------------------------------------------------------------------------


def test_a_tail_as_long_as_one_that_is_kept_is_kept_beside_it(path: Path) -> None:
    """Other bytes of the same length are not taken for these."""
    tail = b'{"seq":4,"pr'
    with path.open("ab") as file:
        file.write(tail)
    with pytest.raises(NotRecorded):
        add(path, body(4), disk=Scripted(ftruncate=fails(errno.EIO)))  # kept, but not cut
    (kept,) = path.parent.glob("*.torn-*")
    kept.write_bytes(tail[:-1] + b"X")
    add(path, body(4))
    assert Path(f"{kept}-2").read_bytes() == tail and kept.read_bytes() != tail


def test_waiting_for_the_lock_sleeps_longer_each_time_and_not_too_long(path: Path) -> None:
    """It waits as long as it was told and no longer, in steps from 1 ms up to 50 ms."""
    now = [100.0]
    slept: list[float] = []

    def sleep(real: Callable[..., Any], seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    def held(real: Callable[..., Any], fd: int) -> None:
        raise BlockingIOError(errno.EAGAIN, "held")

    with pytest.raises(NotRecorded) as caught:
        log = LogFile(path, disk=Scripted(flock=held, sleep=sleep, clock=lambda real: now[0]), wait=1.0)
        log.writing().__enter__()
    assert caught.value.code == "log.locked"
    assert slept[0] == 0.001 and slept == sorted(slept) and slept[-1] == 0.05
    assert 1.0 <= sum(slept) < 1.05 and slept[1] == pytest.approx(0.0015)
    slept.clear()
    with pytest.raises(NotRecorded):
        LogFile(path, disk=Scripted(flock=held, sleep=sleep, clock=lambda real: now[0]), wait=0.0).writing().__enter__()
    assert slept == []


@pytest.mark.posix
def test_the_door_flushes_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The calls that a test cannot see the effect of without cutting the power."""
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda fd: done.append("fsync"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(time, "sleep", lambda seconds: done.append(f"sleep {seconds}"))
    disk = Disk()
    disk.fsync(0)
    disk.fsync_folder(str(tmp_path))
    disk.sleep(0.25)
    assert done == ["fsync", "fsync", "sleep 0.25"]


@pytest.mark.posix
def test_rights_are_refused_with_their_code(path: Path) -> None:
    path.chmod(0o620)
    with pytest.raises(Refused) as caught:
        add(path, body(4))
    assert caught.value.code == "log.rights" and "0620" in caught.value.what


@pytest.mark.posix
def test_on_a_mac_a_flush_is_a_full_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """fsync does not reach the platter there; where the full flush is not to be had, the plain one is made."""
    import fcntl

    done: list[str] = []

    def full(fd: int, what: int) -> None:
        done.append(f"full {what}")
        if fd == 9:
            raise OSError(errno.ENOTSUP, "not here")

    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full)
    monkeypatch.setattr(os, "fsync", lambda fd: done.append("plain"))
    Disk().fsync(3)
    Disk().fsync(9)
    assert done == ["full 51", "full 51", "plain"]


def test_a_link_is_reported_as_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert stat.S_ISLNK(Disk().stat(str(tmp_path / "link")).st_mode)


def test_an_entry_that_is_too_long_has_its_code(path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        add(path, body(4, "x" * MAX_LINE_BYTES))
    assert caught.value.code == "log.too_long"


def test_a_log_that_stays_too_short_is_told_as_the_disk(path: Path) -> None:
    short = Scripted(pread=lambda real, fd, size, offset: b"" if size > 320 else real(fd, size, offset))
    with pytest.raises(NotRecorded) as caught:
        LogFile(path, disk=short).read()
    assert caught.value.what.startswith("the log cannot be read from the disk")
    assert short.opened().count("log.jsonl") == 5


def test_an_empty_log_is_found_at_line_1(path: Path) -> None:
    path.write_bytes(b"")
    findings: list[Finding] = []
    assert list(LogFile(path).scan(findings)) == []
    assert (findings[0].line, findings[0].code) == (1, "log.empty")


def test_a_head_record_of_any_bytes_is_torn_or_none(path: Path) -> None:
    """Log format 6: what is no record is no record, and never an error of its own."""
    head = path.parent / "log.jsonl.head"
    for junk in (b"3 " + b"\xff" * 158, b"3 " + b"a" * 400, b"9" * 17 + b" " * 143, b"\xff" * 320):
        head.write_bytes(junk.ljust(320, b" "))
        assert LogFile(path).head() is None
        assert "log.jsonl.head is damaged" in LogFile(path).read().notes[0]


def test_rights_to_run_are_no_rights_to_write(path: Path) -> None:
    path.chmod(0o611)
    assert LogFile(path).read().notes == () and add(path, body(4)) == []


def test_a_disk_that_takes_no_byte_of_a_tail_is_an_error(path: Path) -> None:
    """The tail stays where it is; nothing goes on for ever."""
    with path.open("ab") as file:
        file.write(b'{"seq":4,"pr')
    before = path.read_bytes()
    with pytest.raises(NotRecorded):
        add(path, body(4), disk=Scripted(pwrite=lambda real, fd, data, offset: 0))
    assert path.read_bytes() == before


def test_a_missing_newline_is_durable_before_more_is_written(path: Path) -> None:
    """Log format 7: the last line is whole again before another follows it."""
    path.write_bytes(path.read_bytes()[:-1])
    disk = Scripted()
    assert "had no newline at its end: added" in add(path, body(4), disk=disk)[0]
    did = [(name, words[1:]) for name, words in disk.calls if name in ("write", "fsync")]
    assert did[:2] == [("write", (b"\n",)), ("fsync", ())]


@pytest.mark.parametrize("how", ["stat", "replaced"])
def test_what_cannot_be_confirmed_is_unknown(path: Path, how: str) -> None:
    """Log format 8: written and flushed, but whether under this name nobody can say."""

    def replaced(real: Callable[..., Any], fd: int, data: bytes) -> int:
        fresh = path.parent / "fresh"
        fresh.write_bytes(path.read_bytes())
        fresh.chmod(0o600)
        fresh.replace(path)
        return int(real(fd, data))

    disk = Scripted(stat=fails(errno.EIO, at=2)) if how == "stat" else Scripted(write=replaced)
    with pytest.raises(OutcomeUnknown) as caught:
        add(path, body(4), disk=disk)
    assert caught.value.code == "log.unknown"


def test_every_way_of_reading_gives_its_descriptor_back(path: Path) -> None:
    reading = LogFile(path).read()
    for way in (
        lambda log: list(log.scan([])),
        lambda log: list(log.raw_lines(reading.mark)),
        lambda log: list(log.lines_at([(1, 0, reading.lines[0].size)])),
        lambda log: log.accept(),
    ):
        disk = Scripted()
        way(LogFile(path, disk=disk))
        done = [name for name, _ in disk.calls]
        assert done.count("open") == done.count("close") > 0


@pytest.mark.posix
def test_a_name_taken_back_is_taken_back_for_good(tmp_path: Path) -> None:
    """Log format 8: what could not be made durable is unlinked, and that is made durable too."""
    disk = Scripted(fsync_folder=fails(errno.EIO))
    with pytest.raises(NotRecorded):
        create(tmp_path / "log.jsonl", [body(1)], disk=disk)
    did = [name for name, _ in disk.calls if name in ("unlink", "fsync_folder")]
    assert did[-3:-1] == ["unlink", "fsync_folder"] or did[-2:] == ["unlink", "fsync_folder"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [list, dict])
def test_what_may_be_written_is_as_deep_as_what_may_be_read(kind: type) -> None:
    """Log format 3: 16 deep, both ways, also behind one that is not deep."""
    value = {"a": nested(MAX_DEPTH - 1, kind), "b": [1], "c": {"d": 1}}
    assert loads(dumps(value)) == value
    with pytest.raises(Unreadable) as caught:
        dumps({"a": [1], "b": nested(MAX_DEPTH, kind)})
    assert caught.value.code == "canon.depth"


@pytest.mark.posix
def test_a_new_log_is_locked_before_it_has_its_name(tmp_path: Path) -> None:
    """Log format 8: nobody appends between its name and the end of its making."""
    disk = Scripted()
    create(tmp_path / "log.jsonl", [body(1)], disk=disk)
    did = [name for name, _ in disk.calls if name in ("flock", "write", "fsync", "link", "unlink", "fsync_folder")]
    assert did[:6] == ["flock", "write", "fsync", "link", "unlink", "fsync_folder"]


@pytest.mark.posix
def test_what_is_no_plain_file_is_closed_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl", 0o600)
    disk = Scripted(open=lambda real, name, flags: real(name, flags | os.O_NONBLOCK))
    with pytest.raises(Unreadable) as caught:
        LogFile(tmp_path / "log.jsonl", disk=disk).read()
    assert caught.value.code == "log.not_a_file"
    done = [name for name, _ in disk.calls]
    assert done.count("close") == done.count("fstat") == 1


def test_a_log_that_may_have_been_made_is_unknown(tmp_path: Path) -> None:
    """Log format 8: it had its name, and taking it back failed."""
    disk = Scripted(fsync_folder=fails(errno.EIO), unlink=fails(errno.EROFS, at=2))
    with pytest.raises(OutcomeUnknown) as caught:
        create(tmp_path / "log.jsonl", [body(1)], disk=disk)
    assert caught.value.code == "log.unknown" and "it is unknown whether" in caught.value.what
