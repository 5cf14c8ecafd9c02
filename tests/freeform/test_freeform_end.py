"""Freeform: the end of a match whose first or last places are tied, or which hosts decide. Source: docs/freeform.md."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from games.freeform import actions as a
from games.registry import load
from games.table import actions as shared
from games.table.view import frame
from tests.support.play import Play

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


def played(points: str, visibility: dict[str, str] | None = None, **result: str) -> tuple[Play, list[Any]]:
    """A match whose points are these, closed; and what its end told."""
    tables = tomllib.loads(FILE)
    tables["result"].update(result)
    assert GAME.written is not None and not GAME.written.faults(tables)
    lines: dict[str, Any] = {"visibility": visibility} if visibility else {}
    play = Play("freeform", players=PLAYERS, settings={**GAME.written.public(tables)[0], **lines})
    play.do(shared.Resolve())
    for player, n in zip(PLAYERS, points.split(), strict=True):
        play.do(a.Set("pts", player, n))
    return play, play.do(shared.Close("match"))


def told(play: Play, facts: list[Any], viewer: str = PUBLIC_VIEWER) -> str:
    return repr(list(GAME.tell(play.state, tuple(facts), viewer).blocks))


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


@pytest.mark.parametrize(
    ("ties", "token", "elimination"),
    [
        ("vote", "highest score: 5, shared by Ann and Bob; named by 2 of 3 votes", "named by 1 of 1 vote"),
        ("lot", "highest score: 5, shared by Ann and Bob; nobody may vote; drawn by lot", "drawn by lot"),
        ("all", "highest score: 5, shared by Ann and Bob", "lowest score: 1, shared by Dan and Eve"),
    ],
)
def test_the_end_says_scores_places_and_why(ties: str, token: str, elimination: str) -> None:
    """What everybody reads: the table of places, and of each end the score, who shared it, and how it was settled."""
    play, _ = played("5 5 3 1 1", ties=ties)
    for voter, name in (("cyd", "ann"), ("dan", "bob"), ("eve", "ann"), ("ann", "eve")) if ties == "vote" else ():
        play.do(shared.Vote(voter, name))
    for outcome in ("ann", "eve") if ties == "lot" else ():
        play.do(shared.Lot(outcome=outcome))
    shown = result(play)
    assert shown.reasons["tokens"][0]["why"] == token and elimination in shown.reasons["elimination"][0]["why"]
    assert shown.scores["cyd"] == 3 and shown.ranking[0] == ("ann", "bob")
    called = frame(play.state.table, "Freeform", PUBLIC_VIEWER)
    assert "('1', 'Ann', '5')" in repr(GAME.report(called, GAME.view(play.state, PUBLIC_VIEWER), shown))


@pytest.mark.parametrize(("score", "votes"), [("secret", "everybody"), ("pts", "host")])
def test_why_is_told_as_far_as_scores_and_votes_may_be_known(score: str, votes: str) -> None:
    """A score of counters that hosts alone see is told to nobody else, and a vote that is theirs neither."""
    tables = tomllib.loads(FILE)
    tables["result"]["score"] = score
    assert GAME.written is not None
    public = {**GAME.written.public(tables)[0], "visibility": {"votes": votes}}
    play = Play("freeform", players=PLAYERS, settings=public)
    play.do(shared.Resolve())
    for player, n in zip(PLAYERS, "55300", strict=True):
        play.do(a.Set(score, player, n))
    play.do(shared.Close("match"))
    for voter, name in (("cyd", "ann"), ("dan", "bob"), ("eve", "ann"), ("ann", "eve")):
        play.do(shared.Vote(voter, name))
    (row,) = result(play).reasons["tokens"]
    assert row == {"player": "ann", "how": "won", "why": "the highest score"}
    assert not result(play).scores or score == "pts"
    assert "named by" in result(play, HOST_VIEWER).reasons["tokens"][0]["why"]
    assert ("named by" in result(play).reasons["elimination"][0]["why"]) is (votes == "everybody")


def test_everybody_is_told_of_a_tie() -> None:
    """The match does not seem frozen: that play is over, who is level, who settles it and until when."""
    play, facts = played("5 5 3 1 1")
    heard = told(play, facts)
    assert "Play is over; something is still to be decided." in heard
    assert "Cyd, Dan and Eve vote who wins a Token of Life: Ann or Bob" in heard and "until" in heard
    for voter in ("cyd", "dan", "eve"):
        facts = play.do(shared.Vote(voter, "ann"))
    assert "Ann votes who is Elimination Candidate: Dan or Eve" in told(play, facts)
    assert "A lot decides who wins a Token of Life: Ann or Bob" in told(*played("5 5 3 1 0", ties="lot"))
    assert "The hosts decide who wins a Token of Life: Ann or Bob" in told(*played("5 5 3 1 0", ties="hosts"))


def test_a_tie_is_told_only_where_everybody_may_know_what_it_is_about() -> None:
    """With tokens closed nobody hears of either tie; with the elimination closed, not of that among the last."""
    play, facts = played("5 5 3 1 1", visibility={"tokens": "host"})
    assert told(play, facts) == "[]"
    play, facts = played("5 5 3 1 1", visibility={"elimination": "host"})
    assert "Ann or Bob" in told(play, facts)
    for voter in ("cyd", "dan", "eve"):
        facts = play.do(shared.Vote(voter, "ann"))
    assert play.state.table.decisions[0].about == "elimination" and told(play, facts) == "[]"
