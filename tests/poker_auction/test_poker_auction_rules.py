"""Poker Auction, one test per numbered rule and per gap: each docstring begins with the rule it holds.

Rules are quoted from the rule page (sections 1 to 6, gaps PA-n) and its season layer (S-n). The expected values were
worked out from those pages by hand; every setting is tested both ways. What hands are worth: test_poker_auction_hands.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.actions import POWERS, read_bids, read_ranking
from games.poker_auction.cards import DECK, ROUNDS, read_card
from games.poker_auction.settings import VISIBILITY
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.state import BANK

HOUR = 3_600_000
PLAYERS = ("a", "b", "c", "d", "e")
CARDS = {
    "a": "AS KS QS JS 10S",
    "b": "2C 2D 2H 2S 9C",
    "c": "3C 3D 3H 4C 4D",
    "d": "5C 6D 7H 8S 9D",
    "e": "AC KC QC JC 9H",
}
"""Five hands: a straight flush, b four, c full house, d straight, e high card (the lowest)."""


def only(facts: list[Any], kind: type) -> list[Any]:
    return [fact for fact in facts if isinstance(fact, kind)]


def tokens(play: Any) -> dict[str, int]:
    return {p: n for p, n in play.state.table.tokens.items() if n}


def kinds(play: Any) -> list[str]:
    return [d.kind for d in play.state.table.decisions]


def hand_set(player: str, text: str) -> shared.Override:
    return shared.Override("cards", player, text)


# ---- section 1: setup ----------------------------------------------------------------------------------------------


def test_the_deck_and_the_start(auction):
    """1: five players, 104 chips each, the 52 cards, nothing dealt, no power yet."""
    play = auction()
    assert play.game.players == (5, 5)
    assert len(DECK) == len(set(DECK)) == 52 and {card[-1] for card in DECK} == set("CDHS")
    assert play.chips() == dict.fromkeys(PLAYERS, 104)
    assert play.cards() == {} and play.powers() == {}
    assert list(ROUNDS) == ["clubs", "diamonds", "hearts", "spades"]
    with pytest.raises(Refused):
        play.do(shared.Deal())


def test_garnets_of_the_season(auction):
    """1, S-7: players bring garnets, and no cap holds in this game."""
    play = auction(garnets={"a": 9})
    assert play.garnets() == {"a": 9, "b": 0, "c": 0, "d": 0, "e": 0}
    assert play.game.garnet_cap(play.state.settings) is None


def test_the_phases(auction):
    """1: power, clubs, diamonds, hearts, spades, then hands and awards at once."""
    play = auction()
    seen = []
    for _ in range(5):
        seen.append(play.view()["phase"])
        play.resolve()
    assert seen == ["power", "clubs", "diamonds", "hearts", "spades"]
    assert play.state.table.status in ("deciding", "finished") and play.view()["phase"] == play.state.table.status
    play.refuse(shared.Resolve(), "no_round")
    play.refuse(auction.sheet("a", "AC 1"), "no_round")


def test_before_and_after_nothing_is_taken(auction):
    """1: no sheet before `open`, none after the last round; play is opened once."""
    play = auction(opened=False)
    assert play.view()["phase"] == "power" and play.state.table.status == "setup"
    play.refuse(a.Power("a", 3, "spades"), "no_round")
    play.refuse(shared.Resolve(), "no_round")
    play.do(shared.Open())
    play.refuse(shared.Open(), "opened")


# ---- section 2: powers ---------------------------------------------------------------------------------------------


def test_powers_by_chips_then_garnets(auction):
    """2, PA1: B30 (5 garnets), A30 (2), E25, C10, D nothing; all submitted chips are spent; Joker +26."""
    play = auction.clubs()
    assert play.powers() == {"a": "diamonds", "b": "spades", "c": "clubs", "d": "hearts", "e": "joker"}
    assert play.chips() == {"a": 74, "b": 74, "c": 94, "d": 104, "e": 105}
    assert play.garnets() == {"a": 2, "b": 5, "c": 1, "d": 3, "e": 0}


def test_the_joker_gets_26_at_once(auction):
    """2: +26 for whoever takes the Joker, whatever he spent."""
    play = auction()
    play.power("c", 104, "J")
    facts = play.resolve()
    assert only(facts, f.ChipsReceived) == [f.ChipsReceived("c", 26, "joker")]
    assert play.chips()["c"] == 26


def test_a_chip_more_than_held_is_refused(auction):
    """2: 0 to 104 chips; one sheet a player, the last one counts (S-9)."""
    play = auction()
    play.power("a", 104, "J")
    play.refuse(a.Power("a", 105, "spades"), "over_budget")
    play.power("a", 0, "H")
    play.resolve()
    assert play.chips()["a"] == 104


# ---- section 3: an auction round -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amounts", "wins", "remark", "tied"),
    [
        ((5, 5, 3), 3, True, (5,)),
        ((5, 5, 3, 3, 1), 1, True, (5, 3)),
        ((5, 5, 3, 3), None, False, (5, 3)),
        ((5, 5, 5), None, False, (5,)),
        ((7, 5, 5), 7, False, (5,)),
        ((4,), 4, False, ()),
        ((), None, False, ()),
    ],
)
def test_the_highest_amount_that_only_one_bid(auction, amounts, wins, remark, tied):
    """3, resolution 3: amounts bid by two or more count for nobody, next DISTINCT amount repeatedly; else Spades."""
    play = auction.clubs()
    for player, amount in zip("acdeb", amounts, strict=False):
        play.bid(player, f"9C {amount}")
    play.resolve()
    fact = play.became("9C")
    assert fact.bid == wins and fact.tied == tied and fact.because_of_invalid_bids is remark
    if wins is None:
        assert fact.to == "b" and fact.why == "no_valid_bids"
    else:
        assert fact.to == dict(zip(amounts, "acdeb", strict=False))[wins] and fact.why == "won"


def test_all_bids_are_paid(auction):
    """3, resolution 1: the sum of all bids is deducted, won or not, tied or destroyed."""
    play = auction.clubs()
    play.bid("a", "2C 5, 3C 7")
    play.bid("b", "2C 5")
    play.bid("c", "3C 9", destroy="4C")
    play.bid("e", "4C 11")
    play.resolve()
    assert play.chips() == {"a": 62, "b": 69, "c": 85, "d": 104, "e": 94}


def test_spades_takes_what_has_no_valid_bid(auction):
    """3, Spades: cards without a bid, or with ties only; all thirteen when nobody bids."""
    play = auction.clubs()
    play.resolve()
    assert play.cards() == {"b": "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"}


def test_diamonds_collects_once(auction):
    """3, Diamonds: all chips bid on the card, its own bid included; bidders still lose them; once in the match."""
    play = auction.clubs()
    play.bid("a", "7C 6", diamonds="7C")
    play.bid("d", "7C 6")
    play.bid("e", "7C 10")
    play.resolve()
    assert play.chips()["a"] == 74 - 6 + 22 and play.became("7C").to == "e"
    assert play.chips()["d"] == 98 and play.chips()["e"] == 95
    play.refuse(auction.sheet("a", "2D 1", diamonds="2D"), "used")
    play.bid("a", "2D 1")


def test_diamonds_needs_no_bid_of_its_own(auction):
    """3, Diamonds: it may be named with no bid at all, or on a card that nobody bids on."""
    play = auction.clubs()
    play.bid("a", diamonds="7C")
    play.bid("e", "7C 10")
    play.resolve()
    assert play.chips()["a"] == 84
    later = auction.clubs()
    later.bid("a", diamonds="7C")
    later.resolve()
    assert later.chips()["a"] == 74 and later.state.used == {"diamonds"}


def test_hearts_gives_the_card_it_wins(auction):
    """3, Hearts: a recipient for any bid, different ones on different cards, unlimited; only if that bid wins."""
    play = auction.clubs()
    play.bid("d", "2C 5, 3C 5, 4C 5, 5C 2", gift=("2C=a", "3C=b", "5C=c"))
    play.bid("e", "5C 3")
    play.resolve()
    assert [(play.became(card).to, play.became(card).why) for card in ("2C", "3C", "4C", "5C")] == [
        ("a", "gift"),
        ("b", "gift"),
        ("d", "won"),
        ("e", "won"),
    ]
    assert play.chips()["d"] == 104 - 17
    play.bid("d", "2D 5", gift=("2D=a",))
    play.resolve()
    assert play.became("2D").to == "a"


def test_clubs_destroys_once(auction):
    """3, Clubs: nobody gets the card, not Spades either; chips bid on it are lost; once in the match."""
    play = auction.clubs()
    play.bid("c", "6C 4", destroy="6C")
    play.bid("e", "6C 9")
    play.resolve()
    assert play.became("6C").to is None and play.became("6C").why == "destroyed"
    assert play.chips()["c"] == 90 and play.chips()["e"] == 96
    play.refuse(auction.sheet("c", destroy="2D"), "used")


def test_the_joker_does_nothing_further(auction):
    """3, Joker: neither power of another."""
    play = auction.clubs()
    for given in ({"destroy": "2C"}, {"diamonds": "2C"}, {"gift": ("2C=a",)}):
        play.refuse(auction.sheet("e", "2C 1", **given), "not_owned")


def test_the_clubs_round_of_pa2(auction):
    """3, PA2: a whole round, card by card and chip by chip."""
    play = auction.clubs()
    play.bid("a", "2C 5, 3C 4, 5C 6, 6C 8, 7C 1", diamonds="7C")
    play.bid("b", "2C 5, 3C 4")
    play.bid("c", "2C 3, 3C 2", destroy="6C")
    play.bid("d", "3C 2, 5C 7, 7C 10, KC 3", gift=("5C=c", "KC=a"))
    play.bid("e", "6C 9, 7C 12, KC 20, AC 0")
    play.resolve()
    assert play.chips() == {"a": 73, "b": 65, "c": 89, "d": 82, "e": 64}
    assert play.cards() == {"b": "3C 4C 8C 9C 10C JC QC AC", "c": "2C 5C", "e": "7C KC"}


def test_a_sheet_is_valid_as_a_whole(auction):
    """3, S-9: one card of another suit, and the sheet is refused as it stands; the one before it counts."""
    play = auction.clubs()
    play.bid("a", "2C 5")
    play.refuse(auction.sheet("a", "2C 9, 2D 1"), "other_round")
    play.resolve()
    assert play.became("2C").bid == 5


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("2C -1", "amount"),
        ("2C 1.5", "amount"),
        ("2C x", "amount"),
        ("2C", "bid"),
        ("1C 5", "card"),
        ("2C 1, 2c 2", "bid_twice"),
    ],
)
def test_what_is_no_bid(typed, code):
    """3, PA-5: a non-negative whole number for a card, each card once; nothing is guessed."""
    with pytest.raises(Unreadable) as refusal:
        read_bids(typed)
    assert refusal.value.code == f"poker_auction.{code}"


def test_spellings():
    """3: cards and amounts as hosts type them become one spelling, in the order of the cards."""
    assert read_bids("ac 20; KC=11\n♣2: 3") == "2C 3, KC 11, AC 20"
    assert read_bids("") == ""
    assert [read_card(word) for word in ("10c", "tc", "CT", "♠a", "qH")] == ["10C", "10C", "10C", "AS", "QH"]


# ---- section 5: the end --------------------------------------------------------------------------------------------


def test_the_winner_and_the_lowest(auction):
    """5, S-2: highest hand: two tokens, five garnets; everybody has five cards, so the lowest hand is EC."""
    play = auction.ended(CARDS)
    assert play.result().ranking == (("a",), ("b",), ("c",), ("d",), ("e",))
    assert play.result().elimination == ("e",)
    assert tokens(play) == {"a": 2} and play.garnets()["a"] == 2 + 5
    assert kinds(play) == ["gift"] and play.state.table.status == "deciding"
    assert play.result().scores == {"a": 9, "b": 8, "c": 7, "d": 5, "e": 1}


def test_the_second_token(auction):
    """PA-22, S-2: it goes to anybody but a holder and the EC; it lapses after `gift_hours`."""
    play = auction.ended(CARDS, settings={"gift_hours": 2})
    play.refuse(shared.Gift("a", "e"), "gift_candidate")
    play.refuse(shared.Gift("a", "a"), "gift_candidate")
    play.do(shared.Gift("a", "c"))
    assert tokens(play) == {"a": 1, "c": 1} and play.state.table.status == "finished"
    for hours in (2, 48):
        late = auction.ended(CARDS, settings={"gift_hours": hours})
        late.wait(late.now + 2 * HOUR)
        assert tokens(late) == ({"a": 1} if hours == 2 else {"a": 2})


def test_too_few_cards(auction):
    """5: with fewer than five cards a player is EC without comparison, and the lowest hand is not."""
    play = auction.ended({**CARDS, "d": "5C 6D 7H 8S"})
    assert play.result().elimination == ("d",) and play.result().ranking[-1] == ("d",)
    assert play.view()["players"]["d"] | {"garnets": 0, "chips": 0} == {
        "chips": 0, "power": "hearts", "cards": ["5C", "6D", "7H", "8S"], "garnets": 0, "best": None, "auto_ec": True,
    }  # fmt: skip


def test_the_result_follows_an_override_after_the_end(auction):
    """Host powers: cards, garnets, chips and powers can be set after the end; the result follows, purses balance."""
    play = auction.ended(CARDS)
    play.do(shared.Gift("a", "c"))
    play.do(hand_set("a", "AS KS QS JS 10D"))  # a straight; b's four is better now
    assert tokens(play) == {"b": 2} and play.garnets() == {"a": 2, "b": 10, "c": 1, "d": 3, "e": 0}
    assert "gift" in kinds(play) and play.result().elimination == ("e",)
    play.do(shared.Override("garnets", "e", "7"))
    play.do(shared.Override("chips", "e", "3"))
    play.do(shared.Override("power", "e", "none"))
    assert play.garnets()["e"] == 7 and play.chips()["e"] == 3 and "e" not in play.powers()
    assert sum(play.state.table.purses.values()) == 0
    play.do(hand_set("a", CARDS["a"]))
    assert tokens(play) == {"a": 1, "c": 1} and play.garnets()["a"] == 7 and play.garnets()["b"] == 5


def test_laws_that_an_override_breaks(auction):
    """Host powers: no rule refuses an override; what it breaks is said until it is mended."""
    play = auction.clubs()
    assert play.game.invariants(play.state) == ()
    play.resolve()
    assert play.game.invariants(play.state) == ()
    play.do(hand_set("a", "2C AS"))
    broken = play.game.invariants(play.state)
    assert broken == ("2C is owned 2 times", "AS is owned, though its round is not resolved")
    play.do(hand_set("a", "none"))
    play.do(hand_set("b", " ".join(DECK[1:13])))
    assert play.game.invariants(play.state) == ("2C is owned by nobody",)
    play.do(shared.Override("power", "a", "spades"))
    assert "spades is held twice" in play.game.invariants(play.state)
    with pytest.raises(Unreadable):
        play.do(shared.Override("hand", "a", "2C"))
    with pytest.raises(Unreadable):
        play.do(shared.Override("chips", "a", "-1"))


def test_a_destroyed_card_that_is_owned_breaks_a_law(auction):
    """3, Clubs: nobody gets the card; where a host gives it to somebody all the same, it is said."""
    play = auction.clubs()
    play.bid("c", destroy="6C")
    play.resolve()
    play.do(hand_set("a", "6C"))
    assert play.game.invariants(play.state) == ("6C is owned, though it went",)


def test_chips_below_zero_break_a_law(auction):
    """PA-6: only who sent a sheet over budget has fewer than no chips; the rules see to it, and the engine too."""
    state = auction.clubs().state
    below = state._replace(chips={**state.chips, "a": -1, "b": 0})
    assert auction.clubs().game.invariants(below) == ("a has -1 chips",)
    assert auction.clubs().game.invariants(below._replace(overdrawn=frozenset("a"))) == ()


@pytest.mark.parametrize(
    ("field", "typed", "kept"), [("chips", "07", "7"), ("cards", "as, 10c", "10C AS"), ("power", " Joker ", "joker")]
)
def test_an_override_is_recorded_in_one_spelling(auction, field, typed, kept):
    """Host powers: the log holds what was meant, however it was typed."""
    play = auction()
    (action,) = play.game.prepare(play.state, shared.Override(field, "a", typed), None)
    assert action.value == kept


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
    play.do(shared.Override("power", "a", "none"))
    play.do(shared.Override("power", "e", "diamonds"))
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
        facts = play.do(shared.Override("power", "a", "none"))
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


# ---- section 7: the gaps -------------------------------------------------------------------------------------------


def test_pa_1_round_hours(auction):
    """PA-1: a round lasts `round_hours` (24 by default); then what comes is late, and resolving is another step."""
    for hours in (24, 6):
        play = auction.clubs(settings={"round_hours": hours} if hours != 24 else {})
        began = play.now
        play.bid("a", "2C 5")
        play.now = began + hours * HOUR - 1
        play.bid("c", "3C 5")
        play.now = began + hours * HOUR
        play.bid("e", "4C 5")
        assert [s.late for p in "ace" for s in play.state.table.round.sheets[p]] == [False, False, True]
        assert play.on == "clubs"
        play.resolve()
        assert play.cards()["a"] == "2C" and play.cards()["c"] == "3C" and "e" not in play.cards()


def test_pa_1_each_round_has_its_own_clock(auction):
    """PA-1: the next round's hours run from the resolve before it; powers are on from `open`."""
    play = auction()
    assert play.state.table.ends == play.opened + 24 * HOUR
    play.now += 30 * HOUR
    play.resolve()
    assert play.state.table.ends == play.now + 24 * HOUR


