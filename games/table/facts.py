"""The facts that every game shares: each with its rule, its words, the line that opens it, and its effect.

The facts of sealed rounds are in rounds.py. A game that words one differently, or in which it changes more, says so in
`Game.table_facts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from events.audiences import PUBLIC_VIEWER
from events.instants import Instant, later, write_end
from events.record import NamedTuple
from games.contract import COURSE, HOSTS, Lines, News, State, fact, spec_of
from games.kinds import BREAK, Player, called, casefolded, count, upper
from games.kit.blocks import When
from games.spans import show_span
from games.table.report import HOW
from games.table.settings import amended, in_words
from games.table.state import (
    ABSTAINS,
    BANK,
    DECISIONS,
    OPPONENT,
    STAGES,
    Decision,
    Declaration,
    Key,
    Left,
    Reward,
    Seat,
    Stage,
    Status,
    Table,
    TokenReason,
    Told,
    Weighed,
    spare_tokens,
)
from games.table.view import allowed, declared_line

HOST_POWERS = "season: host powers"
"""The rule of everything that a host decides, as facts and explanations name it."""
FAIR = "design: fair deals"
DECIDES = "season S-2 to S-4"
CORRECTION = "A correction: "
"""How a text begins that says something else than one before it."""


def _move(table: Table, src: str, to: str, garnets: int) -> Table:
    if garnets == 0:
        return table
    purses = dict(table.purses)
    purses[src] = purses.get(src, 0) - garnets
    purses[to] = purses.get(to, 0) + garnets
    return table._replace(purses=purses)


def _tokens(table: Table, player: str, change: int) -> Table:
    return table._replace(tokens={**table.tokens, player: table.tokens.get(player, 0) + change})


def _undecided(table: Table, stage: Stage) -> Table:
    """Go back to a stage: a player who left later than that counts as having left in it."""
    back = {p: left._replace(stage=min(left.stage, stage, key=STAGES.index)) for p, left in table.left.items()}
    return table._replace(left=back)


# ---- seats, the deal, garnets --------------------------------------------------------------------------------------


@fact("season S-6", "{player} takes a seat with {garnets:garnet}")
class SeatTaken(NamedTuple):
    player: Player
    garnets: int
    aliases: tuple[str, ...]
    channel: str

    def evolve(self, table: Table) -> Table:
        seats = {**table.seats, self.player: Seat(table.seats[self.player].name, self.channel)}
        spelled = {**table.aliases, **{casefolded(alias): self.player for alias in self.aliases}}
        brought = {**table.seated, self.player: self.garnets}
        seated = table._replace(seats=seats, aliases=spelled, seated=brought)
        return _move(seated, BANK, self.player, self.garnets)


@fact(HOST_POWERS, "{alias} now means {player}")
class AliasAdded(NamedTuple):
    player: Player
    alias: str

    def evolve(self, table: Table) -> Table:
        return table._replace(aliases={**table.aliases, self.alias: self.player})


@fact(
    FAIR,
    "the deal is committed to: commitment {commitment}",
    COURSE,
    public="The deal is committed to: commitment {commitment}. Add words of your own before the deal.",
)
class Committed(NamedTuple):
    """The deal is now fixed, except for the players' words."""

    commitment: str

    def evolve(self, table: Table) -> Table:
        return table._replace(commitment=self.commitment)


REPLACED = {
    "commitment": "the commitment of the deal was replaced by another one",
    "deal": "the cards were dealt again, and this deal replaces the first one",
    "cards": "a host typed the cards in, in place of those that were drawn or committed to",
    "newer": "what was drawn now is newer than the commitment, so it comes from a seed of its own",
    "again": "a draw was made again: what was drawn or committed to before does not count",
}


def replaced_in_words(what: str) -> str:
    return f"{upper(REPLACED[what])}."


@fact(FAIR, told_only=True)
class DrawReplaced(NamedTuple):
    """Something that was published or drawn no longer counts. Source: docs/decisions/0057."""

    what: Literal["commitment", "deal", "cards", "newer", "again"]
    """A second commitment; a second deal; an outcome typed in by a host; a draw from a seed of its own in spite of a
    commitment; a draw that was undone and made again."""

    hidden: bool = False
    """Whether the entry of the draw is for the hosts only, so that nobody else may know that there was one."""

    def line(self, state: State) -> str:
        return HOSTS if self.hidden else COURSE

    def host(self, state: State) -> str:
        return REPLACED[self.what]

    def public(self, state: State) -> News:
        return None if self.hidden else replaced_in_words(self.what)


