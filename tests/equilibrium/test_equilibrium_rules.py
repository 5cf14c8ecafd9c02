"""Equilibrium, one test per numbered rule and per gap: each docstring begins with the rule it holds.

Rules are quoted from the rule page (sections 1 to 8, gaps EQ-n) and its season layer (S-n). The expected values were
worked out from those pages by hand; every setting is tested both ways.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from events.audiences import EVERYBODY_AFTER_END, HOST
from events.errors import LedgerError, Unreadable
from games.contract import Moment
from games.equilibrium import actions as a
from games.equilibrium import facts as f
from games.equilibrium.cards import DECK, sort
from games.equilibrium.hands import classify, equilibrium, placing
from games.kit import luck
from games.parts import HandDealt
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as table_facts

MINUTE, HOUR = 60_000, 3_600_000

DEAL = {
    "p1": "R4 B4 R9 B9 R2",
    "p2": "R6 R7 R8 R10 B4",
    "p3": "B5 B6 B7 B8 R9",
    "p4": "R3 B3 R10 B10 R5",
    "p5": "R3 B2 B6 B10 R8",
    "p6": "B1 B3 B5 B7 B9",
    "p7": "R1 R2 R4 R6 B8",
    "p8": "R1 R5 R7 B1 B2",
}
"""A whole deal: p1 two pair, p2 high card, p3 a straight, p4 two pair, p5 high card, p6 a flush, p7 and p8 little."""

ENDS = {
    "p1": "R1 R1 B1 B1 R10",
    "p2": "R7 B7 B7 R8 B8",
    "p3": "R9 R6 R5 R4 R3",
    "p4": "B9 B6 B5 B4 B3",
    "p5": "R10 B10 R9 B9 B8",
    "p6": "R2 B3 R4 B5 B6",
    "p7": "R2 B2 B2 R3 B4",
    "p8": "R5 R6 R7 R8 B10",
}
"""A whole deal taken as final hands: p3 and p4 are equal in everything and worst; p5, p1, p2 win the three tokens."""


class Fixed:
    """Luck of entry 10 without chance."""

    seq = 10
    published = None

    def seed(self) -> bytes:
        return bytes(range(32))


def cards(text: str) -> tuple[str, ...]:
    return sort(text.split())


def only(facts: list[Any], kind: type) -> list[Any]:
    return [fact for fact in facts if isinstance(fact, kind)]


def hand_set(player: str, text: str) -> shared.Override:
    return shared.Override("hand", player, text)


def ended(match: Any, changed: dict[str, str] | None = None, **given: Any) -> Any:
    """A match closed on the hands of `ENDS`, some of them set to others by a host; no garnet was earned."""
    given["settings"] = {"garnet_hands": [], **given.get("settings", {})}
    play = match(hands=ENDS, **given)
    for player, text in (changed or {}).items():
        play.do(hand_set(player, text))
    play.now += HOUR
    play.do(shared.Close())
    return play


def awards(play: Any) -> dict[str, str]:
    """Condition -> who won its token."""
    return {award.condition: award.player for award in play.state.table.awards}


def tokens(play: Any) -> dict[str, int]:
    return {p: n for p, n in play.state.table.tokens.items() if n}


def open_kinds(play: Any) -> list[str]:
    return [d.kind for d in play.state.table.decisions]


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


def trade_all(play: Any, pairs: Any) -> None:
    """Every pair trades whatever its players hold first."""
    for one, two in pairs:
        play.now += MINUTE
        play.do(a.Trade(one, play.state.hands[one][0], two, play.state.hands[two][0]))


PAIRS = list(combinations([f"p{n}" for n in range(1, 9)], 2))


def test_trading_ends_with_the_last_trade(match):
    """2: no trade possible any more, all 28 pairs used: over at the 28th trade, and not at the 27th."""
    play = match(hands=DEAL)
    trade_all(play, PAIRS[:-1])
    assert play.state.playing and play.state.trades_left() == 1
    trade_all(play, PAIRS[-1:])
    assert play.state.over


def test_final_is_instant(match):
    """2: FINAL evaluates, awards and finds the EC at the very end; with nothing to decide the match is finished."""
    play = match(hands={**ENDS, "p4": "B9 B6 B5 B4 B3"})
    play.do(hand_set("p4", "B8 B7 B5 B4 B3"))  # p3 and p4 no longer tie: 27 and 27, but the poker hand decides
    assert open_kinds(play) == [] and not play.state.table.awards
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


def test_one_trade_for_each_unordered_pair(match):
    """3: one trade per unordered pair per match, in whichever direction it is said; the hand size stays five."""
    play = match(hands=DEAL)
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    play.refuse(a.Trade("p1", "R9", "p2", "R10"), "pair_used")
    play.refuse(a.Trade("p2", "R10", "p1", "R9"), "pair_used")
    assert {len(hand) for hand in play.state.hands.values()} == {5}


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


def test_at_the_cap_the_garnet_is_discarded_and_the_class_burnt(match):
    """4: at the cap the class is ticked all the same and the garnet is lost."""
    play = match(hands=DEAL, garnets={"p4": 3})
    facts = play.do(a.Trade("p4", "R5", "p5", "R3"))
    assert [(t.hand_class, t.garnet) for t in only(facts, f.ClassTicked) if t.player == "p4"] == [("full", "at_cap")]
    assert play.garnets()["p4"] == 3
    play.do(a.Recolour("p4", "R10"))
    assert classify(play.state.hands["p4"]).name == "full" and play.garnets()["p4"] == 2


def test_ticks_are_each_players_own(match):
    """4: each affected player is looked at independently: one at the cap does not cost the other his garnet."""
    play = match(hands=DEAL, garnets={"p1": 3})
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    assert (play.garnets()["p1"], play.garnets()["p2"]) == (3, 1)


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


def test_tied_er_goes_to_the_better_poker_hand(match):
    """7: still tied: the better poker hand wins."""
    changed = {"p2": "R9 R9 B9 B9 R10"}  # 1 and 46, as p5 has; four of a kind against two pair
    play = ended(match, changed, settings={"tol_conditions": ["best_er"]})
    assert awards(play) == {"best_er": "p2"}


def test_tied_sum_goes_to_the_better_er(match):
    """7: sums of placings tie (1+2 and 2+1): the better ER wins."""
    changed = {"p1": "R9 R9 B9 B9 R10", "p2": "R9 R9 B9 R10 B10"}  # 46 and 47, four and full
    play = ended(match, changed, settings={"tol_conditions": ["lowest_placing_sum"]})
    assert awards(play) == {"lowest_placing_sum": "p2"}


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


def test_a_class_lost_at_the_cap_is_used_up(match):
    """8: lost if at the cap, and that class is then used up although the player has room later."""
    play = match(hands=DEAL, garnets={"p6": 3, "p7": 1})
    assert play.garnets()["p6"] == 3 and play.state.ticked["p6"] == {"flush": "at_cap"}
    play.do(a.Recolour("p6", "B9"))
    assert play.garnets()["p6"] == 2
    play.do(a.Recolour("p6", "R9"))
    assert classify(play.state.hands["p6"]).name == "flush" and play.garnets()["p6"] == 1


# ---- the gaps ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "winner", "scores"), [("count", "p5", (1, 1)), ("value", "p7", (10, 3))])
def test_er_metric(match, metric, winner, scores):
    """EQ-1: `er_metric` counts cards or sums values: another token holder, the same EC candidates."""
    play = ended(match, settings={"er_metric": metric})
    assert awards(play) == {"best_er": winner, "best_poker": "p1", "lowest_placing_sum": "p2"}
    assert (play.result().scores["p1"], play.result().scores["p7"]) == scores
    assert play.state.table.decisions[0].among == ("p3", "p4")


@pytest.mark.parametrize("name", ["four", "full", "flush", "straight", "trips", "two_pair", "pair", "high"])
def test_garnet_hands(match, name):
    """EQ-2: `garnet_hands` is any subset of the classes: what is in it pays at the deal, what is not does not."""
    hand = {
        "four": "R4 R4 B4 B4 R9", "full": "R4 R4 B4 B9 R9", "flush": "R1 R5 R6 R7 R9", "straight": "R4 B5 R6 R7 R8",
        "trips": "R4 R4 B4 R8 R9", "two_pair": "R4 B4 R8 B8 R9", "pair": "R4 B4 R8 B7 R9", "high": "R4 B2 R8 B7 R9",
    }[name]  # fmt: skip
    assert match(hands={"p1": hand}, settings={"garnet_hands": [name]}).garnets()["p1"] == 1
    others = [c for c in ("four", "full", "flush", "straight", "trips", "two_pair", "pair", "high") if c != name]
    assert match(hands={"p1": hand}, settings={"garnet_hands": others}).garnets()["p1"] == 0
    default = match(hands={"p1": hand}).garnets()["p1"]
    assert default == (1 if name in ("four", "full", "flush") else 0)


def test_tol_conditions_are_an_ordered_list(match):
    """EQ-3: `tol_conditions` is an ordered list of named comparators."""
    play = ended(match, settings={"tol_conditions": ["best_poker"]})
    assert awards(play) == {"best_poker": "p1"}
    play = ended(match, settings={"tol_conditions": ["lowest_placing_sum", "best_er"]})
    assert [award.condition for award in play.state.table.awards] == ["lowest_placing_sum", "best_er"]
    assert ended(match, settings={"tol_conditions": []}).state.table.awards == ()


def test_most_trades(match):
    """EQ-3: `most_trades` goes to the player with most trades, ties to the better ER."""
    play = match(hands=DEAL, settings={"tol_conditions": ["most_trades"]})
    play.do(a.Trade("p7", "R1", "p8", "R1"))
    play.do(a.Trade("p7", "R1", "p5", "R8"))
    play.do(shared.Close())
    assert awards(play) == {"most_trades": "p7"}
    play = match(hands=DEAL, settings={"tol_conditions": ["most_trades"]})
    play.do(a.Trade("p7", "R1", "p8", "R1"))  # by cards p7 has 4-1 = 3, p8 has 3-2 = 1
    play.do(shared.Close())
    assert awards(play) == {"most_trades": "p8"}


def test_most_garnets_earned(match):
    """EQ-3: `most_garnets_earned` counts garnets received for hands in this match, not those brought along."""
    play = match(hands=DEAL, garnets={"p1": 3, "p4": 3}, settings={"tol_conditions": ["most_garnets_earned"]})
    play.do(a.Trade("p4", "R5", "p5", "R3"))  # a full house, discarded at the cap
    play.do(shared.Close())
    assert awards(play) == {"most_garnets_earned": "p6"}


def test_host_decides(match):
    """EQ-3: `host_decides` leaves one token to a host, who awards it; nothing is awarded by the rules."""
    play = ended(match, {"p4": "B8 B7 B6 B5 B1"}, settings={"tol_conditions": ["best_poker", "host_decides"]})
    assert awards(play) == {"best_poker": "p1"} and open_kinds(play) == ["ruling"]
    assert play.result().status == "deciding"
    play.do(shared.Award("p8", "tokens", 1))
    assert tokens(play) == {"p1": 1, "p8": 1}
    assert play.result().status == "finished"


def test_dealt_hands_count(match):
    """EQ-4: a dealt hand pays at once by default; with the setting off the first trade that keeps it pays."""
    assert match(hands=DEAL).garnets()["p6"] == 1
    play = match(hands=DEAL, settings={"dealt_hands_count": False})
    assert play.garnets()["p6"] == 0 and play.state.ticked.get("p6", {}) == {}
    play.do(a.Trade("p6", "B9", "p7", "B8"))
    assert play.garnets()["p6"] == 1


def test_recolour_counts(match):
    """EQ-5: recolouring into a paying class pays by default; the setting turns it off."""
    assert match(hands=DEAL, garnets={"p3": 1}).garnets()["p3"] == 1
    for counts, left in ((True, 1), (False, 0)):
        play = match(hands=DEAL, garnets={"p3": 1}, settings={"recolour_counts": counts})
        play.do(a.Recolour("p3", "R9"))
        assert play.garnets()["p3"] == left
        assert ("flush" in play.state.ticked.get("p3", {})) == counts


def test_some_data_stay_secret_after_the_end(match):
    """EQ-6: after the end everybody sees final hands, class, ER, total, garnets; never trades, dealt hands, earned."""
    play = match(hands=DEAL)
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    assert "players" not in play.view("public")
    play.do(shared.Close())
    shown = play.view("public")["players"]
    assert set(shown) == set(DEAL)
    assert set(shown["p1"]) == {"hand", "class", "equilibrium", "total", "garnets"}
    assert shown["p1"] == {"hand": ["B4", "B4", "R4", "B9", "R9"], "class": "full", "equilibrium": 1, "total": 30,
                           "garnets": 1}  # fmt: skip
    assert set(play.view("p1")["players"]["p2"]) == set(shown["p2"])


def test_during_the_match_a_player_sees_himself_alone(match):
    """EQ-6: before the end a player sees his own cards and garnets, and nothing of anybody else."""
    play = match(hands=DEAL, garnets={"p1": 2})
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    shown = play.view("p2")
    assert set(shown["players"]) == {"p2"}
    assert shown["players"]["p2"]["hand"] == ["R2", "R6", "R7", "R8", "R10"]
    assert shown["players"]["p2"]["garnets"] == 1


def _during(play: Any) -> Any:
    return play


def _after(play: Any) -> Any:
    play.do(shared.Close())
    return play


def _said(play: Any, viewer: str) -> str:
    """All that the viewer is told of the match so far."""
    return repr(list(play.game.tell(play.state, play.told, viewer).blocks))


LINES = {
    "own_hand": ("owner", _during, "p1", lambda p: "hand" in p.view("p1")["players"]["p1"]),
    "own_garnets": ("owner", _during, "p1", lambda p: "garnets" in p.view("p1")["players"]["p1"]),
    "dealt_garnet": ("owner", _during, "p6", lambda p: "Flush, for the first time" in _said(p, "p6")),
    "trade_done": ("traders", _during, "p2", lambda p: "traded_with" in p.view("p2")["players"]["p2"]),
    "garnet_gained": ("owner", _during, "p1", lambda p: "Full House, for the first time" in _said(p, "p1")),
    "recolour_done": ("owner", _during, "p3", lambda p: "You paid" in _said(p, "p3")),
    "locked_count": ("everybody", _during, "p8", lambda p: p.view("p8").get("locked") == 1),
    "locks": ("everybody", _during, "p8", lambda p: p.view("p8")["players"].get("p5", {}).get("locked") is True),
    "final_hands": ("everybody_after_end", _after, "public", lambda p: "hand" in p.view("public")["players"]["p1"]),
    "final_classes": ("everybody_after_end", _after, "public", lambda p: "class" in p.view("public")["players"]["p1"]),
    "final_er": ("everybody_after_end", _after, "public", lambda p: "total" in p.view("public")["players"]["p1"]),
    "tokens": ("everybody_after_end", _after, "public", lambda p: bool(p.result("public").tokens)),
    "elimination": ("everybody_after_end", _after, "public", lambda p: bool(p.result("public").elimination)),
    "final_garnets": ("everybody_after_end", _after, "public", lambda p: bool(p.result("public").garnets)),
    "trades": ("everybody_after_end", _after, "public", lambda p: "traded_with" in p.view("public")["players"]["p1"]),
    "dealt_hands": ("everybody_after_end", _after, "public", lambda p: "dealt" in p.view("public")["players"]["p1"]),
    "recolours": ("everybody_after_end", _after, "public", lambda p: "recolours" in p.view("public")["players"]["p3"]),
    "earned": ("everybody_after_end", _after, "public", lambda p: "earned" in p.view("public")["players"]["p1"]),
}
"""Visibility line -> a level that shows it, when, to whom, and how that is seen. `votes` has a test of its own."""


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("shown", [True, False])
def test_every_line_of_the_information_table(match, line, shown):
    """EQ-6: each line of the information table is a setting: what it allows is shown, what it keeps is not."""
    level, when, _, seen = LINES[line]
    for hidden in ("host", "nobody_ever"):
        visibility = {line: level if shown else hidden}
        play = match(hands=DEAL, garnets={"p3": 1}, settings={"visibility": visibility})
        play.do(a.Trade("p1", "R2", "p2", "B4"))
        play.do(a.Recolour("p3", "R9"))
        play.do(a.Lock("p5"))
        assert seen(when(play)) == shown, hidden


@pytest.mark.parametrize("level", ["nobody_ever", "host", "everybody", "everybody_after_end"])
def test_votes_are_secret_by_default(match, level):
    """EQ-6: who voted for whom is never revealed, unless the host set it so before."""
    play = ended(match, settings={"visibility": {"votes": level}})
    for voter, candidate in (("p1", "p3"), ("p2", "p4"), ("p5", "p4")):
        play.do(shared.Vote(voter, candidate))
    assert ("votes" in play.view("public")) == level.startswith("everybody")
    default = ended(match)
    default.do(shared.Vote("p1", "p3"))
    assert "votes" not in default.view("public") and "votes" not in default.view("p2")


def test_the_table_of_lines_is_whole():
    """EQ-6: no line of the information table is without a test."""
    from games.equilibrium.settings import VISIBILITY

    assert {*LINES, "votes"} == set(VISIBILITY)


def test_a_trade_of_a_card_not_held_is_void(match):
    """EQ-7: refused, the pair is not used; to keep it for a penalty the host records a breach."""
    play = match(hands=DEAL)
    play.refuse(a.Trade("p6", "R1", "p7", "R2"))
    assert ("p6", "p7") not in play.state.traded
    before = play.state
    play.do(shared.Breach("p6"))
    assert (play.state.hands, play.garnets()) == (before.hands, {p: before.table.garnets(p) for p in DEAL})
    play.do(a.Trade("p6", "B1", "p7", "R2"))


def test_no_penalty_is_automatic(match):
    """EQ-7: a penalty is a host's ruling, of as many garnets as he says."""
    play = match(hands=DEAL, garnets={"p7": 2})
    play.do(shared.Breach("p7"))
    assert play.garnets()["p7"] == 2
    play.do(shared.Penalty("p7", 1))
    assert play.garnets()["p7"] == 1


