"""What a sheet does, the pregame, the rounds, and the state after each fact. Source: sections 1 to 4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Luck, Moment, Transaction
from games.kinds import shown
from games.kit import sealed
from games.kit.sealed import Round, RoundResolved
from games.parts import HOSTS, Draw, Evolve, Override, Rounds, Sheet
from games.parts.rules import number_of, submit, taking
from games.polar import actions as a
from games.polar import facts as f
from games.polar import sheets
from games.polar.actions import BOMBS, ROOMS, SIGNS
from games.polar.says import corrected
from games.polar.scoring import score
from games.polar.sheets import added, counts, judge, judge_start, kind_of
from games.polar.state import FIRST_BOMBS, PREGAME, Played, State
from games.records import kebab
from games.table import BANK
from games.table.prepare import NONE, or_none, signed, whole
from games.table.rules import transfer

# ---- sheets ------------------------------------------------------------------------------------------------------


def slips(state: State, action: Any, luck: Luck) -> tuple[Action, ...]:
    """Words that look like the host's typing, and two of a kind, are refused unless the player wrote them so.

    Raises:
        Unreadable: a word that is none; `sealed.twice`.
    """
    action = a.as_named(action)
    if not action.as_sent:
        for kind, word in a.words_of(action):
            a.must_be_known(kind, word)
        if isinstance(action, a.Start):
            once(action, "bombs", FIRST_BOMBS, "two bombs are chosen")
        elif isinstance(action, a.Submit):
            for name in ("ticket", "swap", "bomb"):
                once(action, name, 1, f"one {name} a round")
    return (action,)


def once(action: a.Start | a.Submit, name: str, most: int, rule: str) -> None:
    """No more of a kind in one message than can count. Raises `Unreadable`."""
    value = getattr(action, name)
    number = value if isinstance(value, int) else len(value)
    if number > most:
        what = {"ticket": "tickets", "swap": "sign swaps"}.get(name, "bombs")
        raise Unreadable(
            "sealed.twice", f"{number} {what} in one message: {rule}", "--as-sent if the player wrote it so"
        )


def first_sheet(state: State, round_: Round, sheet: a.Start) -> None:
    """Rooms, signs and bombs are chosen in the pregame. Source: section 1."""
    if round_.name != PREGAME:
        what = "the pregame is over: rooms, signs and bombs are chosen"
        raise Refused("polar.pregame_over", what, f"hl submit {sheet.player} --help")


def in_a_round(state: State, round_: Round, sheet: Any) -> None:
    """Items are used in rounds. Source: section 2."""
    if round_.name == PREGAME:
        fix = f"hl start {sheet.player} ROOM SIGN BOMB,BOMB"
        raise Refused("polar.pregame", "the pregame is on: no round has begun", fix)


def whole_sheet(state: State, round_: Round, sheet: a.Submit) -> None:
    """A sheet of a round holds something. Source: section 2."""
    in_a_round(state, round_, sheet)
    if not (sheet.ticket or sheet.swap or sheet.bomb or sheet.buy):
        fix = f"hl blank {sheet.player}"
        raise Refused("polar.empty", "nothing is on the sheet", fix)


def warn_at_once(tx: Transaction[State], sheet: a.Start | a.Submit) -> None:
    """What of a sheet, with all that it is added to, would count for nothing as things stand. Source: S-9."""
    state, player = tx.state, sheet.player
    assert state.table.round is not None, "a sheet is in"
    whole = sealed.content(sealed.up_to(state.table.round, player), player)
    judged = judge_start if isinstance(whole, a.Start) else judge
    tx.emit(*judged(state, player, whole, resolved=False).void)


def parts(sheet: a.Start | a.Submit) -> tuple[str, ...] | None:
    """The kinds of items that an addition names. Source: S-9."""
    return tuple(a.items(sheet)) if sheet.add else None


def on_sheet(state: State, round_: Round, player: str) -> Mapping[str, str]:
    """All that counts of a player in that round, in words."""
    sheet = sealed.content(round_, player)
    return {} if sheet is None else a.in_words(sheet)


def unpaid(state: State, round_: Round) -> Iterator[str]:
    """Purchases on sheets that nobody can pay: garnets may have changed since they came in. Source: PL-7."""
    for player, sheet in sealed.contents(round_).items():
        for item, why, rule in sheets.unpaid(state, player, sheet):
            yield f"the sheet of {state.table.name(player)}: {item}: {why} ({rule})"


def go(tx: Transaction[State], action: a.Go, moment: Moment) -> None:
    _one_of(action, action.room, "room", "ROOM")
    _put(tx, action, moment, "ticket", ticket=(action.room,) if action.room else ())


def swap(tx: Transaction[State], action: a.Swap, moment: Moment) -> None:
    _put(tx, action, moment, "sign swap", swap=0 if action.off else 1)


def bomb(tx: Transaction[State], action: a.Bomb, moment: Moment) -> None:
    _one_of(action, action.kind and action.room, "bomb and room", "BOMB ROOM")
    _put(tx, action, moment, "bomb", bomb=(f"{action.kind} {action.room}",) if action.kind else ())


def buy(tx: Transaction[State], action: a.Buy, moment: Moment) -> None:
    _one_of(action, action.items, "item", "ITEM")
    _put(tx, action, moment, "purchase", buy=action.items)


def _one_of(action: a.Go | a.Bomb | a.Buy, item: object, what: str, usage: str) -> None:
    """An item is named, or it is taken off; not both and not neither."""
    typed = f"hl {kebab(type(action))} {action.player} {usage}"
    if action.off and item:
        raise Unreadable("polar.off", "--off takes the item off the sheet: it names none", f"{typed}, or --off alone")
    if not action.off and not item:
        raise Unreadable("polar.what", f"no {what} is named", f"{typed}, or --off")


def _put(
    tx: Transaction[State], action: a.Go | a.Swap | a.Bomb | a.Buy, moment: Moment, what: str, **item: Any
) -> None:
    """The sheet that counts now comes in again, with one item of it put in place or taken off."""
    table, player = tx.state.table, action.player
    round_ = taking(table, player, action.round)
    in_a_round(tx.state, round_, action)
    (kind,) = item
    if action.off and not getattr(sealed.content(round_, player) or a.Submit(player), kind):
        fix = f"hl blank {player}"
        raise Refused("polar.not_on", f"no {what} is on the sheet of {table.name(player)}", fix)
    submit(tx, a.Submit(player, **item), moment, Sheet(after=warn_at_once, parts=lambda sheet: (kind,)))


# ---- resolving ---------------------------------------------------------------------------------------------------


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """Everybody at once. Source: section 3."""
    if round_.name == PREGAME:
        place(tx, round_, drawn)
    else:
        play(tx, round_)


def place(tx: Transaction[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Where everybody begins; a lot for who named no room or no sign, unless a host set it. Source: section 1, PL-3."""
    state, lots = tx.state, _lots(drawn)
    for player in state.table.players:
        if not begins(state, player):
            continue
        begun, held = judge_start(state, player, sealed.content(round_, player), resolved=True), state.players[player]
        room, sign = begun.room or held.room, begun.sign or held.sign
        wanting = tuple(what for what, word in (("room", room), ("sign", sign)) if not word)
        if wanting and player not in lots:
            what, who = "a lot is missing for somebody who named no room or no sign", state.table.name(player)
            fix = 'add --drawn "PLAYER ROOM SIGN" for them, or hl resolve alone draws for all'
            raise Refused("polar.drawn", what, fix, f"{who} named no {' and no '.join(wanting)}")
        lot = lots.get(player, ("", ""))
        _buy(tx, player, begun.bought)
        tx.emit(f.Placed(player, room or lot[0], sign or lot[1], begun.bombs, wanting))
        tx.emit(*begun.void)


