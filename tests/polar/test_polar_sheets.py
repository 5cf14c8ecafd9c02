"""Polar RPS Party, rule by rule (as test_polar_rules): the sheet of a round, late ones, deadlines, who left."""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.errors import Unreadable
from games.polar import actions as a, facts as f
from games.polar.actions import ROOMS
from games.table import actions as shared
from tests.support.play import only
from tests.support.polar import DUEL, HOUR, NO_LUCK, inventory, news

# ---- section 2: the sheet of a round -------------------------------------------------------------------------------


def test_a_ticket(polar):
    """2: with a ticket to another room he moves at the end of the round, and has one ticket less."""
    play = polar.placed(DUEL)
    play.submit("a", ticket="scissors")
    assert play.have("room")["a"] == "rock"
    play.resolve()
    assert play.have("room") == {"a": "scissors", "b": "paper"} and play.have("tickets") == {"a": 3, "b": 4}


def test_a_sign_swap(polar):
    """2, PL-25: the sign flips at the end, one swap less; the new sign counts."""
    play = polar.placed({"a": "rock +", "b": "rock +", "c": "rock +"})
    play.submit("a", swap=1)
    play.resolve()
    assert play.have("sign")["a"] == "-" and play.have("swaps") == {"a": 1, "b": 2, "c": 2}
    assert play.last()["scores"] == {"a": 1, "b": 0, "c": 0}
    play.submit("a", swap=1)
    play.resolve()
    assert play.have("sign")["a"] == "+" and play.have("points") == {"a": 1, "b": 0, "c": 0}


@pytest.mark.parametrize("room", ROOMS)
def test_a_bomb(polar, room):
    """2, PL-11: a bomb of a type he has, on any room, an empty one too; consumed and shown either way."""
    play = polar.placed(DUEL, {"a": "confetti double"})
    play.submit("a", bomb=f"confetti {room}")
    play.resolve()
    assert inventory(play, "a")[2] == {"double": 1}
    assert play.last()["bombs"] == {room: {"confetti": 1}}
    assert play.last()["scores"] == {"a": -1 + (room == "rock"), "b": 1 + (room == "paper")}


BLANKS = [
    ({"ticket": "rock"}, "ticket to Rock: already in that room"),
    ({"ticket": "attic"}, 'ticket to "attic": there is no such room'),
    ({"ticket": "blank"}, "ticket to no room: there is no such room"),
    ({"ticket": "paper scissors"}, "ticket to Paper and to Scissors: one ticket a round"),
    ({"ticket": "paper paper"}, "ticket to Paper and to Paper: one ticket a round"),
    ({"swap": 2}, "2 sign swaps: one swap a round"),
    ({"bomb": "polarity rock"}, "Polarity Bomb on Rock: no Polarity Bomb left"),
    ({"bomb": "bazooka rock"}, '"bazooka" Bomb on Rock: there is no such bomb'),
    ({"bomb": "double attic"}, 'Double Bomb on "attic": there is no such room'),
    ({"bomb": "double rock, double rock"}, "Double Bomb on Rock and Double Bomb on Rock: one bomb a round"),
    ({"bomb": "double rock, confetti rock"}, "Double Bomb on Rock and Confetti Bomb on Rock: one bomb a round"),
    ({"buy": "ticket_bomb"}, "buy a Ticket Bomb: it costs 1 garnet, 0 left"),
    ({"buy": "unicorn"}, 'buy "unicorn": there is no such item'),
]
"""Sheets with one item that cannot be, and what is said of it. a is in Rock and has a Double and a Confetti Bomb."""


@pytest.mark.parametrize(("items", "said"), BLANKS)
def test_an_invalid_item_is_blank(polar, items, said):
    """2, PL-8 to PL-10: it counts for nothing, is not consumed, and he is told why."""
    play = polar.placed(DUEL, {"a": "double confetti"})
    facts = play.submit("a", **items, as_sent=True)
    assert [f"{v.item}: {v.why}" for v in only(facts, f.ItemVoid)] == [said]
    assert "As things stand this counts for nothing" in news(play, facts, "a")
    done = play.resolve()
    assert play.void("a") == [said] and "This counted for nothing" in news(play, done, "a")
    assert inventory(play, "a") == (4, 2, {"confetti": 1, "double": 1}) and play.have("room")["a"] == "rock"
    assert play.have("sign")["a"] == "+" and play.last()["bombs"] == {}
    assert not news(play, facts, "public").strip("[]") and "nothing" not in news(play, done, "b")


