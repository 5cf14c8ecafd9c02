"""Polar RPS Party, one test per numbered rule and per gap: setup, the end of a round, purchases.

Each docstring begins with the rule it holds: of the rule page (sections 1 to 6, gaps PL-n) or its season layer (S-n).
The expected values were worked out from those pages by hand; every setting is tested both ways. The rest:
test_polar_sheets, test_polar_end, test_polar_told.
"""

from __future__ import annotations

import pytest

from events.errors import Unreadable
from games.polar import actions as a, facts as f
from games.polar.actions import ROOMS
from games.polar.sheets import score
from games.table import actions as shared
from tests.support.play import only
from tests.support.polar import DUEL, HOUR, inventory, news

# ---- section 1: setup ----------------------------------------------------------------------------------------------


def test_what_everybody_begins_with(polar):
    """1: a room, a sign, 4 tickets, 2 swaps, two bombs of his choice, 0 points; garnets of the season (S-6)."""
    play = polar.placed({"a": "rock +", "b": "scissors -"}, {"a": "confetti ticket", "b": "double polarity"},
                        garnets={"a": 9})  # fmt: skip
    assert play.have("room") == {"a": "rock", "b": "scissors"} and play.have("sign") == {"a": "+", "b": "-"}
    assert inventory(play, "a") == (4, 2, {"confetti": 1, "ticket": 1})
    assert inventory(play, "b") == (4, 2, {"double": 1, "polarity": 1})
    assert play.have("points") == {"a": 0, "b": 0} and play.have("garnets") == {"a": 9, "b": 0}
    assert play.game.garnet_cap(play.state.settings) is None


def test_how_many_may_play(polar):
    """1, PL-1: two players or more; the roster says how many."""
    assert polar(players=("a", "b")).game.players == (2, 13)
    assert len(polar.placed({f"p{i}": "rock +" for i in range(13)}).have("room")) == 13


def test_the_phases(polar):
    """1: the pregame of 48 hours, nine rounds of 24, the end; nothing is scored in the pregame."""
    play = polar(players=("a", "b"), settings={"grace_seconds": 0})
    assert (play.view()["phase"], play.view()["round"], play.view()["of"]) == ("pregame", 0, 9)
    assert play.state.table.ends == play.opened + 48 * HOUR
    assert not only(play.resolve(), f.Scored) and play.view()["rounds"] == []
    seen = []
    for _ in range(9):
        assert play.view()["phase"] == "round" and play.state.table.ends == play.now + 24 * HOUR
        seen.append(play.view()["round"])
        play.now += HOUR
        assert len(only(play.resolve(), f.Scored)) == 2
    assert seen == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert play.view()["phase"] in ("deciding", "finished") and play.view()["round"] == 9
    play.refuse(shared.Resolve(), "no_round")
    play.refuse(polar.sheet("a", swap=1), "no_round")


@pytest.mark.parametrize(("key", "hours"), [("pregame_hours", 5), ("round_hours", 7)])
def test_hours_of_the_phases(polar, key, hours):
    """1: `pregame_hours`, `round_hours`; submissions end by themselves, and the round waits to be resolved."""
    play = polar(players=("a", "b"), settings={key: hours})
    if key == "round_hours":
        play.resolve()
    assert play.state.table.ends == play.now + hours * HOUR
    play.wait(play.now + hours * HOUR)
    assert play.state.table.round.closed == play.now and play.view("public")["closed"] is True


def test_how_many_rounds_are_scored(polar):
    """1: `rounds`; a host may amend it as long as they are not over (S-11)."""
    play = polar.placed(DUEL, settings={"rounds": 3})
    play.resolve()
    play.do(shared.AmendSetting("rounds", 2))
    assert "round 2 has already begun" in play.refuse(shared.AmendSetting("rounds", 1), "rounds").what
    play.resolve()
    assert play.state.over
    assert "the rounds are over" in play.refuse(shared.AmendSetting("rounds", 5), "rounds").what


