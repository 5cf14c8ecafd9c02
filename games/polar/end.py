"""The end: garnets for points, Tokens of Life in every case of ties, the Elimination Candidate. Source: section 5.

A pure function of the points and of what was chosen, voted, given or drawn, so that an override after the end is
followed by the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kit.tell import count
from games.polar.state import State
from games.table import Decision, Need, Reward, TokenReason, Verdict
from games.table.endgame import Lost, elect, eliminate, may_lose, spares

RULE = "section 5"
SECOND = "token:second"
"""What the choice among tied second places is about."""


def points(state: State) -> Mapping[str, int]:
    """Player -> points."""
    return {p: held.points for p, held in state.players.items()}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """By points, equal ones together."""
    had = points(state)
    return tuple(tuple(p for p in had if had[p] == n) for n in sorted(set(had.values()), reverse=True))


def rewards(state: State) -> tuple[Reward, ...]:
    """One garnet for every so many points, none below zero. Source: section 5, PL-14, PL-15."""
    per, made = state.settings.garnets_per, []
    for player in state.table.may_win:
        held = state.players[player]
        points = held.points
        if state.settings.garnets_from == "points_gained":
            points = sum(max(0, played.scores.get(player, 0)) for played in state.history)
        if (garnets := points // per) > 0:
            made.append(Reward(player, garnets, f"{count(points, 'point')}, one for every {per}", f"{RULE}, PL-15"))
    return tuple(made)


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing before the last round is resolved."""
    if not state.over:
        return Verdict()
    paid = rewards(state)
    awards, need = _awards(state)
    if need is not None:
        return Verdict(awards, needed=(need,), rewards=paid)
    won = {p: sum(award.player == p for award in awards) for p in state.table.players}
    lost = _elimination(state, won)
    if lost.need is not None:
        return Verdict(awards, needed=(lost.need,), rewards=paid)
    left = spares(state.table, won, lost.players, state.settings.gift_hours, give=True)
    return Verdict(awards, left.given, left.lapsed, lost.players, lost.why, left.needed, paid)


def _awards(state: State) -> tuple[tuple[TokenReason, ...], Need | None]:
    """The tokens won by rank, and the choice that is still needed. Source: section 5, PL-17, PL-18, S-5."""
    able = state.table.may_win
    first, *rest = [there for group in ranking(state) if (there := tuple(p for p in group if p in able))] or [()]
    if not first:
        return (), None
    points = {p: count(held.points, "point") for p, held in state.players.items()}
    if len(first) > state.settings.max_tied_tol:
        return (), None
    if len(first) > 1:
        why = f"tied in the first place with {points[first[0]]}"
        return tuple(TokenReason(p, "tied_first", why, RULE) for p in first), None
    (winner,) = first
    top = TokenReason(winner, "first", f"first with {points[winner]}", RULE)
    if not rest:
        return (top,), None
    second = rest[0]
    if len(second) == 1:
        spare = TokenReason(winner, "first_to_give", f"first with {points[winner]}; one to give away", RULE)
        return (top, spare, TokenReason(second[0], "second", f"second with {points[second[0]]}", RULE)), None
    picked, why, need = _picked(state, winner, second)
    if picked is None:
        return (top,), need
    return (top, TokenReason(picked, "second", f"second with {points[picked]}; {why}", f"{RULE}, PL-17")), None


def _picked(state: State, winner: str, second: tuple[str, ...]) -> tuple[str | None, str, Need | None]:
    """Whom of those tied in the second place the winner picks; a lot when his time is over. Source: PL-17."""
    table = state.table
    if (picked := table.choices.get((SECOND, winner))) in second:
        return picked, "picked by the winner", None
    decision = Decision("choose", (winner,), second, SECOND)
    if decision.key not in table.closed and winner not in table.left:
        return None, "", Need(decision, state.settings.vote_hours)
    choice = elect(table, SECOND, second, (), 0)
    return choice.player, "the winner picked nobody; drawn by lot", choice.need


def _elimination(state: State, won: Mapping[str, int]) -> Lost:
    """Who is Elimination Candidate, why, or the decision that is needed. Source: section 5, PL-19, PL-20, PL-26."""
    table, settings = state.table, state.settings
    barred = [p for p in table.players if settings.ec_excludes_token_holders and won[p] + table.granted.get(p, 0) > 0]
    if not may_lose(table, barred):
        decision = Decision("ruling", (), table.present, "elimination")
        need = None if decision.key in table.closed else Need(decision, 0)
        return Lost((), "everybody holds a Token of Life (PL-19)", need)

    def worst(able: Sequence[str]) -> tuple[tuple[str, ...], str]:
        lowest = min(state.players[p].points for p in able)
        return tuple(p for p in able if state.players[p].points == lowest), f"lowest score: {count(lowest, 'point')}"

    return eliminate(table, barred, worst, [p for p in table.players if won[p]], settings.vote_hours)
