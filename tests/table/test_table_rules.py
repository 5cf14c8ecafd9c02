"""What the table does for every game: votes, gifts and choices, pauses, seats, what is told of them.

Played with Polar and MarsMatch, since a table alone has no end. Source: season S-2 to S-11, S-G3; docs/audit.md and
docs/reliability.md.
"""

from __future__ import annotations

from typing import Any

import pytest

from events.audiences import EVERYBODY_AFTER_END, PUBLIC_VIEWER
from games.table import actions as shared, facts as table_facts

HOUR = 3_600_000
FIRST = {"a": 20, "b": 10, "c": 5, "d": 1, "e": 1}
"""One first, who has a token to give; one second; d and e are equal at the end: a and b vote."""


def owed(play: Any) -> list[tuple[str, str]]:
    return [(due.who, due.what) for due in play.game.waiting(play.state)]


def decisions(play: Any, viewer: str = "host") -> dict[str, Any]:
    return {d["kind"]: d for d in play.result(viewer).decisions}


# ---- who has left --------------------------------------------------------------------------------------------------


def test_what_was_voted_before_leaving_counts(polar):
    """S-G3: somebody who leaves submits nothing more; what he sent counts, also when the match is over already."""
    for left_first in (False, True):
        play = polar.ended(FIRST, garnets={"b": 50})
        play.do(shared.Vote("b", "e"))
        if left_first:
            play.do(shared.Drop("b"))
        play.do(shared.Vote("a", "d"))
        if not left_first:
            play.do(shared.Drop("b"))
        assert play.result().elimination == ("e",)  # one vote each: b holds more garnets


def test_who_left_without_voting_has_no_vote(polar):
    """S-G3: nobody waits for him, and he is no voter."""
    play = polar.ended(FIRST, garnets={"b": 50})
    play.do(shared.Drop("b"))
    play.do(shared.Vote("a", "d"))
    assert play.result().elimination == ("d",)


def test_nobody_waits_for_the_gift_of_somebody_who_left(polar):
    """S-2, S-G3: his spare token lapses."""
    play = polar.ended({"a": 20, "b": 10, "c": 5, "d": 1})
    assert owed(play) == [("a", "gift")]
    play.do(shared.Drop("a"))
    assert owed(play) == [] and play.result().status == "finished"
    assert play.state.table.tokens["a"] == 1


def test_a_seat_that_is_taken_over_lives_again(polar):
    """S-G3: after `drop` another person may take over; he submits and is waited for."""
    play = polar.placed({"a": "rock +", "b": "paper -"})
    play.do(shared.Drop("a"))
    assert "a" not in [who for who, _ in owed(play)]
    play.do(shared.Replace("a", "Zoe"))
    assert "a" in [who for who, _ in owed(play)]
    play.submit("a", swap=1)
    play.resolve()
    assert play.have("sign")["a"] == "-"


def test_nobody_waits_for_somebody_who_left_to_name_who_leads(mars):
    """MM-7 `named`, S-G3: the next seat leads."""
    play = mars({"a": "9 9", "b": "3 3 5", "c": "4 4 6"}, settings={"post_win_lead": "named"})
    play.go("a 9 9")
    play.do(shared.Drop("a"))
    play.pass_("b", "c")
    assert owed(play) == [("b", "move")] and play.state.leader == "b"


# ---- whose decision it is ------------------------------------------------------------------------------------------


def test_a_choice_counts_for_him_who_made_it(polar):
    """PL-17: "the 2nd-placed he picks": after a correction the new winner picks anew."""
    for ended in ("picked", "closed"):
        play = polar.ended({"a": 10, "b": 8, "c": 8, "d": 0, "e": -1})
        play.do(shared.Choose("a", "b") if ended == "picked" else shared.Close("choose"))
        play.do(shared.Override("a", "points", "8"))
        play.do(shared.Override("d", "points", "20"))
        (choice,) = (d for d in play.state.table.decisions if d.kind == "choose")
        assert choice.who == ("d",) and set(choice.among) == {"a", "b", "c"}
        assert ("d", "choice") in owed(play)


