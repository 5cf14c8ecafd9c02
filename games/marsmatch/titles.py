"""The titles of a round and the points they bring. Source: section 2, 2 to 4."""

from __future__ import annotations

from collections.abc import Mapping

from events.record import NamedTuple
from games.marsmatch.facts import Title


class Worth(NamedTuple):
    """What a title is called, and the points it can bring."""

    name: str
    points: tuple[int, ...]


TITLES: Mapping[Title, Worth] = {
    "heavenly_hand": Worth("Heavenly Hand", (10_000, 1_000)),
    "non_banker_heavenly": Worth("Non-Banker Heavenly Hand", (7_000, 700)),
    "heaven_snatch": Worth("Heaven Snatch", (9_000, 900)),
    "ground_hand": Worth("Ground Hand", (500,)),
    "ground_snatch": Worth("Ground Snatch", (300,)),
    "human_hand": Worth("Human Hand", (100,)),
    "total_loser": Worth("Total Loser", (0,)),
}
HEAVENLY: Mapping[str, tuple[str, str]] = {
    "starlink": ("Starlink", "3 3 3 3 3 3"),
    "ufo": ("UFO", "LJ LJ BJ BJ"),
}
"""A heavenly hand by name, and the cards that are shown of it."""
