"""decide, evolve, due, prepare: sealed submissions, the power round, the four suit rounds. Source: sections 2 and 3."""

from __future__ import annotations

import re
from collections import Counter

from events.errors import Refused, Unreadable
from games.contract import Action, Fact, Luck, Moment
from games.kit import luck as kit_luck
from games.kit import sealed
from games.kit.sealed import Round, RoundOpened, RoundResolved
from games.kit.tell import count
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.actions import POWERS, bids_of, complete, gifts_of
from games.poker_auction.cards import DECK, RANKS, ROUNDS, read_card, sort
from games.poker_auction.end import verdict
from games.poker_auction.settings import VISIBILITY, Settings
from games.poker_auction.state import CHIPS, JOKER, ORDER, State
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

FIELDS = {"chips": "N", "cards": '"2C AS"', "power": "spades|diamonds|hearts|clubs|joker|none", "garnets": "N"}
"""What `override` may set, and how its value is typed."""


def start(table: Table) -> State:
    chips = dict.fromkeys(table.seats, CHIPS)
    return State(table._replace(phase="power"), table_settings.own(Settings, table.settings), chips)


def decide(state: State, action: Action, moment: Moment) -> list[Fact]:
    """What follows from an action.

    Raises:
        Refused: the rules say no. Nothing has changed.
    """
    story: Story[State] = Story(state, evolve)
    match action:
        case a.Power():
            _power(story, action, moment)
        case a.Bid():
            _bid(story, action, moment)
        case a.Withdraw():
            _withdraw(story, action, moment)
        case shared.Open():
            _open(story, moment)
        case shared.Resolve():
            _resolve(story, action, moment)
        case shared.Override():
            _override(story, action)
        case shared.AmendSetting():
            story.tell(table_rules.setting_amended(state.table, action, Settings, VISIBILITY))
        case _:
            story.tell(*table_rules.decide(state.table, action, moment))
    if story.state.over:
        follow(story, verdict, moment.at)
    return story.facts


# ---- submissions -------------------------------------------------------------------------------------------------


def _taking(state: State, player: str, sent_for: str = ABSENT) -> Round:
    """The round whose submissions are taken, for somebody who may submit."""
    table_rules.must_be_here(state.table, player)
    return rounds.taking(state.table, sent_for)


def _power(story: Story[State], action: a.Power, moment: Moment) -> None:
    """Chips and a ranking; valid as a whole. Source: section 2, PA-2, PA-3, PA-6."""
    state = story.state
    round_ = _taking(state, action.player)
    if round_.name != "power":
        raise Refused("poker_auction.power_over", "the powers are given", f"hl bid {action.player} CARDS bids on cards")
    _within(state, round_, action.player, action.chips, action.as_sent)
    if action.garnets and state.settings.power_tie != "bid":
        raise Refused("poker_auction.garnets", "garnets are not bid here: power_tie is not bid", "leave --garnets out")
    if action.garnets > state.table.garnets(action.player):
        raise table_rules.not_enough(state.table, action.player, action.garnets)
    story.tell(rounds.seal(state.table, action.player, action, moment))


def _within(state: State, round_: Round, player: str, chips: int, as_sent: bool) -> None:
    """A sheet over budget is refused, and the one before it stays. Source: PA-6."""
    held = state.chips[player]
    if chips > max(held, 0) and not as_sent and state.settings.overspend == "refuse":
        before = "" if sealed.counting(round_, player) is None else "; the sheet before it still counts"
        raise Refused(
            "poker_auction.over_budget",
            f"the sheet spends {count(chips, 'chip')}, more than {state.table.name(player)} has{before}",
            "--as-sent records it as it was written, with the consequence of PA-6",
            f"{state.table.name(player)} has {count(held, 'chip')}",
        )


