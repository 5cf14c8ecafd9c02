"""Transcripts: whole conversations with `hl`, run in this process with a frozen clock and known randomness.

A transcript is a text that a person can read and type:

    # Why this is here.
    $ hl new m --from match.toml
    made m/log.jsonl with 9 entries · receipt <hex 1>
    [exit 2]

* `$ hl ...` runs here, one minute of match time after the one before it. stdout and stderr are shown together, as at a
  terminal, then `[exit N]` when it is not 0. `< FILE` and `> FILE` do what they say, `$PWD` is the folder. `# types: y`
  at the end of a line: somebody sits at a terminal, types y; `# types: n ; q` are two lines.
* After `$ export COLUMNS=60` everything is shown at a terminal of so many columns, where nobody types more than that.
* `$ sleep 3h` lets time pass; `$ cd FOLDER` and `$ export NAME=VALUE` do what they say; anything else goes to `sh`.
* Hashes and seeds are shown by number, `<hex 3>`: equal ones have equal numbers.
* Lines that begin with `# ` and stand right before a `$` are remarks and are kept.

`pytest tests/terminal/test_golden.py --golden-update` writes the files anew. Read every line before you keep it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

BEGAN = 1_772_442_000_000
"""2026-03-02T09:00:00Z, when every transcript begins."""
MINUTE = 60_000
UNITS = {"m": 1, "h": 60, "d": 24 * 60}


class Step(NamedTuple):
    """One command of a transcript: the remarks before it, the command (all its lines), what was answered."""

    remarks: tuple[str, ...]
    command: tuple[str, ...]
    answer: str


def read_steps(text: str) -> list[Step]:
    """The steps of a transcript."""
    lines = text.splitlines()
    steps: list[Step] = []
    remarks: list[str] = []
    answer: list[str] = []
    command: list[str] = []

    def flush() -> None:
        if command:
            while answer and not answer[-1]:
                answer.pop()
            steps.append(Step(tuple(remarks), tuple(command), "\n".join(answer)))

    i = 0
    while i < len(lines):
        at = i
        while at < len(lines) and lines[at].startswith("# "):
            at += 1
        if at < len(lines) and lines[at].startswith("$ "):
            flush()
            remarks, command, answer = lines[i:at], [lines[at]], []
            if here := re.search(r"<<'?(\w+)'?$", lines[at]):
                while command[-1] != here[1]:
                    at += 1
                    command.append(lines[at])
            i = at + 1
        else:
            answer.append(lines[i])
            i += 1
    flush()
    return steps


def console_blocks(page: str) -> list[Step]:
    """The steps of all ```console blocks of a page, in their order."""
    blocks = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [step for block in blocks for step in read_steps(block)]


def agrees(claimed: str, answer: str) -> bool:
    """Is the answer what a page claims? `...` in a line stands for any text, a line `...` for any lines or none.

    >>> agrees("recorded #20 · receipt ...\\n...", "recorded #20 · receipt 5f\\n  Ann gives R2")
    True
    >>> agrees("recorded", "recorded #20")
    False
    """
    parts = [".*".join(re.escape(part) for part in line.split("...")) for line in claimed.splitlines()]
    told = "".join("(?:.*\n)*" if part == ".*" else part + "\n" for part in parts)
    return re.fullmatch(told, answer + "\n" if answer else "") is not None


class _Keyboard(io.StringIO):
    """What somebody types at a terminal; each line is shown where it is read."""

    def __init__(self, typed: str, shown: io.StringIO) -> None:
        super().__init__(typed)
        self.shown = shown

    def isatty(self) -> bool:
        return True

    def readline(self, *size: Any) -> str:  # type: ignore[override]
        line = super().readline(*size)
        self.shown.write(line)
        return line


class _Screen(io.StringIO):
    """Where stdout and stderr both go."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class Stage:
    """A folder, a clock and a source of randomness: where a transcript is played."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, began: int = BEGAN) -> None:
        import events.disk
        import ledger.core.clock

        self.folder, self.patch, self.now, self.terminal = folder, patch, began - MINUTE, False
        self._drawn = 0
        self._hex: dict[str, int] = {}

        class Time:
            time = staticmethod(lambda: self.now / 1000)

        patch.setattr(ledger.core.clock, "time", Time)
        patch.setattr(ledger.core.clock.OsLuck, "seed", lambda luck: self._random(32))
        patch.setattr(events.disk.DISK, "random", self._random, raising=False)
        for name in ("HL_MATCH", "HL_AS", "PAGER", "LINES", "FORCE_COLOR"):
            patch.delenv(name, raising=False)
        patch.setenv("COLUMNS", "100")
        patch.setenv("NO_COLOR", "1")
        patch.setenv("PAGER", "cat")
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.chdir(folder)

    def _random(self, size: int) -> bytes:
        self._drawn += 1
        return hashlib.sha256(b"known randomness %d" % self._drawn).digest()[:size]

    def play(self, text: str) -> str:
        """The transcript as it comes out now."""
        told = []
        for step in read_steps(text):
            answer = self._numbered(self.run(step.command))
            told.append("\n".join([*step.remarks, *step.command, *([answer] if answer else [])]))
            told[-1] = ("\n" if told[:-1] and step.remarks else "") + told[-1]
        return "\n".join(told) + "\n"

    def _numbered(self, answer: str) -> str:
        """Hashes and seeds by number: a new setting must not change every line, but equal ones must stay equal."""

        def number(found: re.Match[str]) -> str:
            return f"<hex {self._hex.setdefault(found[0], len(self._hex) + 1)}>"

        return re.sub(r"\b(?!0{64})[0-9a-f]{64}\b", number, answer)

    def run(self, command: tuple[str, ...]) -> str:
        """What one command answers, with its exit code when that is not 0."""
        line = command[0].removeprefix("$ ")
        word, _, rest = line.partition(" ")
        code = 0
        if fed := re.fullmatch(r"cat (\S+) \| (hl .*)", line):  # as every shell has it
            word, line = "hl", f"{fed[2]} < {fed[1]}"
        if word == "hl":
            self.now += MINUTE
            shown, code = self._hl(line)
        elif word == "sleep":
            self.now += int(rest[:-1]) * UNITS[rest[-1]] * MINUTE
            shown = ""
        elif word == "cd":
            self.patch.chdir(rest)
            shown = ""
        elif word == "export":
            name, _, value = rest.partition("=")
            self.patch.setenv(name, value)
            self.terminal |= name == "COLUMNS"
            shown = ""
        else:
            script = "\n".join([line, *command[1:]])
            done = subprocess.run(
                ["sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
            shown, code = done.stdout, done.returncode
        shown = shown.replace(str(self.folder), "~").rstrip("\n")
        return "\n".join(part for part in (shown, f"[exit {code}]" if code else "") if part)

    def _hl(self, line: str) -> tuple[str, int]:
        from ledger.cli.root import run

        line, _, typed = line.partition(" # types: ")
        line, _, target = line.partition(" > ")
        line, _, source = line.partition(" < ")
        target, both, _ = target.partition(" 2>&1")
        terminal = bool(typed) or self.terminal
        screen = _Screen(terminal=terminal)
        pasted = io.StringIO() if target else screen
        noted = pasted if both else screen
        lines = typed.replace(" ; ", "\n") + "\n" if typed else ""
        keyboard: io.StringIO = _Keyboard(lines, screen) if terminal else io.StringIO()
        if source:
            keyboard = io.StringIO(Path(source).read_text(encoding="utf-8"))
        with contextlib.redirect_stdout(pasted), contextlib.redirect_stderr(noted), self.patch.context() as patch:
            patch.setattr("sys.stdin", keyboard)
            code = run(shlex.split(line.replace("$PWD", os.getcwd()))[1:])
        if target:
            Path(target).write_text(pasted.getvalue(), encoding="utf-8")
        offered = re.compile(r"\x1b]52;c;[^\x07]*\x07")  # to the clipboard of the terminal: nothing is seen
        return offered.sub("", screen.getvalue()), code


FINDS = ("check", "verify", "doctor", "audit", "evidence", "drift")
"""Verbs that look, and whose exit code says what they found."""


class Pasting(Stage):
    """Pastes each line that an answer says to try into a copy of the folder, and goes on as if nothing had been."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, patch)
        self.pasted: dict[str, str] = {}
        """Of each line, what came of it if it did not run."""

    def _hl(self, line: str) -> tuple[str, int]:
        shown, code = super()._hl(line)
        for tried in dict.fromkeys(re.findall(r"^  try: (hl .*)$", shown, re.M)):
            self._paste(tried, f"{line}\n{shown}")
        return shown, code

    def _paste(self, tried: str, after: str) -> None:
        copy = self.folder.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy, symlinks=True)
        drawn, now, here = self._drawn, self.now, Path.cwd()
        self.now += 1
        self.patch.chdir(copy / here.relative_to(self.folder))
        try:
            shown, code = super()._hl(tried.replace(str(self.folder), str(copy)))
        finally:
            self.patch.chdir(here)
            self._drawn, self.now = drawn, now
        looks = any(word in FINDS for word in tried.split()) and code in (2, 4, 5)
        self.pasted[tried] = "" if code == 0 or looks else f"{after}$ {tried}\n{shown}[exit {code}]"
