"""Match files: read one, report all its faults, make a match from it; and deal files with hands dealt elsewhere.

Source: docs/decisions/0044-models-for-files.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from events import Body, Entry, Refused, Unreadable, create
from events.audiences import RESERVED
from events.disk import line_to_run
from events.errors import LedgerError
from events.instants import Instant
from events.record import NamedTuple
from games import toml
from games.contract import Game, Spoken
from games.kinds import NAME_PATTERN, Directory, casefolded, listed, shown
from games.parts.rules import must_have_places
from games.records import args_of, kebab
from games.table import actions as shared
from games.table.settings import check, defaults, gaps, own
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.outside import load, package_of
from ledger.core.replay import CANDIDATE, DRAFT, OUTSIDER, Engine, fold
from ledger.core.tomlfile import Document, Fault, Faulty, KeyPath, located, read_toml, refuse, table_of
from ledger.exchange.models import PLAIN, LongLine, NameLine, NotBlank, Strict, Zone, checked, reading, wrong
from ledger.tell.texts import shared_channels

# ---- the contents of a match file ------------------------------------------------------------------------------------

MAX_GARNETS = 1000
ID_SCHEMA: dict[str, Any] = {"type": "string", "pattern": "^" + NAME_PATTERN.replace("a-z", "a-zA-Z") + "$"}
CODES = {"name": "roster.name", "garnets": "roster.garnets"}


def _id(word: str) -> None:
    if not re.fullmatch(NAME_PATTERN, word.lower()):
        what = f"{shown(word)} cannot be an id: a-z first, then a-z, 0-9, _ or -, at most 32"
        raise Unreadable("roster.name", what)


def _player_id(word: str) -> None:
    _id(word)
    if word.lower() in RESERVED:
        what = f"{word.lower()} cannot be the id of a player: it already means something in commands"
        raise Unreadable("roster.name", what, "choose another id")


def _within_cap(garnets: int, info: ValidationInfo) -> int:
    cap = (info.context or {}).get("cap")
    if cap is not None and garnets > cap:
        raise wrong(CODES["garnets"], f"must be at most {cap}", f"garnets = {cap}")
    return garnets


def _word_or_number(value: Any) -> str | int:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise wrong(PLAIN, "must be a text or a whole number")
    return value


GivenValue = Annotated[
    Any, BeforeValidator(_word_or_number), WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]})
]


class Player(Strict):
    """One player, as [players] has them."""

    name: NameLine | None = Field(
        None, description="What texts call the player; if not said, the id.", examples=["Ann"]
    )
    garnets: Annotated[int, Field(ge=0, le=MAX_GARNETS), AfterValidator(_within_cap)] = Field(
        0, description="Garnets held at the start; no more than the game's cap.", examples=[1]
    )
    aliases: list[NameLine] = Field([], description="Further spellings.", examples=[["annie"]])
    channel: LongLine | None = Field(None, description="Where private texts go.", examples=["#ann"])
    outsider: bool = Field(False, description="Plays no part, and is told what everybody is told.", examples=[True])
    given: dict[str, GivenValue] = Field({}, description="What the game lets a file give them, as `override` takes it.")
    candidate: bool = Field(False, description="The match is a Death Match, and this its Elimination Candidate.")

    def called(self, player: str) -> str:
        return self.name or player.capitalize()


class MatchFile(Strict):
    """What makes a match."""

    game: NotBlank = Field(description="Its name, as hl games lists it.", examples=["night_market"])
    title: NameLine | None = Field(None, description="What texts call the match.", examples=["Night market, episode 3"])
    zone: Zone = Field("UTC", description="In which times are typed and shown.", examples=["Europe/Berlin"])
    hosts: Annotated[
        list[Annotated[str, reading(_id)]],
        BeforeValidator(lambda value: [value] if isinstance(value, str) else value),
        WithJsonSchema({"anyOf": [ID_SCHEMA, {"type": "array", "items": ID_SCHEMA, "minItems": 1}]}),
    ] = Field(min_length=1, description="Who records.", examples=[["mara", "ben"]])
    players: dict[Annotated[str, reading(_player_id)], Player] = Field(
        description="Id -> player, in seat order.",
        examples=[{"ann": {"name": "Ann"}}],
        json_schema_extra={"propertyNames": ID_SCHEMA},
    )
    settings: dict[str, Any] = Field({}, description="Setting -> value; hl template GAME lists them.")


# ---- making the match ------------------------------------------------------------------------------------------------


def new_match(log: str, data: Mapping[str, Any], *, source: str = "the match file", by: str | None = None) -> Match:
    """Make a match with its log at `log`, which gets the entries of `setup_bodies`.

    Raises:
        Unreadable, Refused: from `setup_bodies`, and `log.exists`. NotRecorded: the disk failed.
    """
    create(log, setup_bodies(data, source=source, by=by, now=now_ms())[1])
    return Match(log)


def setup_bodies(data: Mapping[str, Any], *, source: str, by: str | None, now: int) -> tuple[Game, list[Body]]:
    """The entries of `new`: `create`, then one `seat` for each player.

    Args:
        data: The parsed TOML. For a `Document`, faults are reported with their lines.
        source: The file's name, for messages.
        by: The host who records; None for the first of `hosts`.
        now: The present instant, ms.

    Raises:
        Unreadable: `toml.key toml.rules game.* settings.* roster.*`, with all faults at once; nothing is guessed.
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


