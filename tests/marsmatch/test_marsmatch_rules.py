"""MarsMatch, one test for each numbered rule and each gap, both ways: cards, deal, turns, declaring, going out.

Expected values were worked out by hand. The end and who leaves: test_marsmatch_end; who may know what:
test_marsmatch_told.
"""

from __future__ import annotations

import pytest

from events import write_instant
from events.errors import Refused, Unreadable
from games.contract import Moment, Published
from games.kit import luck as kit_luck
from games.marsmatch import GAME, actions as a, facts as f
from games.marsmatch.cards import CARDS, EACH, deck, packs, read_cards
from games.marsmatch.combos import READING
from games.table import actions as shared, facts as table_facts
from tests.support.mars import FOUR, HOUR, STARLINK, UFO, moment_of

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
        assert GAME.audit(play.state, action._replace(seed="xyz"), 12) == "its seed is not in hex digits"
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
            GAME.decide(play.state, half, moment_of(play))
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
    assert GAME.audit(play.state, deal._replace(seed="zz"), 12) == "its seed is not in hex digits"
    assert "there is no seed" in GAME.audit(play.state, deal._replace(seed=None), 12)
    assert GAME.audit(play.state, shared.Deal("typed"), 12) is None


def test_2_1_a_commitment_serves_the_first_round(match):
    """docs/audit.md: `commit` and words fix the first deal; a later round draws a seed of its own."""
    play = match("marsmatch", players=["a", "b", "c", "d"], settings={"rounds": 2}, opened=False)
    play.do(a.Draw())
    drawn_from = {"deal": kit_luck.pack(deck(4)), "each": EACH, "to": ["a", "b", "c", "d"]}
    draws = frozenset({kit_luck.digest(drawn_from)})
    fixed = Published("11" * 32, bytes(range(32)), (("a", "the rain"),), ("22" * 32,), "11" * 32, draws=draws)
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
    assert "it is A's turn, not B's" in refused.what and refused.fix == "hl play a CARDS"
    play.go("a 3")
    refused = play.refuse(a.Pass("c"), "not_your_turn")
    assert refused.fix == "hl pass b"


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
    assert refused.what == "4 4 5 5 is no combination; the nearest is 5 5 (a Pair of 5)"
    assert refused.fix == "hl play a 5 5"
    straight = mars({"a": "5 6 7 8 9", "b": "4"}).refuse(a.Play("a", "5 6 7 8 9"), "no_combination")
    assert straight.what.endswith("the nearest is 9 (single 9)")


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
    play.do(shared.Override("a", "title", "none"))
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
    assert "must say who leads" in play.refuse(a.Play("b", "8"), "lead_open").what
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
