"""The end: tokens and garnets for those who ended the match, fewest points lose. Source: section 5, HX-15 to 19."""

from __future__ import annotations

from collections.abc import Sequence

from games.hex_parties.facts import VictoryReached
from games.hex_parties.state import State
from games.kit.tell import count
from games.table import Reward, TokenReason, Verdict
from games.table.endgame import Lost, eliminate, spares

RULE = "section 5"
TOKENS = {1: 2, 2: 1}
"""How many ended the match -> tokens for each; three and more get none."""
GARNETS = {1: 2}
"""How many ended the match -> garnets for each; two and more get 1."""


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known, once play is over."""
    table, winners = state.table, state.winners
    tokens, garnets = TOKENS.get(len(winners), 0), GARNETS.get(len(winners), 1)
    alone = "ended the match alone" if len(winners) == 1 else f"one of {len(winners)} who ended the match"
    why = {p: f"{alone}: {' and '.join(reached(x) for x in state.reached if x.player == p)}" for p in winners}
    awards = [TokenReason(p, "ended", why[p], RULE) for p in winners if tokens]
    awards += [TokenReason(p, "ended_to_give", "a second one, to give away", RULE) for p in winners if tokens > 1]
    rewards = tuple(reward for p in winners if (reward := _reward(state, p, garnets, alone)).garnets)
    won = {p: sum(award.player == p for award in awards) for p in table.players}
    lost = _elimination(state, [p for p in table.players if won[p] + table.granted.get(p, 0) > 0])
    if lost.need is not None:
        return Verdict(tuple(awards), needed=(lost.need,), rewards=rewards)
    left = spares(table, won, lost.players, state.settings.gift_hours, give=True)
    return Verdict(tuple(awards), left.given, left.lapsed, lost.players, lost.why, left.needed, rewards)


def reached(fact: VictoryReached) -> str:
    """By which piece somebody ended the match, in words."""
    return f"{fact.piece} scored on {fact.cell}, with {count(fact.points, 'point')} before the round"


def _reward(state: State, player: str, garnets: int, why: str) -> Reward:
    """What a winner receives; what would lift him above the cap is discarded. Source: HX-19, S-7."""
    room = max(0, state.settings.garnet_cap - state.closing.get(player, 0))
    lost = garnets - min(garnets, room)
    if lost:
        why += f"; {count(lost, 'garnet')} above the cap of {state.settings.garnet_cap} discarded"
    return Reward(player, garnets - lost, why, RULE)


def _elimination(state: State, holders: Sequence[str]) -> Lost:
    """Who has fewest points, why, or the decision that is still needed. Source: section 5, HX-15, HX-16, HX-27."""
    table = state.table
    barred = holders if state.settings.ec_excludes_token_holders else ()

    def worst(able: Sequence[str]) -> tuple[list[str], str]:
        least = min(state.points[p] for p in able)
        last = [p for p in able if state.points[p] == least]
        why = f"fewest points{' without a token' if barred else ''}: {least}"
        if len(last) > 1:
            why += f"; {table.named(last)} are equal"
            if not state.winners and state.settings.ec_tie_no_winner == "lower_garnets":
                last = list(table.remaining(last, "elimination"))
                fewest = min(table.garnets(p) for p in last)
                last = [p for p in last if table.garnets(p) == fewest]
                why += f"; fewest garnets: {fewest}"
        return last, why

    return eliminate(table, barred, worst, state.winners, state.settings.vote_hours)