def test_pa_2_all_pay(auction):
    """PA-2: everybody pays what he submitted, whichever power he gets."""
    play = auction()
    for player, chips in zip(PLAYERS, (50, 40, 30, 20, 10), strict=True):
        play.power(player, chips, "S>D>H>C>J")
    play.resolve()
    assert play.powers() == dict(zip(PLAYERS, POWERS, strict=True))
    assert play.chips() == {"a": 54, "b": 64, "c": 74, "d": 84, "e": 94 + 26}


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("", ()),
        ("J", ("joker",)),
        ("j>s", ("joker", "spades")),
        ("H>H>D", ("hearts", "diamonds")),
        ("clubs, joker", ("clubs", "joker")),
        ("SDHCJ", ("spades", "diamonds", "hearts", "clubs", "joker")),
    ],
)
def test_pa_3_incomplete_rankings(auction, typed, named):
    """PA-3: missing powers follow in the printed order S, D, H, C, J; one named again counts where it stood first."""
    assert read_ranking(typed) == named
    play = auction()
    (fact,) = play.power("a", 10, typed)
    wanted = [*named, *(p for p in POWERS if p not in named)]
    assert fact.sheet.content.ranking == ">".join(wanted) and fact.sheet.content.named == len(named)
    play.resolve()
    assert play.powers()["a"] == wanted[0]


