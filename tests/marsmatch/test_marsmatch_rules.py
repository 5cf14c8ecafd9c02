"""MarsMatch, one test for each numbered rule and each gap, both ways. Expected values were worked out by hand."""

from __future__ import annotations

from random import Random

import pytest

from events import write_instant
from events.audiences import EVERYBODY, EVERYBODY_AFTER_END, HOST, Audience
from events.errors import Refused, Unreadable
from games.contract import Moment, Published
from games.kit import luck as kit_luck
from games.kit.blocks import Table, text
from games.marsmatch import GAME
from games.marsmatch import actions as a
from games.marsmatch import facts as f
from games.marsmatch.cards import CARDS, count, deck, in_words, packs, read_cards
from games.marsmatch.hint import hint, report
from games.marsmatch.names import READING
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as table_facts
from games.table.view import frame
from ledger.author.trial import simulate

MINUTE, HOUR = 60_000, 3_600_000
STARLINK, UFO = "3*6 K", "LJ LJ BJ BJ 4"
FOUR = {"a": "3 4 5 6", "b": "7 8 9 10", "c": "J Q K A", "d": "3 3 4 4"}


# ---- 1. cards ------------------------------------------------------------------------------------------------------


def test_1_packs():
    """1: N packs have 4N of each rank, N Big and N Little Jokers; 54 cards each."""
    for number in (2, 3, 7):
        assert packs(number) == (4 * number,) * 13 + (number, number)
        assert len(deck(number)) == 54 * number
    assert deck(2)[:9] == ("3",) * 8 + ("4",) and deck(2)[-4:] == ("LJ", "LJ", "BJ", "BJ")


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("3 3 3 K", "3 3 3 K"), ("333k", "3 3 3 K"), ("k,3,3 3", "3 3 3 K"), ("t", "10"), ("TT10", "10 10 10"),
        ("bj lj 2", "2 LJ BJ"), ("LJBJ", "LJ BJ"), ("BJJ", "J BJ"), ("a2", "A 2"), ("10J", "10 J"),
    ],
)  # fmt: skip
def test_1_how_cards_are_typed(typed, cards):
    """1: any case, spaces, commas or nothing between; T is 10 and is never written."""
    assert " ".join(read_cards(typed)) == cards
    assert CARDS.read(typed, None) == cards


@pytest.mark.parametrize("typed", ["", "1", "0", "11", "B", "L", "3♠", "R7", "3-3", "joker", "3 3 X"])
def test_1_an_unknown_card(typed):
    """1: nothing is guessed."""
    with pytest.raises(Unreadable) as refusal:
        read_cards(typed)
    assert refusal.value.code == "marsmatch.card" and refusal.value.fix


# ---- 2.1 draw and deal ---------------------------------------------------------------------------------------------


def test_2_1_the_draw(match):
    """2.1, MM-6: Banker and seats are drawn, or typed in; a Banker typed alone takes the seats of the match file."""
    play = match("marsmatch", players=["a", "b", "c", "d"], opened=False)
    play.do(a.Draw())
    assert sorted(play.state.seats) == ["a", "b", "c", "d"] and play.state.banker == play.state.seats[0]
    refused = play.refuse(a.Draw("b"), "drawn")
    assert refused.fix == "hl log"
    typed = match("marsmatch", players=["a", "b", "c", "d"], opened=False)
    typed.do(a.Draw("c"))
    assert (typed.state.banker, typed.state.seats) == ("c", ("a", "b", "c", "d"))
    both = match("marsmatch", players=["a", "b", "c"], opened=False)
    both.do(a.Draw("c", ("b", "c", "a")))
    assert (both.state.banker, both.state.seats) == ("c", ("b", "c", "a"))
    seats = match("marsmatch", players=["a", "b", "c"], opened=False)
    seats.do(a.Draw(None, ("b", "c", "a")))
    assert seats.state.seats == ("b", "c", "a") and seats.state.banker in "abc"


