"""A match for several tests of `verify`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import replaying


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
