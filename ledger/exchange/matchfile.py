"""The TOML file a match is made from, and the template of it. Source: design section 8, Match TOML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from events import Body, Refused, Unreadable, create
from events.audiences import RESERVED
from games import toml
from games.contract import Game
from games.kinds import NAME_PATTERN, Directory, clean, fold, nearest, shown
from games.records import Field, args_of, kebab
from games.table import Table
from games.table import actions as shared
from games.table.settings import LEVELS, Gap, as_toml, check, defaults, gaps, known, own
from ledger.core.clock import now_ms
from ledger.core.inputs import MAX_TOML_BYTES, read_text
from ledger.core.match import Match
from ledger.core.outside import load, package_of
from ledger.core.replay import DRAFT, OUTSIDER
from ledger.core.times import check_zone
from ledger.tell.texts import PUBLIC_CHANNEL

TOP = ("game", "title", "zone", "hosts", "players", "settings")
SEAT = ("name", "garnets", "aliases", "channel", OUTSIDER)
NAME_LIMIT = 64
HANDS = 'under [hands] one line a player: ann = "R4 B4 R9 B9 R2"'


def read_toml(path: Path, sample: str = "hl template GAME prints one to start from") -> dict[str, Any]:
    """A TOML file; `sample` says where one to start from can be had.

    Raises:
        Unreadable: `toml.missing` or `toml.unreadable`, with line and column.
    """
    try:
        text = read_text(str(path), MAX_TOML_BYTES)
    except FileNotFoundError:
        raise Unreadable("toml.missing", f"there is no file {path}", sample) from None
    except OSError as error:
        raise Unreadable("toml.missing", f"{path} cannot be read: {error.strerror}", sample) from None
    with _in_file(str(path)):
        return toml.parse(text)


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
        data: The TOML, parsed.
        source: The file's name, for messages.
        by: The host who records; None: the first of `hosts`.
        now: The present instant, ms.

    Raises:
        Unreadable: `toml.key`, `settings.*`, `roster.*`; nothing is guessed. Refused: `roster.size`.
    """
    if "game" not in data:
        _only(data, TOP, "", source)
    for key in ("game", "hosts", "players"):
        if key not in data:
            raise Unreadable("toml.key", f"{source} lacks {key}", "hl template GAME prints a complete file")
    game = load(_text(data, "game", source))
    own_tables = game.written.tables if game.written else ()
    _only(data, (*TOP, *own_tables), "", source)
    hosts = _hosts(data["hosts"], source)
    by = by.lower() if by else None
    if by is not None and by not in hosts:
        raise Unreadable("host.unknown", f"{shown(by)} is no host in {source}", f"one of: {' '.join(hosts)}")
    zone = _text(data, "zone", source) if "zone" in data else "UTC"
    with _in_file(source):
        check_zone(zone)
    title = clean(_text(data, "title", source)) if "title" in data else game.title
    if len(title) > NAME_LIMIT or "\n" in title:
        raise Unreadable("toml.key", f"{source}: title must be one line of 1 to {NAME_LIMIT} characters", "shorten it")
    given = data.get("settings", {})
    if not isinstance(given, Mapping):
        raise Unreadable("toml.key", f"{source}: settings is a table of its own", "[settings]")
    given = {**given, **{key: data[key] for key in own_tables if key in data}}
    with _in_file(source):
        check(game.settings, game.visibility, given)
    settings = defaults(game.settings, game.visibility)
    settings.update({k: v for k, v in given.items() if k != "visibility"})
    settings["visibility"].update(given.get("visibility", {}))
    roster, seats = _players(data["players"], game, settings, source)
    with _in_file(source):
        check(game.settings, game.visibility, given, [row["id"] for row in roster])
    hidden: list[Any] = []
    if game.written:
        _without_faults(game.written.faults(given, [row["id"] for row in roster]), source)
        settings, hidden = game.written.public(settings)
    create = shared.Create(
        format=1,
        draft=DRAFT,
        game=game.name,
        rules=game.rules,
        texts=game.texts,
        settings=settings,
        roster=tuple(roster),
        zone=zone,
        title=title or game.title,
        hosts=hosts,
        assumptions=assumed(game, given),
        package=package_of(game.name),
    )
    records = [create, *seats, *hidden]
    host = by or hosts[0]
    return game, [Body(kebab(type(one)), now, host, now, args_of(one), batch=1) for one in records]


