"""What may stand in a match file, key by key, as far as that can be said without the game.

Belongs here: the models. Does not belong here: what the keys must be together (match_faults.py), and the entries that
are made of them (matchfile.py). Source: docs/commands.md, Set up.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema

from events import Unreadable
from events.audiences import RESERVED
from games.kinds import NAME_PATTERN, shown
from ledger.exchange.models import PLAIN, Line, LongLine, Strict, Text, Zone, reading, wrong

MAX_GARNETS = 1000
ID_SCHEMA: dict[str, Any] = {"type": "string", "pattern": "^" + NAME_PATTERN.replace("a-z", "a-zA-Z") + "$"}
"""The JSON Schema of an id."""
CODES = {"name": "roster.name", "garnets": "roster.garnets"}


def _id(word: str) -> None:
    """Refuse what cannot be an id. Capital letters are small ones."""
    if not re.fullmatch(NAME_PATTERN, word.lower()):
        what = f"{shown(word)} cannot be an id: a-z first, then a-z, 0-9, _ or -, at most 32"
        raise Unreadable("roster.name", what)


def _player_id(word: str) -> None:
    _id(word)
    if word.lower() in RESERVED:
        what = f"{word.lower()} cannot be the id of a player: it has a meaning of its own in commands"
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

    name: Line | None = Field(None, description="What texts call the player; if not said, the id.", examples=["Ann"])
    garnets: Annotated[int, Field(ge=0, le=MAX_GARNETS), AfterValidator(_within_cap)] = Field(
        0, description="Garnets held at the start; no more than the game's cap.", examples=[1]
    )
    aliases: list[Line] = Field([], description="Further spellings.", examples=[["annie"]])
    channel: LongLine | None = Field(None, description="Where private texts go.", examples=["#ann"])
    outsider: bool = Field(False, description="Plays no part, and is told what everybody is told.", examples=[True])
    given: dict[str, GivenValue] = Field({}, description="What the game lets a file give them, as `override` takes it.")
    candidate: bool = Field(False, description="The match is a Death Match, and this its Elimination Candidate.")

    def called(self, player: str) -> str:
        """What texts call the player of that id."""
        return self.name or player.capitalize()


class MatchFile(Strict):
    """What makes a match."""

    game: Text = Field(description="Its name, as hl games lists it.", examples=["night_market"])
    title: Line | None = Field(None, description="What texts call the match.", examples=["Night market, episode 3"])
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
