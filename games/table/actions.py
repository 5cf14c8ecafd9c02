"""The shared actions: what a host can record in every game, and what the ledger writes itself.

The fields of a record are the words of its verb; `hl VERB --help` says what the verb is for.
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
"""The type of a field `round`, by default `ABSENT`, which means the current round. Source: decision 0025."""
VOTE = "vote"
"""Stands in for a round: the blank is an abstention."""


Drawn = Annotated[tuple[str, ...] | None, Arg('What was drawn elsewhere: "ann bob", or a line for each player.')]
Source = Annotated[dict[str, Any] | None, Arg("Filled in by the draw: what it was made from.", hidden=True)]
Again = Annotated[str | None, HEX, Arg("Filled in: the line of what was drawn first.", hidden=True)]
DrawSeed = Annotated[str | None, Arg("Filled in by the draw.", hidden=True)]


class Create(NamedTuple):
    """The first line of every log: the game, its settings, the roster.

    `draft` counts the changes of replay, texts and entries before the first release, and disappears with it.
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
    """For a game that is not bundled: the package and version that made the log."""


class Seat(NamedTuple):
    """A player takes a seat, with garnets from the season and whatever the match file gives them."""

    player: Player
    garnets: Garnets = 0
    aliases: tuple[str, ...] = ()
    channel: str | None = None
    given: Mapping[str, str] = {}
    """Field of `override` -> its value in normal spelling."""


class Alias(NamedTuple):
    player: Annotated[Player, Arg("Whose spelling.")]
    alias: Annotated[str, TEXT, Arg("How hosts will type the name.")]


class Hand(NamedTuple):
    player: Player
    cards: tuple[str, ...]


class Commit(NamedTuple):
    """A commitment fixes the deal without revealing it; players then add words, so that nobody alone can steer it."""

    commitment: Annotated[str | None, HEX, Arg("Filled in.", hidden=True)] = None
    draws: Annotated[tuple[Annotated[str, HEX], ...], Arg("Filled in: what is drawn.", hidden=True)] = ()
    """The digest of the source of each draw under the present rules."""
    replaces: Annotated[str | None, HEX, Arg("Filled in: the line of the first commitment.", hidden=True)] = None


class Reason(NamedTuple):
    """The hosts' reason for a declaration, for everybody or for hosts only. Written by `declare`."""

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
    """The seed of a deal without a commitment."""
    commitment: Annotated[str | None, HEX] = None
    """The commitment that it was drawn from: the hash of the line where it was first recorded."""
    words: tuple[Annotated[str, HEX], ...] | None = None
    """The words that were mixed in, in order: the hashes of their lines."""
    replaces: Annotated[str | None, HEX] = None
    """What it replaces: the hash of the line of the first deal, or of the commitment."""
    draw: Source = None
    """The source of the draw: `deal`, the deck in order; `each`, the cards for each player; `to`, the players."""


MOMENTARY = frozenset({"commit", "seed", "word"})
"""Verbs that count at the moment of recording, whatever time a host types; so does a `deal` after a commitment."""


class Open(NamedTuple):
    drawn: Drawn = None
    draw: Source = None
    seed: DrawSeed = None
    replaces: Again = None


class Close(NamedTuple):
    phase: Annotated[
        str | None, RESOLVED, Arg("Which phase or decision is meant; the present one if not given.", positional=True)
    ] = None


class Reopen(NamedTuple):
    phase: Annotated[
        str | None, RESOLVED, Arg("Which phase or decision is meant; the last one if not given.", positional=True)
    ] = None


class Deadline(NamedTuple):
    when: Annotated[str, END, Arg("The new end: +6h, -30m (from the end as it is), in 6h, or a time.", phrase=True)]


class Note(NamedTuple):
    text: Annotated[str, TEXT, Arg("What to remember.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Ruling(NamedTuple):
    text: Annotated[str, TEXT, Arg("The decision and its reason; or: admit SEQ, admit last, admit PLAYER.")]
    about: Annotated[Seq | None, Arg("The entry it is about.")] = None


class Override(NamedTuple):
    """A host sets a field of a player, or of the table, whatever the rules say."""

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
    """A choice that the rules give to a player."""

    player: Annotated[Player, Arg("Who chooses.")]
    choice: Annotated[Player, Arg("Whom.")]


class Pause(NamedTuple):
    """The clock stops: no end is reached until it runs again, and every end moves by the length of the pause."""


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
"""Actions that are previewed: they are recorded only with --yes, or after a question."""
MARKS = frozenset({"posted", "posting", "anchor"})
"""Verbs that say what was done with texts and receipts; they do not affect which entries count."""
META_VERBS = MARKS | {"undo", "redo", "amend", "confirm", "join"}
"""Verbs about other entries; they move no clock and change no state."""
STRIKABLE = MARKS | {"amend"}
"""The meta verbs that `undo` can strike."""


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
    """A host begins to send a text; nobody else sends it until `posted`, or an undo of this. Source: decision 0034."""

    item: str
    audience: str
    channel: str
    text: str
    covers: tuple[str, ...] = ()
    parts: Seq | None = None
    """As in `Posted`, which repeats it."""


class Posted(NamedTuple):
    """A text of the outbox was posted, or with `dropped` will not be: the exact text and its SHA-256."""

    item: str
    """The name of the text; with `parts`, of one of its messages: `22b.1`."""
    audience: str
    channel: str
    text: str = ""
    digest: str = ""
    covers: tuple[str, ...] = ()
    """The texts that a correction corrects."""
    dropped: bool = False
    parts: Seq | None = None
    """The number of messages that the text has, if this is one of several."""


class Join(NamedTuple):
    """The entries that follow were first recorded in another copy of this log. Source: docs/two-hosts.md."""

    head: str
    """Hash of the last line of that copy."""
    common: Seq
    """The number of lines that both copies share at the beginning."""
    lines: tuple[dict[str, Any], ...] = ()
    """For each entry that follows: `place` and `line`, the number and the hash of the line where it was first recorded;
    `also`, more such pairs if it was recorded in several copies; `keys`, further --once keys."""
    known: tuple[dict[str, Any], ...] = ()
    """For an `entry` that this copy already has: the `also` and `keys` that only the other copy knew."""


class Anchor(NamedTuple):
    """A receipt was posted in a message, whose id is a clock that no host can set."""

    link: str
    """The message: a link, or the id alone."""
    head: Annotated[str, HEX]
    """The receipt in it: the hash of a line of this log."""


TYPED = (
    Alias, Commit, Word, Deal, Open, Close, Reopen, Deadline, Pause, Resume, Replace, Drop, Note, Ruling, Override,
    Declare, Penalty, Breach, Award, Blank, Vote, Gift, Choose, Lot, Resolve, AmendSetting,
)  # fmt: skip
"""The actions that hosts type; commands of the ledger write the others."""
WRITTEN = (Create, Seat, Seed, Hand, Reason)
ABOUT = (Undo, Redo, Amend, Confirm, Posting, Posted, Join, Anchor)