def test_each_item_is_judged_by_itself(polar):
    """2, S-9: what is wrong with one item leaves the others as they are; an earlier sheet never fills the gap."""
    play = polar.placed(DUEL, {"a": "double confetti"}, garnets={"a": 1})
    play.submit("a", ticket="scissors", bomb="confetti paper")
    play.submit("a", ticket="rock", swap=1, bomb="double rock", buy="polarity polarity")
    play.resolve()
    assert play.have("room")["a"] == "rock" and play.have("sign")["a"] == "-"
    assert inventory(play, "a") == (4, 1, {"confetti": 1, "polarity": 1})
    assert play.void("a") == ["buy a Polarity Bomb: it costs 2 garnets, 0 left", "ticket to Rock: already in that room"]


def test_who_has_none_left(polar):
    """2: valid iff he has a ticket, a swap, a bomb of that type."""
    play = polar.placed(DUEL, {"a": "double double"})
    for field, value in (("tickets", "0"), ("swaps", "0"), ("bombs", "none")):
        play.do(shared.Override("a", field, value))
    play.submit("a", ticket="paper", swap=1, bomb="double rock")
    play.resolve()
    assert play.void("a") == [
        "ticket to Paper: no ticket left", "sign swap: no swap left", "Double Bomb on Rock: no Double Bomb left"
    ]  # fmt: skip
    assert inventory(play, "a") == (0, 0, {})


def test_four_tickets_two_swaps_two_bombs_and_no_more(polar):
    """1, 2: what he began with lasts so long."""
    play = polar.placed(DUEL, {"a": "double double"})
    for i in range(5):
        play.submit("a", ticket=ROOMS[(i + 1) % 3], swap=1, bomb="double rock")
        play.resolve()
    assert inventory(play, "a") == (0, 0, {}) and play.have("room")["a"] == "paper" and play.have("sign")["a"] == "+"


def test_what_looks_like_a_slip_is_refused(polar):
    """2, issue: a room, sign, bomb or item that is none is the host's typing unless he says it is the player's."""
    play = polar(players=("a", "b"))
    tries = [
        (a.Start("a", "papr", "+"), "polar.room", "did you mean paper? (--as-sent if the player wrote it so)"),
        (a.Start("a", "rock", "pluss"), "polar.sign", "one of: + - (--as-sent if the player wrote it so)"),
        (a.Start("a", "rock", "+", ("dubble",)), "polar.bomb", "did you mean double? (--as-sent if"),
        (a.Start("a", "rock", "+", (), ("tiket",)), "polar.item", "did you mean ticket or ticket_bomb? (--as-sent"),
    ]
    rounds = [
        (polar.sheet("a", ticket="papr"), "polar.room", "did you mean paper?"),
        (polar.sheet("a", bomb="doble rock"), "polar.bomb", "did you mean double?"),
        (polar.sheet("a", bomb="double rok"), "polar.room", "did you mean rock?"),
        (polar.sheet("a", buy="swop"), "polar.item", "did you mean swap?"),
        (a.Go("a", "papr"), "polar.room", "did you mean paper?"),
        (a.Bomb("a", "doble", "rock"), "polar.bomb", "did you mean double?"),
        (a.Bomb("a", "double", "rok"), "polar.room", "did you mean rock?"),
        (a.Buy("a", ("swop",)), "polar.item", "did you mean swap?"),
    ]
    for listed in (tries, rounds):
        for action, code, fix in listed:
            before = play.state
            with pytest.raises(Unreadable) as error:
                play.do(action)
            assert error.value.code == code and error.value.fix.startswith(fix), error.value.fix
            assert play.state == before
            assert play.do(action._replace(as_sent=True))
        play.resolve()


