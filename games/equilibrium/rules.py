"""decide, evolve, due, prepare: trades, recolours, locks, garnets and the end of trading. Source: sections 2 to 4."""

from __future__ import annotations

from collections import Counter
from typing import Any

from events.errors import Refused, Unreadable
from games.contract import Action, Elapsed, Fact, Luck, Moment
from games.equilibrium import actions as a
from games.equilibrium import facts as f
from games.equilibrium.cards import DECK, HAND_SIZE, Hand, flip, read_card, read_cards, sort, swap
from games.equilibrium.end import verdict
from games.equilibrium.hands import paying
from games.equilibrium.settings import VISIBILITY, Settings
from games.equilibrium.state import Pledge, State, pair
from games.kit import luck as kit_luck
from games.kit.poker import WORDS
from games.story import Story
from games.table import BANK, Table
from games.table import actions as shared
from games.table import facts as told
from games.table import prepare as table_prepare
from games.table import rules as table_rules
from games.table import settings as table_settings
from games.table.endgame import HOUR, follow, settle
from games.table.evolve import evolve as table_evolve

MINUTE = 60_000
FIELDS = {"hand": '"R4 B4 R9 B9 R2"', "garnets": "N"}
"""What `override` may set, and how its value is typed."""


def start(table: Table) -> State:
    return State(table=table._replace(phase="pregame"), settings=table_settings.own(Settings, table.settings))


def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
    """What follows from an action: its own facts, then whatever they bring about (locks undone, garnets, the end).

    Raises:
        Refused: the rules say no. Nothing has changed; `what` and `fix` name nothing that one of the players
            concerned may not know (EQ-9); what the host needs besides is in `host_only`.
    """
    story: Story[State] = Story(state, evolve)
    match action:
        case a.Trade():
            _trade(story, action.a, action.give, action.b, action.take, moment)
        case a.Recolour():
            _recolour(story, action, moment)
        case a.Lock() | a.Unlock():
            _lock(story, action, moment)
        case a.Offer():
            _offer(story, action, moment)
        case a.Accept():
            _accept(story, action, moment)
        case a.Withdraw():
            _close_offer(story, action.player, action.partner, "withdrawn")
        case a.Decline():
            _close_offer(story, action.proposer, action.player, "declined")
        case shared.Hand():
            _hand(story, action)
        case shared.Deal():
            _deal(story, action)
        case shared.Commit() | shared.Seed() | shared.Word():
            story.tell(*table_rules.fairness(state.table, action, dealt=state.dealt is not None))
        case shared.Open():
            _open(story, moment)
        case shared.Close() if action.phase in ("pregame", "trading"):
            _close(story, action.phase)
        case shared.Reopen() if action.phase == "trading":
            _reopen(story, moment)
        case shared.Override():
            _override(story, action)
        case shared.AmendSetting():
            _amend(story, action, moment)
        case Elapsed() if state.playing:
            by_locks = state.table.ends is None or state.table.ends > moment.at
            why = "all players are locked" if by_locks else f"its {state.settings.trading_hours} hours are over"
            story.tell(told.PhaseEnded("trading", why))
        case _:
            story.tell(*table_rules.decide(state.table, action, moment))
    _follow(story, moment)
    return story.facts


# ---- trades and offers -------------------------------------------------------------------------------------------


def _must_be_trading(state: State) -> None:
    if state.playing:
        return
    if state.over:
        raise Refused("equilibrium.trading_over", "trading is over", "hl reopen goes back into it, if that was a slip")
    raise Refused("equilibrium.not_open", "trading had not begun by then", "hl open begins it")


def _must_be_free(state: State, a_: str, b: str) -> None:
    """Two different players who have not traded with each other. Source: section 3, EQ-10, EQ-23."""
    table_rules.must_be_here(state.table, a_, b)
    if a_ == b:
        raise Unreadable(
            "equilibrium.same_player", f"{state.table.name(a_)} cannot trade with himself", "name two players"
        )
    if (seq := state.traded.get(pair(a_, b))) is not None:
        raise Refused(
            "equilibrium.pair_used",
            f"{state.table.named((a_, b))} have traded already; each pair trades once",
            f"hl log --player {a_} shows it",
            f"their trade is entry {seq}: hl show {seq}",
        )


