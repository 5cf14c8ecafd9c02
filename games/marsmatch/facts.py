"""The state of a match of MarsMatch and its facts: each with its rule, its words and its effect.

Source: sections 2 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from events.audiences import PUBLIC_VIEWER
from events.instants import Instant
from events.record import NamedTuple
from games.contract import COURSE, LEFT, Fact, FactSpec, News, Puts, fact
from games.kinds import Player, count
from games.kit.blocks import Strong, When
from games.marsmatch.actions import HEAVENLY, TITLES, Settings, Title
from games.marsmatch.cards import EMPTY, Hand, compact, count as as_hand, minus, plus
from games.marsmatch.combos import Reading, called
from games.parts.dealing import CardsDealt, HandDealt
from games.spans import show_span
from games.table import Table, facts as table_facts
from games.table.facts import HOST_POWERS
from games.table.view import allowed


class Trick(NamedTuple):
    by: str
    cards: Hand
    reading: Reading


class Round(NamedTuple):
    round: int
    banker: str | None
    titles: Mapping[str, Title]
    points: Mapping[str, int]


class State(NamedTuple):
    table: Table
    settings: Settings
    round: int = 1
    seats: tuple[str, ...] = ()
    banker: str | None = None
    hands: Mapping[str, Hand] = {}
    dealt: Mapping[str, Hand] | None = None
    """The hands as dealt, once the deal of this round is complete."""
    opened: bool = False
    ended: bool = False
    gone: Hand = EMPTY
    first: str | None = None
    """The player who led first in the Real Match."""
    leader: str | None = None
    turn: str | None = None
    trick: Trick | None = None
    passed: frozenset[str] = frozenset()
    """The players who have passed since the last play, or in this trick with `pass_locks`."""
    orphan: str | None = None
    """The player whose last play was not beaten and who names the next leader (MM-7)."""
    plays: Mapping[str, int] = {}
    """Player -> the number of their plays in this round."""
    runner: str | None = None
    """The player who played last, and so has a run."""
    run: int = 0
    asked: tuple[RunReached, ...] = ()
    """Runs of three that a host must judge."""
    out: tuple[str, ...] = ()
    """The players who have a title of this round and are out of play, in order."""
    emptied: tuple[str, ...] = ()
    """Those of `out` who emptied their hand in the Real Match."""
    heavenly: frozenset[str] = frozenset()
    """Those of `out` who won in the Initial Phase."""
    titles: Mapping[str, Title] = {}
    gained: Mapping[str, int] = {}
    points: Mapping[str, int] = {}
    before: tuple[Round, ...] = ()

    @property
    def playing(self) -> bool:
        return self.opened and not self.ended

    @property
    def over(self) -> bool:
        """Is the last round played? A round that nobody has opened does not count, even if it has begun."""
        rounds = self.settings.rounds
        return (self.ended and self.round >= rounds) or (not self.opened and self.round > rounds)

    @property
    def rounds(self) -> tuple[Round, ...]:
        return (*self.before, Round(self.round, self.banker, self.titles, self.gained)) if self.ended else self.before

    @property
    def order(self) -> tuple[str, ...]:
        """The seats clockwise, or as in the match file before they are drawn. Players without a seat come last."""
        return (*self.seats, *(p for p in self.table.players if p not in self.seats))

    def active(self) -> tuple[str, ...]:
        """The players who are still in the Real Match, clockwise."""
        out, left = self.out, self.table.left
        return tuple([p for p in self.order if p not in out and p not in left and p in self.hands])

    def clockwise(self, player: str) -> tuple[str, ...]:
        """All other seats, beginning with the next one."""
        at = self.order.index(player)
        return (*self.order[at + 1 :], *self.order[:at])

    @property
    def finished(self) -> bool:
        """Is the match finished? Not while a host must judge a run."""
        return self.table.status == "finished"

    def may(self, line: str, viewer: str) -> bool:
        """May `viewer` know everything in that line, whomever it concerns?"""
        return allowed(self.table, line, viewer, (), over=self.finished)

    def went_out(self, player: str, title: Title, points: int) -> State:
        return self._replace(
            out=self.out if player in self.out else (*self.out, player),
            titles={**self.titles, player: title},
            gained={**self.gained, player: self.gained.get(player, 0) + points},
            points={**self.points, player: self.points.get(player, 0) + points},
        )


@fact("section 2, 1; MM-6", line=COURSE)
class BankerDrawn(NamedTuple):
    """The Banker and the seats are drawn; `seats` is clockwise."""

    banker: Puts[Player]
    seats: Puts[tuple[Player, ...]]

    def host(self, state: State, clockwise: str = "; clockwise") -> str:
        name = state.table.name
        return f"{name(self.banker)} is Banker{clockwise}: {', '.join(map(name, self.seats))}"

    def public(self, state: State) -> str:
        return f"{self.host(state, '. Clockwise')}."


@fact("section 2, 2; MM-1 to MM-4", line="heavenly_hands")
class HeavenlyWon(NamedTuple):
    player: Player
    hand: Literal["starlink", "ufo"]
    title: Title
    points: int

    def host(self, state: State) -> str:
        worth = f"{TITLES[self.title].name}, {count(self.points, 'point')}"
        return f"{state.table.name(self.player)} holds a {HEAVENLY[self.hand][0]}: {worth}"

    def public(self, state: State) -> str:
        hand, cards = HEAVENLY[self.hand]
        worth = (
            f": {TITLES[self.title].name}, {count(self.points, 'point')}" if state.may("points", PUBLIC_VIEWER) else ""
        )
        return f"{state.table.name(self.player)} shows a {hand} ({cards}){worth}."

    def evolve(self, state: State) -> State:
        out = state.went_out(self.player, self.title, self.points)
        return out._replace(heavenly=state.heavenly | {self.player})


@fact("section 2, 3", line="plays")
class TurnBegan(NamedTuple):
    """A player's turn begins; if it `leads` a trick, they may not pass."""

    player: Player
    leads: bool
    at: Instant
    ends: Instant | None

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} {'leads' if self.leads else 'is next'}"

    def public(self, state: State) -> News:
        if self.ends is None:
            return f"{self.host(state)}."
        paused = state.table.paused is not None
        return (self.host(state), *(("; the clock is paused",) if paused else (", until ", When(self.ends))), ".")

    def over(self, state: State) -> bool:
        return (state.playing, state.turn, state.table.since) != (True, self.player, self.at)

    def evolve(self, state: State) -> State:
        """The end of a turn is kept as the end of the phase, so that a pause moves it; during one, only by the rest."""
        table = state.table.begun(state.table.phase, self.at, self.ends)
        if not self.leads:
            return state._replace(table=table, turn=self.player)
        first = (state.first if state.plays else None) or self.player  # who left before leading did not lead
        return state._replace(table=table, turn=self.player, leader=self.player, first=first, orphan=None)


