"""Tokens, Elimination Candidate and garnets once more, by a second program that shares no code with the first.

Written from docs/games/equilibrium.md, sections 5 to 8 alone, and as plainly as it can be: classes by counting,
rankings by
comparing every two players. What disagrees is wrong in one of the two.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.sizes import many

MATCHES = many(150, 4000, 400)
WALKS = many(50, 1500, 120)
PLAYERS = tuple(f"p{i}" for i in range(1, 9))
DECK = [f"{colour}{value}" for value in range(1, 11) for colour in "RB"] * 2
ORDER = ["four", "full", "flush", "straight", "trips", "two_pair", "pair", "high"]
"""Section 5, high to low."""


# ---- section 5 ---------------------------------------------------------------------------------------------------


Hand = tuple[str, ...]


@functools.cache
def values(hand: Hand) -> list[int]:
    return sorted((int(card[1:]) for card in hand), reverse=True)


@functools.cache
def copies(hand: Hand, count: int) -> list[int]:
    """The values that are in the hand exactly `count` times, highest first."""
    return [value for value in dict.fromkeys(values(hand)) if values(hand).count(value) == count]


@functools.cache
def hand_class(hand: Hand) -> str:
    numbers = values(hand)
    if copies(hand, 4):
        return "four"
    if copies(hand, 3) and copies(hand, 2):
        return "full"
    if len({card[0] for card in hand}) == 1:
        return "flush"
    if numbers == list(range(numbers[0], numbers[0] - 5, -1)):
        return "straight"
    if copies(hand, 3):
        return "trips"
    return {2: "two_pair", 1: "pair", 0: "high"}[len(copies(hand, 2))]


@functools.cache
def deciding(hand: Hand) -> list[int]:
    """What is compared, in order, between two hands of one class: the column "compare, in order"."""
    name = hand_class(hand)
    if name == "straight":
        return values(hand)[:1]
    if name in ("flush", "high"):
        return values(hand)
    return [value for count in (4, 3, 2, 1) for value in copies(hand, count)]


def beats(one: Hand, other: Hand) -> bool:
    """Is the first the strictly better poker hand?"""
    mine, theirs = ORDER.index(hand_class(one)), ORDER.index(hand_class(other))
    return mine < theirs if mine != theirs else deciding(one) > deciding(other)


# ---- section 6 ---------------------------------------------------------------------------------------------------


@functools.cache
def difference(hand: Hand, metric: str) -> int:
    black = [int(card[1:]) for card in hand if card[0] == "B"]
    red = [int(card[1:]) for card in hand if card[0] == "R"]
    return abs(len(black) - len(red)) if metric == "count" else abs(sum(black) - sum(red))


def steadier(one: Hand, other: Hand, metric: str) -> bool:
    """Has the first the strictly better equilibrium?"""
    mine, theirs = difference(one, metric), difference(other, metric)
    return mine < theirs if mine != theirs else sum(values(one)) > sum(values(other))


# ---- section 7 ---------------------------------------------------------------------------------------------------


def place(hands: dict[str, Hand], player: str, better: Any) -> int:
    return 1 + sum(better(hands[other], hands[player]) for other in hands)


def tokens(
    hands: dict[str, Hand],
    conditions: Sequence[str],
    metric: str,
    multi: str,
    trades: dict[str, int],
    earned: dict[str, int],
) -> list[tuple[str, str]]:
    """(condition, winner) of each token, in the order of the conditions."""
    found: list[tuple[str, str]] = []
    sums = {p: place(hands, p, lambda a, b: steadier(a, b, metric)) + place(hands, p, beats) for p in hands}

    for condition in conditions:
        able = [p for p in hands if multi != "next_best" or p not in [winner for _, winner in found]]

        def ahead(one: str, other: str, condition: str = condition) -> bool:
            """Is `one` strictly ahead under the condition, the tie-breaks included?"""
            mine, theirs = hands[one], hands[other]
            first = {
                "best_er": (steadier(mine, theirs, metric), steadier(theirs, mine, metric)),
                "best_poker": (beats(mine, theirs), beats(theirs, mine)),
                "lowest_placing_sum": (sums[one] < sums[other], sums[other] < sums[one]),
                "most_trades": (trades[one] > trades[other], trades[other] > trades[one]),
                "most_garnets_earned": (earned[one] > earned[other], earned[other] > earned[one]),
            }[condition]
            for better, worse in (
                first,
                (steadier(mine, theirs, metric), steadier(theirs, mine, metric)),
                (beats(mine, theirs), beats(theirs, mine)),
            ):
                if better or worse:
                    return better
            return False

        winners = [p for p in able if all(p == other or ahead(p, other) for other in able)]
        if winners:
            found.append((condition, winners[0]))
    return found


def candidates(hands: dict[str, Hand], holders: set[str], metric: str) -> list[str]:
    """Those among whom the Elimination Candidate is: worst equilibrium without a token, then the worse poker hand."""
    able = [p for p in hands if p not in holders]
    worst = [p for p in able if not any(steadier(hands[p], hands[other], metric) for other in able)]
    return [p for p in worst if not any(beats(hands[p], hands[other]) for other in worst)]


# ---- every hand ---------------------------------------------------------------------------------------------------

FREQUENCIES = {
    "four": 360, "full": 2160, "straight": 5760, "trips": 23040, "flush": 31008, "two_pair": 50400, "high": 236160,
    "pair": 309120,
}  # fmt: skip
"""Section 5: how many of the 658,008 hands of the fresh deck each class has."""


def test_class_and_order_of_every_hand() -> None:
    """5, EQ-18, EQ-19: of each hand that a match can bring, recolouring included; and the frequencies of the page."""
    from games.equilibrium.cards import classify

    strengths: dict[tuple[int, ...], tuple[int, list[int]]] = {}
    dealt: Counter[str] = Counter()
    for hand in itertools.combinations_with_replacement(dict.fromkeys(DECK), 5):
        if len({*values(hand)}) == 1:
            continue  # section 1: no five of a kind
        ranked, name = classify(hand), hand_class(hand)
        assert (ranked.name, list(ranked.strength[1:])) == (name, deciding(hand)), hand
        strengths[ranked.strength] = -ORDER.index(name), deciding(hand)
        copies_held = Counter(hand).values()
        if max(copies_held) <= 2:
            dealt[name] += 2 ** [*copies_held].count(1)  # a single face may be either copy
    assert dealt == FREQUENCIES
    ranks = [rank for _, rank in sorted(strengths.items())]
    assert all(low < high for low, high in itertools.pairwise(ranks))


# ---- the comparison ----------------------------------------------------------------------------------------------


def dealt(luck: random.Random) -> dict[str, Hand]:
    deck = list(DECK)
    luck.shuffle(deck)
    return {player: tuple(deck[i * 5 : i * 5 + 5]) for i, player in enumerate(PLAYERS)}


def tied(luck: random.Random) -> dict[str, Hand]:
    """Hands made to be equal in part: few values, copies of one hand in another colour or another order."""
    hands: dict[str, Hand] = {}
    while len(hands) < len(PLAYERS):
        player = PLAYERS[len(hands)]
        if hands and luck.random() < 0.6:
            card = list(luck.choice(list(hands.values())))
            if luck.random() < 0.5:
                card = [("B" if c[0] == "R" else "R") + c[1:] for c in card]
            if luck.random() < 0.4:
                i = luck.randrange(5)
                card[i] = luck.choice("RB") + str(luck.randint(1, 10))
            luck.shuffle(card)
            hands[player] = tuple(card)
        else:
            hands[player] = tuple(luck.choice("RB") + str(luck.randint(4, 8)) for _ in range(5))
        if len(set(values(hands[player]))) == 1:
            del hands[player]  # section 1: no five of a kind
    return hands


def swapped(hand: Hand, old: str, new: str) -> Hand:
    i = hand.index(old)
    return (*hand[:i], new, *hand[i + 1 :])


CONDITIONS = (
    ["best_er", "best_poker", "lowest_placing_sum"],
    ["lowest_placing_sum", "best_poker"],
    ["best_poker", "best_er", "most_trades"],
    ["most_garnets_earned", "best_er"],
)


@pytest.mark.parametrize("deal", [dealt, tied])
def test_tokens_and_candidate_of_random_final_hands(match: Any, deal: Any) -> None:
    """The awards, the candidate (or those who need a vote or a lot), the gifts asked for: section 7, EQ-11, EQ-20."""
    from games.table import actions as shared

    luck = random.Random(7)
    ties = 0
    for _ in range(MATCHES):
        hands = deal(luck)
        metric, multi = luck.choice(["count", "value"]), luck.choice(["give_away", "next_best", "lapse"])
        conditions = luck.choice(CONDITIONS)
        settings = {"er_metric": metric, "multi_tol": multi, "tol_conditions": conditions, "dealt_hands_count": False}
        start = {p: " ".join(hand) for p, hand in dealt(luck).items()}
        play = match(hands=start, settings=settings)
        for player, hand in hands.items():
            play.do(shared.Override(player, "hand", " ".join(hand)))
        play.do(shared.Close("trading"))
        result, table = play.result(), play.state.table

        none = dict.fromkeys(PLAYERS, 0)
        won = tokens(hands, conditions, metric, multi, none, none)
        assert [(award.condition, award.player) for award in table.awards] == won, (hands, settings)
        holders = {player for _, player in won}
        among = candidates(hands, holders, metric)
        ties += len(among) > 1
        if len(among) == 1:
            assert list(result.elimination) == among, (hands, settings)
        else:
            kind = "vote" if holders else "lot"
            (decision,) = result.decisions
            assert (decision["kind"], sorted(decision["among"])) == (kind, sorted(among)), (hands, settings)
            assert sorted(decision["who"]) == (sorted(holders) if kind == "vote" else [])
        spare = {p for p in holders if [player for _, player in won].count(p) > 1}
        if len(among) == 1:
            gifts = {d["who"][0] for d in result.decisions if d["kind"] == "gift"}
            assert gifts == (spare if multi == "give_away" else set()), (hands, settings)
            held = {p: n for p, n in result.tokens.items() if n}
            each = {p: [w for _, w in won].count(p) if multi == "give_away" else 1 for p in holders}
            assert held == each, (hands, settings)
        # The ranking: nobody stands before one who is better, equal ones stand together.
        for group, other in itertools.combinations(result.ranking, 2):
            one, two = hands[group[0]], hands[other[0]]
            assert not steadier(two, one, metric)
            assert steadier(one, two, metric) or beats(one, two)
    if deal is tied:
        assert ties > MATCHES // 10, "hands that tie were to be among them"


def test_garnets_of_random_walks(match: Any) -> None:
    """Trades and recolours at random: what each hand earns by section 8, EQ-4, EQ-5, EQ-12, EQ-13, counted apart."""
    from events.errors import Refused
    from games.equilibrium import actions as a

    luck = random.Random(11)
    earned = discarded = 0
    for _ in range(WALKS):
        hands = dealt(luck)
        start = {p: luck.randint(0, 3) for p in PLAYERS}
        paying = luck.choice([["four", "full", "flush"], ["straight", "pair", "two_pair"], ["high", "flush", "trips"]])
        cap, most = luck.choice([(3, 3), (5, 1), (3, 2)])
        dealing, recolouring = luck.random() < 0.8, luck.random() < 0.8
        settings = {
            "garnet_hands": paying, "garnet_cap": cap, "max_garnets_from_match": most,
            "dealt_hands_count": dealing, "recolour_counts": recolouring,
        }  # fmt: skip
        play = match(hands={p: " ".join(h) for p, h in hands.items()}, garnets=start, settings=settings)
        held, ticked, got = dict(start), {p: set[str]() for p in PLAYERS}, dict.fromkeys(PLAYERS, 0)
        traded: set[frozenset[str]] = set()

        def look(
            player: str, hands: Any = hands, paying: Any = paying, cap: int = cap, most: int = most,
            held: Any = held, ticked: Any = ticked, got: Any = got,
        ) -> None:  # fmt: skip
            """Section 8 for the hand as it is now."""
            nonlocal earned, discarded
            name = hand_class(hands[player])
            if name not in paying or name in ticked[player]:
                return
            ticked[player].add(name)
            if held[player] < cap and got[player] < most:
                held[player] += 1
                got[player] += 1
                earned += 1
            else:
                discarded += 1

        for player in PLAYERS:
            if dealing:
                look(player)
        assert play.garnets() == held, settings
        while len(traded) < 28 and luck.random() < 0.97:
            play.now += 1000
            if luck.random() < 0.4:
                player = luck.choice(PLAYERS)
                card = luck.choice(hands[player])
                try:
                    play.do(a.Recolour(player, card))
                except Refused:
                    assert held[player] == 0
                    continue
                assert held[player] > 0
                held[player] -= 1
                hands[player] = swapped(hands[player], card, ("B" if card[0] == "R" else "R") + card[1:])
                if recolouring:
                    look(player)
            else:
                one, two = luck.sample(PLAYERS, 2)
                give, take = luck.choice(hands[one]), luck.choice(hands[two])
                try:
                    play.do(a.Trade(one, give, two, take))
                except Refused:
                    assert frozenset((one, two)) in traded
                    continue
                assert frozenset((one, two)) not in traded
                traded.add(frozenset((one, two)))
                hands[one], hands[two] = swapped(hands[one], give, take), swapped(hands[two], take, give)
                look(one)
                look(two)
            assert play.garnets() == held, settings
            assert {p: sorted(h) for p, h in play.state.hands.items()} == {p: sorted(h) for p, h in hands.items()}
        trades = {p: sum(p in pair for pair in traded) for p in PLAYERS}
        assert {p: len(play.state.partners(p)) for p in PLAYERS} == trades
        # The two conditions that look at the whole match.
        conditions = ["most_trades", "most_garnets_earned"]
        from games.equilibrium.rules import verdict

        over = play.state._replace(
            settings=play.state.settings._replace(tol_conditions=tuple(conditions)),
            table=play.state.table._replace(past=("pregame", "trading")),
        )
        won = tokens(hands, conditions, "count", "give_away", trades, got)
        assert [(award.condition, award.player) for award in verdict(over).awards] == won
    assert earned > WALKS and discarded > WALKS // 10, "the walks were to earn and to lose garnets"
