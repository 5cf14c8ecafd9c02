"""Laws of Poker Auction that hold in every legal match, checked over random ones made from a seed.

A round is worked out here a second time, plainly, from section 3 of the rules; the first half plays on the pure
functions of the game, the second half folds entries with `ledger.core.replay`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from events import Body, Entry, write_instant
from events.errors import LedgerError, Refused
from games.contract import Moment
from games.poker_auction import GAME, actions as a, facts as f
from games.poker_auction.actions import POWERS, bids_of, gifts_of
from games.poker_auction.cards import DECK, RANKS, ROUNDS
from games.poker_auction.facts import ORDER, State
from games.poker_auction.rules import verdict
from games.records import args_of, kebab
from games.table import actions as shared
from games.table.endgame import settle
from games.table.rounds import SheetSealed
from ledger.core.replay import Engine, fold
from ledger.exchange.matchfile import setup_bodies
from tests.support.folding import can_be_shown
from tests.support.sizes import law

MINUTE, HOUR = 60_000, 3_600_000
PLAYERS = ("a", "b", "c", "d", "e")
SEEDS = st.integers(0, 10**9)
BEGAN = 1_795_000_000_000


def some_settings(dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    return {
        "min_bid": dice.choice([0, 1, 1]),
        "power_tie": dice.choice(["holdings", "bid", "lot"]),
        "flush_tie": dice.choice(["suit", "next_cards"]),
        "kickers": dice.random() < 0.3,
        "multi_ec": dice.choice(["all", "winner_picks", "fewest_cards", "lot"]),
        "overspend": dice.choice(["refuse", "refuse", "flag"]),
        "announce_diamonds": dice.random() < 0.3,
        "announce_gift": dice.random() < 0.3,
        "auto_ec_can_win": dice.random() < 0.3,
        "grace_seconds": dice.choice([0, 0, 600]),
    }


def a_ranking(dice: random.Random) -> str:
    return ">".join(dice.sample(POWERS, 5))


def a_bid(state: State, dice: random.Random, player: str, *, wild: bool = False) -> a.Bid:
    """A sheet that the rules allow, mostly: few different amounts, so that ties are common."""
    assert state.table.round is not None
    suit = ROUNDS[state.table.round.name]
    ranks = dice.sample(RANKS, dice.randint(0, 8))
    bids = {rank + suit: dice.choice([0, 1, 1, 2, 2, 3, dice.randint(4, 30)]) for rank in ranks}
    while sum(bids.values()) > max(0, state.chips[player]) and not wild:
        bids.pop(next(iter(bids)))
    power, spare = state.powers.get(player), dice.choice(RANKS) + suit
    gift = ()
    if power == "hearts":
        gift = tuple(f"{card}={dice.choice(PLAYERS)}" for card in bids if dice.random() < 0.4)
    use = dice.random() < 0.4 and power not in state.used
    text = ", ".join(f"{card} {bids[card]}" for card in sorted(bids, key=lambda card: RANKS.index(card[:-1])))
    diamonds, destroy = (spare if use and power == name else None for name in ("diamonds", "clubs"))
    return a.Bid(player, text, gift, diamonds, destroy, wild)


def submissions(play: Any, dice: random.Random) -> None:
    """Every player submits, or not: replaced, withdrawn, blank, late, admitted."""
    state: State = play.state
    assert state.table.round is not None
    power = state.table.round.name == "power"
    for player in dice.sample(PLAYERS, 5):
        for _ in range(dice.choice([0, 1, 1, 1, 2])):
            if power:
                garnets = dice.randint(0, state.table.garnets(player)) if state.settings.power_tie == "bid" else 0
                act: Any = a.Power(player, dice.choice([0, 10, 10, 20, dice.randint(0, 104)]), a_ranking(dice), garnets)
            else:
                act = a_bid(play.state, dice, player, wild=dice.random() < 0.04)
            other = dice.random()
            act = shared.Blank(player) if other < 0.08 else a.Withdraw(player) if other < 0.16 else act
            try:
                told = play.do(act)
            except Refused as refusal:
                assert refusal.code in ("poker_auction.nothing_sent", "poker_auction.empty")
                continue
            (sheet,) = (fact.sheet for fact in told if isinstance(fact, SheetSealed))
            if sheet.late and dice.random() < 0.5:
                play.do(shared.Ruling(f"admit {sheet.seq}"))
        if dice.random() < 0.06 and play.state.table.round.closed is None:
            play.close()
            play.now += dice.choice([1, 20]) * MINUTE


def some_match(auction: Any, dice: random.Random) -> Any:
    garnets = {p: dice.randint(0, 3) for p in PLAYERS}
    return auction(garnets=garnets, settings=some_settings(dice))


def finish(play: Any, dice: random.Random) -> None:
    """Decide all that the end leaves open."""
    for _ in range(20):
        if not play.state.table.decisions:
            return
        decision = play.state.table.decisions[0]
        if dice.random() < 0.3:
            play.wait(play.now + 25 * HOUR)
        elif decision.kind == "gift":
            play.do(shared.Gift(decision.who[0], dice.choice(decision.among)))
        elif decision.kind == "choose":
            play.do(shared.Choose(decision.who[0], dice.choice(decision.among)))
        if play.state.table.decisions and play.state.table.decisions[0].kind == "lot":
            play.do(shared.Lot((), dice.choice(play.state.table.decisions[0].among)))


# ---- the rules a second time ---------------------------------------------------------------------------------------


def counted(state: State) -> dict[str, Any]:
    """The sheets that count, from S-9 and S-G1: the last one in time or admitted, unless it takes back."""
    round_ = state.table.round
    assert round_ is not None
    found = {}
    for player in PLAYERS:
        last = None
        for sheet in round_.sheets.get(player, ()):
            if not sheet.late or sheet.seq in round_.admitted:
                last = sheet
        if last is not None and last.kind == "sheet":
            found[player] = last.content
    return found


def expected_round(state: State) -> tuple[dict[str, int], dict[str, str | None], set[str]]:
    """Chips, who receives each card, and who is caught overspending, as section 3 says."""
    assert state.table.round is not None
    sheets, least = counted(state), state.settings.min_bid
    bids = {p: {c: n for c, n in bids_of(s.bids).items() if n >= least} for p, s in sheets.items()}
    chips = dict(state.chips)
    for p in bids:
        chips[p] -= sum(bids[p].values())
    for p, sheet in sheets.items():
        if sheet.diamonds:
            chips[p] += sum(n for made in bids.values() for card, n in made.items() if card == sheet.diamonds)
    gone = {sheet.destroy for sheet in sheets.values() if sheet.destroy}
    spades = {power: p for p, power in state.powers.items()}.get("spades")
    taken: dict[str, str | None] = {}
    caught = set()
    for rank in RANKS:
        card = rank + ROUNDS[state.table.round.name]
        offers = sorted(((n, p) for p, made in bids.items() for c, n in made.items() if c == card), reverse=True)
        while len(offers) > 1 and offers[0][0] == offers[1][0]:
            offers = [(n, p) for n, p in offers if n != offers[0][0]]
        if card in gone:
            taken[card] = None
        elif not offers:
            taken[card] = spades
        else:
            winner = offers[0][1]
            gift = gifts_of(sheets[winner].gift).get(card) if state.powers[winner] == "hearts" else None
            taken[card] = gift or winner
            if sum(bids[winner].values()) > max(state.chips[winner], 0):
                caught.add(winner)
    return chips, taken, caught


def expected_powers(state: State, lot: tuple[str, ...]) -> dict[str, str]:
    """Who takes which power, as section 2 and PA-4 say; equal claims by the lot."""
    sheets = counted(state)
    assert state.table.round is not None
    held = dict.fromkeys(PLAYERS, 0)
    if state.settings.power_tie == "holdings":
        closed = state.table.round.closed is not None
        held = dict(state.table.round.held) if closed else {p: state.table.garnets(p) for p in PLAYERS}
    elif state.settings.power_tie == "bid":
        held = {p: sheets[p].garnets if p in sheets else 0 for p in PLAYERS}
    chips = {p: sheets[p].chips if p in sheets else 0 for p in PLAYERS}
    free, taken = list(POWERS), {}
    for player in sorted(PLAYERS, key=lambda p: (chips[p], held[p], -lot.index(p)), reverse=True):
        wanted = sheets[player].ranking.split(">") if player in sheets else list(POWERS)
        taken[player] = min(free, key=wanted.index)
        free.remove(taken[player])
    return taken


# ---- what always holds ---------------------------------------------------------------------------------------------


def check_laws(play: Any) -> None:
    """What is true after every step of a match without a host's override."""
    state: State = play.state
    assert GAME.invariants(state) == ()
    spent, got = play.spent(), Counter[str]()
    for fact in play.told:
        if isinstance(fact, f.ChipsReceived):
            got[fact.player] += fact.chips
    assert state.chips == {p: 104 - spent[p] + got[p] for p in PLAYERS}
    owned = Counter(card for cards in state.cards.values() for card in cards)
    gone = {fact.card for facts in state.results.values() for fact in facts if fact.to is None}
    to_come = {card for card in DECK if next(n for n, s in ROUNDS.items() if s == card[-1]) not in state.results}
    assert set(owned.values()) <= {1}
    assert not set(owned) & gone and not (set(owned) | gone) & to_come
    assert set(owned) | gone | to_come == set(DECK)
    assert sum(state.table.purses.values()) == 0 and all(state.table.garnets(p) >= 0 for p in PLAYERS)


