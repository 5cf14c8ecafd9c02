"""The end of a match: votes, lots, gifts, declarations, and the facts that bring the table to the result.

The inputs (hands, points, votes, lots, gifts) stay in the state, and the result is derived from them after every entry.
So an override after the end, or a late vote, changes the result. Source: rules S-1 to S-5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from events.instants import Instant, later
from events.record import NamedTuple
from games.contract import Fact, State, Transaction
from games.kinds import count, grouped
from games.spans import Length, span
from games.table import facts as f
from games.table.facts import HOST_POWERS
from games.table.rules import set_garnets
from games.table.state import ABSTAINS, BANK, Choice, Decision, Key, Need, Status, Table, TokenReason, Verdict, Weighed

S = TypeVar("S", bound=State)
Tie: TypeAlias = Literal["lot", "all", "nobody"]
ALONE = "the only candidate"
DECLARED = "declared"
"""The `TokenReason.condition` of a token that hosts declared."""


def elect(table: Table, about: str, candidates: Sequence[str], voters: Sequence[str], hours: Length) -> Choice:
    """Elect one of `candidates`: by plurality of `voters`, then by the voters' garnets, then by lot.

    The garnets are those at the moment the vote was decided. If nobody may vote, or nobody did, a lot decides. Without
    candidates nobody is elected, and nothing is needed. Source: S-3, S-4.
    """
    if not candidates:
        return Choice(None, "", None)
    cast = table.votes.get(about, {})
    among = table.remaining(candidates, "elimination" if about == "elimination" else "tokens")
    voters = [v for v in voters if v not in table.left or cast.get(v) in (*among, ABSTAINS)]  # voted, then left: S-G3
    if len(among) == 1:
        why = ALONE if len(candidates) == 1 else "the only one of them who has not left"
        return Choice(among[0], why, None)
    if not voters:
        return _lot(table, about, among, "nobody may vote")
    key: Key = ("vote", about, among)
    counted = {v: c for v, c in cast.items() if v in voters and c in (*among, ABSTAINS)}
    votes = {v: c for v, c in counted.items() if c != ABSTAINS}
    if len(counted) < len(voters) and key not in table.closed:
        return Choice(None, "", Need(Decision("vote", tuple(voters), among, about), hours))
    if not votes:
        return _lot(table, about, among, "no vote was cast")
    counts = {c: sum(v == c for v in votes.values()) for c in among}
    most = ranked(counts)[0]
    if len(most) == 1:
        why = f"named by {counts[most[0]]} of {count(len(votes), 'vote')}"
        return Choice(most[0], why, None, "vote", tuple(voters))
    now, weighed = tuple(sorted(votes.items())), table.weighed.get(key)
    if weighed is None or weighed.votes != now:  # else keep the weights of the moment that decided: S-4
        weighed = Weighed(about, among, now, tuple((v, table.garnets(v)) for v, _ in now))
    held = dict(weighed.garnets)
    weights = {c: sum(held[v] for v, candidate in votes.items() if candidate == c) for c in most}
    heaviest = ranked(weights)[0]
    if len(heaviest) == 1:
        why = "votes tied; the voters for this name hold most garnets"
        return Choice(heaviest[0], why, None, "weights", tuple(voters), weighed)
    return _lot(table, about, heaviest, "votes and the voters' garnets tied")._replace(weighed=weighed)


def pick(table: Table, about: str, chooser: str, among: tuple[str, ...], hours: Length) -> Choice:
    """One player picks one of several; a lot decides if their time is over or they have left."""
    decision = Decision("choose", (chooser,), among, about)
    if (picked := table.choices.get((about, chooser))) in among and picked is not None:
        return Choice(picked, "picked by the winner", None, "choice", (chooser,))
    if decision.key not in table.closed and chooser not in table.left:
        return Choice(None, "", Need(decision, hours))
    return elect(table, about, among, (), 0)


class Worst(NamedTuple):
    """The players with the lowest result, and the arguments of `elimination_of`."""

    players: Sequence[str]
    why: str
    short: str = ""
    lines: tuple[str, ...] | None = None


def eliminate(
    table: Table, barred: Iterable[str], worst: Callable[[tuple[str, ...]], Worst], voters: Sequence[str], hours: Length
) -> Verdict:
    """The Elimination Candidate among the players who are not `barred` by a token, or the decision still needed.

    Players who have left are candidates as `leaver_result` says. If several are worst, the voters name one.

    Source: S-3, S-4, S-G3.

    Args:
        worst: (the players who may lose, at least one, in seat order) -> the worst of them.
    """
    able = may_lose(table, barred)
    if not able:
        return Verdict(elimination_why="everybody holds a token", elimination_lines=("tokens",))
    if left := must_lose(table, able):
        return who_left(left)
    last = worst(able)
    return elimination_of(elect(table, "elimination", last.players, voters, hours), last.why, last.short, last.lines)


def most_win(
    table: Table, has: Mapping[str, int], what: str, rule: str, tie: Tie = "lot", lines: tuple[str, ...] = ()
) -> Verdict:
    """The player who has most of something wins a Token of Life; or the lot that is still needed.

    Args:
        what: What they have most of, in the plural: `points`.
        tie: Among level players a lot decides (`lot`), each wins a token (`all`), or nobody does.
        lines: The lines that reveal why.
    """
    best = next(iter(ranked({p: has.get(p, 0) for p in table.may_win})), ())
    if not best or (len(best) > 1 and tie == "nobody"):
        return Verdict()
    why = f"most {what}: {has.get(best[0], 0)}"
    if len(best) > 1 and tie == "lot":
        named = elect(table, "token", best, (), 0)
        if named.player is None:
            return Verdict(needed=(named.need,) if named.need else ())
        best, why = (named.player,), f"{why}; drawn by lot"
    awards = (TokenReason(p, f"most_{what}", why, rule, lines or None, f"most {what}") for p in best)
    return Verdict(awards=tuple(awards))


def fewest_lose(
    table: Table,
    won: Verdict,
    has: Mapping[str, int],
    what: str,
    voters: Literal["nobody", "winners", "others"] = "nobody",
    hours: Length = 0,
    lines: tuple[str, ...] = (),
    then: tuple[str, Callable[[str], int]] | None = None,
) -> Verdict:
    """The player without a token who has fewest is Elimination Candidate; or the decision that is still needed.

    Args:
        won: The verdict of `most_win`.
        voters: Who names one of several level players: the winners, or all others who are present; else a lot does.
        lines: The lines that reveal why.
        then: What is counted next among level players, and how: `("garnets", table.garnets)`.
    """
    if won.needed:
        return won

    def worst(able: Sequence[str]) -> Worst:
        last = ranked({p: has.get(p, 0) for p in able}, lowest=True)[0]
        why = f"fewest {what}: {has.get(last[0], 0)}"
        if then is not None and len(last) > 1:
            held = {p: then[1](p) for p in last}
            last = ranked(held, lowest=True)[0]
            why += f"; fewest {then[0]}: {held[last[0]]}"
        return Worst(last, why, f"fewest {what}", lines or None)

    barred = holders(table, won.awards)
    able = may_lose(table, barred)
    last = worst(able).players if able else ()
    asked = {"winners": winners(table, won.awards), "others": [p for p in table.present if p not in last]}
    return eliminate(table, barred, worst, asked.get(voters, ()), hours)._replace(awards=won.awards)


def who_left(left: tuple[str, ...]) -> Verdict:
    """The verdict that these players are Elimination Candidates because they left. Source: S-G3."""
    why = "left the match"
    return Verdict(
        elimination=left, elimination_why=why, elimination_short=why, elimination_how="automatic", elimination_lines=()
    )


def may_lose(table: Table, barred: Iterable[str] = ()) -> tuple[str, ...]:
    """The possible Elimination Candidates in seat order; without leavers if `leaver_result` is `out`. Source: S-G3."""
    out, held = table.settings["leaver_result"] == "out", set(barred)
    return tuple(p for p in table.players if p not in held and not (out and table.gone(p, "elimination")))


def must_lose(table: Table, able: Iterable[str]) -> tuple[str, ...]:
    """If `leaver_result` is `eliminated`: those of `able` who left before there was an Elimination Candidate. S-G3."""
    if table.settings["leaver_result"] != "eliminated":
        return ()
    return tuple(p for p in able if table.gone(p, "elimination"))


def ranked(measure: Mapping[str, Any], *, lowest: bool = False) -> tuple[tuple[str, ...], ...]:
    """The players in groups of equal `measure`, highest first, or with `lowest` lowest first."""
    groups = grouped(zip(measure.values(), measure, strict=True))
    return tuple(tuple(groups[score]) for score in sorted(groups, reverse=not lowest))


def _lot(table: Table, about: str, among: tuple[str, ...], why: str) -> Choice:
    decision = Decision("lot", (), among, about)
    if decision.key in table.lots:
        return Choice(table.lots[decision.key], f"{why}; drawn by lot", None, "lot")
    return Choice(None, "", Need(decision, 0))


def elimination_of(choice: Choice, why: str, short: str, lines: tuple[str, ...] | None) -> Verdict:
    """The verdict that follows from the election of the Elimination Candidate, or the decision still needed.

    Args:
        why: Why the players were candidates.
        short: Why, in words that reveal only who it is.
        lines: The lines that reveal why, in addition to that of the elimination. None: only hosts are told.
    """
    if choice.player is None:
        return Verdict(needed=(choice.need,) if choice.need else (), choice=choice)
    reason = why if choice.why == ALONE else f"{why}; {choice.why}"
    return Verdict(
        elimination=(choice.player,),
        elimination_why=reason,
        elimination_base=reason if choice.how == "rank" else why,
        elimination_short=short,
        elimination_lines=lines,
        choice=choice,
    )


def awarded(table: Table, awards: Iterable[TokenReason]) -> tuple[TokenReason, ...]:
    """The awards that count; a declaration replaces the rules' awards to that player."""
    declared = {row.players[0]: row for row in table.standing if row.kind == "token"}
    won = [award for award in awards if award.player not in declared]
    for player, row in declared.items():
        why = table.reasons.get(row.seq)
        reason = why.text if why else "hosts declared it"
        won += [TokenReason(player, DECLARED, reason, HOST_POWERS)] * (row.tokens or 0)
    return tuple(won)


