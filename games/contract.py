"""The record `Game`, the records it is made of, and what passes between a game and the engine.

What belongs here: types and their defaults. What does not: code that reads them (games/parts/).
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
"""A named tuple from `Game.actions` or `games.table.actions`, in the imperative: what a host says happened."""
Fact: TypeAlias = NamedTuple
"""A named tuple in the past tense: what follows from an action under the rules. Derived at replay, never stored."""
View: TypeAlias = NamedTuple
"""A named tuple cut down for one audience. The only thing a report may read."""


class State(Protocol):
    """A game's frozen state. Shared code relies only on its table and its settings."""

    @property
    def table(self) -> Table: ...

    @property
    def settings(self) -> AnySettings: ...

    def _replace(self, *, table: Table) -> Self: ...


T = TypeVar("T")


class each(dict[str, T]):
    """The default of a mapping by player in a first state: every seated player begins with this value."""

    def __init__(self, value: T) -> None:
        self.value = value


class Moment(NamedTuple):
    """When something happens, and by which entry. A game learns the time from here alone."""

    at: Instant
    seq: int
    by: str = ""


class Elapsed(NamedTuple):
    """A derived end (`Game.due`) was reached, at `Moment.at`. This is not an entry."""


class Published(NamedTuple):
    """What was published before a deal and fixes it. Each line is named by its hash where it was first recorded.

    Undone entries count too: nothing that was published can be chosen again. Source: docs/log-format.md, Randomness.
    """

    commitment: str
    """The line of the commitment that a deal uses now."""
    seed: bytes
    words: tuple[tuple[str, str], ...]
    """(player, text), in the order in which they were first recorded."""
    lines: tuple[str, ...]
    first: str
    """The line of the first commitment."""
    dealt: Mapping[str, str] = {}
    """`deal` or the label of a draw -> the line where it was first made since that commitment."""
    closed: bool = False
    """True once anything was drawn since: no further words are mixed in."""
    repeats: frozenset[str] = frozenset()
    """The draws that would come out like the first of their label if they were repeated now."""
    draws: frozenset[str] = frozenset()
    """The digest of each draw that the commitment fixes."""
    newcomers: frozenset[str] = frozenset()
    """The players whose seats somebody else has taken over since."""

    def fixes(self, source: Mapping[str, AnyValue]) -> bool:
        """Did the commitment fix the draw from this source, for these players?"""
        people = {*source.get("to", ()), *(source["each"] if "of" in source else ()), *source.get("shuffle", ())}
        return digest(source) in self.draws and self.newcomers.isdisjoint(people)

    def before(self, draw: str) -> str:
        """The line that a draw outside the commitment replaces: the first draw of that label, or the commitment."""
        return self.dealt.get(draw) or self.commitment

    def replaced_by(self, draw: str) -> str | None:
        """The line of the first such draw, which a draw made now would replace.

        None if there is none, or if the new draw would come out alike."""
        return None if draw in self.repeats else self.dealt.get(draw)


class Luck(Protocol):
    """Randomness that the engine hands in. A game never makes its own."""

    @property
    def published(self) -> Published | None:
        """What fixes the next deal; None without a commitment."""

    @property
    def seq(self) -> int:
        """The number of the next entry: a lot is drawn under its own number."""

    @property
    def at(self) -> Instant:
        """The moment of the next entry."""

    def seed(self) -> bytes:
        """32 fresh random bytes."""


class Due(NamedTuple):
    """Something that a player, or the hosts, still owe the match."""

    who: str
    what: str
    since: Instant
    until: Instant | None
    told: bool = True
    """May `who` know of it? If not, only the hosts do, and no reminder is written."""


class OpenDecision(TypedDict):
    """A decision that is still to be made; `about` is `token` for a vote about a Token of Life, absent otherwise."""

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
    """The result so far. Fields that an audience may not see are `ABSENT`. Source: docs/json.md, result."""

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
    """A row for each token and each elimination, with as much of it as the audience may know."""
    declared: tuple[DeclaredResult, ...] = ABSENT
    """What hosts declared; `tokens` for tokens only, `reason` and `seq` only if the audience may know them."""
    left: tuple[str, ...] = ABSENT
    """The players who have left, in seat order; absent while nobody has."""

    def places(self) -> Iterator[tuple[int, str]]:
        """(place, player), best first; level players share a place. Empty if the ranking is `ABSENT`."""
        place = 1
        for group in self.ranking or ():
            yield from ((place, player) for player in group)
            place += len(group)


LEFT = "(left)"
"""Follows the name of a player who has left, in every list."""


