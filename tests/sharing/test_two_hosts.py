"""Two hosts at one log: what one confirms is still so when it is written, and nobody undoes the other unseen."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from events.errors import LedgerError, Refused
from games.equilibrium import actions as eq
from games.table import actions as shared
from ledger.cli.app import App
from ledger.cli.root import run
from ledger.core.match import Match
from ledger.record.corrections import check_undo
from ledger.record.plan import Options
from ledger.record.recorder import correct, record_actions
from tests.support.host import Host


def seen(desk: Host) -> Match:
    """The match as one screen has it."""
    match = desk.match
    assert match.fold.state
    return match


def yes(question: str) -> bool:
    return True


@pytest.fixture
def desk(at_desk: Any) -> Host:
    """Mara and Ben record in it; a trade has been typed last."""
    here: Host = at_desk("desk")
    here.hl("trade cyd R9 dan R5")
    return here


def recolour_before_the_trade(desk: Host, ask: Callable[[str], bool]) -> Any:
    """Mara types what would make that trade impossible."""
    return record_actions(desk.match, [eq.Recolour("cyd", "R9")], Options("mara", at=desk.now - 1), ask)


def test_what_was_confirmed_is_asked_again_when_it_is_no_longer_all(desk: Host) -> None:
    """While mara thinks, ben records what would be contested as well: she is asked again, about both."""
    asked: list[str] = []
    meanwhile = ["breach ann --as ben", "recolour cyd R5 --as ben"]

    def ask(question: str) -> bool:
        asked.append(question)
        desk.hl(meanwhile.pop())
        return True

    written = recolour_before_the_trade(desk, ask)
    assert len(asked) == 2, "the breach changes nothing of it, so there is no third question"
    assert asked[0] != asked[1] and asked[1].count("the rules would no longer allow") == 2
    assert written.seqs == (desk.last,) and len(written.newly) == 2


def test_a_refusal_after_the_question_writes_nothing(desk: Host) -> None:
    """What ben records meanwhile makes the entry illegal: it is refused, although mara confirmed it."""
    before = desk.last
    with pytest.raises(Refused, match="no garnet"):
        recolour_before_the_trade(desk, lambda _: bool(desk.hl("override cyd garnets 0 --as ben --at -2m -y")))
    assert desk.last == before + 1


def test_a_host_who_declines_writes_nothing(desk: Host) -> None:
    before = desk.last
    with pytest.raises(LedgerError, match="not confirmed"):
        recolour_before_the_trade(desk, lambda question: False)
    assert desk.last == before


def test_the_same_message_and_the_same_undo(desk: Host) -> None:
    """Both hosts act on what they saw at the same moment; the second one is told, and nothing is written twice."""
    mara, ben = seen(desk), seen(desk)
    given = {"at": desk.now, "evidence": "1478034026000000000"}
    record_actions(mara, [shared.Breach("bob")], Options("mara", **given), yes)
    with pytest.raises(Refused, match="already recorded"):
        record_actions(ben, [shared.Breach("bob")], Options("ben", **given), yes)
    target, mara, ben = desk.last, seen(desk), seen(desk)
    correct(mara, shared.Undo(target), Options("mara"), yes, lambda m: check_undo(m, target))
    with pytest.raises(Refused, match="undone already"):
        correct(ben, shared.Undo(target), Options("ben"), yes, lambda m: check_undo(m, target))


def test_an_amend_does_not_take_back_one_that_was_not_seen(desk: Host) -> None:
    """Both correct another field of one entry: an amend holds every field, so the second must have seen the first."""
    target, old = desk.last, seen(desk)
    desk.hl(f"amend {target} give=B8 --as ben -y")

    class Stale(App):
        """Her screen shows the log as it was when she began to type."""

        match = property(lambda self: old)

    assert run(["-g", str(desk.path), "--as", "mara", "amend", str(target), "take=R10", "-y"], Stale()) == 3
    desk.hl(f"amend {target} take=R10 -y")
    hand = desk.match.fold.state.hands["cyd"]
    assert "R10" in hand and "R9" in hand and "B8" not in hand


def test_once_says_what_it_said(desk: Host) -> None:
    """Each write verb run again with its key answers with the first receipt; other words are refused."""
    desk.hl("trade ann R2 bob B4")
    trade = desk.last
    for i, (line, other) in enumerate(
        [
            ("amend-setting gift_hours=30", "amend-setting gift_hours=31"),
            ("override hal hand 'r1 5r R7 B1 b2'", "override hal hand 'R1 R5 R7 B1 B3'"),
            ("penalty gil --garnets 1", "penalty gil"),
            ("lot ann bob", "lot ann cyd"),
            ("confirm 3 --as ben", "confirm 4 --as ben"),
            (f"amend {trade} give=R4", f"amend {trade} give=R9"),
            (f"undo {trade}", "undo 19"),
            (f"redo {trade}", "redo 19"),
            ("undo --as mara", "undo 3"),
            ("close", "close vote"),
        ]
    ):
        first, size = desk.write(f"{line} --once k{i}"), desk.last
        again = desk.write(f"{line} --once k{i}")
        assert again["ok"] and {**again, "facts": 0} == {**first, "facts": 0}, line
        assert not json.loads(desk.hl(f"{other} --once k{i} --json -y", code=None).out)["ok"], other
        assert desk.last == size, "something was recorded twice"