@fact(FAIR, "the seed behind the commitment is kept for the hosts only", told_only=True)
class SeedKept(NamedTuple):
    seed: str


@fact(FAIR, "{player} adds words to the deal: {text}", COURSE, public="{player} added words to the deal: {text}")
class WordAdded(NamedTuple):
    player: Player
    text: str

    def evolve(self, table: Table) -> Table:
        return table._replace(words=table.words + 1)


@fact(FAIR, "the words of {player} came after the deal and are not in it", COURSE, public=True, told_only=True)
class WordLate(NamedTuple):
    """Words recorded in another copy of the log, before the deal was known there, came too late for it."""

    player: Player


@fact("{rule}", line="garnets", holds=True)
class Moved(NamedTuple):
    src: str
    to: str
    garnets: int
    why: str
    rule: str

    def who(self) -> list[str]:
        return [who for who in (self.src, self.to) if who != BANK]

    def host(self, state: State) -> str:
        name, amount = state.table.name, count(self.garnets, "garnet")
        if self.src == BANK:
            return f"{name(self.to)} receives {amount} ({self.why})"
        if self.to == BANK:
            return f"{name(self.src)} pays {amount} ({self.why})"
        return f"{name(self.src)} gives {amount} to {name(self.to)} ({self.why})"

    def owner(self, state: State, viewer: str) -> str:
        return f"You {'received' if self.to == viewer else 'lost'} {count(self.garnets, 'garnet')}."

    def evolve(self, table: Table) -> Table:
        return _move(table, self.src, self.to, self.garnets)


# ---- phases and the clock ------------------------------------------------------------------------------------------


@fact("the course of the game", line=COURSE)
class PhaseBegan(NamedTuple):
    phase: str
    status: Status
    at: Instant
    ends: Instant | None

    def host(self, state: State) -> str:
        words = {
            "finished": "the match is over",
            "deciding": "something is still to be decided before the match ends",
            BREAK: "a break begins; the next round opens by itself",
        }
        return words.get(self.phase, f"{self.phase} begins")

    def public(self, state: State) -> News:
        if self.phase == BREAK and self.ends is not None:
            return ("There is a break now. The next round opens ", When(self.ends), ".")
        return "The match is over." if self.phase == "finished" else None

    def evolve(self, table: Table) -> Table:
        over = table._replace(paused=None) if self.status == "finished" else table
        return over.begun(self.phase, self.at, self.ends)._replace(status=self.status)


@fact("the course of the game", "{phase} ends: {why}")
class PhaseEnded(NamedTuple):
    phase: str
    why: str

    def evolve(self, table: Table) -> Table:
        return table._replace(past=(*table.past, self.phase), ends=None)


@fact(HOST_POWERS, line=COURSE)
class DeadlineMoved(NamedTuple):
    """The end of the present phase moves (`about` None), or of the decision with that key."""

    ends: Instant | None
    about: Key | None
    at: Instant
    """When it was moved: a current pause delays it only from then on."""
    was: Instant | None = None
    """The previous end, if a host moved one."""

    def host(self, state: State) -> str:
        if self.ends is None:
            return "no end is set now"
        return f"the end is moved to {write_end(self.ends)[:19].removesuffix(':00').replace('T', ' ')} UTC"

    def public(self, state: State) -> News:
        if self.ends is not None:
            if self.about is not None:
                return ("There is now time until ", When(self.ends), " for what is still to be decided.")
            what = "The next round now opens " if state.table.phase == BREAK else "The end is now "
            return (what, When(self.ends), ".")
        if self.about is not None or state.table.round is None:
            return None
        return f"{upper(called(state.table.phase))} is open, and has no end until a host sets one."

    def evolve(self, table: Table) -> Table:
        ends = table.kept_end(self.at, self.ends)
        if self.about is None:
            round_ = None if table.round is None else table.round._replace(closed=None)
            return table._replace(ends=ends, round=round_)
        moved = (d._replace(ends=ends) if d.key == self.about else d for d in table.decisions)
        return table._replace(decisions=tuple(moved))


@fact(HOST_POWERS, "the clock is paused", COURSE, public=True)
class Paused(NamedTuple):
    at: Instant

    def evolve(self, table: Table) -> Table:
        return table._replace(paused=self.at)


