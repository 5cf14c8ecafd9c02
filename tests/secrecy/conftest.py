"""Fixtures of the tests of secrecy."""

from __future__ import annotations

import pytest

from tests.secrecy.kept import Kept


@pytest.fixture(scope="session")
def kept(request: pytest.FixtureRequest) -> Kept:
    return Kept(request.config)
