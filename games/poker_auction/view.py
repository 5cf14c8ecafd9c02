"""State -> View: the only reader of State for output, built up by what is allowed. Source: section 6, PA-14, PA-18."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from events.audiences import EVERYBODY, HOST_VIEWER, PUBLIC_VIEWER, Audience
from events.instants import write_instant
from events.record import NamedTuple
from games.contract import Action, Due, Fact, Result
from games.kit import sealed
from games.kit.poker import WORDS
from games.kit.tell import News, count
from games.poker_auction import actions as a
from games.poker_auction import facts as f
from games.poker_auction.end import automatic, best, bests, ranking
from games.poker_auction.hands import CLASSES
from games.poker_auction.state import ORDER, State
from games.records import ABSENT
from games.table import actions as shared
from games.table import facts as told
from games.table import rounds
from games.table.view import SECRET, allowed, asked, owed, shared_audience, shared_news, table_result


class BestView(NamedTuple):
    class_: str
    cards: tuple[str, ...]


class PowerBidView(NamedTuple):
    chips: int
    ranking: tuple[str, ...]


class PlayerView(NamedTuple):
    """What the viewer may know of one player."""

    chips: int = ABSENT
    power: str | None = ABSENT
    cards: tuple[str, ...] = ABSENT
    garnets: int = ABSENT
    best: BestView | None = ABSENT
    auto_ec: bool = ABSENT
    diamonds_income: int | None = ABSENT
    """What Diamonds collected; None while its owner has not used it. Not for the hosts, who have the log."""
    power_bid: PowerBidView = ABSENT
    """Not for the hosts either."""


class CardView(NamedTuple):
    to: str | None
    why: str
    because_of_invalid_bids: bool = ABSENT
    bids: Mapping[str, int] = ABSENT
    """Player -> amount, as far as the setting `visibility.bids` allows; never for the hosts, who have the log."""


class RoundView(NamedTuple):
    suit: str
    cards: Mapping[str, CardView]
    diamonds: str | None = ABSENT
    """The card that Diamonds was used on, where that may be known; never for the hosts, who have the log."""


class AuctionView(NamedTuple):
    """Source: docs/json.md, view of poker_auction."""

    phase: str
    ends: str | None
    players: Mapping[str, PlayerView]
    rounds: tuple[RoundView, ...]
    closed: bool = ABSENT
    """True once submissions of this round have ended."""
    submitted: bool = ABSENT
    """Has the viewer a sheet in this round that counts?"""
    paused: bool = ABSENT
    sheets: Mapping[str, str | None] = ABSENT
    """Hosts only: what counts of each player in this round as it stands; `blank` on purpose, None for silence."""


def may(state: State, key: str, viewer: str, owners: Iterable[str | None] = ()) -> bool:
    """May `viewer` know the datum of line `key` that concerns `owners`?"""
    return allowed(state.table, key, viewer, owners, over=over(state))


def over(state: State) -> bool:
    return "spades" in state.table.past


def view(state: State, viewer: str) -> AuctionView:
    """The match as `viewer` (`host`, `public` or a player) may know it."""
    end = state.table.next_end()
    mine = viewer in state.table.seats and state.table.round is not None
    return AuctionView(
        phase=state.table.phase,
        ends=None if end is None else write_instant(end),
        players={p: _player(state, viewer, p) for p in state.table.players},
        rounds=tuple(
            RoundView(
                name,
                {fact.card: _card(state, viewer, fact) for fact in state.results[name]},
                _diamonds(state, viewer, name),
            )
            for name in ORDER
            if name in state.results and name in state.table.past
        ),
        closed=True if state.table.round is not None and state.table.round.closed is not None else ABSENT,
        submitted=sealed.standing(state.table.round, viewer) != "silent" if mine and state.table.round else ABSENT,
        paused=True if state.table.paused is not None else ABSENT,
        sheets=_sheets(state) if viewer == HOST_VIEWER and state.table.round is not None else ABSENT,
    )


def _sheets(state: State) -> dict[str, str | None]:
    """What counts of each player in the round that is on, for the hosts."""
    round_ = state.table.round
    assert round_ is not None, "a round is on"
    words = {"blank": "blank", "silent": None}
    found: dict[str, str | None] = {}
    for player in state.table.players:
        sheet = sealed.content(round_, player)
        found[player] = a.spelled(sheet) if sheet is not None else words[sealed.standing(round_, player)]
    return found


def _card(state: State, viewer: str, fact: f.CardAwarded) -> CardView:
    why: str = fact.why
    if fact.why in ("won", "gift") and viewer != HOST_VIEWER:
        told_gift = state.settings.announce_gift or may(state, "gifts", viewer, (fact.to, fact.giver))
        why = fact.why if told_gift else "received"
    if not may(state, "cards_received", viewer):
        return CardView(None, "sealed")
    remark = fact.because_of_invalid_bids if may(state, "invalid_bids", viewer) else ABSENT
    shown = CardView(fact.to, why, remark)
    if viewer == HOST_VIEWER or state.table.settings["visibility"]["bids"] in SECRET:
        return shown
    made = {p: a.bids_of(sheet.bids).get(fact.card) for p, sheet in state.counted.get(fact.round, {}).items()}
    return shown._replace(bids={p: n for p, n in made.items() if n is not None and may(state, "bids", viewer, (p,))})


def _diamonds(state: State, viewer: str, name: str) -> Any:
    """The card of that round on which Diamonds was used, or None."""
    if viewer == HOST_VIEWER:
        return ABSENT
    found = ((p, s.diamonds) for p, s in state.counted.get(name, {}).items() if s.diamonds)
    player, card = next(found, (state.owner("diamonds"), None))
    known = state.settings.announce_diamonds or may(state, "diamonds_use", viewer, (player,) if player else ())
    return card if known else ABSENT


def _player(state: State, viewer: str, player: str) -> PlayerView:
    host, mine, final = viewer == HOST_VIEWER, viewer == player, over(state)
    shown = PlayerView()
    if may(state, "powers", viewer):
        shown = shown._replace(power=state.powers.get(player))
    if may(state, "own_chips", viewer, (player,)) or may(state, "chips", viewer):
        shown = shown._replace(chips=state.chips[player])
    if host or mine or (final and may(state, "final_hands", viewer)):
        hand = best(state, player)
        shown = shown._replace(
            cards=state.cards.get(player, ()),
            best=BestView(hand.name, hand.cards) if hand else None,
        )
    if host:
        shown = shown._replace(auto_ec=player in (automatic(state) if final else state.overspent))
    elif final and may(state, "final_hands", viewer) and may(state, "elimination", viewer):
        shown = shown._replace(auto_ec=player in automatic(state))
    if not host:
        shown = _own_sheets(state, viewer, player, shown)
    if may(state, "own_garnets", viewer, (player,)) or (final and may(state, "final_garnets", viewer)):
        shown = shown._replace(garnets=state.table.garnets(player))
    return shown


def _own_sheets(state: State, viewer: str, player: str, shown: PlayerView) -> PlayerView:
    """What Diamonds collected and what was submitted for powers, where that may be known."""
    if state.powers.get(player) == "diamonds" and may(state, "diamonds_income", viewer, (player,)):
        shown = shown._replace(diamonds_income=state.income.get(player))
    sheet = state.counted.get("power", {}).get(player)
    if sheet is not None and may(state, "power_bids", viewer, (player,)):
        shown = shown._replace(power_bid=PowerBidView(sheet.chips, tuple(sheet.ranking.split(">"))))
    return shown


def result(state: State, viewer: str) -> Result:
    """How the match stands, for `viewer`. Scores are the class of the hand, 1 (high card) to 9, 0 for none."""
    host, table = viewer == HOST_VIEWER, state.table

    def ok(key: str) -> bool:
        return host or (over(state) and may(state, key, viewer))

    shown = table_result(
        table,
        who=ok("tokens"),
        among=ok("elimination"),
        garnets=[p for p in table.players if may(state, "own_garnets", viewer, (p,)) or ok("final_garnets")],
        tokens=table.players if ok("tokens") else (),
        elimination=ok("elimination"),
    )
    if not ok("final_hands"):
        return shown
    hands = bests(state)
    scores = {p: len(CLASSES) - CLASSES.index(h.name) if h else 0 for p, h in hands.items()}
    return shown._replace(ranking=ranking(state, hands), scores=scores)


def audience(state: State, action: Action) -> Audience:
    """Who may see that entry opened. A sheet is its player's; a resolve holds nothing but the round and a lot."""
    match action:
        case a.Power() | a.Bid() | a.Withdraw():
            return Audience.only(action.player)
        case shared.Resolve():
            return EVERYBODY
        case _:
            return shared_audience(state.table, action)