def test_a_vote_for_somebody_who_is_no_candidate_any_more_is_owed_again(polar):
    """S-10: who has to vote again is named."""
    play = polar.ended(FIRST)
    play.do(shared.Vote("a", "d"))
    play.do(shared.Override("d", "points", "2"))
    play.do(shared.Override("c", "points", "1"))
    play.do(shared.Vote("b", "c"))
    assert decisions(play)["vote"]["among"] == ["c", "e"] and owed(play) == [("a", "vote")]


def test_a_vote_that_is_reopened_needs_its_own_lot(polar):
    """S-4: a tie of the new vote is not settled by the lot that was drawn for the old one."""
    play = polar.ended({"a": 20, "b": 20, "c": 5, "d": 1, "e": 1})
    for voter, named in (("a", "d"), ("b", "e")):
        play.do(shared.Vote(voter, named))
    play.do(shared.Lot())
    play.do(shared.Reopen("vote"))
    for voter, named in (("a", "e"), ("b", "d")):
        play.do(shared.Vote(voter, named))
    assert play.result().elimination == () and [d.kind for d in play.state.table.decisions] == ["lot"]


# ---- pauses --------------------------------------------------------------------------------------------------------


def test_a_pause_goes_on_over_a_new_round(polar):
    """`pause`: no end comes by itself until `resume`; a round that began meanwhile has all its hours after it."""
    play = polar.placed({"a": "rock +", "b": "paper -"})
    play.do(shared.Pause())
    play.now += HOUR
    play.resolve()
    play.wait(play.now + 100 * HOUR)
    assert play.state.table.paused is not None and play.state.table.round.closed is None
    facts = play.do(shared.Resume())
    assert play.state.table.ends == play.now + 24 * HOUR
    told = repr(play.game.tell(play.state, facts, PUBLIC_VIEWER))
    assert "The next end is" in told and str(play.state.table.ends) in told


def test_a_pause_goes_on_over_the_end_of_play(polar):
    """What is opened within a pause has all its hours after it."""
    play = polar.placed(dict.fromkeys("abcde", "rock +"), settings={"rounds": 1})
    play.do(shared.Pause())
    play.now += 3 * HOUR
    play.resolve()
    for player, n in sorted(FIRST.items(), key=lambda item: item[1]):
        play.do(shared.Override(player, "points", str(n)))
    assert play.state.table.paused is not None
    play.now += HOUR
    play.do(shared.Resume())
    assert [d.ends for d in play.state.table.decisions] == [play.now + 24 * HOUR]


def test_the_end_of_the_match_ends_a_pause(polar):
    play = polar.ended(FIRST)
    play.do(shared.Pause())
    for voter in "ab":
        play.do(shared.Vote(voter, "d"))
    assert play.state.table.paused is not None
    play.do(shared.Gift("a", "c"))
    assert play.result().status == "finished" and play.state.table.paused is None


# ---- what is told --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["polar", "hexes", "auction"])
def test_tokens_are_opened_as_their_line_says(name, request):
    """docs/log-format.md and docs/reliability.md: an entry that gives a token, or says who won one, is for those who
    may know that.
    """
    play = request.getfixturevalue(name)()
    one, other = play.state.table.players[:2]
    award = shared.Award(one, "tokens", 1)
    assert play.game.audience(play.state, award) == EVERYBODY_AFTER_END
    for action in (shared.Gift(one, other), shared.Choose(one, other)):
        audience = play.game.audience(play.state, action)
        assert audience.admits(one, ended=False) and not audience.admits(other, ended=False)
        assert audience.admits(other, ended=True)
    play = request.getfixturevalue(name)(settings={"visibility": {"tokens": "host"}})
    for action in (award, shared.Gift(one, other), shared.Choose(one, other)):
        assert not play.game.audience(play.state, action).admits(PUBLIC_VIEWER, ended=True)


