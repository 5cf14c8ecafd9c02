"""The matches that these tests look at."""

from __future__ import annotations

import pytest

from games.registry import names
from ledger.cli.app import App
from ledger.core.match import Match
from tests.support import replaying
from tests.support.host import hl


@pytest.fixture(scope="session", params=names())
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """The bundled match of a game, and what hosts did since: with a canary that nobody but hosts may read."""
    folder, app = tmp_path_factory.mktemp("played") / request.param, App()
    table = replaying.played(request.param, folder).table
    first = next(iter(table.seats))
    for line in (
        f"award {first} garnets 2", f"award {first} tokens 1 --yes", f"penalty {first}", "undo --yes", "note for later",
        f"override {first} garnets 1 --yes", "note CANARY 731905518264",
    ):  # fmt: skip
        told = hl("-g", str(folder), "--as", table.hosts[0], *line.split(), app=app)
        assert told.code in (0, 2, 3), told  # not every game has garnets
    return Match(str(folder / "log.jsonl"))
