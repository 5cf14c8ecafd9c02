"""Codes, words and bounds of the room of the log, as bytes: what changed sources showed that no scene looks at.

Each of these was written for a mutant that survived (tests/reliability/mutate.py). Whole scenes are in the other files;
single calls to the disk in test_events_calls.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import (
    Damaged,
    Disk,
    Finding,
    LogFile,
    NotRecorded,
    close_line,
    create,
    read_chain,
)
from events.audiences import EVERYBODY, EVERYBODY_AFTER_END, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.canon import MAX_DEPTH, NotCanonical, dumps, loads
from events.entry import GENESIS, MAX_LINE_BYTES, link, seal, write_body, write_line
from events.reading import MAX_TAIL_BYTES
from tests.support.logs import NOTHING, Scripted, add, behind, body, fails, nested

# ---- who may know ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("viewer", [HOST_VIEWER, PUBLIC_VIEWER, "ann", "bob"])
def test_whom_an_audience_admits(viewer: str, ended: bool) -> None:
    """docs/reliability.md: the hosts always; besides them the named players, everybody, or everybody after the end."""
    host = viewer == HOST_VIEWER
    assert HOST.admits(viewer, ended=ended) is host
    assert EVERYBODY.admits(viewer, ended=ended) is True
    assert EVERYBODY_AFTER_END.admits(viewer, ended=ended) is (host or ended)
    assert Audience.only("ann").admits(viewer, ended=ended) is (host or viewer == "ann")
    assert Audience(("ann",), after_end=True).admits(viewer, ended=ended) is (host or ended or viewer == "ann")


# ---- canonical JSON --------------------------------------------------------------------------------------------------


def test_braces_in_a_text_are_no_depth() -> None:
    """Log format 3: a text may hold any number of braces, also behind an escaped quote and an escaped backslash."""
    for text in (r"{\"[[[[[[[[[[[[[[[[[[", r"{\\[[[[[[[[[[[[[[[[[[", r"\\\"{{{{{{{{{{{{{{{{{{{{{"):
        assert loads(f'{{"a":"{text}"}}'.encode()).keys() == {"a"}
    with pytest.raises(NotCanonical, match="nested more than 16 deep"):
        loads(rb'{"a":"\\","b":' + b"[" * 20 + b"]" * 20 + b"}")
    beside = b"[" + b",".join([b"[]"] * 40) + b"]"  # many, none of them deep
    assert len(loads(b'{"a":' + beside + b"}")["a"]) == 40
    for deep, allowed in ((13, True), (14, True), (15, True), (16, False)):
        data = b'{"a":[[],[],[],[]],"b":' + b"[" * deep + b"]" * deep + b"}"
        if allowed:
            assert loads(data)["a"] == [[], [], [], []]
        else:
            with pytest.raises(NotCanonical, match="nested more than 16 deep"):
                loads(data)


# ---- the chain -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\xef\xbb\xbf{}\n", "it begins with a byte-order mark"),
        (b" {}\n", "it begins with a space"),
        (b"\n", "it is empty"),
        (b"{}\r\n", "it holds a carriage return"),
        (b"{}\0\n", "it holds NUL bytes"),
        (b"{}\n", "other keys, or in another order or spelling"),
    ],
)
def test_what_is_odd_about_a_line_is_said(line: bytes, why: str) -> None:
    """The message names the most telling thing."""
    with pytest.raises(Damaged) as caught:
        list(read_chain([line]))
    assert caught.value.what == f"line 1 of the log is bad: it is not laid out as an entry ({why})"


def test_a_bad_salt_behind_a_closed_line_is_named_by_its_own_number() -> None:
    """Salts are checked together, also where some lines have none."""
    first, prev = write_line(1, GENESIS, "0" * 32, write_body(body(1)))
    closed = close_line(first)
    data, salt = write_body(body(2)), "Z" * 32
    raw, _ = write_line(2, prev, salt, data)
    assert prev == link(1, GENESIS, seal("0" * 32, write_body(body(1))))
    more = [write_line(3, link(2, prev, seal(salt, data)), "1" * 32, data)[0]]
    for lines in ([closed, raw], [closed, raw, *more]):
        good = []
        with pytest.raises(Damaged) as caught:
            for line in read_chain(lines):
                good.append(line.seq)
        assert (caught.value.code, caught.value.line, good) == ("log.layout", 2, [1])


def test_a_line_without_end_has_its_code() -> None:
    raw, _ = write_line(1, GENESIS, "0" * 32, write_body(body(1)))
    with pytest.raises(Damaged) as caught:
        list(read_chain([raw[:-1]]))
    assert caught.value.code == "log.cut"


def test_a_bad_line_is_named_for_what_it_is_though_much_follows(tmp_path: Path) -> None:
    """More than a block of sound lines after the bad one: the first reason is told, by readers and by `verify`."""
    path = tmp_path / "log.jsonl"
    create(path, [body(n, "x" * 1000, batch=1) for n in range(400)])
    path.write_bytes(path.read_bytes().replace(b'"n":3,', b'"n":9,', 1))
    with pytest.raises(Damaged) as caught:
        LogFile(path).read()
    assert (caught.value.code, caught.value.line) == ("log.seal", 4)
    findings: list[Finding] = []
    assert len(list(LogFile(path).scan(findings))) == 3
    assert [(found.line, found.code) for found in findings] == [(4, "log.seal")]


# ---- reading ---------------------------------------------------------------------------------------------------------


def test_a_reading_opens_what_it_needs_once(path: Path) -> None:
    """Log format 6: the head, the log; and the head again only where it lags, in case a writer just finished."""
    disk = Scripted()
    LogFile(path, disk=disk).read()
    assert disk.opened() == ["log.jsonl.head", "log.jsonl"]
    stale = (path.parent / "log.jsonl.head").read_bytes()
    add(path, body(4))
    (path.parent / "log.jsonl.head").write_bytes(stale)
    disk = Scripted()
    assert len(LogFile(path, disk=disk).read().lines) == 4
    assert disk.opened() == ["log.jsonl.head", "log.jsonl", "log.jsonl.head"]


def test_a_log_is_unproved_only_after_a_scan_without_head(path: Path) -> None:
    log = LogFile(path)
    assert log.unproved is False
    list(log.scan([]))
    assert log.unproved is False
    (path.parent / "log.jsonl.head").unlink()
    list(log.scan([]))
    assert log.unproved is True


def test_a_disk_that_gives_a_byte_at_a_time_is_read_all_the_same(path: Path) -> None:
    """A read may give fewer bytes than asked for."""
    lines = LogFile(path).read().lines
    places = [(line.seq, line.offset, line.size) for line in lines]
    for most in (lambda size: 7, lambda size: size // 2 + 1):
        slow = Scripted(pread=lambda real, fd, size, offset, most=most: real(fd, min(size, most(size)), offset))
        assert LogFile(path, disk=slow).read() == LogFile(path).read()
        assert LogFile(path, disk=slow).head() == LogFile(path).head()
        assert list(LogFile(path, disk=slow).lines_at(places)) == [(line.seq, line.body) for line in lines]


def test_more_than_one_write_of_ours_is_damage(path: Path) -> None:
    """Log format 7: what stands after the last line is a torn write only up to 8 MiB."""
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(MAX_TAIL_BYTES))
    assert "unfinished entry" in LogFile(path).read().notes[0]
    path.write_bytes(whole + bytes(MAX_TAIL_BYTES + 1))
    with pytest.raises(Damaged):
        LogFile(path).read()
    findings: list[Finding] = []
    list(LogFile(path).scan(findings))
    assert findings[0].code != "log.torn"


# ---- what later runs asked for ---------------------------------------------------------------------------------------


def test_letters_outside_of_a_text_are_no_depth() -> None:
    """Log format 3: the reason that is told is that of the bytes: too deep, or no JSON at all."""
    many = b",".join([b"[]"] * 20)
    for data, why in (
        (b'{"a":[' + many + b'],"b":' + b"X" * 20 + b"}", "it is not JSON"),
        (b'{"a":' + b"[X" * 17 + b"]" * 17 + b"}", "nested more than 16 deep"),
        (b'{"":' + b"[" * 20 + b"]" * 20 + b"}", "nested more than 16 deep"),
    ):
        with pytest.raises(NotCanonical, match=why):
            loads(data)


def test_a_pair_of_surrogates_may_stand_at_the_deepest_place() -> None:
    """Log format 3: 16 deep is allowed, whatever letters stand there."""
    value = {"a": nested(MAX_DEPTH - 1, list), "b": "\U0001f0cf"}
    assert loads(dumps(value)) == value


def test_a_line_of_the_greatest_length_is_an_open_line_like_any_other() -> None:
    """Log format 1: at most 65,536 bytes with the newline; what is wrong with such a line is told as of any other."""
    short = len(write_line(1, GENESIS, "0" * 32, write_body(body(1, "")))[0])
    data = write_body(body(1, "x" * (MAX_LINE_BYTES - short)))
    raw, _ = write_line(1, GENESIS, "0" * 32, data)
    assert len(raw) == MAX_LINE_BYTES
    (line,) = read_chain([raw])
    assert (line.body, line.size) == (data, MAX_LINE_BYTES)
    with pytest.raises(Damaged) as caught:
        list(read_chain([raw.replace(b"xx", b"xy", 1)]))
    assert caught.value.code == "log.seal"


@pytest.mark.parametrize("over", [0, 1, 70_000])
def test_a_line_that_is_too_long_is_told_so_wherever_the_file_is_cut_for_reading(tmp_path: Path, over: int) -> None:
    """Log format 9: `log.too_long`, also where the part that was read first is no longer than a line may be."""
    short = len(write_line(1, GENESIS, "0" * 32, write_body(body(1, "")))[0])
    create(tmp_path / "log.jsonl", [body(1, "x" * (MAX_LINE_BYTES - short))])
    with (tmp_path / "log.jsonl").open("ab") as file:
        file.write(b"x" * (MAX_LINE_BYTES + over) + b"\n")
    with pytest.raises(Damaged) as caught:
        LogFile(tmp_path / "log.jsonl").read()
    assert (caught.value.code, caught.value.line) == ("log.too_long", 2)


def test_every_line_of_a_long_chain_says_where_it_stands() -> None:
    """The first byte of a line is what the lines before it take, however many were looked at together."""
    raw, prev = [], GENESIS
    for n in range(1, 1030):
        line, prev = write_line(n, prev, "0" * 32, b'{"n":%d}' % n)
        raw.append(line)
    at = 0
    for line, text in zip(read_chain(raw, offset=0), raw, strict=True):
        assert (line.offset, line.size) == (at, len(text))
        at += len(text)


def test_of_the_head_record_two_slots_are_read(path: Path) -> None:
    """Log format 6: two slots of 160 bytes. What stands after them is not looked at, however much it is."""
    head = LogFile(path).head()
    with (path.parent / "log.jsonl.head").open("ab") as file:
        file.write(b"9" * 1000)
    disk = Scripted(pread=lambda real, fd, size, offset: real(fd, min(size, 100), offset))
    assert LogFile(path, disk=disk).head() == head
    assert [words[1:] for name, words in disk.calls if name == "pread"] == [(320, 0), (220, 100), (120, 200), (20, 300)]


def test_a_last_line_without_newline_is_all_that_verify_finds(path: Path) -> None:
    """Log format 6 and 7: a record that is behind or missing is sound, and the line counts."""
    unsure = behind(path, body(4))
    path.write_bytes(path.read_bytes()[:-1])
    for gone in (False, True):
        if gone:
            (path.parent / "log.jsonl.head").unlink()
        findings: list[Finding] = []
        assert [line.seq for line in LogFile(path).scan(findings)] == [1, 2, 3, 4]
        assert [(one.line, one.code) for one in findings] == [(4, "log.no_newline")]
    assert unsure.startswith(b'{"seq":4,')


@pytest.mark.parametrize(("first", "torn"), [(4, True), (5, False)])
@pytest.mark.parametrize("behind_it", [b"", b"\n", b'\n{"seq":6,"pr'])
def test_whose_command_a_line_in_the_tail_is_from(path: Path, first: int, torn: bool, behind_it: bytes) -> None:
    """Log format 7: a whole line of the command that began at line 4 may stand in its tail; one of a later command
    means that lines were lost between, wherever in the tail it stands."""
    lost, salt = b"\0" * 300, "0" * 32
    late = write_line(5, link(4, GENESIS, "0" * 64), salt, write_body(body(5, batch=first)))[0].rstrip(b"\n")
    with path.open("ab") as file:
        file.write(lost + b"\n" + late + behind_it)
    findings: list[Finding] = []
    assert len(list(LogFile(path).scan(findings))) == 3
    assert (findings[0].code == "log.torn") is torn
    if torn:
        assert "unfinished entry" in LogFile(path).read().notes[0]
    else:
        with pytest.raises(Damaged):
            LogFile(path).read()


def test_descriptors_of_a_tail_and_of_a_log_that_was_replaced_are_given_back(path: Path) -> None:
    """Whatever else happens: an open file keeps its lock."""

    def replaced(real: Callable[..., Any], fd: int) -> None:
        real(fd)
        if sum(name == "flock" for name, _ in disk.calls) == 1:
            fresh = path.parent / "fresh"
            fresh.write_bytes(path.read_bytes())
            fresh.chmod(0o600)
            fresh.replace(path)

    def opens(real: Callable[..., Any], name: str, flags: int) -> int:
        fd = int(real(name, flags))
        held.append(fd)
        return fd

    def closes(real: Callable[..., Any], fd: int) -> None:
        real(fd)
        held.remove(fd)

    held: list[int] = []
    for n in (4, 5):
        with path.open("ab") as file:
            file.write(b"torn")
        disk = Scripted(open=opens, close=closes, flock=replaced, ftruncate=fails(errno.EIO, at=1 if n == 4 else 9))
        if n == 4:
            with pytest.raises(NotRecorded):
                add(path, body(4), disk=disk)  # the tail is kept, and finds itself kept the second time
        add(path, body(n), disk=disk)
        assert held == [] and len(disk.opened()) >= 5


def test_a_log_that_is_replaced_again_and_again_is_given_up(path: Path) -> None:
    """Log format 8: opened again if it was replaced meanwhile, as long as a lock would be waited for."""

    def other(real: Callable[..., Any], name: str) -> os.stat_result:
        assert len(disk.opened()) <= 1, "it should have been given up"
        return real(str(path.parent))  # type: ignore[no-any-return]

    disk = Scripted(stat=other, clock=lambda real: 100.0)
    with pytest.raises(NotRecorded) as caught:
        LogFile(path, disk=disk, wait=0.0).writing().__enter__()
    assert caught.value.code == "log.replaced" and caught.value.what.startswith(NOTHING)


def test_the_reason_of_the_system_is_told_in_its_own_words(path: Path) -> None:
    """What stands after the path: the system's words without its number, or whatever the error says."""
    for error, words in ((OSError(errno.EIO, "Input/output error"), "Input/output error"), (OSError("odd"), "odd")):

        def broken(real: Callable[..., Any], *rest: Any, error: OSError = error) -> None:
            raise error

        with pytest.raises(NotRecorded) as caught:
            LogFile(path, disk=Scripted(pread=broken)).read()
        assert caught.value.what == f"the log cannot be read from the disk: {path}: {words}"