def _must_differ(state: State, give: str, take: str) -> None:
    """Identical cards, where a setting forbids to trade them. Both are named in the chat: no secret. Source: EQ-10."""
    if give == take and not state.settings.allow_identical_trade:
        raise Refused(
            "equilibrium.identical", f"{give} for {take} changes nothing and is not allowed here", "name another card"
        )


def _trade(story: Story[State], a_: str, give: str, b: str, take: str, moment: Moment) -> None:
    """Swap one card each way at this instant. Source: section 3, accept; section 4."""
    state = story.state
    _must_be_trading(state)
    _must_be_free(state, a_, b)
    _must_differ(state, give, take)
    lacking = [(p, card) for p, card in ((a_, give), (b, take)) if card not in state.hands[p]]
    if lacking:
        raise Refused(
            "equilibrium.card_not_held",
            f"this trade cannot be made, a card of it is not held; {state.table.named((a_, b))} may still trade",
            "hl breach PLAYER --note TEXT keeps it for a ruling; --force records it as contested",
            "; ".join(f"{state.table.name(p)} holds {' '.join(state.hands[p])}, no {card}" for p, card in lacking),
        )
    story.tell(f.Traded(a_, give, b, take, moment.seq))
    for player in (a_, b):
        _unlock(story, player, "a trade takes the lock back")
    for player in (a_, b):
        _pay(story, player, "trade")


def _offer(story: Story[State], action: a.Offer, moment: Moment) -> None:
    """An open offer. Only the proposer's card is checked: the partner's hand is secret. Source: EQ-8, EQ-9."""
    state = story.state
    _must_be_trading(state)
    _must_be_free(state, action.a, action.b)
    _must_differ(state, action.give, action.take)
    if action.give not in state.hands[action.a]:
        raise _not_held(state, action.a, action.give)
    if state.offers.get((action.b, action.a)) == Pledge(give=action.take, take=action.give):
        _trade(story, action.a, action.give, action.b, action.take, moment)
        return
    if (action.a, action.b) in state.offers:
        story.tell(f.OfferClosed(action.a, action.b, "replaced"))
    story.tell(f.Offered(action.a, action.give, action.b, action.take))


def _accept(story: Story[State], action: a.Accept, moment: Moment) -> None:
    state = story.state
    _must_be_trading(state)
    _must_be_free(state, action.proposer, action.player)
    pledge = _pledge(state, action.proposer, action.player)
    _trade(story, action.proposer, pledge.give, action.player, pledge.take, moment)


def _close_offer(story: Story[State], proposer: str, partner: str, why: Any) -> None:
    _must_be_trading(story.state)
    _pledge(story.state, proposer, partner)
    story.tell(f.OfferClosed(proposer, partner, why))


def _pledge(state: State, proposer: str, partner: str) -> Pledge:
    pledge = state.offers.get((proposer, partner))
    if pledge is None:
        names = f"{state.table.name(proposer)} has no open offer to {state.table.name(partner)}"
        raise Refused("equilibrium.no_offer", names, f"hl offer {proposer} CARD {partner} CARD records one")
    return pledge


def _not_held(state: State, player: str, card: str) -> Refused:
    """The player's own card: naming it tells him nothing new."""
    return Refused(
        "equilibrium.card_not_held",
        f"{state.table.name(player)} does not hold {card}",
        f"hl view --for {player} shows the hand",
        f"{state.table.name(player)} holds {' '.join(state.hands[player])}",
    )


# ---- recolours, locks, garnets -----------------------------------------------------------------------------------


