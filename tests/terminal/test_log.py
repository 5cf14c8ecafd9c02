"""`hl log`: what counts, in which order, and what is left out. How a case is written: support/lines.py.

Source: docs/log-format.md (two orders; an amended entry keeps its place among entries of its time).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.host import Host
from tests.support.lines import plays

SHORT = {
    "played": """
        trade ann R2 bob B4 ; +1h ; recolour cyd R9 ; recolour dan R3 ; undo ; outbox done 20b
        amend 20 take=R10 --yes ; amend 20 at=-1s --yes
    """
}
"""20 is a trade, corrected by 25 and 26 (its time: the last one); 21 counts before it; 23 undoes 22; 24 posts."""


def seqs(here: Host, *words: str) -> list[int]:
    return [row["seq"] for row in here.json("log", *words)["entries"]]


def counted(here: Host) -> list[int]:
    """The entries in effect by time, which must stand as the match is folded."""
    there, live = seqs(here, "--all", "--by-time"), [outcome.entry.seq for outcome in here.match.fold.outcomes]
    assert sorted(there) == [*range(1, 27)] and [seq for seq in there if seq in live] == live
    return there


SHOWS = {"seqs": seqs, "counted": counted}
LOG = """
an amended entry is listed as it counts, with what it was first
  desk ; played ; : log | entries[seq=20].args == a ann, b bob, give R2, take R10
  : log | entries[seq=20].first.args == a ann, b bob, give R2, take B4
  : log | entries[seq=20].marks ~ amended by 25 26
  log --kind trade ~ take=R10 ~ amended by 25 26 !~ B4 ; : log | entries[seq=21].first == none
  show 20 ~ take: R10 / ~ before it was amended: a=ann give=R2 b=bob take=B4; counted at
an entry that was amended twice is listed with both corrections, in the log and by verify; an undone one is left out
  desk ; trade ann R2 bob B4 ; amend 20 take=R6 --yes ; amend 20 take=R10 --yes ; amend 20 take=R7 --yes ; undo --yes
  log --kind trade ~ [amended by 21 22] ; show 20 ~ amended by 21 22 / ; verify ~ amended: entry 20 (by 21 22)
the order is that of recording or that of counting; the entries of new come first whatever their time
  desk ; played ; : seqs --all ~ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26
  : counted ~ 1 2 3 4 5 6 7 8 9 10 ; : counted ~ 21 22 23 24 25 20 26
filters go by what counts
  desk ; played ; : seqs --since 2026-03-02T10:09Z ~ 20 !~ 21 ; : seqs --until 2026-03-02T10:09Z !~ 20
  : seqs --since 2026-03-02T10:09Z --kind trade == 20 ; amend 20 b=hal take=R1 --yes
  : seqs --player hal ~ 20 ; : seqs --player bob !~ 20
what changes nothing is left out and counted: a mark of posting, what takes one back; an undo of anything else stays
  desk ; played ; outbox undo 20b ; anchor {link} ; : seqs ~ 23 !~ 24 !~ 27 !~ 28 ; : seqs --all ~ 24 25 26 27 28
  : log | hidden == 3 ; : log --all | hidden == 0 ; : seqs --kind posted == 24 ; : log --kind posted | hidden == 0
  log ~ 3 entries are not shown (anchor, posted, undo); they change nothing in the match: hl log --all
  log --kind trade !~ not shown ; : log --player ann | hidden == 1 ; : log --player bob | hidden == 0
one that is left out is spoken of as one
  desk ; anchor {link} ; log ~ 1 entry is not shown (anchor); it changes nothing in the match: hl log --all
as of an entry there is only what counted then
  desk ; played ; : seqs --as-of 21 ~ 19 21 !~ 20 ; : log --as-of 21 | hidden == 0
"""
test_the_log = plays(LOG)


@pytest.mark.parametrize("who", ["ann", "public"])
def test_a_player_learns_neither_number_nor_order(who: str, at_desk: Callable[[str], Host]) -> None:
    """How many entries there are, and which are only marks, tells of what others do: the list is the hosts'."""
    desk = at_desk("log")
    desk.hl("trade ann R2 bob B4")
    for words in ("--all", "--by-time", "", "-f json"):
        told = desk.hl(f"log --for {who} {words}", code=2).text
        assert "audience.host_only" in told and "left out" not in told and "hidden" not in told
        assert not any(sign.isdigit() for sign in told)