def _game(data: Mapping[str, Any], source: str) -> Game:
    name = data.get("game")
    if not isinstance(name, str) or not name.strip():
        missing = checked(MatchFile, data, "toml.key", CODES)
        _refuse(missing if isinstance(missing, list) else [], data, source)
    try:
        return load(name.strip())
    except Unreadable as error:
        _refuse([Fault(("game",), error.what, error.fix, error.code)], data, source)


def _settings(game: Game, stated: Mapping[str, Any]) -> dict[str, Any]:
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
        raise Unreadable("host.unknown", f"{shown(by)} is not a host in {source}", f"one of: {' '.join(hosts)}")
    players = {typed.lower(): row for typed, row in file.players.items()}
    _check_size(game, players, settings, source)
    hidden: list[Any] = []
    if game.written:
        settings, hidden = game.written.public(settings)
    kinds = {p: OUTSIDER if row.outsider else CANDIDATE if row.candidate else "" for p, row in players.items()}
    roster = [
        {"id": player, "name": row.called(player), **({"kind": kinds[player]} if kinds[player] else {})}
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
        shared.Seat(
            player, row.garnets, tuple(row.aliases), row.channel,
            {field: game.given[field](str(value)) for field, value in row.given.items()},
        )
        for player, row in players.items()
    ]  # fmt: skip
    at, entries = Instant(now), (create, *seats, *hidden)
    return [Body(kebab(type(action)), at, by, at, args_of(action), batch=1) for action in entries]


def _check_size(game: Game, players: Mapping[str, Player], settings: Mapping[str, Any], source: str) -> None:
    smallest, largest = game.players
    seated = [player for player, row in players.items() if not row.outsider]
    playing = len(seated)
    must_have_places(game, own(game.settings, settings), seated, "leave out of [players] whoever does not play")
    if not smallest <= playing <= largest and not settings["allow_odd_roster"]:
        size = str(smallest) if smallest == largest else f"{smallest} to {largest}"
        what = f"{source}: {game.title} is played by {size}; the roster has {playing}"
        raise Refused("roster.size", what, "add allow_odd_roster = true under [settings], if that is meant")
    if playing < 2:
        raise Refused("roster.size", f"{source}: a match needs at least two players", 'ann = { name = "Ann" }')


def assumed(game: Game, stated: Mapping[str, Any]) -> tuple[str, ...]:
    open_gaps = [(not gap.look, name) for name, gap in gaps(game).items() if name not in stated]
    if "visibility" not in stated:
        open_gaps.append((False, "visibility"))
    return tuple(name for _, name in sorted(open_gaps, key=lambda pair: pair[0]))


# ---- faults that depend on the game or on several keys ---------------------------------------------------------------


def roster_faults(file: MatchFile) -> Iterator[Fault]:
    """Faults for ids, words and channels that two players or two hosts share."""
    for number, host in enumerate(file.hosts):
        if host.lower() in [earlier.lower() for earlier in file.hosts[:number]]:
            yield Fault(("hosts", number), "a host is listed twice", 'hosts = ["mara", "ben"]')
    owners: dict[str, str] = {}
    ids: set[str] = set()
    for typed, row in file.players.items():
        player, where = typed.lower(), ("players", typed)
        if player in ids:
            yield Fault(where, f"{player} is listed twice", "give one of them another id", "roster.twice")
            continue
        ids.add(player)
        for word in sorted({player, casefolded(row.called(player)), *(casefolded(alias) for alias in row.aliases)}):
            if owners.setdefault(word, player) != player:
                what = f"{shown(word)} means both {owners[word]} and {player}"
                yield Fault(where, what, "give one of them another name or alias", "roster.twice")
    for channel, readers in shared_channels({typed: row.channel for typed, row in file.players.items()}):
        what = f"{shown(channel)} is the channel of {' and '.join(readers)}: each would read what is for the other"
        fix = "give each player a private channel that nobody else reads"
        yield Fault(("players", readers[-1], "channel"), what, fix, "roster.channel")


