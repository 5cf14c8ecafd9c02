"""Polar RPS Party, rule by rule (as test_polar_rules): the end of the match, and what hosts may set."""

from __future__ import annotations

import pytest

from events.errors import Unreadable
from games.polar import facts as f
from games.polar.actions import ROOMS
from games.table import actions as shared, facts as table_facts
from games.table.view import frame
from tests.support.play import kinds, only, tokens
from tests.support.polar import DUEL, HOUR, NO_LUCK, TIED, news, words

# ---- section 5: the end --------------------------------------------------------------------------------------------


def test_one_first_and_one_second(polar):
    """5, PL-16: two tokens to the first, one to the second; the first may give one away, not to the EC (S-2)."""
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1})
    assert tokens(play) == {"a": 2, "b": 1} and kinds(play) == ["gift"] and play.result().elimination == ("d",)
    for receiver in ("a", "b", "d"):
        play.refuse(shared.Gift("a", receiver), "gift_candidate")
    play.refuse(shared.Gift("b", "c"), "no_gift_right")
    play.do(shared.Gift("a", "c"))
    assert tokens(play) == {"a": 1, "b": 1, "c": 1} and play.view()["phase"] == "finished"
    assert play.result().ranking == (("a",), ("b",), ("c",), ("d",)) and play.result().scores["a"] == 9


@pytest.mark.parametrize("hours", [2, 24])
def test_a_token_that_is_not_given_lapses(polar, hours):
    """PL-16, S-2 `gift_hours`."""
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1}, settings={"gift_hours": hours})
    play.wait(play.now + hours * HOUR - 1)
    assert tokens(play) == {"a": 2, "b": 1}
    play.wait(play.now + 1)
    assert tokens(play) == {"a": 1, "b": 1} and play.result().status == "finished"


def test_one_first_and_several_second(polar):
    """5, PL-17: the first keeps one token and picks who of the second wins the other, who then counts as a winner."""
    play = polar.ended({"a": 9, "b": 5, "c": 5, "d": 1, "e": 1})
    assert tokens(play) == {"a": 1} and kinds(play) == ["choose"] and play.result().elimination == ()
    assert play.state.table.decisions[0].who == ("a",) and play.state.table.decisions[0].among == ("b", "c")
    play.refuse(shared.Choose("b", "c"), "no_choose_right")
    for other in ("a", "d"):
        play.refuse(shared.Choose("a", other), "choose_candidate")
    play.refuse(shared.Vote("a", "d"), "no_vote")
    play.do(shared.Choose("a", "c"))
    assert tokens(play) == {"a": 1, "c": 1}
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.who, vote.among) == ("vote", ("a", "c"), ("d", "e"))
    play.refuse(shared.Choose("a", "b"), "no_choose")
    play.refuse(shared.Vote("b", "d"), "no_vote_right")


def test_a_blank_is_for_a_round_or_for_the_vote(polar):
    """0025, S-10: an abstention is no sheet once the last resolve is undone, and a sheet's blank is no abstention."""
    round_1 = polar.placed(DUEL)
    (blank,) = round_1.game.prepare(round_1.state, shared.Blank("a"), NO_LUCK)
    assert blank.round == "round_1"
    play = polar.ended({"a": 9, "b": 5, "c": 5, "d": 1, "e": 1})
    play.do(shared.Choose("a", "c"))
    (abstains,) = play.game.prepare(play.state, shared.Blank("a"), NO_LUCK)
    assert abstains.round == "vote" and play.game.prepare(play.state, abstains, NO_LUCK) == (abstains,)
    play.refuse(blank, "no_round")
    assert only(play.do(abstains), table_facts.Abstained)
    assert round_1.refuse(abstains, "not_this_round").what == "round 1 is on, not the vote"
    nobody = play.game.prepare(play.state, shared.Blank("b"), NO_LUCK)
    assert nobody == (shared.Blank("b"),), "he has no vote, and no round is on"


