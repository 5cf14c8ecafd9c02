"""Laws of Polar RPS Party that hold in every legal match, checked over random ones made from a seed.

The pregame, a round and the end are worked out here a second time, plainly, from sections 1 to 5 of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from events.errors import Refused
from games.polar import GAME, actions as a, facts as f
from games.polar.facts import State
from games.polar.rules import verdict
from games.table import actions as shared
from games.table.endgame import settle
from tests.support.play import ended
from tests.support.sizes import law

MINUTE, HOUR = 60_000, 3_600_000
NAMES = ("a", "b", "c", "d", "e", "f", "g")
ROOMS = ("rock", "paper", "scissors")
BOMBS = ("confetti", "double", "polarity", "ticket")
ITEMS = ("ticket", "swap", "confetti", "double", "polarity", "ticket_bomb")
SEEDS = st.integers(0, 10**9)


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    return {
        "polarity_scope": dice.choice(["room", "all"]),
        "double_mode": dice.choice(["base_only", "cancels_others", "cancelled_by_others"]),
        "bad_bomb": dice.choice(["lose_that_one", "lose_both"]),
        "purchase_window": dice.choice(["every_round", "pregame_too"]),
        "use_same_round": dice.random() < 0.7,
        "price_scope": dice.choice(["per_player", "market"]),
        "garnets_per": dice.choice([1, 2, 7]),
        "garnets_from": dice.choice(["final_total", "points_gained"]),
        "max_tied_tol": dice.choice([1, 4, 4]),
        "ec_excludes_token_holders": dice.random() < 0.7,
        "grace_seconds": dice.choice([0, 0, 600]),
        "rounds": dice.choice([1, 2, 3, 9]),
    }


def some(dice: random.Random, words: tuple[str, ...], *, wild: float = 0.1) -> str:
    """One of the words, or none of them."""
    return dice.choice(("attic", "blank", "double rock")) if dice.random() < wild else dice.choice(words)


def a_start(dice: random.Random, player: str) -> a.Start:
    """A first sheet, with whatever a player may have written on it."""
    bombs = tuple(some(dice, BOMBS) for _ in range(dice.choice([0, 1, 2, 2, 2, 2, 3])))
    buy = tuple(some(dice, ITEMS) for _ in range(dice.choice([0, 0, 1, 3])))
    return a.Start(player, some(dice, ROOMS), some(dice, ("+", "-")), bombs, buy, True)


def a_sheet(dice: random.Random, player: str) -> Any:
    """A sheet of a round, whole or in a short form."""
    rooms = tuple(some(dice, ROOMS) for _ in range(dice.choice([0, 1, 1, 1, 2])))
    bombs = tuple(f"{some(dice, BOMBS)} {some(dice, ROOMS)}" for _ in range(dice.choice([0, 1, 1, 2])))
    buy = tuple(some(dice, ITEMS) for _ in range(dice.choice([0, 0, 1, 2, 4])))
    whole = a.Submit(player, rooms, dice.choice([0, 0, 1, 1, 2]), bombs, buy, True)
    return dice.choice(
        [
            whole, whole, whole, a.Go(player, some(dice, ROOMS), as_sent=True), a.Swap(player), a.Swap(player, True),
            a.Bomb(player, some(dice, BOMBS), some(dice, ROOMS), as_sent=True), a.Go(player, off=True),
            a.Buy(player, (some(dice, ITEMS),), as_sent=True), a.Bomb(player, off=True), shared.Blank(player),
        ]
    )  # fmt: skip


def submissions(play: Any, dice: random.Random) -> None:
    """Every player submits, or not: replaced, blank, late, admitted."""
    state: State = play.state
    assert state.table.round is not None
    pregame = state.table.round.name == "pregame"
    for player in dice.sample(state.table.players, len(state.table.players)):
        for _ in range(dice.choice([0, 1, 1, 1, 2, 3])):
            act = a_start(dice, player) if pregame else a_sheet(dice, player)
            try:
                told = play.do(shared.Blank(player) if dice.random() < 0.05 else act)
            except Refused as refusal:
                assert refusal.code in ("polar.empty", "polar.not_on", "table.left")
                continue
            if told[0].sheet.late and dice.random() < 0.5:
                play.do(shared.Ruling(f"admit {told[0].sheet.seq}"))
        if dice.random() < 0.06 and play.state.table.round.closed is None:
            play.close()
            play.now += dice.choice([1, 20]) * MINUTE
    if dice.random() < 0.04 and len(play.state.table.left) < 2:
        play.do(shared.Drop(dice.choice([p for p in state.table.players if p not in play.state.table.left])))


def some_match(polar: Any, dice: random.Random) -> Any:
    names = NAMES[: dice.choice([2, 3, 5, 7])]
    return polar(players=names, garnets={p: dice.randint(0, 9) for p in names}, settings=some_settings(dice))


def some_lots(dice: random.Random, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{p} {dice.choice(ROOMS)} {dice.choice('+-')}" for p in names)


# ---- the rules a second time ---------------------------------------------------------------------------------------


class Have:
    """What one player has, in a plain way."""

    def __init__(self, state: State, player: str) -> None:
        held = state.players[player]
        self.room, self.sign, self.points = held.room, held.sign, held.points
        self.stock = Counter({"ticket": held.tickets, "swap": held.swaps})
        self.stock.update({f"{bomb} bomb": n for bomb, n in held.bombs.items()})
        self.garnets = state.table.garnets(player)
        self.bought = Counter(held.bought)

    def all(self) -> Any:
        return self.room, self.sign, self.points, +self.stock, self.garnets


def as_played(state: State) -> dict[str, Any]:
    return {p: Have(state, p).all() for p in state.players}


def counted(state: State) -> dict[str, Any]:
    """The sheets that count, from S-9 and S-G1: the last whole one in time or admitted, with what was added since."""
    round_ = state.table.round
    assert round_ is not None
    found = {}
    for player in state.players:
        content = None
        for sheet in round_.sheets.get(player, ()):
            if sheet.late and sheet.seq not in round_.admitted:
                continue
            if content is not None and sheet.parts:
                content = content._replace(**{part: getattr(sheet.content, part) for part in sheet.parts})
            else:
                content = sheet.content
        if content is not None:
            found[player] = content
    return found


def shop(me: Have, sold: Counter[str], wanted: tuple[str, ...]) -> Counter[str]:
    """Section 4: the k-th purchase of a kind costs k garnets; in his order; what he cannot pay he does not get."""
    got: Counter[str] = Counter()
    mine: Counter[str] = Counter()
    for item in wanted:
        if item not in ITEMS:
            continue
        kind = item if item in ("ticket", "swap") else "bomb"
        price = sold[kind] + mine[kind] + 1
        if price <= me.garnets:
            me.garnets -= price
            mine[kind] += 1
            got[kind if kind != "bomb" else f"{item.replace('_bomb', '')} bomb"] += 1
    me.bought.update(mine)
    return got


def sold_before(state: State, have: dict[str, Have], player: str) -> Counter[str]:
    """PL-6: counted for him, or for all, as it was before this round."""
    if state.settings.price_scope == "per_player":
        return Counter(have[player].bought)
    return sum((Counter(held.bought) for held in state.players.values()), Counter())


def expected_start(state: State, lots: tuple[str, ...]) -> dict[str, Any]:
    """Section 1, PL-2, PL-3: room and sign as named, else by lot; good bombs of the first two; purchases if allowed."""
    have = {p: Have(state, p) for p in state.players}
    drawn = {line.split()[0]: line.split()[1:] for line in lots}
    sheets = counted(state)
    for p, me in have.items():
        sheet = sheets.get(p)
        if sheet is None and p in state.table.left:  # PL-26
            continue
        me.room = sheet.room if sheet and sheet.room in ROOMS else drawn[p][0]
        me.sign = sheet.sign if sheet and sheet.sign in "+-" else drawn[p][1]
        good = [bomb for bomb in (sheet.bombs[:2] if sheet else ()) if bomb in BOMBS]
        if len(good) == 2 or state.settings.bad_bomb == "lose_that_one":
            me.stock.update(f"{bomb} bomb" for bomb in good)
        if sheet and state.settings.purchase_window == "pregame_too":
            me.stock.update(shop(me, sold_before(state, have, p), sheet.buy))
    return {p: me.all() for p, me in have.items()}


def expected_round(state: State) -> dict[str, Any]:
    """Sections 2 and 3, in order; PL-4, PL-5, PL-13."""
    rules, sheets = state.settings, counted(state)
    have = {p: Have(state, p) for p in state.players}
    dropped: Counter[tuple[str, str]] = Counter()
    for p, sheet in sheets.items():
        me = have[p]
        before = Counter(me.stock)
        me.stock.update(shop(me, sold_before(state, have, p), sheet.buy))
        can = me.stock if rules.use_same_round else before
        if len(sheet.ticket) == 1 and sheet.ticket[0] in ROOMS and sheet.ticket[0] != me.room and can["ticket"] > 0:
            me.room = sheet.ticket[0]
            me.stock["ticket"] -= 1
        if sheet.swap == 1 and can["swap"] > 0:
            me.sign = {"+": "-", "-": "+"}[me.sign]
            me.stock["swap"] -= 1
        if len(sheet.bomb) == 1:
            *bomb, room = sheet.bomb[0].split(" ")
            if bomb[0] in BOMBS and len(bomb) == 1 and room in ROOMS and can[f"{bomb[0]} bomb"] > 0:
                me.stock[f"{bomb[0]} bomb"] -= 1
                dropped[room, bomb[0]] += 1
    for me in (here := [one for one in have.values() if one.room]):  # PL-26
        base = 0
        for other in here:
            beats = (me.room, other.room) in (("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"))
            beaten = (other.room, me.room) in (("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"))
            base += beats - beaten
        around = [o.sign for o in here if rules.polarity_scope == "all" or o.room == me.room]
        rare = around.count(me.sign) * 2 < len(around)
        base += 1 if rare else 0
        confetti, double, polarity, ticket = (dropped[me.room, bomb] for bomb in BOMBS)
        if double and rules.double_mode == "cancels_others":
            confetti = polarity = ticket = 0
        if rules.double_mode == "cancelled_by_others" and confetti + polarity + ticket:
            double = 0
        me.points += (base * 2 if double else base) + confetti + (2 * polarity if rare else 0)
        me.stock["ticket"] += ticket
    return {p: me.all() for p, me in have.items()}


def expected_tokens(points: dict[str, int], most: int, picked: str | None) -> dict[str, int]:
    """Section 5: who WON how many, once the second is picked."""
    top = max(points.values())
    first = [p for p in points if points[p] == top]
    if len(first) > 1:
        return dict.fromkeys(first, 1) if len(first) <= most else {}
    rest = [n for p, n in points.items() if p not in first]
    second = [p for p in points if rest and points[p] == max(rest)]
    if len(second) == 1:
        return {first[0]: 2, second[0]: 1}
    return {first[0]: 1} | ({picked: 1} if picked else {})


# ---- what always holds ---------------------------------------------------------------------------------------------


def check_laws(play: Any) -> None:
    """What is true after every step of a match without a host's override."""
    state: State = play.state
    assert GAME.invariants(state) == ()
    stock = {p: Counter({"ticket": 4, "swap": 2}) for p in state.players}
    points: Counter[str] = Counter()
    for fact in play.told:
        match fact:
            case f.Placed():
                stock[fact.player].update(f"{bomb} bomb" for bomb in fact.bombs)
            case f.Bought(item="ticket" | "swap"):
                stock[fact.player][fact.item] += 1
            case f.Bought():
                stock[fact.player][f"{fact.item.removesuffix('_bomb')} bomb"] += 1
            case f.TicketUsed():
                stock[fact.player]["ticket"] -= 1
            case f.SwapUsed():
                stock[fact.player]["swap"] -= 1
            case f.BombUsed():
                stock[fact.player][f"{fact.bomb} bomb"] -= 1
            case f.Scored():
                stock[fact.player]["ticket"] += fact.tickets
                points[fact.player] += fact.points
    for p in state.players:
        have = Have(state, p)
        assert +stock[p] == +have.stock and min(have.stock.values()) >= 0 and have.garnets >= 0
        assert have.points == points[p] == sum(played.scores.get(p, 0) for played in state.history)
        assert not state.history or have.points == state.history[-1].totals[p]
    assert sum(state.table.purses.values()) == 0


