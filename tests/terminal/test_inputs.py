"""Whatever a host names or types is answered at once, with one message: no exit 1, nothing waits, nothing grows.

Files that are not plain, too large, in no encoding, too deep, with numbers too long; commands that run themselves;
modules in the present folder. Source: issue 16, docs/commands.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events import read_instant
from tests.support.host import Answer, Host, hl
from tests.support.lines import plays

MATCH = 'game = "equilibrium"\nhosts = ["mara"]\n[players]\n' + "".join(f"p{n} = {{}}\n" for n in range(8))
MAP = 'verb = "note"\n[fields]\ntext = "text"\n'
READS: dict[str, tuple[str, ...]] = {
    "new": ("new", "n", "--from", "{}"),
    "deal": ("deal", "--from", "{}"),
    "map": ("import", "rows.csv", "--map", "{}"),
    "import": ("import", "{}", "--map", "map.toml"),
    "run": ("run", "{}"),
    "evidence": ("evidence", "{}"),
    "receipts": ("verify", "--receipts", "{}"),
    "signers": ("verify", "--receipts", "head.txt", "--signers", "{}"),
    "sign": ("receipt", "--sign", "{}"),
    "diff": ("diff", "./{}", "m"),
    "join": ("join", "{}"),
    "audit": ("audit", "{}"),
    "after": ("new", "n", "--from", "match.toml", "--after", "{}"),
    "match": ("-g", "{}", "status"),
    "match of a game's verb": ("-g", "{}", "trade", "p1"),
    "help": ("-g", "{}", "frobnicate"),
}
"""Every verb that reads a file which the host names."""


@pytest.fixture
def here(tmp_path: Path, demos: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a match `m` and good files, which is the present folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HL_AS", "mara")
    monkeypatch.setenv("HL_MATCH", "m")
    demos.copy("equilibrium", tmp_path / "m")
    for name, text in {"match.toml": MATCH, "map.toml": MAP, "rows.csv": "text\nhello\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "head.txt").write_text(hl("receipt").out)
    return tmp_path


@pytest.fixture
def at_once() -> Iterator[Callable[..., Answer]]:
    """Runs a command, which must be done soon. A pipe that it waits at is opened for it, so that the test ends."""
    pipe: list[str] = []
    slow: list[bool] = []

    def free() -> None:
        slow.append(True)
        for name in pipe:
            os.close(os.open(name, os.O_RDWR | os.O_NONBLOCK))

    def run(*words: str) -> Answer:
        pipe[:] = [word for word in words if word.endswith("pipe.jsonl")]
        timer = threading.Timer(20, free)
        timer.start()
        try:
            return hl(*words)
        finally:
            timer.cancel()
            assert not slow, f"it waited: {words}"

    yield run


def said(told: Answer) -> str:
    """Its one complaint."""
    assert told.code in (2, 3, 4), told
    assert "Traceback" not in told.err and "[unexpected]" not in told.err, told
    assert told.code == 4 or told.err.count("hl: ") == 1, told
    return told.err


@pytest.mark.parametrize("verb", READS)
def test_only_plain_files_are_read(verb: str, here: Path, at_once: Callable[..., Answer]) -> None:
    """A pipe keeps nobody waiting, a device gives no endless file, a folder and a loop of links are said."""
    os.mkfifo("pipe.jsonl")
    (here / "loop").symlink_to("loop")
    (here / "folder").mkdir()
    for name in ("pipe.jsonl", "/dev/zero", "loop", "folder", "nowhere", "x" * 300):
        line = [word.replace("{}", name) for word in READS[verb]]
        said(at_once(*line))
    assert not (here / "n").exists()


def test_a_pipe_among_the_logs_of_a_season_does_not_stop_the_others(here: Path, at_once: Callable[..., Answer]) -> None:
    os.mkfifo("pipe.jsonl")
    told = at_once("audit", ".")
    assert told.code == 4 and "not a plain file" in told.out and "\nok " in f"\n{told.out}"


TEXTS: dict[str, bytes] = {
    "deep": b"x = " + b"[" * 20_000,
    "deep, but closed": b"x = " + b"[" * 300 + b"]" * 300,
    "deep tables": b"x = " + b"{a = " * 5_000,
    "long key": b".".join([b"a"] * 200_000) + b" = 1",
    "long header": b"[" + b" . ".join([b'"a"'] * 20_000) + b"]",
    "digits": b"x = " + b"9" * 5_000,
    "hex digits": b"x = 0x" + b"f" * 5_000,
    "2^53": b"x = 9007199254740993",
    "NUL": b'x = "a\0b"',
    "no UTF-8": b'x = "\xff"',
    "UTF-16 without a mark": MATCH.encode("utf-16-le"),
    "half UTF-16": MATCH.encode("utf-16")[:-1],
    "empty": b"",
    "large": b"#" * ((1 << 20) + 1),
}


CHATS: dict[str, bytes] = {
    "deep": b"[" * 200_000,
    "digits": b'{"channel":{"id":' + b"9" * 5_000 + b'},"messages":[]}',
    "NaN": b"NaN",
    "UTF-16": "{}".encode("utf-16"),
    "empty": b"",
}
SHEETS: dict[str, bytes] = {
    "large cell": b"text\n" + b"x" * (10 << 20),
    "no UTF-8": b"text\n\xff\n",
    "UTF-16": "text\nx\n".encode("utf-16"),
    "empty": b"",
    "open quote": b'text\n"x\n',
}
ODD = {"new": TEXTS, "deal": TEXTS, "map": TEXTS, "evidence": CHATS, "import": SHEETS}


@pytest.mark.parametrize(("verb", "text"), [(verb, text) for verb, texts in ODD.items() for text in texts])
def test_no_file_brings_it_down(verb: str, text: str, here: Path) -> None:
    """TOML, chats and sheets."""
    (here / "odd").write_bytes(ODD[verb][text])
    told = said(hl(*(word.replace("{}", "odd") for word in READS[verb])))
    assert verb != "evidence" or "[chat.shape]" in told


def test_no_setting_brings_it_down(here: Path) -> None:
    """`amend-setting` reads tables as TOML."""
    (here / "h.toml").write_text(MATCH.replace("equilibrium", "hex_parties").partition("p6")[0])
    assert hl("new", "h", "--from", "h.toml").code == 0
    for value in ("9" * 5_000, "[" * 20_000, "{a = 0x" + "f" * 5_000 + "}", "{" + "a." * 20_000 + "a = 1}"):
        for name in ("bonuses", "start", "start.p1", "round_hours"):
            said(hl("-g", "h", "amend-setting", f"{name}={value}"))


@pytest.mark.parametrize(
    "line",
    [
        ("show", "{}"), ("undo", "{}"), ("status", "--as-of", "{}"), ("status", "--known", "{}"), ("anchor", "{}"),
        ("note", "x", "--at", "{}"), ("note", "x", "--at", "-{}h"), ("note", "x", "--at", "<t:{}:f>"),
        ("note", "x", "--msg", "{}"), ("override", "ann", "garnets", "{}"), ("award", "ann", "garnets", "{}"),
        ("audit", "-j", "{}", "m"), ("diff", "{}", "now"), ("verify", "--receipt", "{}"), ("replay", "--as-of", "{}"),
        ("amend", "20", "a={}"),
    ],
    ids=lambda line: " ".join(line),
)  # fmt: skip
def test_no_number_brings_it_down(line: tuple[str, ...], here: Path) -> None:
    said(hl(*(word.replace("{}", "9" * 5_000) for word in line)))


def test_half_a_character_in_a_chat_is_written_as_it_is_printed(here: Path) -> None:
    """JSON can hold half of a surrogate pair, and no file can: it ended with exit 1."""
    at = json.loads(hl("show", "21", "-f", "json").out)["at"]
    id_ = str((read_instant(at) - 1_420_070_400_000) << 22)
    author = {"id": "3", "name": "bob\udfff", "nickname": "bob"}
    message = {"id": id_, "timestamp": at, "content": "vote for cyd \ud800", "author": author}
    chat = {"guild": {"id": "1"}, "channel": {"id": "2", "name": "x\ud800"}, "messages": [message]}
    (here / "chat.json").write_text(json.dumps(chat))
    for more in ((), ("-f", "json")):
        shown, written = hl("evidence", "chat.json", *more), hl("evidence", "chat.json", *more, "-o", f"out{len(more)}")
        assert shown.code == written.code == 0, written
        assert "looks like a vote" in (here / f"out{len(more)}").read_text()


# ---- in words -----------------------------------------------------------------------------------------------------


def put(here: Host, *words: str) -> None:
    """Write a file called `odd`: that text of TOML; `16` before it: as Windows PowerShell does, and of other words."""
    name = " ".join(words).removeprefix("16 ")
    data = {**TEXTS, "match": MATCH.encode(), "marked": b"\xef\xbb\xbf" + MATCH.replace("\n", "\r\n").encode()}.get(
        name
    )
    if words[0] == "16":
        text = here.type("-g", "w", "receipt").out if name == "receipt" else f"{name}\n"
        data = (data.decode() if data else text).replace("\n", "\r\n").encode("utf-16")
    (here.folder / "odd").write_bytes(data or b"")


SHOWS = {
    "put": put,
    "lines": lambda here, name, *words: here.file(name, " ".join(words).replace(" / ", "\n") + "\n"),
    "linked": lambda here: (here.folder / "link").symlink_to("odd"),
    "large": lambda here: os.truncate(here.file("large", ""), (64 << 20) + 1),  # it takes no room on the disk
    "nested": lambda here, *words: here.hl(" ".join(words), code=2).err.count("[run.nested]"),
}
SHORT = {"made": "> new n --from"}
GO_ON = "note before / run x.hl --keep-going / run ./m/../x.hl --keep-going / run y.hl --keep-going"
THRICE = " / ".join([GO_ON] * 3)
DEEP = " ; ".join(f": lines {n}.hl {'status' if n == 6 else f'run {n + 1}.hl'}" for n in range(1, 7))
TYPED = f"""
a link to a plain file is followed
  demo equilibrium ; : put match ; : linked ; made link
