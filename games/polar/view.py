"""State -> View: the only reader of State for output, built up by what is allowed. Source: section 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from events.audiences import EVERYBODY, HOST, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.instants import write_instant
from events.record import NamedTuple
from games.contract import Action, Due, Fact, Result
from games.kit import sealed
from games.kit.sealed import SheetSealed, called
from games.kit.tell import News, count
from games.polar import actions as a
from games.polar import facts as f
from games.polar.actions import ROOMS
from games.polar.end import SECOND, ranking
from games.polar.sheets import kind_of, prices
from games.polar.state import PREGAME, Played, State, number_of
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as told
from games.table import rounds
from games.table.view import SECRET, allowed, asked, owed, shared_audience, shared_news, table_result


class PlayerView(NamedTuple):
    """What the viewer may know of one player. For players `room` and `sign` are None until the pregame is resolved."""

    room: str | None = ABSENT
    sign: str | None = ABSENT
    points: int = ABSENT
    tickets: int = ABSENT
    swaps: int = ABSENT
    bombs: Mapping[str, int] = ABSENT
    garnets: int = ABSENT
    prices: Mapping[str, int] = ABSENT
    """Kind -> what the next purchase costs. Not for the hosts, who type what players want."""
    invalid: tuple[str, ...] = ABSENT
    """What counted for nothing of his sheet in the last resolved round. Not for the hosts, who have the log."""
    channels: tuple[str, ...] = ABSENT
    """The rooms in which he may talk now. Not for the hosts, who see where everybody is."""


class RoundView(NamedTuple):
    round: int
    rooms: Mapping[str, tuple[str, ...]] = ABSENT
    signs: Mapping[str, str] = ABSENT
    bombs: Mapping[str, Mapping[str, int]] = ABSENT
    scores: Mapping[str, int] = ABSENT
    totals: Mapping[str, int] = ABSENT
    users: Mapping[str, str] = ABSENT
    """Player -> `double on rock`, where `visibility.bomb_users` allows it; never for the hosts, who have the log."""


class PolarView(NamedTuple):
    """Source: docs/json.md, view of polar."""

    phase: str
    round: int
    """The round that is on, or the last one; 0 in the pregame."""
    ends: str | None
    players: Mapping[str, PlayerView]
    rounds: tuple[RoundView, ...]
    begin: RoundView = ABSENT
    """Rooms and signs at the start; absent before the pregame is resolved."""
    of: int = ABSENT
    """How many rounds are scored."""
    closed: bool = ABSENT
    """True once submissions of this round have ended."""
    submitted: bool = ABSENT
    """Has the viewer a sheet in this round that counts?"""
    sheet: str | None = ABSENT
    """What of the viewer counts in this round as it stands, in words; None for silence. Nobody else's."""
    paused: bool = ABSENT
    sheets: Mapping[str, str | None] = ABSENT
    """Hosts only: what counts of each player in this round as it stands; `blank` on purpose, None for silence."""


def may(state: State, key: str, viewer: str, owner: str | None = None) -> bool:
    """May `viewer` know the datum of line `key` that concerns `owner`?"""
    return allowed(state.table, key, viewer, (owner,), over=state.over)


def phase_of(state: State) -> str:
    """`pregame`, `round`, `deciding` or `finished`."""
    return "round" if state.table.phase.startswith("round_") else state.table.phase


def view(state: State, viewer: str) -> PolarView:
    """The match as `viewer` (`host`, `public` or a player) may know it."""
    round_, end = state.table.round, state.table.next_end()
    played = [_round(state, viewer, one) for one in state.history]
    return PolarView(
        phase=phase_of(state),
        round=state.number,
        ends=None if end is None else write_instant(end),
        players={p: _player(state, viewer, p) for p in state.table.players},
        rounds=tuple(played[1:]),
        begin=played[0]._replace(bombs=ABSENT, scores=ABSENT, totals=ABSENT, users=ABSENT) if played else ABSENT,
        of=state.settings.rounds,
        closed=True if round_ is not None and round_.closed is not None else ABSENT,
        submitted=sealed.standing(round_, viewer) != "silent" if round_ and viewer in state.players else ABSENT,
        sheet=_own_sheet(round_, viewer) if round_ and viewer in state.players else ABSENT,
        paused=True if state.table.paused is not None else ABSENT,
        sheets=_sheets(state, round_) if viewer == HOST_VIEWER and round_ is not None else ABSENT,
    )