@pytest.mark.parametrize("given", [a.Draw(), a.Draw(None, ("b", "c", "a")), a.Draw("a"), a.Draw("a", ("b", "c", "a"))])
def test_2_1_a_draw_can_be_repeated(match, given):
    """S-G5: the seed is kept where something was drawn, gives the same again, and another outcome is found."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(range(32)))})()
    (action,) = GAME.prepare(play.state, given, luck)
    assert (action.seed is None) is (given.banker is not None)
    assert GAME.audit(play.state, action, 12) is None
    if action.seed is not None:
        other = action._replace(banker=next(p for p in "abc" if p != action.banker))
        assert "another Banker" in GAME.audit(play.state, other, 12)
        assert GAME.audit(play.state, action._replace(seed="xyz"), 12) == "its seed is not written in hex digits"
        assert GAME.prepare(play.state, other, luck) == (other._replace(drawn=None, draw=None, seed=None),)


@pytest.mark.parametrize("seats", [("a", "b"), ("a", "b", "b"), ("a", "b", "c", "a")])
def test_2_1_seats_name_everybody_once(match, seats):
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    play.refuse(a.Draw("a", seats), "seats")


def test_2_1_a_draw_is_recorded_whole(match):
    """2.1: without Banker or without seats it is no draw, whoever wrote the entry."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    for half in (a.Draw("a"), a.Draw(None, ("a", "b", "c")), a.Draw()):
        with pytest.raises(Refused) as refusal:
            GAME.decide(play.state, half, _moment(play))
        assert refusal.value.code == "marsmatch.undrawn"