@law(160)
@given(seed=SEEDS)
def test_every_legal_match(auction, seed):
    """Laws: chips leave by bids and enter by Joker or Diamonds only; each card owned once, gone once or still to come;
    every round comes out as sections 2 and 3 say, written a second time; purses balance; the end is decided."""
    dice = random.Random(seed)
    play = some_match(auction, dice)
    for name in ORDER:
        assert play.on == name
        submissions(play, dice)
        if dice.random() < 0.2:
            play.now += 25 * HOUR
            play.wait()
        before: State = play.state
        if name == "power":
            lot = tuple(dice.sample(PLAYERS, 5))
            wanted = expected_powers(before, lot)
            play.resolve(drawn=lot)
            assert play.powers() == wanted
        else:
            chips, taken, caught = expected_round(before)
            play.resolve()
            assert play.chips() == chips and play.state.overspent == before.overspent | caught
            assert {fact.card: fact.to for fact in play.state.results[name]} == taken
        check_laws(play)
        play.now += MINUTE
    check_result(play)
    finish(play, dice)
    check_laws(play)
    check_result(play)
    assert play.state.table.status == "finished"
    assert max(play.result().tokens.values(), default=0) <= 1


def check_result(play: Any) -> None:
    """Section 5: the best hand of those who may win has the tokens; who falls short is EC; else the lowest hand."""
    state: State = play.state
    shown, result = play.view()["players"], play.result()
    assert sorted(p for place in result.ranking for p in place) == sorted(PLAYERS)
    short = {p for p in PLAYERS if len(state.cards.get(p, ())) < 5}
    auto = short | state.overspent
    assert {p for p, row in shown.items() if row["auto_ec"]} == auto
    able = [p for p in PLAYERS if p not in (short if state.settings.auto_ec_can_win else auto)]
    awarded = {award.player for award in state.table.awards}
    ranked = [p for place in result.ranking for p in place]
    assert awarded == ({ranked[0]} if able else set())
    if result.elimination:
        if not auto:
            assert result.elimination == (ranked[-1],)
        elif state.settings.multi_ec == "all":
            assert set(result.elimination) == auto
        else:
            assert len(result.elimination) == 1 and set(result.elimination) <= auto
    assert settle(state.table, verdict(state), play.now) == []


