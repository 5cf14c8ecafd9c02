"""The end: the best hand wins, too few cards or overspending lose, else the lowest hand does. Source: section 5."""

from __future__ import annotations

import functools

from games.kit.poker import WORDS
from games.poker_auction.hands import CLASSES, SIZE, Best, best_hand
from games.poker_auction.state import State
from games.table import Reward, Spare, TokenReason, Verdict
from games.table.endgame import elect, elimination_of, may_lose, must_lose, pick, ranked, who_left, winners

GARNETS = 5
RULE = "section 5"
LINES = ("final_hands",)
TO_GIVE = "the highest hand; one to give away"
FEW, OVERSPENT = "fewer than five cards", "cards bought by overspending"
_best_hand = functools.lru_cache(maxsize=256)(best_hand)


def best(state: State, player: str) -> Best | None:
    """The best hand of a player, None for fewer than five cards."""
    settings = state.settings
    return _best_hand(state.cards.get(player, ()), settings.flush_tie, kickers=settings.kickers)


def bests(state: State) -> dict[str, Best | None]:
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
    return ranked({p: (p not in auto, hand.strength if hand else (-1,)) for p, hand in hands.items()})


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing before the last round is resolved."""
    if not state.over:
        return Verdict()
    hands, auto = bests(state), automatic(state)
    able = [p for p in state.table.may_win if hands[p] and (state.settings.auto_ec_can_win or p not in auto)]
    top = max((hands[p].strength for p in able), default=None)  # type: ignore[union-attr]
    first = [p for p in able if hands[p] is not None and hands[p].strength == top]  # type: ignore[union-attr]
    awards: tuple[TokenReason, ...] = ()
    unwon: tuple[TokenReason, ...] = ()
    rewards: tuple[Reward, ...] = ()
    if len(first) == 1:
        winner, hand = first[0], hands[first[0]]
        assert hand is not None, "the winner has a hand"
        why = f"highest hand: {WORDS[hand.name]} ({' '.join(hand.cards)})"
        second = TokenReason(winner, "highest_hand_to_give", f"{why}; one to give away", RULE, LINES, TO_GIVE)
        awards = (TokenReason(winner, "highest_hand", why, RULE, LINES, "the highest hand"), second)
        rewards = (Reward(winner, GARNETS, why, RULE),)
    elif first:
        why = f"{state.table.named(first)} have equal highest hands, so nobody wins the tokens"
        unwon = (TokenReason("", "highest_hand", why, RULE, LINES, "equal highest hands: nobody wins the tokens"),)
    last = _elimination(state, auto, awards)
    return last._replace(awards=awards, unwon=unwon, rewards=rewards, spare=Spare(state.settings.gift_hours))


def _automatic(state: State, player: str) -> str:
    """Why somebody is Elimination Candidate without comparison. Source: section 5, PA-6, PA-7."""
    reasons = [FEW] * (len(state.cards.get(player, ())) < SIZE) + [OVERSPENT] * (player in state.overspent)
    return " and ".join(reasons)


def _elimination(state: State, auto: tuple[str, ...], awards: tuple[TokenReason, ...]) -> Verdict:
    """Who is Elimination Candidate, why, or the decision needed. Source: section 5, PA-7, PA-21, PA-24."""
    table = state.table
    won, able = winners(table, awards), may_lose(table)
    if left := must_lose(table, (p for p in able if p not in won)):
        return who_left(left)
    auto = tuple(p for p in auto if p in able)
    if not auto:
        worst = [there for group in ranking(state) if (there := tuple(p for p in group if p in able))][-1:]
        last = table.remaining((p for group in worst for p in group if p not in won), "elimination")
        why, short, how = "the lowest hand", "the lowest hand", "rank"
        if len(last) <= 1:
            return Verdict(elimination=last, elimination_why=why, elimination_short=short, elimination_lines=LINES)
        auto, why = last, "equal lowest hands"
    else:
        auto = table.remaining(auto, "elimination")
        why, short, how = "; ".join(f"{table.name(p)}: {_automatic(state, p)}" for p in auto), "automatic", "automatic"
        if len(auto) == 1 or state.settings.multi_ec == "all":
            each = {p: _automatic(state, p) for p in auto}
            result = Verdict(elimination=auto, elimination_why=why, elimination_how=how, elimination_each=each)
            return result._replace(elimination_short=short, elimination_lines=LINES)
    if state.settings.multi_ec == "fewest_cards":
        fewest = min(len(state.cards.get(p, ())) for p in auto)
        auto = tuple(p for p in auto if len(state.cards.get(p, ())) == fewest)
    winner = next(iter(won), None) if state.settings.multi_ec == "winner_picks" else None
    hours = state.settings.vote_hours
    choice = pick(table, "elimination", winner, auto, hours) if winner else elect(table, "elimination", auto, (), hours)
    each = {p: _automatic(state, p) for p in auto} if how == "automatic" else {}
    return elimination_of(choice, why, short, LINES)._replace(elimination_how=how, elimination_each=each)
