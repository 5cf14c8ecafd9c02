"""A host at the command line, and matches of Polar that are over: for tests of what comes after the end."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.root import run

FIRST = {"a": 20, "b": 10, "c": 5, "d": 1, "e": 1}
"""One first, who has a token to give; one second; d and e are equal at the end: a and b vote."""


class Host:
    """A host at the command line, in one folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def hl(self, line: str, code: int = 0) -> str:
        """Run a command, which must end with that exit code; what it prints on stdout."""
        self.capsys.readouterr()
        ended = run(["-g", str(self.folder / "m"), *shlex.split(line)])
        self.out, self.err = self.capsys.readouterr()
        assert ended == code, f"{line}: {ended}, {self.out}{self.err}"
        return self.out

    def json(self, line: str, code: int = 0) -> Any:
        return json.loads(self.hl(line, code))

    def write(self, line: str) -> Any:
        return self.json(f"{line} --json --yes")

    def final(self, viewer: str = "host") -> Any:
        return self.json(f"final --for {viewer} -f json")

    def log(self) -> bytes:
        return (self.folder / "m" / "log.jsonl").read_bytes()


def polar_host(folder: Path, capsys: Any, points: dict[str, int], *, played: bool = True, settings: str = "") -> Host:
    """A match of Polar of one round; where it is `played` hosts gave these points at the end, the lowest first."""
    host = Host(folder, capsys)
    seats = "\n".join(f'{p} = {{ name = "{p.upper()}", garnets = {i} }}' for i, p in enumerate(points))
    top = f'game = "polar"\ntitle = "Night"\nzone = "UTC"\nhosts = ["mara"]\n[players]\n{seats}\n'
    (folder / "match.toml").write_text(f"{top}[settings]\nrounds = 1\n{settings}\n")
    assert run(["new", str(folder / "m"), "--from", str(folder / "match.toml")]) == 0
    host.hl("open --yes")
    for player in points:
        host.hl(f"start {player} rock +")
    host.hl("resolve --yes --early")
    for player, n in points.items() if played else ():
        host.hl(f"override points {player} {n} --yes")
    if played:
        host.hl("resolve --yes --early")
        for player, n in sorted(points.items(), key=lambda row: row[1]):
            host.hl(f"override points {player} {n} --yes")
    return host
