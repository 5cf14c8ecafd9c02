"""What a sheet does, the pregame, the rounds, and the end. Source: sections 1 to 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import HOSTS, Action, AnyAction, AnySheet, Draw, Luck, Moment, Override, Rounds, Sheet, Transaction
from games.kinds import called, count, shown
from games.parts.rules import number_of, submit, taking
from games.polar import actions as a, facts as f, sheets
from games.polar.actions import BOMBS, ROOMS, SIGNS
from games.polar.facts import FIRST_BOMBS, PREGAME, SECOND, State, corrected, counts
from games.polar.sheets import judge, judge_start, score
from games.records import kebab
from games.table import BANK, Decision, Need, Reward, Spare, TokenReason, Verdict, actions as shared, rounds as sealed
from games.table.endgame import Worst, eliminate, holders, may_lose, pick, ranked, token_declared, winners
from games.table.prepare import NONE, or_none, signed, whole
from games.table.rules import transfer
from games.table.state import Round


def slips(state: State, action: AnyAction, luck: Luck) -> tuple[Action, ...]:
    """Refuse unknown words, and two items of a kind, unless the player wrote so.

    Raises:
        Unreadable: an unknown word; `sealed.twice`.
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
    value = getattr(action, name)
    number = value if isinstance(value, int) else len(value)
    if number > most:
        what = {"ticket": "tickets", "swap": "sign swaps"}.get(name, "bombs")
        what = f"{number} {what} in one message: {rule}"
        raise Unreadable("sealed.twice", what, "--as-sent if the player wrote it so")


def first_sheet(state: State, round_: Round, sheet: a.Start) -> None:
    """Check that it is the pregame, in which rooms, signs and bombs are chosen. Source: section 1."""
    if round_.name != PREGAME:
        what = "the pregame is over: rooms, signs and bombs are chosen"
        fix = f"add --at TIME if it was sent in the pregame\nhl submit {sheet.player} --help"
        raise Refused("polar.pregame_over", what, fix)


def in_a_round(state: State, round_: Round, sheet: AnySheet) -> None:
    """Check that it is not the pregame: items are used in rounds. Source: section 2."""
    if round_.name == PREGAME:
        if round_.closed is not None:
            raise Refused("polar.pregame", "the pregame is over, but it is not resolved yet", "hl resolve")
        fix = f"like: hl start {sheet.player} rock + double,polarity"
        raise Refused("polar.pregame", "it is the pregame: no round has begun", fix)


def whole_sheet(state: State, round_: Round, sheet: a.Submit) -> None:
    """Refuse an empty sheet. Source: section 2."""
    in_a_round(state, round_, sheet)
    if not (sheet.ticket or sheet.swap or sheet.bomb or sheet.buy):
        raise Refused("polar.empty", "the sheet is empty", f"hl blank {sheet.player}")


def warn_at_once(tx: Transaction[State], sheet: a.Start | a.Submit) -> None:
    """Emit which items of the whole sheet would not count as things are. Source: S-9."""
    state, player = tx.state, sheet.player
    assert state.table.round is not None, "a sheet is in"
    whole = sealed.content(sealed.up_to(state.table.round, player), player)
    tx.emit(*_judged(state, player, whole).void)


def parts(sheet: a.Start | a.Submit) -> tuple[str, ...] | None:
    """The kinds of items that an addition names. Source: S-9."""
    return tuple(a.items(sheet)) if sheet.add else None


def on_sheet(state: State, round_: Round, player: str) -> Mapping[str, str]:
    sheet = sealed.content(round_, player)
    return {} if sheet is None else a.in_words(sheet)


def faults(state: State, round_: Round) -> Iterator[tuple[int, str]]:
    """Items of sheets that would count for nothing as things are. Source: section 2, PL-3, PL-7 to PL-10."""
    for player, sheet in sealed.contents(round_).items():
        sent = {s.seq: _judged(state, player, s.content).void for s in sealed.counted(round_, player) if s.content}
        for fact in _judged(state, player, sheet).void:
            yield sealed.entry_of(sent, fact), f"{fact.host(state)} ({fact.rule})"


def _judged(state: State, player: str, sheet: AnySheet) -> sheets.Begun | sheets.Counted:
    return (judge_start if isinstance(sheet, a.Start) else judge)(state, player, sheet, resolved=False)