def _recolour(story: Story[State], action: a.Recolour, moment: Moment) -> None:
    """Pay first, then flip, then look at the hand. Source: section 4; EQ-5, EQ-14."""
    state = story.state
    _must_be_trading(state)
    player = action.player
    table_rules.must_be_here(state.table, player)
    if action.card not in state.hands[player]:
        raise _not_held(state, player, action.card)
    if state.table.garnets(player) < 1:
        name = state.table.name(player)
        raise Refused("equilibrium.no_garnet", f"{name} has no garnet to spend", f"hl view --for {player}")
    story.tell(
        told.Moved(player, BANK, 1, f"a recolour of {action.card}", "section 3, recolour"),
        f.Recoloured(player, action.card, flip(action.card)),
    )
    _unlock(story, player, "a recolour takes the lock back")
    if state.settings.recolour_counts:
        _pay(story, player, "recolour")


def _lock(story: Story[State], action: a.Lock | a.Unlock, moment: Moment) -> None:
    """A marker; it bars nobody from anything. Source: section 3, EQ-17."""
    state, player = story.state, action.player
    _must_be_trading(state)
    table_rules.must_be_here(state.table, player)
    locking, locked = isinstance(action, a.Lock), player in state.locked
    if locking == locked:
        name = state.table.name(player)
        code = "equilibrium.locked" if locked else "equilibrium.not_locked"
        raise Refused(code, f"{name} is {'' if locked else 'not '}locked{' already' if locked else ''}", "hl status")
    story.tell(f.Locked(player, moment.at) if locking else f.Unlocked(player, "on request"))


def _unlock(story: Story[State], player: str, why: str) -> None:
    if player in story.state.locked:
        story.tell(f.Unlocked(player, why))


def _pay(story: Story[State], player: str, by: Any) -> None:
    """Tick the classes of the hand that pay, once for ever, and give what the two limits allow.

    Source: sections 4 and 8; EQ-12, EQ-13.
    """
    settings, hand = story.state.settings, story.state.hands[player]
    for name in paying(hand, settings.garnet_class_mode):
        state = story.state
        if name not in settings.garnet_hands or name in state.ticked.get(player, {}):
            continue
        if state.table.garnets(player) >= settings.garnet_cap:
            story.tell(f.ClassTicked(player, name, hand, by, "at_cap"))
        elif state.received(player) >= settings.max_garnets_from_match:
            story.tell(f.ClassTicked(player, name, hand, by, "at_limit"))
        else:
            story.tell(
                f.ClassTicked(player, name, hand, by, "received"),
                told.Moved(BANK, player, 1, f"for {WORDS[name]}", "section 8"),
            )


# ---- deal, phases, host powers -----------------------------------------------------------------------------------


def _hand(story: Story[State], action: shared.Hand) -> None:
    _must_be_undealt(story.state)
    hand = sort(read_card(card) for card in action.cards)
    if len(hand) != HAND_SIZE:
        raise Refused(
            "equilibrium.hand_size",
            f"a hand has {HAND_SIZE} cards; {action.player} was given {len(hand)}",
            "hl deal --from FILE",
        )
    story.tell(f.HandDealt(action.player, hand))


def _deal(story: Story[State], action: shared.Deal) -> None:
    """The hands must be the deck; then each is looked at for a garnet. Source: section 2 DEAL, EQ-4."""
    state = story.state
    _must_be_undealt(state)
    if problem := misdealt(state):
        raise Refused("equilibrium.deck", f"this deal is not the deck: {problem}", "correct the file and deal again")
    story.tell(f.CardsDealt(), *table_rules.deal_replaced(action))
    if state.settings.dealt_hands_count:
        for player in state.table.players:
            _pay(story, player, "deal")


def _must_be_undealt(state: State) -> None:
    if state.table.phase != "pregame":
        raise Refused("equilibrium.deal_late", "the deal comes before trading begins", "hl override hand PLAYER CARDS")
    if state.dealt is not None:
        raise Refused("equilibrium.dealt", "the cards have been dealt already", "hl undo takes the deal back")