@contextmanager
def _in_file(source: str) -> Iterator[None]:
    """Says of an error which file it is in."""
    try:
        yield
    except Unreadable as error:
        raise Unreadable(error.code, f"{source}: {error.what}", error.fix) from None


def carry_over(data: Mapping[str, Any], old: Table, source: str) -> tuple[dict[str, Any], list[str]]:
    """A match file completed from an earlier match of the season: hosts, zone, roster in its order, garnets held.

    What the file says itself is kept; a player it names without garnets gets those of the earlier match. Garnets
    above the new game's cap are discarded (S-7). Returns the file's data and what to tell the host.
    """
    told = [] if old.status == "finished" else [f"the earlier match is {old.status}: its garnets may still change"]
    spelled: dict[str, list[str]] = {}
    for alias, player in old.aliases.items():
        spelled.setdefault(player, []).append(alias)
    game = load(_text(data, "game", source)) if "game" in data else None
    given = data.get("settings", {})
    known_settings = defaults(game.settings, game.visibility) | dict(given) if game else {}
    cap = game.garnet_cap(own(game.settings, known_settings)) if game else None
    rows: dict[str, Any] = {}
    named = data.get("players", {})
    for player, seat in old.seats.items():
        if player in old.left and player not in named:
            told.append(f"{seat.name} had left and gets no seat")
            continue
        held = old.garnets(player)
        if cap is not None and held > cap:
            told.append(f"{seat.name} held {held} garnets; {held - cap} above the cap of {cap} are discarded")
            held = cap
        rows[player] = {"name": seat.name, "garnets": held, "aliases": spelled.get(player, [])}
        if seat.channel:
            rows[player]["channel"] = seat.channel
    if isinstance(named, Mapping) and named:
        mine = {p: row if isinstance(row, Mapping) else {} for p, row in named.items()}
        rows = {p: {**rows.get(p, {}), **row} for p, row in mine.items()}
    return {"hosts": list(old.hosts), "zone": old.zone, **data, "players": rows}, told


def _without_faults(faults: tuple[tuple[tuple[str, ...], str], ...], source: str) -> None:
    """Refuse a file whose own rules cannot be read."""
    for where, what in faults[:1]:
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        place = ".".join(where)
        raise Unreadable(
            "toml.rules", f"{source}: {place}: {what}{more}", f"hl check {source} tells all with their lines"
        )