@pytest.mark.parametrize("how", ["clock", "close", "left"])
def test_a_choice_that_is_not_made(polar, how):
    """PL-17 `vote_hours`: when he does not pick in time a lot does among the second."""
    play = polar.ended({"a": 9, "b": 5, "c": 5, "d": 1}, settings={"vote_hours": 3})
    if how == "clock":
        play.wait(play.now + 3 * HOUR - 1)
        assert kinds(play) == ["choose"]
        play.wait(play.now + 1)
    else:
        play.do(shared.Close("choose") if how == "close" else shared.Drop("a"))
    (lot,) = play.state.table.decisions
    assert (lot.kind, lot.among) == ("lot", ("b", "c"))
    play.refuse(shared.Lot((), "d"), "lot_outcome")
    facts = play.do(shared.Lot((), "b"))
    assert tokens(play) == {"a": 1, "b": 1} and play.result().elimination == ("d",)
    (award,) = [fact.award for fact in only(facts, table_facts.TokenAwarded)]
    assert award.why == "second with 5 points; the winner picked nobody; drawn by lot" and award.rule.endswith("PL-17")


def test_a_choice_can_be_reopened(polar):
    """Host powers: the choice is taken anew; the tokens follow."""
    play = polar.ended({"a": 9, "b": 5, "c": 5, "d": 1})
    play.do(shared.Choose("a", "b"))
    assert tokens(play) == {"a": 1, "b": 1} and play.result().status == "finished"
    play.do(shared.Reopen("choose"))
    assert kinds(play) == ["choose"] and tokens(play) == {"a": 1}
    play.do(shared.Choose("a", "c"))
    assert tokens(play) == {"a": 1, "c": 1}


@pytest.mark.parametrize("tied", [2, 3, 4])
def test_two_to_four_tied_first(polar, tied):
    """5, PL-18: one token each and nothing else; no second place."""
    points = {p: 9 for p in "abcd"[:tied]} | {"e": 5, "f": 1}
    play = polar.ended(points)
    assert tokens(play) == dict.fromkeys("abcd"[:tied], 1)
    assert play.result().elimination == ("f",) and play.result().status == "finished" and kinds(play) == []


@pytest.mark.parametrize("tied", [5, 6])
def test_five_or_more_tied_first(polar, tied):
    """5: no tokens; PL-19: no voters either, so a lot among several lowest."""
    points = {p: 9 for p in "abcdef"[:tied]} | {"x": 1, "y": 1}
    play = polar.ended(points)
    assert tokens(play) == {} and kinds(play) == ["lot"] and play.state.table.decisions[0].among == ("x", "y")
    play.do(shared.Lot((), "y"))
    assert play.result().elimination == ("y",) and play.result().status == "finished" and tokens(play) == {}


@pytest.mark.parametrize(("most", "given"), [(2, {}), (3, {"a": 1, "b": 1, "c": 1}), (5, {"a": 1, "b": 1, "c": 1})])
def test_how_many_may_tie(polar, most, given):
    """5 `max_tied_tol`: more than so many tied first, and nobody wins a token."""
    assert tokens(polar.ended({"a": 9, "b": 9, "c": 9, "d": 1}, settings={"max_tied_tol": most})) == given


def test_all_tied(polar):
    """5, PL-19: two to four, all tied: everybody holds a token, so hosts declare; five or more: no token, a lot."""
    few = polar.ended(dict.fromkeys("abcd", 3))
    assert tokens(few) == dict.fromkeys("abcd", 1) and kinds(few) == ["ruling"]
    assert few.result().elimination == () and few.result().status == "deciding"
    few.do(shared.Declare("elimination"))
    assert few.result().elimination == () and few.result().status == "finished"
    many = polar.ended(dict.fromkeys("abcde", 3))
    assert tokens(many) == {} and kinds(many) == ["lot"] and many.state.table.decisions[0].among == tuple("abcde")