def go(tx: Transaction[State], action: a.Go, moment: Moment) -> None:
    _one_of(action, action.room, "room", "ROOM")
    _put(tx, action, moment, "ticket", ticket=(action.room,) if action.room else ())


def swap(tx: Transaction[State], action: a.Swap, moment: Moment) -> None:
    _put(tx, action, moment, "sign swap", swap=0 if action.off else 1)


def bomb(tx: Transaction[State], action: a.Bomb, moment: Moment) -> None:
    kind, room = action.kind, action.room
    _one_of(action, kind or room if action.off else kind and room, "bomb and room", "BOMB ROOM")
    _put(tx, action, moment, "bomb", bomb=(f"{kind} {room}",) if kind else ())


def buy(tx: Transaction[State], action: a.Buy, moment: Moment) -> None:
    _one_of(action, action.items, "item", "ITEM")
    _put(tx, action, moment, "purchase", buy=action.items)


def _one_of(action: a.Go | a.Bomb | a.Buy, item: object, what: str, usage: str) -> None:
    """Check that an item is either named or taken off."""
    typed = f"hl {kebab(type(action))} {action.player} {usage}"
    if action.off and item:
        raise Unreadable("polar.off", "--off takes the item off the sheet, so name no item", f"{typed}, or --off alone")
    if not action.off and not item:
        raise Unreadable("polar.what", f"say which {what}", f"{typed}, or --off")


def _put(
    tx: Transaction[State], action: a.Go | a.Swap | a.Bomb | a.Buy, moment: Moment, what: str, **item: Any
) -> None:
    """Seal the present sheet again with one item added, replaced or taken off."""
    table, player = tx.state.table, action.player
    round_ = taking(table, player, action.round)
    in_a_round(tx.state, round_, action)
    (kind,) = item
    if action.off and not getattr(sealed.content(round_, player) or a.Submit(player), kind):
        raise Refused("polar.not_on", f"{table.name(player)}'s sheet has no {what}", f"hl blank {player}")
    submit(tx, a.Submit(player, **item), moment, Sheet(after=warn_at_once, parts=lambda sheet: (kind,)))


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    """Resolve the sheets of all players at once. Source: section 3."""
    if round_.name == PREGAME:
        place(tx, round_, drawn)
    else:
        play(tx, round_)


def place(tx: Transaction[State], round_: Round, drawn: tuple[str, ...]) -> None:
    """Place every player; a lot decides a room or sign that neither player nor host named. Source: section 1, PL-3."""
    state, lots = tx.state, _lots(drawn)
    for player in state.table.players:
        if not begins(state, player):
            continue
        begun, held = judge_start(state, player, sealed.content(round_, player), resolved=True), state.players[player]
        room, sign = begun.room or held.room, begun.sign or held.sign
        wanting = tuple(what for what, word in (("room", room), ("sign", sign)) if not word)
        if wanting and player not in lots:
            what, who = "somebody named no room or no sign, and no lot was drawn for them", state.table.name(player)
            fix = 'add --drawn "PLAYER ROOM SIGN" for them, or hl resolve alone draws for all'
            raise Refused("polar.drawn", what, fix, f"{who} named no {' and no '.join(wanting)}")
        lot = lots.get(player, ("", ""))
        _buy(tx, player, begun.bought)
        tx.emit(f.Placed(player, room or lot[0], sign or lot[1], begun.bombs, wanting))
        tx.emit(*begun.void)


def begins(state: State, player: str) -> bool:
    """Does the player begin in a room? Not if they left before naming one, unless a host placed them. PL-26."""
    sheet = state.table.round and sealed.content(state.table.round, player)
    return player not in state.table.left or bool(sheet or state.players[player].room)


