"""The replay engine: entries -> live entries -> one state. It is pure: the same log always gives the same state.

There are two orders (docs/log-format.md). Meta entries act in order of `seq` and say which entries are live, with which
time and arguments. Live entries then fold in order of (`at`, `seq`), or (`at`, place) in a joined log. An entry that
the rules refuse is contested: it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from events import Body, Entry, LedgerError, Unreadable
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, Elapsed, Fact, Game, Moment, State, Transaction
from games.kinds import PLAYER
from games.records import fields, kebab, reader
from games.table import Seat, Table, actions as shared
from games.table.settings import check, complete
from ledger.core.effective import BEFORE_ALL, Counting, EffectiveEntry, Index, Marks, counting

FORMAT = 1
OUTSIDER = "outsider"
"""A line of the roster with this word is for somebody who does not play."""
CANDIDATE = "candidate"
"""A player with this word in the roster is the Elimination Candidate of a Death Match."""
DRAFT = 7
"""Raised with each change of fold, texts or entries before the first release. Source: docs/log-format.md section 5."""
R = TypeVar("R")


class Outcome(NamedTuple):
    entry: EffectiveEntry
    facts: tuple[Fact, ...]
    times: tuple[int, ...]
    """When each fact happened, in ms. The facts of ends that came due before the entry have earlier times."""
    refusal: LedgerError | None
    passed: int = 0
    """How many facts, from the first on, belong to ends that came due before the entry."""


class Engine:
    def __init__(self, game: Game) -> None:
        self.game = game
        own = (*shared.TYPED, *shared.WRITTEN, *game.actions)
        self.actions: dict[str, type] = {kebab(cls): cls for cls in own}
        self._reading: dict[str, tuple[Callable[[Mapping[str, object]], Action], tuple[int, ...]]] = {}
        """Verb -> its reader, and the indexes of its fields that name players."""

    def read(self, do: str, args: Mapping[str, object], table: Table) -> Action:
        """The action of an entry.

        Raises:
            Unreadable: the verb is unknown, the arguments are wrong, or a named player is not in the match.
        """
        if do not in self._reading:
            if (cls := self.actions.get(do)) is None:
                raise Unreadable("log.unknown_action", f"this release knows no action {do!r}", "hl verify")
            named = tuple(place for place, field in enumerate(fields(cls)) if field.kind is PLAYER)
            self._reading[do] = reader(cls), named
        read, named = self._reading[do]
        action: Action = read(args)
        seats = table.seats
        for place in named:
            if (value := action[place]) in seats:
                continue
            for player in value if isinstance(value, tuple) else (value,):
                if player is not None and player not in seats:
                    raise Unreadable("player.unknown", f"there is no player {player!r} in this match", "hl status")
        return action

    def start(self, create: Body, game_id: str) -> State:
        """The state after line 1, whose hash is `game_id`.

        Raises:
            Unreadable: `log.newer`, this release does not have those rules; `log.no_create`.
        """
        if create.do != "create":
            raise Unreadable("log.no_create", "line 1 does not create a match", "hl verify")
        args = create.args
        rules = args.get("rules")
        if args.get("format") != FORMAT or not isinstance(rules, int) or not 1 <= rules <= self.game.rules:
            raise Unreadable(
                "log.newer",
                f"this log needs format {args.get('format')} and {self.game.name} rules {rules}; "
                f"this release has format {FORMAT} and rules {self.game.rules}",
                "install a newer host-ledger; hl verify still finds every changed line",
            )
        if args.get("draft") != DRAFT:
            what = f"this log is of draft {args.get('draft')} of format {FORMAT}; this release reads draft {DRAFT}"
            fix = "use the host-ledger that made it; hl verify still finds every changed line"
            raise Unreadable("log.newer", what, fix)
        made = reader(shared.Create)(args)
        check(self.game.settings, self.game.visibility, made.settings, has=self.game.has)
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
                    settings=complete(made.settings, self.game.settings, self.game.visibility, self.game.has),
                    assumptions=made.assumptions,
                    began=create.at,
                    since=create.at,
                    phase="setup",
                    game_id=game_id,
                )
            )
        except KeyError as error:
            raise Unreadable("log.no_create", f"line 1 has no {error}", "hl verify") from None

    def pass_time(self, state: State, moment: Moment) -> tuple[State, list[tuple[int, Fact]]]:
        """Apply every derived end up to and including the moment, in order. Each fact is returned with its time."""
        told: list[tuple[int, Fact]] = []
        while (end := self.game.due(state)) is not None and end <= moment.at:
            facts = self.game.decide(state, Elapsed(), moment._replace(at=end))
            if not facts:
                raise AssertionError(f"the end at {end} passes without a fact")
            state = self.apply(state, facts)
            told += ((end, fact) for fact in facts)
        return state, told

    def apply(self, state: State, facts: Iterable[Fact]) -> State:
        evolve = self.game.evolve
        for fact in facts:
            state = evolve(state, fact)
        return state

    def step(self, state: State, live: EffectiveEntry) -> tuple[State, Outcome]:
        state, passed, facts, refusal = self.advance(state, live)
        if not passed:
            return state, Outcome(live, tuple(facts), (live.at,) * len(facts), refusal)
        both = [*passed, *((live.at, fact) for fact in facts)]
        facts_, times = tuple(fact for _, fact in both), tuple(at for at, _ in both)
        return state, Outcome(live, facts_, times, refusal, len(passed))

    def advance(
        self, state: State, live: EffectiveEntry
    ) -> tuple[State, Sequence[tuple[int, Fact]], Sequence[Fact], LedgerError | None]:
        """Fold one entry, after the ends that came due before it.

        Returns the state, the facts of those ends with their times, the facts of the entry, and its refusal.
        """
        at, seq, by, do, args, still = live
        moment = Moment(at, seq, by)
        passed: Sequence[tuple[int, Fact]] = ()
        end = self.game.due(state)
        if end is not None and end <= at and not still:
            state, passed = self.pass_time(state, moment)
        facts: Sequence[Fact] = ()
        refusal: LedgerError | None = None
        try:
            facts = self.game.decide(state, self.read(do, args, state.table), moment)
        except LedgerError as error:
            refusal = error
        return facts.state if isinstance(facts, Transaction) else self.apply(state, facts), passed, facts, refusal

    def once(self, outcome: Outcome, make: Callable[[], R]) -> R:
        """The result of `make`, which may depend only on the outcome and the state after it."""
        return make()


class Fold(NamedTuple):
    state: State
    outcomes: tuple[Outcome, ...]
    marks: Marks
    layout: Index
    contested: tuple[Outcome, ...]
    """Refused entries that no ruling has settled yet."""
    last: Instant
    """The moment (ms) of the last entry that moved the clock; that of `create` if none did."""
    whole: bool = True
    """Whether the whole log was folded, not just a part up to some point."""

    @property
    def facts(self) -> Iterator[Fact]:
        return chain.from_iterable(outcome.facts for outcome in self.outcomes)


Watch = Callable[["Outcome", State], None]
"""Called after each folded entry with its outcome and the state after it."""


def fold(
    engine: Engine,
    entries: Sequence[Entry],
    until: Callable[[EffectiveEntry], bool] | None = None,
    watch: Watch | None = None,
    counts: Counting | None = None,
) -> Fold:
    """Fold a whole log, or its live entries before the first for which `until` is true.

    Args:
        counts: What counts of the log, where that is known.

    Raises:
        Unreadable: this release cannot read line 1.
    """
    log, said, lives = counts or counting(entries)
    state = engine.start(entries[0].body, entries[0].hash)
    outcomes: list[Outcome] = []
    last = entries[0].body.at
    for live in lives:
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
    """The contested outcomes that no live ruling is about."""
    listed = list(outcomes)
    ruled = ruled_on(listed)
    return (o for o in listed if o.refusal is not None and o.entry.seq not in ruled)


def ruled_on(outcomes: Iterable[Outcome]) -> set[object]:
    """The entries that a live ruling is about."""
    return {o.entry.args.get("about") for o in outcomes if o.entry.do == "ruling" and o.refusal is None}


MAX_CACHED_STEPS = 4096
"""The number of steps to cache before all are dropped: enough for most matches, and a bound for a very long log."""


class Remembering(Engine):
    """An engine that folds each entry only once, although one command folds the same log up to ten times.

    An entry is recognised if it is equal and the state before it is the same object; an outcome, by its identity.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._started: tuple[Body, str, State] | None = None
        self._steps: dict[tuple[int, int], tuple[State, EffectiveEntry, tuple[State, Outcome]]] = {}
        self._values: dict[int, tuple[Outcome, object]] = {}

    def start(self, create: Body, game_id: str) -> State:
        if self._started is None or self._started[0] is not create or self._started[1] != game_id:
            self._started = (create, game_id, super().start(create, game_id))
        return self._started[2]

    def step(self, state: State, live: EffectiveEntry) -> tuple[State, Outcome]:
        key = (id(state), live.seq)
        cached = self._steps.get(key)
        if cached is not None and cached[0] is state and cached[1].args is live.args and cached[1] == live:
            return cached[2]
        if len(self._steps) >= MAX_CACHED_STEPS:
            self._steps.clear()
            self._values.clear()
        result = super().step(state, live)
        self._steps[key] = (state, live, result)  # keeps the state alive, so its id stays unique
        return result

    def once(self, outcome: Outcome, make: Callable[[], R]) -> R:
        cached = self._values.get(id(outcome))
        if cached is None or cached[0] is not outcome:
            cached = self._values[id(outcome)] = (outcome, make())
        value: R = cached[1]  # type: ignore[assignment]  # made by a `make` of the same kind
        return value