@fact(HOST_POWERS, line=COURSE)
class Resumed(NamedTuple):
    """The clock runs again: every end moves by the length of the pause, `moved` ms."""

    moved: int

    def host(self, state: State) -> str:
        return f"the clock runs again after a pause of {show_span(self.moved, long=True)}"

    def public(self, state: State) -> News:
        again, table = "The clock runs again.", state.table
        end = table.next_end() if table.ends is None else table.ends
        round_ends = f"{upper(called(table.phase))} now ends" if table.round else "The end is now"
        which = "The next round now opens" if table.phase == BREAK else round_ends
        return again if end is None else (f"{again} {which} ", When(end), ".")

    def _moved(self, end: Instant | None) -> Instant | None:
        return None if end is None else later(end, self.moved)

    def evolve(self, table: Table) -> Table:
        decisions = tuple(d._replace(ends=self._moved(d.ends)) for d in table.decisions)
        return table._replace(paused=None, ends=self._moved(table.ends), decisions=decisions)


# ---- who plays -----------------------------------------------------------------------------------------------------


@fact(HOST_POWERS, line=COURSE, public=True)
class SeatReplaced(NamedTuple):
    """A person called `name` takes over the seat of one called `before`, or their own, which they had left."""

    player: Player
    name: str
    alias: str
    before: str

    def host(self, state: State) -> str:
        same = self.name == self.before
        return f"{self.name} is back in their seat" if same else f"{self.name} takes over the seat of {self.before}"

    def owner(self, state: State, viewer: str) -> str:
        do = "are back in your seat" if self.name == self.before else f"take over the seat of {self.before}"
        return f"You {do}. This is all that goes with it."

    def evolve(self, table: Table) -> Table:
        seats = {**table.seats, self.player: table.seats[self.player]._replace(name=self.name)}
        left = {p: left for p, left in table.left.items() if p != self.player}
        return table._replace(seats=seats, aliases={**table.aliases, self.alias: self.player}, left=left)


@fact("season S-G3", "{player} has left the match", COURSE, public=True)
class PlayerLeft(NamedTuple):
    """A player left when the match had come to `stage`; what was decided by then remains."""

    player: Player
    at: Instant
    stage: Stage

    def evolve(self, table: Table) -> Table:
        left = Left(self.at, self.stage, table.status == "setup", table.phases_over)
        return table._replace(left={**table.left, self.player: left})


# ---- decisions of the end ------------------------------------------------------------------------------------------


def voted_on(about: str) -> str:
    return "who is Elimination Candidate" if about == "elimination" else "who wins a Token of Life"


@fact(DECIDES, line="tokens")
class DecisionOpened(NamedTuple):
    decision: Decision

    def who(self) -> tuple[str, ...]:
        return self.decision.who

    def host(self, state: State) -> str:
        d, named = self.decision, state.table.named
        who = f"a {d.noun} is open for {named(d.who)}" if d.who else f"a host must settle a {d.noun}"
        return f"{who}, among {named(d.among)}"

    def owner(self, state: State, viewer: str) -> News:
        among, about = state.table.one_of(self.decision.among), self.decision.about
        if self.decision.kind == "gift":
            return self.to_give(state, "You won a second Token of Life")
        if self.decision.kind == "choose":
            return f"You choose {'who is Elimination Candidate: ' if about == 'elimination' else ''}{among}."
        return f"You may vote {voted_on(about)}: {among}."

    def to_give(self, state: State, holding: str) -> str:
        """What its holder is asked who has a token to give away, or several."""
        table, giver = state.table, self.decision.who[0]
        among = table.one_of(self.decision.among)
        if (spare := table.tokens.get(giver, 0) - 1) > 1:
            return f"You hold {spare_tokens(spare)}: give one each to {among}."
        return f"{holding}: give it to {among}."

    def evolve(self, table: Table) -> Table:
        rest = [d for d in table.decisions if d.key != self.decision.key]
        if len(rest) == len(table.decisions) and self.decision.kind != "gift":  # new: leavers are no candidates in it
            table = _undecided(table, "elimination" if self.decision.about == "elimination" else "tokens")
        return table._replace(decisions=(*rest, self.decision))


@fact(DECIDES, "the {decision.noun} is over: {why}")
class DecisionClosed(NamedTuple):
    """A decision is over. `ended` means by the clock or a host: what is undecided then stays so."""

    decision: Decision
    ended: bool
    why: str

    def evolve(self, table: Table) -> Table:
        key = self.decision.key
        return table._replace(
            decisions=tuple(d for d in table.decisions if d.key != key),
            closed=table.closed | {key} if self.ended else table.closed,
            past=(*table.past, self.decision.kind),
        )