def test_before_and_after_nothing_is_taken(polar):
    """1: no sheet before `open`; play is opened once; each phase takes its own sheets only."""
    play = polar(players=("a", "b"), opened=False)
    assert play.view()["phase"] == "pregame" and play.result().status == "setup"
    play.refuse(a.Start("a", "rock", "+"), "no_round")
    play.refuse(shared.Resolve(), "no_round")
    play.do(shared.Open())
    play.refuse(shared.Open(), "opened")
    for action in (polar.sheet("a", swap=1), a.Go("a", "rock"), a.Swap("a"), a.Bomb("a", "double", "rock")):
        play.refuse(action, "pregame")
    play.refuse(a.Buy("a", ("ticket",)), "pregame")
    play.resolve()
    play.refuse(a.Start("a", "rock", "+"), "pregame_over")


def test_who_names_no_room_or_sign_gets_one_by_lot(polar):
    """1, S-G5: invalid or blank room or sign: random, drawn and recorded; a repeat of the entry is the same draw."""
    play = polar(players=("a", "b", "c", "d"))
    play.start("a", "rock", "blank")
    play.start("b", "blank", "-")
    play.start("c", "cellar", "plus or minus", as_sent=True)
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
    (action,) = play.game.prepare(play.state, shared.Resolve(), luck)
    assert [line.split()[0] for line in action.drawn] == list("abcd") and action.seed == "00" * 32
    assert play.game.audit(play.state, action, 12) is None
    assert play.game.audit(play.state, action, 13) is not None
    facts = only(play.resolve(), f.Placed)
    assert [(p.player, p.drawn) for p in facts] == [
        ("a", ("sign",)), ("b", ("room",)), ("c", ("room", "sign")), ("d", ("room", "sign"))
    ]  # fmt: skip
    assert play.have("room")["a"] == "rock" and play.have("sign")["b"] == "-"
    assert set(play.have("room").values()) <= set(ROOMS) and set(play.have("sign").values()) <= {"+", "-"}


def test_the_lot_may_be_typed_in(polar):
    """S-G5: a lot that was drawn elsewhere, for those who need one; one each, and nothing that is no room or sign."""
    play = polar(players=("a", "b", "c"))
    play.start("a", "rock", "+")
    for line in ("b", "b rock", "b rock + x"):
        with pytest.raises(Unreadable, match="is not a player"):
            play.resolve(drawn=(line,))
    for line, code in (
        ("b attic +", "polar.room"), ("b blank +", "polar.room"), ("b rock ?", "polar.sign"),
        ("b rock blank", "polar.sign"), ("zed rock +", "player.unknown"),
    ):  # fmt: skip
        with pytest.raises(Unreadable) as error:
            play.resolve(drawn=(line,))
        assert error.value.code == code
    refusal = play.refuse(shared.Resolve(drawn=("b rock +",)), "drawn")
    assert refusal.host_only == "C named no room and no sign" and "C" not in refusal.what + refusal.fix.split('"')[0]
    play.refuse(shared.Resolve(drawn=("b rock +", "B r plus", "c rock +")), "drawn")
    play.resolve(drawn=("B r plus", "c scissors minus"))
    assert play.have("room") == {"a": "rock", "b": "rock", "c": "scissors"} and play.have("sign")["c"] == "-"


def test_nothing_is_drawn_in_a_round(polar):
    """1: the only draw of the game is that of the pregame; no tie is broken by a lot at a resolve."""
    play = polar(players=("a", "b"))
    play.resolve()
    play.refuse(shared.Resolve(drawn=("a rock +",)), "no_draw")


def test_an_amended_lot(polar):
    """S-G5: a recorded draw that a host types over is no longer called drawn."""
    play = polar(players=("a", "b"))
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
    (drawn,) = play.game.prepare(play.state, shared.Resolve(), luck)
    (same,) = play.game.prepare(play.state, drawn, luck)
    (typed,) = play.game.prepare(play.state, drawn._replace(drawn=("a rock +", "b rock -")), luck)
    assert same == drawn and typed.seed is None
    assert play.game.audit(play.state, drawn._replace(seed="xx"), 12) == "its seed is not in hex digits"