def test_one_open_offer_in_each_direction(match):
    """EQ-8: one open offer per direction per pair; a new one replaces it; both directions may be open."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    facts = play.do(a.Offer("p1", "R9", "p2", "R10"))
    assert [c.why for c in only(facts, f.OfferClosed)] == ["replaced"]
    play.do(a.Offer("p2", "R6", "p1", "R4"))
    assert len(play.state.offers) == 2
    play.do(a.Accept("p2", "p1"))
    assert "R10" in play.state.hands["p1"] and play.state.offers == {}


def test_offers_do_not_expire(match):
    """EQ-8: no expiry before the end; withdrawable until confirmed."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    play.do(a.Offer("p1", "R2", "p3", "B5"))
    play.do(a.Accept("p2", "p1"), at=play.opened + 72 * HOUR - 1)
    play.do(a.Withdraw("p1", "p3"))


def test_the_same_offer_from_both_sides_is_a_trade(match):
    """EQ-8: both players naming the identical pair of cards independently is an offer and its confirmation."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    facts = play.do(a.Offer("p2", "B4", "p1", "R2"))
    assert len(only(facts, f.Traded)) == 1
    assert play.state.hands["p1"] == cards("R4 B4 B4 R9 B9") and play.state.offers == {}


def test_the_same_offer_from_both_sides_needs_both_cards(match):
    """EQ-8: as a confirmation it is void when the first card has gone meanwhile; the pair is not used."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    play.do(a.Trade("p1", "R2", "p3", "B5"))
    play.refuse(a.Offer("p2", "B4", "p1", "R2"), "card_not_held")
    assert ("p1", "p2") not in play.state.traded


