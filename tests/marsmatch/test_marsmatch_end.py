"""MarsMatch, rule by rule (as test_marsmatch_rules): the end, three in a row, who leaves, what hosts may set."""

from __future__ import annotations

import pytest

from events import write_instant
from events.errors import Unreadable
from games.marsmatch import GAME, actions as a, facts as f
from games.table import actions as shared
from tests.support.mars import FOUR, HOUR, MINUTE, STARLINK

# ---- 2.4 the end ---------------------------------------------------------------------------------------------------


def test_2_4_ground_hand(mars):
    """2.4, MM-10: the first leader, out within his first two plays, nobody having played in between: 500."""
    play = mars({"a": "3 3 K", "b": "4 5", "c": "6 7"})
    play.go("a 3 3; b -; c -; a K")
    assert play.titles() == {"a": "ground_hand"} and play.points() == {"a": 500}
    assert play.turn == "b"
    assert play.of(f.WentOut)[0].why == "out in the first 2 plays, nobody having played in between"
    once = mars({"a": "3 3", "b": "4 5", "c": "6 7"}).go("a 3 3")
    assert once.of(f.WentOut)[0].why == "out in the first play, nobody having played in between"


def test_2_4_ground_snatch(mars):
    """MM-11: any other first out, the leader included: 300."""
    slow = mars({"a": "3 3 K A", "b": "4 5", "c": "6 7"})
    slow.go("a 3 3; b -; c -; a K; b -; c -; a A")
    assert slow.titles() == {"a": "ground_snatch"} and slow.points() == {"a": 300}
    between = mars({"a": "3 K", "b": "4 5", "c": "6 7"})
    between.go("a 3; b 4; c -; a K")
    assert between.titles() == {"a": "ground_snatch"}
    other = mars({"a": "3 K", "b": "4", "c": "6 7"})
    other.go("a 3; b 4")
    assert other.titles() == {"b": "ground_snatch"}


def test_mm_10_how_many_plays(mars):
    """MM-10: ground_hand_max_plays 3 makes the third play count."""
    play = mars({"a": "3 3 K A", "b": "4 5", "c": "6 7"}, settings={"ground_hand_max_plays": 3})
    play.go("a 3 3; b -; c -; a K; b -; c -; a A")
    assert play.points() == {"a": 500}
    one = mars({"a": "3 3 K", "b": "4 5", "c": "6 7"}, settings={"ground_hand_max_plays": 1})
    one.go("a 3 3; b -; c -; a K")
    assert one.points() == {"a": 300}


def test_mm_10_who(mars):
    """MM-10: ground_hand_who anybody: in his own first plays, too."""
    hands = {"a": "3 K", "b": "4 5", "c": "6 7"}
    for who, title in (("leader", "ground_snatch"), ("anybody", "ground_hand")):
        play = mars(hands, settings={"ground_hand_who": who})
        play.go("a 3; b 4; c -; a -; b 5")
        assert play.titles() == {"b": title}
    late = mars({**hands, "b": "4 5 9"}, settings={"ground_hand_who": "anybody"})
    late.go("a 3; b 4; c 6; a -; b 9; c -; a -; b 5")
    assert late.titles() == {"b": "ground_snatch"}, "somebody played in between"


def test_2_4_human_hand_and_total_losers(mars):
    """2.4, MM-8: play goes on to the second out, 100; everybody still holding cards is Total Loser, 0."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A", "d": "7 9"})
    play.go("a 3 3; b -; c -; d -")
    play.go("b 4; c 6; d 7; b K")
    assert play.titles() == {"a": "ground_hand", "b": "human_hand", "c": "total_loser", "d": "total_loser"}
    assert play.points() == {"a": 500, "b": 100}
    result = play.result()
    assert result.status == "finished"
    assert result.ranking == (("a",), ("b",), ("c", "d")) and result.scores == {"a": 500, "b": 100, "c": 0, "d": 0}
    assert (result.garnets, result.tokens, result.elimination) == ({}, {}, ())


def test_2_4_two_players_end_at_the_first_out(mars):
    play = mars({"a": "3 3", "b": "4"})
    play.go("a 3 3")
    assert play.titles() == {"a": "ground_hand", "b": "total_loser"} and play.state.table.status == "finished"
    heaven = mars({"a": STARLINK, "b": "4", "c": "5 6"})
    heaven.go("b 4")
    assert heaven.points() == {"a": 10_000, "b": 500} and heaven.titles()["c"] == "total_loser"


def test_mm_8_first_out(mars):
    """MM-8: real_end first_out stops at the first."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A"}, settings={"real_end": "first_out"})
    play.go("a 3 3")
    assert play.titles() == {"a": "ground_hand", "b": "total_loser", "c": "total_loser"}
    assert play.state.table.status == "finished"


