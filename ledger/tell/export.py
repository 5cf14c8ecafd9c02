"""The match as rows, for a spreadsheet or another program: facts, scores, and how garnets went from purse to purse.

For the hosts these are the facts of the log. For another reader they are made of what that reader was told (`steps.py`)
and of their view at each step, so they hold nothing that is not in that reader's replay. Source: docs/json.md, export.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from events import write_instant
from events.audiences import HOST_VIEWER
from games.records import ABSENT, plain, snake
from ledger.core.live import BEFORE_ALL
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.tell.reports import Shown
from ledger.tell.step import Steps
from ledger.tell.steps import steps_of

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "facts": ("seq", "at", "recorded", "by", "do", "fact", "text", "rule", "values"),
    "scores": ("player", "name", "place", "score", "garnets", "tokens", "elimination"),
    "transfers": ("seq", "at", "src", "to", "garnets", "text", "rule"),
}
"""The columns of each table for the hosts, as CSV; JSON has the same keys."""
OTHERS: Mapping[str, tuple[str, ...]] = {
    "facts": ("step", "at", "text"),
    "scores": COLUMNS["scores"],
    "transfers": ("step", "at", "player", "change", "now"),
}
"""The same for anybody else."""

Row = dict[str, Any]


def tables(match: Match, point: Shown) -> dict[str, list[Row]]:
    """`facts`, `scores` and `transfers` of the match at that point, for its audience.

    A key that the audience may not know, or that has no value in a row, is not in the row.
    """
    if point.viewer == HOST_VIEWER:
        here = match.at(point.fold)
        return {"facts": list(_facts(here)), "scores": _scores(here, point), "transfers": list(_transfers(here))}
    told = steps_of(match, point.fold, point.viewer)
    return {"facts": list(_told(told)), "scores": _scores(match, point), "transfers": list(_changes(told))}


def sheet(found: Mapping[str, Sequence[Row]], viewer: str) -> tuple[tuple[str, ...], list[list[str | int | None]]]:
    """Header and rows of CSV: one table with its columns, or several with a first column that says which."""
    known = COLUMNS if viewer == HOST_VIEWER else OTHERS
    columns = tuple(dict.fromkeys(column for name in found for column in known[name]))
    rows = [[name, *(_cell(row.get(column)) for column in columns)] for name, rows in found.items() for row in rows]
    return (columns, [row[1:] for row in rows]) if len(found) == 1 else (("table", *columns), rows)


def _cell(value: Any) -> str | int | None:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


# ---- for the hosts ---------------------------------------------------------------------------------------------------


def _facts(match: Match) -> Iterator[Row]:
    for outcome in match.fold.outcomes:
        recorded = match.book.entries[outcome.live.seq - 1].body
        entry = {"recorded": write_instant(recorded.recorded), "by": recorded.by, "do": recorded.do}
        for fact, at in zip(outcome.facts, outcome.times, strict=True):
            reason = match.game.explain(match.fold.state, fact)
            row = {"seq": outcome.live.seq, "at": _when(match, at), **entry, "fact": snake(type(fact))}
            yield {**row, "text": reason.text, "rule": reason.rule, "values": plain(fact)}
        if (refusal := outcome.refusal) is not None:
            row = {"seq": outcome.live.seq, "at": _when(match, outcome.live.at), **entry, "fact": "contested"}
            yield {**row, "text": refusal.what, "rule": refusal.code, "values": {}}


def _transfers(match: Match) -> Iterator[Row]:
    """What each fact moved, by what it changed in the purses: the bank is one of them, and nothing is ever lost."""
    engine = match.engine
    state = engine.start(match.book.entries[0].body, match.book.game_id)
    for outcome, fact, at in _each(match.fold.outcomes):
        before, state = state.table.purses, engine.apply(state, (fact,))
        after = state.table.purses
        changed = {p: n for p in {**before, **after} if (n := after.get(p, 0) - before.get(p, 0))}
        if not changed:
            continue
        reason = match.game.explain(match.fold.state, fact)
        why = {"text": reason.text, "rule": reason.rule}
        for src, to, garnets in _paired(changed):
            row = {"seq": outcome.live.seq, "at": _when(match, at), "src": src, "to": to, "garnets": garnets}
            yield {**row, **why}


def _each(outcomes: Sequence[Outcome]) -> Iterator[tuple[Outcome, Any, int]]:
    for outcome in outcomes:
        for fact, at in zip(outcome.facts, outcome.times, strict=True):
            yield outcome, fact, at


def _paired(changed: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Who gave how much to whom, so that these changes come out.

    >>> list(_paired({"ann": -2, "bob": 1, "bank": 1}))
    [('ann', 'bob', 1), ('ann', 'bank', 1)]
    """
    given = {purse: -n for purse, n in changed.items() if n < 0}
    for to, wanted in changed.items():
        for src, left in given.items():
            if (garnets := min(left, wanted)) > 0:
                yield src, to, garnets
                wanted -= garnets
                given[src] -= garnets


def _when(match: Match, at: int) -> str:
    return write_instant(match.book.entries[0].body.at if at == BEFORE_ALL else at)


# ---- for everybody else ----------------------------------------------------------------------------------------------


def _told(told: Steps) -> Iterator[Row]:
    """What the audience was told, a sentence a row."""
    for step in told.steps:
        for said in step.sentences:
            yield {"step": step.number, **_at(step.at), "text": said.text}


def _changes(told: Steps) -> Iterator[Row]:
    """How the garnets that the audience sees went, from one step to the next."""
    before: Mapping[str, int] = {}
    for step in told.steps:
        shown = told.result(step.number).garnets
        now: Mapping[str, int] = {} if shown is ABSENT else shown
        for player, held in now.items():
            if player in before and held != before[player]:
                change = {"player": player, "change": held - before[player], "now": held}
                yield {"step": step.number, **_at(step.at), **change}
        before = now


def _at(at: int | None) -> Row:
    return {} if at is None else {"at": write_instant(at)}


# ---- for all ---------------------------------------------------------------------------------------------------------


def _scores(match: Match, point: Shown) -> list[Row]:
    """A row for each player: place, score, garnets, tokens, as far as the audience may know them."""
    state = point.fold.state
    result = match.game.result(state, point.viewer)
    places = {player: place for place, player in result.places()}
    rows = []
    for player, seat in state.table.seats.items():
        row: Row = {"player": player, "name": seat.name}
        row |= {"place": places[player]} if player in places else {}
        for key, shown in (("score", result.scores), ("garnets", result.garnets), ("tokens", result.tokens)):
            row |= {key: shown[player]} if shown is not ABSENT and player in shown else {}
        row |= {} if result.elimination is ABSENT else {"elimination": "yes" if player in result.elimination else "no"}
        rows.append(row)
    return rows