@fact("section 3, Beats", line="plays")
class Played(NamedTuple):
    """A player played cards. `why` says why they may; `automatic`, that their time was over."""

    player: Player
    cards: tuple[str, ...]
    reading: Reading
    why: str
    automatic: bool

    def host(self, state: State) -> str:
        late = " because the time was over (MM-25)" if self.automatic else ""
        cards = " ".join(self.cards)
        return f"{state.table.name(self.player)} plays {cards}: {called(self.reading)}; {self.why}{late}"

    def public(self, state: State) -> News:
        late, left = "Time is over: " if self.automatic else "", sum(state.hands.get(self.player, ()))
        size = f" {count(left, 'card')} left." if state.may("hand_sizes", PUBLIC_VIEWER) else ""
        name = state.table.name(self.player)
        return (f"{late}{name} plays ", Strong(" ".join(self.cards)), f" ({called(self.reading)}).{size}")

    def evolve(self, state: State) -> State:
        cards, player = as_hand(self.cards), self.player
        return state._replace(
            hands={**state.hands, player: minus(state.hands[player], cards)},
            gone=plus(state.gone, cards),
            trick=Trick(player, cards, self.reading),
            passed=state.passed if state.settings.pass_locks else frozenset(),
            plays={**state.plays, player: state.plays.get(player, 0) + 1},
            runner=player,
            run=state.run + 1 if state.runner == player else 1,
        )


