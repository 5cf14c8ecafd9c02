"""What a player can do now: every action that the rules accept, found by trying them.

The list is complete if the words of the verbs can be listed (a few choices, small numbers). For a number with wide
bounds at most `MAX_NUMBERS_TRIED` values are tried: both ends and some between. At most `MAX_COMBINATIONS` combinations
of words are tried for a verb. A verb with a word that cannot be listed (cards, a path) has no moves here: the game
supplies its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import gcd, prod
from typing import Literal, get_args, get_origin

from events.errors import LedgerError
from games.contract import Action, AnyAction, AnyValue, Game, Moment, State
from games.kinds import PLAYER
from games.records import Field, fields, kebab
from games.table.rounds import silent
from games.table.rules import suggest as by_table
from games.table.state import Table

MAX_NUMBERS_TRIED = 6
MAX_COMBINATIONS = 200


def legal(game: Game, state: State, player: str) -> tuple[Action, ...]:
    return tuple(action for action in tried(game, state, player) if is_legal(game, state, action))


def tried(game: Game, state: State, player: str) -> Iterable[Action]:
    """What the player might do, legal or not."""
    return game.choices(state, player) if game.choices else candidates(game.actions, state.table, player)


def is_legal(game: Game, state: State, action: Action) -> bool:
    try:
        game.decide(state, action, Moment(state.table.since, 0))
    except LedgerError:
        return False
    return True


def asks(game: Game, state: State) -> str:
    """The command that records a sheet of the current round, with the game's first such verb: `hl bid NAME CHIPS`."""
    if state.table.round is None:
        return ""
    verb = next(iter(game.sheets))
    words = (field for field in fields(verb)[1:] if field.in_place)
    typed = (field.name.upper() if field.required else f"[{field.name.upper()}]" for field in words)
    return " ".join(["hl", kebab(verb), "NAME", *typed])


def suggest(
    game: Game,
    moves: Callable[[State, str], tuple[Action, ...]],
    state: State,
    action: AnyAction,
    field: str,
    typed: Mapping[str, str],
) -> tuple[str, ...]:
    """Words to suggest: the game's, the table's, the players who still owe a sheet, or else those of legal moves."""
    known = game.completions(state, action, field, typed)
    if known is None:
        return ()
    known = known or by_table(state.table, action, field, typed)
    if not known and action in game.sheets and field == "player" and state.table.round is not None:
        return silent(state.table, state.table.round)
    player = next((typed.get(part.name) for part in fields(action) if part.kind is PLAYER), None)
    if known or player not in state.table.seats:
        return known
    values = (
        getattr(move, field)
        for move in moves(state, str(player))
        if isinstance(move, action) and all(str(getattr(move, name, word)) == word for name, word in typed.items())
    )
    words = (word for value in values for word in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(str(word) for word in words if word not in (None, "")))


def candidates(verbs: Sequence[AnyValue], table: Table, player: str) -> Iterator[Action]:
    """The actions, legal or not, that a player could take with these verbs, if their words can be listed."""
    for cls in verbs:
        slots = [field for field in fields(cls) if not field.arg.hidden]
        first = next((field.name for field in slots if field.kind is PLAYER), None)
        options = [(player,) if field.name == first else listed(field, table) for field in slots]
        if first is None or not all(options):
            continue
        names = [field.name for field in slots]
        for values in combinations(options):
            yield cls(**dict(zip(names, values, strict=True)))


def combinations(options: Sequence[Sequence[AnyValue]]) -> Iterator[tuple[AnyValue, ...]]:
    """One of each, in every way; of more than `MAX_COMBINATIONS` ways some, with each word among them."""
    size = prod(map(len, options))
    step = max(1, -(-size // MAX_COMBINATIONS))
    while gcd(step, size) > 1:
        step += 1
    return islice(product(*options), 0, None, step)


def unlisted(verb: type, table: Table) -> tuple[str, ...]:
    """The fields of a verb whose words cannot be listed: the game itself must say who can play it, and how."""
    return tuple(field.name for field in fields(verb) if not field.arg.hidden and not listed(field, table))


def listed(field: Field, table: Table) -> tuple[AnyValue, ...]:
    """The values that a field can hold, with the default of an optional field; empty if they cannot be listed."""
    left_out: tuple[AnyValue, ...] = () if field.required else (field.default,)
    options = _required(field, table)
    if field.many:
        options = tuple((word,) for word in options)
    return tuple(dict.fromkeys((*left_out, *options)))


def _required(field: Field, table: Table) -> tuple[AnyValue, ...]:
    if field.base is bool:
        return (False, True)
    if get_origin(field.base) is Literal:
        return get_args(field.base)
    if field.kind is not None:
        return tuple(table.seats) if field.kind is PLAYER else field.kind.choices
    if field.arg.counted:
        return (0, 1)
    if field.base is int and field.bounds is not None:
        least, most, _ = field.bounds
        step = max(1, (most - least) // (MAX_NUMBERS_TRIED - 1))
        return tuple(dict.fromkeys((*range(least, most, step), most)))
    return ()