def test_pa_3_no_submission(auction):
    """PA-3: who submits nothing bids 0 and takes what is left, in the printed order."""
    play = auction(garnets={"a": 4, "b": 3, "c": 2, "d": 1, "e": 0})
    play.do(shared.Blank("b"))
    play.resolve()
    assert play.powers() == dict(zip(PLAYERS, POWERS, strict=True))
    assert play.chips() == {**dict.fromkeys(PLAYERS, 104), "e": 130}
    with pytest.raises(Unreadable):
        read_ranking("S>X")


def tie(auction: Any, power_tie: str, **given: Any) -> Any:
    """a and b tie at 20 chips; a holds more garnets, b bids more where garnets are bid."""
    play = auction(garnets={"a": 5, "b": 3, "c": 2, "d": 1}, settings={"power_tie": power_tie, **given})
    bid = {"a": 1, "b": 2, "c": 2} if power_tie == "bid" else {"a": 0, "b": 0, "c": 0}
    play.power("a", 20, "S", garnets=bid["a"])
    play.power("b", 20, "S", garnets=bid["b"])
    play.power("c", 10, "S", garnets=bid["c"])
    return play


def test_pa_4_holdings(auction):
    """PA-4, default: more garnets held first; nothing is spent; a garnet bid is refused."""
    play = tie(auction, "holdings")
    play.refuse(a.Power("d", 20, "spades", 1), "garnets")
    play.resolve()
    assert play.powers()["a"] == "spades" and play.powers()["b"] == "diamonds"
    assert play.garnets() == {"a": 5, "b": 3, "c": 2, "d": 1, "e": 0}


