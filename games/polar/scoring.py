"""The points of a round: rooms, signs, bombs. Pure arithmetic on what everybody may see.

Source: section 3, PL-4, PL-5, PL-11 to PL-13, PL-25.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from games.polar.facts import Scored

Scope: TypeAlias = Literal["room", "all"]
DoubleMode: TypeAlias = Literal["base_only", "cancels_others", "cancelled_by_others"]
BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
"""Room -> the room it beats."""
BEATEN_BY = {loser: winner for winner, loser in BEATS.items()}


def score(
    rooms: Mapping[str, str],
    signs: Mapping[str, str],
    bombs: Mapping[str, Mapping[str, int]],
    scope: Scope,
    double_mode: DoubleMode,
    number: int = 0,
) -> dict[str, Scored]:
    """The points of everybody, after the moves and swaps.

    Args:
        rooms: Player -> `rock`, `paper` or `scissors`.
        signs: Player -> `+` or `-`.
        bombs: Room -> bomb -> how many were used on it.
        scope: Whose signs are counted for the minority. Source: PL-4.
        double_mode: What a Double does beside other bombs. Source: PL-5.
        number: Of the round.

    >>> rooms, signs = {"a": "rock", "b": "scissors"}, {"a": "+", "b": "-"}
    >>> score(rooms, signs, {"scissors": {"double": 1}}, "room", "base_only")["b"].points
    -2
    """
    crowd = Counter(rooms.values())
    scored = {}
    for player, room in rooms.items():
        beats, beaten = crowd[BEATS[room]], crowd[BEATEN_BY[room]]
        minority, there = in_minority(player, rooms, signs, scope), bombs.get(room, {})
        doubles = there.get("double", 0)
        others = {bomb: n for bomb, n in there.items() if bomb != "double"}
        if doubles and double_mode == "cancels_others":
            others = {}
        doubled = doubles > 0 and not (double_mode == "cancelled_by_others" and any(others.values()))
        base, confetti = beats - beaten + minority, others.get("confetti", 0)
        polarity = others.get("polarity", 0) if minority else 0
        points = base * (2 if doubled else 1) + confetti + 2 * polarity
        scored[player] = Scored(
            player, number, room, signs[player], beats, beaten, minority, doubled, confetti, polarity, base, points,
            tickets=others.get("ticket", 0),
        )  # fmt: skip
    return scored


def in_minority(player: str, rooms: Mapping[str, str], signs: Mapping[str, str], scope: Scope) -> bool:
    """Is the player's sign rarer than the other one? Equal counts, or one sign alone: nobody's is. Source: PL-4."""
    near = [q for q in rooms if scope == "all" or rooms[q] == rooms[player]]
    mine = sum(signs[q] == signs[player] for q in near)
    return mine < len(near) - mine
