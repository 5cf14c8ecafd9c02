"""Trades, recolours, locks, garnets, the phases, and what follows by itself. Source: sections 2 to 4.

A refusal says, and its fix names, nothing that one of the players concerned may not know (EQ-9); what the host needs
besides is in `host_only`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from events.audiences import HOST, Audience
from events.errors import Refused, Unreadable
from events.instants import Instant, later
from games.contract import Elapsed, Moment
from games.equilibrium import actions as a
from games.equilibrium import facts as f
from games.equilibrium.cards import flip
from games.equilibrium.end import verdict
from games.equilibrium.hands import paying
from games.equilibrium.settings import VISIBILITY, Settings
from games.equilibrium.state import Pledge, State, pair
from games.kit.poker import WORDS
from games.parts import Verb
from games.parts.rules import by_the_table
from games.table import BANK
from games.table import actions as shared
from games.table import facts as table_facts
from games.table import rules as table_rules
from games.table.endgame import HOUR, settle
from games.table.view import line_audience
from games.transaction import Transaction

# ---- trades and offers -------------------------------------------------------------------------------------------


def _must_be_trading(state: State) -> None:
    if state.playing:
        return
    if state.over:
        raise Refused("equilibrium.trading_over", "trading is over", "hl reopen trading -n")
    raise Refused("equilibrium.not_open", "trading had not begun by then", "hl open" if state.dealt else "hl deal")


def _must_be_free(state: State, proposer: str, partner: str) -> None:
    """Two different players who may trade with each other now. Source: section 3, EQ-10, EQ-23."""
    _must_be_trading(state)
    table_rules.must_be_here(state.table, proposer, partner)
    if proposer == partner:
        what = f"{state.table.name(proposer)} cannot be both sides of a trade"
        raise Unreadable("equilibrium.same_player", what, "name two players")
    if (seq := state.traded.get(pair(proposer, partner))) is not None:
        raise Refused(
            "equilibrium.pair_used",
            f"{state.table.named((proposer, partner))} have traded already; each pair trades once",
            f"hl log --player {proposer}",
            f"their trade is entry {seq}: hl show {seq}",
        )


def _must_differ(state: State, give: str, take: str) -> None:
    """Identical cards, where a setting forbids to trade them. Both are named in the chat: no secret. Source: EQ-10."""
    if give == take and not state.settings.allow_identical_trade:
        raise Refused(
            "equilibrium.identical", f"{give} for {take} changes nothing and is not allowed here", "name another card"
        )


def _must_hold(state: State, player: str, card: str) -> None:
    """The player's own card: naming it tells the player nothing new."""
    if card not in state.hands.get(player, ()):
        name = state.table.name(player)
        raise Refused(
            "equilibrium.card_not_held",
            f"{name} does not hold {card}",
            f"hl view --for {player}",
            f"{name} holds {' '.join(state.hands.get(player, ())) or 'no cards'}",
        )


def trade(tx: Transaction[State], action: a.Trade, moment: Moment) -> None:
    """Swap one card each way at this instant. Source: section 3, accept; section 4."""
    state, both = tx.state, (action.a, action.b)
    _must_be_free(state, *both)
    _must_differ(state, action.give, action.take)
    offered = ((action.a, action.give), (action.b, action.take))
    if lacking := [(p, card) for p, card in offered if card not in state.hands.get(p, ())]:
        raise Refused(
            "equilibrium.card_not_held",
            f"this trade cannot be made, a card of it is not held; {state.table.named(both)} may still trade",
            "hl breach PLAYER --note TEXT",
            "; ".join(
                f"{state.table.name(p)} holds {' '.join(state.hands.get(p, ()))}, no {card}" for p, card in lacking
            ),
        )
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
        return trade(tx, a.Trade(*action), moment)
    if (action.a, action.b) in state.offers:
        tx.emit(f.OfferClosed(action.a, action.b, "replaced"), f.Offered(*action))
    else:
        tx.emit(f.Offered(*action))


def accept(tx: Transaction[State], action: a.Accept, moment: Moment) -> None:
    """The partner takes the offer: the trade is done. Source: section 3, accept."""
    _must_be_free(tx.state, action.proposer, action.player)
    pledge = _pledge(tx.state, action.proposer, action.player)
    trade(tx, a.Trade(action.proposer, pledge.give, action.player, pledge.take), moment)


def withdraw(tx: Transaction[State], action: a.Withdraw, moment: Moment) -> None:
    """The proposer takes the offer back. Source: section 3, EQ-8."""
    _close_offer(tx, action.player, action.partner, "withdrawn")


def decline(tx: Transaction[State], action: a.Decline, moment: Moment) -> None:
    """The partner says no. Source: section 3, EQ-8."""
    _close_offer(tx, action.proposer, action.player, "declined")


def _close_offer(tx: Transaction[State], proposer: str, partner: str, why: Literal["withdrawn", "declined"]) -> None:
    _must_be_trading(tx.state)
    _pledge(tx.state, proposer, partner)
    tx.emit(f.OfferClosed(proposer, partner, why))


def _pledge(state: State, proposer: str, partner: str) -> Pledge:
    pledge = state.offers.get((proposer, partner))
    if pledge is None:
        what = f"{state.table.name(proposer)} has no open offer to {state.table.name(partner)}"
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
        what = f"{state.table.name(player)} has no garnet to spend"
        raise Refused("equilibrium.no_garnet", what, f"hl view --for {player}")
    tx.emit(
        table_facts.Moved(player, BANK, 1, f"a recolour of {card}", "section 3, recolour"),
        f.Recoloured(player, card, flip(card)),
    )
    _unlock(tx, player, "a recolour takes the lock back")
    if state.settings.recolour_counts:
        _pay(tx, player, "recolour")