def test_2_1_the_deal(match):
    """2.1: after the draw; 54 cards each, all packs dealt; only once."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    play.refuse(shared.Deal("typed"), "undrawn")
    play.do(a.Draw())
    play.do(shared.Deal())
    assert [sum(hand) for hand in play.state.hands.values()] == [54] * 3
    assert tuple(map(sum, zip(*play.state.hands.values(), strict=True))) == packs(3)
    play.refuse(shared.Deal(), "dealt")
    play.refuse(shared.Deal("typed"), "dealt")
    with pytest.raises(Refused, match="dealt"):
        GAME.prepare(play.state, shared.Deal(), None)  # nor is one drawn that a host could force
    play.refuse(a.Draw(), "dealt")
    assert play.refuse(shared.Hand("a", ("3",)), "dealt")
    play.do(shared.Open())
    play.refuse(shared.Open(), "opened")


def test_2_1_a_drawn_deal_can_be_repeated(match):
    """S-G5: the seed deals the hands again; other hands are found; a typed deal has no seed."""
    play = match("marsmatch", players=["a", "b", "c"], opened=False)
    play.do(a.Draw())
    luck = type("Luck", (), {"seq": 12, "published": None, "seed": staticmethod(lambda: bytes(range(32)))})()
    *hands, deal = GAME.prepare(play.state, shared.Deal(), luck)
    for one in (*hands, deal):
        play.do(one)
    assert GAME.audit(play.state, deal, 12) is None
    assert "other hands" in GAME.audit(play.state, deal._replace(seed="00" * 32), 12)
    assert GAME.audit(play.state, deal._replace(seed="zz"), 12) == "its seed is not written in hex digits"
    assert "no seed is kept" in GAME.audit(play.state, deal._replace(seed=None), 12)
    assert GAME.audit(play.state, shared.Deal("typed"), 12) is None


def test_2_1_a_commitment_serves_the_first_round(match):
    """Design 5: `commit` and words fix the first deal; a later round draws a seed of its own."""
    play = match("marsmatch", players=["a", "b", "c", "d"], settings={"rounds": 2}, opened=False)
    play.do(a.Draw())
    fixed = Published("11" * 32, bytes(range(32)), (("a", "the rain"),), ("22" * 32,), "11" * 32)
    luck = type("Luck", (), {"seq": 12, "published": fixed, "seed": staticmethod(lambda: bytes(32))})()
    *hands, deal = GAME.prepare(play.state, shared.Deal(), luck)
    assert deal._replace(draw=None) == shared.Deal("drawn", None, "11" * 32, ("22" * 32,))
    for one in (*hands, deal):
        play.do(one)
    key = kit_luck.mix(fixed.seed, fixed.words)
    assert GAME.audit(play.state, deal, 12, key) is None
    assert "other hands" in GAME.audit(play.state, deal, 12, kit_luck.mix(fixed.seed))
    before = play.state.hands
    (late,) = GAME.decide(play.state, shared.Word("b", "too late"), Moment(play.now, 99))
    assert late == table_facts.WordLate("b")
    play.do(shared.Open())
    play.do(shared.Close("real"))
    assert play.state.round == 2
    play.do(a.Draw())
    *_, deal = GAME.prepare(play.state, shared.Deal(), luck)
    assert deal._replace(draw=None) == shared.Deal("drawn", "00" * 32)
    play.do(shared.Deal())
    assert play.state.hands != before


@pytest.mark.parametrize(
    ("hands", "code"),
    [
        ({"a": "3", "b": "4"}, "hand_size"),
        ({"a": "3*8 4*8 5*8 6*8 7*8 8*8 9*6", "b": "9*2 10*8 J*8 Q*8 K*8 A*8 2*8 LJ LJ BJ"}, "hand_size"),
    ],
)
def test_1_hands_have_54_cards(match, hands, code):
    """1: without short_hands."""
    play = match("marsmatch", players=list(hands), opened=False)
    play.do(a.Draw("a"))
    with pytest.raises(Refused) as refusal:
        for player, held in hands.items():
            play.do(shared.Hand(player, tuple(_words(held))))
    assert refusal.value.code == f"marsmatch.{code}"


def _words(text):
    for word in text.split():
        rank, _, many = word.partition("*")
        yield from [rank] * int(many or 1)


def test_short_hands(mars, match):
    """short_hands: any number of cards but none; never more of a card than the packs hold."""
    assert mars({"a": "3", "b": "4 5 6"}).turn == "a"
    play = match("marsmatch", players=["a", "b"], settings={"short_hands": True}, opened=False)
    play.do(a.Draw("a"))
    play.refuse(shared.Hand("a", ()), "hand_size")
    play.do(shared.Hand("a", ("BJ", "BJ", "BJ")))
    play.refuse(shared.Deal("typed"), "deck")
    play.do(shared.Hand("b", ("3",)))
    refused = play.refuse(shared.Deal("typed"), "deck")
    assert "3 x BJ where the deck has 2" in refused.what
    play.do(shared.Hand("a", ("BJ", "BJ")))
    play.do(shared.Deal("typed"))
    assert play.refuse(shared.Deal(), "dealt")


def test_open_needs_a_banker_and_cards(match):
    play = match("marsmatch", players=["a", "b"], opened=False)
    assert play.view()["phase"] == "initial" and play.result().status == "setup"
    assert play.refuse(shared.Open(), "not_dealt").fix == "hl draw"
    play.do(a.Draw())
    assert play.refuse(shared.Open(), "not_dealt").fix == "hl deal"
    play.refuse(a.Play("a", "3"), "not_playing")
    play.refuse(shared.Close("initial"), "not_open")
    play.refuse(shared.Close("real"), "not_open")


# ---- 2.2 the Initial Phase -----------------------------------------------------------------------------------------

INITIAL = [
    # (hands, default: points, every_holder: points)
    ((STARLINK, UFO, "3*5 K", "4"), {"a": 10_000, "b": 700}, None),
    (("4", UFO, STARLINK, "3*7 K"), {"c": 9_000}, {"b": 900, "c": 9_000}),
    (("4", UFO, UFO, "3*7 K"), {"b": 900, "c": 900}, None),
    ((UFO, UFO, "4", "5"), {"a": 1_000, "b": 700}, None),
    (("3*7 K", "LJ BJ BJ BJ 4", "5", "6"), {}, None),
    # MM-2: seven is none; both in one hand pay the better only; other splits of four Jokers are no UFO
    (("3*6 LJ LJ BJ BJ K", "4", "5", "6"), {"a": 10_000}, None),
    (("LJ LJ LJ BJ 4", "LJ BJ BJ BJ 4", "5", "6"), {}, None),
    (("LJ LJ BJ BJ BJ 4", "5", "6", "7"), {}, None),
    # MM-4: a UFO of the Banker does not stop a follower's Starlink
    ((UFO, STARLINK, "5", "6"), {"a": 1_000, "b": 7_000}, None),
    # MM-3: ties score in full, and the lower class gets nothing by default
    (("5", STARLINK, STARLINK, UFO), {"b": 9_000, "c": 9_000}, {"b": 9_000, "c": 9_000, "d": 900}),
]


@pytest.mark.parametrize(("hands", "points", "every"), INITIAL)
def test_2_2_the_initial_phase(mars, hands, points, every):
    """2.2, MM-1 to MM-4, with both settings of snatch; MM2 is among these."""
    seats = dict(zip("abcd", hands, strict=True))
    for snatch, wanted in (("best_class", points), ("every_holder", every or points)):
        play = mars(seats, settings={"snatch": snatch})
        assert play.points() == wanted
        winners = [p for p in "abcd" if p in wanted]
        assert sorted(play.state.out[: len(winners)]) == winners
        others = [p for p in "abcd" if p not in wanted]
        if len(others) > 1:
            assert play.state.active() == tuple(others) and play.turn == others[0]
        assert GAME.invariants(play.state) == ()


def test_2_2_titles(mars):
    play = mars({"a": UFO, "b": STARLINK, "c": "5", "d": "6"})
    assert play.titles() == {"a": "heavenly_hand", "b": "non_banker_heavenly"}
    assert mars({"a": "4", "b": STARLINK, "c": "5", "d": "6"}).titles() == {"b": "heaven_snatch"}


@pytest.mark.parametrize(("hands", "losers"), [((STARLINK, UFO, "5"), {"c"}), ((STARLINK, STARLINK, UFO), set())])
def test_mm_5_fewer_than_two_are_left(mars, hands, losers):
    """MM-5: the one that is left is Total Loser, and the round ends; nobody is left: it ends as well."""
    play = mars(dict(zip("abc", hands, strict=True)))
    assert play.state.table.status == "finished" and play.view()["phase"] == "finished"
    assert {p for p, title in play.titles().items() if title == "total_loser"} == losers
    assert "real" not in play.state.table.past


def test_mm_6_the_first_leader(mars):
    """2.3, MM-6: the Banker, or the next seat that is not out."""
    assert mars(FOUR, banker="c").turn == "c"
    play = mars({"a": STARLINK, "b": UFO, "c": "4", "d": "5"})
    assert (play.turn, play.state.first, play.leads) == ("c", "c", True)
    play = mars({"a": "4", "b": "5", "c": "6", "d": UFO}, banker="d")
    assert play.turn == "a"


# ---- 2.3 turns and tricks ------------------------------------------------------------------------------------------


def test_2_3_turns(mars):
    """2.3: clockwise; a play must beat the last one; when everybody else has passed its owner leads anew."""
    play = mars(FOUR)
    play.go("a 3; b 7; c -; d -; a -")
    assert (play.turn, play.leads) == ("b", True)
    assert [fact.player for fact in play.of(f.TrickWon)] == ["b"]
    play.go("b 8; c J; d -; a -")
    assert play.turn == "b"
    play.pass_("b")
    assert (play.turn, play.leads) == ("c", True)


def test_2_3_out_of_turn(mars):
    """The refusal says whose turn it is and what can be typed."""
    play = mars(FOUR)
    refused = play.refuse(a.Play("b", "7"), "not_your_turn")
    assert "turn of A, not of B" in refused.what and refused.fix == "hl play a CARDS"
    play.go("a 3")
    refused = play.refuse(a.Pass("c"), "not_your_turn")
    assert refused.fix == "hl play b CARDS"


def test_mm_20_passing(mars):
    """MM-20: one may pass although able to beat; who leads may not pass."""
    play = mars(FOUR)
    assert "leads this trick" in play.refuse(a.Pass("a"), "leader_passes").what
    play.go("a 3; b -; c -; d -")
    assert play.turn == "a" and play.leads


def test_mm_19_passing_locks_or_not(mars):
    """MM-19: passing bars nobody from the trick by default; with pass_locks it does."""
    hands = {"a": "3 5 K", "b": "6 Q", "c": "4 7 9"}
    play = mars(hands)
    play.go("a 3; b -; c 4; a 5; b 6")
    assert play.turn == "c"
    locked = mars(hands, settings={"pass_locks": True})
    locked.go("a 3; b -; c 4; a 5")
    assert locked.turn == "c"
    locked.go("c -")
    assert (locked.turn, locked.leads) == ("a", True)
    assert locked.state.passed == frozenset()


def test_not_held(mars):
    """Cards not held: how many are stands where only the host reads it; the rest says nothing of the hand."""
    play = mars({"a": "3 3 5", "b": "4"})
    refused = play.refuse(a.Play("a", "3 3 3 K"), "not_held")
    assert refused.what == "A does not hold these cards: 3 3 3 K"
    assert refused.host_only == "A: 3: 3 played, 2 held; K: 1 played, 0 held"
    assert "hl hint a" in refused.fix


def test_no_combination(mars):
    """Cards that form nothing: the nearest legal reading, made of these cards alone."""
    play = mars({"a": "4 4 5 5 6 6", "b": "4"})
    refused = play.refuse(play.action("a", "4 4 5 5"), "no_combination")
    assert refused.what == "4 4 5 5 forms no combination; nearest: 5 5 is a Pair of 5"
    assert refused.fix == "hl play a 5 5"
    straight = mars({"a": "5 6 7 8 9", "b": "4"}).refuse(a.Play("a", "5 6 7 8 9"), "no_combination")
    assert straight.what.endswith("nearest: 9 is single 9")


@pytest.mark.parametrize(
    ("first", "second", "part"),
    [
        ("5 5", "4 4", "the rank is not higher"), ("5 5", "5 2", "equal never beats"), ("5 5", "9", "another type"),
        ("5 5 5 3", "9 9 9", "other attachments"), ("3 3 4 4 5 5", "6 6 7 7 8 8 9 9", "another length"),
        ("LJ LJ", "4 4 4 4", "only a higher bomb"), ("4 4 4 4 4", "9 9 9 9", "the shorter Drone"),
        ("BJ 7", "BJ 6", "the rank is not higher"),
    ],
)  # fmt: skip
def test_does_not_beat(mars, first, second, part):
    """A reading that does not beat the trick: the refusal says which part fails."""
    play = mars({"a": f"{first} K", "b": f"{second} K", "c": "J"})
    play.play("a", first)
    refused = play.refuse(play.action("b", second), "does_not_beat")
    assert part in refused.what and refused.fix == "hl hint b"


def test_who_is_out_plays_no_more(mars):
    """A play by somebody who left: refused, with his title."""
    play = mars({"a": "3", "b": "4 5", "c": "6 7"})
    play.go("a 3")
    refused = play.refuse(a.Play("a", "3"), "is_out")
    assert "Ground Hand" in refused.what
    play.do(shared.Override("title", "a", "none"))
    assert play.refuse(a.Play("a", "3"), "is_out").what == "A is out of this round (left)"
    gone = mars({"a": "3 4", "b": "4 5", "c": "6 7"})
    gone.do(shared.Drop("c"))
    assert gone.refuse(a.Play("c", "6")).code == "table.left"
    over = mars({"a": "3", "b": "4"})
    over.go("a 3")
    assert over.refuse(a.Play("b", "4"), "not_playing").what == "the round is over"


# ---- declaring -----------------------------------------------------------------------------------------------------

QUADS = "5 5 5 5 6 6 6 6"


def test_3_what_can_be_read_in_several_ways_is_declared(mars):
    """3, last paragraph: who leads declares; a type is enough, one reading of it can be named."""
    hands = {"a": f"{QUADS} K", "b": "7*8", "c": "4"}
    refused = mars(hands).refuse(a.Play("a", QUADS), "declare")
    assert "Starship of 2 groups up to 6" in refused.what and "--as starship:6+pairs" in refused.fix
    for said, name in (("starship", (2, "")), ("starship:6", (2, "")), ("starship:5+pairs", (1, "pairs"))):
        play = mars(hands)
        play.play("a", QUADS, said)
        reading = play.state.trick.reading
        assert (reading.groups, reading.attached) == name
        assert play.view()["trick"]["rank"] == ("5" if said.endswith("pairs") else "6")
    refused = mars(hands).refuse(a.Play("a", QUADS, "rocket"), "declared")
    assert "is no rocket" in refused.what and "--as starship:" in refused.fix


def test_3_following_any_reading_that_beats_is_enough(mars):
    """3: 5555 6666 beats a two-group Starship, or one with pairs; a declaration that does not beat is refused."""
    hands = {"a": "3*4 4*4 9 9 K", "b": f"{QUADS} K", "c": "4"}
    play = mars(hands)
    play.play("a", "3 3 3 3 4 4 4 4", "starship:4")
    play.refuse(a.Play("b", QUADS, "starship:6+pairs"), "does_not_beat")
    play.play("b", QUADS)
    assert play.state.trick.reading.groups == 2
    play = mars(hands)
    play.play("a", "4 4 4 4 3 3 9 9", "starship")
    play.play("b", QUADS)
    assert play.view()["trick"] == {"by": "b", "cards": QUADS.split(), "type": "starship", "rank": "6"}
    assert play.state.trick.reading.groups == 1


def test_3_a_reading_that_is_weaker_in_every_way_need_not_be_declared(mars):
    """2 2 2 K is a Rocket of 2s before it is one of Kings; bombs come before everything."""
    play = mars({"a": "2 2 2 K 3", "b": "4"})
    play.play("a", "2 2 2 K")
    assert play.view()["trick"]["rank"] == "2"


def test_how_a_declaration_is_typed():
    """`--as`: the type in any case, with - or _; a rank and attachments after it; a slip is answered."""
    assert READING.read("Rocket", None) == "rocket"
    assert READING.read("pair-sequence:t", None) == "pair_sequence:10"
    assert READING.read("Pair Sequence:t", None) == "pair_sequence:10"
    assert READING.read("STARSHIP:6+PAIRS", None) == "starship:6+pairs"
    with pytest.raises(Unreadable) as refusal:
        READING.read("rockt", None)
    assert refusal.value.code == "combination.unknown" and "rocket" in refusal.value.fix


def test_mm_17_super_drone_by_holding(mars):
    """MM-17: the play counts, not the holding; with super_drone_by_holding exactly three must be held."""
    for by_holding, hand, type_ in (
        (False, "3*4 9", "super_drone"), (True, "3*4 9", "rocket"), (True, "3*3 9", "super_drone"),
        (False, "3*3 9", "super_drone"),
    ):  # fmt: skip
        play = mars({"a": hand, "b": "4"}, settings={"super_drone_by_holding": by_holding})
        play.play("a", "3 3 3")
        assert play.view()["trick"]["type"] == type_


def test_mm_12_a_lone_boat_is_shown_as_boat_and_compared_as_a_single(mars):
    """MM-12: BJ beats LJ, LJ beats 2, equal does not beat."""
    play = mars({"a": "2 5", "b": "LJ 5", "c": "LJ BJ 5"})
    play.go("a 2; b LJ")
    assert play.view()["trick"]["type"] == "boat" and play.view()["trick"]["rank"] == "LJ"
    play.refuse(a.Play("c", "LJ"), "does_not_beat")
    play.go("c BJ")


@pytest.mark.parametrize(
    ("setting", "value", "first", "second", "ok"),
    [
        ("cross_type", False, "K K", "5 5 5", False), ("cross_type", True, "K K", "5 5 5", True),
        ("rocket_attach_two", True, "4 4 4 3", "5 5 5 2", True),
        ("rocket_attach_two", False, "4 4 4 3", "5 5 5 2", False),
        ("wild_needs_natural", True, "3 3 4 4 5 5", "6 6 2 2 8 8", False),
        ("wild_needs_natural", False, "3 3 4 4 5 5", "6 6 2 2 8 8", True),
        ("attachments", "per_group", "4 4 4 5 5 5 3 9", "6 6 6 7 7 7 8", False),
        ("attachments", "fixed", "4 4 4 5 5 5 3", "6 6 6 7 7 7 8", True),
    ],
)  # fmt: skip
def test_settings_of_the_grammar(mars, setting, value, first, second, ok):
    """MM-14, MM-15, MM-18, MM-31, both ways, in play."""
    play = mars({"a": f"{first} 3", "b": f"{second} 4", "c": "9"}, settings={setting: value})
    play.play("a", first)
    if ok:
        play.play("b", second)
    else:
        play.refuse(play.action("b", second))


# ---- going out -----------------------------------------------------------------------------------------------------


def test_2_3_the_lead_after_going_out(mars):
    """2.3, MM-7: the last play still has to be beaten; if nobody does, who leads depends on post_win_lead."""
    hands = {"a": "3 3", "b": "8 Q", "c": "4 9", "d": "5 10"}
    for setting, leader in (("next_clockwise", "b"), ("player_before", "d")):
        play = mars(hands, settings={"post_win_lead": setting})
        play.go("a 3 3; b -; c -")
        assert play.turn == "d" and not play.leads
        play.go("d -")
        assert (play.turn, play.leads) == (leader, True)
    beaten = mars({**hands, "b": "8 8 Q"})
    beaten.go("a 3 3; b 8 8; c -; d -")
    assert (beaten.turn, beaten.leads) == ("b", True)


def test_mm_7_a_named_lead(mars):
    """MM-7, named: whoever went out names who leads; nobody plays before; a host may close it."""
    hands = {"a": "3 3", "b": "8 Q", "c": "4 9", "d": "5 10"}
    play = mars(hands, settings={"post_win_lead": "named"})
    play.go("a 3 3; b -; c -; d -")
    assert play.turn is None
    (decision,) = play.result().decisions
    assert decision == {"kind": "choose", "who": ["a"], "among": ["b", "c", "d"]}
    assert [(due.who, due.what) for due in GAME.waiting(play.state)] == [("a", "choice")]
    assert "names who leads" in play.refuse(a.Play("b", "8"), "lead_open").what
    assert play.refuse(shared.Choose("a", "a")).code == "table.choose_candidate"
    play.do(shared.Choose("a", "c"))
    assert (play.turn, play.leads) == ("c", True) and play.result().decisions == ()
    closed = mars(hands, settings={"post_win_lead": "named"})
    closed.go("a 3 3; b -; c -; d -")
    closed.do(shared.Close("choose"))
    assert (closed.turn, closed.leads) == ("b", True)
    other = mars(hands, settings={"post_win_lead": "named"})
    other.go("a 3 3; b -; c -; d -")
    other.do(shared.Drop("b"))
    assert other.result().decisions[0]["among"] == ["c", "d"]
    other.do(shared.Choose("a", "d"))
    assert other.turn == "d"
    alive = mars({**hands, "a": "3 3 7"}, settings={"post_win_lead": "named"})
    alive.go("a 3 3; b -; c -; d -")
    assert alive.turn == "a", "who still plays leads himself"


def test_mm_32_who_leaves_may_end_the_round_by_it(mars):
    """MM-9, MM-32: who had still to answer leaves; three plays in a row win, and the round is over in that moment."""
    hands = {"a": "3 4 5 9", "b": "3 3", "c": "3 3"}
    settings = {"three_in_a_row": "instant_win", "real_end": "first_out"}
    play = mars(hands, settings=settings)
    play.go("a 3; b -; c -; a 4; b -; c -; a 5; b -")
    play.do(shared.Drop("c"))
    assert play.titles() == {"a": "human_hand", "b": "total_loser", "c": "total_loser"}
    assert play.result().status == "finished"


def test_mm_7_each_round_is_named_anew(mars):
    """MM-7, MM-24: whom a player named in one round says nothing of the next."""
    hands = {"a": "3 3", "b": "8 Q", "c": "4 9"}
    play = mars(hands, settings={"post_win_lead": "named", "rounds": 2}).go("a 3 3; b -; c -")
    play.do(shared.Choose("a", "c"))
    play.do(shared.Close("real"))
    play.deal(hands, "a")
    play.do(shared.Open())
    play.go("a 3 3; b -; c -")
    assert play.state.round == 2 and play.turn is None
    assert play.result().decisions == ({"kind": "choose", "who": ["a"], "among": ["b", "c"]},)
    play.do(shared.Choose("a", "b"))
    assert (play.turn, play.leads) == ("b", True)


def test_mm_7_a_host_may_set_an_end_to_the_naming(mars):
    """MM-7, MM-25: nobody has to be named within a time; where a host set one, the next seat leads when it is over."""
    play = mars({"a": "3 3", "b": "8 Q", "c": "4 9"}, settings={"post_win_lead": "named", "turn_seconds": 60})
    play.go("a 3 3; b -; c -")
    play.wait(play.now + 24 * HOUR)
    assert play.turn is None and GAME.due(play.state) is None
    play.do(shared.Deadline(write_instant(play.now + HOUR)))
    assert GAME.waiting(play.state)[0].until == GAME.due(play.state) == play.now + HOUR
    play.wait(play.now + HOUR - 1)
    assert play.turn is None
    play.wait(play.now + 1)
    assert (play.turn, play.leads) == ("b", True) and play.result().decisions == ()


def test_mm_22_the_last_cards_obey_the_shapes(mars):
    """MM-22: a triple and too few attachments cannot be played."""
    play = mars({"a": "5 5 5 6 6 6 9", "b": "4"})
    play.refuse(play.action("a", "5 5 5 6 6 6 9"), "no_combination")


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
    play.do(shared.Override("hand", "a", "none"))
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
    play.do(shared.Override("hand", "b", "k 5 t"))
    assert play.view()["players"]["b"]["hand"] == ["5", "10", "K"]
    assert GAME.invariants(play.state) == (
        "0 x 4 are held or played; 1 were dealt", "1 x 5 are held or played; 0 were dealt",
        "1 x 10 are held or played; 0 were dealt",
    )  # fmt: skip
    play.do(shared.Override("hand", "b", "4 K"))
    assert GAME.invariants(play.state) == ()
    play.do(shared.Override("points", "c", "42"))
    assert play.result().ranking[0] == ("c",)
    assert GAME.invariants(play.state) == ("c has 42 points as one without title",)
    play.do(shared.Override("points", "c", "0"))
    assert GAME.invariants(play.state) == ()
    play.do(shared.Override("points", "c", "42"))
    play.do(shared.Override("title", "c", "HUMAN_HAND"))
    assert play.titles() == {"c": "human_hand"} and play.turn == "a" and "c" not in play.state.out
    play.do(shared.Override("title", "c", "none"))
    assert play.titles() == {}
    play.do(shared.Override("hand", "c", "none"))
    assert play.view()["players"]["c"]["count"] == 0
    for field, value, code in (("title", "king", "marsmatch.title"), ("hand", "X", "marsmatch.card"),
                               ("points", "x", "override.number"), ("chips", "1", "override.field")):  # fmt: skip
        with pytest.raises(Unreadable) as refusal:
            play.do(shared.Override(field, "a", value))
        assert refusal.value.code == code


def test_4_points_that_no_title_brings_are_named(mars):
    """4: 500, 300 and 100 for those who go out, 0 for a Total Loser; a host may set others, and the laws say so."""
    play = mars({"a": "3 3", "b": "4 K", "c": "6 A"}).go("a 3 3")
    play.do(shared.Close("real"))
    for player, right, name in (("a", 500, "Ground Hand"), ("b", 0, "Total Loser")):
        for points in (0, 1, 100, 300, 500):
            play.do(shared.Override("points", player, str(points)))
            wrong = () if points == right else (f"{player} has {points} points as {name}",)
            assert GAME.invariants(play.state) == wrong
        play.do(shared.Override("points", player, str(right)))


def test_there_are_no_garnets(mars):
    """4: neither garnets nor tokens in the result; a host may keep the season's books all the same."""
    play = mars(FOUR)
    play.do(shared.Award("a", "garnets", 3))
    play.do(shared.Award("a", "tokens", 1))
    play.do(shared.Penalty("a", 1))
    assert play.garnets()["a"] == 2
    play.do(shared.Override("garnets", "a", "1"))
    assert play.garnets()["a"] == 1 and GAME.invariants(play.state) == ()
    assert play.refuse(shared.Resolve()).code == "sealed.no_round"
    for viewer in ("host", "public", "a"):
        result = play.result(viewer)
        assert (result.garnets, result.tokens, result.elimination) == ({}, {}, ())


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


@pytest.mark.parametrize("seed", range(3))
def test_a_match_can_be_simulated(seed):
    """Random moves, by what can be done now: draw, deal, turns, to the end of the match; its laws hold."""
    play = simulate(GAME, ["a", "b", "c"], Random(seed))
    assert play.state.table.status == "finished" and not GAME.invariants(play.state)


def test_garnets_are_recorded_in_one_spelling(mars):
    """`override garnets` of 007 is recorded as 7."""
    play = mars(FOUR)
    (recorded,) = GAME.prepare(play.state, shared.Override("garnets", "a", "007"), None)
    assert recorded.value == "7"


def test_how_a_hint_reads(mars):
    """One line for each type and shape: the ranks at which it can be played, and the lowest cards that do."""

    def shown(play, player):
        heading, *rest = report(frame(play.state.table, "MarsMatch", "host"), hint(play.state, player))
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
        facts = GAME.decide(play.state, a.Play("b", " ".join(one.cards)), _moment(play))
        assert facts[0].reading.type == one.type


def _moment(play):
    from games.contract import Moment

    return Moment(play.now, play.seq + 1)


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
