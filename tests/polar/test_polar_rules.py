"""Polar RPS Party, one test per numbered rule and per gap: each docstring begins with the rule it holds.

Rules are quoted from the rule page (sections 1 to 6, gaps PL-n) and its season layer (S-n). The expected values were
worked out from those pages by hand; every setting is tested both ways.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER, Audience
from events.errors import Refused, Unreadable
from games.contract import Moment
from games.kit.sealed import RoundOpened
from games.polar import actions as a
from games.polar import facts as f
from games.polar.actions import BOMBS, ITEMS, ROOMS
from games.polar.end import verdict
from games.polar.rules import OVERRIDES
from games.polar.scoring import score
from games.polar.settings import VISIBILITY, Settings
from games.polar.state import Played
from games.table import Verdict
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.view import frame

HOUR = 3_600_000
NO_LUCK: Any = None
"""For what draws nothing."""
DUEL = {"a": "rock +", "b": "paper -"}
"""Two players: Paper beats Rock."""


def only(facts: list[Any], kind: type) -> list[Any]:
    return [fact for fact in facts if isinstance(fact, kind)]


def tokens(play: Any) -> dict[str, int]:
    return {p: n for p, n in play.state.table.tokens.items() if n}


def kinds(play: Any) -> list[str]:
    return [d.kind for d in play.state.table.decisions]


def inventory(play: Any, player: str) -> tuple[int, int, dict[str, int]]:
    row = play.view()["players"][player]
    return row["tickets"], row["swaps"], row["bombs"]


def words(play: Any, viewer: str) -> str:
    """The report of the match for one viewer, as plain words."""
    game = play.game
    shown = frame(play.state.table, game.title, viewer)
    return repr(game.report(shown, game.view(play.state, viewer), game.result(play.state, viewer)))


def news(play: Any, facts: list[Any], viewer: str) -> str:
    return repr(list(play.game.tell(play.state, facts, viewer).blocks))


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


def test_the_words_of_the_game():
    """1, design 8: three rooms, four bombs, six items; that spelling and no other."""
    assert ROOMS == ("rock", "paper", "scissors") and BOMBS == ("confetti", "double", "polarity", "ticket")
    assert ITEMS == ("ticket", "swap", "confetti", "double", "polarity", "ticket_bomb")


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
    play.refuse(shared.AmendSetting("rounds", 1), "rounds")
    play.resolve()
    assert play.state.over
    play.refuse(shared.AmendSetting("rounds", 5), "rounds")


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


def test_every_room_and_sign_can_be_drawn(polar):
    """1: the lot is a lot: over many seeds all six outcomes come up, each about as often as the others."""
    play = polar(players=("a", "b"))
    counted: dict[str, int] = {}
    for n in range(600):
        drawn = staticmethod(lambda n=n: n.to_bytes(32, "big"))
        luck = type("Luck", (), {"seq": 3, "published": None, "seed": drawn})()
        (action,) = play.game.prepare(play.state, shared.Resolve(), luck)
        counted[action.drawn[0]] = counted.get(action.drawn[0], 0) + 1
    assert len(counted) == 6 and min(counted.values()) > 60


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
    assert play.game.audit(play.state, drawn._replace(seed="xx"), 12) == "its seed is not written in hex digits"


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
        play.do(shared.Override(field, "a", value))
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
    """Design 8: rooms, signs, bombs and items as hosts type them become one spelling; anything else stays as it is."""
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
    """S-G1: kept and marked; a ruling lets it count; it is this round's only."""
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


def test_a_late_sheet_that_nobody_admits(polar):
    """S-G1: it changes nothing, also in the pregame; who has nothing else is silent."""
    play = polar(players=("a", "b"))
    play.close()
    play.start("a", "rock", "+", "double", "double")
    assert play.view("a")["submitted"] is False and play.view("a")["sheet"] is None
    play.resolve(drawn=("a paper -", "b paper -"))
    assert play.have("room")["a"] == "paper" and inventory(play, "a")[2] == {}


@pytest.mark.parametrize(("grace", "late"), [(0, True), (60, False)])
def test_grace(polar, grace, late):
    """S-G1 `grace_seconds`: so long after the deadline a sheet still counts; the interval is half-open."""
    play = polar.placed(DUEL, settings={"grace_seconds": grace})
    end = play.state.table.ends
    play.now = end - 1
    assert not play.submit("a", ticket="paper")[0].sheet.late
    play.now = end + 59_999
    assert play.submit("a", ticket="scissors")[0].sheet.late is late
    play.now = end + 60_000
    assert play.submit("a", ticket="paper")[0].sheet.late is True


def test_a_late_short_form_touches_nothing_until_it_is_admitted(polar):
    """S-9, S-G1: each late change is added, in fold order, to what counts when it is let in."""
    play = polar.placed(DUEL, {"a": "double double"})
    play.do(a.Swap("a"))
    play.close()
    first = play.do(a.Go("a", "paper"))[0]
    second = play.do(a.Bomb("a", "double", "rock"))[0]
    play.do(shared.Ruling(f"admit {first.sheet.seq}"))
    assert play.view()["sheets"]["a"] == "--ticket paper --swap"
    third = play.do(a.Bomb("a", "double", "paper"))[0]
    play.do(shared.Ruling(f"admit {second.sheet.seq}"))
    assert play.view()["sheets"]["a"] == "--ticket paper --swap --bomb double rock"
    play.do(shared.Ruling(f"admit {third.sheet.seq}"))
    assert play.view()["sheets"]["a"] == "--ticket paper --swap --bomb double paper"


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


