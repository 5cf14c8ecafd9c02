"""The games of docs/add-a-game.md: taken from the page, put where the registry finds them, tested like any other."""

from __future__ import annotations

import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import games

if TYPE_CHECKING:
    from games.contract import Game

PAGE = Path(__file__).resolve().parents[2] / "docs" / "add-a-game.md"
FILE = re.compile(r"^```\w+\n# (games/(\w+)/[\w.]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRANSCRIPT = re.compile(r"^```transcript\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files(page: str) -> dict[str, str]:
    """Path -> text of each file that the page shows; one in several pieces is put together."""
    found: dict[str, str] = {}
    for path, _, text in FILE.findall(page):
        found[path] = f"{found[path]}\n\n{text}" if path in found else text
    return found


FILES = files(PAGE.read_text(encoding="utf-8"))
NAMES = tuple(sorted({path.split("/")[1] for path in FILES}))


def built_in() -> tuple[str, ...]:
    """The games of this repository."""
    from games.registry import names

    return tuple(name for name in names() if name not in NAMES)


def page_of(name: str) -> str:
    """The page of a game; of one of the guide, the guide and what `hl page` prints."""
    if name not in NAMES:
        return (PAGE.parent / "games" / f"{name}.md").read_text(encoding="utf-8")
    from games.registry import load
    from ledger.author.newgame import page

    return f"{PAGE.read_text(encoding='utf-8')}\n{page(load(name))}"


def folder_of(name: str) -> Path:
    """The folder of a game."""
    from games.registry import load

    return Path(sys.modules[load(name).settings.__module__].__file__ or "").parent


def stated(name: str = "sealed_bid", *changes: tuple[str, str]) -> Game:
    """A game of the guide, made anew, as it states itself: not built. Each change is a text in its source, and what is
    written there instead."""
    source = FILES[f"games/{name}/__init__.py"]
    for old, new in (("GAME = build(", "GAME = ("), *changes):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    module = sys.modules[f"stated_{name}"] = ModuleType(f"stated_{name}")  # where annotations find their words
    exec(compile(source, "guide", "exec"), module.__dict__)
    made: Game = module.GAME
    return made


def install() -> None:
    """From now on this process knows the games of the guide."""
    if any(name in sys.modules for name in ("tests_guide_installed",)):
        return
    place = Path(tempfile.mkdtemp(prefix="guide-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    for path, text in FILES.items():
        target = place / path.removeprefix("games/")
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    games.__path__.append(str(place))
    sys.modules["tests_guide_installed"] = sys.modules[__name__]