def test_two_players(polar):
    """5, PL-19: the second of two wins a token and is last as well: excluded, so hosts declare; the spare lapses."""
    play = polar.ended({"a": 9, "b": 1})
    assert tokens(play) == {"a": 2, "b": 1} and kinds(play) == ["ruling"]
    play.do(shared.Declare("elimination"))
    assert tokens(play) == {"a": 1, "b": 1} and play.result().status == "finished"
    letter = polar.ended({"a": 9, "b": 1}, settings={"ec_excludes_token_holders": False})
    assert letter.result().elimination == ("b",) and tokens(letter) == {"a": 1, "b": 1}
    tied = polar.ended({"a": 5, "b": 5})
    assert tokens(tied) == {"a": 1, "b": 1} and kinds(tied) == ["ruling"]


def test_three_players_and_the_second_is_last_but_one(polar):
    """5, PL-19: the second-placed are also last: who is picked holds a token, the other is EC; by the letter a vote."""
    play = polar.ended({"a": 9, "b": 1, "c": 1})
    play.do(shared.Choose("a", "b"))
    assert play.result().elimination == ("c",) and tokens(play) == {"a": 1, "b": 1}
    letter = polar.ended({"a": 9, "b": 1, "c": 1}, settings={"ec_excludes_token_holders": False})
    letter.do(shared.Choose("a", "b"))
    (vote,) = letter.state.table.decisions
    assert (vote.kind, vote.who, vote.among) == ("vote", ("a", "b"), ("b", "c"))
    letter.do(shared.Vote("b", "c"))
    letter.do(shared.Vote("a", "c"))
    assert letter.result().elimination == ("c",)


@pytest.mark.parametrize("excludes", [True, False])
def test_who_holds_a_token_is_no_candidate(polar, excludes):
    """PL-19 `ec_excludes_token_holders`: a token by a host's award counts as one that is held."""
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1}, settings={"ec_excludes_token_holders": excludes})
    assert play.result().elimination == ("d",)
    play.do(shared.Award("d", "tokens", 1))
    assert play.result().elimination == (("c",) if excludes else ("d",))


def test_the_vote(polar):
    """5, PL-20, S-3: those who WON a token vote, one vote each; only the tied lowest may be named; most votes."""
    play = polar.ended(TIED)
    (vote,) = play.state.table.decisions
    assert vote == ("vote", ("a", "b", "c"), ("d", "e", "f"), "elimination", *vote[4:])
    assert {award.condition for award in play.state.table.awards} == {"tied_first"}
    play.refuse(shared.Vote("a", "b"), "vote_candidate")
    play.refuse(shared.Vote("d", "e"), "no_vote_right")
    play.do(shared.Vote("a", "d"))
    play.do(shared.Vote("a", "e"))
    play.do(shared.Vote("b", "e"))
    assert play.result().elimination == ()
    play.do(shared.Vote("c", "f"))
    assert play.result().elimination == ("e",) and play.result().status == "finished"


def test_who_was_given_a_token_has_no_vote(polar):
    """PL-16: to be given one is not to win it; a host's award is not winning either."""
    play = polar.ended({"a": 9, "b": 5, "c": 3, "d": 1, "e": 1})
    play.do(shared.Award("c", "tokens", 1))
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.who) == ("vote", ("a", "b"))


def test_a_tied_vote_goes_by_garnets_after_the_rewards(polar):
    """5: among the most-voted, the one whose voters hold most garnets in total after rewards."""
    # 15 points are 2 garnets each: a has 2, b 2 + 1, c 2.
    play = polar.ended({**TIED, "a": 15, "b": 15, "c": 15}, garnets={"b": 1})
    assert {p: play.garnets()[p] for p in "abc"} == {"a": 2, "b": 3, "c": 2}
    play.do(shared.Vote("a", "d"))
    play.do(shared.Vote("b", "e"))
    play.do(shared.Blank("c"))
    assert play.result().elimination == ("e",)


@pytest.mark.parametrize("how", ["clock", "close", "blank"])
def test_nobody_votes(polar, how):
    """PL-20 `vote_hours`: abstaining is allowed; no votes at all, a lot among the lowest."""
    play = polar.ended(TIED, settings={"vote_hours": 5})
    if how == "clock":
        play.wait(play.now + 5 * HOUR - 1)
        assert kinds(play) == ["vote"]
        play.wait(play.now + 1)
    elif how == "close":
        play.do(shared.Close("vote"))
    else:
        for voter in "abc":
            play.do(shared.Blank(voter))
    (lot,) = play.state.table.decisions
    assert (lot.kind, lot.among) == ("lot", ("d", "e", "f"))


