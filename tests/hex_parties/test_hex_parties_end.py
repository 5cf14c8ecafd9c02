"""Hex Parties, rule by rule (as test_hex_parties_rules): points, the end, what hosts may set."""

from __future__ import annotations

import pytest

from events.errors import Unreadable
from games.hex_parties import facts as f
from games.hex_parties.board import BONUS
from games.table import actions as shared, facts as table_facts
from tests.support.hexparties import HOUR, PLAYERS, TRIO, ended
from tests.support.play import only

# ---- sections 4 and 5: points and the end --------------------------------------------------------------------------


def test_one_winner(hexes):
    """5, S-2: two tokens and two garnets; one token is given away, not to the Elimination Candidate."""
    play = ended(hexes, (4, 5, 6, 9, 8, 1))
    assert play.view()["winners"] == ["p1"]
    assert play.points() == (5, 6, 7, 9, 8, 1), "the points of the last round are added"
    assert play.tokens() == {"p1": 2} and play.garnets()["p1"] == 3
    assert play.state.table.elimination == ("p6",) and play.open_decisions() == ["gift"]
    play.refuse(shared.Gift("p1", "p6"), "gift_candidate")
    play.do(shared.Gift("p1", "p4"))
    assert play.tokens() == {"p1": 1, "p4": 1} and play.result().status == "finished"


def test_hx26_two_winners(hexes):
    """5, HX-26: one token and one garnet each, no gift."""
    play = ended(hexes, (4, 7, 0, 9, 8, 0))
    assert play.view()["winners"] == ["p1", "p2"] and play.tokens() == {"p1": 1, "p2": 1}
    assert play.garnets()["p1"] == play.garnets()["p2"] == 2 and play.garnets()["p3"] == 1
    assert play.state.table.elimination == ("p6",) and play.open_decisions() == []


def test_three_winners(hexes):
    """5: no token, one garnet each."""
    play = ended(hexes, (4, 7, 8, 9, 8, 0))
    assert play.view()["winners"] == ["p1", "p2", "p3"] and play.tokens() == {}
    assert [play.garnets()[p] for p in PLAYERS] == [2, 2, 2, 1, 1, 1]
    assert play.result().status == "finished"


def test_nobody_in_ten_rounds(hexes):
    """5: after ten rounds without an ender no tokens and no garnets; the fewest points lose."""
    play = hexes.at((0, 0, 0, 0, 0, 0), TRIO, settings={"max_rounds": 3})
    play.do(shared.Override("p4", "points", "1"))
    play.do(shared.Override("p5", "points", "1"))
    play.skip(2)
    assert not play.state.over
    play.skip(1)
    assert play.view()["winners"] == [] and play.tokens() == {} and play.garnets()["p1"] == 1
    assert play.points() == (3, 3, 3, 1, 1, 0) and play.state.table.elimination == ("p6",)
    assert hexes().state.settings.max_rounds == 10


def test_hx14_a_victory_in_the_last_round_counts(hexes):
    """HX-14: the end without tokens is only for a match in which nobody is able to win."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), settings={"max_rounds": 1})
    assert play.view()["winners"] == ["p1"] and play.tokens() == {"p1": 2}


def test_hx12_points_of_the_round_do_not_count_yet(hexes):
    """HX-12: who reaches 4 points by the round itself does not end the match in it, but in the next."""
    play = ended(hexes, (3, 3, 3, 0, 0, 0))
    assert not play.state.over and play.points() == (4, 4, 4, 0, 0, 0)
    play.resolve()
    assert play.view()["winners"] == ["p1"]


def test_hx13_rings_in_a_match(hexes):
    """5, HX-13: on ring 1 with 6 points nobody ends, with 7 he does."""
    assert not ended(hexes, (0, 6, 0, 0, 0, 0)).state.over
    assert ended(hexes, (0, 7, 0, 0, 0, 0)).view()["winners"] == ["p2"]


def test_hx19_the_garnet_cap(hexes):
    """HX-19, S-7: garnets above 3 are discarded; the cap is a setting, and holds at the start too."""
    full = {p: 1 for p in PLAYERS} | {"p1": 2}
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full).garnets()["p1"] == 3
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full | {"p1": 3}).garnets()["p1"] == 3
    assert ended(hexes, (4, 0, 0, 9, 8, 1), garnets=full, settings={"garnet_cap": 9}).garnets()["p1"] == 4
    assert hexes().game.garnet_cap(hexes().state.settings) == 3


def test_hx19_what_was_discarded_is_said(hexes):
    """HX-19: who would have received more reads why he did not."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), garnets={p: 1 for p in PLAYERS} | {"p1": 2})
    (reward,) = (reward for reward in play.state.table.rewards if reward.player == "p1")
    assert reward.garnets == 1 and reward.why.endswith("; 1 garnet above the cap of 3 is discarded")