def test_spellings():
    """docs/json.md: rooms, signs, bombs and items as hosts type them become one spelling; anything else stays as it
    is.
    """
    desk: Any = None
    assert [a.ROOM.read(word, desk) for word in ("R", " Paper ", "SCISSORS", "s", "Blank")] == [
        "rock", "paper", "scissors", "scissors", "blank"
    ]  # fmt: skip
    assert [a.SIGN.read(word, desk) for word in ("+", "plus", "-", "Minus", "−", "–", "blank")] == [
        "+", "+", "-", "-", "-", "-", "blank"
    ]  # fmt: skip
    assert [a.BOMB.read(word, desk) for word in ("Double", "ticket-bomb", "ticket")] == ["double", "ticket", "ticket"]
    assert [a.ITEM.read(word, desk) for word in ("Ticket", "ticket-bomb", "sign_swap")] == [
        "ticket", "ticket_bomb", "swap"
    ]  # fmt: skip
    assert a.ROOM.read("  the \n attic\x1b[31m ", desk) == "the attic[31m"
    assert a.ROOM.read("\x07", desk) == "blank" and a.ROOM.read("x" * 500, desk) == "x" * 60
    for kind in (a.ROOM, a.SIGN, a.BOMB, a.ITEM):  # a log that one version wrote is read by all
        assert re.fullmatch(kind.pattern, "x" * 60) and not re.fullmatch(kind.pattern, "x" * 61)
    assert a.BOMB_AT.read("Double  R", desk) == "double rock" and a.BOMB_AT.read("big under the bed", desk)
    for word in ("double", "double ", " rock", ""):
        with pytest.raises(Unreadable, match="a bomb and a room are meant"):
            a.BOMB_AT.read(word, desk)


def test_short_forms_change_the_sheet(polar):
    """Issue, Build: `go swap bomb buy` put one item in place of the one that was there, and leave the others."""
    play = polar.placed(DUEL, {"a": "double confetti"}, garnets={"a": 5})
    play.do(a.Swap("a"))
    play.do(a.Go("a", "paper"))
    play.do(a.Go("a", "scissors"))
    play.do(a.Bomb("a", "double", "rock"))
    play.do(a.Buy("a", ("ticket", "swap")))
    play.do(a.Swap("a"))
    assert play.view()["sheets"]["a"] == "--ticket scissors --swap --bomb double rock --buy ticket --buy swap"
    play.do(a.Bomb("a", "confetti", "paper"))
    play.do(a.Buy("a", ("polarity",)))
    assert play.view()["sheets"]["a"] == "--ticket scissors --swap --bomb confetti paper --buy polarity"
    play.do(a.Go("a", off=True))
    play.do(a.Swap("a", off=True))
    play.do(a.Buy("a", off=True))
    assert play.view()["sheets"]["a"] == "--bomb confetti paper"
    play.do(a.Bomb("a", off=True))
    assert play.view()["sheets"]["a"] == "nothing on it" and play.view("a")["submitted"] is True
    play.resolve()
    assert inventory(play, "a") == (4, 2, {"confetti": 1, "double": 1})


def test_short_forms_that_say_nothing(polar):
    """Issue, bad input: an item or `--off`, not both, not neither; `--off` takes off what is there."""
    play = polar.placed(DUEL, {"a": "double confetti"})
    for action in (a.Go("a"), a.Bomb("a"), a.Bomb("a", "double"), a.Buy("a")):
        with pytest.raises(Unreadable) as error:
            play.do(action)
        assert error.value.code == "polar.what"
    for action in (a.Go("a", "paper", off=True), a.Bomb("a", "double", "rock", off=True), a.Buy("a", ("swap",), True)):
        with pytest.raises(Unreadable) as error:
            play.do(action)
        assert error.value.code == "polar.off"
    for action in (a.Go("a", off=True), a.Swap("a", off=True), a.Bomb("a", off=True), a.Buy("a", off=True)):
        play.refuse(action, "not_on")
    play.refuse(a.Submit("a"), "empty")
    play.do(shared.Blank("a"))
    play.refuse(a.Go("a", off=True), "not_on")
    play.do(a.Go("a", "paper"))
    assert play.view()["sheets"]["a"] == "--ticket paper"


