"""The views of a player and of the match; each field has its lines. Source: section 6, HX-17, HX-18."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from events.audiences import HOST_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, OWN, VisibleTo
from games.hex_parties import actions as a
from games.hex_parties.board import PARITIES, Parity, bonus_words, bonuses_of, on_board
from games.hex_parties.facts import Record, State, move, sides, standing_cells
from games.hex_parties.rules import victory_cells
from games.kinds import Player
from games.records import ABSENT
from games.table.rounds import standing
from games.table.state import Round


class PlayerView(NamedTuple):
    odd: Annotated[str, VisibleTo("positions")] = ABSENT
    even: Annotated[str, VisibleTo("positions")] = ABSENT
    points: Annotated[int, VisibleTo("points")] = ABSENT
    garnets: Annotated[int, VisibleTo("own_garnets")] = ABSENT
    bonuses_used: Annotated[tuple[str, ...], VisibleTo("bonus_use")] = ABSENT
    victory_cells: Annotated[tuple[str, ...], VisibleTo("victory_cells")] = ABSENT
    """The cells on which they would end the match by scoring in the current round."""


class PlacesView(NamedTuple):
    """The cells of a player's pieces; a piece off the board is absent."""

    odd: str = ABSENT
    even: str = ABSENT

    def there(self) -> tuple[tuple[Parity, str], ...]:
        return tuple((which, cell) for which, cell in zip(PARITIES, self, strict=True) if cell is not ABSENT)


class PartyView(NamedTuple):
    cells: tuple[str, ...]
    size: int
    scores: str


class BouncedView(NamedTuple):
    player: Player
    piece: str
    to: str


class IllegalView(NamedTuple):
    player: Player
    piece: str
    to: str
    why: Annotated[str, VisibleTo("positions")] = ABSENT


REVEALED = VisibleTo(COURSE, when=lambda state: state.over and state.settings.reveal_orders_at_end)
"""Only their owner sees orders that failed, unless this setting reveals them at the end. Source: HX-18."""


class RoundView(NamedTuple):
    """A resolved round, with `positions` and `points` after it."""

    round: Annotated[int, VisibleTo(COURSE)]
    positions: Annotated[Mapping[str, PlacesView], VisibleTo("positions", each=True)] = {}
    parties: Annotated[tuple[PartyView, ...], VisibleTo("positions")] = ABSENT
    gained: Annotated[Mapping[str, int], VisibleTo("points", each=True)] = {}
    points: Annotated[Mapping[str, int], VisibleTo("points", each=True)] = {}
    bounced: Annotated[tuple[BouncedView, ...], REVEALED, VisibleTo("failed_orders", each=True)] = ABSENT
    illegal: Annotated[tuple[IllegalView, ...], REVEALED, VisibleTo("failed_orders", each=True)] = ABSENT


class HexView(NamedTuple):
    """Source: docs/json.md, view of hex_parties."""

    phase: str
    ends: Instant | None
    round: Annotated[int, VisibleTo(COURSE)]
    players: Mapping[str, PlayerView]
    rounds: Annotated[tuple[RoundView, ...], VisibleTo(COURSE)]
    winners: Annotated[tuple[str, ...], VisibleTo("winners")] = ABSENT
    sides_known: Annotated[bool, VisibleTo(COURSE)] = ABSENT
    """True once round 1 is resolved; before, `odd` is the first listed piece, or the viewer's own choice."""
    bonuses: Annotated[tuple[str, ...], VisibleTo(COURSE)] = ABSENT
    """The movement bonuses of the match in words; absent if there are none."""
    closed: bool = ABSENT
    """True once orders of this round have ended."""
    paused: bool = ABSENT
    sheets: Annotated[Mapping[str, str | None], VisibleTo(OWN, each=True)] = ABSENT
    """Player -> the sheet that counts in the current round, if the viewer may know it; `blank` if on purpose."""


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    """The view of a player. Until round 1 is resolved only they see which piece they chose as the odd one."""
    cells = standing_cells(state) if viewer in (HOST_VIEWER, player) else state.cells
    points = state.points[player]
    return PlayerView(
        cells.get((player, "odd"), ABSENT),
        cells.get((player, "even"), ABSENT),
        points,
        state.table.garnets(player),
        tuple(sorted(state.used.get(player, ()))),
        victory_cells(points) if state.may_be_won else (),
    )


def of_match(state: State, viewer: str) -> Mapping[str, object]:
    return {
        "round": state.number,
        "rounds": tuple(_round(state, record) for record in state.results),
        "winners": state.winners,
        "sides_known": bool(state.results),
        "bonuses": tuple(map(bonus_words, bonuses_of(state.settings.bonuses).values())) or ABSENT,
    }


def _round(state: State, record: Record) -> RoundView:
    players, cells = state.table.players, record.cells
    return RoundView(
        record.number,
        {p: PlacesView(*(cells.get((p, which), ABSENT) for which in PARITIES)) for p in players if on_board(cells, p)},
        tuple(PartyView(party.cells, len(party.cells), party.scores) for party in record.parties),
        {p: record.gained.get(p, 0) for p in players},
        record.points,
        tuple(BouncedView(x.player, x.piece, x.to) for x in record.bounced),
        tuple(IllegalView(x.player, x.piece, x.to, x.why) for x in record.illegal),
    )


def sheet_words(round_: Round, player: str) -> str | None:
    """The sheet of a player that counts, as a host would type it."""
    choice, orders = sides(round_, player), move(round_, player)
    parts = [f"sides {choice.cell}"] if choice is not None else []
    if orders is not None:
        parts.append(a.spelled(orders))
    elif standing(round_, player) == "blank":
        parts.append("blank")
    return ", ".join(parts) or None
