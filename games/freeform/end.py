"""The end: the score of the file, places, tokens, who is eliminated, and ties."""

from __future__ import annotations

from collections.abc import Mapping

from games.freeform.reckon import come_to, kept_within
from games.freeform.state import State
from games.freeform.typed import values_of
from games.table import TokenReason, Verdict
from games.table.endgame import elect
from games.table.state import Need

RULE = "the file, result"


def scores(state: State) -> Mapping[str, int]:
    """The score of each player; nothing where the file has none."""
    tree = state.rules.ending.score
    if tree is None:
        return {}
    return {p: come_to(tree, values_of(state, {}, p), kept_within) for p in state.table.players}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """Best first: the highest score; or the lowest, where that wins or the highest is eliminated."""
    points, ending = scores(state), state.rules.ending
    fewest = ending.tokens == "lowest" or ending.elimination == "highest"
    order = sorted(set(points.values()), reverse=not fewest)
    return tuple(tuple(p for p in points if points[p] == n) for n in order)


def verdict(state: State) -> Verdict:
    """Tokens and elimination by score, as far as the file says so; ties as it says."""
    table, ending = state.table, state.rules.ending
    points = {p: n for p, n in scores(state).items() if p not in table.left}
    awards: tuple[TokenReason, ...] = ()
    best: tuple[str, ...] = ()
    if ending.tokens != "hosts" and points:
        top = max(points.values()) if ending.tokens == "highest" else min(points.values())
        first = tuple(p for p in points if points[p] == top)
        best, why, need = _settled(state, "token", first, tuple(p for p in points if p not in first))
        if need is not None:
            return Verdict(needed=(need,))
        said = f"{ending.tokens} score: {top}{why}"
        awards = tuple(TokenReason(p, f"{ending.tokens}_score", said, RULE) for p in best)
    rest = {p: n for p, n in points.items() if p not in best and not table.granted.get(p)}
    if ending.elimination == "hosts" or not rest:
        return Verdict(awards)
    end = max(rest.values()) if ending.elimination == "highest" else min(rest.values())
    last = tuple(p for p in rest if rest[p] == end)
    out, why, need = _settled(state, "elimination", last, best or tuple(p for p in points if p not in last))
    needed = () if need is None else (need,)
    return Verdict(awards, elimination=out, elimination_why=f"{ending.elimination} score: {end}{why}", needed=needed)


def _settled(
    state: State, about: str, among: tuple[str, ...], voters: tuple[str, ...]
) -> tuple[tuple[str, ...], str, Need | None]:
    """Who of those that are level it is, why, and what must be decided first."""
    ending = state.rules.ending
    if len(among) == 1 or ending.ties == "all":
        return among, "", None
    if ending.ties == "hosts":
        return (), "; a tie, which hosts decide", None
    chosen = elect(state.table, about, among, voters if ending.ties == "vote" else (), ending.hours)
    return ((chosen.player,) if chosen.player else ()), f"; {chosen.why}", chosen.need
