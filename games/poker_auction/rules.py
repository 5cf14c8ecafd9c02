"""The power round, the four suit rounds and the end: checking sheets, and what follows from them.

Source: sections 2, 3 and 5.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping

from events.errors import Refused, Unreadable
from games.contract import Action, Luck, Moment, Transaction
from games.kinds import count
from games.kit.poker import WORDS
from games.parts.rules import taking
from games.poker_auction import actions as a, facts as f
from games.poker_auction.actions import POWERS, bids_of, complete, gifts_of
from games.poker_auction.cards import CLASSES, DECK, RANKS, ROUND_OF, ROUNDS, SIZE, Best, best_hand, read_card, sort
from games.poker_auction.facts import JOKER, State
from games.table import facts as table_facts, rounds as sealed, rules as table_rules
from games.table.endgame import elect, elimination_of, may_lose, must_lose, pick, ranked, who_left, winners
from games.table.prepare import NONE
from games.table.state import BANK, Reward, Round, Spare, TokenReason, Verdict


def prepared(state: State, action: a.Power, luck: Luck) -> tuple[a.Power]:
    """A submission for powers with its ranking completed, and how much of it the player ranked. Source: PA-3."""
    ranking = tuple(power for power in action.ranking.split(">") if power)
    known = action.named if complete(ranking[: action.named]) == ranking else len(ranking)
    return (action._replace(ranking=">".join(complete(ranking)), named=known),)


def power(state: State, round_: Round, action: a.Power) -> None:
    """Chips and a ranking; valid as a whole. Source: section 2, PA-2, PA-3, PA-6."""
    if round_.name != "power":
        raise Refused("poker_auction.power_over", "the powers have been given out", f"hl bid {action.player} CARDS")
    _within(state, round_, action)
    if action.garnets and state.settings.power_tie != "bid":
        what = "garnets are not bid in this match (power_tie is not bid)"
        raise Refused("poker_auction.garnets", what, "leave --garnets out")
    if action.garnets > state.table.garnets(action.player):
        fewer = f"hl power {action.player} CHIPS RANKING --garnets N"
        raise table_rules.not_enough(state.table, action.player, action.garnets, fewer)


def _within(state: State, round_: Round, action: a.Power | a.Bid) -> None:
    """Refuse a sheet over budget; the earlier one stays. Source: PA-6."""
    held, name, chips = state.chips[action.player], state.table.name(action.player), a.spends(action)
    if chips > max(held, 0) and not action.as_sent and state.settings.overspend == "refuse":
        before = "" if sealed.current_sheet(round_, action.player) is None else "; the sheet before it still counts"
        what = f"the sheet spends {count(chips, 'chip')}, more than {name} has{before}"
        cost = "what is too much is a debt" if round_.name == "power" else "who wins a card so is Elimination Candidate"
        fix = f"--as-sent records it as it was written; {cost} (PA-6)"
        raise Refused("poker_auction.over_budget", what, fix, f"{name} has {count(held, 'chip')}")


def bid(state: State, round_: Round, action: a.Bid) -> None:
    """Amounts on cards of this round, and the powers used with them; valid as a whole. Source: section 3."""
    player, name = action.player, state.table.name(action.player)
    if round_.name == "power":
        raise Refused("poker_auction.power_first", "it is the power round", f"hl power {player} CHIPS RANKING")
    bids, gifts = bids_of(action.bids), gifts_of(action.gift)
    cards = [*bids, *gifts, *(card for card in (action.diamonds, action.destroy) if card)]
    if wrong := [card for card in cards if card[-1] != ROUNDS[round_.name]]:
        other = ROUND_OF[wrong[0][-1]]
        is_late = other in state.table.past and {ROUND_OF[card[-1]] for card in cards} == {other}
        fix = f"add --at TIME if it was sent in the {other} round\n" if is_late else ""
        what = f"this is the {round_.name} round; {wrong[0]} belongs to the {other} round"
        raise Refused("poker_auction.other_round", what, f"{fix}correct the card")
    if not cards:
        raise Refused("poker_auction.empty", "the sheet is empty", f"hl blank {player}")
    _within(state, round_, action)
    for power in a.uses(action):
        if state.powers.get(player) != power:
            raise Refused("poker_auction.not_owned", f"{name} does not have {power.title()}", "leave it out")
        if power in state.used:
            what = f"{power.title()} cannot be used any more; it works once"
            raise Refused("poker_auction.used", what, "leave it out", f"{state.table.name(state.used[power])} used it")
    if gifts and state.powers.get(player) != "hearts":
        raise Refused("poker_auction.not_owned", f"{name} does not have Hearts", "leave --gift out")
    if len(gifts) < len(action.gift):
        raise Refused("poker_auction.gift_twice", "a card cannot be given to two players", "one --gift a card")
    for card, receiver in gifts.items():
        if receiver not in state.table.seats:
            raise Unreadable("player.unknown", f"there is no player {receiver!r} in this match", "hl status")
        table_rules.must_be_here(state.table, receiver)
        if card not in bids:
            what = f"{card} is given away, but there is no bid on it"
            fix = f"correct the card of --gift to one that is bid on, or bid on {card} too"
            raise Refused("poker_auction.gift_without_bid", what, fix)


def faults(state: State, round_: Round) -> Iterator[tuple[int, str]]:
    """Sheets that have gone over budget, or use a power that has gone, because of what changed since they came in.

    Source: PA-6; section 2.
    """
    for player, sheet in sealed.contents(round_).items():
        seq = sealed.counted(round_, player)[-1].seq
        name, held, garnets = state.table.name(player), state.chips[player], state.table.garnets(player)
        if (spends := a.spends(sheet)) > max(held, 0):
            yield seq, f"{name}'s sheet spends {count(spends, 'chip')}, and {name} has {held}: over budget (PA-6)"
        if isinstance(sheet, a.Power) and sheet.garnets > garnets:
            yield seq, f"{name}'s sheet bids {count(sheet.garnets, 'garnet')}, and {name} holds {garnets} (PA-4)"
        for power in a.uses(sheet):
            if state.powers.get(player) != power:
                yield seq, f"{name}'s sheet uses {power.title()}, and {name} does not have it any more"


def withdraw(tx: Transaction[State], action: a.Withdraw, moment: Moment) -> None:
    """Take back a player's submission; an earlier one does not return. Source: section 3."""
    table = tx.state.table
    if sealed.current_sheet(taking(table, action.player, action.round), action.player) is None:
        what = f"{table.name(action.player)} has sent nothing in this round"
        raise Refused("poker_auction.nothing_sent", what, "hl waiting")
    tx.emit(sealed.seal(table, action.player, None, moment, "withdrawn"))


