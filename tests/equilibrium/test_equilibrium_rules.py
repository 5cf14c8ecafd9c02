"""Equilibrium, one test per numbered rule: sections 1 to 8 of the rule page.

Each docstring begins with the rule it holds. The expected values were worked out from the pages by hand; every setting
is tested both ways. The gaps (EQ-n): test_equilibrium_gaps; the season layer (S-n): test_equilibrium_season.
"""

from __future__ import annotations

import pytest

from events.errors import LedgerError, Unreadable
from games.equilibrium import actions as a, facts as f
from games.equilibrium.cards import DECK, classify, equilibrium, placing, sort
from games.kit import luck
from games.table import actions as shared, facts as table_facts
from tests.support.ended import DEAL, ENDS, HOUR, Fixed, awards, cards, ended, hand_set
from tests.support.play import kinds, only, tokens

# ---- section 1: setup -------------------------------------------------------------------------------------------


def test_the_deck(match):
    """1: 40 cards, values 1 to 10, red and black, two copies of each; eight players, five each, nothing left over."""
    assert len(DECK) == 40
    assert {card: DECK.count(card) for card in DECK} == {f"{c}{v}": 2 for c in "RB" for v in range(1, 11)}
    play = match(hands=DEAL)
    assert play.game.players == (8, 8)
    assert sorted(card for hand in play.state.hands.values() for card in hand) == sorted(DECK)
    assert {len(hand) for hand in play.state.hands.values()} == {5}


def test_a_hand_is_a_sorted_tuple(match):
    """1: copies have no identity; a hand is a sorted tuple of faces, however it was typed."""
    one, other = match(hands=DEAL), match(hands={**DEAL, "p1": "R2 B9 R9 B4 R4"})
    assert one.state.hands == other.state.hands
    assert one.state.hands["p1"] == ("R2", "B4", "R4", "B9", "R9")


@pytest.mark.parametrize(
    "hands",
    [
        {**DEAL, "p1": "R4 B4 R9 B9 R4"},  # a third R4 and one R2
        {**DEAL, "p1": "R4 B4 R9 B9"},
        {**DEAL, "p1": "R4 B4 R9 B9 R2 R2", "p7": "R1 R4 R6 B8"},
    ],
    ids=["three of a copy", "a card short", "six and four"],
)
def test_a_deal_that_is_not_the_deck(match, hands):
    """1: a typed deal must be the deck, five each; otherwise nothing is dealt."""
    play = match()
    with pytest.raises(LedgerError) as refusal:
        for player, text in hands.items():
            play.do(shared.Hand(player, tuple(text.split())))
        play.do(shared.Deal("typed"))
    assert refusal.value.code.startswith("equilibrium.")
    play.refuse(shared.Open())


def test_a_seeded_deal(match):
    """1: a drawn deal is the published shuffle of the deck in its documented order; the same seed deals the same."""

    play = match()
    actions = play.game.prepare(play.state, shared.Deal(), Fixed())
    for action in actions:
        play.do(action)
    order = [f"{c}{v}" for v in range(1, 11) for c in "BR" for _ in range(2)]
    wanted = luck.deal(order, play.state.table.seats, 5, luck.mix(bytes(range(32))))
    assert play.state.hands == {p: sort(hand) for p, hand in wanted.items()}
    deal = actions[-1]
    assert deal.method == "drawn" and deal.seed == bytes(range(32)).hex()
    assert play.game.audit(play.state, deal, 18) is None


def test_garnets_of_the_season(match):
    """1: each player brings the garnets he holds."""
    play = match(hands=DEAL, garnets={"p1": 1, "p3": 3}, settings={"garnet_hands": []})
    assert play.garnets() == {"p1": 1, "p2": 0, "p3": 3, "p4": 0, "p5": 0, "p6": 0, "p7": 0, "p8": 0}


