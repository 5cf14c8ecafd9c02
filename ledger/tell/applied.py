"""The facts of a match in the order in which they happened, with what each changed."""

from __future__ import annotations

from collections.abc import Iterator

from events.record import NamedTuple
from games.contract import Fact
from games.records import snake
from games.table import Table
from games.table import facts as table_facts
from ledger.core.live import BEFORE_ALL
from ledger.core.match import Match
from ledger.core.replay import Outcome
from ledger.tell.chain import Link


class Applied(NamedTuple):
    """One fact, and the table before and after it."""

    seq: int
    at: int
    fact: Fact
    before: Table
    after: Table

    def link(self, match: Match, about: str = "") -> Link:
        reason = match.game.explain(match.fold.state, self.fact)
        return Link(self.seq, self.at, snake(type(self.fact)), reason.text, reason.rule, about)

    def accounts(self, match: Match, player: str) -> Iterator[Link]:
        """The fact as a line of a player's garnets and of their tokens, where it changed them or begins the account."""
        begins = isinstance(self.fact, table_facts.SeatTaken) and self.fact.player == player
        garnets = (self.before.garnets(player), self.after.garnets(player), begins)
        tokens = (self.before.tokens.get(player, 0), self.after.tokens.get(player, 0), False)
        for about, (before, now, has_line) in (("garnets", garnets), ("tokens", tokens)):
            if before != now or has_line:
                yield self.link(match, about)._replace(player=player, change=now - before, now=now)


def applied_facts(match: Match) -> Iterator[Applied]:
    """Every fact in the order in which they happened."""
    engine, began = match.engine, match.book.entries[0].body.at
    state = engine.start(match.book.entries[0].body, match.book.game_id)
    for outcome in match.fold.outcomes:
        for fact, at in zip(outcome.facts, outcome.times, strict=True):
            before, state = state.table, engine.apply(state, (fact,))
            yield Applied(outcome.live.seq, began if at == BEFORE_ALL else at, fact, before, state.table)


def links_of(match: Match, outcome: Outcome) -> Iterator[Link]:
    """The link of each fact of an entry, and one for a refusal."""
    began, seq, refusal = match.book.entries[0].body.at, outcome.live.seq, outcome.refusal
    for fact, at in zip(outcome.facts, outcome.times, strict=True):
        reason = match.game.explain(match.fold.state, fact)
        yield Link(seq, began if at == BEFORE_ALL else at, snake(type(fact)), reason.text, reason.rule)
    if refusal is not None:
        at = outcome.live.at
        yield Link(seq, began if at == BEFORE_ALL else at, "contested", refusal.what, refusal.code)
