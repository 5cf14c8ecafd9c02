"""The power round and the four suit rounds: what is wrong with a sheet, and what comes of all of them.

Source: sections 2 and 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from events.errors import Refused, Unreadable
from games.contract import Luck, Moment
from games.kit import sealed
from games.kit.sealed import Round, RoundResolved
from games.kinds import count
from games.parts.rules import taking
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.actions import POWERS, bids_of, complete, gifts_of
from games.poker_auction.cards import DECK, RANKS, ROUND_OF, ROUNDS, read_card, sort
from games.poker_auction.state import JOKER, State
from games.table import BANK, rounds
from games.table import facts as table_facts
from games.table import rules as table_rules
from games.table.prepare import NONE
from games.contract import Transaction


def may_open(state: State) -> None:
    """Five powers are there for at most five players. Source: PA-19."""
    if len(state.table.present) > len(POWERS):
        raise Refused(
            "poker_auction.roster",
            "there are five powers: at most five can play (PA-19)",
            "five players, in the match file",
        )


# ---- submissions -------------------------------------------------------------------------------------------------


def prepared(state: State, action: a.Power, luck: Luck) -> tuple[a.Power]:
    """A submission for powers with its ranking completed, and how much of it the player ranked. Source: PA-3."""
    ranking = tuple(power for power in action.ranking.split(">") if power)
    known = action.named if complete(ranking[: action.named]) == ranking else len(ranking)
    return (action._replace(ranking=">".join(complete(ranking)), named=known),)


def power(state: State, round_: Round, action: a.Power) -> None:
    """Chips and a ranking; valid as a whole. Source: section 2, PA-2, PA-3, PA-6."""
    if round_.name != "power":
        raise Refused("poker_auction.power_over", "the powers are given", f"hl bid {action.player} CARDS")
    _within(state, round_, action, action.chips)
    if action.garnets and state.settings.power_tie != "bid":
        raise Refused("poker_auction.garnets", "garnets are not bid here: power_tie is not bid", "leave --garnets out")
    if action.garnets > state.table.garnets(action.player):
        raise table_rules.not_enough(state.table, action.player, action.garnets)


def _within(state: State, round_: Round, action: a.Power | a.Bid, chips: int) -> None:
    """A sheet over budget is refused, and the one before it stays. Source: PA-6."""
    held, name = state.chips[action.player], state.table.name(action.player)
    if chips > max(held, 0) and not action.as_sent and state.settings.overspend == "refuse":
        before = "" if sealed.counting(round_, action.player) is None else "; the sheet before it still counts"
        raise Refused(
            "poker_auction.over_budget",
            f"the sheet spends {count(chips, 'chip')}, more than {name} has{before}",
            "--as-sent records it as it was written, with the consequence of PA-6",
            f"{name} has {count(held, 'chip')}",
        )


def bid(state: State, round_: Round, action: a.Bid) -> None:
    """Amounts on cards of this round, and the powers used with them; valid as a whole. Source: section 3."""
    player, name = action.player, state.table.name(action.player)
    if round_.name == "power":
        raise Refused("poker_auction.power_first", "the power round is on", f"hl power {player} CHIPS RANKING")
    bids, gifts = bids_of(action.bids), gifts_of(action.gift)
    cards = [*bids, *gifts, *(card for card in (action.diamonds, action.destroy) if card)]
    if wrong := [card for card in cards if card[-1] != ROUNDS[round_.name]]:
        what = f"this is the {round_.name} round; {wrong[0]} belongs to the {ROUND_OF[wrong[0][-1]]} round"
        raise Refused("poker_auction.other_round", what, "correct the card")
    if not cards:
        fix = f"hl blank {player}"
        raise Refused("poker_auction.empty", "nothing is on the sheet", fix)
    _within(state, round_, action, sum(bids.values()))
    for power, card in (("diamonds", action.diamonds), ("clubs", action.destroy)):
        if card and state.powers.get(player) != power:
            raise Refused("poker_auction.not_owned", f"{name} does not have {power.title()}", "leave it out")
        if card and power in state.used:
            what = f"{name} has used {power.title()} already; it works once"
            raise Refused("poker_auction.used", what, "leave it out")
    if gifts and state.powers.get(player) != "hearts":
        raise Refused("poker_auction.not_owned", f"{name} does not have Hearts", "leave --gift out")
    if len(gifts) < len(action.gift):
        raise Refused("poker_auction.gift_twice", "a card is given to two players", "one --gift a card")
    for card, receiver in gifts.items():
        if receiver not in state.table.seats:
            raise Unreadable("player.unknown", f"there is no player {receiver!r} in this match", "hl status")
        table_rules.must_be_here(state.table, receiver)
        if card not in bids:
            raise Refused("poker_auction.gift_without_bid", f"{card} is given away without a bid on it", f"{card} 1")


def unpaid(state: State, round_: Round) -> Iterator[str]:
    """Sheets over budget: chips, or what a sheet may spend, may have changed since they came in. Source: PA-6."""
    for player, sheet in sealed.contents(round_).items():
        name, held, garnets = state.table.name(player), state.chips[player], state.table.garnets(player)
        spends = sheet.chips if isinstance(sheet, a.Power) else sum(bids_of(sheet.bids).values())
        if spends > max(held, 0):
            yield f"the sheet of {name} spends {count(spends, 'chip')}, and {name} has {held}: over budget (PA-6)"
        if isinstance(sheet, a.Power) and sheet.garnets > garnets:
            yield f"the sheet of {name} bids {count(sheet.garnets, 'garnet')}, and {name} holds {garnets} (PA-4)"


def withdraw(tx: Transaction[State], action: a.Withdraw, moment: Moment) -> None:
    """A player has no submission any more; the one before does not return. Source: section 3."""
    table = tx.state.table
    if sealed.counting(taking(table, action.player, action.round), action.player) is None:
        what = f"{table.name(action.player)} has nothing in this round"
        raise Refused("poker_auction.nothing_sent", what, "hl waiting")
    tx.emit(rounds.seal(table, action.player, None, moment, "withdrawn"))


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    if round_.name == "power":
        _give_powers(tx, round_, drawn)
    else:
        _auction(tx, round_)


# ---- the power round ---------------------------------------------------------------------------------------------


def claims(state: State, round_: Round) -> dict[str, tuple[int, int]]:
    """Player -> (chips, what breaks a tie): chips submitted, then garnets held or bid. Source: section 2, PA-4.

    Holdings are those of the deadline (PA-23); of a bid no more counts than is held when it would be paid.
    """
    offers = {}
    for player in state.table.players:
        sheet, now = sealed.content(round_, player), state.table.garnets(player)
        held = now if round_.closed is None else round_.held[player]
        bid = min(sheet.garnets, now) if sheet else 0
        by = {"holdings": held, "bid": bid, "lot": 0}[state.settings.power_tie]
        offers[player] = (sheet.chips if sheet else 0, by)
    return offers


def _give_powers(tx: Transaction[State], round_: Round, lot: tuple[str, ...]) -> None:
    """All submitted chips are spent; in the order of chips each takes the best power still free. Source: section 2."""
    state, sheets = tx.state, sealed.contents(round_)
    sent = {p: claim for p, claim in claims(state, round_).items() if p not in state.table.left or p in sheets}
    places = {p: n for n, p in enumerate((*lot, *(p for p in sent if p not in lot)))}  # who left has no lot: PA-24
    order = sorted(sent, key=lambda p: (-sent[p][0], -sent[p][1], places[p]))
    for player in order:
        if sent[player][0]:
            tx.emit(f.ChipsSpent(player, sent[player][0], "the power round"))
            if tx.state.chips[player] < 0:
                tx.emit(f.Overspent(player, "power", False))
    equal_chips, equal_claims = Counter(chips for chips, _ in sent.values()), Counter(sent.values())
    free = list(POWERS)
    for place, player in enumerate(order, 1):
        (chips, by), sheet = sent[player], sheets.get(player)
        tied = equal_chips[chips] > 1
        why = f"pick {place}, with {chips} chips"
        if equal_claims[chips, by] > 1:
            why += ", a tie broken by lot"
        elif tied:
            why += f", a tie broken by {count(by, 'garnet')}"
        ranking = complete(sheet.ranking.split(">") if sheet and sheet.ranking else ())
        power = next(p for p in ranking if p in free)
        free.remove(power)
        tx.emit(f.PowerTaken(player, power, why))
        if state.settings.power_tie == "bid" and by and tied:
            tx.emit(table_facts.Moved(player, BANK, by, "bid to break a tie for powers", "PA-4"))
        if power == "joker":
            tx.emit(f.ChipsReceived(player, JOKER, "joker"))


# ---- an auction round --------------------------------------------------------------------------------------------


def _auction(tx: Transaction[State], round_: Round) -> None:
    """Spend, collect, give. Source: section 3, Resolution; PA-5, PA-6, PA-8, PA-14, PA-16."""
    state = tx.state
    sheets: dict[str, a.Bid] = {p: s for p in state.table.players if (s := sealed.content(round_, p)) is not None}
    least = state.settings.min_bid
    bids = {p: {c: n for c, n in bids_of(s.bids).items() if n >= least} for p, s in sheets.items()}
    over = [p for p in bids if sum(bids[p].values()) > max(state.chips[p], 0)]
    for player, amounts in bids.items():
        if total := sum(amounts.values()):
            tx.emit(f.ChipsSpent(player, total, f"the {round_.name} round"))
    for player, sheet in sheets.items():
        if sheet.diamonds:
            income = sum(amounts.get(sheet.diamonds, 0) for amounts in bids.values())
            tx.emit(f.PowerUsed(player, "diamonds", sheet.diamonds))
            tx.emit(f.ChipsReceived(player, income, sheet.diamonds))
        if sheet.destroy:
            tx.emit(f.PowerUsed(player, "clubs", sheet.destroy))
    winners = set()
    for rank in RANKS:
        fact = outcome(state, round_.name, rank + ROUNDS[round_.name], bids, sheets)
        tx.emit(fact)
        if fact.bid is not None:
            winners.add(fact.giver or fact.to)
    tx.emit(*(f.Overspent(player, round_.name, player in winners) for player in over))


def outcome(
    state: State, name: str, card: str, bids: Mapping[str, Mapping[str, int]], sheets: Mapping[str, a.Bid]
) -> f.CardAwarded:
    """What becomes of one card: destroyed, to the highest amount that only one bid, or to Spades. Source: section 3."""
    amounts = Counter(offer[card] for offer in bids.values() if card in offer)
    tied = tuple(sorted((n for n, times in amounts.items() if times > 1), reverse=True))
    if any(sheet.destroy == card for sheet in sheets.values()):
        return f.CardAwarded(name, card, None, "destroyed", False, None, None, tied)
    single = [n for n, times in amounts.items() if times == 1]
    if not single:
        owner = state.owner("spades")
        taker = None if owner in state.table.left else owner  # who has left receives nothing: PA-24
        return f.CardAwarded(name, card, taker, "no_valid_bids", False, None, None, tied)
    best = max(single)
    winner = next(p for p, offer in bids.items() if offer.get(card) == best)
    skipped = any(n > best for n in tied)
    receiver = gifts_of(sheets[winner].gift).get(card, winner)
    if receiver != winner and state.powers.get(winner) == "hearts":
        return f.CardAwarded(name, card, receiver, "gift", skipped, winner, best, tied)
    return f.CardAwarded(name, card, winner, "won", skipped, None, best, tied)


# ---- what a host sets --------------------------------------------------------------------------------------------


def read_cards(typed: str) -> str:
    """`2C AS`: the cards in their order; `none` is no card."""
    words = [word for word in typed.lower().replace(",", " ").split() if word != NONE]
    return " ".join(sort({read_card(word) for word in words}))


# ---- the state after a fact --------------------------------------------------------------------------------------


def _chips(state: State, player: str, change: int) -> State:
    return state._replace(chips={**state.chips, player: state.chips[player] + change})


def _received(fact: f.ChipsReceived, state: State) -> State:
    if fact.what != "joker":
        state = state._replace(income={**state.income, fact.player: fact.chips})
    return _chips(state, fact.player, fact.chips)


def _awarded(fact: f.CardAwarded, state: State) -> State:
    results = {**state.results, fact.round: (*state.results.get(fact.round, ()), fact)}
    cards = state.cards
    if fact.to is not None:
        cards = {**cards, fact.to: sort((*cards.get(fact.to, ()), fact.card))}
    return state._replace(results=results, cards=cards)


def _overspent(fact: f.Overspent, state: State) -> State:
    won = {fact.player} if fact.won else set()
    return state._replace(overspent=state.overspent | won, overdrawn=state.overdrawn | {fact.player})


def _resolved(fact: RoundResolved, state: State) -> State:
    assert state.table.last is not None, "the round that was resolved"
    return state._replace(counted={**state.counted, fact.round: sealed.contents(state.table.last)})


EVOLVE = {
    f.ChipsSpent: lambda fact, state: _chips(state, fact.player, -fact.chips),
    f.ChipsReceived: _received,
    f.PowerTaken: lambda fact, state: state._replace(powers={**state.powers, fact.player: fact.power}),
    f.PowerUsed: lambda fact, state: state._replace(used=state.used | {fact.power}),
    f.CardAwarded: _awarded,
    f.Overspent: _overspent,
    RoundResolved: _resolved,
}


def invariants(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: a card is owned once, chips are not made of nothing."""
    owned = Counter(card for cards in state.cards.values() for card in cards)
    facts = [fact for facts in state.results.values() for fact in facts]
    gone, awarded = {x.card for x in facts if x.to is None}, {x.card for x in facts if x.to is not None}
    yield from (f"{card} is owned {times} times" for card, times in owned.items() if times > 1)
    yield from (f"{card} is owned, though it went" for card in sort(owned) if card in gone)
    dealt = {card for card in DECK if ROUND_OF[card[-1]] in state.results}
    yield from (f"{card} is owned, though its round is not resolved" for card in sort(owned) if card not in dealt)
    out = any(not state.cards.get(p) for p in state.table.left)  # a host took their cards out of play: PA-24
    yield from (f"{card} is owned by nobody" for card in DECK if card not in owned and card in awarded and not out)
    yield from (f"{p} has {n} chips" for p, n in state.chips.items() if n < 0 and p not in state.overdrawn)
    yield from (f"{power} is held twice" for power, n in Counter(state.powers.values()).items() if n > 1)
