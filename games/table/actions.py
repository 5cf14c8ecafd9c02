"""The shared entries: what a host can say in every game, and what the ledger writes itself.

The words of a verb and their types are the fields of its record; what the verb is for, `hl VERB --help` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from events.record import NamedTuple
from games.kinds import END, HEX, INSTANT, NAME, TEXT, Kind, Player, meant
from games.records import ABSENT, Arg, Bounds

Seq = Annotated[int, Bounds(1)]
Amount = Annotated[int, Bounds(-1000, 1000)]
Garnets = Annotated[int, Bounds(0, 1000)]
Who = Annotated[Player, Arg("Who.")]
ROUND = Kind("ROUND", NAME.pattern, NAME.read)
RESOLVED = Kind("ROUND", NAME.pattern, lambda typed, desk: NAME.read(meant(typed), desk))
SentFor = Annotated[str, ROUND, Arg("Filled in: the round it was sent for.", hidden=True)]
"""A field `round`, `ABSENT` by default: without one a sheet is for whichever round is on. Source: decision 0025."""
VOTE = "vote"
"""In place of a round: a blank that is an abstention."""


Drawn = Annotated[tuple[str, ...] | None, Arg('What was drawn elsewhere: "ann bob", or a line for each player.')]
Source = Annotated[dict[str, Any] | None, Arg("Filled in by the draw: what it was made from.", hidden=True)]
Again = Annotated[str | None, HEX, Arg("Filled in: the line of what was drawn first.", hidden=True)]
DrawSeed = Annotated[str | None, Arg("Filled in by the draw.", hidden=True)]


class Create(NamedTuple):
    """The first line of every log: the game, its settings, the roster.

    `draft` counts the changes of fold, texts and entries before the first release, and goes with it.
    """

    format: Literal[1]
    draft: Annotated[int, Bounds(1)]
    game: str
    rules: Annotated[int, Bounds(1)]
    texts: Annotated[int, Bounds(1)]
    settings: dict[str, Any]
    roster: tuple[dict[str, str], ...]
    zone: str
    title: str
    hosts: tuple[str, ...]
    assumptions: tuple[str, ...]
    package: str | None = None
    """Of a game from outside: the package and version that made the log."""


class Seat(NamedTuple):
    """A player takes a seat with the garnets of the season, and with what the match file gives them."""

    player: Player
    garnets: Garnets = 0
    aliases: tuple[str, ...] = ()
    channel: str | None = None
    given: Mapping[str, str] = {}
    """Field of `override` -> its value in its one spelling."""


class Alias(NamedTuple):
    player: Annotated[Player, Arg("Whose spelling.")]
    alias: Annotated[str, TEXT, Arg("How hosts will type the name.")]


class Hand(NamedTuple):
    player: Player
    cards: tuple[str, ...]


class Commit(NamedTuple):
    """What fixes the deal was published without showing it; then players add words, and nobody alone can steer it."""

    commitment: Annotated[str | None, HEX, Arg("Filled in.", hidden=True)] = None
    draws: Annotated[tuple[Annotated[str, HEX], ...], Arg("Filled in: what is drawn.", hidden=True)] = ()
    """The digest of all that a draw is made from, for each draw as the rules stand."""
    replaces: Annotated[str | None, HEX, Arg("Filled in: the line of the first commitment.", hidden=True)] = None


class Reason(NamedTuple):
    """Why hosts declared something, in words of their own. Written by `declare`: for everybody, or for hosts only."""

    text: Annotated[str, TEXT, Arg("The reason.")]
    about: Annotated[Seq, Arg("The declaration.", hidden=True)]
    private: bool = False


class Seed(NamedTuple):
    """The seed behind a commitment. Written by `commit`, visible to hosts only."""

    seed: Annotated[str, HEX]


class Word(NamedTuple):
    player: Annotated[Player, Arg("Whose words.")]
    text: Annotated[str, TEXT, Arg("The words.")]


class Deal(NamedTuple):
    """The cards are dealt: drawn, or typed in."""

    method: Literal["drawn", "typed"] = "drawn"
    seed: str | None = None
    """Of a deal without a commitment."""
    commitment: Annotated[str | None, HEX] = None
    """The hash of the line, where it was recorded first, of the commitment that it was drawn from."""
    words: tuple[Annotated[str, HEX], ...] | None = None
    """The same of each word that was mixed in, in their order."""
    replaces: Annotated[str | None, HEX] = None
    """The same of what had been published and is not gone by: the deal drawn first, or the commitment."""
    draw: Source = None
    """What it was drawn from: `deal`, the deck in its order, `each`, how many cards, `to` whom."""


MOMENTARY = frozenset({"commit", "seed", "word"})
"""Entries that count when they are recorded, whatever a host types; so does a `deal` after a commitment."""


class Open(NamedTuple):
    drawn: Drawn = None
    draw: Source = None
    seed: DrawSeed = None
    replaces: Again = None


class Close(NamedTuple):
    phase: Annotated[
        str | None, NAME, Arg("Which phase or decision is meant; the present one if not given.", positional=True)
    ] = None


class Reopen(NamedTuple):
    phase: Annotated[
        str | None, NAME, Arg("Which phase or decision is meant; the last one if not given.", positional=True)
    ] = None


class Deadline(NamedTuple):
    when: Annotated[str, END, Arg("The new end: +6h, -30m (from the end as it is), in 6h, or a time.", phrase=True)]


class Note(NamedTuple):
    text: Annotated[str, TEXT, Arg("What to remember.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Ruling(NamedTuple):
    text: Annotated[str, TEXT, Arg("The decision and its reason; or: admit SEQ.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Override(NamedTuple):
    """One field of one player, or of the table, has another value, whatever the rules say."""

    player: Annotated[Player | None, Arg("Whose; left out for what is the table's, like a pot.", positional=True)] = (
        None
    )
    field: Annotated[str, NAME, Arg("Which field.", positional=True)] = ""
    value: Annotated[str, Arg('The new value; several cards are one value: "R4 B4 R9".', positional=True)] = ""


class Declare(NamedTuple):
    kind: Annotated[Literal["elimination", "token", "winner", "void"], Arg("What is declared.")]
    players: Annotated[tuple[Player, ...], Arg("Who; none: nobody.", positional=True)] = ()
    tokens: Annotated[int | None, Bounds(0, 100), Arg("How many tokens the player has in all.", positional=True)] = None


DECLARES = {
    "elimination": "declare elimination PLAYER...|nobody --note WHY",
    "token": "declare token PLAYER N --note WHY",
    "winner": "declare winner PLAYER... --note WHY",
    "void": "declare void --note WHY",
}
"""How each kind is typed."""


class Penalty(NamedTuple):
    player: Annotated[Player, Arg("Who is penalised.")]
    garnets: Annotated[Garnets, Arg("Garnets taken.")] = 0


class Breach(NamedTuple):
    player: Annotated[Player, Arg("Who broke it.")]


class Award(NamedTuple):
    player: Annotated[Player, Arg("Who receives.")]
    what: Annotated[Literal["garnets", "tokens"], Arg("garnets or tokens.")]
    amount: Annotated[Amount, Arg("How many; below zero takes.")]


class Blank(NamedTuple):
    player: Who
    round: SentFor = ABSENT


class Vote(NamedTuple):
    """One vote; a later vote of the same voter replaces it."""

    voter: Annotated[Player, Arg("Who votes.")]
    candidate: Annotated[Player, Arg("For whom.")]


class Gift(NamedTuple):
    player: Annotated[Player, Arg("Who gives.")]
    receiver: Annotated[Player, Arg("Who receives.")]


class Choose(NamedTuple):
    """A choice that is a player's by the rules."""

    player: Annotated[Player, Arg("Who chooses.")]
    choice: Annotated[Player, Arg("Whom.")]


