"""What of a sheet counts: each item is judged by itself, and what cannot be is blank. Source: sections 1, 2 and 4.

Pure functions of the state before the round is resolved and of one player's sheet: what somebody else has sent changes
nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.record import NamedTuple
from games.kinds import shown
from games.kit.tell import count
from games.polar.actions import (
    BLANK,
    BOMBS,
    ITEMS,
    ROOMS,
    SIGNS,
    Start,
    Submit,
    bomb_name,
    bomb_on,
    item_name,
    parted,
    title,
)
from games.polar.state import FIRST_BOMBS, PREGAME, State

KINDS = ("ticket", "swap", "bomb")
"""What has a price of its own; bombs of all types are one kind. Source: section 4."""


class Void(NamedTuple):
    """An item that counts for nothing: what it was, why, and the rule."""

    item: str
    why: str
    rule: str


class Begun(NamedTuple):
    """What counts of a player's first sheet. `room` and `sign` None: a lot decides."""

    room: str | None
    sign: str | None
    bombs: tuple[str, ...]
    bought: tuple[tuple[str, int], ...]
    void: tuple[Void, ...]


class Counted(NamedTuple):
    """What counts of a sheet: purchases with their prices in order, one ticket, one swap, one bomb with its room."""

    bought: tuple[tuple[str, int], ...]
    ticket: str | None
    swap: bool
    bomb: tuple[str, str] | None
    void: tuple[Void, ...]


def kind_of(item: str) -> str:
    """The kind that an item is priced as.

    >>> kind_of("ticket_bomb"), kind_of("ticket")
    ('bomb', 'ticket')
    """
    return item if item in ("ticket", "swap") else "bomb"


def bomb_of(item: str) -> str:
    """The bomb that an item is."""
    return item.removesuffix("_bomb")


def prices(state: State, player: str) -> dict[str, int]:
    """What the next purchase of each kind costs. Source: section 4, PL-6."""
    return {kind: 1 + _sold(state, player, kind) for kind in KINDS}


def _sold(state: State, player: str, kind: str) -> int:
    buyers = [player] if state.settings.price_scope == "per_player" else list(state.players)
    return sum(state.players[p].bought.get(kind, 0) for p in buyers)


def purchases(state: State, player: str, wanted: Sequence[str]) -> tuple[list[tuple[str, int]], list[Void]]:
    """Which purchases of a list can be paid, in its order. Source: section 4, PL-6, PL-7.

    With one price for the whole market everybody pays what it was before the round, and more for his own: who is
    processed first makes no difference.
    """
    left, cost = state.table.garnets(player), prices(state, player)
    bought: list[tuple[str, int]] = []
    void: list[Void] = []
    for item in wanted:
        if item not in ITEMS:
            void.append(Void(f"buy {item_name(item)}", "there is no such item", "section 2"))
        elif (price := cost[kind_of(item)]) > left:
            void.append(Void(f"buy {item_name(item)}", f"it costs {count(price, 'garnet')}, {left} left", "PL-7"))
        else:
            left -= price
            cost[kind_of(item)] += 1
            bought.append((item, price))
    return bought, void


def judge(state: State, player: str, sheet: Submit) -> Counted:
    """What counts of a round's sheet. Source: section 2, PL-7 to PL-10."""
    bought, void = purchases(state, player, sheet.buy)
    usable = [item for item, _ in bought] if state.settings.use_same_round else []
    ticket, why_ticket = _ticket(state, player, sheet.ticket, usable)
    swap, why_swap = _swap(state, player, sheet.swap, usable)
    bomb, why_bomb = _bomb(state, player, sheet.bomb, usable)
    return Counted(tuple(bought), ticket, swap, bomb, (*void, *why_ticket, *why_swap, *why_bomb))


