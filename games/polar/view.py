"""The views of a player and of the match; each field has its line. Source: section 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from events.audiences import HOST_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, HOSTS, OWN, Label, VisibleTo
from games.parts.rules import number_of
from games.polar.actions import ROOMS, in_words
from games.polar.facts import Played, State
from games.polar.sheets import prices
from games.records import ABSENT
from games.table import rounds as sealed


def numbered(bombs: Mapping[str, int]) -> str:
    """`2 confetti 1 double`."""
    return " ".join(f"{n} {bomb}" for bomb, n in bombs.items())


def used(bomb: str, room: str) -> str:
    """`double on rock`."""
    return f"{bomb} on {room}"


class PlayerView(NamedTuple):
    """What the viewer may know of a player. Players see None for `room` and `sign` until the pregame is resolved."""

    room: Annotated[str | None, VisibleTo("rooms"), Label("room", say=lambda room: (room or "").title())] = ABSENT
    sign: Annotated[str | None, VisibleTo("signs"), Label("sign")] = ABSENT
    points: Annotated[int, VisibleTo("scoreboard"), Label("points", number=True)] = ABSENT
    tickets: Annotated[int, VisibleTo("tickets"), Label("tickets", number=True)] = ABSENT
    swaps: Annotated[int, VisibleTo("swaps"), Label("swaps", number=True)] = ABSENT
    bombs: Annotated[Mapping[str, int], VisibleTo("bombs"), Label("bombs", say=numbered)] = ABSENT
    garnets: Annotated[int, VisibleTo("garnets"), Label("garnets", number=True)] = ABSENT
    prices: Annotated[Mapping[str, int], VisibleTo("prices", hosts=False)] = ABSENT
    """Kind -> the price of the next purchase. Not for the hosts, who type what players want."""
    invalid: Annotated[tuple[str, ...], VisibleTo("invalid_items", hosts=False)] = ABSENT
    """The items of the sheet that did not count in the last resolved round. Not for the hosts, who have the log."""
    channels: Annotated[tuple[str, ...], VisibleTo("channels", hosts=False)] = ABSENT
    """The rooms in which the player may talk now. Not for the hosts, who see where everybody is."""


class RoundView(NamedTuple):
    round: Annotated[int, VisibleTo(COURSE)]
    rooms: Annotated[Mapping[str, tuple[str, ...]], VisibleTo(COURSE)] = ABSENT
    """Cut by `_rooms`: a room may have players in it that the viewer sees, and others."""
    signs: Annotated[Mapping[str, str], VisibleTo("signs", each=True)] = ABSENT
    bombs: Annotated[Mapping[str, Mapping[str, int]], VisibleTo("bombs_on_rooms")] = ABSENT
    scores: Annotated[Mapping[str, int], VisibleTo("scoreboard", each=True)] = ABSENT
    totals: Annotated[Mapping[str, int], VisibleTo("scoreboard", each=True)] = ABSENT
    users: Annotated[Mapping[str, str], VisibleTo("bomb_users", hosts=False, each=True)] = ABSENT
    """Player -> `double on rock`, if `visibility.bomb_users` allows it; never for the hosts, who have the log."""


class PolarView(NamedTuple):
    """Source: docs/json.md, view of polar."""

    phase: str
    round: Annotated[int, VisibleTo(COURSE)]
    """The current or else the last round; 0 in the pregame."""
    ends: Instant | None
    players: Mapping[str, PlayerView]
    rounds: Annotated[tuple[RoundView, ...], VisibleTo(COURSE)]
    begin: Annotated[RoundView, VisibleTo(COURSE)] = ABSENT
    """Rooms and signs at the start; absent before the pregame is resolved."""
    of: Annotated[int, VisibleTo(COURSE)] = ABSENT
    closed: bool = ABSENT
    submitted: bool = ABSENT
    sheet: Annotated[str | None, VisibleTo(OWN)] = ABSENT
    """The viewer's own sheet that counts now, in words; None if silent."""
    paused: bool = ABSENT
    sheets: Annotated[Mapping[str, str | None], VisibleTo(HOSTS)] = ABSENT


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    """The complete view of a player. Hosts know where each begins before the pregame is resolved."""
    held, placed = state.players[player], bool(state.history) or viewer == HOST_VIEWER
    void = state.history[-1].void.get(player, ()) if state.history else ()
    return PlayerView(
        room=(placed and held.room) or None,
        sign=(placed and held.sign) or None,
        points=held.points,
        tickets=held.tickets,
        swaps=held.swaps,
        bombs=dict(held.bombs),
        garnets=state.table.garnets(player),
        prices=ABSENT if state.over else prices(state, player),
        invalid=tuple(f"{entry.item}: {entry.why_told(state)}" for entry in void),
        channels=channels(state, player),
    )


def of_match(state: State, viewer: str) -> Mapping[str, object]:
    """The complete view of the match, with the viewer's own sheet of the current round."""
    begin, *played = [_round(state, viewer, record) for record in state.history] or [ABSENT]
    on, own = state.table.round, ABSENT
    if on is not None and viewer in state.players:
        own = "nothing, on purpose" if sealed.standing(on, viewer) == "blank" else None
        if (sheet := sealed.content(on, viewer)) is not None:
            own = "; ".join(in_words(sheet).values()) or "nothing on it"
    return {
        "round": number_of(state.table),
        "rounds": tuple(played),
        "begin": begin and RoundView(0, begin.rooms, begin.signs),
        "of": state.settings.rounds,
        "sheet": own,
    }


def _round(state: State, viewer: str, played: Played) -> RoundView:
    return RoundView(
        played.number,
        _rooms(state, viewer, played),
        played.signs,
        {room: dict(played.bombs[room]) for room in ROOMS if room in played.bombs},
        played.scores,
        played.totals,
        {p: used(*bomb) for p, bomb in played.users.items()},
    )


def _rooms(state: State, viewer: str, played: Played) -> Mapping[str, tuple[str, ...]]:
    """Room -> the players whom the viewer sees; without empty rooms unless the viewer sees everybody."""
    seen = [p for p in played.rooms if state.may("rooms", viewer, p)]
    rooms = {room: tuple(p for p in seen if played.rooms[p] == room) for room in ROOMS}
    if len(seen) < len(played.rooms):
        rooms = {room: there for room, there in rooms.items() if there}
    return rooms or ABSENT


def channels(state: State, player: str) -> tuple[str, ...]:
    """The rooms in which a player may talk now: their own; in the pregame all or none. Source: S-14, PL-22."""
    if state.table.status == "setup" or state.over or player in state.table.left:
        return ()
    if not state.history:
        return ROOMS if state.settings.pregame_talk == "open" else ()
    on = state.table.round
    if state.settings.channels_switch == "deadline" and on is not None and on.closed is not None:
        return ()
    return (state.players[player].room,) if state.players[player].room else ()
