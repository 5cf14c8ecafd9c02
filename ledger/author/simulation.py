"""Whole matches of random legal moves, from a seed; what was never played in them. For authors, and for our own tests.

A game whose verbs have words that cannot be listed (cards, a path) says what players can do with `Game(moves=...)`.
Without that nobody would ever do anything, and a match of it proves nothing: `simulate` refuses to play one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from events.errors import LedgerError
from games.contract import Action, Elapsed, Fact, Game
from games.kinds import PLAYER
from games.parts.moves import unlisted
from games.records import fields, kebab
from games.table import actions as shared
from ledger.author.trial import Trial

if TYPE_CHECKING:
    from random import Random

GUIDE = "docs/add-a-game.md, section 9"
"""Where the guide says what `moves` is."""
ATTEMPTS = 3
"""In a short match all may be silent by chance; not so many times."""


class ProvesNothing(AssertionError):
    """What was played says nothing about the game: the message names what was missing, and what to do."""


def simulate(game: Game, players: Sequence[str], chance: Random, rounds: int = 1000, **settings: Any) -> Trial:
    """A match of random legal moves (`Game.moves`), to its end or until `rounds` sealed rounds are resolved.

    What only a host can do with words (an override, a ruling) does not happen in it.

    Raises:
        ProvesNothing: no player was able to do anything in it.
    """
    for _ in range(ATTEMPTS):
        match = Trial(game, players, settings=settings)
        tried = [type(action) in game.actions for action, _, _ in play(match, players, chance, rounds)]
        if any(tried):
            return match
    listed = "\n".join(f"  {kebab(verb)} {advice(match, verb)}" for verb in game.actions)
    raise ProvesNothing(f"in a whole match of {game.name} no player did anything:\n{listed}")


def play(
    match: Trial, players: Sequence[str], chance: Random, rounds: int = 1000, pace: float = 0
) -> Iterator[tuple[Action, list[Fact], LedgerError | None]]:
    """Play a match on (`course`): each action that was tried, its facts, and how it was refused.

    What is legal for a player may be refused all the same, by a setting or a purse.
    """
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
    """What happens next, until the match is over, `rounds` rounds are resolved or nothing can happen any more.

    Each action is done, or refused, before the next is asked for. `Elapsed` stands for time that passes until the next
    end.

    Args:
        state: Gives the state as it is now.
        pace: How likely a host, or the clock, goes on after everybody had a turn, where no round is on. Above 0 a
            verb is drawn before its words, so that one with many words is not played most of the time.
    """
    for _ in range(50 * (rounds + len(players))):
        now = state()
        if now.table.status == "finished" or len(now.table.resolved) >= rounds:
            return
        if now.table.round is not None:
            yield from _moves(game, state, players, chance, by_verb=pace > 0)
            yield shared.Resolve()
        elif now.table.decisions:
            yield from _settle(now.table.decisions[0], chance)
        else:
            offered = yield from _moves(game, state, players, chance, by_verb=pace > 0)
            if pace and chance.random() < pace:
                yield from _without_players(game, state)
            if state() is now and not offered:
                yield from _without_players(game, state)
                if state() is now:
                    return


def _without_players(game: Game, state: Callable[[], Any]) -> Iterator[Action]:
    """What a host can do without words; then time."""
    before = state()
    for action in (*([shared.Deal()] if "deal" in game.has else []), *_of_hosts(game, before), shared.Open()):
        if state() is before:
            yield action
    if state() is before and game.due(before) is not None:
        yield Elapsed()
    if state() is before:
        yield shared.Close()


def _of_hosts(game: Game, state: Any) -> Iterator[Any]:
    """The game's own verbs that name no player: bare, or with words that completion offers."""
    verbs: list[Any] = [*game.actions]
    for cls in verbs:
        needed = [field for field in fields(cls) if field.required]
        if any(field.kind is PLAYER or field.many for field in needed):
            continue
        words = [game.suggest(state, cls, field.name, {}) for field in needed]
        for values in product(*words):
            yield cls(**dict(zip((field.name for field in needed), values, strict=True)))


def _moves(
    game: Game, state: Callable[[], Any], players: Sequence[str], chance: Random, *, by_verb: bool
) -> Generator[Action, None, bool]:
    """Mostly one random legal move of each player. Was anything legal for anybody?"""
    offered = False
    for player in players:
        legal = game.moves(state(), player)
        offered = offered or bool(legal)
        if legal and chance.random() < 0.8:
            verb = chance.choice(list(dict.fromkeys(map(type, legal)))) if by_verb else object
            yield chance.choice([move for move in legal if isinstance(move, verb)])
    return offered


def _settle(decision: Any, chance: Random) -> Iterator[Action]:
    """Settle an open decision at random: each player who is asked names somebody."""
    if decision.kind == "lot":
        yield shared.Lot()
    elif decision.kind == "ruling":
        yield shared.Close("ruling")
    else:
        kinds: Mapping[str, Any] = {"vote": shared.Vote, "gift": shared.Gift, "choose": shared.Choose}
        for player in decision.who:
            yield kinds[decision.kind](player, chance.choice(decision.among))


# ---- what was never played -------------------------------------------------------------------------------------------


def played(matches: Iterable[Trial]) -> set[type]:
    """The verbs of the game that were played in these matches."""
    return {type(step.action) for match in matches for step in match.done} & {
        cls for match in matches for cls in match.game.actions
    }


def never_played(matches: Sequence[Trial]) -> list[type]:
    """The verbs of the game that were played in none of these matches."""
    found = played(matches)
    return [cls for cls in matches[0].game.actions if cls not in found]


def advice(match: Trial, verb: type) -> str:
    """Why players may never have played a verb, and what its author can do."""
    where = unlisted(verb, match.state.table)
    why = f"(the words of {' and '.join(where)} cannot be listed)" if where else "(no player was offered it)"
    return f"{why}: say what players can do, with Game(moves=...), {GUIDE}"
