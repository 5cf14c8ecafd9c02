"""The match as rows for a spreadsheet or another program: facts, scores, and transfers of garnets between purses.

For hosts, the rows are made from the facts of the log. For other readers, they are made from the sentences that they
were told (`steps.py`) and from their view at each step, so they contain nothing that is not in that reader's replay.
Source: docs/json.md, export.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from events import write_instant
from events.audiences import HOST_VIEWER
from games.records import ABSENT, plain
from ledger.core.match import Match
from ledger.tell.explain import applied_facts, links_of
from ledger.tell.reports import Shown
from ledger.tell.steps import Steps, steps_of

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "facts": ("seq", "at", "recorded", "by", "do", "fact", "text", "rule", "values"),
    "scores": ("player", "name", "place", "score", "garnets", "tokens", "elimination"),
    "transfers": ("seq", "at", "src", "to", "garnets", "text", "rule"),
}
OTHERS: Mapping[str, tuple[str, ...]] = {
    "facts": ("step", "at", "text"),
    "scores": COLUMNS["scores"],
    "transfers": ("step", "at", "player", "change", "now"),
}

Row = dict[str, Any]


def tables(match: Match, point: Shown) -> dict[str, list[Row]]:
    if point.viewer == HOST_VIEWER:
        match = match.at(point.fold)
        return {"facts": list(_facts(match)), "scores": _scores(match, point), "transfers": list(_transfers(match))}
    steps = steps_of(match, point.fold, point.viewer)
    told = ((step, sentence) for step in steps.steps for sentence in step.sentences)
    facts = [{"step": step.number, **_time_column(step.at), "text": sentence.text} for step, sentence in told]
    transfers = list(_garnet_changes(steps))
    return {"facts": facts, "scores": _scores(match, point), "transfers": transfers}


def sheet(tables: Mapping[str, Sequence[Row]], viewer: str) -> tuple[tuple[str, ...], list[list[str | int | None]]]:
    """Header and rows of CSV: one table with its columns, or several with the table's name in the first column."""
    columns_by_table = COLUMNS if viewer == HOST_VIEWER else OTHERS
    columns = tuple(dict.fromkeys(column for name in tables for column in columns_by_table[name]))
    rows = []
    for name, table in tables.items():
        for row in table:
            cells = (row.get(column) for column in columns)
            cells = (json.dumps(cell, ensure_ascii=False) if isinstance(cell, dict) else cell for cell in cells)
            rows.append([name, *cells])
    return (columns, [row[1:] for row in rows]) if len(tables) == 1 else (("table", *columns), rows)


def _facts(match: Match) -> Iterator[Row]:
    for outcome in match.fold.outcomes:
        recorded = match.book.entries[outcome.entry.seq - 1].body
        entry = {"recorded": write_instant(recorded.recorded), "by": recorded.by, "do": recorded.do}
        for link, fact in zip_longest(links_of(match, outcome), outcome.facts):
            row = {"seq": link.seq, "at": write_instant(link.at), **entry, "fact": link.fact}
            yield {**row, "text": link.text, "rule": link.rule, "values": {} if fact is None else plain(fact)}


def _transfers(match: Match) -> Iterator[Row]:
    for applied in applied_facts(match):
        before, after = applied.before.purses, applied.after.purses
        changed = {p: n for p in {**before, **after} if (n := after.get(p, 0) - before.get(p, 0))}
        if not changed:
            continue
        link = applied.link(match)
        for src, to, garnets in paired(changed):
            row = {"seq": link.seq, "at": write_instant(link.at), "src": src, "to": to, "garnets": garnets}
            yield {**row, "text": link.text, "rule": link.rule}


def paired(changed: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Payments (giver, receiver, garnets) that add up to these changes of purses.

    >>> list(paired({"ann": -2, "bob": 1, "bank": 1}))
    [('ann', 'bob', 1), ('ann', 'bank', 1)]
    """
    to_give = {purse: -n for purse, n in changed.items() if n < 0}
    for receiver, missing in changed.items():
        for giver, available in to_give.items():
            if (garnets := min(available, missing)) > 0:
                yield giver, receiver, garnets
                missing -= garnets
                to_give[giver] -= garnets


def _garnet_changes(steps: Steps) -> Iterator[Row]:
    garnets_before: Mapping[str, int] = {}
    for step in steps.steps:
        visible = steps.result(step.number).garnets
        garnets: Mapping[str, int] = {} if visible is ABSENT else visible
        for player, balance in garnets.items():
            if player in garnets_before and balance != garnets_before[player]:
                change = {"player": player, "change": balance - garnets_before[player], "now": balance}
                yield {"step": step.number, **_time_column(step.at), **change}
        garnets_before = garnets


def _time_column(at: int | None) -> Row:
    return {} if at is None else {"at": write_instant(at)}


def _scores(match: Match, point: Shown) -> list[Row]:
    state = point.fold.state
    result = match.game.result(state, point.viewer)
    places = {player: place for place, player in result.places()}
    rows = []
    for player, seat in state.table.seats.items():
        row: Row = {"player": player, "name": seat.name}
        row |= {"place": places[player]} if player in places else {}
        for key, values in (("score", result.scores), ("garnets", result.garnets), ("tokens", result.tokens)):
            row |= {key: values[player]} if values is not ABSENT and player in values else {}
        row |= {} if result.elimination is ABSENT else {"elimination": "yes" if player in result.elimination else "no"}
        rows.append(row)
    return rows