def test_more_than_two_alike_only_by_recolouring(match):
    """1: at most four of any value exist; more than two of one face become possible only by recolouring."""
    play = match(hands={"p1": "R7 R7 B7 B7 R2"}, garnets={"p1": 3}, settings={"garnet_hands": []})
    play.do(a.Recolour("p1", "B7"))
    play.do(a.Recolour("p1", "B7"))
    assert play.state.hands["p1"] == cards("R2 R7 R7 R7 R7")
    assert classify(play.state.hands["p1"]).name == "four"
    assert play.game.invariants(play.state) == ()


# ---- section 2: phases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        a.Trade("p1", "R2", "p2", "B4"),
        a.Offer("p1", "R2", "p2", "B4"),
        a.Accept("p2", "p1"),
        a.Recolour("p1", "R2"),
        a.Lock("p1"),
        a.Unlock("p1"),
        a.Withdraw("p1", "p2"),
        a.Decline("p2", "p1"),
    ],
    ids=lambda action: type(action).__name__,
)
def test_pregame_is_for_questions(match, action):
    """2: nothing but questions before trading is opened, the deal included; a note may be kept."""
    play = match(garnets={"p1": 3})
    play.refuse(action, "not_open")
    play = match(hands=DEAL, opened=False, garnets={"p1": 3})
    play.refuse(action, "not_open")
    play.do(shared.Note("a question"))
    play = match(hands=DEAL, garnets={"p1": 3})
    play.refuse(action, "trading_over", at=play.opened + 72 * HOUR)


def test_the_deal_comes_before_play(match):
    """2: PREGAME, DEAL, TRADING in that order; the deal happens once."""
    match().refuse(shared.Open())
    play = match(hands=DEAL)
    play.refuse(shared.Hand("p1", cards(DEAL["p1"])))
    play.refuse(shared.Deal("typed"))
    play.refuse(shared.Open())


def test_trading_is_72_hours(match):
    """2: 72 hours, half-open: the last millisecond is in time, the end itself is not."""
    play = match(hands=DEAL)
    end = play.opened + 72 * HOUR
    assert play.state.table.ends == end
    play.do(a.Trade("p1", "R2", "p2", "B4"), at=end - 1)
    play.refuse(a.Trade("p1", "R9", "p3", "B5"), at=end)
    assert play.state.over
    other = match(hands=DEAL, settings={"trading_hours": 5})
    other.refuse(a.Lock("p1"), at=other.opened + 5 * HOUR)


def test_trading_ends_when_all_are_locked(match):
    """2: the eighth lock ends trading, before the clock does."""
    play = match(hands=DEAL)
    for n in range(1, 8):
        play.do(a.Lock(f"p{n}"))
    assert play.state.playing
    play.do(a.Lock("p8"))
    assert play.state.over
    play.refuse(a.Trade("p1", "R2", "p2", "B4"))


def test_final_is_instant(match):
    """2: FINAL evaluates, awards and finds the EC at the very end; with nothing to decide the match is finished."""
    play = match(hands={**ENDS, "p4": "B9 B6 B5 B4 B3"})
    play.do(hand_set("p4", "B8 B7 B5 B4 B3"))  # p3 and p4 no longer tie: 27 and 27, but the poker hand decides
    assert kinds(play) == [] and not play.state.table.awards
    facts = play.wait(play.opened + 72 * HOUR)
    assert len(only(facts, table_facts.TokenAwarded)) == 3 and only(facts, table_facts.EliminationFound)
    assert play.result().status == "finished" and play.state.table.phase == "finished"


def test_gift_and_vote_only_when_needed(match):
    """2: GIFT and EC VOTE only when needed, `vote_hours` and `gift_hours` (24) long, from the end."""
    play = ended(match)
    assert play.result().status == "deciding"
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.among, vote.ends) == ("vote", ("p3", "p4"), play.now + 24 * HOUR)
    play = ended(match, settings={"vote_hours": 3})
    assert play.state.table.decisions[0].ends == play.now + 3 * HOUR
    best = {"p1": "R9 R9 B9 B9 R10", "p4": "B8 B7 B5 B4 B3"}
    play = ended(match, best, settings={"gift_hours": 7, "tol_conditions": ["best_er", "best_poker"]})
    (gift,) = play.state.table.decisions
    assert (gift.kind, gift.who, gift.ends) == ("gift", ("p1",), play.now + 7 * HOUR)


