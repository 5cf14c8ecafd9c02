"""Files that the commands write: 0600 in folders of 0700, whole or not at all, nothing overwritten, no link followed.

Through the real commands, under every umask, with something planted at every place where a file is written. What the
log itself does is in test_events_files.py. And nothing here ever opens a socket: conftest.py forbids them.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from events import Unreadable
from games.registry import names
from ledger.cli.app import App
from tests.support.demos import reads
from tests.support.host import hl, match_file
from tests.support.sizes import many

GAME = names()[0]
WRITES = (
    ("view", "--for", "host", "-o", "{}"),
    ("view", "--for", "public", "-f", "discord", "-o", "{}"),
    ("view", "--for", "public", "-f", "json", "-o", "{}"),
    ("log", "-o", "{}"),
    ("explain", "final", "-o", "{}"),
    ("redact", "--for", "public", "-o", "{}"),
    ("final", "-o", "{}"),
    ("summary", "ann", "-o", "{}"),
    ("export", "-o", "{}"),
    ("replay", "--html", "{}"),
)
"""Commands that write the file named in the place of `{}`."""


def words(line: tuple[str, ...], target: Path) -> list[str]:
    return [str(target) if word == "{}" else word for word in line]


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def match(demos: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HL_AS", "mara")
    monkeypatch.delenv("HL_MATCH", raising=False)
    return Path(demos.copy(GAME, tmp_path / "m"))


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
@pytest.mark.posix
def test_everything_is_private_under_any_umask(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HL_AS", "mara")
    file, out, match = tmp_path / "match.toml", tmp_path / "out", tmp_path / "a" / "b" / "m"
    file.write_text(match_file(GAME, "ann p0 p1 p2 p3 p4 p5 p6"))
    out.mkdir()
    before = os.umask(umask)
    try:
        assert hl("new", str(match), "--from", str(file)).code == 0
        with (match / "log.jsonl").open("ab") as log:
            log.write(b'{"seq"')  # a torn tail, to be set aside
        assert hl("-g", str(match), "note", "x").code == 0
        for number, line in enumerate(WRITES[: many(4, len(WRITES))]):
            told = hl("-g", str(match), *words(line, out / str(number)))
            assert told.code == 0 or line[0] == "explain", (line, told)
    finally:
        os.umask(before)
    assert len(list(match.iterdir())) == 3 and len(list(out.iterdir())) >= 4
    for path in (*out.iterdir(), *(tmp_path / "a").rglob("*"), tmp_path / "a"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


@pytest.mark.parametrize("line", WRITES, ids=lambda line: " ".join(line[:3]))
def test_nothing_is_overwritten_and_no_link_followed(line: tuple[str, ...], match: Path, tmp_path: Path) -> None:
    target, victim = tmp_path / "target", tmp_path / "victim"
    victim.write_bytes(b"precious")
    target.write_bytes(b"mine")
    told = hl("-g", str(match), *words(line, target))
    assert (told.code, target.read_bytes()) == (2, b"mine") and "output.exists" in told.out + told.err, told
    before = files(match)
    for name in ("log.jsonl", "log.jsonl.head"):  # issue 16: `redact` wrote over the match, and `verify` said verified
        told = hl("-g", str(match), *words(line, match / name), "--overwrite")
        assert "output.match" in told.text and "log-2.jsonl" in told.text and files(match) == before, told
    for make in (target.symlink_to, target.hardlink_to):
        target.unlink()
        make(victim)
        assert hl("-g", str(match), *words(line, target)).code == 2
        hl("-g", str(match), *words(line, target), "--overwrite")
        assert victim.read_bytes() == b"precious", make
        assert target.is_symlink() == (make == target.symlink_to), "a link was replaced as if it were the file"
    target.unlink(missing_ok=True)
    target.symlink_to(tmp_path / "nowhere")
    for more in ((), ("--overwrite",)):
        assert hl("-g", str(match), *words(line, target), *more).code != 0
        assert not (tmp_path / "nowhere").exists()
    target.unlink()
    target.write_bytes(b"old")
    target.chmod(0o666)
    assert hl("-g", str(match), *words(line, target), "--overwrite").code == 0
    assert target.read_bytes() != b"old" and stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m", "target", "victim"], "something was left behind"


def test_no_output_takes_the_place_of_a_log_under_any_name(
    match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another spelling, through a linked folder, by a second name; the log of another match, and a whole copy; a
    name that belongs to a log and is free; a log that is gone or empty."""
    from ledger.cli.output import write_new

    monkeypatch.chdir(tmp_path)
    other = Path(shutil.copytree(match, tmp_path / "other"))
    shutil.copy(other / "log.jsonl", tmp_path / "season.jsonl")
    shutil.copy(other / "log.jsonl.head", tmp_path / "season.jsonl.head")
    shutil.copy(match / "log.jsonl", tmp_path / "backup")
    (tmp_path / "linked").symlink_to(match)
    (tmp_path / "second").hardlink_to(other / "log.jsonl")
    (match / "log.jsonl.torn-99-0a1b2c3d").write_bytes(b"torn")
    for name in ("gone", "empty"):
        (tmp_path / name).mkdir()
    shutil.copy(match / "log.jsonl.head", tmp_path / "gone" / "log.jsonl.head")
    (tmp_path / "empty" / "log.jsonl").touch()
    (match / "LOGJSO~1.HEA").hardlink_to(match / "log.jsonl.head")
    before = files(tmp_path)
    names = ("log.jsonl", "log.jsonl.head", "log.jsonl.torn-99-0a1b2c3d", "log.jsonl.torn-5-00000000")
    names += ("LOG.JSONL.HEAD", "log.jsonl.Torn-1-ab", "log.jsonl.head. ", "LOGJSO~1.HEA")  # blind disks
    targets = [f"m/{name}" for name in (*names, "log.jsonl.new-00", "log.jsonl.head.new-00", "../m/log.jsonl")]
    targets += ["linked/log.jsonl", str(match / "log.jsonl"), "other/log.jsonl", "other/log.jsonl.head"]
    targets += ["second", "backup", "season.jsonl", "season.jsonl.head", "gone/log.jsonl", "empty/log.jsonl"]
    for target in targets:
        for overwrite in (False, True):
            with pytest.raises(Unreadable) as told:
                write_new(target, b"something else", overwrite=overwrite)
            assert told.value.code == "output.match", target
    assert files(tmp_path) == before


