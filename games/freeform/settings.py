"""The tables of a file as settings of the match, and the information table of what every file has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from events.record import NamedTuple
from games.records import Arg
from games.table.settings import Gap


class Settings(NamedTuple):
    """The file: each table is a setting. What is marked secret is not in line 1 but in entries for the hosts."""

    counters: Annotated[Mapping[str, Any], Gap("T"), Arg("Numbers of a player or of the table.")] = {}
    items: Annotated[Mapping[str, Any], Gap("T"), Arg("Cards, tickets, roles: things that are somewhere.")] = {}
    sheets: Annotated[Mapping[str, Any], Gap("T"), Arg("What players seal in a round.")] = {}
    verbs: Annotated[Mapping[str, Any], Gap("T"), Arg("What a host records with one line.")] = {}
    result: Annotated[Mapping[str, Any], Gap("T"), Arg("Score, tokens, elimination, ties.")] = {}


VISIBILITY = {
    "garnets": ("owner", "the garnets a player holds"),
    "tokens": ("everybody_after_end", "who wins a Token of Life"),
    "elimination": ("everybody_after_end", "who is Elimination Candidate"),
    "votes": ("everybody_after_end", "who voted for whom on a tie"),
}