@fact(line="plays")
class Passed(NamedTuple):
    player: Player
    automatic: bool

    def rule(self, state: State) -> str:
        return "MM-25" if self.automatic else "section 2, 3; MM-19, MM-20"

    def host(self, state: State) -> str:
        return f"{state.table.name(self.player)} passes{' because the time was over' if self.automatic else ''}"

    def public(self, state: State) -> str:
        return f"{'Time is over: ' if self.automatic else ''}{state.table.name(self.player)} passes."

    def evolve(self, state: State) -> State:
        return state._replace(passed=state.passed | {self.player})


@fact("MM-25", line="plays", told_only=True)
class CameLate(NamedTuple):
    """A play or pass came some ms after the end of the turn; it counts, because nobody had recorded the end."""

    player: Player
    ms: int

    def host(self, state: State) -> str:
        ago = show_span(self.ms, long=True)
        return f"{state.table.name(self.player)}'s turn had ended {ago} before; it counts, as no timeout was recorded"


@fact("section 2, 3", "{player} wins the trick: everybody else has passed", "plays", public="{player} wins the trick.")
class TrickWon(NamedTuple):
    player: Player

    def evolve(self, state: State) -> State:
        table = state.table._replace(ends=None)
        return state._replace(table=table, trick=None, passed=frozenset(), turn=None, orphan=self.player)


@fact("section 2, 3; MM-7", "{player} leads next ({why})")
class LeadNamed(NamedTuple):
    player: Player
    why: str

    def evolve(self, state: State) -> State:
        return state._replace(orphan=None)


@fact("MM-9")
class RunReached(NamedTuple):
    """A player's third play in a row, and a host must say whether it wins (MM-9)."""

    player: Player
    about: str

    def host(self, state: State) -> str:
        ruling = f'hl ruling "win {self.player} WHY", or hl close ruling'
        return f"{state.table.name(self.player)} has played three times in a row: {ruling}"

    def evolve(self, state: State) -> State:
        return state._replace(asked=(*state.asked, self))


@fact("section 2, 4; MM-8 to MM-11", line="points")
class WentOut(NamedTuple):
    player: Player
    title: Title
    points: int
    why: str

    def _is_out(self, state: State) -> str:
        return f"{state.table.name(self.player)} is out: {TITLES[self.title].name}, {count(self.points, 'point')}"

    def host(self, state: State) -> str:
        return f"{self._is_out(state)} ({self.why})"

    def public(self, state: State) -> str:
        return f"{self._is_out(state)}."

    def evolve(self, state: State) -> State:
        emptied = state.emptied if any(state.hands[self.player]) else (*state.emptied, self.player)
        asked = tuple(run for run in state.asked if run.player != self.player)
        return state.went_out(self.player, self.title, self.points)._replace(emptied=emptied, asked=asked)


@fact("section 2, 4; MM-5, MM-8", line="points")
class RoundEnded(NamedTuple):
    round: int
    losers: tuple[Player, ...]

    def _losers(self, state: State) -> str:
        losers = f"Total Loser{'s' if len(self.losers) > 1 else ''}: {state.table.named(self.losers)}"
        return losers if self.losers else "Nobody is a Total Loser"

    def host(self, state: State) -> str:
        return f"round {self.round} is over; {self._losers(state)}"

    def public(self, state: State) -> str:
        return f"Round {self.round} is over. {self._losers(state)}."

    def evolve(self, state: State) -> State:
        lost: dict[str, Title] = dict.fromkeys(self.losers, "total_loser")
        return state._replace(ended=True, titles={**state.titles, **lost})


@fact(HOST_POWERS, "round {round} goes on; nobody is a Total Loser yet")
class RoundReopened(NamedTuple):
    round: int

    def evolve(self, state: State) -> State:
        titles = {p: title for p, title in state.titles.items() if title != "total_loser"}
        return state._replace(ended=False, titles=titles)


