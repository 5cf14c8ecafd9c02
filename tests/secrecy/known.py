"""What everybody may know of any match, from the season layer and docs/games: shared by the `knows` of every generator.

It is the oracle of the pairs: it reads the state and never a view, and asks no rule of the ledger who may know what.
"""

from __future__ import annotations

from typing import Any

from games.table.state import Table

SECRET = ("host", "nobody_ever")


def of_the_table(table: Table) -> list[Any]:
    """The course of the match: phases, pauses, settings, who sits where and who has left, words for the deal, votes.

    The name of a new person in a seat and that somebody has left are announced (S-G3), as a pause, an amended setting
    (S-11), and the words that players add to a deal are.
    """
    known: list[Any] = [table.phase, table.status, table.assumptions, table.settings, table.paused]
    known += [{p: seat.name for p, seat in table.seats.items()}, sorted(table.left)]
    known += [table.words, table.commitment is not None]
    levels = table.settings["visibility"]
    tokens, elimination = (levels.get(line) not in SECRET for line in ("tokens", "elimination"))
    # that something is to be decided, and until when, is the course of the match; what, is what it is about.
    # a gift cannot go to an Elimination Candidate: among whom it is tells who that is; a lot after a vote, how it went
    for d in table.decisions:
        voted = d.kind == "lot" and "vote" in table.past
        among = elimination and not (voted and levels.get("votes", "host") in SECRET)
        what = (d.kind, d.who if tokens else None, d.among if among else None)
        known.append((d.ends, what if (elimination if d.about == "elimination" else tokens) else None))
    return known


def own_sheets(table: Table, viewer: str) -> Any:
    """What the viewer has sent in the round that is on."""
    return bool(table.round) and [sheet.content for sheet in table.round.sheets.get(viewer, ())]


def of_the_end(table: Table, viewer: str) -> list[Any]:
    """Who holds tokens, and which of them hosts gave; who is Elimination Candidate and whom they face: where its line
    of the information table is open. The Elimination Candidate knows it, as they choose.
    """
    levels = table.settings["visibility"]
    held = {p: (table.tokens.get(p, 0), table.granted.get(p, 0)) for p in table.seats}
    tokens = held if levels.get("tokens") not in SECRET else None
    opponents = sorted((p, choice) for (about, p), choice in table.choices.items() if about == "opponent")
    faced = (
        (table.elimination, opponents) if levels.get("elimination") not in SECRET else table.elimination == (viewer,)
    )
    return [tokens, faced]
