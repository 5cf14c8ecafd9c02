"""The bundled games: the folders here that define `GAME`. Listing imports none of them; loading imports one."""

from __future__ import annotations

import importlib
import pkgutil
import re

import games
from events.errors import Unreadable
from games.contract import Game
from games.kinds import NAME_PATTERN, did_you_mean, shown

NOT_GAMES = frozenset({"kit", "parts", "table"})


def names() -> tuple[str, ...]:
    """The names of all games, sorted. It imports none, so a half-written game does not hide the others."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(games.__path__) if m.ispkg and m.name not in NOT_GAMES))


def load(name: str) -> Game:
    """The game of that name.

    Raises:
        Unreadable: `game.unknown`, with the nearest names.
    """
    if re.fullmatch(NAME_PATTERN, name) and name not in NOT_GAMES:
        try:
            game: Game = importlib.import_module(f"games.{name}").GAME
            return game
        except ModuleNotFoundError as error:
            if error.name != f"games.{name}":
                raise
        except AttributeError:
            pass
    known = names()
    what = f"there is no game {shown(name)}; the games are {', '.join(known)}"
    raise Unreadable("game.unknown", what, did_you_mean(name, known, "hl games", 1))


def summary(name: str) -> str:
    """The game in one line: the first line of its docstring, which begins with its title.

    Raises:
        Unreadable: `game.unknown`.
    """
    title = load(name).title
    return (importlib.import_module(f"games.{name}").__doc__ or title).splitlines()[0].rstrip(".")
