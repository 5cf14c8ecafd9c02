"""A match, and a season of matches, for several tests of `verify` and `audit`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import replaying
from tests.support.host import hl


@pytest.fixture(scope="session")
def one_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled match of Equilibrium."""
    folder = tmp_path_factory.mktemp("audit") / "eq"
    replaying.played("equilibrium", folder)
    return folder


@pytest.fixture
def evening(one_evening: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(one_evening, tmp_path / "m"))


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty matches, one with a changed byte, one cut; a redacted copy; what is no log; a link, a torn tail."""
    base = tmp_path_factory.mktemp("season")
    replaying.played("equilibrium", base / "ep01")
    for n in range(2, 21):
        shutil.copytree(base / "ep01", base / f"ep{n:02d}")
    log = base / "ep05" / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"by":"mara"', b'"by":"nara"', 1))
    log = base / "ep12" / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:30]))
    assert hl("-g", str(base / "ep01"), "redact", "--for", "ann", "-o", str(base / "ann.jsonl")).code == 0
    (base / "other.jsonl").write_text('{"name": "no log"}\n')
    (base / "notes.txt").write_text("nothing of ours")
    (base / "ep01" / "log.jsonl.torn-12-abcdef01").write_text("{")
    (base / "link.jsonl").symlink_to(base / "ep01" / "log.jsonl")
    return base