def news(state: State, fact: Fact, viewer: str) -> News:
    """A fact in a sentence for `viewer`, or None when it is not for him. Source: section 6."""
    if viewer == HOST_VIEWER:
        return None
    name, public = state.table.name, viewer == PUBLIC_VIEWER
    match fact:
        case told.PhaseBegan(phase="finished") if public:
            return "The match is over."
        case f.PowerTaken() if public and may(state, "powers", viewer):
            return f"{name(fact.player)} has {fact.power.title()}."
        case f.CardAwarded() if public:
            return _card_news(state, fact)
        case f.ChipsSpent() if viewer == fact.player and may(state, "own_chips", viewer, (viewer,)):
            return f"You spent {count(fact.chips, 'chip')} in {fact.what}."
        case f.ChipsReceived() if viewer == fact.player and may(state, "diamonds_income", viewer, (viewer,)):
            return f"You received {count(fact.chips, 'chip')} ({'Joker' if fact.what == 'joker' else 'Diamonds'})."
        case f.PowerUsed(power="diamonds") if public and (
            state.settings.announce_diamonds or may(state, "diamonds_use", viewer)
        ):
            return f"Diamonds was used on {fact.card}."
        case f.FieldSet(field="power") if public and may(state, "powers", viewer):
            now = "no power" if fact.value == "none" else fact.value.title()
            return f"A host corrected a power: {name(fact.player)} has {now}."
        case f.FieldSet(field="chips") if viewer == fact.player and may(state, "own_chips", viewer, (viewer,)):
            return "A host corrected your chips."
        case f.FieldSet(field="cards") if viewer == fact.player:
            return "A host corrected your cards."
        case told.RewardPaid() if viewer == fact.reward.player and may(state, "own_garnets", viewer, (viewer,)):
            return f"You won {count(fact.reward.garnets, 'garnet')}."
        case told.Moved() if viewer in (fact.src, fact.to) and may(state, "own_garnets", viewer, (viewer,)):
            return f"You {'received' if fact.to == viewer else 'lost'} {count(fact.garnets, 'garnet')}."
        case told.DecisionOpened() if asked(state.table, fact.decision, viewer):
            among = state.table.named(fact.decision.among)
            if fact.decision.kind == "gift":
                return f"You won a second Token of Life: give it to one of {among}."
            return f"You choose who is Elimination Candidate: {among}."
        case _:
            return shared_news(state.table, fact, viewer)


def _card_news(state: State, fact: f.CardAwarded) -> str | None:
    shown = _card(state, PUBLIC_VIEWER, fact)
    if shown.why == "sealed":
        return None
    remark = " because of invalid bids" if shown.because_of_invalid_bids and fact.why in ("won", "gift") else ""
    if shown.why == "destroyed":
        return f"{fact.card}: destroyed."
    if shown.why == "no_valid_bids":
        taker = f"goes to {state.table.name(shown.to)} (Spades)" if shown.to else "is discarded"
        return f"{fact.card}: no valid bids, {taker}."
    given = " as a gift" if shown.why == "gift" else ""
    return f"{fact.card}: {state.table.name(shown.to or '')} receives it{given}{remark}."


def waiting(state: State) -> tuple[Due, ...]:
    """Who still owes a sheet, or a decision of the end."""
    round_ = state.table.round
    if round_ is None:
        return owed(state.table)
    return rounds.owed(state.table, "submission for powers" if round_.name == "power" else f"sheet for {round_.name}")


def best_words(shown: BestView) -> str:
    """`Full House (4H 4D 4C 9S 9C)`."""
    return f"{WORDS[shown.class_]} ({' '.join(shown.cards)})"
