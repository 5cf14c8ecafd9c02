"""Seats, hands, the trick that is on, titles and points of a match, as the facts so far leave them."""

from __future__ import annotations

from collections.abc import Mapping

from events.record import NamedTuple
from games.marsmatch.cards import EMPTY, Hand
from games.marsmatch.combos import Reading
from games.marsmatch.facts import RunReached, Title
from games.marsmatch.settings import Settings
from games.table import Table


class Trick(NamedTuple):
    by: str
    cards: Hand
    reading: Reading


class Round(NamedTuple):
    round: int
    banker: str | None
    titles: Mapping[str, Title]
    points: Mapping[str, int]
    """What the titles of this round brought."""


class State(NamedTuple):
    table: Table
    settings: Settings
    round: int = 1
    seats: tuple[str, ...] = ()
    """Clockwise, once they are drawn."""
    banker: str | None = None
    hands: Mapping[str, Hand] = {}
    dealt: Mapping[str, Hand] | None = None
    """The hands as dealt, once the deal of this round is whole."""
    opened: bool = False
    """Play of this round has begun."""
    ended: bool = False
    gone: Hand = EMPTY
    """Cards played in this round."""
    first: str | None = None
    """Who led first in the Real Match."""
    leader: str | None = None
    """Who leads, or led, the present trick."""
    turn: str | None = None
    trick: Trick | None = None
    passed: frozenset[str] = frozenset()
    """Who has passed since the last play, or, with `pass_locks`, in this trick."""
    orphan: str | None = None
    """Whose last play was not beaten and who names who leads (MM-7)."""
    plays: Mapping[str, int] = {}
    """Player -> how often they have played in this round."""
    runner: str | None = None
    """Who played last, and so has a run."""
    run: int = 0
    """How many plays in a row are theirs, nobody else having played in between."""
    asked: tuple[RunReached, ...] = ()
    """Runs of three that a host has to judge."""
    out: tuple[str, ...] = ()
    """Who has left this round with a title, in order."""
    emptied: tuple[str, ...] = ()
    """Of those, who did so in the Real Match by emptying their hand."""
    heavenly: frozenset[str] = frozenset()
    """Of those, who did so in the Initial Phase."""
    titles: Mapping[str, Title] = {}
    """Of this round."""
    gained: Mapping[str, int] = {}
    """What the titles of this round brought."""
    points: Mapping[str, int] = {}
    """Of all rounds."""
    before: tuple[Round, ...] = ()
    """The rounds before this one."""

    @property
    def playing(self) -> bool:
        """Is the Real Match on?"""
        return self.opened and not self.ended

    @property
    def over(self) -> bool:
        """Is the last round played? Also when there are fewer than had begun: one that nobody has opened is none."""
        rounds = self.settings.rounds
        return (self.ended and self.round >= rounds) or (not self.opened and self.round > rounds)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds that are over."""
        return (*self.before, Round(self.round, self.banker, self.titles, self.gained)) if self.ended else self.before

    @property
    def order(self) -> tuple[str, ...]:
        """The seats clockwise; before they are drawn those of the match file. Who got no seat comes last."""
        return (*self.seats, *(p for p in self.table.players if p not in self.seats))

    def active(self) -> tuple[str, ...]:
        """Who takes part in the Real Match still, clockwise."""
        out, left = self.out, self.table.left
        return tuple([p for p in self.order if p not in out and p not in left and p in self.hands])

    def clockwise(self, player: str) -> tuple[str, ...]:
        """All other seats, from the next one on."""
        at = self.order.index(player)
        return (*self.order[at + 1 :], *self.order[:at])
