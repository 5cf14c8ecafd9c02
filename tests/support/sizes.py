"""How much a test does: quick on every commit, full with HL_FULL=1, more with HL_SOAK=10 (ten times full)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

FULL = bool(os.environ.get("HL_FULL"))
SOAK = int(os.environ.get("HL_SOAK") or 1)

LAWS = bool(os.environ.get("HL_LAWS"))


def many(quick: int, full: int, mutants: int = 0) -> int:
    """The number for this run. `mutants`: where a mutant needs more than the quick run does to be seen."""
    return full * SOAK if FULL else mutants if LAWS and mutants else quick


def every_eighth(leaks: Iterable[Any]) -> list[Any]:
    """Controls of a net: an eighth of them on every commit, and all in `make sabotage`."""
    named = ((leak, leak if isinstance(leak, str) else "-".join(leak)) for leak in leaks)
    return [pytest.param(leak, id=name, marks=[pytest.mark.slow] * (n % 8 > 0)) for n, (leak, name) in enumerate(named)]


def examples(quick: int, full: int) -> settings:
    """For hypothesis: the same examples each time, but other ones in a soak."""
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    return settings(
        max_examples=many(quick, full), derandomize=SOAK == 1, deadline=None, database=None, suppress_health_check=quiet
    )


def law(full: int) -> settings:
    """For a law of a game: so many examples at full size and for a mutant, a sixth of them on every commit."""
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(examples(full if LAWS else max(full // 6, 12), full), suppress_health_check=quiet)


def log_number(record: Any, number: int) -> None:
    """Keep the number reached with the test: docs/reliability.md quotes it (`pytest --junitxml`)."""
    record("reached", number)
