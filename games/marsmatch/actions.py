"""What a host can say happened. Names, help, types and completion of the commands come from here. Source: section 2."""

from __future__ import annotations

from typing import Annotated

from events.record import NamedTuple
from games.kinds import Player
from games.marsmatch.cards import CARDS
from games.marsmatch.combos import READING
from games.records import Arg
from games.table.actions import Again, DrawSeed, Source


class Draw(NamedTuple):
    """Draw the Banker and the seats: drawn and recorded, or typed in.

    hl draw
    hl draw --banker cyd --seats cyd,dan,ann,bob
    """

    banker: Annotated[Player | None, Arg("The Banker, when that was settled elsewhere.")] = None
    seats: Annotated[
        tuple[Player, ...], Arg("The seats clockwise: ann,bob,...; with --banker alone those of the match file.")
    ] = ()
    drawn: Annotated[tuple[str, ...] | None, Arg("Filled in by the draw.", hidden=True)] = None
    draw: Source = None
    seed: DrawSeed = None
    replaces: Again = None


class Play(NamedTuple):
    """Record what a player plays: 3 3 3 K, or 333k.

    hl play cyd 667788
    hl play cyd 6 6 7 7 8 8
    """

    player: Annotated[Player, Arg("Whose turn it is.")]
    cards: Annotated[str, CARDS, Arg("The cards; T is 10.", phrase=True)]
    reading: Annotated[
        str | None, READING, Arg("How the player declares them, if they can be read in several ways.", option="as")
    ] = None


class Pass(NamedTuple):
    """Record that a player passes.

    hl pass bob
    """

    player: Annotated[Player, Arg("Whose turn it is.")]


class Timeout(NamedTuple):
    """Record that a player's time is over: they pass, or lead their lowest card (MM-25).

    hl timeout cyd
    """

    player: Annotated[Player, Arg("Whose turn it is.")]
