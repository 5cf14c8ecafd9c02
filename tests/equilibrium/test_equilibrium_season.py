"""Equilibrium, rule by rule (as test_equilibrium_rules): the season layer, S-n; hosts, clocks, what is told."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from events.audiences import EVERYBODY_AFTER_END, HOST
from events.errors import Unreadable
from games.equilibrium import actions as a, facts as f
from games.parts import HandDealt
from games.records import ABSENT
from games.table import actions as shared, facts as table_facts
from tests.support.ended import BEST_TWICE, DEAL, ENDS, HOUR, MINUTE, TWICE, Fixed, awards, ended, hand_set
from tests.support.play import kinds, only, tokens

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
    assert play.result().elimination == () and kinds(play) == ["lot"]


def test_plurality_then_garnets_then_lot(match):
    """S-4: plurality; tie: the candidate whose voters hold most garnets after rewards; tie: lot."""
    for garnets, wanted in (({"p1": 2, "p2": 1}, ("p3",)), ({"p1": 1, "p2": 2}, ("p4",)), ({"p1": 1, "p2": 1}, ())):
        play = ended(match, garnets={**garnets, "p5": 3})
        play.do(shared.Vote("p1", "p3"))
        play.do(shared.Vote("p2", "p4"))
        play.wait(play.now + 24 * HOUR)
        assert play.result().elimination == wanted, garnets
        assert (kinds(play) == ["lot"]) == (wanted == ())


def test_garnets_are_never_negative(match):
    """S-6: garnets are never negative: a penalty or award may not take more than is held."""
    play = match(hands=DEAL, garnets={"p1": 1})
    play.refuse(shared.Penalty("p1", 2))
    play.refuse(shared.Award("p1", "garnets", -2))
    play.do(shared.Award("p1", "garnets", -1))
    assert play.garnets()["p1"] == 0


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
    assert play.result().elimination == () and kinds(play) == ["lot"]


def test_going_back_into_the_vote(match):
    """S-3, host powers: a reopened vote starts anew; a gift that the new EC may not have is taken back."""
    play = ended(match, {"p1": BEST_TWICE["p1"]}, settings={"tol_conditions": TWICE})
    play.do(shared.Vote("p1", "p3"))
    play.do(shared.Gift("p1", "p4"))
    assert play.result().elimination == ("p3",) and tokens(play) == {"p1": 1, "p4": 1}
    play.do(shared.Reopen("vote"))
    assert play.result().elimination == () and tokens(play) == {"p1": 2} and kinds(play) == ["vote"]
    play.do(shared.Vote("p1", "p4"))
    assert play.result().elimination == ("p4",) and tokens(play) == {"p1": 2} and kinds(play) == ["gift"]
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
    """All of it: sections 1 to 8, EQ-1 to EQ-23, S-2, S-3, S-4, S-6, S-7 each begin the docstring of a test."""
    sources = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_equilibrium_*.py")]
    docs = re.findall(r'^def test_\w+\(.*\n    """([^:]*):', "".join(sources), re.MULTILINE)
    named = {word for doc in docs for word in re.findall(r"(?:EQ|S)-\d+|\b\d\b", doc)}
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
    assert kinds(play) == ["ruling"]


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


def test_a_card_has_one_spelling(match):
    """1: notation R7, B10; what hosts type otherwise is recorded so, and a hand sorted; what is no card is refused."""
    play = match(hands=DEAL)
    (said,) = play.game.prepare(play.state, hand_set("p1", "tr, 4black B2 red-9, b10"), Fixed())
    assert said.value == "B2 B4 R9 B10 R10"
    for text in ("", " , ", "R11", "R0", "G4", "R4 B4 R9 B9 x"):
        with pytest.raises(Unreadable) as refusal:
            play.do(hand_set("p1", text))
        assert refusal.value.code == "equilibrium.card"


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
