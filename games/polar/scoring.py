"""The points of a round: rooms, signs, bombs. Pure arithmetic on what everybody may see.

Source: section 3, PL-4, PL-5, PL-11 to PL-13, PL-25.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from events.record import NamedTuple

BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
"""Room -> the room it beats."""
BEATEN_BY = {loser: winner for winner, loser in BEATS.items()}


class Points(NamedTuple):
    """One player's round: what adds up to his points."""

    beats: int
    beaten: int
    minority: bool
    base: int
    doubled: bool
    confetti: int
    polarity: int
    """Polarity Bombs that count for him: none unless his sign is the rarer one."""
    points: int
    tickets: int


def score(
    rooms: Mapping[str, str],
    signs: Mapping[str, str],
    bombs: Mapping[str, Mapping[str, int]],
    scope: str,
    double_mode: str,
) -> dict[str, Points]:
    """The points of everybody, after the moves and swaps.

    Args:
        rooms: Player -> `rock`, `paper` or `scissors`.
        signs: Player -> `+` or `-`.
        bombs: Room -> bomb -> how many were used on it.
        scope: Whose signs are counted for the minority, `room` or `all`. Source: PL-4.
        double_mode: `base_only`, `cancels_others` or `cancelled_by_others`. Source: PL-5.

    >>> rooms, signs = {"a": "rock", "b": "scissors"}, {"a": "+", "b": "-"}
    >>> score(rooms, signs, {"scissors": {"double": 1}}, "room", "base_only")["b"].points
    -2
    """
    crowd = Counter(rooms.values())
    return {
        p: _points(
            crowd[BEATS[room]],
            crowd[BEATEN_BY[room]],
            in_minority(p, rooms, signs, scope),
            bombs.get(room, {}),
            double_mode,
        )
        for p, room in rooms.items()
    }


def in_minority(player: str, rooms: Mapping[str, str], signs: Mapping[str, str], scope: str) -> bool:
    """Is his sign rarer than the other one? Equal counts, or one sign alone: nobody's is. Source: PL-4."""
    near = [q for q in rooms if scope == "all" or rooms[q] == rooms[player]]
    mine = sum(signs[q] == signs[player] for q in near)
    return mine < len(near) - mine


def _points(beats: int, beaten: int, minority: bool, bombs: Mapping[str, int], double_mode: str) -> Points:
    doubles = bombs.get("double", 0)
    others = {bomb: n for bomb, n in bombs.items() if bomb != "double"}
    if doubles and double_mode == "cancels_others":
        others = {}
    doubled = doubles > 0 and not (double_mode == "cancelled_by_others" and any(others.values()))
    base = beats - beaten + minority
    confetti, polarity = others.get("confetti", 0), others.get("polarity", 0) if minority else 0
    points = base * (2 if doubled else 1) + confetti + 2 * polarity
    return Points(beats, beaten, minority, base, doubled, confetti, polarity, points, others.get("ticket", 0))