def test_pa_4_a_garnet_bid(auction):
    """PA-4, `power_tie = bid`: more garnets bid first. Who ties in chips pays his bid, who does not keeps it."""
    play = tie(auction, "bid")
    play.refuse(a.Power("d", 20, "spades", 2), "not_enough_garnets")
    paid = [(m.src, m.to, m.garnets, m.rule) for m in only(play.resolve(), table_facts.Moved)]
    assert paid == [("b", BANK, 2, "PA-4"), ("a", BANK, 1, "PA-4")]
    assert play.powers()["b"] == "spades" and play.powers()["a"] == "diamonds"
    assert play.garnets() == {"a": 4, "b": 1, "c": 2, "d": 1, "e": 0}
    assert sum(play.state.table.purses.values()) == 0


def test_pa_4_a_garnet_bid_is_never_more_than_held(auction):
    """PA-4, S-6: garnets lost after the sheet came in are not bid; no purse falls below zero."""
    play = tie(auction, "bid")
    play.do(shared.Penalty("b", 3))
    play.resolve()
    assert play.powers()["a"] == "spades" and play.garnets()["b"] == 0


def test_pa_4_lot(auction):
    """PA-4: equal garnets, or `power_tie = lot`: a seeded lot that can be repeated, or an outcome typed in."""
    seen = set()
    for order in (("a", "b", "c", "d", "e"), ("b", "a", "c", "d", "e")):
        play = tie(auction, "lot")
        play.resolve(drawn=order)
        seen.add(play.powers()["a"])
    assert seen == {"spades", "diamonds"}
    drawn = tie(auction, "lot")
    (action,) = drawn.game.prepare(drawn.state, shared.Resolve(), _Luck(40))
    assert sorted(action.drawn) == list(PLAYERS) and action.seed == bytes(32).hex()
    assert drawn.game.audit(drawn.state, action, 40) is None
    other = action._replace(drawn=action.drawn[::-1])
    assert "another order" in (drawn.game.audit(drawn.state, other, 40) or "")
    assert "hex" in (drawn.game.audit(drawn.state, action._replace(seed="zz"), 40) or "")


def test_pa_4_only_a_tie_is_drawn_for(auction):
    """PA-4: the lot decides between equals only. PA-18: it is drawn always, so that it tells nobody of a tie."""
    for order in (("e", "d", "c", "b", "a"), ("a", "b", "c", "d", "e")):
        play = auction()
        for player, chips in zip(PLAYERS, (50, 40, 30, 20, 10), strict=True):
            play.power(player, chips, "S")
        play.resolve(drawn=order)
        assert play.powers() == dict(zip(PLAYERS, POWERS, strict=True))
    play = auction()
    (action,) = play.game.prepare(play.state, shared.Resolve(), _Luck(9))
    assert len(action.drawn) == 5 and action.seed
    play.refuse(shared.Resolve("power", ("a", "b")), "drawn")


class _Luck:
    published = None

    def __init__(self, seq: int) -> None:
        self.seq = seq

    def seed(self) -> bytes:
        return bytes(32)


@pytest.mark.parametrize(("min_bid", "to", "why"), [(1, "b", "no_valid_bids"), (0, "e", "won")])
def test_pa_5_zero_bids(auction, min_bid, to, why):
    """PA-5: 0 is no bid while `min_bid` is 1; with 0 a lone 0 beats Spades."""
    play = auction.clubs(settings={"min_bid": min_bid})
    play.bid("e", "AC 0")
    play.bid("a", "KC 0")
    play.bid("c", "KC 0")
    play.resolve()
    assert (play.became("AC").to, play.became("AC").why) == (to, why)
    assert play.became("KC").to == "b" and play.became("KC").tied == (() if min_bid else (0,))
    assert play.chips()["e"] == 105