def _lots(drawn: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    lots: dict[str, tuple[str, str]] = {}
    for line in drawn:
        player, room, sign = (*line.split(" "), "", "")[:3]
        if room not in ROOMS or sign not in SIGNS:
            raise Refused("polar.drawn", f"{shown(line)} is not a player, a room and a sign", "hl resolve")
        if player in lots:
            raise Refused("polar.drawn", f"there are two lots for {shown(player)}", "name each player once")
        lots[player] = (room, sign)
    return lots


def typed_lot(state: State, line: str) -> str:
    """The outcome of a lot drawn elsewhere, `Ann rock +`, in normal spelling."""
    words = line.split()
    if len(words) != 3:
        raise Unreadable("polar.lot", f"{shown(line)} is not a player, a room and a sign", '--drawn "ann rock +"')
    player, room, sign = words
    room, sign = a.known_word(a.ROOM, room), a.known_word(a.SIGN, sign)
    return f"{state.table.directory().find(player)} {room} {sign}"


def play(tx: Transaction[State], round_: Round) -> None:
    """Resolve purchases, moves and swaps, then bombs and points. Source: section 3."""
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


ROUNDS: Rounds = Rounds(
    names=lambda state: (PREGAME, *(f"round_{n}" for n in range(1, state.settings.rounds + 1))),
    hours=lambda state, name: state.settings.pregame_hours if name == PREGAME else state.settings.round_hours,
    sheets={
        a.Start: Sheet(first_sheet, warn_at_once, parts, slips),
        a.Submit: Sheet(whole_sheet, warn_at_once, parts, slips),
    },
    items=on_sheet,
    resolve=resolve,
    what=lambda state, name: "room, sign and two bombs" if name == PREGAME else f"sheet for {called(name)}",
    spelled=a.spelled,
    number="rounds",
)
LOTS: Draw = Draw(
    "other rooms and signs",
    when=lambda state: state.table.round is not None and state.table.round.name == PREGAME,
    each=lambda state: tuple(p for p in state.table.players if begins(state, p)),
    of=lambda state: (ROOMS, SIGNS),
    typed=typed_lot,
    line=HOSTS,
)
"""A room and a sign for every player, in case a sheet is corrected later. Source: section 1, PL-3."""


def _number(typed: str) -> str:
    return str(whole(typed.strip()))


def _bombs(typed: str) -> str:
    words = [word for word in typed.replace(",", " ").split() if word.lower() != NONE]
    bombs = [a.known_word(a.BOMB, word) for word in words]
    return " ".join(bomb for bomb in BOMBS for _ in range(bombs.count(bomb)))


def _set(
    name: str, line: str, how: str, read: Callable[[str], str], kept: Callable[[str], Any] = str, **texts: Any
) -> Override:
    return Override(how, read, lambda state, player, value: state.holds(player, **{name: kept(value)}), line, **texts)


OVERRIDES: Mapping[str, Override] = {
    "points": _set("points", "scoreboard", "N (may be below zero)", signed, int, public=corrected),
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


RULE = "section 5"
LINES = ("scoreboard",)
"""The lines that reveal points, and so every rank."""


def points(state: State) -> Mapping[str, int]:
    return {p: held.points for p, held in state.players.items()}


def rewards(state: State) -> tuple[Reward, ...]:
    """The garnets for points, none for negative ones. Source: section 5, PL-14, PL-15."""
    per, paid = state.settings.garnets_per, []
    for player in state.table.may_win:
        held = state.players[player]
        points = held.points
        if state.settings.garnets_from == "points_gained":
            points = sum(max(0, played.scores.get(player, 0)) for played in state.history)
        if (garnets := points // per) > 0:
            paid.append(Reward(player, garnets, f"{count(points, 'point')}, one for every {per}", f"{RULE}, PL-15"))
    return tuple(paid)


def verdict(state: State) -> Verdict:
    """How the match ends, once the last round is resolved, as far as is known."""
    paid = rewards(state)
    awards, unwon, need = _awards(state)
    if need is not None:
        return Verdict(awards, needed=(need,), rewards=paid, unwon=unwon)
    spare = Spare(state.settings.gift_hours)
    return _elimination(state, awards)._replace(awards=awards, unwon=unwon, rewards=paid, spare=spare)


def _awards(state: State) -> tuple[tuple[TokenReason, ...], tuple[TokenReason, ...], Need | None]:
    """The tokens won by rank, the unwon ones, and the choice still needed. Source: section 5, PL-17, PL-18, S-5."""
    able = state.table.may_win
    first, *rest = [there for group in ranked(points(state)) if (there := tuple(p for p in group if p in able))] or [()]
    if not first:
        return (), (), None
    had = {p: count(n, "point") for p, n in points(state).items()}
    most = state.settings.max_tied_tol
    if len(first) > most:
        why = f"{len(first)} are tied in the first place with {had[first[0]]}, more than {most}: nobody wins a token"
        return (), (TokenReason("", "tied_first", why, RULE, LINES, "too many are tied in the first place"),), None
    if len(first) > 1:
        why = f"tied in the first place with {had[first[0]]}"
        return tuple(TokenReason(p, "tied_first", why, RULE, LINES, "tied in the first place") for p in first), (), None
    (winner,) = first
    top = TokenReason(winner, "first", f"first with {had[winner]}", RULE, LINES, "the first place")
    if not rest:
        return (top,), (), None
    second = rest[0]
    if len(second) == 1:
        short = "the first place; one to give away"
        spare = TokenReason(winner, "first_to_give", f"first with {had[winner]}; one to give away", RULE, LINES, short)
        why = f"second with {had[second[0]]}"
        return (top, spare, TokenReason(second[0], "second", why, RULE, LINES, "the second place")), (), None
    choice = pick(state.table, SECOND, winner, second, state.settings.vote_hours)
    if choice.how != "choice" and token_declared(state.table, second):
        return (top,), (), None
    if choice.player is None:
        return (top,), (), choice.need
    how, why = (choice.how, choice.why) if choice.how == "choice" else ("lot", "the winner picked nobody; drawn by lot")
    full, short = f"second with {had[choice.player]}; {why}", f"the second place; {why}"
    return (top, TokenReason(choice.player, "second", full, f"{RULE}, PL-17", LINES, short, how, choice.by)), (), None


def _elimination(state: State, awards: tuple[TokenReason, ...]) -> Verdict:
    """The Elimination Candidate and why, or the decision needed. Source: section 5, PL-19, PL-20, PL-26."""
    table, settings = state.table, state.settings
    barred = holders(table, awards) if settings.ec_excludes_token_holders else ()
    if not may_lose(table, barred):
        decision = Decision("ruling", (), table.present, "elimination")
        need = () if decision.key in table.closed else (Need(decision, 0),)
        why = "everybody holds a Token of Life (PL-19)"
        return Verdict(elimination_why=why, needed=need, elimination_lines=("tokens",))

    def worst(able: Sequence[str]) -> Worst:
        last = ranked({p: state.players[p].points for p in able}, lowest=True)[0]
        return Worst(last, f"lowest score: {count(state.players[last[0]].points, 'point')}", "the lowest score", LINES)

    return eliminate(table, barred, worst, winners(table, awards), settings.vote_hours)


def invariants(state: State) -> Iterator[str]:
    """Laws that only an override can break: points are the sum of the rounds, and no count is negative."""
    for player, held in state.players.items():
        scored = sum(played.scores.get(player, 0) for played in state.history)
        if held.points != scored:
            yield f"{player} has {held.points} points, the rounds gave {scored}"
        counted = {"tickets": held.tickets, "swaps": held.swaps, **held.bombs}
        yield from (f"{player} has {n} {what}" for what, n in counted.items() if n < 0)
        if state.table.garnets(player) < 0:
            yield f"{player} holds {state.table.garnets(player)} garnets"


def asks(state: State) -> str:
    if state.table.round is None:
        return ""
    pregame = state.table.round.name == PREGAME
    return "hl start NAME ROOM SIGN BOMB,BOMB" if pregame else "hl submit NAME --ticket ROOM --bomb BOMB ROOM"


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    held = state.players.get(words.get("player", ""))
    if held is None:
        return ()
    if (action, field) in ((a.Go, "room"), (a.Submit, "ticket")):
        return tuple(room for room in a.ROOMS if room != held.room)
    if (action, field) == (a.Submit, "bomb") and words.get("bomb"):
        return a.ROOMS
    if (action, field) in ((a.Bomb, "kind"), (a.Submit, "bomb")):
        return tuple(dict.fromkeys((*held.bombs, *a.BOMBS)))
    if (action, field) == (shared.Override, "value"):
        return {"room": a.ROOMS, "sign": a.SIGNS, "bombs": a.BOMBS}.get(words.get("field", ""), ())
    return ()
