"""The tables of a game's page, made from its code: settings, information table, verbs, overrides, facts.

`hl page GAME` prints it, and with `--check FILE` says what a page lacks. Tests hold every page against it.
"""

from __future__ import annotations

import inspect
from typing import Any, Literal, get_args, get_origin

from games.contract import Game
from games.records import Field, fields, kebab, plain, snake
from games.table.settings import Gap, known


def page(game: Game) -> str:
    """The tables of a game's page, as Markdown."""
    sections = [
        ("Settings", "| setting | gap | default | may be | what it does |\n|---|---|---|---|---|", settings(game)),
        ("Who may know what", "| line | what | default |\n|---|---|---|", lines(game)),
        ("Verbs", "| verb | what |\n|---|---|", verbs(game)),
        ("What `override` may set", "| field | value |\n|---|---|", overrides(game)),
        ("Facts", "| fact | keys |\n|---|---|", facts(game)),
    ]
    return "\n\n".join(f"## {title}\n\n{head}\n" + "\n".join(rows) for title, head, rows in sections)


def missing(game: Game, text: str) -> list[str]:
    """The rows that a page of the game lacks; of a verb and an override the name is enough."""
    rows = [*settings(game), *lines(game), *facts(game)]
    rows += [f"`{kebab(cls)} " for cls in game.actions] + [f"| `{field}` |" for field in game.fields]
    return [row for row in rows if row not in text]


def settings(game: Game) -> list[str]:
    """A row for each setting, those of the season included."""
    rows = []
    for field in known(game.settings, game.has).values():
        if isinstance(field.note, Gap):
            gap = "" if field.note.number == "T" else field.note.number
            default = _as_written(plain(field.default))
            rows.append(f"| `{field.name}` | {gap} | `{default}` | {_may_be(field)} | {field.arg.help} |")
    return rows


def _may_be(field: Field) -> str:
    """What a setting may be; nothing for texts and tables, which have a section of their own."""
    if field.base is bool:
        return "`true`, `false`"
    if get_origin(field.base) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(field.base))
    if field.bounds is None:
        return ""
    return f"{field.bounds.least} to {field.bounds.most}" + (", or like `90m`" if field.bounds.unit else "")


def _as_written(value: Any) -> str:
    """A default as a match file and the page write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(value) or "[]" if isinstance(value, list) else str(value)


def lines(game: Game) -> list[str]:
    """A row for each line of the information table."""
    return [f"| `{key}` | {about} | `{level}` |" for key, (level, about) in game.visibility.items()]


def verbs(game: Game) -> list[str]:
    """A row for each verb of the game, with its words."""
    rows = []
    for cls in game.actions:
        params = [field for field in fields(cls) if field.in_place]
        usage = " ".join(p.name.upper() if p.required else f"[{p.name.upper()}]" for p in params)
        rows.append(f"| `{kebab(cls)} {usage}` | {(inspect.getdoc(cls) or '').splitlines()[0]} |")
    return [*rows, *(f"| `{lookup.verb} PLAYER` | {lookup.help} |" for lookup in game.lookups)]


def overrides(game: Game) -> list[str]:
    """A row for each field that a host may set."""
    return [f"| `{field}` | {values.replace('|', ' or ')} |" for field, values in game.fields.items()]


def facts(game: Game) -> list[str]:
    """A row for each kind of fact that is the game's own."""
    keys = {cls: " ".join(f"`{field.name}`" for field in fields(cls)) or "(none)" for cls in game.facts}
    return [f"| `{snake(cls)}` | {names} |" for cls, names in keys.items()]
