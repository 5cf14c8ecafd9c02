"""MarsMatch, rule by rule (as test_marsmatch_rules): who may know what, and hints."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from events.audiences import EVERYBODY, EVERYBODY_AFTER_END, HOST, Audience
from events.errors import Refused
from games.kit.blocks import Table, text
from games.marsmatch import GAME, actions as a, report
from games.marsmatch.cards import count, in_words
from games.marsmatch.view import hint
from games.records import ABSENT
from games.table import actions as shared
from games.table.view import frame
from ledger.author.simulation import simulate
from tests.support.mars import FOUR, moment_of

# ---- 5. who may know what ------------------------------------------------------------------------------------------


def test_5_the_view(mars):
    """5 and the view of the issue: hands private, sizes and plays public; all hands once the match is finished."""
    play = mars({"a": "3 3 10", "b": "4 BJ", "c": "J LJ"}).go("a 10")
    assert play.view("host") == {
        "phase": "real", "round": 1, "banker": "a", "turn": "b", "leader": "a",
        "trick": {"by": "a", "cards": ["10"], "type": "single", "rank": "10"},
        "players": {
            "a": {"hand": ["3", "3"], "count": 2, "points": 0, "out": False, "title": None, "run": 1},
            "b": {"hand": ["4", "BJ"], "count": 2, "points": 0, "out": False, "title": None, "run": 0},
            "c": {"hand": ["J", "LJ"], "count": 2, "points": 0, "out": False, "title": None, "run": 0},
        },
        "titles": {}, "rounds": [],
    }  # fmt: skip
    for viewer, mine in (("a", {"a"}), ("c", {"c"}), ("public", set())):
        seen = play.view(viewer)
        assert {p for p, row in seen["players"].items() if "hand" in row} == mine
        assert {p: row["count"] for p, row in seen["players"].items()} == {"a": 2, "b": 2, "c": 2}
        assert seen["trick"] == play.view("host")["trick"] and seen["turn"] == "b"
    play.do(shared.Close("real"))
    assert all("hand" in row for row in play.view("public")["players"].values())
    assert play.view("public")["phase"] == "finished"


@pytest.mark.parametrize(
    ("line", "level", "gone"),
    [
        ("own_hand", "host", "hand"), ("own_hand", "everybody", None), ("hand_sizes", "host", "count"),
        ("hand_sizes", "owner", None), ("points", "nobody_ever", "points"), ("plays", "host", "run"),
        ("plays", "everybody_after_end", "run"),
    ],
)  # fmt: skip
def test_5_each_line_of_the_table(mars, line, level, gone):
    """5: what a line closes is gone for players, never for hosts."""
    play = mars({"a": "3 3 10", "b": "4 BJ"}, settings={"visibility": {line: level}}).go("a 10")
    mine, host = play.view("a"), play.view("host")
    if gone is not None:
        assert gone not in mine["players"]["a"] and gone in host["players"]["a"]
    if line == "own_hand":
        assert ("hand" in play.view("public")["players"]["b"]) is (level == "everybody")
    if line == "hand_sizes":
        assert ("count" in mine["players"]["a"], "count" in mine["players"]["b"]) == (level == "owner", False)
    if line == "points":
        assert play.result("a").ranking is ABSENT and play.result("host").ranking is not ABSENT
        assert mine["titles"] == {}
    if line == "plays":
        assert (mine["turn"], mine["trick"], mine["leader"]) == (None, None, None)
        assert host["turn"] == "b"


@pytest.mark.parametrize("level", ["everybody", "host"])
def test_5_sizes_are_told_by_their_line_alone(level):
    """5: in whole matches, down to the last card."""
    left = Counter()

    def tell(match):
        new, told["facts"] = match.told[told["facts"] :], len(match.told)
        for viewer in ("public", *match.state.table.seats):
            said = str(GAME.tell(match.state, new, viewer).lines)
            left.update(re.findall(r"[0-9]+ cards? left", said))

    for seed in range(2):
        told = {"facts": 0}
        visibility = {"hand_sizes": level}
        simulate(GAME, ["ann", "bob", "cyd"], Random(seed), 1000, tell, short_hands=True, visibility=visibility)
    assert not left if level == "host" else {"0 cards left", "1 card left", "2 cards left"} <= {*left}, left


def test_5_who_may_open_entries(mars):
    """What is played is public where the table says so; a draw always; a hand is its player's."""
    for level, audience in (("everybody", EVERYBODY), ("everybody_after_end", EVERYBODY_AFTER_END), ("host", HOST),
                            ("owner", Audience.only("a"))):  # fmt: skip
        play = mars(FOUR, settings={"visibility": {"plays": level}})
        assert GAME.audience(play.state, a.Play("a", "3")) == audience
        assert GAME.audience(play.state, a.Pass("a")) == audience
    assert GAME.audience(play.state, a.Draw()) == EVERYBODY
    assert GAME.audience(play.state, shared.Hand("b", ("3",))) == Audience.only("b")
    assert GAME.audience(play.state, shared.Deal()) == HOST