def held(table: Table, awards: Iterable[TokenReason]) -> dict[str, int]:
    """Player -> tokens won, awarded by hosts or declared, before any is given away or has lapsed."""
    won = Counter(award.player for award in awarded(table, awards))
    return {p: won[p] + granted(table, p) for p in table.players}


def granted(table: Table, player: str) -> int:
    """Tokens that hosts awarded, negative if they took some; a declaration includes earlier awards."""
    before = sum(row.granted for row in table.standing if row.kind == "token" and row.players == (player,))
    return table.granted.get(player, 0) - before


def holders(table: Table, awards: Iterable[TokenReason]) -> tuple[str, ...]:
    """The players who have a token (won, awarded or declared) that no host took from them."""
    return tuple(p for p, n in held(table, awards).items() if n - table.taken.get(p, 0) > 0)


def winners(table: Table, awards: Iterable[TokenReason]) -> tuple[str, ...]:
    """The players who won a token, by the rules or by a declaration: they vote. Source: S-3."""
    won = {award.player for award in awarded(table, awards)}
    return tuple(p for p in table.players if p in won)


class Spares(NamedTuple):
    given: tuple[tuple[str, str], ...] = ()
    lapsed: Mapping[str, int] = {}
    needed: tuple[Need, ...] = ()


def spares(table: Table, had: Mapping[str, int], elimination: Sequence[str], hours: Length, *, give: bool) -> Spares:
    """Who gives a spare token to whom: never to a holder or to the Elimination Candidate. Source: S-2.

    If `give` is false every spare token lapses at once, as does that of a player who has left.
    """
    now = dict(had)
    gifts: list[tuple[str, str]] = []
    lapsed: dict[str, int] = {}
    needed: list[Need] = []

    def without(player: str) -> bool:
        return now[player] - table.taken.get(player, 0) < 1 and player not in elimination

    for giver in table.players if give else ():
        for receiver in table.gifts.get(giver, ()):
            if now[giver] > 1 and without(receiver):
                gifts.append((giver, receiver))
                now[receiver] += 1
                now[giver] -= 1
    for giver in table.players:  # once every gift is made, it is known who may still receive one
        spare = now[giver] - 1
        if spare < 1:
            continue
        able = tuple(p for p in table.present if without(p) and p != giver)
        decision = Decision("gift", (giver,), able, f"token:{giver}")
        if give and able and giver not in table.left and decision.key not in table.closed:
            needed.append(Need(decision, hours))
        else:
            lapsed[giver] = spare
    return Spares(tuple(gifts), lapsed, tuple(needed))


