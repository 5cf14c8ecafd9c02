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
