"""The log on a real disk: reading, rights and names, making a log, the one door. What fails: test_events_faults."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import events.files
import events.reading
import events.writer
from events import (
    Damaged,
    Disk,
    Finding,
    LogFile,
    NotRecorded,
    Refused,
    Unreadable,
    close_line,
    create,
    read_body,
)
from tests.support.logs import add, body, found

ROOT = Path(__file__).resolve().parents[2]

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
    data = path.read_bytes()
    for line in log.read().lines:
        assert data[line.offset : line.offset + line.size].endswith(line.body + b"}\n")


def test_a_mark_that_does_not_stand_means_reading_all(path, tmp_path):
    log = LogFile(path)
    mark = log.read().mark
    copy = path.read_bytes()
    path.unlink()
    path.write_bytes(copy)
    path.chmod(0o600)
    assert log.read(mark._replace(ino=mark.ino + 10**6)).whole
    assert log.read(log.read().mark._replace(hash="0" * 64)).whole
    assert log.read(log.read().mark._replace(size=mark.size + 1, seq=2)).whole
    (path.parent / "log.jsonl.head").unlink()
    assert log.read(log.read().mark).whole


def test_a_log_rewritten_in_place_after_a_mark_is_found(path):
    log = LogFile(path)
    mark = log.read().mark
    add(path, body(4))
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"n":4', b'"n":5'))
    with pytest.raises(Damaged) as caught:
        log.read(mark)
    assert caught.value.line == 4


def test_a_writer_sees_what_others_wrote_since_its_mark(path):
    with LogFile(path).writing() as writer:
        writer.append([body(4)])
        mark = writer.mark
    add(path, body(5))
    with LogFile(path).writing(mark) as writer:
        assert (writer.reading.whole, [line.seq for line in writer.reading.lines]) == (False, [5])
        writer.append([body(6)])
        writer.append([body(7)])
    assert [line.seq for line in LogFile(path).read().lines] == [1, 2, 3, 4, 5, 6, 7]


def test_a_refused_command_changes_nothing(path):
    path.write_bytes(path.read_bytes() + b'{"seq":4')
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()}
    with LogFile(path).writing() as writer, pytest.raises(Unreadable):
        writer.append([body(4, text="x" * 70_000)])
    with LogFile(path).writing() as writer:
        assert writer.append([]) == []
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()} == before


def test_no_log_is_said_so(tmp_path):
    for attempt in (
        LogFile(tmp_path / "x").read,
        LogFile(tmp_path / "x").accept,
        LogFile(tmp_path / "x").writing().__enter__,
        lambda: list(LogFile(tmp_path / "x").scan([])),
    ):
        with pytest.raises(Unreadable) as caught:
            attempt()
        assert caught.value.code == "log.missing"


def test_an_empty_log_is_damaged(path):
    path.write_bytes(b"")
    (path.parent / "log.jsonl.head").unlink()
    with pytest.raises(Damaged) as caught:
        LogFile(path).read()
    assert caught.value.code == "log.empty"
    assert found(path)[1][0].code == "log.empty"


def test_a_redacted_log_can_be_read_and_not_continued(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + close_line(lines[1]) + lines[2])
    assert [line.body is None for line in LogFile(path).read().lines] == [False, True, False]
    assert found(path)[:2] == (3, [])
    with pytest.raises(Unreadable) as caught:
        add(path, body(4))
    assert caught.value.code == "log.redacted"


# -- rights and names


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
@pytest.mark.posix
def test_files_are_0600_and_folders_0700_under_any_umask(tmp_path, umask):
    path = tmp_path / "a" / "b" / "log.jsonl"
    before = os.umask(umask)
    try:
        create(path, [body(1)])
        with path.open("ab") as torn:
            torn.write(b"half")
        (path.parent / "log.jsonl.head").unlink()
        add(path, body(2))
        LogFile(path).accept()
    finally:
        os.umask(before)
    for made in (tmp_path / "a", tmp_path / "a" / "b"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    names = sorted(p.name.split("-")[0] for p in path.parent.iterdir())
    assert names == ["log.jsonl", "log.jsonl.head", "log.jsonl.torn"]
    for made in path.parent.iterdir():
        assert stat.S_IMODE(made.stat().st_mode) == 0o600, made


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
@pytest.mark.posix
def test_a_log_that_others_may_write_is_read_with_a_note_and_not_continued(path, mode):
    path.chmod(mode)
    assert "others may write" in LogFile(path).read().notes[-1]
    for attempt in (lambda: add(path, body(4)), LogFile(path).accept):
        with pytest.raises(Refused) as caught:
            attempt()
        assert (caught.value.code, caught.value.fix) == ("log.rights", f"chmod 600 {path}")


def test_links_are_not_followed(path, tmp_path):
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    for attempt in (LogFile(link).read, lambda: add(link, body(4))):
        with pytest.raises(Unreadable) as caught:
            attempt()
        assert caught.value.code == "log.symlink"
    target = tmp_path / "victim"
    target.write_bytes(b"precious")
    head = path.parent / "log.jsonl.head"
    head.unlink()
    head.symlink_to(target)
    with pytest.raises(Unreadable):
        add(path, body(4))
    assert target.read_bytes() == b"precious"


def test_what_is_no_plain_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(Unreadable) as caught:
            LogFile(name).read()
        assert caught.value.code == "log.not_a_file"


@pytest.mark.posix
def test_a_second_name_is_refused_unless_it_is_our_own_leftover(path):
    os.link(path, path.parent / "backup")
    with pytest.raises(Refused) as caught:
        add(path, body(4))
    assert caught.value.code == "log.names"
    (path.parent / "backup").rename(path.parent / "log.jsonl.new-0123")
    add(path, body(4))
    assert not (path.parent / "log.jsonl.new-0123").exists()
    assert path.stat().st_nlink == 1


# -- making a log


def test_nothing_is_overwritten(path):
    before = path.read_bytes()
    with pytest.raises(Unreadable) as caught:
        create(path, [body(1)])
    assert caught.value.code == "log.exists"
    path.rename(path.parent / "elsewhere")
    with pytest.raises(Unreadable, match="a log that belongs to it is gone"):
        create(path, [body(1)])
    assert (path.parent / "elsewhere").read_bytes() == before


def test_a_name_taken_at_the_last_moment_is_not_overwritten(tmp_path):
    path = tmp_path / "log.jsonl"

    class Raced(Disk):
        def give_name(self, fd: int, temporary: str, name: str) -> int:
            path.write_bytes(b"precious")
            return super().give_name(fd, temporary, name)

    with pytest.raises(Unreadable) as caught:
        create(path, [body(1)], disk=Raced())
    assert caught.value.code == "log.exists"
    assert [p.name for p in tmp_path.iterdir()] == ["log.jsonl"]
    assert path.read_bytes() == b"precious"


def test_a_log_that_cannot_be_made_leaves_nothing(tmp_path):
    class Full(Disk):
        def write(self, fd: int, data: bytes) -> int:
            return super().write(fd, data[:10])

    with pytest.raises(NotRecorded):
        create(tmp_path / "a" / "b" / "log.jsonl", [body(1)], disk=Full())
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotRecorded):
        create(tmp_path / "file" / "log.jsonl", [body(1)])


def test_a_log_in_the_present_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    create("log.jsonl", [body(1)])
    add(Path("log.jsonl"), body(2))
    assert found(Path("log.jsonl")) == (2, [], False)


def test_a_log_longer_than_one_block(tmp_path):
    path = tmp_path / "log.jsonl"
    create(path, [body(n, batch=1, text="x" * 60_000) for n in range(60)])
    assert path.stat().st_size > 3 * (1 << 20)
    reading = LogFile(path).read()
    findings: list[Finding] = []
    assert list(LogFile(path).scan(findings)) == reading.lines
    assert (len(reading.lines), findings) == (60, [])
    data = bytearray(path.read_bytes())
    data[2_500_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(Damaged) as caught:
        LogFile(path).read()
    assert caught.value.line == data[:2_500_000].count(10) + 1


def test_a_short_read_is_an_error_and_never_a_repair(path):
    class Short(Disk):
        def pread(self, fd: int, size: int, offset: int) -> bytes:
            return b"" if size > 320 else super().pread(fd, size, offset)

    before = path.read_bytes()
    for attempt in (LogFile(path, disk=Short()).read, LogFile(path, disk=Short()).writing().__enter__):
        with pytest.raises(NotRecorded) as caught:
            attempt()
        assert caught.value.code == "log.disk"
    assert path.read_bytes() == before


def test_a_reader_whom_a_rollback_cut_short_reads_again(path):
    class Once(Disk):
        shrunk = False

        def pread(self, fd: int, size: int, offset: int) -> bytes:
            if size > 320 and not self.shrunk:
                self.shrunk = True
                return b""
            return super().pread(fd, size, offset)

    assert len(LogFile(path, disk=Once()).read().lines) == 3


def test_new_folders_are_made_durable_in_the_folders_above(tmp_path):
    class Noting(Disk):
        flushed: list[str] = []  # noqa: RUF012

        def fsync_folder(self, path: str) -> None:
            self.flushed.append(path)
            super().fsync_folder(path)

    create(tmp_path / "a" / "b" / "log.jsonl", [body(1)], disk=Noting())
    assert {str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a" / "b")} <= set(Noting.flushed)


# -- the one door


def test_only_the_disk_calls_the_system():
    import ast

    allowed = {"disk.py", "door.py", "posix.py", "windows.py"}
    for source in Path(events.files.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                harmless = node.attr.startswith("O_") or node.attr in ("PathLike", "stat_result", "fspath")
                assert harmless or source.name in allowed, f"{source.name}:{node.lineno} os.{node.attr}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "open", f"{source.name}:{node.lineno} open()"