def misdealt(state: State) -> str:
    """What keeps the hands from being a deal of the deck; "" when nothing does. Source: section 1, S-G4."""
    missing = [p for p in state.table.players if p not in state.hands]
    if missing:
        return f"{', '.join(missing)} got no hand"
    dealt = Counter(card for hand in state.hands.values() for card in hand)
    over = dealt - Counter(DECK)
    short = Counter(DECK) - dealt
    parts = [f"{count + 2} x {card} where the deck has 2" for card, count in sorted(over.items())]
    if over and len(state.hands) * HAND_SIZE == len(DECK):
        parts.append(f"missing {' '.join(sorted(short.elements()))}")
    return "; ".join(parts)


def _open(story: Story[State], moment: Moment) -> None:
    state = story.state
    if state.table.phase != "pregame":
        raise Refused("equilibrium.opened", "play has begun already", "hl status")
    if state.dealt is None:
        raise Refused("equilibrium.not_dealt", "no cards have been dealt yet", "hl deal")
    ends = moment.at + state.settings.trading_hours * HOUR
    story.tell(told.PhaseEnded("pregame", "a host opened play"), told.PhaseBegan("trading", "running", moment.at, ends))


def _close(story: Story[State], phase: str) -> None:
    """End trading now. A close of what the clock has ended meanwhile changes nothing: it says the same."""
    state = story.state
    if phase == "pregame" and not (state.playing or state.over):
        raise Refused("equilibrium.close_pregame", "the pregame ends when play begins", "hl open")
    if state.playing and phase == "trading":
        story.tell(told.PhaseEnded("trading", "a host ended it"))
    elif phase not in state.table.past:
        _must_be_trading(state)


def _reopen(story: Story[State], moment: Moment) -> None:
    if not story.state.over:
        raise Refused("equilibrium.reopen_running", "trading is not over", "hl status")
    story.tell(told.Reopened("trading"), told.ChoicesCleared(), told.PhaseBegan("trading", "running", moment.at, None))
    for player in tuple(story.state.locked):
        _unlock(story, player, "trading was reopened")
    story.tell(*settle(story.state.table, verdict(story.state), moment.at, over=False))


def _override(story: Story[State], action: shared.Override) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    if action.field == "hand":
        story.tell(f.HandSet(action.player, read_cards(action.value)))
    elif action.field == "garnets":
        story.tell(*table_rules.set_garnets(story.state.table, action.player, table_prepare.whole(action.value)))
    else:
        raise table_prepare.no_such_field(action.field, FIELDS)


def _amend(story: Story[State], action: shared.AmendSetting, moment: Moment) -> None:
    state = story.state
    story.tell(table_rules.setting_amended(state.table, action, Settings, VISIBILITY))
    if action.key == "trading_hours" and state.playing and state.table.ends is not None:
        moved = (story.state.settings.trading_hours - state.settings.trading_hours) * HOUR
        at = moment.at if state.table.paused is None else state.table.paused
        story.tell(told.DeadlineMoved(state.table.ends + moved, None, at))


def _follow(story: Story[State], moment: Moment) -> None:
    """What happens by itself now: the early end of trading, then the result. Source: section 2, EQ-16, EQ-17."""
    state = story.state
    if state.playing:
        locked_at = state.locked_at()
        if locked_at is not None and locked_at + state.settings.lock_grace_minutes * MINUTE <= moment.at:
            story.tell(told.PhaseEnded("trading", "all players are locked"))
        elif state.trades_left() == 0 and state.settings.auto_end_after_last_trade and not state.reopened:
            story.tell(told.PhaseEnded("trading", "every pair has traded"))
    if story.state.over:
        follow(story, verdict, moment.at)


def due(state: State) -> int | None:
    """The next end that comes by itself: of trading, of the grace after the last lock, of a decision."""
    end = state.table.next_end()
    if state.playing and (locked_at := state.locked_at()) is not None:
        early = locked_at + state.settings.lock_grace_minutes * MINUTE
        return early if end is None else min(end, early)
    return end


