"""The reader of combinations and `beats`, against second ones written plainly from section 3 of the rules.

The second reader is mars_reader.py; the second `beats` is here.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from games.marsmatch.actions import Settings
from games.marsmatch.cards import EMPTY, RANKS, cards_of, count, minus, packs, read_cards
from games.marsmatch.combos import (
    READING,
    TIERS,
    Grammar,
    Reading,
    beats,
    best,
    called,
    declared,
    formable,
    nearest,
    rank_of,
    readings,
    shape,
    spelled,
    tier,
    why,
    why_not,
)
from tests.support import mars_reader
from tests.support.sizes import FULL, many

second = mars_reader.second
ORDER, RUN = mars_reader.ORDER, mars_reader.RUN
ATTACHED = [
    Grammar(attach_same=True), Grammar(attach_joker=True), Grammar(attach_two=False, attach_same=True),
    Grammar(attach_same=True, attach_joker=True), Grammar(False, False, False, False, True, True),
]  # fmt: skip
"""MM-18: what may be attached; the last differs from the default in everything."""
GRAMMARS = [*(Grammar(*flags) for flags in itertools.product((True, False), repeat=4)), *ATTACHED]


def agree(cards: list[str], rules: Grammar) -> None:
    mine = readings(count(cards), rules)
    assert len(mine) == len(set(mine))
    assert set(mine) == second(sorted(cards, key=ORDER.index), rules), (cards, rules)


def test_sets_of_five_and_six_cards_under_every_grammar() -> None:
    """A sample of the 50,388; all of them in the slow run."""
    dice = random.Random(1)
    for _ in range(400):
        few = dice.sample(ORDER[:13], dice.choice([2, 3, 3, 4]))
        agree(dice.choices([*few, "2"], k=dice.choice([4, 5, 6])), dice.choice(GRAMMARS))


EVERY = [pytest.param(rules, 54_263, marks=pytest.mark.slow) for rules in (GRAMMARS if FULL else GRAMMARS[::20])]


@pytest.mark.parametrize(("rules", "number"), [(Grammar(), 3_875), *EVERY], ids=str)
def test_every_set_of_up_to_four_or_six_cards(rules: Grammar, number: int) -> None:
    """The same readings in both; with HL_FULL=1 under each of the 21 grammars."""
    most = 6 if number > 3_875 else 4
    sets = [cards for n in range(1, most + 1) for cards in itertools.combinations_with_replacement(ORDER, n)]
    assert len(sets) == number
    for cards in sets:
        agree(list(cards), rules)


def larger(dice: random.Random) -> list[str]:
    """Up to twenty cards that are likely to be something: groups, 2s in the place of some, attachments, a slip."""
    alike, start = dice.choice([2, 3, 3, 4, 4]), dice.randrange(12)
    ranks = RUN[start : start + dice.choice([1, 1, 2, 2, 3, 4, 5])]
    cards = [rank for rank in ranks for _ in range(alike)]
    for _ in range(dice.choice([0, 0, 1, 2])):
        cards[dice.randrange(len(cards))] = "2"
    more = dice.choice([0, 1, 2]) * (alike // 2 if alike > 2 else 0) * dice.choice([1, len(ranks)])
    extra = dice.choices([*RUN[start - 1 :][:6], "2"], k=3)
    cards += [dice.choice(extra) for _ in range(more)]
    if dice.random() < 0.2:
        cards[dice.randrange(len(cards))] = dice.choice(ORDER)
    while cards.count("2") > 3:  # the second reader lets each stand for twelve ranks
        cards.remove("2")
    return cards[:20]


@pytest.mark.parametrize("rules", [GRAMMARS[0], *random.Random(2).sample(GRAMMARS[1:], 20 if FULL else 1)], ids=str)
def test_larger_sets(rules: Grammar) -> None:
    """Sets of up to twenty cards, most of which form something."""
    dice, something, sizes = random.Random(3), 0, set()
    for _ in range(many(50, 4_000, mutants=100)):
        cards = larger(dice)
        agree(cards, rules)
        something += bool(readings(count(cards), rules))
        sizes.add(len(cards))
    assert something > 20 and max(sizes) == 20


@pytest.mark.parametrize("rules", ATTACHED, ids=str)
def test_what_may_be_attached(rules: Grammar) -> None:
    """MM-18: sets of four to twelve cards with more of a group's rank, 2s and Jokers: the same readings in both."""
    dice, something = random.Random(8), 0
    for _ in range(3_000 if FULL else 120):
        start, long = dice.randrange(10), dice.choice([1, 1, 2])
        ranks, alike = RUN[start : start + long], dice.choice([3, 3, 4])
        cards = [rank for rank in ranks for _ in range(alike)]
        cards += dice.choices([*ranks, *ranks, "2", "LJ", "BJ", RUN[start - 1]], k=dice.choice([1, 2, 2]) * long)
        for _ in range(dice.choice([0, 0, 1, 2])):
            cards[dice.randrange(len(cards))] = "2"
        if cards.count("2") < 5:
            agree(cards, rules)
            something += bool(readings(count(cards), rules))
    assert something > 30


