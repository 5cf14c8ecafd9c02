"""Faults of a match file that only its game, or two keys together, can show.

Belongs here: what the models (match_model.py) cannot check. Does not belong here: in which order it is checked, and
that a file with faults is refused (matchfile.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from events import Unreadable
from games.contract import Game
from games.kinds import fold, shown
from games.table.settings import check
from ledger.core.toml_lines import KeyPath
from ledger.core.tomlfile import Fault
from ledger.exchange.match_model import MatchFile
from ledger.tell.texts import shared_channels


def roster_faults(file: MatchFile) -> Iterator[Fault]:
    """Ids, words and channels that two players, or two hosts, share."""
    for number, host in enumerate(file.hosts):
        if host.lower() in [earlier.lower() for earlier in file.hosts[:number]]:
            yield Fault(("hosts", number), "a host is listed twice", 'hosts = ["mara", "ben"]')
    owners: dict[str, str] = {}
    ids: set[str] = set()
    for typed, row in file.players.items():
        player, where = typed.lower(), ("players", typed)
        if player in ids:
            yield Fault(where, f"{player} is there twice", "give one of them another id", "roster.twice")
            continue
        ids.add(player)
        for word in sorted({player, fold(row.called(player)), *(fold(alias) for alias in row.aliases)}):
            if owners.setdefault(word, player) != player:
                what = f"{shown(word)} means both {owners[word]} and {player}"
                yield Fault(where, what, "give one of them another name or alias", "roster.twice")
    for channel, readers in shared_channels({typed: row.channel for typed, row in file.players.items()}):
        what = f"{shown(channel)} is the channel of {' and '.join(readers)}: each would read what is for the other"
        fix = "each player's private texts need a channel that nobody else reads"
        yield Fault(("players", readers[-1], "channel"), what, fix, "roster.channel")


def given_faults(game: Game, file: MatchFile) -> Iterator[Fault]:
    """Keys that this game does not let a file give, and values that it cannot read."""
    for player, row in file.players.items():
        for field, value in row.given.items():
            where = ("players", player, "given", field)
            if field not in game.given:
                keys = " ".join(game.given) or "this game lets a file give nothing"
                yield Fault(where, "no such key", f"one of: {keys}" if game.given else keys)
                continue
            try:
                game.given[field](str(value))
            except Unreadable as error:
                yield Fault(where, error.what, error.fix, error.code)


def setting_faults(game: Game, stated: Mapping[str, Any], tables: list[str], people: list[str]) -> Iterator[Fault]:
    """Each setting and each line of the information table by itself, then the rules that stand in the file."""
    lines = stated.get("visibility")
    parts: list[tuple[KeyPath, dict[str, Any]]] = [((key,), {key: value}) for key, value in stated.items()]
    if isinstance(lines, Mapping):
        parts = [(where, part) for where, part in parts if where != ("visibility",)]
        parts += [(("visibility", key), {"visibility": {key: level}}) for key, level in lines.items()]
    for where, part in parts:
        try:
            check(game.settings, game.visibility, part, people, game.has)
        except Unreadable as error:
            place = where if where[0] in tables else ("settings", *where)
            yield Fault(place, error.what.removeprefix(f"setting {where[0]}").lstrip(" :,"), error.fix, error.code)
    for keys, what in game.written.faults(stated, people) if game.written else ():
        yield Fault(
            keys if not keys or keys[0] in (*tables, "players") else ("settings", *keys), what, "", "toml.rules"
        )
