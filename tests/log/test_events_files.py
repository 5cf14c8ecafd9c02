"""The log on a real disk: reading, rights and names, making a log, the one door. What fails: test_events_faults."""

from __future__ import annotations

import errno
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

import pytest

from events import Disk, Finding, LogFile, close_line, create, read_body, read_chain
from events.errors import Damaged, LedgerError, NotRecorded, OutcomeUnknown, Refused, Unreadable
from tests.support.logs import Scripted, add, behind, body, exchanged, fails, found, told

# -- reading


def test_reading_gives_all_lines_and_only_the_new_ones_after_a_mark(path):
    log = LogFile(path)
    first = log.read()
    assert (first.whole, len(first.lines), first.notes) == (True, 3, ())
    assert log.head() == (3, first.lines[-1].hash)
    add(path, body(4))
    more = log.read(first.mark)
    assert (more.whole, [line.seq for line in more.lines], more.mark.seq) == (False, [4], 4)
    assert read_body(more.lines[0].body) == body(4)
    assert log.read(more.mark).lines == []


def test_a_mark_that_does_not_stand_means_reading_all(path):
    log = LogFile(path)
    mark = log.read().mark
    exchanged(path)
    assert log.read(mark._replace(ino=mark.ino + 10**6)).whole
    assert log.read(log.read().mark._replace(hash="0" * 64)).whole
    assert log.read(log.read().mark._replace(size=mark.size + 1, seq=2)).whole
    assert log.read(log.read().mark._replace(size=mark.size + 1)).whole
    (path.parent / "log.jsonl.head").unlink()
    assert log.read(log.read().mark).whole


def test_a_log_rewritten_in_place_after_a_mark_is_found(path):
    log = LogFile(path)
    mark = log.read().mark
    add(path, body(4))
    path.write_bytes(path.read_bytes().replace(b'"n":4', b'"n":5'))
    with told(Damaged, line=4):
        log.read(mark)


def test_a_writer_sees_what_others_wrote_since_its_mark(path):
    with LogFile(path).writing() as writer:
        writer.append([body(4)])
        mark = writer.mark
    add(path, body(5))
    with LogFile(path).writing(mark) as writer:
        assert (writer.reading.whole, [line.seq for line in writer.reading.lines]) == (False, [5])
        writer.append([body(6)])
        writer.append([body(7)])
        assert writer.interrupted is False
    assert [line.seq for line in LogFile(path).read().lines] == [1, 2, 3, 4, 5, 6, 7]


def test_a_refused_command_changes_nothing(path):
    path.write_bytes(path.read_bytes() + b'{"seq":4')
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()}
    with LogFile(path).writing() as writer, told(Unreadable, "log.too_long"):
        writer.append([body(4, text="x" * 70_000)])
    with LogFile(path).writing() as writer:
        assert writer.append([]) == []
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()} == before


def readings(log):
    """Each way to read a log: its name, and what reads."""
    reading = LogFile(log.path).read()
    return {
        "head": log.head,
        "read": log.read,
        "scan": lambda: list(log.scan([])),
        "raw_lines": lambda: list(log.raw_lines(reading.mark)),
        "lines_at": lambda: list(log.lines_at([(1, 0, reading.lines[0].size)])),
    }


@pytest.mark.parametrize("way", ["head", "read", "scan", "raw_lines", "lines_at"])
def test_a_reader_is_told_of_the_disk_in_its_own_words(path, way):
    """The system's words without its number, or whatever the error says; and no file is left open."""
    for error, words in ((OSError(errno.EIO, "Input/output error"), "Input/output error"), (OSError("odd"), "odd")):

        def broken(*_, error=error):
            raise error

        disk = Scripted(pread=broken)
        with told(NotRecorded, "log.disk", f"the log cannot be read from the disk: {path}: {words}"):
            readings(LogFile(path, disk=disk))[way]()
        assert len(disk.did("open")) == len(disk.did("close")) > 0


def test_no_log_is_said_so(tmp_path):
    log = LogFile(tmp_path / "x")
    for attempt in (log.read, log.accept, log.writing().__enter__, lambda: list(log.scan([]))):
        with told(Unreadable, "log.missing"):
            attempt()


def test_an_empty_log_is_damaged(path):
    path.write_bytes(b"")
    (path.parent / "log.jsonl.head").unlink()
    with told(Damaged, "log.empty", line=1):
        LogFile(path).read()
    assert found(path)[1] == [(1, "log.empty")]


def test_a_redacted_log_can_be_read_and_not_continued(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + close_line(lines[1]) + lines[2])
    assert [line.body is None for line in LogFile(path).read().lines] == [False, True, False]
    assert found(path)[:2] == (3, [])
    with told(Unreadable, "log.redacted"):
        add(path, body(4))


