"""The gaps of the rules of Poker Auction, and who may know what. Source: sections 6 and 7."""

from __future__ import annotations

from typing import Annotated, Literal

from events.record import NamedTuple
from games.poker_auction.cards import FlushTie
from games.records import Arg
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours


class Settings(NamedTuple):
    round_hours: Annotated[
        Hours,
        Gap("PA-1", look=True),
        Arg("How long submissions are taken in the power round and in each auction round."),
    ] = 24
    min_bid: Annotated[
        Literal[0, 1], Gap("PA-5"), Arg("The least bid: with 1 a bid of 0 is no bid, with 0 a lone 0 wins.")
    ] = 1
    power_tie: Annotated[
        Literal["holdings", "bid", "lot"],
        Gap("PA-4"),
        Arg(
            "Equal chips for powers: more garnets held first (holdings), more garnets bid and paid (bid), or a lot "
            "(lot); then a lot."
        ),
    ] = "holdings"
    flush_tie: Annotated[
        FlushTie,
        Gap("PA-9"),
        Arg("Flushes with the same highest card: by suit at once (suit), or by their next cards first (next_cards)."),
    ] = "suit"
    kickers: Annotated[bool, Gap("PA-12"), Arg("Side cards are compared before suits, as in usual poker.")] = False
    multi_ec: Annotated[
        Literal["all", "winner_picks", "fewest_cards", "lot"],
        Gap("PA-7"),
        Arg(
            "Several players with fewer than five cards: all are Elimination Candidates (all), or one: whom the "
            "winner picks (winner_picks), who has fewest cards (fewest_cards), or by lot (lot)."
        ),
    ] = "all"
    overspend: Annotated[
        Literal["refuse", "flag"],
        Gap("PA-6"),
        Arg(
            "A sheet over budget is refused (refuse), or taken, and who wins a card with it is Elimination "
            "Candidate (flag)."
        ),
    ] = "refuse"
    announce_diamonds: Annotated[bool, Gap("PA-15"), Arg("The use of Diamonds is told after the round.")] = False
    announce_gift: Annotated[bool, Gap("PA-14"), Arg("It is told that a card was a Hearts gift.")] = False
    auto_ec_can_win: Annotated[
        bool, Gap("PA-20"), Arg("An overspender, who is Elimination Candidate, may all the same have the winning hand.")
    ] = False
    gift_hours: Annotated[SecondTokenHours, Gap("PA-22")] = 24
    vote_hours: Annotated[Hours, Gap("PA-7"), Arg("How long the winner may take to pick, with winner_picks.")] = 24


VISIBILITY = {
    "powers": ("everybody", "who has which power"),
    "cards_received": ("everybody", "for each card of a round: who received it, or that it went or was destroyed"),
    "invalid_bids": ("everybody", 'the remark "because of invalid bids"'),
    "own_chips": ("owner", "the chips a player has left"),
    "diamonds_income": ("owner", "the chips collected with Diamonds"),
    "own_garnets": ("owner", "the garnets a player holds"),
    "bids": ("nobody_ever", "amounts bid, and who bid"),
    "chips": ("nobody_ever", "the chips of others"),
    "diamonds_use": ("nobody_ever", "whether and where Diamonds was used"),
    "gifts": ("nobody_ever", "that a card was a Hearts gift"),
    "power_bids": ("nobody_ever", "chips and rankings submitted for powers (PA-18)"),
    "final_hands": ("everybody_after_end", "the best hands and their ranking"),
    **RESULT_LINES,
    "final_garnets": ("everybody_after_end", "the garnets of each player at the end"),
}
