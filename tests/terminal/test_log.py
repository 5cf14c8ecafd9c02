"""`hl log`: what counts, in which order, and what is left out.

Source: docs/log-format.md (two orders; an amended entry keeps its place among entries of its time).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from events import write_instant
from tests.support.host import MINUTE, Host, link


@pytest.fixture
def desk(at_desk: Callable[[str], Any]) -> Host:
    """Ann trades with Bob, Cyd recolours an hour later; both are corrected, one text is posted, one entry undone."""
    found: Host = at_desk("log")
    found.hl("trade", "ann", "R2", "bob", "B4")  # 20
    found.now += 60 * MINUTE
    found.hl("recolour", "cyd", "R9")  # 21
    found.hl("recolour", "dan", "R3")
    found.hl("undo")  # 22, 23
    found.hl("outbox", "done", "20b")  # 24
    found.hl("amend", "20", "take=R10", "--yes")  # 25
    moment = write_instant(found.now - 1)
    found.hl("amend", "20", f"at={moment}", "--yes")  # 26
    return found


def seqs(desk: Host, *words: str) -> list[int]:
    return [row["seq"] for row in desk.json("log", *words)["entries"]]


def test_an_amended_entry_is_listed_as_it_counts(desk: Host) -> None:
    row = next(row for row in desk.json("log")["entries"] if row["seq"] == 20)
    first = desk.match.book.entries[19].body
    assert row["args"] == {"a": "ann", "b": "bob", "give": "R2", "take": "R10"}
    assert row["first"] == {"at": write_instant(first.at), "args": first.args} and first.args["take"] == "B4"
    assert row["at"] > row["first"]["at"] and "amended by 26" in row["marks"]
    desk.hl("log")
    line = next(line for line in desk.out.splitlines() if line.startswith("#20"))
    assert "take=R10" in line and "amended by 26" in line and "B4" not in line
    assert all(row["first"] is None for row in desk.json("log")["entries"] if row["seq"] != 20)
    desk.hl("show", "20")
    assert "  take: R10\n" in desk.out and "before it was amended: a=ann give=R2 b=bob take=B4; counted at" in desk.out


def test_the_order_is_that_of_recording_or_that_of_counting(desk: Host) -> None:
    """The entries of `new` come first whatever their time, an amended entry where it counts now."""
    assert seqs(desk, "--all") == [*range(1, 27)]
    there = seqs(desk, "--all", "--by-time")
    assert sorted(there) == [*range(1, 27)] and there[:9] == [*range(1, 10)]
    assert there.index(21) < there.index(20) < there.index(26)
    live = [outcome.entry.seq for outcome in desk.match.fold.outcomes]
    assert [seq for seq in there if seq in live] == live, "as the match is folded"


def test_filters_go_by_what_counts(desk: Host) -> None:
    when = desk.json("show", "20")["at"]
    between = desk.json("show", "21")["at"]
    assert 20 in seqs(desk, "--since", when) and 21 not in seqs(desk, "--since", when)
    assert 20 not in seqs(desk, "--until", when) and 20 in seqs(desk, "--since", between, "--kind", "trade")
    desk.hl("amend", "20", "b=hal", "take=R1", "--yes")
    assert 20 in seqs(desk, "--player", "hal") and 20 not in seqs(desk, "--player", "bob")


def test_what_changes_nothing_is_left_out_and_counted(desk: Host) -> None:
    """A mark of posting, and what takes one back; an undo of anything else stays."""
    desk.hl("outbox", "undo", "20b")  # 27
    desk.hl("anchor", link(desk.now))  # 28
    listed = seqs(desk)
    assert 23 in listed and not {24, 27, 28} & {*listed}
    assert desk.json("log")["hidden"] == 3 and desk.json("log", "--all")["hidden"] == 0
    desk.hl("log")
    assert desk.err.startswith(
        "3 entries are not shown (anchor, posted, undo); they change nothing in the match: hl log --all"
    )
    assert {24, 27, 28} <= {*seqs(desk, "--all")}
    assert seqs(desk, "--kind", "posted") == [24] and desk.json("log", "--kind", "posted")["hidden"] == 0
    desk.hl("log", "--kind", "trade")
    assert desk.err == ""
    assert [desk.json("log", "--player", who)["hidden"] for who in ("ann", "bob")] == [1, 0], "the text was Ann's"


def test_a_player_learns_neither_number_nor_order(desk: Host) -> None:
    """How many entries there are, and which are only marks, tells of what others do: the list is the hosts'."""
    for words in (("--all",), ("--by-time",), (), ("-f", "json")):
        for who in ("ann", "public"):
            desk.hl("log", "--for", who, *words, code=2)
            told = desk.out + desk.err
            assert "audience.host_only" in told and "left out" not in told and "hidden" not in told
            where = told.partition("-g ")[2].partition(" ")[0]  # the folder of this test has digits
            assert not any(sign.isdigit() for sign in told.replace(where, ""))


def test_as_of_an_entry_only_what_counted_then(desk: Host) -> None:
    listed = desk.json("log", "--as-of", "21")
    there = [row["seq"] for row in listed["entries"]]
    assert 20 not in there and there[-1] == 21, "the trade counts later now"
    every = desk.json("log", "--as-of", "21", "--all")
    assert len(every["entries"]) == len(there) + listed["hidden"], "only what --all would add there is counted"