def test_pa_6_overspending_is_refused(auction):
    """PA-6, default: a sheet over budget is refused, and the previous valid sheet stays."""
    play = auction.clubs()
    play.bid("a", "2C 70, 3C 4")
    refusal = play.refuse(auction.sheet("a", "2C 70, 3C 5"), "over_budget")
    assert "the sheet before it still counts" in refusal.what and "--as-sent" in refusal.fix
    assert "before it" not in play.refuse(auction.sheet("c", "2C 95"), "over_budget").what
    play.resolve()
    assert play.chips()["a"] == 0


@pytest.mark.parametrize("how", ["as_sent", "flag"])
def test_pa_6_overspending_recorded(auction, how):
    """PA-6: as sent, or with `overspend = flag`: all is deducted, so chips fall below zero; who won a card so is EC
    without comparison, who did not is not; ties that the bids make stand."""
    play = auction.clubs(settings={"overspend": "flag"} if how == "flag" else {})
    sent = {"as_sent": True} if how == "as_sent" else {}
    play.bid("a", "2C 60, 3C 30", **sent)
    play.bid("c", "4C 80, 5C 20", **sent)
    play.bid("e", "4C 80, 5C 25")
    facts = play.resolve()
    assert only(facts, f.Overspent) == [f.Overspent("a", "clubs", True), f.Overspent("c", "clubs", False)]
    assert play.chips()["a"] == -16 and play.chips()["c"] == -6
    assert play.became("4C").to == "b" and play.became("5C").to == "e"
    assert play.game.invariants(play.state) == ()
    assert play.view()["players"]["a"]["auto_ec"] is True and play.view()["players"]["c"]["auto_ec"] is False
    assert "auto_ec" not in play.view("a")["players"]["a"]
    for name in ("diamonds", "hearts", "spades"):
        assert play.on == name
        play.resolve()
    for player in PLAYERS:
        play.do(hand_set(player, CARDS[player]))
    assert play.result().elimination == ("a",) and tokens(play) == {"b": 2}


def test_pa_6_all_chips_are_no_debt_and_one_more_is(auction):
    """PA-6: who submits the 104 he has is within his budget; with nothing left one chip is over it."""
    play = auction(settings={"overspend": "flag"})
    play.power("a", 104, "S")
    assert not only(play.resolve(), f.Overspent) and play.chips()["a"] == 0
    play.bid("a", "2C 1")
    assert only(play.resolve(), f.Overspent) == [f.Overspent("a", "clubs", True)]


def test_pa_6_an_overspender_who_gives_the_card_away(auction):
    """PA-6: he won it with his sheet: Elimination Candidate, not the recipient."""
    play = auction.clubs()
    play.bid("d", "2C 105", gift=("2C=c",), as_sent=True)
    play.resolve()
    assert play.became("2C").to == "c" and play.state.overspent == {"d"}


def test_pa_6_a_debt_in_the_power_round(auction):
    """PA-6: as sent, more than 104 for powers is a debt; it wins no card, so nobody is EC for it alone."""
    play = auction()
    play.power("a", 120, "J", as_sent=True)
    play.resolve()
    assert play.chips()["a"] == -16 + 26 and play.state.overspent == frozenset()
    other = auction()
    other.power("a", 120, "S", as_sent=True)
    facts = other.resolve()
    assert other.chips()["a"] == -16 and only(facts, f.Overspent) == [f.Overspent("a", "power", False)]
    other.refuse(auction.sheet("a", "2C 1"), "over_budget")
    other.bid("a", "2C 0")  # spends nothing
    assert other.game.invariants(other.state) == ()


@pytest.mark.parametrize(
    ("multi_ec", "elimination", "open_kinds"),
    [
        ("all", ("b", "c", "e"), ["gift"]),
        ("winner_picks", (), ["choose"]),
        ("fewest_cards", (), ["lot"]),
        ("lot", (), ["lot"]),
    ],
)
def test_pa_7_several_with_too_few_cards(auction, multi_ec, elimination, open_kinds):
    """PA-7: all are EC; or the winner picks one; or the fewest cards (equal: a lot); or a lot."""
    cards = {**CARDS, "b": "2C 2D", "c": "3C 3D", "e": "AC KC QC"}
    play = auction.ended(cards, settings={"multi_ec": multi_ec})
    assert play.result().elimination == elimination and kinds(play) == open_kinds
    if multi_ec == "winner_picks":
        (decision,) = play.state.table.decisions
        assert decision.who == ("a",) and decision.among == ("b", "c", "e")
        asked = "You choose who is Elimination Candidate: B, C or E."
        opened = only(play.told, table_facts.DecisionOpened)[-1:]
        assert [asked in str(play.game.tell(play.state, opened, v)) for v in ("a", "b", "public")] == [
            True,
            False,
            False,
        ]
        play.refuse(shared.Choose("a", "d"), "choose_candidate")
        play.refuse(shared.Choose("b", "c"), "no_choose_right")
        play.do(shared.Choose("a", "c"))
        assert play.result().elimination == ("c",)
    elif multi_ec != "all":
        (decision,) = play.state.table.decisions
        assert decision.about == "elimination"
        assert decision.among == (("b", "c") if multi_ec == "fewest_cards" else ("b", "c", "e"))
        play.do(shared.Lot((), "b"))
        assert play.result().elimination == ("b",)
    assert kinds(play) == ["gift"]


def test_pa_7_who_was_picked_is_no_candidate_any_more(auction):
    """PA-7, host powers: a host gives the picked player five cards: the winner picks anew among the others."""
    cards = {**CARDS, "b": "2C 2D", "c": "3C 3D", "e": "AC KC QC"}
    play = auction.ended(cards, settings={"multi_ec": "winner_picks"})
    play.do(shared.Choose("a", "c"))
    play.do(hand_set("c", CARDS["c"]))
    (decision,) = play.state.table.decisions
    assert (decision.kind, decision.who, decision.among) == ("choose", ("a",), ("b", "e"))
    assert play.result().elimination == ()


