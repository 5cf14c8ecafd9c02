"""The views of a player and of the match; each field has its lines. Source: section 5, MM-25."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from events.errors import Refused
from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, Due, Result, VisibleTo
from games.marsmatch.cards import EMPTY, cards_of
from games.marsmatch.combos import beats, formable, rank_of
from games.marsmatch.facts import State
from games.marsmatch.rules import grammar
from games.records import ABSENT
from games.table.endgame import ranked
from games.table.view import decisions, owed, who_left

T = TypeVar("T")


class TrickView(NamedTuple):
    by: str
    cards: tuple[str, ...]
    type: str
    rank: str


class PlayerView(NamedTuple):
    hand: Annotated[tuple[str, ...], VisibleTo("own_hand"), VisibleTo("final_hands", after_end=True)] = ABSENT
    count_: Annotated[int, VisibleTo("hand_sizes")] = ABSENT
    points: Annotated[int, VisibleTo("points")] = ABSENT
    out: Annotated[bool, VisibleTo("plays")] = ABSENT
    title: Annotated[str | None, VisibleTo("points")] = ABSENT
    run: Annotated[int, VisibleTo("plays")] = ABSENT
    """The number of their plays in a row, without a play by anybody else."""


class RoundView(NamedTuple):
    round: int
    banker: str | None
    titles: Mapping[str, str]
    points: Mapping[str, int]
    """Player -> points from titles; players without any are left out."""


class MarsView(NamedTuple):
    """Source: docs/json.md, view of marsmatch."""

    phase: str
    round: Annotated[int, VisibleTo(COURSE)]
    banker: Annotated[str | None, VisibleTo(COURSE)]
    turn: Annotated[str | None, VisibleTo("plays")]
    leader: Annotated[str | None, VisibleTo("plays")]
    trick: Annotated[TrickView | None, VisibleTo("plays")]
    players: Mapping[str, PlayerView]
    """Clockwise, once the seats are drawn."""
    titles: Annotated[Mapping[str, str], VisibleTo("points")] = {}
    rounds: Annotated[tuple[RoundView, ...], VisibleTo("points")] = ()
    ends: Annotated[Instant, VisibleTo("plays")] = ABSENT
    """The end of the present turn; absent without a clock."""
    paused: bool = ABSENT


def of_match(state: State, viewer: str) -> Mapping[str, object]:
    on, ends = state.playing, state.table.ends if state.table.paused is None else None

    def seated(held: Mapping[str, T]) -> dict[str, T]:
        """In the order of the table: that in which titles came about may tell what a host set."""
        return {player: held[player] for player in state.table.players if player in held}

    return {
        "order": state.order,
        "round": state.round,
        "banker": state.banker,
        "turn": state.turn if on else None,
        "leader": state.leader if on else None,
        "trick": trick_of(state) if on else None,
        "titles": seated(state.titles),
        "rounds": tuple(
            RoundView(*one)._replace(titles=seated(one.titles), points=seated(one.points)) for one in state.rounds
        ),
        "ends": ends if on and ends is not None else ABSENT,
    }


def trick_of(state: State) -> TrickView | None:
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
    """The result so far for `viewer`. There are no garnets, tokens or elimination here. Source: section 4."""
    table, plays = state.table, state.may("plays", viewer)
    asked = decisions(table, who=plays, among=plays)
    base = Result(
        table.game, table.status, asked, table.assumptions, garnets={}, tokens={}, elimination=(), left=who_left(table)
    )
    if not state.may("points", viewer):
        return base
    scores = points(state)
    return base._replace(ranking=ranked(scores), scores=scores)


def waiting(state: State) -> tuple[Due, ...]:
    """The player whose turn it is, and until when; and a player who must name who leads."""
    table, due = state.table, owed(state.table, lambda decision: ("plays",))
    if state.playing and state.turn is not None:
        ends, told = table.ends if table.paused is None else None, state.may("plays", state.turn)
        due = (Due(state.turn, "move", table.since, ends, told), *due)
    return due


class MayPlay(NamedTuple):
    """A reading that the hand can form, and cards that form it."""

    type: str
    groups: int
    attached: str
    rank: str
    cards: tuple[str, ...]


class HintView(NamedTuple):
    """Source: docs/json.md, hint."""

    player: str
    turn: bool
    trick: TrickView | None
    """The trick to beat; None: they would lead."""
    plays: tuple[MayPlay, ...]


def hint(state: State, player: str) -> HintView:
    """Every reading that this player could play: against the trick, or to lead with.

    Raises:
        Refused: `marsmatch.no_hint`, they are not in play now.
    """
    if not state.playing or player not in state.active():
        raise Refused("marsmatch.no_hint", f"{state.table.name(player)} is not playing now", "hl board")
    trick, across = state.trick, state.settings.cross_type
    if trick is not None and trick.by == player:
        trick = None
    formed = formable(state.hands.get(player, EMPTY), grammar(state, player))
    able = [combo for combo in formed if trick is None or beats(combo.reading, trick.reading, cross_type=across)]
    plays = tuple(MayPlay(r.type, r.groups, r.attached, rank_of(r), cards_of(cards)) for r, cards in able)
    return HintView(player, state.turn == player, trick_of(state) if trick else None, plays)
