"""What differs between systems, each held where it can be had: the Windows side of the door, names, shells, output.

Crashes and races under the laws of Windows and macOS are in test_events_crash.py and under `make test-doubles`.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

import ledger.cli.output
import ledger.cli.tools
import ledger.post.copies
from events import LogFile, create
from events.disk import DISK, folded, own_folder
from ledger.cli.root import split_line
from ledger.cli.texts import file_names
from ledger.wire.plugin import is_url
from tests.support import laws
from tests.support.logs import body
from tests.support.sources import ROOT

WINDOWS = laws.windows()


# ---- the Windows side -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["CON", "nul.txt", "Aux", "com1.jsonl", "lpt¹", "dot.", "space ", "a:b", "a?", "a\x01"]
)
def test_names_that_windows_takes_for_others_are_refused(tmp_path: Path, name: str) -> None:
    """Nothing is opened, made or renamed under them."""
    disk, place = WINDOWS.Disk(), f"{tmp_path}{os.sep}{name}"  # on Windows `/` would take a: for a drive
    (tmp_path / "old").touch()
    for call in (
        lambda: disk.open(place, os.O_RDWR | os.O_CREAT), lambda: disk.mkdir(place),
        lambda: disk.rename(str(tmp_path / "old"), place), lambda: disk.replace(str(tmp_path / "old"), place),
    ):  # fmt: skip
        with pytest.raises(OSError, match="Windows"):
            call()
    assert os.listdir(tmp_path) == ["old"]


@pytest.mark.parametrize("name", ["log.jsonl", "log.jsonl.torn-1007-021fb596-2", ".hl-4-0.new", "conquest", "nul-1"])
def test_names_of_ours_are_valid_everywhere(name: str) -> None:
    WINDOWS.check_name(f"m/{name}")


def test_what_is_held_for_a_moment_is_tried_again_and_not_for_ever(tmp_path: Path, monkeypatch: Any) -> None:
    """A scanner holds the file: a rename waits for it; one that never lets go is an error."""
    disk = WINDOWS.Disk()
    (tmp_path / "a").write_bytes(b"x")
    held = disk.open(str(tmp_path / "a"), os.O_RDWR)
    threading.Timer(0.15, lambda: disk.close(held)).start()
    disk.rename(str(tmp_path / "a"), str(tmp_path / "b"))
    held = disk.open(str(tmp_path / "b"), os.O_RDWR)
    monkeypatch.setattr(WINDOWS, "_RETRY_SECONDS", 0.1)
    with pytest.raises(PermissionError):
        disk.unlink(str(tmp_path / "b"))
    disk.close(held)


def test_a_new_log_is_continued_by_another_before_its_maker_has_the_lock_again(tmp_path: Path) -> None:
    """Between the rename and the lock somebody records: both entries stay, and so does their head record."""
    path = str(tmp_path / "log.jsonl")

    class Quick(WINDOWS.Disk):  # type: ignore[name-defined, misc]
        def give_name(self, fd: int, temporary: str, name: str) -> int:
            given: int = super().give_name(fd, temporary, name)
            with LogFile(name, disk=WINDOWS.Disk()).writing() as writer:
                writer.append([body(2)])
            return given

    create(path, [body(1)], disk=Quick())
    log = LogFile(path, disk=WINDOWS.Disk())
    assert len(log.read().lines) == 2 and (log.head() or (0, ""))[0] == 2


def test_interrupts_wait_while_an_entry_is_written() -> None:
    """Ctrl-C during the write comes after it; without one nothing comes."""
    disk = WINDOWS.Disk()
    handler = signal.default_int_handler
    before = signal.signal(signal.SIGINT, handler)  # who runs the tests in the background ignores it
    try:
        held = disk.hold_signals()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            disk.release_signals(held)
        assert signal.getsignal(signal.SIGINT) is handler
        disk.release_signals(disk.hold_signals())
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("env", "shell"),
    [
        ({"PSModulePath": r"C:\Users\Mara\Documents\PowerShell\Modules;C:\Program Files\PowerShell\7"}, "pwsh"),
        ({"PSModulePath": r"C:\Users\Mara\Documents\WindowsPowerShell\Modules"}, "powershell"),
        ({"PSModulePath": r"C:\Program Files\WindowsPowerShell\Modules", "PROMPT": "$P$G"}, "cmd"),
        ({"SHELL": "/usr/bin/bash", "PROMPT": "$P$G"}, "posix"),
        ({"HL_SHELL": "cmd", "SHELL": "/usr/bin/bash"}, "cmd"),
        ({}, "powershell"),
    ],
)
def test_the_shell_in_use_is_guessed(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], shell: str) -> None:
    for name in ("PSModulePath", "PROMPT", "SHELL", "HL_SHELL", "POWERSHELL_DISTRIBUTION_CHANNEL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os.path, "expanduser", lambda path: r"C:\Users\Mara")
    assert WINDOWS.Disk().shell() == shell


def test_a_closed_pipe_is_known_as_each_system_tells_it() -> None:
    """Windows calls it an invalid argument; where a file is named, that is another error."""
    gone, odd = OSError(errno.EINVAL, "Invalid argument"), OSError(errno.EINVAL, "Invalid argument", "a?")
    assert WINDOWS.Disk().reader_gone(gone) and WINDOWS.Disk().reader_gone(BrokenPipeError())
    assert not WINDOWS.Disk().reader_gone(odd) and not WINDOWS.Disk().reader_gone(OSError(errno.ENOSPC, "full"))
    if DISK.system != "windows":
        assert DISK.reader_gone(BrokenPipeError()) and not DISK.reader_gone(gone)


# ---- names and paths ------------------------------------------------------------------------------------------------


WHO = st.sampled_from(["con", "nul", "a", "b", "a-b", "b-a", "com1"]) | st.text("abo-1", min_size=1, max_size=3)
CHANNEL = st.sampled_from(
    ["", "#con", "#CON", "#a", "#A", "../x", "#a-b", "x.", "com¹", "ß", "SS", "o\u0308", "\xf6", "a" * 99]
)


@settings(max_examples=300)
@given(st.dictionaries(WHO, CHANNEL | WHO, max_size=6))
@example({"con": ""})
@example({"ann": "#x", "bob": "#X", "cyd": "#x-ann"})
def test_the_files_of_players_are_valid_everywhere_and_never_one(channels: dict[str, str]) -> None:
    """Whatever players and channels are called, on a disk that is blind to case and spelling."""
    names = file_names(channels)
    assert list(names) == list(channels) and len({folded(name) for name in names.values()}) == len(names)
    for name in names.values():
        WINDOWS.check_name(f"out/{name}.txt")


def test_names_are_compared_as_disks_do() -> None:
    assert folded("LOG.jsonl") == "log.jsonl" and folded("O\u0308l") == folded("\xf6L")
    assert folded("STRASSE") == folded("stra\xdfe"), "kept apart by Windows; taken for one is the safe side"


@pytest.mark.parametrize(
    ("system", "kind", "folder"),
    [
        ("linux", "config", "~/.config"),
        ("linux", "state", "~/.local/state"),
        ("linux", "data", "~/.local/share"),
        ("macos", "config", "~/Library/Application Support"),
        ("macos", "state", "~/Library/Application Support"),
        ("windows", "config", "~/AppData/Roaming"),
        ("windows", "data", "~/AppData/Local"),
    ],
)
def test_what_is_a_persons_own_lies_where_the_system_has_it(system: str, kind: str, folder: str) -> None:
    """Settings, history and mirrors; a variable of the system says another place, and one of XDG's on every system."""
    assert Path(own_folder(kind, {}, system)) == Path(folder).expanduser() / "host-ledger"
    said = {"APPDATA": "/roams", "LOCALAPPDATA": "/stays"}
    own = {"config": "/roams", "data": "/stays"}[kind] if system == "windows" else Path(folder).expanduser()
    assert Path(own_folder(kind, said, system)) == Path(own) / "host-ledger"
    assert Path(own_folder(kind, {**said, f"XDG_{kind.upper()}_HOME": "/x"}, system)) == Path("/x/host-ledger")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (r"log -o C:\my\log.txt", ["log", "-o", r"C:\my\log.txt"]),
        (r"join \\server\share\m --yes", ["join", r"\\server\share\m", "--yes"]),
        (r"import --map=C:\m.toml x", ["import", r"--map=C:\m.toml", "x"]),
        (r"note it\'s a\ b", ["note", "it's", "a b"]),
        ("note 'C:\\a b' at 18:42", ["note", r"C:\a b", "at", "18:42"]),
    ],
)
def test_backslashes_of_a_path_are_meant(line: str, words: list[str]) -> None:
    assert split_line(line) == words