def test_an_offer_does_not_ask_the_partners_hand(match):
    """EQ-9: an offer for a card that the partner lacks is taken like any other, and tells nobody anything."""
    has, lacks = match(hands=DEAL), match(hands=DEAL)
    facts = [play.do(a.Offer("p1", "R2", "p2", card)) for play, card in ((has, "B4"), (lacks, "B10"))]
    assert [type(fact) for fact in facts[0]] == [type(fact) for fact in facts[1]] == [f.Offered]
    assert has.view("p1") == lacks.view("p1")
    assert not has.game.tell(has.state, facts[0], "p1") or facts[0]


def test_a_refusal_to_accept_names_no_side(match):
    """EQ-9: what may be forwarded of a refused trade does not say which side lacked the card; the host is told."""
    texts = set()
    for give, take, lacking in (("R10", "B4", "P1"), ("R2", "B10", "P2")):
        play = match(hands=DEAL)
        refusal = play.refuse(a.Trade("p1", give, "p2", take))
        assert lacking in refusal.host_only
        texts.add((refusal.code, refusal.what, refusal.fix))
    assert len(texts) == 1


@pytest.mark.parametrize("allowed", [True, False])
def test_identical_cards(match, allowed):
    """EQ-10: R1 for R1 consumes the pair and changes nothing; `allow_identical_trade` false refuses it."""
    play = match(hands=DEAL, settings={"allow_identical_trade": allowed})
    before = play.state.hands
    if allowed:
        facts = play.do(a.Trade("p7", "R1", "p8", "R1"))
        assert play.state.hands == before and ("p7", "p8") in play.state.traded
        assert only(facts, f.ClassTicked) == []
    else:
        play.refuse(a.Trade("p7", "R1", "p8", "R1"))
        play.refuse(a.Offer("p7", "R1", "p8", "R1"))
        assert play.state.traded == {}
    play.do(a.Trade("p1", "R4", "p2", "B4"))  # the same value in the other colour is always legal