def _bid(story: Story[State], action: a.Bid, moment: Moment) -> None:
    """Amounts on cards of this round, and the powers used with them; valid as a whole. Source: section 3."""
    state, player = story.state, action.player
    round_ = _taking(state, player)
    if round_.name == "power":
        raise Refused("poker_auction.power_first", "the power round is on", f"hl power {player} CHIPS RANKING")
    bids, gifts = bids_of(action.bids), gifts_of(action.gift)
    suit = ROUNDS[round_.name]
    named = [*bids, *gifts, *(card for card in (action.diamonds, action.destroy) if card)]
    if wrong := [card for card in named if card[-1] != suit]:
        other = next(name for name, letter in ROUNDS.items() if letter == wrong[0][-1])
        raise Refused(
            "poker_auction.other_round",
            f"this is the {round_.name} round; {wrong[0]} belongs to the {other} round",
            "correct the card",
        )
    if not named:
        raise Refused(
            "poker_auction.empty", "nothing is on the sheet", f"hl blank {player} records that nothing is submitted"
        )
    _within(state, round_, player, sum(bids.values()), action.as_sent)
    for power, card in (("diamonds", action.diamonds), ("clubs", action.destroy)):
        if card:
            _may_use(state, player, power)
    if gifts and state.powers.get(player) != "hearts":
        raise Refused("poker_auction.not_owned", f"{state.table.name(player)} does not have Hearts", "leave --gift out")
    if len(gifts) < len(action.gift):
        raise Refused("poker_auction.gift_twice", "a card is given to two players", "one --gift a card")
    for card, receiver in gifts.items():
        if receiver not in state.table.seats:
            raise Unreadable("player.unknown", f"there is no player {receiver!r} in this match", "hl status")
        if card not in bids:
            raise Refused("poker_auction.gift_without_bid", f"{card} is given away without a bid on it", f"{card} 1")
    story.tell(rounds.seal(state.table, player, action, moment))


def _may_use(state: State, player: str, power: str) -> None:
    name = state.table.name(player)
    if state.powers.get(player) != power:
        raise Refused("poker_auction.not_owned", f"{name} does not have {power.title()}", "leave it out")
    if power in state.used:
        raise Refused("poker_auction.used", f"{name} has used {power.title()} already; it works once", "leave it out")


def _withdraw(story: Story[State], action: a.Withdraw, moment: Moment) -> None:
    round_ = _taking(story.state, action.player, action.round)
    if sealed.counting(round_, action.player) is None:
        raise Refused(
            "poker_auction.nothing_sent",
            f"{story.state.table.name(action.player)} has nothing in this round",
            "hl waiting",
        )
    story.tell(rounds.seal(story.state.table, action.player, None, moment, "withdrawn"))


# ---- phases ------------------------------------------------------------------------------------------------------


def _open(story: Story[State], moment: Moment) -> None:
    if story.state.table.status != "setup":
        raise Refused("poker_auction.opened", "play has begun already", "hl status")
    if len(story.state.table.players) > len(POWERS):
        raise Refused(
            "poker_auction.roster", "there are five powers: at most five can play (PA-19)", "hl new with five players"
        )
    _begin(story, "power", moment)


def _begin(story: Story[State], name: str, moment: Moment) -> None:
    ends = moment.at + story.state.settings.round_hours * HOUR
    story.tell(RoundOpened(name, moment.at, ends))


def _resolve(story: Story[State], action: shared.Resolve, moment: Moment) -> None:
    """Everybody at once; then the next round, or the end."""
    round_ = rounds.resolving(story.state.table, action.round)
    name = round_.name
    if name == "power":
        _give_powers(story, round_, action.order)
    else:
        _auction(story, round_)
    story.tell(RoundResolved(name))
    following = ORDER.index(name) + 1
    if following < len(ORDER):
        _begin(story, ORDER[following], moment)


# ---- the power round ---------------------------------------------------------------------------------------------


