"""How the cases of a table of lines begin (lines.py)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.demos import NOW, Demos
from tests.support.host import Host, match_file
from tests.table.lines import value
from tests.terminal.lines import check


@pytest.fixture
def lines(request: pytest.FixtureRequest, host: Host, at_desk: Any, demos: Demos, root: Path) -> Callable[..., None]:
    """Plays a case. The test module may have `FILES`, match files by name, `SHOWS`, which can be asked, and `SHORT`."""

    def folder(name: str) -> Host:
        """A host in a folder with the match files of the tests, and with what is bundled with a game."""
        host.by = "mara"
        for own, text in getattr(request.module, "FILES", {}).items():
            host.file(f"{own}.toml", text)
        for bundled in (root / "games" / name).glob("demo*.toml"):
            shutil.copy(bundled, host.folder / {"demo": f"{name}.toml", "demo-deal": "deal.toml"}[bundled.stem])
        return host

    def demo(game: str) -> Host:
        host.now = NOW
        demos.copy(game, host.path)
        host.by = host.match.table.hosts[0]
        return host

    def match(game: str, *words: str) -> Host:
        settings = {key: value(of) for key, _, of in (word.partition("=") for word in words if "=" in word)}
        host.by = "mara"
        return host.new(match_file(game, " ".join(word for word in words if "=" not in word), settings))

    def nothing(name: str = "") -> Host:
        here = folder(name)
        here.by = ""
        return here

    def file(name: str) -> Host:
        return folder(name).new((host.folder / f"{name}.toml").read_text(encoding="utf-8"))

    starts = {"desk": lambda: at_desk("desk"), "demo": demo, "match": match, "file": file, "nothing": nothing}
    shows, short = (getattr(request.module, name, {}) for name in ("SHOWS", "SHORT"))
    return lambda said, **more: check(said, {**starts, **more}, shows, short)
