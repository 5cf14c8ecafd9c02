"""`hl new-game`: a package with a small game that works, to be replaced rule by rule."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from events.errors import Unreadable
from games.kinds import shown
from ledger import outside
from ledger.gamepage import page

SKELETON = Path(__file__).with_name("skeleton")
PAGE = """# $TITLE

The rules, each sentence that can be tested with a number.

## 1. Rounds

Each player seals one number a round, and may replace it until the round ends. All are opened at once and added up.

## 2. The end

After the last round the highest sum wins a Token of Life.

* **$MARK-1. How long a round is.** *Setting* `round_hours`, default `24`.
* **$MARK-2. Equal highest sums.** *Setting* `tie`: `lot` (default) or `nobody`.
"""


def write(name: str, into: str) -> list[str]:
    """Write the package of a game called `name` into a new folder; the files.

    Raises:
        Unreadable: `newgame.name`, no name for a game, or taken; `newgame.exists`, the folder is there already.
    """
    if not re.fullmatch("[a-z][a-z0-9_]{1,30}", name) or name in sys.stdlib_module_names:
        raise Unreadable("newgame.name", f"{shown(name)} is no name for a game", "a-z, 0-9 and _, like night_market")
    if name in outside.names() or importlib.util.find_spec(name) is not None:
        raise Unreadable("newgame.name", f"there is a game or a module {name} already", "choose another name")
    folder = Path(into)
    if os.path.lexists(folder):
        raise Unreadable("newgame.exists", f"{into} is there already", "--into another folder")
    title = name.replace("_", " ").title()
    mark = "".join(word[0] for word in title.split()).upper()
    words = {
        "$NAME": name, "$DASHED": name.replace("_", "-"), "$TITLE": title, "$MARK": mark if len(mark) > 1 else mark * 2
    }  # fmt: skip
    made = {
        "pyproject.toml": _read("pyproject.toml.txt"),
        f"{name}/__init__.py": _read("game/__init__.py.txt"),
        f"{name}/demo.toml": _read("game/demo.toml.txt"),
        f"{name}/demo.hl": _read("game/demo.hl.txt"),
        f"tests/test_{name}.py": _read("test.py.txt"),
    }
    for path, text in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(_filled(text, words), encoding="utf-8")
    tables = _tables(name, folder / name / "__init__.py")
    about = f"tests/{name}.md"
    (folder / about).write_text(f"{_filled(PAGE, words)}\n{tables}\n", encoding="utf-8")
    return [*made, about]


def _tables(name: str, file: Path) -> str:
    """What the page of the game that was just written must say."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None, "it is a Python file"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        return page(module.GAME)
    finally:
        del sys.modules[name]


def _read(name: str) -> str:
    return (SKELETON / name).read_text(encoding="utf-8")


def _filled(text: str, words: Mapping[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text
