"""What a host can say happened, the gaps of the rules, who may know what, and the points of titles.

Source: sections 2, 5 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from events.record import NamedTuple
from games.kinds import Player
from games.marsmatch.cards import CARDS
from games.marsmatch.combos import READING, Grammar
from games.records import Arg, Bounds
from games.spans import SECOND, Length
from games.table.actions import Again, DrawSeed, Source
from games.table.settings import Gap


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


# ---- what is settled before it begins --------------------------------------------------------------------------------


class Settings(NamedTuple):
    snatch: Annotated[
        Literal["best_class", "every_holder"],
        Gap("MM-3", look=True),
        Arg(
            "Heaven Snatch: the holders of the best class win (best_class), or every holder their own amount "
            "(every_holder)."
        ),
    ] = "best_class"
    three_in_a_row: Annotated[
        Literal["tempo", "instant_win", "ask_host"],
        Gap("MM-9", look=True),
        Arg(
            "Three plays in a row: no win by itself (tempo), a Human Hand once nobody answered the third "
            "(instant_win), or a host decides (ask_host)."
        ),
    ] = "tempo"
    real_end: Annotated[
        Literal["human_hand", "first_out", "one_winner_tiers"],
        Gap("MM-8", look=True),
        Arg(
            "The Real Match goes on to the second out (human_hand), stops at the first (first_out), or has one "
            "winner of 500, 300 or 100 (one_winner_tiers)."
        ),
    ] = "human_hand"
    ground_hand_max_plays: Annotated[
        int, Bounds(1, 9), Gap("MM-10", look=True), Arg("Most plays in which a Ground Hand empties the hand.")
    ] = 2
    ground_hand_who: Annotated[
        Literal["leader", "anybody"],
        Gap("MM-10"),
        Arg("Who may earn a Ground Hand: the leader of the Real Match (leader), or anybody at first (anybody)."),
    ] = "leader"
    post_win_lead: Annotated[
        Literal["next_clockwise", "player_before", "named"],
        Gap("MM-7"),
        Arg(
            "Who leads after an unbeaten last play: the next seat (next_clockwise), the seat before "
            "(player_before), or whom its owner names (named)."
        ),
    ] = "next_clockwise"
    pass_locks: Annotated[bool, Gap("MM-19"), Arg("Who passes is out of that trick.")] = False
    attachments: Annotated[
        Literal["per_group", "fixed"],
        Gap("MM-18"),
        Arg("Attachments grow with the groups of a Rocket or Starship (per_group), or are those of one group (fixed)."),
    ] = "per_group"
    attachment_rank: Annotated[
        Literal["other", "same", "joker", "any"],
        Gap("MM-18"),
        Arg(
            "Attachments: of another rank than the groups and no Joker (other), of the same too (same), Jokers too "
            "(joker), or any card (any)."
        ),
    ] = "other"
    rocket_attach_two: Annotated[bool, Gap("MM-31"), Arg("A 2 may be attached to a Rocket.")] = True
    wild_needs_natural: Annotated[
        bool, Gap("MM-15"), Arg("Each group with 2s as substitutes needs a natural card of its rank.")
    ] = True
    super_drone_by_holding: Annotated[
        bool, Gap("MM-17"), Arg("3-3-3 is the Super Drone only if the player holds exactly three 3s.")
    ] = False
    cross_type: Annotated[
        bool,
        Gap("MM-14"),
        Arg("Boats beat Starships, these Rockets, these Pair Sequences, these the rest, in any shape."),
    ] = False
    short_hands: Annotated[
        bool, Gap("T"), Arg("Typed-in hands may have any number of cards, to take a match over or to teach.")
    ] = False
    rounds: Annotated[
        int, Bounds(1, 99), Gap("MM-24", evening=True), Arg("How many rounds a match has; points are summed.")
    ] = 1
    turn_seconds: Annotated[
        Length, Bounds(0, 7 * 86_400, SECOND), Gap("MM-25", evening=True), Arg("How long a turn may take; 0: no clock.")
    ] = 0

    def grammar(self, threes: int) -> Grammar:
        """The grammar for the combinations of a player who holds so many 3s."""
        return Grammar(
            attach_two=self.rocket_attach_two,
            per_group=self.attachments == "per_group",
            needs_natural=self.wild_needs_natural,
            super_drone=threes == 3 or not self.super_drone_by_holding,
            attach_same=self.attachment_rank in ("same", "any"),
            attach_joker=self.attachment_rank in ("joker", "any"),
        )


VISIBILITY = {
    "own_hand": ("owner", "the cards a player holds"),
    "plays": ("everybody", "what is played, and who passes"),
    "hand_sizes": ("everybody", "how many cards each player holds (MM-25)"),
    "heavenly_hands": ("everybody", "the Starlink or UFO of somebody who wins with it"),
    "points": ("everybody", "points and titles"),
    "final_hands": ("everybody_after_end", "the cards that are left at the end"),
}


Title: TypeAlias = Literal[
    "heavenly_hand", "non_banker_heavenly", "heaven_snatch", "ground_hand", "ground_snatch", "human_hand", "total_loser"
]


class Worth(NamedTuple):
    name: str
    points: tuple[int, ...]


TITLES: Mapping[Title, Worth] = {
    "heavenly_hand": Worth("Heavenly Hand", (10_000, 1_000)),
    "non_banker_heavenly": Worth("Non-Banker Heavenly Hand", (7_000, 700)),
    "heaven_snatch": Worth("Heaven Snatch", (9_000, 900)),
    "ground_hand": Worth("Ground Hand", (500,)),
    "ground_snatch": Worth("Ground Snatch", (300,)),
    "human_hand": Worth("Human Hand", (100,)),
    "total_loser": Worth("Total Loser", (0,)),
}
HEAVENLY: Mapping[str, tuple[str, str]] = {
    "starlink": ("Starlink", "3 3 3 3 3 3"),
    "ufo": ("UFO", "LJ LJ BJ BJ"),
}
"""A heavenly hand -> its cards that are shown."""
