"""The state that every game shares: seats, the phase and its end, purses, tokens, decisions and their inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from events.instants import Instant, later
from events.record import NamedTuple
from games.kinds import Directory, listed
from games.spans import Length

BANK = "bank"
ABSTAINS = ""
"""Stands in for a candidate: the voter abstained on purpose."""
Status: TypeAlias = Literal["setup", "running", "deciding", "finished"]
Key: TypeAlias = tuple[str, str, tuple[str, ...]]
"""The identity of a decision: its kind, what it is about, and among whom. With other candidates it is another one."""


class Seat(NamedTuple):
    name: str
    channel: str = ""


DECISIONS = frozenset({"gift", "choose", "vote", "lot", "ruling"})


def noun(kind: str) -> str:
    return "choice" if kind == "choose" else kind


Stage: TypeAlias = Literal["play", "tokens", "elimination", "decided"]
"""What a match has yet to decide: play goes on; who wins tokens; who is eliminated; nothing but gifts."""
STAGES: tuple[Stage, ...] = ("play", "tokens", "elimination", "decided")


class Left(NamedTuple):
    """When a player left, and how far the match had come. What was decided by then remains. Source: S-G3."""

    at: Instant
    stage: Stage
    early: bool = False
    """Did they leave before play began?"""
    past: int = 0
    """How many phases had ended by then."""


OPPONENT = "opponent"
"""The subject (`about`) of the choice of an opponent for the Death Match. Source: season S-1."""


def spare_tokens(number: int) -> str:
    """
    >>> spare_tokens(1), spare_tokens(2)
    ('a spare Token of Life', '2 spare Tokens of Life')
    """
    return f"{number} spare Tokens of Life" if number > 1 else "a spare Token of Life"


class Decision(NamedTuple):
    """Something that must be decided before the match can end.

    `about` is its subject (`elimination`, `token:ann`); `ends` is None without a clock.
    """

    kind: Literal["gift", "choose", "vote", "lot", "ruling"]
    who: tuple[str, ...]
    among: tuple[str, ...]
    about: str
    opened: Instant = Instant(0)
    ends: Instant | None = None

    @property
    def noun(self) -> str:
        return noun(self.kind)

    @property
    def key(self) -> Key:
        """A vote or lot among other candidates is another decision, and so is another player's choice; a gift stays the
        same when a receiver drops out."""
        parts = {"vote": self.among, "lot": self.among, "choose": self.who}
        return (self.kind, self.about, parts.get(self.kind, ()))


class Need(NamedTuple):
    """A decision that the rules need, and its length: a number of hours (0: no clock), or a text like `3m`."""

    decision: Decision
    hours: Length


class TokenReason(NamedTuple):
    """A token won by the rules: by whom, on which condition, why in words, and the numbered rule."""

    player: str
    condition: str
    why: str
    rule: str
    lines: tuple[str, ...] | None = None
    """The lines that reveal why, in addition to that of tokens. None: only hosts are told."""
    short: str = ""
    """The condition in words, for everybody who may know of the token."""
    how: str = "won"
    """`won`, or by `lot`, or by the `choice` of `by`."""
    by: tuple[str, ...] = ()


class Reward(NamedTuple):
    player: str
    garnets: int
    why: str
    rule: str


class Weighed(NamedTuple):
    """How tied votes were weighed: the votes, and each voter's garnets at the moment that decided."""

    about: str
    among: tuple[str, ...]
    votes: tuple[tuple[str, str], ...]
    """(voter, candidate)."""
    garnets: tuple[tuple[str, int], ...]
    """(voter, garnets held)."""

    @property
    def key(self) -> Key:
        return ("vote", self.about, self.among)


class Choice(NamedTuple):
    """The outcome of an election: a player, or the decision that is still needed."""

    player: str | None
    why: str
    need: Need | None
    how: str = "rank"
    """`rank` (the only candidate), `vote`, `weights` (tied votes, by garnets), `lot`, `choice` (one player's)."""
    by: tuple[str, ...] = ()
    weighed: Weighed | None = None


class Spare(NamedTuple):
    """What becomes of tokens above one: the holder may `give` them for a time, or they lapse at once. Source: S-2."""

    hours: Length
    give: bool = True


