"""Random matches of every game, recorded on paper as hosts record them: for the law of leaving, and to read English."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from events import Body, LedgerError, write_instant
from games.contract import Game
from games.kinds import PLAYER
from games.records import fields
from games.registry import load
from games.table import actions as shared
from games.table.settings import known
from ledger.author import simulation
from ledger.exchange.matchfile import setup_bodies
from ledger.record import recorder
from ledger.record.plan import Options
from tests.secrecy.on_paper import Clock, Sheet, remembered
from tests.support.sizes import FULL

BEGAN, MINUTE = 1_795_000_000_000, 60_000
PEOPLE = ("ann", "bob", "cyd", "dan", "eve", "fox")
SIZES = {"equilibrium": (3, 4), "poker_auction": (3, 5), "hex_parties": (3, 6), "polar": (2, 6), "marsmatch": (3, 4)}
SHORT: dict[str, dict[str, Any]] = {"polar": {"rounds": 2}, "hex_parties": {"max_rounds": 3}}
SETTINGS: dict[str, dict[str, tuple[Any, ...]]] = {
    "equilibrium": {
        "tol_conditions": (["best_er"], ["best_er", "best_poker"], ["most_trades", "host_decides"]),
        "multi_tol": ("give_away", "next_best", "lapse"), "lock_grace_minutes": (0, 7),
    },
    "poker_auction": {"multi_ec": ("all", "winner_picks", "fewest_cards", "lot"), "power_tie": ("holdings", "lot")},
    "hex_parties": {"missing_parity": ("first_listed", "lot"), "ec_excludes_token_holders": (True, False)},
    "polar": {"polarity_scope": ("room", "all"), "ec_excludes_token_holders": (True, False), "max_tied_tol": (1, 4)},
    "marsmatch": {"post_win_lead": ("next_clockwise", "named"), "snatch": ("best_class", "every_holder"),
                  "three_in_a_row": ("tempo", "ask_host", "instant_win")},
}  # fmt: skip
LONGEST = 60 if FULL else 40
FURTHER: Any = (
    shared.Hand, shared.Seat, shared.Undo, shared.Redo, shared.Amend, shared.Confirm, shared.Posted, shared.Anchor,
    shared.Join,
)  # fmt: skip
NONSENSE = ("x", "", "none", "-1", "40", "round_1", "round_77", "admit 9", "win ann why", "a b c", "\n")


class Played(NamedTuple):
    """A match as it was recorded: its entries, and of which of them a later `drop` may stand before."""

    game: Any
    bodies: tuple[Body, ...]
    setup: int
    """So many entries made the match."""


def yes(question: str) -> bool:
    return True


def take(sheet: Sheet, action: Any, at: int | None = None) -> bool:
    """A host records it. Do the rules take it?"""
    try:
        recorder.record_actions(sheet, [action], Options("mara", at=at, yes=True), yes)
    except LedgerError:
        return False
    return True


def play(name: str, chance: random.Random, clock: Clock) -> Played:
    """A random match, to its end or so many entries long; each entry a minute after the one before."""
    game = load(name)
    least, most = SIZES.get(name, (3, 5))
    players = PEOPLE[: chance.randint(least, most)]
    settings = {key: chance.choice(values) for key, values in SETTINGS.get(name, {}).items()}
    settings["allow_odd_roster"] = True
    if "elimination" in game.has:
        settings["leaver_result"] = chance.choice(("as_played", "out", "eliminated"))
    rows = {p: {"name": p.title(), "garnets": chance.randint(0, 3)} for p in players}
    clock.now = BEGAN
    file = {"game": name, "title": "A law", "zone": "UTC", "hosts": ["mara"], "players": rows}
    _, bodies = setup_bodies(
        {**file, "settings": {**settings, **SHORT.get(name, {})}}, source="match.toml", by=None, now=BEGAN
    )
    sheet, first = Sheet(game, bodies), len(bodies)
    for action in acts(sheet, players, chance, clock):
        clock.now += MINUTE
        take(sheet, action)
        if len(sheet.book.entries) >= first + LONGEST:
            break
    return Played(game, tuple(entry.body for entry in sheet.book.entries), first)


@lru_cache(maxsize=128)
def made(name: str, word: str) -> tuple[Any, int, Played]:
    """A random match; the chance and the clock as they then stand."""
    chance = random.Random(word)
    with Clock() as clock, remembered():
        match = play(name, chance, clock)
        return chance.getstate(), clock.now, match


def drawn(word: str, name: str, number: int, quick: str = "") -> Iterator[tuple[int, random.Random, Clock, Played]]:
    """So many random matches: (seed, the chance that made it, the clock as it then stands, the match).

    Args:
        quick: At quick size the matches that another test draws with that word.
    """
    for seed in range(number):
        state, now, match = made(name, f"{word if FULL or not quick else quick}{name} {seed}")
        chance = random.Random()
        chance.setstate(state)
        with Clock(now) as clock, remembered():
            yield seed, chance, clock, match


def acts(sheet: Sheet, players: Sequence[str], chance: random.Random, clock: Clock) -> Iterator[Any]:
    """What happens next, for ever until the match is over; some of it is refused."""
    game = sheet.game
    if "draw" in sheet.engine.actions and "deal" in game.has:
        yield sheet.engine.actions["draw"]()
    if "deal" in game.has:
        yield shared.Deal()
    yield shared.Open()
    while sheet.table.status != "finished":
        table, turns = sheet.table, chance.sample(players, len(players))
        if table.round is not None:
            for player in turns:
                if chance.random() < 0.6 and (move := simulation.any_move(game, sheet.fold.state, player, chance)):
                    yield move
            yield shared.Resolve()
        elif table.decisions:
            yield from decide(table.decisions[0], chance)
        elif move := next(filter(None, (simulation.any_move(game, sheet.fold.state, p, chance) for p in turns)), None):
            yield move
            if chance.random() < 0.02:
                yield shared.Close()
        else:
            clock.now = max(clock.now, game.due(sheet.fold.state) or 0)
            yield shared.Note("time passes")


def decide(decision: Any, chance: random.Random) -> Iterator[Any]:
    """What is open is decided somehow: each who is asked names somebody, or a host ends it."""
    if decision.kind == "lot":
        yield shared.Lot()
    elif decision.kind == "ruling" or chance.random() < 0.2:
        yield shared.Close(decision.kind)
    else:
        says = {"vote": shared.Vote, "gift": shared.Gift, "choose": shared.Choose}[decision.kind]
        for player in decision.who:
            yield says(player, chance.choice(decision.among))
        if decision.kind == "choose":
            yield shared.Close("choose")


def choices(base: Any) -> tuple[Any, ...]:
    return get_args(base) if get_origin(base) is Literal else (True, False) if base is bool else ()


def anything(game: Game, dice: random.Random, said: list[Body], players: tuple[str, ...]) -> Any:
    """An action of any verb, sense or not."""
    strings = [value for body in said for value in body.args.values() if isinstance(value, str)]
    settings = known(game.settings, game.has)

    def value(field: Any) -> Any:
        met = [body.args[field.name] for body in said if body.args.get(field.name) is not None]
        if field.name in ("key", "field"):
            return dice.choice([*settings, "visibility", "x"] if field.name == "key" else [*game.fields, "x"])
        if field.base is dict:
            return {"player": dice.choice(players)}
        if field.name in ("when", "at"):
            return write_instant(said[0].at + dice.randint(-5, 9000) * MINUTE)
        if met and dice.random() < 0.6:
            return dice.choice(met)
        if field.kind is PLAYER:
            return dice.choice(players)
        if field.base is int:
            return dice.choice([-1, 0, 1, 2, 9, dice.randint(1, len(said) + 9)])
        if field.name == "value":
            return dice.choice([*(x for f in settings.values() for x in choices(f.base)), 0, 1, 60, [], {}, "x"])
        return dice.choice(choices(field.base) or [*strings, *players, *NONSENSE])

    verbs = [*game.actions, *game.actions, *shared.TYPED, *FURTHER]
    cls = dice.choice(verbs)
    made = {}
    for field in fields(cls):
        if field.required or dice.random() < 0.5:
            one = value(field)
            made[field.name] = tuple(one if isinstance(one, (list, tuple)) else [one]) if field.many else one
    return cls(**made)


def some_settings(game: Game, dice: random.Random) -> dict[str, Any]:
    """Any of the ways in which a match may be set up."""
    return {
        key: dice.choice(choices(field.base))
        for key, field in known(game.settings, game.has).items()
        if choices(field.base) and not field.many and dice.random() < 0.5
    } | SHORT.get(game.name, {})


class Made(NamedTuple):
    """A random match: its game, the entries that make it, what was played then, and every state with its picture."""

    game: Game
    new: list[Body]
    said: list[Body]
    players: tuple[str, ...]
    states: list[tuple[Any, str]]


@cache
def a_match(name: str, seed: int) -> Made:
    dice, game = random.Random(f"{name} {seed}"), load(name)
    least, most = game.players
    players = [f"p{n}" for n in range(1, 9)][: dice.randint(max(least, 2), max(most, 2))]
    rows = {p: {"garnets": dice.randint(0, 3)} if "garnets" in game.fields else {} for p in players}
    settings = {**some_settings(game, dice), "allow_odd_roster": True}
    file = {"game": name, "hosts": ["mara"], "players": rows, "settings": settings}
    new = setup_bodies(file, source="test", by=None, now=simulation.BEGAN)[1]
    match, states, steps = simulation.Trial.from_entries(game, new), [], dice.randint(0, 30)
    states = [(match.state, repr(match.state))]
    for _ in simulation.play(match, players, dice, pace=0.02):
        states.append((match.state, repr(match.state)))
        match.now += dice.randint(1, 300) * 60_000
        if len(match.done) > steps:
            break
    return Made(game, new, match.bodies(), tuple(players), states)