def test_pa_7_the_fewest_cards(auction):
    """PA-7, `fewest_cards`: one player has fewer than the others."""
    play = auction.ended({**CARDS, "b": "2C", "c": "3C 3D"}, settings={"multi_ec": "fewest_cards"})
    assert play.result().elimination == ("b",)


@pytest.mark.parametrize("hours", [24, 3])
def test_pa_7_the_winner_does_not_pick(auction, hours):
    """PA-7, `vote_hours`: a winner who does not pick in time leaves it to a lot."""
    cards = {**CARDS, "b": "2C", "c": "3C 3D"}
    play = auction.ended(cards, settings={"multi_ec": "winner_picks", "vote_hours": hours})
    play.wait(play.now + hours * HOUR - 1)
    assert kinds(play) == ["choose"]
    play.wait(play.now + 1)
    assert kinds(play) == ["lot"]


def test_pa_7_nobody_has_five(auction):
    """PA-7: nobody has five cards: no winner, no garnets, and all are EC; with a lot, one of them."""
    play = auction.ended({"a": "2C", "b": "3C"})
    assert tokens(play) == {} and play.result().elimination == PLAYERS and play.garnets()["a"] == 2
    assert play.state.table.status == "finished"
    for multi_ec in ("lot", "winner_picks"):
        other = auction.ended({}, settings={"multi_ec": multi_ec})
        assert kinds(other) == ["lot"]
    one = auction.ended({"a": "2C"}, settings={"multi_ec": "fewest_cards"})
    (decision,) = one.state.table.decisions
    assert decision.kind == "lot" and decision.among == ("b", "c", "d", "e")


def test_pa_8_destroyed(auction):
    """PA-8: a destroyed card goes neither to Spades nor to a Hearts recipient; Diamonds collects; no bid is needed."""
    play = auction.clubs()
    play.bid("c", destroy="6C")
    play.bid("d", "6C 8", gift=("6C=a",))
    play.bid("a", "6C 3", diamonds="6C")
    play.resolve()
    assert play.became("6C").to is None and "6C" not in " ".join(play.cards().values())
    assert play.chips()["a"] == 74 - 3 + 11 and play.state.used == {"clubs", "diamonds"}
    quiet = auction.clubs()
    quiet.bid("c", destroy="6C")
    quiet.resolve()
    assert quiet.became("6C").why == "destroyed" and quiet.state.used == {"clubs"}


@pytest.mark.parametrize(("flush_tie", "winner"), [("suit", "a"), ("next_cards", "b")])
def test_pa_9_flush_tie(auction, flush_tie, winner):
    """PA-9: flushes with the same highest card: suit at once, or the next cards. The reading changes the winner."""
    cards = {
        "a": "AS 9S 4S 3S 2S",
        "b": "AH KH QH JH 9H",
        "c": "2C 3D 4D 5D 7C",
        "d": "2D 3C 4C 5C 7D",
        "e": "2H 3H 6C 7S 8D",
    }
    play = auction.ended(cards, settings={"flush_tie": flush_tie})
    assert play.result().ranking[0] == (winner,) and tokens(play) == {winner: 2}


def test_pa_10_and_11_suits_decide(auction):
    """PA-10, PA-11: a straight by the suit of its top card; two pair by the suit of the higher pair."""
    cards = {
        "a": "5C 6D 7H 8S 9S",
        "b": "5D 6H 7C 8C 9H",
        "c": "KS KD 3C 3D 2H",
        "d": "KH KC 3S 3H AC",
        "e": "2C 4C 6S 8D 10D",
    }
    play = auction.ended(cards)
    assert play.result().ranking == (("a",), ("b",), ("c",), ("d",), ("e",))


@pytest.mark.parametrize(("kickers", "first", "second"), [(False, "c", "d"), (True, "d", "c")])
def test_pa_12_kickers(auction, kickers, first, second):
    """PA-12: no side card counts by default; with `kickers` ranks of the side cards come before suits."""
    cards = {"a": "2C 3C", "b": "4C", "c": "7S 7D 2H 3H 4H", "d": "7H 7C AC KC QC", "e": "2D 3D 5S 6S 9D"}
    play = auction.ended(cards, settings={"kickers": kickers})
    assert play.result().ranking[:3] == ((first,), (second,), ("e",))


def test_pa_13_the_best_suit_is_shown(auction):
    """PA-13: of hands equal in what is compared, the one with the best suit."""
    play = auction.ended({**CARDS, "a": "9C 9S 9H 2D KS 2S 2H"})
    assert play.view()["players"]["a"]["best"] == {"class": "full", "cards": ["9S", "9H", "9C", "2S", "2H"]}


def test_pa_14_a_gift_to_a_stranger(auction):
    """PA-14: the recipient is another player of this match."""
    play = auction.clubs()
    with pytest.raises(Unreadable) as refusal:
        play.bid("d", "2C 5", gift=("2C=zoe",))
    assert refusal.value.code == "player.unknown" and "zoe" in refusal.value.what


@pytest.mark.parametrize("announce_gift", [False, True])
def test_pa_14_hearts(auction, announce_gift):
    """PA-14: a gift to oneself is none; to a bidder of the card it may go; it is announced only by setting."""
    play = auction.clubs(settings={"announce_gift": announce_gift})
    facts = play.bid("d", "2C 5, 3C 5", gift=("2C=d", "3C=a"))
    assert "gift to oneself is none" in play.game.explain(play.state, facts[0]).text
    play.bid("a", "3C 4")
    play.resolve()
    assert (play.became("2C").to, play.became("2C").why) == ("d", "won")
    assert (play.became("3C").to, play.became("3C").why) == ("a", "gift")
    shown = play.view("public")["rounds"][0]["cards"]
    assert shown["3C"]["why"] == ("gift" if announce_gift else "received") and shown["2C"]["why"] in ("won", "received")