def _ticket(state: State, player: str, rooms: Sequence[str], usable: Sequence[str]) -> tuple[str | None, list[Void]]:
    if not rooms:
        return None, []
    item, me = f"ticket to {' and to '.join(title(room, 'no room') for room in rooms)}", state.players[player]
    if len(rooms) > 1:
        return None, [Void(item, "one ticket a round", "PL-8")]
    (room,) = rooms
    if room not in ROOMS:
        return None, [Void(item, "there is no such room", "section 2")]
    if room == me.room:
        return None, [Void(item, "already in that room", "PL-8")]
    if me.tickets + list(usable).count("ticket") < 1:
        return None, [Void(item, "no ticket left", "section 2")]
    return room, []


def _swap(state: State, player: str, swaps: int, usable: Sequence[str]) -> tuple[bool, list[Void]]:
    if not swaps:
        return False, []
    if swaps > 1:
        return False, [Void(f"{swaps} sign swaps", "one swap a round", "PL-9")]
    if state.players[player].swaps + list(usable).count("swap") < 1:
        return False, [Void("sign swap", "no swap left", "section 2")]
    return True, []


def _bomb(
    state: State, player: str, bombs: Sequence[str], usable: Sequence[str]
) -> tuple[tuple[str, str] | None, list[Void]]:
    if not bombs:
        return None, []
    item = " and ".join(map(bomb_on, bombs))
    if len(bombs) > 1:
        return None, [Void(item, "one bomb a round", "PL-10")]
    kind, room = parted(bombs[0])
    if kind not in BOMBS:
        return None, [Void(item, "there is no such bomb", "section 2")]
    if room not in ROOMS:
        return None, [Void(item, "there is no such room", "section 2")]
    held = state.players[player].bombs.get(kind, 0)
    if held + [bomb_of(one) for one in usable if kind_of(one) == "bomb"].count(kind) < 1:
        return None, [Void(item, f"no {bomb_name(kind)} left", "section 2")]
    return (kind, room), []


def judge_start(state: State, player: str, sheet: Start | None) -> Begun:
    """What counts of a player's first sheet; None: he sent nothing. Source: section 1, PL-2, PL-3, PL-7."""
    if sheet is None:
        return Begun(None, None, (), (), ())
    void: list[Void] = []
    room = sheet.room if sheet.room in ROOMS else None
    sign = sheet.sign if sheet.sign in SIGNS else None
    for what, word, good in (("room", sheet.room, room), ("sign", sheet.sign, sign)):
        if good is None and word != BLANK:
            lot = "" if getattr(state.players[player], what) else "; a lot decides"
            void.append(Void(f"{what} {shown(word)}", f"there is no such {what}{lot}", "PL-3"))
    chosen = sheet.bombs[:FIRST_BOMBS]
    kept = tuple(bomb for bomb in chosen if bomb in BOMBS)
    void += [Void(bomb_name(bomb), "there is no such bomb; it is lost", "PL-3") for bomb in chosen if bomb not in BOMBS]
    void += [Void(bomb_name(bomb), "two bombs are chosen", "section 1") for bomb in sheet.bombs[FIRST_BOMBS:]]
    if len(chosen) < FIRST_BOMBS:
        missing, lost = ("second bomb", "it is lost") if chosen else ("two bombs", "both are lost")
        void.append(Void(missing, f"none is named; {lost}", "PL-3"))
    if len(kept) < FIRST_BOMBS and state.settings.bad_bomb == "lose_both":
        void += [Void(bomb_name(bomb), "lost with the other one", "PL-3") for bomb in kept]
        kept = ()
    bought: list[tuple[str, int]] = []
    if state.settings.purchase_window == "pregame_too":
        bought, more = purchases(state, player, sheet.buy)
        void += more
    else:
        void += [Void(f"buy {item_name(item)}", f"nothing is sold in the {PREGAME}", "PL-7") for item in sheet.buy]
    return Begun(room, sign, kept, tuple(bought), tuple(void))


def counts(items: Sequence[str]) -> Mapping[str, int]:
    """How many there are of each, in the order of the printed list of bombs."""
    return {bomb: items.count(bomb) for bomb in BOMBS if bomb in items}


def added(held: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """Counts of bombs with those of another, none of them zero, in the printed order."""
    total = {bomb: held.get(bomb, 0) + more.get(bomb, 0) for bomb in BOMBS}
    return {bomb: n for bomb, n in total.items() if n}