def test_the_second_reader_can_disagree() -> None:
    """The check itself can fail: a reader without one rule is found out within these sets."""
    broken = Grammar(attach_two=False)
    sets = [list(s) for s in itertools.combinations_with_replacement(ORDER, 4)]
    assert [s for s in sets if set(readings(count(s), broken)) != second(s, Grammar())]


# ---- MM1 -----------------------------------------------------------------------------------------------------------

MM1 = {
    "5 5 2 > 4 4 4": True, "5 2 > 4 4": True, "2 2 > A A": True, "BJ 4 > LJ A": True, "BJ 7 > BJ 6": True,
    "BJ 7 > BJ 7": False, "LJ > 2": True, "LJ > LJ": False, "BJ > LJ": True, "3 3 3 > 9 9 9 9 9 9 9": True,
    "3 3 3 > LJ LJ": False, "5 5 > 5 2": False, "4 4 4 4 > BJ A": True, "9 9 9 K > 8 8 8 3": True, "LJ > A A": False,
    "4 4 4 4 4 > 2 2 2 2": True, "2 2 2 2 > A A A A": True, "4 4 5 2 6 6 > 3 3 4 4 5 5": True,
    "4 4 5 5 6 6 7 7 > 3 3 4 4 5 5": False, "6 6 6 6 9 J > 5 5 5 5 3 4": True,
    "7 7 7 8 8 8 4 4 5 5 > 5 5 5 6 6 6 9 9 J J": True, "7 7 7 8 8 8 4 5 > 5 5 5 6 6 6 9 9 J J": False,
    "BJ LJ > LJ LJ": True, "LJ LJ > BJ LJ": False, "BJ BJ > BJ LJ": True, "6 6 6 6 > A A A K": True,
    "BJ 4 4 > LJ A": False, "2 > A": True, "9 9 9 > 8 8 8 3": False,
}  # fmt: skip
PARSES = {
    "2 BJ": [], "BJ 2": [], "5 5 2 2 7 7": [], "6 6 6 2 9 J": [], "5 6 7 8 9": [], "BJ LJ 5": [], "4 4 5 5": [],
    "2 2 K K A A": ["Rocket of 2 groups up to A"], "Q Q K K A A": ["Pair Sequence of 3 pairs up to A"],
    "3 3 2": ["Rocket of 3"], "3 3 3": ["Super Drone"], "3 3 3 3": ["Drone of 4 × 3"], "6 6 6 6": ["Drone of 4 × 6"],
    "3 3 3 K": ["Rocket of 3 with a single"], "8 8 8 2": ["Rocket of 8 with a single"], "2 2 2": ["Rocket of 2"],
    "5 5 5 5 6 6 6 6": [
        "Starship of 2 groups up to 6", "Starship of 5 with two pairs", "Starship of 6 with two pairs"
    ],
}  # fmt: skip


