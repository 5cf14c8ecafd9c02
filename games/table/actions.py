"""The shared verbs: what a host can say in every game. Names, help and types come from here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from events.record import NamedTuple
from games.kinds import HEX, INSTANT, NAME, PLAYER, TEXT, Kind
from games.records import ABSENT, Arg, Bounds

Player = Annotated[str, PLAYER]
Seq = Annotated[int, Bounds(1)]
Amount = Annotated[int, Bounds(-1000, 1000)]
ROUND = Kind("ROUND", NAME.pattern, NAME.read)
SentFor = Annotated[str, ROUND, Arg("Filled in: the round it was sent for.", hidden=True)]
"""A field `round`, `ABSENT` by default: without one a sheet is for whichever round is on. Source: decision 0025."""
VOTE = "vote"
"""In place of a round: a blank that is an abstention."""


class Create(NamedTuple):
    """The first line of every log: the game, its settings, the roster."""

    format: Literal[1]
    game: str
    rules: Annotated[int, Bounds(1)]
    texts: Annotated[int, Bounds(1)]
    settings: dict[str, Any]
    roster: tuple[dict[str, str], ...]
    zone: str
    title: str
    hosts: tuple[str, ...]
    assumptions: tuple[str, ...]


class Seat(NamedTuple):
    """A player takes a seat with the garnets of the season."""

    player: Player
    garnets: Annotated[int, Bounds(0, 1000)] = 0
    aliases: tuple[str, ...] = ()
    channel: str | None = None


class Alias(NamedTuple):
    """Give a player a further spelling."""

    player: Annotated[Player, Arg("Whose spelling.")]
    alias: Annotated[str, TEXT, Arg("How hosts will type the name.")]


class Hand(NamedTuple):
    """The cards one player was dealt. Written by `deal`, one for each player."""

    player: Player
    cards: tuple[str, ...]


class Commit(NamedTuple):
    """Publish what fixes the deal without showing it; then players add words, and nobody alone can steer it."""

    commitment: Annotated[str | None, HEX, Arg("Filled in.", hidden=True)] = None


class Seed(NamedTuple):
    """The seed behind a commitment. Written by `commit`, for the hosts alone."""

    seed: Annotated[str, HEX]


class Word(NamedTuple):
    """A player adds words of his own to the deal: any text, as he sent it."""

    player: Annotated[Player, Arg("Whose words.")]
    text: Annotated[str, TEXT, Arg("The words.")]


class Deal(NamedTuple):
    """Deal the cards: drawn and recorded, or read from a file with --from."""

    method: Literal["drawn", "typed"] = "drawn"
    seed: str | None = None


class Open(NamedTuple):
    """Start play."""


class Close(NamedTuple):
    """End the present phase, or the decision that is open, now."""

    phase: Annotated[
        str | None, NAME, Arg("Which phase or decision is meant; the present one if not given.", positional=True)
    ] = None


class Reopen(NamedTuple):
    """Go back into the phase that ended last."""

    phase: Annotated[
        str | None, NAME, Arg("Which phase or decision is meant; the last one if not given.", positional=True)
    ] = None


class Deadline(NamedTuple):
    """Move the end of the present phase or decision: +6h from now, or a time."""

    when: Annotated[str, INSTANT, Arg("The new end: +6h, -30m (from now) or a time.")]


class Note(NamedTuple):
    """Keep a remark for the hosts."""

    text: Annotated[str, TEXT, Arg("What to remember.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Ruling(NamedTuple):
    """Record what a host decided and why. With --about it settles a contested entry."""

    text: Annotated[str, TEXT, Arg("The decision and its reason; or: admit SEQ.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Override(NamedTuple):
    """Set one field of one player to a value, whatever the rules say."""

    field: Annotated[str, NAME, Arg("Which field; hl override --help lists them.")]
    player: Annotated[Player, Arg("Whose.")]
    value: Annotated[str, Arg('The new value; several cards are one value: "R4 B4 R9".')]


class Penalty(NamedTuple):
    """Record a penalty, and take garnets if --garnets says so."""

    player: Annotated[Player, Arg("Who is penalised.")]
    garnets: Annotated[int, Bounds(0, 1000), Arg("Garnets taken.")] = 0


class Breach(NamedTuple):
    """Record that a player broke a rule, for a ruling later."""

    player: Annotated[Player, Arg("Who broke it.")]


class Award(NamedTuple):
    """Give (or with a minus take) garnets or tokens by a host's decision."""

    player: Annotated[Player, Arg("Who receives.")]
    what: Annotated[Literal["garnets", "tokens"], Arg("garnets or tokens.")]
    amount: Annotated[Amount, Arg("How many; below zero takes.")]


class Blank(NamedTuple):
    """Record that a player said on purpose that he submits nothing."""

    player: Annotated[Player, Arg("Who.")]
    round: SentFor = ABSENT


class Vote(NamedTuple):
    """Record one vote; a later vote of the same voter replaces it."""

    voter: Annotated[Player, Arg("Who votes.")]
    candidate: Annotated[Player, Arg("For whom.")]


