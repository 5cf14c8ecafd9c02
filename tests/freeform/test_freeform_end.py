"""Freeform: the end of a match whose first or last places are tied, or which hosts decide. Source: docs/freeform.md."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.freeform import actions as a
from games.registry import load
from games.table import actions as shared
from tests.support.play import Play
from tests.support.transcripts import Stage

GAME = load("freeform")
PLAYERS = ("ann", "bob", "cyd", "dan", "eve")
FILE = """
[counters]
pts = { seen_by = "everybody" }
secret = { seen_by = "hosts" }
[sheets.guess]
fields = { n = "number 0..9" }
[result]
score = "pts"
tokens = "highest"
elimination = "lowest"
ties = "vote"
"""


@pytest.fixture(autouse=True)
def _play(polar: Any) -> None:
    """Loads the module `play`."""


def played(points: str, **result: str) -> tuple[Play, list[Any]]:
    """A match whose points are these, closed; and what its end told."""
    tables = tomllib.loads(FILE)
    tables["result"].update(result)
    assert GAME.written is not None and not GAME.written.faults(tables)
    play = Play("freeform", players=PLAYERS, settings=GAME.written.public(tables)[0])
    play.do(shared.Resolve())
    for player, n in zip(PLAYERS, points.split(), strict=True):
        play.do(a.Set("pts", player, n))
    return play, play.do(shared.Close("match"))


def told(play: Play, facts: list[Any], viewer: str = PUBLIC_VIEWER) -> str:
    return repr(GAME.tell(play.state, tuple(facts), viewer))


def result(play: Play, viewer: str = PUBLIC_VIEWER) -> Any:
    return GAME.result(play.state, viewer)


def test_a_vote_says_that_it_is_about_a_token() -> None:
    """With `ties = "vote"` those who are not tied vote, and are told what about; then the winner, among the last."""
    play, facts = played("5 5 3 1 1")
    assert "You may vote who wins a Token of Life: Ann or Bob." in told(play, facts, "cyd")
    (row,) = result(play).decisions
    assert row == {"kind": "vote", "about": "token", "who": ["cyd", "dan", "eve"], "among": ["ann", "bob"]}
    for voter in ("cyd", "dan", "eve"):
        facts = play.do(shared.Vote(voter, "ann"))
    assert "You may vote who is Elimination Candidate: Dan or Eve." in told(play, facts, "ann")
    assert result(play).decisions == ({"kind": "vote", "who": ["ann"], "among": ["dan", "eve"]},)


@pytest.mark.parametrize(
    ("points", "rules", "about"),
    [
        ("5 5 3 1 0", {"ties": "hosts"}, "token"),
        ("5 4 3 1 1", {"ties": "hosts"}, "elimination"),
        ("5 4 3 1 0", {"tokens": "hosts"}, "token"),
        ("5 4 3 1 0", {"elimination": "hosts"}, "elimination"),
    ],
)
def test_the_end_waits_for_what_hosts_decide(points: str, rules: dict[str, str], about: str) -> None:
    """Nobody is told that it is over before; what they then declare is no correction."""
    play, facts = played(points, **rules)
    assert play.state.table.status == "deciding" and "The match is over" not in told(play, facts)
    assert [(d.kind, d.about) for d in play.state.table.decisions] == [("ruling", about)]
    declared = shared.Declare("token", ("ann",), 1) if about == "token" else shared.Declare("elimination", ("eve",))
    facts = play.do(declared)
    assert play.state.table.status == "finished" and "The match is over" in told(play, facts)
    assert "orrection" not in told(play, facts) + told(play, facts, "ann") + told(play, facts, "eve")
    assert play.state.table.elimination == ("eve",) and play.state.table.tokens["ann"] == 1


@pytest.mark.parametrize("action", [shared.Award("bob", "tokens", 1), shared.Close("ruling")])
def test_an_award_or_its_close_ends_the_waiting(action: Any) -> None:
    """As `hl status` says of the award; who closes it leaves it at nobody."""
    play, _ = played("5 5 3 1 0", ties="hosts")
    play.do(action)
    assert play.state.table.status == "finished"


def test_a_file_that_says_nothing_of_tokens_waits_for_nobody() -> None:
    """Only `hosts` that stands in the file is waited for."""
    tables = tomllib.loads(FILE) | {"result": {"score": "pts"}}
    assert GAME.written is not None and not GAME.written.faults(tables)
    play = Play("freeform", players=PLAYERS, settings=GAME.written.public(tables)[0])
    play.do(shared.Resolve())
    play.do(shared.Close("match"))
    assert play.state.table.status == "finished"