@fact(HOST_POWERS)
class Reopened(NamedTuple):
    name: str

    def host(self, state: State) -> str:
        return f"{'the ' if self.name in DECISIONS else ''}{self.name} is open again"

    def evolve(self, table: Table) -> Table:
        """Open the decisions of that kind again, without their inputs and the lots that followed."""
        kind = self.name
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


def _cast(table: Table, about: str, voter: str, candidate: str) -> Table:
    return table._replace(votes={**table.votes, about: {**table.votes.get(about, {}), voter: candidate}})


@fact("season S-3", "{voter} votes for {candidate}")
class VoteCast(NamedTuple):
    voter: Player
    candidate: Player
    about: str

    def evolve(self, table: Table) -> Table:
        return _cast(table, self.about, self.voter, self.candidate)


@fact("season S-10", "{voter} names nobody, on purpose")
class Abstained(NamedTuple):
    voter: Player
    about: str

    def evolve(self, table: Table) -> Table:
        return _cast(table, self.about, self.voter, ABSTAINS)


@fact("season S-2", "{player} wants to give a token to {receiver}")
class GiftNamed(NamedTuple):
    player: Player
    receiver: Player

    def evolve(self, table: Table) -> Table:
        receivers = (*table.gifts.get(self.player, ()), self.receiver)
        return table._replace(gifts={**table.gifts, self.player: receivers})


@fact(public=True)
class ChoiceMade(NamedTuple):
    player: Player
    choice: Player
    about: str

    def rule(self, state: State) -> str:
        return "season S-1" if self.about == OPPONENT else "season: decisions after the end"

    def host(self, state: State) -> str:
        chooses = f"{state.table.name(self.player)} chooses {state.table.name(self.choice)}"
        return chooses + (" as the opponent in the Death Match" if self.about == OPPONENT else "")

    def line(self, state: State) -> Lines:
        """The choice of an opponent is told; of any other choice, only its outcome."""
        return (self.about == OPPONENT and declared_line(state.table.settings["visibility"], "elimination")) or ()

    def evolve(self, table: Table) -> Table:
        return table._replace(choices={**table.choices, (self.about, self.player): self.choice})


@fact("season S-4, S-G5", "a lot among {among} falls on {outcome}")
class LotDrawn(NamedTuple):
    about: str
    among: tuple[Player, ...]
    outcome: Player

    def evolve(self, table: Table) -> Table:
        return table._replace(lots={**table.lots, ("lot", self.about, self.among): self.outcome})


# ---- tokens and rewards --------------------------------------------------------------------------------------------


@fact("{award.rule}")
class TokenAwarded(NamedTuple):
    award: TokenReason

    def host(self, state: State) -> str:
        return f"{state.table.name(self.award.player)} wins a Token of Life ({self.award.why})"

    def evolve(self, table: Table) -> Table:
        return _tokens(table._replace(awards=(*table.awards, self.award)), self.award.player, 1)


@fact("{award.rule}")
class TokenWithdrawn(NamedTuple):
    """A later entry changed the result: the token is no longer won."""

    award: TokenReason

    def host(self, state: State) -> str:
        return f"{state.table.name(self.award.player)} no longer wins the Token of Life ({self.award.why})"

    def evolve(self, table: Table) -> Table:
        awards = list(table.awards)
        awards.remove(self.award)  # only one: two awards may be equal
        return _tokens(table._replace(awards=tuple(awards)), self.award.player, -1)


@fact("season S-2", "{player} gives a Token of Life to {receiver}")
class GiftMade(NamedTuple):
    player: Player
    receiver: Player

    def who(self) -> tuple[str, ...]:
        return (self.player, self.receiver)

    def line(self, state: State) -> Lines:
        return declared_line(state.table.settings["visibility"], "token") or ()

    def owner(self, state: State, viewer: str) -> str:
        if viewer == self.receiver:
            return f"{HOW['given'].format(by=state.table.name(self.player), who='you')}."
        return f"You gave a Token of Life to {state.table.name(self.receiver)}."

    def evolve(self, table: Table) -> Table:
        table = table._replace(given=(*table.given, (self.player, self.receiver)))
        return _tokens(_tokens(table, self.player, -1), self.receiver, 1)


