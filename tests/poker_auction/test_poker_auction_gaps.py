"""Poker Auction, rule by rule (as test_poker_auction_rules): the gaps, PA-n."""

from __future__ import annotations

import json
from typing import Any

import pytest

from events.errors import Refused, Unreadable
from games.poker_auction import actions as a, facts as f
from games.poker_auction.actions import POWERS, read_ranking
from games.table import actions as shared, facts as table_facts
from games.table.state import BANK
from tests.support.auction import CARDS, HOUR, PLAYERS, hand_set
from tests.support.play import kinds, only, tokens

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
    for typed in ("S>X", "SDHCJ X"):
        with pytest.raises(Unreadable, match='"x" is no power'):
            read_ranking(typed)


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
        play.do(shared.Override(player, "chips", "999"))
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
    assert "no valid bids, discarded" in str(play.game.tell(play.state, list(play.state.results["clubs"]), "public"))


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
