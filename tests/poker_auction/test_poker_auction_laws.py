"""Laws of Poker Auction that hold in every legal match, checked over random ones made from a seed.

A round is worked out here a second time, plainly, from section 3 of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given, strategies as st

from events.errors import Refused
from games.poker_auction import GAME, actions as a, facts as f
from games.poker_auction.actions import POWERS, bids_of, gifts_of
from games.poker_auction.cards import DECK, RANKS, ROUNDS
from games.poker_auction.facts import ORDER, State
from games.poker_auction.rules import verdict
from games.table import actions as shared
from games.table.endgame import settle
from games.table.rounds import SheetSealed
from tests.support.play import ended
from tests.support.sizes import law

MINUTE, HOUR = 60_000, 3_600_000
PLAYERS = ("a", "b", "c", "d", "e")
SEEDS = st.integers(0, 10**9)


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
                tokens = dice.choice([0, 10, 10, 20, dice.randint(0, 104)])
                act: Any = a.Power(player, tokens, ">".join(dice.sample(POWERS, 5)), garnets)
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
    ended(play, dice, check_result)


def check_result(play: Any) -> None:
    """Section 5: the best hand of those who may win has the tokens; who falls short is EC; else the lowest hand."""
    check_laws(play)
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