def test_a_pause_moves_the_end(polar):
    """Host powers: no end comes by itself while the clock is paused."""
    play = polar.placed(DUEL)
    end = play.state.table.ends
    play.do(shared.Pause())
    assert play.view("public")["paused"] is True
    play.wait(end + HOUR)
    assert play.state.table.round.closed is None
    play.do(shared.Resume())
    assert play.state.table.ends == end + (play.now - end) + 24 * HOUR
    assert "paused" not in play.view("public")


def test_who_has_left_submits_nothing(polar):
    """S-G3: nobody waits for him, his sheets are refused; he stays where he is, and scores as he did."""
    play = polar.placed(DUEL)
    play.submit("a", ticket="scissors")
    play.do(shared.Drop("a"))
    play.refuse(polar.sheet("a", swap=1), "left")
    play.refuse(a.Go("a", "paper"), "left")
    play.refuse(shared.Blank("a"), "left")
    assert [due.who for due in play.game.waiting(play.state)] == ["b"]
    play.resolve()
    assert play.have("room")["a"] == "scissors" and play.last()["scores"] == {"a": 1, "b": -1}
    play.resolve()
    assert play.have("points") == {"a": 2, "b": -2}


def test_who_leaves_in_the_pregame_and_named_nothing_is_in_no_room(polar):
    """S-G3, PL-26: what was sent before counts, and here nothing was."""
    play = polar(players=("a", "b"))
    play.do(shared.Drop("a"))
    play.refuse(a.Start("a", "rock", "+"), "left")
    play.resolve(drawn=("b rock +",))
    assert play.have("room") == {"a": None, "b": "rock"}
    play.resolve()
    assert play.last()["scores"] == {"b": 0} and play.last()["rooms"]["rock"] == ["b"]


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
    play.do(shared.Override("tickets", "c", "0"))
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
    play.do(shared.Override("tickets", "a", "0"))
    play.do(shared.Override("swaps", "a", "0"))
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


TIED = {"a": 9, "b": 9, "c": 9, "d": 1, "e": 1, "f": 1}
"""Three winners with a token each, three candidates."""


def test_the_vote(polar):
    """5, PL-20, S-3: those who WON a token vote, one vote each; only the tied lowest may be named; most votes."""
    play = polar.ended(TIED)
    (vote,) = play.state.table.decisions
    assert (vote.kind, vote.who, vote.among) == ("vote", ("a", "b", "c"), ("d", "e", "f"))
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


def test_garnets_count_only_among_the_most_voted(polar):
    """PL-20: a candidate with fewer votes is not chosen for rich voters."""
    play = polar.ended(TIED, garnets={"c": 50})
    for voter, named in (("a", "d"), ("b", "d"), ("c", "e")):
        play.do(shared.Vote(voter, named))
    assert play.result().elimination == ("d",)


def test_votes_and_garnets_tied(polar):
    """5: then a lot, among those only."""
    play = polar.ended({**TIED, "g": 9}, garnets={})
    for voter, named in (("a", "d"), ("b", "d"), ("c", "e"), ("g", "e")):
        play.do(shared.Vote(voter, named))
    (lot,) = play.state.table.decisions
    assert (lot.kind, lot.among) == ("lot", ("d", "e"))
    play.do(shared.Lot((), "d"))
    assert play.result().elimination == ("d",)


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


def test_the_votes_so_far_count_when_time_is_over(polar):
    """PL-20: who did not vote in time abstains."""
    play = polar.ended(TIED)
    play.do(shared.Vote("b", "f"))
    play.wait(play.now + 24 * HOUR)
    assert play.result().elimination == ("f",)


def test_a_voter_may_be_a_candidate(polar):
    """PL-20: by the letter (nobody excluded) with all tied everybody votes and everybody may be named."""
    play = polar.ended(dict.fromkeys("abc", 3), settings={"ec_excludes_token_holders": False})
    (vote,) = play.state.table.decisions
    assert vote.who == vote.among == ("a", "b", "c")
    for voter, named in (("a", "a"), ("b", "a"), ("c", "b")):
        play.do(shared.Vote(voter, named))
    assert play.result().elimination == ("a",)


def test_sole_lowest_needs_no_vote(polar):
    """5: one lowest score is EC at once."""
    play = polar.ended({**TIED, "e": 0})
    assert play.result().elimination == ("e",) and kinds(play) == []


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


