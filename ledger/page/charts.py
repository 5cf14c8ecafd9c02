"""Numbers over time: charts of scores and garnets from step to step, as far as an audience may know them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from games.kit.blocks import Block, Chart, Heading, Series
from games.records import ABSENT
from ledger.tell.step import Steps

MAX_CHART_STEPS = 240
"""Steps in a chart. For a longer match it takes every second, every third, ..., so they are evenly spaced."""


def charts_of(steps: Steps) -> list[Block]:
    """Scores and garnets from step to step, as far as the audience may know them."""
    results = [steps.result(step.number) for step in steps.steps]
    counts = steps.match.game.counts(steps.match.fold.state)
    scores = _chart(steps, "Scores", counts, [result.scores for result in results])
    return [*scores, *_chart(steps, "Garnets", "garnets", [result.garnets for result in results])]


def _chart(steps: Steps, name: str, unit: str, values_by_step: Sequence[Mapping[str, int]]) -> list[Block]:
    """A line for each player, from the first step at which all have a known value; no chart if no value changes.

    Args:
        values_by_step: The known values after each step; `ABSENT` where none is known: the last values stay.
    """
    known = {player for values in values_by_step if values is not ABSENT for player in values}
    players = [player for player in steps.match.table.seats if player in known]
    latest: dict[str, int] = {}
    points: list[tuple[int, dict[str, int]]] = []
    for number, values in enumerate(values_by_step, 1):
        latest = {**latest, **(values or {})}
        if players and latest.keys() >= {*players}:
            points.append((number, latest))
    points = points[:: -math.ceil(len(points) / MAX_CHART_STEPS)][::-1] if points else []
    if len({tuple(sorted(values.items())) for _, values in points}) < 2:
        return []
    lines = tuple(
        Series(steps.match.table.seats[player].name, tuple(values[player] for _, values in points), i)
        for i, player in enumerate(players)
    )
    last = ", ".join(f"{line.name} {line.values[-1]}" for line in lines)
    axis = unit if name.lower() in unit else f"{name.lower()}, {unit}"
    alt = f"{name} by step, from step {points[0][0]} to step {points[-1][0]}: {axis}. At the end: {last}."
    return [Heading(name), Chart(alt, tuple(str(number) for number, _ in points), lines, "step", unit)]