@fact("season S-2", "the gift of {player} to {receiver} no longer counts")
class GiftReturned(NamedTuple):
    player: Player
    receiver: Player

    def evolve(self, table: Table) -> Table:
        table = table._replace(given=tuple(g for g in table.given if g != (self.player, self.receiver)))
        return _tokens(_tokens(table, self.player, 1), self.receiver, -1)


@fact("season S-2")
class TokenLapsed(NamedTuple):
    """Spare tokens lapse because nobody got them; if negative, lapsed ones count again."""

    player: Player
    tokens: int

    def host(self, state: State) -> str:
        ending, again = "s" if abs(self.tokens) == 1 else "", "" if self.tokens > 0 else " again"
        word = f"{'lapse' if self.tokens > 0 else 'count'}{ending}{again}"
        return f"{count(abs(self.tokens), 'spare token')} of {state.table.name(self.player)} {word}"

    def evolve(self, table: Table) -> Table:
        lapsed = table.lapsed.get(self.player, 0) + self.tokens
        return _tokens(table._replace(lapsed={**table.lapsed, self.player: lapsed}), self.player, -self.tokens)


@fact("{reward.rule}", line="garnets")
class RewardPaid(NamedTuple):
    reward: Reward

    def who(self) -> tuple[str]:
        return (self.reward.player,)

    def host(self, state: State) -> str:
        amount = count(self.reward.garnets, "garnet")
        return f"{state.table.name(self.reward.player)} receives {amount} ({self.reward.why})"

    def owner(self, state: State, viewer: str) -> str:
        return f"You won {count(self.reward.garnets, 'garnet')}."

    def evolve(self, table: Table) -> Table:
        table = table._replace(rewards=(*table.rewards, self.reward))
        return _move(table, BANK, self.reward.player, self.reward.garnets)


@fact("{reward.rule}")
class RewardReturned(NamedTuple):
    reward: Reward

    def host(self, state: State) -> str:
        amount = count(self.reward.garnets, "garnet")
        return f"{state.table.name(self.reward.player)} gives {amount} back, because the result has changed"

    def evolve(self, table: Table) -> Table:
        table = table._replace(rewards=tuple(r for r in table.rewards if r != self.reward))
        return _move(table, self.reward.player, BANK, self.reward.garnets)


@fact(HOST_POWERS)
class TokensGranted(NamedTuple):
    """A host gave tokens, or took some if `tokens` is negative.

    Among them, `kept` (negative if taken) is the token that the player had kept, and `lapsed` had lapsed before.
    """

    player: Player
    tokens: int
    kept: int = 0
    lapsed: int = 0

    def host(self, state: State) -> str:
        verb = "is given" if self.tokens >= 0 else "loses"
        lapsed = f", {self.lapsed} of them lapsed before" if self.lapsed else ""
        return f"{state.table.name(self.player)} {verb} {count(abs(self.tokens), 'token')} by a host{lapsed}"

    def evolve(self, table: Table) -> Table:
        player = self.player
        table = table._replace(
            granted={**table.granted, player: table.granted.get(player, 0) + self.tokens - self.kept},
            taken={**table.taken, player: table.taken.get(player, 0) - self.kept},
            lapsed={**table.lapsed, player: table.lapsed.get(player, 0) - self.lapsed},
        )
        return _tokens(table, player, self.tokens + self.lapsed)


@fact(HOST_POWERS)
class TokensSettled(NamedTuple):
    """A declaration, or the end of one, gives a player so many tokens more, or fewer if negative."""

    player: Player
    tokens: int

    def host(self, state: State) -> str:
        more = "more" if self.tokens > 0 else "fewer"
        tokens = count(abs(self.tokens), "token")
        return f"{state.table.name(self.player)} has {tokens} {more} by what hosts declared or took"

    def evolve(self, table: Table) -> Table:
        return _tokens(table, self.player, self.tokens)


# ---- what hosts declare, and the result ----------------------------------------------------------------------------


def _ended(state: State) -> bool:
    return state.table.status in ("deciding", "finished")


