"""The table after each fact: one handler a kind. Facts decide nothing; what cannot be placed is a bug."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.instants import Instant, later
from games.contract import Fact
from games.kinds import fold
from games.table import facts as f
from games.table import rounds
from games.table.settings import amended
from games.table.state import ABSTAINS, BANK, STAGES, Declaration, Key, Left, Seat, Stage, Table, Told


def evolve(table: Table, fact: Fact) -> Table:
    """The table after a fact. Total: a fact it cannot place is a bug."""
    put = EVOLVE.get(type(fact))
    if put is None:
        raise AssertionError(f"a fact that nobody can place: {fact!r}")
    return put(table, fact)


def _seat_taken(table: Table, fact: f.SeatTaken) -> Table:
    seats = {**table.seats, fact.player: Seat(table.seats[fact.player].name, fact.channel)}
    spelled = {**table.aliases, **{fold(alias): fact.player for alias in fact.aliases}}
    brought = {**table.seated, fact.player: fact.garnets}
    seated = table._replace(seats=seats, aliases=spelled, seated=brought)
    return _move(seated, BANK, fact.player, fact.garnets)


def _phase_began(table: Table, fact: f.PhaseBegan) -> Table:
    over = table._replace(paused=None) if fact.status == "finished" else table
    return over.begun(fact.phase, fact.at, fact.ends)._replace(status=fact.status)


def _deadline_moved(table: Table, fact: f.DeadlineMoved) -> Table:
    ends = table.kept_end(fact.at, fact.ends)
    if fact.about is None:
        round_ = None if table.round is None else table.round._replace(closed=None)
        return table._replace(ends=ends, round=round_)
    moved = (d._replace(ends=ends) if d.key == fact.about else d for d in table.decisions)
    return table._replace(decisions=tuple(moved))


def _decision_opened(table: Table, fact: f.DecisionOpened) -> Table:
    rest = [d for d in table.decisions if d.key != fact.decision.key]
    if len(rest) == len(table.decisions) and fact.decision.kind != "gift":  # new: who has left is no candidate of it
        table = _undecided(table, "elimination" if fact.decision.about == "elimination" else "tokens")
    return table._replace(decisions=(*rest, fact.decision))


def _decision_closed(table: Table, fact: f.DecisionClosed) -> Table:
    key = fact.decision.key
    return table._replace(
        decisions=tuple(d for d in table.decisions if d.key != key),
        closed=table.closed | {key} if fact.ended else table.closed,
        past=(*table.past, fact.decision.kind),
    )


def _cast(table: Table, fact: f.VoteCast | f.Abstained) -> Table:
    candidate = fact.candidate if isinstance(fact, f.VoteCast) else ABSTAINS
    cast = {**table.votes.get(fact.about, {}), fact.voter: candidate}
    return table._replace(votes={**table.votes, fact.about: cast})


def _gift_named(table: Table, fact: f.GiftNamed) -> Table:
    receivers = (*table.gifts.get(fact.player, ()), fact.receiver)
    return table._replace(gifts={**table.gifts, fact.player: receivers})


def _resumed(table: Table, fact: f.Resumed) -> Table:
    later = tuple(d._replace(ends=_later(d.ends, fact.moved)) for d in table.decisions)
    return table._replace(paused=None, ends=_later(table.ends, fact.moved), decisions=later)


def _seat_replaced(table: Table, fact: f.SeatReplaced) -> Table:
    seats = {**table.seats, fact.player: table.seats[fact.player]._replace(name=fact.name)}
    spelled = {**table.aliases, fact.alias: fact.player}
    return table._replace(
        seats=seats, aliases=spelled, left={p: left for p, left in table.left.items() if p != fact.player}
    )


def _token_awarded(table: Table, fact: f.TokenAwarded) -> Table:
    table = table._replace(awards=(*table.awards, fact.award))
    return _tokens(table, fact.award.player, 1)


def _token_withdrawn(table: Table, fact: f.TokenWithdrawn) -> Table:
    awards = list(table.awards)
    awards.remove(fact.award)  # one of them: two tokens may be won in the same words
    return _tokens(table._replace(awards=tuple(awards)), fact.award.player, -1)


def _gift_made(table: Table, fact: f.GiftMade) -> Table:
    table = table._replace(given=(*table.given, (fact.player, fact.receiver)))
    return _tokens(_tokens(table, fact.player, -1), fact.receiver, 1)


def _gift_returned(table: Table, fact: f.GiftReturned) -> Table:
    table = table._replace(given=tuple(g for g in table.given if g != (fact.player, fact.receiver)))
    return _tokens(_tokens(table, fact.player, 1), fact.receiver, -1)


def _token_lapsed(table: Table, fact: f.TokenLapsed) -> Table:
    lapsed = table.lapsed.get(fact.player, 0) + fact.tokens
    table = table._replace(lapsed={**table.lapsed, fact.player: lapsed})
    return _tokens(table, fact.player, -fact.tokens)


def _reward_paid(table: Table, fact: f.RewardPaid) -> Table:
    table = table._replace(rewards=(*table.rewards, fact.reward))
    return _move(table, BANK, fact.reward.player, fact.reward.garnets)


def _reward_returned(table: Table, fact: f.RewardReturned) -> Table:
    table = table._replace(rewards=tuple(r for r in table.rewards if r != fact.reward))
    return _move(table, fact.reward.player, BANK, fact.reward.garnets)


def _tokens_granted(table: Table, fact: f.TokensGranted) -> Table:
    player = fact.player
    table = table._replace(
        granted={**table.granted, player: table.granted.get(player, 0) + fact.tokens - fact.kept},
        taken={**table.taken, player: table.taken.get(player, 0) - fact.kept},
        lapsed={**table.lapsed, player: table.lapsed.get(player, 0) - fact.lapsed},
    )
    return _tokens(table, player, fact.tokens + fact.lapsed)


def _declared(table: Table, fact: f.Declared) -> Table:
    granted = table.granted.get(fact.players[0], 0) if fact.kind == "token" else 0
    row = Declaration(fact.kind, fact.players, fact.tokens, fact.seq, granted)
    table = table._replace(declared=(*table.declared, row))
    if fact.kind == "void":
        return table._replace(void=True, round=None, paused=None)
    return table._replace(taken={**table.taken, fact.players[0]: 0}) if fact.kind == "token" else table


def _later(end: Instant | None, by: int) -> Instant | None:
    return None if end is None else later(end, by)


def _move(table: Table, src: str, to: str, garnets: int) -> Table:
    if garnets == 0:
        return table
    purses = dict(table.purses)
    purses[src] = purses.get(src, 0) - garnets
    purses[to] = purses.get(to, 0) + garnets
    return table._replace(purses=purses)


def _tokens(table: Table, player: str, change: int) -> Table:
    return table._replace(tokens={**table.tokens, player: table.tokens.get(player, 0) + change})


def _reopen(table: Table, kind: str) -> Table:
    """The decisions of that kind are open again, without what was put into them and the lots that followed from it."""
    lots = {key: outcome for key, outcome in table.lots.items() if key[1] not in table.votes}
    last = len(table.past) - 1 - table.past[::-1].index(kind)
    inputs: dict[str, dict[str, Any]] = {
        "vote": {"votes": {}, "lots": lots, "weighed": {}},
        "gift": {"gifts": {}},
        "lot": {"lots": {}},
        "choose": {"choices": {}},
    }
    kept: frozenset[Key] = frozenset(k for k in table.closed if k[0] != kind)
    table = table if kind == "gift" else _undecided(table, "tokens")
    return table._replace(past=table.past[:last], closed=kept, **inputs.get(kind, {}))


def _undecided(table: Table, stage: Stage) -> Table:
    """Nothing past that stage is decided any more: who left later counts as having left there."""
    back = {p: left._replace(stage=min(left.stage, stage, key=STAGES.index)) for p, left in table.left.items()}
    return table._replace(left=back)


def _amended(table: Table, key: str, value: Any) -> Table:
    """The setting has a new value and is no longer an assumption."""
    assumed = table.assumptions
    head, dot, _ = key.partition(".")
    if dot and head in assumed:  # one line of a table is confirmed; the others are still assumed, each by its name
        assumed = (*(x for x in assumed if x != head), *(f"{head}.{line}" for line in table.settings[head]))
    confirmed = tuple(x for x in assumed if x != key)
    return table._replace(settings=amended(table.settings, key, value), assumptions=confirmed)


EVOLVE: Mapping[type, Callable[[Table, Any], Table]] = {
    f.SeatTaken: _seat_taken,
    f.AliasAdded: lambda table, fact: table._replace(aliases={**table.aliases, fact.alias: fact.player}),
    f.Committed: lambda table, fact: table._replace(commitment=fact.commitment),
    f.WordAdded: lambda table, fact: table._replace(words=table.words + 1),
    f.Moved: lambda table, fact: _move(table, fact.src, fact.to, fact.garnets),
    f.PhaseBegan: _phase_began,
    f.PhaseEnded: lambda table, fact: table._replace(past=(*table.past, fact.phase), ends=None),
    f.DeadlineMoved: _deadline_moved,
    f.DecisionOpened: _decision_opened,
    f.DecisionClosed: _decision_closed,
    f.Reopened: lambda table, fact: _reopen(table, fact.name),
    **dict.fromkeys((f.VoteCast, f.Abstained), _cast),
    f.GiftNamed: _gift_named,
    f.ChoiceMade: lambda table, fact: table._replace(choices={**table.choices, (fact.about, fact.player): fact.choice}),
    f.Paused: lambda table, fact: table._replace(paused=fact.at),
    f.Resumed: _resumed,
    f.SeatReplaced: _seat_replaced,
    f.PlayerLeft: lambda table, fact: table._replace(left={**table.left, fact.player: Left(fact.at, fact.stage)}),
    f.LotDrawn: lambda table, fact: table._replace(lots={**table.lots, ("lot", fact.about, fact.among): fact.outcome}),
    f.TokenAwarded: _token_awarded,
    f.TokenWithdrawn: _token_withdrawn,
    f.GiftMade: _gift_made,
    f.GiftReturned: _gift_returned,
    f.TokenLapsed: _token_lapsed,
    f.RewardPaid: _reward_paid,
    f.RewardReturned: _reward_returned,
    f.TokensGranted: _tokens_granted,
    f.TokensSettled: lambda table, fact: _tokens(table, fact.player, fact.tokens),
    f.Declared: _declared,
    f.ReasonTold: lambda table, fact: table._replace(
        reasons={**table.reasons, fact.about: Told(fact.text, fact.private)}
    ),
    f.VotesWeighed: lambda table, fact: table._replace(weighed={**table.weighed, fact.weighed.key: fact.weighed}),
    f.EliminationFound: lambda table, fact: table._replace(elimination=fact.players),
    f.WinnersFound: lambda table, fact: table._replace(winners=fact.players, losers=fact.losers),
    f.SettingAmended: lambda table, fact: _amended(table, fact.key, fact.value),
    f.ChoicesCleared: lambda table, fact: _undecided(table, "play")._replace(
        votes={}, gifts={}, choices={}, lots={}, closed=frozenset(), decisions=(), weighed={}
    ),
    **dict.fromkeys(
        (f.DrawReplaced, f.SeedKept, f.WordLate, f.Remarked, f.ResultChanged, f.FieldSet), lambda table, fact: table
    ),
    **rounds.EVOLVE,
}