def test_hx19_an_override_after_the_end_sets_that_field_alone(hexes):
    """Season, host powers: garnets set after the end stay as set; what was discarded stays discarded."""
    play = ended(hexes, (4, 0, 0, 9, 8, 1), garnets=dict.fromkeys(PLAYERS, 2))
    play.do(shared.Override("p1", "garnets", "0"))
    assert play.garnets()["p1"] == 0


@pytest.mark.parametrize("setting", [True, False])
def test_hx15_the_winner_as_elimination_candidate(hexes, setting):
    """HX-15: token holders are excluded by custom; by the letter a winner with fewest points may be EC."""
    play = ended(hexes, (4, 6, 6, 9, 8, 6), settings={"ec_excludes_token_holders": setting})
    assert play.state.table.elimination == (("p6",) if setting else ("p1",))


def test_hx15_a_token_given_by_a_host_excludes_too(hexes):
    """HX-15, S-2: who holds a token is no candidate, however he got it."""
    play = ended(hexes, (4, 6, 6, 9, 8, 6))
    assert play.state.table.elimination == ("p6",)
    play.do(shared.Award("p6", "tokens", 1))
    without = {p: n for p, n in zip(PLAYERS, play.points(), strict=True) if p not in ("p1", "p6")}
    lowest = tuple(p for p in without if without[p] == min(without.values()))
    (vote,) = play.state.table.decisions
    assert vote.kind == "vote" and vote.among == lowest and "p6" not in lowest


def test_hx15_an_ender_without_token_is_not_excluded(hexes):
    """HX-15: of three who ended the match nobody holds a token."""
    play = ended(hexes, (4, 7, 7, 9, 8, 6))
    assert play.state.table.elimination == ("p1",) and play.points()[0] == 5


def test_hx15_the_gift_waits_for_the_candidate(hexes):
    """HX-15, S-2: the second token is given after the EC is known; ungiven it lapses after gift_hours."""
    play = ended(hexes, (4, 2, 2, 9, 8, 3), settings={"gift_hours": 12})
    assert play.open_decisions() == ["vote"]
    play.refuse(shared.Gift("p1", "p4"), "no_gift")
    play.do(shared.Vote("p1", "p2"))
    assert play.state.table.elimination == ("p2",) and play.open_decisions() == ["gift"]
    play.wait(play.now + 12 * HOUR)
    assert play.tokens() == {"p1": 1} and play.result().status == "finished"


def test_hx16_the_winners_vote(hexes):
    """HX-16, S-4: plurality of all who ended the match, with or without a token; then garnets of voters; then a lot."""
    points = (4, 7, 7, 2, 2, 9)
    play = ended(hexes, points)
    assert play.state.table.decisions[0].who == ("p1", "p2", "p3")
    for voter, named in (("p1", "p4"), ("p2", "p5"), ("p3", "p5")):
        play.do(shared.Vote(voter, named))
    assert play.state.table.elimination == ("p5",)


def test_hx16_a_split_of_two(hexes):
    """HX-16, S-4: two winners name two: the one whose voter holds more garnets after rewards; equal: a lot."""
    for garnets, decided in (({"p1": 2}, "p4"), ({"p2": 2}, "p5"), ({}, None)):
        play = ended(hexes, (4, 7, 6, 2, 2, 9), garnets=garnets)
        assert play.view()["winners"] == ["p1", "p2"]
        play.do(shared.Vote("p1", "p4"))
        play.do(shared.Vote("p2", "p5"))
        if decided is None:
            assert play.open_decisions() == ["lot"]
            play.do(shared.Lot())
            assert play.state.table.elimination[0] in ("p4", "p5")
        else:
            assert play.state.table.elimination == (decided,)


