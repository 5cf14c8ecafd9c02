"""The end: the best hand wins, too few cards or overspending lose, else the lowest hand does. Source: section 5."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from games.kit.poker import WORDS
from games.poker_auction.hands import CLASSES, SIZE, Best, best_hand
from games.poker_auction.state import State
from games.table import Decision, Need, Reward, TokenReason, Verdict
from games.table.endgame import Lost, elect, may_lose, must_lose, spares

GARNETS = 5
RULE = "section 5"
_best_hand = functools.lru_cache(maxsize=256)(best_hand)


def best(state: State, player: str) -> Best | None:
    """The best hand of a player, None for fewer than five cards."""
    settings = state.settings
    return _best_hand(state.cards.get(player, ()), settings.flush_tie, kickers=settings.kickers)


def bests(state: State) -> dict[str, Best | None]:
    """The best hand of each player."""
    return {p: best(state, p) for p in state.table.players}


def automatic(state: State) -> tuple[str, ...]:
    """Elimination Candidates without comparison: too few cards, or overspent. Source: section 5, PA-6, PA-7."""
    return tuple(p for p in state.table.players if len(state.cards.get(p, ())) < SIZE or p in state.overspent)


def scores(state: State) -> dict[str, int]:
    """The class of each hand: 1 (high card) to 9, 0 for none."""
    return {p: len(CLASSES) - CLASSES.index(hand.name) if hand else 0 for p, hand in bests(state).items()}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """By hand, the automatic Elimination Candidates last unless their hand may win; equal ones together."""
    hands = bests(state)
    auto = tuple(p for p in automatic(state) if not (state.settings.auto_ec_can_win and hands[p]))
    groups: dict[tuple[int, ...], list[str]] = {}
    for player, hand in hands.items():
        key = (0 if player in auto else 1, *(hand.strength if hand else (-1,)))
        groups.setdefault(key, []).append(player)
    return tuple(tuple(groups[key]) for key in sorted(groups, reverse=True))


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing before the last round is resolved."""
    if not state.over:
        return Verdict()
    hands, auto = bests(state), automatic(state)
    able = [p for p in state.table.may_win if hands[p] and (state.settings.auto_ec_can_win or p not in auto)]
    top = max((hands[p].strength for p in able), default=None)  # type: ignore[union-attr]
    first = [p for p in able if hands[p] is not None and hands[p].strength == top]  # type: ignore[union-attr]
    awards: tuple[TokenReason, ...] = ()
    rewards: tuple[Reward, ...] = ()
    if len(first) == 1:
        winner, hand = first[0], hands[first[0]]
        assert hand is not None, "the winner has a hand"
        why = f"highest hand: {WORDS[hand.name]} ({' '.join(hand.cards)})"
        second = TokenReason(winner, "highest_hand_to_give", f"{why}; one to give away", RULE)
        awards = (TokenReason(winner, "highest_hand", why, RULE), second)
        rewards = (Reward(winner, GARNETS, why, RULE),)
    won = {p: sum(award.player == p for award in awards) for p in state.table.players}
    lost = _elimination(state, auto, won)
    if lost.need is not None:
        return Verdict(awards, needed=(lost.need,), rewards=rewards)
    left = spares(state.table, won, lost.players, state.settings.gift_hours, give=True)
    return Verdict(awards, left.given, left.lapsed, lost.players, lost.why, left.needed, rewards)


def _elimination(state: State, auto: tuple[str, ...], won: Mapping[str, int]) -> Lost:
    """Who is Elimination Candidate, why, or the decision that is needed. Source: section 5, PA-7, PA-21, PA-24."""
    table = state.table
    able = may_lose(table)
    if left := must_lose(table, (p for p in able if not won[p])):
        return Lost(left, "left the match")
    auto = tuple(p for p in auto if p in able)
    if not auto:
        worst = [there for group in ranking(state) if (there := tuple(p for p in group if p in able))][-1:]
        last = table.remaining((p for group in worst for p in group if not won[p]), "elimination")
        if len(last) <= 1:
            return Lost(last, "the lowest hand")
        auto, why = last, "equal lowest hands"
    else:
        auto, why = table.remaining(auto, "elimination"), "fewer than five cards, or cards bought by overspending"
        if len(auto) == 1 or state.settings.multi_ec == "all":
            return Lost(auto, why)
    if state.settings.multi_ec == "fewest_cards":
        fewest = min(len(state.cards.get(p, ())) for p in auto)
        auto = tuple(p for p in auto if len(state.cards.get(p, ())) == fewest)
    winner = next((p for p, n in won.items() if n), None)
    if state.settings.multi_ec == "winner_picks" and winner is not None:
        decision = Decision("choose", (winner,), auto, "elimination")
        if (picked := table.choices.get(("elimination", winner))) in auto and picked is not None:
            return Lost((picked,), f"{why}; picked by the winner")
        if decision.key not in table.closed and winner not in table.left:
            return Lost((), "", Need(decision, state.settings.vote_hours))
    choice = elect(table, "elimination", auto, (), state.settings.vote_hours)
    if choice.player is None:
        return Lost((), "", choice.need)
    return Lost((choice.player,), f"{why}; {choice.why}")
