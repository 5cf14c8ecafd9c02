"""The parts of a game: what it states, each thing once. `build` makes everything else of them.

What belongs here: the records that a game fills. What does not: anything that reads them (the modules beside this one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, Due, Fact, Frame, Lookup, Luck, Moment, Result, View, Written
from games.kit.blocks import Block
from games.kit.blocks import Line as Said
from games.kit.sealed import Round
from games.kit.tell import OWN, Lines, News, Says
from games.table import actions as shared
from games.table.state import Table, Verdict
from games.transaction import Transaction

S = TypeVar("S")
Do: TypeAlias = Callable[[Transaction[S], Any, Moment], None]
"""What an action brings about: (tx, action, moment). Tells facts, or raises `Refused` and has told nothing."""
Evolve: TypeAlias = Mapping[type, Callable[[S, Any], S]]
"""Fact -> the state after it."""


class Line(NamedTuple):
    """A mark on a field of a view: who may see it. Several marks: one of them is enough.

    Of a mapping by player with `each`, every player's value is shown or not by itself; of records, each by the players
    it names, and nothing where nobody's may be known.
    """

    key: Lines
    """A line of the information table, or `COURSE`, `OWN`, `HOSTS`. Several lines: all must be open."""
    after_end: bool = False
    """It opens nothing before the match is over."""
    hosts: bool = True
    """Shown to the hosts too? They have the log for the rest."""
    each: bool = False
    when: Callable[[Any], bool] = lambda state: True
    """It opens nothing unless this holds: a setting that tells more."""
    by_key: bool = False
    """Of a mapping by name: each name is a line of the match itself, `KEY:name` (`Parts.level`), and shown or not."""
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
    say: Callable[[Any], str] = lambda value: _said(value)
    """The value in words."""


def _said(value: Any) -> str:
    """A value as a table shows it: words side by side, nothing for nothing."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else "yes" if value is True else "" if value is False else str(value)


class Override(NamedTuple, Generic[S]):
    """What `override FIELD PLAYER VALUE` may set. `FieldSet` follows, and is told as it says."""

    how: str
    """How the value is typed: `N`, `"R4 B4"`."""
    read: Callable[[str], str]
    """What was typed in its one spelling. Raises `Unreadable`."""
    put: Callable[[S, str, str], S] | None = None
    """(state, player, value in its one spelling) -> state. None: whole numbers of the State's field of that name."""
    line: Lines | Callable[[S, Any], Lines] | None = None
    """The lines that tell it; as those of `Say`. None: nobody is told but the hosts."""
    owner: str | Callable[[S, Any, str], News] | None = None
    public: str | Callable[[S, Any], News] | None = None
    facts: Callable[[S, str, str], Iterable[Fact]] | None = None
    """(state, player, value) -> the facts, where it is not `FieldSet`."""
    table: bool = False
    """Is it the table's, and no player's? Then it is typed `override FIELD VALUE`."""
    at_start: bool = False
    """May the match file give it to a player, as `given = { FIELD = "VALUE" }`? A secret role, say."""


class Verb(NamedTuple, Generic[S]):
    """One verb of the game: what it does, and which lines open its entry."""

    do: Do[S]
    own: str = OWN
    """The line that shows the entry to every player it names. `OWN`: to the first one alone, who did it."""
    others: str | None = None
    """The line that shows it to everybody else: it must tell all that is in it."""


class Sheet(NamedTuple, Generic[S]):
    """One verb that fills a sheet of a sealed round. Its entry is its player's."""

    check: Callable[[S, Round, Any], Action | None] = lambda state, round_, action: None
    """What is wrong with it: raises `Refused`. May give what is kept in its place."""
    after: Callable[[Transaction[S], Any], None] | None = None
    """What is said at once of a sheet that is in: (tx, action)."""
    parts: Callable[[Any], tuple[str, ...] | None] = lambda action: None
    """The kinds of items that it adds to the sheet before; None for a whole sheet, which takes its place."""


class Draw(NamedTuple, Generic[S]):
    """A draw that an action of this class makes, is recorded with, and is repeated from.

    `shuffle` gives what is put in an order; or `each` says for whom and `of` what one is drawn from, in turn; or
    `source` says it for one action.
    """

    what: str
    """What another seed would give, in words: `another order`."""
    when: Callable[[S], bool] = lambda state: True
    shuffle: Callable[[S], Sequence[str]] | None = None
    each: Callable[[S], Sequence[str]] | None = None
    of: Callable[[S], Sequence[Sequence[str]]] | None = None
    source: Callable[[S, Any], dict[str, Any] | None] | None = None
    """(state, action) -> what it is made from, as the entry keeps it: `shuffle`, or `each` and `of`; with a `label` a
    commitment fixes it, and `to` says whom it deals to. None: nothing is drawn."""
    fixed: Callable[[S], Iterable[Mapping[str, Any]]] = lambda state: ()
    """All that `source` can give now with a label: what a commitment fixes. Any other draw has a seed of its own."""
    typed: Callable[[S, str], str] | None = None
    """One line that a host typed, in its one spelling: `ann rock +`. None: a player, or a player and what they sent."""
    line: str = OWN
    """The line that opens the entry to everybody."""


