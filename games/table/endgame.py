"""The end of a match: votes, lots, gifts, and the steps from what the rules say to what the table shows.

The inputs (hands, points, votes, lots, gifts named) stay in the state; the result is derived from them anew after
each entry, so that an override after the end, or a late vote, is followed by the result. Source: rules S-1 to S-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from events.record import NamedTuple
from games.contract import Fact, State
from games.kit.tell import count
from games.story import Story
from games.table import facts as f
from games.table.state import ABSTAINS, Decision, Key, Need, Status, Table, Verdict

HOUR = 3_600_000
S = TypeVar("S", bound=State)


class Choice(NamedTuple):
    """The outcome of an election so far: a player, or the decision that is still needed."""

    player: str | None
    why: str
    need: Need | None


def elect(table: Table, about: str, candidates: Sequence[str], voters: Sequence[str], hours: int) -> Choice:
    """Who of `candidates` is named by `voters`: plurality, then the voters' garnets, then a lot.

    Nobody may vote, or nobody did: a lot among all. Source: S-3, S-4.
    """
    cast = table.votes.get(about, {})
    among = table.remaining(candidates, "elimination" if about == "elimination" else "tokens")
    voters = [v for v in voters if v not in table.left or cast.get(v) in (*among, ABSTAINS)]  # sent before: S-G3
    if len(among) == 1:
        alone = len(candidates) == 1
        return Choice(among[0], "the only candidate" if alone else "the only one of them who has not left", None)
    if not voters:
        return _lot(table, about, among, "nobody may vote")
    key: Key = ("vote", about, among)
    said = {v: c for v, c in cast.items() if v in voters and c in (*among, ABSTAINS)}
    votes = {v: c for v, c in said.items() if c != ABSTAINS}
    if len(said) < len(voters) and key not in table.closed:
        return Choice(None, "", Need(Decision("vote", tuple(voters), among, about), hours))
    if not votes:
        return _lot(table, about, among, "no vote was cast")
    counts = {c: sum(v == c for v in votes.values()) for c in among}
    most = _best(among, counts)
    if len(most) == 1:
        return Choice(most[0], f"named by {counts[most[0]]} of {count(len(votes), 'vote')}", None)
    weights = {c: sum(table.garnets(v) for v, named in votes.items() if named == c) for c in most}
    heaviest = _best(most, weights)
    if len(heaviest) == 1:
        return Choice(heaviest[0], "votes tied; the voters for this name hold most garnets", None)
    return _lot(table, about, heaviest, "votes and the voters' garnets tied")


class Lost(NamedTuple):
    """Who is Elimination Candidate, and why; or the decision that is still needed."""

    players: tuple[str, ...]
    why: str
    need: Need | None = None


Worst: TypeAlias = Callable[[tuple[str, ...]], tuple[Sequence[str], str]]
"""(those who may lose, in seat order, at least one) -> those of them who are the worst, and why in words."""


def eliminate(table: Table, barred: Iterable[str], worst: Worst, voters: Sequence[str], hours: int) -> Lost:
    """Who of those who are not `barred` (by a token) is Elimination Candidate.

    Who has left is one of them as `leaver_result` says. Of several worst the voters name one. Source: S-3, S-4, S-G3.
    """
    able = may_lose(table, barred)
    if not able:
        return Lost((), "everybody holds a token")
    if left := must_lose(table, able):
        return Lost(left, "left the match")
    last, why = worst(able)
    choice = elect(table, "elimination", last, voters, hours)
    if choice.player is None:
        return Lost((), "", choice.need)
    return Lost((choice.player,), why if len(last) == 1 else f"{why}; {choice.why}")


def may_lose(table: Table, barred: Iterable[str] = ()) -> tuple[str, ...]:
    """The players who may be Elimination Candidate, in seat order: with `out`, nobody who left. Source: S-G3."""
    out, held = table.settings["leaver_result"] == "out", set(barred)
    return tuple(p for p in table.players if p not in held and not (out and table.gone(p, "elimination")))


def must_lose(table: Table, able: Iterable[str]) -> tuple[str, ...]:
    """With `eliminated`, those of `able` who left before the Elimination Candidate was found: all of them. S-G3."""
    if table.settings["leaver_result"] != "eliminated":
        return ()
    return tuple(p for p in able if table.gone(p, "elimination"))


def _best(among: Iterable[str], score: Mapping[str, int]) -> tuple[str, ...]:
    listed = tuple(among)
    top = max(score[c] for c in listed)
    return tuple(c for c in listed if score[c] == top)


def _lot(table: Table, about: str, among: tuple[str, ...], why: str) -> Choice:
    decision = Decision("lot", (), among, about)
    if decision.key in table.lots:
        return Choice(table.lots[decision.key], f"{why}; drawn by lot", None)
    return Choice(None, "", Need(decision, 0))


class Spares(NamedTuple):
    """What became of tokens held above one."""

    given: tuple[tuple[str, str], ...]
    lapsed: Mapping[str, int]
    needed: tuple[Need, ...]


def spares(table: Table, won: Mapping[str, int], elimination: Sequence[str], hours: int, *, give: bool) -> Spares:
    """Who gives a spare token to whom: never to a holder, never to the Elimination Candidate. Source: S-2.

    With `give` false every spare lapses at once, and so does that of somebody who has left: nobody waits for them.
    """
    held = {p: won.get(p, 0) + table.granted.get(p, 0) for p in table.players}
    given: list[tuple[str, str]] = []
    lapsed: dict[str, int] = {}
    needed: list[Need] = []
    for giver in table.players:
        spare = held[giver] - 1
        if spare < 1:
            continue
        for receiver in table.gifts.get(giver, ()) if give else ():
            if spare and held[receiver] < 1 and receiver not in elimination:
                given.append((giver, receiver))
                held[receiver] += 1
                held[giver] -= 1
                spare -= 1
        able = tuple(p for p in table.present if held[p] < 1 and p not in elimination)
        decision = Decision("gift", (giver,), able, f"token:{giver}")
        if spare and give and able and giver not in table.left and decision.key not in table.closed:
            needed.append(Need(decision, hours))
        elif spare:
            lapsed[giver] = spare
    return Spares(tuple(given), lapsed, tuple(needed))


def settle(table: Table, verdict: Verdict, at: int, *, over: bool = True) -> list[Fact]:
    """The facts that lead from the table as it is to the verdict. None when it says so already.

    With `over` false (play was reopened) the phase is left alone.
    """
    told: list[Fact] = []
    told += [f.TokenWithdrawn(a) for a in table.awards if a not in verdict.awards]
    told += [f.TokenAwarded(a) for a in verdict.awards if a not in table.awards]
    if verdict.elimination != table.elimination:
        told.append(f.EliminationFound(verdict.elimination, verdict.elimination_why))
    if (verdict.winners, verdict.losers) != (table.winners, table.losers):
        told.append(f.WinnersFound(verdict.winners, verdict.losers, verdict.winners_why))
    told += [f.GiftReturned(*g) for g in table.given if g not in verdict.given]
    told += [f.GiftMade(*g) for g in verdict.given if g not in table.given]
    for player in table.players:
        if more := verdict.lapsed.get(player, 0) - table.lapsed.get(player, 0):
            told.append(f.TokenLapsed(player, more))
    told += [f.RewardReturned(r) for r in table.rewards if r not in verdict.rewards]
    told += [f.RewardPaid(r) for r in verdict.rewards if r not in table.rewards]
    wanted = {need.decision.key: need for need in verdict.needed}
    for decision in table.decisions:
        if decision.key not in wanted:
            told.append(f.DecisionClosed(decision, False, "decided"))
        elif (new := wanted.pop(decision.key).decision) and (new.who, new.among) != (decision.who, decision.among):
            told.append(f.DecisionOpened(new._replace(opened=decision.opened, ends=decision.ends)))
    for need in wanted.values():
        ends = table.kept_end(at, at + need.hours * HOUR) if need.hours else None
        told.append(f.DecisionOpened(need.decision._replace(opened=at, ends=ends)))
    status: Status = "deciding" if verdict.needed else "finished"
    if over and table.phase != status:
        told.append(f.PhaseBegan(status, status, at, None))
    return told


def follow(story: Story[S], verdict: Callable[[S], Verdict], at: int) -> None:
    """Tell what leads to the verdict, until there is nothing left: a reward paid may decide a vote. `at`: ms."""
    while story.tell_all(settle(story.state.table, verdict(story.state), at)):
        pass
