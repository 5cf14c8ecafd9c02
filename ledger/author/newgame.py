"""`hl new-game`: a package with a small game that works, to be replaced rule by rule."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from events.errors import Unreadable
from games.kinds import shown
from ledger.author.gamepage import page
from ledger.core import outside

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


def files(name: str) -> dict[str, str]:
    """The package of a game called `name`: path in its folder -> text.

    Raises:
        Unreadable: `newgame.name`, no name for a game, or taken.
    """
    if not re.fullmatch("[a-z][a-z0-9_]{1,30}", name) or name in sys.stdlib_module_names:
        raise Unreadable("newgame.name", f"{shown(name)} is no name for a game", "a-z, 0-9 and _, like night_market")
    if name in outside.names() or importlib.util.find_spec(name) is not None:
        raise Unreadable("newgame.name", f"there is a game or a module {name} already", "choose another name")
    title = name.replace("_", " ").title()
    mark = "".join(part[0] for part in title.split()).upper()
    values = {
        "$NAME": name, "$DASHED": name.replace("_", "-"), "$TITLE": title, "$MARK": mark if len(mark) > 1 else mark * 2
    }  # fmt: skip
    templates = {
        "pyproject.toml": _read("pyproject.toml.txt"),
        f"{name}/__init__.py": _read("game/__init__.py.txt"),
        f"{name}/demo.toml": _read("game/demo.toml.txt"),
        f"{name}/demo.hl": _read("game/demo.hl.txt"),
        f"tests/test_{name}.py": _read("test.py.txt"),
    }
    texts = {path: _filled(text, values) for path, text in templates.items()}
    tables = _tables(name, texts[f"{name}/__init__.py"])
    return {**texts, f"tests/{name}.md": f"{_filled(PAGE, values)}\n{tables}\n"}


def _tables(name: str, source: str) -> str:
    """The tables of the page of the game with that source."""
    module = sys.modules[name] = ModuleType(name)
    try:
        exec(compile(source, name, "exec"), module.__dict__)
        return page(module.GAME)
    finally:
        del sys.modules[name]


def _read(name: str) -> str:
    return (SKELETON / name).read_text(encoding="utf-8")


def _filled(text: str, values: Mapping[str, str]) -> str:
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return text