class Deal(NamedTuple, Generic[S]):
    """Cards that are dealt before play, typed in or drawn; `HandDealt` for each player and `CardsDealt` follow."""

    deck: Callable[[S], Sequence[str]]
    """The cards in the order that a shuffle starts from, for those who are here (`table.present`)."""
    each: int
    """How many cards a player is dealt."""
    read: Callable[[str], tuple[str, ...]]
    """A hand as typed -> its cards in their one spelling and order. Raises `Unreadable`."""
    may_deal: Callable[[S], None]
    """Raises `Refused` if no cards can be dealt now."""
    hands: Callable[[Any], Mapping[str, Sequence[str]]] = lambda state: state.hands
    """Player -> the cards dealt so far, spelled as `read` gives them."""
    dealt: Callable[[Any], Mapping[str, Sequence[str]] | None] = lambda state: state.dealt
    """The same once the deal is whole; None before."""
    after: Callable[[Transaction[S]], None] | None = None
    """What follows at once from a deal that is whole."""
    other_sizes: str = ""
    """The setting that allows hands of other sizes."""
    committed: Callable[[S], bool] = lambda state: True
    """Does a commitment serve this deal?"""
    line: str = "own_hand"
    """The line that opens a hand's entry to its player."""
    others: str | None = None
    """The line that opens the entries of the deal to everybody."""


class Rounds(NamedTuple, Generic[S]):
    """The sealed rounds of a game: one after the other, then the end."""

    names: Callable[[S], Sequence[str]]
    """The rounds in order: `round_1`, ... . A step with a clock of its own is a round. None is called `break`."""
    hours: Callable[[S, str], int]
    sheets: Mapping[type, Sheet[S]]
    resolve: Callable[[Transaction[S], Round, tuple[str, ...], Moment], None]
    """(tx, round, what was drawn, moment): all sheets are opened at once. Raises `Refused`."""
    what: Callable[[S, str], str] = lambda state, name: "sheet"
    """What a player owes in that round, in words."""
    spelled: Callable[[Any], str] | None = None
    """What is on a sheet, as a host types it."""
    items: Callable[[S, Round, str], Mapping[str, str]] | None = None
    """(state, round, player) -> all that counts of a player in words, by the kind of item: the sheet is read back so,
    and told what a new one drops. Under a kind that begins with `-` stands what is no item."""
    words: Callable[[Round, str], str | None] | None = None
    """(round, player) -> all that counts of that player's sheets, where sheets have several kinds."""
    after: Callable[[Transaction[S], Round, Moment], None] | None = None
    """(tx, round, moment): what follows once the round is resolved, before the next one begins."""
    who: Callable[[S, str], Iterable[str]] | None = None
    """Who is asked in that round. None: everybody."""
    owes: Callable[[S, Round, str], Iterable[str]] | None = None
    """(state, round, player) -> all that the player still owes, in words. None: `what`, of who is silent."""
    may_open: Callable[[S], None] | None = None
    """Raises `Refused` if play cannot begin."""
    opened: Callable[[Transaction[S], tuple[str, ...]], None] | None = None
    """(tx, what was drawn): what follows from the beginning of play, before the first round is open."""
    number: str = ""
    """The setting that says how many rounds there are: fixed once they are over."""
    between: Callable[[S, str], int | None] = lambda state, name: 0
    """(state, the next round) -> the hours of the break before it: it then begins by itself. 0: it begins when the one
    before is resolved. None: it begins when a host says `open`."""


class Scored(NamedTuple, Generic[S]):
    """Points and places, and the lines that tell them."""

    scores: Callable[[S], Mapping[str, int]]
    line: Line
    ranking: Callable[[S], tuple[tuple[str, ...], ...]] | None = None
    """Best first, equal ones together. None: by the scores, most first."""
    lines: tuple[Line, ...] = ()
    """Further lines that the places need."""
    counts: Callable[[S], str] = lambda state: "points"
    """What they are, for the axis of a chart; where fewer are better, it says so."""


Report: TypeAlias = Callable[[Frame, Any, Result], list[Block]]


