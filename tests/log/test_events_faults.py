"""The log on a real disk when something goes wrong: torn tails, kills, full and failing disks, two at once."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from events import Damaged, LogFile, NotRecorded, OutcomeUnknown, write_line
from events.entry import GENESIS, link, write_body
from events.reading import MAX_TAIL_BYTES
from tests.support.logs import Scripted, add, behind, body, exchanged, fails, found, scanned, told
from tests.support.sizes import FULL

ROOT = str(Path(__file__).resolve().parents[2])
NOTHING = "nothing was recorded"


@pytest.fixture
def head(path):
    """The head record of the log."""
    return path.parent / "log.jsonl.head"


def torn(path, tail: bytes) -> bytes:
    """Write these bytes behind the log; what stood before them."""
    before = path.read_bytes()
    path.write_bytes(before + tail)
    return before


# -- the end of the log: head record, torn tail


def test_without_head_record_the_end_is_not_proved(path, head):
    log = LogFile(path)
    assert (log.unproved, found(path)) == (False, (3, [], False))
    head.unlink()
    assert log.unproved is False, "as long as nobody has looked"
    assert "log.jsonl.head is missing" in LogFile(path).read().notes[0]
    assert found(path) == (3, [], True)
    add(path, body(4))
    assert found(path) == (4, [], False)


def test_a_head_record_lost_in_part_falls_back_to_the_one_before(path, head):
    """Log format 6: two slots of 160 bytes, and nothing after them counts. What is no record is none, and no error."""
    add(path, body(4))
    whole, before = head.read_bytes(), (3, LogFile(path).read().lines[2].hash)
    assert len(whole) == 320 and whole[159:160] == whole[319:320] == b"\n"
    head.write_bytes(b"\0" * 100 + whole[100:])
    assert LogFile(path).head() == before
    assert "line 4 is recorded, although the command" in LogFile(path).read().notes[0]
    for junk in (
        b"\0" * 320, whole[160:] + whole[:160], b"", b"4", b"x" * 320, b" " * 320, b"\xff" * 400, b"9" * 17,
        b"3 " + b"\xff" * 158, b"3 " + b"a" * 400, whole[:2] + b"X" + whole[3:160] + b"\0" * 160,
    ):  # fmt: skip
        head.write_bytes(junk.ljust(320))
        assert LogFile(path).head() is None and found(path)[2]
        assert "log.jsonl.head is damaged" in LogFile(path).read().notes[0]
    head.write_bytes(whole.replace(b"4 ", b"6 ", 1))
    assert LogFile(path).head() == before
    head.write_bytes(whole + b"9" * 1000)
    disk = Scripted(pread=lambda real, fd, size, offset: real(fd, min(size, 100), offset))
    assert LogFile(path, disk=disk).head() == LogFile(path).read().mark[-2:]
    assert [words[1:] for name, words in disk.calls if name == "pread"] == [(320, 0), (220, 100), (120, 200), (20, 300)]
    add(path, body(5))
    assert found(path) == (5, [], False)


def test_an_older_copy_is_refused_until_a_host_accepts_it(path):
    old = path.read_bytes()
    for n in range(4, 7):
        add(path, body(n))
    path.write_bytes(old)
    for attempt in (LogFile(path).read, lambda: add(path, body(9))):
        with told(Damaged, "log.head_ahead", line=4) as caught:
            attempt()
        assert "hl receipt --accept" in caught.value.fix
    assert scanned(path)[1] == [(4, "log.head_ahead", caught.value.what)]
    assert path.read_bytes() == old
    mark = LogFile(path).accept()
    assert LogFile(path).head() == (3, mark.hash)
    assert found(path) == (3, [], False)
    assert add(path, body(4)) == []


def test_what_cannot_be_accepted_leaves_the_old_record(path, head):
    """A damaged log; a disk that fails; a record written in part."""
    stood, sound = head.read_bytes(), path.read_bytes()
    for instead in (
        {"open": fails(errno.EIO)}, {"pwrite": lambda real, fd, data, offset: real(fd, data[:-1], offset)},
    ):  # fmt: skip
        with told(NotRecorded, "log.disk", NOTHING):
            LogFile(path, disk=Scripted(**instead)).accept()
    path.write_bytes(sound.replace(b'"n":2', b'"n":7'))
    with told(Damaged):
        LogFile(path).accept()
    assert head.read_bytes() == stood
    assert sorted(one.name for one in path.parent.iterdir()) == ["log.jsonl", "log.jsonl.head"]


@pytest.mark.posix
def test_accepting_flushes_the_log_and_then_the_record(path):
    """Log format 6: the record never leads. Both are on the disk before it has its name, and then the name is."""
    disk = Scripted()
    LogFile(path, disk=disk).accept()
    order = ["fsync", "pwrite", "fsync", "replace", "fsync_folder"]
    assert disk.did(*set(order))[:5] == order
    words = {name: words for name, words in reversed(disk.calls)}
    assert words["fsync"] == words["flock"], "the log first"


TORN = [b"{", b'{"seq":4,"prev":"', b"\0" * 700, b'{"seq":4,\0\0\0}\n', b"\0\n", b'{"seq":4}\n{"seq":5', b"\xff" * 5000]


@pytest.mark.parametrize("tail", TORN)
def test_a_torn_tail_is_left_out_then_set_aside_with_every_byte(path, tail):
    sound = torn(path, tail)
    reading = LogFile(path).read()
    assert len(reading.lines) == 3 and "unfinished entry" in reading.notes[0]
    assert found(path)[:2] == (3, [(4, "log.torn")])
    warnings = add(path, body(4))
    (kept,) = path.parent.glob("log.jsonl.torn-*")
    assert kept.read_bytes() == tail and str(kept) in warnings[0]
    assert kept.name == f"log.jsonl.torn-{len(sound)}-{hashlib.sha256(tail).hexdigest()[:8]}"
    assert os.name == "nt" or stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert path.read_bytes().startswith(sound + b'{"seq":4,')
    assert found(path) == (4, [], False)


def test_a_torn_tail_never_takes_the_place_of_another(path):
    """The name it would get, and the next one, are taken by other bytes, some of the same length; its own are kept
    once, also where the tail was kept and could not be cut."""
    tail = b'{"seq":4,"pr'
    name = f"{path}.torn-{len(torn(path, tail))}-{hashlib.sha256(tail).hexdigest()[:8]}"
    with told(NotRecorded, "log.disk", NOTHING):
        add(path, body(4), disk=Scripted(ftruncate=fails(errno.EIO)))
    assert Path(name).read_bytes() == tail
    with told(NotRecorded):
        add(path, body(4), disk=Scripted(ftruncate=fails(errno.EIO)))
    assert len(list(path.parent.glob("*.torn-*"))) == 1
    for taken, other in ((name, tail[:-1] + b"X"), (f"{name}-2", b"others")):
        Path(taken).write_bytes(other)
    add(path, body(4))
    assert Path(f"{name}-3").read_bytes() == tail
    assert [Path(one).read_bytes() for one in (name, f"{name}-2")] == [tail[:-1] + b"X", b"others"]


@pytest.mark.parametrize("tail", [b"garbage\n", b"\n", b'{"seq":4}\n', b"one\ntwo\n", bytes(MAX_TAIL_BYTES + 1)])
def test_what_no_crash_leaves_is_damage(path, tail):
    """Log format 7: whole lines of something else; and more than 8 MiB."""
    torn(path, tail)
    for attempt in (LogFile(path).read, lambda: add(path, body(4))):
        with told(Damaged, line=4):
            attempt()
    ((line, code),) = found(path)[1]
    assert line == 4 and code != "log.torn"
    assert path.read_bytes().endswith(tail)
    assert not list(path.parent.glob("*.torn-*"))
    path.write_bytes(path.read_bytes()[: -len(tail)] + bytes(MAX_TAIL_BYTES))
    assert "unfinished entry" in LogFile(path).read().notes[0]


def test_damage_before_later_entries_is_never_a_torn_tail(path, head):
    """Even without a head record: a whole entry of a later command stands after it."""
    add(path, body(4))
    head.unlink()
    lines = path.read_bytes().splitlines(keepends=True)
    for bad in (lines[2].replace(b"note", b"no\0e"), lines[2][:-1], lines[2][:40], lines[2][:40] + b"\0"):
        path.write_bytes(lines[0] + lines[1] + bad + lines[3][:-1])
        with told(Damaged, line=3):
            LogFile(path).read()


@pytest.mark.parametrize(("first", "code"), [(4, "log.torn"), (5, "log.layout")])
@pytest.mark.parametrize("behind_it", [b"", b"\n", b'\n{"seq":6,"pr'])
def test_whose_command_a_line_in_the_tail_is_from(path, first, code, behind_it):
    """Log format 7: a whole line of the command that began at line 4 may stand in its tail; one of a later command
    means that lines were lost between, wherever in the tail it stands."""
    late = write_line(5, link(4, GENESIS, "0" * 64), "0" * 32, write_body(body(5, batch=first)))[0].rstrip(b"\n")
    torn(path, b"\0" * 300 + b"\n" + late + behind_it)
    assert found(path)[:2] == (3, [(4, code)])
    if code == "log.torn":
        assert "unfinished entry" in LogFile(path).read().notes[0]
    else:
        with told(Damaged):
            LogFile(path).read()


def test_a_torn_batch_keeps_its_whole_lines_and_sets_the_rest_aside(path, head):
    sound, stood = path.read_bytes(), head.read_bytes()
    add(path, *[body(n, batch=4) for n in (4, 5, 6)])
    lines = path.read_bytes()[len(sound) :].splitlines(keepends=True)
    for tail, whole in (
        (lines[0] + lines[1][:50], 4),
        (lines[0] + b"\0" * len(lines[1]) + lines[2], 4),
        (b"\0" * 300 + lines[1] + lines[2], 3),
        (lines[0] + lines[1] + lines[2][:-5], 5),
    ):
        path.write_bytes(sound + tail)
        head.write_bytes(stood)
        assert LogFile(path).read().mark.seq == whole
        add(path, body(9))
        assert found(path) == (whole + 1, [], False)


def test_a_missing_last_newline_is_a_finding_and_is_added(path, head):
    """Log format 6 and 7: the line counts, whatever the record says; it is whole and durable before more is written."""
    behind(path, body(4))
    full, stood = path.read_bytes(), head.read_bytes()
    for record in (stood, None):
        head.write_bytes(record) if record else head.unlink()
        path.write_bytes(full[:-1])
        reading = LogFile(path).read()
        assert len(reading.lines) == 4 and "newline" in reading.notes[0]
        assert found(path)[:2] == (4, [(4, "log.no_newline")])
        assert path.read_bytes() == full[:-1]
        disk = Scripted()
        assert "had no newline at its end: added" in add(path, body(5), disk=disk)[0]
        did = [(name, words[1:]) for name, words in disk.calls if name in ("write", "fsync")]
        assert did[did.index(("write", (b"\n",))) + 1] == ("fsync", ())
        assert path.read_bytes().startswith(full) and found(path) == (5, [], False)
    assert not list(path.parent.glob("*.torn-*"))


def test_what_nobody_acknowledged_is_made_durable_before_anything_is_said(path):
    """Log format 8: exactly the lines after the head record are written again and flushed, also if nothing follows."""
    size = path.stat().st_size
    unsure = behind(path, body(4), body(5))
    assert "lines 4 to 5 are recorded" in LogFile(path).read().notes[0]
    assert found(path) == (5, [], False)
    disk = Scripted()
    with LogFile(path, disk=disk).writing():
        did = [(name, words[1:]) for name, words in disk.calls if name in ("pwrite", "fsync")]
    assert did == [("pwrite", (unsure, size)), ("fsync", ())]
    add(path, body(6))
    assert LogFile(path).read().notes == ()


def test_each_entry_writes_one_slot_of_the_head_record(path, head):
    """Log format 6: the other slot stands, and is written too only after a record that could not be."""
    disk = Scripted(pwrite=fails(errno.EIO, at=3))
    with LogFile(path, disk=disk).writing() as writer:
        for n, written in ((4, 1), (5, 1), (6, 1), (7, 2), (8, 1)):
            disk.calls.clear()
            writer.append([body(n)])
            assert len(disk.did("pwrite")) == written, n
    assert len(writer.warnings) == 1
    assert LogFile(path).read().notes == ()
    half = Scripted(pwrite=lambda real, fd, data, offset: real(fd, data[:50], offset))
    assert "log.jsonl.head could not be written" in add(path, body(9), disk=half)[0]
    assert LogFile(path).head() == (8, LogFile(path).read().lines[7].hash)


# -- killed, full, failing


def test_a_line_that_ends_after_any_byte(path, head):
    """What a kill in the write leaves (test_kills): the line up to there, and the record of before."""
    sound, stood = path.read_bytes(), head.read_bytes()
    line = behind(path, body(4))
    torn = 0
    for after in range(0, len(line) + 1, 1 if FULL else 5):
        path.write_bytes(sound + line[:after])
        head.write_bytes(stood)
        reading = LogFile(path).read()
        assert len(reading.lines) == (4 if after >= len(line) - 1 else 3)
        add(path, body(5))
        assert path.read_bytes().startswith(sound)
        assert found(path) == (len(reading.lines) + 1, [], False)
        torn += bool(list(path.parent.glob("*.torn-*")))
    assert torn > 50


def short(real, fd, data):
    return real(fd, data[:100])


def writes(path):
    """What the disk does -> the error, and how many lines there are then."""
    unwritten, unflushed = {"write": fails(errno.EIO)}, {"fsync": fails(errno.EIO)}
    stays, replaced = {"ftruncate": fails(errno.EROFS)}, lambda real, *words: (exchanged(path), real(*words))[1]
    return {
        "open": ({"open": fails(errno.EIO)}, NotRecorded, 3),
        "size": ({"fstat": fails(errno.EIO, at=4)}, NotRecorded, 3),
        "full": ({"write": fails(errno.ENOSPC)}, NotRecorded, 3),
        "short": ({"write": short}, NotRecorded, 3),
        "flush": (unflushed, NotRecorded, 3),
        "write, not taken back": (unwritten | stays, OutcomeUnknown, 3),
        "short, not taken back": ({"write": short} | stays, OutcomeUnknown, 3),
        "flush, not taken back": (unflushed | stays, OutcomeUnknown, 4),
        "name not seen": ({"stat": fails(errno.EIO, at=2)}, OutcomeUnknown, 4),
        "lies": ({"write": lambda real, fd, data: len(data)}, OutcomeUnknown, 3),
        "exchanged": ({"write": replaced}, OutcomeUnknown, 3),
    }


@pytest.mark.parametrize("how", writes(Path()))
def test_what_fails_is_told_as_what_it_is(path, how):
    """Log format 8, each with its code; after it the writer has given up its lock, and the next one goes on."""
    instead, kind, lines = writes(path)[how]
    before, disk = path.read_bytes(), Scripted(**instead)
    writer = LogFile(path, disk=disk).writing()
    with told(kind, "log.disk" if kind is NotRecorded else "log.unknown") as caught, writer:
        try:
            writer.append([body(4)])
        finally:
            with pytest.raises(ValueError, match="lock was given up"):
                writer.append([body(5)])
    assert caught.value.fix
    if kind is NotRecorded:
        assert path.read_bytes() == before and caught.value.what.startswith(NOTHING)
    elif how == "write, not taken back":
        assert all(os.strerror(one) in caught.value.what for one in (errno.EIO, errno.EROFS))
    assert len(LogFile(path).read().lines) == lines
    add(path, body(5))
    assert found(path) == (lines + 1, [], False)


def test_a_disk_that_takes_no_byte_of_a_tail_is_an_error(path):
    """The tail stays where it is; nothing goes on for ever."""
    torn(path, b'{"seq":4,"pr')
    before = path.read_bytes()
    with told(NotRecorded):
        add(path, body(4), disk=Scripted(pwrite=lambda real, fd, data, offset: 0))
    assert path.read_bytes() == before


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


def test_interrupts_wait_until_the_entry_is_through_or_is_not_recorded(path):
    """Nobody may take an interrupt of what failed for one that came too late."""

    def interrupted(how):
        command = [sys.executable, "-c", INTERRUPTED, ROOT, str(path), how]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False).stdout

    before = path.read_bytes()
    assert interrupted("fails") in ("interrupted\n", "")
    assert path.read_bytes() == before
    said = interrupted("works")
    assert said.startswith("4 True") and "too late" in said
    reading = LogFile(path).read()
    assert (len(reading.lines), reading.notes) == (4, ())


# -- two at once


def test_waiting_for_the_lock_ends_with_a_message(path):
    """It waits as long as it was told and no longer, in steps from 1 ms up to 50 ms; reading takes no lock."""
    with LogFile(path).writing():
        start = time.monotonic()
        with told(NotRecorded, "log.locked", "0.2 s"):
            LogFile(path, wait=0.2).writing().__enter__()
        assert 0.2 <= time.monotonic() - start < 2
        assert LogFile(path).read().mark.seq == 3
        slept = []
        clock = {"sleep": lambda real, seconds: slept.append(seconds), "clock": lambda real: 100.0 + sum(slept)}
        for wait in (1.0, 0.0):
            slept.clear()
            with told(NotRecorded, "log.locked"):
                LogFile(path, disk=Scripted(**clock), wait=wait).writing().__enter__()
            assert wait <= sum(slept) < wait + 0.05
            assert slept == [] if not wait else slept[:2] == [0.001, pytest.approx(0.0015)] and max(slept) == 0.05
            assert slept == sorted(slept)
    add(path, body(4))


def test_a_log_replaced_while_waiting_is_opened_again_and_not_for_ever(path):
    """Log format 8: as long as a lock would be waited for."""

    def once(real, fd):
        real(fd)
        if disk.did("flock") == ["flock"]:
            exchanged(path)

    disk = Scripted(flock=once)
    assert add(path, body(4), disk=disk) == []
    assert found(path) == (4, [], False)

    def other(real, name):
        assert len(disk.opened()) <= 1, "it should have been given up"
        return real(str(path.parent))

    disk = Scripted(stat=other, clock=lambda real: 100.0)
    with told(NotRecorded, "log.replaced", NOTHING):
        LogFile(path, disk=disk, wait=0.0).writing().__enter__()


def test_a_program_that_writes_without_the_lock_is_noticed(path):
    with LogFile(path).writing() as writer:
        torn(path, b"more")
        with told(NotRecorded, "log.changed"):
            writer.append([body(4)])
    assert path.read_bytes().endswith(b"more")
