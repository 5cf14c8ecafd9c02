"""Why somebody holds a token or is Elimination Candidate: a row for each, as far as the information table allows.

By rule in memory, and through the command line for the texts. Source: season S-2 to S-4, docs/reliability.md.
"""

from __future__ import annotations

from games.parts.build import build
from games.table import actions as shared
from ledger.author.simulation import Trial
from tests.support.guide import stated


def test_winner_and_receiver_are_told_apart(polar_match):
    """5, "being given a ToL does not count as winning it": in the public text, a player's own, explain, JSON."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1})
    host.write("gift a c")
    tokens = host.final("public")["reasons"]["tokens"]
    assert [(row["player"], row["how"], row.get("by")) for row in tokens] == [
        ("a", "won", None),
        ("a", "won", None),
        ("b", "won", None),
        ("c", "given", ["a"]),
    ]
    won, given = (
        "A won a Token of Life: first with 20 points.",
        "A gave C a Token of Life, which does not count",
    )
    for line in ("final", "reveal", "summary c", "explain final --for public", "explain final --for c"):
        text = host.hl(line).out
        assert won in text and given in text, line
        assert "D is Elimination Candidate: lowest score: 1 point." in text
    stands = host.json("explain final --for public")
    assert stands["chain"] == [] and won in stands["stands"]


def test_declared(polar_match):
    """Declared: the reason, unless it is private."""
    host = polar_match({"a": 20, "b": 10, "c": 5, "d": 1})
    host.write("declare elimination c --note 'a foul'")
    host.write("declare token d 1 --note 'for luck' --private")
    reasons = host.final("public")["reasons"]
    assert reasons["elimination"] == [{"player": "c", "how": "declared", "why": "a foul"}]
    assert {"player": "d", "how": "declared", "why": "hosts declared it"} in reasons["tokens"]
    for line in ("final", "summary d", "explain final --for d"):
        assert "for luck" not in host.hl(line).out
        assert "C is Elimination Candidate, declared by the hosts: a foul." in host.out
    assert {"player": "d", "how": "declared", "why": "for luck"} in host.final()["reasons"]["tokens"]


def test_what_is_public_for_ever_is_told_to_everybody():
    """A reason with the line COURSE; and what a match in memory cannot read is a refusal too."""
    game = build(stated("sealed_bid", ('why, "section 2")', 'why, "section 2", (COURSE,))')))
    match = Trial(game, ["ann", "bob"])
    match.do(shared.Open())
    match.do(game.actions[0]("ann", 5))
    match.do(shared.Resolve())
    assert [row["why"] for row in match.result("public").reasons["tokens"]] == ["highest bid: 5"]
    assert "many" in str(match.refusal(shared.Override("ann", "bid", "many")))
