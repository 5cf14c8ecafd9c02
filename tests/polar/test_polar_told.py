"""Polar RPS Party, rule by rule (as test_polar_rules): who is told what, in which words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from events.audiences import EVERYBODY, HOST, PUBLIC_VIEWER, Audience
from events.errors import Refused
from games.contract import Moment
from games.polar import actions as a
from games.polar.actions import ROOMS, VISIBILITY, Settings
from games.polar.rules import OVERRIDES
from games.polar.sheets import score
from games.table import actions as shared, facts as table_facts
from tests.support.polar import DUEL, HOUR, TIED, news, said, words

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
    play.do(shared.Override("a", "room", "rock"))
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
            play.do(shared.Override(player, "points", points))
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


def test_who_may_open_which_entry(polar):
    """docs/log-format.md: a sheet is its player's; the lots of the pregame the hosts'; the rest as everywhere."""
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
    for action in (shared.Ruling("x"), shared.Note("x"), shared.Override("a", "points", "3"), shared.Breach("a")):
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
    facts = play.do(shared.Override("a", "room", "rock"))
    assert "a: Rock, 0 points; 4 tickets, 2 swaps, no bombs, 0 garnets" in news(play, facts, "host")
    facts = play.resolve(drawn=("a rock +", "b paper -"))
    assert "b: Paper -, 0 points; 4 tickets" in news(play, facts, "host")
    assert play.submit("a", ticket="paper") and not play.game.tell(play.state, [], "host")


def test_overrides_are_told(polar):
    """6, host powers: points, rooms and signs to everybody, inventories to the owner without a number."""
    play = polar.placed(DUEL)
    for field, value, viewer, what in [
        ("points", "4", "public", "A host set the points of A: 4."), ("room", "paper", "public", "room of A: Paper."),
        ("sign", "-", "public", "sign of A: -."), ("tickets", "9", "a", "A host set your tickets."),
        ("swaps", "1", "a", "A host set your sign swaps."), ("bombs", "double", "a", "A host set your bombs."),
    ]:  # fmt: skip
        facts = play.do(shared.Override("a", field, value))
        assert what in news(play, facts, viewer)
        assert not news(play, facts, "b").strip("[]")
        assert viewer == "public" or not news(play, facts, "public").strip("[]")


# ---- this page itself ----------------------------------------------------------------------------------------------


def test_every_gap_and_setting_is_tested():
    """Each of PL-1 to PL-25 is named by a test of the rules, and so is each setting of the game."""
    files = (Path(__file__).with_name(f"test_polar_{part}.py") for part in ("rules", "sheets", "end", "told"))
    page = "".join(path.read_text(encoding="utf-8") for path in files)
    listed = {int(n) for n in re.findall(r"PL-(\d+)", page)}
    listed |= {n for low, high in re.findall(r"PL-(\d+) to PL-(\d+)", page) for n in range(int(low), int(high) + 1)}
    assert set(range(1, 26)) <= listed
    assert [key for key in Settings._fields if f'"{key}"' not in page] == []


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


@pytest.mark.parametrize("held", [{"tickets": -1}, {"swaps": -1}, {"bombs": {"double": -1}}])
def test_nothing_is_held_below_zero(polar, held):
    """Laws: an inventory below zero is said."""
    play = polar.placed()
    first = play.state.table.players[0]
    players = {**play.state.players, first: play.state.players[first]._replace(**held)}
    assert play.game.invariants(play.state) == ()
    assert len(play.game.invariants(play.state._replace(players=players))) == 1


# ---- words, and what is told to whom -------------------------------------------------------------------------------


def test_what_is_not_on_the_sheet_is_named(polar):
    play = polar.placed()
    for action, what in (
        (a.Go("a", off=True), "A's sheet has no ticket"),
        (a.Swap("a", off=True), "A's sheet has no sign swap"),
        (a.Bomb("a", off=True), "A's sheet has no bomb"),
        (a.Buy("a", off=True), "A's sheet has no purchase"),
    ):
        assert play.refuse(action, "not_on").what == what


def test_an_override_of_the_start_is_not_told_before_the_start_is_published(polar):
    """PL-22: rooms and signs become known together, when the pregame is resolved."""
    play = polar()
    for field, value in (("room", "rock"), ("sign", "-")):
        assert said(play, play.do(shared.Override("a", field, value)), PUBLIC_VIEWER) == ""
    play = polar.placed()
    assert "sign of A: -" in said(play, play.do(shared.Override("a", "sign", "-")), PUBLIC_VIEWER)
    assert "room of A: Paper" in said(play, play.do(shared.Override("a", "room", "paper")), PUBLIC_VIEWER)


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


def test_a_lot_of_no_room_or_no_sign_is_refused(polar):
    """Each of the two must be one of the game, also in a log that was made elsewhere."""
    for line in ("a rock x", "a cellar +", "a cellar x"):
        play = polar(players=("a", "b"))
        with pytest.raises(Refused) as caught:
            play.game.decide(play.state, shared.Resolve("pregame", drawn=(line, "b rock +")), Moment(play.now, 9))
        assert caught.value.code == "polar.drawn" and line in caught.value.what


def test_a_purchase_that_names_nothing(polar):
    """2: what a player wrote so is kept, is no item, and he reads it back."""
    play = polar.placed(garnets={"a": 5})
    assert "Your sheet for round 1: buy nothing." in said(play, play.submit("a", buy="blank", as_sent=True), "a")
    play.resolve()
    assert play.void("a") == ["buy nothing: there is no such item"] and play.have("garnets")["a"] == 5