def test_among_whom_a_gift_is_made_tells_who_holds_tokens(polar):
    """6: with `tokens` of the hosts nobody learns of a gift, or who votes; among whom is voted, is told."""
    for tokens in ("host", "everybody_after_end"):
        play = polar.ended({"a": 20, "b": 10, "c": 5, "d": 1}, settings={"visibility": {"tokens": tokens}})
        gift = {"kind": "gift", "who": ["a"], "among": ["c"]}
        assert decisions(play, PUBLIC_VIEWER).get("gift") == (None if tokens == "host" else gift)
        asked = [
            fact for fact in play.told if isinstance(fact, table_facts.DecisionOpened) and fact.decision.kind == "gift"
        ]
        assert bool(play.game.tell(play.state, asked, "a")) is (tokens != "host")
    play = polar.ended(FIRST, settings={"visibility": {"tokens": "host"}})
    assert decisions(play, PUBLIC_VIEWER)["vote"] == {"kind": "vote", "among": ["d", "e"]}


@pytest.mark.parametrize(
    ("line", "level", "asked"),
    [
        ("tokens", "everybody_after_end", True), ("tokens", "owner", True), ("tokens", "host", False),
        ("elimination", "host", False),
    ],
)  # fmt: skip
def test_who_gives_or_votes_is_asked_where_he_may_know_what_that_tells(polar, line, level, asked):
    """6: his own tokens are his own. A gift cannot go to an Elimination Candidate, so it tells who that is; and who may
    not be asked is not reminded, the hosts see that he owes it."""
    for points in ({"a": 20, "b": 10, "c": 5, "d": 1}, FIRST):
        play = polar.ended(points, settings={"visibility": {line: level}})
        opened = [
            fact for fact in play.told if isinstance(fact, table_facts.DecisionOpened) and "a" in fact.decision.who
        ]
        assert opened and bool(play.game.tell(play.state, opened, "a")) is asked
        due = [one for one in play.game.waiting(play.state) if one.who == "a"]
        assert due and all(one.told is asked for one in due)


def test_a_refusal_does_not_say_who_may(polar):
    """Who gives or votes holds a token: only the hosts read it."""
    refusal = polar.ended({"a": 20, "b": 10, "c": 5, "d": 1}).refuse(shared.Gift("b", "c"), "no_gift_right")
    assert refusal.what == "B has no gift now" and refusal.host_only == "A may"


@pytest.mark.parametrize("level", ["owner", "host"])
def test_garnets_won_or_moved_are_told_as_their_line_says(polar, level):
    """6: with `garnets` of the hosts nobody reads what he received."""
    play = polar.placed({"a": "rock +", "b": "paper -"}, settings={"visibility": {"garnets": level}})
    facts = play.do(shared.Award("a", "garnets", 2))
    assert isinstance(facts[0], table_facts.Moved)
    assert ("2 garnets" in repr(play.game.tell(play.state, facts, "a"))) is (level == "owner")
    play = polar.ended({"a": 14, "b": 0}, settings={"visibility": {"garnets": level}})
    paid = [fact for fact in play.told if isinstance(fact, table_facts.RewardPaid)]
    assert ("You won" in repr(play.game.tell(play.state, paid, "a"))) is (level == "owner")


def test_why_garnets_were_won_tells_the_points(polar):
    """6: with `scoreboard` of the hosts he reads that he won, and not for how many points."""
    play = polar.ended({"a": 14, "b": 0}, settings={"visibility": {"scoreboard": "host"}})
    paid = [fact for fact in play.told if isinstance(fact, table_facts.RewardPaid)]
    text = repr(play.game.tell(play.state, paid, "a"))
    assert "You won 2 garnets." in text and "14" not in text
