"""decide, evolve, due, prepare: the pregame, the rounds, the end. Source: sections 1 to 5."""

from __future__ import annotations

import re
from typing import Any, Literal

from events.errors import Refused, Unreadable
from games.contract import Action, Fact, Luck, Moment
from games.kinds import Desk, shown
from games.kit import luck as kit_luck
from games.kit import sealed
from games.kit.sealed import Round, RoundOpened, RoundResolved
from games.polar import actions as a
from games.polar import facts as f
from games.polar.actions import BOMBS, ITEMS, ROOMS, SIGNS
from games.polar.end import verdict
from games.polar.scoring import score
from games.polar.settings import VISIBILITY, Settings
from games.polar.sheets import Void, bomb_of, counts, judge, judge_start, kind_of
from games.polar.state import PREGAME, Played, Player, State, number_of, round_name
from games.records import ABSENT
from games.story import Story
from games.table import BANK, Table, rounds
from games.table import actions as shared
from games.table import facts as told
from games.table import prepare as table_prepare
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import HOUR, follow
from games.table.evolve import evolve as table_evolve

FIELDS = {
    "points": "N (may be below zero)",
    "room": "rock|paper|scissors",
    "sign": "+|-",
    "tickets": "N",
    "swaps": "N",
    "bombs": '"confetti double", or none',
    "garnets": "N",
}
"""What `override` may set, and how its value is typed."""


def start(table: Table) -> State:
    settings = table_settings.own(Settings, table.settings)
    return State(table._replace(phase=PREGAME), settings, {p: Player() for p in table.seats})


def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
    """What follows from an action.

    Raises:
        Refused: the rules say no. Nothing has changed.
    """
    story: Story[State] = Story(state, evolve)
    match action:
        case a.Start():
            _start(story, action, moment)
        case a.Submit():
            _must_hold_something(action)
            _submit(story, action, moment)
        case a.Go() | a.Swap() | a.Bomb() | a.Buy():
            _submit(story, _changed(state, action), moment)
        case shared.Open():
            if state.table.status != "setup":
                raise Refused("polar.opened", "play has begun already", "hl status")
            story.tell(RoundOpened(PREGAME, moment.at, moment.at + state.settings.pregame_hours * HOUR))
        case shared.Resolve():
            _resolve(story, action, moment)
        case shared.Override():
            _override(story, action)
        case shared.AmendSetting():
            _amend_setting(story, action)
        case _:
            story.tell(*table_rules.decide(state.table, action, moment))
    if story.state.over:
        follow(story, verdict, moment.at)
    return story.facts


# ---- submissions -------------------------------------------------------------------------------------------------


def _taking(state: State, player: str, verb: Literal["start", "submit"], sent_for: str = ABSENT) -> Round:
    """The round whose sheets are taken, for somebody who may submit one of that kind."""
    table_rules.must_be_here(state.table, player)
    round_ = rounds.taking(state.table, sent_for)
    if verb == "start" and round_.name != PREGAME:
        raise Refused(
            "polar.pregame_over", "the pregame is over: rooms, signs and bombs are chosen", f"hl submit {player} --help"
        )
    if verb == "submit" and round_.name == PREGAME:
        raise Refused(
            "polar.pregame", "the pregame is on: no round has begun", f"hl start {player} ROOM SIGN BOMB,BOMB"
        )
    return round_


def _start(story: Story[State], action: a.Start, moment: Moment) -> None:
    """Room, sign and two bombs. Source: section 1."""
    state, player = story.state, action.player
    round_ = _taking(state, player, "start")
    story.tell(rounds.seal(state.table, player, action, moment))
    _say_void(story, player, round_, judge_start(state, player, action).void)


def _submit(story: Story[State], sheet: a.Submit, moment: Moment) -> None:
    """A whole sheet; what of it would count for nothing is said at once. Source: section 2, S-9."""
    state, player = story.state, sheet.player
    round_ = _taking(state, player, "submit", sheet.round)
    story.tell(rounds.seal(state.table, player, sheet, moment))
    _say_void(story, player, round_, judge(state, player, sheet).void)