bounds of TOML are named, with the line where one can be; a byte-order mark and what stays within the bounds is read
  demo equilibrium ; : put long key ; 2 made odd ~ at line 1 ; : put deep ; 2 made odd ~ more than 16 ; : put digits
  2 made odd ~ larger than 2^53 ; : put marked ; made odd
what Windows PowerShell has written is read: a match file, lines to run, receipts
  demo equilibrium ; : put 16 match ; > new w --from odd ; : put 16 note "zwölf" ; > -g w run odd ; : put 16 receipt
  > -g w verify --receipts odd ; > -g w log ~ zwölf
a file that is too large is not read
  demo equilibrium ; : large ; : lines map.toml {MAP.strip().replace(chr(10), " / ")}
  2 import large --map map.toml ~ larger than 64 MiB [import.missing] ; 2 run large ~ larger than 64 MiB [run.missing]
  2 evidence large ~ larger than 64 MiB [chat.missing] ; 2 verify --receipts large ~ larger than 64 MiB [receipt.file]
a file of commands does not run itself: by another spelling, or through another file, however often it is to go on
  demo equilibrium ; : lines x.hl {THRICE} ; : lines y.hl run x.hl --keep-going / run x.hl --keep-going / run x.hl
  : nested run x.hl --keep-going == 15 ; : kinds 4 == gift note note note ; 2! run x.hl ~ x.hl runs itself [run.nested]