@pytest.mark.parametrize(
    ("hands", "turns", "title"),
    [
        ({"a": "3 3", "b": "4 4", "c": "5"}, "a 3 3", "ground_hand"),
        ({"a": "3 3 9", "b": "4 4", "c": "5"}, "a 3 3; b 4 4", "ground_snatch"),
        ({"a": "3 3 9", "b": "4 4 5", "c": "5"}, "a 3 3; b 4 4; c -; a -; b 5", "ground_snatch"),
        ({"a": "3 3 9", "b": "4 4 5 6", "c": "5"}, "a 3 3; b 4 4; c -; a -; b 5; c -; a -; b 6", "human_hand"),
        ({"a": "3 9 K", "b": "4 8", "c": "5"}, "a 3; b 4; c 5", "human_hand"),
        ({"a": "3 3 9 9 J", "b": "4 4 10 10", "c": "5"}, "a 3 3; b 4 4; c -; a 9 9; b 10 10", "human_hand"),
    ],
)
def test_mm_8_tiers_of_one_winner(mars, hands, turns, title):
    """MM-8, one_winner_tiers: the leader's blitz 500, another's immediate reply 300, anybody later 100."""
    play = mars(hands, settings={"real_end": "one_winner_tiers"}).go(turns)
    (winner,) = [p for p, named in play.titles().items() if named != "total_loser"]
    assert play.titles()[winner] == title and play.state.table.status == "finished"
    assert play.points() == {winner: {"ground_hand": 500, "ground_snatch": 300, "human_hand": 100}[title]}


