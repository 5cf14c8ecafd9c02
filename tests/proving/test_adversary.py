"""Whatever a host does after something was published, `verify` tells a stranger the whole truth or has a finding.

One law for all verbs: sequences of commands are drawn at random and searched for a log that verifies and is not what
the public was told. The host, the stranger and the oracle: reliability/adversary.py. A failure prints the smallest
script of each kind; `python tests/reliability/adversary.py --seconds 600` looks for longer.

Source: docs/audit.md; docs/reliability.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.reliability import adversary
from tests.support.sizes import FULL, SOAK, log_number, many

SECONDS = 3600 * SOAK if FULL else 5


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HL_MATCH", "HL_AS", "HL_DEBUG", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_nobody_is_deceived_by_a_log_that_verifies(folder: Path, record_property: Any) -> None:
    search = adversary.Search(folder, seconds=SECONDS, patience=5 if FULL else 0.7)
    kinds = adversary.run(search, seed=SOAK, sequences=many(100, 10_000))
    log_number(record_property, search.sequences)
    record_property("differing", search.differing)
    assert not kinds, f"{search.sequences} sequences show:\n\n" + "\n\n".join(map(str, kinds))
    assert search.differing > search.sequences // 10, "the host hardly changes anything: the generator has drifted"


def test_a_host_who_writes_the_log_anew_is_found(folder: Path) -> None:
    """By a receipt of before; and a script that changes nothing is no violation."""
    honest = ((1, ("hl", "lot", "ann", "bob")), (2, ("receipt",)), (3, ("hl", "note", "so")), (4, ("post", "done")))
    anew = (*honest[:2], (3, ("cut", "1", "accept")), (4, ("hl", "lot", "ann", "bob")))
    with adversary.Frozen():
        search = adversary.Search(folder)
        for script, findings in ((honest, 0), (anew, 1)):
            world = search.play("equilibrium", 1, script)
            assert adversary.judge(world) == []
            assert len(world.verify()["findings"]) == findings