def _own_sheet(round_: sealed.Round, player: str) -> str | None:
    """What counts of one player in the round that is on, read back to him."""
    sheet = sealed.content(round_, player)
    if sheet is not None:
        return a.in_words(sheet)
    return "nothing, on purpose" if sealed.standing(round_, player) == "blank" else None


def _sheets(state: State, round_: sealed.Round) -> dict[str, str | None]:
    """What counts of each player in the round that is on, for the hosts."""
    words = {"blank": "blank", "silent": None}
    found: dict[str, str | None] = {}
    for player in state.table.players:
        sheet = sealed.content(round_, player)
        found[player] = a.spelled(sheet) if sheet is not None else words[sealed.standing(round_, player)]
    return found


def _round(state: State, viewer: str, played: Played) -> RoundView:
    """One resolved round: built up from what each line of the information table allows."""

    def of_each(key: str, values: Mapping[str, Any]) -> Any:
        shown = {p: value for p, value in values.items() if may(state, key, viewer, p)}
        return shown if shown else ABSENT

    placed = of_each("rooms", played.rooms)
    listed = [r for r in ROOMS if len(placed or ()) == len(played.rooms) or r in (placed or {}).values()]
    bombs = {room: dict(played.bombs[room]) for room in ROOMS if room in played.bombs}
    users: Any = ABSENT
    if viewer != HOST_VIEWER and state.table.settings["visibility"]["bomb_users"] not in SECRET:
        used = {p: f"{bomb} on {room}" for p, (bomb, room) in played.users.items()}
        users = {p: said for p, said in used.items() if may(state, "bomb_users", viewer, p)}
    return RoundView(
        played.number,
        rooms={r: tuple(p for p in placed if placed[p] == r) for r in listed} if placed else ABSENT,
        signs=of_each("signs", played.signs),
        bombs=bombs if may(state, "bombs_on_rooms", viewer) else ABSENT,
        scores=of_each("scoreboard", played.scores),
        totals=of_each("scoreboard", played.totals),
        users=users,
    )


def _player(state: State, viewer: str, player: str) -> PlayerView:
    held, placed = state.players[player], bool(state.history) or viewer == HOST_VIEWER

    def ok(key: str) -> bool:
        return may(state, key, viewer, player)

    shown = PlayerView(
        room=((placed and held.room) or None) if ok("rooms") else ABSENT,
        sign=((placed and held.sign) or None) if ok("signs") else ABSENT,
        points=held.points if ok("scoreboard") else ABSENT,
        tickets=held.tickets if ok("tickets") else ABSENT,
        swaps=held.swaps if ok("swaps") else ABSENT,
        bombs=dict(held.bombs) if ok("bombs") else ABSENT,
        garnets=state.table.garnets(player) if ok("garnets") else ABSENT,
    )
    if viewer == HOST_VIEWER:
        return shown
    last = state.history[-1].void.get(player, ()) if state.history else ()
    return shown._replace(
        prices=prices(state, player) if ok("prices") and not state.over else ABSENT,
        invalid=tuple(f"{void.item}: {_why(state, void)}" for void in last) if ok("invalid_items") else ABSENT,
        channels=channels(state, player) if ok("channels") else ABSENT,
    )


