"""What a game is: a record of pure functions over a frozen state. Nothing in the record has a default.

What belongs here: the types that the engine and every game share. What does not: anything that does something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

from events.audiences import HOST_VIEWER, Audience
from events.instants import Instant
from events.record import NamedTuple
from games.kinds import listed
from games.kit.luck import digest
from games.records import ABSENT

if TYPE_CHECKING:
    from games.kit.blocks import Block, Notice
    from games.table.state import Table

Action: TypeAlias = NamedTuple
"""A named tuple out of `Game.actions` or `games.table.actions`: what a host says happened, in the imperative."""
Fact: TypeAlias = NamedTuple
"""A named tuple in the past tense: what follows under the rules. Derived at replay, never stored."""
View: TypeAlias = NamedTuple
"""A named tuple cut down for one audience. The only thing a report may read."""


class State(Protocol):
    """A game's frozen state. The engine knows one thing of it: the table in it."""

    @property
    def table(self) -> Table: ...

    def _replace(self, *, table: Table) -> Self: ...


class Moment(NamedTuple):
    """When, and by which entry. Time enters a game here and nowhere else."""

    at: Instant
    seq: int
    by: str = ""


class Elapsed(NamedTuple):
    """Not an entry: a derived end (`Game.due`) was reached. `Moment.at` is that end."""


class Published(NamedTuple):
    """What was published before a deal, and so fixes it. A line is named by its hash where it was recorded first.

    Struck entries are in it: nothing that was published can be chosen anew. Source: docs/log-format.md, Randomness.
    """

    commitment: str
    """The line of the commitment that a deal goes by now."""
    seed: bytes
    words: tuple[tuple[str, str], ...]
    """(player, text) as they were recorded first, in order."""
    lines: tuple[str, ...]
    """The lines of the words."""
    first: str
    """The line of the commitment that was recorded first."""
    dealt: Mapping[str, str] = {}
    """Which draw (`deal`, or the label of one) -> the line where it was made first since then."""
    closed: bool = False
    """Was anything drawn since? Then no further words are mixed in."""
    repeats: frozenset[str] = frozenset()
    """The draws that, made now, would be the first of their kind once more."""
    draws: frozenset[str] = frozenset()
    """The digest of each draw that the commitment fixes."""
    newcomers: frozenset[str] = frozenset()
    """The players in whose seats somebody else sits since."""

    def fixes(self, source: Mapping[str, Any]) -> bool:
        """Is a draw from this, for these players, the one that was committed to?"""
        people = {*source.get("to", ()), *(source["each"] if "of" in source else ()), *source.get("shuffle", ())}
        return digest(source) in self.draws and self.newcomers.isdisjoint(people)

    def before(self, draw: str) -> str:
        """What a draw that the commitment does not fix replaces: the first of that draw, or the commitment."""
        return self.dealt.get(draw) or self.commitment

    def replaced_by(self, draw: str) -> str | None:
        """The first of that draw, which one made now replaces; None where there is none, or it comes out alike."""
        return None if draw in self.repeats else self.dealt.get(draw)


class Luck(Protocol):
    """Randomness, handed in by the engine. A game never makes its own."""

    @property
    def published(self) -> Published | None:
        """What fixes the next deal; None while nothing was committed to."""
        ...

    @property
    def seq(self) -> int:
        """The number that the next entry will have: a lot is drawn under its own number."""
        ...

    @property
    def at(self) -> Instant:
        """The moment of the next entry."""
        ...

    def seed(self) -> bytes:
        """32 fresh random bytes."""
        ...


class Due(NamedTuple):
    """One thing somebody still owes."""

    who: str
    what: str
    since: Instant
    until: Instant | None
    told: bool = True
    """May `who` know of it? If not, only the hosts do, and nobody sends a reminder."""


if TYPE_CHECKING:
    from typing import Literal, NotRequired, TypedDict

    class OpenDecision(TypedDict):
        """What is still to be decided; `about` is `token` of a vote about a Token of Life, and absent otherwise."""

        kind: str
        about: NotRequired[str]
        who: NotRequired[list[str]]
        among: NotRequired[list[str]]

    class WonBy(TypedDict):
        """One token, or one Elimination Candidate, and how they came by it."""

        how: str
        player: NotRequired[str]
        by: NotRequired[list[str]]
        why: NotRequired[str]

    class DeclaredResult(TypedDict):
        """What hosts declared."""

        kind: Literal["elimination", "token", "winner", "void"]
        players: list[str]
        tokens: NotRequired[int]
        reason: NotRequired[str]
        seq: NotRequired[int]

    class Reasons(TypedDict):
        """A row for each token and for each Elimination Candidate."""

        tokens: list[WonBy]
        elimination: list[WonBy]


