"""Equilibrium, rule by rule (as test_equilibrium_rules): the gaps, EQ-n."""

from __future__ import annotations

from typing import Any

import pytest

from events.instants import later
from games.contract import Moment
from games.equilibrium import actions as a, facts as f
from games.equilibrium.cards import classify
from games.table import actions as shared, facts as table_facts
from tests.support.ended import BEST_TWICE, DEAL, HOUR, MINUTE, PAIRS, TWICE, awards, cards, ended, trade_all
from tests.support.play import kinds, only, tokens

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


def test_host_decides(match):
    """EQ-3: `host_decides` leaves one token to a host, who awards it; nothing is awarded by the rules."""
    play = ended(match, {"p4": "B8 B7 B6 B5 B1"}, settings={"tol_conditions": ["best_poker", "host_decides"]})
    assert awards(play) == {"best_poker": "p1"} and kinds(play) == ["ruling"]
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
    from games.equilibrium.actions import VISIBILITY

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
        play.refuse(a.Trade("p7", "R1", "p8", "R1"), "identical")
        play.refuse(a.Offer("p7", "R1", "p8", "R1"))
        assert play.state.traded == {}
    play.do(a.Trade("p1", "R4", "p2", "B4"))  # the same value in the other colour is always legal


def test_the_next_best_gets_the_surplus(match):
    """EQ-11: `next_best`: each player at most one, the next best under that condition takes it."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE, "multi_tol": "next_best"})
    assert awards(play) == {"best_er": "p1", "best_poker": "p2"}
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE[::-1], "multi_tol": "next_best"})
    assert awards(play) == {"best_poker": "p1", "best_er": "p5"}


def test_the_surplus_lapses(match):
    """EQ-11: `lapse`: the surplus is lost, nobody else gets it."""
    play = ended(match, BEST_TWICE, settings={"tol_conditions": TWICE, "multi_tol": "lapse"})
    assert tokens(play) == {"p1": 1} and kinds(play) == [] and play.result().status == "finished"


def test_the_ec_is_found_before_gifts(match):
    """EQ-11: nobody is saved from being EC by a gift: gifts wait until the EC is found, and may not go to him."""
    play = ended(match, {"p1": BEST_TWICE["p1"]}, settings={"tol_conditions": TWICE})
    assert kinds(play) == ["vote"] and tokens(play) == {"p1": 2}
    play.refuse(shared.Gift("p1", "p3"))
    play.do(shared.Vote("p1", "p3"))
    assert play.result().elimination == ("p3",) and kinds(play) == ["gift"]
    play.refuse(shared.Gift("p1", "p3"))
    play.do(shared.Gift("p1", "p4"))
    assert tokens(play) == {"p1": 1, "p4": 1}


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


# EQ-15 is a matter of the order of entries: see test_equilibrium_folds.py.


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


def test_a_remark_ends_nothing(match):
    """EQ-17: the clock ends trading. A note about an entry lets no time pass, and so does not end it in its place."""
    play = match(hands=DEAL, settings={"lock_grace_minutes": 10})
    for player in DEAL:
        play.do(a.Lock(player))
    late = Moment(later(play.now, 20 * MINUTE), 99, "mara")
    (remark,) = play.game.decide(play.state, shared.Note("all eight are locked", about=30), late)
    assert isinstance(remark, table_facts.Remarked) and play.game.due(play.state) == later(play.now, 10 * MINUTE)


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