@fact("MM-24", "round {round} begins: draw the Banker, then deal")
class RoundBegan(NamedTuple):
    """A round begins: cards, titles and seats of the last one are cleared; points stay."""

    round: int

    def evolve(self, state: State) -> State:
        return State(state.table, state.settings, self.round, points=state.points, before=state.rounds)


def for_hosts(state: State, facts: tuple[Fact, ...]) -> list[str]:
    """The number of cards of each player who played, and whose turn it is."""
    changed = dict.fromkeys(fact.player for fact in facts if isinstance(fact, (Played, table_facts.FieldSet)))
    marked = {p: f"{p} {LEFT}" if p in state.table.left else p for p in changed}
    lines = [f"{marked[p]}: {count(sum(state.hands.get(p, ())), 'card')} left" for p in changed]
    if state.playing and state.turn is not None and any(isinstance(fact, TurnBegan) for fact in facts):
        lines.append(f"{state.turn} {'leads' if state.trick is None else 'plays or passes'}")
    return lines


def _deadline(fact: table_facts.DeadlineMoved, state: State) -> News:
    if fact.ends is None or fact.about is not None:
        return fact.public(state)
    return ("The time of this turn now ends ", When(fact.ends), ".")


def _replaced(fact: table_facts.SeatReplaced, state: State) -> str:
    """Who takes over a seat that the draw left out sits behind the others, until the cards are dealt. Source: MM-32."""
    said, at = fact.host(state), state.order.index(fact.player)
    before = [p for p in state.order[:at] if p not in state.table.left]
    if state.dealt is not None or not state.seats or fact.player in state.seats or not before:
        return said
    return f"{said}, and sits after {state.table.name(before[-1])}"


PARTS = {"initial": "the Initial Phase", "real": "the Real Match"}
TABLE_FACTS: Mapping[type, FactSpec] = {
    HandDealt: FactSpec(
        "section 1",
        lambda fact, state: f"{state.table.name(fact.player)} is dealt {count(len(fact.cards), 'card')}",
        "own_hand",
        lambda fact, state, viewer: ("Your hand: ", Strong(compact(as_hand(fact.cards))), "."),
        evolve=lambda fact, state: state._replace(hands={**state.hands, fact.player: as_hand(fact.cards)}),
    ),
    CardsDealt: FactSpec(
        "section 1",
        "the cards of this round are dealt",
        COURSE,
        public="The cards are dealt.",
        evolve=lambda fact, state: state._replace(dealt=state.hands),
    ),
    table_facts.PhaseEnded: FactSpec(
        "section 2",
        lambda fact, state: f"{PARTS.get(fact.phase, fact.phase)} ends: {fact.why}",
        evolve=lambda fact, state: state._replace(opened=True) if fact.phase == "initial" else state,
    ),
    table_facts.PhaseBegan: FactSpec(
        "section 2",
        lambda fact, state: f"{PARTS[fact.phase]} begins" if fact.phase in PARTS else fact.host(state),
        public=lambda fact, state: {
            "real": f"The Real Match {'goes on' if state.plays and state.may('plays', PUBLIC_VIEWER) else 'begins'}.",
            "finished": "The match is over.",
        }.get(fact.phase),
    ),
    table_facts.SeatReplaced: FactSpec(host=_replaced, public=lambda fact, state: f"{_replaced(fact, state)}."),
    table_facts.DecisionOpened: FactSpec(
        "season S-2 to S-4",
        owner=lambda fact, state, viewer: (
            f"Your last play was not beaten: name who leads, {state.table.one_of(fact.decision.among)}."
        ),
    ),
    table_facts.DeadlineMoved: FactSpec(line="plays", public=_deadline),
    table_facts.Resumed: FactSpec(  # the end of a turn tells when it began: only who may know the plays is told it
        public=lambda fact, state: fact.public(state) if state.may("plays", PUBLIC_VIEWER) else "The clock runs again."
    ),
}