@law(60)
@given(seed=SEEDS)
def test_the_result_follows_overrides_after_the_end(auction, seed):
    """Host powers: any cards, garnets and powers set after the end; the result is that of a match that ended so."""
    dice = random.Random(seed)
    deck = list(DECK)
    dice.shuffle(deck)
    cuts = sorted(dice.choices(range(53), k=5))
    cards = {p: " ".join(deck[start:end]) or "none" for p, start, end in zip(PLAYERS, [0, *cuts], cuts, strict=False)}
    chosen = some_settings(dice)
    direct = auction.ended(cards, settings=chosen)
    other = auction.ended({p: " ".join(dice.sample(DECK, dice.randint(0, 9))) for p in PLAYERS}, settings=chosen)
    finish(other, dice)
    for player in dice.sample(PLAYERS, 5):
        other.do(shared.Override(player, "cards", cards[player]))
    one, two = direct.result(), other.result()
    assert (one.ranking, one.scores) == (two.ranking, two.scores)
    assert {award.player for award in direct.state.table.awards} == {award.player for award in other.state.table.awards}
    assert direct.garnets() == other.garnets()
    assert sum(other.state.table.purses.values()) == 0
    check_result(other)


@law(40)
@given(seed=SEEDS)
def test_evolve_leaves_the_old_state_alone(auction, seed):
    """Contract: a state is never changed; `decide` changes nothing either, and tells the same twice."""
    dice = random.Random(seed)
    play = some_match(auction, dice)
    for _ in range(3):
        old, picture = play.state, repr(play.state)
        submissions(play, dice)
        play.resolve(drawn=PLAYERS if play.on == "power" else None)
        assert repr(old) == picture
    old, picture = play.state, repr(play.state)
    action = a_bid(play.state, dice, "a")
    twice = []
    for _ in range(2):
        try:
            twice.append(GAME.decide(old, action, Moment(play.now, 1)))
        except Refused as refusal:
            twice.append([refusal.code])
    assert twice[0] == twice[1] and repr(old) == picture


