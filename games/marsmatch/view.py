"""State -> View: the only reader of State for output, built up by what is allowed. Source: section 5, MM-25."""

from __future__ import annotations

from collections.abc import Mapping

from events.audiences import EVERYBODY, Audience
from events.instants import write_end
from events.record import NamedTuple
from games.contract import Action, Due, Result
from games.marsmatch import actions as a
from games.marsmatch.cards import EMPTY, Hand, cards_of
from games.marsmatch.names import rank_of
from games.marsmatch.state import State
from games.records import ABSENT
from games.table import actions as shared
from games.table.view import allowed, decisions, everybody_who_knows, line_audience, owed, shared_audience


class TrickView(NamedTuple):
    """The play that is to be beaten."""

    by: str
    cards: tuple[str, ...]
    type: str
    rank: str


class PlayerView(NamedTuple):
    """What the viewer may know of one player."""

    hand: tuple[str, ...] = ABSENT
    count_: int = ABSENT
    points: int = ABSENT
    out: bool = ABSENT
    title: str | None = ABSENT
    run: int = ABSENT
    """How many plays in a row are his, nobody else having played in between."""


class MarsView(NamedTuple):
    """Source: docs/json.md, view of marsmatch."""

    phase: str
    round: int
    banker: str | None
    turn: str | None
    leader: str | None
    trick: TrickView | None
    players: Mapping[str, PlayerView]
    """Clockwise, once the seats are drawn."""
    titles: Mapping[str, str]
    ends: str = ABSENT
    """When the time of the present turn is over; absent where no clock runs."""
    paused: bool = ABSENT
    """True while the clock is paused; otherwise absent."""


def may(state: State, key: str, viewer: str, owner: str | None = None) -> bool:
    """May `viewer` know the datum of line `key` that concerns `owner`?"""
    return allowed(state.table, key, viewer, (owner,), over=over(state))


def over(state: State) -> bool:
    """Is the match finished? A run that a host has to judge keeps it open."""
    return state.table.status == "finished"


def view(state: State, viewer: str) -> MarsView:
    """The match as `viewer` (`host`, `public` or a player) may know it."""
    table, playing = state.table, state.playing
    plays = may(state, "plays", viewer)
    points = may(state, "points", viewer)
    ends = table.ends if playing and plays else None
    return MarsView(
        phase=table.phase,
        round=state.round,
        banker=state.banker,
        turn=state.turn if playing and plays else None,
        leader=state.leader if playing and plays else None,
        trick=_trick(state) if playing and plays else None,
        players={p: _player(state, viewer, p) for p in state.order},
        titles=dict(state.titles) if points else {},
        ends=write_end(ends) if ends is not None else ABSENT,
        paused=True if table.paused is not None else ABSENT,
    )


def _trick(state: State) -> TrickView | None:
    if state.trick is None:
        return None
    by, cards, reading = state.trick
    return TrickView(by, cards_of(cards), reading.type, rank_of(reading))


def _player(state: State, viewer: str, player: str) -> PlayerView:
    hand: Hand = state.hands.get(player, EMPTY)
    shown = PlayerView()
    if may(state, "own_hand", viewer, player) or (over(state) and may(state, "final_hands", viewer, player)):
        shown = shown._replace(hand=cards_of(hand))
    if may(state, "hand_sizes", viewer, player):
        shown = shown._replace(count_=sum(hand))
    if may(state, "points", viewer, player):
        title = state.titles.get(player)
        shown = shown._replace(points=state.points.get(player, 0), title=title)
    if may(state, "plays", viewer, player):
        run = state.run if player == state.runner and state.playing else 0
        shown = shown._replace(out=player in state.out, run=run)
    return shown


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`. Garnets, tokens and elimination do not exist here. Source: section 4."""
    table = state.table
    plays = may(state, "plays", viewer)
    open_ = decisions(table, who=plays, among=plays)
    base = Result(table.game, table.status, open_, table.assumptions, garnets={}, tokens={}, elimination=())
    if not may(state, "points", viewer):
        return base
    scores = {p: state.points.get(p, 0) for p in table.players}
    groups = tuple(tuple(p for p in scores if scores[p] == n) for n in sorted(set(scores.values()), reverse=True))
    return base._replace(ranking=groups, scores=scores)


def audience(state: State, action: Action) -> Audience:
    """Who may see that entry opened. What is played is public, where the information table says so."""
    match action:
        case a.Draw():
            return EVERYBODY
        case shared.Hand():
            return line_audience(state.table, "own_hand", None, action.player)
        case a.Play() | a.Pass() | a.Timeout() | shared.Choose():
            return line_audience(state.table, "plays", "plays", action.player)
        case shared.Deadline():  # of a turn
            return everybody_who_knows(state.table, "plays")
        case _:
            return shared_audience(state.table, action, ("plays",))


def waiting(state: State) -> tuple[Due, ...]:
    """Whose turn it is, and until when; and whoever has to name who leads."""
    table, due = state.table, owed(state.table, lambda decision: ("plays",))
    if state.playing and state.turn is not None:
        ends = table.ends if table.paused is None else None
        due = (Due(state.turn, "move", table.since, ends), *due)
    return due