def prepare(state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What was typed, as it is recorded: cards drawn, defaults that depend on the state filled in."""
    match action:
        case shared.Deal(method="drawn", seed=None, commitment=None):
            _must_be_undealt(state)
            deal, key = table_prepare.drawn_deal(action, luck.published, luck)
            return (*(shared.Hand(player, hand) for player, hand in drawn(state, key).items()), deal)
        case shared.Hand():
            return (action._replace(cards=read_cards(" ".join(action.cards))),)
        case shared.Override(field="hand"):
            return (action._replace(value=" ".join(read_cards(action.value))),)
        case _:
            return table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)


def drawn(state: State, key: bytes) -> dict[str, Hand]:
    """The deal that this key gives: the deck in its documented order, seat i the i-th five. Source: design 5."""
    return {p: sort(hand) for p, hand in kit_luck.deal(DECK, state.table.players, HAND_SIZE, key).items()}


def audit(state: State, action: Action, seq: int, key: bytes | None = None) -> str | None:
    """Repeats a recorded draw. Returns what is wrong with it, or None."""
    if isinstance(action, shared.Deal) and action.method == "drawn":
        return table_prepare.redealt(action, key, lambda key: drawn(state, key), state.dealt)
    return table_prepare.audit(state.table, action, seq)


# ---- evolve ------------------------------------------------------------------------------------------------------


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Total: a fact it cannot place is a bug."""
    match fact:
        case f.Traded():
            hands = {
                **state.hands,
                fact.a: swap(state.hands[fact.a], fact.give, fact.take),
                fact.b: swap(state.hands[fact.b], fact.take, fact.give),
            }
            both = {(fact.a, fact.b), (fact.b, fact.a)}
            return state._replace(
                hands=hands,
                traded={**state.traded, pair(fact.a, fact.b): fact.seq},
                offers={key: pledge for key, pledge in state.offers.items() if key not in both},
            )
        case f.Offered():
            return state._replace(offers={**state.offers, (fact.a, fact.b): Pledge(fact.give, fact.take)})
        case f.OfferClosed():
            offers = dict(state.offers)
            del offers[fact.a, fact.b]
            return state._replace(offers=offers)
        case f.Recoloured():
            hands = {**state.hands, fact.player: swap(state.hands[fact.player], fact.card, fact.into)}
            done = {**state.recolours, fact.player: state.recolours.get(fact.player, 0) + 1}
            return state._replace(hands=hands, recolours=done)
        case f.ClassTicked():
            ticked = {**state.ticked.get(fact.player, {}), fact.hand_class: fact.garnet}
            return state._replace(ticked={**state.ticked, fact.player: ticked})
        case f.Locked():
            return state._replace(locked={**state.locked, fact.player: fact.at})
        case f.Unlocked():
            return state._replace(locked={p: at for p, at in state.locked.items() if p != fact.player})
        case f.HandDealt() | f.HandSet():
            return state._replace(hands={**state.hands, fact.player: fact.cards})
        case f.CardsDealt():
            return state._replace(dealt=state.hands)
        case told.SettingAmended():
            table = table_evolve(state.table, fact)
            return state._replace(table=table, settings=table_settings.own(Settings, table.settings))
        case told.Reopened(name="trading"):
            return state._replace(table=table_evolve(state.table, fact), reopened=True)
        case _:
            return state._replace(table=table_evolve(state.table, fact))


def invariants(state: State) -> tuple[str, ...]:
    """Laws that hold unless a host overrode them: hands of five, the deck's values, balanced purses."""
    broken = []
    if state.dealt is not None:
        values = Counter(card[1:] for hand in state.hands.values() for card in hand)
        dealt = Counter(card[1:] for hand in state.dealt.values() for card in hand)
        if values != dealt:
            broken.append("the cards held are no longer the cards dealt (colours aside)")
        broken += [f"{p} holds {len(hand)} cards" for p, hand in state.hands.items() if len(hand) != HAND_SIZE]
    if sum(state.table.purses.values()) != 0:
        broken.append("the purses do not balance")
    broken += [f"{p} holds {n} garnets" for p, n in state.table.purses.items() if p != BANK and n < 0]
    over = [p for p in state.table.players if state.table.garnets(p) > state.settings.garnet_cap]
    broken += [f"{p} holds {state.table.garnets(p)} garnets, the cap is {state.settings.garnet_cap}" for p in over]
    return tuple(broken)