def test_the_result_follows_an_override_after_the_end(polar):
    """Host powers: points set after the end: ranking, tokens, garnets and EC are those of the new points."""
    play = polar.ended({"a": 14, "b": 5, "c": 3, "d": 1})
    play.do(shared.Gift("a", "c"))
    assert play.garnets()["a"] == 2 and play.result().status == "finished"
    play.do(shared.Override("points", "d", "21"))
    assert play.result().ranking[0] == ("d",) and play.garnets() == {"a": 2, "b": 0, "c": 0, "d": 3}
    assert tokens(play) == {"d": 2, "a": 1} and play.result().elimination == ("c",) and kinds(play) == ["gift"]
    assert sum(play.state.table.purses.values()) == 0
    play.do(shared.Override("points", "d", "1"))
    assert tokens(play) == {"a": 1, "b": 1, "c": 1} and play.garnets()["d"] == 0


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
    play.do(shared.Override(field, "a", typed))
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
            play.do(shared.Override(field, "a", typed))
        assert error.value.code == code
    assert play.game.fields.keys() == {"points", "room", "sign", "tickets", "swaps", "bombs", "garnets"}


def test_laws_that_an_override_breaks(polar):
    """Host powers: no rule refuses an override; what it breaks is said until it is mended."""
    play = polar.placed(DUEL)
    play.resolve()
    assert play.game.invariants(play.state) == ()
    play.do(shared.Override("points", "a", "5"))
    assert play.game.invariants(play.state) == ("a has 5 points, the rounds gave -1",)
    play.do(shared.Override("points", "a", "-1"))
    assert play.game.invariants(play.state) == ()


def test_reports_follow_an_override(polar):
    """Host powers, design 5: scoreboard and board say what is; the rounds say what was."""
    play = polar.placed(DUEL, settings={"rounds": 1})
    play.resolve()
    play.do(shared.Override("points", "a", "30"))
    play.do(shared.Override("room", "a", "scissors"))
    assert play.view("public")["rounds"][0]["totals"] == {"a": -1, "b": 1}
    shown = words(play, "public")
    assert "('A', '-1', '30')" in shown and "Now: A 30, B 1." in shown and shown.count("'Now'") == 1
    board = repr(play.game.board(frame(play.state.table, "x", "public"), play.game.view(play.state, "public"), None))
    assert "Heading(text='Now', level=2)" in board and ": A +" in board.split("'Now'")[1].split("Scissors")[1]
    assert "'Now'" not in repr(play.game.rounds(frame(play.state.table, "x", "public"),
                                                play.game.view(play.state, "public"), "round_1"))  # fmt: skip


def test_rooms_set_in_the_pregame(polar):
    """Host powers, 1: a room or sign that a host sets stands for who names none; nobody learns of it early."""
    play = polar(players=("a", "b"))
    facts = play.do(shared.Override("room", "a", "paper")) + play.do(shared.Override("sign", "a", "-"))
    play.do(shared.Override("room", "b", "paper"))
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


# ---- section 6: who is told what -----------------------------------------------------------------------------------


def test_the_view_is_that_of_the_issue(polar):
    """6, issue: the host's keys to the letter; a player sees his own inventory; the public nobody's."""
    play = polar.placed(DUEL, {"a": "double confetti"}, garnets={"a": 1})
    play.submit("a", bomb="double rock")
    play.resolve()
    host = play.view()
    assert host["players"]["a"] == {
        "room": "rock", "sign": "+", "points": -2, "tickets": 4, "swaps": 2, "bombs": {"confetti": 1}, "garnets": 1,
    }  # fmt: skip
    assert host["rounds"] == [
        {
            "round": 1,
            "rooms": {"rock": ["a"], "paper": ["b"], "scissors": []},
            "signs": {"a": "+", "b": "-"},
            "bombs": {"rock": {"double": 1}},
            "scores": {"a": -2, "b": 1},
            "totals": {"a": -2, "b": 1},
        }
    ]
    public = play.view("public")
    assert public["rounds"] == host["rounds"] and set(public["players"]["a"]) == {"room", "sign", "points"}
    mine = play.view("a")
    assert mine["rounds"] == host["rounds"] and set(mine["players"]["b"]) == {"room", "sign", "points"}
    assert mine["players"]["a"] == {
        **host["players"]["a"], "prices": {"ticket": 1, "swap": 1, "bomb": 1}, "invalid": [], "channels": ["rock"],
    }  # fmt: skip
    keys = {"phase", "round", "ends", "players", "rounds", "begin", "of"}
    assert set(host) == keys | {"sheets"} and set(public) == keys and set(mine) == keys | {"submitted", "sheet"}


def test_a_player_reads_his_own_sheet(polar):
    """Issue, private: `sheet` is his sheet of the running round in words, his alone; his summary says it."""
    play = polar(players=("a", "b"))
    play.start("a", "rock", "blank", "double", "bazooka", as_sent=True)
    assert play.view("a")["sheet"] == 'Rock; no sign; a Double Bomb, a "bazooka" Bomb'
    play.resolve()
    play.do(shared.Override("room", "a", "rock"))
    assert play.view("a")["sheet"] is None and "Nothing is in from you yet." in words(play, "a")
    play.submit("a", ticket="paper", swap=2, bomb="double rock", buy="ticket_bomb swap", as_sent=True)
    said = "buy a Ticket Bomb, a Sign Swap; a ticket to Paper; 2 sign swaps; a Double Bomb on Rock"
    assert play.view("a")["sheet"] == said and f"Your sheet: {said}." in words(play, "a")
    assert play.view("b")["sheet"] is None and "sheet" not in play.view("public") and "sheet" not in play.view()
    assert said not in words(play, "b") + words(play, "public")
    play.do(shared.Blank("a"))
    assert "Your sheet: nothing, on purpose." in words(play, "a")
    while not play.state.over:
        play.resolve()
    assert "sheet" not in play.view("a") and "submitted" not in play.view("a")


