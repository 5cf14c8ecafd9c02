"""The harness can fail: each leak that is put into a game on purpose is found (`LEAKS` in test_secrecy_GAME.py).

And what the pairs do not meet is named: nothing that is never drawn can be found.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from games.registry import load
from tests.secrecy.generators import generator, has_generator
from tests.secrecy.harness import Memory
from tests.secrecy.judging import NEVER, Reached, differs, draw_pair, in_words, overridden, smaller
from tests.secrecy.leaks import Leaky, added_text, found_within
from tests.secrecy.script import Pair, Script, Step
from tests.support.guide import built_in
from tests.support.sizes import FULL, every_eighth, many

GAMES = [name for name in built_in() if has_generator(name)]
LEAKS: dict[str, dict[str, Leaky]] = {
    game: importlib.import_module(f"tests.secrecy.test_secrecy_{game}").LEAKS for game in GAMES
}


@pytest.mark.parametrize("seeded", every_eighth((game, leak) for game in GAMES for leak in LEAKS[game]))
def test_seeded_leaks_are_found(seeded: tuple[str, str], monkeypatch: pytest.MonkeyPatch, record_property: Any) -> None:
    """Each leak is found; which pair showed it is recorded with the test."""
    game, leak = seeded
    pairs = generator(game)
    record_property("pairs", found_within(LEAKS[game][leak](load(game), monkeypatch), pairs))


@pytest.mark.parametrize("game", GAMES if FULL else ["hex_parties"])
def test_what_is_left_of_a_leaking_pair_is_a_pair(game: str) -> None:
    """Whatever leaked: it has fewer steps, and without the leak nothing of it differs."""
    pairs, real = generator(game), load(game)
    for leak in [*LEAKS[game].values()][: many(1, 100)]:
        with pytest.MonkeyPatch.context() as patch:
            leaky = Memory(leak(real, patch), pairs.knows).play
            drawn = draw_pair(pairs.draw, pairs.TELLING[0] if FULL else 0, leaky)
            least = smaller(drawn.pair, leaky)
            told = drawn.leak and differs(least, leaky)
        if told:
            assert len(least.one.steps) < len(drawn.pair.one.steps) / 2
            assert differs(least, Memory(real, pairs.knows).play) is None, in_words(least)
        assert told or FULL


SELDOM: dict[str, Callable[[Any, str], bool]] = {
    "the clock stands": lambda state, viewer: state.table.paused is not None,
    "who has left": lambda state, viewer: viewer in state.table.left,
    "who only watches": lambda state, viewer: viewer in state.table.outside,
}


@pytest.mark.parametrize("when", SELDOM)
def test_what_is_told_seldom_is_found(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything at all that is hidden, told only while the clock stands, or only to who has left or watches."""
    told = added_text(lambda state, viewer: str(crc32(repr(state).encode())) if SELDOM[when](state, viewer) else None)
    assert found_within(told(load("marsmatch"), monkeypatch), generator("marsmatch")) >= 0


@pytest.mark.parametrize("game", GAMES)
def test_what_is_never_met_is_named(game: str) -> None:
    """A new fact, override or setting fails the quick run of pairs until it is drawn, or excused by name."""
    pairs, real = generator(game), load(game)
    fields = [*real.settings.__annotations__.items(), ("brand_new", bool)]
    settings = NamedTuple("Settings", fields)  # type: ignore[misc]
    overrides = {**real.overrides, "brand_new": next(iter(real.overrides.values()), None)}
    nothing = Reached([], set(), set(), set(), "", set(), set(), [])
    unmet = nothing.unmet(real._replace(overrides=overrides, settings=settings), pairs)
    drawn = {f"override {name}" for name in {*overrides} - {*pairs.TOLD_AT_ONCE}}
    drawn |= {f"fact {name}" for name in {kind.__name__ for kind in real.facts} - {*NEVER}}
    assert drawn | {"setting brand_new: may somebody know more by it?"} | {*map(str, pairs.OPENING)} == {*unmet}
    stale = nothing._replace(overrides={*pairs.TOLD_AT_ONCE}, looks={*pairs.OPENING}).unmet(real, pairs)
    assert {f"excused though drawn: {name}" for name in pairs.TOLD_AT_ONCE} <= {*stale}


def test_an_override_that_is_the_same_in_both_is_not_met() -> None:
    """Only what stands in one match and not in the other, and is hidden, can show a leak."""
    both, seen, mine = (("override", "bob", field, "3") for field in ("both", "seen", "mine"))
    one, other = (
        Script({}, {}, tuple(Step(words, 0, seen=words == seen) for words in words_of))
        for words_of in ((both, seen, mine), (both,))
    )
    assert overridden(Pair("ann", one, other), {"both", "seen", "mine"}) == {"mine"}
