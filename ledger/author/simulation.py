"""A match in memory, for tests of a game: played verb by verb, or at random."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from events import Body
from events.errors import LedgerError
from events.instants import Instant
from events.record import NamedTuple
from games.contract import Action, Elapsed, Fact, Game, Moment, Published, Transaction
from games.kinds import PLAYER
from games.parts.moves import is_legal, listed, tried, unlisted
from games.records import args_of, fields, kebab, plain
from games.table import actions as shared
from games.table.settings import defaults
from games.table.state import Seat, Table
from ledger.core.replay import Engine
from ledger.render.text import render

if TYPE_CHECKING:
    from random import Random

# ---- played verb by verb ---------------------------------------------------------------------------------------------

BEGAN = 1_795_000_000_000
"""A day in November 2026, ms, at which every trial begins."""


class Chance(NamedTuple):
    seq: int
    published: Published | None = None
    at: Instant = Instant(0)
    luck: int = 0

    def seed(self) -> bytes:
        return ((self.luck << 64) + self.seq).to_bytes(32, "big")


class Number(int):
    """The number of an entry. It counts hidden entries too, so nothing that is told may contain it.

    Its `repr` is always `#`, so that the `repr` of a fact with a number does not depend on the number.
    """

    __slots__ = ()
    __str__ = int.__repr__

    def __repr__(self) -> str:
        return "#"


class Done(NamedTuple):
    """One step of a trial: its time (ms), the entry before it, the typed action, the recorded actions, and the host."""

    now: int
    seq: int
    action: Action
    made: tuple[Action, ...]


class Trial:
    """A match in memory. Actions are decided and evolved at once; a refusal changes nothing.

    Attributes:
        now: The moment of the next action, ms; a test may move it.
        luck: A seed for draws: another number gives other outcomes.
        shift: Added to each entry number that the game sees; draws do not depend on it.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        *,
        garnets: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
        given: Mapping[str, Mapping[str, str]] | None = None,
        outside: Collection[str] = (),
    ) -> None:
        self.game = game
        complete = defaults(game.settings, game.visibility, game.has)
        for key, value in (settings or {}).items():
            complete = {**complete, key: {**complete[key], **value} if isinstance(value, Mapping) else value}
        self.now, self.seq = BEGAN, 1
        self.told: list[Fact] = []
        self.done: list[Done] = []
        self.luck = self.shift = 0
        self.state: Any = game.start(
            Table(
                game=game.name,
                title="a test",
                zone="UTC",
                hosts=("mara", "theo"),
                seats={p: Seat(p.capitalize()) for p in players},
                outside=frozenset(outside),
                settings=complete,
                assumptions=(),
                began=Instant(BEGAN),
                since=Instant(BEGAN),
                phase="setup",
            )
        )
        for player in players:
            gifts = {field: game.given[field](value) for field, value in (given or {}).get(player, {}).items()}
            self.do(shared.Seat(player, (garnets or {}).get(player, 0), given=gifts))

    @classmethod
    def from_entries(cls, game: Game, bodies: Sequence[Body]) -> Trial:
        """A match that begins with the entries made from a match file.

        Raises:
            LedgerError: one of the entries is refused.
        """
        trial, engine = cls.__new__(cls), Engine(game)
        trial.game, trial.now, trial.seq = game, bodies[0].at, len(bodies)
        trial.luck = trial.shift = 0
        trial.told, trial.done = [], []
        trial.state = engine.start(bodies[0], "")
        for seq, body in enumerate(bodies[1:], 2):
            action = engine.read(body.do, body.args, trial.state.table)
            trial._apply(game.decide(trial.state, action, Moment(body.at, seq, body.by)))
        return trial

    def bodies(self) -> list[Body]:
        made, host = list[Body](), self.state.table.hosts[0]
        for now, seq, _, actions in self.done:
            batch = seq + 1 if len(actions) > 1 else None
            made += (Body(kebab(type(a)), Instant(now), host, Instant(now), args_of(a), batch=batch) for a in actions)
        if made and made[-1].at < self.now:
            now = Instant(self.now)
            made.append(Body("note", now, host, now, args_of(shared.Note("time has passed"))))
        return made

    def do(self, action: Action, *, at: int | None = None) -> list[Fact]:
        """Apply the ends that are due, then prepare and decide `action`; return only the facts of the action.

        Raises:
            LedgerError: the action is refused, or cannot be read.
        """
        self.now = self.now if at is None else at
        self.wait()
        facts, before, by = list[Fact](), (self.seq, self.state, len(self.told)), self.state.table.hosts[0]
        prepared = self.game.prepare(self.state, action, Chance(self.seq + 1, at=Instant(self.now), luck=self.luck))
        try:
            for prepared_action in prepared:
                self.seq += 1
                moment = Moment(Instant(self.now), Number(self.seq + self.shift), by)
                facts += self._apply(self.game.decide(self.state, prepared_action, moment))
        except LedgerError:
            self.seq, self.state, told = before
            del self.told[told:]
            raise
        self.done.append(Done(self.now, before[0], action, prepared))
        return facts

    def wait(self, until: int | None = None) -> list[Fact]:
        self.now = self.now if until is None else until
        facts: list[Fact] = []
        while (end := self.game.due(self.state)) is not None and end <= self.now:
            facts += self._apply(self.game.decide(self.state, Elapsed(), Moment(end, Number(self.seq + self.shift))))
        return facts

    def refusal(self, action: Action) -> LedgerError | None:
        """The error for an action that is refused or cannot be read; None if it was done."""
        before = self.state
        try:
            self.do(action)
        except LedgerError as refused:
            assert self.state == before, "a refusal changes nothing"
            return refused
        return None

    def _apply(self, facts: Sequence[Fact]) -> list[Fact]:
        for fact in facts:
            self.state = self.game.evolve(self.state, fact)
        same = not isinstance(facts, Transaction) or facts.state == self.state
        assert same, "a decision knows the state it leads to"
        self.told += facts
        return list(facts)

    def garnets(self) -> dict[str, int]:
        return {p: self.state.table.garnets(p) for p in self.state.table.seats}

    def result(self, viewer: str = "host") -> Any:
        return self.game.result(self.state, viewer)

    def view(self, viewer: str = "host") -> Any:
        return plain(self.game.view(self.state, viewer))

    def notice(self, facts: Sequence[Fact], viewer: str) -> str:
        return str(render(self.game.tell(self.state, facts, viewer).blocks, "UTC"))

    def twin(self) -> Trial:
        twin = copy.copy(self)
        twin.told, twin.done = list(self.told), list(self.done)
        return twin


