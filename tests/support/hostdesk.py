"""A host at the command line, in one folder: what he types, and what a script of his would read of the answer.

Subclasses add what one game shows. The commands run in this process; stdout is JSON.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.root import run


class Host:
    """A host with a match in `folder`/m."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def new(self, match_file: str) -> None:
        """Make the match."""
        (self.folder / "match.toml").write_text(match_file, encoding="utf-8")
        assert run(["new", str(self.folder / "m"), "--from", str(self.folder / "match.toml")]) == 0

    @property
    def log(self) -> bytes:
        """Every byte of the log."""
        return (self.folder / "m" / "log.jsonl").read_bytes()

    def hl(self, line: str, *more: str, code: int = 0) -> Any:
        """Run a command whose stdout is JSON; it must end with that exit code."""
        out, err, ended = self.say(line, *more)
        assert ended == code, f"{line}: {ended}, {out}{err}"
        return json.loads(out)

    def say(self, line: str, *more: str) -> tuple[str, str, int]:
        """Run a command: stdout, stderr, exit code."""
        self.capsys.readouterr()
        ended = run(["-g", str(self.folder / "m"), *shlex.split(line), *more])
        out, err = self.capsys.readouterr()
        return out, err, ended

    def write(self, line: str) -> Any:
        return self.hl(line, "--json", "--yes", *(["--early"] if line.startswith("resolve") else []))

    def refused(self, line: str, error: str, code: int = 3) -> Any:
        """That error and exit code, and not a byte written."""
        before = self.log
        told = self.hl(line, "--json", "--yes", code=code)
        assert told["ok"] is False and told["error"]["code"] == error and told["error"]["what"] and told["error"]["fix"]
        assert self.log == before
        return told["error"]

    def view(self, viewer: str = "host") -> Any:
        return self.hl(f"view --for {viewer} -f json")["view"]
