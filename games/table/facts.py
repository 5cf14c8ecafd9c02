"""What can have happened at every table. Past tense; derived at replay; never stored."""

from __future__ import annotations

from typing import Any, Literal

from events.instants import Instant
from events.record import NamedTuple
from games.kinds import Player
from games.table.state import Decision, Key, Reward, Stage, Status, TokenReason, Weighed

HOST_POWERS = "season: host powers"
"""The rule behind what a host decides, as facts and explanations name it."""


class SeatTaken(NamedTuple):
    player: Player
    garnets: int
    aliases: tuple[str, ...]
    channel: str


class AliasAdded(NamedTuple):
    player: Player
    alias: str


class Committed(NamedTuple):
    """The deal is fixed by this, but for the players' words."""

    commitment: str


class DrawReplaced(NamedTuple):
    """What had been published, or drawn, is gone by no more."""

    what: Literal["commitment", "deal", "cards", "newer", "again"]
    """Another commitment; another deal; an outcome that a host typed in; a draw from a seed of its own, although there
    was a commitment; a draw that was undone, and made again."""


class SeedKept(NamedTuple):
    """The seed behind the commitment; visible to hosts only."""

    seed: str


class WordAdded(NamedTuple):
    """A player's own words go into the deal."""

    player: Player
    text: str


class WordLate(NamedTuple):
    """Words that were said before the deal was known, in another copy of the log, came too late for it."""

    player: Player


class Moved(NamedTuple):
    """Garnets went from one purse to another. `why` is a sentence for the hosts."""

    src: str
    to: str
    garnets: int
    why: str
    rule: str


class PhaseBegan(NamedTuple):
    phase: str
    status: Status
    at: Instant
    ends: Instant | None


class PhaseEnded(NamedTuple):
    phase: str
    why: str


class DeadlineMoved(NamedTuple):
    """`about` None: the present phase; otherwise the decision of that key."""

    ends: Instant | None
    about: Key | None
    at: Instant
    """When it was moved: a pause that is on delays it only from then."""
    was: Instant | None = None
    """The end before, where a host moved one."""


class Paused(NamedTuple):
    at: Instant


class Resumed(NamedTuple):
    """Every end moves by the length of the pause, ms."""

    moved: int


class SeatReplaced(NamedTuple):
    """`before`: how whoever sat there until then is called."""

    player: Player
    name: str
    alias: str
    before: str


class PlayerLeft(NamedTuple):
    """`stage`: how far the match had come; what was decided by then stands."""

    player: Player
    at: Instant
    stage: Stage


class DecisionOpened(NamedTuple):
    decision: Decision


class DecisionClosed(NamedTuple):
    """`ended`: by the clock or a host, so that what was not decided stays undecided."""

    decision: Decision
    ended: bool
    why: str


class Reopened(NamedTuple):
    """A phase, or the decisions of one kind, that had ended are open again."""

    name: str


class VoteCast(NamedTuple):
    voter: Player
    candidate: Player
    about: str


class Abstained(NamedTuple):
    """A voter said on purpose that they name nobody: nobody waits for that vote."""

    voter: Player
    about: str


class GiftNamed(NamedTuple):
    """A holder said to whom the spare token goes; `GiftMade` follows when it takes effect."""

    player: Player
    receiver: Player


class ChoiceMade(NamedTuple):
    player: Player
    choice: Player
    about: str


class LotDrawn(NamedTuple):
    about: str
    among: tuple[Player, ...]
    outcome: Player


class TokenAwarded(NamedTuple):
    award: TokenReason


class TokenWithdrawn(NamedTuple):
    """The result was put in doubt again by a later entry."""

    award: TokenReason


class GiftMade(NamedTuple):
    player: Player
    receiver: Player


class GiftReturned(NamedTuple):
    player: Player
    receiver: Player


class TokenLapsed(NamedTuple):
    """Spare tokens that nobody got; below zero, some that had lapsed count again."""

    player: Player
    tokens: int


class RewardPaid(NamedTuple):
    """Garnets won by the rules; the bank pays."""

    reward: Reward


class RewardReturned(NamedTuple):
    """The result was put in doubt again: the bank takes them back."""

    reward: Reward


class TokensGranted(NamedTuple):
    """By a host's decision; below zero they were taken.

    Of those, `kept` are (below zero) the token that the player had kept, `lapsed` such as had lapsed before.
    """

    player: Player
    tokens: int
    kept: int = 0
    lapsed: int = 0


class TokensSettled(NamedTuple):
    """What a declaration, or its end, leaves of a player's tokens: so many more, or fewer."""

    player: Player
    tokens: int


class Declared(NamedTuple):
    """Hosts declared a result. Before the end it is kept, and counts then; `void` ends the match."""

    kind: Literal["elimination", "token", "winner", "void"]
    players: tuple[Player, ...]
    tokens: int | None
    seq: int


class ReasonTold(NamedTuple):
    """Why hosts declared something: for everybody, or for hosts only."""

    text: str
    about: int
    private: bool


class VotesWeighed(NamedTuple):
    """Tied votes were weighed by the garnets of their voters. What a voter holds later changes nothing. Source: S-4."""

    weighed: Weighed


class EliminationFound(NamedTuple):
    """Who is Elimination Candidate; nobody when a later entry has put it in doubt again."""

    players: tuple[Player, ...]
    why: str


class WinnersFound(NamedTuple):
    """Who won the match and who lost it; nobody when a later entry has put it in doubt again."""

    players: tuple[Player, ...]
    losers: tuple[Player, ...]
    why: str


class ResultChanged(NamedTuple):
    """A result that was told is another now: what it was, what it is, and why."""

    kind: Literal["elimination", "winner", "tokens", "scores", "ranking"]
    was: tuple[tuple[Player, int], ...]
    """(player, how many): tokens held, the score, the place; 1 for a candidate or winner. Scores: those that differ."""
    now: tuple[tuple[Player, int], ...]
    why: str


class SettingAmended(NamedTuple):
    key: str
    value: Any


class ChoicesCleared(NamedTuple):
    """Play was reopened: votes, gifts and lots of the former end no longer count."""


class FieldSet(NamedTuple):
    """A host set one thing of one player, or of the table (then `player` is empty), whatever the rules say."""

    player: Player
    field: str
    value: str


class Remarked(NamedTuple):
    """A note, a ruling, a breach or a penalty: kept, shown, without further effect."""

    kind: str
    player: Player
    text: str
    about: int | None


TABLE_FACTS: tuple[type, ...] = tuple(
    cls for cls in list(globals().values()) if isinstance(cls, type) and cls.__module__ == __name__
)
"""Every record of this module. Each is placed (evolve.py) and worded (words.py): `build` refuses any game otherwise."""