# ---- entries -------------------------------------------------------------------------------------------------------

ENGINE = Engine(GAME)


def body(action: Any, at: int, **given: Any) -> Body:
    return Body(do=kebab(type(action)), at=at, by="mara", recorded=max(at, BEGAN), args=args_of(action), **given)


def begin(chosen: dict[str, Any]) -> list[Body]:
    data = {
        "game": "poker_auction",
        "hosts": ["mara"],
        "players": {p: {"garnets": i} for i, p in enumerate(PLAYERS)},
        "settings": chosen,
    }
    return setup_bodies(data, source="test", by=None, now=BEGAN)[1]


def number(bodies: list[Body]) -> list[Entry]:
    return [Entry(n, f"{n:064x}", one) for n, one in enumerate(bodies, start=1)]


def without_numbers(state: State) -> State:
    """The state as it is whatever numbers the entries of the sheets have."""

    def plain_round(round_: Any) -> Any:
        if round_ is None:
            return None
        sheets = {p: tuple(s._replace(seq=0) for s in kept) for p, kept in sorted(round_.sheets.items())}
        return round_._replace(sheets=sheets)

    table = state.table
    return state._replace(table=table._replace(round=plain_round(table.round), last=plain_round(table.last)))


@law(40)
@given(seed=SEEDS)
def test_the_order_of_recording_changes_nothing(auction, seed):
    """docs/log-format.md: entries count by their time; recorded in any order they fold to the same state."""
    dice = random.Random(seed)
    play = some_match(auction, dice)
    new = begin({**some_settings(dice), "overspend": "flag"})
    said, at = [body(shared.Open(), BEGAN + MINUTE)], BEGAN + MINUTE
    for name in ORDER[: dice.randint(1, 5)]:
        for player in dice.sample(PLAYERS, 5):
            at += dice.randint(1, 90) * MINUTE
            if name == "power":
                act: Any = a.Power(player, dice.choice([10, 20]), a_ranking(dice))
            else:
                act = a_bid(play.state, dice, player)._replace(gift=(), diamonds=None, destroy=None)
            said.append(body(act, at))
        at += MINUTE
        order = tuple(dice.sample(PLAYERS, 5)) if name == "power" else None
        said.append(body(shared.Resolve(name, order), at))
        play.resolve(drawn=order)
    whole = fold(ENGINE, number(new + said))
    assert not [o for o in whole.contested if o.refusal and o.refusal.code != "poker_auction.empty"]
    mixed = list(said)
    dice.shuffle(mixed)
    assert without_numbers(fold(ENGINE, number(new + mixed)).state) == without_numbers(whole.state)


