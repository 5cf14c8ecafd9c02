"""Two hosts at one desk: a match of Equilibrium in a folder, commands typed at times that the test sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match

MINUTE = 60_000
OPENED = 1_772_442_000_000
"""2026-03-02T09:00:00Z."""
HANDS = {
    "ann": "R4 B4 R9 B9 R2", "bob": "R6 R7 R8 R10 B4", "cyd": "B5 B6 B7 B8 R9", "dan": "R3 B3 R10 B10 R5",
    "eve": "R3 B2 B6 B10 R8", "fox": "B1 B3 B5 B7 B9", "gil": "R1 R2 R4 R6 B8", "hal": "R1 R5 R7 B1 B2",
}  # fmt: skip
GARNETS = {"ann": 1, "bob": 0, "cyd": 3, "dan": 3, "eve": 1, "fox": 1, "gil": 1, "hal": 1}


def link(at: int) -> str:
    """A link to a message that was sent at that instant."""
    return f"https://discord.com/channels/1/2/{(at - 1420070400000) << 22}"


class Desk:
    """Two hosts at one desk: `do` types a command at a time that the test sets."""

    def __init__(self, folder: Path, clock: list[int], capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.clock, self.capsys = folder, clock, capsys
        folder.mkdir()
        rows = "\n".join(f'{p} = {{ garnets = {n}, channel = "#{p}" }}' for p, n in GARNETS.items())
        (folder / "match.toml").write_text(f'game = "equilibrium"\nhosts = ["mara", "ben"]\n[players]\n{rows}\n')
        (folder / "deal.toml").write_text("[hands]\n" + "\n".join(f'{p} = "{h}"' for p, h in HANDS.items()))
        self.log = folder / "m"
        assert self.do("new", str(self.log), "--from", str(folder / "match.toml"), match=False) == 0
        assert self.do("deal", "--from", str(folder / "deal.toml")) == 0
        assert self.do("open") == 0

    def do(self, *words: str, by: str = "mara", match: bool = True) -> int:
        """Type a command a minute later; the exit code."""
        self.clock[0] += MINUTE
        self.capsys.readouterr()
        code = run([*(["-g", str(self.log)] if match else []), "--as", by, *words], App())
        said = self.capsys.readouterr()
        self.out, self.err = said.out, said.err
        return code

    def json(self, *words: str) -> Any:
        assert self.do(*words, "-f", "json") == 0, self.err
        return json.loads(self.out)

    @property
    def match(self) -> Match:
        return Match(str(self.log / "log.jsonl"))

    def state(self) -> Any:
        """The state of the match apart from entry numbers and the time of making it."""
        state: Any = self.match.fold.state
        return state._replace(
            traded=tuple(sorted(state.traded)), table=state.table._replace(began=0, since=0, game_id="")
        )
