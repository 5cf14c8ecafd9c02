"""What a game is: the record `Game`, and the records that it is made of; what the engine hands to a game and gets back.

What belongs here: types, and what is left out of a `Game`. What does not: anything that reads them (games/parts/).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NotRequired, Protocol, Self, TypeAlias, TypedDict, TypeVar

from events.audiences import HOST_VIEWER, Audience
from events.instants import Instant
from events.record import NamedTuple
from games.kinds import PLAYER, listed
from games.kit.blocks import Block, Line as Said, Notice, Span
from games.kit.luck import digest
from games.records import ABSENT, fields
from games.spans import Length
from games.table.state import Round, Table, Verdict

Action: TypeAlias = NamedTuple
"""A named tuple out of `Game.actions` or `games.table.actions`: what a host says happened, in the imperative."""
Fact: TypeAlias = NamedTuple
"""A named tuple in the past tense: what follows under the rules. Derived at replay, never stored."""
View: TypeAlias = NamedTuple
"""A named tuple cut down for one audience. The only thing a report may read."""


class State(Protocol):
    """A game's frozen state. What is shared knows two things of it: the table, and that there are settings."""

    @property
    def table(self) -> Table: ...

    @property
    def settings(self) -> AnySettings: ...

    def _replace(self, *, table: Table) -> Self: ...


T = TypeVar("T")


class Each(dict[str, T]):
    """In place of a mapping by player in a first state: everybody who has a seat begins with that value."""

    def __init__(self, value: T) -> None:
        self.value = value


def each(value: T) -> Mapping[str, T]:
    """The default of a mapping by player in a state: everybody who has a seat begins with that value."""
    return Each(value)


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

    def fixes(self, source: Mapping[str, AnyValue]) -> bool:
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

    @property
    def seq(self) -> int:
        """The number that the next entry will have: a lot is drawn under its own number."""

    @property
    def at(self) -> Instant:
        """The moment of the next entry."""

    def seed(self) -> bytes:
        """32 fresh random bytes."""


class Due(NamedTuple):
    who: str
    what: str
    since: Instant
    until: Instant | None
    told: bool = True
    """May `who` know of it? If not, only the hosts do, and nobody sends a reminder."""


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
    kind: Literal["elimination", "token", "winner", "void"]
    players: list[str]
    tokens: NotRequired[int]
    reason: NotRequired[str]
    seq: NotRequired[int]


class Reasons(TypedDict):
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