@pytest.mark.posix
def test_a_second_name_is_given_to_a_link_and_not_to_what_it_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log format 8: no link is followed. Linux follows none here in any case; other systems must be told."""
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "link").symlink_to("secret")
    Disk().link(str(tmp_path / "link"), str(tmp_path / "name"))
    assert (tmp_path / "name").is_symlink() and (tmp_path / "secret").stat().st_nlink == 1
    told: dict[str, bool] = {}
    monkeypatch.setattr(os, "link", lambda old, new, **how: told.update(how))
    Disk().link("old", "new")
    assert told == {"follow_symlinks": False}


def test_a_program_without_standard_input_records_all_the_same(tmp_path: Path) -> None:
    """Started with its input closed it gets descriptor 0 for the log: that one is locked and given back too."""
    kept = os.dup(0)
    os.close(0)

    def free() -> bool:
        try:
            os.fstat(0)
        except OSError:
            return True
        return False

    disk = Scripted()
    try:
        path = tmp_path / "log.jsonl"
        create(path, [body(1)], disk=disk)
        assert free() and ("flock", (0,)) in disk.calls
        add(path, body(2))
        assert free()
        with pytest.raises(NotRecorded):
            create(tmp_path / "other.jsonl", [body(1)], disk=Scripted(write=fails(errno.ENOSPC)))
        assert free() and sorted(one.name for one in tmp_path.iterdir()) == ["log.jsonl", "log.jsonl.head"]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    assert len(LogFile(path).read().lines) == 2


@pytest.mark.parametrize("how", ["another", "cut"])
def test_what_is_no_longer_what_was_read_is_not_handed_out(path: Path, how: str) -> None:
    """Log format 9, `log.changed`: another file under the name, however alike, or one that is shorter by now."""
    mark = LogFile(path).read().mark
    whole = path.read_bytes()
    assert b"".join(LogFile(path).raw_lines(mark)) == whole
    if how == "another":
        (path.parent / "fresh").write_bytes(whole + b"more")
        (path.parent / "fresh").replace(path)
    else:
        path.write_bytes(whole[:-1])
    with pytest.raises(Damaged) as caught:
        list(LogFile(path).raw_lines(mark))
    assert caught.value.code == "log.changed"