BEST_TWICE = {"p1": "R9 R9 B9 B9 R10", "p4": "B8 B7 B6 B5 B1"}
"""p1 is best in ER (1 and 46, before p5 by its poker hand) and in poker; p4 is EC."""
TWICE = ["best_er", "best_poker"]


def test_several_tokens_are_given_away(match):
    """EQ-11: by default he holds several and may give the surplus away, not to the EC and not to a holder."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE})
    assert awards(play) == {"best_er": "p1", "best_poker": "p1"} and tokens(play) == {"p1": 2}
    assert play.result().elimination == ("p4",)  # before the gift
    (gift,) = play.state.table.decisions
    assert (gift.kind, gift.who, set(gift.among)) == ("gift", ("p1",), {"p2", "p3", "p5", "p6", "p7", "p8"})
    play.do(shared.Gift("p1", "p8"))
    assert tokens(play) == {"p1": 1, "p8": 1} and play.result().status == "finished"


def test_the_next_best_gets_the_surplus(match):
    """EQ-11: `next_best`: each player at most one, the next best under that condition takes it."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE, "multi_tol": "next_best"})
    assert awards(play) == {"best_er": "p1", "best_poker": "p2"}
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE[::-1], "multi_tol": "next_best"})
    assert awards(play) == {"best_poker": "p1", "best_er": "p5"}


