"""A match in Berlin on the day before its clocks go back, and hosts who type; a command a minute.

Poker Auction, Polar or Hex Parties, with hosts mara and ben.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from events import read_instant

MINUTE = 60_000
SATURDAY = read_instant("2026-10-24T08:00:00.000Z")
"""10:00 in Berlin."""
LINK = "https://discord.com/channels/1/2/"


class Evening:
    """A match in the folder `a`; `hl` types a command there, a minute after the one before."""

    def __init__(
        self,
        stage: Any,
        game: str = "poker_auction",
        settings: str = "",
        players: tuple[str, ...] = ("ann", "bob", "cyd"),
    ) -> None:
        self.stage = stage
        stage.now = SATURDAY - MINUTE
        rows = "".join(f'{p} = {{ name = "{p.capitalize()}", garnets = 1 }}\n' for p in players)
        top = f'game = "{game}"\ntitle = "Ep"\nzone = "Europe/Berlin"\nhosts = ["mara", "ben"]\n'
        Path("m.toml").write_text(
            f"{top}[players]\n{rows}[settings]\nallow_odd_roster = true\n{settings}", encoding="utf-8"
        )
        assert "[exit" not in stage.run(("$ hl new a --from m.toml --as mara",))
        self.opening = self.hl("open")
        assert "[exit" not in self.opening

    def hl(self, words: str, *, by: str = "mara", copy: str = "a") -> str:
        return str(self.stage.run((f"$ hl -g {copy} --as {by} {words}",)))

    def body(self, do: str) -> Any:
        """The newest entry of that verb."""
        bodies = [json.loads(line)["body"] for line in self.lines()]
        return [body for body in bodies if body["do"] == do][-1]

    def lines(self, copy: str = "a") -> list[str]:
        return Path(copy, "log.jsonl").read_text(encoding="utf-8").splitlines()

    def message(self, minutes_ago: int) -> str:
        """A message of so many minutes before the next command."""
        return f"{LINK}{self.stage.now + MINUTE - minutes_ago * MINUTE - 1420070400000 << 22}"

    def end(self) -> str:
        """When the phase ends, as the host's view says."""
        return str(json.loads(self.hl("view --for host -f json").splitlines()[-1])["view"]["ends"])
