"""Verbs about games: the list of them, the page of one, the skeleton of a new one."""

from __future__ import annotations

import os
from typing import Any

import click

from events.errors import Unreadable
from games import registry
from games.records import kebab
from ledger.author.gamepage import missing, page
from ledger.author.newgame import files as skeleton
from ledger.cli.app import App, ReadOptions
from ledger.cli.completion import files, games
from ledger.cli.new_file import make_folder, write_new
from ledger.cli.verb import list_option, verb
from ledger.cli.verbs import SHARED
from ledger.core import outside
from ledger.core.inputs import read_text
from ledger.core.outside import load
from ledger.render.safe import json_text, plain_line, verbatim


@verb("games", "set up", audience="none")
@list_option
@click.option("--trust", metavar="NAME", help="Trust a game of another package on this computer.", shell_complete=games)
def list_games(app: App, trust: str | None, reading: ReadOptions) -> None:
    """List the games.

    Those of other packages run only once they are trusted.
    """

    if trust is not None:
        row, path, text = outside.trust(trust)
        game = outside.imported(row)
        make_folder(os.path.dirname(path))
        write_new(path, text.encode(), overwrite=True)
        app.to_host(f"{row.name} of {row.package} is trusted on this computer: its code runs from now on")
        if hidden := sorted({kebab(cls) for cls in game.actions} & set(SHARED)):
            app.to_host(f"its {', '.join(hidden)} cannot be reached: the ledger has such a verb itself; ask its author")
        return
    rows: list[dict[str, Any]] = []
    lines = []
    for name in registry.names():
        game = registry.load(name)
        rows.append({"name": name, "title": game.title, "rules": game.rules})
        lines.append(f"{name}  {game.title}")
    for row in outside.listed():
        rows.append({"name": row.name, "package": row.package, "trusted": row.trusted})
        lines.append(
            f"{row.name}  from {row.package}{'' if row.trusted else f'; not trusted: hl games --trust {row.name}'}"
        )
    if reading.json:
        app.out(json_text({"games": rows}))
    else:
        app.show(*map(plain_line, lines))


@verb("page", "set up", audience="none")
@click.argument("game", metavar="GAME", shell_complete=games)
@click.option("--check", metavar="FILE", help="The page, in Markdown.", shell_complete=files)
def page_of(app: App, game: str, check: str | None) -> int:
    """Print what the page of a game must say: settings, lines, verbs, facts.

    For who writes a game; --check names what a page lacks.
    """

    chosen = load(game)
    if check is None:
        app.out(verbatim(page(chosen)))
        return 0
    try:
        lacks = missing(chosen, read_text(check))
    except OSError as error:
        raise Unreadable("page.missing", f"{check} cannot be read: {error.strerror}", f"hl page {game}") from None
    for row in lacks:
        app.out(verbatim(row))
    app.to_host(f"{check} says all that it must" if not lacks else f"{check} lacks {len(lacks)} rows")
    return 1 if lacks else 0


@verb("new-game", "set up", audience="none")
@click.argument("name", metavar="NAME")
@click.option("--into", metavar="DIR", help="The folder it is written into.", shell_complete=files)
def new_game(app: App, name: str, into: str | None) -> None:
    """Write the skeleton of a new game: rules, demo, page, tests."""

    folder, files = into or name, skeleton(name)
    if os.path.lexists(folder):
        raise Unreadable("newgame.exists", f"{folder} is there already", "--into another folder")
    for path, text in files.items():
        target = os.path.join(folder, *path.split("/"))
        make_folder(os.path.dirname(target))
        write_new(target, text.encode(), overwrite=False)
    app.to_host(f"made {folder} with {len(files)} files: {', '.join(files)}")
    app.to_host(f"  pip install -e {folder}, then hl games --trust {name}, hl demo {name}; pytest {folder}")