def test_the_surplus_lapses(match):
    """EQ-11: `lapse`: the surplus is lost, nobody else gets it."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE, "multi_tol": "lapse"})
    assert tokens(play) == {"p1": 1} and open_kinds(play) == [] and play.result().status == "finished"


def test_the_ec_is_found_before_gifts(match):
    """EQ-11: nobody is saved from being EC by a gift: gifts wait until the EC is found, and may not go to him."""
    play = ended(match, {"p1": BEST_TWICE["p1"]}, settings={"tol_conditions": TWICE})
    assert open_kinds(play) == ["vote"] and tokens(play) == {"p1": 2}
    play.refuse(shared.Gift("p1", "p3"))
    play.do(shared.Vote("p1", "p3"))
    assert play.result().elimination == ("p3",) and open_kinds(play) == ["gift"]
    play.refuse(shared.Gift("p1", "p3"))
    play.do(shared.Gift("p1", "p4"))
    assert tokens(play) == {"p1": 1, "p4": 1}


def test_both_traders_may_earn(match):
    """EQ-12: one trade may earn both traders a garnet, and no player two, since a hand has one class."""
    play = match(hands=DEAL, settings={"garnet_hands": ["four", "full", "flush", "straight", "trips", "two_pair"]})
    before = play.garnets()
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    assert {p: n - before[p] for p, n in play.garnets().items() if n != before[p]} == {"p1": 1, "p2": 1}


def test_contained_classes(match):
    """EQ-12: under `contains` a straight of one colour is both, a full house also trips and two pair."""
    pays = ["four", "full", "flush", "straight", "trips", "two_pair", "pair"]
    for mode, straight_flush, full in (("class", 1, 1), ("contains", 2, 4)):
        play = match(
            hands={"p1": "R4 R5 R6 R7 R8", "p2": "R9 B9 R9 B10 R10"},
            settings={"garnet_class_mode": mode, "garnet_hands": pays, "garnet_cap": 9, "max_garnets_from_match": 9},
        )
        assert (play.garnets()["p1"], play.garnets()["p2"]) == (straight_flush, full)


def test_two_limits(match):
    """EQ-13: the holding cap and the number received in this match are two limits; each discards on its own."""
    hand = {"p1": "R9 B9 R9 B10 R3", "p2": "R10 B1 R5 R6 R7"}
    play = match(hands=hand, settings={"garnet_cap": 9, "max_garnets_from_match": 1, "garnet_hands": ["full", "trips"]})
    assert play.garnets()["p1"] == 1  # trips, the one garnet of the match
    facts = play.do(a.Trade("p1", "R3", "p2", "R10"))
    assert play.state.ticked["p1"] == {"trips": "received", "full": "at_limit"} and play.garnets()["p1"] == 1
    assert [t.garnet for t in only(facts, f.ClassTicked) if t.player == "p1"] == ["at_limit"]
    play = match(hands=hand, settings={"garnet_cap": 1, "max_garnets_from_match": 3, "garnet_hands": ["full", "trips"]})
    play.do(a.Trade("p1", "R3", "p2", "R10"))
    assert play.state.ticked["p1"] == {"trips": "received", "full": "at_cap"} and play.garnets()["p1"] == 1


def test_the_match_limit_counts_received_not_held(match):
    """EQ-13: the limit of the match counts garnets received, spent or not, and not those brought along."""
    hand = {"p1": "R9 B9 R9 B10 R3", "p2": "R10 B1 R5 R6 R7"}
    given = {"garnet_cap": 9, "max_garnets_from_match": 1, "garnet_hands": ["full", "trips"]}
    play = match(hands=hand, garnets={"p1": 2}, settings=given)
    assert play.garnets()["p1"] == 3
    play.do(a.Recolour("p1", "R3"))
    play.do(a.Trade("p1", "B3", "p2", "R10"))
    assert play.garnets()["p1"] == 2 and play.state.ticked["p1"]["full"] == "at_limit"


def test_a_recoloured_card_keeps_its_colour(match):
    """EQ-14: the new colour travels with the card; whoever holds it may recolour it back, for a garnet again."""
    play = match(hands=DEAL, garnets={"p1": 2, "p3": 1})
    play.do(a.Recolour("p1", "R2"))
    play.do(a.Recolour("p1", "B2"))
    assert play.state.hands["p1"] == cards(DEAL["p1"]) and play.garnets()["p1"] == 0
    play.do(a.Trade("p1", "R2", "p3", "B5"))
    play.do(a.Recolour("p3", "R2"))
    assert "B2" in play.state.hands["p3"] and play.garnets()["p3"] == 0


def test_recolouring_unlocks(match):
    """EQ-14: a player may recolour while locked; it unlocks him and nobody else."""
    play = match(hands=DEAL, garnets={"p1": 1})
    play.do(a.Lock("p1"))
    play.do(a.Lock("p2"))
    play.do(a.Recolour("p1", "R2"))
    assert list(play.state.locked) == ["p2"]


# EQ-15 is a matter of the order of entries: see test_equilibrium_laws.py, and this one within one state.


def test_the_earlier_confirmation_stands(match):
    """EQ-15: two confirmed trades give away the same card: the earlier stands, the later is void, its pair unused."""
    play = match(hands=DEAL)
    play.do(a.Trade("p1", "R2", "p2", "B4"))
    play.refuse(a.Trade("p1", "R2", "p3", "B5"))
    assert ("p1", "p3") not in play.state.traded


@pytest.mark.parametrize("auto", [True, False])
def test_after_the_last_trade(match, auto):
    """EQ-16: the match ends at the 28th trade, unless `auto_end_after_last_trade` is off: garnets stay spendable."""
    given = {"garnet_hands": [], "auto_end_after_last_trade": auto}
    play = match(hands=DEAL, garnets={"p1": 1}, settings=given)
    trade_all(play, PAIRS)
    assert play.state.over == auto
    recolour = a.Recolour("p1", play.state.hands["p1"][0])
    if auto:
        play.refuse(recolour)
    else:
        play.do(recolour)
        play.wait(play.opened + 72 * HOUR - 1)
        assert play.state.playing
        play.wait(play.opened + 72 * HOUR)
        assert play.state.over


def test_locked_players_may_trade(match):
    """EQ-17: a lock bars from nothing; confirming a trade unlocks both traders, an offer unlocks nobody."""
    play = match(hands=DEAL)
    for player in ("p1", "p2", "p3"):
        play.do(a.Lock(player))
    play.do(a.Offer("p1", "R2", "p2", "B4"))
    assert set(play.state.locked) == {"p1", "p2", "p3"}
    play.do(a.Accept("p2", "p1"))
    assert set(play.state.locked) == {"p3"}


def test_lock_grace(match):
    """EQ-17: with a grace the end comes that long after the eighth lock, unless somebody unlocks before."""
    play = match(hands=DEAL, settings={"lock_grace_minutes": 10})
    for player in DEAL:
        play.do(a.Lock(player))
    last = play.now
    play.do(a.Unlock("p1"), at=last + 10 * MINUTE - 1)
    play.do(a.Lock("p1"), at=last + 20 * MINUTE)
    play.wait(last + 30 * MINUTE - 1)
    assert play.state.playing
    play.wait(last + 30 * MINUTE)
    assert play.state.over


def test_the_grace_does_not_outlast_the_clock(match):
    """EQ-17: the end is the earliest: a grace that runs past the 72 hours does not lengthen them."""
    play = match(hands=DEAL, settings={"lock_grace_minutes": 60})
    for player in DEAL:
        play.do(a.Lock(player), at=play.opened + 72 * HOUR - MINUTE)
    play.wait(play.opened + 72 * HOUR)
    assert play.state.over


def test_lock_states_are_for_hosts(match):
    """EQ-17: players and public see how many are locked, hosts see who."""
    play = match(hands=DEAL)
    play.do(a.Lock("p1"))
    play.do(a.Lock("p2"))
    assert play.view("public")["locked"] == play.view("p3")["locked"] == play.view()["locked"] == 2
    assert play.view()["players"]["p1"]["locked"] is True
    other = match(hands=DEAL)
    other.do(a.Lock("p1"))
    other.do(a.Lock("p4"))
    assert other.view("p3") == play.view("p3") and other.view("public") == play.view("public")
    hidden = match(hands=DEAL, settings={"visibility": {"locked_count": "host"}})
    assert "locked" not in hidden.view("p3") and "locked" not in hidden.view("public") and "locked" in hidden.view()


def test_no_wrap_and_no_ace():
    """EQ-18: 10 and 1 are not consecutive, 1-2-3-4-5 is the lowest straight."""
    assert classify(cards("R7 B8 R9 B10 R1")).name == "high"
    lowest = classify(cards("R1 B2 R3 B4 R5"))
    assert lowest.name == "straight"
    assert lowest.strength < classify(cards("R2 B3 R4 B5 R6")).strength < classify(cards("R6 B7 R8 B9 R10")).strength


def test_nothing_remains_to_compare():
    """EQ-19: full house, flush and straight compare no further; a pair inside a flush does not matter."""
    for one, other in (
        ("R7 B7 B7 R8 B8", "R7 R7 B7 R8 R8"),
        ("R1 R3 R5 R7 R9", "B1 B3 B5 B7 B9"),
        ("R4 B5 R6 B7 R8", "B4 R5 B6 R7 B8"),
    ):
        assert classify(cards(one)).strength == classify(cards(other)).strength
    assert classify(cards("R9 R9 R8 R2 R1")).strength < classify(cards("R9 R9 R8 R3 R1")).strength
    assert classify(cards("R7 R7 R6 R6 R5")).strength < classify(cards("R8 R4 R3 R2 R1")).strength


TIED = {"p1": "R9 R9 B9 R10 B10", "p2": "B9 R9 B9 R10 B10", "p5": "R4 B4 R9 B9 B8"}


def test_nobody_to_vote(match):
    """EQ-20: nobody holds a token and several are last: a lot among them, typed in or drawn."""
    play = ended(match, TIED)
    assert tokens(play) == {}
    (lot,) = play.state.table.decisions
    assert (lot.kind, lot.among) == ("lot", ("p3", "p4"))
    play.refuse(shared.Vote("p1", "p3"))
    play.do(shared.Lot(("p3", "p4"), "p3"))
    assert play.result().elimination == ("p3",) and play.result().status == "finished"


def test_nobody_votes(match):
    """EQ-20: no vote is cast until the end of the vote: lot."""
    play = ended(match)
    play.wait(play.now + 24 * HOUR)
    (lot,) = play.state.table.decisions
    assert (lot.kind, lot.among) == ("lot", ("p3", "p4"))
    play.refuse(shared.Vote("p1", "p3"))


def test_voters_are_no_candidates(match):
    """EQ-20: candidates never include token holders; only a tied candidate may be named, only a holder may vote."""
    play = ended(match)
    play.refuse(shared.Vote("p3", "p4"))
    play.refuse(shared.Vote("p6", "p4"))
    play.refuse(shared.Vote("p1", "p8"))
    play.refuse(shared.Vote("p1", "p1"))
    # The worst of all holds a token: he is no candidate, and votes on those after him.
    changed = {"p1": "B2 B2 B2 B2 B1"}
    play = ended(match, changed, settings={"tol_conditions": ["best_poker"]})
    assert play.result().ranking[-1] == ("p1",) and play.result().ranking[-2] == ("p3", "p4")
    (vote,) = play.state.table.decisions
    assert (vote.who, vote.among) == (("p1",), ("p3", "p4"))


def test_a_token_taken_away_is_held_no_more(match):
    """EQ-20, season: a host who takes a token makes its holder a candidate again, and a voter no more."""
    play = ended(match, {"p1": "B2 B2 B2 B2 B1"}, settings={"tol_conditions": ["best_poker", "best_er"]})
    assert tokens(play) == {"p1": 1, "p5": 1} and set(play.state.table.decisions[0].who) == {"p1", "p5"}
    play.do(shared.Award("p1", "tokens", -1))
    assert tokens(play) == {"p5": 1} and play.result().elimination == ("p1",)


def test_the_loser_is_ec_and_not_out(match):
    """EQ-21: who has the lower poker hand becomes EC: he keeps his place in the ranking, his garnets, and is named."""
    play = ended(match, {"p4": "B8 B7 B6 B5 B1"}, garnets={"p4": 2})
    assert play.result().elimination == ("p4",) and play.garnets()["p4"] == 2
    assert any("p4" in place for place in play.result().ranking)


def test_the_deadline_race(match):
    """EQ-22: proposed before and confirmed after the end is void."""
    play = match(hands=DEAL)
    end = play.opened + 72 * HOUR
    play.do(a.Offer("p1", "R2", "p2", "B4"), at=end - 1)
    play.refuse(a.Accept("p2", "p1"), at=end)
    assert play.state.traded == {} and play.state.hands["p1"] == cards(DEAL["p1"])


def test_only_the_two_know_that_a_pair_has_traded(match):
    """EQ-23: the pair knows; for the others nothing differs, not even the number of trades left."""
    plain, traded = match(hands=DEAL), match(hands=DEAL)
    traded.do(a.Trade("p1", "R2", "p2", "B4"))
    for viewer in ("p3", "p8", "public"):
        assert traded.view(viewer) == plain.view(viewer)
    assert traded.view("p1")["players"]["p1"]["traded_with"] == ["p2"] and traded.view("p1")["trades_left"] == 6
    assert traded.view("p2")["players"]["p2"]["traded_with"] == ["p1"]
    assert "trades_left" not in traded.view("public") and traded.view()["trades_left"] == 27


# ---- the season layer -------------------------------------------------------------------------------------------


def test_gifts(match):
    """S-2: a spare token goes to anybody but the EC and not to a holder, given by its winner alone."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": ["best_er", "best_poker", "lowest_placing_sum"]})
    assert tokens(play) == {"p1": 3}
    play.refuse(shared.Gift("p1", "p4"))
    play.refuse(shared.Gift("p1", "p1"))
    play.refuse(shared.Gift("p2", "p3"))
    play.do(shared.Gift("p1", "p2"))
    play.refuse(shared.Gift("p1", "p2"))
    play.refuse(shared.Gift("p2", "p3"))
    assert play.result().status == "deciding"
    play.do(shared.Gift("p1", "p3"))
    assert tokens(play) == {"p1": 1, "p2": 1, "p3": 1} and play.result().status == "finished"
    play.refuse(shared.Gift("p1", "p6"))


