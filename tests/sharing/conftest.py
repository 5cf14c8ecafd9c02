"""A server of each kind, for the tests of shared matches over every wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.servers import WIRES, opened


@pytest.fixture(scope="module", params=WIRES)
def server(request: Any) -> Iterator[Any]:
    """One that runs for all tests of a file; left out, and said so, where it is not installed."""
    with opened(request.param) as found:
        yield found
