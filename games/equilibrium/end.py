"""The end: Tokens of Life by the conditions, the Elimination Candidate, spare tokens. Source: sections 6 and 7.

Everything here is a pure function of the final hands and of what was voted, given or drawn, so that an override
after the end is followed by the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from events.record import NamedTuple
from games.equilibrium.hands import Worth, placing, worth
from games.equilibrium.state import State
from games.kit.poker import WORDS
from games.kit.tell import count
from games.table import Decision, Need, Spare, Table, TokenReason, Verdict
from games.table.endgame import Worst, eliminate, granted, holders, ranked

RULE = "section 7"
CONDITIONS = {
    "best_er": "best equilibrium",
    "best_poker": "best poker hand",
    "lowest_placing_sum": "lowest sum of the two placings",
    "most_trades": "most trades",
    "most_garnets_earned": "most garnets earned",
    "host_decides": "the host's choice",
}
WHY_LINES = ("final_er", "final_classes")
"""The lines that tell equilibrium and poker hand, by which ties are broken."""
LINES = {
    "best_er": ("final_er",),
    "best_poker": ("final_hands", "final_classes"),
    "lowest_placing_sum": WHY_LINES,
    "most_trades": ("trades",),
    "most_garnets_earned": ("garnet_gained",),
}
"""Condition -> the lines that tell why somebody meets it."""


class Standing(NamedTuple):
    """Every final hand and its two placings."""

    worths: Mapping[str, Worth]
    er: Mapping[str, int]
    poker: Mapping[str, int]


def standing(state: State) -> Standing:
    """What every hand held now is worth and how it places. Source: section 7, placing."""
    worths = {p: worth(state.hands[p], state.settings.er_metric) for p in state.table.players if state.hands.get(p)}
    er = placing({p: w.er for p, w in worths.items()})
    return Standing(worths, er, placing({p: w.poker for p, w in worths.items()}))


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """All players from best to worst by equilibrium, then by poker hand; equal ones together."""
    return ranked({player: (w.er, w.poker) for player, w in standing(state).worths.items()}, lowest=True)


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing while trading goes on."""
    if not state.over or not state.hands:
        return Verdict()
    table, settings, hands = state.table, state.settings, standing(state)
    awards, unwon = _awards(state, hands)
    missing = settings.tol_conditions.count("host_decides") - _by_hosts(table, awards)
    if missing > 0:
        return Verdict(awards, needed=(Need(Decision("ruling", (), table.present, "token"), 0),), unwon=unwon)
    having = holders(table, awards)
    barred = {*having, *(p for p in table.players if p not in hands.worths)}
    worst = eliminate(table, barred, lambda able: _worst(state, hands, able), having, settings.vote_hours)
    spare = Spare(settings.gift_hours, give=settings.multi_tol == "give_away")
    return worst._replace(awards=awards, unwon=unwon, spare=spare)


def _by_hosts(table: Table, awards: Sequence[TokenReason]) -> int:
    """Tokens that hosts gave, by an award or a declaration: what somebody won by the rules is none of them."""
    won = Counter(award.player for award in awards)
    rows = (row for row in table.standing if row.kind == "token")
    declared = sum(max(0, (row.tokens or 0) - won[row.players[0]]) for row in rows)
    return declared + sum(max(0, granted(table, p)) for p in table.players)


def _awards(state: State, hands: Standing) -> tuple[tuple[TokenReason, ...], tuple[TokenReason, ...]]:
    """One token a condition, in order; and those that nobody wins.

    A tie goes to the better ER, then the better poker hand, then to nobody.
    """
    awards: list[TokenReason] = []
    unwon: list[TokenReason] = []
    for condition in state.settings.tol_conditions:
        if condition == "host_decides":
            continue
        taken = [award.player for award in awards] if state.settings.multi_tol == "next_best" else []
        able = [p for p in state.table.may_win if p in hands.worths and p not in taken]
        measure = _measure(state, hands, condition)
        keys = {p: (measure(p), hands.worths[p].er, hands.worths[p].poker) for p in able}
        best = [p for p in able if keys[p] == min(keys.values())]
        label, lines = CONDITIONS[condition], LINES[condition]
        if len(best) == 1:
            why, tied = _why(state, hands, condition, best[0]), [p for p in able if measure(p) == measure(best[0])]
            if len(tied) > 1:
                others = state.table.named(p for p in tied if p != best[0])
                why, lines = f"{why}; ahead of {others} by the tie-breaks", (*lines, *WHY_LINES)
            awards.append(TokenReason(best[0], condition, why, RULE, lines, label))
        elif best:
            why = f"{label}: {state.table.named(best)} are equal also by the tie-breaks, so nobody wins it"
            unwon.append(TokenReason("", condition, why, RULE, (*lines, *WHY_LINES), f"{label}: a tie, nobody wins it"))
    return tuple(awards), tuple(unwon)


def _measure(state: State, hands: Standing, condition: str) -> Callable[[str], tuple[int, ...]]:
    """What a condition compares; smaller is better. Source: EQ-3."""
    measures: dict[str, Callable[[str], tuple[int, ...]]] = {
        "best_er": lambda p: hands.worths[p].er,
        "best_poker": lambda p: hands.worths[p].poker,
        "lowest_placing_sum": lambda p: (hands.er[p] + hands.poker[p],),
        "most_trades": lambda p: (-len(state.partners(p)),),
        "most_garnets_earned": lambda p: (-state.received(p),),
    }
    return measures[condition]


def _why(state: State, hands: Standing, condition: str, player: str) -> str:
    w = hands.worths[player]
    detail = {
        "best_er": f"difference {w.difference}, total {w.total}",
        "best_poker": f"{WORDS[w.ranked.name]} ({' '.join(state.hands[player])})",
        "lowest_placing_sum": f"placings {hands.er[player]} + {hands.poker[player]}",
        "most_trades": count(len(state.partners(player)), "trade"),
        "most_garnets_earned": count(state.received(player), "garnet"),
    }[condition]
    return f"{CONDITIONS[condition]}: {detail}"


def _worst(state: State, hands: Standing, able: Sequence[str]) -> Worst:
    """Those of `able` who have the worst ER, and of these the worst poker hand. Source: section 7, EC."""
    worst_er = max(hands.worths[p].er for p in able)
    tied = [p for p in able if hands.worths[p].er == worst_er]
    last = max(hands.worths[p].poker for p in tied)
    worst = tuple(p for p in tied if hands.worths[p].poker == last)
    w = hands.worths[worst[0]]
    why = f"worst equilibrium without a token: difference {w.difference}, total {w.total}"
    if len(tied) > 1:
        why += f"; poker hand {WORDS[w.ranked.name]}"
    if len(worst) > 1:
        why += f"; {state.table.named(worst)} are equal in both"
    return Worst(worst, why, "the worst equilibrium without a token", WHY_LINES)
