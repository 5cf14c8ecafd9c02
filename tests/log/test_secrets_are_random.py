"""What hides is drawn anew each time: 128 bits of salt in every seal, 256 bits of seed in every draw.

Without its salt a sealed entry could be guessed from its hash. Source: docs/log-format.md; docs/reliability.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from events import Body, LogFile, create
from events.disk import DISK
from events.writer import fresh_salt
from ledger.core.clock import OsLuck
from tests.support.sizes import log_number, many


def test_no_two_salts_are_the_same(record_property: Any) -> None:
    """A million of them in the full run; and no bit of them that does not change."""
    number = many(5_000, 1_000_000)
    salts = {fresh_salt(DISK) for _ in range(number)}
    assert len(salts) == number
    log_number(record_property, number)
    some = [int(salt, 16) for salt in list(salts)[:5_000]]
    assert all(len(salt) == 32 for salt in list(salts)[:100])
    for bit in range(128):
        ones = sum(salt >> bit & 1 for salt in some)
        assert 2_200 < ones < 2_800, f"bit {bit} is set in {ones} of 5,000"  # eight deviations from the half


def test_every_line_has_a_salt_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    create(path, [Body("note", 1, "mara", 1, {}, batch=1) for _ in range(20)])
    with LogFile(path).writing() as writer:
        writer.append([Body("note", 1, "mara", 1, {}, batch=21) for _ in range(20)])
    salts = [line.partition(b'"salt":"')[2][:32] for line in path.read_bytes().splitlines()]
    assert len(set(salts)) == 40


def test_seeds_have_256_bits(luck_of_hosts: Callable[[OsLuck], bytes]) -> None:
    seeds = {luck_of_hosts(OsLuck(1)) for _ in range(1_000)}
    assert len(seeds) == 1_000 and {len(seed) for seed in seeds} == {32}