def test_a_redacted_copy_may_be_written_again(match: Path, tmp_path: Path) -> None:
    """It has closed lines and no head record: nobody records in it. Not so with a head record, or all lines open."""
    copy, again = tmp_path / "log.jsonl", ("--for", "public", "-o", str(tmp_path / "log.jsonl"), "--overwrite")
    assert hl("-g", str(match), "redact", "--for", "ann", "-o", str(copy)).code == 0
    first = copy.read_bytes()
    assert hl("-g", str(match), "redact", *again).code == 0
    assert copy.read_bytes() != first
    head = Path(f"{copy}.head")
    head.write_bytes(b"")
    assert hl("-g", str(match), "redact", *again).code == 2
    head.unlink()
    copy.write_bytes((match / "log.jsonl").read_bytes() + b'{"seq"')  # a torn tail is no closed line
    assert hl("-g", str(match), "redact", *again).code == 2


def test_a_match_made_meanwhile_is_not_overwritten(
    match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the rename another command makes a log of that name."""
    from ledger.cli import output

    target, real = tmp_path / "log.jsonl", output._unfinished

    def meanwhile(folder: str) -> tuple[int, str]:
        shutil.copy(match / "log.jsonl", target)
        return real(folder)

    monkeypatch.setattr(output, "_unfinished", meanwhile)
    assert hl("-g", str(match), "view", "--for", "public", "-o", str(target), "--overwrite").code == 2
    assert target.read_bytes() == (match / "log.jsonl").read_bytes()


def test_files_are_written_through_one_door(root: Path) -> None:
    """What else in ledger/ could write a file: a font and a signature go into a temporary one, the shell's history is
    made if it is not there, copies.py adds to the copy of a log, and errors.py opens the null device. The log and what
    lies beside it are written in events/."""
    writes = re.compile(r"write_text|write_bytes|O_WRONLY|O_RDWR|os\.(replace|rename)\(|open\([^)]*[\"'][rb]?[wax+]")
    found = {path.name for path in (root / "ledger").rglob("*.py") if writes.search(path.read_text(encoding="utf-8"))}
    assert found == {"output.py", "png.py", "errors.py", "shell.py", "receipts.py", "copies.py"}


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_full_disk_leaves_no_half_file(root: Path, match: Path, tmp_path: Path, *, overwrite: bool) -> None:
    target = tmp_path / "target"
    if overwrite:
        target.write_bytes(b"old")

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    done = subprocess.run(
        [sys.executable, "-m", "ledger", "-g", str(match), "log", "-o", str(target), "--overwrite"],
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},  # Python would keep half of it
        preexec_fn=full,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 6, done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == (["m", "target"] if overwrite else ["m"])
    assert not overwrite or target.read_bytes() == b"old"


def test_reading_writes_nothing(match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No read verb leaves a file: in the match, or where it is run."""
    before = {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in match.iterdir()}
    monkeypatch.chdir(tmp_path)
    app = App()
    for line in reads(GAME, ("ann",)):
        hl("-g", str(match), *line, app=app)
    assert {p: (p.stat().st_mtime_ns, p.read_bytes()) for p in match.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["m"]


def test_names_from_a_match_file_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is named after what somebody is called or writes."""
    monkeypatch.setenv("HL_AS", "mara")
    names_ = ["../../x", "/tmp/x", "..", "con", "a/b", "~", "$HOME", "a\x00b"]
    file, here = tmp_path / "match.toml", tmp_path / "here"
    rows = {f"p{n}": {"name": name, "channel": name} for n, name in enumerate(names_)}
    file.write_text(match_file(GAME, rows, title="../t"), encoding="utf-8")
    here.mkdir()
    monkeypatch.chdir(here)
    assert hl("new", "m", "--from", str(file)).code in (0, 2)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["here", "match.toml"]
    assert [p.name for p in here.iterdir()] in ([], ["m"])


def test_sockets_are_forbidden() -> None:
    """The whole suite runs so: a command that opened one would fail its test."""
    with pytest.raises(AssertionError, match="no network"):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with pytest.raises(AssertionError, match="no network"):
        socket.getaddrinfo("localhost", 80)


@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here")
def test_no_command_asks_the_system_for_a_socket(root: Path, match: Path, tmp_path: Path) -> None:
    """What a whole process asks for: no socket, and nothing opened for writing outside the match."""
    trace = tmp_path / "trace"
    lines = (("note", "x"), ("status",), ("verify",), ("reveal", "-f", "discord"), ("doctor",))
    for line in lines[: many(2, len(lines))]:
        command = ["strace", "-f", "-qq", "-o", str(trace), "-e", "trace=%network,openat,creat,execve"]
        own = [os.path.realpath(sys.executable), "-B", "-S"]  # without what this computer starts every Python with
        python = [*own, "-m", "ledger", "-g", str(match), *line]
        site = next(p for p in sys.path if p.endswith("site-packages"))
        env = {"PYTHONPATH": f"{root}:{site}", "HL_AS": "mara", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run([*command, *python], env=env, capture_output=True, text=True, check=False)
        if "ptrace" in done.stderr or "PTRACE" in done.stderr:
            pytest.skip("strace may not trace here")
        assert done.returncode == 0, done.stderr
        for asked in trace.read_text(errors="replace").splitlines():
            assert "socket(" not in asked and "connect(" not in asked, asked
            if ("O_WRONLY" in asked or "O_RDWR" in asked) and "/dev/null" not in asked and "= -1" not in asked:
                assert str(match) in asked, asked
