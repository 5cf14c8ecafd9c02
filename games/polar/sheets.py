"""Which items of a sheet count, and the points of a round. Source: sections 1 to 4.

Pure functions of one player's sheet and the state before the round is resolved; they do not depend on other sheets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from events.record import NamedTuple
from games.kinds import count, shown
from games.polar import actions as a
from games.polar.actions import BEATEN_BY, BEATS, BLANK, BOMBS, ITEMS, ROOMS, SIGNS, DoubleMode, Scope, kind_of
from games.polar.facts import FIRST_BOMBS, NOT_SOLD, UNPAID, Held, ItemVoid, Scored, State

KINDS = ("ticket", "swap", "bomb")
"""The kinds with prices of their own; all types of bombs are one kind. Source: section 4."""
Fault: TypeAlias = tuple[str, str]
"""(why an item does not count, rule)."""
Void: TypeAlias = tuple[str, str, str]
"""(item, why it does not count, rule)."""
Bought: TypeAlias = tuple[tuple[str, int], ...]


class Begun(NamedTuple):
    """The part of a player's first sheet that counts. A lot decides if `room` or `sign` is None."""

    room: str | None = None
    sign: str | None = None
    bombs: tuple[str, ...] = ()
    bought: Bought = ()
    void: tuple[ItemVoid, ...] = ()


class Counted(NamedTuple):
    bought: Bought
    ticket: str | None
    swap: bool
    bomb: tuple[str, str] | None
    void: tuple[ItemVoid, ...]


def _void_facts(state: State, player: str, void: Iterable[Void], *, resolved: bool) -> tuple[ItemVoid, ...]:
    return tuple(ItemVoid(player, state.table.phase, *row, resolved) for row in void)


def prices(state: State, player: str) -> dict[str, int]:
    """Kind -> the price of the next purchase. Source: section 4, PL-6."""
    buyers = [player] if state.settings.price_scope == "per_player" else list(state.players)
    return {kind: 1 + sum(state.players[p].bought.get(kind, 0) for p in buyers) for kind in KINDS}


def purchases(state: State, player: str, wanted: Sequence[str]) -> tuple[Bought, list[Void]]:
    """The purchases of a list that can be paid, in order, and those that cannot. Source: section 4, PL-6, PL-7.

    If the whole market shares one price, everybody pays the price before the round plus their own increases, so the
    order of players makes no difference.
    """
    left, cost = state.table.garnets(player), prices(state, player)
    bought: list[tuple[str, int]] = []
    void: list[Void] = []
    for item in wanted:
        if item not in ITEMS:
            void.append((f"buy {a.item_name(item)}", "there is no such item", "section 2"))
        elif (price := cost[kind_of(item)]) > left:
            void.append((f"buy {a.item_name(item)}", f"it costs {count(price, 'garnet')}, {left} left", UNPAID))
        else:
            left -= price
            cost[kind_of(item)] += 1
            bought.append((item, price))
    return tuple(bought), void


def judge(state: State, player: str, sheet: a.Submit, *, resolved: bool) -> Counted:
    """The part of a round's sheet that counts. Source: section 2, PL-7 to PL-10."""
    bought, void = purchases(state, player, sheet.buy)
    me, usable = state.players[player], [item for item, _ in bought if state.settings.use_same_round]
    used: dict[str, tuple[str, Fault | None]] = {}
    if sheet.ticket:
        to = " and to ".join(a.title(room, "no room") for room in sheet.ticket)
        used["ticket"] = f"ticket to {to}", _ticket(me, sheet.ticket, usable)
    if sheet.swap:
        used["swap"] = f"{sheet.swap} sign swaps" if sheet.swap > 1 else "sign swap", _swap(me, sheet.swap, usable)
    if sheet.bomb:
        used["bomb"] = " and ".join(map(a.bomb_on, sheet.bomb)), _bomb(me, sheet.bomb, usable)
    void += [(item, *fault) for item, fault in used.values() if fault is not None]
    good = {what for what, (_, fault) in used.items() if fault is None}
    return Counted(
        bought,
        sheet.ticket[0] if "ticket" in good else None,
        "swap" in good,
        a.parted(sheet.bomb[0]) if "bomb" in good else None,
        _void_facts(state, player, void, resolved=resolved),
    )


def _ticket(me: Held, rooms: Sequence[str], usable: Sequence[str]) -> Fault | None:
    if len(rooms) > 1:
        return "one ticket a round", "PL-8"
    if rooms[0] not in ROOMS:
        return "there is no such room", "section 2"
    if rooms[0] == me.room:
        return "already in that room", "PL-8"
    return None if me.tickets + usable.count("ticket") > 0 else ("no ticket left", "section 2")


def _swap(me: Held, swaps: int, usable: Sequence[str]) -> Fault | None:
    if swaps > 1:
        return "one swap a round", "PL-9"
    return None if me.swaps + usable.count("swap") > 0 else ("no swap left", "section 2")


