"""MarsMatch for the bench: hands of 54 cards, a whole match played to its end, the reader beside a naive one."""

from __future__ import annotations

import importlib.util
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from events import Body, create, read_instant
from games.marsmatch.cards import EACH, Hand, cards_of, count, deck, in_words
from games.marsmatch.combos import Grammar, beats, formable, readings, spelled
from games.marsmatch.rules import grammar
from games.records import args_of, kebab
from games.registry import load
from games.table import actions as shared
from ledger.core.effective import unamended
from ledger.core.match import Match
from ledger.core.replay import Engine
from ledger.exchange.matchfile import setup_bodies

PLAYERS = ("ann", "bob", "cyd", "dan")
START = read_instant("2026-03-01T18:00:00.000Z")


def _opening(dice: random.Random) -> list[Body]:
    """Setup, draw, whole hands out of four packs, and `open`."""
    from games.marsmatch.actions import Draw

    toml = {"game": "marsmatch", "hosts": ["mara"], "players": {p: {} for p in PLAYERS}}
    _, bodies = setup_bodies(toml, source="bench", by=None, now=START - 86_400_000)
    cards = list(deck(len(PLAYERS)))
    dice.shuffle(cards)
    hands = [tuple(sorted(cards[i * EACH : (i + 1) * EACH])) for i in range(len(PLAYERS))]
    dealt = [shared.Hand(p, cards_of(count(hand))) for p, hand in zip(PLAYERS, hands, strict=True)]
    for action in (Draw("ann", PLAYERS), *dealt, shared.Deal("typed"), shared.Open()):
        bodies.append(_body(action, START))
    return bodies


def _body(action: Any, at: int) -> Body:
    return Body(kebab(type(action)), at, "mara", at + 2000, args_of(action))


def hand_of_54(folder: Path) -> None:
    """A match in which nobody has played yet."""
    create(str(folder / "log.jsonl"), _opening(random.Random(7)))


def whole_match(folder: Path) -> int:
    """A match of four, played to its end with small plays so that it is long; how many entries it has."""
    from games.marsmatch.actions import Pass, Play

    dice, game = random.Random(7), load("marsmatch")
    bodies = _opening(dice)
    path = str(folder / "log.jsonl")
    create(path, bodies)
    state, engine = Match(path).fold.state, Engine(game)
    at = START
    while state.playing:
        at += 60_000
        trick, hand = state.trick, state.hands[state.turn]
        plays = formable(hand, grammar(state, state.turn))
        legal = [play for play in plays if trick is None or beats(play.reading, trick.reading)]
        action: Any = Pass(state.turn)
        if legal and (trick is None or dice.random() < 0.7):
            play = min(legal, key=lambda formed: (sum(formed.cards), formed.reading.rank))
            action = Play(state.turn, in_words(play.cards), spelled(play.reading))
        bodies.append(_body(action, at))
        state, outcome = engine.step(state, unamended(bodies[-1], len(bodies)))
        if outcome.refusal is not None:
            raise SystemExit(f"the bench plays what the rules refuse: {outcome.refusal}")
    for name in ("log.jsonl", "log.jsonl.head"):
        (folder / name).unlink()
    create(path, bodies)
    return len(bodies)


def random_plays(dice: random.Random) -> Iterator[Hand]:
    """Cards as somebody might play them: mostly groups with a few others, up to twelve cards."""
    ranks = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    while True:
        alike, start = dice.choice((1, 2, 2, 3, 3, 4)), dice.randrange(12)
        groups = ranks[start : start + dice.choice((1, 1, 2, 3))]
        cards = [rank for rank in groups for _ in range(alike)]
        cards += dice.choices([*ranks, "2", "2", "LJ"], k=dice.choice((0, 0, 1, 2)) * len(groups))
        yield count(cards[:12])


def reader_beside_naive(plays: int, sample: int) -> tuple[float, float]:
    """How many times slower a naive enumeration reads the same plays, and microseconds of ours for one.

    Args:
        plays: How many our reader reads. sample: How many the naive one reads (all would take it an hour).
    """
    dice = random.Random(8)
    plays_drawn = list(itertools.islice(random_plays(dice), 20_000))
    all_plays = list(itertools.islice(itertools.cycle(plays_drawn), plays))
    rules = Grammar()
    ours = _timed(lambda: [readings(cards, rules) for cards in all_plays]) / plays
    second = _second_reader()
    sampled = [list(cards_of(cards)) for cards in plays_drawn[:sample]]
    naive = _timed(lambda: [second(cards, rules) for cards in sampled]) / sample
    return naive / ours, ours * 1e6


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _second_reader() -> Any:
    """The reader against which the tests check ours."""
    place = Path(__file__).resolve().parent.parent / "tests" / "support" / "mars_reader.py"
    spec = importlib.util.spec_from_file_location("mars_reader", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mars_reader"] = module
    spec.loader.exec_module(module)
    return module.second
