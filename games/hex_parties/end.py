"""The end: tokens and garnets for those who ended the match, fewest points lose. Source: section 5, HX-15 to 19."""

from __future__ import annotations

from collections.abc import Sequence

from games.hex_parties.facts import VictoryReached
from games.hex_parties.facts import State
from games.kinds import count
from games.table import Reward, Spare, TokenReason, Verdict
from games.table.endgame import Worst, eliminate, holders

RULE = "section 5"
LINES = ("points", "winners")
TOKENS = {1: 2, 2: 1}
"""How many ended the match -> tokens for each; three and more get none."""
GARNETS = {1: 2}
"""How many ended the match -> garnets for each; two and more get 1."""


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known, once play is over."""
    winners = state.winners
    tokens = TOKENS.get(len(winners), 0)
    alone = "ended the match alone" if len(winners) == 1 else f"one of {len(winners)} who ended the match"
    why = {p: f"{alone}: {' and '.join(reached(x) for x in state.reached if x.player == p)}" for p in winners}
    awards = [TokenReason(p, "ended", why[p], RULE, LINES) for p in winners if tokens]
    second = "a second one, to give away"
    awards += [TokenReason(p, "ended_to_give", second, RULE, (), second) for p in winners if tokens > 1]
    unwon: tuple[TokenReason, ...] = ()
    if winners and not tokens:
        tie = f"{state.table.named(winners)} ended the match: three or more, so nobody wins a token"
        unwon = (TokenReason("", "ended", tie, RULE, ("winners",)),)
    rewards = tuple(_reward(state, p, alone) for p in winners)
    last = _elimination(state, holders(state.table, awards))
    spare = Spare(state.settings.gift_hours)
    return last._replace(awards=tuple(awards), unwon=unwon, rewards=rewards, spare=spare)


def reached(fact: VictoryReached) -> str:
    """By which piece somebody ended the match, in words."""
    return f"{fact.piece} scored on {fact.cell}, with {count(fact.points, 'point')} before the round"


def _reward(state: State, player: str, why: str) -> Reward:
    """What a winner receives; what would lift them above the cap is discarded. Source: HX-19, S-7."""
    garnets, lost = reward(state, player)
    why += f"; {discarded(state, lost)}" if lost else ""
    return Reward(player, garnets, why, f"{RULE}, HX-19" if lost else RULE)


def reward(state: State, player: str) -> tuple[int, int]:
    """The garnets that a winner receives, and those that are discarded."""
    garnets = GARNETS.get(len(state.winners), 1)
    received = min(garnets, max(0, state.settings.garnet_cap - state.closing.get(player, 0)))
    return received, garnets - received


def discarded(state: State, lost: int) -> str:
    """What would lift somebody above the cap, in words."""
    are = "is" if lost == 1 else "are"
    return f"{count(lost, 'garnet')} above the cap of {state.settings.garnet_cap} {are} discarded"


def _elimination(state: State, having: Sequence[str]) -> Verdict:
    """Who has fewest points, why, or the decision that is still needed. Source: section 5, HX-15, HX-16, HX-27."""
    table = state.table
    barred = having if state.settings.ec_excludes_token_holders else ()

    def worst(able: Sequence[str]) -> Worst:
        least = min(state.points[p] for p in able)
        last = [p for p in able if state.points[p] == least]
        short = f"fewest points{' without a token' if barred else ''}"
        why = f"{short}: {least}"
        lines: tuple[str, ...] = LINES
        if len(last) > 1:
            why += f"; {table.named(last)} are equal"
            if not state.winners and state.settings.ec_tie_no_winner == "lower_garnets":
                last = list(table.remaining(last, "elimination"))
                had = {p: state.closing.get(p, table.garnets(p)) for p in last}  # what they hold later changes nothing
                last = [p for p in last if had[p] == min(had.values())]
                why, lines = f"{why}; fewest garnets: {min(had.values())}", (*LINES, "own_garnets")
        return Worst(last, why, short, lines)

    return eliminate(table, barred, worst, state.winners, state.settings.vote_hours)
