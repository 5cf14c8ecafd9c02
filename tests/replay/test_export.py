"""`export`: rows that add up, a schema that stays, and cells that are only text.

Source: issue "Audit", export; reliability: writing, CSV.
"""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from games.signs import visible
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match
from ledger.render.csv import cell, table
from ledger.tell import reports
from ledger.tell.export import COLUMNS, OTHERS, paired, sheet, tables
from tests.support.paper import HOUR, TRADE, paper
from tests.support.replaying import whole
from tests.support.sizes import examples
from tests.support.sources import ROOT


def exported(match: Match, viewer: str) -> dict[str, list[dict[str, Any]]]:
    return tables(match, reports.Shown(match.fold, viewer))


# ---- rows ----------------------------------------------------------------------------------------------------------


def test_what_purses_gave_and_received_is_what_they_hold(played: Match) -> None:
    held = dict.fromkeys([*played.table.players, "bank"], 0)
    for row in exported(played, "host")["transfers"]:
        assert row["garnets"] > 0 and row["rule"] and row["text"]
        held[row["src"]] -= row["garnets"]
        held[row["to"]] += row["garnets"]
    assert {p: n for p, n in held.items() if n} == {p: n for p, n in played.table.purses.items() if n}


def test_several_givers_and_receivers_are_paired() -> None:
    assert list(paired({"a": -1, "b": -1, "c": 1, "d": 1})) == [("a", "c", 1), ("b", "d", 1)]
    assert list(paired({"a": -3, "c": 1, "d": 2})) == [("a", "c", 1), ("a", "d", 2)]


def test_every_fact_is_a_row(played: Match) -> None:
    rows = exported(played, "host")["facts"]
    assert len(rows) == sum(len(o.facts) + (o.refusal is not None) for o in played.fold.outcomes)
    assert all(row["text"] and row["rule"] for row in rows)


def test_scores_are_those_of_the_result(played: Match) -> None:
    result = reports.result_json(played, reports.Shown(played.fold, "public"))
    rows = exported(played, "public")["scores"]
    assert [row["player"] for row in rows] == list(played.table.players)
    assert {row["player"]: row["garnets"] for row in rows if "garnets" in row} == result.get("garnets", {})
    places = {p: 1 + sum(map(len, result["ranking"][:n])) for n, group in enumerate(result["ranking"]) for p in group}
    assert {row["player"]: row["place"] for row in rows} == places
    assert {row["player"] for row in rows if row.get("elimination") == "yes"} == set(result.get("elimination", ()))


def test_the_garnets_of_a_player_end_where_he_stands(played: Match) -> None:
    for player in played.table.players:
        last = {row["player"]: row["now"] for row in exported(played, player)["transfers"]}
        assert all(last[p] == played.table.garnets(p) for p in last)


def test_others_get_what_they_were_told(played: Match) -> None:
    """The facts of a player are the sentences of his replay, and nothing of the log."""
    for viewer in ("public", *played.table.players):
        found = exported(played, viewer)
        said = [s.text for step in whole(played, viewer).steps for s in step.sentences]
        assert [row["text"] for row in found["facts"]] == said
        keys = {key for rows in found.values() for row in rows for key in row}
        assert not keys & {"seq", "by", "recorded", "rule", "fact", "values", "src", "to"}


def test_a_contested_entry_is_a_row_for_the_hosts() -> None:
    match = paper((2 * HOUR, "trade", {**TRADE, "give": "R10"}))
    rows = [row for row in exported(match, "host")["facts"] if row["fact"] == "contested"]
    assert [row["rule"] for row in rows] == ["equilibrium.card_not_held"]


# ---- the schema ----------------------------------------------------------------------------------------------------


def test_rows_keep_to_their_columns(played: Match) -> None:
    for viewer, columns in (("host", COLUMNS), ("public", OTHERS), (played.table.players[0], OTHERS)):
        found = exported(played, viewer)
        assert list(found) == list(columns)
        for name, rows in found.items():
            assert all(set(row) <= set(columns[name]) for row in rows), (viewer, name)
            header, cells = sheet({name: rows}, viewer)
            assert header == columns[name] and all(len(row) == len(header) for row in cells)


def test_all_three_share_one_header(played: Match) -> None:
    header, rows = sheet(exported(played, "host"), "host")
    assert header[0] == "table" and len(set(header)) == len(header)
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), key=list(COLUMNS).index)
    read = list(csv.reader(io.StringIO(table(header, rows)), strict=True))
    assert read[0] == list(header) and {len(row) for row in read} == {len(header)}


def test_the_schema_stands_on_the_page() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    section = page.partition("\n## export\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section))
    assert {column for listed in (COLUMNS, OTHERS) for name in listed for column in listed[name]} <= named
    assert set(COLUMNS) <= named and "table" in named


def test_json_is_json(played: Match, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-g", played.book.path, "export", "-f", "json", "--for", "public"], App()) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["game", "title", "audience", "facts", "scores", "transfers"]


# ---- cells ---------------------------------------------------------------------------------------------------------

RISKY = frozenset("=+-@|%＝＋－＠")
"""What spreadsheets take for the beginning of a formula."""


@examples(500, 2_000)
@given(
    st.text(max_size=40)
    | st.tuples(st.text(" \t\n", max_size=2), st.sampled_from(sorted(RISKY | {"'"})), st.text(max_size=9)).map("".join)
)
def test_no_text_is_a_formula_and_none_is_lost(text: str) -> None:
    """It reads back as one cell; taking the sign away gives the text, with what cannot be seen shown."""
    ((shown,),) = csv.reader(io.StringIO(cell(text)), strict=True) if cell(text) else [[""]]
    assert shown.lstrip()[:1] not in RISKY
    back = shown[1:] if shown[:1] == "'" else shown
    assert back == visible(text, keep="\n")
    assert next(csv.reader(io.StringIO(table(["x"], [[text, text]]).partition("\n")[2]))) == [shown, shown]


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (-3, "-3"), (None, ""), ("007", '"007"'), ("-3", '"\'-3"')])
def test_numbers_are_numbers_and_texts_are_texts(value: Any, said: str) -> None:
    assert cell(value) == said
