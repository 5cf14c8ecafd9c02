"""The bundled match of each game, played through the real commands at a known time with known randomness."""

from __future__ import annotations

import atexit
import contextlib
import functools
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.transcripts import Stage

NOW = 1_798_761_600_000
"""2027-01-01T00:00:00Z: after every bundled match."""


class Demos:
    """Bundled matches, each played once; whoever needs one gets a copy."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @functools.cached_property
    def folder(self) -> Path:
        """Where they are; one that was not given is gone with the process."""
        if self._folder is not None:
            return self._folder
        base = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, base, ignore_errors=True)
        return Path(base)

    def made(self, game: str) -> Path:
        """The folder of the match. Not to be written into."""
        target = self.folder / game / "m"
        if not target.exists():
            self.folder.mkdir(exist_ok=True)
            here = Path(tempfile.mkdtemp(dir=self.folder))
            with pytest.MonkeyPatch.context() as patch:
                told = Stage(here, patch, began=NOW).run((f"$ hl demo {game} --into m",))
            assert "[exit" not in told, told
            with contextlib.suppress(OSError):  # another worker has it by now
                here.rename(target.parent)
        return target

    def copy(self, game: str, target: Path) -> Path:
        """A copy of it at `target`."""
        return Path(shutil.copytree(self.made(game), target))


SHARED = Demos()
"""Those of this process."""


def reads(game: str, players: Sequence[str]) -> list[tuple[str, ...]]:
    """Command lines that only look, for hosts, for everybody and for each player, in every format of a verb.

    The verbs are those of the command line: a new one that takes these options is here as well.
    """
    from ledger.render import FORMATS

    audiences = ("host", "public", *players)
    found: list[tuple[str, ...]] = []
    for verb in ("view", "reveal", "scores", "board", "final", "status"):
        found += [(verb, "--for", who, "-f", fmt) for who in audiences for fmt in FORMATS if fmt != "png"]
    found += [("summary", player, "-f", fmt) for player in players for fmt in FORMATS if fmt != "png"]
    for verb in ("log", "waiting", "outbox", "drift", "assumptions", "verify", "remind", "receipt"):
        found += [(verb,), (verb, "-f", "json")]
    return [*found, ("summary", "--all"), ("explain", "final"), ("rules",)]