class Result(NamedTuple):
    """How the match stands. Fields that an audience may not see are `ABSENT`. Source: docs/json.md, result."""

    game: str
    status: str
    decisions: tuple[OpenDecision, ...]
    assumptions: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...] = ABSENT
    scores: Mapping[str, int] = ABSENT
    garnets: Mapping[str, int] = ABSENT
    tokens: Mapping[str, int] = ABSENT
    elimination: tuple[str, ...] = ABSENT
    winners: tuple[str, ...] = ABSENT
    losers: tuple[str, ...] = ABSENT
    reasons: Reasons = ABSENT
    """`tokens` and `elimination`, a row for each: `player`, `how`, `by`, `why`, as far as may be known."""
    declared: tuple[DeclaredResult, ...] = ABSENT
    """What hosts declared: `kind`, `players`, `tokens` of a token; `reason` and `seq` where they may be known."""
    left: tuple[str, ...] = ABSENT
    """Who has left, in seat order; absent while nobody has."""

    def places(self) -> Iterator[tuple[int, str]]:
        """(place, player) of the ranking, best first; who stands level shares a place. Nothing where it is `ABSENT`."""
        place = 1
        for group in self.ranking or ():
            yield from ((place, player) for player in group)
            place += len(group)


LEFT = "(left)"
"""The mark behind the name of a player who has left, in every list."""


class Frame(NamedTuple):
    """What every audience may know of a match: for whom a report is, and how things are called."""

    viewer: str
    title: str
    game: str
    names: Mapping[str, str]
    """Player id -> display name, in seat order; with the mark of who has left."""
    emoji: Mapping[str, str]
    """What the season's server calls its own emoji: `garnet` -> `<:garnet:123456789012345678>`."""
    left: tuple[str, ...] = ()
    """Those who have left."""

    @property
    def present(self) -> tuple[str, ...]:
        """Those who have not left, in seat order."""
        return tuple(p for p in self.names if p not in self.left)

    def row(self, player: str) -> str:
        """How a table calls a player: hosts read ids, as they type them, everybody else names."""
        if self.viewer != HOST_VIEWER:
            return self.names[player]
        return f"{player} {LEFT}" if player in self.left else player

    def named(self, players: Iterable[str]) -> str:
        """Ann, Bob and Cyd."""
        return listed(self.names[p] for p in players)


class Reason(NamedTuple):
    """One fact in words: what happened, and the numbered rule it follows from."""

    text: str
    rule: str


class Lookup(NamedTuple):
    """A verb of the game's own that only looks: `hl VERB PLAYER`, for hosts only."""

    verb: str
    help: str
    view: Callable[..., View]
    """(state, player) -> what is shown. May refuse."""
    report: Callable[..., list[Block]]
    """(frame, what is shown)."""


class Spoken(NamedTuple):
    """A verb that a match file makes: a word that stands for an action with its first words filled in."""

    action: type
    first: tuple[str, ...]
    help: str
    usage: tuple[str, ...]
    """The words that follow, as a help names them."""
    fields: tuple[str, ...] = ()
    """What the words of its last field are called, one after the other."""


class Written(NamedTuple):
    """What the ledger asks of a game whose rules stand in the match file itself."""

    tables: tuple[str, ...]
    """Settings that are tables of the file, beside [players] and [settings]."""
    faults: Callable[..., tuple[tuple[tuple[str, ...], str], ...]]
    """(tables, ids of the players as far as they are known) -> all that is wrong: (keys that lead there, what)."""
    public: Callable[[Mapping[str, object]], tuple[dict[str, object], list[Action]]]
    """(settings) -> those that everybody may read in line 1, and the entries for the hosts that hold the rest."""
    seen: Callable[[Mapping[str, object]], tuple[tuple[str, str, str, str], ...]]
    """(what, its owner, the others, at the end) for all that these tables let be known."""
    spoken: Callable[..., Mapping[str, Spoken]]
    """(state) -> the verbs that its file makes."""
    template: str
    """A whole file with comments."""