@pytest.mark.parametrize("announce_diamonds", [False, True])
def test_pa_15_what_is_announced(auction, announce_diamonds):
    """PA-15: the use of Clubs is seen after the round; that of Diamonds only by setting, and never the amount."""
    play = auction.clubs(settings={"announce_diamonds": announce_diamonds})
    play.bid("a", "2C 17", diamonds="2C")
    play.bid("c", destroy="6C")
    facts = play.resolve()
    said = str(play.game.tell(play.state, facts, "public"))
    assert (
        "6C: destroyed" in said and ("Diamonds was used on 2C" in said) is announce_diamonds and "17 chips" not in said
    )
    shown = play.view("public")["rounds"][0]
    assert shown.get("diamonds", "absent") == ("2C" if announce_diamonds else "absent")


def test_pa_16_unused_powers(auction):
    """PA-16: named in a sheet that was withdrawn or replaced before the deadline is not used; it lapses at the end."""
    play = auction.clubs()
    play.bid("a", "2C 1", diamonds="2C")
    play.bid("a", "2C 1")
    play.bid("c", destroy="3C")
    play.do(a.Withdraw("c"))
    play.resolve()
    assert play.state.used == frozenset() and play.became("3C").why == "no_valid_bids"
    play.skip_to("spades")
    play.bid("a", "2S 1", diamonds="2S")
    play.resolve()
    assert play.chips()["a"] == 74 - 1 and play.state.used == {"diamonds"}


def test_pa_17_chips_are_not_traded(auction):
    """PA-17: no verb moves chips, none turns garnets into chips, and left-over chips break no tie."""
    play = auction.ended(CARDS)
    before = play.result()
    for player in PLAYERS:
        play.do(shared.Override("chips", player, "999"))
    assert play.result() == before
    with pytest.raises(Refused):
        play.do(shared.Gift("b", "c"))


def test_pa_18_power_bids_are_secret(auction):
    """PA-18: chips and rankings submitted are told to nobody; the powers are."""
    play = auction()
    play.power("a", 33, "J")
    facts = play.resolve()
    for viewer in ("public", "b"):
        said = str(play.game.tell(play.state, facts, viewer)) + json.dumps(play.view(viewer))
        assert "33" not in said and "power_bid" not in said
    assert "A has Joker" in str(play.game.tell(play.state, facts, "public"))
    assert "33" in str(play.game.tell(play.state, facts, "a"))


@pytest.mark.parametrize("players", ["ab", "abc", "abcd"])
def test_pa_19_fewer_players(auction, players):
    """PA-19: fewer players leave powers unowned; without a Spades owner unsold cards are discarded."""
    play = auction(players=players)
    for player in players:
        play.power(player, 10, "D>H>C>J>S")
    play.resolve()
    assert sorted(play.powers().values()) == sorted(("diamonds", "hearts", "clubs", "joker")[: len(players)])
    play.bid("a", "2C 1")
    play.resolve()
    assert play.became("3C").to is None and play.became("3C").why == "no_valid_bids" and play.became("2C").to == "a"
    assert play.game.invariants(play.state) == ()
    assert "is discarded" in str(play.game.tell(play.state, list(play.state.results["clubs"]), "public"))


def test_pa_19_more_than_five(auction):
    """PA-19: more than five are not supported: play is not opened."""
    play = auction(players="abcdef", opened=False)
    play.refuse(shared.Open(), "roster")


@pytest.mark.parametrize("can_win", [False, True])
def test_pa_20_an_overspender_with_the_highest_hand(auction, can_win):
    """PA-20: he wins no token and the next hand takes all; by setting he wins, and is EC all the same."""
    play = auction.clubs(settings={"auto_ec_can_win": can_win})
    play.bid("a", "2C 99", as_sent=True)
    play.resolve()
    play.skip_to("spades")
    play.resolve()
    for player in PLAYERS:
        play.do(hand_set(player, CARDS[player]))
    assert play.result().elimination == ("a",)
    assert tokens(play) == ({"a": 2} if can_win else {"b": 2})
    assert play.result().ranking[0 if can_win else -1] == ("a",)
    assert play.garnets()["a"] == (7 if can_win else 2)


def test_pa_21_no_tie_for_last(auction):
    """PA-21: the order is total, so there is one lowest hand. Equal hands that an override makes: a lot."""
    play = auction.ended({**CARDS, "d": CARDS["e"]})
    assert play.result().elimination == () and kinds(play) == ["lot"]
    (decision,) = play.state.table.decisions
    assert decision.among == ("d", "e")


def test_pa_23_garnets_as_of_the_deadline(auction):
    """PA-23: garnets held when the power round closes break ties, not those held when it is resolved."""
    play = tie(auction, "holdings")
    play.close()
    play.do(shared.Penalty("a", 5))
    play.resolve()
    assert play.powers()["a"] == "spades"
    early = tie(auction, "holdings")
    early.do(shared.Penalty("a", 5))
    early.resolve()
    assert early.powers()["b"] == "spades"


def test_pa_23_a_round_that_was_open_again(auction):
    """PA-23: a deadline that was moved is the one that counts."""
    play = tie(auction, "holdings")
    play.close()
    play.do(shared.Reopen())
    assert play.state.table.round.closed is None
    play.do(shared.Penalty("a", 5))
    play.resolve()
    assert play.powers()["b"] == "spades"


@pytest.mark.parametrize("number", range(1, 24))
def test_every_gap_is_settled_on_the_page(number, root):
    """PA-1 to PA-23: each is a setting, or a decision that is written down."""
    page = (Path(root) / "docs" / "games" / "poker_auction.md").read_text(encoding="utf-8")
    said = page.partition(f"* **PA-{number}. ")[2].partition("\n* **")[0]
    assert "*Setting" in said or "*Decided*" in said


# ---- the season layer ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("grace", "late"), [(0, True), (60, False)])
def test_s_g1_grace(auction, grace, late):
    """S-G1: a submission in the grace still counts; half-open."""
    play = auction.clubs(settings={"grace_seconds": grace})
    play.close()
    play.now += 59_999
    play.bid("a", "2C 1")
    assert play.state.table.round.sheets["a"][0].late is late
    play.now += 1
    play.bid("c", "3C 1")
    assert play.state.table.round.sheets["c"][0].late is True