class Pause(NamedTuple):
    """The clock stops: no end comes by itself until it runs again, and every end moves by as long."""


class Resume(NamedTuple):
    """The clock runs again."""


class Replace(NamedTuple):
    """Another person takes over a seat; it keeps its id, cards and garnets."""

    player: Annotated[Player, Arg("Whose seat.")]
    name: Annotated[str, TEXT, Arg("The new person's name.")]


class Drop(NamedTuple):
    player: Who


class Lot(NamedTuple):
    among: Annotated[
        tuple[Player, ...], Arg("Among whom; those of the open decision if not given.", positional=True)
    ] = ()
    outcome: Annotated[Player | None, Arg("The outcome, when it was drawn elsewhere.")] = None
    seed: DrawSeed = None
    replaces: Again = None


class Resolve(NamedTuple):
    round: Annotated[str | None, RESOLVED, Arg("Which; the one that is on if not given.", positional=True)] = None
    drawn: Drawn = None
    draw: Source = None
    seed: DrawSeed = None
    replaces: Again = None


class AmendSetting(NamedTuple):
    key: Annotated[str, Arg("Which setting.")]
    value: Annotated[Any, Arg("Its new value.")]


PREVIEWED = (Resolve,)
"""Shown first; recorded only with --yes, or after asking."""
MARKS = frozenset({"posted", "posting", "anchor"})
"""Entries that say what was done with texts and receipts; which entries count does not depend on them."""
META_VERBS = MARKS | {"undo", "redo", "amend", "confirm", "join"}
"""Entries that say which other entries are live; they move no clock and change no state themselves."""
STRIKABLE = MARKS | {"amend"}
"""Those of them that an undo can strike."""


class Undo(NamedTuple):
    target: Seq


class Redo(NamedTuple):
    target: Seq


class Amend(NamedTuple):
    target: Seq
    args: dict[str, Any]
    at: Annotated[str | None, INSTANT] = None


class Confirm(NamedTuple):
    target: Seq


class Posting(NamedTuple):
    """A host begins to send a text: until `posted`, or an undo of this, nobody else sends it. Source: decision 0034."""

    item: str
    audience: str
    channel: str
    text: str
    covers: tuple[str, ...] = ()
    parts: Seq | None = None
    """As in `posted`, which repeats them."""


class Posted(NamedTuple):
    """A text of the outbox was posted (or, with `dropped`, will not be): the exact text and its SHA-256."""

    item: str
    """Its name; with `parts`, that of one of its messages: `22b.1`."""
    audience: str
    channel: str
    text: str = ""
    digest: str = ""
    covers: tuple[str, ...] = ()
    """For a correction: the items it corrects."""
    dropped: bool = False
    parts: Seq | None = None
    """How many messages the text has, when this is one of them."""


class Join(NamedTuple):
    """The entries that follow were recorded first in another copy of this log. Source: docs/two-hosts.md."""

    head: str
    """Hash of the last line of that copy."""
    common: Seq
    """How many lines both copies have from the beginning: what is in them was known there."""
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
    Declare, Penalty, Breach, Award, Blank, Vote, Gift, Choose, Lot, Resolve, AmendSetting,
)  # fmt: skip
"""Those a host types; the others are written by a command of the ledger."""
WRITTEN = (Create, Seat, Seed, Hand, Reason)
ABOUT = (Undo, Redo, Amend, Confirm, Posting, Posted, Join, Anchor)
