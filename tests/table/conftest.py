"""What several tests of what all games share ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.overs import Host, polar_host


@pytest.fixture
def polar_match(tmp_path: Path, capsys: pytest.CaptureFixture[str], minutes: None) -> Any:
    """Makes a match of Polar of one round; where it is `played` hosts gave these points."""

    def made(points: dict[str, int], **given: Any) -> Host:
        return polar_host(tmp_path, capsys, points, **given)

    return made