# ---- section 3: actions -----------------------------------------------------------------------------------------


def test_offer_is_checked_on_the_side_of_its_maker(match):
    """3: an offer needs TRADING, a pair that has not traded, and the card that is given."""
    play = match(hands=DEAL)
    play.refuse(a.Offer("p1", "R10", "p2", "B4"))
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    play.do(a.Accept("p2", "p1"))
    play.refuse(a.Offer("p1", "R9", "p2", "R6"), "pair_used")
    play.refuse(a.Offer("p2", "R6", "p1", "R9"), "pair_used")


def test_offer_to_oneself(match):
    """3: a trade is between two players."""
    play = match(hands=DEAL)
    for action in (a.Offer("p1", "R2", "p1", "R4"), a.Trade("p1", "R2", "p1", "R4")):
        with pytest.raises(Unreadable):
            play.do(action)


def test_withdraw_and_decline(match):
    """3: the proposer withdraws, the partner declines; a closed offer cannot be accepted, another can be made."""
    play = match(hands=DEAL)
    play.refuse(a.Withdraw("p1", "p2"))
    play.refuse(a.Decline("p2", "p1"))
    for close in (a.Withdraw("p1", "p2"), a.Decline("p2", "p1")):
        play.do(a.Offer("p1", "R2", "p2", "B4"))
        play.do(close)
        play.refuse(a.Accept("p2", "p1"))
        assert play.state.offers == {}
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    play.refuse(a.Withdraw("p2", "p1"))  # it is not his
    play.refuse(a.Decline("p1", "p2"))


def test_accept_swaps_at_once(match):
    """3: accept swaps one card each way, marks the pair used, and checks both hands for garnets."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    assert play.state.hands["p1"] == cards(DEAL["p1"])
    play.refuse(a.Accept("p1", "p2"))  # only the partner accepts
    play.refuse(a.Accept("p3", "p1"))
    facts = play.do(a.Accept("p2", "p1"))
    assert play.state.hands["p1"] == cards("R4 B4 B4 R9 B9")
    assert play.state.hands["p2"] == cards("R2 R6 R7 R8 R10")
    assert list(play.state.traded) == [("p1", "p2")]
    assert {fact.player: fact.hand_class for fact in only(facts, f.ClassTicked)} == {"p1": "full", "p2": "flush"}
    assert play.garnets()["p1"] == play.garnets()["p2"] == 1
    play.refuse(a.Accept("p2", "p1"))


def test_accept_needs_both_cards_at_that_instant(match):
    """3: what was held when the offer was made does not matter; both cards are needed when it is accepted."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    play.do(a.Trade("p1", "R2", "p3", "B5"))
    play.refuse(a.Accept("p2", "p1"))
    assert ("p1", "p2") not in play.state.traded
    play.do(a.Trade("p1", "B5", "p7", "R2"))  # he has one again
    play.do(a.Accept("p2", "p1"))


def test_trade_is_offer_and_acceptance_in_one(match):
    """3: `trade A CARD B CARD` gives the same state as an offer and its acceptance."""
    one, two = match(hands=DEAL), match(hands=DEAL)
    one.do(a.Trade("p1", "R2", "p2", "B4"))
    two.do(a.Offer("p1", "R2", "p2", "B4"))
    two.do(a.Accept("p2", "p1"))
    assert one.state.hands == two.state.hands and one.garnets() == two.garnets()
    assert set(one.state.traded) == set(two.state.traded) and one.state.offers == two.state.offers == {}


def test_recolour_pays_one_and_flips(match):
    """3: recolour costs 1, flips one held card, needs a garnet, is instant."""
    play = match(hands=DEAL, garnets={"p1": 1})
    play.refuse(a.Recolour("p1", "R10"))
    play.do(a.Recolour("p1", "R2"))
    assert play.state.hands["p1"] == cards("B2 R4 B4 R9 B9") and play.garnets()["p1"] == 0
    play.refuse(a.Recolour("p1", "R4"))
    assert play.garnets()["p1"] == 0