def test_every_line_of_a_long_log_says_where_it_stands_and_the_first_bad_one_is_named(tmp_path):
    """However many blocks are read, and lines are looked at, together: by readers and by `verify`."""
    path, findings = tmp_path / "log.jsonl", list[Finding]()
    create(path, [body(n, "x" * (60_000 if n % 25 == 0 else 9), batch=1) for n in range(1030)])
    raw, lines = path.read_bytes().splitlines(keepends=True), LogFile(path).read().lines
    places = [(seq, sum(map(len, raw[: seq - 1])), len(raw[seq - 1])) for seq in range(1, 1031)]
    assert [(line.seq, line.offset, line.size) for line in lines] == places
    assert list(LogFile(path).scan(findings)) == list(read_chain(raw)) == lines and findings == []
    for seq in (1, 4, 513, 1026):
        path.write_bytes(b"".join(raw).replace(b'"n":%d,' % (seq - 1), b'"n":9999,', 1))
        with told(Damaged, "log.seal", line=seq):
            LogFile(path).read()
        assert found(path)[:2] == (seq - 1, [(seq, "log.seal")])


def test_a_reading_opens_what_it_needs_once(path):
    """Log format 6: the head, the log; and the head again only where it lags, in case a writer just finished."""
    disk = Scripted()
    LogFile(path, disk=disk).read()
    assert disk.opened() == ["log.jsonl.head", "log.jsonl"]
    behind(path, body(4))
    disk = Scripted()
    assert len(LogFile(path, disk=disk).read().lines) == 4
    assert disk.opened() == ["log.jsonl.head", "log.jsonl", "log.jsonl.head"]


