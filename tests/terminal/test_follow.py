"""`--follow`: printed again, or further, when somebody has recorded; nothing where the answer is the same; Ctrl-C is 0.

Source: docs/commands.md; docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import ledger.core.clock
from tests.support.evening import HANDS, MATCH, Evening


@pytest.fixture
def stage_match(stage: Any) -> Any:
    for text in (MATCH, HANDS):
        stage.run(tuple(text.splitlines()))
    for line in ("new m --from match.toml", "-g m --as mara deal --from deal.toml", "-g m --as mara open"):
        assert "[exit" not in stage.run((f"$ hl {line}",))
    return stage


def following(stage: Any, line: str, *others: str) -> str:
    """What a command prints while these are typed elsewhere, one at each look; then comes Ctrl-C."""
    left = list(others)

    def look(seconds: float) -> None:
        if not left:
            raise KeyboardInterrupt
        if word := left.pop(0):
            inner = stage.run((f"$ hl {word}",))
            assert "[exit" not in inner, inner

    with stage.patch.context() as patch:
        patch.setattr(ledger.core.clock, "wait_for", look)
        told: str = stage.run((f"$ hl {line}",))
    return told


def test_replay_goes_on(stage_match: Any) -> None:
    """Each step once, in order."""
    begun = stage_match.run(("$ hl -g m replay",))
    told = following(
        stage_match, "-g m replay --follow", "", "-g m --as theo trade gil B8 ann B1", "", "-g m --as mara lock hal"
    )
    assert told.startswith(begun) and told == stage_match.run(("$ hl -g m replay",))
    assert "Gil" in told[len(begun) :] and "[exit" not in told


def test_replay_says_that_the_past_has_changed(stage_match: Any) -> None:
    """An undo takes a step away: all is here it is again, and said so."""
    stage_match.run(("$ hl -g m --as mara lock hal",))
    told = following(stage_match, "-g m replay --follow", "-g m --as mara undo --yes")
    assert "here it is again" in told and told.endswith(stage_match.run(("$ hl -g m replay",)))


def test_status_is_printed_anew(stage_match: Any) -> None:
    told = following(stage_match, "-g m status --follow", "-g m --as mara lock hal", "", "-g m --as mara lock gil")
    first, second, third = told.split("\n\n" + told.splitlines()[0])
    assert first != second != third


def test_nothing_where_the_answer_is_the_same(stage_match: Any) -> None:
    """A player may not know that hosts record something: not even by a line that is printed again."""
    once = stage_match.run(("$ hl -g m status --for ann",))
    told = following(
        stage_match, "-g m status --for ann --follow", "-g m --as mara note secret", "-g m --as mara note two"
    )
    assert told == once


def test_outbox_shows_what_comes(stage_match: Any) -> None:
    """Each text once; what is posted meanwhile is not taken back."""
    before = stage_match.run(("$ hl -g m outbox",)).splitlines()
    told = following(
        stage_match, "-g m outbox --follow", "-g m --as mara trade gil B8 ann B1",
        "-g m --as mara outbox done all --yes",
    ).splitlines()  # fmt: skip
    assert told[: len(before)] == before and len(told) > len(before) and len(set(told)) == len(told)


@pytest.mark.parametrize("verb", ["status", "outbox", "replay"])
def test_a_document_a_line(stage_match: Any, verb: str) -> None:
    told = following(stage_match, f"-g m {verb} --follow -f json", "-g m --as mara trade gil B8 ann B1").splitlines()
    assert len(told) == 2
    now = json.loads(stage_match.run((f"$ hl -g m {verb} -f json",)))
    assert json.loads(told[1]) == now != json.loads(told[0])


@pytest.mark.parametrize(
    "words", ["status --follow -o x", "status --follow --copy", "status --follow -f md", "replay --follow --html x",
              "outbox next --follow", "outbox done all --follow"],
)  # fmt: skip
def test_what_cannot_be_followed(stage_match: Any, words: str) -> None:
    told = stage_match.run((f"$ hl -g m {words}",))
    assert "command.usage" in told and "[exit 2]" in told and not (stage_match.folder / "x").exists()


def test_a_shared_match(stage: Any) -> None:
    """What another host records elsewhere is shown; while the server is away it goes on with the mirror."""
    evening = Evening(stage)
    told = following(stage, "-g t --as theo replay --follow", *[""] * 6, "-g m --as mara lock hal", *[""] * 6)
    assert told == stage.run(("$ hl -g t --as theo replay",))
    away = evening.folder / "away.git"
    (evening.folder / "srv.git").rename(away)
    told = following(stage, "-g t --as theo replay --follow", *[""] * 12)
    assert "this is the mirror as of" in told and "[exit" not in told
    away.rename(evening.folder / "srv.git")