def test_lock_is_a_marker(match):
    """3: a lock changes nothing but the marker; twice is refused, and so is unlocking what is not locked."""
    play = match(hands=DEAL)
    before = play.state
    play.refuse(a.Unlock("p1"))
    play.do(a.Lock("p1"))
    play.refuse(a.Lock("p1"))
    assert play.state._replace(locked={}) == before and list(play.state.locked) == ["p1"]
    play.do(a.Unlock("p1"))
    assert play.state == before


# ---- section 4: order inside one event --------------------------------------------------------------------------


def test_the_cost_comes_before_the_reward(match):
    """4: the garnet is paid first, so at the cap a recolour into a paying class pays itself back."""
    play = match(hands=DEAL, garnets={"p3": 3})
    facts = play.do(a.Recolour("p3", "R9"))
    assert play.state.hands["p3"] == cards("B5 B6 B7 B8 B9") and play.garnets()["p3"] == 3
    (ticked,) = only(facts, f.ClassTicked)
    assert (ticked.hand_class, ticked.garnet, ticked.by) == ("flush", "received", "recolour")
    moved = only(facts, table_facts.Moved)
    assert [(m.src, m.to) for m in moved] == [("p3", "bank"), ("bank", "p3")]


def test_a_class_is_ticked_for_ever(match):
    """4: once per class and player: leaving the class and making it again pays nothing; another player is paid."""
    play = match(hands=DEAL, settings={"garnet_cap": 9})
    play.do(a.Trade("p1", "R2", "p2", "B4"))  # p1 full, p2 flush
    assert (play.garnets()["p1"], play.garnets()["p2"]) == (1, 1)
    play.do(a.Trade("p1", "B4", "p8", "R1"))  # p1 leaves the full house
    facts = play.do(a.Trade("p1", "R1", "p7", "R4"))  # and makes it again
    assert classify(play.state.hands["p1"]).name == "full"
    assert [t.player for t in only(facts, f.ClassTicked) if t.player == "p1"] == []
    assert play.garnets()["p1"] == 1
    play.do(a.Trade("p4", "R5", "p5", "R3"))
    assert play.garnets()["p4"] == 1


# ---- sections 5, 6 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("R4 R4 B4 B4 R9", "four"),
        ("R4 R4 B4 B9 R9", "full"),
        ("R4 R5 R6 R7 R9", "flush"),
        ("R4 R5 R6 R7 R8", "flush"),
        ("R4 R4 R7 R7 R9", "flush"),
        ("R4 R4 R4 R9 R9", "full"),
        ("R4 R4 R4 R4 R9", "four"),
        ("R4 R4 R4 R8 R9", "flush"),
        ("R4 B5 R6 R7 R8", "straight"),
        ("R4 R4 B4 R8 R9", "trips"),
        ("R4 B4 R8 B8 R9", "two_pair"),
        ("R4 B4 R8 B7 R9", "pair"),
        ("R4 B2 R8 B7 R9", "high"),
        ("R10 B1 R2 B3 R4", "high"),
        ("R10 R9 R8 R7 B1", "high"),
    ],
)
def test_classes(text, name):
    """5: each hand has exactly one class, the highest that fits; five consecutive of one colour are a flush."""
    assert classify(cards(text)).name == name


def test_equilibrium_rank():
    """6: ER = |black - red|, by cards or by values; the worked example gives 1 and 2, total 28 either way."""
    assert equilibrium(cards("R9 B9 R2 B4 R4"), "count") == (1, 28)
    assert equilibrium(cards("R9 B9 R2 B4 R4"), "value") == (2, 28)