@fact(HOST_POWERS)
class Declared(NamedTuple):
    """Hosts declared a result. It counts from the end of the match on; `void` ends the match."""

    kind: Literal["elimination", "token", "winner", "void"]
    players: tuple[Player, ...]
    tokens: int | None
    seq: int

    def who(self) -> tuple[str, ...]:
        return self.players

    def host(self, state: State) -> str:
        names = state.table.named(self.players)
        return {
            "elimination": f"hosts declare {names} Elimination Candidate",
            "token": f"hosts declare that {names} has {count(self.tokens or 0, 'token')} in all",
            "winner": f"hosts declare that {names} {'wins' if len(self.players) == 1 else 'win'}",
            "void": "hosts declare the match void",
        }[self.kind] + ("" if self.kind == "void" or _ended(state) else "; it is kept until the match ends")

    def line(self, state: State) -> str:
        return declared_line(state.table.settings["visibility"], self.kind) or COURSE

    def public(self, state: State) -> News:
        return f"{upper(self.host(state))}." if _ended(state) else None

    def evolve(self, table: Table) -> Table:
        granted = table.granted.get(self.players[0], 0) if self.kind == "token" else 0
        row = Declaration(self.kind, self.players, self.tokens, self.seq, granted)
        table = table._replace(declared=(*table.declared, row))
        if self.kind == "void":
            return table._replace(void=True, round=None, paused=None)
        return table._replace(taken={**table.taken, self.players[0]: 0}) if self.kind == "token" else table


@fact(HOST_POWERS, "the reason: {text}")
class ReasonTold(NamedTuple):
    text: str
    about: int
    private: bool

    def line(self, state: State) -> str:
        """The line of the declaration that it explains."""
        kind = next((row.kind for row in state.table.declared if row.seq == self.about), "elimination")
        return declared_line(state.table.settings["visibility"], kind) or COURSE

    def public(self, state: State) -> News:
        return f"The hosts' reason: {self.text}" if not self.private and _ended(state) else None

    def evolve(self, table: Table) -> Table:
        return table._replace(reasons={**table.reasons, self.about: Told(self.text, self.private)})


@fact("season S-4")
class VotesWeighed(NamedTuple):
    """Tied votes were weighed by their voters' garnets. What a voter holds later makes no difference. Source: S-4."""

    weighed: Weighed

    def host(self, state: State) -> str:
        held = ", ".join(f"{state.table.name(p)} {n}" for p, n in self.weighed.garnets)
        return f"the votes are tied and weighed by the voters' garnets: {held}"

    def evolve(self, table: Table) -> Table:
        return table._replace(weighed={**table.weighed, self.weighed.key: self.weighed})


def _yet(state: State) -> str:
    return "" if state.table.status == "finished" else " (yet)"


@fact("the end of the game")
class EliminationFound(NamedTuple):
    """The Elimination Candidates are known; nobody if a later entry made that open again."""

    players: tuple[Player, ...]
    why: str

    def host(self, state: State) -> str:
        if not self.players:
            return f"nobody is Elimination Candidate{_yet(state)}"
        what = "is Elimination Candidate" if len(self.players) == 1 else "are Elimination Candidates"
        return f"{state.table.named(self.players)} {what} ({self.why})"

    def evolve(self, table: Table) -> Table:
        return table._replace(elimination=self.players)


@fact("the end of the game")
class WinnersFound(NamedTuple):
    """The winners and losers of the match are known; nobody if a later entry made that open again."""

    players: tuple[Player, ...]
    losers: tuple[Player, ...]
    why: str

    def host(self, state: State) -> str:
        if not self.players:
            return f"nobody has won{_yet(state)}"
        named, loses = state.table.named, "loses" if len(self.losers) == 1 else "lose"
        lost = f", {named(self.losers)} {loses}" if self.losers else ""
        return f"{named(self.players)} {'wins' if len(self.players) == 1 else 'win'}{lost} ({self.why})"

    def evolve(self, table: Table) -> Table:
        return table._replace(winners=self.players, losers=self.losers)


CHANGED = {
    "elimination": "Elimination Candidate",
    "winner": "winner",
    "tokens": "Tokens of Life",
    "scores": "scores",
    "ranking": "places",
}
REOPENED = "the hosts reopened it"