def read(text: str, rules: Grammar = GRAMMARS[0]) -> list[Reading]:
    return readings(count(read_cards(text)), rules)


def one(text: str) -> Reading:
    (found,) = read(text)
    return found


@pytest.mark.parametrize("line", MM1)
def test_mm1_comparisons(line: str) -> None:
    """MM1: may the new play be made on the old one? Both were worked out by hand."""
    new, old = line.split(" > ")
    assert any(beats(a, b) for a in read(new) for b in read(old)) is MM1[line]


@pytest.mark.parametrize("text", PARSES)
def test_mm1_parses(text: str) -> None:
    """MM1: how each set is read."""
    assert sorted(called(reading) for reading in read(text)) == sorted(PARSES[text])


# ---- the settings of the grammar -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attached", "on"),
    [
        ("5 5 5 5 5", "same", ["Drone of 5 × 5", "Rocket of 5 with a pair"]),
        ("5 5 5 5 5 K", "same", ["Starship of 5 with two singles"]),
        ("5 5 5 6 6 6 5 9", "same", ["Rocket of 2 groups up to 6 with singles"]),
        ("2 2 2 2", "same", ["Drone of 4 × 2", "Rocket of 2 with a single"]),
        ("5 5 5 BJ", "joker", ["Rocket of 5 with a single"]),
        ("5 5 5 BJ BJ", "joker", ["Rocket of 5 with a pair"]),
        ("5 5 5 BJ LJ", "joker", []),
        ("5 5 5 5 LJ LJ BJ BJ", "joker", ["Starship of 5 with two pairs"]),
        ("5 5 5 5 5 BJ", "any", ["Starship of 5 with two singles"]),
        ("BJ 5 5 5", "same", []),
        ("BJ LJ", "any", ["Spaceship BL"]),
        ("BJ 2", "any", []),
    ],
)  # fmt: skip
def test_attachment_rank(text: str, attached: str, on: list[str]) -> None:
    """MM-18: an attachment may have the rank of a group, or be a Joker, only where the setting says so."""
    settings = Settings(attachment_rank=attached)  # type: ignore[arg-type]
    assert sorted(called(r) for r in read(text, settings.grammar(3))) == on
    bombs = [r for r in read(text) if tier(r)]
    assert read(text) == bombs, "by default nothing of the kind, but for what is a bomb"


# ---- beats ---------------------------------------------------------------------------------------------------------


def second_beats(new: Reading, old: Reading) -> bool:
    """From the words of the rules: bombs by tier; within a tier; ordinary ones of one type and shape."""
    bombs = ["drone", "super_drone", "spaceship"]
    if (new.type in bombs) or (old.type in bombs):
        height = [bombs.index(r.type) if r.type in bombs else -1 for r in (new, old)]
        if height[0] != height[1]:
            return height[0] > height[1]
        if new.type == "super_drone":
            return False
        return list(new.rank) > list(old.rank)
    single = ("single", "boat")
    if new.type in single and old.type in single:
        return new.rank[0] > old.rank[0]
    if (new.type, new.groups, new.attached) != (old.type, old.groups, old.attached):
        return False
    if new.type in ("boat_single", "boat_pair"):
        return new.rank[0] > old.rank[0] or (new.rank[0] == old.rank[0] and new.rank[1] > old.rank[1])
    return new.rank[0] > old.rank[0]


def every_reading() -> list[Reading]:
    """All that a hand of 54 out of four packs could form."""
    hand = packs(4)
    return [formed.reading for formed in formable(hand, Grammar())]


