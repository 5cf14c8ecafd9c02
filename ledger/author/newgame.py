"""For authors of games: the skeleton that `hl new-game` writes, and the rows that the page of a game must have."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import Literal, get_args, get_origin

from events.errors import Unreadable
from games.contract import Game
from games.kinds import did_you_mean, shown
from games.records import Field, fields, kebab, plain, snake
from games.table.settings import Gap, in_words, known
from ledger.core import outside


def page(game: Game) -> str:
    sections = [
        ("Settings", "| setting | gap | default | may be | what it does |\n|---|---|---|---|---|", settings(game)),
        ("Who may know what", "| line | what | default |\n|---|---|---|", lines(game)),
        ("Verbs", "| verb | what |\n|---|---|", verbs(game)),
        ("What `override` may set", "| field | value |\n|---|---|", overrides(game)),
        ("Facts", "| fact | keys |\n|---|---|", facts(game)),
    ]
    return "\n\n".join(f"## {title}\n\n{head}\n" + "\n".join(rows) for title, head, rows in sections)


def missing(game: Game, text: str) -> list[str]:
    """The rows that a page of the game lacks. For verbs and overrides, the page only needs the name."""
    rows = [*settings(game), *lines(game), *facts(game)]
    rows += [f"`{kebab(cls)} " for cls in game.actions] + [f"| `{field}` |" for field in game.fields]
    return [row for row in rows if row not in text]


def settings(game: Game) -> list[str]:
    rows = []
    for field in known(game.settings, game.has).values():
        if isinstance(field.note, Gap):
            gap = "" if field.note.number == "T" else field.note.number
            default = plain(field.default)
            written = str(default) if default in ([], {}) else in_words(default)
            rows.append(f"| `{field.name}` | {gap} | `{written}` | {_may_be(field)} | {field.arg.help} |")
    return rows


def _may_be(field: Field) -> str:
    if field.base is bool:
        return "`true`, `false`"
    if get_origin(field.base) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(field.base))
    if field.bounds is None:
        return ""
    return f"{field.bounds.least} to {field.bounds.most}" + (", or like `90m`" if field.bounds.unit else "")


def lines(game: Game) -> list[str]:
    return [f"| `{key}` | {about} | `{level}` |" for key, (level, about) in game.visibility.items()]


def verbs(game: Game) -> list[str]:
    rows = []
    for cls in game.actions:
        params = sorted((p for p in fields(cls) if not p.arg.hidden), key=lambda p: not p.in_place)
        usage = " ".join(p.name.upper() if p.required else f"[{_typed(p)}]" for p in params)
        rows.append(f"| `{kebab(cls)} {usage}` | {(inspect.getdoc(cls) or '').splitlines()[0]} |")
    return [*rows, *(f"| `{lookup.verb} PLAYER` | {lookup.help.splitlines()[0]} |" for lookup in game.lookups)]


def _typed(field: Field) -> str:
    """How an optional word is typed: `BOMB`, `--disguise`, `--on BOMB`."""
    name = field.name.upper()
    return name if field.in_place else field.option if field.bare else f"{field.option} {name}"


def overrides(game: Game) -> list[str]:
    return [f"| `{field}` | {values.replace('|', ' or ')} |" for field, values in game.fields.items()]


def facts(game: Game) -> list[str]:
    keys = {cls: " ".join(f"`{field.name}`" for field in fields(cls)) or "(none)" for cls in game.facts}
    return [f"| `{snake(cls)}` | {names} |" for cls, names in keys.items()]


SKELETON = Path(__file__).with_name("skeleton")
HAS = {
    "sheets": "sealed rounds: what is sent is opened at once; without it verbs count at once",
    "board": "a board on which players stand",
    "roles": "hidden roles, drawn by lot",
    "draw": "dice, or another draw in each round",
    "cards": "a deal of cards",
    "gifts": "something that players give each other",
    "purse": "garnets that buy something",
}
"""Feature of a game -> its description. The skeleton has its lines between `#? WORD` and `#?`."""


def read_has(typed: str) -> tuple[str, ...]:
    """Read words of `HAS`, separated by commas or spaces.

    Raises:
        Unreadable: `newgame.has`.
    """
    words = tuple(dict.fromkeys(re.split(r"[\s,]+", typed.strip().lower())))
    for word in words:
        if word not in HAS:
            hint = did_you_mean(word, [*HAS], f"one of: {' '.join(HAS)}")
            raise Unreadable("newgame.has", f"{shown(word)} is nothing that a skeleton has", hint)
    return words


def files(name: str, has: Collection[str] = ("sheets",)) -> dict[str, str]:
    """The package of a game called `name` with the features `has`: path in its folder -> text.

    Raises:
        Unreadable: `newgame.name`, the name cannot be used for a game, or is taken.
    """
    if not re.fullmatch("[a-z][a-z0-9_]{1,30}", name) or name in sys.stdlib_module_names:
        what = f"{shown(name)} cannot be the name of a game"
        raise Unreadable("newgame.name", what, "two letters or more: a-z, 0-9 and _, like night_market")
    if name in outside.names() or importlib.util.find_spec(name) is not None:
        raise Unreadable("newgame.name", f"there is a game or a module {name} already", "choose another name")
    title = name.replace("_", " ").title()
    mark = "".join(part[0] for part in title.split()).upper()
    values = {
        "$NAME": name, "$DASHED": name.replace("_", "-"), "$TITLE": title, "$MARK": mark if len(mark) > 1 else mark * 2
    }  # fmt: skip

    def filled(template: str) -> str:
        text = chosen((SKELETON / template).read_text(encoding="utf-8"), has)
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        return text

    texts = {
        "pyproject.toml": filled("pyproject.toml.txt"),
        f"{name}/__init__.py": filled("game/__init__.py.txt"),
        f"{name}/demo.toml": filled("game/demo.toml.txt"),
        f"{name}/demo.hl": filled("game/demo.hl.txt"),
        f"tests/test_{name}.py": filled("test.py.txt"),
    }
    tables = _tables(name, texts[f"{name}/__init__.py"])
    return {**texts, f"tests/{name}.md": f"{filled('page.md.txt')}\n{tables}\n"}


def chosen(text: str, has: Collection[str]) -> str:
    """A text of the skeleton with only the lines of the chosen features.

    >>> chosen("a\\n#? board or not cards\\nb\\n#?\\n#? cards\\nc\\n#?\\n", ["board"])
    'a\\nb\\n'
    """
    told, kept, wanted = {word: word in has for word in HAS}, [], list[bool]()
    for line in text.splitlines(keepends=True):
        mark = line.strip()
        if mark == "#?":
            wanted.pop()
        elif mark.startswith("#? "):
            wanted.append(eval(mark[3:], {}, told))
        elif all(wanted):
            kept.append(line)
    return "".join(kept)


def _tables(name: str, source: str) -> str:
    module = sys.modules[name] = ModuleType(name)
    try:
        exec(compile(source, name, "exec"), module.__dict__)
        return page(module.GAME)
    finally:
        del sys.modules[name]