def test_a_voter_may_be_a_candidate(polar):
    """PL-20: by the letter (nobody excluded) with all tied everybody votes and everybody may be named."""
    play = polar.ended(dict.fromkeys("abc", 3), settings={"ec_excludes_token_holders": False})
    (vote,) = play.state.table.decisions
    assert vote.who == vote.among == ("a", "b", "c")
    for voter, named in (("a", "a"), ("b", "a"), ("c", "b")):
        play.do(shared.Vote(voter, named))
    assert play.result().elimination == ("a",)


@pytest.mark.parametrize(
    ("points", "per", "garnets"),
    [(0, 7, 0), (6, 7, 0), (7, 7, 1), (13, 7, 1), (14, 7, 2), (-1, 7, 0), (-20, 7, 0), (14, 5, 2), (9, 1, 9)],
)
def test_garnets_for_points(polar, points, per, garnets):
    """5, PL-14 and PL-15 `garnets_per`: floor(points / 7), 0 if negative; the bank pays, purses balance."""
    play = polar.ended({"a": points, "b": 100, "c": 3}, settings={"garnets_per": per}, garnets={"a": 2})
    assert play.garnets()["a"] == 2 + garnets
    assert sum(play.state.table.purses.values()) == 0


@pytest.mark.parametrize(("source", "garnets"), [("final_total", 0), ("points_gained", 2)])
def test_garnets_from_what_was_gained(polar, source, garnets):
    """PL-15 `garnets_from`: the final total, or all points gained without the losses."""
    play = polar.placed(DUEL, settings={"garnets_from": source, "garnets_per": 2, "rounds": 8})
    for n in range(8):  # b beats a four times, then a beats b four times
        if n == 4:
            play.submit("a", ticket="scissors")
        play.resolve()
    assert play.have("points") == {"a": 0, "b": 0} and play.garnets() == {"a": garnets, "b": garnets}


# ---- host powers ---------------------------------------------------------------------------------------------------


FIELDS = [
    ("points", "-12", -12), ("points", "40", 40), ("room", "paper", "paper"), ("sign", "-", "-"), ("tickets", "9", 9),
    ("swaps", "0", 0), ("bombs", "ticket double, double", {"double": 2, "ticket": 1}), ("bombs", "none", {}),
    ("garnets", "17", 17),
]  # fmt: skip


@pytest.mark.parametrize(("field", "typed", "value"), FIELDS)
@pytest.mark.parametrize("phase", ["setup", "pregame", "round", "closed", "deciding", "finished"])
def test_override(polar, phase, field, typed, value):
    """Host powers: sets that field of that player and nothing else, in any phase, also after the end."""
    if phase in ("setup", "pregame"):
        play = polar(players=("a", "b", "c", "d"), opened=phase == "pregame", garnets={"a": 3})
    else:
        where = {"a": "rock +", "b": "rock -", "c": "rock +", "d": "scissors +"}
        play = polar.placed(where, {"a": "confetti polarity"}, garnets={"a": 3}, settings={"rounds": 2})
        play.submit("a", ticket="paper")
        if phase == "closed":
            play.close()
        while phase in ("deciding", "finished") and not play.state.over:
            play.resolve()
        if phase == "finished":
            play.wait(play.now + 100 * HOUR)
            while kinds(play):
                play.do(shared.Lot())
    before = play.view()["players"]
    play.do(shared.Override("a", field, typed))
    after = play.view()["players"]
    assert after["a"][field] == value
    changed = {(p, key) for p in after for key in after[p] if after[p][key] != before[p][key]}
    if field != "points":  # points after the end are paid for
        assert changed <= {("a", field)}
    assert {key for p, key in changed} <= {"points", "garnets"} | {field}


