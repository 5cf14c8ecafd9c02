"""The views of a player and of the match; each field has its lines. Source: section 6, PA-14, PA-15."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, HOSTS, OWN, Label, VisibleTo
from games.kit.poker import WORDS
from games.poker_auction import actions as a, facts as f
from games.poker_auction.facts import State
from games.poker_auction.rules import automatic, best
from games.records import ABSENT


class BestView(NamedTuple):
    class_: str
    cards: tuple[str, ...]

    def __str__(self) -> str:
        """`Full House (4H 4D 4C 9S 9C)`."""
        return f"{WORDS[self.class_]} ({' '.join(self.cards)})"


class PowerBidView(NamedTuple):
    chips: int
    ranking: tuple[str, ...]


class PlayerView(NamedTuple):
    chips: Annotated[int, VisibleTo("own_chips"), VisibleTo("chips"), Label("chips", number=True)] = ABSENT
    power: Annotated[str | None, VisibleTo("powers"), Label("power", say=lambda power: (power or "").title())] = ABSENT
    cards: Annotated[tuple[str, ...], VisibleTo(OWN), VisibleTo("final_hands", after_end=True), Label("cards")] = ABSENT
    garnets: Annotated[
        int, VisibleTo("own_garnets"), VisibleTo("final_garnets", after_end=True), Label("garnets", number=True)
    ] = ABSENT
    best: Annotated[
        BestView | None,
        VisibleTo(OWN),
        VisibleTo("final_hands", after_end=True),
        Label("best", say=lambda best: WORDS[best.class_] if best else ""),
    ] = ABSENT
    auto_ec: Annotated[
        bool,
        VisibleTo(("final_hands", "elimination"), after_end=True),
        Label("auto EC", say=lambda automatic: "yes" if automatic else ""),
    ] = ABSENT
    diamonds_income: Annotated[int | None, VisibleTo("diamonds_income", hosts=False)] = ABSENT
    """What Diamonds collected; None while its owner has not used it. Not for the hosts, who have the log."""
    power_bid: Annotated[PowerBidView, VisibleTo("power_bids", hosts=False)] = ABSENT
    """Not for the hosts either."""


class CardView(NamedTuple):
    """A card's outcome; `why` is that of the fact, `received` if a gift is hidden, or `sealed` if all is."""

    to: str | None
    why: str
    because_of_invalid_bids: Annotated[bool, VisibleTo("invalid_bids")] = ABSENT
    bids: Annotated[Mapping[str, int], VisibleTo("bids", each=True, hosts=False)] = ABSENT
    """Player -> amount; never for the hosts, who have the log."""


class RoundView(NamedTuple):
    suit: str
    cards: Annotated[Mapping[str, CardView], VisibleTo(COURSE)]
    diamonds: Annotated[str | None, VisibleTo(COURSE, hosts=False)] = ABSENT
    """The card that Diamonds was used on, if that may be known; never for the hosts, who have the log."""


class AuctionView(NamedTuple):
    """Source: docs/json.md, view of poker_auction."""

    phase: str
    ends: Instant | None
    players: Mapping[str, PlayerView]
    rounds: Annotated[tuple[RoundView, ...], VisibleTo(COURSE)]
    closed: bool = ABSENT
    submitted: bool = ABSENT
    paused: bool = ABSENT
    sheets: Annotated[Mapping[str, str | None], VisibleTo(HOSTS)] = ABSENT
    """Player -> the sheet that counts now: `blank` if on purpose, None if silent."""


def of_match(state: State, viewer: str) -> Mapping[str, object]:
    rounds = []
    for name, facts in state.results.items():
        used = {p: sheet.diamonds for p, sheet in state.counted.get(name, {}).items() if sheet.diamonds}
        card = used.get(viewer) or next(iter(used.values()), None)
        told = state.settings.announce_diamonds or state.may("diamonds_use", viewer, used)  # PA-15
        cards = {fact.card: card_view(state, viewer, fact) for fact in facts}
        rounds.append(RoundView(name, cards, card if told else ABSENT))
    return {"rounds": tuple(rounds)}


def of_player(state: State, player: str, viewer: str) -> PlayerView:
    hand, sheet = best(state, player), state.counted.get("power", {}).get(player)
    out = player in state.table.left and state.table.settings["leaver_result"] == "out"
    collects = player in state.income or state.may("powers", viewer, (player,))
    return PlayerView(
        chips=state.chips[player],
        power=state.powers.get(player),
        cards=state.cards.get(player, ()),
        garnets=state.table.garnets(player),
        best=BestView(hand.name, hand.cards) if hand else None,
        auto_ec=player in (automatic(state) if state.over else state.overspent) and not out,
        diamonds_income=state.income.get(player) if state.powers.get(player) == "diamonds" and collects else ABSENT,
        power_bid=PowerBidView(sheet.chips, tuple(sheet.ranking.split(">"))) if sheet else ABSENT,
    )


def card_view(state: State, viewer: str, fact: f.CardAwarded) -> CardView:
    """What became of one card, as far as the viewer may know it."""
    why = fact.why_told(state, viewer)
    if why == "sealed":
        return CardView(None, why)
    sheets = state.counted.get(fact.round, {})
    bids = {p: amounts[fact.card] for p, sheet in sheets.items() if fact.card in (amounts := a.bids_of(sheet.bids))}
    return CardView(fact.to, why, fact.because_of_invalid_bids, bids)