def test_a_disk_that_gives_a_byte_at_a_time_is_read_all_the_same(path):
    """A read may give fewer bytes than asked for."""
    lines = LogFile(path).read().lines
    places = [(line.seq, line.offset, line.size) for line in lines]
    for most in (lambda size: 7, lambda size: size // 2 + 1):
        slow = Scripted(pread=lambda real, fd, size, offset, most=most: real(fd, min(size, most(size)), offset))
        assert LogFile(path, disk=slow).read() == LogFile(path).read()
        assert LogFile(path, disk=slow).head() == LogFile(path).head()
        assert list(LogFile(path, disk=slow).lines_at(places)) == [(line.seq, line.body) for line in lines]


def test_a_short_read_is_read_again_then_an_error_and_never_a_repair(path):
    """A rollback may have cut it; what stays too short is told as the disk."""
    before, once = path.read_bytes(), [b""]
    first = Scripted(pread=lambda real, fd, size, at: once.pop() if once and size > 320 else real(fd, size, at))
    assert len(LogFile(path, disk=first).read().lines) == 3
    short = Scripted(pread=lambda real, fd, size, at: b"" if size > 320 else real(fd, size, at))
    with told(NotRecorded, "log.disk", "the log cannot be read from the disk"):
        LogFile(path, disk=short).read()
    assert short.opened().count("log.jsonl") == 5
    with told(NotRecorded, "log.disk"):
        LogFile(path, disk=short).writing().__enter__()
    assert path.read_bytes() == before


def test_what_is_no_longer_what_was_read_is_not_handed_out(path):
    """Log format 9, `log.changed`: another line in its place, another file under the name, or one that is shorter."""
    log, whole = LogFile(path), path.read_bytes()
    places = [(line.seq, line.offset, line.size) for line in log.scan([])][::-1]
    assert list(log.lines_at(places)) == [(line.seq, line.body) for line in log.read().lines[::-1]]
    assert b"".join(log.raw_lines(log.read().mark)) == whole
    mark = log.read().mark
    path.write_bytes(whole.replace(b'{"seq":2,', b'{"seq":7,'))
    with told(Damaged, "log.changed", line=2):
        list(log.lines_at(places))
    path.write_bytes(whole[:-1])
    with told(Damaged, "log.changed"):
        list(log.raw_lines(mark))
    path.write_bytes(whole + b"more")
    exchanged(path)
    with told(Damaged, "log.changed"):
        list(log.raw_lines(mark))


# -- rights and names


@pytest.mark.posix
def test_a_log_that_others_may_write_is_read_with_a_note_and_not_continued(path):
    path.chmod(0o611)  # rights to run are no rights to write
    assert LogFile(path).read().notes == () and add(path, body(4)) == []
    for mode in (0o620, 0o602, 0o666):
        path.chmod(mode)
        assert "others may write" in LogFile(path).read().notes[-1]
        for attempt in (lambda: add(path, body(5)), LogFile(path).accept):
            with told(Refused, "log.rights", f"{mode:04o}") as caught:
                attempt()
            assert caught.value.fix == f"chmod 600 {path}"


def test_links_are_not_followed(path, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    assert stat.S_ISLNK(Disk().stat(str(link)).st_mode)
    for attempt in (LogFile(link).read, lambda: add(link, body(4))):
        with told(Unreadable, "log.symlink"):
            attempt()
    target, head = tmp_path / "victim", path.parent / "log.jsonl.head"
    target.write_bytes(b"precious")
    head.unlink()
    head.symlink_to(target)
    with told(Unreadable):
        add(path, body(4))
    assert target.read_bytes() == b"precious"


@pytest.mark.posix
def test_a_second_name_is_given_to_a_link_and_not_to_what_it_leads_to(tmp_path, monkeypatch):
    """Log format 8: no link is followed. Linux follows none here in any case; other systems must be told."""
    asked = {}
    monkeypatch.setattr(os, "link", lambda old, new, **how: asked.update(how))
    Disk().link("old", "new")
    assert asked == {"follow_symlinks": False}


@pytest.mark.posix
def test_what_is_no_plain_file_is_refused_and_closed_again(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in (tmp_path, tmp_path / "pipe"):
        with told(Unreadable, "log.not_a_file"):
            LogFile(name).read()
    disk = Scripted(open=lambda real, name, flags: real(name, flags | os.O_NONBLOCK))
    with told(Unreadable, "log.not_a_file"):
        LogFile(tmp_path / "pipe", disk=disk).read()
    assert disk.did("close", "fstat") == ["fstat", "close"]


@pytest.mark.posix
def test_a_second_name_is_refused_unless_it_is_our_own_leftover(path):
    os.link(path, path.parent / "backup")
    with told(Refused, "log.names"):
        add(path, body(4))
    (path.parent / "backup").rename(path.parent / "log.jsonl.new-0123")
    add(path, body(4))
    assert not (path.parent / "log.jsonl.new-0123").exists()
    assert path.stat().st_nlink == 1


# -- making a log


def test_nothing_is_overwritten(path, tmp_path):
    """Neither a log, nor the head record of one that is gone, nor a name that is taken at the last moment."""
    before = path.read_bytes()
    with told(Unreadable, "log.exists"):
        create(path, [body(1)])
    path.rename(path.parent / "elsewhere")
    with told(Unreadable, "log.exists", "log.jsonl.head is here", "a log that belongs to it is gone"):
        create(path, [body(1)])
    assert (path.parent / "elsewhere").read_bytes() == before
    new = tmp_path / "new" / "log.jsonl"

    def raced(real, *words):
        new.write_bytes(b"precious")
        return real(*words)

    with told(Unreadable, "log.exists"):
        create(new, [body(1)], disk=Scripted(give_name=raced))
    assert new.read_bytes() == b"precious" and os.listdir(new.parent) == ["log.jsonl"]


def test_a_log_that_cannot_be_made_leaves_nothing_and_says_why(tmp_path):
    for instead, said in (
        ({"write": lambda real, fd, data: real(fd, data[:10])}, "nothing was made"),
        ({"fsync": fails(errno.EIO)}, "nothing was made"),
        ({"fsync_folder": fails(errno.EIO)}, "nothing was made"),
        ({"stat": fails(errno.EIO)}, "nothing was recorded"),
    ):
        if Disk.system == "windows" and "fsync_folder" in instead:
            continue  # it does nothing there
        disk = Scripted(**instead)
        with told(NotRecorded, "log.disk", said):
            create(tmp_path / "a" / "b" / "log.jsonl", [body(1)], disk=disk)
        assert list(tmp_path.iterdir()) == [] and len(disk.did("open")) == len(disk.did("close"))
    (tmp_path / "file").write_bytes(b"")
    with told(NotRecorded, "log.disk"):
        create(tmp_path / "file" / "log.jsonl", [body(1)])


@pytest.mark.posix
def test_a_name_taken_back_is_taken_back_for_good_or_it_is_unknown(tmp_path):
    """Log format 8: what could not be made durable is unlinked, and that is made durable too."""
    disk = Scripted(fsync_folder=fails(errno.EIO))
    with told(NotRecorded):
        create(tmp_path / "log.jsonl", [body(1)], disk=disk)
    assert disk.did("unlink", "fsync_folder")[1:4] == ["fsync_folder", "unlink", "fsync_folder"]
    disk = Scripted(fsync_folder=fails(errno.EIO), unlink=fails(errno.EROFS, at=2))
    with told(OutcomeUnknown, "log.unknown", "it is unknown whether"):
        create(tmp_path / "log.jsonl", [body(1)], disk=disk)


@pytest.mark.posix
def test_a_new_log_is_locked_before_it_has_its_name_and_leaves_no_other(tmp_path):
    """Log format 8: nobody appends between its name and the end of its making; new folders are durable as well."""
    disk, path = Scripted(), tmp_path / "a" / "b" / "log.jsonl"
    lines = create(path, [body(1, batch=1), body(2, batch=1)], disk=disk)
    assert [line.offset for line in lines] == [0, lines[0].size] == [line.offset for line in LogFile(path).read().lines]
    calls = ("flock", "write", "fsync", "link", "unlink", "fsync_folder")
    assert disk.did(*calls)[:6] == [*calls]
    flushed = {words[0] for name, words in disk.calls if name == "fsync_folder"}
    assert {str(tmp_path), str(tmp_path / "a"), str(path.parent)} <= flushed
    assert sorted(one.name for one in path.parent.iterdir()) == ["log.jsonl", "log.jsonl.head"]
    assert path.stat().st_nlink == 1


def test_a_log_in_the_present_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    create("log.jsonl", [body(1)])
    add(Path("log.jsonl"), body(2))
    assert found(Path("log.jsonl")) == (2, [], False)
    assert sorted(Disk().listdir("")) == sorted(Disk().listdir(".")) == ["log.jsonl", "log.jsonl.head"]


def test_a_program_without_standard_input_records_all_the_same(tmp_path):
    """Started with its input closed it gets descriptor 0 for the log: that one is locked and given back too."""
    kept, path = os.dup(0), tmp_path / "log.jsonl"
    os.close(0)

    def free():
        try:
            os.fstat(0)
        except OSError:
            return True
        return False

    disk = Scripted()
    try:
        create(path, [body(1)], disk=disk)
        assert free() and ("flock", (0,)) in disk.calls
        add(path, body(2))
        assert free()
        with told(NotRecorded):
            create(tmp_path / "other.jsonl", [body(1)], disk=Scripted(write=fails(errno.ENOSPC)))
        assert free() and sorted(one.name for one in tmp_path.iterdir()) == ["log.jsonl", "log.jsonl.head"]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    assert len(LogFile(path).read().lines) == 2


# -- the one door


@pytest.mark.posix
def test_the_door_flushes_and_waits(tmp_path, monkeypatch):
    """The calls whose effect no test can see without cutting the power. On a Mac fsync does not reach the platter, and
    a full flush is made; where that is not to be had, the plain one."""
    import fcntl

    done = []

    def full(fd, what):
        done.append(f"full {what}")
        if fd == 9:
            raise OSError(errno.ENOTSUP, "not here")

    monkeypatch.setattr(os, "fsync", lambda fd: done.append("fsync"))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(time, "sleep", lambda seconds: done.append(f"sleep {seconds}"))
    Disk().fsync(0)
    Disk().fsync_folder(str(tmp_path))
    Disk().sleep(0.25)
    assert done == ["fsync", "fsync", "sleep 0.25"]
    done.clear()
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full)
    Disk().fsync(3)
    Disk().fsync(9)
    assert done == ["full 51", "full 51", "fsync"]


def test_no_descriptor_is_left_open(path, tmp_path):
    """Of nothing that is done to a log, whether it goes well or not: an open file keeps its lock."""
    held = []

    def opens(real, name, flags):
        held.append(real(name, flags))
        return held[-1]

    def closes(real, fd):
        real(fd)
        held.remove(fd)

    def once(real, fd):
        real(fd)
        if disk.did("flock") == ["flock"]:
            exchanged(path)

    for n, more in enumerate(
        ({}, {"flock": once}, {"ftruncate": fails(errno.EIO)}, {"fsync": fails(errno.EIO, at=3)}), 4
    ):
        disk = Scripted(open=opens, close=closes, **more)
        with path.open("ab") as file:
            file.write(b"torn")
        behind(path, body(n))
        with path.open("ab") as file:
            file.write(b"torn again")
        for act in (
            *readings(LogFile(path, disk=disk)).values(),
            lambda disk=disk, n=n: add(path, body(n), disk=disk),
            lambda disk=disk, n=n: add(path, body(n), disk=disk),
            lambda disk=disk: create(path, [body(1)], disk=disk),
            lambda disk=disk: create(tmp_path / "file" / "log.jsonl", [body(1)], disk=disk),
            LogFile(path, disk=disk).accept,
        ):
            with suppress(LedgerError):
                act()
            assert held == []
        (tmp_path / "file").exists() and [one.unlink() for one in (tmp_path / "file").iterdir()]