def assumed(game: Game, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The gaps that nobody has confirmed: settings left at their default, those to look at first in front."""
    found = [(not gap.look, name) for name, gap in gaps(game).items() if name not in given]
    if "visibility" not in given:
        found.append((False, "visibility"))
    return tuple(name for _, name in sorted(found, key=lambda pair: pair[0]))


def _only(data: Mapping[str, Any], allowed: tuple[str, ...], where: str, source: str) -> None:
    for key in data:
        if key not in allowed:
            near = nearest(key, allowed)
            place = f": [{where}]" if where else ""
            hint = f"did you mean {near[0]}?" if near else f"one of: {' '.join(allowed)}"
            raise Unreadable("toml.key", f"{source}{place} has no key {shown(key)}", hint)


def _text(data: Mapping[str, Any], key: str, source: str) -> str:
    value = data[key]
    if not isinstance(value, str) or not value.strip():
        raise Unreadable("toml.key", f"{source}: {key} must be a text", f'{key} = "..."')
    return value.strip()


def _hosts(value: Any, source: str) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not listed or not all(isinstance(h, str) for h in listed):
        raise Unreadable("toml.key", f"{source}: hosts must list at least one name", 'hosts = ["mara"]')
    hosts = tuple(_name(host, "host", source) for host in listed)
    if len(set(hosts)) != len(hosts):
        raise Unreadable("toml.key", f"{source}: a host is listed twice", 'hosts = ["mara", "ben"]')
    return hosts


def _name(word: str, what: str, source: str) -> str:
    """The id of a host or player; capital letters are small ones."""
    if not re.fullmatch(NAME_PATTERN, word.lower()):
        raise Unreadable(
            "roster.name",
            f"{source}: {shown(word)} cannot be the id of a {what}: a-z first, then a-z, 0-9, _ or -, at most 32",
            'hosts = ["mara"]' if what == "host" else 'ann = { name = "Ann" }',
        )
    return word.lower()


def _players(
    value: Any, game: Game, settings: Mapping[str, Any], source: str
) -> tuple[list[dict[str, str]], list[shared.Seat]]:
    if not isinstance(value, Mapping):
        raise Unreadable("toml.key", f"{source}: players is a table, one line a player", 'ann = { name = "Ann" }')
    value = _by_id(value, source)
    least, most = game.players
    playing = [p for p, row in value.items() if not (isinstance(row, Mapping) and row.get(OUTSIDER))]
    if not least <= len(playing) <= most and not settings["allow_odd_roster"]:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise Refused(
            "roster.size",
            f"{source}: {game.title} is played by {wanted}; the roster has {len(playing)}",
            "add allow_odd_roster = true under [settings], if that is meant",
        )
    if len(playing) < 2:
        raise Refused("roster.size", f"{source}: a match needs at least two players", 'ann = { name = "Ann" }')
    cap = game.garnet_cap(own(game.settings, settings))
    roster, seats = [], []
    taken: dict[str, str] = {}
    for player, row in value.items():
        seat = _seat(player, row, cap, source)
        given = row.get("name", player.capitalize()) if isinstance(row, Mapping) else player.capitalize()
        name = clean(given) if isinstance(given, str) else ""
        if not name or len(name) > NAME_LIMIT or "\n" in name:
            raise Unreadable(
                "roster.name",
                f"{source}: the name of {player} must be one line of 1 to {NAME_LIMIT} characters",
                f'{player} = {{ name = "{player.capitalize()}" }}',
            )
        for word in {player, fold(name), *(fold(alias) for alias in seat.aliases)}:
            if taken.setdefault(word, player) != player:
                raise Unreadable(
                    "roster.twice",
                    f"{source}: {shown(word)} means both {taken[word]} and {player}",
                    "give one of them another name or alias",
                )
        roster.append({"id": player, "name": name, **({} if player in playing else {"kind": OUTSIDER})})
        seats.append(seat)
    for channel, readers in shared_channels({seat.player: seat.channel for seat in seats}):
        what = f"{source}: {shown(channel)} is the channel of {' and '.join(readers)}"
        fix = "each player's private texts need a channel that nobody else reads"
        raise Unreadable("roster.channel", f"{what}: each would read what is for the other", fix)
    return roster, seats


def _by_id(players: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The rows of players by their ids."""
    found: dict[str, Any] = {}
    for typed, row in players.items():
        player = _name(typed, "player", source)
        if player in found:
            raise Unreadable("roster.twice", f"{source}: {player} is there twice", "give one of them another id")
        found[player] = row
    return found


def shared_channels(channels: Mapping[str, str | None]) -> list[tuple[str, tuple[str, ...]]]:
    """(channel, who reads it) for each private channel that several players have, or that is everybody's.

    >>> shared_channels({"ann": "#Ann", "bob": "ann", "cyd": "#public", "dan": None})
    [('ann', ('ann', 'bob')), ('public', ('everybody', 'cyd'))]
    """
    found: dict[str, list[str]] = {name: ["everybody"] for name in ("public", PUBLIC_CHANNEL)}
    for player, channel in channels.items():
        if channel:
            found.setdefault(channel.removeprefix("#").casefold(), []).append(player)
    listed = [(name, tuple(readers)) for name, readers in found.items() if len(readers) > 1]
    return sorted(listed)


def _seat(player: str, row: Any, cap: int | None, source: str) -> shared.Seat:
    if player in RESERVED:
        raise Unreadable(
            "roster.name",
            f"{source}: {player} cannot be the id of a player: it has a meaning of its own in commands",
            "choose another id",
        )
    if not isinstance(row, Mapping):
        raise Unreadable("toml.key", f"{source}: {player} must be a table", f'{player} = {{ name = "..." }}')
    _only(row, SEAT, f"players.{player}", source)
    if not isinstance(row.get(OUTSIDER, False), bool):
        raise Unreadable("toml.key", f"{source}: {OUTSIDER} of {player} is true or false", f"{OUTSIDER} = true")
    garnets = row.get("garnets", 0)
    most = 1000 if cap is None else cap
    if not isinstance(garnets, int) or isinstance(garnets, bool) or not 0 <= garnets <= most:
        raise Unreadable("roster.garnets", f"{source}: garnets of {player} must be 0 to {most}", "garnets = 1")
    aliases, channel = row.get("aliases", []), row.get("channel")
    if not isinstance(aliases, list) or not all(isinstance(a, str) and _short(a, NAME_LIMIT) for a in aliases):
        raise Unreadable(
            "toml.key",
            f"{source}: aliases of {player} must be a list of texts, each one line of 1 to {NAME_LIMIT} characters",
            'aliases = ["annie"]',
        )
    if channel is not None and not (isinstance(channel, str) and _short(channel, 100)):
        raise Unreadable(
            "toml.key", f"{source}: channel of {player} must be one line of 1 to 100 characters", 'channel = "#ann"'
        )
    return shared.Seat(player, garnets, tuple(clean(a) for a in aliases), clean(channel) if channel else None)


def _short(text: str, limit: int) -> bool:
    """One line that is not too long, once cleaned?"""
    return 0 < len(clean(text)) <= limit and "\n" not in clean(text)


# ---- the template ------------------------------------------------------------------------------------------------


def template(game: Game) -> str:
    """A complete file for `hl new`, with every setting, its gap, its meaning and its default.

    Settings stand in comments: taking the `#` away is how a host confirms one.
    """
    if game.written:
        return game.written.template
    least, most = game.players
    out = [
        f"# A match of {game.title}. Fill in the players, look at the settings, then: hl new FOLDER --from THIS.toml",
        f'game = "{game.name}"',
        f'title = "{game.title}"',
        'zone = "UTC"                   # the zone in which times are typed and shown, like "Europe/Berlin"',
        'hosts = ["mara"]               # who records; with several, each says hl --as NAME',
        "",
        "[players]                      # in seat order; everything but the key may be left out",
    ]
    sample = ("ann", "bob", "cyd", "dan", "eve", "fox", "gil", "hal", "ivy", "joe", "kim", "leo", "mia")
    for player in sample[: max(least, min(most, 5))]:
        out.append(f'{player} = {{ name = "{player.capitalize()}", garnets = 0, channel = "#{player}" }}')
    out += [
        "",
        "[settings]",
        "# Each line fills a gap of the original rules with its default. Nobody has confirmed one",
    ]
    out += ["# until its # is taken away; what is left is listed as an assumption."]
    marked = {name: field for name, field in known(game.settings).items() if isinstance(field.note, Gap)}
    first = [name for name, field in marked.items() if field.note.look]
    rest = [name for name in marked if name not in first]
    for words, names in (("Look at these first: the original text is lost or doubtful.", first), ("The rest.", rest)):
        out += ["", f"# -- {words}"]
        for name in names:
            field = marked[name]
            number = "" if field.note.number == "T" else f"[{field.note.number}] "
            out += [f"# {number}{field.arg.help}{_allowed(field)}", f"#{name} = {as_toml(field.default)}"]
            out += [f"#   {line}" for line in field.note.samples]
    out += ["", "#[settings.visibility]", f"# Who may know what; each one of: {' '.join(LEVELS)}"]
    for key, (level, meaning) in game.visibility.items():
        out.append(f'#{key} = "{level}"'.ljust(38) + f" # {meaning}")
    return "\n".join(out) + "\n"


def _allowed(field: Field) -> str:
    if get_origin(field.base) is Literal:
        return (
            f" One of: {' '.join(map(str, get_args(field.base)))}."
            if not field.many
            else f" From: {' '.join(map(str, get_args(field.base)))}."
        )
    return ""


def typed_hands(path: Path, players: Directory) -> dict[str, str]:
    """The `[hands]` of a deal file: player -> cards as typed.

    Raises:
        Unreadable: no such table, or somebody who is not in the match, or named twice.
    """
    data = read_toml(path, HANDS)
    hands = data.get("hands")
    if not isinstance(hands, Mapping) or set(data) - {"hands"}:
        raise Unreadable("deal.file", f"{path} must hold one table [hands] and nothing else", HANDS)
    found: dict[str, str] = {}
    with _in_file(str(path)):
        for typed, cards in hands.items():
            player = players.find(typed)
            if player in found or not isinstance(cards, str):
                what = "are there twice" if player in found else "must be a text"
                raise Unreadable("deal.file", f"the cards of {player} {what}", HANDS)
            found[player] = cards
    return found