@pytest.mark.parametrize("pairs", [60_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_beats_agrees_with_the_words_of_the_rules(pairs: int) -> None:
    """Pairs of readings, near ones more often."""
    dice, known = random.Random(4), every_reading()
    alike: dict[Any, list[Reading]] = {}
    for reading in known:
        alike.setdefault(shape(reading), []).append(reading)
    groups, won = list(alike.values()), 0
    for n in range(pairs):
        new = dice.choice(known)
        old = dice.choice(alike[shape(new)] if n % 2 else dice.choice(groups))
        said = beats(new, old)
        assert said is second_beats(new, old), (new, old)
        won += said
    assert pairs // 10 < won < pairs


@pytest.mark.parametrize("across", [False, True])
def test_beats_is_an_order(across: bool) -> None:
    """Nothing beats itself; two never beat each other; within a type it is transitive, and so is it over tiers."""
    known = every_reading()
    for a in known:
        assert not beats(a, a, cross_type=across)
    dice = random.Random(5)
    by_type: dict[str, list[Reading]] = {}
    for a in known:
        by_type.setdefault(shape(a)[0], []).append(a)
    for _ in range(60_000):
        a, b, c = dice.choices(dice.choice([known, *by_type.values()]), k=3)
        assert not (beats(a, b, cross_type=across) and beats(b, a, cross_type=across))
        if beats(a, b, cross_type=across) and beats(b, c, cross_type=across):
            assert beats(a, c, cross_type=across), (a, b, c)


def test_cross_type() -> None:
    """MM-14: across types Boats, Starships, Rockets, Pair Sequences, the rest; bombs above; equal kinds by shape."""
    ladder = ["K K", "3 3 4 4 5 5", "5 5 5", "5 5 5 5 3 4", "LJ 3"]
    for low, high in itertools.combinations([one(text) for text in ladder], 2):
        assert beats(high, low, cross_type=True) and not beats(low, high, cross_type=True)
        assert not beats(high, low)
    assert why(one("5 5 5"), one("K K")) == "a Rocket ranks above a Pair (cross_type)"
    assert not beats(one("LJ"), one("BJ 3"), cross_type=True) and not beats(one("K"), one("5 5"), cross_type=True)
    assert beats(one("4 4 4 4"), one("BJ 3"), cross_type=True)


# ---- finder, names -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [GRAMMARS[0], GRAMMARS[2], GRAMMARS[4], *ATTACHED[2:]], ids=str)
def test_a_hand_can_form_what_its_subsets_are(rules: Grammar) -> None:
    """MM-16, MM-21: what the finder lists for a hand is what its subsets read as, no more and no less; and its cards
    read so."""
    dice = random.Random(6)
    for _ in range(80 if not FULL else 1_500):
        hand = count(dice.choices([*dice.sample(ORDER, 3), "2", *dice.sample(RUN[3:6], 2)], k=dice.randint(1, 9)))
        formed = list(formable(hand, rules))
        assert all(one.reading in readings(one.cards, rules) for one in formed), hand
        assert all(min(minus(hand, one.cards)) >= 0 for one in formed)
        known = [one.reading for one in formed]
        assert len(known) == len(set(known))
        subsets = itertools.product(*(range(n + 1) for n in hand))
        whole = {reading for subset in subsets if any(subset) for reading in readings(subset, rules)}
        assert set(known) == whole, cards_of(hand)


def test_nearest() -> None:
    """The most of the cards that form something together."""
    told = {"4 4 5 5": "5 5", "BJ LJ 5": "LJ BJ", "5 6 7 8 9": "9", "6 6 6 2 9 J": "6 6 6 9 2", "2 BJ": "BJ"}
    for text, kept in told.items():
        near = nearest(count(read_cards(text)), Grammar())
        assert " ".join(cards_of(near.cards)) == kept, text


def test_names_are_apart_and_can_be_declared() -> None:
    """What `--as` says means one reading of the cards, reads back as it is spelled, and words tell readings apart."""
    for text in (*PARSES, "2 2 2 K", "3 3 3 4 4 4 5 5 5 6 6 6", "BJ 7", "9 9 9 9 9"):
        found = read(text)
        for reading in found:
            assert declared(found, spelled(reading)) == [reading]
            assert READING.read(spelled(reading).upper(), None) == spelled(reading)  # type: ignore[arg-type]
            assert reading in declared(found, reading.type)
            assert rank_of(reading)
        assert len({called(reading) for reading in found}) == len(found)


def test_the_best_readings() -> None:
    """A bomb before all; of one shape the highest; several shapes must be declared."""
    assert [called(r) for r in best(read("2 2 2 K"))] == ["Rocket of 2 with a single"]
    assert len(best(read("5 5 5 5 6 6 6 6"))) == 2
    without = readings(count(["2"] * 4), Grammar(needs_natural=False))
    assert len(without) > 1 and best(without) == [Reading("drone", 1, "", (4, 12))]


WHY = {
    "5 5 2 > 4 4 4": "5 over 4, the same type and shape", "BJ 7 > BJ 6": "7 over 6, the same type and shape",
    "BJ > 2": "BJ over 2, the same type and shape", "9 9 9 9 > 5 5 5 5": "9 over 5, the same type and shape",
    "BJ LJ > LJ LJ": "BL over LL, the same type and shape", "9 9 9 > 8 8 8 3": "the same type, other attachments",
    "4 4 4 4 > BJ A": "a Drone beats everything that is no bomb", "9 9 9 9 > 5 5 5 5 5": "the shorter Drone",
    "3 3 3 > 9 9 9 9": "a Super Drone beats everything that is no bomb and every Drone", "LJ > A A": "another type",
    "4 4 4 4 4 > 2 2 2 2": "5 cards against 4: the longer Drone beats", "4 4 > 5 5": "the rank is not higher",
    "5 5 > 5 2": "equal, and equal never beats", "4 4 5 5 6 6 7 7 > 3 3 4 4 5 5": "the same type, another length",
    "5 5 5 5 > 9 9 9 9": "the rank is not higher", "3 3 3 > LJ LJ": "only a higher bomb beats a Spaceship",
}  # fmt: skip


def test_why() -> None:
    """Each comparison of MM1 has a reason, for a yes and for a no; no two kinds of reasons sound alike."""
    for line in (*MM1, *WHY):
        new, old = line.split(" > ")
        found, (other, *_) = read(new), read(old)
        able = [r for r in found if beats(r, other)]
        assert bool(able) is MM1.get(line, bool(able))
        said = why(able[0], other) if able else why_not(found, other)
        assert said == WHY.get(line, said) if able else said.endswith(WHY.get(line, said)), line
        assert said.strip()
    with pytest.raises(AssertionError):
        why_not(read("6 6"), one("5 5"))


def test_why_not_speaks_of_the_reading_that_comes_nearest() -> None:
    """3: of several readings the one of the same tier, else of the same shape, else of the same type, else the highest.

    5555 6666 is a Starship of two groups, or one group with two pairs; 44 55 67 22 is a Pair Sequence of four up to 7,
    or a Rocket of two groups up to 5 with singles; four 2s that need no natural card are also a Rocket with a single.
    """
    starship = why_not(read("5 5 5 5 6 6 6 6"), one("9 9 9 9 3 3 4 4"))
    assert starship == "Starship of 6 with two pairs against Starship of 9 with two pairs: the rank is not higher"
    assert why_not(read("4 4 5 5 6 7 2 2"), one("3 3 3 4 4 4 9 9 J J")).endswith("the same type, other attachments")
    assert why_not(read("4 4 5 5 6 7 2 2"), one("3 3 4 4 5 5")).endswith("the same type, another length")
    twos = read("2 2 2 2", Grammar(needs_natural=False))
    assert {reading.type for reading in twos} == {"drone", "rocket"}
    assert why_not(twos, one("9 9 9 9 9")).endswith("the shorter Drone")


def test_words_of_the_table() -> None:
    """The ranks and tiers of the rules page."""
    assert list(RANKS) == ORDER and sum(packs(4)) == 216 and sum(EMPTY) == 0
    assert [tier(one(text)) for text in ("5 5", "5 5 5 5", "3 3 3", "LJ LJ")] == [0, 1, 2, 3]
    assert set(TIERS) == {"drone", "super_drone", "spaceship"}