@pytest.mark.parametrize(
    ("setting", "bombs", "kept"),
    [
        ("lose_that_one", ("double", "bazooka"), {"double": 1}),
        ("lose_that_one", ("bazooka", "double"), {"double": 1}),
        ("lose_that_one", ("double", "blank"), {"double": 1}),
        ("lose_that_one", ("double",), {"double": 1}),
        ("lose_that_one", (), {}),
        ("lose_both", ("double", "bazooka"), {}),
        ("lose_both", ("double",), {}),
        ("lose_both", ("double", "confetti"), {"confetti": 1, "double": 1}),
        ("lose_that_one", ("double", "double"), {"double": 2}),
        ("lose_that_one", ("double", "confetti", "ticket"), {"confetti": 1, "double": 1}),
        ("lose_that_one", ("bazooka", "confetti", "ticket"), {"confetti": 1}),
    ],
)
def test_bad_bombs_of_the_pregame(polar, setting, bombs, kept):
    """1, PL-2, PL-3 `bad_bomb`: a bad or missing bomb of two is lost, or both; the same twice is allowed; no third."""
    play = polar(players=("a", "b"), settings={"bad_bomb": setting})
    play.start("a", "rock", "+", *bombs, as_sent=True)
    play.resolve()
    assert inventory(play, "a") == (4, 2, kept)
    assert bool(play.void("a")) == (len(bombs) != 2 or sum(kept.values()) < 2)


def test_what_is_lost_is_said(polar):
    """1, PL-3: what of a first sheet counts for nothing is said when it comes in, and with the start."""
    play = polar(players=("a", "b"), settings={"bad_bomb": "lose_both"})
    facts = play.start("a", "cellar", "blank", "double", "bazooka", as_sent=True)
    assert [(v.item, v.why, v.resolved) for v in only(facts, f.ItemVoid)] == [
        ('room "cellar"', "there is no such room; a lot decides", False),
        ('"bazooka" Bomb', "there is no such bomb; it is lost", False),
        ("Double Bomb", "lost with the other one", False),
    ]
    play.start("b", "rock", "+", "blank")
    play.resolve()
    assert play.void("a")[0] == 'room "cellar": there is no such room; a lot decides' and len(play.void("a")) == 3
    assert play.void("b")[:2] == [
        "nameless Bomb: there is no such bomb; it is lost", "second bomb: none is named; it is lost"
    ]  # fmt: skip


def test_the_last_start_counts(polar):
    """1, S-9: a later sheet replaces the one before it; an earlier one never fills its gaps; a blank takes it all."""
    play = polar(players=("a", "b"))
    play.start("a", "rock", "+", "double", "ticket")
    play.start("a", "paper", "-", "confetti")
    play.start("b", "rock", "+", "double", "ticket")
    play.do(shared.Blank("b"))
    placed = only(play.resolve(), f.Placed)
    assert (placed[0].room, placed[0].sign, placed[0].bombs) == ("paper", "-", ("confetti",))
    assert placed[1].drawn == ("room", "sign") and placed[1].bombs == ()


def test_the_start_is_published(polar):
    """1: when the pregame is resolved everybody learns rooms and signs, and not who chose which bombs."""
    play = polar(players=("a", "b", "c"))
    play.start("a", "rock", "+", "double", "ticket")
    assert play.view("public")["players"]["a"] == {"room": None, "sign": None, "points": 0}
    assert "begin" not in play.view("public")
    facts = play.resolve(drawn=("b rock -", "c paper +"))
    begin = play.view("public")["begin"]
    assert begin == {
        "round": 0,
        "rooms": {"rock": ["a", "b"], "paper": ["c"], "scissors": []},
        "signs": {"a": "+", "b": "-", "c": "+"},
    }
    public = news(play, facts, "public")
    assert "The start" in public and "lot" not in public and "Double" not in public
    assert "Drawn by lot for you: Rock and -" in news(play, facts, "b") and "lot" not in news(play, facts, "a")


# ---- section 3: the end of a round ---------------------------------------------------------------------------------


def test_the_worked_example(polar):
    """3: Rock A+ B+ C-, Paper D- E-, Scissors F+ G-: base A 0, B 0, C 1, D 1, E 1, F -1, G -1."""
    play = polar.placed()
    play.resolve()
    assert play.last()["scores"] == {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1, "f": -1, "g": -1}


def test_the_worked_example_among_all(polar):
    """3, PL-4 `polarity_scope = all`: 3 plus and 4 minus, so plus is the rarer sign: F and the + players change."""
    play = polar.placed(settings={"polarity_scope": "all"})
    play.resolve()
    assert play.last()["scores"] == {"a": 1, "b": 1, "c": 0, "d": 1, "e": 1, "f": 0, "g": -1}