def test_mm_8_a_host_may_end_a_round_and_take_it_up_again(mars):
    """MM-8: `close real` ends it, who holds cards is Total Loser; `reopen real` goes on; an end by the rules stays."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A", "d": "7"})
    play.go("a 3 3; b -")
    play.do(shared.Close("real"))
    assert play.titles() == {"a": "ground_hand", **dict.fromkeys("bcd", "total_loser")}
    assert play.state.table.status == "finished" and play.view()["turn"] is None
    play.do(shared.Reopen("real"))
    assert play.titles() == {"a": "ground_hand"} and (play.turn, play.leads) == ("c", False)
    assert (play.result().status, play.view()["phase"]) == ("running", "real")
    play.go("c -; d -; b 4; c 6; d 7")
    assert play.titles()["d"] == "human_hand"
    play.refuse(shared.Reopen("real"), "reopen")
    play.refuse(shared.Reopen("initial"), "reopen")
    assert play.do(shared.Close("real")) == []


def test_mm_8_a_round_is_taken_up_where_it_stood(mars):
    """MM-8, S-G3: the same turn again; if its player has left meanwhile, that of the next, and of nobody else."""
    for gone, turn in (("", "c"), ("c", "d")):
        play = mars({"a": "3 3", "b": "4 K", "c": "6 A", "d": "7"}).go("a 3 3; b -")
        play.do(shared.Close("real"))
        for player in gone:
            play.do(shared.Drop(player))
        began = [fact.player for fact in play.do(shared.Reopen("real")) if isinstance(fact, f.TurnBegan)]
        assert began == [turn] == [play.turn]


def test_what_was_not_played_cannot_be_closed(mars):
    """MM-5, MM-24: a round that ended in the Initial Phase had no Real Match; the next one has none before it opens."""
    mars({"a": STARLINK, "b": "4"}).refuse(shared.Close("real"), "not_open")
    play = mars({"a": "3 3", "b": "4 K"}, settings={"rounds": 2}).go("a 3 3")
    for phase in ("initial", "real"):
        play.refuse(shared.Close(phase), "not_open")


# ---- MM-9: three in a row ------------------------------------------------------------------------------------------


ROW = {"a": "3 4 5 6 7", "b": "8 9 9", "c": "8 10 10"}


THREE = "a 3; b -; c -; a 4; b -; c -; a 5"


def test_mm_9_the_run_is_shown(mars):
    """MM-9: the engine always shows the run; by default it wins nothing."""
    play = mars(ROW).go(THREE)
    assert {p: row["run"] for p, row in play.view()["players"].items()} == {"a": 3, "b": 0, "c": 0}
    play.go("b -; c -")
    assert (play.turn, play.leads) == ("a", True) and play.titles() == {}
    play.go("a 6; b 8")
    assert play.view()["players"]["b"]["run"] == 1 and play.view()["players"]["a"]["run"] == 0


def test_mm_9_instant_win(mars):
    """MM-9, instant_win: three tricks in a row unanswered, the hand not empty: out with a Human Hand, cards and all."""
    play = mars(ROW, settings={"three_in_a_row": "instant_win"}).go(THREE)
    assert play.titles() == {}
    play.go("b -; c -")
    assert play.titles() == {"a": "human_hand"} and play.points() == {"a": 100}
    assert (play.turn, play.leads) == ("b", True) and GAME.invariants(play.state) == ()
    play.go("b 8; c -; b 9 9")
    assert play.titles()["b"] == "ground_snatch" and play.state.table.status == "finished"
    emptied = mars({**ROW, "a": "3 4 5"}, settings={"three_in_a_row": "instant_win"}).go(THREE)
    emptied.go("b -; c -")
    assert emptied.titles() == {"a": "ground_snatch"} and emptied.points() == {"a": 300}, "out, and not twice"
    answered = mars(ROW, settings={"three_in_a_row": "instant_win"}).go(THREE)
    answered.go("b 8; c -; a -")
    assert answered.titles() == {} and answered.turn == "b"


def test_mm_9_ask_host(mars):
    """MM-9, ask_host: at the third play in a row a host is asked; play goes on; he rules, or closes it."""
    play = mars(ROW, settings={"three_in_a_row": "ask_host"}).go(THREE)
    (decision,) = play.result().decisions
    assert decision == {"kind": "ruling", "who": [], "among": ["a"]}
    play.go("b -")
    play.do(shared.Ruling("win bob: he is somebody else"))
    assert play.result().decisions
    play.do(shared.Ruling("win A: the third one counts"))
    assert play.titles() == {"a": "human_hand"} and play.result().decisions == ()
    play.go("c -")
    assert (play.turn, play.leads) == ("b", True)
    no = mars(ROW, settings={"three_in_a_row": "ask_host"}).go(THREE)
    no.do(shared.Close("ruling"))
    assert no.result().decisions == () and no.titles() == {}
    no.do(shared.Ruling("win a: too late"))
    assert no.titles() == {}
    no.go("b -; c -; a 6; b -; c -; a 7")
    assert no.titles() == {"a": "ground_snatch"}


def test_mm_9_a_run_that_nobody_judged_keeps_the_match_open(mars):
    """ask_host: the round ends meanwhile; the match waits for the ruling."""
    play = mars(ROW, settings={"three_in_a_row": "ask_host"}).go(THREE)
    play.do(shared.Close("real"))
    assert play.view()["phase"] == "deciding" and play.result().status == "deciding"
    play.do(shared.Ruling("win a"))
    assert play.titles() == {"a": "human_hand", "b": "total_loser", "c": "total_loser"}
    assert play.points() == {"a": 100} and play.result().status == "finished"
    assert GAME.invariants(play.state) == ()


# ---- MM-24, MM-25 --------------------------------------------------------------------------------------------------


def test_mm_24_rounds(mars):
    """MM-24: points are summed; each round has its own draw and deal."""
    hands = {"a": "3 3", "b": "4 K"}
    play = mars(hands, settings={"rounds": 2})
    play.go("a 3 3")
    assert play.view()["phase"] == "initial" and play.state.table.status == "running"
    assert (play.state.round, play.state.banker, play.titles()) == (2, None, {})
    assert play.result().scores == {"a": 500, "b": 0}
    play.refuse(a.Play("b", "4"), "not_playing")
    play.refuse(shared.Deal("typed"), "undrawn")
    play.deal({"a": "3 4", "b": "5"}, "b")
    play.do(shared.Open())
    play.go("b 5")
    assert play.result().scores == {"a": 500, "b": 500} and play.result().status == "finished"
    assert play.result().ranking == (("a", "b"),)
    play.refuse(a.Draw("a"))
    play.do(shared.AmendSetting("rounds", 3))
    assert play.state.round == 3 and play.state.table.status == "running"


def test_mm_25_no_clock_by_default(mars):
    play = mars(FOUR)
    (due,) = GAME.waiting(play.state)
    assert (due.who, due.what, due.until) == ("a", "move", None)
    play.refuse(a.Timeout("a"), "no_clock")
    assert "ends" not in play.view()


def test_mm_25_a_turn_has_a_clock(mars):
    """MM-25: with turn_seconds a turn ends so many seconds after it began; nothing happens by itself."""
    play = mars(FOUR, settings={"turn_seconds": 60})
    (due,) = GAME.waiting(play.state)
    assert due.until == play.now + MINUTE
    play.refuse(a.Timeout("a"), "in_time", at=play.now + MINUTE - 1)
    play.refuse(a.Timeout("b"), "not_your_turn", at=play.now + 1)
    play.do(a.Timeout("a"))
    assert play.view()["trick"] == {"by": "a", "cards": ["3"], "type": "single", "rank": "3"}
    assert play.of(f.Played)[-1].automatic and play.turn == "b"
    play.wait(play.now + 2 * MINUTE)
    assert play.turn == "b", "time alone does nothing"
    play.do(a.Timeout("b"))
    assert play.turn == "c" and play.of(f.Passed)[-1].automatic
    play.go("c J")
    assert GAME.waiting(play.state)[0].until == play.now + MINUTE


def test_mm_25_what_comes_late_counts_and_is_said(mars):
    """MM-25: a play and a pass after the end of the turn; the hosts read how late, and players what they always do."""
    play = mars(FOUR, settings={"turn_seconds": 60})
    play.go("a 3")
    assert play.of(f.CameLate) == []
    play.do(a.Pass("b"), at=play.now + MINUTE + 90_000)
    (late,) = play.of(f.CameLate)
    assert "B's turn had ended 1 minute 30 seconds before" in GAME.explain(play.state, late).text and play.turn == "c"
    assert not GAME.tell(play.state, (late,), "b").blocks and not GAME.tell(play.state, (late,), "public").blocks
    play.do(a.Play("c", "J"), at=play.now + MINUTE + 1000)
    assert [fact.player for fact in play.of(f.CameLate)][-1] == "c" and play.turn == "d"


def test_mm_25_pause_and_deadline(mars):
    """A pause moves the end of a turn by what is left of it; `deadline` moves the end, also where no clock is set."""
    play = mars(FOUR, settings={"turn_seconds": 60})
    began = play.now
    play.do(shared.Pause(), at=began + 10_000)
    assert GAME.waiting(play.state)[0].until is None and play.view("public")["paused"] is True
    play.refuse(a.Timeout("a"), "paused", at=began + 90_000)
    play.do(shared.Resume(), at=began + 110_000)
    assert GAME.waiting(play.state)[0].until == began + 160_000 and "paused" not in play.view("public")
    play.do(shared.Pause(), at=began + 120_000)
    play.now += 15_000
    play.play("a", "3")
    play.now += 30_000
    play.do(shared.Resume())
    assert GAME.waiting(play.state)[0].until == play.now + MINUTE, "the turn began when the clock stood still"
    free = mars(FOUR)
    free.do(shared.Deadline(write_instant(free.now + 5 * MINUTE)))
    assert GAME.waiting(free.state)[0].until == free.now + 5 * MINUTE
    assert free.view("public")["ends"] == write_instant(free.now + 5 * MINUTE)
    free.do(a.Timeout("a"), at=free.now + 5 * MINUTE)
    assert free.turn == "b" and GAME.waiting(free.state)[0].until is None
    between = mars({"a": "3 3", "b": "4 K"}, settings={"rounds": 2}).go("a 3 3")
    between.do(shared.Deadline(write_instant(between.now + MINUTE)))
    assert "ends" not in between.view("host"), "it is nobody's turn"


@pytest.mark.parametrize(
    ("left", "said"),
    [(1, "1 second"), (1000, "1 second"), (1001, "2 seconds"), (119_000, "119 seconds"), (119_001, "2 minutes"),
     (2 * MINUTE, "2 minutes"), (2 * MINUTE + 1, "3 minutes"), (2 * HOUR, "120 minutes")],
)  # fmt: skip
def test_mm_25_how_long_he_has_left(mars, left, said):
    """MM-25: what has begun counts whole: in seconds below two minutes, then in minutes."""
    play = mars(FOUR, settings={"turn_seconds": 7200})
    refused = play.refuse(a.Timeout("a"), "in_time", at=play.now + 2 * HOUR - left)
    assert refused.what == f"A has {said} left"


def test_mm_25_the_lowest_single_may_be_a_joker(mars):
    play = mars({"a": "LJ BJ", "b": "4"}, settings={"turn_seconds": 60})
    play.do(a.Timeout("a"), at=play.now + MINUTE)
    assert play.view()["trick"]["type"] == "boat"


def test_mm_25_without_cards_there_is_nothing_to_lead(mars):
    """MM-25: a host took the leader's hand away; there is no lowest single, and the refusal says what helps."""
    play = mars(FOUR, settings={"turn_seconds": 60})
    play.do(shared.Override("a", "hand", "none"))
    refused = play.refuse(a.Timeout("a"), "no_cards", at=play.now + MINUTE)
    assert refused.what == "A holds no cards to lead" and refused.fix.startswith("hl close real")