def test_hx16_votes_have_hours(hexes):
    """HX-16: what is not voted in vote_hours is not; without any vote a lot."""
    play = ended(hexes, (4, 7, 6, 2, 2, 9), settings={"vote_hours": 6})
    play.wait(play.now + 6 * HOUR)
    assert play.open_decisions() == ["lot"]


@pytest.mark.parametrize("setting", ["lot", "host", "lower_garnets"])
def test_hx16_no_winner(hexes, setting):
    """HX-16: nobody won and the lowest are equal: a lot, a host, or fewest garnets and then a lot."""
    play = ended(
        hexes,
        (3, 3, 3, 0, 0, 0),
        garnets={"p1": 0, "p4": 2, "p5": 1, "p6": 1},
        settings={"ec_tie_no_winner": setting, "max_rounds": 1},
    )
    (lot,) = play.state.table.decisions
    assert lot.kind == "lot" and lot.among == (("p5", "p6") if setting == "lower_garnets" else ("p4", "p5", "p6"))
    if setting == "host":
        assert play.refuse(shared.Lot(), "host_names").fix == "hl lot --outcome PLAYER"
        play.refuse(shared.Lot(lot.among, "p4", "00" * 32), "host_names")
        play.do(shared.Lot(outcome="p4"))
    else:
        play.do(shared.Lot())
    assert play.state.table.elimination[0] in lot.among


def test_hx16_lower_garnets_may_decide_alone(hexes):
    """HX-16: one with fewest garnets needs no lot."""
    play = ended(
        hexes,
        (3, 3, 3, 0, 0, 0),
        garnets={"p4": 2, "p5": 0, "p6": 1},
        settings={"ec_tie_no_winner": "lower_garnets", "max_rounds": 1},
    )
    assert play.state.table.elimination == ("p5",)
    said = [play.game.explain(play.state, fact).text for fact in play.told]
    assert any("fewest garnets: 0" in text for text in said)


def test_who_decides_is_told_where_winners_and_tokens_may_be_known(hexes):
    """6: the voters are the winners, and holders of tokens among them."""
    for winners, tokens, known in (
        ("everybody_after_end", "everybody_after_end", True),
        ("host", "everybody_after_end", False),
        ("everybody_after_end", "host", False),
    ):
        levels = {"visibility": {"winners": winners, "tokens": tokens}}
        play = ended(hexes, (4, 7, 7, 2, 2, 9), settings=levels)
        (vote,) = play.result("p4").decisions
        assert ("who" in vote) is known
        (opened,) = only(play.told, table_facts.DecisionOpened)
        assert bool(play.game.tell(play.state, [opened], opened.decision.who[0])) is known


@pytest.mark.parametrize(
    ("typed", "kept"), [("Sprint=odd", "sprint:odd"), ("sprint:BOTH", "sprint:both"), ("leap", "leap")]
)
def test_a_bonus_has_one_spelling(typed, kept):
    assert BONUS.read(typed, None) == kept


@pytest.mark.parametrize("typed", ["sprint:", "sprint:neither", ":odd", "9 lives:odd"])
def test_a_bonus_that_is_none_is_unreadable(typed):
    with pytest.raises(Unreadable):
        BONUS.read(typed, None)


def test_hx2_a_bonus_for_both_pieces_may_be_said_so(hexes):
    """HX-2 `reach = "both"`: named for both, or for nothing in particular, it carries both; for one piece, that one."""
    for on, carried in (("", {"odd", "even"}), (":both", {"odd", "even"}), (":odd", {"odd"})):
        play = hexes(settings={"bonuses": [{"name": "hop", "pass_through": True, "reach": "both"}]})
        play.move("p1", "odd B2 even B4", "hop" + on)
        (used,) = only(play.resolve(), f.BonusUsed)
        assert set(used.pieces) == carried


@pytest.mark.parametrize(
    ("field", "typed", "kept"), [("points", "07", "7"), ("odd", "e5", "E5"), ("even", " e5 ", "E5")]
)
def test_an_override_is_recorded_in_one_spelling(hexes, field, typed, kept):
    play = hexes()
    (action,) = play.game.prepare(play.state, shared.Override("p1", field, typed), None)
    assert action.value == kept


def test_hx25_points_are_not_negative(hexes):
    """HX-25: never negative, never spent; an override takes whole numbers from 0."""
    play = hexes()
    for value in ("-1", "one", "1.5", ""):
        with pytest.raises(Unreadable):
            play.do(shared.Override("p1", "points", value))
    play.do(shared.Override("p1", "points", "12"))
    assert play.points()[0] == 12