@pytest.mark.parametrize(("winner", "loser"), [("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")])
def test_what_beats_what(polar, winner, loser):
    """3: Rock>Scissors, Paper>Rock, Scissors>Paper: +1 for each player beaten, -1 for each who beats."""
    play = polar.placed({"a": f"{winner} +", "b": f"{winner} +", "c": f"{loser} +"})
    play.resolve()
    assert play.last()["scores"] == {"a": 1, "b": 1, "c": -2}


def test_the_new_rooms_and_signs_count(polar):
    """3.2, 3.3, PL-25: everybody moves and swaps at once, then points are counted."""
    play = polar.placed({"a": "rock +", "b": "paper +", "c": "scissors +"})
    play.submit("a", ticket="paper")
    play.submit("b", ticket="rock", swap=1)
    play.submit("c", ticket="rock")
    play.resolve()
    assert play.last()["rooms"] == {"rock": ["b", "c"], "paper": ["a"], "scissors": []}
    assert play.last()["scores"] == {"a": 2, "b": -1, "c": -1}


@pytest.mark.parametrize(
    ("signs", "room", "everybody"),
    [
        ("+++-", "---1", "---1"),
        ("++--", "----", "----"),
        ("++++", "----", "----"),
        ("+", "-", "-"),
        ("+-", "--", "--"),
        ("+--", "1--", "1--"),
    ],
)
def test_the_rarer_sign(polar, signs, room, everybody):
    """3, PL-4: strictly fewer. Equal counts, a lone player, one sign only: nobody."""
    rooms, held = {f"p{i}": "rock" for i in range(len(signs))}, {f"p{i}": s for i, s in enumerate(signs)}
    for scope, wanted in (("room", room), ("all", everybody)):
        found = score(rooms, held, {}, scope, "base_only")
        assert "".join("1" if one.minority else "-" for one in found.values()) == wanted
        assert [one.points for one in found.values()] == [int(c == "1") for c in wanted]


def test_the_rarer_sign_in_the_room_or_among_all():
    """PL-4 `polarity_scope`: + is rare in the room and frequent among all."""
    rooms = {"a": "rock", "b": "rock", "c": "rock", "d": "paper", "e": "paper", "f": "paper"}
    signs = {"a": "+", "b": "-", "c": "-", "d": "+", "e": "+", "f": "+"}
    near = {p for p, one in score(rooms, signs, {}, "room", "base_only").items() if one.minority}
    whole = {p for p, one in score(rooms, signs, {}, "all", "base_only").items() if one.minority}
    assert near == {"a"} and whole == {"b", "c"}


ROWS = [
    # bombs on the room, base 1 with the rarer sign: base_only, cancels_others, cancelled_by_others
    ({"confetti": 1}, 2, 2, 2),
    ({"confetti": 2}, 3, 3, 3),
    ({"double": 1}, 2, 2, 2),
    ({"double": 2}, 2, 2, 2),
    ({"double": 1, "confetti": 1}, 3, 2, 2),
    ({"double": 2, "confetti": 2}, 4, 2, 3),
    ({"polarity": 1}, 3, 3, 3),
    ({"polarity": 2}, 5, 5, 5),
    ({"polarity": 1, "double": 1}, 4, 2, 3),
    ({"ticket": 1, "double": 1}, 2, 2, 1),
    ({"polarity": 2, "confetti": 1, "double": 1, "ticket": 1}, 7, 2, 6),
]


@pytest.mark.parametrize(("bombs", "base_only", "cancels", "cancelled"), ROWS)
def test_bombs(bombs, base_only, cancels, cancelled):
    """3.4, PL-5 `double_mode`, PL-13: base x 2 with a Double, +1 a Confetti, +2 a Polarity for the rarer sign."""
    rooms, signs = dict.fromkeys("abc", "rock"), {"a": "+", "b": "-", "c": "-"}
    for mode, points in (("base_only", base_only), ("cancels_others", cancels), ("cancelled_by_others", cancelled)):
        found = score(rooms, signs, {"rock": bombs}, "room", mode)
        assert found["a"].points == points, mode
        cut = mode == "cancels_others" and "double" in bombs
        assert found["b"].points == (0 if cut else bombs.get("confetti", 0))
        assert found["b"].tickets == found["a"].tickets == (0 if cut else bombs.get("ticket", 0))