# ---- who leaves, host powers ---------------------------------------------------------------------------------------


def test_s_g3_somebody_leaves(mars):
    """S-G3: who leaves is passed over and loses; his last play has still to be beaten; fewer than two end the round."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A", "d": "7 9"})
    play.do(shared.Drop("a"))
    assert (play.turn, play.leads) == ("b", True)
    play.go("b 4")
    play.do(shared.Drop("b"))
    play.go("c -; d -")
    assert (play.turn, play.leads) == ("c", True)
    play.do(shared.Drop("c"))
    assert play.state.table.status == "finished"
    assert play.titles() == dict.fromkeys("abcd", "total_loser") and play.points() == {}


def test_s_g3_who_was_to_answer_last_leaves(mars):
    """S-G3; 2.3: everybody else has passed then, so the owner of the trick leads at once."""
    play = mars({"a": "3 9", "b": "4 K", "c": "6 A"}).go("a 3; b -")
    play.do(shared.Drop("c"))
    assert (play.turn, play.leads) == ("a", True)


def test_host_powers(mars):
    """Season: override sets that field and nothing else, also after the end; laws left broken are named."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A"})
    play.do(shared.Override("b", "hand", "k 5 t"))
    assert play.view()["players"]["b"]["hand"] == ["5", "10", "K"]
    assert GAME.invariants(play.state) == (
        "0 x 4 are held or played; 1 were dealt", "1 x 5 are held or played; 0 were dealt",
        "1 x 10 are held or played; 0 were dealt",
    )  # fmt: skip
    play.do(shared.Override("b", "hand", "4 K"))
    assert GAME.invariants(play.state) == ()
    play.do(shared.Override("c", "points", "42"))
    assert play.result().ranking[0] == ("c",)
    assert GAME.invariants(play.state) == ("c has 42 points as one without title",)
    play.do(shared.Override("c", "points", "0"))
    assert GAME.invariants(play.state) == ()
    play.do(shared.Override("c", "points", "42"))
    play.do(shared.Override("c", "title", "HUMAN_HAND"))
    assert play.titles() == {"c": "human_hand"} and play.turn == "a" and "c" not in play.state.out
    play.do(shared.Override("c", "title", "none"))
    assert play.titles() == {}
    play.do(shared.Override("c", "hand", "none"))
    assert play.view()["players"]["c"]["count"] == 0
    for field, value, code in (("title", "king", "marsmatch.title"), ("hand", "X", "marsmatch.card"),
                               ("points", "x", "override.number"), ("chips", "1", "override.field")):  # fmt: skip
        with pytest.raises(Unreadable) as refusal:
            play.do(shared.Override("a", field, value))
        assert refusal.value.code == code