def claims(state: State, round_: Round) -> dict[str, tuple[int, int]]:
    """Player -> (chips, what breaks a tie): chips submitted, then garnets held or bid. Source: section 2, PA-4.

    Holdings are those of the deadline (PA-23); of a bid no more counts than is held when it would be paid.
    """
    now = {p: state.table.garnets(p) for p in state.table.players}
    held = now if round_.closed is None else round_.held
    found = {}
    for player in state.table.players:
        sheet = sealed.content(round_, player)
        chips = sheet.chips if sheet else 0
        bid = min(sheet.garnets, now[player]) if sheet else 0
        by = {"holdings": held[player], "bid": bid, "lot": 0}[state.settings.power_tie]
        found[player] = (chips, by)
    return found


def _give_powers(story: Story[State], round_: Round, lot: tuple[str, ...]) -> None:
    """All submitted chips are spent; in the order of chips each takes his best power still free. Source: section 2."""
    state = story.state
    sent = claims(state, round_)
    drawn = {player: place for place, player in enumerate(lot)}
    if set(drawn) != set(state.table.players):
        raise Refused("poker_auction.lot", "a lot among equal claims names every player once", "hl resolve draws it")
    order = sorted(state.table.players, key=lambda p: (-sent[p][0], -sent[p][1], drawn[p]))
    tied_chips = Counter(chips for chips, _ in sent.values())
    tied_both = Counter(sent.values())
    for player in order:
        if sent[player][0]:
            story.tell(f.ChipsSpent(player, sent[player][0], "the power round"))
            if story.state.chips[player] < 0:
                story.tell(f.Overspent(player, "power", False))
    free = list(POWERS)
    for place, player in enumerate(order):
        if not free:
            break
        sheet = sealed.content(round_, player)
        ranking = complete(sheet.ranking.split(">") if sheet and sheet.ranking else ())
        power = next(p for p in ranking if p in free)
        free.remove(power)
        why = f"pick {place + 1}, with {sent[player][0]} chips"
        if tied_both[sent[player]] > 1:
            why += ", a tie broken by lot"
        elif tied_chips[sent[player][0]] > 1:
            garnets = "1 garnet" if sent[player][1] == 1 else f"{sent[player][1]} garnets"
            why += f", a tie broken by {garnets}"
        story.tell(f.PowerTaken(player, power, why))
        if state.settings.power_tie == "bid" and sent[player][1] and tied_chips[sent[player][0]] > 1:
            story.tell(told.Moved(player, BANK, sent[player][1], "bid to break a tie for powers", "PA-4"))
        if power == "joker":
            story.tell(f.ChipsReceived(player, JOKER, "joker"))


# ---- an auction round --------------------------------------------------------------------------------------------


def _auction(story: Story[State], round_: Round) -> None:
    """Spend, collect, give. Source: section 3, Resolution; PA-5, PA-6, PA-8, PA-14, PA-16."""
    state = story.state
    sheets = {p: s for p in state.table.players if (s := sealed.content(round_, p)) is not None}
    least = state.settings.min_bid
    bids = {p: {c: n for c, n in bids_of(s.bids).items() if n >= least} for p, s in sheets.items()}
    over = [p for p in bids if sum(bids[p].values()) > max(state.chips[p], 0)]
    for player, made in bids.items():
        if total := sum(made.values()):
            story.tell(f.ChipsSpent(player, total, f"the {round_.name} round"))
    destroyed = {s.destroy: p for p, s in sheets.items() if s.destroy}
    for player, sheet in sheets.items():
        if sheet.diamonds:
            income = sum(made.get(sheet.diamonds, 0) for made in bids.values())
            story.tell(f.PowerUsed(player, "diamonds", sheet.diamonds))
            story.tell(f.ChipsReceived(player, income, sheet.diamonds))
        if sheet.destroy:
            story.tell(f.PowerUsed(player, "clubs", sheet.destroy))
    winners = set()
    for rank in RANKS:
        card = rank + ROUNDS[round_.name]
        fact = outcome(state, round_.name, card, bids, sheets, destroyed)
        story.tell(fact)
        if fact.bid is not None:
            winners.add(fact.giver or fact.to)
    story.tell(*(f.Overspent(player, round_.name, player in winners) for player in over))


