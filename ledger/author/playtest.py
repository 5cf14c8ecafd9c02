"""Play many whole matches of random legal moves, and report what they show to the author of a game or match file.

Nobody plays to win in them. So they show what never happens, what is refused, how long a match takes and whether a seat
has an advantage; they do not show which play is good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from events.audiences import HOST_VIEWER, PUBLIC_VIEWER
from events.errors import LedgerError
from events.record import NamedTuple
from games.contract import Action, players_of
from games.parts.view import data_of
from games.records import kebab
from games.table.actions import Resolve
from games.table.facts import DecisionOpened, Moved
from games.table.state import BANK
from ledger.author.pairs import closed_data
from ledger.author.simulation import Trial, advice, play
from ledger.core.clock import dice


class Failed(NamedTuple):
    seed: int
    what: str
    match: Trial


class Spread(NamedTuple):
    least: int
    median: float
    most: int


class SeatShare(NamedTuple):
    """How often a seat won, and the 95 % confidence interval of its share (Wilson)."""

    player: str
    won: int
    share: float
    low: float
    high: float


class Playtest(NamedTuple):
    game: str
    matches: int
    seed: int
    never_played: Mapping[str, str]
    never_met: tuple[str, ...]
    """Secrets that occurred in no match: fields of views that the information table keeps from somebody."""
    ends: Mapping[str, int]
    """`finished`, `void`, or `open` for matches that do not end by themselves -> number of matches."""
    actions: Spread
    rounds: Spread
    seats: tuple[SeatShare, ...]
    winners: Mapping[str, int]
    ties: int
    decided: Mapping[str, int]
    played: Mapping[str, int]
    refused: Mapping[str, int]
    garnets_in: Spread
    garnets_out: Spread
    first_open: int | None
    failed: Failed | None


def called(action: Any) -> str:
    verb = getattr(action, "verb", "")
    return f"{kebab(type(action))} {verb}".rstrip()


class Counting:
    def __init__(self, begun: Trial) -> None:
        self.game = game = begun.game
        self.played, self.refused = Counter[str](), Counter[str]()
        self.ends, self.decided, self.winners, self.won = Counter[str](), Counter[str](), Counter[int](), Counter[str]()
        self.actions, self.rounds, self.into, self.out = list[int](), list[int](), list[int](), list[int]()
        self.ties = 0
        self.secrets = closed_data(game, begun.state.table.settings["visibility"])
        self.met: set[str] = set()
        self.first_open: int | None = None

    def action(self, action: Action, refused: LedgerError | None) -> None:
        if type(action) not in self.game.actions:
            return
        if refused is None:
            self.played[called(action)] += 1
        elif any(players_of(action)):  # verbs of hosts are tried blindly
            self.refused[f"{called(action)}: {refused.code}"] += 1

    def look(self, match: Trial) -> None:
        """Note the fields that one viewer sees now and another does not."""
        if self.secrets <= self.met:
            return
        game, state = self.game, match.state
        viewers = (HOST_VIEWER, PUBLIC_VIEWER, *state.table.seats)
        views: list[Any] = [game.view(state, viewer) for viewer in viewers]
        of_players = ([view.players[p] for view in views if p in (view.players or {})] for p in state.table.seats)
        for first, *others in filter(None, (views, *of_players)):
            cls: Any = type(first)
            for datum in data_of(cls):
                if any(getattr(other, datum.name) != getattr(first, datum.name) for other in others):
                    self.met.add(f"{cls.__name__}.{datum.name}")

    def end(self, match: Trial, seed: int) -> None:
        table, result = match.state.table, match.result()
        end = "void" if table.void else "finished" if table.status == "finished" else "open"
        self.ends[end] += 1
        if end == "open" and self.first_open is None:
            self.first_open = seed
        self.actions.append(len(match.done))
        self.rounds.append(len(table.resolved))
        self.decided.update({fact.decision.kind for fact in match.told if isinstance(fact, DecisionOpened)})
        moved = [fact for fact in match.told if isinstance(fact, Moved)]
        self.into.append(sum(fact.garnets for fact in moved if fact.src == BANK))
        self.out.append(sum(fact.garnets for fact in moved if fact.to == BANK))
        if end != "finished":
            return
        first = result.ranking[0] if result.ranking else ()
        self.ties += len(first) > 1
        winners = [p for p, n in (result.tokens or {}).items() if n] or list(result.winners or ())
        if not winners and "tokens" not in self.game.has and "winner" not in self.game.has:
            winners = list(first)
        self.winners[len(winners)] += 1
        self.won.update(winners)


def playtest(
    match: Callable[[], Trial], seed: int, number: int, keep: Callable[[int, Trial], None] | None = None
) -> Playtest:
    """Play `number` matches; the match with seed n is the same in every run.

    Args:
        keep: Called with the seed and the match for each match that did not fail.
    """
    begun = match()
    game, counting, failed = begun.game, Counting(begun), None
    players = [*begun.state.table.seats]
    done = 0
    for of_match in range(seed, seed + number):
        played, chance = begun.twin(), dice(of_match)
        played.luck = chance.getrandbits(64) + 1
        try:
            for action, _, refused in play(played, players, chance, pace=0.1):
                counting.action(action, refused)
                if played.seq % 4 == 0 or isinstance(action, Resolve):
                    counting.look(played)
            broken = game.invariants(played.state)
            what = f"a law is broken: {'; '.join(broken)}" if broken else ""
            counting.end(played, of_match)
            done += 1
            if keep is not None and not what:
                keep(of_match, played)
        except Exception as crash:  # a game under test may raise anything
            what = f"{type(crash).__name__}: {crash}"
        if what:
            failed = Failed(of_match, what, played)
            break
    finished, never = counting.ends["finished"], dict[str, type]()
    for cls in game.actions:  # a class for verbs of a match file counts once per verb
        named = game.suggest(begun.state, cls, "verb", {}) if "verb" in cls.__annotations__ else ("",)
        verbs = (f"{kebab(cls)} {name}".rstrip() for name in named)
        never |= {verb: cls for verb in verbs if verb not in counting.played}
    secret = sorted(counting.secrets - counting.met)
    return Playtest(
        game=game.name, matches=done, seed=seed,
        never_played={verb: advice(begun, cls) for verb, cls in never.items()},
        never_met=tuple(secret), ends=dict(counting.ends.most_common()),
        actions=_spread(counting.actions), rounds=_spread(counting.rounds),
        seats=tuple(SeatShare(p, counting.won[p], *wilson(counting.won[p], finished)) for p in players),
        winners={str(n): m for n, m in sorted(counting.winners.items())}, ties=counting.ties,
        decided=dict(counting.decided.most_common()), played=dict(counting.played.most_common()),
        refused=dict(counting.refused.most_common()),
        garnets_in=_spread(counting.into), garnets_out=_spread(counting.out),
        first_open=counting.first_open, failed=failed,
    )  # fmt: skip


def _spread(numbers: Sequence[int]) -> Spread:
    return Spread(min(numbers), median(numbers), max(numbers)) if numbers else Spread(0, 0, 0)


def wilson(hits: int, of: int) -> tuple[float, float, float]:
    """A share and its 95 % confidence interval (Wilson).

    >>> tuple(round(x, 3) for x in wilson(50, 100))
    (0.5, 0.404, 0.596)
    """
    if not of:
        return 0.0, 0.0, 1.0
    z, share = 1.96, hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5
    return share, max(0.0, middle - half), min(1.0, middle + half)


def said(shown: Playtest, of_file: bool = False) -> list[str]:
    """The lines that report what the matches show.

    Args:
        of_file: A host is trying a match file and cannot change the game.
    """
    lines = [f"never played: {verb} {why}" for verb, why in shown.never_played.items()]
    lines += [f"never met: {name}, which players keep from each other" for name in shown.never_met]
    lines = [] if of_file else lines or ["every verb was played, and every secret was met"]
    lines += [f"{shown.matches} matches of {shown.game}, from seed {shown.seed}: {_row(shown.ends)}"]
    if shown.first_open is not None:
        lines.append(f"  the first that came to no end: --seed {shown.first_open}")
    lines.append(f"actions: {_range(shown.actions)}; rounds: {_range(shown.rounds)}")
    lines += [
        f"{seat.player} won {seat.won} ({seat.share:.0%}, 95 % interval {seat.low:.0%} to {seat.high:.0%})"
        for seat in shown.seats
    ]
    lines.append(f"winners in a match: {', '.join(f'{n} in {m}' for n, m in shown.winners.items()) or 'none'}")
    lines.append(f"equal first places in {shown.ties}; decided by: {_row(shown.decided)}")
    lines.append(f"played: {_row(shown.played)}")
    lines.append(f"refused: {_row(shown.refused)}")
    if shown.garnets_in.most or shown.garnets_out.most:
        lines.append(f"garnets in: {_range(shown.garnets_in)}; out: {_range(shown.garnets_out)}")
    return lines


def _row(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items()) or "nothing"


def _range(spread: Spread) -> str:
    return f"{spread.least} to {spread.most}, median {spread.median:g}"