def test_5_final_hands(mars):
    """5: remaining hands are shown at the end; the line final_hands may keep them closed."""
    for level, seen in (("everybody_after_end", True), ("host", False)):
        play = mars({"a": "3 3", "b": "4 K"}, settings={"visibility": {"final_hands": level}}).go("a 3 3")
        assert ("hand" in play.view("public")["players"]["b"]) is seen
        assert "hand" in play.view("b")["players"]["b"]


# ---- hint ----------------------------------------------------------------------------------------------------------


def test_hint(mars):
    """What a player could play: to lead with, or against the trick; not his turn is said."""
    play = mars({"a": "3 3 10", "b": "4 4 BJ 2", "c": "J"})
    lead = hint(play.state, "a")
    assert lead.turn and lead.trick is None
    assert [" ".join(one.cards) for one in lead.plays] == ["3", "10", "3 3"]
    play.go("a 10")
    b = hint(play.state, "b")
    assert b.trick.cards == ("10",) and [" ".join(one.cards) for one in b.plays] == ["2", "BJ"]
    assert [one.type for one in b.plays] == ["single", "boat"]
    assert not hint(play.state, "c").turn
    assert hint(play.state, "a").trick is None, "his own play is his to lead after"
    play.go("b 2; c -; a -; b 4 4")
    none = hint(play.state, "a")
    assert none.plays == ()
    for player in ("a", "b"):
        over = mars({"a": "3", "b": "4"}).go("a 3")
        with pytest.raises(Refused) as refusal:
            hint(over.state, player)
        assert refusal.value.code == "marsmatch.no_hint"


def test_what_can_be_done_now(mars):
    """Whose turn it is may play all that a hint lists, as declared, and pass; nobody else has a move."""
    play = mars({"a": "3 3 10", "b": "4 4 BJ 2", "c": "J"})

    def moves(player):
        return [(type(one).__name__, *one[1:]) for one in GAME.moves(play.state, player)]

    assert moves("a") == [("Play", "3", "single:3"), ("Play", "10", "single:10"), ("Play", "3 3", "pair:3")]
    play.go("a 10")
    assert moves("b") == [("Pass",), ("Play", "2", "single:2"), ("Play", "BJ", "boat:BJ")]
    assert moves("a") == moves("c") == []


def test_how_a_hint_reads(mars):
    """One line for each type and shape: the ranks at which it can be played, and the lowest cards that do."""

    def shown(play, player):
        heading, *rest = report.hint(frame(play.state.table, "MarsMatch", "host"), hint(play.state, player))
        return heading.text, rest[0].rows if isinstance(rest[0], Table) else rest[0]

    play = mars({"a": "5 5 5 6 6 6", "b": "9*5 BJ 3", "c": "4"})
    assert shown(play, "a") == (
        "A to lead with",
        (
            ("single card", "5 6", "5"), ("Pair", "5 6", "55"), ("Rocket", "5 6", "555"),
            ("Rocket, 2 groups", "6", "555 666"), ("Rocket with singles", "5 6", "555 6"),
            ("Rocket with pairs", "5 6", "555 66"),
        ),
    )  # fmt: skip
    play.go("a 5 5")
    assert shown(play, "b") == ("B to beat 5 5", (("Pair", "9", "99"), ("Drone", "4×9 5×9", "9999")))
    assert shown(play, "c") == ("C to beat 5 5", text("Nothing: only a pass."))
    boats = (("single card", "3", "3"), ("Lone Boat", "BJ", "BJ"), ("Boat with a single", "BJ+3", "3 BJ"))
    assert shown(mars({"a": "BJ 3", "b": "4"}), "a") == ("A to lead with", boats)


def test_a_hint_knows_the_trick_whatever_is_hidden(mars):
    """6: a hint is for hosts, and hosts see what is played whatever the line `plays` says."""
    play = mars({"a": "3 K", "b": "4 9"}, settings={"visibility": {"plays": "nobody_ever"}}).go("a 3")
    assert hint(play.state, "b").trick.cards == ("3",)


