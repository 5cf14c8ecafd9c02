"""The TOML file a match is made from, read into the first entries of its log. Source: docs/commands.md, Set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from events import Body, Refused, Unreadable, create
from events.disk import line_to_run
from events.instants import Instant
from games.contract import Game
from games.kinds import shown
from games.records import args_of, kebab
from games.table import actions as shared
from games.table.settings import defaults, gaps, own
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.outside import load, package_of
from ledger.core.replay import CANDIDATE, DRAFT, OUTSIDER
from ledger.core.tomlfile import Fault, located, refuse
from ledger.exchange.match_faults import given_faults, roster_faults, setting_faults
from ledger.exchange.match_model import CODES, MatchFile, Player
from ledger.exchange.model_faults import checked


def new_match(log: str, data: Mapping[str, Any], *, source: str = "the match file", by: str | None = None) -> Match:
    """Make a match: its log at `log`, with the entries of `setup_bodies`.

    Raises:
        Unreadable, Refused: from `setup_bodies`, and `log.exists`. NotRecorded: the disk said no.
    """
    create(log, setup_bodies(data, source=source, by=by, now=now_ms())[1])
    return Match(log)


def setup_bodies(data: Mapping[str, Any], *, source: str, by: str | None, now: int) -> tuple[Game, list[Body]]:
    """The entries of `new`: `create`, then one `seat` for each player.

    Args:
        data: The TOML, parsed; of a `Document` every fault is told with its line.
        source: The file's name, for messages.
        by: The host who records; None: the first of `hosts`.
        now: The present instant, ms.

    Raises:
        Unreadable: `toml.key toml.rules game.* settings.* roster.*`: all faults at once; nothing is guessed.
        Refused: `roster.size`.
    """
    game = _game(data, source)
    tables = [key for key in (game.written.tables if game.written else ()) if key in data]
    stated = {**table_of(data, "settings"), **{key: data[key] for key in tables}}
    faults = [*setting_faults(game, stated, tables, [player.lower() for player in table_of(data, "players")])]
    settings = {} if faults else _settings(game, stated)
    cap = game.garnet_cap(own(game.settings, settings)) if settings else None
    plain_keys = {key: value for key, value in data.items() if key not in tables}
    file = checked(MatchFile, plain_keys, "toml.key", CODES, {"cap": cap})
    faults += file if isinstance(file, list) else (*roster_faults(file), *given_faults(game, file))
    if faults or isinstance(file, list):
        _refuse(faults, data, source)
    return game, _bodies(game, file, settings, stated, source=source, by=by, now=now)


def _refuse(faults: list[Fault], data: Mapping[str, Any], source: str) -> NoReturn:
    refuse(located(faults, data), source, line_to_run("hl", "check", source))


def table_of(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """A table of a file; an empty one where there is no table of that name."""
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def _game(data: Mapping[str, Any], source: str) -> Game:
    """The game that the file names; it decides which other keys there may be."""
    name = data.get("game")
    if not isinstance(name, str) or not name.strip():
        missing = checked(MatchFile, data, "toml.key", CODES)
        _refuse(missing if isinstance(missing, list) else [], data, source)
    try:
        return load(name.strip())
    except Unreadable as error:
        _refuse([Fault(("game",), error.what, error.fix, error.code)], data, source)


def _settings(game: Game, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting: those that the file states, the others at their default."""
    settings = defaults(game.settings, game.visibility, game.has)
    settings.update({key: value for key, value in stated.items() if key != "visibility"})
    settings["visibility"].update(stated.get("visibility", {}))
    return settings


def _bodies(
    game: Game, file: MatchFile, settings: dict[str, Any], stated: Mapping[str, Any], *, source: str, by: str | None,
    now: int,
) -> list[Body]:  # fmt: skip
    hosts = tuple(host.lower() for host in file.hosts)
    by = by.lower() if by else hosts[0]
    if by not in hosts:
        raise Unreadable("host.unknown", f"{shown(by)} is no host in {source}", f"one of: {' '.join(hosts)}")
    players = {typed.lower(): row for typed, row in file.players.items()}
    _check_size(game, players, settings, source)
    hidden: list[Any] = []
    if game.written:
        settings, hidden = game.written.public(settings)
    roster = [
        {"id": player, "name": row.called(player), **({"kind": kind} if (kind := _kind(row)) else {})}
        for player, row in players.items()
    ]
    create = shared.Create(
        format=1,
        draft=DRAFT,
        game=game.name,
        rules=game.rules,
        texts=game.texts,
        settings=settings,
        roster=tuple(roster),
        zone=file.zone,
        title=file.title or game.title,
        hosts=hosts,
        assumptions=assumed(game, stated),
        package=package_of(game.name),
    )
    seats = [
        shared.Seat(player, row.garnets, tuple(row.aliases), row.channel, _start_values(game, row))
        for player, row in players.items()
    ]
    at, entries = Instant(now), (create, *seats, *hidden)
    return [Body(kebab(type(action)), at, by, at, args_of(action), batch=1) for action in entries]


def _start_values(game: Game, row: Player) -> dict[str, str]:
    """The values that the file gives a player, each in its canonical spelling."""
    return {field: game.given[field](str(value)) for field, value in row.given.items()}


def _kind(row: Player) -> str:
    """The kind of a player in the roster, "" for an ordinary one."""
    return OUTSIDER if row.outsider else CANDIDATE if row.candidate else ""


def _check_size(game: Game, players: Mapping[str, Player], settings: Mapping[str, Any], source: str) -> None:
    """Refuse a roster that is too small or too large."""
    smallest, largest = game.players
    playing = sum(not row.outsider for row in players.values())
    if not smallest <= playing <= largest and not settings["allow_odd_roster"]:
        size = str(smallest) if smallest == largest else f"{smallest} to {largest}"
        raise Refused(
            "roster.size",
            f"{source}: {game.title} is played by {size}; the roster has {playing}",
            "add allow_odd_roster = true under [settings], if that is meant",
        )
    if playing < 2:
        raise Refused("roster.size", f"{source}: a match needs at least two players", 'ann = { name = "Ann" }')


def assumed(game: Game, stated: Mapping[str, Any]) -> tuple[str, ...]:
    """The gaps that nobody has confirmed: settings left at their default, the doubtful ones first."""
    open_gaps = [(not gap.look, name) for name, gap in gaps(game).items() if name not in stated]
    if "visibility" not in stated:
        open_gaps.append((False, "visibility"))
    return tuple(name for _, name in sorted(open_gaps, key=lambda pair: pair[0]))
