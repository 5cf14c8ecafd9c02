"""What anybody reads in the matches of the quick run is kept, as digests: whatever changes it has to be looked at.

Pairs find what depends on a secret, where the secret differs and its viewer looks. A digest needs only that the
situation is met: it changes with any word more, for anybody, also in a match that nobody meant to change. What changed
is shown by `make told`: the whole texts, before and now.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from tests.secrecy.script import UNTOLD, Trace

FILE = Path(__file__).with_name("kept.json")


class Kept:
    """The digests, and what the run was asked to do with them."""

    def __init__(self, config: pytest.Config) -> None:
        self.update = config.getoption("--golden-update")
        self.folder = config.getoption("--told")

    def changed(self, name: str, traces: Sequence[Trace]) -> list[int]:
        """The matches of that name in which anything told is not what is kept; none where the digests are updated."""
        told = [*map(text, traces)]
        if self.folder:
            Path(self.folder).mkdir(parents=True, exist_ok=True)
            for seed, one in enumerate(told):
                Path(self.folder, f"{name} {seed}.txt").write_text(one, encoding="utf-8")
        kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        now = [sha256(one.encode()).hexdigest()[:12] for one in told]
        if self.update:
            FILE.write_text(json.dumps({**kept, name: now}, indent=0, sort_keys=True) + "\n", encoding="utf-8")
            return []
        was = kept.get(name, [])
        return [seed for seed, mine in enumerate(now) if mine not in was[seed : seed + 1]]


def text(trace: Trace) -> str:
    """All that left for anybody, in order."""
    told = (f"== {where}\n{answer}" for where, answer in trace.out if not where.startswith(UNTOLD))
    return "\n".join((*told, *(f"== for all\n{answer}" for answer in trace.others)))
