"""The replay engine: entries -> which are live -> one state. Pure; the same log gives the same state for ever.

Two orders (design section 4): entries about the log act by `seq` and say which others are live, with which time and
arguments; live entries then fold by (`at`, `seq`), in a log that was joined with a copy by (`at`, place). An entry the
rules refuse is contested: it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from events import Body, Entry, LedgerError, Unreadable, read_instant
from events.record import NamedTuple
from games.contract import Action, Elapsed, Fact, Game, Moment
from games.kinds import PLAYER
from games.records import Trusted, fields, kebab, reader, trusting
from games.story import Told
from games.table import Seat, Table
from games.table import actions as shared
from games.table.settings import check, complete

FORMAT = 1
OUTSIDER = "outsider"
CANDIDATE = "candidate"
"""In the roster: this is a Death Match, and that player its Elimination Candidate."""
"""In a line of the roster: who sits there does not play."""
DRAFT = 3
"""Raised by every change of fold, texts or entries before the first release. Source: docs/log-format.md section 5."""
BEFORE_ALL = -(2**62)
"""The time at which the entries of `new` fold: before everything, whatever their `at`. Source: design section 4."""

R = TypeVar("R")


class Live(NamedTuple):
    """An entry as it counts now: where it folds, and with what arguments."""

    at: int
    seq: int
    do: str
    by: str
    args: Mapping[str, Any]
    still: bool
    """It moves no clock: an entry of `new`, or a note about another entry."""


class Outcome(NamedTuple):
    """What folding one entry came to: facts, or the refusal that makes it contested."""

    live: Live
    facts: tuple[Fact, ...]
    times: tuple[int, ...]
    """When each fact happened, ms: an end that the clock brought lies before the entry at which it is folded."""
    refusal: LedgerError | None
    passed: int = 0
    """How many of the facts, the first ones, the clock brought before the entry itself."""


class Marks(NamedTuple):
    """What entries about the log say of the others, by entry number."""

    struck: Mapping[int, int]
    """Struck entry -> the undo."""
    undone: Mapping[int, tuple[int, ...]]
    """Undo in effect -> what it strikes."""
    amended: Mapping[int, tuple[Entry, ...]]
    """Amended entry -> its amends in effect, in order; the last one counts."""
    confirmed: Mapping[int, tuple[str, ...]]
    """Entry -> the hosts that confirmed it."""


Place: TypeAlias = tuple[int, str]
"""Where an entry stands when times are equal: its number in the copy where it was recorded first, then its hash."""


class Index(NamedTuple):
    """What the two orders ask of a log, small enough to keep for a long one."""

    about: Sequence[Entry]
    """The entries about the log."""
    batches: Sequence[int]
    """Of line n at n - 1: the first entry of its batch, 0 for none."""
    places: Sequence[Place] = ()
    """Of line n at n - 1. Empty for a log that was never joined: there the place of an entry is its number."""
    first: Sequence[int] = ()
    """The numbers among the places, before `also` makes any of them smaller."""
    latest: int = 0
    """The greatest of these, and of those in `also`."""
    joined: Mapping[int, Place] = {}
    """Entry taken from another copy -> where it was recorded first."""
    also: Mapping[int, tuple[Place, ...]] = {}
    """Entry -> where else the same was recorded."""
    keys: Mapping[int, tuple[str, ...]] = {}
    """Entry -> `--once` keys it goes by that its line does not show."""

    def place(self, seq: int) -> Place:
        """Where an entry stands among others of the same time, and among those about the log."""
        return self.places[seq - 1] if self.places else (seq, "")

    @property
    def next(self) -> int:
        """The place of the next entry: its number, unless a joined copy has counted further."""
        return max(len(self.batches), self.latest) + 1

    def first_line(self, entry: Entry) -> str:
        """The hash of the line where it was recorded first, here or in another copy: it is known by that for ever."""
        return self.joined[entry.seq][1] if entry.seq in self.joined else entry.hash

    def called(self, entry: Entry) -> tuple[str, ...]:
        """The `--once` keys of an entry."""
        own = () if entry.body.once is None else (entry.body.once,)
        return (*own, *self.keys.get(entry.seq, ()))

    def is_setup(self, seq: int) -> bool:
        """Does it belong to the entries of `new`?"""
        return seq == 1 or self.batches[seq - 1] == 1

    def batch(self, target: int) -> tuple[int, ...]:
        """The entries that one command wrote together with `target`."""
        first = self.batches[target - 1]
        if self.places and not self.is_setup(target):
            # A join that was cut short leaves its batch in two parts; and what one host remarked on an entry that both
            # recorded goes with that entry, also where it was recorded alone.
            first = first or target
            return tuple(seq for seq, batch in enumerate(self.batches, 1) if first in (batch, seq))
        if not 1 <= first <= target:
            return (target,)
        last = target
        while last < len(self.batches) and self.batches[last] == first:
            last += 1
        whole = range(first, last + 1)
        return tuple(whole) if all(self.batches[seq - 1] == first for seq in whole) else (target,)


def index(entries: Sequence[Entry]) -> Index:
    """The index of entries in memory."""
    about = [entry for entry in entries if entry.body.do in shared.ABOUT_THE_LOG]
    plain = Index(about, [entry.body.batch or 0 for entry in entries])
    return with_places(plain, entries) if any(entry.body.do == "join" for entry in about) else plain


def with_places(plain: Index, entries: Iterable[Entry]) -> Index:
    """The index of a log that was joined with another copy: every copy gives an entry the same place.

    An entry recorded here stands after all that was known here; one that `join` brought stands where it stood in the
    copy it comes from. So what one copy recorded after the other keeps its order, and what two copies recorded without
    knowing of each other comes in one order in both. Source: docs/decisions/0013-joined-copies-fold-alike.md.
    """
    places: list[Place] = []
    first: list[int] = []
    joined: dict[int, Place] = {}
    also: dict[int, tuple[Place, ...]] = {}
    keys: dict[int, tuple[str, ...]] = {}
    named: set[str] = set()
    """The lines that entries so far are known by: a join entry that names one again is not believed."""
    told: dict[int, Any] = {}
    wrote = 0
    """The first line that the last join wrote."""
    latest = 0

    def learn(entry: int, row: Any) -> int:
        """By what else an entry is known; the greatest number among it."""
        for place in map(_place, _rows(row.get("also"))):
            if place is not None and place[1] not in named:
                also[entry] = (*also.get(entry, ()), place)
                named.add(place[1])
        if called := tuple(key for key in _rows(row.get("keys")) if isinstance(key, str)):
            keys[entry] = (*keys.get(entry, ()), *called)
        return max((number for number, _ in also.get(entry, ())), default=0)

    for seq, hash_, body in entries:
        place = (max(seq, latest + 1), hash_)
        if body.do == "join":
            wrote, told = body.batch or seq, dict(enumerate(_rows(body.args.get("lines")), start=seq + 1))
            for row in _rows(body.args.get("known")):
                match row:
                    case {"entry": int(entry)} if 0 < entry < seq:
                        latest = max(latest, learn(entry, row))
        elif body.joined == wrote and (was := _place(told.get(seq))) is not None and was[1] not in named:
            place = joined[seq] = was
            named.add(was[1])
            latest = max(latest, learn(seq, told[seq]))
        else:
            told = {}  # a join that was cut short: what follows was recorded here
        named.add(place[1])
        latest = max(latest, place[0])
        places.append(place)
        first.append(place[0])
    for seq, others in also.items():
        places[seq - 1] = min(places[seq - 1], *others)
    return plain._replace(places=places, first=first, latest=latest, joined=joined, also=also, keys=keys)


def _rows(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _place(row: Any) -> Place | None:
    """Where an entry was recorded, as a `join` entry says it; None for what says nothing of the kind."""
    match row:
        case {"place": int(number), "line": str(line)} if number > 0 and number is not True:
            return number, line
    return None


def marks(log: Index) -> Marks:
    """What is struck, amended and confirmed, after all entries about the log in `seq` order (in that of their places,
    when copies were joined). An entry is struck while any undo of it is in effect: two hosts may have undone it."""
    undone: dict[int, tuple[int, ...]] = {}
    fixed = {entry.seq for entry in log.about if entry.body.do not in shared.STRIKABLE}
    amends: dict[int, list[Entry]] = {}
    checks: dict[int, list[Entry]] = {}
    for entry in sorted(log.about, key=lambda e: log.place(e.seq)) if log.places else log.about:
        body, target = entry.body, entry.body.args.get("target")
        if not isinstance(target, int) or not 1 <= target < entry.seq:
            continue
        if body.do == "undo":
            undone[entry.seq] = tuple(s for s in log.batch(target) if s not in fixed and not log.is_setup(s))
        elif body.do == "redo":
            undone.pop(target, None)
        elif body.do == "amend":
            amends.setdefault(target, []).append(entry)
        elif body.do == "confirm":
            checks.setdefault(target, []).append(entry)
    struck: dict[int, int] = {}
    for undo, hit in undone.items():
        for seq in hit:
            struck.setdefault(seq, undo)
    standing = {target: tuple(e for e in said if e.seq not in struck) for target, said in amends.items()}
    # Who confirmed an entry before it was amended has not seen what it says now.
    seen = {target: max((log.place(e.seq) for e in standing.get(target, ())), default=(0, "")) for target in checks}
    confirmed = {t: tuple(e.body.by for e in made if log.place(e.seq) > seen[t]) for t, made in checks.items()}
    return Marks(
        struck,
        undone,
        {target: said for target, said in standing.items() if said},
        {target: hosts for target, hosts in confirmed.items() if hosts},
    )


def is_mark(entry: Entry, entries: Sequence[Entry], log: Index) -> bool:
    """Does it only say what was done with a text or receipt, or undo such a mark? Then the match is as it was."""
    if entry.body.do in shared.MARKS:
        return True
    target = entry.body.args.get("target")
    if entry.body.do != "undo" or not isinstance(target, int) or not 1 <= target < entry.seq:
        return False
    return entries[target - 1].body.do in shared.MARKS and log.batch(target) == (target,)


def with_marks(before: Fold, entries: Sequence[Entry]) -> Fold:
    """The fold of a log to which only marks of posting were added, or undos of them: what counts is as it was."""
    log = index(entries)
    return before._replace(layout=log, marks=marks(log))


def live_entries(entries: Sequence[Entry], said: Marks, log: Index) -> list[Live]:
    """The entries that count, in the order in which they fold."""
    found = [
        as_live(entry, said, log)
        for entry in entries
        if entry.seq not in said.struck and entry.body.do not in shared.ABOUT_THE_LOG
    ]
    found.sort(key=lambda live: (live.at, log.place(live.seq)))
    return found


def as_live(entry: Entry, said: Marks, log: Index) -> Live:
    """One entry with its time and arguments as amended."""
    body, seq = entry.body, entry.seq
    at, args = body.at, body.args
    if amends := said.amended.get(seq):
        by = amends[-1].body.args
        args = by.get("args", args)
        if isinstance(when := by.get("at"), str):
            at = _instant(when, at)
    if not isinstance(args, dict):
        args = {}
    if log.is_setup(seq):
        return Live(BEFORE_ALL, seq, body.do, body.by, args, True)
    return Live(at, seq, body.do, body.by, args, body.do == "note" and "about" in args)


def _remarks(body: Body) -> bool:
    """Is it a note about an entry?"""
    return body.do == "note" and "about" in body.args


def live_of(body: Body, seq: int) -> Live:
    """An entry that nothing amends, as it counts."""
    return Live(body.at, seq, body.do, body.by, body.args, _remarks(body))


def _instant(text: str, otherwise: int) -> int:
    try:
        return read_instant(text)
    except ValueError:
        return otherwise  # a hostile amend: its time cannot be read, so it moves nothing


def late_entries(entries: Sequence[Entry], layout: Index) -> frozenset[int]:
    """Entries that were recorded after one that counts later: each was placed before others.

    A remark on an entry has no place among them: it may be typed long after the match.
    """
    latest: tuple[int, Place] = (BEFORE_ALL, (0, ""))
    found = []
    for entry in entries:
        body = entry.body
        if body.do in shared.ABOUT_THE_LOG or layout.is_setup(entry.seq) or _remarks(body):
            continue
        point = (body.at, layout.place(entry.seq))
        if point < latest:
            found.append(entry.seq)
        latest = max(latest, point)
    return frozenset(found)


class Engine:
    """Folds the entries of one game. Holds no state of a match.

    Attributes:
        reader: Makes the reader of an action's args: the strict one; with `trust` the one that checks nothing, which
            is for completion alone.
    """

    def __init__(self, game: Game, *, trust: bool = False) -> None:
        self.game = game
        self.trust = trust
        self.reader: Callable[[Any], Callable[[Mapping[str, Any]], Any]] = trusting if trust else reader
        own = (*shared.TYPED, *shared.WRITTEN, *game.actions)
        self.actions: dict[str, type] = {kebab(cls): cls for cls in own}
        self._reading: dict[str, tuple[Callable[[Mapping[str, Any]], Any], tuple[str, ...]]] = {}
        """Verb -> its reader, and its fields that name players."""

    def read(self, do: str, args: Mapping[str, Any], table: Table) -> Action:
        """The action of an entry.

        Raises:
            Unreadable: unknown verb, wrong arguments, or somebody who is not in the match.
        """
        if do not in self._reading:
            cls = self.actions.get(do)
            if cls is None:
                raise Unreadable("log.unknown_action", f"this release knows no action {do!r}", "hl verify")
            self._reading[do] = self.reader(cls), tuple(f.name for f in fields(cls) if f.kind is PLAYER)
        read, names = self._reading[do]
        action: Action = read(args)
        seats = table.seats
        for name in names:
            value = getattr(action, name)
            for player in value if isinstance(value, tuple) else (value,):
                if player is not None and player not in seats:
                    raise Unreadable("player.unknown", f"there is no player {player!r} in this match", "hl status")
        return action

    def start(self, create: Body, game_id: str) -> Any:
        """The state after line 1, whose hash is `game_id`.

        Raises:
            Unreadable: `log.newer`, when this release does not have those rules; `log.no_create`.
        """
        if create.do != "create":
            raise Unreadable("log.no_create", "line 1 does not create a match", "hl verify checks chain and seals")
        args = create.args
        rules = args.get("rules")
        if args.get("format") != FORMAT or not isinstance(rules, int) or not 1 <= rules <= self.game.rules:
            raise Unreadable(
                "log.newer",
                f"this log needs format {args.get('format')} and {self.game.name} rules {rules}; "
                f"this release has format {FORMAT} and rules {self.game.rules}",
                "install a newer host-ledger; hl verify still checks chain and seals",
            )
        if args.get("draft") != DRAFT:
            raise Unreadable(
                "log.newer",
                f"this log is of draft {args.get('draft')} of format {FORMAT}; this release folds draft {DRAFT}",
                "use the host-ledger that made it; hl verify still checks chain and seals",
            )
        made: shared.Create = self.reader(shared.Create)(args)
        settings = Trusted(made.settings) if self.trust else made.settings
        check(self.game.settings, self.game.visibility, settings)
        try:
            seats = {row["id"]: Seat(row["name"]) for row in made.roster}
            return self.game.start(
                Table(
                    game=made.game,
                    title=made.title,
                    zone=made.zone,
                    hosts=made.hosts,
                    seats=seats,
                    outside=frozenset(row["id"] for row in made.roster if row.get("kind") == OUTSIDER),
                    settings=complete(settings, self.game.settings, self.game.visibility),
                    assumptions=made.assumptions,
                    began=create.at,
                    since=create.at,
                    phase="setup",
                    game_id=game_id,
                )
            )
        except KeyError as error:
            raise Unreadable("log.no_create", f"line 1 lacks {error}", "hl verify checks chain and seals") from None

    def pass_time(self, state: Any, moment: Moment) -> tuple[Any, list[tuple[int, Fact]]]:
        """Let every derived end up to and including the moment happen, in order. Facts come with their time."""
        told: list[tuple[int, Fact]] = []
        while (end := self.game.due(state)) is not None and end <= moment.at:
            facts = self.game.decide(state, Elapsed(), moment._replace(at=end))
            if not facts:
                raise AssertionError(f"the end at {end} passes without a fact")
            state = self.tell(state, facts)
            told += ((end, fact) for fact in facts)
        return state, told

    def tell(self, state: Any, facts: Iterable[Fact]) -> Any:
        """The state after these facts."""
        evolve = self.game.evolve
        for fact in facts:
            state = evolve(state, fact)
        return state

    def step(self, state: Any, live: Live) -> tuple[Any, Outcome]:
        """Fold one entry, and say what it came to."""
        state, passed, facts, refusal = self.advance(state, live)
        if not passed:
            return state, Outcome(live, tuple(facts), (live.at,) * len(facts), refusal)
        both = [*passed, *((live.at, fact) for fact in facts)]
        facts_, times = tuple(fact for _, fact in both), tuple(at for at, _ in both)
        return state, Outcome(live, facts_, times, refusal, len(passed))

    def advance(
        self, state: Any, live: Live
    ) -> tuple[Any, Sequence[tuple[int, Fact]], Sequence[Fact], LedgerError | None]:
        """Fold one entry: first the ends that time has reached, then the entry itself.

        Returns the state, the facts of those ends with their times, the facts of the entry, and its refusal.
        """
        moment = Moment(live.at, live.seq, live.by)
        passed: Sequence[tuple[int, Fact]] = ()
        end = self.game.due(state)
        if end is not None and end <= live.at and not live.still:
            state, passed = self.pass_time(state, moment)
        facts: Sequence[Fact] = ()
        refusal: LedgerError | None = None
        try:
            facts = self.game.decide(state, self.read(live.do, live.args, state.table), moment)
        except LedgerError as error:
            refusal = error
        return facts.state if isinstance(facts, Told) else self.tell(state, facts), passed, facts, refusal

    def once(self, outcome: Outcome, make: Callable[[], R]) -> R:
        """What is made of an outcome and the state after it, and of nothing else."""
        return make()


class Fold(NamedTuple):
    """A log folded up to some point."""

    state: Any
    outcomes: tuple[Outcome, ...]
    marks: Marks
    layout: Index
    contested: tuple[Outcome, ...]
    """Refused and not yet settled by a ruling about them."""
    last: int
    """The moment of the last entry that moved the clock; that of `create` when there is none. ms."""
    whole: bool = True
    """Up to the end, and not only up to some point."""


Watch = Callable[["Outcome", Any], None]
"""Called after each folded entry with what it came to and the state after it."""


def fold(
    engine: Engine,
    entries: Sequence[Entry],
    until: Callable[[Live], bool] | None = None,
    watch: Watch | None = None,
) -> Fold:
    """Fold a whole log, or those live entries for which `until` is false.

    Raises:
        Unreadable: line 1 is not for this release.
    """
    log = index(entries)
    said = marks(log)
    state = engine.start(entries[0].body, entries[0].hash)
    outcomes: list[Outcome] = []
    last = entries[0].body.at
    for live in live_entries(entries, said, log):
        if live.seq == 1:
            continue
        if until is not None and live.at != BEFORE_ALL and until(live):
            break
        state, outcome = engine.step(state, live)
        outcomes.append(outcome)
        if watch is not None:
            watch(outcome, state)
        if not live.still:
            last = live.at
    return Fold(state, tuple(outcomes), said, log, tuple(unsettled(outcomes)), last, until is None)


def unsettled(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The contested ones that no live ruling is about."""
    listed = list(outcomes)
    ruled = {o.live.args.get("about") for o in listed if o.live.do == "ruling" and o.refusal is None}
    return (o for o in listed if o.refusal is not None and o.live.seq not in ruled)
