"""Long legal matches for the bench: written with the real line format, without asking the rules for each entry."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from events import GENESIS, Body, create, read_instant, write_body, write_line
from games.registry import load
from ledger.exchange.matchfile import setup_bodies

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal")
HANDS = (
    "R4 B4 R9 B9 R2", "R6 R7 R8 R10 B4", "B5 B6 B7 B8 R9", "R3 B3 R10 B10 R5",
    "R3 B2 B6 B10 R8", "B1 B3 B5 B7 B9", "R1 R2 R4 R6 B8", "R1 R5 R7 B1 B2",
)  # fmt: skip
START = read_instant("2026-03-01T18:00:00.000Z")
SPAN_MS = 70 * 3_600_000
"""All entries are within the 72 hours of trading."""


def _body(do: str, at: int, args: dict[str, Any], batch: int | None = None) -> Body:
    return Body(do, at, "mara", at + 2000, args, batch=batch)


def bodies(entries: int) -> Iterator[Body]:
    """`entries` bodies of one match in the order in which they fold: setup, deal, then offers, locks, notes, trades."""
    toml = {"game": "equilibrium", "hosts": ["mara"], "players": {p: {"garnets": 1} for p in PLAYERS}}
    _, setup = setup_bodies(toml, source="bench", by=None, now=START - 86_400_000)
    yield from setup
    first = len(setup) + 1
    for player, hand in zip(PLAYERS, HANDS, strict=True):
        yield _body("hand", START - 1000, {"player": player, "cards": hand.split()}, first)
    yield _body("deal", START - 1000, {"method": "typed"}, first)
    yield _body("open", START, {})
    opening = first + len(PLAYERS) + 2
    dice = random.Random(1)
    pairs = list(itertools.combinations(range(8), 2))
    locked: set[str] = set()
    for n in range(max(0, entries - opening + 1)):
        at = START + 1 + n * SPAN_MS // entries
        kind = dice.randrange(6)
        if kind < 3:
            a, b = dice.choice(pairs)
            give, take = dice.choice(HANDS[a].split()), dice.choice(HANDS[b].split())
            yield _body("offer", at, {"a": PLAYERS[a], "b": PLAYERS[b], "give": give, "take": take})
        elif kind < 5:
            player = dice.choice(PLAYERS[:7])
            yield _body("unlock" if player in locked else "lock", at, {"player": player})
            locked ^= {player}
        else:
            yield _body("note", at, {"text": f"checked the pair chats, nothing open ({n})"})


def match_of(folder: Path, entries: int) -> None:
    """A match folder of that many entries."""
    load("equilibrium")
    create(str(folder / "log.jsonl"), list(bodies(entries)))


def long_log(path: Path, entries: int) -> None:
    """A log file alone, written as a stream."""
    salts = random.Random(2)
    prev = GENESIS
    with path.open("wb") as file:
        for seq, body in enumerate(bodies(entries), start=1):
            line, prev = write_line(seq, prev, salts.randbytes(16).hex(), write_body(body))
            file.write(line)
    path.chmod(0o600)


def auction_of(folder: Path, entries: int) -> None:
    """A match folder of Poker Auction: five players who replace their sheets for powers again and again."""
    players = PLAYERS[:5]
    toml = {"game": "poker_auction", "hosts": ["mara"], "players": {p: {"garnets": 1} for p in players}}
    _, bodies = setup_bodies(toml, source="bench", by=None, now=START - 86_400_000)
    bodies.append(_body("open", START, {}))
    dice = random.Random(3)
    while len(bodies) < entries:
        args = {"as_sent": False, "chips": dice.randrange(60), "garnets": 0, "player": dice.choice(players)}
        args["ranking"] = "spades>diamonds>hearts>clubs>joker"
        bodies.append(_body("power", START + len(bodies) * 1000, args))
    create(str(folder / "log.jsonl"), bodies)