class Audit(Protocol):
    """Repeats a recorded draw that was folded into `state`; what is wrong with it, or None."""

    def __call__(self, state: State, action: Action, seq: int, key: bytes | None = None, /) -> str | None:
        """`seq` is the number under which a lot was drawn; `key` that of a deal which was committed to."""
        ...


class Game(NamedTuple):
    """A game. Every field must be given; see docs/add-a-game.md for the tour."""

    name: str
    title: str
    rules: int
    """Version of the rules this code folds. A log of a newer one is refused."""
    texts: int
    """Version of the wording of its reports."""
    players: tuple[int, int]
    """Least and most players of the original text; another number needs `allow_odd_roster`."""
    garnet_cap: Callable[[NamedTuple], int | None]
    """Settings -> most garnets a player may hold at the start, or None."""
    settings: type
    visibility: Mapping[str, tuple[str, str]]
    """Key of the information table -> (default, what it is about)."""
    actions: tuple[type, ...]
    """The game's own verbs."""
    facts: tuple[type, ...]
    """The kinds of facts that are the game's own."""
    lookups: tuple[Lookup, ...]
    """The game's own verbs that only look."""
    has: frozenset[str]
    """What it knows of what a match can have: `tokens elimination winner garnets gift vote choose lot deal rounds`."""
    synonyms: Mapping[str, str]
    """Other spellings of a verb."""
    fields: Mapping[str, str]
    """What `override` may set -> how its value is typed."""
    given: Mapping[str, Callable[[str], str]]
    """What of it the match file may give a player -> what was typed in its one spelling. Raises `Unreadable`."""
    start: Callable[[Table], State]
    decide: Callable[[State, Action, Moment], list[Fact]]
    evolve: Callable[[State, Fact], State]
    due: Callable[[State], Instant | None]
    """The next derived end; the engine lets it pass before an entry at or after it is folded."""
    prepare: Callable[[State, Action, Luck], tuple[Action, ...]]
    """What was typed -> what is recorded: defaults that depend on the state filled in, every draw made."""
    audit: Audit
    """Repeats a recorded draw: what is wrong with it, or None."""
    audience: Callable[[State, Action], Audience]
    """Who may see that entry opened."""
    view: Callable[[State, str], View]
    views: tuple[type, type]
    """The classes of a view, and of the row of a player in it: for its schema."""
    result: Callable[[State, str], Result]
    report: Callable[[Frame, View, Result], list[Block]]
    scores: Callable[[Frame, View, Result], list[Block]]
    counts: Callable[[State], str]
    """What the scores count, as a chart names its axis: `points`; with which way is better where fewer are."""
    board: Callable[[Frame, View, Result], list[Block]]
    """The picture of the table: what lies where, as far as the viewer may know it."""
    rounds: Callable[[Frame, View, str], list[Block]]
    """The text of one resolved round, by its name. Empty: there is none of that name that the viewer may know."""
    tell: Callable[[State, Iterable[Fact], str], Notice]
    """What a viewer is told of these facts (the notices after an entry). Empty: nothing."""
    explain: Callable[[State, Fact], Reason]
    """A fact in words for the host, with its rule."""
    known: Callable[[State, Fact, str], bool]
    """(state, fact, viewer) -> may the viewer know all of that fact now, by the line it stands under?"""
    waiting: Callable[[State], tuple[Due, ...]]
    suggest: Callable[[State, type, str, Mapping[str, str]], tuple[str, ...]]
    """(state, action class, field, words so far by field) -> words likely meant, for the host's completion alone.

    Players so far are ids, other words are as typed. Empty: no idea; then the field's kind has the last word.
    """
    moves: Callable[[State, str], tuple[Action, ...]]
    """(state, player) -> what the player can do now: all where choices are few, else a sample (parts/moves.py)."""
    invariants: Callable[[State], tuple[str, ...]]
    written: Written | None
    """Of a game whose rules stand in the match file."""
    unpaid: Callable[[State], tuple[str, ...]]
    """What is on sheets of the round that is on and cannot be paid as things stand, in words for the hosts."""
    changed: Callable[[State, State, str], tuple[Fact, ...]]
    """(before, after, why) -> what was told of the result before, and is something else after."""
    demo: str
    """File name, inside the game's folder, of its bundled match."""
