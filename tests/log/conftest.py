"""What several tests of the file share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.logs import three_lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of three entries."""
    return three_lines(tmp_path / "m" / "log.jsonl")