# ---- played at random ------------------------------------------------------------------------------------------------

GUIDE = "docs/add-a-game.md, section 9"
LIKELY = 0.8
ATTEMPTS_TO_RESOLVE = 20
"""After this many attempts, a round counts as impossible to resolve and the match is left open."""


class ProvesNothing(AssertionError):
    """The matches played prove nothing about the game. The message says what was missing and what to do."""


def simulate(
    game: Game,
    players: Sequence[str],
    chance: Random,
    rounds: int = 1000,
    between: Callable[[Trial], None] = lambda match: None,
    /,
    *,
    given: Mapping[str, Mapping[str, str]] | None = None,
    outside: Collection[str] = (),
    **settings: Any,
) -> Trial:
    """Play a match of random legal moves (`Game.moves`), to its end or until `rounds` sealed rounds are resolved.

    Hosts play the verbs of the game that name no player.

    Args:
        between: Called after each action, for other actions of hosts, such as overrides.

    Raises:
        ProvesNothing: no player was able to do anything in the match.
    """
    for _ in range(3):  # in a short match, everybody may be silent by chance
        match = Trial(game, players, settings=settings, given=given, outside=outside)
        tried = False
        for action, _, _ in play(match, players, chance, rounds):
            tried = tried or type(action) in game.actions
            between(match)
        if tried:
            return match
    listed = "\n".join(f"  {kebab(verb)} {advice(match, verb)}" for verb in game.actions)
    raise ProvesNothing(f"in a whole match of {game.name} no player did anything:\n{listed}")


def play(
    match: Trial, players: Sequence[str], chance: Random, rounds: int = 1000, pace: float = 0
) -> Iterator[tuple[Action, list[Fact], LedgerError | None]]:
    """Continue a match at random (`course`); yield each action tried, its facts, and its refusal."""
    for action in course(match.game, lambda: match.state, players, chance, rounds, pace):
        if isinstance(action, Elapsed):
            yield action, match.wait(match.game.due(match.state)), None
            continue
        try:
            facts = match.do(action)
        except LedgerError as refused:
            yield action, [], refused
        else:
            yield action, facts, None