class Gift(NamedTuple):
    """A player gives a spare token away."""

    player: Annotated[Player, Arg("Who gives.")]
    receiver: Annotated[Player, Arg("Who receives.")]


class Choose(NamedTuple):
    """A player makes a choice that is his by the rules."""

    player: Annotated[Player, Arg("Who chooses.")]
    choice: Annotated[Player, Arg("Whom.")]


class Pause(NamedTuple):
    """Stop the clock: no end comes by itself until it runs again, and every end moves by as long."""


class Resume(NamedTuple):
    """Let the clock run again."""


class Replace(NamedTuple):
    """Another person takes over a seat; the seat keeps its id, cards and garnets."""

    player: Annotated[Player, Arg("Whose seat.")]
    name: Annotated[str, TEXT, Arg("The new person's name.")]


class Drop(NamedTuple):
    """A player has left: he submits nothing more, and nobody waits for him (S-G3)."""

    player: Annotated[Player, Arg("Who.")]


class Lot(NamedTuple):
    """Draw a lot: drawn and recorded, or typed in with --outcome."""

    among: Annotated[
        tuple[Player, ...], Arg("Among whom; those of the open decision if not given.", positional=True)
    ] = ()
    outcome: Annotated[Player | None, Arg("The outcome, when it was drawn elsewhere.")] = None
    seed: Annotated[str | None, Arg("Filled in by the draw.", hidden=True)] = None


class Resolve(NamedTuple):
    """Open all submissions of this round at once. Without --yes it only shows what would come out."""

    round: Annotated[str | None, NAME, Arg("Filled in: the round that is resolved.", hidden=True)] = None
    order: Annotated[
        tuple[Player, ...], Arg("The lot that breaks ties, when it was drawn elsewhere: all players, first to last.")
    ] = ()
    drawn: Annotated[
        tuple[str, ...] | None, Arg('What was drawn elsewhere for players who named nothing: "ann WORD".')
    ] = None
    seed: Annotated[str | None, Arg("Filled in by the lot.", hidden=True)] = None


class AmendSetting(NamedTuple):
    """Change a setting from now on (or from --at): KEY=VALUE."""

    key: Annotated[str, Arg("Which setting.")]
    value: Annotated[Any, Arg("Its new value.")]


PREVIEWED = (Resolve,)
"""Shown first; recorded only with --yes, or after asking."""
ABOUT_THE_LOG = frozenset({"undo", "redo", "amend", "confirm", "posted", "anchor", "join"})
"""Entries that say which other entries are live; they move no clock and change no state themselves."""
STRIKABLE = frozenset({"amend", "posted", "anchor"})
"""Those of them that an undo can strike."""


class Undo(NamedTuple):
    """Strike an entry (its whole batch); without SEQ the last one you recorded."""

    target: Seq


class Redo(NamedTuple):
    """Take an undo back; without SEQ your last one."""

    target: Seq


class Amend(NamedTuple):
    """Correct an entry: SEQ key=value ... (also at=TIME)."""

    target: Seq
    args: dict[str, Any]
    at: Annotated[str | None, INSTANT] = None


class Confirm(NamedTuple):
    """Another host has checked the entry."""

    target: Seq


class Posted(NamedTuple):
    """A text of the outbox was posted (or, with `dropped`, will not be): the exact text and its SHA-256."""

    item: str
    audience: str
    channel: str
    text: str = ""
    digest: str = ""
    covers: tuple[str, ...] = ()
    """For a correction: the items it corrects."""
    dropped: bool = False


class Join(NamedTuple):
    """The entries that follow were recorded first in another copy of this log. Source: docs/two-hosts.md."""

    head: str
    """Hash of the last line of that copy."""
    lines: tuple[dict[str, Any], ...] = ()
    """For each entry that follows: `place` and `line`, the number and the hash of the line where it was recorded first;
    `also`, further such pairs, where the same was recorded in several copies; `keys`, --once keys besides its own."""
    known: tuple[dict[str, Any], ...] = ()
    """Of an `entry` that stands here before: `also` and `keys`, as the other copy knows it by more than this one."""


class Anchor(NamedTuple):
    """Record where a receipt was posted: the id of that message is a clock that no host can set."""

    link: str
    """The message: a link, or the id alone."""
    head: Annotated[str, HEX]
    """The receipt that stands in it: the hash of a line of this log."""


TYPED = (
    Alias, Commit, Word, Deal, Open, Close, Reopen, Deadline, Pause, Resume, Replace, Drop, Note, Ruling, Override,
    Penalty, Breach, Award, Blank, Vote, Gift, Choose, Lot, Resolve, AmendSetting,
)  # fmt: skip
"""Those a host types; the others are written by a command of the ledger."""
WRITTEN = (Create, Seat, Seed, Hand)
ABOUT = (Undo, Redo, Amend, Confirm, Posted, Join, Anchor)
