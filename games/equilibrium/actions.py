"""What a host can say happened. Names, help, types and completion of the commands come from here. Source: section 3."""

from __future__ import annotations

from typing import Annotated

from events.record import NamedTuple
from games.equilibrium.cards import Card
from games.kinds import Player
from games.records import Arg
from games.table.actions import Who

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
    card: Annotated[Card, Arg("The card as it is now.")]


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
