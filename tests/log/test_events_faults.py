"""The log on a real disk when something goes wrong: torn tails, kills, full and failing disks, two at once."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import stat
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

import events.files
import events.reading
import events.writer
from events import (
    Damaged,
    Disk,
    Finding,
    LedgerError,
    LogFile,
    NotRecorded,
    OutcomeUnknown,
    create,
)
from tests.support.logs import add, body, found
from tests.support.sizes import FULL

# -- the end of the log: head record, torn tail

ROOT = str(Path(__file__).resolve().parents[2])


def test_without_head_record_the_end_is_not_proved(path):
    (path.parent / "log.jsonl.head").unlink()
    assert "log.jsonl.head is missing" in LogFile(path).read().notes[0]
    assert found(path) == (3, [], True)
    add(path, body(4))
    assert found(path) == (4, [], False)


def test_a_head_record_lost_in_part_falls_back_to_the_one_before(path):
    head = path.parent / "log.jsonl.head"
    add(path, body(4))
    whole = head.read_bytes()
    assert len(whole) == 320
    assert whole[159:160] == whole[319:320] == b"\n"
    head.write_bytes(b"\0" * 100 + whole[100:])
    reading = LogFile(path).read()
    assert LogFile(path).head()[0] == 3
    assert "line 4 is recorded, although the command" in reading.notes[0]
    head.write_bytes(b"\0" * 320)
    assert LogFile(path).head() is None
    assert "log.jsonl.head is damaged" in LogFile(path).read().notes[0]
    assert found(path)[2]
    head.write_bytes(whole[160:] + whole[:160])  # each in the other's slot
    assert LogFile(path).head() is None
    for bad in (b"", b"4", b"x" * 320, whole.replace(b"4 ", b"6 ", 1), b" " * 320, b"\xff" * 400):
        head.write_bytes(bad)
        assert LogFile(path).head() in (None, (3, LogFile(path).read().lines[2].hash))
    add(path, body(5))
    assert found(path) == (5, [], False)


def test_a_lagging_head_record_is_said_and_healed(path):
    head = (path.parent / "log.jsonl.head").read_bytes()
    add(path, body(4, batch=4), body(5, batch=4))
    (path.parent / "log.jsonl.head").write_bytes(head)
    assert "lines 4 to 5 are recorded" in LogFile(path).read().notes[0]
    assert found(path) == (5, [], False)
    add(path, body(6))
    assert LogFile(path).read().notes == ()


def test_an_older_copy_is_refused_until_a_host_accepts_it(path):
    old = path.read_bytes()
    for n in range(4, 7):
        add(path, body(n))
    path.write_bytes(old)
    for attempt in (LogFile(path).read, lambda: add(path, body(9))):
        with pytest.raises(Damaged) as caught:
            attempt()
        assert (caught.value.code, caught.value.line) == ("log.head_ahead", 4)
        assert "hl receipt --accept" in caught.value.fix
    assert found(path)[1] == [Finding(4, "log.head_ahead", caught.value.what)]
    assert path.read_bytes() == old
    mark = LogFile(path).accept()
    assert LogFile(path).head() == (3, mark.hash)
    assert found(path) == (3, [], False)
    assert add(path, body(4)) == []


def test_a_damaged_log_cannot_be_accepted(path):
    path.write_bytes(path.read_bytes().replace(b'"n":2', b'"n":7'))
    head = (path.parent / "log.jsonl.head").read_bytes()
    with pytest.raises(Damaged):
        LogFile(path).accept()
    assert (path.parent / "log.jsonl.head").read_bytes() == head


TORN = [b"{", b'{"seq":4,"prev":"', b"\0" * 700, b'{"seq":4,\0\0\0}\n', b"\0\n", b'{"seq":4}\n{"seq":5', b"\xff" * 5000]


@pytest.mark.parametrize("tail", TORN)
def test_a_torn_tail_is_left_out_then_set_aside_with_every_byte(path, tail):
    sound = path.read_bytes()
    path.write_bytes(sound + tail)
    reading = LogFile(path).read()
    assert len(reading.lines) == 3
    assert "unfinished" in reading.notes[0]
    count, findings, _ = found(path)
    assert (count, [(f.line, f.code) for f in findings]) == (3, [(4, "log.torn")])
    warnings = add(path, body(4))
    kept = list(path.parent.glob("log.jsonl.torn-*"))
    assert [k.read_bytes() for k in kept] == [tail]
    assert kept[0].name.startswith(f"log.jsonl.torn-{len(sound)}-")
    assert str(kept[0]) in warnings[0]
    assert os.name == "nt" or stat.S_IMODE(kept[0].stat().st_mode) == 0o600
    assert path.read_bytes().startswith(sound + b'{"seq":4,')
    assert found(path) == (4, [], False)


def test_the_same_torn_tail_twice_is_kept_twice_or_once(path):
    for n in (4, 5):
        sound = path.read_bytes()
        path.write_bytes(sound + b"half")
        name = events.reading.sha256(b"half").hexdigest()[:8]
        (path.parent / f"log.jsonl.torn-{len(sound)}-{name}").write_bytes(b"half" if n == 4 else b"ha")
        add(path, body(n))
    assert sorted(p.read_bytes() for p in path.parent.glob("*.torn-*")) == [b"ha", b"half", b"half"]


@pytest.mark.parametrize("tail", [b"garbage\n", b"\n", b'{"seq":4}\n', b"one\ntwo\n"])
def test_what_no_crash_leaves_is_damage(path, tail):
    path.write_bytes(path.read_bytes() + tail)
    for attempt in (LogFile(path).read, lambda: add(path, body(4))):
        with pytest.raises(Damaged) as caught:
            attempt()
        assert caught.value.line == 4
    assert [f.line for f in found(path)[1]] == [4]
    assert path.read_bytes().endswith(tail)
    assert not list(path.parent.glob("*.torn-*"))


def test_damage_before_later_entries_is_never_a_torn_tail(path):
    """Even without a head record: a whole entry of a later command stands after it."""
    (path.parent / "log.jsonl.head").unlink()
    add(path, body(4))
    (path.parent / "log.jsonl.head").unlink()
    lines = path.read_bytes().splitlines(keepends=True)
    for bad in (lines[2].replace(b"note", b"no\0e"), lines[2][:-1], lines[2][:40], lines[2][:40] + b"\0"):
        path.write_bytes(lines[0] + lines[1] + bad + lines[3][:-1])
        with pytest.raises(Damaged) as caught:
            LogFile(path).read()
        assert caught.value.line == 3


def test_a_torn_batch_keeps_its_whole_lines_and_sets_the_rest_aside(path):
    sound = path.read_bytes()
    head = (path.parent / "log.jsonl.head").read_bytes()
    add(path, *[body(n, batch=4) for n in (4, 5, 6)])
    lines = path.read_bytes()[len(sound) :].splitlines(keepends=True)
    for tail, whole in (
        (lines[0] + lines[1][:50], 4),
        (lines[0] + b"\0" * len(lines[1]) + lines[2], 4),
        (b"\0" * 300 + lines[1] + lines[2], 3),
        (lines[0] + lines[1] + lines[2][:-5], 5),
    ):
        path.write_bytes(sound + tail)
        (path.parent / "log.jsonl.head").write_bytes(head)
        assert [line.seq for line in LogFile(path).read().lines][-1] == whole
        add(path, body(9))
        assert found(path) == (whole + 1, [], False)


def test_a_missing_last_newline_is_a_finding_and_is_added(path):
    full = path.read_bytes()
    path.write_bytes(full[:-1])
    reading = LogFile(path).read()
    assert len(reading.lines) == 3
    assert "newline" in reading.notes[0]
    assert [f.code for f in found(path)[1]] == ["log.no_newline"]
    assert path.read_bytes() == full[:-1]
    assert "newline" in add(path, body(4))[0]
    assert path.read_bytes().startswith(full)
    assert found(path) == (4, [], False)
    assert not list(path.parent.glob("*.torn-*"))


# -- killed, full, failing


def in_child(work, *arguments) -> int:
    """Run in a forked child; its exit code, 137 when it was killed."""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of the test runner do not matter here
        pid = os.fork()
    if pid == 0:
        try:
            work(*arguments)
            os._exit(0)
        except BaseException:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


class Killed(Disk):
    """Dies by SIGKILL after so many bytes of the write, or before a named call."""

    def __init__(self, after: int | None = None, before: str = "") -> None:
        self.after, self.before = after, before

    def write(self, fd: int, data: bytes) -> int:
        if self.after is not None:
            os.write(fd, data[: self.after])
            os.kill(os.getpid(), signal.SIGKILL)
        return super().write(fd, data)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        if self.before == "head":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().pwrite(fd, data, offset)


def append_with(path: Path, disk: Disk, n: int) -> None:
    with LogFile(path, disk=disk).writing() as writer:
        writer.append([body(n)])


def test_killed_after_every_byte_of_a_line(path):
    sound = path.read_bytes()
    head = (path.parent / "log.jsonl.head").read_bytes()
    size = len(sound.splitlines(keepends=True)[-1])
    torn = 0
    for after in range(0, size + 1, 1 if FULL else 3):
        path.write_bytes(sound)
        (path.parent / "log.jsonl.head").write_bytes(head)
        assert in_child(append_with, path, Killed(after=after), 4) == 137
        reading = LogFile(path).read()
        assert len(reading.lines) == (4 if after >= size - 1 else 3)
        add(path, body(5))
        assert path.read_bytes().startswith(sound)
        count, findings, unproved = found(path)
        assert (count, findings, unproved) == (len(reading.lines) + 1, [], False)
        torn += bool(list(path.parent.glob("*.torn-*")))
    assert torn > 50


def test_killed_between_the_log_and_its_head_record(path):
    assert in_child(append_with, path, Killed(before="head"), 4) == 137
    reading = LogFile(path).read()
    assert len(reading.lines) == 4
    assert "line 4 is recorded, although the command that wrote it did not finish" in reading.notes
    assert add(path, body(5)) == []
    assert found(path) == (5, [], False)


class Failing(Disk):
    """Fails at named calls."""

    def __init__(self, *calls: str) -> None:
        self.calls, self.armed = set(calls), False

    def _maybe(self, name: str) -> None:
        if self.armed and name in self.calls:
            raise OSError(5, "Input/output error")

    def write(self, fd: int, data: bytes) -> int:
        self.armed = True
        self._maybe("write")
        if "short" in self.calls:
            return super().write(fd, data[:100])
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        if "fsync" in self.calls and self.armed:
            self.calls.discard("fsync")
            raise OSError(5, "Input/output error")
        super().fsync(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        self._maybe("ftruncate")
        super().ftruncate(fd, size)

    def stat(self, path: str) -> os.stat_result:
        self._maybe("stat")
        return super().stat(path)

    def pwrite(self, fd: int, data: bytes, offset: int) -> int:
        self._maybe("pwrite")
        return super().pwrite(fd, data, offset)


@pytest.mark.parametrize(
    ("calls", "expected", "lines"),
    [
        (("write",), NotRecorded, 3),
        (("short",), NotRecorded, 3),
        (("fsync",), NotRecorded, 3),
        (("short", "ftruncate"), OutcomeUnknown, 3),
        (("fsync", "ftruncate"), OutcomeUnknown, 4),
        (("stat",), OutcomeUnknown, 4),
    ],
)
def test_what_fails_is_told_as_what_it_is(path, calls, expected, lines):
    before = path.read_bytes()
    with LogFile(path, disk=Failing(*calls)).writing() as writer:
        with pytest.raises(expected) as caught:
            writer.append([body(4)])
        assert caught.value.fix
        with pytest.raises(ValueError, match="lock was given up"):
            writer.append([body(5)])
    if expected is NotRecorded:
        assert path.read_bytes() == before
    assert len(LogFile(path).read().lines) == lines
    add(path, body(5))
    assert found(path) == (lines + 1, [], False)


def test_a_disk_that_lies_and_a_file_that_was_exchanged_are_noticed(path):
    class Lying(Disk):
        def write(self, fd: int, data: bytes) -> int:
            return len(data)

    class Exchanged(Disk):
        def write(self, fd: int, data: bytes) -> int:
            fresh = path.parent / "fresh"
            fresh.write_bytes(path.read_bytes())
            fresh.chmod(0o600)
            fresh.replace(path)
            return super().write(fd, data)

    for disk in (Lying(), Exchanged()):
        with pytest.raises(OutcomeUnknown), LogFile(path, disk=disk).writing() as writer:
            writer.append([body(4)])
        assert found(path) == (3, [], False)
    add(path, body(4))


def full_disk(path: Path) -> None:
    limit = path.stat().st_size + 500
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    refused = 0
    for n in range(4, 30):
        before = path.read_bytes()
        try:
            add(path, body(n, text="x" * 100))
        except NotRecorded as error:
            refused += 1
            assert error.code == "log.disk"
            assert path.read_bytes() == before
    assert refused >= 24


def test_a_full_disk_takes_nothing_and_leaves_no_half_entry(path):
    assert in_child(full_disk, path) == 0
    count, findings, _ = found(path)
    assert not findings
    add(path, body(50))
    assert found(path) == (count + 1, [], False)


INTERRUPTED = """
import signal, sys
sys.path.insert(0, sys.argv[1])
from events import Body, Disk, LogFile, NotRecorded
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests in the background ignores it

