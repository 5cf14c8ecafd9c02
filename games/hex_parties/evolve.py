"""The state after each fact, and the laws that hold unless a host overrode them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from games.contract import Fact
from games.hex_parties import facts as f
from games.hex_parties.cells import Parity, placed
from games.hex_parties.facts import Record, State, with_odd
from games.kit.sealed import RoundResolved
from games.parts import Evolve
from games.table import facts as table_facts


def with_piece(state: State, player: str, which: Parity, cell: str) -> State:
    """The state with that piece on that cell."""
    return state._replace(cells={**state.cells, (player, which): cell})


def _noted(field: str) -> Callable[[State, Fact], State]:
    """The fact is kept in that field of the record of the round."""

    def put(fact: Fact, state: State) -> State:
        kept: dict[str, Any] = {field: (*getattr(state.now, field), fact)}
        return state._replace(now=state.now._replace(**kept))

    return put


def _points(fact: f.PointsScored, state: State) -> State:
    now = state.now._replace(gained={**state.now.gained, fact.player: fact.points})
    return state._replace(now=now, points={**state.points, fact.player: state.points[fact.player] + fact.points})


def _resolved(fact: RoundResolved, state: State) -> State:
    record = state.now._replace(cells=state.cells, points=state.points)
    return state._replace(results=(*state.results, record), now=Record(record.number + 1))


def _amended(fact: table_facts.SettingAmended, state: State) -> State:
    fresh = state.table.status == "setup"
    return state._replace(cells=placed(state.settings.start, state.table.players)) if fresh else state


EVOLVE: Evolve[State] = {
    **dict.fromkeys((f.OrderFaulty, f.BonusIgnored, f.BonusReturned), lambda fact, state: state),
    f.ParityChosen: lambda fact, state: state._replace(cells=with_odd(state.cells, fact.player, fact.cell)),
    f.OrderIllegal: _noted("illegal"),
    f.BonusUsed: lambda fact, state: state._replace(
        used={**state.used, fact.player: (*state.used.get(fact.player, ()), fact.bonus)}
    ),
    f.PieceBounced: _noted("bounced"),
    f.PieceMoved: lambda fact, state: with_piece(state, fact.player, fact.piece, fact.to),
    f.PartyFormed: _noted("parties"),
    f.PointsScored: _points,
    f.VictoryReached: lambda fact, state: state._replace(reached=(*state.reached, fact)),
    f.PlayEnded: lambda fact, state: state._replace(over=True, winners=fact.winners, closing=dict(fact.garnets)),
    RoundResolved: _resolved,
    table_facts.SettingAmended: _amended,
}


def broken_laws(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: one piece a cell, each bonus once."""
    standing_: dict[str, list[str]] = {}
    for (player, which), cell in state.cells.items():
        standing_.setdefault(cell, []).append(f"{player}'s {which} piece")
    yield from (f"{' and '.join(pieces)} stand on {cell}" for cell, pieces in standing_.items() if len(pieces) > 1)
    for player, names in state.used.items():
        yield from (f"{player} used {name} twice" for name in set(names) if names.count(name) > 1)
