"""Why somebody holds a token or is Elimination Candidate, as far as a viewer may know it.

Belongs here: the rows, from what the rules and the hosts say of the end, and who may read which words of them. Does not
belong here: the sentences made of them (games/table/report.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from events.audiences import HOST_VIEWER
from events.record import NamedTuple
from games.contract import Game, May
from games.records import ABSENT
from games.table.endgame import DECLARED, Ruled, granted, ruled
from games.table.report import TOLD
from games.table.state import Need, Table, TokenReason, Verdict


class Row(NamedTuple):
    """One token, or one Elimination Candidate."""

    player: str
    """Empty: nobody."""
    how: str
    by: tuple[str, ...] = ()
    why: str = ""
    """For the hosts, and for who may know all of `lines`."""
    lines: tuple[str, ...] | None = ()
    """None: hosts only."""
    short: str = ""
    """For who may know no more than that it is so."""
    voted: str = ""
    """How the votes went, for who may know the votes."""


def as_it_is(state: Any) -> Verdict:
    """Of a game that ends itself: it has told who won, and what is still asked."""
    table = state.table
    needs = tuple(Need(decision, 0) for decision in table.decisions)
    return Verdict(needed=needs, winners=table.winners, losers=table.losers)


def reasons(game: Game, may: May, state: Any, viewer: str) -> Any:
    """`{"tokens": [...], "elimination": [...]}`, what the viewer may be told of it; `ABSENT` before the end."""
    table = state.table
    if table.void or not game.over(state):
        return ABSENT

    def open_(line: str, concerned: tuple[str, ...] = ()) -> bool:
        there = line in game.visibility or line in game.match_lines
        return viewer == HOST_VIEWER or (there and may(state, line, viewer, concerned))

    def cut(row: Row) -> Mapping[str, Any]:
        all_of_it = viewer == HOST_VIEWER or (row.lines is not None and all(map(open_, row.lines)))
        votes = open_("votes")
        why = "; ".join(part for part in (row.why if all_of_it else row.short, row.voted if votes else "") if part)
        entry: dict[str, Any] = {"player": row.player} if row.player else {}
        entry |= {"how": row.how if votes or row.how != "weights" else "vote"}
        entry |= {"by": list(row.by)} if row.by and (votes or row.how not in ("vote", "weights")) else {}
        return entry | ({"why": why} if why else {})

    end = ruled(table, (game.verdict or as_it_is)(state))
    rows = {"tokens": _tokens(table, end), "elimination": _elimination(table, end.verdict)}
    visible = {
        line: [cut(row) for row in entries if open_(line, (row.player,) if row.player else ())]
        for line, entries in rows.items()
    }
    return visible if any(visible.values()) else ABSENT


def _public_reason(table: Table, kind: str, player: str) -> tuple[str, str]:
    """(for hosts, for others): why hosts declared it."""
    for row in table.standing:
        if row.kind == kind and (kind != "token" or row.players == (player,)):
            why = table.reasons.get(row.seq)
            return (why.text, "" if why.private else why.text) if why else ("", "")
    return "", ""


def _tokens(table: Table, end: Ruled) -> Iterator[Row]:
    for award in end.verdict.awards:
        yield _award(table, award)
    for player in table.players:
        if number := granted(table, player) - table.taken.get(player, 0):
            yield Row(player, "awarded" if number > 0 else "taken")
    for giver, receiver in end.spares.given:
        yield Row(receiver, "given", (giver,))
    without = [p for p in table.players if end.tokens.get(p, 0) < 1 and p not in end.verdict.elimination]
    spare = end.verdict.spare
    for player in end.spares.lapsed:
        if spare is not None and not spare.give:
            why = "a second token cannot be given away"
        elif not without:
            why = "there is nobody to give it to"
        else:
            why = "its holder left" if player in table.left else "it was not given away in time"
        yield Row(player, "lapsed", (), why, ("elimination",))
    for award in end.verdict.unwon:
        yield Row("", "nobody", (), award.why, award.lines, award.short)


def _award(table: Table, award: TokenReason) -> Row:
    if award.condition != DECLARED:
        return Row(award.player, award.how, award.by, award.why, award.lines, award.short)
    host, others = _public_reason(table, "token", award.player)
    return Row(award.player, DECLARED, (), host or TOLD, None, others or TOLD)


def _elimination(table: Table, verdict: Verdict) -> Iterator[Row]:
    if verdict.elimination != table.elimination:
        return
    if verdict.elimination_how == DECLARED:
        host, others = _public_reason(table, "elimination", "")
        for player in verdict.elimination or ("",):
            yield Row(player, DECLARED, (), host or TOLD, None, others or TOLD)
        return
    if not verdict.elimination:
        if verdict.elimination_why and not verdict.needed:
            yield Row("", "nobody", (), verdict.elimination_why, verdict.elimination_lines)
        return
    choice, base = verdict.choice, verdict.elimination_base or verdict.elimination_why
    how = verdict.elimination_how if choice is None or choice.how == "rank" else choice.how
    voted = "" if choice is None or choice.how not in ("vote", "weights", "lot") else choice.why
    if choice is not None and choice.weighed is not None:
        held = dict(choice.weighed.garnets)
        cast = (f"{table.name(v)} with {held[v]} for {table.name(c)}" for v, c in choice.weighed.votes)
        voted += f" ({', '.join(cast)})"
    for player in verdict.elimination:
        why = verdict.elimination_each.get(player, base)
        yield Row(
            player, how, choice.by if choice else (), why, verdict.elimination_lines, verdict.elimination_short, voted
        )
