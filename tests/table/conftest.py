"""What several tests of what all games share ask for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.host import Host, match_file


@pytest.fixture
def polar_match(host: Host) -> Any:
    """Makes a match of Polar of one round at the command line, each in a folder of its own.

    Where it is `played`, hosts gave these points at the end, the lowest first.
    """
    made: list[Host] = []

    def over(points: dict[str, int], *, played: bool = True, settings: str = "") -> Host:
        at = host.at(f"polar{len(made)}")
        made.append(at)
        seats = {p: {"name": p.upper(), "garnets": i} for i, p in enumerate(points)}
        at.new(match_file("polar", seats, f"rounds = 1\n{settings}", title="Night", zone="UTC"))
        at.hl("open --yes")
        for player in points:
            at.hl(f"start {player} rock +")
        at.hl("resolve --yes --early")
        if played:
            for player, n in points.items():
                at.hl(f"override points {player} {n} --yes")
            at.hl("resolve --yes --early")
            for player, n in sorted(points.items(), key=lambda row: row[1]):
                at.hl(f"override points {player} {n} --yes")
        return at

    return over