class Verdict(NamedTuple):
    """How a match ends by its rules, as far as is known: a pure function of the state, derived after every entry.

    Declarations overrule it, and gifts follow from it (`endgame.ruled`).
    """

    awards: tuple[TokenReason, ...] = ()
    elimination: tuple[str, ...] = ()
    elimination_why: str = ""
    needed: tuple[Need, ...] = ()
    rewards: tuple[Reward, ...] = ()
    winners: tuple[str, ...] = ()
    """The winners of a match that has winners and losers instead of tokens."""
    losers: tuple[str, ...] = ()
    winners_why: str = ""
    spare: Spare | None = None
    """None: players keep tokens above one."""
    choice: Choice | None = None
    """The election of the Elimination Candidate, if there was one."""
    elimination_how: str = "rank"
    """How the rules find the Elimination Candidate without a decision: `rank` or `automatic`."""
    elimination_lines: tuple[str, ...] | None = None
    """The lines that reveal `elimination_why`, in addition to that of the elimination. None: only hosts are told."""
    elimination_short: str = ""
    """Why, in words that reveal only who it is."""
    elimination_base: str = ""
    """Why, without the outcome of a vote or a lot. Empty: `elimination_why`."""
    elimination_each: Mapping[str, str] = {}
    """Player -> why, if the reasons differ."""
    unwon: tuple[TokenReason, ...] = ()
    """Tokens that nobody won (`player` is empty), because of a tie or because three players ended the match."""


class Declaration(NamedTuple):
    """A result that hosts declared. It counts until it is undone or another of its kind is declared."""

    kind: Literal["elimination", "token", "winner", "void"]
    players: tuple[str, ...]
    tokens: int | None
    """For a token: how many the player has in all."""
    seq: int
    granted: int = 0
    """For a token: how many hosts had awarded earlier."""


class Told(NamedTuple):
    text: str
    private: bool


class Submission(NamedTuple):
    """A submission as it is kept. `content` is None for a blank on purpose, or a withdrawal."""

    seq: int
    at: Instant
    content: Any
    kind: Literal["sheet", "blank", "withdrawn"]
    late: bool
    parts: tuple[str, ...] | None = None
    """For an addition: the kinds of items that it replaces. None: a whole sheet."""


class Round(NamedTuple):
    """A round of sealed submissions. Every sheet is kept, even if it no longer counts."""

    name: str
    opened: Instant
    closed: Instant | None = None
    sheets: Mapping[str, tuple[Submission, ...]] = {}
    admitted: frozenset[int] = frozenset()
    """Entries of late sheets that count, by a ruling or because the end was moved past them."""
    held: Mapping[str, int] = {}
    """The garnets of each player when submissions ended."""

    def with_sheet(self, player: str, sheet: Submission) -> Round:
        return self._replace(sheets={**self.sheets, player: (*self.sheets.get(player, ()), sheet)})

    def with_admitted(self, seq: int) -> Round:
        return self._replace(admitted=self.admitted | {seq})


