"""The end: the score of the file, places, tokens, who is eliminated, and ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.freeform.reckon import come_to, kept_within
from games.freeform.facts import State
from games.freeform.typed import values_of
from games.table import TokenReason, Verdict
from games.table.endgame import elect, elimination_of, granted, holders, may_lose, must_lose, ranked, who_left
from games.table.state import Choice, Decision, Need

RULE = "the file, result"
LINES = ("score",)
"""What tells the scores."""
BY_SCORE = ("highest", "lowest")


def scores(state: State) -> Mapping[str, int]:
    """The score of each player; nothing where the file has none."""
    tree = state.rules.ending.score
    if tree is None:
        return {}
    return {p: come_to(tree, values_of(state, {}, p), kept_within) for p in state.table.players}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """Best first: the highest score; or the lowest, where that wins or the highest is eliminated."""
    return ranked(scores(state), lowest=_fewest(state))


def _fewest(state: State) -> bool:
    """Is the lowest score the best?"""
    return state.rules.ending.tokens == "lowest" or state.rules.ending.elimination == "highest"


def counts(state: State) -> str:
    return "score (lower is better)" if _fewest(state) else "score"


def verdict(state: State) -> Verdict:
    """Tokens and elimination by score, as far as the file says so; ties, and what it leaves to hosts, as it says."""
    table, ending, points = state.table, state.rules.ending, scores(state)
    awards: tuple[TokenReason, ...] = ()
    able = [p for p in table.may_win if p in points]
    if ending.tokens == "hosts":
        if need := _by_hosts(state, "token", table.present):
            return Verdict(needed=(need,))
    elif ending.tokens in BY_SCORE and able:
        top = max(points[p] for p in able) if ending.tokens == "highest" else min(points[p] for p in able)
        first = tuple(p for p in able if points[p] == top)
        choice = _settled(state, "token", first, tuple(p for p in able if p not in first))
        if choice is not None and choice.need is not None:
            return Verdict(needed=(choice.need,))
        awards = tuple(_token(state, p, top, first, choice) for p in ((choice.player,) if choice else first) if p)
    return _elimination(state, awards)._replace(awards=awards)


def _elimination(state: State, awards: tuple[TokenReason, ...]) -> Verdict:
    """Who is eliminated among those without a token, or what must be decided first. Source: S-G3."""
    table, ending, points = state.table, state.rules.ending, scores(state)
    able = may_lose(table, holders(table, awards))
    if ending.elimination == "hosts":
        need = _by_hosts(state, "elimination", able) if able else None
        return Verdict(needed=(need,) if need else ())
    if ending.elimination not in BY_SCORE:
        return Verdict()
    if left := must_lose(table, able):
        return who_left(left)
    if not able:
        return Verdict()
    end = max(points[p] for p in able) if ending.elimination == "highest" else min(points[p] for p in able)
    last = table.remaining((p for p in able if points[p] == end), "elimination")
    best = tuple(award.player for award in awards)
    choice = _settled(state, "elimination", last, best or tuple(p for p in able if p not in last))
    why, short = _score(state, ending.elimination, end, last), f"the {ending.elimination} score"
    if choice is not None:
        return elimination_of(choice, why, short, LINES)
    return Verdict(elimination=last, elimination_why=why, elimination_short=short, elimination_lines=LINES)


def _score(state: State, which: str, points: int, level: Sequence[str]) -> str:
    shared = f", shared by {state.table.named(level)}" if len(level) > 1 else ""
    return f"{which} score: {points}{shared}"


def _token(state: State, player: str, points: int, level: Sequence[str], choice: Choice | None) -> TokenReason:
    """The token of a player; how votes went only those read who may know the votes."""
    which, voted = state.rules.ending.tokens, state.rules.ending.ties == "vote"
    why = _score(state, which, points, level) + (f"; {choice.why}" if choice else "")
    lines = (*LINES, "votes") if choice and voted else LINES
    how = "lot" if choice and choice.how == "lot" else "won"
    return TokenReason(player, f"{which}_score", why, RULE, lines, f"the {which} score", how)


def _by_hosts(state: State, about: str, among: Sequence[str]) -> Need | None:
    """What hosts must declare: nothing where they did, or ended it with `close ruling`."""
    table, decision = state.table, Decision("ruling", (), tuple(among), about)
    if about == "token":
        declared = {row.players[0] for row in table.standing if row.kind == "token"}
        tied = table.players if state.rules.ending.tokens == "hosts" else among
        settled = any(p in declared or granted(table, p) for p in tied)
    else:
        settled = table.declares(about) is not None
    return None if settled or decision.key in table.closed else Need(decision, 0)


def _settled(state: State, about: str, among: tuple[str, ...], voters: tuple[str, ...]) -> Choice | None:
    """Which one of several that are level it is, or what must be decided first; None where it is all of `among`."""
    ending = state.rules.ending
    if len(among) == 1 or ending.ties == "all":
        return None
    if ending.ties == "hosts":
        return Choice(None, "", _by_hosts(state, about, among))
    return elect(state.table, about, among, voters if ending.ties == "vote" else (), ending.hours)
