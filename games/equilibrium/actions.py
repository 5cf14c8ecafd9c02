"""What a host can say happened, and what is settled before. The commands are made of these records.

Source: section 3; docs/games/equilibrium.md. Each gap of the rules has its number, its default and what it changes;
where the original text was lost, `look` is set: a host should confirm those before the match.
"""

from __future__ import annotations

from typing import Annotated, Literal

from events.record import NamedTuple
from games.equilibrium.cards import Card, Metric, Paying
from games.kinds import Player
from games.records import Arg, Bounds
from games.spans import MINUTE, Length
from games.table.actions import Garnets, Who
from games.table.settings import Gap, Hours

Offerer = Annotated[Player, Arg("Whose offer.")]


class Trade(NamedTuple):
    """Record a confirmed trade: A gives a card for a card of B.

    hl trade ann R2 bob B4
    """

    a: Annotated[Player, Arg("Who gives the first card.")]
    give: Annotated[Card, Arg("What A gives.")]
    b: Annotated[Player, Arg("Who gives the second card.")]
    take: Annotated[Card, Arg("What A takes.")]


class Offer(NamedTuple):
    """Record an open offer in a pair chat: A would give a card for a card of B.

    hl offer cyd R9 hal B2
    """

    a: Annotated[Player, Arg("Who offers.")]
    give: Annotated[Card, Arg("What A would give.")]
    b: Annotated[Player, Arg("To whom.")]
    take: Annotated[Card, Arg("What A wants.")]


class Accept(NamedTuple):
    """Record that a player accepts the open offer of another: the trade is done.

    hl accept hal cyd
    """

    player: Annotated[Player, Arg("Who accepts.")]
    proposer: Offerer


class Withdraw(NamedTuple):
    """Record that a player takes an open offer back.

    hl withdraw cyd hal
    """

    player: Offerer
    partner: Annotated[Player, Arg("To whom it was made.")]


class Decline(NamedTuple):
    """Record that a player declines the open offer of another.

    hl decline hal cyd
    """

    player: Annotated[Player, Arg("Who declines.")]
    proposer: Offerer


class Recolour(NamedTuple):
    """Record that a player paid a garnet to flip the colour of a card in hand.

    hl recolour ann R2
    """

    player: Who
    card: Annotated[Card, Arg("The card before the recolour.")]


class Lock(NamedTuple):
    """Record that a player locked in. A lock forbids nothing (EQ-17).

    hl lock ann
    """

    player: Who


class Unlock(NamedTuple):
    """Record that a player took the lock back.

    hl unlock gil
    """

    player: Who


# ---- what is settled before it begins --------------------------------------------------------------------------------


HandClass = Literal["four", "full", "flush", "straight", "trips", "two_pair", "pair", "high"]
Condition = Literal["best_er", "best_poker", "lowest_placing_sum", "most_trades", "most_garnets_earned", "host_decides"]


class Settings(NamedTuple):
    er_metric: Annotated[
        Metric,
        Gap("EQ-1", look=True),
        Arg("Equilibrium compares the number of black and red cards (count) or the sums of their values (value)."),
    ] = "count"
    garnet_hands: Annotated[
        tuple[HandClass, ...],
        Gap("EQ-2", look=True),
        Arg("Which classes pay a garnet, each once for each player."),
    ] = ("four", "full", "flush")
    tol_conditions: Annotated[
        tuple[Condition, ...],
        Gap("EQ-3", look=True),
        Arg("One Token of Life for the best under each of these, in this order."),
    ] = ("best_er", "best_poker", "lowest_placing_sum")
    garnet_cap: Annotated[Garnets, Gap("EQ-13"), Arg("A player never holds more garnets than this.")] = 3
    max_garnets_from_match: Annotated[
        Garnets, Gap("EQ-13"), Arg("A player receives at most this many for hands in one match.")
    ] = 3
    dealt_hands_count: Annotated[bool, Gap("EQ-4"), Arg("A dealt hand of a paying class pays at once.")] = True
    hands_told: Annotated[
        Literal["at_open", "at_deal"],
        Gap("EQ-24"),
        Arg("A hand dealt before play is told to its player when play opens (at_open), or when it is dealt (at_deal)."),
    ] = "at_open"
    recolour_counts: Annotated[bool, Gap("EQ-5"), Arg("A paying class made by a recolour pays.")] = True
    garnet_class_mode: Annotated[
        Paying, Gap("EQ-12"), Arg("A hand pays for its one class (class), or for every class it contains (contains).")
    ] = "class"
    multi_tol: Annotated[
        Literal["give_away", "next_best", "lapse"],
        Gap("EQ-11"),
        Arg(
            "Who is best twice gives the spare token away (give_away), or the next best gets it (next_best), or "
            "nobody (lapse)."
        ),
    ] = "give_away"
    allow_identical_trade: Annotated[bool, Gap("EQ-10"), Arg("Two players may swap identical cards.")] = True
    lock_grace_minutes: Annotated[
        Length, Bounds(0, 24 * 60, MINUTE), Gap("EQ-17"), Arg("Minutes from the last lock to the early end.")
    ] = 0
    auto_end_after_last_trade: Annotated[bool, Gap("EQ-16"), Arg("Trading ends once every pair has traded.")] = True
    trading_hours: Annotated[Hours, Gap("T", evening=True), Arg("Length of trading.")] = 72
    vote_hours: Annotated[
        Hours, Gap("S-4", evening=True), Arg("How long the vote for the Elimination Candidate stays open.")
    ] = 24
    gift_hours: Annotated[Hours, Gap("S-2"), Arg("How long a spare token may be given away.")] = 24


VISIBILITY = {
    "own_hand": ("owner", "the cards a player holds now, and what they are worth"),
    "own_garnets": ("owner", "the garnets a player holds now"),
    "dealt_garnet": ("owner", "whether the deal earned a garnet"),
    "trade_done": ("traders", "that a trade was processed, and with whom one has traded"),
    "garnet_gained": ("owner", "that a hand earned a garnet, and for which class"),
    "recolour_done": ("owner", "that a recolour was processed"),
    "locked_count": ("everybody", "how many players are locked (EQ-17)"),
    "locks": ("host", "which players are locked (EQ-17)"),
    "final_hands": ("everybody_after_end", "the final hands"),
    "final_classes": ("everybody_after_end", "the poker class of each final hand"),
    "final_er": ("everybody_after_end", "equilibrium and total of each final hand"),
    "tokens": ("everybody_after_end", "who won a Token of Life"),
    "elimination": ("everybody_after_end", "who is Elimination Candidate"),
    "final_garnets": ("everybody_after_end", "the garnets of each player at the end"),
    "trades": ("nobody_ever", "who traded what with whom"),
    "dealt_hands": ("nobody_ever", "the hands that were dealt"),
    "recolours": ("nobody_ever", "who recoloured"),
    "earned": ("nobody_ever", "which class gave which player a garnet"),
    "votes": ("nobody_ever", "who voted for whom"),
}
"""The information table, one key a line. The original lists are lost: all of it is gap EQ-6. Source: section 9."""
