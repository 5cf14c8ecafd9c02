"""The gaps of the rules of Polar RPS Party, and who may know what. Source: sections 6 and 7."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from events.record import NamedTuple
from games.records import Arg, Bounds
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours

Scope: TypeAlias = Literal["room", "all"]
DoubleMode: TypeAlias = Literal["base_only", "cancels_others", "cancelled_by_others"]


class Settings(NamedTuple):
    polarity_scope: Annotated[
        Scope,
        Gap("PL-4", look=True),
        Arg("Whose signs are counted for the minority: those in my room (room), or those of all players (all)."),
    ] = "room"
    double_mode: Annotated[
        DoubleMode,
        Gap("PL-5", look=True),
        Arg(
            "A Double beside other bombs: it doubles the base and they add (base_only), it cancels them "
            "(cancels_others), or they cancel it (cancelled_by_others)."
        ),
    ] = "base_only"
    rounds: Annotated[int, Bounds(1, 30), Gap("T"), Arg("How many rounds are scored.")] = 9
    pregame_hours: Annotated[Hours, Gap("T"), Arg("How long rooms, signs and bombs are taken before round 1.")] = 48
    round_hours: Annotated[Hours, Gap("T"), Arg("How long submissions are taken in each round.")] = 24
    bad_bomb: Annotated[
        Literal["lose_that_one", "lose_both"],
        Gap("PL-3"),
        Arg(
            "One bad bomb of the two that are chosen at the start: only that one is lost (lose_that_one), or both "
            "(lose_both)."
        ),
    ] = "lose_that_one"
    purchase_window: Annotated[
        Literal["every_round", "pregame_too"],
        Gap("PL-7"),
        Arg("When one can buy: with any round's sheet (every_round), or before the first round as well (pregame_too)."),
    ] = "every_round"
    use_same_round: Annotated[bool, Gap("PL-7"), Arg("What is bought can be used in the same round.")] = True
    price_scope: Annotated[
        Literal["per_player", "market"],
        Gap("PL-6"),
        Arg(
            "The k-th purchase of a kind costs k garnets: counted for each player (per_player), or for all together "
            "(market)."
        ),
    ] = "per_player"
    garnets_per: Annotated[int, Bounds(1, 1000), Gap("PL-15"), Arg("So many points earn one garnet at the end.")] = 7
    garnets_from: Annotated[
        Literal["final_total", "points_gained"],
        Gap("PL-15"),
        Arg(
            "The points that earn garnets: the final total (final_total), or all points gained without the losses "
            "(points_gained)."
        ),
    ] = "final_total"
    max_tied_tol: Annotated[
        int, Bounds(1, 64), Gap("T"), Arg("More than so many tied in the first place: nobody wins a token.")
    ] = 4
    ec_excludes_token_holders: Annotated[
        bool, Gap("PL-19"), Arg("Who holds a Token of Life cannot be Elimination Candidate.")
    ] = True
    pregame_talk: Annotated[
        Literal["open", "closed"],
        Gap("PL-22"),
        Arg("Before the rooms are published everybody may talk (open), or nobody (closed)."),
    ] = "open"
    channels_switch: Annotated[
        Literal["publication", "deadline"],
        Gap("PL-22"),
        Arg(
            "Until when one may talk in a room: the reveal (publication), or the deadline, and then nobody until "
            "the reveal (deadline)."
        ),
    ] = "publication"
    gift_hours: Annotated[SecondTokenHours, Gap("PL-16")] = 24
    vote_hours: Annotated[
        Hours, Gap("PL-17"), Arg("How long the winner may take to pick among the second, and winners to vote.")
    ] = 24


VISIBILITY = {
    "rooms": ("everybody", "after each round: who is in which room"),
    "signs": ("everybody", "after each round: the sign of each player"),
    "bombs_on_rooms": ("everybody", "after each round: which bombs were used on which room, without their users"),
    "scoreboard": ("everybody", "after each round: the points of each player"),
    "tickets": ("owner", "how many tickets a player has"),
    "swaps": ("owner", "how many sign swaps a player has"),
    "bombs": ("owner", "which bombs a player has"),
    "garnets": ("owner", "how many garnets a player has"),
    "prices": ("owner", "what the next purchase of each kind costs a player"),
    "invalid_items": ("owner", "which items of a player's last sheet counted for nothing, and why"),
    "channels": ("owner", "where a player may talk now"),
    "bomb_users": ("nobody_ever", "who used which bomb; players know their own from their sheets"),
    **RESULT_LINES,
}