def channels(state: State, player: str) -> tuple[str, ...]:
    """The rooms in which a player may talk now: his own; in the pregame all of them or none. Source: S-14, PL-22."""
    held = state.players[player]
    if state.table.status == "setup" or state.over:
        return ()
    if not state.history:
        return ROOMS if state.settings.pregame_talk == "open" else ()
    round_ = state.table.round
    if state.settings.channels_switch == "deadline" and round_ is not None and round_.closed is not None:
        return ()
    return (held.room,)


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`."""
    host, table = viewer == HOST_VIEWER, state.table

    def ok(key: str) -> bool:
        return host or (state.over and may(state, key, viewer))

    shown = table_result(
        table,
        who=ok("tokens"),
        among=ok("elimination"),
        garnets=[p for p in table.players if may(state, "garnets", viewer, p)],
        tokens=table.players if ok("tokens") else (),
        elimination=ok("elimination"),
    )
    if not all(may(state, "scoreboard", viewer, p) for p in table.players):
        return shown
    return shown._replace(ranking=ranking(state), scores={p: held.points for p, held in state.players.items()})


def audience(state: State, action: Action) -> Audience:
    """Who may see that entry opened. A sheet is its player's; what is drawn in the pregame tells who named nothing."""
    match action:
        case a.Start() | a.Submit() | a.Go() | a.Swap() | a.Bomb() | a.Buy():
            return Audience.only(action.player)
        case shared.Resolve():
            return HOST if action.drawn is not None or action.seed is not None else EVERYBODY
        case _:
            return shared_audience(state.table, action)


def news(state: State, fact: Fact, viewer: str) -> News:
    """A fact in a sentence for `viewer`, or None when it is not for him. Source: section 6."""
    if viewer == HOST_VIEWER:
        return None
    name, public = state.table.name, viewer == PUBLIC_VIEWER
    mine = viewer == getattr(fact, "player", None)
    match fact:
        case SheetSealed(sheet=sheet) if mine and sheet.content is not None:
            late = " It came after the deadline and counts only if a host rules so." if sheet.late else ""
            return f"Your sheet for {called(fact.round)}: {a.in_words(sheet.content)}.{late}"
        case f.ItemVoid() if mine and (may(state, "invalid_items", viewer, viewer)):
            counted = "This counted" if fact.resolved else "As things stand this counts"
            return f"{counted} for nothing: {fact.item} ({_why(state, fact)})."
        case f.Placed() if mine and fact.drawn:
            drawn = {"room": fact.room.title(), "sign": fact.sign}
            known = [drawn[what] for what in fact.drawn if may(state, f"{what}s", viewer, viewer)]
            return f"Drawn by lot for you: {' and '.join(known)}." if known else None
        case f.Bought() if mine and may(state, _line_of(fact.item), viewer, viewer):
            paid = may(state, "prices", viewer, viewer) or may(state, "garnets", viewer, viewer)
            price = f" for {count(fact.price, 'garnet')}" if paid else ""
            return f"You bought {a.item_name(fact.item)}{price}."
        case f.FieldSet(field="room" | "sign") if public and not state.history:
            return None  # where anybody begins is told when the pregame is resolved
        case f.FieldSet(field="points" | "room" | "sign") if public:
            key = {"points": "scoreboard", "room": "rooms", "sign": "signs"}[fact.field]
            shown = fact.value.title() if fact.field == "room" else fact.value
            corrected = f"A host set the {fact.field} of {name(fact.player)}: {shown}."
            return corrected if may(state, key, viewer) else None
        case f.FieldSet(field="tickets" | "swaps" | "bombs") if mine and may(state, fact.field, viewer, viewer):
            return f"A host set your {'sign swaps' if fact.field == 'swaps' else fact.field}."
        case told.PhaseBegan(phase="finished") if public:
            return "The match is over."
        case told.RewardPaid() if viewer == fact.reward.player and may(state, "garnets", viewer, viewer):
            why = f": {fact.reward.why}" if may(state, "scoreboard", viewer, viewer) else ""
            return f"You won {count(fact.reward.garnets, 'garnet')}{why}."
        case told.Moved() if (
            viewer == fact.src
            and fact.rule.startswith("section 4")
            and may(state, next(_line_of(item) for item in a.ITEMS if a.item_name(item) == fact.why), viewer, viewer)
        ):
            return None  # he reads what he bought, and for how much
        case told.Moved() if viewer in (fact.src, fact.to) and may(state, "garnets", viewer, viewer):
            return f"You {'received' if fact.to == viewer else 'lost'} {count(fact.garnets, 'garnet')}."
        case told.DecisionOpened() if asked(state.table, fact.decision, viewer):
            return _asked(state, fact)
        case _:
            return shared_news(state.table, fact, viewer)


def _why(state: State, void: f.ItemVoid) -> str:
    """Why something counted for nothing, for its owner. What it costs, and what is left, have lines of their own."""
    known = all(may(state, line, void.player, void.player) for line in ("prices", "garnets"))
    return void.why if known or void.rule != "PL-7" or void.round == PREGAME else "it cannot be paid"


def _line_of(item: str) -> str:
    """The line of the information table that tells how many of an item a player has."""
    return f"{kind_of(item)}s"


def _asked(state: State, fact: told.DecisionOpened) -> str:
    """What a player is asked to decide."""
    among = state.table.named(fact.decision.among)
    if fact.decision.about == SECOND:
        return f"You are first. Choose who of those in the second place wins a Token of Life: {among}."
    if fact.decision.kind == "gift":
        return f"You won a second Token of Life: give it to one of {among}."
    return f"You vote who is Elimination Candidate: {among}."


def waiting(state: State) -> tuple[Due, ...]:
    """Who still owes a sheet, or a decision of the end."""
    round_ = state.table.round
    if round_ is None:
        return owed(state.table)
    number = number_of(round_.name)
    return rounds.owed(state.table, f"sheet for round {number}" if number else "room, sign and two bombs")
