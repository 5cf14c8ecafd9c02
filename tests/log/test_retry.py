"""Doing it again is safe: commands with a key, and joins, are killed anywhere and run again; nothing twice, none lost.

A machine over two copies of one match. A step runs one command of a plan, each with its own text, time and `--once`
key, in one of the copies, or joins one copy into the other. A child process runs it through the real command line, and
may be killed before or inside any system call on the log's files, or meet an error there. The model knows what was
acknowledged in which copy. After every step the copy holds that, each entry once; at the end both copies are joined
both ways, and hold every acknowledged entry, once, and nothing else that was not at least tried.

Source: docs/log-format.md, `--once`; docs/decisions/0013; promise 1.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import random
import shutil
import signal
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from events.disk import Disk
from ledger.core.match import Match
from tests.support.host import hl, match_file
from tests.support.sizes import log_number, many

CALLS = (
    "open", "write", "pwrite", "pread", "fsync", "fsync_folder", "ftruncate", "fstat", "stat", "give_name",
    "settle_name", "unlink", "flock",
)  # fmt: skip
CODES = {0, 2, 3, 6, 7, 8}
"""2 and 3: the disk failed where the log is looked for, and the message says it may not be read."""


def break_disk(luck: random.Random, how: str) -> None:
    """Make this process die, or meet one error, at some call on the log's files."""
    at, count = luck.randint(1, 60), 0

    def broken(name: str, real: Any) -> Any:
        def call(self: Disk, *words: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                if how == "error" and name != "flock":
                    raise OSError(luck.choice([errno.EIO, errno.ENOSPC]), "it fails")
                if name == "write":
                    os.write(words[0], words[1][: luck.randrange(len(words[1]) + 1)])
                if name == "pwrite":
                    os.lseek(words[0], words[2], os.SEEK_SET)
                    os.write(words[0], words[1][: luck.randrange(len(words[1]) + 1)])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(self, *words, **named)

        return call

    for name in CALLS:
        setattr(Disk, name, broken(name, getattr(Disk, name)))


def child(words: list[str], luck: random.Random, how: str) -> int:
    """The exit code of a command in a process of its own; -9 when it was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of the test runner do not matter here
        pid = os.fork()
    if pid == 0:
        code = 99
        try:
            from ledger.cli.root import run

            if how != "whole":
                break_disk(luck, how)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                code = run(["--no-input", *words])
        finally:
            os._exit(code)
    status = os.waitpid(pid, 0)[1]
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


class Machine:
    """Two copies of a match, and what is known of them."""

    def __init__(self, begin: Path, folder: Path, luck: random.Random) -> None:
        self.luck = luck
        self.copies = [Path(shutil.copytree(begin, folder / name)) for name in ("a", "b")]
        self.own = len(Match(str(self.copies[0] / "log.jsonl")).book.entries)
        self.acked: list[set[str]] = [set(), set()]
        self.tried: list[str] = []
        self.codes: Counter[int] = Counter()

    def step(self) -> None:
        luck = self.luck
        here = luck.randrange(2)
        how = luck.choice(["killed", "killed", "error", "whole"])
        if self.tried and luck.random() < 0.12:
            code = self.run(here, ["join", str(self.copies[1 - here]), "--yes"], how)
            if code == 0:
                self.acked[here] |= self.acked[1 - here]
        else:
            again = self.tried and luck.random() < 0.55
            key = luck.choice(self.tried[-12:]) if again else f"k{len(self.tried) + 1}"
            if not again:
                self.tried.append(key)
            note = ["--note", f"why {key}"] if int(key[1:]) % 3 == 0 else []
            at = ["--at", f"2026-01-01T{int(key[1:]) // 60 % 24:02}:{int(key[1:]) % 60:02}Z"]
            code = self.run(here, ["note", f"text {key}", "--once", key, "--yes", *at, *note], how)
            if code in (0, 8):
                self.acked[here].add(key)
        self.check(here)

    def run(self, here: int, words: list[str], how: str) -> int:
        code = child(["-g", str(self.copies[here]), *words, "--as", "mara"], self.luck, how)
        self.codes[code] += 1
        assert code in CODES or code == -9, (code, words)
        return code

    def check(self, here: int) -> None:
        """What was acknowledged is there; nothing is there twice; a remark stands beside its entry or not at all."""
        told = self.texts(here)
        twice = [text for text, times in told.items() if times > 1]
        assert not twice, f"{self.copies[here].name}: {twice[:5]} stand twice"
        lost = [key for key in self.acked[here] if f"text {key}" not in told]
        assert not lost, f"{self.copies[here].name}: {lost[:5]} are gone"
        strange = [t for t in told if t.split(" ")[1] not in self.tried]
        assert not strange, strange

    def texts(self, here: int) -> Counter[str]:
        match = Match(str(self.copies[here] / "log.jsonl"))
        return Counter(
            str(entry.body.args["text"]) for entry in match.book.entries[self.own :] if entry.body.do == "note"
        )

    def finish(self) -> None:
        """Joined both ways, undisturbed, both copies hold all that either acknowledged, once."""
        everything = self.acked[0] | self.acked[1]
        there = set(self.texts(0)) | set(self.texts(1))
        for here in (0, 1, 0):
            assert self.run(here, ["join", str(self.copies[1 - here]), "--yes"], "whole") == 0
        for here in (0, 1):
            self.acked[here] = everything
            self.check(here)
            assert {t for t in self.texts(here) if t.startswith("text")} == {t for t in there if t.startswith("text")}
            # A join that brings nothing writes nothing: what a killed write left is set aside by the next that does.
            assert self.run(here, ["note", "the end", "--yes"], "whole") == 0
            assert self.run(here, ["verify"], "whole") == 0


@pytest.fixture(scope="session")
def begin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that has just been made."""
    folder = tmp_path_factory.mktemp("retry")
    file = folder / "match.toml"
    file.write_text(match_file("equilibrium", "p0 p1 p2 p3 p4 p5 p6 p7"))
    assert hl("new", str(folder / "m"), "--from", str(file), "--as", "mara").code == 0
    return folder / "m"


def play(begin: Path, folder: Path, seed: int, steps: int) -> Machine:
    machine = Machine(begin, folder, random.Random(seed))
    for number in range(steps):
        try:
            machine.step()
        except AssertionError as error:
            error.add_note(f"machine {seed}, step {number}, codes {dict(machine.codes)}")
            raise
    machine.finish()
    return machine


LONG = 50
"""Steps of one machine: a longer log would only be slower."""


def test_retries_and_joins_under_kills(begin: Path, tmp_path: Path, record_property: Any) -> None:
    codes: Counter[int] = Counter()
    steps = many(50, 10_000)
    for seed in range(steps // LONG):
        (tmp_path / str(seed)).mkdir()
        codes += play(begin, tmp_path / str(seed), seed, LONG).codes
        shutil.rmtree(tmp_path / str(seed))
    log_number(record_property, sum(codes.values()))
    assert codes[-9] > steps // 10 and codes[0] > steps // 10 and codes[6] > 0, codes