class Ruled(NamedTuple):
    """How a match ends: the rules' verdict, overruled by what hosts declared, and the gifts that follow."""

    verdict: Verdict
    spares: Spares
    tokens: Mapping[str, int]


def ruled(table: Table, verdict: Verdict) -> Ruled:
    """Overrule the verdict with what hosts declared, which also settles the decision it answers; then add the gifts."""
    if table.void:
        return Ruled(Verdict(), Spares(), dict.fromkeys(table.players, 0))
    awards, needed = awarded(table, verdict.awards), verdict.needed
    for row in table.standing:
        needed = tuple(need for need in needed if need.decision.about != row.kind or row.kind == "token")
        if row.kind == "elimination":
            verdict = verdict._replace(
                elimination=row.players, elimination_why="hosts declared it", elimination_how=DECLARED, choice=None
            )
        elif row.kind == "winner":
            losers = tuple(p for p in (*verdict.winners, *verdict.losers) if p not in row.players)
            verdict = verdict._replace(winners=row.players, losers=losers, winners_why="hosts declared it")
    had, left = held(table, awards), Spares()
    if verdict.spare is not None and not needed:
        left = spares(table, had, verdict.elimination, verdict.spare.hours, give=verdict.spare.give)
    gave, got = Counter(giver for giver, _ in left.given), Counter(receiver for _, receiver in left.given)
    tokens = {
        p: max(0, n - gave[p] + got[p] - left.lapsed.get(p, 0) - table.taken.get(p, 0)) for p, n in had.items()
    }  # fmt: skip
    return Ruled(verdict._replace(awards=awards, needed=(*needed, *left.needed)), left, tokens)


