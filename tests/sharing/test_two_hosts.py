"""Two hosts at one log: what one confirms is still so when it is written, and nobody undoes the other unseen."""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import LedgerError, Refused
from games.equilibrium import actions as eq
from games.table import actions as shared
from tests.support.evening import HANDS, MATCH


class Desk:
    """The same log on two screens."""

    def __init__(self, stage: Any) -> None:
        self.stage = stage
        stage.patch.setenv("HL_AS", "mara")
        for line in ("hl new m --from match.toml", "hl deal --from deal.toml -g m", "hl open -g m"):
            if "new" in line:
                stage.run(tuple(MATCH.splitlines()))
                stage.run(tuple(HANDS.splitlines()))
            told = stage.run((f"$ {line}",))
            assert "[exit" not in told, told
        stage.patch.setenv("HL_MATCH", str(stage.folder / "m"))

    def match(self) -> Any:
        """The match as one screen saw it last."""
        from ledger.core.match import Match

        match = Match(str(self.stage.folder / "m" / "log.jsonl"))
        assert match.fold.state
        return match

    def hl(self, line: str) -> str:
        told: str = self.stage.run((f"$ hl {line}",))
        return told

    def options(self, by: str = "mara", **more: Any) -> Any:
        from ledger.record.plan import Options

        return Options(by=by, **more)


@pytest.fixture
def desk(stage: Any) -> Desk:
    return Desk(stage)


def last(desk: Desk) -> int:
    return len(desk.match().book.entries)


def test_what_was_confirmed_is_asked_again_when_it_is_no_longer_all(desk: Desk) -> None:
    """While mara thinks, theo records what would be contested as well: she is asked again, about both."""
    from ledger.record.recorder import record_actions

    early = desk.stage.now
    desk.hl("trade gil B8 ann B1")
    asked: list[str] = []

    def ask(question: str) -> bool:
        asked.append(question)
        if len(asked) == 1:
            assert "[exit" not in desk.hl("recolour gil B1 --as theo")
        elif len(asked) == 2:
            assert "[exit" not in desk.hl("breach ann --as theo")
        return True

    written = record_actions(desk.match(), [eq.Recolour("gil", "B8")], desk.options(at=early), ask)
    assert len(asked) == 2, "the breach changes nothing of it, so there is no third question"
    assert asked[0] != asked[1] and asked[1].count("the rules would no longer allow") == 2
    assert written.seqs == (last(desk),)
    assert len(written.newly) == 2


def test_a_refusal_after_the_question_writes_nothing(desk: Desk) -> None:
    """What theo records meanwhile makes the entry illegal: it is refused, although mara confirmed it."""
    from ledger.record.recorder import record_actions

    early = desk.stage.now
    desk.hl("trade gil B8 ann B1")
    before = last(desk)

    def ask(question: str) -> bool:
        assert "[exit" not in desk.hl("override garnets gil 0 --as theo --at -2m -y")
        return True

    with pytest.raises(Refused, match="no garnet"):
        record_actions(desk.match(), [eq.Recolour("gil", "B8")], desk.options(at=early), ask)
    assert last(desk) == before + 1


def test_a_host_who_declines_writes_nothing(desk: Desk) -> None:
    from ledger.record.recorder import record_actions

    early = desk.stage.now
    desk.hl("trade gil B8 ann B1")
    before = last(desk)
    with pytest.raises(LedgerError, match="not confirmed"):
        record_actions(desk.match(), [eq.Recolour("gil", "B8")], desk.options(at=early), lambda question: False)
    assert last(desk) == before


def test_the_same_message_the_same_undo_the_same_amend(desk: Desk) -> None:
    """Both hosts act on what they saw at the same moment; the second one is told, and nothing is written twice."""
    from ledger.record.corrections import check_undo
    from ledger.record.recorder import correct, record_actions

    def yes(question: str) -> bool:
        return True

    message = "1478034026000000000"
    mara, theo = desk.match(), desk.match()
    at = desk.stage.now
    record_actions(mara, [shared.Breach("bob")], desk.options(at=at, evidence=message), yes)
    with pytest.raises(Refused, match="already recorded"):
        record_actions(theo, [shared.Breach("bob")], desk.options("theo", at=at, evidence=message), yes)

    target = last(desk)
    mara, theo = desk.match(), desk.match()
    correct(mara, shared.Undo(target), desk.options(), yes, lambda m: check_undo(m, target))
    with pytest.raises(Refused, match="undone already"):
        correct(theo, shared.Undo(target), desk.options("theo"), yes, lambda m: check_undo(m, target))


def test_an_amend_does_not_take_back_one_that_was_not_seen(desk: Desk) -> None:
    """Both correct another field of one entry: an amend holds every field, so the second must have seen the first."""
    from ledger.cli.app import App
    from ledger.cli.root import run

    desk.hl("trade ann B1 eve B2")
    target = last(desk)
    mara = App()
    assert run(["status"], mara) == 0
    seen = mara.match
    assert "[exit" not in desk.hl(f"amend {target} give=B3 --as theo -y")

    class Stale(App):
        """Her screen shows the log as it was when she began to type."""

        @property
        def match(self) -> Any:
            return seen

    assert run(["amend", str(target), "take=B4", "-y"], Stale()) == 3
    assert "[exit" not in desk.hl(f"amend {target} take=B4 -y")
    state = desk.match().fold.state
    assert state.hands["ann"].count("B4") == 1 and "B3" not in state.hands["ann"]


def test_once_says_what_it_said(desk: Desk) -> None:
    """Each write verb run again with its key answers with the first receipt; other words are refused."""
    desk.hl("trade ann B1 eve B2")
    trade = last(desk)
    for i, (line, other) in enumerate(
        [
            ("amend-setting gift_hours=30", "amend-setting gift_hours=31"),
            ("override hand hal 'r2 4r R6 R8 b10'", "override hand hal 'R2 R4 R6 R8 R10'"),
            ("penalty gil --garnets 1", "penalty gil"),
            ("lot ann bob", "lot ann cyd"),
            ("confirm 3 --as theo", "confirm 4 --as theo"),
            (f"amend {trade} give=B3", f"amend {trade} give=B5"),
            (f"undo {trade}", "undo 19"),
            (f"redo {trade}", "redo 19"),
            ("undo --as mara", "undo 3"),
            ("close", "close vote"),
        ]
    ):
        first = desk.hl(f"{line} --once k{i} --json -y")
        assert '"ok": true' in first, (line, first)
        size = last(desk)
        again = desk.hl(f"{line} --once k{i} --json -y")
        assert '"ok": true' in again and again.partition('"facts"')[0] == first.partition('"facts"')[0], (line, again)
        refused = desk.hl(f"{other} --once k{i} --json -y")
        assert '"ok": false' in refused, (other, refused)
        assert last(desk) == size, "something was recorded twice"