def course(
    game: Game, state: Callable[[], Any], players: Sequence[str], chance: Random, rounds: int = 1000, pace: float = 0
) -> Iterator[Action]:
    """Random actions, until the match is over, `rounds` rounds are resolved or nothing more can happen.

    The caller does each action, or has it refused, before it takes the next. `Elapsed` means: time passes until the
    next end.

    Args:
        pace: In a game without rounds, the probability that a host or the clock acts after everybody had a turn
            (between rounds, one always does). Above 0, a verb is chosen before its words, so that a verb with many
            words is not played most of the time.
    """
    tried = Counter[int]()
    for _ in range(50 * (rounds + len(players))):
        now, resolved = state(), len(state().table.resolved)
        if now.table.status == "finished" or resolved >= rounds or tried[resolved] >= ATTEMPTS_TO_RESOLVE:
            return
        if now.table.round is not None:
            tried[resolved] += 1
            yield from _moves(game, state, players, chance, by_verb=pace > 0)
            for actions in of_hosts(game, state(), chance):
                before = state()
                for action in actions if chance.random() < LIKELY else ():
                    if state() is before:
                        yield action
            before = state()
            yield shared.Resolve()
            if state() is before and game.due(before) is not None:
                yield Elapsed()
        elif now.table.decisions:
            yield from _settle(now.table.decisions[0], chance)
            if state() is now and now.table.decisions[0].kind == "lot":  # not drawn here: a host names somebody
                yield shared.Lot((), chance.choice(now.table.decisions[0].among))
        else:
            offered = yield from _moves(game, state, players, chance, by_verb=pace > 0)
            if (game.rounds and offered) or (pace and chance.random() < pace):
                yield from _without_players(game, state, chance)
            if state() is now and not offered:
                yield from _without_players(game, state, chance)
                if state() is now:
                    return


def _without_players(game: Game, state: Callable[[], Any], chance: Random) -> Iterator[Action]:
    before = state()
    of_game = [action for actions in of_hosts(game, before, chance) for action in actions]
    tried: list[Action] = [*([shared.Deal()] if "deal" in game.has else []), *of_game, shared.Open()]
    for action in tried:
        if state() is before:
            yield action
    if state() is before and game.due(before) is not None:
        yield Elapsed()
    if state() is before:
        yield shared.Close()


def of_hosts(game: Game, state: Any, chance: Random) -> list[list[Action]]:
    """The possible actions of each verb of the game that names no player, as far as they can be listed, shuffled."""
    found: list[list[Action]] = []
    verbs: list[Any] = [*game.actions]
    for cls in verbs:
        needed = [field for field in fields(cls) if field.required]
        if any(field.kind is PLAYER or field.many for field in needed):
            continue
        words = [game.suggest(state, cls, field.name, {}) or listed(field, state.table) for field in needed]
        names = [field.name for field in needed]
        actions = [cls(**dict(zip(names, values, strict=True))) for values in product(*words)]
        found.append(chance.sample(actions, len(actions)))
    return chance.sample(found, len(found))


def _moves(
    game: Game, state: Callable[[], Any], players: Sequence[str], chance: Random, *, by_verb: bool
) -> Generator[Action, None, bool]:
    """Yield one random legal move for most players; return whether anybody had a legal move."""
    offered = False
    for player in players:
        move = any_move(game, state(), player, chance, by_verb=by_verb)
        offered = offered or move is not None
        if move is not None and chance.random() < LIKELY:
            yield move
    return offered


def any_move(game: Game, state: Any, player: str, chance: Random, *, by_verb: bool = False) -> Action | None:
    """A random legal move of the player, if there is one; `by_verb`, of a random verb."""
    moves = list(tried(game, state, player))
    chance.shuffle(moves)
    if by_verb:
        turns = {verb: chance.random() for verb in dict.fromkeys(map(type, moves))}
        moves.sort(key=lambda move: turns[type(move)])
    return next((move for move in moves if is_legal(game, state, move)), None)


def _settle(decision: Any, chance: Random) -> Iterator[Action]:
    if decision.kind == "lot":
        yield shared.Lot()
    elif decision.kind == "ruling":
        yield shared.Close("ruling")
    else:
        kinds: Mapping[str, Any] = {"vote": shared.Vote, "gift": shared.Gift, "choose": shared.Choose}
        for player in decision.who:
            yield kinds[decision.kind](player, chance.choice(decision.among))


# ---- verbs never played ----------------------------------------------------------------------------------------------


def never_played(matches: Sequence[Trial]) -> list[type]:
    found = {type(step.action) for match in matches for step in match.done}
    return [cls for cls in matches[0].game.actions if cls not in found]


def advice(match: Trial, verb: type) -> str:
    """Why players may never have played a verb, and what its author can do."""
    where = unlisted(verb, match.state.table)
    why = f"(the words of {' and '.join(where)} cannot be listed)" if where else "(no player was offered it)"
    return f"{why}: say what players can do, with Game(choices=...), {GUIDE}"