def test_what_an_override_may_not_say(polar):
    """Host powers, bad input: not a value of that field: refused, and what would be one."""
    play = polar.placed(DUEL)
    for field, typed, code in [
        ("points", "ten", "override.number"), ("points", "--1", "override.number"),
        ("tickets", "-1", "override.number"),
        ("swaps", "1.5", "override.number"), ("room", "attic", "polar.room"), ("room", "blank", "polar.room"),
        ("sign", "x", "polar.sign"), ("bombs", "bazooka", "polar.bomb"), ("score", "3", "override.field"),
    ]:  # fmt: skip
        with pytest.raises(Unreadable) as error:
            play.do(shared.Override("a", field, typed))
        assert error.value.code == code
    assert play.game.fields.keys() == {"points", "room", "sign", "tickets", "swaps", "bombs", "garnets"}


def test_laws_that_an_override_breaks(polar):
    """Host powers: no rule refuses an override; what it breaks is said until it is mended."""
    play = polar.placed(DUEL)
    play.resolve()
    assert play.game.invariants(play.state) == ()
    play.do(shared.Override("a", "points", "5"))
    assert play.game.invariants(play.state) == ("a has 5 points, the rounds gave -1",)
    play.do(shared.Override("a", "points", "-1"))
    assert play.game.invariants(play.state) == ()


def test_reports_follow_an_override(polar):
    """Host powers, docs/audit.md: scoreboard and board say what is; the rounds say what was."""
    play = polar.placed(DUEL, settings={"rounds": 1})
    play.resolve()
    play.do(shared.Override("a", "points", "30"))
    play.do(shared.Override("a", "room", "scissors"))
    assert play.view("public")["rounds"][0]["totals"] == {"a": -1, "b": 1}
    shown = words(play, "public")
    assert "('A', '-1', '30')" in shown and "Now: A 30, B 1." in shown and shown.count("'Now'") == 1
    board = repr(play.game.board(frame(play.state.table, "x", "public"), play.game.view(play.state, "public"), None))
    assert "Heading(text='Now', level=2)" in board and ": A +" in board.split("'Now'")[1].split("Scissors")[1]
    assert "'Now'" not in repr(play.game.round_report(frame(play.state.table, "x", "public"),
                                                play.game.view(play.state, "public"), "round_1"))  # fmt: skip


def test_rooms_set_in_the_pregame(polar):
    """Host powers, 1: a room or sign that a host sets stands for who names none; nobody learns of it early."""
    play = polar(players=("a", "b"))
    facts = play.do(shared.Override("a", "room", "paper")) + play.do(shared.Override("a", "sign", "-"))
    play.do(shared.Override("b", "room", "paper"))
    play.start("b", "rock", "+")
    for viewer in ("public", "a", "b"):
        assert play.view(viewer)["players"]["a"]["room"] is None
        assert "Paper" not in news(play, facts, viewer)
    assert play.view("a")["players"]["a"]["channels"] == list(ROOMS)
    placed = only(play.resolve(drawn=()), f.Placed)
    assert [(p.room, p.sign, p.drawn) for p in placed] == [("paper", "-", ()), ("rock", "+", ())]


def test_a_setting_amended_counts_from_now_on(polar):
    """S-11: rounds that were scored stay as they were."""
    play = polar.placed()
    play.resolve()
    before = play.last()["scores"]
    play.do(shared.AmendSetting("polarity_scope", "all"))
    play.resolve()
    first, second = play.view()["rounds"]
    assert first["scores"] == before and second["scores"]["a"] == 1


def test_garnets_move_by_a_host_only(polar):
    """PL-23, S-6: tickets, swaps and bombs never move; garnets by an award or a penalty."""
    play = polar.placed(DUEL, garnets={"a": 2})
    play.do(shared.Award("b", "garnets", 1))
    play.do(shared.Penalty("a", 1))
    assert play.garnets() == {"a": 1, "b": 1}
    play.refuse(shared.Gift("a", "b"), "no_gift")
    play.refuse(shared.Penalty("a", 5), "not_enough_garnets")