def test_who_is_told_of_a_purchase(polar):
    """6: private. The buyer is told what he paid; the hosts see it; nobody else learns it."""
    play = polar.placed(DUEL, garnets={"a": 3})
    play.submit("a", buy="ticket")
    facts = play.resolve()
    assert "You bought a Ticket for 1 garnet." in news(play, facts, "a")
    for viewer in ("b", "public"):
        assert "ought" not in news(play, facts, viewer)


def test_bombs_are_shown_without_their_users(polar):
    """6: which bombs (with multiplicity) on which rooms; who used one is never told."""
    play = polar.placed(DUEL, {"a": "double confetti", "b": "confetti ticket"})
    play.submit("a", bomb="confetti paper")
    play.submit("b", bomb="confetti paper")
    facts = play.resolve()
    assert "2 Confetti Bombs" in news(play, facts, "public")
    for viewer in ("public", "a", "b"):
        assert "users" not in play.view(viewer)["rounds"][0]
    assert "users" not in play.view()["rounds"][0]


@pytest.mark.parametrize("scope", ["room", "all"])
def test_the_round_can_be_worked_out_from_the_reveal(polar, scope):
    """PL-24: rooms, signs and bombs on rooms give everybody the points of the round."""
    play = polar.placed(bombs={"a": "double confetti", "d": "polarity ticket"}, settings={"polarity_scope": scope})
    play.submit("a", bomb="double rock")
    play.submit("d", bomb="polarity rock", ticket="rock")
    play.resolve()
    seen = play.view("public")["rounds"][0]
    rooms = {p: room for room, there in seen["rooms"].items() for p in there}
    worked = score(rooms, seen["signs"], seen["bombs"], scope, "base_only")
    assert {p: worked[p].points for p in sorted(worked)} == seen["scores"]


def test_channels(polar):
    """6, S-14, PL-22: players talk inside their room; it changes with the publication."""
    play = polar.placed(DUEL)
    play.submit("a", ticket="scissors")
    assert play.view("a")["players"]["a"]["channels"] == ["rock"]
    play.close()
    assert play.view("a")["players"]["a"]["channels"] == ["rock"]
    play.resolve()
    assert play.view("a")["players"]["a"]["channels"] == ["scissors"]
    assert "channels" not in play.view("a")["players"]["b"] and "channels" not in play.view("public")["players"]["a"]


@pytest.mark.parametrize(("switch", "between"), [("publication", ["rock"]), ("deadline", [])])
def test_when_channels_switch(polar, switch, between):
    """PL-22 `channels_switch`: between deadline and publication one talks where one was, or nobody talks."""
    play = polar.placed(DUEL, settings={"channels_switch": switch})
    play.wait(play.state.table.ends)
    assert play.view("a")["players"]["a"]["channels"] == between


@pytest.mark.parametrize(("talk", "where"), [("open", list(ROOMS)), ("closed", [])])
def test_talk_in_the_pregame(polar, talk, where):
    """PL-22 `pregame_talk`: everybody anywhere, or nobody."""
    play = polar(players=("a", "b"), settings={"pregame_talk": talk}, opened=False)
    assert play.view("a")["players"]["a"]["channels"] == []
    play.do(shared.Open())
    assert play.view("a")["players"]["a"]["channels"] == where


def test_before_the_end_nobody_learns_tokens(polar):
    """6: the scoreboard is public always; tokens and EC when it is over."""
    play = polar.placed(DUEL, settings={"rounds": 2})
    play.resolve()
    running = play.result("public")
    assert running.ranking == (("b",), ("a",)) and running.scores == {"a": -1, "b": 1}
    assert not running.tokens and not running.elimination and not running.garnets
    assert play.result("a").garnets == {"a": 0}


LINES: dict[str, Any] = {
    "rooms": lambda play, v: play.view(v)["players"]["b"].get("room") and play.view(v)["rounds"][0].get("rooms"),
    "signs": lambda play, v: play.view(v)["players"]["b"].get("sign") and play.view(v)["rounds"][0].get("signs"),
    "bombs_on_rooms": lambda play, v: play.view(v)["rounds"][0].get("bombs"),
    "scoreboard": lambda play, v: "points" in play.view(v)["players"]["b"] and play.view(v)["rounds"][0].get("totals"),
    "tickets": lambda play, v: "tickets" in play.view(v)["players"]["b"],
    "swaps": lambda play, v: "swaps" in play.view(v)["players"]["b"],
    "bombs": lambda play, v: "bombs" in play.view(v)["players"]["b"],
    "garnets": lambda play, v: "garnets" in play.view(v)["players"]["b"],
    "prices": lambda play, v: "prices" in play.view(v)["players"]["b"],
    "invalid_items": lambda play, v: play.view(v)["players"]["b"].get("invalid"),
    "channels": lambda play, v: "channels" in play.view(v)["players"]["b"],
    "bomb_users": lambda play, v: play.view(v)["rounds"][0].get("users"),
    "tokens": lambda play, v: any((play.result(v).tokens or {}).values()),
    "elimination": lambda play, v: play.result(v).elimination,
}
"""Line of the information table -> is it told?"""


