"""Settings: each gap of the original rules is a typed field with a default, the gap's number and its consequence.

What belongs here: the marks of settings records, the season's settings, and reading all settings from a flat mapping.
What does not: a game's own settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from events.errors import Unreadable
from events.record import NamedTuple
from games.contract import AnyRecord, AnyValue
from games.kinds import NAME_PATTERN, PLAYER, did_you_mean, shown
from games.kit.blocks import EMOJI_PATTERN
from games.records import Arg, Bounds, Field, fields, plain, reader
from games.spans import HOUR, SECOND, Length, fault as length_fault, in_hours

if TYPE_CHECKING:
    from games.contract import Game

Flat: TypeAlias = Mapping[str, AnyValue]
"""Every setting by name, as the log holds it."""

WHO_KNOWS = {
    "host": "only the hosts",
    "owner": "the player concerned",
    "owner_then_everybody": "the player concerned, and everybody after the end",
    "traders": "the two who traded",
    "everybody": "everybody",
    "everybody_after_end": "everybody after the end",
    "nobody_ever": "only the hosts, even after the end",
}
"""The levels of a line of the information table -> who may know it, in words."""
LEVELS = tuple(WHO_KNOWS)


Hours = Annotated[Length, Bounds(1, 24 * 60, HOUR)]
"""How long something lasts: a number of hours, or a text like `3m`; `span` (games/spans.py) converts it to ms."""
SecondTokenHours = Annotated[Hours, Arg("How long the second token may be given away.")]


class Gap(NamedTuple):
    """The gap that a setting fills. `look` marks one that a host should look at first.

    `mark` is the number of the gap, or T if the original text states the default, which is then no assumption.
    """

    number: str
    look: bool = False
    fault: Callable[[AnyValue], str | None] | None = None
    """(value of the right type) -> what is still wrong with it, or None."""
    by_player: bool = False
    """The setting is a table with a line for each player of the roster, or empty."""
    samples: tuple[str, ...] = ()
    """Lines of a match file that fill it, offered by `hl template`."""
    evening: bool = False
    """The length of an evening depends on it, so `hl init` asks for it."""
    needs: str = ""
    """For a setting of the season: what a game must have (`Game.has`) for the setting to apply."""


class Season(NamedTuple):
    """The settings that all games share. Source: season."""

    grace_seconds: Annotated[
        Length,
        Bounds(0, 86_400, SECOND),
        Gap("S-G1", needs="rounds"),
        Arg("How long after a deadline a submission still counts."),
    ] = 0
    allow_odd_roster: Annotated[bool, Gap("S-G4"), Arg("Allow a number of players other than the original text's.")] = (
        False
    )
    leaver_result: Annotated[
        Literal["as_played", "out", "eliminated"],
        Gap("S-G3", look=True, needs="elimination"),
        Arg(
            "Who left wins no token, and is eliminated if alone the worst (as_played), never (out), "
            "or at once (eliminated)."
        ),
    ] = "as_played"
    emoji: Annotated[
        Mapping[str, str],
        Gap("T"),
        Arg('The server\'s own emoji in Discord texts: garnet = "<:garnet:123...>", token.'),
    ] = {}


RESULT_LINES = {
    "tokens": ("everybody_after_end", "who holds Tokens of Life"),
    "elimination": ("everybody_after_end", "who is Elimination Candidate"),
}
EVERYTHING = frozenset({"rounds", "elimination"})
"""What a setting of the season may need."""


def own(cls: AnyRecord, flat: Flat) -> AnyValue:
    return reader(cls)({f.name: flat[f.name] for f in fields(cls) if f.name in flat})


def defaults(
    game_settings: type, visibility: Mapping[str, tuple[str, str]], has: Collection[str]
) -> dict[str, AnyValue]:
    flat = {name: plain(field.default) for name, field in known(game_settings, has).items()}
    return {**flat, "visibility": {key: value for key, (value, _) in visibility.items()}}


def complete(
    flat: Flat, game_settings: type, visibility: Mapping[str, tuple[str, str]], has: Collection[str]
) -> dict[str, AnyValue]:
    """The settings of a log, with defaults for those that did not exist when it was written.

    A setting that is added later must give such logs the behaviour they had.
    """
    before = defaults(game_settings, visibility, has)
    lines = flat.get("visibility", {})
    return {**before, **flat, "visibility": {**before["visibility"], **(lines if isinstance(lines, Mapping) else {})}}


def known(game_settings: type, has: Collection[str]) -> dict[str, Field]:
    """Every setting by name: those of the season that apply to a game with `has`, then its own."""
    season = (f for f in fields(Season) if not (isinstance(f.note, Gap) and f.note.needs) or f.note.needs in has)
    return {f.name: f for f in (*season, *fields(game_settings))}


def gaps(game: Game) -> dict[str, Gap]:
    """The settings that fill a gap of the game's original rules, and those of the season that need a first look."""
    own = {f.name: f.note for f in fields(game.settings)}
    all_of_it = {**own, **{name: field.note for name, field in known(game.settings, game.has).items()}}
    filled = {name: gap for name, gap in all_of_it.items() if isinstance(gap, Gap) and gap.number != "T"}
    return {name: gap for name, gap in filled.items() if name in own or gap.look}