def test_s_g1_a_late_sheet_counts_by_a_ruling(auction):
    """S-G1: kept, marked late, counted only when a ruling admits it; then it replaces the one before it."""
    play = auction.clubs()
    play.bid("a", "2C 1")
    play.close()
    (late,) = play.bid("a", "3C 2")
    play.bid("a", "4C 3")
    seq = late.sheet.seq
    facts = play.do(shared.Ruling(f"admit {seq} he wrote in time, the server was down"))
    assert only(facts, table_facts.Remarked)
    play.refuse(shared.Ruling(f"admit {seq}"), "not_late")
    play.refuse(shared.Ruling("admit 1"), "not_late")
    play.resolve()
    assert play.cards()["a"] == "3C"
    play.refuse(shared.Ruling(f"admit {seq}"), "not_late")


def test_s_g1_a_late_withdrawal_does_not_count(auction):
    """S-G1: what comes after the deadline changes nothing, a withdrawal and a blank neither."""
    play = auction.clubs()
    play.bid("a", "2C 1")
    play.bid("c", "3C 1")
    play.close()
    play.do(a.Withdraw("a"))
    play.do(shared.Blank("c"))
    play.resolve()
    assert play.cards()["a"] == "2C" and play.cards()["c"] == "3C"


def test_s_10_blank_is_not_silence(auction):
    """S-10: who said that he submits nothing owes nothing; who was silent does; neither has bids."""
    play = auction.clubs()
    play.bid("a", "2C 1")
    play.do(shared.Blank("a"))
    play.bid("c", "3C 1")
    play.do(a.Withdraw("c"))
    play.bid("d", "4C 1")
    assert [due.who for due in play.game.waiting(play.state)] == ["b", "c", "e"]
    assert [play.view(p)["submitted"] for p in "acd"] == [True, False, True]
    play.refuse(a.Withdraw("c"), "nothing_sent")
    play.resolve()
    assert play.cards() == {"b": "2C 3C 5C 6C 7C 8C 9C 10C JC QC KC AC", "d": "4C"}
    assert play.chips()["a"] == 74


def test_s_g3_a_player_leaves(auction):
    """S-G3, PA-24: who left submits nothing more and is not waited for; what was sent counts; without it, no power."""
    play = auction()
    play.power("a", 3, "J")
    play.do(shared.Drop("a"))
    play.do(shared.Drop("b"))
    play.refuse(a.Power("b", 3, "spades"), "left")
    assert [due.who for due in play.game.waiting(play.state)] == ["c", "d", "e"]
    play.resolve()
    assert play.powers()["a"] == "joker" and "b" not in play.powers()


def test_s_11_a_setting_is_amended(auction):
    """S-11: from now on, the result too."""
    cards = {
        "a": "AS 9S 4S 3S 2S",
        "b": "AH KH QH JH 9H",
        "c": "2C 3D 4D 5D 7C",
        "d": "2D 3C 4C 5C 7D",
        "e": "2H 3H 6C 7S 8D",
    }
    play = auction.ended(cards)
    assert tokens(play) == {"a": 2}
    play.do(shared.AmendSetting("flush_tie", "next_cards"))
    assert tokens(play) == {"b": 2} and play.garnets()["b"] == 10 and play.garnets()["a"] == 2
    with pytest.raises(Unreadable):
        play.do(shared.AmendSetting("min_bid", "2"))


def test_deadline_and_pause(auction):
    """Host powers: a deadline moves, a closed round takes sheets again, a pause moves the end."""
    from events import write_instant

    play = auction.clubs()
    ends = play.state.table.ends
    play.do(shared.Pause())
    assert play.view("public")["paused"] is True
    play.now += 5 * HOUR
    play.do(shared.Resume())
    assert "paused" not in play.view("public")
    assert play.state.table.ends == ends + 5 * HOUR
    play.close()
    play.do(shared.Deadline(write_instant(play.now + HOUR)))
    play.bid("a", "2C 1")
    assert not play.state.table.round.sheets["a"][0].late
    play.wait(play.now + HOUR)
    play.bid("c", "3C 1")
    assert play.state.table.round.sheets["c"][0].late
    play.do(shared.Reopen("clubs"))
    play.bid("e", "4C 1")
    assert not play.state.table.round.sheets["e"][0].late and play.state.table.ends is None
    play.refuse(shared.Reopen("power"), "reopen")
    play.refuse(shared.Close("spades"), "not_this_round")
    assert play.do(shared.Close("power")) == []


def test_what_the_hosts_see_of_a_round(auction):
    """S-9, S-10: hosts see what counts of each player now; others whether their own is in."""
    play = auction.clubs()
    play.bid("d", "2C 5, 3C 1", gift=("2C=a",))
    play.bid("a", "2C 3", diamonds="7C")
    play.bid("a", "2C 4", diamonds="8C")
    play.do(shared.Blank("b"))
    play.bid("c", destroy="6C")
    assert play.view()["sheets"] == {
        "a": "2C 4 --diamonds 8C", "b": "blank", "c": "--destroy 6C", "d": "2C 5, 3C 1 --gift 2C=a", "e": None,
    }  # fmt: skip
    assert "closed" not in play.view("public")
    play.close()
    assert play.view("public")["closed"] is True and "sheets" not in play.view("a")
    facts = play.do(shared.Reopen())
    assert "takes submissions again" in str(play.game.tell(play.state, facts, "public"))
    assert "closed" not in play.view("e") and play.view("e")["submitted"] is False
    power = auction()
    power.power("a", 7, "J")
    assert power.view()["sheets"]["a"] == "7 joker>spades>diamonds>hearts>clubs"


def test_a_lower_budget_after_the_sheet(auction):
    """PA-6: what counts is the chips held when the round is resolved: a host who lowers them sees who overspends."""
    play = auction.clubs()
    play.bid("a", "2C 70")
    play.do(shared.Override("chips", "a", "60"))
    facts = play.resolve()
    assert only(facts, f.Overspent) == [f.Overspent("a", "clubs", True)] and play.chips()["a"] == -10