class Parts(NamedTuple, Generic[S]):
    """A game. What has a default here most games leave alone; each derived text can be replaced by itself."""

    name: str
    title: str
    players: tuple[int, int]
    """Least and most players of the original text."""
    settings: type
    visibility: Mapping[str, tuple[str, str]]
    """The information table: key -> (default, what it is about)."""
    state: type
    phases: Mapping[str, str | tuple[str, str]]
    """Phase -> what a report says of it, with fields of the view in braces; `round` stands for any numbered round.
    Of one in which something is sent: (what it is, what is asked until it is closed).

    The first one is that before play, unless `setup` says what is said then.
    """
    says: Says
    """One row for each fact of the game, and for those of the table that it words otherwise."""
    evolve: Evolve[S]
    """The table has placed its own facts, and settings, before."""
    player: type
    """The view of one player: a record whose fields are marked."""
    of_player: Callable[[S, str, str], View]
    """(state, player, viewer) -> all there is to that player. The marks say what of it is shown."""
    over: Callable[[Any], bool] = lambda state: state.over
    verbs: Mapping[type, Verb[S]] = {}
    rounds: Rounds[S] | None = None
    decide: Mapping[type, Do[S]] = {}
    """Shared verbs that mean something of their own here."""
    may_amend: Callable[[S, shared.AmendSetting], None] | None = None
    """Raises `Refused` if that setting cannot be another one now, whatever its value."""
    draws: Mapping[type, Draw[S]] = {}
    deal: Deal[S] | None = None
    overrides: Mapping[str, Override[S]] = {}
    verdict: Callable[[S], Verdict] | None = None
    """How the match ends as far as is known; None where the game ends itself."""
    follow: Callable[[Transaction[S], Moment], None] | None = None
    """What happens by itself after any action, before the end is looked at."""
    scored: Scored[S] | None = None
    view: type | None = None
    """The view of the match. Fields named as those of `MatchView` are filled in; the others are marked."""
    of_match: Callable[[S, str], Mapping[str, Any]] | None = None
    """(state, viewer) -> the fields of `view` that are the game's own; with `order` the players in another order."""
    has: tuple[str, ...] = ("tokens", "elimination", "gift", "vote", "lot")
    """What there is of tokens, elimination, winner, gift, vote, choose, lot, deal; garnets and rounds follow by
    themselves. Verbs and lines of what there is not are not shown."""
    virtual: Mapping[str, str] = {}
    """Id -> name of purses and parties that nobody sits for, like a pot."""
    garnets: bool = True
    garnet_cap: Callable[[Any], int | None] = lambda settings: getattr(settings, "garnet_cap", None)
    decided: tuple[str, ...] = ("tokens", "elimination")
    """The lines that tell what the decisions of the end do."""
    start: Callable[[Table, Any], S] | None = None
    """(table, settings) -> the first state, where that is more than its empty fields."""
    prepare: Mapping[type, Callable[[S, Any, Luck], tuple[Action, ...]]] = {}
    """What was typed -> what is recorded, where that is more than draws and overrides."""
    audit: Mapping[type, Callable[[S, Any, int, bytes | None], str | None]] = {}
    due: Callable[[S], Instant | None] | None = None
    audience: Mapping[type, Callable[[S, Any], Any]] = {}
    waiting: Callable[[S], tuple[Due, ...]] | None = None
    suggest: Callable[[S, type, str, Mapping[str, str]], tuple[str, ...] | None] | None = None
    """Words likely meant in the game's own verbs, where what is legal is not enough; None: none, legal or not."""
    moves: Callable[[S, str], Iterable[Action]] | None = None
    """(state, player) -> actions that the player might do, where the words of the verbs cannot be listed; those that
    the rules refuse are left out. A sampler says its law in its docstring."""
    invariants: Callable[[S], Iterable[str]] | None = None
    unpaid: Callable[[S, Round], Iterable[str]] | None = None
    """(state, the round that is on) -> what is on its sheets and cannot be paid as things stand: a host may have
    changed them."""
    result: Callable[[S, str], Result] | None = None
    report: Report | None = None
    page: Report | None = None
    """What the derived report shows besides; the table of the players is the hosts' then."""
    scores: Report | None = None
    board: Report | None = None
    rounds_told: Callable[[Frame, Any, str], list[Block]] | None = None
    now: Callable[[Frame, Any, Any], Sequence[Said]] | None = None
    """(frame, a player's view, the view) -> where the player stands, in two or three lines."""
    short: Callable[[str, Any], str] | None = None
    """(player, that player's view) -> one line for the host's answer to a command."""
    for_hosts: Callable[[S, tuple[Fact, ...]], Sequence[Said]] | None = None
    """What the host is answered besides the facts. None: where those stand of whom a fact says that it `holds`."""
    order: Callable[[S, tuple[Fact, ...]], tuple[Fact, ...]] | None = None
    """In which order facts are told, where it is not that in which they happened."""
    stands: Callable[[tuple[Fact, ...], bool], bool] = lambda facts, has_news: True
    """(facts, was a sentence said of them?) -> is a player also told where they stand (`now`)?"""
    reveals: bool = False
    """Does everybody read `rounds_told` of a round with its resolve?"""
    level: Callable[[S, str], str | None] | None = None
    """(state, line) -> the level of a line that the match itself declares; None for one of the information table."""
    match_lines: tuple[str, ...] = ()
    """The keys of those lines."""
    written: Written | None = None
    lookups: tuple[Lookup, ...] = ()
    synonyms: Mapping[str, str] = {}
    rules: int = 1
    texts: int = 1
    demo: str = "demo.hl"

    @property
    def sheets(self) -> Mapping[type, Sheet[S]]:
        """The verbs that fill sheets."""
        return self.rounds.sheets if self.rounds else {}
