"""Games from other packages: found by their entry points, imported only after a host has trusted them once.

Belongs here: which games there are besides the built-in ones, and the list of those that are trusted on this machine.
Does not belong here: a game. A built-in game wins over one of the same name, and starting costs nothing for it: entry
points are looked at only for another name, and to list games. Source: docs/games-from-outside.md.
"""

from __future__ import annotations

import os

from events.errors import Unreadable
from events.record import NamedTuple
from games import registry
from ledger.core.where import config_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from games.contract import Game

GROUP = "host_ledger.games"
TRUSTED = "trusted-games"


class Outside(NamedTuple):
    """A game that an installed package declares. Nothing of it has been imported."""

    name: str
    package: str
    """Name and version: `lantern-games 1.2`."""
    found: EntryPoint
    trusted: bool


def load(name: str, made_by: object = None) -> Game:
    """The game of that name, built-in or trusted.

    Args:
        made_by: What line 1 says of the package that made the log.

    Raises:
        Unreadable: `game.unknown` with the nearest names; `game.untrusted`, a package that nobody here has trusted.
    """
    try:
        return registry.load(name)
    except Unreadable as error:
        if error.code != "game.unknown":
            raise
        unknown = error
    row = next((row for row in listed() if row.name == name), None)
    if row is None:
        if isinstance(made_by, str):
            what = f"the game {name} comes from {made_by[:80]}, which is not installed here"
            raise Unreadable("game.unknown", what, "install that package, then hl games --trust its game") from None
        raise unknown
    if not row.trusted:
        what = f"the game {name} comes from {row.package}, and nobody has trusted it on this computer"
        raise Unreadable("game.untrusted", what, f"hl games --trust {name}")
    return imported(row)


def imported(row: Outside) -> Game:
    """Imports the game. What fails in it is the package's fault, and said so."""
    from games.contract import Game

    try:
        game = row.found.load()
    except Exception as error:
        said = " ".join(str(error).split())[:300]
        what = f"the game {row.name} of {row.package} cannot be loaded: {type(error).__name__}: {said}"
        fix = f"its author sees more with python -c 'import {row.found.module}'; hl verify still checks chain and seals"
        raise Unreadable("game.broken", what, fix) from None
    if not isinstance(game, Game) or game.name != row.name:
        what = f"{row.found.value} of {row.package} is no game called {row.name}"
        raise Unreadable("game.broken", what, "ask its author; hl verify still checks chain and seals")
    return game


def package_of(name: str) -> str | None:
    """The package and version that a game comes from; None for a built-in one."""
    if name in registry.names():
        return None
    return next((row.package for row in listed() if row.name == name), None)


def listed() -> tuple[Outside, ...]:
    """The games of other packages by name, without those whose name a built-in game has."""
    from importlib.metadata import entry_points

    known, trusted = registry.names(), _trusted()
    found = {}
    for point in entry_points(group=GROUP):
        of = point.dist
        package = f"{of.metadata['Name']} {of.version}" if of is not None else "an unknown package"
        if point.name not in known:
            found[point.name] = Outside(point.name, package, point, (point.name, package.split()[0]) in trusted)
    return tuple(found[name] for name in sorted(found))


def names() -> tuple[str, ...]:
    """The games that can be loaded by name, for completion: built-in and trusted ones. Looks at no entry point."""
    return tuple(sorted({*registry.names(), *(name for name, _ in _trusted())}))


class Trust(NamedTuple):
    """A game that is to be trusted, and the list that says so once it is written."""

    game: Outside
    path: str
    text: str


def trust(name: str) -> Trust:
    """What has to be written before this game may be imported on this computer.

    Raises:
        Unreadable: `game.unknown`, no package declares it.
    """
    row = next((row for row in listed() if row.name == name), None)
    if row is None:
        built_in = name in registry.names()
        what = f"{name} is built in" if built_in else f"no installed package has a game {name!r}"
        raise Unreadable("game.unknown", what, "hl games")
    rows = sorted({*_trusted(), (row.name, row.package.split()[0])})
    return Trust(row, _list_path(), "".join(f"{game} {package}\n" for game, package in rows))


def _list_path() -> str:
    """The list of trusted games: in the host's own folder."""
    return os.path.join(config_folder(), TRUSTED)


def _trusted() -> frozenset[tuple[str, str]]:
    """(game, package) of each that was trusted: another package of the same name is another game."""
    try:
        with open(_list_path(), encoding="utf-8") as kept:
            rows = [line.split() for line in kept]
    except (OSError, UnicodeDecodeError):
        return frozenset()
    return frozenset((row[0], row[1]) for row in rows if len(row) == 2)