def test_a_penalty_in_the_round_may_spoil_a_purchase(polar):
    """2, PL-7: what can be paid is judged when the round is resolved."""
    play = polar.placed(DUEL, garnets={"a": 1})
    assert not only(play.submit("a", buy="ticket"), f.ItemVoid)
    play.do(shared.Penalty("a", 1))
    play.resolve()
    assert play.void("a") == ["buy a Ticket: it costs 1 garnet, 0 left"] and play.have("tickets")["a"] == 4


@pytest.mark.parametrize(
    ("closed", "bought", "void"),
    [
        ((), "You bought a Ticket for 1 garnet.", "it costs 2 garnets, 1 left"),
        (("prices",), "You bought a Ticket for 1 garnet.", "it cannot be paid"),
        (("garnets",), "You bought a Ticket for 1 garnet.", "it cannot be paid"),
        (("prices", "garnets"), "You bought a Ticket.", "it cannot be paid"),
        (("tickets",), "You lost 1 garnet.", "it costs 2 garnets, 1 left"),
        (("tickets", "garnets"), None, "it cannot be paid"),
    ],
)
def test_a_purchase_is_told_as_its_lines_say(polar, closed, bought, void):
    """6: what was bought, what it cost and what is left are three lines; a payment is told once where garnets may be
    known."""
    play = polar.placed(DUEL, garnets={"a": 2}, settings={"visibility": dict.fromkeys(closed, "host")})
    play.submit("a", buy="ticket ticket")
    facts = play.resolve()
    told_to_a = news(play, facts, "a")
    assert told_to_a.count("You bought") + told_to_a.count("You lost") == (bought is not None)
    assert bought is None or bought in told_to_a
    assert f"for nothing: buy a Ticket ({void})" in told_to_a
    assert play.view("a")["players"]["a"]["invalid"] == [f"buy a Ticket: {void}"]


@pytest.mark.parametrize("closed", ["prices", "garnets"])
def test_a_purchase_before_the_first_round_is_told_as_its_lines_say(polar, closed):
    """6: what is bought with the first sheet is no exception."""
    settings = {"purchase_window": "pregame_too", "visibility": {closed: "host"}}
    play = polar(players=("a", "b"), garnets={"a": 1}, settings=settings)
    told_to_a = news(play, play.start("a", "rock", "+", "double", "ticket", buy=("ticket",) * 2), "a")
    assert "for nothing: buy a Ticket (it cannot be paid)" in told_to_a
    play.resolve(drawn=("b rock +",))
    assert play.view("a")["players"]["a"]["invalid"] == ["buy a Ticket: it cannot be paid"]


@pytest.mark.parametrize(
    ("line", "item", "sheet", "why"),
    [
        ("tickets", "ticket to Paper", {"ticket": "paper"}, "no ticket left"),
        ("swaps", "sign swap", {"swap": 1}, "no swap left"),
        ("bombs", "Confetti Bomb on Rock", {"bomb": "confetti rock"}, "no Confetti Bomb left"),
        ("rooms", "ticket to Rock", {"ticket": "rock"}, "already in that room"),
    ],
)
def test_an_item_that_cannot_be_used_is_told_as_its_line_says(polar, line, item, sheet, why):
    """6: how many of it are left, and where its owner is, have lines of their own."""
    for level, said in (("owner", why), ("host", "it cannot be used")):
        play = polar.placed(DUEL, settings={"visibility": {line: level}})
        for field in ("tickets", "swaps"):
            play.do(shared.Override("a", field, "0" if field == line else "4"))
        facts = play.submit("a", **sheet)
        assert f"counts for nothing: {item} ({said})" in news(play, facts, "a")
        play.resolve()
        assert play.view("a")["players"]["a"]["invalid"] == [f"{item}: {said}"]


def test_who_only_watches_has_no_total(polar):
    """Somebody of the roster who does not play is in no score."""
    play = polar.placed({**DUEL, "c": DUEL["a"]})
    play.state = play.state._replace(table=play.state.table._replace(outside=frozenset({"c"})))
    play.resolve()
    assert [*play.view("host")["rounds"][0]["totals"]] == ["a", "b"]
