"""`--follow`: printed again, or further, when somebody has recorded; nothing where the answer is the same; Ctrl-C is 0.

Source: docs/commands.md; docs/decisions/0038-a-mirror-and-a-wire.md.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import ledger.core.clock
from tests.support.evening import Evening
from tests.support.host import Host


def following(here: Any, line: str, *others: str) -> str:
    """What a command prints while these are typed elsewhere, one at each look; then comes Ctrl-C."""
    left = list(others)

    def look(seconds: float) -> None:
        if not left:
            raise KeyboardInterrupt
        if word := left.pop(0):
            here.hl(word)

    with here.patch.context() as patch:
        patch.setattr(ledger.core.clock, "wait_for", look)
        told = here.hl(line)
    return str(getattr(told, "out", told))


@pytest.fixture
def desk(at_desk: Any) -> Host:
    here: Host = at_desk("desk")
    return here


def test_replay_goes_on(desk: Host) -> None:
    """Each step once, in order. An undo takes a step away: all is here it is again, and said so."""
    begun = desk.hl("replay").out
    told = following(desk, "replay --follow", "", "trade ann R2 bob B4 --as ben", "", "lock hal")
    assert told.startswith(begun) and told == desk.hl("replay").out and "Ann" in told[len(begun) :]
    told = following(desk, "replay --follow", "undo --yes") + desk.err
    assert "here it is again" in told and desk.hl("replay").out in told


def test_status_is_printed_anew_and_not_where_the_answer_is_the_same(desk: Host) -> None:
    """A player may not know that hosts record something: not even by a line that is printed again."""
    told = following(desk, "status --follow", "lock hal", "", "lock gil")
    first, second, third = told.split("\n\n" + told.splitlines()[0])
    assert first != second != third
    once = desk.hl("status --for ann").out
    assert following(desk, "status --for ann --follow", "note secret", "note two") == once


def test_outbox_shows_what_comes(desk: Host) -> None:
    """Each text once; what is posted meanwhile is not taken back."""
    before = desk.hl("outbox").out.splitlines()
    told = following(desk, "outbox --follow", "trade ann R2 bob B4", "outbox done all --yes").splitlines()
    assert told[: len(before)] == before and len(told) > len(before) and len(set(told)) == len(told)


@pytest.mark.parametrize("verb", ["status", "outbox", "replay"])
def test_a_document_a_line(desk: Host, verb: str) -> None:
    first, second = following(desk, f"{verb} --follow -f json", "trade ann R2 bob B4").splitlines()
    assert json.loads(second) == desk.json(verb) != json.loads(first)


def test_a_shared_match(stage: Any) -> None:
    """What another host records elsewhere is shown; while the server is away it goes on with the mirror."""
    evening = Evening(stage)
    evening.patch = stage.patch
    told = following(evening, "replay --follow", *[""] * 6, "-g t --as theo lock hal", *[""] * 6)
    assert told == evening.ok("replay", "m")
    (evening.folder / "srv.git").rename(evening.folder / "away.git")
    told = following(evening, "replay --follow", *[""] * 12)
    assert "this is the mirror as of" in told and "[exit" not in told
