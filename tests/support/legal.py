"""Random matches of Equilibrium, played on by legal moves, and their result worked out a second time: for laws."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from events.errors import Refused
from events.instants import Instant
from games.contract import Moment
from games.equilibrium import GAME, actions as a
from games.equilibrium.cards import DECK, classify, face, flip
from games.equilibrium.facts import State
from games.table import actions as shared

MINUTE, HOUR = 60_000, 3_600_000


PLAYERS = tuple(f"p{n}" for n in range(1, 9))


PAIRS = tuple(combinations(PLAYERS, 2))


SEEDS = st.integers(0, 10**9)


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    classes = ["four", "full", "flush", "straight", "trips", "two_pair", "pair", "high"]
    return {
        "er_metric": dice.choice(["count", "value"]),
        "garnet_hands": dice.sample(classes, dice.randint(0, 8)) if dice.random() < 0.5 else ["four", "full", "flush"],
        "garnet_cap": dice.choice([0, 1, 3, 3, 9]),
        "max_garnets_from_match": dice.choice([0, 1, 3, 3]),
        "dealt_hands_count": dice.random() < 0.7,
        "recolour_counts": dice.random() < 0.7,
        "garnet_class_mode": dice.choice(["class", "class", "contains"]),
        "multi_tol": dice.choice(["give_away", "give_away", "next_best", "lapse"]),
        "allow_identical_trade": dice.random() < 0.7,
        "lock_grace_minutes": dice.choice([0, 0, 30]),
        "auto_end_after_last_trade": dice.random() < 0.7,
    }


def some_deal(dice: random.Random) -> dict[str, str]:
    """Shuffled; or in mirrored pairs of hands, equal in everything but colour, so that ties are common."""
    if dice.random() < 0.6:
        cards = list(DECK)
        dice.shuffle(cards)
        return {p: " ".join(cards[i * 5 : i * 5 + 5]) for i, p in enumerate(PLAYERS)}
    half = [dice.choice("RB") + str(value) for value in range(1, 11) for _ in range(2)]
    dice.shuffle(half)
    seats = dice.sample(PLAYERS, 8)
    dealt = {}
    for i in range(4):
        hand = half[i * 5 : i * 5 + 5]
        dealt[seats[i]], dealt[seats[i + 4]] = " ".join(hand), " ".join(flip(card) for card in hand)
    return dealt


def some_match(match: Any, dice: random.Random, given: Mapping[str, Any] | None = None) -> Any:
    chosen = some_settings(dice) if given is None else dict(given)
    garnets = {p: dice.randint(0, chosen.get("garnet_cap", 3)) for p in PLAYERS}
    return match(hands=some_deal(dice), garnets=garnets, settings=chosen)


MOVES = (a.Trade, a.Offer, a.Accept, a.Withdraw, a.Decline, a.Recolour, a.Lock, a.Unlock)


STYLES = ((8, 4, 4, 1, 1, 4, 3, 1), (30, 1, 1, 0, 0, 1, 0, 0), (1, 1, 1, 0, 0, 1, 30, 1), (2, 6, 3, 3, 3, 3, 1, 1))
"""How often each of `MOVES` is tried: a bit of everything, traders, early lockers, talkers."""


def a_legal_move(state: State, dice: random.Random, style: Sequence[int] = STYLES[0]) -> Any:
    """A move that the rules allow now, found by asking them; a note when chance finds none."""
    unused = [two for two in PAIRS if two not in state.traded]
    for _ in range(20):
        one, two = dice.sample(dice.choice(unused), 2) if unused else dice.sample(PLAYERS, 2)
        mine, his = (dice.choice(state.hands[p]) for p in (one, two))
        kind: Any = dice.choices(MOVES, style)[0]
        if kind in (a.Accept, a.Withdraw, a.Decline) and state.offers:
            proposer, partner = dice.choice(sorted(state.offers))
            action = kind(proposer, partner) if kind is a.Withdraw else kind(partner, proposer)
        elif kind is a.Trade:
            action = a.Trade(one, mine, two, his)
        elif kind is a.Offer and state.offers and dice.random() < 0.3:
            proposer, partner = dice.choice(sorted(state.offers))  # the same cards, named by the partner too
            pledge = state.offers[proposer, partner]
            action = a.Offer(partner, pledge.take, proposer, pledge.give)
        elif kind is a.Offer:
            action = a.Offer(one, mine, two, dice.choice([his, dice.choice(DECK)]))
        elif kind is a.Recolour:
            action = a.Recolour(one, mine)
        elif kind in (a.Lock, a.Unlock):
            action = kind(one if one not in state.locked else two)
        else:
            continue
        try:
            GAME.decide(state, action, Moment(Instant(0), 1))
        except Refused:
            continue
        return action
    return shared.Note("nothing to do")


def a_decision(play: Any, dice: random.Random) -> Any:
    """Something that settles, or helps to settle, what is open after the end."""
    decision = dice.choice(play.state.table.decisions)
    if decision.kind == "vote":
        return shared.Vote(dice.choice(decision.who), dice.choice(decision.among))
    if decision.kind == "gift":
        return shared.Gift(decision.who[0], dice.choice(decision.among))
    return shared.Lot(decision.among)


def play_on(play: Any, dice: random.Random, moves: int) -> list[tuple[int, Any]]:
    """Up to `moves` legal moves at growing times; what was done, with its moment."""
    done: list[tuple[int, Any]] = []
    style, step = dice.choice(STYLES), dice.choice([20, 90, 90, 400])
    for _ in range(moves):
        play.wait(play.now + dice.randint(1, step) * MINUTE)
        if not play.state.playing:
            break
        action = a_legal_move(play.state, dice, style)
        play.do(action)
        done.append((play.now, action))
    return done


def finish(play: Any, dice: random.Random) -> list[tuple[int, Any]]:
    """End trading, and decide all that the end leaves open."""
    done: list[tuple[int, Any]] = []
    if play.state.playing:
        play.now += MINUTE
        play.do(shared.Close("trading"))
        done.append((play.now, shared.Close("trading")))
    for _ in range(80):
        if not play.state.table.decisions:
            break
        play.wait(play.now + dice.choice([1, 1, 1, 600]) * MINUTE)
        if not play.state.table.decisions:
            break
        (action,) = play.game.prepare(play.state, a_decision(play, dice), FixedLuck(play.seq + 1))
        play.do(action)
        done.append((play.now, action))
    return done


class FixedLuck:
    published = None

    def __init__(self, seq: int) -> None:
        self.seq = seq

    def seed(self) -> bytes:
        return self.seq.to_bytes(32, "big")


def the_end(state: State) -> tuple[dict[str, str], tuple[str, ...], list[list[str]]]:
    """Tokens by condition, the candidates for EC, and the ranking, straight from the words of sections 6 and 7."""

    def er(p: str) -> tuple[int, int]:
        count = state.settings.er_metric == "count"
        cards = [face(card) for card in state.hands[p]]
        black, red = (sum(1 if count else v for v, c in cards if c == colour) for colour in "BR")
        return abs(black - red), -sum(v for v, _ in cards)

    def poker(p: str) -> tuple[int, ...]:
        return tuple(-n for n in classify(state.hands[p]).strength)

    def place(p: str, key: Any) -> int:
        return 1 + sum(bool(key(other) < key(p)) for other in PLAYERS)

    conditions: dict[str, Callable[[str], Any]] = {
        "best_er": er,
        "best_poker": poker,
        "lowest_placing_sum": lambda p: place(p, er) + place(p, poker),
    }
    won: dict[str, str] = {}
    for name, key in conditions.items():
        able = [p for p in PLAYERS if state.settings.multi_tol != "next_best" or p not in won.values()]
        best = [p for p in able if key(p) == min(key(q) for q in able)]
        best = [p for p in best if er(p) == min(er(q) for q in best)]
        best = [p for p in best if poker(p) == min(poker(q) for q in best)]
        if len(best) == 1:
            won[name] = best[0]
    rest = [p for p in PLAYERS if p not in won.values()]
    worst = [p for p in rest if er(p) == max(er(q) for q in rest)]
    worst = [p for p in worst if poker(p) == max(poker(q) for q in worst)]
    keys = sorted({(er(p), poker(p)) for p in PLAYERS})
    return won, tuple(worst), [[p for p in PLAYERS if (er(p), poker(p)) == key] for key in keys]


def check_result(play: Any) -> None:
    """Ranking, tokens and EC are those that the hands of this moment call for."""
    won, candidates, places = the_end(play.state)
    table, result = play.state.table, play.result()
    assert [list(place) for place in result.ranking] == places
    assert {award.condition: award.player for award in table.awards} == won
    if len(candidates) == 1:
        assert result.elimination == candidates
    elif result.elimination:
        assert result.elimination[0] in candidates
    else:
        (decision,) = table.decisions
        assert decision.kind in ("vote", "lot") and set(decision.among) <= set(candidates)
        if decision.kind == "vote":
            assert decision.among == candidates and set(decision.who) == set(won.values())
    assert not {receiver for _, receiver in table.given} & {*won.values(), *result.elimination}
