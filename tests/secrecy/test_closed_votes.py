"""How somebody voted is told nobody who may not know the votes: a law over votes of every game that has them.

Several are level at the end, and others vote. In another match that stands alike one of them votes otherwise, and as
far as everybody may know it comes to the same: who is named, or that a lot is drawn, though among others.

Source: S-3, S-4; docs/decisions/0028.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import combinations
from random import Random
from typing import Any

import pytest

from events.audiences import PUBLIC_VIEWER
from games.kinds import grouped
from games.registry import load
from games.table import actions as shared
from games.table.view import SECRET
from ledger.author.pairs import LEVELS, Side, Slot
from ledger.author.simulation import Trial
from tests.freeform.test_freeform_end import tied
from tests.hex_parties.test_hex_parties_rules import ended as hexes_ended
from tests.support.ended import ENDS, ended as equilibrium_ended
from tests.support.play import Play
from tests.support.polar import Polar
from tests.support.sizes import many

Given = Mapping[str, Any]


def of_equilibrium(chance: Random, settings: Given) -> Trial:
    """Three or four are worst; those who won a token vote."""
    level = dict.fromkeys(("p3", "p4", "p7", "p8")[: chance.choice((3, 4))], ENDS["p3"])
    garnets = {p: chance.choice((0, 0, 1)) for p in ENDS}
    return equilibrium_ended(Play, level, garnets=garnets, settings=settings)  # type: ignore[no-any-return]


def of_hex_parties(chance: Random, settings: Given) -> Trial:
    """Two or three ended the match and vote."""
    garnets = {f"p{n}": chance.choice((0, 0, 1)) for n in range(1, 7)}
    return hexes_ended(f"4 7 {chance.choice((7, 2))} 2 2 2", garnets=garnets, settings=settings)


def of_polar(chance: Random, settings: Given) -> Trial:
    """Two or three won a token and vote."""
    points = dict(zip("abcdef", (9, 9, chance.choice((9, 1)), 1, 1, 1), strict=True))
    garnets = {p: chance.choice((0, 0, 1)) for p in points}
    return Polar.ended(points, garnets=garnets, settings=settings)


def of_freeform(chance: Random, settings: Given) -> Trial:
    """Of two who are not level, who wins a token; or of those who won one, who is eliminated."""
    play = tied(chance.choice(("5 5 5 1 0", "5 5 5 0 1", "5 5 1 1 1 tokens=-")), settings=settings)
    play.do(shared.Close("match"))
    return play


VOTES: Mapping[str, Callable[[Random, Given], Trial]] = {
    "equilibrium": of_equilibrium, "freeform": of_freeform, "hex_parties": of_hex_parties, "polar": of_polar,
}  # fmt: skip


def a_vote(name: str, chance: Random, **levels: str) -> Trial:
    """A match in which somebody votes, with lines of the table as they are drawn, but for those that are given."""
    lines = load(name).visibility
    drawn = {line: chance.choice(LEVELS) for line in lines if chance.random() < 0.3}
    levels = drawn | {line: level for line, level in levels.items() if line in lines}
    match = VOTES[name](chance, {"visibility": levels})
    assert [decision.kind for decision in match.state.table.decisions] == ["vote"], "nobody votes"
    return match


def known(match: Trial) -> Any:
    """What everybody may know of how a vote went."""
    table = match.state.table
    return (
        [(d.kind, d.who, d.about, d.among * (d.kind != "lot")) for d in table.decisions],
        table.elimination,
        table.tokens,
    )


def ballots(match: Trial) -> list[tuple[tuple[Any, ...], Trial]]:
    """Every way to vote: the votes, and the match after them."""
    (vote,) = match.state.table.decisions
    found: list[tuple[tuple[Any, ...], Trial]] = [((), match)]
    for voter in vote.who:
        says = [*(shared.Vote(voter, named) for named in vote.among), shared.Blank(voter, shared.VOTE)]
        found = [((*cast, one), after(before, one)) for cast, before in found for one in says]
    return found


def after(match: Trial, action: Any) -> Trial:
    twin = match.twin()
    twin.do(action)
    return twin


@pytest.mark.parametrize("name", VOTES)
def test_how_somebody_voted_is_told_nobody(name: str) -> None:
    lots = 0
    for seed in range(many(2, 100)):
        chance = Random(f"votes {name} {seed}")
        match = a_vote(name, chance, votes=chance.choice(SECRET))
        alike = grouped((repr(known(end)), (cast, end)) for cast, end in ballots(match)).values()
        pairs = [pair for rows in alike for pair in combinations(rows, 2)]
        apart = [(one, other) for one, other in pairs if sum(map(tuple.__ne__, one[0], other[0])) == 1]
        to_lots = [(one, other) for one, other in apart if among(one[1]) != among(other[1])]
        for one, other in (*chance.sample(apart, min(2, len(apart))), *chance.sample(to_lots, min(3, len(to_lots)))):
            (changed,) = (vote for vote, again in zip(one[0], other[0], strict=True) if vote != again)
            both = among(one[1]), among(other[1])
            drawn = chance.choice([p for p in both[0] if p in both[1]] or [""])
            lots += bool(drawn) and both[0] != both[1]
            for viewer in {PUBLIC_VIEWER, *chance.sample(match.state.table.players, 3)} - {changed[0]}:
                told, again = (
                    read(match, (*row[0], *([shared.Lot(names, drawn)] if drawn else [])), viewer)
                    for row, names in zip((one, other), both, strict=True)
                )
                for step, texts in enumerate(zip(told, again, strict=True)):
                    assert texts[0] == texts[1], (seed, viewer, one[0], other[0], step)
    assert lots, "no lot after a vote was among others"


@pytest.mark.parametrize("name", VOTES)
def test_what_the_voters_hold_is_told_nobody(name: str) -> None:
    """Votes are tied, so that garnets weigh; another match, in which a voter holds one more, comes to the same."""
    met, purses = 0, {line: "host" for line in load(name).visibility if line.endswith("garnets")}
    for seed in range(many(4, 100)):
        chance = Random(f"purses {name} {seed}")
        match = a_vote(name, chance, votes="everybody", elimination="everybody", winner="everybody", **purses)
        (vote,) = match.state.table.decisions
        for voter, number in zip(vote.who, chance.sample(range(1, 6), len(vote.who)), strict=True):
            match = after(match, shared.Award(voter, "garnets", number))
        richer = {voter: after(match, shared.Award(voter, "garnets", 1)) for voter in vote.who}
        weighed = [(cast, end) for cast, end in ballots(match) if end.state.table.weighed]
        for cast, end in chance.sample(weighed, min(3, len(weighed))):
            voter = chance.choice(vote.who)
            other = reduce(after, cast, richer[voter])
            if known(end) == known(other) and among(end) == among(other):
                viewer = chance.choice([PUBLIC_VIEWER, *(p for p in match.state.table.players if p != voter)])
                told, again = ([*read(one, cast, viewer)] for one in (match, richer[voter]))
                met += among(end) == ()
                assert told == again, (seed, voter, viewer, cast)
    assert met, "garnets decided nothing"


def among(match: Trial) -> tuple[str, ...]:
    """Among whom a lot is to be drawn."""
    return next((decision.among for decision in match.state.table.decisions if decision.kind == "lot"), ())


def read(match: Trial, actions: tuple[Any, ...], viewer: str) -> Iterator[Any]:
    """All that leaves for somebody at each step."""
    side = Side(match, viewer, None)
    for action in actions:
        facts, refused = side.do(Slot(match.now, side.match.seq, (action,)))
        assert not refused, refused
        yield side.views(), repr(side.output(facts, blank=True))