def test_an_ungiven_token_lapses(match):
    """S-2: after `gift_hours` a spare token lapses; its winner keeps one."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE})
    end = play.now + 24 * HOUR
    play.wait(end - 1)
    assert tokens(play) == {"p1": 2}
    play.refuse(shared.Gift("p1", "p8"), at=end)
    assert tokens(play) == {"p1": 1} and play.result().status == "finished"


def test_one_vote_a_person(match):
    """S-3: one vote a person, however many tokens; only those who WON one vote."""
    given = {"tol_conditions": ["best_er", "best_poker", "most_trades"]}
    play = match(hands=ENDS, settings={"garnet_hands": [], **given})
    play.do(a.Trade("p2", "R7", "p8", "R7"))
    play.do(hand_set("p1", BEST_TWICE["p1"]))
    play.do(shared.Close())
    assert awards(play) == {"best_er": "p1", "best_poker": "p1", "most_trades": "p2"}
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.who) == ("vote", ("p1", "p2"))
    play.do(shared.Vote("p1", "p3"))
    play.do(shared.Vote("p2", "p4"))
    # one against one and no garnets on either side: not two against one
    assert play.result().elimination == () and open_kinds(play) == ["lot"]


def test_a_later_vote_replaces(match):
    """S-3, S-9: a vote may be replaced while the vote is open."""
    play = ended(match)
    play.do(shared.Vote("p1", "p3"))
    play.do(shared.Vote("p1", "p4"))
    play.do(shared.Vote("p2", "p4"))
    play.wait(play.now + 24 * HOUR)
    assert play.result().elimination == ("p4",)


def test_plurality_then_garnets_then_lot(match):
    """S-4: plurality; tie: the candidate whose voters hold most garnets after rewards; tie: lot."""
    for garnets, wanted in (({"p1": 2, "p2": 1}, ("p3",)), ({"p1": 1, "p2": 2}, ("p4",)), ({"p1": 1, "p2": 1}, ())):
        play = ended(match, garnets={**garnets, "p5": 3})
        play.do(shared.Vote("p1", "p3"))
        play.do(shared.Vote("p2", "p4"))
        play.wait(play.now + 24 * HOUR)
        assert play.result().elimination == wanted, garnets
        assert (open_kinds(play) == ["lot"]) == (wanted == ())


def test_the_vote_counts_garnets_after_rewards(match):
    """S-4: the voters' garnets are those they hold after the rewards of this match."""
    play = match(hands=ENDS, garnets={"p1": 1, "p2": 1, "p5": 0}, settings={"garnet_hands": ["four"]})
    play.do(shared.Close())
    assert play.garnets()["p1"] == 2  # dealt four of a kind
    play.do(shared.Vote("p1", "p3"))
    play.do(shared.Vote("p2", "p4"))
    play.wait(play.now + 24 * HOUR)
    assert play.result().elimination == ("p3",)


def test_garnets_are_never_negative(match):
    """S-6: garnets are never negative: a penalty or award may not take more than is held."""
    play = match(hands=DEAL, garnets={"p1": 1})
    play.refuse(shared.Penalty("p1", 2))
    play.refuse(shared.Award("p1", "garnets", -2))
    play.do(shared.Award("p1", "garnets", -1))
    assert play.garnets()["p1"] == 0


def test_garnets_carry_over_and_do_not_move_between_players(match):
    """S-6: no action of a player moves garnets to another; a host can, with an award on each side."""
    play = match(hands=DEAL, garnets={"p1": 2}, settings={"garnet_hands": []})
    for action in (a.Trade("p1", "R2", "p2", "B4"), a.Lock("p1"), a.Unlock("p1")):
        play.do(action)
        assert sum(play.garnets().values()) == 2 and play.garnets()["p1"] == 2
    play.do(shared.Award("p1", "garnets", -1))
    play.do(shared.Award("p2", "garnets", 1))
    assert (play.garnets()["p1"], play.garnets()["p2"]) == (1, 1)
    assert play.game.invariants(play.state) == ()


@pytest.mark.parametrize("cap", [3, 1, 0])
def test_the_season_cap(match, cap):
    """S-7: one season holds at most `garnet_cap` garnets a player; excess is discarded."""
    play = match(hands={"p6": DEAL["p6"]}, garnets={"p6": cap}, settings={"garnet_cap": cap})
    assert play.garnets()["p6"] == cap and play.state.ticked["p6"] == {"flush": "at_cap"}


def test_settings_that_cannot_be(match):
    """EQ-1 to EQ-17: a setting takes its own values only."""
    from games.equilibrium import GAME
    from games.table.settings import check

    for flat in (
        {"er_metric": "sum"},
        {"garnet_hands": ["straight_flush"]},
        {"tol_conditions": ["luck"]},
        {"multi_tol": "share"},
        {"lock_grace_minutes": -1},
        {"dealt_hands_count": 1},
        {"garnet_cap": -1},
    ):
        with pytest.raises(Unreadable):
            check(GAME.settings, GAME.visibility, flat)


def test_the_votes_of_those_who_hold_a_token(match):
    """S-3: when a host corrects a hand after the vote, only votes of those who then hold a token count."""
    play = ended(match)
    for voter, candidate in (("p1", "p3"), ("p2", "p4"), ("p5", "p4")):
        play.do(shared.Vote(voter, candidate))
    assert play.result().elimination == ("p4",)
    play.do(hand_set("p5", "R10 B10 R4 B9 B1"))  # 1 and 34: p2, with 37, is best now
    assert set(awards(play).values()) == {"p1", "p2"}
    assert play.result().elimination == () and open_kinds(play) == ["lot"]


