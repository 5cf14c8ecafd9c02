"""What several tests of what all games share ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.host import Host, match_file
from tests.support.polar import FIRST
from tests.table.lines import pairs

SIX = "ann bob cyd dan eve fox"
BONUSES = 'bonuses = [{ name = "sprint", range = 5 }, { name = "leap", pass_through = true }]'


@pytest.fixture
def lines(lines: Callable[..., None], host: Host) -> Callable[..., None]:
    """Plays a case (tests/support/lines.py), which may also begin with one of these.

    * `over a 20, b 10`: Polar of one round, over; hosts gave these points, the lowest first. `played`: not yet over.
      `first`: a has a token to give, b one; d and e are equal at the end, so a and b vote.
    * `saturday GAME LINE`: a match in Berlin that was opened on the day before its clocks go back, at 10:01 there, with
      the hosts mara and ben; the line is one of its settings.
    """

    def played(*words: str, over: bool = False) -> Host:
        said, _, settings = " ".join(words).partition(" | ")
        points = {p: int(n) for p, n in pairs(said).items()}
        seats = {p: {"name": p.upper(), "garnets": i} for i, p in enumerate(points)}
        host.new(match_file("polar", seats, f"rounds = 1\n{settings}", title="Night", zone="UTC"))
        given = [f"override {p} points {n} --yes" for p, n in sorted(points.items(), key=lambda row: row[1])]
        begun = ["open --yes", *(f"start {p} rock +" for p in points), "resolve --yes --early"]
        for line in [*begun, *([*given, "resolve --yes --early", *given] if over else [])]:
            host.hl(line)
        return host

    def saturday(game: str, *settings: str) -> Host:
        names = SIX if game == "hex_parties" else "ann bob cyd"
        rows = {p: {"name": p.title(), "garnets": 1} for p in names.split()}
        chosen = "\n".join(["allow_odd_roster = true", BONUSES if game == "hex_parties" else "", " ".join(settings)])
        host.by, host.now = "mara", SATURDAY - host.pace
        host.new(match_file(game, rows, chosen, hosts=("mara", "ben"), title="Ep", zone="Europe/Berlin")).hl("open")
        return host

    starts: dict[str, Any] = {"played": played, "saturday": saturday}
    starts["over"] = lambda *words: played(*words, over=True)
    starts["first"] = lambda: played(*(f"{p} {n}," for p, n in FIRST.items()), over=True)
    return lambda said: lines(said, **starts)


SATURDAY = 1_792_828_800_000
"""2026-10-24T08:00:00Z."""