class ReportContext(NamedTuple):
    """What every audience may know of a match: for whom a report is, and how things are called."""

    viewer: str
    title: str
    game: str
    names: Mapping[str, str]
    """Player id -> display name, in seat order; with the mark of who has left."""
    emoji: Mapping[str, str]
    """What the season's server calls its own emoji: `garnet` -> `<:garnet:123456789012345678>`."""
    left: tuple[str, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(p for p in self.names if p not in self.left)

    def row(self, player: str) -> str:
        """How a table calls a player: hosts read ids, as they type them, everybody else names."""
        if self.viewer != HOST_VIEWER:
            return self.names[player]
        return f"{player} {LEFT}" if player in self.left else player

    def named(self, players: Iterable[str]) -> str:
        return listed(self.names[p] for p in players)


class Reason(NamedTuple):
    """One fact in words: what happened, and the numbered rule it follows from."""

    text: str
    rule: str


class Lookup(NamedTuple):
    """A verb of the game's own that only looks: `hl VERB PLAYER`, for hosts only."""

    verb: str
    help: str
    """A line, and below it an example: `hl hint ann`."""
    view: Callable[..., View]
    """(state, player) -> what is shown; also what `-f json` gives. May refuse."""
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
    place: str = ""
    """The keys that lead to it in the file."""


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


S = TypeVar("S")
AnyState: TypeAlias = Any
"""The state of any game. The game's own functions name its type; all others read only what `State` has. The same holds
for the types below."""
AnySettings: TypeAlias = Any
AnyAction: TypeAlias = Any
AnySheet: TypeAlias = Any
"""What is on a sheet of a sealed round: mostly the action that brought it."""
AnyFact: TypeAlias = Any
AnyView: TypeAlias = Any
AnyRecord: TypeAlias = Any
AnyValue: TypeAlias = Any


class Transaction(list[Fact], Generic[S]):
    """Facts emitted one after the other, each changing the state that the next is decided from.

    `decide` makes one for each action: one action may have consequences of consequences (trade -> garnet -> all locked
    -> the end). All or nothing: where a rule refuses, nothing has happened. The state after the facts is kept, so that
    the engine need not evolve them a second time.
    """

    __slots__ = ("_effects", "state")

    def __init__(self, state: S, effects: Mapping[type, Callable[[Fact, S], S]]) -> None:
        self.state = state
        self._effects = effects

    def emit(self, *facts: Fact) -> None:
        """Add facts; each is applied to the state at once."""
        for fact in facts:
            try:
                effect = self._effects[type(fact)]
            except KeyError:
                raise TypeError(f"{type(fact).__name__} is emitted, but is no fact: mark it with @fact") from None
            self.append(fact)
            self.state = effect(fact, self.state)


# ---- a fact: its rule, its words, its line, its effect -------------------------------------------------------------

News: TypeAlias = str | tuple[Span, ...] | None
"""One sentence, or None when the fact is not for that viewer."""
Words: TypeAlias = str | Callable[[AnyFact, AnyState], News]
"""A text with the fact's fields in braces, or (fact, state) -> sentence.

In a text a player's id becomes a name, several become `Ann, Bob and Cyd`, a list of words is joined by spaces, and
`{chips:chip}` is a number with its noun.
"""
ToOne: TypeAlias = str | Callable[[AnyFact, AnyState, str], News]
"""The same for one of several players: (fact, state, viewer) -> sentence."""
Lines: TypeAlias = str | tuple[str, ...]
COURSE = "course"
"""In place of a line of the information table: that the match goes on, and until when. Everybody may know."""
OWN = "own"
"""In place of a line: what a player said or sent. That player may know it, and the hosts."""
HOSTS = "hosts"
"""In place of a line: visible to hosts only."""
SPECIAL = frozenset({COURSE, OWN, HOSTS})


class FactSpec(NamedTuple):
    """All that one kind of fact is: its rule, its words, its line, and what it changes.

    `fact` makes it for a fact of a game. For a fact of the table, a game states in `Game.table_facts` what is different
    there. Nobody is told what it does not say.
    """

    rule: str | Callable[[AnyFact, AnyState], str] = ""
    host: str | Callable[[AnyFact, AnyState], str] = ""
    """What happened, for the hosts: no full stop at the end."""
    line: Lines | Callable[[AnyFact, AnyState], Lines] | None = None
    """The line of the information table that opens it (all of them, where there are several)."""
    owner: ToOne | None = None
    """To each player concerned."""
    public: Words | None = None
    """To everybody."""
    who: Callable[[AnyFact], Iterable[str]] | None = None
    """The players concerned. None: the player in the first field that holds one."""
    holds: bool = False
    """Does it change what these players hold? Then the host is answered where they stand."""
    evolve: Callable[[AnyFact, AnyState], AnyState] | None = None
    """(fact, state) -> the state after it. Never refuses. Of a fact of the table, the table has changed before."""

    def concerned(self, fact: Fact) -> tuple[str, ...]:
        return tuple(self.who(fact)) if self.who else tuple(players_of(fact))[:1]

    def lines(self, state: AnyState, fact: Fact) -> tuple[str, ...]:
        """The lines that open it; several must all be open."""
        keys = self.line(fact, state) if callable(self.line) else self.line
        return () if keys is None else (keys,) if isinstance(keys, str) else keys


C = TypeVar("C", bound=type)
R = TypeVar("R")


def fact(
    rule: str = "",
    host: str = "",
    line: Lines | None = None,
    owner: str | None = None,
    public: str | Literal[True] | None = None,
    *,
    holds: bool = False,
    told_only: bool = False,
) -> Callable[[C], C]:
    """Mark a record as a fact. The texts are those of `FactSpec`, with its fields in braces.

    What is more than a text is a method of the record: `rule(state)`, `host(state)`, `line(state)`,
    `owner(state, viewer)`, `public(state)`, `who()`, and `evolve(state)`, the state after it. Without `evolve` its
    fields that are `Puts` or `Adds` say what it changes.

    Args:
        public: True: everybody reads the words for the hosts, with a full stop.
        told_only: It changes nothing, and so has no method `evolve`.
    """
    evolve = (lambda fact, state: state) if told_only else put
    stated = FactSpec(rule, host, line, owner, None if public is True else public, holds=holds, evolve=evolve)

    def mark(cls: C) -> C:
        own = {name: method for name, method in vars(cls).items() if name in FactSpec._fields and callable(method)}
        if public is True:
            own["public"] = (
                (lambda fact, state: f"{fact.host(state)}.") if "host" in own else f"{host[:1].upper()}{host[1:]}."
            )
        cls.spec = stated._replace(**own)  # type: ignore[attr-defined]
        return cls

    return mark


class Goes(NamedTuple):
    """A mark on a field of a fact: it goes into the state's field of that name."""

    adds: bool


Puts: TypeAlias = Annotated[T, Goes(adds=False)]
"""A field of a fact that the state holds from then on under its name: of a mapping, for the player of the fact."""
Adds: TypeAlias = Annotated[T, Goes(adds=True)]
"""The same, added to what is held: a number, or a tuple."""


@functools.cache
def goes(cls: type) -> dict[str, bool]:
    """The fields of a fact that go into the state -> is it added?"""
    return {field.name: field.note.adds for field in fields(cls) if isinstance(field.note, Goes)}


def put(fact: AnyFact, state: AnyState) -> AnyState:
    """The state with the fields of a fact that go into it."""
    changed = {}
    for name, adds in goes(fact.__class__).items():
        held, value = getattr(state, name), getattr(fact, name)
        if isinstance(held, Mapping):
            player = next(players_of(fact))
            value = {**held, player: held[player] + value if adds and player in held else value}
        elif adds:
            value = held + value
        changed[name] = value
    return state._replace(**changed)


def spec_of(cls: type) -> FactSpec | None:
    """What `fact` stated of that record; None of a record that is no fact."""
    spec: FactSpec | None = vars(cls).get("spec")
    return spec


def with_stated(record: R, stated: R) -> R:
    """A record with what another of its kind states, which is all that is not the default there."""
    known: AnyValue = stated
    changed = {name: value for name, value in known._asdict().items() if value is not known._field_defaults.get(name)}
    return record._replace(**changed)  # type: ignore[attr-defined, no-any-return]


@functools.cache
def player_fields(cls: type) -> dict[str, bool]:
    """The fields of a record that hold players -> do they hold several?"""
    return {field.name: field.many for field in fields(cls) if field.kind is PLAYER}


def players_of(record: AnyFact | AnyAction) -> Iterator[str]:
    """The players that the fields of a fact or an action name."""
    for name, many in player_fields(record.__class__).items():
        value = getattr(record, name)
        yield from value if many else (value,) if value else ()


# ---- a view: marks on its fields -----------------------------------------------------------------------------------


class VisibleTo(NamedTuple):
    """A mark on a field of a view: who may see it. Several marks: one of them is enough."""

    key: Lines
    """A line of the information table, or `COURSE`, `OWN`, `HOSTS`. Several lines: all must be open."""
    after_end: bool = False
    """It opens nothing before the match is over."""
    hosts: bool = True
    """Shown to the hosts too? They have the log for the rest."""
    each: bool = False
    """Asked of each player: a mapping by player keeps the values of those players who may be known; a list of records
    those that name such players, and is not shown where no player may be known."""
    when: Callable[[AnyState], bool] = lambda state: True
    """It opens nothing unless this holds: a setting that tells more."""
    by_key: bool = False
    """Of a mapping by name: each name is a line of the match itself, `KEY:name` (`Game.level`), and shown or not."""
    mine: bool = False
    """It tells players of themselves alone, however wide its level; in the view of the match, what is the viewer's."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key


class Label(NamedTuple):
    """A mark on a field of a player's view: what it is called in tables and lists."""

    text: str
    number: bool = False
    """Aligned to the right in a table."""
    say: Callable[[AnyValue], str] = lambda value: _said(value)
    """The value in words."""


def _said(value: AnyValue) -> str:
    """A value as a table shows it: words side by side, yes or no, nothing for nothing."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else "yes" if value is True else "no" if value is False else str(value)


class MatchView(NamedTuple):
    """The view of a match, where a game has nothing to add to it."""

    phase: str
    ends: Instant | None
    players: Mapping[str, AnyView]
    closed: bool = ABSENT
    """True once submissions of the round that is on have ended."""
    submitted: bool = ABSENT
    """Has the viewer a sheet in this round that counts?"""
    paused: bool = ABSENT
    sheets: Annotated[Mapping[str, str | None], VisibleTo(OWN, each=True)] = ABSENT
    """What counts of a player in the round that is on; `blank` on purpose, None for silence."""


# ---- the rules of a game, by subject ---------------------------------------------------------------------------------

Do: TypeAlias = Callable[[Transaction[AnyState], AnyAction, Moment], None]
"""What an action brings about: (tx, action, moment). Emits facts, or raises `Refused` and has emitted none."""
Prepare: TypeAlias = Callable[[AnyState, AnyAction, Luck], tuple[Action, ...]]
"""(state, what was typed, luck) -> what is recorded."""


DERIVED: AnyValue = object()
"""In place of what `build` makes of the rest of a game."""


class Override(NamedTuple):
    """What `override PLAYER FIELD VALUE` may set. `FieldSet` follows, and is told as it says."""

    how: str
    """How the value is typed: `N` a whole number, `moth|flame` one of these words, `"R4 B4"` as `read` says."""
    read: Callable[[str], str] = DERIVED
    """What was typed in its one spelling. Raises `Unreadable`."""
    put: Callable[[AnyState, str, str], AnyState] = DERIVED
    """(state, player, value in its one spelling) -> state. Left out: it goes into the State's field of that name, as a
    number where `how` begins with N."""
    line: Lines | Callable[[AnyFact, AnyState], Lines] | None = None
    """The lines that tell it; as those of a fact. None: nobody is told but the hosts."""
    owner: ToOne | None = None
    public: Words | None = None
    facts: Callable[[AnyState, str, str], Iterable[Fact]] | None = None
    """(state, player, value) -> the facts, where it is not `FieldSet`."""
    table: bool = False
    """Is it the table's, and no player's? Then it is typed `override FIELD VALUE`."""
    at_start: bool = False
    """May the match file give it to a player, as `given = { FIELD = "VALUE" }`? A secret role, say."""


class Draw(NamedTuple):
    """A draw that an action of this class makes, is recorded with, and is repeated from.

    `shuffle` gives what is put in an order; or `each` says for whom and `of` what one is drawn from, in turn; or
    `source` says it for one action.
    """

    what: str
    """What another seed would give, in words: `another order`."""
    when: Callable[[AnyState], bool] = lambda state: True
    shuffle: Callable[[AnyState], Sequence[str]] | None = None
    each: Callable[[AnyState], Sequence[str]] | None = None
    of: Callable[[AnyState], Sequence[Sequence[str]]] | None = None
    source: Callable[[AnyState, AnyAction], dict[str, AnyValue] | None] | None = None
    """(state, action) -> what it is made from, as the entry keeps it: `shuffle`, or `each` and `of`; with a `label` a
    commitment fixes it, and `to` says whom it deals to. None: nothing is drawn."""
    fixed: Callable[[AnyState], Iterable[Mapping[str, AnyValue]]] = lambda state: ()
    """All that `source` can give now with a label: what a commitment fixes. Any other draw has a seed of its own."""
    typed: Callable[[AnyState, str], str] | None = None
    """One line that a host typed, in its one spelling: `ann rock +`. None: one of what is shuffled, or a player and a
    word of each list."""
    line: str = OWN
    """The line that opens the entry to everybody."""


class Verb(NamedTuple):
    """One verb: what it does and who sees its entry. A row for each verb of the game, and for each shared one that
    means something of its own here."""

    do: Do | None = None
    """None: what it means everywhere."""
    own: str = OWN
    """Of the game's own verbs, the line that shows the entry to every player it names. `OWN`: to the first one alone,
    who did it."""
    others: str | None = None
    """The line that shows it to everybody else: it must tell all that is in it."""
    prepare: Prepare | None = None
    """What is recorded, where that is more than draws and overrides."""
    audit: Callable[[AnyState, AnyAction, int, bytes | None], str | None] | None = None
    """(state, action, number of the entry, key) -> what is wrong with a draw that it recorded, or None."""
    audience: Callable[[AnyState, AnyAction], Audience] | None = None
    """Who may see the entry opened, where no line says it."""
    draw: Draw | None = None


class Sheet(NamedTuple):
    """One verb that fills a sheet of a sealed round. Its entry is its player's."""

    check: Callable[[AnyState, Round, AnyAction], Action | None] = lambda state, round_, action: None
    """What is wrong with it: raises `Refused`. May give what is kept in its place."""
    after: Callable[[Transaction[AnyState], AnyAction], None] | None = None
    """What is said at once of a sheet that is in: (tx, action)."""
    parts: Callable[[AnyAction], tuple[str, ...] | None] = lambda action: None
    """The kinds of items that it adds to the sheet before; None for a whole sheet, which takes its place."""
    prepare: Prepare | None = None
    """As of `Verb`."""


class Deal(NamedTuple):
    """Cards that are dealt before play, typed in or drawn; `HandDealt` for each player and `CardsDealt` follow."""

    deck: Callable[[AnyState], Sequence[str]]
    """The cards in the order that a shuffle starts from, for those who are here (`table.present`)."""
    each: int
    read: Callable[[str], tuple[str, ...]]
    """A hand as typed -> its cards in their one spelling and order. Raises `Unreadable`."""
    may_deal: Callable[[AnyState], None]
    """Raises `Refused` if no cards can be dealt now."""
    hands: Callable[[AnyState], Mapping[str, Sequence[str]]] = lambda state: state.hands
    """Player -> the cards dealt so far, spelled as `read` gives them."""
    dealt: Callable[[AnyState], Mapping[str, Sequence[str]] | None] = lambda state: state.dealt
    """The same once the deal is whole; None before."""
    after: Callable[[Transaction[AnyState]], None] | None = None
    """What follows at once from a deal that is whole."""
    other_sizes: str = ""
    """The setting that allows hands of other sizes."""
    committed: Callable[[AnyState], bool] = lambda state: True
    """Does a commitment serve this deal?"""
    line: str = "own_hand"
    """The line that opens a hand's entry to its player."""
    others: str | None = None
    """The line that opens the entries of the deal to everybody."""


class Rounds(NamedTuple):
    """The sealed rounds of a game: one after the other, then the end."""

    sheets: Mapping[type, Sheet]
    resolve: Callable[[Transaction[AnyState], Round, tuple[str, ...], Moment], None]
    """(tx, round, what was drawn, moment): all sheets are opened at once. Raises `Refused`."""
    names: Callable[[AnyState], Sequence[str]] = DERIVED
    """The rounds in order: `round_1`, ... . A step with a clock of its own is a round. None is called `break`. Left
    out: as many as the setting `number` says, which is `rounds` then."""
    hours: Callable[[AnyState, str], Length] = lambda state, name: state.settings.round_hours
    """(state, round) -> how long it is: a number of hours, or a text like `3m`."""
    what: Callable[[AnyState, str], str] = lambda state, name: "sheet"
    """What a player owes in that round, in words."""
    spelled: Callable[[AnySheet], str] | None = None
    """What is on a sheet, as a host types it: for the column of a table, and in answers where `items` is left out.
    None, and without `items`: the words of the verb."""
    items: Callable[[AnyState, Round, str], Mapping[str, str]] | None = None
    """(state, round, player) -> all that counts of a player in words, by the kind of item: the sheet is read back so,
    and what a new one drops is told. Under a kind that begins with `-` stands what is no item."""
    words: Callable[[Round, str], str | None] | None = None
    """(round, player) -> all that counts of that player's sheets, where sheets have several kinds."""
    after: Callable[[Transaction[AnyState], Round, Moment], None] | None = None
    """(tx, round, moment): what follows once the round is resolved, before the next one begins."""
    who: Callable[[AnyState, str], Iterable[str]] | None = None
    """Who is asked in that round. None: everybody."""
    owes: Callable[[AnyState, Round, str], Iterable[str]] | None = None
    """(state, round, player) -> all that the player still owes, in words. None: `what`, of who is silent."""
    may_open: Callable[[AnyState], None] | None = None
    """Raises `Refused` if play cannot begin."""
    opened: Callable[[Transaction[AnyState], tuple[str, ...]], None] | None = None
    """(tx, what was drawn): what follows from the beginning of play, before the first round is open."""
    number: str = ""
    """The setting that says how many rounds there are: fixed once they are over."""
    between: Callable[[AnyState, str], Length | None] = lambda state, name: 0
    """(state, the next round) -> the length of the break before it, as `hours`: it then begins by itself. 0: it begins
    when the one before is resolved. None: it begins when a host says `open`."""


class Scored(NamedTuple):
    """Points and places, and the lines that tell them."""

    scores: Callable[[AnyState], Mapping[str, int]]
    line: VisibleTo
    ranking: Callable[[AnyState], tuple[tuple[str, ...], ...]] | None = None
    """Best first, equal ones together. None: by the scores, most first."""
    lines: tuple[VisibleTo, ...] = ()
    """Further lines that the places need."""
    counts: Callable[[AnyState], str] = lambda state: "points"
    """What they are, for the axis of a chart; where fewer are better, it says so."""


Report: TypeAlias = Callable[[ReportContext, AnyView, Result], list[Block]]
"""(frame, the view of the match, the result) -> a text, from what is cut for its reader already."""


class Game(NamedTuple):
    """A game. It states what is its own, each thing once; `build` checks it and fills in the rest.

    See docs/add-a-game.md for the tour.
    """

    name: str
    title: str
    players: tuple[int, int]
    """Least and most players of the original text; another number needs `allow_odd_roster`."""
    visibility: Mapping[str, tuple[str, str]]
    """The information table: key -> (default, what it is about)."""
    state: type
    """The record of its state. The facts of the game are the records beside it that are marked with `fact`."""
    settings: type = DERIVED
    """The record of its settings. Left out: that of the state's field `settings`."""
    phases: Mapping[str, str | tuple[str, str]] = DERIVED
    """Phase -> what a report says of it, with fields of the view in braces; `round` stands for any numbered round.
    Of one in which something is sent: (what it is, what is asked until it is closed).

    The first one is that before play, unless `setup` says what is said then. Left out: `games.table.report.PHASES`.
    """
    player_view: AnyRecord = DERIVED
    """The view of one player: a record whose fields are marked. Left out: the fields of the state with a `Label`, each
    a mapping by player, and the purse where there is a line `garnets`."""
    of_player: Callable[[AnyState, str, str], View] | None = None
    """(state, player, viewer) -> all there is to that player. The marks say what of it is shown. None: each field is
    what the state holds of the player in the mapping of that name; `garnets`, what is in the purse."""
    match_view: AnyRecord = DERIVED
    """The view of the match. Fields named as those of `MatchView` are filled in; the others are marked. Left out: the
    marked fields of the state without a `Label` besides."""
    of_match: Callable[[AnyState, str], Mapping[str, object]] | None = None
    """(state, viewer) -> the fields of `match_view` that are the game's own; with `order` the players in another
    order."""

    # ---- rules
    verbs: Mapping[type, Verb] = {}
    rounds: Rounds | None = None
    deal: Deal | None = None
    overrides: Mapping[str, Override] = {}
    on_elapsed: Do | None = None
    """What follows when an end was reached (`Elapsed`). None: what follows everywhere."""
    may_amend: Callable[[AnyState, AnyAction], None] | None = None
    """(state, amend-setting) -> raises `Refused` if that setting cannot be another one now, whatever its value."""
    table_facts: Mapping[type, FactSpec] = {}
    """Facts of the table, where the game words them otherwise, or where they change more here."""
    begin: Callable[[Table, AnySettings], AnyState] | None = None
    """(table, settings) -> the first state, where that is more than its empty fields."""
    over: Callable[[AnyState], bool] = DERIVED
    """Is play over? `build` adds: a match that was declared void is. Left out: what the state says of itself as `over`,
    or else whether all rounds are resolved."""
    follow: Callable[[Transaction[AnyState], Moment], None] | None = None
    """What happens by itself after any action, before the end is looked at."""
    verdict: Callable[[AnyState], Verdict] | None = None
    """How the match ends as far as is known; None where the game ends itself."""
    scored: Scored | None = None
    has: Collection[str] = ("tokens", "elimination", "gift", "vote", "lot")
    """What there is of tokens, elimination, winner, gift, vote, choose, lot, deal; `build` adds garnets and rounds.
    Verbs and lines of what there is not are not shown."""
    garnets: bool = True
    garnet_cap: Callable[[AnySettings], int | None] = lambda settings: getattr(settings, "garnet_cap", None)
    """Settings -> most garnets a player may hold at the start, or None."""
    decided: tuple[str, ...] = DERIVED
    """The lines that tell what the decisions of the end do. Left out: those of `has` for tokens, elimination, winner.
    """
    level: Callable[[AnyState, str], str | None] | None = None
    """(state, line) -> the level of a line that the match itself declares; None for one of the information table."""
    match_lines: tuple[str, ...] = ()
    """The keys of those lines."""
    broken: Callable[[AnyState], Iterable[str]] = lambda state: ()
    """The laws that are broken, in words; only a host's override may break them."""
    cannot_pay: Callable[[AnyState, Round], Iterable[str]] = lambda state, round_: ()
    """(state, the round that is on) -> what is on its sheets and cannot be paid as things stand: a host may have
    changed them."""
    choices: Callable[[AnyState, str], Iterable[Action]] | None = None
    """(state, player) -> actions that the player might do, where the words of the verbs cannot be listed; those that
    the rules refuse are left out. A sampler says its law in its docstring."""
    completions: Callable[[AnyState, type, str, Mapping[str, str]], tuple[str, ...] | None] = lambda *typed: ()
    """(state, action class, field, words so far by field) -> words likely meant in the game's own verbs, where what is
    legal is not enough; None: no words, legal or not."""

    # ---- texts, from views alone
    page: Report | None = None
    """What the derived report shows besides; the table of the players is for hosts only then."""
    now: Callable[[ReportContext, AnyView, AnyView], Sequence[Said]] | None = None
    """(frame, a player's view, the view) -> where the player stands, in two or three lines."""
    short: Callable[[str, AnyView], str] | None = None
    """(player, that player's view) -> one line for the host's answer to a command."""
    for_hosts: Callable[[AnyState, tuple[Fact, ...]], Sequence[Said]] | None = None
    """What the host is answered besides the facts. None: where those stand of whom a fact says that it `holds`."""
    order: Callable[[AnyState, tuple[Fact, ...]], tuple[Fact, ...]] | None = None
    """In which order facts are told, where it is not that in which they happened."""
    stands: Callable[[tuple[Fact, ...], bool], bool] = lambda facts, has_news: True
    """(facts, was a sentence said of them?) -> is a player also told where they stand (`now`)?"""
    reveals: bool = False
    """Does everybody read `round_report` of a round with its resolve?"""
    written: Written | None = None
    """Of a game whose rules stand in the match file."""
    lookups: tuple[Lookup, ...] = ()
    """The game's own verbs that only look."""
    synonyms: Mapping[str, str] = {}
    """Other spellings of a verb."""
    rules: int = 1
    """Version of the rules this code folds. A log of a newer one is refused."""
    texts: int = 1
    """Version of the wording of its reports."""
    demo: str = "demo.hl"
    """File name, inside the game's folder, of its bundled match."""

    # ---- what a game may state, and `build` makes otherwise
    due: Callable[[AnyState], Instant | None] = DERIVED
    """The next derived end; the engine lets it pass before an entry at or after it is folded."""
    waiting: Callable[[AnyState], tuple[Due, ...]] = DERIVED
    """Who still owes a sheet, or a decision of the end."""
    asks: Callable[[AnyState], str] = DERIVED
    """The line that records what players do now, as `hl trade NAME CARD NAME CARD`: in capitals what only they can
    say. Left out: a sheet of the round that is on."""
    result: Callable[[AnyState, str], Result] = DERIVED
    """(state, viewer) -> how the match stands, but for what hosts declared, which `build` adds."""
    report: Report = DERIVED
    scores: Report = DERIVED
    board: Report = DERIVED
    """The picture of the table: what lies where, as far as the viewer may know it."""
    round_report: Callable[[ReportContext, AnyView, str], list[Block]] = lambda frame, view, name: []
    """The text of one resolved round, by its name. Empty: there is none of that name that the viewer may know."""

    # ---- what `build` makes
    facts: tuple[type, ...] = ()
    """The kinds of facts that are the game's own."""
    start: Callable[[Table], State] = DERIVED
    decide: Callable[[State, Action, Moment], list[Fact]] = DERIVED
    evolve: Callable[[State, Fact], State] = DERIVED
    prepare: Callable[[State, Action, Luck], tuple[Action, ...]] = DERIVED
    """What was typed -> what is recorded: defaults that depend on the state filled in, every draw made."""
    audit: Audit = DERIVED
    """Repeats a recorded draw: what is wrong with it, or None."""
    audience: Callable[[State, Action], Audience] = DERIVED
    """Who may see that entry opened."""
    view: Callable[[State, str], View] = DERIVED
    """(state, viewer) -> the match as `host`, `public` or a player may know it."""
    tell: Callable[[State, Iterable[Fact], str], Notice] = DERIVED
    """What a viewer is told of these facts (the notices after an entry). Empty: nothing."""
    worded: Callable[[Iterable[Fact]], bool] = DERIVED
    """Has one of these facts words for anybody but hosts? If not, nobody is told anything of them."""
    explain: Callable[[State, Fact], Reason] = DERIVED
    """A fact in words for the host, with its rule."""
    known: Callable[[State, Fact, str], bool] = DERIVED
    """(state, fact, viewer) -> may the viewer know all of that fact now, by the line that opens it?"""
    moves: Callable[[State, str], tuple[Action, ...]] = DERIVED
    """(state, player) -> what the player can do now: all where choices are few, else a sample (parts/moves.py)."""
    suggest: Callable[[State, type, str, Mapping[str, str]], tuple[str, ...]] = DERIVED
    """(state, action class, field, words so far by field) -> words likely meant, for the host's completion alone.

    Players so far are ids, other words are as typed. Empty: no idea; then the field's kind has the last word.
    """
    invariants: Callable[[State], tuple[str, ...]] = DERIVED
    """The laws that are broken, those of every table too."""
    unpaid: Callable[[State], tuple[str, ...]] = DERIVED
    """What is on sheets of the round that is on and cannot be paid as things stand, in words for the hosts."""
    changed: Callable[[State, State, str], tuple[Fact, ...]] = DERIVED
    """(before, after, why) -> what was told of the result before, and is something else after."""

    @property
    def sheets(self) -> Mapping[type, Sheet]:
        return self.rounds.sheets if self.rounds else {}

    @property
    def actions(self) -> tuple[type, ...]:
        return (*self.sheets, *(cls for cls in self.verbs if cls.__module__ != "games.table.actions"))

    @property
    def given(self) -> dict[str, Callable[[str], str]]:
        """What the match file may give a player -> what was typed in its one spelling. Raises `Unreadable`."""
        return {name: row.read for name, row in self.overrides.items() if row.at_start}

    @property
    def fields(self) -> dict[str, str]:
        """What `override` may set -> how its value is typed."""
        own = {name: row.how for name, row in self.overrides.items()}
        return {**own, "garnets": "N"} if self.garnets else own

    def counts(self, state: AnyState) -> str:
        """What the scores count, as a chart names its axis: `points`; with which way is better where fewer are."""
        return self.scored.counts(state) if self.scored else "points"

    def verb(self, action: Action) -> Verb:
        """The row of an action; an empty one, where it means what it means everywhere."""
        return self.verbs.get(type(action), PLAIN_VERB)


PLAIN_VERB = Verb()
