"""Games from other packages: found by their entry points, imported only after a host has trusted them once.

A built-in game wins over an outside game of the same name. Entry points are read only for names that are not built in
and to list games, so they cost nothing at start-up. Source: docs/games-from-outside.md.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from events.disk import own_folder
from events.errors import Unreadable
from events.record import NamedTuple
from games import registry
from games.contract import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "host_ledger.games"


class Outside(NamedTuple):
    """A game that an installed package declares, not imported yet."""

    name: str
    package: str
    entry_point: EntryPoint
    trusted: bool


def load(name: str, maker: object = None) -> Game:
    """The game of that name, built-in or trusted.

    Args:
        maker: The package that made the log, as line 1 names it.

    Raises:
        Unreadable: `game.unknown`, with the nearest names; `game.untrusted`, nobody here has trusted its package.
    """
    try:
        return registry.load(name)
    except Unreadable as error:
        if error.code != "game.unknown":
            raise
        if (row := _declared(name)) is None:
            if not isinstance(maker, str):
                raise
            message = f"the game {name} comes from {maker[:80]}, which is not installed here"
            raise Unreadable("game.unknown", message, "install that package, then hl games --trust its game") from None
    if not row.trusted:
        message = f"the game {name} comes from {row.package}, and nobody has trusted it on this computer"
        raise Unreadable("game.untrusted", message, f"hl games --trust {name}")
    return imported(row)


def load_typed(typed: str) -> Game:
    """The game that a host means. Packages are searched only if the text is not a built-in name. Raises as `load`."""
    return load(typed if typed in registry.names() else game_named(typed))


def game_named(typed: str) -> str:
    names = [*registry.names(), *(row.name for row in listed() if row.trusted)]
    word = _letters(typed)
    found = [name for name in names if _letters(name) == word] or [n for n in names if _letters(n).startswith(word)]
    if not found and len(word) > 2:
        found = [name for name in registry.names() if word in _letters(registry.load(name).title)]
    return found[0] if word and len(found) == 1 else typed


def _letters(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())


def imported(row: Outside) -> Game:
    try:
        game = row.entry_point.load()
    except Exception as error:
        cause = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        message = f"the game {row.name} of {row.package} cannot be loaded: {cause}"
        module = row.entry_point.module
        fix = f"its author sees more with python -c 'import {module}'; hl verify still finds every changed line"
        raise Unreadable("game.broken", message, fix) from None
    if not isinstance(game, Game) or game.name != row.name:
        message = f"{row.entry_point.value} of {row.package} is not a game called {row.name}"
        raise Unreadable("game.broken", message, "ask its author; hl verify still finds every changed line")
    return game


def package_of(name: str) -> str | None:
    """The name and version of a game's package; None for a built-in game."""
    row = None if name in registry.names() else _declared(name)
    return row.package if row else None


def _declared(name: str) -> Outside | None:
    return next((row for row in listed() if row.name == name), None)


def listed() -> tuple[Outside, ...]:
    """The games of other packages, sorted by name, except those named like a built-in game."""
    from importlib.metadata import entry_points  # 1.7 bare interpreters of each trade and each Tab

    built_in, trusted = registry.names(), _trusted()
    by_name = {}
    for point in entry_points(group=GROUP):
        distribution = point.dist
        package = f"{distribution.metadata['Name']} {distribution.version}" if distribution else "an unknown package"
        if point.name not in built_in:
            by_name[point.name] = Outside(point.name, package, point, (point.name, package.split()[0]) in trusted)
    return tuple(by_name[name] for name in sorted(by_name))


def names() -> tuple[str, ...]:
    return tuple(sorted({*registry.names(), *(name for name, _ in _trusted())}))


def trust(name: str) -> tuple[Outside, str, str]:
    """A game, and the path and text of the list to write before it may be imported on this computer.

    Raises:
        Unreadable: `game.unknown`, no package declares it.
    """
    if (row := _declared(name)) is None:
        built_in = name in registry.names()
        message = f"{name} is built in" if built_in else f"no installed package has a game {name!r}"
        raise Unreadable("game.unknown", message, "hl games")
    rows = sorted({*_trusted(), (row.name, row.package.split()[0])})
    return row, _list_path(), "".join(f"{game} {package}\n" for game, package in rows)


def _list_path() -> str:
    """The path of the list of trusted games. It is in the host's own folder, because match folders are passed on."""
    return os.path.join(own_folder("config"), "trusted-games")


def _trusted() -> frozenset[tuple[str, str]]:
    """(game, package) of each trusted game. Trust does not extend to a game of the same name from another package."""
    try:
        with open(_list_path(), encoding="utf-8") as file:
            rows = [line.split() for line in file]
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset((row[0], row[1]) for row in rows if len(row) == 2)
