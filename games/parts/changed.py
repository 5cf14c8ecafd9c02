"""What of a result that was told has changed: what it was, what it is, and why.

Belongs here: the comparison of two states of a match that is over. Does not belong here: who is told of it (words.py),
and what is asked before it is recorded (the ledger).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from games.contract import Action, Fact, Game
from games.parts.shown import places
from games.table import actions as shared
from games.table.facts import ResultChanged
from games.table.state import Table

Kind: TypeAlias = Literal["elimination", "winner", "tokens", "scores", "ranking"]
Pairs: TypeAlias = tuple[tuple[str, int], ...]
Row: TypeAlias = tuple[Kind, Pairs, Pairs]
CAUSES: Mapping[type, str] = {
    shared.Declare: "the hosts declared it",
    shared.Award: "the hosts gave or took",
    shared.Penalty: "a penalty",
    shared.Override: "the hosts set right what the rules count",
    shared.AmendSetting: "a setting is another",
    shared.Reopen: "the hosts opened it again",
    shared.Drop: "a player left",
    shared.Replace: "a player came back",
}
"""What hosts record after the end -> why the result is another, in words that tell nothing else."""


def cause(action: Action) -> str:
    """Why an action changes a result."""
    return CAUSES.get(type(action), "it was decided anew")


def changed(game: Game, before: Any, after: Any, why: str) -> tuple[Fact, ...]:
    """What was told of the result before, and is something else after. Nothing before the end.

    Still open decisions that are settled change nothing that was told.
    """
    if before.table is after.table or not game.over(before):
        return ()
    rows: list[Row] = [*_table(before.table, after.table)]
    if game.over(after) and not after.table.void and not before.table.void:
        rows += _ranks(game, before, after)
    return tuple(ResultChanged(kind, was, now, why) for kind, was, now in rows)


def _table(before: Table, after: Table) -> Iterator[Row]:
    """Elimination, winners and tokens."""
    was_told = before.status == "finished"
    kinds: tuple[tuple[Kind, tuple[str, ...], tuple[str, ...]], ...] = (
        ("elimination", before.elimination, after.elimination),
        ("winner", before.winners, after.winners),
    )
    for kind, was, now in kinds:
        if was != now and (was or was_told):
            yield kind, tuple((p, 1) for p in was), tuple((p, 1) for p in now)
    held, holds = _held(before), _held(after)
    if held != holds and (was_told or _withdrawn(before, after)):
        yield "tokens", held, holds


def _held(table: Table) -> Pairs:
    return tuple((p, n) for p in table.players if (n := table.tokens.get(p, 0)) > 0)


def _withdrawn(before: Table, after: Table) -> bool:
    """Is a token, or a gift of one, taken back? A gift that is made, or a spare that lapses, is none."""
    lost = Counter(before.awards) - Counter(after.awards) or Counter(before.given) - Counter(after.given)
    return bool(lost) or any(
        before.granted.get(p, 0) > after.granted.get(p, 0) or before.taken.get(p, 0) < after.taken.get(p, 0)
        for p in before.players
    )


def _ranks(game: Game, before: Any, after: Any) -> Iterator[Row]:
    """Scores; places where these do not follow from the scores, or these have not changed."""
    if game.scored is None:
        return
    was, now = game.scored.scores(before), game.scored.scores(after)
    kind: Kind = "scores"
    stood, stands = _places(game, before, was), _places(game, after, now)
    if was == now or (game.scored.ranking is not None and stood != stands):
        kind, was, now = "ranking", stood, stands
    moved = [p for p in was if p in now and was[p] != now[p]]
    if moved:
        yield kind, tuple((p, was[p]) for p in moved), tuple((p, now[p]) for p in moved)


def _places(game: Game, state: Any, scores: Mapping[str, int]) -> dict[str, int]:
    """Player -> place; who stands level shares one."""
    groups = places(game, state, scores)
    return {p: 1 + sum(map(len, groups[:n])) for n, group in enumerate(groups) for p in group}