def token_declared(table: Table, among: Sequence[str]) -> bool:
    """Did hosts declare that one of these has a token? If so, nobody need choose among them."""
    return any(row.kind == "token" and row.tokens and row.players[0] in among for row in table.standing)


def settle(table: Table, verdict: Verdict, at: Instant, *, over: bool = True) -> list[Fact]:
    """The facts that bring the table to the verdict; empty if it is there already.

    If `over` is false (play goes on, or was reopened) the phase does not change and no declaration counts.
    """
    end = ruled(table if over else table._replace(declared=()), verdict)
    verdict = end.verdict
    paid: list[Fact] = [f.RewardReturned(r) for r in table.rewards if r not in verdict.rewards]
    paid += [f.RewardPaid(r) for r in verdict.rewards if r not in table.rewards]
    weighed = verdict.choice.weighed if verdict.choice else None
    if weighed is not None and weighed != table.weighed.get(weighed.key):
        return paid or [f.VotesWeighed(weighed)]  # votes weigh by the garnets after the rewards: S-4
    before, after = Counter(table.awards), Counter(verdict.awards)  # a player may have several equal ones
    facts: list[Fact] = [f.TokenWithdrawn(award) for award in (before - after).elements()]
    facts += [f.TokenAwarded(award) for award in (after - before).elements()]
    if verdict.elimination != table.elimination:
        facts.append(f.EliminationFound(verdict.elimination, verdict.elimination_why))
    if (verdict.winners, verdict.losers) != (table.winners, table.losers):
        facts.append(f.WinnersFound(verdict.winners, verdict.losers, verdict.winners_why))
    facts += [f.GiftReturned(*g) for g in table.given if g not in end.spares.given]
    facts += [f.GiftMade(*g) for g in end.spares.given if g not in table.given]
    for player in table.players:
        if number := end.spares.lapsed.get(player, 0) - table.lapsed.get(player, 0):
            facts.append(f.TokenLapsed(player, number))
    if not facts:
        more_of = ((p, n - table.tokens.get(p, 0)) for p, n in end.tokens.items())
        facts += [f.TokensSettled(p, number) for p, number in more_of if number]
    return [*facts, *paid, *_decided(table, verdict, at, over=over)]


def _decided(table: Table, verdict: Verdict, at: Instant, *, over: bool) -> list[Fact]:
    """The facts that close settled decisions, open needed ones, and begin the phase that follows."""
    facts: list[Fact] = []
    wanted = {need.decision.key: need for need in verdict.needed}
    for decision in table.decisions:
        if decision.key not in wanted:
            facts.append(f.DecisionClosed(decision, False, "decided"))
        elif (new := wanted.pop(decision.key).decision) and (new.who, new.among) != (decision.who, decision.among):
            facts.append(f.DecisionOpened(new._replace(opened=decision.opened, ends=decision.ends)))
    for need in wanted.values():
        ends = table.kept_end(at, later(at, span(need.hours))) if need.hours else None
        facts.append(f.DecisionOpened(need.decision._replace(opened=at, ends=ends)))
    status: Status = "deciding" if verdict.needed else "finished"
    if over and table.phase != status:
        facts.append(f.PhaseBegan(status, status, at, None))
    return facts


def follow(tx: Transaction[S], verdict: Callable[[S], Verdict], at: Instant, *, over: bool = True) -> None:
    """Emit what leads to the verdict until nothing is left to do: a paid reward may decide a vote."""
    while facts := settle(tx.state.table, verdict(tx.state), at, over=over):
        tx.emit(*facts)


def follow_void(tx: Transaction[State], at: Instant) -> None:
    """End a void match: no tokens, elimination or rewards, and everybody's garnets as they brought them."""
    follow(tx, lambda state: Verdict(), at)
    table = tx.state.table
    for purse in table.purses:
        if purse != BANK:
            tx.emit(*set_garnets(table, purse, table.seated.get(purse, 0), "the match is void"))


def warnings(table: Table) -> tuple[str, ...]:
    """Warnings about declarations that the rules would not allow, although they count."""
    row = table.declares("elimination")
    both = [p for p in row.players if table.tokens.get(p, 0) > 0] if row and not table.void else []
    return tuple(f"{table.name(p)} is declared Elimination Candidate and holds a Token of Life" for p in both)