def test_going_back_into_the_vote(match):
    """S-3, host powers: a reopened vote starts anew; a gift that the new EC may not have is taken back."""
    play = ended(match, {"p1": BEST_TWICE["p1"]}, settings={"tol_conditions": TWICE})
    play.do(shared.Vote("p1", "p3"))
    play.do(shared.Gift("p1", "p4"))
    assert play.result().elimination == ("p3",) and tokens(play) == {"p1": 1, "p4": 1}
    play.do(shared.Reopen("vote"))
    assert play.result().elimination == () and tokens(play) == {"p1": 2} and open_kinds(play) == ["vote"]
    play.do(shared.Vote("p1", "p4"))
    assert play.result().elimination == ("p4",) and tokens(play) == {"p1": 2} and open_kinds(play) == ["gift"]
    play.do(shared.Gift("p1", "p3"))
    assert tokens(play) == {"p1": 1, "p3": 1} and play.result().status == "finished"


@pytest.mark.parametrize("name", ["pregame", "finished", "deciding", "ruling", "x"])
def test_what_cannot_be_gone_back_into(match, name):
    """2, host powers: trading and decisions can be reopened, nothing else: the match must stay in a phase it knows."""
    play = match(hands=DEAL)
    play.refuse(shared.Reopen(name))
    play.do(shared.Close())
    play.refuse(shared.Reopen(name))


def test_every_rule_has_a_test():
    """All of it: sections 1 to 8, EQ-1 to EQ-23, S-2, S-3, S-4, S-6, S-7 each begin the docstring of a test here."""
    import re
    import sys

    docs = [test.__doc__ or "" for name, test in vars(sys.modules[__name__]).items() if name.startswith("test_")]
    named = {word for doc in docs for word in re.findall(r"(?:EQ|S)-\d+|\b\d\b", doc.split(":")[0])}
    wanted = {*"12345678", *(f"EQ-{n}" for n in range(1, 24)), "S-2", "S-3", "S-4", "S-6", "S-7"}
    assert wanted <= named


# ---- what hosts do to the clock, and what is told ------------------------------------------------------------------


def test_hours_amended_move_the_end(match):
    """S-11: trading is so much longer or shorter from when it began, also while the clock is paused; no other setting
    moves it, and after the end nothing does."""
    for hours in (80, 70):
        play = match(hands=DEAL)
        play.do(shared.AmendSetting("trading_hours", hours), at=play.opened + HOUR)
        assert play.state.table.ends == play.opened + hours * HOUR
        play = match(hands=DEAL)
        play.do(shared.Pause(), at=play.opened + HOUR)
        play.do(shared.AmendSetting("trading_hours", hours), at=play.opened + 3 * HOUR)
        play.do(shared.Resume(), at=play.opened + 6 * HOUR)
        assert play.state.table.ends == play.opened + (hours + 5) * HOUR
    play = match(hands=DEAL)
    play.do(shared.AmendSetting("vote_hours", 48))
    assert play.state.table.ends == play.opened + 72 * HOUR
    play.do(shared.Close("trading"))
    play.do(shared.AmendSetting("trading_hours", 80))
    assert play.state.over


def test_the_phases_end_as_they_may(match):
    """2: play begins once; the pregame ends by that and not by itself; what has ended may be ended again, in vain."""
    play = match(hands=DEAL, opened=False)
    assert play.refuse(shared.Close("pregame"), "close_pregame").fix == "hl open"
    play.refuse(shared.Close("trading"), "not_open")
    play.do(shared.Open())
    play.refuse(shared.Open(), "opened")
    assert play.do(shared.Close("pregame")) == []
    play.do(shared.Close("trading"))
    assert play.state.over and play.do(shared.Close("trading")) == []


def test_trading_that_was_reopened_goes_on_after_the_last_trade(match):
    """EQ-16: the last pair ends trading by itself only once."""
    play = match(hands=DEAL, settings={"allow_identical_trade": True})
    players = list(play.state.table.players)
    for one, other in combinations(players, 2):
        if not play.state.over:
            play.do(a.Trade(one, play.state.hands[one][0], other, play.state.hands[other][0]))
    assert play.state.over and play.state.trades_left() == 0
    play.do(shared.Reopen("trading"))
    assert play.state.playing and play.state.reopened


def test_who_has_left_does_nothing(match):
    """S-G3: no trade, no recolour; and locks are waited for from the others alone."""
    play = match(hands=DEAL, garnets={"p1": 2})
    play.do(shared.Drop("p1"))
    play.refuse(a.Trade("p1", "R2", "p2", "B4"), "left")
    play.refuse(a.Recolour("p1", play.state.hands["p1"][0]), "left")
    for n in range(2, 9):
        assert play.state.playing
        play.do(a.Lock(f"p{n}"))
    assert play.state.over


def test_an_offer_to_somebody_traded_with_cannot_be_accepted(match):
    """3, EQ-10: each pair trades once."""
    play = match(hands=DEAL)
    play.do(a.Offer("p1", play.state.hands["p1"][0], "p2", play.state.hands["p2"][0]))
    play.do(a.Trade("p1", play.state.hands["p1"][1], "p2", play.state.hands["p2"][1]))
    play.refuse(a.Accept("p2", "p1"), "pair_used")


def test_identical_cards_have_their_code(match):
    play = match(hands={"p1": "R2 R3 R4 R5 R6", "p2": "R2 B3 B4 B5 B6"}, settings={"allow_identical_trade": False})
    play.refuse(a.Trade("p1", "R2", "p2", "R2"), "identical")


def test_recolours_are_counted(match):
    """4: the view says how often, where everybody may know (line `recolours`)."""
    play = match(hands=DEAL, garnets={"p1": 3}, settings={"visibility": {"recolours": "everybody"}})
    for times in (1, 2):
        play.do(a.Recolour("p1", play.state.hands["p1"][0]))
        assert play.view("p2")["players"]["p1"]["recolours"] == times


def test_a_trade_is_told_to_the_two(match):
    """9: each reads of his own trade and of his own hand; others and the public nothing."""
    for level in ("traders", "host"):
        play = match(hands=DEAL, settings={"visibility": {"trade_done": level}})
        facts = only(play.do(a.Trade("p1", "R2", "p2", "B4")), f.Traded)
        told_to = {v for v in ("p1", "p2", "p3", "public") if play.game.tell(play.state, facts, v)}
        assert told_to == ({"p1", "p2"} if level == "traders" else set())
    for level in ("owner", "host"):
        play = match(hands=DEAL, settings={"visibility": {"own_hand": level}})
        facts = only(play.dealt, HandDealt)[:1]
        told_to = {v for v in ("p1", "p2", "public") if play.game.tell(play.state, facts, v)}
        assert told_to == ({facts[0].player} if level == "owner" else set())


def test_laws_that_an_override_breaks(match):
    """The engine notices a hand of four, a card made of nothing, and garnets below zero."""
    play = match(hands=DEAL)
    assert play.game.invariants(play.state) == ()
    short = play.state._replace(hands={**play.state.hands, "p1": play.state.hands["p1"][:4]})
    assert "p1 holds 4 cards" in play.game.invariants(short)
    table = play.state.table._replace(purses={"p1": -1, "bank": 1})
    assert play.game.invariants(play.state._replace(table=table)) == ("p1 holds -1 garnets",)