def check(
    game_settings: type,
    visibility: Mapping[str, tuple[str, str]],
    flat: Flat,
    players: Collection[str] | None = None,
    has: Collection[str] = EVERYTHING,
) -> None:
    """Refuse settings that do not exist or whose value cannot be read.

    Args:
        players: The roster, if it is known: tables with a line for each player are checked against it.
        has: As in `Game.has`.

    Raises:
        Unreadable: `settings.unknown` (with the nearest names), `settings.value` or `settings.visibility`.
    """
    names = known(game_settings, has)
    _known_names({*names, "visibility"}, visibility, flat)
    for name, field in names.items():
        if name in flat and field.bounds and field.bounds.unit and (wrong := length_fault(flat[name], *field.bounds)):
            raise Unreadable("settings.value", f"setting {name} {wrong}", f'{name} = "90m"')
    for cls in (Season, game_settings):
        try:
            own(cls, flat)
        except Unreadable as error:
            raise Unreadable("settings.value", f"setting {error.what}", "hl template GAME") from None
    for name, field in names.items():
        if name in flat and isinstance(field.note, Gap):
            _sound(name, field.note, flat[name], players)
        if name in flat and field.kind is PLAYER and players is not None:
            for player in value if isinstance(value := flat[name], (list, tuple)) else (value,):
                if player not in (None, "", *players):
                    what = f"setting {name}: there is no player {shown(str(player))} in this match"
                    raise Unreadable("settings.value", what, f"one of: {' '.join(players)}")
    for key, code in flat.get("emoji", {}).items():
        if not re.fullmatch(NAME_PATTERN, key) or not re.fullmatch(EMOJI_PATTERN, code):
            what = f"emoji {key} cannot be {shown(code)}"
            raise Unreadable("settings.value", what, "type \\:name: in Discord: <:name:123...>")
    _sound_table(visibility, flat.get("visibility", {}))


def _known_names(names: Collection[str], visibility: Mapping[str, tuple[str, str]], flat: Iterable[str]) -> None:
    for key in flat:
        if key in visibility:
            what = f"{key} says who may know something"
            raise Unreadable("settings.unknown", what, f"put it under [settings.visibility], or type visibility.{key}")
        if key not in names:
            hint = in_hours(key, names) or did_you_mean(key, names, "hl template GAME")
            raise Unreadable("settings.unknown", f"there is no setting {shown(key)} in this game", hint)


def _sound_table(visibility: Mapping[str, tuple[str, str]], table: object) -> None:
    if not isinstance(table, Mapping):
        what = "visibility is a table, not one value"
        raise Unreadable("settings.visibility", what, "put its lines under [settings.visibility]")
    for key, value in table.items():
        if key not in visibility:
            hint = did_you_mean(key, [*visibility], f"one of: {' '.join(visibility)}", 1)
            what = f"there is no line {shown(str(key))} under [settings.visibility]"
            raise Unreadable("settings.visibility", what, hint)
        if value not in LEVELS:
            what = f"visibility.{key} cannot be {shown(str(value))}"
            raise Unreadable("settings.visibility", what, f"one of: {' '.join(LEVELS)}")


def _sound(name: str, gap: Gap, value: AnyValue, players: Collection[str] | None) -> None:
    """Refuse a value of the right type that is still wrong."""
    what = None if gap.fault is None else gap.fault(value)
    if what is None and gap.by_player and value and players is not None:
        strangers, missing = [p for p in value if p not in players], [p for p in players if p not in value]
        if strangers:
            what = f"there is no player {shown(strangers[0])} in this match"
        elif missing:
            has = "has" if len(missing) == 1 else "have"
            what = f"give every player a line, or nobody; {', '.join(missing)} {has} none"
    if what is not None:
        raise Unreadable("settings.value", f"setting {name}: {what}", "hl template GAME")


def amended(flat: Flat, key: str, value: AnyValue) -> dict[str, AnyValue]:
    """The settings with one of them changed; `visibility.votes` means a line of the table `visibility`.

    Any other table may also be replaced whole.

    Raises:
        Unreadable: `settings.unknown`, there is no such setting.
    """
    head, dot, tail = key.partition(".")
    whole = isinstance(value, Mapping) and head != "visibility" and not dot
    if head not in flat or bool(dot) != (isinstance(flat[head], Mapping) and not whole):
        raise Unreadable("settings.unknown", f"there is no setting {shown(key)} in this game", "hl template GAME")
    return {**flat, head: {**flat[head], tail: value} if dot else value}


def as_toml(value: object) -> str:
    """A value in the syntax of a match file.

    >>> as_toml({"ann": ["E5", "A2"]}), as_toml([{"name": 'a "z"', "bend": True}])
    ('{ ann = ["E5", "A2"] }', '[{ name = "a \\\\"z\\\\"", bend = true }]')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(as_toml(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {as_toml(item)}' for key, item in value.items())} }}" if value else "{}"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def meaning(game: Game, key: str) -> str:
    """A sentence that says what a setting, or a line of the information table (`visibility.votes`), decides."""
    head, _, line = key.partition(".")
    if head == "visibility":
        return f"Who may know {game.visibility[line][1] if line else 'what'}."
    return known(game.settings, game.has)[head].arg.help


def rule_in_words(game: Game, key: str, value: object) -> str:
    """The rule that a setting makes, in words for players, who do not know its name."""
    if key.startswith("visibility."):
        now = WHO_KNOWS[str(value)]
    elif isinstance(value, bool):
        now = "yes" if value else "no"
    else:
        now = in_words(value).replace("_", " ")
    return f"A rule is settled. {meaning(game, key)} Now: {now}."


def in_words(value: object) -> str:
    """A value for a sentence: words without quotes, lists of words without brackets.

    >>> in_words(True), in_words(["four", "full"]), in_words([{"bend": True}]), in_words({})
    ('true', 'four full', '[{ bend = true }]', 'empty')
    """
    if value in ("", [], (), {}):
        return "empty"
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and not any(isinstance(item, Mapping) for item in value):
        return " ".join(map(str, value))
    return as_toml(value)