@pytest.mark.parametrize(("mode", "points"), [("base_only", -3), ("cancels_others", -4), ("cancelled_by_others", -1)])
def test_a_negative_base_is_doubled(polar, mode, points):
    """PL-5: a base below zero doubles too; points may be negative (3.5)."""
    play = polar.placed({"a": "rock +", "b": "paper +", "c": "paper +"}, {"b": "double ticket", "c": "confetti ticket"},
                        settings={"double_mode": mode})  # fmt: skip
    play.submit("b", bomb="double rock")
    play.submit("c", bomb="confetti rock")
    play.resolve()
    assert play.have("points") == {"a": points, "b": 1, "c": 1}


def test_ticket_bombs(polar):
    """3.4, PL-12: everybody in the room after the moves gets a ticket for each; not usable in the same round."""
    play = polar.placed({"a": "rock +", "b": "paper +", "c": "rock +"}, {"a": "ticket ticket", "b": "ticket double"})
    play.do(shared.Override("c", "tickets", "0"))
    play.submit("a", bomb="ticket rock")
    play.submit("b", bomb="ticket rock", ticket="rock")
    play.submit("c", ticket="paper")
    play.resolve()
    assert play.have("tickets") == {"a": 6, "b": 5, "c": 2} and play.have("room")["c"] == "rock"
    play.submit("c", ticket="paper")
    play.resolve()
    assert play.have("tickets")["c"] == 1 and play.have("room")["c"] == "paper"


def test_bombs_hit_who_is_there_after_the_moves(polar):
    """3.4, PL-11: not who was there before."""
    play = polar.placed({"a": "rock +", "b": "rock +"}, {"a": "confetti confetti"})
    play.submit("a", bomb="confetti rock", ticket="paper")
    play.resolve()
    assert play.last()["scores"] == {"a": 1, "b": 0}


def test_two_players_one_bomb(polar):
    """PL-21: the same bomb on the same room: both consumed, both listed."""
    play = polar.placed(DUEL, {"a": "confetti double", "b": "confetti double"})
    play.submit("a", bomb="confetti rock")
    play.submit("b", bomb="confetti rock")
    play.resolve()
    assert play.view("public")["rounds"][0]["bombs"] == {"rock": {"confetti": 2}}
    assert play.have("bombs") == {"a": {"double": 1}, "b": {"double": 1}} and play.have("points")["a"] == 1


def test_every_point_has_a_reason(polar):
    """Issue: `explain` says what each point comes of, with its rule."""
    play = polar.placed(bombs={"a": "polarity double", "b": "confetti ticket", "c": "double ticket"})
    play.submit("a", bomb="polarity rock")
    play.submit("b", bomb="confetti rock")
    play.submit("c", bomb="double rock")
    told_ = {fact.player: play.game.explain(play.state, fact) for fact in only(play.resolve(), f.Scored)}
    assert told_["c"].text == (
        "C scores 5 in round 1: in Rock, +2 for those in Scissors, -2 for those in Paper, "
        "+1 for the rarer sign -: 1, doubled 2, +1 Confetti, +2 Polarity"
    )
    assert told_["c"].rule == "section 3, PL-4, PL-5"
    assert told_["a"].text.endswith("-2 for those in Paper: 0, doubled 0, +1 Confetti")
    assert told_["f"].text == "F scores -1 in round 1: in Scissors, +2 for those in Paper, -3 for those in Rock"
    assert told_["f"].rule == "section 3"


# ---- section 4: purchases ------------------------------------------------------------------------------------------


def test_prices_rise_for_each_kind(polar):
    """4: three tickets cost 1+2+3 = 6, a bomb after that costs 1; bombs of all types are one kind; no refund (PL-6)."""
    play = polar.placed(DUEL, garnets={"a": 20})
    assert play.view("a")["players"]["a"]["prices"] == {"ticket": 1, "swap": 1, "bomb": 1}
    facts = play.submit("a", buy="ticket ticket ticket double polarity swap")
    assert not only(facts, f.ItemVoid)
    assert [fact.price for fact in only(play.resolve(), f.Bought)] == [1, 2, 3, 1, 2, 1]
    assert inventory(play, "a") == (7, 3, {"double": 1, "polarity": 1}) and play.have("garnets")["a"] == 10
    assert play.view("a")["players"]["a"]["prices"] == {"ticket": 4, "swap": 2, "bomb": 3}
    play.submit("a", buy="ticket_bomb swap")
    play.resolve()
    assert inventory(play, "a") == (7, 4, {"double": 1, "polarity": 1, "ticket": 1})
    assert play.have("garnets")["a"] == 10 - 3 - 2