@pytest.mark.parametrize(
    "path", [r"C:\m", "C:/m", "C://m", "c:m", r"\\server\share\m", r"\\wsl$\Debian\m", "ep4", "://"]
)
def test_a_path_with_a_drive_is_no_url(path: str) -> None:
    assert not is_url(path) and is_url("git+file:///C:/m.git#ep4")


# ---- doctor, clipboard, output --------------------------------------------------------------------------------------


def test_doctor_says_where_a_lock_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of Windows seen from WSL, and the other way round; elsewhere it says nothing."""
    seen = ledger.cli.tools._two_systems
    monkeypatch.setattr(DISK, "system", "linux", raising=False)
    assert [s.good for s in seen("/mnt/c/m/log.jsonl", "5.15-microsoft-standard-WSL2")] == [False]
    assert not [*seen("/mnt/c/m/log.jsonl", "6.1.0-debian"), *seen("/home/m/log.jsonl", "microsoft")]
    monkeypatch.setattr(DISK, "system", "windows", raising=False)
    assert [s.good for s in seen(r"\\wsl.localhost\Debian\m\log.jsonl")] == [False]
    assert not list(seen(r"C:\m\log.jsonl"))


@pytest.mark.parametrize(
    ("system", "program", "coded"), [("windows", "clip.exe", "utf-16"), ("macos", "pbcopy", "utf-8")]
)
def test_each_clipboard_gets_what_it_reads(monkeypatch: Any, system: str, program: str, coded: str) -> None:
    given: dict[str, Any] = {}
    monkeypatch.setattr(DISK, "system", system, raising=False)
    monkeypatch.setattr(ledger.post.copies.shutil, "which", lambda name: name)
    monkeypatch.setattr(ledger.post.copies.sys, "stderr", io.StringIO())

    def ran(words: Any, **how: Any) -> Any:
        given.update(how, words=words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(ledger.post.copies.subprocess, "run", ran)
    assert ledger.post.copies.copy("zwölf")  # type: ignore[arg-type]
    assert given["words"][0] == program and given["input"].decode(coded) == "zwölf"


def test_a_pipe_gets_utf_8_whatever_the_code_page(tmp_path: Path) -> None:
    """Signs that are no ASCII come as UTF-8; `PYTHONIOENCODING` says otherwise, if somebody wants that."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONIOENCODING", "PYTHONUTF8", "LANG", "LC_CTYPE")}
    env |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    (tmp_path / "m.toml").write_text('game = "marsmatch"\nhosts = ["mara"]\n[players]\nann = {}\nbob = {}\n')

    def said(name: str, **more: str) -> bytes:
        words = [sys.executable, "-m", "ledger", "new", str(tmp_path / name), "--from", str(tmp_path / "m.toml")]
        return subprocess.run(words, env={**env, **more}, cwd=ROOT, capture_output=True, check=False).stderr

    assert "·".encode() in said("a")
    assert "·".encode("latin-1") in said("b", PYTHONIOENCODING="latin-1")


def test_on_windows_nobodys_rights_are_refused(tmp_path: Path) -> None:
    """There they are those of the folder; what POSIX says is in test_events_files.py."""
    (tmp_path / "log.jsonl").touch(0o666)
    assert not WINDOWS.Disk().others_may_write(os.stat(tmp_path / "log.jsonl"))
