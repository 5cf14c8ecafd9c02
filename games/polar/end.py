"""The end: garnets for points, Tokens of Life in every case of ties, the Elimination Candidate. Source: section 5.

A pure function of the points and of what was chosen, voted, given or drawn, so that an override after the end is
followed by the result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kinds import count
from games.polar.state import State
from games.table import Decision, Need, Reward, Spare, TokenReason, Verdict
from games.table.endgame import Worst, eliminate, holders, may_lose, pick, ranked, token_declared, winners

RULE = "section 5"
LINES = ("scoreboard",)
"""What tells points, and so every rank."""
SECOND = "token:second"
"""What the choice among tied second places is about."""


def points(state: State) -> Mapping[str, int]:
    return {p: held.points for p, held in state.players.items()}


def rewards(state: State) -> tuple[Reward, ...]:
    """One garnet for every so many points, none below zero. Source: section 5, PL-14, PL-15."""
    per, paid = state.settings.garnets_per, []
    for player in state.table.may_win:
        held = state.players[player]
        points = held.points
        if state.settings.garnets_from == "points_gained":
            points = sum(max(0, played.scores.get(player, 0)) for played in state.history)
        if (garnets := points // per) > 0:
            paid.append(Reward(player, garnets, f"{count(points, 'point')}, one for every {per}", f"{RULE}, PL-15"))
    return tuple(paid)


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing before the last round is resolved."""
    if not state.over:
        return Verdict()
    paid = rewards(state)
    awards, unwon, need = _awards(state)
    if need is not None:
        return Verdict(awards, needed=(need,), rewards=paid, unwon=unwon)
    spare = Spare(state.settings.gift_hours)
    return _elimination(state, awards)._replace(awards=awards, unwon=unwon, rewards=paid, spare=spare)


def _awards(state: State) -> tuple[tuple[TokenReason, ...], tuple[TokenReason, ...], Need | None]:
    """The tokens won by rank, those that nobody wins, and the choice still needed. Section 5, PL-17, PL-18, S-5."""
    able = state.table.may_win
    first, *rest = [there for group in ranked(points(state)) if (there := tuple(p for p in group if p in able))] or [()]
    if not first:
        return (), (), None
    had = {p: count(n, "point") for p, n in points(state).items()}
    most = state.settings.max_tied_tol
    if len(first) > most:
        why = f"{len(first)} are tied in the first place with {had[first[0]]}, more than {most}: nobody wins a token"
        return (), (TokenReason("", "tied_first", why, RULE, LINES, "too many are tied in the first place"),), None
    if len(first) > 1:
        why = f"tied in the first place with {had[first[0]]}"
        return tuple(TokenReason(p, "tied_first", why, RULE, LINES, "tied in the first place") for p in first), (), None
    (winner,) = first
    top = TokenReason(winner, "first", f"first with {had[winner]}", RULE, LINES, "the first place")
    if not rest:
        return (top,), (), None
    second = rest[0]
    if len(second) == 1:
        short = "the first place; one to give away"
        spare = TokenReason(winner, "first_to_give", f"first with {had[winner]}; one to give away", RULE, LINES, short)
        why = f"second with {had[second[0]]}"
        return (top, spare, TokenReason(second[0], "second", why, RULE, LINES, "the second place")), (), None
    choice = pick(state.table, SECOND, winner, second, state.settings.vote_hours)
    if choice.how != "choice" and token_declared(state.table, second):
        return (top,), (), None
    if choice.player is None:
        return (top,), (), choice.need
    how, why = (choice.how, choice.why) if choice.how == "choice" else ("lot", "the winner picked nobody; drawn by lot")
    full, short = f"second with {had[choice.player]}; {why}", f"the second place; {why}"
    return (top, TokenReason(choice.player, "second", full, f"{RULE}, PL-17", LINES, short, how, choice.by)), (), None


def _elimination(state: State, awards: tuple[TokenReason, ...]) -> Verdict:
    """Who is Elimination Candidate, why, or the decision that is needed. Source: section 5, PL-19, PL-20, PL-26."""
    table, settings = state.table, state.settings
    barred = holders(table, awards) if settings.ec_excludes_token_holders else ()
    if not may_lose(table, barred):
        decision = Decision("ruling", (), table.present, "elimination")
        need = () if decision.key in table.closed else (Need(decision, 0),)
        why = "everybody holds a Token of Life (PL-19)"
        return Verdict(elimination_why=why, needed=need, elimination_lines=("tokens",))

    def worst(able: Sequence[str]) -> Worst:
        lowest = min(state.players[p].points for p in able)
        last = tuple(p for p in able if state.players[p].points == lowest)
        return Worst(last, f"lowest score: {count(lowest, 'point')}", "the lowest score", LINES)

    return eliminate(table, barred, worst, winners(table, awards), settings.vote_hours)