def anything(dice: random.Random, at: int, last: int) -> Any:
    """Any entry that a log can hold, sense or not."""
    one, two, card, other = dice.choice(PLAYERS), dice.choice(PLAYERS), dice.choice(DECK), dice.choice(DECK)
    name = dice.choice([*ORDER, "vote", "gift", "lot", "x", None])
    setting = dice.choice(
        [
            ("min_bid", 0), ("min_bid", 7), ("power_tie", "bid"), ("power_tie", "lot"), ("multi_ec", "winner_picks"),
            ("overspend", "flag"), ("kickers", True), ("flush_tie", "next_cards"), ("x", 1), ("grace_seconds", 60),
            ("visibility.bids", "everybody"), ("visibility.power_bids", "owner"), ("visibility", "x"),
            ("round_hours", 1), ("auto_ec_can_win", True), ("announce_diamonds", True),
        ]
    )  # fmt: skip
    bids = f"{card} {dice.randint(0, 120)}"
    play = [
        a.Power(one, dice.randint(0, 120), a_ranking(dice), dice.choice([0, 0, 1])), a.Bid(one, bids),
        a.Power(one, 1, dice.choice(["", "joker", "hearts>clubs"])), a.Bid(one, "", as_sent=True),
        a.Bid(one, bids, (f"{card}={two}",), as_sent=True), a.Bid(one, bids, (), other),
        a.Bid(one, bids, (), None, card),
        a.Bid(one, bids, (f"{card}=zoe",)), a.Withdraw(one), shared.Blank(one),
    ]  # fmt: skip
    steps = [
        shared.Resolve(name, tuple(dice.sample(PLAYERS, dice.choice([0, 5])))), shared.Resolve(name, (), "00"),
        shared.Close(name), shared.Reopen(name), shared.Deadline(write_instant(at + dice.randint(-5, 200) * MINUTE)),
        shared.Pause(), shared.Resume(), shared.Gift(one, two), shared.Choose(one, two), shared.Lot((), one),
        shared.Ruling(f"admit {dice.randint(1, last)}"),
    ]  # fmt: skip
    hosts = [
        shared.Override(one, "cards", " ".join(dice.choices(DECK, k=dice.randint(0, 7)))),
        shared.Award(one, "tokens", 1),
        shared.Override(one, "chips", dice.choice(["0", "300", "x"])), shared.AmendSetting(*setting),
        shared.Override(one, "power", dice.choice([*POWERS, "none", "x"])), shared.Override(one, "garnets", "2"),
        shared.Penalty(one, dice.randint(0, 2)), shared.Drop(one), shared.Note("n"), shared.Undo(dice.randint(1, last)),
        shared.Redo(dice.randint(1, last)), shared.Amend(dice.randint(1, last), {"player": one}, write_instant(at)),
        shared.Open(), shared.Deal("typed"), shared.Vote(one, two), shared.Ruling("r", dice.randint(1, last)),
    ]  # fmt: skip
    return dice.choice(dice.choices([play, steps, hosts], [5, 4, 3])[0])


@law(220)
@given(seed=SEEDS, more=st.integers(0, 60))
def test_any_log_folds(seed, more):
    """Contract, evolve is total: any entries in any order fold to a state that can be shown; what makes no sense is
    contested. Purses balance, and once the auction is over the table says what the rules say."""
    dice = random.Random(seed)
    new = begin(some_settings(dice))
    said = [body(shared.Open(), BEGAN + MINUTE)]
    at = BEGAN + MINUTE
    for name in ORDER[: dice.randint(0, 5)]:
        for player in dice.sample(PLAYERS, 3):
            at += dice.randint(1, 300) * MINUTE
            suit = ROUNDS.get(name, "C")
            act = a.Power(player, 10, a_ranking(dice)) if name == "power" else a.Bid(player, f"2{suit} 3")
            said.append(body(act, at))
        said.append(body(shared.Resolve(name, PLAYERS if name == "power" else ()), at + MINUTE))
        at += 2 * MINUTE
    for _ in range(more):
        when = dice.randint(BEGAN, at + 100 * HOUR)
        said.insert(dice.randint(0, len(said)), body(anything(dice, when, len(new) + len(said)), when))
    done = fold(ENGINE, number(new + said))
    state: State = done.state
    can_be_shown(GAME, done, PLAYERS)
    assert sum(state.table.purses.values()) == 0
    if state.over:
        assert settle(state.table, verdict(state), at) == []
    assert all(isinstance(o.refusal, LedgerError) for o in done.contested)