# ---- host powers ---------------------------------------------------------------------------------------------------


def test_overrides(hexes):
    """Season: points, odd, even, garnets: that field of that player and nothing else, whatever the rules say."""
    play = hexes()
    before = play.view()
    play.do(shared.Override("p1", "odd", "e5"))
    play.do(shared.Override("p2", "even", "E5"))
    play.do(shared.Override("p3", "garnets", "7"))
    after = play.view()
    assert (play.cells()["p1o"], play.cells()["p2e"], play.garnets()["p3"]) == ("E5", "E5", 7)
    assert play.game.invariants(play.state) == ("p1's odd piece and p2's even piece are both on E5",)
    play.do(shared.Override("p2", "even", "D8"))
    assert play.game.invariants(play.state) == ()
    changed = {p for p in PLAYERS if before["players"][p] != after["players"][p]}
    assert changed == {"p1", "p2", "p3"}
    with pytest.raises(Unreadable, match="cannot set"):
        play.do(shared.Override("p1", "chips", "3"))
    with pytest.raises(Unreadable, match="E12"):
        play.do(shared.Override("p1", "odd", "E12"))


def test_a_piece_placed_by_a_host_is_told_to_everybody(hexes):
    """6 `positions`: once, to the public; and which piece is odd not before the moves of round 1 are."""

    def told_of(play, viewer, field="odd"):
        facts = play.do(shared.Override("p1", field, "E5"))
        return "".join(repr(block) for block in play.game.tell(play.state, facts, viewer).blocks)

    assert "a piece of P1 is on E5" in told_of(hexes(), "public")
    assert told_of(hexes(), "p2") == ""
    assert told_of(hexes(settings={"visibility": {"positions": "host"}}), "public") == ""
    play = hexes()
    play.resolve()
    assert "the odd piece of P1 is on E5" in told_of(play, "public")
    assert "the even piece of P1 is on E5" in told_of(play, "public", "even")


def test_a_bonus_used_twice_breaks_a_law(hexes):
    """HX-2: each once a player and match; the rules refuse it, and the engine would notice."""
    play = hexes()
    assert play.game.invariants(play.state._replace(used={"p1": ("sprint",), "p2": ("sprint", "leap")})) == ()
    broken = play.game.invariants(play.state._replace(used={"p1": ("sprint", "leap", "sprint")}))
    assert broken == ("p1 used sprint twice",)


def test_before_play_the_phase_is_round_1(hexes):
    assert hexes(opened=False).state.table.phase == "round_1"


@pytest.mark.parametrize("chosen", ["A2", "A4"])
@pytest.mark.parametrize("moved", ["odd", "even"])
def test_a_piece_moved_by_a_host_keeps_its_choice(hexes, chosen, moved):
    """2, host powers: `odd` is the piece that its player has chosen so far, and stays so wherever a host puts it."""
    play = hexes()
    play.sides("p1", chosen)
    play.do(shared.Override("p1", moved, "E5"))
    where = {"odd": chosen, "even": "A4" if chosen == "A2" else "A2"} | {moved: "E5"}
    for _ in range(2):
        shown = play.view("p1")["players"]["p1"]
        assert {which: shown[which] for which in ("odd", "even")} == where
        if not play.state.results:
            play.resolve()
    play = hexes()
    play.do(shared.Override("p1", "even", "E5"))
    play.sides("p1", "E5")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p1e"]) == ("E5", "A2")


def test_two_pieces_on_one_cell_by_override_move_apart(hexes):
    """3: a law broken by an override does not stop a round: who moves away leaves the other alone."""
    play = hexes()
    play.do(shared.Override("p1", "odd", "E5"))
    play.do(shared.Override("p2", "odd", "E5"))
    play.move("p1", "odd E6")
    play.resolve()
    assert (play.cells()["p1o"], play.cells()["p2o"]) == ("E6", "E5")


def test_max_rounds_amended(hexes):
    """S-11, HX-14: a setting amended during the match counts from then on."""
    play = hexes()
    play.skip(2)
    play.do(shared.AmendSetting("max_rounds", "2"))
    play.resolve()
    assert play.state.over and len(play.state.results) == 3