def _say_void(
    story: Story[State], player: str, round_: Round, void: tuple[Void, ...], *, resolved: bool = False
) -> None:
    story.tell(*(f.ItemVoid(player, round_.name, v.item, v.why, v.rule, resolved) for v in void))


def _must_hold_something(sheet: a.Submit) -> None:
    if not (sheet.ticket or sheet.swap or sheet.bomb or sheet.buy):
        fix = f"hl blank {sheet.player} records that nothing is submitted"
        raise Refused("polar.empty", "nothing is on the sheet", fix)


def _changed(state: State, action: a.Go | a.Swap | a.Bomb | a.Buy) -> a.Submit:
    """The sheet that counts now with one item of it put in place, or taken off."""
    player = action.player
    round_ = _taking(state, player, "submit", action.round)
    sheet = sealed.content(round_, player) or a.Submit(player)
    match action:
        case a.Go():
            what = "ticket"
            _either(action.off, action.room, "room", f"hl go {player} ROOM")
            changed = sheet._replace(ticket=(action.room,) if action.room else ())
        case a.Swap():
            what = "sign swap"
            changed = sheet._replace(swap=0 if action.off else 1)
        case a.Bomb():
            what = "bomb"
            _either(action.off, action.kind and action.room, "bomb and room", f"hl bomb {player} BOMB ROOM")
            changed = sheet._replace(bomb=(f"{action.kind} {action.room}",) if action.kind else ())
        case a.Buy():
            what = "purchase"
            _either(action.off, action.items, "item", f"hl buy {player} ITEM")
            changed = sheet._replace(buy=action.items)
    if action.off and changed == sheet:
        what = f"no {what} is on the sheet of {state.table.name(player)}"
        raise Refused("polar.not_on", what, f"hl blank {player} records that nothing is submitted")
    return changed


def _either(off: bool, given: object, what: str, usage: str) -> None:
    """An item is named, or it is taken off; not both and not neither."""
    if off and given:
        raise Unreadable("polar.off", "--off takes the item off the sheet: it names none", f"{usage}, or --off alone")
    if not off and not given:
        raise Unreadable("polar.what", f"no {what} is named", f"{usage}, or --off")


# ---- resolving ---------------------------------------------------------------------------------------------------


def _resolve(story: Story[State], action: shared.Resolve, moment: Moment) -> None:
    """Everybody at once; then the next round, or the end. Source: section 3."""
    round_ = rounds.resolving(story.state.table, action.round)
    number = number_of(round_.name)
    _must_draw_what_is_drawn(action, number)
    if number == 0:
        _place(story, round_, action.drawn or ())
    else:
        _play(story, round_, number)
    story.tell(RoundResolved(round_.name))
    if number < story.state.settings.rounds:
        ends = moment.at + story.state.settings.round_hours * HOUR
        story.tell(RoundOpened(round_name(number + 1), moment.at, ends))


def _must_draw_what_is_drawn(action: shared.Resolve, number: int) -> None:
    """Rooms and signs of the pregame come by lot, and nothing else. Source: section 1."""
    if action.order:
        raise Refused("polar.no_lot", "no tie is broken by a lot here: --order has no meaning", "hl resolve")
    if number and (action.drawn is not None or action.seed is not None):
        raise Refused("polar.no_lot", "nothing is drawn in a round: --drawn is for the pregame", "hl resolve")