class Interrupted(Disk):
    def fsync(self, fd):
        signal.raise_signal(signal.SIGINT)
        if sys.argv[3] == "fails":
            raise OSError(5, "the disk fails")
        super().fsync(fd)

try:
    with LogFile(sys.argv[2], disk=Interrupted()).writing() as writer:
        line = writer.append([Body("note", 4, "mara", 4, {"n": 4})])[0]
        print(line.seq, writer.interrupted, writer.warnings[0])
except KeyboardInterrupt:
    print("interrupted")
except NotRecorded:
    print("not recorded")
"""
"""Alone in a process: a signal goes to any thread that takes it, and a test runner may have several."""


def interrupted(path: Path, how: str) -> str:
    command = [sys.executable, "-c", INTERRUPTED, ROOT, str(path), how]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout


def test_interrupts_wait_until_the_entry_is_through(path):
    said = interrupted(path, "works")
    assert said.startswith("4 True")
    assert "too late" in said
    reading = LogFile(path).read()
    assert (len(reading.lines), reading.notes) == (4, ())


def test_an_interrupt_of_what_is_not_recorded_is_an_interrupt(path):
    before = path.read_bytes()
    assert interrupted(path, "fails") in ("interrupted\n", "")
    assert path.read_bytes() == before


# -- two at once


WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from events import Body, LogFile
log = LogFile(sys.argv[2], wait=60.0)
for n in range(int(sys.argv[4])):
    with log.writing() as writer:
        line = writer.append([Body("note", n, sys.argv[3], n, {"n": n})])[0]
    print(line.seq, line.hash, flush=True)
"""