@pytest.mark.parametrize("line", VISIBILITY)
def test_each_line_of_the_information_table(polar, line):
    """6: every line of the table, opened and closed: `host`, `owner`, `everybody`, `everybody_after_end`."""
    shown = {}
    for level in ("host", "nobody_ever", "owner", "everybody", "everybody_after_end"):
        settings = {"visibility": {line: level}, "rounds": 2}
        play = polar.placed({"a": "rock +", "b": "paper -", "c": "scissors -", "d": "rock -"}, {"b": "double double"},
                            settings=settings)  # fmt: skip
        play.submit("b", bomb="double paper", ticket="paper")
        play.resolve()
        for viewer in ("a", "b", "public", "host"):
            words(play, viewer)
            shown[level, viewer, False] = bool(LINES[line](play, viewer))
        play.submit("b", ticket="paper")
        play.resolve()
        for player, points in zip("abcd", "9531", strict=True):
            play.do(shared.Override("points", player, points))
        for viewer in ("a", "b", "public", "host"):
            words(play, viewer)
            shown[level, viewer, True] = bool(LINES[line](play, viewer))
    after_only = line in ("tokens", "elimination")
    over_only = line == "prices"  # nothing is sold when it is over
    host_too = line not in ("prices", "invalid_items", "channels", "bomb_users")
    for (level, viewer, over), told_ in shown.items():
        may = {
            "host": False,
            "nobody_ever": False,
            "owner": viewer == "b" and line not in ("bombs_on_rooms", "tokens", "elimination"),
            "everybody": not (after_only and not over),
            "everybody_after_end": over,
        }[level]
        if viewer == "host":
            may = host_too and (over or not after_only)
        if over_only and over:
            may = False
        if (level, line) == ("owner", "tokens"):
            may = viewer in ("a", "b", "host") and over  # each his own
        if level == "owner" and line in ("rooms", "signs", "scoreboard") and viewer != "host":
            continue  # each sees his own row of it: below
        assert told_ == may, (level, viewer, over)


def test_rows_of_ones_own(polar):
    """6: with `owner` each sees his own room, sign and points, and nothing is said of where the others are."""
    play = polar.placed(DUEL, {"a": "double double"},
                        settings={"visibility": dict.fromkeys(("rooms", "signs", "scoreboard"), "owner")})  # fmt: skip
    play.submit("a", bomb="double paper")
    play.resolve()
    assert play.view("a")["rounds"][0] == {
        "round": 1, "rooms": {"rock": ["a"]}, "signs": {"a": "+"}, "bombs": {"paper": {"double": 1}},
        "scores": {"a": -1}, "totals": {"a": -1},
    }  # fmt: skip
    said = words(play, "a")
    assert "nobody" not in said and "1 Double Bomb" in said and "('A', '-1', '-1')" in said and "'B'" not in said
    assert "rooms" not in play.view("public")["rounds"][0]


def test_users_of_bombs_in_words(polar):
    """6 `bomb_users`: where it is opened the reveal says who used what."""
    play = polar.placed(DUEL, {"a": "double double"}, settings={"visibility": {"bomb_users": "everybody"}})
    play.submit("a", bomb="double paper")
    play.resolve()
    assert "A: Double Bomb on Paper" in words(play, "public")


def test_nothing_of_the_view_is_outside_the_table(polar):
    """6: with every line of the information table closed, a view holds phases and ends and nothing else."""
    play = polar.placed(DUEL, {"a": "double double"}, settings={"visibility": dict.fromkeys(VISIBILITY, "host")})
    play.submit("a", bomb="double paper", ticket="rock")
    play.resolve()
    for viewer in ("public", "b"):
        view = play.view(viewer)
        assert view["players"] == {"a": {}, "b": {}}
        assert view["rounds"] == [{"round": 1}] and view["begin"] == {"round": 0}
        own = {"submitted", "sheet"} if viewer == "b" else set()
        assert set(view) == {"phase", "round", "of", "ends", "players", "begin", "rounds"} | own
        result = play.result(viewer)
        assert not (result.ranking or result.scores or result.garnets or result.tokens or result.elimination)
    assert not any(word in words(play, "public") for word in ("Rock", "Paper", "Double", "+"))


