"""Poker Auction, one test per numbered rule: sections 1 to 5 of the rule page, and its season layer.

Each docstring begins with the rule it holds. The expected values were worked out from the pages by hand; every setting
is tested both ways. The gaps (PA-n): test_poker_auction_gaps; who is told what: test_poker_auction_told; what hands are
worth: test_poker_auction_hands.
"""

from __future__ import annotations

import pytest

from events.errors import Refused, Unreadable
from games.poker_auction import actions as a, facts as f
from games.poker_auction.actions import read_bids
from games.poker_auction.cards import DECK, ROUNDS, read_card
from games.table import actions as shared, facts as table_facts
from tests.support.auction import CARDS, HOUR, PLAYERS, hand_set
from tests.support.play import kinds, only, tokens

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
        ("4C 3 bob", "bid"),
        ("clubs 2C 5 3C 4", "bid"),
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
    assert read_bids("ac 20; KC=11\n♣2: 3") == read_bids("AC=20 KC=11 2C - 3") == "2C 3, KC 11, AC 20"
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
    play.do(shared.Override("a", "power", "spades"))
    assert "spades is held twice" in play.game.invariants(play.state)
    with pytest.raises(Unreadable):
        play.do(shared.Override("a", "hand", "2C"))
    with pytest.raises(Unreadable):
        play.do(shared.Override("a", "chips", "-1"))


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
    (action,) = play.game.prepare(play.state, shared.Override("a", field, typed), None)
    assert action.value == kept


# ---- the season layer ----------------------------------------------------------------------------------------------


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
    play = auction(settings={"leaver_result": "out"})
    play.power("a", 3, "J")
    play.do(shared.Drop("a"))
    play.do(shared.Drop("b"))
    play.refuse(a.Power("b", 3, "spades"), "left")
    assert [due.who for due in play.game.waiting(play.state)] == ["c", "d", "e"]
    play.resolve()
    assert play.powers()["a"] == "joker" and "b" not in play.powers()
    play.skip_to("spades")
    play.resolve()
    assert not any(play.view()["players"][player]["auto_ec"] for player in "ab"), "who left is out"


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
    assert "is open again, and has no end until a host sets one" in str(play.game.tell(play.state, facts, "public"))
    assert "closed" not in play.view("e") and play.view("e")["submitted"] is False
    power = auction()
    power.power("a", 7, "J")
    assert power.view()["sheets"]["a"] == "7 joker>spades>diamonds>hearts>clubs"


def test_a_lower_budget_after_the_sheet(auction):
    """PA-6: what counts is the chips held when the round is resolved: a host who lowers them sees who overspends."""
    play = auction.clubs()
    play.bid("a", "2C 70")
    play.do(shared.Override("a", "chips", "60"))
    facts = play.resolve()
    assert only(facts, f.Overspent) == [f.Overspent("a", "clubs", True)] and play.chips()["a"] == -10
