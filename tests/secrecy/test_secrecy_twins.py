"""What hosts typed and took back tells nobody anything: every verb that writes, every verb and format that reads, every
audience. The method: secrecy/twins.py.

Source: docs/log-format.md (redacted copies), docs/reliability.md; season S-9, S-11.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from itertools import chain
from typing import Any

import pytest

from games.contract import Game
from games.records import kebab
from games.registry import load
from ledger.cli.verbs import shared_verbs
from tests.secrecy.generators import generator
from tests.secrecy.harness import Memory, Run
from tests.secrecy.judging import watched
from tests.secrecy.leaks import TAKEN_BACK
from tests.secrecy.on_paper import Clock, remembered
from tests.secrecy.script import PUBLIC, Leak, NotAPair, Step
from tests.secrecy.twins import COMPARED, FORMS, Twins, first_words, twins
from tests.support.guide import built_in as names
from tests.support.sizes import FULL, log_number, many

SHORT = 30
"""Steps of a match in the quick run."""


def drawn(name: str, seed: int, game: Game | None = None) -> Twins:
    """The first twins of a seed."""
    own = generator(name)
    memory = Memory(game or load(name), own.knows)
    for chance in (random.Random(f"twins {seed}/{attempt}") for attempt in range(200)):
        with contextlib.suppress(NotAPair):
            script = own.draw(chance).one
            if FULL or len(script.steps) <= SHORT:
                return twins(memory, script, chance, whole=FULL)
    raise AssertionError("the generator and the rules have drifted apart")


NOT_TYPED = {
    "create": "every script begins with it", "seat": "as create", "hand": "it comes with a deal",
    "word": "everybody may open it, struck or not", "commit": "as word", "seed": "as word", "anchor": "as word",
    "resume": "nothing is paused", "deadline": "everybody is told at once", "declare": "the pairs of hosts type it",
    "reason": "it comes with declare", "posted": "who was sent a text knows it",
    "join": "the pairs of hosts join copies", "*": "it records what other verbs record",
    **dict.fromkeys(("undo", "redo", "amend", "confirm"), "this is how an entry is taken back"),
}  # fmt: skip
"""Entries that hosts do not type by mistake here, each with the reason."""


@pytest.mark.parametrize("name", names())
def test_who_only_watches_is_ranked_nowhere(name: str) -> None:
    """Whole matches with an outsider: each report is drawn for everybody, and no result names them."""
    chance, memory = random.Random(f"watched {name}"), Memory(load(name), generator(name).knows)
    watching = resolved = 0
    for _ in range(many(8, 60)):
        with Clock() as clock, remembered(), contextlib.suppress(NotAPair):
            script = watched(generator(name).draw(chance).one)
            run = Run(memory, script, PUBLIC, clock, [])
            for step in script.steps:
                if isinstance(step, Step):
                    run.do(step)
            match, state = run.sheet, run.sheet.fold.state
            for viewer in ("host", PUBLIC, *state.table.seats):
                result = match.game.result(state, viewer)
                ranked = {p for group in result.ranking or () for p in group}
                assert not set(state.table.outside) & {*(result.scores or ()), *ranked}
                for draw in (match.game.report, match.game.scores, match.game.board):
                    draw(match.frame(state, viewer), match.game.view(state, viewer), result)
            watching += bool(state.table.outside)
            resolved += bool(state.table.resolved) and bool(state.table.outside)
    assert resolved or not (watching and load(name).rounds), "no outsider saw a round resolved"


@pytest.mark.parametrize("name", names())
def test_what_hosts_take_back_tells_nobody_anything(name: str, record_property: Any) -> None:
    """One match of each game (8 at full size): what anybody is told is the same as if nothing had been typed."""
    compared, slipped = Counter[tuple[str, str, str]](), Counter[tuple[str, str]]()
    for seed in range(many(1, 8)):
        with remembered():
            pair = drawn(name, seed)
            slipped += pair.slipped
            for leak in (*pair.apart(seed, FULL, compared), *first_words(pair.other, random.Random(seed), whole=FULL)):
                raise Leak(leak)
        for audience in pair.audiences():
            missed = {verb for verb, _ in COMPARED} - {verb for who, verb, _ in compared if who == audience}
            assert missed <= ({"summary"} if audience == PUBLIC else set()), f"{audience}: nothing of {missed}"
    log_number(record_property, many(1, 8))
    assert {*COMPARED} == {(verb, fmt) for _, verb, fmt in compared}
    assert {form for _, form in slipped} >= {*FORMS}
    records = {record for row in shared_verbs().values() for record in row.records}
    records |= {kebab(action) for action in load(name).actions} if FULL else set()  # a short match has not all
    assert records - {verb for verb, _ in slipped} <= NOT_TYPED.keys(), "hosts mistype it, or NOT_TYPED says why not"


@pytest.mark.parametrize("name", TAKEN_BACK)
def test_seeded_leaks_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twins can fail: each leak is found by those of the quick run."""
    of_game, leak = TAKEN_BACK[name]
    with remembered():
        pair = drawn(of_game, 0, leak(load(of_game), monkeypatch))
        found = chain(pair.apart(0, FULL, Counter()), first_words(pair.other, random.Random(0), whole=FULL))
        assert next(found, ""), "the twins did not show it"