files run one another four deep; one after another is not one in another
  demo equilibrium ; {DEEP} ; run 3.hl ; 2 run 2.hl ~ 4 files are already running one another [run.nested] ; run 3.hl
a line with NUL is refused: a shell can give no such word, a file of commands could
  demo equilibrium ; : lines x.hl new a\0b --from match.toml ; 2 run x.hl ~ [run.quotes] ; : lines x.hl run a\0b
  2 run x.hl ~ [run.quotes] ; : lines x.hl verify --receipts a\0b ; 2 run x.hl ~ [run.quotes]
  : lines x.hl status -o a\0b ; 2 run x.hl ~ [run.quotes]
"""
test_what_is_read = plays(TYPED)


def test_what_stays_within_the_bounds_of_toml() -> None:
    from games.toml import parse

    deepest = "x = " + "[" * 15 + f"{-(2**53)}, {2**53}" + "]" * 15
    assert parse(deepest) and parse(".".join("abcdefghijklmnop") + ' = "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16"')


# ---- the present folder ----------------------------------------------------------------------------------------------


def python(folder: Path, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HL_", "PYTHON"))}
    env |= {"PYTHONPATH": str(root), "HL_AS": "mara"}
    line = [sys.executable, "-m", "ledger", *words]
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_no_module_of_the_present_folder_is_run(here: Path, root: Path) -> None:
    """`python -m` looks there first: a file that somebody sent would be a program. So do the workers of `audit`."""
    evil = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\nraise SystemExit(77)\n"
    for name in ("json", "re", "click", "tomllib", "games", "events", "pickle", "difflib", "csv", "multiprocessing"):
        (here / f"{name}.py").write_text(evil)
    for n in range(8):
        (here / f"{n}.jsonl").write_bytes((here / "m" / "log.jsonl").read_bytes())
    done = python(here, root, "audit", "-j", "2", ".")
    assert done.returncode == 0 and done.stdout.count("ok ") == 9, done
    assert python(here, root, "-g", "m", "status", "-f", "json").returncode == 0
    assert not list(here.rglob("*.ran"))


def test_a_clone_runs_from_its_own_folder(root: Path, tmp_path: Path) -> None:
    """There the modules are those of the folder; and where the present folder is gone, nothing is imported from it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    line = [sys.executable, "-m", "ledger", "--version"]
    assert subprocess.run(line, cwd=root, env=env, check=False, capture_output=True).returncode == 0
    gone = f"import os, subprocess, sys; os.rmdir(os.getcwd()); sys.exit(subprocess.call({line!r}))"
    (tmp_path / "gone").mkdir()
    env["PYTHONPATH"] = str(root)
    line = [sys.executable, "-c", gone]
    done = subprocess.run(line, cwd=tmp_path / "gone", env=env, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr


# ---- the programs in docs/ -------------------------------------------------------------------------------------------


def test_the_programs_in_docs_say_in_one_sentence_what_they_cannot_check(here: Path, root: Path) -> None:
    assert hl("redact", "--for", "ann", "-o", "ann.jsonl").code == 0
    (here / "odd").write_bytes(bytes(range(256)))
    (here / "folder").mkdir()
    os.mkfifo("pipe")
    names = ("nowhere", "folder", "pipe", "/dev/zero", "odd", "match.toml")
    lines = [(program, name) for program in ("check_log", "check_deal") for name in names]
    for program, *words in [*lines, ("check_log",), ("check_deal", "ann.jsonl")]:
        line = [sys.executable, str(root / "docs" / f"{program}.py"), *words]
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=20)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr, (line, done)