def outcome(
    state: State,
    name: str,
    card: str,
    bids: dict[str, dict[str, int]],
    sheets: dict[str, a.Bid],
    destroyed: dict[str, str],
) -> f.CardAwarded:
    """What becomes of one card: destroyed, to the highest amount that only one bid, or to Spades. Source: section 3."""
    amounts = Counter(made[card] for made in bids.values() if card in made)
    tied = tuple(sorted((n for n, times in amounts.items() if times > 1), reverse=True))
    if card in destroyed:
        return f.CardAwarded(name, card, None, "destroyed", False, None, None, tied)
    single = [n for n, times in amounts.items() if times == 1]
    if not single:
        return f.CardAwarded(name, card, state.owner("spades"), "no_valid_bids", False, None, None, tied)
    best = max(single)
    winner = next(p for p, made in bids.items() if made.get(card) == best)
    skipped = any(n > best for n in tied)
    receiver = gifts_of(sheets[winner].gift).get(card, winner)
    if receiver != winner and state.powers.get(winner) == "hearts":
        return f.CardAwarded(name, card, receiver, "gift", skipped, winner, best, tied)
    return f.CardAwarded(name, card, winner, "won", skipped, None, best, tied)


# ---- host powers, prepare, evolve --------------------------------------------------------------------------------


def _override(story: Story[State], action: shared.Override) -> None:
    """Set that field of that player and nothing else. Source: season, host powers."""
    if action.field == "garnets":
        story.tell(*table_rules.set_garnets(story.state.table, action.player, table_prepare.whole(action.value)))
    elif action.field in FIELDS:
        story.tell(f.FieldSet(action.player, action.field, field_value(action.field, action.value)))  # type: ignore[arg-type]
    else:
        raise table_prepare.no_such_field(action.field, FIELDS)


def field_value(field: str, typed: str) -> str:
    """The one spelling of an overridden value."""
    if field == "chips":
        return str(table_prepare.whole(typed))
    if field == "cards":
        words = [word for word in re.split(r"[\s,]+", typed.strip().lower()) if word and word != "none"]
        return " ".join(sort({read_card(word) for word in words}))
    word = typed.strip().lower()
    if word not in (*POWERS, "none"):
        raise Unreadable("poker_auction.power", f"{typed!r} is no power", f"one of: {' '.join(POWERS)} none")
    return word


def due(state: State) -> int | None:
    """The deadline of the round, or of a decision."""
    return state.table.next_end()


def prepare(state: State, action: Action, luck: Luck) -> tuple[Action, ...]:
    """What was typed, as it is recorded."""
    match action:
        case shared.Resolve(round=None, order=()) if state.table.round is not None and state.table.phase == "power":
            # Drawn also where nobody ties: everybody may open this entry, and ties are secret (PA-18).
            seed = luck.seed()
            return (action._replace(round="power", order=_drawn(state, seed, luck.seq), seed=seed.hex()),)
        case a.Power():
            named = tuple(power for power in action.ranking.split(">") if power)
            known = action.named if complete(named[: action.named]) == named else len(named)
            return (action._replace(ranking=">".join(complete(named)), named=known),)
        case shared.Override() if action.field in ("chips", "cards", "power"):
            return (action._replace(value=field_value(action.field, action.value)),)
        case _:
            return table_prepare.prepare(state.table, action, luck, FIELDS, Settings, VISIBILITY)


def _drawn(state: State, seed: bytes, seq: int) -> tuple[str, ...]:
    order = list(state.table.players)
    kit_luck.shuffle(order, kit_luck.stream(kit_luck.mix(seed), f"lot:{seq}"))
    return tuple(order)