def test_4_points_that_no_title_brings_are_named(mars):
    """4: 500, 300 and 100 for those who go out, 0 for a Total Loser; a host may set others, and the laws say so."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A"}).go("a 3 3")
    play.do(shared.Close("real"))
    for player, right, name in (("a", 500, "Ground Hand"), ("b", 0, "Total Loser")):
        for points in (0, 1, 100, 300, 500):
            play.do(shared.Override(player, "points", str(points)))
            wrong = () if points == right else (f"{player} has {points} points as {name}",)
            assert GAME.invariants(play.state) == wrong
        play.do(shared.Override(player, "points", str(right)))


def test_there_are_no_garnets(mars):
    """4: neither garnets nor tokens in the result; a host may keep the season's books all the same."""
    play = mars(FOUR)
    play.do(shared.Award("a", "garnets", 3))
    play.do(shared.Award("a", "tokens", 1))
    play.do(shared.Penalty("a", 1))
    assert play.garnets()["a"] == 2
    play.do(shared.Override("a", "garnets", "1"))
    assert play.garnets()["a"] == 1 and GAME.invariants(play.state) == ()
    assert play.refuse(shared.Resolve()).code == "sealed.no_round"
    for viewer in ("host", "public", "a"):
        result = play.result(viewer)
        assert (result.garnets, result.tokens, result.elimination) == ({}, {}, ())