def resolve(tx: Transaction[State], round_: Round, drawn: tuple[str, ...], moment: Moment) -> None:
    if round_.name == "power":
        _give_powers(tx, round_, drawn)
    else:
        _auction(tx, round_)


def claims(state: State, round_: Round) -> dict[str, tuple[int, int]]:
    """Player -> (chips submitted, tie-break: garnets held or bid). Source: section 2, PA-4.

    Holdings are those of the deadline (PA-23); a garnet bid counts only up to what is held when it would be paid.
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
    """Spend all submitted chips; in the order of chips each player takes the best free power. Source: section 2."""
    state, sheets = tx.state, sealed.contents(round_)
    sent = {p: claim for p, claim in claims(state, round_).items() if p not in state.table.left or p in sheets}
    places = {p: n for n, p in enumerate((*lot, *(p for p in sent if p not in lot)))}  # leavers have no lot: PA-24
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
        why = f"pick {place}, with {count(chips, 'chip')}"
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
    """What becomes of a card: destroyed, to the highest unique amount, or to Spades. Source: section 3."""
    amounts = Counter(offer[card] for offer in bids.values() if card in offer)
    tied = tuple(sorted((n for n, times in amounts.items() if times > 1), reverse=True))
    if any(sheet.destroy == card for sheet in sheets.values()):
        return f.CardAwarded(name, card, None, "destroyed", False, None, None, tied)
    single = [n for n, times in amounts.items() if times == 1]
    if not single:
        owner = state.owner("spades")
        taker = None if owner in state.table.left else owner  # leavers receive nothing: PA-24
        return f.CardAwarded(name, card, taker, "no_valid_bids", False, None, None, tied)
    best = max(single)
    winner = next(p for p, offer in bids.items() if offer.get(card) == best)
    skipped = any(n > best for n in tied)
    receiver = gifts_of(sheets[winner].gift).get(card, winner)
    if receiver != winner and state.powers.get(winner) == "hearts":
        return f.CardAwarded(name, card, receiver, "gift", skipped, winner, best, tied)
    return f.CardAwarded(name, card, winner, "won", skipped, None, best, tied)


def read_cards(typed: str) -> str:
    """Read `2C AS` as sorted cards; `none` is no card."""
    words = [word for word in typed.lower().replace(",", " ").split() if word != NONE]
    return " ".join(sort({read_card(word) for word in words}))


GARNETS = 5
RULE = "section 5"
LINES = ("final_hands",)
TO_GIVE = "the highest hand; one to give away"
FEW, OVERSPENT = "fewer than five cards", "cards bought by overspending"
_best_hand = functools.lru_cache(maxsize=256)(best_hand)


def best(state: State, player: str) -> Best | None:
    """The best hand of a player, None for fewer than five cards."""
    settings = state.settings
    return _best_hand(state.cards.get(player, ()), settings.flush_tie, kickers=settings.kickers)


def bests(state: State) -> dict[str, Best | None]:
    return {p: best(state, p) for p in state.table.players}


def automatic(state: State) -> tuple[str, ...]:
    """The automatic Elimination Candidates: too few cards, or overspent. Source: section 5, PA-6, PA-7."""
    return tuple(p for p in state.table.players if len(state.cards.get(p, ())) < SIZE or p in state.overspent)


def scores(state: State) -> dict[str, int]:
    """The class of each hand: 1 (high card) to 9, 0 for none."""
    return {p: len(CLASSES) - CLASSES.index(hand.name) if hand else 0 for p, hand in bests(state).items()}


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """The players by hand, with automatic Elimination Candidates last unless their hand may win."""
    hands = bests(state)
    auto = tuple(p for p in automatic(state) if not (state.settings.auto_ec_can_win and hands[p]))
    return ranked({p: (p not in auto, hand.strength if hand else (-1,)) for p, hand in hands.items()})


def verdict(state: State) -> Verdict:
    """How the match ends, once the last round is resolved, as far as is known."""
    hands, auto = bests(state), automatic(state)
    able = [p for p in state.table.may_win if state.settings.auto_ec_can_win or p not in auto]
    first, *_ = ranked({p: hand.strength for p in able if (hand := hands[p])}) or [()]
    awards: tuple[TokenReason, ...] = ()
    unwon: tuple[TokenReason, ...] = ()
    rewards: tuple[Reward, ...] = ()
    if len(first) == 1:
        winner, hand = first[0], hands[first[0]]
        assert hand is not None, "the winner has a hand"
        why = f"highest hand: {WORDS[hand.name]} ({' '.join(hand.cards)})"
        second = TokenReason(winner, "highest_hand_to_give", f"{why}; one to give away", RULE, LINES, TO_GIVE)
        awards = (TokenReason(winner, "highest_hand", why, RULE, LINES, "the highest hand"), second)
        rewards = (Reward(winner, GARNETS, why, RULE),)
    elif first:
        why = f"{state.table.named(first)} have equal highest hands, so nobody wins the tokens"
        unwon = (TokenReason("", "highest_hand", why, RULE, LINES, "equal highest hands: nobody wins the tokens"),)
    last = _elimination(state, auto, awards)
    return last._replace(awards=awards, unwon=unwon, rewards=rewards, spare=Spare(state.settings.gift_hours))


def _automatic(state: State, player: str) -> str:
    """Why a player is an automatic Elimination Candidate. Source: section 5, PA-6, PA-7."""
    reasons = [FEW] * (len(state.cards.get(player, ())) < SIZE) + [OVERSPENT] * (player in state.overspent)
    return " and ".join(reasons)


def _elimination(state: State, auto: tuple[str, ...], awards: tuple[TokenReason, ...]) -> Verdict:
    """The Elimination Candidate and why, or the decision needed. Source: section 5, PA-7, PA-21, PA-24."""
    table = state.table
    won, able = winners(table, awards), may_lose(table)
    if left := must_lose(table, (p for p in able if p not in won)):
        return who_left(left)
    auto = tuple(p for p in auto if p in able)
    if not auto:
        worst = [there for group in ranking(state) if (there := tuple(p for p in group if p in able))][-1:]
        last = table.remaining((p for group in worst for p in group if p not in won), "elimination")
        why, short, how = "the lowest hand", "the lowest hand", "rank"
        if len(last) <= 1:
            return Verdict(elimination=last, elimination_why=why, elimination_short=short, elimination_lines=LINES)
        auto, why = last, "equal lowest hands"
    else:
        auto = table.remaining(auto, "elimination")
        why, short, how = "; ".join(f"{table.name(p)}: {_automatic(state, p)}" for p in auto), "automatic", "automatic"
        if len(auto) == 1 or state.settings.multi_ec == "all":
            each = {p: _automatic(state, p) for p in auto}
            result = Verdict(elimination=auto, elimination_why=why, elimination_how=how, elimination_each=each)
            return result._replace(elimination_short=short, elimination_lines=LINES)
    if state.settings.multi_ec == "fewest_cards":
        auto = ranked({p: len(state.cards.get(p, ())) for p in auto}, lowest=True)[0]
    winner = next(iter(won), None) if state.settings.multi_ec == "winner_picks" else None
    hours = state.settings.vote_hours
    choice = pick(table, "elimination", winner, auto, hours) if winner else elect(table, "elimination", auto, (), hours)
    each = {p: _automatic(state, p) for p in auto} if how == "automatic" else {}
    return elimination_of(choice, why, short, LINES)._replace(elimination_how=how, elimination_each=each)


def invariants(state: State) -> Iterator[str]:
    """Laws that only an override can break: each card has one owner, and chips are conserved."""
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


def cards_of_round(state: State) -> tuple[str, ...]:
    suit = ROUNDS.get(state.table.round.name) if state.table.round is not None else None
    return tuple(rank + suit for rank in RANKS) if suit else ()


def moves(state: State, player: str) -> Iterator[Action]:
    """A sample. For powers: 0 to all chips in quarters, with each power first. For cards: 1, 5 or 13 from each card on,
    for all chips in equal parts or a quarter of that; alone, or with a power on the first card."""
    held, cards = max(state.chips[player], 0), cards_of_round(state)
    if not cards:
        yield from (a.Power(player, held * n // 4, power) for n in range(5) for power in a.POWERS)
    for start, first in enumerate(cards):
        for size in (1, 5, 13):
            chosen = cards[start : start + size]
            for amount in (held // len(chosen), held // len(chosen) // 4):
                sheet = a.Bid(player, ", ".join(f"{card} {amount}" for card in chosen))
                gifts = tuple((f"{first}={receiver}",) for receiver in state.table.present if receiver != player)
                yield from (sheet, sheet._replace(diamonds=first), sheet._replace(destroy=first))
                yield from (sheet._replace(gift=gift) for gift in gifts)
    yield a.Withdraw(player)


def asks(state: State) -> str:
    if state.table.round is None:
        return ""
    return "hl power NAME CHIPS RANKING" if state.table.round.name == "power" else 'hl bid NAME "CARD CHIPS, ..."'


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    if action is a.Power and field == "ranking":
        return a.POWERS
    return cards_of_round(state) if action is a.Bid and field in ("bids", "diamonds", "destroy") else ()