def audit(state: State, action: Action, seq: int, key: bytes | None = None) -> str | None:
    """Repeats a recorded draw. Returns what is wrong with it, or None."""
    if isinstance(action, shared.Resolve) and action.seed is not None:
        return table_prepare.redrawn(action.seed, lambda seed: _drawn(state, seed, seq), action.order, "another order")
    return table_prepare.audit(state.table, action, seq)


def evolve(state: State, fact: Fact) -> State:
    """The state after a fact. Total: a fact it cannot place is a bug."""
    match fact:
        case f.ChipsSpent():
            return _chips(state, fact.player, -fact.chips)
        case f.ChipsReceived():
            if fact.what != "joker":
                state = state._replace(income={**state.income, fact.player: fact.chips})
            return _chips(state, fact.player, fact.chips)
        case f.PowerTaken():
            return state._replace(powers={**state.powers, fact.player: fact.power})
        case f.PowerUsed():
            return state._replace(used=state.used | {fact.power})
        case f.CardAwarded():
            results = {**state.results, fact.round: (*state.results.get(fact.round, ()), fact)}
            cards = state.cards
            if fact.to is not None:
                cards = {**cards, fact.to: sort((*cards.get(fact.to, ()), fact.card))}
            return state._replace(results=results, cards=cards)
        case f.Overspent():
            won = {fact.player} if fact.won else set()
            return state._replace(overspent=state.overspent | won, overdrawn=state.overdrawn | {fact.player})
        case RoundResolved():
            sheets = sealed.contents(rounds.taking(state.table))
            table = table_evolve(state.table, fact)
            return state._replace(table=table, counted={**state.counted, fact.round: sheets})
        case f.FieldSet():
            return _set(state, fact)
        case told.SettingAmended():
            table = table_evolve(state.table, fact)
            return state._replace(table=table, settings=table_settings.own(Settings, table.settings))
        case _:
            return state._replace(table=table_evolve(state.table, fact))


def _chips(state: State, player: str, more: int) -> State:
    return state._replace(chips={**state.chips, player: state.chips[player] + more})


def _set(state: State, fact: f.FieldSet) -> State:
    if fact.field == "chips":
        return state._replace(chips={**state.chips, fact.player: int(fact.value)})
    if fact.field == "cards":
        return state._replace(cards={**state.cards, fact.player: tuple(fact.value.split())})
    powers = {p: power for p, power in state.powers.items() if p != fact.player}
    return state._replace(powers=powers if fact.value == "none" else {**powers, fact.player: fact.value})


def invariants(state: State) -> tuple[str, ...]:
    """Laws that hold unless a host overrode them: a card is owned once, chips are not made of nothing."""
    broken = []
    owned = Counter(card for cards in state.cards.values() for card in cards)
    broken += [f"{card} is owned {times} times" for card, times in owned.items() if times > 1]
    gone = {fact.card for facts in state.results.values() for fact in facts if fact.to is None}
    broken += [f"{card} is owned, though it went" for card in sort(owned) if card in gone]
    broken += [f"{card} is owned, though its round is not resolved" for card in sort(owned) if not _dealt(state, card)]
    broken += [f"{card} is owned by nobody" for card in DECK if card not in owned and card in _given(state)]
    broken += [f"{p} has {n} chips" for p, n in state.chips.items() if n < 0 and p not in state.overdrawn]
    broken += [f"{power} is held twice" for power, n in Counter(state.powers.values()).items() if n > 1]
    if sum(state.table.purses.values()) != 0:
        broken.append("the purses do not balance")
    return tuple(broken)


def _given(state: State) -> set[str]:
    """The cards that went to somebody."""
    return {fact.card for facts in state.results.values() for fact in facts if fact.to is not None}


def _dealt(state: State, card: str) -> bool:
    return card in DECK and next(name for name, suit in ROUNDS.items() if suit == card[-1]) in state.results