def test_who_may_open_which_entry(polar):
    """6, design 4: a sheet is its player's; the lots of the pregame the hosts'; the rest as everywhere."""
    play = polar(players=("a", "b"))
    game = play.game

    def who(action: Any) -> Audience:
        return game.audience(play.state, action)  # type: ignore[no-any-return]

    mine = Audience.only("a")
    for action in (
        a.Start("a", "rock", "+"), a.Submit("a"), a.Go("a", "rock"), a.Swap("a"), a.Bomb("a", "double", "rock"),
        a.Buy("a", ("swap",)), shared.Blank("a"), shared.Penalty("a", 1), shared.Vote("a", "b"),
    ):  # fmt: skip
        assert who(action) == mine
    assert who(shared.Resolve("pregame", ("a rock +",), seed="00")) == HOST
    assert who(shared.Resolve("pregame", ())) == HOST
    assert who(shared.Resolve("round_1")) == EVERYBODY
    for action in (shared.Open(), shared.Close("round_1"), shared.Drop("a")):
        assert who(action) == EVERYBODY
    for action in (shared.Choose("a", "b"), shared.Gift("a", "b")):  # who won a token: line `tokens`
        assert who(action) == Audience(("a",), after_end=True)
    assert who(shared.Award("a", "tokens", 1)) == Audience(after_end=True)
    assert who(shared.Award("a", "garnets", 1)) == mine
    for action in (shared.Ruling("x"), shared.Note("x"), shared.Override("points", "a", "3"), shared.Breach("a")):
        assert who(action) == HOST


def test_every_pregame_resolve_is_the_hosts(polar):
    """6: whoever named a room, all of them or none, typed or drawn: it tells nothing that it is closed."""
    for starts in ((), ("a",), ("a", "b")):
        for typed in (None, ("a rock +", "b paper -")):
            play = polar(players=("a", "b"))
            for player in starts:
                play.start(player, "rock", "+")
            luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
            (action,) = play.game.prepare(play.state, shared.Resolve(drawn=typed), luck)
            assert play.game.audience(play.state, action) == HOST


# ---- for the host --------------------------------------------------------------------------------------------------


def test_suggestions(polar):
    """Completion: who still owes a sheet, other rooms, bombs that are held first."""
    play = polar.placed(DUEL, {"a": "polarity polarity"})
    play.submit("b", ticket="rock")

    def suggest(action: type, word: str, **given: str) -> tuple[str, ...]:
        return play.game.suggest(play.state, action, word, given)  # type: ignore[no-any-return]

    assert suggest(a.Submit, "player") == ("a",)
    assert suggest(a.Go, "room", player="a") == suggest(a.Submit, "ticket", player="a") == ("paper", "scissors")
    assert suggest(a.Bomb, "kind", player="a") == ("polarity", "confetti", "double", "ticket")
    assert suggest(a.Submit, "bomb", player="a")[0] == "polarity"
    assert suggest(a.Submit, "bomb", player="a", bomb="polarity") == ROOMS
    assert suggest(shared.Override, "value", player="a", field="room") == ROOMS
    assert suggest(shared.Override, "value", player="a", field="garnets") == ()
    assert suggest(a.Go, "room", player="zed") == ()


def test_the_answer_to_the_host(polar):
    """Issue: after a resolve or an override the host reads what everybody has."""
    play = polar(players=("a", "b"))
    facts = play.do(shared.Override("room", "a", "rock"))
    assert "a: Rock, 0 points; 4 tickets, 2 swaps, no bombs, 0 garnets" in news(play, facts, "host")
    facts = play.resolve(drawn=("a rock +", "b paper -"))
    assert "b: Paper -, 0 points; 4 tickets" in news(play, facts, "host")
    assert play.submit("a", ticket="paper") and not play.game.tell(play.state, [], "host")


def test_overrides_are_told(polar):
    """6, host powers: points, rooms and signs to everybody, inventories to the owner without a number."""
    play = polar.placed(DUEL)
    for field, value, viewer, said in [
        ("points", "4", "public", "A host set the points of A: 4."), ("room", "paper", "public", "room of A: Paper."),
        ("sign", "-", "public", "sign of A: -."), ("tickets", "9", "a", "A host set your tickets."),
        ("swaps", "1", "a", "A host set your sign swaps."), ("bombs", "double", "a", "A host set your bombs."),
    ]:  # fmt: skip
        facts = play.do(shared.Override(field, "a", value))
        assert said in news(play, facts, viewer)
        assert not news(play, facts, "b").strip("[]")
        assert viewer == "public" or not news(play, facts, "public").strip("[]")


def test_rounds_are_told(polar):
    """6: the opening with its end, the resolve with the reveal; a player what he has now."""
    play = polar.placed(DUEL)
    facts = play.resolve()
    (opened,) = only(facts, RoundOpened)
    public = news(play, facts, "public")
    assert "Round 1 is resolved." in public and "Round 2 is open." in public and str(opened.ends) in public
    assert "Scoreboard" in public and "Chart" in public
    mine = news(play, facts, "a")
    assert "You have: 4 tickets, 2 sign swaps, no bombs" in mine and "You may talk in: Rock" in mine
    assert "Scoreboard" not in mine


# ---- this page itself ----------------------------------------------------------------------------------------------


