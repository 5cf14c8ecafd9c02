"""A second model of the end of a match, written plainly from the rules, against random ends of Polar.

Points, who left before the end, what was voted, chosen, given, drawn, awarded and declared -> tokens and Elimination
Candidate. It knows nothing of phases, facts or decisions. Source: season S-2 to S-5, S-G3, declare; polar section 5.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from events import LedgerError
from games.table import actions as shared
from tests.support.sizes import log_number, many


class End(NamedTuple):
    """What is known when everything is decided."""

    points: dict[str, int]
    left: frozenset[str]
    result: str
    garnets: dict[str, int]
    """After the rewards."""
    votes: dict[str, str]
    chosen: str | None
    lots: dict[frozenset[str], str]
    gift: str | None
    """Whom the first wanted to give the second token."""
    declared: dict[str, Any]


def tokens_won(end: End) -> list[str]:
    """Who wins a token by the rules, one entry a token. Section 5."""
    able = [p for p in end.points if p not in end.left]
    by_points = sorted({end.points[p] for p in able}, reverse=True)
    groups = [[p for p in able if end.points[p] == n] for n in by_points]
    if not groups or len(groups[0]) > 4:
        return []
    if len(groups[0]) > 1:
        return groups[0]
    (first,) = groups[0]
    if len(groups) == 1:
        return [first]
    if len(groups[1]) == 1:
        return [first, first, groups[1][0]]
    second = end.chosen if end.chosen in groups[1] else end.lots.get(frozenset(groups[1]))
    return [first, second] if second else [first]


def named(end: End, candidates: list[str], voters: list[str]) -> str | None:
    """S-3, S-4, S-G3: of several the voters name one; a tie by their garnets, then a lot; of who left nobody."""
    here = [p for p in candidates if p not in end.left] or candidates
    if len(here) == 1:
        return here[0]
    votes = {v: c for v, c in end.votes.items() if v in voters and c in here}
    if not votes:
        return end.lots.get(frozenset(here))
    numbers = {c: list(votes.values()).count(c) for c in here}
    most = [c for c in here if numbers[c] == max(numbers.values())]
    if len(most) > 1:
        weight = {c: sum(end.garnets[v] for v, named in votes.items() if named == c) for c in most}
        most = [c for c in most if weight[c] == max(weight.values())]
    return most[0] if len(most) == 1 else end.lots.get(frozenset(most))


def expected(end: End) -> tuple[dict[str, int], tuple[str, ...]]:
    """Tokens of each, and the Elimination Candidates."""
    won = tokens_won(end)
    held = {p: end.declared.get(f"token {p}", won.count(p)) for p in end.points}
    winners = [p for p in end.points if (held[p] if f"token {p}" in end.declared else p in won)]
    able = [p for p in end.points if not held[p] and not (end.result == "out" and p in end.left)]
    lost: tuple[str, ...] = ()
    if end.result == "eliminated" and (gone := tuple(p for p in able if p in end.left)):
        lost = gone
    elif able:
        least = min(end.points[p] for p in able)
        one = named(end, [p for p in able if end.points[p] == least], winners)
        lost = (one,) if one else ()
    lost = end.declared.get("elimination", lost)
    first = next((p for p in end.points if held[p] > 1), None)
    if first is not None:
        to = [p for p in end.points if not held[p] and p not in end.left and p not in lost and p != first]
        held[first] = 1
        if end.gift in to:
            held[end.gift] += 1
    return held, lost


@pytest.fixture
def random_end(polar: Any) -> Any:
    """Plays the end of a match to the last decision: (the match, what is known of it)."""

    def made(chance: random.Random) -> tuple[Any, End]:
        players = "abcdef"[: chance.randint(3, 6)]
        result = chance.choice(("as_played", "as_played", "out", "eliminated"))
        held = {p: chance.randint(0, 3) for p in players}
        settings = {"rounds": 1, "leaver_result": result}
        play = polar.placed(dict.fromkeys(players, "rock +"), settings=settings, garnets=held)
        left = frozenset(chance.sample(players, chance.choice((0, 0, 1, 1, 2))))
        for p in left:
            play.do(shared.Drop(p))
        declared: dict[str, Any] = {}
        points = {p: chance.choice((0, 1, 1, 2, 9)) for p in players}
        if chance.random() < 0.3:
            who = chance.choice(players)
            play.do(shared.Declare("elimination", (who,)))
            declared["elimination"] = (who,)
        if chance.random() < 0.2:
            who = chance.choice([p for p in players if p not in left])
            play.do(shared.Declare("token", (who,), 1))
            declared[f"token {who}"] = 1
        for p in players:
            play.do(shared.Override(p, "points", str(points[p])))
        play.resolve()
        for p in players:  # what the round gave
            play.do(shared.Override(p, "points", str(points[p])))
        votes, lots, chosen, gift = {}, {}, None, None
        for _ in range(30):
            if not (open_ := play.state.table.decisions):
                break
            one = open_[0]
            if one.kind == "lot":
                lots[frozenset(one.among)] = outcome = chance.choice(one.among)
                play.do(shared.Lot(among=one.among, outcome=outcome))
            elif one.kind == "ruling" or chance.random() < 0.2:
                play.do(shared.Close(one.kind))
            elif one.kind == "vote":
                for voter in one.who:
                    votes[voter] = chance.choice(one.among)
                    play.do(shared.Vote(voter, votes[voter]))
            elif one.kind == "choose":
                chosen = chance.choice(one.among)
                play.do(shared.Choose(one.who[0], chosen))
            else:
                gift = chance.choice(one.among)
                play.do(shared.Gift(one.who[0], gift))
        table = play.state.table
        weights = {p: table.garnets(p) for p in players}
        return play, End(points, left, result, weights, votes, chosen, lots, gift, declared)

    return made


def test_the_end_agrees_with_a_second_model(random_end: Any, record_property: Any) -> None:
    """150 ends (5,000 at full size): tokens and Elimination Candidate are those of the plain reading of the rules."""
    tried = 0
    for seed in range(many(150, 5_000)):
        try:
            play, end = random_end(random.Random(f"end {seed}"))
        except LedgerError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        table = play.state.table
        assert table.status == "finished", f"seed {seed}: {table.decisions}"
        told = {p: table.tokens.get(p, 0) for p in end.points}, tuple(sorted(table.elimination))
        held, lost = expected(end)
        assert told == (held, tuple(sorted(lost))), f"seed {seed}: {end}"
        tried += 1
    log_number(record_property, tried)