def test_hint_names_only_what_may_be_played(mars):
    """Every line of a hint can be played as it stands; nothing else of the hand can, at that rank and shape."""
    play = mars({"a": "3 3 4 4 5 5 K", "b": "6 6 7 7 8 2 2 BJ LJ 3 3 3", "c": "9"}).go("a 3 3 4 4 5 5")
    for one in hint(play.state, "b").plays:
        facts = GAME.decide(play.state, a.Play("b", " ".join(one.cards)), moment_of(play))
        assert facts[0].reading.type == one.type


def test_suggestions(mars):
    """Completion: whose turn it is, and the cards he holds."""
    play = mars({"a": "3 3 10", "b": "4"})
    assert GAME.suggest(play.state, a.Play, "player", {}) == ("a",)
    assert GAME.suggest(play.state, a.Play, "cards", {"player": "a"}) == ("3", "10")
    assert GAME.suggest(play.state, a.Play, "reading", {"player": "a", "cards": "10"}) == ("single:10",)
    assert GAME.suggest(play.state, a.Play, "reading", {"player": "a", "cards": "4"}) == ()
    assert in_words(count(["3", "K"])) == "3 K"


def test_who_leads_first_is_who_plays_first(mars):
    """2, 3; MM-6: the Banker leads if he is still in; if he leaves before he has played, the next seat does."""
    play = mars({"a": "9 9", "b": "5", "c": "4 4 6"})
    play.do(shared.Drop("a"))
    play.play("b", "5")
    assert play.titles()["b"] == "ground_hand" and play.points()["b"] == 500


def test_mm_24_fewer_rounds_end_the_match(mars):
    """MM-24, S-11: a round that nobody has opened is none; with more rounds again the match goes on."""
    play = mars({"a": "9", "b": "3 3 5"}, settings={"rounds": 3})
    play.go("a 9")
    assert (play.state.round, play.result().status) == (2, "running")
    play.do(shared.AmendSetting("rounds", 1))
    assert play.result().status == "finished" and play.result().scores == {"a": 500, "b": 0}
    play.refuse(a.Draw("a"), "over")
    play.do(shared.AmendSetting("rounds", 2))
    assert play.result().status == "running" and play.view()["phase"] == "initial"
    play.deal({"a": "9", "b": "3 5"}, "a")
    play.do(shared.Open())
    play.do(shared.AmendSetting("rounds", 1))
    assert play.result().status == "running"  # this one is being played
    play.go("a 9")
    assert play.result().status == "finished" and play.state.round == 2


def test_how_three_threes_read_is_for_the_hosts(mars):
    """3, `super_drone_by_holding`: it tells how many 3s he holds besides, so that a refusal says nothing of it."""
    said = set()
    for hand in ("3 3 3 J Q BJ", "3 3 3 3 Q BJ", "4 4 K J Q BJ"):
        play = mars({"b": hand, "c": "9 10 J Q K", "a": "4 5 6 7 8"}, settings={"super_drone_by_holding": True})
        for cards, reading in (("3 3 3", "drone"), ("3 3 3 BJ", None)):
            refusal = play.refuse(a.Play("b", cards, reading))
            said.add((cards, refusal.code, refusal.what, refusal.fix))
            assert refusal.host_only
    assert len(said) == 2


def test_a_title_is_named_where_points_are_known(mars):
    """6: who is out, and with which title, is told as the line `points` says."""
    for level in ("everybody", "host"):
        play = mars({"a": "3", "b": "4 5", "c": "6 7"}, settings={"visibility": {"points": level}})
        play.go("a 3")
        refusal = play.refuse(a.Play("a", "3"), "is_out")
        assert ("Ground Hand" in refusal.what) is (level == "everybody")
        assert ("Ground Hand" in refusal.host_only) is (level == "host")


def test_what_is_decided_is_told_where_plays_are(mars):
    """6: who names who leads tells who played last; a hand is opened to its owner if he may know it."""
    for level, known in (("everybody", True), ("host", False)):
        play = mars(
            {"a": "9", "b": "3 3 5", "c": "4 4 6", "d": "7 7"},
            settings={"post_win_lead": "named", "visibility": {"plays": level}},
        )
        play.go("a 9")
        play.pass_("b", "c", "d")
        told = [{"kind": "choose", "who": ["a"], "among": ["b", "c", "d"]}]
        assert list(play.result("public").decisions) == (told if known else [])
        assert list(play.result("host").decisions) == told
        assert play.game.audience(play.state, shared.Choose("a", "b")).admits("public", ended=False) is known
    for level, mine in (("owner", True), ("host", False)):
        play = mars({"a": "9", "b": "3"}, settings={"visibility": {"own_hand": level}})
        assert play.game.audience(play.state, shared.Hand("a", ("9",))).admits("a", ended=False) is mine