def test_blank_and_silence(polar):
    """S-10: a blank on purpose is no silence; it replaces a sheet; only the silent are waited for."""
    play = polar.placed(DUEL)
    assert [due.who for due in play.game.waiting(play.state)] == ["a", "b"]
    play.submit("a", ticket="paper")
    facts = play.do(shared.Blank("a"))
    assert "You submit nothing for round 1" in news(play, facts, "a")
    assert play.view()["sheets"] == {"a": "blank", "b": None}
    assert [due.who for due in play.game.waiting(play.state)] == ["b"]
    assert play.view("a")["sheet"] == "nothing, on purpose" and play.view("b")["sheet"] is None
    play.resolve()
    assert play.have("room") == {"a": "rock", "b": "paper"}


def test_what_is_owed(polar):
    """Contract: who owes what, since when, until when."""
    play = polar(players=("a", "b"))
    (one, _) = play.game.waiting(play.state)
    assert (one.who, one.what, one.since, one.until) == (
        "a", "room, sign and two bombs", play.opened, play.opened + 48 * HOUR
    )  # fmt: skip
    play.resolve()
    assert [due.what for due in play.game.waiting(play.state)] == ["sheet for round 1"] * 2


# ---- late sheets, deadlines, who left ------------------------------------------------------------------------------


def test_a_late_sheet_counts_only_if_admitted(polar):
    """S-G1: kept and marked; a ruling; it is this round's only."""
    play = polar.placed(DUEL)
    play.submit("a", ticket="scissors")
    play.close()
    late = play.submit("a", ticket="paper")[0]
    assert late.sheet.late and "counts only if a host rules so" in news(play, [late], "a")
    assert play.view()["sheets"]["a"] == "--ticket scissors" and "scissors" in play.view("a")["sheet"].lower()
    admitted = play.do(shared.Ruling(f"admit {late.sheet.seq}: the train"))
    assert "Your late sheet for round 1 counts" in news(play, admitted, "a")
    assert play.view()["sheets"]["a"] == "--ticket paper"
    play.refuse(shared.Ruling(f"admit {late.sheet.seq}"), "not_late")
    play.refuse(shared.Ruling("admit 1"), "not_late")
    play.resolve()
    assert play.have("room")["a"] == "paper"


def test_a_short_form_changes_the_sheet_of_its_own_round(polar):
    """0025: `go` of round 1 puts nothing on the sheet of round 2; within its round it goes on from what is there."""
    play = polar.placed(DUEL)
    play.do(a.Swap("a"))
    (late,) = play.game.prepare(play.state, a.Go("a", "paper"), NO_LUCK)
    play.do(late)
    assert play.view()["sheets"]["a"] == "--ticket paper --swap"
    play.resolve()
    play.refuse(late, "not_this_round")
    play.refuse(late._replace(off=True, room=None), "not_this_round")
    assert play.view()["sheets"]["a"] is None
    play.do(a.Go("a", "rock"))
    assert play.view()["sheets"]["a"] == "--ticket rock"


def test_deadline_and_reopen(polar):
    """Host powers: a closed round takes sheets again; a resolved one does not."""
    play = polar.placed(DUEL)
    play.close()
    play.do(shared.Reopen("round_1"))
    assert not play.submit("a", ticket="paper")[0].sheet.late and play.state.table.ends is None
    play.close()
    play.do(shared.Deadline("2027-11-20T10:00:00.000Z"))
    assert not play.submit("a", ticket="scissors")[0].sheet.late
    play.resolve()
    assert play.have("room")["a"] == "scissors"
    play.refuse(shared.Reopen("round_1"), "reopen")
    play.refuse(shared.Resolve("round_1"), "not_this_round")


def test_who_leaves_in_the_pregame_and_named_nothing_is_in_no_room(polar):
    """S-G3, PL-26: what was sent before counts, and here nothing was."""
    play = polar(players=("a", "b"))
    play.do(shared.Drop("a"))
    play.refuse(a.Start("a", "rock", "+"), "left")
    play.resolve(drawn=("b rock +",))
    assert play.have("room") == {"a": None, "b": "rock"}
    play.resolve()
    assert play.last()["scores"] == {"b": 0} and play.last()["rooms"]["rock"] == ["b"]
