"""Poker Auction, rule by rule (as test_poker_auction_rules): section 6, who is told what."""

from __future__ import annotations

import pytest

from games.poker_auction.actions import VISIBILITY
from games.table import actions as shared
from tests.support.auction import CARDS, PLAYERS, hand_set

# ---- section 6: who is told what -----------------------------------------------------------------------------------


def test_the_public_learns_powers_and_receivers_only(auction):
    """6: of others only the power; per card the receiver, no valid bids or destroyed, and the remark."""
    play = auction.clubs()
    play.bid("c", "2C 3", destroy="6C")
    play.bid("d", "5C 7", gift=("5C=c",))
    play.bid("a", "2C 5", diamonds="2C")
    play.bid("e", "2C 5")
    play.resolve()
    for viewer in ("public", "b"):
        view = play.view(viewer)
        others = {p: row for p, row in view["players"].items() if p != viewer}
        assert others == {p: {"power": power} for p, power in play.powers().items() if p != viewer}
        assert view["rounds"][0]["cards"]["2C"] == {"to": "c", "why": "received", "because_of_invalid_bids": True}
        assert view["rounds"][0]["cards"]["5C"] == {"to": "c", "why": "received", "because_of_invalid_bids": False}
        assert view["rounds"][0]["cards"]["6C"] == {"to": None, "why": "destroyed", "because_of_invalid_bids": False}
        assert view["rounds"][0]["cards"]["7C"] == {"to": "b", "why": "no_valid_bids", "because_of_invalid_bids": False}
        assert "diamonds" not in view["rounds"][0]
    assert play.view("a")["players"]["a"] == {
        "chips": 74 - 5 + 13, "power": "diamonds", "cards": [], "garnets": 2, "best": None, "diamonds_income": 13,
    }  # fmt: skip
    assert play.view()["rounds"][0]["cards"]["5C"] == {"to": "c", "why": "gift", "because_of_invalid_bids": False}


def test_at_the_end_everybody_learns_hands_and_tokens(auction):
    """6: at the end hands, ranking, tokens and EC are public; bids and chips never are."""
    play = auction.clubs()
    assert play.view("public")["players"]["a"] == {"power": "diamonds"}
    for _ in range(3):
        play.resolve()
    running = play.result("public")
    assert running.status == "running" and not running.ranking and not running.tokens and not running.elimination
    play.resolve()
    for player in PLAYERS:
        play.do(hand_set(player, CARDS[player]))
    shown = play.view("public")["players"]["e"]
    assert (
        shown["cards"] == ["JC", "QC", "KC", "AC", "9H"]
        and shown["best"]["class"] == "high"
        and shown["auto_ec"] is False
    )
    assert "chips" not in shown
    assert play.result("public").elimination == ("e",) and play.result("public").tokens["a"] == 2


LINES = {
    "powers": ("everybody", lambda play, v: "power" in play.view(v)["players"]["b"]),
    "cards_received": ("everybody", lambda play, v: play.view(v)["rounds"][0]["cards"]["2C"]["why"] != "sealed"),
    "invalid_bids": (
        "everybody",
        lambda play, v: "because_of_invalid_bids" in play.view(v)["rounds"][0]["cards"]["2C"],
    ),
    "own_chips": ("everybody", lambda play, v: "chips" in play.view(v)["players"]["b"]),
    "diamonds_income": ("everybody", lambda play, v: "diamonds_income" in play.view(v)["players"]["a"]),
    "own_garnets": ("everybody", lambda play, v: "garnets" in play.view(v)["players"]["b"]),
    "bids": ("everybody", lambda play, v: play.view(v)["rounds"][0]["cards"]["2C"].get("bids") == {"a": 5}),
    "chips": ("everybody", lambda play, v: "chips" in play.view(v)["players"]["b"]),
    "diamonds_use": ("everybody", lambda play, v: play.view(v)["rounds"][0].get("diamonds") == "2C"),
    "gifts": ("everybody", lambda play, v: play.view(v)["rounds"][0]["cards"]["5C"]["why"] == "gift"),
    "power_bids": ("everybody", lambda play, v: play.view(v)["players"]["b"].get("power_bid", {}).get("chips") == 30),
    "final_hands": ("everybody_after_end", lambda play, v: "best" in play.view(v)["players"]["b"]),
    "tokens": ("everybody_after_end", lambda play, v: bool(play.result(v).tokens)),
    "elimination": ("everybody_after_end", lambda play, v: bool(play.result(v).elimination)),
    "final_garnets": ("everybody_after_end", lambda play, v: "garnets" in play.view(v)["players"]["b"]),
}
"""Line of the information table -> (the widest level, is it known to that viewer of somebody else?)."""