def test_readers_are_never_wrong_while_a_writer_works(path):
    command = [sys.executable, "-c", WRITER, ROOT, str(path), "ann", "150"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log, last, mark = LogFile(path), 3, None
    while child.poll() is None:
        reading = log.read(mark)
        assert reading.mark.seq >= last
        last, mark = reading.mark.seq, reading.mark
        findings: list[Finding] = []
        list(log.scan(findings))
        assert all(f.code == "log.torn" for f in findings), findings
    child.communicate()
    assert len(log.read().lines) == 153


def test_waiting_for_the_lock_ends_with_a_message(path):
    with LogFile(path).writing():
        start = time.monotonic()
        with pytest.raises(NotRecorded) as caught:
            LogFile(path, wait=0.2).writing().__enter__()
        assert 0.2 <= time.monotonic() - start < 2
        assert caught.value.code == "log.locked"
        assert "0.2 s" in caught.value.what
        assert LogFile(path).read().mark.seq == 3  # reading takes no lock
    add(path, body(4))


def test_a_log_replaced_while_waiting_is_opened_again(path):
    class Replaced(Disk):
        done = False

        def flock(self, fd: int) -> None:
            super().flock(fd)
            if not self.done:
                self.done = True
                fresh = path.parent / "fresh"
                fresh.write_bytes(path.read_bytes())
                fresh.chmod(0o600)
                fresh.replace(path)

    with LogFile(path, disk=Replaced()).writing() as writer:
        writer.append([body(4)])
    assert found(path) == (4, [], False)


def test_a_program_that_writes_without_the_lock_is_noticed(path):
    with LogFile(path).writing() as writer:
        with path.open("ab") as other:
            other.write(b"more")
        with pytest.raises(NotRecorded) as caught:
            writer.append([body(4)])
        assert caught.value.code == "log.changed"
    assert path.read_bytes().endswith(b"more")


# -- what mutation testing asked for


def test_bodies_are_handed_out_of_the_lines_that_were_checked(path):
    """For `verify`, in any order; a line that is another one by now is named and not handed out."""
    log = LogFile(path)
    lines = list(log.scan([]))
    places = [(line.seq, line.offset, line.size) for line in lines][::-1]
    assert list(log.lines_at(places)) == [(line.seq, line.body) for line in lines[::-1]]
    path.write_bytes(path.read_bytes().replace(b'{"seq":2,', b'{"seq":7,'))
    with pytest.raises(Damaged) as caught:
        list(log.lines_at(places))
    assert (caught.value.code, caught.value.line) == ("log.changed", 2)


def test_a_torn_tail_never_takes_the_place_of_another(path):
    """The name it would get, and the next one, are taken by other bytes."""
    tail = b'{"seq":4,"pr'
    with path.open("ab") as file:
        file.write(tail)
    name = f"{path}.torn-{path.stat().st_size - len(tail)}-{hashlib.sha256(tail).hexdigest()[:8]}"
    for taken in (name, f"{name}-2"):
        Path(taken).write_bytes(b"others")
    add(path, body(4))
    assert Path(f"{name}-3").read_bytes() == tail
    assert Path(name).read_bytes() == Path(f"{name}-2").read_bytes() == b"others"


def test_no_descriptor_is_left_open(path, tmp_path):
    """Of nothing that is done to a log, whether it goes well or not."""
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    if before is None:
        pytest.skip("no /proc here")
    head = path.parent / "log.jsonl.head"
    for n in range(4, 8):
        with path.open("ab") as file:
            file.write(b"torn")
        stale = head.read_bytes()
        add(path, body(n))
        head.write_bytes(stale)  # the next command confirms the last line anew
        LogFile(path).read()
        with suppress(LedgerError):
            create(path, [body(1)])
        with suppress(LedgerError):
            create(tmp_path / "file" / "log.jsonl", [body(1)], disk=Failing("fsync"))
        with suppress(LedgerError):
            append_with(path, Failing("fsync"), n)
    LogFile(path).accept()
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_present_folder_has_a_name(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    assert Disk().listdir("") == Disk().listdir(".") == ["log.jsonl", "log.jsonl.head"]


def test_a_new_log_leaves_no_name_behind(tmp_path):
    """Log format 8: the log and its head record stand in the folder, and nothing that they were made under."""
    create(tmp_path / "m" / "log.jsonl", [body(1, batch=1), body(2, batch=1)])
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == ["log.jsonl", "log.jsonl.head"]
    assert (tmp_path / "m" / "log.jsonl").stat().st_nlink == 1
