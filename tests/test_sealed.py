"""Sealed rounds (games/kit/sealed.py): which sheet counts, who is silent, what is late. Source: S-9, S-10, S-G1."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from events.errors import Refused
from games.kit import sealed
from games.kit.sealed import LateAdmitted, Round, Sheet, SheetSealed
from games.table import rounds
from games.table.state import Seat, Table

PLAYERS = ("ann", "bob", "cyd")


def table(left: frozenset[str] = frozenset()) -> Table:
    return Table("x", "x", "UTC", ("mara",), {p: Seat(p) for p in PLAYERS}, {}, (), 0, "one", left=left)


def played(*said: tuple[int, str, str, bool], player: str = "ann", admit: tuple[int, ...] = ()) -> Round:
    """A round with these sheets of one player: (entry, kind, content, late)."""
    round_ = Round("one", 0)
    for seq, kind, content, late in said:
        sheet = Sheet(seq, seq, content if kind == "sheet" else None, kind, late)  # type: ignore[arg-type]
        round_ = sealed.sealed(round_, SheetSealed(player, sheet, "one"))
    for seq in admit:
        round_ = sealed.admitted(round_, LateAdmitted(player, seq, "one"))
    return round_


@pytest.mark.parametrize(
    ("said", "admit", "content", "standing"),
    [
        ([], (), None, "silent"),
        ([(1, "sheet", "x", False)], (), "x", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", False)], (), "y", "submitted"),
        ([(1, "blank", "", False)], (), None, "blank"),
        ([(1, "sheet", "x", False), (2, "blank", "", False)], (), None, "blank"),
        ([(1, "blank", "", False), (2, "sheet", "y", False)], (), "y", "submitted"),
        ([(1, "sheet", "x", False), (2, "withdrawn", "", False)], (), None, "silent"),
        ([(1, "sheet", "x", False), (2, "withdrawn", "", False), (3, "sheet", "z", False)], (), "z", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", False), (3, "withdrawn", "", False)], (), None, "silent"),
        ([(1, "sheet", "x", True)], (), None, "silent"),
        ([(1, "sheet", "x", True)], (1,), "x", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", True)], (), "x", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", True)], (2,), "y", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", True), (3, "sheet", "z", True)], (2,), "y", "submitted"),
        ([(1, "sheet", "x", False), (2, "sheet", "y", True), (3, "sheet", "z", True)], (2, 3), "z", "submitted"),
        ([(1, "sheet", "x", False), (2, "withdrawn", "", True)], (), "x", "submitted"),
        ([(1, "sheet", "x", False), (2, "withdrawn", "", True)], (2,), None, "silent"),
        ([(1, "sheet", "x", False), (2, "blank", "", True)], (2,), None, "blank"),
    ],
)
def test_the_sheet_that_counts(said, admit, content, standing):
    """S-9, S-10, S-G1: the last one in time or admitted; a withdrawal leaves nothing; a blank is not silence."""
    round_ = played(*said, admit=admit)
    assert sealed.content(round_, "ann") == content
    assert sealed.standing(round_, "ann") == standing
    assert sealed.standing(round_, "bob") == "silent"
    assert len(round_.sheets.get("ann", ())) == len(said), "every sheet is kept"


def test_every_short_history():
    """S-9: over all histories of up to four sheets, the rule written a second time."""
    kinds = [("sheet", False), ("sheet", True), ("blank", False), ("withdrawn", False), ("withdrawn", True)]
    for size in range(5):
        for history in itertools.product(kinds, repeat=size):
            said = [(seq, kind, f"c{seq}", late) for seq, (kind, late) in enumerate(history, start=1)]
            counts = [one for one in said if not one[3]]
            last = counts[-1] if counts else (0, "withdrawn", "", False)
            round_ = played(*said)
            assert sealed.content(round_, "ann") == (last[2] if last[1] == "sheet" else None)
            assert (sealed.standing(round_, "ann") == "silent") is (last[1] == "withdrawn")


@pytest.mark.parametrize(
    ("closed", "grace", "at", "late"),
    [
        (None, 0, 10**12, False),
        (1000, 0, 999, False),
        (1000, 0, 1000, True),
        (1000, 5, 5999, False),
        (1000, 5, 6000, True),
    ],
)
def test_late(closed, grace, at, late):
    """S-G1: in time means before the deadline and its grace; half-open; no deadline, no lateness."""
    assert sealed.is_late(Round("one", 0, closed), grace, at) is late


def test_who_owes():
    """S-10, S-G3: the silent; not who said that he submits nothing, not who has left."""
    round_ = played((1, "blank", "", False), player="bob")
    assert rounds.silent(table(), round_) == ("ann", "cyd")
    assert rounds.silent(table(frozenset({"cyd"})), round_) == ("ann",)
    (due, _) = rounds.owed(table()._replace(round=round_, ends=99), "a sheet")
    assert (due.who, due.what, due.since, due.until) == ("ann", "a sheet", 0, 99)


def test_only_a_late_sheet_of_this_round_is_admitted():
    """S-G1: `ruling admit` names a late sheet of the round that is on, once."""
    round_ = played((1, "sheet", "x", False), (2, "sheet", "y", True))
    assert sealed.late_sheet(round_, 2)[0] == "ann"
    for seq, one in ((1, round_), (3, round_), (2, played((2, "sheet", "y", True), admit=(2,)))):
        with pytest.raises(Refused) as refusal:
            sealed.late_sheet(one, seq)
        assert refusal.value.code == "sealed.not_late"


def test_rounds_are_frozen():
    """Contract: a round is never changed."""
    before: Any = played((1, "sheet", "x", False))
    picture = repr(before)
    sealed.sealed(before, SheetSealed("ann", Sheet(2, 2, "y", "sheet", False), "one"))
    sealed.admitted(before, LateAdmitted("ann", 1, "one"))
    assert repr(before) == picture
