"""An engine that remembers folds as one that does not; it decides each entry once, and tells what is another apart.

Source: docs/log-format.md; ledger/core/replay.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger.core import replay
from ledger.core.match import Match
from ledger.core.replay import Engine, Remembering, fold
from ledger.tell import texts


class Counted(Remembering):
    """Counts the entries that it really folds."""

    decided = 0

    def advance(self, *state_and_entry: Any) -> Any:
        self.decided += 1
        return super().advance(*state_and_entry)


def test_each_entry_is_decided_once_and_all_comes_out_as_without_memory(any_game: str, demos: Any) -> None:
    match = Match(str(demos.made(any_game) / "log.jsonl"))
    engine, entries = Counted(match.game), match.book.entries
    for end in (len(entries), len(entries), len(entries) - 1, len(entries) // 2):
        again, plain = fold(engine, entries[:end]), fold(Engine(match.game), entries[:end])
        assert (again.state, again.last) == (plain.state, plain.last)
        assert [(o.entry, o.facts, o.times, str(o.refusal)) for o in again.outcomes] == [
            (o.entry, o.facts, o.times, str(o.refusal)) for o in plain.outcomes
        ]
        if end == len(entries):
            assert engine.decided == len(again.outcomes)


def changed(entries: Any, seq: int, **more: Any) -> list[Any]:
    return [e._replace(body=e.body._replace(**more)) if e.seq == seq else e for e in entries]


@pytest.mark.parametrize("more", [{"args": {"a": "ann", "give": "B9", "b": "bob", "take": "B4"}}, {"by": "ben"}])
def test_what_says_something_else_is_folded_anew(more: dict[str, Any], demos: Any) -> None:
    """Under the same number, after the very same state: other words, another host."""
    match = Match(str(demos.made("equilibrium") / "log.jsonl"))
    engine, entries = Counted(match.game), match.book.entries
    fold(engine, entries)
    trade = next(entry.seq for entry in entries if entry.body.do == "trade")
    other = changed(entries, trade, **more)
    again, plain = fold(engine, other), fold(Engine(match.game), other)
    assert again.state == plain.state
    assert [o.entry for o in again.outcomes] == [o.entry for o in plain.outcomes]
    assert fold(engine, entries).state == match.fold.state


def test_another_line_1_is_another_match(demos: Any) -> None:
    match = Match(str(demos.made("equilibrium") / "log.jsonl"))
    engine, first = Remembering(match.game), match.book.entries[0].body
    begun = engine.start(first, "one")
    assert engine.start(first, "one") is begun and engine.start(first, "two").table.game_id == "two"
    assert engine.start(first._replace(args={**first.args, "title": "Other"}), "two").table.title == "Other"


def test_texts_are_made_once_of_each_entry(demos: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of a match that is open, collected twice: the second time nothing is told anew."""
    match = Match(str(demos.made("equilibrium") / "log.jsonl"))
    entries, composed = match.book.entries, []
    first = texts.collect(match, entries)
    monkeypatch.setattr(texts, "_compose", lambda *arguments: composed.append(arguments) or ())
    assert first and texts.collect(match, entries) == first and not composed


def test_much_is_forgotten(demos: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long log does not fill the memory, and folds all the same."""
    match = Match(str(demos.made("equilibrium") / "log.jsonl"))
    plain = fold(Engine(match.game), match.book.entries)
    monkeypatch.setattr(replay, "MAX_CACHED_STEPS", 5)
    engine = Remembering(match.game)
    assert fold(engine, match.book.entries).state == fold(engine, match.book.entries).state == plain.state
    assert len(engine._steps) <= 5 and len(engine._values) <= 5
