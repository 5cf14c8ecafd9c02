"""The gaps of the rules of Hex Parties, and who may know what. Source: sections 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from events.record import NamedTuple
from games.hex_parties.board import SAMPLES, OwnCell, VacatedCells, bonuses_fault, layout_fault
from games.records import Arg, Bounds
from games.table.actions import Garnets
from games.table.settings import RESULT_LINES, Gap, Hours, SecondTokenHours


class Settings(NamedTuple):
    start: Annotated[
        Mapping[str, tuple[str, ...]],
        Gap(
            "HX-1",
            look=True,
            fault=layout_fault,
            by_player=True,
            samples=('start = { ann = ["E5", "A2"], bob = ["D5", "I2"], ... }   the first cell is the odd piece',),
        ),
        Arg("Where the pieces start; empty: A2 A4 / B6 D8 / F8 H6 / I4 I2 / H1 F1 / D1 B1, one pair a seat."),
    ] = {}
    bonuses: Annotated[
        tuple[Mapping[str, Any], ...],
        Gap("HX-2", look=True, fault=bonuses_fault, samples=SAMPLES),
        Arg("The movement bonuses, each once a player and match; the original list is lost. Empty: none."),
    ] = ()
    round_hours: Annotated[Hours, Gap("HX-22"), Arg("How long orders are taken in each round.")] = 24
    max_rounds: Annotated[
        int, Bounds(1, 100), Gap("HX-14"), Arg("After so many rounds the match ends, also when nobody has won.")
    ] = 10
    last_round_wins: Annotated[bool, Gap("HX-14"), Arg("A victory in the last round counts.")] = True
    vacated_cells: Annotated[
        VacatedCells,
        Gap("HX-3"),
        Arg(
            "A cell on which another's piece stood when the round began: no target (blocked), or free if that piece "
            "leaves (open)."
        ),
    ] = "blocked"
    own_cell: Annotated[
        OwnCell,
        Gap("HX-4"),
        Arg(
            "The cell of one's own other piece as a target: reached if that piece leaves (allow), or no target at "
            "all (forbid)."
        ),
    ] = "allow"
    refund_bounced_bonus: Annotated[
        bool, Gap("HX-7"), Arg("A bonus whose moves all bounced costs nothing and may be used again.")
    ] = False
    missing_parity: Annotated[
        Literal["first_listed", "lot", "host"],
        Gap("HX-9"),
        Arg(
            "Who does not say which piece is odd: the first listed is (first_listed), or a lot says (lot), or a "
            "host (host)."
        ),
    ] = "first_listed"
    garnet_cap: Annotated[Garnets, Gap("HX-19"), Arg("Garnets above this are discarded.")] = 3
    ec_excludes_token_holders: Annotated[
        bool, Gap("HX-15"), Arg("Who won a token cannot be Elimination Candidate.")
    ] = True
    ec_tie_no_winner: Annotated[
        Literal["lot", "host", "lower_garnets"],
        Gap("HX-16"),
        Arg(
            "Equal lowest points when nobody won: a lot (lot), a host's choice (host), or fewest garnets, then a "
            "lot (lower_garnets)."
        ),
    ] = "lot"
    reveal_orders_at_end: Annotated[
        bool, Gap("HX-18"), Arg("Orders that failed are shown to everybody when the match is over.")
    ] = False
    gift_hours: Annotated[SecondTokenHours, Gap("HX-15")] = 24
    vote_hours: Annotated[Hours, Gap("HX-16"), Arg("How long the winners may vote on a tie.")] = 24


VISIBILITY = {
    "positions": ("everybody", "where the pieces stand, and the parties of each round"),
    "points": ("everybody", "the points, and who scored"),
    "own_garnets": ("owner", "the garnets a player holds"),
    "bonus_use": ("owner", "which bonuses a player has used (HX-17)"),
    "failed_orders": ("owner", "orders that bounced or broke a rule (HX-18)"),
    "victory_cells": ("owner", "the cells on which a player ends the match by scoring"),
    "winners": ("everybody", "who ended the match"),
    **RESULT_LINES,
}