def test_what_a_host_has_to_decide_is_a_token(match):
    """EQ-3 `host_decides`: it has no clock, and a token that a host took away does not count as one he gave."""
    play = ended(match, {"p4": "B8 B7 B6 B5 B1"}, settings={"tol_conditions": ["best_poker", "host_decides"]})
    (ruling,) = play.state.table.decisions
    assert (ruling.about, ruling.ends) == ("token", None)
    play.do(shared.Award("p1", "tokens", -1))
    assert open_kinds(play) == ["ruling"]


def test_what_is_for_the_end_is_not_shown_before(match):
    """9: final hands, classes, ranks and garnets are told at game end, also where their lines say `everybody`."""
    lines = ("final_hands", "final_classes", "final_er", "final_garnets")
    play = match(hands=DEAL, settings={"visibility": dict.fromkeys(lines, "everybody")})
    assert "players" not in play.view("public") and set(play.view("p2")["players"]) == {"p2"}
    play.do(shared.Close())
    assert all(set(row) == {"hand", "class", "equilibrium", "total", "garnets"}
               for row in play.view("public")["players"].values())  # fmt: skip
    closed = match(hands=DEAL, settings={"visibility": {"own_garnets": "host", "final_garnets": "host"}})
    closed.do(shared.Close())
    assert all("garnets" not in row for row in closed.view("p1")["players"].values())


def test_who_reads_what_a_hand_has_earned(match):
    """9: own garnet gained; which class gave which garnet is never told of others, whatever the own line says."""
    for level, mine in (("owner", ["flush"]), ("everybody", ["flush"]), ("host", None)):
        play = match(hands=DEAL, settings={"visibility": {"garnet_gained": level}})
        assert play.view("p6")["players"]["p6"].get("earned") == mine
        assert "earned" not in play.view("p7")["players"].get("p6", {})
        assert "p6" not in play.view("public").get("players", {})


def test_the_ranking_is_told_with_both_that_it_is_made_of(match):
    """6, 7, 9: the ranking goes by equilibrium and then by poker hand: who may not know both does not read it."""
    for hidden, scores in ((None, True), ("final_classes", True), ("final_er", False)):
        play = ended(match, settings={"visibility": {hidden: "host"} if hidden else {}})
        shown = play.result("public")
        assert (shown.scores is not ABSENT) == scores and (shown.ranking is not ABSENT) == (hidden is None)


@pytest.mark.parametrize("action", [shared.Deal("typed"), shared.Deal("drawn", seed="00"), shared.Seed("00")])
def test_what_all_hands_follow_from_is_open_with_the_dealt_hands(match, action):
    """9: dealt hands are never told: nor is the deal opened, unless a setting opens them, and then after the end."""
    for level, who in (("host", HOST), ("nobody_ever", HOST), ("everybody", EVERYBODY_AFTER_END),
                       ("everybody_after_end", EVERYBODY_AFTER_END)):  # fmt: skip
        play = match(hands=DEAL, settings={"visibility": {"dealt_hands": level}})
        assert play.game.audience(play.state, action) == who, level


def test_an_audit_repeats_what_was_drawn_and_nothing_else(match):
    """1: a drawn deal and a drawn lot are repeated from their seeds; what was typed in is taken as it is."""
    play = match()
    for action in play.game.prepare(play.state, shared.Deal(), Fixed()):
        play.do(action)
    deal, audit = action, play.game.audit
    assert audit(play.state, deal, 10) is None
    assert "deals other hands to p1" in audit(play.state, deal._replace(seed=bytes(32).hex()), 10)
    assert audit(play.state, deal._replace(seed="xx"), 10) == "its seed is not written in hex digits"
    assert "no seed is kept" in audit(play.state, deal._replace(seed=None), 10)
    typed = match(hands=DEAL)
    assert audit(typed.state, shared.Deal("typed"), 10) is None
    (lot,) = play.game.prepare(play.state, shared.Lot(("p3", "p4")), Fixed())
    other = {"p3": "p4", "p4": "p3"}[lot.outcome]
    assert audit(play.state, lot, 10) is None
    assert "the seed draws" in audit(play.state, lot._replace(outcome=other), 10)


def test_a_card_has_one_spelling(match):
    """1: notation R7, B10; what hosts type otherwise is recorded so, and a hand sorted; what is no card is refused."""
    play = match(hands=DEAL)
    (said,) = play.game.prepare(play.state, hand_set("p1", "tr, 4black B2 red-9, b10"), Fixed())
    assert said.value == "B2 B4 R9 B10 R10"
    for text in ("", " , ", "R11", "R0", "G4", "R4 B4 R9 B9 x"):
        with pytest.raises(Unreadable) as refusal:
            play.do(hand_set("p1", text))
        assert refusal.value.code == "equilibrium.card"


def test_an_override_of_nothing_that_a_player_has(match):
    """Host powers: an entry is decided as it stands in the log, however it came there."""
    play = match(hands=DEAL)
    with pytest.raises(Unreadable) as refusal:
        play.game.decide(play.state, shared.Override("points", "p1", "3"), Moment(play.now, 99, "mara"))
    assert refusal.value.code == "override.field"


def test_when_everybody_has_left(match):
    """S-G3, 2: nobody is left to lock, so no lock ends trading: the clock does, once, where no trade is needed."""
    play = match(hands=DEAL, settings={"auto_end_after_last_trade": False})
    for player in DEAL:
        play.refuse(a.Unlock(player), "not_locked")
        play.do(shared.Drop(player))
        play.refuse(a.Lock(player), "left")
    assert play.state.playing
    facts = play.wait(play.opened + 72 * HOUR)
    assert [fact.why for fact in only(facts, table_facts.PhaseEnded) if fact.phase == "trading"] == [
        "its 72 hours are over"
    ]


@pytest.mark.parametrize("grace", [0, 10])
def test_why_trading_ended_is_said_once(match, grace):
    """2, EQ-17: by the locks or by the clock; after a host went back into it there is no clock, and locks end it."""
    play = match(hands=DEAL, settings={"lock_grace_minutes": grace})
    for _ in range(2):
        facts: list[Any] = []
        for player in DEAL:
            facts += play.do(a.Lock(player))
        facts += play.wait(play.now + grace * MINUTE)
        assert [fact.why for fact in only(facts, table_facts.PhaseEnded) if fact.phase == "trading"] == [
            "all players are locked"
        ]
        assert play.state.over
        play.do(shared.Reopen("trading"))
        assert play.state.playing and play.state.locked == {} and play.state.table.ends is None


def test_why_a_token_was_won_is_said(match):
    """7, EQ-3: what the condition compares stands beside the token, and who was behind by the tie-breaks alone."""
    given = {"tol_conditions": ["most_trades", "most_garnets_earned", "best_er"], "garnet_hands": ["flush"]}
    play = match(hands=DEAL, settings=given)
    play.do(a.Trade("p7", "R1", "p8", "R1"))
    play.do(a.Trade("p7", "R1", "p5", "R8"))
    play.do(shared.Close())
    why = {award.condition: award.why for award in play.state.table.awards}
    assert why["most_trades"] == "most trades: 2 trades"
    assert why["most_garnets_earned"] == "most garnets earned: 1 garnet"
    assert why["best_er"].startswith("best equilibrium: difference 1, total ")