def test_every_gap_and_setting_is_tested():
    """Each of PL-1 to PL-25 is named by a test of this file, and so is each setting of the game."""
    page = Path(__file__).read_text(encoding="utf-8")
    listed = {int(n) for n in re.findall(r"PL-(\d+)", page)}
    listed |= {n for low, high in re.findall(r"PL-(\d+) to PL-(\d+)", page) for n in range(int(low), int(high) + 1)}
    assert set(range(1, 26)) <= listed
    assert [key for key in Settings._fields if f'"{key}"' not in page] == []


def test_nothing_is_settled_before_the_last_round(polar):
    """5: before the end there is no verdict, whatever the points are."""
    play = polar.placed()
    play.do(shared.Override("points", play.state.table.players[0], "99"))
    assert verdict(play.state) == Verdict()
    assert play.state.table.tokens == {} and play.state.table.elimination == ()


@pytest.mark.parametrize(("typed", "kept"), [("-0", "0"), ("0", "0"), ("-12", "-12"), (" 7 ", "7")])
def test_points_have_one_spelling(typed, kept):
    """Host powers: a value is kept as it will be read again."""
    assert OVERRIDES["points"].read(typed) == kept


def test_no_clock_ends_a_ruling(polar):
    """PL-19: where everybody holds a token a host rules, whenever he does; no time closes it."""
    play = polar.ended({"a": 9, "b": 1})
    (decision,) = [d for d in play.state.table.decisions if d.kind == "ruling"]
    assert decision.ends is None
    play.wait(play.now + 1000 * HOUR)
    assert decision in play.state.table.decisions


def test_a_setting_that_cannot_be_is_refused_by_the_rules_too(polar):
    """S-11: an entry is decided as it stands in the log, however it came there."""
    play = polar.placed()
    with pytest.raises(Unreadable):
        play.game.decide(play.state, shared.AmendSetting("double_mode", "triple"), Moment(play.now, 99, "mara"))


@pytest.mark.parametrize("held", [{"tickets": -1}, {"swaps": -1}, {"bombs": {"double": -1}}])
def test_nothing_is_held_below_zero(polar, held):
    """Laws: an inventory below zero is said."""
    play = polar.placed()
    first = play.state.table.players[0]
    players = {**play.state.players, first: play.state.players[first]._replace(**held)}
    assert play.game.invariants(play.state) == ()
    assert len(play.game.invariants(play.state._replace(players=players))) == 1


# ---- words, and what is told to whom -------------------------------------------------------------------------------


def said(play, facts, viewer):
    """What is told of these facts, as text."""
    from ledger.render.text import render

    return render(play.game.tell(play.state, facts, viewer).blocks, "UTC")


def test_what_is_not_on_the_sheet_is_named(polar):
    play = polar.placed()
    for action, what in (
        (a.Go("a", off=True), "no ticket is on the sheet of A"),
        (a.Swap("a", off=True), "no sign swap is on the sheet of A"),
        (a.Bomb("a", off=True), "no bomb is on the sheet of A"),
        (a.Buy("a", off=True), "no purchase is on the sheet of A"),
    ):
        assert play.refuse(action, "not_on").what == what


def test_an_override_of_the_start_is_not_told_before_the_start_is_published(polar):
    """PL-22: rooms and signs become known together, when the pregame is resolved."""
    play = polar()
    for field, value in (("room", "rock"), ("sign", "-")):
        assert said(play, play.do(shared.Override(field, "a", value)), PUBLIC_VIEWER) == ""
    play = polar.placed()
    assert "sign of A: -" in said(play, play.do(shared.Override("sign", "a", "-")), PUBLIC_VIEWER)
    assert "room of A: Paper" in said(play, play.do(shared.Override("room", "a", "paper")), PUBLIC_VIEWER)


def test_what_a_purchase_costs_is_told_once(polar):
    """4, PL-6: the buyer is told what he bought and for how much, not besides that he lost garnets."""
    play = polar.placed(garnets={"a": 5})
    play.submit("a", buy="swap")
    facts = play.resolve()
    assert any(isinstance(fact, table_facts.Moved) for fact in facts)
    mine = said(play, facts, "a")
    assert "You bought a Sign Swap for 1 garnet." in mine and "lost" not in mine
    assert "bought" not in said(play, facts, "b") and "lost" not in said(play, facts, "b")


def test_who_is_asked_is_told_among_whom(polar):
    """PL-16, PL-17, PL-20: each is asked for what he has to decide, and nobody else is."""
    for points, who, asked in (
        (
            {"a": 9, "b": 5, "c": 5, "d": 1},
            "a",
            "Choose who of those in the second place wins a Token of Life: B or C.",
        ),
        (TIED, "b", "You vote who is Elimination Candidate: D, E or F."),
    ):
        play = polar.ended(points)
        opened = [fact for fact in play.told if isinstance(fact, table_facts.DecisionOpened)][-1:]
        assert asked in said(play, opened, who)
        assert said(play, opened, "d") == ""


def test_why_a_token_was_won_has_a_name(polar):
    """5, PL-18: the reasons stand in the JSON under these names."""
    play = polar.ended(TIED)
    won = {award.condition for award in play.state.table.awards}
    assert won == {"tied_first"}


