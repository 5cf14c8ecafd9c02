"""Things that need a host: ends that have passed, contested entries, broken laws, decisions to make."""

from __future__ import annotations

from games.spans import show_span
from games.table.rounds import not_counted
from ledger.core.clock import now_ms
from ledger.core.match import Match
from ledger.core.times import show_time
from ledger.tell.ends import passed
from ledger.tell.reports import Shown

DECIDED_BY = {
    "token": "hl award PLAYER tokens 1, or hl declare token PLAYER N --note WHY",
    "elimination": "hl declare elimination PLAYER --note WHY",
}
"""The subject of a ruling -> the line that settles it; games may have other subjects."""


def needs(match: Match, point: Shown) -> list[str]:
    """One line for each thing a host should look at. Compares with the clock; changes nothing."""
    state, fold = point.fold.state, point.fold
    table = state.table
    lines = []
    end, now = match.game.due(state), now_ms()
    if end is not None and end <= now:
        lines.append(passed(end, now, table))
    elif end is not None:
        lines.append(f"the next end comes in {show_span(end - now)}")
    for outcome in fold.contested:
        assert outcome.refusal is not None
        seq, do = outcome.live.seq, outcome.live.do
        settle = f'settle it: hl undo {seq}, hl amend {seq} KEY=VALUE, or hl ruling --about {seq} "TEXT"'
        lines.append(f"entry {seq} ({do}) is contested and changes nothing: {outcome.refusal.what}; {settle}")
        lines += [f"  (host only: {outcome.refusal.host_only})"] if outcome.refusal.host_only else []
    for replacement in match.judged().replaced:
        if not replacement.ruled:
            deed = f"{replacement.what} ({show_time(replacement.at, match.zone)})"
            lines.append(f"{deed}, and no ruling says why: hl ruling TEXT --about {replacement.seq}")
    lines += [f"a law is broken: {law}" for law in match.game.invariants(state)]
    lines += match.game.unpaid(state)
    for fact in not_counted((fact for outcome in fold.outcomes for fact in outcome.facts), table.phase):
        seq = fact.sheet.seq
        lines.append(f"late, not counted: {table.name(fact.player)}, entry {seq}; hl ruling admit {seq} lets it count")
    for due in match.game.waiting(state):
        lines.append(f"{table.name(due.who)} owes a {due.what}")
    for decision in table.decisions:
        if decision.kind == "lot":
            lines.append("a lot must decide: hl lot")
        elif decision.kind == "ruling":
            settles = DECIDED_BY.get(decision.about.partition(":")[0], "hl ruling TEXT")
            lines.append(f"a host must decide on the {decision.about}: {settles}")
    if table.assumptions and table.status == "setup":
        lines.append(f"{len(table.assumptions)} rules are assumptions: hl assumptions")
    return lines