def test_ties_in_er(match):
    """6: a smaller difference is better; a tie goes to the larger total; equal in both is tied."""
    play = ended(match)
    ranks = play.result().ranking
    assert ranks == (("p5",), ("p2",), ("p6",), ("p1",), ("p7",), ("p8",), ("p3", "p4"))
    assert play.result().scores == {"p1": 1, "p2": 1, "p3": 5, "p4": 5, "p5": 1, "p6": 1, "p7": 1, "p8": 3}


# ---- section 7: tokens and EC -----------------------------------------------------------------------------------


def test_one_token_for_each_condition(match):
    """7: best ER, best poker hand, lowest sum of placings; one token each."""
    play = ended(match)
    assert awards(play) == {"best_er": "p5", "best_poker": "p1", "lowest_placing_sum": "p2"}
    assert tokens(play) == {"p1": 1, "p2": 1, "p5": 1}


def test_placing():
    """7: placing = 1 + number of strictly better players, so ties share it and the next one is skipped."""
    assert placing({"a": (1,), "b": (2,), "c": (2,), "d": (3,)}) == {"a": 1, "b": 2, "c": 2, "d": 4}


def test_tied_poker_goes_to_the_better_er(match):
    """7: a tie in a condition: the better ER wins."""
    changed = {"p1": "R7 R7 B7 R8 R8"}  # the full house of p2 with a difference of 3
    play = ended(match, changed, settings={"tol_conditions": ["best_poker"]})
    assert awards(play) == {"best_poker": "p2"}


def test_a_token_tied_in_everything_is_not_awarded(match):
    """7: still tied after both: that token is not awarded; the next condition is not touched by it."""
    changed = {"p1": "R9 R9 B9 R10 B10", "p2": "B9 R9 B9 R10 B10", "p5": "R4 B4 R9 B9 B8"}
    play = ended(match, changed, settings={"tol_conditions": ["best_er", "best_poker", "lowest_placing_sum"]})
    assert awards(play) == {} and tokens(play) == {}


def test_ec_is_the_worst_er_without_a_token(match):
    """7: the EC is found among players without a token; here the worst of all holds one."""
    changed = {"p1": "R2 R2 R2 R2 R1", "p3": "R9 R6 B5 B4 R3", "p4": "B9 B6 R5 R4 B3"}
    play = ended(match, changed, settings={"tol_conditions": ["best_poker"]})
    assert awards(play) == {"best_poker": "p1"}
    assert play.result().ranking[-1] == ("p1",)
    assert play.result().elimination == ("p8",)  # the only other one with a difference above 1


def test_ec_tied_goes_to_the_worse_poker_hand(match):
    """7: a tie for the worst ER: the worse poker hand."""
    play = ended(match, {"p4": "B8 B7 B6 B5 B1"})  # 5 and 27 as p3, a flush lower in its first card
    assert play.result().elimination == ("p4",)
    play = ended(match, {"p4": "B10 B7 B5 B4 B1"})  # higher
    assert play.result().elimination == ("p3",)


def test_ec_tied_in_both_is_voted_on(match):
    """7: still tied: the ToL holders vote."""
    play = ended(match)
    (vote,) = play.state.table.decisions
    assert (vote.kind, set(vote.who), vote.among) == ("vote", {"p1", "p2", "p5"}, ("p3", "p4"))
    assert play.result().elimination == ()
    for voter, candidate in (("p1", "p3"), ("p2", "p4"), ("p5", "p4")):
        play.do(shared.Vote(voter, candidate))
    play.wait(play.now + 24 * HOUR)
    assert play.result().elimination == ("p4",) and play.result().status == "finished"


# ---- section 8 --------------------------------------------------------------------------------------------------


def test_a_reward_is_never_taken_back(match):
    """8: +1 at once, never taken back when the hand changes; no garnet for winning."""
    play = match(hands=DEAL)
    assert play.garnets()["p6"] == 1
    play.do(a.Trade("p6", "B9", "p7", "R1"))
    assert classify(play.state.hands["p6"]).name != "flush" and play.garnets()["p6"] == 1
    before = play.garnets()
    play.do(shared.Close())
    assert play.garnets() == before and tokens(play)
