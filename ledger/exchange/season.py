"""A match that goes on from earlier ones of its season: who plays, with which garnets, who is out; and the Death Match.

What belongs here: from the tables of earlier matches to the data of a match file. What does not: reading and checking a
match file (matchfile.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from events import LedgerError, Refused
from games.table import Table
from games.table.rules import able_opponents
from games.table.settings import defaults, own
from games.table.state import OPPONENT
from ledger.core.match import Match
from ledger.core.outside import load
from ledger.core.replay import CANDIDATE
from ledger.core.tomlfile import Document
from ledger.exchange.matchfile import table_of


def carry_over(data: Mapping[str, Any], olds: Sequence[Match]) -> tuple[Document, list[str]]:
    """A match file completed from earlier matches of the season: hosts, zone, roster in its order, garnets held.

    Who left, or lost a Death Match, gets no seat. What the file says itself is kept; a player it names without garnets
    gets those that they held after their last match. Garnets above the new game's cap are discarded (S-7). Returns the
    file's data and remarks for the host.

    Args:
        olds: In the order in which they were played; at least one.
    """
    in_file, remarks = table_of(data, "players"), list[str]()
    rows: dict[str, Any] = {}
    for old in olds:
        table = old.table
        if table.void:
            remarks.append(f"{table.title} was declared void: garnets are as they were brought")
        elif table.status != "finished":
            remarks.append(f"{table.title} is {table.status}: its garnets may still change")
        rows |= {p: _row(table, p) for p in table.seats}
        left = dict.fromkeys(table.left, "had left") | dict.fromkeys(lost(old), "lost the Death Match")
        for player in [p for p in rows if p in left and p not in in_file]:
            remarks.append(f"{table.name(player)} {left[player]}, so they get no seat")
            del rows[player]
    remarks += _discard(data, rows)
    return _filled(data, olds[-1].table, rows), remarks


def _filled(data: Mapping[str, Any], old: Table, rows: Mapping[str, Any]) -> Document:
    if in_file := table_of(data, "players"):
        rows = {p: {**rows.get(p, {}), **row} if isinstance(row, Mapping) else row for p, row in in_file.items()}
    text = data.text if isinstance(data, Document) else ""
    return Document({"hosts": list(old.hosts), "zone": old.zone, **data, "players": rows}, text)


def _row(table: Table, player: str) -> dict[str, Any]:
    seat = table.seats[player]
    aliases = [alias for alias, owner in table.aliases.items() if owner == player]
    row = {"name": seat.name, "garnets": table.garnets(player), "aliases": aliases}
    return {**row, "channel": seat.channel} if seat.channel else row


def _discard(data: Mapping[str, Any], rows: Mapping[str, Any]) -> list[str]:
    """Take away what is above the cap of the game that the file names. Source: S-7."""
    name, settings = data.get("game"), data.get("settings", {})
    if not isinstance(name, str) or not isinstance(settings, Mapping):
        return []  # the match file is refused for it
    try:
        game = load(name.strip())
        cap = game.garnet_cap(own(game.settings, defaults(game.settings, game.visibility, game.has) | dict(settings)))
    except LedgerError:
        return []  # likewise, with all its faults
    remarks: list[str] = []
    for row in rows.values():
        if cap is not None and (held := row["garnets"]) > cap:
            remarks.append(f"{row['name']} held {held} garnets; {held - cap} above the cap of {cap} are discarded")
            row["garnets"] = cap
    return remarks


def lost(old: Match) -> tuple[str, ...]:
    table = old.table
    roster = old.book.entries[0].body.args["roster"]
    if table.void or table.status != "finished" or not any(row.get("kind") == CANDIDATE for row in roster):
        return ()
    if table.declares("elimination") or table.losers or table.elimination:
        return table.losers or table.elimination
    if table.winners:
        return tuple(p for p in table.players if p not in table.winners)
    ranking = old.game.result(old.fold.state, "host").ranking or ()
    return ranking[-1] if len(ranking) > 1 and len(ranking[-1]) == 1 else ()


def death_match(data: Mapping[str, Any], main: Match, typed: str) -> tuple[Document, list[str]]:
    """The file with two players: the Elimination Candidate of a main match, and the opponent they chose in it.

    Args:
        typed: How the host named the main match.

    Raises:
        Refused: `season.death_match`, the main match names no such two.
    """
    table = main.table
    if table.void or table.status != "finished":
        ending = "was declared void" if table.void else f"is {table.status}"
        what = f"{table.title} {ending}: it has no Elimination Candidate"
        raise Refused("season.death_match", what, f"hl -g {typed} status")
    if len(table.elimination) != 1:
        what = "nobody is Elimination Candidate"
        if table.elimination:
            what = f"{table.named(table.elimination)} are Elimination Candidates, but only one plays"
        fix = f"hl -g {typed} declare elimination PLAYER --note WHY"
        raise Refused("season.death_match", what, fix)
    (candidate,) = table.elimination
    opponent, possible = table.choices.get((OPPONENT, candidate)), able_opponents(table)
    candidate_name = table.name(candidate)
    if candidate in table.left or not possible:
        reason = f"{candidate_name} has left" if candidate in table.left else "everybody else has left or holds a token"
        raise Refused("season.death_match", f"{reason}, so there is no Death Match", f"hl -g {typed} final")
    if opponent not in possible:
        lapsed = f"{candidate_name} chose {table.name(opponent)}, who can no longer be chosen" if opponent else ""
        what = f"{lapsed or f'{candidate_name} has chosen no opponent'}; {table.one_of(possible)} can be"
        fix = f"hl -g {typed} choose {candidate} {possible[0] if len(possible) == 1 else 'PLAYER'}"
        raise Refused("season.death_match", what, fix)
    rows = {p: _row(table, p) for p in (candidate, opponent)}
    rows[candidate][CANDIDATE] = True
    remarks = [*_discard(data, rows), f"the Death Match: {candidate_name} against {table.name(opponent)}"]
    return _filled(data, table, rows), remarks