@law(160)
@given(seed=SEEDS)
def test_every_legal_match(polar, seed):
    """Laws: start, rounds and end come out as sections 1 to 5 say, written a second time; points are the sum of the
    round scores; inventories are what came in less what went out; purses balance; the end is decided."""
    dice = random.Random(seed)
    play = some_match(polar, dice)
    rounds = play.state.settings.rounds
    for number in range(rounds + 1):
        assert play.view()["round"] == number
        submissions(play, dice)
        if dice.random() < 0.2:
            play.wait(play.now + 49 * HOUR)
        before: State = play.state
        if number == 0:
            lots = some_lots(dice, before.table.players)
            wanted = expected_start(before, lots)
            play.resolve(drawn=lots)
        else:
            wanted = expected_round(before)
            play.resolve()
        if number == rounds:  # rewards are paid at once
            wanted = {p: (*rest, None) for p, (*rest, _) in wanted.items()}
            assert {p: (*rest, None) for p, (*rest, _) in as_played(play.state).items()} == wanted
        else:
            assert as_played(play.state) == wanted
        check_laws(play)
        play.now += MINUTE
    ended(play, dice, check_result)


def check_result(play: Any) -> None:
    """Section 5: ranking, rewards, tokens won and the Elimination Candidate."""
    check_laws(play)
    state: State = play.state
    result, rules = play.result(), state.settings
    points = {p: held.points for p, held in state.players.items()}
    assert [p for place in result.ranking for p in place] == sorted(points, key=lambda p: -points[p])
    assert all(len({points[p] for p in place}) == 1 for place in result.ranking) and result.scores == points
    gained = {p: sum(max(0, played.scores.get(p, 0)) for played in state.history[1:]) for p in points}
    source = points if rules.garnets_from == "final_total" else gained
    wins = {p: n for p, n in points.items() if p not in state.table.left}  # who left wins nothing: PL-26
    paid = {p: max(0, source[p]) // rules.garnets_per for p in wins}
    assert {reward.player: reward.garnets for reward in state.table.rewards} == {p: n for p, n in paid.items() if n}
    picked = next((award.player for award in state.table.awards if award.condition == "second"), None)
    won = Counter(award.player for award in state.table.awards)
    assert won == expected_tokens(wins, rules.max_tied_tol, picked)
    able = [p for p in points if not (rules.ec_excludes_token_holders and won[p])]
    last = [p for p in able if points[p] == min(points[q] for q in able)]
    last = [p for p in last if p in wins] or last
    if result.elimination:
        assert len(result.elimination) == 1 and set(result.elimination) <= set(last)
    elif state.table.status == "finished":
        assert not able
    for giver, receiver in state.table.given:
        assert won[giver] == 2 and not won[receiver] and (receiver,) != result.elimination
    assert settle(state.table, verdict(state), play.now) == []