class ReportContext(NamedTuple):
    """Who a report is for, and the names that every audience may know."""

    viewer: str
    title: str
    game: str
    names: Mapping[str, str]
    """Player id -> display name, in seat order; followed by `LEFT` if the player has left."""
    emoji: Mapping[str, str]
    """The custom emoji of the season's Discord server: `garnet` -> `<:garnet:123456789012345678>`."""
    left: tuple[str, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(p for p in self.names if p not in self.left)

    def row(self, player: str) -> str:
        """The player's name in a table: hosts read ids, which they type, and everybody else display names.

        Behind an id that is not in the name, as after `replace`, hosts read the name too.
        """
        name = self.names[player]
        if self.viewer != HOST_VIEWER:
            return name
        row = player if player in name.casefold() else f"{player} ({name.removesuffix(f' {LEFT}')})"
        return f"{row} {LEFT}" if player in self.left else row

    def named(self, players: Iterable[str]) -> str:
        return listed(self.names[p] for p in players)


class Reason(NamedTuple):
    """What happened, in words, and the numbered rule that it follows from."""

    text: str
    rule: str


class Lookup(NamedTuple):
    """A reading verb of the game, `hl VERB PLAYER`."""

    verb: str
    help: str
    """One sentence, and on the next line an example: `hl hint ann`."""
    view: Callable[..., View]
    """(state, player) -> what to show; `-f json` prints it as it is. May raise `Refused`. With the audience `any`:
    (the match's view, player)."""
    report: Callable[..., list[Block]]
    """(context, what `view` returned) -> the text."""
    audience: Literal["host", "any"] = "host"
    """Who may read it: hosts only, or whoever `--for` names, and everybody if it names nobody."""


class Spoken(NamedTuple):
    """A verb that a match file defines: an action with its first arguments filled in."""

    action: type
    first: tuple[str, ...]
    help: str
    usage: tuple[str, ...]
    """The arguments that follow, as the help names them."""
    fields: tuple[str, ...] = ()
    """The names of the words in its last argument."""
    kinds: tuple[str, ...] = ()
    """What each of these words is, as the file says it."""
    place: str = ""
    """The path of its table in the file."""
    secret: bool = False
    """For hosts only, so no refusal names it to who has not typed it."""
    rounds: tuple[str, ...] = ()
    """Of a sheet: the rounds that it is for."""


class Written(NamedTuple):
    """What the ledger needs from a game whose rules are in the match file."""

    tables: tuple[str, ...]
    """The settings that are top-level tables of the file, next to [players] and [settings]."""
    faults: Callable[..., tuple[tuple[tuple[str, ...], str], ...]]
    """(tables, player ids, if known) -> every fault: (its path in the file, what is wrong)."""
    public: Callable[[Mapping[str, object]], tuple[dict[str, object], list[Action]]]
    """(settings) -> the settings that everybody may read in line 1, and host-only entries that hold the rest."""
    seen: Callable[[Mapping[str, object]], tuple[tuple[str, str, str, str], ...]]
    """(settings) -> a row for each datum: (what it is, who sees it as owner, as others, at the end)."""
    spoken: Callable[..., Mapping[str, Spoken]]
    """(state) -> the verbs that the file defines."""
    examples: Callable[..., Mapping[type, str]]
    """(state) -> action: what could be typed after its verb here, in place of the example in its docstring."""
    template: str
    """A complete match file with comments."""


class Audit(Protocol):
    """Repeats a recorded draw that `state` includes; returns what is wrong with it, or None."""

    def __call__(self, state: State, action: Action, seq: int, key: bytes | None = None, /) -> str | None:
        """`seq` is the number under which a lot was drawn; `key` opens the commitment of a deal."""


S = TypeVar("S")
AnyState: TypeAlias = Any
"""The state of any game. A game's own functions know its type; all others read only what `State` declares. The same
goes for the types below."""
AnySettings: TypeAlias = Any
AnyAction: TypeAlias = Any
AnySheet: TypeAlias = Any
"""The content of a sheet of a sealed round: usually the action that submitted it."""
AnyFact: TypeAlias = Any
AnyView: TypeAlias = Any
AnyRecord: TypeAlias = Any
AnyValue: TypeAlias = Any


class Transaction(list[Fact], Generic[S]):
    """The facts of one action. Each changes the state that the next one is decided from.

    One action may have consequences of consequences (trade -> garnet -> all locked -> the end). It is all or nothing:
    when a rule refuses, nothing has happened. The final state is kept, so the engine need not apply the facts again.
    """

    __slots__ = ("_effects", "state")

    def __init__(self, state: S, effects: Mapping[type, Callable[[Fact, S], S]]) -> None:
        self.state = state
        self._effects = effects

    def emit(self, *facts: Fact) -> None:
        """Add facts, and apply each to the state at once."""
        for fact in facts:
            try:
                effect = self._effects[type(fact)]
            except KeyError:
                raise TypeError(f"{type(fact).__name__} is emitted, but is no fact: mark it with @fact") from None
            self.append(fact)
            self.state = effect(fact, self.state)


# ---- facts: rule, words, visibility, effect --------------------------------------------------------------------------

News: TypeAlias = str | tuple[Span, ...] | None
"""A sentence, or None if the viewer is told nothing."""
Words: TypeAlias = str | Callable[[AnyFact, AnyState], News]
"""A text with the fact's fields in braces, or (fact, state) -> sentence.

In the text, player ids become names (`Ann, Bob and Cyd`), a list of words is joined by spaces, and `{chips:chip}` is a
number with its noun.
"""
ToOne: TypeAlias = str | Callable[[AnyFact, AnyState, str], News]
"""`Words` for one of the players concerned: (fact, state, viewer) -> sentence."""
Lines: TypeAlias = str | tuple[str, ...]
COURSE = "course"
"""Stands in for a line of the information table: the course of the match and its ends, which everybody may know."""
OWN = "own"
"""Stands in for a line: what a player said or sent. That player and the hosts may know it."""
HOSTS = "hosts"
"""Stands in for a line: visible to hosts only."""
SPECIAL = frozenset({COURSE, OWN, HOSTS})


class FactSpec(NamedTuple):
    """Everything about one kind of fact: its rule, its words, who may know it, and what it changes.

    The decorator `fact` makes one for a fact of a game. For facts of the table, `Game.table_facts` states what differs
    in that game. Without `owner` and `public` nobody but the hosts is told.
    """

    rule: str | Callable[[AnyFact, AnyState], str] = ""
    host: str | Callable[[AnyFact, AnyState], str] = ""
    """What happened, for the hosts; without a full stop."""
    line: Lines | Callable[[AnyFact, AnyState], Lines] | None = None
    """The line of the information table that must be open for a viewer to know it; of several, every one."""
    owner: ToOne | None = None
    """What each player concerned is told."""
    public: Words | None = None
    """What everybody is told."""
    who: Callable[[AnyFact], Iterable[str]] | None = None
    """The players concerned. None: the player in the first field that holds players."""
    holds: bool = False
    """Does it change what these players hold? If so, the host's answer shows where they stand."""
    over: Callable[[AnyFact, AnyState], bool] | None = None
    """(fact, state) -> has it passed by then, like a turn? A late text leaves such a fact out. None: it never does."""
    evolve: Callable[[AnyFact, AnyState], AnyState] | None = None
    """(fact, state) -> the state after it. Never refuses. For a fact of the table, the table is already changed."""

    def concerned(self, fact: Fact) -> tuple[str, ...]:
        return tuple(self.who(fact)) if self.who else tuple(players_of(fact))[:1]

    def lines(self, state: AnyState, fact: Fact) -> tuple[str, ...]:
        """The lines that must all be open for a viewer to know it."""
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
    """Mark a record as a fact. The arguments are the texts of `FactSpec`, with the record's fields in braces.

    Where a text is not enough, write a method of that name: `rule(state)`, `host(state)`, `line(state)`,
    `owner(state, viewer)`, `public(state)`, `who()`, `over(state)`, and `evolve(state)`, which returns the state after
    the fact.
    Without `evolve`, the fields marked `Puts` or `Adds` say what changes.

    Args:
        public: True: everybody reads the words for the hosts, with a full stop.
        told_only: The fact changes nothing, so it has no method `evolve`.
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
    """Marks a field of a fact that is written to the state's field of the same name."""

    adds: bool


Puts: TypeAlias = Annotated[T, Goes(adds=False)]
"""A field of a fact that replaces the state's field of that name; in a mapping, the value of the fact's player."""
Adds: TypeAlias = Annotated[T, Goes(adds=True)]
"""A field of a fact that is added to the state's field of that name: a number or a tuple."""


@functools.cache
def goes(cls: type) -> dict[str, bool]:
    """The fields of a fact that are written to the state -> is the value added?"""
    return {field.name: field.note.adds for field in fields(cls) if isinstance(field.note, Goes)}


def put(fact: AnyFact, state: AnyState) -> AnyState:
    """The state after the `Puts` and `Adds` of a fact."""
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
    """What the decorator `fact` stated for that class; None if it is not a fact."""
    spec: FactSpec | None = vars(cls).get("spec")
    return spec


def with_stated(record: R, stated: R) -> R:
    """`record`, with every field that `stated` sets to something other than the default."""
    known: AnyValue = stated
    changed = {name: value for name, value in known._asdict().items() if value is not known._field_defaults.get(name)}
    return record._replace(**changed)  # type: ignore[attr-defined, no-any-return]


@functools.cache
def player_fields(cls: type) -> dict[str, bool]:
    """The fields of a record that hold players -> does the field hold several?"""
    return {field.name: field.many for field in fields(cls) if field.kind is PLAYER}


def players_of(record: AnyFact | AnyAction) -> Iterator[str]:
    """The players whom a fact or an action names, in the order of its fields."""
    for name, many in player_fields(record.__class__).items():
        value = getattr(record, name)
        yield from value if many else (value,) if value else ()


# ---- views: marks on their fields ------------------------------------------------------------------------------------


class VisibleTo(NamedTuple):
    """Marks who may see a field of a view. Of several marks, one is enough."""

    key: Lines
    """A line of the information table, or `COURSE`, `OWN`, `HOSTS`. Of several lines, all must be open."""
    after_end: bool = False
    """The field opens only once the match is over."""
    hosts: bool = True
    """Do hosts see it in the view? If not, the log tells them."""
    each: bool = False
    """The line is checked for each player. A mapping by player keeps the players whose values the viewer may know; a
    list of records keeps the records that name such players, and is hidden if there are none."""
    when: Callable[[AnyState], bool] = lambda state: True
    """The field opens only if this holds: for a setting that reveals more."""
    by_key: bool = False
    """Each name of the mapping is a line of its own, `KEY:name`, which the match declares (`Game.level`)."""
    mine: bool = False
    """Players see only their own value, however wide the line's level is; in the view of the match, the viewer's."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key


class Label(NamedTuple):
    """Marks a field of a player's view with its name in tables and lists."""

    text: str
    number: bool = False
    """Right-aligned in tables."""
    say: Callable[[AnyValue], str] = lambda value: _said(value)
    """The value in words."""


def _said(value: AnyValue) -> str:
    """A value as a table shows it: a tuple as words, a bool as yes or no, None as an empty cell."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else "yes" if value is True else "no" if value is False else str(value)


class MatchView(NamedTuple):
    """The view of a match for a game that adds nothing to it."""

    phase: str
    ends: Instant | None
    players: Mapping[str, AnyView]
    closed: bool = ABSENT
    """True once submissions for the current round have ended."""
    submitted: bool = ABSENT
    """Does the viewer have a sheet that counts in the current round?"""
    paused: bool = ABSENT
    sheets: Annotated[Mapping[str, str | None], VisibleTo(OWN, each=True)] = ABSENT
    """Player -> the sheet that counts in the current round: `blank` if on purpose, None if the player is silent."""


# ---- the rules of a game, by subject ---------------------------------------------------------------------------------

Do: TypeAlias = Callable[[Transaction[AnyState], AnyAction, Moment], None]
"""(tx, action, moment): emits the facts of the action, or raises `Refused` and emits none."""
Prepare: TypeAlias = Callable[[AnyState, AnyAction, Luck], tuple[Action, ...]]
"""(state, the action as typed, luck) -> the actions to record."""


DERIVED: AnyValue = object()
"""Stands in for a value that `build` derives from the rest of the game."""


class Override(NamedTuple):
    """A field that `override PLAYER FIELD VALUE` may set. The fact is `FieldSet`, told as this record says."""

    how: str
    """How the value is typed: `N` for a whole number, `moth|flame` for one of these words, `"R4 B4"` as `read` says."""
    read: Callable[[str], str] = DERIVED
    """(typed) -> its normal spelling. Raises `Unreadable`."""
    put: Callable[[AnyState, str, str], AnyState] = DERIVED
    """(state, player, value as `read` returns it) -> state. By default it sets the state's field of that name, as a
    number if `how` begins with N."""
    line: Lines | Callable[[AnyFact, AnyState], Lines] | None = None
    """As in `FactSpec`. None: only the hosts are told."""
    owner: ToOne | None = None
    public: Words | None = None
    facts: Callable[[AnyState, str, str], Iterable[Fact]] | None = None
    """(state, player, value) -> the facts, if not `FieldSet`."""
    table: bool = False
    """Does it belong to the table and not to a player? If so, it is typed `override FIELD VALUE`."""
    at_start: bool = False
    """May the match file give it to a player, as `given = { FIELD = "VALUE" }`? A secret role, say."""


class Draw(NamedTuple):
    """A random draw that an action makes. The entry keeps what is needed to repeat it.

    State either `shuffle`, the things to put in a random order; or `each` and `of`, who draws and from what, in turn;
    or `source`, which returns either of these for one action.
    """

    what: str
    """What another seed would give: `another order`."""
    when: Callable[[AnyState], bool] = lambda state: True
    shuffle: Callable[[AnyState], Sequence[str]] | None = None
    each: Callable[[AnyState], Sequence[str]] | None = None
    of: Callable[[AnyState], Sequence[Sequence[str]]] | None = None
    source: Callable[[AnyState, AnyAction], dict[str, AnyValue] | None] | None = None
    """(state, action) -> the source that the entry keeps: `shuffle`, or `each` and `of`. A commitment fixes it if it
    has a `label`; `to` names the players it deals to. None: nothing is drawn."""
    fixed: Callable[[AnyState], Iterable[Mapping[str, AnyValue]]] = lambda state: ()
    """Every labelled source that `source` can return now; a commitment fixes these. Other draws have their own seed."""
    typed: Callable[[AnyState, str], str] | None = None
    """(state, a line that a host typed) -> its normal spelling: `ann rock +`. None: a line is one of the shuffled
    things, or a player and a word of each list."""
    line: str = OWN
    """The line that opens the entry to everybody."""


class Verb(NamedTuple):
    """What a verb does and who sees its entry: a row for each verb of the game, and for each shared verb that the game
    changes."""

    do: Do | None = None
    """None: what the shared verb does in every game."""
    own: str = OWN
    """For the game's own verbs: the line that opens the entry to `who`. `OWN` opens it to them in any case."""
    others: str | None = None
    """The line that opens the entry to everybody else; it must cover everything in the entry."""
    prepare: Prepare | None = None
    """Makes what is recorded, if that is more than draws and overrides."""
    audit: Callable[[AnyState, AnyAction, int, bytes | None], str | None] | None = None
    """(state, action, entry number, key) -> what is wrong with the recorded draw, or None."""
    audience: Callable[[AnyState, AnyAction], Audience] | None = None
    """(state, action) -> who may see the entry opened, if no line says it."""
    draw: Draw | None = None
    who: Callable[[AnyAction], Iterable[str]] = lambda action: [*players_of(action)][:1]
    """The players whom it concerns, like `who` of a fact: the first one, who acted; `players_of`: all whom it names."""


class Sheet(NamedTuple):
    """A verb that submits a sheet of a sealed round. Only its player may see the entry."""

    check: Callable[[AnyState, Round, AnyAction], Action | None] = lambda state, round_, action: None
    """(state, round, action): raises `Refused` if the sheet is wrong. May return the action to keep in its place."""
    after: Callable[[Transaction[AnyState], AnyAction], None] | None = None
    """(tx, action): emits what is told as soon as a sheet is in."""
    parts: Callable[[AnyAction], tuple[str, ...] | None] = lambda action: None
    """The kinds of items that it adds to the earlier sheet; None for a whole sheet, which replaces it."""
    prepare: Prepare | None = None
    """As in `Verb`."""


class Deal(NamedTuple):
    """Cards dealt before play, typed in or drawn. The facts are a `HandDealt` for each player and `CardsDealt`."""

    deck: Callable[[AnyState], Sequence[str]]
    """The cards for the players who are present (`table.present`), in the order from which they are shuffled."""
    each: int
    read: Callable[[str], tuple[str, ...]]
    """(a hand as typed) -> its cards in normal spelling and order. Raises `Unreadable`."""
    may_deal: Callable[[AnyState], None]
    """Raises `Refused` if cards cannot be dealt now."""
    hands: Callable[[AnyState], Mapping[str, Sequence[str]]] = lambda state: state.hands
    """(state) -> player -> the cards dealt so far, spelled as `read` returns them."""
    dealt: Callable[[AnyState], Mapping[str, Sequence[str]] | None] = lambda state: state.dealt
    """(state) -> all hands once the deal is complete; None before."""
    after: Callable[[Transaction[AnyState]], None] | None = None
    """(tx): what follows at once when the deal is complete."""
    other_sizes: str = ""
    """The setting that allows hands of other sizes."""
    committed: Callable[[AnyState], bool] = lambda state: True
    """Does a commitment fix this deal?"""
    line: str = "own_hand"
    """The line that opens the entry of a hand to its player."""
    others: str | None = None
    """The line that opens the entries of the deal to everybody."""


class Rounds(NamedTuple):
    """The sealed rounds of a game, one after the other until the end."""

    sheets: Mapping[type, Sheet]
    resolve: Callable[[Transaction[AnyState], Round, tuple[str, ...], Moment], None]
    """(tx, round, what was drawn, moment): opens all sheets at once. Raises `Refused`."""
    names: Callable[[AnyState], Sequence[str]] = DERIVED
    """(state) -> the rounds in order. A step with a clock of its own is a round; none may be called `break`. By default
    `round_1` and so on, as many as the setting named by `number` says, or else the setting `rounds`."""
    hours: Callable[[AnyState, str], Length] = lambda state, name: state.settings.round_hours
    """(state, round) -> its length: a number of hours, or a text like `3m`."""
    what: Callable[[AnyState, str], str] = lambda state, name: "sheet"
    """(state, round) -> what a player owes in it, in words."""
    spelled: Callable[[AnySheet], str] | None = None
    """A sheet as a host types it, for a table's column and, without `items`, for answers. None: the verb's words."""
    items: Callable[[AnyState, Round, str], Mapping[str, str]] | None = None
    """(state, round, player) -> kind of item -> what counts for the player, in words. Answers read a sheet back from it
    and say what a new sheet drops. A kind that begins with `-` holds something that is not an item."""
    words: Callable[[Round, str], str | None] | None = None
    """(round, player) -> everything that counts for that player, in a game with several kinds of sheets."""
    after: Callable[[Transaction[AnyState], Round, Moment], None] | None = None
    """(tx, round, moment): what follows when the round is resolved, before the next one begins."""
    who: Callable[[AnyState, str], Iterable[str]] | None = None
    """(state, round) -> the players who submit in it. None: everybody."""
    owes: Callable[[AnyState, Round, str], Iterable[str]] | None = None
    """(state, round, player) -> everything the player still owes, in words. None: `what`, if the player is silent."""
    may_open: Callable[[AnyState], None] | None = None
    """Raises `Refused` if play cannot begin."""
    opened: Callable[[Transaction[AnyState], tuple[str, ...]], None] | None = None
    """(tx, what was drawn): what follows when play begins, before the first round opens."""
    number: str = ""
    """The name of the setting that says how many rounds there are; it cannot change once they are over."""
    between: Callable[[AnyState, str], Length | None] = lambda state, name: 0
    """(state, the next round) -> the length of the break before it, as in `hours`; the round then begins by itself. 0:
    it begins when the previous one is resolved. None: it begins when a host records `open`."""


class Scored(NamedTuple):
    """Points and places, and the lines that reveal them."""

    scores: Callable[[AnyState], Mapping[str, int]]
    line: VisibleTo
    ranking: Callable[[AnyState], tuple[tuple[str, ...], ...]] | None = None
    """(state) -> groups of level players, best first. None: by score, highest first."""
    lines: tuple[VisibleTo, ...] = ()
    """Further lines that must be open for the places to be known."""
    counts: Callable[[AnyState], str] = lambda state: "points"
    """(state) -> the axis of a chart: `points`; it says so if fewer are better."""


Report: TypeAlias = Callable[[ReportContext, AnyView, Result], list[Block]]
"""(context, the match's view, the result) -> a text. View and result hold only what its reader may know."""


class Game(NamedTuple):
    """A game. It states only what is specific to it, each thing once; `build` checks it and derives the rest.

    docs/add-a-game.md explains it step by step.
    """

    name: str
    title: str
    players: tuple[int, int]
    """The least and most players in the original rules; another number needs `allow_odd_roster`."""
    visibility: Mapping[str, tuple[str, str]]
    """The information table: line -> (default level, what it is about)."""
    state: type
    """The record of its state. The game's facts are the records in the same module that are marked with `fact`."""
    settings: type = DERIVED
    """The record of its settings. By default the type of the state's field `settings`."""
    phases: Mapping[str, str | tuple[str, str]] = DERIVED
    """Phase -> how reports describe it, with fields of the view in braces; `round` means any numbered round. For a
    phase in which players submit: (what it is, what is asked until it closes).

    The first row is the phase before play, unless there is a row `setup`. By default `games.table.report.PHASES`.
    """
    player_view: AnyRecord = DERIVED
    """The view of one player: a record with marked fields. By default the state's fields that have a `Label`, each a
    mapping by player, and the purse if there is a line `garnets`."""
    of_player: Callable[[AnyState, str, str], View] | None = None
    """(state, player, viewer) -> a complete `player_view`, which its marks then cut. None: each field is the player's
    value in the state's mapping of that name; `garnets` is the purse."""
    match_view: AnyRecord = DERIVED
    """The view of the match. Fields of `MatchView` are filled in; the game marks the others. By default `MatchView` and
    the state's marked fields that have no `Label`."""
    of_match: Callable[[AnyState, str], Mapping[str, object]] | None = None
    """(state, viewer) -> the game's own fields of `match_view`; a value for `order` lists the players in that order."""

    # ---- rules
    verbs: Mapping[type, Verb] = {}
    rounds: Rounds | None = None
    deal: Deal | None = None
    overrides: Mapping[str, Override] = {}
    on_elapsed: Do | None = None
    """What follows when an end was reached (`Elapsed`). None: what follows in every game."""
    may_amend: Callable[[AnyState, AnyAction], None] | None = None
    """(state, amend-setting): raises `Refused` if that setting cannot change now, whatever its new value."""
    table_facts: Mapping[type, FactSpec] = {}
    """The facts of the table that this game words differently, or that change more in it."""
    begin: Callable[[Table, AnySettings], AnyState] | None = None
    """(table, settings) -> the first state. None: all its fields have their defaults."""
    over: Callable[[AnyState], bool] = DERIVED
    """Is play over? By default the state's attribute `over`, or else whether all rounds are resolved. `build` adds that
    a void match is over."""
    follow: Callable[[Transaction[AnyState], Moment], None] | None = None
    """(tx, moment): what happens by itself after each action, before the end is checked."""
    verdict: Callable[[AnyState], Verdict] | None = None
    """(state) -> how the match ends, as far as is known. None: the game ends the match itself."""
    scored: Scored | None = None
    has: Collection[str] = ("tokens", "elimination", "gift", "vote", "lot")
    """Which of tokens, elimination, winner, gift, vote, choose, lot and deal the game has; `build` adds garnets and
    rounds. Verbs and lines of the others are not shown."""
    garnets: bool = True
    garnet_cap: Callable[[AnySettings], int | None] = lambda settings: getattr(settings, "garnet_cap", None)
    """(settings) -> the most garnets a player may hold at the start, or None."""
    places: Callable[[AnySettings], tuple[int, str]] | None = None
    """(settings) -> the most players that can play, whatever is allowed, and why. None: any number can."""
    decided: tuple[str, ...] = DERIVED
    """The lines that reveal what the decisions at the end do. By default tokens, elimination, winner, as in `has`."""
    level: Callable[[AnyState, str], str | None] | None = None
    """(state, line) -> the level of a line that the match file declares; None for a line of the information table."""
    match_lines: tuple[str, ...] = ()
    """The prefixes of the lines that the match file declares (`KEY:name`)."""
    broken: Callable[[AnyState], Iterable[str]] = lambda state: ()
    """(state) -> the laws that are broken, in words; only a host's override may break one."""
    faults: Callable[[AnyState, Round], Iterable[tuple[int, str]]] = lambda state, round_: ()
    """(state, the current round) -> (entry of the sheet, a sentence) for all that the rules ignore as things are; entry
    0 is for what else hosts must do before the round is resolved."""
    choices: Callable[[AnyState, str], Iterable[Action]] | None = None
    """(state, player) -> actions that the player might do, if the words of the verbs cannot be listed; `build` drops
    the illegal ones. A function that samples says in its docstring what it samples."""
    completions: Callable[[AnyState, type, str, Mapping[str, str]], tuple[str, ...] | None] = lambda *typed: ()
    """(state, action class, field, words so far by field) -> the words to suggest in the game's own verbs. Empty: those
    of the legal actions. None: no words at all."""

    # ---- texts, from views alone
    page: Report | None = None
    """The game's own part of the derived report; the table of the players is then for hosts only."""
    now: Callable[[ReportContext, AnyView, AnyView], Sequence[Said]] | None = None
    """(context, the player's view, the match's view) -> where the player stands, in two or three lines."""
    short: Callable[[str, AnyView], str] | None = None
    """(player, their view) -> one line for the host's answer to a command."""
    for_hosts: Callable[[AnyState, tuple[Fact, ...]], Sequence[Said]] | None = None
    """(state, facts) -> what the host's answer adds to the facts. None: where the players stand whose holdings changed
    (`FactSpec.holds`)."""
    order: Callable[[AnyState, tuple[Fact, ...]], tuple[Fact, ...]] | None = None
    """(state, facts) -> the facts in the order in which they are told. None: as they happened."""
    stands: Callable[[tuple[Fact, ...], bool], bool] = lambda facts, has_news: True
    """(facts, were they worded for the player?) -> is the player also told where they stand (`now`)?"""
    reveals: bool = False
    """Is `round_report` told to everybody when the round is resolved?"""
    written: Written | None = None
    """For a game whose rules are in the match file."""
    lookups: tuple[Lookup, ...] = ()
    """The game's own reading verbs."""
    synonyms: Mapping[str, str] = {}
    """What hosts may type -> the verb."""
    rules: int = 1
    """The version of the rules that this code replays. A log of a newer version is refused."""
    texts: int = 1
    """The version of the wording of its reports."""
    demo: str = "demo.hl"
    """The file with its bundled match, in the game's folder."""

    # ---- what a game may state, and `build` derives by default
    due: Callable[[AnyState], Instant | None] = DERIVED
    """(state) -> the next derived end; the engine lets it pass before it replays an entry at or after it."""
    waiting: Callable[[AnyState], tuple[Due, ...]] = DERIVED
    """(state) -> who still owes a sheet, or a decision at the end."""
    asks: Callable[[AnyState], str] = DERIVED
    """(state) -> the command that records what players do now, `hl trade NAME CARD NAME CARD`, with their words in
    capitals. By default a sheet of the current round."""
    result: Callable[[AnyState, str], Result] = DERIVED
    """(state, viewer) -> the result so far, without what hosts declared, which `build` adds."""
    report: Report = DERIVED
    scores: Report = DERIVED
    board: Report = DERIVED
    """The picture of the board, as far as the viewer may know it."""
    round_report: Callable[[ReportContext, AnyView, str], list[Block]] = lambda frame, view, name: []
    """(context, view, round) -> the text of that resolved round. Empty: the viewer may know of no such round."""

    # ---- what `build` derives
    facts: tuple[type, ...] = ()
    """The game's own fact classes."""
    start: Callable[[Table], State] = DERIVED
    decide: Callable[[State, Action, Moment], list[Fact]] = DERIVED
    evolve: Callable[[State, Fact], State] = DERIVED
    prepare: Callable[[State, Action, Luck], tuple[Action, ...]] = DERIVED
    """Turns the typed action into the recorded ones: fills in defaults that depend on the state, makes every draw."""
    audit: Audit = DERIVED
    """Repeats a recorded draw; returns what is wrong with it, or None."""
    audience: Callable[[State, Action], Audience] = DERIVED
    """(state, action) -> who may see the entry opened."""
    view: Callable[[State, str], View] = DERIVED
    """(state, viewer) -> what `host`, `public` or a player may know of the match."""
    tell: Callable[[State, Iterable[Fact], str], Notice] = DERIVED
    """(state, facts, viewer) -> what the viewer is told of these facts. Empty: nothing."""
    worded: Callable[[Iterable[Fact]], bool] = DERIVED
    """(facts) -> does any of them have words for somebody other than the hosts?"""
    explain: Callable[[State, Fact], Reason] = DERIVED
    """(state, fact) -> the fact in words for the host, with its rule."""
    known: Callable[[State, Fact, str], bool] = DERIVED
    """(state, fact, viewer) -> may the viewer know everything about that fact now?"""
    moves: Callable[[State, str], tuple[Action, ...]] = DERIVED
    """(state, player) -> the player's legal actions: all if they are few, else a sample (parts/moves.py)."""
    suggest: Callable[[State, type, str, Mapping[str, str]], tuple[str, ...]] = DERIVED
    """(state, action class, field, words so far by field) -> words to suggest, for the host's completion only.

    The words so far are ids for players, and otherwise as typed. Empty: complete by the kind of the field.
    """
    invariants: Callable[[State], tuple[str, ...]] = DERIVED
    """(state) -> the laws that are broken, including those of the table."""
    faulty: Callable[[State], tuple[tuple[int, str], ...]] = DERIVED
    """(state) -> (entry, a line for hosts) for all on sheets of the current round that the rules ignore."""
    changed: Callable[..., tuple[Fact, ...]] = DERIVED
    """(before, after, why, places) -> the facts that tell what changed in a result that was already told; of its places
    only if the last is left out or true."""

    @property
    def sheets(self) -> Mapping[type, Sheet]:
        return self.rounds.sheets if self.rounds else {}

    @property
    def actions(self) -> tuple[type, ...]:
        return (*self.sheets, *(cls for cls in self.verbs if cls.__module__ != "games.table.actions"))

    @property
    def given(self) -> dict[str, Callable[[str], str]]:
        """What the match file may give a player -> the function that reads it, which may raise `Unreadable`."""
        return {name: row.read for name, row in self.overrides.items() if row.at_start}

    @property
    def fields(self) -> dict[str, str]:
        """The fields that `override` may set -> how the value is typed."""
        own = {name: row.how for name, row in self.overrides.items()}
        return {**own, "garnets": "N"} if self.garnets else own

    def counts(self, state: AnyState) -> str:
        """What the scores count, as a chart names its axis: `points`; it says so if fewer are better."""
        return self.scored.counts(state) if self.scored else "points"

    def verb(self, action: Action) -> Verb:
        """The game's row for an action; an empty row if the game adds nothing to the shared verb."""
        return self.verbs.get(type(action), PLAIN_VERB)


PLAIN_VERB = Verb()
