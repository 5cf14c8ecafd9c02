"""Trades, recolours, locks, garnets, the phases, the end, and what follows by itself. Source: sections 2 to 4, 6 and 7.

A refusal and its fix contain nothing that one of the players concerned may not know (EQ-9); what only the host may know
is in `host_only`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from events.audiences import HOST
from events.errors import Refused, Unreadable
from events.instants import Instant, later
from events.record import NamedTuple
from games.contract import Elapsed, Moment, Transaction, Verb, players_of
from games.equilibrium import actions as a, facts as f
from games.equilibrium.actions import VISIBILITY, Settings
from games.equilibrium.cards import HAND_SIZE, Worth, flip, paying, placing, worth
from games.equilibrium.facts import Pledge, State, pair
from games.kinds import count
from games.kit.poker import WORDS
from games.parts.dealing import must_be_dealt
from games.parts.rules import by_the_table
from games.spans import in_words, span
from games.table import actions as shared, facts as table_facts, rules as table_rules
from games.table.endgame import Worst, eliminate, granted, holders, ranked, settle
from games.table.state import BANK, Decision, Need, Spare, Table, TokenReason, Verdict
from games.table.view import line_audience

# ---- trades and offers -------------------------------------------------------------------------------------------


def _must_be_trading(state: State) -> None:
    if state.playing:
        return
    if state.over:
        fix = "add --at TIME if it happened before the end\nhl reopen trading -n"
        raise Refused("equilibrium.trading_over", "trading is over", fix)
    raise Refused("equilibrium.not_open", "trading was not open then", "hl open" if state.dealt else "hl deal")


def _must_be_free(state: State, proposer: str, partner: str) -> None:
    """Check that these two players may trade with each other now. Source: section 3, EQ-10, EQ-23."""
    _must_be_trading(state)
    table_rules.must_be_here(state.table, proposer, partner)
    if proposer == partner:
        what = f"{state.table.name(proposer)} cannot be both sides of a trade"
        raise Unreadable("equilibrium.same_player", what, "name two players")
    if (seq := state.traded.get(pair(proposer, partner))) is not None:
        what = f"{state.table.named((proposer, partner))} have traded already; each pair trades once"
        host_only = f"their trade is entry {seq}; if it was mistyped: hl amend {seq}"
        raise Refused("equilibrium.pair_used", what, f"hl log --player {proposer}", host_only)


def _must_differ(state: State, give: str, take: str) -> None:
    """Refuse identical cards if a setting does. Both are named in the chat, so they are no secret. Source: EQ-10."""
    if give == take and not state.settings.allow_identical_trade:
        what = f"{give} for {take} changes nothing, and this match does not allow it"
        raise Refused("equilibrium.identical", what, "name another card")


def _must_hold(state: State, player: str, card: str) -> None:
    """Check that the player holds the card. Naming it tells the player nothing new."""
    if card not in state.hands.get(player, ()):
        name = state.table.name(player)
        what = f"{name} does not hold {card}"
        host_only = f"{name} holds {' '.join(state.hands.get(player, ())) or 'no cards'}"
        raise Refused("equilibrium.card_not_held", what, f"hl log --player {player}", host_only)


def trade(tx: Transaction[State], action: a.Trade, moment: Moment) -> None:
    """Swap one card each way at this instant. Source: section 3, accept; section 4."""
    state, both = tx.state, (action.a, action.b)
    _must_be_free(state, *both)
    _must_differ(state, action.give, action.take)
    offered = ((action.a, action.give), (action.b, action.take))
    if lacking := [(p, card) for p, card in offered if card not in state.hands.get(p, ())]:
        what = f"one of them does not hold the card they would give; {state.table.named(both)} may still trade"
        fix = f"type it again as it was traded\nhl log --player {action.a}\nhl log --player {action.b}\n"
        fix += "hl breach PLAYER, if one claimed a card that they do not hold"
        held = (f"{state.table.name(p)} holds {' '.join(state.hands.get(p, ()))}, no {card}" for p, card in lacking)
        raise Refused("equilibrium.card_not_held", what, fix, "; ".join(held))
    tx.emit(f.Traded(*action, moment.seq))
    for player in both:
        _unlock(tx, player, "a trade takes the lock back")
    for player in both:
        _pay(tx, player, "trade")


def offer(tx: Transaction[State], action: a.Offer, moment: Moment) -> None:
    """An open offer. Only the proposer's card is checked: the partner's hand is secret. Source: EQ-8, EQ-9."""
    state = tx.state
    _must_be_free(state, action.a, action.b)
    _must_differ(state, action.give, action.take)
    _must_hold(state, action.a, action.give)
    if state.offers.get((action.b, action.a)) == (action.take, action.give):
        tx.emit(f.OfferClosed(action.b, action.a, "accepted"))
        return trade(tx, a.Trade(*action), moment)
    if (action.a, action.b) in state.offers:
        tx.emit(f.OfferClosed(action.a, action.b, "replaced"))
    tx.emit(f.Offered(*action))


def accept(tx: Transaction[State], action: a.Accept, moment: Moment) -> None:
    """The partner takes the offer: the trade is done. Source: section 3, accept."""
    _must_be_free(tx.state, action.proposer, action.player)
    pledge = _pledge(tx.state, action.proposer, action.player, f"hl accept {action.proposer} {action.player}")
    trade(tx, a.Trade(action.proposer, pledge.give, action.player, pledge.take), moment)


def close_offer(tx: Transaction[State], action: a.Withdraw | a.Decline, moment: Moment) -> None:
    """The proposer takes the offer back, or the partner says no. Source: section 3, EQ-8."""
    _must_be_trading(tx.state)
    both = (action.player, action.partner) if isinstance(action, a.Withdraw) else (action.proposer, action.player)
    word = "withdraw" if isinstance(action, a.Withdraw) else "decline"
    _pledge(tx.state, *both, f"hl {word} {action[1]} {action[0]}")
    tx.emit(f.OfferClosed(*both, "withdrawn" if isinstance(action, a.Withdraw) else "declined"))


def _pledge(state: State, proposer: str, partner: str, turned: str) -> Pledge:
    """The open offer. `turned` is the typed line with the two players exchanged, for the refusal."""
    pledge, (one, other) = state.offers.get((proposer, partner)), map(state.table.name, (proposer, partner))
    if pledge is None:
        what = f"{one} has no open offer to {other}"
        if (partner, proposer) in state.offers:
            raise Refused("equilibrium.no_offer", what, turned, f"{other} has one to {one}")
        raise Refused("equilibrium.no_offer", what, f"hl offer {proposer} CARD {partner} CARD")
    return pledge


# ---- recolours, locks, garnets -----------------------------------------------------------------------------------


def recolour(tx: Transaction[State], action: a.Recolour, moment: Moment) -> None:
    """Pay first, then flip, then look at the hand. Source: section 4; EQ-5, EQ-14."""
    state, player, card = tx.state, action.player, action.card
    _must_be_trading(state)
    table_rules.must_be_here(state.table, player)
    _must_hold(state, player, card)
    if state.table.garnets(player) < 1:
        what = f"{state.table.name(player)} has no garnet to pay with"
        raise Refused("equilibrium.no_garnet", what, f"hl view --for {player}")
    tx.emit(
        table_facts.Moved(player, BANK, 1, f"a recolour of {card}", "section 3, recolour"),
        f.Recoloured(player, card, flip(card)),
    )
    _unlock(tx, player, "a recolour takes the lock back")
    if state.settings.recolour_counts:
        _pay(tx, player, "recolour")


def lock(tx: Transaction[State], action: a.Lock, moment: Moment) -> None:
    """Set the marker, which forbids nothing. Source: section 3, EQ-17."""
    if _is_locked(tx.state, action.player):
        raise Refused("equilibrium.locked", f"{tx.state.table.name(action.player)} is locked already", "hl status")
    tx.emit(f.Locked(action.player, moment.at))


def unlock(tx: Transaction[State], action: a.Unlock, moment: Moment) -> None:
    """Remove the marker. Source: section 3, EQ-17."""
    if not _is_locked(tx.state, action.player):
        raise Refused("equilibrium.not_locked", f"{tx.state.table.name(action.player)} is not locked", "hl status")
    tx.emit(f.Unlocked(action.player, "on request"))


def _is_locked(state: State, player: str) -> bool:
    _must_be_trading(state)
    table_rules.must_be_here(state.table, player)
    return player in state.locked


def _unlock(tx: Transaction[State], player: str, why: str) -> None:
    if player in tx.state.locked:
        tx.emit(f.Unlocked(player, why))


def _pay(tx: Transaction[State], player: str, by: Literal["deal", "trade", "recolour"]) -> None:
    """Tick the classes of the hand that pay, each once in a match, and pay what the two limits allow.

    Source: sections 4 and 8; EQ-12, EQ-13.
    """
    settings, hand = tx.state.settings, tx.state.hands[player]
    for name in paying(hand, settings.garnet_class_mode):
        state = tx.state
        if name not in settings.garnet_hands or name in state.ticked.get(player, {}):
            continue
        if state.table.garnets(player) >= settings.garnet_cap:
            tx.emit(f.ClassTicked(player, name, hand, by, "at_cap"))
        elif state.received(player) >= settings.max_garnets_from_match:
            tx.emit(f.ClassTicked(player, name, hand, by, "at_limit"))
        else:
            tx.emit(
                f.ClassTicked(player, name, hand, by, "received"),
                table_facts.Moved(BANK, player, 1, f"for {WORDS[name]}", "section 8"),
            )


# ---- the deal and the phases -------------------------------------------------------------------------------------


def must_be_undealt(state: State) -> None:
    """Cards are dealt once, before trading. Source: section 2, DEAL."""
    if state.table.phase != "pregame":
        raise Refused("equilibrium.deal_late", "the deal comes before trading begins", "hl override PLAYER hand CARDS")
    if state.dealt is not None:
        raise Refused("equilibrium.dealt", "the cards have been dealt already", "hl log --kind deal")


def dealt(tx: Transaction[State]) -> None:
    """Each hand is looked at for a garnet. Source: EQ-4."""
    if tx.state.settings.dealt_hands_count:
        for player in tx.state.table.players:
            if player in tx.state.hands:
                _pay(tx, player, "deal")


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """Trading begins. Source: section 2."""
    state = tx.state
    if state.table.phase != "pregame":
        raise Refused("equilibrium.opened", "play has begun already", "hl status")
    must_be_dealt(state)
    ends = later(moment.at, span(state.settings.trading_hours))
    tx.emit(
        table_facts.PhaseEnded("pregame", "a host opened play"),
        table_facts.PhaseBegan("trading", "running", moment.at, ends),
    )
    if not state.hands_known:
        ticked = ((player, *tick) for player in state.table.players for tick in state.ticked.get(player, {}).items())
        tx.emit(f.HandsTold(state.table.players), *(f.EarnedTold(*tick) for tick in ticked))


def _end(tx: Transaction[State], why: str) -> None:
    tx.emit(table_facts.PhaseEnded("trading", why), *(f.OfferLeft(*both) for both in tx.state.offers))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """End trading now. It changes nothing if the clock has ended trading meanwhile."""
    state = tx.state
    if action.phase not in ("pregame", "trading"):
        by_the_table(tx, action, moment)
    elif action.phase == "pregame" and not (state.playing or state.over):
        raise Refused("equilibrium.close_pregame", "the pregame ends when play begins", "hl open")
    elif state.playing and action.phase == "trading":
        _end(tx, "a host ended it")
    elif action.phase not in state.table.past:
        _must_be_trading(state)


def asks(state: State) -> str:
    ends = ", or hl deadline WHEN" if state.reopened and state.table.ends is None else ""
    return f"hl trade NAME CARD NAME CARD, or hl lock NAME{ends}" if state.playing else ""


def reopen(tx: Transaction[State], action: shared.Reopen, moment: Moment) -> None:
    """Go back into trading: nobody is locked, nothing is decided, no clock runs. Source: section 2."""
    if action.phase != "trading":
        return by_the_table(tx, action, moment)
    if not tx.state.over:
        raise Refused("equilibrium.reopen_running", "trading is not over", "hl status")
    tx.emit(
        table_facts.Reopened("trading"),
        table_facts.ChoicesCleared(),
        table_facts.PhaseBegan("trading", "running", moment.at, None),
    )
    for player in tuple(tx.state.locked):
        _unlock(tx, player, "a host reopened trading")
    tx.emit(*settle(tx.state.table, verdict(tx.state), moment.at, over=False))


def amend(tx: Transaction[State], action: shared.AmendSetting, moment: Moment) -> None:
    """A new length of trading moves its present end. Source: S-11."""
    state = tx.state
    tx.emit(table_rules.setting_amended(state.table, action, Settings, VISIBILITY))
    moved = span(tx.state.settings.trading_hours) - span(state.settings.trading_hours)
    if moved and state.playing and state.table.ends is not None:
        at = moment.at if state.table.paused is None else state.table.paused
        tx.emit(table_facts.DeadlineMoved(later(state.table.ends, moved), None, at))


def elapsed(tx: Transaction[State], action: Elapsed, moment: Moment) -> None:
    state = tx.state
    if not state.playing:
        return by_the_table(tx, action, moment)
    length = state.settings.trading_hours
    if state.table.ends is None or state.table.ends > moment.at:
        why = "all players are locked"
    else:  # a host may have moved the end
        planned = later(state.table.since, span(length)) == moment.at
        why = f"its {in_words(length)} are over" if planned else "its time is over"
    _end(tx, why)


def follow(tx: Transaction[State], moment: Moment) -> None:
    """The early end of trading. Source: section 2, EQ-16, EQ-17."""
    state = tx.state
    if not state.playing:
        return
    if (early := state.early_end()) is not None and early <= moment.at:
        _end(tx, "all players are locked")
    elif not state.reopened and state.settings.auto_end_after_last_trade and state.trades_left() == 0:
        here = " of the players who are still here" if state.table.left else ""
        _end(tx, f"every pair{here} has traded")


def due(state: State) -> Instant | None:
    """The next derived end: of trading, of the grace after the last lock, or of a decision."""
    end, early = state.table.next_end(), state.early_end() if state.playing else None
    return end if early is None else early if end is None else min(end, early)


VERBS: Mapping[type, Verb] = {
    a.Trade: Verb(trade, "trade_done", "trades", who=players_of),
    a.Offer: Verb(offer, "trade_done", who=players_of),
    a.Accept: Verb(accept, "trade_done", "trades", who=players_of),
    a.Withdraw: Verb(close_offer, "trade_done", who=players_of),
    a.Decline: Verb(close_offer, "trade_done", who=players_of),
    a.Recolour: Verb(recolour, "recolour_done"),
    a.Lock: Verb(lock),
    a.Unlock: Verb(unlock),
    shared.Hand: Verb(  # its player may open it once they were told their hand: EQ-24
        audience=lambda state, action: (
            line_audience(state.table, "own_hand", "dealt_hands", action.player) if state.hands_known else HOST
        )
    ),
    shared.Open: Verb(open_),
    shared.Close: Verb(close),
    shared.Reopen: Verb(reopen),
    shared.AmendSetting: Verb(amend),
}


# ---- the end -----------------------------------------------------------------------------------------------------
#
# A pure function of the final hands and of what was voted, given or drawn, so that an override after the end is
# followed by the result.

RULE = "section 7"
CONDITIONS = {
    "best_er": "best equilibrium",
    "best_poker": "best poker hand",
    "lowest_placing_sum": "lowest sum of the two placings",
    "most_trades": "most trades",
    "most_garnets_earned": "most garnets earned",
    "host_decides": "the host's choice",
}
WHY_LINES = ("final_er", "final_classes")
"""The lines that reveal equilibrium and poker hand, which break ties."""
LINES = {
    "best_er": ("final_er",),
    "best_poker": ("final_hands", "final_classes"),
    "lowest_placing_sum": WHY_LINES,
    "most_trades": ("trades",),
    "most_garnets_earned": ("garnet_gained",),
}
"""Condition -> the lines that reveal why a player meets it."""


class Standing(NamedTuple):
    worths: Mapping[str, Worth]
    er: Mapping[str, int]
    poker: Mapping[str, int]


def standing(state: State) -> Standing:
    """The worth of every hand held now, and its places. Source: section 7, placing."""
    worths = {p: worth(state.hands[p], state.settings.er_metric) for p in state.table.players if state.hands.get(p)}
    er = placing({p: w.er for p, w in worths.items()})
    return Standing(worths, er, placing({p: w.poker for p, w in worths.items()}))


def ranking(state: State) -> tuple[tuple[str, ...], ...]:
    """All players by equilibrium, then by poker hand, best first; level players share a place."""
    return ranked({player: (w.er, w.poker) for player, w in standing(state).worths.items()}, lowest=True)


def verdict(state: State) -> Verdict:
    """How the match ends as far as is known; nothing while trading goes on."""
    if not state.over or not state.hands:
        return Verdict()
    table, settings, hands = state.table, state.settings, standing(state)
    awards, unwon = _awards(state, hands)
    missing = settings.tol_conditions.count("host_decides") - _by_hosts(table, awards)
    if missing > 0:
        return Verdict(awards, needed=(Need(Decision("ruling", (), table.present, "token"), 0),), unwon=unwon)
    having = holders(table, awards)
    barred = {*having, *(p for p in table.players if p not in hands.worths)}
    worst = eliminate(table, barred, lambda able: _worst(state, hands, able), having, settings.vote_hours)
    spare = Spare(settings.gift_hours, give=settings.multi_tol == "give_away")
    return worst._replace(awards=awards, unwon=unwon, spare=spare)


def _by_hosts(table: Table, awards: Sequence[TokenReason]) -> int:
    """The number of tokens that hosts gave by an award or a declaration, beyond those won by the rules."""
    won = Counter(award.player for award in awards)
    rows = (row for row in table.standing if row.kind == "token")
    declared = sum(max(0, (row.tokens or 0) - won[row.players[0]]) for row in rows)
    return declared + sum(max(0, granted(table, p)) for p in table.players)


def _awards(state: State, hands: Standing) -> tuple[tuple[TokenReason, ...], tuple[TokenReason, ...]]:
    """The token of each condition in order; and the tokens that nobody wins.

    A tie goes to the better ER, then the better poker hand, then to nobody.
    """
    awards: list[TokenReason] = []
    unwon: list[TokenReason] = []
    measures: dict[str, Callable[[str], tuple[int, ...]]] = {  # smaller is better: EQ-3
        "best_er": lambda p: hands.worths[p].er,
        "best_poker": lambda p: hands.worths[p].poker,
        "lowest_placing_sum": lambda p: (hands.er[p] + hands.poker[p],),
        "most_trades": lambda p: (-len(state.partners(p)),),
        "most_garnets_earned": lambda p: (-state.received(p),),
    }
    for condition in state.settings.tol_conditions:
        if condition == "host_decides":
            continue
        taken = [award.player for award in awards] if state.settings.multi_tol == "next_best" else []
        able = [p for p in state.table.may_win if p in hands.worths and p not in taken]
        measure = measures[condition]
        keys = {p: (measure(p), hands.worths[p].er, hands.worths[p].poker) for p in able}
        best = [p for p in able if keys[p] == min(keys.values())]
        label, lines = CONDITIONS[condition], LINES[condition]
        if len(best) == 1:
            why, tied = _why(state, hands, condition, best[0]), [p for p in able if measure(p) == measure(best[0])]
            if len(tied) > 1:
                others = state.table.named(p for p in tied if p != best[0])
                why, lines = f"{why}; ahead of {others} by the tie-breaks", (*lines, *WHY_LINES)
            awards.append(TokenReason(best[0], condition, why, RULE, lines, label))
        elif best:
            why = f"{label}: {state.table.named(best)} are equal after the tie-breaks too, so nobody wins it"
            unwon.append(TokenReason("", condition, why, RULE, (*lines, *WHY_LINES), f"{label}: a tie, nobody wins it"))
    return tuple(awards), tuple(unwon)


def _why(state: State, hands: Standing, condition: str, player: str) -> str:
    w = hands.worths[player]
    detail = {
        "best_er": f"difference {w.difference}, total {w.total}",
        "best_poker": f"{WORDS[w.ranked.name]} ({' '.join(state.hands[player])})",
        "lowest_placing_sum": f"placings {hands.er[player]} + {hands.poker[player]}",
        "most_trades": count(len(state.partners(player)), "trade"),
        "most_garnets_earned": count(state.received(player), "garnet"),
    }[condition]
    return f"{CONDITIONS[condition]}: {detail}"


def _worst(state: State, hands: Standing, able: Sequence[str]) -> Worst:
    """The players of `able` with the worst ER and, among them, the worst poker hand. Source: section 7, EC."""
    tied = ranked({p: hands.worths[p].er for p in able})[0]
    worst = ranked({p: hands.worths[p].poker for p in tied})[0]
    w = hands.worths[worst[0]]
    why = f"worst equilibrium without a token: difference {w.difference}, total {w.total}"
    if len(tied) > 1:
        why += f"; poker hand {WORDS[w.ranked.name]}"
    if ahead := [p for p in tied if p not in worst]:
        why += f", behind {state.table.named(ahead)}"
    if len(worst) > 1:
        why += f"; {state.table.named(worst)} are equal in both"
    # Who is named holds no token, and who is equal and not named holds one.
    return Worst(worst, why, "the worst equilibrium without a token", (*WHY_LINES, "tokens"))


# ---- laws, and words likely meant ---------------------------------------------------------------------------------


def broken(state: State) -> Iterator[str]:
    """Laws that hold unless a host overrode them: hands of five, the deck's values, purses within their limits."""
    if state.dealt is not None:
        values = Counter(card[1:] for hand in state.hands.values() for card in hand)
        dealt = Counter(card[1:] for hand in state.dealt.values() for card in hand)
        out = any(not hand and p in state.table.left for p, hand in state.hands.items())
        if values - dealt or (values != dealt and not out):
            yield "the cards held are no longer the cards dealt (colours aside)"
        for p, hand in state.hands.items():
            if len(hand) != HAND_SIZE and (hand or p not in state.table.left):  # taken out of play: EQ-25
                yield f"{p} holds {len(hand)} cards"
    yield from (f"{p} holds {n} garnets" for p, n in state.table.purses.items() if p != BANK and n < 0)
    held, cap = {p: state.table.garnets(p) for p in state.table.players}, state.settings.garnet_cap
    yield from (f"{p} holds {n} garnets, the cap is {cap}" for p, n in held.items() if n > cap)


HOLDER = {
    (a.Trade, "give"): "a",
    (a.Trade, "take"): "b",
    (a.Offer, "give"): "a",
    (a.Offer, "take"): "b",
    (a.Recolour, "card"): "player",
}
"""A field that holds a card -> the field with the player whose card it is."""


def suggest(state: State, action: type, field: str, words: Mapping[str, str]) -> tuple[str, ...]:
    if (holder := HOLDER.get((action, field))) is not None:
        return tuple(dict.fromkeys(state.hands.get(words.get(holder, ""), ())))
    if action in (a.Trade, a.Offer) and field == "b":
        return state.may_trade_with(words.get("a", ""))
    if action in (a.Accept, a.Decline) and field == "proposer":
        return tuple(proposer for proposer, partner in state.offers if partner == words.get("player"))
    if action is a.Withdraw and field == "partner":
        return tuple(partner for proposer, partner in state.offers if proposer == words.get("player"))
    if action in (a.Lock, a.Unlock):
        return tuple(p for p in state.table.present if (p in state.locked) == (action is a.Unlock))
    return ()