def _place(story: Story[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Where everybody begins; a lot for who named no room or no sign, unless a host set it. Source: section 1, PL-3."""
    state = story.state
    lots = _lots(drawn)
    for player in state.table.players:
        begun, held = judge_start(state, player, sealed.content(round_, player)), state.players[player]
        room, sign = begun.room or held.room, begun.sign or held.sign
        wanting = tuple(what for what, word in (("room", room), ("sign", sign)) if not word)
        if wanting and player not in lots:
            what, who = "a lot is missing for somebody who named no room or no sign", state.table.name(player)
            fix = 'add --drawn "PLAYER ROOM SIGN" for him, or hl resolve alone draws for all'
            raise Refused("polar.drawn", what, fix, f"{who} named no {' and no '.join(wanting)}")
        lot = lots.get(player, ("", ""))
        _buy(story, player, begun.bought)
        placed = f.Placed(player, room or lot[0], sign or lot[1], begun.bombs, wanting)
        story.tell(placed)
        _say_void(story, player, round_, begun.void, resolved=True)


def _lots(drawn: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Player -> what the lot gave him."""
    lots = {}
    for line in drawn:
        player, room, sign = (*line.split(" "), "", "")[:3]
        if room not in ROOMS or sign not in SIGNS:
            raise Refused("polar.drawn", f"{shown(line)} is not a player, a room and a sign", "hl resolve draws it")
        if player in lots:
            raise Refused("polar.drawn", f"{shown(player)} has two lots", "name each player once")
        lots[player] = (room, sign)
    return lots


def _play(story: Story[State], round_: Round, number: int) -> None:
    """Purchases, moves and swaps of everybody, bombs, points. Source: section 3."""
    state = story.state
    sent = sealed.contents(round_)
    sheets = {p: judge(state, p, sent[p]) for p in state.table.players if p in sent}
    for player, sheet in sheets.items():
        _say_void(story, player, round_, sheet.void, resolved=True)
        _buy(story, player, sheet.bought)
    for player, sheet in sheets.items():
        if sheet.ticket:
            story.tell(f.TicketUsed(player, state.players[player].room, sheet.ticket))
        if sheet.swap:
            story.tell(f.SwapUsed(player, "-" if state.players[player].sign == "+" else "+"))
    for player, sheet in sheets.items():
        if sheet.bomb:
            story.tell(f.BombUsed(player, *sheet.bomb))
    now, settings = story.state, story.state.settings
    rooms = {p: held.room for p, held in now.players.items()}
    signs = {p: held.sign for p, held in now.players.items()}
    scored = score(rooms, signs, now.now.bombs, settings.polarity_scope, settings.double_mode)
    story.tell(*(f.Scored(p, number, rooms[p], signs[p], **points._asdict()) for p, points in scored.items()))


def _buy(story: Story[State], player: str, bought: tuple[tuple[str, int], ...]) -> None:
    for item, price in bought:
        story.tell(f.Bought(player, item, price))
        story.tell(table_rules.transfer(story.state.table, player, BANK, price, a.item_name(item), "section 4, PL-6"))


# ---- host powers -------------------------------------------------------------------------------------------------


def _override(story: Story[State], action: shared.Override) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    if action.field == "garnets":
        story.tell(*table_rules.set_garnets(story.state.table, action.player, table_prepare.whole(action.value)))
    elif action.field in FIELDS:
        story.tell(f.FieldSet(action.player, action.field, field_value(action.field, action.value)))  # type: ignore[arg-type]
    else:
        raise table_prepare.no_such_field(action.field, FIELDS)


def field_value(field: str, typed: str) -> str:
    """The one spelling of an overridden value.

    Raises:
        Unreadable: it cannot be that.
    """
    words = [word for word in re.split(r"[\s,]+", typed.strip()) if word]
    nobody: Any = None
    match field:
        case "points" if typed.strip().startswith("-"):
            return f"-{table_prepare.whole(typed.strip()[1:])}" if typed.strip() != "-0" else "0"
        case "points" | "tickets" | "swaps":
            return str(table_prepare.whole(typed.strip()))
        case "bombs":
            named = [a.BOMB.read(word, nobody) for word in words if word.lower() != "none"]
            for bomb in named:
                a.must_be_known("bomb", bomb, BOMBS, sheet=False)
            return " ".join(bomb for bomb in BOMBS for _ in range(named.count(bomb)))
        case _:
            kind, known = (a.ROOM, ROOMS) if field == "room" else (a.SIGN, SIGNS)
            word = kind.read(typed, nobody)
            if word not in known:
                raise Unreadable(f"polar.{field}", f"{shown(typed)} is no {field}", f"one of: {' '.join(known)}")
            return word


def _amend_setting(story: Story[State], action: shared.AmendSetting) -> None:
    """From now on. How many rounds there are is fixed once they are over. Source: S-11."""
    state = story.state
    amended = table_rules.setting_amended(state.table, action, Settings, VISIBILITY)
    table_rules.must_leave_rounds(action, "rounds", over=state.over, number=state.number)
    story.tell(amended)


# ---- due, prepare, audit -----------------------------------------------------------------------------------------


def due(state: State) -> int | None:
    """The deadline of the round, or of a decision."""
    return state.table.next_end()


def prepare(state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What was typed, as it is recorded."""
    _slips(action)
    match action:
        case shared.Resolve() if state.table.round is not None and state.table.round.name == PREGAME:
            return (_with_lots(state, action, luck),)
        case shared.Override() if action.field in FIELDS and action.field != "garnets":
            return (action._replace(value=field_value(action.field, action.value)),)
        case _:
            return table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)


def _slips(action: Action) -> None:
    """Words that look like the host's typing are refused, unless the player wrote them so."""
    if getattr(action, "as_sent", False):
        return
    words: list[tuple[str, str | None, tuple[str, ...]]] = []
    match action:
        case a.Start():
            words = [("room", action.room, ROOMS), ("sign", action.sign, SIGNS)]
            words += [("bomb", bomb, BOMBS) for bomb in action.bombs]
            words += [("item", item, ITEMS) for item in action.buy]
        case a.Submit():
            words = [("room", room, ROOMS) for room in action.ticket]
            for bomb in action.bomb:
                kind, room = a.parted(bomb)
                words += [("bomb", kind, BOMBS), ("room", room, ROOMS)]
            words += [("item", item, ITEMS) for item in action.buy]
        case a.Go():
            words = [("room", action.room, ROOMS)]
        case a.Bomb():
            words = [("bomb", action.kind, BOMBS), ("room", action.room, ROOMS)]
        case a.Buy():
            words = [("item", item, ITEMS) for item in action.items]
    for kind, word, known in words:
        if word is not None:
            a.must_be_known(kind, word, known)


def _with_lots(state: State, action: shared.Resolve, luck: Luck) -> shared.Resolve:
    """A room and a sign for everybody, drawn or as typed: a sheet that is corrected later may need them."""
    named = action._replace(round=PREGAME) if action.round is None else action
    if named.drawn is None:
        seed = luck.seed()
        return named._replace(drawn=_drawn(state, seed, luck.seq), seed=seed.hex())
    typed = named._replace(drawn=tuple(_typed_lot(state, line) for line in named.drawn))
    return typed._replace(seed=None) if audit(state, typed, luck.seq) else typed


def _typed_lot(state: State, line: str) -> str:
    """`Ann rock +`: what a lot gave somewhere else, in its one spelling."""
    words = line.split()
    if len(words) != 3:
        raise Unreadable("polar.lot", f"{shown(line)} is not a player, a room and a sign", '--drawn "ann rock +"')
    desk = Desk(state.table.directory(), str)
    room, sign = a.ROOM.read(words[1], desk), a.SIGN.read(words[2], desk)
    a.must_be_known("room", room, ROOMS, sheet=False)
    a.must_be_known("sign", sign, SIGNS, sheet=False)
    return f"{desk.players.find(words[0])} {room} {sign}"


def _drawn(state: State, seed: bytes, seq: int) -> tuple[str, ...]:
    """In seat order: one of three rooms, then one of two signs."""
    words = kit_luck.stream(kit_luck.mix(seed), f"lot:{seq}")
    return tuple(
        f"{p} {ROOMS[kit_luck.below(words, len(ROOMS))]} {SIGNS[kit_luck.below(words, len(SIGNS))]}"
        for p in state.table.players
    )


def audit(state: State, action: Action, seq: int, key: bytes | None = None) -> str | None:
    """Repeats a recorded draw. Returns what is wrong with it, or None."""
    if isinstance(action, shared.Resolve) and action.seed is not None:
        return table_prepare.redrawn(
            action.seed, lambda seed: _drawn(state, seed, seq), action.drawn, "other rooms and signs"
        )
    return table_prepare.audit(state.table, action, seq)


# ---- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Total: a fact it cannot place is a bug."""
    match fact:
        case f.Placed():
            now = _at(state, fact.player, fact.room, fact.sign)
            bombs = _added(state.players[fact.player].bombs, counts(fact.bombs))
            return _player(state, fact.player, room=fact.room, sign=fact.sign, bombs=bombs)._replace(now=now)
        case f.ItemVoid():
            return state._replace(now=_void(state.now, fact)) if fact.resolved else state
        case f.Bought():
            return _bought(state, fact)
        case f.TicketUsed():
            return _player(state, fact.player, room=fact.to, tickets=state.players[fact.player].tickets - 1)
        case f.SwapUsed():
            return _player(state, fact.player, sign=fact.sign, swaps=state.players[fact.player].swaps - 1)
        case f.BombUsed():
            return _bombed(state, fact)
        case f.Scored():
            held = state.players[fact.player]
            now = _at(state, fact.player, fact.room, fact.sign)
            now = now._replace(scores={**now.scores, fact.player: fact.points})
            total, tickets = held.points + fact.points, held.tickets + fact.tickets
            return _player(state, fact.player, points=total, tickets=tickets)._replace(now=now)
        case RoundResolved():
            totals = {p: held.points for p, held in state.players.items()}
            done = state.now._replace(number=number_of(fact.round), totals=totals)
            table = table_evolve(state.table, fact)
            return state._replace(table=table, history=(*state.history, done), now=Played(0))
        case f.FieldSet():
            return _set(state, fact)
        case told.SettingAmended():
            table = table_evolve(state.table, fact)
            return state._replace(table=table, settings=table_settings.own(Settings, table.settings))
        case _:
            return state._replace(table=table_evolve(state.table, fact))


def _player(state: State, player: str, **changed: Any) -> State:
    return state._replace(players={**state.players, player: state.players[player]._replace(**changed)})


def _added(held: Any, more: Any) -> dict[str, int]:
    """Counts of bombs with those of another, none of them zero, in the printed order."""
    total = {bomb: held.get(bomb, 0) + more.get(bomb, 0) for bomb in BOMBS}
    return {bomb: n for bomb, n in total.items() if n}


def _at(state: State, player: str, room: str, sign: str) -> Played:
    now = state.now
    return now._replace(rooms={**now.rooms, player: room}, signs={**now.signs, player: sign})


def _void(now: Played, fact: f.ItemVoid) -> Played:
    return now._replace(void={**now.void, fact.player: (*now.void.get(fact.player, ()), fact)})


def _bought(state: State, fact: f.Bought) -> State:
    held, kind = state.players[fact.player], kind_of(fact.item)
    bought = {**held.bought, kind: held.bought.get(kind, 0) + 1}
    match kind:
        case "ticket":
            return _player(state, fact.player, bought=bought, tickets=held.tickets + 1)
        case "swap":
            return _player(state, fact.player, bought=bought, swaps=held.swaps + 1)
        case _:
            return _player(state, fact.player, bought=bought, bombs=_added(held.bombs, {bomb_of(fact.item): 1}))


def _bombed(state: State, fact: f.BombUsed) -> State:
    now, held = state.now, state.players[fact.player]
    there = _added(now.bombs.get(fact.room, {}), {fact.bomb: 1})
    now = now._replace(bombs={**now.bombs, fact.room: there}, users={**now.users, fact.player: (fact.bomb, fact.room)})
    return _player(state, fact.player, bombs=_added(held.bombs, {fact.bomb: -1}))._replace(now=now)


def _set(state: State, fact: f.FieldSet) -> State:
    match fact.field:
        case "points" | "tickets" | "swaps":
            return _player(state, fact.player, **{fact.field: int(fact.value)})
        case "bombs":
            return _player(state, fact.player, bombs=counts(fact.value.split()))
        case _:
            return _player(state, fact.player, **{fact.field: fact.value})


def invariants(state: State) -> tuple[str, ...]:
    """Laws that hold unless a host overrode them: points are what the rounds gave, nothing is held below zero."""
    broken = []
    for player, held in state.players.items():
        given = sum(played.scores.get(player, 0) for played in state.history)
        if held.points != given:
            broken.append(f"{player} has {held.points} points, the rounds gave {given}")
        broken += [
            f"{player} has {n} {what}"
            for what, n in (("tickets", held.tickets), ("swaps", held.swaps), *held.bombs.items())
            if n < 0
        ]
        if state.table.garnets(player) < 0:
            broken.append(f"{player} holds {state.table.garnets(player)} garnets")
    if sum(state.table.purses.values()) != 0:
        broken.append("the purses do not balance")
    return tuple(broken)
