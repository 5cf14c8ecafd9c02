"""The functions of the ledger that read the clock, wait and make randomness. Tests replace them."""

from __future__ import annotations

import os
import time
from random import Random
from time import sleep

from events.instants import Instant
from events.record import NamedTuple
from games.contract import Published


def now_ms() -> Instant:
    """The present instant in milliseconds since 1970 UTC."""
    return Instant(int(time.time() * 1000))


def wait_for(seconds: float) -> None:
    sleep(seconds)


def dice(seed: int) -> Random:
    """Random numbers that repeat for the same seed: for simulated matches, never for a draw in a real match."""
    return Random(seed)


class OsLuck(NamedTuple):
    """Randomness from the operating system for the entry that will have number `seq`."""

    seq: int
    published: Published | None = None
    at: Instant = Instant(0)

    def seed(self) -> bytes:
        return os.urandom(32)