@pytest.mark.parametrize(("scope", "prices", "left"), [("per_player", [1, 2], 5), ("market", [2, 3], 3)])
def test_one_market_or_each_his_own(polar, scope, prices, left):
    """PL-6 `price_scope`: the k-th purchase counted for each player, or for all; within a round each pays his own."""
    play = polar.placed(DUEL, settings={"price_scope": scope}, garnets={"a": 1, "b": 8})
    play.submit("a", buy="ticket")
    play.resolve()
    play.submit("b", buy="ticket ticket")
    assert [fact.price for fact in only(play.resolve(), f.Bought)] == prices
    assert play.have("garnets") == {"a": 0, "b": left}


def test_in_one_market_the_order_of_players_makes_no_difference(polar):
    """PL-6: everybody pays the price as it was before the round, and more for what he himself bought in it."""
    for players in ("ab", "ba"):
        play = polar.placed(dict.fromkeys(players, "rock +"), settings={"price_scope": "market"},
                            garnets={"a": 9, "b": 9})  # fmt: skip
        play.submit("a", buy="ticket ticket")
        play.submit("b", buy="ticket")
        play.resolve()
        assert play.have("garnets") == {"a": 6, "b": 8}
        assert play.view("a")["players"]["a"]["prices"]["ticket"] == 4


def test_what_cannot_be_paid_fails(polar):
    """PL-7: in the player's order; each that cannot be paid fails, a later cheaper one does not; what hung on it is
    blank."""
    play = polar.placed(DUEL, garnets={"a": 4})
    play.submit("a", buy="double confetti polarity swap", bomb="polarity rock")
    play.resolve()
    assert play.have("garnets")["a"] == 0 and inventory(play, "a") == (4, 3, {"confetti": 1, "double": 1})
    assert play.void("a") == [
        "buy a Polarity Bomb: it costs 3 garnets, 1 left", "Polarity Bomb on Rock: no Polarity Bomb left"
    ]  # fmt: skip


@pytest.mark.parametrize("same", [True, False])
def test_use_in_the_same_round(polar, same):
    """PL-7 `use_same_round`: what is bought with a sheet can be used by that sheet, or from the next round on."""
    play = polar.placed(DUEL, settings={"use_same_round": same}, garnets={"a": 3})
    play.do(shared.Override("a", "tickets", "0"))
    play.do(shared.Override("a", "swaps", "0"))
    play.submit("a", buy="ticket swap confetti", ticket="paper", swap=1, bomb="confetti rock")
    play.resolve()
    assert play.have("room")["a"] == ("paper" if same else "rock")
    assert inventory(play, "a") == ((0, 0, {}) if same else (1, 1, {"confetti": 1}))
    if not same:
        assert len(play.void("a")) == 3
        play.submit("a", ticket="paper", swap=1, bomb="confetti rock")
        play.resolve()
        assert inventory(play, "a") == (0, 0, {}) and play.have("room")["a"] == "paper"


@pytest.mark.parametrize("window", ["every_round", "pregame_too"])
def test_when_one_can_buy(polar, window):
    """PL-7 `purchase_window`: with any round's sheet, or with the first sheet too."""
    play = polar(players=("a", "b"), settings={"purchase_window": window}, garnets={"a": 3})
    facts = play.start("a", "rock", "+", "double", "double", buy=("double", "ticket", "ticket"))
    assert len(only(facts, f.ItemVoid)) == (3 if window == "every_round" else 1)
    play.resolve()
    if window == "pregame_too":
        assert inventory(play, "a") == (5, 2, {"double": 3}) and play.have("garnets")["a"] == 1
        assert play.void("a") == ["buy a Ticket: it costs 2 garnets, 1 left"]
        assert play.view("a")["players"]["a"]["prices"] == {"ticket": 2, "swap": 1, "bomb": 2}
    else:
        assert inventory(play, "a") == (4, 2, {"double": 2}) and play.have("garnets")["a"] == 3
        assert play.void("a")[0] == "buy a Double Bomb: nothing is sold in the pregame"
