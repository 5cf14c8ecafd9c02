"""Why somebody holds a token or is Elimination Candidate: a row for each, as far as the information table allows.

By rule in memory, and through the command line for the texts. Source: season S-2 to S-4, docs/reliability.md.
"""

from __future__ import annotations

from typing import Any

from games.table import actions as shared
from games.table.view import frame
from tests.support.polar import FIRST


def rows(play: Any, kind: str, viewer: str = "public") -> list[dict[str, Any]]:
    return [dict(row) for row in (play.result(viewer).reasons or {}).get(kind, ())]


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


def test_the_second_token_with_nobody_to_give_it_to(polar):
    """S-2: the second of "2 tokens" is accounted for: given, lapsed, and why."""
    play = polar.ended({"a": 9, "b": 5, "c": 1})
    (lapsed,) = [row for row in rows(play, "tokens") if row["how"] == "lapsed"]
    assert lapsed == {"player": "a", "how": "lapsed", "why": "there is nobody to give it to"}
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1})
    play.do(shared.Close("gift"))
    (lapsed,) = [row for row in rows(play, "tokens") if row["how"] == "lapsed"]
    assert lapsed["why"] == "it was not given away in time"
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1})
    play.do(shared.Drop("b"))
    play.do(shared.Drop("c"))
    (lapsed,) = [row for row in rows(play, "tokens") if row["how"] == "lapsed"]
    assert lapsed["why"] == "there is nobody to give it to"


def test_a_tie_that_kills_a_token(polar):
    """S-5: more than four are tied: no token, and the reveal says so."""
    play = polar.ended(dict.fromkeys("abcde", 3))
    (row,) = rows(play, "tokens")
    assert row["how"] == "nobody" and "player" not in row
    assert row["why"] == "5 are tied in the first place with 3 points, more than 4: nobody wins a token"


def test_by_lot(polar):
    """S-4: a candidate that a lot named is said to be so."""
    play = polar.ended(dict.fromkeys("abcde", 3))
    play.do(shared.Lot(outcome="c"))
    (row,) = rows(play, "elimination")
    assert row["player"] == "c" and row["how"] == "lot" and "voted" not in row


def test_by_choice_or_lot_among_the_second(polar):
    """PL-17: the second place is picked by the winner, or drawn."""
    play = polar.ended({"a": 20, "b": 10, "c": 10, "d": 1})
    play.do(shared.Choose("a", "c"))
    assert {"player": "c", "how": "choice", "by": ["a"]}.items() <= rows(play, "tokens")[-1].items()
    play = polar.ended({"a": 20, "b": 10, "c": 10, "d": 1})
    play.do(shared.Close("choose"))
    play.do(shared.Lot(outcome="b"))
    assert rows(play, "tokens")[-1]["how"] == "lot"


def test_votes_and_weights_are_the_hosts(polar):
    """A vote that was tied and weighed: hosts read who named whom with how much; the public that there was a vote."""
    play = polar.ended(FIRST, garnets={"b": 50})
    play.do(shared.Vote("a", "d"))
    play.do(shared.Vote("b", "e"))
    (row,) = rows(play, "elimination", "host")
    assert row["how"] == "weights" and row["by"] == ["a", "b"]
    assert "a with 2 for d, b with 51 for e" in row["why"].lower()
    (row,) = rows(play, "elimination")
    assert row == {"player": "e", "how": "vote", "why": "lowest score: 1 point"}


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


def test_what_may_not_be_known_is_not_said(polar):
    """The condition alone, where its lines are closed; nothing of tokens or elimination, where these are."""
    hidden = {"scoreboard": "nobody_ever"}
    play = polar.ended({"a": 20, "b": 10, "c": 5, "d": 1}, settings={"visibility": hidden})
    assert rows(play, "tokens")[0] == {"player": "a", "how": "won", "why": "the first place"}
    assert rows(play, "elimination") == [{"player": "d", "how": "rank", "why": "the lowest score"}]
    assert rows(play, "elimination", "host")[0]["why"] == "lowest score: 1 point"
    hidden = {"tokens": "host", "elimination": "host"}
    play = polar.ended({"a": 20, "b": 10, "c": 5, "d": 1}, settings={"visibility": hidden})
    for viewer in ("public", "a", "d"):
        assert "reasons" not in {k for k, v in play.result(viewer)._asdict().items() if v is not None and v}
    assert rows(play, "tokens", "host")


def test_nothing_before_the_end(polar):
    """Before the end there is no reason, for the hosts neither."""
    play = polar.placed()
    assert not play.result("host").reasons and not play.result("public").reasons


def test_poker_auction(auction):
    """PA-6, PA-7: automatic, and for what; the winner is named, and hands stand in order of rank."""
    play = auction.ended(
        {
            "a": "2C 3C 4C 5C 6C", "b": "KC KD KH 2D 2H", "c": "AC AD 3D 4D 6D",
            "d": "QC QD", "e": "9C 9D 8H 7H 5H",
        }
    )  # fmt: skip
    (row,) = rows(play, "elimination")
    assert row["player"] == "d" and row["how"] == "automatic" and "fewer than five cards" in row["why"]
    assert rows(play, "tokens")[0]["player"] == "a" and rows(play, "tokens")[0]["why"].startswith("highest hand")


def test_an_overspender(auction):
    """PA-6: who won a card by overspending is Elimination Candidate without comparison, and everybody reads why."""
    play = auction.clubs(settings={"overspend": "flag"})
    play.bid("a", "2C 60, 3C 30")
    play.resolve()
    for _ in ("diamonds", "hearts", "spades"):
        play.resolve()
    hands = {"a": "2C 3C 4C 5C 6C", "b": "KC KD KH 2D 2H", "c": "AC AD 3D 4D 6D", "d": "QC QD 8C 7D 5D"}
    for player, cards in {**hands, "e": "9C 9D 8H 7H 5H"}.items():
        play.do(shared.Override(player, "cards", cards))
    (row,) = rows(play, "elimination")
    assert row == {"player": "a", "how": "automatic", "why": "cards bought by overspending"}
    game, state = play.game, play.state
    called = frame(state.table, game.title, "public")
    drawn = str(game.report(called, game.view(state, "public"), game.result(state, "public")))
    assert drawn.index("Full House") < drawn.index("Pair (A") and "Winner: " in drawn
