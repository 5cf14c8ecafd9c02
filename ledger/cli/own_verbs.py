"""The verbs of the match's own game, for those who list them: `hl --help` must not wait for a game.

Belongs here: which verbs there are, with a line of help each. Does not belong here: what they take and do (derive.py).

A game whose verbs are the same in every match has them in games/NAME/verbs.txt, so that its modules need not be loaded.
The file is drawn from the game, and a test fails while it says anything else: it cannot be old in a release. A game of
another package has none, nor one whose verbs the match file makes; those are loaded. Source: decision 8.
"""

from __future__ import annotations

import os

import games
from events.errors import LedgerError, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from games.contract import Game, Spoken
    from ledger.cli.app import App

FILE = "verbs.txt"


def game_here(app: App) -> Game | None:
    """The game of the match, from its first line alone: a help text folds nothing."""
    from ledger.core.outside import load

    try:
        return load(name) if (name := _name_here(app)) else None
    except Unreadable:
        return None  # the verb itself will say that this release does not know the game


def own_verbs(app: App) -> tuple[list[tuple[str, str]], Collection[str] | None]:
    """The game's own verbs with a line of help each, and what the game has; None where no game can be found."""
    try:
        with open(os.path.join(games.__path__[0], _name_here(app) or "", FILE), encoding="utf-8") as kept:
            has, *lines = kept.read().splitlines()
        return [(verb, help) for verb, _, help in (line.partition(" ") for line in lines)], has.split()
    except OSError:
        game = game_here(app)
    return ([], None) if game is None else (verbs_of(game, spoken_here(app, game)), game.has)


def verbs_of(game: Game, spoken: Mapping[str, Spoken]) -> list[tuple[str, str]]:
    """The verbs of a game, and those that the file of a match makes of it."""
    from games.records import kebab

    own = [(kebab(cls), (cls.__doc__ or "").strip().partition("\n")[0]) for cls in game.actions]
    own += [(name, word.help) for name, word in spoken.items()]
    return own + [(lookup.verb, lookup.help) for lookup in game.lookups]


def file_of(game: Game) -> str | None:
    """What its verbs.txt holds: what it has, then a verb a line. None: its verbs are not the same in every match."""
    rows: Iterable[tuple[str, str]] = () if game.written else verbs_of(game, {})
    return "\n".join([" ".join(sorted(game.has)), *(f"{verb} {help}" for verb, help in rows), ""]) if rows else None


def spoken_here(app: App, game: Game) -> Mapping[str, Spoken]:
    """The verbs that the file of the match makes; none of a log that cannot be read, which the verb itself will say."""
    if game.written is None:
        return {}
    try:
        return game.written.spoken(app.match.fold.state)
    except LedgerError:
        return {}


def _name_here(app: App) -> str | None:
    from ledger.core.where import game_of

    return game_of(app.log())
