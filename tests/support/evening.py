"""An evening of two hosts: a match, and two folders that share it by way of a bare repository."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.host import match_file, toml

HANDS = {
    "ann": "B1 B3 B5 B7 R9", "bob": "B1 B3 B5 R7 B9", "cyd": "R1 R3 R5 B7 R9", "dan": "R1 R3 R5 R7 B9",
    "eve": "B2 B4 B6 B8 R10", "fox": "B2 B4 B6 R8 B10", "gil": "R2 R4 R6 B8 R10", "hal": "R2 R4 R6 R8 B10",
}  # fmt: skip


def put_files(folder: Path, hands: Mapping[str, str] = HANDS) -> None:
    """The match file and the deal of an evening."""
    match = match_file("equilibrium", {**dict.fromkeys(HANDS, 0), "gil": 2}, hosts=("mara", "theo"))
    deal = "".join(f"{player} = {toml(hand)}\n" for player, hand in hands.items())
    (folder / "match.toml").write_text(match)
    (folder / "deal.toml").write_text(f"[hands]\n{deal}")


class Evening:
    """mara's folder `m`, theo's mirror `t`, the server `srv.git`."""

    def __init__(self, stage: Any, *, plain: bool = False, url: str = "") -> None:
        self.stage, self.folder = stage, stage.folder
        if not url:
            self.git("init", "-q", "--bare", "srv.git")
        self.url = url or f"git+file://{self.folder}/srv.git#ep4"
        put_files(self.folder)
        self.ok("new m --from match.toml", "")
        self.ok("deal --from deal.toml", "m")
        self.ok("open", "m")
        self.ok(f"share {self.url}" + (" --plain --yes" if plain else ""), "m")
        self.ok("share --key > key", "m")
        self.ok(f"clone {self.url} t < key", "")

    def git(self, *words: str, given: bytes = b"") -> str:
        return subprocess.run(
            ["git", *words], cwd=self.folder, check=True, input=given, stdout=subprocess.PIPE
        ).stdout.decode()

    def hl(self, line: str, where: str = "m") -> str:
        by = "--as theo" if where == "t" else "--as mara"
        told: str = self.stage.run((f"$ hl {f'-g {where} {by} ' if where else ''}{line}",))
        return told

    def ok(self, line: str, where: str = "m") -> str:
        told = self.hl(line, where)
        assert "[exit" not in told, told
        return told

    def log(self, where: str) -> bytes:
        return bytes((self.folder / where / "log.jsonl").read_bytes())

    def agree(self) -> None:
        self.ok("sync", "m")
        self.ok("sync", "t")
        assert self.log("m") == self.log("t")

    def everything(self) -> bytes:
        """What the server holds: every object, unpacked."""
        return subprocess.run(
            ["git", "-C", "srv.git", "cat-file", "--batch-all-objects", "--batch"], cwd=self.folder, check=True,
            stdout=subprocess.PIPE,
        ).stdout  # fmt: skip