def begins(state: State, player: str) -> bool:
    """Who left before naming anything is in no room, unless a host put them into one. Source: PL-26."""
    sheet = state.table.round and sealed.content(state.table.round, player)
    return player not in state.table.left or bool(sheet or state.players[player].room)


def _lots(drawn: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Player -> what the lot gave."""
    lots: dict[str, tuple[str, str]] = {}
    for line in drawn:
        player, room, sign = (*line.split(" "), "", "")[:3]
        if room not in ROOMS or sign not in SIGNS:
            raise Refused("polar.drawn", f"{shown(line)} is not a player, a room and a sign", "hl resolve")
        if player in lots:
            raise Refused("polar.drawn", f"{shown(player)} has two lots", "name each player once")
        lots[player] = (room, sign)
    return lots


def typed_lot(state: State, line: str) -> str:
    """`Ann rock +`: what a lot gave somewhere else, in its one spelling."""
    words = line.split()
    if len(words) != 3:
        raise Unreadable("polar.lot", f"{shown(line)} is not a player, a room and a sign", '--drawn "ann rock +"')
    player, room, sign = words
    room, sign = a.known_word(a.ROOM, room), a.known_word(a.SIGN, sign)
    return f"{state.table.directory().find(player)} {room} {sign}"


def play(tx: Transaction[State], round_: Round) -> None:
    """Purchases, moves and swaps of everybody, bombs, points. Source: section 3."""
    state, sent = tx.state, sealed.contents(round_)
    sheets = {p: judge(state, p, sent[p], resolved=True) for p in state.table.players if p in sent}
    for player, sheet in sheets.items():
        tx.emit(*sheet.void)
        _buy(tx, player, sheet.bought)
    for player, sheet in sheets.items():
        if sheet.ticket:
            tx.emit(f.TicketUsed(player, state.players[player].room, sheet.ticket))
        if sheet.swap:
            tx.emit(f.SwapUsed(player, "-" if state.players[player].sign == "+" else "+"))
    tx.emit(*(f.BombUsed(player, *sheet.bomb) for player, sheet in sheets.items() if sheet.bomb))
    rooms = {p: held.room for p, held in tx.state.players.items() if held.room}
    signs = {p: held.sign for p, held in tx.state.players.items()}
    scope, mode, number = state.settings.polarity_scope, state.settings.double_mode, number_of(state.table)
    tx.emit(*score(rooms, signs, tx.state.now.bombs, scope, mode, number).values())


def _buy(tx: Transaction[State], player: str, bought: tuple[tuple[str, int], ...]) -> None:
    for item, price in bought:
        tx.emit(f.Bought(player, item, price))
        tx.emit(transfer(tx.state.table, player, BANK, price, a.item_name(item), f.PRICE))


ROUNDS: Rounds[State] = Rounds(
    names=lambda state: (PREGAME, *(f"round_{n}" for n in range(1, state.settings.rounds + 1))),
    hours=lambda state, name: state.settings.pregame_hours if name == PREGAME else state.settings.round_hours,
    sheets={a.Start: Sheet(first_sheet, warn_at_once, parts), a.Submit: Sheet(whole_sheet, warn_at_once, parts)},
    items=on_sheet,
    resolve=resolve,
    what=lambda state, name: "room, sign and two bombs" if name == PREGAME else f"sheet for {sealed.called(name)}",
    spelled=a.spelled,
    number="rounds",
)
LOTS: Draw[State] = Draw(
    "other rooms and signs",
    when=lambda state: state.table.round is not None and state.table.round.name == PREGAME,
    each=lambda state: tuple(p for p in state.table.players if begins(state, p)),
    of=lambda state: (ROOMS, SIGNS),
    typed=typed_lot,
    line=HOSTS,
)
"""A room and a sign for everybody: a sheet that is corrected later may need them. Source: section 1, PL-3."""


# ---- the state after each fact -----------------------------------------------------------------------------------


def holds(state: State, player: str, **changed: Any) -> State:
    """The state in which a player has other things."""
    return state._replace(players={**state.players, player: state.players[player]._replace(**changed)})


def _placed(fact: f.Placed, state: State) -> State:
    bombs = added(state.players[fact.player].bombs, counts(fact.bombs))
    return holds(state, fact.player, room=fact.room, sign=fact.sign, bombs=bombs)


def _void(fact: f.ItemVoid, state: State) -> State:
    void = state.now.void
    kept = {**void, fact.player: (*void.get(fact.player, ()), fact)}
    return state._replace(now=state.now._replace(void=kept)) if fact.resolved else state


def _bought(fact: f.Bought, state: State) -> State:
    held, kind = state.players[fact.player], kind_of(fact.item)
    bought = {**held.bought, kind: held.bought.get(kind, 0) + 1}
    if kind == "bomb":
        return holds(state, fact.player, bought=bought, bombs=added(held.bombs, {fact.item.removesuffix("_bomb"): 1}))
    return holds(state, fact.player, bought=bought, **{f"{kind}s": getattr(held, f"{kind}s") + 1})


def _bombed(fact: f.BombUsed, state: State) -> State:
    now, held = state.now, state.players[fact.player]
    bombs = {**now.bombs, fact.room: added(now.bombs.get(fact.room, {}), {fact.bomb: 1})}
    now = now._replace(bombs=bombs, users={**now.users, fact.player: (fact.bomb, fact.room)})
    return holds(state, fact.player, bombs=added(held.bombs, {fact.bomb: -1}))._replace(now=now)


def _scored(fact: f.Scored, state: State) -> State:
    held, now = state.players[fact.player], state.now
    points, tickets = held.points + fact.points, held.tickets + fact.tickets
    had = holds(state, fact.player, points=points, tickets=tickets)
    return had._replace(now=now._replace(scores={**now.scores, fact.player: fact.points}))


def _resolved(fact: RoundResolved, state: State) -> State:
    done = state.now._replace(
        number=number_of(state.table),
        rooms={p: held.room for p, held in state.players.items() if held.room},
        signs={p: held.sign for p, held in state.players.items() if held.room},
        totals={p: held.points for p, held in state.players.items()},
    )
    return state._replace(history=(*state.history, done), now=Played(0))


EVOLVE: Evolve[State] = {
    f.Placed: _placed,
    f.ItemVoid: _void,
    f.Bought: _bought,
    f.TicketUsed: lambda fact, state: holds(
        state, fact.player, room=fact.to, tickets=state.players[fact.player].tickets - 1
    ),
    f.SwapUsed: lambda fact, state: holds(
        state, fact.player, sign=fact.sign, swaps=state.players[fact.player].swaps - 1
    ),
    f.BombUsed: _bombed,
    f.Scored: _scored,
    RoundResolved: _resolved,
}


def invariants(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: points are what the rounds gave, nothing is held below zero."""
    for player, held in state.players.items():
        scored = sum(played.scores.get(player, 0) for played in state.history)
        if held.points != scored:
            yield f"{player} has {held.points} points, the rounds gave {scored}"
        counted = {"tickets": held.tickets, "swaps": held.swaps, **held.bombs}
        yield from (f"{player} has {n} {what}" for what, n in counted.items() if n < 0)
        if state.table.garnets(player) < 0:
            yield f"{player} holds {state.table.garnets(player)} garnets"


# ---- host powers -------------------------------------------------------------------------------------------------


def _number(typed: str) -> str:
    return str(whole(typed.strip()))


def _bombs(typed: str) -> str:
    words = [word for word in typed.replace(",", " ").split() if word.lower() != NONE]
    bombs = [a.known_word(a.BOMB, word) for word in words]
    return " ".join(bomb for bomb in BOMBS for _ in range(bombs.count(bomb)))


def _set(
    name: str, line: str, how: str, read: Callable[[str], str], kept: Callable[[str], Any] = str, **texts: Any
) -> Override[State]:
    return Override(how, read, lambda state, player, value: holds(state, player, **{name: kept(value)}), line, **texts)


OVERRIDES: Mapping[str, Override[State]] = {
    "points": _set(
        "points", "scoreboard", "N (may be below zero)", lambda typed: str(signed(typed.strip())), int, public=corrected
    ),
    "room": _set(
        "room", "rooms", "|".join([*ROOMS, NONE]), or_none(partial(a.known_word, a.ROOM)),
        lambda room: "" if room == NONE else room, public=corrected,
    ),
    "sign": _set("sign", "signs", "|".join(SIGNS), partial(a.known_word, a.SIGN), public=corrected),
    "tickets": _set("tickets", "tickets", "N", _number, int, owner="A host set your tickets."),
    "swaps": _set("swaps", "swaps", "N", _number, int, owner="A host set your sign swaps."),
    "bombs": _set(
        "bombs", "bombs", '"confetti double", or none', _bombs, lambda value: counts(value.split()),
        owner="A host set your bombs.",
    ),
}  # fmt: skip