@pytest.mark.parametrize("line", LINES)
def test_each_line_of_the_information_table(auction, line):
    """6: each line is a setting: told to everybody, or to nobody but the hosts."""
    assert set(LINES) == set(VISIBILITY)
    widest, known = LINES[line]
    for level, expected in ((widest, True), ("host", False), ("nobody_ever", False)):
        play = auction.clubs(settings={"visibility": {line: level}})
        play.bid("a", "2C 5", diamonds="2C")
        play.bid("d", "5C 7", gift=("5C=c",))
        play.resolve()
        if widest == "everybody_after_end":
            assert not known(play, "c")
        for _ in range(3 if widest == "everybody_after_end" else 0):
            play.resolve()
        assert known(play, "c") is expected and known(play, "public") is expected, level


def test_diamonds_use_may_be_its_owners(auction):
    """6, PA-15: with the line `diamonds_use` at owner, who has Diamonds sees where he used it, and that he did not."""
    play = auction.clubs(settings={"visibility": {"diamonds_use": "owner"}})
    play.bid("a", "2C 5", diamonds="2C")
    play.resolve()
    play.resolve()
    seen = {v: [row.get("diamonds", "secret") for row in play.view(v)["rounds"]] for v in ("a", "b", "public")}
    assert seen == {"a": ["2C", None], "b": ["secret"] * 2, "public": ["secret"] * 2}


def test_power_bids_may_be_their_owners(auction):
    """6, PA-3, PA-18: with the line `power_bids` at owner, a player sees his chips and his five powers, nobody else."""
    play = auction.clubs(settings={"visibility": {"power_bids": "owner"}})
    seen = play.view("b")["players"]
    assert seen["b"]["power_bid"] == {"chips": 30, "ranking": ["spades", "joker", "diamonds", "hearts", "clubs"]}
    assert [p for p, row in seen.items() if "power_bid" in row] == ["b"]


def test_the_jokers_chips_are_no_income_of_diamonds(auction):
    """3, 6: what Diamonds collected is told to its owner; the 26 of the Joker are not that."""
    play = auction.clubs()
    play.do(shared.Override("a", "power", "none"))
    play.do(shared.Override("e", "power", "diamonds"))
    assert play.view("e")["players"]["e"]["diamonds_income"] is None


@pytest.mark.parametrize("announced", [False, True])
def test_the_remark_stands_with_a_gift_too(auction, announced):
    """6, PA-14: "because of invalid bids" wherever a tie was skipped; that it was a gift is told only by setting."""
    play = auction.clubs(settings={"announce_gift": announced})
    play.bid("d", "5C 7", gift=("5C=c",))
    play.bid("a", "5C 9")
    play.bid("e", "5C 9")
    said = str(play.game.tell(play.state, play.resolve(), "public"))
    gift = " as a gift" if announced else ""
    assert f"5C: C receives it{gift} because of invalid bids." in said


def test_secret_cards_are_not_told(auction):
    """6: with the line `cards_received` closed the public hears nothing of any card."""
    play = auction.clubs(settings={"visibility": {"cards_received": "host"}})
    play.bid("a", "2C 5")
    said = str(play.game.tell(play.state, play.resolve(), "public"))
    assert "is resolved" in said and "2C" not in said and "receives" not in said


def test_a_power_set_by_a_host_is_told_as_powers_are(auction):
    """6, host powers: to everybody by one message, or to nobody where powers are secret."""

    def said(viewer, level="everybody"):
        play = auction.clubs(settings={"visibility": {"powers": level}})
        facts = play.do(shared.Override("a", "power", "none"))
        return str(play.game.tell(play.state, facts, viewer))

    assert "A host corrected a power: A has no power." in said("public")
    assert "power" not in said("b") and "power" not in said("public", "host")


@pytest.mark.parametrize("line", ["final_hands", "elimination"])
def test_who_falls_short_is_told_with_hands_and_candidates_only(auction, line):
    """5, 6: who is EC without comparison tells of his hand and that he is EC: both lines must be open."""
    play = auction.ended({**CARDS, "d": "5C 6D"})
    assert play.view("public")["players"]["d"]["auto_ec"] is True
    secret = auction.ended({**CARDS, "d": "5C 6D"}, settings={"visibility": {line: "host"}})
    assert "auto_ec" not in secret.view("public")["players"]["d"]