def _bomb(me: Held, bombs: Sequence[str], usable: Sequence[str]) -> Fault | None:
    if len(bombs) > 1:
        return "one bomb a round", "PL-10"
    kind, room = a.parted(bombs[0])
    if kind not in BOMBS:
        return "there is no such bomb", "section 2"
    if room not in ROOMS:
        return "there is no such room", "section 2"
    bought = usable.count("ticket_bomb" if kind == "ticket" else kind)
    return None if me.bombs.get(kind, 0) + bought > 0 else (f"no {a.bomb_name(kind)} left", "section 2")


def judge_start(state: State, player: str, sheet: a.Start | None, *, resolved: bool) -> Begun:
    """The part of a player's first sheet (None: no sheet) that counts. Source: section 1, PL-2, PL-3, PL-7."""
    if sheet is None:
        return Begun()
    void: list[Void] = []
    room = sheet.room if sheet.room in ROOMS else None
    sign = sheet.sign if sheet.sign in SIGNS else None
    for what, word, good in (("room", sheet.room, room), ("sign", sheet.sign, sign)):
        if good is None and word != BLANK:
            is_set = resolved and getattr(state.players[player], what)  # do not reveal earlier what a host set
            lot = "" if is_set else "; a lot decides"
            void.append((f"{what} {shown(word)}", f"there is no such {what}{lot}", "PL-3"))
    chosen, surplus = sheet.bombs[:FIRST_BOMBS], sheet.bombs[FIRST_BOMBS:]
    kept = tuple(bomb for bomb in chosen if bomb in BOMBS)
    lost = "there is no such bomb; it is lost"
    void += [(a.bomb_name(bomb), lost, "PL-3") for bomb in chosen if bomb not in BOMBS]
    void += [(a.bomb_name(bomb), "two bombs are chosen", "section 1") for bomb in surplus]
    if len(chosen) == 1:
        void.append(("second bomb", "none is named; it is lost", "PL-3"))
    elif not chosen:
        void.append(("two bombs", "none is named; both are lost", "PL-3"))
    if len(kept) < FIRST_BOMBS and state.settings.bad_bomb == "lose_both":
        void += [(a.bomb_name(bomb), "lost with the other one", "PL-3") for bomb in kept]
        kept = ()
    if state.settings.purchase_window == "pregame_too":
        bought, faults = purchases(state, player, sheet.buy)
    else:
        bought, faults = (), [(f"buy {a.item_name(item)}", NOT_SOLD, UNPAID) for item in sheet.buy]
    return Begun(room, sign, kept, bought, _void_facts(state, player, [*void, *faults], resolved=resolved))


def score(
    rooms: Mapping[str, str],
    signs: Mapping[str, str],
    bombs: Mapping[str, Mapping[str, int]],
    scope: Scope,
    double_mode: DoubleMode,
    number: int = 0,
) -> dict[str, Scored]:
    """The points of every player after the moves and swaps, from what everybody may see.

    Args:
        rooms: Player -> `rock`, `paper` or `scissors`.
        signs: Player -> `+` or `-`.
        bombs: Room -> bomb -> how many were used on it.
        scope: Whose signs count for the minority. Source: PL-4.
        double_mode: What a Double does together with other bombs. Source: PL-5.
        number: The number of the round.

    Source: section 3, PL-4, PL-5, PL-11 to PL-13, PL-25.

    >>> rooms, signs = {"a": "rock", "b": "scissors"}, {"a": "+", "b": "-"}
    >>> score(rooms, signs, {"scissors": {"double": 1}}, "room", "base_only")["b"].points
    -2
    """
    crowd = Counter(rooms.values())
    scored = {}
    for player, room in rooms.items():
        beats, beaten = crowd[BEATS[room]], crowd[BEATEN_BY[room]]
        minority, there = in_minority(player, rooms, signs, scope), bombs.get(room, {})
        doubles = there.get("double", 0)
        others = {bomb: n for bomb, n in there.items() if bomb != "double"}
        if doubles and double_mode == "cancels_others":
            others = {}
        doubled = doubles > 0 and not (double_mode == "cancelled_by_others" and any(others.values()))
        base, confetti = beats - beaten + minority, others.get("confetti", 0)
        polarity = others.get("polarity", 0) if minority else 0
        points = base * (2 if doubled else 1) + confetti + 2 * polarity
        scored[player] = Scored(
            player, number, room, signs[player], beats, beaten, minority, doubled, confetti, polarity, base, points,
            tickets=others.get("ticket", 0),
        )  # fmt: skip
    return scored


def in_minority(player: str, rooms: Mapping[str, str], signs: Mapping[str, str], scope: Scope) -> bool:
    """Is the player's sign rarer than the other one? Not if both are equal or one is missing. Source: PL-4."""
    near = [q for q in rooms if scope == "all" or rooms[q] == rooms[player]]
    mine = sum(signs[q] == signs[player] for q in near)
    return mine < len(near) - mine