def lock(tx: Transaction[State], action: a.Lock, moment: Moment) -> None:
    """A marker; it bars nobody from anything. Source: section 3, EQ-17."""
    if _is_locked(tx.state, action.player):
        raise Refused("equilibrium.locked", f"{tx.state.table.name(action.player)} is locked already", "hl status")
    tx.emit(f.Locked(action.player, moment.at))


def unlock(tx: Transaction[State], action: a.Unlock, moment: Moment) -> None:
    """The marker is taken back. Source: section 3, EQ-17."""
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
    """Tick the classes of the hand that pay, once for ever, and give what the two limits allow.

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


VERBS: Mapping[type, Verb[State]] = {
    a.Trade: Verb(trade, "trade_done", "trades"),
    a.Offer: Verb(offer, "trade_done"),
    a.Accept: Verb(accept, "trade_done", "trades"),
    a.Withdraw: Verb(withdraw, "trade_done"),
    a.Decline: Verb(decline, "trade_done"),
    a.Recolour: Verb(recolour, "recolour_done"),
    a.Lock: Verb(lock),
    a.Unlock: Verb(unlock),
}


# ---- the deal and the phases -------------------------------------------------------------------------------------


def must_be_undealt(state: State) -> None:
    """Cards are dealt once, before trading. Source: section 2, DEAL."""
    if state.table.phase != "pregame":
        raise Refused("equilibrium.deal_late", "the deal comes before trading begins", "hl override hand PLAYER CARDS")
    if state.dealt is not None:
        raise Refused("equilibrium.dealt", "the cards have been dealt already", "hl log --kind deal")


def dealt(tx: Transaction[State]) -> None:
    """Each hand is looked at for a garnet. Source: EQ-4."""
    if tx.state.settings.dealt_hands_count:
        for player in tx.state.table.players:
            if player in tx.state.hands:
                _pay(tx, player, "deal")


def hand_audience(state: State, action: shared.Hand) -> Audience:
    """Who may open the entry of a hand: its player, once that player was told it. Source: EQ-24."""
    return line_audience(state.table, "own_hand", "dealt_hands", action.player) if state.hands_known else HOST


def open_(tx: Transaction[State], action: shared.Open, moment: Moment) -> None:
    """Trading begins. Source: section 2."""
    state = tx.state
    if state.table.phase != "pregame":
        raise Refused("equilibrium.opened", "play has begun already", "hl status")
    if state.dealt is None:
        raise Refused("equilibrium.not_dealt", "no cards have been dealt yet", "hl deal")
    ends = later(moment.at, state.settings.trading_hours * HOUR)
    tx.emit(
        table_facts.PhaseEnded("pregame", "a host opened play"),
        table_facts.PhaseBegan("trading", "running", moment.at, ends),
    )
    if not state.hands_known:
        ticked = ((player, *tick) for player in state.table.players for tick in state.ticked.get(player, {}).items())
        tx.emit(f.HandsTold(state.table.players), *(f.EarnedTold(*tick) for tick in ticked))


def close(tx: Transaction[State], action: shared.Close, moment: Moment) -> None:
    """End trading now. A close of what the clock has ended meanwhile changes nothing: it says the same."""
    state = tx.state
    if action.phase not in ("pregame", "trading"):
        by_the_table(tx, action, moment)
    elif action.phase == "pregame" and not (state.playing or state.over):
        raise Refused("equilibrium.close_pregame", "the pregame ends when play begins", "hl open")
    elif state.playing and action.phase == "trading":
        tx.emit(table_facts.PhaseEnded("trading", "a host ended it"))
    elif action.phase not in state.table.past:
        _must_be_trading(state)


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
        _unlock(tx, player, "trading was reopened")
    tx.emit(*settle(tx.state.table, verdict(tx.state), moment.at, over=False))


def amend(tx: Transaction[State], action: shared.AmendSetting, moment: Moment) -> None:
    """Another length of trading moves the end that it has now. Source: S-11."""
    state = tx.state
    tx.emit(table_rules.setting_amended(state.table, action, Settings, VISIBILITY))
    moved = (tx.state.settings.trading_hours - state.settings.trading_hours) * HOUR
    if moved and state.playing and state.table.ends is not None:
        at = moment.at if state.table.paused is None else state.table.paused
        tx.emit(table_facts.DeadlineMoved(later(state.table.ends, moved), None, at))


def elapsed(tx: Transaction[State], action: Elapsed, moment: Moment) -> None:
    """An end that was reached: of trading, or of a decision."""
    state = tx.state
    if not state.playing:
        return by_the_table(tx, action, moment)
    by_locks = state.table.ends is None or state.table.ends > moment.at
    why = "all players are locked" if by_locks else f"its {state.settings.trading_hours} hours are over"
    tx.emit(table_facts.PhaseEnded("trading", why))


def follow(tx: Transaction[State], moment: Moment) -> None:
    """The early end of trading. Source: section 2, EQ-16, EQ-17."""
    state = tx.state
    if not state.playing:
        return
    if (early := state.early_end()) is not None and early <= moment.at:
        tx.emit(table_facts.PhaseEnded("trading", "all players are locked"))
    elif not state.reopened and state.settings.auto_end_after_last_trade and state.trades_left() == 0:
        every = "every pair of those who are here has traded" if state.table.left else "every pair has traded"
        tx.emit(table_facts.PhaseEnded("trading", every))


def due(state: State) -> Instant | None:
    """The next end that comes by itself: of trading, of the grace after the last lock, of a decision."""
    end, early = state.table.next_end(), state.early_end() if state.playing else None
    return end if early is None else early if end is None else min(end, early)