def given_faults(game: Game, file: MatchFile) -> Iterator[Fault]:
    """Faults for given keys that this game does not allow, and for values that it cannot read."""
    for player, row in file.players.items():
        for field, value in row.given.items():
            where = ("players", player, "given", field)
            if field not in game.given:
                keys = " ".join(game.given) or "in this game a file cannot give anything"
                yield Fault(where, "no such key", f"one of: {keys}" if game.given else keys)
                continue
            try:
                game.given[field](str(value))
            except Unreadable as error:
                yield Fault(where, error.what, error.fix, error.code)


def setting_faults(game: Game, stated: Mapping[str, Any], tables: list[str], people: list[str]) -> Iterator[Fault]:
    """Faults of each setting and each line of the information table, then of the rules written in the file."""
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


# ---- all faults of a file, each with its line ------------------------------------------------------------------------

_LINE = re.compile(r"line ([0-9]+)")
_KEYS = {"roster.size": "players", "roster": "players", "host.unknown": "hosts"}


class Checked(NamedTuple):
    """The faults of a match file; if there are none, surprises for the host, and what its own rules define."""

    faults: list[Fault]
    full: str = ""
    """A sentence about players who begin with as many garnets as they may hold, and what follows from it."""
    seen: tuple[tuple[str, str, str, str], ...] = ()
    game: Game | None = None
    spoken: Mapping[str, Spoken] = {}


def check_file(path: Path, by: str | None = None) -> Checked:
    """Check a match file: all its faults, or what its own rules define.

    Raises:
        Unreadable: there is no such file.
    """
    try:
        data = read_toml(path)
    except LedgerError as error:
        if error.code == "toml.missing":
            raise
        return Checked([_syntax_fault(error, f"{path}: ")])
    return _checked(data, str(path), by)


def check_text(text: str, source: str) -> Checked:
    """Check a match file that is not on disk yet; `source`: its name in messages."""
    try:
        return _checked(Document(toml.parse(text), text), source, None)
    except LedgerError as error:
        return Checked([_syntax_fault(error, "")])


def _syntax_fault(error: LedgerError, prefix: str) -> Fault:
    line = _LINE.search(error.what)
    return Fault((), error.what.removeprefix(prefix), error.fix, error.code, int(line[1]) if line else 0)


def _checked(data: Document, source: str, by: str | None) -> Checked:
    try:
        game, bodies = setup_bodies(data, source=source, by=by, now=now_ms())
    except Faulty as error:
        return Checked([*error.faults])
    except LedgerError as error:
        what = error.what.removeprefix(f"{source}: ").removeprefix(source).lstrip()
        key = _KEYS.get(error.code.removeprefix(f"{data.get('game')}."))
        where = (key,) if key else ()
        return Checked(located([Fault(where, what, error.fix, error.code)], data))
    full = _full(game, bodies)
    if game.written is None:
        return Checked([], full)
    values = {**data.get("settings", {}), **data}
    seen = game.written.seen({table: values[table] for table in game.written.tables if table in values})
    entries = [Entry(seq, "", body) for seq, body in enumerate(bodies, 1)]
    return Checked([], full, seen, game, game.written.spoken(fold(Engine(game), entries).state))


def _full(game: Game, bodies: list[Body]) -> str:
    cap = game.garnet_cap(own(game.settings, bodies[0].args["settings"]))
    seats = [body.args for body in bodies if body.do == kebab(shared.Seat)]
    names = [row["name"] for row, seat in zip(bodies[0].args["roster"], seats, strict=True) if seat["garnets"] == cap]
    begin = f"begin{'s' if len(names) == 1 else ''} with all the garnets that one may hold ({cap})"
    return f"{listed(names)} {begin}: what they earn is discarded until they have fewer" if cap and names else ""


HANDS = 'under [hands] one line a player: ann = "R4 B4 R9 B9 R2"'


class DealFile(Strict):
    hands: dict[str, str] = Field(description="Player -> cards.", examples=[{"ann": "R4 B4 R9 B9 R2"}])


def typed_hands(path: str, players: Directory) -> dict[str, str]:
    """The `[hands]` of a deal file: player -> cards as typed.

    Raises:
        Unreadable: there is no such table, or a player is not in the match or named twice.
    """
    data = read_toml(Path(path), HANDS)
    file = checked(DealFile, data, "deal.file")
    if isinstance(file, list):
        refuse(located(file, data), path, HANDS)
    hands: dict[str, str] = {}
    faults: list[Fault] = []
    for typed, cards in file.hands.items():
        try:
            player = players.find(typed)
        except Unreadable as error:
            faults.append(Fault(("hands", typed), error.what, error.fix, error.code))
            continue
        if player in hands:
            faults.append(Fault(("hands", typed), f"the cards of {player} are listed twice", HANDS, "deal.file"))
        hands[player] = cards
    if faults:
        refuse(located(faults, data), path, HANDS)
    return hands