class Table(NamedTuple):
    """The shared part of a game's state. Frozen; only facts change it."""

    game: str
    title: str
    zone: str
    hosts: tuple[str, ...]
    seats: Mapping[str, Seat]
    settings: Mapping[str, Any]
    """Every setting by name, as in the log; a game's typed settings are made from it."""
    assumptions: tuple[str, ...]
    began: Instant
    phase: str
    status: Status = "setup"
    ends: Instant | None = None
    since: Instant = Instant(0)
    game_id: str = ""
    """The hash of line 1, to which a commitment is bound."""
    aliases: Mapping[str, str] = {}
    commitment: str | None = None
    words: int = 0
    purses: Mapping[str, int] = {}
    """Garnets by purse. The bank is one and may be negative. The sum is always 0."""
    tokens: Mapping[str, int] = {}
    """Tokens of Life held: awarded, granted, given, received, lapsed."""
    awards: tuple[TokenReason, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    lapsed: Mapping[str, int] = {}
    rewards: tuple[Reward, ...] = ()
    granted: Mapping[str, int] = {}
    """Player -> tokens awarded by hosts; negative if taken."""
    taken: Mapping[str, int] = {}
    """Player -> kept tokens that hosts took; what was given away or lapsed stays so."""
    elimination: tuple[str, ...] = ()
    weighed: Mapping[Key, Weighed] = {}
    declared: tuple[Declaration, ...] = ()
    """Every declaration in the order of the match; `standing` has those that count."""
    reasons: Mapping[int, Told] = {}
    """Entry of a declaration -> the hosts' reason."""
    seated: Mapping[str, int] = {}
    """The garnets that each player brought."""
    decisions: tuple[Decision, ...] = ()
    past: tuple[str, ...] = ()
    """Phases and kinds of decisions that have ended, in order."""
    votes: Mapping[str, Mapping[str, str]] = {}
    """Subject of the vote -> voter -> candidate."""
    gifts: Mapping[str, tuple[str, ...]] = {}
    """Giver -> receivers named, in order."""
    choices: Mapping[tuple[str, str], str] = {}
    """(subject, who chose) -> who was chosen."""
    lots: Mapping[Key, str] = {}
    closed: frozenset[Key] = frozenset()
    """Decisions that the clock or a host has ended."""
    round: Round | None = None
    last: Round | None = None
    resolved: tuple[str, ...] = ()
    paused: Instant | None = None
    left: Mapping[str, Left] = {}
    """Players who have left: nobody asks them, tells them or chooses them for anything."""
    outside: frozenset[str] = frozenset()
    """The seats of outsiders, who may contribute but are not ranked, and owe nothing unless they are asked."""
    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    void: bool = False

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(p for p in self.seats if p not in self.outside) if self.outside else tuple(self.seats)

    @property
    def standing(self) -> tuple[Declaration, ...]:
        """The declarations that count: the latest of each kind, and for tokens the latest of each player."""
        latest = {(row.kind, row.players if row.kind == "token" else ()): row for row in self.declared}
        return tuple(row for row in self.declared if row in latest.values())

    def declares(self, kind: str) -> Declaration | None:
        """A declaration of that kind that counts, or None."""
        return next((row for row in reversed(self.declared) if row.kind == kind), None) if self.declared else None

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(p for p in self.players if p not in self.left) if self.left else self.players

    @property
    def may_win(self) -> tuple[str, ...]:
        """The players who may win tokens and garnets at the end, in seat order: all who stayed during play. S-G3."""
        return tuple(p for p in self.players if not self.gone(p, "play")) if self.left else self.players

    @property
    def phases_over(self) -> int:
        """How many phases have ended. Decisions do not count: that one has ended may be a secret."""
        return sum(name not in DECISIONS for name in self.past)

    def missed(self, player: str) -> bool:
        """Has a phase that was played ended without that player, who had left?"""
        left = self.left.get(player)
        return left is not None and not self.never_played(player) and self.phases_over > left.past

    def never_played(self, player: str) -> bool:
        """Has play begun without that player, who had left?"""
        return self.status != "setup" and player in self.left and self.left[player].early

    def gone(self, player: str, stage: Stage) -> bool:
        """Had that player left before the match got past this stage?"""
        left = self.left.get(player)
        return left is not None and STAGES.index(left.stage) <= STAGES.index(stage)

    def remaining(self, candidates: Iterable[str], stage: Stage) -> tuple[str, ...]:
        """The candidates who had not left by that stage, or all if every one had. Source: S-G3."""
        names = tuple(candidates)
        return tuple(p for p in names if not self.gone(p, stage)) or names

    @property
    def stage(self) -> Stage:
        if self.status not in ("deciding", "finished"):
            return "play"
        pending = [d for d in self.decisions if d.kind != "gift"]
        if any(d.about == "elimination" for d in pending):
            return "elimination"
        return "tokens" if pending else "decided"

    def begun(self, phase: str, at: Instant, ends: Instant | None) -> Table:
        """The table with a phase that begins now. A pause goes on."""
        return self._replace(phase=phase, since=at, ends=self.kept_end(at, ends))

    def kept_end(self, at: Instant, end: Instant | None) -> Instant | None:
        """An end that is set at `at`, as the table keeps it.

        `resume` moves every end by the whole pause, but an end set during the pause only waits for the rest of it.
        """
        return end if end is None or self.paused is None else later(end, self.paused - at)

    def voted(self, about: str) -> bool:
        """Was there a vote about it, whether or not anybody named somebody?"""
        return about in self.votes or any(key[:2] == ("vote", about) for key in self.closed)

    def timed(self) -> Decision | None:
        """The decision whose end a host moves; None: the phase."""
        return next((d for d in self.decisions if d.kind in ("vote", "gift", "choose")), None)

    def end_at(self, at: Instant) -> Instant | None:
        """The end that a host moves, as the clock shows it at that moment, even if it has passed."""
        timed = self.timed()
        if timed is None and self.round is not None and self.round.closed is not None:
            return self.round.closed
        end = timed.ends if timed else self.ends
        return end if end is None or self.paused is None else later(end, at - self.paused)

    def next_end(self) -> Instant | None:
        """The next end that the clock will reach, of the phase or a decision. None while it is paused."""
        if self.paused is not None:
            return None
        if not self.decisions:
            return self.ends
        ends = [d.ends for d in self.decisions if d.ends is not None]
        if self.ends is not None:
            ends.append(self.ends)
        return min(ends, default=None)

    def directory(self) -> Directory:
        return Directory({p: s.name for p, s in self.seats.items()}, self.aliases)

    def name(self, player: str) -> str:
        return self.seats[player].name

    def named(self, players: Iterable[str]) -> str:
        return listed(map(self.name, players))

    def one_of(self, players: Iterable[str]) -> str:
        """The names with `or`: Ann, Bob or Cyd."""
        return listed(map(self.name, players), "or")

    def garnets(self, player: str) -> int:
        return self.purses.get(player, 0)