def test_the_vote_is_about_elimination(polar):
    """PL-20: what a decision is about stands in the log, and votes are kept under it."""
    play = polar.ended(TIED)
    assert [decision.about for decision in play.state.table.decisions] == ["elimination"]


def test_how_many_rounds_there_are_is_fixed_once_they_are_over(polar):
    play = polar.placed(settings={"rounds": 2})
    play.resolve()
    assert "round 2 is on already" in play.refuse(shared.AmendSetting("rounds", 1), "rounds").what
    play.resolve()
    assert "the rounds are over" in play.refuse(shared.AmendSetting("rounds", 3), "rounds").what


def test_nothing_is_sold_in_the_pregame_and_it_is_said_why(polar):
    """PL-7 `every_round`."""
    play = polar()
    play.start("a", "rock", "+", "double", "double", buy=("ticket",))
    facts = play.resolve()
    (void,) = (fact for fact in facts if isinstance(fact, f.ItemVoid) and fact.player == "a")
    assert void.why == "nothing is sold in the pregame" and void.rule == "PL-7"


def test_a_lot_of_no_room_or_no_sign_is_refused(polar):
    """Each of the two must be one of the game, also in a log that was made elsewhere."""
    for line in ("a rock x", "a cellar +", "a cellar x"):
        play = polar(players=("a", "b"))
        with pytest.raises(Refused) as caught:
            play.game.decide(play.state, shared.Resolve("pregame", drawn=(line, "b rock +")), Moment(play.now, 9))
        assert caught.value.code == "polar.drawn" and line in caught.value.what


def test_the_room_after_a_round_begins_empty(polar):
    """Nothing of the round before is in the next: its number is that of the round when it is resolved."""
    assert polar().state.now == Played(0)
    play = polar.placed()
    assert play.state.now == Played(0)
    play.resolve()
    assert [done.number for done in play.state.history] == [0, 1] and play.state.now == Played(0)


def test_a_ruling_closes_no_decision(polar):
    """PL-19: where everybody holds a token hosts declare who is Elimination Candidate; words alone decide nothing."""
    play = polar.ended({"a": 20, "b": 10})
    assert kinds(play) == ["ruling"]
    play.do(shared.Ruling("it does not count", about=3))
    assert kinds(play) == ["ruling"] and play.result().status == "deciding"
    play.do(shared.Ruling("b is Elimination Candidate"))
    assert kinds(play) == ["ruling"] and play.result().status == "deciding"
    play.do(shared.Declare("elimination", ("b",)))
    assert play.result().status == "finished" and play.result().elimination == ("b",)


def test_a_purchase_that_names_nothing(polar):
    """2: what a player wrote so is kept, is no item, and he reads it back."""
    play = polar.placed(garnets={"a": 5})
    assert "Your sheet for round 1: buy nothing." in said(play, play.submit("a", buy="blank", as_sent=True), "a")
    play.resolve()
    assert play.void("a") == ["buy nothing: there is no such item"] and play.have("garnets")["a"] == 5


def test_a_drawn_lot_is_repeated(polar):
    """5, S-4: the lot among the lowest comes out of its seed again; one that was typed over does not."""
    play = polar.ended({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1})
    assert kinds(play) == ["lot"]
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(32))})()
    (lot,) = play.game.prepare(play.state, shared.Lot(), luck)
    assert play.game.audit(play.state, lot, 12) is None
    (other, *_) = [p for p in lot.among if p != lot.outcome]
    assert "the seed draws" in play.game.audit(play.state, lot._replace(outcome=other), 12)


def test_garnets_given_and_taken_are_told(polar):
    """6, S-6: his garnets are his own to know: he reads what a host gives or takes, and nobody else does."""
    play = polar.placed(garnets={"a": 5})
    for action, words_ in ((shared.Award("a", "garnets", 2), "received 2 garnets"),
                           (shared.Penalty("a", 1), "lost 1 garnet")):  # fmt: skip
        facts = play.do(action)
        assert f"You {words_}." in said(play, facts, "a")
        assert "garnet" not in said(play, facts, "b") + said(play, facts, PUBLIC_VIEWER)
    hidden = polar.placed(garnets={"a": 5}, settings={"visibility": {"garnets": "host"}})
    assert "garnet" not in said(hidden, hidden.do(shared.Award("a", "garnets", 2)), "a")


def test_an_override_of_nothing_that_a_player_has(polar):
    """Host powers: an entry is decided as it stands in the log, however it came there."""
    play = polar.placed()
    with pytest.raises(Unreadable) as refusal:
        play.game.decide(play.state, shared.Override("hand", "a", "3"), Moment(play.now, 99, "mara"))
    assert refusal.value.code == "override.field"


@pytest.mark.parametrize("key", ["pregame_hours", "round_hours", "gift_hours", "vote_hours"])
def test_hours_that_can_be(key):
    """1, docs: from one hour to sixty days."""
    from games.polar import GAME
    from games.table.settings import check

    for hours in (1, 60 * 24):
        check(GAME.settings, GAME.visibility, {key: hours})
    for hours in (0, 60 * 24 + 1):
        with pytest.raises(Unreadable):
            check(GAME.settings, GAME.visibility, {key: hours})