@fact(HOST_POWERS, told_only=True)
class ResultChanged(NamedTuple):
    kind: Literal["elimination", "winner", "tokens", "scores", "ranking"]
    was: tuple[tuple[Player, int], ...]
    """(player, tokens held, score or place; 1 for a candidate or winner). Of scores only those that changed."""
    now: tuple[tuple[Player, int], ...]
    why: str

    def who(self) -> Mapping[str, None]:
        return dict.fromkeys(p for p, _ in (*self.was, *self.now))

    def host(self, state: State) -> str:
        return self._said(state, before=True)

    def _said(self, state: State, *, before: bool) -> str:
        counted, name = self.kind not in ("elimination", "winner"), state.table.name

        def listed(pairs: tuple[tuple[str, int], ...]) -> str:
            if not counted:
                return state.table.named([p for p, _ in pairs])
            in_order = sorted(pairs, key=lambda pair: pair[1]) if self.kind == "ranking" else pairs
            return ", ".join(f"{name(p)} {n}" for p, n in in_order) or "none"

        told = self.was or self.kind != "winner"  # a report may name who won by the rules
        was = f" (before: {listed(self.was)})" if before and told else ""
        what = CHANGED[self.kind]
        now = f"the {what} {'are now:' if counted else 'is now'} {listed(self.now)}"
        said = now if counted or self.now else f"there is no {what} any more"
        return f"{said}{was}" + (f", because {self.why}" if self.why else "")

    def line(self, state: State) -> Lines:
        """The line of that result. A game without it tells nobody, because a declaration is a fact of its own."""
        declares = {"elimination": "elimination", "winner": "winner", "tokens": "token"}.get(self.kind, "")
        return declared_line(state.table.settings["visibility"], declares) or ()

    def owner(self, state: State, viewer: str) -> News:
        """What changed for that player, if the public is not told."""
        line = self.line(state)
        if self.kind not in ("elimination", "tokens") or not isinstance(line, str):
            return None
        if allowed(state.table, line, PUBLIC_VIEWER, (), over=True):
            return None
        was, now = dict(self.was).get(viewer, 0), dict(self.now).get(viewer, 0)
        if was == now:
            return None
        if self.kind == "elimination":
            return f"{CORRECTION}you are {'now' if now else 'no longer'} Elimination Candidate."
        return f"{CORRECTION}you have {count(now, 'Token')} of Life, not {was}."

    def public(self, state: State) -> str:
        """What a reopened decision had brought may not have been told, and is open again."""
        return f"{CORRECTION}{self._said(state, before=self.why != REOPENED)}."


# ---- what else hosts do --------------------------------------------------------------------------------------------


@fact("season S-11")
class SettingAmended(NamedTuple):
    key: str
    value: Any

    def host(self, state: State) -> str:
        head, dot, line = self.key.partition(".")
        now = state.table.settings.get(head, {})
        holds = (now.get(line) if dot else now) == self.value
        return f"{self.key} {'is now' if holds else 'was then'} {in_words(self.value)}"

    def evolve(self, table: Table) -> Table:
        assumed = table.assumptions
        head, dot, _ = self.key.partition(".")
        if dot and head in assumed:  # one line of a table is confirmed; the others are still assumed, one by one
            assumed = (*(x for x in assumed if x != head), *(f"{head}.{line}" for line in table.settings[head]))
        confirmed = tuple(x for x in assumed if x != self.key)
        return table._replace(settings=amended(table.settings, self.key, self.value), assumptions=confirmed)


@fact(HOST_POWERS, "votes, gifts and lots of the first end no longer count")
class ChoicesCleared(NamedTuple):
    def evolve(self, table: Table) -> Table:
        return _undecided(table, "play")._replace(
            votes={}, gifts={}, choices={}, lots={}, closed=frozenset(), decisions=(), weighed={}
        )


@fact(HOST_POWERS, holds=True, told_only=True)
class FieldSet(NamedTuple):
    """A host set a field of a player, or of the table (`player` is then empty), whatever the rules say.

    Its row in `Game.overrides` says what it changes and who is told.
    """

    player: Player
    field: str
    value: str

    def host(self, state: State) -> str:
        whose = f" of {state.table.name(self.player)}" if self.player else ""
        return f"a host sets {self.field}{whose} to {self.value or 'none'}"


@fact(HOST_POWERS, told_only=True)
class Remarked(NamedTuple):
    kind: str
    player: Player
    text: str
    about: int | None

    def host(self, state: State) -> str:
        if self.player:
            verbs = {"penalty": "is penalised", "breach": "broke a rule"}
            return f"{state.table.name(self.player)} {verbs[self.kind]}"
        return f"{self.kind}: {self.text}" + (f" (about entry {self.about})" if self.about else "")


TABLE_FACTS: tuple[type, ...] = tuple(
    cls for cls in list(globals().values()) if isinstance(cls, type) and cls.__module__ == __name__ and spec_of(cls)
)
