"""State -> View: the only reader of State for output; the marks say who may see what. Source: section 5, MM-25."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from events.audiences import Audience
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Due, Result
from games.marsmatch.cards import EMPTY, cards_of
from games.marsmatch.names import rank_of
from games.marsmatch.facts import State
from games.parts import COURSE, Line
from games.records import ABSENT
from games.table import actions as shared
from games.table.endgame import ranked
from games.table.view import allowed, decisions, everybody_who_knows, line_audience, owed, who_left


class TrickView(NamedTuple):
    """The play that is to be beaten."""

    by: str
    cards: tuple[str, ...]
    type: str
    rank: str


class PlayerView(NamedTuple):
    hand: Annotated[tuple[str, ...], Line("own_hand"), Line("final_hands", after_end=True)] = ABSENT
    count_: Annotated[int, Line("hand_sizes")] = ABSENT
    points: Annotated[int, Line("points")] = ABSENT
    out: Annotated[bool, Line("plays")] = ABSENT
    title: Annotated[str | None, Line("points")] = ABSENT
    run: Annotated[int, Line("plays")] = ABSENT
    """How many plays in a row are theirs, nobody else having played in between."""


class RoundView(NamedTuple):
    """A round that is over."""

    round: int
    banker: str | None
    titles: Mapping[str, str]
    points: Mapping[str, int]
    """What the titles brought; who won none is not listed."""


class MarsView(NamedTuple):
    """Source: docs/json.md, view of marsmatch."""

    phase: str
    round: Annotated[int, Line(COURSE)]
    banker: Annotated[str | None, Line(COURSE)]
    turn: Annotated[str | None, Line("plays")]
    leader: Annotated[str | None, Line("plays")]
    trick: Annotated[TrickView | None, Line("plays")]
    players: Mapping[str, PlayerView]
    """Clockwise, once the seats are drawn."""
    titles: Annotated[Mapping[str, str], Line("points")] = {}
    rounds: Annotated[tuple[RoundView, ...], Line("points")] = ()
    """Those that are over."""
    ends: Annotated[Instant, Line("plays")] = ABSENT
    """When the time of the present turn is over; absent where no clock runs."""
    paused: bool = ABSENT
    """True while the clock is paused; otherwise absent."""


def over(state: State) -> bool:
    """Is the match finished? A run that a host has to judge keeps it open."""
    return state.table.status == "finished"


def may(state: State, line: str, viewer: str) -> bool:
    """May `viewer` know what is in that line, of whomever?"""
    return allowed(state.table, line, viewer, (), over=over(state))


def of_match(state: State, viewer: str) -> Mapping[str, Any]:
    """All that there is; of a turn, while one is on."""
    on, ends = state.playing, state.table.ends
    return {
        "order": state.order,
        "round": state.round,
        "banker": state.banker,
        "turn": state.turn if on else None,
        "leader": state.leader if on else None,
        "trick": trick_of(state) if on else None,
        "titles": dict(state.titles),
        "rounds": tuple(RoundView(*round_) for round_ in state.rounds),
        "ends": ends if on and ends is not None else ABSENT,
    }


def trick_of(state: State) -> TrickView | None:
    """The play that is to be beaten now."""
    if state.trick is None:
        return None
    by, cards, reading = state.trick
    return TrickView(by, cards_of(cards), reading.type, rank_of(reading))


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    hand = state.hands.get(player, EMPTY)
    run = state.run if player == state.runner and state.playing else 0
    points, title = state.points.get(player, 0), state.titles.get(player)
    return PlayerView(cards_of(hand), sum(hand), points, player in state.out, title, run)


def points(state: State) -> Mapping[str, int]:
    """Player -> points of all rounds."""
    return {p: state.points.get(p, 0) for p in state.table.players}


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`. Garnets, tokens and elimination do not exist here. Source: section 4."""
    table, plays = state.table, may(state, "plays", viewer)
    asked = decisions(table, who=plays, among=plays)
    base = Result(
        table.game, table.status, asked, table.assumptions, garnets={}, tokens={}, elimination=(), left=who_left(table)
    )
    if not may(state, "points", viewer):
        return base
    scores = points(state)
    return base._replace(ranking=ranked(scores), scores=scores)


AUDIENCE: Mapping[type, Callable[[State, Any], Audience]] = {
    shared.Choose: lambda state, action: line_audience(state.table, "plays", "plays", action.player),
    shared.Deadline: lambda state, action: everybody_who_knows(state.table, "plays"),  # of a turn
}
"""Shared entries that tell something of this game."""


def waiting(state: State) -> tuple[Due, ...]:
    """Whose turn it is, and until when; and whoever has to name who leads."""
    table, due = state.table, owed(state.table, lambda decision: ("plays",))
    if state.playing and state.turn is not None:
        due = (Due(state.turn, "move", table.since, table.ends if table.paused is None else None), *due)
    return due
